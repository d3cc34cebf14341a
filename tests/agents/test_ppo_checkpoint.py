"""Files of weights: what is refused, and why."""

from __future__ import annotations

import json
import os
import pickle
import struct
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

import tarock_env
from agents import base
from agents.ppo import checkpoint
from agents.ppo.agent import LARGEST_SUM, POLICY_FILE, load, to_tensors
from agents.ppo.checkpoint import POLICY, CheckpointError
from agents.ppo.kernels.choice import LEGAL_WORDS, choose_greedy, choose_sampled
from agents.ppo.network import Actor, policy_of
from tarock_env.encoding import encode_packed, layout
from tarock_env.engine.chance import make_keys
from tarock_env.view import observe


@pytest.fixture(scope="module")
def engine() -> tarock_env.Engine:
    return tarock_env.make("koenigrufen_pagat")


@pytest.fixture
def policy(engine: tarock_env.Engine, tmp_path: Path) -> Path:
    """A policy file of a fresh network."""
    actor = Actor(layout(engine.ruleset), engine.actions, 16, 2)
    path = tmp_path / POLICY_FILE
    meta = {**checkpoint.identity(engine.ruleset), "width": 16, "depth": 2, "options": {}}
    checkpoint.write(path, POLICY, to_tensors(policy_of(actor)), meta)
    return path


def changed(path: Path, **header: object) -> Path:
    """The same weights under another header."""
    tensors, old = checkpoint.read(path, POLICY)
    meta = {name: value for name, value in old.items() if name not in ("kind", "version")} | header
    checkpoint.write(path, POLICY, tensors, meta)
    return path


def test_policy_plays_the_same_at_every_batch_size(engine: tarock_env.Engine, policy: Path) -> None:
    for spec in (f"ppo:{policy.parent}", f"ppo:{policy}", f"ppo:{policy}?sample"):
        agent = base.make(spec, engine)
        assert agent.name == spec
        state = engine.reset(40, seed=2)
        engine.playout(state, "random", limit=9)
        views, mask, keys = observe(engine, state), engine.legal(state), make_keys(40, 8)
        before = views.copy()
        together = agent.act(views, mask, keys)
        alone = [agent.act(views[i : i + 1], mask[i : i + 1], keys[i : i + 1])[0] for i in range(40)]
        np.testing.assert_array_equal(together, alone)
        assert mask[np.arange(40), together].all()
        assert (views == before).all()


@pytest.mark.parametrize("what, value", [("layout", "0" * 12), ("ruleset", "bridge"), ("actions", "3:abc")])
def test_another_game_is_refused_and_both_are_named(engine: tarock_env.Engine, policy: Path, what: str, value: str) -> None:
    changed(policy, **{what: value})
    with pytest.raises(CheckpointError) as error:
        load(str(policy), engine)
    assert value in str(error.value)
    assert str(checkpoint.identity(engine.ruleset)[what]) in str(error.value)


def test_another_ruleset_is_refused(policy: Path) -> None:
    with pytest.raises(CheckpointError, match=r"koenigrufen_pagat.*slovenian_4p"):
        load(str(policy), tarock_env.make("slovenian_4p"))


def test_options_may_differ(policy: Path) -> None:
    load(str(policy), tarock_env.make("koenigrufen_pagat", kontra_max=5))


def test_shapes_are_checked(engine: tarock_env.Engine, policy: Path) -> None:
    changed(policy, width=17)
    with pytest.raises(CheckpointError, match="width 17"):
        load(str(policy), engine)
    changed(policy, width="16")
    with pytest.raises(CheckpointError, match="width '16'"):
        load(str(policy), engine)


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_weights_that_are_no_finite_numbers_are_refused(engine: tarock_env.Engine, policy: Path, value: float) -> None:
    tensors, header = checkpoint.read(policy, POLICY)
    tensors["last_bias"] = tensors["last_bias"].copy()
    tensors["last_bias"][3] = value
    checkpoint.write(policy, POLICY, tensors, header)
    with pytest.raises(CheckpointError, match=rf"{POLICY_FILE}.*'last_bias' is '{value}'; allowed: finite"):
        load(str(policy), engine)


@pytest.mark.parametrize("name", ["first", "first_bias", "hidden", "hidden_bias", "last", "last_bias"])
def test_weights_whose_logits_may_be_infinite_are_refused(engine: tarock_env.Engine, policy: Path, name: str) -> None:
    tensors, header = checkpoint.read(policy, POLICY)
    large = {key: array.astype(np.float32) for key, array in tensors.items()}
    large[name].flat[-1] = 3e38
    checkpoint.write(policy, POLICY, large, header)
    for spec in (str(policy), f"{policy}?sample"):
        with pytest.raises(CheckpointError, match=rf"{POLICY_FILE}.*too large, sums can reach .*; allowed: 1e\+37"):
            load(spec, engine)


