"""Drafts of pay tables: read, checked, compared, solved, saved as an own game file and loaded back."""

from __future__ import annotations

import shutil
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.errors import CroupierError, SpecError
from croupier.exact.odds import compute_odds
from croupier.lab.draft import Draft, DraftError, Trial, open_draft, tidy_pay, try_draft
from croupier.lab.figures import draft_figures, edge_of, played_draft_figures
from croupier.lab.game_file import MOST_BYTES, draft_from_toml, draft_to_toml
from croupier.lab.solve import payable_near, solve_pay
from croupier.rules import find_game, game_ids
from croupier.rules.choice import Choice, choose
from croupier.rules.registry import offer_games
from tests.conftest import Croupier
from tests.outside import BUSTER, TWENTY_ONE

LUCKY = Draft(game="blackjack", wager="lucky_lucky", decks="6")


def tried(draft: Draft) -> Trial:
    return try_draft(open_draft(draft))


def with_pays(draft: Draft, **pays: str) -> Draft:
    """A draft with pays by row number, as `r0="250 to 1"`."""
    from dataclasses import replace

    return replace(draft, pays=tuple((name.removeprefix("r"), text) for name, text in pays.items()))


def figure(data: dict[str, Any], name: str) -> dict[str, Any]:
    return next(one for one in data["figures"] if one["id"] == name)


def problems(draft: Draft) -> dict[str, str]:
    with pytest.raises(DraftError) as refused:
        tried(draft)
    return refused.value.problems


# Reading a draft


def test_a_draft_without_changes_is_the_pay_table_as_approved() -> None:
    trial = tried(LUCKY)
    assert not trial.is_edited
    assert trial.choice == trial.opened.approved
    assert {one["change"] for one in draft_figures(LUCKY)["figures"]} == {""}


@pytest.mark.parametrize(("typed", "read"), [("6:5", "6 to 5"), (" 50  FOR 1 ", "50 for 1"), ("Push", "push")])
def test_pays_are_read_as_people_write_them(typed: str, read: str) -> None:
    assert tidy_pay(typed) == read
    assert tried(with_pays(LUCKY, r0=typed)).choice.rows[0].pays.text == read


def test_every_bad_field_is_named_with_what_is_accepted() -> None:
    draft = Draft(
        game="blackjack",
        wager="lucky_lucky",
        pays=(("0", "2 on 1"), ("1", "9999999 to 1"), ("+no_such", "1 to 1")),
        labels=(("2", " "),),
    )
    found = problems(draft)
    assert set(found) == {"pays.0", "pays.1", "label.2", "pays.+no_such"}
    assert 'Write "3 to 2"' in found["pays.0"]
    assert "1,000,000" in found["pays.1"]
    assert "Accepted: suited_777" in found["pays.+no_such"]


def test_a_draft_that_would_not_load_is_refused_with_the_loaders_sentence_at_its_row() -> None:
    found = problems(with_pays(LUCKY, r3="10%"))
    assert found == {"pays.3": '"10%" is a share of a meter, but the table has no jackpot.'}


def test_rows_can_be_removed_added_and_named_anew() -> None:
    removed = tried(Draft(game="blackjack", wager="lucky_lucky", removed=("7",)))
    assert len(removed.choice.rows) == 7
    assert removed.opened.unpaid == ("total_19",)
    added = tried(
        Draft(
            game="blackjack",
            wager="lucky_lucky",
            removed=("7",),
            pays=(("+total_19", "3 to 1"),),
            labels=(("0", "My name"),),
        )
    )
    assert added.opened.unpaid == ()
    assert added.choice.rows[0].label == "My name"
    assert (added.choice.rows[-1].label, added.choice.rows[-1].pays.text) == ("Total 19", "3 to 1")
    approved = compute_odds(added.opened.approved).edge
    assert compute_odds(added.choice).edge < approved < compute_odds(removed.choice).edge


