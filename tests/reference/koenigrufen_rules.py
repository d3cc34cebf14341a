"""Königrufen: contract tables and options (K2.2, K3.2, appendix 1, options.md) as plain data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tests.reference.cards import COCKATOO, FOOL, MARABOU, MOND, OWL, PAGAT, PlayFlags

PAGAT_RULES = "koenigrufen_pagat"
FURR_RULES = "koenigrufen_furr"

DECLARER = "declarer"
DEFENCE = "defence"
SIDES = (DECLARER, DEFENCE)

#: Option: values, default of K3 (koenigrufen_pagat), default of K2 (koenigrufen_furr).
OPTIONS: dict[str, tuple[tuple[object, ...], object, object]] = {
    "table_size": ((4, 5), 4, 4),
    "knock": (("never", "agent", "random", "always"), "never", "never"),
    "forehand_may_pass": ((True, False), False, True),
    "wait_choices": (("three", "any"), "any", "three"),
    "kontra_max": ((0, 3, 5), 3, 0),
    "birds": ((4, 2), 4, 4),
    "emperor": (("all", "positive_only", "off"), "all", "all"),
    "pagat_emperor_exception": ((False, True), False, False),
    "silent_failure": (("none", "charge"), "none", "none"),
    "ku_win": (("side_wins", "king_wins"), "side_wins", "king_wins"),
    "announceable_captures": ((True, False), False, True),
    "contracted_bird_value": (("announced", "plain"), "announced", "plain"),
    "bird_contract": (("independent", "coupled"), "independent", "independent"),
    "card_announcements": (("holder", "free"), "free", "free"),
    "valat_mode": (("additive", "replace"), "additive", "additive"),
    "valat_solo_double": ((True, False), True, False),
    "solo_double": ((True, False), True, False),
    "sets_include_talon": ((True, False), False, True),
    "solo_talon": (("opponents", "half_with_king", "all_to_declarer"), "opponents", "opponents"),
    "six_talon_exposed": ((False, True), False, False),
    "nt_leader": (("forehand", "declarer"), "declarer", "forehand"),
    "nt_lead_ban": ((True, False), True, False),
    "nt_trump_duty": ((True, False), True, False),
    "ouvert_who": (("all", "declarer"), "all", "declarer"),
    "ouvert_when": (("start", "after_first_trick"), "start", "start"),
    "all_beggars_forced": ((True, False), True, True),
    "trischaken_talon": (("first_six", "last_trick", "ignored"), "first_six", "ignored"),
    "trischaken_scoring": (("single_loser", "two_pairs"), "single_loser", "single_loser"),
    "trischaken_double": (("off", "gt36", "ge36"), "off", "gt36"),
    "trischaken_compare": (("table", "thirds"), "table", "table"),
    "early_stop": ((True, False), True, True),
    "auction_priority": (("priority", "strict", "forehand_hold"), "priority", "priority"),
    "announced_binding": (("free", "binding"), "free", "free"),
    "same_bonus": (("independent", "single"), "independent", "independent"),
}
#: A fifth player and the knock exist in K3 only (A5.23).
FURR_ONLY_VALUES: dict[str, tuple[object, ...]] = {"table_size": (4,), "knock": ("never",)}


@dataclass(frozen=True)
class Contract:
    """One row of a contract table; ``rank`` 0: reserved to forehand after a passed-out wait."""

    name: str
    rank: int
    base: int
    goal: str = "points"  # "points", "tricks" (exactly ``target``) or "fewest"
    target: int = 0
    call: bool = False  # the partner is the holder of a called king
    exchange: int = 0  # cards taken from the talon
    bird: bool = False  # a bird must be announced
    colour: bool = False  # No Trumps / Farbensolo
    solo: bool = False  # Solo and Solodreier: bonuses double where the option says so
    loss: int = 0  # what a lost game costs where it is not ``base``

    def game_value(self, pays_declarer: bool) -> int:
        """g of the table: Sechserdreier / Solo With is 2 to the declarer's side and 4 to the others."""
        return self.base if pays_declarer or not self.loss else self.loss

    @property
    def negative(self) -> bool:
        """Piccolo, Zwiccolo, Bettel and their open forms: decided by the declarer's number of tricks."""
        return self.goal == "tricks"

    @property
    def everybody_alone(self) -> bool:
        """Trischaken / All Beggars."""
        return self.goal == "fewest"


def contract_table(names: str) -> dict[str, Contract]:
    """The 14 rows, identical in both rulesets but for their names: three reserved ones, then ranks 1 … 11."""
    n = names.split()
    rows = (
        Contract(n[0], 0, 1, call=True, exchange=3),
        Contract(n[1], 0, 1, goal="fewest"),
        Contract(n[2], 0, 2, exchange=6, loss=4),
        Contract(n[3], 1, 2, goal="tricks", target=1),
        Contract(n[4], 2, 2, goal="tricks", target=2),
        Contract(n[5], 3, 2, call=True, solo=True),
        Contract(n[6], 4, 3, goal="tricks", target=0),
        Contract(n[7], 5, 2, call=True, exchange=3, bird=True),
        Contract(n[8], 6, 4, exchange=3),
        Contract(n[9], 7, 5, goal="tricks", target=1),
        Contract(n[10], 8, 5, colour=True),
        Contract(n[11], 9, 6, goal="tricks", target=0),
        Contract(n[12], 10, 4, exchange=3, bird=True),
        Contract(n[13], 11, 8, solo=True),
    )
    return {row.name: row for row in rows}


