"""OpenSpiel's `tarok` for four, in C++: random games by three routes, and the play of one contract. Chance is not counted.

The fastest route is `RandomRolloutEvaluator`, whose loop is C++ and knows no bots; from Python it is reached through
`MCTSBot`, whose first simulation is nothing but the evaluator's rollouts from the root. It does not say how many decisions
it made; their mean comes from games of `evaluate_bots`, which are as random and are counted exactly. Uniformly random
bidding climbs to the highest contracts, which end early: so the play of `three` (king, talon, discards, 48 cards) is
measured too, where both libraries do the same.
"""

from __future__ import annotations

import functools
import random
from typing import Any

from experiments.bench.clock import Size, Stopwatch, Timed

ROLLOUTS = 100  #: from each deal
THREE = 2  #: OpenSpiel's action that bids `three`, for forehand alone
PASS = 0


@functools.cache
def _game() -> Any:
    import pyspiel

    return pyspiel.load_game("tarok(players=4,rng_seed=1)")


def _dealt(forehand_plays_three: bool = False) -> Any:
    """A hand at its first decision, or at the first one after the auction."""
    state = _game().new_initial_state()
    state.apply_action(0)
    if forehand_plays_three:
        while THREE not in state.legal_actions():
            state.apply_action(PASS)
        state.apply_action(THREE)
    return state


def _bots_play(state: Any, bots: list[Any], seed: int) -> int:
    """Random bots play on to the end; the decisions that they made."""
    import pyspiel

    before = len(state.history())
    pyspiel.evaluate_bots(state, bots, seed)
    return len(state.history()) - before


@functools.cache
def _bots() -> list[Any]:
    import pyspiel

    return [pyspiel.make_uniform_random_bot(player, 17 + player) for player in range(4)]


@functools.cache
def _mean_decisions(three: bool, games: int) -> float:
    return sum(_bots_play(_dealt(three), _bots(), seed) for seed in range(games)) / games


def rollouts(engine: Any, size: Size, three: bool = False) -> Timed:
    """Decisions of random rollouts in C++."""
    import pyspiel

    deals = [_dealt(three) for _ in range(max(1, size.batch // ROLLOUTS * 4))]
    evaluator = pyspiel.RandomRolloutEvaluator(ROLLOUTS, 3)
    bot = pyspiel.MCTSBot(_game(), evaluator, 1.0, 1, 1, False, 1, False)
    mean = _mean_decisions(three, 4 * size.batch)
    with Stopwatch() as watch:
        for state in deals:
            bot.mcts_search(state)
    return watch.timed(len(deals) * ROLLOUTS * mean, len(deals) * ROLLOUTS)


def rollouts_of_three(engine: Any, size: Size) -> Timed:
    """Decisions of random rollouts in C++ after an auction that ended in `three`."""
    return rollouts(engine, size, three=True)


def bots(engine: Any, size: Size) -> Timed:
    """Decisions of whole games by `evaluate_bots`, whose loop is C++; the deal and a few Python calls a game included."""
    import pyspiel

    made = 0
    with Stopwatch() as watch:
        for seed in range(size.batch):
            state = _game().new_initial_state()
            pyspiel.evaluate_bots(state, _bots(), seed)
            made += len(state.history()) - 1
    return watch.timed(made, size.batch)


def python_loop(engine: Any, size: Size) -> Timed:
    """Decisions of games stepped from Python, legal actions and step; the deal included."""
    made, draw = 0, random.Random(1).random
    with Stopwatch() as watch:
        for _ in range(size.hands):
            state = _dealt()
            while not state.is_terminal():
                legal = state.legal_actions()
                state.apply_action(legal[int(draw() * len(legal))])
                made += 1
    return watch.timed(made, size.hands)
