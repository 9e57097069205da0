"""What a counter can take from a wager: effects of removal, counts, and what each yields on real shoes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import fsum, isinf, sqrt

import numpy as np
from numpy.typing import NDArray

from croupier.errors import NotComputedError, RangeError, unknown
from croupier.exact.apart import apart_edge_left
from croupier.exact.left_cards import full_left
from croupier.exact.odds import OddsSheet, compute_odds
from croupier.exact.protection.counts import (
    Count,
    best_count,
    correlation,
    followed,
    gain_per_true_count,
    named_counts,
)
from croupier.exact.protection.played import removal_of_played
from croupier.exact.protection.removal import Removal, SecondOrder, effects_of_removal, removal_by_rank, second_order
from croupier.exact.protection.sets import removal_of_sets
from croupier.exact.protection.terms import Terms, terms_of
from croupier.reports.protection.layout import lay_out
from croupier.reports.simulation.compare import Wish, prepare
from croupier.rules.choice import Choice
from croupier.simulate.counted_shoes import (
    CHUNK_SHOES,
    DEPTH_CARDS,
    GAIN,
    Watch,
    Watched,
    Yield,
    best_trigger,
    watch_shoes,
    yield_of,
)
from croupier.simulate.run import Spec

STRICT, ONE_MORE, BURN = "strict", "one_more", "burn"
DEALINGS = {
    STRICT: "the round in which the cut card comes is the last",
    ONE_MORE: "one more round is dealt after the one in which the cut card comes",
    BURN: "the first card is shown and as many as it counts are burned; one more round is dealt after the one in which "
    "the cut card comes",
}
CARDS_OF_ROUND = 18
"""Cards that two hands take where a round does not say how many it takes at most."""
PILOT_SHARE = 5
SHUFFLED_EACH_ROUND = "The cards are shuffled for every round: there is nothing to count."

Tell = Callable[[float], None]
Array = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class Protection:
    """The exact part: what each card that is gone does to a wager."""

    choice: Choice
    odds: OddsSheet
    terms: Terms | None
    """None for a wager on a set of cards, which is dealt from a deck that is shuffled for every round, and for one that
    is made, or decided, while the round is played."""
    removal: Removal
    given: Count | None = None
    """A count that was asked for besides."""

    @property
    def is_dealt_from_a_shoe(self) -> bool:
        return self.terms is not None and "cut_card" in self.choice.game.shuffles

    @property
    def is_made_in_play(self) -> bool:
        """Whether it is made, or decided, while a round is played from a shoe."""
        return self.terms is None and "cut_card" in self.choice.game.shuffles

    @cached_property
    def second_order(self) -> SecondOrder | None:
        """Of wagers that ask how cards are suited or paired, more than one deck being left of each card."""
        bet = self.choice.bet
        if self.terms is None or bet is None or self.removal.decks < 2 or self.removal.differs_by_suit:
            return None
        asks = bet.suits != "none" or not any(self.removal.by_rank)
        return second_order(self.terms, self.removal) if asks else None

    @cached_property
    def counts(self) -> tuple[Count, ...]:
        """Counts to look at, each as one uses it for this wager."""
        best = best_count(self.removal)
        wanted = [self.given] if self.given is not None else []
        known = {count.id: count for count in (*named_counts(self.choice.wager.id), *wanted)}
        named = [followed(count, self.removal) for count in known.values()]
        return (*named, *([replace(best, id="best", name="Best count")] if best else []))


def protection_of(choice: Choice, given: Count | None = None) -> Protection:
    """Effects of removal of a wager, exact; a count may be asked for besides those that are known."""
    if choice.decks is None:
        raise NotComputedError(
            "Infinite decks are never used up: no card that is gone changes anything. Choose 1 to 8 decks.",
            code="nothing_to_count",
        )
    is_apart = choice.game.is_apart(choice.wager)
    if choice.bet is None and not is_apart:
        raise NotComputedError(
            f'"{choice.wager.id}" of {choice.game.id} depends on how it is played: effects of removal are computed for '
            "wagers that the cards alone decide. Choose a side wager.",
            code="depends_on_play",
        )
    if choice.pay_table.cover_all:
        raise NotComputedError(
            f'"{choice.wager.id}" goes by the best hand on the table: effects of removal are computed for wagers that '
            "one hand decides. Choose another wager.",
            code="depends_on_play",
        )
    odds = compute_odds(choice)
    profits = {outcome: row.net for row in odds.rows if row.row for outcome in row.row.paid_outcomes}
    terms, removal = _removal(choice, choice.decks, profits)
    expected = sum((row.returned for row in odds.rows), Fraction(0))
    if removal.value != expected or (removal.total != 0 and not is_apart):
        raise NotComputedError(
            f'Effects of removal of "{choice.wager.id}" contradict its odds: {float(removal.value)} for a fresh shoe, '
            f"not {float(expected)}; they add up to {float(removal.total)}.",
            code="removal_mismatch",
        )
    return Protection(choice=choice, odds=odds, terms=terms, removal=removal, given=given)


def _removal(choice: Choice, decks: int, profits: dict[str, Fraction]) -> tuple[Terms | None, Removal]:
    bet = choice.bet
    if bet is None:
        return None, removal_by_rank(decks, lambda gone: -apart_edge_left(choice, full_left(decks, gone)))
    if bet.scene.follows_play:
        return None, removal_of_played(choice, decks, profits)
    if bet.scene.is_set:
        return None, removal_of_sets(bet, choice.bet_name, bet.pack(choice.switches), profits)
    terms = terms_of(choice, bet, profits)
    return terms, effects_of_removal(terms, decks)


@dataclass(frozen=True, kw_only=True)
class CounterYield:
    """A counter, and what comes of it."""

    count: Count
    trigger: float | None
    result: Yield
    desirability: float
    """Jacobson's index: 1000 times the mean win of a round, over the deviation of the fresh shoe times the root of how
    often the bet is made."""

    @property
    def never_bets(self) -> bool:
        """Whether no true count was found from which on it gains."""
        return self.trigger is not None and isinf(self.trigger)


@dataclass(frozen=True, kw_only=True)
class Depth:
    """A cut, and what would be taken behind it."""

    cut: int
    rounds: float
    """Of a shoe."""
    per_shoe: tuple[float, ...]
    """Of each counter."""


@dataclass(frozen=True, kw_only=True)
class Study:
    """The simulated part: what counters take from real shoes."""

    protection: Protection
    cut: int
    dealing: str
    seed: int
    counters: tuple[CounterYield, ...]
    """The counts, then the linear estimate, then perfect play."""
    depths: tuple[Depth, ...]
    ran_out: int
    """Shoes that ended because their cards did."""
    gains: Mapping[str, Array]
    """By counter: what each chunk of shoes came to."""

    @property
    def shoes(self) -> int:
        return self.counters[0].result.shoes

    @property
    def perfect(self) -> CounterYield:
        return self.counters[-1]


LINEAR = Count(id="linear", name="Linear estimate", tags=())
PERFECT = Count(id="perfect", name="Perfect play", tags=())


def dealing_of(choice: Choice, wanted: str | None) -> str:
    """How a shoe is dealt around its cut card."""
    if wanted is None:
        return BURN if choice.game.declared.burns_by_first_card else ONE_MORE
    if wanted not in DEALINGS:
        raise unknown("dealing", wanted, DEALINGS)
    return wanted


def deepest_cut(choice: Choice, dealing: str) -> int:
    """So many cards may be dealt before the cut card comes: enough are left for the last round."""
    cards = (choice.decks or 1) * choice.game.declared.deck_size
    most_of_round = choice.game.declared.most_cards or CARDS_OF_ROUND
    return cards - most_of_round * (1 if dealing == STRICT else 2)


def cut_of(choice: Choice, wanted: int | None, dealing: str) -> int:
    """Cards dealt before the cut card comes; as deep as it may lie in baccarat, else five sixths of the shoe."""
    cards = (choice.decks or 1) * choice.game.declared.deck_size
    deepest = deepest_cut(choice, dealing)
    if wanted is None:
        usual = cards - 14 if choice.game.declared.burns_by_first_card else cards * 5 // 6
        return min(usual, deepest)
    if not 1 <= wanted <= deepest:
        raise RangeError(
            f"A cut card after {wanted} of {cards} cards cannot be used: 1 to {deepest}, so that enough cards are left "
            "for the last round.",
            code="bad_cut",
        )
    return wanted


def study(
    protection: Protection,
    *,
    settings: Mapping[str, str],
    cut: int | None = None,
    dealing: str | None = None,
    shoes: int,
    seed: int,
    threads: int = 1,
    progress: Tell | None = None,
) -> Study:
    """Deals shoes as at a table; the same seed gives the same figures with any number of threads."""
    choice = protection.choice
    if not protection.is_dealt_from_a_shoe:
        raise NotComputedError(f"{choice.game.name}: {SHUFFLED_EACH_ROUND}", code="nothing_to_count")
    how = dealing_of(choice, dealing)
    depth = cut_of(choice, cut, how)
    spec = _spec(choice, settings)
    counts = protection.counts
    chunks = -(-shoes // CHUNK_SHOES)
    tell = progress or (lambda share: None)
    watch = _watch(protection, counts, [count.trigger or 0.0 for count in counts], depth, how)
    if any(count.trigger is None for count in counts):
        pilot_chunks = max(chunks // PILOT_SHARE, 1)
        pilot = watch_shoes(
            spec, watch, seed + 1, pilot_chunks, threads=threads, progress=lambda share: tell(share / PILOT_SHARE)
        )
        triggers = [
            count.trigger if count.trigger is not None else best_trigger(pilot, number)
            for number, count in enumerate(counts)
        ]
        watch = watch._replace(triggers=np.array(triggers, float))
    watched = watch_shoes(
        spec,
        watch,
        seed,
        chunks,
        threads=threads,
        progress=lambda share: tell(1 / PILOT_SHARE + share * (1 - 1 / PILOT_SHARE)),
    )
    return _study(protection, watched, watch, depth, how, seed)


def _spec(choice: Choice, settings: Mapping[str, str]) -> Spec:
    wish = Wish(
        decks=str(choice.decks),
        settings=settings,
        pay_tables={choice.wager.id: choice.pay_table.id},
        wagers=(choice.wager.id,),
    )
    return prepare(choice.game, wish).spec


def _watch(protection: Protection, counts: tuple[Count, ...], triggers: list[float], cut: int, dealing: str) -> Watch:
    removal = protection.removal
    assert protection.terms is not None
    cards = 52 * removal.decks
    return Watch(
        wager=lay_out(protection.terms),
        tags=np.array([count.tags for count in counts], float).reshape(len(counts), 13),
        by_suit=np.array([count.by_suit for count in counts], np.int64),
        triggers=np.array(triggers, float),
        effects=np.array([float(effect * (cards - 1)) for effect in removal.by_card]),
        value=float(removal.value),
        cut=cut,
        extra_rounds=0 if dealing == STRICT else 1,
        burns=dealing == BURN,
    )


def _study(protection: Protection, watched: Watched, watch: Watch, cut: int, dealing: str, seed: int) -> Study:
    all_counts = (*protection.counts, LINEAR, PERFECT)
    triggers: list[float | None] = [*(float(trigger) for trigger in watch.triggers), None, None]
    deviation = protection.odds.standard_deviation
    counters = []
    for number, (count, trigger) in enumerate(zip(all_counts, triggers, strict=True)):
        result = yield_of(watched, number)
        index = 10 * result.per_100 / (deviation * sqrt(result.frequency)) if result.frequency else 0.0
        counters.append(CounterYield(count=count, trigger=trigger, result=result, desirability=index))
    return Study(
        protection=protection,
        cut=cut,
        dealing=dealing,
        seed=seed,
        counters=tuple(counters),
        depths=_depths(watched, len(all_counts), cut),
        ran_out=round(fsum(watched.shoes[:, 3])),
        gains={count.id: watched.counters[:, number, GAIN] for number, count in enumerate(all_counts)},
    )


def _depths(watched: Watched, counters: int, cut: int) -> tuple[Depth, ...]:
    """The same shoes under every cut before theirs: a round is dealt if it would have begun."""
    shoes = fsum(watched.shoes[:, 0])
    steps = [
        [fsum(watched.depths[:, row, step]) for step in range(watched.depths.shape[2])] for row in range(counters + 1)
    ]
    last = min(-(-cut // DEPTH_CARDS), watched.depths.shape[2])
    return tuple(
        Depth(
            cut=min(DEPTH_CARDS * step, cut),
            rounds=fsum(steps[-1][:step]) / shoes,
            per_shoe=tuple(fsum(steps[row][:step]) / shoes for row in range(counters)),
        )
        for step in range(1, last + 1)
    )


def count_figures(count: Count, removal: Removal) -> dict[str, float]:
    """How well a count follows the wager, and from which true count on it should be good."""
    gain = gain_per_true_count(count, removal)
    return {
        "betting_correlation": correlation(count.tags, removal),
        "gain_per_true_count": gain,
        "break_even_true_count": -float(removal.value) / gain if gain > 0 else float("inf"),
    }
