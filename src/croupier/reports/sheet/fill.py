"""Fills an odds sheet from the exact engine, the solver and the meter's sampler. Nothing is computed here twice."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from math import inf

from croupier.exact.apart import rule_of_dealer
from croupier.exact.check import Contradiction, contradiction_of, facts_of_choice, facts_of_sheet, is_played
from croupier.exact.hold import ROUNDS, hold_of, normal_band
from croupier.exact.odds import MeterWish, OddsSheet, compute_odds
from croupier.exact.played import compute_strategy, other_rules, switch_effects
from croupier.exact.strategy.result import Effect, PlayedSheet
from croupier.exact.strategy.solve import Progress
from croupier.exact.switch_effects import odds_effects
from croupier.pay import Row
from croupier.reports.formatting import money, one_in, percent, rounded
from croupier.reports.json_data import main_rows
from croupier.reports.plots.model import Plot
from croupier.reports.plots.wager import meter_edge_plot, outcomes_plot, up_cards_plot
from croupier.reports.report import Fact
from croupier.reports.sheet.model import Booklet, Sheet, SheetRow, head_of, share_fact
from croupier.reports.sheet.progressive import ALONE, edge_of_a_meter, meter_figures, progressive_part
from croupier.reports.sheet.tables import (
    beside_table,
    chart_tables,
    contradiction_table,
    cover_table,
    dealer_outcomes,
    effects_table,
    envy_tables,
    final_wagers_table,
    hold_table,
    rules_table,
    under_up_cards_table,
    up_card_table,
)
from croupier.rules.choice import Choice, OddsRequest
from croupier.rules.spec import Game, Recorded


def make_sheet(
    choice: Choice, wish: MeterWish | None = None, *, effects: bool = True, progress: Progress | None = None
) -> Sheet:
    """The sheet of a wager; without `effects` it does not say what other rules would do, which may take minutes."""
    wish = wish or MeterWish()
    if is_played(choice) and not wish.says_anything:
        tell = progress or (lambda _share: None)
        sheet = compute_strategy(choice, progress=lambda share: tell(share / 2 if effects else share))
        return _played_sheet(sheet, _effects_of_play(sheet, tell) if effects else [])
    return _exact_sheet(compute_odds(choice, wish), wish, effects=effects)


def booklet_choices(game: Game, request: OddsRequest, pay_tables: Mapping[str, str]) -> list[Choice]:
    """What the sheets of a booklet are of, the main wagers first. Everything asked for is checked here."""
    for wanted in pay_tables:
        game.wager(wanted)
    main_first = sorted(game.proved_wagers, key=lambda wager: not wager.is_main)
    return [
        replace(
            request,
            wager=wager.id,
            pay_table=pay_tables.get(wager.id),
            side=request.side if wager.hand == "seat" else None,
        ).choice(game)
        for wager in main_first
    ]


def make_booklet(
    game: Game,
    request: OddsRequest,
    *,
    pay_tables: Mapping[str, str],
    effects: bool = True,
    progress: Progress | None = None,
) -> Booklet:
    """The sheets of all wagers of a game. Everything asked for is checked before the first is computed."""
    choices = booklet_choices(game, request, pay_tables)
    return Booklet(
        game=game, sheets=tuple(make_sheet(choice, effects=effects, progress=progress) for choice in choices)
    )


def _exact_sheet(odds: OddsSheet, wish: MeterWish, *, effects: bool) -> Sheet:
    choice = odds.choice
    bands = [hold_of(odds, rounds) for rounds in ROUNDS]
    changed: list[Effect] = list(odds_effects(odds, wish)) if effects else []
    contradiction = contradiction_of(choice, lambda other: compute_odds(other, wish).edge)
    tables = [
        hold_table(bands, odds.jackpot is not None),
        *effects_table(changed),
    ]
    if choice.bet is not None and choice.bet.scene.completes_dealer:
        tables.append(dealer_outcomes(choice))
    if rule_of_dealer(choice) is not None:
        tables += [under_up_cards_table(choice), dealer_outcomes(choice)]
    progressive, notes = progressive_part(odds)
    brief = brief_odds(odds, contradiction)
    return replace(
        brief,
        head=head_of(choice),
        edge_parts=edge_of_a_meter(odds) if odds.jackpot is not None else tuple(_edge_of_rows(odds)),
        progressive=progressive,
        tables=(*brief.tables, *tables, rules_table(choice)),
        simulated=_simulated(choice),
        notes=(*odds.notes, *notes),
        plots=_exact_plots(odds),
    )


def brief_odds(odds: OddsSheet, contradiction: Contradiction | None = None) -> Sheet:
    """What is known at once: rows, figures, settings of the meter, published figures, and both readings of a letter."""
    rows = tuple(
        SheetRow(
            id=row.id,
            label=row.label,
            pays=row.pays,
            combinations=row.combinations,
            hands=None,
            probability=row.probability,
            returned=row.returned,
        )
        for row in odds.rows
    )
    return Sheet(
        choice=odds.choice,
        rows=rows,
        denominator=odds.denominator,
        figures=tuple(exact_figures(odds)),
        progressive=tuple(meter_figures(odds)),
        tables=(*contradiction_table(contradiction), *envy_tables(odds), *cover_table(odds)),
        method=odds.method,
        published=tuple(facts_of_sheet(odds)),
        notes=odds.notes,
    )


def _exact_plots(odds: OddsSheet) -> tuple[Plot, ...]:
    outcomes = outcomes_plot(odds.choice, odds.rows, odds.method)
    if odds.jackpot is None or odds.jackpot.break_even is None:
        return (outcomes,)
    return (outcomes, meter_edge_plot(odds))


def exact_figures(odds: OddsSheet) -> list[Fact]:
    top = max((row for row in odds.rows if row.row and row.combinations), key=lambda row: row.net, default=None)
    life = ""
    if odds.jackpot is not None:
        life = f" over the life of the jackpot, {ALONE}"
        if odds.jackpot.runs_dry:
            life += "; approximate, see the notes"
    alone = ", with no other player at the table" if odds.choice.pay_table.has_envy else ""
    figures = [
        share_fact("edge", "House edge per initial bet", odds.edge, f"expected loss of each unit wagered{life}{alone}"),
        share_fact(
            "element_of_risk", "Element of risk", odds.edge, "per unit finally wagered: the wager is never raised"
        ),
        share_fact("return", "Return to the player", 1 - odds.edge),
        Fact(
            id="hit_frequency",
            label="Hit frequency",
            value=float(odds.hit_frequency),
            text=f"{percent(odds.hit_frequency, 5)} ({one_in(odds.hit_frequency)})",
            detail="money is paid; a push is not a hit",
        ),
        Fact(
            id="standard_deviation",
            label="Standard deviation",
            value=odds.standard_deviation,
            text=rounded(Fraction(odds.standard_deviation), 5),
            detail="of the player's profit, in wagers"
            + ("" if odds.valued_at is None else f", with the meter at {money(odds.valued_at)}"),
        ),
    ]
    if top is not None:
        figures.append(_top(top.label, top.probability))
    return figures


def _top(label: str, probability: Fraction) -> Fact:
    return Fact(id="top_award", label="Top award", value=float(1 / probability), text=one_in(probability), detail=label)


def _edge_of_rows(odds: OddsSheet) -> list[Fact]:
    """What comes back of a unit wagered: the wager itself, and profits and losses of every row."""
    won = sum((row.returned for row in odds.rows if row.net > 0), Fraction(0))
    lost = sum((row.returned for row in odds.rows if row.net < 0), Fraction(0))
    return [
        share_fact("lost", "Lost", -lost, "losing rows: probability times what is lost"),
        share_fact("won", "less won", won, "winning rows: probability times what is paid"),
        share_fact(
            "edge_of_parts", "House edge", -lost - won, "lost less won: the returns added up, with the sign turned"
        ),
    ]


def _effects_of_play(sheet: PlayedSheet, tell: Progress) -> list[Effect]:
    """Each is a game to solve: of games with two hands half a minute, the first time."""
    wanted = len(other_rules(sheet.choice))
    notes = []
    for number, effect in enumerate(switch_effects(sheet.choice, sheet.edge), 1):
        notes.append(effect)
        tell((1 + number / wanted) / 2)
    return notes


def played_rows(sheet: PlayedSheet) -> tuple[SheetRow, ...]:
    """How hands end, with their share of all hands and of the result."""
    endings = main_rows(sheet)
    hands = sum((Fraction(ending.hands) for *_, ending in endings), Fraction(0))
    return tuple(
        SheetRow(
            id=name,
            label=label,
            pays=pays,
            combinations=None,
            hands=ending.hands,
            probability=Fraction(ending.hands) / hands,
            returned=Fraction(ending.profit / sheet.account.wagers),
        )
        for name, label, pays, ending in endings
    )


def _played_sheet(sheet: PlayedSheet, effects: list[Effect]) -> Sheet:
    choice, account = sheet.choice, sheet.account
    has_up_card = choice.game.declared.plays_dealer_out
    bands = [normal_band(sheet.edge, account.standard_deviation, rounds) for rounds in ROUNDS]
    brief = brief_play(sheet)
    return replace(
        brief,
        head=head_of(choice),
        tables=(
            hold_table(bands, False),
            *brief.tables,
            *([up_card_table(sheet), dealer_outcomes(choice)] if has_up_card else []),
            *chart_tables(sheet),
            *final_wagers_table(sheet),
            *effects_table(effects),
            rules_table(choice),
        ),
        simulated=_simulated(choice),
        plots=(up_cards_plot(sheet),) if has_up_card else (),
    )


def brief_play(sheet: PlayedSheet) -> Sheet:
    """The rows and figures of a main wager that is played."""
    rows = played_rows(sheet)
    return Sheet(
        choice=sheet.choice,
        rows=rows,
        figures=tuple(played_figures(sheet, rows)),
        tables=tuple(beside_table(sheet)),
        method=sheet.method,
        published=tuple(facts_of_choice(sheet.choice)),
        notes=sheet.choice.notes,
    )


def played_figures(sheet: PlayedSheet, rows: tuple[SheetRow, ...]) -> list[Fact]:
    account = sheet.account
    has_splits = sheet.choice.game.declared.plays_dealer_out
    hits = sum((row.probability for row in rows if row.returned > 0), Fraction(0))
    figures = [
        share_fact("edge", "House edge per initial bet", Fraction(sheet.edge), "under optimal play"),
        share_fact("element_of_risk", "Element of risk", Fraction(sheet.element_of_risk), "per unit finally wagered"),
        Fact(
            id="mean_final_wager",
            label="Mean final wager",
            value=account.mean_final_wager,
            text=rounded(Fraction(account.mean_final_wager), 5),
            detail="in units of the first",
        ),
        Fact(
            id="hit_frequency",
            label="Hit frequency",
            value=float(hits),
            text=percent(hits, 5),
            detail="of hands, those of splits included" if has_splits else "of rounds",
        ),
        Fact(
            id="standard_deviation",
            label="Standard deviation",
            value=account.standard_deviation,
            text=rounded(Fraction(account.standard_deviation), 5),
            detail="of a round's profit, in units of the first wagers",
        ),
    ]
    if sheet.edge_total_dependent != sheet.edge:
        charts = share_fact("edge_total_dependent", "House edge by the charts", Fraction(sheet.edge_total_dependent))
        figures.insert(1, charts)
    best = _best_row(sheet)
    if best is not None:
        figures.append(_top(f"{best.label}, of hands", next(row.probability for row in rows if row.id == best.row)))
    insurance = sheet.insurance
    if insurance is not None:
        edge = Fraction(insurance.edge)
        figures.append(share_fact("insurance_edge", "Insurance, always taken", edge, f"worth taking: {insurance.take}"))
    return figures


def _best_row(sheet: PlayedSheet) -> Row | None:
    met = [row for row in sheet.choice.rows if row.row in sheet.account.endings and sheet.is_own(row.row)]
    return max(met, key=lambda row: row.pays.net if not row.pays.is_share else inf, default=None)


def _simulated(choice: Choice) -> tuple[Recorded, ...]:
    wanted = (choice.wager.id, choice.pay_table.id, choice.decks)
    return tuple(run for run in choice.game.recorded if (run.wager, run.pay_table, run.decks) == wanted)
