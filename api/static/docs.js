"use strict";
// Starts Swagger UI on /docs, and keeps the match that is created there at hand: its id, its tokens and a legal move.
// The tokens are kept in this tab alone, so that the match survives a reload.

const ROOT = new URL(".", location.href).href; // wherever the service is installed
const KEPT = "capicua.table";
const byId = (id) => document.getElementById(id);

let table = JSON.parse(sessionStorage.getItem(KEPT) ?? "null");
let page; // Swagger UI
let operations = {};
let schemes = []; // of security: the actor's token stands for each
let filledIn = {}; // what the forms have been given: the match's id, and the token

async function start() {
  followColorScheme();
  const specification = await (await fetch(`${ROOT}openapi.json`)).json();
  operations = operationsOnMatch(specification);
  schemes = Object.keys(specification.components.securitySchemes);
  page = SwaggerUIBundle({
    spec: { ...forForms(specification), servers: [{ url: ROOT.replace(/\/$/, "") }] },
    dom_id: "#swagger-ui",
    deepLinking: true,
    defaultModelsExpandDepth: 0,
    displayRequestDuration: true,
    docExpansion: "list",
    tryItOutEnabled: true,
    validatorUrl: null,
    onComplete: () => (table ? look() : null),
    responseInterceptor: (response) => {
      byId("call").replaceChildren();
      learn(response.body);
      return response;
    },
  });
  offerGames();
}

function followColorScheme() {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const follow = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
  dark.addEventListener("change", follow);
  follow();
}

async function offerGames() {
  const { items } = await (await fetch(`${ROOT}v1/rulesets`)).json();
  const game = byId("game");
  game.replaceChildren(...items.map(({ id, title }) => new Option(title, id)));
  const tell = () => byId("about").replaceChildren(items[game.selectedIndex].summary);
  game.addEventListener("change", tell);
  tell();
  byId("create").replaceChildren(button("Create a match", () => send("POST", "v1/matches", { ruleset: game.value })));
}

function look() {
  return send("GET", `v1/matches/${table.id}`);
}

/** Make a call as the table's actor, say so, and learn from the answer. */
async function send(method, path, body) {
  const token = path === "v1/matches" ? null : actor(table).token;
  const headers = {
    ...(body && { "Content-Type": "application/json" }),
    ...(token && { Authorization: `Bearer ${token}` }),
  };
  const moves = byId("moves");
  const isOnMoves = moves.contains(document.activeElement); // the button with the focus is about to go
  byId("table").disabled = true;
  try {
    const answer = await fetch(ROOT + path, { method, headers, body: body && JSON.stringify(body) });
    const told = await answer.json();
    if (answer.ok) await learn(told);
    else if (told.code === "unknown-match" || told.code === "invalid-token") forget();
    else if (method === "POST" && table) await look();
    report([method, `/${path}`, body && JSON.stringify(body), `→ ${answer.status}`], told); // after that of a look
  } catch (error) {
    report([method, `/${path}`, `→ ${error.message}`]);
  } finally {
    byId("table").disabled = false;
    if (isOnMoves) moves.querySelector("button")?.focus();
  }
}

function report(words, { code, title, detail } = {}) {
  const line = document.createElement("code");
  line.textContent = words.filter(Boolean).join(" ");
  byId("call").replaceChildren(line);
  if (!code) return;
  const why = Object.assign(document.createElement("a"), { href: `problems/${code}`, textContent: title });
  byId("call").append(" ", why, `. ${detail}`);
}

/** Take in an answer, whether a button here or an operation of Swagger UI was answered. */
async function learn(answer) {
  const learned = remember(table, answer);
  if (!learned || learned === table) return;
  table = learned;
  sessionStorage.setItem(KEPT, JSON.stringify(table));
  if (isSeenBy(table.match, actor(table))) show();
  else await look();
}

function forget() {
  table = null;
  sessionStorage.removeItem(KEPT);
  byId("state").replaceChildren();
  byId("moves").replaceChildren();
}

function show() {
  const { match } = table;
  byId("state").replaceChildren(
    ...[`Your match is ${match.id}.`, ...sentences(match)].map((textContent) =>
      Object.assign(document.createElement("li"), { textContent }),
    ),
  );
  const path = `v1/matches/${match.id}`;
  byId("moves").replaceChildren(
    ...calls(match).map((call) => button(call.label, () => send("POST", `${path}/${call.path}`, call.body))),
    button("look again", look),
  );
  fillIn(match);
}

function button(text, action) {
  const made = Object.assign(document.createElement("button"), { type: "button", textContent: text });
  made.addEventListener("click", action);
  return made;
}

/** Put the match's id, the actor's token and a legal move where Swagger UI asks for them. */
function fillIn({ id, hand }) {
  const { token } = actor(table);
  if (token && token !== filledIn.token) for (const name of schemes) page.preauthorizeApiKey(name, token);
  if (id !== filledIn.id)
    for (const operation of Object.values(operations))
      page.specActions.changeParam(operation, "match_id", "path", id, false);
  filledIn = { id, token };
  const move = hand?.legal_moves.find(({ type }) => type === "play");
  if (!move) return;
  const pathMethod = operations.play;
  page.oas3Actions.setRetainRequestBodyValueFlag({ value: true, pathMethod }); // or opening the form clears it
  page.oas3Actions.setRequestBodyValue({ value: JSON.stringify(move, null, 2), pathMethod });
}

start();
