"""A house variant of Königrufen, as data only: what differs from `koenigrufen_pagat`, and nothing else."""

from typing import Final

from tarock_env.rulesets.koenigrufen_pagat import RULESET as PAGAT
from tarock_env.rulesets.options import variant
from tarock_env.rulesets.schema import Patch

RULESET: Final = variant(
    PAGAT,
    id="koenigrufen_house",
    title="Königrufen as played at our table",
    document="house rules",
    defaults={
        "trischaken_scoring": "two_pairs",  # the two highest pay the two lowest
        "kontra_max": 5,  # kontra, rekontra, subkontra, hirschkontra, mordkontra
    },
    patches=(
        # no option says this: a Besserrufer is worth 1 beside its bird
        Patch(table="contracts", where={"id": "besserrufer"}, set={"value": 1}),
    ),
)
