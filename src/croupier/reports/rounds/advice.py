"""Advice at a table: the exact value of every legal answer, from the cards that lie open."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from croupier.cards import DECK_SIZE, RANKS
from croupier.errors import NotComputedError
from croupier.exact.played import estimates_at, values_at, values_at_hand
from croupier.exact.strategy import advice
from croupier.exact.strategy.fresh import fresh_values
from croupier.exact.strategy.sheet import game_of, is_at_hand, net_pays, pays_of
from croupier.exact.strategy.solve import solve
from croupier.kernels.blackjack import BASE, BEFORE_PLAY, STAKE, hands_of_base, may_have_blackjack, slot
from croupier.kernels.declaration import Question, RoundWager
from croupier.kernels.effects import ACTION, DOUBLE, FLEX_CARD, INSURANCE, SWITCH_CARDS
from croupier.kernels.hands import EMPTY, add_card, is_blackjack
from croupier.kernels.holdem import board_cards, own_cards
from croupier.kernels.sets import cards_of
from croupier.kernels.strategy import CLASSES, class_of, played_for
from croupier.money import MICROS_PER_DOLLAR
from croupier.reports.strategy.shown import shipped_strategy
from croupier.rules.choice import Choice, choose
from croupier.table.events import Answered, CardDealt, CardsTurned
from croupier.table.replay import NeedsAnswer, RoundState

Array = NDArray[Any]


@dataclass(frozen=True)
class Advised:
    """One legal answer and what it is worth."""

    answer: str
    value: float
    """Expected profit for each unit of the wager in question."""
    dollars: float
    """The same in dollars, for the full amount."""
    best: bool


def advise(state: RoundState, seen_before: Sequence[int] = ()) -> list[Advised]:
    """Every legal answer to the question on the table, best first.

    `seen_before` are the cards of earlier rounds that have not been shuffled in again.
    """
    need = state.need
    if not isinstance(need, NeedsAnswer):
        raise NotComputedError("Nobody is asked anything, so there is nothing to advise.")
    return ADVISERS.get(state.rules.game.declared.exact, _by_sight)(state, need, seen_before)


Basis = Literal["exact", "fresh", "estimate"]
"""What values stand on that are there at once: the cards seen, a fresh shoe, or a sample of the dealer's hands."""


@dataclass(frozen=True)
class QuickAdvice:
    """What can be said before the exact values are computed."""

    lines: list[Advised]
    basis: Basis
    error: float = 0.0
    """Dollars: the largest standard error, of an estimate."""


def quick_advice(state: RoundState, seen_before: Sequence[int] = ()) -> QuickAdvice | None:
    """Values that need nothing compiled: of a solution that is at hand, or estimated. None where there are none."""
    need = state.need
    if not isinstance(need, NeedsAnswer):
        return None
    return QUICK_ADVISERS.get(state.rules.game.declared.exact, _quickly_by_sight)(state, need, seen_before)


def _quickly_by_cards(state: RoundState, need: NeedsAnswer, seen_before: Sequence[int]) -> QuickAdvice | None:
    """In the blackjack family: from a fresh shoe, where its solution is at hand."""
    rules = state.rules
    choice = rules.placed[rules.first_wager]
    asked = rules.game.declared.question(need.question)
    question = rules.game.declared.questions.index(asked)
    if (added := _added(asked, state)) and all(wager.is_apart for wager in added):
        return QuickAdvice(_by_cards(state, need, seen_before), "exact")
    if not is_at_hand(choice):
        return None
    values = fresh_values(solve(game_of(choice)), question, sight_of(state, need, seen_before))
    if values is None or any(asked.words.index(name) not in values for name in need.legal):
        return None
    worth = {name: values[asked.words.index(name)] for name in need.legal}
    return QuickAdvice(_as_advice(worth, _asked_amount(state, need, question)), "fresh")


QUICK_ADVISERS = {"blackjack": _quickly_by_cards}
"""By the recipe that proves a game, as `ADVISERS`; others go by what a seat sees."""


