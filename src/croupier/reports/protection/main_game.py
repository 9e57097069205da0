"""What a counter takes from a main game of blackjack, as a report and as data."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from croupier.exact.protection.counts import Count, best_count, correlation, followed, named_counts
from croupier.exact.protection.main_game import IndexPlay
from croupier.exact.protection.removal import RANK_NAMES
from croupier.reports.formatting import percent, shoe_text
from croupier.reports.plots.model import Line, Plot
from croupier.reports.protection.main_study import RUIN, MainStudy, SpreadYield
from croupier.reports.protection.study import DEALINGS
from croupier.reports.report import Block, Column, Fact, Facts, Note, Report, Table, columns, rows

SHOWN_PLAYS = 24
RAREST = 0.002
"""True counts of a smaller share of rounds are left out of the table."""
PARTS = {"hard": "hard {}", "soft": "soft {}", "pair": "{}"}
PLAYS = {"S": "stand", "H": "hit", "D": "double", "P": "split", "R": "give up"}


def main_report(study: MainStudy) -> Report:
    choice = study.choice
    return Report(
        title=f"{choice.game.name}: {choice.wager.name}",
        subtitle=f"Vulnerability to {study.count.name}: pay table {choice.pay_table.id}, {shoe_text(choice.decks)}",
        blocks=tuple(_blocks(study)),
    )


def _blocks(study: MainStudy) -> Iterator[Block]:
    yield Facts(tuple(_facts(study)))
    yield _spreads(study)
    yield _by_true_count(study)
    yield _plot(study)
    if study.plays:
        yield _plays(study)
    yield _effects(study)
    yield _counts(study)
    yield from (Note(note, "warn") for note in study.choice.notes)


def _facts(study: MainStudy) -> Iterator[Fact]:
    rounds = study.rounds
    fresh = study.worth.fresh.by_total.account.value
    yield Fact(
        id="edge", label="House edge, fresh shoe", value=-fresh, text=percent(-fresh), detail="by the best chart"
    )
    yield Fact(
        id="cut",
        label="Cut card",
        value=study.cut,
        text=f"after {study.cut} cards, {rounds.rounds / rounds.shoes:.2f} rounds a shoe",
        detail=DEALINGS[study.dealing],
    )
    flat = study.mean_of("indexed")
    yield Fact(
        id="flat",
        label="House edge against index plays alone",
        value=-flat,
        text=percent(-flat),
        detail="the same bet on every round",
    )
    index = study.worth.insurance_index
    if index is not None:
        yield Fact(
            id="insurance_index",
            label="Insurance pays",
            value=index,
            text=f"from a true count of {index:+.2f} on",
            detail=f"with {rounds.unseen:.0f} cards unseen",
        )


def _spreads(study: MainStudy) -> Table:
    lines = [
        (
            indexed.spread.name,
            indexed.mean_bet,
            100 * indexed.mean,
            10 * indexed.deviation,
            indexed.score,
            indexed.rounds_to_one_deviation or "-",
            indexed.bank or "-",
            charted.score,
        )
        for indexed, charted in zip(study.spreads("indexed"), study.spreads("chart"), strict=True)
    ]
    return Table(
        id="spreads",
        title="What spreads take, with index plays and insurance",
        columns=(
            Column("bets"),
            Column("mean bet", "number", 2),
            *columns("units per 100 rounds", "deviation of 100 rounds", "SCORE", kind="number", digits=2),
            Column("N0, rounds", "number", 0),
            Column(f"bank for {percent(RUIN, 0)} ruin, units", "number", 0),
            Column("SCORE by the chart alone", "number", 2),
        ),
        rows=rows(*lines),
        notes=(
            "Bets grow with edge over variance, as steeply as gives the highest SCORE: dollars won in 100 rounds with "
            "a bank of $10,000 at full Kelly bets. After N0 rounds the expected win is one standard deviation.",
            "Rounds that are watched count as rounds. One seat, the true count at the start of the round.",
        ),
    )


def _by_true_count(study: MainStudy) -> Table:
    cells = [cell for cell in study.rounds.cells if cell.share >= RAREST]
    return Table(
        id="by_true_count",
        title="By true count at the start of a round",
        columns=(
            Column("true count"),
            Column("of rounds", "percent", 2),
            *columns("player's edge by the chart", "with index plays", kind="percent", digits=3),
            *columns("simulated by the chart", "standard error", kind="percent", digits=3),
        ),
        rows=rows(
            *(
                (
                    f"{cell.true_count:+d}" if cell.true_count else "0",
                    cell.share,
                    study.at(cell, "chart").value,
                    study.at(cell, "indexed").value,
                    cell.mean,
                    cell.error,
                )
                for cell in cells
            )
        ),
        notes=(
            f"{study.rounds.shoes:,} shoes, {study.rounds.rounds:,} rounds from seed {study.seed} say how often each "
            "true count comes, rounded down. Edges are exact for the shoe that is expected with the mean true count of "
            f"the row and {study.rounds.unseen:.0f} unseen cards; simulated ones are how these rounds ended.",
        ),
    )


def _plot(study: MainStudy) -> Plot:
    points = study.worth.points
    x = tuple(point.true_count for point in points)
    return Plot(
        id="worth",
        title="The player's edge by true count",
        x_label="True count",
        y_label="Player's edge",
        y_form="share",
        lines=(
            Line(name="By the chart", x=x, y=tuple(point.chart.value for point in points)),
            Line(name="With index plays", x=x, y=tuple(point.indexed.value for point in points)),
        ),
        note="Exact, for the shoe expected with each true count; insurance apart.",
    )


def _plays(study: MainStudy) -> Table:
    shown = study.plays[:SHOWN_PLAYS]
    return Table(
        id="index_plays",
        title="The most valuable plays that change",
        columns=(
            Column("hand"),
            Column("against"),
            Column("usually"),
            Column("instead"),
            Column("at a true count"),
            Column("gain, units per 10,000 rounds", "number", 2),
        ),
        rows=rows(*(_line_of_play(play, gain) for play, gain in shown)),
        notes=(
            f"{len(study.plays)} plays of the chart change between the true counts looked at. Gains are those of two "
            "cards at flat bets; with a spread the ones at high true counts weigh more.",
        ),
    )


def _line_of_play(play: IndexPlay, gain: float) -> tuple[str | float, ...]:
    hand = PARTS.get(play.part, play.part + " {}").format(play.hand)
    return hand, play.up, PLAYS[play.usual[0]], PLAYS[play.changed[0]], index_text(play), 1e4 * gain


def index_text(play: IndexPlay) -> str:
    return f"{'above' if play.rises else 'below'} {play.index:+.1f}"


def _effects(study: MainStudy) -> Table:
    effects = study.effects
    return Table(
        id="effects_of_removal",
        title="Effects of removal",
        columns=(
            Column("card taken out"),
            *columns("by the chart", "playing best from each shoe", kind="percent", digits=4),
        ),
        rows=rows(*zip(RANK_NAMES, effects.chart.by_rank, effects.best.by_rank, strict=True)),
        notes=("By the fixed chart the changes over all cards add up to zero; whoever adapts gains from any change.",),
    )


def counts_beside(study: MainStudy) -> list[Count]:
    """Known counts and the best simple one."""
    removal = study.effects.chart
    best = best_count(removal)
    return [followed(count, removal) for count in named_counts(study.choice.wager.id)] + ([best] if best else [])


def _counts(study: MainStudy) -> Table:
    removal = study.effects.chart
    lines = [
        (count.name, " ".join(f"{tag:g}" for tag in count.tags), correlation(count.tags, removal))
        for count in counts_beside(study)
    ]
    return Table(
        id="counts",
        title="Counts",
        columns=(Column("count"), Column("tags, ace to king"), Column("betting correlation", "number", 3)),
        rows=rows(*lines),
    )


def main_data(study: MainStudy) -> dict[str, Any]:
    choice, rounds = study.choice, study.rounds
    return {
        "game": choice.game.id,
        "wager": choice.wager.id,
        "pay_table": choice.pay_table.id,
        "decks": choice.decks,
        "count": study.count.id,
        "tags": dict(zip(RANK_NAMES, study.count.tags, strict=True)),
        "edge": -study.worth.fresh.by_total.account.value,
        "cut": study.cut,
        "dealing": study.dealing,
        "shoes": rounds.shoes,
        "rounds": rounds.rounds,
        "seed": study.seed,
        "unseen_cards": rounds.unseen,
        "effects_of_removal": {rank: float(effect) for rank, effect in study.effects.chart.named.items()},
        "effects_of_removal_best_play": {rank: float(effect) for rank, effect in study.effects.best.named.items()},
        "betting_correlation": {
            count.id: correlation(count.tags, study.effects.chart) for count in counts_beside(study)
        },
        "insurance_index": study.worth.insurance_index,
        "by_true_count": [
            {
                "true_count": cell.true_count,
                "share": cell.share,
                "mean_true_count": cell.mean_true_count,
                "edge_by_chart": -study.at(cell, "chart").value,
                "edge_with_indices": -study.at(cell, "indexed").value,
                "edge_best_play": -study.at(cell, "best").value,
                "simulated_edge": -cell.mean,
                "standard_error": cell.error,
            }
            for cell in rounds.cells
        ],
        "index_plays": [
            {
                "part": play.part,
                "hand": play.hand,
                "up": play.up,
                "usual": play.usual,
                "changed": play.changed,
                "index": play.index,
                "when": "above" if play.rises else "below",
                "gain": gain,
            }
            for play, gain in study.plays
        ],
        "spreads": {
            of: [spread_data(result) for result in study.spreads(plan)]
            for of, plan in (("with_indices", "indexed"), ("by_chart", "chart"))
        },
        "notes": list(choice.notes),
    }


def spread_data(result: SpreadYield) -> dict[str, Any]:
    return {
        "name": result.spread.name,
        "most": result.spread.most,
        "watches": result.spread.watches,
        "mean_bet": result.mean_bet,
        "win_per_100": 100 * result.mean,
        "deviation_per_100": 10 * result.deviation,
        "score": result.score,
        "n0": result.rounds_to_one_deviation,
        "bank_for_5_percent_ruin": result.bank,
    }
