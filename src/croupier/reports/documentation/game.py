"""The documentation page of a game, filled from its file and from exact results. One fixed form for all games."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from croupier.exact.check import CheckedFigure, check_game, contradiction_of
from croupier.exact.odds import compute_odds
from croupier.house_time import date_text
from croupier.kernels.bets import find_bet
from croupier.pay import PayTable, Row
from croupier.reports.formatting import SHUFFLES, list_text, percent
from croupier.reports.published import figures_table, verdict_counts
from croupier.reports.render.markdown import markdown
from croupier.reports.report import Block, Heading, Listing, Paragraph, Table, columns, rows
from croupier.rules.choice import choose, gives_decks
from croupier.rules.loader import find_jurisdiction
from croupier.rules.registry import played_as
from croupier.rules.spec import Game, Switch, Wager

MADE = "<!-- Made by `make docs` from the game file and exact results. Do not edit. -->"


def game_page(game: Game) -> str:
    """Markdown of one game."""
    blocks: list[Block] = [
        Heading(1, game.name),
        *head_blocks(game),
        *rules_blocks(game),
        figures_table(list(check_game(game)), "Figures"),
        _edges(game),
        *_strategy_link(game),
        *_switches(game),
        *reading_blocks(game),
    ]
    return f"{MADE}\n\n{markdown(blocks)}\n"


def _switches(game: Game) -> Iterator[Block]:
    if game.switches:
        yield Heading(2, "Switches")
        yield Paragraph(
            "House rules that may differ, and what each does to the edge of the wagers computed exactly, for "
            "each pay table at its default decks; wagers it does not touch are left out. Defaults are bold; a pay "
            "table may be read with others, as said under it."
        )
        yield switches_table(game, lambda switch: _effect(game, switch))


def head_blocks(game: Game) -> Iterator[Block]:
    """What the game is and which letter it comes from."""
    source = game.source
    yield Paragraph(game.summary)
    yield Paragraph(
        f"`{game.id}`, rules version {game.version}. Decks: {_numbers(game.decks)}"
        f"{'; the letter gives no count' if game.no_deck_count else ''}. "
        f"Shuffled {list_text([SHUFFLES[name] for name in game.shuffles], 'or')}."
    )
    if source.draft_text:
        yield Paragraph(f"Source: {source.draft_text}.")
        return
    submission = f", submission {source.submission}." if source.submission else "."
    yield Paragraph(f"Source: {source.named}, {source.title}, {source.agency}, {date_text(source.date)}{submission}")


def rules_blocks(game: Game) -> Iterator[Block]:
    """How it is played, and what each wager pays."""
    yield Heading(2, "Rules")
    yield Listing(game.rules, numbered=True)
    yield Heading(2, "Wagers")
    yield _marked("wager", "name", "wins when", lines=((f"`{w.id}`", w.name, w.text) for w in game.wagers))
    yield Heading(2, "Pay tables")
    yield from _pay_tables(game)


def _marked(*heads: str, lines: Iterable[Sequence[str]]) -> Table:
    return Table(columns=columns(*heads, kind="marked"), rows=rows(*map(tuple, lines)))


def switches_table(game: Game, effect: Callable[[Switch], str] | None = None) -> Table:
    """House rules that may differ; defaults are bold. `effect` says what a switch does to the edge."""
    heads = ["switch", "decides", "values", "basis", *(["edge"] if effect else [])]
    lines = (
        [f"`{switch.id}`", switch.text, _values(switch), switch.basis, *([effect(switch)] if effect else [])]
        for switch in game.switches
    )
    return _marked(*heads, lines=lines)


def reading_blocks(game: Game) -> Iterator[Block]:
    """How the letter is read where it leaves doubts, what approval asks for, and what changed."""
    if game.readings:
        yield Heading(2, "Interpretations")
        yield _marked(
            *("doubt", "decision", "why", "switch"),
            lines=(
                (reading.doubt, reading.decision, reading.why, f"`{reading.switch}`" if reading.switch else "")
                for reading in game.readings
            ),
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
        contradiction = contradiction_of(choose(game, wager.id, pay_table=table.id))
        if contradiction is not None:
            yield Paragraph(f"**Table {table.id}.** {contradiction.sentence}")


def _same_rows(game: Game, wager: Wager) -> list[list[PayTable]]:
    """Pay tables grouped so that those with the same labels stand side by side."""
    groups: dict[tuple[str, ...], list[PayTable]] = {}
    for table in wager.pay_tables:
        labels = tuple(row.label for row in _default_rows(game, table))
        groups.setdefault(labels, []).append(table)
    return list(groups.values())


def _default_rows(game: Game, table: PayTable) -> tuple[Row, ...]:
    return table.rows_in_force({s.id: s.default for s in game.switches} | table.settings, None)


def _pay_table_grid(game: Game, tables: list[PayTable]) -> Table:
    heads = ["row"]
    for table in tables:
        decks = f", {_numbers(table.decks)} decks" if table.decks else ""
        if not gives_decks(game, table):
            decks = ", no deck count printed"
        label = f" ({table.label})" if table.label else ""
        heads.append(f"table {table.id}{label}{decks}")
    paid = [_default_rows(game, table) for table in tables]
    lines = [[_row_label(row), *(column[place].pays.text for column in paid)] for place, row in enumerate(paid[0])]
    if any(table.scales_to for table in tables):
        lines.append(["*scaled to wagers of*", *(", ".join(f"${n}" for n in table.scales_to) for table in tables)])
    if any(table.settings for table in tables):
        lines.append(["*read with*", *(", ".join(f"{k} = {v}" for k, v in t.settings.items()) for t in tables)])
    lines += ([name, *value] for name, value in _jackpot_rows(tables))
    return _marked(*heads, lines=lines)


def _row_label(row: Row) -> str:
    return f"{row.label} ({row.min_decks} decks or more)" if row.min_decks > 1 else row.label


def _jackpot_rows(tables: list[PayTable]) -> Iterator[tuple[str, list[str]]]:
    if any(table.jackpot is None for table in tables):
        return
    jackpots = [table.jackpot for table in tables if table.jackpot]
    yield "*seed*", [f"${jackpot.seed:,}" for jackpot in jackpots]
    yield "*contribution*", [f"{percent(jackpot.contribution, 0)} ({jackpot.basis})" for jackpot in jackpots]


def _computed_wagers(game: Game) -> list[Wager]:
    return [wager for wager in game.proved_wagers if not game.is_first(wager)]


def _edges(game: Game) -> Table:
    """Exact edge of each pay table for the letter's deck counts and infinite decks."""
    decks = [str(number) for number in game.decks] + (["inf"] if game.has_endless_shoe else [])
    lines = []
    for wager in _computed_wagers(game):
        sides = ["player", "banker"] if wager.hand == "seat" else [""]
        for table in wager.pay_tables:
            for side in sides if table.settings.get("counts") != "either_side" else [""]:
                choices = (
                    choose(game, wager.id, pay_table=table.id, decks=number, side=side or None) for number in decks
                )
                edges = (compute_odds(choice).edge for choice in choices)
                lines.append((f"`{wager.id}`", table.id + (f", {side}" if side else ""), *edges))
    heads = ["infinite" if number == "inf" else f"{number} deck{'s'[: int(number) - 1]}" for number in decks]
    return Table(
        title="Exact edges",
        columns=(*columns("wager", "table", kind="marked"), *columns(*heads, kind="percent", digits=3)),
        rows=rows(*lines),
    )


