"""The jackpot sign: what it says in each mode, taken from the ledger, and who may look at it."""

from __future__ import annotations

import re
import time
from base64 import b64encode
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from msgspec import structs
from starlette.testclient import TestClient

from croupier.errors import SpecError
from croupier.exact.odds import compute_odds
from croupier.floor import floor_data, floor_from_data
from croupier.floor.files import demo_floor
from croupier.floor.setup import jackpot_choice
from croupier.floor.sign_look import PICTURES, SignLook
from croupier.reports.formatting import one_in
from croupier.web.pages.base import SIGN_COOKIE
from tests.desks import CARDS
from tests.web_client import Client, Web, demo_web, lock, second_executive, step


@pytest.fixture
def web(tmp_path: Path) -> Iterator[Web]:
    with demo_web(str(tmp_path / "sign.db")) as made:
        yield made


def look(web: Web, path: str = "/sign/push_22") -> str:
    answer = TestClient(web.app).get(path)
    assert answer.status_code == 200, answer.text
    return " ".join(re.sub(r"<[^>]+>", " ", answer.text.replace("&middot;", "-")).split())


def cents(web: Web) -> int:
    found = re.search(r'data-cents="(\d+)"', TestClient(web.app).get("/sign/push_22/state").text)
    assert found is not None
    return int(found.group(1))


def hit(dealer: Client, row: str, seat: int, key: str) -> str:
    step(dealer, "ddm_1", "pick", seat=seat, sensor=1, row=row)
    revision = dealer.get("/tables/ddm_1")["revision"]
    dealer.done("POST", "/tables/ddm_1/hit", {"revision": revision, "evidence": CARDS[row]}, key=key)
    return f"{key}/1"


def with_jackpot(web: Web, **changed: object) -> None:
    """The same floor with another "push_22", as it were from the start."""
    floor = demo_floor()
    jackpots = [structs.replace(one, **changed) if one.id == "push_22" else one for one in floor.jackpots]
    web.room.desk._read = (web.room.book.fact_version("floor"), structs.replace(floor, jackpots=tuple(jackpots)))


def test_it_attracts_with_name_amount_pay_table_wager_and_linked_tables(web: Web) -> None:
    text = look(web)
    assert "Push 22™ Progressive" in text
    assert "$50,000" in text
    assert "$5 wager" in text
    assert "Suited 4-5-6-7 of spades 100% of the meter" in text
    assert "Dealer 22, one suit $250" in text
    *names, last = [table.name for table in web.room.desk.floor().tables_of("push_22")]
    assert f"Linked tables: {', '.join(names)} and {last}" in text
    assert "pending" not in text.lower()


def test_each_wager_is_on_the_sign_to_the_cent_floored(web: Web) -> None:
    lock(web.role("dealer"), "ddm_1", 1, 2, 3)
    assert cents(web) == 5_000_285  # three wagers of $5, 19% each


def test_a_pending_prize_is_locked_while_the_reseeded_meter_goes_on(web: Web) -> None:
    dealer = web.role("dealer")
    lock(dealer, "ddm_1", 2, 4)
    hit(dealer, "suited_4567_named", 0, "sign-hit-1")
    text = look(web)
    where = "Double Down Madness 1, seats 2, 4 - $25,000.95 each"
    assert f"Prize pending $50,001.90 $50,001.90 Suited 4-5-6-7 of spades - {where}" in text
    assert "The amount is locked. Next jackpot starts at $50,000.10." in text
    after = cents(web)
    assert after == 5_000_010  # the seed, and the reserve of both wagers: 1% of $5 each
    lock(dealer, "ddm_2", 1)
    assert cents(web) == after + 95
    assert "Prize pending $50,001.90" in look(web)


def test_a_paid_prize_is_shown_for_half_a_minute_and_then_it_attracts_again(web: Web) -> None:
    dealer, executive = web.role("dealer"), web.role("executive")
    lock(dealer, "ddm_1", 2)
    award = hit(dealer, "suited_4567_named", 2, "sign-hit-2")
    revision = dealer.get("/tables/ddm_1")["revision"]
    body = {"revision": revision, "second": second_executive(web)}
    executive.done("POST", f"/claims/{award}/pay", body)
    text = look(web)
    assert "Jackpot won $50,000.95" in text
    assert "Double Down Madness 1, seat 2" in text
    assert "Next jackpot starts at $50,000." in text
    web.clock.now += timedelta(seconds=29)
    assert "Jackpot won" in look(web)
    web.clock.now += timedelta(seconds=2)
    assert "Jackpot won" not in look(web)


def test_fixed_pays_from_the_tray_do_not_move_the_sign(web: Web) -> None:
    dealer = web.role("dealer")
    lock(dealer, "ddm_1", 1)
    hit(dealer, "suited_22", 1, "sign-hit-3")
    assert "pending" not in look(web).lower()


def test_a_paid_fixed_pay_is_said_beside_the_amount_for_a_while(web: Web) -> None:
    dealer = web.role("dealer")
    lock(dealer, "ddm_1", 3)
    award = hit(dealer, "suited_22", 3, "sign-hit-4")
    assert "won" not in look(web)
    dealer.done("POST", f"/claims/{award}/pay", {"revision": dealer.get("/tables/ddm_1")["revision"]})
    text = look(web)
    assert "$250 won Dealer 22, one suit - Double Down Madness 1, seat 3" in text
    assert "Jackpot won" not in text
    web.clock.now += timedelta(seconds=13)
    assert "$250 won" not in look(web)


