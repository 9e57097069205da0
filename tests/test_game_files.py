"""Game files: ours are right, and a mistake in one is named with its file and place."""

from __future__ import annotations

import json
import re
import tomllib
from datetime import date
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from croupier.errors import SpecError
from croupier.exact.outcomes import exact_distribution
from croupier.exact.shoe import Shoe
from croupier.kernels.bets import LOSE, bet_names, find_bet
from croupier.rules import find_game, game_ids
from croupier.rules.choice import choose
from croupier.rules.loader import load_game
from tests.helpers import ROOT

GAMES = ROOT / "src" / "croupier" / "games"
FILES = sorted(GAMES.glob("*/game.toml"))
SCHEMA = json.loads((ROOT / "docs" / "game.schema.json").read_text(encoding="utf-8"))


def plain(path: Path) -> dict[str, Any]:
    """The file as JSON has it: dates are text."""
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    return json.loads(json.dumps(data, default=date.isoformat))  # type: ignore[no-any-return]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.parent.name)
def test_a_game_file_loads_under_the_name_of_its_folder(path: Path) -> None:
    assert load_game(path).id == path.parent.name
    assert path.parent.name in game_ids()


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.parent.name)
def test_a_game_file_matches_the_schema(path: Path) -> None:
    assert list(jsonschema.Draft202012Validator(SCHEMA).iter_errors(plain(path))) == []


def test_the_schema_refuses_an_unknown_key_and_a_bad_pay() -> None:
    validator = jsonschema.Draft202012Validator(SCHEMA)
    unknown, pay = plain(FILES[0]), plain(FILES[0])
    unknown["color"] = "red"
    pay["wagers"][0]["pay_tables"][0]["rows"][0]["pays"] = "a lot"
    assert not validator.is_valid(unknown)
    assert not validator.is_valid(pay)


