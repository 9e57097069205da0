"""Jackpots whose letter contradicts itself: which reading the regulator has confirmed, with the edge by each."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from fractions import Fraction

from croupier.exact.check import Contradiction, contradiction_of
from croupier.floor.checks.findings import Finding, found
from croupier.floor.checks.meters import PPM, meter_math_of
from croupier.floor.law import law_on
from croupier.floor.setup import Floor, JackpotSetup, jackpot_choice
from croupier.rules.choice import Choice
from croupier.rules.registry import find_game


def both_readings(floor: Floor, jackpot: JackpotSetup) -> Contradiction | None:
    """The edge of a jackpot as set up, by the letter's text and as its figures go; None where the two agree."""

    def edge_of(choice: Choice) -> Fraction:
        return meter_math_of(jackpot, choice).edge

    tables = [table for table in floor.tables_of(jackpot.id) if table.game == jackpot.game]
    return contradiction_of(jackpot_choice(jackpot, tables[0] if tables else None), edge_of)


def unsaid_readings(floor: Floor, jackpot: JackpotSetup) -> list[str]:
    """The switches of such a reading that neither the jackpot nor each of its tables says."""
    tables = floor.tables_of(jackpot.id)
    return [
        name
        for name in find_game(jackpot.game).by_figures(jackpot.wager, jackpot.pay_table)
        if name not in jackpot.settings and not (tables and all(name in table.settings for table in tables))
    ]


def _toml(settings: dict[str, str]) -> str:
    return ", ".join(f'{name} = "{value}"' for name, value in settings.items())


def confirmed_readings(floor: Floor, day: date) -> Iterator[Finding]:
    """A real floor says which reading its regulator has confirmed, and where; a demonstration follows the text."""
    row = law_on("text_and_figures", day)
    for jackpot in floor.jackpots:
        both = both_readings(floor, jackpot) if row is not None else None
        if row is None or both is None:
            continue
        where = f"jackpots.{jackpot.id}"
        effect = {f"text_{side}_edge_ppm": round(edge * PPM) for side, edge in both.text.edges.items()}
        effect |= {"figures_edge_ppm": round(both.figures.edges["player"] * PPM)}
        unsaid = unsaid_readings(floor, jackpot)
        if not floor.demo and (unsaid or not jackpot.confirmed):
            sentence = (
                f'"{jackpot.id}", pay table {jackpot.pay_table}: {both.sentence} Ask the regulator which reading is '
                f"approved and say it with the jackpot: settings = {{ {_toml(both.text.settings)} }} or "
                f"{{ {_toml(both.figures.settings)} }}, and in confirmed the date and reference of the answer."
            )
            yield found(row, "reading_not_confirmed", where, sentence, effect=effect)
            continue
        table = next(iter(floor.tables_of(jackpot.id)), None)
        switches = jackpot_choice(jackpot, table).switches
        rules = ", ".join(f"{name} = {switches[name]}" for name in both.text.settings)
        who = (
            f'confirmed: "{jackpot.confirmed}"' if jackpot.confirmed else "nobody was asked, as this is a demonstration"
        )
        sentence = f'"{jackpot.id}", pay table {jackpot.pay_table}, is read with {rules}; {who}. {both.sentence}'
        yield found(row, "letter_contradicts_itself", where, sentence, severity="note", effect=effect)