def test_last_winners_are_those_of_the_meter_without_persons(web: Web) -> None:
    dealer = web.role("dealer")
    lock(dealer, "ddm_1", 2)
    award = hit(dealer, "suited_4567_named", 2, "sign-hit-5")
    hidden = 'id="winners" aria-label="Last winners" hidden'
    assert hidden in TestClient(web.app).get("/sign/push_22/state").text  # pending is not won
    body = {"revision": dealer.get("/tables/ddm_1")["revision"], "second": second_executive(web)}
    web.role("executive").done("POST", f"/claims/{award}/pay", body)
    web.clock.now += timedelta(days=3)
    text = look(web)
    assert "Last winners $50,000.95 Suited 4-5-6-7 of spades Double Down Madness 1, Nov 16, 2026" in text
    assert "demo-dealer" not in text


def test_odds_of_each_hand_are_the_exact_ones_of_the_table(web: Web) -> None:
    answer = TestClient(web.app).get("/sign/push_22/odds")
    for _ in range(100):
        if 'class="odds"' in answer.text:
            break
        time.sleep(0.3)
        answer = TestClient(web.app).get("/sign/push_22/odds")
    floor = web.room.desk.floor()
    choice = jackpot_choice(floor.jackpot("push_22"), floor.table("ddm_1"))
    for row in compute_odds(choice).rows[:-1]:
        assert f'<td class="odds">{one_in(row.probability)}</td>' in answer.text


def test_the_houses_colors_and_logo_are_on_its_signs(web: Web) -> None:
    logo = f"data:image/png;base64,{b64encode(PICTURES['image/png'] + b'pixels').decode()}"
    floor = structs.replace(demo_floor(), sign=SignLook(ground="#5b1030", light="#ffffff", logo=logo))
    web.room.desk._read = (web.room.book.fact_version("floor"), floor)
    shown = TestClient(web.app).get("/sign/push_22").text
    assert f'src="{logo}"' in shown
    style = TestClient(web.app).get("/sign/push_22/look.css")
    assert style.headers["content-type"].startswith("text/css")
    assert "--wall: #5b1030" in style.text and "--lit: #ffffff" in style.text


@pytest.mark.parametrize(
    ("look", "sentence"),
    [
        ({"ground": "#ffee00"}, "Choose a darker color"),
        ({"light": "#101010"}, "Choose a brighter color"),
        ({"logo": "data:image/svg+xml;base64,PHN2Zz4="}, "PNG, JPEG or WebP"),
        ({"logo": "data:image/png;base64,PHN2Zz4="}, "PNG, JPEG or WebP"),
    ],
)
def test_a_look_that_a_sign_cannot_show_is_refused(look: dict[str, str], sentence: str) -> None:
    with pytest.raises(SpecError, match=sentence):
        floor_from_data(floor_data(demo_floor()) | {"sign": look})


def test_at_its_maximum_it_says_so(web: Web) -> None:
    assert "maximum" not in look(web)
    with_jackpot(web, cap_micros=50_000_000_000)
    assert "At its maximum of $50,000." in look(web)


def test_a_house_jackpot_says_that_no_player_money_funds_it(web: Web) -> None:
    with_jackpot(web, kind="house")
    assert "No player money funds it." in look(web)


def test_an_unknown_jackpot_is_answered_with_those_there_are(web: Web) -> None:
    for path in ("/sign/push22", "/sign/push22/state"):
        answer = TestClient(web.app).get(path)
        assert answer.status_code == 404
        assert "Accepted: push_22, dragon." in answer.text


def real(web: Web) -> TestClient:
    """The same server as of a real floor; cookies are for https only then."""
    web.room.demo = False
    return TestClient(web.app, base_url="https://testserver", follow_redirects=False)


def test_outside_demo_mode_a_sign_needs_its_token_or_a_person(web: Web) -> None:
    token = web.device("sign", jackpots=["push_22"]).token
    other = web.device("sign", jackpots=["dragon"]).token
    terminal = web.device("terminal", tables=["ddm_1"]).token
    guest = real(web)
    for path in ("/sign/push_22", "/sign/push_22/state", f"/sign/push_22?token={other}"):
        answer = guest.get(path)
        assert (answer.status_code, "sign_token_needed" in answer.text) == (401, True)
        assert "$50,000" not in answer.text
    for wrong in (terminal, "device-nonsense"):
        assert guest.get(f"/sign/push_22?token={wrong}").status_code == 401
    exchanged = guest.get(f"/sign/push_22?token={token}")
    assert (exchanged.status_code, exchanged.headers["location"]) == (303, "/sign/push_22")
    cookie = exchanged.headers["set-cookie"]
    assert cookie.startswith(f"{SIGN_COOKIE}=") and "HttpOnly" in cookie and "Secure" in cookie
    shown = guest.get("/sign/push_22")
    assert shown.status_code == 200 and token not in shown.text
    assert guest.get("/sign/push_22/state").status_code == 200
    assert guest.get("/sign/dragon").status_code == 401


def test_a_withdrawn_sign_shows_nothing_more(web: Web) -> None:
    sign = web.device("sign", jackpots=["push_22"])
    technician = web.role("technician")
    name = technician.get("/devices")["devices"][0]["id"]
    guest = real(web)
    guest.get(f"/sign/push_22?token={sign.token}")
    assert guest.get("/sign/push_22/state").status_code == 200
    technician.done("POST", f"/devices/{name}/withdraw")
    assert guest.get("/sign/push_22/state").status_code == 401


def test_somebody_signed_in_may_look(web: Web) -> None:
    dealer = web.role("dealer").http
    web.room.demo = False
    assert dealer.get("/sign/push_22").status_code == 200
