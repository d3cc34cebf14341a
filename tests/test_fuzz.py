"""The fuzzer: a sample of rounds, how it shrinks a disagreement, and every disagreement ever found."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests import fuzz
from tests.check import ROOT, run_task

REGRESSIONS = sorted(fuzz.REGRESSIONS.glob("*.json"))


@pytest.mark.parametrize("number", range(6))
def test_rounds_agree(number: int) -> None:
    task = fuzz.draw_task(number, seed=99)
    counts, records = run_task(task)
    assert [record["differences"] for record in records] == []
    assert counts["hands"] >= task.hands


@pytest.mark.parametrize("path", REGRESSIONS, ids=lambda path: path.stem)
def test_what_was_found_once_is_right_now(path: Path) -> None:
    assert fuzz.disagreement(json.loads(path.read_text(encoding="utf-8"))) is None


def first_record(ruleset: str) -> dict[str, Any]:
    line = (ROOT / f"tests/cases/records/{ruleset}.jsonl").read_text(encoding="utf-8").splitlines()[0]
    record: dict[str, Any] = json.loads(line)
    return record


def test_agreeing_hands_have_no_disagreement() -> None:
    assert fuzz.disagreement(first_record("koenigrufen_pagat")) is None


def test_a_disagreement_is_made_small() -> None:
    """With a comparison that objects to one option and to the twentieth decision, only those are left."""
    record = first_record("koenigrufen_pagat") | {
        "options": {"kontra_max": 5, "birds": 2, "early_stop": False},
        "before": {"scores": [1, 2, 3, 4], "rings": [0] * 4, "compulsory": None},
    }

    def objects(candidate: Mapping[str, Any]) -> tuple[int, str] | None:
        return (20, "wrong") if candidate["options"].get("birds") == 2 and len(candidate["actions"]) >= 20 else None

    small = fuzz.shrink(record, objects)
    assert small["options"] == {"birds": 2}
    assert small["actions"] == record["actions"][:20]
    assert "before" not in small
    assert "scores" not in small


def test_counts_go_on_from_call_to_call(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert fuzz.fuzz(1e-9, seed=5, processes=1, folder=tmp_path) == 0
    (tmp_path / "counts.json").write_text(json.dumps({"rounds": {"5": 3}, "contracts": {"x": {"y": 2}}, "wrong": 0}))
    assert fuzz.fuzz(1e-9, seed=5, processes=1, folder=tmp_path) == 0
    assert "2 hands in all, 0 disagreements" in capsys.readouterr().out
