"""The odds sheet (PAR sheet) of a wager: one model that page, PDF, CSV and JSON are made from.

Every figure has a value for programs and a text for people, so that no form rounds for itself.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from fractions import Fraction

import msgspec

from croupier import __version__
from croupier.exact.check import CheckedFigure
from croupier.house_time import date_text
from croupier.pay import Pay
from croupier.reports.formatting import Value, percent, shoe_text
from croupier.reports.plots.model import Plot
from croupier.reports.report import Fact, Table
from croupier.rules.choice import Choice
from croupier.rules.spec import Game, Recorded, Source


@dataclass(frozen=True, kw_only=True)
class SheetRow:
    """What can become of the wager."""

    id: str
    label: str
    pays: str
    combinations: int | None
    """None where the wager is played: hands a round then take their place."""
    hands: float | None
    probability: Fraction
    returned: Fraction
    """Part of the expected profit for each unit of the first wager."""


@dataclass(frozen=True, kw_only=True)
class Sheet:
    """Everything that is known of one wager under one choice of rules."""

    choice: Choice
    head: tuple[Fact, ...] = ()
    rows: tuple[SheetRow, ...]
    denominator: int | None = None
    """All combinations, of which the rows' are parts."""
    figures: tuple[Fact, ...]
    """Edge, risk, hits, deviation, the top award."""
    edge_parts: tuple[Fact, ...] = ()
    """Where the edge comes from: what remains of a wager, step by step. The last is the edge."""
    progressive: tuple[Fact, ...] = ()
    tables: tuple[Table, ...]
    method: str
    published: tuple[CheckedFigure, ...]
    simulated: tuple[Recorded, ...] = ()
    """Long simulations of this wager and pay table that are kept with the game."""
    notes: tuple[str, ...]
    plots: tuple[Plot, ...] = ()
    """What paper draws beside the numbers."""

    def __post_init__(self) -> None:
        assert sum((row.probability for row in self.rows), Fraction(0)) == 1, "the probabilities do not sum to one"
        if self.denominator is not None:
            assert sum(row.combinations or 0 for row in self.rows) == self.denominator

    @property
    def title(self) -> str:
        return f"{self.choice.game.name}: {self.choice.wager.name}"

    @property
    def returned(self) -> Fraction:
        """The column of returns, added up."""
        return sum((row.returned for row in self.rows), Fraction(0))

    def figure(self, wanted: str) -> Fact:
        """The figure of that id, of the head or below it."""
        everything = (*self.head, *self.figures, *self.edge_parts, *self.progressive)
        return next(figure for figure in everything if figure.id == wanted)


@dataclass(frozen=True, kw_only=True)
class Booklet:
    """The sheets of a whole game, the main wagers first."""

    game: Game
    sheets: tuple[Sheet, ...]


def spec_hash(game: Game) -> str:
    """SHA-256 of everything the game file says, as canonical JSON: two files that say the same have one hash."""
    said = _without_unsaid(msgspec.to_builtins(game, enc_hook=_as_text, order="deterministic"))
    return hashlib.sha256(msgspec.json.encode(said)).hexdigest()


_CAME_LATER = (
    "draft_of",
    "departs",
    "source",
    "before",
    "words",
    "no_deck_count",
    "decks_inferred",
    "under",
    "kind",
    "not_at_hand",
    "sets",
    "role",
    "needs",
    "needs_when",
    "takes_side",
    "printed_for",
    "fixed",
    "rule",
    "short",
    "envy",
    "by_hands",
    "cover_all",
    "up_card",
)
"""Fields that files did not have at first: one that does not say them keeps the hash that it had."""


def _without_unsaid(value: object) -> object:
    if isinstance(value, dict):
        return {key: _without_unsaid(item) for key, item in value.items() if item or key not in _CAME_LATER}
    return [_without_unsaid(item) for item in value] if isinstance(value, list | tuple) else value


def _as_text(value: object) -> str:
    """Pays and rates, the way the file has them."""
    if isinstance(value, Pay):
        return value.text
    assert isinstance(value, Fraction), value
    return str(value)


def head_of(choice: Choice) -> tuple[Fact, ...]:
    """What the sheet is of: enough to make it again."""
    game, table = choice.game, choice.pay_table
    source = choice.source
    allowed = ", ".join(name.replace("_", " ") for name in game.shuffles)
    label = f" ({table.label})" if table.label else ""
    lines: list[tuple[str, str, Value, str]] = [
        ("game", "Game", game.id, game.name),
        ("wager", "Wager", choice.wager.id, choice.wager.name),
        ("wins_when", "Wins when", choice.wager.text, choice.wager.text),
        ("pay_table", "Pay table", table.id, f"{table.id}{label}"),
        ("decks", "Decks", choice.decks if choice.decks is not None else "inf", shoe_text(choice.decks)),
        ("shuffle", "Shuffle", "fresh", f"fresh before every round; {source.allower} allows: {allowed}"),
        ("rules_version", "Rule version", game.version, game.version),
        *_source_lines(source),
        ("spec_sha256", "Hash of the spec", spec_hash(game), spec_hash(game)),
        ("program_version", "Program", __version__, f"croupier {__version__}"),
    ]
    if choice.side:
        side = "either" if choice.side == "winner" else choice.side
        lines.insert(3, ("side", "Side", side, f"{side} side's win" if side == "either" else side))
    return tuple(Fact(id=name, label=label, value=value, text=text) for name, label, value, text in lines)


def _source_lines(source: Source) -> list[tuple[str, str, Value, str]]:
    """The letter; in its place, of a draft, that there is none."""
    if source.draft_of:
        said = source.draft_text
        return [("letter", "Letter", None, said[0].upper() + said[1:]), _said("draft_of", "Draft of", source.draft_of)]
    is_letter = source.is_letter
    lines: list[tuple[str, str, Value, str]] = [
        (
            "letter",
            "Letter" if is_letter else "Source",
            source.letter,
            f"{source.letter}, {source.title}, {source.agency}",
        ),
        (
            "letter_date",
            f"{'Letter' if is_letter else 'Source'}'s date",
            source.date,
            date_text(source.date),
        ),
    ]
    return [*lines, _said("submission", "Submission", source.submission)] if source.submission else lines


def _said(name: str, label: str, text: str) -> tuple[str, str, Value, str]:
    return name, label, text, text


def share_fact(name: str, label: str, value: Fraction, detail: str = "") -> Fact:
    return Fact(id=name, label=label, value=float(value), text=percent(value, 5), detail=detail)
