"""`tarock benchmark` and the manifest, on tiny sizes: what is reported, not how fast it is."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from experiments import benchmark, cli, manifest
from experiments.bench import games, page, processes, ratios, rows
from experiments.bench.clock import Size, Timed, has
from tarock_env import STATE

TINY = Size(batch=64, hands=8, steps=200, learned=64, sweep=(8, 16), wide=64, stream=(64, 256))


@pytest.fixture(autouse=True)
def tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(benchmark, "SIZE", TINY)
    monkeypatch.setattr(processes, "seconds", lambda code, cache=None: 2.0 if "import" in code else 0.5)


def report(capsys: pytest.CaptureFixture[str], *more: str) -> Any:
    assert cli.main(["benchmark", "--json", *more]) == 0
    return json.loads(capsys.readouterr().out)


def test_every_row_and_ratio_is_reported_with_its_runs(capsys: pytest.CaptureFixture[str]) -> None:
    told = report(capsys)
    found = {row["name"]: row for row in told["rows"]}
    assert list(found) == [row.name for row in rows.ROWS if has(row.needs)]
    for row in rows.ROWS:
        if row.name in found:
            assert len(found[row.name]["runs"]) == row.runs
            assert found[row.name]["unit"] == row.unit
            assert found[row.name]["value"] > 0 or row.unit == "MiB"
    assert found["memory of one game"]["value"] == STATE.itemsize <= 1024
    assert found["import tarock_env, kernels compiled"]["value"] == 1.5
    assert found["PPO self-play, 256 x 2, two threads"]["threads"] == 2
    assert found["PPO self-play, 256 x 2, one thread"]["decisions_per_hand"] < 60
    assert [ratio["name"] for ratio in told["ratios"]] == [ratio.name for ratio in ratios.own(TINY)]
    assert [one["label"] for one in told["ratios"][3]["contestants"]] == ["B = 8", "B = 16"]
    assert f"| {told['rows'][0]['name']} |" in page.tables(told)


def test_speeds_are_medians_of_at_least_three_runs() -> None:
    assert all(row.runs >= 3 for row in rows.ROWS if row.unit.endswith("/s"))
    assert all(ratio.runs >= 3 for ratio in (*ratios.own(), *ratios.PEERS))


def test_a_row_is_warmed_up_first_and_its_median_told() -> None:
    rates = iter([1e9, 5.0, 1.0, 3.0])
    row = rows.Row("a", "x/s", lambda engine, size: Timed(next(rates), wall=9.0, cpu=1.0, per_hand=2.5), runs=3)
    told = rows.measured(row, None, TINY)  # type: ignore[arg-type]
    assert (told["value"], told["runs"], told["decisions_per_hand"]) == (3.0, [5.0, 1.0, 3.0], 2.5)
    assert told["cores"] == pytest.approx(1 / 9)


def test_one_thread_is_timed_by_its_cpu_and_several_by_the_clock() -> None:
    assert Timed(12.0, wall=4.0, cpu=2.0).rate == 6.0
    assert Timed(12.0, wall=4.0, cpu=2.0, by_clock=True).rate == 3.0
    assert Timed(12.0, wall=4.0, cpu=8.0, threads=2).rate == 3.0


def test_what_was_measured_is_stated(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rows, "ROWS", tuple(row for row in rows.ROWS if row.measure is games.playout or row.slow))
    monkeypatch.setattr(ratios, "own", lambda size: ())
    told = report(capsys, "--quick", "--option", "kontra_max=5")
    assert told["threads"] == 1
    assert told["manifest"]["ruleset"]["options"] == {"kontra_max": 5}
    assert 20 < told["decisions_per_hand"] < told["uniform_decisions_per_hand"] < 300
    assert sum(told["contracts"].values()) == pytest.approx(1)
    assert [row["name"] for row in told["rows"]] == ["playout in the kernel, random policy, B = 4096"]
    assert told["rows"][0]["decisions_per_hand"] == told["decisions_per_hand"]
    assert set(told["machine"]) == {"cpu", "cores"}
    assert told["manifest"]["command_line"][0] == "tarock"


def test_rows_without_their_parts_are_left_out(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    some = (
        rows.Figure("a", "s", lambda engine, size: 1.0),
        rows.Figure("b", "s", lambda engine, size: 1.0, needs=("no_such_part",)),
        rows.Figure("c", "s", lambda engine, size: 1.0, needs=("no_such_part.of_it",)),
    )
    monkeypatch.setattr(rows, "ROWS", some)
    monkeypatch.setattr(ratios, "own", lambda size: ())
    assert [row["name"] for row in report(capsys)["rows"]] == ["a"]
    cli.main(["benchmark"])
    assert "one process, 1 thread" in capsys.readouterr().out


def test_simulating_is_measured_in_a_process_of_its_own() -> None:
    import tarock_env

    growth = processes.stream_growth(tarock_env.make("koenigrufen_pagat", kontra_max=5), TINY)
    assert -16 < growth < 16
    assert processes.grown(f"7 {7 + 2**21 // os.sysconf('SC_PAGE_SIZE')}\n") == 2


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
