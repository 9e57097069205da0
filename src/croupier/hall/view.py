"""A table of the hall as one player sees it: plain data for pages, with nothing in it that may not be seen.

Cards come from `RoundState.seen_row` and what is built on it, asked for as one seat or as anybody; cards that lie face
down, or are another seat's own, and the shoe are never read here.
"""

from __future__ import annotations

from collections.abc import Sequence

from croupier.cards import JOKER_CARD, RANKS, SUITS, card_text, card_words
from croupier.hall.money import at_risk, position
from croupier.hall.outcome import outcome_words
from croupier.hall.play import Playing
from croupier.hall.roads import winner_in
from croupier.hall.shown import (
    CardView,
    ChipsView,
    ChoiceView,
    HallTableView,
    HandView,
    QuestionView,
    ResultView,
    RoundWagerView,
    RowView,
    Shown,
    SpotView,
    WagerView,
)
from croupier.hall.turns import (
    BETTING_SECONDS,
    TURN_SECONDS,
    is_idle,
    is_sitting_out,
    is_waiting_for_wagers,
    most_on,
    offered,
    sensor_amounts,
    spots_of,
    waited_for,
)
from croupier.kernels.declaration import AnswerChoice, Place, Question, Round
from croupier.kernels.effects import DEALER, HANDS_PER_SEAT, PLAYER_HAND
from croupier.money import dollars_for_people
from croupier.reports.rounds.text import plain_face, row_label
from croupier.reports.rounds.why import dealer_words, hand_words, why
from croupier.store.play import Player
from croupier.table.events import WagerAdded, WagerPlaced, WagerSettled, WagerTakenBack
from croupier.table.replay import NeedsAnswer, RoundState
from croupier.table.setup import TAKE, TableRules, WagerLimits, wagered_on

MICROS_PER_SECOND = 1_000_000
SIDE_PLACES = (PLAYER_HAND, DEALER)


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
    left = playing.deadline_micros if is_on or is_waiting_for_wagers(playing) else None
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
        headline=_headline(state) if not is_on and state is not None else "",
        net=sum(spot.net for spot in played) if played and not is_on else None,
        shoe_used=min(100, table.shoe.used * 100 // table.shoe.cut) if table.shoe.kind == "cut_card" else None,
    )


def _headline(state: RoundState) -> str:
    """Who won, where two sides play against each other."""
    declared = state.rules.game.declared
    if not declared.has_sides:
        return ""
    winner = winner_in(state)
    totals = " to ".join(sorted((declared.describe(state.row(place)) for place in SIDE_PLACES), reverse=True))
    return f"Tie, {totals}" if winner == "tie" else f"{winner.capitalize()} wins, {totals}"


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
    if card == JOKER_CARD:
        return CardView(text=card_text(card), rank="", suit="joker", name=card_words(card))
    rank = RANKS[card >> 2].replace("T", "10")
    return CardView(text=card_text(card), rank=rank, suit=SUITS[card & 3], name=card_words(card))


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
        RowView(
            id=place.id,
            label=place.label,
            cards=shown_cards(row),
            total=_row_total(declared, state, place, row),
            moves=state.moves_in(place.number) if state is not None else [],
        )
        for place, row in rows
    ]


def _row_total(declared: Round, state: RoundState | None, place: Place, row: Sequence[int | None]) -> str:
    """What a row comes to: the dealer's with the cards of the community, and whether it qualifies.

    Cards of the community alone are nobody's hand.
    """
    if place.is_community:
        return ""
    if state is None or place.number != declared.dealer:
        return described(declared, row)
    return dealer_words(state, row)


