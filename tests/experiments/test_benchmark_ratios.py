"""Comparisons of `tarock benchmark`: their arithmetic, the C loop, peers that are absent or fail, targets, tables."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tarock_env
from experiments import benchmark, cli
from experiments.bench import contest, games, page, play_alone, ratios, rows, targets, worker
from experiments.bench.clock import Size, Timed
from experiments.bench.contest import Failed
from tarock_env.engine.batch import Engine

TINY = Size(batch=256, hands=4, steps=60, learned=64, sweep=(8, 16), wide=64, stream=(64, 256))


@pytest.fixture(scope="module")
def engine() -> Engine:
    return tarock_env.make("koenigrufen_pagat")


def given(*rates: float, cores: float = 1.0) -> Any:
    """A measurement that returns these rates one after another."""
    values = iter(rates)
    return lambda engine, size: Timed(next(values), wall=1.0, cpu=cores, threads=1, by_clock=True)


# ------------------------------------------------------------------ arithmetic


def test_measurements_are_taken_in_turns() -> None:
    order: list[str] = []

    def note(name: str) -> Any:
        return lambda: order.append(name) or Timed(len(order), 1.0, 1.0)

    first, second = contest.alternate([note("a"), note("b")], 3)
    assert order == ["a", "b"] * 3
    assert [run.count for run in first] == [1, 3, 5]
    assert [run.count for run in second] == [2, 4, 6]


def test_a_ratio_is_that_of_the_medians(engine: Engine) -> None:
    ratio = ratios.Ratio("r", "x/s", (("a", given(0, 1, 30, 20)), ("b", given(0, 5, 4, 900))), runs=3)
    told = ratios.measure_own(ratio, engine, TINY)
    assert told["ratio"] == 20 / 5
    assert [one["runs"] for one in told["contestants"]] == [[1, 30, 20], [5, 4, 900]]


def test_growth_is_the_slowest_batch_against_the_fastest(engine: Engine) -> None:
    sweep = (("B = 1", given(0, 8)), ("B = 2", given(0, 4)), ("B = 3", given(20)))
    told = ratios.measure_own(ratios.Ratio("g", "x/s", sweep, ratios.worst, runs=1), engine, TINY)
    assert told["ratio"] == 5
    assert "| g | B = 3: 20 x/s | B = 2: 4 x/s | 5.00 |" in "\n".join(page._ratios([told]))


def test_two_threads_tell_what_a_cpu_second_brings_too(engine: Engine) -> None:
    def of(count: float, cpu: float) -> Any:
        return lambda engine, size: Timed(count, wall=1.0, cpu=cpu, threads=2)

    told = ratios.measure_own(ratios.Ratio("t", "x/s", (("a", of(30, 2.0)), ("b", of(10, 1.0))), runs=3), engine, TINY)
    assert (told["ratio"], told["ratio_per_cpu_second"]) == (3.0, 1.5)
    assert told["contestants"][0]["per_cpu_second"] == 15


def test_threads_are_compared_by_their_best_runs_on_a_free_machine_only(engine: Engine) -> None:
    def of(cores: float) -> dict[str, Any]:
        pair = (("two", given(0, 10, 19, 1)), ("one", given(0, 5, 10, 10, cores=cores)))
        of_threads = ratios.own(TINY)[0]
        return ratios.measure_own(dataclasses.replace(of_threads, contestants=pair, runs=3), engine, TINY)

    assert of(1.0)["ratio"] == 1.9
    assert of(0.5)["missing"] == "the machine was busy: one thread had 0.50 of a core"


# ------------------------------------------------------------------ the loop in C


@pytest.mark.skipif(play_alone.compiler() is None, reason="no C compiler")
@pytest.mark.parametrize("name", ["koenigrufen_pagat", "slovenian_4p"])
def test_the_loop_in_c_plays_the_same_cards_for_the_same_points(name: str) -> None:
    engine = tarock_env.make(name)
    both = play_alone.deals(engine, 256)
    assert len(both.c) > 100
    state = engine.copy(both.engine)
    engine.playout(state, "uniform")
    made, plays, points = play_alone.played_in_c(both.c)
    assert made.count == 48 * len(both.c)
    assert np.array_equal(plays, state["plays"])
    assert np.array_equal(points, play_alone.points_of(state, both.c["declarers"]))
    ours, theirs = play_alone.checksums(engine, TINY)
    assert ours == theirs


@pytest.mark.skipif(play_alone.compiler() is None, reason="no C compiler")
def test_a_checksum_tells_a_card_at_another_place(engine: Engine) -> None:
    _, plays, points = play_alone.played_in_c(play_alone.deals(engine, 256).c)
    before = play_alone.checksum(plays, points)
    plays[3, [4, 5]] = plays[3, [5, 4]]
    assert play_alone.checksum(plays, points) != before


def test_without_a_compiler_the_comparison_is_left_out(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(play_alone, "compiler", lambda: None)
    play_alone.library.cache_clear()
    loop = next(ratio for ratio in ratios.own(TINY) if "loop in C" in ratio.name)
    assert ratios.measure_own(loop, engine, TINY)["missing"] == "no C compiler"


def test_a_ruleset_that_the_loop_does_not_know_is_left_out() -> None:
    loop = next(ratio for ratio in ratios.own(TINY) if "loop in C" in ratio.name)
    told = ratios.measure_own(loop, tarock_env.make("slovenian_3p"), TINY)
    assert told["missing"] == "the C loop knows no contract of slovenian_3p"


# ------------------------------------------------------------------ peers


def peer(theirs: str, *, needs: tuple[str, ...] = (), ours: str = "games:playout") -> ratios.Contest:
    return ratios.Contest("a peer", "decisions/s", "numpy", ours, theirs, needs, runs=3)


def test_two_processes_are_compared_in_turns(engine: Engine) -> None:
    told = ratios.measure_peer(peer("games:stepping"), engine, TINY)
    ours, theirs = told["contestants"]
    assert (len(ours["runs"]), len(theirs["runs"])) == (3, 3)
    assert told["ratio"] == ours["value"] / theirs["value"]
    assert ours["decisions_per_hand"] < theirs["decisions_per_hand"]
    assert told["version"] == np.__version__


@pytest.mark.parametrize(
    "one, reason",
    [
        (peer("peers.nobody:rate", needs=("no_such_peer",)), "not installed"),
        (peer("peers.nobody:rate"), "ModuleNotFoundError: No module named 'experiments.bench.peers.nobody'"),
        (peer("games:no_such_function"), "AttributeError"),
        (peer("processes:seconds"), "TypeError"),
        (peer("games:playout", ours="worker:pin"), "TypeError"),
    ],
    ids=["absent", "no module", "no function", "raises", "ours raises"],
)
def test_a_peer_that_fails_is_told_as_missing(one: ratios.Contest, reason: str, engine: Engine) -> None:
    told = ratios.measure_peer(one, engine, TINY)
    assert reason in told["missing"]
    assert "ratio" not in told


def test_every_measurement_of_a_peer_is_there() -> None:
    for one in ratios.PEERS:
        assert callable(worker.function(one.ours)), one.name
        assert callable(worker.function(one.theirs)), one.name
        assert one.needs
    assert len({one.name for one in ratios.PEERS}) == len(ratios.PEERS)


@pytest.mark.parametrize("name", ["rollouts", "rollouts_of_three", "bots", "python_loop"])
def test_decisions_of_openspiel_are_counted(name: str) -> None:
    pytest.importorskip("pyspiel")
    told = worker.function(f"peers.openspiel:{name}")(None, TINY)
    if name == "rollouts_of_three":
        assert told.per_hand == 1 + 1 + 3 + 48  # king, talon, discards, cards
    else:
        assert 10 < told.per_hand < 16
    assert told.count > 0 < told.cpu


def test_stepping_tells_the_decisions_of_finished_hands(engine: Engine) -> None:
    told = worker.function("games:stepping")(engine, TINY)
    assert told.count == games.ROUNDS * TINY.batch
    assert told.per_hand == pytest.approx(games.mix(engine, TINY)["uniform_decisions_per_hand"], rel=0.05)


def test_hands_of_three_are_measured_from_the_king_on() -> None:
    told = worker.function("games:playout_of_three")(tarock_env.make("slovenian_4p"), TINY)
    assert 53 + 4 <= told.per_hand < 70


# ------------------------------------------------------------------ targets and tables


def fixed(**values: float | str) -> list[dict[str, Any]]:
    """Ratios of a report by the first word of their names."""
    told = []
    for name in targets.TARGETS:
        value = values.get(name.split()[0].rstrip(","), "not installed")
        told.append({"name": name, "missing": value} if isinstance(value, str) else {"name": name, "ratio": value})
    return told


def test_targets_are_met_missed_or_skipped() -> None:
    verdicts = {line.partition(":")[0]: verdict for verdict, line in targets.judged(fixed(two=1.8, OpenSpiel=4.9))}
    assert verdicts["two threads v one, playout"] == "met"
    assert verdicts["OpenSpiel tarok, random rollouts in C++ v playout"] == "missed"
    assert verdicts["SB3 MaskablePPO, our epochs and minibatches"] == "skipped"
    lines = [line for _, line in targets.judged(fixed(growth=2.01))]
    assert "growth, playout: slowest v fastest B: 2.01, target ≤ 2" in lines


def test_every_target_has_a_comparison() -> None:
    assert set(targets.TARGETS) <= {one.name for one in (*ratios.own(), *ratios.PEERS)}


@pytest.mark.parametrize("found, code", [({"session": 1.09}, 0), ({"session": 1.11}, 1)])
def test_check_returns_1_and_names_what_misses(
    found: dict[str, float], code: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(benchmark, "SIZE", TINY)
    monkeypatch.setattr(benchmark, "_compared", lambda engine, peers: iter(_complete(fixed(**found))))
    monkeypatch.setattr(rows, "ROWS", ())
    assert cli.main(["benchmark", "--check"]) == code
    told = capsys.readouterr()
    assert ("missed: session of 20 hands: time v 20 hands: 1.11, target ≤ 1.1" in told.err) == bool(code)
    assert "skipped: SB3 MaskablePPO, our epochs and minibatches: not installed" in told.out


def _complete(told: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{"unit": "x/s", "contestants": [], **one} for one in told]


REPORT: dict[str, Any] = {
    "machine": {"cpu": "Some CPU", "cores": 2}, "load": 0.25, "decisions_per_hand": 60.0,
    "uniform_decisions_per_hand": 120.0, "contracts": {"rufer": 0.996, "solo": 0.004},
    "manifest": {"versions": {"python": "3"}, "platform": {"system": "Linux"}, "ruleset": {"id": "koenigrufen_pagat"}},
    "rows": [{"name": "playout", "unit": "decisions/s", "value": 19_940_000.0, "threads": 1, "cores": 1.0,
              "decisions_per_hand": 60.13},
             {"name": "memory", "unit": "bytes", "value": 792}],
    "ratios": [{"name": "SB3 MaskablePPO, our epochs and minibatches", "unit": "d/s", "peer": "sb3", "version": "9",
                "ratio": 31.5, "ratio_per_cpu_second": 16.0,
                "contestants": [{"label": "ours", "value": 63_000.0, "per_cpu_second": 32_000.0, "decisions_per_hand": 30.0},
                                               {"label": "peer", "value": 2_000.0}]},
               {"name": "other", "unit": "d/s", "missing": "not installed"}],
}  # fmt: skip


def test_a_report_becomes_tables() -> None:
    text = page.tables(REPORT).splitlines()
    assert text[0] == "Some CPU, 2 cores; Linux; load 0.2 at first."
    assert text[1] == "Versions: python 3, sb3 9."
    assert text[2].endswith("Contracts of random hands: rufer 100%.")
    assert "| playout | 19.9 M decisions/s | 60.1 | 1, 1.0 |" in text
    assert "| memory | 792 bytes |  |  |" in text
    assert "| other | | | not installed |  |" in text
    sides = "ours: 63.0 k d/s (32.0 k a CPU second), 30.0 a hand | peer: 2,000 d/s | 31.50 (16.00 a CPU second) | ≥ 30 |"
    assert f"| SB3 MaskablePPO, our epochs and minibatches | {sides}" in text


@pytest.mark.parametrize(
    "value, text",
    [
        (19_940_000, "19.9 M"),
        (1_005_829, "1.0 M"),
        (284_083, "284 k"),
        (44_030, "44.0 k"),
        (4_800, "4,800"),
        (1.734, "1.73"),
    ],
)
def test_figures_have_three_digits_or_so(value: float, text: str) -> None:
    assert page.number(value) == text


def test_tables_are_put_into_their_place(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, there = tmp_path / "report.json", tmp_path / "page.md"
    source.write_text(json.dumps(REPORT))
    there.write_text(f"# Speed\n\n{page.BEGIN}\nold\n{page.END}\n\nThe end.\n")
    assert cli.main(["benchmark", "--render", str(source), "--into", str(there)]) == 0
    assert there.read_text() == f"# Speed\n\n{page.BEGIN}\n\n{page.tables(REPORT)}\n\n{page.END}\n\nThe end.\n"
    assert cli.main(["benchmark", "--render", str(source)]) == 0
    assert capsys.readouterr().out == page.tables(REPORT) + "\n"


def test_what_a_report_says_does_not_steer_the_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "report.json"
    source.write_text(json.dumps({**REPORT, "machine": {"cpu": "\x1b[31mred\x07", "cores": 2}}))
    assert cli.main(["benchmark", "--render", str(source)]) == 0
    assert r"\x1b[31mred\x07, 2 cores" in capsys.readouterr().out


@pytest.mark.parametrize(
    "key, value", [("contracts", []), ("contracts", "x"), ("decisions_per_hand", float("inf")), ("load", 10**400),
                   ("rows", [{"name": "x", "unit": "x", "value": float("inf")}]),
                   ("rows", [{"name": "x", "unit": "x", "value": float("nan")}]),
                   ("ratios", [{"name": "x", "unit": "x", "ratio": 1.0, "contestants": [[], []]}])],
)  # fmt: skip
def test_a_damaged_report_is_refused_or_shown(
    key: str, value: object, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "report.json"
    source.write_text(json.dumps({**REPORT, key: value}))
    code = cli.main(["benchmark", "--render", str(source)])
    said = capsys.readouterr()
    assert (code, "is no report" in said.err) in ((0, False), (cli.MISUSE, True))


@pytest.mark.parametrize("text, named", [("{}", "is no report"), ("[", "is no report")])
def test_what_is_no_report_is_refused(text: str, named: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "report.json").write_text(text)
    assert cli.main(["benchmark", "--render", str(tmp_path / "report.json")]) == cli.MISUSE
    assert named in capsys.readouterr().err
    assert cli.main(["benchmark", "--into", str(tmp_path / "page.md")]) == cli.MISUSE
    assert "--render FILE" in capsys.readouterr().err


def test_a_page_without_a_place_is_left_alone(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no place for figures"):
        page.placed(f"{page.END} {page.BEGIN}", "new")


def test_a_dead_process_is_no_answer(engine: Engine) -> None:
    with contest.Contestant("games:playout", engine, TINY, 1) as one:
        one.ready()
        one._process.kill()
        one._process.wait()
        with pytest.raises(Failed, match="the process ended with -9"):
            one.measure()


def test_the_figures_of_the_speed_page_are_those_of_its_report() -> None:
    docs = Path(tarock_env.__file__).resolve().parents[1] / "docs"
    report = json.loads((docs / "data" / "benchmark.json").read_text(encoding="utf-8"))
    text = (docs / "speed.md").read_text(encoding="utf-8")
    assert page.placed(text, page.tables(report)) == text
