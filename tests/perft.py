"""Counting all ways to go on from fixed positions, ``./run perft``: auctions, announcement rounds, last three tricks.

The files in ``tests/cases/perft/`` hold, for each ruleset, positions as a deal and the first actions of a hand, and how many
sequences of legal actions lead on from there: what they count, and in which words, is said in ``ABOUT`` below and stands in
each file. A move generator that is wrong anywhere within reach counts differently. The engine counts in batches; with
``--referee`` the referees of `tests.reference` count the same, some thousand times slower.

Exit code: 0 if all counts agree with the files, 1 if some do not, 2 for a bad argument.
"""

from __future__ import annotations

import argparse
import functools
import json
import pickle
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import tarock_env
from tarock_env import Engine
from tarock_env.codes import Phase
from tests.reference.replay import make_referee

FOLDER = Path(__file__).parent / "cases/perft"
FORMAT = "tarock-perft/1"
ABOUT = (
    "Each position is a deal and the first actions of a hand, in the words of tarock-record/1: a single hand with "
    "nothing before it, all options but the given ones at their defaults. From there every legal action of the named "
    "part of the hand is tried, then every one after it, and so on: sequences[d-1] is how many different sequences of d "
    "actions there are, complete[d-1] how many of them end that part. auction: bids, passes and what else belongs to the"
    " auction, forehand's choice after a passed-out one included; it is over when the contract stands, before a king is "
    "called, a talon looked at or a contract raised. announcements: until the first card is led. play: until the hand is"
    " over; scores is the sum of the hand's scores over all complete sequences, by seat."
)
PARTS: dict[str, tuple[Phase, ...]] = {
    "auction": (Phase.AUCTION, Phase.CHOICE),
    "announcements": (Phase.ANNOUNCE,),
    "play": (Phase.PLAY,),
}
#: what the referees call these parts
REFEREE_PHASES = {"auction": ("auction",), "announcements": ("announce", "talk"), "play": ("play",)}
CHUNK = 1 << 13  #: positions worked on at once
NO_LIMIT = 1 << 60


@dataclass
class Counts:
    """Sequences and complete sequences by depth from 1, and the scores of complete hands summed by seat."""

    sequences: list[int]
    complete: list[int]
    scores: list[int]

    @property
    def nodes(self) -> int:
        """All positions that were reached."""
        return sum(self.sequences)

    def as_dict(self, part: str) -> dict[str, list[int]]:
        """As a file holds them."""
        counts = {"sequences": self.sequences, "complete": self.complete}
        return counts | {"scores": self.scores} if part == "play" else counts


def empty(depth: int, seats: int) -> Counts:
    """Nothing counted yet."""
    return Counts([0] * depth, [0] * depth, [0] * seats)


def depth_within(position: Mapping[str, Any], nodes: int) -> int:
    """How deep a position can be counted by so many nodes; play is counted to its end or not at all."""
    sums = np.cumsum(position["sequences"])
    depth = int((sums <= nodes).sum())
    return depth if position["count"] != "play" or depth == len(sums) else 0


# ------------------------------------------------------------------ the engine


@functools.cache
def _make(ruleset: str, options: str) -> Engine:
    return tarock_env.make(ruleset, **json.loads(options))


def engine_of(ruleset: str, options: Mapping[str, Any]) -> Engine:
    """An engine, made once."""
    return _make(ruleset, json.dumps(options))


def set_up(engine: Engine, position: Mapping[str, Any]) -> np.ndarray:
    """The engine's state of a position, (1,) STATE."""
    state = engine.from_deal(position["hands"], position["talon"], position["dealer"])
    for action in position["actions"]:
        engine.step(state, engine.actions.index(action))
    return state


def count(engine: Engine, state: np.ndarray, part: str, depth: int) -> Counts:
    """Count from a state, (1,) STATE, to a depth: breadth first within chunks, every action carried out by `Engine.step`."""
    tally = empty(depth, engine.P)
    _count(engine, state, np.array(PARTS[part]), 0, tally)
    return tally


def _count(engine: Engine, state: np.ndarray, inside: np.ndarray, level: int, tally: Counts) -> None:
    if level == len(tally.sequences):
        return
    for first in range(0, len(state), CHUNK):
        chunk = engine.take(state, np.arange(first, min(first + CHUNK, len(state))))
        rows, actions = np.nonzero(engine.legal(chunk))
        after = engine.take(chunk, rows)
        engine.step(after, actions)
        over = ~np.isin(after["phase"], inside)
        tally.sequences[level] += len(after)
        tally.complete[level] += int(over.sum())
        scores = after["scores"][after["done"], : engine.P].sum(axis=0, dtype=np.int64)
        tally.scores = [old + int(new) for old, new in zip(tally.scores, scores, strict=True)]
        _count(engine, engine.take(after, np.flatnonzero(~over)), inside, level + 1, tally)


# ------------------------------------------------------------------ the referees


def referee_count(ruleset: str, position: Mapping[str, Any], depth: int) -> Counts:
    """The same by the referee, one action at a time."""
    record = {"ruleset": ruleset, **{key: position[key] for key in ("options", "dealer", "hands", "talon")}}
    referee = make_referee(record)
    for action in position["actions"]:
        referee.apply(action)
    tally = empty(depth, len(position["hands"]))
    if depth:
        _referee_count(pickle.dumps(referee), REFEREE_PHASES[position["count"]], 0, tally)
    return tally


