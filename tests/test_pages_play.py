"""The player's table as pages: who may do what at it, what a press does, and what is never on the wire."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from threading import Event, Thread

import pytest
from starlette.testclient import TestClient

from croupier.cards import card_text
from croupier.hall.actions import LayChips
from croupier.hall.hall import FIRST_PURSE
from croupier.hall.play import Playing
from croupier.hall.roads import Winner, bead_plate, big_road
from croupier.hall.view import card_view
from croupier.kernels.effects import SEAT_PLACES
from croupier.money import MICROS_PER_DOLLAR
from tests.halls import GAMES, stack_shoe
from tests.web_client import Web, demo_web

HTMX = {"HX-Request": "true"}
LONGEST_S = 120


@pytest.fixture
def web(tmp_path: Path) -> Iterator[Web]:
    with demo_web(str(tmp_path / "floor.db")) as made:
        yield made


class Visitor:
    """A browser without scripts or, with `htmx`, as htmx calls."""

    def __init__(self, web: Web, path: str) -> None:
        self.web = web
        self.path = path
        self.http = TestClient(web.app)
        self.sent: list[str] = []
        self.open()

    def open(self, path: str = "") -> str:
        answer = self.http.get(path or self.path)
        assert answer.status_code == 200, answer.text
        self.text = answer.text
        self.sent.append(answer.text)
        return answer.text

    def press(self, do: str, *, status: int = 200, id: str = "", **fields: str) -> str:
        body = {"csrf": self.field("csrf"), "command": id or self.field("command"), "do": do, **fields}
        answer = self.http.post(self.path, data=body, headers=HTMX)
        assert answer.status_code == status, answer.text
        self.text = answer.text
        self.sent.append(answer.text)
        return answer.text

    def answer(self, word: str, *, spot: int = 1, status: int = 200, **fields: str) -> str:
        return self.press(f"answer {spot} {word}", status=status, **{"revision": self.field("revision"), **fields})

    def advice_when_exact(self) -> str:
        """The panel of advice once nothing in it is being computed any more."""
        until = time.monotonic() + LONGEST_S
        while "data-again" in (text := self.http.get(f"/practice/advice/{self.table}").text):
            assert time.monotonic() < until, "still being computed"
            time.sleep(0.2)
        return text

    def field(self, name: str) -> str:
        found = re.search(f'name="{name}" value="([^"]*)"', self.text)
        assert found is not None, name
        return found[1]

    @property
    def table(self) -> str:
        found = re.search(r'data-advice="/practice/advice/([^"]+)"', self.text)
        assert found is not None
        return found[1]

    @property
    def words(self) -> str:
        """What the page says, without its tags."""
        return " ".join(unescape(re.sub(r"<[^>]+>", " ", self.text)).split())

    def stack(self, cards: str) -> None:
        stack_shoe(self.web.room.hall, self.table, cards)

    @property
    def micros(self) -> int:
        found = self.web.room.hall.player_of(self.http.cookies["croupier_player"])
        assert found is not None
        return found.micros


@pytest.mark.parametrize("game", GAMES)
def test_a_first_visit_has_a_seat_and_a_purse_and_every_wager(web: Web, game: str) -> None:
    visitor = Visitor(web, f"/play/{game}")
    assert "$1,000" in visitor.words and "Your own table" in visitor.words
    rules = web.room.hall.table(visitor.table).table.rules
    for wager in rules.game.wagers:
        if wager.kind != "insurance":
            assert f'id="w-1-{wager.id}"' in visitor.text
        assert f'id="pay-{wager.id}"' in visitor.text
        for row in rules.placed[wager.id].rows:
            assert rules.placed[wager.id].label(row) in unescape(visitor.text)


def test_a_round_by_forms_with_its_arithmetic(web: Web) -> None:
    visitor = Visitor(web, "/play/blackjack")
    visitor.stack("As 6h Kd Td")  # to the spot, up card, to the spot, hole card
    visitor.press("lay 1 main", chip="5")
    visitor.press("lay 1 main", chip="5")
    assert "At risk $10" in visitor.words
    visitor.press("deal")
    assert "You win $15" in visitor.words
    assert "Blackjack 3 to 2 on $10 = $15" in visitor.words
    assert visitor.micros == FIRST_PURSE + 15 * MICROS_PER_DOLLAR
    assert "replay of round 1" in visitor.words
    visitor.open(f"/play/round/{visitor.table}/1?step=99")
    story = visitor
    assert "A♠ to seat 1." in story.words
    assert "Main wager of $10: Blackjack, $25 back." in story.words


def test_a_free_double_says_so_and_wins_without_money_on_it(web: Web) -> None:
    visitor = Visitor(web, "/play/free_bet_blackjack")
    visitor.stack("5h 7d 6c Tc Ts")  # 11 against 7, hole card, then a ten
    visitor.press("lay 1 main", chip="5")
    visitor.press("lay 1 main", chip="5")
    visitor.press("deal")
    assert "Double free" in visitor.words and "for less" not in visitor.words
    visitor.answer("double")
    assert "You win $20" in visitor.words
    assert visitor.micros == FIRST_PURSE + 20 * MICROS_PER_DOLLAR


def test_without_scripts_a_press_leads_back_to_the_table(web: Web) -> None:
    visitor = Visitor(web, "/play/mini_baccarat")
    body = {"csrf": visitor.field("csrf"), "command": visitor.field("command"), "do": "lay 1 banker", "chip": "25"}
    answer = visitor.http.post(visitor.path, data=body)
    assert answer.status_code == 200 and answer.url.path == visitor.path
    assert "At risk $25" in " ".join(re.sub(r"<[^>]+>", " ", answer.text).split())


def test_a_repeated_press_is_done_once(web: Web) -> None:
    visitor = Visitor(web, "/play/blackjack")
    visitor.press("lay 1 main", chip="25", id="the-same-id")
    visitor.press("lay 1 main", chip="25", id="the-same-id")
    assert "At risk $25" in visitor.words
    visitor.press("clear", id="the-same-id", status=409)


def test_a_stale_answer_shows_the_refusal_and_the_fresh_table(web: Web) -> None:
    visitor = Visitor(web, "/play/blackjack")
    visitor.stack("2d 6s 2h 5d 3h 2c 2s")
    visitor.press("lay 1 main", chip="5")
    visitor.press("deal")
    old = visitor.field("revision")
    visitor.answer("hit")
    visitor.answer("hit", status=409, revision=old)
    assert "The round has gone on since" in visitor.words
    assert 'id="answers"' in visitor.text and 'hx-target="#notice"' in visitor.text


@pytest.mark.parametrize(
    ("do", "fields", "code"),
    [
        ("jump", {}, "bad_command"),
        ("lay x main", {}, "bad_command"),
        ("lay 1 main", {"chip": "7"}, "bad_chip"),
        ("lay 1 nothing", {"chip": "5"}, "unknown_wager"),
        ("lay 2 main", {"chip": "5"}, "not_your_spot"),
        ("lay 9 main", {"chip": "5"}, "no_spot"),
        ("deal", {}, "no_wager"),
        ("again", {}, "nothing_to_rebet"),
        ("answer 1 hit", {"revision": "1000"}, "stale_revision"),
        ("rules", {"decks": "9"}, "bad_decks"),
        ("rules", {"decks": "2", "set.soft17": "maybe"}, "unknown_value"),
        ("rules", {"decks": "2", "shuffle": "riffle"}, "unknown_shuffle"),
        ("name", {"name": "x" * 30}, "bad_name"),
    ],
)
def test_what_cannot_be_done_is_refused_in_a_sentence(web: Web, do: str, fields: dict[str, str], code: str) -> None:
    visitor = Visitor(web, "/play/blackjack")
    body = {"csrf": visitor.field("csrf"), "command": visitor.field("command"), "do": do, **fields}
    answer = visitor.http.post(visitor.path, data=body, headers=HTMX)
    assert 400 <= answer.status_code < 500, answer.text
    assert code in answer.text


def test_head_is_answered_as_get(web: Web) -> None:
    http = TestClient(web.app)
    for path in ("/", "/rules", "/play/blackjack"):
        assert http.head(path).status_code == 200
    stream = http.head("/events?of=floor")
    assert stream.status_code == 200 and stream.headers["content-type"].startswith("text/event-stream")
    assert http.head("/play/nothing").status_code == 404
    assert http.head("/sign-out").status_code == 405


def test_addresses_that_lead_nowhere(web: Web) -> None:
    http = TestClient(web.app)
    assert http.get("/play/nothing").status_code == 404
    assert http.get("/play/blackjack/nothing").status_code == 404
    assert http.get("/play/round/blackjack_1/7").status_code == 404
    by_hand = http.get("/play/double_down_madness/ddm_1")
    assert by_hand.status_code >= 400 and "dealt by hand" in by_hand.text
    # The wrong game: the table is found all the same.
    assert http.get("/play/mini_baccarat/blackjack_1").url.path == "/play/blackjack/blackjack_1"


def test_somebody_elses_own_table_is_out_of_reach(web: Web) -> None:
    first, second, newcomer = (Visitor(web, "/play/mini_baccarat") for _ in range(3))
    second.press("sit 1")
    first.press("lay 1 player", chip="5")
    first.press("deal")
    for page in ("practice/advice", "practice/results", "practice/roads", "play/round"):
        path = f"/{page}/{first.table}" + ("/1" if page == "play/round" else "")
        assert first.http.get(path).status_code == 200
        for other in (second, newcomer):
            answer = other.http.get(path)
            assert answer.status_code >= 400 and "not_your_table" in answer.text
    body = {"csrf": second.field("csrf"), "command": second.field("command"), "do": "sit 2"}
    assert second.http.post(f"/play/blackjack/{first.table}", data=body, headers=HTMX).status_code == 404


def test_a_form_of_another_page_is_refused(web: Web) -> None:
    visitor = Visitor(web, "/play/blackjack")
    body = {"csrf": "0" * 64, "command": visitor.field("command"), "do": "lay 1 main", "chip": "5"}
    assert visitor.http.post(visitor.path, data=body, headers=HTMX).status_code == 403


def test_several_spots_are_dealt_at_once(web: Web) -> None:
    visitor = Visitor(web, "/play/blackjack")
    visitor.press("sit 2")
    visitor.press("lay 1 main", chip="5")
    visitor.press("lay 2 main", chip="25")
    visitor.press("undo")
    assert "At risk $5" in visitor.words
    visitor.press("lay 2 main", chip="25")
    visitor.stack("Td Ts 9s Tc Th 8c")  # two spots, up card, two spots, hole card: 20 and 20 against 17
    visitor.press("deal")
    visitor.answer("stand", spot=1)
    visitor.answer("stand", spot=2)
    assert "You win $30" in visitor.words
    visitor.press("up 2")
    visitor.press("again")
    assert web.room.hall.table(visitor.table).table.playing == [1]


def test_double_and_insurance_for_less(web: Web) -> None:
    visitor = Visitor(web, "/play/blackjack")
    visitor.stack("5d As 6d 8c Ts")
    visitor.press("lay 1 main", chip="25")
    visitor.press("deal")
    assert "Insurance?" in visitor.words and "pays 2 to 1" in visitor.words and "Insure +$12.50" in visitor.words
    visitor.answer("insure", amount="3")
    visitor.answer("double", amount="10.50")
    assert "Insurance Lost" in visitor.words
    assert "Main wager Win 1 to 1 on $35.50 = $35.50" in visitor.words


def test_a_lost_wager_says_which_hands_met(web: Web) -> None:
    visitor = Visitor(web, "/play/three_card_poker")
    visitor.stack("9h 7d 4c  Qs 8d 3h")
    visitor.press("lay 1 ante", chip="25")
    visitor.press("deal")
    visitor.answer("play")
    assert visitor.words.count("Lose (9 high against queen high, which qualifies)") == 2, "ante and play"


def test_a_bet_for_the_dealer_goes_to_the_dealer(web: Web) -> None:
    visitor = Visitor(web, "/play/blackjack")
    visitor.stack("6d 7d 8d Tc Ts")  # a suited 6-7-8 with the up card
    visitor.press("lay 1 main", chip="5")
    visitor.press("lay 1 take:lucky_lucky", chip="1")
    visitor.press("deal")
    assert "(for the dealer) Suited 6-7-8 100 to 1 on $1 = $100" in visitor.words
    assert visitor.micros == FIRST_PURSE - 6 * MICROS_PER_DOLLAR


def test_the_jackpots_sensor_takes_its_amount_only(web: Web) -> None:
    visitor = Visitor(web, "/play/double_down_madness")

    def press_sensor(part: str = "") -> None:
        """The button as it stands on the page, with another chip in hand."""
        found = re.search(rf'value="([^"]+)"[^>]* id="w-1-push_22_progressive{part}"', visitor.text)
        assert found is not None
        visitor.press(found[1], chip="100")

    assert ' sensor, $1"' in visitor.text
    assert "practice meter $10,000 at $1" in visitor.words
    press_sensor()
    assert "At risk $1 " in visitor.words and ' sensor, $1"' in visitor.text
    press_sensor("-25000000")
    assert "At risk $25 " in visitor.words and ' sensor, $25"' in visitor.text
    press_sensor("-5000000")
    assert "At risk $5 " in visitor.words and ' sensor, $5"' in visitor.text
    assert "practice meter $50,000 at $5" in visitor.words
    visitor.press("lay 1 push_22_progressive", chip="5", status=409)
    assert "takes $1 or $5 or $25 here" in visitor.words
    visitor.open()
    press_sensor()
    assert "At risk $0" in visitor.words


def test_own_rules_and_where_they_leave_the_letter(web: Web) -> None:
    visitor = Visitor(web, "/play/double_down_madness")
    body = {
        "csrf": visitor.field("csrf"),
        "command": visitor.field("command"),
        "do": "rules",
        "decks": "2",
        "set.soft17": "stand",
    }
    visitor.http.post(visitor.path, data=body)
    visitor.open()
    assert "House-rule changes" in visitor.words and "soft17 = stand" in visitor.words
    assert "2 decks" in visitor.words and "Dealer stands on soft 17" in visitor.words


def test_charts_and_odds_of_a_table_are_those_of_its_own_rules(web: Web) -> None:
    visitor = Visitor(web, "/play/blackjack")
    assert 'href="/strategy/blackjack"' in visitor.text and 'href="/sheet/blackjack"' in visitor.text
    body = {"csrf": visitor.field("csrf"), "command": visitor.field("command"), "do": "rules", "decks": "2"}
    visitor.http.post(visitor.path, data=body | {"set.soft17": "stand", "set.surrender": "late"})
    text = unescape(visitor.open())
    for page in ("strategy", "sheet"):
        assert f'href="/{page}/blackjack?decks=2&set.soft17=stand&set.surrender=late"' in text
    strategy = visitor.open("/strategy/blackjack?decks=2&set.soft17=stand&set.surrender=late")
    assert re.search(r'<option value="2" selected>2</option>', strategy)
    assert re.search(r'name="set.soft17">.*?<option value="stand" selected>', strategy)


def test_an_own_table_may_have_a_continuous_shuffler(web: Web) -> None:
    visitor = Visitor(web, "/play/blackjack")
    assert "cut-card shoe" in visitor.words and "Shoe dealt up to the cut card" in visitor.text
    body = {"csrf": visitor.field("csrf"), "command": visitor.field("command"), "do": "rules", "decks": "6"}
    visitor.http.post(visitor.path, data=body | {"shuffle": "continuous"})
    visitor.open()
    assert "6 decks, continuous shuffler" in visitor.words and "Shoe dealt" not in visitor.text
    assert '<option value="continuous" selected>' in visitor.text


def test_advice_names_answers_as_their_buttons_do(web: Web) -> None:
    visitor = Visitor(web, "/play/ultimate_texas_holdem")
    visitor.press("lay 1 ante", chip="5")
    visitor.press("deal")
    labels = set(re.findall(r'id="a-\w+".*?answer-label">([^<]*?) *<', visitor.text, flags=re.S))
    assert "Check" in labels
    assert "Play 4\N{MULTIPLICATION SIGN} ante" in labels
    advice = visitor.http.get(f"/practice/advice/{visitor.table}").text
    assert set(re.findall(r'<th scope="row">([^<]*?) *<', advice)) == labels


def test_the_edge_and_the_advice_are_exact(web: Web) -> None:
    visitor = Visitor(web, "/play/blackjack")
    edge = visitor.http.get(f"/practice/edge/{visitor.table}/lucky_lucky")
    assert "5.305%" in edge.text
    visitor.stack("Td 6s 6h Td 5h 5c")
    visitor.press("lay 1 main", chip="5")
    visitor.press("deal")
    advice = visitor.http.get(f"/practice/advice/{visitor.table}")
    assert re.search(r"Stand\s*<span class=\"tag\">best</span>", advice.text)
    visitor.answer("hit")
    review = " ".join(re.sub(r"<[^>]+>", " ", visitor.advice_when_exact()).split())
    assert re.search(r"Hit: cost \$\d\.\d\d; best was stand", review)
    results = visitor.http.get(f"/practice/results/{visitor.table}")
    assert "Results against expectation" in results.text and "Main wager" in results.text


def test_roads_follow_the_rounds(web: Web) -> None:
    visitor = Visitor(web, "/play/mini_baccarat")
    visitor.stack("9d 2c Td Tc 2h 9h Th Ts 8c 8d Tc Ts")  # player 9, then banker 9, then a tie of 8
    visitor.press("lay 1 player", chip="5")
    visitor.press("deal")
    visitor.press("again")
    visitor.press("again")
    visitor.open(f"/practice/roads/{visitor.table}")
    assert 'aria-label="Bead plate: player, banker, tie"' in visitor.text
    assert 'aria-label="Big road: player, banker and 1 tied"' in visitor.text


def test_three_faces_of_the_dealer_are_a_bead_of_the_dealer(web: Web) -> None:
    visitor = Visitor(web, "/play/three_card_baccarat")
    visitor.stack("9d Kc 9h Qs 9c Jh")  # a seven against three faces
    visitor.press("lay 1 player", chip="5")
    visitor.press("deal")
    visitor.open(f"/practice/roads/{visitor.table}")
    assert 'aria-label="Big road: dealer"' in visitor.text


def test_a_long_run_turns_right_and_the_next_column_gives_way() -> None:
    long_run: list[Winner] = ["banker"] * 8
    beads = big_road([*long_run, "player", "player", "tie"])
    assert [(bead.column, bead.row) for bead in beads] == [
        *((0, row) for row in range(6)),
        (1, 5),
        (2, 5),
        (1, 0),
        (1, 1),
    ]
    assert beads[-1].ties == 1 and beads[-1].winner == "player"
    assert [(bead.column, bead.row) for bead in bead_plate(long_run)][6:] == [(1, 0), (1, 1)]
    # Five more of the same side: the sixth row of the column is taken by the run before, so it turns above it.
    other_run: list[Winner] = ["player"] * 7
    more = big_road([*long_run, *other_run])
    assert [(bead.column, bead.row) for bead in more][-3:] == [(1, 4), (2, 4), (3, 4)]


def test_two_players_at_one_table(web: Web) -> None:
    first, second = (Visitor(web, "/play/blackjack/blackjack_1") for _ in range(2))
    assert "You are watching" in first.words
    first.press("sit 2")
    second.open()
    second.press("sit 2", status=409)
    second.press("sit 5")
    first.press("lay 2 main", chip="25")
    second.press("lay 5 main", chip="25")
    first.stack("Td 9s 6h Th 8h Tc Kc")
    first.press("deal")
    assert "Deal in 20 s" in first.words
    assert re.search(r"Waiting for (Guest [0-9a-f]{4}): the round is dealt when \1 is ready", first.words)
    second.open()
    assert "Deal in" in second.words and "The others are ready: lay your chips and press Ready" in second.words
    second.press("deal")
    assert 'id="answers"' not in second.text and "seat 2 decides how to play the hand" in second.words
    second.press("answer 5 stand", revision="5", status=409)
    first.open()
    first.answer("stand", spot=2)
    assert 'id="answers"' not in first.text
    second.open()
    second.answer("stand", spot=5)
    assert "You win $25" in second.words
    first.open()
    assert "You win $25" in first.words
    first.press("up 2")
    assert "You are watching" in first.words


def test_a_table_is_not_dealt_over_the_head_of_somebody_who_sits_there(web: Web) -> None:
    first, second = (Visitor(web, "/play/blackjack/blackjack_1") for _ in range(2))
    second.press("sit 5")
    first.open()
    first.press("sit 2")
    first.press("lay 2 main", chip="25")
    first.press("deal")
    assert "Waiting for Guest" in first.words and 'id="answers"' not in first.text
    assert "Waits for Guest" in second.open("/")
    second.open()
    assert "The others are ready and wait for your wagers." in second.words
    second.press("up 5")
    assert web.room.hall.table("blackjack_1").table.playing == [2]


def test_a_name_that_is_not_accepted_comes_back_at_the_table(web: Web) -> None:
    visitor = Visitor(web, "/play/blackjack")
    sent = {"csrf": visitor.field("csrf"), "command": visitor.field("command"), "do": "name", "name": "x" * 25}
    answer = visitor.http.post(visitor.path, data=sent)
    assert answer.status_code == 409 and 'id="table"' in answer.text
    assert "A name has 1 to 24 printable characters." in answer.text and f'value="{"x" * 25}"' in answer.text
    assert 'aria-invalid="true" aria-describedby="name-problem"' in answer.text


def test_a_limit_is_told_by_the_name_of_the_wager(web: Web) -> None:
    visitor = Visitor(web, "/play/blackjack/blackjack_1")
    visitor.press("sit 1")
    for _ in range(4):
        visitor.press("lay 1 main", chip="100", status=200 if _ < 3 else 409)
    assert "Main wager takes at most $300 here, not $400." in visitor.words


def test_nothing_new_is_answered_with_nothing(web: Web) -> None:
    visitor = Visitor(web, "/play/blackjack")
    have = visitor.field("have")
    assert visitor.http.get(visitor.path, params={"have": have}, headers=HTMX).status_code == 204
    visitor.press("lay 1 main", chip="5")
    fresh = visitor.http.get(visitor.path, params={"have": have}, headers=HTMX)
    assert fresh.status_code == 200 and fresh.text.lstrip().startswith("<section")


@pytest.mark.parametrize("game", ["blackjack", "double_down_madness", "double_barrel", "blackjack_switch"])
def test_the_hole_card_is_never_on_the_wire_before_it_is_turned(web: Web, game: str) -> None:
    """Every page a player can ask for while the hole card lies face down, and the stream's words, are searched."""
    visitor = Visitor(web, f"/play/{game}")
    hole: int | None = None
    seen: set[int] = set()
    for _ in range(40):
        visitor.press("lay 1 main", chip="5")
        visitor.sent.clear()
        visitor.press("deal")
        playing = web.room.hall.table(visitor.table)
        state = playing.table.state
        assert state is not None
        seen = {card for seat in state.seats for hand in seat for card in hand} | {state.dealer[0]}
        seen |= {one.card for row in state.cards.values() for one in row if one.place >= SEAT_PLACES}
        if playing.table.log is not None and state.dealer[1] not in seen:
            hole = state.dealer[1]
            break
        while web.room.hall.table(visitor.table).table.log is not None:
            legal = re.findall(r'value="answer 1 (\w+)" id="[^"]+" data-key="." >', visitor.text)
            visitor.answer(legal[-1])
    assert hole is not None
    visitor.open()
    for path in ("advice", "results", "edge"):
        answer = visitor.http.get(f"/practice/{path}/{visitor.table}{'/main' if path == 'edge' else ''}")
        visitor.sent.append(answer.text)
    number = web.room.hall.table(visitor.table).table.rounds + 1
    visitor.sent.append(visitor.http.get(f"/play/round/{visitor.table}/{number}").text)
    visitor.sent.append(visitor.http.get(visitor.path, headers=HTMX).text)
    everything = "\n".join(visitor.sent)
    assert "a card face down" in everything
    assert f'data-card="{card_text(hole)}"' not in everything
    assert card_view(hole).name not in everything
    faces = set(re.findall(r'data-card="(\w+)"', everything))
    assert faces <= {card_text(card) for card in seen}


def test_a_page_made_during_a_press_never_claims_to_be_newer_than_it_is(web: Web) -> None:
    """Else a browser that missed the change would be told that there is nothing new."""
    visitor = Visitor(web, "/play/blackjack")
    visitor.press("sit 1")
    hall, table = web.room.hall, visitor.table
    player = hall.player_of(visitor.http.cookies["croupier_player"])
    assert player is not None
    looking, pressed = Event(), Event()

    def press() -> None:
        looking.wait()
        hall.act(table, player, LayChips(spot=1, wager="main", micros=5 * MICROS_PER_DOLLAR), id="while-looking")
        pressed.set()

    def see(playing: Playing) -> tuple[int, int]:
        laid = sum(playing.places[0].draft.values())
        looking.set()
        pressed.wait(0.3)
        return laid, playing.revision

    thread = Thread(target=press)
    thread.start()
    before = hall.table(table).revision
    assert hall.look(table, see) == (0, before)
    thread.join()
    assert hall.table(table).revision == before + 1
