"""Outside folders with mistakes: the place, the reason and the accepted form, and no wrong odds."""

from __future__ import annotations

from pathlib import Path

import pytest

from croupier.errors import SpecError
from croupier.kernels.bets import bet_names
from croupier.rules.kernel_subset import MOST_OUTCOMES
from croupier.rules.loader import game_from_data, load_game
from croupier.rules.parse import parse_toml
from croupier.simulate import play
from tests.conftest import Croupier
from tests.outside import DEALER_21, PAIR, write_bet

BODY = "    for rank in range(13):\n        if count_of(three, rank) == 2:\n            return 0\n    return LOSE\n"
DEF = "def my_bet(three: int, dealer: int, options: int) -> int:\n"
NOT_IN_SUBSET: dict[str, tuple[str, str, int, str]] = {
    # name: (what is replaced in PAIR, by what, line, word of the reason)
    "another module": ("from croupier.kernels.hands import count_of", "from os import system", 4, '"os" may not'),
    "import as such": ("from croupier.kernels.hands import count_of", "import os", 4, '"import ..."'),
    "a star": ("import count_of", "import *", 4, '"*" cannot be imported'),
    "relative": ("from croupier.kernels.hands import count_of", "from .other import count_of", 4, '".other"'),
    "part of the loader": ("import LOSE, Bet", "import LOSE, Bet, import_module", 3, "import_module"),
    "another name": ("import count_of", "import count_of as n", 4, "another name"),
    "effect at the top": ('"""A pair among three cards."""', 'print("hello")', 1, "a call as a statement"),
    "a call as a statement": (
        BODY,
        "    print(three)\n    return LOSE\n",
        9,
        "a call as a statement of its own is not",
    ),
    "a value as a statement": (BODY, "    three\n    return LOSE\n", 9, "a value as a statement of its own is not"),
    "a loop of unknown length": ("range(13)", "range(three)", 9, "constants up to 64"),
    "a loop without end": ("range(13)", "range(1000000000000)", 9, "constants up to 64"),
    "a loop over a constant": (
        f"{DEF}    for rank in range(13)",
        f"MANY = 65\n\n\n{DEF}    for rank in range(MANY)",
        *(12, "constants up to 64"),
    ),
    "a loop in steps of nothing": ("range(13)", "range(0, 13, 0)", 9, "steps of 0"),
    "loops within loops": (
        *(BODY, "    for a in range(64):\n        for b in range(64):\n            pass\n    return LOSE\n"),
        *(8, "2,000 turns"),
    ),
    "functions that call and call": (
        "\n\ndef my_bet",
        "\n\ndef f0(a: int) -> int:\n    return abs(a)\n\n\n"
        + "".join(f"def f{n}(a: int) -> int:\n    return f{n - 1}(a) + f{n - 1}(a)\n\n\n" for n in range(1, 13))
        + "def my_bet",
        *(48, '"f10" may take'),
    ),
    "a constant that is too long": ("\n\nBET", "\nBIG = 1 << 100000000000\nBET", 14, "0 to 63 bits"),
    "a constant that grows": ("\n\nBET", "\nBIG = (1 << 60) * 8\nBET", 14, "63 bits"),
    "a number that is too long": (BODY, f"    return {1 << 63}\n", 9, "63 bits"),
    "a shift that is too long": (BODY, "    return three << 100000000000\n", 9, "0 to 63 bits"),
    "a constant by zero": ("\n\nBET", "\nNO = 1 // 0\nBET", 14, "divides by zero"),
    "a constant that is none": ("\n\nBET", "\nNO = 1 < 2\nBET", 14, "not a constant"),
    "yes or no": (BODY, "    return count_of(three, 0) > 1\n", 9, "yes or no, and not with a row"),
    "yes or no, or a row": (
        BODY,
        "    if three > 0:\n        return 0\n    return not three\n",
        *(11, "return 0 if ... else LOSE"),
    ),
    "a call at the top": ("\n\nBET", "\nX = max(1, 2)\nBET", 14, "not computed by a call"),
    "a class": ("\n\nBET", "\nclass X:\n    pass\nBET", 14, "a class"),
    "a decorator": ("def my_bet", "@staticmethod\ndef my_bet", 9, "decorator"),
    "a default": ("options: int)", "options: int = 0)", 8, "default"),
    "another type": ("options: int)", "options: float)", 8, "int and bool"),
    "text": (BODY, '    return "best"\n', 9, "text is not"),
    "a float": (BODY, "    return 0.5\n", 9, "fraction"),
    "a division": (BODY, "    return three / 2\n", 9, "division /"),
    "a power": (BODY, "    return three ** 2\n", 9, "**"),
    "a dict": (BODY, "    return {1: 0}\n", 9, "a dict"),
    "a list": (BODY, "    found = [0]\n    return 0\n", 9, "a list"),
    "an index": (BODY, "    return (0, 1)[0]\n", 9, "an index"),
    "an attribute": (BODY, "    return three.real\n", 9, "attribute"),
    "a comprehension": (BODY, "    return max([one for one in range(3)])\n", 9, "comprehension"),
    "a lambda": (BODY, "    return (lambda: 0)()\n", 9, '"lambda"'),
    "try": (BODY, "    try:\n        return 0\n    except ValueError:\n        return 1\n", 9, '"try"'),
    "with": (BODY, "    with three:\n        return 0\n", 9, '"with"'),
    "while": (BODY, "    while True:\n        pass\n    return 0\n", 9, '"while"'),
    "raise": (BODY, "    raise ValueError\n", 9, '"raise"'),
    "global": (BODY, "    global x\n    return 0\n", 9, '"global"'),
    "a loop over cards": (BODY, "    for one in three:\n        pass\n    return 0\n", 9, "this loop"),
    "an unknown name": (BODY, "    return winner\n", 9, '"winner" is not known'),
    "an unknown function": (BODY, "    return eval(three)\n", 9, '"eval"'),
    "itself": (BODY, "    return my_bet(three, dealer, options)\n", 9, '"my_bet"'),
    "too few values": (BODY, "    return count_of(three)\n", 9, "not called as it is written"),
    "no return at the end": (BODY, "    if three > 0:\n        return 0\n", 8, "without a return"),
    "a taken name": ("\n\nBET", "\ncount_of = 3\nBET", 14, "is taken"),
    "no BET": ("BET = ", "BOAT = ", 15, "call"),
    "not a Bet": ("BET = Bet(", "BET = dict(", 15, "not a Bet"),
    "no scene": (", scene=Opening(own_cards=3)", "", 15, '"scene"'),
    "a scene that is none": ("Opening(own_cards=3)", "Opening(3)", 15, "not a scene"),
    "a field that is none": ("faces=True", "wins=True", 15, '"wins"'),
    "a classifier that is none": ("classify=my_bet", "classify=count_of", 15, "not a function above"),
    "outcomes twice": ('("best",)', '("best", "best")', 15, '"outcomes"'),
    "suits that are none": ("faces=True", 'suits="mine"', 15, '"suits"'),
    "not Python": ("return LOSE", "return return", 12, "not Python"),
}


