"""Who calls: a token names a seat, or the host, of one match, and decides what a request sees and may do.

A token is an HMAC over the match and the seat, so that it needs no look-up to check, and a repeated create can give the
same tokens again. It never stands in a URL, a log line or an error.
"""

import base64
import hashlib
import hmac
from collections.abc import Sequence
from typing import Final
from uuid import UUID

from starlette.datastructures import Headers

from api.problems import InvalidToken
from engine.match import Match
from engine.players import Human, Player
from engine.view import HOST, SPECTATOR, Viewer

_SCHEME: Final = "bearer"
_HOST_NAME: Final = "host"


class Tokens:
    """Makes and checks the tokens of all matches with one key."""

    def __init__(self, key: bytes) -> None:
        self._key = key

    def seat(self, match_id: UUID, seat: int) -> str:
        """The token of a seat: `seat0.` and 256 bits."""
        return self._token(match_id, f"seat{seat}")

    def host(self, match_id: UUID) -> str:
        """The token of the match's host."""
        return self._token(match_id, _HOST_NAME)

    def viewer(self, authorization: str | None, match: Match) -> Viewer:
        """Whom an `Authorization` header stands for; without one, a spectator. `InvalidToken` for any other text."""
        if authorization is None:
            return SPECTATOR
        scheme, token, name = _credentials(authorization)
        viewer = _viewer(name, match)
        if scheme.lower() != _SCHEME or viewer is None:
            raise InvalidToken
        if not hmac.compare_digest(token.encode(), self._token(match.setup.id, name).encode()):
            raise InvalidToken
        return viewer

    def _token(self, match_id: UUID, name: str) -> str:
        digest = hmac.digest(self._key, b"capicua/token/1" + match_id.bytes + name.encode(), hashlib.sha256)
        return f"{name}.{base64.urlsafe_b64encode(digest).rstrip(b'=').decode()}"


def authorization(headers: Headers) -> str | None:
    """The header of this name. Lines of one name are one list, and a list is no token: none of several is chosen."""
    lines = headers.getlist("authorization")
    return ",".join(lines) if lines else None


def caller_name(authorization: str | None) -> str:
    """Whom an `Authorization` header claims to stand for, before that is checked; nobody where it is missing."""
    return "" if authorization is None else _credentials(authorization)[2]


def _credentials(authorization: str) -> tuple[str, str, str]:
    """The scheme, the token, and the name that the token begins with."""
    scheme, _, token = authorization.partition(" ")
    token = token.strip()
    return scheme, token, token.partition(".")[0]


def _viewer(name: str, match: Match) -> Viewer | None:
    """Whom the token of this name stands for; only the host and people have one."""
    if name == _HOST_NAME:
        return HOST
    return next((Viewer("seat", seat) for seat in human_seats(match.players) if name == f"seat{seat}"), None)


def human_seats(players: Sequence[Player]) -> list[int]:
    """The seats that people sit in."""
    return [seat for seat, player in enumerate(players) if isinstance(player, Human)]