# Mistakes: the game, the text replaced (its first occurrence), and what the error must say.
MISTAKES = {
    "unknown key": ("blackjack", 'id = "lucky_lucky"', 'color = "red"\nid = "lucky_lucky"', "$.wagers[2]", "color"),
    "wrong type": ("blackjack", "default_decks = 6", 'default_decks = "six"', "$.default_decks", "int"),
    "too many decks": ("blackjack", "default_decks = 6", "default_decks = 9", "$.default_decks", "8"),
    "default decks not offered": ("mini_baccarat", "default_decks = 8", "default_decks = 7", "$.default_decks", "7"),
    "bad pay": ("double_barrel", '"50 to 1"', '"50 on 1"', "$.wagers[2].pay_tables[0].rows[0].pays", "50 on 1"),
    "unknown outcome": (
        "double_barrel",
        'row = "mini_royal"',
        'row = "maxi_royal"',
        "$.wagers[2].pay_tables[0].rows[0]",
        "maxi_royal",
    ),
    "unknown classifier": (
        "double_barrel",
        'classifier = "three_card_bonus"',
        'classifier = "four_card_bonus"',
        "$.wagers[2].classifier",
        "four_card_bonus",
    ),
    "unknown switch in when": (
        "mini_baccarat",
        'when = { commission = "5%" }',
        'when = { fee = "5%" }',
        "$.wagers[1].pay_tables[0].rows[0].when",
        'there is no switch "fee"',
    ),
    "unknown switch in a label": (
        "double_down_madness",
        'label_at_table = "Suited 4-5-6-7 of {jackpot_suit}"',
        'label_at_table = "Suited 4-5-6-7 of {suit}"',
        "$.wagers[3].pay_tables[0].rows[0].label_at_table",
        'there is no switch "suit"',
    ),
    "unknown value in when": (
        "mini_baccarat",
        'when = { commission = "5%" }',
        'when = { commission = "6%" }',
        "$.wagers[1].pay_tables[0].rows[0].when.commission",
        '"6%" is not a value of this switch',
    ),
    "condition of a wager that the round settles": (
        "blackjack",
        'when = { blackjack_pays = "3:2" }',
        'when = { nonsense = "3:2" }',
        "$.wagers[0].pay_tables[0].rows[0].when",
        'there is no switch "nonsense"',
    ),
    "outcome paid twice": (
        "blackjack",
        'row = "suited_678", label = "Suited 6-7-8"',
        'row = "678", label = "Suited 6-7-8"',
        "$.wagers[2].pay_tables[0].rows[3]",
        '"678" is paid by a row above already',
    ),
    "product without a label": (
        "blackjack",
        'unsuited = "unsuited"',
        'unsuted = "unsuited"',
        "$.wagers[3].pay_tables[0].product.labels",
        '"unsuited" has no label',
    ),
    "product whose plain refinement does not exist": (
        "blackjack",
        'once = "unsuited"',
        'once = "plain"',
        "$.wagers[3].pay_tables[0].product.once",
        '"plain" is not among',
    ),
    "dealer bet without soft17": (
        "blackjack",
        'soft17 = "hit"\n',
        "",
        "$.inherits",
        'needs the switch "soft17"',
    ),
    "inherited switch with a wrong value": (
        "blackjack",
        'soft17 = "hit"',
        'soft17 = "sit"',
        "$.inherits.soft17",
        '"sit" is not among the values',
    ),
    "own switch with a wrong default": (
        "blackjack",
        'default = "adds"',
        'default = "add"',
        "$.switches[0].default",
        '"add" is not among the values',
    ),
    "round of another family": (
        "blackjack",
        'round = "blackjack"',
        'round = "mini_baccarat"',
        "$.round",
        "does not play games of the family",
    ),
    "share paid from the tray": (
        "double_down_madness",
        'pays = "100%", funded = "meter"',
        'pays = "100%", funded = "tray"',
        "$.wagers[3].pay_tables[0].rows[0].funded",
        "funded by the meter",
    ),
    "unreadable printed figure": (
        "blackjack",
        'printed = "5.05%"',
        'printed = "abc"',
        "$.published[0].printed",
        "",
    ),
    "share without a jackpot": (
        "double_down_madness",
        'pays = "50 to 1"',
        'pays = "50%"',
        "$.wagers[2].pay_tables[0].rows[0].pays",
        "50%",
    ),
    "duplicate wager": ("blackjack", 'id = "lucky_break"', 'id = "lucky_lucky"', "$.wagers[3].id", "lucky_lucky"),
    "unknown wager published": (
        "blackjack",
        'wager = "lucky_lucky"',
        'wager = "lucky_unlucky"',
        "$.published[0].wager",
        "lucky_unlucky",
    ),
    "value of a switch that no round knows": (
        "double_barrel",
        'values = ["after_flex", "first"]',
        'values = ["after_flex", "first", "never"]',
        "$.switches[0].values",
        "no round knows ['never'] of the switch",
    ),
    "unknown inherited switch": ("blackjack", 'soft17 = "hit"', 'soft18 = "hit"', "$.inherits.soft18", "soft17"),
    "unknown jurisdiction": ("blackjack", '"washington"', '"atlantis"', "$.jurisdiction", "atlantis"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_named_with_its_file_and_place(mistake: str, tmp_path: Path) -> None:
    game, right, wrong, place, word = MISTAKES[mistake]
    text = (GAMES / game / "game.toml").read_text(encoding="utf-8")
    assert right in text
    path = tmp_path / "game.toml"
    path.write_text(text.replace(right, wrong, 1), encoding="utf-8")
    with pytest.raises(SpecError) as caught:
        load_game(path)
    assert caught.value.code == "bad_spec"
    message = str(caught.value)
    assert message.startswith(f"{path}: ")
    assert f"- at {place}" in message
    assert word in message


@pytest.mark.parametrize(
    ("content", "code"), [(b"id = ", "malformed_toml"), (b"\xff\xfe", "unreadable_file"), (None, "unreadable_file")]
)
def test_a_file_that_cannot_be_read_says_so(content: bytes | None, code: str, tmp_path: Path) -> None:
    path = tmp_path / "game.toml"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(SpecError) as caught:
        load_game(path)
    assert caught.value.code == code
    assert str(path) in str(caught.value)


@pytest.mark.parametrize("name", list(bet_names()))
def test_every_outcome_of_a_bet_can_come_and_is_paid_somewhere(name: str) -> None:
    bet = find_bet(name)
    assert bet is not None
    sides = ["player", "banker"] if bet.scene.has_sides else ["player"]
    seen = set()
    for options in range(2 if bet.options else 1):
        for side in sides:
            seen |= set(
                exact_distribution(bet, name, Shoe(1 if bet.scene.is_set else 8), options=options, side=side).ways
            )
    assert seen - {LOSE} == set(range(len(bet.outcomes)))
    assert LOSE in seen or name == "three_card_dealer"  # every hand of the dealer has a total, and so a wager on it
    paid = set()
    for game in map(find_game, game_ids()):
        switches = {switch.id: switch.default for switch in game.switches}
        for wager in game.wagers:
            for table in wager.pay_tables:
                if choose(game, wager.id, pay_table=table.id).bet_name == name:
                    rows = table.rows_in_force(switches | table.settings, 8)
                    paid |= {outcome for row in rows for outcome in row.paid_outcomes}
    assert paid == set(bet.outcomes)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.parent.name)
def test_a_game_file_names_no_address_or_telephone(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert re.findall(r"[\w.+-]+@[\w-]+\.\w+", text) == []
    assert re.findall(r"\(?\b\d{3}\)?[ .-]\d{3}[ .-]\d{4}\b", text) == []
