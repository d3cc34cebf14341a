"""What the Königrufen rulebook leaves open: options of both Königrufen rulesets. Data only.

Each value says all it means, so that a ruleset may have any of them as its default. Sources name the rulebook.
"""

from typing import Final

from tarock_env.codes import (
    Announcing,
    Binding,
    ContractedValue,
    Door,
    Doubling,
    Exposed,
    FreeForAll,
    Knock,
    Leader,
    Objective,
    Predicate,
    Priority,
    SilentFailure,
    SlamMode,
    Talon,
)
from tarock_env.rulesets.schema import Option, Patch

BID: Final = Door.AUCTION | Door.AFTER_WAIT
BIRDS: Final = ("pagat_ultimo", "uhu", "kakadu", "marabu")
CAPTURES: Final = ("king_captured", "mond_captured", "skues_captured")
IN_TRICKS: Final = {"objective": Objective.TRICKS}
FEWEST: Final = {"objective": Objective.FEWEST}
COLOUR: Final = {"colour": True}
UNTOUCHED: Final = {"takes": 0, "objective": Objective.POINTS, "colour": False}  #: played without the talon
UNTOUCHED_CALL: Final = {"takes": 0, "calls_king": True}
OPEN_HANDS: Final = {"exposed": (Exposed.ALL, Exposed.DECLARER)}

TABLE_SIZE: Final = Option(
    name="table_size", source="K3.1", default=4, meaning="seats at the table; with five the dealer sits out",
    values={4: (), 5: (Patch(table="ruleset", set={"seats": 5}),)})
FOUR_SEATS: Final = Option(
    name="table_size", source="K2.1", default=4, meaning="seats at the table", values={4: ()})
KNOCK: Final = Option(
    name="knock", source="K3.1, K3-7", default="never", meaning="whether the dealer's left neighbour may knock",
    values={"never": (),
            "agent": (Patch(table="deal", set={"knock": Knock.AGENT}),),
            "random": (Patch(table="deal", set={"knock": Knock.RANDOM}),),
            "always": (Patch(table="deal", set={"knock": Knock.ALWAYS}),)})
NO_KNOCK: Final = Option(
    name="knock", source="K2-40", default="never", meaning="there is no knocking", values={"never": ()})

