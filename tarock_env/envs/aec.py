"""The PettingZoo AEC environment: a thin adapter over an engine of one game."""

from __future__ import annotations

import copy
import operator
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.error import ResetNeeded
from pettingzoo.utils.env import AECEnv

from tarock_env.encoding import encode_bits, encode_full, layout, unpack
from tarock_env.engine import loops
from tarock_env.engine.batch import NO_MASK, Engine
from tarock_env.engine.chance import AGENT
from tarock_env.engine.checking import answers
from tarock_env.engine.errors import BadAction
from tarock_env.engine.session import SINGLE
from tarock_env.engine.state import STATE, as_bytes
from tarock_env.envs.ending import copied, hand_info
from tarock_env.envs.opening import start_hand
from tarock_env.envs.seeds import GameSeeds, session_name
from tarock_env.envs.spaces import (
    ON_ILLEGAL,
    PHASES,
    RENDER_MODES,
    REWARDS,
    Player,
    action_space,
    check_choice,
    game_length,
    hand_rewards,
    illegal_penalty,
    observation_space,
    single,
)
from tarock_env.render import text
from tarock_env.rulesets import load
from tarock_env.rulesets.shown import short
from tarock_env.view import VIEW, observe, observe_all

INT64 = range(-(1 << 63), 1 << 63)


