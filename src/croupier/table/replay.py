"""The interpreter that plays: a round run in plain Python over a log of cards and answers.

The state of a round is its log. To go on, a card or an answer is added and the round is run again from the start: a few
dozen microseconds, and no second description of the game. When the log ends the interpreter says what it needs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import Any

from croupier.cards import DECK_SIZE, card_text
from croupier.errors import IllegalActionError
from croupier.kernels.baccarat import own_hand_first
from croupier.kernels.bets import LOSE
from croupier.kernels.blackjack import HANDS_SIZE, STAKE, amount_in, most_added, most_insured, slot
from croupier.kernels.effects import (
    ACTION,
    CARDS_SWITCHED,
    CHOICE_MASK,
    DEALER,
    DOUBLE,
    FIRST_FACE_DOWN,
    FIRST_TURNED,
    FLEX,
    FLEX_PLACED,
    FLEX_SHARED,
    HANDS_PER_SEAT,
    HOLE,
    HOLE_TURNED,
    INSURANCE,
    INSURANCE_OUTCOMES,
    INSURE,
    MAIN,
    MAIN_OUTCOMES,
    PAIR_SPLIT,
    PLAYER_HAND,
    RESULT,
)
from croupier.kernels.hands import add_card, add_point, is_blackjack, value_of
from croupier.kernels.link import Kernel, link, plain
from croupier.kernels.rounds import ROUNDS
from croupier.kernels.scenes import SIDES
from croupier.pay import Row
from croupier.rules.trial import classified
from croupier.table.answers import QUESTIONS, answer_text, legal_texts, parse_answer
from croupier.table.events import (
    Answered,
    Asked,
    CardDealt,
    CardsSwitched,
    Event,
    FirstCardTurned,
    FlexCardPlaced,
    HoleCardTurned,
    PairSplit,
    RoundEnded,
    WagerPlaced,
    WagerSettled,
)
from croupier.table.payment import returned_for, share_of_meter
from croupier.table.setup import SideBet, Stakes, TableRules, check_seats, wagered_on


@dataclass(frozen=True)
class NeedsCard:
    """The next card of the shoe is wanted."""

    to: str
    seat: int
    hand: int


@dataclass(frozen=True)
class NeedsAnswer:
    """A seat has to decide."""

    seat: int
    hand: int
    question: str
    legal: tuple[str, ...]
    most: int = 0
    """The most an insurance or a double may add, micros."""


Need = NeedsCard | NeedsAnswer

REMEMBERED = 1 << 16
"""Answers of each atom that are remembered."""


class _StoppedError(Exception):
    """Leaves the round where the log ends."""

    def __init__(self, need: Need) -> None:
        self.need = need


@dataclass
class RoundState:
    """A round as far as its log goes."""

    rules: TableRules
    stakes: list[Stakes]
    events: list[Event] = field(default_factory=list)
    need: Need | None = None
    """None when the round is complete."""
    seats: list[list[list[int]]] = field(default_factory=list)
    """Cards of each hand of each seat."""
    flex: list[int | None] = field(default_factory=list)
    dealer: list[int] = field(default_factory=list)
    """The dealer's cards, the hole card second; in baccarat the banker's."""
    player: list[int] = field(default_factory=list)
    """Baccarat: the player hand."""
    hand_now: list[int] = field(default_factory=list)
    """For each settled wager in order, where its hand lies now: a split moves the hands after it."""
    first_face_down: bool = False
    """The dealer's first card lies face down, or will."""
    hole_turned: bool = False
    settled: list[WagerSettled] = field(default_factory=list)
    added: list[int | str] = field(default_factory=list)
    """Cards and answers that came after the log's end, in order."""
    chips: list[int] = field(default_factory=list)
    """The round's own record of hands and stakes (see `kernels/blackjack.py`)."""
    cards_used: int = 0
    answers_used: int = 0

    @property
    def is_complete(self) -> bool:
        return self.need is None

    def stake_on(self, seat: int, hand: int) -> int:
        """The main wager on a hand as it stands, doubles included."""
        return self.chips[slot(seat, hand) + STAKE]

    @property
    def shown_dealer(self) -> list[int]:
        """The dealer's cards that everybody may see."""
        if self.rules.game.family == "blackjack" and not self.hole_turned:
            return [] if self.first_face_down else self.dealer[:1]
        return self.dealer


