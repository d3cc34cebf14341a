"""Königrufen as in document 003 (after pagat.com): data only. Sections are those of docs/decisions.md."""

from typing import Any, Final

from tarock_env.codes import (
    Announcing,
    Door,
    Exposed,
    Leader,
    Objective,
    Owners,
    PagatLock,
    Predicate,
    Talon,
    Unit,
)
from tarock_env.rulesets.koenigrufen_options import BIRDS, KNOCK, OPTIONS, TABLE_SIZE
from tarock_env.rulesets.schema import (
    Announcements,
    Auction,
    Bonus,
    Contract,
    Deal,
    Discards,
    Ruleset,
    Scoring,
)

SIDE_BONUSES: Final = ("trull", "kings", "mond_captured", "skues_captured", *BIRDS, "valat")
KING_BONUSES: Final = (*SIDE_BONUSES, "king_captured", "king_ultimo")

BID: Final = Door.AUCTION | Door.AFTER_WAIT
POSITIVE: Final[dict[str, Any]] = {"emperor": True, "announcing": Announcing.ALL, "bonuses": SIDE_BONUSES}
CALLING: Final[dict[str, Any]] = {**POSITIVE, "bonuses": KING_BONUSES, "calls_king": True}
NEGATIVE: Final[dict[str, Any]] = {
    "objective": Objective.TRICKS,
    "rest": Talon.NOBODY,
    "emperor": True,
    "forced": True,
    "leader": Leader.DECLARER,
    "announcing": Announcing.GAME,
    "early_stop": True,
}
OPEN_HANDS: Final[dict[str, Any]] = {**NEGATIVE, "exposed": Exposed.ALL}

RULESET: Final = Ruleset(
    id="koenigrufen_pagat",
    title="Königrufen (pagat)",
    version=1,
    document="003_978cc1c4932547d3",
    players=4,
    reward_scale=6.0,
    deal=Deal(packets=((0, 6), (1, 6), (2, 6), (3, 6), (-1, 6), (0, 6), (1, 6), (2, 6), (3, 6))),
    auction=Auction(wait=True, first_may_pass=False),
    announcements=Announcements(max_contra=3, fourth=True),
    discards=Discards(),
    scoring=Scoring(),
    contracts=(
        Contract(id="rufer", source="K3.2 F1", rank=0, doors=Door.AFTER_WAIT, value=1, takes=3, talon_shown=True,
                 bid_weight=60.0, **CALLING),
        Contract(id="trischaken", source="K3.2 F2", rank=0, doors=Door.AFTER_WAIT, value=1, objective=Objective.FEWEST,
                 rest=Talon.FIRST_TRICKS, emperor=True, forced=True, pagat_lock=PagatLock.LAST_TRUMP, bid_weight=25.0),
        Contract(id="sechserdreier", source="K3.2 F3", rank=0, doors=Door.AFTER_WAIT, value=2, value_lost=4, takes=6,
                 bid_weight=5.0, **POSITIVE),
        Contract(id="piccolo", source="K3.2 1", rank=1, doors=BID, value=2, target=1, **NEGATIVE),
        Contract(id="zwiccolo", source="K3.2 2", rank=2, doors=BID, value=2, target=2, **NEGATIVE),
        Contract(id="solo", source="K3.2 3", rank=3, doors=BID, value=2, bonus_factor=2, bonus_factor_valat=2,
                 bid_weight=2.0, **CALLING),
        Contract(id="bettel", source="K3.2 4", rank=4, doors=BID, value=3, **NEGATIVE),
        Contract(id="besserrufer", source="K3.2 5", rank=5, doors=BID, value=2, takes=3, talon_shown=True,
                 demands=BIRDS, bid_weight=3.0, **CALLING),
        Contract(id="dreier", source="K3.2 6", rank=6, doors=BID, value=4, takes=3, talon_shown=True, bid_weight=3.0,
                 **POSITIVE),
        Contract(id="piccolo_ouvert", source="K3.2 7", rank=7, doors=BID, value=5, target=1, bid_weight=0.3, **OPEN_HANDS),
        Contract(id="farbensolo", source="K3.2 8", rank=8, doors=BID, value=5, leader=Leader.DECLARER, emperor=True,
                 colour=True, lead_ban=True, announcing=Announcing.ALL, bonuses=("valat",), bid_weight=0.3),
        Contract(id="bettel_ouvert", source="K3.2 9", rank=9, doors=BID, value=6, bid_weight=0.3, **OPEN_HANDS),
        Contract(id="besserdreier", source="K3.2 10", rank=10, doors=BID, value=4, takes=3, talon_shown=True,
                 demands=BIRDS, bid_weight=0.5, **POSITIVE),
        Contract(id="solodreier", source="K3.2 11", rank=11, doors=BID, value=8, bonus_factor=2, bonus_factor_valat=2,
                 bid_weight=0.3, **POSITIVE),
    ),
    bonuses=(
        Bonus(id="trull", source="K3.7", predicate=Predicate.HOLDS, cards=("T1", "T21", "T22"), value=1),
        Bonus(id="kings", source="K3.7", predicate=Predicate.HOLDS, cards=("SK", "CK", "HK", "DK"), value=1),
        Bonus(id="king_captured", source="K3.7", predicate=Predicate.CAPTURES_KING, value=1, owners=Owners.DEFENCE,
              announceable=False),
        Bonus(id="mond_captured", source="K3.7", predicate=Predicate.CAPTURES, cards=("T21",), value=1,
              announceable=False),
        Bonus(id="skues_captured", source="K3.7", predicate=Predicate.CAPTURES, cards=("T22",), value=2,
              announceable=False),
        Bonus(id="pagat_ultimo", source="K3.7", predicate=Predicate.CARD_WINS, cards=("T1",), trick_from_end=0, value=1),
        Bonus(id="uhu", source="K3.7", predicate=Predicate.CARD_WINS, cards=("T2",), trick_from_end=1, value=2),
        Bonus(id="kakadu", source="K3.7", predicate=Predicate.CARD_WINS, cards=("T3",), trick_from_end=2, value=3),
        Bonus(id="marabu", source="K3.7", predicate=Predicate.CARD_WINS, cards=("T4",), trick_from_end=3, value=4),
        Bonus(id="king_ultimo", source="K3.7", predicate=Predicate.KING_IN_LAST, value=1, owners=Owners.DECLARERS),
        Bonus(id="valat", source="K3.7", predicate=Predicate.ALL_TRICKS, value=4, unit=Unit.GAMES, slam=True),
    ),
    options=(TABLE_SIZE, KNOCK, *OPTIONS),
)
