"""What the page makes of set-ups: a link carries them whole, and the service accepts those that it begins with."""

import random
import string
from typing import Any, Final
from urllib.parse import unquote

import httpx
import pytest

from api.schemas import RULES_SCHEMA
from engine.catalogue import RULESETS
from tests.api.callers import CPU, HUMAN, OPEN, create, play
from tests.contract.document import DOCUMENT, validator
from tests.programs import evaluated

PARAMETERS: Final[dict[str, Any]] = RULES_SCHEMA["properties"]
SET_UP: Final = validator({"$ref": "#/components/schemas/CreateMatch"})
MANY: Final = 400
SEED: Final = "5EED" * 16
NAMES: Final = ("Asha", "Bela & Co.", "a=b#c", "Ĉu?")
LEVELS: Final = ("easy", "medium", "hard", "expert")


def made(expression: str, given: Any) -> Any:
    """What an expression over `given` and the page's set-ups is."""
    return evaluated("setup.js", expression, given)


def value(schema: dict[str, Any], rng: random.Random) -> Any:
    """Some value of a parameter."""
    if "enum" in schema:
        return rng.choice(schema["enum"])
    if schema["type"] == "boolean":
        return rng.random() < 0.5
    if schema["type"] == "integer":
        return rng.randint(schema["minimum"], schema["maximum"])
    if schema["type"] == "string":
        return tile(rng)
    return [value(schema["items"], rng) for _ in range(rng.randint(0, min(4, schema["maxItems"])))]


def tile(rng: random.Random) -> str:
    return f"{rng.randint(0, 12)}-{rng.randint(0, 12)}"


def tiles(rng: random.Random, least: int) -> list[str]:
    return [tile(rng) for _ in range(rng.randint(least, 7))]


def player(rng: random.Random) -> dict[str, Any]:
    level = {"kind": "cpu", "level": rng.choice(LEVELS)}
    return rng.choice([HUMAN, {"kind": "human", "name": rng.choice(NAMES)}, OPEN, {"kind": "cpu"}, level])


def deal(rng: random.Random, seats: int) -> dict[str, Any]:
    hands = {"kind": "fixed", "hands": [tiles(rng, 1) for _ in range(seats)]}
    return rng.choice(
        [
            {"kind": "secret"},
            {"kind": "numbered", "number": rng.choice((0, 7, 123_456, 2**32 - 1))},
            {"kind": "seeded", "seed": rng.choice((SEED, SEED.lower(), "1" * 64))},
            hands,
            {**hands, "boneyard": tiles(rng, 0)},
        ]
    )


def some(rng: random.Random) -> dict[str, Any]:
    """A set-up, by the schema: whether it can be played is another matter."""
    ruleset = rng.choice(list(RULESETS))
    seats = rng.choice(RULESETS[ruleset].seat_counts)
    fields = {
        "rules": {name: value(PARAMETERS[name], rng) for name in rng.sample(list(PARAMETERS), rng.randint(1, 12))},
        "seats": [player(rng) for _ in range(seats)],
        "deal": deal(rng, seats),
        "clock": {"seconds_per_hand": rng.randint(1, 86_400)},
        "pacing": rng.choice(("auto", "step")),
        **{name: rng.random() < 0.5 for name in ("auto_pass", "hints", "listed")},
    }
    return {"ruleset": ruleset, **{name: field for name, field in fields.items() if rng.random() < 0.7}}


def without_names(set_up: dict[str, Any]) -> dict[str, Any]:
    seats = [{key: each[key] for key in each if key != "name"} for each in set_up.get("seats", [])]
    return {**set_up, **({"seats": seats} if seats else {})}


def mangled(link: str, rng: random.Random) -> str:
    """The link after somebody's edits."""
    for _ in range(rng.randint(1, 6)):
        at = rng.randrange(len("#new?ruleset="), len(link) + 1)
        link = (
            link[:at]
            + rng.choice(["", *string.printable, "%", "%zz", "&deal=", "&seats=", "é"])
            + link[at + rng.randint(0, 3) :]
        )
    return link


@pytest.fixture
async def rulesets(client: httpx.AsyncClient) -> Any:
    return (await client.get("/v1/rulesets")).json()["items"]


async def test_a_link_carries_all_of_a_set_up_but_names(rulesets: Any) -> None:
    rng = random.Random(1)
    set_ups = [some(rng) for _ in range(MANY)]
    for set_up in set_ups:
        SET_UP.validate(set_up)
    links = made("given.map(page.linkOf)", set_ups)
    assert made("given.map((link) => page.setUpOf(link))", links) == [without_names(each) for each in set_ups]
    read = made("given[0].map((link) => page.setUpOf(link.slice(1), given[1]))", [links, rulesets])
    assert read == [without_names(each) for each in set_ups]
    safe = {*string.ascii_letters, *string.digits, *"-._~!$&'()*+,;=:@/?%"}
    for link in links:
        assert safe.issuperset(link.removeprefix("#"))
        assert not any(name in unquote(link) for name in NAMES)


def test_a_link_can_be_read() -> None:
    set_up = {
        "ruleset": "draw",
        "rules": {"target": 50, "drawing": "once", "double_first": True, "removed_tiles": ["0-0"]},
        "seats": [{"kind": "human", "name": "Asha"}, {"kind": "cpu", "level": "hard"}],
        "deal": {"kind": "numbered", "number": 123},
        "clock": {"seconds_per_hand": 240},
        "pacing": "step",
    }
    assert made("page.linkOf(given)", set_up) == (
        "#new?ruleset=draw&seats=human,hard&target=50&drawing=once&double_first=true&removed_tiles=%5B%220-0%22%5D"
        "&deal=123&clock=240&pacing=step"
    )


