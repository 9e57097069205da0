"""Where the ledger stands: frozen values under their names, replaced by events and never changed."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from croupier.errors import CroupierError, IllegalActionError, unknown
from croupier.jackpot.accounts import Account, Key
from croupier.jackpot.commands import Level, LockedWager, Parameters
from croupier.jackpot.events import Accrual, Prize
from croupier.jackpot.fields import Approvers


class Tally(Struct, frozen=True, kw_only=True):
    """What is known of a level beside its balances."""

    meter_carry: int = 0
    """Millionths of a micro owed to the meter; they go with its next contribution."""
    reserve_carry: int = 0
    reset_by: str = ""
    """The 100% award after which the meter was last seeded: tells whether the money of a reset is still in it."""
    hit_micros: int = 0
    """All awards ever locked. Less what was returned, it is what is pending or paid: a second count of the same."""
    returned_micros: int = 0
    seed_won_micros: int = 0
    """Of the seed that the house advanced, what went out with awards: what players put in does not make up for it."""


class Jackpot(Struct, frozen=True, kw_only=True):
    """A jackpot without its balances."""

    id: str
    parameters: Parameters
    version: int
    closed: bool = False
    tallies: dict[str, Tally]

    def level(self, level: str) -> Level:
        for candidate in self.parameters.levels:
            if candidate.id == level:
                return candidate
        raise unknown("level", level, (known.id for known in self.parameters.levels), f' of jackpot "{self.id}"')


class Winner(Struct, frozen=True, kw_only=True):
    """A seat's award: it wins a jackpot once in a round."""

    jackpot: str
    seat: int
    award: str


class TableRound(Struct, frozen=True, kw_only=True):
    """The latest round of a table: its locked wagers, and the awards it has so far. A void round has no wagers."""

    table: str
    round: int
    bets: tuple[LockedWager, ...]
    accruals: tuple[Accrual, ...] = ()
    """What the meters and reserves got of the wagers."""
    winners: tuple[Winner, ...] = ()


Status = Literal["pending", "paid", "rejected", "backed_out"]


class Award(Prize, frozen=True, kw_only=True):
    """One award, from its hit on."""

    id: Annotated[str, Meta(description="Its id.")]
    reset_by_before: Annotated[str, Meta(description="The same, before this award.")]
    seed_won_micros: Annotated[int, Meta(description="The house's seed money that went out with it.")] = 0
    status: Annotated[Status, Meta(description="Where it stands.")] = "pending"
    approved_by: Approvers = ()
    chip_micros: Annotated[
        int | UnsetType,
        Meta(
            description="The wager that goes back to each winner with the payment; of most awards none, and then "
            "it is not stored."
        ),
    ] = UNSET

    @property
    def chips_micros(self) -> int:
        """What goes back to all winners together, beside the award."""
        return (self.chip_micros or 0) * len(self.seats)

    @property
    def is_live(self) -> bool:
        """Whether it stands: a seat wins a jackpot once in a round."""
        return self.status in ("pending", "paid")


class RecordedFact(Struct, frozen=True, kw_only=True):
    """The newest of what was recorded on a subject."""

    subject: str
    version: int
    kind: str
    body: dict[str, Any]


@dataclass
class State:
    """All of it, or the part that an event changed."""

    jackpots: dict[str, Jackpot] = field(default_factory=dict)
    rounds: dict[str, TableRound] = field(default_factory=dict)
    awards: dict[str, Award] = field(default_factory=dict)
    facts: dict[str, RecordedFact] = field(default_factory=dict)
    balances: dict[Key, int] = field(default_factory=dict)
    past: dict[tuple[str, int], TableRound] = field(default_factory=dict)
    """Rounds before the latest of their tables, by table and number: read from the log where an award is entered for
    one of them, and kept nowhere else."""

    def update(self, changes: State) -> None:
        """Takes over what an event changed."""
        for mine, new in zip(self._parts(), changes._parts(), strict=True):
            mine.update(new)

    def undo(self, changes: State, before: State) -> None:
        """Puts back what `update(changes)` replaced, given what `part(changes)` returned before it."""
        for mine, new, old in zip(self._parts(), changes._parts(), before._parts(), strict=True):
            for name in new:
                del mine[name]
            mine.update(old)

    def part(self, names: State) -> State:
        """The values of this state under the names in another."""
        part = State()
        for mine, chosen, target in zip(self._parts(), names._parts(), part._parts(), strict=True):
            target.update({name: mine[name] for name in chosen if name in mine})
        return part

    def _parts(self) -> tuple[dict[Any, Any], ...]:
        return (self.jackpots, self.rounds, self.awards, self.facts, self.balances, self.past)

    def round_of(self, table: str, number: int) -> TableRound | None:
        """A table's round: its latest one, or one that was read from the log."""
        latest = self.rounds.get(table)
        return latest if latest is not None and latest.round == number else self.past.get((table, number))

    def copy(self) -> State:
        """The same values, to try something on."""
        return State(*(dict(part) for part in self._parts()))

    def balance(self, jackpot: str, level: str, account: Account) -> int:
        return self.balances.get((jackpot, level, account), 0)

    def open_jackpot(self, jackpot: str) -> Jackpot:
        """The jackpot, or the refusal: there is none of that name, or it is closed."""
        state = self.jackpots.get(jackpot)
        if state is None:
            raise no_such_jackpot(jackpot)
        if state.closed:
            raise IllegalActionError(
                f'The jackpot "{jackpot}" is closed; its money went where the log says. Open another.',
                code="jackpot_closed",
            )
        return state


def no_such_jackpot(jackpot: str) -> CroupierError:
    return IllegalActionError(f'There is no jackpot "{jackpot}". Open it first.', code="unknown_jackpot")
