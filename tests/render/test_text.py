"""Positions and hands as text."""

from __future__ import annotations

import numpy as np
import pytest

import tarock_env
from tarock_env import record
from tarock_env.cards import codes_in
from tarock_env.codes import Phase
from tarock_env.record import RecordError
from tarock_env.render import annotate, render, render_state
from tarock_env.view import observe

RULESETS = tarock_env.available()


def played(ruleset: str, n: int = 30):
    engine = tarock_env.make(ruleset)
    start = engine.reset(n, seed=4)
    final, log = engine.copy(start), engine.new_log(n)
    engine.playout(final, "balanced", log=log)
    return engine, start, final, log


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_seat_is_shown_no_hidden_card(ruleset):
    """Every card in the picture is one that the view holds."""
    engine, start, final, log = played(ruleset, 12)
    for row in range(len(start)):
        state = engine.take(start, [row])
        for action in log[row, : int(final["n_actions"][row])]:
            seat = int(state["actor"][0])
            views = observe(engine, state, seat)
            picture = render(engine, views)
            assert f"seat {seat} to act" in picture
            hidden = [
                codes_in(int(state["hands"][0, s]) & ~int(views["exposed"][0, s])) for s in range(engine.P) if s != seat
            ]
            talon = {int(card) for card in views["talon"][0]}
            known = set(codes_in(sum(1 << card for card in talon if card >= 0)))
            words = set(picture.replace("[", " ").replace("]", " ").replace(",", " ").split())
            assert not (set().union(*hidden) - known) & words
            engine.step(state, int(action))


@pytest.mark.parametrize("options", [{"table_size": 5}, {}], ids=str)
def test_a_trick_names_who_played_each_card(options):
    engine = tarock_env.make("koenigrufen_pagat", **options)
    state, trick, seen, passed = engine.reset(1, seed=6), [], 0, set()
    while not state["done"][0]:
        if state["phase"][0] == Phase.PLAY:
            trick = trick if state["trick_n"][0] else []
            line = next(line for line in render_state(engine, state).splitlines() if line.startswith("trick"))
            assert line.split(None, 1)[1] == (", ".join(trick) or "–")
            assert line in render(engine, observe(engine, state))
            seen += len(trick) == 3
        seat, action = int(state["actor"][0]), int(engine.sample(engine.legal(state), engine.keys(state))[0])
        passed |= {seat}
        trick = [*trick, f"seat {seat} {engine.actions.name(action)}"] if action < 54 else []
        engine.step(state, action)
    assert seen >= 5
    assert len(passed) == 4, "the dealer of five sits out"


@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_whole_state_shows_every_card_and_the_result(ruleset):
    engine, start, final, _ = played(ruleset)
    for row in range(5):
        picture = render_state(engine, start, row)
        for seat in range(engine.P):
            assert " ".join(codes_in(int(start["hands"][row, seat]))) in picture
        assert "legal" in picture
        result = render_state(engine, final, row)
        assert "scores" in result
        assert "legal" not in result


@pytest.mark.parametrize("ruleset", RULESETS)
def test_annotated_hands_tell_every_action_and_score(ruleset):
    engine, start, final, log = played(ruleset)
    for row, line in enumerate(record.write_all(engine, start, log)):
        text = annotate(line)
        assert text.startswith(engine.ruleset.title)
        assert "Result" in text
        if line["contract"] is not None:
            assert line["contract"] in text.split("Result")[1]
        for item in line["items"]:
            assert item["item"] in text.split("Result")[1]
        scores = "  ".join(f"{score:+d}" if score else "0" for score in line["scores"])
        assert scores in text
        tricks = int(final["trick_no"][row])
        assert text.count("takes it") == tricks
        spoken = text.split("Result")[0]
        assert all(name in spoken for name in line["actions"])


def test_an_annotated_hand_reads_like_a_story():
    engine, start, _, log = played("koenigrufen_pagat", 40)
    lines = list(record.write_all(engine, start, log, metas=[{"agents": "balanced"}] * 40))
    called = next(
        line for line in lines if any(name.startswith("talon:") for name in line["actions"]) and line["partner"] is not None
    )
    text = annotate(called)
    for heading in ("Cards", "Auction", "King", "Talon", "Discards", "Statements", "Play", "Result"):
        assert f"\n{heading}" in text
    assert "agents: balanced" in text
    assert f"held by seat {called['partner']}" in text


def test_what_cannot_be_told_is_refused():
    engine, start, _, log = played("koenigrufen_pagat", 1)
    line = record.write(engine, start, log)
    with pytest.raises(RecordError, match=r"decision 0: 'T1' is not legal for seat \d; legal: "):
        annotate(line | {"actions": ["T1"]})
    with pytest.raises(RecordError, match="after the end"):
        annotate(line | {"actions": line["actions"] + ["pass"]})
    for views in (start, [1], None, observe(engine, start).reshape(1, 1)):
        with pytest.raises(ValueError, match=r"views: .*; allowed: an array \(B,\) of VIEW"):
            render(engine, views)
    for state in (np.zeros(1), [1], start[0]):
        with pytest.raises(ValueError, match=r"state: .*; allowed: an array \(B,\) of STATE"):
            render_state(engine, state)
    for row in (1, -2, "0", 0.0, None):
        with pytest.raises(ValueError, match=r"row is .*; allowed: a whole number in -1 … 0"):
            render_state(engine, start, row)


def test_what_a_record_says_does_not_steer_the_terminal():
    engine, start, _, log = played("koenigrufen_pagat", 1)
    line = record.write(engine, start, log) | {"meta": {"run\x1b[2J": "\x1b[31m", "list": ["\x07", "ä\ud800"]}}
    told = [text for text in annotate(line).split("\n") if not text.isprintable()]
    assert told == []
    assert r"  run\x1b[2J: \x1b[31m" in annotate(line).split("\n")
