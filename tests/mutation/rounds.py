"""The rounds of the fast judge: records, lockstep with the referee, sessions, options, worked cases."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import io
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tarock_env
from tarock_env import Engine
from tarock_env import record as records
from tarock_env.codes import SessionEnd
from tarock_env.engine.chance import CHANCE, make_keys
from tarock_env.jit import DISABLED
from tests import check, determinism
from tests.check import ROOT, SESSIONS, Task
from tests.lockstep import differences, play
from tests.mutation.mutants import VIEWS
from tests.observer import Counts, compare_hands, compare_mixtures, compare_sessions
from tests.sessions import play_sessions
from tests.styles import draw_styles

SEED = 17
CASES = ("test_koenigrufen_cases.py", "test_slovenian_cases.py", "test_illustrated_cases.py")
#: worked cases that need many hands, too slow without compilation
SLOW_CASES = tuple(
    f"tests/engine/test_slovenian_cases.py::{name}"
    for name in ("test_k11_redeal_in_forced", "test_k15_a_scuse_round_dealt_again_counts_as_it_was_played")
)

PROPERTIES = (
    "tests/engine/test_properties.py::test_every_card_of_a_set_is_the_nth",
    "tests/engine/test_properties.py::test_the_next_hand_begins_as_if_none_had_been_played",
    "tests/engine/test_properties.py::test_every_legal_action_is_sampled_equally_often",
    "tests/engine/test_properties.py::test_a_playout_stops_after_so_many_decisions",
    "tests/engine/test_properties.py::test_keys_belong_to_a_hand_a_decision_and_a_consumer",
    "tests/engine/test_properties.py::test_an_index_outside_the_table_is_illegal",
    "tests/engine/test_properties.py::test_a_step_on_a_finished_hand_changes_nothing",
    "tests/engine/test_chance.py",
    "tests/engine/test_entries.py",
    "tests/engine/test_masks.py",
)
#: what data and options have to be beside the play
DATA_TESTS = (
    "tests/rulesets/test_house_variant.py::test_the_data_say_what_the_defaults_say",
    "tests/rulesets/test_house_variant.py::test_a_default_undoes_every_other_value",
    "tests/rulesets/test_house_variant.py::test_which_defaults_cannot_be_undone",
    "tests/rulesets/test_options.py",
    "tests/rulesets/test_schema.py",
)

Found = Iterator[tuple[str, str]]


def run(file: str, hands: float, digests: Path) -> Found:
    """Each check's name and what it found, "" if nothing. file: what was changed; hands: a share of the usual numbers."""
    yield "load", _load()
    if file in VIEWS:
        yield from _seen(hands)
    else:
        yield from (_interpreted(hands) if DISABLED else _compiled(hands, digests))


def _load() -> str:
    for ruleset in tarock_env.available():
        engine(ruleset)
    return ""


@functools.cache
def engine(ruleset: str, options: str = "{}") -> Engine:
    """An engine, made once."""
    return tarock_env.make(ruleset, **json.loads(options))


def _interpreted(hands: float) -> Found:
    """Twice the same: a little of everything, then more of it."""
    all_of_them = tarock_env.available()
    few, many = max(1, round(2 * hands)), round(24 * hands)
    for ruleset in all_of_them:
        yield "records", record_differences(ruleset, slice(0, 60, 10))
        yield "lockstep", lockstep(ruleset, few)
    for ruleset in all_of_them:
        yield "sessions", sessions(ruleset, few, 2)
    for ruleset in all_of_them:
        yield "records", record_differences(ruleset, slice(1, None, 1 if hands >= 1 else 20))
    if hands < 1:
        return
    for ruleset in all_of_them[::3]:
        yield "golden deals", golden_deals(ruleset)
    for ruleset in all_of_them:
        for _, _, options in check.option_values(ruleset):
            yield "options", lockstep(ruleset, 1, options)
    yield "cases", suite([*(f"tests/engine/{name}" for name in CASES), *PROPERTIES], SLOW_CASES)
    for ruleset in all_of_them:
        yield "lockstep", lockstep(ruleset, many)
        yield "mixtures", mixtures(ruleset, 10)
        yield "sessions", sessions(ruleset, 3, 4, mixed=True)


