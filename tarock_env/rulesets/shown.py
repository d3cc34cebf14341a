"""Values in messages and on a terminal."""

from __future__ import annotations

LONGEST = 80


def short(value: object) -> str:
    """What stands for a value in a message: its `repr`, cut where it is long.

    Never an error, also not for what is nested too deep, numbers of too many digits, or objects that cannot be shown.
    """
    try:
        text = repr(value)
    except Exception:
        return f"a {type(value).__name__}"
    return text if len(text) <= LONGEST else text[: LONGEST - 3] + "..."


def printable(text: str) -> str:
    """A text whose control characters and torn letters are escaped: what files say must not steer a terminal."""
    return "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in text)
