// What the page says: names of seats and teams, a sentence for every event, whose turn it is, and how a hand or a match
// ended. Pure: a match as the viewer sees it goes in, text comes out, and nothing in it says more than that view holds.

/** @import { End, Event, HandResult, HandSummary, Match, Move } from "./types.js" */
/** @typedef {{ text: string, many: boolean }} Subject Who does something; `many` where the verb takes no "s". */
/** @typedef {{ title: string, lines: string[] }} Outcome */

const UNSEEN = /(?<![\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])\u200d|(?!\u200d)\p{Cf}/gu; // but for what joins emoji
const TAKEN = /^(you|partner|left|right|nobody|(cpu|player|open seat)( \d)?)$|\(seat \d\)$/i;

/** @param {string | null} name As somebody gave it, without what nobody sees and what turns the text around it. */
const cleaned = (name) => (name ?? "").replace(UNSEEN, "").replace(/\s+/g, " ").trim();

/** @param {string} name */
const folded = (name) => name.normalize("NFKC").toLowerCase();

/**
 * What a seat is called. Seats are numbered from 1 for people. No two seats of a match are called the same, and nobody
 * can take a name that the page gives.
 *
 * @param {Match} match
 * @param {number} seat
 */
export function nameOf({ viewer, seats, rules }, seat) {
  if (viewer.seat === seat) return "You";
  const { kind, name } = seats[seat] ?? { kind: "open", name: null };
  const alone = seats.filter((each) => each.kind === kind && each.seat !== viewer.seat).length < 2;
  if (kind === "open") return alone ? "Open seat" : `Open seat ${seat + 1}`;
  if (kind === "human") {
    const own = cleaned(name);
    if (!own) return `Player ${seat + 1}`;
    const others = seats.filter((each) => each.kind === "human" && folded(cleaned(each.name)) === folded(own));
    return others.length > 1 || TAKEN.test(folded(own)) ? `${own} (seat ${seat + 1})` : own;
  }
  if (seats.length === 2 && alone) return "CPU";
  const step = viewer.seat === null ? 0 : (seat - viewer.seat + seats.length) % seats.length;
  return (rules.partners === "pairs" && ["", "Left", "Partner", "Right"][step]) || `CPU ${seat + 1}`;
}

/**
 * @param {Match} match
 * @param {number} seat
 * @returns {Subject}
 */
const seatSubject = (match, seat) => ({ text: nameOf(match, seat), many: match.viewer.seat === seat });

/**
 * @param {Match} match
 * @param {number} team
 * @returns {Subject}
 */
function teamSubject(match, team) {
  const seats = match.seats.filter((each) => each.team === team).map(({ seat }) => seat);
  seats.sort((one, other) => Number(other === match.viewer.seat) - Number(one === match.viewer.seat) || one - other);
  const text = listed(seats.map((seat) => nameOf(match, seat)));
  return { text, many: seats.length > 1 || seats[0] === match.viewer.seat };
}

/**
 * @param {Match} match
 * @param {number} team
 */
export const teamOf = (match, team) => teamSubject(match, team).text;

/**
 * The teams, the viewer's own first.
 *
 * @param {Match} match
 */
export function teamsOf({ viewer, seats, scores }) {
  const own = viewer.seat === null ? null : (seats[viewer.seat]?.team ?? null);
  const teams = scores.map(({ team }) => team);
  return own === null ? teams : [own, ...teams.filter((team) => team !== own)];
}

/** @param {string[]} words */
const listed = (words) => words.join(", ").replace(/, ([^,]*)$/, " and $1");

/** @param {string} name A name as it stands within a sentence. */
export const within = (name) => name.replace(/^You(?=$| and )/, "you");

/**
 * @param {Subject} who
 * @returns {Subject}
 */
const inside = (who) => ({ ...who, text: within(who.text) });

/**
 * @param {Subject} who
 * @param {string} verb As it follows "you".
 */
function does({ text, many }, verb) {
  const [first = ""] = verb.match(/^\w+/) ?? [];
  const single = { are: "is", were: "was" }[first] ?? first + (first.endsWith("s") ? "es" : "s");
  return `${text} ${many ? verb : single + verb.slice(first.length)}`;
}

/** @param {number} points */
const pointsWord = (points) => `${points} ${points === 1 ? "point" : "points"}`;

/** @param {number} share */
export const percent = (share) => `${Math.round(100 * share)}%`;

/** @param {number} amount An average, with one decimal place and a sign that can be read. */
export const signed = (amount) => {
  const rounded = Math.abs(amount).toFixed(1).replace(/\.0$/, "");
  return rounded === "0" ? "0" : `${amount < 0 ? "−" : "+"}${rounded}`;
};