@pytest.mark.parametrize("mistake", NOT_IN_SUBSET)
def test_a_classifier_that_is_not_in_the_subset_is_refused_before_it_runs(
    mistake: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(*_: object) -> None:
        raise AssertionError("the file was run")

    monkeypatch.setattr("croupier.rules.outside.make_bet", never)
    right, wrong, line, word = NOT_IN_SUBSET[mistake]
    assert right in PAIR
    folder = write_bet(tmp_path, PAIR.replace(right, wrong, 1))
    with pytest.raises(SpecError) as caught:
        load_game(folder / "game.toml")
    assert caught.value.code == "bad_classifier"
    message = str(caught.value)
    assert message.startswith(f"{folder / 'my_bet.py'}:{line}: ")
    assert word in message
    assert "Accepted: " in message or mistake == "not Python"


SWITCHED = PAIR.replace("import LOSE, Bet", "import LOSE, Bet, option").replace("return 0", "return option(options, 1)")


@pytest.mark.parametrize("options", ["", ", options={}", ', options={"soft17": ("hit", "stand")}'])
def test_a_switch_that_is_not_declared_is_refused(options: str, tmp_path: Path) -> None:
    source = SWITCHED.replace(", faces=True", f", faces=True{options}")
    assert options in source
    with pytest.raises(SpecError, match=r":11: option asks for a switch that BET does not declare.*options=\{"):
        load_game(write_bet(tmp_path, source) / "game.toml")


SEEN_BY_TRIAL: dict[str, tuple[str, str, str, str, str]] = {
    # name: (the bet, what is replaced, by what, code, word)
    "a row too many": (PAIR, "return 0", "return 1", "undeclared_row", "returned 1 for the hand"),
    "a row below LOSE": (PAIR, "return LOSE", "return -2", "undeclared_row", "returned -2 for the hand"),
    "two numbers": (PAIR, BODY, "    return 0, 0\n", "undeclared_row", "returned (0, 0) for the hand"),
    "number or numbers": (
        *(PAIR, BODY),
        "    found = 0\n    if three > 9:\n        found = (1, 2)\n    return found\n",
        *("bad_classifier", "Numba cannot compile"),
    ),
    "numbers in arithmetic": (
        *(PAIR, BODY, "    found = (0,)\n    return 0 if three in found * 3 else LOSE\n"),
        *("bad_classifier", "for signature. Accepted: whole numbers in arithmetic"),
    ),
    "a variable without a value": (
        *(PAIR, BODY, "    if three < 0:\n        found = 0\n    return found\n"),
        *("bad_classifier", "found"),
    ),
    "a division by zero": (PAIR, BODY, "    return 0 * (three // (three * 0))\n", "bad_classifier", "by zero"),
    "yes or no by way of a variable": (
        *(PAIR, BODY, "    found = count_of(three, 3) > 1\n    return found\n"),
        *("undeclared_row", "returned False for the hand"),
    ),
    "a number that grows": (
        *(PAIR, BODY, "    for _ in range(60):\n        three *= three\n    return three\n"),
        *("bad_classifier", ":10: a number does not fit into 63 bits, with the hand"),
    ),
    "a shift by a hand": (PAIR, BODY, "    return 1 << three\n", "bad_classifier", ":9: a number does not fit"),
    "faces not declared": (PAIR, ", faces=True", "", "bad_classifier", "say faces=True"),
    "suits not declared, of one hand of a million": (
        *(PAIR, BODY, "    return 0 if count_of(three, 6) == 3 and three >> 6 & 15 == 8 else LOSE\n"),
        *("bad_classifier", 'say suits="own"'),
    ),
    "suits not declared": (
        *(DEALER_21, "total_of(dealer) == 21", "suits_in(dealer) == 3"),
        *("bad_classifier", 'say suits="own"'),
    ),
    "the player's hand": (
        *(DEALER_21, "total_of(dealer) == 21", "total_of(player) == 21"),
        *("bad_classifier", "the player's hand"),
    ),
    "a number that is too large": (
        *(DEALER_21, "total_of(dealer) == 21", "(dealer << 40) % 7 == 1"),
        *("bad_classifier", "63 bits"),
    ),
}


@pytest.mark.parametrize("mistake", SEEN_BY_TRIAL)
def test_a_classifier_that_does_what_it_does_not_say_is_refused_with_the_hand(mistake: str, tmp_path: Path) -> None:
    source, right, wrong, code, word = SEEN_BY_TRIAL[mistake]
    assert right in source
    folder = write_bet(tmp_path, source.replace(right, wrong, 1))
    with pytest.raises(SpecError) as caught:
        load_game(folder / "game.toml")
    assert caught.value.code == code
    message = str(caught.value)
    assert message.startswith(f"{folder / 'my_bet.py'}:")
    assert word in message
    assert "the hand " in message or "Numba cannot" in message
    with pytest.raises(SpecError, match=r"my_bet\.py"):  # nothing of it was kept as good
        load_game(folder / "game.toml")


# Only a dealer's hand of A-2-3-4-5-6, in any order, and of more than one suit: too rare for a trial.
RARE = DEALER_21.replace(
    "    return 0", "    if ranks_in(dealer) == 0x111111 << 4 * ACE:\n        return 40\n    return 0", 1
)


def test_an_undeclared_row_that_a_trial_misses_is_found_by_the_exact_walk(croupier: Croupier, tmp_path: Path) -> None:
    folder = write_bet(tmp_path, RARE)
    assert load_game(folder / "game.toml").id == "mine"
    said = croupier("odds", str(folder), "my_bet")
    assert (said.status, said.out) == (2, "")
    assert "undeclared_row" in said.err
    assert "my_bet.py: the classifier returned 40 for the hand A-2-3-4-5-6 (clubs)" in said.err
    assert "Accepted: LOSE, or 0 to 0 (0 best)." in said.err


def test_a_failure_that_a_trial_misses_is_found_by_the_exact_walk(croupier: Croupier, tmp_path: Path) -> None:
    folder = write_bet(tmp_path, RARE.replace("return 40", "return 40 // (options * 0)"))
    said = croupier("odds", str(folder), "my_bet")
    assert (said.status, said.out) == (2, "")
    assert "bad_classifier" in said.err
    assert "my_bet.py:10: integer division or modulo by zero, with the hand A-2-3-4-5-6 (clubs)" in said.err


OFTEN = DEALER_21.replace("    return 0", "    if size_of(dealer) > 4:\n        return 25\n    return 0", 1)


@pytest.fixture
def untried(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A bet that returns what it did not declare, as if the trial had missed it."""
    monkeypatch.setattr("croupier.rules.outside.try_bet", lambda bet, file: None)
    return write_bet(tmp_path / "mine", OFTEN)


def test_an_undeclared_row_is_found_by_a_simulation(untried: Path, croupier: Croupier) -> None:
    said = croupier("simulate", str(untried), "--wagers", "my_bet", "--rounds", "9000", "--backend", "python")
    assert (said.status, said.out) == (2, "")
    assert "undeclared_row" in said.err
    assert "returned 25 for the hand " in said.err
    assert " beside " in said.err  # dealt at a table, with the player's hand


def test_a_failure_is_found_by_a_simulation(
    tmp_path: Path, croupier: Croupier, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("croupier.rules.outside.try_bet", lambda bet, file: None)
    folder = write_bet(tmp_path, OFTEN.replace("return 25", "return 25 // (options * 0)"))
    said = croupier("simulate", str(folder), "--wagers", "my_bet", "--rounds", "9000", "--backend", "python")
    assert (said.status, said.out) == (2, "")
    assert "by zero, with the hand " in said.err


def test_an_undeclared_row_is_never_paid(untried: Path, croupier: Croupier) -> None:
    cards = ("--cards", "Ts 2h 8c 3d 2c 4h 5s 2d")
    said = croupier("play", str(untried), "--seat", "main=10 my_bet=5", *cards, "--answers", "stand")
    assert (said.status, said.out) == (2, "")
    assert (
        "returned 25 for the hand 2-2-2-3-4-5 (clubs, diamonds, hearts, spades) beside 8-T (clubs, spades)" in said.err
    )


def test_a_sampler_has_room_for_every_outcome_that_a_bet_may_declare() -> None:
    assert MOST_OUTCOMES <= play.UNDECLARED_CELL
    assert play.UNDECLARED_CELL + 1 < play.OUTCOME_CELLS


GAME_FILE: dict[str, tuple[str, str, str, str]] = {
    # name: (what is replaced in the game file, by what, place, word)
    "no such game": ('extends = "blackjack"', 'extends = "poker"', "$.extends", '"poker"'),
    "no such folder": ('extends = "blackjack"', 'extends = "../poker"', "$.extends", "poker"),
    "itself": ('extends = "blackjack"', 'extends = "."', "$.extends", "extends itself"),
    "the id of the game": ('id = "mine"', 'id = "blackjack"', "$.id", "another"),
    "a wager that is there": ('id = "my_bet"', 'id = "lucky_lucky"', "$.wagers[0].id", "has a wager"),
    "a main wager": ('kind = "side"', 'kind = "main"', "$.wagers[0].kind", "side, progressive"),
    "an unknown key": ('summary = "A test."', 'summery = "A test."', "$", "summery"),
    "no classifier": ('classifier = "my_bet"', 'classifier = "your_bet"', "$.wagers[0].classifier", "your_bet.py"),
    "a path": ('classifier = "my_bet"', 'classifier = "../mine/my_bet"', "$.wagers[0].classifier", "no bet"),
    "no such row": ('row = "best"', 'row = "worst"', "$.wagers[0].pay_tables[0].rows[0]", '"worst"'),
    "a pay that is no text": ('"5 to 1"', "250", "$.wagers[0].pay_tables[0].rows[0].pays", 'as in "250 to 1"'),
    "a pay of a fraction": ('"5 to 1"', "2.5", "$.wagers[0].pay_tables[0].rows[0].pays", 'as in "3 to 2"'),
    "an unknown key of a wager": (
        'name = "My bet"',
        'name = "My bet"\ncolor = "red"',
        *("$.wagers[0]", "unknown field color. Accepted: id, name, kind, text"),
    ),
    "a source by another name": (
        "[source]",
        "[sauce]",
        "$",
        "unknown field sauce, and source is missing. Accepted: ext",
    ),
    "no name": ('name = "My bet"\n', "", "$.wagers[0]", "required field name. Accepted: id, name, kind, text"),
    "a kind that is none": ('kind = "side"', 'kind = "bonus"', "$.wagers[0].kind", "Accepted: main"),
    "a hand without need": (
        'kind = "side"',
        'kind = "side"\nhand = "player"',
        *("$.wagers[0].hand", 'hand = "player", "banker" or "seat"'),
    ),
    "a pay that is none": ("5 to 1", "five to 1", "$.wagers[0].pay_tables[0].rows[0].pays", "five"),
    "a pay out of range": ("5 to 1", "-5 to 1", "$.wagers[0].pay_tables[0].rows[0].pays", "-5"),
    "a switch of nobody": (
        'summary = "A test."',
        'summary = ""\nsettings = { hard17 = "hit" }',
        "$.settings.hard17",
        "soft17",
    ),
    "a value of nobody": (
        'summary = "A test."',
        'summary = ""\nsettings = { soft17 = "no" }',
        "$.settings.soft17",
        "stand",
    ),
}


@pytest.mark.parametrize("mistake", GAME_FILE)
def test_a_mistake_in_an_extension_is_named_with_its_file_and_place(mistake: str, tmp_path: Path) -> None:
    right, wrong, place, word = GAME_FILE[mistake]
    folder = write_bet(tmp_path / "mine")
    text = (folder / "game.toml").read_text(encoding="utf-8")
    assert right in text
    (folder / "game.toml").write_text(text.replace(right, wrong, 1), encoding="utf-8")
    with pytest.raises(SpecError) as caught:
        load_game(folder / "game.toml")
    assert str(caught.value).startswith(f"{folder / 'game.toml'}: ")
    assert str(caught.value).endswith(f"- at {place}")
    assert word in str(caught.value)


def test_the_place_in_an_added_switch_counts_the_file_alone(tmp_path: Path) -> None:
    folder = write_bet(tmp_path)
    with (folder / "game.toml").open("a", encoding="utf-8") as file:
        file.write('[[switches]]\nid = "x"\ntext = "x"\nvalues = ["a", "b"]\ndefault = "c"\nbasis = "house"\n')
    with pytest.raises(SpecError, match=r"- at \$\.switches\[0\]\.default$"):
        load_game(folder / "game.toml")


def test_a_published_figure_of_a_wager_that_is_not_there_is_refused(tmp_path: Path) -> None:
    folder = write_bet(tmp_path)
    with (folder / "game.toml").open("a", encoding="utf-8") as file:
        file.write('[[published]]\nwager = "x"\npay_table = "1"\nfigure = "edge"\nprinted = "1%"\nwhere = "y"\n')
    with pytest.raises(SpecError, match=r"- at \$\.published\[0\]\.wager$"):
        load_game(folder / "game.toml")


def test_a_folder_may_not_take_the_name_of_one_of_our_bets(tmp_path: Path) -> None:
    assert "push_22" in set(bet_names())
    with pytest.raises(SpecError, match="one of our bets"):
        load_game(write_bet(tmp_path, classifier="push_22") / "game.toml")


def test_a_bet_on_a_scene_that_the_round_never_shows_is_refused(tmp_path: Path) -> None:
    four = PAIR.replace("own_cards=3", "own_cards=4")
    with pytest.raises(SpecError, match=r"never shows Opening\(own_cards=4.*it shows: Opening\(own_cards=2.*cards=3"):
        load_game(write_bet(tmp_path, four) / "game.toml")


def test_a_text_runs_no_code_and_so_has_no_bets_of_its_own(tmp_path: Path) -> None:
    text = (write_bet(tmp_path) / "game.toml").read_text(encoding="utf-8")
    with pytest.raises(SpecError, match='there is no bet "my_bet"'):
        game_from_data(parse_toml(text, "a text"), "a text")


@pytest.mark.parametrize("deep", ["(" * 300 + "0" + ")" * 300, "+".join(["0"] * 3000), "not " * 900 + "0"])
def test_a_classifier_that_is_nested_too_deeply_says_so(deep: str, tmp_path: Path) -> None:
    with pytest.raises(SpecError) as caught:
        load_game(write_bet(tmp_path, PAIR.replace(BODY, f"    return {deep}\n")) / "game.toml")
    assert caught.value.code == "bad_classifier"
    assert "my_bet.py:" in str(caught.value)


def test_a_classifier_that_cannot_be_read_says_so(tmp_path: Path) -> None:
    folder = write_bet(tmp_path)
    (folder / "my_bet.py").write_bytes(b"\xff\xfe")
    with pytest.raises(SpecError) as caught:
        load_game(folder / "game.toml")
    assert caught.value.code == "unreadable_file"
