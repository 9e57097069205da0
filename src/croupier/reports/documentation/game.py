"""The documentation page of a game, filled from its file and from exact results. One fixed form for all games."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from croupier.exact.check import CheckedFigure, check_game, contradiction_of
from croupier.exact.odds import compute_odds
from croupier.pay import PayTable, Row
from croupier.reports.documentation.document import (
    Block,
    Heading,
    Listing,
    Paragraph,
    TableBlock,
    markdown,
    markdown_table,
)
from croupier.reports.formatting import FIGURES, decks_text, figure_text, percent, verdict_count, verdict_text
from croupier.rules.choice import choose, gives_decks
from croupier.rules.loader import find_jurisdiction
from croupier.rules.spec import Game, Switch, Wager

MADE = "<!-- Made by `make docs` from the game file and exact results. Do not edit. -->"


def game_page(game: Game) -> str:
    """Markdown of one game."""
    parts = [
        MADE,
        f"# {game.name}",
        markdown([*head_blocks(game), *rules_blocks(game)]),
        "## Figures",
        _figures(list(check_game(game))),
        "## Exact edges",
        _edges(game),
        *_strategy_link(game),
        *_switches(game),
        markdown(reading_blocks(game)),
    ]
    return "\n\n".join(parts) + "\n"


def _switches(game: Game) -> Iterator[str]:
    if game.switches:
        yield "## Switches"
        yield (
            "What can be had in more than one way, and what it does to the edge of the wagers computed exactly, for "
            "each pay table at its default decks; wagers it does not touch are left out. Defaults are bold; a pay "
            "table may be read with others, as said under it."
        )
        yield markdown([switches_table(game, lambda switch: _effect(game, switch))])


def head_blocks(game: Game) -> Iterator[Block]:
    """What the game is and which letter it comes from."""
    source = game.source
    yield Paragraph(game.summary)
    yield Paragraph(
        f"`{game.id}`, rules version {game.version}. Decks: {_numbers(game.decks)}"
        f"{'; the letter gives no count' if game.no_deck_count else ''}. "
        f"Shuffle: {', '.join(name.replace('_', ' ') for name in game.shuffles)}."
    )
    if source.draft_text:
        yield Paragraph(f"Source: {source.draft_text}.")
        return
    submission = f", submission {source.submission}." if source.submission else "."
    yield Paragraph(f"Source: {source.named}, {source.title}, {source.agency}, {source.date}{submission}")


def rules_blocks(game: Game) -> Iterator[Block]:
    """How it is played, and what each wager pays."""
    yield Heading(2, "Rules")
    yield Listing(game.rules, numbered=True)
    yield Heading(2, "Wagers")
    yield TableBlock(["wager", "name", "wins when"], [[f"`{w.id}`", w.name, w.text] for w in game.wagers])
    yield Heading(2, "Pay tables")
    yield from _pay_tables(game)


def switches_table(game: Game, effect: Callable[[Switch], str] | None = None) -> TableBlock:
    """What can be had in more than one way; defaults are bold. `effect` says what a switch does to the edge."""
    heads = ["switch", "decides", "values", "basis"]
    rows = [[f"`{switch.id}`", switch.text, _values(switch), switch.basis] for switch in game.switches]
    if effect is None:
        return TableBlock(heads, rows)
    effects = [effect(switch) for switch in game.switches]
    return TableBlock([*heads, "edge"], [[*row, text] for row, text in zip(rows, effects, strict=True)])


def reading_blocks(game: Game) -> Iterator[Block]:
    """How the letter is read where it leaves doubts, what approval asks for, and what changed."""
    if game.readings:
        yield Heading(2, "Interpretations")
        yield TableBlock(
            ["doubt", "decision", "why", "switch"],
            [[one.doubt, one.decision, one.why, f"`{one.switch}`" if one.switch else ""] for one in game.readings],
        )
    yield Heading(2, "Conditions of approval")
    yield from _conditions(game)
    yield Heading(2, "History")
    yield Listing(game.history)


def _pay_tables(game: Game) -> Iterator[Block]:
    """One table for each wager: rows down, pay tables across. Wagers that share their tables share the heading."""
    shown: set[str] = set()
    for wager in game.wagers:
        if wager.id in shown:
            continue
        sharing = [w for w in game.wagers if w.pay_tables and w.pay_tables == wager.pay_tables and w.kind == wager.kind]
        shown |= {w.id for w in sharing}
        yield Heading(3, " and ".join(w.name for w in sharing))
        for tables in _same_rows(game, wager):
            yield _pay_table_grid(game, tables)
        yield from _contradictions(game, wager)


def _contradictions(game: Game, wager: Wager) -> Iterator[Block]:
    """Where the letter's figures do not go with its text: both edges, at the default decks."""
    for table in wager.pay_tables:
        found = contradiction_of(choose(game, wager.id, pay_table=table.id))
        if found is not None:
            yield Paragraph(f"**Table {table.id}.** {found.sentence}")


