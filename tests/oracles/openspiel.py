"""OpenSpiel's `tarok` beside our Slovenian games, decision by decision: an oracle that shares no line with us.

Deals come from OpenSpiel (it cannot be given any); its player 0 is our eldest. Both get the same actions; legal actions,
the seat to act, the fine for T21 and the scores are compared. OpenSpiel deviates in ways that are known and modelled here:
it never pays sets of cards, mixes up the two ultimos, misses a slam after an exchange (`bonus_free_score`), and errs in two
rare legal sets (`is_known_slip`). With three players it opens at eldest's right and keeps Klop and Three for eldest.

Run ``python -m tests.oracles.openspiel --players 4 --hands 20000``.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from typing import Any

import tarock_env
from tarock_env.cards import T1, T21, T22, THIRDS, ids_in
from tarock_env.codes import Objective, Phase
from tarock_env.engine.mond import loser_of_mond

ORDER = [f"T{n}" for n in range(1, 23)]
ORDER += [suit + rank for suit in "HD" for rank in ("4", "3", "2", "1", "J", "N", "Q", "K")]
ORDER += [suit + rank for suit in "SC" for rank in ("7", "8", "9", "10", "J", "N", "Q", "K")]
OPTIONS = {"king_in_talon_wins_rest": True, "lost_xxi_scope": "positive", "lost_xxi_unseen_talon": False}
BIDS = {
    4: dict(enumerate(
        ["leasters", "three", "two", "one", "solo_three", "solo_two", "solo_one", "nill", "solo_without", "open_nill",
         "suit_slam_without", "slam_without"], start=1)),
    3: {1: "leasters", 2: "three", 3: "two", 4: "one", 8: "nill", 9: "solo"},
}  # fmt: skip


class Disagreement(AssertionError):
    """The two games differ in something that is not known to differ."""


class Pair:
    """One hand in both games."""

    def __init__(self, players: int, seed: int) -> None:
        import pyspiel

        self.players = players
        self.game = pyspiel.load_game(f"tarok(players={players},rng_seed={seed})")
        self.spiel = self.game.new_initial_state()
        self.spiel.apply_action(0)
        options = dict(OPTIONS) if players == 4 else {**OPTIONS, "auction_opener": "eldest_right"}
        self.engine = tarock_env.make(f"slovenian_{players}p", **options)
        hands = [[ORDER[c] for c in self.spiel.player_cards(p)] for p in range(players)]
        self.state = self.engine.from_deal(hands, [ORDER[c] for c in self.spiel.talon()], dealer=players - 1)
        self.slips: Counter[str] = Counter()

    @property
    def g(self) -> Any:
        """Our record."""
        return self.state[0]

    def names(self) -> dict[str, int]:
        """OpenSpiel's legal actions under our names; contracts that ours does not have are left out."""
        phase = Phase(int(self.g.phase))
        legal = self.spiel.legal_actions()
        if phase == Phase.AUCTION:
            bids = BIDS[self.players]
            names = {("pass" if a == 0 else f"bid:{bids[a]}"): a for a in legal if a == 0 or a in bids}
            if self.players == 3 and "bid:leasters" in names:  # ours are three passes
                names["pass"] = names.pop("bid:leasters")
            return names
        if phase == Phase.CALL_KING:
            return {f"call:{ORDER[a]}": a for a in legal}
        if phase == Phase.TALON:
            return {f"talon:{a}": a for a in legal}
        return {ORDER[a]: a for a in legal}

    def skip_what_is_only_ours(self) -> None:
        """No raise, no announcement: OpenSpiel has neither."""
        while not self.g.done and Phase(int(self.g.phase)) in (Phase.RAISE, Phase.ANNOUNCE):
            name = "pass" if Phase(int(self.g.phase)) == Phase.RAISE else "end"
            self.engine.step(self.state, self.engine.actions.index(name))

    def compare_decision(self) -> dict[str, int]:
        """Actions legal in both; raises where the sets differ unexpectedly."""
        if int(self.g.actor) != self.spiel.current_player():
            raise Disagreement(f"seat {int(self.g.actor)} here, {self.spiel.current_player()} there")
        theirs, ours = self.names(), set(self.engine.legal_names(self.state))
        if self.players == 3 and Phase(int(self.g.phase)) == Phase.AUCTION and int(self.g.actor) != 0:
            ours.discard("bid:three")
        if set(theirs) != ours:
            if not self.is_known_slip():
                raise Disagreement(f"{Phase(int(self.g.phase)).name}: here {sorted(ours)}, there {sorted(theirs)}")
            self.slips["legal cards beside an Emperor trick"] += 1
        return {name: action for name, action in theirs.items() if name in ours}

    def is_known_slip(self) -> bool:
        """A negative contract with T21 in the trick beside T22 (holder of T1) or T1 (holder of T22)."""
        if Phase(int(self.g.phase)) != Phase.PLAY or not self.engine.rules[0].forced[self.g.contract]:
            return False
        trick, hand = set(ids_in(self.g.trick)), set(ids_in(self.g.hands[self.g.actor]))
        return T21 in trick and ((T22 in trick and T1 in hand) or (T1 in trick and T22 in hand))

    def play(self, rng: random.Random) -> None:
        """Play both to the end with the same random actions, then compare the results."""
        while True:
            self.skip_what_is_only_ours()
            if self.g.done:
                break
            common = self.compare_decision()
            if not common:  # a known slip with no card in common: the hand cannot go on in both
                return
            names = sorted(common, key=lambda name: common[name])
            weights = [8.0 if name == "pass" else 0.5**i for i, name in enumerate(names)]
            bidding = Phase(int(self.g.phase)) == Phase.AUCTION
            name = rng.choices(names, weights if bidding and rng.random() < 0.8 else None)[0]
            self.spiel.apply_action(common[name])
            self.engine.step(self.state, self.engine.actions.index(name))
        if not self.spiel.is_terminal():
            raise Disagreement("over here, not over there")
        self.compare_results()

    def compare_results(self) -> None:
        """The fine for T21 and the scores without bonuses."""
        g = self.g
        fined = [p for p, fine in enumerate(self.spiel.captured_mond_penalties()) if fine]
        live = self.engine.rules[0].mond_live[g.contract]
        loser = int(loser_of_mond(g, self.engine.rules[0])) if live else -1
        if fined != [seat for seat in (loser,) if seat >= 0]:
            raise Disagreement(f"T21: fined {fined} there, {loser} here")
        theirs = [int(x) for x in self.spiel.scores_without_captured_mond_penalties()]
        if theirs != self.expected_scores():
            raise Disagreement(f"scores {theirs} there, expected {self.expected_scores()}")

    def expected_scores(self) -> list[int]:
        """What OpenSpiel ought to say of the hand as we played it."""
        g, r = self.g, self.engine.rules[0]
        items = [(int(g.item_kind[i]), int(g.item_side[i]), int(g.item_value[i])) for i in range(int(g.n_items))]
        if r.objective[g.contract] == Objective.FEWEST:
            return [next(v for kind, side, v in items if kind == 0 and side == 2 + seat) for seat in range(self.players)]
        if r.difference[g.contract]:
            value = self.bonus_free_score()
        elif r.objective[g.contract] == Objective.POINTS:
            value = int(r.value[g.contract]) * (1 if self.declarers_points() >= 36 else -1)
        else:
            value = next(v for kind, _, v in items if kind == 0)
        return [value if seat in (int(g.declarer), int(g.partner)) else 0 for seat in range(self.players)]

    def declarers_points(self) -> int:
        """Table points of the declarer's side."""
        g = self.g
        sides = [seat for seat in range(self.players) if seat in (int(g.declarer), int(g.partner))]
        cards = int(g.discards) | sum(int(g.won[seat]) for seat in sides)
        return (sum(int(THIRDS[c]) for c in ids_in(cards)) + 1) // 3

    def bonus_free_score(self) -> int:
        """OpenSpiel's value of an exchange contract, with its slips: sizes of piles stand for slams and sets of cards."""
        g, r = self.g, self.engine.rules[0]
        mine = opp = 0
        for seat in range(self.players):
            if seat in (int(g.declarer), int(g.partner)):
                mine |= int(g.won[seat])
            else:
                opp |= int(g.won[seat])
        rest = {int(c) for c in g.talon} - set(ids_in(g.taken))
        mine |= int(g.discards) | (sum(1 << c for c in rest) if g.rest_won else 0)
        if mine.bit_count() == 48 or opp.bit_count() == 48:
            return 250 if mine.bit_count() == 48 else -250
        points = (sum(int(THIRDS[c]) for c in ids_in(mine)) + 1) // 3
        value = points - 35 + int(r.value[g.contract]) * (1 if points >= 36 else -1)
        winner = int(g.leaders[g.trick_no])
        sign = 1 if winner in (int(g.declarer), int(g.partner)) else -1
        last = self.last_cards(winner)
        if g.called >= 0 and 8 * int(g.called) + 7 in last:
            value += 10 * sign
        elif T1 in last:
            value += 25 * sign
        return value + (10 if mine.bit_count() == 4 else -10 if opp.bit_count() == 4 else 0)

    def last_cards(self, winner: int) -> list[int]:
        """The last N cards of the last winner's pile: talon cards, if the called king has just won them."""
        g = self.g
        pile = [int(c) for c in g.plays[48 - self.players :]]
        king = 8 * int(g.called) + 7
        if g.rest_won and king in pile and winner == self.player_of(king):
            pile += [int(c) for c in g.talon if int(c) not in ids_in(g.taken)]
        return pile[-self.players :]

    def player_of(self, card: int) -> int:
        """Who played a card to the last trick."""
        g = self.g
        return (int(g.leaders[g.trick_no - 1]) + [int(c) for c in g.plays[48 - self.players :]].index(card)) % self.players


def compare(players: int, hands: int, seed: int = 0) -> tuple[Counter[str], Counter[str], list[str]]:
    """Play `hands` deals; contracts played, known slips met, and disagreements (empty if all is well)."""
    contracts: Counter[str] = Counter()
    slips: Counter[str] = Counter()
    wrong: list[str] = []
    rng = random.Random(seed)
    for i in range(hands):
        pair = Pair(players, seed * 1_000_003 + i)
        try:
            pair.play(rng)
        except Disagreement as error:
            wrong.append(f"deal {seed * 1_000_003 + i}: {error}")
        contracts[pair.engine.ruleset.contracts[int(pair.g.contract)].id] += 1
        slips += pair.slips
    return contracts, slips, wrong


def main() -> int:
    """Print what was compared; 1 if anything unexpected differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, choices=(3, 4), default=4)
    parser.add_argument("--hands", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    contracts, slips, wrong = compare(args.players, args.hands, args.seed)
    print(f"{args.players} players, {sum(contracts.values())} hands: {dict(contracts)}")
    print(f"known slips of OpenSpiel met: {dict(slips)}")
    print(f"disagreements: {len(wrong)}", *wrong[:10], sep="\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
