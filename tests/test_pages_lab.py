"""The lab's page without scripts: choose, write, solve, save, load back; and what htmx gets."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from typing import Any

import pytest
from starlette.testclient import TestClient

from croupier.lab.game_file import MOST_BYTES
from tests.pages import fill, form_of
from tests.test_pages_lobby import text_of
from tests.web_client import Web, demo_web

pytestmark = pytest.mark.slow

HTMX = {"HX-Request": "true", "HX-Source": "input#pays-0"}
LUCKY = "/lab?game=blackjack&wager=lucky_lucky&pay_table=1&decks=6"


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    with demo_web(str(tmp_path_factory.mktemp("lab") / "lab.db")) as made:
        yield made


@pytest.fixture
def http(web: Web) -> TestClient:
    return TestClient(web.app)


def opened(http: TestClient, path: str, status: int = 200) -> str:
    """The page once its figures are there; the first ones of a process may take a second."""
    for _ in range(60):
        answer = http.get(path)
        assert answer.status_code == status, answer.text
        if "Computing" not in answer.text:
            return answer.text
    raise AssertionError("no figures in a minute")


def send(http: TestClient, path: str, action: str = "/lab", /, headers: Any = None, **fields: Any) -> Any:
    """The form of the page at that address with some fields written: `pays__0` is `pays.0`."""
    form = form_of(opened(http, path), "/lab")
    named = {name.replace("__", "."): value for name, value in fields.items()}
    return http.post(action, data=fill(form, named), headers=headers or {}, follow_redirects=False)


def edge_in(html: str) -> str:
    found = re.search(r'id="figure-edge".*?<dd>(.*?)</dd><dd class="delta">(.*?)</dd>', html)
    assert found is not None, html
    return text_of(f"{found[1]} {found[2]}")


def test_the_lab_opens_with_a_side_bet_as_approved(http: TestClient) -> None:
    html = opened(http, "/lab")
    assert edge_in(html) == "5.30539% as approved"
    assert 'name="pays.0" id="pays-0" value="200 to 1"' in html


def test_a_written_pay_leads_to_the_address_of_its_draft(http: TestClient) -> None:
    answer = send(http, LUCKY, pays__0="250 to 1")
    assert answer.status_code == 303
    assert answer.headers["location"] == f"{LUCKY}&pays.0=250+to+1"
    html = opened(http, answer.headers["location"])
    assert edge_in(html) == "5.22560% -0.07979%"
    assert "as approved: 200 to 1" in html
    assert "Pay table 2" in html and "9.92269%" in html


def test_htmx_gets_the_form_with_new_figures_and_the_address_to_show(http: TestClient) -> None:
    answer = send(http, LUCKY, pays__0="250:1", headers=HTMX)
    assert answer.status_code == 200
    assert answer.text.lstrip().startswith('<form id="lab"')
    assert edge_in(answer.text) == "5.22560% -0.07979%"
    assert answer.headers["hx-replace-url"] == f"{LUCKY}&pays.0=250%3A1"


def test_a_half_typed_pay_is_said_at_its_field_and_leaves_the_figures_alone(http: TestClient) -> None:
    answer = send(http, LUCKY, pays__0="250 t", headers=HTMX)
    assert answer.status_code == 422
    assert (answer.headers["hx-retarget"], answer.headers["hx-reselect"]) == ("#edit", "#edit")
    assert 'aria-invalid="true" aria-describedby="problem-pays.0"' in answer.text
    assert '"250 t" is not a pay' in text_of(answer.text).replace("&#34;", '"')
    assert "figure-edge" not in answer.text


def test_rows_are_taken_off_added_and_solved_for(http: TestClient) -> None:
    html = opened(http, send(http, LUCKY, off="7").headers["location"])
    assert "choose an outcome" in html and '<option value="total_19">' in html
    added = send(http, f"{LUCKY}&off=7", add="total_19", solve_row="4", solve_edge="5%").headers["location"]
    assert "pays.%2Btotal_19=1+to+1" in added
    text = text_of(opened(http, added))
    assert "Suited 21: 24.288994 to 1 gives 5.0000%, exactly 322655 to 13284" in text
    assert "24 to 1 5.15315%" in text
    gone = send(http, added, off=["7", "+total_19"]).headers["location"]
    assert "total_19" not in gone


def test_another_game_wager_or_table_leaves_the_rows_behind(http: TestClient) -> None:
    edited = f"{LUCKY}&pays.0=250+to+1&set.soft17=stand"
    table = send(http, edited, pay_table="2").headers["location"]
    assert "pays.0" not in table and "pay_table=2" in table and "set.soft17=stand" in table
    wager = send(http, edited, wager="insurance").headers["location"]
    assert wager == "/lab?game=blackjack&wager=insurance&pay_table=1&decks=6&set.soft17=stand"
    game = send(http, edited, game="mini_baccarat").headers["location"]
    assert game.startswith("/lab?game=mini_baccarat&wager=dragon_bonus_player&pay_table=1")


def test_a_progressive_has_its_meters_notes_and_leads_to_its_settings(http: TestClient) -> None:
    html = opened(http, "/lab?game=double_down_madness&wager=push_22_progressive&pays.4=6+for+1")
    assert "over the life of the jackpot" in html
    assert "/lab/meter?wager=double_down_madness/push_22_progressive&amp;pay_table=1" in html


def test_decks_that_no_letter_has_are_shown_as_chosen_and_noted(http: TestClient) -> None:
    html = opened(http, "/lab?game=mini_baccarat&wager=tie&decks=1")
    assert '<option value="1" selected>' in html
    assert "1 deck: not in the letter" in html


def test_a_side_is_chosen_where_there_are_sides(http: TestClient) -> None:
    path = "/lab?game=mini_baccarat&wager=dragon_bonus_progressive&pay_table=2"
    player, banker = opened(http, path), opened(http, f"{path}&side=banker")
    assert 'name="side"' in player
    assert edge_in(player) != edge_in(banker)


def test_a_wager_that_is_played_is_solved_when_asked(http: TestClient) -> None:
    path = "/lab?game=blackjack&wager=main&decks=6&pays.0=6+to+5"
    assert 'press "Compute"' in text_of(opened(http, path))
    asked = send(http, path, do="compute").headers["location"]
    assert asked.endswith("&do=compute")
    html = opened(http, asked)
    assert edge_in(html) == "1.97508% +1.35969%"
    assert "Solve every rule" in html


@pytest.mark.parametrize(
    ("query", "status", "says"),
    [
        ("game=roulette", 404, "Accepted: bet_the_bust, bet_the_set_21"),
        ("game=blackjack&wager=lucky", 404, "Accepted: main"),
        ("game=blackjack&wager=main&pay_table=9", 422, "Accepted: 1"),
        ("game=blackjack&decks=99", 422, "1 to 8"),
        ("game=blackjack&set.color=red", 422, "There is no switch"),
        ("game=blackjack&wager=lucky_lucky&pays.77=1+to+1", 422, "There is no row"),
        ("game=blackjack&wager=lucky_lucky&paid.0=1+to+1", 422, "There is no field"),
        ("game=blackjack&wager=lucky_lucky&pays.0=" + "1" * 300, 422, "at most 200 characters"),
        ("game=blackjack&wager=lucky_lucky" + "&pays.%2Ba=1" * 500, 422, "502 fields were sent"),
    ],
)
def test_bad_addresses_say_what_is_accepted(http: TestClient, query: str, status: int, says: str) -> None:
    answer = http.get(f"/lab?{query}")
    assert answer.status_code == status
    assert says in answer.text.replace("&#34;", '"')


def test_a_file_is_saved_and_loads_back_with_the_same_edge(http: TestClient) -> None:
    saved = send(http, f"{LUCKY}&pays.0=250+to+1", "/lab/file")
    assert saved.status_code == 200
    assert saved.headers["content-disposition"] == 'attachment; filename="blackjack-draft-lucky_lucky.toml"'
    assert saved.text.startswith("# Made from blackjack 2021-11-04, lucky_lucky, pay table 1;")
    loaded = upload(http, saved.content)
    assert loaded.status_code == 200
    assert "Own file: " in loaded.text
    assert edge_in(loaded.text) == "5.22560% as in the file"
    # It goes on from there: the file travels in the form.
    changed = fill(form_of(loaded.text, "/lab"), {"pays.0": "300 to 1"})
    on = http.post("/lab", data=changed, headers=HTMX)
    assert edge_in(on.text).startswith("5.14581%")
    assert "hx-replace-url" not in on.headers
    again = http.post("/lab/file", data=changed)
    assert 'pays = "300 to 1"' in again.text


def upload(http: TestClient, content: bytes, name: str = "own.toml", **written: str) -> Any:
    """A file sent with the draft's form, as the button beside it does."""
    form = form_of(opened(http, LUCKY), "/lab")
    named = {field.replace("__", "."): text for field, text in written.items()}
    return http.post("/lab/load", data=fill(form, named), files={"upload": (name, content)} if name else None)