def _same_rows(game: Game, wager: Wager) -> list[list[PayTable]]:
    """Pay tables grouped so that those with the same labels stand side by side."""
    groups: dict[tuple[str, ...], list[PayTable]] = {}
    for table in wager.pay_tables:
        labels = tuple(row.label for row in _default_rows(game, table))
        groups.setdefault(labels, []).append(table)
    return list(groups.values())


def _default_rows(game: Game, table: PayTable) -> tuple[Row, ...]:
    return table.rows_in_force({s.id: s.default for s in game.switches} | table.settings, None)


def _pay_table_grid(game: Game, tables: list[PayTable]) -> TableBlock:
    heads = ["row"]
    for table in tables:
        decks = f", {_numbers(table.decks)} decks" if table.decks else ""
        if not gives_decks(game, table):
            decks = ", no deck count printed"
        label = f" ({table.label})" if table.label else ""
        heads.append(f"table {table.id}{label}{decks}")
    columns = [_default_rows(game, table) for table in tables]
    rows = [[_row_label(row), *(column[i].pays.text for column in columns)] for i, row in enumerate(columns[0])]
    if any(table.scales_to for table in tables):
        rows.append(["*scaled to wagers of*", *(", ".join(f"${n}" for n in table.scales_to) for table in tables)])
    if any(table.settings for table in tables):
        rows.append(["*read with*", *(", ".join(f"{k} = {v}" for k, v in t.settings.items()) for t in tables)])
    for name, value in _jackpot_rows(tables):
        rows.append([name, *value])
    return TableBlock(heads, rows)


def _row_label(row: Row) -> str:
    return f"{row.label} ({row.min_decks} decks or more)" if row.min_decks > 1 else row.label


def _jackpot_rows(tables: list[PayTable]) -> Iterator[tuple[str, list[str]]]:
    if any(table.jackpot is None for table in tables):
        return
    jackpots = [table.jackpot for table in tables if table.jackpot]
    yield "*seed*", [f"${jackpot.seed:,}" for jackpot in jackpots]
    yield "*contribution*", [f"{percent(jackpot.contribution, 0)} ({jackpot.basis})" for jackpot in jackpots]


def _figures(results: list[CheckedFigure]) -> str:
    if not results:
        return "The letter prints no figures for this game."
    notes: list[str] = []
    rows = []
    for item in results:
        mark = ""
        if item.finding:
            if item.finding not in notes:
                notes.append(item.finding)
            mark = f" [{notes.index(item.finding) + 1}]"
        rows.append(
            [
                f"`{item.fact.wager}`",
                item.fact.pay_table,
                decks_text(item),
                FIGURES[item.fact.figure],
                item.fact.printed,
                figure_text(item.fact.figure, item.computed) if item.computed is not None else "",
                verdict_text(item) + mark,
            ]
        )
    table = markdown_table(["wager", "table", "decks", "figure", "printed", "exact", "verdict"], rows)
    return table + ("\n\n" + "\n".join(f"{i}. {note}" for i, note in enumerate(notes, 1)) if notes else "")


