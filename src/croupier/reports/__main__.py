"""`python -m croupier.reports FOLDER` writes the documentation pages that are made from data."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from croupier.exact.check import check_game
from croupier.reports.game_page import check_page, game_page
from croupier.reports.law_page import law_page
from croupier.reports.strategy_page import strategy_page
from croupier.rules import find_game, game_ids
from croupier.rules.loader import game_schema
from croupier.rules.spec import Game


def pages() -> dict[str, str]:
    """Every made page by its path below the documentation folder, strategies apart: those of two hands take minutes."""
    games = [find_game(name) for name in game_ids()]
    made = {f"games/{game.id}.md": game_page(game) for game in games}
    made["check.md"] = check_page([item for game in games for item in check_game(game)])
    made["law.md"] = law_page()
    made["game.schema.json"] = json.dumps(game_schema(), indent=2) + "\n"
    return made


def played_games() -> list[Game]:
    """The games that have a strategy."""
    return [game for game in map(find_game, game_ids()) if game.family == "blackjack"]


def main() -> None:
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "docs")
    strategies = {f"strategy/{game.id}.md": strategy_page(game) for game in played_games()}
    for name, text in (pages() | strategies).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        sys.stdout.write(f"{path}\n")


if __name__ == "__main__":
    main()
