"""The environments: PettingZoo for all seats, Gymnasium for one seat, alone or in a vector."""

from __future__ import annotations

import random
from typing import Any

from experiments.bench.clock import Size, Stopwatch, Timed, timed
from tarock_env.engine.batch import Engine


def raw_env(engine: Engine, size: Size) -> Timed:
    """Steps of the PettingZoo environment without its checks."""
    from tarock_env import tarock_v0

    return turns(tarock_v0.raw_env(engine.ruleset.id, **engine.options), size)


def env(engine: Engine, size: Size) -> Timed:
    """The same with its checks."""
    from tarock_env import tarock_v0

    return turns(tarock_v0.env(engine.ruleset.id, **engine.options), size)


def turns(env: Any, size: Size) -> Timed:
    """Steps of any PettingZoo game with masks, ours or its own: `last()`, a random legal action, `step()`."""
    steps = seed = 0
    draw = random.Random(1).random
    with Stopwatch() as watch:
        while steps < size.steps:
            env.reset(seed=seed)
            seed += 1
            for _ in env.agent_iter():
                observation, _, terminated, truncated, info = env.last()
                action = None
                if not (terminated or truncated):
                    mask = observation["action_mask"] if "action_mask" in observation else info["action_mask"]
                    legal = mask.nonzero()[0]
                    action = int(legal[int(draw() * len(legal))])
                env.step(action)
                steps += 1
    return watch.timed(steps, seed)


def single_seat(engine: Engine, size: Size) -> Timed:
    """Steps of the Gymnasium environment, the moves of random opponents included."""
    return _single_seat(engine, size, "random")


def single_seat_heuristic(engine: Engine, size: Size) -> Timed:
    """The same against the heuristic."""
    import agents  # noqa: F401  (makes its specs known to the environments)

    return _single_seat(engine, size, "heuristic")


def _single_seat(engine: Engine, size: Size, opponents: str) -> Timed:
    from tarock_env.envs.single_seat import SingleSeatEnv

    env = SingleSeatEnv(engine.ruleset.id, opponents=opponents, **engine.options)
    steps = size.steps // 4

    def play() -> None:
        over = True
        for i in range(steps):
            if over:
                observation, _ = env.reset(seed=i)
            observation, _, over, _, _ = env.step(int(observation["action_mask"].argmax()))

    return timed(steps, play)


def vector(engine: Engine, size: Size) -> Timed:
    """Steps of the Gymnasium vector environment against random opponents, all its games together."""
    from tarock_env.envs.vector import TarockVectorEnv

    env = TarockVectorEnv(size.hands, engine.ruleset.id, **engine.options)
    observation, _ = env.reset(seed=0)
    steps = 50

    def play() -> None:
        nonlocal observation
        for _ in range(steps):
            observation, *_ = env.step(observation["action_mask"].argmax(axis=1))

    return timed(steps * size.hands, play)
