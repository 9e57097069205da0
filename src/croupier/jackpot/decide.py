"""What a command does, or why it is refused. Pure: reads the state, returns the event, changes nothing."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from croupier.errors import IllegalActionError, RangeError, StaleRevisionError
from croupier.jackpot import adjusting, awards, rounds
from croupier.jackpot.accounts import Moves
from croupier.jackpot.commands import (
    AdjustMeter,
    BackOutAward,
    ChangeParameters,
    CloseJackpot,
    HitJackpot,
    Level,
    LockWagers,
    OpenJackpot,
    Parameters,
    PayAward,
    RecordFact,
    RejectAward,
    Request,
    VoidRound,
)
from croupier.jackpot.events import AnyEvent, FactRecorded, JackpotOpened, ParametersChanged
from croupier.jackpot.pools import MOST_MICROS, WHOLE_PPM, require_name, require_second
from croupier.jackpot.state import State, Tally
from croupier.money import MICROS_PER_CENT, dollars_for_people

MOST_LEVELS = 8
MOST_FACT_BYTES = 4 * 1024 * 1024
"""The setup of a floor of several thousand tables."""


def decide(state: State, request: Request) -> AnyEvent:
    """The event that the request causes, or a refusal that says what was wrong and what would be right."""
    require_name("id", request.id)
    require_name("actor", request.actor)
    if request.at.tzinfo is None:
        raise RangeError("The time of a request needs a time zone, as in 2026-11-16T20:15:00Z.", code="bad_time")
    command = request.command
    match command:
        case LockWagers():
            return rounds.lock(state, command)
        case VoidRound():
            return rounds.void(state, command)
        case HitJackpot():
            return awards.hit(state, command, request.id, request.actor)
        case PayAward():
            return awards.pay(state, command)
        case RejectAward():
            return awards.reject(state, command)
        case BackOutAward():
            return awards.back_out(state, command, request.actor)
        case AdjustMeter():
            return adjusting.adjust(state, command, request.actor)
        case CloseJackpot():
            return adjusting.close(state, command, request.actor)
        case OpenJackpot():
            return _open(state, command)
        case ChangeParameters():
            return _change(state, command, request.actor)
        case RecordFact():
            return _record(state, command)


Needs = tuple[set[str], set[str], set[str], set[str], set[tuple[str, int]]]


def needs(requests: Iterable[Request]) -> Needs:
    """Names of the jackpots, tables, awards, subjects and past rounds that these commands read, for a store to fetch.

    The jackpots of awards are not among them: they are known once the awards are. A round is named by table and number,
    and is past unless it is the table's latest.
    """
    jackpots: set[str] = set()
    tables: set[str] = set()
    award_ids: set[str] = set()
    subjects: set[str] = set()
    past: set[tuple[str, int]] = set()
    for request in requests:
        command = request.command
        match command:
            case LockWagers():
                tables.add(command.table)
                jackpots.update(bet.jackpot for bet in command.bets)
            case VoidRound():
                tables.add(command.table)
                jackpots.update(command.jackpots)
            case HitJackpot():
                tables.add(command.table)
                jackpots.add(command.jackpot)
                if awards.is_by_hand(command):
                    past.add((command.table, command.round))
            case PayAward() | RejectAward() | BackOutAward():
                award_ids.add(command.award)
            case CloseJackpot():
                jackpots.update((command.jackpot, command.into))
            case OpenJackpot() | ChangeParameters() | AdjustMeter():
                jackpots.add(command.jackpot)
            case RecordFact():
                subjects.add(command.subject)
                subjects.update(command.given or ())
    return jackpots, tables, award_ids, subjects, past


def _open(state: State, command: OpenJackpot) -> JackpotOpened:
    require_name("jackpot", command.jackpot)
    if command.jackpot in state.jackpots:
        raise IllegalActionError(
            f'There is a jackpot "{command.jackpot}" already, open or closed; a name is used once.',
            code="jackpot_exists",
        )
    _require_sound(command.parameters)
    moves = Moves(state.balances)
    for level in command.parameters.levels:
        _seed(moves, command.jackpot, level)
    return JackpotOpened(jackpot=command.jackpot, parameters=command.parameters, postings=moves.postings())


def _seed(moves: Moves, jackpot: str, level: Level) -> None:
    moves.move(level.seed_micros, (jackpot, level.id, "seed"), (jackpot, level.id, "meter"))


def _change(state: State, command: ChangeParameters, actor: str) -> ParametersChanged:
    jackpot = state.open_jackpot(command.jackpot)
    require_second(actor, command.second)
    if command.based_on != jackpot.version:
        raise StaleRevisionError(
            f'The parameters of "{jackpot.id}" are at version {jackpot.version}, the change was made for '
            f"{command.based_on}: look again."
        )
    _require_sound(command.parameters)
    if command.parameters.kind != jackpot.parameters.kind:
        raise IllegalActionError(
            f'"{jackpot.id}" is a {jackpot.parameters.kind} jackpot and stays one. Close it and open another.',
            code="kind_fixed",
        )
    moves = Moves(state.balances)
    levels = {level.id: level for level in command.parameters.levels}
    for old in jackpot.parameters.levels:
        if old.id not in levels:
            raise IllegalActionError(
                f'The level "{old.id}" of "{jackpot.id}" holds money or may; a level is not dropped while its '
                "jackpot is open.",
                code="level_dropped",
            )
    for level in command.parameters.levels:
        if level.id not in jackpot.tallies:
            _seed(moves, jackpot.id, level)
        elif jackpot.parameters.kind == "house":
            _repost(moves, jackpot.id, level)
        elif level.cap_micros is not None:
            _require_cap_above(level, state.balance(jackpot.id, level.id, "meter"))
    return ParametersChanged(
        jackpot=jackpot.id,
        parameters=command.parameters,
        version=jackpot.version + 1,
        second=command.second,
        postings=moves.postings(),
    )


def _repost(moves: Moves, jackpot: str, level: Level) -> None:
    """A house jackpot shows its prize, and the money in it is the house's own: a new prize counts at once."""
    seed, meter = (jackpot, level.id, "seed"), (jackpot, level.id, "meter")
    change = level.seed_micros - moves.balance(meter)
    moves.move(abs(change), *((seed, meter) if change > 0 else (meter, seed)))


