"""Deals are uniform, and the evaluation's intervals cover what they promise; what is not so would be told."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import tarock_env
from experiments.duplicate import CHALLENGER, seatings
from tarock_env.cards import SUIT, T22, TRUMP
from tarock_env.codes import Compulsory
from tests import deal_statistics as deals
from tests.deal_statistics import LEAST, SETTINGS, TESTS, Sample
from tests.interval_coverage import covered, hundreds, intervals
from tests.interval_coverage import main as coverage

N = 10_000


@pytest.mark.parametrize(
    "x, degrees, tail",
    [(3.841459, 1, 0.05), (6.634897, 1, 0.01), (11.344867, 3, 0.01), (124.342113, 100, 0.05), (70.064895, 100, 0.99)],
)
def test_chi_square_tails_of_printed_tables(x: float, degrees: int, tail: float) -> None:
    assert deals.chi_square_tail(x, degrees) == pytest.approx(tail, abs=1e-6)


@pytest.mark.parametrize("x", [1e-9, 0.1, 1.0, 4.0, 30.0, 250.0, 600.0])
def test_chi_square_tails_in_closed_form(x: float) -> None:
    """One degree is the normal distribution's tail, even degrees are sums of Poisson probabilities."""
    assert deals.chi_square_tail(x, 1) == pytest.approx(math.erfc(math.sqrt(x / 2)), rel=1e-9)
    for degrees in (2, 10, 212, 318):
        terms = [math.exp(-x / 2 + k * math.log(x / 2) - math.lgamma(k + 1)) for k in range(degrees // 2)]
        assert deals.chi_square_tail(x, degrees) == pytest.approx(math.fsum(terms), rel=1e-9)


# ------------------------------------------------------------------ deals


@pytest.mark.parametrize("ruleset, options", SETTINGS)
def test_deals_are_uniform(ruleset: str, options: dict[str, Any]) -> None:
    sample = deals.draw(tarock_env.make(ruleset, **options), N, 1)
    for name, test in TESTS.items():
        assert LEAST < test(sample) < 1 - LEAST, name


@pytest.mark.slow
@pytest.mark.parametrize("ruleset, options", SETTINGS)
def test_many_deals_are_uniform(ruleset: str, options: dict[str, Any]) -> None:
    sample = deals.draw(tarock_env.make(ruleset, **options), 400_000, 3)
    for name, test in TESTS.items():
        assert LEAST < test(sample) < 1 - LEAST, name


def test_deals_of_neighbouring_seeds_are_independent() -> None:
    engine = tarock_env.make("koenigrufen_pagat")
    state = np.concatenate([engine.reset(1, seed=seed) for seed in range(4000)])
    sample = deals.sample_of(engine, state)
    for name, test in TESTS.items():
        assert LEAST < test(sample) < 1 - LEAST, name


@pytest.mark.parametrize("ruleset", ["tarok_furr_4p", "tarok_furr_3p", "slovenian_4p"])
def test_trumpless_hands_are_dealt_again_as_often_as_they_come(ruleset: str) -> None:
    engine = tarock_env.make(ruleset)
    players = engine.ruleset.players
    chance = deals.thrown_in((*[48 // players] * players, 6))
    state = engine.reset(60_000, seed=4)
    again = int((state["compulsory"] == Compulsory.NO_TRUMPS).sum())
    p = deals.p_of(np.array([again, len(state) - again]), np.array([chance, 1 - chance]))
    assert LEAST < p < 1 - LEAST
    assert again >= 5 or players == 3
    trumps = (deals.sample_of(engine, state).place[:, SUIT == TRUMP, None] == np.arange(players)).sum(axis=1)
    assert trumps.min() >= 1


def test_knocking_is_drawn_evenly() -> None:
    engine = tarock_env.make("koenigrufen_pagat", knock="random")
    knocked = int(engine.reset(N, seed=5)["knocked"].sum())
    assert LEAST < deals.p_of(np.array([knocked, N - knocked]), np.array([0.5, 0.5])) < 1 - LEAST


# ------------------------------------------------------------------ deals that are not uniform are rejected


def swapped(sample: Sample, rows: np.ndarray, a: np.ndarray | int, b: np.ndarray | int) -> Sample:
    """Two cards in each other's places in some rows; the talon's order follows."""
    place, slots = sample.place.copy(), sample.slots.copy()
    a, b = np.broadcast_to(a, len(rows)), np.broadcast_to(b, len(rows))
    place[rows, a], place[rows, b] = sample.place[rows, b], sample.place[rows, a]
    for slot in range(6):
        was = sample.slots[rows, slot]
        slots[rows, slot] = np.where(was == a, b, np.where(was == b, a, was))
    return replace(sample, place=place, slots=slots)


def one_card_moved(sample: Sample) -> Sample:
    """T22 out of the talon into forehand's hand, for forehand's lowest card."""
    rows = np.flatnonzero(sample.place[:, T22] == sample.place.max())
    return swapped(sample, rows, T22, (sample.place[rows] == 0).argmax(axis=1))


def talon_sorted(sample: Sample) -> Sample:
    """The first two talon cards in order, in every fifth deal."""
    slots = sample.slots.copy()
    slots[::5, :2] = np.sort(slots[::5, :2], axis=1)
    return replace(sample, slots=slots)


def trumps_shared_out(sample: Sample) -> Sample:
    """In every third deal whose forehand has more than five trumps, his lowest goes to the talon for a card of a suit."""
    mine = (sample.place == 0) & (SUIT == TRUMP)
    side = (sample.place == sample.place.max()) & (SUIT != TRUMP)
    rows = np.flatnonzero((mine.sum(axis=1) > 5) & side.any(axis=1))[::3]
    return swapped(sample, rows, mine[rows].argmax(axis=1), side[rows].argmax(axis=1))


def suits_evened(sample: Sample) -> Sample:
    """In every fourth deal forehand's longest side suit gives a card to the shortest, through his neighbour."""
    mine = sample.place == 0
    lengths = np.stack([(mine & (suit == SUIT)).sum(axis=1) for suit in range(4)], axis=1)
    give, get = lengths.argmax(axis=1), lengths.argmin(axis=1)
    out = mine & (give[:, None] == SUIT)
    back = (sample.place == 1) & (get[:, None] == SUIT)
    rows = np.flatnonzero(out.any(axis=1) & back.any(axis=1) & (give != get))[::4]
    return swapped(sample, rows, out[rows].argmax(axis=1), back[rows].argmax(axis=1))


def dealer_kept(sample: Sample) -> Sample:
    """Every twentieth dealer is seat 0."""
    dealer = sample.dealer.copy()
    dealer[::20] = 0
    return replace(sample, dealer=dealer)


def card_stays(sample: Sample) -> Sample:
    """In every other deal one drawn card lies where it lay in the deal before."""
    rows = np.arange(1, len(sample.place), 2)
    cards = np.random.default_rng(1).integers(0, 54, len(rows))
    there = sample.place[rows] == sample.place[rows - 1, cards][:, None]
    return swapped(sample, rows, cards, there.argmax(axis=1))


def one_deal_twice(sample: Sample) -> Sample:
    """A hundredth of the deals are the ones before."""
    place = sample.place.copy()
    place[1::200] = place[0::200]
    return replace(sample, place=place)


@pytest.mark.parametrize(
    "bias, test",
    [
        (one_card_moved, "card x place"),
        (one_card_moved, "card x talon slot"),
        (talon_sorted, "card x talon slot"),
        (trumps_shared_out, "trumps in forehand's hand"),
        (trumps_shared_out, "trumps in the talon"),
        (suits_evened, "suit lengths"),
        (dealer_kept, "dealer"),
        (card_stays, "same card, next deal"),
        (one_deal_twice, "same card, next deal"),
    ],
)
def test_biased_deals_are_rejected(bias: Callable[[Sample], Sample], test: str) -> None:
    fair = deals.draw(tarock_env.make("koenigrufen_pagat"), N, 1)
    assert TESTS[test](bias(fair)) < LEAST < TESTS[test](fair)


def test_deals_that_are_too_even_are_rejected() -> None:
    """Every deal and its rotations: all cards lie everywhere exactly equally often."""
    fair = deals.draw(tarock_env.make("koenigrufen_pagat"), 20, 1)
    orders = np.argsort(fair.place, axis=1, kind="stable")
    turned = np.concatenate([np.roll(orders, k, axis=1) for k in range(54)])
    place = np.empty_like(turned)
    np.put_along_axis(place, turned, np.repeat(np.arange(5), fair.sizes)[None, :], axis=1)
    assert deals.cards_by_place(replace(fair, place=place)) > 1 - LEAST


# ------------------------------------------------------------------ intervals


@pytest.mark.parametrize(
    "ruleset, design",
    [*((name, "1v3") for name in tarock_env.available()), ("koenigrufen_pagat", "3v1"), ("slovenian_4p", "2v2")],
)
def test_intervals_of_identical_agents_cover_zero(ruleset: str, design: str) -> None:
    """In 90 to 99 of the first hundred matches, and as often in 300; intervals of half the width, or of double, do not."""
    engine = tarock_env.make(ruleset)
    assert (seatings(design, engine.ruleset.players) == CHALLENGER).any()
    found = intervals(engine, 300, 100, design)
    assert 90 <= covered(found[:100]) <= 99
    assert 270 <= covered(found) <= 297
    assert covered(found, 0.5) < 270
    assert covered(found, 2.0) > 297


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", tarock_env.available())
def test_a_thousand_intervals_cover_zero(ruleset: str) -> None:
    found = intervals(tarock_env.make(ruleset), 1000, 100)
    assert 90 <= covered(found[:100]) <= 99
    assert 0.93 <= covered(found) / 1000 <= 0.975


def test_hundreds_are_counted_in_turn(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """97 of the first hundred cover 0, 89 of the second; what is left over is no hundred."""
    middles = np.zeros(250)
    middles[[0, 50, 99, *range(110, 121), 249]] = 2.0
    found = np.stack([middles - 1.0, middles + 1.0], axis=1)
    assert hundreds(found) == [97, 89]
    assert hundreds(found[:99]) == []
    monkeypatch.setattr("tests.interval_coverage.intervals", lambda engine, repeats, deals, design: found[:repeats])
    for repeats, told in ((250, "  94.0% of 250 intervals of 100 deals cover 0, 89 to 97 of a hundred"),
                          (50, "  98.0% of 50 intervals of 100 deals cover 0")):  # fmt: skip
        assert coverage(["--ruleset", "slovenian_4p", "--repeats", str(repeats)]) == 0
        assert capsys.readouterr().out.rpartition(", ")[0] == f"slovenian_4p        {told}"
