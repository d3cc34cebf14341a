"""Playing hands with agents in the seats: the one loop that evaluation, simulation and environments share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from agents.base import Agent
from agents.compiled import NOT_COMPILED, advance_all, fill_draws
from agents.heuristic.mind import make_mind
from tarock_env import Engine
from tarock_env.engine import checking
from tarock_env.engine.batch import NO_LOG
from tarock_env.engine.chance import AGENT
from tarock_env.engine.policies import compiled_policy
from tarock_env.engine.state import SEATS, STATE, assign, take
from tarock_env.rulesets.shown import short
from tarock_env.view import VIEW, observe

__all__ = ["Match", "decision_keys", "play_hands"]

NO_LIMIT = 1 << 40
DEFAULT = make_mind()


class Match:
    """Agents at the table of an engine.

    Args:
        agents: the agents that play.
        seating: which agent sits where: (B, P) or (P,) indices into `agents`; -1 = a seat that somebody else plays. Default:
            one agent plays all seats, P agents one each.

    Hands stop at the first decision of a seat -1. Compiled agents (see `policies.Compiled`) play in one kernel, without
    Python between decisions, and make the same moves as through `act`.
    """

    def __init__(self, engine: Engine, agents: Sequence[Agent], seating: np.ndarray | Sequence[int] | None = None) -> None:
        self.engine, self.agents = engine, list(agents)
        if seating is None:
            if len(agents) not in (1, engine.P):
                raise ValueError(f"{len(agents)} agents; allowed without a seating: 1 or {engine.P}")
            seating = range(engine.P) if len(agents) == engine.P else [0] * engine.P
        given = checking.whole_array(seating, "agents of the seating")
        if given.ndim not in (1, 2) or given.shape[-1] != engine.P:
            raise ValueError(f"seating has shape {given.shape}; allowed: ({engine.P},) or (B, {engine.P})")
        if not ((given >= -1) & (given < len(agents))).all():
            raise ValueError(f"seating names agents outside -1 … {len(agents) - 1}")
        self.seating = given.astype(np.int64)
        self._policies = np.array([*map(compiled_policy, agents), NOT_COMPILED], np.int64)

    def play(
        self,
        state: np.ndarray,
        keys: np.ndarray | None = None,
        log: np.ndarray | None = None,
    ) -> int:
        """Play every row on, in place, to its end or to the first decision of an outside seat.

        Args:
            state: (B,) `STATE`, as many as the seating has rows.
            keys: uint64 (B,), what is random in a hand's decisions; default: from the hand's own key.
            log: an array from `Engine.new_log`.

        Returns:
            How many decisions were made.

        Raises:
            IllegalAction, BadAction: an agent's fault; see `Engine.step`.
            ValueError: states, keys or a log that do not fit, or a row in which no action is legal; nothing was played.
        """
        checking.check_state(state)
        checking.check_playable(state)
        keys = self.engine.hand_keys(state, AGENT) if keys is None else checking.check_keys(keys, len(state))
        log = NO_LOG if log is None else checking.check_log(log, len(state))
        seated = self._seated(len(state))
        policies = np.ascontiguousarray(self._policies[seated])
        made = self._advance(state, policies, keys, log)
        while True:
            rows = np.flatnonzero(~state["done"])
            who = seated[rows, state["actor"][rows]]
            rows, who = rows[who >= 0], who[who >= 0]
            if len(rows) == 0:
                return made
            made += self._decide(state, rows, who, policies, keys, log)

    def _seated(self, n: int) -> np.ndarray:
        """Which agent sits where in n hands, int64 (n, SEATS)."""
        if self.seating.ndim == 2 and len(self.seating) != n:
            raise ValueError(f"{n} hands; allowed with this seating: {len(self.seating)}")
        seated = np.full((n, SEATS), -1, np.int64)
        seated[:, : self.engine.P] = self.seating
        return seated

    def _advance(self, state: np.ndarray, policies: np.ndarray, keys: np.ndarray, log: np.ndarray) -> int:
        if (policies == NOT_COMPILED).all():
            return 0
        return int(sum(self.engine._split(advance_all, state, self.engine.rules, DEFAULT, policies, keys, log, NO_LIMIT)))

    def _decide(
        self,
        state: np.ndarray,
        rows: np.ndarray,
        who: np.ndarray,
        policies: np.ndarray,
        keys: np.ndarray,
        log: np.ndarray,
    ) -> int:
        """One decision in each of the rows by its agent, then the compiled ones up to the next; the decisions made."""
        part = take(state, rows)
        actions = self.choose(part, who, keys[rows])
        part_log = log[rows] if len(log) else NO_LOG
        self.engine.step(part, actions, part_log)
        made = len(rows) + self._advance(part, policies[rows], keys[rows], part_log)
        assign(state, rows, part)
        if len(log):
            log[rows] = part_log
        return made

    def choose(self, state: np.ndarray, who: np.ndarray, keys: np.ndarray) -> np.ndarray:
        """The actions (B,) int64 of agents number `who` (B,) at the present decisions of unfinished hands.

        keys: uint64 (B,), those of the hands; an agent gets a key of its own for each decision.

        Raises:
            BadAction: an agent answers anything but whole numbers. ValueError: states, numbers or keys that do not fit, or a
                row without a decision.
        """
        checking.check_state(state)
        _check_decisions(state)
        who = self._numbers(who, len(state))
        views, mask = observe(self.engine, state), self.engine.legal(state)
        draws = decision_keys(state, keys)
        actions = np.zeros(len(state), np.int64)
        for index in np.unique(who):
            mine = np.flatnonzero(who == index)
            all_rows = len(mine) == len(state)
            told = (views, mask, draws) if all_rows else (_rows(views, mine), mask[mine], draws[mine])
            agent = self.agents[index]
            actions[mine] = checking.answers(agent.act(*told), len(mine), f"agent {agent.name!r}")
        return actions

    def _numbers(self, who: Any, n: int) -> np.ndarray:
        """Numbers of agents, one for each of n rows."""
        numbers = checking.whole_array(who, "numbers of agents")
        if numbers.shape != (n,) or not ((numbers >= 0) & (numbers < len(self.agents))).all():
            raise ValueError(
                f"numbers of agents are {short(who)}; allowed: 0 … {len(self.agents) - 1}, one for each of {n} rows"
            )
        return numbers


def _check_decisions(state: np.ndarray) -> None:
    idle = state["done"] | ((state["legal_cards"] | state["legal_calls"]) == 0)
    if idle.any():
        raise ValueError(f"row {int(idle.argmax())} has no decision; allowed: hands that are not over")


def _rows(views: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Copies of some views, as bytes: NumPy copies records field by field."""
    return np.ascontiguousarray(views.view(np.uint8).reshape(len(views), -1)[rows]).view(VIEW).reshape(-1)


def decision_keys(state: np.ndarray, keys: np.ndarray) -> np.ndarray:
    """uint64 (B,): a key for each row's present decision, out of the keys of its hand.

    Raises:
        ValueError: no state array, or keys that do not fit.
    """
    state = checking.readable(state, STATE, "state")
    draws = np.empty(len(state), np.uint64)
    fill_draws(state, checking.check_keys(keys, len(state)), draws)
    return draws


def play_hands(
    engine: Engine,
    state: np.ndarray,
    agents: Sequence[Agent],
    seating: np.ndarray | Sequence[int] | None = None,
    keys: np.ndarray | None = None,
    log: np.ndarray | None = None,
) -> int:
    """Play a batch with agents by seat, in place; see `Match` for the arguments. The decisions made."""
    return Match(engine, agents, seating).play(state, keys, log)
