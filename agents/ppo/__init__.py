"""Self-play PPO: one masked network for all seats of a ruleset, a critic that sees everything in training.

Read in this order: `config` (every setting), `packed` and `network` (the two nets), `kernels` and `rollout` (playing),
`advantages`, `update` (learning), `pool` (opponents), `trainer` (the loop, warm start), `checkpoint`, `agent`.
"""

from __future__ import annotations

import importlib.util

from tarock_env import Engine


def warm(engine: Engine) -> None:
    """Call every kernel of this package once, so that it is compiled; nothing without torch."""
    if importlib.util.find_spec("torch") is None or importlib.util.find_spec("safetensors") is None:
        return
    from agents.ppo.trainer import warm as warm_all

    warm_all(engine)
