"""Drills, results, replays and count practice as pages, by forms and without scripts."""

from __future__ import annotations

import csv
import io
import re
import time
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from croupier.hall.shared_log import LONGEST_LOG, log_of, word_of
from croupier.hall.training import read_training
from tests.pages import forms_of
from tests.test_pages_play import HTMX, Visitor
from tests.web_client import Web, demo_web

PATIENCE_S = 120


@pytest.fixture
def web(tmp_path: Path) -> Iterator[Web]:
    with demo_web(str(tmp_path / "floor.db")) as made:
        yield made


class Student:
    """Somebody at a drill."""

    def __init__(self, web: Web, path: str) -> None:
        self.web, self.path = web, path.partition("?")[0]
        self.http = TestClient(web.app)
        self.text = self.http.get(path).text

    def press(self, do: str, *, status: int = 200, **fields: str | list[str]) -> str:
        form = forms_of(self.text)[0]
        sent = {**form.fields, "do": do, **fields}
        answer = self.http.post(self.path, data=sent, headers=HTMX)
        assert answer.status_code == status, answer.text
        self.text = answer.text
        end = time.monotonic() + PATIENCE_S
        while "drill-progress" in self.text and time.monotonic() < end:  # a cache that is empty
            self.text = self.http.get(self.path, headers=HTMX).text
        return self.text

    @property
    def legal(self) -> list[str]:
        return re.findall(r'value="answer (\w+)" id="[^"]*" data-key="." (?!disabled)', self.text)

    @property
    def words(self) -> str:
        return " ".join(unescape(re.sub(r"<[^>]+>", " ", self.text)).split())


def test_a_drill_by_forms_tells_what_each_answer_was_worth(web: Web) -> None:
    student = Student(web, "/train/blackjack?kind=hard")
    assert [form.fields.get("kind") for form in forms_of(student.text)[:1]] == [["hard"]]
    student.press("start")
    seen: set[str] = set()
    for turn in range(60):  # hands come at random, and hitting and standing in turn is soon both right and wrong
        student.press("next" if "d-next" in student.text else f"answer {student.legal[turn // 2 % 2]}")
        seen |= set(re.findall(r'class="verdict (right|wrong)"', student.text))
        if seen == {"right", "wrong"}:
            break
    assert seen == {"right", "wrong"}, "nobody who hits and stands in turn is always right, or always wrong"
    player = web.room.hall.player_of(student.http.cookies["croupier_player"])
    assert player is not None
    training = read_training(web.room.hall.store.training(player.id, "blackjack"))
    assert list(training.in_drills.kinds) == ["hard"]
    total = training.in_drills.total
    assert total.wrong and total.cost > 0 and total.answers == training.drilled
    assert f"Answers {total.answers}" in student.words
    assert {one.answer for one in training.worst} <= {"hit", "stand"}


def test_a_double_press_counts_once_and_a_refused_answer_not_at_all(web: Web) -> None:
    student = Student(web, "/train/casino_war")
    student.press("start")
    number = forms_of(student.text)[0].fields["number"]
    student.press("answer insure", status=409)
    student.text = student.http.get(student.path, headers=HTMX).text
    student.press("answer surrender")
    student.press("answer war", number=number)
    assert "Answers 1" in student.words


def test_a_drill_may_have_rules_and_cells_of_its_own(web: Web) -> None:
    student = Student(web, "/train/blackjack?kind=hard&cells=16:10;15:10&decks=2&set.soft17=stand")
    assert "16 against 10; 15 against 10" in student.words and "2 decks, soft17 stand" in student.words
    student.press("start")
    assert re.search(r"(Hard hands|Working)", student.words)
    player = web.room.hall.player_of(student.http.cookies["croupier_player"])
    assert player is not None
    drill = read_training(web.room.hall.store.training(player.id, "blackjack")).drill
    assert drill.cell in ("16:10", "15:10")
    assert "decks 2\n" in drill.log and "set soft17=stand\n" in drill.log


@pytest.mark.parametrize(
    ("path", "status", "code"),
    [
        ("/train/mini_baccarat", 404, "unknown_game"),
        ("/train/blackjack?kind=flop", 422, "unknown_drill"),
        ("/train/blackjack?decks=many", 422, "bad_decks"),
        ("/train/blackjack?set.moon=full", 422, "unknown_switch"),
        ("/play/hand/nonsense", 422, "bad_log"),
    ],
)
def test_what_cannot_be_practiced_is_refused_in_a_sentence(web: Web, path: str, status: int, code: str) -> None:
    answer = TestClient(web.app).get(path)
    assert (answer.status_code, code in answer.text) == (status, True), answer.text[-600:]


def test_looking_at_drills_stores_nothing(web: Web) -> None:
    http = TestClient(web.app)
    assert http.get("/train").status_code == http.get("/train/blackjack?kind=soft").status_code == 200
    assert not web.room.hall.store.has_players()


