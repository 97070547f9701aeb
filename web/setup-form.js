// The form of a new match. Every choice in it comes from the rule sets; of games, only those to begin with are named
// here.

import { button, make } from "./dom.js";
import { like, liked } from "./keep.js";
import { messageOf } from "./service.js";
import { LEVELS, allows, canLookAhead, forPeople, newNumber, people, rulesOf, tileCount, usual } from "./setup.js";

/** @import { Parameter, Ruleset, SetUp } from "./types.js" */
/** @import { Overrides, Player } from "./setup.js" */

const QUICK = ["partner-penalty", "all-fives", "draw", "block"];
const MINUTES = [1, 2, 3, 4, 5, 10];
/** @type {Record<string, string>} What the contract says of seats that it numbers from 0. */
const HINTS = { partners: "pairs: seats 1 and 3 play seats 2 and 4; none: each seat is its own team." };
const MAIN_RULES = ["target", "hand_size"]; // the others are under "More rules"

let made = 0;

/**
 * @param {{ rulesets: Ruleset[], onCreate: (setUp: SetUp) => unknown }} given What `onCreate` throws, or its
 *   promise is rejected with, is shown.
 */
export function setupForm({ rulesets, onCreate }) {
  const [first] = rulesets;
  if (!first) throw new Error("there is no game to choose from");
  let game = first;
  let count = 2;
  /** @type {Overrides} Only those that differ from the game's. */
  let changed = {};
  /** @type {HTMLSelectElement[]} By seat. */
  let seats = [];
  /** @type {Extract<SetUp["deal"], { kind: "fixed" }> | null} The tiles of a set-up that names them. */
  let fixed = null;
  let wanted = "numbered"; // the deal that was chosen, whether or not it can be had just now

  const picker = gamePicker(rulesets, choose);
  const about = make("div", { class: "setup-about", "aria-live": "polite" });
  const text = details("The rules");
  const counts = make("fieldset", { class: "setup-counts" });
  const places = make("div", { class: "setup-seats" });
  const name = make("input", { maxlength: 40, autocomplete: "nickname" });
  const listed = make("input", { type: "checkbox" });
  const company = make(
    "div",
    { class: "setup-company" },
    field("Your name", name),
    check("Show the table in the lobby", listed),
    remark("You get a link to send for each open seat. The match begins once all are taken."),
  );
  const main = make("div", { class: "setup-pair" });
  const more = details("More rules");
  const reset = button("Back to the usual rules", () => {
    changed = {};
    more.querySelector("summary")?.focus();
    drawGame(seated());
  });

  const dealKind = choice(
    { numbered: "By number", secret: "Secret", seeded: "By seed", fixed: "Given tiles" },
    () => void ((wanted = dealKind.value), refresh()),
  );
  const dealNumber = numberInput(0, 4294967295);
  const dice = button("New number", () => void ((dealNumber.value = String(newNumber())), refresh()));
  const numbered = make("div", { class: "setup-row" }, field("Number of the deal", dealNumber), dice);
  const seed = make("input", { maxlength: 64, pattern: "[0-9a-fA-F]{64}", required: true, spellcheck: "false" });
  const seeded = field("Seed", seed, "64 hexadecimal digits, such as a finished match shows.");
  const dealHint = remark("");
  const clock = choice({}, refresh);
  const pacing = choice({ auto: "Play by themselves", step: "Wait until you press Step" }, refresh);
  const autoPass = make("input", { type: "checkbox" });
  const hints = make("input", { type: "checkbox" });
  const noHints = remark("With a set this large there are no hints and no expert.");
  const options = details(
    "Deal, clock and help",
    field("Deal", dealKind),
    numbered,
    seeded,
    dealHint,
    field("Clock", clock, "What each person has for all turns of a hand; who uses it up loses the match."),
    field("CPU seats", pacing),
    check("Pass for me when I can do nothing else", autoPass),
    check("Hints: what each move is worth, when I ask", hints),
    noHints,
  );

  const trouble = make("p", { class: "trouble", role: "alert" });
  const send = make("button", { class: "primary" });
  const foot = make("div", { class: "setup-foot" }, trouble, make("div", { class: "setup-row" }, send));
  const heading = make("h1", { id: `setup-${++made}` }, "New match");
  const element = make(
    "form",
    { class: "card setup", "aria-labelledby": heading.id, autocomplete: "off", submit, input: refresh },
    heading,
    picker.quick,
    picker.all,
    make("div", {}, about, text),
    counts,
    group("Who plays", places),
    company,
    main,
    make("div", {}, options, more),
    foot,
  );
  // What is wrong may be in a part that is folded: it has to be seen to be told.
  element.addEventListener("invalid", ({ target }) => unfold(/** @type {Element} */ (target)), true);
  more.addEventListener("toggle", () => more.querySelector("[data-rule]") ?? drawMore()); // only for who wants it

  /** @param {SetUp} setUp */
  function show(setUp) {
    game = rulesets.find(({ id }) => id === setUp.ruleset) ?? first ?? game;
    const players = setUp.seats ?? usual(game).seats ?? [];
    count = game.seat_counts.includes(players.length) ? players.length : (game.seat_counts[0] ?? 2);
    changed = {};
    for (const [rule, value] of Object.entries(setUp.rules ?? {})) change(rule, value);
    const deal = setUp.deal ?? { kind: "secret" };
    fixed = deal.kind === "fixed" ? deal : null;
    wanted = deal.kind;
    dealNumber.value = String(deal.kind === "numbered" ? deal.number : newNumber());
    seed.value = deal.kind === "seeded" ? deal.seed : "";
    offerClock(setUp.clock?.seconds_per_hand ?? 0);
    pacing.value = setUp.pacing ?? "auto";
    autoPass.checked = setUp.auto_pass ?? false;
    hints.checked = setUp.hints ?? false;
    listed.checked = setUp.listed ?? false;
    name.value = liked().name;
    drawGame(players.map(wordOf));
    fail("");
  }

  /** @param {string} message Why the set-up is refused. */
  function fail(message) {
    trouble.textContent = message;
  }

  /** The set-up as it stands. */
  function chosen() {
    const ahead = canLookAhead(rules());
    const own = name.value.trim();
    /** @type {SetUp} */
    const setUp = {
      ruleset: game.id,
      ...(Object.keys(changed).length > 0 && { rules: changed }),
      seats: seated().map((word) => playerOf(word, own)),
      deal: dealOf(),
      pacing: pacing.value === "step" ? "step" : "auto",
      auto_pass: autoPass.checked,
      hints: hints.checked && ahead,
      ...(isOpen() && { listed: listed.checked }),
      ...(clock.value !== "0" && { clock: { seconds_per_hand: Number(clock.value) } }),
    };
    return forPeople(setUp);
  }

  /** @returns {NonNullable<SetUp["deal"]>} */
  function dealOf() {
    if (wanted === "numbered") return { kind: wanted, number: Number(dealNumber.value) };
    if (wanted === "seeded") return { kind: wanted, seed: seed.value };
    return wanted === "fixed" && fixed ? fixed : { kind: "secret" };
  }

  const rules = () => rulesOf(game, count, changed);
  const seated = () => seats.map(({ value }) => value);
  const isOpen = () => seated().includes("open");

  /** @param {SubmitEvent} event */
  async function submit(event) {
    event.preventDefault();
    like({ name: name.value.trim() });
    fail("");
    send.disabled = true;
    try {
      await onCreate(chosen());
    } catch (error) {
      fail(messageOf(error));
    } finally {
      send.disabled = false;
    }
  }

  // The game

  /** @param {Ruleset} chosenGame */
  function choose(chosenGame) {
    const words = seated();
    game = chosenGame;
    count = game.seat_counts.includes(count) ? count : (game.seat_counts[0] ?? 2);
    changed = {};
    if (wanted === "fixed") wanted = "secret";
    fixed = null;
    drawGame(words);
    fail("");
  }

  /** @param {string[]} words Who sits where, as far as it is known. */
  function drawGame(words) {
    picker.show(game);
    const [summary = "", assumed] = plain(game.summary).split(" Assumed: ");
    about.replaceChildren(make("h2", {}, game.title), make("p", {}, summary));
    const sources = `From ${game.sources.map((each) => each.replace(/^https?:\/\/(www\.)?/, "")).join("; ")}.`;
    const assumptions = assumed && remark(`Where the sources differ, this is assumed: ${assumed}`);
    const paragraphs = game.tables.find((table) => table.seats === count)?.text.split("\n\n") ?? [];
    fill(text, ...paragraphs.map((each) => make("p", {}, each)), assumptions, remark(sources));
    drawCounts();
    drawSeats(words);
    drawMain();
    drawMore();
    refresh();
  }

  function drawCounts() {
    const isFocused = counts.contains(document.activeElement);
    const radios = [...game.seat_counts].sort((one, other) => one - other).map((each) => {
      const props = { type: "radio", name: "count", value: each, checked: each === count };
      const pick = () => void ((count = each), drawGame(seated()));
      return check(String(each), make("input", { ...props, change: pick }));
    });
    counts.hidden = radios.length < 2;
    counts.replaceChildren(make("legend", {}, "Number of seats"), ...radios);
    if (isFocused) radios.find((each) => each.querySelector(":checked"))?.querySelector("input")?.focus();
  }

  // The seats

  /** @param {string[]} words */
  function drawSeats(words) {
    const last = words.findLast((word) => word !== "human") ?? "medium";
    if (words.includes("human") && !words.slice(0, count).includes("human")) words = ["human", ...words.slice(1)];
    seats = Array.from({ length: count }, (_, seat) => {
      const select = make(
        "select",
        { change: () => sit(select) },
        make("option", { value: "human" }, "You"),
        ...LEVELS.map((level) => make("option", { value: level }, `CPU, ${level}`)),
        make("option", { value: "open" }, "Open, by link"),
      );
      select.value = words[seat] ?? last;
      return select;
    });
    places.replaceChildren(...seats.map((select) => field("", select)));
    seats.filter(({ value }) => value === "human").slice(1).forEach((select) => (select.value = "open"));
    settle();
  }

  /**
   * One person uses this page: who sits down elsewhere leaves the old seat to whom the new one was meant for.
   *
   * @param {HTMLSelectElement} select
   */
  function sit(select) {
    const old = seats.find((other) => other !== select && other.value === "human");
    if (old && select.value === "human") old.value = select.dataset["was"] ?? "medium";
    settle();
    refresh();
  }

  function settle() {
    for (const select of seats) select.dataset["was"] = select.value;
  }

  // The rules

  /** @param {string} rule @param {unknown} value */
  function change(rule, value) {
    const parameter = game.parameters.find((each) => each.name === rule);
    if (!parameter || !allows(parameter.schema, value)) return;
    const usualOne = /** @type {Overrides} */ (rulesOf(game, count))[rule];
    if (JSON.stringify(usualOne) === JSON.stringify(value)) delete changed[rule];
    else changed[rule] = value;
  }

  function drawMain() {
    main.replaceChildren(...game.parameters.filter((each) => MAIN_RULES.includes(each.name)).map(ruleField).reverse());
  }

  function drawMore() {
    const others = more.open ? game.parameters.filter((each) => !MAIN_RULES.includes(each.name)) : [];
    fill(more, reset, make("div", { class: "setup-rules" }, ...others.map(ruleField)));
    mark();
  }

  function mark() {
    reset.hidden = Object.keys(changed).length === 0;
    for (const each of more.querySelectorAll("[data-rule]"))
      each.classList.toggle("changed", (each.getAttribute("data-rule") ?? "") in changed);
  }

  /** @param {Parameter} parameter */
  function ruleField(parameter) {
    const rule = parameter.name;
    const now = rules();
    const value = /** @type {Overrides} */ (now)[rule];
    const usually = /** @type {Overrides} */ (rulesOf(game, count))[rule];
    const set = (/** @type {unknown} */ next) => {
      change(rule, next);
      if (!MAIN_RULES.includes(rule)) drawMain(); // how many tiles there are bounds a hand
      mark();
      refresh();
    };
    const { schema } = parameter;
    const most = Math.floor(tileCount(now) / count);
    const found =
      rule === "target"
        ? field("Match ends at", integerControl(schema, value, set), `points, 0: ${handsText(now.most_hands)}`)
        : rule === "hand_size"
          ? field("Tiles in hand", integerControl({ ...schema, maximum: most }, value, set))
          : parameterField(parameter, value, usually, set);
    found.setAttribute("data-rule", rule);
    return found;
  }

  /** @param {number} seconds */
  function offerClock(seconds) {
    const offered = [...new Set([0, ...MINUTES.map((each) => each * 60), seconds])].sort((one, other) => one - other);
    clock.replaceChildren(...offered.map((each) => make("option", { value: each }, clockText(each))));
    clock.value = String(seconds);
  }

  /** Bring what depends on other choices up to them. */
  function refresh() {
    const ahead = canLookAhead(rules());
    const own = seated().indexOf("human");
    seats.forEach((select, seat) => {
      const expert = select.querySelector("[value=expert]");
      if (expert instanceof HTMLOptionElement) expert.disabled = !ahead;
      if (!ahead && select.value === "expert") select.value = "hard";
      const label = select.parentElement?.querySelector("label");
      if (label) label.textContent = `Seat ${seat + 1}${pairText(seat, own)}`;
    });
    const isPublic = people({ ruleset: game.id, seats: seated().map((word) => playerOf(word, "")) }) > 1;
    for (const option of dealKind.options) {
      if (option.value === "numbered") option.disabled = isPublic;
      if (option.value === "fixed") option.hidden = option.disabled = !fixed;
    }
    dealKind.value = isPublic && wanted === "numbered" ? "secret" : wanted;
    numbered.hidden = dealNumber.disabled = dealKind.value !== "numbered";
    seeded.hidden = seed.disabled = dealKind.value !== "seeded";
    dealHint.textContent = dealText(dealKind.value, isPublic);
    hints.disabled = !ahead;
    noHints.hidden = ahead;
    company.hidden = !isOpen();
    send.textContent = isOpen() ? "Open the table" : "Deal";
    const deal = { numbered: `deal ${dealNumber.value}`, seeded: "seeded deal", fixed: "given tiles" }[dealKind.value];
    const time = clock.value === "0" ? "no clock" : clockText(Number(clock.value));
    tell(options, `${deal ?? "secret deal"}, ${time}, ${hints.checked && ahead ? "hints" : "no hints"}`);
    const others = Object.keys(changed).filter((rule) => !MAIN_RULES.includes(rule)).length;
    tell(text, Object.keys(changed).length ? "without your changes" : "");
    tell(more, others ? `${others} changed` : "as usual");
  }

  /** @param {number} seat @param {number} own */
  function pairText(seat, own) {
    if (rules().partners !== "pairs") return "";
    if (own < 0) return seat % 2 ? ", pair B" : ", pair A";
    return seat !== own && seat % 2 === own % 2 ? ", your partner" : "";
  }

  show(usual(first));
  return { element, show, fail };
}

