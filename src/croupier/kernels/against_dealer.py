"""What poker rounds against a dealer's hand share: who wins, how often the ante is played, rows of cards, words."""

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated

from croupier.kernels.declaration import AnswerChoice, FilledBy, Place, Question
from croupier.kernels.effects import BOARD, DEALER, DEALER_DOWN, LOSE, may_stake
from croupier.kernels.poker_words import beside_words
from croupier.kernels.sets import set_of

WIN, PUSH = range(2)
WIN_OR_PUSH = ("win", "push")
FOLD = 0
"""Every other answer is how many times the ante is played, where that may differ."""
ONCE = 1
FOLD_OR_ONCE = 1 << FOLD | 1 << ONCE


def showdown_outcome(mine: int, theirs: int) -> int:
    """The outcome of a wager on the higher strength."""
    return WIN if mine > theirs else PUSH if mine == theirs else LOSE


def legal_plays(ante: int, most: int, cap: int) -> int:
    """To fold, and to play for the ante or up to so many times as much, as far as the law lets a single wager go."""
    legal = FOLD_OR_ONCE
    for times in range(2, most + 1):
        if may_stake(times * ante, cap):
            legal |= 1 << times
    return legal


# Never compiled: what declarations are put together from.

SideWagersDead = Annotated[int, FilledBy("side_wagers_after_fold", {"dead": 1, "alive": 0}, "side wagers")]
"""A field of a round's rules. 1: side wagers are lost with a folded hand."""

YOUR_HAND = Place(id="seat", label="Your hand", face="owner")
ALL_HIDDEN = (Place(id="dealer", label="Dealer", number=DEALER_DOWN, face="down"), YOUR_HAND)
HIDDEN_AND_BOARD = (ALL_HIDDEN[0], Place(id="board", label="Board", number=BOARD, is_community=True), YOUR_HAND)
ONE_SHOWN = (
    Place(id="dealer", label="Dealer", number=DEALER),
    Place(id="dealer_down", label="Dealer's hidden cards", number=DEALER_DOWN, face="down", row=DEALER),
    YOUR_HAND,
)
COMMUNITY = (Place(id="community", label="Community cards", number=DEALER, is_community=True), YOUR_HAND)

FOLD_CHOICE = AnswerChoice(word="fold", label="Fold", key="f")


def play_or_fold(text: str, *choices: AnswerChoice) -> Question:
    """The question after all cards are dealt; a seat that does not answer folds."""
    return Question(
        id="play_or_fold",
        text=text,
        deciding="decides whether to play",
        choices=(FOLD_CHOICE, *choices),
        default="fold",
    )


PLAY_ONE_TO_THREE_OR_FOLD = play_or_fold(
    "Play, for a wager beside the ante, or fold?",
    *(
        AnswerChoice(word=f"play_{times}x", label=f"Play {times}x", key=str(times), adds="play")
        for times in range(1, 4)
    ),
)


def described(words: Callable[[int], str], ranks: Mapping[int, Callable[[int], int]]) -> Callable[[Sequence[int]], str]:
    """Words for the rank of a hand, `pair of nines`, once it has one of these numbers of cards."""

    def describe(cards: Sequence[int]) -> str:
        return words(ranks[len(cards)](set_of(cards))) if len(cards) in ranks else ""

    return describe


def described_beside(words: Callable[[int], str], rank: Callable[[int], int]) -> Callable[[int, int], str]:
    """Words for a sight with an up card: `pair of nines against an ace`."""
    return lambda question, sight: beside_words(sight, lambda own: words(rank(own)))
