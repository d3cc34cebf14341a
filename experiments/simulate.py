"""`tarock simulate`: agents play hands, and every hand becomes a record.

Hands are played in batches and written batch by batch to ``FILE.part``, which becomes FILE when all are there. A run that
was killed goes on from its last whole batch when the same command is given again; the file is the same as without the kill.
A file that is there already is replaced only with ``--force``.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from experiments import arguments, files, locks, manifest, warm
from experiments.seating import Table
from tarock_env import record as records
from tarock_env.engine.batch import Engine
from tarock_env.engine.chance import DEAL, make_keys
from tarock_env.record import whole
from tarock_env.record.files import to_line

NAME = "simulate"
HELP = "let agents play hands and write records"

BATCH = 1024
SESSION = 16  #: sessions are played in batches that are smaller by this factor
WHOLE = "whole"
AUCTIONS = ("natural", "balanced")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    arguments.add_game(parser)
    parser.add_argument(
        "--agents", required=True, type=arguments.agents, metavar="SPEC[,SPEC…]",
        help="agents of the seats in turn; with fewer than seats they start again (random, heuristic, ppo:PATH …)",
    )  # fmt: skip
    parser.add_argument("--hands", required=True, type=arguments.whole(1), metavar="N")
    arguments.add_seed(parser)
    parser.add_argument(
        "--auction", choices=AUCTIONS, default="natural", help="balanced: every contract about equally often"
    )
    parser.add_argument(
        "--session", type=_session, metavar="N|whole",
        help="play sessions of N hands, or as long as the ruleset says; the last one is played to its end, so that there "
        "may be more hands than --hands says",
    )  # fmt: skip
    parser.add_argument("--legal", action="store_true", help="add all legal actions of each decision")
    parser.add_argument("--out", required=True, type=Path, metavar="FILE.jsonl")
    parser.add_argument("--force", action="store_true", help="replace FILE.jsonl if it is there already")


def _session(text: str) -> int | str:
    return WHOLE if text == WHOLE else arguments.whole(1)(text)


def run(args: argparse.Namespace) -> int:
    """Play and write; the manifest lies beside the file."""
    engine = arguments.engine_of(args)
    table = Table(engine, args.agents, balanced=args.auction == "balanced")
    part, place = _beside(args.out)
    warm.ensure()
    _start(args, engine, 0, 1)  # refuses a session without a length before anything is made
    if _is_there(args, table, part, place) and "finished" in (manifest.read(place) or {}):
        return _tell_complete(args, engine, place)
    args.out.parent.mkdir(parents=True, exist_ok=True)
    try:
        with locks.holding(part):  # until it was got, another process may have made the file
            try:
                with _held(args.out):
                    return _make(args, table, part, place)
            finally:
                if part.exists() and not part.stat().st_size:
                    part.unlink()
    except BlockingIOError:
        raise ValueError(f"{part}: another process is writing to it") from None


def _make(args: argparse.Namespace, table: Table, part: Path, place: Path) -> int:
    """What is left to do, with the locks on the unfinished and the finished file."""
    whole.remove_drafts([place])
    if _is_there(args, table, part, place):
        manifest.write(place, manifest.read(place) or {}, finished=True)  # the run was killed before it could
        return _tell_complete(args, table.engine, place)
    with whole.naming(part):
        _fill(args, table, part, place)
    return 0


@contextlib.contextmanager
def _held(out: Path) -> Iterator[None]:
    """Hold the lock on the finished file if there is one: who has just given it that name still writes its manifest."""
    with locks.holding(out) if out.exists() else contextlib.nullcontext():
        yield


def _beside(out: Path) -> tuple[Path, Path]:
    """The unfinished file and the manifest that belong to `out`; refuses all that cannot be a file."""
    if not out.name or out.name == "..":
        raise ValueError(f"--out is '{out}'; allowed: the name of a file")
    part, place = out.with_name(out.name + ".part"), out.with_name(out.name + ".manifest.json")
    for path in (out, part, place):
        files.check_regular(path, "--out", "a new file, or with --force a file to replace")
    return part, place


def _is_there(args: argparse.Namespace, table: Table, part: Path, place: Path) -> bool:
    """Whether the whole file was written before by the same command; refuses to replace any other."""
    if args.force or not args.out.exists():
        return False
    (settings, written), wanted = _begun(place), settings_of(args, table)
    unfinished = part.exists() and part.stat().st_size
    if settings != wanted or written is None or unfinished:
        differing = ", ".join(sorted(key for key in wanted if settings and settings.get(key) != wanted[key]))
        raise ValueError(
            f"{args.out} is there already and of another run; give another --out, or --force to replace it"
            + (f" (it differs in {differing})" if differing else "")
        )
    if written.hands < args.hands or args.out.stat().st_size != written.bytes:
        raise ValueError(f"{args.out} was changed since it was written; give another --out, or --force to replace it")
    return True


def _tell_complete(args: argparse.Namespace, engine: Engine, place: Path) -> int:
    written = _begun(place)[1] or Written()
    print(f"{args.out}: complete already, {written.hands} hands of {engine.ruleset.id}; nothing to do")
    return 0


def settings_of(args: argparse.Namespace, table: Table) -> dict[str, Any]:
    """What decides the bytes of the file."""
    named = {key: getattr(args, key) for key in ("hands", "seed", "auction", "legal", "session")}
    agents = {"agents": list(args.agents), "batch": BATCH}
    return {"command": NAME, **manifest.playing(table.engine, table.agents), **agents, **named}


def _fill(args: argparse.Namespace, table: Table, part: Path, place: Path) -> None:
    engine = table.engine
    about = {**manifest.describe(settings_of(args, table), engine), "written": _resume(part, place, args, table)}
    written, started = Written(**about["written"]), time.perf_counter()
    first = written.hands
    with open(part, "ab") as file:
        while written.hands < args.hands:
            lines, games = _batch(args, engine, table, written)
            if not file.tell():  # a run that is killed from here on is known as this one
                manifest.write(place, about)
            file.write("".join(lines).encode())
            file.flush()
            whole.sync(file.fileno())
            written = Written(written.games + games, written.hands + len(lines), file.tell())
            manifest.write(place, {**about, "written": written._asdict()})
            if sys.stderr.isatty():
                print(f"\r{written.hands} of {args.hands} hands", end="", file=sys.stderr)
    whole.rename(part, args.out)
    manifest.write(place, {**about, "written": written._asdict()}, finished=True)
    rate = (written.hands - first) / max(time.perf_counter() - started, 1e-9)
    resumed = f", {first} of them from a run that was stopped" if first else ""
    print(f"{args.out}: {written.hands} hands of {engine.ruleset.id}{resumed}; {rate:,.0f} hands/s")


class Written(NamedTuple):
    """How far a file has got, at the end of a batch."""

    games: int = 0  #: hands, or sessions where those are played
    hands: int = 0
    bytes: int = 0


def _resume(part: Path, place: Path, args: argparse.Namespace, table: Table) -> dict[str, int]:
    """What can be kept of a stopped run: whole batches, so that the rest is played as it would have been."""
    if not part.stat().st_size:
        return Written()._asdict()
    settings, (begun, written) = settings_of(args, table), _begun(place)
    differing = sorted(key for key in settings if begun.get(key) != settings[key])
    if differing:
        raise ValueError(
            f"{part} is of another run, which differs in {', '.join(differing)}; remove it, or give another --out"
        )
    if written is None:
        raise ValueError(f"{part} is of another run: {place} does not say how far it got; remove it, or give another --out")
    if "finished" in (manifest.read(place) or {}):  # a part is never beside the manifest of a whole file
        raise ValueError(f"{part} is of another run: {place} tells of a finished one; remove it, or give another --out")
    if part.stat().st_size < written.bytes:
        written = Written()
    os.truncate(part, written.bytes)
    return written._asdict()


def _begun(place: Path) -> tuple[dict[str, Any], Written | None]:
    """The settings of a manifest and how far its file had got; empty and None where it does not say."""
    about = manifest.read(place) or {}
    settings, told = about.get("settings"), about.get("written")
    counts = told if isinstance(told, dict) and told.keys() == set(Written._fields) else {"": None}
    known = all(type(value) is int and value >= 0 for value in counts.values())
    return settings if isinstance(settings, dict) else {}, Written(**counts) if known else None


def _start(args: argparse.Namespace, engine: Engine, first: int, n: int) -> np.ndarray:
    """Games number `first` … `first` + `n` - 1 at their beginnings, (n,) STATE."""
    keys = make_keys(n, args.seed, DEAL, first)
    if args.session is None:
        return engine.reset(keys=keys)
    if args.session == WHOLE:
        return engine.reset(keys=keys, session=True)
    return engine.reset(keys=keys, hands=args.session)


def _batch(args: argparse.Namespace, engine: Engine, table: Table, written: Written) -> tuple[list[str], int]:
    """The lines of the next batch, and how many games they are."""
    if args.session is None:
        n = min(BATCH, args.hands - written.hands)
        state = _start(args, engine, written.games, n)
        return [line for _, line in _lines(args, engine, table, state, np.arange(n) + written.games)], n
    n = max(1, BATCH // SESSION)
    state = _start(args, engine, written.games, n)
    games, told = np.arange(n) + written.games, []
    while len(state):
        told += _lines(args, engine, table, state, games)
        going = np.flatnonzero(~state["session_over"])
        state, games = engine.take(state, going), games[going]
        engine.next_hand(state)
    told.sort(key=lambda numbered: numbered[0])
    return _whole_sessions(told, args.hands - written.hands), n


def _whole_sessions(told: list[tuple[int, str]], wanted: int) -> list[str]:
    """The lines of as many sessions as it takes to have the hands that are wanted."""
    kept = len(told)
    for i in range(wanted, len(told)):
        if told[i][0] != told[i - 1][0]:
            kept = i
            break
    return [line for _, line in told[:kept]]


def _lines(
    args: argparse.Namespace, engine: Engine, table: Table, state: np.ndarray, games: np.ndarray
) -> list[tuple[int, str]]:
    """Play a hand in each row, in place; game numbers and records as lines."""
    start, log = engine.copy(state), engine.new_log(len(state))
    table.play(state, log)
    numbers, hands = games.tolist(), start["hand_no"].tolist()
    metas = [{"agents": table.specs, "seed": args.seed, "index": i, "auction": args.auction} for i in numbers]
    sessions = [{"id": f"{args.seed}-{i}", "hand": hand} for i, hand in zip(numbers, hands, strict=True)]
    written = records.write_all(
        engine, start, log, legal=args.legal, metas=metas, sessions=None if args.session is None else sessions
    )
    return [(i, to_line(record)) for i, record in zip(numbers, written, strict=True)]
