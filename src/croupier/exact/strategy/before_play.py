"""A question of a round's own between the dealer's look for blackjack and the hands: what its answers are worth.

An answer may put money onto a wager that the dealer's hand decides; or what a wager beside the first has won goes onto
the first one. What that is worth depends on the up card and on the first two cards of the seat.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from croupier.cards import DECK_SIZE
from croupier.exact.dealer_table import dealer_line, ends_known, without
from croupier.exact.strategy.charts import CARD_NAMES, UP_CARDS, Grid, hand_name, weights_of
from croupier.exact.strategy.graph import NATURAL_START, START_CARDS, STARTS, hand_graph
from croupier.exact.strategy.result import AskedWager
from croupier.exact.strategy.solve import Solution
from croupier.kernels.bets import find_bet
from croupier.kernels.blackjack import BEFORE_PLAY, BlackjackRules
from croupier.kernels.declaration import Question, Round, RoundWager
from croupier.kernels.effects import DEALER, DEALER_DOWN, DECLINE, HOLE, INSURANCE, LOSE
from croupier.kernels.link import Kernel, link, plain
from croupier.kernels.rows import EMPTY_ROW, row_of
from croupier.kernels.strategy import CLASSES, class_of, pair_index
from croupier.rules.choice import Choice, choose
from croupier.rules.trial import classified

Array = NDArray[Any]
Pays = Mapping[str, float]
"""Profit of each outcome of a wager."""

ANY_HAND, OTHER_HANDS = "any two cards", "any others"


def _in_chart(start: int) -> tuple[bool, list[int]]:
    """Pairs before others, and high cards before low ones."""
    first, second = START_CARDS[start]
    return first != second, [UP_CARDS.index(card) * -1 for card in sorted((first, second), key=UP_CARDS.index)[::-1]]


def question_of(declared: Round) -> Question | None:
    """The question, in rounds that have one; by which a hand is thrown away, the solver of hands decides it itself."""
    own = len(declared.questions) > BEFORE_PLAY and "may_exchange" not in declared.instead
    return declared.questions[BEFORE_PLAY] if own else None


def added_wagers(declared: Round) -> list[RoundWager | None]:
    """For each answer the wager that it puts money onto, if it does."""
    question = question_of(declared)
    return [declared.wager(choice.adds) for choice in question.choices] if question is not None else []


def value_on_dealer(
    wager: RoundWager, pays: Pays, rules: BlackjackRules, left: list[Any], *, endless: bool, up: int
) -> Any:
    """Expected profit of a unit on a wager that the dealer's hand decides, from the cards of each class that nobody has
    seen, the hole card among them. Cards may be arrays, for many shoes at once."""
    assert wager.by_dealer is not None
    value: Any = 0.0
    for total, chance in ends_known(dealer_line(left, endless, up, rules.soft17), rules.peek == 1):
        outcome = wager.by_dealer(total, up + 1)
        value = value + (-1.0 if outcome == LOSE else pays[wager.outcomes[outcome]]) * chance
    return value


@dataclass(frozen=True, kw_only=True)
class BeforePlay:
    """The question solved for a fresh shoe."""

    question: Question
    choice: Choice
    values: Array
    """By up card, first two cards and answer: expected profit of each unit that it adds; not a number where the cards
    cannot lie so."""
    met: Array
    """By up card and first two cards: how often the question comes up so, every wager beside the first being made."""
    dealt: Array
    """The same of the cards alone, the dealer being known to have no blackjack wherever that is asked first; 0 where
    the round does not ask."""
    hands: Array
    """How often each first two cards are dealt, whatever the dealer has."""
    openings: Array
    """Of a wager beside the first: how often each first two cards come to each row that wins. Without one, always."""

    @property
    def best(self) -> Array:
        """The best answer by up card and first two cards; the first of those that are worth the same."""
        return np.asarray(np.argmax(np.nan_to_num(self.values, nan=-np.inf), axis=2))

    @property
    def answers(self) -> Array:
        """The same as a strategy's tables have it."""
        return self.best.astype(np.int8).reshape(-1)

    @property
    def shown(self) -> list[int]:
        return [up for up in UP_CARDS if self.met[up].any()]

    def rows(self) -> dict[str, list[int]]:
        """Rows of a chart: hands that are answered alike under every up card are one, if they are the most."""
        lines: dict[tuple[int, ...], list[int]] = {}
        for start in range(STARTS):
            if self.met[:, start].any():
                lines.setdefault(tuple(self.best[self.shown, start]), []).append(start)
        usual = max(lines.values(), key=len)
        every = sorted((start for line in lines.values() for start in line), key=_in_chart)
        if 2 * len(usual) <= len(every):
            usual = []
        named = {hand_name(START_CARDS[start]): [start] for start in every if start not in usual}
        return named | ({OTHER_HANDS if named else ANY_HAND: usual} if usual else {})

    def chart(self) -> Grid:
        """The letter of an answer is the key that gives it."""
        letters = [choice.key.upper() for choice in self.question.choices]
        return {
            name: {CARD_NAMES[up]: letters[self.best[up, starts[0]]] for up in self.shown}
            for name, starts in self.rows().items()
        }

    def chart_values(self) -> dict[tuple[str, str], Mapping[str, float]]:
        """What each answer is worth in each cell, on average over the hands of its row."""
        worth: dict[tuple[str, str], Mapping[str, float]] = {}
        for name, starts in self.rows().items():
            for up in self.shown:
                weights = self.met[up, starts]
                if weights.any():
                    values = np.average(np.nan_to_num(self.values[up, starts]), axis=0, weights=weights)
                    worth[name, CARD_NAMES[up]] = dict(zip(self.question.words, map(float, values), strict=True))
        return worth

    def asked_wager(self) -> AskedWager | None:
        """The wager that an answer makes, if it has an account of its own."""
        for answer, wager in enumerate(added_wagers(self.choice.game.declared)):
            own = self.choice.game.wager_of_round(wager.id) if wager is not None and wager.is_apart else None
            if own is not None:
                takes, values = self.best == answer, np.nan_to_num(self.values[:, :, answer])
                taken, offered = float(self.met[takes].sum()), float(self.met.sum())
                return AskedWager(
                    wager=own.id,
                    name=own.name,
                    edge=-float((self.met * values).sum()) / offered,
                    taken=taken / offered,
                    edge_taken=-float((self.met * values)[takes].sum()) / taken if taken else None,
                )
        return None


