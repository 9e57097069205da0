"""Simulations from pages: the form and what it refuses, the queue, a result that is kept and repeated."""

from __future__ import annotations

import csv
import json
import re
import shlex
import time
from collections.abc import Iterator
from html import unescape
from typing import Any

import pytest
from starlette.testclient import TestClient

from croupier.rules import game_ids
from croupier.web.pages.base import PLAYER_COOKIE
from tests.conftest import Croupier
from tests.pages import fill, form_of, submit
from tests.test_lab_runs import PATIENCE_S, held, rows, untimed
from tests.test_pages_lobby import text_of
from tests.web_client import SWIPES, Web, demo_web

FORM = "/simulations/new/mini_baccarat"


@pytest.fixture
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    with demo_web(str(tmp_path_factory.mktemp("simulations") / "floor.db")) as made:
        yield made


@pytest.fixture
def waiting(web: Web) -> Web:
    """A server on which nothing is played, as another one is at it."""
    held(web.store_url)
    return web


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    """As `waiting`, for tests that put nothing into the queue."""
    with demo_web(str(tmp_path_factory.mktemp("simulations") / "empty.db")) as made:
        held(made.store_url)
        yield made


def visitor(web: Web) -> TestClient:
    return TestClient(web.app)


def staff(web: Web, role: str = "supervisor") -> TestClient:
    http = TestClient(web.app)
    assert submit(http, "/sign-in", "/sign-in", **SWIPES[role]).status_code == 303
    return http


def asked(http: TestClient, **fields: Any) -> str:
    """The address of the run that a form has put into the queue."""
    answer = submit(http, FORM, FORM, **{"wager": ["tie"], "amount": "1e5", "seed": "7", **fields})
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"])


def over(http: TestClient, path: str) -> str:
    until = time.monotonic() + PATIENCE_S
    while time.monotonic() < until:
        html = http.get(path).text
        if "/stop" not in html:
            return html
        time.sleep(0.05)
    raise AssertionError("the run does not end")


def queued(web: Web) -> list[str]:
    return [row.id for row in web.room.runs.queue() if row.id != "elsewhere"]


def test_a_run_from_form_to_kept_result_without_scripts(web: Web, croupier: Croupier) -> None:
    http = visitor(web)
    path = asked(http)
    first = http.get(path).text
    assert 'http-equiv="refresh"' in first and "look again" in first
    html = over(http, path)
    assert "Done." in html and "seed <strong>7</strong>" in html and 'http-equiv="refresh"' not in html
    assert re.search(r"Tie</th>.*?14\.3596%", html, re.DOTALL), "the exact edge stands beside the estimate"
    assert "data-plot" in html and "95% interval" in html
    command = text_of(re.findall(r'class="command"><code>(.*?)</code>', html)[0])
    download = http.get(f"{path}/json")
    assert download.headers["content-disposition"] == 'attachment; filename="mini_baccarat-7.json"'
    lines = list(csv.DictReader(http.get(f"{path}/csv").text.splitlines()))
    assert [line["wager"] for line in lines] == list(download.json()["wagers"])
    for line in lines:
        figures = download.json()["wagers"][line["wager"]]
        assert float(line["edge"]) == figures["edge"] and line["seed"] == "7"
    said = json.loads(croupier(*shlex.split(command)[1:], "--json").out)
    assert list(download.json()) == list(said)
    assert untimed(download.json()) == untimed(said)
    with demo_web(web.store_url) as anew:  # the server is started anew
        later = TestClient(anew.app, cookies={PLAYER_COOKIE: http.cookies[PLAYER_COOKIE]})
        after = later.get(path).text
        assert re.findall(r"<td.*?</td>", after) == re.findall(r"<td.*?</td>", html)
        assert "/keep" in after, "the same visitor may still keep it"
    kept = submit(http, path, f"{path}/keep", name="Tie <b>eight</b> decks")
    assert kept.status_code == 303
    assert "Tie &lt;b&gt;eight&lt;/b&gt; decks" in http.get("/simulations").text
    again = http.get(f"{FORM}?like={path.rpartition('/')[2]}").text
    assert form_of(again, FORM).fields["seed"] == ["7"] and form_of(again, FORM).fields["wager"] == ["tie"]
    assert submit(http, path, f"{path}/remove").headers["location"] == "/simulations"
    assert http.get(path).status_code == 404


