"""`docs/tables.md` and what the README says of tables, followed to the letter."""

import json
from pathlib import Path

import httpx

from tests.documents import Document, post
from tests.programs import NODE, printed
from tests.serving import Served

README = Document.read("README.md")
TABLES = Document.read("docs/tables.md")

PLAYING = """
import { follow, post } from "./capicua.mjs";
const [match, ...tokens] = process.argv.slice(2);
const follower = (async () => {
  const seen = [];
  for await (const event of follow(match)) seen.push(event.seq);
  return seen;
})();
const read = async (token) => (await fetch(match, { headers: { Authorization: `Bearer ${token}` } })).json();
for (let state = await read(tokens[0]); state.status === "playing"; state = await read(tokens[0])) {
  const token = tokens[state.hand.turn];
  const [move] = (await read(token)).hand.legal_moves;
  await post(match, token, move.type, move);
}
const refused = await post(match, tokens[0], "pass").catch((problem) => problem.code);
console.log(JSON.stringify({ seen: await follower, refused }));
"""
"""Plays a match with the page's functions, while a spectator follows it with them."""


def test_two_people_play_a_match(tmp_path: Path, served: Served) -> None:
    (tmp_path / "table.sh").write_text(TABLES.below("From create to finish").block("bash"))
    told = printed(["bash", "table.sh"], cwd=tmp_path, SERVICE=served.url).splitlines()
    assert told == ["created: waiting", "joined: playing", "ended: finished score"]


def test_the_readme_seats_two_people(tmp_path: Path, served: Served) -> None:
    script = README.below("Play against each other").block("bash")
    told = printed(["bash", "-c", script], cwd=tmp_path, SERVICE=served.url)
    asha, bela = (json.loads((tmp_path / f"{name}.json").read_text()) for name in ("asha", "bela"))
    assert asha["match"]["id"] in told
    assert [seat["name"] for seat in bela["match"]["seats"]] == ["Asha", "Bela"]
    assert [event["type"] for event in bela["events"]][:2] == ["seat_joined", "hand_dealt"]
    assert "event: seat_joined" in told


def test_the_page_of_javascript_plays_and_follows_a_match(tmp_path: Path, served: Served) -> None:
    library, example = TABLES.below("Follow it in a browser").blocks("js")
    (tmp_path / "capicua.mjs").write_text(library)
    (tmp_path / "play.mjs").write_text(PLAYING)
    body = {"ruleset": "draw", "rules": {"target": 0}, "seats": [{"kind": "human"}, {"kind": "human"}]}
    created = post(f"{served.url}/v1/matches", json=body).json()
    address, tokens = f"{served.url}/v1/matches/{created['match']['id']}", [each["token"] for each in created["tokens"]]
    told = json.loads(printed([NODE, "play.mjs", address, *tokens], cwd=tmp_path))
    assert told["refused"] == "match-finished"
    version = httpx.get(address, timeout=60).json()["version"]
    assert told["seen"] == list(range(1, version + 1))
    (tmp_path / "example.mjs").write_text(f"const [address, token] = process.argv.slice(2);\n{example}")
    lines = printed([NODE, "example.mjs", address, tokens[0]], cwd=tmp_path).splitlines()
    assert [line.split()[0] for line in lines] == list(map(str, range(1, version + 1)))
