"""SB3-contrib's MaskablePPO on our Gymnasium environment, with networks as large as ours: 256 x 2 each for actor and critic,
which share nothing. Only decisions with a choice are counted, as in our own training; SB3 learns from forced ones too.
"""

from __future__ import annotations

import functools
from typing import Any

import gymnasium
import numpy as np

from experiments.bench.clock import Size, Stopwatch, Timed
from tarock_env.engine.batch import Engine

WIDTH, ROLLOUT = 256, 2048
THREADS = 2
AS_OURS = {"n_epochs": 1, "batch_size": 1024}  #: the same work a decision; SB3's own are 10 epochs in minibatches of 64


class Choices(gymnasium.Wrapper[Any, Any, Any, Any]):
    """The single-seat environment as SB3 wants it: the observation alone, masks when asked for; counts choices."""

    def __init__(self, engine: Engine) -> None:
        from tarock_env.envs.single_seat import SingleSeatEnv

        super().__init__(SingleSeatEnv(engine.ruleset.id, **engine.options))
        self.observation_space = self.env.observation_space["observation"]  # type: ignore[index]
        self.choices = self.hands = 0
        self._mask = np.zeros(0, bool)

    def action_masks(self) -> np.ndarray:
        """The legal actions."""
        return self._mask

    def reset(self, **settings: Any) -> tuple[Any, dict[str, Any]]:
        """Start a hand."""
        observation, info = self.env.reset(**settings)
        self.hands += 1
        return self._seen(observation), info

    def step(self, action: Any) -> tuple[Any, Any, bool, bool, dict[str, Any]]:
        """One decision."""
        self.choices += int(self._mask.sum() > 1)
        observation, reward, over, cut, info = self.env.step(int(action))
        return self._seen(observation), reward, over, cut, info

    def _seen(self, observation: Any) -> Any:
        self._mask = observation["action_mask"].astype(bool)
        return observation["observation"]


def as_ours(engine: Engine, size: Size) -> Timed:
    """Choices learned from with our epochs and minibatches."""
    return _learn(engine, size, tuple(AS_OURS.items()))


def defaults(engine: Engine, size: Size) -> Timed:
    """Choices learned from with SB3's defaults."""
    return _learn(engine, size, ())


@functools.cache
def _model(engine: Engine, rollout: int, settings: tuple[tuple[str, int], ...]) -> tuple[Any, Choices]:
    import torch
    from sb3_contrib import MaskablePPO

    torch.set_num_threads(THREADS)
    env = Choices(engine)
    layers = {"net_arch": {"pi": [WIDTH, WIDTH], "vf": [WIDTH, WIDTH]}}
    given: Any = {"n_steps": rollout, **dict(settings)}
    return MaskablePPO("MlpPolicy", env, policy_kwargs=layers, device="cpu", seed=1, **given), env


def _learn(engine: Engine, size: Size, settings: tuple[tuple[str, int], ...]) -> Timed:
    rollout = min(ROLLOUT, size.learned)
    model, env = _model(engine, rollout, settings)
    before, hands = env.choices, env.hands
    with Stopwatch(THREADS) as watch:
        model.learn(size.learned, reset_num_timesteps=False)
    return watch.timed(env.choices - before, max(1, env.hands - hands))
