// What the page shows, by its address: the set-up of a match, a match, or a match that begins by a link.

import { agreed, closeDialog, openDialog, tell } from "./dialog.js";
import { button, byId, make } from "./dom.js";
import { help } from "./help.js";
import { forgetRecords, forgetTicket, keepTicket, like, liked, newest, records, ticket } from "./keep.js";
import { lobby } from "./lobby.js";
import { menu } from "./menu.js";
import { waitingRoom } from "./room.js";
import { setupForm } from "./setup-form.js";
import { again, anew, forPeople, linkOf, setUpOf, usual } from "./setup.js";
import { messageOf, Problem, Service } from "./service.js";
import { table } from "./table.js";

/** @import { Event, Match, Ruleset, SetUp, Ticket } from "./types.js" */

const service = new Service(document.querySelector("meta[name=service]")?.getAttribute("content") ?? "./");
const app = byId("app", HTMLElement);
const bar = byId("bar", HTMLElement);
const spoken = byId("say", HTMLElement);

/** @type {ReturnType<typeof table> | null} */
let playing = null;
/** @type {ReturnType<typeof lobby> | null} */
let listing = null;
/** @type {Promise<Ruleset[]> | null} */
let catalogue = null;
let visit = 0; // counts what was gone to: an answer that comes late is not shown where somebody is by then
let beginning = 0; // the visit at which a match is being created, so that two clicks create one
/** @type {{ match: Match, events: Event[] } | null} A match that was just created, to be shown from its first move on. */
let fresh = null;

function rulesets() {
  catalogue ??= service.rulesets().catch((error) => {
    catalogue = null; // it may come the next time
    throw error;
  });
  return catalogue;
}

/** @param {string} text What a screen reader is to say. */
function say(text) {
  spoken.append(make("p", {}, text));
  while (spoken.children.length > 20) spoken.firstChild?.remove();
}

// Which page it is

async function route() {
  leave();
  const now = visit;
  const fragment = location.hash;
  const match = /^#match=([0-9a-f-]{36})(?:&seat=(\d))?(?:&|$)/i.exec(fragment);
  try {
    if (match) await openMatch(match[1]?.toLowerCase() ?? "", match[2] === undefined ? null : Number(match[2]));
    else if (fragment.startsWith("#new?")) await begin(own(setUpOf(fragment, await rulesets())));
    else await home(fragment.length > 1 ? "This link leads nowhere: it is cut off, or not one of this page." : null);
  } catch (error) {
    if (now !== visit) return;
    await home(messageOf(error)).catch((worse) => now === visit && failed(worse));
  }
}

/** @param {unknown} error Why there is nothing to show. */
function failed(error) {
  const retry = button("Try again", () => void route(), { class: "primary" });
  app.replaceChildren(make("p", { role: "alert", class: "loading" }, messageOf(error), " ", retry));
}

function leave() {
  visit += 1;
  playing?.close();
  listing?.stop();
  playing = listing = null;
  closeDialog();
  document.title = "Capicua";
  document.body.removeAttribute("data-status");
  document.body.removeAttribute("data-version");
  document.body.removeAttribute("data-busy");
  bar.replaceChildren();
  app.replaceChildren(make("p", { class: "loading" }, "…"));
}

/** @param {string} address */
function go(address) {
  if (location.hash === address) void route();
  else location.hash = address;
}

/**
 * Where matches begin: the set-up, and the tables that wait for somebody.
 *
 * @param {string | null} trouble Why this is shown and not what was asked for.
 */
