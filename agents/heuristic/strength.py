"""How good a hand is for a contract: the chance to make it, from what people count before they bid.

Source: public advice, see docs/heuristics.md; the weights are those of `agents.heuristic.fitted`.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from agents.heuristic import fitted
from tarock_env.cards import KINGS, QUEENS, SUITS, T1, T21, T22, TRUMPS, ZERO, has, lowest, popcount
from tarock_env.codes import Objective
from tarock_env.jit import kernel

HIGH = np.uint64(0b11111 << (T1 + 15))  #: T16 … T20
HIGHEST = np.uint64(0b11 << T21)
MIDDLE = np.uint64(0b11111 << (T1 + 10))  #: T11 … T15


@kernel
def sigmoid(x: float) -> float:
    """The logistic function."""
    return 1.0 / (1.0 + math.exp(-x))


@kernel
def row_of(r: Any, k: int) -> int:
    """The row of the regressions that fits a contract."""
    takes: Any = np.int64(r.takes[k])
    if r.n == 3:
        return fitted.THREE + min(takes, 3)
    if r.colour[k] != 0:
        return fitted.COLOUR
    if r.calls_king[k] != 0:
        return fitted.CALLS + min(takes, 3)
    return fitted.WHOLE if takes == 6 else fitted.ALONE + min(takes, 3)


@kernel
def game_logit(r: Any, hand: Any, k: int) -> float:
    """Log-odds of winning a contract decided by card points with this hand as declarer."""
    w = fitted.GAME[row_of(r, k)]
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
    """The chance to take exactly the contract's number of tricks: none needs low cards, a few that many to be feared."""
    target = r.target[k]
    if target == r.n_tricks:
        return slam_chance(r, hand, k)
    if target == 0:
        return sigmoid(avoidance(hand, fitted.NO_TRICK[1 if r.n == 3 else 0]))
    peak, width = (0.55, 1.15) if target == 1 else (0.44, 1.2)
    distance = (avoidance(hand, fitted.FEW_TRICKS) - (0.9 if target == 1 else float(target))) / width
    return peak * math.exp(-0.5 * distance * distance)


@kernel
def slam_chance(r: Any, hand: Any, k: int) -> float:
    """Every trick: ten trumps of twelve cards with the highest and kings; without trumping, suits from the top."""
    size = 48 // r.n
    if r.colour[k] != 0:
        return sigmoid(1.5 * (suit_tops(hand) - size + 0.5))
    missing = size - popcount(hand & TRUMPS) - popcount(hand & KINGS)
    low = popcount(hand & TRUMPS) - high_trumps(hand)
    return sigmoid(3.0 - 2.0 * missing - 3.0 * (7 - high_trumps(hand)) - 0.2 * low)


@kernel
def suit_tops(hand: Any) -> int:
    """Suit cards that win if nobody trumps: those from the top of a suit, and all of it once four of them are."""
    total = 0
    for suit in range(4):
        held = hand & SUITS[suit]
        run = 0
        while run < 8 and has(held, 8 * suit + 7 - run):
            run += 1
        total += popcount(held) if run >= 4 else run
    return total


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
def bird_chance(r: Any, hand: Any, card: Any, trick_from_end: Any) -> float:
    """The chance that a small trump in hand wins its trick near the end: eight trumps with high ones make it likely.

    Longer hands need more of them: with three players one trump in sixteen cards counts as three quarters of one in twelve.
    """
    if not has(hand, card):
        return 0.02
    x = trump_logit(hand, fitted.BIRDS[min(trick_from_end, 3)])
    return sigmoid(x if r.n == 4 else 0.75 * x - 1.3)
