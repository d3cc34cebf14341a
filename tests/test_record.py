"""Records: written, read, replayed, verified; clones of states at every decision."""

from __future__ import annotations

import copy
import json
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tarock_env
from tarock_env import record as records
from tarock_env.codes import NONE, Phase
from tarock_env.record import opening, strict
from tarock_env.record.files import to_line

CASES = sorted((Path(__file__).parent / "cases" / "records").glob("*.jsonl"))
PLAYABLE = [path for path in CASES if path.stem in tarock_env.available()]
RULESET = "koenigrufen_pagat"

Record = dict[str, Any]


def hands_of(
    n: int, policy: str = "balanced", seed: int = 5, **options: Any
) -> tuple[Any, np.ndarray, np.ndarray, np.ndarray]:
    """An engine, `n` hands at their starts, at their ends, and the log between."""
    engine = tarock_env.make(RULESET, **options)
    state = engine.reset(n, seed)
    start, log = engine.copy(state), engine.new_log(n)
    engine.playout(state, policy, log=log)
    return engine, start, state, log


def played(n: int = 1, **options: Any) -> list[Record]:
    engine, start, _, log = hands_of(n, **options)
    return list(records.write_all(engine, start, log, legal=True))


def test_there_are_cases() -> None:
    assert RULESET in {path.stem for path in PLAYABLE}


@pytest.mark.parametrize("path", PLAYABLE, ids=lambda path: path.stem)
def test_every_case_is_verified(path: Path) -> None:
    read = list(records.read_lines(path))
    found = records.verify_all([records.open_record(record) for record in read])
    assert len(read) >= 50
    assert {number: differences for number, differences in enumerate(found, start=1) if differences} == {}


@pytest.mark.parametrize("path", PLAYABLE, ids=lambda path: path.stem)
def test_a_case_replayed_and_written_again_is_the_same(path: Path) -> None:
    for record in records.read_lines(path):
        opening = records.open_record(record)
        engine, log = opening.engine, opening.engine.new_log(1)
        names = record["actions"]
        log[0, : len(names)] = [engine.actions.index(name) for name in names]
        again = records.write(engine, opening.state, log, legal="legal" in record, session=record.get("session"))
        told = {key: value for key, value in record.items() if key in again or key not in ("before", "after", "meta")}
        assert comparable(again) == comparable(told)


def comparable(record: Record) -> Record:
    """Without `meta`, and without the order of what is a set."""
    plain = {key: value for key, value in record.items() if key != "meta"}
    plain["hands"] = [sorted(hand) for hand in record["hands"]]
    plain["items"] = sorted(json.dumps(item, sort_keys=True) for item in record["items"])
    if "legal" in record:
        plain["legal"] = [sorted(names) for names in record["legal"]]
    if "packets" in record:
        plain["packets"] = [sorted(packet) for packet in record["packets"]]
    return plain


@pytest.mark.parametrize("ruleset", tarock_env.available())
def test_balanced_hands_round_trip(ruleset: str, tmp_path: Path) -> None:
    engine = tarock_env.make(ruleset)
    state = engine.reset(200, 11)
    start, log = engine.copy(state), engine.new_log(200)
    engine.playout(state, "balanced", log=log)
    metas = [{"index": i} for i in range(200)]
    written = list(records.write_all(engine, start, log, legal=True, metas=metas))
    assert records.write_lines(tmp_path / "hands.jsonl", written) == 200
    read = list(records.read_lines(tmp_path / "hands.jsonl"))
    assert read == written
    assert [records.verify(record) for record in read] == [[]] * 200
    assert len({record["contract"] for record in read}) >= len(engine.ruleset.contracts) // 2
    assert all(len(record["scores"]) == engine.P for record in read)


