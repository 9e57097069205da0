"""What several test files share: coroutines run to their end, cards as (rank, suit) pairs and naive counts on them."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from pathlib import Path
from typing import Any, TypeVar

ROOT = Path(__file__).parent.parent
T = TypeVar("T")


def run_async(work: Coroutine[Any, Any, T]) -> T:
    """What a coroutine returns, in a thread of its own: a browser of other tests has an event loop in this one."""
    with ThreadPoolExecutor(1) as threads:
        return threads.submit(copy_context().run, asyncio.run, work).result()


NaiveCard = tuple[int, int]
"""Rank 0 (ace) to 12 (king), suit 0 to 3."""


def naive_card(card: int) -> NaiveCard:
    return divmod(card, 4)


def naive_deck(decks: int) -> list[NaiveCard]:
    return [(rank, suit) for _ in range(decks) for rank in range(13) for suit in range(4)]


def naive_value(rank: int) -> int:
    """Ace 1, faces 10."""
    return rank + 1 if rank < 9 else 10


def naive_total(ranks: list[int]) -> tuple[int, bool]:
    """Best blackjack total, and whether an ace counts 11 in it."""
    hard = sum(naive_value(rank) for rank in ranks)
    soft = 0 in ranks and hard + 10 <= 21
    return (hard + 10 if soft else hard), soft


def naive_points(ranks: list[int]) -> int:
    """Baccarat points."""
    return sum(naive_value(rank) for rank in ranks) % 10
