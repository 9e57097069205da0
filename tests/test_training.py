"""Drills: questions of every kind of every game, what comes again, and what is kept of a player."""

from __future__ import annotations

from datetime import date
from random import Random

import pytest

from croupier.cards import parse_cards
from croupier.errors import IllegalActionError
from croupier.hall.cells import cell_of
from croupier.hall.drills import DrillRules, Posed, Wanted, has_drills, judged, pose
from croupier.hall.practice import Valued
from croupier.hall.training import (
    Asked,
    JudgedAtTable,
    Practiced,
    Training,
    begin_drill,
    count_at_table,
    count_drill,
    due_hand,
    forget_score,
    read_training,
    training_text,
    weight_of,
)
from croupier.money import MICROS_PER_DOLLAR
from croupier.rules import find_game, game_ids
from croupier.store import open_store
from croupier.store.play import PlayStore
from croupier.table.log import RoundLog, parse_log
from croupier.table.replay import NeedsAnswer
from croupier.table.setup import make_rules

DAY = date(2026, 11, 16)
WITH_DRILLS = [id for id in game_ids() if has_drills(find_game(id))]
STAKE = 10 * MICROS_PER_DOLLAR


@pytest.mark.parametrize("game", WITH_DRILLS)
def test_every_kind_of_every_game_comes_up_as_a_question(game: str) -> None:
    rules = DrillRules(game=game).at_table(DAY)
    for kind in rules.game.declared.drill_kinds:
        posed = pose(rules, Wanted(kinds=(kind.id,)), lambda kind, cell: 1.0, Random(7))
        state = parse_log(posed.log).state()
        assert isinstance(state.need, NeedsAnswer)
        assert (posed.kind, cell_of(state)) == (kind.id, (kind.id, posed.cell))


@pytest.mark.parametrize(
    ("game", "steps", "cell"),
    [
        ("blackjack", "Td 5h 6s 2c", ("hard", "16:5")),
        ("blackjack", "As 5h 6s 2c", ("soft", "17:5")),
        ("blackjack", "8s Kh 8d 2c", ("pair", "8,8:10")),
        ("blackjack", "Ks Ah Qd 2c", ("insurance", "any:A")),
        ("double_down_madness", "9s 5h 2c", ("first_card", "5:9")),
        ("blackjack_switch", "Ts 5h 6d 5c 7d 2c", ("switch", "10,5+7,5:6")),
    ],
)
def test_a_cell_is_the_row_and_column_of_the_chart(game: str, steps: str, cell: tuple[str, str]) -> None:
    rules = make_rules(find_game(game), day=DAY)
    log = RoundLog(rules, [{rules.first_wager: STAKE}], [])
    cards = iter(parse_cards(steps))
    log.go_on(lambda need, state: next(cards, None))
    state = log.state()
    assert isinstance(state.need, NeedsAnswer), state.need
    assert cell_of(state) == cell


def test_a_wanted_cell_is_found_and_one_that_cannot_be_is_refused() -> None:
    rules = DrillRules(game="blackjack").at_table(DAY)
    posed = pose(rules, Wanted(kinds=("hard",), cells=("16:10",)), lambda kind, cell: 1.0, Random(3))
    assert (posed.kind, posed.cell) == ("hard", "16:10")
    with pytest.raises(IllegalActionError, match="thousands of deals"):
        pose(rules, Wanted(cells=("16:11",)), lambda kind, cell: 1.0, Random(3))


def test_the_question_that_a_player_needs_is_taken() -> None:
    rules = DrillRules(game="blackjack").at_table(DAY)
    cells = {"hard 16:10": read_training('{"cells":{"a b":{"wrong":3}}}').cells["a b"]}
    assert weight_of(cells, "hard", "16:10") > weight_of(cells, "hard", "15:10") > 1

    def weigh(kind: str, cell: str) -> float:
        return 1e9 if kind == "pair" else 1.0

    posed = [pose(rules, Wanted(), weigh, Random(seed)) for seed in range(20)]
    assert sum(one.kind == "pair" for one in posed) >= 5  # of all hands one in seventeen


def answer(training: Training, cell: str, *, cost: int) -> None:
    training.drill = Practiced(
        number=training.drill.number + 1, log=f"log of {cell}", kind="hard", cell=cell, answer="hit"
    )
    count_drill(training, best="stand", cost=cost, stake=STAKE, at_micros=training.drill.number)


