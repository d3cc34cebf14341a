"""The single tables of a ruleset in sentences: deal, auction, exchange, announcements, scoring, session.

Each function reads columns and knows no ruleset; what a column cannot change is said of all rulesets alike.
"""

from __future__ import annotations

from collections.abc import Iterable

from tarock_env.codes import (
    Announcing,
    Binding,
    ContractedValue,
    Door,
    Doubling,
    FreeForAll,
    Identification,
    Knock,
    Mode,
    Objective,
    Payment,
    Predicate,
    Priority,
    Rounds,
    SessionEnd,
    SlamMode,
    Talon,
    Unit,
    Zero,
)
from tarock_env.rulesets.schema import Contract, Ruleset

NUMBERS = ("no", "one", "two", "three", "four", "five", "six")


def listed(names: Iterable[str]) -> str:
    """Ids as code, in their order."""
    return ", ".join(f"`{name}`" for name in names)


def place(ruleset: Ruleset, index: int) -> str:
    """A player by his place in the order of play."""
    if index == 0:
        return "forehand"
    if index == ruleset.players - 1 and ruleset.seats == ruleset.players:
        return "the dealer"
    return f"the {('second', 'third', 'fourth')[index - 1]} player"


def through(ruleset: Ruleset, door: Door, mode: Mode = Mode.NORMAL) -> list[str]:
    """Ids of the contracts that a door opens."""
    return [row.id for row in ruleset.contracts if row.doors & door and row.modes & mode]


def rows_with(ruleset: Ruleset, **columns: object) -> list[Contract]:
    """The contracts with these values."""
    return [row for row in ruleset.contracts if all(getattr(row, name) == value for name, value in columns.items())]


# ------------------------------------------------------------------ deal


def deal(ruleset: Ruleset) -> list[str]:
    """How the cards are dealt."""
    table = ruleset.deal
    packets = ", ".join(f"{count} to {'the talon' if seat < 0 else place(ruleset, seat)}" for seat, count in table.packets)
    said = [
        f"{ruleset.players} players, 54 cards. Everything goes to the right; forehand sits at the dealer's right and plays "
        "before the others, the dealer last. The deal moves one seat on after each hand.",
        f"Packets in the order in which they leave the pack: {packets}.",
    ]
    if ruleset.seats > ruleset.players:
        said.append(f"{ruleset.seats} sit at the table: the dealer takes no cards, and scores 0.")
    if table.knock != Knock.NEVER:
        who = {Knock.AGENT: "may cut or knock", Knock.RANDOM: "cuts or knocks by chance", Knock.ALWAYS: "knocks"}[
            table.knock
        ]
        said.append(
            f"The dealer's left neighbour {who}. After a knock the first six cards are the talon, and forehand, then the "
            "next players choose one of four packets of twelve."
        )
    if table.redeal_trumpless:
        also = "also" if table.redeal_in_compulsory else "but not"
        said.append(
            "A player who was dealt no trump shows it: the same dealer deals again, as often as needed – "
            f"{also} where the hand is compulsory already. What is played then is {_mode(ruleset, table.redeal_mode)}."
        )
    return said


def _mode(ruleset: Ruleset, mode: Mode) -> str:
    if mode == Mode.NORMAL:
        return "a hand like any other"
    possible = listed(row.id for row in ruleset.contracts if row.modes & mode)
    return f"a {(mode.name or '').lower()} hand: only {possible} can be played"


# ------------------------------------------------------------------ auction


def auction(ruleset: Ruleset) -> list[str]:
    """Who speaks when, and what may be said."""
    table = ruleset.auction
    said = [f"{place(ruleset, table.opener).capitalize()} speaks first, then the next to the right, round after round."]
    said += _talking(ruleset) if table.talks else ["A turn is one call: `pass`, which is final, or `bid:` with a contract."]
    if not table.first_may_pass:
        said.append("The first speaker cannot pass.")
    said.append(_priority(table.priority))
    said += [f"`{row.id}` can be bid only directly over `{row.only_over}`." for row in ruleset.contracts if row.only_over]
    said += _ends(ruleset)
    others = [
        mode for mode in (Mode.RESTRICTED, Mode.FORCED) if mode in (ruleset.deal.redeal_mode, ruleset.session.zero_mode)
    ]
    for mode in others:
        if mode == Mode.FORCED:
            said.append(f"In a forced hand there is no auction: {listed(_forced(ruleset))} is played.")
        else:
            said.append(f"In a restricted hand the bids are {listed(through(ruleset, Door.AUCTION, mode))}.")
    return said


