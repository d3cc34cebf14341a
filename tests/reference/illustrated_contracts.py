"""Contracts, values and options of Illustrated Tarock (part F)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tests.reference.cards import COCKATOO, OWL, PAGAT
from tests.reference.slovenian_contracts import complete_options

SEATS = 3


@dataclass(frozen=True)
class Contract:
    """One row of the table of F2."""

    id: str
    rank: int
    takes: int
    multiplier: int


BEGGARS_GAME = Contract("beggars_game", 0, 0, 1)
CONTRACTS = {
    contract.id: contract
    for contract in (
        Contract("three_cards", 1, 3, 1),
        Contract("also_three", 2, 3, 2),
        Contract("two_cards", 3, 2, 3),
        Contract("one_card", 4, 1, 4),
        Contract("solo", 5, 0, 8),
    )
}

#: F7: what every player may declare after the discard.
DECLARATIONS = {"trull": 3, "half_trull": 2, "kings": 5}
#: F7: the three ultimos, silent value and card.
ULTIMOS = {"pagat_ultimo": 5, "uhu": 10, "kakadu": 15}
ULTIMO_CARDS = {"pagat_ultimo": PAGAT, "uhu": OWL, "kakadu": COCKATOO}
#: F7, P1-15: after the draw; ``p1_values`` may change them.
PROMISES = {"with_40": 5, "with_50": 10, "without_trull": 4, "without_kings": 5}
ANNOUNCEMENTS = (*ULTIMOS, *PROMISES)

_FLAG_OFF = (False, True)
_FLAG_ON = (True, False)

OPTION_VALUES: dict[str, tuple[Any, ...]] = {
    "auction_opener": ("eldest", "eldest_right"),
    "jump_bids": ("any",),
    "hold": ("seniority", "eldest_only"),
    "solo_ends_auction": (False,),
    "contras": ("on", "off"),
    "post_on_contraed": _FLAG_ON,
    "pre_contra_factor": (4, 2),
    "p1_values": ({},),
    "p1_ultimo_scale": ("flat", "beck"),
    "false_declarations": ("forbidden", "penalised"),
    "discard_trumps": ("free_hidden", "free_shown", "only_if_forced_shown"),
    "forced_loss": ("play_on",),
    "emperor": _FLAG_OFF,
    "beggar_lock": _FLAG_OFF,
    "end_threshold": ("gt_100", "ge_100"),
    "redeal_no_trumps": _FLAG_OFF,
}


def options_of(options: dict[str, Any] | None) -> dict[str, Any]:
    """Every option with its value; ``p1_values`` is completed with the defaults (K3)."""
    given = dict(options or {})
    values = given.pop("p1_values", {})
    if not isinstance(values, dict) or any(name not in PROMISES for name in values):
        raise ValueError(f"p1_values is an object with some of the keys {list(PROMISES)}")
    if any(type(value) is not int for value in values.values()):
        raise ValueError("p1_values has whole numbers")
    return complete_options(OPTION_VALUES, given) | {"p1_values": PROMISES | values}


def announced_value(name: str, in_bid: bool, options: dict[str, Any]) -> int:
    """F7, K3: the value after the draw, doubled in the bid; ``beck`` doubles the ultimos once more."""
    if name in ULTIMOS:
        value = ULTIMOS[name] * (2 if options["p1_ultimo_scale"] == "beck" else 1)
    else:
        value = options["p1_values"][name]
    return value * (2 if in_bid else 1)
