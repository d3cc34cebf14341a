"""``gymnasium.make_vec("tarock_env:Tarock-v0", num_envs=B)``: one learner in each of B games, stepped together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from tarock_env.engine.batch import Engine
from tarock_env.envs.opponents import seat_opponents
from tarock_env.envs.seat_games import SeatGames, checked_actions
from tarock_env.envs.seeds import check_seed, fresh_seed
from tarock_env.envs.spaces import (
    ON_ILLEGAL,
    REWARDS,
    action_space,
    check_choice,
    game_length,
    illegal_penalty,
    observation_space,
)
from tarock_env.rulesets import load
from tarock_env.rulesets.numbers import is_whole_in
from tarock_env.rulesets.shown import short

Observation = dict[str, np.ndarray]
AUTORESET = (AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP)
NO_ROWS = np.zeros(0, np.int64)


class TarockVectorEnv(VectorEnv[Observation, np.ndarray, np.ndarray]):
    """B tables with a learner at each. Row i plays the hands of `SingleSeatEnv` with row i's seed, and no row sees another.

    Args:
        num_envs: number of games B.
        ruleset, seat, opponents, reward, on_illegal, hands, session, options: as for `SingleSeatEnv`; opponents are asked
            for all rows at once.
        autoreset_mode: ``NEXT_STEP``: the step after a hand's last one ignores the row's action, pays 0.0 and returns the
            first observation of the next hand. ``SAME_STEP``: the last step itself returns that observation, and the last
            one of the old hand stands in ``infos["final_obs"]``, an object array of dicts (``infos["_final_obs"]``: where).
        copy: whether observations are new arrays in each step; if not they are overwritten by the next one.

    Observations: ``{"observation": float32 (B, F), "action_mask": int8 (B, A)}``; in a finished row what the learner knows
    at the end, and an empty mask. ``infos``: ``seat`` int64 (B,); where hands ended in this step also ``scores`` int32
    (B, P), ``contract`` (indices, int64 (B,); -1 = thrown in), with the masks ``_scores`` and ``_contract``. With
    ``SAME_STEP`` the old game's infos stand in ``infos["final_info"]`` too.

    Raises:
        ValueError: an unknown ruleset, option, seat, opponent or value; the message lists what is allowed.
    """

    metadata: dict[str, Any] = {"autoreset_mode": AutoresetMode.NEXT_STEP, "render_modes": []}

    def __init__(
        self,
        /,
        num_envs: int = 1,
        ruleset: str = "koenigrufen_pagat",
        *,
        seat: int | str = "random",
        opponents: Any = "random",
        reward: str = "zero_sum",
        on_illegal: str = "terminate",
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        copy: bool = True,
        render_mode: str | None = None,
        hands: int = 1,
        session: bool = False,
        **options: Any,
    ) -> None:
        if not is_whole_in(num_envs, 1, 1 << 40):
            raise ValueError(f"num_envs is {short(num_envs)}; allowed: a whole number of at least 1")
        if render_mode is not None:
            raise ValueError(f"render_mode is {short(render_mode)}; allowed: None")
        self.engine = Engine(load(ruleset, **options))
        self.num_envs = int(num_envs)
        reward = check_choice("reward", reward, REWARDS)
        self.on_illegal = check_choice("on_illegal", on_illegal, ON_ILLEGAL)
        self.mode = _autoreset(autoreset_mode)
        self.metadata = {**self.metadata, "autoreset_mode": self.mode}
        others, length = seat_opponents(opponents, self.engine), game_length(self.engine, hands, session)
        self.games = SeatGames(self.engine, self.num_envs, seat, others, reward, length)
        self.single_observation_space = observation_space(self.engine)
        self.single_action_space = action_space(self.engine)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self.copy = bool(copy)
        self._observation = np.empty((self.num_envs, self.games.features), np.float32)
        self._mask = np.empty((self.num_envs, self.engine.A), np.int8)
        self._seeded = False

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Start a hand in every row, or in those of ``options["reset_mask"]``.

        Args:
            seed: a whole number – row i gets seed + i –, or one for each row. Without one each row's series of hands goes
                on.
            options: ``reset_mask`` bool (B,): the rows that start anew; the others go on, whatever the seed.

        Raises:
            ValueError: bad seeds or a bad mask.
        """
        rows = self._asked(options)
        seeds = self._seeds(seed)
        with self.games.untouched_by_errors():
            if seeds is not None:
                self.games.seed(seeds, rows)
            self.games.deal(rows)
        self._seeded = True
        return self._observe(), {"seat": self.games.seats.copy()}

    def _asked(self, options: dict[str, Any] | None) -> np.ndarray:
        if options is not None and not isinstance(options, Mapping):
            raise ValueError(f"reset options are {short(options)}; allowed: an object with reset_mask")
        unknown = [name for name in options or {} if name != "reset_mask"]
        if unknown:
            raise ValueError(f"reset options {short(unknown)}; allowed: reset_mask")
        mask = (options or {}).get("reset_mask")
        if mask is None:
            return np.arange(self.num_envs)
        try:
            mask = np.asarray(mask)
        except (ValueError, TypeError):
            raise ValueError(f"reset_mask is {short(mask)}; allowed: bool ({self.num_envs},), True somewhere") from None
        if mask.shape != (self.num_envs,) or mask.dtype != bool or not mask.any():
            raise ValueError(f"reset_mask is {mask.dtype} {mask.shape}; allowed: bool ({self.num_envs},), True somewhere")
        if not (mask | self._seeded).all():
            row = int(np.argmin(mask))
            raise ValueError(f"reset_mask leaves out row {row}, which has no game yet; allowed: all rows, the first time")
        return np.flatnonzero(mask)

    def _seeds(self, seed: int | Sequence[int | None] | None) -> np.ndarray | None:
        if seed is None:
            if self._seeded:
                return None
            seed = fresh_seed() >> 1
        if not isinstance(seed, (Sequence, np.ndarray)) or isinstance(seed, str) or getattr(seed, "ndim", 1) == 0:
            first = check_seed(seed)
            self._np_random_seed = first
            seed = [(first + i) % (1 << 64) for i in range(self.num_envs)]
        if len(seed) != self.num_envs:
            raise ValueError(f"{len(seed)} seeds; allowed: one, or one for each of {self.num_envs} games")
        return np.array([check_seed(fresh_seed() if one is None else one) for one in seed], np.uint64)

    def step(self, actions: Any) -> tuple[Observation, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """One action of each learner.

        Args:
            actions: whole numbers (B,); those of finished rows are ignored.

        Returns:
            Observations, rewards float64 (B,), terminations bool (B,), truncations (all False), infos.

        Raises:
            BadAction: wrong type or shape. IllegalAction: see `SingleSeatEnv`; it names the row, and no row was touched.
            ResetNeeded: before the first reset. What an opponent raises; the step did not happen then.
        """
        if not self._seeded:
            raise ResetNeeded("step() before reset()")
        chosen = checked_actions(actions, self.num_envs)
        games = self.games
        pending = np.flatnonzero(games.state["done"])
        with games.untouched_by_errors():
            played = games.try_play(chosen) < 0
            illegal = NO_ROWS if played else self._illegal(chosen)
            games.listen()
            if not played:
                games.forfeit(illegal)
                games.play(chosen)
            games.deal(pending)
            games.advance()
            rewards = games.paid.copy()
            rewards[illegal] = -illegal_penalty(self.engine)
            return self._result(rewards, games.state["done"].copy())

    def _illegal(self, chosen: np.ndarray) -> np.ndarray:
        """Rows to be terminated for an illegal action."""
        rows = np.flatnonzero(~self.games.legal_rows(chosen))
        outside = rows[(chosen[rows] < 0) | (chosen[rows] >= self.engine.A)]
        if self.on_illegal == "raise" or len(outside):
            row = int(outside[0] if len(outside) else rows[0])
            raise self.engine.illegal(self.games.state, row, int(chosen[row]))
        return rows

    def _result(
        self, rewards: np.ndarray, over: np.ndarray
    ) -> tuple[Observation, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        infos = self._infos()
        rows = np.flatnonzero(over)
        if self.mode == AutoresetMode.SAME_STEP and len(rows):
            infos = self._final(rows, self._observe(), infos)
            self.games.deal(rows)
            infos["seat"] = self.games.seats.copy()
        return self._observe(), rewards, over, np.zeros(self.num_envs, bool), infos

    def _infos(self) -> dict[str, Any]:
        """The learners' seats, and scores and contracts of the hands that ended in this step."""
        games = self.games
        infos: dict[str, Any] = {"seat": games.seats.copy()}
        if games.ended.any():
            infos |= {"scores": games.scores.copy(), "_scores": games.ended.copy()}
            infos |= {"contract": games.contract.copy(), "_contract": games.ended.copy()}
        return infos

    def _final(self, ended: np.ndarray, last: Observation, infos: dict[str, Any]) -> dict[str, Any]:
        where = np.zeros(self.num_envs, bool)
        where[ended] = True
        final = np.full(self.num_envs, None, object)
        for row in ended.tolist():
            final[row] = {name: values[row].copy() for name, values in last.items()}
        kept = {name: values for name, values in infos.items() if name != "seat"}
        return kept | {"final_obs": final, "_final_obs": where, "final_info": infos, "_final_info": where.copy()}

    def _observe(self) -> Observation:
        observation, mask = self._observation, self._mask
        if self.copy:
            observation, mask = np.empty_like(observation), np.empty_like(mask)
        self.games.observations(observation)
        self.games.masks(mask)
        return {"observation": observation, "action_mask": mask}

    def action_masks(self) -> np.ndarray:
        """The legal actions, bool (B, A)."""
        return self.engine.legal(self.games.state)


def _autoreset(mode: AutoresetMode | str) -> AutoresetMode:
    names = {name: m for m in AUTORESET for name in (m, m.name, m.value)}
    if not isinstance(mode, (str, AutoresetMode)) or mode not in names:
        raise ValueError(f"autoreset_mode is {short(mode)}; allowed: {', '.join(m.name for m in AUTORESET)}")
    return names[mode]
