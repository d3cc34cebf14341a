"""Words that the sentences share: lists of ids, players by their place, ways into a contract, talon and aim."""

from __future__ import annotations

from collections.abc import Iterable

from tarock_env.codes import (
    Door,
    Mode,
    Objective,
    Talon,
)
from tarock_env.rulesets.schema import Contract, Ruleset

NUMBERS = ("no", "one", "two", "three", "four", "five", "six")


def listed(names: Iterable[str]) -> str:
    """Ids as code, in their order."""
    return ", ".join(f"`{name}`" for name in names)


def place(ruleset: Ruleset, index: int) -> str:
    """A player by his place in the order of play."""
    if index == 0:
        return "forehand"
    if index == ruleset.players - 1 and ruleset.seats == ruleset.players:
        return "the dealer"
    return f"the {('second', 'third', 'fourth')[index - 1]} player"


def through(ruleset: Ruleset, door: Door, mode: Mode = Mode.NORMAL) -> list[str]:
    """Ids of the contracts that a door opens."""
    return [row.id for row in ruleset.contracts if row.doors & door and row.modes & mode]


def mode_words(ruleset: Ruleset, mode: Mode) -> str:
    """What kind of hand a mode makes."""
    if mode == Mode.NORMAL:
        return "a hand like any other"
    possible = listed(row.id for row in ruleset.contracts if row.modes & mode)
    return f"a {(mode.name or '').lower()} hand: only {possible} can be played"


def rows_with(ruleset: Ruleset, **columns: object) -> list[Contract]:
    """The contracts with these values."""
    return [row for row in ruleset.contracts if all(getattr(row, name) == value for name, value in columns.items())]


#: how a contract comes about
DOORS = {
    Door.AUCTION: "as a bid",
    Door.AFTER_WAIT: "by forehand after his `wait`",
    Door.PASSED_OUT: "by forehand if all others pass",
    Door.ALL_PASSED: "played if all pass",
    Door.RAISE: "as a raise after the exchange",
}


def talon_words(row: Contract) -> str:
    """What happens to the talon in a contract."""
    taken = f"takes {row.takes}" if row.takes else "untouched"
    rest = {
        Talon.DEFENCE: "to the defence",
        Talon.NOBODY: "out of play",
        Talon.FIRST_TRICKS: "one card to each of the first six tricks",
        Talon.LAST_TRICK: "to the last trick",
        Talon.HALF_WITH_KING: "the half with the called king to the declarer's side",
        Talon.WITH_KING: "to the declarer's side if the called king is in it",
        Talon.WON_BY_KING: "to the defence, unless the called king was taken from it and wins a trick",
    }[row.rest]
    if row.takes == 6:
        return taken
    return f"{taken}; {'rest ' if row.takes else ''}{rest}"


def aim(row: Contract) -> str:
    """What wins a contract."""
    if row.objective == Objective.POINTS:
        return "36 card points"
    if row.objective == Objective.FEWEST:
        return "everybody alone, few points"
    return {0: "no trick", 1: "exactly 1 trick"}.get(row.target, f"exactly {row.target} tricks")
