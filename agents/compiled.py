"""The compiled agents in one kernel: which policy decides for which seat, with no Python in between."""

from __future__ import annotations

from typing import Any

import numpy as np

from agents.heuristic.deciding import decide
from tarock_env.engine import hand
from tarock_env.engine.chance import decision_key
from tarock_env.engine.single import OUTSIDE, plain_choice
from tarock_env.jit import kernel
from tarock_env.view import VIEW, see

NOT_COMPILED = OUTSIDE
HEURISTIC = 3  #: beside `UNIFORM`, `RANDOM` and `BALANCED` of `tarock_env.engine.policies`


@kernel
def fill_draws(state: np.ndarray, keys: np.ndarray, draws: np.ndarray) -> None:
    """draws[i] = the key of row i's present decision, out of the key of its hand; uint64 (B,)."""
    for i in range(len(state)):
        draws[i] = decision_key(keys[i], state[i].n_actions, state[i].actor)


@kernel
def choose(g: Any, r: Any, policy: Any, draw: Any, v: Any, m: Any) -> Any:
    """The action of a compiled policy for the seat to act; a view `v` and a mind `m` to work in."""
    if policy == HEURISTIC:
        see(g, r, g.actor, v)
        return decide(v, r, m)
    return plain_choice(g, r, policy, draw)


@kernel
def advance_all(
    state: np.ndarray,
    rules: np.ndarray,
    minds: np.ndarray,
    seated: np.ndarray,
    keys: np.ndarray,
    log: np.ndarray,
    limit: int,
) -> int:
    """Play each row on while a compiled policy is to act, at most `limit` decisions a row; the decisions made.

    minds: one `MIND` with the heuristic's weights. seated: int64 (B, SEATS), the policy of each table seat, -1 = not
    compiled. keys: uint64 (B,), of the hands. log: uint8 (B, T), or (0, 0) for none.
    """
    r, own, views = rules[0], minds.copy(), np.zeros(1, VIEW)
    logging = log.shape[0] > 0
    made = 0
    for i in range(len(state)):
        g, m, v = state[i], own[0], views[0]  # in the loop: a record does not keep its array alive, the next turn does
        left = limit
        while not g.done and left > 0 and seated[i, g.actor] != NOT_COMPILED:
            action = choose(g, r, seated[i, g.actor], decision_key(keys[i], g.n_actions, g.actor), v, m)
            if logging:
                log[i, g.n_actions] = action
            hand.apply(g, r, action)
            made += 1
            left -= 1
    return made
