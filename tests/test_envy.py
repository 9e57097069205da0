"""Envy: a fixed sum to every other participant for a premium hand. The pay table is an example of our own."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from fractions import Fraction
from itertools import combinations
from pathlib import Path

import pytest
from msgspec import structs

from croupier.errors import CroupierError
from croupier.exact.envy import edge_beside, envy_of_one
from croupier.exact.odds import OddsSheet, compute_odds
from croupier.floor.setup import Floor, RuleSheet, WagerSetup
from croupier.kernels.sets import set_of
from croupier.library.game import game as open_game
from croupier.money import MICROS_PER_DOLLAR
from croupier.reports.sheet.fill import brief_odds
from croupier.reports.sheet.report import sheet_report
from croupier.rules.choice import choose
from croupier.rules.registry import find_game
from croupier.table.events import WagerSettled
from croupier.table.replay import replay
from croupier.table.setup import Stakes, TableRules, make_rules
from croupier.testing import check_round, random_rounds
from tests.conftest import Croupier
from tests.floors import DEMO, codes, only, with_table
from tests.helpers import ROOT

EXAMPLE = ROOT / "examples" / "envy"
DAY = date(2026, 11, 19)
SHORT = range(10)
"""Aces, twos and two threes: hands of every row, and few enough to be dealt in every way."""


@pytest.fixture(scope="module")
def rules() -> TableRules:
    return make_rules(find_game(str(EXAMPLE)), day=DAY)


@pytest.fixture(scope="module")
def sheet() -> OddsSheet:
    return compute_odds(choose(find_game(str(EXAMPLE)), "own_hand"))


def paid(rules: TableRules, wagers: list[int], cards: tuple[int, ...], *answers: str) -> list[WagerSettled]:
    """What seats that wager so many dollars and nothing else are paid as envy."""
    stakes: list[Stakes] = [
        {"own_hand": dollars * MICROS_PER_DOLLAR} if dollars else {"ante": MICROS_PER_DOLLAR} for dollars in wagers
    ]
    state = replay(rules, stakes, list(cards), list(answers), trusted=True)
    assert state.is_complete
    net = sum(event.returned - event.staked for event in state.settled)
    assert state.events[-1].house_net == -net  # type: ignore[attr-defined]
    return [event for event in state.settled if event.envy_of]


def dollars(events: list[WagerSettled]) -> list[tuple[int, int, int]]:
    return [(event.seat, event.envy_of, event.returned // MICROS_PER_DOLLAR) for event in events]


ACES, TWOS, RUN, NOTHING, DEALER = (0, 1, 2), (4, 5, 6), (8, 12, 16), (20, 29, 38), (21, 30, 39)


def test_each_premium_hand_pays_every_other_participant_once(rules: TableRules) -> None:
    assert dollars(paid(rules, [5, 5, 5], ACES + TWOS + NOTHING + DEALER)) == [
        (2, 1, 10),
        (3, 1, 10),
        (1, 2, 10),
        (3, 2, 10),
    ]
    assert dollars(paid(rules, [5, 50], RUN + NOTHING + DEALER)) == [(2, 1, 20)], "a fixed sum, whatever is wagered"
    assert paid(rules, [5], ACES + DEALER) == [], "nobody for the own hand"


def test_who_takes_part_and_whose_hands_count(rules: TableRules) -> None:
    assert paid(rules, [5, 4], ACES + NOTHING + DEALER) == [], "under the pay table's $5"
    # A seat without the wager is paid nothing, and its hand pays the others, unless it was folded.
    assert dollars(paid(rules, [0, 5], ACES + NOTHING + DEALER, "play")) == [(2, 1, 10)]
    assert paid(rules, [0, 5], ACES + NOTHING + DEALER, "fold") == []
    assert paid(rules, [5, 0], ACES + NOTHING + DEALER, "play") == []


def deals() -> Iterator[tuple[int, ...]]:
    """Two hands of a short deck in every way, the dealer's from the other end of the deck."""
    for first in combinations(SHORT, 3):
        for second in combinations([card for card in SHORT if card not in first], 3):
            yield (*first, *second, *DEALER)


