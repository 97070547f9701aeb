// The tiles that nobody holds. While its viewer may draw, each is a button: draw the one that you like.

import { button, make } from "./dom.js";
import { tile as face } from "./tiles.js";

/** @import { Match } from "./types.js" */

/**
 * @param {{ onDraw: (position: number) => void }} actions
 */
export function boneyard({ onDraw }) {
  const count = make("span", { class: "boneyard-count" });
  const tiles = make("div", { class: "boneyard-tiles" });
  const element = make("section", { id: "boneyard", class: "boneyard", "aria-label": "Boneyard" }, count, tiles);

  /**
   * @param {Match} match
   * @param {boolean} isReady
   */
  function show(match, isReady) {
    const { hand, rules } = match;
    const left = hand?.result?.boneyard ?? null;
    const number = left?.length ?? hand?.boneyard_count ?? 0;
    const mayDraw = isReady && (hand?.legal_moves.some(({ type }) => type === "draw") ?? false);
    element.hidden = number === 0;
    element.classList.toggle("open", mayDraw);
    element.classList.toggle("shown", left !== null);
    const kept = rules.drawing === "never" ? number : Math.min(number, rules.boneyard_reserve);
    count.textContent = `Boneyard ${number}${kept && kept < number ? ` (${kept} stay)` : ""}`;
    tiles.replaceChildren(
      ...(left ?? Array.from({ length: number }, () => null)).map((tile, position) =>
        mayDraw ? drawable(position) : face(tile),
      ),
    );
  }

  /** @param {number} position Out of the Tab order: from the keyboard, the button to draw is quicker. */
  function drawable(position) {
    const label = `Draw tile ${position + 1}`;
    return button(face(null), () => onDraw(position), { "data-position": position, "aria-label": label, tabindex: -1 });
  }

  return { element, show };
}
