"""How good a hand is for a contract: the chance to make it, from what people count before they bid.

The weights are logistic regressions of won games on the counted features, over hands that the heuristic player itself played
in contracts drawn at random (docs/heuristics.md has the command). Source of the features: public advice, see there.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tarock_env.cards import KINGS, QUEENS, SUITS, T1, T21, T22, TRUMPS, ZERO, has, lowest, popcount
from tarock_env.codes import Objective
from tarock_env.jit import kernel

HIGH = np.uint64(0b11111 << (T1 + 15))  #: T16 … T20
HIGHEST = np.uint64(0b11 << T21)
MIDDLE = np.uint64(0b11111 << (T1 + 10))  #: T11 … T15
FEATURES = ("one", "trumps", "high", "middle", "skues", "mond", "pagat", "kings", "queens", "voids", "singles")
#: kinds of contracts won by points
CALLS_EXCHANGES, CALLS_PLAYS, ALONE_EXCHANGES, ALONE_WHOLE, ALONE_PLAYS, COLOUR = range(6)
GAME_WEIGHTS = np.array(
    [
        [-1.52, 0.29, 0.22, 0.07, 0.57, 0.53, 0.41, 0.33, 0.10, 0.14, 0.08],
        [-3.14, 0.25, 0.19, 0.06, 0.50, 0.47, 0.35, 0.53, 0.07, 0.35, -0.05],
        [-6.78, 0.45, 0.38, 0.10, 1.20, 1.07, 0.77, 0.97, 0.17, 0.68, 0.36],
        [-3.57, 0.41, 0.28, 0.06, 1.05, 0.93, 0.60, 0.47, 0.18, 0.23, 0.12],
        [-12.05, 0.48, 0.52, 0.08, 1.69, 1.31, 1.12, 1.27, 0.00, 1.33, 0.00],
        [-6.07, -0.90, 0.24, 0.03, 1.27, 0.83, -0.49, 1.73, 0.82, 1.68, 0.09],
    ]
)
#: expected tricks in a contract about avoiding them: one, suit danger, trump danger, trumps, Sküs, Mond, kings, voids
TRICK_WEIGHTS = np.array([-3.2, 0.065, 0.05, 0.93, 0.60, 0.35, 0.20, 0.35])
#: expected card points where everybody avoids them: the same features
POINT_WEIGHTS = np.array([-11.3, 0.11, 0.13, 3.8, 6.8, 3.4, 4.5, 3.8])
#: small trumps that must win trick 0 … 3 from the end: one, trumps, T16 to T20, Sküs, Mond; taken off for a declarer
BIRD_WEIGHTS = np.array(
    [
        [-2.96, 0.69, 0.33, 0.39, 0.27, 4.21],
        [-3.45, 0.51, 0.26, 0.46, 0.31, 2.39],
        [-3.74, 0.45, 0.20, 0.56, 0.38, 1.98],
        [-3.20, 0.36, 0.15, 0.51, 0.34, 1.76],
    ]
)


@kernel
def sigmoid(x: float) -> float:
    """The logistic function."""
    return 1.0 / (1.0 + math.exp(-x))


@kernel
def kind_of(r: Any, k: int) -> int:
    """Which of the regressions fits a contract."""
    if r.colour[k] != 0:
        return COLOUR
    if r.calls_king[k] != 0:
        return CALLS_PLAYS if r.takes[k] == 0 else CALLS_EXCHANGES
    if r.takes[k] == 0:
        return ALONE_PLAYS
    return ALONE_WHOLE if r.takes[k] == 6 else ALONE_EXCHANGES


@kernel
def game_logit(r: Any, hand: Any, k: int) -> float:
    """Log-odds of winning a contract decided by card points with this hand as declarer."""
    w = GAME_WEIGHTS[kind_of(r, k)]
    x = w[0] + w[1] * popcount(hand & TRUMPS) + w[2] * popcount(hand & HIGH) + w[3] * popcount(hand & MIDDLE)
    x += (w[4] if has(hand, T22) else 0.0) + (w[5] if has(hand, T21) else 0.0) + (w[6] if has(hand, T1) else 0.0)
    x += w[7] * popcount(hand & KINGS) + w[8] * popcount(hand & QUEENS)
    for suit in range(4):
        held = hand & SUITS[suit]
        count = popcount(held)
        x += w[9] if count == 0 else w[10] if count == 1 and held & KINGS == ZERO else 0.0
    return x


@kernel
def suit_danger(hand: Any) -> float:
    """How far the suit cards lie above those that go safely under: the i-th lowest may be about the 2i-th of its suit."""
    total = 0.0
    for suit in range(4):
        held = hand & SUITS[suit]
        i = 0
        while held != ZERO:
            total += max(0, (lowest(held) & 7) - 2 * i - 1)
            held &= held - np.uint64(1)
            i += 1
    return total


@kernel
def trump_danger(hand: Any) -> float:
    """The same for trumps: the i-th lowest may be about the 4i-th."""
    total = 0.0
    held = hand & TRUMPS
    i = 0
    while held != ZERO:
        total += max(0, lowest(held) - T1 + 1 - 4 * i - 3)
        held &= held - np.uint64(1)
        i += 1
    return total


@kernel
def avoidance(hand: Any, w: Any) -> float:
    """A weighted sum of what takes tricks against one's will."""
    x = w[0] + w[1] * suit_danger(hand) + w[2] * trump_danger(hand) + w[3] * popcount(hand & TRUMPS)
    x += (w[4] if has(hand, T22) else 0.0) + (w[5] if has(hand, T21) else 0.0) + w[6] * popcount(hand & KINGS)
    for suit in range(4):
        x += w[7] if hand & SUITS[suit] == ZERO else 0.0
    return x


@kernel
def tricks_chance(r: Any, hand: Any, k: int) -> float:
    """The chance to take exactly the contract's number of tricks, from the number to be feared."""
    feared = avoidance(hand, TRICK_WEIGHTS)
    target = r.target[k]
    if target == 0:
        return sigmoid(-1.55 * feared)
    if target == r.n_tricks:
        return sigmoid(game_logit(r, hand, k) - 6.0)
    peak, width = (0.55, 1.15) if target == 1 else (0.44, 1.2)
    distance = (feared - (0.9 if target == 1 else float(target))) / width
    return peak * math.exp(-0.5 * distance * distance)


@kernel
def chance(r: Any, hand: Any, k: int) -> float:
    """The chance to make a contract as declarer with the cards held before any exchange."""
    if r.objective[k] == Objective.POINTS:
        return sigmoid(game_logit(r, hand, k))
    return tricks_chance(r, hand, k)


@kernel
def high_trumps(hand: Any) -> int:
    """Trumps from T16 up."""
    return popcount(hand & (HIGH | HIGHEST))


@kernel
def trump_logit(hand: Any, w: Any) -> float:
    """A weighted sum of one, trumps, T16 to T20, Sküs and Mond."""
    x = w[0] + w[1] * popcount(hand & TRUMPS) + w[2] * popcount(hand & HIGH)
    return x + (w[3] if has(hand, T22) else 0.0) + (w[4] if has(hand, T21) else 0.0)


@kernel
def bird_chance(hand: Any, card: int, trick_from_end: int, declares: bool) -> float:
    """The chance that a small trump in hand wins its trick near the end.

    The declarer's partner needs fewer trumps for it, since the declarer draws those of the others.
    """
    if not has(hand, card):
        return 0.02
    w = BIRD_WEIGHTS[min(trick_from_end, 3)]
    return sigmoid(trump_logit(hand, w) - (w[5] if declares else 0.0))
