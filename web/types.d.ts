// Short names for what the contract calls its schemas. `capicua.d.ts` is made from the OpenAPI document.
import type { components } from "./capicua.js";

type Schemas = components["schemas"];

export type Match = Schemas["MatchView"];
export type Seat = Schemas["SeatView"];
export type Hand = Schemas["HandView"];
export type Layout = Schemas["LayoutView"];
export type HandSummary = Schemas["HandSummary"];
export type HandResult = Schemas["HandResult"];
export type Move = Hand["legal_moves"][number];
export type End = Schemas["OpenEnd"]["end"];
export type Level = Schemas["ChangeLevel"]["level"];
export type Event = Schemas["Moved"]["events"][number];
export type Ruleset = Schemas["RulesetView"];
export type Parameter = Schemas["Parameter"];
export type Summary = Schemas["MatchSummary"];
export type MatchPage = Schemas["MatchPage"];
export type SetUp = Schemas["CreateMatch"];
export type Moved = Schemas["Moved"];
export type Created = Schemas["Created"];
export type Joined = Schemas["Joined"];
export type Hint = Schemas["Hint"];
export type ProblemDetails = Schemas["ProblemDetails"];
export type HandReview = Schemas["HandReview"];

/** A match that this browser knows, with the tokens that it was given for it. */
export interface Ticket {
  id: string;
  /** By seat number. */
  seats: Record<string, string>;
  host: string | null;
  /** What the match was created with; null for one that was joined or is watched. */
  setUp: SetUp | null;
}
