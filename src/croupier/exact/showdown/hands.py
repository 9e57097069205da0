"""Own cards against a hidden hand, without a board."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import comb
from os import cpu_count
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.errors import NotComputedError
from croupier.exact.decide import TREE_WAGER, OneSeatGame, Played, Progress, account_of, whole_sums
from croupier.exact.keep import is_kept, kept
from croupier.exact.showdown import hand_classes, scan, settlement, subset_counts, suit_counts
from croupier.exact.showdown.charts import chart_of, steps_by_strength
from croupier.exact.showdown.hand_values import values_of
from croupier.exact.showdown.paths import EFFECTS, declared_showdown, new_showing
from croupier.exact.showdown.result import Counted
from croupier.exact.strategy.charts import Grid
from croupier.exact.strategy.result import Followed
from croupier.exact.tree import PLAIN_SUMS
from croupier.kernels.declaration import RuleOfThumb
from croupier.kernels.link import Kernel, compile_cpu
from croupier.kernels.sets import JOKER, JOKER_CARD, set_of
from croupier.kernels.sights import SightTables, key_of

Array = NDArray[Any]

LOOKED_AT = 0.1
"""Seconds between two looks at how far the threads are."""
LISTED, COUNTED = 0.1, 0.9
"""Shares of the work, for a progress bar: listing hands, counting against them."""


@dataclass(frozen=True, kw_only=True)
class CountedHands(Counted):
    """A round of hands under the best answers."""

    hands: scan.Hands
    answers: Array = field(repr=False)
    votes: Array = field(repr=False)
    worth: Array = field(repr=False)
    legal: Array = field(repr=False)

    @cached_property
    def tables(self) -> SightTables:
        """Of sights in a row that are answered alike the last: who looks for a sight finds the next that there is."""
        met = int(np.count_nonzero(self.answers != scan.NOT_MET))
        keys, values = np.zeros(met, np.int64), np.zeros(met, np.int64)
        read = linked_scan(self.game, scan.read_sights, "sights", {})
        read(self.hands, new_showing(self.game), self.answers, keys, values)
        order = np.argsort(keys)
        keys, values = keys[order], values[order]
        last = np.append(values[1:] != values[:-1], True)
        return SightTables(key_of(keys[last], 0), values[last])

    @cached_property
    def charts(self) -> dict[str, Grid]:
        question = self.game.declared.questions[0]
        grid = chart_of(self.game, self.hands, self.votes)
        return {question.id: grid}

    @cached_property
    def followed(self) -> tuple[Followed, ...]:
        """The best rule by strength alone, and the rules that people know."""
        unit = deals_of(self.game) * TREE_WAGER * self.game.scale
        words, worth = steps_by_strength(self.game, self.hands, self.worth, self.legal)
        edges = [("by_strength", words, -Fraction(worth, unit))]
        edges += [(rule.id, rule.text, self._edge_by(rule)) for rule in self.game.declared.rules_of_thumb]
        return tuple(Followed(id, text, float(edge), float(edge - self.edge)) for id, text, edge in edges)

    def _edge_by(self, rule: RuleOfThumb) -> Fraction:
        def make() -> tuple[Array, ...]:
            answers = self.answers.copy()
            follow = linked_scan(self.game, scan.follow_rule, f"rule-{rule.id}", {"answer_by_rule": rule.answer})
            follow(self.hands, new_showing(self.game), answers)
            return (_scanned(self.game, answers, None)[4],)

        (sums,) = kept(f"{_kept_name(self.game)}-{rule.id}", [*_sources(self.game), rule.answer], make, ships=True)
        return Played(**account_of(self.game, whole_sums(sums), deals_of(self.game))).edge

    def values_at(self, question: int, sight: int) -> Mapping[int, Fraction]:
        return values_of(self.game, sight, self.hands)


def count(game: OneSeatGame, progress: Progress | None = None, *, keep: bool = True) -> CountedHands:
    """The best answers, and what they come to."""

    def make() -> tuple[Array, ...]:
        return _scanned(game, None, progress)

    arrays = kept(_kept_name(game), _sources(game), make, ships=True) if keep else make()
    answers, votes, worth, legal, sums, flags, own, strengths, weights = arrays
    hands = _hands_of(game, own, strengths, weights, own, strengths)
    return CountedHands(
        **account_of(game, whole_sums(sums), deals_of(game)),
        ties=int(flags[scan.TIES]),
        hands=hands,
        answers=answers,
        votes=votes,
        worth=worth,
        legal=legal,
    )


def is_counted_already(game: OneSeatGame) -> bool:
    """Whether `count` would find it on disk."""
    return is_kept(_kept_name(game), _sources(game))


def deals_of(game: OneSeatGame) -> int:
    """In how many ways the cards of a round can lie, where the order within a hand does not matter."""
    showdown, cards = declared_showdown(game), game.deck.total
    return comb(cards, showdown.own) * comb(cards - showdown.own, showdown.up) * _hidden_ways(game)


def _hidden_ways(game: OneSeatGame) -> int:
    showdown = declared_showdown(game)
    return comb(game.deck.total - showdown.own - showdown.up, showdown.hidden)


def _kept_name(game: OneSeatGame) -> str:
    identity = (game.rules, game.deck, sorted(game.pays.items()))
    return f"showdown-{game.name}-{hashlib.sha256(repr(identity).encode()).hexdigest()[:16]}"


def _sources(game: OneSeatGame) -> list[Any]:
    return [hand_classes, scan, settlement, subset_counts, suit_counts, game.declared.play, _scanned]


def _deck_of(game: OneSeatGame) -> int:
    """The deck as a set; all suits have to be alike in it."""
    deck = set_of(game.deck.cards)
    ranks = [card >> 2 for card in game.deck.cards if card != JOKER_CARD]
    if any(number != 1 for number in game.deck.counts) or any(ranks.count(rank) != 4 for rank in ranks):
        raise NotComputedError(f"{game.name} is counted for one deck with four suits alike.", code="one_deck_only")
    return deck


def _by_strength(strength: Kernel, name: str, sets: Array, *others: Array) -> tuple[Array, ...]:
    """Hands from the weakest to the strongest, with their strengths and what else is known of them."""
    strengths = np.zeros(len(sets), np.int64)
    compile_cpu(_rank_all, f"strengths-{name}", {"strength_of": strength})(sets, strengths)
    order = np.argsort(strengths, kind="stable")
    return (sets[order], strengths[order], *(other[order] for other in others))


def strength_of(cards: int) -> int:
    """A round's strength, put in when linked."""
    raise NotImplementedError("linked with a round's strength before use")