def test_the_last_row_cannot_be_removed_nor_any_of_a_wager_that_is_played() -> None:
    assert "at least one row" in problems(Draft(game="mini_baccarat", wager="tie", removed=("0",)))["rows"]
    # A row that waits for another switch does not make a pay table of this one.
    assert "at least one row" in problems(Draft(game="mini_baccarat", wager="banker", removed=("0", "2")))["rows"]
    assert "cannot be taken off" in problems(Draft(game="blackjack", wager="main", removed=("3",)))["pays.3"]


def test_an_edited_row_waits_for_the_switch_that_puts_it_in_force() -> None:
    banker = Draft(game="mini_baccarat", wager="banker", pays=(("0", "9 to 10"),))
    assert tried(banker).choice.rows[0].pays.text == "9 to 10"
    free = Draft(game="mini_baccarat", wager="banker", pays=(("0", "9 to 10"),), settings=(("commission", "none"),))
    trial = tried(free)
    assert trial.choice.rows[0].pays.text == "1 to 1"
    assert [row.key for row in trial.opened.shown] == ["1", "2"]
    assert trial.choice.pay_table.rows[0].pays.text == "9 to 10"


@pytest.mark.parametrize(
    ("draft", "says"),
    [
        (Draft(game="blackjak", wager="main"), "Did you mean"),
        (Draft(game="src/croupier/games/blackjack/game.toml", wager="main"), "Accepted: bet_the_bust, bet_the_set_21"),
        (Draft(game="blackjack", wager="lucky"), "Accepted: main"),
        (Draft(game="blackjack", wager="lucky_lucky", pay_table="9"), "Accepted: 1, 2, 3"),
        (Draft(game="blackjack", wager="lucky_lucky", decks="99"), "1 to 8"),
        (Draft(game="blackjack", wager="lucky_lucky", settings=(("color", "red"),)), "switch"),
        (Draft(game="blackjack", wager="lucky_lucky", settings=(("soft17", "red"),)), "Accepted: "),
    ],
)
def test_what_is_not_there_is_refused_with_what_is(draft: Draft, says: str) -> None:
    with pytest.raises(CroupierError, match=says):
        open_draft(draft)


# Figures. Published ones are those of wizardofodds.com, to the digits printed there.


@pytest.mark.parametrize(
    ("game", "wager", "pays", "decks", "edge"),
    [
        # Dragon Bonus, 8 decks, the usual table: 2.65% on the player and 9.37% on the banker.
        ("mini_baccarat", "dragon_bonus_player", {}, "8", "2.65"),
        ("mini_baccarat", "dragon_bonus_banker", {}, "8", "9.37"),
        # Baccarat, 8 decks: a tie at 8 to 1 has 14.36%, at 9 to 1 4.84%; the banker at 4% commission has 0.60%, and
        # without commission the player's 1.24% with the sign turned, as ties push.
        ("mini_baccarat", "tie", {}, "8", "14.36"),
        ("mini_baccarat", "tie", {"r0": "9 to 1"}, "8", "4.84"),
        ("mini_baccarat", "banker", {"r0": "24 to 25"}, "8", "0.60"),
        ("mini_baccarat", "banker", {"r0": "1 to 1"}, "8", "-1.24"),
        # Insurance, 6 decks: 7.40%.
        ("blackjack", "insurance", {}, "6", "7.40"),
    ],
)
def test_drafts_give_figures_that_others_have_published(
    game: str, wager: str, pays: dict[str, str], decks: str, edge: str
) -> None:
    draft = with_pays(Draft(game=game, wager=wager, decks=decks), **pays)
    assert f"{100 * figure(draft_figures(draft), 'edge')['value']:.2f}" == edge


def test_six_to_five_costs_what_everybody_says_it_costs() -> None:
    # 1.36% is the effect of 6 to 5 in a game of 6 decks, as published; the draft changes the pay of the row itself.
    draft = Draft(game="blackjack", wager="main", decks="6", pays=(("0", "6 to 5"),))
    edge = figure(played_draft_figures(draft), "edge")
    assert float(edge["change"].rstrip("%")) == pytest.approx(1.36, abs=0.01)
    by_switch = Draft(game="blackjack", wager="main", decks="6", settings=(("blackjack_pays", "6:5"),))
    assert figure(played_draft_figures(by_switch), "edge")["value"] == pytest.approx(edge["value"], abs=1e-12)


