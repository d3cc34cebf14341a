"""Tarock as a PettingZoo environment.

    from tarock_env import tarock_v0

    env = tarock_v0.env("koenigrufen_pagat", kontra_max=5)
    env.reset(seed=7)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, info = env.last()
        action = None if termination else env.action_space(agent).sample(observation["action_mask"])
        env.step(action)

- **Agents** ``player_0`` …: the table seats. Where five sit at the table there are five agents; the one who deals is never
  selected. An agent may act several times running. All agents terminate together; nothing is ever truncated.
- **Observations** ``{"observation": float32 (F,), "action_mask": int8 (A,)}``: what the agent's seat may know, named in
  `tarock_env.encoding.layout`; the mask is all zeros for an agent that is not to act.
- **Rewards** come at the end of a hand: ``"zero_sum"``, own score minus the table's mean, or ``"score"``, as the rules
  count. Their sum through ``last()`` is the hand's score.
- **Sessions**: with ``hands=N`` or ``session=True`` a game is a session of hands over one table; each hand is paid when it
  ends, the settlement with the last. ``infos`` then hold ``last_hand`` for every agent until it has had its next turn.
- **infos** hold ``action_mask``, ``phase`` and ``contract`` always; at the end of a hand also ``scores``, ``items``,
  ``card_points`` and ``record``. Nothing hidden is in them before.
- **Illegal actions** (``on_illegal``): ``"raise"`` an error and change nothing, or ``"terminate"`` the game: the offender's
  reward is minus five times the ruleset's ``reward_scale`` (no hand that training sees unclipped is worse), everybody else's
  is 0, and his info names the action. What is no action at all – a wrong type, NaN, an index outside 0 … A - 1 – always
  raises. Errors name phase, seat and legal actions.
- ``reset(seed=…, options={"deal": …, "dealer": …, "contract": …, "declarer": …, "before": …})`` sets up positions.
- ``clone()``, ``copy.deepcopy`` and ``pickle`` work at every decision.
"""

from __future__ import annotations

from typing import Any

from tarock_env.envs.aec import RawEnv
from tarock_env.envs.checked import CheckedEnv

__all__ = ["env", "raw_env"]


def env(
    ruleset: str = "koenigrufen_pagat",
    hands: int = 1,
    reward: str = "zero_sum",
    on_illegal: str = "terminate",
    render_mode: str | None = None,
    session: bool = False,
    **options: Any,
) -> CheckedEnv:
    """The environment with its checks of order and bounds.

    Args:
        ruleset: one of `tarock_env.available()`. hands: hands of a game. reward: ``"zero_sum"`` or ``"score"``.
        on_illegal: ``"terminate"`` or ``"raise"``. render_mode: None, ``"ansi"`` or ``"human"``.
        session: whether a game is a session, as long as the ruleset says, or of `hands` hands if they are more than one.
        options: option values of the ruleset.

    Raises:
        ValueError: an unknown ruleset, option or value; the message lists what is allowed.
    """
    return CheckedEnv(ruleset, hands, reward, on_illegal, render_mode, session, **options)


def raw_env(
    ruleset: str = "koenigrufen_pagat",
    hands: int = 1,
    reward: str = "zero_sum",
    on_illegal: str = "raise",
    render_mode: str | None = None,
    session: bool = False,
    **options: Any,
) -> RawEnv:
    """The environment without them; arguments as for `env`."""
    return RawEnv(ruleset, hands, reward, on_illegal, render_mode, session, **options)
