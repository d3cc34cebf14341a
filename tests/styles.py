"""Deals and manners of play that reach what uniform play seldom does: birds in their tricks, Valat, captured honours.

Everything is vectorised over a batch of B hands and draws from a `numpy.random.Generator`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from tarock_env import STATE, Engine
from tarock_env.cards import KINGS, T1, TRUMPS, C, cards_in
from tarock_env.codes import NONE, Compulsory, Phase, Zero
from tarock_env.engine import loops
from tarock_env.engine.batch import NO_DEALERS, NO_KEYS
from tarock_env.engine.session import SINGLE

#: manners of playing cards: as the policy says; birds and kings kept; the declarer's side high and the defence low; the
#: other way round; everybody low
ANY, KEEP, SWEEP, DEFEND, LOW = range(5)
MANNER_CHANCES = (0.4, 0.25, 0.15, 0.1, 0.1)
#: how often a turn is ended although the policy would make a statement, one value drawn for each hand: the compiled
#: policies announce nearly everything, so that hardly anything would be made silently
SILENCES = (0.0, 0.7, 1.0)

IS_TRUMP, IS_KING = cards_in(TRUMPS), cards_in(KINGS)
BIRDS = T1 + np.arange(4)
#: trumps above kings above the rest, the higher card of a suit above the lower
STRENGTH = np.where(IS_TRUMP, 100.0 + np.arange(C), np.arange(C) % 8)


# ------------------------------------------------------------------ deals


def skewed_deals(n: int, places: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Deals in which one player, or the talon, holds more than his share of trumps and kings.

    Returns:
        hands uint64 (n, places) and talon int8 (n, 6); row by row the whole pack.
    """
    size = 48 // places
    bias = rng.choice([0.0, 0.3, 0.6, 1.2], size=(n, 1))
    draw = rng.random((n, C)) - bias * IS_TRUMP - 0.5 * bias * IS_KING
    order = np.argsort(draw, axis=1)
    favoured = rng.integers(0, places + 1, n)  # the last one is the talon
    taken = np.where(favoured == places, 6, size)
    rest = np.arange(C) >= taken[:, None]
    later = np.argsort(np.where(rest, rng.random((n, C)), -1.0), axis=1, kind="stable")
    order = np.take_along_axis(order, later, axis=1)
    hands, talon = np.zeros((n, places), np.uint64), np.zeros((n, 6), np.int8)
    for i in range(n):
        groups = [size] * places + [6]
        groups = [groups[favoured[i]], *(size for p, size in enumerate(groups) if p != favoured[i])]
        seats = [favoured[i], *(p for p in range(places + 1) if p != favoured[i])]
        for seat, cards in zip(seats, np.split(order[i], np.cumsum(groups)[:-1]), strict=True):
            if seat == places:
                talon[i] = rng.permutation(cards)
            else:
                hands[i, seat] = sum(1 << int(card) for card in cards)
    return hands, talon


def set_hands(engine: Engine, keys: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Skewed deals at their first decision, with running totals, rings and compulsory hands where the ruleset has them."""
    n, r = len(keys), engine.ruleset
    state = np.zeros(n, STATE)
    loops.clear_all(state, engine.rules)
    hands, talon = skewed_deals(n, r.players, rng)
    while r.deal.redeal_trumpless and (bad := ((hands & TRUMPS) == 0).any(axis=1)).any():
        hands[bad], talon[bad] = skewed_deals(int(bad.sum()), r.players, rng)
    state["key"], state["talon"] = keys, talon
    state["hands_left"], state["scuse_holder"] = SINGLE, NONE
    state["dealer"] = rng.integers(0, engine.P, n)
    rows = np.arange(n)
    for place in range(r.players):
        state["hands"][rows, (state["dealer"] + 1 + place) % engine.P] = hands[:, place]
    _set_session(engine, state, rng)
    loops.open_all(state, engine.rules, NO_KEYS, NO_DEALERS, loops.GIVEN)
    return state


def _set_session(engine: Engine, state: np.ndarray, rng: np.random.Generator) -> None:
    r, n = engine.ruleset, len(state)
    totals = rng.integers(-60, 60, (n, engine.P)) * 5
    totals[rng.random(totals.shape) < 0.2] = 0
    if r.session.goal:  # a match that is not over yet
        totals = np.abs(totals) % r.session.goal
    state["totals"][:, : engine.P] = totals
    if r.scoring.rings:
        state["rings"][:, : engine.P] = rng.integers(0, 3, (n, engine.P))
    if r.session.zero != Zero.NEVER:
        reasons = np.where((totals == 0).any(axis=1), Compulsory.SCORE, Compulsory.NO_TRUMPS)
        state["compulsory"] = np.where(rng.random(n) < 0.3, reasons, Compulsory.NO)


# ------------------------------------------------------------------ play


@dataclass(frozen=True)
class Styles:
    """How each of n hands is played: `manner` int (n,), `silence` float (n,)."""

    manner: np.ndarray
    silence: np.ndarray


def draw_styles(n: int, rng: np.random.Generator) -> Styles:
    """A style for each hand."""
    return Styles(rng.choice(len(MANNER_CHANCES), size=n, p=MANNER_CHANCES), rng.choice(SILENCES, size=n))


def change_actions(engine: Engine, state: np.ndarray, styles: Styles, actions: np.ndarray, rng: np.random.Generator) -> None:
    """Replace what the policy chose by what the styles ask for. actions: int64 (B,), changed in place."""
    _play_cards(engine, state, styles.manner, actions, rng)
    end = engine.actions.get("end")
    if end != NONE:
        may_end = (state["legal_calls"] >> np.uint64(end - C)) & np.uint64(1) != 0
        ends = (state["phase"] == Phase.ANNOUNCE) & may_end & (rng.random(len(state)) < styles.silence)
        actions[ends] = end


def _play_cards(
    engine: Engine, state: np.ndarray, styles: np.ndarray, actions: np.ndarray, rng: np.random.Generator
) -> None:
    rows = np.flatnonzero((state["phase"] == Phase.PLAY) & (styles != ANY))
    if not len(rows):
        return
    g: Any = state[rows]
    wish = rng.random((len(rows), C))
    manner, actor = styles[rows], g["actor"].astype(int)
    attacks = (actor == g["declarer"]) | (actor == g["partner"])
    strong = ((manner == SWEEP) & attacks) | ((manner == DEFEND) & ~attacks)
    weak = (manner == LOW) | ((manner == SWEEP) & ~attacks) | ((manner == DEFEND) & attacks)
    wish[strong] += STRENGTH
    wish[weak] -= STRENGTH
    _keep_for_the_end(engine, g, manner == KEEP, wish)
    wish[~cards_in(g["legal_cards"])] = -np.inf
    actions[rows] = wish.argmax(axis=1)


def _keep_for_the_end(engine: Engine, g: np.ndarray, keeps: np.ndarray, wish: np.ndarray) -> None:
    """Birds, kings and other trumps stay in hand; each bird falls in its trick, the called king in the last one."""
    last = 48 // engine.ruleset.players - 1
    wish[keeps] -= 2.0 * IS_TRUMP + 3.0 * IS_KING
    wish[np.ix_(keeps, BIRDS)] -= 9.0
    for k, bird in enumerate(BIRDS):
        wish[keeps & (g["trick_no"] == last - k), bird] += 50.0
    called = np.flatnonzero(keeps & (g["called"] != NONE))
    due = g["trick_no"][called] == last
    wish[called, 8 * g["called"][called].astype(int) + 7] += np.where(due, 60.0, -6.0)