/**
 * The games to choose from: a few at hand, and all of them to be searched.
 *
 * @param {Ruleset[]} rulesets
 * @param {(ruleset: Ruleset) => void} choose
 */
function gamePicker(rulesets, choose) {
  const search = make("input", { type: "search", input: filter, keydown: chooseFirst });
  const groups = [...new Set(rulesets.map(groupOf))].map(gameGroup);
  const nothing = remark("No game matches.");
  const all = details(`All ${rulesets.length} games`, field("Find by name or rule", search), ...groups, nothing);
  const few = rulesets.filter(({ id }) => QUICK.includes(id)).map((each) => gameButton(each, each.title));
  const quick = make("div", { class: "setup-quick", role: "group", "aria-label": "Games to begin with" }, ...few);

  nothing.hidden = true;

  /** @param {Ruleset} game @param {...(string | Node)} label */
  function gameButton(game, ...label) {
    const click = () => {
      if (all.open) all.querySelector("summary")?.focus();
      all.open = false;
      choose(game);
    };
    return make("button", { type: "button", "data-game": game.id, click }, ...label);
  }

  /** @param {string} title */
  function gameGroup(title) {
    const items = rulesets.filter((each) => groupOf(each) === title).map((each) => {
      const head = make("span", {}, make("strong", {}, each.title), make("small", {}, ` · ${seatsText(each)}`));
      const about = make("small", {}, `${plain(each.summary.split(". ")[0] ?? "")}.`);
      const text = `${each.title} ${each.summary}`.toLowerCase();
      return make("li", { "data-text": text }, gameButton(each, head, " ", about));
    });
    return make("section", { class: "setup-group" }, make("h2", {}, title), make("ul", {}, ...items));
  }

  function filter() {
    const words = search.value.toLowerCase().split(/\s+/);
    for (const each of groups) {
      for (const item of each.querySelectorAll("li"))
        item.hidden = !words.every((word) => item.dataset["text"]?.includes(word));
      each.hidden = !each.querySelector("li:not([hidden])");
    }
    nothing.hidden = groups.some((each) => !each.hidden);
  }

  /** @param {KeyboardEvent} event */
  function chooseFirst(event) {
    if (event.key !== "Enter") return;
    event.preventDefault(); // it does not deal
    if (search.value) all.querySelector("section:not([hidden]) li:not([hidden])")?.querySelector("button")?.click();
  }

  /** @param {Ruleset} game */
  function show({ id }) {
    for (const each of [...quick.children, ...all.querySelectorAll("[data-game]")])
      each.setAttribute("aria-pressed", String(each.getAttribute("data-game") === id));
  }

  return { quick, all, show };
}

