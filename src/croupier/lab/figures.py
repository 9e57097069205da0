"""The figures of a draft as plain data: what a page shows, computed in a process of its own."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from typing import Any

from croupier.errors import CroupierError
from croupier.exact.check import is_played
from croupier.exact.odds import compute_odds
from croupier.exact.played import compute_strategy, switch_effects
from croupier.exact.strategy.result import Effect, PlayedSheet
from croupier.exact.switch_effects import odds_effects
from croupier.lab.chart import chances_plot
from croupier.lab.draft import Draft, Trial, open_draft, try_draft
from croupier.lab.solve import SolvedPay, solve_pay
from croupier.pay import PayTable, parse_rate
from croupier.reports.formatting import change, percent, rounded, signed
from croupier.reports.protection.report import protection_report
from croupier.reports.protection.study import protection_of, study
from croupier.reports.report import Column, Fact, Report, Table, columns, rows
from croupier.reports.sheet.fill import brief_odds, brief_play, exact_figures
from croupier.reports.sheet.report import rows_table
from croupier.rules.choice import Choice, choose

Plain = dict[str, Any]

SHOWN = ("edge", "return", "hit_frequency", "standard_deviation", "top_award", "element_of_risk", "mean_final_wager")
"""Figures of a sheet that a draft is judged by, in this order."""
DECIMALS = 5
SHOES = 1000
"""Of a draft that counters are held against: a few seconds."""


def draft_figures(draft: Draft, solve_row: str = "", solve_edge: str = "") -> Plain:
    """Everything a page shows of a draft that needs no playing strategy."""
    trial = try_draft(open_draft(draft))
    sheet = compute_odds(trial.choice)
    approved = compute_odds(trial.opened.approved)
    return _common(trial) | {
        "figures": _with_changes(exact_figures(sheet), exact_figures(approved)),
        "edge_exact": f"{sheet.edge.numerator}/{sheet.edge.denominator}",
        "rows": rows_table(brief_odds(sheet)),
        "method": sheet.method,
        "notes": list(sheet.notes),
        "compared": _compared(trial),
        "effects": _effects_table(odds_effects(sheet)),
        "solution": _solution(trial, solve_row, solve_edge) if solve_edge else None,
        "plot": chances_plot(sheet, approved),
    }


def draft_protection(draft: Draft) -> Report:
    """What a card counter can take from a draft: exact, and from a few shoes where it is dealt from one."""
    choice = try_draft(open_draft(draft)).choice
    exact = protection_of(choice)
    dealt = exact.is_dealt_from_a_shoe
    return protection_report(exact, study(exact, settings=choice.switches, shoes=SHOES, seed=1) if dealt else None)


def played_draft_figures(draft: Draft) -> Plain:
    """The same of a main wager that is played: its game is solved, and the approved one unless that was kept."""
    trial = try_draft(open_draft(draft))
    sheet = _solved(trial.choice, keep=not trial.is_edited)
    approved = _solved(trial.opened.approved, keep=True)
    brief = brief_play(sheet)
    return _common(trial) | {
        "figures": _with_changes(brief.figures, brief_play(approved).figures),
        "rows": rows_table(brief),
        "method": sheet.method,
        "notes": list(trial.choice.notes),
        "compared": None,
        "plot": None,
    }


def played_draft_effects(draft: Draft) -> Table:
    """What every other value of every switch does to a draft that is played: each is a game to solve."""
    trial = try_draft(open_draft(draft))
    edge = _solved(trial.choice, keep=not trial.is_edited).edge
    return _effects_table(switch_effects(trial.choice, edge))


def played_draft_solution(draft: Draft, solve_row: str, solve_edge: str) -> Plain:
    """Which pay of a row reaches an edge where each try is a game to solve."""
    return _solution(try_draft(open_draft(draft)), solve_row, solve_edge)


def edge_of(choice: Choice) -> Fraction:
    """The edge of any wager: exact, or of the solver."""
    if is_played(choice):
        return Fraction(_solved(choice, keep=False).edge)
    return compute_odds(choice).edge


def _common(trial: Trial) -> Plain:
    return {"is_edited": trial.is_edited, "approved": _name_of(trial.opened.start.pay_table)}


def _name_of(table: PayTable) -> str:
    return f"pay table {table.id}, {table.label}" if table.label else f"pay table {table.id}"


def _solved(choice: Choice, *, keep: bool) -> PlayedSheet:
    """Solutions of approved rules are kept on disk; drafts would fill it."""
    return compute_strategy(choice, keep=keep)


def _with_changes(figures: Iterable[Fact], approved: Iterable[Fact]) -> list[Plain]:
    before = {figure.id: figure for figure in approved}
    current = {figure.id: figure for figure in figures}
    return [
        {
            "id": name,
            "label": current[name].label,
            "text": current[name].text,
            "how": current[name].detail,
            "value": current[name].value,
            "change": _change(current[name], before.get(name)),
        }
        for name in SHOWN
        if name in current and not (name == "element_of_risk" and "mean_final_wager" not in current)
    ]


def _change(figure: Fact, before: Fact | None) -> str:
    """The difference as a figure of the same form; empty where there is none."""
    if before is None or figure.value == before.value:
        return ""
    assert isinstance(figure.value, float)
    assert isinstance(before.value, float)
    gap = Fraction(figure.value) - Fraction(before.value)
    if "%" in figure.text:
        return change(gap, DECIMALS)
    if figure.id == "top_award":
        return f"was {before.text}"
    return signed(gap, DECIMALS)


def _compared(trial: Trial) -> Plain:
    """Every pay table of the wager side by side, under the draft's decks, side and switches; the draft first."""
    choices = [trial.choice]
    names = ["draft" if trial.is_edited else _name_of(trial.choice.pay_table)]
    draft = trial.opened.draft
    for table in trial.opened.start.wager.pay_tables:
        if trial.is_edited or table.id != trial.choice.pay_table.id:
            # Settings that a table is read with go before those of the draft's own table.
            other = choose(trial.opened.game, draft.wager, pay_table=table.id, settings=dict(draft.settings))
            other = replace(other, decks=trial.choice.decks)
            if draft.side and other.side != "winner":
                other = replace(other, side=draft.side)
            choices.append(other)
            names.append(_name_of(table))
    sheets = [compute_odds(choice) for choice in choices]
    figures = [{figure.id: figure for figure in exact_figures(sheet)} for sheet in sheets]
    labels = {row.row: row.label for choice in reversed(choices) for row in choice.rows}
    ordered = dict.fromkeys(row.row for choice in choices for row in choice.rows)
    pays = [{row.row: row.pays.text for row in choice.rows} for choice in choices]
    return {
        "tables": [name.capitalize() for name in names],
        "figures": [
            {
                "label": figures[0][name].label,
                "values": [column[name].text if name in column else "" for column in figures],
            }
            for name in SHOWN
            if name in figures[0] and name != "element_of_risk"
        ],
        "rows": [{"label": labels[name], "pays": [column.get(name, "") for column in pays]} for name in ordered],
    }


