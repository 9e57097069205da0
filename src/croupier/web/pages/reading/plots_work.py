"""The plots of a wager, made apart from the server."""

from __future__ import annotations

from croupier.exact.check import is_played
from croupier.exact.odds import parse_meter_wish
from croupier.reports.plots.kinds import KINDS, PlotWish, make_plot
from croupier.reports.plots.model import Plot
from croupier.reports.plots.wager import has_up_cards
from croupier.rules.choice import Choice
from croupier.web.pages.reading.sheet_work import METER_FIELDS, SheetAsk


def fitting_plots(choice: Choice) -> list[str]:
    """The kinds that a page shows of a wager: exact ones, and no minutes of work for one of them."""
    kinds = ["outcomes"]
    if has_up_cards(choice):
        kinds.append("up-cards")
    if any(row.pays.is_share for row in choice.rows):
        kinds.append("meter-edge")
    if not (is_played(choice) and choice.game.declared.hands > 1):
        kinds.append("decks")
    return [*kinds, "bankroll"]


def wager_plots(ask: SheetAsk) -> list[Plot]:
    """All of them, under the rules and with the meter that a sheet is asked for."""
    choice = ask.choice()
    given: dict[str, str | None] = dict.fromkeys(METER_FIELDS) | dict(ask.meter)
    meter = parse_meter_wish(given)
    wishes = {kind: PlotWish(meter=meter) if "meter" in KINDS[kind].options else PlotWish() for kind in KINDS}
    return [make_plot(kind, choice, wishes[kind]) for kind in fitting_plots(choice)]