OPTIONS: Final = (
    Option(name="forehand_may_pass", source="K3-1, K2-4", default=False, meaning="forehand may pass at once",
           values={False: (Patch(table="auction", set={"first_may_pass": False}),),
                   True: (Patch(table="auction", set={"first_may_pass": True}),)}),
    Option(name="wait_choices", source="K3.2, K2-5", default="any", meaning="what forehand may name after a passed-out wait",
           values={"any": (Patch(table="contracts", where={"doors": Door.AUCTION}, set={"doors": BID}),),
                   "three": (Patch(table="contracts", where={"doors": BID}, set={"doors": Door.AUCTION}),)}),
    Option(name="kontra_max", source="K3-39, K2-38", default=3, meaning="steps an item can be doubled",
           values={0: (Patch(table="announcements", set={"max_contra": 0}),
                       Patch(table="contracts", where=IN_TRICKS, set={"announcing": Announcing.NOTHING})),
                   3: (Patch(table="announcements", set={"max_contra": 3}),
                       Patch(table="contracts", where=IN_TRICKS, set={"announcing": Announcing.GAME})),
                   5: (Patch(table="announcements", set={"max_contra": 5}),
                       Patch(table="contracts", where=IN_TRICKS, set={"announcing": Announcing.GAME}))}),
    Option(name="birds", source="K3-40", default=4, meaning="how many birds exist",
           values={4: (Patch(table="bonuses", where={"id": ("kakadu", "marabu")}, set={"exists": True}),),
                   2: (Patch(table="bonuses", where={"id": ("kakadu", "marabu")}, set={"exists": False}),)}),
    Option(name="emperor", source="K3-29, K2-27", default="all", meaning="where T1 wins a trick with all three honours",
           values={"all": (Patch(table="contracts", set={"emperor": True}),),
                   "positive_only": (Patch(table="contracts", where=IN_TRICKS, set={"emperor": False}),
                                     Patch(table="contracts", where=FEWEST, set={"emperor": False})),
                   "off": (Patch(table="contracts", set={"emperor": False}),)}),
    Option(name="pagat_emperor_exception", source="K3-32, K2-28", default=False,
           meaning="the Pagat may be played early to win an Emperor trick",
           values={False: (Patch(table="contracts", set={"pagat_exception": False}),),
                   True: (Patch(table="contracts", set={"pagat_exception": True}),)}),
    Option(name="silent_failure", source="K3-19, K2-18", default="none", meaning="whether an unannounced attempt costs",
           values={"none": (Patch(table="bonuses", set={"silent_failure": SilentFailure.NEVER}),),
                   "charge": (Patch(table="bonuses", where={"id": BIRDS}, set={"silent_failure": SilentFailure.BEATEN}),
                              Patch(table="bonuses", where={"id": "king_ultimo"},
                                    set={"silent_failure": SilentFailure.BEATEN_BY_OTHERS}))}),
    Option(name="ku_win", source="K3-20, K2-17", default="side_wins", meaning="what makes King ultimo",
           values={"side_wins": (Patch(table="bonuses", where={"id": "king_ultimo"},
                                       set={"predicate": Predicate.KING_IN_LAST}),),
                   "king_wins": (Patch(table="bonuses", where={"id": "king_ultimo"},
                                       set={"predicate": Predicate.KING_WINS}),)}),
    Option(name="announceable_captures", source="K3.5, K2-15", default=False, meaning="captures can be announced",
           values={False: (Patch(table="bonuses", where={"id": CAPTURES}, set={"announceable": False}),),
                   True: (Patch(table="bonuses", where={"id": CAPTURES}, set={"announceable": True}),)}),
    Option(name="contracted_bird_value", source="Appendix 5.11, K2-19", default="announced",
           meaning="value of the bird that a bird contract demands",
           values={"announced": (Patch(table="announcements", set={"contracted": ContractedValue.ANNOUNCED}),),
                   "plain": (Patch(table="announcements", set={"contracted": ContractedValue.PLAIN}),)}),
    Option(name="bird_contract", source="Appendix 5.11, K2-20", default="independent",
           meaning="whether the bird and the game of a bird contract fail together",
           values={"independent": (), "coupled": (Patch(table="announcements", set={"coupled": True}),)}),
    Option(name="card_announcements", source="K3-17, K2-13", default="free", meaning="who may announce a card's bonus",
           values={"free": (),
                   "holder": (Patch(table="bonuses", where={"id": (*BIRDS, "king_ultimo")},
                                    set={"needs_card": True}),)}),
    Option(name="valat_mode", source="K3-23, K2-21", default="additive", meaning="what a scored Valat leaves of the rest",
           values={"additive": (), "replace": (Patch(table="scoring", set={"slam": SlamMode.REPLACES}),)}),
    Option(name="solo_double", source="K3.2, K2-39", default=True,
           meaning="bonuses count double where the talon stays untouched",
           values={False: (Patch(table="contracts", where={"bonus_factor": 2},
                                 set={"bonus_factor": 1, "bonus_factor_valat": 1}),),
                   True: (Patch(table="contracts", where=UNTOUCHED, set={"bonus_factor": 2}),)}),
    Option(name="valat_solo_double", source="K3-24, Appendix 5.18", default=True,
           meaning="… the Valat too (acts only where solo_double is on)",
           values={False: (Patch(table="contracts", where={"bonus_factor": 2}, set={"bonus_factor_valat": 1}),),
                   True: (Patch(table="contracts", where={"bonus_factor": 2}, set={"bonus_factor_valat": 2}),)}),
    Option(name="sets_include_talon", source="K3-27, K2-22", default=False,
           meaning="a side's talon share counts for Trull and four kings",
           values={False: (Patch(table="scoring", set={"sets_with_talon": False}),),
                   True: (Patch(table="scoring", set={"sets_with_talon": True}),)}),
    Option(name="solo_talon", source="K3-10, K2-10", default="opponents",
           meaning="who gets the untouched talon of a call contract",
           values={"opponents": (),
                   "half_with_king": (Patch(table="contracts", where=UNTOUCHED_CALL, set={"rest": Talon.HALF_WITH_KING}),),
                   "all_to_declarer": (Patch(table="contracts", where=UNTOUCHED_CALL, set={"rest": Talon.WITH_KING}),)}),
    Option(name="six_talon_exposed", source="K3-9, K2-8", default=False, meaning="a talon taken whole is shown",
           values={False: (), True: (Patch(table="contracts", where={"takes": 6}, set={"talon_shown": True}),)}),
    Option(name="nt_leader", source="K3-41", default="declarer", meaning="who leads where trumps do not trump",
           values={"declarer": (Patch(table="contracts", where=COLOUR, set={"leader": Leader.DECLARER}),),
                   "forehand": (Patch(table="contracts", where=COLOUR, set={"leader": Leader.FOREHAND}),)}),
    Option(name="nt_lead_ban", source="K3-42, K2-25", default=True, meaning="trumps are led there only for want of others",
           values={True: (Patch(table="contracts", where=COLOUR, set={"lead_ban": True}),),
                   False: (Patch(table="contracts", where=COLOUR, set={"lead_ban": False}),)}),
    Option(name="nt_trump_duty", source="K3.6, K2-25", default=True, meaning="a void player must play a trump there",
           values={True: (Patch(table="contracts", where=COLOUR, set={"trump_duty": True}),),
                   False: (Patch(table="contracts", where=COLOUR, set={"trump_duty": False}),)}),
    Option(name="ouvert_who", source="K3-33", default="all", meaning="whose hands an open contract shows",
           values={"all": (Patch(table="contracts", where=OPEN_HANDS, set={"exposed": Exposed.ALL}),),
                   "declarer": (Patch(table="contracts", where=OPEN_HANDS, set={"exposed": Exposed.DECLARER}),)}),
    Option(name="ouvert_when", source="K3-33, K2-35", default="start", meaning="when they are opened",
           values={"start": (),
                   "after_first_trick": (Patch(table="contracts", where=OPEN_HANDS, set={"exposed_from": 1}),)}),
    Option(name="all_beggars_forced", source="K2-29", default=True, meaning="players must beat where all avoid points",
           values={True: (), False: (Patch(table="contracts", where=FEWEST, set={"forced": False}),)}),
    Option(name="trischaken_talon", source="K3-34, K2-30", default="first_six", meaning="where the talon goes there",
           values={"first_six": (Patch(table="contracts", where=FEWEST, set={"rest": Talon.FIRST_TRICKS}),),
                   "last_trick": (Patch(table="contracts", where=FEWEST, set={"rest": Talon.LAST_TRICK}),),
                   "ignored": (Patch(table="contracts", where=FEWEST, set={"rest": Talon.NOBODY}),)}),
    Option(name="trischaken_scoring", source="K3-35", default="single_loser", meaning="who pays whom there",
           values={"single_loser": (),
                   "two_pairs": (Patch(table="contracts", where=FEWEST, set={"settled": FreeForAll.TWO_PAIRS}),)}),
    Option(name="trischaken_double", source="K3-36, K2-32", default="off", meaning="when a majority of points pays double",
           values={"off": (Patch(table="contracts", where=FEWEST, set={"doubling": Doubling.NEVER}),),
                   "gt36": (Patch(table="contracts", where=FEWEST, set={"doubling": Doubling.OVER_36}),),
                   "ge36": (Patch(table="contracts", where=FEWEST, set={"doubling": Doubling.FROM_36}),)}),
    Option(name="trischaken_compare", source="K3-37, K2-33", default="table", meaning="how piles are compared there",
           values={"table": (), "thirds": (Patch(table="scoring", set={"thirds": True}),)}),
    Option(name="early_stop", source="K3-43, K2-37", default=True, meaning="a decided trick contract ends at once",
           values={True: (), False: (Patch(table="contracts", set={"early_stop": False}),)}),
    Option(name="auction_priority", source="K3-3, K2-2", default="priority", meaning="who may take over a standing bid",
           values={"priority": (),
                   "strict": (Patch(table="auction", set={"priority": Priority.NOBODY}),),
                   "forehand_hold": (Patch(table="auction", set={"priority": Priority.ELDEST}),)}),
    Option(name="announced_binding", source="K3-18, K2-14", default="free", meaning="an announced card must be kept",
           values={"free": (),
                   "binding": (Patch(table="announcements", set={"binding": Binding.HIGHEST_FIRST}),)}),
    Option(name="same_bonus", source="K3-28", default="independent", meaning="what one side announced is settled alone",
           values={"independent": (), "single": (Patch(table="scoring", set={"single": True}),)}),
)
