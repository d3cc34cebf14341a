"""`tarock rulesets`: what can be played."""

from __future__ import annotations

import argparse
import json

from tarock_env.rulesets import available, load

NAME = "rulesets"
HELP = "list the rulesets"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument("--json", action="store_true", help="as JSON")


def run(args: argparse.Namespace) -> int:
    """Print one line for each ruleset."""
    rows = [load(name) for name in available()]
    if args.json:
        facts = [
            {"id": r.id, "title": r.title, "version": r.version, "players": r.players, "document": r.document,
             "contracts": [c.id for c in r.contracts], "options": [o.name for o in r.options], "actions": len(r.actions)}
            for r in rows
        ]  # fmt: skip
        print(json.dumps(facts, indent=2, ensure_ascii=False))
        return 0
    print(f"{'id':20} {'players':>7} {'contracts':>9} {'options':>7} {'actions':>7}  title")
    for r in rows:
        print(f"{r.id:20} {r.players:>7} {len(r.contracts):>9} {len(r.options):>7} {len(r.actions):>7}  {r.title}")
    return 0