def test_a_pay_of_a_win_that_the_solver_does_not_know_is_refused() -> None:
    with pytest.raises(CroupierError, match="such games are not solved"):
        played_draft_figures(Draft(game="blackjack", wager="main", pays=(("3", "2 to 1"),)))


def test_figures_rows_and_changes_fit_together() -> None:
    data = draft_figures(with_pays(LUCKY, r0="250 to 1"))
    assert figure(data, "edge")["text"] == "5.22560%"
    assert figure(data, "edge")["change"] == "-0.07979%"
    assert figure(data, "return")["change"] == "+0.07979%"
    assert figure(data, "hit_frequency")["change"] == ""
    first, total = data["rows"].texts[0], data["rows"].texts[-1]
    assert first[1] == "250 to 1" and total[0] == "Total" and "1.0000000000" in total
    exact = Fraction(data["edge_exact"])
    assert exact == compute_odds(tried(with_pays(LUCKY, r0="250 to 1")).choice).edge


def test_all_pay_tables_of_the_wager_stand_beside_the_draft() -> None:
    compared = draft_figures(with_pays(LUCKY, r0="250 to 1"))["compared"]
    assert compared["tables"] == ["Draft", "Pay table 1", "Pay table 2", "Pay table 3"]
    assert compared["figures"][0]["values"] == ["5.22560%", "5.30539%", "9.92269%", "12.57243%"]
    assert compared["rows"][0]["pays"] == ["250 to 1", "200 to 1", "200 to 1", "200 to 1"]


def test_chances_of_the_draft_stand_against_the_approved_ones() -> None:
    plot = draft_figures(with_pays(LUCKY, r0="250 to 1"))["plot"]
    approved, draft = plot.lines
    assert (draft.x[-1], approved.x[-1]) == (250.0, 200.0)
    assert draft.y[0] == approved.y[0] == pytest.approx(0.2374873337)  # the hit frequency
    assert draft.y[-1] == approved.y[-1] == pytest.approx(80 / 5_013_320)
    nothing = draft_figures(Draft(game="mini_baccarat", wager="tie", pays=(("0", "0 to 1"),)))["plot"]
    assert [line.name for line in nothing.lines] == ["as approved"]


def test_effects_of_switches_are_those_of_the_draft() -> None:
    draft = Draft(game="blackjack", wager="lucky_break", pays=(("0", "250 to 1"),))
    effects = draft_figures(draft)["effects"]
    assert len(effects.rows) == 1 and "soft 17" in effects.texts[0][0]
    other = Draft(game="blackjack", wager="lucky_break", pays=(("0", "250 to 1"),), settings=(("soft17", "stand"),))
    assert figure(draft_figures(other), "edge")["text"] == effects.texts[0][2]


# Solving


def test_the_pay_that_reaches_an_edge_is_exact_and_stands_between_payable_ones() -> None:
    trial = tried(LUCKY)
    solved = solve_pay(trial, "4", Fraction(4, 100), edge_of)
    assert solved.odds is not None
    assert solved.near[0].edge > Fraction(4, 100) > solved.near[-1].edge
    assert [one.pays.text for one in solved.near] == ["12 to 1", "25 to 2", "13 to 1"]
    typed = f"{solved.odds.numerator} to {solved.odds.denominator}"
    assert compute_odds(tried(with_pays(LUCKY, r4=typed)).choice).edge == Fraction(4, 100)


def test_whole_odds_that_reach_the_edge_are_found_as_such() -> None:
    tie = Draft(game="mini_baccarat", wager="tie", decks="8")
    edge = compute_odds(tried(with_pays(tie, r0="9 to 1")).choice).edge
    solved = solve_pay(tried(tie), "0", edge, edge_of)
    assert solved.odds == 9
    assert [one.pays.text for one in solved.near] == ["9 to 1"]


