"""What an agent is handed, and what it is itself, lead to no state: attributes, closures, bound methods and base arrays."""

from __future__ import annotations

import functools
import gc
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import load_file

import tarock_env
from agents import base
from agents.match import Match
from agents.ppo.agent import BUILTIN
from tarock_env import STATE, Engine, tarock_v0
from tarock_env.encoding import layout
from tarock_env.engine.state import as_bytes
from tarock_env.envs.single_seat import SingleSeatEnv
from tarock_env.envs.vector import TarockVectorEnv
from tarock_env.view import observe

RULESETS = tarock_env.available()
#: never followed: everything in a process hangs together through them
SHARED = (types.ModuleType, type, types.FrameType, types.BuiltinFunctionType, types.CodeType)


def parts_of(thing: Any) -> list[Any]:
    """What an object leads to; functions lead to what they close over and to their defaults, not to globals."""
    if isinstance(thing, types.FunctionType):
        cells = [cell.cell_contents for cell in thing.__closure__ or ()]
        return [*cells, *(thing.__defaults__ or ()), *(thing.__kwdefaults__ or {}).values(), thing.__dict__]
    if isinstance(thing, types.MethodType):
        return [thing.__self__, thing.__func__]
    if isinstance(thing, functools.partial):
        return [thing.func, thing.args, thing.keywords]
    if isinstance(thing, np.ndarray):
        return [thing.base, getattr(thing, "__dict__", None), *(thing.ravel().tolist() if thing.dtype == object else ())]
    if isinstance(thing, memoryview):
        return [thing.obj]
    return [*gc.get_referents(thing), getattr(thing, "__dict__", None)]


def reachable(*things: Any) -> Iterator[Any]:
    """Everything that the given objects lead to, themselves included."""
    seen: dict[int, Any] = {}
    waiting = list(things)
    while waiting:
        thing = waiting.pop()
        if thing is None or id(thing) in seen or isinstance(thing, SHARED):
            continue
        seen[id(thing)] = thing
        yield thing
        waiting += parts_of(thing)


def hands_of_others(engine: Engine, state: np.ndarray) -> list[bytes]:
    """The hidden hands of all rows as they stand in memory: ten cards or more, closed, of seats that are not to act."""
    hands, views = state["hands"], observe(engine, state)
    closed = [
        (i, s) for i in range(len(state)) for s in range(engine.P) if s != state["actor"][i] and not views["exposed"][i, s]
    ]
    return [np.uint64(hands[place]).tobytes() for place in closed if int(hands[place]).bit_count() >= 10]


def secrets_found(things: Any, secrets: list[bytes]) -> list[str]:
    """Arrays and buffers of states, or that hold one of the secrets, among all that some objects lead to."""
    found = []
    for thing in reachable(things):
        if isinstance(thing, np.ndarray) and thing.dtype == STATE:
            found.append(f"states {thing.shape}")
        if isinstance(thing, bytes | bytearray) or (isinstance(thing, np.ndarray) and thing.dtype != object):
            content = thing.tobytes() if isinstance(thing, np.ndarray) else bytes(thing)
            found += [f"{type(thing).__name__} with a secret" for secret in secrets if secret in content]
        if isinstance(thing, int) and thing > 1 << 20:
            found += [f"number {thing}" for secret in secrets if thing.to_bytes(8, "little", signed=False) == secret]
    return found


class Spy:
    """Notes what it is handed, and plays the lowest legal action."""

    name = "spy"

    def __init__(self) -> None:
        self.handed: list[Any] = []

    def act(self, views: np.ndarray, mask: np.ndarray, keys: np.ndarray) -> np.ndarray:
        self.handed.append((views, mask, keys))
        return mask.argmax(axis=1)


# ------------------------------------------------------------------ the search itself


def test_the_search_finds_what_is_hidden_well() -> None:
    engine = tarock_env.make("koenigrufen_pagat")
    state = engine.reset(2, seed=1)
    secrets = hands_of_others(engine, state)
    raw = as_bytes(state)

    class Keeper:
        __slots__ = ("inside",)

        def __init__(self, inside: Any) -> None:
            self.inside = inside

        def look(self) -> Any:
            return self.inside

    ways = [
        state, state[:1], state["hands"], raw[:, :8], raw.tobytes(), {"a": [state]}, lambda: state, Keeper(state).look,
        functools.partial(print, state), Keeper(raw), memoryview(raw), int(state["hands"][0, int(state["dealer"][0])]),
        (lambda x=state: x), np.array([state, None], dtype=object),
    ]  # fmt: skip
    assert [i for i, way in enumerate(ways) if not secrets_found(way, secrets)] == []
    assert secrets_found(engine, secrets) == []
    assert secrets_found(observe(engine, state), secrets) == []


