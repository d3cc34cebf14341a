"""Places on the command line where no file can be made or replaced."""

from __future__ import annotations

import os
from pathlib import Path


def check_regular(path: Path, argument: str, allowed: str) -> None:
    """Refuse a place where no file can be made or replaced: a folder, a link, a pipe, a device.

    Raises:
        ValueError: names the argument of the command line, and what is allowed.
    """
    if os.path.lexists(path) and (path.is_symlink() or not path.is_file()):
        kind = "a folder" if path.is_dir() else "no regular file"
        raise ValueError(f"{argument}: {path} is {kind}; allowed: {allowed}")
