"""Who sits in a seat."""

from typing import Annotated, Literal

from engine.bounds import Described, Tagged, Text
from engine.values import value

Level = Literal["easy", "medium", "hard", "expert"]

Name = Annotated[str, Text(1, 40, r"^[^\u0000-\u001f\u007f-\u009f\u2028\u2029]+$")]


@value
class Human(Described):
    """A person, who moves with the seat's token."""

    name: Name | None = None
    """Shown to everyone at the table; no control characters."""
    kind: Literal["human"] = "human"


@value
class Cpu(Described):
    """A seat that the service plays, seeing only what a person in it would see."""

    level: Level = "medium"
    """`easy`: any tile that fits; `medium`: the heaviest; `hard`: looks one move ahead and remembers who could not
    play what; `expert`: plays the hand out thousands of times, in deals that agree with all that was seen."""
    kind: Literal["cpu"] = "cpu"


@value
class Open(Described):
    """A seat that somebody may take; the first hand is dealt once there is none."""

    kind: Literal["open"] = "open"


Player = Annotated[Human | Cpu | Open, Tagged("kind")]
