"""A table of the hall as one player sees it: plain data for pages, with nothing in it that may not be seen.

Cards come from `RoundState.seen_row` and what is built on it, asked for as one seat or as anybody; cards that lie face
down, or are another seat's own, and the shoe are never read here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from croupier.cards import RANKS, SUITS, card_text
from croupier.hall.money import at_risk, position
from croupier.hall.play import Playing
from croupier.hall.turns import (
    BETTING_SECONDS,
    TURN_SECONDS,
    is_idle,
    is_sitting_out,
    most_on,
    offered,
    sensor_amounts,
    spots_of,
    waited_for,
)
from croupier.kernels.declaration import AnswerChoice, Question, Round
from croupier.money import dollars_for_people
from croupier.reports.rounds.text import row_label
from croupier.store.play import Player
from croupier.table.events import WagerSettled
from croupier.table.replay import NeedsAnswer, RoundState
from croupier.table.setup import TAKE, TableRules, WagerLimits, wagered_on

MICROS_PER_SECOND = 1_000_000
RANK_NAMES = ["ace", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king"]
SUIT_NAMES = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}


@dataclass(frozen=True, kw_only=True)
class CardView:
    """A card that lies face up."""

    text: str
    rank: str
    suit: str
    name: str


Shown = CardView | None
"""A card as somebody sees it: None for one that lies face down before them."""


@dataclass(frozen=True, kw_only=True)
class RowView:
    """Cards that lie together: of the table, or beside the hands of a seat."""

    id: str
    label: str
    cards: list[Shown]
    total: str
    """What the cards in sight come to; empty without any."""

    @property
    def names(self) -> str:
        """The cards in sight, to be read out."""
        return ", ".join(card.name for card in self.cards if card is not None)


@dataclass(frozen=True, kw_only=True)
class ResultView:
    """How one wager ended."""

    wager: str
    hand: int
    label: str
    """The row in the letter's words."""
    sum: str
    """The arithmetic: "3 to 2 on $10 = $15"."""
    staked: int
    returned: int
    for_dealer: bool
    is_of_hand: bool
    """Whether it lies on one hand, and not on all that the seat has."""

    @property
    def net(self) -> int:
        """To the player; what a take bet wins is the dealer's."""
        return (0 if self.for_dealer else self.returned) - self.staked

    @property
    def ending(self) -> str:
        """ "won", "even" or "lost"."""
        return "won" if self.returned > self.staked else "lost" if self.returned < self.staked else "even"


@dataclass(frozen=True, kw_only=True)
class HandView:
    """One hand on the felt."""

    number: int
    cards: list[Shown]
    total: str
    stake: int
    active: bool = False
    is_over: bool = False
    """Whether it has lost by itself."""
    result: ResultView | None = None
    """Of the first wager on it."""

    @property
    def names(self) -> str:
        """The cards in sight, to be read out."""
        return ", ".join(card.name for card in self.cards if card is not None)


@dataclass(frozen=True, kw_only=True)
class WagerView:
    """A place for chips."""

    id: str
    name: str
    kind: str
    laid: int
    least: int
    most: int | None
    sensor: list[int] = field(default_factory=list)
    """Amounts that a jackpot's sensor takes; empty for other wagers."""
    meter: int = 0
    each_hand: bool = False


@dataclass(frozen=True, kw_only=True)
class SpotView:
    """A place at the table."""

    number: int
    name: str
    mine: bool
    taken: bool
    can_sit: bool
    """Nobody sits here, or somebody who has done nothing for long."""
    ready: bool
    away: bool
    """Its player has missed a turn."""
    waited: bool
    """The next round is not dealt before its player is ready, or the clock runs out."""
    sits_out: bool
    """The table has waited for its player often enough."""
    wagers: list[WagerView]
    laid: int
    """Chips on the layout, in all."""
    wagered: int
    """Chips on the table in a round that is on."""
    hands: list[HandView]
    beside: list[RowView]
    """What lies beside the hands."""
    results: list[ResultView]
    asked: bool

    @property
    def net(self) -> int:
        return sum(result.net for result in self.results)


@dataclass(frozen=True, kw_only=True)
class ChoiceView:
    """One answer, as its button shows it."""

    word: str
    label: str
    key: str
    is_legal: bool
    cost: int
    """What it puts on the table."""
    takes_amount: bool
    """Whether it may be given for less."""


