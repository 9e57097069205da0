"""Backups that are encrypted, tried and kept for a time; damaged ones are refused in a sentence."""

from __future__ import annotations

import gzip
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from random import Random

import pyrage
import pytest

from croupier.errors import CroupierError
from croupier.store import Book, backup, open_store, restore, verify
from croupier.store.backups.backup import FORMAT, PART, remove_leftovers
from croupier.store.backups.key import BackupKey
from croupier.store.backups.process import LOCK, BackupPlan, back_up_into, backups_in
from croupier.store.backups.schedule import BackupSchedule
from tests.conftest import Croupier
from tests.helpers import ROOT
from tests.ledger import NOON, Desk, locked, opened

pytestmark = pytest.mark.slow


@pytest.fixture
def played(book: Book) -> Book:
    desk = Desk(book)
    desk.do(opened(), id="open")
    for number in range(1, 30):
        desk.do(locked(number, 1, 2), id=f"start-{number}")
    return book


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "backups"
    made.mkdir()
    return made


@pytest.fixture
def into(tmp_path: Path) -> Iterator[Book]:
    empty = open_store(str(tmp_path / "into.db"))
    yield empty
    empty.close()


def refused(code: str, do: Callable[[], object]) -> str:
    with pytest.raises(CroupierError) as refusal:
        do()
    assert refusal.value.code == code, str(refusal.value)
    return str(refusal.value)


def keys(tmp_path: Path) -> tuple[str, str]:
    """Files with a secret key, as age-keygen writes it, and with its public one."""
    identity = pyrage.x25519.Identity.generate()
    secret, public = tmp_path / "secret.txt", tmp_path / "public.txt"
    secret.write_text(f"# created: today\n# public key: {identity.to_public()}\n{identity}\n")
    public.write_text(f"{identity.to_public()}\n")
    return str(secret), str(public)


def test_an_encrypted_backup_opens_with_its_key_and_no_other(played: Book, into: Book, tmp_path: Path) -> None:
    secret, public = keys(tmp_path)
    file = tmp_path / "floor.gz.age"
    assert backup(played, file, BackupKey(public)) == 30
    data = file.read_bytes()
    assert data.startswith(b"age-encryption.org/v1\n") and b"start-1" not in data
    assert file.stat().st_mode & 0o777 == 0o600
    refused("key_missing", lambda: restore(into, file))
    refused("key_missing", lambda: restore(into, file, BackupKey(public)))
    other = tmp_path / "other.txt"
    other.write_text(str(pyrage.x25519.Identity.generate()))
    assert "another key" in refused("bad_backup", lambda: restore(into, file, BackupKey(str(other))))
    assert into.head()[0] == 0
    assert restore(into, file, BackupKey(secret)) == 30
    assert into.head() == played.head() and verify(into).is_good


