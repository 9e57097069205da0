"""The dealer terminal as pages: each step as a plain form, refusals with the fresh table, cards, the slip, training."""

from __future__ import annotations

import html
import random
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from msgspec import structs

from croupier.errors import IllegalActionError
from croupier.floor import demo_floor
from croupier.floor.credentials import DEMO_PEOPLE
from croupier.floor.preview import ledger_of, preview_hits
from croupier.floor.roles import SOFTWARE, Role
from croupier.floor.service import Ask, FloorService
from croupier.floor.terminal import Pick, Spot
from croupier.floor.training.practice import LESSONS, Act, begin
from croupier.hall.actions import SitDown
from croupier.jackpot import JackpotHit
from croupier.store import open_store
from tests.desks import CARDS, DEALER, EXECUTIVE, Person, ask, lock
from tests.floors import and_jackpot, only, with_jackpot, with_sensors, with_table
from tests.web_client import SWIPES, Web, demo_web

HX = {"HX-Request": "true"}


@pytest.fixture
def web(tmp_path: Path) -> Iterator[Web]:
    with demo_web(str(tmp_path / "floor.db")) as opened:
        yield opened


class Terminal:
    """A browser without scripts at one table: fills in the forms that the page has."""

    def __init__(self, web: Web, table: str = "ddm_1", role: str = "dealer") -> None:
        self.web = web
        self.table = table
        self.http: TestClient = web.role(role).http
        self.page = self.look()

    def look(self, query: str = "") -> str:
        answer = self.http.get(f"/dealer/{self.table}{query}")
        assert answer.status_code == 200, answer.text
        self.page = answer.text
        return self.page

    def fields(self, step: str, **wanted: str) -> dict[str, str]:
        """The hidden fields of the form that sends a step, of the one with these values."""
        for form in re.findall(r"<form[^>]*>.*?</form>", self.page, re.S):
            if f'action="/dealer/{self.table}/{step}"' in form:
                hidden = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', form))
                found = {name: html.unescape(value) for name, value in hidden.items()}
                if all(found.get(name) == value for name, value in wanted.items()):
                    return found
        raise AssertionError(f"no form for {step} {wanted}")

    def send(self, step: str, fields: dict[str, str], status: int = 200, *, hx: bool = False) -> str:
        answer = self.http.post(f"/dealer/{self.table}/{step}", data=fields, headers=HX if hx else {})
        assert answer.status_code == status, answer.text
        self.page = answer.text
        return self.page

    def light(self, *seats: int) -> None:
        for seat in seats:
            self.send("sense", self.fields("sense", seat=str(seat)))

    def lock(self, *seats: int) -> None:
        self.light(*seats)
        self.send("start", self.fields("start") | {"chips": str(len(seats))})

    def card_form(self, step: str, award: str = "") -> dict[str, str]:
        answer = self.http.get(f"/dealer/{self.table}/card/{step}", params={"award": award})
        assert answer.status_code == 200, answer.text
        self.page = answer.text
        return self.fields(f"card/{step}")

    def swipe(self, step: str, role: str, *, award: str = "", status: int = 200, **more: str) -> str:
        return self.send(f"card/{step}", self.card_form(step, award) | SWIPES[role] | more, status)

    @property
    def claim(self) -> str:
        (found,) = self.web.room.desk.table(self.table).terminal.claims
        return found


def test_community_jackpot_from_light_to_paid_slip_without_scripts(web: Web) -> None:
    terminal = Terminal(web)
    terminal.lock(1, 3, 5)
    assert "wagers locked" in terminal.page and "$50,002.85" in terminal.page
    terminal.look("?seat=0")
    terminal.send("pick", terminal.fields("pick", row="suited_4567_other"))
    # 10% of $50,002.85 is $5,000.285: three shares of $1,666.76, the rest stays in the meter.
    for words in ("$1,666.76", "$5,000.28", "$45,002.57", "under a cent", "the card of an executive"):
        assert words in terminal.page
    terminal.send("hit", terminal.fields("hit") | {"evidence": "4h 5h 6h 7h"})
    award = terminal.claim
    assert "pending" in terminal.page and "Cards: 4h 5h 6h 7h" in terminal.page
    terminal.swipe("pay", "executive", award=award)
    assert "Approved by demo-executive" in terminal.page
    slip = terminal.http.get(f"/dealer/ddm_1/slip/{award}").text
    for words in ("$5,000.28", "$1,666.76", "4h 5h 6h 7h", "demo-executive", "Winner, seat 5", "play money"):
        assert words in slip
    terminal.look()
    terminal.send("end", terminal.fields("end"))
    assert "open for wagers" in terminal.page
    signed_in = terminal.http.get("/dealer").text
    assert "Signed in: demo-dealer" in signed_in, "the card approved one step and nothing else"


