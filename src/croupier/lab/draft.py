"""A draft: a wager of a game with some rows of its pay table changed, as somebody typed them, and its check.

Rows are named by keys. The rows of the approved table are "0", "1" and so on, in its order; a row that was added is
"+" and the outcome it pays. Texts stand as typed until `try_draft` reads them, so that a form can show them again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache

from msgspec import structs

from croupier.errors import CroupierError, SpecError, unknown
from croupier.exact.check import is_played
from croupier.exact.odds import outcomes_of
from croupier.lab.own_bets import name_known_bets
from croupier.pay import Pay, Row, parse_pay
from croupier.rules.choice import Choice, choose
from croupier.rules.loader import game_from_data, require_sound
from croupier.rules.own_tables import base_rows, with_table_first
from croupier.rules.parse import parse_toml
from croupier.rules.registry import find_game, game_ids, is_offered
from croupier.rules.spec import Game

DRAFT = "draft"
"""Id of the pay table that a draft makes, and what errors call it."""
FILE = "file"
"""What errors call a file that was sent."""
ADDED = "+"
LONGEST_LABEL = 80
NEW_PAYS = "1 to 1"
GAMES_KEPT = 16
ROWS_PROBLEM = "rows"
"""Field of problems that the rows have together."""
EVEN_ROWS = ("win", "push")
"""Rows of a wager that is played whose pays the solver knows in one way only."""
_ROW_PLACE = re.compile(r"\.pay_tables\[0\]\.rows\[(\d+)\]")


class DraftError(SpecError):
    """Fields of a draft that cannot be accepted: a sentence for each, by the field's name, as "pays.3"."""

    code = "bad_pay_table"

    def __init__(self, message: str, *, code: str | None = None, problems: Mapping[str, str] | None = None) -> None:
        super().__init__(message, code=code)
        self.problems = dict(problems or {})


@dataclass(frozen=True, kw_only=True)
class Draft:
    """What somebody asks for, as plain text; equal drafts have equal figures."""

    game: str = ""
    """Id of an approved game."""
    file: str = ""
    """Text of a game file of one's own, instead of an approved game."""
    wager: str
    pay_table: str = ""
    """Id of the pay table that it starts from; the default one when empty."""
    decks: str = ""
    side: str = ""
    settings: tuple[tuple[str, str], ...] = ()
    """Switches that were set, by name."""
    pays: tuple[tuple[str, str], ...] = ()
    """Pays as typed, by the row's key, where they are not the table's; of every row that was added."""
    labels: tuple[tuple[str, str], ...] = ()
    removed: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class DraftRow:
    """A row of the pay table, or one that was added."""

    key: str
    pays: str
    label: str
    """Both as typed."""
    outcomes: tuple[str, ...]
    approved: Row | None
    """The row as the table has it; None for one that was added."""
    in_force: bool = True
    """Whether it is on the table under the draft's switches and decks; a form shows only such rows."""
    is_removed: bool = False


@dataclass(frozen=True, kw_only=True)
class Opened:
    """A draft whose game, wager, pay table, decks, side and switches are there; its rows are not read yet."""

    draft: Draft
    game: Game
    """As approved, or as the own file has it."""
    approved: Choice
    """The pay table and switches as they stand in the game, with the draft's decks and side."""
    start: Choice
    """The same table under the draft's switches."""
    rows: tuple[DraftRow, ...]
    """All of them, those that were removed included."""
    unpaid: tuple[str, ...]
    """Outcomes of the bet that no row pays; rows can be added for them."""

    @property
    def shown(self) -> tuple[DraftRow, ...]:
        return tuple(row for row in self.rows if row.in_force)

    @property
    def solvable(self) -> tuple[DraftRow, ...]:
        """Rows in force whose pay can be solved for."""
        rows = (row for row in self.shown if not row.is_removed and "%" not in row.pays)
        return tuple(row for row in rows if not (self.is_played and row.approved and row.approved.row in EVEN_ROWS))

    @property
    def is_played(self) -> bool:
        """Whether the odds need the solver."""
        return is_played(self.start)


@dataclass(frozen=True, kw_only=True)
class Trial:
    """A draft that was read and checked: it would load from a file, and its odds can be computed."""

    opened: Opened
    game: Game
    """With the draft's pay table in front of the approved ones of its wager."""
    choice: Choice
    keys: dict[str, str] = field(default_factory=dict)
    """Keys of the rows in force, by their ids."""

    @property
    def is_edited(self) -> bool:
        """Whether any row differs from the table it started from."""
        return self.choice.pay_table != self.opened.start.pay_table


