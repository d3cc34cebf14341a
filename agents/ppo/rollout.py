"""Playing hands for learning: many tables in lock step, one row a decision, packed observations.

All hands of a rollout are played from deal to settlement, so no return is ever guessed. Decisions with a single legal
action are made without a network and not recorded. Whatever is random comes from the hands' keys, so that a rollout is the
same whatever ran before it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any, Protocol

import numpy as np
import torch

from agents.base import Agent
from agents.ppo.kernels.choice import LEGAL_WORDS, choose_sampled, fill_legal
from agents.ppo.kernels.forced import advance_forced
from agents.ppo.network import Actor
from agents.ppo.packed import tensor
from tarock_env import Engine
from tarock_env.encoding import encode_packed, layout
from tarock_env.engine import checking
from tarock_env.engine.chance import AGENT
from tarock_env.engine.shares import zero_sum
from tarock_env.engine.state import SEATS, take
from tarock_env.rulesets.shown import short
from tarock_env.view import observe

LEARNER = 0  #: index of the player whose decisions are recorded
GUESS = 64  #: recorded decisions a hand for which room is made at first


@dataclass
class Rollout:
    """N decisions of the learner in B hands, in the order of time: a later decision of a hand stands further down."""

    words: np.ndarray  #: uint64 (N, W_full): observation bits, then what only the critic sees
    legal: np.ndarray  #: uint64 (N, 2), bit = action
    action: np.ndarray  #: int64 (N,)
    log_prob: np.ndarray  #: float32 (N,), of the action when it was chosen
    table: np.ndarray  #: int64 (N,), which hand
    seat: np.ndarray  #: int64 (N,)
    phase: np.ndarray  #: int8 (N,)
    scores: np.ndarray  #: float32 (B, P): own score minus the table's mean
    contract: np.ndarray  #: int8 (B,)
    declarer: np.ndarray  #: int8 (B,); -1 = none
    won: np.ndarray  #: bool (B,): the declarer scored above zero
    decisions: int  #: all decisions of the hands, forced ones and opponents' included

    def __len__(self) -> int:
        return len(self.action)


class Player(Protocol):
    """Whoever decides for some seats of a rollout."""

    def choose(
        self, state: np.ndarray, words: np.ndarray, legal: np.ndarray, keys: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Actions int64 (B,) and their log-probabilities float32 (B,) at the present decisions of `state`."""
        ...