def _referee_count(frozen: bytes, inside: tuple[str, ...], level: int, tally: Counts) -> None:
    for action in pickle.loads(frozen).legal():
        referee = pickle.loads(frozen)
        referee.apply(action)
        tally.sequences[level] += 1
        if referee.phase not in inside:
            tally.complete[level] += 1
            if referee.done:
                scores = referee.result()["scores"]
                tally.scores = [old + new for old, new in zip(tally.scores, scores, strict=True)]
        elif level + 1 < len(tally.sequences):
            _referee_count(pickle.dumps(referee), inside, level + 1, tally)


# ------------------------------------------------------------------ the files


def read(ruleset: str) -> dict[str, Any]:
    """The file of a ruleset."""
    content: dict[str, Any] = json.loads((FOLDER / f"{ruleset}.json").read_text(encoding="utf-8"))
    return content


def write(ruleset: str, positions: Sequence[Mapping[str, Any]]) -> None:
    """The file of a ruleset, a position a line."""
    head = {"format": FORMAT, "ruleset": ruleset, "about": ABOUT}
    lines = [f" {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}," for key, value in head.items()]
    rows = ",\n".join(f"  {json.dumps(position)}" for position in positions)
    text = "\n".join(["{", *lines, ' "positions": [', rows, " ]", "}"])
    (FOLDER / f"{ruleset}.json").write_text(text + "\n", encoding="utf-8")


def recount(ruleset: str, position: Mapping[str, Any], depth: int, by_referee: bool = False) -> Counts:
    """Count a position of a file anew."""
    if by_referee:
        return referee_count(ruleset, position, depth)
    engine = engine_of(ruleset, position["options"])
    return count(engine, set_up(engine, position), position["count"], depth)


def differences(position: Mapping[str, Any], found: Counts) -> list[str]:
    """What a count of a position, to the full depth or less, says otherwise than the file."""
    depth = len(found.sequences)
    pairs = [
        ("sequences", position["sequences"][:depth], found.sequences),
        ("complete", position["complete"][:depth], found.complete),
    ]
    if position["count"] == "play" and depth:
        pairs.append(("scores", position["scores"], found.scores))
    return [f"{position['name']}: {what} {now}, in the file {then}" for what, then, now in pairs if now != then]


# ------------------------------------------------------------------ the command


def main(arguments: Sequence[str] | None = None) -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="./run perft", description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--ruleset", action="append", choices=tarock_env.available(), help="default: all")
    parser.add_argument("--referee", action="store_true", help="count with the referees, not with the engine")
    parser.add_argument("--nodes", type=int, default=NO_LIMIT, help="go only as deep as so many nodes a position")
    parser.add_argument("--write", action="store_true", help="write what the engine counts to the files")
    parser.add_argument("--choose", action="store_true", help="choose all positions anew, then count and write")
    chosen = parser.parse_args(arguments)
    if chosen.referee and (chosen.write or chosen.choose):
        parser.error("files are written from the engine's counts; --referee compares only")
    bad, nodes, seconds = 0, 0, 0.0
    for ruleset in chosen.ruleset or tarock_env.available():
        if chosen.choose or chosen.write:
            _rewrite(ruleset, chosen.choose)
        wrong, done, taken = _compare(ruleset, chosen.nodes, chosen.referee)
        bad, nodes, seconds = bad + wrong, nodes + done, seconds + taken
    print(f"{'all':<20}{'':>12}{_speed(nodes, seconds)}, {bad} differences")
    return 1 if bad else 0


def _compare(ruleset: str, limit: int, by_referee: bool) -> tuple[int, int, float]:
    """Recount a file: differences, nodes, seconds of this process."""
    positions = read(ruleset)["positions"]
    recount(ruleset, positions[0], 1)  # compiles
    started, nodes, found = time.process_time(), 0, []
    for position in positions:
        counts = recount(ruleset, position, depth_within(position, limit), by_referee)
        nodes += counts.nodes
        found += differences(position, counts)
    seconds = time.process_time() - started
    for text in found:
        print(f"{ruleset}: {text}")
    print(f"{ruleset:<20}{len(positions):>4} positions{_speed(nodes, seconds)}, {len(found)} differences")
    return len(found), nodes, seconds


def _speed(nodes: int, seconds: float) -> str:
    return f"{nodes:>14,} nodes in {seconds:8.2f} s, {nodes / max(seconds, 1e-9):>12,.0f} nodes/s"


def _rewrite(ruleset: str, choose: bool) -> None:
    """Count anew and write; ``depth`` is there only in positions that were just chosen."""
    from tests.perft_positions import choose_positions

    counted = []
    for position in choose_positions(ruleset) if choose else read(ruleset)["positions"]:
        given = {key: position[key] for key in ("name", "count", "options", "dealer", "hands", "talon", "actions")}
        found = recount(ruleset, position, position.get("depth") or len(position["sequences"]))
        counted.append(given | found.as_dict(position["count"]))
    write(ruleset, counted)


if __name__ == "__main__":
    sys.exit(main())
