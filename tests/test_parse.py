"""TOML and JSON of other people: what is beyond the bounds is refused with its line before a parser sees it."""

from __future__ import annotations

import json
import random
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest

from croupier.errors import SpecError
from croupier.floor.files import demo_hall, floor_from_json, floor_from_toml, floor_to_json, floor_to_toml, load_floor
from croupier.lab.draft import Draft, open_draft, try_draft
from croupier.lab.game_file import draft_to_toml
from croupier.rules.folders import name_folders
from croupier.rules.kernel_subset import MOST_NODES
from croupier.rules.loader import load_game
from croupier.rules.parse import DEEPEST, LONGEST_LINE, MOST_BYTES, MOST_PARTS, parse_json, parse_toml
from tests.bombs import BEYOND_BOUNDS, WELL_FORMED
from tests.helpers import ROOT
from tests.outside import PAIR, write_bet

BODY = "    for rank in range(13):\n        if count_of(three, rank) == 2:\n            return 0\n    return LOSE\n"


@pytest.fixture
def no_parser(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: object, **__: object) -> None:
        raise AssertionError("a parser saw the text")

    monkeypatch.setattr("croupier.rules.parse.tomllib.loads", never)
    monkeypatch.setattr("croupier.rules.parse.json.loads", never)


@pytest.mark.usefixtures("no_parser")
@pytest.mark.parametrize("bomb", BEYOND_BOUNDS)
def test_what_is_beyond_the_bounds_never_comes_to_the_parser(bomb: str) -> None:
    with pytest.raises(SpecError) as caught:
        parse_toml(BEYOND_BOUNDS[bomb], "own.toml")
    assert caught.value.code == "too_complex"
    assert str(caught.value).startswith("own.toml, line ")
    assert "Accepted: at most " in str(caught.value)


@pytest.mark.parametrize("text", WELL_FORMED.values(), ids=WELL_FORMED)
def test_what_is_long_but_plain_is_parsed_as_it_stands(text: str) -> None:
    try:
        expected = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        with pytest.raises(SpecError, match="not well-formed TOML"):
            parse_toml(text, "own.toml")
    else:
        assert parse_toml(text, "own.toml") == expected


def test_the_refusal_names_the_line() -> None:
    with pytest.raises(SpecError, match=r"^own\.toml, line 4: a key has more than 8 parts\. Accepted: at most 8"):
        parse_toml('a = """\n\n"""\n' + "b." * 20 + "c = 1\n", "own.toml")


def test_what_is_just_within_the_bounds_is_accepted() -> None:
    key = ".".join("a" * MOST_PARTS)
    lists = "[" * DEEPEST + "]" * DEEPEST
    text = f'{key} = 1\nb = {lists}\nc = "{"." * (LONGEST_LINE - 6)}"\n["x.y.z.a.b.c.d.e.f"]\n'
    assert parse_toml(text, "own.toml") == tomllib.loads(text)


def test_dots_and_brackets_in_texts_and_comments_do_not_count() -> None:
    text = "\n".join(
        [
            'a = "1.2.3.4.5.6.7.8.9.10 [[[[[[[[[[[[[[[[[[[["',
            "b = '" + "x." * 40 + "'",
            'c = """\n' + "[" * 40 + '\n"quoted" \\""" ..........\n"""',
            "d = '''\n" + "{" * 40 + "\n'''  # .......... [[[[[[[[[[[[[[[[[[[[",
            "e = [1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5, 8.5, 9.5, 07:32:00.5]",
        ]
    )
    assert parse_toml(text, "own.toml") == tomllib.loads(text)


def test_our_own_files_and_what_the_program_writes_are_within_the_bounds() -> None:
    listed = subprocess.run(["git", "ls-files", "*.toml"], cwd=ROOT, capture_output=True, text=True, check=True)
    for name in listed.stdout.split():
        text = (ROOT / name).read_text(encoding="utf-8")
        assert parse_toml(text, name) == tomllib.loads(text), name
    floor = demo_hall()
    assert floor_from_toml(floor_to_toml(floor)) == floor
    assert floor_from_json(floor_to_json(floor)) == floor
    saved = draft_to_toml(try_draft(open_draft(Draft(game="mini_baccarat", wager="tie"))))
    assert parse_toml(saved, "saved") == tomllib.loads(saved)


def depth_of(value: Any) -> int:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return 1 + max(map(depth_of, inner), default=0) if isinstance(value, dict | list) else 0


