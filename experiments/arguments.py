"""Arguments that several commands share: the game that is played, whole numbers, agents."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable
from typing import Any

from tarock_env.engine.batch import Engine
from tarock_env.record.strict import DEEPEST, NestedError, loads
from tarock_env.rulesets import RulesetError, available, load
from tarock_env.rulesets.options import choose

SEED_BOUND = 1 << 64


def whole(least: int, below: int | None = None) -> Callable[[str], int]:
    """An argument type: a whole number in `least` … `below` - 1."""

    def parse(text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            value = least - 1
        if value < least or (below is not None and value >= below):
            bound = f"of at least {least}" if below is None else f"in {least} … {below - 1}"
            raise argparse.ArgumentTypeError(f"{text!r}; allowed: a whole number {bound}")
        return value

    return parse


def ruleset(text: str) -> str:
    """An argument type: the id of a ruleset. Refused here, an id that there is not is told before whatever is missing."""
    try:
        return load(text).id
    except RulesetError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def option(text: str) -> tuple[str, Any]:
    """An argument type: ``NAME=VALUE``. The value is JSON (5, true, "text") or, where it is none, the text itself."""
    name, equals, value = text.partition("=")
    if not (name and equals):
        raise argparse.ArgumentTypeError(f"{text!r}; allowed: NAME=VALUE")
    try:
        return name, loads(value)
    except NestedError:
        raise argparse.ArgumentTypeError(f"{text[:40]!r}… is nested too deep; allowed: {DEEPEST} deep") from None
    except ValueError:
        return name, value


class Once(argparse.Action):
    """Collects ``NAME=VALUE`` arguments; a name may be given once."""

    def __call__(self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, told: Any, flag: Any = None) -> None:
        """Add one."""
        before = getattr(namespace, self.dest)
        if told[0] in dict(before):
            raise argparse.ArgumentError(self, f"{told[0]} is given more than once; allowed: each name once")
        setattr(namespace, self.dest, [*before, told])


def agents(text: str) -> tuple[str, ...]:
    """An argument type: agent specs with commas between them."""
    specs = tuple(spec.strip() for spec in text.split(","))
    if not all(specs):
        raise argparse.ArgumentTypeError(f"{text!r}; allowed: SPEC[,SPEC…]")
    return specs


def add_game(parser: argparse.ArgumentParser, default: str | None = None) -> None:
    """``--ruleset`` and ``--option``."""
    parser.add_argument(
        "--ruleset", type=ruleset, required=default is None, default=default, metavar="ID",
        help=f"one of {', '.join(available())}" + (f"; default: {default}" if default else ""),
    )  # fmt: skip
    parser.add_argument(
        "--option", dest="options", type=option, action=Once, default=[], metavar="NAME=VALUE",
        help="an option of the ruleset, see `tarock rules ID`; may be given several times",
    )  # fmt: skip


def add_seed(parser: argparse.ArgumentParser, default: int = 0) -> None:
    """``--seed``."""
    parser.add_argument("--seed", type=whole(0, SEED_BOUND), default=default, metavar="S", help=f"default: {default}")


def engine_of(args: argparse.Namespace) -> Engine:
    """The engine that ``--ruleset`` and ``--option`` ask for; what it refuses is told in JSON, as it is to be typed."""
    try:
        return Engine(choose(load(args.ruleset), dict(args.options)))
    except RulesetError as error:
        json_words = {"True": "true", "False": "false", "None": "null"}
        raise RulesetError(re.sub(r"\b(True|False|None)\b", lambda word: json_words[word[0]], str(error))) from None
