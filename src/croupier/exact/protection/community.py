"""What it is worth to know community cards before they are dealt, or what their backs give away. Exact.

For games that the tree decides and in which a seat plays against a pay table, as Mississippi Stud. Every case of what
may be known is decided as a round of its own, and counts by how often it comes.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import product
from math import perm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from croupier.errors import NotComputedError
from croupier.exact import stages, tree
from croupier.exact.by_stages import EFFECTS, KNOWING, Staged, account_stages, decide_stages, find_stages
from croupier.exact.decide import (
    TREE_WAGER,
    OneSeatGame,
    Progress,
    best_of,
    check_refused,
    first_dealt,
    new_tree,
    staged_of,
    whole_sums,
)
from croupier.exact.keep import kept
from croupier.exact.protection import foreseen
from croupier.exact.protection.removal import RANK_NAMES, SUITS
from croupier.exact.protection.sight import Case
from croupier.kernels.declaration import Round
from croupier.kernels.link import compile_cpu
from croupier.kernels.sights import answer_by_sight

Array = NDArray[Any]

MASKED = {name: getattr(foreseen, name) for name in ("choose_card", "advance", "pay")}
BUT_CLUBS = {"canonical_with": foreseen.canonical_but_clubs}


def has_community(declared: Round) -> bool:
    """Whether seats decide against a pay table while community cards are to come."""
    staged = declared.sight_tells_all and declared.answer is answer_by_sight
    return staged and declared.showdown is None and any(place.is_community for place in declared.places)


def community_of(game: OneSeatGame) -> tuple[int, int]:
    """Where community cards go, and how many there are."""
    place = next(place.number for place in game.declared.places if place.is_community)
    return place, game.most_cards - first_dealt(game)


def card_known(game: OneSeatGame, number: int, progress: Progress | None = None) -> tuple[Case, ...]:
    """The seat has seen the so-manyth community card, from 1, before it is asked anything: by its rank."""
    place, count = community_of(game)
    if not 1 <= number <= count:
        raise NotComputedError(f"There is no community card {number}: 1 to {count}.", code="too_many_known")
    every = (1 << len(game.deck.cards)) - 1
    allowed = np.empty((len(RANK_NAMES), count), np.int64)
    for rank in range(len(RANK_NAMES)):
        club = 1 << SUITS * rank
        allowed[rank] = every & ~club
        allowed[rank, number - 1] = club
    times = [SUITS] * len(RANK_NAMES)
    return _cases(game, f"card-{number}", place, allowed, times, list(RANK_NAMES), progress, but_clubs=True)


def backs_known(game: OneSeatGame, ranks: Sequence[str], progress: Progress | None = None) -> tuple[Case, ...]:
    """The backs of some ranks look unlike the others': the seat sees of each community card which it is."""
    place, count = community_of(game)
    marked = sum(1 << number for number, card in enumerate(game.deck.cards) if RANK_NAMES[card >> 2] in ranks)
    rest = (1 << len(game.deck.cards)) - 1 & ~marked
    patterns = list(product((marked, rest), repeat=count))
    names = ["".join("x" if cards == marked else "-" for cards in pattern) for pattern in patterns]
    return _cases(
        game, "backs-" + "".join(ranks), place, np.array(patterns), [1] * len(patterns), names, progress, but_clubs=False
    )


def _cases(
    game: OneSeatGame,
    what: str,
    place: int,
    allowed: Array,
    times: list[int],
    names: list[str],
    progress: Progress | None,
    *,
    but_clubs: bool,
) -> tuple[Case, ...]:
    identity = (game.rules, game.deck, sorted(game.pays.items()), what)
    name = f"foreseen-{game.name}-{hashlib.sha256(repr(identity).encode()).hexdigest()[:16]}"

    def make() -> tuple[Array, ...]:
        totals, first = [], []
        for number, sets in enumerate(allowed):
            sums, answers = _decided(game, place, sets, but_clubs=but_clubs)
            totals.append(sums)
            first.append(answers)
            if progress is not None:
                progress((number + 1) / len(allowed))
        return np.array(totals), np.array(first)

    totals, first = kept(name, [tree, stages, foreseen, game.declared.play, _decided], make)
    rows = [[int(value) for value in whole_sums(total)] for total in totals]
    deals = sum(row[tree.WEIGHT] * often for row, often in zip(rows, times, strict=True))
    if deals != perm(game.deck.total, game.most_cards):
        raise NotComputedError(f"The deals of {game.name} do not add up.", code="ways_mismatch")
    unit = TREE_WAGER * game.scale
    words = game.declared.questions[0].words
    return tuple(
        Case(
            name=of,
            share=Fraction(row[tree.WEIGHT] * often, deals),
            edge=-Fraction(row[tree.PROFIT], row[tree.WEIGHT] * unit),
            answers={
                word: Fraction(int(ways), int(answers.sum())) for word, ways in zip(words, answers, strict=False) if ways
            },
        )
        for of, row, often, answers in zip(names, rows, times, first, strict=True)
        if row[tree.WEIGHT]
    )


def _decided(game: OneSeatGame, place: int, allowed: Array, *, but_clubs: bool) -> tuple[Array, Array]:
    """The sums of all rounds under the best answers, and how often the first question is answered how."""
    staged = _staged(game, place, allowed, but_clubs=but_clubs)
    found = find_stages(staged, lambda share: None)
    sums = decide_stages(staged, found, lambda legal, rows: best_of(legal, rows)[0], lambda done: None)
    answers = [best_of(stage.legal, rows)[0] for stage, rows in zip(found, sums, strict=True)]
    total, reached = account_stages(staged, found, answers)
    often = Counter[int]()
    for answer, ways in zip(answers[0].tolist(), reached[0].tolist(), strict=True):
        often[answer] += ways
    return total, np.array([often[answer] for answer in range(staged.answers)])


def _staged(game: OneSeatGame, place: int, allowed: Array, *, but_clubs: bool) -> Staged:
    """The game's own stages, with fewer cards that can come."""
    usual = staged_of(game)
    known = foreseen.Foreseen(place, allowed)
    cards = len(game.deck.cards)

    def tree_at(level: int) -> tree.Tree:
        walked = new_tree(game, level, known)
        flags = np.zeros(stages.STAGE_FLAGS, np.int64)
        # What can still come depends on what has come: it is multiplied in where a round is done.
        return walked._replace(flags=flags, tails=np.ones_like(walked.tails))

    plain = {"starts": np.arange(cards)[:, None], "weights": np.ones(cards, np.int64)} if but_clubs else {}
    return replace(
        usual,
        run=_linked(game.declared.play, game.name, but_clubs),
        new_tree=tree_at,
        check=lambda walked: check_refused(game, walked),
        **plain,
    )


@cache
def _linked(play: Any, name: str, but_clubs: bool) -> Any:
    effects = {**EFFECTS, **KNOWING, **MASKED, "play": play, **(BUT_CLUBS if but_clubs else {})}
    return compile_cpu(stages.explore_stage, f"foreseen-{name}-{'clubs' if but_clubs else 'all'}", effects)
