// What the browser keeps between visits: the tokens of matches, records, and how somebody likes to play. What is read
// back is checked: anybody may have changed it.

/** @import { Ticket } from "./types.js" */

const TICKETS = "capicua.tickets";
const RECORDS = "capicua.records";
const LIKED = "capicua.liked";
const MOST_TICKETS = 30;
const TOKEN = /^[\w.-]{1,100}$/; // anything else could not be sent

export const SPEEDS = /** @type {const} */ ({ slow: 1400, normal: 700, fast: 250, "at once": 0 });
/** @typedef {keyof typeof SPEEDS | "step"} Speed `step`: the CPU seats of a match with the pacing `step` wait. */
/** @typedef {{ speed: Speed, drawForMe: boolean, keys: boolean, name: string, link: string }} Liked `keys` that letters make moves; `link` is the last set-up's. */
/** @typedef {{ played: number, won: number, best: number, counted: string[] }} Records */

/** What could not be kept, because the browser keeps nothing or no more: it lasts as long as the page does. */
const unkept = new Map();

/** @param {string} name */
function read(name) {
  if (unkept.has(name)) return unkept.get(name);
  try {
    return JSON.parse(localStorage.getItem(name) ?? "null");
  } catch {
    return null;
  }
}

/**
 * @param {string} name
 * @param {unknown} value
 */
function write(name, value) {
  try {
    localStorage.setItem(name, JSON.stringify(value));
    if (localStorage.getItem(name) === JSON.stringify(value)) return void unkept.delete(name);
  } catch {
    // The same as one that forgets at once.
  }
  return void unkept.set(name, value);
}

/** @returns {Ticket[]} The newest first. */
function tickets() {
  const found = read(TICKETS);
  return Array.isArray(found) ? found.filter(isTicket) : [];
}

/** @param {any} each */
function isTicket(each) {
  const tokens = [...Object.values(each?.seats ?? {}), ...(each?.host ? [each.host] : [])];
  return typeof each?.id === "string" && tokens.every((token) => typeof token === "string" && TOKEN.test(token));
}

/**
 * @param {string} id
 * @returns {Ticket | null}
 */
export function ticket(id) {
  return tickets().find((each) => each.id === id) ?? null;
}

/** The match that was begun or joined last. */
export function newest() {
  return tickets()[0] ?? null;
}

/** @param {Ticket} kept Of a match that is known already, other seats are kept too. */
export function keepTicket(kept) {
  const before = ticket(kept.id);
  const both = { ...before, ...kept, seats: { ...before?.seats, ...kept.seats }, host: kept.host ?? before?.host ?? null };
  write(TICKETS, [both, ...tickets().filter(({ id }) => id !== kept.id)].slice(0, MOST_TICKETS));
}

/** @param {string} id Of a match whose tokens are good no more. */
export function forgetTicket(id) {
  write(TICKETS, tickets().filter((each) => each.id !== id));
}

/** @returns {Liked} */
export function liked() {
  const found = read(LIKED);
  return {
    speed: found?.speed === "step" || found?.speed in SPEEDS ? found.speed : "normal",
    drawForMe: found?.drawForMe === true,
    keys: found?.keys !== false,
    name: typeof found?.name === "string" ? found.name : "",
    link: typeof found?.link === "string" ? found.link : "",
  };
}

/** @param {Partial<Liked>} changed */
export function like(changed) {
  write(LIKED, { ...liked(), ...changed });
}

/** @returns {Records} */
export function records() {
  const found = read(RECORDS);
  const number = (/** @type {unknown} */ each) =>
    Number.isSafeInteger(each) && Number(each) >= 0 && Number(each) < 1e9 ? Number(each) : 0;
  const counted = Array.isArray(found?.counted) ? found.counted.filter((/** @type {unknown} */ id) => typeof id === "string") : [];
  return { played: number(found?.played), won: number(found?.won), best: number(found?.best), counted };
}

/**
 * Count a finished match once, however often its end is seen.
 *
 * @param {string} id
 * @param {boolean} won
 */
export function countMatch(id, won) {
  const { played, won: before, best, counted } = records();
  if (counted.includes(id)) return;
  write(RECORDS, { played: played + 1, won: before + Number(won), best, counted: [id, ...counted].slice(0, MOST_TICKETS) });
}

/** @param {number} points What a hand brought. */
export function countHand(points) {
  const found = records();
  if (points > found.best) write(RECORDS, { ...found, best: points });
}

export function forgetRecords() {
  write(RECORDS, null);
}
