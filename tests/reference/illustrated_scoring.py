"""Items and scores of Illustrated Tarock (F7, F8), computed from a summary of the hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tests.reference.illustrated_contracts import (
    DECLARATIONS,
    SEATS,
    ULTIMOS,
    Contract,
    announced_value,
)

Item = dict[str, Any]


@dataclass(frozen=True)
class Announced:
    """An announcement of the declarer: before the draw (in the bid) or after it, its contras, its fate."""

    name: str
    in_bid: bool
    made: bool
    level_before: int = 0
    level_after: int = 0


@dataclass(frozen=True)
class Claimed:
    """A seat's declaration (true or false) or silent ultimo (made or beaten)."""

    name: str
    seat: int
    good: bool


@dataclass(frozen=True)
class Summary:
    """What has to be known of a hand with a declarer to score it."""

    contract: Contract
    declarer: int
    points: int
    bid_count: int
    level_before: int = 0
    level_after: int = 0
    forced_loss: bool = False
    announced: tuple[Announced, ...] = ()
    declarations: tuple[Claimed, ...] = ()
    ultimos: tuple[Claimed, ...] = ()

    @property
    def won(self) -> bool:
        """F8: 36 points, and no forced loss (F4)."""
        return self.points >= 36 and not self.forced_loss


def contra_factor(before: int, after: int, options: dict[str, Any]) -> int:
    """F2, F5, F8: 4 (P1-13) for each contra before the draw, 2 for each after it."""
    return int(options["pre_contra_factor"] ** before * 2**after)


def item(name: str, side: str | int, value: int, announced: bool, contra: int = 0) -> Item:
    """One entry of the record's ``items``."""
    return {"item": name, "side": side, "announced": announced, "contra": contra, "value": value}


def game_item(summary: Summary, options: dict[str, Any]) -> Item:
    """F8: basic score 2 + bids, over score |P − 35|, contras, multiplier; K3: also on a forced loss."""
    raw = (2 + summary.bid_count + abs(summary.points - 35)) * contra_factor(
        summary.level_before, summary.level_after, options
    )
    value = raw * summary.contract.multiplier
    level = summary.level_before + summary.level_after
    return item("game", "declarer", value if summary.won else -value, False, level)


def announced_item(one: Announced, summary: Summary, options: dict[str, Any]) -> Item:
    """F7, F8: to the declarer if he made it, else to each defender."""
    raw = announced_value(one.name, one.in_bid, options) * contra_factor(one.level_before, one.level_after, options)
    value = raw * summary.contract.multiplier
    return item(one.name, "declarer", value if one.made else -value, True, one.level_before + one.level_after)


def declaration_item(one: Claimed, summary: Summary) -> Item:
    """F7: a true declaration scores for its seat; P1-20: a false one the double for each of the others."""
    raw = DECLARATIONS[one.name] if one.good else -2 * DECLARATIONS[one.name]
    return item(one.name, one.seat, raw * summary.contract.multiplier, True)


def ultimo_item(one: Claimed, summary: Summary) -> Item:
    """F7: a silent ultimo scores for its seat, or for each of the others if it was beaten."""
    raw = ULTIMOS[one.name] if one.good else -ULTIMOS[one.name]
    return item(one.name, one.seat, raw * summary.contract.multiplier, False)


def items_of(summary: Summary, options: dict[str, Any]) -> list[Item]:
    """Everything that is scored; F7: an announced ultimo replaces the silent one of the same card."""
    replaced = {one.name for one in summary.announced}
    return [
        game_item(summary, options),
        *(announced_item(one, summary, options) for one in summary.announced),
        *(declaration_item(one, summary) for one in summary.declarations),
        *(ultimo_item(one, summary) for one in summary.ultimos if one.name not in replaced),
    ]


def scores_of(items: Sequence[Item], declarer: int) -> list[int]:
    """F8: only positive scores; what an owner does not get each of the two others gets."""
    scores = [0] * SEATS
    for one in items:
        owner = declarer if one["side"] == "declarer" else one["side"]
        for seat in range(SEATS):
            if (seat == owner) == (one["value"] > 0):
                scores[seat] += abs(one["value"])
    return scores


def beggars_scores(points: Sequence[int]) -> list[int]:
    """F8: everybody scores what separates him from the player with the most points."""
    return [max(points) - own for own in points]


def beggars_items(points: Sequence[int]) -> list[Item]:
    """Record format: one game item for each seat."""
    return [item("game", seat, score, False) for seat, score in enumerate(beggars_scores(points))]
