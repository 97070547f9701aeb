// What tiles look like. A half is 2 by 2, as in geometry.js. Colours come from the page's custom properties.

import { draw } from "./dom.js";
import { numbers } from "./geometry.js";

/**
 * For each number the heights of the pips in the outer columns of a standing tile, and of those in the middle one; 2
 * and 3 have a diagonal besides.
 *
 * @type {[number[], number[]][]}
 */
const PIPS = [
  [[], []],
  [[], [0]],
  [[], []],
  [[], [0]],
  [[-0.55, 0.55], []],
  [[-0.55, 0.55], [0]],
  [[-0.55, 0, 0.55], []],
  [[-0.55, 0, 0.55], [0]],
  [[-0.55, 0, 0.55], [-0.55, 0.55]],
  [[-0.55, 0, 0.55], [-0.55, 0, 0.55]],
  [[-0.7, -0.23, 0.23, 0.7], [-0.47, 0.47]],
  [[-0.7, -0.23, 0.23, 0.7], [-0.47, 0, 0.47]],
  [[-0.7, -0.23, 0.23, 0.7], [-0.7, -0.23, 0.23, 0.7]],
];

/**
 * A tile that stands, its first number above, as a picture of its own: for hands and for what was left in them. Without
 * a name it lies face down. It is decoration: words beside it say what it is.
 *
 * @param {string | null} name
 */
export function tile(name) {
  const box = { x: -1, y: -2, width: 2, height: 4 };
  const [high, low] = numbers(name ?? "0-0");
  const halves = /** @type {const} */ ([{ x: 0, y: -1, number: high }, { x: 0, y: 1, number: low }]);
  const shown = name === null ? back(box) : face(box, halves);
  return draw("svg", { viewBox: "-1.04 -2.04 2.08 4.16", class: "tile", "aria-hidden": "true" }, ...shown);
}

/**
 * What shows a tile face up in a rectangle, with the middles of its halves.
 *
 * @param {{ x: number, y: number, width: number, height: number }} box
 * @param {readonly { x: number, y: number, number: number }[]} halves
 */
export function face(box, halves) {
  const { x, y, width, height } = box;
  const lies = width > height;
  const [mx, my] = [x + width / 2, y + height / 2];
  const line = lies ? `M${mx} ${y + 0.3}V${y + height - 0.3}` : `M${x + 0.3} ${my}H${x + width - 0.3}`;
  return [
    ...body(box, "tile-body"),
    draw("path", { class: "tile-line", d: line }),
    ...halves.map((half) => pips(half, lies)),
  ];
}

/** @param {{ x: number, y: number, width: number, height: number }} box */
function back(box) {
  const [mx, my] = [box.x + box.width / 2, box.y + box.height / 2];
  const weave = [-1, 0, 1].map((row) => `M${mx} ${my + row - 0.4}l.4 .4l-.4 .4l-.4 -.4z`).join("");
  return [...body(box, "tile-back"), draw("path", { class: "tile-weave", d: weave })];
}

/**
 * @param {{ x: number, y: number, width: number, height: number }} box
 * @param {string} kind
 */
function body({ x, y, width, height }, kind) {
  const size = { x: x + 0.05, width: width - 0.1, height: height - 0.1, rx: 0.32 };
  return [
    draw("rect", { class: "tile-foot", ...size, y: y + 0.13 }), // a tile is thick: its lower edge shows
    draw("rect", { class: kind, ...size, y: y + 0.05 }),
  ];
}

/**
 * @param {{ x: number, y: number, number: number }} half
 * @param {boolean} lies
 */
function pips({ x, y, number }, lies) {
  const [outer, middle] = PIPS[number] ?? [[], []];
  const wide = number > 9 ? 0.65 : 0.55;
  const r = number > 9 ? 0.17 : number > 6 ? 0.2 : 0.22;
  const places = [...outer.flatMap((at) => [[-wide, at], [wide, at]]), ...middle.map((at) => [0, at])];
  if (number === 2 || number === 3) places.push([-wide, -wide], [wide, wide]);
  const circles = places.map(([across = 0, along = 0]) => {
    const [px, py] = lies ? [x - along, y + across] : [x + across, y + along];
    return `M${(px - r).toFixed(2)} ${py.toFixed(2)}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;
  });
  const path = draw("path", { class: "tile-pips", d: circles.join("") });
  path.style.setProperty("--pips", `var(--pip-${number})`);
  return path;
}
