"""A round to learn a game by: dealt from a fixed order of cards that the player wins with, as a page draws it."""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

from croupier.hall.shown import HandView, ResultView, RowView
from croupier.hall.view import beside_of, hands_of, results_of, rows_of
from croupier.money import MICROS_PER_DOLLAR
from croupier.rules.spec import Game
from croupier.table.log import RoundLog
from croupier.table.replay import NeedsAnswer, RoundState
from croupier.table.setup import TableRules, make_rules

STAKE = 10 * MICROS_PER_DOLLAR
TRIES = 60
"""Orders of cards that are looked at for one that says most."""
MOST_ASKED = 6


@dataclass(frozen=True, kw_only=True)
class ExampleMoment:
    """The table at one moment of the round."""

    rows: list[RowView]
    hands: list[HandView]
    beside: list[RowView]
    question: str
    """What the player is asked then; empty at the end."""
    answer: str
    """What they say, as the button has it."""


@dataclass(frozen=True, kw_only=True)
class ExampleRound:
    """A round from the deal to the payment."""

    moments: tuple[ExampleMoment, ...]
    results: list[ResultView]
    stake: int
    net: int


@lru_cache(64)
def example_round(game_id: str, day: date) -> ExampleRound:
    """The first of some rounds that the player wins and is asked something in; else the last of them."""
    from croupier.rules import find_game  # as the key of what is remembered is the id

    game = find_game(game_id)
    rules = make_rules(game, day=day)
    rounds = []
    for seed in range(TRIES):
        example = _played(rules, game, seed)
        rounds.append(example)
        if example.net > 0 and 1 + game.is_decided <= len(example.moments) <= 1 + MOST_ASKED // 2:
            return example
    return max(rounds, key=lambda played: (len(played.moments) > 1, played.net))


def _played(rules: TableRules, game: Game, seed: int) -> ExampleRound:
    draws = random.Random(f"{game.id}/{seed}")
    cards = list(range(game.declared.deck_size)) * rules.decks
    draws.shuffle(cards)
    log = RoundLog(rules, [{game.first_wager.id: STAKE}])
    moments = []
    for _ in range(MOST_ASKED):
        state = log.go_on(lambda *_: cards.pop())
        need = state.need
        if not isinstance(need, NeedsAnswer):
            break
        question = game.declared.question(need.question)
        answer = _plain_answer(question.words, need)
        moments.append(_moment(state, question.text, question.choice(answer).label))
        log.steps.append(answer)
    state = log.go_on(lambda *_: cards.pop())
    while isinstance(state.need, NeedsAnswer):
        log.steps.append(game.declared.question(state.need.question).default_of(state.need.legal))
        state = log.go_on(lambda *_: cards.pop())
    results = results_of(state, 1)
    moments.append(_moment(state, "", ""))
    return ExampleRound(
        moments=tuple(moments),
        results=results,
        stake=STAKE,
        net=sum(result.returned - result.staked for result in results),
    )


def _plain_answer(words: tuple[str, ...], need: NeedsAnswer) -> str:
    """The lowest that stays in: a stand, a raise that is not the largest, no insurance."""
    for word in ("decline", "keep", "stand", "first"):
        if word in need.legal:
            return word
    staying = [word for word in words if word in need.legal and word not in ("fold", "surrender", "insure")]
    return staying[0] if staying else need.legal[0]


def _moment(state: RoundState, question: str, answer: str) -> ExampleMoment:
    return ExampleMoment(
        rows=rows_of(state.rules.game.declared, state),
        hands=hands_of(state, 1, results_of(state, 1), is_own=True),
        beside=beside_of(state, 1, is_own=True),
        question=question,
        answer=answer,
    )