async function home(trouble) {
  const now = visit;
  const games = await rulesets();
  if (now !== visit) return;
  const form = setupForm({ rulesets: games, onCreate: (setUp) => begin(setUp, form) });
  const [first] = games;
  if (!first) throw new Error("This service offers no game.");
  const last = setUpOf(liked().link, games);
  if (last) last.listed = false; // what others see is asked for each time
  form.show(own(last && anew(last)) ?? usual(games.find(({ id }) => id === "draw") ?? first));
  if (trouble) form.fail(trouble);
  listing = lobby({
    waiting: (cursor) => service.waiting(cursor),
    titleOf: (id) => games.find((game) => game.id === id)?.title ?? id,
    onTake: ({ id }, seat) => go(`#match=${id}&seat=${seat}`),
    onWatch: ({ id }) => go(`#match=${id}`),
  });
  const begun = newest();
  app.replaceChildren(
    make(
      "div",
      { class: "home" },
      form.element,
      make(
        "div",
        { class: "home-side" },
        begun && make("p", { class: "card" }, link("Go on with your last match", `#match=${begun.id}`)),
        listing.element,
        recordsCard(),
      ),
    ),
  );
  listing.show();
}

function recordsCard() {
  const { played, won, best } = records();
  const forget = button("Forget", () => {
    forgetRecords();
    card.replaceWith(recordsCard());
  });
  const told = played ? `${won} won of ${played} played. Best hand: ${best} points.` : "No match played to its end yet.";
  const card = make("section", { class: "card", id: "records" }, make("h2", {}, "Your record"), make("p", {}, told), played > 0 && forget);
  return card;
}

/**
 * A set-up from a link, which carries nobody's name, for whoever opens it: theirs is the first seat for people, and the
 * others are taken by a link.
 *
 * @param {SetUp | null} setUp
 * @returns {SetUp | null}
 */
function own(setUp) {
  if (!setUp?.seats) return setUp;
  const { name } = liked();
  const first = setUp.seats.findIndex(({ kind }) => kind === "human");
  const seats = setUp.seats.map((seat, index) => {
    if (seat.kind !== "human") return seat;
    return index === first ? { ...seat, ...(name && { name }) } : /** @type {const} */ ({ kind: "open" });
  });
  return forPeople({ ...setUp, seats });
}

/**
 * Create a match and go to it, unless somebody has gone somewhere else by the time it is there.
 *
 * @param {SetUp | null} setUp
 * @param {ReturnType<typeof setupForm> | null} [form] What was filled in, and says why it is refused.
 */
async function begin(setUp, form = null) {
  if (!setUp) return home("This link does not hold a set-up.");
  if (beginning === visit) return undefined;
  const now = visit;
  beginning = now;
  try {
    const { match, events, tokens, host_token: host } = await service.create(setUp);
    fresh = { match, events };
    if (setUp.pacing === "step") like({ speed: "step" });
    keepTicket({ id: match.id, seats: seatTokens(tokens), host, setUp });
    if (form) like({ link: linkOf(setUp) });
    if (now !== visit) return undefined;
    const address = `#match=${match.id}`;
    if (form) go(address);
    else location.replace(address); // or going back would begin another
  } catch (error) {
    beginning = 0; // where it was created, the page is about to be another one
    if (!form) throw error;
    form.fail(messageOf(error));
  }
  return undefined;
}

/** @param {{ seat: number, token: string }[]} tokens */
function seatTokens(tokens) {
  return Object.fromEntries(tokens.map(({ seat, token }) => [seat, token]));
}

// A match

/** @param {Ticket} kept */
function tokenOf(kept) {
  return Object.values(kept.seats)[0] ?? kept.host;
}

/**
 * @param {Ticket} kept
 * @returns {Promise<{ match: Match, events: Event[] }>} The match as its holder sees it, and its log.
 */
async function seen(kept) {
  const token = tokenOf(kept);
  const [match, events] = await Promise.all([service.see(kept.id, token), service.events(kept.id, token, 0)]);
  return { match, events: events.filter(({ seq }) => seq <= match.version) };
}

/**
 * @param {string} id
 * @param {number | null} seat One that a link offers.
 */
