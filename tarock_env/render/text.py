"""One position as a table of text: for a seat, or with all hands open."""

from __future__ import annotations

from typing import Any

import numpy as np

from tarock_env.codes import NONE, Mode, Phase
from tarock_env.engine.batch import Engine
from tarock_env.engine.checking import whole
from tarock_env.engine.seats import following
from tarock_env.engine.state import STATE
from tarock_env.record.course import names_of
from tarock_env.render import words
from tarock_env.rulesets.shown import short
from tarock_env.view import VIEW


def render(engine: Engine, views: np.ndarray, row: int = 0) -> str:
    """The table as one seat sees it.

    Args:
        views: (B,) VIEW. row: which of them.

    Raises:
        ValueError: no views, or no such row.
    """
    v = _record_of("views", views, "VIEW", VIEW, row)
    seat = int(v["seat"])
    shown = [int(v["hand"] if s == seat else v["exposed"][s]) for s in range(engine.P)]
    hands = [words.cards(held) if held or s == seat else "(hidden)" for s, held in enumerate(shown)]
    lines = [*_head(engine, v), *_seats(engine, v, hands, seat), *_talon(engine, v), *_bidding(engine, v)]
    lines += [*_statements(engine, v), *_trick(engine, v)]
    return "\n".join(lines + _legal(engine, v))


def render_state(engine: Engine, state: np.ndarray, row: int = 0) -> str:
    """The table with all cards open, and the result once the hand is over.

    Args:
        state: (B,) STATE. row: which of them.

    Raises:
        ValueError: no states, or no such row.
    """
    g = _record_of("state", state, "STATE", STATE, row)
    hands = [words.cards(int(g["hands"][s])) for s in range(engine.P)]
    lines = [*_head(engine, g), *_seats(engine, g, hands, NONE), *_talon(engine, g), *_bidding(engine, g)]
    lines += [*_statements(engine, g), *_trick(engine, g)]
    return "\n".join(lines + (result_lines(engine, g) if g["done"] else _legal(engine, g)))


def _record_of(name: str, given: Any, form: str, dtype: np.dtype, row: int) -> Any:
    """One row of an array of records, if it is one."""
    if getattr(given, "dtype", None) != dtype or given.ndim != 1:
        raise ValueError(f"{name}: {short(given)}; allowed: an array (B,) of {form}")
    return given[whole("row", row, -len(given), len(given) - 1)]


def _line(name: str, text: str) -> str:
    return f"{name:<12}{text}"


def _head(engine: Engine, g: Any) -> list[str]:
    phase = Phase(int(g["phase"]))
    where = phase.name.lower().replace("_", " ")
    if phase == Phase.PLAY:
        where += f", trick {int(g['trick_no']) + 1}"
    if g["actor"] != NONE:
        where += f", seat {g['actor']} to act"
    mode = "" if g["mode"] == Mode.NORMAL else f" ({str(Mode(int(g['mode'])).name).lower()} hand)"
    return [f"{engine.ruleset.title}{mode}: {where}", *_contract(engine, g)]


def _contract(engine: Engine, g: Any) -> list[str]:
    if g["contract"] == NONE:
        return []
    parts = [words.contract_name(engine, int(g["contract"]))]
    if g["declarer"] != NONE:
        parts.append(f"declarer seat {g['declarer']}")
    if g["called"] != NONE:
        parts.append(f"called king of {'SCHD'[g['called']]}" + (' as "the fourth"' if g["by_fourth"] else ""))
    elif g["by_fourth"]:
        parts.append('called "the fourth"')
    if g["contracted"] != NONE:
        parts.append(f"with {words.item_name(engine, int(g['contracted']))}")
    return [_line("contract", ", ".join(parts))]