def test_an_edge_that_no_pay_reaches_is_said_so() -> None:
    assert "small enough" in solve_pay(tried(LUCKY), "0", Fraction(1, 2), edge_of).why
    rare = Draft(game="mini_baccarat", wager="dragon_bonus_progressive", pay_table="3")
    assert solve_pay(tried(rare), "1", Fraction(0), edge_of).odds is not None
    meter = Draft(
        game="mini_baccarat",
        wager="dragon_bonus_progressive",
        settings=(("fixed_pays", "meter"),),
        pays=(("2", "10 for 1"), ("3", "1 for 1")),
    )
    assert "the meter pays it" in draft_figures(meter, "2", "5%")["solution"]["why"]


@pytest.mark.parametrize(
    ("row", "edge", "field", "says"),
    [
        ("0", "5%", "solve_row", "share of the meter"),
        ("9", "5%", "solve_row", "Accepted: 0"),
        ("3", "five", "solve_edge", "0.2 or 20%"),
        ("3", "500%", "solve_edge", "more than the whole wager"),
    ],
)
def test_a_question_that_cannot_be_solved_is_refused_at_its_field(row: str, edge: str, field: str, says: str) -> None:
    draft = Draft(game="double_down_madness", wager="push_22_progressive")
    solution = draft_figures(draft, row, edge)["solution"]
    assert solution["field"] == field
    assert says in solution["problem"]


@given(st.fractions(min_value=0, max_value=1000))
def test_payable_odds_close_in_on_any_pay(odds: Fraction) -> None:
    near = payable_near(odds)
    assert near == sorted(set(near))
    assert near[0] <= odds <= near[-1]
    assert {step.denominator for step in near} <= {1, 2}


# Files


def looked_at(choice: Choice) -> tuple[Any, ...]:
    """All that the odds depend on: everything but names and notes."""
    table = choice.pay_table
    return choice.rows, table.jackpot, table.stake, choice.bet_name, choice.decks, choice.switches, choice.side


@st.composite
def drafts(draw: st.DrawFn) -> Draft:
    game = find_game(draw(st.sampled_from(game_ids())))
    wager = draw(st.sampled_from(game.proved_wagers))
    decks = ["1"] if game.is_of_sets else [*map(str, range(1, 9)), *(["inf"] if game.has_endless_shoe else [])]
    table = draw(st.sampled_from(wager.pay_tables))
    some = st.lists(st.sampled_from(game.switches), max_size=3, unique_by=lambda switch: switch.id)
    switches = draw(some) if game.switches else []
    start = open_draft(
        Draft(
            game=game.id,
            wager=wager.id,
            pay_table=table.id,
            decks=draw(st.sampled_from(decks)),
            side=draw(st.sampled_from(["", "player", "banker"])) if wager.hand == "seat" else "",
            settings=tuple((switch.id, draw(st.sampled_from(switch.values))) for switch in switches),
        )
    )
    pay = st.builds("{} {} {}".format, st.integers(0, 500), st.sampled_from(["to", "for"]), st.integers(1, 9))
    label = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), min_size=1, max_size=20)
    edited = draw(st.sets(st.sampled_from([row.key for row in start.rows])))
    return Draft(
        game=start.draft.game,
        wager=start.draft.wager,
        pay_table=start.draft.pay_table,
        decks=start.draft.decks,
        side=start.draft.side,
        settings=start.draft.settings,
        pays=tuple((key, draw(pay)) for key in sorted(edited)),
        labels=tuple((key, draw(label)) for key in sorted(edited)),
    )


@given(drafts())
@settings(max_examples=80, deadline=None)
def test_a_saved_draft_loads_back_as_the_same_choice(draft: Draft) -> None:
    trial = tried(draft)
    text = draft_to_toml(trial)
    again = tried(draft_from_toml(text))
    assert looked_at(again.choice) == looked_at(trial.choice)
    assert not again.is_edited
    assert draft_to_toml(again) == text


