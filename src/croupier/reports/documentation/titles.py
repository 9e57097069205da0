"""The catalog of titles as a report: on a page, in a terminal and in the documentation."""

from __future__ import annotations

from typing import Any

from croupier.house_time import date_text
from croupier.reports.render.markdown import report_markdown
from croupier.reports.report import Cell, Report, Table, columns, rows
from croupier.rules import find_game
from croupier.rules.spec import Game
from croupier.rules.titles import Title, catalog

MADE = "<!-- Made by `make docs` from the list of titles and the games. Do not edit. -->"


def titles_report(address: str = "") -> Report:
    """Every title with its state. `address` is where the page of a game is, with {} for its id.

    A terminal has no such pages, and no room for the names of wagers.
    """
    titles = catalog().titles
    working = [title for title in titles if title.is_working]
    where = " and ".join(catalog().letters)
    heads = ["number", "title", "state", "game", *(["wagers that work"] if address else []), "what is missing, and why"]
    lines = (
        (
            title.number,
            title.name,
            title.state,
            Cell(title.game, address=address.format(title.game)) if title.is_working else "",
            *([", ".join(wager_names(title))] if address else []),
            title.lacks,
        )
        for title in titles
    )
    return Report(
        title="Titles of the letters",
        subtitle=(
            f"Letters {where} of {date_text(catalog().date)} approve {len(titles)} titles together. "
            f"{len(working)} of them work: their base game and every wager with a public pay table. "
            "The others are only named: they cannot be dealt."
        ),
        blocks=(
            Table(
                id="titles",
                columns=columns(*heads),
                rows=rows(*lines),
            ),
        ),
    )


def titles_page() -> str:
    """Markdown."""
    return f"{MADE}\n\n{report_markdown(titles_report('games/{}.md'))}\n"


def titles_data() -> list[dict[str, Any]]:
    """The same for programs."""
    return [
        {
            "number": title.number,
            "title": title.name,
            "id": title.id,
            "state": title.state,
            "game": title.game if title.is_working else None,
            "wagers": [wager.id for wager in game_of(title).wagers] if title.is_working else [],
            "missing": title.lacks,
        }
        for title in catalog().titles
    ]


def game_of(title: Title) -> Game:
    return find_game(title.game)


def wager_names(title: Title) -> list[str]:
    return [wager.name for wager in game_of(title).wagers] if title.is_working else []
