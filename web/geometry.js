// Where the tiles of a layout lie: pure, and in whole numbers. A half-tile is 2 by 2, and 0, 0 is the middle of the
// spinner, or of the opening tile while there is no spinner.
//
// A line goes along a row until the next tile would pass the felt's edge. That tile goes off at a right angle from the
// side of the last one's outer half, and the one after it back the other way, from its end: so rows are at least 6
// apart, and doubles, which lie across and at most 2 beyond the edge, never touch those of the next row. The right arm
// folds down and the left one up, over the whole width; where a spinner may have arms too, each has a quarter of it.

/** @import { End, Layout } from "./types.js" */

/**
 * What there is room for: `reach` to the left and to the right of the middle, `depth` above and below it before a
 * spinner's arms bend; `quadrants` says whether the rules have a spinner.
 *
 * @typedef {{ reach: number, depth: number, quadrants: boolean }} Felt
 */

/**
 * A tile that lies: `end` is the side of the middle that it is on, null for the tile in the middle. Of the halves the
 * first is the inner one; in the middle, the left or the upper one. A `double` lies across its line.
 *
 * @typedef {{ x: number, y: number, number: number }} Half
 * @typedef {{ tile: string, end: End | null, double: boolean, halves: [Half, Half], x: number, y: number,
 *   width: number, height: number }} Placement
 */

/**
 * Where a line goes on: `x`, `y` is the middle of the edge that the next tile touches, `half` is half as long as that
 * edge, `row` the direction of this row or else of the next, `fold` where rows fold to, `room` how far a tile may go;
 * rows go from `low` to `high`.
 *
 * @typedef {{ x: number, y: number, row: number, fold: number, column: boolean, room: number, half: number,
 *   low: number, high: number }} Cursor
 */

/** @typedef {{ tile: string, inner: number, outer: number }} Laid A tile with the half that lies inwards. */

const LENGTH = 4;
const GAP = 6; // how far the rows of a quarter stay away from the arm in the middle
const LEAST_REACH = 8;
const LEAST_QUARTER = 12;
const LEAST_DEPTH = 8;

/**
 * Where all tiles of a layout lie, its `spots` (for each open end the middle of the half that would touch it next), and
 * where a tile would lie `next` at an open end or, with the end null, in the middle of an empty felt.
 *
 * @param {Layout} layout
 * @param {Felt} felt
 */
export function arrange(layout, felt) {
  const middle = anchor(layout);
  const lines = linesOf(layout);
  const across = middle !== null && middle.inner === middle.outer;
  /** @type {Placement[]} */
  const tiles = middle ? [atMiddle(middle)] : [];
  /** @type {Map<End, Cursor>} */
  const cursors = new Map();
  for (const end of /** @type {const} */ (["left", "right", "up", "down"])) {
    let cursor = start(end, across, felt);
    for (const laid of lines[end]) {
      const placed = lay(cursor, laid, end);
      tiles.push(placed.placement);
      cursor = placed.cursor;
    }
    cursors.set(end, cursor);
  }
  /** @type {Map<End, Half>} */
  const spots = new Map();
  for (const { end, value } of layout.ends) spots.set(end, at(end, { tile: "", inner: value, outer: -1 }).halves[0]);

  /**
   * @param {End} end
   * @param {Laid} laid
   */
  function at(end, laid) {
    return lay(/** @type {Cursor} */ (cursors.get(end)), laid, end).placement;
  }

  /**
   * @param {End | null} end
   * @param {string} tile
   * @returns {Placement}
   */
  function next(end, tile) {
    const [high, low] = numbers(tile);
    if (end === null) return atMiddle({ tile, inner: high, outer: low });
    const asked = layout.ends.find((each) => each.end === end)?.value;
    const inner = asked === high ? high : low; // a wild tile that does not fit lies with its lower half inwards
    return at(end, { tile, inner, outer: high + low - inner });
  }

  const squares = [...spots.values()].map(({ x, y }) => square(x, y));
  return { tiles, spots, next, box: around([...tiles, ...squares]) };
}

/**
 * The smallest rectangle around others; that of a tile in the middle where there are none.
 *
 * @param {{ x: number, y: number, width: number, height: number }[]} all
 */
export function around(all) {
  if (all.length === 0) return { x: -2, y: -2, width: 4, height: 4 };
  const x = Math.min(...all.map((each) => each.x));
  const y = Math.min(...all.map((each) => each.y));
  const right = Math.max(...all.map((each) => each.x + each.width));
  const bottom = Math.max(...all.map((each) => each.y + each.height));
  return { x, y, width: right - x, height: bottom - y };
}

/**
 * The two numbers of a tile, the high one first.
 *
 * @param {string} tile
 */
