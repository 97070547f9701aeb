"use strict";
// The match that a visitor of /docs plays, and what the page makes of it: functions without a page, which tests run.
//
// A table is {id, tokens, host, match}: the match's id, the tokens that the page has been given for it (of seats by
// their numbers, and of the host or null), and the latest state that it has seen.

/** The table after an answer: a create and a join begin one, and any state of its match brings it up to date. */
function remember(table, answer) {
  const match = answer?.match ?? (answer?.viewer ? answer : null);
  if (!match) return table;
  const given = Object.fromEntries((answer.tokens ?? []).map(({ seat, token }) => [seat, token]));
  const isNew = answer.host_token || (answer.tokens && table?.id !== match.id);
  if (isNew) return { id: match.id, tokens: given, host: answer.host_token ?? null, match };
  if (table?.id !== match.id || match.version < table.match.version) return table;
  return { ...table, tokens: { ...table.tokens, ...given }, match };
}

/** As whom to act: the seat that has the turn, or else the seat that looks already, any seat, the host. */
function actor(table) {
  const { hand, viewer } = table.match;
  const seat = [hand?.turn, viewer.seat, ...Object.keys(table.tokens)].find((each) => each in table.tokens);
  if (seat !== undefined) return { role: "seat", seat: Number(seat), token: table.tokens[seat] };
  return table.host ? { role: "host", seat: null, token: table.host } : { role: "spectator", seat: null, token: null };
}

/** Whether the state is the one that the actor sees, with its tiles and its moves. */
function isSeenBy({ viewer }, { role, seat }) {
  return viewer.role === role && viewer.seat === seat;
}

/** What may be posted now: the legal moves, each to the path that its type names, and a step where a CPU seat waits. */
function calls({ status, hand, seats, pacing }) {
  const moves = (hand?.legal_moves ?? []).map((move) => ({ label: labelOf(move), path: move.type, body: move }));
  const waits = status === "playing" && pacing === "step" && seats[hand.turn]?.kind === "cpu";
  return waits ? [...moves, { label: `step: let seat ${hand.turn} move`, path: "step", body: {} }] : moves;
}

function labelOf({ type, tile, end }) {
  return [type.replace("-", " "), tile, end].filter(Boolean).join(" ");
}

/** How the match stands for whoever looks at it, in sentences. */
function sentences({ status, ruleset, hand, viewer, seats, scores, result }) {
  const you = viewer.role === "seat" ? `You are seat ${viewer.seat}` : `You look on as ${viewer.role}`;
  const points = scores.map(({ team, points }) => `team ${team} has ${points}`).join(", ");
  const said = [`${you} in ${ruleset}${hand ? `, hand ${hand.number}` : ""}: ${points}.`];
  const tiles = seats[viewer.seat]?.tiles;
  if (status === "playing") said.push(hand.layout.text);
  if (status === "playing" && tiles) said.push(`Your tiles: ${tiles.join(", ")}.`);
  return [...said, turnOf(status, hand, viewer, result)];
}

function turnOf(status, hand, viewer, result) {
  switch (status) {
    case "waiting":
      return "Seats are open: execute join_match for each.";
    case "playing":
      return hand.turn === viewer.seat ? "It is your turn." : `It is the turn of seat ${hand.turn}.`;
    case "hand_over":
      return "The hand is over.";
    case "finished":
      return `The match is finished: ${winner(result)} wins, by ${result.reason}.`;
  }
  return "The match was cancelled.";
}

function winner({ winner }) {
  return winner === null ? "nobody" : `team ${winner}`;
}

/** The operations of an OpenAPI document that are about one match, by their ids: each its path and method. */
function operationsOnMatch({ paths }) {
  const found = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => [operationId, [path, method]]),
  );
  return Object.fromEntries(found.filter(([, [path]]) => path.includes("{match_id}")));
}

/** The document as forms show it: an example that would be sent as it stands is told in words instead. */
function forForms(document) {
  const told = ({ example, ...parameter }) => {
    const description = `${parameter.description ?? ""} Example: \`${example}\``;
    return example === undefined ? parameter : { ...parameter, description };
  };
  const isList = (name, part) => name === "parameters" && Array.isArray(part);
  return JSON.parse(JSON.stringify(document), (name, part) => (isList(name, part) ? part.map(told) : part));
}
