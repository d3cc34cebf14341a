"""Playing environments in tests: seeded random choices, and whole games with what every agent saw of them."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from typing import Any

import numpy as np

import tarock_env
from tarock_env.codes import Mode
from tarock_env.envs.aec import RawEnv

RULESETS = tarock_env.available()


def pick(mask: np.ndarray, number: int) -> int:
    """A legal action, the same for the same mask and number."""
    legal = np.flatnonzero(mask)
    draw = int.from_bytes(hashlib.sha256(f"{number}".encode()).digest()[:8], "little")
    return int(legal[draw % len(legal)])


def play(env: RawEnv, seed: int = 0, limit: int = 10_000) -> dict[str, float]:
    """Play the running game to its end; what `last` paid each agent in sum."""
    paid: dict[str, float] = defaultdict(float)
    for number, agent in enumerate(env.agent_iter(limit)):
        observation, reward, termination, truncation, _ = env.last()
        assert truncation is False
        paid[agent] += reward
        env.step(None if termination else pick(observation["action_mask"], seed * 1000 + number))
    return dict(paid)


def advance(env: RawEnv, decisions: int, seed: int = 0) -> None:
    """Make so many decisions, fewer if the game is over before."""
    for number in range(decisions):
        if any(env.terminations.values()):
            return
        env.step(pick(env.infos[env.agent_selection]["action_mask"], seed * 1000 + number))


def contracts(ruleset: str) -> list[str]:
    """The contracts that a normal hand can come to."""
    rows = tarock_env.load(ruleset).contracts
    return [row.id for row in rows if row.doors and row.modes & Mode.NORMAL]


def reset_to(env: RawEnv, contract: str, seed: int, **options: Any) -> int:
    """Reset to a contract, with the first seed from this one on whose cards allow it."""
    for other in range(seed, seed + 40):
        try:
            env.reset(seed=other, options={"contract": contract, **options})
        except tarock_env.BadPosition:
            continue
        return other
    raise AssertionError(f"no hand comes to {contract}")


def fingerprint(env: RawEnv) -> bytes:
    """Everything that makes up a game, as bytes."""
    parts = [env._state.tobytes(), env._start.tobytes(), env._log.tobytes(), repr(sorted(env.rewards.items())).encode()]
    parts.append(repr((env.agents, env.agent_selection, sorted(env._cumulative_rewards.items()))).encode())
    return b"".join(parts)