Dealing = Callable[[NeedsCard, RoundState], int | None]
"""Gives the next card when the log has none, or None to stop there."""
Deciding = Callable[[NeedsAnswer, RoundState], str | None]
"""Gives an answer when the log has none, or None to stop there."""


def replay(
    rules: TableRules,
    seats: list[Stakes],
    cards: list[int],
    answers: list[str],
    *,
    deal: Dealing | None = None,
    decide: Deciding | None = None,
    trusted: bool = False,
) -> RoundState:
    """Runs the round over the log, then on for as long as `deal` and `decide` go; what they gave is in `state.added`.

    Raises on an impossible card and on an answer that is not legal. `trusted` skips the checks of wagers and cards that
    were made when the log was begun.
    """
    if not trusted:
        check_seats(seats, rules)
        check_cards(cards, rules.decks)
    run = _Run(rules, seats, cards, answers, deal, decide)
    state = run.state
    for number, stakes in enumerate(seats, 1):
        state.events += [WagerPlaced(seat=number, wager=name, amount=amount) for name, amount in stakes.items()]
    try:
        _play(run)
    except _StoppedError as stopped:
        state.need = stopped.need
        return state
    net = sum(event.returned - event.staked for event in state.settled)
    state.events.append(RoundEnded(house_net=-net))
    return state


def check_cards(cards: list[int], decks: int) -> None:
    """No card may come more often than the decks hold it."""
    seen = [0] * DECK_SIZE
    for position, card in enumerate(cards, 1):
        card_text(card)  # refuses what is no card
        seen[card] += 1
        if seen[card] > decks:
            raise IllegalActionError(
                f"Card {position}, {card_text(card)}, is impossible: the shoe holds it {decks} times.",
                code="impossible_card",
            )


