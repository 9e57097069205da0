"""What players do, and what the clock does when they do not."""

from __future__ import annotations

from croupier.errors import IllegalActionError, StaleRevisionError, unknown
from croupier.hall.actions import (
    Action,
    ChooseRules,
    ClearChips,
    Deal,
    Decide,
    DoubleChips,
    GetUp,
    LayChips,
    Rebet,
    SitDown,
    TakeBack,
)
from croupier.hall.money import added_by, at_risk
from croupier.hall.play import RETRY_MICROS, Playing
from croupier.hall.saved import Place
from croupier.money import dollars_for_people
from croupier.store.play import Player
from croupier.table.replay import NeedsAnswer
from croupier.table.setup import Stakes, make_rules, wagered_on
from croupier.table.shoe import LiveShoe
from croupier.table.table import Answer, FinishRound, Leave, MakeWagers, Sit, StartRound

MICROS_PER_SECOND = 1_000_000
TURN_SECONDS = 30
BETTING_SECONDS = 20
IDLE_SECONDS = 15 * 60
"""After so long without doing anything, somebody's spot is free for others."""
MISSED_TURNS = 2
KEPT_DRAFTS = 50
DEFAULT_ANSWERS = ("stand", "decline", "keep", "first")
"""What the clock answers."""


def carry_out(playing: Playing, player: Player, action: Action, id: str) -> None:
    """Does one action, or raises why not."""
    if not 1 <= action.spot <= playing.seats:
        raise IllegalActionError(f"There is no spot {action.spot}: 1 to {playing.seats}.", code="no_spot")
    place = playing.places[action.spot - 1]
    if isinstance(action, SitDown):
        _sit_down(playing, player, action.spot, id)
        return
    if place.player != player.id:
        raise IllegalActionError(f"You do not sit at spot {action.spot}: sit down there first.", code="not_your_spot")
    place.active_micros = playing.clock()
    place.missed = 0
    if isinstance(action, GetUp):
        _get_up(playing, action.spot, id)
    elif isinstance(action, Decide):
        _decide(playing, player, action, id)
    elif isinstance(action, Deal):
        _deal(playing, player, action, id)
    elif isinstance(action, ChooseRules):
        _choose_rules(playing, action)
    else:
        _lay_out(playing, place, action)
    _set_clock(playing)


def _sit_down(playing: Playing, player: Player, spot: int, id: str) -> None:
    now = playing.clock()
    place = playing.places[spot - 1]
    if place.player and place.player != player.id and now - place.active_micros > IDLE_SECONDS * MICROS_PER_SECOND:
        _get_up(playing, spot, f"{id}/idle")
    playing.do(Sit(spot=spot, player=player.id), id)
    playing.places[spot - 1] = Place(player=player.id, name=player.name, active_micros=now)


def _get_up(playing: Playing, spot: int, id: str) -> None:
    playing.do(Leave(spot=spot), id)
    playing.places[spot - 1] = Place()


def _lay_out(playing: Playing, place: Place, action: Action) -> None:
    if playing.table.log is not None:
        raise IllegalActionError("A round is on; wagers are made before the first card.", code="round_on")
    if isinstance(action, TakeBack):
        if not place.undo:
            raise IllegalActionError("There is nothing to take back.", code="nothing_to_undo")
        place.draft = place.undo.pop()
    else:
        new = _new_draft(playing, place, action)
        place.undo = [*place.undo, place.draft][-KEPT_DRAFTS:]
        place.draft = new
    place.ready = False


def _new_draft(playing: Playing, place: Place, action: Action) -> dict[str, int]:
    if isinstance(action, ClearChips):
        return {}
    if isinstance(action, Rebet):
        if not place.last:
            raise IllegalActionError("There was no round to repeat the wagers of.", code="nothing_to_rebet")
        return dict(place.last)
    if isinstance(action, DoubleChips):
        wagers = playing.table.rules.game.wager
        return {
            name: amount * (1 if wagers(wagered_on(name)).kind == "progressive" else 2)
            for name, amount in place.draft.items()
        }
    assert isinstance(action, LayChips)
    if action.wager not in offered(playing):
        raise unknown("wager", action.wager, offered(playing), " at this table")
    draft = dict(place.draft)
    draft[action.wager] = draft.get(action.wager, 0) + action.micros
    if draft[action.wager] <= 0:
        del draft[action.wager]
    _require_below_limit(playing, action.wager, draft.get(action.wager, 0))
    return draft


def offered(playing: Playing) -> list[str]:
    """The wagers on this table's layout that are made before the first card."""
    game = playing.table.rules.game
    ids = [wager.id for wager in game.wagers if wager.kind != "insurance"]
    if playing.setup is not None:
        here = {wager.wager for wager in playing.setup.wagers}
        if playing.dealt is not None:
            here |= {jackpot.wager for jackpot in playing.dealt.floor.jackpots_at(playing.setup)}
        ids = [id for id in ids if id in here]
    takes = [f"take:{id}" for id in ids if game.wager(id).take_bets]
    return [*ids, *takes]


def _require_below_limit(playing: Playing, wager: str, amount: int) -> None:
    rules = playing.table.rules
    limit = rules.limits.get(wagered_on(wager))
    most = min(most for most in (limit.most if limit else None, rules.cap, 10**15) if most is not None)
    if amount > most:
        raise IllegalActionError(
            f'"{wager}" takes at most {dollars_for_people(most)} here, not {dollars_for_people(amount)}.',
            code="over_maximum",
        )


