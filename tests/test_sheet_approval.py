"""What an odds sheet says of approval, participation and simulation error: a reviewer can follow every figure."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from io import BytesIO
from math import sqrt
from pathlib import Path

import pytest
from pypdf import PdfReader

from croupier.errors import SpecError
from croupier.exact.check import check_game
from croupier.exact.odds import compute_odds
from croupier.lab.draft import Draft, open_draft, try_draft
from croupier.lab.game_file import draft_from_toml, draft_to_toml, saved_game
from croupier.reports.formatting import nearest_cent, z_text
from croupier.reports.sheet.files import sheet_pdf
from croupier.reports.sheet.fill import make_sheet
from croupier.reports.sheet.model import head_of, spec_hash
from croupier.rules import find_game, game_ids
from croupier.rules.choice import choose
from tests.conftest import Croupier
from tests.outside import DEALER_21, write_bet
from tests.test_sheet import PUSH, pdf_text, sheet_of

LUCKY = Draft(game="blackjack", wager="lucky_lucky", pays=(("0", "250 to 1"),))
STANDING = Draft(game="double_down_madness", wager="push_22", settings=(("soft17", "stand"),))
HASHES = {
    "bet_the_bust": "4f561f50b43a3a99",
    "bet_the_set_21": "5423c08636bedae5",
    "blackjack": "ac05e61c04bc0d03",
    "blackjack_switch": "dc87bab9460608b7",
    "blazing_7s": "c99381f63521bd35",
    "blazing_7s_players_cards": "e9d185e71a5f5985",
    "caribbean_stud": "a8065fa78058eaab",
    "casino_war": "79a07015f3f08bfd",
    "crazy_4_poker": "db55307b5b8b13a9",
    "dj_wild": "ab3d67c55123ccf4",
    "double_barrel": "2a1f0a7788d8240f",
    "double_down_madness": "26def1b713e84ac9",
    "ez_baccarat": "feea05bf1a8f3dc7",
    "fortune_7_baccarat": "8a6e44fc9ba853ff",
    "four_card_poker": "16dd02e740a93722",
    "free_bet_blackjack": "a62c9787eca505a3",
    "house_money": "941e9599217da246",
    "i_luv_suits": "a3f87b35796da615",
    "kings_bounty": "4435db4c5c88f43a",
    "let_it_ride": "0ef714e59c7188a7",
    "mini_baccarat": "3a2ca5c3b0de2e81",
    "mississippi_stud": "aadec1aba94d72ca",
    "royal_match_21": "09f374b6bd2dd94a",
    "super_fun_21": "0a239caf76ab5399",
    "texas_holdem_bonus": "9a58012176f9df5a",
    "three_card_baccarat": "5029fff1eefa96a6",
    "three_card_poker": "001059d9b64b3672",
    "trilux": "312cdbee9af8a0e2",
    "ultimate_texas_holdem": "b48b4a3e2f599b05",
    "zappit_blackjack": "167c0c1afa4f42ac",
}


@pytest.fixture
def draft_file(tmp_path: Path) -> Path:
    path = tmp_path / "own.toml"
    path.write_text(draft_to_toml(try_draft(open_draft(LUCKY))), encoding="utf-8")
    return path


def test_a_draft_says_on_paper_and_to_programs_that_nobody_approved_it(draft_file: Path, croupier: Croupier) -> None:
    pdf = draft_file.with_suffix(".pdf")
    assert croupier("sheet", str(draft_file), "lucky_lucky", "--no-effects", "--pdf", str(pdf)).status == 0
    paper = " ".join(pdf_text(pdf.read_bytes()).split())
    made = "a draft made from blackjack 2021-11-04, lucky_lucky, pay table 1"
    assert f"Not approved: {made}" in paper
    assert "Gambling Commission" not in paper
    assert "letter 003" not in paper and "the letter allows" not in paper
    pages = int(paper.rpartition(" of ")[2])
    assert paper.count("2021-11-04-draft, not approved, spec ") == pages
    data = json.loads(croupier("sheet", str(draft_file), "lucky_lucky", "--no-effects", "--json").out)
    assert data["head"]["letter"] is None and "letter_date" not in data["head"]
    assert data["head"]["draft_of"] == made.removeprefix("a draft made from ")


@pytest.mark.parametrize("command", ["odds", "check", "simulate"])
def test_every_command_says_that_a_draft_is_not_approved(command: str, draft_file: Path, croupier: Croupier) -> None:
    file = str(draft_file)
    arguments = {
        "odds": [file, "lucky_lucky"],
        "check": ["--game", file],
        "simulate": [file, "--wagers", "lucky_lucky", "--rounds", "1000"],
    }[command]
    said = croupier(command, *arguments)
    assert said.status == 0, said.err
    text = " ".join(said.out.split())
    assert "not approved: a draft made from blackjack 2021-11-04" in text
    assert "letter 003" not in text


def test_a_draft_of_a_draft_knows_its_origin_and_what_the_letter_says() -> None:
    first = saved_game(try_draft(open_draft(STANDING)))
    assert first.source.departs == {"soft17": "hit"}
    assert "rule soft17 = stand: not in the letter, which has hit" in choose(first, "push_22").notes
    opened = draft_from_toml(draft_to_toml(try_draft(open_draft(STANDING))))
    again = saved_game(try_draft(open_draft(opened)))
    assert again.source == first.source
    back = saved_game(try_draft(open_draft(replace(opened, settings=(("soft17", "hit"),)))))
    assert back.source.departs == {} and back.source.draft_of == first.source.draft_of


def test_a_file_cannot_be_a_draft_and_name_a_letter(draft_file: Path) -> None:
    text = draft_file.read_text(encoding="utf-8")
    draft_file.write_text(text.replace("[source]\n", '[source]\nletter = "003"\n'), encoding="utf-8")
    with pytest.raises(SpecError, match=r"leave out letter.* - at \$\.source\.draft_of"):
        find_game(str(draft_file))
    draft_file.write_text(text.replace("draft_of = ", "# "), encoding="utf-8")
    with pytest.raises(SpecError, match=r"name letter, title and agency.* - at \$\.source"):
        find_game(str(draft_file))


def test_an_added_wager_does_not_bear_the_letter_of_the_game_it_is_added_to(tmp_path: Path) -> None:
    game = find_game(str(write_bet(tmp_path / "mine")))
    own, base = (
        {one.id: (one.label, one.text) for one in head_of(choose(game, name))} for name in ("my_bet", "lucky_lucky")
    )
    assert own["letter"] == ("Source", "rack card, A pair, nobody")
    assert base["letter"][0] == "Letter" and "Gambling Commission" in base["letter"][1]
    source = find_game("blackjack").source
    path = tmp_path / "mine" / "game.toml"
    claimed = path.read_text(encoding="utf-8").replace('"rack card"', f'"{source.letter}"')
    path.write_text(claimed.replace('"nobody"', f'"{source.agency}"'), encoding="utf-8")
    with pytest.raises(SpecError, match=r"has none of the added wagers.* - at \$\.source\.letter"):
        find_game(str(tmp_path / "mine"))


def test_settings_of_an_extension_that_leave_the_letter_are_noted(tmp_path: Path) -> None:
    path = write_bet(tmp_path / "mine") / "game.toml"
    text = path.read_text(encoding="utf-8").replace('extends = "blackjack"', 'extends = "double_down_madness"')
    path.write_text(text.replace("[source]", '[settings]\nsoft17 = "stand"\n\n[source]'), encoding="utf-8")
    (path.parent / "my_bet.py").write_text(DEALER_21, encoding="utf-8")
    game = find_game(str(path))
    assert "rule soft17 = stand: not in the letter, which has hit" in choose(game, "push_22").notes
    assert game.switch("soft17").basis == "house"


def test_our_games_keep_the_hashes_that_printed_sheets_have() -> None:
    assert {name: spec_hash(find_game(name))[:16] for name in game_ids()} == HASHES


def test_figures_for_one_wager_a_round_say_so_and_are_rounded_to_the_cent() -> None:
    sheet = sheet_of(*PUSH)
    for name in ("edge", "seed_cost", "edge_of_parts", "seed", "break_even_meter", "average_top"):
        assert "with one wager a round" in sheet.figure(name).detail, name
    assert "3 wagers" not in sheet.figure("rounds_per_day").detail
    assert "however many wager" in sheet.figure("back_to_back_30").detail
    assert sheet.figure("break_even_meter").text == "$168,425.78"
    assert nearest_cent(Fraction(5, 1000)) == 10_000 and nearest_cent(Fraction(4999, 10**6)) == 0


def test_a_printed_z_can_be_computed_again() -> None:
    """From the pay table and the printed words alone."""
    checked = next(one for one in check_game(find_game("double_down_madness")) if one.deviation and one.z)
    odds = compute_odds(choose(find_game("double_down_madness"), checked.fact.wager, pay_table=checked.fact.pay_table))
    fixed = [(row.probability, row.row.pays.returned) for row in odds.rows if row.row and not row.row.pays.is_share]
    mean = sum(float(p * pays) for p, pays in fixed)
    deviation = sqrt(sum(float(p * pays * pays) for p, pays in fixed) - mean**2)
    z = (0.1494 + 0.00005 - float(odds.edge)) / (deviation / sqrt(100_000_000))
    assert checked.fact.printed == "14.94%"
    text = z_text(checked)
    assert f"= {z:+.2f};" in text and f"{deviation:.5f} / root of 100,000,000 rounds" in text
    assert "deviation of the fixed pays alone" in text


def test_check_and_sheet_print_how_z_comes_about(croupier: Croupier) -> None:
    for arguments in (("check", "--game", "double_down_madness"), ("sheet", *PUSH, "--no-effects")):
        text = " ".join(croupier(*arguments).out.split())
        assert "3.46208 is the deviation of the fixed pays alone" in text
    assert "inferred in part" not in text


def test_rows_of_a_meter_that_runs_dry_add_up_and_its_edge_is_called_approximate() -> None:
    choice = choose(find_game(PUSH[0]), PUSH[1], settings={"fixed_pays": "meter"})
    sheet = make_sheet(choice, effects=False)
    assert sheet.returned == -compute_odds(choice).edge
    assert sheet.figure("valued_at").text == "$0"
    assert "approximate" in sheet.figure("edge").detail
    assert any("lower by about 0.042 percentage points" in note for note in sheet.notes)


def test_small_tables_stay_in_one_piece_on_paper() -> None:
    progressive = [page.extract_text() for page in PdfReader(BytesIO(sheet_pdf(sheet_of(*PUSH)))).pages]
    assert [("Back-to-back" in page, "Break-even meter" in page, "Runs dry" in page) for page in progressive] == [
        (False, False, False),
        (True, True, True),
        (False, False, False),
    ]
    main = [page.extract_text() for page in PdfReader(BytesIO(sheet_pdf(sheet_of("blackjack", "main")))).pages]
    assert ["Rules in force" in page for page in main] == [True, False, False]
