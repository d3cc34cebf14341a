"""Game records: write, read, replay, verify. The format is `tarock-record/1`; one hand is one JSON object, one line.

    record = write(engine, start, log, row=0)
    engine, state = replay(record, decision=12)
    verify(record)                                  # [] if the engine agrees with all of it

It lives in a folder of its own because every module beside `jit` counts as kernel source, and records hold no kernel.
"""

from __future__ import annotations

from tarock_env.record.files import append_lines, read_lines, read_parquet, write_lines, write_parquet
from tarock_env.record.opening import FORMAT, Opening, RecordError, open_record, parse
from tarock_env.record.replaying import replay, verify, verify_all
from tarock_env.record.writing import result, write, write_all

__all__ = [
    "FORMAT",
    "Opening",
    "RecordError",
    "append_lines",
    "open_record",
    "parse",
    "read_lines",
    "read_parquet",
    "replay",
    "result",
    "verify",
    "verify_all",
    "write",
    "write_all",
    "write_lines",
    "write_parquet",
]