# ------------------------------------------------------------------ what agents are handed


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_match_hands_out_nothing_hidden(ruleset: str) -> None:
    """One agent for all seats, which is handed whole arrays, and one for each, which are handed parts of them."""
    engine = tarock_env.make(ruleset)
    checked = 0
    for spies in ([Spy()], [Spy() for _ in range(engine.P)]):
        state, match = engine.reset(5, seed=3), Match(engine, spies)
        for _ in range(8):
            secrets = [*hands_of_others(engine, state), *(np.uint64(key).tobytes() for key in state["key"])]
            match.choose(state, state["actor"].astype(np.int64) % len(spies), engine.hand_keys(state))
            handed = [one for spy in spies for one in spy.handed]
            assert secrets_found(handed, secrets) == []
            checked += len(handed) * (len(secrets) > 5)
            for spy in spies:
                spy.handed.clear()
            engine.playout(state, "balanced", limit=1)
    assert checked >= 20


def test_environments_hand_out_nothing_hidden() -> None:
    """What the AEC environment tells and what opponents of the Gymnasium ones are handed, in both hands of a session."""
    spy, hidden, keys = Spy(), 0, set[bytes]()
    table = tarock_v0.raw_env(hands=2)
    table.reset(seed=5)
    while not any(table.terminations.values()):
        state, agent = table._state, table.agent_selection
        table.step(table.choose(spy))
        told = [table.infos, table.observe(table.agent_selection)] if not table.terminations[agent] else []
        keys.add(np.uint64(state["key"][0]).tobytes())  # from the first one all the others follow
        hidden += len(keys)
        assert secrets_found(spy.handed, []) == []
        assert [text for text in secrets_found(told, [*keys, *_closed(table)]) if not text.startswith("states")] == []
        spy.handed.clear()
    for env in (SingleSeatEnv(seat=0, opponents=spy, hands=2), TarockVectorEnv(2, seat=0, opponents=spy)):
        env.reset(seed=6)
        for _ in range(12):
            mask = np.atleast_2d(env.action_masks())
            env.step(mask.argmax(axis=1) if isinstance(env, TarockVectorEnv) else int(mask.argmax()))
            games = env.games
            drawn = [np.uint64(key).tobytes() for key in (*games.state["key"], *games._bases, *games._keys)]
            assert secrets_found(spy.handed, drawn) == []
            hidden += len(spy.handed)
            spy.handed.clear()
    assert hidden > 100


def _closed(table: Any) -> list[bytes]:
    """The hands of a table that nobody but their holders has seen: those of seats not selected."""
    return hands_of_others(table.engine, table._state) if int(table._state["n_plays"][0]) == 0 else []


# ------------------------------------------------------------------ what agents are


@pytest.mark.parametrize("spec", ["random", "uniform", "heuristic", "ppo:builtin/koenigrufen_pagat"])
def test_agents_lead_to_no_state(spec: str) -> None:
    engine = tarock_env.make("koenigrufen_pagat", threads=2)
    agent = base.make(spec, engine)
    state = engine.reset(8, seed=7)
    secrets = hands_of_others(engine, state)
    Match(engine, [agent]).play(state)
    assert secrets_found(agent, secrets) == []
    assert secrets_found(agent.act, secrets) == []


def test_driven_opponents_keep_nothing_of_the_games() -> None:
    """A driver is handed whole games: nothing of them stays with it, nor with the agents at the table."""
    engine = tarock_env.make("koenigrufen_pagat")
    agent, spy = base.make("heuristic", engine), Spy()
    checked = 0
    for env in (
        SingleSeatEnv(seat=0, opponents=[agent, spy, "random"], hands=2),
        TarockVectorEnv(2, seat=0, opponents=agent),
    ):
        env.reset(seed=6)
        for _ in range(12):
            mask = np.atleast_2d(env.action_masks())
            env.step(mask.argmax(axis=1) if isinstance(env, TarockVectorEnv) else int(mask.argmax()))
            games = env.games
            secrets = [*hands_of_others(engine, games.state), *(np.uint64(key).tobytes() for key in games.state["key"])]
            spy.handed.clear()  # its own views
            assert secrets_found([agent, games.opponents, games._driver, games._driver.advance], secrets) == []
            checked += len(secrets)
    assert checked > 50
    assert secrets_found(env.games, secrets[-1:])


# ------------------------------------------------------------------ policy files


@pytest.mark.parametrize("path", sorted(BUILTIN.glob("*.safetensors")), ids=lambda path: path.stem)
def test_a_shipped_policy_holds_an_actor_only(path: Path) -> None:
    """Names and shapes of its arrays; `read_policy` refuses every other file."""
    engine = tarock_env.make(path.stem)
    plan, found = layout(engine.ruleset), {name: array.shape for name, array in load_file(path).items()}
    width = found["first_bias"][0]
    hidden = found["hidden_bias"][0]
    assert plan.F_full > plan.F
    assert found == {
        "first": (plan.F, width), "first_bias": (width,), "hidden": (hidden, width, width), "hidden_bias": (hidden, width),
        "last": (width, engine.A), "last_bias": (engine.A,),
    }  # fmt: skip
    agent = base.make(f"ppo:{path}", engine)
    held = [thing for thing in reachable(agent) if isinstance(thing, np.ndarray) and thing.dtype == np.float32]
    assert sum(array.size for array in held if array.base is None) <= sum(int(np.prod(shape)) for shape in found.values())
