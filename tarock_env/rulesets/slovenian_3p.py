"""Slovenian Tarock for three as in document 004: data only. Sections are those of docs/decisions.md."""

from typing import Any, Final

from tarock_env.codes import (
    Announcing,
    Door,
    FreeForAll,
    Identification,
    Leader,
    Mode,
    Objective,
    PagatLock,
    Payment,
    Predicate,
    SessionEnd,
    SilentFailure,
    SlamMode,
    Talon,
    Zero,
)
from tarock_env.rulesets.schema import (
    Announcements,
    Auction,
    Bonus,
    Contract,
    Deal,
    Discards,
    Ruleset,
    Scoring,
    Session,
    with_defaults,
)
from tarock_env.rulesets.slovenian_options import OPENER
from tarock_env.rulesets.slovenian_shared import OPTIONS

ANY_ROUND: Final = Mode.NORMAL | Mode.RESTRICTED
POSITIVE: Final[dict[str, Any]] = {
    "emperor": True,
    "announcing": Announcing.ALL,
    "bonuses": ("trull", "kings", "pagat_ultimo", "valat"),
    "mond_live": True,
}
EXCHANGE: Final[dict[str, Any]] = {**POSITIVE, "talon_shown": True, "difference": True, "mond_in_talon": True}

RULESET: Final = Ruleset(
    id="slovenian_3p",
    title="Slovenian Tarock for three",
    version=1,
    document="004_0f0c9627f53eb468",
    players=3,
    reward_scale=25.0,
    deal=Deal(packets=((-1, 6), (0, 8), (1, 8), (2, 8), (0, 8), (1, 8), (2, 8))),
    auction=Auction(final_raise=True),
    announcements=Announcements(identification=Identification.TRUE_SIDE, max_contra=4),
    discards=Discards(),
    scoring=Scoring(payment=Payment.DECLARERS_ONLY, slam=SlamMode.ALONE, single=True, mond_fine=21, rings=True),
    session=Session(end=SessionEnd.SCUSE_ROUND, zero=Zero.REACHED, zero_rule=False, ring_price=100),
    contracts=(
        Contract(id="leasters", source="E2 LE", rank=0, doors=Door.ALL_PASSED, value=70, modes=ANY_ROUND,
                 objective=Objective.FEWEST, settled=FreeForAll.EXTREMES, rest=Talon.FIRST_TRICKS, emperor=True,
                 forced=True, pagat_lock=PagatLock.LAST_CARD, mond_live=True, starred=True),
        Contract(id="three", source="E2 TH", rank=1, doors=Door.AUCTION, value=10, takes=3, bid_weight=30.0, **EXCHANGE),
        Contract(id="two", source="E2 TW", rank=2, doors=Door.AUCTION, value=20, takes=2, bid_weight=12.0, **EXCHANGE),
        Contract(id="one", source="E2 ON", rank=3, doors=Door.AUCTION, value=30, takes=1, bid_weight=6.0, **EXCHANGE),
        Contract(id="nill", source="E2 NI", rank=4, doors=Door.AUCTION, value=70, objective=Objective.TRICKS,
                 rest=Talon.NOBODY, emperor=True, forced=True, pagat_lock=PagatLock.LAST_CARD, leader=Leader.DECLARER,
                 announcing=Announcing.GAME, early_stop=True, mond_unseen=True, starred=True),
        Contract(id="solo", source="E2 SO", rank=5, doors=Door.AUCTION, value=80, modes=ANY_ROUND, leader=Leader.DECLARER,
                 mond_unseen=True, starred=True, **POSITIVE),
    ),
    bonuses=(
        Bonus(id="trull", source="D7", predicate=Predicate.HOLDS, cards=("T1", "T21", "T22"), value=10),
        Bonus(id="kings", source="D7", predicate=Predicate.HOLDS, cards=("SK", "CK", "HK", "DK"), value=10),
        Bonus(id="pagat_ultimo", source="D7", predicate=Predicate.CARD_WINS, cards=("T1",), value=25, needs_card=True,
              silent_failure=SilentFailure.BEATEN),
        Bonus(id="valat", source="D7", predicate=Predicate.ALL_TRICKS, value=250, slam=True),
        Bonus(id="mond_lost", source="D7", predicate=Predicate.LOST, cards=("T21",), value=21, announceable=False),
    ),
    options=with_defaults((*OPTIONS, OPENER), restricted_rounds=False),
)
