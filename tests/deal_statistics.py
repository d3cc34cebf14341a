"""Are deals uniform? Chi-square tests against exact probabilities, ``python -m tests.deal_statistics``.

Each test takes a `Sample` of deals and gives the probability of a chi-square value as large as the one found (its p-value):
near 0 where deals are not uniform, near 1 where they are more even than chance. A card of a deal excludes others from its
place, so that a table of cards by places has a covariance with both margins fixed; Pearson's sum times 53/54 is then
chi-square distributed with (cards - 1) x (places - 1) degrees of freedom. Where a trumpless hand is dealt again,
probabilities are those given that every hand has a trump.

Exit code: 0 if all p-values lie between 1e-4 and 1 - 1e-4, 1 if not.
"""

from __future__ import annotations

import argparse
import functools
import itertools
import math
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

import tarock_env
from tarock_env import Engine
from tarock_env.cards import SUIT, TRUMP, C, cards_in
from tarock_env.codes import Phase
from tarock_env.engine.chance import CHANCE, make_keys

LEAST = 1e-4  #: p-values nearer than this to 0 or 1 are rejected
TRUMPS, SIDE, TALON = 22, 8, 6
#: every dealing scheme there is
SETTINGS: list[tuple[str, dict[str, Any]]] = [
    *((ruleset, {}) for ruleset in tarock_env.available()),
    ("koenigrufen_pagat", {"table_size": 5}),
    ("koenigrufen_pagat", {"knock": "always"}),
    ("koenigrufen_pagat", {"knock": "random"}),
    ("illustrated_tarock", {"redeal_no_trumps": True}),
]


# ------------------------------------------------------------------ chi-square


def chi_square_tail(x: float, degrees: int) -> float:
    """The probability that a chi-square variable exceeds x: the upper incomplete gamma function of degrees / 2 and x / 2.

    Series below the mean, continued fraction (Lentz) above. Source: Abramowitz & Stegun 6.5.29, 6.5.31.
    """
    a, z = degrees / 2, x / 2
    if z <= 0:
        return 1.0
    front = math.exp(-z + a * math.log(z) - math.lgamma(a))
    if z < a + 1:
        term = total = 1 / a
        n = a
        while term > total * 1e-16:
            n += 1
            term *= z / n
            total += term
        return 1 - total * front
    b = z + 1 - a
    c, d = 1e300, 1 / b
    fraction = d
    for i in range(1, 10_000):
        step = -i * (i - a)
        b += 2
        d = 1 / (step * d + b)
        c = b + step / c
        fraction *= c * d
        if abs(c * d - 1) < 1e-16:
            break
    return front * fraction


def p_of(observed: np.ndarray, probabilities: np.ndarray) -> float:
    """Pearson's test of counts against probabilities; neighbours are put together until five are expected in each."""
    n, cells, o, e = observed.sum(), [], 0.0, 0.0
    for count, p in zip(observed.tolist(), probabilities.tolist(), strict=True):
        o, e = o + count, e + n * p
        if e >= 5:
            cells.append((o, e))
            o, e = 0.0, 0.0
    last = cells.pop()
    cells.append((last[0] + o, last[1] + e))
    return chi_square_tail(sum((o - e) ** 2 / e for o, e in cells), len(cells) - 1)


def p_of_table(counts: np.ndarray, expected: np.ndarray, cards: int = C) -> float:
    """The test of a table summed over deals whose margins are the same in each; `cards` in each deal."""
    statistic = ((counts - expected) ** 2 / expected).sum() * (cards - 1) / cards
    return chi_square_tail(float(statistic), (counts.shape[0] - 1) * (counts.shape[1] - 1))


# ------------------------------------------------------------------ samples and exact probabilities


