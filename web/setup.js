// Set-ups of a match: what `POST /v1/matches` takes, as a link that carries it, and as one begins. Nothing here knows
// of a page: Node runs it as well.

/** @import { Match, Ruleset, SetUp } from "./types.js" */
/** @typedef {NonNullable<SetUp["seats"]>[number]} Player */
/** @typedef {NonNullable<SetUp["deal"]>} Deal */
/** @typedef {Record<string, unknown>} Overrides Values of parameters by their names. */

export const LEVELS = /** @type {const} */ (["easy", "medium", "hard", "expert"]);

const START = "new?";
const FLAGS = /** @type {const} */ (["auto_pass", "hints", "listed"]);
const OWN = new Set(["ruleset", "seats", "deal", "boneyard", "clock", "pacing", ...FLAGS]); // all others are rules
const RULESET = /^[a-z0-9]+(-[a-z0-9]+)*$/;
const RULE = /^[a-z][a-z_]*$/;
const TILE = /^(1[0-2]|[0-9])-(1[0-2]|[0-9])$/;
const SEED = /^[0-9a-f]{64}$/i;
const MOST_TILES = 63; // as many as the expert and hints can look ahead with

/**
 * The fragment of an address that carries a set-up, such as `#new?ruleset=draw&seats=human,hard&target=50&deal=123`.
 * Names of people stay where they are.
 *
 * @param {SetUp} setUp
 */
export function linkOf(setUp) {
  const { ruleset, rules = {}, seats, deal, clock, pacing } = setUp;
  const parts = [
    ["ruleset", ruleset],
    ["seats", seats?.map((player) => (player.kind === "cpu" ? player.level ?? "cpu" : player.kind)).join()],
    ...Object.entries(rules).map(([name, value]) => [name, written(value)]),
    ["deal", deal && dealt(deal)],
    ["boneyard", deal?.kind === "fixed" ? deal.boneyard?.join() : undefined],
    ["clock", clock?.seconds_per_hand],
    ["pacing", pacing],
    ...FLAGS.map((flag) => [flag, setUp[flag]]),
  ];
  const given = parts.filter(([, value]) => value !== undefined);
  return `#${START}${given.map(([name, value]) => `${name}=${readable(String(value))}`).join("&")}`;
}

/**
 * The set-up that a fragment carries; null for one that names no game. Anybody may have edited it, so that what is no
 * value of its kind is left out; with the rule sets, also what is no rule of the game. The service judges the rest.
 *
 * @param {string} fragment With its `#` or without.
 * @param {Ruleset[] | null} rulesets
 * @returns {SetUp | null}
 */
