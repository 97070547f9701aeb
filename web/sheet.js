// The scores, and the score sheet of the hands that have ended.

import { make } from "./dom.js";
import { goalWords, teamOf, teamsOf, wasReset } from "./words.js";

/** @import { HandSummary, Match } from "./types.js" */

export function sheet() {
  const scores = make("ul", { class: "scores" });
  const goal = make("p", { class: "note" });
  const legend = make("p", { class: "note" });
  const hands = make("div", { class: "scroll", role: "region", "aria-label": "Score sheet", tabindex: 0 });
  const element = make("section", { class: "card panel" }, make("h2", {}, "Scores"), scores, goal, hands, legend);
  let drawn = "";

  /** @param {Match} match */
  const show = (match) => {
    const { length } = match.past_hands;
    const now = JSON.stringify([match.scores, match.seats.map(({ kind, name }) => [kind, name]), length]);
    if (now === drawn) return; // so that the place where somebody reads is kept
    drawn = now;
    scores.classList.toggle("many", match.scores.length > 4);
    scores.classList.toggle("penalty", match.rules.scoring === "penalty");
    scores.replaceChildren(...teamsOf(match).map((team) => score(match, team)));
    goal.textContent = goalWords(match);
    const gain = hasPlayPoints(match) ? "points in play + points at its end" : "its points";
    legend.textContent = length ? `Each hand: ${gain}, and the score after it. ★ won the hand.` : "";
    hands.hidden = length === 0;
    hands.replaceChildren(handsTable(match));
    hands.scrollTop = 0;
  };
  return { element, show };
}

/**
 * @param {Match} match
 * @param {number} team
 */
function score(match, team) {
  const points = match.scores[team]?.points ?? 0;
  const most = match.rules.target || Math.max(1, ...match.scores.map((each) => each.points));
  const bar = make("span", { class: "score-bar", "aria-hidden": "true" });
  bar.style.setProperty("--share", String(Math.min(1, points / most)));
  const of = match.rules.target ? make("small", {}, ` of ${match.rules.target}`) : null;
  return make("li", {}, make("span", { class: "score-team" }, teamOf(match, team)), make("b", {}, points, of), bar);
}

/** @param {Match} match Whether its hands have had points in play. */
const hasPlayPoints = ({ past_hands }) =>
  past_hands.some(({ play_points }) => play_points.some(({ points }) => points > 0));

/** @param {Match} match The newest hand first. */
function handsTable(match) {
  const teams = teamsOf(match);
  const inPlay = hasPlayPoints(match);
  const heads = teams.map((team) => make("th", { scope: "col" }, make("span", {}, teamOf(match, team))));
  const rows = match.past_hands.map((hand) => {
    const how = make("th", { scope: "row" }, make("b", {}, hand.number), " ", make("span", {}, howWords(match, hand)));
    return make("tr", {}, how, ...teams.map((team) => gained(hand, team, inPlay)));
  });
  return make(
    "table",
    {},
    make("caption", { class: "hidden" }, "Past hands, the newest first"),
    make("thead", {}, make("tr", {}, make("th", { scope: "col" }, "Hand"), ...heads)),
    make("tbody", {}, ...rows.reverse()),
  );
}

/**
 * @param {HandSummary} hand
 * @param {number} team
 * @param {boolean} inPlay Whether the game has points in play at all.
 */
function gained(hand, team, inPlay) {
  const [play, end, total] = [hand.play_points, hand.end_points, hand.scores].map((each) => each[team]?.points ?? 0);
  const hidden = (/** @type {string} */ text) => make("span", { class: "hidden" }, text);
  const parts = inPlay ? [play, hidden(" in play"), " + ", end, hidden(" at the end,")] : [`+${end}`, hidden(",")];
  const won = hand.winner === team && [make("span", { "aria-hidden": "true" }, "★ "), hidden(" won the hand,")];
  const gain = play || end ? make("small", {}, ...parts) : null;
  return make("td", {}, gain, ...(won || []), hidden(" score "), make("b", {}, total));
}

/**
 * @param {Match} match
 * @param {HandSummary} hand
 */
function howWords(match, hand) {
  const how = { domino: "went out", blocked: "blocked", target: "target reached", unfinished: "broken off" };
  const more = [hand.doubled && `×${match.rules.last_tile_factor}`, hand.bonus && `bonus ${hand.bonus}`];
  const tie = hand.reason === "blocked" && hand.winner === null;
  const words = [how[hand.reason], tie && "a tie", ...more, wasReset(match, hand) && "all back to 0"];
  return words.filter(Boolean).join(", ");
}
