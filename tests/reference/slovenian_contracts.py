"""Contracts, bonus values and option values of Tarok (parts B, C) and Slovenian Tarock (parts D, E)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

TAROK = ("tarok_furr_4p", "tarok_furr_3p")
SLOVENIAN = ("slovenian_4p", "slovenian_3p")

#: B7, D7: silent values; an announced bonus is worth the double. The order is the order of scored items.
BONUS_VALUES = {"trull": 10, "kings": 10, "king_ultimo": 10, "pagat_ultimo": 25, "valat": 250}
BONUSES = tuple(BONUS_VALUES)


@dataclass(frozen=True)
class Contract:
    """One row of the contract table of B2, C2, D2 or E2."""

    id: str
    rank: int
    base: int = 0
    objective: str = "points"
    takes: int = 0
    calls_king: bool = False
    difference: bool = False
    eldest_only: bool = False
    raisable: bool = False
    declarer_leads: bool = False
    bonuses: bool = False
    starred: bool = False
    colour: bool = False
    restricted: bool = False

    @property
    def by_points(self) -> bool:
        """K13: a "positive" contract is one won by card points."""
        return self.objective == "points"

    @property
    def negative(self) -> bool:
        """Forced beating and the Pagat lock bind everybody."""
        return self.objective in ("fewest", "no_tricks")

    @property
    def card_points_count(self) -> bool:
        """False where tricks alone decide."""
        return self.objective in ("points", "fewest")


def _exchange(id: str, rank: int, base: int, takes: int, **more: Any) -> Contract:
    return Contract(id, rank, base, takes=takes, difference=True, bonuses=True, **more)


def _no_exchange(id: str, rank: int, base: int, objective: str, **more: Any) -> Contract:
    return Contract(id, rank, base, objective, declarer_leads=True, starred=True, **more)


def _tarok_4p() -> tuple[Contract, ...]:
    """B2."""
    return (
        Contract("all_beggars", 0, objective="fewest", starred=True, eldest_only=True),
        _exchange("call_with_three", 1, 10, 3, calls_king=True, eldest_only=True),
        _exchange("call_with_two", 2, 20, 2, calls_king=True),
        _exchange("call_with_one", 3, 30, 1, calls_king=True),
        _exchange("solo_with_three", 4, 40, 3, raisable=True),
        _exchange("solo_with_two", 5, 50, 2, raisable=True),
        _exchange("solo_with_one", 6, 60, 1, raisable=True),
        _no_exchange("beggar", 7, 70, "no_tricks"),
        _no_exchange("solo_without", 8, 80, "points", bonuses=True),
        _no_exchange("beggar_exposed", 9, 90, "no_tricks"),
        _no_exchange("colour_slam_without", 10, 125, "all_tricks", colour=True),
        _no_exchange("slam_without", 11, 500, "all_tricks"),
    )


def _tarok_3p() -> tuple[Contract, ...]:
    """C2."""
    return (
        Contract("all_beggars", 0, objective="fewest", starred=True),
        _exchange("solo_with_three", 1, 10, 3, raisable=True),
        _exchange("solo_with_two", 2, 20, 2, raisable=True),
        _exchange("solo_with_one", 3, 30, 1, raisable=True),
        _no_exchange("beggar", 4, 70, "no_tricks"),
        _no_exchange("beggar_exposed", 5, 90, "no_tricks"),
        _no_exchange("colour_slam_without", 6, 125, "all_tricks", colour=True),
        _no_exchange("slam_without", 7, 500, "all_tricks"),
    )


def _slovenian_4p() -> tuple[Contract, ...]:
    """D2; ``restricted``: what a restricted round leaves (D1)."""
    return (
        Contract("leasters", 0, 70, "fewest", starred=True, eldest_only=True, restricted=True),
        _exchange("three", 1, 10, 3, calls_king=True, eldest_only=True),
        _exchange("two", 2, 20, 2, calls_king=True),
        _exchange("one", 3, 30, 1, calls_king=True),
        _exchange("solo_three", 4, 40, 3, raisable=True),
        _exchange("solo_two", 5, 50, 2, raisable=True),
        _exchange("solo_one", 6, 60, 1, raisable=True),
        _no_exchange("nill", 7, 70, "no_tricks"),
        _no_exchange("solo_without", 8, 80, "points", restricted=True),
        _no_exchange("open_nill", 9, 90, "no_tricks", restricted=True),
        _no_exchange("suit_slam_without", 10, 125, "all_tricks", colour=True, restricted=True),
        _no_exchange("slam_without", 11, 500, "all_tricks", restricted=True),
    )


def _slovenian_3p() -> tuple[Contract, ...]:
    """E2; a restricted round leaves leasters and solo (K13)."""
    return (
        Contract("leasters", 0, 70, "fewest", starred=True, restricted=True),
        _exchange("three", 1, 10, 3),
        _exchange("two", 2, 20, 2),
        _exchange("one", 3, 30, 1),
        _no_exchange("nill", 4, 70, "no_tricks"),
        _no_exchange("solo", 5, 80, "points", bonuses=True, restricted=True),
    )


CONTRACTS: dict[str, dict[str, Contract]] = {
    ruleset: {contract.id: contract for contract in rows}
    for ruleset, rows in (
        ("tarok_furr_4p", _tarok_4p()),
        ("tarok_furr_3p", _tarok_3p()),
        ("slovenian_4p", _slovenian_4p()),
        ("slovenian_3p", _slovenian_3p()),
    )
}

#: B2, D2: what the declarer of a solo with exchange may raise to after discarding; it cannot be bid.
RAISES = {
    "tarok_furr_4p": _no_exchange("colour_slam", 12, 125, "all_tricks", colour=True),
    "tarok_furr_3p": _no_exchange("colour_slam", 8, 125, "all_tricks", colour=True),
    "slovenian_4p": _no_exchange("suit_slam", 12, 125, "all_tricks", colour=True),
}


def contract_of(ruleset: str, name: str) -> Contract:
    """The contract of that id, raises included."""
    if ruleset in RAISES and RAISES[ruleset].id == name:
        return RAISES[ruleset]
    return CONTRACTS[ruleset][name]


def seats_of(ruleset: str) -> int:
    """Four or three at the table."""
    return 4 if ruleset.endswith("_4p") else 3


def has_bonuses(ruleset: str, contract: Contract, options: dict[str, Any]) -> bool:
    """B2, D2, E2 with S0-14 (``solo_without_bonuses``) and S4-17 (``solo_bonuses_3p``)."""
    if ruleset == "tarok_furr_4p" and contract.id == "solo_without":
        return bool(options["solo_without_bonuses"])
    if ruleset == "slovenian_3p" and contract.id == "solo":
        return bool(options["solo_bonuses_3p"])
    return contract.bonuses


# ---------------------------------------------------------------- options (options.md)

_FLAG_OFF = (False, True)
_FLAG_ON = (True, False)

_TAROK_OPTIONS: dict[str, tuple[Any, ...]] = {
    "s0_auction": ("open", "claim_final", "single_round"),
    "priority": ("eldest_only", "seat_order"),
    "eldest_passout": ("any", "two_only"),
    "final_raise": _FLAG_OFF,
    "redeal_in_forced": _FLAG_ON,
    "zero_trigger": ("state", "reached"),
    "ab_talon_gifts": _FLAG_OFF,
    "ab_extremes": _FLAG_OFF,
    "solo_without_bonuses": _FLAG_ON,
    "open_exposure": ("before_lead", "after_first_trick"),
    "colour_slam_must_trump": _FLAG_OFF,
    "colour_slam_trumps_last": _FLAG_OFF,
    "raise_when_alone_by_talon": _FLAG_OFF,
    "talon_counts_for_bonus": _FLAG_ON,
    "announce_sweeps": (1,),
    "ultimo_announce": ("holder",),
    "announced_ultimo_hold": _FLAG_OFF,
    "silent_ultimo_loss": ("none", "if_beaten"),
    "king_ultimo": ("king_wins", "king_in_trick"),
    "ring_timing": ("after", "before"),
    "ring_per": ("hand", "event"),
    "mond_scope": ("any_declarer", "positive_only", "all"),
    "difference_rounding": ("none", "nearest_5"),
    "session_hands": (None,),
    "early_stop": _FLAG_OFF,
    "emperor_beat": ("winning_card",),
}

_SLOVENIAN_OPTIONS: dict[str, tuple[Any, ...]] = {
    "priority": ("seat_order", "eldest_only"),
    "final_raise": _FLAG_ON,
    "restricted_rounds": _FLAG_ON,
    "zero_trigger": ("reached", "state"),
    "discard_trumps": ("only_if_forced_shown", "free_shown", "free_hidden"),
    "king_in_talon_wins_rest": _FLAG_OFF,
    "gift_visible": _FLAG_ON,
    "lost_xxi_scope": ("with_leasters", "bonus_contracts", "positive", "all"),
    "lost_xxi_unseen_talon": _FLAG_ON,
    "solo_bonuses_3p": _FLAG_ON,
    "difference_rounding": ("none", "nearest_5"),
    "leasters_rounding": ("none", "nearest_5"),
    "silent_ultimo_loss": ("if_beaten", "if_beaten_by_opponents", "none"),
    "king_ultimo": ("king_in_trick", "king_wins"),
    "ultimo_announce": ("holder",),
    "announced_ultimo_hold": _FLAG_OFF,
    "kontra_on_silent_slam": _FLAG_OFF,
    "wheel_doubles_partner": _FLAG_ON,
    "colour_slam_must_trump": _FLAG_ON,
    "open_exposure": ("before_lead", "after_first_trick"),
    "scuse_same_dealer": ("full_cycle", "end_now"),
    "wheel_value": (100,),
    "early_stop": _FLAG_ON,
}


def _without(table: dict[str, tuple[Any, ...]], names: Iterable[str]) -> dict[str, tuple[Any, ...]]:
    return {name: values for name, values in table.items() if name not in names}


#: Per ruleset: option name -> allowed values, the default first. Without the values marked † in options.md.
OPTION_VALUES: dict[str, dict[str, tuple[Any, ...]]] = {
    "tarok_furr_4p": _TAROK_OPTIONS,
    "tarok_furr_3p": _without(_TAROK_OPTIONS, ["eldest_passout"]) | {"auction_opener": ("eldest_right", "eldest")},
    "slovenian_4p": _SLOVENIAN_OPTIONS,
    "slovenian_3p": _SLOVENIAN_OPTIONS | {"restricted_rounds": _FLAG_OFF, "auction_opener": ("eldest", "eldest_right")},
}

#: Options that take any whole number from this lower bound on.
LOWEST_NUMBER = {"session_hands": 1, "wheel_value": 0}


def same_value(given: Any, allowed: Any) -> bool:
    """Equal and of the same JSON type, so that 1 is not ``true``."""
    return type(given) is type(allowed) and given == allowed


def _accepts(name: str, allowed: tuple[Any, ...], value: Any) -> bool:
    if name in LOWEST_NUMBER and type(value) is int:
        return value >= LOWEST_NUMBER[name]
    return any(same_value(value, one) for one in allowed)


def complete_options(table: dict[str, tuple[Any, ...]], options: dict[str, Any] | None) -> dict[str, Any]:
    """Every option of the ruleset with its value; ValueError for an unknown name or value."""
    complete = {name: allowed[0] for name, allowed in table.items()}
    for name, value in (options or {}).items():
        if name not in table:
            raise ValueError(f"no option {name!r}; there are {sorted(table)}")
        if not _accepts(name, table[name], value):
            raise ValueError(f"option {name!r} cannot be {value!r}; allowed: {table[name]}")
        complete[name] = value
    return complete


def options_of(ruleset: str, options: dict[str, Any] | None) -> dict[str, Any]:
    """Options of a tarok_furr_* or slovenian_* ruleset, prerequisites (end of options.md) checked."""
    complete = complete_options(OPTION_VALUES[ruleset], options)
    if ruleset in TAROK:
        if complete["early_stop"] and complete["mond_scope"] != "positive_only":
            raise ValueError("early_stop = true needs mond_scope = positive_only")
        if complete["final_raise"] and complete["s0_auction"] != "open":
            raise ValueError("final_raise = true needs s0_auction = open")
    return complete
