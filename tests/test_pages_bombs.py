"""Small files that mean a lot of work, sent to every place that takes a file: each is refused, memory stays flat."""

from __future__ import annotations

import re
import resource
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from starlette.testclient import TestClient

from tests.bombs import BOMBS, BY_KEYS
from tests.manager_pages import as_role
from tests.pages import fill, form_of, submit
from tests.test_pages_lab import LUCKY, opened, send, upload
from tests.test_pages_lobby import text_of
from tests.web_client import WORK, Web, demo_web

MOST_MIB = 300
"""More than a process of ours takes for anything in these tests, and far less than any of the bombs took."""


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    with demo_web(str(tmp_path_factory.mktemp("bombs") / "bombs.db")) as made:
        yield made


@pytest.fixture
def http(web: Web) -> TestClient:
    return TestClient(web.app)


@pytest.fixture
def flat_memory() -> Iterator[None]:
    """Neither this process, which is the server, nor the one for files has grown at its peak."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    yield
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024
    assert grown < MOST_MIB
    if WORK.pid("files") and Path("/proc/self/status").exists():
        status = Path(f"/proc/{WORK.pid('files')}/status").read_text()
        peak = re.search(r"VmHWM:\s+(\d+) kB", status)
        assert peak is not None and int(peak[1]) // 1024 < MOST_MIB


@pytest.mark.usefixtures("flat_memory")
@pytest.mark.parametrize("bomb", BOMBS)
def test_a_bomb_that_is_opened_is_refused_at_its_field(http: TestClient, bomb: str) -> None:
    answer = upload(http, BOMBS[bomb].encode())
    assert answer.status_code == 422
    assert 'aria-describedby="problem-upload"' in answer.text
    assert "The file was not opened." in answer.text
    if bomb in BY_KEYS:
        assert "File, line " in text_of(answer.text)


@pytest.mark.usefixtures("flat_memory")
@pytest.mark.parametrize("action", ["/lab", "/lab/file"])
@pytest.mark.parametrize("bomb", BOMBS)
def test_a_bomb_in_the_form_is_refused(http: TestClient, bomb: str, action: str) -> None:
    form = fill(form_of(opened(http, LUCKY), "/lab"), {})
    sent = {**form, "file": BOMBS[bomb], "game": "", "of": ""}
    for headers in ({}, {"HX-Request": "true"}):
        answer = http.post(action, data=sent, headers=headers)
        assert answer.status_code in (413, 422), answer.text  # a form has its own bound, which some texts reach first


def test_an_address_has_no_file(http: TestClient) -> None:
    for text in (BOMBS["a key of 8,000 parts"], 'id = "x"', ""):
        answer = http.get(f"/lab?file={quote(text)}")
        assert answer.status_code == 422
        assert "A file does not go into an address" in answer.text


def test_a_file_in_the_form_has_the_bound_of_one_that_is_opened(http: TestClient) -> None:
    form = fill(form_of(opened(http, LUCKY), "/lab"), {})
    answer = http.post("/lab", data={**form, "file": "a" * (128 * 1024 + 1), "game": "", "of": ""})
    assert answer.status_code == 422
    assert "at most 131,072 bytes" in answer.text


def test_files_of_others_are_parsed_in_another_process(http: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """Opening, editing, saving, and the figures: the server's own process reads none of it."""
    saved = send(http, f"{LUCKY}&pays.0=250+to+1", "/lab/file")

    def never(*_: object, **__: object) -> None:
        raise AssertionError("the server has parsed a file")

    monkeypatch.setattr(tomllib, "loads", never)
    loaded = upload(http, saved.content)
    assert loaded.status_code == 200 and "Own file: " in loaded.text
    changed = fill(form_of(loaded.text, "/lab"), {"pays.0": "300 to 1"})
    assert http.post("/lab", data=changed).status_code == 200
    assert 'pays = "300 to 1"' in http.post("/lab/file", data=changed).text


@pytest.mark.usefixtures("flat_memory")
@pytest.mark.parametrize("bomb", BOMBS)
def test_a_bomb_as_a_floors_file_is_refused(web: Web, bomb: str) -> None:
    http = as_role(web, "executive")
    answer = send_floor(http, "floor.toml", BOMBS[bomb])
    assert answer.status_code == 422


@pytest.mark.parametrize("text", ["[" * 100_000, '{"a":' * 20_000, '{"id": ' + "9" * 5000 + "}", "[" * 900 + "]" * 900])
def test_a_bomb_of_json_as_a_floors_file_is_refused(web: Web, text: str) -> None:
    answer = send_floor(as_role(web, "executive"), "floor.json", text)
    assert answer.status_code == 422
    assert "too_complex" in answer.text


def send_floor(http: TestClient, name: str, text: str) -> Any:
    return submit(http, "/manager/setup", "/manager/setup/upload", files={"file": (name, text.encode())})


@pytest.mark.parametrize("body", ["[" * 100_000, '{"card":' * 20_000, '{"card": ' + "9" * 5000 + "}"])
def test_a_bomb_of_json_to_the_api_is_refused(http: TestClient, body: str) -> None:
    answer = http.post("/api/v1/session", content=body, headers={"Content-Type": "application/json"})
    assert 400 <= answer.status_code < 500
    assert answer.json()["error"]["message"]
