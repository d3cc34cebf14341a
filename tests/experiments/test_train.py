"""`tarock train`: a run from the command line, its files, going on with it, bad input."""

from __future__ import annotations

import csv
import json
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from agents import base
from agents.ppo import checkpoint
from agents.ppo.config import from_dict, read
from experiments import locks, train
from experiments.cli import build_parser, main
from tarock_env import Engine, load

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
DROP = "(drop)"
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
    holding = locks.holding

    def late(*arguments: Any) -> Any:
        monkeypatch.setattr(locks, "holding", holding)
        assert main([*words, "3000"]) == 0
        return holding(*arguments)

    monkeypatch.setattr(locks, "holding", late)
    assert main([*words, "1000"]) == 0
    assert json.loads((tmp_path / "training.json").read_text())["counters"]["decisions"] >= 3000


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small run with a pool."""
    out = tmp_path_factory.mktemp("finished")
    assert main(["train", "--decisions", "300", "--out", str(out), "--set", "pool_every=1", *SMALL]) == 0
    return out


def edited(
    run: Path, folder: Path, header: dict[str, Any] | None = None, tensors: Mapping[str, np.ndarray | None] | None = None
) -> Path:
    """A copy of a run whose training state has other values in its header or other arrays; DROP takes a key out."""
    folder = shutil.copytree(run, folder / "edited")
    arrays, old = checkpoint.read(run / "training.safetensors", checkpoint.TRAINING)
    for name, value in (header or {}).items():
        *outer, last = name.split(".")
        place = old
        for key in outer:
            place = place[key]
        place.pop(last, None)
        if value is not DROP:
            place[last] = value
    for name, array in (tensors or {}).items():
        arrays.pop(name, None)
        if array is not None:
            arrays[name] = array
    checkpoint.write(folder / "training.safetensors", checkpoint.TRAINING, arrays, old)
    return folder


def assert_refused(folder: Path, words: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    """Going on with a run is one line of error that names file and reason, and changes nothing."""
    before = contents(folder)
    capsys.readouterr()
    assert main(["train", "--resume", "--decisions", "100000", "--out", str(folder)]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    for word in ("training.safetensors", "allowed", *words):
        assert word in error or (word == "allowed" and "available" in error)
    assert contents(folder) == before


KEYS = ("ruleset", "layout", "actions", "options", "width", "depth", "counters", "config", "precision", "values", "members")
WRONG: tuple[Any, ...] = (DROP, None, [], {}, "x", -1, 1e300, True, float("nan"), 10**400)


@pytest.mark.parametrize("name", KEYS)
def test_state_with_a_wrong_key_is_refused(
    name: str, finished: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for i, value in enumerate(WRONG):
        if (name, value) == ("options", {}):
            continue
        word = {"layout": "layout", "actions": "actions"}.get(name, name)
        folder = edited(finished, tmp_path / str(i), {name: value})
        if name in ("layout", "actions", "ruleset") and value == "x":
            assert main(["train", "--resume", "--out", str(folder)]) == 2
            assert "'x'" in capsys.readouterr().err
            continue
        assert_refused(folder, ("NaN" if value is WRONG[8] else word,), capsys)


@pytest.mark.parametrize(
    "header, word",
    [
        ({"members": 1_000}, "members"),
        ({"counters.hands": -5}, "hands"),
        ({"counters.hands": "x"}, "hands"),
        ({"counters.hands": 7}, "hands"),
        ({"counters.iteration": DROP}, "counters"),
        ({"counters.more": 1}, "counters"),
        ({"counters.seconds": float("nan")}, "NaN"),
        ({"counters.seconds": float("inf")}, "Infinity"),
        ({"counters.evaluations": 99}, "evaluations"),
        ({"values": ["a", "b", "c"]}, "values"),
        ({"values": [float("nan")] * 3}, "NaN"),
        ({"values": [0.0, -1.0, 0.5]}, "values"),
        ({"values": [0.0, 1.0]}, "values"),
        ({"log.sums": {"kl": [10**400]}}, "sums of kl"),
        ({"log.sums": {"kl": [1e308, 1e308]}}, "sums of kl"),
        ({"log.phases": [[float("nan")] * 11] * 2}, "NaN"),
        ({"config.nope": 1}, "nope"),
        ({"config.width": 17}, "width"),
        ({"config.hands": "many"}, "hands"),
        ({"config.lr": float("nan")}, "NaN"),
        ({"config.evaluation_deals": DROP}, "evaluation_deals"),
        ({"options": {"nope": 1}}, "nope"),
        ({"options": {"name": 1}}, "name"),
    ],
    ids=str,
)
def test_state_with_a_wrong_value_is_refused(
    header: dict[str, Any], word: str, finished: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = edited(finished, tmp_path, header)
    if "options" in header:
        assert main(["train", "--resume", "--out", str(folder)]) == 2
        assert word in capsys.readouterr().err
    else:
        assert_refused(folder, (word,), capsys)


@pytest.mark.parametrize("value", ["nan", "inf", "-inf", "shape", "dtype", "missing"])
@pytest.mark.parametrize("name", ["actor.last.bias", "critic.first.weight", "optimiser.3.exp_avg", "optimiser.2.step",
                                  "pool.0.hidden.0.weight"])  # fmt: skip
def test_state_with_a_wrong_array_is_refused(
    name: str, value: str, finished: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    array = checkpoint.read(finished / "training.safetensors", checkpoint.TRAINING)[0][name].copy()
    if value in ("nan", "inf", "-inf"):
        array.flat[-1] = float(value)
    others: dict[str, np.ndarray | None] = {
        "shape": np.zeros(3, np.float32), "dtype": array.astype(np.float64), "missing": None,
    }  # fmt: skip
    changed = others.get(value, array)
    assert_refused(edited(finished, tmp_path, tensors={name: changed}), (name,), capsys)


def test_state_with_arrays_that_fit_nothing_is_refused(
    finished: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arrays = checkpoint.read(finished / "training.safetensors", checkpoint.TRAINING)[0]
    none = {name: None for name in arrays if name.startswith("optimiser.")}
    assert_refused(edited(finished, tmp_path / "a", tensors=none), ("optimiser",), capsys)
    assert_refused(edited(finished, tmp_path / "b", {"members": 0}), ("pool.0",), capsys)
    negative = {"optimiser.0.exp_avg_sq": arrays["optimiser.0.exp_avg_sq"] - 1}
    assert_refused(edited(finished, tmp_path / "c", tensors=negative), ("optimiser.0.exp_avg_sq",), capsys)


def test_a_run_stopped_before_its_first_step_goes_on(tmp_path: Path) -> None:
    config = train.config_of(build_parser("train").parse_args(["train", "--decisions", "300", "--out", "x", *SMALL]))
    train.make_trainer(config, tmp_path, Engine(load(config.ruleset))).run(0)
    assert main(["train", "--resume", "--out", str(tmp_path)]) == 0


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
        (["--resume", "--seed", "0"], "seed"),
        (["--resume", "--minutes", "0"], "training.safetensors"),
        (["--minutes", "0"], "minutes is 0"),
        (["--minutes", "nan"], "minutes is nan"),
        (["--minutes", "1", "--set", "minutes=1e999"], "minutes is '1e999'"),
        (["--minutes", "1", "--set", "decisions=x"], "decisions is 'x'"),
        (["--decisions", "9", "--set", "seed=-1", "--seed", "3"], "seed is -1"),
        (["--decisions", "9", "--set", "width=4", "--set", "width=8"], "--set: width is given more than once"),
        (["--set", "options=" + "[" * 100_000], "options"),
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


@pytest.mark.parametrize(
    "text, message",
    [
        ('{"width": 0}', "width is 0"),
        ('{"width": 4, "width": 8}', "'width' stands twice in an object"),
        ('{"lr": NaN}', "NaN is no JSON number"),
        ('{"minutes": 1e999}', "1e999 is too large"),
        ('{"options": ' + "[" * 900 + "]" * 900 + "}", "nested too deep"),
        ('{"seed": ' + "9" * 5000 + "}", "Exceeds the limit"),
        ("\udcff", "codec can't decode"),
        ("[]", "a JSON object"),
    ],
)
def test_a_bad_config_file_is_one_line(text: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "config.json"
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    assert main(["train", "--out", str(tmp_path / "run"), "--config", str(path), "--set", "width=8"]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1
    assert len(error) < 500


def test_a_config_file_nested_too_deeply_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "deep.json"
    path.write_text("[" * 100_000)
    assert main(["train", "--out", str(tmp_path / "run"), "--config", str(path)]) == 2
    error = capsys.readouterr().err
    assert "deep.json" in error
    assert error.count("\n") == 1


def test_no_budget_is_half_an_hour() -> None:
    assert train.config_of(build_parser("train").parse_args(["train", "--out", "x"])).minutes == 30.0


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
