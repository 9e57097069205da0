"""What the floor's pages say when a table or a jackpot does not play, and who did the last step where."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

from tests.web_client import SEED, Web, demo_web, lock, step


@pytest.fixture
def web(tmp_path: Path) -> Iterator[Web]:
    with demo_web(str(tmp_path / "floor.db")) as made:
        yield made


def look(web: Web, path: str) -> str:
    answer = web.anonymous().http.get(path)
    assert answer.status_code == 200, answer.text
    return answer.text


def tables_of(web: Web, jackpot: str = "push_22") -> list[str]:
    return [table.id for table in web.room.desk.floor().tables_of(jackpot)]


def out_of_service(web: Web, *tables: str) -> None:
    for table in tables:
        step(web.role("supervisor"), table, "stop", why="The shoe broke.")


def test_the_list_of_tables_says_who_did_the_last_step_where(web: Web) -> None:
    dealer = web.role("dealer")
    assert "No recent activity" in dealer.http.get("/dealer").text
    lock(dealer, "ddm_1", 1)
    step(web.role("supervisor"), "ddm_2", "stop", why="The shoe broke.")
    page = dealer.http.get("/dealer").text
    assert "Last step: START GAME, 0 min ago, by <strong>demo-dealer</strong> (you)" in page
    assert "Last step: out of service, 0 min ago, by <strong>demo-supervisor</strong>" in page


def test_a_sign_whose_tables_are_all_out_of_service_keeps_its_amount_and_says_so(web: Web) -> None:
    first, *others = tables_of(web)
    out_of_service(web, *others)
    assert "Not in play now" not in look(web, "/sign/push_22"), "one of the linked tables is still open"
    out_of_service(web, first)
    for path in ("/sign/push_22", "/sign/push_22/state"):
        page = look(web, path)
        assert "Not in play now" in page and 'class="state closed"' in page
    assert "$50,000" in look(web, "/sign/push_22") and f'data-cents="{SEED // 10_000}"' in look(web, "/sign/push_22")
    step(web.role("supervisor"), first, "reopen")
    assert 'class="state attract"' in look(web, "/sign/push_22")


def test_a_prize_that_is_pending_is_shown_also_when_no_table_plays(web: Web) -> None:
    dealer = web.role("dealer")
    lock(dealer, "ddm_1", 1)
    step(dealer, "ddm_1", "pick", seat=0, sensor=1, row="suited_4567_other")
    step(dealer, "ddm_1", "hit", evidence="4h 5h 6h 7h")
    out_of_service(web, *tables_of(web))
    page = look(web, "/sign/push_22/state")
    assert 'class="state pending"' in page and "Prize pending" in page and "No table takes wagers" in page


def test_a_stopped_jackpot_has_a_face_of_its_own_and_shows_no_amount(web: Web) -> None:
    with create_engine(f"sqlite:///{web.store_url}").begin() as connection:
        connection.execute(text("UPDATE balances SET micros = micros + 1 WHERE jackpot = 'push_22'"))
    for path in ("/sign/push_22", "/sign/push_22/state"):
        page = look(web, path)
        assert "Out of service" in page and "being checked" in page and 'class="state stopped"' in page
        assert "$50,000" not in page
    assert 'class="state attract"' in look(web, "/sign/dragon"), "others play on"


def test_a_clock_set_back_is_an_alert_and_stands_in_the_audit(web: Web) -> None:
    auditor = web.role("auditor")
    lock(web.role("dealer"), "ddm_1", 1)
    assert "Clock" not in auditor.http.get("/manager").text
    web.clock.now -= timedelta(hours=1)
    assert "Clock behind the log" in auditor.http.get("/manager").text
    step(web.role("dealer"), "ddm_1", "end")
    floor = auditor.http.get("/manager").text
    assert "Clock set back" in floor and "1 h 00 min earlier than the entry before it" in floor
    page = auditor.http.get("/manager/audit", params={"what": "clock_set_back"}).text
    assert "clock set back" in page and "The clock is 1:00:00 behind the entry before" in page
    lines = [line for line in auditor.get("/reports/audit")["lines"] if line["what"] == "clock_set_back"]
    assert [(line["actor"], line["detail"]["seconds"]) for line in lines] == [("unknown", 3600)]
    web.clock.now += timedelta(days=3)
    assert "Clock set back" not in auditor.http.get("/manager").text, "the audit keeps it, the floor goes on"


def test_servers_whose_clocks_differ_by_a_moment_raise_no_alarm(web: Web) -> None:
    for seconds in (-4, 4, -4):
        web.clock.now += timedelta(seconds=seconds)
        step(web.role("dealer"), "ddm_1", "sense", seat=1, sensor=1, lit=seconds < 0)
    auditor = web.role("auditor")
    assert "Clock" not in auditor.http.get("/manager").text
    assert "clock_set_back" not in str(auditor.get("/reports/audit"))