@pytest.mark.parametrize(
    "options", [{"knock": "agent"}, {"knock": "random"}, {"knock": "always"}, {"knock": "agent", "table_size": 5}], ids=str
)
def test_knock_deals_round_trip(options: Record) -> None:
    written = played(60, **options)
    assert any("packets" in record for record in written)
    for record in written:
        assert records.verify(record) == []
        assert ("packets" in record) == ("knock" in record["actions"])
        assert sorted(len(hand) for hand in record["hands"]) == [0] * (len(record["hands"]) - 4) + [12] * 4


def test_a_row_is_written_as_in_its_batch() -> None:
    engine, start, _, log = hands_of(4)
    for row, record in enumerate(records.write_all(engine, start, log)):
        assert records.write(engine, start, log, row) == record


def test_an_unfinished_hand_is_not_written() -> None:
    engine, start, _, log = hands_of(2)
    log[1, 3:] = 255
    with pytest.raises(records.RecordError, match="row 1: the log stops or is illegal after 3 decisions"):
        list(records.write_all(engine, start, log))


def test_only_options_that_differ_are_written() -> None:
    (record,) = played(kontra_max=3, birds=2)
    assert record["options"] == {"birds": 2}


# ------------------------------------------------------------------ replay


def test_replay_stops_at_any_decision() -> None:
    (record,) = played()
    for decision, seat in enumerate(record["seats"]):
        engine, state = records.replay(record, decision)
        assert state["actor"][0] == seat
        assert state["n_actions"][0] == decision
        assert engine.legal_names(state) == record["legal"][decision]
    _, state = records.replay(record)
    assert state["done"][0]
    assert state["scores"][0].tolist()[:4] == record["scores"]


def test_replay_uses_one_engine_for_the_same_options() -> None:
    first, second = played(2, kontra_max=5)
    assert records.replay(first)[0] is records.replay(second, 0)[0]


@pytest.mark.parametrize("decision", [-1, 10_000, True, "3"])
def test_a_decision_that_does_not_exist(decision: Any) -> None:
    with pytest.raises(records.RecordError, match="allowed: 0 …"):
        records.replay(played()[0], decision)


@pytest.mark.parametrize("clone", [copy.deepcopy, lambda s: pickle.loads(pickle.dumps(s)), tarock_env.Engine.copy])
def test_clones_continue_alike_and_on_their_own(clone: Callable[[Any], Any]) -> None:
    """At every decision: the clone goes on as the original does, and leaves it alone."""
    engine, start, final, log = hands_of(3)
    state = engine.copy(start)
    for t in range(int(final["n_actions"].max())):
        twin = clone(state)
        before = contents(state)
        for later in range(t, int(final["n_actions"].max())):
            engine.step(twin, log[:, later].astype(np.int64))
        assert contents(state) == before
        assert contents(twin) == contents(final)
        engine.step(state, log[:, t].astype(np.int64))


def contents(state: np.ndarray) -> Record:
    """All fields; `copy.deepcopy` does not copy the padding between them."""
    return {name: state[name].tolist() for name in state.dtype.names or ()}


def test_engines_are_pickled_by_what_they_play() -> None:
    engine, start, final, log = hands_of(2, kontra_max=5)
    twin = pickle.loads(pickle.dumps(copy.deepcopy(engine)))
    assert twin.options == {"kontra_max": 5}
    assert twin.digest() == engine.digest()
    for t in range(int(final["n_actions"].max())):
        twin.step(start, log[:, t].astype(np.int64))
    assert contents(start) == contents(final)


# ------------------------------------------------------------------ disagreements