/**
 * A control for a parameter, by its JSON Schema.
 *
 * @param {Parameter} parameter
 * @param {unknown} value
 * @param {unknown} usually What the game has.
 * @param {(value: unknown) => void} set
 */
function parameterField({ name, title, schema: given }, value, usually, set) {
  const schema = /** @type {any} */ (given);
  const label = title.charAt(0) + title.slice(1).toLowerCase();
  const hint = HINTS[name] ?? plain(schema.description ?? "");
  if (schema.type === "boolean") {
    const box = make("input", { type: "checkbox", checked: value === true, change: () => set(box.checked) });
    return check(label, box, hint);
  }
  if (schema.enum) {
    /** @type {unknown[]} */
    const values = schema.enum;
    const named = values.map((each) => [String(each), `${plain(String(each))}${each === usually ? " (usual)" : ""}`]);
    const select = choice(Object.fromEntries(named), () => set(values.find((each) => String(each) === select.value)));
    select.value = String(value);
    return field(label, select, hint);
  }
  if (schema.type === "integer") return field(label, integerControl(schema, value, set), hint);
  const example = schema.items.pattern ? "Tiles such as 6-4, 0-0." : "Numbers such as 5, 10.";
  return field(label, listControl(schema, value, set), `${hint} ${example}`);
}