def test_the_whole_meter_is_paid_with_the_cards_of_the_demonstration(web: Web) -> None:
    terminal = Terminal(web)
    terminal.lock(2)
    terminal.look("?seat=0")
    terminal.send("pick", terminal.fields("pick", row="suited_4567_named"))
    assert "the cards of two executives" in terminal.page
    terminal.send("hit", terminal.fields("hit") | {"evidence": "4s 5s 6s 7s"})
    second = DEMO_PEOPLE[-1]
    award = terminal.claim
    terminal.swipe("pay", "executive", award=award, second_card=second.card, second_pin=second.pin)
    assert web.room.book.award(award).approved_by == ("demo-director", "demo-executive")


def test_preview_is_what_the_hit_then_books(tmp_path: Path) -> None:
    book = open_store(str(tmp_path / "preview.db"))
    try:
        desk = FloorService(book)
        desk.set_up(ask(EXECUTIVE), demo_floor())
        desk.start(ask(), "ddm_1", chips=3, lit=[Spot(1, 1), Spot(2, 1), Spot(4, 1)])
        view = desk.pick(ask(), "ddm_1", 0, 1, "suited_4567_named")
        setup = desk.floor().table("ddm_1")
        (expected,) = preview_hits(ledger_of(book, setup), view.terminal, setup, desk.floor())
        before = book.head()
        (award,) = desk.hit(ask(), "ddm_1", evidence="4s 5s 6s 7s").awards
        sealed = book.entry(award)
        assert sealed is not None and isinstance(sealed.entry.event, JackpotHit)
        assert before != book.head() and before[0] + 2 == book.head()[0], "looking ahead books nothing"
        same = structs.replace(expected, award=award, reset_by=award, evidence="4s 5s 6s 7s")
        assert same == sealed.entry.event
    finally:
        book.close()


def test_chip_count_is_asked_and_must_equal_the_lit_sensors(web: Web) -> None:
    terminal = Terminal(web)
    terminal.light(1, 2)
    assert "checked" not in terminal.page, "nobody counts for the dealer"
    page = terminal.send("start", terminal.fields("start"), 400)
    assert "Count the chips first" in page
    page = terminal.send("start", terminal.fields("start") | {"chips": "3"}, 409)
    assert "3 chips were counted and 2 sensors are lit" in page and "open for wagers" in page
    assert web.room.desk.table("ddm_1").terminal.round == 0


def test_press_for_an_older_table_shows_the_fresh_one_and_a_sentence(web: Web) -> None:
    first, second = Terminal(web), Terminal(web)
    first.light(1)
    second.look()
    second.light(2)
    page = first.send("start", first.fields("start") | {"chips": "1"}, 409, hx=True)
    assert "look again" in page and "stale_revision" in page
    assert re.search(r'id="light-2-1" aria-pressed="true"', page), "the other terminal's light is shown"


def test_lights_pressed_at_once_are_all_lit(web: Web) -> None:
    terminal = Terminal(web)
    forms = [terminal.fields("sense", seat=str(seat)) for seat in range(1, 7)]
    with ThreadPoolExecutor(6) as presses:
        answers = list(presses.map(lambda form: terminal.http.post("/dealer/ddm_1/sense", data=form), forms))
    assert [answer.status_code for answer in answers] == [200] * 6
    assert len(web.room.desk.table("ddm_1").terminal.lit) == 6


def test_double_press_and_lost_answer_are_done_once(web: Web) -> None:
    terminal = Terminal(web)
    terminal.light(1)
    start = terminal.fields("start")
    for _ in range(2):
        terminal.send("start", start | {"chips": "1"})
    assert web.room.desk.table("ddm_1").terminal.round == 1
    assert "$50,000.95" in terminal.page
    terminal.look("?seat=0")
    pick = terminal.fields("pick", row="suited_4567_other")
    for _ in range(2):
        terminal.send("pick", pick)
    assert len(web.room.desk.table("ddm_1").terminal.picks) == 1, "the second press was the same one"
    hit = terminal.fields("hit") | {"evidence": "4h 5h 6h 7h"}
    for _ in range(2):
        terminal.send("hit", hit)
    pay = terminal.card_form("pay", terminal.claim) | SWIPES["executive"]
    for _ in range(2):
        terminal.send("card/pay", pay)
    assert [award.status for award in web.room.book.awards()] == ["paid"]


