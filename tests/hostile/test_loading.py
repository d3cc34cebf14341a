"""Reading a file never runs code from it: nothing in the source could, and files that try are refused."""

from __future__ import annotations

import ast
import json
import pickle
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tarock_env
from agents.ppo import checkpoint
from agents.ppo.agent import load as load_policy
from agents.ppo.config import read as read_config
from experiments import manifest, partial
from experiments.cli import main
from tarock_env import record as records
from tests.test_architecture import imported_modules, short, sources, tree

#: modules that make objects, or code, out of bytes
MODULES = {
    "pickle",
    "cPickle",
    "dill",
    "cloudpickle",
    "marshal",
    "shelve",
    "joblib",
    "yaml",
    "runpy",
    "code",
    "codeop",
    "imp",
}
#: functions that run text, or load what may hold pickles
CALLS = {"eval", "exec", "compile", "__import__", "execfile"}
LOADERS = {("torch", "load"), ("np", "load"), ("numpy", "load"), ("np", "fromregex"), ("pandas", "read_pickle"),
           ("os", "system"), ("os", "popen"), ("torch.hub", "load"), ("torch.jit", "load"), ("torch.package", "load"),
           ("importlib.util", "spec_from_file_location")}  # fmt: skip
#: where a module is imported by a name out of a table of the project's own
IMPORTERS = {"agents/base.py", "experiments/cli.py", "tarock_env/rulesets/__init__.py",
             "experiments/bench/worker.py", "experiments/bench/peers/pettingzoo_classic.py"}  # fmt: skip


def findings(module: ast.AST) -> list[str]:
    """What could run code from data, line by line."""
    found = [f"import {name}" for name in imported_modules(module) if name.split(".")[0] in MODULES]
    for node in ast.walk(module):
        if not isinstance(node, ast.Call):
            continue
        name = ast.unparse(node.func)
        if name in CALLS or tuple(name.rpartition(".")[::2]) in LOADERS:
            found.append(f"line {node.lineno}: {name}")
        for keyword in node.keywords:
            constant = keyword.value.value if isinstance(keyword.value, ast.Constant) else ...
            if (keyword.arg, constant) in (("allow_pickle", True), ("weights_only", False), ("shell", True)):
                found.append(f"line {node.lineno}: {keyword.arg}={constant}")
            elif keyword.arg in ("allow_pickle", "weights_only", "shell") and constant is ...:
                found.append(f"line {node.lineno}: {keyword.arg} is computed")
    return found


def test_no_source_can_run_code_from_a_file() -> None:
    assert {short(path): found for path in sources() if (found := findings(tree(path)))} == {}


def test_modules_are_imported_by_name_in_few_places() -> None:
    users = {
        short(path)
        for path in sources()
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Attribute) and node.attr == "import_module"
    }
    assert users == IMPORTERS


CODE = ("import pickle", "from pickle import loads", "import yaml.reader", "eval(x)", "exec('1')", "__import__(x)",
        "torch.load(f)", "np.load(f)", "f(x, allow_pickle=True)", "f(x, weights_only=False)", "f(x, allow_pickle=y)",
        "os.system(x)", "subprocess.run(x, shell=True)", "compile(x, y, z)")  # fmt: skip


@pytest.mark.parametrize("line", CODE)
def test_what_could_is_noticed(line: str) -> None:
    assert len(findings(ast.parse(line))) == 1


# ------------------------------------------------------------------ files that try


class Trap:
    """Whoever unpickles it leaves a mark."""

    def __init__(self, mark: Path) -> None:
        self.mark = mark

    def __reduce__(self) -> Any:
        return Path.touch, (self.mark,)


def traps(mark: Path, folder: Path) -> dict[str, bytes]:
    """Files whose loading by pickle would leave the mark."""
    bomb = pickle.dumps(Trap(mark))
    array = folder / "array.npy"
    np.save(array, np.array([Trap(mark)], object), allow_pickle=True)
    archive = folder / "archive"
    with zipfile.ZipFile(archive, "w") as file:  # as torch.save would
        file.writestr("archive/data.pkl", bomb)
        file.writestr("archive/version", "3\n")
    return {
        "pickle": bomb, "old pickle": pickle.dumps(Trap(mark), 0), "npy": array.read_bytes(), "torch": archive.read_bytes(),
        "code": b"__import__('pathlib').Path(" + repr(str(mark)).encode() + b").touch()",
        "json of code": json.dumps({"__reduce__": ["os.system", ["touch " + str(mark)]]}).encode(),
    }  # fmt: skip


def loaders(path: Path) -> list[Any]:
    """Everything that reads a file."""
    engine = tarock_env.make("koenigrufen_pagat")
    return [
        lambda: load_policy(str(path), engine),
        lambda: checkpoint.read(path, checkpoint.TRAINING),
        lambda: list(records.read_lines(path)),
        lambda: records.read_parquet(path),
        lambda: read_config(path)["nothing"],
        lambda: partial.kept(path, {"deals": 4, "chunk": 2}, ()).__enter__(),
    ]


def test_files_that_would_run_code_are_refused(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    for name, content in traps(mark, tmp_path).items():
        path = tmp_path / name
        path.write_bytes(content)
        for load in loaders(path):
            with pytest.raises((ValueError, KeyError)):
                load()
        assert manifest.read(path) is None
        assert not mark.exists()
    pickle.loads((tmp_path / "pickle").read_bytes())
    assert mark.exists()  # the trap works


def test_a_pickle_as_a_run_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run, mark = tmp_path / "run", tmp_path / "mark"
    run.mkdir()
    for name in ("training.safetensors", "policy.safetensors"):
        (run / name).write_bytes(pickle.dumps(Trap(mark)))
    for words in (["train", "--resume", "--out", str(run)],
                  ["evaluate", f"ppo:{run}", "random", "--ruleset", "koenigrufen_pagat", "--deals", "2"]):  # fmt: skip
        assert main(words) == 2
        assert capsys.readouterr().err.count("\n") == 1
    assert not mark.exists()
