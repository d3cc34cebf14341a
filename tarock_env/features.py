"""Which features an observation has, and where each stands: named slices of a flat vector of bits.

Every feature is a bit: card sets and one-hot choices as they are, counts as thermometers (bit i set if the count exceeds
i). `layout(ruleset)` publishes name and slice of every feature; its `version` changes whenever one of them does.
"""

from __future__ import annotations

import functools
import hashlib
from dataclasses import dataclass

import numpy as np

from tarock_env.cards import C
from tarock_env.codes import Phase
from tarock_env.engine.state import TRICKS
from tarock_env.rulesets.schema import Ruleset

POINT_STEP, POINT_BITS = 5, 14
CONTRA_BITS, RING_BITS, TOTAL_BITS, DISCARD_BITS = 5, 4, 6, 6

# fmt: off
(PHASE, HAND, UNSEEN, PLAYED, TRICK_CARDS, TRICK_LED, BEST, TALON_SLOTS, TAKEN, DISCARDS, SHOWN, EXPOSED, CONTRACT, HIGH,
 HOLDER, LAST_CALL, ACTIVE, DECLARER, CALLED, FOURTH, WITH, AGAINST, ANNOUNCED, CONTRA, CONTRACTED, DECLARED, OPENING,
 TRICK_NO, TRICKS_WON, POINTS_WON, VOIDS, LED_BY, TO_DISCARD, DEALER, MODE, COMPULSORY, RINGS, AHEAD, BEHIND, FORCED_LOSS,
 TURN, N_BIDS, FULL_HANDS, FULL_TALON, FULL_SIDES) = range(45)
# fmt: on


def _sizes(ruleset: Ruleset) -> list[tuple[int, str, int]]:
    """(index, name, number of bits) of every feature of an observation, then of what a critic sees beside it."""
    n, k, b = ruleset.players, len(ruleset.contracts), len(ruleset.bonuses)
    tricks = 48 // n
    slots = max((6 // c.takes for c in ruleset.contracts if 0 < c.takes < 6), default=0)
    talks = ruleset.announcements.declarations
    return [
        (PHASE, "phase", len(Phase)), (HAND, "hand", C), (UNSEEN, "unseen", C), (PLAYED, "played", n * C),
        (TRICK_CARDS, "trick", (n - 1) * C), (TRICK_LED, "trick_leader", n), (BEST, "best_card", C),
        (TALON_SLOTS, "talon_groups", slots * C), (TAKEN, "taken", C), (DISCARDS, "discards", C), (SHOWN, "shown", C),
        (EXPOSED, "exposed", (n - 1) * C), (CONTRACT, "contract", k), (HIGH, "standing_bid", k), (HOLDER, "holder", n),
        (LAST_CALL, "last_call", n * (k + 2)), (ACTIVE, "active", n), (DECLARER, "declarer", n), (CALLED, "called", 5),
        (FOURTH, "fourth", 1), (WITH, "with_declarer", n), (AGAINST, "against_declarer", n),
        (ANNOUNCED, "announced", 2 * 2 * b), (CONTRA, "contra", 2 * CONTRA_BITS * (b + 1)), (CONTRACTED, "contracted", b),
        (DECLARED, "declared", n * b if talks else 0), (OPENING, "opening_turn", 1), (TRICK_NO, "trick_number", TRICKS),
        (TRICKS_WON, "tricks_won", n * tricks), (POINTS_WON, "points_won", n * POINT_BITS), (VOIDS, "voids", n * 5),
        (LED_BY, "place", n), (TO_DISCARD, "to_discard", DISCARD_BITS), (DEALER, "forehand", n), (MODE, "mode", 3),
        (COMPULSORY, "compulsory", 2), (RINGS, "rings", n * RING_BITS), (AHEAD, "total_ahead", n * TOTAL_BITS),
        (BEHIND, "total_behind", n * TOTAL_BITS), (FORCED_LOSS, "forced_loss", 1), (TURN, "turn", 2),
        (N_BIDS, "number_of_bids", 8),
        (FULL_HANDS, "all_hands", (n - 1) * C), (FULL_TALON, "hidden_talon_and_discards", 2 * C),
        (FULL_SIDES, "true_sides", n),
    ]  # fmt: skip


N_OBSERVED = FULL_HANDS  #: features before this one make the observation


@dataclass(frozen=True)
class Layout:
    """Where each feature stands in the vector of a ruleset."""

    slices: dict[str, slice]  #: of the observation
    full_slices: dict[str, slice]  #: of the perfect-information vector: the observation, then what is hidden
    F: int  #: length of the observation
    F_full: int
    version: str  #: hash of names and slices; a checkpoint refuses another one
    offsets: np.ndarray  #: int64, first bit of each feature

    @property
    def words(self) -> int:
        """uint64 words of a packed observation."""
        return (self.F + 63) // 64

    @property
    def words_full(self) -> int:
        """uint64 words of a packed perfect-information vector."""
        return (self.F_full + 63) // 64


@functools.cache
def _layout(origin: Ruleset) -> Layout:
    slices: dict[str, slice] = {}
    offsets = np.zeros(len(_sizes(origin)) + 1, np.int64)
    at = 0
    observed = 0
    for index, name, size in _sizes(origin):
        offsets[index] = at
        slices[name] = slice(at, at + size)
        at += size
        if index == N_OBSERVED - 1:
            observed = at
    text = repr([(name, s.start, s.stop) for name, s in slices.items()])
    version = hashlib.sha256(text.encode()).hexdigest()[:12]
    own = {name: s for name, s in slices.items() if s.stop <= observed and not name.startswith("all_")}
    offsets.setflags(write=False)
    return Layout(own, slices, observed, at, version, offsets)


def layout(ruleset: Ruleset) -> Layout:
    """Names and slices of a ruleset's features; the same for all option values."""
    return _layout(ruleset.origin or ruleset)
