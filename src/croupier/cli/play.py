"""`croupier play` and `croupier replay`: the interactive table, scripted rounds, logged rounds."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path

from croupier.cards import parse_cards
from croupier.cli.screen import console, print_json
from croupier.errors import NotationError, unknown
from croupier.house_time import house_clock
from croupier.reports.rounds.advice import advice_lines, advise
from croupier.reports.rounds.data import round_data
from croupier.reports.rounds.text import round_lines
from croupier.rules import find_game
from croupier.rules.choice import parse_decks, parse_settings
from croupier.table.log import parse_log
from croupier.table.replay import NeedsAnswer, RoundState, replay
from croupier.table.setup import Stakes, TableRules, make_rules, parse_stakes
from croupier.table.shoe import Shuffle, shuffle_for

NEEDS_MORE = 3
SHUFFLES: dict[str, Shuffle] = {"fresh": "fresh", "cut-card": "cut_card", "continuous": "continuous"}
"""As `croupier simulate` calls them."""


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
        day=house_clock().date(),
    )


def play_script(rules: TableRules, seats: list[str], cards: str, answers: str, *, advice: bool, as_json: bool) -> int:
    """Deals exactly these cards with these answers; the exit status says whether the round is complete."""
    stakes: list[Stakes] = [parse_stakes(seat, rules.game) for seat in seats]
    dealt, answered = parse_cards(cards), answers.replace(",", " ").split()
    state = replay(rules, stakes, dealt, answered)
    _note_leftovers(len(dealt) - state.cards_used, len(answered) - state.answers_used)
    advised = advise(state) if advice and isinstance(state.need, NeedsAnswer) else []
    if as_json:
        print_json(round_data(state) | ({"advice": [asdict(one) for one in advised]} if advice else {}))
    else:
        show_round(state)
        for line in advice_lines(advised) if advised else ():
            console().print(f"  {line}")
    return 0 if state.is_complete else NEEDS_MORE


def _note_leftovers(cards: int, answers: int) -> None:
    """A script that says more than was asked may be mistaken about the game."""
    if cards or answers:
        sys.stderr.write(f"croupier: note: {cards} cards and {answers} answers of the script were not used\n")


def parse_shuffle(rules: TableRules, text: str | None) -> Shuffle | None:
    """The shuffle asked for, if the letter has it; a script is held to that too, though its cards are given."""
    if text is None:
        return None
    if text not in SHUFFLES:
        raise unknown("shuffle", text, SHUFFLES)
    return shuffle_for(rules.game.shuffles, SHUFFLES[text])


def play_table(rules: TableRules, *, spots: int, sealed: bool, shuffle: Shuffle | None, scripted: bool) -> None:
    """The interactive table."""
    if scripted:
        raise NotationError('A scripted round needs a seat: give its wagers, as in --seat "main=10".', code="no_seat")
    from croupier.cli.terminal import PlayTerminal

    PlayTerminal(rules, spots=spots, sealed=sealed, shuffle=shuffle).run()


def replay_file(name: str, game: str | None, *, as_json: bool) -> int:
    """Shows a logged round; the exit status says whether it is complete."""
    try:
        text = sys.stdin.read() if name == "-" else Path(name).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        raise NotationError(f"The log {name} cannot be read.", code="unreadable_file") from None
    state = parse_log(text, find_game(game) if game is not None else None).state()
    if as_json:
        print_json(round_data(state))
    else:
        show_round(state)
    return 0 if state.is_complete else NEEDS_MORE


def show_round(state: RoundState) -> None:
    out = console()
    for line in round_lines(state):
        out.print(line)