def before_play(
    choice: Choice,
    solution: Solution,
    pay_tables: Mapping[str, str] | None = None,
    left: Sequence[int] | None = None,
) -> BeforePlay | None:
    """The question of a round of this choice, solved; `pay_tables` of other wagers, where they are not the first.
    `left` are the cards of the solution's shoe one by one, where they are not whole decks."""
    declared = choice.game.declared
    question = question_of(declared)
    if question is None:
        return None
    values = np.zeros((CLASSES, STARTS, len(question.choices)))
    dealt, hands = np.zeros((CLASSES, STARTS)), np.zeros(STARTS)
    for up in [up for up in UP_CARDS if solution.game.shoe.cards[up] > 0]:
        chances, lost = weights_of(solution, up)
        looked = solution.game.rules.peek == 1
        shown = float(solution.game.shoe.cards[up] / solution.game.shoe.total) * chances[0]
        hands += shown
        dealt[up] = shown * is_asked_under(declared, solution.game.rules, up) * (1 - lost if looked else 1.0)
        for answer, wager in enumerate(added_wagers(declared)):
            if wager is not None:
                values[up, :, answer] = _values(choice, solution, up, wager, pay_tables or {})
        values[up, chances[0] <= 0] = np.nan
    openings = np.ones((1, STARTS))
    for beside in wagers_beside(declared):
        cards = [choice.decks or 1] * DECK_SIZE if left is None else left
        openings = openings_of(beside, cards, endless=choice.decks is None)[:-1]
    return BeforePlay(
        question=question,
        choice=choice,
        values=values,
        met=dealt * openings.sum(0),
        dealt=dealt,
        hands=hands,
        openings=openings,
    )


def wagers_beside(declared: Round) -> list[RoundWager]:
    """Wagers beside the first that the round itself settles, and whose winnings its question is about."""
    return [wager for wager in declared.wagers if wager.decided_by]


