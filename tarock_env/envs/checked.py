"""The PettingZoo environment with its checks of order and names."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium.error import ResetNeeded

from tarock_env.envs.aec import RawEnv
from tarock_env.envs.spaces import Player
from tarock_env.rulesets.shown import short


class CheckedEnv(RawEnv):
    """`RawEnv` with the checks of order and names that PettingZoo's wrappers would make, at a fraction of their cost."""

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        """See `RawEnv.observe`."""
        self._check(agent, "observe")
        return super().observe(agent)

    def last(self, observe: bool = True) -> tuple[dict[str, np.ndarray] | None, float, bool, bool, dict[str, Any]]:
        """Observation, reward since its last turn, termination, truncation and info of the selected agent."""
        if not self.agents:
            raise ResetNeeded("last() before reset(), or after the end of the game")
        return super().last(observe)

    def state(self) -> np.ndarray:
        """See `RawEnv.state`."""
        self._check_begun("state")
        return super().state()

    def choose(self, player: Player) -> int:
        """See `RawEnv.choose`."""
        if self._over:
            raise ResetNeeded("choose() before reset(), or after the end of the game")
        return super().choose(player)

    def view(self, agent: str) -> np.ndarray:
        """See `RawEnv.view`."""
        self._check(agent, "view")
        return super().view(agent)

    def render(self) -> str | None:
        """See `RawEnv.render`."""
        self._check_begun("render")
        return super().render()

    def _check_begun(self, call: str) -> None:
        if self._seeds.game < 0:
            raise ResetNeeded(f"{call}() before reset()")

    def _check(self, agent: str, call: str) -> None:
        self._check_begun(call)
        if not isinstance(agent, str) or agent not in self._seat_of:
            raise ValueError(f"agent is {short(agent)}; allowed: {', '.join(self.possible_agents)}")