def test_a_refused_file_is_said_first_and_leaves_the_draft_as_it_was_written(http: TestClient) -> None:
    answer = upload(http, b"id = ", pays__0="777 to 1")
    assert answer.status_code == 422
    assert 'name="pays.0" id="pays-0" value="777 to 1"' in answer.text
    assert edge_in(answer.text) != "5.30539% as approved"
    alert = re.search(r'<p class="problem" id="problem-upload" role="alert" tabindex="-1" autofocus>', answer.text)
    assert alert is not None and alert.start() < answer.text.index('<form id="lab"')
    # A field of a browser without scripts that sends the form for something else.
    assert http.post("/lab", data=fill(form_of(answer.text, "/lab"), {"upload": "own.toml"})).status_code == 200


OFF = "&off=0&off=1&off=2&off=3&off=4&off=5&off=6&off=7"


def test_a_pay_table_without_rows_is_refused_at_the_rows_and_shows_no_figures(http: TestClient) -> None:
    html = opened(http, f"{LUCKY}{OFF}", status=422)
    assert 'id="problem-rows" role="alert">A pay table needs at least one row: every row is off.' in html
    assert "figure-edge" not in html and "Fix the pay table to see figures." in html
    assert "$.wagers" not in html
    # The box of the last row, with scripts: the whole form is made anew, so that no figure of before stays.
    form = form_of(html, "/lab")
    answer = http.post("/lab", data=fill(form, {}), headers={"HX-Request": "true", "HX-Source": "input#off-7"})
    assert answer.status_code == 422 and "hx-retarget" not in answer.headers
    assert "problem-rows" in answer.text


