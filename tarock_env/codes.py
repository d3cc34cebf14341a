"""Small integers with names, shared by ruleset data (as words) and kernels (as numbers).

A column of a ruleset that is not a plain number or card set takes its values from one of these enumerations. Nothing here
names a ruleset, a contract or a bonus.
"""

from __future__ import annotations

from enum import IntEnum, IntFlag

NONE = -1  #: "no seat", "no contract", "no card" in every int8 field
GAME = 0  #: index of the game among the items; bonuses follow from 1
DECLARERS, DEFENCE = 0, 1  #: the two sides, as indices


class Phase(IntEnum):
    """Where a hand stands. `DONE` is final."""

    CUT = 0
    PACKET = 1
    AUCTION = 2
    CHOICE = 3
    CALL_KING = 4
    TALON = 5
    DISCARD = 6
    RAISE = 7
    ANNOUNCE = 8
    PLAY = 9
    DONE = 10


class Door(IntFlag):
    """When a contract can be named."""

    AUCTION = 1  #: as a bid
    AFTER_WAIT = 2  #: by forehand, whose "wait" was passed out
    PASSED_OUT = 4  #: by eldest, when all others have passed without a bid
    ALL_PASSED = 8  #: by nobody: it is played when all have passed
    RAISE = 16  #: by the declarer, after his exchange


class Mode(IntFlag):
    """What kind of hand the session calls for."""

    NORMAL = 1
    RESTRICTED = 2
    FORCED = 4


class Objective(IntEnum):
    """What wins a contract."""

    POINTS = 0  #: 36 card points for the declarer's side
    TRICKS = 1  #: the declarer takes exactly `target` tricks
    FEWEST = 2  #: everybody for himself, avoiding card points


class Leader(IntEnum):
    """Who leads to the first trick."""

    FOREHAND = 0
    DECLARER = 1


class Exposed(IntEnum):
    """Whose hands lie face up during the play."""

    NOBODY = 0
    DECLARER = 1
    ALL = 2


class Talon(IntEnum):
    """Where the talon cards go that the declarer did not take."""

    DEFENCE = 0  #: to the defenders, apart from their tricks
    NOBODY = 1
    FIRST_TRICKS = 2  #: one to the winner of each of the first six tricks
    LAST_TRICK = 3  #: all to the winner of the last trick
    HALF_WITH_KING = 4  #: untouched half with the called king to the declarer's side, the other to the defence
    WITH_KING = 5  #: all to the declarer's side if the called king is among them, else to the defence
    WON_BY_KING = 6  #: to the defence, unless a called king taken from the talon wins a trick


class Announcing(IntEnum):
    """What the announcement phase of a contract offers."""

    NOTHING = 0  #: there is no such phase
    GAME = 1  #: only the game can be doubled
    ALL = 2


class PagatLock(IntEnum):
    """When T1 must be held back."""

    NEVER = 0
    LAST_TRUMP = 1  #: until it is the player's last trump
    LAST_CARD = 2  #: while any other card is legal


class Priority(IntEnum):
    """Who may bid the standing contract again."""

    NOBODY = 0
    ELDER = 1  #: every seat nearer to forehand than its holder
    ELDEST = 2  #: forehand only


class Rounds(IntEnum):
    """How often the auction goes round."""

    OPEN = 0  #: until one is left
    CLAIM_FINAL = 1  #: the others first, then eldest once
    SINGLE = 2  #: everybody speaks once


class Knock(IntEnum):
    """Whether the dealer's left neighbour may knock instead of cutting."""

    NEVER = 0
    AGENT = 1
    RANDOM = 2
    ALWAYS = 3


class Identification(IntEnum):
    """Which players may announce."""

    PUBLIC = 0  #: the declarer, his partner, and whoever is publicly known to oppose them
    TRUE_SIDE = 1  #: everybody, for his own side


class Binding(IntEnum):
    """What an announced last-tricks card asks of its announcer's play."""

    FREE = 0
    HIGHEST_FIRST = 1  #: hold it for its trick; of several held cards the highest goes first
    HELD = 2  #: hold it while any other card is legal


class Predicate(IntEnum):
    """How a bonus is made by a side."""

    HOLDS = 0  #: the side's tricks hold all of `cards`
    CAPTURES = 1  #: a card of `cards`, played by the other side, lies in a trick of this side
    CAPTURES_KING = 2  #: the called king, played by the other side, lies in a trick of this side
    CARD_WINS = 3  #: the card of `cards`, played by the side, wins the trick `trick_from_end`
    KING_IN_LAST = 4  #: the side wins the last trick and the called king is in it
    KING_WINS = 5  #: the called king wins the last trick
    ALL_TRICKS = 6  #: the side wins every trick
    LOST = 7  #: a card of `cards` is lost by the seat that played it, a personal matter
    REACHES = 8  #: the declarer's side has at least `threshold` card points
    WITHOUT = 9  #: the declarer wins without any of `cards` in hand or discards
    DECLARES_ALL = 10  #: a player's hand holds all of `cards`
    DECLARES_TWO = 11  #: … exactly two of them


class Owners(IntEnum):
    """Which sides can have a bonus."""

    BOTH = 0
    DECLARERS = 1
    DEFENCE = 2


class Unit(IntEnum):
    """What a bonus value counts."""

    POINTS = 0
    GAMES = 1  #: multiples of the contract's value


class SilentFailure(IntEnum):
    """When an unannounced attempt costs its value."""

    NEVER = 0
    BEATEN = 1  #: the card was played to its trick and did not win it
    BEATEN_BY_OTHERS = 2  #: … and the other side won that trick


class Payment(IntEnum):
    """Who pays whom."""

    SIDES = 0  #: each defender pays the declarer's side; zero-sum
    DECLARERS_ONLY = 1  #: only the declarer's side scores
    POSITIVE = 2  #: the declarer or each defender scores, never below zero


class FreeForAll(IntEnum):
    """How a contract without sides is settled."""

    TOP_PAYS = 0  #: everybody with the most points pays each of the others
    TWO_PAIRS = 1  #: the two highest pay the two lowest, with extremes
    OWN_POINTS = 2  #: everybody loses his own points
    EXTREMES = 3  #: more than 35 points lose 70, no trick wins 70; else own points
    DIFFERENCE = 4  #: everybody scores the distance to the most points


class Doubling(IntEnum):
    """When TOP_PAYS doubles for a majority of the points."""

    NEVER = 0
    OVER_36 = 1
    FROM_36 = 2


class ContractedValue(IntEnum):
    """What the bonus that a contract demands is worth."""

    ANNOUNCED = 0
    PLAIN = 1


class SlamMode(IntEnum):
    """What a scored slam leaves of the other items."""

    ADDED = 0
    REPLACES = 1  #: drops the game and what was not announced
    ALONE = 2  #: nothing else counts, listed at 0


class Zero(IntEnum):
    """When a total of zero makes the next hand compulsory."""

    NEVER = 0
    REACHED = 1  #: the total became exactly 0 by the hand
    STATE = 2  #: some total is 0 or a multiple of the step


class Compulsory(IntEnum):
    """Why a hand is not a normal one."""

    NO = 0
    NO_TRUMPS = 1
    SCORE = 2


class SessionEnd(IntEnum):
    """When a session is over."""

    HANDS = 0  #: after the agreed number of hands
    SCUSE_ROUND = 1  #: with the 'Scuse round that follows them
    MATCH = 2  #: when a total passes the goal