def _strategy_link(game: Game) -> Iterator[Block]:
    if game.is_decided:
        page = f"../strategy/{played_as(game).id}.md"
        yield Paragraph(f"The main wager depends on how it is played: [strategy, edge and what rules cost]({page}).")


def _values(switch: Switch) -> str:
    return ", ".join(f"**{value}**" if value == switch.default else value for value in switch.values)


def _effect(game: Game, switch: Switch) -> str:
    """Edges under each value, for wagers whose edge the switch changes."""
    lines = []
    for wager in _computed_wagers(game):
        if game.is_beside(wager) or any(
            bet.scene.follows_play for name in wager.classifiers if (bet := find_bet(name)) is not None
        ):
            continue  # every value is a game to solve: its strategy page says what switches do to the main wager
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
    games = {item.game.id: item.game for item in results}.values()
    blocks: list[Block] = [
        Heading(1, "Published figures, recomputed"),
        Paragraph(
            "Every published figure, of letters and of public descriptions, beside the exact one. *Equal* means equal "
            "to all printed digits. *Within simulation error* means that the printed figure looks simulated, and that "
            "a simulation could well have given it: z counts the standard errors between them, less rounding, for the "
            "number of rounds shown. That number is our assumption, since the letters say nothing of it; an edge's "
            "error counts fixed pays only, with the meter's part added by formula. Where a figure *differs* the "
            "finding says why. *Rules* are switches that are not the usual ones. `croupier check` makes this table "
            "anew, and `croupier odds GAME WAGER --pay-table TABLE --decks N` one of its lines, with "
            "`--set` for each rule."
        ),
        Paragraph(f"**{len(results)} figures: {verdict_counts(item.verdict for item in results)}.**"),
        *(
            figures_table([item for item in results if item.game.id == game.id], f"{game.name}: {game.id}")
            for game in games
        ),
    ]
    return f"{MADE}\n\n{markdown(blocks)}\n"


def _numbers(values: tuple[int, ...]) -> str:
    return ", ".join(str(value) for value in values)
