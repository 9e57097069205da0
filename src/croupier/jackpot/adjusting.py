"""Changes by hand: documented adjustments for the lawful reasons, and the end of a jackpot."""

from __future__ import annotations

from croupier.errors import IllegalActionError, RangeError
from croupier.jackpot.accounts import WHOLE, Account, Key, Moves
from croupier.jackpot.commands import AdjustMeter, CloseJackpot, Level, Pool, Reason
from croupier.jackpot.events import JackpotClosed, MeterAdjusted
from croupier.jackpot.pools import MOST_MICROS, pour, require_note, require_second
from croupier.jackpot.state import Jackpot, State
from croupier.money import dollars_for_people

POOLS: tuple[Pool, ...] = ("meter", "reserve", "overflow")
MAY_TOUCH: dict[Reason, tuple[Pool, ...]] = {
    "correct_display": ("meter",),
    "record_receipts": ("reserve", "overflow"),
    "recover_seed": POOLS,
    "release_overflow": ("overflow",),
    "house_addition": ("meter",),
    "carried_in": POOLS,
}
"""The pools that a reason may touch."""


def adjust(state: State, command: AdjustMeter, actor: str) -> MeterAdjusted:
    """Moves money for one lawful reason; the reason alone says from where to where."""
    jackpot = state.open_jackpot(command.jackpot)
    level = jackpot.level(command.level)
    require_second(actor, command.second)
    require_note(command.note)
    _require_sound(jackpot, command)
    moves = Moves(state.balances)

    def account(name: Account) -> Key:
        return (jackpot.id, level.id, name)

    pool = account(command.pool)
    match command.reason:
        case "correct_display" if command.micros < 0:
            _take(moves, -command.micros, pool, account("adjustments"), command)
        case "correct_display" | "house_addition" | "carried_in":
            _require_room(moves, level, command, pool)
            moves.move(command.micros, account("adjustments"), pool)
        case "record_receipts":
            _take(moves, command.micros, pool, (jackpot.id, WHOLE, "receipts"), command)
        case "recover_seed":
            _require_seed_within(moves, jackpot, level, command)
            _take(moves, command.micros, pool, account("seed"), command)
            _require_posted_seed(moves, level, command)
        case "release_overflow":
            _require_room(moves, level, command, account("meter"))
            _take(moves, command.micros, pool, account("meter"), command)
    return MeterAdjusted(
        jackpot=jackpot.id,
        level=level.id,
        code=command.reason,
        micros=command.micros,
        pool=command.pool,
        note=command.note,
        second=command.second,
        postings=moves.postings(),
    )


def _require_sound(jackpot: Jackpot, command: AdjustMeter) -> None:
    if jackpot.parameters.kind == "house":
        raise IllegalActionError(
            f'"{jackpot.id}" is a house jackpot: it holds no player money to adjust. Change its prize instead.',
            code="house_not_adjusted",
        )
    if command.pool not in MAY_TOUCH[command.reason]:
        raise IllegalActionError(
            f"The reason {command.reason} does not touch the {command.pool}, only "
            f"{' or '.join(MAY_TOUCH[command.reason])}.",
            code="reason_pool",
        )
    may_lower = command.reason == "correct_display"
    if command.micros == 0 or (command.micros < 0 and not may_lower):
        raise RangeError(
            f"An adjustment of {dollars_for_people(command.micros)} for {command.reason} is not possible; give an "
            "amount above $0" + (" or below." if may_lower else "."),
            code="bad_adjustment",
        )
    if abs(command.micros) > MOST_MICROS:
        raise RangeError(
            f"An adjustment of {dollars_for_people(command.micros)} is more than this program handles.",
            code="bad_adjustment",
        )


def _take(moves: Moves, micros: int, source: Key, target: Key, command: AdjustMeter) -> None:
    if micros > moves.balance(source):
        raise IllegalActionError(
            f'The {source[2]} of "{command.jackpot}" holds {dollars_for_people(moves.balance(source))}; '
            f"{dollars_for_people(micros)} cannot be taken from it.",
            code="not_enough",
        )
    moves.move(micros, source, target)