def test_fixed_pays_seat_by_seat_and_small_ones_without_a_card(web: Web) -> None:
    terminal = Terminal(web)
    terminal.lock(1, 2)
    for seat in ("1", "2"):
        terminal.look(f"?seat={seat}")
        terminal.send("pick", terminal.fields("pick", row="other_22"))
    terminal.send("hit", terminal.fields("hit"))
    assert "needs no card: pay it from the tray" in terminal.page and "contacts a supervisor" not in terminal.page
    terminal.send("card/pay", terminal.fields("card/pay"))
    (award,) = web.room.book.awards()
    assert (award.status, award.amount_micros, award.approved_by) == ("paid", 50_000_000, ("demo-dealer",))


def test_signed_in_supervisor_still_shows_a_card(web: Web) -> None:
    terminal = Terminal(web, role="supervisor")
    terminal.lock(1)
    terminal.look("?seat=0")
    terminal.send("pick", terminal.fields("pick", row="suited_22"))
    terminal.send("pick", terminal.fields("pick", row="suited_22"))
    terminal.send("pick", terminal.fields("pick", row="suited_4567_other"))
    terminal.send("hit", terminal.fields("hit") | {"evidence": CARDS["suited_4567_other"]})
    page = terminal.send("card/pay", terminal.card_form("pay", terminal.claim), 403)
    assert "needs the card of" in page
    assert web.room.book.awards()[0].status == "pending"


def test_wrong_pin_gets_a_fresh_form_and_a_low_card_is_named(web: Web) -> None:
    terminal = Terminal(web)
    terminal.lock(1)
    terminal.look("?seat=0")
    terminal.send("pick", terminal.fields("pick", row="suited_4567_other"))
    terminal.send("hit", terminal.fields("hit") | {"evidence": CARDS["suited_4567_other"]})
    award = terminal.claim
    sent = terminal.card_form("pay", award)
    terminal.send("card/pay", sent | SWIPES["supervisor"] | {"pin": "111111"}, 401)
    fresh = terminal.fields("card/pay")
    assert fresh["command"] != sent["command"], "a refused swipe is never taken again under its id"
    page = terminal.send("card/pay", fresh | SWIPES["supervisor"], 403)
    assert "needs the card of an executive, not of a supervisor" in page
    assert award not in page.partition('id="card-problem"')[2].partition("</p>")[0]
    assert f'value="{SWIPES["supervisor"]["card"]}"' in page, "the card that was shown stays in its field"
    assert f'value="{SWIPES["supervisor"]["pin"]}"' not in page, "a PIN is never sent back"
    terminal.send("card/pay", terminal.fields("card/pay") | SWIPES["executive"])
    assert web.room.book.award(award).status == "paid"


def test_two_cards_for_a_large_award_and_rejection_with_a_note(web: Web) -> None:
    terminal = Terminal(web)
    terminal.lock(1, 2)
    terminal.look("?seat=0")
    terminal.send("pick", terminal.fields("pick", row="suited_4567_named"))
    terminal.send("hit", terminal.fields("hit") | {"evidence": CARDS["suited_4567_named"]})
    award = terminal.claim
    form = terminal.card_form("pay", award)
    assert "Second card" in terminal.page
    twice = SWIPES["executive"] | {f"second_{name}": value for name, value in SWIPES["executive"].items()}
    assert "does not countersign" in terminal.send("card/pay", form | twice, 403)
    terminal.swipe("reject", "supervisor", award=award, note="Not the named suit.")
    assert web.room.book.award(award).status == "rejected"
    assert "$50,001.90" in terminal.page, "the money went back"


