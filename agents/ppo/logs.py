"""Where a run's figures go: a CSV file, and TensorBoard where it is installed."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from agents.ppo.figures import FIRST, figures, from_json, shown, to_json
from agents.ppo.rollout import Rollout
from tarock_env import Engine
from tarock_env.codes import Phase
from tarock_env.record import whole

CSV_FILE = "log.csv"


class Writer(Protocol):
    """The part of TensorBoard's SummaryWriter that is used."""

    def add_scalar(self, tag: str, value: float, step: int) -> None: ...

    def flush(self) -> None: ...


class Log:
    """Averages of a stretch of iterations, written as one row."""

    def __init__(self, folder: Path, engine: Engine, opponents: tuple[str, ...], hands: int) -> None:
        self._path = folder / CSV_FILE
        self._phases = [phase.name.lower() for phase in Phase if phase != Phase.DONE]
        self._contracts = [contract.id for contract in engine.ruleset.contracts]
        self.columns = [*FIRST, *(f"entropy_{name}" for name in self._phases)]
        self.columns += [f"share_{name}" for name in self._contracts] + [f"won_{name}" for name in self._contracts]
        self.columns += [f"versus_{name}{end}" for name in opponents for end in ("", "_low", "_high")]
        self._forget_after(hands)
        self._writer = _tensorboard(folder, hands)
        self._sums: dict[str, list[float]] = {}
        self._clear()

    def _forget_after(self, hands: int) -> None:
        """Keep the rows up to a number of hands: a run that is resumed there writes the later ones again.

        The file is replaced as a whole, so that a process that is killed meanwhile loses no row.
        """
        rows = _whole_rows(self._path, hands) if hands > 0 and self._path.is_file() else []
        text = io.StringIO(newline="")
        writer = csv.DictWriter(text, self.columns, extrasaction="ignore")
        writer.writeheader()
        writer.writerows(rows)
        whole.replace(self._path, text.getvalue().encode())

    def pending(self) -> dict[str, Any]:
        """What was added since the last row, ready for JSON."""
        parts = {"phases": [to_json(row) for row in self._phase_sums], "contracts": self._contract_sums.tolist()}
        return {"sums": {name: to_json(values) for name, values in self._sums.items()}, **parts}

    def take_up(self, pending: Mapping[str, Any]) -> None:
        """Go on with what `pending` gave, so that the next row is the same as without a stop."""
        self._sums = {name: from_json(values) for name, values in pending["sums"].items()}
        self._phase_sums = np.array([from_json(row) for row in pending["phases"]])
        self._contract_sums = np.array(pending["contracts"], np.float64)

    def _clear(self) -> None:
        self._sums = {}
        self._phase_sums = np.zeros((2, len(Phase)))
        self._contract_sums = np.zeros((2, len(self._contracts)))

    def add(self, rollout: Rollout, stats: dict[str, Any]) -> None:
        """One iteration."""
        entropy = stats.pop("entropy_sum", None)
        if entropy is not None:
            counts = np.bincount(rollout.phase, minlength=len(Phase))
            self._phase_sums = figures(self._phase_sums + np.stack([entropy * len(rollout), counts]))
        played = rollout.contract >= 0
        size = len(self._contracts)
        self._contract_sums[0] += np.bincount(rollout.contract[played], minlength=size)
        self._contract_sums[1] += np.bincount(rollout.contract[played & rollout.won], minlength=size)
        for name, value in stats.items():
            self._sums.setdefault(name, []).append(float(figures(value)))

    def write(self, counters: dict[str, float]) -> dict[str, float]:
        """Write the row of the iterations since the last one."""
        row = {name: float(np.mean(values)) for name, values in self._sums.items()} | counters
        sums, counts = self._phase_sums
        for phase in Phase:
            if counts[phase] > 0:
                row[f"entropy_{phase.name.lower()}"] = sums[phase] / counts[phase]
        played, won = self._contract_sums
        for i, name in enumerate(self._contracts):
            row[f"share_{name}"] = played[i] / max(played.sum(), 1.0)
            if played[i] > 0:
                row[f"won_{name}"] = won[i] / played[i]
        self._clear()
        with self._path.open("a", newline="", encoding="utf-8") as file:
            csv.DictWriter(file, self.columns, extrasaction="ignore").writerow({k: shown(v) for k, v in row.items()})
            file.flush()
            whole.sync(file.fileno())  # a training state never tells of more rows than there are
        if self._writer is not None:
            for name, value in row.items():
                self._writer.add_scalar(name.replace("_", "/", 1), value, int(counters["hands"]))
            self._writer.flush()
        return row


def _whole_rows(path: Path, hands: int) -> list[dict[str, str]]:
    """The rows up to a number of hands; one that a crash has torn is none.

    Raises:
        ValueError: the file is no log.
    """
    text = path.read_bytes()
    try:
        lines = text[: text.rfind(b"\n") + 1].decode().splitlines()
        rows = [row for row in csv.DictReader(lines) if None not in row.values() and None not in row]
        return [row for row in rows if int(row["hands"]) <= hands]
    except (ValueError, KeyError, csv.Error) as error:
        raise ValueError(f"log {str(path)!r} cannot be read: {error!r}; remove it to go on without its rows") from None


def _tensorboard(folder: Path, hands: int) -> Writer | None:
    try:
        from torch.utils.tensorboard import SummaryWriter
    except ImportError:
        return None
    writer: Writer = SummaryWriter(folder / "tensorboard", purge_step=hands + 1)
    return writer
