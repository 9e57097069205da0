"""A wager's vulnerability, for a table-games manager: what can be taken from it, how, and what stops it."""

from __future__ import annotations

from collections.abc import Iterator

from croupier.exact.protection.removal import RANK_NAMES, SecondOrder
from croupier.reports.formatting import percent, shoe_text
from croupier.reports.plots.model import Line, Plot
from croupier.reports.protection.advice import USUAL_LIMIT, Advice, safe_cut
from croupier.reports.protection.study import (
    DEALINGS,
    SHUFFLED_EACH_ROUND,
    CounterYield,
    Protection,
    Study,
    count_figures,
)
from croupier.reports.protection.together import Together
from croupier.reports.report import Block, Column, Fact, Facts, Heading, Note, Report, Table, columns, rows
from croupier.rules.counts import published_counts

ADD_UP = "Exact, of each unit wagered. Over all cards of the deck the changes add up to exactly zero."
BESIDE_UP_CARD = (
    "Exact, of each unit wagered. It is offered under some up cards only, so the changes add up to zero only over the "
    "cards beside these."
)
MADE_IN_PLAY = (
    "It is made, or decided, while the round is played: hands are taken to be played as from the fresh shoe, and what "
    "it yields from a shoe is not dealt."
)


def protection_report(
    protection: Protection, study: Study | None, advice: Advice | None = None, beside: Together | None = None
) -> Report:
    choice = protection.choice
    return Report(
        title=f"{choice.game.name}: {choice.wager.name}",
        subtitle=f"Vulnerability: pay table {choice.pay_table.id}, {shoe_text(choice.decks)}",
        blocks=tuple(_blocks(protection, study, advice, beside)),
    )


def _blocks(
    protection: Protection, study: Study | None, advice: Advice | None, beside: Together | None
) -> Iterator[Block]:
    if study is not None:
        yield Facts(tuple(_summary(study, advice.limit if advice else USUAL_LIMIT)))
        yield _counters_table(study)
        if beside is not None:
            yield _together_table(beside)
        if advice is not None:
            yield _advice_table(advice, study)
        yield from _published(study)
        if len(study.depths) > 1:
            yield cut_plot(study)
    elif not protection.is_dealt_from_a_shoe:
        yield Note(MADE_IN_PLAY if protection.is_made_in_play else SHUFFLED_EACH_ROUND)
    yield Heading(2, "Effects of removal")
    yield _removal_table(protection)
    if protection.second_order is not None:
        yield _second_order_table(protection.second_order)
    if protection.counts:
        yield _counts_table(protection)
    else:
        yield Note(
            "No rank matters by itself: a count of tags sees nothing here. What the wager is worth depends on how "
            "cards are paired or suited."
        )
    yield from (Note(note, "warn") for note in protection.choice.notes)


def _summary(study: Study, limit: float) -> Iterator[Fact]:
    perfect = study.perfect.result
    yield Fact(
        id="edge",
        label="House edge, fresh shoe",
        value=-float(study.protection.removal.value),
        text=percent(-study.protection.removal.value),
    )
    yield Fact(
        id="perfect",
        label="Most that can be taken",
        value=perfect.per_shoe,
        text=f"{perfect.per_shoe:.3f} ± {2 * perfect.per_shoe_error:.3f} units a shoe",
        detail="by someone who knows every card that is gone and bets on "
        f"{percent(perfect.frequency, 2)} of the rounds",
    )
    yield Fact(
        id="cut",
        label="Cut card",
        value=study.cut,
        text=f"after {study.cut} cards, {perfect.rounds:.2f} rounds a shoe",
        detail=DEALINGS[study.dealing],
    )
    safe = safe_cut(study, limit)
    yield Fact(
        id="advice",
        label="What stops it",
        value=safe,
        text=_advice(study, safe),
        detail=f"keeps the most that can be taken below {limit:g} units a shoe; a continuous shuffler leaves nothing",
    )


def _advice(study: Study, safe: int | None) -> str:
    if safe is None:
        return "a continuous shuffler: no cut card does"
    return "nothing is needed" if safe == study.cut else f"a cut card after {safe} cards"


def _together_table(beside: Together) -> Table:
    words = {"own_counts": "A count for each wager", "linear": "Linear estimate", "perfect": "Perfect play"}
    return Table(
        id="together",
        title=f"{', '.join(beside.wagers)} together",
        columns=(Column("counter"), *columns("units a shoe", "standard error", kind="number", digits=4)),
        rows=rows(*((words[kind], won, error) for kind, (won, error) in beside.per_shoe.items())),
        notes=("Of the same shoes, a unit on each wager when it is good.",),
    )