def test_aquarius_by_the_letter(web: Web) -> None:
    terminal = Terminal(web, "baccarat_1")
    terminal.lock(2, 4)
    for name in ("GAME OVER", "J-POT", "JPH", ">Run<"):
        assert name in terminal.page
    assert "data-slide" not in terminal.page, "a keypad is pressed"
    terminal.send("pick", terminal.fields("pick", row="suited_six_cards"))
    page = terminal.swipe("pay", "executive", status=409, evidence=CARDS["suited_six_cards"])
    assert "turns the key to JPH" in page and not web.room.book.awards(), "nothing is proposed while the key is at Run"
    terminal.swipe("jph", "supervisor")
    form = (
        terminal.card_form("pay")
        | SWIPES["executive"]
        | {"evidence": "Kd Qd Td", "other": "2d Jd 7d", "side": "banker"}
    )
    for _ in range(2):
        terminal.send("card/pay", form)
    (award,) = web.room.book.awards()
    assert (award.status, award.each_micros) == ("paid", 2_500_250_000)
    page = terminal.send("end", terminal.fields("end"), 409)
    assert "turn it to Run" in page
    terminal.swipe("run", "supervisor")
    terminal.send("end", terminal.fields("end"))
    assert "open for wagers" in terminal.page


def test_a_small_claim_on_aquarius_waits_for_the_key(tmp_path: Path) -> None:
    store = str(tmp_path / "tracked.db")
    book = open_store(store)
    desk = FloorService(book)
    desk.set_up(ask(EXECUTIVE), with_jackpot(demo_floor(), "dragon", track_fixed_pays=True))
    lock(desk, "baccarat_1", 1)
    desk.hit(ask(), "baccarat_1", picks=[Pick(1, 1, "win_by_9")])
    book.close()
    with demo_web(store) as web:
        terminal = Terminal(web, "baccarat_1")
        by_key = "needs no card: a supervisor turns the key to JPH; then pay it from the tray and press J-POT"
        assert by_key in terminal.page
        terminal.swipe("jph", "supervisor")
        assert "needs no card: pay it from the tray and press J-POT" in terminal.look()


def test_low_card_at_j_pot_leaves_a_claim_that_another_card_pays(web: Web) -> None:
    terminal = Terminal(web, "baccarat_1")
    terminal.lock(1)
    terminal.send("pick", terminal.fields("pick", row="suited_six_cards"))
    terminal.swipe("jph", "supervisor")
    page = terminal.swipe("pay", "supervisor", status=403, evidence=CARDS["suited_six_cards"])
    assert "needs the card of an executive" in page
    terminal.send("card/pay", terminal.fields("card/pay") | SWIPES["executive"])
    assert [award.status for award in web.room.book.awards()] == ["paid"]


def test_two_sensors_of_a_seat_are_two_games(tmp_path: Path) -> None:
    store = str(tmp_path / "two.db")
    floor = and_jackpot(only(demo_floor(), "ddm_1"), "push_22", id="second", name="Second jackpot")
    book = open_store(store)
    FloorService(book).set_up(ask(EXECUTIVE), with_sensors(floor, "ddm_1", "push_22", "second"))
    book.close()
    with demo_web(store) as web:
        terminal = Terminal(web)
        assert terminal.page.count('<span class="of">Second jackpot</span>') == 6, "each light says which game it is"
        for sensor in ("1", "2"):
            terminal.send("sense", terminal.fields("sense", seat="3", sensor=sensor))
        terminal.send("start", terminal.fields("start") | {"chips": "2"})
        terminal.look("?seat=0")
        terminal.send("pick", terminal.fields("pick", row="suited_4567_other", sensor="2"))
        terminal.send("hit", terminal.fields("hit") | {"evidence": CARDS["suited_4567_other"]})
        (award,) = web.room.book.awards()
        assert (award.jackpot, award.seats) == ("second", (3,))


def test_where_the_wager_is_mandatory_the_dealer_says_how_many_seats_play(tmp_path: Path, web: Web) -> None:
    assert 'name="playing"' not in Terminal(web).page
    store = str(tmp_path / "mandatory.db")
    book = open_store(store)
    settings = {"jackpot_wager": "mandatory"}
    FloorService(book).set_up(ask(EXECUTIVE), with_table(demo_floor(), "ddm_1", settings=settings))
    book.close()
    with demo_web(store) as mandatory:
        terminal = Terminal(mandatory)
        assert "say with START GAME how many seats play" in terminal.page and terminal.page.count('name="playing"') == 7
        terminal.send("sense", terminal.fields("sense", seat="3"))
        start = terminal.fields("start") | {"chips": "1"}
        assert "a sensor does not see who plays" in html.unescape(terminal.send("start", start, 409))
        assert "2 seats play, and 1 of them has a chip" in terminal.send("start", start | {"playing": "2"}, 409)
        terminal.send("start", start | {"playing": "1"})
        assert "wagers locked" in terminal.page