def _require_cap_above(level: Level, meter_micros: int) -> None:
    if level.cap_micros is not None and level.cap_micros < meter_micros:
        raise RangeError(
            f"The maximum {dollars_for_people(level.cap_micros)} is below the {dollars_for_people(meter_micros)} that "
            f'the meter of level "{level.id}" shows; a maximum may not be set under what stands (WAC 230-15-685).',
            code="cap_below_meter",
        )


def _require_sound(parameters: Parameters) -> None:
    ids = [level.id for level in parameters.levels]
    if not 1 <= len(ids) <= MOST_LEVELS or len(set(ids)) != len(ids):
        raise RangeError(
            f"A jackpot has one to {MOST_LEVELS} levels of different names; these are {', '.join(ids) or 'none'}.",
            code="bad_levels",
        )
    for level in parameters.levels:
        _require_sound_level(level, parameters)
    together = sum(level.contribution_ppm + level.reserve_ppm for level in parameters.levels)
    if together > WHOLE_PPM:
        raise RangeError(
            f"Contributions and reserves take {together / 10_000:g}% of each wager; all levels may take 100%.",
            code="rates_over_whole",
        )
    if parameters.kind == "house" and together:
        raise RangeError(
            "A house jackpot does not grow: its contribution and reserve are 0 (WAC 230-15-671).", code="house_grows"
        )


def _require_sound_level(level: Level, parameters: Parameters) -> None:
    require_name("level", level.id)
    for name, ppm in (("contribution", level.contribution_ppm), ("reserve", level.reserve_ppm)):
        if not 0 <= ppm <= WHOLE_PPM:
            raise RangeError(
                f'The {name} of level "{level.id}" is {ppm / 10_000:g}%; it may be 0 to 100%.', code="bad_rate"
            )
    for name, micros in (
        ("seed", level.seed_micros),
        ("maximum", level.cap_micros),
        ("unreasonable contribution", level.unreasonable_micros),
    ):
        if micros is not None and (not 0 <= micros <= MOST_MICROS or micros % MICROS_PER_CENT):
            raise RangeError(
                f'The {name} of level "{level.id}" is {micros} micros; it must be whole cents from $0 to '
                f"{dollars_for_people(MOST_MICROS)}.",
                code="bad_amount",
            )
    if parameters.kind == "house" and level.seed_micros == 0:
        raise RangeError("The prize of a house jackpot is its seed and cannot be $0.", code="bad_amount")
    _require_cap_above(level, level.seed_micros)


def new_tallies(parameters: Parameters, before: dict[str, Tally]) -> dict[str, Tally]:
    """A tally for every level, new ones at zero."""
    return {level.id: before.get(level.id, Tally()) for level in parameters.levels}


def _record(state: State, command: RecordFact) -> FactRecorded:
    require_name("subject", command.subject)
    require_name("kind", command.kind)
    known = state.facts.get(command.subject)
    version = known.version if known else 0
    other_versions = command.given or {}
    for subject, made_for in (*other_versions.items(), (command.subject, command.based_on)):
        fact = state.facts.get(subject)
        at = fact.version if fact else 0
        if made_for is not None and made_for != at:
            raise StaleRevisionError(f'"{subject}" is at version {at}, the change was made for {made_for}: look again.')
    if len(msgspec.json.encode(command.body)) > MOST_FACT_BYTES:
        raise RangeError(
            f'What is to be recorded on "{command.subject}" is longer than {MOST_FACT_BYTES} bytes.',
            code="fact_too_long",
        )
    return FactRecorded(subject=command.subject, kind=command.kind, version=version + 1, body=command.body)
