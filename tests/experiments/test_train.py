"""`tarock train`: a run from the command line, its files, going on with it, bad input."""

from __future__ import annotations

import csv
import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from agents import base
from agents.ppo.config import from_dict, read
from experiments import train
from experiments.cli import build_parser, main

SMALL = [
    "--set",
    "hands=16",
    "--set",
    "width=16",
    "--set",
    "evaluation_deals=4",
    "--set",
    "evaluations=2",
    "--set",
    "log_every=1",
]
CONFIGS = Path(train.__file__).parent / "configs"


def rows(folder: Path) -> list[dict[str, str]]:
    with (folder / "log.csv").open(newline="") as file:
        return list(csv.DictReader(file))


def test_a_run_and_its_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "run"
    assert main(["train", "--decisions", "1500", "--seed", "5", "--out", str(out), "--option", "kontra_max=5", *SMALL]) == 0
    assert f"ppo:{out}" in capsys.readouterr().out
    assert {"policy.safetensors", "policy.json", "training.safetensors", "log.csv", "manifest.json"} <= {
        path.name for path in out.iterdir()
    }
    manifest = json.loads((out / "manifest.json").read_text())
    assert manifest["settings"]["options"] == {"kontra_max": 5}
    assert manifest["ruleset"]["id"] == "koenigrufen_pagat"
    assert "torch" in manifest["versions"]
    log = rows(out)
    for name in train.OPPONENTS:
        assert float(log[-1][f"versus_{name}_low"]) <= float(log[-1][f"versus_{name}"])
    assert sum(float(value) for name, value in log[-1].items() if name.startswith("share_")) == pytest.approx(1, abs=1e-3)
    assert float(log[-1]["entropy_play"]) > 0
    assert main(["train", "--resume", "--out", str(out), "--decisions", "3000"]) == 0
    assert int(rows(out)[-1]["decisions"]) >= 3000
    assert rows(out)[-1]["versus_random"] != ""
    assert int(rows(out)[-1]["iteration"]) == len(rows(out))
    assert main(["evaluate", f"ppo:{out}", "random", "--ruleset", "koenigrufen_pagat", "--deals", "4"]) == 0


def test_a_run_is_not_overwritten(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["train", "--decisions", "100", "--out", str(tmp_path), *SMALL]
    assert main(words) == 0
    before = (tmp_path / "policy.safetensors").read_bytes()
    assert main(words) == 2
    assert "--resume" in capsys.readouterr().err
    assert (tmp_path / "policy.safetensors").read_bytes() == before


def contents(folder: Path) -> dict[str, bytes]:
    """All files in a folder."""
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def test_a_run_that_appears_before_the_lock_is_got_is_not_overwritten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["train", "--decisions", "100", "--out", str(tmp_path), *SMALL]
    make, seen = train.make_trainer, []

    def slow(*arguments: Any, **more: Any) -> Any:
        trainer = make(*arguments, **more)
        monkeypatch.setattr(train, "make_trainer", make)
        assert main([*words, "--seed", "7"]) == 0
        seen.append(contents(tmp_path))
        return trainer

    monkeypatch.setattr(train, "make_trainer", slow)
    assert main([*words, "--seed", "8"]) == 2
    assert "--resume" in capsys.readouterr().err
    assert seen == [contents(tmp_path)]


def test_resume_reads_the_state_under_the_lock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    words = ["train", "--resume", "--out", str(tmp_path), "--decisions"]
    assert main(["train", "--decisions", "100", "--out", str(tmp_path), *SMALL]) == 0
    holding = train.locks.holding

    def late(*arguments: Any) -> Any:
        monkeypatch.setattr(train.locks, "holding", holding)
        assert main([*words, "3000"]) == 0
        return holding(*arguments)

    monkeypatch.setattr(train.locks, "holding", late)
    assert main([*words, "1000"]) == 0
    assert json.loads((tmp_path / "training.json").read_text())["counters"]["decisions"] >= 3000


@pytest.mark.parametrize("path", sorted(CONFIGS.glob("*.json")), ids=lambda path: path.name)
def test_shipped_configs_are_valid(path: Path) -> None:
    from_dict(read(path))


@pytest.mark.parametrize(
    "words, message",
    [
        (["--ruleset", "bridge"], "bridge"),
        (["--set", "hnds=3"], "hnds"),
        (["--set", "hands=0"], "hands"),
        (["--set", "hands"], "NAME=VALUE"),
        (["--minutes", "1", "--decisions", "5"], "not allowed with"),
        (["--minutes", "-1"], "minutes"),
        (["--config", "nowhere.json"], "nowhere.json"),
        (["--resume"], "training.safetensors"),
        (["--resume", "--set", "lr=0.1"], "settings"),
        (["--option", "kontra_max=99"], "kontra_max"),
    ],
)
def test_bad_input_is_one_line(words: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "run"
    assert main(["train", "--out", str(out), *words]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1
    assert not out.exists()


def test_the_config_file_decides_what_is_not_given(tmp_path: Path) -> None:
    path = tmp_path / "config.json"
    path.write_text('{"ruleset": "slovenian_3p", "seed": 8, "hands": 10, "minutes": 2}')
    parser = build_parser("train")
    words = ["train", "--out", "x", "--config", str(path)]
    config = train.config_of(parser.parse_args(words))
    assert (config.ruleset, config.seed, config.hands, config.minutes) == ("slovenian_3p", 8, 10, 2)
    config = train.config_of(parser.parse_args([*words, "--seed", "9", "--decisions", "5", "--set", "hands=11"]))
    assert (config.seed, config.hands, config.minutes, config.decisions) == (9, 11, 0, 5)


def test_ctrl_c_stops_after_the_iteration_and_the_run_goes_on(tmp_path: Path) -> None:
    out = str(tmp_path)
    process = subprocess.Popen(
        [sys.executable, "-m", "experiments", "train", "--decisions", "100000000", "--out", out, *SMALL],
        cwd=CONFIGS.parents[1], stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    while not (tmp_path / "log.csv").is_file() or len((tmp_path / "log.csv").read_text().splitlines()) < 3:
        assert process.poll() is None
        time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    assert "--resume" in process.communicate(timeout=60)[0]
    assert process.returncode == 130
    done = int(rows(tmp_path)[-1]["decisions"])
    assert main(["train", "--resume", "--out", out, "--decisions", str(done + 500)]) == 0


def test_unknown_device_is_refused(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    if torch.cuda.is_available():
        pytest.skip("there is a GPU")
    assert main(["train", "--out", str(tmp_path / "run"), "--device", "cuda"]) == 2


def test_opponents_exist() -> None:
    assert set(train.OPPONENTS) <= {form.split(":")[0] for form in base.available()}