export function setUpOf(fragment, rulesets = null) {
  const link = fragment.replace(/^#/, "");
  const given = new URLSearchParams(link.startsWith(START) ? link.slice(START.length) : "");
  const ruleset = given.get("ruleset") ?? "";
  const game = rulesets?.find(({ id }) => id === ruleset);
  if (!RULESET.test(ruleset) || ruleset.length > 40 || (rulesets && !game)) return null;
  /** @type {SetUp} */
  const setUp = { ruleset };
  const rules = readRules(given, game);
  if (Object.keys(rules).length) setUp.rules = rules;
  const seats = (given.get("seats") ?? "").split(",").map(playerOf);
  const players = seats.filter((player) => player !== null);
  if (players.length === seats.length && seats.length >= 2 && seats.length <= 9) setUp.seats = players;
  const deal = dealOf(given.get("deal") ?? "", given.get("boneyard"));
  if (deal) setUp.deal = deal;
  const seconds = number(given.get("clock"), 1, 86400);
  if (seconds !== null) setUp.clock = { seconds_per_hand: seconds };
  const pacing = given.get("pacing");
  if (pacing === "auto" || pacing === "step") setUp.pacing = pacing;
  for (const flag of FLAGS) if (/^(true|false)$/.test(given.get(flag) ?? "")) setUp[flag] = given.get(flag) === "true";
  return setUp;
}

/**
 * How most people begin: in seat 0, against CPU seats.
 *
 * @param {Ruleset} ruleset
 * @param {number} [count] The number of seats.
 * @returns {SetUp}
 */
export function usual(ruleset, count = ruleset.seat_counts[0] ?? 2) {
  return {
    ruleset: ruleset.id,
    seats: Array.from({ length: count }, (_, seat) => (seat ? { kind: "cpu", level: "medium" } : { kind: "human" })),
    deal: { kind: "numbered", number: newNumber() },
    pacing: "auto",
    auto_pass: true,
    hints: canLookAhead(rulesOf(ruleset, count)),
  };
}

/** A number of a deal by chance, short enough to be told. */
export function newNumber() {
  return 1 + ((crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) % 999_999);
}

/**
 * The same deal again, as others may play it too; null while a secret one is still played.
 *
 * @param {SetUp} setUp What the match was created with.
 * @param {Match} match
 * @returns {SetUp | null}
 */
export function again(setUp, match) {
  if (match.deal.kind !== "secret") return setUp;
  return match.deal.seed ? { ...setUp, deal: { kind: "seeded", seed: match.deal.seed } } : null;
}

/**
 * The same table with another deal.
 *
 * @param {SetUp} setUp
 * @returns {SetUp}
 */
export function anew(setUp) {
  const numbered = setUp.deal?.kind === "numbered";
  return { ...setUp, deal: numbered ? { kind: "numbered", number: newNumber() } : { kind: "secret" } };
}

/**
 * How many seats are people's, now or later.
 *
 * @param {SetUp} setUp
 */
export function people({ seats }) {
  return seats ? seats.filter(({ kind }) => kind !== "cpu").length : 1;
}

/**
 * What two people may play: anybody can work out a numbered deal, so that theirs is secret.
 *
 * @param {SetUp} setUp
 * @returns {SetUp}
 */
export function forPeople(setUp) {
  return setUp.deal?.kind === "numbered" && people(setUp) > 1 ? { ...setUp, deal: { kind: "secret" } } : setUp;
}

/**
 * The rules as so many seats play by them.
 *
 * @param {Ruleset} ruleset
 * @param {number} count
 * @param {Overrides} overrides
 * @returns {Ruleset["tables"][number]["rules"]}
 */
export function rulesOf(ruleset, count, overrides = {}) {
  const table = ruleset.tables.find(({ seats }) => seats === count) ?? ruleset.tables[0];
  if (!table) throw new Error(`${ruleset.id} has no tables`);
  return { ...table.rules, ...overrides };
}

/** @param {{ highest_double: number, removed_tiles: string[] }} rules */
export function tileCount({ highest_double: highest, removed_tiles: removed }) {
  return ((highest + 1) * (highest + 2)) / 2 - removed.length;
}

/**
 * Whether expert seats and hints are to be had: not with a set so large.
 *
 * @param {{ highest_double: number, removed_tiles: string[] }} rules
 */
export function canLookAhead(rules) {
  return tileCount(rules) <= MOST_TILES;
}

/**
 * Whether a parameter's JSON Schema allows a value. It knows as much of JSON Schema as the rule sets use.
 *
 * @param {any} schema
 * @param {unknown} value
 * @returns {boolean}
 */
export function allows(schema, value) {
  if (schema.enum) return schema.enum.includes(value);
  if ("const" in schema) return schema.const === value;
  if (schema.type === "boolean") return typeof value === "boolean";
  if (schema.type === "integer")
    return Number.isInteger(value) && Number(value) >= schema.minimum && Number(value) <= schema.maximum;
  if (schema.type === "string") return typeof value === "string" && new RegExp(schema.pattern, "u").test(value);
  return Array.isArray(value) && value.length <= schema.maxItems && value.every((each) => allows(schema.items, each));
}

/** @param {Deal} deal */
function dealt(deal) {
  if (deal.kind === "fixed") return deal.hands.map((tiles) => tiles.join()).join("/");
  return deal.kind === "numbered" ? deal.number : deal.kind === "seeded" ? deal.seed : deal.kind;
}

/**
 * @param {string} text
 * @param {string | null} boneyard
 * @returns {Deal | null}
 */
function dealOf(text, boneyard) {
  if (text === "secret") return { kind: text };
  if (SEED.test(text)) return { kind: "seeded", seed: text };
  const known = number(text, 0, 4294967295);
  if (known !== null) return { kind: "numbered", number: known };
  const hands = text.split("/").map((tiles) => tiles.split(","));
  const rest = boneyard ? boneyard.split(",") : [];
  if (hands.length < 2 || ![...hands.flat(), ...rest].every((tile) => TILE.test(tile))) return null;
  return { kind: "fixed", hands, ...(boneyard !== null && { boneyard: rest }) };
}

/**
 * @param {string} word
 * @returns {Player | null}
 */
function playerOf(word) {
  if (word === "human" || word === "open" || word === "cpu") return { kind: word };
  const level = LEVELS.find((each) => each === word);
  return level ? { kind: "cpu", level } : null;
}

/**
 * @param {string | null} text
 * @param {number} least
 * @param {number} most
 */
function number(text, least, most) {
  const value = /^\d{1,10}$/.test(text ?? "") ? Number(text) : NaN;
  return value >= least && value <= most ? value : null;
}

/**
 * A value of a rule: a text as it is, unless it could be taken for something else.
 *
 * @param {unknown} value
 */
function written(value) {
  return typeof value === "string" && parsed(value) === value ? value : JSON.stringify(value);
}

/** @param {string} text */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/**
 * @param {URLSearchParams} given
 * @param {Ruleset | undefined} game
 * @returns {Overrides}
 */
function readRules(given, game) {
  /** @param {string} name @param {unknown} value */
  const isRule = (name, value) => {
    const schema = game?.parameters.find((parameter) => parameter.name === name)?.schema;
    return game ? schema && allows(schema, value) : isPlain(value) || (Array.isArray(value) && value.every(isPlain));
  };
  const named = [...given].filter(([name]) => RULE.test(name) && !OWN.has(name));
  const read = named.map(([name, text]) => /** @type {const} */ ([name, parsed(text)]));
  return Object.fromEntries(read.filter(([name, value]) => isRule(name, value)));
}

/** @param {unknown} value */
function isPlain(value) {
  return typeof value === "boolean" || typeof value === "string" || Number.isSafeInteger(value);
}

/** What an address may hold as it is stays as it is. @param {string} text */
function readable(text) {
  return encodeURIComponent(text).replace(/%(2C|2F|3A)/g, decodeURIComponent);
}
