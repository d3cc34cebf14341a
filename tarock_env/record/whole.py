"""Files that are there whole or not at all, also after a crash, on a full disk, or when two processes write the same one.

A draft with a name that nobody else has is written beside the file, synced, and takes the file's name; then the folder is
synced, so that a loss of power does not bring the old file back. A process that is killed leaves its draft;
`remove_drafts` is for whoever may write the file next.

It lies beside the records because all packages above may import from here, and because no kernel does: a module beside
`jit` would count as kernel source, and each change of it compile everything anew.
"""

from __future__ import annotations

import contextlib
import os
import re
import secrets
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO


@contextlib.contextmanager
def replacing(path: Path) -> Iterator[IO[bytes]]:
    """A new file for a ``with`` block to write; at its end it takes the place of the one at `path`.

    Whoever reads the path sees the old content or the new one. A link or a pipe of that name is replaced, never written to.

    Raises:
        OSError: it cannot be written; the old file is as it was. So it is after any error in the block.
    """
    draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    with naming(path), open(draft, "xb") as file:
        try:
            yield file
            file.flush()
            sync(file.fileno())
            rename(draft, path)
        except BaseException:
            with contextlib.suppress(OSError):
                draft.unlink()
            raise


def replace(path: Path, content: bytes) -> None:
    """`replacing` with content that is at hand."""
    with replacing(path) as file:
        file.write(content)


def rename(source: Path, target: Path) -> None:
    """Give a file another name in its folder, for good when this returns; what had that name is gone."""
    os.replace(source, target)
    with contextlib.suppress(OSError):  # done it is; some file systems cannot sync a folder
        folder = os.open(target.parent, os.O_RDONLY | os.O_DIRECTORY)
        try:
            sync(folder)
        finally:
            os.close(folder)


def sync(number: int) -> None:
    """Have the system write out what an open file or folder holds, so that later files never tell of more than is there."""
    os.fsync(number)


def remove_drafts(paths: Iterable[Path]) -> None:
    """Remove what killed processes have left of files that they were writing; no other process may be writing them."""
    for path in paths:
        wanted = re.compile(rf"\.{re.escape(path.name)}\.[0-9a-f]+")
        for draft in [other for other in path.parent.iterdir() if wanted.fullmatch(other.name)]:
            draft.unlink()


@contextlib.contextmanager
def naming(path: Path) -> Iterator[None]:
    """Errors of the system that come up in the block and name no file (a full disk, say) name this one."""
    try:
        yield
    except OSError as error:
        if error.filename is None and error.errno is not None:  # else it would hide what the error says
            error.filename = str(path)
        raise
