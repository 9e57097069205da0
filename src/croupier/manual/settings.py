"""The page of everything that can be set: switches of games, fields of a floor, variables of the environment."""

from __future__ import annotations

from croupier.floor.setup import Floor
from croupier.manual.field_words import fields_table, structs_below
from croupier.manual.sentences import as_markdown
from croupier.reports.documentation.game import switches_table
from croupier.reports.render.markdown import markdown, markdown_table
from croupier.rules import find_game, game_ids
from croupier.rules.extension import Extension
from croupier.rules.spec import Game

MADE = "<!-- Made by `make docs` from game files and from the fields of a floor. Do not edit. -->"

VARIABLES = {
    "CROUPIER_CACHE": "The folder for compiled code and finished computations; removing it is always safe. If it is "
    "not set, `croupier` below `XDG_CACHE_HOME`, or below `.cache` in the home folder.",
    "CROUPIER_GAMES": "Folders of games to offer beside ours, separated as in `PATH`; code in them runs, so name only "
    "folders that you trust.",
    "CROUPIER_STORE": "The ledger that `croupier jackpot` works on, a SQLite file or a PostgreSQL URL, where `--store` "
    "is not given; else `floor.db` in this folder.",
    "CROUPIER_PROXY": "The proxies before `croupier serve` whose word on addresses is believed, addresses or networks "
    "separated by commas or spaces, where `--proxy` is not given; else nobody is believed.",
    "CROUPIER_ANCHORS": "Where ends of the log are noted, files or URLs separated by spaces: `croupier serve` notes "
    "and checks them, `croupier jackpot verify` checks them, where `--anchors` is not given.",
    "CROUPIER_PLAY_DATABASE": "Where play money and simulations are kept, a SQLite file or a PostgreSQL URL, where "
    "`--play-database` is not given; else beside a real floor's ledger, or in a demonstration's.",
    "CROUPIER_CARD": "The card of whoever asks, where `--card` is not given.",
    "CROUPIER_PIN": "The PIN of that card, where `--pin-file` is not given; if neither is, it is asked for.",
    "CROUPIER_SECOND_PIN": "The PIN of the second person's card, where `--second-pin-file` is not given.",
    "CROUPIER_NEW_PIN": "The PIN of a new card, where `--new-pin-file` is not given.",
    "XDG_CACHE_HOME": "The user's folder for caches, by the custom of Linux desktops; `CROUPIER_CACHE` goes before it.",
    "TZ": "The time zone by which the days of the law, of deposits and of reports turn: set it to the house's.",
    "NO_COLOR": "Set to anything, output at the terminal has no colors.",
}
"""Every variable of the environment that the program reads, and what it does."""


def settings_page() -> str:
    """Markdown."""
    parts = [
        MADE,
        "# Settings",
        "Everything that can be set, apart from the options of commands, which are in "
        "[every command](commands.md). A name or value that does not exist is refused with the accepted ones.",
        "## Environment",
        markdown_table(["variable", "what it does"], [[f"`{name}`", text] for name, text in VARIABLES.items()]),
        "## Switches of the games",
        "A switch is a house rule that may differ. `--set SWITCH=VALUE` sets it for a command, "
        "`settings` for a table of a floor. Defaults are bold. *Basis* says where the default comes from: the "
        "*letter* states it, it is our *reading* of a doubt, or the letter leaves it to the *house*. What each switch "
        "does to the edge is on the game's page.",
        *(part for name in game_ids() for part in _switches(find_game(name))),
        "## A floor",
        "A floor is a TOML or JSON file for `croupier jackpot init`, `check` and `change`; the setup pages of the "
        "manager edit the same fields. [Running a floor](floor.md) shows one at work. What can be but may not be by "
        "law is refused with the rule, see [the law](law.md).",
    ]
    for struct in structs_below(Floor):
        parts += [f"### {struct.__name__}", as_markdown(struct.__doc__ or ""), fields_table(struct)]
    return "\n\n".join(parts) + "\n"


def game_file_page() -> str:
    """Markdown: what a game file may say."""
    parts = [
        MADE,
        "# A game file",
        "A game is one TOML file. `croupier odds path/to/game.toml WAGER` reads one of your own, and a mistake in it "
        "is answered with the exact place. A file with `extends` adds wagers to a game instead of repeating it: "
        "[a side bet of your own](own-side-bet.md) makes one. These are all fields; `croupier games --schema` prints "
        "the same as [JSON schema](game.schema.json), for editors. The files of the approved games, in "
        "`src/croupier/games/`, are examples.",
    ]
    for struct in dict.fromkeys([*structs_below(Game), *structs_below(Extension)]):
        parts += [f"## {struct.__name__}", as_markdown(struct.__doc__ or ""), fields_table(struct)]
    return "\n\n".join(parts) + "\n"


def _switches(game: Game) -> list[str]:
    return [f"### [{game.name}](games/{game.id}.md)", markdown([switches_table(game)])]