@dataclass(frozen=True)
class Sample:
    """n deals.

    Attributes:
        place: int (n, 54), where each card lies: 0 … players - 1 from forehand on, then the talon.
        slots: int (n, 6), the talon in table order. dealer: int (n,). seats: at the table.
        trumps_everywhere: trumpless hands were dealt again.
    """

    place: np.ndarray
    slots: np.ndarray
    dealer: np.ndarray
    seats: int
    trumps_everywhere: bool

    @property
    def sizes(self) -> list[int]:
        """Cards in each place."""
        players = int(self.place.max())
        return [48 // players] * players + [TALON]


def draw(engine: Engine, n: int, seed: int) -> Sample:
    """Deals as players hold them when the auction begins."""
    return sample_of(engine, engine.reset(keys=make_keys(n, seed, CHANCE)))


def sample_of(engine: Engine, state: np.ndarray) -> Sample:
    """The deals of fresh hands; a knocked deal's packets are taken at random first."""
    while (early := np.isin(state["phase"], (Phase.CUT, Phase.PACKET))).any():
        part = engine.take(state, np.flatnonzero(early))
        engine.playout(part, "uniform", limit=1)
        state[early] = part
    n, players = len(state), engine.ruleset.players
    place = np.full((n, C), players)
    for i in range(players):
        seats = (state["dealer"] + 1 + i) % engine.P
        place[cards_in(state["hands"][np.arange(n), seats])] = i
    again = bool(engine.ruleset.deal.redeal_trumpless)
    return Sample(place, state["talon"].astype(int), state["dealer"].astype(int), engine.P, again)


@functools.cache
def trump_ways(sizes: tuple[int, ...], everywhere: bool) -> dict[tuple[int, ...], int]:
    """In how many ways the trumps can lie with so many in each place; all hands have one, if so agreed."""
    ways = {}
    for counts in itertools.product(*(range(size + 1) for size in sizes[:-1])):
        left = TRUMPS - sum(counts)
        if 0 <= left <= sizes[-1] and not (everywhere and 0 in counts):
            ways[(*counts, left)] = math.prod(map(math.comb, sizes, (*counts, left)))
    return ways


@functools.cache
def trump_shares(sizes: tuple[int, ...], everywhere: bool) -> np.ndarray:
    """The probability of 0, 1 … trumps in each place, float64 (places, 23)."""
    shares = np.zeros((len(sizes), TRUMPS + 1))
    ways = trump_ways(sizes, everywhere)
    total = sum(ways.values())
    for counts, number in ways.items():
        shares[np.arange(len(sizes)), list(counts)] += number / total
    return shares


def thrown_in(sizes: tuple[int, ...]) -> float:
    """The probability that some hand is dealt no trump."""
    return 1 - sum(trump_ways(sizes, True).values()) / sum(trump_ways(sizes, False).values())


@functools.cache
def card_shares(sizes: tuple[int, ...], everywhere: bool) -> np.ndarray:
    """The probability of each card in each place, float64 (54, places)."""
    mean = trump_shares(sizes, everywhere) @ np.arange(TRUMPS + 1)
    return np.where((SUIT == TRUMP)[:, None], mean / TRUMPS, (np.array(sizes) - mean) / (C - TRUMPS))


# ------------------------------------------------------------------ the tests


def cards_by_place(sample: Sample) -> float:
    """Every card goes to every seat and into the talon equally often."""
    sizes, n = tuple(sample.sizes), len(sample.place)
    counts = np.stack([(sample.place == i).sum(axis=0) for i in range(len(sizes))], axis=1)
    return p_of_table(counts, n * card_shares(sizes, sample.trumps_everywhere))


def cards_by_talon_slot(sample: Sample) -> float:
    """Every card lies in each of the six places of the talon, or in none, equally often."""
    sizes, n = tuple(sample.sizes), len(sample.place)
    counts = np.stack([np.bincount(sample.slots[:, i], minlength=C) for i in range(TALON)], axis=1)
    inside = card_shares(sizes, sample.trumps_everywhere)[:, -1:]
    expected = n * np.hstack([np.repeat(inside / TALON, TALON, axis=1), 1 - inside])
    return p_of_table(np.hstack([counts, n - counts.sum(axis=1, keepdims=True)]), expected)


def trumps_in_hand(sample: Sample, place: int = 0) -> float:
    """The number of trumps in one place against the hypergeometric distribution."""
    trumps = ((sample.place == place) & (SUIT == TRUMP)).sum(axis=1)
    return p_of(
        np.bincount(trumps, minlength=TRUMPS + 1), trump_shares(tuple(sample.sizes), sample.trumps_everywhere)[place]
    )


def suit_lengths(sample: Sample) -> float:
    """The lengths of all suits in forehand's hand together: trumps, and the sorted lengths of the others."""
    sizes = tuple(sample.sizes)
    trumps = trump_shares(sizes, sample.trumps_everywhere)[0]
    chances: dict[tuple[int, ...], float] = {}
    for lengths in itertools.product(range(SIDE + 1), repeat=4):
        count = sizes[0] - sum(lengths)
        if 0 <= count <= TRUMPS:
            share = math.prod(math.comb(SIDE, length) for length in lengths) / math.comb(C - TRUMPS, sum(lengths))
            shape = (count, *sorted(lengths, reverse=True))
            chances[shape] = chances.get(shape, 0.0) + trumps[count] * share
    mine = sample.place == 0
    lengths = np.stack([(mine & (suit == SUIT)).sum(axis=1) for suit in range(5)], axis=1)
    shapes = np.column_stack([lengths[:, 4], -np.sort(-lengths[:, :4], axis=1)])
    found, counts = np.unique(shapes, axis=0, return_counts=True)
    number = {tuple(shape): count for shape, count in zip(found.tolist(), counts.tolist(), strict=True)}
    order = sorted(chances, key=lambda shape: -chances[shape])
    return p_of(np.array([number.get(shape, 0) for shape in order]), np.array([chances[shape] for shape in order]))


def dealers(sample: Sample) -> float:
    """Every seat deals equally often."""
    return p_of(np.bincount(sample.dealer, minlength=sample.seats), np.full(sample.seats, 1 / sample.seats))


def neighbours(sample: Sample, shift: int = 0) -> float:
    """Where a card lies in one deal says nothing of where it, or the next one in order, lies in the following deal."""
    shares = card_shares(tuple(sample.sizes), sample.trumps_everywhere)
    first, second = sample.place[0::2], np.roll(sample.place[1::2], -shift, axis=1)
    places = shares.shape[1]
    counts = np.bincount((first * places + second).ravel(), minlength=places**2).reshape(places, places)
    return p_of_table(counts, len(first) * shares.T @ np.roll(shares, -shift, axis=0))


TESTS: dict[str, Callable[[Sample], float]] = {
    "card x place": cards_by_place,
    "card x talon slot": cards_by_talon_slot,
    "trumps in forehand's hand": trumps_in_hand,
    "trumps in the dealer's hand": lambda sample: trumps_in_hand(sample, len(sample.sizes) - 2),
    "trumps in the talon": lambda sample: trumps_in_hand(sample, len(sample.sizes) - 1),
    "suit lengths": suit_lengths,
    "dealer": dealers,
    "same card, next deal": neighbours,
    "next card, next deal": lambda sample: neighbours(sample, 1),
}


# ------------------------------------------------------------------ the command


def main(arguments: Sequence[str] | None = None) -> int:
    """The command."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.deal_statistics", description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--deals", type=int, default=200_000, help="of each setting, default %(default)s")
    parser.add_argument("--seed", type=int, default=1, help="default %(default)s")
    chosen = parser.parse_args(arguments)
    started, rejected = time.perf_counter(), 0
    for ruleset, options in SETTINGS:
        sample = draw(tarock_env.make(ruleset, **options), chosen.deals, chosen.seed)
        values = {name: test(sample) for name, test in TESTS.items()}
        rejected += sum(not LEAST < p < 1 - LEAST for p in values.values())
        print(f"{ruleset} {options or ''}: " + ", ".join(f"{name} {p:.3f}" for name, p in values.items()))
    print(f"{len(SETTINGS) * len(TESTS)} tests of {chosen.deals} deals each, {rejected} rejected", end="")
    print(f", {time.perf_counter() - started:.0f} s")
    return 1 if rejected else 0


if __name__ == "__main__":
    sys.exit(main())