def test_a_text_stays_a_text_and_a_number_a_number() -> None:
    set_up = {"ruleset": "future", "rules": {"a": "7", "b": 7, "c": "true", "d": '"', "e": "", "f": ["7", 7]}}
    assert made("page.setUpOf(page.linkOf(given))", set_up) == set_up


def test_no_rule_is_called_like_another_part_of_a_link() -> None:
    others = {*DOCUMENT["components"]["schemas"]["CreateMatch"]["properties"], "boneyard"}
    assert not others & set(PARAMETERS)


@pytest.mark.parametrize(
    ("fragment", "read"),
    [
        ("", None),
        ("#", None),
        ("#new", None),
        ("#new?", None),
        ("#new?seats=human,hard", None),
        ("#new?ruleset=No+such", None),
        ("#old?ruleset=draw", None),
        ("#new?ruleset=draw", {}),
        ("#new?ruleset=draw&ruleset=block", {}),
        ("#new?ruleset=draw&seats=human", {}),
        ("#new?ruleset=draw&seats=human,genius", {}),
        ("#new?ruleset=draw&seats=" + ",".join(["open"] * 10), {}),
        ("#new?ruleset=draw&deal=4294967296", {}),
        ("#new?ruleset=draw&deal=-1", {}),
        ("#new?ruleset=draw&deal=1e3", {}),
        ("#new?ruleset=draw&deal=6-6,5-5", {}),
        ("#new?ruleset=draw&deal=6-6/13-0", {}),
        ("#new?ruleset=draw&deal=6-6/5-5&boneyard=x", {}),
        ("#new?ruleset=draw&deal=" + "g" * 64, {}),
        ("#new?ruleset=draw&clock=0", {}),
        ("#new?ruleset=draw&clock=86401", {}),
        ("#new?ruleset=draw&pacing=fast&hints=1&listed=&auto_pass=yes", {}),
        ("#new?ruleset=draw&__proto__=1&Target=5&target=null&hand_size=1.5&wild_tiles=[[]]&opener={}", {}),
        ("#new?ruleset=draw&%zz=1&target=50&clock=%", {"rules": {"target": 50}}),
    ],
)
def test_what_is_no_value_is_left_out(fragment: str, read: dict[str, Any] | None) -> None:
    assert made("page.setUpOf(given)", fragment) == (None if read is None else {"ruleset": "draw", **read})


async def test_an_edited_link_is_read_as_what_the_contract_allows_or_not_at_all(rulesets: Any) -> None:
    rng = random.Random(2)
    links = [mangled(link, rng) for link in made("given.map(page.linkOf)", [some(rng) for _ in range(MANY)])]
    read = made("given[0].map((link) => page.setUpOf(link, given[1]))", [links, rulesets])
    for set_up in read:
        if set_up is not None:
            SET_UP.validate(set_up)
    assert sum(set_up is not None for set_up in read) > MANY / 2
    assert made("page.setUpOf('#new?ruleset=draw&utm=1&target=x&hand_size=9', given)", rulesets) == {
        "ruleset": "draw",
        "rules": {"hand_size": 9},
    }


async def test_what_most_people_begin_with_is_accepted(client: httpx.AsyncClient, rulesets: Any) -> None:
    set_ups = made(
        "given.flatMap((game) => [undefined, ...game.seat_counts].map((count) => page.usual(game, count)))", rulesets
    )
    assert len(set_ups) == sum(1 + len(ruleset.seat_counts) for ruleset in RULESETS.values())
    for set_up in set_ups:
        SET_UP.validate(set_up)
        match = (await create(client, **set_up)).created["match"]
        assert [seat["kind"] for seat in match["seats"]] == ["human", *["cpu"] * (len(match["seats"]) - 1)]
        assert 1 <= match["deal"]["number"] < 1_000_000
        assert (match["hints"], match["auto_pass"], match["pacing"]) == (True, True, "auto")
    assert len({set_up["deal"]["number"] for set_up in set_ups}) > len(set_ups) / 2


async def test_a_deal_is_played_again(client: httpx.AsyncClient) -> None:
    secret: dict[str, Any] = {"ruleset": "draw", "seats": [HUMAN, CPU], "rules": {"target": 0}}
    table = await create(client, **secret)
    assert made("page.again(...given)", [secret, table.created["match"]]) is None
    async for _ in play(table):
        pass
    same = made("page.again(...given)", [secret, await table.spectator.get()])
    assert same["deal"]["kind"] == "seeded"
    repeated = await create(client, **same)
    assert repeated.created["match"]["deal"]["commitment"] == table.created["match"]["deal"]["commitment"]
    assert made("page.again(...given)", [same, repeated.created["match"]]) == same
    numbered: dict[str, Any] = {**secret, "deal": {"kind": "numbered", "number": 7}}
    assert made("page.again(...given)", [numbered, (await create(client, **numbered)).created["match"]]) == numbered
    other = made("page.anew(given)", numbered)
    assert other["deal"]["kind"] == "numbered"
    assert other["deal"]["number"] != 7
    assert made("page.anew(given)", same)["deal"] == {"kind": "secret"}


async def test_people_play_a_secret_deal(client: httpx.AsyncClient) -> None:
    alone = {"ruleset": "draw", "seats": [HUMAN, CPU], "deal": {"kind": "numbered", "number": 7}}
    both = {**alone, "seats": [HUMAN, OPEN]}
    assert made("given.map(page.forPeople)", [alone, both]) == [alone, {**both, "deal": {"kind": "secret"}}]
    assert (await client.post("/v1/matches", json=both)).json()["code"] == "invalid-deal"
    await create(client, **made("page.forPeople(given)", both))