def _rank_all(sets: Any, strengths: Any) -> None:
    for number in range(len(sets)):
        strengths[number] = strength_of(sets[number])


def _hands_of(
    game: OneSeatGame, own: Array, strengths: Array, weights: Array, dealers: Array, dealer_strengths: Array
) -> scan.Hands:
    showdown = declared_showdown(game)
    starts = np.flatnonzero(np.append(True, strengths[1:] != strengths[:-1]))
    return scan.Hands(
        own=own,
        weights=weights,
        strengths=strengths,
        groups=np.append(starts, len(own)).astype(np.int64),
        dealers=dealers,
        dealer_strengths=dealer_strengths,
        qualifies=showdown.qualifies,
        has_up=showdown.up,
        deck=_deck_of(game),
        total=_hidden_ways(game),
        follows=0,
    )


def linked_scan(game: OneSeatGame, function: Kernel, what: str, replace: Mapping[str, Kernel]) -> Any:
    play = game.declared.play
    return compile_cpu(function, f"showdown-{what}-{game.name}", {**EFFECTS, "play": play, **replace})


class Prepared(NamedTuple):
    """A game's hands, ready to be scanned."""

    hands: scan.Hands
    weights_of_own: tuple[Array, Array, Array]
    """The seat's hands as sets, with strengths and weights."""
    counts: Any
    """Of the dealer's hands nothing is counted yet."""
    replace: dict[str, Kernel]
    """What the scan is linked with."""


