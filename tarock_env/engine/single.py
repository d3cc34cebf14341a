"""Entries for environments in which one seat is a learner's and compiled policies play the others."""

from __future__ import annotations

from typing import Any

import numpy as np

from tarock_env.engine import hand, policies
from tarock_env.engine.chance import decision_key, mixed
from tarock_env.engine.tables import RULES  # noqa: F401  (its layout is part of every compiled entry)
from tarock_env.jit import kernel

OUTSIDE = -1  #: stands for a seat that no compiled policy plays


@kernel
def plain_choice(g: Any, r: Any, policy: Any, draw: Any) -> Any:
    """The action of `policies.RANDOM` or `UNIFORM`; g is a hand, or the view of the seat to act."""
    return policies.random_action(g, r, draw) if policy == policies.RANDOM else policies.any_legal(g, draw)


@kernel
def advance_all(state: np.ndarray, rules: np.ndarray, seated: np.ndarray, keys: np.ndarray, log: np.ndarray) -> Any:
    """Play each row on while a compiled policy is to act; the decisions made.

    seated: int64 (B, SEATS), the policy of each table seat, -1 = somebody else's. keys: uint64 (B,), of the hands.
    log: uint8 (B, T), or (0, 0) for none.
    """
    r = rules[0]
    logging = log.shape[0] > 0
    made = 0
    for i in range(len(state)):
        g = state[i]
        while not g.done and seated[i, g.actor] != OUTSIDE:
            action = plain_choice(g, r, seated[i, g.actor], decision_key(keys[i], g.n_actions, g.actor))
            if logging:
                log[i, g.n_actions] = action
            hand.apply(g, r, action)
            made += 1
    return made


@kernel
def fill_bases(bases: np.ndarray, seeds: np.ndarray, stream: Any) -> None:
    """bases[i] = what the keys of a seed's games are drawn from; both uint64 (B,). See `chance.fill_keys`."""
    for i in range(len(bases)):
        bases[i] = mixed(mixed(seeds[i], stream), 0)


@kernel
def fill_game_keys(keys: np.ndarray, bases: np.ndarray, games: np.ndarray) -> None:
    """keys[i] = the key of game games[i] of base bases[i]; uint64 (B,), games int64 (B,)."""
    for i in range(len(keys)):
        keys[i] = mixed(bases[i], games[i])