def _forced(ruleset: Ruleset) -> list[str]:
    return [row.id for row in ruleset.contracts if row.modes & Mode.FORCED and row.doors & Door.ALL_PASSED]


def _priority(priority: Priority) -> str:
    if priority == Priority.NOBODY:
        return "Every bid is higher than the one that stands."
    who = "a seat nearer to forehand than its holder" if priority == Priority.ELDER else "forehand, and nobody else,"
    return f"A bid is higher than the one that stands; only {who} may take that one over (`bid:` with the same contract)."


def _talking(ruleset: Ruleset) -> list[str]:
    said = [
        "A turn is one of: `bid:` with a contract, then any `announce:` that go with it, then `end`; one or more `contra:`, "
        "then `end`; or `pass`. A player who passes or doubles cannot bid any more.",
        "A bid that is outbid or taken over takes its announcements and contras with it.",
    ]
    if ruleset.auction.passed_contra:
        said.append(
            "Players who are out still have turns, in which they may double, and so has the high bidder, who may re-contra. "
            "The auction ends when nobody else can bid and all others have passed in a row since the last call."
        )
    return said


def _ends(ruleset: Ruleset) -> list[str]:
    table = ruleset.auction
    said = []
    if table.wait:
        chosen, reserved = through(ruleset, Door.AFTER_WAIT), rows_with(ruleset, doors=Door.AFTER_WAIT)
        said.append(
            f"Forehand may open with `wait`. If all others pass he names one of {listed(chosen)}; "
            f"{listed(row.id for row in reserved)} can be named in no other way."
        )
    if table.rounds == Rounds.CLAIM_FINAL:
        said.append("The others bid among themselves first; then forehand speaks once and may claim the bid that stands.")
    elif table.rounds == Rounds.SINGLE:
        said.append("Everybody speaks once; the highest bid wins.")
    elif not table.talks:
        said.append("The auction ends when one player is left and a bid stands; he is the declarer.")
    if table.eldest_chooses:
        said.append(
            f"If all others have passed without a bid, forehand names one of {listed(through(ruleset, Door.PASSED_OUT))}."
        )
    elif through(ruleset, Door.ALL_PASSED):
        said.append(f"If all have passed, {listed(through(ruleset, Door.ALL_PASSED))} is played.")
    elif table.first_may_pass:
        said.append("If all have passed, the hand is thrown in and nobody scores.")
    if table.final_raise:
        said.append(
            "When the others have passed after his bid, the high bidder has a last turn: he keeps his contract (`bid:` with "
            "the same one) or names a higher one."
        )
    return said


# ------------------------------------------------------------------ king, exchange


def exchange(ruleset: Ruleset) -> list[str]:
    """Calling a king, the talon, discards, the raise."""
    said = []
    calling = [row.id for row in ruleset.contracts if row.calls_king]
    if calling:
        fourth = (
            " With exactly three kings he may call `call:fourth` and leave the suit unspoken." if _fourth(ruleset) else ""
        )
        said.append(
            f"In {listed(calling)} the declarer calls a king before any talon card is seen; his own is allowed.{fourth} Its "
            "holder is his partner and shows it only by play or by what he says. If it is his own or lies in the talon, he "
            "plays alone."
        )
    for count in sorted({row.takes for row in ruleset.contracts if row.takes}):
        rows = rows_with(ruleset, takes=count)
        shown = "turned up for everybody" if rows[0].talon_shown else "seen by the declarer only"
        choice = "takes all six talon cards" if count == 6 else f"takes one of {6 // count} groups of {NUMBERS[count]}"
        said.append(
            f"{listed(row.id for row in rows).capitalize()}: the declarer {choice} ({shown}), and discards as many cards."
        )
    if any(row.takes for row in ruleset.contracts):
        said.append(_discards(ruleset))
    said += [
        f"After the discard the declarer of {listed(row.raise_from)} may raise to `{row.id}`."
        for row in ruleset.contracts
        if row.raise_from
    ]
    return said


def _fourth(ruleset: Ruleset) -> bool:
    return ruleset.announcements.fourth


