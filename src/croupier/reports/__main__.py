"""`python -m croupier.reports FOLDER` writes the documentation pages that are made from data."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from croupier.exact.check import check_game
from croupier.reports.game_page import check_page, game_page
from croupier.rules import find_game, game_ids
from croupier.rules.loader import game_schema


def pages() -> dict[str, str]:
    """Every made page by its path below the documentation folder."""
    games = [find_game(name) for name in game_ids()]
    made = {f"games/{game.id}.md": game_page(game) for game in games}
    made["check.md"] = check_page([item for game in games for item in check_game(game)])
    made["game.schema.json"] = json.dumps(game_schema(), indent=2) + "\n"
    return made


def main() -> None:
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "docs")
    for name, text in pages().items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        sys.stdout.write(f"{path}\n")


if __name__ == "__main__":
    main()
