"""A training run: whole and in parts, its files, its opponents."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import load_file

import tarock_env
from agents.ppo.agent import POLICY_FILE, load
from agents.ppo.checkpoint import CheckpointError
from agents.ppo.config import TrainConfig, from_dict
from agents.ppo.pool import Pool
from agents.ppo.rollout import NetworkPlayer, collect
from agents.ppo.trainer import CLONE_FIRST, STATE_FILE, Counters, Trainer, resume
from tarock_env.codes import Phase
from tarock_env.encoding import layout
from tarock_env.engine.chance import DEAL, EVALUATION, make_keys

SMALL = TrainConfig(
    decisions=3_000, hands=16, width=16, minibatch=128, epochs=2, pool_share=0.5, pool_every=2, pool_size=2, log_every=1,
    evaluations=0, seed=3,
)  # fmt: skip


@pytest.fixture(scope="module")
def engine() -> tarock_env.Engine:
    return tarock_env.make("koenigrufen_pagat")


def rows(folder: Path) -> list[dict[str, str]]:
    """The log, without what depends on the clock."""
    with (folder / "log.csv").open(newline="") as file:
        table = list(csv.DictReader(file))
    return [{k: v for k, v in row.items() if k not in ("seconds", "decisions_per_second")} for row in table]


def stop_at(trainer: Trainer, hands: int) -> Any:
    """A report that stops a run after so many hands."""

    def report(counters: Counters, progress: float, row: dict[str, float]) -> None:
        if counters.hands == hands:
            trainer.stop()

    return report


def assert_equal_runs(a: Path, b: Path) -> None:
    first, second = load_file(a / STATE_FILE), load_file(b / STATE_FILE)
    assert first.keys() == second.keys()
    for name in first:
        assert first[name].tobytes() == second[name].tobytes(), name
    assert rows(a) == rows(b)


@pytest.fixture(scope="module")
def whole(engine: tarock_env.Engine, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An uninterrupted run."""
    folder = tmp_path_factory.mktemp("whole")
    Trainer(SMALL, folder, engine, threads=2).run()
    return folder


@pytest.mark.parametrize("stops", [[1], [2, 1], [4]])
def test_resumed_equals_uninterrupted(engine: tarock_env.Engine, whole: Path, tmp_path: Path, stops: list[int]) -> None:
    Trainer(SMALL, tmp_path, engine, threads=2).run(stops[0])
    for more in stops[1:]:
        resume(tmp_path, engine, threads=2).run(more)
    trainer = resume(tmp_path, engine, threads=2)
    assert trainer.counters.iteration == sum(stops)
    trainer.run()
    assert trainer.progress == 1.0
    assert_equal_runs(whole, tmp_path)


def test_threads_do_not_change_a_run(engine: tarock_env.Engine, whole: Path, tmp_path: Path) -> None:
    Trainer(SMALL, tmp_path, engine, threads=1).run()
    assert_equal_runs(whole, tmp_path)