def _quickly_by_sight(state: RoundState, need: NeedsAnswer, seen_before: Sequence[int]) -> QuickAdvice | None:
    rules = state.rules
    choice = rules.placed[rules.first_wager]
    asked = rules.game.declared.question(need.question)
    question = rules.game.declared.questions.index(asked)
    if _binding_cap(state, need):
        return None
    stake = state.stakes[need.seat - 1][rules.first_wager]
    if (holding := _values_of_holding(choice, need)) is not None:
        return QuickAdvice(_as_advice(holding, stake), "exact")
    if (known := values_at_hand(choice, question, need.sight)) is not None:
        return QuickAdvice(
            _as_advice({name: float(known[asked.words.index(name)]) for name in need.legal}, stake), "exact"
        )
    estimates = estimates_at(choice, need.sight)
    if estimates is None:
        return None
    named = {name: estimates[asked.words.index(name)] for name in need.legal}
    error = max(error for _, error in named.values()) * stake / MICROS_PER_DOLLAR
    return QuickAdvice(_as_advice({name: value for name, (value, _) in named.items()}, stake), "estimate", error)


def _values_of_holding(choice: Choice, need: NeedsAnswer) -> dict[str, float] | None:
    """Before the flop, where the chart of holdings came with the package: two cards are all that a seat sees."""
    usual = choose(choice.game, choice.wager.id)
    shown = shipped_strategy(choice.game.id) if choice.game.declared.exact == "showdown" else None
    if shown is None or (choice.pay_table, choice.decks, choice.switches) != (
        usual.pay_table,
        usual.decks,
        usual.switches,
    ):
        return None
    chart = next((part for part in shown.charts if part.id == need.question and part.kind == "holdings"), None)
    if chart is None or board_cards(need.sight):
        return None
    first, second = sorted(cards_of(own_cards(need.sight)), key=lambda card: (card >> 2) or len(RANKS), reverse=True)
    names = [RANKS[first >> 2], RANKS[second >> 2]]
    row, column = names if first & 3 == second & 3 else reversed(names)  # suited above the diagonal
    line = next(line for line in chart.rows if line.name == row)
    values = line.cells[chart.columns.index(column)].values
    return {name: values[name] for name in need.legal} if set(need.legal) <= set(values) else None


def _as_advice(values: Mapping[str, float], stake: int) -> list[Advised]:
    best = max(values.values())
    ordered = sorted(values.items(), key=lambda pair: -pair[1])
    return [Advised(name, value, value * stake / MICROS_PER_DOLLAR, value == best) for name, value in ordered]


def _by_sight(state: RoundState, need: NeedsAnswer, seen_before: Sequence[int]) -> list[Advised]:
    """Where the round is dealt from whole decks and says what a seat sees, the value is that of all such deals."""
    rules = state.rules
    question = rules.game.declared.question(need.question)
    number = rules.game.declared.questions.index(question)
    stake = state.stakes[need.seat - 1][rules.first_wager]
    worth = values_at(rules.placed[rules.first_wager], number, need.sight, _binding_cap(state, need))
    values = {name: float(worth[question.words.index(name)]) for name in need.legal}
    return _as_advice(values, stake)


def _binding_cap(state: RoundState, need: NeedsAnswer) -> int:
    """The limit for a single wager in first wagers, where it takes answers away, now or later; else 0."""
    rules = state.rules
    choices = rules.game.declared.question(need.question).choices
    is_limited = len(need.legal) < len(choices) and rules.game.declared.limit_binds_later
    return rules.cap // state.stakes[need.seat - 1][rules.first_wager] if is_limited and rules.cap is not None else 0


def _by_cards(state: RoundState, need: NeedsAnswer, seen_before: Sequence[int]) -> list[Advised]:
    """In the blackjack family, from the cards that lie open."""
    declared = state.rules.game.declared
    asked = declared.question(need.question)
    question = declared.questions.index(asked)
    sight = sight_of(state, need, seen_before)
    values = {
        INSURANCE: advice.insurance_values,
        ACTION: advice.action_values,
        SWITCH_CARDS: advice.switch_values,
        FLEX_CARD: advice.flex_values,
        BEFORE_PLAY: advice.before_play_values,
    }[question](sight)
    stake = _asked_amount(state, need, question)
    return _as_advice({name: values[asked.words.index(name)] for name in need.legal}, stake)


ADVISERS = {"blackjack": _by_cards}
"""By the recipe that proves a round; in all others a sight says all that a seat knows."""


def _added(asked: Question, state: RoundState) -> list[RoundWager]:
    """The wagers that answers put money onto."""
    wagers = (state.rules.game.declared.wager(choice.adds) for choice in asked.choices)
    return [wager for wager in wagers if wager is not None]


def _asked_amount(state: RoundState, need: NeedsAnswer, question: int) -> int:
    """The amount that answers are worth so much a unit of: what one would add, or what lies on the hand."""
    asked = state.rules.game.declared.questions[question]
    return need.most if _added(asked, state) else _stake(state, need, question)