@pytest.mark.parametrize(
    "draft",
    [
        with_pays(LUCKY, r0="250 to 1", r7="3 to 2"),
        Draft(
            game="blackjack", wager="lucky_break", decks="2", pays=(("0", "99 to 1"),), settings=(("soft17", "stand"),)
        ),
        Draft(game="double_down_madness", wager="push_22_progressive", pays=(("4", "6 for 1"),)),
        Draft(
            game="mini_baccarat",
            wager="dragon_bonus_progressive",
            pay_table="2",
            decks="inf",
            side="banker",
            pays=(("2", "500 for 1"),),
        ),
    ],
    ids=["side", "product", "progressive", "endless"],
)
def test_the_command_in_a_saved_file_gives_the_drafts_edge(draft: Draft, tmp_path: Path, croupier: Croupier) -> None:
    trial = tried(draft)
    text = draft_to_toml(trial)
    path = tmp_path / "own.toml"
    path.write_text(text, encoding="utf-8")
    assert text.startswith(f"# Made from {draft.game} ")
    command = text.splitlines()[1].removeprefix("# croupier ").replace("FILE", str(path)).split()
    said = croupier(*command, "--json")
    assert said.status == 0, said.err
    edge = compute_odds(trial.choice).edge
    assert f'"edge_exact": "{edge.numerator}/{edge.denominator}"' in said.out


def test_bad_files_get_the_loaders_sentence_with_the_place() -> None:
    text = draft_to_toml(tried(with_pays(LUCKY, r0="250 to 1")))
    for bad, says in [
        ("id = ", "not well-formed TOML"),
        (
            text.replace('"250 to 1"', '"a lot"'),
            r"is not a pay.* - at \$\.wagers\[2\]\.pay_tables\[0\]\.rows\[0\]\.pays",
        ),
        (text.replace('classifier = "lucky_lucky"', 'classifier = "os"'), "there is no bet"),
        (text.replace('row = "suited_777"', 'row = "suited_888"', 1), "not an outcome of this bet"),
        ("x" * (MOST_BYTES + 1), "at most"),
        (" ", "is empty"),
        ('extends = "../../games/blackjack"\n', "Accepted: bet_the_bust, bet_the_set_21"),
        ("extends = 5\n", "extends"),
    ]:
        with pytest.raises(CroupierError, match=says):
            draft_from_toml(bad)


def test_code_beside_or_in_a_file_is_never_run(tmp_path: Path) -> None:
    (tmp_path / "evil.py").write_text("raise SystemExit('run')")
    text = draft_to_toml(tried(LUCKY)).replace('classifier = "lucky_lucky"', f'classifier = "{tmp_path}/evil"')
    with pytest.raises(SpecError):
        draft_from_toml(text)


def test_a_saved_draft_of_a_folders_bet_works_beside_the_bet_and_in_the_lab(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CROUPIER_GAMES", "")
    offer_games([str(TWENTY_ONE)])
    draft = Draft(game="twenty_one_plus_three", wager="21_plus_3", pay_table="1", decks="6", pays=(("3", "5 to 1"),))
    text = draft_to_toml(tried(draft))
    assert 'classifier = "twenty_one_plus_three"\n' in text
    assert text.splitlines()[2] == "# Needs the file twenty_one_plus_three.py in the same folder."
    edge = draft_figures(draft)["edge_exact"]
    assert draft_figures(draft_from_toml(text))["edge_exact"] == edge
    assert draft_to_toml(tried(draft_from_toml(text))) == text
    shutil.copy(TWENTY_ONE / "twenty_one_plus_three.py", tmp_path)
    file = tmp_path / "own.toml"
    file.write_text(text)
    assert str(compute_odds(choose(find_game(str(file)), "21_plus_3")).edge) == edge


def test_a_sent_file_names_no_bet_that_the_house_does_not_offer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CROUPIER_GAMES", "")
    with pytest.raises(SpecError, match='there is no bet "buster"'):
        draft_from_toml((BUSTER / "game.toml").read_text(encoding="utf-8"))
