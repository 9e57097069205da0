"""The fingerprint of the installed program, and the access review."""

from __future__ import annotations

import base64
import csv
import json
from collections.abc import Iterator
from hashlib import sha256
from importlib.metadata import Distribution
from pathlib import Path
from typing import Any

import pytest

from croupier.floor.software import software_in
from tests.conftest import Croupier
from tests.web_client import Client, Web, demo_web


@pytest.fixture
def web(tmp_path: Path) -> Iterator[Web]:
    with demo_web(str(tmp_path / "floor.db")) as web:
        yield web


def installed(tmp_path: Path) -> tuple[Path, Distribution]:
    """A package of two files as a wheel installs it."""
    package, info = tmp_path / "croupier", tmp_path / "croupier-1.dist-info"
    package.mkdir()
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: croupier\nVersion: 1\n")
    with (info / "RECORD").open("w", newline="") as record:
        for name, text in (("__init__.py", "a = 1\n"), ("money.py", "b = 2\n")):
            (package / name).write_text(text)
            digest = base64.urlsafe_b64encode(sha256(text.encode()).digest()).rstrip(b"=").decode()
            csv.writer(record).writerow([f"croupier/{name}", f"sha256={digest}", len(text)])
    return package, Distribution.at(info)


def test_files_as_the_wheel_has_them_are_good(tmp_path: Path) -> None:
    package, wheel = installed(tmp_path)
    (package / "__pycache__").mkdir()
    (package / "__pycache__" / "money.pyc").write_bytes(b"compiled")
    found = software_in(package, wheel)
    assert found.is_as_installed and found.files == 2
    assert found.fingerprint == software_in(package, None).fingerprint


def test_every_difference_is_named(tmp_path: Path) -> None:
    package, wheel = installed(tmp_path)
    before = software_in(package, wheel).fingerprint
    (package / "money.py").write_text("b = 3\n")
    (package / "__init__.py").unlink()
    (package / "extra.py").write_text("")
    found = software_in(package, wheel)
    assert (found.changed, found.missing, found.added) == (
        ("croupier/money.py",),
        ("croupier/__init__.py",),
        ("croupier/extra.py",),
    )
    assert not found.is_as_installed and found.fingerprint != before
    assert "changed: croupier/money.py" in found.sentence


def test_the_command_and_the_page_show_the_same_fingerprint(croupier: Croupier, web: Web) -> None:
    said = json.loads(croupier("jackpot", "software", "--json").out)
    assert web.role("auditor").get("/software")["fingerprint"] == said["fingerprint"]
    assert said["fingerprint"] in web.role("auditor").http.get("/manager/ledger/software").text


def test_the_access_review_says_who_may_what_and_was_last_there(web: Web) -> None:
    web.role("dealer")
    web.device("sign", jackpots=["push_22"])
    executive = web.role("executive")
    executive.done("POST", "/people/demo-supervisor/withdraw")
    lines = {line["id"]: line for line in web.role("auditor").get("/reports/access")["lines"]}
    dealer, gone = lines["demo-dealer"], lines["demo-supervisor"]
    assert (dealer["role"], dealer["is_withdrawn"]) == ("dealer", False)
    assert dealer["last_sign_in"] is not None and "hit_jackpot" in dealer["may"]
    assert gone["is_withdrawn"] and (gone["change"], gone["changed_by"]) == ("card_withdrawn", "demo-executive")
    assert [line["may"] for line in lines.values() if line["kind"] == "device"] == [["push_22"]]
    text = json.dumps(lines)
    assert "sha256" not in text and "argon2" not in text
    assert "demo-dealer" in web.role("auditor").http.get("/manager/reports/access").text


def metrics(client: Client) -> Any:
    return client.http.get("/metrics", headers={"Authorization": f"Bearer {client.token}"} if client.token else {})


def test_prometheus_reads_meters_claims_and_times(web: Web) -> None:
    system = web.device("system", jackpots=["push_22"])
    web.role("dealer").refused(403, "not_allowed", "GET", "/reports/audit")
    text = metrics(system).text
    values = dict(line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#"))
    assert float(values['croupier_meter_dollars{jackpot="push_22",level="main"}']) == 50_000
    assert 'croupier_meter_dollars{jackpot="dragon",level="main"}' not in values, "it is no jackpot of that device"
    assert values["croupier_claims_waiting"] == "0" and values["croupier_refusals_total"] == "1"
    assert int(values['croupier_answers_total{kind="read",endpoint="/api/v1/reports/audit",status="403"}']) == 1
    assert any(name.startswith('croupier_answer_seconds_bucket{kind="action"') for name in values)
    assert metrics(web.anonymous()).status_code == 401
    assert metrics(web.device("sign", jackpots=["push_22"])).status_code == 403