def _computed_wagers(game: Game) -> list[Wager]:
    return [wager for wager in game.wagers if wager.classifiers or game.is_apart(wager)]


def _edges(game: Game) -> str:
    """Exact edge of each pay table for the letter's deck counts and an endless shoe."""
    decks = [str(number) for number in game.decks] + (["inf"] if game.has_endless_shoe else [])
    rows = []
    for wager in _computed_wagers(game):
        sides = ["player", "banker"] if wager.hand == "seat" else [""]
        for table in wager.pay_tables:
            for side in sides if table.settings.get("counts") != "either_side" else [""]:
                edges = [
                    percent(
                        compute_odds(choose(game, wager.id, pay_table=table.id, decks=number, side=side or None)).edge,
                        3,
                    )
                    for number in decks
                ]
                rows.append([f"`{wager.id}`", table.id + (f", {side}" if side else ""), *edges])
    heads = ["endless" if number == "inf" else f"{number} deck{'s'[: int(number) - 1]}" for number in decks]
    return markdown_table(["wager", "table", *heads], rows)


def _strategy_link(game: Game) -> Iterator[str]:
    if game.is_decided:
        page = f"../strategy/{game.id}.md"
        yield f"The main wager depends on how it is played: [strategy, edge and what rules cost]({page})."


def _values(switch: Switch) -> str:
    return ", ".join(f"**{value}**" if value == switch.default else value for value in switch.values)


def _effect(game: Game, switch: Switch) -> str:
    """Edges under each value, for wagers whose edge the switch changes."""
    lines = []
    for wager in _computed_wagers(game):
        for table in wager.pay_tables:
            edges = {value: _edge_with(game, wager, table, switch, value) for value in switch.values}
            if len(set(edges.values())) > 1:
                listed = ", ".join(f"{value} {edge}" for value, edge in edges.items())
                lines.append(f"`{wager.id}` {table.id}: {listed}")
    return "<br>".join(lines)


def _edge_with(game: Game, wager: Wager, table: PayTable, switch: Switch, value: str) -> str:
    sheet = compute_odds(choose(game, wager.id, pay_table=table.id, settings={switch.id: value}))
    if sheet.jackpot is not None and sheet.jackpot.runs_dry:
        return "runs the meter dry"
    return percent(sheet.edge, 3)


def _conditions(game: Game) -> Iterator[Block]:
    law = find_jurisdiction(game.jurisdiction)
    assert law is not None
    for head, lines in (
        ("This game", game.conditions),
        ("Every table", law.at_tables(game.source)),
        ("Commercial card rooms", law.card_room),
        ("Tribal casinos", law.tribal),
    ):
        if lines:
            yield Paragraph(f"**{head}**")
            yield Listing(lines)


def check_page(results: list[CheckedFigure]) -> str:
    """Every published figure of every letter, on one page."""
    counts = {
        verdict: sum(item.verdict == verdict for item in results)
        for verdict in dict.fromkeys(i.verdict for i in results)
    }
    summary = ", ".join(verdict_count(verdict, number) for verdict, number in counts.items())
    parts = [
        MADE,
        "# Published figures, recomputed",
        "Every figure the five letters print, beside the exact one. *Equal* means equal to all printed digits. *Within "
        "simulation error* means that the printed figure looks simulated, and that a simulation could well have given "
        "it: z counts the standard errors between them, less rounding, for the number of rounds shown. That number is "
        "our assumption, since the letters say nothing of it; an edge's error counts fixed pays only, with the meter's "
        "part added by formula. Where a figure *differs* the finding says why. `croupier check` makes this table anew.",
        f"**{len(results)} figures: {summary}.**",
    ]
    for game in {item.game.id: item.game for item in results}.values():
        parts += [f"## {game.name}", _figures([item for item in results if item.game.id == game.id])]
    return "\n\n".join(parts) + "\n"


def _numbers(values: tuple[int, ...]) -> str:
    return ", ".join(str(value) for value in values)
