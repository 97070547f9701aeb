// What became of the choices in a finished match, a hand at a time.

import { button, make } from "./dom.js";
import { messageOf } from "./service.js";
import { costWord, moveWords, nameOf, percent, said } from "./words.js";

/** @import { Event, HandReview, Match } from "./types.js" */

/** @param {{ ask: (hand: number) => Promise<HandReview>, events: Event[] }} given */
export function review({ ask, events }) {
  const which = make("select", { id: "review-hand" });
  const asker = button("Review this hand", () => void open(), { id: "review" });
  const progress = make("p", { class: "note", role: "status" });
  const told = make("div", { class: "reviewed" });
  const pick = make("div", { class: "review-pick" }, make("label", { for: "review-hand" }, "Hand"), which, asker);
  const element = make("section", { class: "card panel review" }, make("h2", {}, "Review"), pick, progress, told);
  /** @type {Match | null} */
  let shown = null;
  let wanted = 0;
  /** @type {Map<number, HandReview>} */
  const known = new Map();

  const open = async () => {
    const match = shown;
    const number = Number(which.value);
    if (!match) return;
    wanted = number;
    if (!known.has(number)) progress.textContent = `Going through hand ${number}: this takes a second or so …`;
    try {
      const found = known.get(number) ?? (await ask(number));
      known.set(number, found);
      if (wanted !== number) return; // another one has been picked meanwhile
      progress.textContent = `Hand ${number}: by what each seat could know when it chose.`;
      told.replaceChildren(...drawn(found, match, events));
    } catch (error) {
      if (wanted === number) progress.textContent = messageOf(error);
    }
  };

  /** @param {Match} match */
  const show = (match) => {
    const before = shown;
    shown = match;
    element.hidden = match.status !== "finished" || match.past_hands.length === 0;
    if (element.hidden || before?.version === match.version) return;
    const numbers = match.past_hands.map(({ number }) => number);
    which.replaceChildren(...numbers.map((number) => make("option", { value: number }, number)));
    which.value = String(numbers.at(-1));
  };
  element.hidden = true;
  return { element, show };
}

/**
 * @param {HandReview} review
 * @param {Match} match
 * @param {Event[]} events
 */
function drawn({ hand, seats, moves, turning_point: turning }, match, events) {
  const plays = events.filter((event) => event.hand === hand && event.type === "tile_played");
  const numberOf = (/** @type {number} */ seq) => plays.findIndex((event) => event.seq === seq) + 1;
  const sums = seats.map(({ seat, choices, best_choices, cost }) => {
    const cells = [choices, best_choices, costWord(cost)].map((each) => make("td", {}, each));
    return make("tr", {}, make("th", { scope: "row" }, nameOf(match, seat)), ...cells);
  });
  const heads = ["Seat", "Choices", "Best", "Cost"].map((head) => make("th", { scope: "col" }, head));
  const items = moves.map(({ seq, seat, move, best, cost, win, best_win }) =>
    make(
      "li",
      { class: cost === 0 ? "best" : null },
      make("b", {}, `${numberOf(seq) || seq}. ${nameOf(match, seat)}: ${moveWords(move)}`),
      seq === turning?.seq && make("span", { class: "badge" }, "↗ turning point"),
      make(
        "span",
        { class: "judged" },
        cost === 0
          ? `★ The best. Chance to win: ${percent(win)}.`
          : `Best: ${moveWords(best)}. Cost ${costWord(cost)}; chance to win ${chances(win, best_win)}.`,
      ),
    ),
  );
  return [
    make(
      "table",
      {},
      make("caption", {}, "Choices: plays where a seat had several. Cost: points that they lost against the best, the one that brings most on average."),
      make("thead", {}, make("tr", {}, ...heads)),
      make("tbody", {}, ...sums),
    ),
    turning ? turned(turning, match, events) : make("p", {}, "No play turned this hand."),
    moves.length ? make("ol", {}, ...items) : make("p", {}, "Nobody had a choice in it."),
  ];
}

/**
 * @param {number} win
 * @param {number} best
 */
function chances(win, best) {
  return percent(win) === percent(best) ? `${percent(win)} all the same` : `${percent(win)}, not ${percent(best)}`;
}

/**
 * @param {NonNullable<HandReview["turning_point"]>} turning
 * @param {Match} match
 * @param {Event[]} events
 */
function turned({ seq, before, after }, match, events) {
  const event = events.find((each) => each.seq === seq);
  const chance = `With it, the chance to win the hand rose from ${percent(before)} to ${percent(after)}.`;
  const sentence = (event && said(event, match)) ?? "";
  return make("p", { class: "turning" }, make("b", {}, "↗ Turning point: "), sentence, " ", chance);
}
