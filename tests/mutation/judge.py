"""One mutant's fast judge: ``python -P -m tests.mutation.judge``, run inside the copy that holds the mutant.

Checks come in rounds, cheap ones first, and stop at the first difference. Under ``NUMBA_DISABLE_JIT=1`` (mutants of kernels)
nothing is compiled and hands are few; compiled (mutants of data) they are many, and only where the rule tables differ
from those of the unchanged project. The verdict is a JSON file.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.util
import json
import os
import resource
import sys
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
MEMORY = 6 << 30


def is_in_place(file: str, sha: str) -> str:
    """What is wrong with the module under judgement: not the copy's, or another text; empty if nothing."""
    path = ROOT / file
    if hashlib.sha256(path.read_bytes()).hexdigest() != sha:
        return f"{path} is not the mutant's text"
    name = file.removesuffix(".py").replace("/", ".")
    module = sys.modules.get(name)
    if module is not None:
        place = module.__file__
    else:  # the import failed, or nothing got that far
        package = importlib.util.find_spec("tarock_env")
        place = str(ROOT / file) if package and package.origin == str(ROOT / "tarock_env/__init__.py") else "elsewhere"
    return "" if place == str(path) else f"{name} was imported from {place}, not from {path}"


def verdict(file: str, hands: float, digests: Path) -> dict[str, Any]:
    """How the rounds ended: by which check it was killed and with what, or that it survived."""
    stage = "import"
    try:
        from tests.mutation import rounds

        for stage, found in rounds.run(file, hands, digests):
            if found:
                return {"status": "killed", "by": stage, "message": found[:300]}
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt):
            raise
        return {"status": "killed", "by": stage, "message": f"{type(error).__name__}: {error}"[:300]}
    return {"status": "survived", "by": "", "message": ""}


def main() -> int:
    """Judge, and write what was found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--file", required=True, help="the changed file")
    parser.add_argument("--sha", required=True, help="its SHA-256")
    parser.add_argument("--verdict", type=Path, required=True, help="where to write")
    parser.add_argument("--digests", type=Path, required=True, help="tables of the unchanged project; made if not there")
    parser.add_argument("--cpu", type=int, required=True, help="seconds of processor time allowed")
    parser.add_argument("--hands", type=float, default=1.0, help="share of the usual number of hands")
    args = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_CPU, (args.cpu, args.cpu + 5))
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    os.chdir(ROOT)
    answer = verdict(args.file, args.hands, args.digests)
    wrong = is_in_place(args.file, args.sha)
    if wrong:
        answer = {"status": "error", "by": "", "message": wrong}
    text = json.dumps(answer | {"cpu": round(time.process_time(), 2)})
    part = args.verdict.with_suffix(".part")
    part.write_text(text, encoding="utf-8")
    part.replace(args.verdict)
    return 0


if __name__ == "__main__":
    code = main()
    sys.stdout.flush()
    os._exit(code)  # no mutant's threads are waited for