export function numbers(tile) {
  const [high = 0, low = 0] = tile.split("-").map(Number);
  return /** @type {[number, number]} */ ([high, low]);
}

/** @param {Layout} layout */
function anchor({ opening, spinner }) {
  if (!opening) return null;
  if (!spinner) return { tile: opening.tile, inner: opening.left, outer: opening.right };
  const [inner, outer] = numbers(spinner);
  return { tile: spinner, inner, outer };
}

/**
 * The tiles on each side of the one in the middle, ordered outwards. A spinner that is not the opening tile divides the
 * line anew.
 *
 * @param {Layout} layout
 * @returns {Record<End, Laid[]>}
 */
function linesOf({ opening, spinner, arms }) {
  const arm = (/** @type {End} */ end) => arms.find((each) => each.end === end)?.tiles ?? [];
  /** @type {Record<End, Laid[]>} */
  const lines = { left: [...arm("left")], right: [...arm("right")], up: arm("up"), down: arm("down") };
  if (!opening || !spinner || spinner === opening.tile) return lines;
  const near = lines.left.some(({ tile }) => tile === spinner) ? "left" : "right";
  const far = near === "left" ? "right" : "left";
  const place = lines[near].findIndex(({ tile }) => tile === spinner);
  const back = lines[near].slice(0, place).reverse();
  const turned = back.map(({ tile, inner, outer }) => ({ tile, inner: outer, outer: inner }));
  const first = { tile: opening.tile, inner: opening[near], outer: opening[far] };
  return { ...lines, [near]: lines[near].slice(place + 1), [far]: [...turned, first, ...lines[far]] };
}

/**
 * @param {End} end
 * @param {boolean} across
 * @param {Felt} felt
 * @returns {Cursor}
 */
function start(end, across, { reach, depth, quadrants }) {
  const edge = Math.max(reach, quadrants ? LEAST_QUARTER : LEAST_REACH);
  const onLeft = end === "left" || end === "down";
  const low = quadrants && !onLeft ? GAP : -edge;
  const high = quadrants && onLeft ? -GAP : edge;
  const row = end === "right" || end === "up" ? 1 : -1;
  const fold = end === "right" || end === "down" ? 1 : -1;
  if (end === "left" || end === "right") {
    const from = across ? 1 : 2;
    return { x: row * from, y: 0, row, fold, column: false, room: edge - from, half: across ? 2 : 1, low, high };
  }
  return { x: 0, y: 2 * fold, row, fold, column: true, room: Math.max(depth, LEAST_DEPTH) - 2, half: 1, low, high };
}

/**
 * Lay a tile where a line goes on.
 *
 * @param {Cursor} cursor
 * @param {Laid} laid
 * @param {End} end
 * @returns {{ placement: Placement, cursor: Cursor }}
 */
function lay(cursor, laid, end) {
  const { x, y, row, fold, room, half } = cursor;
  const double = laid.inner === laid.outer && room >= 0;
  const turns = !double && room < LENGTH;
  const column = cursor.column !== turns;
  const from = { x: turns ? x - row : x, y: turns ? y + fold * (column ? half : 1) : y };
  const [dx, dy] = column ? [0, fold] : [row, 0];
  const length = double ? 2 : LENGTH;
  const to = { x: from.x + length * dx, y: from.y + length * dy };
  const onwards = turns && column ? -row : row;
  const left = turns ? (column ? 0 : ((row > 0 ? cursor.high : cursor.low) - to.x) * row) : room - length;
  return {
    placement: placed(laid, end, double, from, dx, dy),
    cursor: { ...cursor, ...to, row: onwards, column, room: left, half: double ? 2 : 1 },
  };
}

/**
 * @param {Laid} laid
 * @param {End | null} end
 * @param {boolean} double
 * @param {{ x: number, y: number }} from The middle of the edge that it begins at.
 * @param {number} dx
 * @param {number} dy
 * @returns {Placement}
 */
function placed({ tile, inner, outer }, end, double, from, dx, dy) {
  const [x, y] = [from.x + dx, from.y + dy];
  const one = double ? { x: x - Math.abs(dy), y: y - Math.abs(dx) } : { x, y };
  const other = double ? { x: x + Math.abs(dy), y: y + Math.abs(dx) } : { x: x + 2 * dx, y: y + 2 * dy };
  const box = around([square(one.x, one.y), square(other.x, other.y)]);
  return { tile, end, double, halves: [{ ...one, number: inner }, { ...other, number: outer }], ...box };
}

/** @param {Laid} laid */
function atMiddle(laid) {
  const double = laid.inner === laid.outer;
  return placed(laid, null, double, { x: double ? -1 : -2, y: 0 }, 1, 0);
}

/**
 * @param {number} x
 * @param {number} y
 */
function square(x, y) {
  return { x: x - 1, y: y - 1, width: 2, height: 2 };
}