def test_the_largest_sum_is_a_bound_of_the_logits(engine: tarock_env.Engine, policy: Path) -> None:
    weights = load(str(policy), engine).policy_weights
    largest = weights.largest_sum()
    words = np.full((1, layout(engine.ruleset).words), ~np.uint64(0))
    assert np.abs(weights.logits(words)).max() <= largest
    tensors, header = checkpoint.read(policy, POLICY)
    large = {key: array.astype(np.float32) for key, array in tensors.items()}
    large["last_bias"][60] = 0.5 * LARGEST_SUM
    checkpoint.write(policy, POLICY, large, header)
    agent = load(f"{policy}?sample", engine)
    assert 0.4 * LARGEST_SUM < agent.policy_weights.largest_sum() < 0.6 * LARGEST_SUM
    state = engine.reset(20, seed=3)
    assert np.isfinite(agent.policy_weights.logits(encode_packed(engine, state)[0])).all()
    mask, actions = engine.legal(state), agent.act(observe(engine, state), engine.legal(state), engine.keys(state))
    assert mask[np.arange(20), actions].all()


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, 3e38, -3e38])
def test_whatever_the_logits_a_legal_action_is_chosen(value: float) -> None:
    logits = np.full((3, 74), value, np.float32)
    logits[1, ::2] = 0.5
    legal = np.array([[1 << 7 | 1 << 60, 1], [1 << 5 | 1 << 8, 0], [0, 1 << 9]], np.uint64)
    assert legal.shape[1] == LEGAL_WORDS
    allowed = [{7, 60, 64}, {5, 8}, {73}]
    for draw in range(8):
        actions = np.full(3, -7)
        choose_sampled(logits, legal, make_keys(3, draw), actions, np.empty(3, np.float32))
        assert all(action in choices for action, choices in zip(actions.tolist(), allowed, strict=True))
    choose_greedy(logits, legal, actions)
    assert all(action in choices for action, choices in zip(actions.tolist(), allowed, strict=True))


@pytest.mark.parametrize("kind, name", [(np.int64, "I64"), (np.bool_, "BOOL"), (np.float64, "F64")])
def test_weights_of_other_types_are_refused(engine: tarock_env.Engine, policy: Path, kind: type, name: str) -> None:
    tensors, header = checkpoint.read(policy, POLICY)
    checkpoint.write(policy, POLICY, {key: array.astype(kind) for key, array in tensors.items()}, header)
    with pytest.raises(CheckpointError, match=rf"{POLICY_FILE}.* is '{name}'; allowed: F16 or F32"):
        load(str(policy), engine)
    checkpoint.write(policy, POLICY, {key: array.astype(np.float32) for key, array in tensors.items()}, header)
    load(str(policy), engine)


@pytest.mark.parametrize("name, size", [("BF16", 2), ("F8_E4M3", 1)])
def test_weights_of_types_that_numpy_lacks_are_refused(
    engine: tarock_env.Engine, policy: Path, name: str, size: int
) -> None:
    _, header = checkpoint.read(policy, POLICY)
    head: dict[str, object] = {"first": {"dtype": name, "shape": [4], "data_offsets": [0, 4 * size]}}
    text = json.dumps(head | {"__metadata__": {"tarock": json.dumps(header)}}).encode()
    policy.write_bytes(struct.pack("<Q", len(text)) + text + bytes(4 * size))
    with pytest.raises(CheckpointError, match=rf"{POLICY_FILE}.*'first' is '{name}'; allowed: F16 or F32"):
        load(str(policy), engine)


class Trap:
    """Unpickling it would leave a mark."""

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return open, ("trap", "w")  # type: ignore[return-value]


def test_files_that_are_no_weights_are_refused(
    engine: tarock_env.Engine, policy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    good = policy.read_bytes()
    bad = {
        "pickle": pickle.dumps(Trap()), "empty": b"", "text": b"not weights at all, but long enough",
        "cut": good[:-100], "head": good[:300], "longer": good + b"xx", "huge": b"\xff" * 64,
    }  # fmt: skip
    for name, content in bad.items():
        path = tmp_path / name
        path.write_bytes(content)
        with pytest.raises(CheckpointError, match=name):
            load(str(path), engine)
    assert not (tmp_path / "trap").exists()
    save_file(load_file(policy), tmp_path / "foreign")
    with pytest.raises(CheckpointError, match="foreign"):
        load("foreign", engine)


def test_missing_files_and_builtins_name_what_exists(engine: tarock_env.Engine) -> None:
    with pytest.raises(CheckpointError, match="nowhere"):
        load("nowhere", engine)
    with pytest.raises(CheckpointError, match=r"builtin/none.*available"):
        load("builtin/none", engine)


def test_writing_leaves_the_old_file_or_the_new_one(
    engine: tarock_env.Engine, policy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    good = policy.read_bytes()

    def fail(*_: object) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(OSError, match="disk full"):
        changed(policy, width=99)
    assert policy.read_bytes() == good
    assert sorted(p.name for p in policy.parent.iterdir()) == ["policy.json", POLICY_FILE]
    assert json.loads((policy.parent / "policy.json").read_text())["width"] == 16
