"""What cards are worth to a seat that should not know them, as a report and as data."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from croupier.exact.protection.exposed import Exposed
from croupier.exact.protection.sight import Case, Knowledge, Known
from croupier.reports.formatting import percent
from croupier.reports.report import Block, Column, Fact, Facts, Note, Report, Table, rows
from croupier.rules.choice import Choice

WHAT_IT_LOOKS_LIKE = (
    "What to watch for: a seat that plays hands which everybody folds against one card, and folds what everybody plays "
    "against another."
)
SHUFFLED = "Cards shuffled for every round cannot be counted: what can be taken is what is seen of hidden cards."


@dataclass(frozen=True, kw_only=True)
class Leak:
    """What a seat has come to know, and what came out."""

    choice: Choice
    knows: Knowledge
    edge: float
    """Of a seat that sees what the rules show."""
    found: Known | Exposed
    seed: int

    @property
    def error(self) -> float:
        """Standard error; 0 where every deal was looked at."""
        return self.found.error if isinstance(self.found, Known) else 0.0

    @property
    def deals(self) -> int:
        """Deals drawn; 0 where all were looked at."""
        return self.found.deals if isinstance(self.found, Known) else 0

    @property
    def cases(self) -> tuple[Case, ...]:
        return self.found.cases if isinstance(self.found, Known) else ()


def hidden_cards_report(leak: Leak) -> Report:
    choice = leak.choice
    return Report(
        title=f"{choice.game.name}: {choice.wager.name}",
        subtitle=f"Vulnerability: knowing {leak.knows.words}; pay table {choice.pay_table.id}",
        blocks=tuple(_blocks(leak)),
    )


def _blocks(leak: Leak) -> Iterator[Block]:
    found = leak.found
    plays = "" if found.played is None else f"the seat plays {percent(found.played, 2)} of its hands"
    yield Facts(
        (
            Fact(
                id="edge",
                label="House edge by the rules",
                value=leak.edge,
                text=percent(leak.edge, 4),
                detail="seats see what the rules show them, and play perfectly",
            ),
            Fact(
                id="edge_known",
                label=f"House edge, knowing {leak.knows.words}",
                value=float(found.edge),
                text=edge_text(leak),
                detail=_how(leak),
            ),
            Fact(
                id="player_profit",
                label="Worth of what is known",
                value=leak.edge - float(found.edge),
                text=f"{percent(leak.edge - float(found.edge), 2 if leak.deals else 4)} of the first wager, each round",
                detail=plays,
            ),
        )
    )
    if isinstance(found, Exposed):
        yield from _ranks_table(found)
    elif len(leak.cases) > 1:
        yield _cases_table(leak)
    yield Note(SHUFFLED)
    yield from (Note(note, "warn") for note in leak.choice.notes)


def edge_text(leak: Leak) -> str:
    if leak.deals:
        return f"{percent(leak.found.edge, 2)} ± {percent(2 * leak.error, 2)}"
    return percent(leak.found.edge, 4)


def _how(leak: Leak) -> str:
    if leak.deals:
        return f"{leak.deals:,} deals from seed {leak.seed}, each valued exactly by optimal play"
    shown = isinstance(leak.found, Exposed) and leak.found.shown
    return "exact, by optimal play of every deal" + (", the shown card known besides" if shown else "")


def _ranks_table(found: Exposed) -> Iterator[Table]:
    if found.ranks:
        lines = ((rank.rank, rank.share, rank.edge, plays_text(rank.plays_from, rank.always)) for rank in found.ranks)
        yield Table(
            id="by_rank",
            title="By the card that was seen",
            columns=(
                Column("dealer's card"),
                Column("of rounds", "percent", 2),
                Column("house edge then", "percent", 4),
                Column("the seat plays"),
            ),
            rows=rows(*lines),
            notes=(WHAT_IT_LOOKS_LIKE,),
        )


def _cases_table(leak: Leak) -> Table:
    """A column for each answer to the first question."""
    words = list(dict.fromkeys(word for case in leak.cases for word in case.answers))
    lines = ((case.name, case.share, case.edge, *(case.answers.get(word, 0) for word in words)) for case in leak.cases)
    marks = ("x: a card of the ranks whose backs are known, in the order of the deal.",) if leak.knows.backs else ()
    return Table(
        id="cases",
        title="By what is seen",
        columns=(
            Column("seen"),
            Column("of rounds", "percent", 2),
            Column("house edge then", "percent", 4),
            *(Column(f"answers {word.replace('_', ' ')}", "percent", 2) for word in words),
        ),
        rows=rows(*lines),
        notes=("Answers are those to the first question.", *marks),
    )


def plays_text(plays_from: str | None, always: bool) -> str:
    if always:
        return "every hand"
    return f"{plays_from} or better" if plays_from else "depends on the cards"


def hidden_cards_data(leak: Leak) -> dict[str, Any]:
    choice, found = leak.choice, leak.found
    ranks = found.ranks if isinstance(found, Exposed) else ()
    shown = choice.game.declared.showdown.up if choice.game.declared.showdown is not None else 0
    return {
        "game": choice.game.id,
        "wager": choice.wager.id,
        "pay_table": choice.pay_table.id,
        "decks": choice.decks,
        "edge": leak.edge,
        "known": leak.knows.text,
        "dealer_cards_known": shown + leak.knows.dealer,
        "dealer_cards_shown": shown,
        "edge_known": float(found.edge),
        "edge_known_standard_error": leak.error,
        "deals": leak.deals or None,
        "seed": leak.seed if leak.deals else None,
        "played": None if found.played is None else float(found.played),
        "by_rank": {
            rank.rank: {
                "share": float(rank.share),
                "edge": float(rank.edge),
                "plays_from": rank.plays_from,
                "plays_always": rank.always,
            }
            for rank in ranks
        },
        "cases": [
            {
                "seen": case.name,
                "share": float(case.share),
                "edge": float(case.edge),
                "answers": {word: float(share) for word, share in case.answers.items()},
            }
            for case in leak.cases
        ],
        "notes": list(choice.notes),
    }
