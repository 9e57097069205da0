"""`croupier play`: scripted rounds, and the way to the interactive table."""

from __future__ import annotations

from datetime import UTC, datetime

from croupier.cards import parse_cards
from croupier.cli.screen import console, print_json
from croupier.errors import NotationError
from croupier.reports.round_data import round_data
from croupier.reports.round_text import round_lines
from croupier.rules import find_game
from croupier.rules.choice import parse_decks, parse_settings
from croupier.table.replay import RoundState, replay
from croupier.table.setup import Stakes, TableRules, make_rules, parse_stakes

NEEDS_MORE = 3


def table_rules(game_id: str, decks: str | None, settings: list[str], pay_tables: list[str]) -> TableRules:
    """The rules of a table from command-line words, under today's law."""
    count = parse_decks(decks) if decks is not None else 0
    if count is None:
        raise NotationError("A table is dealt from real decks: 1 to 8, not inf.", code="bad_decks")
    return make_rules(
        find_game(game_id),
        decks=count or None,
        settings=parse_settings(settings),
        pay_tables=parse_settings(pay_tables),
        day=datetime.now(UTC).date(),
    )


def play_script(rules: TableRules, seats: list[str], cards: str, answers: str, *, as_json: bool) -> int:
    """Deals exactly these cards with these answers; the exit status says whether the round is complete."""
    stakes: list[Stakes] = [parse_stakes(seat, rules.game) for seat in seats]
    state = replay(rules, stakes, parse_cards(cards), answers.replace(",", " ").split())
    if as_json:
        print_json(round_data(state))
    else:
        show_round(state)
    return 0 if state.is_complete else NEEDS_MORE


def show_round(state: RoundState) -> None:
    out = console()
    for line in round_lines(state):
        out.print(line)
