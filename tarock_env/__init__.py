"""Tarock for reinforcement learning: a vectorised engine of seven rulesets, environments, records.

engine = tarock_env.make("koenigrufen_pagat", kontra_max=5)
state = engine.reset(4096, seed=7)
engine.step(state, engine.sample(engine.legal(state), engine.keys(state)))
"""

from __future__ import annotations

from typing import Any

from gymnasium.envs.registration import register, registry

from tarock_env.engine.batch import Engine
from tarock_env.engine.errors import BadAction, BadPosition, IllegalAction
from tarock_env.engine.state import STATE
from tarock_env.rulesets import Ruleset, RulesetError, available, load

__version__ = "0.1.0"

__all__ = [
    "STATE",
    "BadAction",
    "BadPosition",
    "Engine",
    "IllegalAction",
    "Ruleset",
    "RulesetError",
    "available",
    "load",
    "make",
]


def make(ruleset: str, *, threads: int = 1, **options: Any) -> Engine:
    """An engine for a ruleset with the given option values.

    Raises:
        RulesetError: unknown ruleset, option or value; the message lists what is allowed.
    """
    return Engine(load(ruleset, **options), threads)


# Only names: Gymnasium imports the environments when one is made.
if "Tarock-v0" not in registry:
    register(
        id="Tarock-v0",
        entry_point="tarock_env.envs.single_seat:SingleSeatEnv",
        vector_entry_point="tarock_env.envs.vector:TarockVectorEnv",
    )
