"""What hidden cards of the dealer are worth to a seat that has seen them, as a report and as data."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from croupier.exact.protection.exposed import Exposed
from croupier.reports.formatting import percent
from croupier.reports.report import Block, Column, Fact, Facts, Note, Report, Table, rows
from croupier.rules.choice import Choice

WHAT_IT_LOOKS_LIKE = (
    "What to watch for: a seat that plays hands which everybody folds against one card, and folds what everybody plays "
    "against another."
)
SHUFFLED = "Cards shuffled for every round cannot be counted: what can be taken is what is seen of the dealer's hand."


def hidden_cards_report(choice: Choice, edge: float, exposed: Exposed) -> Report:
    """`edge` is that of a seat that sees what the rules show."""
    return Report(
        title=f"{choice.game.name}: {choice.wager.name}",
        subtitle=f"Vulnerability: cards of the dealer that a seat has seen, pay table {choice.pay_table.id}",
        blocks=tuple(_blocks(choice, edge, exposed)),
    )


def _blocks(choice: Choice, edge: float, exposed: Exposed) -> Iterator[Block]:
    cards = "one dealer's card" if exposed.known == 1 else f"{exposed.known} dealer's cards"
    yield Facts(
        (
            Fact(
                id="edge",
                label="House edge by the rules",
                value=edge,
                text=percent(edge, 4),
                detail="seats see what the rules show them, and play perfectly",
            ),
            Fact(
                id="edge_known",
                label=f"House edge with {cards} known",
                value=float(exposed.edge),
                text=percent(exposed.edge, 4),
                detail="exact, by optimal play of every deal" + (", the shown one among them" if exposed.shown else ""),
            ),
            Fact(
                id="player_profit",
                label="Worth of what was seen",
                value=edge - float(exposed.edge),
                text=f"{percent(edge - exposed.edge, 4)} of the first wager, each round",
                detail=f"the seat plays {percent(exposed.played, 2)} of its hands",
            ),
        )
    )
    if exposed.ranks:
        lines = ((rank.rank, rank.share, rank.edge, plays_text(rank.plays_from, rank.always)) for rank in exposed.ranks)
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
    yield Note(SHUFFLED)
    yield from (Note(note, "warn") for note in choice.notes)


def plays_text(plays_from: str | None, always: bool) -> str:
    if always:
        return "every hand"
    return f"{plays_from} or better" if plays_from else "depends on the cards"


def hidden_cards_data(choice: Choice, edge: float, exposed: Exposed) -> dict[str, Any]:
    return {
        "game": choice.game.id,
        "wager": choice.wager.id,
        "pay_table": choice.pay_table.id,
        "decks": choice.decks,
        "edge": edge,
        "dealer_cards_known": exposed.known,
        "dealer_cards_shown": exposed.shown,
        "edge_known": float(exposed.edge),
        "played": float(exposed.played),
        "by_rank": {
            rank.rank: {
                "share": float(rank.share),
                "edge": float(rank.edge),
                "plays_from": rank.plays_from,
                "plays_always": rank.always,
            }
            for rank in exposed.ranks
        },
        "notes": list(choice.notes),
    }