def test_no_mixture_of_quotes_brackets_and_dots_comes_through_deep() -> None:
    """Whatever is accepted is as flat as the bounds say: keys, and heads before them, and brackets in between."""
    chance = random.Random(14)
    pieces = ['"', '""', '"""', "'", "'''", "\\", "a", "a.", ".b", " . ", "=", " = 1\n", "[", "]", "{", "}", ",", "\n"]
    pieces += ["#", "\r\n", '"x".', "a.b.c.d.", "x = [", "[a", "]\n", '\\"', "1.5", "\t"]
    accepted = 0
    for _ in range(20_000):
        text = "".join(chance.choice(pieces) for _ in range(chance.randint(1, 24)))
        try:
            found = parse_toml(text, "own.toml")
        except SpecError as error:
            if error.code == "malformed_toml":
                with pytest.raises((tomllib.TOMLDecodeError, ValueError)):
                    tomllib.loads(text)
            continue
        accepted += 1
        assert found == tomllib.loads(text)
        assert depth_of(found) <= 2 * MOST_PARTS + DEEPEST
    assert accepted > 100


def test_a_file_that_is_too_large_is_not_read_to_its_end(tmp_path: Path) -> None:
    for name, load in (("game.toml", load_game), ("floor.toml", load_floor), ("floor.json", load_floor)):
        path = tmp_path / name
        path.write_bytes(b"#" * (MOST_BYTES + 1))
        with pytest.raises(SpecError) as caught:
            load(path)
        assert caught.value.code == "file_too_large"


@pytest.mark.parametrize("name", ["game", "extended game", "floor", "folder of --games"])
def test_every_way_to_a_file_is_bounded(name: str, tmp_path: Path) -> None:
    bomb = BEYOND_BOUNDS["a key of nine parts"]
    (tmp_path / "game.toml").write_text(bomb)
    with pytest.raises(SpecError) as caught:
        match name:
            case "game":
                load_game(tmp_path / "game.toml")
            case "extended game":
                folder = write_bet(tmp_path / "mine")
                text = (folder / "game.toml").read_text().replace('"blackjack"', '"../game.toml"')
                (folder / "game.toml").write_text(text)
                load_game(folder / "game.toml")
            case "floor":
                load_floor(tmp_path / "game.toml")
            case _:
                name_folders([str(tmp_path)])
    assert caught.value.code == "too_complex"


@pytest.mark.parametrize(
    "text", ["[" * 100_000, '{"a":' * 20_000 + "1" + "}" * 20_000, "9" * 5000, '{"a": ' + "1" * 5000 + "}", "-" * 200]
)
@pytest.mark.usefixtures("no_parser")
def test_json_beyond_the_bounds_never_comes_to_the_parser(text: str) -> None:
    with pytest.raises(SpecError) as caught:
        floor_from_json(text)
    assert caught.value.code == "too_complex"


def test_json_within_the_bounds_is_parsed_as_it_stands() -> None:
    text = json.dumps({"a": ['[[[["\\', "[" * 100, 1.5, None], "b": {"c": {"d": "x" * 20_000}}})
    assert parse_json(text, "floor") == json.loads(text)


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ("    return min(0, " + "+".join(["three"] * 400) + ")\n", "nested too deeply"),
        ("    return " + "not " * 150 + "three\n", "nested too deeply"),
        ("    if three == 0:\n        return 0\n" * 3000 + "    return LOSE\n", f"more than {MOST_NODES:,} names"),
        ("    return 0 if " + " and ".join(["three"] * 5000) + " else LOSE\n", f"more than {MOST_NODES:,} names"),
    ],
    ids=["400 sums deep", "150 nots deep", "3,000 ifs", "5,000 ands"],
)
def test_a_classifier_that_is_long_or_deep_is_refused_before_anything_is_compiled(
    body: str, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(*_: object) -> None:
        raise AssertionError("the file was run")

    monkeypatch.setattr("croupier.rules.outside.make_bet", never)
    with pytest.raises(SpecError, match=says) as caught:
        load_game(write_bet(tmp_path, PAIR.replace(BODY, body)) / "game.toml")
    assert caught.value.code == "bad_classifier"


def test_a_chain_of_a_hundred_elifs_is_still_accepted(tmp_path: Path) -> None:
    chain = "    if three == 0:\n        return 0\n" + "".join(
        f"    elif three == {number}:\n        return 0\n" for number in range(1, 100)
    )
    folder = write_bet(tmp_path, PAIR.replace(BODY, f"{chain}    return LOSE\n"))
    assert load_game(folder / "game.toml").wagers[-1].id == "my_bet"