def test_a_killed_run_goes_on_from_its_last_save(
    engine: tarock_env.Engine, whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Killed in the middle of an iteration, after weights were changed."""
    monkeypatch.setattr("agents.ppo.trainer.SAVE_SECONDS", 0.0)
    trainer = Trainer(SMALL, tmp_path, engine)
    learn = trainer.learner.learn

    def killed(*arguments: Any, **more: Any) -> Any:
        learn(*arguments, **more)
        if trainer.counters.iteration == 2:
            raise KeyboardInterrupt
        return {}

    monkeypatch.setattr(trainer.learner, "learn", killed)
    with pytest.raises(KeyboardInterrupt):
        trainer.run()
    trainer = resume(tmp_path, engine)
    assert trainer.counters.iteration == 2
    trainer.run()
    first, second = load_file(whole / STATE_FILE), load_file(tmp_path / STATE_FILE)
    assert all(first[name].tobytes() == second[name].tobytes() for name in first)


def test_warm_start_stopped_and_resumed(engine: tarock_env.Engine, tmp_path: Path) -> None:
    """Cloning the heuristic, the critic alone, self-play against a pool with the heuristic: stopped in every stage."""
    warm = replace(SMALL, warm_start="heuristic", clone_hands=48, critic_iterations=2, pool_heuristic=True, decisions=2_500)
    whole = Trainer(warm, tmp_path / "whole", engine)
    actors: list[bytes] = []
    whole.report = lambda counters, progress, row: actors.append(whole.actor.last.weight.detach().numpy().tobytes())
    whole.run()
    cloned, resting = 3, 2
    assert len(set(actors[:cloned])) == cloned
    assert len(set(actors[cloned - 1 : cloned + resting])) == 1  # the actor waits for the critic
    assert len(set(actors[cloned + resting :])) == len(actors) - cloned - resting
    assert float(rows(tmp_path / "whole")[cloned - 1]["agreement"]) > float(rows(tmp_path / "whole")[0]["agreement"])
    parts = tmp_path / "parts"
    trainer = Trainer(warm, parts, engine)
    for stop in (1, 3, 4, 7):
        trainer.report = stop_at(trainer, stop * warm.hands)
        trainer.run()
        trainer = resume(parts, engine)
        assert trainer.counters.hands == stop * warm.hands
    trainer.run()
    assert_equal_runs(tmp_path / "whole", parts)


def test_a_run_can_be_extended(engine: tarock_env.Engine, tmp_path: Path) -> None:
    Trainer(SMALL, tmp_path, engine).run()
    trainer = resume(tmp_path, engine, {"decisions": 4_000, "minutes": 0.0})
    assert 0.7 < trainer.progress < 1.0
    trainer.run()
    assert trainer.counters.decisions >= 4_000


def test_policy_file_holds_the_actor_only(engine: tarock_env.Engine, whole: Path) -> None:
    tensors = load_file(whole / POLICY_FILE)
    assert set(tensors) == {"first", "first_bias", "hidden", "hidden_bias", "last", "last_bias"}
    plan, width, actions = layout(engine.ruleset), SMALL.width, engine.A
    assert [tensors[name].shape for name in ("first", "first_bias", "last", "last_bias")] == [
        (plan.F, width), (width,), (width, actions), (actions,),
    ]  # fmt: skip
    critic = {name: array for name, array in load_file(whole / STATE_FILE).items() if name.startswith("critic.")}
    assert critic["critic.first.weight"].shape == (plan.F_full, width)
    content = (whole / POLICY_FILE).read_bytes()
    for name, array in critic.items():
        assert array.any()
        assert array.size < 16 or array.astype(np.float16).tobytes() not in content, name
    agent = load(str(whole), engine)
    trainer = resume(whole, engine)
    np.testing.assert_allclose(agent.policy_weights.last, trainer.agent().policy_weights.last, atol=1e-3)


def test_seeds_share_nothing(engine: tarock_env.Engine, whole: Path, tmp_path: Path) -> None:
    Trainer(replace(SMALL, seed=4), tmp_path, engine).run(1)
    assert rows(tmp_path)[0] != rows(whole)[0]


def test_no_training_hand_is_an_evaluation_deal() -> None:
    training = np.concatenate([make_keys(100_000, 5, DEAL), make_keys(100_000, 5, DEAL, CLONE_FIRST)])
    evaluation = make_keys(100_000, 5, EVALUATION)
    assert len(np.unique(training)) == len(training)
    assert not np.isin(evaluation, training).any()


def test_rollout_records_every_choice_of_the_learner_once(engine: tarock_env.Engine) -> None:
    trainer = Trainer(SMALL, Path("unused"), engine)
    keys = make_keys(64, 1)
    player = NetworkPlayer(trainer.actor, trainer.device)
    rollout = collect(engine, keys, [player])
    assert (np.bitwise_count(rollout.legal).sum(1) >= 2).all()
    assert rollout.decisions > len(rollout)
    np.testing.assert_allclose(rollout.scores.sum(1), 0.0, atol=1e-4)
    cards = np.isin(rollout.phase, (Phase.PLAY, Phase.DISCARD))
    assert ((rollout.action < 54) == cards).all()
    again = collect(engine, keys[10:30], [player])
    np.testing.assert_array_equal(again.scores, rollout.scores[10:30])
    seating = np.zeros((64, 5), np.int64)
    seating[:, 1:] = 1
    alone = collect(engine, keys, [player, player], seating)
    np.testing.assert_array_equal(alone.scores, rollout.scores)
    mine = rollout.seat == 0
    np.testing.assert_array_equal(alone.action, rollout.action[mine])
    np.testing.assert_array_equal(alone.table, rollout.table[mine])


def test_pool_keeps_the_last_selves_and_seats_them_at_some_tables(engine: tarock_env.Engine) -> None:
    trainer = Trainer(SMALL, Path("unused"), engine)
    pool = Pool(engine, trainer.actor, replace(SMALL, pool_share=0.25), trainer.device)
    rng = np.random.default_rng(0)
    assert pool.draw(rng) is None
    for _ in range(5):
        pool.add(trainer.actor.state_dict())
    assert len(pool.members) == SMALL.pool_size
    assert pool.draw(rng) is not None
    seating = pool.seating(make_keys(4000, 1), rng)
    tables = seating[:, :4].any(axis=1)
    assert 0.2 < tables.mean() < 0.3
    seats = seating[tables, :4].sum(axis=1)
    assert set(seats) == {1, 2, 3}
    assert (seating[:, 4] == 0).all()


@pytest.mark.parametrize("ruleset, options, sits_out", [
    ("koenigrufen_pagat", {"table_size": 5}, True), ("koenigrufen_pagat", {}, False), ("tarok_furr_3p", {}, False),
])  # fmt: skip
def test_learner_and_opponent_have_seats_that_play(
    ruleset: str, options: dict[str, Any], sits_out: bool, tmp_path: Path
) -> None:
    engine = tarock_env.make(ruleset, **options)
    players = engine.ruleset.players
    assert (players < engine.P) == sits_out
    config = replace(SMALL, ruleset=ruleset, options=options, pool_share=1.0)
    trainer = Trainer(config, tmp_path, engine)
    pool = Pool(engine, trainer.actor, config, trainer.device)
    keys = make_keys(3000, 1)
    seating, plays = pool.seating(keys, np.random.default_rng(0)), np.ones((3000, engine.P), bool)
    if sits_out:
        plays[np.arange(3000), engine.reset(keys=keys)["dealer"]] = False
    theirs = (seating[:, : engine.P] * plays).sum(axis=1)
    assert ((theirs >= 1) & (theirs <= players - 1)).all()
    counts = np.bincount(theirs, minlength=players)[1:] / 3000
    np.testing.assert_allclose(counts, 1 / (players - 1), atol=0.05)
    assert not (seating[:, : engine.P] * ~plays).any()
    shares = seating[:, : engine.P].sum(axis=0) / plays.sum(axis=0)
    np.testing.assert_allclose(shares, 0.5, atol=0.05)  # every seat alike


def test_a_small_table_of_five_is_learned_from(tmp_path: Path) -> None:
    """One hand an iteration with the pool at each table: the learner always has something to decide."""
    engine = tarock_env.make("koenigrufen_pagat", table_size=5)
    config = replace(SMALL, options={"table_size": 5}, hands=1, shards=1, pool_share=1.0, width=8)
    Trainer(config, tmp_path, engine).run(40)
    decisions = [int(row["decisions"]) for row in rows(tmp_path)]
    assert len(decisions) == 40
    assert (np.diff([0, *decisions]) > 0).all()


@pytest.mark.parametrize("empty", [{0}, {2}, {0, 1, 4}])
def test_an_iteration_without_a_decision_is_passed_over(
    empty: set[int], engine: tarock_env.Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Stopped and resumed after each iteration it is the same run."""
    pool = replace(SMALL, pool_share=1.0, decisions=10_000)
    seating = Pool.seating

    def everywhere(self: Pool, keys: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        seats = seating(self, keys, rng)
        return np.ones_like(seats) if bytes(keys) in emptied else seats

    monkeypatch.setattr(Pool, "seating", everywhere)
    emptied = {bytes(make_keys(SMALL.hands, SMALL.seed, DEAL, i * SMALL.hands)) for i in empty}
    Trainer(pool, tmp_path / "whole", engine).run(6)
    decisions = [0, *(int(row["decisions"]) for row in rows(tmp_path / "whole"))]
    assert {i for i in range(6) if decisions[i + 1] == decisions[i]} == empty
    Trainer(pool, tmp_path / "parts", engine).run(1)
    for _ in range(5):
        resume(tmp_path / "parts", engine).run(1)
    assert_equal_runs(tmp_path / "whole", tmp_path / "parts")


@pytest.mark.parametrize(
    "values, message",
    [
        ({"minutes": 1, "hnds": 3}, "no setting 'hnds'"),
        ({"minutes": 1, "hands": "many"}, "hands is 'many'"),
        ({"minutes": 1, "hands": 0}, "hands is 0"),
        ({"minutes": 1, "hands": True}, "hands is True"),
        ({"minutes": 1, "decisions": 5}, "exactly one"),
        ({}, "exactly one"),
        ({"minutes": 1, "precision": "fp8"}, "precision is 'fp8'"),
        ({"minutes": float("nan")}, "minutes is nan"),
    ],
)
def test_bad_settings_are_refused_by_name(values: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        from_dict(values)


def test_resuming_nothing_is_one_clear_error(engine: tarock_env.Engine, tmp_path: Path) -> None:
    with pytest.raises(CheckpointError, match="cannot be read"):
        resume(tmp_path, engine)