def _seen(hands: float) -> Found:
    """Observations beside their second writing; more and more hands, then mixtures of options and sessions."""
    rulesets = tarock_env.available()
    for seed, count in enumerate((1, round(2 * hands), round(2 * hands))):
        for ruleset in rulesets if hands >= 1 else rulesets[::3]:
            yield "observations", observations(ruleset, count, seed)
    if hands < 1:
        return
    for ruleset in rulesets:
        yield "observations of mixtures", _first_line(compare_mixtures(ruleset, 2, 1, SEED))
    for ruleset in rulesets[::2]:
        yield "observations of sessions", _first_line(compare_sessions(ruleset, 1, SEED))


# ------------------------------------------------------------------ compiled


def _compiled(hands: float, digests: Path) -> Found:
    """Everything where the tables differ from the unchanged project's; a little elsewhere."""
    plain, options = _concerned(digests)
    rest = [ruleset for ruleset in tarock_env.available() if ruleset not in plain]
    for ruleset in plain:
        yield "records", record_differences(ruleset, slice(None))
        yield "lockstep", lockstep(ruleset, round(150 * hands))
    for task in options:
        yield "options", option_task(*task, round(20 * hands))
    yield "rulesets", suite(DATA_TESTS)
    for ruleset in plain:
        yield "sessions", sessions(ruleset, round(10 * hands), 4)
    yield "cases", suite([f"tests/engine/{name}" for name in CASES])
    for ruleset in plain:
        yield "lockstep", lockstep(ruleset, round(600 * hands), seed=1)
        yield "sessions", sessions(ruleset, round(20 * hands), 10, mixed=True)
    for task in options:
        yield "options", option_task(*task, round(100 * hands), number=1)
    for ruleset in rest:
        yield "records", record_differences(ruleset, slice(None))
        yield "lockstep", lockstep(ruleset, round(40 * hands))


def _concerned(path: Path) -> tuple[list[str], list[tuple[str, str, Any, dict[str, Any]]]]:
    """Rulesets and option values whose tables differ from those in the file; writes the file if there is none."""
    tables: dict[str, str] = {}
    tasks: dict[str, tuple[str, str, Any, dict[str, Any]]] = {}
    for ruleset in tarock_env.available():
        tables[ruleset] = engine(ruleset).digest()
        for option, value, options in check.option_values(ruleset):
            key = f"{ruleset} {json.dumps(options)}"
            tables[key], tasks[key] = engine(ruleset, json.dumps(options)).digest(), (ruleset, option, value, options)
    if not path.exists():
        path.write_text(json.dumps(tables), encoding="utf-8")
    before = json.loads(path.read_text(encoding="utf-8"))
    changed = {key for key, digest in tables.items() if before.get(key) != digest}
    plain = [ruleset for ruleset in tarock_env.available() if ruleset in changed]
    special = [task for key, task in tasks.items() if key in changed]
    return plain, [task for task in special if task[0] not in plain] + [task for task in special if task[0] in plain][::4]


# ------------------------------------------------------------------ checks


def record_differences(ruleset: str, which: slice) -> str:
    """The first difference between the engine and some of the ruleset's records."""
    lines = (ROOT / f"tests/cases/records/{ruleset}.jsonl").read_text(encoding="utf-8").splitlines()[which]
    read = [json.loads(line) for line in lines]
    found = records.verify_all([records.open_record(record) for record in read])
    return next((f"{ruleset} record {i}: {texts[0]}" for i, texts in enumerate(found) if texts), "")


