/** @import { Event, Match } from "./types.js" */
/** @param {Match} match @param {number} seat @returns {string} */
export function nameOf(match, seat) { return `${match.id}${seat}`; }
/** @param {Match} match @param {number} team @returns {string} */
export function teamOf(match, team) { return `${match.id}${team}`; }
/** @param {Event} event @param {Match} match @returns {string | null} */
export function said(event, match) { return `${event.seq}${match.id}`; }
/** @param {Match} match @returns {string} */
export function turnOf(match) { return match.id; }
/** @param {Match} match @returns {{ title: string, lines: string[] }} */
export function outcomeOf(match) { return { title: match.id, lines: [] }; }
