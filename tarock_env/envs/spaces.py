"""Spaces, rewards and choices that all environments share."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from gymnasium import spaces

from tarock_env.codes import Phase
from tarock_env.encoding import layout
from tarock_env.engine.batch import Engine
from tarock_env.engine.shares import zero_sum
from tarock_env.rulesets.shown import short

REWARDS = ("zero_sum", "score")
ON_ILLEGAL = ("terminate", "raise")
RENDER_MODES = ("ansi", "human")
PHASES = tuple(phase.name.lower() for phase in Phase)

#: an illegal action costs so many reward scales of the ruleset: as much as the worst hand that training sees unclipped
PENALTY_SCALES = 5.0


class Player(Protocol):
    """What chooses actions: `agents.base.Agent`, or anything with this method."""

    def act(self, views: np.ndarray, mask: np.ndarray, keys: np.ndarray) -> np.ndarray:
        """Legal actions int64 (B,) for views (B,), mask bool (B, A), keys uint64 (B,)."""
        ...


def observation_space(engine: Engine) -> spaces.Dict:
    """``observation`` float32 (F,) of zeros and ones, ``action_mask`` int8 (A,)."""
    features = layout(engine.ruleset).F
    return spaces.Dict({
        "observation": spaces.Box(0.0, 1.0, (features,), np.float32),
        "action_mask": spaces.Box(0, 1, (engine.A,), np.int8),
    })  # fmt: skip


def action_space(engine: Engine) -> spaces.Discrete:
    """One of the A actions of the ruleset's action table."""
    return spaces.Discrete(engine.A)


def check_choice(name: str, value: object, allowed: tuple[str, ...]) -> str:
    """The value, if it is one of those allowed.

    Raises:
        ValueError: it is not.
    """
    if not isinstance(value, str) or value not in allowed:
        raise ValueError(f"{name} is {short(value)}; allowed: {', '.join(map(repr, allowed))}")
    return str(value)


def game_length(engine: Engine, hands: int, session: bool) -> int:
    """What ``hands_left`` is at the start of a game: -1 for a single hand, which belongs to no session.

    Args:
        hands: hands of a game. session: whether a game is a session, as long as the ruleset itself says, or of `hands` hands
            if they are more than one.

    Raises:
        ValueError: a bad number of hands, or a session without a length.
    """
    if not isinstance(session, bool):
        raise ValueError(f"session is {short(session)}; allowed: True, False")
    start = engine.reset(1, hands=None if hands == 1 and type(hands) is int else hands, session=session)
    return int(start["hands_left"][0])


def single(action: Any) -> Any:
    """An action; the number in an array that holds just one."""
    lone = isinstance(action, np.ndarray) and action.shape in ((), (1,)) and action.dtype.kind not in "mM"
    return action.item() if lone else action


def illegal_penalty(engine: Engine) -> float:
    """What an illegal action costs its player, in game points; nobody else gains or loses anything."""
    return PENALTY_SCALES * engine.ruleset.reward_scale


def hand_rewards(engine: Engine, state: np.ndarray, kind: str) -> np.ndarray:
    """Rewards of finished hands, in game points; a session's settlement comes with its last hand.

    Args:
        state: (B,) STATE, all done.
        kind: ``"score"``, as the document counts; ``"zero_sum"``, own score minus the mean of those who play, and nothing
            for a dealer who sits out.

    Returns:
        float64 (B, P).
    """
    settled = np.where(state["session_over"][:, None], state["settlement"][:, : engine.P], 0).astype(np.float64)
    if kind == "score":
        return np.asarray(state["scores"][:, : engine.P] + settled)
    return np.asarray(zero_sum(engine, state) + settled - settled.mean(axis=1, keepdims=True))
