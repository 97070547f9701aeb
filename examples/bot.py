"""Plays one seat of a Capicua match to its end, whatever gets lost on the way. Needs httpx.

python bot.py [SERVICE] [RULESET] [TARGET]    creates a match against CPU seats, and plays it
TOKEN=... python bot.py ADDRESS               takes the seat of a token in the match with this address
"""

import os
import sys
import time
import uuid
from typing import Any

import httpx

Json = dict[str, Any]

GIVE_UP_AFTER = 10
"""Tries of one call."""

LONGEST_PAUSE = 8.0


class RefusedError(Exception):
    """The service answered why it does not do it; `code` is for programs."""

    def __init__(self, problem: Json) -> None:
        super().__init__(f"{problem['code']}: {problem['detail']}")
        self.code: str = problem["code"]


class Service:
    """Calls that arrive."""

    def __init__(self, token: str | None = None) -> None:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        self._client = httpx.Client(headers=headers, timeout=60)  # longer than any wait that is asked for

    def post(self, address: str, body: Json) -> Json:
        """Have something done. All tries have one key, by which the service carries it out once."""
        answer: Json = self._send("POST", address, {"Idempotency-Key": str(uuid.uuid4())}, json=body).json()
        return answer

    def news(self, address: str, known: str) -> tuple[Json | None, str]:
        """The state and its ETag, as soon as it is another one than is known; no state if it is not for a while."""
        answer = self._send("GET", address, {"If-None-Match": known, "Prefer": "wait=20"})
        return None if answer.status_code == 304 else answer.json(), answer.headers["ETag"]

    def _send(self, method: str, address: str, headers: dict[str, str], **arguments: Any) -> httpx.Response:
        pause, tries = 0.25, 1
        while True:
            wait = pause
            try:
                answer = self._client.request(method, address, headers=headers, **arguments)
            except httpx.TransportError:  # no answer: nobody knows whether the call arrived
                if tries == GIVE_UP_AFTER:
                    raise
            else:
                if answer.status_code < 400:
                    return answer
                if answer.status_code != 429 and answer.status_code < 500:
                    raise RefusedError(answer.json())
                if tries == GIVE_UP_AFTER:
                    answer.raise_for_status()
                wait = float(answer.headers.get("Retry-After", pause))
            time.sleep(wait)
            pause, tries = min(2 * pause, LONGEST_PAUSE), tries + 1


def choose(match: Json) -> Json:
    """The move that is worth most; a draw goes on until a tile fits."""
    moves = match["hand"]["legal_moves"]
    plays = [move for move in moves if move["type"] == "play"]
    if plays:
        return max(plays, key=lambda play: worth(match, play))
    move: Json = moves[0]  # whatever its type is: an entry may be posted as it is
    return move | {"until_playable": True} if move["type"] == "draw" else move


def worth(match: Json, play: Json) -> float:
    """Pips are better on the table than in hand, and an end is better if I can go on there and the next seat cannot."""
    seats, me = match["seats"], match["viewer"]["seat"]
    following = seats[(me + 1) % len(seats)]
    rest = [halves(tile) for tile in seats[me]["tiles"] if tile != play["tile"]]
    ends = open_after(match["hand"]["layout"]["ends"], play)
    mine = sum(bool(ends.intersection(tile)) for tile in rest)
    return sum(halves(play["tile"])) + 2 * mine + 4 * len(ends.intersection(following["lacks"]))


def open_after(ends: list[Json], play: Json) -> set[int]:
    """The numbers that the ends ask for once the tile lies there."""
    high, low = halves(play["tile"])
    if not ends:
        return {high, low}
    covered = next(end for end in ends if end["end"] == play["end"])
    return {end["value"] for end in ends if end is not covered} | {high + low - covered["value"]}


def halves(tile: str) -> tuple[int, int]:
    high, low = tile.split("-")
    return int(high), int(low)


def play(service: Service, address: str) -> Json:
    """Play until the match is over, and return how it ended."""
    match, known = service.news(address, known='"0"')  # no state has this ETag
    while match is None or match["status"] not in {"finished", "cancelled"}:
        if match and match["hand"] and match["hand"]["legal_moves"]:
            move = choose(match)
            try:
                match = service.post(f"{address}/{move['type']}", move)["match"]
            except RefusedError as refused:
                if refused.code not in {"hand-not-over", "match-finished"}:
                    raise
                match = None  # somebody else dealt the next hand, or gave up: look again
        else:
            match, known = service.news(address, known)
    return match


def main(arguments: list[str]) -> None:
    if "TOKEN" in os.environ:
        (address,), token = arguments, os.environ["TOKEN"]
    else:
        where, ruleset, *target = [*arguments, *("http://127.0.0.1:8000", "partner-penalty")[len(arguments) :]]
        rules = {"target": int(target[0])} if target else {}
        created = Service().post(f"{where}/v1/matches", {"ruleset": ruleset, "rules": rules})
        address, token = f"{where}/v1/matches/{created['match']['id']}", created["tokens"][0]["token"]
    match = play(Service(token), address)
    if match["result"]:
        winner, team = match["result"]["winner"], match["seats"][match["viewer"]["seat"]]["team"]
        outcome = "nobody wins" if winner is None else "won" if winner == team else "lost"
    else:
        outcome = "no result"
    print(f"{match['status']}: {outcome}")
    for score in match["scores"]:
        print(f"team {score['team']}: {score['points']}")


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except RefusedError as refused:
        sys.exit(str(refused))
