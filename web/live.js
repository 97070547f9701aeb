// Following a match live, where others may move it too.

import { pause, Problem } from "./service.js";

/** @import { Service } from "./service.js" */

const PAUSE = 2000; // milliseconds after something went wrong

/**
 * @typedef {{
 *   service: Service,
 *   id: string,
 *   token: string | null,
 *   signal: AbortSignal,
 *   known: () => number,
 *   isOver: () => boolean,
 *   onNews: (seq: number) => Promise<void>,
 *   onConnection: (isConnected: boolean) => void,
 * }} Following `known` is the number of the last event that is known; `onNews` is told each later one.
 */

/**
 * Tell of each event until the match is over or `signal` aborts, for as long as somebody looks: browsers open few
 * connections to one host, and a tab in the background needs none. What would be refused again is thrown.
 *
 * @param {Following} following
 */
export async function live(following) {
  while (!following.signal.aborted && !following.isOver()) {
    if (document.hidden) await new Promise((seen) => document.addEventListener("visibilitychange", seen, { once: true }));
    else await whileSeen(following);
  }
}

/** @param {Following} following */
async function whileSeen({ service, id, token, signal, known, onNews, onConnection }) {
  const leaving = new AbortController();
  const leave = () => document.hidden && leaving.abort();
  document.addEventListener("visibilitychange", leave);
  const both = AbortSignal.any([signal, leaving.signal]);
  try {
    for await (const { seq } of service.follow(id, token, known(), both, onConnection)) await onNews(seq);
    if (!both.aborted) await pause(PAUSE); // it is over, which is about to be shown
  } catch (error) {
    if (signal.aborted) return;
    if (error instanceof Problem && error.status < 500 && error.status !== 429) throw error;
    onConnection(false);
    await pause(PAUSE);
  } finally {
    document.removeEventListener("visibilitychange", leave);
    leaving.abort();
  }
}
