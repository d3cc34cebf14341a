"""Tarok for three as in document 000: data only. Sections are those of docs/decisions.md."""

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
    PagatLock,
    Predicate,
    Priority,
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
from tarock_env.rulesets.tarok_furr_options import AUCTION, NO_RAISE_BY_TALON, OPTIONS

EXCHANGE: Final[dict[str, Any]] = {
    "talon_shown": True,
    "difference": True,
    "emperor": True,
    "announcing": Announcing.ALL,
    "bonuses": ("trull", "kings", "pagat_ultimo", "valat"),
    "mond_live": True,
}
STARRED: Final[dict[str, Any]] = {
    "objective": Objective.TRICKS,
    "emperor": True,
    "leader": Leader.DECLARER,
    "mond_live": True,
    "starred": True,
}
NEGATIVE: Final[dict[str, Any]] = {**STARRED, "rest": Talon.NOBODY, "forced": True, "pagat_lock": PagatLock.LAST_CARD}
COLOUR: Final[dict[str, Any]] = {**STARRED, "target": 16, "colour": True, "trump_duty": False}

RULESET: Final = Ruleset(
    id="tarok_furr_3p",
    title="Tarok for three (Furr)",
    version=1,
    document="000_a43260041d58b790",
    players=3,
    reward_scale=40.0,
    deal=Deal(packets=((-1, 6), (0, 8), (1, 8), (2, 8), (0, 8), (1, 8), (2, 8)), redeal_trumpless=True,
              redeal_mode=Mode.FORCED),
    auction=Auction(opener=1, priority=Priority.ELDEST),
    announcements=Announcements(sweeps=1, identification=Identification.TRUE_SIDE),
    discards=Discards(),
    scoring=Scoring(slam=SlamMode.ALONE, single=True, sets_with_talon=True, mond_fine=20, mond_paid=True,
                    mond_beside_slam=True, rings=True),
    session=Session(zero=Zero.STATE, zero_step=500, zero_mode=Mode.FORCED, ring_price=100, ring_price_paid=True),
    contracts=(
        Contract(id="all_beggars", source="C2 AB", rank=0, doors=Door.ALL_PASSED, value=70, modes=Mode.NORMAL | Mode.FORCED,
                 objective=Objective.FEWEST, settled=FreeForAll.OWN_POINTS, rest=Talon.NOBODY, emperor=True, forced=True,
                 pagat_lock=PagatLock.LAST_CARD, starred=True),
        Contract(id="solo_with_three", source="C2 W3", rank=1, doors=Door.AUCTION, value=10, takes=3, bid_weight=30.0,
                 **EXCHANGE),
        Contract(id="solo_with_two", source="C2 W2", rank=2, doors=Door.AUCTION, value=20, takes=2, bid_weight=12.0,
                 **EXCHANGE),
        Contract(id="solo_with_one", source="C2 W1", rank=3, doors=Door.AUCTION, value=30, takes=1, bid_weight=6.0,
                 **EXCHANGE),
        Contract(id="beggar", source="C2 BG", rank=4, doors=Door.AUCTION, value=70, **NEGATIVE),
        Contract(id="beggar_exposed", source="C2 BX", rank=5, doors=Door.AUCTION, value=90, bid_weight=0.3,
                 exposed=Exposed.DECLARER, **NEGATIVE),
        Contract(id="colour_slam_without", source="C2 CS", rank=6, doors=Door.AUCTION, value=125, bid_weight=0.1, **COLOUR),
        Contract(id="slam_without", source="C2 SL", rank=7, doors=Door.AUCTION, value=500, target=16, bid_weight=0.1,
                 **STARRED),
        Contract(id="colour_slam", source="C2 CSr", rank=0, doors=Door.RAISE, value=125,
                 raise_from=("solo_with_three", "solo_with_two", "solo_with_one"), **COLOUR),
    ),
    bonuses=(
        Bonus(id="trull", source="B7", predicate=Predicate.HOLDS, cards=("T1", "T21", "T22"), value=10),
        Bonus(id="kings", source="B7", predicate=Predicate.HOLDS, cards=("SK", "CK", "HK", "DK"), value=10),
        Bonus(id="pagat_ultimo", source="B7", predicate=Predicate.CARD_WINS, cards=("T1",), value=25, needs_card=True),
        Bonus(id="valat", source="B7", predicate=Predicate.ALL_TRICKS, value=250, slam=True),
        Bonus(id="mond_lost", source="B7", predicate=Predicate.LOST, cards=("T21",), value=20, announceable=False),
    ),
    options=(AUCTION, *OPTIONS, NO_RAISE_BY_TALON, *with_defaults((OPENER,), auction_opener="eldest_right")),
)
