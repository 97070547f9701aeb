// The tiles of the seat that looks: one button each. Those that may be played are raised and say which ends they fit.

import { make } from "./dom.js";
import { tile as face } from "./tiles.js";

/** @import { End, Match } from "./types.js" */

const ARROWS = /** @type {Record<string, number>} */ ({ ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 });

/**
 * The ends that each tile may be played at, by the legal moves; null stands for the first tile of a hand.
 *
 * @param {Match} match
 * @returns {Map<string, (End | null)[]>}
 */
export function playable(match) {
  /** @type {Map<string, (End | null)[]>} */
  const found = new Map();
  for (const move of match.hand?.legal_moves ?? [])
    if (move.type === "play") found.set(move.tile, [...(found.get(move.tile) ?? []), move.end ?? null]);
  return found;
}

/**
 * @param {{ onTile: (tile: string) => void }} actions
 */
export function hand({ onTile }) {
  const element = make("div", { id: "hand", class: "hand", role: "group", "aria-label": "Your tiles", keydown: move });
  let current = 0; // the tile that the Tab key leads to
  let wasReady = false;

  /** @param {KeyboardEvent} event */
  function move(event) {
    const count = element.children.length;
    const step = ARROWS[event.key];
    if (count === 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    if (step) current = (current + step + count) % count;
    else if (event.key === "Home") current = 0;
    else if (event.key === "End") current = count - 1;
    else return;
    event.preventDefault();
    mark();
    focus();
  }

  function mark() {
    for (const [index, tile] of [...element.children].entries())
      tile.setAttribute("tabindex", index === current ? "0" : "-1");
  }

  function focus() {
    const tile = element.children[current];
    if (tile instanceof HTMLElement) tile.focus();
  }

  /** Lead to the first tile that can be played, if there is any. */
  function focusPlayable() {
    const first = [...element.children].findIndex((tile) => tile.hasAttribute("data-playable"));
    current = first >= 0 ? first : Math.min(current, element.children.length - 1);
    mark();
    focus();
  }

  /**
   * @param {Match} match
   * @param {{ isReady: boolean, chosen: string | null }} how `chosen` is the tile whose end is still to be chosen.
   */
  function show(match, { isReady, chosen }) {
    const had = element.contains(document.activeElement);
    const before = [...element.children].map((tile) => tile.getAttribute("data-tile")).join();
    const tiles = match.seats[match.viewer.seat ?? -1]?.tiles ?? [];
    const fits = isReady ? playable(match) : new Map();
    element.replaceChildren(...tiles.map((tile) => tileButton(tile, fits.get(tile), isReady, tile === chosen)));
    element.hidden = tiles.length === 0;
    element.classList.toggle("choosing", fits.size > 0);
    current = Math.max(0, Math.min(current, tiles.length - 1));
    mark();
    const isBegun = isReady && !wasReady;
    wasReady = isReady;
    if (!had) return;
    if (isBegun || before !== tiles.join()) focusPlayable();
    else focus();
  }

  /**
   * @param {string} tile
   * @param {(End | null)[] | undefined} ends
   * @param {boolean} isReady
   * @param {boolean} isChosen
   */
  function tileButton(tile, ends, isReady, isChosen) {
    const where = ends?.map((end) => end ?? "first") ?? [];
    const label = ends ? `${tile}, ${fitting(where)}` : isReady ? `${tile}, does not fit` : tile;
    return make(
      "button",
      {
        type: "button",
        class: "hand-tile",
        "data-tile": tile,
        "data-playable": ends ? where.join(" ") : null,
        "aria-disabled": ends ? null : "true",
        "aria-pressed": isChosen ? "true" : null,
        "aria-label": label,
        click: () => onTile(tile),
      },
      face(tile),
      make("span", { class: "fits", "aria-hidden": "true" }, ends ? where.map(short).join(" ") : ""),
    );
  }

  return { element, show, focusPlayable };
}

/** @param {string[]} where */
function fitting(where) {
  return where[0] === "first" ? "can be played" : `fits ${where.join(" and ")}`;
}

const SHORT = /** @type {Record<string, string>} */ ({ left: "◀", right: "▶", up: "▲", down: "▼", first: "●" });

/** @param {string} end */
function short(end) {
  return SHORT[end] ?? end;
}
