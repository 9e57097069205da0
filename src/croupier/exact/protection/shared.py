"""What it is worth to a seat to know more cards than the rules show, where whole hands meet: cards of the dealer, backs
that give ranks away, the hands of other seats.

Every hand that the dealer can still have is compared, so each deal that a seat can be in is valued exactly. Where all
such deals can be gone through, the result is exact; else it is a mean over deals that are drawn from a seed.
"""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from itertools import combinations
from math import comb, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from croupier.errors import NotComputedError
from croupier.exact.decide import TREE_WAGER, OneSeatGame, Progress
from croupier.exact.protection import weighing
from croupier.exact.protection.removal import RANK_NAMES
from croupier.exact.protection.sight import Known, Knowledge
from croupier.exact.showdown import hands as listed
from croupier.exact.showdown.paths import declared_showdown, new_showing
from croupier.exact.showdown.scan import CLASSES_OF_DEALER, MOST_ANSWERS, UNEXPECTED
from croupier.kernels.link import compile_cpu
from croupier.kernels.sets import JOKER_CARD, bit_of, cards_of

Array = NDArray[Any]

MOST_COMPARED = 600_000_000
"""Hands of the dealer that are compared where all deals are gone through."""
MOST_OF_A_DEAL = 3_000_000
"""Hands that the dealer can have in one deal."""
DEALS_OF_CHUNK = 500
COMPARED_OF_SAMPLE = 400_000_000
"""About so many are compared for a mean."""
MOST_DEALS = 400_000


def weighed(game: OneSeatGame, knows: Knowledge, seed: int, progress: Progress | None = None) -> Known:
    """Optimal play of a seat that knows that."""
    work = _Work(game, knows)
    tell = progress or (lambda share: None)
    return work.every(tell) if work.compared <= MOST_COMPARED else work.sample(seed, tell)