def tidy_pay(text: str, kind: str = "to") -> str:
    """A pay with the spaces and letters that `parse_pay` wants; "6:5" is read as "6 to 5", and a bare number as odds to
    one, or for one where that is the row's `kind`.

    >>> tidy_pay(" 6:5 "), tidy_pay("50  FOR 1"), tidy_pay("1.5"), tidy_pay("1,000", "for")
    ('6 to 5', '50 for 1', '3 to 2', '1000 for 1')
    """
    plain = " ".join(text.lower().split())
    if re.fullmatch(r"\d{1,3}(,\d{3})+|\d{1,12}(\.\d{1,4})?", plain):
        odds = Fraction(plain.replace(",", ""))
        return f"{odds.numerator} {kind} {odds.denominator}"
    return re.sub(r"^(\d+) ?: ?(\d+)$", r"\1 to \2", plain)


@lru_cache(GAMES_KEPT)
def _own_game(text: str) -> Game:
    data = parse_toml(text, FILE)
    base = data.get("extends", "")
    if base and base not in game_ids():  # never a path: files of the server are not for those who send files
        raise SpecError(f"{FILE}: {unknown('game', str(base), game_ids())} - at $.extends", code="bad_spec")
    name_known_bets(data)
    return game_from_data(data, FILE)


def game_of(draft: Draft) -> Game:
    """The game a draft starts from. A name is never taken for a file's, and no code of a file is run."""
    if draft.file:
        return _own_game(draft.file)
    if not is_offered(draft.game):
        raise unknown("game", draft.game, game_ids())
    return find_game(draft.game)


def open_draft(draft: Draft) -> Opened:
    """Finds what a draft starts from, or says what is not there."""
    game = game_of(draft)
    approved = _choose(game, draft, draft.pay_table, {})
    start = _choose(game, draft, draft.pay_table, dict(draft.settings))
    rows = tuple(_rows_of(draft, start))
    keys = [row.key for row in rows]
    for key in (*(key for key, _ in (*draft.pays, *draft.labels)), *draft.removed):
        if key not in keys:
            raise unknown("row", key, keys, f" of {draft.wager}")
    paid = {outcome for row in rows if row.in_force and not row.is_removed for outcome in row.outcomes}
    unpaid = () if is_played(start) else tuple(outcome for outcome in outcomes_of(start) if outcome not in paid)
    return Opened(draft=draft, game=game, approved=approved, start=start, rows=rows, unpaid=unpaid)


def _choose(game: Game, draft: Draft, pay_table: str, settings: Mapping[str, str]) -> Choice:
    return choose(
        game,
        draft.wager,
        pay_table=pay_table or None,
        decks=draft.decks or None,
        side=draft.side or None,
        settings=settings,
    )


def tidied(opened: Opened) -> Draft:
    """The same draft without what does not differ from the game: equal drafts are then equal values."""
    rows = opened.rows
    return replace(
        opened.draft,
        settings=tuple((name, value) for name, value in _in_force(opened) if value != opened.approved.switches[name]),
        pays=tuple((row.key, row.pays) for row in rows if row.approved is None or _is_other_pay(row)),
        labels=tuple((row.key, row.label) for row in rows if row.label.strip() != _own_label(row)),
        removed=tuple(row.key for row in rows if row.is_removed),
    )


def _in_force(opened: Opened) -> list[tuple[str, str]]:
    return [(name, opened.start.switches[name]) for name, _ in opened.draft.settings]


def _is_other_pay(row: DraftRow) -> bool:
    return row.approved is not None and tidy_pay(row.pays) != row.approved.pays.text


def _own_label(row: DraftRow) -> str:
    return row.approved.label if row.approved is not None else _label_of(row.outcomes[0])


def _label_of(outcome: str) -> str:
    return outcome.replace("_", " ").capitalize()


def _rows_of(draft: Draft, start: Choice) -> Iterator[DraftRow]:
    pays, labels = dict(draft.pays), dict(draft.labels)
    in_force = start.rows
    for number, row in enumerate(base_rows(start)):
        key = str(number)
        yield DraftRow(
            key=key,
            pays=pays.get(key, row.pays.text),
            label=labels.get(key, row.label),
            outcomes=row.paid_outcomes,
            approved=row,
            in_force=row in in_force,
            is_removed=key in draft.removed,
        )
    for key, text in draft.pays:
        if key.startswith(ADDED) and key not in draft.removed:
            outcome = key.removeprefix(ADDED)
            label = labels.get(key, _label_of(outcome))
            yield DraftRow(key=key, pays=text, label=label, outcomes=(outcome,), approved=None)


def try_draft(opened: Opened) -> Trial:
    """Reads the rows and checks the game they make with the loader's own checks."""
    rows, keys = _read_rows(opened)
    start = opened.start
    game, table = opened.game, start.pay_table
    if tuple(rows) != base_rows(start):
        table = structs.replace(table, id=_draft_id(opened), label="", rows=tuple(rows), product=None)
        game = with_table_first(game, start.wager.id, table)
        try:
            require_sound(game, DRAFT)
        except SpecError as error:
            place = _ROW_PLACE.search(str(error))
            at = {f"pays.{keys[int(place[1])]}": _without_place(str(error))} if place else {}
            raise DraftError(str(error), code=error.code, problems=at) from None
    # The table by its id: other decks would choose another one.
    pay_table = table.id if start.wager.pay_tables else ""
    choice = _choose(game, opened.draft, pay_table, dict(opened.draft.settings))
    in_force = choice.rows
    by_id = {row.row: key for row, key in zip(rows, keys, strict=True) if row in in_force}
    return Trial(opened=opened, game=game, choice=choice, keys=by_id)


