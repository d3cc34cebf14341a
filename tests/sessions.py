"""Whole sessions of the engine beside the referee of sessions: dealer, totals, rings, compulsory hands, end, settlement."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from tarock_env import Engine
from tarock_env.codes import SessionEnd
from tests.lockstep import Trace, describe_deal, engine_result, play, session_state
from tests.reference.session import SessionReferee
from tests.styles import draw_styles

HANDS = 20


def play_sessions(
    engine: Engine, keys: np.ndarray, rng: np.random.Generator, hands: int = HANDS
) -> Iterator[tuple[Trace, list[list[str]]]]:
    """Play one session a key to its end.

    Yields:
        All hands with the same place in their sessions, and for each what the referee of sessions sees otherwise.
        Decisions and results of the hands are still to be compared.
    """
    match = engine.ruleset.session.end == SessionEnd.MATCH
    agreed = None if match else engine.ruleset.session.hands or hands
    state = engine.reset(keys=keys, session=True) if agreed is None else engine.reset(keys=keys, hands=agreed)
    referees = [SessionReferee(engine.ruleset.id, engine.options, int(g["dealer"]), agreed) for g in state]
    while len(state):
        found = [_start_differences(engine, g, referee) for g, referee in zip(state, referees, strict=True)]
        trace = play(engine, state, "balanced", draw_styles(len(state), rng), rng)
        for i, referee in enumerate(referees):
            found[i] += _end_differences(trace, i, referee)
        yield trace, found
        rows = np.flatnonzero(~state["session_over"])
        state, referees = engine.take(state, rows), [referees[row] for row in rows]
        dealt = engine.next_hand(state)
        assert dealt == len(state)


def _start_differences(engine: Engine, g: Any, referee: SessionReferee) -> list[str]:
    ours = session_state(engine, g)
    if ours["compulsory"] == "no_trumps" and engine.ruleset.deal.redeal_trumpless:
        referee.throw_in()  # the engine dealt again by itself
    theirs = dict(referee.before)
    found = [] if ours == theirs else [f"before: engine {ours}, referee {theirs}"]
    if int(g["dealer"]) != referee.dealer:
        found.append(f"dealer: engine {int(g['dealer'])}, referee {referee.dealer}")
    hands = describe_deal(engine, g)["hands"]
    if not referee.ruleset.startswith("koenigrufen") and referee.must_throw_in(hands):
        found.append("a trumpless hand is played")
    return found


def _end_differences(trace: Trace, i: int, referee: SessionReferee) -> list[str]:
    engine, g = trace.engine, trace.end[i]
    hands = describe_deal(engine, trace.start[i])["hands"]
    referee.finish(hands, engine_result(engine, g))
    if referee.over != bool(g["session_over"]):
        return [f"over: engine {bool(g['session_over'])}, referee {referee.over}"]
    if referee.over and g["settlement"][: engine.P].tolist() != referee.settlement():
        return [f"settlement: engine {g['settlement'][: engine.P].tolist()}, referee {referee.settlement()}"]
    return []
