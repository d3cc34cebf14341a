"""Mutants: copies of one source file in which one value, comparison or operator is another one.

Sites are found in the syntax tree and changed in the text, so that everything else of the file stays as it is. There are
three kinds: `data` (ruleset files, shared option files, defaults of the schema), `kernels` (compiled functions of
`tarock_env/cards.py` and `tarock_env/engine`, the constants beside them, and the functions that fill the rule tables) and
`views` (what seats know, and its bits).

Nothing is changed that cannot matter: docstrings, annotations, titles, sources, meanings, names of rows and options. What
rules nothing is left out too: `policies.py`, the weights of bids in its stated random auction, the scale of rewards.
"""

from __future__ import annotations

import ast
import functools
import hashlib
import itertools
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.mutation import data_sites, kernel_sites
from tests.mutation.text import Source
from tests.test_architecture import RULESET_CODE

ROOT = Path(__file__).resolve().parents[2]
#: kinds, and their shares of a sample
SHARES = {"data": 2, "kernels": 2, "views": 1}
KINDS = tuple(SHARES)
#: files beside the data that are no tables
NO_TABLES = RULESET_CODE - {"schema.py"}
NO_RULES = {"policies.py"}
VIEWS = ("tarock_env/view.py", "tarock_env/features.py", "tarock_env/bits.py", "tarock_env/encoding.py")


@dataclass(frozen=True)
class Mutant:
    """One change of one file."""

    kind: str  #: one of KINDS
    file: str  #: path from the root of the project
    line: int
    column: int  #: in bytes, from 0
    operator: str  #: kind of change, such as ``compare``
    start: int  #: the bytes that are replaced
    end: int
    after: str

    @property
    def id(self) -> str:
        """A short hash of the place and the change."""
        text = f"{self.file}|{self.line}|{self.column}|{self.start}|{self.end}|{self.after}"
        return hashlib.sha256(text.encode()).hexdigest()[:10]

    def text(self, root: Path = ROOT) -> bytes:
        """The whole file with the change in it."""
        old = (root / self.file).read_bytes()
        return old[: self.start] + self.after.encode() + old[self.end :]

    def before(self, root: Path = ROOT) -> str:
        """What is replaced."""
        return (root / self.file).read_bytes()[self.start : self.end].decode()

    def where(self, root: Path = ROOT) -> str:
        """The function or constant of the top level that the change lies in."""
        inside = [node for node in _tree(root / self.file).body if node.lineno <= self.line <= (node.end_lineno or 0)]
        node = inside[0]
        target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
        return str(getattr(node, "name", "")) or ast.unparse(target or node)

    def lines(self, root: Path = ROOT) -> tuple[str, str]:
        """The first line that the change touches, before and after, without its indentation."""
        old = (root / self.file).read_bytes()
        number = old[: self.start].count(b"\n")
        changed = self.text(root).decode().splitlines()
        return old.decode().splitlines()[number].strip(), (changed[number] if number < len(changed) else "").strip()


def data_files(root: Path = ROOT) -> list[Path]:
    """The files of ruleset data, the schema with its defaults among them."""
    return [path for path in sorted((root / "tarock_env/rulesets").glob("*.py")) if path.name not in NO_TABLES]


def kernel_files(root: Path = ROOT) -> list[Path]:
    """The files with compiled rules."""
    files = [root / "tarock_env/cards.py", *sorted((root / "tarock_env/engine").glob("*.py"))]
    return [path for path in files if path.name not in NO_RULES and kernel_sites.holds_kernels(path)]


def view_files(root: Path = ROOT) -> list[Path]:
    """The files that say what seats know."""
    return [root / file for file in VIEWS]


def of_file(kind: str, path: Path, root: Path = ROOT) -> list[Mutant]:
    """All changes of a file, in the order of the text; a few may turn out not to be Python, see `is_sound`."""
    source = Source(path.read_bytes())
    changes = data_sites.changes(source) if kind == "data" else kernel_sites.changes(source, path.name)
    found = {}
    for change in changes:
        line, column = source.place(change.start)
        name = path.relative_to(root).as_posix()
        mutant = Mutant(kind, name, line, column, change.operator, change.start, change.end, change.after)
        found[change.start, change.end, change.after] = mutant
    return [found[key] for key in sorted(found)]


def is_sound(mutant: Mutant, root: Path = ROOT) -> bool:
    """Whether the changed text is Python and another program than before."""
    try:
        changed = ast.dump(ast.parse(mutant.text(root)))
    except SyntaxError:
        return False
    return changed != _dumped(root / mutant.file)


@functools.cache
def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_bytes())


@functools.cache
def _dumped(path: Path) -> str:
    return ast.dump(_tree(path))


def generate(kinds: Sequence[str] = KINDS, root: Path = ROOT) -> list[Mutant]:
    """All mutants of these kinds."""
    files = {"data": data_files, "kernels": kernel_files, "views": view_files}
    return [mutant for kind in kinds for path in files[kind](root) for mutant in of_file(kind, path, root)]


# ------------------------------------------------------------------ sample


def sample(mutants: Sequence[Mutant], size: int, seed: int, least: int = 4) -> list[Mutant]:
    """`size` mutants by `SHARES`: at least `least` a file if that fits, more from larger files, operators in turn."""
    kinds = [kind for kind in KINDS if any(mutant.kind == kind for mutant in mutants)]
    chosen: list[Mutant] = []
    for place, kind in enumerate(kinds):
        share = (size - len(chosen)) * SHARES[kind] // sum(SHARES[other] for other in kinds[place:])
        chosen += _of_kind([mutant for mutant in mutants if mutant.kind == kind], share, seed, least)
    return chosen


def _of_kind(mutants: Sequence[Mutant], size: int, seed: int, least: int) -> list[Mutant]:
    queues = {
        file: _in_turn([m for m in mutants if m.file == file], seed) for file in dict.fromkeys(m.file for m in mutants)
    }
    counts = {file: min(least, len(queue), size // len(queues)) for file, queue in queues.items()}
    while sum(counts.values()) < min(size, len(mutants)):
        room = [file for file in queues if counts[file] < len(queues[file])]
        counts[max(room, key=lambda file: len(queues[file]) / max(counts[file], 0.5))] += 1
    return [m for file, queue in queues.items() for m in itertools.islice(filter(is_sound, queue), counts[file])]


def _in_turn(mutants: Sequence[Mutant], seed: int) -> list[Mutant]:
    """The mutants of a file in a random order in which the operators take turns."""
    rng = random.Random(f"{seed} {mutants[0].file}")
    piles: dict[str, list[Mutant]] = {}
    for mutant in mutants:
        piles.setdefault(mutant.operator, []).append(mutant)
    for pile in piles.values():
        rng.shuffle(pile)
    order = list(piles)
    rng.shuffle(order)
    return list(_dealt([piles[name] for name in order]))


def _dealt(piles: Sequence[list[Mutant]]) -> Iterator[Mutant]:
    for i in range(max(map(len, piles))):
        for pile in piles:
            if i < len(pile):
                yield pile[i]