def _without_place(sentence: str) -> str:
    """What is wrong, for those who see where: at the field itself.

    >>> _without_place("draft: a share of what is not there - at $.wagers[0]")
    'A share of what is not there.'
    """
    problem = sentence.removeprefix(f"{DRAFT}: ").partition(" - at $")[0]
    return f"{problem[:1].upper()}{problem[1:]}."


def _read_rows(opened: Opened) -> tuple[list[Row], list[str]]:
    """The rows of the draft's table with their keys: also those that only other switches or decks put in force."""
    problems: dict[str, str] = {}
    rows: list[Row] = []
    keys: list[str] = []
    for draft_row in opened.rows:
        if draft_row.is_removed:
            _refuse_removal(opened, draft_row, problems)
            continue
        if draft_row.approved is None:
            row = _read_added(opened, draft_row, problems)
        else:
            row = _read_row(opened, draft_row.approved, draft_row, problems)
        if row is not None:
            rows.append(row)
            keys.append(draft_row.key)
    if opened.shown and not opened.is_played and all(row.is_removed for row in opened.shown):
        problems[ROWS_PROBLEM] = "A pay table needs at least one row: every row is off. Put one back on, or add one."
    if problems:
        raise DraftError(f"The pay table cannot be read: {' '.join(problems.values())}", problems=problems)
    return rows, keys


def _refuse_removal(opened: Opened, row: DraftRow, problems: dict[str, str]) -> None:
    """The solver needs every row of a wager that is played; elsewhere a row that is taken off loses."""
    if opened.is_played:
        problems[f"pays.{row.key}"] = (
            f'"{row.label}" cannot be taken off: every hand of a wager that is played ends in one of its rows. '
            "Change its pay instead."
        )


def _read_row(opened: Opened, row: Row, edited: DraftRow, problems: dict[str, str]) -> Row | None:
    pays, label = _read_texts(opened, edited, problems)
    if pays is None or label is None:
        return None
    if pays == row.pays and label == row.label:
        return row
    funded = row.funded
    if pays.is_share != row.pays.is_share:
        funded = "meter" if pays.is_share else "tray"
    at_table = row.label_at_table if label == row.label else ""
    return structs.replace(row, pays=pays, label=label, label_at_table=at_table, funded=funded)


def _read_added(opened: Opened, added: DraftRow, problems: dict[str, str]) -> Row | None:
    pays, label = _read_texts(opened, added, problems)
    outcome = added.outcomes[0]
    known = () if opened.is_played else outcomes_of(opened.start)
    if outcome not in known:
        problems[f"pays.{added.key}"] = str(unknown("outcome", outcome, known, " of this bet"))
        return None
    if pays is None or label is None:
        return None
    return Row(row=outcome, label=label, pays=pays, funded="meter" if pays.is_share else "tray")


def _read_texts(opened: Opened, row: DraftRow, problems: dict[str, str]) -> tuple[Pay | None, str | None]:
    pays = label = None
    try:
        kind = "for" if row.approved is not None and row.approved.pays.kind == "for" else "to"
        pays = parse_pay(tidy_pay(row.pays, kind), has_meter=opened.start.pay_table.jackpot is not None)
    except CroupierError as error:
        problems[f"pays.{row.key}"] = str(error)
    text = row.label.strip()
    if text and len(text) <= LONGEST_LABEL and text.isprintable():
        label = text
    else:
        problems[f"label.{row.key}"] = f"A row needs a name: write 1 to {LONGEST_LABEL} characters that can be printed."
    return pays, label


def _draft_id(opened: Opened) -> str:
    """A draft of a draft keeps its id; an approved table keeps its own beside it."""
    current = opened.start.pay_table.id
    if current.startswith(DRAFT):
        return current
    used = {table.id for table in opened.start.wager.pay_tables}
    number = next(n for n in range(1, len(used) + 2) if _numbered(n) not in used)
    return _numbered(number)


def _numbered(number: int) -> str:
    return DRAFT if number == 1 else f"{DRAFT}-{number}"


def with_pay(trial: Trial, key: str, pays: Pay) -> Choice:
    """The draft's choice with another pay of one row in force."""
    in_force = trial.choice.rows
    rows = tuple(
        structs.replace(row, pays=pays) if trial.keys.get(row.row) == key and row in in_force else row
        for row in base_rows(trial.choice)
    )
    return replace(trial.choice, pay_table=structs.replace(trial.choice.pay_table, rows=rows, product=None))
