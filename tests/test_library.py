"""The interface of `import croupier`: the same figures as the command line, from Python values."""

from __future__ import annotations

import json
import math
import pickle
from collections.abc import Callable
from dataclasses import FrozenInstanceError
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import croupier
from croupier.exact.odds import compute_odds
from croupier.lab.draft import Draft, open_draft, try_draft
from tests.conftest import Croupier

BLACKJACK = croupier.game("blackjack")
CARIBBEAN = croupier.game("caribbean_stud")
MADNESS = croupier.game("double_down_madness")
SWEEP = croupier.frame([BLACKJACK.odds("lucky_lucky")])
LUCKY = BLACKJACK.pays("lucky_lucky")
PLAN = croupier.Plan(game="blackjack", rounds=10**12, rounds_per_core_second=1e7, standard_errors={})


def as_json(croupier: Croupier, *words: str) -> Any:
    said = croupier(*words, "--json")
    assert said.err == ""
    return json.loads(said.out)


WITHOUT = ("seconds", "rounds_per_second", "compile_seconds", "years_per_second")
"""Times, which are others each time."""

SAME: dict[str, tuple[Callable[[], Any], tuple[str, ...]]] = {
    "odds": (
        lambda: BLACKJACK.odds("lucky_lucky", decks=2, soft17="stand"),
        ("odds", "blackjack", "lucky_lucky", "--decks", "2", "--soft17", "stand"),
    ),
    "odds of an endless shoe": (
        lambda: BLACKJACK.odds("lucky_lucky", decks=math.inf),
        ("odds", "blackjack", "lucky_lucky", "--decks", "inf"),
    ),
    "odds of play": (lambda: croupier.game("casino_war").odds("main"), ("odds", "casino_war", "main")),
    "odds of a meter": (
        lambda: croupier.game("double_down_madness").odds(
            "push_22_progressive", seed=5000, contribution=0.3, meter="7,500"
        ),
        (
            "odds",
            "double_down_madness",
            "push_22_progressive",
            "--seed-amount",
            "5000",
            "--contribution",
            "30%",
            "--meter",
            "7500",
        ),
    ),
    "strategy": (
        lambda: croupier.game("casino_war").strategy(effects=True),
        ("strategy", "casino_war", "--effects"),
    ),
    "simulation": (
        lambda: croupier.game("mini_baccarat").simulate(rounds=1e5, seed=3, wagers=["tie"], threads=1),
        ("simulate", "mini_baccarat", "--rounds", "1e5", "--seed", "3", "--wagers", "tie", "--threads", "1"),
    ),
    "sheet": (
        lambda: BLACKJACK.sheet("lucky_lucky", decks=2),
        ("sheet", "blackjack", "lucky_lucky", "--decks", "2"),
    ),
    "meter": (
        lambda: croupier.Meter("double_down_madness", tables=2, seats=2.5).simulate(years=1000, seed=2, threads=1),
        ("meter", "double_down_madness", "--tables", "2", "--seats", "2.5", "--years", "1000", "--seed", "2"),
    ),
    "round": (
        lambda: BLACKJACK.round({"main": 10, "lucky_lucky": 2.5}, cards="Ts 6h Ah 9d"),
        ("play", "blackjack", "--seat", "main=10 lucky_lucky=2.5", "--cards", "Ts 6h Ah 9d"),
    ),
    "games": (croupier.games, ("games",)),
}


@pytest.mark.parametrize("name", SAME)
def test_to_dict_is_what_the_command_line_prints(name: str, croupier: Croupier) -> None:
    call, words = SAME[name]
    data, printed = json.loads(json.dumps(call().to_dict())), as_json(croupier, *words)
    for key in WITHOUT if isinstance(data, dict) else ():
        assert (key in data) == (key in printed)
        data.pop(key, None), printed.pop(key, None)
    assert data == printed


def test_figures_are_exact_and_results_frozen() -> None:
    odds = BLACKJACK.odds("lucky_lucky", decks=2)
    assert odds.edge == -sum((row.returned for row in odds.rows), Fraction(0)) == Fraction(1227, 22763)
    assert odds.row("suited_678").probability == Fraction(
        odds.row("suited_678").combinations or 0, odds.denominator or 1
    )
    with pytest.raises(FrozenInstanceError):
        odds.edge = Fraction(0)  # type: ignore[misc]