def test_misdeal_out_of_service_and_back(web: Web) -> None:
    terminal = Terminal(web)
    terminal.lock(1)
    page = terminal.swipe("void", "dealer", status=403, note="A card was exposed.")
    assert "void_round" in page
    terminal.swipe("void", "supervisor", note="A card was exposed.")
    assert "open for wagers" in terminal.page
    terminal.swipe("stop", "supervisor", note="A sensor is broken.")
    assert "A sensor is broken." in terminal.page and 'id="light-1-1"' not in terminal.page
    terminal.swipe("reopen", "supervisor")
    assert 'id="light-1-1"' in terminal.page


def test_who_may_stand_at_a_terminal(web: Web) -> None:
    assert web.anonymous().http.get("/dealer/ddm_1", follow_redirects=False).headers["location"].startswith("/sign-in")
    dealer = Terminal(web)
    fields = dealer.fields("sense", seat="1")
    auditor = Terminal(web, role="auditor")
    csrf = re.findall(r'name="csrf" value="([^"]*)"', auditor.page)[0]
    assert "run_rounds" in auditor.send("sense", fields | {"csrf": csrf}, 403)
    assert auditor.http.get("/dealer/ddm_1/card/stop").status_code == 403
    assert auditor.http.get("/dealer/nowhere").status_code == 404
    assert auditor.http.get("/dealer/nowhere/now", headers=HX).status_code == 404
    assert dealer.http.get("/dealer/ddm_1/card/dance").status_code in (404, 422)
    assert dealer.http.get("/dealer/ddm_1/slip/none").status_code == 404
    assert dealer.send("sense", dealer.fields("sense", seat="1") | {"csrf": "x"}, 403)


def test_game_over_on_aquarius_with_a_hand_picked_says_what_to_do(web: Web) -> None:
    terminal = Terminal(web, "baccarat_1")
    terminal.lock(2)
    terminal.send("pick", terminal.fields("pick", row="suited_six_cards"))
    page = terminal.send("end", terminal.fields("end"), 409)
    assert "a supervisor turns the key to JPH, then J-POT; or press the hand again to clear it" in page


def test_who_may_not_run_rounds_looks_on(web: Web) -> None:
    """At every stage of a round an auditor has nothing to press; an executive has only what a card decides."""

    def buttons(role: str) -> set[str]:
        page = Terminal(web, role=role).page.partition('<section id="terminal"')[2].partition("</section>\n<dialog")[0]
        assert "View only" in page
        pressed = re.findall(r'<(?:button|input type="range"|a class="button)[^>]*? id="([^"]*)"', page)
        assert "<form" not in page and len(pressed) == len(re.findall(r"<button|<a ", page))
        return set(pressed)

    dealer = Terminal(web)
    dealer.light(1, 2)
    assert buttons("auditor") == set() and buttons("executive") == {"stop"}
    dealer.send("start", dealer.fields("start") | {"chips": "2"})
    dealer.look("?seat=0")
    dealer.send("pick", dealer.fields("pick", row="suited_4567_other"))
    assert buttons("auditor") == set() and buttons("executive") == {"stop"}
    dealer.send("hit", dealer.fields("hit") | {"evidence": CARDS["suited_4567_other"]})
    assert buttons("auditor") == set() and buttons("executive") == {"stop", "pay-1", "reject-1"}
    dealer.swipe("pay", "executive", award=dealer.claim)
    assert buttons("auditor") == {"slip-1"}


