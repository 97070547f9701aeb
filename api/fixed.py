"""Answers that are always the same: kept plain and packed, so that nothing is left to do when they are asked for."""

import gzip
import hashlib
from collections.abc import Mapping
from http import HTTPStatus

from fastapi import Request, Response

from engine.values import value


@value
class Fixed:
    """A text, as it is and packed for a client that can read that."""

    plain: bytes
    packed: bytes
    media_type: str
    tag: str
    headers: Mapping[str, str]

    @classmethod
    def of(cls, body: bytes, media_type: str, headers: Mapping[str, str]) -> "Fixed":
        """The answer with this body and these headers.

        Its tag is weak: it names what is said, whether packed or not.
        """
        tag = f'W/"{hashlib.sha256(body).hexdigest()[:32]}"'
        return cls(body, gzip.compress(body, mtime=0), media_type, tag, {**headers, "Vary": "Accept-Encoding"})

    def answer(self, request: Request) -> Response:
        """It, packed if `request` accepts that."""
        headers = dict(self.headers)
        body = self.plain
        if _accepts_gzip(request.headers.get("accept-encoding", "").lower()):
            headers["Content-Encoding"] = "gzip"
            body = self.packed
        return Response(body, headers=headers, media_type=self.media_type)

    def answer_if_new(self, request: Request) -> Response:
        """It with its tag, or that there is nothing new to a client that has it."""
        known = request.headers.get("if-none-match", "")
        if self.tag.removeprefix("W/") in known or known.strip() == "*":
            return Response(status_code=HTTPStatus.NOT_MODIFIED, headers={**self.headers, "ETag": self.tag})
        response = self.answer(request)
        response.headers["ETag"] = self.tag
        return response


def _accepts_gzip(accepted: str) -> bool:
    """Whether an `Accept-Encoding` allows gzip, by its name or with all others, and with a weight that is not 0."""
    weights: dict[str, float] = {}
    for part in accepted.replace(" ", "").split(","):
        coding, _, weight = part.partition(";q=")
        try:
            weights[coding] = float(weight or 1)
        except ValueError:
            weights[coding] = 0
    return weights.get("gzip", weights.get("*", 0)) > 0
