// What the page shows, by its address: the set-up of a match, a match, or a match that begins by a link.

import { button, byId, make } from "./dom.js";
import { help } from "./help.js";
import { forgetRecords, keepTicket, like, liked, newest, records, ticket } from "./keep.js";
import { lobby } from "./lobby.js";
import { setupForm } from "./setup-form.js";
import { Service } from "./service.js";
import { again, anew, linkOf, setUpOf, usual } from "./setup.js";
import { messageOf, table } from "./table.js";

/** @import { Match, Ruleset, SetUp, Ticket } from "./types.js" */

const service = new Service(document.querySelector("meta[name=service]")?.getAttribute("content") ?? "./");
const app = byId("app", HTMLElement);
const bar = byId("bar", HTMLElement);
const dialog = byId("dialog", HTMLDialogElement);
const spoken = byId("say", HTMLElement);

/** @type {ReturnType<typeof table> | null} */
let playing = null;
/** @type {ReturnType<typeof lobby> | null} */
let listing = null;
/** @type {Promise<Ruleset[]> | null} */
let catalogue = null;

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
  const fragment = location.hash;
  const match = /^#match=([0-9a-f-]{36})(?:&seat=(\d+))?$/.exec(fragment);
  try {
    if (match) await openMatch(match[1] ?? "", match[2] === undefined ? null : Number(match[2]));
    else if (fragment.startsWith("#new?")) await begin(named(setUpOf(fragment, await rulesets())));
    else await home(null);
  } catch (error) {
    await home(messageOf(error)).catch((worse) => app.replaceChildren(make("p", { role: "alert" }, messageOf(worse))));
  }
}