@dataclass(frozen=True, kw_only=True)
class QuestionView:
    """What somebody is asked."""

    spot: int
    hand: int
    """The hand it is about; 0 where it is about all that the seat has."""
    hands: int
    id: str
    text: str
    pays: str
    """What the wager pays that an answer adds, if that has one pay."""
    deciding: str
    """What its player does now, for the others."""
    choices: list[ChoiceView]
    """All answers, also those that are not legal now, so that each keeps its place; none for the others."""
    mine: bool
    name: str
    revision: int

    @property
    def legal(self) -> list[str]:
        return [choice.word for choice in self.choices if choice.is_legal]

    @property
    def for_less(self) -> ChoiceView | None:
        """The answer that may name an amount."""
        return next((choice for choice in self.choices if choice.is_legal and choice.takes_amount), None)


@dataclass(frozen=True, kw_only=True)
class HallTableView:
    """All that a page shows of a table."""

    id: str
    revision: int
    rules: TableRules
    shared: bool
    seats: int
    round: int
    """The number of the round that lies on the table; 0 before the first."""
    is_on: bool
    waits: str
    rows: list[RowView]
    """The cards that are nobody's own."""
    spots: list[SpotView]
    question: QuestionView | None
    seconds_left: int | None
    can_undo: bool
    can_rebet: bool
    can_double: bool
    at_risk: int
    """Chips of this player, laid out or wagered."""
    purse: int
    net: int | None
    """What the round was to this player; None while it is on, or was not theirs."""
    shoe_used: int | None
    """Hundredths of the shoe that are gone, up to the cut card; None where cards are shuffled after every round."""

    @property
    def has_hands(self) -> bool:
        """Whether seats have cards of their own."""
        return self.rules.game.declared.has_hands

    @property
    def has_questions(self) -> bool:
        """Whether players decide anything, so that there is advice and a strategy."""
        return bool(self.rules.game.declared.questions)

    @property
    def has_roads(self) -> bool:
        """Whether one of two sides wins a round, so that people keep a record of it."""
        return self.rules.game.declared.has_sides

    @property
    def mine(self) -> list[SpotView]:
        return [spot for spot in self.spots if spot.mine]

    @property
    def laid(self) -> int:
        return sum(spot.laid for spot in self.mine)

    @property
    def has_company(self) -> bool:
        """Whether others at the table are asked for wagers too."""
        return any(spot.waited or spot.ready for spot in self.spots if not spot.mine)

    @property
    def is_gathering(self) -> bool:
        """Somebody is ready and waits for others to be."""
        return not self.is_on and any(spot.ready for spot in self.spots)

    @property
    def others_waited(self) -> list[str]:
        """Who else has to be ready before a deal, by name."""
        return list(dict.fromkeys(spot.name for spot in self.spots if spot.waited and not spot.mine))

    @property
    def am_waited(self) -> bool:
        """Whether the others wait for this player's wagers."""
        return self.is_gathering and any(spot.waited for spot in self.mine)


