"""Results as plain data for JSON: fractions of one as numbers, money as decimal text in dollars."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from croupier.exact.check import CheckedFigure, facts_of_choice, facts_of_sheet
from croupier.exact.odds import OddsSheet
from croupier.exact.strategy.account import Ending
from croupier.exact.strategy.result import PlayedSheet
from croupier.money import dollars
from croupier.reports.formatting import nearest_cent, outcome_words
from croupier.rules.choice import Choice
from croupier.rules.loader import find_jurisdiction
from croupier.rules.spec import Game

Plain = dict[str, Any]


def choice_data(choice: Choice, method: str, notes: tuple[str, ...]) -> Plain:
    """The head of every sheet: what was computed, under which rules, and how."""
    return {
        "game": choice.game.id,
        "wager": choice.wager.id,
        "pay_table": choice.pay_table.id,
        "decks": choice.decks if choice.decks is not None else "inf",
        "rules": dict(choice.switches),
        "rules_version": choice.game.version,
        "method": method,
        "notes": list(notes),
    }


def sheet_data(sheet: OddsSheet) -> Plain:
    """An odds sheet. The keys are part of the stable interface."""
    choice = sheet.choice
    data: Plain = choice_data(choice, sheet.method, sheet.notes) | {
        "edge": float(sheet.edge),
        "edge_exact": f"{sheet.edge.numerator}/{sheet.edge.denominator}",
        "hit_frequency": float(sheet.hit_frequency),
        "standard_deviation": sheet.standard_deviation,
        "denominator": sheet.denominator,
        "rows": [
            {
                "row": row.id,
                "label": row.label,
                "pays": row.pays,
                "combinations": row.combinations,
                "probability": float(row.probability),
                "return": float(row.returned),
            }
            for row in sheet.rows
        ],
        "published": [_figure_data(checked) for checked in facts_of_sheet(sheet)],
    }
    if choice.side:
        data["side"] = "either" if choice.side == "winner" else choice.side
    if sheet.jackpot is not None and sheet.meter is not None:
        data |= _jackpot_data(sheet)
    return data


def main_odds_data(sheet: PlayedSheet) -> Plain:
    """The odds sheet of a main wager that is played: hands a round take the place of combinations."""
    choice, account = sheet.choice, sheet.account
    hands, own = sheet.hands, [ending for name, ending in account.endings.items() if sheet.is_own(name)]
    return choice_data(choice, sheet.method, choice.notes) | {
        "edge": sheet.edge,
        "hit_frequency": sum(wager.hands for wager in own if wager.profit > 0) / hands,
        "standard_deviation": account.standard_deviation,
        "mean_final_wager": account.mean_final_wager,
        "element_of_risk": sheet.element_of_risk,
        "rows": [
            {
                "row": name,
                "label": label,
                "pays": pays,
                "hands_per_round": ending.hands,
                "probability": ending.hands / hands,
                "return": ending.profit / account.wagers,
            }
            for name, label, pays, ending in main_rows(sheet)
        ],
        "rows_beside": [
            {
                "row": name,
                "label": label,
                "pays": pays,
                "per_round": ending.hands,
                "return": ending.profit / account.wagers,
            }
            for name, label, pays, ending in beside_rows(sheet)
        ],
        "published": [_figure_data(checked) for checked in facts_of_choice(choice)],
    }


MainRow = tuple[str, str, str, Ending]
"""Id, label, pay, and how hands end on it."""


def main_rows(sheet: PlayedSheet) -> list[MainRow]:
    """The rows of a main wager with what they pay, in the pay table's order, losing last."""
    endings = sheet.account.endings
    paid = [row for row in sheet.choice.rows if row.row in endings and sheet.is_own(row.row)]
    rows = [(row.row, row.label, row.pays.text, endings[row.row]) for row in paid]
    return [*rows, ("lose", "Everything else", "lose", endings["lose"])]


def beside_rows(sheet: PlayedSheet) -> list[MainRow]:
    """The same of what belongs to a main wager besides: bonuses on it, and wagers that answers added."""
    game = sheet.choice.game
    levels = []
    for name, ending in sheet.account.endings.items():
        wager_id, _, outcome = name.rpartition(".")
        wager = game.wager_of_round(wager_id) if wager_id else None
        rows = wager.pay_tables[0].rows if wager is not None and wager.pay_tables else sheet.choice.rows
        row = next((row for row in rows if row.row == outcome), None)
        if not sheet.is_own(name):
            label = row.label if row is not None else outcome_words(outcome)
            named = f"{wager.name}: {label}" if wager is not None else label
            settled = game.declared.wager(wager_id)
            if settled is not None and settled.label:
                named = f"{settled.label}: {label}"
            levels.append((name, named, row.pays.text if row is not None else "lose", ending))
    return levels


