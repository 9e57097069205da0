"""The page of every command, made from the commands themselves and not from what a terminal of some width shows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import typer
from typer.core import TyperArgument, TyperGroup, TyperOption
from typer.main import get_command

from croupier.cli.app import app
from croupier.cli.jackpot.verbs import floor_verbs
from croupier.manual.words import as_markdown
from croupier.reports.documentation.document import markdown_table

MADE = "<!-- Made by `make docs` from the commands. Do not edit. -->"
LOADED_APART: dict[str, typer.Typer] = {"croupier jackpot": floor_verbs}
"""Commands whose own commands are loaded only when they are called, so that `--help` of all others stays fast."""
COMPLETION = ("--install-completion", "--show-completion")
"""Options of every Typer program, about the shell and not about us."""


@dataclass(frozen=True, kw_only=True)
class Word:
    """An argument or option as the page shows it."""

    name: str
    help: str
    default: str = ""
    is_option: bool = False
    usage: str = ""


@dataclass(frozen=True, kw_only=True)
class CommandWords:
    """One command, or a group of them."""

    path: str
    """As it is typed: `croupier jackpot init`."""
    help: str
    words: list[Word] = field(default_factory=list)
    inner: list[str] = field(default_factory=list)
    """Names of the commands of a group."""


def every_command() -> list[CommandWords]:
    """All commands in the order of `--help`, groups before their members."""
    return list(_commands("croupier", get_command(app)))


def _commands(path: str, command: object) -> Iterator[CommandWords]:
    if path in LOADED_APART:
        command = get_command(LOADED_APART[path])
    inner = dict(command.commands) if isinstance(command, TyperGroup) else {}
    yield CommandWords(
        path=path,
        help=" ".join((getattr(command, "help", None) or "").split()),
        words=[_word(one) for one in getattr(command, "params", []) if not set(one.opts) & set(COMPLETION)],
        inner=list(inner),
    )
    for name, one in inner.items():
        yield from _commands(f"{path} {name}", one)


def _word(one: TyperArgument | TyperOption) -> Word:
    help = " ".join((one.help or "").split())
    if isinstance(one, TyperArgument):
        name = one.metavar or str(one.name).upper()
        return Word(name=name, help=help, default=_default(one), usage=name if one.required else f"[{name}]")
    names = ", ".join([*one.opts, *one.secondary_opts])
    value = "" if one.is_flag else f" {one.metavar or _kind(one)}"
    usage = f"{one.opts[0]}{value}" if one.required else ""
    return Word(name=f"{names}{value}", help=help, default=_default(one), is_option=True, usage=usage)


def _kind(one: TyperOption) -> str:
    return {int: "N", float: "X"}.get(one.type_descriptor.annotation, "TEXT")


def _default(one: TyperArgument | TyperOption) -> str:
    if one.required:
        return "must be given"
    if isinstance(one, TyperOption) and one.is_flag and one.secondary_opts:
        return f"`{one.opts[0] if one.default else one.secondary_opts[0]}`"
    return "" if one.default in (None, False, "") or callable(one.default) else f"`{one.default}`"


def commands_page() -> str:
    """Markdown."""
    commands = every_command()
    parts = [
        MADE,
        "# Every command",
        "What `croupier COMMAND --help` says, of all commands. `croupier` alone lists them, and every one takes "
        "`-h` or `--help`. A mistake gets one sentence on stderr with a stable code ([all of them](refusals.md)) and "
        "exit status 2; nothing is done then. Commands with `--json` print probabilities and edges as fractions of "
        "one, and money as decimal text in dollars.",
        markdown_table(
            ["command", "what it does"],
            [
                [f"[`{one.path}`](#{_anchor(one.path)})", as_markdown(one.help)]
                for one in commands
                if one.path.count(" ")
            ],
        ),
    ]
    for one in commands:
        parts += _section(one)
    return "\n\n".join(parts) + "\n"


def _section(one: CommandWords) -> Iterator[str]:
    depth = max(2, 1 + one.path.count(" "))
    usage = " ".join(
        [one.path, *(word.usage for word in one.words if word.usage)]
        + (["COMMAND"] if one.inner else [])
        + (["[OPTIONS]"] if any(word.is_option and not word.usage for word in one.words) else [])
    )
    yield f"{'#' * depth} {one.path}"
    yield as_markdown(one.help)
    yield f"```text\n{usage}\n```"
    arguments = [word for word in one.words if not word.is_option]
    options = [word for word in one.words if word.is_option]
    for kind, words in (("argument", arguments), ("option", options)):
        if words:
            rows = [[f"`{word.name}`", as_markdown(word.help), word.default] for word in words]
            yield markdown_table([kind, "meaning", "default"], rows)


def _anchor(path: str) -> str:
    return path.replace(" ", "-")