def _advice_table(advice: Advice, study: Study) -> Table:
    tried = ", ".join(f"{number}: {won:.3f}" for number, won in sorted(advice.decks_tried.items()))
    lowered = advice.pay is not None and advice.pay != advice.pay_now
    edge = f", a house edge of {percent(advice.house_edge, 2)}" if lowered and advice.house_edge is not None else ""
    pay = "is low enough" if advice.pay == advice.pay_now else f"{advice.pay} to 1 at most{edge}"
    lines = (
        ("the cut card", _advice(study, advice.cut), f"now after {study.cut} cards"),
        (
            "the number of decks",
            f"{advice.decks}, cut as deep" if advice.decks is not None else "none that is offered",
            f"units a shoe by decks: {tried}" if tried else "no other number is offered",
        ),
        (
            f"the pay of {advice.row}",
            pay if advice.pay is not None else "none does",
            f"now {advice.pay_now} to 1" if advice.pay_now is not None else "now no whole pay",
        ),
    )
    return Table(
        id="advice",
        title=f"What keeps the most that can be taken below {advice.limit:g} units a shoe",
        columns=(Column("measure"), Column("does it"), Column("")),
        rows=rows(*lines),
        notes=("Each by itself, from as many shoes as above.",),
    )


def _counters_table(study: Study) -> Table:
    return Table(
        id="yields",
        title="What counters take, betting one unit",
        columns=(
            Column("counter"),
            Column("bets from true count"),
            Column("of rounds", "percent", 2),
            Column("edge then", "percent", 3),
            *columns("units a shoe", "standard error", "units per 100 rounds", "DI", kind="number", digits=4),
        ),
        rows=rows(
            *(
                (
                    counter.count.name,
                    trigger_text(counter),
                    counter.result.frequency,
                    counter.result.average_edge,
                    counter.result.per_shoe,
                    counter.result.per_shoe_error,
                    counter.result.per_100,
                    counter.desirability,
                )
                for counter in study.counters
            )
        ),
        notes=(
            f"{study.shoes:,} shoes from seed {study.seed}. Each bet counts by its exact expected profit from the "
            "unseen cards. Perfect play bets whenever that is positive: no count does better.",
            "DI: 1000 times the win of a round, over the deviation of the fresh shoe times the root of how often one "
            "bets.",
        ),
    )


def trigger_text(counter: CounterYield) -> str:
    if counter.never_bets:
        return "never"
    return "-" if counter.trigger is None else f"{counter.trigger:+g}"


def _published(study: Study) -> Iterator[Note]:
    """What authors say of their counts, beside what came out."""
    choice = study.protection.choice
    results = {counter.count.id: counter.result for counter in study.counters}
    for known in published_counts(choice.wager.id):
        printed = known.published
        if printed is None or (printed.decks, printed.cut) != (choice.decks, study.cut):
            continue
        result = results[known.id]
        yield Note(
            f"{known.name}: {printed.win_per_shoe} units a shoe are published ({known.source}); here "
            f"{result.per_shoe:.3f} with a standard error of {result.per_shoe_error:.3f}."
        )


def _removal_table(protection: Protection) -> Table:
    removal = protection.removal
    lines = []
    for rank, name in enumerate(RANK_NAMES):
        suits = removal.by_card[4 * rank : 4 * rank + 4] if removal.differs_by_suit else ()
        lines.append((name, removal.by_rank[rank], *suits))
    suits_columns = columns("clubs", "diamonds", "hearts", "spades", kind="percent", digits=4)
    return Table(
        id="effects_of_removal",
        columns=(
            Column("card taken out"),
            Column("change of the player's profit", "percent", 4),
            *(suits_columns if removal.differs_by_suit else ()),
        ),
        rows=rows(*lines),
        notes=(ADD_UP if removal.total == 0 else BESIDE_UP_CARD,),
    )


def _second_order_table(effects: SecondOrder) -> Table:
    words = ("of one rank and suit", "of one rank", "of one suit", "of neither")
    return Table(
        id="second_order_effects",
        title="Two cards that are gone",
        columns=(Column("two cards"), Column("change beyond what each does alone", "percent", 5)),
        rows=rows(*zip(words, effects.named.values(), strict=True)),
        notes=(
            "Means over all pairs of cards, exact. Where tags see little, this is what someone gains who follows how "
            "the shoe is paired or suited.",
        ),
    )


def _counts_table(protection: Protection) -> Table:
    lines = []
    for count in protection.counts:
        figures = count_figures(count, protection.removal)
        even = figures["break_even_true_count"]
        lines.append(
            (
                count.name,
                " ".join(f"{tag:g}" for tag in count.tags),
                figures["betting_correlation"],
                figures["gain_per_true_count"],
                f"{even:+.1f}" if even < float("inf") else "-",
            )
        )
    return Table(
        id="counts",
        title="Counts",
        columns=(
            Column("count"),
            Column("tags, ace to king"),
            Column("betting correlation", "number", 3),
            Column("gain per true count", "percent", 4),
            Column("break-even true count"),
        ),
        rows=rows(*lines),
        notes=("Add the tag of every card seen; the true count is that sum for each deck of unseen cards.",),
    )


def cut_plot(study: Study) -> Plot:
    """What is taken under every cut before the one that was dealt."""
    cuts = tuple(float(depth.cut) for depth in study.depths)
    shown = [number for number, counter in enumerate(study.counters) if counter.count.id in ("best", "perfect")]
    return Plot(
        id="cut",
        title="What a deeper cut gives away",
        x_label="Cards dealt before the cut card",
        y_label="Units a shoe",
        lines=tuple(
            Line(
                name=study.counters[number].count.name,
                x=cuts,
                y=tuple(depth.per_shoe[number] for depth in study.depths),
            )
            for number in shown
        ),
        note="Simulated: the same shoes under every cut.",
    )
