"""What tests of the manager's pages share."""

from __future__ import annotations

from starlette.testclient import TestClient

from tests.desks import CARDS
from tests.pages import forms_of
from tests.web_client import Web, lock, step


def as_role(web: Web, role: str) -> TestClient:
    """Somebody's browser, signed in."""
    return web.role(role).http


def asked_in(html: str, path: str) -> dict[str, list[str]]:
    """What the form that asks a page again holds."""
    (form,) = [one for one in forms_of(html) if one.method == "get" and one.action.partition("#")[0] == path]
    return form.fields


def swipe(name: str, card: dict[str, str]) -> dict[str, str]:
    return {f"{name}_card": card["card"], f"{name}_pin": card["pin"]}


def hit(web: Web, table: str = "ddm_1", row: str = "suited_4567_other", *seats: int) -> str:
    dealer = web.role("dealer")
    lock(dealer, table, *(seats or (1, 2)))
    step(dealer, table, "pick", seat=0, sensor=1, row=row)
    award: str = step(dealer, table, "hit", evidence=CARDS[row])["awards"][0]
    return award
