"""`tarock simulate` and `tarock verify`."""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import tarock_env
from agents.ppo import checkpoint
from experiments import cli, manifest, simulate
from tarock_env import record as records

ROOT = Path(__file__).parents[2]
CASES = ROOT / "tests" / "cases" / "records"
RULESET = "koenigrufen_pagat"


def words(out: Path, *more: str, hands: int = 100, agents: str = "random", ruleset: str = RULESET) -> list[str]:
    return ["simulate", "--ruleset", ruleset, "--agents", agents, "--hands", str(hands), "--out", str(out), *more]


@pytest.fixture
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulate, "BATCH", 16)


# ------------------------------------------------------------------ simulate


@pytest.mark.parametrize("auction", ["natural", "balanced"])
@pytest.mark.parametrize("ruleset", tarock_env.available())
def test_simulated_hands_are_verified(ruleset: str, auction: str, tmp_path: Path) -> None:
    out = tmp_path / "hands.jsonl"
    assert cli.main(words(out, "--auction", auction, "--legal", "--seed", "9", ruleset=ruleset)) == 0
    assert cli.main(["verify", str(out)]) == 0
    read = list(records.read_lines(out))
    assert [record["meta"]["index"] for record in read] == list(range(100))
    assert all(record["meta"]["seed"] == 9 and record["meta"]["auction"] == auction for record in read)
    assert all(len(record["legal"]) == len(record["actions"]) for record in read)


def test_balanced_auctions_play_every_contract(tmp_path: Path) -> None:
    out = tmp_path / "hands.jsonl"
    cli.main(words(out, "--auction", "balanced", hands=700))
    played = [record["contract"] for record in records.read_lines(out)]
    contracts = [contract.id for contract in tarock_env.load(RULESET).contracts]
    assert min(played.count(contract) for contract in contracts) >= 700 / len(contracts) / 3


def test_options_are_played_and_written(tmp_path: Path) -> None:
    out = tmp_path / "hands.jsonl"
    options = ["--option", "kontra_max=5", "--option", "knock=always", "--option", "forehand_may_pass=true"]
    assert cli.main(words(out, *options, hands=5)) == 0
    for record in records.read_lines(out):
        assert record["options"] == {"kontra_max": 5, "knock": "always", "forehand_may_pass": True}
        assert "legal" not in record
        assert record["actions"][0] == "knock"


@pytest.mark.parametrize("agents", ["random", "uniform", "random,uniform"])
@pytest.mark.parametrize("auction", ["natural", "balanced"])
def test_same_seed_same_bytes(agents: str, auction: str, tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("a.jsonl", "b.jsonl", "c.jsonl")]
    for out, seed in zip(files, ("4", "4", "5"), strict=True):
        cli.main(words(out, "--seed", seed, "--auction", auction, agents=agents, hands=40))
    assert files[0].read_bytes() == files[1].read_bytes()
    first, other = list(records.read_lines(files[0])), list(records.read_lines(files[2]))
    assert not {json.dumps(record["hands"]) for record in first} & {json.dumps(record["hands"]) for record in other}


def test_a_hand_does_not_depend_on_its_batch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for auction in ("natural", "balanced"):
        written = []
        for batch in (7, 64):
            monkeypatch.setattr(simulate, "BATCH", batch)
            out = tmp_path / f"{auction}{batch}.jsonl"
            cli.main(words(out, "--auction", auction, agents="random,uniform", hands=30))
            written.append(out.read_bytes())
        assert written[0] == written[1]


def test_seats_are_filled_in_turn(tmp_path: Path) -> None:
    out = tmp_path / "hands.jsonl"
    cli.main(words(out, agents="uniform,random", hands=60))
    read = list(records.read_lines(out))
    assert read[0]["meta"]["agents"] == ["uniform", "random", "uniform", "random"]
    openings: dict[int, list[str]] = {seat: [] for seat in range(4)}
    for record in read:
        openings[record["seats"][0]].append(record["actions"][0])
    waits = {seat: sum(name == "wait" for name in names) / len(names) for seat, names in openings.items()}
    assert min(waits[1], waits[3]) > 0.6 > 0.4 > max(waits[0], waits[2])


