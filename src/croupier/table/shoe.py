"""Shoes for live play: shuffled by the operating system's cryptographic generator, without bias.

A sealed shoe is shuffled from a seed instead. Its commitment, a hash of the seed, is shown before the first card; the
seed is revealed when the shoe is done, and anybody can then shuffle the same cards by it and compare.
"""

from __future__ import annotations

import hashlib
import os
import secrets
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, count
from struct import unpack
from typing import Any, Literal

from croupier.cards import DECK_SIZE
from croupier.errors import IllegalActionError, unknown

Shuffle = Literal["fresh", "cut_card", "continuous"]
"""A freshly shuffled shoe every round; a shoe played down to a cut card; a continuous shuffler, into which the cards of
every round go back."""

SEED_BYTES = 32
ALL_NUMBERS = 2**64


def shuffle_for(allowed: Sequence[Shuffle], shuffle: Shuffle | None = None) -> Shuffle:
    """How a table shuffles: as it asks, or by a cut card if it asks for nothing. `allowed` are the letter's ways."""
    if shuffle is not None and shuffle not in allowed:
        raise unknown("shuffle", shuffle, allowed, " of this game")
    return shuffle or ("cut_card" if "cut_card" in allowed else allowed[0])


def shuffle(cards: list[int], below: Callable[[int], int]) -> None:
    """Fisher-Yates in place; `below(n)` gives a number from 0 to n - 1, each with the same chance."""
    for last in range(len(cards) - 1, 0, -1):
        pick = below(last + 1)
        cards[last], cards[pick] = cards[pick], cards[last]


def below_from(blocks: Iterator[bytes]) -> Callable[[int], int]:
    """Numbers below a bound out of random bytes. Values that would favor small numbers are thrown away."""
    draw: Callable[[], int] = chain.from_iterable(unpack(f">{len(block) // 8}Q", block) for block in blocks).__next__

    def below(bound: int) -> int:
        value = draw()
        while value >= ALL_NUMBERS - bound and value >= ALL_NUMBERS - ALL_NUMBERS % bound:
            value = draw()
        return value % bound

    return below


def system_blocks() -> Iterator[bytes]:
    """Bytes of the operating system's cryptographic generator."""
    while True:
        yield os.urandom(1024)


def seed_blocks(seed: bytes) -> Iterator[bytes]:
    """Bytes that follow from a seed: SHA-256 of the seed and a counter."""
    for counter in count():
        yield hashlib.sha256(seed + counter.to_bytes(8, "big")).digest()


def commitment_of(seed: bytes) -> str:
    """What is shown before the first card of a sealed shoe."""
    return hashlib.sha256(b"croupier sealed shoe" + seed).hexdigest()


def sealed_order(decks: int, seed: bytes, deck_size: int = DECK_SIZE) -> list[int]:
    """The order a seed shuffles so many decks into; how a player verifies a shoe."""
    cards = list(range(deck_size)) * decks
    shuffle(cards, below_from(seed_blocks(seed)))
    return cards


@dataclass
class LiveShoe:
    """A shoe in use. Cards leave it one by one; what is left is known to nobody."""

    decks: int
    kind: Shuffle = "cut_card"
    cut: int | None = None
    """Cards dealt before the cut card comes; three quarters of the shoe when left out."""
    buffer: int = 16
    """Continuous shuffler: cards that lie ready in its chute and are not shuffled with the others."""
    sealed: bool = False
    order: list[int] = field(default_factory=list, repr=False)
    used: int = 0
    cut_card_is_out: bool = False
    round_start: int = 0
    """Cards that were gone when the round on the table began; they are in the discard rack."""
    seed: bytes = field(default=b"", repr=False)
    spare: bytes = field(default=b"", repr=False)
    """Seed for the discards, should the shoe run out in a round: known with the order, so a restart deals the same."""
    revealed: list[tuple[str, str]] = field(default_factory=list)
    """Commitment and seed of sealed shoes that are done."""
    blocks: Iterator[bytes] | None = field(default=None, repr=False)
    """Where the order of cards comes from for study; the system's secure generator if left out."""
    deck_size: int = DECK_SIZE
    """Cards of one deck."""

    def __post_init__(self) -> None:
        whole = self.decks * self.deck_size
        if self.cut is None:
            self.cut = whole * 3 // 4
        if not 1 <= self.cut <= whole:
            raise IllegalActionError(f"The cut card cannot lie {self.cut} deep in {whole} cards.", code="bad_cut")
        if self.sealed and self.kind == "continuous":
            raise IllegalActionError(
                "A continuous shuffler cannot be sealed: its order is never finished. Use a shoe.", code="cannot_seal"
            )
        if not self.order:
            self.shuffle()

    @property
    def commitment(self) -> str:
        """Of a sealed shoe; empty for others."""
        return commitment_of(self.seed) if self.sealed else ""

    def shuffle(self) -> None:
        """All cards together, shuffled anew."""
        if self.seed:
            self.revealed.append((self.commitment, self.seed.hex()))
        if self.sealed:
            self.seed = secrets.token_bytes(SEED_BYTES)
            self.order = sealed_order(self.decks, self.seed, self.deck_size)
        else:
            ready = self.used + self.buffer if self.kind == "continuous" and self.order else 0
            chute, others = self.order[self.used : ready], self.order[: self.used] + self.order[ready:]
            others = others if chute else list(range(self.deck_size)) * self.decks
            shuffle(others, below_from(self.blocks or system_blocks()))
            self.order = chute + others
        self.spare = next(self.blocks) if self.blocks else secrets.token_bytes(SEED_BYTES)
        self.used = self.round_start = 0
        self.cut_card_is_out = False

    @property
    def wants_shuffle(self) -> bool:
        """Between rounds: fresh and continuous shuffles after every round, a shoe once the cut card has come out."""
        return self.cut_card_is_out if self.kind == "cut_card" else self.used > 0

    def start_round(self) -> None:
        self.round_start = self.used

    def draw(self) -> int:
        """The next card. A shoe that runs out in a round goes on with the shuffled discards of the rounds before."""
        if self.used == len(self.order):
            discards = self.order[: self.round_start]
            if not discards:
                raise IllegalActionError("Every card of the shoe is on the table.", code="empty_shoe")
            shuffle(discards, below_from(seed_blocks(self.spare)))
            self.spare = hashlib.sha256(self.spare).digest()
            self.order = self.order[self.round_start :] + discards
            self.used -= self.round_start
            self.round_start = 0
        self.used += 1
        assert self.cut is not None
        self.cut_card_is_out = self.cut_card_is_out or self.used >= self.cut
        return self.order[self.used - 1]

    def snapshot(self) -> tuple[object, ...]:
        """All that a draw or a shuffle changes. The order of cards is replaced, never changed in place."""
        shuffled = (self.order, self.seed, self.spare, list(self.revealed))
        return *shuffled, self.used, self.cut_card_is_out, self.round_start

    def restore(self, snapshot: tuple[Any, ...]) -> None:
        self.order, self.seed, self.spare, self.revealed = snapshot[:4]
        self.used, self.cut_card_is_out, self.round_start = snapshot[4:]
