/**
 * Creates a match against CPU seats and plays it to its end.
 *
 *     npm start -- [SERVICE] [RULESET] [TARGET]
 */
import createClient from "openapi-fetch";

import type { components, paths } from "./capicua.js";
import { persistent } from "./persistent.js";

type Match = components["schemas"]["MatchView"];
type Move = components["schemas"]["HandView"]["legal_moves"][number];
type Play = components["schemas"]["Play"];
type Answer<Data> = { data?: Data; error?: { code: string; detail: string } };

const [service = "http://127.0.0.1:8000", ruleset = "partner-penalty", target] = process.argv.slice(2);
const client = createClient<paths>({ baseUrl: service, fetch: persistent });

/** The answer's body; a refusal is a fault of this program. */
function body<Data>({ data, error }: Answer<Data>): Data {
  if (data === undefined) throw new Error(error ? `${error.code}: ${error.detail}` : "an answer without a body");
  return data;
}

const key = () => ({ "Idempotency-Key": crypto.randomUUID() });

const created = body(
  await client.POST("/v1/matches", {
    params: { header: key() },
    body: { ruleset, ...(target === undefined ? {} : { rules: { target: Number(target) } }) },
  }),
);
const token = created.tokens[0]?.token;
const path = { match_id: created.match.id };
client.use({
  onRequest({ request }) {
    request.headers.set("Authorization", `Bearer ${token}`);
  },
});

let match: Match = created.match;
while (match.status === "playing" || match.status === "hand_over") {
  // CPU seats move within the calls of this seat, so that it always has something to do.
  match = body(await post(choose(match))).match;
}
console.log(`${match.status}: ${match.result ? outcome(match) : "no result"}`);
for (const { team, points } of match.scores) console.log(`team ${team}: ${points}`);

/** Each type of move has its path, and the entry of `legal_moves` is the body as it is. */
function post(move: Move) {
  const call = { params: { path, header: key() } };
  switch (move.type) {
    case "play":
      return client.POST("/v1/matches/{match_id}/play", { ...call, body: move });
    case "draw":
      return client.POST("/v1/matches/{match_id}/draw", { ...call, body: { ...move, until_playable: true } });
    case "pass":
      return client.POST("/v1/matches/{match_id}/pass", { ...call, body: move });
    case "next-hand":
      return client.POST("/v1/matches/{match_id}/next-hand", { ...call, body: move });
  }
}

/** The heaviest tile, a double before others of its weight: what is left in hand at the end costs points. */
function choose({ hand }: Match): Move {
  const moves = hand?.legal_moves ?? [];
  const plays = moves.filter((move): move is Play => move.type === "play");
  const [best] = plays.sort((one, other) => weight(other) - weight(one));
  const move = best ?? moves[0];
  if (move === undefined) throw new Error("somebody else has the turn");
  return move;
}

function weight({ tile }: Play): number {
  const [high = 0, low = 0] = tile.split("-").map(Number);
  return high + low + (high === low ? 0.5 : 0);
}

function outcome({ result, seats, viewer }: Match): string {
  if (result?.winner == null) return "nobody wins";
  return result.winner === seats[viewer.seat ?? 0]?.team ? "won" : "lost";
}