def test_a_table_of_the_letters_pays_has_its_edge() -> None:
    assert BLACKJACK.odds("lucky_lucky", pay_table=LUCKY).edge == BLACKJACK.odds("lucky_lucky").edge
    other = BLACKJACK.odds(
        "lucky_lucky", pay_table={name: BLACKJACK.odds("lucky_lucky").row(name).pays for name in LUCKY}
    )
    assert other.pay_table == "own"
    assert other.published == ()


def test_each_unit_more_on_a_row_takes_its_probability_off_the_edge() -> None:
    base = BLACKJACK.odds("lucky_lucky", pay_table=LUCKY)
    for name in LUCKY:
        more = BLACKJACK.odds("lucky_lucky", pay_table=LUCKY | {name: 1000}).edge
        less = BLACKJACK.odds("lucky_lucky", pay_table=LUCKY | {name: "999 to 1"}).edge
        assert less - more == base.row(name).probability


def test_a_row_that_is_left_out_loses() -> None:
    some = {name: pays for name, pays in LUCKY.items() if name != "total_19"}
    base = BLACKJACK.odds("lucky_lucky")
    lost = base.row("total_19")
    assert BLACKJACK.odds("lucky_lucky", pay_table=some).edge == base.edge + 3 * Fraction(lost.probability)


def test_rows_of_odds_are_a_pay_table() -> None:
    odds = BLACKJACK.odds("lucky_lucky", decks=2)
    rows = {row.id: row.pays for row in odds.rows}
    assert rows["lose"] == "lose"
    assert BLACKJACK.odds("lucky_lucky", decks=2, pay_table=rows).edge == odds.edge
    without = {row: pays for row, pays in rows.items() if row != "678"}
    lost = BLACKJACK.odds("lucky_lucky", decks=2, pay_table=rows | {"678": "lose"})
    assert lost.edge == BLACKJACK.odds("lucky_lucky", decks=2, pay_table=without).edge > odds.edge


def test_sheets_take_pay_tables_of_every_kind() -> None:
    own = LUCKY | {"total_21": 2}
    of_one = BLACKJACK.sheet("lucky_lucky", pay_tables={"lucky_lucky": own}, effects=False)
    assert of_one.to_dict() == BLACKJACK.sheet("lucky_lucky", pay_table=own, effects=False).to_dict()
    edge = BLACKJACK.odds("lucky_lucky", pay_table=own).edge
    assert of_one.line["edge"] == pytest.approx(float(edge))
    by_id = BLACKJACK.sheet("lucky_lucky", pay_tables={"lucky_lucky": 3}, effects=False)
    assert by_id.line["edge"] == pytest.approx(float(BLACKJACK.odds("lucky_lucky", pay_table=3).edge))
    war = croupier.game("casino_war")
    whole = war.sheet(pay_tables={"tie": {"tie": 11}}, effects=False)
    ties = [sheet.choice for sheet in whole.sheets if sheet.choice.wager.id == "tie"]
    assert [(choice.pay_table.id, choice.rows[0].pays.text) for choice in ties] == [("own", "11 to 1")]


def test_a_meter_takes_a_game_and_pays_of_your_own_and_is_a_result() -> None:
    pays = MADNESS.pays("push_22_progressive")
    same = croupier.Meter(MADNESS, pay_table=pays, contribution="20%")
    assert same.edge == croupier.Meter("double_down_madness", contribution=0.2).edge
    richer = croupier.Meter(MADNESS, pay_table=pays | {"suited_22": 60}, contribution="20%", seats=1)
    odds = MADNESS.odds("push_22_progressive", pay_table=pays | {"suited_22": 60}, contribution="20%")
    assert richer.edge == odds.edge < croupier.Meter(MADNESS, seats=1).edge < same.edge
    data = richer.to_dict()
    assert (data["edge_exact"], data["contribution"], data["pay_table"]) == (str(odds.edge), 0.2, "own")
    top = richer.frame["average"][0]
    assert (richer.frame["pays"][0], top) == ("100%", pytest.approx(float(odds.average_top or 0)))
    assert richer.to_dict().keys() >= {"tables", "seats", "rounds_per_hour", "hours_per_day", "break_even"}
    sweep = croupier.frame(croupier.Meter(MADNESS, contribution=share) for share in (0.1, 0.2, 0.3))
    assert sweep["contribution"] == (0.1, 0.2, 0.3)
    assert sweep["edge"][0] > sweep["edge"][1] > sweep["edge"][2]


