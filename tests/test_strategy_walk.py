"""What the solver says a round comes to, against the rounds themselves walked over every order of a small shoe.

The solver plays no round: it multiplies chances over hands, in floats. The tree does nothing else but play them, and
counts in integers. So they agree only if the solver has every rule right, and if its tables answer every question as
its own play does.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from random import Random
from types import FunctionType
from typing import Any

import numpy as np
import pytest

from croupier.errors import NotComputedError
from croupier.exact.decide import Deck, Played, evaluate
from croupier.exact.strategy.account import StrategyAccount
from croupier.exact.strategy.solve import PlayPlan, Solution, make_game, solve_anew
from croupier.exact.strategy.view import ClassShoe
from croupier.kernels.blackjack import BlackjackRules
from croupier.kernels.declaration import Round
from croupier.kernels.effects import BOTH
from croupier.kernels.link import Kernel
from croupier.kernels.rounds import find_round, round_names
from tests.short_shoes import Counts, by_class, short_game

pytestmark = pytest.mark.slow

Switches = dict[str, int]

AGREES = 1e-11

PAYS = {
    "blackjack": {"blackjack": 1.5, "surrender": -0.5},
    "double_down_madness": {"suited_blackjack": 1.7, "unsuited_blackjack": 1.7},  # all walked cards have one suit
    "blackjack_switch": {"blackjack": 1.0, "surrender": -0.5},
    "double_barrel": {"blackjack": 1.0, "double_barrel_blackjack": 1.5, "surrender": -0.5},
}
# Cards of each class, ace to nine and ten-values. None of them can run out in a round.
EIGHTS = (2, 0, 0, 0, 1, 1, 0, 4, 0, 6)
FIVES = (3, 4, 0, 0, 5, 0, 0, 0, 0, 8)
FEW_SMALL = (2, 1, 0, 1, 1, 1, 0, 1, 0, 5)
MANY_SMALL = (1, 2, 1, 0, 2, 1, 1, 0, 1, 3)
TENS = (2, 0, 0, 0, 0, 1, 0, 4, 0, 10)
FOURS = (3, 0, 0, 3, 0, 0, 0, 0, 0, 14)
SHOES = {
    "blackjack": (EIGHTS, FIVES),
    "double_down_madness": (FEW_SMALL, FIVES),
    "blackjack_switch": (TENS, FOURS),
    "double_barrel": (TENS, FOURS),
}
ALWAYS: dict[str, Switches] = {
    "blackjack": {},
    "double_down_madness": {"pushes_22": 1},
    "blackjack_switch": {"pushes_22": 1, "max_hands": 2},
    "double_barrel": {"pushes_22": 1, "max_hands": 2, "blackjack_beats_blackjack": 1},
}

HAND_SWITCHES: dict[str, tuple[Switches, ...]] = {
    "soft17": ({"soft17": 0},),
    "double_from": ({"double_from": 9}, {"double_from": 10}),
    "double_after_split": ({"double_after_split": 0},),
    "resplit_aces": ({"resplit_aces": 1, "max_hands": 3},),
    "play_split_aces": ({"play_split_aces": 1},),
    "split_blackjack": ({"split_blackjack": 1},),
    "surrender": ({"surrender": 1},),
}
VERSIONS: dict[str, Switches] = {
    "1": {"soft17": 1, "switch_first": 1, "switched_blackjack": 1},
    "2": {"soft17": 1},
    "3": {"soft17": 1, "blackjack_beats_blackjack": 1},
    "4": {"soft17": 0},
}
OWN_SWITCHES: dict[str, dict[str, tuple[Switches, ...]]] = {
    "blackjack": {
        **HAND_SWITCHES,
        "peek": ({"peek": 0},),
        "max_hands": tuple({"max_hands": hands} for hands in (1, 2, 3)),
        "pushes_22": ({"pushes_22": 1},),
        "blackjack_beats_blackjack": (
            {"blackjack_beats_blackjack": 1},
            {"blackjack_beats_blackjack": 1, "peek": 0},
            {"blackjack_beats_blackjack": 1, "peek": 0, "split_blackjack": 1},
        ),
    },
    "double_down_madness": {
        "soft17": ({"soft17": 0},),
        "ten_then_ace": ({"ten_then_ace": 0},),
        "max_doubles": ({"max_doubles": 1}, {"max_doubles": 2}),
        "asks_on_21": ({"asks_on_21": 1}, {"asks_on_21": 1, "ten_then_ace": 0}),
        "pushes_22": ({"pushes_22": 0},),
    },
    "blackjack_switch": {
        **HAND_SWITCHES,
        "max_hands": ({"max_hands": 1}, {"max_hands": 3}),
        "pushes_22": ({"pushes_22": 0},),
        "version": tuple(VERSIONS[version] for version in "134"),
        "natural_may_be_broken": ({"natural_may_be_broken": 1}, VERSIONS["1"] | {"natural_may_be_broken": 1}),
    },
    "double_barrel": {
        **HAND_SWITCHES,
        "max_hands": ({"max_hands": 1}, {"max_hands": 3}),
        "pushes_22": ({"pushes_22": 0},),
        "dealer_checks_first": ({"dealer_checks_first": 1},),
        "blackjack_beats_blackjack": ({"blackjack_beats_blackjack": 0},),
        "next_card_blackjack": ({"next_card_blackjack": 0},),
    },
}
NOT_WALKED = {
    "seats": "a seat's wager depends on no other seat",
    "dealer_bets": "side wagers only",
    "hand_after_split": "side wagers only",
    "bounty_on_each_hand": "side wagers only",
    "cap": "walked below, for the one game whose strategy it changes",
    "unit": "in what steps an insurance may be made",
    "insurance": "a wager of its own, walked below",
    "split_by_rank": "walked below, from a shoe from which nobody would split ten-values",
    "dealer_last": "walked below: the order of the cards",
    "first_face_down": "what people see",
    "from_right": "whose wager is settled first",
}
NOT_WALKED_OF = {
    "blackjack_switch": {"peek": "this dealer always looks"},
    "double_barrel": {"peek": "this dealer always looks"},
    "double_down_madness": {"blackjack_beats_blackjack": "the dealer has looked before a blackjack is made"},
}
"""Fields of the rules that a round reads and that its cases leave alone, with the reason."""
COMBINATIONS = 6
CAPS = (0.0, 1.0, 1.5)


def choices(round_: str) -> list[Switches]:
    """The usual rules, every switch alone, and some combinations drawn at random once for all."""
    alone = [{}, *(switches for group in OWN_SWITCHES[round_].values() for switches in group)]
    random = Random(17)
    combined: list[Switches] = []
    for _ in range(COMBINATIONS):
        together: Switches = {}
        for group in OWN_SWITCHES[round_].values():
            together |= random.choice(({}, *group))
        combined.append(together)
    if round_ == "blackjack":
        combined.append({"peek": 0, "split_blackjack": 1, "play_split_aces": 1, "resplit_aces": 1, "surrender": 1})
    every = (ALWAYS[round_] | switches for switches in (*alone, *combined))
    return list({BlackjackRules(**switches): switches for switches in every}.values())


@cache
def solved(
    round_: str, shoe: Counts, rules: BlackjackRules, cap: float = 0.0, given_up: float | None = None
) -> Solution:
    return solve_anew(make_game(round_, ClassShoe(np.array(shoe, float)), rules, pays_with(round_, given_up), cap))


def pays_with(round_: str, given_up: float | None) -> dict[str, float]:
    """The usual pays, with another one for surrender if it is given."""
    return PAYS[round_] if given_up is None else PAYS[round_] | {"surrender": given_up}


def assert_walk_agrees(
    round_: str, shoe: Counts, rules: BlackjackRules, cap: float = 0.0, given_up: float | None = None
) -> None:
    solution = solved(round_, shoe, rules, cap, given_up)
    game = short_game(round_, by_class(shoe), rules, pays_with(round_, given_up), cap)
    for plan in (solution.best, solution.by_total):
        walked = evaluate(game, solution.tables(plan))
        account = plan.account
        assert -float(walked.edge) == pytest.approx(account.value * account.wagers, abs=AGREES)
        assert float(walked.staked) == pytest.approx(account.mean_final_wager * account.wagers, abs=AGREES)
        assert_endings_agree(walked, account, one_suit=True)
        if round_ == "double_down_madness" or (round_ == "blackjack" and rules.max_hands == 1):
            assert float(walked.square) == pytest.approx(account.square, abs=AGREES)


def assert_endings_agree(walked: Played, account: StrategyAccount, *, one_suit: bool) -> None:
    """Hands, money and profit by outcome."""
    expected = {name: (one.hands, one.staked, one.profit) for name, one in account.endings.items() if one.hands}
    if one_suit and "suited_blackjack" in expected:
        unsuited = expected.pop("unsuited_blackjack")
        both = zip(expected["suited_blackjack"], unsuited, strict=True)
        expected["suited_blackjack"] = tuple(one + other for one, other in both)  # type: ignore[assignment]
    found = {outcome: ending for (wager, outcome), ending in walked.endings.items() if wager == "main"}
    for name in expected.keys() | found.keys():
        assert [float(one) for one in found.get(name, (0, 0, 0))] == pytest.approx(
            expected.get(name, (0, 0, 0)), abs=AGREES
        )


def named(switches: Switches) -> str:
    return " ".join(f"{name}={value}" for name, value in switches.items()) or "usual rules"


def cases() -> list[Any]:
    return [
        pytest.param(round_, shoe, BlackjackRules(**switches), id=f"{round_}, shoe {number}, {named(switches)}")
        for round_, shoes in SHOES.items()
        for number, shoe in enumerate(shoes, 1)
        for switches in choices(round_)
    ]


@pytest.mark.parametrize(("round_", "shoe", "rules"), cases())
def test_a_round_walked_over_every_order_of_the_cards_comes_to_what_the_solver_says(
    round_: str, shoe: Counts, rules: BlackjackRules
) -> None:
    assert_walk_agrees(round_, shoe, rules)


@pytest.mark.parametrize("switches", [{"dealer_last": 1}, {"dealer_last": 1, "asks_on_21": 1, "first_face_down": 1}])
def test_in_which_order_the_opening_cards_come_changes_nothing(switches: Switches) -> None:
    rules = BlackjackRules(**(ALWAYS["double_down_madness"] | switches))
    assert_walk_agrees("double_down_madness", FEW_SMALL, rules)
    assert result_of(solved("double_down_madness", FEW_SMALL, rules).best) == result_of(
        solved("double_down_madness", FEW_SMALL, rules._replace(dealer_last=0, first_face_down=0)).best
    )


@pytest.mark.parametrize("given_up", [-0.75, -0.25])
@pytest.mark.parametrize("peek", [0, 1])
@pytest.mark.parametrize("round_", ["blackjack", "blackjack_switch", "double_barrel"])
def test_what_surrender_pays_is_what_the_solver_counts(round_: str, peek: int, given_up: float) -> None:
    if round_ != "blackjack" and peek == 0:
        return  # only base blackjack can be dealt without looking for blackjack
    switches = ALWAYS[round_] | {"surrender": 1, "peek": peek}
    shoe = SHOES[round_][0]
    assert_walk_agrees(round_, shoe, BlackjackRules(**switches), given_up=given_up)
    usual = solved(round_, shoe, BlackjackRules(**switches))
    other = solved(round_, shoe, BlackjackRules(**switches), given_up=given_up)
    assert result_of(usual.best) != result_of(other.best)


@pytest.mark.parametrize("switches", [{"split_by_rank": 1}, {"split_by_rank": 1, "peek": 0, "soft17": 0}])
def test_where_only_equal_ranks_are_split_the_walk_agrees_too(switches: Switches) -> None:
    """From a shoe from which nobody would split ten-values: from others the solver declines."""
    assert_walk_agrees("blackjack", FIVES, BlackjackRules(**switches))


@pytest.mark.parametrize("max_doubles", [0, 1, 2])
@pytest.mark.parametrize("cap", CAPS)
@pytest.mark.parametrize("shoe", [FEW_SMALL, MANY_SMALL], ids=["few small cards", "many small cards"])
def test_madness_within_a_limit_for_one_wager_comes_to_what_the_solver_says(
    shoe: Counts, cap: float, max_doubles: int
) -> None:
    rules = BlackjackRules(pushes_22=1, max_doubles=max_doubles)
    assert_walk_agrees("double_down_madness", shoe, rules, cap)


@pytest.mark.parametrize("cap", [0.0, 1.0])
def test_madness_with_all_suits_pays_suited_blackjacks_as_the_solver_says(cap: float) -> None:
    shoe, pays = (4, 0, 0, 0, 0, 0, 0, 4, 0, 4), {"suited_blackjack": 2.0, "unsuited_blackjack": 1.5}
    deck = Deck(tuple(card for number in (0, 7, 9) for card in range(4 * number, 4 * number + 4)), (1,) * 12)
    rules = BlackjackRules(pushes_22=1)
    solution = solve_anew(make_game("double_down_madness", ClassShoe(np.array(shoe, float)), rules, pays, cap))
    walked = evaluate(short_game("double_down_madness", deck, rules, pays, cap), solution.tables(solution.best))
    account = solution.best.account
    assert -float(walked.edge) == pytest.approx(account.value, abs=AGREES)
    assert float(walked.square) == pytest.approx(account.square, abs=AGREES)
    assert_endings_agree(walked, account, one_suit=False)


def test_a_round_that_can_run_out_of_cards_is_refused() -> None:
    shoe = (0, 6, 0, 0, 0, 0, 0, 0, 0, 1)
    solution = solved("blackjack", FIVES, BlackjackRules())
    with pytest.raises(NotComputedError, match="add up"):
        evaluate(
            short_game("blackjack", by_class(shoe), BlackjackRules(), PAYS["blackjack"]), solution.tables(solution.best)
        )


def result_of(plan: PlayPlan) -> tuple[float, float]:
    return round(plan.account.value, 12), round(plan.account.mean_final_wager, 12)


@pytest.mark.parametrize(
    ("round_", "name"), [(round_, name) for round_, groups in OWN_SWITCHES.items() for name in groups]
)
def test_every_switch_that_is_walked_changes_the_result_from_one_of_the_shoes(round_: str, name: str) -> None:
    """Otherwise the walk above would say nothing about it."""
    for switches in OWN_SWITCHES[round_][name]:
        without = {key: value for key, value in switches.items() if key == "max_hands" and name == "resplit_aces"}
        usual, changed = (BlackjackRules(**(ALWAYS[round_] | more)) for more in (without, switches))
        assert any(
            result_of(solved(round_, shoe, usual).best) != result_of(solved(round_, shoe, changed).best)
            for shoe in SHOES[round_]
        )


def test_a_limit_and_the_number_of_doubles_change_the_result_of_madness() -> None:
    results = {
        result_of(solved("double_down_madness", FEW_SMALL, BlackjackRules(pushes_22=1, max_doubles=doubles), cap).best)
        for doubles in (0, 1, 2)
        for cap in CAPS
    }
    assert len(results) > len(CAPS) * 2


def declared_round(name: str) -> Round:
    declared = find_round(name)
    assert declared is not None
    return declared


def fields_read(round_: str) -> set[str]:
    """Fields of the rules that a round and all functions it calls mention."""
    names: set[str] = set()
    seen: set[int] = set()
    waiting: list[Kernel] = [declared_round(round_).play]
    while waiting:
        function = waiting.pop()
        if id(function) in seen or not isinstance(function, FunctionType):
            continue
        seen.add(id(function))
        names |= set(function.__code__.co_names)
        waiting += [function.__globals__[name] for name in function.__code__.co_names if name in function.__globals__]
    return names & set(BlackjackRules._fields)


@pytest.mark.parametrize("round_", SHOES)
def test_every_field_of_the_rules_that_a_round_reads_is_walked(round_: str) -> None:
    """A switch that somebody adds to a round and forgets here, or in the solver, is found."""
    every = [BlackjackRules(**switches)._asdict() for switches in choices(round_)]
    walked = {field for field in BlackjackRules._fields if len({rules[field] for rules in every}) > 1}
    excused = NOT_WALKED.keys() | NOT_WALKED_OF.get(round_, {}).keys()
    assert fields_read(round_) - excused == walked
    assert not walked & excused


def test_every_field_of_the_rules_is_read_by_some_round() -> None:
    family = [name for name in round_names() if isinstance(declared_round(name).rules, BlackjackRules)]
    assert set.union(*map(fields_read, family)) == set(BlackjackRules._fields)


def best_insurance(round_: str, shoe: Counts, rules: BlackjackRules, plan: PlayPlan, pays: Fraction) -> Fraction:
    """What insurance is worth to a seat that takes it whenever the cards it sees make that pay, half a unit a hand."""
    two_hands = round_ in ("blackjack_switch", "double_barrel")
    seen = {"blackjack": 2, "double_down_madness": 1, "blackjack_switch": 4, "double_barrel": 4}[round_]
    seen -= rules.dealer_checks_first

    def drawn(left: Counts, own: Counts) -> Fraction:
        shares_flex = round_ == "double_barrel" and len(own) == 3
        if shares_flex:
            first, second, flex = own
            shares_flex = plan.decisions[0, (first * 10 + second) * 10 + flex] == BOTH
        if len(own) == seen or shares_flex:
            return max(Fraction(0), (pays + 1) * Fraction(left[9], sum(left)) - 1)
        rest = [(card, (*left[:card], left[card] - 1, *left[card + 1 :])) for card in range(10) if left[card]]
        chances = (Fraction(left[card], sum(left)) * drawn(fewer, (*own, card)) for card, fewer in rest)
        return sum(chances, Fraction(0))

    return Fraction(shoe[0], sum(shoe)) * drawn((shoe[0] - 1, *shoe[1:]), ()) * (1 if two_hands else Fraction(1, 2))


INSURANCE_PAYS = (Fraction(1, 2), Fraction(1), Fraction(4, 3), Fraction(2), Fraction(5, 2))


@pytest.mark.parametrize("switches", [{}, {"dealer_checks_first": 1}, {"peek": 0}, {"insurance": 0}], ids=named)
@pytest.mark.parametrize("round_", SHOES)
def test_insurance_is_taken_when_what_it_pays_makes_it_worth_taking(round_: str, switches: Switches) -> None:
    if ("dealer_checks_first" in switches and round_ != "double_barrel") or (
        "peek" in switches and round_ != "blackjack"
    ):
        return  # no rule of this game
    rules = BlackjackRules(**(ALWAYS[round_] | switches))
    worth = set()
    for shoe in SHOES[round_]:
        plan = solved(round_, shoe, rules).best
        for pays in INSURANCE_PAYS if rules.insurance == 1 else INSURANCE_PAYS[-1:]:
            tables = solved(round_, shoe, rules).tables(plan, pays)
            game = short_game(round_, by_class(shoe), rules, PAYS[round_], insurance=pays)
            expected = best_insurance(round_, shoe, rules, plan, pays) * rules.insurance
            endings = evaluate(game, tables).endings
            assert sum(profit for (wager, _), (_, _, profit) in endings.items() if wager == "insurance") == expected
            worth.add(expected)
    assert len(worth) > (4 if rules.insurance == 1 else 0)