def test_sentences_of_the_lab_offer_what_is_accepted_there(http: TestClient) -> None:
    html = unescape(opened(http, f"{LUCKY}&pays.0=5.5%25", status=422))
    assert '"5.5%" is not a pay. Write "3 to 2", "50 for 1" or "push".' in html
    meter = unescape(opened(http, "/lab?game=double_down_madness&wager=push_22_progressive&pays.0=5.5%25", status=422))
    assert 'or a whole number of per cents, as "10%", for a share of the meter' in meter


def test_rows_that_the_solver_knows_in_one_way_only_are_not_offered_to_solve_for(http: TestClient) -> None:
    html = opened(http, "/lab?game=blackjack&wager=main&decks=6")
    offered = re.search(r'<select name="solve_row".*?</select>', html, re.DOTALL)
    assert offered is not None
    assert text_of(offered[0]).split() == ["Blackjack"]


def test_the_lab_leads_to_a_simulation_of_the_game(http: TestClient) -> None:
    assert 'href="/simulations/new/blackjack"' in opened(http, LUCKY)
    assert http.get("/simulations/new/blackjack").status_code == 200
    assert 'href="/simulations/new/mini_baccarat"' in opened(http, "/sheet/mini_baccarat/tie")


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "is empty"),
        (b"id = ", "not well-formed TOML"),
        (b"\xff\xfe", "not UTF-8"),
        (b'id = "x"\n', "missing required field name. Accepted: id, name, short"),
        (b'extends = "/etc/passwd"\n', "Accepted: bet_the_bust, bet_the_set_21"),
        (b"#" * (MOST_BYTES + 1), "at most 131,072 bytes"),
    ],
)
def test_bad_files_are_refused_at_their_field_and_nothing_opens(http: TestClient, content: bytes, says: str) -> None:
    answer = upload(http, content)
    assert answer.status_code == 422
    assert says in text_of(answer.text).replace("`", "")
    assert 'aria-describedby="problem-upload"' in answer.text
    assert edge_in(answer.text) == "5.30539% as approved"  # what was there before


def test_a_draft_with_a_mistake_is_not_saved(http: TestClient) -> None:
    answer = send(http, LUCKY, "/lab/file", pays__0="10%")
    assert answer.status_code == 422
    assert "content-disposition" not in answer.headers
    assert "share of a meter, but the table has no jackpot.</small>" in answer.text


def test_a_sheet_and_the_lobby_lead_to_the_lab(http: TestClient) -> None:
    sheet = opened(http, "/sheet/mini_baccarat/dragon_bonus_progressive?pay_table=2&side=banker&set.fixed_pays=meter")
    path = "/lab?game=mini_baccarat&wager=dragon_bonus_progressive&pay_table=2&decks=8&side=banker&set.fixed_pays=meter"
    assert f'href="{path.replace("&", "&amp;")}"' in sheet
    assert 'href="/lab?game=mini_baccarat"' in http.get("/").text


def test_forms_of_others_are_refused(http: TestClient) -> None:
    assert http.post("/lab", data={"game": "blackjack", "csrf": "x"}).status_code == 400, "without a cookie"
    http.cookies.set("croupier_player", "a" * 43)
    for path in ("/lab", "/lab/file", "/lab/load"):
        assert http.post(path, data={"game": "blackjack", "csrf": "x"}).status_code == 403