def _jackpot_data(sheet: OddsSheet) -> Plain:
    jackpot, meter = sheet.jackpot, sheet.meter
    assert jackpot is not None
    assert meter is not None
    data: Plain = {
        "stake": dollars(meter.stake),
        "seed": dollars(meter.seed),
        "contribution": float(meter.contribution),
        "reserve": float(meter.reserve),
        "fixed_return": float(jackpot.fixed_return),
        "top_probability": float(jackpot.top_probability),
        "rows_valued_at_meter": _amount(sheet.valued_at),
        "average_top": _amount(jackpot.average_top),
        "break_even_meter": _amount(jackpot.break_even),
        "rounds_between_awards": float(jackpot.rounds_between) if jackpot.rounds_between is not None else None,
    }
    if meter.now is not None and jackpot.edge_now is not None:
        data |= {"meter": dollars(meter.now), "edge_at_meter": float(jackpot.edge_now)}
    return data


def _amount(value: Fraction | None) -> str | None:
    return None if value is None else dollars(nearest_cent(value))


def _figure_data(checked: CheckedFigure) -> Plain:
    computed: float | str | None = None
    if checked.computed is not None:
        is_money = checked.fact.figure == "top_average"
        computed = _amount(checked.computed) if is_money else float(checked.computed)
    data: Plain = {
        "figure": checked.fact.figure,
        "printed": checked.fact.printed,
        "computed": computed,
        "verdict": checked.verdict,
    }
    if checked.z is not None:
        data |= {"z": checked.z, "simulated_rounds": checked.fact.simulated_rounds}
        data |= {"standard_error": checked.standard_error, "deviation": checked.deviation}
    if checked.finding:
        data["finding"] = checked.finding
    return data


def checked_data(checked: CheckedFigure) -> Plain:
    """A published figure with its verdict."""
    fact = checked.fact
    data: Plain = {
        "game": checked.game.id,
        "wager": fact.wager,
        "pay_table": fact.pay_table,
        "decks": checked.decks,
        "letter": checked.game.source_of(checked.game.wager(fact.wager)).letter,
        "table": fact.where,
        "shuffle": fact.shuffle,
    }
    if fact.side:
        data["side"] = fact.side
    if fact.up_card:
        data["up_card"] = fact.up_card
    if fact.decks_inferred:
        data["decks_inferred"] = True
    if fact.under:
        data["under"] = dict(fact.under)
    if fact.rule:
        data["rule"] = fact.rule
    return data | _figure_data(checked)


def game_data(game: Game) -> Plain:
    """A game of the catalog."""
    jurisdiction = find_jurisdiction(game.jurisdiction)
    return {
        "id": game.id,
        "name": game.name,
        "family": game.family,
        "version": game.version,
        "summary": game.summary,
        "letter": {
            "letter": game.source.letter,
            "title": game.source.title,
            "agency": game.source.agency,
            "date": game.source.date.isoformat(),
            "submission": game.source.submission,
            "draft_of": game.source.draft_of,
        },
        "decks": list(game.decks),
        "default_decks": game.default_decks,
        "shuffles": list(game.shuffles),
        "wagers": [
            {
                "id": wager.id,
                "name": wager.name,
                "kind": wager.kind,
                "text": wager.text,
                "pay_tables": [
                    {
                        "id": table.id,
                        "label": table.label,
                        "decks": list(table.decks or game.decks),
                        "rows": [
                            {"row": row.row, "label": row.label, "pays": row.pays.text}
                            for row in table.rows_in_force(
                                {switch.id: switch.default for switch in game.switches} | table.settings, None
                            )
                        ],
                    }
                    for table in wager.pay_tables
                ],
            }
            for wager in game.wagers
        ],
        "switches": [
            {
                "id": switch.id,
                "text": switch.text,
                "values": list(switch.values),
                "default": switch.default,
                "basis": switch.basis,
            }
            for switch in game.switches
        ],
        "conditions": {
            "game": list(game.conditions),
            "card_room": list(jurisdiction.card_room) if jurisdiction else [],
            "tribal": list(jurisdiction.tribal) if jurisdiction else [],
            "everywhere": list(jurisdiction.at_tables(game.source)) if jurisdiction else [],
        },
        "published_figures": len(game.published),
    }
