"""The 66 titles that letters 002 and 004 name: which work, what is missing, and what one that is only named says."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from croupier.errors import CroupierError
from croupier.rules import find_game, game_ids
from croupier.rules.titles import catalog
from tests.conftest import Croupier
from tests.test_pages_reading import get
from tests.web_client import Web, demo_web


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    with demo_web(str(tmp_path_factory.mktemp("titles") / "titles.db")) as made:
        yield made


def test_the_letters_number_66_titles_and_each_works_or_says_why_not() -> None:
    titles = catalog().titles
    assert [title.number for title in titles] == list(range(1, 67))
    assert len({title.id for title in titles}) == 66
    assert [title.number for title in titles if not title.is_working and not title.lacks] == []
    assert {title.game for title in titles if title.is_working} <= set(game_ids())


def test_games_from_public_descriptions_are_all_titles_of_the_letters() -> None:
    public = {name for name in game_ids() if find_game(name).source.kind == "public"}
    assert public <= {title.game for title in catalog().titles}


@pytest.mark.parametrize("wanted", ["Dakota Stud", "dakota_stud", "dakota-stud"])
def test_a_title_that_is_only_named_says_why_it_cannot_be_dealt(wanted: str) -> None:
    with pytest.raises(CroupierError, match=r"title 16 .* No public description was found") as refused:
        find_game(wanted)
    assert refused.value.code == "only_named"


def test_the_command_refuses_such_a_title_with_one_sentence(croupier: Croupier) -> None:
    answer = croupier("play", "supreme_99")
    assert answer.status == 2
    assert answer.err.startswith("croupier: only_named: Supreme 99 is title 52")


def test_the_command_lists_every_title_for_people_and_for_programs(croupier: Croupier) -> None:
    listed = json.loads(croupier("games", "--all", "--json").out)
    assert [title["number"] for title in listed] == list(range(1, 67))
    by_number = {title["number"]: title for title in listed}
    assert by_number[45]["game"] == "royal_match_21" and "royal_match" in by_number[45]["wagers"]
    assert (by_number[16]["state"], by_number[16]["game"], by_number[16]["wagers"]) == ("named only", None, [])
    text = croupier("games", "--all").out
    assert [title["title"] for title in listed if title["title"] not in text] == []


def test_the_page_leads_to_every_title_that_works(web: Web) -> None:
    html = get(web, "/titles").replace("&#39;", "'")
    for title in catalog().titles:
        assert title.name in html and (f'href="/rules/{title.game}"' in html) == title.is_working
    assert "only_named" not in html and 'href="/titles"' in get(web, "/rules")
    assert "Dakota Stud is title 16" in get(web, "/rules/dakota_stud", 404)
