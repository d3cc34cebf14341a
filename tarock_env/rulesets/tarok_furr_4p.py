"""Tarok for four as in document 000: data only. Sections are those of docs/decisions.md."""

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
    Predicate,
    Priority,
    SessionEnd,
    SlamMode,
    Talon,
    Unit,
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
from tarock_env.rulesets.tarok_furr_options import AUCTION, OPTIONS, PASSOUT, RAISE_BY_TALON

ANY: Final = Door.AUCTION | Door.PASSED_OUT
SIDE_BONUSES: Final = ("trull", "kings", "pagat_ultimo", "valat")
POSITIVE: Final[dict[str, Any]] = {
    "emperor": True,
    "announcing": Announcing.ALL,
    "bonuses": SIDE_BONUSES,
    "mond_live": True,
}
EXCHANGE: Final[dict[str, Any]] = {**POSITIVE, "talon_shown": True, "difference": True}
CALLING: Final[dict[str, Any]] = {
    **EXCHANGE,
    "bonuses": (*SIDE_BONUSES, "king_ultimo"),
    "calls_king": True,
    "rest": Talon.WON_BY_KING,
}
STARRED: Final[dict[str, Any]] = {"emperor": True, "leader": Leader.DECLARER, "mond_live": True, "starred": True}
NEGATIVE: Final[dict[str, Any]] = {
    **STARRED,
    "objective": Objective.TRICKS,
    "rest": Talon.NOBODY,
    "forced": True,
    "pagat_lock": PagatLock.LAST_CARD,
}
SLAM: Final[dict[str, Any]] = {**STARRED, "objective": Objective.TRICKS, "target": 12}
COLOUR: Final[dict[str, Any]] = {**SLAM, "colour": True, "trump_duty": False}

RULESET: Final = Ruleset(
    id="tarok_furr_4p",
    title="Tarok for four (Furr)",
    version=1,
    document="000_a43260041d58b790",
    players=4,
    reward_scale=60.0,
    deal=Deal(packets=((-1, 6), (0, 6), (1, 6), (2, 6), (3, 6), (0, 6), (1, 6), (2, 6), (3, 6)),
              redeal_trumpless=True, redeal_mode=Mode.FORCED),
    auction=Auction(opener=1, priority=Priority.ELDEST, eldest_chooses=True),
    announcements=Announcements(sweeps=1, identification=Identification.TRUE_SIDE, fourth=True),
    discards=Discards(),
    scoring=Scoring(slam=SlamMode.ALONE, single=True, sets_with_talon=True, mond_fine=20, mond_paid=True,
                    mond_beside_slam=True, rings=True),
    session=Session(zero=Zero.STATE, zero_step=500, zero_mode=Mode.FORCED, ring_price=100, ring_price_paid=True,
                    end=SessionEnd.HANDS),
    contracts=(
        Contract(id="all_beggars", source="B2 AB", rank=0, doors=Door.PASSED_OUT | Door.ALL_PASSED, value=70,
                 modes=Mode.NORMAL | Mode.FORCED, objective=Objective.FEWEST, settled=FreeForAll.OWN_POINTS,
                 rest=Talon.NOBODY, emperor=True, forced=True, pagat_lock=PagatLock.LAST_CARD, starred=True,
                 bid_weight=25.0),
        Contract(id="call_with_three", source="B2 C3", rank=1, doors=Door.PASSED_OUT, value=10, takes=3, bid_weight=40.0,
                 **CALLING),
        Contract(id="call_with_two", source="B2 C2", rank=2, doors=ANY, value=20, takes=2, bid_weight=12.0, **CALLING),
        Contract(id="call_with_one", source="B2 C1", rank=3, doors=ANY, value=30, takes=1, bid_weight=6.0, **CALLING),
        Contract(id="solo_with_three", source="B2 W3", rank=4, doors=ANY, value=40, takes=3, bid_weight=2.0, **EXCHANGE),
        Contract(id="solo_with_two", source="B2 W2", rank=5, doors=ANY, value=50, takes=2, **EXCHANGE),
        Contract(id="solo_with_one", source="B2 W1", rank=6, doors=ANY, value=60, takes=1, **EXCHANGE),
        Contract(id="beggar", source="B2 BG", rank=7, doors=ANY, value=70, **NEGATIVE),
        Contract(id="solo_without", source="B2 W0", rank=8, doors=ANY, value=80, bid_weight=0.5, leader=Leader.DECLARER,
                 starred=True, **POSITIVE),
        Contract(id="beggar_exposed", source="B2 BX", rank=9, doors=ANY, value=90, bid_weight=0.3,
                 exposed=Exposed.DECLARER, **NEGATIVE),
        Contract(id="colour_slam_without", source="B2 CS", rank=10, doors=ANY, value=125, bid_weight=0.1, **COLOUR),
        Contract(id="slam_without", source="B2 SL", rank=11, doors=ANY, value=500, bid_weight=0.1, **SLAM),
        Contract(id="colour_slam", source="B2 CSr", rank=0, doors=Door.RAISE, value=125, bid_weight=1.0,
                 raise_from=("solo_with_three", "solo_with_two", "solo_with_one"), **COLOUR),
    ),
    bonuses=(
        Bonus(id="trull", source="B7", predicate=Predicate.HOLDS, cards=("T1", "T21", "T22"), value=10),
        Bonus(id="kings", source="B7", predicate=Predicate.HOLDS, cards=("SK", "CK", "HK", "DK"), value=10),
        Bonus(id="king_ultimo", source="B7", predicate=Predicate.KING_WINS, value=10, owners=Owners.DECLARERS,
              needs_card=True),
        Bonus(id="pagat_ultimo", source="B7", predicate=Predicate.CARD_WINS, cards=("T1",), value=25, needs_card=True),
        Bonus(id="valat", source="B7", predicate=Predicate.ALL_TRICKS, value=250, unit=Unit.POINTS, slam=True),
        Bonus(id="mond_lost", source="B7", predicate=Predicate.LOST, cards=("T21",), value=20, announceable=False),
    ),
    options=(AUCTION, PASSOUT, *OPTIONS, RAISE_BY_TALON),
)
