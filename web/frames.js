// The states between two states. The service answers with the state after a call and the events that led to it; people
// want to see them one by one. Each frame is the last state with what came later taken back.

/** @import { Event, Hand, HandResult, Layout, Match } from "./types.js" */
/** @typedef {{ event: Event, match: Match }} Frame The match as it was right after the event, for looking at only. */

const MOST_FRAMES = 60;

/**
 * A frame for each of the events that lead to `after`, those of its hand alone, and the last one is `after` itself.
 *
 * @param {Match} after
 * @param {Event[]} events
 * @returns {Frame[]}
 */
export function framesOf(after, events) {
  const dealt = events.findLastIndex(({ type }) => type === "hand_dealt");
  const shown = events.slice(Math.max(dealt, events.length - MOST_FRAMES, 0));
  /** @type {Frame[]} */
  const frames = [];
  let match = after;
  for (const event of shown.toReversed()) {
    frames.push({ event, match: frames.length === 0 ? after : seenAfter(match, event) });
    match = undone(match, event);
  }
  return frames.toReversed();
}

/**
 * @param {Match} match
 * @param {Event} event
 * @returns {Match}
 */
function seenAfter(match, event) {
  const hand = match.hand && { ...match.hand, turn: event.turn, legal_moves: [] };
  const clock = match.clock && { ...match.clock, running: null };
  return { ...match, hand, clock, version: event.seq };
}

/**
 * The match as it was before the event, as far as it is shown.
 *
 * @param {Match} match
 * @param {Event} event
 * @returns {Match}
 */
function undone(match, event) {
  const { hand, seats } = match;
  switch (event.type) {
    case "tile_played":
      return { ...holding(match, event, 1), hand: hand && { ...withoutMove(hand), layout: without(hand.layout, event) } };
    case "tile_drawn":
      return {
        ...holding(match, event, -1),
        hand: hand && { ...withoutMove(hand), boneyard_count: hand.boneyard_count + 1 },
      };
    case "turn_passed":
      return { ...match, hand: hand && withoutMove(hand) };
    case "points_scored":
      return {
        ...match,
        scores: match.scores.map((score) =>
          score.team === event.team ? { ...score, points: score.points - event.points } : score,
        ),
      };
    case "hand_ended":
      return {
        ...match,
        status: "playing",
        scores: scoresBefore(match, event.result),
        hand: hand && { ...hand, result: null },
        seats: seats.map((seat) => (seat.seat === match.viewer.seat ? seat : { ...seat, tiles: null })),
        past_hands: match.past_hands.slice(0, -1),
      };
    case "match_ended":
      return { ...match, status: hand?.result ? "hand_over" : "playing", result: null };
    default:
      return match;
  }
}

/**
 * The scores when the hand ended and all its points were taken: by some rules all go back to 0 then.
 *
 * @param {Match} match
 * @param {HandResult} result
 */
function scoresBefore(match, { play_points, end_points }) {
  const earlier = match.past_hands.at(-2)?.scores;
  return match.scores.map(({ team }) => {
    const points = (play_points[team]?.points ?? 0) + (end_points[team]?.points ?? 0);
    return { team, points: points + (earlier?.[team]?.points ?? 0) };
  });
}

/** @param {Hand} hand */
function withoutMove(hand) {
  return { ...hand, moves: hand.moves.slice(0, -1) };
}

/**
 * The seat of an event with its tile again, or without it.
 *
 * @param {Match} match
 * @param {Event & { tile: string | null }} event
 * @param {1 | -1} change
 */
function holding(match, { seat: number, tile }, change) {
  const seats = match.seats.map((seat) => {
    if (seat.seat !== number) return seat;
    const tiles = seat.tiles && (change > 0 ? [...seat.tiles, tile ?? ""] : seat.tiles.filter((each) => each !== tile));
    return { ...seat, tiles, tile_count: seat.tile_count + change };
  });
  return { ...match, seats };
}

/**
 * The layout before a tile was played. What it asked for then is not known here, and is not shown.
 *
 * @param {Layout} layout
 * @param {Event & { tile: string, end: string | null }} played
 * @returns {Layout}
 */
function without(layout, { tile, end }) {
  const opening = end === null ? null : layout.opening;
  const arms = layout.arms
    .map((arm) => (arm.end === end ? { ...arm, tiles: arm.tiles.slice(0, -1) } : arm))
    .filter((arm) => arm.tiles.length > 0);
  const spinner = layout.spinner === tile ? null : layout.spinner;
  return { ...layout, opening, spinner, arms, ends: [], text: "" };
}
