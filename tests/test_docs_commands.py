"""Nothing can be asked or set without a sentence about it: commands, switches, settings, requests, variables."""

from __future__ import annotations

import re

import pytest

from croupier.floor.setup import Floor
from croupier.manual.commands import LOADED_APART, CommandWords, commands_page, every_command
from croupier.manual.endpoints import api_description
from croupier.manual.field_words import fields_of, structs_below
from croupier.manual.refusals import every_refusal
from croupier.manual.settings import VARIABLES, settings_page
from croupier.rules import find_game, game_ids
from croupier.rules.loader import game_schema
from croupier.rules.spec import Game
from tests.helpers import ROOT

DOCS = ROOT / "docs"
SOURCES = {path: path.read_text(encoding="utf-8") for path in (ROOT / "src" / "croupier").rglob("*.py")}
COMMANDS = every_command()
OF_NUMBA = {"NUMBA_ENABLE_CUDASIM", "NUMBA_DISABLE_JIT", "NUMBA_CACHE_DIR"}
"""Variables of a library that tests and compiled code touch; they are not ours to describe."""


def is_sentence(text: str) -> bool:
    return len(text) > 5 and text[0] != " " and text.rstrip()[-1] in ".)"


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.path)
def test_a_command_and_each_of_its_options_has_a_sentence(command: CommandWords) -> None:
    assert is_sentence(command.help)
    assert [word.name for word in command.words if not is_sentence(word.help)] == []


def test_every_command_is_on_the_page_with_its_options() -> None:
    page = (DOCS / "commands.md").read_text(encoding="utf-8")
    sections = dict(re.findall(r"^##+ (croupier[^\n]*)\n(.*?)(?=^##+ |\Z)", page, re.DOTALL | re.MULTILINE))
    assert [command.path for command in COMMANDS if command.path not in sections] == []
    missing = [
        (command.path, word.name)
        for command in COMMANDS
        for word in command.words
        if f"`{word.name}`" not in sections[command.path].replace("\\|", "|")
    ]
    assert missing == []


def test_commands_that_are_loaded_apart_are_known() -> None:
    """A command that passes its words on has commands of its own, which would otherwise be left out."""
    passed_on = re.findall(
        r"allow_extra_args.*?^def (\w+)\(", SOURCES[ROOT / "src/croupier/cli/app.py"], re.DOTALL | re.M
    )
    assert {f"croupier {name}" for name in passed_on} == set(LOADED_APART)


def test_the_page_does_not_depend_on_the_width_of_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setenv("TERMINAL_WIDTH", "40")
    assert commands_page() == (DOCS / "commands.md").read_text(encoding="utf-8")


def test_every_verb_is_shown_in_use_on_a_written_page() -> None:
    written = [path.read_text(encoding="utf-8") for path in DOCS.glob("*.md") if "<!-- Made by" not in path.read_text()]
    verbs = [command.path for command in COMMANDS if command.path.count(" ") == 1]
    assert [verb for verb in verbs if not any(verb in text for text in written)] == []


@pytest.mark.parametrize("struct", [*structs_below(Floor), *structs_below(Game)], ids=lambda struct: struct.__name__)
def test_every_field_of_a_floor_and_of_a_game_file_has_a_sentence(struct: type) -> None:
    assert [field.name for field in fields_of(struct) if not is_sentence(field.sentence)] == []
    assert (struct.__doc__ or "").strip()


def test_the_schema_of_a_game_file_says_what_each_field_means() -> None:
    shapes = game_schema()["$defs"]
    fields = [(name, field, one) for name in shapes for field, one in shapes[name].get("properties", {}).items()]
    assert len(fields) > 100
    assert [(name, field) for name, field, one in fields if not is_sentence(one.get("description", ""))] == []


def test_every_field_of_a_floor_is_on_the_page_of_settings() -> None:
    page = (DOCS / "settings.md").read_text(encoding="utf-8")
    names = [field.name for struct in structs_below(Floor) for field in fields_of(struct)]
    assert len(names) > 40
    assert [name for name in names if f"| `{name}` |" not in page] == []


@pytest.mark.parametrize("name", game_ids())
def test_every_switch_is_on_the_page_of_settings_with_all_its_values(name: str) -> None:
    game = find_game(name)
    page = (DOCS / "settings.md").read_text(encoding="utf-8")
    part = page[page.index(f"(games/{name}.md)") :].partition("\n### ")[0]
    for switch in game.switches:
        (line,) = [line for line in part.splitlines() if line.startswith(f"| `{switch.id}` |")]
        assert is_sentence(switch.text)
        assert f"**{switch.default}**" in line
        assert [value for value in switch.values if value not in line] == []


def test_every_variable_of_the_environment_is_on_the_page_of_settings() -> None:
    read = re.compile(r"""environ(?:\.get\(|\[)\s*"(\w+)"|\b(CROUPIER_[A-Z_]+)\b""")
    elsewhere = [text for path, text in SOURCES.items() if path.parent.name != "manual"]
    found = {one or other for text in elsewhere for one, other in read.findall(text)}
    assert found - OF_NUMBA <= set(VARIABLES)
    assert {name for name in VARIABLES if name.startswith("CROUPIER_")} <= found
    assert [name for name, text in VARIABLES.items() if not is_sentence(text)] == []
    assert [name for name in VARIABLES if f"| `{name}` |" not in settings_page()] == []


def test_every_operation_of_the_api_and_all_that_a_request_may_say_has_a_sentence() -> None:
    schema = api_description()
    page = (DOCS / "api-reference.md").read_text(encoding="utf-8")
    silent = []
    for path, methods in schema["paths"].items():
        for method, operation in methods.items():
            place = f"{method.upper()} {path.removeprefix('/api/v1')}"
            assert f"\n### {place}\n" in page
            silent += [place] if not is_sentence(operation["description"]) else []
            said = [(one["name"], one) for one in operation.get("parameters", [])]
            if "requestBody" in operation:
                name = operation["requestBody"]["content"]["application/json"]["schema"]["$ref"].rpartition("/")[2]
                said += schema["components"]["schemas"][name]["properties"].items()
            silent += [f"{place} {name}" for name, one in said if not is_sentence(one.get("description", ""))]
    assert silent == []


def test_every_field_of_an_answer_has_a_sentence() -> None:
    shapes = api_description()["components"]["schemas"]
    fields = [(shape, name, one) for shape in shapes for name, one in shapes[shape].get("properties", {}).items()]
    assert len(fields) > 400
    page = (DOCS / "api-reference.md").read_text(encoding="utf-8")
    assert re.findall(r"^\| `(\w+)` .*\|  \|$", page, re.MULTILINE) == []
    assert [(shape, name) for shape, name, one in fields if not is_sentence(one.get("description", ""))] == []


def test_refusals_have_the_status_that_the_server_gives() -> None:
    found = {one.code: one for one in every_refusal()}
    assert len(found) > 200
    assert {code: found[code].status for code in ("stale_revision", "unknown_table", "bad_chute", "locked_out")} == {
        "stale_revision": 409,
        "unknown_table": 404,
        "bad_chute": 422,
        "locked_out": 429,
    }
    assert found["bad_chute"].sentence.startswith("A chute of ... cards is not possible with ... decks: 0 to ...")
