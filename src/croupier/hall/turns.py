"""What players do, and what the clock does when they do not."""

from __future__ import annotations

from collections.abc import Mapping

from croupier.errors import IllegalActionError, StaleRevisionError, unknown
from croupier.hall.actions import (
    ALL_MY_SPOTS,
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
from croupier.hall.money import at_risk
from croupier.hall.play import Playing
from croupier.hall.saved import HallSpot
from croupier.money import MICROS_PER_DOLLAR, dollars_for_people
from croupier.store.play import Player
from croupier.table.replay import NeedsAnswer
from croupier.table.setup import TAKE, Stakes, make_rules, wagered_on
from croupier.table.shoe import LiveShoe, shuffle_for
from croupier.table.table import Answer, Leave, MakeWagers, Sit, StartRound

MICROS_PER_SECOND = 1_000_000
TURN_SECONDS = 30
BETTING_SECONDS = 20
IDLE_SECONDS = 15 * 60
"""After so long without doing anything, somebody's spot is free for others."""
MISSED_TURNS = 2
MISSED_BETTINGS = 2
"""After so many in a row the table deals without waiting for somebody, until they do something again."""
KEPT_DRAFTS = 50


def carry_out(playing: Playing, player: Player, action: Action, id: str) -> None:
    """Does one action, or raises why not."""
    if isinstance(action, SitDown):
        require_spot(playing, action.spot)
        _sit_down(playing, player, action.spot)
        _set_clock(playing)
        return
    spots = _spots_of(playing, player, action)
    for spot in spots:
        playing.places[spot - 1].active_micros = playing.clock()
        playing.places[spot - 1].missed = 0
    for spot in spots_of(playing, player):
        playing.places[spot - 1].passed = 0
    if isinstance(action, GetUp):
        _get_up(playing, action.spot)
        if playing.is_shared and playing.table.log is None and any(place.ready for place in playing.places):
            _start_if_all_pressed(playing, id)
    elif isinstance(action, Decide):
        _decide(playing, player, action, id)
    elif isinstance(action, Deal):
        _deal(playing, player, spots, id, rebet=action.rebet)
    elif isinstance(action, ChooseRules):
        _choose_rules(playing, action)
    else:
        _lay_out(playing, player, spots, action)
    _set_clock(playing)


def require_spot(playing: Playing, spot: int) -> None:
    if not 1 <= spot <= playing.seats:
        raise IllegalActionError(f"There is no spot {spot}: 1 to {playing.seats}.", code="no_spot")


def spots_of(playing: Playing, player: Player) -> list[int]:
    """Where a player sits."""
    return [number for number, place in enumerate(playing.places, 1) if place.player == player.id]


def _spots_of(playing: Playing, player: Player, action: Action) -> list[int]:
    """The spots that an action is for, which are the player's own."""
    mine = spots_of(playing, player)
    if action.spot == ALL_MY_SPOTS and isinstance(action, ClearChips | DoubleChips | Rebet | TakeBack | Deal):
        if not mine:
            raise IllegalActionError("You do not sit at this table: sit down first.", code="not_your_spot")
        return mine
    require_spot(playing, action.spot)
    if action.spot not in mine:
        raise IllegalActionError(f"You do not sit at spot {action.spot}: sit down there first.", code="not_your_spot")
    return [action.spot]


def _sit_down(playing: Playing, player: Player, spot: int) -> None:
    now = playing.clock()
    place = playing.places[spot - 1]
    if place.player == player.id:
        return
    if place.player and place.player != player.id and is_idle(place, now):
        _get_up(playing, spot)
    playing.do(Sit(spot=spot, player=player.id))
    playing.places[spot - 1] = HallSpot(player=player.id, name=player.name, active_micros=now)


def is_idle(place: HallSpot, now_micros: int) -> bool:
    """Whether somebody's spot is free for others by now."""
    return now_micros - place.active_micros > IDLE_SECONDS * MICROS_PER_SECOND


def _get_up(playing: Playing, spot: int) -> None:
    playing.do(Leave(spot=spot))
    playing.places[spot - 1] = HallSpot()


def _lay_out(playing: Playing, player: Player, spots: list[int], action: Action) -> None:
    if playing.table.log is not None:
        raise IllegalActionError("A round is on; wagers are made before the first card.", code="round_on")
    mine = [playing.places[spot - 1] for spot in spots_of(playing, player)]
    if isinstance(action, TakeBack):
        if not any(place.undo for place in mine):
            raise IllegalActionError("There is nothing to take back.", code="nothing_to_undo")
        for place in mine:
            if place.undo:
                place.draft, place.ready = place.undo.pop(), False
        return
    changed = {spot: _new_draft(playing, playing.places[spot - 1], action) for spot in spots}
    _require_purse_for(playing, player, changed)
    if isinstance(action, Rebet) and not any(changed.values()):
        raise IllegalActionError("There was no round to repeat the wagers of.", code="nothing_to_rebet")
    for place in mine:  # all of them, so that one step back is the latest change, wherever it was
        place.undo = [*place.undo, place.draft][-KEPT_DRAFTS:]
    for spot, draft in changed.items():
        playing.places[spot - 1].draft = draft
        playing.places[spot - 1].ready = False


def _new_draft(playing: Playing, place: HallSpot, action: Action) -> dict[str, int]:
    if isinstance(action, ClearChips):
        return {}
    if isinstance(action, Rebet):
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
    ids = list(playing.table.rules.made_first)
    if playing.setup is not None:
        here = {wager.wager for wager in playing.setup.wagers}
        if playing.dealt is not None:
            here |= {jackpot.wager for jackpot in playing.dealt.floor.jackpots_at(playing.setup)}
        ids = [id for id in ids if id in here]
    takes = [f"take:{id}" for id in ids if game.wager(id).take_bets]
    return [*ids, *takes]


def sensor_amounts(playing: Playing, wager: str) -> list[int]:
    """What the sensors of a progressive take at this table, the usual amount first."""
    if playing.setup is not None and playing.dealt is not None:
        for jackpot in playing.dealt.floor.jackpots_at(playing.setup):
            if jackpot.wager == wager:
                return [int(jackpot.wager_micros)]
    table = playing.table.rules.placed[wager].pay_table
    return [unit * MICROS_PER_DOLLAR for unit in (table.stake, *table.scales_to)]


def most_on(playing: Playing, wager: str) -> int | None:
    """The most a wager may be here: the house's limit or the law's."""
    rules = playing.table.rules
    limit = rules.limits.get(wagered_on(wager))
    law = rules.most_by_law(wagered_on(wager))
    return min((most for most in (limit.most if limit else None, law) if most is not None), default=None)


def wager_name(playing: Playing, wager: str) -> str:
    """What the layout calls a wager."""
    name = playing.table.rules.game.wager(wagered_on(wager)).name
    return f"{name} for the dealer" if wager.startswith(TAKE) else name


def _require_below_limit(playing: Playing, wager: str, amount: int) -> None:
    most = most_on(playing, wager)
    if most is not None and amount > most:
        raise IllegalActionError(
            f"{wager_name(playing, wager)} takes at most {dollars_for_people(most)} here, "
            f"not {dollars_for_people(amount)}.",
            code="over_maximum",
        )
    if playing.table.rules.game.wager(wagered_on(wager)).kind == "progressive" and amount:
        accepted = sensor_amounts(playing, wager)
        if amount not in accepted:
            listing = " or ".join(dollars_for_people(accepted_amount) for accepted_amount in accepted)
            raise IllegalActionError(
                f"The sensor of {wager_name(playing, wager)} takes {listing} here, not {dollars_for_people(amount)}.",
                code="bad_sensor_wager",
            )


def _deal(playing: Playing, player: Player, spots: list[int], id: str, *, rebet: bool) -> None:
    """Wagers what lies on these spots; those of the player without chips sit the round out."""
    if playing.table.log is not None:
        raise IllegalActionError("A round is on; wagers are made before the first card.", code="round_on")
    places = {spot: playing.places[spot - 1] for spot in spots}
    if rebet:
        if not any(place.last for place in places.values()):
            raise IllegalActionError("There was no round to repeat the wagers of.", code="nothing_to_rebet")
        for place in places.values():
            place.draft = dict(place.last)
    wagering = {spot: place for spot, place in places.items() if place.draft}
    if not wagering:
        raise IllegalActionError("Put chips on the layout first.", code="no_wager")
    _require_purse(playing, player, {spot: place.draft for spot, place in wagering.items()})
    for spot, place in wagering.items():
        playing.do(MakeWagers(spot=spot, wagers=dict(place.draft)))
        place.ready = True
    _start_if_all_pressed(playing, id)


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
    kind = shuffle_for(rules.game.shuffles, action.shuffle or table.shoe.kind)
    table.rules = rules
    table.shoe = LiveShoe(rules.decks, kind, deck_size=rules.game.declared.deck_size)
    table.history.clear()
    for place in playing.places:
        place.draft, place.undo, place.last, place.ready = {}, [], {}, False


def waited_for(playing: Playing) -> list[int]:
    """The spots whose players the deal waits for: with chips laid out, or present at a shared table and not ready."""
    ready = {place.player for place in playing.places if place.ready}
    return [
        number
        for number, place in enumerate(playing.places, 1)
        if place.player and not place.ready and not is_sitting_out(place)
        if place.draft or (playing.is_shared and place.player not in ready and not is_idle(place, playing.clock()))
    ]


def is_sitting_out(place: HallSpot) -> bool:
    """Whether the table has waited for this player's wagers often enough."""
    return place.passed >= MISSED_BETTINGS


def _start_if_all_pressed(playing: Playing, id: str) -> None:
    if not waited_for(playing):
        _start(playing, f"{id}/start")


def _require_purse(playing: Playing, player: Player, drafts: Mapping[int, Stakes]) -> None:
    ready = [
        place.draft
        for number, place in enumerate(playing.places, 1)
        if place.player == player.id and place.ready and number not in drafts
    ]
    needed = sum(at_risk(stakes, playing.table.rules) for stakes in [*ready, *drafts.values()])
    have = playing.purse_of(player.id)
    if needed > have:
        raise IllegalActionError(
            f"These wagers take {dollars_for_people(needed)}, and the purse holds {dollars_for_people(have)}: "
            "lay out less, or take more play money.",
            code="purse_short",
        )


def _require_purse_for(playing: Playing, player: Player, changed: Mapping[int, Stakes]) -> None:
    """Refuses chips that the purse does not hold, once more of them are laid out than before."""
    before = {spot: playing.places[spot - 1].draft for spot in spots_of(playing, player)}
    costs = [
        sum(at_risk(stakes, playing.table.rules) for stakes in drafts.values())
        for drafts in (before, {**before, **changed})
    ]
    have = playing.purse_of(player.id)
    if costs[1] > max(have, costs[0]):
        raise IllegalActionError(
            f"That makes {dollars_for_people(costs[1])} on the layout, and the purse holds {dollars_for_people(have)}: "
            "lay out less, or take more play money.",
            code="purse_short",
        )


def _leave_out_short(playing: Playing) -> None:
    """Who has spent elsewhere what is laid out here sits this round out: nobody else waits for that purse."""
    for player in {place.player for place in playing.places if place.ready}:
        places = [place for place in playing.places if place.player == player and place.ready]
        if sum(at_risk(place.draft, playing.table.rules) for place in places) > playing.purse_of(player):
            for place in places:
                place.ready = False


def _start(playing: Playing, id: str) -> None:
    playing.deadline_micros = None
    _leave_out_short(playing)
    if not any(place.ready for place in playing.places):
        return
    for spot, place in enumerate(playing.places, 1):
        if place.ready:
            place.last = place.draft
            place.draft, place.undo, place.ready = {}, [], False
        elif playing.table.spots[spot - 1].wagers:  # left there by a start that was refused
            playing.do(MakeWagers(spot=spot, wagers={}))
    playing.play_on(StartRound(), id)


def _decide(playing: Playing, player: Player, action: Decide, id: str) -> None:
    if action.revision != playing.table.revision:
        raise StaleRevisionError("The round has gone on since; look again before you answer.")
    added = playing.table.asked(action.spot).cost_of(action.answer)
    if added > playing.purse_of(player.id):
        raise IllegalActionError(
            f"That takes {dollars_for_people(added)} more, which the purse does not hold.", code="purse_short"
        )
    playing.play_on(Answer(spot=action.spot, answer=action.answer), id)


def _set_clock(playing: Playing) -> None:
    """The clock runs where others wait: for an answer, or for somebody's wagers; else until a spot is free again whose
    player does nothing.

    It is slow for somebody alone at a shared table: who left in the middle of a round does not keep others away.
    """
    now = playing.clock()
    players = {place.player for place in playing.places if place.player}
    state = playing.table.state
    if not playing.is_shared:
        playing.deadline_micros = None
    elif playing.table.log is not None and state is not None and isinstance(state.need, NeedsAnswer):
        asked = playing.places[playing.table.playing[state.need.seat - 1] - 1]
        seconds = TURN_SECONDS if len(players) > 1 else 0 if is_idle(asked, now) else IDLE_SECONDS
        playing.deadline_micros = now + seconds * MICROS_PER_SECOND
    elif len(players) > 1 and any(place.ready for place in playing.places):
        betting = now + BETTING_SECONDS * MICROS_PER_SECOND
        playing.deadline_micros = min(playing.deadline_micros or betting, betting)
    elif playing.table.log is None:
        playing.deadline_micros = _next_idle(playing)
    else:
        playing.deadline_micros = None


def _next_idle(playing: Playing) -> int | None:
    """When the first spot is free again whose player does nothing; None where nobody sits."""
    since = [place.active_micros for place in playing.places if place.player]
    return min(since) + IDLE_SECONDS * MICROS_PER_SECOND + 1 if since else None


def is_waiting_for_wagers(playing: Playing) -> bool:
    """Whether the clock that runs is one for somebody's wagers, and not that of seats nobody uses."""
    return playing.table.log is None and any(place.ready for place in playing.places)


def time_out(playing: Playing, id: str) -> None:
    """The clock has run out."""
    state = playing.table.state
    if playing.table.log is not None and state is not None and isinstance(state.need, NeedsAnswer):
        spot = playing.table.playing[state.need.seat - 1]
        question = state.rules.game.declared.question(state.need.question)
        playing.play_on(Answer(spot=spot, answer=question.default_of(state.need.legal)), id)
        place = playing.places[spot - 1]
        place.missed += 1
    elif any(place.ready for place in playing.places):
        for number in waited_for(playing):
            playing.places[number - 1].passed += 1
        _start(playing, id)
    if playing.table.log is None:
        now = playing.clock()
        for number, place in enumerate(playing.places, 1):
            if place.player and (place.missed >= MISSED_TURNS or (is_idle(place, now) and not place.ready)):
                _get_up(playing, number)
    playing.deadline_micros = None
    _set_clock(playing)
