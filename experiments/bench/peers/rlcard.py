"""RLCard: the loop over its environments, which make an observation and the legal actions in each step."""

from __future__ import annotations

import random
from typing import Any

from experiments.bench.clock import Size, Stopwatch, Timed


def bridge(engine: Any, size: Size) -> Timed:
    """Steps of bridge: an auction and 52 cards."""
    return _steps("bridge", size)


def doudizhu(engine: Any, size: Size) -> Timed:
    """Steps of Dou dizhu."""
    return _steps("doudizhu", size)


def _steps(name: str, size: Size) -> Timed:
    import rlcard

    env: Any = rlcard.make(name, config={"seed": 1})
    draw, steps, games = random.Random(1).random, 0, 0
    with Stopwatch() as watch:
        while steps < size.steps:
            observation, _ = env.reset()
            games += 1
            while not env.is_over():
                legal = list(observation["legal_actions"])
                observation, _ = env.step(legal[int(draw() * len(legal))])
                steps += 1
    return watch.timed(steps, games)