@pytest.mark.parametrize("suit", ["spades", "hearts"])
def test_the_suit_that_wins_the_meter_is_named(web: Web, suit: str) -> None:
    floor = demo_floor()
    tables = [
        structs.replace(one, settings={"jackpot_suit": suit}) if one.id == "ddm_1" else one for one in floor.tables
    ]
    web.room.desk._read = (web.room.book.fact_version("floor"), structs.replace(floor, tables=tuple(tables)))
    terminal = Terminal(web)
    terminal.lock(1)
    for label in (f"Suited 4-5-6-7 of {suit}<", "Suited 4-5-6-7 in any other suit<"):
        assert label in terminal.page
    terminal.look("?seat=0")
    terminal.send("pick", terminal.fields("pick", row="suited_4567_named"))
    terminal.send("hit", terminal.fields("hit") | {"evidence": " ".join(f"{rank}{suit[0]}" for rank in "4567")})
    claim = f"Suited 4-5-6-7 of {suit}"
    supervisor = web.role("supervisor").http
    for path in (f"/dealer/ddm_1/slip/{terminal.claim}", "/manager/claims", "/sign/push_22/state"):
        assert claim in supervisor.get(path).text, path


def test_a_dealers_list_keeps_the_softwares_tables_apart(web: Web) -> None:
    page = web.role("dealer").http.get("/dealer").text
    mine, _, softwares = page.partition("Dealt by the software")
    assert "/dealer/ddm_1" in mine and "/dealer/ddm_3" not in mine
    assert "/dealer/ddm_3" in softwares and "/dealer/ddm_1" not in softwares


def test_rounds_that_the_software_has_dealt_are_counted_for_dealers_and_managers(web: Web) -> None:
    hall = web.room.hall
    player = hall.new_player("a" * 43)
    hall.act("ddm_3", player, SitDown(spot=1), id="sit-down-1")
    hall.table("ddm_3").table.rounds = 7
    for role, path in (("dealer", "/dealer"), ("executive", "/manager")):
        page = " ".join(re.sub(r"<[^>]+>", " ", web.role(role).http.get(path).text).split())
        assert "1 of 6 seats taken" in page, path
        assert "0 min ago" in page, path
        assert re.search(r"ddm_3 .{0,90} 7 |after 7 rounds", page), path


def test_the_software_runs_its_own_tables(web: Web) -> None:
    terminal = Terminal(web, "blackjack_1")
    assert "The software deals here" in terminal.page and "START GAME" not in terminal.page
    desk = web.room.desk
    for by in (DEALER, Person("sue", Role.SUPERVISOR)):
        with pytest.raises(IllegalActionError, match="The software deals") as refused:
            desk.start(ask(by), "blackjack_1", chips=0)
        assert refused.value.code == "software_deals"
    started = desk.start(Ask(id="by-software", by=Person(SOFTWARE, Role.DEALER)), "blackjack_1", chips=0)
    assert started.terminal.round == 1
    with pytest.raises(IllegalActionError, match="The software deals"):
        desk.end(ask(), "blackjack_1")


@pytest.mark.parametrize("lesson", [lesson.id for lesson in LESSONS])
def test_lessons_are_done_by_what_they_prompt(lesson: str) -> None:
    for seed in range(3):
        practice = begin(lesson, random.Random(seed))
        number = 0
        while not practice.is_over:
            for act in practice.stages[practice.at].acts:
                number += 1
                card = "executive" if act.press in ("pay", "key", "void") and lesson != "fixed" else ""
                cards = practice.cards
                right = structs.replace(act, card=card, evidence=cards.evidence, side=cards.side)
                practice.press(f"press-{number}", right)
                assert practice.said == "Right.", (act, practice.said)
        assert practice.mistakes == [] and practice.terminal.phase == "open"
        if not practice.lesson.is_misdeal:
            assert practice.cards.row == practice.lesson.row, "the cards make the hand, by the game's own rules"


def test_mistakes_are_told_counted_and_not_done() -> None:
    practice = begin("community", random.Random(1))
    for act in (*practice.stages[0].acts, *practice.stages[1].acts):
        practice.press(f"right-{act}", act)
    practice.press("early", Act("hit"))
    assert "No winning hand is picked" in practice.said
    practice.press("early", Act("hit"))
    assert len(practice.mistakes) == 1, "a double press is one press"
    practice.press("wrong-hand", Act("pick", seat=0, sensor=1, row="suited_4567_named"))
    assert practice.terminal.picks == ()
    practice.press("too-soon", Act("end"))
    assert "not settled" in practice.said
    practice.press("hand", Act("pick", seat=0, sensor=1, row="suited_4567_other"))
    practice.press("no-cards", Act("hit"))
    assert "enter the cards" in practice.said
    practice.press("other-cards", Act("hit", evidence="4s 5s 6s 7s"))
    assert 'give "Suited 4-5-6-7 of spades", not' in practice.said
    practice.press("hit", Act("hit", evidence=practice.cards.evidence))
    practice.press("low", Act("pay", card="dealer"))
    assert "needs the card" in practice.said
    assert len(practice.mistakes) == 6 and len(practice.terminal.claims) == 1