def test_the_mean_is_that_of_every_deal_of_a_short_deck(rules: TableRules) -> None:
    every = [sum(event.returned for event in paid(rules, [5, 5], cards) if event.seat == 2) for cards in deals()]
    bet, rows = rules.side_bets["own_hand"].bet, rules.side_bets["own_hand"].rows
    hands = [
        bet.outcomes[found] for cards in combinations(SHORT, 3) if (found := bet.classify(set_of(cards), 0, 0)) >= 0
    ]
    worth = Fraction(sum(rows[name].envy for name in hands if name in rows), len(list(combinations(SHORT, 3))))
    assert worth > 0
    assert Fraction(sum(every), len(every) * MICROS_PER_DOLLAR) == worth


def test_the_edge_falls_by_the_same_for_each_other_player(sheet: OddsSheet) -> None:
    # 48 straight flushes for $20 and 52 times three of a kind for $10, of 22,100 hands, on $5.
    assert envy_of_one(sheet) == Fraction(48 * 20 + 52 * 10, 22_100 * 5)
    assert edge_beside(sheet, 0) == sheet.edge
    assert edge_beside(sheet, 3) == sheet.edge - 3 * envy_of_one(sheet)


def test_simulated_tables_have_the_exact_edge_with_so_many_others(sheet: OddsSheet) -> None:
    result = open_game(str(EXAMPLE)).simulate(300_000, wagers=["own_hand"], seats=3, seed=5)
    (found,) = result.wagers.values()
    exact = float(edge_beside(sheet, 2))
    assert found.exact == pytest.approx(exact, abs=1e-12)
    assert abs(found.edge - exact) < 4 * found.standard_error < 0.03


def test_random_rounds_keep_every_promise() -> None:
    rounds = random_rounds(find_game(str(EXAMPLE)), rounds=250, seed=3)
    paid_for = 0
    for log, state in rounds:
        check_round(log, state)
        paid_for += any(event.envy_of for event in state.settled)
    assert paid_for > 0


def test_the_sheet_says_with_how_many_others(croupier: Croupier) -> None:
    said = " ".join(croupier("odds", str(EXAMPLE), "own_hand").out.split())
    assert "with no other player at the table" in said
    assert "House edge by the number of other players" in said
    assert "an example of how envy is written; its figures are invented" in said


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("envy = 20", "envy = -1", "Expected `int` >= 0"),
        ('classifier = "pair_plus"', "", "envy is for a wager on cards that each seat has of its own"),
    ],
    ids=["a negative sum", "no cards of a seat"],
)
def test_envy_that_cannot_be_is_refused(tmp_path: Path, old: str, new: str, words: str) -> None:
    text = (EXAMPLE / "game.toml").read_text(encoding="utf-8")
    assert old in text
    (tmp_path / "game.toml").write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(CroupierError) as refusal:
        find_game(str(tmp_path))
    assert words.replace("`", "") in str(refusal.value)


def test_a_real_floor_pays_envy_by_a_signed_rule_sheet_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CROUPIER_GAMES", str(EXAMPLE))
    wagers = tuple(WagerSetup(wager=name, pay_table=table) for name, table in (("ante", "1-4-5"), ("own_hand", "1")))
    floor = structs.replace(only(DEMO, "ddm_1"), jackpots=(), links=())
    fields = {"game": "envy_example", "decks": 1, "shuffle": "fresh", "wagers": wagers, "sensors": (), "settings": {}}
    floor = with_table(floor, "ddm_1", **fields)

    def signed(*by: str) -> Floor:
        sheet = RuleSheet(
            game="envy_example", approved="sheet 1", pay_tables={"ante": "1-4-5", "own_hand": "1"}, confirmed_by=by
        )
        return structs.replace(floor, demo=False, rule_sheets=(sheet,))

    assert "envy_not_approved" not in codes(floor, DAY), "play money"
    assert "envy_not_approved" in codes(structs.replace(floor, demo=False), DAY)
    assert "envy_not_approved" in codes(signed("u-1"), DAY)
    assert "envy_not_approved" not in codes(signed("u-1", "u-2"), DAY)


def test_the_sheet_as_data_has_both_tables(sheet: OddsSheet) -> None:
    tables = {table.id: table for table in brief_odds(sheet).tables}
    assert [row.cells[1] for row in tables["envy"].rows] == [20, 10]
    assert len(tables["edge_beside"].rows) == 7
    assert sheet_report(brief_odds(sheet)).title
