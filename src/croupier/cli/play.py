"""`croupier play` and `croupier replay`: the interactive table, scripted rounds, logged rounds."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

from croupier.cli.screen import console, print_json
from croupier.errors import NotationError
from croupier.library.game import game
from croupier.reports.rounds.advice import advice_lines
from croupier.reports.rounds.data import round_data
from croupier.reports.rounds.text import round_lines
from croupier.rules import find_game
from croupier.table.log import parse_log
from croupier.table.replay import RoundState

NEEDS_MORE = 3


def play_script(
    game_id: str,
    options: dict[str, Any],
    seats: list[str],
    cards: str,
    answers: str,
    *,
    seed: int | None,
    advice: bool,
    as_json: bool,
) -> int:
    """Deals exactly these cards with these answers; the exit status says whether the round is complete. `options` are
    the keywords of `Game.round`."""
    if seed is not None:
        raise NotationError("A scripted round deals the cards of --cards: leave --seed out.", code="bad_seed")
    round = game(game_id).round(*seats, cards=cards, answers=answers, **options)
    _note_leftovers(round.unused_cards, round.unused_answers)
    advised = list(round.advice()) if advice else []
    if as_json:
        print_json(round.to_dict() | ({"advice": [asdict(answer) for answer in advised]} if advice else {}))
    else:
        show_round(round.state)
        for line in advice_lines(advised) if advised else ():
            console().print(f"  {line}")
    return 0 if round.is_complete else NEEDS_MORE


def _note_leftovers(cards: int, answers: int) -> None:
    """A script that says more than was asked may be mistaken about the game."""
    if cards or answers:
        sys.stderr.write(f"croupier: note: {cards} cards and {answers} answers of the script were not used\n")


def play_table(game_id: str, options: dict[str, Any], *, spots: int, sealed: bool, scripted: bool) -> None:
    """The interactive table. `options` are the keywords of `Game.table`."""
    if scripted:
        game(game_id).table(**options)  # what is wrong with the rules is said first
        raise NotationError('A scripted round needs a seat: give its wagers, as in --seat "main=10".', code="no_seat")
    from croupier.cli.terminal import PlayTerminal

    PlayTerminal(game(game_id).table(spots, sealed=sealed, **options)).run()


def replay_file(name: str, own_game: str | None, *, as_json: bool) -> int:
    """Shows a logged round; the exit status says whether it is complete."""
    try:
        text = sys.stdin.read() if name == "-" else Path(name).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        raise NotationError(f"The log {name} cannot be read.", code="unreadable_file") from None
    state = parse_log(text, find_game(own_game) if own_game is not None else None).state()
    if as_json:
        print_json(round_data(state))
    else:
        show_round(state)
    return 0 if state.is_complete else NEEDS_MORE


def show_round(state: RoundState) -> None:
    out = console()
    for line in round_lines(state):
        out.print(line)
