"""The pages of the documentation that are made from data and from the program."""

from __future__ import annotations

import json

from croupier.exact.check import check_game
from croupier.manual.commands import commands_page
from croupier.manual.endpoints import api_description, api_page
from croupier.manual.refusals import refusals_page
from croupier.manual.settings import game_file_page, settings_page
from croupier.reports.documentation.game import check_page, game_page
from croupier.reports.documentation.law import law_page
from croupier.reports.documentation.titles import titles_page
from croupier.reports.glossary import glossary_page
from croupier.reports.strategy.page import strategy_page
from croupier.rules import find_game, game_ids
from croupier.rules.loader import game_schema
from croupier.rules.registry import played_as
from croupier.rules.spec import Game


def made_pages() -> dict[str, str]:
    """Every made page by its path below the documentation folder, strategies apart: those of two hands take minutes."""
    games = [find_game(name) for name in game_ids()]
    return {f"games/{game.id}.md": game_page(game) for game in games} | {
        "check.md": check_page([item for game in games for item in check_game(game)]),
        "titles.md": titles_page(),
        "glossary.md": glossary_page(),
        "law.md": law_page(),
        "commands.md": commands_page(),
        "settings.md": settings_page(),
        "game-file.md": game_file_page(),
        "api-reference.md": api_page(api_description()),
        "refusals.md": refusals_page(),
        "game.schema.json": json.dumps(game_schema(), indent=2) + "\n",
    }


def played_games() -> list[Game]:
    """The games that have a strategy; of those that are played alike the first."""
    return [game for game in map(find_game, game_ids()) if game.is_decided and played_as(game).id == game.id]


def strategy_pages() -> dict[str, str]:
    """The pages of optimal play; every rule of every game is solved for them."""
    return {f"strategy/{game.id}.md": strategy_page(game) for game in played_games()}
