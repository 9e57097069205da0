"""Advice at a table: the exact value of every legal answer, from the cards that lie open."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from croupier.cards import DECK_SIZE
from croupier.errors import NotComputedError
from croupier.exact.decide import Decided, decide
from croupier.exact.strategy import advice
from croupier.exact.strategy.sheet import net_pays, pays_of
from croupier.exact.tree_sheet import game_of, rules_compared
from croupier.kernels.blackjack import BASE, hands_of_base, may_have_blackjack, slot
from croupier.kernels.effects import ACTION, DOUBLE, FLEX_CARD, INSURANCE, SWITCH_CARDS
from croupier.kernels.hands import EMPTY, add_card, is_blackjack
from croupier.kernels.strategy import CLASSES, class_of
from croupier.money import MICROS_PER_DOLLAR
from croupier.rules.choice import Choice
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
    return ADVISERS[state.rules.game.declared.exact](state, need, seen_before)


def _as_advice(found: Mapping[str, float], stake: int) -> list[Advised]:
    best = max(found.values())
    ordered = sorted(found.items(), key=lambda pair: -pair[1])
    return [Advised(name, value, value * stake / MICROS_PER_DOLLAR, value == best) for name, value in ordered]


def _by_decision(state: RoundState, need: NeedsAnswer, seen_before: Sequence[int]) -> list[Advised]:
    """Where the round is dealt from whole decks and says what a seat sees, the value is that of all such deals."""
    rules = state.rules
    asked = rules.game.declared.question(need.question)
    number = rules.game.declared.questions.index(asked)
    decided = decided_of(rules.placed[rules.first_wager])
    found = next(one for one in decided.decisions if (one.question, one.sight) == (number, need.sight))
    values = {name: float(found.values[asked.words.index(name)]) for name in need.legal}
    return _as_advice(values, state.stakes[need.seat - 1][rules.first_wager])


@lru_cache(maxsize=64)
def _decided(key: tuple[object, ...], choice: _Held) -> Decided:
    return decide(game_of(choice.choice))


@dataclass(frozen=True)
class _Held:
    """A choice that is told apart by the key beside it."""

    choice: Choice = field(compare=False)


def decided_of(choice: Choice) -> Decided:
    """The round decided; the last ones are at hand."""
    return _decided((choice.game.id, choice.decks, rules_compared(choice)), _Held(choice))


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
    }[question](sight)
    stake = need.most if question == INSURANCE else _stake(state, need, question)
    return _as_advice({name: values[asked.words.index(name)] for name in need.legal}, stake)


ADVISERS = {"blackjack": _by_cards, "tree": _by_decision}
"""By the recipe that proves a round."""


def _stake(state: RoundState, need: NeedsAnswer, question: int) -> int:
    return state.stake_on(need.seat - 1, need.hand - 1) if question == ACTION else state.stake_on(need.seat - 1, 0)


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
    stake = state.stake_on(need.seat - 1, need.hand - 1)
    beside = [card for _, row in state.beside(need.seat - 1, need.seat - 1) for card in row if card is not None]
    return advice.Sight(
        round=state.rules.game.round,
        rules=rules._replace(cap=0),
        pays=pays_of(state.rules.placed[state.rules.first_wager]) | _insurance_pays(state),
        unseen=unseen,
        up=class_of(state.dealer[0]),
        hand=tuple(class_of(card) for card in hand),
        other=tuple(class_of(card) for card in hands[1]) if len(hands) > 1 else (),
        flex=class_of(beside[0]) if beside else -1,
        same_rank_unseen=float(ranks[hand[0] >> 2]) if hand and rules.split_by_rank == 1 else None,
        hands_of_pair=_hands_of_pair(state, need),
        suited_share=_suited_share(cards, hand),
        doubles_left=rules.max_doubles - _doubles_made(state, need) if rules.max_doubles else None,
        cap=rules.cap / stake if rules.cap else 0.0,
        looked=rules.peek == 1 or not may_have_blackjack(state.dealer[0]),
    )


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
    asked = state.rules.game.declared.questions[ACTION]
    answers = [event for event in state.events if isinstance(event, Answered) and event.seat == need.seat]
    doubled = [event for event in answers if event.answer.partition(":")[0] == asked.words[DOUBLE]]
    return sum(event.question == asked.id for event in doubled)


def _hands_of_pair(state: RoundState, need: NeedsAnswer) -> int:
    """Hands that stem from the same starting hand as the one asked about."""
    base = state.memory[slot(need.seat - 1, need.hand - 1) + BASE]
    return hands_of_base(state.memory, need.seat - 1, base)


def advice_lines(advised: list[Advised]) -> list[str]:
    """Each answer with its value, the best one marked."""
    width = max(len(one.answer) for one in advised)
    return [
        f"{one.answer:{width}}  {one.value:+.5f} a unit  {one.dollars:+.2f} dollars{'  best' if one.best else ''}"
        for one in advised
    ]
