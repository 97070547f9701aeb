// The felt: the line of play, where a chosen tile may go, and the view of it, which can be moved and zoomed.

import { button, draw, make } from "./dom.js";
import { around, arrange } from "./geometry.js";
import { tileCount } from "./setup.js";
import { face } from "./tiles.js";
import { countMatters } from "./words.js";

/** @import { End, Layout, Match } from "./types.js" */
/** @import { Placement } from "./geometry.js" */
/** @typedef {{ x: number, y: number, scale: number }} View The middle of what is seen, and pixels per unit. */
/** @typedef {{ tile: string, ends: End[] }} Chosen */

const SLACK = 2; // units of room that a fit leaves on each side, lest every tile make another fit
const BAR = 44; // pixels, for what stands in the corners
const LARGEST = 26; // pixels per unit: a tile is 2 by 4 units
const SMALLEST = 3;
const DRAGGED = 5; // pixels; less than that is a click
const SIDES = { left: "on the left", right: "on the right", up: "above", down: "below" };
const CALM = matchMedia("(prefers-reduced-motion: reduce)");

/**
 * `onEnd` is told the end that was chosen for the tile; null opens the line.
 *
 * @param {{ onEnd: (end: End | null) => void }} actions
 */
export function felt({ onEnd }) {
  const line = draw("g", { role: "img" });
  const ghosts = draw("g");
  const board = draw("svg", { class: "felt-board", role: "group", "aria-label": "The felt" }, line, ghosts);
  const words = make("p", { class: "felt-words", "aria-hidden": "true" });
  const count = make("p", { class: "felt-count" });
  const controls = make(
    "div",
    { class: "felt-zoom", role: "group", "aria-label": "View of the felt: arrow keys move it", keydown: onKey },
    button("+", () => zoom(1.25), { "aria-label": "Zoom in" }),
    button("−", () => zoom(0.8), { "aria-label": "Zoom out" }),
    button("⤢", () => fit(), { "aria-label": "Show the whole line" }),
  );
  const element = make("div", { class: "felt", tabindex: -1 }, board, words, count, controls);

  /** @type {View} */
  let view = { x: 0, y: 0, scale: LARGEST };
  /** @type {Match | null} */
  let match = null;
  /** @type {Chosen | null} */
  let chosen = null;
  let box = around([]);
  let drawn = "";
  let isMoved = false; // by the reader, whose view is left alone then
  /** @type {Set<string>} */
  let lying = new Set();
  let frame = 0;

  /**
   * @param {Match} shown
   * @param {Chosen | null} tile The tile that the reader has chosen, with the ends that it may be played at.
   */
  function show(shown, tile) {
    const isOther = shown.id !== match?.id || shown.hand?.number !== match?.hand?.number;
    [match, chosen] = [shown, tile];
    if (isOther) [isMoved, lying, drawn] = [false, new Set(), ""];
    redraw();
    if (isOther) fit(true);
  }

  function redraw() {
    if (!match) return;
    const layout = match.hand?.layout ?? null;
    words.textContent = layout?.opening ? "" : layout ? "No tile has been played." : "No tiles have been dealt yet.";
    line.setAttribute("aria-label", layout?.text || words.textContent || "The line of play");
    if (!layout) {
      line.replaceChildren();
      ghosts.replaceChildren();
      count.textContent = drawn = "";
      return;
    }
    const arranged = arrange(layout, sizeOf(match, element));
    showCount(match, layout);
    showLine(layout, arranged);
    const shown = showGhosts(layout, arranged);
    box = around([arranged.box, ...shown]);
    if (!isMoved && !isSeen()) fit();
  }

  /**
   * @param {Match} played
   * @param {Layout} layout
   */
  function showCount(played, layout) {
    count.textContent = countMatters(played) && layout.opening ? `Count ${layout.count}` : "";
    const scores = layout.count > 0 && played.rules.scored_multiples.some((each) => layout.count % each === 0);
    count.classList.toggle("felt-scores", scores);
  }

  /**
   * @param {Layout} layout
   * @param {ReturnType<typeof arrange>} arranged
   */
  function showLine(layout, { tiles, spots }) {
    const wanted = JSON.stringify([tiles, [...spots], layout.ends]);
    if (wanted === drawn) return;
    drawn = wanted;
    const isFirst = lying.size === 0 && tiles.length > 1;
    line.replaceChildren(
      ...tiles.map((each) => {
        const kinds = ["tile"];
        if (!isFirst && !lying.has(each.tile)) kinds.push("tile-new");
        if (each.tile === layout.spinner) kinds.push("tile-spinner");
        return draw("g", { class: kinds.join(" ") }, ...face(each, each.halves));
      }),
      ...layout.ends.map(({ end, value, double_only }) => {
        const { x, y } = /** @type {{ x: number, y: number }} */ (spots.get(end));
        const text = double_only ? `${value}-${value}` : value;
        const kind = double_only || value > 9 ? "felt-end felt-end-long" : "felt-end";
        return draw(
          "g",
          { class: kind, "data-end": end },
          draw("circle", { cx: x, cy: y, r: 0.8 }),
          draw("text", { x, y }, text),
        );
      }),
    );
    lying = new Set(tiles.map((each) => each.tile));
  }

  /**
   * @param {Layout} layout
   * @param {ReturnType<typeof arrange>} arranged
   */
  function showGhosts(layout, { next }) {
    const focused = ghosts.contains(document.activeElement) ? document.activeElement?.getAttribute("data-end") : null;
    /** @type {(End | null)[]} */
    const ends = chosen ? (layout.opening ? chosen.ends : [null]) : [];
    const placed = ends.map((end) => /** @type {const} */ ([end, next(end, chosen?.tile ?? "")]));
    ghosts.replaceChildren(...placed.map(([end, placement]) => ghost(layout, end, placement)));
    for (const mark of line.querySelectorAll(".felt-end")) {
      const end = /** @type {End} */ (mark.getAttribute("data-end"));
      mark.classList.toggle("felt-taken", ends.includes(end));
    }
    if (focused !== null && focused !== undefined) {
      const again = ghosts.querySelector(`[data-end="${focused}"]`);
      (again instanceof SVGElement ? again : element).focus();
    }
    return placed.map(([, placement]) => placement);
  }

  /**
   * @param {Layout} layout
   * @param {End | null} end
   * @param {Placement} placement
   */
  function ghost(layout, end, placement) {
    const asked = layout.ends.find((each) => each.end === end)?.value;
    const label = end ? `Play ${placement.tile} ${SIDES[end]}, at ${asked}` : `Play ${placement.tile}`;
    const { x, y, width, height } = placement;
    return draw(
      "g",
      {
        class: "tile felt-ghost",
        role: "button",
        tabindex: 0,
        "aria-label": label,
        "data-end": end ?? "",
        click: () => onEnd(end),
        focus: (/** @type {Event & { currentTarget: Element }} */ event) => {
          if (event.currentTarget.matches(":focus-visible") && !isSeen()) fit();
        },
        keydown: (/** @type {KeyboardEvent} */ event) => {
          if (event.key !== "Enter" && event.key !== " ") return;
          event.preventDefault();
          onEnd(end);
        },
      },
      draw("title", {}, label),
      draw("rect", { class: "felt-target", x: x - 0.8, y: y - 0.8, width: width + 1.6, height: height + 1.6 }),
      ...face(placement, placement.halves),
      draw("rect", { class: "felt-ring", x: x + 0.1, y: y + 0.1, width: width - 0.2, height: height - 0.2, rx: 0.3 }),
    );
  }

  function size() {
    return { width: element.clientWidth || 1, height: element.clientHeight || 1 };
  }

  /** What is left of the height, in pixels, beside what stands above and below. */
  function free() {
    const above = count.textContent ? BAR : 0;
    return { above, below: BAR, high: Math.max(1, size().height - above - BAR) };
  }

  /** Whether all of the line is in view. */
  function isSeen() {
    const { width, height } = size();
    const { above, below } = free();
    return (
      box.x > view.x - width / 2 / view.scale &&
      box.x + box.width < view.x + width / 2 / view.scale &&
      box.y > view.y - (height / 2 - above) / view.scale &&
      box.y + box.height < view.y + (height / 2 - below) / view.scale
    );
  }

  /**
   * Show the whole line, as large as it may be.
   *
   * @param {boolean} [atOnce]
   */
  function fit(atOnce = false) {
    const { width } = size();
    const { above, below, high } = free();
    const scale = Math.min(LARGEST, width / 18, width / (box.width + 2 * SLACK), high / (box.height + 2 * SLACK));
    isMoved = false;
    go({ x: box.x + box.width / 2, y: box.y + box.height / 2 + (below - above) / 2 / scale, scale }, atOnce);
  }

  /**
   * Look somewhere else, at once or within a moment.
   *
   * @param {View} to
   * @param {boolean} [atOnce]
   */
  function go(to, atOnce = false) {
    cancelAnimationFrame(frame);
    const from = view;
    const began = performance.now();
    const step = (/** @type {number} */ now) => {
      const part = atOnce || CALM.matches ? 1 : Math.min(1, Math.max(0, (now - began) / 250));
      const eased = part * (2 - part);
      const between = (/** @type {"x" | "y" | "scale"} */ name) => from[name] + (to[name] - from[name]) * eased;
      view = { x: between("x"), y: between("y"), scale: between("scale") };
      look();
      if (part < 1) frame = requestAnimationFrame(step);
    };
    step(began);
  }

  function look() {
    const { width, height } = size();
    const [wide, high] = [width / view.scale, height / view.scale];
    board.setAttribute("viewBox", `${view.x - wide / 2} ${view.y - high / 2} ${wide} ${high}`);
  }

  /**
   * Zoom around a point of the screen, or around the middle.
   *
   * @param {number} factor
   * @param {{ clientX: number, clientY: number }} [point]
   */
  function zoom(factor, point) {
    const { left, top, width, height } = element.getBoundingClientRect();
    const [px, py] = point ? [point.clientX - left - width / 2, point.clientY - top - height / 2] : [0, 0];
    const scale = Math.min(3 * LARGEST, Math.max(SMALLEST, view.scale * factor));
    const shift = 1 / view.scale - 1 / scale;
    move({ x: view.x + px * shift, y: view.y + py * shift, scale }, !point);
  }

  /**
   * @param {View} to
   * @param {boolean} [slowly]
   */
  function move(to, slowly = false) {
    isMoved = true;
    const [x, y] = [within(to.x, box.x, box.width), within(to.y, box.y, box.height)];
    go({ x, y, scale: to.scale }, !slowly);
  }

  /** @param {KeyboardEvent} event */
  function onKey(event) {
    const step = 60 / view.scale;
    const to = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] }[event.key];
    if (!to) return;
    event.preventDefault();
    move({ x: view.x + (to[0] ?? 0), y: view.y + (to[1] ?? 0), scale: view.scale });
  }

  /** @type {Map<number, PointerEvent>} */
  const held = new Map();
  let travelled = 0;

  board.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    if (held.size === 0) travelled = 0;
    held.set(event.pointerId, event);
  });
  board.addEventListener("pointermove", (event) => {
    const before = held.get(event.pointerId);
    if (!before) return;
    const [dx, dy] = [event.clientX - before.clientX, event.clientY - before.clientY];
    const other = [...held.values()].find(({ pointerId }) => pointerId !== event.pointerId);
    travelled += Math.hypot(dx, dy);
    if (travelled < DRAGGED) return;
    board.setPointerCapture(event.pointerId);
    held.set(event.pointerId, event);
    const share = held.size > 1 ? 2 : 1; // of two fingers, each moves the middle by half
    move({ ...view, x: view.x - dx / view.scale / share, y: view.y - dy / view.scale / share });
    if (other) zoom(apart(event, other) / (apart(before, other) || 1), between(event, other));
  });
  for (const over of /** @type {const} */ (["pointerup", "pointercancel"]))
    board.addEventListener(over, (event) => {
      held.delete(event.pointerId);
      setTimeout(() => (travelled = 0)); // once the click that ends a drag has been stopped
    });
  board.addEventListener("pointerleave", (event) => held.delete(event.pointerId)); // but for what is captured
  board.addEventListener("click", (event) => travelled >= DRAGGED && event.stopPropagation(), true);
  board.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      const pixels = event.deltaMode === 1 ? event.deltaY * 20 : event.deltaY;
      zoom(Math.exp(-Math.min(100, Math.max(-100, pixels)) / 400), event);
    },
    { passive: false },
  );
  new ResizeObserver(() => {
    redraw();
    if (isMoved) look();
    else fit(true);
  }).observe(element);

  return { element, show, fit };
}

/**
 * How far rows go, so that a whole set of tiles fills the felt well in the form that it has.
 *
 * @param {Match} match
 * @param {HTMLElement} element
 */
function sizeOf({ rules }, { clientWidth, clientHeight }) {
  const quadrants = rules.spinner !== "none";
  const form = Math.min(4, Math.max(0.4, (clientWidth || 1) / (clientHeight || 1)));
  const spread = quadrants ? 1.4 : 1; // quarters are never all full
  const reach = Math.round(Math.sqrt(6 * tileCount(rules) * form) * spread);
  return { reach, depth: Math.round(reach / form / 2), quadrants };
}

/**
 * @param {number} value
 * @param {number} low
 * @param {number} length
 */
function within(value, low, length) {
  return Math.min(low + length, Math.max(low, value));
}

/**
 * @param {PointerEvent} one
 * @param {PointerEvent} other
 */
function apart(one, other) {
  return Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
}

/**
 * @param {PointerEvent} one
 * @param {PointerEvent} other
 */
function between(one, other) {
  return { clientX: (one.clientX + other.clientX) / 2, clientY: (one.clientY + other.clientY) / 2 };
}
