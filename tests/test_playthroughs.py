"""Golden playthroughs: rounds worked out by hand from the letters and dealt card by card.

The rounds are data, in `playthroughs/*.toml`; what they expect was derived from the letters and their readings alone.
"""

from __future__ import annotations

import tomllib
from datetime import date
from pathlib import Path
from typing import Any

import msgspec
import pytest

from croupier.cards import parse_cards
from croupier.errors import CroupierError
from croupier.reports.rounds.data import round_data
from croupier.rules import find_game
from croupier.table.replay import RoundState, replay
from croupier.table.setup import Stakes, make_rules, parse_stakes

DAY = date(2026, 11, 16)
"""The single-wager limit of this day is $400."""


class Playthrough(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """A scripted round and what must come of it."""

    name: str
    """The fact it shows, as a sentence."""
    letter: str
    """Which paragraph of the letter, or which reading, says so."""
    game: str = ""
    """The file's game if not given."""
    rule: list[int] = []
    """Steps of the game's own list of rules that it shows, counted from 1."""
    seats: list[str]
    cards: str = ""
    answers: str = ""
    settings: dict[str, str] = {}
    pay_tables: dict[str, str] = {}
    decks: int | None = None
    status: str = "complete"
    needs: str = ""
    """What an unfinished round waits for."""
    error: str = ""
    """The code with which the round is refused."""
    dealer_total: int | None = None
    player_total: int | None = None
    wagers: list[str] | None = None
    """Each settled wager: seat.hand wager row staked returned."""
    order: list[str] | None = None
    """The same, seat.hand and wager alone, in the order of settlement."""
    notes: list[str] | None = None
    """Where the table leaves the letter."""
    net: list[str] | None = None
    """Net result of each seat."""
    asked: list[str] | None = None
    """Each question with its legal answers, and the answer."""


class Sheet(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """One file of playthroughs."""

    game: str = ""
    third_card: dict[str, str] = {}
    """Baccarat: by the banker's total, D or S against each third card of the player."""
    playthrough: list[Playthrough]


def read_sheet(file: Path) -> Sheet:
    sheet = msgspec.convert(tomllib.loads(file.read_text(encoding="utf-8")), Sheet)
    for play in sheet.playthrough:
        play.game = play.game or sheet.game
    return sheet


SHEETS = [read_sheet(file) for file in sorted((Path(__file__).parent / "playthroughs").glob("*.toml"))]
PLAYTHROUGHS = [play for sheet in SHEETS for play in sheet.playthrough]
FINISHED = [play for play in PLAYTHROUGHS if play.status == "complete" and not play.error]
UNFINISHED = [play for play in PLAYTHROUGHS if play.status != "complete"]
REFUSED = [play for play in PLAYTHROUGHS if play.error]
GAMES = sorted({play.game for play in PLAYTHROUGHS})
BANKER_TABLE = next(sheet.third_card for sheet in SHEETS if sheet.third_card)


def as_cases(plays: list[Playthrough]) -> list[Any]:
    """Test cases named by game and fact."""
    return [pytest.param(play, id=f"{play.game}: {play.name}") for play in plays]


def deal(play: Playthrough) -> RoundState:
    game = find_game(play.game)
    rules = make_rules(game, decks=play.decks, settings=play.settings, pay_tables=play.pay_tables, day=DAY)
    stakes: list[Stakes] = [parse_stakes(seat, game) for seat in play.seats]
    return replay(rules, stakes, parse_cards(play.cards), play.answers.split())


def settled_lines(data: dict[str, Any]) -> list[str]:
    return [
        f"{seat['seat']}.{bet['hand']} {bet['wager']} {bet['row']} {bet['staked']} {bet['returned']}"
        for seat in data["seats"]
        for bet in seat["wagers"]
    ]


def asked_lines(data: dict[str, Any]) -> list[str]:
    return [
        f"{ask['seat']}.{ask['hand']} {ask['question']} {','.join(ask['legal'])} -> {ask['answer']}"
        for ask in data["asked"]
    ]


def needs_line(needs: dict[str, Any]) -> str:
    place = ".".join(str(needs[key]) for key in ("seat", "hand") if needs[key])
    if "card_for" in needs:
        return f"card {needs['card_for']} {place}".strip()
    most = f" most {needs['most']}" if needs["most"] else ""
    return f"{place} {needs['question']} {','.join(needs['legal'])}{most}"


@pytest.mark.parametrize("play", as_cases(FINISHED))
def test_a_round_ends_as_the_letter_has_it(play: Playthrough) -> None:
    state = deal(play)
    data = round_data(state)
    assert (data["status"], data["needs"]) == ("complete", None)
    if play.order is not None:
        assert [f"{event.seat}.{event.hand} {event.wager}" for event in state.settled] == play.order
    if play.notes is not None:
        assert data["notes"] == play.notes
    assert sorted(settled_lines(data)) == sorted(play.wagers or [])
    if play.net is not None:
        assert [seat["net"] for seat in data["seats"]] == play.net
    if play.dealer_total is not None:
        assert data["dealer_total"] == play.dealer_total
    if play.player_total is not None:
        assert data["player_total"] == play.player_total
    if play.asked is not None:
        assert asked_lines(data) == play.asked
    assert (data["cards_used"], data["answers_used"]) == (len(play.cards.split()), len(play.answers.split()))


@pytest.mark.parametrize("play", as_cases(UNFINISHED))
def test_an_unfinished_round_says_what_it_needs(play: Playthrough) -> None:
    data = round_data(deal(play))
    assert (data["status"], needs_line(data["needs"])) == (play.status, play.needs)
    assert data["house_net"] is None
    if play.wagers is not None:
        assert settled_lines(data) == play.wagers
    if play.dealer_total is not None:
        assert data["dealer_total"] == play.dealer_total


@pytest.mark.parametrize("play", as_cases(REFUSED))
def test_a_round_against_the_rules_is_refused_with_a_stable_code(play: Playthrough) -> None:
    with pytest.raises(CroupierError) as refused:
        deal(play)
    assert refused.value.code == play.error


@pytest.mark.parametrize("total", range(8))
@pytest.mark.parametrize("third", range(10))
def test_the_banker_draws_by_the_third_card_table(total: int, third: int) -> None:
    ranks = "TA23456789"
    draws = BANKER_TABLE[str(total)][third] == "D"
    cards = f"Kh {ranks[total]}c Kd Ks {ranks[third]}h" + (" Ts" if draws else "")
    data = round_data(deal(Playthrough(name="", letter="", game="mini_baccarat", seats=["tie=1"], cards=cards)))
    assert (data["status"], data["cards_used"]) == ("complete", 6 if draws else 5)
    assert (data["player_total"], data["dealer_total"]) == (third, total)


@pytest.mark.parametrize("stood", [6, 7])
@pytest.mark.parametrize("total", range(8))
def test_the_banker_draws_to_five_after_a_player_who_stood(total: int, stood: int) -> None:
    draws = BANKER_TABLE["stood"][total] == "D"
    cards = f"{stood}h {'TA23456789'[total]}c Kd Ks" + (" Ts" if draws else "")
    data = round_data(deal(Playthrough(name="", letter="", game="mini_baccarat", seats=["tie=1"], cards=cards)))
    assert (data["status"], data["cards_used"]) == ("complete", 5 if draws else 4)


@pytest.mark.parametrize("game_id", GAMES)
def test_every_step_of_a_games_rules_is_shown_by_a_playthrough(game_id: str) -> None:
    steps = set(range(1, len(find_game(game_id).rules) + 1))
    shown = {number for play in PLAYTHROUGHS if play.game == game_id for number in play.rule}
    assert shown == steps


@pytest.mark.parametrize("game_id", GAMES)
def test_no_two_playthroughs_of_a_game_state_the_same_fact(game_id: str) -> None:
    names = [play.name for play in PLAYTHROUGHS if play.game == game_id]
    assert len(names) == len(set(names))