/** @param {any} schema @param {unknown} value @param {(value: unknown) => void} set */
function integerControl({ minimum, maximum }, value, set) {
  const control = numberInput(minimum, maximum);
  control.value = String(value);
  control.addEventListener("input", () => set(control.valueAsNumber));
  return control;
}

/** @param {any} schema @param {unknown} value @param {(value: unknown) => void} set */
function listControl(schema, value, set) {
  const read = () => {
    const words = control.value.split(/[\s,]+/).filter(Boolean);
    const list = schema.items.type === "integer" ? words.map(Number) : words;
    control.setCustomValidity(allows(schema, list) ? "" : "This is not a list of what belongs here.");
    set(list);
  };
  const text = /** @type {unknown[]} */ (value).join(", ");
  const control = make("input", { value: text, change: read, placeholder: "none" });
  return control;
}

/** @param {Player} player */
const wordOf = (player) => (player.kind === "cpu" ? (player.level ?? "medium") : player.kind);

/**
 * @param {string} word
 * @param {string} name
 * @returns {Player}
 */
function playerOf(word, name) {
  const level = LEVELS.find((each) => each === word);
  if (level) return { kind: "cpu", level };
  return word === "open" ? { kind: word } : { kind: "human", ...(name && { name }) };
}

/** What a game is about, for the list. @param {Ruleset} ruleset */
function groupOf(ruleset) {
  const rules = rulesOf(ruleset, ruleset.seat_counts[0] ?? 2);
  if (rules.scored_multiples.length || rules.equal_ends_points.length) return "Points for the open ends";
  if (rules.scoring === "penalty") return "The lowest score wins";
  return rules.partners === "pairs" ? "In pairs" : "Each alone";
}

