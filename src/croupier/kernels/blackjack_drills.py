"""How questions of the blackjack family are sorted for practice: by the parts and cells of their charts."""

from collections.abc import Sequence
from typing import Literal

from croupier.kernels.declaration import Asking, DrillKind, DrillSorting, Question
from croupier.kernels.hands import EMPTY, add_card, is_soft, total_of, value_of

INSURANCE = DrillKind("insurance", "Insurance")
HARD = DrillKind("hard", "Hard hands")
SOFT = DrillKind("soft", "Soft hands")
PAIR = DrillKind("pair", "Pairs")
FIRST_CARD = DrillKind("first_card", "First card")
ACTION = "action"
BY_QUESTION = {
    "switch": DrillKind("switch", "Switch or keep"),
    "flex": DrillKind("flex", "Flex card"),
}
BY_TOTAL = {"zap": DrillKind("zap", "Zap or keep")}
"""Questions before play that go by the total of two cards, pairs by their cards."""


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
    if asking.question in BY_TOTAL:
        return asking.question, f"{row_of_two(own)}:{up}"
    if asking.question == INSURANCE.id:
        return INSURANCE.id, f"any:{up}"
    if asking.question != ACTION:
        return asking.question, f"{cards_name(own)}:{up}"
    if len(own) == 1:
        return FIRST_CARD.id, f"{cards_name(own)}:{up}"
    if "split" in asking.legal:
        return PAIR.id, f"{cards_name(own)}:{up}"
    hand = hand_of(own)
    return (SOFT if is_soft(hand) else HARD).id, f"{total_of(hand)}:{up}"


def kind_of(question: Question) -> DrillKind:
    """The kind of a question of a round's own."""
    return BY_TOTAL.get(question.id) or DrillKind(question.id, question.id.replace("_", " ").capitalize())


def sorting(
    asks: Sequence[str],
    program: Literal["hands", "switch", "flex", "doubles"],
    *,
    splits: bool,
    before_play: Question | None,
) -> DrillSorting:
    """The kinds of a round that asks these questions beside action and insurance."""
    first = (FIRST_CARD,) if program == "doubles" else ()
    pairs = (PAIR,) if splits else ()
    own = () if before_play is None else (kind_of(before_play),)
    return DrillSorting(
        kinds=(*(BY_QUESTION[name] for name in asks), *own, *first, HARD, SOFT, *pairs, INSURANCE),
        cell=cell,
    )