/** @param {number} cost */
export const costWord = (cost) => (cost > 0 && cost < 0.05 ? "under 0.1" : cost.toFixed(1));

/** @param {End | null | undefined} end */
const endWords = (end) =>
  end ? { left: "on the left", right: "on the right", up: "upwards", down: "downwards" }[end] : "";

/** @param {Move} move */
export function moveWords(move) {
  if (move.type === "play") return `${move.tile} ${endWords(move.end)}`.trim();
  return { draw: "Draw a tile", pass: "Pass", "next-hand": "Deal the next hand" }[move.type];
}

/**
 * Whether the count of the open ends decides anything in this game.
 *
 * @param {Match} match
 */
export const countMatters = ({ rules }) =>
  [rules.scored_multiples, rules.extra_turn_counts, rules.skip_counts].some(({ length }) => length > 0);

/**
 * A sentence for an event, for the log and for a screen reader; null for a type that is not known.
 *
 * @param {Event} event
 * @param {Match} match The state that the viewer has; any from the event on will do.
 * @returns {string | null}
 */
export function said(event, match) {
  const who = seatSubject(match, event.seat ?? -1);
  switch (event.type) {
    case "match_created":
      return "The match is created.";
    case "seat_joined":
      if (match.seats[event.seat ?? -1]?.kind !== "open") return `${does(who, "take")} a seat.`;
      return `${cleaned(event.name) || "Somebody"} takes a seat.`;
    case "hand_dealt":
      return dealt(event.number, event.boneyard_count, event.redeals, match);
    case "tile_played":
      return played(event, match);
    case "tile_drawn":
      return `${does(who, "draw")} ${event.tile ?? "a tile"} (${event.boneyard_count} left).`;
    case "turn_passed":
      return event.automatic ? `Nothing fits: ${does(inside(who), "pass")}.` : `${does(who, "pass")}.`;
    case "points_scored":
      return scored(teamSubject(match, event.team), event.points, event.cause, match);
    case "hand_ended":
      return `Hand ${event.result.number} is over. ${howEnded(event.result, match)}`;
    case "level_changed":
      return `${does(who, "play")} at level ${event.level} from now on.`;
    case "clock_expired":
      return `${does(who, "run")} out of time.`;
    case "resigned":
      return `${does(who, "resign")}.`;
    case "cancelled":
      return "The match is cancelled.";
    case "match_ended":
      return `The match is over: ${wins(event.result.winner, match)}.`;
    default:
      return null;
  }
}

/**
 * @param {number} number
 * @param {number} left
 * @param {number} redeals
 * @param {Match} match
 */
function dealt(number, left, redeals, { rules }) {
  const rest = left === 0 ? "" : rules.drawing === "never" ? `, ${left} left over` : `, ${left} in the boneyard`;
  const thrownIn = redeals === 1 ? "One deal before it was" : `${redeals} deals before it were`;
  const each = rules.hand_size === 1 ? "1 tile each" : `${rules.hand_size} tiles each`;
  return `Hand ${number} is dealt: ${each}${rest}.${redeals ? ` ${thrownIn} thrown in.` : ""}`;
}

/**
 * @param {Extract<Event, { type: "tile_played" }>} event
 * @param {Match} match
 */
function played({ seat, tile, end, count, automatic }, match) {
  const who = seatSubject(match, seat ?? -1);
  const counted = countMatters(match) ? `, count ${count}` : "";
  if (automatic) return `${tile} is laid for ${within(who.text)} to open${counted}.`;
  return (end ? `${does(who, "play")} ${tile} ${endWords(end)}` : `${does(who, "open")} with ${tile}`) + `${counted}.`;
}

/**
 * @param {Subject} who
 * @param {number} points
 * @param {Extract<Event, { type: "points_scored" }>["cause"]} cause
 * @param {Match} match
 */
function scored(who, points, cause, { rules }) {
  if (rules.scoring === "penalty") return `${does(who, "are charged")} ${points}.`;
  const why = { play: "", pass: " for the pass" }[/** @type {string} */ (cause)] ?? " at the end of the hand";
  return `${does(who, "score")} ${points}${why}.`;
}

/**
 * @param {number | null} winner
 * @param {Match} match
 */
const wins = (winner, match) => (winner === null ? "nobody wins" : does(inside(teamSubject(match, winner)), "win"));

/**
 * The status line: whose turn it is, and what to do.
 *
 * @param {Match} match
 */
