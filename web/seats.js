// Who sits at the table: a plate for each seat, with its tiles from behind until the hand is over.

import { make } from "./dom.js";
import { LEVELS } from "./setup.js";
import { tile as face } from "./tiles.js";
import { nameOf, teamOf } from "./words.js";

/** @import { Level, Match, Seat } from "./types.js" */

/**
 * Where a seat's plate stands, seen from the seat at the bottom: the next in turn to the left.
 *
 * @param {number} seat
 * @param {number} bottom
 * @param {number} count
 */
function placeOf(seat, bottom, count) {
  const after = (seat - bottom + count) % count;
  if (after === 0) return "south";
  if (count === 2) return "north";
  if (after === 1) return "west";
  return after === count - 1 ? "east" : "north";
}

/**
 * @param {{ onLevel: (seat: number, level: Level) => void, ahead: () => number }} actions `ahead` is how many
 *   milliseconds the service's clock is ahead of this one.
 */
export function seats({ onLevel, ahead }) {
  /** @type {Record<string, HTMLElement>} */
  const places = {};
  for (const name of ["west", "north", "east", "south"]) places[name] = make("div", { class: `seats ${name}` });
  /** @type {Match | null} */
  let shown = null;

  /**
   * @param {Match} match
   * @param {boolean} mayChange Whether the viewer may change the levels of CPU seats.
   */
  function show(match, mayChange) {
    shown = match;
    const focused = document.activeElement?.closest("[data-level-of]")?.getAttribute("data-level-of");
    const bottom = match.viewer.seat ?? 0;
    const count = match.seats.length;
    for (const place of Object.values(places)) place.replaceChildren();
    for (let after = 0; after < count; after++) {
      const seat = match.seats[(bottom + after) % count];
      if (seat) places[placeOf(seat.seat, bottom, count)]?.append(plate(match, seat, mayChange));
    }
    if (focused) document.querySelector(`[data-level-of="${focused}"]`)?.querySelector("select")?.focus();
    tick();
  }

  /**
   * @param {Match} match
   * @param {Seat} seat
   * @param {boolean} mayChange
   */
  function plate(match, seat, mayChange) {
    const isTurn = match.status === "playing" && match.hand?.turn === seat.seat;
    const isOwn = seat.seat === match.viewer.seat;
    const name = nameOf(match, seat.seat);
    const level = seat.level && (mayChange ? levelSelect(seat, name) : make("span", { class: "level" }, seat.level));
    const score = match.scores.find(({ team }) => team === seat.team);
    return make(
      "section",
      { class: `plate${isTurn ? " turn" : ""}${isOwn ? " own" : ""}`, "aria-label": `Seat of ${name}` },
      make(
        "p",
        { class: "who" },
        isTurn && make("span", { class: "mark", title: "has the turn" }, "▸"),
        make("strong", {}, name),
        level,
        make("span", { class: "points", title: `Points of ${teamOf(match, seat.team)}` }, `${score?.points ?? 0} pts`),
        match.clock && make("span", { class: "clock", "data-clock": seat.seat }),
      ),
      !isOwn && tilesOf(seat),
      make("p", { class: "did" }, lastOf(match, seat)),
    );
  }

  /**
   * @param {Seat} seat
   * @param {string} name
   */
  function levelSelect(seat, name) {
    const change = (/** @type {{ currentTarget: HTMLSelectElement }} */ { currentTarget }) =>
      onLevel(seat.seat, /** @type {Level} */ (currentTarget.value));
    const options = LEVELS.map((level) => make("option", { value: level, selected: level === seat.level }, level));
    const select = make("select", { class: "level", "aria-label": `Level of ${name}`, change }, ...options);
    return make("span", { "data-level-of": seat.seat }, select);
  }

  function tick() {
    const clock = shown?.clock;
    if (!shown || !clock) return;
    for (const { seat, seconds_left } of clock.seats) {
      const place = document.querySelector(`[data-clock="${seat}"]`);
      if (!place || shown.seats[seat]?.kind !== "human") continue;
      const isRunning = clock.running?.seat === seat && shown.status === "playing";
      const deadline = Date.parse(clock.running?.deadline ?? "");
      const left = isRunning ? Math.max(0, (deadline - Date.now() - ahead()) / 1000) : seconds_left;
      place.textContent = `${Math.floor(left / 60)}:${String(Math.floor(left % 60)).padStart(2, "0")}`;
      place.classList.toggle("low", left < 20);
    }
  }

  const ticking = setInterval(tick, 250);
  return { places, show, stop: () => clearInterval(ticking) };
}

/** @param {Seat} seat */
function tilesOf(seat) {
  const { tiles, tile_count: count } = seat;
  const label = tiles ? `Holds ${tiles.join(", ") || "nothing"}` : `${count} ${count === 1 ? "tile" : "tiles"}`;
  return make(
    "div",
    { class: `rack${tiles ? " shown" : ""}` },
    make("span", { class: "hidden" }, label),
    ...(tiles ?? Array.from({ length: count }, () => null)).map((tile) => face(tile)),
    count > 0 && make("span", { class: "count", "aria-hidden": "true" }, count),
  );
}

/**
 * What the seat did last in this hand, and what the table has seen it lack.
 *
 * @param {Match} match
 * @param {Seat} seat
 */
function lastOf(match, seat) {
  const move = match.hand?.moves.findLast(({ seat: who }) => who === seat.seat);
  const done = move && { play: `played ${move.tile}`, draw: "drew", pass: "passed" }[move.type];
  const lacks = match.hand?.result || seat.seat === match.viewer.seat ? [] : seat.lacks;
  return [done, lacks.length > 0 && `no ${lacks.join(", ")}`].filter(Boolean).join(" · ");
}
