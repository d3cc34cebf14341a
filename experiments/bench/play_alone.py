"""The play of the cards against a loop in C, written by hand and compiled on the spot: the same cards from the same deals.

Both start at the first card of hands that a random auction led to, and choose by the same keys; the cards that they play
and the declarers' points are compared, so it is the same work. The engine settles the hand besides, within its time.
"""

from __future__ import annotations

import ctypes
import functools
import os
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from experiments.bench.clock import Size, Stopwatch, Timed
from experiments.bench.processes import ROOT
from tarock_env.cards import thirds_in
from tarock_env.codes import Binding, Objective, PagatLock, Phase, Talon
from tarock_env.engine import state as states
from tarock_env.engine.batch import Engine

SOURCE = ROOT / "benchmarks" / "play_alone.c"
CARDS = 48
DEAL = np.dtype(
    [("hands", "u8", 4), ("key", "u8"), ("discards", "u8"), ("decision", "i4"), ("leader", "i4"), ("declarers", "i4"),
     ("emperor", "i4")], align=True,
)  # fmt: skip


class NoComparison(ValueError):
    """There is no compiler, no source, or no hand that the C loop can play."""


@dataclass(frozen=True)
class Deals:
    """The same positions for both."""

    engine: np.ndarray  #: (B,) STATE at the first card
    c: np.ndarray  #: (B,) DEAL


def compiler() -> str | None:
    """The C compiler, if there is one."""
    return shutil.which(os.environ.get("CC") or "cc") or shutil.which("gcc") or shutil.which("clang")


@functools.cache
def library() -> Any:
    """The compiled loop.

    Raises:
        NoComparison: no compiler, or it fails.
    """
    cc = compiler()
    if cc is None or not SOURCE.exists():
        raise NoComparison("no C compiler" if cc is None else f"no {SOURCE.name}")
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "play_alone.so"
        words = [cc, "-O3", "-march=native", "-shared", "-fPIC", "-o", str(out), str(SOURCE)]
        done = subprocess.run(words, capture_output=True, text=True)
        if done.returncode:
            raise NoComparison(f"{cc} failed: {done.stderr.strip()[:200]}")
        loaded = ctypes.CDLL(str(out))
    loaded.play_alone.restype = ctypes.c_int64
    return loaded


@functools.lru_cache(maxsize=1)
def deals(engine: Engine, n: int) -> Deals:
    """Hands at their first card in contracts whose play the C loop knows; fewer than `n`."""
    state = at_first_card(engine, engine.reset(n, 1))
    known = [k for k in range(len(engine.ruleset.contracts)) if engine.P == 4 and is_known(engine.rules[0], k)]
    state = engine.take(state, np.flatnonzero((state["phase"] == Phase.PLAY) & np.isin(state["contract"], known)))
    if not len(state):
        raise NoComparison(f"the C loop knows no contract of {engine.ruleset.id}")
    given = np.zeros(len(state), DEAL)
    given["hands"], given["key"], given["discards"] = state["hands"][:, :4], engine.hand_keys(state), state["discards"]
    given["decision"], given["leader"] = state["n_actions"], state["actor"]
    given["declarers"] = (1 << state["declarer"].astype(np.int32)) | np.where(
        state["partner"] >= 0, 1 << np.maximum(state["partner"], 0).astype(np.int32), 0
    )
    given["emperor"] = engine.rules[0].emperor[state["contract"]]
    return Deals(state, given)


def at_first_card(engine: Engine, state: np.ndarray) -> np.ndarray:
    """The hands played on by the random policy until a card is to be led."""
    while len(rows := np.flatnonzero(~state["done"] & (state["phase"] != Phase.PLAY))):
        some = engine.take(state, rows)
        engine.playout(some, "random", limit=1)
        states.assign(state, rows, some)
    return state


def is_known(r: Any, k: int) -> bool:
    """Whether a contract's play is what the C loop plays."""
    plain = r.colour[k] == 0 and r.forced[k] == 0 and r.lead_ban[k] == 0 and r.early_stop[k] == 0 and r.trump_duty[k] != 0
    free = r.binding == Binding.FREE and r.pagat_lock[k] == PagatLock.NEVER
    gifts = r.rest[k] in (Talon.FIRST_TRICKS, Talon.LAST_TRICK)
    return bool(plain and free and not gifts and r.n == 4 and r.objective[k] == Objective.POINTS)


def in_c(engine: Engine, size: Size) -> Timed:
    """Cards played by the C loop."""
    return played_in_c(deals(engine, size.batch).c)[0]


def in_engine(engine: Engine, size: Size) -> Timed:
    """Cards played by the engine's policy `uniform`, and the hands settled."""
    state = engine.copy(deals(engine, size.batch).engine)
    with Stopwatch() as watch:
        made = engine.playout(state, "uniform")
    return watch.timed(made, len(state))


def played_in_c(given: np.ndarray) -> tuple[Timed, np.ndarray, np.ndarray]:
    """Time, cards in order int8 (B, 48), and the declarers' points in thirds int32 (B,)."""
    play = library().play_alone
    plays, points = np.empty((len(given), CARDS), np.int8), np.empty(len(given), np.int32)
    pointers = [ctypes.c_void_p(array.ctypes.data) for array in (given, plays, points)]
    with Stopwatch() as watch:
        made = play(ctypes.c_int64(len(given)), *pointers)
    return watch.timed(made, len(given)), plays, points


def checksums(engine: Engine, size: Size) -> tuple[int, int]:
    """A sum over all cards, their places, and points that must be the same for both: of the engine, of C."""
    both = deals(engine, size.batch)
    state = engine.copy(both.engine)
    engine.playout(state, "uniform")
    _, plays, points = played_in_c(both.c)
    return checksum(state["plays"], points_of(state, both.c["declarers"])), checksum(plays, points)


def points_of(state: np.ndarray, declarers: np.ndarray) -> np.ndarray:
    """Card points of the declarers (bit = seat) in thirds, int32 (B,): their tricks and the discards."""
    rows = zip(state["won"], state["discards"], declarers.tolist(), strict=True)
    mine = [int(laid) | sum(int(won[p]) for p in range(4) if seats >> p & 1) for won, laid, seats in rows]
    return np.array([thirds_in(np.uint64(cards)) for cards in mine], np.int32)


def checksum(plays: np.ndarray, points: np.ndarray) -> int:
    """A number of all cards with their places, and of the points."""
    places = np.arange(1, plays.size + 1, dtype=np.int64).reshape(plays.shape)
    return int((plays * places).sum() % (2**61 - 1)) * 100_000 + int(points.sum()) % 100_000