def _discards(ruleset: Ruleset) -> str:
    table = ruleset.discards
    kind = (
        "other trumps may go freely"
        if table.trumps_free
        else "other trumps may go only when no suit card below the king is left in hand"
    )
    shown = "they are shown to everybody" if table.trumps_shown else "face down like the rest"
    return f"Kings and honours (T1, T21, T22) are never discarded; {kind}, and {shown}. Discards count for the declarer."


# ------------------------------------------------------------------ announcements


def announcements(ruleset: Ruleset) -> list[str]:
    """Who may announce and double, and what that asks of him."""
    table = ruleset.announcements
    talking = [row for row in ruleset.contracts if row.announcing == Announcing.ALL]
    doubling = [row.id for row in ruleset.contracts if row.announcing == Announcing.GAME]
    said = []
    if len(talking) + len(doubling) < len(ruleset.contracts):
        said.append(f"There is an announcement phase in {listed(row.id for row in talking)}.")
    if doubling and table.max_contra:
        said.append(f"In {listed(doubling)} only the game can be doubled.")
    turns = (
        "one round of the table"
        if table.sweeps
        else (
            f"until {NUMBERS[ruleset.players - 1]} players in a row say nothing; the declarer's opening turn is not counted"
        )
    )
    said.append(f"The declarer begins, then to the right, {turns}. A turn is any number of statements, then `end`.")
    said += _speakers(ruleset)
    said += _doubling(ruleset)
    said += _duties(ruleset)
    return said


def _speakers(ruleset: Ruleset) -> list[str]:
    table = ruleset.announcements
    if table.one_sided:
        said = ["Announcements are the declarer's alone, in the bid or in his first turn after the exchange."]
        if table.declarations:
            free = (
                "; a false one may be made and brings each of the others twice its value" if table.false_declarations else ""
            )
            said.append(f"Every player may declare what his hand holds after the discard, once for each declaration{free}.")
        return said
    if table.identification == Identification.TRUE_SIDE:
        return ["Every player may speak for his own side, known to the others or not. A side announces a bonus once."]
    return [
        "The declarer and his partner may announce at any turn, an opponent only once everybody knows him as one: because "
        "nobody can be the declarer's partner, because the called king was seen in the open talon, because the partner has "
        "spoken, or because he has doubled an item of the declarer's side himself. Whoever says anything that only one side "
        "may say is known from then on; when the partner speaks, everybody is. A side announces a bonus once."
    ]


def _doubling(ruleset: Ruleset) -> list[str]:
    table = ruleset.announcements
    if not table.max_contra:
        return ["Nothing can be doubled."]
    said = [
        f"The game and each announced bonus can be doubled {table.max_contra} times, each step × {table.step_factor}: first "
        "by the opponents of its owner, then by the owner's side, and so on in turn (`contra:`)."
    ]
    if ruleset.auction.talks:
        said.append(
            f"A step in the auction counts × {table.early_step_factor}, one after the exchange × {table.step_factor}; "
            + ("both chains multiply." if table.late_on_early else "an item doubled in the auction cannot be doubled again.")
        )
    return said


def _duties(ruleset: Ruleset) -> list[str]:
    table = ruleset.announcements
    said = []
    for row in ruleset.contracts:
        if row.demands:
            said.append(f"`{row.id}`: the declarer must announce one of {listed(row.demands)} in his opening turn.")
    if any(row.demands for row in ruleset.contracts):
        plain = table.contracted == ContractedValue.PLAIN
        said.append(
            f"The first one named so counts its {'plain' if plain else 'announced'} value"
            + ("; it and the game fail together." if table.coupled else "; it and the game are won or lost apart.")
        )
    if table.binding == Binding.HELD:
        said.append("A card whose trick was announced lies face up and is played early only when nothing else is legal.")
    elif table.binding == Binding.HIGHEST_FIRST:
        said.append(
            "A card whose trick was announced is kept for it while anything else is legal; of several the highest goes "
            "first."
        )
    elif any(bonus.predicate == Predicate.CARD_WINS for bonus in ruleset.bonuses):
        said.append("An announced card may be played at any time; the announcement is lost then.")
    return said


# ------------------------------------------------------------------ scoring