class NetworkPlayer:
    """Samples from an actor's policy."""

    def __init__(self, actor: Actor, device: torch.device) -> None:
        self._actor, self._device = actor, device

    def choose(
        self, state: np.ndarray, words: np.ndarray, legal: np.ndarray, keys: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """See `Player`."""
        with torch.inference_mode():
            logits = self._actor(tensor(words, self._device)).cpu().numpy()
        actions, log_probs = np.empty(len(words), np.int64), np.empty(len(words), np.float32)
        choose_sampled(logits, legal, keys, actions, log_probs)
        return actions, log_probs


class AgentPlayer:
    """Any agent of the registry; its log-probabilities are given as 0."""

    def __init__(self, agent: Agent, engine: Engine) -> None:
        self._agent, self._engine = agent, engine

    def choose(
        self, state: np.ndarray, words: np.ndarray, legal: np.ndarray, keys: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """See `Player`."""
        given = self._agent.act(observe(self._engine, state), self._engine.legal(state), keys)
        actions = checking.answers(given, len(state), f"agent {self._agent.name!r}")
        return actions, np.zeros(len(state), np.float32)


def collect(engine: Engine, keys: np.ndarray, players: Sequence[Player], seating: np.ndarray | None = None) -> Rollout:
    """Play hands to their end and record what player 0, the learner, decided.

    Args:
        keys: uint64 (B,), the hands' keys.
        players: who plays.
        seating: int64 (B, P), the player of each seat; default: the learner everywhere.

    Raises:
        IllegalAction, BadAction: a player's fault. ValueError: keys that are none, or a seating that names no players.
    """
    n = len(keys)
    seating = np.zeros((n, SEATS), np.int64) if seating is None else checking.whole_array(seating, "players of the seating")
    if seating.shape not in ((n, engine.P), (n, SEATS)) or not ((seating >= 0) & (seating < len(players))).all():
        raise ValueError(f"seating is {short(seating)}; allowed: players 0 … {len(players) - 1}, ({n}, {engine.P})")
    recorder = _Recorder(engine, n)
    state = engine.reset(keys=keys)
    tables = np.arange(n)
    recorder.decisions += advance_forced(state, engine.rules, np.full(n, -1, np.int64))
    while True:
        done = state["done"]
        if done.any():
            recorder.finish(take(state, np.flatnonzero(done)), tables[done])
            state, tables = take(state, np.flatnonzero(~done)), tables[~done]
        if len(state) == 0:
            return recorder.rollout()
        actions = _decide(engine, state, tables, players, seating, recorder)
        recorder.decisions += advance_forced(state, engine.rules, actions)


def _decide(
    engine: Engine,
    state: np.ndarray,
    tables: np.ndarray,
    players: Sequence[Player],
    seating: np.ndarray,
    recorder: _Recorder,
) -> np.ndarray:
    """The actions of all rows at their present decisions, int64 (B,); the learner's are recorded."""
    _, words = encode_packed(engine, state, full=True)
    legal = np.empty((len(state), LEGAL_WORDS), np.uint64)
    fill_legal(state, legal)
    keys = engine.keys(state, AGENT)
    who = seating[tables, state["actor"]]
    actions = np.empty(len(state), np.int64)
    for index, player in enumerate(players):
        rows = np.flatnonzero(who == index)
        if len(rows) == 0:
            continue
        if len(rows) == len(state):
            chosen, log_probs = player.choose(state, words, legal, keys)
        else:
            chosen, log_probs = player.choose(take(state, rows), words[rows], legal[rows], keys[rows])
        actions[rows] = chosen
        if index == LEARNER:
            recorder.add(
                words[rows], legal[rows], chosen, log_probs, tables[rows], state["actor"][rows], state["phase"][rows]
            )
    _check_legal(engine, state, legal, actions)
    return actions


def _check_legal(engine: Engine, state: np.ndarray, legal: np.ndarray, actions: np.ndarray) -> None:
    """Refuse what kernels would carry out without a look."""
    known = (actions >= 0) & (actions < engine.A)
    place = np.where(known, actions, 0)
    word = legal[np.arange(len(legal)), place >> 6]
    wrong = ~known | ((word >> (place & 63).astype(np.uint64)) & np.uint64(1) == 0)
    if wrong.any():
        row = int(wrong.argmax())
        raise engine.illegal(state, row, int(actions[row]))


class _Recorder:
    """Arrays that grow with the decisions of a rollout."""

    def __init__(self, engine: Engine, n: int) -> None:
        room = n * GUESS
        self.decisions = 0
        self._engine, self._filled = engine, 0
        self._columns: list[np.ndarray] = [
            np.empty((room, layout(engine.ruleset).words_full), np.uint64),
            np.empty((room, LEGAL_WORDS), np.uint64),
            np.empty(room, np.int64),
            np.empty(room, np.float32),
            np.empty(room, np.int64),
            np.empty(room, np.int64),
            np.empty(room, np.int8),
        ]
        self._scores = np.zeros((n, engine.P), np.float32)
        self._contract, self._declarer = np.full(n, -1, np.int8), np.full(n, -1, np.int8)

    def add(self, *values: np.ndarray) -> None:
        """One row of each column for each decision."""
        start, end = self._filled, self._filled + len(values[0])
        if end > len(self._columns[0]):
            self._columns = [np.concatenate([column, np.empty_like(column)]) for column in self._columns]
        for column, value in zip(self._columns, values, strict=True):
            column[start:end] = value
        self._filled = end

    def finish(self, state: np.ndarray, tables: np.ndarray) -> None:
        """Note the results of finished hands."""
        self._scores[tables] = zero_sum(self._engine, state)
        self._contract[tables], self._declarer[tables] = state["contract"], state["declarer"]

    def rollout(self) -> Rollout:
        """What was recorded."""
        declarer = self._declarer.astype(np.int64)
        own = self._scores[np.arange(len(declarer)), np.maximum(declarer, 0)]
        won = (declarer >= 0) & (own > 0)
        columns = [column[: self._filled] for column in self._columns]
        words, legal, action, log_prob, table, seat, phase = columns
        return Rollout(
            words,
            legal,
            action,
            log_prob,
            table,
            seat,
            phase,
            self._scores,
            self._contract,
            self._declarer,
            won,
            self.decisions,
        )


def joined(parts: Sequence[Rollout]) -> Rollout:
    """Rollouts one after the other; the tables of each are numbered on from those before."""
    shift = np.cumsum([0] + [len(part.scores) for part in parts])
    columns: dict[str, Any] = {}
    for field in fields(Rollout):
        if field.name != "decisions":
            columns[field.name] = np.concatenate([getattr(part, field.name) for part in parts])
    columns["table"] = np.concatenate([part.table + s for part, s in zip(parts, shift[:-1], strict=True)])
    return Rollout(**columns, decisions=sum(part.decisions for part in parts))