def _stake(state: RoundState, need: NeedsAnswer, question: int) -> int:
    staked = state.stake_on(need.seat - 1, need.hand - 1) if question == ACTION else state.stake_on(need.seat - 1, 0)
    return staked or state.stakes[need.seat - 1][state.rules.first_wager]  # the house puts up as much


def sight_of(state: RoundState, need: NeedsAnswer, seen_before: Sequence[int] = ()) -> advice.Sight:
    """What the seat that is asked can see."""
    rules = state.rules.kernel_rules(state.stakes)
    cards = np.full(DECK_SIZE, float(state.rules.decks))
    for card in (*_open_cards(state, need.seat), *seen_before):
        cards[card] -= 1
    ranks = cards.reshape(-1, 4).sum(1)
    unseen = np.append(ranks[: CLASSES - 1], ranks[CLASSES - 1 :].sum())
    hands = state.seats[need.seat - 1]
    hand = hands[need.hand - 1]
    stake = _stake(state, need, ACTION)
    beside = [card for _, row in state.beside(need.seat - 1, need.seat - 1) for card in row if card is not None]
    return advice.Sight(
        round=state.rules.game.round,
        rules=rules._replace(cap=0),
        pays=pays_of(state.rules.placed[state.rules.first_wager]) | _insurance_pays(state),
        unseen=unseen,
        up=class_of(state.dealer[0]),
        hand=tuple(class_of(card) for card in hand),
        other=tuple(class_of(card) for card in hands[1]) if len(hands) > 1 else (),
        beside=tuple(class_of(card) for card in beside),
        same_rank_unseen=float(ranks[hand[0] >> 2]) if hand and rules.split_by_rank == 1 else None,
        hands_of_pair=_hands_of_pair(state, need),
        played_for=_played_for(state, need),
        suited_share=_suited_share(cards, hand),
        doubles_left=rules.max_doubles - _doubles_made(state, need) if rules.max_doubles else None,
        cap=rules.cap / stake if rules.cap else 0.0,
        looked=rules.peek == 1 or not may_have_blackjack(state.dealer[0]),
    )


def _played_for(state: RoundState, need: NeedsAnswer) -> int:
    """What lies on the hand that is asked about."""
    staked = state.memory[slot(need.seat - 1, need.hand - 1) + STAKE]
    return played_for(staked, state.stakes[need.seat - 1][state.rules.first_wager])


def _insurance_pays(state: RoundState) -> dict[str, float]:
    apart = (wager.id for wager in state.rules.game.wagers if state.rules.game.is_apart(wager))
    return {row: pays for id in apart for row, pays in net_pays(state.rules.placed[id].rows).items()}


def _suited_share(unseen: Array, hand: list[int]) -> float:
    """Of the unseen cards that make a blackjack of a hand of one card, those of its suit; 0 where there are none."""
    if len(hand) != 1:
        return 0.0
    making = [card for card in range(DECK_SIZE) if is_blackjack(add_card(add_card(EMPTY, hand[0]), card))]
    suited = [card for card in making if card & 3 == hand[0] & 3]
    whole = unseen[making].sum() if making else 0.0
    return float(unseen[suited].sum() / whole) if whole else 0.0


def _open_cards(state: RoundState, seat: int) -> list[int]:
    """Every card of this round that the seat has seen."""
    seen = state.seen_events(seat)
    dealt = [event.card for event in seen if isinstance(event, CardDealt) and event.card is not None]
    return dealt + [card for event in seen if isinstance(event, CardsTurned) for card in event.cards]


def _doubles_made(state: RoundState, need: NeedsAnswer) -> int:
    """How often the seat has doubled; asked only where it has one hand."""
    question = state.rules.game.declared.questions[ACTION]
    answers = [event for event in state.events if isinstance(event, Answered) and event.seat == need.seat]
    doubled = [event for event in answers if event.answer.partition(":")[0] == question.words[DOUBLE]]
    return sum(event.question == question.id for event in doubled)


def _hands_of_pair(state: RoundState, need: NeedsAnswer) -> int:
    """Hands that stem from the same starting hand as the one asked about."""
    base = state.memory[slot(need.seat - 1, need.hand - 1) + BASE]
    return hands_of_base(state.memory, need.seat - 1, base)


def advice_lines(advised: list[Advised]) -> list[str]:
    """Each answer with its value, the best one marked."""
    width = max(len(line.answer) for line in advised)
    return [
        f"{line.answer:{width}}  {line.value:+.5f} a unit  {line.dollars:+.2f} dollars{'  best' if line.best else ''}"
        for line in advised
    ]
