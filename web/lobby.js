// The lobby: tables that wait for somebody to sit down. It reads them anew while it is looked at.

import { button, make } from "./dom.js";
import { messageOf } from "./service.js";

/** @import { MatchPage, Summary } from "./types.js" */

const REFRESH = 5000;

/**
 * @param {{
 *   waiting: (cursor: string | null) => Promise<MatchPage>,
 *   onTake: (summary: Summary, seat: number) => unknown,
 *   onWatch: (summary: Summary) => unknown,
 *   titleOf: (ruleset: string) => string,
 * }} actions
 */
export function lobby({ waiting, onTake, onWatch, titleOf }) {
  const told = make("p", { class: "lobby-told", role: "status" });
  const list = make("ul", { class: "lobby-list" });
  const more = button("More tables", () => void ((pages += 1), read()), { hidden: true });
  const heading = make("h2", {}, "Tables waiting for players");
  const element = make("section", { class: "card lobby" }, heading, told, list, more);
  let pages = 1;
  let drawn = "";
  let timer = 0;
  let isShown = false;

  function show() {
    isShown = true;
    document.addEventListener("visibilitychange", look);
    look();
  }

  function stop() {
    isShown = false;
    clearTimeout(timer);
    document.removeEventListener("visibilitychange", look);
  }

  function look() {
    clearTimeout(timer);
    if (isShown && !document.hidden) void read();
  }

  async function read() {
    clearTimeout(timer);
    try {
      /** @type {Summary[]} */
      const items = [];
      /** @type {string | null} */
      let cursor = null;
      for (let page = 0; page < pages && (page === 0 || cursor); page++) {
        /** @type {MatchPage} */
        const { items: found, next_cursor } = await waiting(cursor);
        items.push(...found);
        cursor = next_cursor;
      }
      draw(items, cursor !== null);
    } catch (error) {
      told.textContent = messageOf(error);
    }
    clearTimeout(timer);
    if (isShown) timer = setTimeout(look, REFRESH);
  }

  /** @param {Summary[]} items @param {boolean} hasMore */
  function draw(items, hasMore) {
    more.hidden = !hasMore;
    const count = `${items.length}${hasMore ? " or more" : ""}`;
    const text =
      items.length === 0
        ? "None right now. Open one yourself: set a seat of a new match to “Open” and show the table here."
        : items.length === 1 ? "1 table" : `${count} tables`;
    if (told.textContent !== text) told.textContent = text;
    const now = JSON.stringify(items);
    if (now === drawn) {
      for (const each of list.querySelectorAll("time")) each.textContent = age(each.dateTime);
      return;
    }
    drawn = now;
    const focused = document.activeElement?.getAttribute("data-of");
    list.replaceChildren(...items.map(entry));
    const again = focused && [...list.querySelectorAll("button")].find((each) => each.dataset["of"] === focused);
    if (again) again.focus();
  }

  /** @param {Summary} summary */
  function entry(summary) {
    const { id, seats, clock, target, created_at, hints } = summary;
    const title = titleOf(summary.ruleset);
    const facts = [
      target ? `to ${target} points` : "",
      clock ? `${minutes(clock.seconds_per_hand)} a hand for each` : "no clock",
      hints ? "with hints" : "",
    ];
    const created = make("time", { datetime: created_at }, age(created_at));
    const isPairs = seats.some(({ seat, team }) => seat !== team);
    return make(
      "li",
      {},
      make(
        "div",
        {},
        make("h3", {}, title),
        make("p", { class: "lobby-facts" }, `${facts.filter(Boolean).join(" · ")} · `, created),
      ),
      button("Watch", () => void onWatch(summary), { "aria-label": `Watch: ${title}`, "data-of": `${id} watch` }),
      make("ol", { class: "lobby-seats" }, ...seats.map((each) => seatOf(summary, each, title, isPairs))),
    );
  }

  /**
   * @param {Summary} summary
   * @param {Summary["seats"][number]} sitting
   * @param {string} title
   * @param {boolean} isPairs
   */
  function seatOf(summary, { seat, kind, name, level, team }, title, isPairs) {
    const place = `Seat ${seat + 1}${isPairs ? ` · pair ${team ? "B" : "A"}` : ""}`;
    const who = kind === "cpu" ? `CPU, ${level}` : (name ?? `Player ${seat + 1}`);
    const label = `Take this seat: ${title}, seat ${seat + 1}`;
    const props = { "aria-label": label, "data-of": `${summary.id} ${seat}`, class: "primary" };
    const take = () => button("Take this seat", () => void onTake(summary, seat), props);
    return make("li", {}, make("small", {}, place), kind === "open" ? take() : make("bdi", {}, who));
  }

  return { element, show, stop };
}

/** @param {number} seconds */
function minutes(seconds) {
  return seconds % 60 ? `${seconds} s` : `${seconds / 60} min`;
}

/** @param {string} since */
function age(since) {
  const passed = Math.max(0, Math.floor((Date.now() - Date.parse(since)) / 60_000));
  if (passed < 1) return "just opened";
  return passed < 60 ? `open for ${passed} min` : `open for ${Math.floor(passed / 60)} h`;
}
