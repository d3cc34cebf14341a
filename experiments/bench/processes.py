"""What a process costs: memory of games and of long streams, import, compilation. These return one figure."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

from experiments.bench.clock import Size
from tarock_env import STATE
from tarock_env.engine.batch import Engine
from tarock_env.engine.checking import LOG_LENGTH

ROOT = Path(__file__).resolve().parents[2]

MEMORY = Path("/proc/self/statm")  #: where a process reads how large it is, on Linux

_STREAM = """
import sys
import tarock_env
from tarock_env.engine.chance import DEAL, make_keys
name, options, batch, early, late, memory = eval(sys.argv[1])
engine = tarock_env.make(name, **options)

def resident():
    with open(memory) as file:
        return int(file.read().split()[1])

def play(first, last):
    for at in range(first, last, batch):
        engine.playout(engine.reset(keys=make_keys(min(batch, last - at), 1, DEAL, at)), "random")
    return resident()

print(play(0, early), play(early, late))
"""


def memory(engine: Engine, size: Size) -> float:
    """Bytes of a game's state."""
    return STATE.itemsize


def log_memory(engine: Engine, size: Size) -> float:
    """Bytes of a game's action log, where one is kept."""
    return LOG_LENGTH


def stream_growth(engine: Engine, size: Size) -> float:
    """MiB by which a process that simulates hands has grown between the two numbers of hands of `size.stream`."""
    settings = repr((engine.ruleset.id, engine.options, size.batch, *size.stream, str(MEMORY)))
    done = subprocess.run(
        [sys.executable, "-P", "-c", _STREAM, settings], env=environment(), check=True, stdout=subprocess.PIPE, text=True
    )
    return grown(done.stdout)


def grown(told: str) -> float:
    """MiB between two numbers of pages."""
    early, late = (int(pages) for pages in told.split())
    return (late - early) * os.sysconf("SC_PAGE_SIZE") / 2**20


def import_time(engine: Engine, size: Size) -> float:
    """Seconds for `import tarock_env` in a new process, the start of Python left out."""
    return seconds("import tarock_env") - seconds("pass")


def first_playout(engine: Engine, size: Size) -> float:
    """Seconds until the first batch is played out where nothing is compiled yet."""
    with tempfile.TemporaryDirectory() as folder:
        return seconds(
            f"import tarock_env; e = tarock_env.make({engine.ruleset.id!r}); e.playout(e.reset(64, 0), 'random')", folder
        )


def everything(engine: Engine, size: Size) -> float:
    """Seconds until every kernel is compiled."""
    with tempfile.TemporaryDirectory() as folder:
        return seconds("from experiments.cli import main; main(['warm'])", folder)


def seconds(code: str, cache: str | None = None) -> float:
    """CPU seconds that a new Python process takes for some code; it has one thread at work."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-P", "-c", code], env=environment(cache), check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def environment(cache: str | None = None) -> dict[str, str]:
    """The environment of a process that imports this project; `cache`: a folder for its compiled code."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])}
    return environment if cache is None else {**environment, "NUMBA_CACHE_DIR": cache}
