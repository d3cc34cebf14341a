"""Items, scores and rings of a finished hand: B7, B8, C8, D7, D8, E7, E8.

Everything works on a ``Summary``, so that the worked examples of part H can be computed without a deal.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.reference.slovenian_announce import DECLARER, SIDES
from tests.reference.slovenian_contracts import BONUS_VALUES, BONUSES, TAROK, Contract, seats_of

Item = dict[str, Any]
MOND_PENALTY = 20
LOST_XXI = 21
LEASTERS_EXTREME = 70


@dataclass(frozen=True)
class Summary:
    """What has to be known of a hand to score it. A bonus of a side is the pair (bonus id, side)."""

    ruleset: str
    contract: Contract
    declarer: int | None = None
    partner: int | None = None
    points: int = 0
    target_met: bool = False
    bonuses: bool = False
    announced: dict[tuple[str, str], int] = field(default_factory=dict)
    made: frozenset[tuple[str, str]] = frozenset()
    failed_silently: frozenset[tuple[str, str]] = frozenset()
    game_level: int = 0
    seat_points: tuple[int, ...] = ()
    seat_tricks: tuple[int, ...] = ()
    mond_loser: int | None = None
    mond_taker: int | None = None

    @property
    def won(self) -> bool:
        """36 points where points decide (A2), else whether the declarer met his target."""
        return self.points >= 36 if self.contract.by_points else self.target_met

    @property
    def slam_branch(self) -> bool:
        """B7, D7: some side made a slam or announced one; then only slam items count."""
        return self.bonuses and any(("valat", side) in self.announced or ("valat", side) in self.made for side in SIDES)


@dataclass(frozen=True)
class Settlement:
    """What a hand adds to each seat's score, and the rings (wheels) afterwards."""

    items: list[Item]
    scores: list[int]
    rings: list[int]


def item(name: str, side: str | int, value: int, announced: bool = False, contra: int = 0) -> Item:
    """One entry of the record's ``items``."""
    return {"item": name, "side": side, "announced": announced, "contra": contra, "value": value}