def observations(ruleset: str, hands: int, seed: int) -> str:
    """The first difference between both writings of observations."""
    return _first_line(compare_hands(ruleset, hands, SEED + seed))


def _first_line(counts: Counts) -> str:
    return counts.lines[0] if counts.lines else ""


def golden_deals(ruleset: str) -> str:
    """Whether the first deals of the pinned seed are those of the file."""
    e = engine(ruleset)
    text = [determinism.deal_text(e, g) for g in e.reset(determinism.DEALS, seed=determinism.SEED)]
    pinned = determinism.read()[ruleset]["deals"]
    return "" if hashlib.sha256("\n".join(text).encode()).hexdigest() == pinned else f"{ruleset}: other deals"


def lockstep(ruleset: str, hands: int, options: dict[str, Any] | None = None, seed: int = 0) -> str:
    """The first difference between engine and referee over balanced hands, half of them with skewed cards."""
    words = json.dumps(options or {})
    for number, share in ((0, hands - hands // 2), (1, hands // 2)):
        if share:
            found = _differs(Task(ruleset, "", "", words, "balanced", number, share, SEED + seed))
            if found:
                return found
    return ""


def option_task(ruleset: str, option: str, value: Any, options: dict[str, Any], hands: int, number: int = 0) -> str:
    """The same for one option value, with the contracts that it concerns."""
    return _differs(Task(ruleset, option, json.dumps(value), json.dumps(options), "balanced", number, hands, SEED))


def mixtures(ruleset: str, count: int) -> str:
    """Hands with many options at once."""
    for i in range(count):
        found = lockstep(ruleset, 2, check.option_mixture(ruleset, np.random.default_rng([SEED, i])))
        if found:
            return found
    return ""


def _differs(task: Task) -> str:
    e = engine(task.ruleset, task.options)
    rng = np.random.default_rng(task.seeds())
    state = check.deal_batch(task, e, rng)
    trace = play(e, state, task.policy, draw_styles(len(state), rng), rng)
    for i in range(len(state)):
        found = differences(trace, i)
        if found:
            return f"{task.ruleset} {task.options} hand {i}: {found[0]}"
    return ""


def sessions(ruleset: str, count: int, hands: int, mixed: bool = False) -> str:
    """The first difference in some sessions of so many hands; those of matches go to their end."""
    options = check.option_mixture(ruleset, np.random.default_rng([SEED, 1])) if mixed else {}
    options.pop("session_hands", None)
    e = engine(ruleset, json.dumps(options))
    rng = np.random.default_rng([SEED, count])
    count = 1 if DISABLED and e.ruleset.session.end == SessionEnd.MATCH else count
    keys = make_keys(count, int(rng.integers(1 << 62)), CHANCE)
    for trace, found in play_sessions(e, keys, rng, hands):
        for i, known in enumerate(found):
            wrong = known + differences(trace, i)
            if wrong:
                return f"{ruleset} {SESSIONS} {options}: {wrong[0]}"
    return ""


class _FirstFailure:
    """A plugin that notes the first test that fails."""

    def __init__(self) -> None:
        self.text = ""

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed and not self.text:
            self.text = f"{report.nodeid}: {str(report.longrepr).strip().splitlines()[-1]}"

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed and not self.text:
            self.text = f"{report.nodeid}: {str(report.longrepr).strip().splitlines()[-1]}"


def suite(paths: Sequence[str], without: Sequence[str] = ()) -> str:
    """The first of these tests that fails."""
    first = _FirstFailure()
    arguments = [*paths, "-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist"]
    arguments += [f"--deselect={name}" for name in without]
    with contextlib.redirect_stdout(io.StringIO()) as said, contextlib.redirect_stderr(io.StringIO()):
        code = pytest.main(arguments, [first])
    if code == pytest.ExitCode.OK:
        return ""
    return first.text or f"pytest ended with {code!r}: {said.getvalue()[-200:]}"
