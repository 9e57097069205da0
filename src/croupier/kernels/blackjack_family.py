"""What the rounds of the blackjack family declare alike."""

from collections.abc import Callable, Sequence
from typing import Any, Literal

from croupier.kernels.blackjack import HANDS_SIZE, BlackjackRules
from croupier.kernels.blackjack_drills import hand_of, sorting
from croupier.kernels.declaration import AnswerChoice, Place, Question, Round, RoundWager
from croupier.kernels.effects import DEALER, DEALER_DOWN, HOLE, INSURANCE_OUTCOMES, MAIN_OUTCOMES
from croupier.kernels.hands import is_soft, total_of
from croupier.kernels.link import Kernel, link, plain
from croupier.kernels.scenes import Opening, Scene
from croupier.kernels.strategy import StrategyTables, answer_by_tables, with_known_context

HANDS_PER_DECK = 4
"""More starting hands than this, and a round of many splits could use every card of the shoe."""
MOST_SPLIT = 4
"""Hands that a starting hand is split into at most."""
HANDS_PLACE = Place(id="seat", label="Your hand")
DEALER_PLACES = (
    Place(id="dealer", label="Dealer", number=DEALER),
    Place(id="dealer", label="Dealer", number=DEALER_DOWN, face="down", row=DEALER),
    Place(id="hole", label="Hole card", number=HOLE, face="down", row=DEALER),
)
BLACKJACKS = MAIN_OUTCOMES[: MAIN_OUTCOMES.index("win")]
INSURANCE = RoundWager(
    id="insurance",
    outcomes=INSURANCE_OUTCOMES,
    is_asked=True,
    is_apart=True,
    only_under={"dealer_blackjack": "insurance"},
)
QUESTIONS = (
    Question(
        id="insurance",
        text="Insurance? The dealer shows an ace.",
        deciding="decides about insurance",
        choices=(
            AnswerChoice(word="decline", label="No insurance", key="n"),
            AnswerChoice(word="insure", label="Insure", key="i", adds="insurance", takes_amount=True),
        ),
        default="decline",
        buttons=("insure", "decline"),
    ),
    Question(
        id="action",
        text="Your move.",
        deciding="decides how to play the hand",
        choices=(
            AnswerChoice(word="stand", label="Stand", key="s"),
            AnswerChoice(word="hit", label="Hit", key="h"),
            AnswerChoice(word="double", label="Double", key="d", takes_amount=True, is_paid=True),
            AnswerChoice(word="split", label="Split", key="p", is_paid=True, opens_hand=True),
            AnswerChoice(word="surrender", label="Surrender", key="u", only_under="surrender"),
        ),
        default="stand",
        buttons=("hit", "stand", "double", "split", "surrender"),
    ),
    Question(
        id="flex",
        text="Flex card: which hand gets it?",
        deciding="decides which hand gets the flex card",
        choices=(
            AnswerChoice(word="first", label="First hand", key="1"),
            AnswerChoice(word="second", label="Second hand", key="2"),
            AnswerChoice(word="both", label="Both hands", key="b"),
        ),
        default="first",
        is_of_seat=True,
    ),
    Question(
        id="switch",
        text="Switch the second cards of your two hands?",
        deciding="decides whether to switch cards",
        choices=(
            AnswerChoice(word="keep", label="Keep", key="k"),
            AnswerChoice(word="switch", label="Switch", key="w"),
        ),
        default="keep",
        is_of_seat=True,
        buttons=("switch", "keep"),
    ),
)


def describe(cards: Sequence[int]) -> str:
    """`soft 17`, `12`; 21 is 21, soft or not, and a lone ace is both that it can be."""
    hand = hand_of(cards)
    if is_soft(hand) and len(cards) == 1:
        return "1 or 11"
    return f"soft {total_of(hand)}" if is_soft(hand) and total_of(hand) < 21 else str(total_of(hand))


def counted(cards: Sequence[int]) -> dict[str, Any]:
    hand = hand_of(cards)
    return {"total": total_of(hand), "soft": bool(is_soft(hand))}


def is_bust(cards: Sequence[int]) -> bool:
    return total_of(hand_of(cards)) > 21


def known_of_tables(tables: StrategyTables | None) -> dict[str, Any]:
    """The numbers in a strategy's tables."""
    if tables is None:
        return {}
    return {
        "known_tables": with_known_context,
        "KNOWN_CONTEXTS": tables.contexts,
        "KNOWN_CONTEXT": tables.context,
    }


def openings(cards: int) -> tuple[Scene, ...]:
    """What `settle_opening` and `settle_with_hole` show of a seat's first cards."""
    return tuple(Opening(own_cards=cards, dealer_cards=beside, cards=True) for beside in range(3))


def declare(
    play: Kernel,
    scenes: tuple[Scene, ...],
    *,
    rules: BlackjackRules,
    program: Literal["hands", "switch", "flex", "doubles"] = "hands",
    hands: int = 1,
    most_hands: int = MOST_SPLIT,
    asks: tuple[str, ...] = (),
    places: tuple[Place, ...] = (),
    blackjacks: tuple[str, ...] = ("blackjack",),
    scenes_on_each_hand: Callable[[BlackjackRules, Scene], bool] = lambda rules, scene: False,
    instead: tuple[Kernel, ...] = (),
    memory: int = HANDS_SIZE,
    wagers: tuple[RoundWager, ...] = (),
    outcomes: tuple[str, ...] = (),
    before_play: Question | None = None,
) -> Round:
    """A round of the family: what differs is its play, what it shows to side bets, its hands and its blackjacks.

    `instead` are rules that the round has in the place of those of the same name in `blackjack.py`. They are linked
    into this round alone, so that others are compiled without them. `before_play` is the question BEFORE_PLAY of a
    round with a rule that asks it, whose answer depends on the first two cards and the up card.
    """
    never = tuple(name for name in BLACKJACKS if name not in blackjacks)
    ends = (*MAIN_OUTCOMES, *outcomes)
    main = RoundWager(id="main", outcomes=ends, only_under={"surrender": "surrender"}, never=never)
    own = {rule.__name__: rule for rule in instead}
    own_questions = () if before_play is None else (before_play,)
    asked = ("insurance", "action", *asks, *(question.id for question in own_questions))
    return Round(
        play=link(play, plain, own) if own else play,
        instead=own,
        family="blackjack",
        rules=rules,
        memory=memory,
        places=(*DEALER_PLACES, HANDS_PLACE, *places),
        questions=(*QUESTIONS, *own_questions),
        wagers=(main, INSURANCE, *wagers),
        scenes=scenes,
        hands=hands,
        most_hands=most_hands,
        asks=asked,
        hands_per_deck=HANDS_PER_DECK,
        exact="blackjack",
        program=program,
        describe=describe,
        is_bust=is_bust,
        counted=counted,
        scenes_on_each_hand=scenes_on_each_hand,
        answer=answer_by_tables,
        most_asked=0,
        known_of_tables=known_of_tables,
        drills=sorting(asks, program, splits=most_hands > hands, before_play=before_play),
    )
