"""What it is worth to know a card of the dealer, a card of the board, or both, where two own cards and a board meet a
hidden hand: Ultimate Texas Hold'em, Texas Hold'em Bonus. Exact.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from croupier.errors import NotComputedError
from croupier.exact.decide import TREE_WAGER, OneSeatGame, Progress
from croupier.exact.keep import kept
from croupier.exact.protection.foreseen import canonical_but_clubs
from croupier.exact.protection.known_dealer import compare_knowing, exchange_but_clubs, rank_knowing
from croupier.exact.protection.removal import RANK_NAMES, SUITS
from croupier.exact.protection.sight import Case
from croupier.exact.showdown import compare, settlement
from croupier.exact.showdown.board import BoardInputs, EarlyAnswers, answer_streets, board_of, exchanges, streets_of
from croupier.exact.showdown.nodes import NOBODY_ASKS, tree_of
from croupier.exact.showdown.paths import declared_showdown
from croupier.exact.showdown.strengths import Cards, boards_of
from croupier.exact.showdown.threads import part_of, unheard
from croupier.kernels.sets import bit_of

Array = NDArray[np.int64]

KNOWING = (
    ("canonical_with", canonical_but_clubs),
    ("exchange_of", exchange_but_clubs),
    ("rank_board", rank_knowing),
    ("compare_board", compare_knowing),
)


def on_board_known(game: OneSeatGame, number: int, progress: Progress | None = None) -> tuple[Case, ...]:
    """The seat has seen the so-manyth card of the board, from 1, before it is asked anything."""
    _check(game, number)

    def make(tell: Progress) -> tuple[Array, Array]:
        return _worth(board_of(game, part_of(tell, 0, 0.1), number), part_of(tell, 0.1, 1))

    return (_case(game, "any card", 1, *_kept(game, f"board-{number}", make, progress)),)


def dealer_known(game: OneSeatGame, number: int = 0, progress: Progress | None = None) -> tuple[Case, ...]:
    """The seat has seen one of the dealer's cards, and the so-manyth card of the board besides; by the dealer's card."""
    _check(game, number)
    tell = progress or unheard
    ranks = sorted({card // SUITS for card in game.deck.cards})
    cases = []
    for at, rank in enumerate(ranks):

        def make(hear: Progress, rank: int = rank) -> tuple[Array, Array]:
            return _worth(_board_knowing(game, rank, number), hear)

        hears = part_of(tell, at / len(ranks), (at + 1) / len(ranks))
        sums = _kept(game, f"dealer-{rank}-{number}", make, hears)
        cases.append(_case(game, RANK_NAMES[rank], len(ranks), *sums))
    return tuple(cases)


def _check(game: OneSeatGame, number: int) -> None:
    board = declared_showdown(game).board
    if not 0 <= number <= board:
        raise NotComputedError(f"There is no community card {number}: 1 to {board}.", code="too_many_known")


def _kept(
    game: OneSeatGame, what: str, make: Callable[[Progress], tuple[Array, ...]], progress: Progress | None
) -> tuple[Array, ...]:
    identity = (game.rules, game.deck, sorted(game.pays.items()), what)
    name = f"known-{game.name}-{hashlib.sha256(repr(identity).encode()).hexdigest()[:16]}"
    sources = [compare, settlement, game.declared.play, _board_knowing]
    return kept(name, sources, lambda: make(progress or unheard))


def _board_knowing(game: OneSeatGame, rank: int, number: int) -> BoardInputs:
    """Boards, own hands and dealers beside a club of that rank, which is the dealer's."""
    usual = board_of(game, known=number)
    known = bit_of(SUITS * rank)
    places = np.array([place for place in usual.cards.places.tolist() if place != known], np.int64)
    cards = Cards(usual.cards.deck & ~(1 << known), places)
    boards, ways = boards_of(cards, usual.tree.board, KNOWING[:1])
    streets = usual.tree.streets
    forms = [boards_of(cards, street, KNOWING[:1])[0] if street else np.zeros(1, np.int64) for street in streets]
    return BoardInputs(
        game,
        usual.tree,
        cards,
        boards,
        ways,
        cards.total - usual.tree.board - 2,
        usual.examples,
        usual.settled,
        streets_of(usual.tree, forms),
        forms,
        KNOWING,
    )


def _worth(board: BoardInputs, progress: Progress) -> tuple[Array, Array]:
    """What all rounds come to, and how many there are; in how many the first question is answered how."""
    answered = answer_streets(board, progress)
    every = len(board.cards.exchanges(exchanges()[0]))
    profit = sum(max(column) for column in answered.worth.T.tolist())
    return np.array([profit // every, board.total], np.int64), _first_answers(board, answered)


def _first_answers(board: BoardInputs, answered: EarlyAnswers) -> Array:
    tree = board.tree
    first = next(number for number, node in enumerate(tree.nodes) if node.question != NOBODY_ASKS)
    street = tree.nodes[first].street
    often = np.zeros(1 + max(child.answer for child in tree.nodes[first].children), np.int64)
    forms, ways = boards_of(board.cards, street, board.changes[:1]) if street else (np.zeros(1, np.int64), np.ones(1, int))
    hands = np.array([1 << low | 1 << high for high in range(compare.DECK_PLACES) for low in range(high)], np.int64)
    for form, times, best in zip(forms, ways, answered.best[first], strict=True):
        is_dealt = (hands & form == 0) & (hands & ~board.cards.deck == 0)
        often += times * np.bincount(best[is_dealt], minlength=len(often))
    return often


def _case(game: OneSeatGame, name: str, cases: int, sums: Array, answers: Array) -> Case:
    profit, deals = sums.tolist()
    question = next(node.question for node in tree_of(game).nodes if node.question != NOBODY_ASKS)
    words = game.declared.questions[question].words
    total = int(answers.sum())
    return Case(
        name=name,
        share=Fraction(1, cases),
        edge=-Fraction(profit, deals * TREE_WAGER * game.scale),
        answers={words[answer]: Fraction(ways, total) for answer, ways in enumerate(answers.tolist()) if ways},
    )
