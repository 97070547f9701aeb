// What may be done with a match as a whole, beside playing it.

import { agreed, copyable, openDialog, tell } from "./dialog.js";
import { button, make } from "./dom.js";
import { messageOf } from "./service.js";
import { again, linkOf, people } from "./setup.js";

/** @import { Match, Ruleset, SetUp, Ticket } from "./types.js" */
/** @import { table } from "./table.js" */

/**
 * What may be done with the match as a whole: it is looked up whenever somebody opens it.
 *
 * @param {ReturnType<typeof table>} opened
 * @param {Ticket} kept
 * @param {{ rulesets: () => Promise<Ruleset[]>, onAgain: () => void }} given
 */
export function menu(opened, kept, { rulesets, onAgain }) {
  const choices = make("div", { class: "card" });
  const close = () => details.removeAttribute("open");
  const fill = () => {
    const { status, viewer } = opened.match;
    const isOn = status === "playing" || status === "hand_over";
    choices.replaceChildren(
      ...[
        opened.match.deal.kind === "numbered" && make("p", {}, `Deal number ${opened.match.deal.number}`),
        kept.setUp && button("Same deal again", onAgain, { id: "again" }),
        button("Rules", () => void rulesDialog(opened.match, rulesets), { id: "rules" }),
        button("Links", () => shareDialog(opened.match, kept), { id: "share" }),
        isOn && viewer.role === "seat" && button("Give up", () => void giveUp(opened), { id: "give-up" }),
        isOn && kept.host && button("Cancel the match", () => void cancel(opened), { id: "cancel-match" }),
      ].filter((each) => each instanceof Node),
    );
  };
  const leave = (/** @type {FocusEvent} */ { relatedTarget }) =>
    relatedTarget instanceof Node && !details.contains(relatedTarget) && close();
  const press = (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== "Escape" || !details.open) return;
    event.preventDefault(); // it takes back no tile
    close();
    details.querySelector("summary")?.focus();
  };
  const details = make(
    "details",
    { class: "menu", toggle: fill, focusout: leave, keydown: press },
    make("summary", {}, "Match"),
    choices,
  );
  choices.addEventListener("click", close);
  return details;
}

/** @param {ReturnType<typeof table>} opened */
async function giveUp(opened) {
  if (await agreed("Give up?", "The match is lost for your side.", "Give up", "Keep playing")) void opened.end("resign");
}

/** @param {ReturnType<typeof table>} opened */
async function cancel(opened) {
  if (await agreed("Cancel the match?", "It ends for everybody, without a result.", "Cancel the match", "Keep it")) void opened.end("cancel");
}

/**
 * @param {Match} match
 * @param {Ticket} kept
 */
function shareDialog(match, kept) {
  const here = location.href.split("#")[0] ?? "";
  const setUp = kept.setUp && shared(kept.setUp, match);
  openDialog(
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
 * The set-up as it may be passed on: while people play, whoever knew the deal would know their tiles.
 *
 * @param {SetUp} setUp
 * @param {Match} match
 */
function shared(setUp, match) {
  if (match.status === "finished" || people(setUp) < 2) return again(setUp, match) ?? setUp;
  const { deal: _, ...rest } = setUp;
  return rest;
}

/**
 * The rules of the match, in the service's words, and which of them are its own.
 *
 * @param {Match} match
 * @param {() => Promise<Ruleset[]>} rulesets
 */
async function rulesDialog({ ruleset: id, rules, seats }, rulesets) {
  const games = await rulesets().catch(messageOf);
  if (typeof games === "string") return tell("Rules", games);
  const game = games.find((each) => each.id === id);
  const usualRules = game?.tables.find((each) => each.seats === seats.length);
  if (!game || !usualRules) return tell("Rules", "This service no longer lists the game.");
  const changed = game.parameters
    .map(({ name, title }) => ({ title, value: valueOf(rules, name), before: valueOf(usualRules.rules, name) }))
    .filter(({ value, before }) => value !== before);
  const list = changed.map(({ title, value, before }) => make("li", {}, `${title}: ${value} (usually ${before})`));
  const children = usualRules.text.split("\n\n").map((each) => make("p", {}, each));
  openDialog(
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
