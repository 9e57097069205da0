"""The interpreter that plays: a round run in plain Python over a log of cards and answers.

The state of a round is its log. To go on, a card or an answer is added and the round is run again from the start: a few
dozen microseconds, and no second description of the game. When the log ends the interpreter says what it needs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import Any

from msgspec import Struct, structs

from croupier.cards import DECK_SIZE, JOKER_CARD, card_text
from croupier.errors import IllegalActionError
from croupier.kernels.baccarat import as_wagered
from croupier.kernels.bets import LOSE
from croupier.kernels.declaration import Place, Question
from croupier.kernels.effects import AMOUNT_AT, COPIED, HANDS_PER_SEAT, MOST_SEATS, MOVED, OPENED, SWAPPED, TURNED
from croupier.kernels.hands import add_card, add_point, is_blackjack, value_of
from croupier.kernels.link import Kernel, link, plain
from croupier.kernels.rounds import find_round
from croupier.kernels.rows import add_to_row
from croupier.kernels.scenes import SIDES
from croupier.money import MICROS_PER_DOLLAR
from croupier.pay import Row
from croupier.rules.choice import SEAT_SIDES
from croupier.rules.trial import classified
from croupier.table.answers import answer_text, parse_answer, too_much
from croupier.table.cover import settle_covered
from croupier.table.events import (
    Answered,
    Asked,
    CardDealt,
    CardMoved,
    CardsSwapped,
    CardsTurned,
    Event,
    HandOpened,
    RoundEnded,
    WagerAdded,
    WagerPlaced,
    WagerSettled,
    WagerTakenBack,
    as_seen,
)
from croupier.table.numbers import NeedsCard, numbers_of
from croupier.table.payment import returned_for, share_of_meter
from croupier.table.setup import SideBet, Stakes, TableRules, check_seats, seats_meter, wagered_on


def _costs_nothing(text: str) -> int:
    return 0


@dataclass(frozen=True)
class NeedsAnswer:
    """A seat has to decide."""

    seat: int
    hand: int
    question: str
    legal: tuple[str, ...]
    cost_of: Callable[[str], int] = field(default=_costs_nothing, compare=False, repr=False)
    """The money that an answer would put on the table, micros: the round is run on with it."""
    sight: int = 0
    """What the round says that the seat sees."""
    takes_amount: str = ""
    """The legal answer that may name an amount, if there is one."""

    @property
    def most(self) -> int:
        """The most that such an answer may add, micros."""
        return self.cost_of(self.takes_amount) if self.takes_amount else 0


Need = NeedsCard | NeedsAnswer


class TableCard(Struct, frozen=True, gc=False):
    """A card that lies on the table."""

    card: int
    place: int
    """The place that it was dealt to, which may be another than the row that it lies in."""
    face: str
    """"up", "down", or "owner": seen by the seat it belongs to alone."""
    number: int = 0
    """Which card of the round it is, from 1."""
    turned_after: int = 0
    """How many cards were out when it was turned; 0 for one that was not."""


REMEMBERED = 1 << 16
"""Answers of each atom that are remembered."""
ATOMS = (add_card, add_point, add_to_row, is_blackjack, value_of)


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
    cards: dict[int, list[TableCard]] = field(default_factory=dict)
    """All cards on the table, by the number of the place whose row they lie in."""
    hands: list[int] = field(default_factory=list)
    """How many hands each seat has."""
    staked: list[int] = field(default_factory=list)
    """All the money of each seat that went onto the table so far, side wagers included."""
    on_hands: list[list[int]] = field(default_factory=list)
    """What lies on each hand of each seat, besides wagers that have an account of their own."""
    hand_now: list[int] = field(default_factory=list)
    """For each settled wager in order, where its hand lies now: a new hand moves those after it."""
    settled: list[WagerSettled] = field(default_factory=list)
    added: list[int | str] = field(default_factory=list)
    """Cards and answers that came after the log's end, in order."""
    sets: dict[tuple[int, int], int] = field(default_factory=dict)
    """The set of cards that side bets of a seat (from 0) were shown, by seat and moment."""
    rows: dict[tuple[int, int], tuple[int, int]] = field(default_factory=dict)
    """The same of rows of cards, the seat's own and the other."""
    meters: dict[tuple[int, str], int] = field(default_factory=dict)
    """What a progressive's meter showed, micros, when a seat (from 1) that won a share of it was paid."""
    memory: list[int] = field(default_factory=list)
    """What the round itself keeps."""
    cards_used: int = 0
    answers_used: int = 0

    @property
    def is_complete(self) -> bool:
        return self.need is None

    def seen_events(self, seat: int = 0) -> list[Event]:
        """The round's history as anybody may see it, or as a seat (from 1) does."""
        return [as_seen(event, seat) for event in self.events]

    def stake_on(self, seat: int, hand: int) -> int:
        """What lies on a hand as it stands, doubles included."""
        return self.on_hands[seat][hand] if hand < len(self.on_hands[seat]) else 0

    def first_wagers(self, seat: int) -> Stakes:
        """What a seat (from 1) put on each wager with odds of its own, on all its hands, before the first card or when
        it was asked. By the edge of each this is what it should lose: what else is added is in the first wager's."""
        rules = self.rules
        placed = {name: amount * rules.hands_staked(name) for name, amount in self.stakes[seat - 1].items()}
        for result in self.settled:
            if (
                result.seat == seat
                and result.wager not in self.stakes[seat - 1]
                and rules.account_of(result.wager) == result.wager
            ):
                placed[result.wager] = placed.get(result.wager, 0) + result.staked
        return placed

    @property
    def seats(self) -> list[list[list[int]]]:
        """Cards of each hand of each seat."""
        return [
            [self.row(seat * HANDS_PER_SEAT + hand) for hand in range(hands)] for seat, hands in enumerate(self.hands)
        ]

    def row(self, place: int) -> list[int]:
        """All cards in the row of a place, also those face down: for those who may know them."""
        return [lying.card for lying in self.cards.get(place, ())]

    def seen_row(self, place: int, by_seat: int | None = None) -> list[int | None]:
        """The row of a place as everybody sees it, or as a seat (from 0) does; None for a card that is hidden."""
        owner = self.rules.game.declared.place(place).seat_and_hand(place)[0] - 1
        seen = ("up", "owner") if by_seat is not None and by_seat == owner else ("up",)
        return [lying.card if lying.face in seen else None for lying in self.cards.get(place, ())]

    def moves_in(self, place: int) -> list[tuple[int, int]]:
        """Of each card in the row of a place, which card of the round it is and after how many it was turned: what
        everybody could watch, whether they see its face or not."""
        return [(lying.number, lying.turned_after) for lying in self.cards.get(place, ())]

    def kept_private(self, but: Sequence[int] = ()) -> bool:
        """Whether seats (from 1) other than these have cards that lie before them alone, and were never turned."""
        place_of = self.rules.game.declared.place
        owners = {
            place_of(lying.place).seat_and_hand(lying.place)[0]
            for row in self.cards.values()
            for lying in row
            if lying.face == "owner"
        }
        return bool(owners - set(but))

    def shown_row(self, place: int) -> list[int]:
        """The cards in a row that everybody may see."""
        return [card for card in self.seen_row(place) if card is not None]

    @property
    def dealer(self) -> list[int]:
        """The dealer's cards, also those face down."""
        return self.row(self.rules.game.declared.dealer)

    def beside(self, seat: int, by_seat: int | None = None) -> list[tuple[Place, list[int | None]]]:
        """What lies beside the hands of a seat (from 0), place by place, as `seen_row` has it."""
        places = self.rules.game.declared.seat_places
        return [(place, row) for place in places if (row := self.seen_row(place.number + seat, by_seat))]

    def seen_hand(self, seat: int, hand: int, by_seat: int | None = None) -> list[int | None]:
        """A hand of a seat, both from 0, as `seen_row` has it."""
        return self.seen_row(seat * HANDS_PER_SEAT + hand, by_seat)

    @property
    def table_rows(self) -> list[tuple[Place, list[int | None]]]:
        """The rows that are nobody's own, as everybody sees them."""
        return [(place, self.seen_row(place.number)) for place in self.rules.game.declared.table_places]


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
        check_cards(cards, rules.decks, rules.game.declared.deck_size)
    run = _Run(rules, seats, cards, answers, deal, decide)
    state = run.state
    for number, stakes in enumerate(seats, 1):
        state.events += [WagerPlaced(seat=number, wager=name, amount=amount) for name, amount in stakes.items()]
    try:
        _play(run)
    except _StoppedError as stopped:
        state.need = stopped.need
        return state
    run.pay_envy()
    run.pay_covers()
    net = sum(event.returned - event.staked for event in state.settled)
    state.events.append(RoundEnded(house_net=-net))
    return state


