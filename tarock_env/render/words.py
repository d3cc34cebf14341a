"""Words for cards, seats, sides, calls and items, which every rendering as text shares."""

from __future__ import annotations

from collections.abc import Iterable

from tarock_env.cards import CODES, codes_in
from tarock_env.codes import NONE
from tarock_env.engine.batch import Engine

SIDES = ("declarer's side", "defence")
LEVELS = ("", "kontra", "rekontra", "subkontra", "hirschkontra", "mordkontra")
PASSED, WAITED = -2, -3  # entries of `last_call` beside contracts


def cards(held: int, none: str = "–") -> str:
    """A card set: trumps and each suit from high to low."""
    return " ".join(codes_in(held)) or none


def card(number: int) -> str:
    """The code of a card id; ``?`` for -1."""
    return CODES[number] if number >= 0 else "?"


def count(n: int, noun: str) -> str:
    """A number with its noun: "1 trick", "2 tricks"."""
    return f"{n} {noun}" if abs(n) == 1 else f"{n} {noun}s"


def signed(values: Iterable[int]) -> str:
    """Scores, always with their sign."""
    return "  ".join(f"{value:+d}" if value else "0" for value in values)


def contract_name(engine: Engine, k: int) -> str:
    """The id of a contract; ``none`` for -1."""
    return "none" if k == NONE else engine.ruleset.contracts[k].id


def call_name(engine: Engine, call: int) -> str:
    """The last call of a seat."""
    spoken = {NONE: "", PASSED: "pass", WAITED: "wait"}
    return spoken[call] if call < 0 else engine.ruleset.contracts[call].id


def item_name(engine: Engine, index: int) -> str:
    """The game, or a bonus by its index among the items."""
    return "game" if index == 0 else engine.ruleset.bonuses[index - 1].id


def level_name(level: int) -> str:
    """The word for a kontra level."""
    return LEVELS[level] if level < len(LEVELS) else f"kontra level {level}"


def side_name(side: int) -> str:
    """The owner of a scored item: a side, or a seat."""
    return SIDES[side] if side < len(SIDES) else f"seat {side - len(SIDES)}"
