"""How long a simulation plays: as typed, as numbers, and as whole chunks of a spec."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from croupier.errors import NotationError, RangeError
from croupier.simulate.driver import Goal
from croupier.simulate.run import Spec

USUAL_ROUNDS = "1e7"
MOST_ROUNDS = 10**15
MOST_SEED = 2**63 - 1
_COUNT = re.compile(r"-?\d{1,400}(\.\d{1,20})?(e\+?\d{1,2})?", re.IGNORECASE | re.ASCII)


@dataclass(frozen=True, kw_only=True)
class Effort:
    """How long to play, as typed. One of the three; ten million rounds if none is asked for."""

    rounds: str | None = None
    until_se: str | None = None
    seconds: str | None = None


@dataclass(frozen=True, kw_only=True)
class Target:
    """How long to play; exactly one of the three is there."""

    rounds: int | None = None
    standard_error: float | None = None
    seconds: float | None = None


def read_effort(effort: Effort) -> Target:
    """What was typed, or what is wrong with it."""
    ends = [end for end in (effort.rounds, effort.until_se, effort.seconds) if end is not None]
    if len(ends) > 1:
        raise NotationError("Say in one way only when to stop: rounds, a standard error, or seconds.", code="bad_goal")
    if effort.until_se is not None:
        return Target(standard_error=_positive(effort.until_se, "a standard error"))
    if effort.seconds is not None:
        return Target(seconds=_positive(effort.seconds, "a number of seconds"))
    return Target(rounds=parse_count(effort.rounds or USUAL_ROUNDS, "rounds", most=MOST_ROUNDS))


def goal_of(target: Target, spec: Spec) -> Goal:
    """The target in chunks of a spec, of which runs are made."""
    if target.rounds is not None:
        return Goal(chunks=-(-target.rounds // rounds_of_chunk(spec)))
    return Goal(seconds=target.seconds, standard_error=target.standard_error)


def rounds_of_chunk(spec: Spec) -> int:
    """Rounds of one chunk, with a cut card about so many."""
    if spec.shuffle != "cut-card":
        return spec.chunk_size
    hands: int = spec.rules.seats + 1
    return max(spec.chunk_size * 10 * spec.cut // (28 * hands), 1)  # 2.8 cards a hand, the dealer's too


def require_seed(seed: int) -> None:
    if isinstance(seed, bool) or not hasattr(seed, "__index__"):
        raise NotationError(f"Seed {seed!r} is not a whole number.", code="bad_seed")
    if not 0 <= seed <= MOST_SEED:
        raise RangeError(f"Seed {seed}: 0 to 2**63 - 1.", code="bad_seed")


def parse_count(text: str, things: str, *, most: int, why: str = "") -> int:
    """A number of `things`: `1000000`, `1e9`, `2_000_000`. `why` says why there may be no more than `most`."""
    plain = text.strip().replace("_", "")
    if not _COUNT.fullmatch(plain):
        raise NotationError(f'"{text}" is not a number of {things}: write 1000000 or 1e9.', code=f"bad_{things}")
    value = Fraction(plain)
    if value.denominator != 1 or not 1 <= value <= most:
        limit = f"{most:,}" if most < 10**6 else f"{most:.0e}".replace("e+0", "e").replace("e+", "e")
        reason = f", {why}" if why else ""
        raise RangeError(
            f"{text} {things} is out of range: give a whole number from 1 to {limit}{reason}.", code=f"bad_{things}"
        )
    return int(value)


def parse_years(text: str, most: int) -> int:
    """Years of a meter: `most` is what it plays in ten minutes, `MeterSpec.most_years`, or less."""
    return parse_count(text, "years", most=most, why="about ten minutes of work for one core")


def _positive(text: str, what: str) -> float:
    try:
        value = float(text)
    except ValueError:
        raise NotationError(f'"{text}" is not {what}: write 0.0001 or 30.', code="bad_goal") from None
    if not 0 < value < float("inf"):
        raise RangeError(f"{text} is not {what}: it must be more than nothing, and have an end.", code="bad_goal")
    return value