export function turnOf(match) {
  const { status, hand, viewer, seats, pacing } = match;
  const open = seats.filter(({ kind }) => kind === "open").length;
  switch (status) {
    case "waiting":
      return `Waiting for ${open === 1 ? "the open seat" : `${open} open seats`} to be taken.`;
    case "hand_over":
      return `The hand is over${hand?.legal_moves.length ? ": deal" : ", and somebody may deal"} the next one.`;
    case "finished":
    case "cancelled":
      return `${outcomeOf(match).title}.`;
  }
  const turn = hand?.turn ?? null;
  if (hand === null || turn === null) return "";
  if (turn === viewer.seat) return hand.legal_moves.length ? `Your turn: ${asked(hand)}` : "It is your turn.";
  const waits = pacing === "step" && viewer.role !== "spectator" && seats[turn]?.kind === "cpu";
  return does(seatSubject(match, turn), waits ? "wait: press Step." : "are to move.");
}

/** @param {NonNullable<Match["hand"]>} hand What the viewer, whose turn it is, is asked for. */
function asked({ legal_moves, layout }) {
  const tiles = new Set(legal_moves.map((move) => (move.type === "play" ? move.tile : move.type)));
  if (tiles.has("draw")) return "no tile fits, draw from the boneyard.";
  if (tiles.has("pass")) return "no tile fits, pass.";
  const [only] = tiles;
  if (tiles.size > 1) return layout.opening ? "play one of the raised tiles." : "open with one of the raised tiles.";
  return layout.opening ? `play ${only}, the only tile that fits.` : `open with ${only}.`;
}

/**
 * What has ended: the match, or else the hand; without words where nothing has.
 *
 * @param {Match} match
 * @returns {Outcome}
 */
export function outcomeOf(match) {
  if (match.status === "cancelled") {
    const lines = ["Its seats were not taken in time, or its host ended it."];
    if (match.hand) lines.splice(0, 1, "Its host ended it, without a result.", finalScore(match));
    return { title: "The match was cancelled", lines };
  }
  if (match.result) return matchOutcome(match, match.result);
  return match.hand?.result ? handOutcome(match, match.hand.result) : { title: "", lines: [] };
}

/**
 * @param {Match} match
 * @param {NonNullable<Match["result"]>} result
 * @returns {Outcome}
 */
function matchOutcome(match, { winner, reason }) {
  const own = match.viewer.seat === null ? null : match.seats[match.viewer.seat]?.team ?? null;
  const lost = winner !== null && own !== null && own !== winner;
  const subject = winner === null ? null : teamSubject(match, lost ? own : winner);
  const title = subject ? does(subject, lost ? "lose the match" : "win the match") : "Nobody wins the match";
  const won = lost ? `${does(teamSubject(match, winner), "win")}. ` : "";
  const lines = [won + whyEnded(match, winner, reason), finalScore(match)];
  const hand = match.hand?.result;
  if (hand && reason === "score") {
    const [how = "", ...brought] = handLines(match, hand);
    lines.push("In the last hand:", ...(hand.reason === "target" ? [] : [how]), ...brought);
  }
  return { title, lines };
}

/**
 * @param {Match} match
 * @param {number | null} winner
 * @param {"score" | "time" | "resignation"} reason
 */
function whyEnded(match, winner, reason) {
  const { rules, scores, clock } = match;
  if (reason === "score") {
    const reached = scores.filter(({ points }) => rules.target > 0 && points >= rules.target);
    const there = reached.map(({ team }) => teamOf(match, team));
    const hands = match.past_hands.length;
    const played = hands === 1 ? "It was a match of one hand" : `All ${hands} hands have been played`;
    const why = there.length ? `${listed(there)} reached ${rules.target}` : played;
    if (winner === null) return `${why}, and the best scores are equal.`;
    if (rules.scoring === "penalty") return `${why}. These are penalties: the lowest score wins.`;
    return there.length === 1 ? `${why}.` : `${why}. The highest score wins.`;
  }
  const late = clock?.seats.find(({ seconds_left }) => seconds_left <= 0)?.seat;
  const losers = scores.map(({ team }) => team).filter((team) => team !== winner);
  const loser = losers.length === 1 ? teamOf(match, losers[0] ?? 0) : "Somebody";
  const runner = late === undefined ? loser : nameOf(match, late);
  const why = reason === "time" ? `${runner} ran out of time` : `${loser} gave up`;
  if (scores.length === 2) return `${why}.`;
  return `${why}. ${winner === null ? "The best of the others are equal." : "The best of the others wins."}`;
}

/** @param {Match} match */
const finalScore = (match) => `Final score: ${scoreWords(match, match.scores)}.`;

/**
 * @param {Match} match
 * @param {Match["scores"]} scores
 */
function scoreWords(match, scores) {
  return teamsOf(match).map((team) => `${teamOf(match, team)} ${scores[team]?.points ?? 0}`).join(", ");
}

