"""The catalogue of problems, and how it is described; `test_explanations.py` reads its pages."""

import re

import pytest

from api import declared
from api.problems import InvalidToken, Refusal, TokenRequired, Unavailable, all_refusals, status_of
from engine.errors import MustDraw, MustPlay

REFUSALS = list(all_refusals())


@pytest.mark.parametrize("kind", REFUSALS, ids=lambda kind: kind.__name__)
def test_every_refusal_explains_itself(kind: Refusal) -> None:
    assert re.fullmatch("[a-z]+(-[a-z]+)*", kind.code)
    assert 0 < len(kind.title) <= 100
    assert not kind.title.endswith(".")
    assert kind.__doc__
    assert 400 <= status_of(kind) < 600


def test_a_code_has_one_title() -> None:
    titles: dict[str, set[str]] = {}
    for kind in REFUSALS:
        titles.setdefault(kind.code, set()).add(kind.title)
    assert {code: found for code, found in titles.items() if len(found) > 1} == {}


def test_a_route_declares_the_codes_of_each_status() -> None:
    refusals = declared.refusals(TokenRequired, InvalidToken, MustPlay, MustDraw, Unavailable)
    assert list(refusals) == [401, 409, 503]
    assert list(refusals[409]["content"]["application/problem+json"]["examples"]) == ["must-play", "must-draw"]
    assert list(refusals[401]["headers"]) == ["WWW-Authenticate"]
    assert list(refusals[503]["headers"]) == ["Retry-After"]