def test_training_pages_touch_no_ledger(web: Web) -> None:
    dealer = web.role("dealer").http
    head = web.room.book.head()
    page = dealer.get("/dealer/training/plain").text
    (csrf,) = set(re.findall(r'name="csrf" value="([^"]*)"', page))
    seats = [int(one) for one in re.findall(r"sensors of seats (\d), (\d) and (\d)", page)[0]]
    for seat in seats:
        data = {"csrf": csrf, "command": f"light-seat-{seat}", "seat": str(seat), "sensor": "1", "lit": "true"}
        page = dealer.post("/dealer/training/plain/sense", data=data).text
    assert "Step 2 of 3" in page
    page = dealer.post("/dealer/training/plain/start", data={"csrf": csrf, "command": "start-it", "chips": "3"}).text
    assert "Dealer</h3>" in page, "the cards lie on the table"
    page = dealer.post("/dealer/training/plain/end", data={"csrf": csrf, "command": "end-round"}).text
    assert "5 of 5 presses were right" in page
    assert web.room.book.head() == head
    assert dealer.get("/dealer/training/none").status_code in (404, 422)
    other = web.role("supervisor").http
    assert "Step 1 of 3" in other.get("/dealer/training/plain").text, "everybody has a table of their own"


def test_the_hand_is_named_while_its_cards_are_entered(web: Web) -> None:
    terminal = Terminal(web)
    terminal.lock(1)
    assert "Take the $5 chips in</strong>: seat 1." in terminal.page
    terminal.look("?seat=0")
    terminal.send("pick", terminal.fields("pick", row="suited_4567_named"))

    def said(cards: str) -> str:
        answer = terminal.http.get("/dealer/ddm_1/cards", params={"evidence": cards})
        assert answer.status_code == 200
        return re.sub(r"<[^>]*>|\s+", " ", answer.text).strip()

    assert "4-5-6-7 of spades , 100%." in said("4s 5s 6s 7s")
    assert "not the hand that is picked" in said("4h 5h 6h 7h")
    assert "win nothing" in said("4h 5h") and said("4h x") == ""
    page = terminal.send("hit", terminal.fields("hit") | {"evidence": "4h 5h 6h 7h"}, 409)
    assert "cards_give_another" in page and not web.room.book.awards()


def test_the_right_award_is_entered_on_the_page_of_the_wrong_one(web: Web) -> None:
    terminal = Terminal(web)
    terminal.lock(1, 2)
    for seat in ("1", "2"):
        terminal.look(f"?seat={seat}")
        terminal.send("pick", terminal.fields("pick", row="other_22"))
    terminal.send("hit", terminal.fields("hit"))
    wrong = terminal.claim
    terminal.send("card/pay", terminal.fields("card/pay"))
    executive = web.role("executive").http
    office = f"/manager/claims/{wrong}"
    second = {f"second_{name}": value for name, value in SWIPES["accounting"].items()} | {"note": "One suit."}

    def fields(action: str) -> dict[str, str]:
        (form,) = re.findall(rf'<form[^>]*action="{re.escape(action)}".*?</form>', executive.get(office).text, re.S)
        return dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', form))

    assert "Enter an award by hand" not in executive.get(office).text, "while the wrong one stands"
    executive.post(f"{office}/back-out", data=fields(f"{office}/back-out") | second)
    path = "/manager/tables/ddm_1/award-by-hand"
    sent = fields(path) | second | {"round": "1", "hand": "1/suited_22", "seats": "1, 2", "evidence": "Th 3h 9h"}
    assert "Write their numbers" in executive.post(path, data=sent | {"seats": "one"}).text
    assert "cards_give_another" in executive.post(path, data=sent | {"evidence": "Th 3d 9h"}).text
    page = executive.post(path, data=sent | fields(path)).text
    assert "waits for its payment" in page and "by demo-executive and demo-accounting: One suit." in page
    award = web.room.book.awards()[0]
    assert (award.row, award.seats, award.amount_micros, award.status) == (
        "suited_22",
        (1, 2),
        500_000_000,
        "pending",
    )
