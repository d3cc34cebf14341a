"""What looks like something it is not, and what outlives its process."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tarock_env
from agents.match import Match
from tarock_env.engine.chance import make_keys
from tarock_env.engine.policies import Compiled, compiled_policy
from tarock_env.envs.single_seat import SingleSeatEnv
from tarock_env.envs.vector import TarockVectorEnv

ROOT = Path(__file__).resolve().parents[2]
ENGINE = tarock_env.make("koenigrufen_pagat")
A_TIME = np.timedelta64(1, "s")


# ------------------------------------------------------------------ a length of time is no number


NUMBERS: dict[str, Callable[[Any], Any]] = {
    "seed": lambda x: ENGINE.reset(1, seed=x),
    "n": lambda x: ENGINE.reset(x),
    "hands": lambda x: ENGINE.reset(1, hands=x),
    "dealer": lambda x: ENGINE.reset(1, dealer=x),
    "keys": lambda x: make_keys(1, 0, 1, first=x),
    "salt": lambda x: ENGINE.keys(ENGINE.reset(1), salt=x),
    "limit": lambda x: ENGINE.playout(ENGINE.reset(1), limit=x),
    "row of a fine": lambda x: ENGINE.fine(ENGINE.reset(2), x, 0, 1),
    "row": lambda x: ENGINE.legal_names(ENGINE.reset(2), x),
    "log": lambda x: ENGINE.new_log(x),
    "index": lambda x: ENGINE.actions.name(x),
    "card": lambda x: ENGINE.from_deal([[x, *range(11)], *([*range(k, k + 12)] for k in (12, 24, 36))], [*range(48, 54)], 0),
    "talon": lambda x: ENGINE.from_deal([[*range(k, k + 12)] for k in (0, 12, 24, 36)], [x, *range(49, 54)], 0),
    "seat": lambda x: SingleSeatEnv(seat=x),
    "environments": lambda x: TarockVectorEnv(x),
}  # fmt: skip


@pytest.mark.parametrize("name", NUMBERS)
@pytest.mark.parametrize("value", [A_TIME, "x", None, 1.0, True, [], np.float64(1), b"1"], ids=repr)
def test_only_whole_numbers_are_numbers(name: str, value: Any) -> None:
    if value is None and name in ("n", "seed", "hands", "dealer"):
        return
    with pytest.raises((ValueError, IndexError)):
        NUMBERS[name](value)


@pytest.mark.parametrize("name", [[], {}, None, 3, b"pass"])
def test_names_of_actions_are_texts(name: Any) -> None:
    with pytest.raises(ValueError, match="no action"):
        ENGINE.actions.index(name)


# ------------------------------------------------------------------ rows


@pytest.mark.parametrize("rows", [(0, 1), [0, -1], np.array([1]), [], slice(1, 3), np.array([True, False, True])], ids=repr)
def test_rows_that_there_are(rows: Any) -> None:
    state = ENGINE.reset(3, seed=4)
    wanted = state[list(rows) if isinstance(rows, tuple) else rows]["key"] if len(np.shape(rows)) == 0 or len(rows) else []
    assert ENGINE.take(state, rows)["key"].tolist() == list(wanted)


@pytest.mark.parametrize("rows", [0, [3], [-4], [0.5], "0", [[0]], [True], None, [None], {0}, [1 << 70]], ids=repr)
def test_rows_that_there_are_not(rows: Any) -> None:
    with pytest.raises(IndexError, match="allowed: rows of 3 games"):
        ENGINE.take(ENGINE.reset(3, seed=4), rows)


def test_a_masked_array_is_taken_as_the_array_it_covers() -> None:
    state = ENGINE.reset(3, seed=4)
    masked = np.ma.masked_array(state, mask=np.zeros(3, state.dtype.descr and bool))
    assert type(ENGINE.copy(masked)) is np.ndarray
    assert ENGINE.copy(masked).tobytes() == ENGINE.take(masked, [0, 1, 2]).tobytes() == state.tobytes()


# ------------------------------------------------------------------ agents


class Lowest:
    """Plays the lowest legal action; its `policy` is something of its own."""

    name = "lowest"

    def __init__(self, policy: Any) -> None:
        self.policy, self.compiled, self.asked = policy, policy, 0

    def act(self, views: np.ndarray, mask: np.ndarray, keys: np.ndarray) -> np.ndarray:
        self.asked += len(views)
        return mask.argmax(axis=1)


@pytest.mark.parametrize("policy", [None, "net", object(), 0, 1, 2, 3, 99, 1.0, True, np.int64(3), A_TIME])
def test_an_agent_whose_policy_is_its_own_affair_is_asked(policy: Any) -> None:
    agent = Lowest(policy)
    state = ENGINE.reset(2, seed=6)
    made = Match(ENGINE, [agent]).play(state)
    assert (made, bool(state["done"].all())) == (agent.asked, True)
    env, other = SingleSeatEnv(seat=0, opponents=agent), SingleSeatEnv(seat=0, opponents=agent.act)
    assert env.reset(seed=1)[0]["observation"].tobytes() == other.reset(seed=1)[0]["observation"].tobytes()
    assert compiled_policy(agent) == -1


def test_a_mark_of_the_kernels_own_is_believed() -> None:
    agent = Lowest(Compiled(1))
    Match(ENGINE, [agent]).play(ENGINE.reset(2, seed=6))
    assert agent.asked == 0


# ------------------------------------------------------------------ options


def test_options_that_were_handed_out_are_not_the_engines_own() -> None:
    engine = tarock_env.make("illustrated_tarock", p1_values={"with_40": 7})
    engine.options["p1_values"]["with_40"] = 99
    assert engine.options == {"p1_values": {"with_40": 7}}
    assert engine.digest() == tarock_env.make("illustrated_tarock", p1_values={"with_40": 7}).digest()


# ------------------------------------------------------------------ forks

FORK = """
import os, sys
import numpy as np
import tarock_env
engine = tarock_env.make("koenigrufen_pagat", threads=2)
state = engine.reset(100, seed=1)
first = engine.copy(state)
engine.playout(first)
child = os.fork()
again = engine.copy(state)
engine.playout(again)
if child == 0:
    os._exit(0 if again.tobytes() == first.tobytes() else 1)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) or (again.tobytes() != first.tobytes()))
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_an_engine_with_threads_goes_on_in_a_forked_process() -> None:
    assert subprocess.run([sys.executable, "-c", FORK], cwd=ROOT, timeout=120, check=False).returncode == 0