def play_a_round(visitor: Visitor) -> None:
    visitor.stack("Td 6s 6h Td 5h 5c 9h Kc Ks")
    visitor.press("lay 1 main", chip="5")
    visitor.press("deal")
    visitor.answer("hit")
    while "answers" in visitor.text and 'id="answers"' in visitor.text:
        visitor.answer("stand")


def test_a_round_with_several_hands_is_one_round(web: Web) -> None:
    visitor = Visitor(web, "/play/blackjack")
    visitor.press("sit 2")
    visitor.press("sit 3")
    visitor.stack("Td 9s 8h 6s Tc 9d 8c Td 5h 5c 9h Kc Ks")
    for spot in (1, 2, 3):
        visitor.press(f"lay {spot} main", chip="5")
    visitor.press("deal")
    while 'id="answers"' in visitor.text:
        asked = re.search(r'value="answer (\d) stand"', visitor.text)
        assert asked is not None
        visitor.answer("stand", spot=int(asked[1]))
    visitor.open(f"/practice/results/{visitor.table}")
    row = re.search(r"Main wager</th>(.*?)</tr>", visitor.text, re.DOTALL)
    assert row is not None
    assert re.findall(r"<td[^>]*>([^<]*)</td>", row[1])[:3] == ["1", "3", "$15"]


def test_all_rounds_are_a_file(web: Web) -> None:
    visitor = Visitor(web, "/play/blackjack")
    play_a_round(visitor)
    answer = visitor.http.get(f"/practice/results/{visitor.table}/csv")
    assert answer.headers["content-type"].startswith("text/csv")
    lines = list(csv.DictReader(io.StringIO(answer.text)))
    assert [(line["round"], line["wager"], line["wagered"]) for line in lines] == [("1", "main", "5.00")]
    assert "10♦ 6♥ 5♥" in lines[0]["cards"]


def test_a_replay_begins_at_the_start_and_its_list_has_a_line_for_each_step(web: Web) -> None:
    visitor = Visitor(web, "/play/blackjack")
    play_a_round(visitor)
    table = visitor.table
    visitor.open(f"/play/round/{table}/1")
    last = re.search(r"Step 0 of (\d+)", visitor.words)
    assert last is not None
    visitor.open(f"/play/round/{table}/1?step={last[1]}")
    story = re.search(r'<ol class="story" start="0">(.*?)</ol>', visitor.text, re.DOTALL)
    assert story is not None and story[1].count("<li") == int(last[1]) + 1
    word = re.search(r'href="(/play/hand/[^"]+)"', visitor.text)
    assert word is not None
    stranger = TestClient(web.app).get(word[1])
    assert stranger.status_code == 200 and "Step 0 of" in stranger.text


def test_a_replay_at_another_seat_than_the_first_is_told_by_its_number(web: Web) -> None:
    visitor = Visitor(web, "/play/blackjack/blackjack_1")
    visitor.press("sit 5")
    visitor.press("lay 5 main", chip="5")
    visitor.stack("Td 6s 9h Td 5h 5c")
    visitor.press("deal")
    while 'id="answers"' in visitor.text:
        visitor.answer("stand", spot=5)
    visitor.open("/play/round/blackjack_1/1?step=99")
    assert "Seat 5: stand." in visitor.words


def test_a_log_in_an_address_reads_back_and_a_bomb_does_not() -> None:
    text = "croupier round 2\n" * 40
    assert log_of(word_of(text)) == text
    for bad in (word_of("a" * (LONGEST_LOG + 1)), word_of(text)[:-8], "ä", "A" * 5_000):
        with pytest.raises(Exception, match="holds no round"):
            log_of(bad)


def test_the_count_is_asked_for_and_judged(web: Web) -> None:
    visitor = Visitor(web, "/play/blackjack")
    play_a_round(visitor)
    at = f"/practice/count/{visitor.table}"
    asked = visitor.http.get(f"{at}?ask=1").text
    assert "What is the count?" in asked and "Running</dt>" not in asked
    shown = visitor.http.get(at).text
    running = re.search(r"Running</dt><dd>([^<]+)<", shown)
    assert running is not None
    number = int(running[1].replace("−", "-"))
    assert "Running count: <strong>right" in visitor.http.get(f"{at}?running={number}").text
    assert "not +9 but" in visitor.http.get(f"{at}?running=9").text
    assert "Running count" not in visitor.http.get(f"{at}?running=abc&system=ko").text.split("<form")[0]
    assert visitor.http.get(f"{at}?system=fingers").status_code == 422


def test_there_is_nothing_to_count_without_a_shoe(web: Web) -> None:
    visitor = Visitor(web, "/play/three_card_poker")
    answer = visitor.http.get(f"/practice/count/{visitor.table}")
    assert answer.status_code == 409 and "no_shoe" in answer.text