def test_a_manifest_lies_beside_the_file(tmp_path: Path) -> None:
    out = tmp_path / "deep" / "hands.jsonl"
    assert cli.main(words(out, "--seed", "3", hands=2)) == 0
    about = json.loads((tmp_path / "deep" / "hands.jsonl.manifest.json").read_text())
    assert about["settings"]["seed"] == 3
    assert about["settings"]["agents"] == ["random"]
    assert about["ruleset"]["digest"] == tarock_env.make(RULESET).digest()
    assert {"python", "numpy", "numba", "tarock-env"} <= set(about["versions"])
    assert about["finished"] >= about["started"]
    assert sorted(path.name for path in out.parent.iterdir()) == ["hands.jsonl", "hands.jsonl.manifest.json"]


# ------------------------------------------------------------------ sessions


@pytest.mark.parametrize("ruleset", tarock_env.available())
def test_sessions_are_whole_chains(ruleset: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "hands.jsonl"
    assert cli.main(words(out, "--session", "5", "--legal", ruleset=ruleset)) == 0
    assert cli.main(["verify", str(out)]) == 0
    sessions: dict[str, list[dict[str, Any]]] = {}
    for record in records.read_lines(out):
        sessions.setdefault(record["session"]["id"], []).append(record)
    assert sum(map(len, sessions.values())) >= 100 > sum(map(len, list(sessions.values())[:-1]))
    for name, hands in sessions.items():
        assert [record["session"] for record in hands] == [{"id": name, "hand": i} for i in range(len(hands))]
        assert not any(hands[0]["before"]["scores"])
        assert ["settlement" in record for record in hands] == [False] * (len(hands) - 1) + [True]
        assert [record["dealer"] for record in hands] == [
            (hands[0]["dealer"] + i) % len(hands[0]["hands"]) for i in range(len(hands))
        ]
        for earlier, later in itertools.pairwise(hands):
            assert later["before"]["scores"] == earlier["after"]["scores"]
            assert later["before"]["rings"] == earlier["after"]["rings"]


def test_a_ruleset_may_say_how_long_a_session_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "hands.jsonl"
    assert cli.main(words(out, "--session", "whole", hands=30, ruleset="illustrated_tarock")) == 0
    assert cli.main(["verify", str(out)]) == 0
    last = list(records.read_lines(out))[-1]
    assert max(last["after"]["scores"]) > 100
    capsys.readouterr()
    assert cli.main(words(out, "--session", "whole")) == 2
    assert "has no length of its own; give hands=N" in capsys.readouterr().err


@pytest.mark.usefixtures("small_batches")
def test_stopped_sessions_go_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulate, "SESSION", 8)
    more = ["--session", "7", "--auction", "balanced"]
    whole, out = tmp_path / "whole.jsonl", tmp_path / "hands.jsonl"
    cli.main(words(whole, *more, ruleset="slovenian_4p"))
    with pytest.MonkeyPatch.context() as patch:
        stop_after(3, patch)
        assert cli.main(words(out, *more, ruleset="slovenian_4p")) == 130
    assert cli.main(words(out, *more, ruleset="slovenian_4p")) == 0
    assert out.read_bytes() == whole.read_bytes()


def test_a_wrong_settlement_is_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "hands.jsonl"
    cli.main(words(out, "--session", "6", hands=6, ruleset="slovenian_4p"))
    last = list(records.read_lines(out))[-1]
    change(out, last["session"]["hand"] + 1, settlement=[value + 1 for value in last["settlement"]])
    assert cli.main(["verify", str(out)]) == 1
    assert "settlement: record" in capsys.readouterr().out


# ------------------------------------------------------------------ stopped runs


def stop_after(batches: int, monkeypatch: pytest.MonkeyPatch) -> None:
    play = simulate._batch
    played: list[None] = []

    def some(*arguments: Any) -> Any:
        if len(played) == batches:
            raise KeyboardInterrupt
        played.append(None)
        return play(*arguments)

    monkeypatch.setattr(simulate, "_batch", some)


