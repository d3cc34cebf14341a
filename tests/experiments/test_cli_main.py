"""The command line as a whole: help, exit codes, one line for bad input."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

import tarock_env
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


WITH_RULESET = ("simulate", "evaluate", "train", "demo", "benchmark")


def test_commands_with_a_ruleset() -> None:
    """Those of the next tests are all there are."""
    found = []
    for name, (module, _) in cli.COMMANDS.items():
        parser = cli.Parser()
        importlib.import_module(module).add_arguments(parser)
        found += [name] if any("--ruleset" in action.option_strings for action in parser._actions) else []
    assert sorted(found) == sorted(WITH_RULESET)


@pytest.mark.parametrize("command", WITH_RULESET)
def test_a_misspelt_ruleset_is_told_before_what_is_missing(
    command: str, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert cli.main([command, "--ruleset", "koenigrufn"]) == 2
    assert capsys.readouterr().err == (
        "tarock: argument --ruleset: no ruleset 'koenigrufn'; available: "
        f"{', '.join(tarock_env.available())}; see `tarock {command} --help`\n"
    )
    assert list(tmp_path.iterdir()) == []


STRAYS: dict[str, tuple[list[str], str]] = {
    "simulate": (["koenigrufn"], "the following arguments are required: --ruleset, --agents, --hands, --out"),
    "evaluate": (["random", "heuristic", "koenigrufn"], "the following arguments are required: --ruleset"),
}


@pytest.mark.parametrize("command", STRAYS)
def test_a_word_that_means_nothing_is_told_before_what_is_missing(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    words, missing = STRAYS[command]
    allowed = f"(--ruleset is one of {', '.join(tarock_env.available())})"
    assert cli.main([command, *words]) == 2
    assert capsys.readouterr().err == (
        f"tarock: unrecognized arguments: koenigrufn {allowed}; {missing}; see `tarock {command} --help`\n"
    )


def test_what_may_stand_for_the_ruleset_is_told_only_where_that_is_missing(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["train", "koenigrufn"]) == 2
    told = "unrecognized arguments: koenigrufn; the following arguments are required: --out; see `tarock train --help`"
    assert capsys.readouterr().err == f"tarock: {told}\n"
    assert cli.main([*SIMULATE[:3], "pagat"]) == 2
    missing = "the following arguments are required: --agents, --hands, --out; see `tarock simulate --help`"
    assert capsys.readouterr().err == f"tarock: unrecognized arguments: pagat; {missing}\n"


def test_looking_for_wrong_words_does_not_change_the_parser() -> None:
    parser = cli.build_parser("evaluate")
    for words in (["random"], ["random", "skat"], ["random", "heuristic", "skat"], ["random"]):
        with pytest.raises(cli.UsageError, match="the following arguments are required: "):
            parser.parse_args(["evaluate", *words])
    with pytest.raises(cli.UsageError) as missing:
        parser.parse_args(["evaluate", "random"])
    assert str(missing.value) == "the following arguments are required: SPEC, --ruleset; see `tarock evaluate --help`"


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
