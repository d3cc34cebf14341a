"""A ruleset that contradicts itself is refused: the error names the ruleset, the field, the value and what is allowed."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import pytest

import tarock_env
from tarock_env import RulesetError
from tarock_env.codes import Objective, Talon
from tarock_env.rulesets.schema import Bonus, Contract, Ruleset

GOOD = tarock_env.load("koenigrufen_pagat")
THREE = tarock_env.load("slovenian_3p")
RECORDS = Path(__file__).parents[1] / "cases" / "records"


def with_contract(name: str, **columns: Any) -> dict[str, Any]:
    """The contract table with one row changed."""
    return {"contracts": tuple(dataclasses.replace(c, **columns) if c.id == name else c for c in GOOD.contracts)}


def with_bonus(name: str, **columns: Any) -> dict[str, Any]:
    """The bonus table with one row changed."""
    return {"bonuses": tuple(dataclasses.replace(b, **columns) if b.id == name else b for b in GOOD.bonuses)}


def with_table(name: str, **columns: Any) -> dict[str, Any]:
    """One of the single tables changed."""
    return {name: dataclasses.replace(getattr(GOOD, name), **columns)}


PACKETS = GOOD.deal.packets
BAD: list[tuple[dict[str, Any], str]] = [
    ({"players": 5}, "players is 5; allowed: 3 or 4"),
    ({"seats": 6}, "seats is 6; allowed: players, or one more up to 5"),
    ({"contracts": (*GOOD.contracts, GOOD.contracts[0])}, "contracts is ['rufer']; allowed: each name once"),
    ({"bonuses": (*GOOD.bonuses, GOOD.bonuses[0])}, "bonuses is ['trull']; allowed: each name once"),
    ({"options": (*GOOD.options, GOOD.options[0])}, "options is ['table_size']; allowed: each name once"),
    (
        {"contracts": tuple(dataclasses.replace(GOOD.contracts[0], id=f"c{i}") for i in range(21))},
        "contracts is '21 rows'; allowed: at most 20",
    ),
    (with_table("deal", packets=(*PACKETS, (4, 1))), "deal.packets is (4, 1); allowed: (-1 … 3, at least 1)"),
    (with_table("deal", packets=(*PACKETS[1:], (0, 5))), "allowed: 6 talon cards and 12 a seat"),
    (with_contract("dreier", takes=4), "contract 'dreier': takes is 4; allowed: (0, 1, 2, 3, 6)"),
    (with_contract("dreier", value=-1), "contract 'dreier': value is (-1, 0); allowed: 0 or more"),
    (
        with_contract("dreier", raise_from=("vierer",)),
        "contract 'dreier': raise_from/only_over is 'vierer'; allowed: ['rufer',",
    ),
    (with_contract("dreier", only_over="vierer"), "contract 'dreier': raise_from/only_over is 'vierer'; allowed: ['rufer',"),
    (with_contract("dreier", bonuses=("mondo",)), "contract 'dreier': bonuses is 'mondo'; allowed: ['trull',"),
    (with_contract("dreier", demands=("mondo",)), "contract 'dreier': bonuses is 'mondo'; allowed: ['trull',"),
    (with_contract("rufer", objective=Objective.FEWEST), "allowed: without king, exchange and bonuses"),
    (with_contract("rufer", rest=3), "contract 'rufer': rest is 3; allowed: Talon"),
    (with_contract("rufer", calls_king=1), "contract 'rufer': calls_king is 1; allowed: bool"),
    (with_contract("rufer", value=True), "contract 'rufer': value is True; allowed: int"),
    (with_bonus("trull", cards=("T1", "T99")), "bonus 'trull': cards is 'T99'; allowed: card codes"),
    (with_bonus("trull", cards=()), "bonus 'trull': cards is (); allowed: at least one card for this predicate"),
    (with_bonus("uhu", trick_from_end=12), "bonus 'uhu': trick_from_end is 12; allowed: 0 … 11"),
    (with_bonus("uhu", owners=Talon.DEFENCE), "bonus 'uhu': owners is <Talon.DEFENCE: 0>; allowed: Owners"),
    (with_table("auction", wait="yes"), "auction: wait is 'yes'; allowed: bool"),
    (with_table("scoring", payment=1), "scoring: payment is 1; allowed: Payment"),
]


@pytest.mark.parametrize("change, message", BAD, ids=[case[1][:50] for case in BAD])
def test_contradictions_are_refused(change: dict[str, Any], message: str) -> None:
    with pytest.raises(RulesetError) as caught:
        dataclasses.replace(GOOD, **change)
    assert str(caught.value).startswith("ruleset 'koenigrufen_pagat': ")
    assert message in str(caught.value)


COLUMNS = [
    (table, column.name, str(column.type))
    for table, row in (
        ("contracts", Contract),
        ("bonuses", Bonus),
        *((name, type(getattr(GOOD, name))) for name in GOOD.tables),
    )
    for column in dataclasses.fields(row)
    if column.name != "id" and not str(column.type).startswith(("tuple", "float"))
]


@pytest.mark.parametrize("table, column, kind", COLUMNS, ids=[f"{table}.{column}" for table, column, _ in COLUMNS])
def test_every_column_has_its_type(table: str, column: str, kind: str) -> None:
    old = getattr(GOOD, table)
    wrong: Any = object()
    new = (dataclasses.replace(old[0], **{column: wrong}), *old[1:]) if isinstance(old, tuple) else None
    with pytest.raises(RulesetError, match=rf"{column} is <object .*; allowed: {kind}$"):
        dataclasses.replace(GOOD, **{table: new or dataclasses.replace(old, **{column: wrong})})


def test_no_king_is_called_with_three_players() -> None:
    rows = tuple(dataclasses.replace(c, calls_king=True) if c.id == "three" else c for c in THREE.contracts)
    with pytest.raises(RulesetError, match="'three': calls_king is True; allowed: only with four players"):
        dataclasses.replace(THREE, contracts=rows)


def test_an_id_is_registered_once() -> None:
    with pytest.raises(RulesetError, match="'koenigrufen_pagat' is taken; taken are: koenigrufen_pagat, koenigrufen_furr"):
        tarock_env.rulesets.register(GOOD)


@pytest.mark.parametrize("ruleset", tarock_env.available())
def test_rulesets_are_frozen(ruleset: str) -> None:
    loaded: Any = tarock_env.load(ruleset)
    for row, column in (
        (loaded, "players"),
        (loaded.contracts[0], "value"),
        (loaded.bonuses[0], "value"),
        (loaded.deal, "knock"),
    ):
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(row, column, 1)


@pytest.mark.parametrize("ruleset", tarock_env.available())
def test_ids_are_those_of_the_record_format(ruleset: str) -> None:
    """Contracts and bonuses bear the names that records by others use."""
    loaded: Ruleset = tarock_env.load(ruleset)
    records = [json.loads(line) for line in (RECORDS / f"{ruleset}.jsonl").read_text(encoding="utf-8").splitlines()]
    named = {action for record in records for action in record["actions"]}
    assert named <= set(loaded.actions.names)
    items = {item["item"] for record in records for item in record["items"]} - {"game"}
    assert items <= {bonus.id for bonus in loaded.bonuses}


@pytest.mark.parametrize("ruleset", tarock_env.available())
def test_the_action_table_goes_both_ways(ruleset: str) -> None:
    actions = tarock_env.load(ruleset).actions
    assert [actions.index(actions.name(i)) for i in range(len(actions))] == list(range(len(actions)))
    assert sorted(i for part in actions.slices.values() for i in range(part.start, part.stop)) == list(range(len(actions)))
    with pytest.raises(ValueError, match="no action 'bid:whist'; the actions are the 54 cards and pass"):
        actions.index("bid:whist")
    for index in (-1, len(actions)):
        with pytest.raises(ValueError, match=f"no action {index}; indices run from 0 to {len(actions) - 1}"):
            actions.name(index)