def openings_of(wager: RoundWager, left: Sequence[int], *, endless: bool) -> Array:
    """For each starting hand, how often its cards come to each outcome of a wager on them, losing last; `left` counts
    the cards of the shoe one by one."""
    bet = find_bet(wager.decided_by)
    assert bet is not None
    ways = np.zeros((len(bet.outcomes) + 1, STARTS))
    for first, second in product(range(DECK_SIZE), repeat=2):
        start = pair_index(class_of(first), class_of(second))
        outcome = classified(bet, row_of((first, second)), EMPTY_ROW, 0)
        ways[outcome, start] += left[first] * (left[second] - (first == second and not endless))
    whole = ways.sum(0)
    return np.asarray(np.divide(ways, whole, out=np.zeros_like(ways), where=whole > 0))


class _AskedError(Exception):
    """The round has come to this question."""


@dataclass(frozen=True)
class _Call:
    """A function that linking leaves as it is, with what it remembers."""

    function: Kernel

    def __call__(self, *values: Any) -> Any:
        return self.function(*values)


HOLE_CARD = 4 * 4
"""A five makes no blackjack."""


def is_asked_under(declared: Round, rules: BlackjackRules, up: int) -> bool:
    """Whether the round asks under this up card. It is played until then, with cards that win every wager beside the
    first and a hole card that makes no blackjack."""
    bets = [bet for wager in wagers_beside(declared) if (bet := find_bet(wager.decided_by)) is not None]
    pairs = product(range(DECK_SIZE), repeat=2)
    two = next(pair for pair in pairs if all(bet.classify(row_of(pair), EMPTY_ROW, 0) != LOSE for bet in bets))

    def draw(world: int, table: Any, place: int) -> tuple[int, int]:
        dealers = {DEALER: 4 * up, DEALER_DOWN: 4 * up, HOLE: HOLE_CARD}
        return (dealers[place], world) if place in dealers else (two[world], world + 1)

    def ask(world: int, table: Any, seat: int, hand: int, question: int, legal: int, sight: int) -> tuple[int, int]:
        if question == INSURANCE:
            return DECLINE, world
        raise _AskedError(question)

    effects: dict[str, Any] = dict.fromkeys(("stake", "pay", "settle", "tell"), lambda world, *_: world)
    effects |= {"draw": _Call(draw), "ask": _Call(ask), "returned": lambda *_: 1}
    played = link(declared.play, plain, effects)
    try:
        played(0, None, [0] * declared.memory, declared.stakes(1, 1), rules._replace(seats=1, cap=0))
    except _AskedError as asked:
        return bool(asked.args[0] == BEFORE_PLAY)
    return False


def _of_main(solution: Solution, up: int) -> Array:
    """What the best play of each starting hand is worth once the dealer is known to have no blackjack."""
    values = solution.values[up, 0].max(1)
    if solution.game.rules.peek == 1:
        values = values / (1 - weights_of(solution, up)[1])[0]
    values[NATURAL_START] = solution.game.blackjack_pays
    return np.asarray(values)


def _values(choice: Choice, solution: Solution, up: int, wager: RoundWager, pay_tables: Mapping[str, str]) -> Array:
    """Expected profit of a unit on this wager, for each starting hand."""
    if wager.by_dealer is None:
        return _of_main(solution, up)
    shoe = solution.game.shoe
    counts = hand_graph().counts[hand_graph().starts]
    cards = without([int(number) for number in shoe.cards], up, None if shoe.endless else 1)
    left = [np.maximum(number - (0 if shoe.endless else counts[:, card]), 0.0) for card, number in enumerate(cards)]
    left = [number + np.zeros(STARTS) for number in left]
    pays = pays_of_wager(choice, wager, pay_tables)
    return np.asarray(value_on_dealer(wager, pays, solution.game.rules, left, endless=shoe.endless, up=up))


def pays_of_wager(choice: Choice, wager: RoundWager, pay_tables: Mapping[str, str]) -> Pays:
    """Profit of each outcome of a wager of the round, under the rules of this choice."""
    own = choice.game.wager_of_round(wager.id)
    assert own is not None
    table = choose(choice.game, own.id, pay_table=pay_tables.get(own.id)).pay_table
    return {row.row: float(row.pays.net) for row in table.rows_in_force(choice.switches, choice.decks)}