def scoring(ruleset: Ruleset) -> list[str]:
    """From the play to scores."""
    table = ruleset.scoring
    said = [
        "Card points: king and honour 5, queen 4, knight 3, jack 2, every other card 1; for every three cards 2 points are "
        "taken off, for one or two left over 1. The pack counts 70. Exactly: a card counts 3 × its points − 2 thirds, a "
        "pile (its thirds + 1) // 3, and 36 points, which are 107 thirds, win.",
        {
            Payment.SIDES: "Each defender pays the sum of the items' values to the declarer's side: partners get it once "
            "each, a declarer alone gets it from every opponent. What is negative is paid the other way round.",
            Payment.DECLARERS_ONLY: "The declarer scores the sum of the items' values, and so does his partner; defenders "
            "score nothing.",
            Payment.POSITIVE: "Scores are never negative: what the declarer wins is his, what he loses each of the "
            "others scores. All scores of a hand are multiplied by the contract's multiplier.",
        }[table.payment],
    ]
    if any(row.difference for row in ruleset.contracts):
        to = f", rounded to multiples of {table.round_to}," if table.round_to > 1 else ""
        said.append(f"Where the value has a difference, the card points above or below 35{to} are added to it.")
    if table.basic:
        said.append(
            f"The game is worth {table.basic}, plus the number of bids in the auction (taking over is none), plus the card "
            "points above or below 35."
        )
    if table.payment == Payment.POSITIVE:
        said.append(
            "A card that must win its trick and was not announced scores for its player if it does, and for each of the "
            "others if it was played to that trick and beaten. A declaration scores for its player."
        )
    said += _everybody_alone(ruleset) + _slam(ruleset) + _sets(ruleset) + _mond(ruleset) + _rings(ruleset)
    return said


def _everybody_alone(ruleset: Ruleset) -> list[str]:
    said = []
    for row in rows_with(ruleset, objective=Objective.FEWEST):
        how = {
            FreeForAll.TOP_PAYS: f"everybody with the most points pays {row.value} to each of the others",
            FreeForAll.TWO_PAIRS: "the two with the most points pay 1 each, the two with the fewest get 1 each; a player "
            "with 36 points pays everybody, and a single one without a trick is paid by everybody",
            FreeForAll.OWN_POINTS: "everybody loses the points he took",
            FreeForAll.EXTREMES: f"who has more than 35 points loses {row.value}, who has no trick wins {row.value}, and "
            "the others score nothing then; if there is nobody of either kind, everybody loses the points he took",
            FreeForAll.DIFFERENCE: "everybody scores what separates him from the player with the most points",
        }[row.settled]
        doubled = {
            Doubling.NEVER: "",
            Doubling.OVER_36: "; double if that is more than 36",
            Doubling.FROM_36: "; double if that is 36 or more",
        }[row.doubling]
        measure = "; points are compared in thirds" if ruleset.scoring.thirds else ""
        rounded = (
            f"; points are rounded to multiples of {ruleset.scoring.round_own}" if ruleset.scoring.round_own > 1 else ""
        )
        said.append(f"`{row.id}`: {how}{doubled}{measure}{rounded}.")
    return said


def _slam(ruleset: Ruleset) -> list[str]:
    slams = [bonus for bonus in ruleset.bonuses if bonus.slam]
    if not slams:
        return []
    name = listed(bonus.id for bonus in slams)
    said = [{
        SlamMode.ADDED: f"{name} is counted beside the game and everything else.",
        SlamMode.REPLACES: f"Where {name} is scored, the game and all that was not announced are dropped.",
        SlamMode.ALONE: f"Where a side makes or announces {name}, nothing else of the items counts.",
    }[ruleset.scoring.slam]]  # fmt: skip
    if any(bonus.unit == Unit.GAMES for bonus in slams):
        said.append("Its value is a multiple of the game's; where won and lost differ, of what its winner would get.")
    if ruleset.scoring.slam_takes_contra:
        said.append("A silent one is multiplied by the kontra on the game.")
    return said


def _sets(ruleset: Ruleset) -> list[str]:
    if ruleset.scoring.payment == Payment.POSITIVE:
        return []
    table = ruleset.scoring
    said = [
        "A side's share of the talon counts for sets of cards (`holds`)."
        if table.sets_with_talon
        else "Sets of cards (`holds`) are looked for in tricks only."
    ]
    said.append(
        "Where exactly one side announced a bonus, only that item is settled."
        if table.single
        else "The same bonus may be an item of either side; both are settled."
    )
    return said