def test_a_log_that_does_not_read_is_named_through_the_encryption(
    played: Book, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret, _ = keys(tmp_path)

    def bad(*_: object) -> None:
        raise CroupierError("Entry 1 was changed.", code="bad_hash")

    monkeypatch.setitem(backup.__globals__, "unseal", bad)
    refused("bad_hash", lambda: backup(played, tmp_path / "floor.age", BackupKey(secret)))
    assert not list(tmp_path.glob("*.age")) and not list(tmp_path.glob("*.part"))


@pytest.mark.parametrize(
    ("content", "code"), [("hello\n", "bad_key"), ("age1nonsense\n", "bad_key"), ("\xff", "unreadable_file")]
)
def test_a_key_file_without_a_key_is_refused(tmp_path: Path, content: str, code: str) -> None:
    file = tmp_path / "key"
    file.write_text(content, encoding="latin-1")
    refused(code, lambda: BackupKey(str(file)))
    refused("unreadable_file", lambda: BackupKey(str(tmp_path / "nowhere")))


@pytest.mark.parametrize("is_encrypted", [False, True])
def test_a_backup_with_any_byte_flipped_or_cut_off_is_refused_or_whole(
    played: Book, into: Book, tmp_path: Path, is_encrypted: bool
) -> None:
    key = BackupKey(keys(tmp_path)[0]) if is_encrypted else None
    whole, file = tmp_path / "whole", tmp_path / "damaged"
    backup(played, whole, key)
    data = whole.read_bytes()
    chance = Random(3)
    for number in range(80):
        changed = bytearray(data)
        if number % 2:
            changed[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
        else:
            del changed[chance.randrange(len(data)) :]
        file.write_bytes(changed)
        try:
            restore(into, file, key)
        except CroupierError as error:
            assert error.code in {"bad_backup", "bad_hash", "bad_entry", "broken_chain"}, (number, str(error))
            assert into.head()[0] == 0 and into.entries() == ()
        else:  # a bit of gzip's own head, which says nothing of the log
            assert into.head() == played.head() and number % 2
            into.close()
            into = open_store(str(tmp_path / f"into-{number}.db"))
    into.close()


@pytest.mark.parametrize(
    "content",
    [
        gzip.compress(b'{"format":"%s"}\n' % FORMAT.encode() + b" " * 200_000_000),
        gzip.compress(b'{"format":"%s"}\n[1,2]\n' % FORMAT.encode()),
        gzip.compress(b'{"format":"%s"}\n{"entries":0}\n' % FORMAT.encode()),
        gzip.compress(b'{"format":"%s"}\n["\xff",""]\n' % FORMAT.encode()),
        gzip.compress(b"\xff\n"),
        b"",
    ],
    ids=["bomb", "numbers", "half an end", "no text", "no json", "empty"],
)
def test_what_is_no_backup_is_refused_in_a_sentence(into: Book, tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "no-backup"
    file.write_bytes(content)
    refused("bad_backup", lambda: restore(into, file))
    assert into.entries() == ()


def test_what_a_killed_backup_left_is_removed_by_the_next(played: Book, folder: Path, store_url: str) -> None:
    program = (
        "import time; from pathlib import Path; from croupier.store import backup, open_store\n"
        "def slow(*a):\n    print('writing', flush=True); time.sleep(60)\n"
        "backup.__globals__['unseal'] = slow\n"
        f"backup(open_store({store_url!r}), Path({str(folder)!r}) / 'floor.gz')\n"
    )
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, cwd=ROOT, text=True) as process:
        assert process.stdout is not None and process.stdout.readline() == "writing\n"
        (part,) = folder.glob("*")
        assert part.name.startswith(PART)
        assert part.stat().st_mode & 0o777 == 0o600
        long_ago = time.time() - 3600
        os.utime(part, (long_ago, long_ago))
        remove_leftovers(folder)
        assert part.exists(), "somebody writes it"
        process.send_signal(signal.SIGKILL)
    assert part.exists()
    os.utime(part, (long_ago, long_ago))
    backup(played, folder / "floor.gz")
    assert [one.name for one in folder.iterdir()] == ["floor.gz"]


def test_a_folder_keeps_so_many_backups_each_tried(played: Book, folder: Path) -> None:
    plan = BackupPlan(folder=str(folder), keep=3)
    first = played.entries(limit=1)[0].hash
    for hour in range(5):
        Desk(played).do(locked(hour + 30, 1), id=f"start-{hour + 30}")
        made = back_up_into(played, plan, NOON + timedelta(hours=hour))
        assert made.entries == 31 + hour
    assert [one.entries for one in backups_in(folder, first)] == [33, 34, 35]
    assert {one.name for one in folder.iterdir() if one.name != LOCK} == {
        one.path.name for one in backups_in(folder, first)
    }
    assert backups_in(folder, "0" * 64) == [], "another ledger's are not ours"


def test_a_backup_that_does_not_restore_removes_no_older_one(
    played: Book, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = BackupPlan(folder=str(folder), keep=1)
    back_up_into(played, plan, NOON)

    def bad(*_: object) -> int:
        raise CroupierError("It does not read.", code="bad_backup")

    monkeypatch.setattr("croupier.store.backups.process.restore", bad)
    refused("bad_backup", lambda: back_up_into(played, plan, NOON + timedelta(hours=1)))
    (kept,) = backups_in(folder, played.entries(limit=1)[0].hash)
    assert kept.at == NOON


def test_backups_of_a_longer_log_are_not_removed_for_those_of_a_cut_one(
    played: Book, into: Book, folder: Path, tmp_path: Path
) -> None:
    backup(played, tmp_path / "short.gz")
    for number in range(30, 40):
        Desk(played).do(locked(number, 1), id=f"start-{number}")
    plan = BackupPlan(folder=str(folder), keep=1)
    back_up_into(played, plan, NOON)
    restore(into, tmp_path / "short.gz")
    back_up_into(into, plan, NOON + timedelta(hours=1))
    back_up_into(into, plan, NOON + timedelta(hours=2))
    assert [one.entries for one in backups_in(folder, played.entries(limit=1)[0].hash)] == [40, 30]


@pytest.mark.parametrize("which", [0, 1])
def test_a_server_makes_backups_by_itself_when_one_is_due(
    played: Book, store_url: str, folder: Path, tmp_path: Path, which: int, into: Book
) -> None:
    """With a public key what is tried is the log once more, as the file cannot be opened there."""
    now = [NOON]
    made: list[int] = []
    files = keys(tmp_path)
    plan = BackupPlan(folder=str(folder), every_hours=2, keep=2, key_file=files[which])
    schedule = BackupSchedule(store_url, played, plan, lambda: now[0], made.append)
    first = played.entries(limit=1)[0].hash
    for hour, backups in ((0, 1), (1, 1), (2, 2), (4, 2)):
        now[0] = NOON + timedelta(hours=hour)
        schedule.look()
        assert len(backups_in(folder, first)) == backups
    assert made == [30, 30, 30] and schedule.problem == ""
    newest = backups_in(folder, first)[-1]
    assert newest.path.name.endswith(".gz.age") and newest.at == NOON + timedelta(hours=4)
    assert restore(into, newest.path, BackupKey(files[0])) == 30


def test_a_backup_that_fails_is_told_and_tried_again_later(played: Book, store_url: str, folder: Path) -> None:
    now = [NOON]
    plan = BackupPlan(folder=str(folder))
    schedule = BackupSchedule(store_url, played, plan, lambda: now[0], lambda entries: None)
    folder.rmdir()
    schedule.look()
    assert "bad_folder" in schedule.problem
    folder.mkdir()
    schedule.look()
    assert "bad_folder" in schedule.problem, "not at once again"
    now[0] += timedelta(hours=1)
    schedule.look()
    assert schedule.problem == "" and len(list(folder.glob("*.gz"))) == 1


def test_backups_at_the_command_line(tmp_path: Path, folder: Path, croupier: Croupier) -> None:
    secret, public = keys(tmp_path)
    store = str(tmp_path / "floor.db")
    assert croupier("jackpot", "init", "--demo", "--store", store).status == 0
    card = ("--store", store, "--card", "demo-card-technician", "--json")
    for _ in range(2):
        said = croupier("jackpot", "backup", str(folder), "--keep", "1", "--key-file", public, *card)
        assert said.status == 0, said.err
        made = json.loads(said.out)
    (kept,) = [one for one in folder.iterdir() if one.name != LOCK]
    assert made["file"] == str(kept) and made["tried"] is True
    other = str(tmp_path / "other.db")
    said = croupier("jackpot", "restore", str(kept), "--store", other)
    assert said.status == 2 and said.err.startswith("croupier: key_missing:")
    assert not Path(other).exists()
    assert croupier("jackpot", "restore", str(kept), "--store", other, "--key-file", secret).status == 0
    damaged = tmp_path / "damaged.gz"
    assert croupier("jackpot", "backup", str(damaged), *card).status == 0
    data = bytearray(damaged.read_bytes())
    data[len(data) // 2] ^= 16
    damaged.write_bytes(data)
    said = croupier("jackpot", "restore", str(damaged), "--store", str(tmp_path / "third.db"))
    assert said.status == 2 and said.err.startswith("croupier: bad_") and "Traceback" not in said.err
    said = croupier("jackpot", "backup", str(tmp_path / "new.gz"), "--keep", "3", *card)
    assert said.status == 2 and said.err.startswith("croupier: no_folder:")
