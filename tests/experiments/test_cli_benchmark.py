"""`tarock benchmark` and the manifest, on tiny sizes: what is reported, not how fast it is."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from experiments import benchmark, cli, manifest, measures
from tarock_env import STATE


@pytest.fixture(autouse=True)
def tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measures, "B", 64)
    monkeypatch.setattr(measures, "HANDS", 8)
    monkeypatch.setattr(measures, "_seconds", lambda code, cache=None: 2.0 if "import" in code else 0.5)


def report(capsys: pytest.CaptureFixture[str], *more: str) -> Any:
    assert cli.main(["benchmark", "--json", *more]) == 0
    return json.loads(capsys.readouterr().out)


def test_every_row_is_reported_with_its_runs(capsys: pytest.CaptureFixture[str]) -> None:
    told = report(capsys)
    rows = {row["name"]: row for row in told["rows"]}
    assert list(rows) == [row.name for row in benchmark.ROWS if measures.has(row.needs)]
    for row in benchmark.ROWS:
        if row.name in rows:
            assert len(rows[row.name]["runs"]) == row.runs
            assert rows[row.name]["unit"] == row.unit
            assert rows[row.name]["value"] > 0
    assert rows["memory of one game"]["value"] == STATE.itemsize <= 1024
    assert rows["import tarock_env, kernels compiled"]["value"] == 1.5


def test_speeds_are_medians_of_at_least_three_runs() -> None:
    assert all(row.runs >= 3 for row in benchmark.ROWS if row.unit.endswith("/s"))


def test_what_was_measured_is_stated(capsys: pytest.CaptureFixture[str]) -> None:
    told = report(capsys, "--quick", "--option", "kontra_max=5")
    assert told["threads"] == 1
    assert told["manifest"]["ruleset"]["options"] == {"kontra_max": 5}
    assert 20 < told["decisions_per_hand"] < told["uniform_decisions_per_hand"] < 300
    assert sum(told["contracts"].values()) == pytest.approx(1)
    assert not [row for row in told["rows"] if row["name"].startswith("compile")]


def test_rows_without_their_parts_are_left_out(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    rows = (
        benchmark.Row("a", "s", lambda engine: 1.0),
        benchmark.Row("b", "s", lambda engine: 1.0, needs=("no_such_part",)),
    )
    monkeypatch.setattr(benchmark, "ROWS", rows)
    assert [row["name"] for row in report(capsys)["rows"]] == ["a"]
    cli.main(["benchmark"])
    assert "one process, 1 thread" in capsys.readouterr().out


def test_a_manifest_is_written_whole_and_read_again(tmp_path: Path) -> None:
    about = manifest.describe({"command": "test"})
    place = manifest.path_for(tmp_path / "data.csv")
    manifest.write(place, about)
    assert place.name == "data.csv.manifest.json"
    assert manifest.read(place) == about
    manifest.write(manifest.path_for(tmp_path), about, finished=True)
    assert set(manifest.read(tmp_path / "manifest.json") or {}) - set(about) == {"finished"}
    assert ("torch" in about["versions"]) == ("torch" in sys.modules)


@pytest.mark.parametrize("text", ["", "[]", '{"format": "other"}', "{"])
def test_what_is_no_manifest_is_none(text: str, tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_text(text)
    assert manifest.read(tmp_path / "manifest.json") is None
    assert manifest.read(tmp_path / "absent.json") is None