/**
 * @param {Match} match
 * @param {HandSummary | HandResult} result
 * @returns {Outcome}
 */
export function handOutcome(match, result) {
  const { number, winner, reason, scores } = result;
  const nobody = reason === "unfinished" ? `Hand ${number} was broken off` : `Hand ${number} is a tie`;
  const title = winner === null ? nobody : does(teamSubject(match, winner), `win hand ${number}`);
  return { title, lines: [...handLines(match, result), `Score: ${scoreWords(match, scores)}.`, goalWords(match)] };
}

/**
 * What score decides the match, and for whom.
 *
 * @param {Match} match
 */
export function goalWords({ rules: { target, scoring, most_hands } }) {
  const hands = most_hands || (target ? 0 : 1);
  const after = hands ? ` after ${hands === 1 ? "one hand" : `${hands} hands`}` : "";
  if (scoring === "points" && !after) return `${target} ${target === 1 ? "point wins" : "points win"} the match.`;
  const at = [target && ` when somebody has ${target}`, after].filter(Boolean).join(", or");
  const best = scoring === "penalty" ? "These are penalties: the lowest" : "The highest";
  return `The match ends${at}. ${best} score wins.`;
}

/**
 * How a hand ended and what it brought.
 *
 * @param {Match} match
 * @param {HandSummary | HandResult} result
 */
function handLines(match, result) {
  const lines = [howEnded(result, match), ...leftWords(match, result), ...broughtWords(match, result)];
  const { last_tile_factor } = match.rules;
  const times = last_tile_factor === 2 ? "doubled" : `multiplied by ${last_tile_factor}`;
  if (result.doubled) lines.push(`The last tile fitted both ends: going out was ${times}.`);
  if (result.bonus) lines.push(`A bonus of ${result.bonus} was part of what the hand was worth.`);
  if (wasReset(match, result)) lines.push("By the rules of this game all scores go back to 0.");
  return lines;
}

/**
 * @param {HandSummary | HandResult} result
 * @param {Match} match
 */
function howEnded(result, match) {
  const winner = result.winner === null ? null : teamSubject(match, result.winner);
  switch (result.reason) {
    case "domino": {
      const out = "leftover" in result ? result.leftover.find(({ tiles }) => tiles.length === 0) : undefined;
      return `${out ? nameOf(match, out.seat) : winner?.text} went out.`;
    }
    case "blocked":
      return `Nobody could play on: ${winner ? does(inside(winner), "win the block") : "the block is tied"}.`;
    case "target":
      return `${winner?.text} reached the target in play.`;
    case "unfinished":
      return "It was broken off.";
  }
}

/**
 * What was left in hand, where that decided who won or what it was worth.
 *
 * @param {Match} match
 * @param {HandSummary | HandResult} result
 */
function leftWords(match, result) {
  const { rules } = match;
  const matters = result.reason === "blocked" || (result.reason === "domino" && !rules.domino_points);
  if (!matters || !("leftover" in result)) return [];
  const byTiles = result.reason === "blocked" && rules.block_counts === "tiles";
  const left = result.leftover.filter(({ tiles }) => tiles.length);
  const words = left.map(({ seat, tiles, pips }) => `${within(nameOf(match, seat))} (${byTiles ? tiles.length : pips})`);
  return left.length ? [`${byTiles ? "Tiles" : "Pips"} left in hand: ${listed(words)}.`] : [];
}

/**
 * @param {Match} match
 * @param {HandSummary | HandResult} result
 */
function broughtWords(match, { play_points, end_points, winner, reason }) {
  const penalty = match.rules.scoring === "penalty";
  const lines = teamsOf(match).flatMap((team) => {
    const [play, end] = [play_points[team]?.points ?? 0, end_points[team]?.points ?? 0];
    if (!play && !end) return [];
    const parts = !play ? "" : end ? `: ${play} in play and ${end} at the end` : " in play";
    const who = teamSubject(match, team);
    return [`${penalty ? does(who, "were charged") : `${who.text} scored`} ${pointsWord(play + end)}${parts}.`];
  });
  if (lines.length || reason === "unfinished") return lines;
  return [penalty ? "Nobody was charged." : winner === null ? "Nobody scored." : "It brought no points."];
}

/**
 * Whether the rules set all scores back to 0 after the hand.
 *
 * @param {Match} match
 * @param {HandSummary | HandResult} result
 */
export function wasReset({ past_hands }, { number, scores, play_points, end_points }) {
  const before = past_hands.find((each) => each.number === number - 1)?.scores ?? [];
  const some = (/** @type {Match["scores"]} */ amounts) => amounts.some(({ points }) => points > 0);
  return !some(scores) && [before, play_points, end_points].some(some);
}
