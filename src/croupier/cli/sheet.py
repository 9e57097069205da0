"""`croupier sheet`."""

from __future__ import annotations

from collections.abc import Mapping

from rich.markup import escape
from rich.progress import Progress

from croupier.cli.screen import console, files_to_write, print_json, progress_console, write_whole
from croupier.errors import NotationError
from croupier.library.game import game
from croupier.reports.render.terminal import print_report
from croupier.reports.sheet.files import Form
from croupier.reports.sheet.report import sheet_report
from croupier.rules.choice import OddsRequest, parse_settings


def show_sheet(
    request: OddsRequest,
    *,
    pay_tables: list[str],
    meter: Mapping[str, str | None],
    effects: bool,
    files: Mapping[str, str | None],
    as_json: bool,
) -> None:
    if sum(name is not None for name in files.values()) + as_json > 1:
        raise NotationError("Give only one of --pdf, --csv and --json: a sheet comes in one form.", code="one_form")
    paths = files_to_write(files, "sheet")
    played = game(request.game)
    with Progress(console=progress_console(), transient=True) as progress:
        task = progress.add_task(f"sheet of {played.id}", total=1.0)
        wager = request.wager
        sheets = played.sheet(
            wager,
            pay_table=_one_pay_table(wager, pay_tables) if wager is not None else None,
            pay_tables=_pay_tables_by_wager(pay_tables) if wager is None else None,
            decks=request.decks,
            side=request.side,
            effects=effects,
            rules=dict(request.settings),
            progress=lambda share: progress.update(task, completed=share),
            **meter,
        )
    for path in paths:
        form: Form = "csv" if path.suffix.lower() == ".csv" else "pdf"
        write_whole(path, sheets.as_bytes(form))
        console().print(f"wrote {escape(str(path))}", soft_wrap=True)
    if as_json:
        print_json(sheets.to_dict())
    elif not paths:
        for sheet in sheets.sheets:
            print_report(console(), sheet_report(sheet))
            console().print()


def _one_pay_table(wager_id: str, given: list[str]) -> str | None:
    """`1`, or `push_22=1`."""
    chosen = {text.removeprefix(f"{wager_id}=").strip() for text in given}
    if len(chosen) > 1:
        raise NotationError("A sheet is of one pay table: give --pay-table once.", code="bad_pay_table")
    return next(iter(chosen), None)


def _pay_tables_by_wager(given: list[str]) -> dict[str, str]:
    if any("=" not in text for text in given):
        raise NotationError(
            "A booklet has many wagers: write --pay-table WAGER=ID, or name the wager after the game.",
            code="bad_pay_table",
        )
    return parse_settings(given)
