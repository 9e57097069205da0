"""Pay tables may be called by their pays - `3:2`, `100%-10%-300`, `6-4-push` - wherever a pay table is named."""

from __future__ import annotations

from html import unescape
from pathlib import Path
from urllib.parse import quote

import msgspec
import pytest
from starlette.testclient import TestClient

from croupier.floor.files import demo_floor, floor_from_json, floor_from_toml, floor_to_json, floor_to_toml
from croupier.floor.setup import WagerSetup
from tests.conftest import Croupier
from tests.helpers import ROOT
from tests.test_pages_lobby import settled
from tests.web_client import demo_web

pytestmark = pytest.mark.slow

IDS = {'"1-3-4"': '"500-50-10-3-3:2-1"', '"1-2-3"': '"100%-10%-500-100-50"', '"1-3-5"': '"6-4-3-2-1-push"'}
NAMES = [name.strip('"') for name in IDS.values()]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A folder with a game whose pay tables have such ids, offered beside ours."""
    text = (ROOT / "src/croupier/games/three_card_poker/game.toml").read_text(encoding="utf-8")
    for old, new in {'id = "three_card_poker"': 'id = "by_pays"', **IDS}.items():
        text = text.replace(old, new)
    (tmp_path / "by_pays").mkdir()
    (tmp_path / "by_pays" / "game.toml").write_text(text, encoding="utf-8")
    monkeypatch.setenv("CROUPIER_GAMES", str(tmp_path / "by_pays"))
    return str(tmp_path / "by_pays")


@pytest.mark.parametrize("name", NAMES)
def test_the_command_line_takes_them(croupier: Croupier, folder: str, name: str) -> None:
    for arguments in (
        ("strategy", "by_pays", "--pay-table", f"ante={name}"),
        ("strategy", "by_pays", "--pay-table", name),
        ("odds", "by_pays", "ante", "--pay-table", name),
        ("simulate", "by_pays", "--rounds", "1e3", "--pay-table", f"ante={name}"),
    ):
        said = croupier(*arguments)
        assert said.status == 0, said.err


def test_addresses_links_and_files_take_them(folder: str, tmp_path: Path) -> None:
    with demo_web(str(tmp_path / "ids.db")) as web:
        http = TestClient(web.app)
        for name in NAMES:
            page = unescape(settled(web, f"/sheet/by_pays/ante?pay_table={quote(name)}"))
            assert f'<option value="{name}" selected' in page
            chart = unescape(http.get(f"/strategy/by_pays?pay_table={quote(name)}").text)
            assert f'<option value="{name}" selected' in chart
        file = http.get(f"/sheet/by_pays/ante/json?pay_table={quote(NAMES[1])}")
        assert file.status_code == 200
        assert 'filename="by_pays-ante-100-10-500-100-50.json"' in file.headers["content-disposition"]
        checked = settled(web, "/check")
        assert f"pay_table={quote(NAMES[1])}" in checked


def test_a_table_that_is_kept_has_them(folder: str) -> None:
    floor = demo_floor()
    table = msgspec.structs.replace(
        floor.tables[0], game="by_pays", decks=1, wagers=(WagerSetup(wager="ante", pay_table=NAMES[1]),), sensors=()
    )
    kept = msgspec.structs.replace(floor, tables=(table,), jackpots=(), links=())
    for read in (floor_from_toml(floor_to_toml(kept)), floor_from_json(floor_to_json(kept))):
        assert read == kept
