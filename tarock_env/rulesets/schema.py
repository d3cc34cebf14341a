"""What a ruleset is: frozen dataclasses, checked on construction. A ruleset file fills them and holds no logic.

Every column has a default that leaves a game as it is, so that a new idea is a new column. `source` names the section
or row of docs/decisions.md that a row comes from.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tarock_env.cards import IDS
from tarock_env.codes import (
    Announcing,
    Binding,
    ContractedValue,
    Door,
    Doubling,
    Exposed,
    FreeForAll,
    Identification,
    Knock,
    Leader,
    Mode,
    Objective,
    Owners,
    PagatLock,
    Payment,
    Predicate,
    Priority,
    Rounds,
    SessionEnd,
    SilentFailure,
    SlamMode,
    Talon,
    Unit,
    Zero,
)

if TYPE_CHECKING:
    from tarock_env.rulesets.actions import ActionTable


class RulesetError(ValueError):
    """A ruleset that contradicts itself, an unknown ruleset, or an option or value that it does not have."""


@dataclass(frozen=True, kw_only=True)
class Contract:
    """One row of the contract table."""

    id: str
    source: str  #: section or row of docs/decisions.md
    rank: int  #: place in the order of bids; reserved contracts have 0
    doors: Door  #: when it can be named
    value: int  #: base value, in game points an opponent pays
    value_lost: int = 0  #: base value when lost; 0 = the same
    difference: bool = False  #: card points above or below 35 are added to the value
    multiplier: int = 1  #: every seat's score is multiplied by this
    modes: Mode = Mode.NORMAL  #: kinds of hands in which it can be played
    only_over: str = ""  #: biddable only directly over this contract
    raise_from: tuple[str, ...] = ()  #: contracts that can be raised to this one
    # --- partner, talon
    calls_king: bool = False  #: the holder of a called king is the declarer's partner
    takes: int = 0  #: talon cards exchanged: 0, 1, 2, 3 or 6
    talon_shown: bool = False  #: whether all six are turned up when cards are taken
    rest: Talon = Talon.DEFENCE  #: where the talon cards go that the declarer did not take
    gifts_shown: bool = True  #: talon cards given to tricks are seen by all
    # --- aim
    objective: Objective = Objective.POINTS
    target: int = 0  #: tricks to take, where the objective is a number of tricks
    settled: FreeForAll = FreeForAll.TOP_PAYS
    doubling: Doubling = Doubling.NEVER
    early_stop: bool = False  #: the hand ends with the trick that decides it
    # --- play
    leader: Leader = Leader.FOREHAND
    forced: bool = False  #: beat the trick if you can
    pagat_lock: PagatLock = PagatLock.NEVER
    pagat_exception: bool = False  #: the lock yields to an Emperor trick
    colour: bool = False  #: trumps win only where trumps were led
    lead_ban: bool = False  #: trumps are led only when nothing else is left
    trump_duty: bool = True  #: a player who cannot follow must play a trump
    emperor: bool = False  #: T1 wins a trick that holds all three honours
    exposed: Exposed = Exposed.NOBODY
    exposed_from: int = 0  #: completed tricks after which hands lie open
    # --- bonuses
    announcing: Announcing = Announcing.NOTHING
    bonuses: tuple[str, ...] = ()  #: ids of the bonuses that it counts
    demands: tuple[str, ...] = ()  #: one of these must be announced in the opening turn
    bonus_factor: int = 1  #: bonuses are multiplied by this …
    bonus_factor_valat: int = 1  #: … and slams by this
    mond_live: bool = False  #: a lost T21 is charged
    mond_in_talon: bool = False  #: … also when it lies in the open talon that the declarer left
    mond_unseen: bool = False  #: … also when it lies in a talon that nobody saw
    starred: bool = False  #: brings everybody a ring
    # --- stated policies
    bid_weight: float = 1.0  #: weight of this bid in the stated random auction; a pass weighs 100


@dataclass(frozen=True, kw_only=True)
class Bonus:
    """One row of the bonus table."""

    id: str
    source: str  #: section or row of docs/decisions.md
    predicate: Predicate
    value: int  #: made silently, in game points an opponent pays
    cards: tuple[str, ...] = ()
    trick_from_end: int = 0  #: 0 = last trick, 1 = the one before …
    owners: Owners = Owners.BOTH
    unit: Unit = Unit.POINTS
    announced_factor: int = 2  #: its value is multiplied by this when announced
    announceable: bool = True  #: whether it can be announced at all
    needs_card: bool = False  #: announced only by the holder of the card
    silent_failure: SilentFailure = SilentFailure.NEVER
    threshold: int = 0  #: card points that REACHES asks for
    early_factor: int = 1  #: further factor when announced before the draw
    excludes: str = ""  #: cannot be announced together with this one in the same phase
    slam: bool = False  #: what it leaves of the rest is said in the scoring table
    exists: bool = True  #: False: as if the row were not there


@dataclass(frozen=True, kw_only=True)
class Deal:
    """How the pack is dealt. Each row of `packets` is (relative seat, or -1 for the talon; number of cards)."""

    packets: tuple[tuple[int, int], ...]
    knock: Knock = Knock.NEVER  #: whether the dealer's left neighbour may knock instead of cutting
    redeal_trumpless: bool = False  #: a hand without trumps is thrown in and dealt again
    redeal_in_compulsory: bool = True  #: also where the hand is compulsory already
    redeal_mode: Mode = Mode.NORMAL  #: mode of a hand that was dealt again


@dataclass(frozen=True, kw_only=True)
class Auction:
    """Who speaks when, and what he may say."""

    opener: int = 0  #: relative seat that speaks first
    wait: bool = False  #: forehand may open with "wait"
    first_may_pass: bool = True  #: the first speaker may pass
    priority: Priority = Priority.ELDER  #: who may take over the standing bid
    rounds: Rounds = Rounds.OPEN  #: how often the auction goes round
    eldest_chooses: bool = False  #: after nothing but passes eldest names a contract behind the door PASSED_OUT
    final_raise: bool = False  #: the highest bidder gets a last turn when all others have passed
    talks: bool = False  #: a turn may hold several calls: announcements, contras
    passed_contra: bool = False  #: in such an auction, players who have passed and the high bidder still have turns


@dataclass(frozen=True, kw_only=True)
class Announcements:
    """The announcement phase."""

    sweeps: int = 0  #: rounds of the table; 0 = until it falls quiet
    identification: Identification = Identification.PUBLIC  #: who may announce
    max_contra: int = 0  #: steps an item can be doubled
    step_factor: int = 2  #: each step multiplies by this
    early_step_factor: int = 4  #: before the draw, where that exists
    late_on_early: bool = True  #: an item with a contra from before the draw may get one after it
    fourth: bool = False  #: "the fourth king" may be called
    binding: Binding = Binding.FREE  #: what an announced card asks of its announcer's play
    one_sided: bool = False  #: only the declarer's side has items, so their names need no side
    contracted: ContractedValue = ContractedValue.ANNOUNCED  #: what the demanded bonus is worth
    coupled: bool = False  #: failing the demanded bonus fails the game and the other way round
    declarations: bool = False  #: players may declare what their hands hold
    false_declarations: bool = False  #: they may declare what is not true, at a price


@dataclass(frozen=True, kw_only=True)
class Discards:
    """What may be laid away."""

    trumps_free: bool = False  #: trumps may go although suit cards are left
    trumps_shown: bool = True  #: discarded trumps are shown to everybody


@dataclass(frozen=True, kw_only=True)
class Scoring:
    """From items to scores."""

    payment: Payment = Payment.SIDES  #: who pays whom
    slam: SlamMode = SlamMode.ADDED  #: what a scored slam leaves of the other items
    slam_takes_contra: bool = False  #: a silent slam is multiplied by the kontra on the game
    single: bool = False  #: where one side announced a bonus, only that item is settled
    sets_with_talon: bool = False  #: a side's share of the talon counts for sets of cards
    thirds: bool = False  #: piles are compared in exact thirds
    mond_fine: int = 0  #: what losing T21 costs; 0 = nothing
    mond_paid: bool = False  #: the fine goes to the winner of the trick, and only across sides
    mond_beside_slam: bool = False  #: also where a slam replaces everything else
    basic: int = 0  #: points of a hand before the number of bids and the over score
    round_to: int = 1  #: differences are rounded to multiples of this
    round_own: int = 1  #: own points of a contract without sides are rounded likewise
    rings: bool = False  #: starred contracts and slams bring rings, which double later hands
    ring_before: bool = False  #: the rings of a hand double that hand already
    ring_per_event: bool = False  #: a starred contract and a slam in one hand bring a ring each
    ring_for_partner: bool = True  #: the declarer's ring doubles his partner's score too


@dataclass(frozen=True, kw_only=True)
class Session:
    """What spans hands."""

    end: SessionEnd = SessionEnd.HANDS  #: when it is over
    hands: int = 0  #: agreed number of hands; 0 = left to the caller
    zero: Zero = Zero.NEVER  #: when a total of zero makes the next hand compulsory
    zero_rule: bool = True  #: the rule about zero is in force
    zero_step: int = 0  #: multiples of this count as zero too
    zero_mode: Mode = Mode.NORMAL  #: mode of the hand that a zero makes compulsory
    ring_price: int = 0  #: what a ring left over costs at the end
    ring_price_paid: bool = False  #: rings are settled between the players, not just charged
    scuse_full_cycle: bool = True  #: the dealer of the 'Scuse round who holds T22 deals once more, a whole round later
    goal: int = 0  #: total that ends a match
    goal_included: bool = False  #: reaching the goal ends the match
    goal_bonus: int = 0  #: what everybody at the goal gets at the end of the match


@dataclass(frozen=True, kw_only=True)
class Patch:
    """A change of one table: rows whose columns equal `where` get `set`, lose or gain members of tuples and flags."""

    table: str
    where: Mapping[str, Any] = field(default_factory=dict)
    set: Mapping[str, Any] = field(default_factory=dict)
    add: Mapping[str, Any] = field(default_factory=dict)
    remove: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Option:
    """A choice that a document leaves open: each value is a tuple of patches, applied in order."""

    name: str
    source: str
    default: Any
    values: Mapping[Any, tuple[Patch, ...]]
    meaning: str
    number: tuple[str, str] | None = None  #: (table, column) that any whole number of at least `least` is written to
    least: int = 0
    bonus_values: tuple[str, ...] = ()  #: an object "bonus id -> value" with some of these ids is allowed too
    requires: Mapping[Any, tuple[str, Any]] = field(default_factory=dict)  #: value -> (option, value) it needs


def with_defaults(options: tuple[Option, ...], /, **defaults: Any) -> tuple[Option, ...]:
    """The same options with other defaults, by name."""
    unknown = set(defaults) - {option.name for option in options}
    if unknown:
        raise RulesetError(f"no options {sorted(unknown)}; allowed: {[option.name for option in options]}")
    return tuple(dataclasses.replace(o, default=defaults.get(o.name, o.default)) for o in options)


@dataclass(frozen=True, kw_only=True, eq=False)
class Ruleset:
    """A complete game."""

    id: str
    title: str
    version: int
    document: str
    players: int
    seats: int = 0  #: seats at the table; 0 = `players`
    deal: Deal
    auction: Auction
    announcements: Announcements
    discards: Discards
    scoring: Scoring
    session: Session = Session()
    contracts: tuple[Contract, ...]
    bonuses: tuple[Bonus, ...]
    options: tuple[Option, ...] = ()
    reward_scale: float = 1.0  #: typical size of a hand's score, for learners
    chosen: Mapping[str, Any] = field(default_factory=dict)  #: option values that differ from the defaults
    origin: Ruleset | None = None  #: the same ruleset with all options at their defaults, if this one differs

    def __post_init__(self) -> None:
        if not self.seats:
            object.__setattr__(self, "seats", self.players)
        _check(self)

    @property
    def tables(self) -> tuple[str, ...]:
        """Names of the single-row tables that patches can change."""
        return ("deal", "auction", "announcements", "discards", "scoring", "session")

    @property
    def actions(self) -> ActionTable:
        """Index <-> name of every action, the same for all option values."""
        from tarock_env.rulesets.actions import action_table

        return action_table(self.origin or self)

    def contract(self, name: str) -> Contract:
        """The contract with this id."""
        return next(row for row in self.contracts if row.id == name)


def _fail(ruleset: Ruleset, where: str, value: object, allowed: object) -> None:
    raise RulesetError(f"ruleset {ruleset.id!r}: {where} is {value!r}; allowed: {allowed}")


def _check(ruleset: Ruleset) -> None:
    for name, holder in _typed_rows(ruleset):
        _check_types(ruleset, name, holder)
    if ruleset.players not in (3, 4):
        _fail(ruleset, "players", ruleset.players, "3 or 4")
    if ruleset.seats not in (ruleset.players, ruleset.players + 1) or ruleset.seats > 5:
        _fail(ruleset, "seats", ruleset.seats, "players, or one more up to 5")
    _check_unique(ruleset, "contracts", [row.id for row in ruleset.contracts], 20)
    _check_unique(ruleset, "bonuses", [row.id for row in ruleset.bonuses], 15)
    _check_unique(ruleset, "options", [row.name for row in ruleset.options], 64)
    dealt = dict.fromkeys(range(-1, ruleset.players), 0)
    for seat, count in ruleset.deal.packets:
        if seat not in dealt or count < 1:
            _fail(ruleset, "deal.packets", (seat, count), f"(-1 … {ruleset.players - 1}, at least 1)")
        dealt[seat] += count
    if dealt != {seat: 6 if seat < 0 else 48 // ruleset.players for seat in dealt}:
        _fail(ruleset, "deal.packets", dealt, f"6 talon cards and {48 // ruleset.players} a seat")
    for row in ruleset.contracts:
        _check_contract(ruleset, row)
    for bonus in ruleset.bonuses:
        _check_bonus(ruleset, bonus)


def _check_unique(ruleset: Ruleset, where: str, names: list[str], most: int) -> None:
    repeated = sorted({name for name in names if names.count(name) > 1})
    if repeated:
        _fail(ruleset, where, repeated, "each name once")
    if len(names) > most:
        _fail(ruleset, where, f"{len(names)} rows", f"at most {most}")


def _check_contract(ruleset: Ruleset, row: Contract) -> None:
    where = f"contract {row.id!r}"
    contracts, bonuses = [c.id for c in ruleset.contracts], [b.id for b in ruleset.bonuses]
    if row.takes not in (0, 1, 2, 3, 6):
        _fail(ruleset, f"{where}: takes", row.takes, (0, 1, 2, 3, 6))
    if row.value < 0 or row.value_lost < 0:
        _fail(ruleset, f"{where}: value", (row.value, row.value_lost), "0 or more")
    for name in (*row.raise_from, *([row.only_over] if row.only_over else [])):
        if name not in contracts:
            _fail(ruleset, f"{where}: raise_from/only_over", name, contracts)
    for name in (*row.bonuses, *row.demands):
        if name not in bonuses:
            _fail(ruleset, f"{where}: bonuses", name, bonuses)
    if row.calls_king and ruleset.players != 4:
        _fail(ruleset, f"{where}: calls_king", True, "only with four players")
    if row.objective == Objective.FEWEST and (row.calls_king or row.takes or row.bonuses):
        _fail(ruleset, f"{where}: objective", row.objective, "without king, exchange and bonuses")


def _check_bonus(ruleset: Ruleset, row: Bonus) -> None:
    where = f"bonus {row.id!r}"
    for code in row.cards:
        if code not in IDS:
            _fail(ruleset, f"{where}: cards", code, "card codes")
    if row.predicate in (Predicate.HOLDS, Predicate.CAPTURES, Predicate.CARD_WINS) and not row.cards:
        _fail(ruleset, f"{where}: cards", row.cards, "at least one card for this predicate")
    if not 0 <= row.trick_from_end < 12:
        _fail(ruleset, f"{where}: trick_from_end", row.trick_from_end, "0 … 11")


def _typed_rows(ruleset: Ruleset) -> list[tuple[str, Any]]:
    rows: list[tuple[str, Any]] = [(name, getattr(ruleset, name)) for name in ruleset.tables]
    rows += [(f"contract {row.id!r}", row) for row in ruleset.contracts]
    return rows + [(f"bonus {row.id!r}", row) for row in ruleset.bonuses]


def _check_types(ruleset: Ruleset, where: str, row: Any) -> None:
    """Each value has the type of its column's default (enumerations stay enumerations)."""
    for column in dataclasses.fields(row):
        value, kind = getattr(row, column.name), _KINDS.get(str(column.type))
        if kind is not None and not isinstance(value, kind):
            _fail(ruleset, f"{where}: {column.name}", value, kind.__name__)
        if str(column.type) == "int" and isinstance(value, bool):
            _fail(ruleset, f"{where}: {column.name}", value, "int")


_KINDS: dict[str, type] = {
    kind.__name__: kind
    for kind in (
        int, bool, str, tuple, Door, Mode, Talon, Objective, FreeForAll, Doubling, Leader, PagatLock, Exposed,
        Announcing, Predicate, Owners, Unit, SilentFailure, Knock, Priority, Rounds, Identification, Binding,
        ContractedValue, Payment, SlamMode, SessionEnd, Zero,
    )
}  # fmt: skip