async function openMatch(id, seat) {
  const now = visit;
  let isLost = false;
  let kept = ticket(id) ?? { id, seats: {}, host: null, setUp: null };
  const begun = fresh?.match.id === id && (tokenOf(kept) === kept.host || fresh.match.viewer.seat !== null) ? fresh : null;
  fresh = null;
  const { match, events } = begun ?? await seen(kept).catch((error) => {
    if (!(error instanceof Problem && error.status === 401 && tokenOf(kept))) throw error;
    forgetTicket(id); // the service has another secret by now
    isLost = true;
    kept = { id, seats: {}, host: null, setUp: null };
    return seen(kept);
  });
  const games = await rulesets().catch(() => []);
  if (now !== visit) return;
  const { setUp } = kept;
  const onCancel = () => void opened.end("cancel");
  const onSeat = () => (location.hash === `#match=${id}` ? void route() : location.replace(`#match=${id}`));
  const opened = table({
    service,
    ticket: kept,
    match,
    events,
    say,
    begun: begun !== null,
    waitingRoom: (state, before) => waitingRoom(state, before, { service, kept, offered: seat, onSeat, onCancel }),
    endings: [
      ...(setUp
        ? [
            { id: "rematch", label: "Play again", action: () => void beginAnew(anew(setUp)) },
            { id: "same-deal", label: "Same deal again", action: () => void restart(kept) },
          ]
        : []),
      { id: "new-match", label: "New match", action: () => go("#") },
    ],
  });
  playing = opened;
  app.replaceChildren(opened.element);
  if (isLost) opened.tell("The service does not know your seat any more: you look on.");
  if (document.activeElement === document.body) opened.focus();
  const title = games.find((game) => game.id === match.ruleset)?.title ?? match.ruleset;
  document.title = `${title} · Capicua`;
  const { kind, number } = match.deal;
  bar.replaceChildren(
    make("h1", {}, title),
    make("span", { class: "deal" }, kind === "numbered" ? `Deal ${number}` : ""),
    make("span", { class: "watching" }, match.viewer.role === "seat" ? "" : "You are watching"),
    menu(opened, kept, { rulesets, onAgain: () => void restart(kept) }),
  );
}

/** @param {Ticket} kept */
async function restart(kept) {
  if (!kept.setUp || !playing) return;
  const same = again(kept.setUp, playing.match);
  if (!same) return tell("Same deal again", "This match’s deals are secret until it is finished.");
  const isOver = playing.match.status === "finished" || playing.match.status === "cancelled";
  if (isOver || await agreed("Deal the same again?", "The match is begun anew, with the same deals.", "Deal again")) await beginAnew(same);
  return undefined;
}

/** @param {SetUp} setUp */
async function beginAnew(setUp) {
  try {
    await begin(setUp);
  } catch (error) {
    tell("That did not work", messageOf(error));
  }
}

async function newMatch() {
  const status = playing?.match.status;
  const isOn = playing?.match.viewer.role === "seat" && (status === "playing" || status === "hand_over");
  if (isOn && !(await agreed("Leave this match?", "It stays as it is, and you can go on with it later.", "New match"))) return;
  go("#");
}

/**
 * @param {string} text
 * @param {string} address
 */
function link(text, address) {
  return make("a", { href: address }, text);
}

byId("contract", HTMLAnchorElement).href = `${service.base}docs`;
byId("skip", HTMLAnchorElement).addEventListener("click", (event) => {
  event.preventDefault(); // its address is not one of a page
  app.focus();
});
byId("new", HTMLButtonElement).addEventListener("click", () => void newMatch());
byId("help", HTMLButtonElement).addEventListener("click", () => openDialog("How to play", [help()], []));
addEventListener("hashchange", () => void route());
addEventListener("keydown", (event) => {
  const isField = event.target instanceof Element && event.target.closest("input, select, textarea, dialog");
  if (!isField && !event.defaultPrevented) playing?.press(event);
});
document.addEventListener("visibilitychange", () => document.hidden || playing?.refresh());
addEventListener("online", () => void playing?.refresh());
void route();
