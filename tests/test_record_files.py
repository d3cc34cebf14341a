"""The engine replays every record that an independent referee wrote: actor, legal sets, items, scores, card points.

This goes through `Engine` alone, not through `tarock_env.record`.
"""

from __future__ import annotations

import functools
import json
from pathlib import Path
from typing import Any

import pytest

import tarock_env
from tarock_env import Engine
from tests.lockstep import RESULT_KEYS, engine_result
from tests.reference.replay import compare_items

FOLDER = Path(__file__).parent / "cases" / "records"
RULESETS = [name for name in tarock_env.available() if (FOLDER / f"{name}.jsonl").exists()]


@functools.cache
def _engine(ruleset: str, options: str) -> Engine:
    return tarock_env.make(ruleset, **json.loads(options))


def read(ruleset: str) -> list[dict[str, Any]]:
    """All records of a ruleset."""
    return [json.loads(line) for line in (FOLDER / f"{ruleset}.jsonl").read_text(encoding="utf-8").splitlines()]


def replay_differences(record: dict[str, Any]) -> list[str]:
    """What the engine sees otherwise; stops at the first wrong decision."""
    engine = _engine(record["ruleset"], json.dumps(record["options"]))
    state = engine.from_deal(
        record["hands"], record["talon"], record["dealer"], record.get("before"), packets=record.get("packets")
    )
    for t, (action, seat) in enumerate(zip(record["actions"], record["seats"], strict=True)):
        legal = engine.legal_names(state)
        if int(state["actor"][0]) != seat:
            return [f"action {t}: engine seat {int(state['actor'][0])}, record {seat}"]
        if action not in legal or ("legal" in record and sorted(legal) != sorted(record["legal"][t])):
            return [f"action {t} {action}: engine legal {legal}, record {record.get('legal', {}) and record['legal'][t]}"]
        engine.step(state, [engine.actions.index(action)])
    if not state["done"][0]:
        return [f"the hand is not over: seat {int(state['actor'][0])}, {engine.legal_names(state)}"]
    result = engine_result(engine, state[0])
    found = [
        f"{key}: engine {result[key]}, record {record[key]}"
        for key in RESULT_KEYS
        if key in record and result[key] != record[key]
    ]
    return found + compare_items(record["items"], result["items"])


@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_engine_replays_every_record(ruleset: str) -> None:
    records = read(ruleset)
    assert len(records) >= 70
    wrong = {number: found for number, record in enumerate(records, start=1) if (found := replay_differences(record))}
    assert wrong == {}


@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_records_hold_every_contract_and_legal_sets(ruleset: str) -> None:
    records = read(ruleset)
    contracts = {contract.id for contract in tarock_env.load(ruleset).contracts}
    assert {record["contract"] for record in records if record["contract"]} == contracts
    assert any(record["options"] for record in records)
    assert sum("legal" in record for record in records) >= 3


def test_a_changed_score_or_legal_set_is_noticed() -> None:
    record = read("koenigrufen_pagat")[0]
    assert replay_differences(record) == []
    assert replay_differences(record | {"scores": [0, 0, 0, 0]})[0].startswith("scores: engine")
    spoilt = [legal[1:] for legal in record["legal"]]
    assert replay_differences(record | {"legal": spoilt})[0].startswith("action 0 ")
    assert replay_differences(record | {"card_points": [0, 0, 0, 70]})[0].startswith("card_points: engine")
