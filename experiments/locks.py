"""A lock that processes on one machine share, held by a file and dropped by the system when its holder dies."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from experiments import files


@contextmanager
def holding(path: Path, waiting: Callable[[], None] | None = None) -> Iterator[None]:
    """Hold the lock on a file for the length of a ``with`` block.

    Args:
        path: the file; it is made if need be, and stays.
        waiting: called once if another process holds the lock, before waiting for it; None = do not wait.

    Raises:
        ValueError: there is something else than a file, such as a pipe, at which opening would wait for ever.
        BlockingIOError: another process holds it and `waiting` is None.
    """
    while True:
        files.check_regular(path, "lock", "a file, which is made if there is none")
        with open(path, "a") as file:
            _lock(file, waiting)
            if _is_at(file, path):
                yield
                return


def _lock(file: IO[str], waiting: Callable[[], None] | None) -> None:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        if waiting is None:
            raise
        waiting()
        fcntl.flock(file, fcntl.LOCK_EX)


def _is_at(file: IO[str], path: Path) -> bool:
    """Whether the file that is locked is still the one at the path: its last holder may have renamed or removed it."""
    try:
        return os.path.samestat(os.fstat(file.fileno()), os.stat(path))
    except FileNotFoundError:
        return False