def _require_room(moves: Moves, level: Level, command: AdjustMeter, pool: Key) -> None:
    if pool[2] == "meter" and level.cap_micros is not None:
        room = max(0, level.cap_micros - moves.balance(pool))
        if command.micros > room:
            raise IllegalActionError(
                f'The meter of "{command.jackpot}" may rise by {dollars_for_people(room)} to its posted maximum, '
                f"not by {dollars_for_people(command.micros)}.",
                code="over_cap",
            )


def _seed_within(moves: Moves, jackpot: Jackpot, level: Level) -> int:
    """The seed that the house may recover from a level: what it advanced and neither took back nor lost to a winner,
    one seed at most at a time.

    What players put in since does not make up for a seed that a winner has, however often it is asked for.
    """
    lies_in_it = -moves.balance((jackpot.id, level.id, "seed")) - jackpot.tallies[level.id].seed_won_micros
    return max(0, min(lies_in_it, level.seed_micros))


def _require_seed_within(moves: Moves, jackpot: Jackpot, level: Level, command: AdjustMeter) -> None:
    within = _seed_within(moves, jackpot, level)
    if command.micros > within:
        raise IllegalActionError(
            f'At most {dollars_for_people(within)} of seed money lies in "{command.jackpot}", as the rest was won or '
            f"recovered; {dollars_for_people(command.micros)} cannot be recovered.",
            code="not_enough_seed",
        )


def _require_posted_seed(moves: Moves, level: Level, command: AdjustMeter) -> None:
    """An open jackpot keeps what is posted as its least: tables play for it."""
    left = moves.balance((command.jackpot, level.id, "meter"))
    if command.pool == "meter" and left < level.seed_micros:
        raise IllegalActionError(
            f'The meter of "{command.jackpot}" would fall to {dollars_for_people(left)}, below its posted seed of '
            f"{dollars_for_people(level.seed_micros)}. Recover less, or close the jackpot, which gives the seed back.",
            code="below_seed",
        )


def close(state: State, command: CloseJackpot, actor: str) -> JackpotClosed:
    """Seed back to the house, all other held money to another jackpot; nothing is left behind."""
    jackpot = state.open_jackpot(command.jackpot)
    require_second(actor, command.second)
    require_note(command.note)
    moves = Moves(state.balances)
    recovered = left = 0
    for level in jackpot.parameters.levels:
        waiting = state.balance(jackpot.id, level.id, "pending")
        if waiting:
            raise IllegalActionError(
                f'"{jackpot.id}" has {dollars_for_people(waiting)} in pending awards: pay or reject them first.',
                code="award_pending",
            )
        recovered += _recover_seed(moves, jackpot, level)
        for pool in POOLS:
            micros = moves.balance((jackpot.id, level.id, pool))
            moves.move(micros, (jackpot.id, level.id, pool), (jackpot.id, level.id, "adjustments"))
            left += micros
    if left:
        _hand_over(state, moves, command, left)
    return JackpotClosed(
        jackpot=jackpot.id,
        into=command.into if left else "",
        into_level=command.into_level if left else "",
        seed_micros=recovered,
        moved_micros=left,
        note=command.note,
        second=command.second,
        postings=moves.postings(),
    )


def _recover_seed(moves: Moves, jackpot: Jackpot, level: Level) -> int:
    """The seed that lies in a level, from the meter as far as that goes."""
    meter: Key = (jackpot.id, level.id, "meter")
    seed: Key = (jackpot.id, level.id, "seed")
    micros = min(_seed_within(moves, jackpot, level), moves.balance(meter))
    moves.move(micros, meter, seed)
    return micros


def _hand_over(state: State, moves: Moves, command: CloseJackpot, micros: int) -> None:
    if not command.into or command.into == command.jackpot:
        raise IllegalActionError(
            f'"{command.jackpot}" holds {dollars_for_people(micros)} of players\' money, which the house only keeps '
            "for them (WAC 230-15-671): name another jackpot that gets it.",
            code="funds_remain",
        )
    heir = state.open_jackpot(command.into)
    if heir.parameters.kind == "house":
        raise IllegalActionError(
            f'"{heir.id}" is a house jackpot and holds no player money; name a progressive.', code="kinds_mixed"
        )
    level = heir.level(command.into_level)
    pour(moves, heir, level, micros, (heir.id, level.id, "adjustments"))