def test_a_run_that_is_played_is_stopped_with_what_it_has(web: Web) -> None:
    http = visitor(web)
    path = asked(http, until="seconds", amount="500")
    until = time.monotonic() + PATIENCE_S
    while "million a second" not in http.get(path).text and time.monotonic() < until:
        time.sleep(0.05)
    assert submit(http, path, f"{path}/stop").status_code == 303
    html = over(http, path)
    assert "Stopped." in html and "--rounds" in html
    data = http.get(f"{path}/json").json()
    assert data["interrupted"] is True and data["rounds"] == data["chunks"] * 4096 > 0


def test_one_form_leads_to_each_game_with_a_length(web: Web) -> None:
    http = visitor(web)
    answer = http.get("/simulations/new?game=casino_war&amount=1e8", follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (303, "/simulations/new/casino_war?amount=1e8")
    assert 'name="amount" inputmode="text" value="1e8"' in http.get(answer.headers["location"]).text
    assert http.get("/simulations/new?game=casino_war&amount=1e99").status_code == 422


@pytest.mark.parametrize("game", game_ids())
def test_every_game_has_a_form_that_can_be_sent_as_it_is(waiting: Web, game: str) -> None:
    http = visitor(waiting)
    answer = submit(http, f"/simulations/new/{game}", f"/simulations/new/{game}")
    assert answer.status_code == 303, answer.text
    html = http.get(answer.headers["location"]).text
    assert "Waits for its turn: place 1 in the queue." in html
    assert f"croupier simulate {game} --decks" in text_of(html)
    assert http.get(f"{answer.headers['location']}/json").status_code == 400


@pytest.mark.parametrize(
    ("fields", "code", "said"),
    [
        ({"wager": ["tye"]}, "unknown_wager", "Did you mean"),
        ({"wager": None}, "no_wager", "at least one"),
        ({"amount": "0"}, "bad_rounds", "from 1 to"),
        ({"amount": "2e10"}, "bad_rounds", "1e10"),
        ({"amount": "many"}, "bad_rounds", "write 1000000 or 1e9"),
        ({"amount": " "}, "bad_goal", "how long"),
        ({"until": "seconds", "amount": "601"}, "bad_goal", "600 at most"),
        ({"until": "error", "amount": "-1"}, "bad_goal", "more than nothing"),
        ({"until": "error", "amount": "nan"}, "bad_goal", "more than nothing"),
        ({"until": "tea"}, "bad_goal", "rounds, seconds, error"),
        ({"seed": "-1"}, "bad_seed", "digits only"),
        ({"seed": "one"}, "bad_seed", "digits only"),
        ({"seed": "9223372036854775808"}, "bad_seed", "2**63"),
        ({"seats": "8"}, "bad_seats", "1 to 7"),
        ({"seats": "²"}, "bad_seats", "digits only"),
        ({"decks": "inf"}, "bad_decks", "1 to 8"),
        ({"decks": "9"}, "bad_decks", "1 to 8"),
        ({"shuffle": "riffle"}, "unknown_shuffle", "cut-card"),
        ({"cut": "100"}, "bad_cut", "fresh shoe"),
        ({"strategy": "/etc/passwd"}, "unknown_strategy", "total-dependent"),
        ({"pay.dragon_bonus_player": "99", "wager": ["dragon_bonus_player"]}, "unknown_pay_table", "Accepted"),
        ({"set.counts": "sometimes"}, "unknown_value", "Accepted"),
    ],
)
def test_bad_input_is_refused_with_its_reason_and_nothing_is_queued(
    empty: Web, fields: dict[str, Any], code: str, said: str
) -> None:
    http = visitor(empty)
    page = http.get(FORM)
    sent = fill(form_of(page.text, FORM), {"wager": ["tie"], **fields})
    answer = http.post(FORM, data=sent, follow_redirects=False)
    assert answer.status_code == 422
    assert code in answer.text and said in unescape(answer.text)
    assert queued(empty) == []


def test_a_refusal_names_its_field_to_a_page_with_scripts(waiting: Web) -> None:
    http = visitor(waiting)
    sent = fill(form_of(http.get(FORM).text, FORM), {"seats": "8"})
    answer = http.post(FORM, data=sent, headers={"HX-Request": "true"})
    assert answer.status_code == 422 and 'data-field="seats"' in answer.text
    done = http.post(FORM, data=sent | {"seats": "7"}, headers={"HX-Request": "true"})
    assert done.headers["hx-redirect"].startswith("/simulations/")


def test_a_form_sent_twice_asks_once(waiting: Web) -> None:
    http = visitor(waiting)
    sent = fill(form_of(http.get(FORM).text, FORM), {})
    places = {http.post(FORM, data=sent, follow_redirects=False).headers["location"] for _ in range(2)}
    assert len(places) == 1 and len(queued(waiting)) == 1


def test_a_queue_that_is_full_says_so(waiting: Web) -> None:
    http = visitor(waiting)
    for _ in range(waiting.room.runs.bounds.waiting_each):
        asked(http)
    answer = submit(http, FORM, FORM)
    assert answer.status_code == 409 and "queue_full" in answer.text
    assert asked(visitor(waiting))  # somebody else may still ask


def test_only_who_asked_and_the_staff_may_stop_keep_and_remove(waiting: Web) -> None:
    owner, other = visitor(waiting), visitor(waiting)
    path = asked(owner)
    other.get(FORM)
    csrf = form_of(other.get(FORM).text, FORM).fields["csrf"][0]
    assert "/stop" in owner.get(path).text and "/stop" not in other.get(path).text
    for act in ("stop", "keep", "remove"):
        answer = other.post(f"{path}/{act}", data={"csrf": csrf, "command": "command-1", "name": "Mine"})
        assert (answer.status_code, "not_allowed" in answer.text) == (403, True)
    assert queued(waiting) == [path.rpartition("/")[2]]
    assert owner.post(f"{path}/stop", data={"command": "command-2"}).status_code == 403  # no csrf token
    assert submit(staff(waiting), path, f"{path}/stop").status_code == 303
    assert queued(waiting) == []
    html = owner.get(path).text
    assert "Stopped before a round was played" in html
    assert submit(owner, path, f"{path}/remove").status_code == 303


def test_the_list_tells_ones_own_from_others(waiting: Web) -> None:
    mine, other = visitor(waiting), visitor(waiting)
    path = asked(mine)
    assert mine.get("/simulations").text.count("yours</span>") == 1
    assert "yours</span>" not in other.get("/simulations").text
    assert path in other.get("/simulations").text
    assert "<html" not in mine.get("/simulations", headers={"HX-Request": "true"}).text


def test_staff_need_no_purse_to_simulate(waiting: Web) -> None:
    http = staff(waiting)
    assert asked(http)
    assert PLAYER_COOKIE not in http.cookies


def test_a_run_that_failed_shows_why(waiting: Web) -> None:
    http = visitor(waiting)
    path = asked(http)
    rows(waiting.store_url, state="failed", note="The process that played it was ended from outside.")
    assert "Failed. The process that played it was ended from outside." in http.get(path).text


def test_a_run_of_another_server_is_not_said_to_be_played_here(empty: Web) -> None:
    html = visitor(empty).get("/simulations/elsewhere").text
    assert "Another server plays it; if that one is gone, it is taken up here within 20 seconds." in html
    assert "Playing." not in html


def test_what_is_not_there(empty: Web) -> None:
    http = visitor(empty)
    assert http.get("/simulations/nothing").status_code == 404
    assert http.get("/simulations/nothing/json").status_code == 404
    assert http.get("/simulations/new/poker").status_code == 404
    assert http.get(f"{FORM}?like=nothing").status_code == 404
