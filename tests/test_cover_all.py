"""Cover All: a wager that the best hand on the table decides. The pay table is an example of our own."""

from __future__ import annotations

import tomllib
from datetime import date
from fractions import Fraction
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from msgspec import structs

from croupier.errors import CroupierError, NotComputedError
from croupier.exact.cover import EdgeAmong, edges_among, pairs_apart
from croupier.exact.odds import compute_odds
from croupier.floor.setup import Floor, RuleSheet, WagerSetup
from croupier.kernels.sets import set_of
from croupier.lab.draft import Draft, open_draft, try_draft
from croupier.lab.game_file import draft_to_toml
from croupier.library.game import game as open_game
from croupier.money import MICROS_PER_DOLLAR
from croupier.pay import Row
from croupier.reports.sheet.fill import brief_odds
from croupier.rules.choice import choose
from croupier.rules.loader import game_from_data
from croupier.rules.registry import find_game
from croupier.table.events import DEALERS_HAND, WagerSettled
from croupier.table.replay import RoundState, replay
from croupier.table.setup import Stakes, TableRules, make_rules
from croupier.testing import check_round, random_rounds
from tests.floors import DEMO, codes, only, with_table
from tests.helpers import ROOT

EXAMPLE = ROOT / "examples" / "cover_all"
DAY = date(2026, 11, 19)
WAGER = "cover_all"
# Hands of the example, best first, and one that wins nothing; no card is in two of them.
RUN, QUEENS, HEARTS, NOTHING, HIGH = (24, 28, 32), (44, 45, 46), (6, 14, 50), (4, 17, 39), (8, 21, 43)


@pytest.fixture(scope="module")
def rules() -> TableRules:
    return make_rules(find_game(str(EXAMPLE)), day=DAY)


def dealt(rules: TableRules, seats: list[str], hands: list[tuple[int, ...]], *answers: str) -> RoundState:
    """A round of seats with `a` for an ante, `c` for Cover All; the dealer's hand is the last."""
    amounts = {"a": ("ante", MICROS_PER_DOLLAR), "c": (WAGER, 5 * MICROS_PER_DOLLAR)}
    stakes: list[Stakes] = [dict(amounts[letter] for letter in seat) for seat in seats]
    state = replay(rules, stakes, [card for hand in hands for card in hand], list(answers), trusted=True)
    assert state.is_complete
    return state


