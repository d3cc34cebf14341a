"""Reading a record: its form is checked, and its deal set up at the first decision."""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from tarock_env.engine.batch import Engine
from tarock_env.engine.position import OUTLIVING
from tarock_env.record.strict import NestedError, is_nested, loads
from tarock_env.rulesets import load
from tarock_env.rulesets.options import choose
from tarock_env.rulesets.shown import short

FORMAT = "tarock-record/1"
LONGEST = 1024  #: actions of a hand; none comes near it


class RecordError(ValueError):
    """A record that cannot be read, set up or replayed; the message says where, what was found and what is allowed."""


class Opening(NamedTuple):
    """A record whose deal has been set up."""

    record: Mapping[str, Any]
    engine: Engine
    state: np.ndarray  #: (1,) STATE at the first decision


KEYS = (
    "format", "ruleset", "options", "dealer", "hands", "talon", "packets", "before", "after", "session", "actions", "seats",
    "contract", "declarer", "partner", "card_points", "items", "legal", "scores", "settlement", "meta",
)  # fmt: skip

#: key -> (must be there, what it is, check); lists are looked into by `_is_list_of`
_FORMS: dict[str, tuple[bool, str, Any]] = {
    "ruleset": (True, "a ruleset id", lambda v: isinstance(v, str)),
    "options": (False, "an object", lambda v: isinstance(v, dict)),
    "dealer": (True, "a seat index", lambda v: _is_int(v)),
    "hands": (True, "a list of lists of card codes", lambda v: _is_list_of(v, _is_codes)),
    "talon": (True, "a list of six card codes", lambda v: _is_codes(v)),
    "packets": (False, "four lists of card codes", lambda v: v is None or (_is_list_of(v, _is_codes) and len(v) == 4)),
    "before": (False, "an object", lambda v: v is None or isinstance(v, dict)),
    "after": (False, f"an object with {', '.join(OUTLIVING)}", lambda v: v is None or _has_only(v, OUTLIVING)),
    "session": (False, "an object with id (text) and hand (a whole number >= 0)", lambda v: v is None or _is_session(v)),
    "actions": (True, f"a list of at most {LONGEST} action names", lambda v: _is_codes(v) and len(v) <= LONGEST),
    "seats": (False, "a list of seat indices", lambda v: _is_list_of(v, _is_int)),
    "legal": (False, "a list of lists of action names", lambda v: v is None or _is_list_of(v, _is_codes)),
    "items": (False, "a list of objects", lambda v: _is_list_of(v, lambda item: isinstance(item, dict))),
    "meta": (False, "an object", lambda v: v is None or isinstance(v, dict)),
}


def _is_int(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_list_of(value: object, check: Any) -> bool:
    return isinstance(value, list) and all(check(member) for member in value)


def _is_codes(value: object) -> bool:
    """A list of texts: cards or action names."""
    return _is_list_of(value, lambda member: isinstance(member, str))


def _has_only(value: object, keys: tuple[str, ...]) -> bool:
    return isinstance(value, dict) and all(key in keys for key in value)


def _is_session(value: Any) -> bool:
    if not _has_only(value, ("id", "hand")):
        return False
    return isinstance(value.get("id"), str) and _is_int(value.get("hand")) and value["hand"] >= 0


def parse(text: str | bytes) -> dict[str, Any]:
    """A record from its line of JSON; bytes are UTF-8.

    Raises:
        RecordError: it is no JSON object, or no record of this format.
    """
    try:
        record = loads(text if isinstance(text, str) else text.decode())
    except UnicodeDecodeError as error:
        raise RecordError(f"not UTF-8: byte {error.object[error.start]:#04x} at position {error.start}") from None
    except NestedError as error:
        raise RecordError(str(error)) from None
    except ValueError as error:
        raise RecordError(f"not JSON: {error}") from None
    check_form(record)
    return dict(record)


def check_form(record: object) -> None:
    """Whether the keys that are needed to replay a record are there and of the right types.

    Raises:
        RecordError: with the key and what it must be; also for a key that the format does not have.
    """
    if is_nested(record):
        raise RecordError(str(NestedError()))
    if not isinstance(record, Mapping):
        raise RecordError(f"a record is a JSON object, not {short(record)}")
    version = record.get("format")
    unknown = short(sorted(str(key) for key in record if key not in KEYS))
    if version != FORMAT:
        also = f" and the unknown keys {unknown}" if unknown != "[]" else ""
        raise RecordError(f"format is {short(version)}{also}; this version reads {FORMAT!r} only")
    if unknown != "[]":
        raise RecordError(f"unknown keys {unknown}; allowed: {', '.join(KEYS)}, where meta may hold anything")
    for key, (needed, form, check) in _FORMS.items():
        if key not in record:
            if needed:
                raise RecordError(f"{key} is missing; needed: {form}")
        elif not check(record[key]):
            raise RecordError(f"{key} is {short(record[key])}; allowed: {form}")


def _check_packets(record: Mapping[str, Any]) -> None:
    """A knocked deal has packets, one that was cut has none."""
    given = record.get("packets") is not None
    if "knock" in record["actions"] and not given:
        raise RecordError("packets are missing; needed: the four packets of a deal that was knocked")
    if "cut" in record["actions"] and given:
        raise RecordError(f"packets are {short(record['packets'])}; allowed: none in a deal that was cut")


@functools.lru_cache(maxsize=256)
def _engine(ruleset: str, options: str) -> Engine:
    return Engine(choose(load(ruleset), json.loads(options)))


def engine_for(ruleset: str, options: Mapping[str, Any]) -> Engine:
    """The engine of a ruleset and its options; the same object for the same values."""
    return _engine(ruleset, json.dumps(dict(options), sort_keys=True))


def open_record(record: Mapping[str, Any]) -> Opening:
    """Set up a record's deal.

    Raises:
        RecordError: another format, a ruleset or option that does not exist, or a deal that the ruleset cannot make.
    """
    check_form(record)
    _check_packets(record)
    try:
        engine = engine_for(record["ruleset"], record.get("options") or {})
        state = engine.from_deal(
            record["hands"], record["talon"], record["dealer"], record.get("before"), packets=record.get("packets")
        )
    except (ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError) as error:
        raise RecordError(f"the deal cannot be set up: {error}") from error
    if record.get("settlement") is not None:  # the last hand of its session, however that ends
        state["hands_left"] = 0
        state["scuse_holder"] = state["dealer"]
    return Opening(record, engine, state)
