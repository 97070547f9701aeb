"""`docs/tables.md` and what the README says of tables, followed to the letter."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import httpx

from tests.documents import Document, post
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


def run(directory: Path, command: Sequence[str], service: Served) -> str:
    """What a command prints."""
    found = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": found, "SERVICE": service.url}
    done = subprocess.run(
        command, cwd=directory, env=environment, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_two_people_play_a_match(tmp_path: Path, served: Served) -> None:
    (tmp_path / "table.sh").write_text(TABLES.below("From create to finish").block("bash"))
    printed = run(tmp_path, ["bash", "table.sh"], served).splitlines()
    assert printed == ["created: waiting", "joined: playing", "ended: finished score"]


def test_the_readme_seats_two_people(tmp_path: Path, served: Served) -> None:
    printed = run(tmp_path, ["bash", "-c", README.below("Play against each other").block("bash")], served)
    asha, bela = (json.loads((tmp_path / f"{name}.json").read_text()) for name in ("asha", "bela"))
    assert asha["match"]["id"] in printed
    assert [seat["name"] for seat in bela["match"]["seats"]] == ["Asha", "Bela"]
    assert [event["type"] for event in bela["events"]][:2] == ["seat_joined", "hand_dealt"]
    assert "event: seat_joined" in printed


def test_the_page_of_javascript_plays_and_follows_a_match(tmp_path: Path, served: Served) -> None:
    library, example = TABLES.below("Follow it in a browser").blocks("js")
    (tmp_path / "capicua.mjs").write_text(library)
    (tmp_path / "play.mjs").write_text(PLAYING)
    body = {"ruleset": "draw", "rules": {"target": 0}, "seats": [{"kind": "human"}, {"kind": "human"}]}
    created = post(f"{served.url}/v1/matches", json=body).json()
    address, tokens = f"{served.url}/v1/matches/{created['match']['id']}", [each["token"] for each in created["tokens"]]
    printed = json.loads(run(tmp_path, ["node", "play.mjs", address, *tokens], served))
    assert printed["refused"] == "match-finished"
    version = httpx.get(address, timeout=60).json()["version"]
    assert printed["seen"] == list(range(1, version + 1))
    (tmp_path / "example.mjs").write_text(f"const [address, token] = process.argv.slice(2);\n{example}")
    lines = run(tmp_path, ["node", "example.mjs", address, tokens[0]], served).splitlines()
    assert [line.split()[0] for line in lines] == list(map(str, range(1, version + 1)))