/** @param {Ruleset} ruleset */
function seatsText({ seat_counts: counts }) {
  const least = Math.min(...counts);
  return `${counts.length > 1 ? `${least}–${Math.max(...counts)}` : least} seats`;
}

/** @param {number} most What decides a match without a target. */
const handsText = (most) => (most > 1 ? `${most} hands` : "one hand");

/** @param {number} seconds */
function clockText(seconds) {
  if (seconds === 0) return "None";
  if (seconds % 60) return `${seconds} seconds a hand`;
  return seconds === 60 ? "1 minute a hand" : `${seconds / 60} minutes a hand`;
}

/** @param {string} kind @param {boolean} isPublic */
function dealText(kind, isPublic) {
  if (kind === "numbered") return "The same number is the same deal for everybody: play it again, or let a friend.";
  if (kind === "fixed") return "The first hand has the tiles that the link gives; later hands are dealt by chance.";
  if (kind === "seeded") return "The same seed is the same deals. Nobody else sees it before the match is finished.";
  if (isPublic) return "Dealt by chance. Between people no deal has a number, as anybody could look its tiles up.";
  return "Dealt by chance. Once the match is finished, the same deals can be played again.";
}

/** A text of the service without its marks of code: names become words. @param {string} text */
const plain = (text) => text.replace(/`([^`]*)`|^[a-z_]+$/g, (all, code) => (code ?? all).replaceAll("_", " "));

// Parts of a form

/** @param {string} text */
const remark = (text) => make("p", { class: "setup-hint" }, text);

/** @param {string} title @param {...(Node | null)} children */
function group(title, ...children) {
  return make("fieldset", {}, make("legend", {}, title), ...children);
}

/** @param {string} title @param {...Node} children */
function details(title, ...children) {
  return make("details", {}, make("summary", {}, title, " ", make("span", { class: "setup-told" })), ...children);
}

/** Fill what is folded anew. @param {HTMLDetailsElement} part @param {...(Node | undefined | "")} children */
function fill(part, ...children) {
  while (part.children.length > 1) part.lastElementChild?.remove();
  part.append(...children.filter((each) => each instanceof Node));
}

/** Say in short what a folded part holds. @param {HTMLDetailsElement} part @param {string} text */
function tell(part, text) {
  const told = part.querySelector(".setup-told");
  if (told && told.textContent !== text) told.textContent = text;
}

/** @param {Element} element */
function unfold(element) {
  const part = element.closest("details");
  if (part) part.open = true;
}

/** @param {Record<string, string>} options @param {() => void} change */
function choice(options, change) {
  return make("select", { change }, ...Object.entries(options).map(([value, text]) => make("option", { value }, text)));
}

/** @param {number} min @param {number} max */
function numberInput(min, max) {
  return make("input", { type: "number", inputmode: "numeric", min, max, step: 1, required: true });
}

/**
 * A control with its label and, where there is more to say, a description.
 *
 * @param {string} label
 * @param {HTMLElement} control
 * @param {string} [hint]
 */
function field(label, control, hint) {
  control.id = `setup-${++made}`;
  const named = make("label", { for: control.id }, label);
  return make("div", { class: "setup-field" }, named, control, hinted(control, hint));
}

/** @param {string} label @param {HTMLInputElement} box @param {string} [hint] */
function check(label, box, hint) {
  return make("div", { class: "setup-check" }, make("label", {}, box, " ", label), hinted(box, hint));
}

/** @param {HTMLElement} control @param {string} [hint] */
function hinted(control, hint) {
  if (!hint) return null;
  const id = `setup-${++made}`;
  control.setAttribute("aria-describedby", id);
  return make("small", { id }, hint);
}
