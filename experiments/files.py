"""Files that are written whole or not at all, and errors of the system that name the file they are about."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path


def replace(path: Path, content: bytes) -> None:
    """Write a file: whoever reads it sees the old content or the new one, also after a crash or on a full disk.

    Raises:
        OSError: it cannot be written; the old file is as it was.
    """
    draft = path.with_name(path.name + ".new")
    try:
        draft.unlink(missing_ok=True)
        with naming(path), open(draft, "xb") as file:  # never through a link or into a pipe of that name
            file.write(content)
            flush(file.fileno())
        os.replace(draft, path)
    except OSError:
        with contextlib.suppress(OSError):
            draft.unlink()
        raise


def flush(number: int) -> None:
    """Have the system write out what an open file holds, so that later files never tell of more than is there."""
    os.fsync(number)


@contextlib.contextmanager
def naming(path: Path) -> Iterator[None]:
    """Errors of the system that come up in the block and name no file (a full disk, say) name this one."""
    try:
        yield
    except OSError as error:
        if error.filename is None:
            error.filename = str(path)
        raise


def check_regular(path: Path, argument: str, allowed: str) -> None:
    """Refuse a place where no file can be made or replaced: a folder, a link, a pipe, a device.

    Raises:
        ValueError: names the argument of the command line, and what is allowed.
    """
    if os.path.lexists(path) and (path.is_symlink() or not path.is_file()):
        kind = "a folder" if path.is_dir() else "no regular file"
        raise ValueError(f"{argument}: {path} is {kind}; allowed: {allowed}")
