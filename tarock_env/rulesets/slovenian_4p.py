"""Slovenian Tarock for four as in document 004: data only. Sections are those of docs/decisions.md."""

from typing import Any, Final

from tarock_env.codes import (
    Announcing,
    Door,
    Exposed,
    FreeForAll,
    Identification,
    Leader,
    Mode,
    Objective,
    Owners,
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
)
from tarock_env.rulesets.slovenian_shared import OPTIONS

ANY: Final = Door.AUCTION | Door.PASSED_OUT
ANY_ROUND: Final = Mode.NORMAL | Mode.RESTRICTED
SIDE_BONUSES: Final = ("trull", "kings", "pagat_ultimo", "valat")
EXCHANGE: Final[dict[str, Any]] = {
    "talon_shown": True,
    "difference": True,
    "emperor": True,
    "announcing": Announcing.ALL,
    "bonuses": SIDE_BONUSES,
    "mond_live": True,
    "mond_in_talon": True,
}
CALLING: Final[dict[str, Any]] = {**EXCHANGE, "bonuses": (*SIDE_BONUSES, "king_ultimo"), "calls_king": True}
STARRED: Final[dict[str, Any]] = {
    "emperor": True,
    "leader": Leader.DECLARER,
    "announcing": Announcing.GAME,
    "starred": True,
    "mond_unseen": True,
}
NEGATIVE: Final[dict[str, Any]] = {
    **STARRED,
    "objective": Objective.TRICKS,
    "rest": Talon.NOBODY,
    "forced": True,
    "pagat_lock": PagatLock.LAST_CARD,
    "early_stop": True,
}
SLAM: Final[dict[str, Any]] = {**STARRED, "objective": Objective.TRICKS, "target": 12, "early_stop": True}

RULESET: Final = Ruleset(
    id="slovenian_4p",
    title="Slovenian Tarock for four",
    version=1,
    document="004_0f0c9627f53eb468",
    players=4,
    reward_scale=40.0,
    deal=Deal(packets=((-1, 6), (0, 6), (1, 6), (2, 6), (3, 6), (0, 6), (1, 6), (2, 6), (3, 6)),
              redeal_trumpless=True, redeal_mode=Mode.RESTRICTED),
    auction=Auction(opener=1, eldest_chooses=True, final_raise=True),
    announcements=Announcements(identification=Identification.TRUE_SIDE, max_contra=4),
    discards=Discards(),
    scoring=Scoring(payment=Payment.DECLARERS_ONLY, slam=SlamMode.ALONE, single=True, mond_fine=21, rings=True),
    session=Session(end=SessionEnd.SCUSE_ROUND, zero=Zero.REACHED, zero_mode=Mode.RESTRICTED, ring_price=100),
    contracts=(
        Contract(id="leasters", source="D2 LE", rank=0, doors=Door.PASSED_OUT, value=70, modes=ANY_ROUND,
                 objective=Objective.FEWEST, settled=FreeForAll.EXTREMES, rest=Talon.FIRST_TRICKS, emperor=True,
                 forced=True, pagat_lock=PagatLock.LAST_CARD, mond_live=True, starred=True, bid_weight=25.0),
        Contract(id="three", source="D2 TH", rank=1, doors=Door.PASSED_OUT, value=10, takes=3, bid_weight=40.0, **CALLING),
        Contract(id="two", source="D2 TW", rank=2, doors=ANY, value=20, takes=2, bid_weight=12.0, **CALLING),
        Contract(id="one", source="D2 ON", rank=3, doors=ANY, value=30, takes=1, bid_weight=6.0, **CALLING),
        Contract(id="solo_three", source="D2 SO3", rank=4, doors=ANY, value=40, takes=3, bid_weight=2.0, **EXCHANGE),
        Contract(id="solo_two", source="D2 SO2", rank=5, doors=ANY, value=50, takes=2, **EXCHANGE),
        Contract(id="solo_one", source="D2 SO1", rank=6, doors=ANY, value=60, takes=1, **EXCHANGE),
        Contract(id="nill", source="D2 NI", rank=7, doors=ANY, value=70, **NEGATIVE),
        Contract(id="solo_without", source="D2 SW", rank=8, doors=ANY, value=80, modes=ANY_ROUND, bid_weight=0.5, **STARRED),
        Contract(id="open_nill", source="D2 ONI", rank=9, doors=ANY, value=90, modes=ANY_ROUND, bid_weight=0.3,
                 exposed=Exposed.DECLARER, **NEGATIVE),
        Contract(id="suit_slam_without", source="D2 SSW", rank=10, doors=ANY, value=125, modes=ANY_ROUND, bid_weight=0.1,
                 colour=True, **SLAM),
        Contract(id="slam_without", source="D2 SLW", rank=11, doors=ANY, value=500, modes=ANY_ROUND, bid_weight=0.1,
                 **SLAM),
        Contract(id="suit_slam", source="D2 SSr", rank=0, doors=Door.RAISE, value=125, colour=True, mond_in_talon=True,
                 raise_from=("solo_three", "solo_two", "solo_one"), **SLAM),
    ),
    bonuses=(
        Bonus(id="trull", source="D7", predicate=Predicate.HOLDS, cards=("T1", "T21", "T22"), value=10),
        Bonus(id="kings", source="D7", predicate=Predicate.HOLDS, cards=("SK", "CK", "HK", "DK"), value=10),
        Bonus(id="king_ultimo", source="D7", predicate=Predicate.KING_IN_LAST, value=10, owners=Owners.DECLARERS,
              needs_card=True, silent_failure=SilentFailure.BEATEN),
        Bonus(id="pagat_ultimo", source="D7", predicate=Predicate.CARD_WINS, cards=("T1",), value=25, needs_card=True,
              silent_failure=SilentFailure.BEATEN),
        Bonus(id="valat", source="D7", predicate=Predicate.ALL_TRICKS, value=250, slam=True),
        Bonus(id="mond_lost", source="D7", predicate=Predicate.LOST, cards=("T21",), value=21, announceable=False),
    ),
    options=OPTIONS,
)
