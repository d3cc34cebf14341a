"""``python -m experiments`` is the command line `tarock`."""

from __future__ import annotations

import sys

from experiments.cli import main

if __name__ == "__main__":
    sys.exit(main())
