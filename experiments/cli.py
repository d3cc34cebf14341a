"""The command line `tarock`: finds the command's module, parses its arguments, turns bad input into one line.

A command is a module with ``NAME``, ``HELP``, ``add_arguments(parser)`` and ``run(args) -> int``. It is imported only when
it is called, so `tarock --help` needs no kernel and no torch.

Exit codes: 0 done, 1 the command found what it looks for (disagreements, say), 2 bad input, 130 interrupted. Set
``TAROCK_TRACEBACK=1`` to see where an error comes from.
"""

from __future__ import annotations

import argparse
import importlib
import io
import os
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

#: command -> (module, one line of help)
COMMANDS: dict[str, tuple[str, str]] = {
    "rulesets": ("experiments.rulesets", "list the rulesets"),
    "rules": (
        "experiments.rules",
        "the rules of one ruleset as a Markdown page: contracts, bonuses, options, actions, observation",
    ),
    "demo": ("experiments.demo", "a guided tour: train, evaluate, show a hand"),
    "simulate": ("experiments.simulate", "let agents play hands and write records"),
    "verify": ("experiments.verify", "replay records and compare all they say"),
    "train": ("experiments.train", "train an agent by self-play"),
    "evaluate": ("experiments.evaluate", "two agents on duplicate deals, with intervals"),
    "benchmark": ("experiments.benchmark", "measure speed, memory and compile time on this machine"),
    "warm": ("experiments.warm", "compile all kernels now, so that later calls start at once"),
}

#: packages that an extra brings
EXTRAS = {"torch": "train", "safetensors": "train", "matplotlib": "train", "rich": "train", "pyarrow": "data"}

MISUSE, INTERRUPTED = 2, 130


class UsageError(ValueError):
    """Arguments that the command line does not allow."""


class Parser(argparse.ArgumentParser):
    """A parser whose errors are raised instead of printed with the usage.

    Where something is missing, words that it does not understand are told first: one of them may be what is missed, as in
    `tarock simulate koenigrufen_pagat`.
    """

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message}; see `{self.prog} --help`")

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """The namespace and the words that are left."""
        try:
            return super().parse_known_args(args, namespace)
        except UsageError as error:
            strays, hints = self._without_need(args)
            if not strays:
                raise
            raise UsageError(f"unrecognized arguments: {' '.join(strays + hints)}; {error}") from None

    def _without_need(self, words: Any) -> tuple[list[str], list[str]]:
        """The words that are left if nothing is required, and what a missing ruleset may be."""
        needed = [action for action in self._actions if action.required]
        for action in needed:
            action.required = False
        try:
            found, strays = super().parse_known_args(words)
        except UsageError:
            return [], []
        finally:
            for action in needed:
                action.required = True
        asked = [action for action in needed if action.dest == "ruleset" and found.ruleset is None]
        return strays, [f"(--ruleset is {action.help})" for action in asked]


class Version(argparse.Action):
    """``--version``; asks the package only when it is used."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        from tarock_env import __version__

        print(f"tarock-env {__version__}")
        parser.exit()


def build_parser(chosen: str | None = None) -> Parser:
    """The parser of all commands; only the chosen one is imported and gets its arguments."""
    parser = Parser(prog="tarock", description="A research environment for Tarock card games.", allow_abbrev=False)
    parser.add_argument("--version", action=Version, nargs=0, help="show the version and exit")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", parser_class=Parser)
    for name, (module, text) in COMMANDS.items():
        sub = commands.add_parser(name, help=text, description=text[:1].upper() + text[1:] + ".", allow_abbrev=False)
        if name == chosen:
            importlib.import_module(module).add_arguments(sub)
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; its exit code."""
    words = list(sys.argv[1:] if argv is None else argv)
    _allow_any_letter()
    try:
        return _run(words)
    except (ValueError, OSError, ModuleNotFoundError) as error:
        if os.environ.get("TAROCK_TRACEBACK"):
            raise
        return _report(error)
    except KeyboardInterrupt:
        print("tarock: interrupted", file=sys.stderr)
        return INTERRUPTED


def _allow_any_letter() -> None:
    """Escape what the terminal has no letter for, such as in names of files that are no text, instead of failing."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")


def _run(words: list[str]) -> int:
    chosen = next((word for word in words if not word.startswith("-")), None)
    parser = build_parser(chosen)
    try:
        args = parser.parse_args(words)
    except SystemExit as stop:  # --help, --version
        return int(stop.code or 0)
    if args.command is None:
        parser.print_help(sys.stderr)
        return MISUSE
    command: Any = importlib.import_module(COMMANDS[args.command][0])
    code = int(command.run(args))
    sys.stdout.flush()
    return code


def _report(error: Exception) -> int:
    if isinstance(error, BrokenPipeError):  # the reader of a pipe has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    message = " ".join(str(error).split()) or type(error).__name__
    if isinstance(error, ModuleNotFoundError):
        if error.name not in EXTRAS:
            raise error
        message = f"this command needs {error.name}: pip install 'tarock-env[{EXTRAS[error.name]}]'"
    elif isinstance(error, OSError) and error.filename is not None:
        message = f"{error.filename}: {error.strerror}"
    from tarock_env.rulesets.shown import printable  # not before it is needed: the package imports NumPy

    print(f"tarock: {printable(message)}", file=sys.stderr)
    return MISUSE