def view_of(playing: Playing, player: Player, now_micros: int) -> HallTableView:
    """The table as this player sees it now."""
    table = playing.table
    rules = table.rules
    state = _shown_state(playing)
    mine = spots_of(playing, player)
    spots = [_spot_view(playing, number, player, state) for number in range(1, playing.seats + 1)]
    is_on = table.log is not None
    played = [spot for spot in spots if spot.mine and spot.results]
    places = [playing.places[number - 1] for number in mine]
    left = playing.deadline_micros
    question = _question(playing, player, state) if is_on else None
    assert table.shoe.cut is not None
    return HallTableView(
        id=playing.id,
        revision=playing.revision,
        rules=rules,
        shared=playing.is_shared,
        seats=playing.seats,
        round=table.rounds + (1 if is_on else 0) if state is not None else 0,
        is_on=is_on,
        waits=playing.stuck,
        rows=rows_of(rules.game.declared, state),
        spots=spots,
        question=question,
        seconds_left=_seconds_left(left, now_micros),
        can_undo=not is_on and any(place.undo for place in places),
        can_rebet=not is_on and any(place.last for place in places),
        can_double=not is_on and any(place.draft for place in places),
        at_risk=sum(_at_risk(playing, number, state) for number in mine),
        purse=player.micros,
        net=sum(spot.net for spot in played) if played and not is_on else None,
        shoe_used=min(100, table.shoe.used * 100 // table.shoe.cut) if table.shoe.kind == "cut_card" else None,
    )


def _seconds_left(deadline_micros: int | None, now_micros: int) -> int | None:
    """As the page counts them down; a clock that only sees that nobody left is not shown."""
    if deadline_micros is None:
        return None
    left = max(0, (deadline_micros - now_micros) // MICROS_PER_SECOND)
    return left if left <= max(TURN_SECONDS, BETTING_SECONDS) else None


def _shown_state(playing: Playing) -> RoundState | None:
    """The round on the table; after it, the one before, whose cards stay until the next deal."""
    table = playing.table
    if table.log is not None:
        return table.state
    if not table.history:
        return None
    return table.state or table.history[-1].state()


def card_view(card: int) -> CardView:
    rank, suit = card >> 2, SUITS[card & 3]
    return CardView(
        text=card_text(card),
        rank=RANKS[rank].replace("T", "10"),
        suit=suit,
        name=f"{RANK_NAMES[rank]} of {SUIT_NAMES[suit]}",
    )


def shown_cards(cards: Sequence[int | None]) -> list[Shown]:
    """Cards as `RoundState` says that somebody sees them."""
    return [card_view(card) if card is not None else None for card in cards]


def described(declared: Round, cards: Sequence[int | None]) -> str:
    """What the cards in sight come to, in the round's words; empty without any."""
    seen = [card for card in cards if card is not None]
    return declared.describe(seen) if seen else ""


def rows_of(declared: Round, state: RoundState | None) -> list[RowView]:
    """The cards that are nobody's own, as everybody sees them; without a round, the places for them."""
    rows = state.table_rows if state is not None else [(place, []) for place in declared.table_places]
    return [
        RowView(id=place.id, label=place.label, cards=shown_cards(row), total=described(declared, row))
        for place, row in rows
    ]


def beside_of(state: RoundState, seat: int, *, is_own: bool) -> list[RowView]:
    """What lies beside the hands of a seat (from 1), as that seat sees it or as everybody does."""
    declared = state.rules.game.declared
    return [
        RowView(id=place.id, label=place.label, cards=shown_cards(row), total=described(declared, row))
        for place, row in state.beside(seat - 1, seat - 1 if is_own else None)
    ]


def _spot_view(playing: Playing, number: int, player: Player, state: RoundState | None) -> SpotView:
    table = playing.table
    place = playing.places[number - 1]
    mine = bool(place.player) and place.player == player.id
    seat = table.playing.index(number) + 1 if state is not None and number in table.playing else 0
    # After the round its cards stay, unless somebody else has sat down there since.
    shows = bool(seat) and (table.log is not None or bool(place.last))
    need = state.need if state is not None and table.log is not None else None
    is_asked = isinstance(need, NeedsAnswer) and need.seat == seat
    hands: list[HandView] = []
    beside: list[RowView] = []
    results: list[ResultView] = []
    if shows and state is not None:
        results = results_of(state, seat)
        hands = hands_of(state, seat, results, is_own=mine)
        beside = beside_of(state, seat, is_own=mine)
    return SpotView(
        number=number,
        name=place.name,
        mine=mine,
        taken=bool(place.player),
        can_sit=not place.player or (not mine and is_idle(place, playing.clock())),
        ready=place.ready,
        away=place.missed > 0,
        waited=table.log is None and number in waited_for(playing),
        sits_out=table.log is None and bool(place.player) and is_sitting_out(place),
        wagers=_wagers(playing, number, state, seat) if mine else [],
        laid=at_risk(place.draft, table.rules),
        wagered=_at_risk(playing, number, state) if table.log is not None else 0,
        hands=hands,
        beside=beside,
        results=results,
        asked=is_asked,
    )


def hands_of(state: RoundState, seat: int, results: list[ResultView], *, is_own: bool) -> list[HandView]:
    """The hands of a seat (from 1) as it sees them or as everybody does, the one that is asked marked."""
    declared = state.rules.game.declared
    if not declared.has_hands:
        return []
    firsts = {result.hand: result for result in results if result.wager == state.rules.first_wager}
    hands = []
    for number in range(1, state.hands[seat - 1] + 1):
        cards = state.seen_hand(seat - 1, number - 1, seat - 1 if is_own else None)
        seen = [card for card in cards if card is not None]
        hands.append(
            HandView(
                number=number,
                cards=shown_cards(cards),
                total=described(declared, cards),
                stake=state.stake_on(seat - 1, number - 1),
                active=_is_asked(state, seat, number),
                is_over=bool(seen) and declared.is_bust(seen),
                result=firsts.get(number),
            )
        )
    return hands


def _is_asked(state: RoundState, seat: int, hand: int) -> bool:
    """Whether the question on the table is about this hand."""
    need = state.need
    if not isinstance(need, NeedsAnswer) or (need.seat, need.hand) != (seat, hand):
        return False
    return not state.rules.game.declared.question(need.question).is_of_seat


def results_of(state: RoundState, seat: int) -> list[ResultView]:
    """How the wagers of a seat ended so far, in the order in which they were settled."""
    return [
        ResultView(
            wager=state.rules.paid_by(event.wager),
            hand=hand,
            label=row_label(state, event) if event.row != "lose" else "Lost",
            sum=arithmetic(state, event),
            staked=event.staked,
            returned=event.returned,
            for_dealer=event.wager.startswith(TAKE),
            is_of_hand=_is_of_hand(state.rules, event.wager),
        )
        for event, hand in zip(state.settled, state.hand_now, strict=True)
        if event.seat == seat
    ]


def _is_of_hand(rules: TableRules, wager: str) -> bool:
    settled = rules.game.settled_by_round(rules.game.wager(rules.paid_by(wager)))
    return settled is not None or rules.times_staked(wager) > 1


def arithmetic(state: RoundState, event: WagerSettled) -> str:
    """How a wager's pay came about: `3 to 2 on $10 = $15`."""
    rules = state.rules
    rows = {row.row: row for row in rules.placed[rules.paid_by(event.wager)].rows}
    staked = dollars_for_people(event.staked)
    if event.row not in rows:
        return "no win"
    pays = rows[event.row].pays
    if pays.kind == "push":
        return f"push: {staked} returned"
    if pays.is_share:
        meter = dollars_for_people(rules.meter_of(wagered_on(event.wager), event.staked))
        sharing = sum(event.wager in stakes for stakes in state.stakes) if rows[event.row].paid == "shared" else 1
        among = f" shared by {sharing}" if sharing > 1 else ""
        return f"{pays.text} of {meter}{among} = {dollars_for_people(event.returned)}"
    paid = event.returned - event.staked if pays.kind == "to" else event.returned
    on = f" on {staked}" if event.staked else ""
    return f"{pays.text}{on} = {dollars_for_people(paid)}"


def _wagers(playing: Playing, number: int, state: RoundState | None, seat: int) -> list[WagerView]:
    """The places for chips of one spot, with what lies on them: during a round, what is wagered."""
    rules = playing.table.rules
    on = playing.table.log is not None
    draft = playing.places[number - 1].draft
    laid = (dict(state.stakes[seat - 1]) if seat and state is not None else {}) if on else draft
    views = []
    for id in offered(playing):
        wager = rules.game.wager(wagered_on(id))
        sensor = sensor_amounts(playing, id) if wager.kind == "progressive" else []
        views.append(
            WagerView(
                id=id,
                name=wager.name,
                kind="take" if id.startswith(TAKE) else wager.kind,
                laid=laid.get(id, 0),
                least=rules.limits.get(wager.id, WagerLimits()).least,
                most=most_on(playing, id),
                sensor=sensor,
                meter=rules.meter_of(id, laid.get(id) or sensor[0]) if sensor else 0,
                each_hand=rules.times_staked(id) > 1,
            )
        )
    return views


def _at_risk(playing: Playing, number: int, state: RoundState | None) -> int:
    """Chips of a spot: in a round all that is not settled yet, before it what is laid out."""
    table = playing.table
    if table.log is None or state is None:
        return at_risk(playing.places[number - 1].draft, table.rules)
    if number not in table.playing:
        return 0
    seat = table.playing.index(number) + 1
    return position(state, seat)[0] - sum(event.staked for event in state.settled if event.seat == seat)


def _question(playing: Playing, player: Player, state: RoundState | None) -> QuestionView | None:
    need = state.need if state is not None else None
    if state is None or not isinstance(need, NeedsAnswer):
        return None
    spot = playing.table.playing[need.seat - 1]
    place = playing.places[spot - 1]
    mine = place.player == player.id
    question = state.rules.game.declared.question(need.question)
    return QuestionView(
        spot=spot,
        hand=0 if question.is_of_seat else need.hand,
        hands=state.hands[need.seat - 1],
        id=question.id,
        text=question.text,
        pays=_pays_of(question, state.rules),
        deciding=question.deciding,
        choices=[_choice(choice, need) for choice in question.shown] if mine else [],
        mine=mine,
        name=place.name,
        revision=playing.table.revision,
    )


def _pays_of(question: Question, rules: TableRules) -> str:
    """`2 to 1`; empty where the answers add nothing, or a wager that is paid in several ways."""
    added = [rules.game.wager_of_round(choice.adds) for choice in question.choices if choice.adds]
    pays = {row.pays.text for wager in added if wager is not None for row in rules.placed[wager.id].rows}
    return pays.pop() if len(pays) == 1 else ""


def _choice(choice: AnswerChoice, need: NeedsAnswer) -> ChoiceView:
    is_legal = choice.word in need.legal
    return ChoiceView(
        word=choice.word,
        label=choice.label,
        key=choice.key,
        is_legal=is_legal,
        cost=need.cost_of(choice.word) if is_legal else 0,
        takes_amount=choice.takes_amount,
    )
