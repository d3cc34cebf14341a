"""The counts of ``tests/cases/perft``: the engine's in full, the referees' as deep as time allows, and the command."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import tarock_env
from tarock_env.cards import HONOURS
from tests import perft

RULESETS = tarock_env.available()
REFEREE_NODES = 500  #: a position, in the default suite


def positions(ruleset: str, part: str = "") -> list[dict[str, Any]]:
    """The positions of a ruleset's file, or those of one part of the hand."""
    return [position for position in perft.read(ruleset)["positions"] if part in ("", position["count"])]


@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_engine_counts_what_the_files_say(ruleset: str) -> None:
    for position in positions(ruleset):
        found = perft.recount(ruleset, position, len(position["sequences"]))
        assert perft.differences(position, found) == []


@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_referee_counts_the_same(ruleset: str) -> None:
    counted = 0
    for position in positions(ruleset):
        depth = perft.depth_within(position, REFEREE_NODES)
        found = perft.recount(ruleset, position, depth, by_referee=True)
        assert perft.differences(position, found) == []
        counted += found.nodes
    assert counted > 2000


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_referee_counts_the_same_to_the_end(ruleset: str) -> None:
    for position in positions(ruleset):
        found = perft.recount(ruleset, position, len(position["sequences"]), by_referee=True)
        assert perft.differences(position, found) == []


@pytest.mark.parametrize("ruleset", RULESETS)
def test_every_contract_is_there(ruleset: str) -> None:
    rows = tarock_env.load(ruleset).contracts
    last = {position["name"].removeprefix("last three tricks, ")[:-2] for position in positions(ruleset, "play")}
    assert last == {row.id for row in rows if row.doors}
    rounds = {position["name"].removeprefix("announcements, ") for position in positions(ruleset, "announcements")}
    assert rounds >= {row.id for row in rows if row.bonuses and row.announcing}
    assert positions(ruleset, "auction")


@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_last_tricks_hold_what_is_rare(ruleset: str) -> None:
    """Most hands are played to the last card, and in some the three honours are in three hands: an Emperor's trick."""
    apart, whole = 0, []
    for position in positions(ruleset, "play"):
        engine = perft.engine_of(ruleset, position["options"])
        g = perft.set_up(engine, position)[0]
        whole.append(len(position["sequences"]) == 3 * engine.ruleset.players)
        assert position["complete"][-1] == position["sequences"][-1] > 1
        apart += int((g["hands"] & HONOURS != 0).sum()) == 3
    assert sum(whole) > 0.7 * len(whole)
    assert apart >= 1


def test_a_changed_rule_counts_differently() -> None:
    position = next(p for p in positions("koenigrufen_pagat", "announcements") if p["name"].endswith("rufer"))
    depth = len(position["sequences"])
    again = perft.recount("koenigrufen_pagat", position, depth)
    changed = perft.recount("koenigrufen_pagat", position | {"options": {"kontra_max": 0}}, depth)
    assert perft.differences(position, again) == []
    assert perft.differences(position, changed) != []


def test_the_files_explain_themselves() -> None:
    for ruleset in RULESETS:
        content = perft.read(ruleset)
        assert (content["format"], content["ruleset"], content["about"]) == (perft.FORMAT, ruleset, perft.ABOUT)
        names = [position["name"] for position in content["positions"]]
        assert len(set(names)) == len(names)


def test_the_command_tells_a_difference_and_writes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    good = (perft.FOLDER / "slovenian_3p.json").read_text(encoding="utf-8")
    content = json.loads(good)
    content["positions"][0]["sequences"][2] += 1
    monkeypatch.setattr(perft, "FOLDER", tmp_path)
    perft.write("slovenian_3p", content["positions"])
    assert perft.main(["--ruleset", "slovenian_3p"]) == 1
    assert "auction 1: sequences [6, 21, 56," in capsys.readouterr().out
    assert perft.main(["--ruleset", "slovenian_3p", "--write"]) == 0
    assert "nodes/s, 0 differences" in capsys.readouterr().out
    assert (tmp_path / "slovenian_3p.json").read_text(encoding="utf-8") == good
    assert perft.main(["--ruleset", "slovenian_3p", "--referee", "--nodes", "60"]) == 0
    with pytest.raises(SystemExit, match="2"):
        perft.main(["--referee", "--write"])