def check_cards(cards: list[int], decks: int, deck_size: int = DECK_SIZE) -> None:
    """No card may come more often than the decks, each of so many cards, hold it."""
    seen = [0] * (JOKER_CARD + 1)
    for position, card in enumerate(cards, 1):
        card_text(card)  # refuses what is no card
        seen[card] += 1
        held = decks if card < deck_size else 0
        if seen[card] > held:
            times = "once" if held == 1 else f"{held} times"
            raise IllegalActionError(
                f"Card {position}, {card_text(card)}, is impossible: the shoe holds it {times}.",
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
        declared = rules.game.declared
        self.declared = declared
        self.numbers = numbers_of(rules.game.round)
        self.rules = rules
        self.stakes = stakes
        self.cards = cards
        self.answers = answers
        self.deal = deal
        self.decide = decide
        self.kernel_rules = rules.kernel_rules(stakes)
        self.any_side_wager = any(wagered_on(name) in rules.side_bets for seat in stakes for name in seat)
        self.asked: tuple[str, Question, int] | None = None
        """The last answer, its question, and the amount that it named."""
        self.envied: list[tuple[int, str, Row]] = []
        """Hands that others are paid for: seat, wager and row."""
        self.covers: dict[str, SideBet] = {}
        """Wagers on the best hand of the table, which wait until all hands are known."""
        self.left_on: dict[str, int] = {}
        """What is left on a meter, micros, of which this round has paid a share."""
        self.state = RoundState(rules, stakes)
        self.state.hands = [declared.hands] * len(stakes)
        self.state.on_hands = [[0] * declared.hands for _ in stakes]
        self.state.memory = [0] * declared.memory
        self.state.staked = [
            sum(amount * rules.hands_staked(name) for name, amount in seat.items() if name != rules.first_wager)
            for seat in stakes
        ]

    def next_card(self, place: int) -> int:
        state = self.state
        where, need = self.numbers.place(place)
        if state.cards_used < len(self.cards):
            card = self.cards[state.cards_used]
        else:
            drawn = self.deal(need, state) if self.deal else None
            if drawn is None:
                raise _StoppedError(need)
            card = drawn
            state.added.append(card)
        state.cards_used += 1
        row = place if where.row is None else where.row
        state.cards.setdefault(row, []).append(TableCard(card, place, where.face, state.cards_used))
        state.events.append(
            CardDealt(
                to=need.to,
                seat=need.seat,
                hand=need.hand,
                card=card,
                face_down=where.face == "down",
                is_private=where.face == "owner",
            )
        )
        return card

    def next_answer(self, seat: int, hand: int, number: int, legal: int, sight: int) -> int:
        state = self.state
        asking = self.numbers.askings[number]
        question = asking.question
        texts, variable = asking.legal(legal)
        state.events.append(Asked(seat=seat + 1, hand=hand + 1, question=question.id, legal=texts))
        if state.answers_used < len(self.answers):
            text = self.answers[state.answers_used]
        else:
            need = NeedsAnswer(seat + 1, hand + 1, question.id, texts, self._costs(seat), sight, variable)
            given = self.decide(need, state) if self.decide else None
            if given is None:
                raise _StoppedError(need)
            text = given
            state.added.append(text)
        plain = asking.numbers.get(text) if text in texts else None
        answer = plain if plain is not None else parse_answer(text, question, legal)
        state.answers_used += 1
        self.asked = (text, question, answer >> AMOUNT_AT)
        said = text if plain is not None else answer_text(question, answer)
        state.events.append(Answered(seat=seat + 1, hand=hand + 1, question=question.id, answer=said))
        return answer

    def _costs(self, seat: int) -> Callable[[str], int]:
        """What an answer given now would put on the table: the round is run again with it, once, and no card after
        it."""
        state = self.state
        answers = [*self.answers, *(step for step in state.added if isinstance(step, str))]
        drawn = [step for step in state.added if not isinstance(step, str)]
        cards = [*self.cards[: state.cards_used], *drawn]
        return _Cost(self.rules, self.stakes, cards, answers, seat, state.staked[seat])

    def put_money(self, seat: int, hand: int, wager: int, amount: int) -> None:
        """Money goes onto the table: before the first card what was wagered, later what an answer adds; less than none
        is taken back."""
        state = self.state
        state.staked[seat] += amount
        if not self.declared.wagers[wager].is_apart:
            state.on_hands[seat][hand] += amount
        name = self.rules.round_wagers[wager]
        if self.asked is None:
            if self.declared.wagers[wager].equals:
                state.events.append(WagerPlaced(seat=seat + 1, wager=name, amount=amount))
            return
        if amount < 0:
            state.events.append(WagerTakenBack(seat=seat + 1, hand=hand + 1, wager=name, amount=-amount))
            return
        text, question, named = self.asked
        if named and named != amount:
            raise too_much(text, question, amount)
        if amount == 0:  # the house puts up the money
            return
        self.asked = (text, question, 0)
        state.events.append(WagerAdded(seat=seat + 1, hand=hand + 1, wager=name, amount=amount))

    def end_wager(self, seat: int, hand: int, wager: int, outcome: int, staked: int) -> None:
        """A wager that the round declares."""
        declared = self.declared.wagers[wager]
        row = self.rules.round_rows[wager][declared.outcomes[outcome]] if outcome != LOSE else None
        name, returned = self.rules.round_wagers[wager], returned_for(row, staked)
        if declared.pays_on:  # the wager that it is paid on is settled by itself
            staked, returned = 0, returned - staked
        self._settled(seat, hand, name, row.row if row else "lose", staked, returned)

    def given_back(self, wager: int, outcome: int, staked: int) -> int:
        """What a wager that the round declares gives back if it ends so."""
        return returned_for(self.rules.round_rows[wager][self.declared.wagers[wager].outcomes[outcome]], staked)

    def end_side_wagers(self, seat: int, hand: int, moment: int, own: int, other: int) -> None:
        """Every side wager of the seat (of all seats: -1) that this moment decides."""
        if not self.any_side_wager:
            return
        for name, side in self.rules.side_bets_at.get(moment, ()):
            if side.bet.scene.is_set:
                self.state.sets[seat, moment] = own
            if side.bet.scene.is_row:
                self.state.rows[seat, moment] = (own, other)
            if side.choice.pay_table.cover_all:
                self.covers[name] = side
                continue
            rows = {}
            for index in range(len(self.stakes)) if seat < 0 else (seat,):
                for stake in self.stakes[index]:
                    if wagered_on(stake) == name:
                        rows[index, stake] = self._row(index, side, moment, own, other)
            if side.choice.pay_table.has_envy and (row := self._row(seat, side, moment, own, other)) and row.envy:
                self.envied.append((seat, name, row))
            # A share of the meter is split among all who take part, also those on the side that did not win it.
            shared = [row for row in rows.values() if row and row.pays.is_share and row.paid == "shared"]
            for (index, stake), row in rows.items():
                self._settle_side(index, hand, stake, side, shared[0] if shared else row)

    def _row(self, seat: int, side: SideBet, moment: int, own: int, other: int) -> Row | None:
        """The row a side wager ends on by itself; None if it loses."""
        if side.bet.scene.has_sides:
            which = side.choice.side
            if side.choice.wager.hand == "seat" and which != "winner":
                wagered = [name for name in SEAT_SIDES if name in self._sides_of(seat)]
                if not wagered:  # on the tie alone: no side of this seat can win
                    return None
                which = "winner" if len(wagered) == 2 else wagered[0]
            own, other = as_wagered(moment, own, other, SIDES[which])
        outcome = classified(side.bet, own, other, side.options)
        return side.rows.get(side.bet.outcomes[outcome]) if outcome != LOSE else None

    def pay_envy(self) -> None:
        """For each premium hand, the fixed sum to every other seat whose wager takes part."""
        for owner, name, row in self.envied:
            least = self.rules.side_bets[name].choice.pay_table.stake * MICROS_PER_DOLLAR
            for seat, stakes in enumerate(self.stakes):
                if seat != owner and stakes.get(name, 0) >= least:
                    self._settled(seat, 0, name, row.row, 0, row.envy * MICROS_PER_DOLLAR, envy_of=owner + 1)

    def pay_covers(self) -> None:
        """Each seat's wagers on the best hand of the table."""
        state = self.state
        dealt = {seat + 1: state.row(seat * HANDS_PER_SEAT) for seat in range(len(self.stakes))}
        for name, side in self.covers.items():
            moment = side.bet.scene.moment
            shown = {seat + 1: hand for (seat, at), hand in state.sets.items() if at == moment}
            staked = {seat: stakes[name] for seat, stakes in enumerate(self.stakes, 1) if name in stakes}
            for ended in settle_covered(side, staked, shown, dealt, state.dealer):
                self._settled(
                    ended.seat - 1, 0, name, ended.row, staked[ended.seat], ended.returned, decided_by=ended.by
                )

    def _sides_of(self, seat: int) -> set[str]:
        """The sides that a seat has wagered on."""
        wagers = (self.rules.game.wager(wagered_on(name)) for name in self.stakes[seat])
        return {wager.hand for wager in wagers if wager.takes_side or wager.id == wager.hand}

    def _settle_side(self, seat: int, hand: int, stake: str, side: SideBet, row: Row | None) -> None:
        staked = self.stakes[seat][stake]
        if row is not None and row.pays.is_share:
            returned = self._share(seat, stake, staked, row)
        else:
            returned = returned_for(row, staked)
        self._settled(seat, hand, stake, row.row if row else "lose", staked, returned)

    def _share(self, seat: int, stake: str, staked: int, row: Row) -> int:
        """What a seat gets of the meter. Where each winner is paid, the next one's share is of what is left then."""
        shown = self.rules.meters.get(seats_meter(stake, seat + 1))
        if shown is None:
            shown = self.left_on.get(stake, self.rules.meter_of(stake, staked))
        self.state.meters[seat + 1, stake] = shown
        returned = share_of_meter(row, shown, sum(stake in stakes for stakes in self.stakes))
        if row.paid == "each":
            self.left_on[stake] = shown - returned if row.pays.share < 1 else self.rules.seed_of(stake, staked)
        return returned

    def _settled(self, seat: int, hand: int, wager: str, row: str, staked: int, returned: int, **whose: int) -> None:
        event = WagerSettled(
            seat=seat + 1, hand=hand + 1, wager=wager, row=row, staked=staked, returned=returned, **whose
        )
        self.state.events.append(event)
        self.state.settled.append(event)
        self.state.hand_now.append(hand + 1)

    def people_see(self, what: int, place: int, to: int) -> None:
        """Cards that are already out change places, or are turned."""
        state = self.state
        where, need = self.numbers.place(place)
        if what == TURNED:
            row = place if where.row is None else where.row
            lying = state.cards.get(row, [])
            turned = tuple(lying_card.card for lying_card in lying if lying_card.place == place)
            state.cards[row] = [
                structs.replace(one, face="up", turned_after=state.cards_used) if one.place == place else one
                for one in lying
            ]
            state.events.append(CardsTurned(to=need.to, seat=need.seat, hand=need.hand, cards=turned))
        elif what == OPENED:
            self._open_hand(need.seat, need.hand)
        elif what == SWAPPED:
            one, other = state.cards[place], state.cards[to]
            one[-1], other[-1] = other[-1], one[-1]
            state.events.append(CardsSwapped(seat=need.seat, hand=need.hand, other=to % HANDS_PER_SEAT + 1))
        elif what in (MOVED, COPIED):
            card = state.cards[place][-1] if what == COPIED else state.cards[place].pop()
            state.cards.setdefault(to, []).append(structs.replace(card, place=to))
            target = self.numbers.place(to)[1]
            state.events.append(
                CardMoved(
                    to=target.to,
                    seat=target.seat,
                    hand=target.hand,
                    card=card.card,
                    stays=what == COPIED,
                    face_down=card.face == "down",
                    is_private=card.face == "owner",
                )
            )
        else:
            raise IllegalActionError(f"The round did what cannot be here, {what}.", code="bad_round")

    def _open_hand(self, seat: int, hand: int) -> None:
        """Seat and hand are counted from 1."""
        state = self.state
        first = (seat - 1) * HANDS_PER_SEAT
        for number in range(state.hands[seat - 1], hand - 1, -1):
            state.cards[first + number] = state.cards.pop(first + number - 1, [])
        state.cards[first + hand - 1] = []
        state.hands[seat - 1] += 1
        state.on_hands[seat - 1].insert(hand - 1, 0)
        for index, event in enumerate(state.settled):
            if event.seat == seat and state.hand_now[index] >= hand:
                state.hand_now[index] += 1
        state.events.append(HandOpened(seat=seat, hand=hand))


# The effects, as the rounds call them: `table` is the run.


def _draw(world: Any, table: Any, place: int) -> tuple[int, Any]:
    return table.next_card(place), world


def _ask(world: Any, table: Any, seat: int, hand: int, question: int, legal: int, sight: int) -> tuple[int, Any]:
    return table.next_answer(seat, hand, question, legal, sight), world


def _stake(world: Any, table: Any, seat: int, hand: int, wager: int, amount: int) -> Any:
    table.put_money(seat, hand, wager, amount)
    return world


def _pay(world: Any, table: Any, seat: int, hand: int, wager: int, outcome: int, staked: int) -> Any:
    table.end_wager(seat, hand, wager, outcome, staked)
    return world


def _settle(world: Any, table: Any, seat: int, hand: int, moment: int, own: int, other: int) -> Any:
    table.end_side_wagers(seat, hand, moment, own, other)
    return world


def _tell(world: Any, table: Any, what: int, place: int, to: int) -> Any:
    table.people_see(what, place, to)
    return world


def _returned(world: Any, table: Any, wager: int, outcome: int, staked: int) -> int:
    amount: int = table.given_back(wager, outcome, staked)
    return amount


@cache
def _linked(name: str) -> Kernel:
    declared = find_round(name)
    assert declared is not None
    effects: dict[str, Kernel] = {
        "draw": _draw,
        "ask": _ask,
        "stake": _stake,
        "pay": _pay,
        "settle": _settle,
        "tell": _tell,
        "returned": _returned,
    }
    # In plain Python a call costs more than a look-up, so what the atoms say is remembered.
    remembered: dict[str, Kernel] = {atom.__name__: lru_cache(maxsize=REMEMBERED)(atom) for atom in ATOMS}
    linked: Kernel = link(declared.play, plain, effects | remembered)
    return linked


@dataclass(frozen=True)
class _Cost:
    """What an answer puts on the table of a seat; a class and not a function within one, so that a round can be sent to
    another process."""

    rules: TableRules
    stakes: list[Stakes]
    cards: list[int]
    answers: list[str]
    seat: int
    before: int
    """What the seat had put there until now."""
    known: dict[str, int] = field(default_factory=dict)

    def __call__(self, text: str) -> int:
        if text not in self.known:
            after = replay(self.rules, self.stakes, self.cards, [*self.answers, text], trusted=True)
            self.known[text] = after.staked[self.seat] - self.before
        return self.known[text]


def _play(run: _Run) -> None:
    staked: list[int] = []
    for name in run.rules.staked_wagers:
        amounts = [stakes.get(name, 0) for stakes in run.stakes]
        staked += amounts + [0] * (MOST_SEATS - len(amounts))
    _linked(run.rules.game.round)(None, run, run.state.memory, staked, run.kernel_rules)
