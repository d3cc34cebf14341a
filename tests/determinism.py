"""Digests of deals and of whole hands, ``python -m tests.determinism``: the same on every machine, process and day.

``tests/cases/golden.json`` pins them: for each ruleset the first deals of a seed as the words of a game record, and hands of
the random and the heuristic agent, action by action, with their scores. A change of the deals' digest means that old seeds
deal other cards; one of the hands' digests that an agent or a rule has changed. Where that is meant, ``--write`` renews the
file; it goes into the changelog.

Exit code: 0 if the digests are those of the file, 1 if not.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

import tarock_env
from agents import base
from agents.match import play_hands
from tarock_env import STATE, Engine
from tarock_env.cards import CODES, codes_in

GOLDEN = Path(__file__).parent / "cases/golden.json"
SEED = 20_260
SPECS = ("random", "heuristic")
DEALS, HANDS = 1000, 256


def play(engine: Engine, spec: str, n: int, seed: int = SEED) -> tuple[np.ndarray, np.ndarray]:
    """Final states and logs of hands 0 … n - 1 of a seed, played by one agent in all seats."""
    state, log = engine.reset(n, seed=seed), engine.new_log(n)
    play_hands(engine, state, [base.make(spec, engine)], log=log)
    return state, log


def rows(state: np.ndarray, log: np.ndarray) -> list[bytes]:
    """A digest of each hand: every field of its state, and its log."""
    columns = [np.ascontiguousarray(state[name]).view(np.uint8).reshape(len(state), -1) for name in STATE.names or ()]
    table = np.hstack([*columns, log])
    return [hashlib.sha256(row.tobytes()).digest() for row in table]


def digest(state: np.ndarray, log: np.ndarray) -> str:
    """One digest of all hands."""
    return hashlib.sha256(b"".join(rows(state, log))).hexdigest()


def deal_text(engine: Engine, g: Any) -> str:
    """Dealer, hands and talon of a fresh deal, in words."""
    hands = [" ".join(codes_in(int(hand))) for hand in g["hands"][: engine.P]]
    return f"{int(g['dealer'])}: {' | '.join(hands)} / {' '.join(CODES[int(card)] for card in g['talon'])}"


def hand_texts(engine: Engine, state: np.ndarray, log: np.ndarray) -> list[str]:
    """Actions and scores of finished hands, in words."""
    names, scores = engine.actions.names, state["scores"][:, : engine.P].tolist()
    counts = state["n_actions"].tolist()
    return [f"{' '.join(names[a] for a in log[i, : counts[i]])}: {scores[i]}" for i in range(len(state))]


def _hash(lines: Sequence[str]) -> str:
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def golden(ruleset: str) -> dict[str, str]:
    """The digests of a ruleset that are pinned."""
    engine = tarock_env.make(ruleset)
    found = {"deals": _hash([deal_text(engine, g) for g in engine.reset(DEALS, seed=SEED)])}
    return found | {spec: _hash(hand_texts(engine, *play(engine, spec, HANDS))) for spec in SPECS}


def read() -> dict[str, dict[str, str]]:
    """What is pinned."""
    content: dict[str, dict[str, str]] = json.loads(GOLDEN.read_text(encoding="utf-8"))
    return content


def lines(hands: int, threads: int = 1) -> list[str]:
    """A digest of each ruleset and agent, for comparison between processes."""
    found = []
    for ruleset in tarock_env.available():
        engine = tarock_env.make(ruleset, threads=threads)
        found += [f"{ruleset} {spec} {digest(*play(engine, spec, hands))}" for spec in SPECS]
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """The command."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.determinism", description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--write", action="store_true", help="renew the file")
    parser.add_argument("--hands", type=int, help="print digests of so many hands of each ruleset and agent instead")
    parser.add_argument("--threads", type=int, default=1, help="… with so many threads")
    chosen = parser.parse_args(arguments)
    if chosen.hands is not None:
        print("\n".join(lines(chosen.hands, chosen.threads)))
        return 0
    found = {ruleset: golden(ruleset) for ruleset in tarock_env.available()}
    if chosen.write:
        GOLDEN.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    pinned = read()
    for ruleset, digests in found.items():
        changed = [name for name, value in digests.items() if pinned.get(ruleset, {}).get(name) != value]
        print(f"{ruleset:<20}{'as pinned' if not changed else 'changed: ' + ', '.join(changed)}")
    return 0 if found == pinned else 1


if __name__ == "__main__":
    sys.exit(main())
