"""The dealer's outcome table: how the hand ends, by up card and over all, from a fresh shoe, as exact fractions."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from croupier.cards import DECK_SIZE
from croupier.exact.shoe import SUIT_COUNT, Shoe
from croupier.exact.strategy.charts import CARD_NAMES, UP_CARDS
from croupier.exact.strategy.dealer import DEALER_ENDS, FINAL_TOTALS, MOST_DRAWN, dealer_steps
from croupier.exact.strategy.graph import NO_CLASS, RANKS_IN_CLASS, completing
from croupier.kernels.strategy import CLASSES

BLACKJACK = "blackjack"
END_NAMES = (*(str(total) for total in FINAL_TOTALS[:-1]), "23-26", BLACKJACK)


@dataclass(frozen=True, kw_only=True)
class DealerTable:
    """The chance of each of `END_NAMES`; every line adds up to one. A blackjack is no 21."""

    by_up_card: dict[str, tuple[Fraction, ...]]
    overall: tuple[Fraction, ...]


def dealer_table(decks: int | None, soft17: int) -> DealerTable:
    """How the dealer's hand ends; `decks` is None for an endless shoe, `soft17` 1 where soft 17 is hit."""
    shoe = Shoe(decks)
    lines = {up: _line(shoe, up, soft17) for up in UP_CARDS}
    assert all(sum(line) == 1 for line in lines.values())
    ranks = int(RANKS_IN_CLASS.sum())
    overall = tuple(
        sum((Fraction(int(RANKS_IN_CLASS[up]), ranks) * line[end] for up, line in lines.items()), Fraction(0))
        for end in range(len(END_NAMES))
    )
    return DealerTable(by_up_card={CARD_NAMES[up]: line for up, line in lines.items()}, overall=overall)


def _line(shoe: Shoe, up: int, soft17: int) -> tuple[Fraction, ...]:
    def draws(card: int, number: int) -> int:
        return shoe.draws(int(RANKS_IN_CLASS[card]), SUIT_COUNT, number, int(card == up))

    ways = [[draws(card, number) for number in range(MOST_DRAWN)] for card in range(CLASSES)]
    by_size = [[0] * MOST_DRAWN for _ in range(DEALER_ENDS)]
    products = [1] * MOST_DRAWN
    steps, orders = dealer_steps(soft17)[up]
    for (depth, drawn, end), order in zip(steps.tolist(), orders.tolist(), strict=True):
        card, number = divmod(drawn, MOST_DRAWN)
        products[depth] = products[depth - 1] * ways[card][number]
        if order:
            column, cards = divmod(end, MOST_DRAWN)
            by_size[column][cards] += products[depth] * int(order)
    chances = [
        sum((Fraction(ways, _sequences(shoe, cards)) for cards, ways in enumerate(sizes) if ways), Fraction(0))
        for sizes in by_size
    ]
    needed = completing(up)
    blackjack = Fraction(draws(needed, 1), _sequences(shoe, 1)) if needed != NO_CLASS else Fraction(0)
    return (*chances, blackjack)


def _sequences(shoe: Shoe, cards: int) -> int:
    """Ordered draws of so many cards once the up card has gone."""
    return shoe.draws(DECK_SIZE // SUIT_COUNT, SUIT_COUNT, cards, 1)