class RawEnv(AECEnv[str, dict[str, np.ndarray], int]):
    """One table of Tarock. Agent ``player_i`` sits at table seat i; see `tarock_env.tarock_v0` for all arguments.

    Attributes:
        engine: the engine that plays; it may be used, but its states are the environment's own.
        rewards, terminations, truncations, infos, agents, agent_selection: as in PettingZoo. Nothing is ever truncated.
    """

    metadata: dict[str, Any] = {
        "name": "tarock_v0",
        "render_modes": list(RENDER_MODES),
        "is_parallelizable": False,
        "render_fps": 1,
    }

    def __init__(
        self,
        /,
        ruleset: str = "koenigrufen_pagat",
        hands: int = 1,
        reward: str = "zero_sum",
        on_illegal: str = "raise",
        render_mode: str | None = None,
        session: bool = False,
        **options: Any,
    ) -> None:
        super().__init__()
        self.engine = Engine(load(ruleset, **options))
        self._length = game_length(self.engine, hands, session)
        self.reward = check_choice("reward", reward, REWARDS)
        self.on_illegal = check_choice("on_illegal", on_illegal, ON_ILLEGAL)
        self.render_mode = None if render_mode is None else check_choice("render_mode", render_mode, RENDER_MODES)
        self.possible_agents = [f"player_{seat}" for seat in range(self.engine.P)]
        self.observation_spaces = {agent: observation_space(self.engine) for agent in self.possible_agents}
        self.action_spaces = {agent: action_space(self.engine) for agent in self.possible_agents}
        self.agents: list[str] = []
        self.agent_selection = self.possible_agents[0]
        self._seeds = GameSeeds()
        self._session = ""  #: name of the session that is played, if it is one
        self._state = np.zeros(1, STATE)
        self._start = np.zeros(1, STATE)
        self._log = self.engine.new_log(1)
        self._over = True  #: all agents are terminated, or nothing was reset yet
        self._prepare()

    def _prepare(self) -> None:
        """Buffers and views of them that are made anew in every copy."""
        engine = self.engine
        plan = layout(engine.ruleset)
        self._seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._contracts = (*(row.id for row in engine.ruleset.contracts), None)
        self._rules, self._offsets, self._features = engine.rules, plan.offsets, plan.F
        self._actor, self._phase = self._state["actor"], self._state["phase"]
        self._done, self._contract = self._state["done"], self._state["contract"]
        self._action, self._seat = np.zeros(1, np.int64), np.zeros(1, np.int64)
        self._views, self._words = np.zeros(1, VIEW), np.zeros((1, plan.words), np.uint64)
        self._legal = np.zeros((1, engine.A), bool)
        self._mask = self._legal.view(np.int8)[0]
        self._no_mask = np.zeros(engine.A, np.int8)
        self._no_mask.setflags(write=False)

    # ------------------------------------------------------------------ PettingZoo

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The agent's observation space, always the same object."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The agent's action space, always the same object."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Start a game.

        Args:
            seed: whole number; the game is that of ``engine.reset(1, seed)``. Without one the next game of the last seed
                follows (row k of ``engine.reset(n, seed)``), or one of a seed drawn from the operating system.
            options: ``deal``, ``dealer``, ``contract``, ``declarer``, ``before``: see `envs.opening.start_hand`.

        Raises:
            ValueError: a bad seed or option. The game that was going on stays as it is.
        """
        seed, game, key = self._seeds.following(seed)
        start = start_hand(self.engine, key, options, self._length)
        self._seeds.move_to(seed, game)
        self._session = "" if self._length == SINGLE else session_name(key)
        self._begin_hand(start.state)
        for action in start.actions:
            self.engine.step(self._state, action, self._log)
        self.agents = self.possible_agents[:]
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {}
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self._skip_agent_selection: str | None = None
        self._over = self._rewarded = False
        self._unheard: dict[str, dict[str, Any]] = {}  #: results of the last hand that agents have not been told at a turn
        self._told: tuple[str, str | None] | None = None  #: phase and contract that all infos hold
        self._arrive()

    def _begin_hand(self, state: np.ndarray) -> None:
        self._start = self.engine.copy(state)
        as_bytes(self._state)[:] = as_bytes(self._start)

    def step(self, action: Any) -> None:
        """Carry out an action of the selected agent; None for a terminated one.

        Raises:
            BadAction: no whole number. IllegalAction: not legal, and ``on_illegal="raise"`` or outside 0 … A - 1. Both name
                phase, seat and legal actions and leave everything as it was.
            ResetNeeded: there is no game, or it is over.
        """
        agent = self.agent_selection
        if self._over:
            if not self.agents:
                raise ResetNeeded("step() before reset(), or after the end of the game")
            self._was_dead_step(action)
            return
        self._action[0] = action if type(action) is int and action in INT64 else self._index(action)
        if loops.step_all(self._state, self._rules, self._action, self._log, NO_MASK, False) >= 0:
            self._refuse(agent, int(self._action[0]))
            return
        self._cumulative_rewards[agent] = 0.0
        if self._rewarded:
            self._clear_rewards()
            self._rewarded = False
        if self._unheard:
            self._unheard.pop(agent, None)
        self._arrive()

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        """``observation`` float32 (F,) and ``action_mask`` int8 (A,), zeros unless it is the agent's turn; new arrays.

        Raises:
            KeyError: no such agent (with `tarock_v0.env` a ValueError that names the agents).
        """
        seat = self._seat_of[agent]
        self._seat[0] = seat
        observe_all(self._state, self._rules, self._seat, self._views)
        encode_bits(self._views, self._rules, self._offsets, self._words)
        observation = np.empty((1, self._features), np.float32)
        unpack(self._words, observation)
        on_turn = not self._over and self._actor[0] == seat
        return {"observation": observation[0], "action_mask": (self._mask if on_turn else self._no_mask).copy()}

    def state(self) -> np.ndarray:
        """Everything, hidden cards too, from the acting seat: float32 (F_full,). For critics in training only."""
        full: np.ndarray = encode_full(self.engine, self._state)[0]
        return full

    def render(self) -> str | None:
        """The table with all hands open: text for ``"ansi"``, printed for ``"human"``."""
        if self.render_mode is None:
            return None
        picture = text.render_state(self.engine, self._state)
        if self.render_mode == "ansi":
            return picture
        print(picture)
        return None

    def close(self) -> None:
        """Nothing to release."""

    # ------------------------------------------------------------------ beyond PettingZoo

    def view(self, agent: str) -> np.ndarray:
        """What the agent knows: (1,) VIEW."""
        return observe(self.engine, self._state, self._seat_of[agent])

    def choose(self, player: Player) -> int:
        """The action that an agent object takes for the selected agent, from that seat's view only.

        Raises:
            BadAction: it answers anything but one whole number.
        """
        mask = self.engine.legal(self._state)
        chosen = player.act(observe(self.engine, self._state), mask, self.engine.keys(self._state, AGENT))
        return int(answers(chosen, 1)[0])

    @property
    def np_random_seed(self) -> int | None:
        """The seed of the present game's series; None before the first reset."""
        return self._seeds.seed

    def clone(self) -> RawEnv:
        """An independent copy that continues identically; the engine, which never changes, is shared."""
        twin: RawEnv = object.__new__(type(self))
        twin.__setstate__(copy.deepcopy(self.__getstate__(), {id(self.engine): self.engine}))
        return twin

    def __deepcopy__(self, memo: dict[int, Any]) -> RawEnv:
        return self.clone()

    def __getstate__(self) -> dict[str, Any]:
        """What makes up the environment, without buffers; states as bytes, which NumPy copies faster and whole."""
        own = {name: value for name, value in self.__dict__.items() if name not in _BUFFERS}
        return own | {"_state": as_bytes(self._state), "_start": as_bytes(self._start)}

    def __setstate__(self, own: dict[str, Any]) -> None:
        self.__dict__.update(own)
        self._state, self._start = own["_state"].view(STATE).reshape(1), own["_start"].view(STATE).reshape(1)
        self._prepare()
        loops.fill_mask(self._state, self._rules, self._legal)

    # ------------------------------------------------------------------ inside

    def _arrive(self) -> None:
        """Tell the agents about the decision or the end that has been reached."""
        while self._done[0] and not self._over:
            self._finish_hand()
        if not self._over:
            self._tell()
        if self.render_mode == "human":
            self.render()

    def _tell(self) -> None:
        """Fill the infos for a decision."""
        loops.fill_mask(self._state, self._rules, self._legal)
        public = phase, contract = PHASES[self._phase[0]], self._contracts[self._contract[0]]
        stale = (self.agent_selection,) if self._told == public else self.agents
        for agent in stale:
            self.infos[agent] = {"action_mask": self._no_mask, "phase": phase, "contract": contract}
        self._told = public
        self.agent_selection = selected = self.possible_agents[self._actor[0]]
        self.infos[selected] = {"action_mask": self._mask.copy(), "phase": phase, "contract": contract}
        for agent, hand in self._unheard.items():
            self.infos[agent]["last_hand"] = hand

    def _finish_hand(self) -> None:
        """Pay a hand; deal the next one of the session, or terminate everybody."""
        hand = hand_info(self.engine, self._state, self._start, self._log, self._session)
        self._pay(hand_rewards(self.engine, self._state, self.reward)[0].tolist())
        if self._state["session_over"][0]:
            self._terminate(lambda seat: copied(hand))
            return
        self._unheard = {agent: copied(hand) for agent in self.agents}
        self.engine.next_hand(self._state)
        self._start = self.engine.copy(self._state)

    def _pay(self, amounts: list[float]) -> None:
        """Pay amounts by seat, on top of what was paid in this step."""
        for agent, amount in zip(self.agents, amounts, strict=True):
            self.rewards[agent] += amount
            self._cumulative_rewards[agent] += amount
        self._rewarded = True

    def _terminate(self, extra: Callable[[int], dict[str, Any]]) -> None:
        self._over = True
        self.terminations = dict.fromkeys(self.agents, True)
        public = {"phase": PHASES[self._phase[0]], "contract": self._contracts[self._contract[0]]}
        self.infos = {
            agent: {"action_mask": self._no_mask, **public, **extra(seat)} for seat, agent in enumerate(self.agents)
        }
        self.agent_selection = self.agents[0]

    def _refuse(self, agent: str, action: int) -> None:
        """An illegal action: an error, or the end of the game at the offender's cost."""
        error = self.engine.illegal(self._state, 0, action, self._log)
        if self.on_illegal == "raise" or not 0 <= action < self.engine.A:
            raise error
        seat = self._seat_of[agent]
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._pay([-illegal_penalty(self.engine) if s == seat else 0.0 for s in range(self.engine.P)])
        self._terminate(lambda s: {"illegal_action": error.action} if s == seat else {})

    def _index(self, action: object) -> int:
        """An action given as something else than a plain int."""
        given = single(action)
        try:
            if isinstance(given, (bool, np.bool_)):
                raise TypeError
            index = operator.index(given)
        except TypeError:
            raise BadAction(f"action is {short(action)}; allowed: a whole number; {self._whereabouts()}") from None
        if index not in INT64:
            raise BadAction(f"action is {short(index)}; allowed: 0 … {self.engine.A - 1}; {self._whereabouts()}")
        return index

    def _whereabouts(self) -> str:
        names = ", ".join(self.engine.legal_names(self._state))
        return f"phase {PHASES[self._phase[0]]}, seat {self._actor[0]}, legal: {names}"


#: attributes that `_prepare` makes anew
_BUFFERS = frozenset({
    "_actor", "_phase", "_done", "_contract", "_action", "_seat", "_views", "_words", "_legal", "_mask", "_no_mask",
    "_rules", "_offsets", "_features", "_seat_of", "_contracts",
})  # fmt: skip
