"""``gymnasium.make("tarock_env:Tarock-v0")``: one seat against given opponents."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np
from gymnasium.error import ResetNeeded

from tarock_env.engine.batch import Engine
from tarock_env.engine.chance import AGENT
from tarock_env.engine.checking import answers
from tarock_env.envs.opponents import seat_opponents
from tarock_env.envs.seat_games import SeatGames, checked_actions
from tarock_env.envs.seeds import check_seed, fresh_seed
from tarock_env.envs.spaces import (
    ON_ILLEGAL,
    PHASES,
    RENDER_MODES,
    REWARDS,
    Player,
    action_space,
    check_choice,
    game_length,
    illegal_penalty,
    observation_space,
    single,
)
from tarock_env.render import text
from tarock_env.rulesets import load
from tarock_env.view import observe


class SingleSeatEnv(gymnasium.Env[Any, Any]):
    """One seat of a table; each step lasts until the learner's next decision or the end of the game.

    Args:
        ruleset: one of `tarock_env.available()`.
        seat: table seat, ``"random"`` (drawn anew for each hand) or ``"rotating"``.
        opponents: one for all other seats, or a sequence in turn order after the learner's seat: ``"random"`` and
            ``"uniform"`` are compiled; agent objects with ``act(views, mask, keys)``, such functions, and after
            ``import agents`` the specs of its registry are asked, or driven where they bring an `envs.opponents.Driver`
            (``"heuristic"`` does).
        reward: ``"zero_sum"`` or ``"score"``, when a hand ends; 0.0 else.
        on_illegal: ``"terminate"`` (reward minus five times the ruleset's ``reward_scale``) or ``"raise"``. A wrong type or
            an index outside 0 … A - 1 always raises.
        render_mode: None, ``"ansi"`` or ``"human"``; shows what the learner may see.
        hands, session: as for `tarock_env.tarock_v0.env`; hands in which the learner has no part are played through.
        options: option values of the ruleset.

    Observations and rewards are those of `tarock_env.tarock_v0`. ``info`` holds ``action_mask``, ``phase``, ``contract`` and
    ``seat``, at the end also ``scores``, ``items``, ``card_points`` and ``record``; within a session the same of the hand
    that ended in this step as ``last_hand``. Nothing is ever truncated.

    Raises:
        ValueError: an unknown ruleset, option, seat, opponent or value; the message lists what is allowed.
    """

    metadata: dict[str, Any] = {"render_modes": list(RENDER_MODES), "render_fps": 1}

    def __init__(
        self,
        /,
        ruleset: str = "koenigrufen_pagat",
        *,
        seat: int | str = "random",
        opponents: Any = "random",
        reward: str = "zero_sum",
        on_illegal: str = "terminate",
        render_mode: str | None = None,
        hands: int = 1,
        session: bool = False,
        **options: Any,
    ) -> None:
        self.engine = Engine(load(ruleset, **options))
        reward = check_choice("reward", reward, REWARDS)
        self.on_illegal = check_choice("on_illegal", on_illegal, ON_ILLEGAL)
        self.render_mode = None if render_mode is None else check_choice("render_mode", render_mode, RENDER_MODES)
        others, length = seat_opponents(opponents, self.engine), game_length(self.engine, hands, session)
        self.games = SeatGames(self.engine, 1, seat, others, reward, length, logged=True)
        self.observation_space = observation_space(self.engine)
        self.action_space = action_space(self.engine)
        self._contracts = (*(row.id for row in self.engine.ruleset.contracts), None)
        self._over = True

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """Start a hand.

        Args:
            seed: whole number: a new series of hands begins. Without one the series goes on. A row of `TarockVectorEnv` with
                the same seed plays the same hands.
            options: ``deal``, ``dealer``, ``contract``, ``declarer``, ``before``: see `envs.opening.start_hand`.

        Raises:
            ValueError: a bad seed or option.
        """
        if seed is None and self._np_random_seed is None:
            seed = fresh_seed()
        games = self.games if seed is None and not options else self.games.clone()
        with games.untouched_by_errors():
            games.listen()
            if seed is not None:
                seed = check_seed(seed)
                games.seed(np.array([seed], np.uint64))
            if options:
                games.deal_as(options)
            else:
                games.deal(np.zeros(1, np.int64))
        if seed is not None:
            super().reset(seed=seed)
        self.games = games
        self._over = False
        self._show()
        return self._observation(), self._info() | self._results()

    def step(self, action: Any) -> tuple[dict[str, np.ndarray], float, bool, bool, dict[str, Any]]:
        """Carry out the learner's action and let the opponents answer.

        Returns:
            Observation, reward, whether the hand is over, False, info.

        Raises:
            BadAction: no whole number. IllegalAction: see `on_illegal`. ResetNeeded: no hand is going on. What an opponent
            raises; the step did not happen then, and can be made again.
        """
        if self._over:
            raise ResetNeeded("step() before reset(), or after the end of the hand")
        chosen = checked_actions(single(action), 1)
        with self.games.untouched_by_errors():
            self.games.listen()
            if self.games.try_play(chosen) >= 0:
                return self._refuse(int(chosen[0]))
            self.games.advance()
        self._over = bool(self.games.state["done"][0])
        self._show()
        return self._observation(), float(self.games.paid[0]), self._over, False, self._info() | self._results()

    def _results(self) -> dict[str, Any]:
        """How the last hand ended, if one did in this step."""
        if not self.games.results:
            return {}
        return self.games.results[-1] if self._over else {"last_hand": self.games.results[-1]}

    def _refuse(self, action: int) -> tuple[dict[str, np.ndarray], float, bool, bool, dict[str, Any]]:
        error = self.engine.illegal(self.games.state, 0, action, self.games.log)
        if self.on_illegal == "raise" or not 0 <= action < self.engine.A:
            raise error
        self._over = True
        self.games.forfeit(np.zeros(1, np.int64))
        return (
            self._observation(),
            -illegal_penalty(self.engine),
            True,
            False,
            self._info() | {"illegal_action": error.action},
        )

    def _check_begun(self, call: str) -> None:
        if (self.games.games < 0).any():
            raise ResetNeeded(f"{call}() before reset()")

    def action_masks(self) -> np.ndarray:
        """The legal actions, bool (A,), where SB3-contrib looks for them."""
        self._check_begun("action_masks")
        masks: np.ndarray = self.engine.legal(self.games.state)[0]
        return masks

    def view(self) -> np.ndarray:
        """What the learner knows: (1,) VIEW."""
        self._check_begun("view")
        return observe(self.engine, self.games.state, self.games.seats)

    def choose(self, player: Player) -> int:
        """The action that an agent object takes for the learner; `BadAction` if it answers anything but a whole number."""
        if self._over:
            raise ResetNeeded("choose() before reset(), or after the end of the hand")
        keys = self.engine.keys(self.games.state, AGENT)
        return int(answers(player.act(self.view(), self.engine.legal(self.games.state), keys), 1)[0])

    def render(self) -> str | None:
        """The table as the learner sees it: text for ``"ansi"``, printed for ``"human"``."""
        self._check_begun("render")
        if self.render_mode != "ansi":
            self._show()
            return None
        return text.render(self.engine, self.view())

    def _show(self) -> None:
        if self.render_mode == "human":
            print(text.render(self.engine, self.view()))

    def _observation(self) -> dict[str, np.ndarray]:
        """What the learner knows; its mask goes into the info too."""
        observation = np.empty((1, self.games.features), np.float32)
        self.games.observations(observation)
        return {"observation": observation[0], "action_mask": self._mask()}

    def _mask(self) -> np.ndarray:
        mask = np.empty((1, self.engine.A), np.int8)
        self.games.masks(mask)
        return np.asarray(mask[0])

    def _info(self) -> dict[str, Any]:
        state = self.games.state
        return {
            "action_mask": self._mask(),
            "phase": PHASES[state["phase"][0]],
            "contract": self._contracts[state["contract"][0]],
            "seat": int(self.games.seats[0]),
        }