def rounded(amount: int, rounding: str) -> int:
    """S0-44, S4-19: to the nearest five, or as it is."""
    return 5 * ((amount + 2) // 5) if rounding == "nearest_5" else amount


# ---------------------------------------------------------------- items


def game_value(summary: Summary, options: dict[str, Any]) -> int:
    """B8, D8: base, with the difference to 35 where the table has one; kontra multiplies it."""
    stake = summary.contract.base
    if summary.contract.difference:
        stake += rounded(abs(summary.points - 35), options["difference_rounding"])
    return (stake if summary.won else -stake) << summary.game_level


def announced_item(bonus: str, side: str, summary: Summary) -> Item:
    """B7, D7: double value, won or lost by the side that announced, times its kontra."""
    level = summary.announced[bonus, side]
    value = 2 * BONUS_VALUES[bonus] * 2**level
    good = ((bonus, side) in summary.made) == (side == DECLARER)
    return item(bonus, side, value if good else -value, True, level)


def silent_item(bonus: str, side: str, summary: Summary) -> Item:
    """B7, D7: single value to the side that made it; a failed silent ultimo costs its side the same."""
    good = ((bonus, side) in summary.made) == (side == DECLARER)
    return item(bonus, side, BONUS_VALUES[bonus] if good else -BONUS_VALUES[bonus])


def bonus_items(bonus: str, summary: Summary) -> list[Item]:
    """B7: announcements only, if there are any, else who made it or failed silently."""
    announced = [side for side in SIDES if (bonus, side) in summary.announced]
    if announced:
        return [announced_item(bonus, side, summary) for side in announced]
    done = summary.made | summary.failed_silently
    return [silent_item(bonus, side, summary) for side in SIDES if (bonus, side) in done]


def slam_items(summary: Summary, options: dict[str, Any]) -> list[Item]:
    """B7, D7: the slam alone. S4-26 ``kontra_on_silent_slam``: a silent one takes the game's kontra."""
    items = bonus_items("valat", summary)
    if not options.get("kontra_on_silent_slam"):
        return items
    return [one if one["announced"] else with_kontra(one, summary.game_level) for one in items]


def with_kontra(one: Item, level: int) -> Item:
    """The item raised to that level."""
    return one | {"contra": level, "value": one["value"] * 2**level}


def side_items(summary: Summary, options: dict[str, Any]) -> list[Item]:
    """The game and the bonuses; K6: under a slam the game and announced items stay with value 0."""
    game = item("game", DECLARER, game_value(summary, options), False, summary.game_level)
    if not summary.bonuses:
        return [game]
    others = [one for bonus in BONUSES if bonus != "valat" for one in bonus_items(bonus, summary)]
    if not summary.slam_branch:
        return [game, *others]
    suppressed = [one | {"value": 0} for one in [game, *others] if one["announced"] or one is game]
    return suppressed + slam_items(summary, options)


def everybody_for_himself(summary: Summary, options: dict[str, Any]) -> list[int]:
    """B8 all_beggars, D8 leasters: minus the own points, or ±70 for more than 35 points or no trick."""
    extremes = summary.ruleset not in TAROK or options["ab_extremes"]
    special = [_extreme(points, tricks) for points, tricks in zip(summary.seat_points, summary.seat_tricks, strict=True)]
    if extremes and any(special):
        return special
    rounding = options.get("leasters_rounding", "none")
    return [-rounded(points, rounding) for points in summary.seat_points]


def _extreme(points: int, tricks: int) -> int:
    if tricks == 0:
        return LEASTERS_EXTREME
    return -LEASTERS_EXTREME if points > 35 else 0


def mond_item(summary: Summary) -> list[Item]:
    """K17: one item for the loser of T21, -20 in Tarok, -21 in Slovenian; K6: there not under a slam."""
    tarok = summary.ruleset in TAROK
    if summary.mond_loser is None or (summary.slam_branch and not tarok):
        return []
    return [item("mond_lost", summary.mond_loser, -(MOND_PENALTY if tarok else LOST_XXI))]


# ---------------------------------------------------------------- scores and rings


def settle(summary: Summary, options: dict[str, Any], rings: Sequence[int]) -> Settlement:
    """B8, D8 in full: items, the declarer's ring, scores, Mond, rings."""
    if summary.declarer is None:
        own = everybody_for_himself(summary, options)
        items = [item("game", seat, score) for seat, score in enumerate(own)]
        scores, rings_after = own, [ring + 1 for ring in rings]
    else:
        items = side_items(summary, options)
        value = sum(one["value"] for one in items)
        won = value > 0 if summary.slam_branch else summary.won
        doubled, rings_after = ring_steps(summary, options, list(rings), won)
        scores = shares(summary, options, value, 2 if doubled else 1)
    return Settlement(items + mond_item(summary), mond_booked(summary, scores), rings_after)


def ring_steps(summary: Summary, options: dict[str, Any], rings: list[int], won: bool) -> tuple[bool, list[int]]:
    """B8: double, cancel one of the declarer's if won, award; K13 ``ring_timing = before``: award first."""
    assert summary.declarer is not None
    award = rings_awarded(summary, options)
    early = options.get("ring_timing") == "before"
    if early:
        rings = [ring + award for ring in rings]
    doubled = rings[summary.declarer] > 0
    if doubled and won:
        rings[summary.declarer] -= 1
    if not early:
        rings = [ring + award for ring in rings]
    return doubled, rings


def rings_awarded(summary: Summary, options: dict[str, Any]) -> int:
    """B8, D8: one a hand for a starred contract or a slam; S0-37 ``ring_per = event``: one for each."""
    events = int(summary.contract.starred) + int(summary.slam_branch)
    return events if options.get("ring_per") == "event" else min(events, 1)


def shares(summary: Summary, options: dict[str, Any], value: int, factor: int) -> list[int]:
    """Who gets what of the declarer's side's value."""
    if summary.ruleset in TAROK:
        return tarok_shares(summary, factor * value)
    partner_value = value * (factor if options["wheel_doubles_partner"] else 1)
    scores = [0] * seats_of(summary.ruleset)
    if summary.partner is not None:
        scores[summary.partner] = partner_value
    assert summary.declarer is not None
    scores[summary.declarer] = factor * value
    return scores


def tarok_shares(summary: Summary, value: int) -> list[int]:
    """B8: every opponent pays the value; two partners get it once each, a lone declarer from everybody."""
    seats = seats_of(summary.ruleset)
    scores = [-value] * seats
    assert summary.declarer is not None
    if summary.partner is None:
        scores[summary.declarer] = value * (seats - 1)
    else:
        scores[summary.declarer] = scores[summary.partner] = value
    return scores


def mond_booked(summary: Summary, scores: list[int]) -> list[int]:
    """B7: 20 from the loser to the winner of the trick. D7: −21, nobody receives it. Never doubled."""
    booked = list(scores)
    for penalty in mond_item(summary):
        booked[penalty["side"]] += penalty["value"]
        if summary.ruleset in TAROK and summary.mond_taker is not None:
            booked[summary.mond_taker] -= penalty["value"]
    return booked
