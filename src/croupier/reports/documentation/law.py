"""The documentation page of the law, made from its data: every rule with its days, source and mark."""

from __future__ import annotations

from collections.abc import Iterable

from croupier.floor.law import LAST_SEEN, LAST_SEEN_ADDRESS, LawRow, law_rows, order_of_enforcement
from croupier.floor.roles import MEANING, RIGHTS, Right, Role
from croupier.house_time import date_text
from croupier.money import MICROS_PER_DOLLAR, dollars_for_people
from croupier.reports.render.markdown import markdown_table

MADE = "<!-- Made by `make docs` from floor/law and floor/roles. Do not edit. -->"
MARKS = {
    "S": "the text was seen",
    "S-part": "only the beginning of the page was seen, so a list may go on",
    "letter": "in one of the letters",
    "memory": "general knowledge, a lead and no proof",
}
PARTS = {
    "Limits and requirements": ("limit", "requirement"),
    "Lawful reasons to reduce a progressive": ("reason",),
    "Notices at a table": ("notice",),
    "Advice of the letters and of approved sheets": ("advice",),
    "What other states ask, as good practice": ("practice",),
    "History, and what was not found": ("history", "unknown"),
}


def law_page() -> str:
    """Markdown."""
    rows = law_rows()
    parts = [
        MADE,
        "# The law that a floor is checked against",
        "Rules are dated data with a source (`src/croupier/floor/law/`; the single-wager limits, which play needs too, "
        "in `src/croupier/rules/data/washington.toml`). `croupier.floor.check_floor(floor, day)` checks a floor "
        "against the rules of a day and names the rule of every finding. This page is not legal advice.",
        f"Chapter 230-15 WAC was last seen as of {date_text(LAST_SEEN)} ([contents]({LAST_SEEN_ADDRESS})); what is "
        "newer is unknown here. Marks: " + "; ".join(f"**{mark}** {text}" for mark, text in MARKS.items()) + ".",
        "## Which rule wins",
        "\n".join(f"{step.number}. {step.text}" for step in order_of_enforcement()),
        "The column *step* says at which of these a rule stands; 0 is advice or practice that binds nobody.",
    ]
    for title, kinds in PARTS.items():
        chosen = [row for row in rows if row.kind in kinds and row.rule != "order_of_enforcement"]
        parts += [f"## {title}", _table(chosen)]
    parts += [
        "## Who may do what",
        "One table, `croupier.floor.roles.RIGHTS`. An award above the supervisor's amount needs an executive.",
        _rights(),
    ]
    return "\n\n".join(parts) + "\n"


def _table(rows: Iterable[LawRow]) -> str:
    head = ["rule", "section", "step", "from", "until", "what it says", "amount", "source", "mark", "kept by"]
    return markdown_table(head, [_cells(row) for row in rows])


def _cells(row: LawRow) -> list[str]:
    until = date_text(row.until) if row.until else ""
    return [
        f"{row.name} `{row.rule}{':' + row.item if row.item else ''}`",
        row.section if row.jurisdiction == "washington" else f"{row.section} ({row.jurisdiction.replace('_', ' ')})",
        str(row.step),
        date_text(row.since) + (f" ({row.dated})" if row.dated else ""),
        until,
        row.text,
        _amount(row),
        _source(row),
        row.mark,
        ", ".join(f"`{name}`" for name in row.kept_by) or f"nothing: {row.left_out}",
    ]


def _amount(row: LawRow) -> str:
    amounts = [] if row.dollars is None else [dollars_for_people(row.dollars * MICROS_PER_DOLLAR)]
    amounts += [] if row.count is None else [str(row.count)]
    amounts += [] if row.rate is None else [f"{float(100 * row.rate):g}%"]
    return ", ".join(amounts)


def _source(row: LawRow) -> str:
    text = row.source or ("text" if row.address else "")
    return f"[{text}]({row.address})" if row.address else text


def _rights() -> str:
    head = ["right", *(role.value for role in Role), "what it is"]
    rows = [
        [f"`{right}`", *("yes" if role in RIGHTS[right] else "" for role in Role), MEANING[right]] for right in Right
    ]
    return markdown_table(head, rows)