@pytest.mark.usefixtures("small_batches")
@pytest.mark.parametrize("tail", [b"", b'{"format":"tarock-rec', b'{"torn": 1}\n{"torn": 2}\n{"to'])
def test_a_stopped_run_goes_on_where_it_was(tail: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    whole, out = tmp_path / "whole.jsonl", tmp_path / "hands.jsonl"
    cli.main(words(whole))
    with pytest.MonkeyPatch.context() as patch:
        stop_after(3, patch)
        assert cli.main(words(out)) == 130
    part = tmp_path / "hands.jsonl.part"
    assert not out.exists()
    with open(part, "ab") as file:
        file.write(tail)
    assert cli.main(words(out)) == 0
    assert "48 of them from a run that was stopped" in capsys.readouterr().out
    assert out.read_bytes() == whole.read_bytes()
    assert not part.exists()


@pytest.mark.usefixtures("small_batches")
def test_another_run_does_not_go_on_with_the_part(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "hands.jsonl"
    with pytest.MonkeyPatch.context() as patch:
        stop_after(2, patch)
        cli.main(words(out))
    before = (tmp_path / "hands.jsonl.part").read_bytes()
    assert cli.main(words(out, "--seed", "8", "--legal")) == 2
    assert "is of another run, which differs in legal, seed" in capsys.readouterr().err
    assert (tmp_path / "hands.jsonl.part").read_bytes() == before


@pytest.mark.usefixtures("small_batches")
def test_a_part_that_lost_its_end_is_begun_again(tmp_path: Path) -> None:
    whole, out = tmp_path / "whole.jsonl", tmp_path / "hands.jsonl"
    cli.main(words(whole))
    with pytest.MonkeyPatch.context() as patch:
        stop_after(2, patch)
        cli.main(words(out))
    os.truncate(tmp_path / "hands.jsonl.part", 100)
    assert cli.main(words(out)) == 0
    assert out.read_bytes() == whole.read_bytes()


def test_a_run_killed_before_its_first_count_begins_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out, whole, write = tmp_path / "hands.jsonl", tmp_path / "whole.jsonl", manifest.write

    def killed(path: Path, about: dict[str, Any]) -> None:
        if about["written"]["hands"]:
            raise KeyboardInterrupt
        write(path, about)

    with monkeypatch.context() as patch:
        patch.setattr(manifest, "write", killed)
        assert cli.main(words(out)) == 130
    assert (tmp_path / "hands.jsonl.part").stat().st_size
    assert cli.main(words(out)) == 0
    assert cli.main(words(whole)) == 0
    assert out.read_bytes() == whole.read_bytes()


def test_a_killed_process_loses_nothing(tmp_path: Path) -> None:
    out, whole = tmp_path / "hands.jsonl", tmp_path / "whole.jsonl"
    command = [sys.executable, "-m", "experiments", *words(out, hands=9000)]
    process = subprocess.Popen(command, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)})
    part = tmp_path / "hands.jsonl.part"
    while process.poll() is None and not (part.exists() and part.stat().st_size):
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL
    assert part.stat().st_size
    assert cli.main(words(out, hands=9000)) == 0
    assert cli.main(words(whole, hands=9000)) == 0
    assert out.read_bytes() == whole.read_bytes()


def test_two_processes_do_not_write_one_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from experiments import locks

    out = tmp_path / "hands.jsonl"
    with locks.holding(tmp_path / "hands.jsonl.part"):
        assert cli.main(words(out)) == 2
    assert "another process is writing to it" in capsys.readouterr().err


# ------------------------------------------------------------------ what is there already


def test_a_whole_file_is_not_played_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "hands.jsonl"
    cli.main(words(out, hands=3))
    before = out.stat()
    capsys.readouterr()
    assert cli.main(words(out, hands=3)) == 0
    assert "complete already, 3 hands" in capsys.readouterr().out
    assert out.stat() == before


