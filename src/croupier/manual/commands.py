"""The page of every command, made from the commands themselves and not from what a terminal of some width shows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import typer
from typer.core import TyperArgument, TyperGroup, TyperOption
from typer.main import get_command

from croupier.cli.app import app
from croupier.cli.jackpot.verbs import floor_verbs
from croupier.manual.sentences import as_markdown
from croupier.reports.render.markdown import markdown_table

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
        words=[
            _word(parameter)
            for parameter in getattr(command, "params", [])
            if not set(parameter.opts) & set(COMPLETION)
        ],
        inner=list(inner),
    )
    for name, inner_command in inner.items():
        yield from _commands(f"{path} {name}", inner_command)


def _word(parameter: TyperArgument | TyperOption) -> Word:
    help = " ".join((parameter.help or "").split())
    if isinstance(parameter, TyperArgument):
        name = parameter.metavar or str(parameter.name).upper()
        return Word(
            name=name, help=help, default=_default(parameter), usage=name if parameter.required else f"[{name}]"
        )
    names = ", ".join([*parameter.opts, *parameter.secondary_opts])
    value = "" if parameter.is_flag else f" {parameter.metavar or _kind(parameter)}"
    usage = f"{parameter.opts[0]}{value}" if parameter.required else ""
    return Word(name=f"{names}{value}", help=help, default=_default(parameter), is_option=True, usage=usage)


def _kind(option: TyperOption) -> str:
    return {int: "N", float: "X"}.get(option.type_descriptor.annotation, "TEXT")


def _default(parameter: TyperArgument | TyperOption) -> str:
    if parameter.required:
        return "must be given"
    if isinstance(parameter, TyperOption) and parameter.is_flag and parameter.secondary_opts:
        return f"`{parameter.opts[0] if parameter.default else parameter.secondary_opts[0]}`"
    return "" if parameter.default in (None, False, "") or callable(parameter.default) else f"`{parameter.default}`"


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
                [f"[`{command.path}`](#{_anchor(command.path)})", as_markdown(command.help)]
                for command in commands
                if command.path.count(" ")
            ],
        ),
    ]
    for one in commands:
        parts += _section(one)
    return "\n\n".join(parts) + "\n"


def _section(command: CommandWords) -> Iterator[str]:
    depth = max(2, 1 + command.path.count(" "))
    usage = " ".join(
        [command.path, *(word.usage for word in command.words if word.usage)]
        + (["COMMAND"] if command.inner else [])
        + (["[OPTIONS]"] if any(word.is_option and not word.usage for word in command.words) else [])
    )
    yield f"{'#' * depth} {command.path}"
    yield as_markdown(command.help)
    yield f"```text\n{usage}\n```"
    arguments = [word for word in command.words if not word.is_option]
    options = [word for word in command.words if word.is_option]
    for kind, words in (("argument", arguments), ("option", options)):
        if words:
            rows = [[f"`{word.name}`", as_markdown(word.help), word.default] for word in words]
            yield markdown_table([kind, "meaning", "default"], rows)


def _anchor(path: str) -> str:
    return path.replace(" ", "-")