def _deal(playing: Playing, player: Player, action: Deal, id: str) -> None:
    place = playing.places[action.spot - 1]
    if playing.table.log is not None:
        raise IllegalActionError("A round is on; wagers are made before the first card.", code="round_on")
    if action.rebet:
        place.draft = _new_draft(playing, place, Rebet(spot=action.spot))
    if not place.draft:
        raise IllegalActionError("Put chips on the layout first.", code="no_wager")
    _require_purse(playing, player, action.spot, place.draft)
    playing.do(MakeWagers(spot=action.spot, wagers=dict(place.draft)), id)
    place.ready = True
    if not _others_laying(playing):
        _start(playing, f"{id}/start")


def _choose_rules(playing: Playing, action: ChooseRules) -> None:
    table = playing.table
    if playing.is_shared:
        raise IllegalActionError("The house sets the rules of this table; choose them at your own.", code="house_rules")
    if table.log is not None:
        raise IllegalActionError("A round is on; rules are chosen between rounds.", code="round_on")
    rules = make_rules(
        table.rules.game,
        decks=action.decks,
        settings=action.settings,
        pay_tables=action.pay_tables,
        day=table.rules.day,
    )
    _ = rules.placed  # refuses what does not go together
    table.rules = rules
    table.shoe = LiveShoe(rules.decks, table.shoe.kind)
    table.history.clear()
    for place in playing.places:
        place.draft, place.undo, place.last, place.ready = {}, [], {}, False


def _others_laying(playing: Playing) -> bool:
    """Whether somebody has chips on the layout and has not pressed "deal"."""
    return any(place.draft and not place.ready for place in playing.places)


def _require_purse(playing: Playing, player: Player, spot: int, draft: Stakes) -> None:
    mine = [
        place.draft
        for number, place in enumerate(playing.places, 1)
        if place.player == player.id and place.ready and number != spot
    ]
    needed = sum(at_risk(stakes, playing.table.rules) for stakes in [*mine, draft])
    have = playing.purse_of(player.id)
    if needed > have:
        raise IllegalActionError(
            f"These wagers take {dollars_for_people(needed)}, and the purse holds {dollars_for_people(have)}: "
            "lay out less, or take more play money.",
            code="purse_short",
        )


def _start(playing: Playing, id: str) -> None:
    playing.deadline_micros = None
    for spot, place in enumerate(playing.places, 1):
        if place.ready:
            place.last = place.draft
            place.draft, place.undo, place.ready = {}, [], False
        elif playing.table.spots[spot - 1].wagers:  # left there by a start that was refused
            playing.do(MakeWagers(spot=spot, wagers={}), f"{id}/{spot}")
    playing.do(StartRound(), id)


def _decide(playing: Playing, player: Player, action: Decide, id: str) -> None:
    if action.revision != playing.table.revision:
        raise StaleRevisionError("The round has gone on since; look again before you answer.")
    state = playing.table.state
    if playing.table.log is not None and state is not None and isinstance(state.need, NeedsAnswer):
        added = added_by(action.answer, state.need, state)
        if added > playing.purse_of(player.id):
            raise IllegalActionError(
                f"That takes {dollars_for_people(added)} more, which the purse does not hold.", code="purse_short"
            )
    playing.do(Answer(spot=action.spot, answer=action.answer), id)


def _set_clock(playing: Playing) -> None:
    """The clock runs where others wait: for an answer, or for chips being laid out. It also looks after claims."""
    now = playing.clock()
    if playing.is_waiting:
        playing.deadline_micros = now + RETRY_MICROS
        return
    players = {place.player for place in playing.places if place.player}
    state = playing.table.state
    if not playing.is_shared or len(players) < 2:
        playing.deadline_micros = None
    elif playing.table.log is not None and state is not None and isinstance(state.need, NeedsAnswer):
        playing.deadline_micros = now + TURN_SECONDS * MICROS_PER_SECOND
    elif any(place.ready for place in playing.places):
        playing.deadline_micros = playing.deadline_micros or now + BETTING_SECONDS * MICROS_PER_SECOND
    else:
        playing.deadline_micros = None


def time_out(playing: Playing, id: str) -> None:
    """The clock has run out."""
    if playing.is_waiting:
        assert playing.dealt is not None
        if not playing.dealt.desk.table(playing.id).terminal.claims:
            playing.do(FinishRound(), id)
        _set_clock(playing)
        return
    state = playing.table.state
    if playing.table.log is not None and state is not None and isinstance(state.need, NeedsAnswer):
        spot = playing.table.playing[state.need.seat - 1]
        answer = next((word for word in DEFAULT_ANSWERS if word in state.need.legal), state.need.legal[0])
        playing.do(Answer(spot=spot, answer=answer), id)
        place = playing.places[spot - 1]
        place.missed += 1
    elif any(place.ready for place in playing.places):
        _start(playing, id)
    if playing.table.log is None:
        for number, place in enumerate(playing.places, 1):
            if place.missed >= MISSED_TURNS:
                _get_up(playing, number, f"{id}/{number}")
    playing.deadline_micros = None
    _set_clock(playing)