def test_games_are_found_in_the_catalog_and_serve_as_keys() -> None:
    catalog = croupier.games()
    names: tuple[Any, ...] = ("blackjack", BLACKJACK, "roulette", 3)
    assert [name in catalog for name in names] == [True, True, False, False]
    assert {BLACKJACK: 1}[croupier.game("blackjack")] == 1


def test_a_check_says_how_many_figures_have_which_verdict() -> None:
    check = MADNESS.check()
    words = {"equal": "equal", "within_simulation_error": "within simulation error", "differs": "differ"}
    assert sum(check.count(name) for name in words) == len(check.figures)
    counts = ", ".join(f"{check.count(name)} {word}" for name, word in words.items())
    assert repr(check) == f"<Check: double_down_madness, {len(check.figures)} published figures, {counts}>"


def test_a_published_figure_prints_in_a_line() -> None:
    (figure,) = BLACKJACK.odds("lucky_lucky", decks=2).published
    assert repr(figure) == "<CheckedFigure: blackjack lucky_lucky, pay table 1, decks 2: edge 5.39%, equal>"


def test_a_table_counts_its_seats_and_rounds() -> None:
    assert repr(BLACKJACK.table()) == "<Table: blackjack, 1 seat, 0 rounds played>"
    assert repr(BLACKJACK.table(seats=2)) == "<Table: blackjack, 2 seats, 0 rounds played>"


def test_decisions_give_the_edge_and_the_best_answer_is_worth_most() -> None:
    strategy = croupier.game("three_card_poker").strategy()
    worth = sum(known.probability * known.values[known.best] for known in strategy.decisions)
    assert float(-worth) == strategy.edge
    assert all(known.values[known.best] == max(known.values.values()) for known in strategy.decisions)
    assert {known.question for known in strategy.decisions} == {"play_or_fold"}


def test_a_draft_of_the_lab_has_the_same_edge() -> None:
    draft = try_draft(open_draft(Draft(game="blackjack", wager="lucky_lucky", pays=(("0", "300 to 1"),))))
    first = next(iter(LUCKY))
    assert BLACKJACK.odds("lucky_lucky", pay_table=LUCKY | {first: 300}).edge == compute_odds(draft.choice).edge


@pytest.mark.parametrize(
    ("value", "same"), [(3, "3 to 1"), (1.5, "3 to 2"), (Fraction(7, 2), "7 to 2"), (0, "0 to 1"), ("push", "0 to 1")]
)
def test_a_pay_is_a_number_or_words(value: Any, same: str) -> None:
    by_value = BLACKJACK.odds("lucky_lucky", pay_table={"678": value})
    assert by_value.edge == BLACKJACK.odds("lucky_lucky", pay_table={"678": same}).edge


def test_pays_of_a_played_wager_are_solved() -> None:
    blackjack_pays = BLACKJACK.pays("main")
    richer = blackjack_pays | {name: 2 for name in blackjack_pays if "blackjack" in name}
    gain = BLACKJACK.strategy().edge - BLACKJACK.strategy(pay_table=richer).edge
    assert 0.015 < gain < 0.03  # half a unit more on each 1 in 21 hands


def asked_table() -> croupier.Table:
    """A table whose first seat is asked what to do."""
    table = BLACKJACK.table(seed=3)
    assert table.deal(10).question
    return table