def covered(state: RoundState) -> list[tuple[int, str, int, int]]:
    """By seat: the row, the dollars that came back and whose hand it was."""
    ended = [event for event in state.settled if event.wager == WAGER]
    return [(event.seat, event.row, event.returned // MICROS_PER_DOLLAR, event.decided_by) for event in ended]


def test_the_best_hand_pays_whoever_holds_it(rules: TableRules) -> None:
    own = dealt(rules, ["c"], [HEARTS, NOTHING])
    assert covered(own) == [(1, "flush", 15, 1)]
    dealers = dealt(rules, ["c"], [HEARTS, QUEENS])
    assert covered(dealers) == [(1, "three_of_a_kind", 155, DEALERS_HAND)]
    others = dealt(rules, ["c", "c", "c", "c"], [NOTHING, RUN, HEARTS, HIGH, QUEENS])
    assert covered(others) == [(seat, "straight_flush", 80, 2) for seat in (1, 2, 3, 4)]
    assert covered(dealt(rules, ["c"], [NOTHING, HIGH])) == [(1, "lose", 0, 0)]


def test_hands_without_the_wager_and_folded_ones_count(rules: TableRules) -> None:
    assert covered(dealt(rules, ["a", "c"], [RUN, NOTHING, HIGH], "fold")) == [(2, "straight_flush", 105, 1)]
    # Three Card Poker lets wagers on the own three cards die with a folded hand, as it comes.
    assert covered(dealt(rules, ["ac", "c"], [RUN, NOTHING, HIGH], "fold")) == [
        (1, "lose", 0, 0),
        (2, "straight_flush", 105, 1),
    ]


def test_the_own_hand_is_named_before_one_that_is_as_good(rules: TableRules) -> None:
    spades = (3, 15, 51)
    assert covered(dealt(rules, ["c", "c"], [HEARTS, spades, NOTHING])) == [(1, "flush", 10, 1), (2, "flush", 10, 2)]


@pytest.mark.parametrize(("hands", "pays"), [(1, 40), (2, 40), (3, 20), (4, 20), (5, 15), (6, 15), (7, 8), (8, 8)])
def test_a_row_pays_by_the_hands_dealt(rules: TableRules, hands: int, pays: int) -> None:
    row: Row = rules.side_bets[WAGER].rows["straight_flush"]
    assert row.pays_among(hands).net == pays


def test_pairs_of_hands_without_a_common_card_are_those_that_listing_them_finds() -> None:
    hands = list(combinations(range(9), 3))[::2]
    listed = sum(not set(one) & set(other) for one in hands for other in hands)
    assert pairs_apart(np.array(hands), 9) == listed


def test_the_better_of_two_hands_is_counted_exactly(rules: TableRules) -> None:
    """Straight flushes alone, pair by pair: how often one of two hands is such a one."""
    every = [set_of(cards) for cards in combinations(range(52), 3)]
    bet = rules.side_bets[WAGER].bet
    runs = [hand for hand in every if bet.outcomes[bet.classify(hand, 0, 0)] in ("mini_royal", "straight_flush")]
    assert len(runs) == 48
    both = sum(one & other == 0 for one in runs for other in runs)
    sheet = compute_odds(choose(find_game(str(EXAMPLE)), WAGER))
    assert sheet.rows[0].probability == Fraction(2 * 48 * 18_424 - both, 22_100 * 18_424)
    assert sum(row.combinations for row in sheet.rows) == sheet.denominator == 22_100 * 18_424


@pytest.fixture(scope="module")
def edges() -> list[EdgeAmong]:
    return edges_among(choose(find_game(str(EXAMPLE)), WAGER))


def test_edges_are_exact_for_two_hands_and_sampled_for_more(edges: list[EdgeAmong]) -> None:
    assert [one.hands for one in edges] == list(range(2, 9))
    assert edges[0] == EdgeAmong(2, compute_odds(choose(find_game(str(EXAMPLE)), WAGER)).edge, 0.0)
    assert all(0 < one.standard_error < 0.004 for one in edges[1:])


def test_sampled_edges_are_those_of_rounds_that_were_dealt(rules: TableRules, edges: list[EdgeAmong]) -> None:
    chance = np.random.default_rng(7)
    profits = []
    for _ in range(3000):
        cards = [int(card) for card in chance.permutation(52)[:12]]
        state = dealt(rules, ["c", "c", "c"], [tuple(cards[at : at + 3]) for at in range(0, 12, 3)])
        (one, *_) = (event for event in state.settled if event.seat == 1)
        profits.append((one.returned - one.staked) / one.staked)
    error = float(np.std(profits)) / len(profits) ** 0.5
    assert abs(-np.mean(profits) - float(edges[2].edge)) < 4 * error < 0.5


def test_random_rounds_keep_every_promise() -> None:
    seen: set[int] = set()
    for log, state in random_rounds(find_game(str(EXAMPLE)), rounds=150, seed=3):
        check_round(log, state)
        seen |= {event.decided_by for event in state.settled if isinstance(event, WagerSettled)}
    assert {0, DEALERS_HAND} < seen


def test_the_sheet_says_what_it_costs_by_the_hands_dealt() -> None:
    sheet = brief_odds(compute_odds(choose(find_game(str(EXAMPLE)), WAGER)))
    (table,) = (table for table in sheet.tables if table.id == "edge_by_hands")
    assert [row.cells[:2] for row in table.rows[:2]] == [(2, "40 to 1"), (3, "20 to 1")]


def test_simulated_tables_leave_it_out_and_say_so_where_it_is_named() -> None:
    with pytest.raises(NotComputedError, match="best hand on the table"):
        open_game(str(EXAMPLE)).simulate(1000, wagers=[WAGER])


def test_a_draft_of_the_lab_keeps_what_more_hands_pay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CROUPIER_GAMES", str(EXAMPLE))
    text = draft_to_toml(try_draft(open_draft(Draft(game="cover_all_example", wager=WAGER))))
    (saved,) = game_from_data(tomllib.loads(text), "draft").wager(WAGER).pay_tables
    (approved,) = find_game(str(EXAMPLE)).wager(WAGER).pay_tables
    assert saved.cover_all
    assert [row.by_hands for row in saved.rows] == [row.by_hands for row in approved.rows]


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('classifier = "pair_plus"', "", "cover_all is for a wager on a set of cards"),
        ("cover_all = true", "", "pays by the number of hands are for a table with cover_all"),
        ('3 = "1 to 1" }', '2 = "1 to 1" }', "by_hands"),
        ('pays = "2 to 1"', 'pays = "2 to 1", envy = 5', "without envy and without a meter"),
    ],
    ids=["no cards", "not covered", "too few hands", "envy"],
)
def test_what_cannot_be_is_refused(tmp_path: Path, old: str, new: str, words: str) -> None:
    text = (EXAMPLE / "game.toml").read_text(encoding="utf-8")
    assert old in text
    (tmp_path / "game.toml").write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(CroupierError) as refusal:
        find_game(str(tmp_path))
    assert words in str(refusal.value)


def test_a_real_floor_offers_it_by_a_signed_rule_sheet_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CROUPIER_GAMES", str(EXAMPLE))
    tables = {"ante": "1-4-5", WAGER: "1"}
    wagers = tuple(WagerSetup(wager=name, pay_table=table) for name, table in tables.items())
    floor = structs.replace(only(DEMO, "ddm_1"), jackpots=(), links=())
    fields = {"game": "cover_all_example", "decks": 1, "shuffle": "fresh", "wagers": wagers}
    floor = structs.replace(with_table(floor, "ddm_1", **fields, sensors=(), settings={}), demo=False)

    def signed(*by: str) -> Floor:
        sheet = RuleSheet(game="cover_all_example", approved="sheet 1", pay_tables=tables, confirmed_by=by)
        return structs.replace(floor, rule_sheets=(sheet,))

    assert "cover_all_not_approved" in codes(floor, DAY)
    assert "cover_all_not_approved" in codes(signed("u-1"), DAY)
    assert "cover_all_not_approved" not in codes(signed("u-1", "u-2"), DAY)