def prepared(game: OneSeatGame, known: int | None = None) -> Prepared:
    """Lists all hands of a game in which the seat knows so many of the dealer's cards; as many as he shows if that is
    left out."""
    showdown, deck = declared_showdown(game), _deck_of(game)
    known = showdown.up if known is None else known
    size = showdown.up + showdown.hidden
    own, strengths, weights = _by_strength(showdown.strength, game.name, *hand_classes.hand_classes(deck, showdown.own))
    dealers, dealer_strengths, dealer_weights = own, strengths, weights
    dealer_strength = showdown.dealer_strength or showdown.strength
    if size != showdown.own or showdown.dealer_strength:
        dealers, dealer_strengths, dealer_weights = _by_strength(
            dealer_strength, f"dealer-{game.name}", *hand_classes.hand_classes(deck, size)
        )
    way: Any = suit_counts if showdown.by_suit else subset_counts
    replace: dict[str, Kernel] = {"add_below": way.add_below, "count_below": way.count_below}
    if showdown.by_suit:
        counts: Any = suit_counts.new_counts(deck, showdown.strength, size)
    else:
        replace["strength_of_dealer"] = dealer_strength
        listed = (dealers, dealer_strengths, dealer_weights)
        counts = subset_counts.new_counts(deck, listed, showdown.qualifies, size, showdown.own + max(known - 1, 0))
    hands = _hands_of(game, own, strengths, weights, dealers, dealer_strengths)
    return Prepared(hands, (own, strengths, weights), counts, replace)


def _scanned(game: OneSeatGame, given: Array | None, progress: Progress | None) -> tuple[Array, ...]:
    """The scan of a whole game, in threads: with the answers that are given, or the best ones."""
    tell = progress or unheard
    showdown = declared_showdown(game)
    tell(0.0)
    hands, of_own, counts, replace = prepared(game)
    hands = hands._replace(follows=int(given is not None))
    way: Any = suit_counts if showdown.by_suit else subset_counts
    run = linked_scan(game, scan.scan, "scan", replace)
    tell(LISTED)
    unmet = np.full((len(hands.own), JOKER.bit_length() if showdown.up else 1), scan.NOT_MET, np.int8)
    answers = unmet if given is None else given
    groups = len(hands.groups) - 1
    votes = np.zeros((groups, scan.UP_RANKS if showdown.up else 1, scan.MOST_ANSWERS), np.int64)
    worth, legal = np.zeros((groups, scan.MOST_ANSWERS), np.int64), np.zeros(groups, np.int64)
    edges = parts_of(hands, cpu_count() or 1)
    parts = [
        scan.ScanResult(
            answers=answers,
            votes=votes,
            worth=worth,
            legal=legal,
            sums=np.zeros((PLAIN_SUMS + 2 * len(game.endings), 2), np.int64),
            flags=np.zeros(3, np.int64),
        )
        for _ in edges[1:]
    ]
    with ThreadPoolExecutor(len(parts)) as pool:
        jobs = [
            pool.submit(run, hands, way.another(counts), new_showing(game), new_settled(), part, first, last)
            for part, first, last in zip(parts, edges, edges[1:], strict=False)
        ]
        while wait(jobs, LOOKED_AT).not_done:
            tell(LISTED + COUNTED * sum(int(part.flags[scan.DONE]) for part in parts) / len(hands.own))
        for job in jobs:
            job.result()
    if any(part.flags[scan.UNEXPECTED] for part in parts):
        raise NotComputedError(f"{game.name} asks not just one question, so its hands cannot be counted.")
    flags: Array = sum((part.flags for part in parts), np.zeros(3, np.int64))
    sums: Array = sum((part.sums for part in parts), np.zeros_like(parts[0].sums))
    return answers, votes, worth, legal, sums, flags, *of_own


def unheard(share: float) -> None:
    """Progress that nobody asked for."""


def parts_of(hands: scan.Hands, number: int) -> list[int]:
    """Strengths at which the work is divided: about as many hands each."""
    goals = [len(hands.own) * part // number for part in range(number + 1)]
    return sorted({int(np.searchsorted(hands.groups, goal)) for goal in goals})


def new_settled() -> scan.StrengthSettlement:
    of_each = (scan.CLASSES_OF_DEALER, scan.MOST_ANSWERS)
    return scan.StrengthSettlement(
        profit=np.zeros(of_each, np.int64),
        put=np.zeros(of_each, np.int64),
        endings=np.zeros(of_each, np.int64),
        ended=np.zeros((*of_each, scan.MOST_ENDINGS, 2), np.int64),
        cuts=np.zeros(scan.CLASSES_OF_DEALER + 1, np.int64),
        counts=np.zeros(scan.CLASSES_OF_DEALER, np.int64),
        chosen=np.zeros(of_each, np.int64),
    )