def _seats(engine: Engine, g: Any, hands: list[str], viewer: int) -> list[str]:
    players = engine.ruleset.players
    lines = []
    for seat in range(engine.P):
        marks = ["you"] if seat == viewer else []
        marks += ["forehand"] if seat == (int(g["dealer"]) + 1) % engine.P else []
        marks += ["dealer"] if seat == g["dealer"] else []
        marks += [words.count(int(g["tricks"][seat]), "trick")] if g["phase"] in (Phase.PLAY, Phase.DONE) else []
        marks += [f"total {g['totals'][seat]}"] if g["totals"].any() else []
        marks += [words.count(int(g["rings"][seat]), "ring")] if g["rings"][seat] else []
        sits_out = players < engine.P and seat == g["dealer"]
        mark = f"  [{', '.join(marks)}]" if marks else ""
        lines.append(_line(f"seat {seat}", ("(sits out)" if sits_out else hands[seat]) + mark))
    return lines


def _talon(engine: Engine, g: Any) -> list[str]:
    slots = [words.card(int(card)) for card in g["talon"]]
    takes = engine.ruleset.contracts[g["contract"]].takes if g["contract"] != NONE else 0
    size = takes if takes else len(slots)
    groups = ["[" + " ".join(slots[i : i + size]) + "]" for i in range(0, len(slots), size)]
    taken = f"  taken: {words.cards(int(g['taken']))}" if g["taken"] else ""
    lines = [_line("talon", " ".join(groups) + taken)]
    if g["discards"]:
        lines.append(_line("discards", words.cards(int(g["discards"]))))
    return lines


def _bidding(engine: Engine, g: Any) -> list[str]:
    spoken = [(seat, words.call_name(engine, int(g["last_call"][seat]))) for seat in range(engine.P)]
    calls = [f"seat {seat} {call}" for seat, call in spoken if call]
    return [_line("last calls", ", ".join(calls))] if calls else []


def _statements(engine: Engine, g: Any) -> list[str]:
    said = []
    for side in range(2):
        for item in range(len(engine.ruleset.bonuses) + 1):
            level = int(g["contra"][side, item]) + int(g["late_contra"][side, item])
            if g["announced"][side, item] or level:
                who = f" by seat {g['announcer'][side, item]}" if g["announcer"][side, item] != NONE else ""
                doubled = f", {words.level_name(level)}" if level else ""
                said.append(f"{words.item_name(engine, item)} ({words.SIDES[side]}{who}{doubled})")
    return [_line("said", "; ".join(said))] if said else []


def _trick(engine: Engine, g: Any) -> list[str]:
    if g["phase"] != Phase.PLAY:
        return []
    seat = int(g["leaders"][g["trick_no"]])
    played = []
    for i in range(int(g["n_plays"]) - int(g["trick_n"]), int(g["n_plays"])):
        played.append(f"seat {seat} {words.card(int(g['plays'][i]))}")
        seat = int(following(g, engine.rules[0], seat))
    return [_line("trick", ", ".join(played) or "–")]


def _legal(engine: Engine, g: Any) -> list[str]:
    names = names_of(engine, g["legal_cards"], g["legal_calls"])
    return [_line("legal", " ".join(names))] if names else []


def result_lines(engine: Engine, g: Any) -> list[str]:
    """Items and scores of a finished hand, one a line."""
    lines = []
    for i in range(int(g["n_items"])):
        parts = [words.item_name(engine, int(g["item_kind"][i])), f"({words.side_name(int(g['item_side'][i]))})"]
        parts += ["announced"] if g["item_announced"][i] else []
        parts += [words.level_name(int(g["item_contra"][i]))] if g["item_contra"][i] else []
        lines.append(_line("item", f"{' '.join(parts)}: {words.signed([int(g['item_value'][i])])}"))
    lines.append(_line("scores", words.signed(g["scores"][: engine.P].tolist())))
    if g["session_over"] and g["settlement"].any():
        lines.append(_line("settlement", words.signed(g["settlement"][: engine.P].tolist())))
    return lines
