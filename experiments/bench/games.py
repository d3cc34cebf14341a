"""The engine: whole hands in the kernel, batches and single games stepped from Python, threads, growth, sessions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from experiments.bench.clock import Size, Stopwatch, Timed, timed
from tarock_env.codes import NONE
from tarock_env.engine.batch import Engine

ROUNDS = 150  #: decisions a row where a batch is stepped on from hand to hand
ENDLESS = 1 << 20  #: hands of a session that is not played to its end
STEPS = 20  #: decisions a game where batches of all sizes are stepped
SESSION = 20  #: hands of a session


def decisions(state: np.ndarray) -> int:
    """All decisions made in these hands."""
    return int(state["n_actions"].sum(dtype=np.int64))


def midway(engine: Engine, n: int, seed: int = 0, decision: int = 30) -> np.ndarray:
    """Hands some way into the game, for what is measured on one decision."""
    state = engine.reset(n, seed)
    engine.playout(state, "random", limit=decision)
    return state


def playout(engine: Engine, size: Size, policy: str = "random") -> Timed:
    """Decisions inside the kernel; the deal is not in the time."""
    state = engine.reset(size.batch, 1)
    with Stopwatch() as watch:
        engine.playout(state, policy)
    return watch.timed(decisions(state), size.batch)


def playout_uniform(engine: Engine, size: Size) -> Timed:
    """The same with any legal action."""
    return playout(engine, size, "uniform")


def playout_hands(engine: Engine, size: Size) -> Timed:
    """Hands inside the kernel, deal included."""
    return timed(size.batch, lambda: engine.playout(engine.reset(size.batch, 1), "random"))


def stepping(engine: Engine, size: Size) -> Timed:
    """Decisions from Python with mask, choice and step; a row that is over gets its next hand."""
    return _stepping_seen(engine, size, lambda state: None)


def stepping_encoded(engine: Engine, size: Size) -> Timed:
    """The same, and what each seat to act sees as float32 in an array that is there already."""
    from tarock_env.encoding import encode_packed, layout, unpacked

    features = layout(engine.ruleset).F
    out = np.empty((size.batch, features), np.float32)
    return _stepping_seen(engine, size, lambda state: unpacked(encode_packed(engine, state)[0], features, out))


def stepping_packed(engine: Engine, size: Size) -> Timed:
    """The same as packed bits."""
    from tarock_env.encoding import encode_packed, layout

    out = np.empty((size.batch, layout(engine.ruleset).words), np.uint64)
    return _stepping_seen(engine, size, lambda state: encode_packed(engine, state, out=out))


def _stepping_seen(engine: Engine, size: Size, see: Callable[[np.ndarray], Any]) -> Timed:
    state = engine.reset(size.batch, 1, hands=ENDLESS)
    mask = engine.legal(state)
    with Stopwatch() as watch:
        for _ in range(ROUNDS):
            see(state)
            engine.legal(state, mask)
            engine.step(state, engine.sample(mask, engine.keys(state)))
            engine.next_hand(state)
    made, hands = ROUNDS * size.batch, int(state["hand_no"].sum())
    finished = (made - decisions(state)) / hands if hands else None  # decisions a hand, those going on left out
    return watch.timed(made, made / finished if finished else None)


def single(engine: Engine, size: Size) -> Timed:
    """Decisions of single games, the choice given, with the mask of each."""
    n = max(1, size.hands // 10)
    start, log = engine.reset(n, 1), engine.new_log(n)
    final = engine.copy(start)
    engine.playout(final, "random", log=log)
    games = [(engine.take(start, [i]), log[i, : final["n_actions"][i], None].astype(np.int64)) for i in range(n)]
    mask = np.empty((1, engine.A), bool)

    def play() -> None:
        for state, actions in games:
            for action in actions:
                engine.step(state, action, mask=mask)

    return timed(decisions(final), play)


def playout_of_three(engine: Engine, size: Size) -> Timed:
    """Decisions of hands in which forehand plays `three` after three passes, from the king on: of a Slovenian ruleset."""
    state = engine.reset(size.batch, 1)
    for _ in range(3):
        engine.step(state, np.full(len(state), engine.actions.index("pass")))
    three = engine.actions.index("bid:three")
    state = engine.take(state, np.flatnonzero(engine.legal(state)[:, three]))
    engine.step(state, np.full(len(state), three))
    with Stopwatch() as watch:
        made = engine.playout(state, "random")
    return watch.timed(made, len(state))


# ------------------------------------------------------------------ threads


def playout_wide(engine: Engine, size: Size, threads: int = 1) -> Timed:
    """Decisions inside the kernel by the clock, however many threads there are."""
    several = Engine(engine.ruleset, threads)
    state = several.reset(size.wide, 1)
    with Stopwatch(threads, by_clock=True) as watch:
        several.playout(state, "random")
    return watch.timed(decisions(state), size.wide)


def stepping_wide(engine: Engine, size: Size, threads: int = 1) -> Timed:
    """Decisions of a batch stepped from Python by the clock."""
    several = Engine(engine.ruleset, threads)
    state = several.reset(size.wide, 1)
    return _some_steps(several, state, Stopwatch(threads, by_clock=True))


def _some_steps(engine: Engine, state: np.ndarray, watch: Stopwatch) -> Timed:
    before = decisions(state)
    mask = engine.legal(state)
    with watch:
        for _ in range(STEPS):
            engine.legal(state, mask)
            engine.step(state, engine.sample(mask, engine.keys(state)))
    return watch.timed(decisions(state) - before)


# ------------------------------------------------------------------ growth


def playout_of(engine: Engine, size: Size, batch: int) -> Timed:
    """Decisions inside the kernel in batches of one size, as many as make up `wide` hands; deals not in the time."""
    watch, made = Stopwatch(), 0
    for seed in range(max(1, size.wide // batch)):
        state = engine.reset(batch, seed)
        with watch:
            made += engine.playout(state, "random")
    return watch.timed(made)


def stepping_of(engine: Engine, size: Size, batch: int) -> Timed:
    """Decisions of batches of one size stepped from Python; deals not in the time."""
    watch, made = Stopwatch(), 0.0
    for seed in range(max(1, size.wide // batch)):
        made += _some_steps(engine, engine.reset(batch, seed), watch).count
    return watch.timed(made)


def one_hand(engine: Engine, size: Size) -> Timed:
    """Hands, deal included, each for itself."""
    hands = size.batch // 4

    def play() -> None:
        for seed in range(SESSION):
            engine.playout(engine.reset(hands, seed), "random")

    return timed(SESSION * hands, play)


def session_hands(engine: Engine, size: Size) -> Timed:
    """The same number of hands, deal included, in sessions."""
    sessions = size.batch // 4

    def play() -> None:
        state = engine.reset(sessions, 0, hands=SESSION)
        engine.playout(state, "random")
        while engine.next_hand(state):
            engine.playout(state, "random")

    return timed(SESSION * sessions, play)


# ------------------------------------------------------------------ what was played


def mix(engine: Engine, size: Size) -> dict[str, Any]:
    """What kind of hands the figures speak of."""
    state, uniform = engine.reset(size.batch, 1), engine.reset(size.batch, 1)
    engine.playout(state, "random")
    engine.playout(uniform, "uniform")
    names = {NONE: "none", **{k: row.id for k, row in enumerate(engine.ruleset.contracts)}}
    counts = {names[k]: float((state["contract"] == k).mean()) for k in names}
    return {
        "decisions_per_hand": decisions(state) / size.batch,
        "uniform_decisions_per_hand": decisions(uniform) / size.batch,
        "contracts": {name: share for name, share in counts.items() if share},
    }