REFUSED: dict[str, tuple[Callable[[], Any], str, str]] = {
    "game": (lambda: croupier.game("blackjak"), "unknown_game", 'Did you mean "blackjack"?'),
    "wager": (lambda: BLACKJACK.odds("lucky"), "unknown_wager", "Accepted: main, insurance, lucky_lucky, lucky_break."),
    "switch": (lambda: BLACKJACK.odds("lucky_lucky", soft_17="hit"), "unknown_switch", "soft17"),
    "value": (lambda: BLACKJACK.strategy(soft17=17), "unknown_value", "Accepted: hit, stand."),
    "decks": (lambda: BLACKJACK.odds("lucky_lucky", decks=0), "bad_decks", "1 to 8"),
    "set twice": (lambda: BLACKJACK.odds("main", rules={"soft17": "hit"}, soft17="stand"), "bad_setting", "set twice"),
    "row": (lambda: BLACKJACK.odds("lucky_lucky", pay_table={"778": 1}), "unknown_row", "suited_777"),
    "row by number": (lambda: BLACKJACK.odds("lucky_lucky", pay_table={777: 1}), "bad_pay_table", 'write "777"'),  # type: ignore[dict-item]
    "wager in a list": (lambda: BLACKJACK.odds(["lucky_lucky"]), "unknown_wager", "is not a wager"),  # type: ignore[arg-type]
    "no row": (lambda: BLACKJACK.odds("lucky_lucky", pay_table={}), "bad_pay_table", "needs a row"),
    "missing row": (lambda: BLACKJACK.odds("main", pay_table={"win": 1}), "bad_pay_table", "Missing: "),
    "pay": (lambda: BLACKJACK.odds("lucky_lucky", pay_table={"777": "often"}), "bad_pay", "is not a pay"),
    "share": (lambda: BLACKJACK.odds("lucky_lucky", pay_table={"777": "10%"}), "bad_pay", "this pay table has none"),
    "huge pay": (lambda: BLACKJACK.odds("lucky_lucky", pay_table={"777": 1e30}), "bad_pay", "0 to 1,000,000"),
    "endless pay": (lambda: BLACKJACK.odds("lucky_lucky", pay_table={"777": 1 / 3}), "bad_pay", '"4 to 3"'),
    "nothing but losses": (
        lambda: BLACKJACK.odds("lucky_lucky", pay_table={"777": "lose"}),
        "bad_pay_table",
        "needs a",
    ),
    "row that loses": (lambda: BLACKJACK.odds("lucky_lucky", pay_table={"778": "lose"}), "unknown_row", "suited_777"),
    "rules": (lambda: BLACKJACK.odds("main", rules=["soft17"]), "bad_setting", "names no switch"),  # type: ignore[arg-type]
    "two ends": (lambda: BLACKJACK.simulate(rounds=1, seconds=1), "bad_goal", "one way only"),
    "no time": (lambda: BLACKJACK.plan(seconds=-1), "bad_goal", "more than nothing"),
    "no cores": (lambda: PLAN.hours(cores=0), "bad_cores", "from 1 on"),
    "half a core": (lambda: PLAN.hours(cores=0.5), "bad_cores", "whole number"),  # type: ignore[arg-type]
    "price": (lambda: PLAN.cost(per_core_hour=-1), "bad_price", "from 0 on"),
    "no folder": (
        lambda: BLACKJACK.sheet("lucky_lucky", effects=False).save("no/such/folder/sheet.csv"),
        "bad_path",
        "cannot be written",
    ),
    "form": (
        lambda: BLACKJACK.sheet("lucky_lucky", effects=False).as_bytes("doc"),  # type: ignore[arg-type]
        "bad_notation",
        "Accepted: pdf, csv, json.",
    ),
    "meter of nothing": (lambda: croupier.Meter(None), "unknown_game", "Accepted: bet_the_"),  # type: ignore[arg-type]
    "tables of a meter": (lambda: croupier.Meter(MADNESS, tables="x"), "bad_tables", "whole number"),  # type: ignore[arg-type]
    "negative pay": (lambda: BLACKJACK.odds("lucky_lucky", pay_table={"777": -1}), "bad_pay", "from 0 to"),
    "odd pay": (lambda: BLACKJACK.odds("lucky_lucky", pay_table={"777": True}), "bad_pay", "is not a pay"),
    "not a number": (lambda: BLACKJACK.odds("lucky_lucky", pay_table={"777": math.nan}), "bad_pay", "is not a pay"),
    "rounds": (lambda: BLACKJACK.simulate(rounds=-1), "bad_rounds", "from 1 to"),
    "endless rounds": (lambda: BLACKJACK.simulate(rounds=math.inf), "bad_rounds", "is not a number of rounds"),
    "third": (lambda: croupier.Meter("double_down_madness", contribution=Fraction(1, 3)), "bad_number", "no end"),
    "no meter": (lambda: BLACKJACK.odds("lucky_lucky", meter=5), "not_progressive", "is not a progressive"),
    "meter of a main wager": (lambda: BLACKJACK.odds("main", meter=5), "not_progressive", "is not a progressive"),
    "meter's keyword": (lambda: croupier.Meter(MADNESS, contribtion=1), "unknown_switch", 'mean "contribution"?'),
    "list of dollars": (lambda: croupier.Meter(MADNESS, seed=[1]), "bad_number", "is not a number"),  # type: ignore[arg-type]
    "yes for dollars": (lambda: BLACKJACK.round({"main": True}), "bad_number", "is not a number"),
    "wager by number": (lambda: BLACKJACK.round({3: 10}), "bad_wager", "is not a wager"),  # type: ignore[dict-item]
    "seat": (lambda: BLACKJACK.table().wager("x", 10), "bad_seat", "whole number"),  # type: ignore[arg-type]
    "no answer": (lambda: asked_table().answer(None), "illegal_answer", '"None" is not one'),  # type: ignore[arg-type]
    "too many rounds": (lambda: BLACKJACK.simulate(rounds=1e300), "bad_rounds", "from 1 to 1e15"),
    "strategy": (lambda: BLACKJACK.simulate(rounds=1, strategy="basic"), "unreadable_file", "write optimal"),
    "nothing to decide": (
        lambda: croupier.game("mini_baccarat").simulate(rounds=1, strategy="basic"),
        "unknown_strategy",
        "Accepted: optimal",
    ),
    "progress": (lambda: BLACKJACK.odds("main", progress=3), "bad_setting", "not a function"),  # type: ignore[arg-type]
    "column": (lambda: SWEEP["edges"], "unknown_column", 'Did you mean "edge"?'),
    "row of a frame": (lambda: SWEEP[0], "unknown_column", "Accepted: game, wager"),  # type: ignore[index]
    "rows": (lambda: croupier.Frame.of_rows([1]), "bad_notation", "{COLUMN: CELL}"),  # type: ignore[list-item]
    "seats": (lambda: BLACKJACK.table(seats=8), "bad_seats", "1 to 7"),
    "sealed seed": (lambda: BLACKJACK.table(seed=1, sealed=True), "bad_seed", "draws its own"),
    "nothing asked": (lambda: BLACKJACK.table().answer("stand"), "nothing_asked", "Nobody is asked"),
    "file": (lambda: BLACKJACK.sheet("lucky_lucky", effects=False).save("sheet.txt"), "bad_path", ".pdf, .csv, .json"),
    "pay table by number": (lambda: BLACKJACK.odds("lucky_lucky", pay_table=99), "unknown_pay_table", 'pay table "99"'),
    "pay table": (lambda: BLACKJACK.odds("lucky_lucky", pay_table=[1]), "bad_pay_table", "give its id"),  # type: ignore[arg-type]
    "tables": (lambda: BLACKJACK.odds("main", pay_tables=5), "bad_pay_table", "names no wager"),  # type: ignore[arg-type]
    "table twice": (lambda: CARIBBEAN.odds("ante", pay_table=1, pay_tables={"ante": 2}), "bad_pay_table", "twice"),
    "seed in words": (lambda: BLACKJACK.simulate(seed="x"), "bad_seed", "not a whole number"),  # type: ignore[arg-type]
    "broken seed": (lambda: BLACKJACK.simulate(seed=1.5), "bad_seed", "not a whole number"),  # type: ignore[arg-type]
    "seed of yes": (lambda: BLACKJACK.simulate(seed=True), "bad_seed", "not a whole number"),
    "seed of a table": (lambda: BLACKJACK.table(seed="x"), "bad_seed", "whole number"),  # type: ignore[arg-type]
    "keyword": (lambda: BLACKJACK.simulate(round=1e4), "unknown_switch", 'Did you mean "rounds"?'),
    "yes": (lambda: BLACKJACK.odds("main", soft17=True), "unknown_value", 'There is no value "True"'),
    "one result": (lambda: croupier.frame(BLACKJACK.odds("lucky_lucky")), "bad_notation", "many results"),  # type: ignore[arg-type]
    "no results": (lambda: croupier.frame([1, 2]), "bad_notation", "1 is not a result"),  # type: ignore[list-item]
    "cards": (lambda: BLACKJACK.round(10, cards=["Ts", 6]), "bad_notation", "list of texts"),  # type: ignore[list-item]
    "stake": (lambda: BLACKJACK.table().deal([10]), "bad_wager", "is not a wager"),  # type: ignore[arg-type]
    "made later": (lambda: CARIBBEAN.odds("raise"), "not_computed", 'those of "ante"'),
    "no strategy": (lambda: croupier.game("mini_baccarat").strategy(), "not_computed", "no strategy"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_is_refused_in_a_sentence(name: str) -> None:
    call, code, said = REFUSED[name]
    with pytest.raises(croupier.CroupierError) as refused:
        call()
    assert (refused.value.code, said in str(refused.value)) == (code, True), str(refused.value)


def test_ids_cards_wagers_and_names_may_be_given_as_they_come() -> None:
    baccarat = croupier.game("mini_baccarat")
    assert BLACKJACK.odds("lucky_lucky", pay_table=2).edge == BLACKJACK.odds("lucky_lucky", pay_table="2").edge
    assert BLACKJACK.pays("lucky_lucky", 2) == BLACKJACK.pays("lucky_lucky", "2")
    assert list(baccarat.simulate(rounds=1e4, wagers="tie", pay_tables={"tie": 1}).wagers) == ["tie"]
    scripted = BLACKJACK.round(10, cards=["Ts", "6h", "Ah", "9d"])
    assert scripted.net == BLACKJACK.round("main=10", cards="Ts 6h Ah 9d").net == (Fraction(15),)
    assert croupier.game("casino_war").table(seed=3).deal(10).state.stakes == [{"main": 10_000_000}]


def test_a_pay_table_by_its_id_leaves_the_game_as_its_file_has_it() -> None:
    choice = BLACKJACK.odds("lucky_lucky", pay_table=2).sheet.choice
    assert (choice.pay_table.id, choice.game) == ("2", BLACKJACK.spec)


def test_the_raise_is_paid_by_an_own_table() -> None:
    richer = {"raise": CARIBBEAN.pays("raise") | {"pair_or_less": 2}}
    edge = CARIBBEAN.odds("ante", pay_tables=richer).edge
    assert edge == CARIBBEAN.strategy(pay_tables=richer).edge < CARIBBEAN.odds("ante").edge - 0.2


def test_odds_that_a_letter_contradicts_say_so() -> None:
    doubtful = croupier.game("mini_baccarat").odds("dragon_bonus_progressive")
    assert "text and figures differ, see .contradiction" in repr(doubtful)
    assert doubtful.contradiction is not None
    plain = BLACKJACK.odds("lucky_lucky")
    assert (plain.contradiction, "contradiction" in repr(plain)) == (None, False)


def test_a_meter_adds_the_edge_at_that_meter_and_leaves_the_rest() -> None:
    madness = croupier.game("double_down_madness")
    usual = madness.odds("push_22_progressive")
    assert (usual.edge_at_meter, usual.break_even is not None) == (None, True)
    at = madness.odds("push_22_progressive", meter=usual.break_even and round(usual.break_even, 2))
    assert (at.edge, abs(float(at.edge_at_meter or 1)) < 1e-6) == (usual.edge, True)
    assert "at this meter" in repr(at)


def test_a_game_is_found_by_its_path(tmp_path: Path) -> None:
    folder = Path(__file__).parent.parent / "examples" / "two_cards"
    assert f"{float(croupier.game(folder).odds('royal_match', decks=1).edge):.4%}" == "10.8597%"
    assert croupier.games()["blackjack"] == BLACKJACK
    assert croupier.game(BLACKJACK) is BLACKJACK


def test_a_seeded_table_deals_the_same_cards_and_another_seed_others() -> None:
    def lines(seed: int) -> list[tuple[str, ...]]:
        table = croupier.game("casino_war").table(seed=seed)
        rounds = []
        for _ in range(5):
            round = table.deal({"main": 10})
            while round.question:
                round = table.answer(round.legal[0])
            rounds.append(round.lines)
        return rounds

    assert lines(1) == lines(1) != lines(2)


def test_own_pay_tables_are_simulated_and_played() -> None:
    run = croupier.game("mini_baccarat").simulate(rounds=1e5, wagers=["tie"], pay_tables={"tie": {"tie": 9}})
    assert run.wagers["tie"].exact == pytest.approx(
        float(croupier.game("mini_baccarat").odds("tie", pay_table={"tie": 9}).edge)
    )
    pays: dict[str, int | str] = {"win": 1, "push": "push"}
    pays |= {name: 2 for name in BLACKJACK.pays("main") if "blackjack" in name}
    natural = BLACKJACK.round({"main": 10}, cards="Ts 6h Ah 9d", pay_tables={"main": pays})
    assert natural.net == (Fraction(20),)


def test_a_run_that_is_stopped_gives_what_was_played() -> None:
    def stop(run: croupier.Simulation) -> None:
        raise KeyboardInterrupt

    run = croupier.game("mini_baccarat").simulate(rounds=1e12, wagers=["tie"], progress=stop)
    assert run.interrupted
    assert 0 < run.rounds < 1e9


@pytest.mark.parametrize(
    "make",
    [
        lambda: BLACKJACK.odds("lucky_lucky"),
        lambda: croupier.game("casino_war").strategy(),
        lambda: croupier.game("three_card_poker").odds("ante"),
        lambda: croupier.game("ultimate_texas_holdem").strategy(),
        lambda: croupier.Meter("double_down_madness"),
        lambda: BLACKJACK.round({"main": 10}, cards="Ts 6h 5h 9d"),
    ],
    ids=("counted", "tree", "tree odds", "showdown", "meter", "round"),
)
def test_a_result_may_be_sent_to_another_process(make: Callable[[], Any]) -> None:
    """As Dask, joblib and multiprocessing send them."""
    result = make()
    sent = pickle.loads(pickle.dumps(result))
    assert (sent.to_dict(), sent._repr_html_()) == (result.to_dict(), result._repr_html_())
    assert getattr(sent, "decisions", ()) == getattr(result, "decisions", ())


def test_what_a_notebook_shows_is_closed_and_has_no_script() -> None:
    results: list[Any] = [
        BLACKJACK,
        croupier.games(),
        BLACKJACK.odds("lucky_lucky"),
        croupier.game("casino_war").strategy(effects=True),
        croupier.game("casino_war").check(),
        BLACKJACK.sheet("lucky_lucky", effects=False),
        BLACKJACK.round({"main": 10}, cards="Ts 6h"),
        croupier.Meter("double_down_madness"),
        croupier.Meter("double_down_madness").simulate(years=1000),
        croupier.game("mini_baccarat").simulate(rounds=1e5, wagers=["tie"]),
        croupier.game("mini_baccarat").protect("tie", shoes=0),
        croupier.game("three_card_poker").hidden_cards(),
    ]
    assert (
        "house edge 3.3730% by the rules, -3.4829% knowing one hidden card of the dealer" in results[-1]._repr_html_()
    )
    for result in results:
        html = result._repr_html_()
        assert "<script" not in html
        for tag in ("table", "tr", "td", "th", "svg", "div", "b"):
            assert html.count(f"<{tag}>") + html.count(f"<{tag} ") == html.count(f"</{tag}>"), (result, tag)
