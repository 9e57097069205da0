"""How questions of the blackjack family are sorted for practice: by the parts and cells of their charts."""

from collections.abc import Sequence
from typing import Literal

from croupier.kernels.declaration import Asking, DrillKind, DrillSorting
from croupier.kernels.hands import EMPTY, add_card, is_soft, total_of, value_of

INSURANCE = DrillKind("insurance", "Insurance")
HARD = DrillKind("hard", "Hard hands")
SOFT = DrillKind("soft", "Soft hands")
PAIR = DrillKind("pair", "Pairs")
FIRST_CARD = DrillKind("first_card", "First card")
BY_QUESTION = {
    "switch": DrillKind("switch", "Switch or keep"),
    "flex": DrillKind("flex", "Flex card"),
}
BY_FIRST_HAND = {"zap": DrillKind("zap", "Zap or keep")}
"""Questions about a hand of two cards before it is played: by its total, pairs by their cards."""


def card_name(card: int) -> str:
    """`A`, `2` to `10`, as rows and columns of charts are called."""
    value = value_of(card)
    return "A" if value == 1 else str(value)


def cards_name(cards: Sequence[int]) -> str:
    """`10,6`: the largest card first, aces before all."""
    names = sorted(cards, key=lambda card: (value_of(card) != 1, -value_of(card)))
    return ",".join(card_name(card) for card in names)


def hand_of(cards: Sequence[int]) -> int:
    """The hand of these cards."""
    hand = EMPTY
    for card in cards:
        hand = add_card(hand, card)
    return hand


def row_of_two(cards: Sequence[int]) -> str:
    """`8,8` for a pair; else the total."""
    first, second = cards
    return cards_name(cards) if value_of(first) == value_of(second) else str(total_of(hand_of(cards)))


def cell(asking: Asking) -> tuple[str, str]:
    """The chart that an action stands in, with its row and column; of other questions the cards that decide them."""
    up = card_name(asking.dealer[0])
    own = asking.hands[asking.hand]
    if asking.question in BY_QUESTION:
        rows = (*sorted(map(cards_name, asking.hands)), *(card_name(card) for card in asking.beside))
        return asking.question, f"{'+'.join(rows)}:{up}"
    if asking.question in BY_FIRST_HAND:
        return asking.question, f"{row_of_two(own)}:{up}"
    if asking.question == INSURANCE.id:
        return INSURANCE.id, f"any:{up}"
    if len(own) == 1:
        return FIRST_CARD.id, f"{cards_name(own)}:{up}"
    if "split" in asking.legal:
        return PAIR.id, f"{cards_name(own)}:{up}"
    hand = hand_of(own)
    return (SOFT if is_soft(hand) else HARD).id, f"{total_of(hand)}:{up}"


def sorting(
    asks: Sequence[str], program: Literal["hands", "switch", "flex", "doubles"], *, splits: bool
) -> DrillSorting:
    """The kinds of a round that asks these questions beside action and insurance."""
    before = BY_QUESTION | BY_FIRST_HAND
    first = (FIRST_CARD,) if program == "doubles" else ()
    pairs = (PAIR,) if splits else ()
    return DrillSorting(
        kinds=(*(before[name] for name in asks), *first, HARD, SOFT, *pairs, INSURANCE),
        cell=cell,
    )
