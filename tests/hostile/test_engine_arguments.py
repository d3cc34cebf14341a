"""Junk as arguments of the engine, of views and of encodings: documented errors, and nothing has changed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import tarock_env
from tarock_env import BadAction, Engine, IllegalAction
from tarock_env.encoding import encode, encode_full, encode_packed, unpacked
from tarock_env.engine.state import STATE, as_bytes
from tarock_env.view import VIEW, observe
from tests.hostile.junk import LAYOUTS, anything, arrays, laid_out, values

B = 4
ENGINES = {name: tarock_env.make(name) for name in ("koenigrufen_pagat", "slovenian_3p", "illustrated_tarock")}
QUICK = settings(max_examples=150, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
LONG = settings(QUICK, max_examples=6000)


def position(name: str, decisions: int) -> tuple[Engine, np.ndarray]:
    """Some hands, some decisions on."""
    engine = ENGINES[name]
    state = engine.reset(B, seed=decisions)
    engine.playout(state, "balanced", limit=decisions)
    return engine, state


positions = st.builds(position, st.sampled_from(sorted(ENGINES)), st.integers(0, 80))


def check_step(case: tuple[Engine, np.ndarray], actions: Any) -> None:
    """A step is carried out as with a plain array, or refused with nothing changed."""
    engine, state = case
    log = engine.new_log(B)
    before, twin = as_bytes(state).copy(), engine.copy(state)
    try:
        engine.step(state, actions, log)
    except (BadAction, IllegalAction) as error:
        assert "allowed" in str(error) or "legal:" in str(error)
        assert (as_bytes(state) == before).all()
        assert not log.any()
    else:
        engine.step(twin, np.array([int(a) for a in np.asarray(actions)], np.int64))
        assert (as_bytes(state) == as_bytes(twin)).all()


@QUICK
@given(positions, anything)
def test_step_with_anything(case: tuple[Engine, np.ndarray], actions: Any) -> None:
    check_step(case, actions)


@pytest.mark.slow
@LONG
@given(positions, anything)
def test_step_with_anything_at_length(case: tuple[Engine, np.ndarray], actions: Any) -> None:
    check_step(case, actions)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("kind", ["<i8", ">i8", "<u8", ">i2", "i1"])
def test_legal_actions_in_any_layout_are_carried_out(kind: str, layout: str) -> None:
    engine, state = position("koenigrufen_pagat", 30)
    twin = engine.copy(state)
    actions = engine.sample(engine.legal(state), engine.keys(state))
    engine.step(twin, actions)
    engine.step(state, laid_out(actions.astype(kind), layout))
    assert (as_bytes(state) == as_bytes(twin)).all()


#: call -> function of (engine, state, one argument that is spoilt)
CALLS: dict[str, Callable[[Engine, np.ndarray, Any], Any]] = {
    "legal state": lambda e, s, x: e.legal(x),
    "legal out": lambda e, s, x: e.legal(s, x),
    "step state": lambda e, s, x: e.step(x, np.zeros(B, np.int64)),
    "step log": lambda e, s, x: e.step(s, e.sample(e.legal(s), e.keys(s)), x if x is not None else 0),
    "step mask": lambda e, s, x: e.step(s, e.sample(e.legal(s), e.keys(s)), mask=x if x is not None else 0),
    "sample mask": lambda e, s, x: e.sample(x, np.zeros(B, np.uint64)),
    "sample keys": lambda e, s, x: e.sample(e.legal(s), x),
    "keys state": lambda e, s, x: e.keys(x),
    "keys salt": lambda e, s, x: e.keys(s, x),
    "hand_keys state": lambda e, s, x: e.hand_keys(x),
    "hand_keys salt": lambda e, s, x: e.hand_keys(s, x),
    "playout state": lambda e, s, x: e.playout(x),
    "playout policy": lambda e, s, x: e.playout(s, x),
    "playout keys": lambda e, s, x: e.playout(s, "random", x),
    "playout log": lambda e, s, x: e.playout(s, log=x),
    "playout limit": lambda e, s, x: e.playout(s, limit=x),
    "fine state": lambda e, s, x: e.fine(x, 0, 0, 1),
    "fine row": lambda e, s, x: e.fine(s, x, 0, 1),
    "fine seat": lambda e, s, x: e.fine(s, 0, x, 1),
    "fine misdeal": lambda e, s, x: e.fine(s, 0, 0, x),
    "next_hand": lambda e, s, x: e.next_hand(x),
    "copy": lambda e, s, x: e.copy(x),
    "reset seed": lambda e, s, x: e.reset(2, seed=x),
    "reset keys": lambda e, s, x: e.reset(keys=x),
    "reset dealer": lambda e, s, x: e.reset(3, dealer=x),
    "reset hands": lambda e, s, x: e.reset(2, hands=x),
    "from_deal hands": lambda e, s, x: e.from_deal(x, list(range(6)), 0),
    "from_deal hand": lambda e, s, x: e.from_deal([x] * e.P, list(range(6)), 0),
    "from_deal talon": lambda e, s, x: e.from_deal(dealt(e)[0], x, 0),
    "from_deal dealer": lambda e, s, x: e.from_deal(*dealt(e), x),
    "from_deal before": lambda e, s, x: e.from_deal(*dealt(e), 0, x),
    "from_deal scores": lambda e, s, x: e.from_deal(*dealt(e), 0, {"scores": x}),
    "from_deal rings": lambda e, s, x: e.from_deal(*dealt(e), 0, {"rings": x}),
    "from_deal compulsory": lambda e, s, x: e.from_deal(*dealt(e), 0, {"compulsory": x}),
    "from_deal packets": lambda e, s, x: e.from_deal(*dealt(e), 0, packets=x),
    "from_deal key": lambda e, s, x: e.from_deal(*dealt(e), 0, key=x),
    "observe state": lambda e, s, x: observe(e, x),
    "observe seats": lambda e, s, x: observe(e, s, x),
    "encode views": lambda e, s, x: encode(e, x),
    "encode out": lambda e, s, x: encode(e, observe(e, s), x),
    "encode_packed": lambda e, s, x: encode_packed(e, x),
    "encode_full": lambda e, s, x: encode_full(e, x),
    "unpacked words": lambda e, s, x: unpacked(x, 64),
    "unpacked features": lambda e, s, x: unpacked(np.zeros((2, 3), np.uint64), x),
    "threads": lambda e, s, x: Engine(e.ruleset, x) if not isinstance(x, int) or x < 1 else None,
}


def dealt(engine: Engine) -> tuple[list[list[int]], list[int]]:
    """A deal of card ids, in order."""
    players = engine.ruleset.players
    return [list(range(i * 48 // players, (i + 1) * 48 // players)) for i in range(players)], list(range(48, 54))


def check_call(call: str, case: tuple[Engine, np.ndarray], junk: Any) -> None:
    """A call works, or raises a ValueError that says something, with nothing changed."""
    engine, state = case
    before = as_bytes(state).copy()
    try:
        CALLS[call](engine, state, junk)
    except ValueError as error:
        assert str(error)
        assert (as_bytes(state) == before).all()


@pytest.mark.parametrize("call", CALLS)
@settings(QUICK, max_examples=25)
@given(st.data())
def test_calls_with_anything(call: str, data: st.DataObject) -> None:
    check_call(call, data.draw(positions), data.draw(anything))


@pytest.mark.slow
@pytest.mark.parametrize("call", CALLS)
@settings(QUICK, max_examples=1200)
@given(st.data())
def test_calls_with_anything_at_length(call: str, data: st.DataObject) -> None:
    check_call(call, data.draw(positions), data.draw(anything))


STATES = ("other type", "bytes", "two-dimensional", "strided", "read-only", "swapped", "list", "scalar")


def bad_state(state: np.ndarray, how: str) -> Any:
    """A state in a form that is not worked on."""
    if how == "unaligned":
        buffer = np.zeros(state.nbytes + 1, np.uint8)
        buffer[1:] = as_bytes(state).reshape(-1)
        return buffer[1:].view(STATE)
    read_only = state.copy()
    read_only.flags.writeable = False
    return {
        "other type": np.zeros(B), "bytes": as_bytes(state), "two-dimensional": state.reshape(2, 2), "strided": state[::2],
        "read-only": read_only, "swapped": np.zeros(B, STATE.newbyteorder()), "list": list(state), "scalar": state[0],
    }[how]  # fmt: skip


@pytest.mark.parametrize("how", STATES)
def test_states_that_are_not_worked_on(how: str) -> None:
    engine, state = position("koenigrufen_pagat", 20)
    bad, before = bad_state(state, how), as_bytes(state).copy()
    for call in (name for name in CALLS if name.endswith(" state") and name.split()[0] not in ("observe", "encode")):
        with pytest.raises(ValueError, match=r"allowed: STATE|one-dimensional"):
            CALLS[call](engine, state, bad)
    assert (as_bytes(state) == before).all()


@pytest.mark.parametrize("how", ["strided", "read-only", "unaligned"])
def test_states_that_are_only_read_may_lie_anyhow(how: str) -> None:
    engine, state = position("koenigrufen_pagat", 20)
    odd = bad_state(state, how)
    plain = engine.copy(odd)
    assert (observe(engine, odd) == observe(engine, plain)).all()
    assert (encode_packed(engine, odd)[0] == encode_packed(engine, plain)[0]).all()
    views = observe(engine, state)
    assert (encode(engine, views[::2]) == encode(engine, views)[::2]).all()


def test_a_fine_needs_a_row_that_is_there() -> None:
    engine, state = position("koenigrufen_pagat", 80)
    for row in (-1, B, 10**7, 1.0, True):
        with pytest.raises(ValueError, match=f"row is {row}; allowed: a whole number in 0 … {B - 1}"):
            engine.fine(state, row, 0, 1)


def test_keys_are_one_for_each_hand() -> None:
    engine, state = position("koenigrufen_pagat", 0)
    with pytest.raises(ValueError, match=r"keys have shape \(1,\); allowed: \(4,\)"):
        engine.playout(state, "random", np.zeros(1, np.uint64))


def test_rows_without_a_legal_action_are_not_played() -> None:
    engine = ENGINES["koenigrufen_pagat"]
    with pytest.raises(ValueError, match="row 0 has no legal action"):
        engine.playout(np.zeros(3, STATE))


def test_more_features_than_bits_are_refused() -> None:
    with pytest.raises(ValueError, match="features is 65; allowed: a whole number in 0 … 64"):
        unpacked(np.zeros((2, 1), np.uint64), 65)
    assert np.zeros(1, VIEW).dtype == VIEW


@settings(QUICK, max_examples=100)
@given(st.one_of(values, arrays()))
def test_take_with_anything(rows: Any) -> None:
    engine, state = position("koenigrufen_pagat", 5)
    try:
        taken = engine.take(state, rows)
    except (ValueError, IndexError):  # NumPy's, as documented
        return
    assert taken.dtype == STATE
