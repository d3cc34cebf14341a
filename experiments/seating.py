"""Agents at a table: which of them decides in which row of a batch, and playing the batch to its end."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np

from tarock_env.codes import Phase
from tarock_env.engine.batch import Engine
from tarock_env.engine.chance import AGENT

#: phases that the balanced policy takes over from the agents
BIDDING = (Phase.AUCTION, Phase.CHOICE, Phase.RAISE)
#: policies that need no agent object
PLAIN = ("random", "uniform")


def salt(seat: int) -> int:
    """What makes the keys of the agent in a seat differ from all others drawn for the same hand."""
    return (AGENT << 8) | seat


class Chooser(Protocol):
    """Decides in some rows of a batch."""

    def choose(self, state: np.ndarray, keys: np.ndarray) -> np.ndarray:
        """Actions int64 (B,) for the rows of `state`; `keys` uint64 (B,) are those of the present decisions."""
        ...


class CompiledChooser:
    """A compiled policy of the engine, one decision at a time."""

    def __init__(self, engine: Engine, policy: str) -> None:
        self.engine, self.policy = engine, policy

    def choose(self, state: np.ndarray, keys: np.ndarray) -> np.ndarray:
        """The policy's actions; its keys are those of whole hands."""
        ahead = self.engine.copy(state)
        log = np.zeros((len(state), int(state["n_actions"].max(initial=0)) + 1), np.uint8)
        self.engine.playout(ahead, self.policy, keys, log, limit=1)
        actions: np.ndarray = log[np.arange(len(state)), state["n_actions"]].astype(np.int64)
        return actions


class AgentChooser:
    """An agent that sees views."""

    def __init__(self, engine: Engine, agent: Any) -> None:
        self.engine, self.agent = engine, agent

    def choose(self, state: np.ndarray, keys: np.ndarray) -> np.ndarray:
        """What the agent does with the acting seats' views."""
        from tarock_env.view import observe

        actions: np.ndarray = self.agent.act(observe(self.engine, state), self.engine.legal(state), keys)
        return actions


def chooser_for(spec: str, engine: Engine) -> Chooser:
    """The chooser of an agent spec.

    Raises:
        ValueError: no such agent; the message lists what there is.
    """
    if spec in PLAIN:
        return CompiledChooser(engine, spec)
    return AgentChooser(engine, importlib.import_module("agents.base").make(spec, engine))


class Table:
    """Agents at the seats of a table.

    Args:
        specs: agent specs; seat i is taken by spec i, and where there are fewer they start again.
        balanced: the balanced policy makes the auction, the agents all the rest.
    """

    def __init__(self, engine: Engine, specs: Sequence[str], *, balanced: bool = False) -> None:
        if not 1 <= len(specs) <= engine.P:
            raise ValueError(f"{len(specs)} agents {', '.join(specs)}; allowed: 1 … {engine.P}, one for each seat")
        self.engine, self.balanced = engine, balanced
        self.specs = [specs[seat % len(specs)] for seat in range(engine.P)]
        made = {spec: chooser_for(spec, engine) for spec in self.specs}
        self.choosers = [made[spec] for spec in self.specs]
        self.bidder = CompiledChooser(engine, "balanced")

    def play(self, state: np.ndarray, log: np.ndarray) -> None:
        """Play every row to its end, in place. state: (B,) STATE; log: from `Engine.new_log`."""
        if not self.balanced and len(set(self.specs)) == 1 and self.specs[0] in PLAIN:
            self.engine.playout(state, self.specs[0], self.engine.hand_keys(state, salt(0)), log)
            return
        while not state["done"].all():
            self.engine.step(state, self.choose(state), log)

    def choose(self, state: np.ndarray) -> np.ndarray:
        """The action of each row's acting seat, int64 (B,); 0 in finished rows."""
        actions = np.zeros(len(state), np.int64)
        bidding = np.isin(state["phase"], BIDDING) & self.balanced & ~state["done"]
        self._fill(actions, state, bidding, self.bidder, self.engine.hand_keys(state))
        for seat, chooser in enumerate(self.choosers):
            rows = (state["actor"] == seat) & ~bidding & ~state["done"]
            compiled = isinstance(chooser, CompiledChooser)
            keys = self.engine.hand_keys(state, salt(seat)) if compiled else self.engine.keys(state, salt(seat))
            self._fill(actions, state, rows, chooser, keys)
        return actions

    def _fill(self, actions: np.ndarray, state: np.ndarray, rows: np.ndarray, chooser: Chooser, keys: np.ndarray) -> None:
        if rows.any():
            chosen = np.flatnonzero(rows)
            actions[chosen] = chooser.choose(self.engine.take(state, chosen), keys[chosen])


__all__ = ["Table", "chooser_for", "salt"]
