"""The interactive table and logged rounds, as a person at a terminal meets them."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from croupier.rules import find_game, game_ids
from croupier.table.log import log_text, parse_log
from croupier.table.shoe import commitment_of
from croupier.testing import check_game, random_rounds
from tests.conftest import Croupier

# Answers to whatever may be asked: each is refused with a sentence where it does not fit.
ANSWERS = "\n".join(["s", "1", "k", "n", "f", "u", "c", "l", "s", "s"] * 40)


@pytest.mark.parametrize("name", game_ids())
def test_a_person_can_play_and_leave_every_game(name: str, croupier: Croupier, monkeypatch: pytest.MonkeyPatch) -> None:
    wagers = f"{find_game(name).first_wager.id}=10"
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{wagers}\n{ANSWERS}\nq\n"))
    said = croupier("play", name)
    assert (said.status, said.err) == (0, "")
    assert "this round" in said.out
    assert "rounds, " in said.out


def test_help_pay_tables_odds_and_rules_are_shown_on_request(
    croupier: Croupier, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("?\nt\no\nr\nq\n"))
    out = croupier("play", "double_barrel").out
    assert "Mini royal" in out
    assert "bonus: house edge 5.785%" in out
    assert "flex card" in out


def test_a_seed_repeats_a_session_and_another_seed_has_other_cards(
    croupier: Croupier, monkeypatch: pytest.MonkeyPatch
) -> None:
    def session(seed: str) -> str:
        monkeypatch.setattr("sys.stdin", io.StringIO("10\nb\nb\n10\nl\nl\nq\n"))
        return croupier("play", "let_it_ride", "--seed", seed).out

    assert session("7") == session("7") != session("8")
    assert "b take_back returns $10" in session("7")
    scripted = croupier("play", "casino_war", "--seat", "main=10", "--cards", "Kh 9s", "--seed", "7")
    assert (scripted.status, "bad_seed" in scripted.err) == (2, True)


def test_cards_of_which_nothing_is_known_have_no_brackets(croupier: Croupier, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("10\nq\n"))
    out = croupier("play", "caribbean_stud", "--seed", "1").out
    assert "▒▒ ▒▒ ▒▒ ▒▒\n" in out
    assert "()" not in out


def test_wrong_words_are_answered_with_a_sentence_and_asked_again(
    croupier: Croupier, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("main=ten\nmian=10\nmain=4000\nq\n"))
    out = croupier("play", "blackjack").out
    assert "is not an amount" in out
    assert 'Did you mean "main"?' in out
    assert "over the limit" in out


@pytest.mark.parametrize("name", game_ids())
def test_a_log_survives_its_text_form(name: str) -> None:
    for log, state in random_rounds(find_game(name), rounds=30, seed=11):
        again = parse_log(log_text(log))
        assert log_text(again) == log_text(log)
        assert again.state().events == state.events


def test_a_logged_round_is_shown_step_by_step(croupier: Croupier, tmp_path: Path) -> None:
    path = tmp_path / "round.log"
    path.write_text(
        "croupier round 1\ngame double_down_madness\nday 2026-11-16\ndecks 6\nseat main=10 push_22=5\n"
        "card 6h\ncard Ts\ncard Kd\nanswer double\ncard As\ncard 6c\n"
    )
    said = croupier("replay", str(path))
    assert said.status == 0
    assert "Main wager of $20: Suited blackjack, $60 back." in said.out
    assert "Push 22™ of $5: Any other dealer 22, $45 back." in said.out


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("hello", "bad_log"),
        ("croupier round 1\ngame blackjack\n", "bad_log"),
        ("croupier round 1\nwhat is this\n", "bad_log"),
        ("croupier round 1\ngame nojack\nday 2026-11-16\ndecks 6\nseat main=1\n", "unknown_game"),
        ("croupier round 1\ngame blackjack\nday 2026-11-16\ndecks 6\nseat main=1\nset soft17\n", "bad_log"),
        ("croupier round 1\ngame blackjack\ngame blackjack\nday 2026-11-16\ndecks 6\nseat main=1\n", "bad_log"),
        ("croupier round 1\ngame blackjack\nday 2026-11-16\ndecks 6\nseat main=1\nanswer hit\n", "bad_log"),
        ("croupier round 1\ngame blackjack\nday today\ndecks 6\nseat main=1\n", "bad_log"),
        ("croupier round 1\ngame blackjack\nrules 1999\nday 2026-11-16\ndecks 6\nseat main=1\n", "other_rules"),
        ("croupier round 1\ngame blackjack\nday 2026-11-16\ndecks 6\nseat main=1\ncard 1x\n", "bad_card"),
    ],
)
def test_a_log_that_does_not_read_is_refused_with_a_code(
    text: str, code: str, croupier: Croupier, tmp_path: Path
) -> None:
    path = tmp_path / "round.log"
    path.write_text(text)
    said = croupier("replay", str(path))
    assert (said.status, said.out) == (2, "")
    assert f"croupier: {code}: " in said.err


def test_a_logged_meter_is_kept(croupier: Croupier, tmp_path: Path) -> None:
    path = tmp_path / "round.log"
    path.write_text(
        "croupier round 1\ngame double_down_madness\nday 2026-11-16\ndecks 6\nmeter push_22_progressive=50000\n"
        "seat main=10 push_22_progressive=1\ncard 4s\ncard Th\ncard 5s\nanswer stand\ncard 6s\ncard 7s\n"
    )
    assert "$50,000 back" in croupier("replay", str(path)).out


def test_a_game_file_of_ones_own_passes_the_conformance_suite_and_its_logs_replay(
    croupier: Croupier, tmp_path: Path
) -> None:
    source = Path(__file__).parent.parent / "src/croupier/games/blackjack/game.toml"
    mine = tmp_path / "mine.toml"
    mine.write_text(source.read_text(encoding="utf-8").replace('id = "blackjack"', 'id = "my_blackjack"', 1))
    game = find_game(str(mine))
    assert check_game(game, rounds=20) == 20
    log, _ = next(random_rounds(game, rounds=1, seed=3))
    (tmp_path / "round.log").write_text(log_text(log))
    assert croupier("replay", str(tmp_path / "round.log"), "--game", str(mine)).status == 0


def test_a_sealed_shoe_shows_its_commitment_and_in_the_end_its_seed(
    croupier: Croupier, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("player=1\nq\n"))
    out = croupier("play", "mini_baccarat", "--sealed").out.split()
    commitment, seed = out[out.index("shoe") + 1], out[out.index("seed") + 1]
    assert commitment_of(bytes.fromhex(seed)) == commitment