@pytest.mark.parametrize("more", [["--seed", "8"], ["--legal"], ["--option", "kontra_max=5"]], ids=lambda more: more[0])
def test_a_file_of_another_run_is_replaced_by_force_only(
    more: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, other = tmp_path / "hands.jsonl", tmp_path / "other.jsonl"
    cli.main(words(out, hands=3))
    cli.main(words(other, *more, hands=3))
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert cli.main(words(out, *more, hands=3)) == 2
    assert "is there already and of another run; give another --out, or --force" in capsys.readouterr().err
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before
    assert cli.main(words(out, *more, "--force", hands=3)) == 0
    assert out.read_bytes() == other.read_bytes()
    assert cli.main(words(out, *more, hands=3)) == 0


def other_weights(path: Path) -> None:
    """Put other weights into a file of them."""
    tensors, header = checkpoint.read(path, checkpoint.POLICY)
    about = {key: value for key, value in header.items() if key not in ("kind", "version")}
    checkpoint.write(path, checkpoint.POLICY, {name: -array for name, array in tensors.items()}, about)


def _policy(folder: Path, _: pytest.MonkeyPatch) -> None:
    other_weights(folder / "p.safetensors")


def _source(_: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(manifest, "source_digest", lambda: "of another engine")


def _before(folder: Path, _: pytest.MonkeyPatch) -> None:
    place = folder / "hands.jsonl.manifest.json"
    about = json.loads(place.read_text())
    for key in ("weights", "sources"):
        del about["settings"][key]
    place.write_text(json.dumps(about))


OTHERS = {"weights": (_policy, "weights"), "sources": (_source, "sources"), "earlier": (_before, "sources, weights")}


@pytest.mark.usefixtures("small_batches")
@pytest.mark.parametrize("other", OTHERS)
@pytest.mark.parametrize("batches", [2, None], ids=["part", "whole"])
def test_hands_of_another_policy_or_engine_are_of_another_run(
    other: str, batches: int | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out, policy, (change, keys) = tmp_path / "hands.jsonl", tmp_path / "p.safetensors", OTHERS[other]
    policy.write_bytes((ROOT / f"agents/ppo/builtin/{RULESET}.safetensors").read_bytes())
    command = words(out, agents=f"ppo:{policy}", hands=48)
    with monkeypatch.context() as patch:
        if batches is not None:
            stop_after(batches, patch)
        assert cli.main(command) == (0 if batches is None else 130)
    change(tmp_path, monkeypatch)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    capsys.readouterr()
    assert cli.main(command) == 2
    error = capsys.readouterr().err
    assert "of another run" in error
    assert f"differs in {keys}{')' if batches is None else ';'}" in error
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_a_second_process_waits_for_the_manifest_of_a_whole_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """When the file has its name, the process that made it still writes the manifest, whose draft is not to be removed."""
    out, draft, write, codes = tmp_path / "hands.jsonl", tmp_path / ".hands.jsonl.manifest.json.0123abcd", manifest.write, []

    def late(place: Path, about: dict[str, Any], *, finished: bool = False) -> None:
        if finished and not codes:
            draft.write_text("{")
            codes.extend(cli.main(words(out, *force, hands=3)) for force in ([], ["--force"]))
            draft.unlink()
        write(place, about, finished=finished)

    monkeypatch.setattr(manifest, "write", late)
    assert cli.main(words(out, hands=3)) == 0
    assert codes == [2, 2]
    assert capsys.readouterr().err.count("another process is writing to it") == 2
    assert sorted(path.name for path in tmp_path.iterdir()) == ["hands.jsonl", "hands.jsonl.manifest.json"]


@pytest.mark.parametrize("kept", [True, False], ids=["its manifest", "none"])
def test_a_changed_file_is_replaced_by_force_only(kept: bool, tmp_path: Path) -> None:
    out = tmp_path / "hands.jsonl"
    cli.main(words(out, hands=3))
    if not kept:
        (tmp_path / "hands.jsonl.manifest.json").unlink()
    out.write_text("my own notes\n")
    assert cli.main(words(out, hands=3)) == 2
    assert out.read_text() == "my own notes\n"
    assert cli.main(words(out, "--force", hands=3)) == 0
    assert cli.main(["verify", str(out)]) == 0


@pytest.mark.usefixtures("small_batches")
def test_a_stopped_run_by_force_goes_on_by_force(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    whole, out = tmp_path / "whole.jsonl", tmp_path / "hands.jsonl"
    cli.main(words(whole, "--seed", "8"))
    cli.main(words(out))
    before = out.read_bytes()
    with pytest.MonkeyPatch.context() as patch:
        stop_after(2, patch)
        assert cli.main(words(out, "--seed", "8", "--force")) == 130
    assert cli.main(words(out, "--seed", "8")) == 2
    assert out.read_bytes() == before
    assert cli.main(words(out, "--seed", "8", "--force")) == 0
    assert "32 of them from a run that was stopped" in capsys.readouterr().out
    assert out.read_bytes() == whole.read_bytes()


@pytest.mark.parametrize("size", [3, 1_000_000], ids=["short", "long"])
@pytest.mark.parametrize("seed", ["0", "8"])
def test_a_part_beside_a_whole_file_is_of_another_run(
    seed: str, size: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The manifest tells how far the whole file got, not the part, which is neither cut off nor put in its place."""
    out, part = tmp_path / "hands.jsonl", tmp_path / "hands.jsonl.part"
    cli.main(words(out, hands=3))
    part.write_bytes(b"mine\n" * (size // 5 + 1))
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    for force in ([], ["--force"]):
        capsys.readouterr()
        assert cli.main(words(out, "--seed", seed, *force, hands=3)) == 2
        assert "of another run" in capsys.readouterr().err
        assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_a_run_killed_after_its_last_hand_is_finished_by_the_next(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, place = tmp_path / "hands.jsonl", tmp_path / "hands.jsonl.manifest.json"
    cli.main(words(out, hands=3))
    about = json.loads(place.read_text())
    del about["finished"]
    place.write_text(json.dumps(about))
    (tmp_path / ".hands.jsonl.manifest.json.0123abcd").write_text('{"format": "tar')
    before = out.stat()
    capsys.readouterr()
    assert cli.main(words(out, hands=3)) == 0
    assert "complete already, 3 hands" in capsys.readouterr().out
    assert json.loads(place.read_text()).keys() == about.keys() | {"finished"}
    assert out.stat() == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["hands.jsonl", "hands.jsonl.manifest.json"]


def test_a_file_that_appears_before_the_lock_is_got_is_not_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from experiments import locks

    out, holding = tmp_path / "hands.jsonl", locks.holding

    def late(*arguments: Any) -> Any:
        monkeypatch.setattr(locks, "holding", holding)
        assert cli.main(words(out, "--seed", "8", hands=3)) == 0
        return holding(*arguments)

    monkeypatch.setattr(locks, "holding", late)
    assert cli.main(words(out, hands=3)) == 2
    assert "is there already and of another run" in capsys.readouterr().err
    assert all(record["meta"]["seed"] == 8 for record in records.read_lines(out))
    assert not (tmp_path / "hands.jsonl.part").exists()


def test_a_lock_is_on_the_file_that_is_there(tmp_path: Path) -> None:
    """Its last holder may have renamed the file between our opening it and our getting the lock."""
    from experiments import locks

    path, moved = tmp_path / "lock", tmp_path / "moved"
    held = contextlib.ExitStack()
    held.enter_context(locks.holding(path))

    def waiting() -> None:
        path.rename(moved)
        held.close()

    with locks.holding(path, waiting):
        assert path.exists()
        with pytest.raises(BlockingIOError), locks.holding(path):
            pass
        with locks.holding(moved):
            pass


@pytest.mark.parametrize("force", [[], ["--force"]], ids=["", "force"])
@pytest.mark.parametrize("suffix", ["", ".part", ".manifest.json"])
@pytest.mark.parametrize("kind", ["fifo", "folder", "link"])
def test_only_regular_files_are_written(
    kind: str, suffix: str, force: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / f"hands.jsonl{suffix}"
    if kind == "fifo":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    else:
        path.symlink_to(tmp_path / "elsewhere")
    assert cli.main(words(tmp_path / "hands.jsonl", *force, hands=3)) == 2
    assert f"{path} is {'a folder' if kind == 'folder' else 'no regular file'}; allowed" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("out", [".", "..", "", "/"])
def test_out_must_name_a_file(out: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main([*words(tmp_path, hands=3)[:-1], out]) == 2
    assert "allowed: the name of a file" in capsys.readouterr().err


def test_a_session_without_length_leaves_nothing(tmp_path: Path) -> None:
    assert cli.main(words(tmp_path / "new" / "hands.jsonl", "--session", "whole")) == 2
    assert list(tmp_path.iterdir()) == []


def test_a_run_that_was_stopped_at_once_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stop_after(0, monkeypatch)
    assert cli.main(words(tmp_path / "hands.jsonl")) == 130
    assert list(tmp_path.iterdir()) == []


DAMAGED: dict[str, dict[str, Any]] = {
    "empty": {"written": {}},
    "null": {"written": None},
    "negative": {"written": {"games": -5, "hands": -5, "bytes": -1}},
    "text": {"written": {"games": "x", "hands": 1, "bytes": 2}},
    "fraction": {"written": {"games": 1, "hands": 1, "bytes": 2.5}},
    "true": {"written": {"games": 1, "hands": 1, "bytes": True}},
    "other keys": {"written": {"x": 1}},
    "more keys": {"written": {"games": 1, "hands": 1, "bytes": 2, "x": 1}},
    "list": {"written": [1, 2, 3]},
    "settings list": {"settings": []},
    "settings text": {"settings": "x"},
    "settings null": {"settings": None},
}


@pytest.mark.parametrize("damage", [*DAMAGED, "no JSON", "deep", "binary"])
@pytest.mark.parametrize("suffix", ["", ".part"])
def test_a_damaged_manifest_is_of_another_run(
    damage: str, suffix: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, place = tmp_path / "hands.jsonl", tmp_path / "hands.jsonl.manifest.json"
    cli.main(words(out, hands=3))
    texts = {"no JSON": b"", "deep": b"[" * 100_000, "binary": b"\0\xff"}
    place.write_bytes(texts.get(damage) or json.dumps({**json.loads(place.read_text()), **DAMAGED.get(damage, {})}).encode())
    if damage == "no JSON":
        place.write_bytes(b"")
    out.unlink()
    notes = tmp_path / f"hands.jsonl{suffix}"
    notes.write_text("my own notes\n")
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert cli.main(words(out, hands=3)) == 2
    assert "of another run" in capsys.readouterr().err
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


# ------------------------------------------------------------------ verify


@pytest.fixture
def few(tmp_path: Path) -> Path:
    out = tmp_path / "few.jsonl"
    cli.main(words(out, "--legal", hands=4))
    return out


def change(path: Path, line: int, **changes: Any) -> None:
    lines = path.read_text().splitlines()
    lines[line - 1] = json.dumps({**json.loads(lines[line - 1]), **changes})
    path.write_text("\n".join(lines) + "\n")


@pytest.mark.parametrize("path", sorted(CASES.glob("*.jsonl")), ids=lambda path: path.stem)
def test_the_cases_are_accepted(path: Path) -> None:
    if path.stem in tarock_env.available():
        assert cli.main(["verify", str(path)]) == 0


def test_a_disagreement_is_named_by_line_and_decision(few: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = list(records.read_lines(few))[2]
    seats = record["seats"]
    change(few, 3, seats=[*seats[:5], seats[5] ^ 1, *seats[6:]], scores=[9, 9, 9, 9])
    assert cli.main(["verify", str(few)]) == 1
    printed = capsys.readouterr()
    assert f"{few}, line 3: decision 5: record seat {seats[5] ^ 1}, engine seat {seats[5]}\n" in printed.out
    assert f"{few}, line 3: scores: record [9, 9, 9, 9], engine {record['scores']}\n" in printed.out
    summary = f"{few}: 4 records: 3 agree with the engine, 1 differs (line 3), 0 cannot be read"
    assert printed.out.splitlines()[-1] == summary


def test_only_the_first_differences_are_shown(few: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for line in (1, 2, 3, 4):
        change(few, line, scores=[7, 7, 7, 7])
    assert cli.main(["verify", str(few), "--show", "2"]) == 1
    assert "… and 2 more such lines\n" in capsys.readouterr().out


def test_the_summary_adds_up_and_says_where(few: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Records that agree, that differ and that cannot be read are all there are; blank lines count as lines only."""
    whole = few.read_text().splitlines()
    wrong = json.dumps({**json.loads(whole[1]), "scores": [7, 7, 7, 7]})

    def summary(*lines: str, code: int) -> str:
        few.write_text("\n".join(lines) + "\n")
        capsys.readouterr()
        assert cli.main(["verify", str(few), "--show", "0"]) == code
        return capsys.readouterr().out.splitlines()[-1].removeprefix(f"{few}: ")

    assert summary(*whole, code=0) == "4 records: 4 agree with the engine, 0 differ, 0 cannot be read"
    assert summary(whole[0], code=0) == "1 record: 1 agrees with the engine, 0 differ, 0 cannot be read"
    mixed = summary(whole[0], "", wrong, "{", wrong, "", "[]", code=2)
    assert mixed == "5 records: 1 agrees with the engine, 2 differ (lines 3, 5), 2 cannot be read (lines 4, 7)"
    many = summary(*["{"] * 7, *[wrong] * 5, code=2).split(" engine, ")
    assert many[0] == "12 records: 0 agree with the"
    assert many[1] == "5 differ (lines 8, 9, 10, 11, 12), 7 cannot be read (lines 1, 2, 3, 4, 5 and 2 more)"


UNREADABLE: dict[str, dict[str, Any]] = {
    "format is 'tarock-record/9'": {"format": "tarock-record/9"},
    "no ruleset 'whist'": {"ruleset": "whist"},
    "dealt twice": {"talon": ["T1", "T2", "T3", "T4", "T5", "T6"]},
}


@pytest.mark.parametrize("message", UNREADABLE)
def test_what_cannot_be_set_up_is_named(message: str, few: Path, capsys: pytest.CaptureFixture[str]) -> None:
    change(few, 2, **UNREADABLE[message])
    assert cli.main(["verify", str(few)]) == 2
    printed = capsys.readouterr()
    assert f"{few}, line 2: " in printed.err
    assert message in printed.err
    assert "Traceback" not in printed.err


def test_a_torn_line_is_unreadable(few: Path, capsys: pytest.CaptureFixture[str]) -> None:
    few.write_text(few.read_text()[:-100])
    assert cli.main(["verify", str(few)]) == 2
    assert "line 4: not JSON" in capsys.readouterr().err


def test_a_file_without_records(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "empty.jsonl").write_text("\n\n")
    assert cli.main(["verify", str(tmp_path / "empty.jsonl")]) == 2
    assert "no records in it" in capsys.readouterr().err


def test_lines_that_are_not_utf8_are_unreadable(few: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = few.read_bytes().splitlines(keepends=True)
    lines[2] = lines[2].replace(b'"random"', b'"r\xffndom"', 1)
    few.write_bytes(b"".join(lines))
    assert cli.main(["verify", str(few)]) == 2
    printed = capsys.readouterr()
    assert f"{few}, line 3: not UTF-8: byte 0xff at position {lines[2].index(0xFF)}" in printed.err
    assert printed.out == f"{few}: 4 records: 3 agree with the engine, 0 differ, 1 cannot be read (line 3)\n"


def test_a_byte_order_mark_is_passed_over(few: Path) -> None:
    few.write_bytes(b"\xef\xbb\xbf" + few.read_bytes())
    assert cli.main(["verify", str(few)]) == 0
    assert len(list(records.read_lines(few))) == 4


def test_what_a_file_says_does_not_steer_the_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "hands.jsonl"
    cli.main(words(out, "--session", "3", hands=3, ruleset="slovenian_4p"))
    for line, hand in ((2, 0), (3, 0)):
        change(out, line, session={"id": "\x1b[2J\ud800\n", "hand": hand + 1})
    capsys.readouterr()
    assert cli.main(["verify", str(out)]) == 1
    printed = capsys.readouterr().out
    assert r"hand 1 of session \x1b[2J\ud800\n comes after hand 1" in printed
    assert "\x1b" not in printed


@pytest.mark.parametrize("depth", [60, 985, 100_000])
def test_a_deep_record_is_unreadable(depth: int, few: Path, capsys: pytest.CaptureFixture[str]) -> None:
    few.write_text(few.read_text().replace('"meta":{', '"meta":{"x":' + "[" * depth + "]" * depth + ",", 1))
    assert cli.main(["verify", str(few)]) == 2
    assert f"{few}, line 1: nested too deep" in capsys.readouterr().err


def test_a_record_that_breaks_the_comparison_is_named(
    few: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    change(few, 3, meta={"odd": True})
    compare = records.verify_all

    def broken(openings: Any) -> Any:
        if any("odd" in opening.record["meta"] for opening in openings):
            raise TypeError("no such comparison")
        return compare(openings)

    monkeypatch.setattr(records, "verify_all", broken)
    assert cli.main(["verify", str(few)]) == 2
    printed = capsys.readouterr()
    assert f"{few}, line 3: cannot be compared: no such comparison\n" in printed.err
    assert printed.out == f"{few}: 4 records: 3 agree with the engine, 0 differ, 1 cannot be read (line 3)\n"


def test_show_is_a_whole_number(few: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["verify", str(few), "--show", "-5"]) == 2
    assert "allowed: a whole number of at least 0" in capsys.readouterr().err


@pytest.mark.parametrize("value", ["[" * 100_000, "[" * 985 + "]" * 985, "[" * 60 + "]" * 60])
def test_a_deep_option_is_refused(value: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(words(tmp_path / "x.jsonl", "--option", f"kontra_max={value}")) == 2
    printed = capsys.readouterr().err
    assert "is nested too deep; allowed: 50 deep" in printed
    assert printed.count("\n") == 1
    assert len(printed) < 300


def test_an_option_is_given_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    twice = ["--option", "kontra_max=5", "--option", "kontra_max=3"]
    assert cli.main(words(tmp_path / "x.jsonl", *twice)) == 2
    assert "--option: kontra_max is given more than once" in capsys.readouterr().err


def test_options_are_told_as_they_are_typed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(words(tmp_path / "x.jsonl", "--option", "forehand_may_pass=True")) == 2
    assert "allowed: false | true" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("order", "message"),
    [
        ([0, 1, 1, 2], "line 3: session: hand 1 of session 0-0 comes after hand 1; allowed: later hands, or hand 0"),
        ([0, 2, 1, 3], "line 3: session: hand 1 of session 0-0 comes after hand 2; allowed: later hands, or hand 0"),
    ],
    ids=["repeated", "swapped"],
)
def test_hands_of_a_session_follow_one_another(
    order: list[int], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "hands.jsonl"
    cli.main(words(out, "--session", "4", hands=4, ruleset="slovenian_4p"))
    lines = out.read_text().splitlines(keepends=True)
    for some in (lines[1:], [lines[0], lines[1], lines[3]], lines + lines):
        out.write_text("".join(some))
        assert cli.main(["verify", str(out)]) == 0
    out.write_text("".join(lines[i] for i in order))
    assert cli.main(["verify", str(out)]) == 1
    assert message in capsys.readouterr().out


def test_a_session_must_continue(few: Path, capsys: pytest.CaptureFixture[str]) -> None:
    scores = [record["scores"] for record in records.read_lines(few)]
    total = [0, 0, 0, 0]
    for hand, added in enumerate(scores[:3]):
        before, total = total, [a + b for a, b in zip(total, added, strict=True)]
        state = {"rings": [0, 0, 0, 0], "compulsory": None}
        told = {"scores": [1, 1, 1, 1] if hand == 2 else before, **state}
        change(few, hand + 1, before=told, session={"id": "s", "hand": hand}, after={"scores": total, **state})
    cli.main(["verify", str(few)])
    assert "line 3: before: scores is [1, 1, 1, 1], but hand 1 of session s left" in capsys.readouterr().out
