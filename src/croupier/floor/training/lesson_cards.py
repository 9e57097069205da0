"""The cards of a lesson: a round of the real game in which the wanted hand comes."""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import date

from croupier.cards import JOKER_CARD, JOKER_SYMBOL, RANKS, SUIT_SYMBOLS, SUITS, card_words, parse_cards
from croupier.errors import CroupierError
from croupier.floor.proof import evidence_of
from croupier.floor.setup import Floor, JackpotSetup, TableSetup
from croupier.rules import find_game
from croupier.table.events import CardDealt
from croupier.table.numbers import NeedsCard
from croupier.table.replay import NeedsAnswer, RoundState, replay
from croupier.table.setup import make_rules
from croupier.table.shoe import LiveShoe

DAY = date(2025, 3, 1)
STAKE_MICROS = 10_000_000
MOST_TRIES = 10_000

CHOSEN: dict[str, tuple[dict[str, str], ...]] = {
    "other_22": ({"dealer": "Th 6c 6d"}, {"dealer": "9s 4h 9d"}, {"dealer": "Kd 2s Jh"}),
    "suited_22": ({"dealer": "Th 3h 9h"}, {"dealer": "6c 6c Tc"}, {"dealer": "Kd 2d Jd"}),
    "suited_4567_other": ({"dealer": "4h 5h 6h 7h"}, {"dealer": "6d 5d 4d 7d"}, {"dealer": "5c 4c 7c 6c"}),
    "suited_six_cards": (
        {"player": "Kd Qd Td", "dealer": "2d Jd 7d"},
        {"player": "Qs Js Ks", "dealer": "Ts 2s 7s"},
        {"player": "Kc Tc Qc", "dealer": "Jc 2c 7c"},
    ),
}
"""The cards of a row by the id of its place, for hands too rare to wait for; in dealing order."""


@dataclass(frozen=True)
class ShownCard:
    """A card for the page: `7♥`, its suit's letter, and how it is read aloud."""

    text: str
    suit: str
    spoken: str


@dataclass(frozen=True)
class ShownHand:
    name: str
    cards: tuple[ShownCard, ...]


@dataclass(frozen=True)
class PracticeCards:
    """A round as it lies on the table."""

    hands: tuple[ShownHand, ...]
    evidence: str
    row: str
    """Where the jackpot wager ended by the game's own rules; empty in a round that was not finished."""
    side: str = ""
    """Baccarat: the side that won."""


def shown_card(card: int) -> ShownCard:
    if card == JOKER_CARD:
        return ShownCard(JOKER_SYMBOL, "joker", card_words(card))
    rank, suit = RANKS[card >> 2].replace("T", "10"), card & 3
    return ShownCard(rank + SUIT_SYMBOLS[suit], SUITS[suit], card_words(card))


def deal(
    row: str,
    setup: TableSetup,
    floor: Floor,
    seats: tuple[int, ...],
    chance: random.Random,
    *,
    is_misdeal: bool = False,
) -> PracticeCards:
    """A round with chips on these seats, in which the jackpot wager ends on the wanted row."""
    jackpot = floor.jackpots_at(setup)[0]
    for _ in range(MOST_TRIES):
        chosen = chance.choice(CHOSEN.get(row, ({},)))
        state = _round(setup, jackpot, len(seats), {place: parse_cards(cards) for place, cards in chosen.items()})
        ended = {wager.row for wager in state.settled if wager.wager == jackpot.wager}
        if ended == {row}:
            return _shown(state, seats, jackpot.wager, row, is_misdeal=is_misdeal)
    raise CroupierError(f"No round with {row} came up.", code="no_such_round")


def _round(setup: TableSetup, jackpot: JackpotSetup, seats: int, chosen: dict[str, list[int]]) -> RoundState:
    game = find_game(setup.game)
    settings = {**jackpot.settings, **setup.settings}
    pay_tables = {jackpot.wager: jackpot.pay_table}
    rules = make_rules(game, decks=setup.decks, settings=settings, pay_tables=pay_tables, day=DAY)
    # Where there are sides, chips lie on both: the one that wins counts.
    first = [wager.id for wager in game.wagers if wager.takes_side] or [game.first_wager.id]
    stakes = dict.fromkeys(first, STAKE_MICROS) | {jackpot.wager: int(jackpot.wager_micros)}
    shoe = LiveShoe(setup.decks, deck_size=game.declared.deck_size)

    def next_card(need: NeedsCard, state: RoundState) -> int:
        pile = chosen.get(game.declared.row_called(need.to).id, [])
        return pile.pop(0) if pile else shoe.draw()

    def answer(need: NeedsAnswer, state: RoundState) -> str:
        return game.declared.question(need.question).default_of(need.legal)

    return replay(rules, [stakes] * seats, [], [], deal=next_card, decide=answer, trusted=True)


def _shown(state: RoundState, seats: tuple[int, ...], wager: str, row: str, *, is_misdeal: bool) -> PracticeCards:
    def hand(name: str, cards: list[int]) -> ShownHand:
        return ShownHand(name, tuple(map(shown_card, cards)))

    declared = state.rules.game.declared
    if is_misdeal:  # the opening lies there, and a card that nobody should see
        dealt = [event.card for event in state.events if isinstance(event, CardDealt) and event.card is not None]
        dealer = hand(declared.place(declared.dealer).label, state.dealer[:1])
        return PracticeCards((dealer, hand("Face up in the shoe", dealt[-1:])), "", "")
    players = [
        hand(f"Seat {seat}", cards) for seat, hands in zip(seats, state.seats, strict=True) for cards in hands if cards
    ]
    table = [hand(place.label, state.row(place.number)) for place in declared.table_places]
    evidence, side = evidence_of(state, wager, 0)
    return PracticeCards((*players, *table), evidence, row, side)
