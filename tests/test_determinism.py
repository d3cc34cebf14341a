"""One seed, one result, to the bit: over batch sizes, threads, processes, restarts, and without compilation."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import random
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch

import tarock_env
from agents import base
from agents.match import Match, play_hands
from agents.ppo.agent import PPOAgent
from experiments.duplicate import play as duplicate
from tarock_env import STATE, tarock_v0
from tarock_env.encoding import encode_packed
from tarock_env.engine.chance import AGENT, make_keys
from tarock_env.envs.single_seat import SingleSeatEnv
from tarock_env.envs.vector import TarockVectorEnv
from tarock_env.view import observe
from tests import determinism
from tests.envs.playing import play as play_env

ROOT = Path(tarock_env.__file__).resolve().parents[1]
RULESETS = tarock_env.available()
PPO = "ppo:builtin/koenigrufen_pagat"
AGAIN = "python -m tests.determinism --write"


# ------------------------------------------------------------------ batch sizes and threads


@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize("spec", determinism.SPECS)
def test_batch_sizes_and_threads_change_nothing(ruleset: str, spec: str) -> None:
    engine, several = tarock_env.make(ruleset), tarock_env.make(ruleset, threads=2)
    whole = determinism.rows(*determinism.play(engine, spec, 4096))
    assert len(set(whole)) == 4096
    for n in (1, 7, 256):
        assert determinism.rows(*determinism.play(engine, spec, n)) == whole[:n]
        assert determinism.rows(*determinism.play(several, spec, n)) == whole[:n]
    assert determinism.rows(*determinism.play(several, spec, 4096)) == whole


@pytest.mark.parametrize("sampled", [False, True], ids=["greedy", "sampled"])
def test_networks_compute_every_row_alike(sampled: bool) -> None:
    """Logits and actions, to the bit: alone, in threes, and a thousand at once."""
    engine = tarock_env.make("koenigrufen_pagat")
    agent = base.make(PPO + "?sample" * sampled, engine)
    assert isinstance(agent, PPOAgent)
    state = engine.reset(1000, seed=3)
    for row in range(1000):
        engine.playout(state[row : row + 1], "random", limit=row % 50)
    state = engine.take(state, np.flatnonzero(~state["done"]))
    n = len(state)
    assert n > 900
    views, mask, keys = observe(engine, state), engine.legal(state), make_keys(n, 5, AGENT)
    words = encode_packed(engine, state)[0]
    logits, actions = agent.policy_weights.logits(words), agent.act(views, mask, keys)
    for size in (1, 3):
        cuts = [slice(first, first + size) for first in range(0, n, size)]
        assert np.concatenate([agent.policy_weights.logits(words[cut]) for cut in cuts]).tobytes() == logits.tobytes()
        assert np.concatenate([agent.act(views[cut], mask[cut], keys[cut]) for cut in cuts]).tolist() == actions.tolist()


def test_networks_play_the_same_hands_at_any_batch_size_and_thread_count() -> None:
    engine, several = (tarock_env.make("koenigrufen_pagat", threads=threads) for threads in (1, 2))
    whole = determinism.rows(*determinism.play(engine, PPO, 256))
    for n in (1, 7):
        assert determinism.rows(*determinism.play(engine, PPO, n)) == whole[:n]
    assert determinism.rows(*determinism.play(several, PPO, 256)) == whole


# ------------------------------------------------------------------ processes


def command(*arguments: str, **environment: str) -> list[str]:
    """What the command prints in a process of its own."""
    words = [sys.executable, "-m", "tests.determinism", *arguments]
    result = subprocess.run(words, cwd=ROOT, env=os.environ | environment, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr[-2000:]
    return result.stdout.splitlines()


def test_processes_change_nothing() -> None:
    here = determinism.lines(64)
    assert command("--hands", "64", "--threads", "2", PYTHONHASHSEED="77") == here
    for method in ("spawn", "fork"):
        if method in multiprocessing.get_all_start_methods():
            with multiprocessing.get_context(method).Pool(1) as pool:
                assert pool.apply(determinism.lines, (64,)) == here, method


def test_plain_python_changes_nothing() -> None:
    """The engine and both agents without compilation."""
    assert command("--hands", "3", NUMBA_DISABLE_JIT="1") == determinism.lines(3)


# ------------------------------------------------------------------ restarts


@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize("spec", determinism.SPECS)
def test_a_hand_goes_on_alike_from_a_saved_state_and_from_its_log(ruleset: str, spec: str, tmp_path: Path) -> None:
    engine = tarock_env.make(ruleset)
    whole, log = determinism.play(engine, spec, 60)
    half = engine.reset(60, seed=determinism.SEED)
    for row in range(60):
        for action in log[row, : int(whole["n_actions"][row]) * row // 60]:
            engine.step(half[row : row + 1], int(action))
    np.save(tmp_path / "half.npy", half)
    loaded = np.load(tmp_path / "half.npy").view(STATE)
    for again in (half, loaded, pickle.loads(pickle.dumps(loaded))):
        engine_again = pickle.loads(pickle.dumps(engine))
        play_hands(engine_again, again, [base.make(spec, engine_again)])
        assert determinism.digest(again, log) == determinism.digest(whole, log)


# ------------------------------------------------------------------ nothing global


def test_no_global_generator_is_touched() -> None:
    """Dealing, playing, matching, evaluating, and all environments."""

    def generators() -> tuple[object, ...]:
        legacy = np.random.get_state()
        return random.getstate(), str(legacy[0]), legacy[1].tobytes(), legacy[2:], torch.get_rng_state().numpy().tobytes()

    before = generators()
    for ruleset in RULESETS:
        engine = tarock_env.make(ruleset)
        state = engine.reset(8, seed=1, hands=2)
        engine.playout(state, "balanced")
        engine.next_hand(state)
        Match(engine, [base.make("heuristic", engine)]).play(state)
        env = tarock_v0.env(ruleset, hands=2)
        env.reset(seed=3)
        play_env(env, 3)
        duplicate(engine, base.make("random", engine), base.make("heuristic", engine), 4, 1)
    engine = tarock_env.make("koenigrufen_pagat")
    play_hands(engine, engine.reset(4), [base.make(PPO + "?sample", engine)])
    for games in (SingleSeatEnv(hands=2), TarockVectorEnv(3)):
        games.reset(seed=4)
        over = np.zeros(1, bool)
        while not over.any():
            mask = np.atleast_2d(games.action_masks())
            over = np.atleast_1d(
                games.step(mask.argmax(axis=1) if isinstance(games, TarockVectorEnv) else int(mask.argmax()))[2]
            )
    assert generators() == before


# ------------------------------------------------------------------ what is pinned


@pytest.mark.parametrize("ruleset", RULESETS)
def test_deals_and_hands_are_those_that_are_pinned(ruleset: str) -> None:
    found, pinned = determinism.golden(ruleset), determinism.read()[ruleset]
    assert found["deals"] == pinned["deals"], f"seeds deal other cards than before; if that is meant: {AGAIN}"
    assert found == pinned, f"hands go otherwise than before; if that is meant: {AGAIN}"


def test_the_command_names_what_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(determinism, "GOLDEN", tmp_path / "golden.json")
    monkeypatch.setattr(determinism, "HANDS", 4)
    assert determinism.main(["--write"]) == 0
    assert capsys.readouterr().out.count("as pinned") == len(RULESETS)
    monkeypatch.setattr(determinism, "DEALS", 5)
    assert determinism.main([]) == 1
    assert capsys.readouterr().out.count("changed: deals\n") == len(RULESETS)
