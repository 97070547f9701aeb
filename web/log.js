// The log of moves, hand by hand. It is for reading back: what happens is said by the page, once, so this is not live.

import { make } from "./dom.js";
import { said } from "./words.js";

/** @import { Event, Match } from "./types.js" */

const MOST_LINES = 1000;
/** @type {Record<string, string>} */
const KINDS = { points_scored: "log-points", hand_ended: "log-end", match_ended: "log-end" };

export function log() {
  const lines = make("div", { class: "log-lines", role: "region", "aria-label": "Moves so far", tabindex: 0 });
  const element = make("section", { class: "card panel log" }, make("h2", {}, "Moves"), lines);
  /** @type {HTMLOListElement | null} */
  let list = null;
  /** @type {number | null} */
  let hand = null;

  /**
   * @param {Event} event
   * @param {Match} match
   */
  const append = (event, match) => {
    const sentence = said(event, match);
    if (!sentence) return;
    if (!list || (event.hand !== null && event.hand !== hand)) {
      hand = event.hand;
      list = make("ol", { "aria-label": hand === null ? "Before the first hand" : `Hand ${hand}` });
      lines.append(make("section", {}, hand !== null && make("h3", {}, `Hand ${hand}`), list));
    }
    const own = event.seat !== null && event.seat === match.viewer.seat;
    list.append(make("li", { class: [KINDS[event.type], own && "own"].filter(Boolean).join(" ") || null }, sentence));
  };
  const toEnd = () => (lines.scrollTop = lines.scrollHeight);
  /** Whether the newest line is in view, so that the next one should be too. */
  const isAtEnd = () => lines.scrollHeight - lines.scrollTop - lines.clientHeight < 40;

  return {
    element,
    /**
     * @param {Event[]} events
     * @param {Match} match
     */
    show(events, match) {
      lines.replaceChildren();
      list = null;
      for (const event of events.slice(-MOST_LINES)) append(event, match);
      requestAnimationFrame(toEnd); // it has no height before it is on the page
    },
    /**
     * @param {Event} event
     * @param {Match} match
     */
    add(event, match) {
      const follows = isAtEnd();
      append(event, match);
      if (lines.children.length > 2 && lines.querySelectorAll("li").length > 2 * MOST_LINES) lines.firstChild?.remove();
      if (follows) toEnd();
    },
  };
}
