"""Fixtures for all tests."""

from __future__ import annotations

import logging
import os
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import hypothesis
import pytest
from xdist.scheduler import LoadFileScheduling

from croupier.cli import main
from tests.cli_floor import at, in_a_round, new_terminal  # noqa: F401 - fixtures of the command line's tests

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from croupier.store import Book
    from tests.browser import Site
    from tests.postgres import Server

# Times are shown in the zone of the machine; what tests compare is written for this one.
os.environ["TZ"] = "UTC"
time.tzset()

# The same examples every time: a test that fails by chance stops work that has nothing to do with it. Others are tried
# with `pytest --hypothesis-profile=random`.
hypothesis.settings.register_profile("steady", derandomize=True, deadline=None)
hypothesis.settings.register_profile("random", derandomize=False, deadline=None)
hypothesis.settings.load_profile("steady")


TOGETHER = (
    (
        *("test_simulate_run", "test_simulation", "test_strategy_simulated", "test_rounds_compiled", "test_rows"),
        *("test_strategy_pays", "test_bench_limit", "test_cli_plot", "test_house_order", "test_targets"),
        *("test_lab_runs", "test_cache"),
    ),
    ("test_tree_blackjack", "test_strategy_optimal", "test_strategy_walk", "test_strategy_sheet", "test_advice"),
    ("test_poker",),
    ("test_web_kill",),
    ("test_web_fuzz",),
    ("test_agents", "test_agents_docs"),
    ("test_ledger_faults",),
    ("test_conformance",),
)
"""Files that compile or solve the same are run by one worker, which compiles their common parts once; these come first.
Every other file is a group of its own."""
GROUPS = {stem: number for number, stems in enumerate(TOGETHER) for stem in stems}


class GroupScheduling(LoadFileScheduling):  # type: ignore[misc] # xdist says nothing of its types
    """Gives each worker whole files, and files that belong together one after another."""

    def _split_scope(self, nodeid: str) -> str:
        file = str(super()._split_scope(nodeid))
        return str(GROUPS.get(Path(file).stem, file))


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> GroupScheduling:
    return GroupScheduling(config, log)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks tests by the servers and browsers they use; files say themselves what is `slow`, `kill` or `soak`.

    The longest groups come first.
    """
    items.sort(key=lambda item: GROUPS.get(item.path.stem, len(TOGETHER)))
    for item in items:
        fixtures = set(getattr(item, "fixturenames", ()))
        if fixtures & {"browser", "site"}:
            item.add_marker("browser")
        if "postgres" in fixtures or "[postgresql" in item.name:
            item.add_marker("postgres")


@dataclass(frozen=True)
class Said:
    """What a command left behind."""

    status: int
    out: str
    err: str


Croupier = Callable[..., Said]


@pytest.fixture
def croupier(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Croupier:
    """Runs the `croupier` command in this process."""

    def run(*arguments: str) -> Said:
        monkeypatch.setattr(sys, "argv", ["croupier", *arguments])
        # `croupier serve` logs to this test's stderr, which later tests do not have.
        handlers = logging.root.handlers[:]
        try:
            with pytest.raises(SystemExit) as left:
                main()
        finally:
            logging.root.handlers[:] = handlers
        out, err = capsys.readouterr()
        status = left.value.code
        assert status is None or isinstance(status, int)
        return Said(status or 0, out, err)

    return run


@pytest.fixture(scope="session")
def postgres() -> Iterator[Server]:
    """A PostgreSQL server that is started when the first test wants it."""
    from tests.postgres import Server

    server = Server()
    yield server
    server.remove()


@pytest.fixture(scope="session", autouse=True)
def stores_are_copied() -> Iterator[None]:
    """Most tests want a store of their own; those of the migrations begin with an older one."""
    from tests.empty_stores import migrate_or_copy

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("croupier.store.migrate", migrate_or_copy)
        yield


@pytest.fixture(params=["sqlite", "postgresql"])
def store_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The address of a store without an entry, of each kind in turn."""
    if request.param == "sqlite":
        yield str(tmp_path / "ledger.db")
        return
    server: Server = request.getfixturevalue("postgres")
    url = server.new_store()
    yield url
    server.drop_database(url)


@pytest.fixture
def book(store_url: str) -> Iterator[Book]:
    """An open ledger in an empty database."""
    from croupier.store import open_store

    opened = open_store(store_url)
    yield opened
    opened.close()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Chromium, started when the first test wants it."""
    from tests.browser import open_browser

    with open_browser() as started:
        yield started


@pytest.fixture
def site(browser: Browser, tmp_path: Path) -> Iterator[Site]:
    """A server of the demonstration floor on an empty database, for browsers to look at."""
    from tests.browser import open_site

    with open_site(browser, str(tmp_path / "site.db")) as opened:
        yield opened
