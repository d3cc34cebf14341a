"""A process that makes one measurement again and again: ``python -m experiments.bench.worker SETTINGS``.

Peers run in processes of their own, so that a crash, a thread pool or a noisy import of one is not the others' matter; ours
that they are compared with run in the same kind of process. Settings are JSON; every line on standard input asks for one
measurement, every answer is a line of JSON. What else is printed goes to standard error.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
from dataclasses import asdict
from typing import Any

WORD = "measure"


def pin(threads: int) -> None:
    """Keep this process, and all threads that it will start, to so many cores, where the system knows how."""
    if hasattr(os, "sched_setaffinity"):
        cores = sorted(os.sched_getaffinity(0))
        os.sched_setaffinity(0, set(cores[-threads:]))


def function(path: str) -> Any:
    """The measurement ``module:name`` below `experiments.bench`."""
    module, _, name = path.partition(":")
    return getattr(importlib.import_module(f"experiments.bench.{module}"), name)


def serve(settings: dict[str, Any], answer: Any) -> None:
    """One measurement that is not told, then one for each line asked for."""
    from experiments.bench.clock import Size
    from tarock_env.engine.batch import Engine
    from tarock_env.rulesets import load

    sizes: dict[str, Any] = {name: tuple(v) if isinstance(v, list) else v for name, v in settings["size"].items()}
    size, measure = Size(**sizes), function(settings["measure"])
    engine = Engine(load(settings["ruleset"], **settings["options"]))
    measure(engine, size)
    answer({"ready": True})
    for _ in sys.stdin:
        answer(asdict(measure(engine, size)))


def main() -> int:
    """Serve; what goes wrong is an answer too."""
    settings = json.loads(sys.argv[1])
    pin(settings["threads"])
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)

    def answer(what: dict[str, Any]) -> None:
        print(json.dumps(what), file=out, flush=True)

    try:
        serve(settings, answer)
    except (Exception, SystemExit) as error:
        answer({"error": f"{type(error).__name__}: {' '.join(str(error).split())[:300]}"})
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
