"""What cannot be played as it was asked for."""


class Refused(Exception):  # noqa: N818 - it is the answer to who asked, and nothing went wrong
    """The text, a sentence or two, says what to ask for instead, and is all that is shown."""