class _Run:
    """What the effects read and write while a round runs."""

    def __init__(
        self,
        rules: TableRules,
        stakes: list[Stakes],
        cards: list[int],
        answers: list[str],
        deal: Dealing | None,
        decide: Deciding | None,
    ) -> None:
        count = 2 if rules.two_hands else 1
        self.rules = rules
        self.stakes = stakes
        self.cards = cards
        self.answers = answers
        self.deal = deal
        self.decide = decide
        self.hands = [0] * HANDS_SIZE
        self.kernel_rules = rules.kernel_rules(stakes)
        self.any_side_wager = any(wagered_on(name) in rules.side_bets for seat in stakes for name in seat)
        self.state = RoundState(rules, stakes)
        self.state.seats = [[[] for _ in range(count)] for _ in stakes]
        self.state.flex = [None] * len(stakes)
        self.state.chips = self.hands

    def next_card(self, place: int) -> int:
        state = self.state
        need = _where(place)
        to, seat, hand = need.to, need.seat, need.hand
        if state.cards_used < len(self.cards):
            card = self.cards[state.cards_used]
        else:
            given = self.deal(need, state) if self.deal else None
            if given is None:
                raise _StoppedError(need)
            card = given
            state.added.append(card)
        state.cards_used += 1
        if to == "seat":
            state.seats[seat - 1][hand - 1].append(card)
        elif to == "flex":
            state.flex[seat - 1] = card
        else:
            (state.player if to == "player" else state.dealer).append(card)
        face_down = to == "hole" or (to == "dealer" and state.first_face_down)
        state.events.append(CardDealt(to=to, seat=seat, hand=hand, card=card, face_down=face_down))
        return card

    def next_answer(self, seat: int, hand: int, question: int, legal: int) -> int:
        state = self.state
        texts = legal_texts(question, legal)
        asked = QUESTIONS[question]
        most = self._most_added(seat, hand, question)
        state.events.append(Asked(seat=seat + 1, hand=hand + 1, question=asked, legal=texts))
        if state.answers_used < len(self.answers):
            text = self.answers[state.answers_used]
        else:
            need = NeedsAnswer(seat + 1, hand + 1, asked, texts, most)
            given = self.decide(need, state) if self.decide else None
            if given is None:
                raise _StoppedError(need)
            text = given
            state.added.append(text)
        answer = parse_answer(text, question, legal, most)
        state.answers_used += 1
        choice = answer & CHOICE_MASK
        adds = (question == INSURANCE and choice == INSURE) or (question == ACTION and choice == DOUBLE)
        added = amount_in(answer, most) if adds else 0
        state.events.append(
            Answered(seat=seat + 1, hand=hand + 1, question=asked, answer=answer_text(question, answer), added=added)
        )
        return answer

    def _most_added(self, seat: int, hand: int, question: int) -> int:
        """What an insurance or a double could add to this hand."""
        stake = self.hands[slot(seat, hand) + STAKE]
        if question == INSURANCE:
            return most_insured(stake, self.kernel_rules)
        return most_added(stake, self.kernel_rules.cap)

    def end_wager(self, seat: int, hand: int, wager: int, outcome: int, staked: int) -> None:
        """A main or insurance wager."""
        name = "main" if wager == MAIN else "insurance"
        outcomes = MAIN_OUTCOMES if wager == MAIN else INSURANCE_OUTCOMES
        row = self.rules.round_rows[name, outcomes[outcome]] if outcome != LOSE else None
        self._settled(seat, hand, name, row.row if row else "lose", staked, returned_for(row, staked))

    def end_side_wagers(self, seat: int, hand: int, moment: int, own: int, other: int) -> None:
        """Every side wager of the seat (of all seats: -1) that this moment decides."""
        if not self.any_side_wager:
            return
        for name, side in self.rules.side_bets_at.get(moment, ()):
            rows = {}
            for index in range(len(self.stakes)) if seat < 0 else (seat,):
                for stake in self.stakes[index]:
                    if wagered_on(stake) == name:
                        rows[index, stake] = self._row(index, side, moment, own, other)
            # A share of the meter is split among all who take part, also those on the side that did not win it.
            shared = [row for row in rows.values() if row and row.pays.is_share and row.paid == "shared"]
            for (index, stake), row in rows.items():
                self._settle_side(index, hand, stake, side, shared[0] if shared else row)

    def _row(self, seat: int, side: SideBet, moment: int, own: int, other: int) -> Row | None:
        """The row a side wager ends on by itself; None if it loses."""
        if moment == RESULT:
            which = side.choice.side
            if side.choice.wager.hand == "seat" and which != "winner":
                wagered = [name for name in ("player", "banker") if name in self.stakes[seat]]
                if not wagered:  # on the tie alone: no side of this seat can win
                    return None
                which = "winner" if len(wagered) == 2 else wagered[0]
            own, other = own_hand_first(own, other, SIDES[which])
        outcome = classified(side.bet, own, other, side.options)
        return side.rows.get(side.bet.outcomes[outcome]) if outcome != LOSE else None

    def _settle_side(self, seat: int, hand: int, stake: str, side: SideBet, row: Row | None) -> None:
        staked = self.stakes[seat][stake]
        if row is not None and row.pays.is_share:
            participants = sum(stake in stakes for stakes in self.stakes)
            returned = share_of_meter(row, self.rules.meter_of(stake, staked), participants)
        else:
            returned = returned_for(row, staked)
        self._settled(seat, hand, stake, row.row if row else "lose", staked, returned)

    def _settled(self, seat: int, hand: int, wager: str, row: str, staked: int, returned: int) -> None:
        event = WagerSettled(seat=seat + 1, hand=hand + 1, wager=wager, row=row, staked=staked, returned=returned)
        self.state.events.append(event)
        self.state.settled.append(event)
        self.state.hand_now.append(hand + 1)

    def people_see(self, what: int, seat: int, hand: int) -> None:
        """Cards that are already out change places, or are turned."""
        state = self.state
        hands = state.seats[seat]
        if what == HOLE_TURNED:
            state.hole_turned = True
            state.events.append(HoleCardTurned(card=state.dealer[1]))
        elif what == FIRST_FACE_DOWN:
            state.first_face_down = True
        elif what == FIRST_TURNED:
            state.first_face_down = False
            state.events.append(FirstCardTurned(card=state.dealer[0]))
        elif what == PAIR_SPLIT:
            hands.insert(hand + 1, [hands[hand].pop()])
            for index, event in enumerate(state.settled):
                if event.seat == seat + 1 and state.hand_now[index] > hand + 1:
                    state.hand_now[index] += 1
            state.events.append(PairSplit(seat=seat + 1, hand=hand + 1))
        elif what == CARDS_SWITCHED:
            hands[0][1], hands[1][1] = hands[1][1], hands[0][1]
            state.events.append(CardsSwitched(seat=seat + 1))
        else:
            flex = state.flex[seat]
            if what not in (FLEX_PLACED, FLEX_SHARED) or flex is None:
                raise IllegalActionError(f"The round did what cannot be here, {what}.", code="bad_round")
            for target in hands if what == FLEX_SHARED else [hands[hand]]:
                target.append(flex)
            state.flex[seat] = None
            state.events.append(FlexCardPlaced(seat=seat + 1, hand=0 if what == FLEX_SHARED else hand + 1))


