"""Questions of a round whose sights are too many to list: those that come up in a fixed sample of deals."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from random import Random

from croupier.exact.decide import Decision, OneSeatGame
from croupier.exact.showdown.paths import declared_showdown, in_plain_numbers, linked_plain, new_showing
from croupier.exact.showdown.result import Counted
from croupier.exact.showdown.settlement import ASKED, LEGAL, LOWEST_LEGAL, QUESTION, SIGHT
from croupier.kernels.sets import bit_of, set_of

SAMPLED_DEALS = 256
SEED = 1


def sampled_decisions(game: OneSeatGame, counted: Counted) -> tuple[Decision, ...]:
    """What is asked in `SAMPLED_DEALS` deals under the best answers, in order of question and sight.

    Every deal is as likely as any other, and they are the same at every call. A question weighs as much as the share of
    these deals in which it is asked.
    """
    chance = Random(SEED)
    often: Counter[tuple[int, int]] = Counter()
    answers: dict[tuple[int, int], int] = {}
    for _ in range(SAMPLED_DEALS):
        cards = chance.sample(game.deck.cards, len(game.deck.cards))
        for question, sight, answer in _asked(game, counted, cards):
            often[question, sight] += 1
            answers[question, sight] = answer
    return tuple(
        Decision(
            question=question,
            sight=sight,
            answer=answers[question, sight],
            weight=Fraction(often[question, sight], SAMPLED_DEALS),
            values=dict(counted.values_at(question, sight)),
        )
        for question, sight in sorted(often)
    )


def _asked(game: OneSeatGame, counted: Counted, cards: list[int]) -> list[tuple[int, int, int]]:
    """The questions of one deal with their sights, answered as well as can be."""
    showdown, declared = declared_showdown(game), game.declared
    own, cards = cards[: showdown.own], cards[showdown.own :]
    up, cards = cards[: showdown.up], cards[showdown.up :]
    hidden, board = cards[: showdown.hidden], cards[showdown.hidden :][: showdown.board]
    hands = set_of(own), set_of(up), set_of(hidden)
    showing = in_plain_numbers(new_showing(game, hands, [bit_of(card) for card in board]))
    run = linked_plain(declared.play)
    answered: list[tuple[int, int, int]] = []
    showing.path[0] = LOWEST_LEGAL
    run(showing)
    while showing.flags[ASKED] > len(answered):
        row = showing.asked[len(answered)]
        question, sight, legal = row[QUESTION], row[SIGHT], row[LEGAL]
        answer = declared.answer(counted.tables, [], [], game.rules, sight, 0, 0, question, legal)
        showing.path[len(answered)] = answer
        answered.append((question, sight, int(answer)))
        run(showing)
    return answered
