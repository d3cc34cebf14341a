"""What the heuristic player keeps in mind at a decision: its weights, and the facts derived from one view.

Kernels hand one `MIND` record on as `m`. The weights are numbers in thirds of a card point unless they say otherwise.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tarock_env.engine.state import SEATS
from tarock_env.rulesets.numbers import is_whole
from tarock_env.rulesets.shown import short

#: name -> default; tuned by duplicate matches on deals of their own (docs/heuristics.md)
WEIGHTS: dict[str, float] = {
    # --- what a card is worth if kept
    "keep_trump": 2.0,  # any trump: it can ruff
    "keep_power": 12.0,  # times the squared share of hidden trumps that it beats
    "keep_top": 5.0,  # more for a trump that nothing beats
    "keep_pagat": 1.0,
    "keep_king": 0.0,
    "keep_queen": 1.0,
    "keep_guard": 3.0,  # the last small card beside a king or queen
    "clear_suit": 2.0,  # playing the only card of a suit while holding trumps
    "ultimo_trumps": 5.0,  # every trump beside an announced one that must win late
    "smear": 2.0,  # expected worth of each card still to come
    # --- leads
    "lead_trick": 8.0,  # what a led trick brings beside the card
    "draw_trumps": 12.0,  # strong declarer leads trumps
    "lead_back": 4.0,  # declarer's partner leads trumps
    "spare_trumps": 8.0,  # defender does not lead trumps
    "force": 3.0,  # defender leads long suits
    "short_lead": 3.0,  # weak defender leads a singleton
    "called_suit": 4.0,  # defenders avoid the called suit
    "ally_takes": 0.7,  # how surely an ally takes a trick from an enemy if he can (probability)
    # --- contracts without sides
    "unload": 10.0,  # getting rid of a card that beats all others, under a trick
    "unload_lead": 4.0,  # … by leading it
    # --- bidding (game points)
    "pass_value": 0.0,
    "margin": 0.8,  # in twentieths of the typical score of a hand
    "caution": 0.12,  # taken off the chance of contracts about tricks, which fit worse
    "bird_caution": 0.1,  # … and off that of a demanded bonus
    "shy_free": 1.0,  # taken off the expectation of contracts without sides
    "shy_whole": 1.5,  # … and of those that take the whole talon
    "shy_partner": 3.0,  # … and of those with a called king and no exchange
    # --- announcements (probabilities)
    "announce_margin": 0.0,
    "contra_margin": 0.1,
}

LARGEST = 1e6  #: weights beyond it would swallow all others, and sums of them are no numbers any more

_FACTS: list[tuple[Any, ...]] = [
    ("hidden", "u8"),  # cards whose place is not known
    ("n_hidden", "i8"),
    ("ally", "f8", SEATS),  # probability that the seat is on the viewer's side
    ("miss", "f8", SEATS),  # probability that one hidden card is not in the seat's hand
    ("open", "u8", SEATS),  # the seat's whole hand where it lies open, else empty
    ("per_third", "f8"),  # score that a third of a card point is worth
    ("trumps_out", "i8"),  # hidden trumps
    ("my_side", "i8"),  # 1 with the declarer, -1 against him, 0 none
    ("points_matter", "f8"),  # 1, or less once the game is decided
    ("table", "f8"),  # worth of the cards on the table
]

MIND = np.dtype((np.record, np.dtype([*_FACTS, *((name, "f8") for name in WEIGHTS)], align=True)))


def make_mind(**changed: float) -> np.ndarray:
    """A `MIND` array of length 1 with the default weights, or changed ones.

    Raises:
        ValueError: an unknown weight, or a value that is no number of at most `LARGEST`.
    """
    unknown = set(changed) - set(WEIGHTS)
    if unknown:
        raise ValueError(f"no weight {sorted(unknown)[0]!r}; weights are: {', '.join(WEIGHTS)}")
    for name, value in changed.items():
        number = is_whole(value) or isinstance(value, (float, np.floating))
        if not number or not abs(value) <= LARGEST:
            raise ValueError(f"weight {name} is {short(value)}; allowed: numbers from {-LARGEST:g} to {LARGEST:g}")
    mind = np.zeros(1, MIND)
    for name, value in {**WEIGHTS, **changed}.items():
        mind[name] = value
    return mind
