"""The meters as all streams show them: read once for everybody, and put into words once for each audience."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from threading import Lock

from croupier.floor.meters import Meters, read_meters
from croupier.store import Book

Level = tuple[str, str]
"""A jackpot and one of its levels."""
Audience = frozenset[str] | None
"""The jackpots whose meters somebody may see; None for all."""


def sees(audience: Audience, jackpot: str) -> bool:
    return audience is None or jackpot in audience


@dataclass(frozen=True, kw_only=True)
class BoardStanding:
    """The meters at one moment, and when each last moved."""

    version: int
    """Counts what this server has seen change; of two the higher is the newer."""
    entry: int
    """The ledger's last entry then."""
    meters: Mapping[Level, int]
    stopped: Mapping[str, str]
    """Jackpots whose figures are not shown, each with the reason."""
    moved: Mapping[Level, tuple[int, int]] = field(default_factory=dict)
    """The version and the entry with which a meter last moved, of those that moved since `first_entry`."""
    whole: int = 0
    """The version with which meters came, went or were stopped: a reader of an older one is told everything."""
    whole_entry: int = -1
    """The ledger's last entry then."""
    first_entry: int = 0
    """What moved before this entry is not known here."""
    _texts: dict[Hashable, bytes] = field(default_factory=dict, repr=False, compare=False)

    def moved_since(self, version: int, audience: Audience) -> list[Level]:
        return sorted(level for level, (at, _) in self.moved.items() if at > version and sees(audience, level[0]))

    def moved_after(self, entry: int, audience: Audience) -> list[Level] | None:
        """The meters that moved after an entry; None where all must be told."""
        if self.stopped or entry <= self.whole_entry or not self.first_entry <= entry <= self.entry:
            return None
        return sorted(level for level, (_, at) in self.moved.items() if at > entry and sees(audience, level[0]))

    def text(self, key: Hashable, make: Callable[[BoardStanding], str]) -> bytes:
        """What `make` says of this moment under a key: made for the first who asks, the same bytes for the others."""
        if (text := self._texts.get(key)) is None:
            text = self._texts[key] = make(self).encode()
        return text


class MeterBoard:
    """Holds the newest standing. Safe to use from many threads."""

    def __init__(self, book: Book) -> None:
        self._book = book
        self._guard = Lock()
        self._standing: BoardStanding | None = None

    @property
    def standing(self) -> BoardStanding:
        """As it was last read."""
        return self._standing or self.read()

    def read(self) -> BoardStanding:
        """Reads the meters from the ledger; the version goes up only where something is different."""
        with self._guard:
            return self._read()

    def catch_up(self) -> BoardStanding:
        """The standing, read again only if the ledger has moved on: of many who ask at once, one reads."""
        with self._guard:
            before = self._standing
            return before if before is not None and before.entry == self._book.head()[0] else self._read()

    def _read(self) -> BoardStanding:
        figures = read_meters(self._book)
        self._standing = _first(figures) if self._standing is None else _next(self._standing, figures)
        return self._standing


def _first(figures: Meters) -> BoardStanding:
    return BoardStanding(
        version=1, entry=figures.entry, meters=_levels(figures), stopped=figures.stopped, first_entry=figures.entry
    )


def _next(before: BoardStanding, figures: Meters) -> BoardStanding:
    meters = _levels(figures)
    is_whole = figures.stopped != before.stopped or meters.keys() != before.meters.keys()
    moved = [level for level, micros in meters.items() if micros != before.meters.get(level)]
    version = before.version + (is_whole or bool(moved))
    return BoardStanding(
        version=version,
        entry=figures.entry,
        meters=meters,
        stopped=figures.stopped,
        moved={**before.moved, **dict.fromkeys(moved, (version, figures.entry))},
        whole=version if is_whole else before.whole,
        whole_entry=figures.entry if is_whole else before.whole_entry,
        first_entry=before.first_entry,
    )


def _levels(figures: Meters) -> dict[Level, int]:
    return {(meter.jackpot, meter.level): meter.meter_micros for meter in figures.shown}