def _mond(ruleset: Ruleset) -> list[str]:
    table = ruleset.scoring
    if not table.mond_fine:
        return []
    where = listed(row.id for row in ruleset.contracts if row.mond_live)
    how = (
        "to a card of the other side is fined, and the fine is paid to the winner of the trick"
        if table.mond_paid
        else "to T22, or to T1 in an Emperor trick, is fined, even if his own side takes it; nobody receives the fine"
    )
    beside = "" if table.mond_beside_slam else " There is no fine where a slam stands alone."
    return [f"Whoever loses T21 {how}: {table.mond_fine}, never multiplied, in {where}.{beside}"]


def _rings(ruleset: Ruleset) -> list[str]:
    table = ruleset.scoring
    if not table.rings:
        return []
    starred = listed(row.id for row in ruleset.contracts if row.starred)
    timing = "before it is scored" if table.ring_before else "after it was scored"
    count = "one ring for each of them" if table.ring_per_event else "one ring"
    partner = "" if table.ring_for_partner else " His partner's score is not doubled."
    return [
        f"Rings: {starred}, or a slam that stands alone, bring everybody {count} {timing}. A declarer who has a ring plays "
        f"for double, and loses one ring if he wins.{partner}"
    ]


# ------------------------------------------------------------------ session


def session(ruleset: Ruleset) -> list[str]:
    """What spans hands."""
    table = ruleset.session
    agreed = f" of {table.hands} hands" if table.hands else ""
    said = [{
        SessionEnd.HANDS: f"A session{agreed} ends after the agreed number of hands.",
        SessionEnd.SCUSE_ROUND: "When the agreed number of hands is over, one more is played, the 'Scuse round. Whoever is "
        "dealt T22 in it deals the last hand of the session"
        + (" (if he dealt the 'Scuse round himself, a whole round later)" if table.scuse_full_cycle else
           " (if he dealt the 'Scuse round himself, that was the last hand)")
        + "; if T22 lies in the talon, the next hand is another 'Scuse round.",
        SessionEnd.MATCH: f"A session is one match: it ends with the hand after which somebody has "
        f"{'at least' if table.goal_included else 'more than'} {table.goal} points.",
    }[table.end]]  # fmt: skip
    if table.end == SessionEnd.MATCH:
        said.append(f"Everybody with at least {table.goal} then gets {table.goal_bonus} more.")
        if table.goal_settled:
            said.append("In the settlement each pays each the difference of their totals.")
    if table.zero != Zero.NEVER and table.zero_rule:
        step = f" or a multiple of {table.zero_step}, negative ones included," if table.zero_step else ""
        when = "is" if table.zero == Zero.STATE else "has become"
        said.append(f"If some total {when} exactly 0{step} after a hand, the next one is {_mode(ruleset, table.zero_mode)}.")
    if ruleset.scoring.rings:
        paid = "each player pays every other" if table.ring_price_paid else "each player is charged"
        said.append(f"At the end of a session {paid} {table.ring_price} for each ring he has left.")
    return said


#: how a contract comes about
DOORS = {
    Door.AUCTION: "as a bid",
    Door.AFTER_WAIT: "by forehand after his `wait`",
    Door.PASSED_OUT: "by forehand if all others pass",
    Door.ALL_PASSED: "played if all pass",
    Door.RAISE: "as a raise after the exchange",
}


def talon_words(row: Contract) -> str:
    """What happens to the talon in a contract."""
    taken = f"takes {row.takes}" if row.takes else "untouched"
    rest = {
        Talon.DEFENCE: "to the defence",
        Talon.NOBODY: "out of play",
        Talon.FIRST_TRICKS: "one card to each of the first six tricks",
        Talon.LAST_TRICK: "to the last trick",
        Talon.HALF_WITH_KING: "the half with the called king to the declarer's side",
        Talon.WITH_KING: "to the declarer's side if the called king is in it",
        Talon.WON_BY_KING: "to the defence, unless the called king was taken from it and wins a trick",
    }[row.rest]
    if row.takes == 6:
        return taken
    return f"{taken}; {'rest ' if row.takes else ''}{rest}"


def aim(row: Contract) -> str:
    """What wins a contract."""
    if row.objective == Objective.POINTS:
        return "36 card points"
    if row.objective == Objective.FEWEST:
        return "everybody alone, few points"
    return {0: "no trick", 1: "exactly 1 trick"}.get(row.target, f"exactly {row.target} tricks")