class _Work:
    """A game and what is known, ready to be weighed."""

    def __init__(self, game: OneSeatGame, knows: Knowledge) -> None:
        showdown = declared_showdown(game)
        self.game, self.knows = game, knows
        self.known = showdown.up + knows.dealer
        self.missing = showdown.up + showdown.hidden - self.known
        self.own = showdown.own
        self.total = game.deck.total
        cards_seen = self.own * (1 + knows.others) + self.known
        if self.missing < 0 or cards_seen + self.missing > self.total:
            raise NotComputedError(
                f"{game.name} is dealt from {self.total} cards: nobody can know so many.", code="too_many_known"
            )
        self.hands_of_dealer = comb(self.total - cards_seen, self.missing)
        if self.hands_of_dealer > MOST_OF_A_DEAL:
            raise NotComputedError(
                f"The dealer can have {self.hands_of_dealer:,} hands then, too many to compare. Let more seats share.",
                code="too_many_deals",
            )
        ready = listed.prepared(game)
        self.hands = ready.hands
        groups = len(self.hands.groups) - 1
        self.profits = np.zeros((groups, CLASSES_OF_DEALER, MOST_ANSWERS), np.int64)
        self.legal, flags = np.zeros(groups, np.int64), np.zeros(3, np.int64)
        settle = listed.linked_scan(game, weighing.settle_strengths, "settle-strengths", {})
        settle(self.hands, new_showing(game), listed.new_settled(), flags, self.profits, self.legal)
        if flags[UNEXPECTED]:
            raise NotComputedError(f"{game.name} asks not just one question, so its hands cannot be counted.")
        dealer_strength = showdown.dealer_strength or showdown.strength
        self.run = compile_cpu(weighing.weigh_deals, f"weigh-{game.name}", {"strength_of_dealer": dealer_strength})
        self.group_strengths = self.hands.strengths[self.hands.groups[:-1]]
        marked = sum(1 << bit_of(card) for card in cards_of(self.hands.deck) if _name_of(card) in knows.backs)
        seen = min(knows.backs_seen or self.missing, self.missing) if knows.backs else 0
        choose = [[comb(n, k) for k in range(self.missing + 1)] for n in range(self.missing + 1)]
        self.dealers = weighing.Dealers(self.missing, showdown.qualifies, marked, seen, np.array(choose, np.int64))
        self.unit = TREE_WAGER * game.scale

    @property
    def compared(self) -> int:
        """Hands of the dealer in all deals there are, but for exchanges of suits."""
        if self.knows.others:
            return MOST_COMPARED + 1
        return len(self.hands.own) * comb(self.total - self.own, self.known) * self.hands_of_dealer

    def weigh(self, owns: Array, strengths: Array, shown: Array, decks: Array) -> Array:
        found = np.zeros((len(owns), 3), np.int64)
        bench = weighing.Bench(
            left=np.zeros(JOKER_CARD + 1, np.int64),
            places=np.zeros(self.missing + 1, np.int64),
            parts=np.zeros(self.missing + 1, np.int64),
            counts=np.zeros((weighing.GROUPS, CLASSES_OF_DEALER), np.int64),
            cuts=np.zeros(CLASSES_OF_DEALER, np.int64),
        )
        groups = np.searchsorted(self.group_strengths, strengths)
        self.run(owns, groups, strengths, shown, decks, self.profits, self.legal, self.dealers, bench, found)
        return found

    def every(self, tell: Progress) -> Known:
        """All deals, exactly."""
        bits = [1 << place for place in range(JOKER_CARD + 1) if self.hands.deck >> place & 1]
        known = np.array([sum(cards) for cards in combinations(bits, self.known)], np.int64)
        total = np.zeros(3, object)
        for at, own in enumerate(self.hands.own):
            shown = known[known & own == 0]
            owns, strengths = np.full(len(shown), own), np.full(len(shown), self.hands.strengths[at])
            found = self.weigh(owns, strengths, shown, self.hands.deck & ~(own | shown))
            total += found.sum(0).astype(object) * int(self.hands.weights[at])
            if at % 64 == 0:
                tell(at / len(self.hands.own))
        profit, ways, played = (int(value) for value in total)
        return Known(knows=self.knows, edge=-Fraction(profit, ways * self.unit), played=played / ways)

    def sample(self, seed: int, tell: Progress) -> Known:
        """So many deals, the same with any number of threads."""
        chunks = min(max(COMPARED_OF_SAMPLE // self.hands_of_dealer, 4000), MOST_DEALS) // DEALS_OF_CHUNK
        worth, stays = [], []
        with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
            for number, found in enumerate(pool.map(lambda chunk: self._drawn(seed, chunk), range(chunks)), 1):
                worth.append(found[:, weighing.PROFIT] / (found[:, weighing.WAYS] * self.unit))
                stays.append(found[:, weighing.PLAYED] / found[:, weighing.WAYS])
                tell(number / chunks)
        profit = np.concatenate(worth)
        error = float(profit.std()) / sqrt(len(profit))
        played = float(np.concatenate(stays).mean())
        edge = -float(profit.mean())
        return Known(knows=self.knows, edge=edge, error=error, played=played, deals=len(profit))

    def _drawn(self, seed: int, chunk: int) -> Array:
        draws = np.random.Generator(np.random.Philox(key=[seed, chunk]))
        deck = np.array([1 << bit_of(card) for card in cards_of(self.hands.deck)], np.int64)
        cards = draws.permuted(np.tile(deck, (DEALS_OF_CHUNK, 1)), axis=1)
        owns, rest = cards[:, : self.own].sum(1), cards[:, self.own :]
        shown, rest = rest[:, : self.known].sum(1), rest[:, self.known :]
        unseen = rest[:, self.own * self.knows.others :].sum(1)
        strength = declared_showdown(self.game).strength
        strengths = np.array([strength(own) for own in owns.tolist()], np.int64)
        return self.weigh(owns, strengths, shown, unseen)


def _name_of(card: int) -> str:
    return RANK_NAMES[card >> 2] if card != JOKER_CARD else "joker"
