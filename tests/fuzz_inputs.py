"""Fuzzing of everything that is read from outside: records, options, configurations, specs, files of weights.

    ./run fuzz-inputs 5
    ./run fuzz-inputs 5 --target weights_file

Where Atheris is installed, it looks for bytes that reach new branches; otherwise bytes are drawn and changed at random. A
target is a function of bytes in `tests.hostile.targets` that raises only if the project is wrong. What makes it raise is
written to ``tests/cases/hostile/``, where the test suite tries it for ever after; so is what hangs or kills the process, or
fills its memory. A fuzzer that grows by itself is started again.

Exit code: 0 if nothing was found, 1 if something was.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib
import importlib.util
import os
import random
import sys
import time
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from types import FunctionType
from typing import Any, NamedTuple

from tests.hostile.rounds import Ended, Progress, resident, run_round

ROOT = Path(__file__).resolve().parents[1]
FOUND = ROOT / "tests/cases/hostile"
LONGEST = 400  #: bytes of an input
MOST = 2048  #: MiB of memory after which a round of Atheris ends and the next one begins
PATIENCE = 300.0  #: seconds for one input, which may have to compile everything first
#: modules whose branches guide Atheris
GUIDED = ("tarock_env.record.strict", "tarock_env.record.opening", "tarock_env.record.files", "tarock_env.record.replaying",
          "tarock_env.rulesets", "tarock_env.rulesets.options", "tarock_env.rulesets.schema", "tarock_env.engine.position",
          "agents.ppo.checkpoint", "agents.ppo.config", "agents.ppo.agent", "agents.base", "experiments.arguments",
          "experiments.manifest")  # fmt: skip


class Outcome(NamedTuple):
    """Inputs tried, a line for each finding, MiB of memory at most, rounds that ended because they had grown."""

    tried: int
    found: list[str]
    peak: int
    grown: int = 0


def keep(name: str, data: bytes, folder: Path = FOUND) -> Path:
    """Write an input that makes a target raise."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}-{hashlib.sha256(data).hexdigest()[:12]}"
    path.write_bytes(data)
    return path


def shrink(target: Callable[[bytes], None], data: bytes) -> bytes:
    """Shorter bytes, or bytes with more zeros, that still make a target raise."""
    for size in (64, 16, 4, 1):
        at = 0
        while at < len(data):
            shorter = data[:at] + data[at + size :]
            zeroed = data[:at] + bytes(min(size, len(data) - at)) + data[at + size :]
            for candidate in (shorter, zeroed):
                if candidate != data and raises(target, candidate):
                    data = candidate
                    break
            else:
                at += size
                continue
            if data == zeroed:
                at += size
    return data


def raises(target: Callable[[bytes], None], data: bytes) -> bool:
    """Whether a target raises."""
    try:
        target(data)
    except Exception:
        return True
    return False


def at_random(name: str, minutes: float, seed: int, folder: Path = FOUND) -> Outcome:
    """Fuzz without guidance, in this process."""
    from tests.hostile.targets import TARGETS

    target, rng, stop = TARGETS[name], random.Random(f"{seed} {name}"), time.monotonic() + 60 * minutes
    pool, tried, found = [b""], 0, {}
    while time.monotonic() < stop:
        data = _changed(rng, pool)
        tried += 1
        try:
            target(data)
        except Exception as error:
            where = _where(error)
            if where not in found:
                found[where] = f"{where}: {error!r:.300} -> {keep(name, shrink(target, data), folder)}"
        if rng.random() < 0.01:
            pool = [*pool[-200:], data]
    return Outcome(tried, list(found.values()), resident(os.getpid()))


def _changed(rng: random.Random, pool: Sequence[bytes]) -> bytes:
    if rng.random() < 0.5:
        return rng.randbytes(rng.randrange(LONGEST))
    data = bytearray(rng.choice(pool) or rng.randbytes(20))
    for _ in range(rng.randrange(1, 5)):
        data[rng.randrange(len(data))] = rng.randrange(256)
    return bytes(data)