function leave() {
  playing?.close();
  listing?.stop();
  playing = listing = null;
  document.body.removeAttribute("data-status");
  document.body.removeAttribute("data-version");
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
  const games = await rulesets();
  const form = setupForm({ rulesets: games, onCreate: (setUp) => begin(setUp, form) });
  const [first] = games;
  if (!first) throw new Error("This service offers no game.");
  const last = liked().setUp;
  const known = last && games.some(({ id }) => id === last.ruleset);
  form.show(known ? anew(last) : usual(games.find(({ id }) => id === "draw") ?? first));
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
  document.title = "Capicua";
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
 * A set-up from a link, which carries nobody's name, with the name of who opens it.
 *
 * @param {SetUp | null} setUp
 * @returns {SetUp | null}
 */
function named(setUp) {
  const { name } = liked();
  const own = setUp?.seats?.findIndex(({ kind }) => kind === "human") ?? -1;
  if (!setUp?.seats || own < 0 || !name) return setUp;
  return { ...setUp, seats: setUp.seats.map((seat, index) => (index === own ? { kind: "human", name } : seat)) };
}

/**
 * Create a match and go to it.
 *
 * @param {SetUp | null} setUp
 * @param {ReturnType<typeof setupForm> | null} [form] What was filled in, and says why it is refused.
 */
async function begin(setUp, form = null) {
  if (!setUp) return home("This link does not hold a set-up.");
  try {
    const { match, tokens, host_token: host } = await service.create(setUp);
    keepTicket({ id: match.id, seats: seatTokens(tokens), host, setUp });
    if (form) like({ setUp });
    if (dialog.open) dialog.close();
    const address = `#match=${match.id}`;
    if (form) go(address);
    else location.replace(address); // or going back would begin another
  } catch (error) {
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

/**
 * @param {string} id
 * @param {number | null} seat One that a link offers.
 */
async function openMatch(id, seat) {
  const kept = ticket(id) ?? { id, seats: {}, host: null, setUp: null };
  const token = Object.values(kept.seats)[0] ?? kept.host;
  const [match, events, games] = await Promise.all([
    service.see(id, token),
    service.events(id, token, 0),
    rulesets().catch(() => []),
  ]);
  const { setUp } = kept;
  const opened = table({
    service,
    ticket: kept,
    match,
    events,
    say,
    waitingRoom: (now) => waitingRoom(now, kept, seat),
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
  const title = games.find((game) => game.id === match.ruleset)?.title ?? match.ruleset;
  document.title = `${title} · Capicua`;
  const { kind, number } = match.deal;
  bar.replaceChildren(
    make("h1", {}, title),
    make("span", { class: "deal" }, kind === "numbered" ? `Deal ${number}` : ""),
    menu(opened, kept),
  );
}

/**
 * What may be done with the match as a whole: it is looked up whenever somebody opens it.
 *
 * @param {ReturnType<typeof table>} opened
 * @param {Ticket} kept
 */
function menu(opened, kept) {
  const choices = make("div", { class: "card" });
  const close = () => details.removeAttribute("open");
  const fill = () => {
    const { status, viewer } = opened.match;
    const isOn = status === "playing" || status === "hand_over";
    choices.replaceChildren(
      ...[
        kept.setUp && button("Same deal again", () => void restart(kept), { id: "again" }),
        button("Rules", () => void rulesDialog(opened.match), { id: "rules" }),
        button("Links", () => shareDialog(opened.match, kept), { id: "share" }),
        isOn && viewer.role === "seat" && button("Give up", () => void giveUp(opened), { id: "give-up" }),
        isOn && kept.host && button("Cancel the match", () => void cancel(opened), { id: "cancel-match" }),
      ].filter((each) => each instanceof Node),
    );
  };
  const leave = (/** @type {FocusEvent} */ { relatedTarget }) =>
    relatedTarget instanceof Node && !details.contains(relatedTarget) && close();
  const press = (/** @type {KeyboardEvent} */ event) => event.key === "Escape" && close();
  const details = make(
    "details",
    { class: "menu", toggle: fill, focusout: leave, keydown: press },
    make("summary", {}, "Match"),
    choices,
  );
  choices.addEventListener("click", close);
  return details;
}

/**
 * While seats are open: a seat to take for who was sent the link, and the link to send for who sits already.
 *
 * @param {Match} match
 * @param {Ticket} kept
 * @param {number | null} offered
 */
function waitingRoom(match, kept, offered) {
  const open = match.seats.filter(({ kind }) => kind === "open").map(({ seat }) => seat);
  if (Object.keys(kept.seats).length > 0 || kept.host)
    return make(
      "section",
      { class: "card room" },
      make("h2", {}, "Waiting for players"),
      ...open.map((seat) => copyable(`To take seat ${seat + 1}`, seatLink(match.id, seat))),
      kept.host && button("Close the table", () => void playing?.end("cancel"), { id: "cancel" }),
    );
  const name = make("input", { id: "join-name", maxlength: 40, autocomplete: "nickname", value: liked().name });
  const trouble = make("p", { class: "trouble", role: "alert" });
  const seat = offered !== null && open.includes(offered) ? offered : (open[0] ?? null);
  const join = async () => {
    try {
      like({ name: name.value });
      const joined = await service.join(match.id, seat, name.value.trim() || null);
      keepTicket({ id: match.id, seats: seatTokens(joined.tokens), host: null, setUp: null });
      location.replace(`#match=${match.id}`);
      if (offered === null) void route();
    } catch (error) {
      trouble.textContent = messageOf(error);
    }
  };
  const submit = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    void join();
  };
  return make(
    "form",
    { class: "card room", id: "join", submit },
    make("h2", {}, "Take a seat"),
    make("label", { for: "join-name" }, "Your name "),
    name,
    make("button", { class: "primary" }, `Take seat ${(seat ?? 0) + 1}`),
    trouble,
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

/** @param {ReturnType<typeof table>} opened */
async function giveUp(opened) {
  if (await agreed("Give up?", "The match is lost for your side.", "Give up")) void opened.end("resign");
}

/** @param {ReturnType<typeof table>} opened */
async function cancel(opened) {
  if (await agreed("Cancel the match?", "It ends for everybody, without a result.", "Cancel the match")) void opened.end("cancel");
}

// Dialogs

/**
 * @param {string} title
 * @param {(Node | null)[]} children
 * @param {HTMLButtonElement[]} buttons
 */
function open(title, children, buttons) {
  const close = button("Close", () => dialog.close(), { class: "quiet" });
  dialog.replaceChildren(
    make("h2", { id: "dialog-title" }, title),
    ...children.filter((each) => each !== null),
    make("p", { class: "buttons" }, ...buttons, close),
  );
  dialog.returnValue = "";
  if (!dialog.open) dialog.showModal();
  return close;
}

/**
 * @param {string} title
 * @param {string} text
 */
function tell(title, text) {
  open(title, [make("p", {}, text)], []);
}

/**
 * @param {string} title
 * @param {string} text
 * @param {string} yes
 * @returns {Promise<boolean>}
 */
function agreed(title, text, yes) {
  const agree = button(yes, () => dialog.close("yes"), { class: "primary", id: "agree" });
  open(title, [make("p", {}, text)], [agree]).textContent = "No";
  agree.focus();
  return new Promise((resolve) =>
    dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes"), { once: true }),
  );
}

/**
 * @param {Match} match
 * @param {Ticket} kept
 */
function shareDialog(match, kept) {
  const here = location.href.split("#")[0] ?? "";
  const setUp = kept.setUp && (again(kept.setUp, match) ?? kept.setUp);
  open(
    "Links",
    [
      setUp && copyable("To play the same set-up", here + linkOf(setUp)),
      copyable("To watch this match", `${here}#match=${match.id}`),
      make("p", {}, "What a watcher sees is what lies face up."),
    ],
    [],
  );
}

/**
 * The rules of the match, in the service's words, and which of them are its own.
 *
 * @param {Match} match
 */
async function rulesDialog({ ruleset: id, rules, seats }) {
  const game = (await rulesets()).find((each) => each.id === id);
  const usualRules = game?.tables.find((each) => each.seats === seats.length);
  if (!game || !usualRules) return tell("Rules", "This service no longer lists the game.");
  const changed = game.parameters
    .map(({ name, title }) => ({ title, value: valueOf(rules, name), before: valueOf(usualRules.rules, name) }))
    .filter(({ value, before }) => value !== before);
  const list = changed.map(({ title, value, before }) => make("li", {}, `${title}: ${value} (usually ${before})`));
  const children = usualRules.text.split("\n\n").map((each) => make("p", {}, each));
  open(
    `Rules of ${game.title}`,
    [
      list.length > 0 ? make("h3", {}, "Changed in this match") : null,
      list.length > 0 ? make("ul", {}, ...list) : null,
      ...children,
    ],
    [],
  );
  return undefined;
}

/**
 * @param {Match["rules"]} rules
 * @param {string} name
 */
function valueOf(rules, name) {
  const value = /** @type {Record<string, unknown>} */ (rules)[name];
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/**
 * @param {string} id
 * @param {number} seat
 */
function seatLink(id, seat) {
  return `${location.href.split("#")[0]}#match=${id}&seat=${seat}`;
}

/**
 * A link to be taken to somebody else.
 *
 * @param {string} label
 * @param {string} address
 */
function copyable(label, address) {
  const field = make("input", { readonly: true, value: address, "aria-label": label, focus: () => field.select() });
  const copy = button("Copy", async () => {
    field.select();
    const isCopied = await navigator.clipboard?.writeText(address).then(() => true, () => false);
    copy.textContent = isCopied ? "Copied" : "Press Ctrl+C";
  });
  return make("p", { class: "copyable" }, make("span", {}, label), field, copy);
}

/**
 * @param {string} text
 * @param {string} address
 */
function link(text, address) {
  return make("a", { href: address }, text);
}

byId("skip", HTMLAnchorElement).addEventListener("click", (event) => {
  event.preventDefault(); // its address is not one of a page
  app.focus();
});
byId("new", HTMLButtonElement).addEventListener("click", () => void newMatch());
byId("help", HTMLButtonElement).addEventListener("click", () => open("How to play", [help()], []));
addEventListener("hashchange", () => void route());
addEventListener("keydown", (event) => {
  const isField = event.target instanceof Element && event.target.closest("input, select, textarea, dialog");
  if (!isField && !event.defaultPrevented) playing?.press(event);
});
document.addEventListener("visibilitychange", () => document.hidden || playing?.refresh());
void route();