@cache
def _where(place: int) -> NeedsCard:
    """A place of a round as people call it."""
    if place >= FLEX:
        return NeedsCard("flex", place - FLEX + 1, 0)
    named = {DEALER: "dealer", HOLE: "hole", PLAYER_HAND: "player"}
    if place in named:
        return NeedsCard(named[place], 0, 0)
    return NeedsCard("seat", place // HANDS_PER_SEAT + 1, place % HANDS_PER_SEAT + 1)


# The effects, as the rounds call them: `table` is the run.


def _draw(world: Any, table: Any, place: int) -> tuple[int, Any]:
    return table.next_card(place), world


def _ask(world: Any, table: Any, seat: int, hand: int, question: int, legal: int) -> tuple[int, Any]:
    return table.next_answer(seat, hand, question, legal), world


def _pay(world: Any, table: Any, seat: int, hand: int, wager: int, outcome: int, staked: int) -> Any:
    table.end_wager(seat, hand, wager, outcome, staked)
    return world


def _settle(world: Any, table: Any, seat: int, hand: int, moment: int, own: int, other: int) -> Any:
    table.end_side_wagers(seat, hand, moment, own, other)
    return world


def _tell(world: Any, table: Any, what: int, seat: int, hand: int) -> Any:
    table.people_see(what, seat, hand)
    return world


@cache
def _linked(name: str) -> Kernel:
    effects: dict[str, Kernel] = {"draw": _draw, "ask": _ask, "pay": _pay, "settle": _settle, "tell": _tell}
    # In plain Python a call costs more than a look-up, so what the atoms say is remembered.
    remembered: dict[str, Kernel] = {
        atom.__name__: lru_cache(maxsize=REMEMBERED)(atom) for atom in (add_card, add_point, is_blackjack, value_of)
    }
    linked: Kernel = link(ROUNDS[name], plain, effects | remembered)
    return linked


def _play(run: _Run) -> None:
    game = run.rules.game
    if game.family == "baccarat":
        _linked(game.round)(None, run)
    else:
        mains = [stakes["main"] for stakes in run.stakes]
        _linked(game.round)(None, run, run.hands, mains, run.kernel_rules)