def _effects_table(effects: Iterable[Effect]) -> Table:
    return Table(
        title="What other rules would do",
        columns=(
            *columns("rule", "instead"),
            Column("house edge", "percent", DECIMALS),
            Column("change", "change", DECIMALS),
        ),
        rows=rows(
            *((effect.switch.text, effect.value.replace("_", " "), effect.edge, effect.change) for effect in effects)
        ),
        empty="No house rule changes the edge of this draft.",
    )


def _solution(trial: Trial, solve_row: str, solve_edge: str) -> Plain:
    """A refusal is shown at the fields that ask, beside the figures of the draft itself."""
    try:
        edge = parse_rate(solve_edge)
    except CroupierError as error:
        return {"problem": str(error), "field": "solve_edge"}
    try:
        solved = solve_pay(trial, solve_row, edge, edge_of)
    except CroupierError as error:
        return {"problem": str(error), "field": "solve_row"}
    return _solution_data(solved, is_exact=not is_played(trial.choice))


def _solution_data(solved: SolvedPay, *, is_exact: bool) -> Plain:
    data: Plain = {"row": solved.row.label, "wanted": percent(solved.wanted, 4), "kind": solved.kind, "why": solved.why}
    if solved.odds is None:
        return data
    odds = solved.odds
    return data | {
        "odds": rounded(odds, 6),
        "fraction": f"{odds.numerator} {solved.kind} {odds.denominator}" if is_exact else "",
        "near": [
            {
                "pays": candidate.pays.text,
                "edge": percent(candidate.edge, DECIMALS),
                "gap": _gap(candidate.edge - solved.wanted),
            }
            for candidate in solved.near
        ],
    }


def _gap(gap: Fraction) -> str:
    return change(gap, DECIMALS) if gap else "exactly"