CONTRACTS: dict[str, dict[str, Contract]] = {
    PAGAT_RULES: contract_table(
        "rufer trischaken sechserdreier piccolo zwiccolo solo bettel besserrufer dreier piccolo_ouvert "
        "farbensolo bettel_ouvert besserdreier solodreier"
    ),
    FURR_RULES: contract_table(
        "call all_beggars solo_with just_one just_two call_without beggar call_and_bird solo "
        "just_one_exposed no_trumps beggar_exposed solo_and_bird solo_without"
    ),
}

BIRD_CARD = {"pagat_ultimo": PAGAT, "uhu": OWL, "kakadu": COCKATOO, "marabu": MARABOU}
#: Trick (1 … 12) that the bird itself has to win.
BIRD_TRICK = {"pagat_ultimo": 12, "uhu": 11, "kakadu": 10, "marabu": 9}
CAPTURED_CARD = {"mond_captured": MOND, "skues_captured": FOOL}
CAPTURES = ("king_captured", "mond_captured", "skues_captured")
BONUSES = ("trull", "kings", *BIRD_CARD, "valat", "king_ultimo", *CAPTURES)
#: Silent value per opponent; Valat is 4·g instead (K2.7, K3.7).
SILENT_VALUE = {
    "trull": 1,
    "kings": 1,
    "pagat_ultimo": 1,
    "uhu": 2,
    "kakadu": 3,
    "marabu": 4,
    "king_ultimo": 1,
    "king_captured": 1,
    "mond_captured": 1,
    "skues_captured": 2,
}


@dataclass(frozen=True)
class Rules:
    """A ruleset with every option decided."""

    ruleset: str
    options: Mapping[str, object]

    def __getitem__(self, option: str) -> Any:
        """The value of an option."""
        return self.options[option]

    @property
    def contracts(self) -> dict[str, Contract]:
        """The ruleset's contract table."""
        return CONTRACTS[self.ruleset]

    @property
    def kontra_max(self) -> int:
        """How often an item may be raised."""
        return int(self["kontra_max"])

    def bonuses(self, contract: Contract) -> list[str]:
        """Bonuses that exist in a contract: none unless won by points; K3 Farbensolo knows Valat only."""
        if contract.goal != "points":
            return []
        if contract.colour and self.ruleset == PAGAT_RULES:
            return ["valat"]
        missing = set() if contract.call else {"king_ultimo", "king_captured"}
        if self["birds"] == 2:  # A5.17
            missing |= {"kakadu", "marabu"}
        return [kind for kind in BONUSES if kind not in missing]

    def announceable(self, contract: Contract) -> list[str]:
        """Bonuses that may be announced: the captures only with their option (K2-15)."""
        kinds = self.bonuses(contract)
        return kinds if self["announceable_captures"] else [kind for kind in kinds if kind not in CAPTURES]

    def has_announcements(self, contract: Contract) -> bool:
        """K2.5, K3.5, A5.14: never in Trischaken; a phase only for kontra needs kontra."""
        return not contract.everybody_alone and bool(self.announceable(contract) or self.kontra_max)

    def play_flags(self, contract: Contract) -> PlayFlags:
        """The flag tables of K2.6 and K3.6 with the options, A5.22."""
        positive = contract.goal == "points"
        emperor = self["emperor"] == "all" or (self["emperor"] == "positive_only" and positive)
        return PlayFlags(
            trump_duty=bool(self["nt_trump_duty"]) if contract.colour else True,
            emperor=emperor,
            forced=contract.negative or (contract.everybody_alone and bool(self["all_beggars_forced"])),
            pagat_last=contract.everybody_alone,
            colour=contract.colour,
            lead_ban=contract.colour and bool(self["nt_lead_ban"]),
            pagat_emperor_exception=bool(self["pagat_emperor_exception"]),
        )


def bonus_sides(kind: str) -> tuple[str, ...]:
    """Which sides can own a bonus (K2.7, K3.7)."""
    return {"king_ultimo": (DECLARER,), "king_captured": (DEFENCE,)}.get(kind, SIDES)


def allowed_values(ruleset: str, option: str) -> tuple[object, ...]:
    """The values options.md lists for the ruleset."""
    if ruleset == FURR_RULES and option in FURR_ONLY_VALUES:
        return FURR_ONLY_VALUES[option]
    return OPTIONS[option][0]


def is_allowed(ruleset: str, option: str, value: object) -> bool:
    """Whether an option may have that value there; 1 is not True."""
    return any(type(value) is type(known) and value == known for known in allowed_values(ruleset, option))


def make_rules(ruleset: str, options: Mapping[str, object] | None) -> Rules:
    """Fill in the defaults; refuse what options.md does not list."""
    if ruleset not in CONTRACTS:
        raise ValueError(f"no Königrufen ruleset: {ruleset!r}")
    column = 1 if ruleset == PAGAT_RULES else 2
    values: dict[str, object] = {name: row[column] for name, row in OPTIONS.items()}
    for name, value in (options or {}).items():
        if name not in OPTIONS:
            raise ValueError(f"unknown option {name!r}; known: {', '.join(OPTIONS)}")
        if not is_allowed(ruleset, name, value):
            raise ValueError(f"{name} must be one of {allowed_values(ruleset, name)}, not {value!r}")
        values[name] = value
    return Rules(ruleset, values)
