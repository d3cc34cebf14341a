"""What documents 000, 001 and 004 leave open and several of their rulesets share: options. Data only."""

from typing import Final

from tarock_env.codes import Binding, Exposed, Objective, Predicate, Priority, SilentFailure, Zero
from tarock_env.rulesets.schema import Option, Patch

IN_TRICKS: Final = {"objective": Objective.TRICKS}
FEWEST: Final = {"objective": Objective.FEWEST}
COLOUR: Final = {"colour": True}
OPEN_HANDS: Final = {"exposed": Exposed.DECLARER}
UNTOUCHED: Final = {"takes": 0, "objective": Objective.POINTS}
PAGAT: Final = {"id": "pagat_ultimo"}
KING: Final = {"id": "king_ultimo"}

SEAT_ORDER: Final = (Patch(table="auction", set={"priority": Priority.ELDER}),)
ELDEST_ONLY: Final = (Patch(table="auction", set={"priority": Priority.ELDEST}),)

PRIORITY: Final = Option(
    name="priority", source="S0-3, S4-1", default="seat_order", meaning="who may take over a standing bid",
    values={"seat_order": SEAT_ORDER, "eldest_only": ELDEST_ONLY})
OPENER: Final = Option(
    name="auction_opener", source="S0-46, S4-1, P1-2", default="eldest", meaning="who speaks first",
    values={"eldest": (Patch(table="auction", set={"opener": 0}),),
            "eldest_right": (Patch(table="auction", set={"opener": 1}),)})
OPEN_EXPOSURE: Final = Option(
    name="open_exposure", source="S0-16, S4-33", default="before_lead", meaning="when an open hand is shown",
    values={"before_lead": (Patch(table="contracts", where=OPEN_HANDS, set={"exposed_from": 0}),),
            "after_first_trick": (Patch(table="contracts", where=OPEN_HANDS, set={"exposed_from": 1}),)})
MUST_TRUMP: Final = Option(
    name="colour_slam_must_trump", source="S0-17, S4-32", default=True,
    meaning="a void player must play a trump where trumps do not trump",
    values={True: (Patch(table="contracts", where=COLOUR, set={"trump_duty": True}),),
            False: (Patch(table="contracts", where=COLOUR, set={"trump_duty": False}),)})
ULTIMO_ANNOUNCE: Final = Option(
    name="ultimo_announce", source="S0-28, S4-23", default="holder", meaning="who may announce an ultimo",
    values={"holder": ()})
ULTIMO_HOLD: Final = Option(
    name="announced_ultimo_hold", source="S0-29, S4-23", default=False, meaning="an announced ultimo card must be kept",
    values={False: (Patch(table="announcements", set={"binding": Binding.FREE}),),
            True: (Patch(table="announcements", set={"binding": Binding.HELD}),)})
KING_ULTIMO: Final = Option(
    name="king_ultimo", source="S0-31, S4-21", default="king_in_trick", meaning="what makes King Ultimo",
    values={"king_wins": (Patch(table="bonuses", where=KING, set={"predicate": Predicate.KING_WINS}),),
            "king_in_trick": (Patch(table="bonuses", where=KING, set={"predicate": Predicate.KING_IN_LAST}),)})
ROUNDING: Final = Option(
    name="difference_rounding", source="S0-44, S4-19", default="none", meaning="how the difference to 35 is rounded",
    values={"none": (Patch(table="scoring", set={"round_to": 1}),), "nearest_5": (Patch(table="scoring", set={"round_to": 5}),)})
ZERO_TRIGGER: Final = Option(
    name="zero_trigger", source="S0-9, S4-4", default="reached", meaning="when a total of zero makes the next hand compulsory",
    values={"state": (Patch(table="session", set={"zero": Zero.STATE}),),
            "reached": (Patch(table="session", set={"zero": Zero.REACHED}),)})

ULTIMO_BEATEN: Final = (
    Patch(table="bonuses", where=PAGAT, set={"silent_failure": SilentFailure.BEATEN}),
    Patch(table="bonuses", where=KING, set={"silent_failure": SilentFailure.BEATEN}),
)
ULTIMO_FREE: Final = (Patch(table="bonuses", set={"silent_failure": SilentFailure.NEVER}),)
