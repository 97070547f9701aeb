// What each move is worth, on request.

import { button, make } from "./dom.js";
import { messageOf } from "./service.js";
import { costWord, moveWords, nameOf, percent, signed, within } from "./words.js";

/** @import { Hint, Match, Move } from "./types.js" */

const EXPLAINED =
  "Averages over many ways in which the hidden tiles may lie: your chance to win the hand, how many more points it " +
  "still brings to you than to others, and what the move costs against the best one, which brings most points.";

/** @param {{ ask: () => Promise<Hint>, onChoose: (move: Move) => void }} actions */
export function hints({ ask, onChoose }) {
  const label = make("span", {}, "Hint");
  const key = make("kbd", { "aria-hidden": "true" }, "H");
  const asker = button(label, () => void open(), { id: "hint", "aria-keyshortcuts": "h" });
  asker.append(key);
  const told = make("div", { class: "hint-moves", "aria-live": "polite" });
  const element = make("section", { class: "card panel hints", "aria-label": "Hint" }, asker, told);
  /** @type {Match | null} */
  let shown = null;
  let asking = false;

  const open = async () => {
    const match = shown;
    if (!match || asking) return;
    asking = true;
    label.textContent = "Weighing your moves …";
    const draw = (/** @type {Node[]} */ ...nodes) => shown?.version === match.version && told.replaceChildren(...nodes);
    try {
      const hint = await ask();
      if (hint.version === match.version) draw(...drawn(hint, match, onChoose));
    } catch (error) {
      draw(make("p", { class: "trouble" }, messageOf(error)));
    } finally {
      asking = false;
      label.textContent = "Hint";
    }
  };

  /**
   * @param {Match} match
   * @param {boolean} isReady Whether the match is where it is shown.
   */
  const show = (match, isReady) => {
    const { hand, viewer, version, status } = match;
    if (version !== shown?.version) told.replaceChildren();
    shown = match;
    const isAsked = status === "playing" && viewer.seat !== null && hand?.turn === viewer.seat;
    element.hidden = !match.hints || viewer.seat === null || status === "finished" || status === "cancelled";
    asker.disabled = !isReady || !isAsked || hand.legal_moves.length < 2;
  };
  element.hidden = true;
  return { element, show };
}

/**
 * @param {Hint} hint
 * @param {Match} match
 * @param {(move: Move) => void} onChoose
 */
function drawn({ moves }, match, onChoose) {
  const items = moves.map(({ move, win, points, cost, why }) =>
    make(
      "li",
      { class: cost === 0 ? "best" : null },
      make("h2", {}, moveWords(move), cost === 0 && make("span", { class: "badge" }, "★ best")),
      make(
        "dl",
        {},
        fact("Chance to win", percent(win)),
        fact("Points ahead", signed(points)),
        fact("Cost", cost === 0 ? "none" : costWord(cost)),
      ),
      make("p", {}, named(why, match)),
      button("Play", () => onChoose(move), { "aria-label": `Play ${moveWords(move)}` }),
    ),
  );
  return [make("ol", {}, ...items), make("p", { class: "note" }, EXPLAINED)];
}

/**
 * @param {string} term
 * @param {string} value
 */
const fact = (term, value) => make("div", {}, make("dt", {}, term), make("dd", {}, value));

/**
 * The service speaks of seats by their numbers, the page by their names.
 *
 * @param {string} why
 * @param {Match} match
 */
const named = (why, match) => why.replace(/\bseat (\d)\b/g, (_, seat) => within(nameOf(match, Number(seat))));
