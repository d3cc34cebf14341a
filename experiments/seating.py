"""Agents at a table, with their own auction or a balanced one: a batch is played to its end."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from agents import base
from agents.match import Match
from tarock_env.codes import Phase
from tarock_env.engine.batch import Engine
from tarock_env.engine.chance import AGENT

#: phases in which the balanced policy decides in place of the agents
BIDDING = (Phase.AUCTION, Phase.CHOICE, Phase.RAISE)


class Table:
    """Agents at the seats of a table.

    Args:
        specs: agent specs; seat i is taken by spec i, and where there are fewer they start again.
        balanced: the balanced policy makes the auction, the agents all the rest.

    Raises:
        ValueError: unknown agent, or more agents than seats.
    """

    def __init__(self, engine: Engine, specs: Sequence[str], *, balanced: bool = False) -> None:
        if not 1 <= len(specs) <= engine.P:
            raise ValueError(f"{len(specs)} agents {', '.join(specs)}; allowed: 1 … {engine.P}, one for each seat")
        self.engine, self.balanced = engine, balanced
        self.specs = [specs[seat % len(specs)] for seat in range(engine.P)]
        different = list(dict.fromkeys(self.specs))
        self.seating = np.array([different.index(spec) for spec in self.specs], np.int64)
        self.agents = [base.make(spec, engine) for spec in different]  #: of the specs that differ
        self.match = Match(engine, self.agents, self.seating)

    def play(self, state: np.ndarray, log: np.ndarray) -> None:
        """Play every row to its end, in place. state: (B,) STATE; log: from `Engine.new_log`."""
        while self.balanced and (state["phase"] < Phase.ANNOUNCE).any():
            self.engine.step(state, self._choose(state), log)
        self.match.play(state, log=log)

    def _choose(self, state: np.ndarray) -> np.ndarray:
        """One action in each unfinished row: the balanced policy's in the auction, else the acting seat's."""
        actions = np.zeros(len(state), np.int64)
        bidding = np.isin(state["phase"], BIDDING)
        rows = np.flatnonzero(bidding)
        actions[rows] = self._balanced_calls(self.engine.take(state, rows), self.engine.hand_keys(state)[rows])
        rows = np.flatnonzero(~bidding & ~state["done"])
        keys = self.engine.hand_keys(state, AGENT)[rows]
        actions[rows] = self.match.choose(self.engine.take(state, rows), self.seating[state["actor"][rows]], keys)
        return actions

    def _balanced_calls(self, state: np.ndarray, keys: np.ndarray) -> np.ndarray:
        """The balanced policy's actions, int64 (B,), read off a copy that has gone one decision further."""
        at = state["n_actions"].copy()
        log = self.engine.new_log(len(state))
        self.engine.playout(state, "balanced", keys, log, limit=1)
        calls: np.ndarray = log[np.arange(len(state)), at].astype(np.int64)
        return calls
