"""Opponents from the past: in some tables, some seats are played by an earlier self of the learner, or by the heuristic."""

from __future__ import annotations

import copy
from collections.abc import Mapping

import numpy as np
import torch

from agents.base import make
from agents.ppo.config import TrainConfig
from agents.ppo.network import Actor
from agents.ppo.rollout import AgentPlayer, NetworkPlayer, Player
from tarock_env import Engine
from tarock_env.engine.state import SEATS

Weights = Mapping[str, torch.Tensor]


class Pool:
    """The last few selves, oldest first."""

    def __init__(self, engine: Engine, actor: Actor, config: TrainConfig, device: torch.device) -> None:
        self.members: list[dict[str, torch.Tensor]] = []
        self._engine, self._config, self._device = engine, config, device
        self._network = copy.deepcopy(actor)
        self._heuristic = AgentPlayer(make("heuristic", engine), engine) if config.pool_heuristic else None

    def add(self, weights: Weights) -> None:
        """Take a copy of the learner's weights in; the oldest one goes when the pool is full."""
        self.members.append({name: value.detach().clone() for name, value in weights.items()})
        del self.members[: -self._config.pool_size]

    def draw(self, rng: np.random.Generator) -> Player | None:
        """One opponent for an iteration, each as likely as the other; None if there is none."""
        choices = len(self.members) + (self._heuristic is not None)
        if choices == 0 or self._config.pool_share == 0:
            return None
        index = int(rng.integers(choices))
        if index == len(self.members):
            return self._heuristic
        self._network.load_state_dict(self.members[index])
        return NetworkPlayer(self._network, self._device)

    def seating(self, keys: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """Who sits where, int64 (n, SEATS): 0 the learner, 1 the opponent.

        The opponent has at some tables one or more of the seats that play, and the learner the others: at least one of each.

        Args:
            keys: uint64 (n,), the keys of the hands.
        """
        n, players = len(keys), self._engine.ruleset.players
        seating = np.zeros((n, SEATS), np.int64)
        tables = np.flatnonzero(rng.random(n) < self._config.pool_share)
        order = np.argsort(rng.random((len(tables), players)), axis=1)
        seats = rng.integers(1, players, size=(len(tables), 1))
        playing = (self._first(keys[tables])[:, None] + np.arange(players)) % self._engine.P
        seating[tables[:, None], playing] = order < seats
        return seating

    def _first(self, keys: np.ndarray) -> np.ndarray:
        """int64 (n,): a seat from which on round the table all play; the one after a dealer who sits out."""
        if self._engine.ruleset.players == self._engine.P:
            return np.zeros(len(keys), np.int64)
        return self._engine.reset(keys=keys)["dealer"].astype(np.int64) + 1
