"""A whole hand as text, from its record."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from tarock_env.cards import CODES
from tarock_env.codes import NONE, Phase
from tarock_env.engine.batch import Engine
from tarock_env.record import open_record
from tarock_env.record.opening import RecordError
from tarock_env.render import words
from tarock_env.render.text import result_lines
from tarock_env.rulesets.shown import printable

_HEADINGS = {
    Phase.CUT: "Deal",
    Phase.PACKET: "Deal",
    Phase.AUCTION: "Auction",
    Phase.CHOICE: "Auction",
    Phase.CALL_KING: "King",
    Phase.TALON: "Talon",
    Phase.DISCARD: "Discards",
    Phase.RAISE: "Raise",
    Phase.ANNOUNCE: "Statements",
    Phase.PLAY: "Play",
}


def annotate(record: Mapping[str, Any]) -> str:
    """A record as text: deal, auction, king, talon, discards, statements, tricks with their winners, items, scores.

    Args:
        record: `record-format` 1, from `tarock_env.record.write` or read from a file.

    Raises:
        RecordError: it cannot be read or set up, or holds an illegal action.
    """
    opening = open_record(record)
    engine, state = opening.engine, opening.state
    lines = [*_opening_lines(engine, record), *_deal_lines(engine, state[0])]
    story = _Story(engine, state)
    for number, name in enumerate(record["actions"]):
        if state["done"][0]:
            raise RecordError(f"decision {number}: {name!r} comes after the end of the hand")
        story.tell(name, number)
    lines += story.lines
    if state["done"][0]:
        lines += ["", "Result", *(f"  {line}" for line in _outcome(engine, state[0]))]
    return "\n".join(lines)


def _opening_lines(engine: Engine, record: Mapping[str, Any]) -> list[str]:
    options = ", ".join(f"{name} = {value}" for name, value in engine.options.items())
    meta = record.get("meta") or {}
    lines = [f"{engine.ruleset.title}" + (f" ({options})" if options else "")]
    return lines + [printable(f"  {key}: {value}") for key, value in meta.items()]


def _deal_lines(engine: Engine, g: Any) -> list[str]:
    lines = ["", f"Cards (dealer seat {g['dealer']}, forehand seat {(int(g['dealer']) + 1) % engine.P})"]
    for seat in range(engine.P):
        sits_out = engine.ruleset.players < engine.P and seat == g["dealer"]
        lines.append(f"  seat {seat}  {'sits out' if sits_out else words.cards(int(g['hands'][seat]))}")
    return [*lines, f"  talon   {' '.join(words.card(int(card)) for card in g['talon'])}"]


class _Story:
    """The lines of a hand as it is carried out on a (1,) state."""

    def __init__(self, engine: Engine, state: np.ndarray) -> None:
        self.engine, self.state = engine, state
        self.lines: list[str] = []
        self.heading = ""
        self.spoken: list[str] = []  #: calls of the present turn
        self.turn = NONE  #: seat whose turn it is

    def tell(self, name: str, number: int) -> None:
        """Carry out one action and write what it means."""
        phase, seat = Phase(int(self.state["phase"][0])), int(self.state["actor"][0])
        self._head(_HEADINGS[phase])
        trick = int(self.state["trick_no"][0])
        index = self.engine.actions.get(name)
        if index < 0 or name not in self.engine.legal_names(self.state):
            legal = ", ".join(self.engine.legal_names(self.state))
            raise RecordError(f"decision {number}: {name!r} is not legal for seat {seat}; legal: {legal}")
        self.engine.step(self.state, index)
        if phase == Phase.PLAY:
            self._tell_play(name, seat, trick)
        else:
            self._tell_call(name, seat, phase)

    def _head(self, heading: str) -> None:
        if heading != self.heading:
            self._close_turn()
            self.lines += ["", heading]
            self.heading = heading

    def _tell_call(self, name: str, seat: int, phase: Phase) -> None:
        """Calls of one turn stand in one line."""
        if seat != self.turn:
            self._close_turn()
        self.turn = seat
        self.spoken.append(name + self._meaning(name, phase))
        if self.state["phase"][0] != phase or self.state["actor"][0] != seat:
            self._close_turn()

    def _meaning(self, name: str, phase: Phase) -> str:
        g = self.state[0]
        if phase == Phase.TALON:
            return f" ({words.cards(int(g['taken']))})"
        if phase == Phase.CALL_KING:
            partner = "nobody's: it lies in the talon" if g["partner"] == NONE else f"held by seat {g['partner']}"
            return f" ({'own king' if self._has_called_king() else partner})"
        if phase == Phase.DISCARD and CODES.index(name) >= 0 and int(g["shown"]) >> CODES.index(name) & 1:
            return " (shown)"
        return ""

    def _has_called_king(self) -> bool:
        g = self.state[0]
        return bool(int(g["hands"][g["declarer"]]) >> (8 * int(g["called"]) + 7) & 1)

    def _close_turn(self) -> None:
        if self.spoken:
            self.lines.append(f"  seat {self.turn}  {', '.join(self.spoken)}")
        self.spoken, self.turn = [], NONE

    def _tell_play(self, name: str, seat: int, trick: int) -> None:
        self.spoken.append(f"{seat}:{name:<3}")
        g = self.state[0]
        if g["trick_no"] > trick:
            self.lines.append(f"  {trick + 1:>2}  {' '.join(self.spoken)}  seat {g['leaders'][trick + 1]} takes it")
            self.spoken = []


def _outcome(engine: Engine, g: Any) -> list[str]:
    if g["contract"] == NONE:
        return ["thrown in"]
    head = f"{words.contract_name(engine, int(g['contract']))}"
    head += f", declarer seat {g['declarer']}" if g["declarer"] != NONE else ""
    head += f" with seat {g['partner']}" if g["partner"] != NONE else ""
    tricks = ", ".join(f"seat {s} {words.count(int(g['tricks'][s]), 'trick')}" for s in range(engine.P))
    return [head, tricks, *result_lines(engine, g)]