def _where(error: BaseException) -> str:
    frame = traceback.extract_tb(error.__traceback__)[-1]
    return f"{Path(frame.filename).name}:{frame.lineno}"


def guided(name: str, minutes: float, seed: int, folder: Path = FOUND) -> Outcome:
    """Fuzz with Atheris in a process of its own, which ends with its first finding and is then started again."""
    stop, done, rounds = time.monotonic() + 60 * minutes, Outcome(0, [], 0), 0
    while (left := stop - time.monotonic()) > 1 and len(done.found) < 20:
        words = (name, left, seed + rounds, folder)
        ended = run_round(_guided_round, words, LONGEST, MOST, PATIENCE)
        done = with_round(done, name, ended, folder)
        rounds += 1
    return done


def with_round(done: Outcome, name: str, ended: Ended, folder: Path) -> Outcome:
    """The outcome with one more round; an input that the round could not keep itself is kept."""
    found = list(done.found)
    if ended.found is not None:
        found.append(ended.found + ("" if ended.unkept is None else f" -> {keep(name, ended.unkept, folder)}"))
    return Outcome(done.tried + ended.tried, found, max(done.peak, ended.peak), done.grown + ended.grown)


def _guided_functions() -> list[Any]:
    """The plain functions and methods of the modules that guide Atheris; compiled ones cannot be watched."""
    found = []
    for name in GUIDED:
        module = importlib.import_module(name)
        holders = [module, *(cls for cls in vars(module).values() if isinstance(cls, type) and cls.__module__ == name)]
        for holder in holders:
            found += [f for f in vars(holder).values() if isinstance(f, FunctionType) and f.__module__ == name]
    return found


def _guided_round(name: str, seconds: float, seed: int, folder: Path, progress: Progress, pipe: Any) -> None:
    """Atheris on one target until the time is over or something is found."""
    import atheris

    from tests.hostile.targets import TARGETS

    for function in _guided_functions():
        atheris.instrument_func(function)
    target, stop = TARGETS[name], time.monotonic() + seconds

    def one(data: bytes) -> None:
        if progress.asked or time.monotonic() >= stop:
            pipe.send(None)
            os._exit(0)
        progress.begin(data)
        try:
            target(data)
        except Exception as error:
            path = keep(name, shrink(target, data), folder)
            pipe.send(f"{_where(error)}: {error!r:.300} -> {path}")
            os._exit(0)

    words = [
        sys.argv[0],
        f"-max_len={LONGEST}",
        f"-seed={seed % (1 << 31)}",
        "-len_control=0",
        "-verbosity=0",
        "-rss_limit_mb=0",
    ]
    atheris.Setup(words, one)
    atheris.Fuzz()


def main(arguments: Sequence[str] | None = None) -> int:
    """The command."""
    from tests.hostile.targets import TARGETS

    parser = argparse.ArgumentParser(prog="./run fuzz-inputs", description=__doc__)
    parser.add_argument("minutes", type=float, help="how long, all targets together")
    parser.add_argument("--target", choices=list(TARGETS), action="append", help="default: all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--unguided", action="store_true", help="do without Atheris")
    args = parser.parse_args(arguments)
    chosen = args.target or list(TARGETS)
    with_atheris = not args.unguided and importlib.util.find_spec("atheris") is not None
    fuzz = guided if with_atheris else at_random
    print(f"{'Atheris' if with_atheris else 'random changes'}, {args.minutes:g} minutes", flush=True)
    total = 0
    for name in chosen:
        done = fuzz(name, args.minutes / len(chosen), args.seed)
        total += len(done.found)
        grown = f"; rounds ended at more than {MOST:,} MiB: {done.grown}" if done.grown else ""
        print(f"{name}: {done.tried:,} inputs, {len(done.found)} findings, {done.peak:,} MiB{grown}", flush=True)
        for line in done.found:
            print(f"  {line}", flush=True)
    return 1 if total else 0


if __name__ == "__main__":
    sys.exit(main())