DAMAGES: dict[str, tuple[Callable[[Record], Any], str]] = {
    "score": (lambda r: r["scores"].__setitem__(0, 999), "scores: record"),
    "card points": (lambda r: r.__setitem__("card_points", [1, 2, 3, 4]), "card_points: record"),
    "contract": (lambda r: r.__setitem__("contract", "nothing"), "contract: record 'nothing'"),
    "declarer": (lambda r: r.__setitem__("declarer", 7), "declarer: record 7"),
    "partner": (lambda r: r.__setitem__("partner", True), "partner: record True"),
    "item value": (lambda r: r["items"][0].__setitem__("value", 77), "items: "),
    "item missing": (lambda r: r["items"].pop(), "items: "),
    "item twice": (lambda r: r["items"].append(r["items"][0]), "2 times in the record, 1 times"),
    "seat": (lambda r: r["seats"].__setitem__(9, (r["seats"][9] + 1) % 4), "decision 9: record seat"),
    "seat missing": (lambda r: r["seats"].pop(), "seats: "),
    "legal": (lambda r: r["legal"][4].append("T1 "), "decision 4: legal only in the record: ['T1 ']"),
    "legal missing": (lambda r: r["legal"][4].pop(), "decision 4: legal only in the record: [], only for the engine: ["),
    "legal sets": (lambda r: r["legal"].pop(), "legal: "),
    "illegal": (lambda r: r["actions"].__setitem__(2, "end"), "decision 2: 'end' is not legal for seat"),
    "unknown action": (lambda r: r["actions"].__setitem__(2, "shout"), "decision 2: 'shout' is not legal for seat"),
    "card again": (lambda r: r["actions"].__setitem__(-1, r["actions"][-2]), "is not legal for seat"),
    "too long": (
        lambda r: (r["actions"].append("T1"), r["seats"].append(0), r.pop("legal")),
        "comes after the end of the hand",
    ),
    "too short": (lambda r: (r["actions"].pop(), r["seats"].pop(), r.pop("legal")), "actions end, but the hand does not"),
    "after": (lambda r: r.__setitem__("after", {"rings": [9, 9, 9, 9]}), "after: rings is [9, 9, 9, 9] in the record"),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_damage_is_found_where_it_is(damage: str) -> None:
    record = copy.deepcopy(next(r for r in played(40) if r["card_points"] and r["partner"] is not None))
    harm, message = DAMAGES[damage]
    harm(record)
    found = records.verify(record)
    assert any(message in difference for difference in found), found
    if damage in ("illegal", "unknown action", "card again", "too long"):
        with pytest.raises(records.RecordError, match=r"decision \d+: "):
            records.replay(record)


def test_what_is_absent_is_not_compared() -> None:
    (record,) = played()
    needed = ("format", "ruleset", "dealer", "hands", "talon", "actions")
    assert records.verify({key: record[key] for key in needed}) == []


def test_sets_are_compared_without_order() -> None:
    record = copy.deepcopy(played()[0])
    record["legal"] = [names[::-1] for names in record["legal"]]
    record["items"].reverse()
    record["hands"] = [hand[::-1] for hand in record["hands"]]
    record |= {"meta": {"anything": [1], "remark": "not compared"}}
    assert records.verify(record) == []


def test_packets_that_were_not_chosen_so() -> None:
    """Two seats' hands exchanged: what they took does not fit, and soon an action is impossible."""
    record = copy.deepcopy(played(knock="always")[0])
    record["hands"][0], record["hands"][1] = record["hands"][1], record["hands"][0]
    assert [found for found in records.verify(record) if found.startswith("hands: seat ")] != []


TRUMPLESS = ("tarok_furr_4p", "tarok_furr_3p", "slovenian_4p", "slovenian_3p", "illustrated_tarock", "koenigrufen_pagat")


def _trumpless(ruleset: str, before: dict[str, Any] | None, **options: Any) -> list[str]:
    """What `verify` finds in a hand whose first seat was dealt the lowest plain cards."""
    engine = tarock_env.make(ruleset, **options)
    size, seats = 48 // engine.P, engine.P
    order = list(range(54))
    hands = [order[seat * size : (seat + 1) * size] for seat in range(seats)]
    state = engine.from_deal(hands, order[48:], 0, before)
    log = engine.new_log(1)
    engine.playout(engine.copy(state), "random", log=log)
    return records.verify(records.write(engine, state, log))


@pytest.mark.parametrize("ruleset", TRUMPLESS)
def test_a_deal_that_the_rules_throw_in_is_no_record(ruleset: str) -> None:
    engine = tarock_env.make(ruleset)
    empty = [seat for seat in range(engine.P) if (seat + 1) * 48 // engine.P <= 32]
    told = [f"hands: seat {seat} has no trump; such a deal is thrown in and dealt again" for seat in empty]
    assert _trumpless(ruleset, None) == (told if engine.ruleset.deal.redeal_trumpless else [])


def test_a_trumpless_hand_is_played_where_the_hand_is_compulsory_already() -> None:
    forced = {"scores": [0, 1, 2, 3], "compulsory": "score"}
    assert _trumpless("tarok_furr_4p", forced, redeal_in_forced=False) == []
    assert _trumpless("tarok_furr_4p", forced, redeal_in_forced=True) != []
    assert _trumpless("slovenian_4p", None, restricted_rounds=False) == []


@pytest.mark.parametrize(
    ("ruleset", "scores", "wanted"),
    [
        ("tarok_furr_4p", [1000, 7, 7, 7], ""),
        ("tarok_furr_4p", [-500, 7, 7, 7], ""),
        ("tarok_furr_4p", [499, 7, 7, 7], "0 or a multiple of 500"),
        ("slovenian_4p", [0, 7, 7, 7], ""),
        ("slovenian_4p", [500, 7, 7, 7], "0"),
    ],
)
def test_a_hand_is_compulsory_by_a_total_that_explains_it(ruleset: str, scores: list[int], wanted: str) -> None:
    """Part K 18."""
    engine = tarock_env.make(ruleset)
    state, log = engine.reset(1, seed=1, before={"scores": scores, "compulsory": "score"}), engine.new_log(1)
    engine.playout(engine.copy(state), "random", log=log)
    told = [f"before: compulsory is 'score', but no total of {scores} is {wanted}"] if wanted else []
    assert records.verify(records.write(engine, state, log)) == told


# ------------------------------------------------------------------ refusals


REFUSALS: dict[str, tuple[Record, str]] = {
    "another version": ({"format": "tarock-record/2", "moves": []}, r"'tarock-record/2' and the unknown keys \['moves'\]"),
    "unknown key": ({"score": [0, 0, 0, 0]}, r"unknown keys \['score'\]; allowed: format, .* where meta may hold anything"),
    "too long": ({"actions": ["T1"] * 1025}, "allowed: a list of at most 1024 action names"),
    "before more": ({"before": {"skores": [0, 0, 0, 0]}}, "before has 'skores'; allowed: 'scores', 'rings', 'compulsory'"),
    "after more": ({"after": {"ring": [0] * 4}}, "after is .*; allowed: an object with scores, rings, compulsory"),
    "session more": ({"session": {"id": "s", "hand": 0, "length": 4}}, "session is .*; allowed: an object with id"),
    "meta": ({"meta": [1]}, r"meta is \[1\]; allowed: an object"),
    "huge number": ({"dealer": 10**5000}, "dealer is a int; allowed: seats 0"),
    "no version": ({"format": None}, "format is None"),
    "unknown ruleset": ({"ruleset": "skat"}, "no ruleset 'skat'; available: "),
    "unknown option": ({"options": {"stakes": 2}}, "has no option 'stakes'"),
    "option value": ({"options": {"kontra_max": 4}}, "kontra_max = 4; allowed: "),
    "option type": ({"options": {"forehand_may_pass": 1}}, "forehand_may_pass = 1"),
    "options": ({"options": [1]}, r"options is \[1\]; allowed: an object"),
    "dealer": ({"dealer": 4}, "dealer is 4; allowed: seats 0 … 3"),
    "dealer type": ({"dealer": "0"}, "dealer is '0'; allowed: a seat index"),
    "hands": ({"hands": [["T1"]] * 4}, "seat 0 has 1 cards; allowed: 12"),
    "hands type": ({"hands": 5}, "hands is 5"),
    "talon": ({"talon": ["T1"]}, "the talon has 1 cards"),
    "card": ({"talon": ["T1", "T2", "T3", "T4", "T5", "T23"]}, "no card 'T23'"),
    "actions": ({"actions": "pass"}, "actions is 'pass'"),
    "before null": ({"before": {"scores": None}}, r"before\['scores'\] is None; allowed: 4 whole numbers"),
    "before rings": ({"before": {"rings": [1000001, 0, 0, 0]}}, r"before\['rings'\] is \[1000001, 0, 0, 0\]; allowed: 4"),
    "before list": ({"before": {"compulsory": []}}, r"\[\]; allowed: null, 'no_trumps', 'score'"),
    "session": ({"session": {"id": "s", "hand": -1}}, "allowed: an object with id .* >= 0"),
    "before": ({"before": {"scores": [1]}}, r"before\['scores'\] is \[1\]"),
    "before reason": ({"before": {"compulsory": "bored"}}, "'bored'; allowed: null, 'no_trumps', 'score'"),
    "packets": ({"packets": [["T1"]] * 4}, "packets are given"),
}


@pytest.mark.parametrize("name", REFUSALS)
def test_records_that_cannot_be_set_up(name: str) -> None:
    changes, message = REFUSALS[name]
    record = {**played()[0], **changes}
    for use in (records.verify, records.replay, records.open_record):
        with pytest.raises(records.RecordError, match=message):
            use(record)


def nest(depth: int) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize("depth", [60, 985, 5000])
@pytest.mark.parametrize("key", opening.KEYS)
def test_what_is_nested_too_deep_is_told(key: str, depth: int) -> None:
    record = {**played()[0], key: [{"item": nest(depth)}]}
    for use in (records.verify, records.replay, records.open_record):
        with pytest.raises(records.RecordError, match="nested too deep; allowed: lists and objects 50 deep"):
            use(record)


def test_fifty_deep_is_allowed() -> None:
    assert [strict.is_nested(nest(depth)) for depth in (0, 1, 50, 51)] == [False, False, False, True]


@pytest.mark.parametrize("points", [5, 0.5, True, "x", {"a": 1}])
def test_card_points_of_a_hand_without_contract(points: Any) -> None:
    engine = tarock_env.make(RULESET, forehand_may_pass=True)
    state = engine.reset(1, 5)
    start, log = engine.copy(state), engine.new_log(1)
    while not state["done"][0]:
        engine.step(state, [engine.actions.index("pass")], log)
    record = records.write(engine, start, log)
    assert record["contract"] is None
    assert records.verify({**record, "card_points": [0, 0, 0, 0]}) == []
    assert [found[:12] for found in records.verify({**record, "card_points": points})] == ["card_points:"]


@pytest.mark.parametrize("key", ["ruleset", "dealer", "hands", "talon", "actions"])
def test_a_missing_key_is_named(key: str) -> None:
    record = dict(played()[0])
    del record[key]
    with pytest.raises(records.RecordError, match=f"{key} is missing"):
        records.open_record(record)


def test_a_card_dealt_twice_is_named() -> None:
    record = copy.deepcopy(played()[0])
    record["hands"][0][0] = record["hands"][1][0]
    with pytest.raises(records.RecordError, match=f"dealt twice: {record['hands'][1][0]}"):
        records.open_record(record)


@pytest.mark.parametrize(
    "line", ['{"format": ', "[]", "7", '{"format": "tarock-record/1"}', "\udcff", "[" * 100_000], ids=range(6)
)
def test_a_malformed_line_is_named_by_number(line: str, tmp_path: Path) -> None:
    path = tmp_path / "hands.jsonl"
    records.write_lines(path, played(2))
    with open(path, "ab") as file:
        file.write(b"\n" + line.encode("utf-8", "surrogateescape") + b"\n")
    reader = records.read_lines(path)
    assert len([next(reader), next(reader)]) == 2
    with pytest.raises(records.RecordError, match="line 4: "):
        next(reader)


AMBIGUOUS = {
    '"dealer":': ('"dealer":3,"dealer":', "'dealer' stands twice in an object; allowed: each name once"),
    '"seats":[': ('"seats":[NaN,', "NaN is no JSON number"),
    '"scores":[': ('"scores":[-Infinity,', "-Infinity is no JSON number"),
    '"options":{': ('"options":{"kontra_max":1e999,', "1e999 is too large for a number"),
}


@pytest.mark.parametrize("place", AMBIGUOUS)
def test_what_readers_could_understand_in_two_ways_is_refused(place: str) -> None:
    line = to_line(played()[0])
    assert records.parse(line)["format"] == records.FORMAT
    assert place in line
    changed, message = AMBIGUOUS[place]
    with pytest.raises(records.RecordError, match=f"not JSON: {message}"):
        records.parse(line.replace(place, changed).replace(":{" + '"kontra_max":1e999,}', ':{"kontra_max":1e999}'))


JUNK: list[Any] = [
    None,
    1,
    -1,
    10**30,
    0.5,
    True,
    "x",
    "",
    [],
    [None],
    [[]],
    [[1]],
    {},
    {"id": 1},
    {"scores": 1},
    {"name": 2},
]


@pytest.mark.parametrize("key", [*opening.KEYS])
def test_junk_is_told_and_never_a_crash(key: str) -> None:
    record = played(knock="always")[0]
    for value in [*JUNK, *([junk] * 4 for junk in JUNK), *([[junk] * 12] * 4 for junk in JUNK)]:
        changed = {**record, key: value}
        try:
            told = records.verify(changed)
        except records.RecordError as error:
            told = [str(error)]
        assert all(isinstance(difference, str) and difference for difference in told)


# ------------------------------------------------------------------ files


def test_parquet_round_trip(tmp_path: Path) -> None:
    written = [*played(30), *played(5, knock="always")]
    assert records.write_parquet(tmp_path / "hands.parquet", written) == 35
    assert records.read_parquet(tmp_path / "hands.parquet") == written


@pytest.mark.parametrize("text", ["{", "[" * 100_000, "NaN", '{"a":1,"a":2}'], ids=range(4))
def test_parquet_with_texts_that_are_no_json(text: str, tmp_path: Path) -> None:
    import pyarrow
    import pyarrow.parquet

    path = tmp_path / "hands.parquet"
    records.write_parquet(path, played(3))
    table = pyarrow.parquet.read_table(path)
    column = table.schema.get_field_index("items")
    texts = pyarrow.array([table["items"][0].as_py(), text, None])
    pyarrow.parquet.write_table(table.set_column(column, "items", texts), path)
    with pytest.raises(records.RecordError, match="row 1: items is no JSON text"):
        records.read_parquet(path)


@pytest.mark.parametrize("content", [b"", b"PAR1", b"PAR1" + bytes(40) + b"PAR1", b"x" * 100])
def test_what_is_no_parquet(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(content)
    with pytest.raises(records.RecordError, match="not a Parquet table"):
        records.read_parquet(tmp_path / "x")


def test_parquet_of_something_else(tmp_path: Path) -> None:
    import pyarrow
    import pyarrow.parquet

    pyarrow.parquet.write_table(pyarrow.table({"a": [1]}), tmp_path / "other.parquet")
    with pytest.raises(records.RecordError, match="not a table of tarock-record/1"):
        records.read_parquet(tmp_path / "other.parquet")


def test_records_name_no_seat_that_is_not_there() -> None:
    """A hand's record speaks of table seats only, also where five sit."""
    engine, start, final, log = hands_of(20, table_size=5)
    for row, record in enumerate(records.write_all(engine, start, log)):
        assert record["hands"][record["dealer"]] == []
        assert record["scores"][record["dealer"]] == 0
        assert record["dealer"] not in record["seats"]
        assert (record["declarer"] is None) == (final["declarer"][row] == NONE)
        assert final["phase"][row] == Phase.DONE
