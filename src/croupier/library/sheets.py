"""Odds sheets, as a result."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from croupier.errors import NotationError
from croupier.library.frame import Frame
from croupier.library.result import Result
from croupier.reports.render.html import html
from croupier.reports.report import Heading
from croupier.reports.sheet.data import booklet_data, odds_sheet_data
from croupier.reports.sheet.files import Form, sheet_file
from croupier.reports.sheet.model import Booklet
from croupier.reports.sheet.model import Sheet as Account
from croupier.reports.sheet.report import sheet_report

FORMS: dict[str, Form] = {".pdf": "pdf", ".csv": "csv", ".json": "json"}


@dataclass(frozen=True, repr=False)
class Sheet(Result):
    """The odds sheet (PAR sheet) of a wager, or of all wagers of a game: `croupier sheet`.

    >>> import croupier
    >>> sheet = croupier.game("blackjack").sheet("lucky_lucky", effects=False)
    >>> sheet
    <Sheet: blackjack lucky_lucky>
    >>> sheet.as_bytes("csv")[:13]
    b'wager,section'
    """

    content: Account | Booklet
    """What it says. It is not part of the stable interface."""

    @property
    def sheets(self) -> tuple[Account, ...]:
        """One, or those of all wagers."""
        return self.content.sheets if isinstance(self.content, Booklet) else (self.content,)

    def as_bytes(self, form: Form) -> bytes:
        """The whole sheet as `pdf`, `csv` or `json`."""
        if form not in FORMS.values():
            raise NotationError(f'"{form}" is not a form of a sheet. Accepted: {", ".join(FORMS.values())}.')
        return sheet_file(self.content, form)

    def save(self, path: str | Path) -> Path:
        """Writes it to a file whose name ends in .pdf, .csv or .json."""
        file = Path(str(path))
        if file.suffix.lower() not in FORMS:
            raise NotationError(f'"{path}" is not the name of a sheet. Accepted: {", ".join(FORMS)}.', code="bad_path")
        content = self.as_bytes(FORMS[file.suffix.lower()])
        try:
            file.write_bytes(content)
        except OSError as error:
            raise NotationError(f'"{file}" cannot be written: {error.strerror}.', code="bad_path") from None
        return file

    def to_dict(self) -> dict[str, Any]:
        """What `croupier sheet --json` prints."""
        return booklet_data(self.content) if isinstance(self.content, Booklet) else odds_sheet_data(self.content)

    @property
    def frame(self) -> Frame:
        """The rows of its wagers."""
        return Frame.of_rows(
            {
                "wager": sheet.choice.wager.id,
                "row": row.id,
                "label": row.label,
                "pays": row.pays,
                "probability": row.probability,
                "return": row.returned,
            }
            for sheet in self.sheets
            for row in sheet.rows
        )

    @property
    def line(self) -> dict[str, Any]:
        choice = self.sheets[0].choice
        return {"game": choice.game.id, "wager": choice.wager.id} | {
            figure.id: figure.value for figure in self.sheets[0].figures
        }

    def __repr__(self) -> str:
        choice = self.sheets[0].choice
        of = f"{len(self.sheets)} wagers" if len(self.sheets) > 1 else choice.wager.id
        return f"<Sheet: {choice.game.id} {of}>"

    def _repr_html_(self) -> str:
        reports = [sheet_report(sheet) for sheet in self.sheets]
        return "\n".join(html((Heading(2, report.title), *report.blocks), level=3) for report in reports)
