"""`tarock rules ID`: the rules of a ruleset as a Markdown page, made from its data.

This module is the command and the order of the page. `tables` makes its tables of contracts and bonuses, `interface` what
programs need: options, actions, observation; `columns` puts columns and their values into words.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from experiments import sentences
from experiments.rules.columns import single
from experiments.rules.interface import actions, observation, options
from experiments.rules.tables import bonuses, contracts
from tarock_env.encoding import layout
from tarock_env.record import whole
from tarock_env.rulesets import available, load
from tarock_env.rulesets.schema import Ruleset

NAME = "rules"
HELP = "the rules of one ruleset as a Markdown page: contracts, bonuses, options, actions, observation"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument("ruleset", metavar="ID", help=f"one of {', '.join(available())}, or all (with --out)")
    parser.add_argument("--out", type=Path, metavar="FOLDER", help="write ID.md there instead of printing the page")


def run(args: argparse.Namespace) -> int:
    """Print the page, or write it."""
    if args.ruleset == "all" and args.out is None:
        raise ValueError("`rules all` writes a page for each ruleset; give --out FOLDER")
    names = available() if args.ruleset == "all" else (args.ruleset,)
    for ruleset in [load(name) for name in names]:
        if args.out is None:
            print(render_rules(ruleset), end="")
        else:
            args.out.mkdir(parents=True, exist_ok=True)
            whole.replace(args.out / f"{ruleset.id}.md", render_rules(ruleset).encode())
    return 0


def render_rules(ruleset: Ruleset) -> str:
    """The page of a ruleset: Markdown, ending in a newline, the same for the same data."""
    parts = [
        _head(ruleset),
        _told("Deal", sentences.deal(ruleset)),
        *contracts(ruleset),
        _told("Auction", sentences.auction(ruleset)),
        _told("King, talon, discards", sentences.exchange(ruleset)),
        _told("Announcements and kontra", sentences.announcements(ruleset)),
        *bonuses(ruleset),
        _told("Scoring", sentences.scoring(ruleset)),
        _told("Session", sentences.session(ruleset)),
        *options(ruleset),
        actions(ruleset),
        observation(ruleset),
        "## All columns\n\nThe single tables of the ruleset. What differs from the plain case is in bold.",
        *(single(ruleset, name) for name in ruleset.tables),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _told(heading: str, said: Sequence[str]) -> str:
    return "\n".join([f"## {heading}", "", *(f"- {sentence}" for sentence in said)])


def _head(ruleset: Ruleset) -> str:
    plan = layout(ruleset)
    return "\n".join([
        f"# {ruleset.title}",
        "",
        f"Ruleset `{ruleset.id}`, version {ruleset.version}, after document `{ruleset.document}`. This page is made from",
        f"the ruleset's data by `tarock rules {ruleset.id}`, at the defaults of all options; it is never edited by hand.",
        "Sources such as `K3.2` or `S0-12` are explained in [decisions](../decisions.md), records and action names in",
        "[records](../records.md).",
        "",
        f"- Players: {ruleset.players}",
        f"- Contracts: {sentences.listed(row.id for row in ruleset.contracts)}",
        f"- Actions: A = {len(ruleset.actions)}",
        f"- Observation: F = {plan.F}, layout version `{plan.version}`",
        f"- Scale of a hand's score, for learners: {ruleset.reward_scale:g} points",
    ])  # fmt: skip
