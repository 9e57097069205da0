"""Side wagers that a house lets die with a folded hand, and what they come to then.

Whether one dies is asked of the round itself: it is run once with a seat that folds, and what it settles is looked at.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np

from croupier.exact import tree_sheet
from croupier.exact.decide import SIDE, TREE_WAGER, evaluate
from croupier.exact.keep import kept
from croupier.exact.outcomes import Distribution
from croupier.kernels.bets import LOSE
from croupier.kernels.declaration import FIRST_TABLE_PLACE, Round
from croupier.kernels.link import link, plain
from croupier.kernels.rounds import find_round
from croupier.kernels.sets import EMPTY_SET, add_to_set
from croupier.rules.choice import Choice, choose


@dataclass
class _FoldedRound:
    """A round that nobody looks at: the cards come as they lie, and the seat folds as soon as it may."""

    declared: Round
    dealt: int = 0
    own: int = 0
    """Cards of the seat when it folds."""
    gives_up: bool = False
    dead: set[int] = field(default_factory=set)
    """Moments at which nothing is left to settle."""

    def draw(self, world: Any, table: Any, place: int) -> tuple[int, Any]:
        self.dealt += 1
        self.own += place < FIRST_TABLE_PLACE and not self.gives_up
        return self.dealt - 1, world

    def deal(self, world: Any, table: Any, place: int, count: int) -> tuple[int, Any]:
        hand = EMPTY_SET
        for _ in range(count):
            card, world = self.draw(world, table, place)
            hand = add_to_set(hand, card)
        return hand, world

    def ask(self, world: Any, table: Any, seat: int, hand: int, question: int, legal: int, sight: int) -> Any:
        to_answer = self.declared.questions[question]
        answers = [number for number in range(len(to_answer.choices)) if legal >> number & 1]
        folds = [number for number in answers if to_answer.gives_up(to_answer.words[number])]
        self.gives_up = self.gives_up or bool(folds)
        return (folds or answers)[0], world

    def settle(self, world: Any, table: Any, seat: int, hand: int, moment: int, own: int, other: int) -> Any:
        if self.gives_up and own == EMPTY_SET:
            self.dead.add(moment)
        return world

    def ignore(self, world: Any, *_: Any) -> Any:
        return world


@lru_cache(maxsize=200)
def folded_round(round: str, rules: Any) -> _FoldedRound:
    """One round of one seat that folds. The last ones are kept, as odds are asked for again and again."""
    declared = find_round(round)
    assert declared is not None
    folded = _FoldedRound(declared)
    effects: dict[str, Any] = {"draw": folded.draw, "deal": folded.deal, "ask": folded.ask, "settle": folded.settle}
    unheard = dict.fromkeys(("stake", "pay", "tell"), folded.ignore)
    run = link(declared.play, plain, effects | unheard)
    run((), None, [0] * declared.memory, declared.stakes(TREE_WAGER), rules)
    return folded


def switch_of_fold(choice: Choice) -> str:
    """The switch by which a folded hand loses the wager too; empty where it lives on, or where nobody folds."""
    declared, bet = choice.game.declared, choice.bet
    fields = [name for name, filled in declared.filled.items() if filled.felt_by == "side wagers"]
    if bet is None or not fields:
        return ""

    def dies_under(rules: Any) -> bool:
        return bet.scene.moment in folded_round(choice.game.round, rules).dead

    rules = choice.game.rules_under(choice.switches, seats=1)
    if not dies_under(rules):
        return ""
    alive = (name for name in fields if not dies_under(rules._replace(**{name: 0})))
    return next((declared.filled[name].switch for name in alive), "")


def note_of_fold(choice: Choice) -> str:
    """What a count of all hands leaves out."""
    switch = switch_of_fold(choice)
    if not switch:
        return ""
    folding = f"{switch} = {choice.switches[switch]}: a folded hand loses this wager too"
    if is_played_out(choice):
        return f"{folding}; counted with every hand played as is best for the {choice.game.first_wager.name}"
    return f"{folding}; the figures hold for a player who folds no hand that would win it"


def is_played_out(choice: Choice) -> bool:
    """Whether deals are counted with the folds in them: where a wager that dies with a folded hand is decided by cards
    that nobody has seen by then, and the tree can count it."""
    declared, bet = choice.game.declared, choice.bet
    if bet is None or not switch_of_fold(choice) or declared.exact != "tree" or declared.sight_tells_all:
        return False
    return bet.scene.own_cards > folded_round(choice.game.round, choice.game.rules_under(choice.switches, seats=1)).own


def distribution_after_folds(choice: Choice) -> Distribution | None:
    """Outcomes of a wager that dies with a folded hand, the main game played best; None where all hands count."""
    if not is_played_out(choice):
        return None
    bet, declared = choice.bet, choice.game.declared
    assert bet is not None
    main = choose(choice.game, choice.game.first_wager.id, decks=str(choice.decks), settings=dict(choice.switches))
    rules = declared.decisive(choice.game.rules_under(choice.switches, seats=1))
    side = (bet, bet.pack(choice.switches))
    game = replace(tree_sheet.game_of(main), rules=rules, side=side)

    def count() -> tuple[Any, ...]:
        sheet = tree_sheet.solved_sheet(main, cap=0.0, total_dependent=False, progress=None, keep=True)
        played = evaluate(game, sheet.decided.tables)
        often = [played.endings.get((SIDE, name), (Fraction(0),))[0] * played.deals for name in ("lose", *bet.outcomes)]
        ways = np.array([int(number) for number in often], np.int64)
        return (ways // np.gcd.reduce(ways),)

    identity = hashlib.sha256(repr((rules, game.deck, sorted(game.pays.items()), side[1])).encode())
    name = f"after-fold-{choice.bet_name}-{identity.hexdigest()[:16]}"
    (ways,) = kept(name, [evaluate, declared.play, bet.classify], count)
    counts = {outcome: int(number) for outcome, number in enumerate(ways, LOSE) if number}
    return Distribution(counts, sum(counts.values()))
