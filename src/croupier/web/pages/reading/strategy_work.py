"""Strategies made apart from the server, of names and texts."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from croupier.errors import RangeError
from croupier.exact.strategy.fresh import flex_values, switch_values
from croupier.exact.strategy.sheet import game_of
from croupier.exact.strategy.solve import solve
from croupier.kernels.declaration import Round
from croupier.kernels.effects import FLEX_CARD, SWITCH_CARDS
from croupier.library.game import game as named
from croupier.reports.strategy.pocket_card import draw_pocket_card
from croupier.reports.strategy.shown import ShownStrategy, shipped_strategy, shown_strategy
from croupier.rules import find_game
from croupier.rules.choice import choose
from croupier.web.pages.reading.sheet_work import SheetAsk, ask_of
from croupier.web.work.process import tell

PICKED = ("c1", "c2", "c3", "c4", "up")
"""Fields of an address for cards that are picked."""
CARDS_PICKED = ("A", *(str(number) for number in range(2, 11)))
SOLVED = 0.9
"""Share of the work that solving is; the rest is what is said of it."""


@dataclass(frozen=True, kw_only=True)
class Picked:
    """What to do with the cards that were picked."""

    cards: tuple[str, ...]
    answers: tuple[tuple[str, float], ...]
    """Label and value, best first: both hands together, for one unit on each."""

    @property
    def gain(self) -> float:
        """What the best answer is worth more than the next."""
        return self.answers[0][1] - self.answers[1][1]


@lru_cache(32)
def strategy_shown(ask: SheetAsk) -> ShownStrategy:
    """The strategy of a main wager."""
    choice = ask.choice()
    if ask == ask_of(choose(choice.game, choice.wager.id), "", effects=False):
        shipped = shipped_strategy(ask.game)
        if shipped is not None:
            return shipped
    solved = named(ask.game).strategy(
        pay_table=ask.pay_table or None,
        decks=ask.decks,
        rules=dict(ask.switches),
        progress=lambda share: tell(SOLVED * share),
    )
    return shown_strategy(solved.sheet)


def pocket_card(ask: SheetAsk, form: Literal["pdf", "png"]) -> bytes:
    """The charts on a card."""
    return draw_pocket_card(find_game(ask.game).short_name, strategy_shown(ask), form)


def pick_cards(ask: SheetAsk, cards: tuple[str, ...]) -> Picked:
    """What each way to go between two hands is worth, from a fresh shoe. The last card is the dealer's up card."""
    choice = ask.choice()
    declared: Round = choice.game.declared
    *own, up = (CARDS_PICKED.index(card) for card in cards)
    solution = solve(game_of(choice), tell)
    if declared.program == "switch":
        values = switch_values(solution, (own[0], own[1]), (own[2], own[3]), up)
        question = declared.questions[SWITCH_CARDS]
    else:
        values = flex_values(solution, (own[0],), (own[1],), (own[2],), up)
        question = declared.questions[FLEX_CARD]
    if values is None:
        raise RangeError("These cards cannot lie so under these rules.", code="bad_field")
    named = ((question.choices[answer].label, value) for answer, value in values.items())
    return Picked(cards=cards, answers=tuple(sorted(named, key=lambda pair: -pair[1])))
