"""The command line as a whole: help, exit codes, one line for bad input."""

from __future__ import annotations

import importlib
import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

from experiments import cli

ROOT = Path(__file__).parents[2]
SIMULATE = ["simulate", "--ruleset", "koenigrufen_pagat", "--agents", "random", "--hands", "3", "--out", "never.jsonl"]


def outside(*words: str, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """The command line in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "experiments", *words], cwd=cwd, capture_output=True, text=True, env=environment()
    )


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT)}


def test_help_needs_no_kernel() -> None:
    code = "import sys; from experiments import cli; cli.main(['--help']); print({'numba', 'torch'} & set(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, env=environment(), check=True
    )
    assert done.stdout.endswith("set()\n")
    assert "simulate" in done.stdout
    assert "verify" in done.stdout


def test_every_listed_command_has_the_four_names() -> None:
    for name, (module, text) in cli.COMMANDS.items():
        if importlib.util.find_spec(module) is not None:
            command = importlib.import_module(module)
            assert name == command.NAME
            assert text == command.HELP
            assert callable(command.add_arguments)
            assert callable(command.run)


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["--version"]) == 0
    assert capsys.readouterr().out.startswith("tarock-env ")


def test_without_a_command_the_help_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main([]) == 2
    assert "COMMAND" in capsys.readouterr().err


def replaced(name: str, value: str) -> list[str]:
    words = list(SIMULATE)
    words[words.index(name) + 1] = value
    return words


BAD: dict[str, tuple[list[str], str]] = {
    "command": (["dance"], "invalid choice: 'dance'"),
    "missing argument": (SIMULATE[:-2], "--out"),
    "unknown argument": ([*SIMULATE, "--fast"], "unrecognized arguments: --fast"),
    "abbreviated argument": ([*SIMULATE, "--leg"], "unrecognized arguments: --leg"),
    "ruleset": (replaced("--ruleset", "skat"), "no ruleset 'skat'; available: koenigrufen_pagat"),
    "option": ([*SIMULATE, "--option", "stakes=3"], "has no option 'stakes'; it has: table_size = 4 | 5"),
    "option value": ([*SIMULATE, "--option", "kontra_max=4"], "kontra_max = 4; allowed: "),
    "option type": ([*SIMULATE, "--option", "forehand_may_pass=yes"], "forehand_may_pass = 'yes'; allowed: false | true"),
    "option named name": ([*SIMULATE, "--option", "name=1"], "has no option 'name'"),
    "option form": ([*SIMULATE, "--option", "kontra_max"], "'kontra_max'; allowed: NAME=VALUE"),
    "hands": (replaced("--hands", "0"), "'0'; allowed: a whole number of at least 1"),
    "hands text": (replaced("--hands", "many"), "'many'; allowed: a whole number of at least 1"),
    "seed": ([*SIMULATE, "--seed", "-1"], "'-1'; allowed: a whole number in 0 … 18446744073709551615"),
    "seed too large": ([*SIMULATE, "--seed", str(1 << 64)], "allowed: a whole number in 0 …"),
    "auction": ([*SIMULATE, "--auction", "dutch"], "invalid choice: 'dutch'"),
    "no agent": (replaced("--agents", "random,"), "'random,'; allowed: SPEC[,SPEC…]"),
    "too many agents": (replaced("--agents", "random,random,random,random,random"), "5 agents"),
    "file": (["verify", "no/such/file.jsonl"], "no/such/file.jsonl: No such file or directory"),
    "folder": (["verify", "."], ".: Is a directory"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_is_one_line_and_exit_code_2(
    name: str, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    words, message = BAD[name]
    assert cli.main(words) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith("tarock: ")
    assert message in printed.err
    assert printed.err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_the_process_ends_without_a_traceback() -> None:
    done = outside("rules", "whist")
    assert done.returncode == 2
    assert done.stderr.startswith("tarock: ")
    assert "Traceback" not in done.stderr


def test_errors_can_be_traced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TAROCK_TRACEBACK", "1")
    with pytest.raises(FileNotFoundError):
        cli.main(["verify", "no/such/file.jsonl"])


def test_a_reader_that_stops_is_no_error() -> None:
    command = f"'{sys.executable}' -m experiments rulesets --json | true"
    done = subprocess.run(["bash", "-c", command], cwd=ROOT, capture_output=True, text=True, env=environment())
    assert done.stderr == ""
