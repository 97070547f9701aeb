// How to play, for somebody who sees the page for the first time.

import { make } from "./dom.js";

const HOW = [
  "Players take turns to lay a tile at an open end of the line, so that equal numbers touch. Your tiles that fit are " +
    "raised and marked: press one to play it. Where it fits several ends, press the end that you want as well.",
  "When nothing fits you draw from the boneyard, in games that have drawing, and otherwise you pass. The page offers " +
    "what you may do, and nothing else.",
  "A hand ends when somebody has played the last tile, or when nobody can go on. Its points are added to the scores, " +
    "and the match goes on until a target is reached. In some games points are penalties: there the lowest score wins.",
  "Games differ in who begins, what fits, and what scores. Where a match is set up, “The rules” has them in words, " +
    "and beside the table the scores say what decides the match.",
];
const KEYS = [
  ["← → Home End", "move along your tiles"],
  ["Enter", "play the tile"],
  ["L R U D", "left, right, up or down, when a tile fits several ends"],
  ["Esc", "take the choice back"],
  ["D", "draw, when nothing fits"],
  ["P", "pass"],
  ["N", "deal the next hand"],
  ["S", "step: let the waiting CPU seat move"],
  ["H", "hint, in a match that has them"],
];

export function help() {
  const keys = KEYS.flatMap(([names = "", does = ""]) => [
    make("dt", {}, ...names.split(" ").map((name) => make("kbd", {}, name))),
    make("dd", {}, does),
  ]);
  return make(
    "div",
    { class: "help" },
    ...HOW.map((text) => make("p", {}, text)),
    make("h3", {}, "By keyboard"),
    make("dl", { class: "keys" }, ...keys),
  );
}