def test_a_missed_hand_comes_again_after_two_answers_until_it_was_right_three_times() -> None:
    training = Training()
    answer(training, "16:10", cost=70_000)
    assert due_hand(training, Wanted()) is None
    answer(training, "12:4", cost=0)
    answer(training, "12:5", cost=0)
    assert due_hand(training, Wanted()) == Posed(log="log of 16:10", kind="hard", cell="16:10")
    assert due_hand(training, Wanted(kinds=("pair",))) is None
    waits = []
    for _ in range(3):
        answer(training, "16:10", cost=0)
        since = training.drilled
        while due_hand(training, Wanted()) is None and training.drilled < since + 30:
            answer(training, "20:6", cost=0)
        waits.append(training.drilled - since)
    assert waits == [6, 18, 30]  # the last one has been learned: it is not due any more
    assert training.cells["hard 16:10"].log == ""


def test_an_answer_counts_once_with_accuracy_streak_and_cost() -> None:
    training = Training()
    for cost in (0, 0, 250_000, 0):
        answer(training, "15:9", cost=cost)
        count_drill(training, best="stand", cost=cost, stake=STAKE, at_micros=9)
    total = training.in_drills.total
    assert (total.right, total.wrong, total.cost, total.staked) == (3, 1, 250_000, 4 * STAKE)
    assert (training.in_drills.streak, training.in_drills.best_streak) == (1, 2)
    assert total.accuracy == 0.75 and total.share_lost == 250_000 / (4 * STAKE)
    assert [(one.cell, one.cost) for one in training.worst] == [("15:9", 250_000)]
    assert read_training(training_text(training)) == training


def test_a_round_at_a_table_counts_once() -> None:
    training = Training()
    right = JudgedAtTable(kind="hard", cell="20:6", answer="stand", best="stand", cost=0, stake=STAKE, step=4)
    wrong = JudgedAtTable(kind="pair", cell="8,8:9", answer="stand", best="split", cost=1_000_000, stake=STAKE, step=4)
    for _ in range(2):
        count_at_table(training, "own-1", 7, [right, wrong], 1)
    count_at_table(training, "own-1", 6, [wrong], 1)
    assert training.at_tables.total.answers == 2
    assert [(one.table, one.round, one.step) for one in training.worst] == [("own-1", 7, 4)]
    anew = forget_score(training)
    count_at_table(anew, "own-1", 7, [right, wrong], 1)
    assert anew.at_tables.total.answers == 0


def test_the_next_question_keeps_what_is_wanted() -> None:
    training = Training()
    training.drill.wanted = Asked(kinds=("soft",), decks=2, settings=(("soft17", "stand"),))
    begin_drill(training, Posed(log="a", kind="soft", cell="17:5"), keeps_last=False)
    training.drill.answer = "hit"
    begin_drill(training, Posed(log="b", kind="soft", cell="18:9"), keeps_last=True)
    assert training.drill.wanted.kinds == ("soft",) and training.drill.number == 2
    assert training.drill.last is not None and (training.drill.last.log, training.drill.last.answer) == ("a", "hit")
    rules = training.drill.wanted.rules("blackjack").at_table(DAY)
    assert (rules.decks, rules.switches["soft17"]) == (2, "stand")


def test_what_costs_less_than_half_a_cent_is_right() -> None:
    best = Valued(answer="stand", value=0.1, dollars=1.0, best=True)
    values = [best, Valued(answer="hit", value=0.09, dollars=0.996, best=False)]
    assert judged(values, "hit").is_right
    dear = [best, Valued(answer="hit", value=0.0, dollars=0.25, best=False)]
    assert (judged(dear, "hit").cost, judged(dear, "hit").best) == (750_000, "stand")


def test_training_is_kept_by_player_and_game(store_url: str) -> None:
    open_store(store_url).close()
    store = PlayStore(store_url)
    assert store.training("p-1", "blackjack") == ""
    store.change_training("p-1", "blackjack", lambda body: body + "a", 5)
    store.change_training("p-1", "blackjack", lambda body: body + "b", 5)
    store.change_training("p-2", "blackjack", lambda body: "other", 5)
    assert store.training("p-1", "blackjack") == "ab"
    assert store.trainings("p-1") == {"blackjack": "ab"}
    store.close()
