"""A sample of ``./run check``: engine against referee in every ruleset and option value; and the command itself."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

import tarock_env
from tarock_env.cards import CODES
from tarock_env.codes import SessionEnd
from tests import check
from tests.lockstep import describe_deal
from tests.reference.replay import check_record

HANDS, OPTION_HANDS, MIXED_HANDS, SESSIONS = 500, 24, 150, 20
SEED = 2
ONLY_DEFAULTS = ("--options-hands", "0", "--mixed-hands", "0", "--sessions", "0")


@pytest.mark.parametrize("ruleset", tarock_env.available())
def test_engine_and_referee_agree(ruleset: str) -> None:
    contracts: Counter[str] = Counter()
    for task in check.plan([ruleset], HANDS, 0, 0, 0, SEED):
        counts, records = check.run_task(task)
        assert [record["differences"] for record in records] == []
        contracts.update(counts["contracts"])
    assert set(contracts) >= {contract.id for contract in tarock_env.load(ruleset).contracts}


@pytest.mark.parametrize("ruleset", tarock_env.available())
def test_engine_and_referee_agree_under_every_option(ruleset: str) -> None:
    tasks = check.plan([ruleset], 0, OPTION_HANDS, MIXED_HANDS, 0, SEED)
    wrong = {}
    for task in tasks:
        _, records = check.run_task(task)
        if records:
            wrong[task.options] = records[0]["differences"]
    assert wrong == {}
    options = {option.name for option in tarock_env.load(ruleset).options if len(option.values) > 1}
    assert options <= {task.option for task in tasks}


@pytest.mark.parametrize("ruleset", tarock_env.available())
def test_engine_and_referee_agree_over_sessions(ruleset: str) -> None:
    length = 1 if tarock_env.load(ruleset).session.end == SessionEnd.MATCH else 20
    for task in check.plan([ruleset], 0, 0, 0, SESSIONS, SEED):
        counts, records = check.run_task(task)
        assert [record["differences"] for record in records] == []
        assert counts["hands"] >= length * task.hands


def test_the_command_goes_on_where_it_stopped(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = [
        "--ruleset",
        "koenigrufen_pagat",
        "--hands",
        "300",
        "--options-hands",
        "0",
        "--mixed-hands",
        "0",
        "--sessions",
        "0",
    ]
    arguments += ["--processes", "1", "--folder", str(tmp_path)]
    assert check.main(arguments) == 0
    first = capsys.readouterr()
    assert "koenigrufen_pagat: 330 hands" in first.out
    assert "4/4 batches" in first.err
    lines = (tmp_path / "progress.jsonl").read_text().splitlines()
    (tmp_path / "progress.jsonl").write_text("\n".join(lines[:2]) + "\n" + lines[2][:40])
    assert check.main(arguments) == 0
    second = capsys.readouterr()
    assert "2/2 batches" in second.err
    assert second.out == first.out


def test_a_disagreement_is_kept_as_a_record(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(check, "differences", lambda trace, i: ["made up"] if i == 3 else [])
    arguments = [
        "--ruleset",
        "koenigrufen_pagat",
        "--hands",
        "20",
        "--options-hands",
        "0",
        "--mixed-hands",
        "0",
        "--sessions",
        "0",
    ]
    assert check.main([*arguments, "--processes", "1", "--folder", str(tmp_path)]) == 1
    assert "1 disagreements" in capsys.readouterr().out
    (record,) = [json.loads(line) for line in (tmp_path / "disagreements.jsonl").read_text().splitlines()]
    assert record["differences"] == ["made up"]
    assert len(record["legal"]) == len(record["actions"]) == len(record["seats"])
    assert check_record(record) == []


def test_bad_numbers_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in (["--hands", "-1"], ["--processes", "0"], ["--ruleset", "whist"]):
        with pytest.raises(SystemExit, match="2"):
            check.main(arguments)
    assert "koenigrufen_pagat" in capsys.readouterr().err


def test_a_false_score_a_false_legal_set_and_a_false_actor_are_noticed() -> None:
    """The comparison itself: each of three falsifications of an engine's trace is found."""
    task = check.plan(["koenigrufen_pagat"], 40, 0, 0, 0, SEED)[0]
    engine = tarock_env.make(task.ruleset)
    rng = np.random.default_rng(1)
    trace = check.play(engine, check.deal_batch(task, engine, rng), "balanced", check.draw_styles(40, rng), rng)
    assert all(check.differences(trace, i) == [] for i in range(40))
    trace.end["scores"][0, 0] += 1
    trace.calls[1, 1] = 0
    trace.actors[2, 2] += 1
    trace.end["item_contra"][3, 0] += 1
    found = [check.differences(trace, i) for i in range(5)]
    assert found[0][0].startswith("scores: engine")
    assert found[1][0].startswith("decision 1, seat ")
    assert found[2][0].startswith("decision 2: engine seat")
    assert any(text.startswith("item ") for text in found[3])
    assert found[4] == []


def test_a_knock_deal_is_described_for_the_referee() -> None:
    engine = tarock_env.make("koenigrufen_pagat", knock="agent")
    deal = describe_deal(engine, engine.reset(1, seed=1)[0])
    cards = sorted(card for packet in deal["knock_deal"]["packets"] for card in packet) + deal["knock_deal"]["talon"]
    assert sorted(cards) == sorted(CODES)