def beside_of(state: RoundState, seat: int, *, is_own: bool) -> list[RowView]:
    """What lies beside the hands of a seat (from 1), as that seat sees it or as everybody does."""
    declared = state.rules.game.declared
    return [
        RowView(
            id=place.id,
            label=place.label,
            is_out=place.is_out,
            cards=shown_cards(row),
            total=described(declared, row),
            moves=state.moves_in(place.number + seat - 1),
        )
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
        round_wagers=_round_wagers(playing, number, state, seat) if mine else [],
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
        own = [result for result in results if result.hand == number and result.is_main]
        net = sum(result.net for result in own)
        first = firsts.get(number)
        is_over = bool(seen) and declared.is_bust(seen)
        moves = state.moves_in((seat - 1) * HANDS_PER_SEAT + number - 1)
        hands.append(
            HandView(
                number=number,
                cards=shown_cards(cards),
                total=hand_words(state, cards),
                stake=state.stake_on(seat - 1, number - 1),
                active=_is_asked(state, seat, number),
                is_over=is_over,
                result=first,
                words=outcome_words(state, seat, number, net, first.row if first else "", first.label if first else ""),
                ending=("won" if net > 0 else "lost" if net < 0 else "even") if first else "lost" if is_over else "",
                moves=[(number, 0) for number, _ in moves] if is_own else moves,
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
            is_main=_is_main(state.rules, event.wager),
            row=event.row,
            why=why(state, event, plain_face),
        )
        for event, hand in zip(state.settled, state.hand_now, strict=True)
        if event.seat == seat
    ]


def _is_of_hand(rules: TableRules, wager: str) -> bool:
    settled = rules.game.settled_by_round(rules.game.wager(rules.paid_by(wager)))
    return settled is not None or rules.hands_staked(wager) > 1


def _is_main(rules: TableRules, wager: str) -> bool:
    """Whether the round itself settles it, on the hand's own account."""
    settled = rules.game.settled_by_round(rules.game.wager(rules.paid_by(wager)))
    return settled is not None and not settled.is_apart


def arithmetic(state: RoundState, event: WagerSettled) -> str:
    """How a wager's pay came about: `3 to 2 on $10 = $15`."""
    rules = state.rules
    rows = {row.row: row for row in rules.placed[rules.paid_by(event.wager)].rows}
    staked = dollars_for_people(event.staked)
    if event.row not in rows:
        return "no win"
    if event.envy_of:
        return f"{dollars_for_people(event.returned)} for another player's hand"
    if event.decided_by:
        return f"{dollars_for_people(event.returned - event.staked)} for the best hand on the table"
    pays = rows[event.row].pays
    if pays.kind == "push":
        return f"push: {staked} returned" if event.staked else "nothing won, nothing lost"
    if pays.is_share:
        meter = dollars_for_people(state.meters[event.seat, event.wager])
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
                chips=_chips(playing, number, state, seat, id),
                least=rules.limits.get(wager.id, WagerLimits()).least,
                most=most_on(playing, id),
                sensor=sensor,
                meter=rules.meter_of(id, laid.get(id) or sensor[0]) if sensor else 0,
                each_hand=rules.hands_staked(id) > 1,
            )
        )
    return views


def _round_wagers(playing: Playing, number: int, state: RoundState | None, seat: int) -> list[RoundWagerView]:
    """What the round puts on the table for one spot besides what is laid there."""
    rules = playing.table.rules
    is_on = playing.table.log is not None
    views = []
    for settled, id in zip(rules.game.declared.wagers, rules.round_wagers, strict=True):
        if settled.is_placed or settled.pays_on:
            continue
        chips = _chips(playing, number, state, seat, id)
        if settled.is_apart and not (chips.lies or chips.is_settled):
            continue
        draft = playing.places[number - 1].draft.get(rules.first_wager, 0)
        amount = chips.lies if is_on else draft if settled.equals else 0
        if draft and not is_on:
            chips = ChipsView(lies=amount)
        views.append(RoundWagerView(id=id, name=rules.game.wager(id).name, amount=amount, chips=chips))
    return views


def _chips(playing: Playing, number: int, state: RoundState | None, seat: int, wager: str) -> ChipsView:
    """What lies on a wager of a spot, and what was settled of it as a seat of the round (from 1; 0 for none), also of
    what is paid on it. Once chips are laid out for the next round, those of the round before are gone."""
    rules = playing.table.rules
    is_on = playing.table.log is not None
    draft = playing.places[number - 1].draft
    if state is None or not seat or (draft and not is_on):
        return ChipsView(lies=draft.get(wager, 0))
    put = rules.hands_staked(wager) * sum(
        event.amount for event in _moves_of(state, seat, wager) if isinstance(event, WagerPlaced)
    )
    put += sum(
        -event.amount if isinstance(event, WagerTakenBack) else event.amount
        for event in _moves_of(state, seat, wager)
        if not isinstance(event, WagerPlaced)
    )
    settled = [event for event in state.settled if event.seat == seat and event.wager == wager]
    paid_on = [
        event
        for event in state.settled
        if event.seat == seat and event.wager != wager and rules.paid_by(event.wager) == wager
        if not event.wager.startswith(TAKE)
    ]
    staked = sum(event.staked for event in settled)
    return ChipsView(
        lies=put - staked,
        staked=staked,
        returned=sum(event.returned for event in (*settled, *paid_on)),
    )


def _moves_of(state: RoundState, seat: int, wager: str) -> list[WagerPlaced | WagerAdded | WagerTakenBack]:
    """What a seat put on a wager, or the round for it, and took back."""
    return [
        event
        for event in state.events
        if isinstance(event, WagerPlaced | WagerAdded | WagerTakenBack) and (event.seat, event.wager) == (seat, wager)
    ]


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
    kernel_rules = state.rules.kernel_rules(state.stakes)
    return QuestionView(
        spot=spot,
        hand=0 if question.is_of_seat else need.hand,
        hands=state.hands[need.seat - 1],
        id=question.id,
        text=question.text,
        pays=_pays_of(question, state.rules),
        deciding=question.deciding,
        choices=[
            _choice(choice, need)
            for choice in question.shown
            if choice.word in need.legal or state.rules.game.declared.may_come_to(choice, kernel_rules)
        ]
        if mine
        else [],
        default=question.default_of(need.legal),
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
    cost = need.cost_of(choice.word) if is_legal else 0
    return ChoiceView(
        word=choice.word,
        label=choice.label,
        key=choice.key,
        is_legal=is_legal,
        cost=cost,
        is_free=is_legal and choice.is_paid and cost == 0,
        takes_amount=choice.takes_amount,
    )
