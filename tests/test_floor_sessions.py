"""Sign-ins and devices of a floor."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from croupier.floor.credentials import digest_of
from croupier.floor.devices import USES, Device, Devices, DeviceUse
from croupier.floor.people import MOST_FAILURES
from croupier.floor.roles import Role
from croupier.floor.sessions import SessionLimits, Sessions
from croupier.jackpot import FactRecorded
from croupier.store import open_store
from tests.people import BOSS_PIN, MIA_PIN, MINUTE, NEW_PIN, WRONG_PIN, Floor, refused, together


@pytest.fixture
def floor(tmp_path: Path) -> Iterator[Floor]:
    book = open_store(str(tmp_path / "floor.db"))
    yield Floor(book)
    book.close()


# Sessions


def test_a_session_ends_when_idle_or_old_or_signed_out(floor: Floor) -> None:
    sessions = Sessions(floor.people, SessionLimits(idle=15 * MINUTE, absolute=60 * MINUTE))
    token = sessions.sign_in(floor.mia_card, MIA_PIN, "terminal-1")
    for _ in range(5):
        floor.clock.wait(11 * MINUTE)
        assert sessions.session(token).id == "mia"
    floor.clock.wait(5 * MINUTE)
    assert "too long" in refused("session_ended", lambda: sessions.session(token))
    token = sessions.sign_in(floor.mia_card, MIA_PIN, "terminal-1")
    floor.clock.wait(15 * MINUTE)
    assert "not used" in refused("session_ended", lambda: sessions.session(token))
    floor.clock.wait(-15 * MINUTE)
    refused("session_ended", lambda: sessions.session(token))
    token = sessions.sign_in(floor.mia_card, MIA_PIN, "terminal-1")
    sessions.sign_out(token)
    sessions.sign_out(token)
    sessions.sign_out("session-nobody")
    assert "signed out" in refused("session_ended", lambda: sessions.session(token))


def test_a_session_that_many_find_expired_ends_once(floor: Floor) -> None:
    token = floor.sessions.sign_in(floor.mia_card, MIA_PIN, "terminal-1")
    floor.clock.wait(15 * MINUTE)
    codes = together(*[lambda: floor.sessions.session(token)] * 10)
    assert codes == ["session_ended"] * 10
    events = [sealed.entry.event for sealed in floor.book.entries()]
    assert sum(isinstance(event, FactRecorded) and event.kind == "session_expired" for event in events) == 1


def test_sign_in_and_its_end_are_on_the_record_but_not_each_use(floor: Floor) -> None:
    token = floor.sessions.sign_in(floor.mia_card, MIA_PIN, "terminal-1")
    head = floor.book.head()
    for _ in range(10):
        floor.sessions.session(token)
    assert floor.book.head() == head
    floor.sessions.sign_out(token)
    kinds = [sealed.entry.event.kind for sealed in floor.book.entries() if isinstance(sealed.entry.event, FactRecorded)]
    assert kinds[-2:] == ["signed_in", "signed_out"]


def test_a_session_in_use_is_good_after_a_restart_and_on_other_servers(floor: Floor) -> None:
    here, there = Sessions(floor.restarted()), Sessions(floor.restarted())
    token = here.sign_in(floor.mia_card, MIA_PIN, "terminal-1")
    for _ in range(4):
        floor.clock.wait(10 * MINUTE)
        assert here.session(token).id == "mia"  # there nobody has seen it yet
    assert there.session(token).id == "mia"
    assert there.is_open(token)
    floor.clock.wait(10 * MINUTE)
    assert there.session(token).id == "mia"
    floor.clock.wait(10 * MINUTE)
    assert here.is_open(token)
    assert Sessions(floor.restarted()).session(token).id == "mia"


def test_a_session_that_no_server_sees_used_ends_on_all(floor: Floor) -> None:
    here, there = Sessions(floor.restarted()), Sessions(floor.restarted())
    token = here.sign_in(floor.mia_card, MIA_PIN, "terminal-1")
    floor.clock.wait(10 * MINUTE)
    here.session(token)
    floor.clock.wait(14 * MINUTE)
    assert there.session(token, is_use=False).id == "mia"  # a look prolongs nothing
    floor.clock.wait(MINUTE)
    assert not there.is_open(token)
    refused("session_ended", lambda: there.session(token))
    refused("session_ended", lambda: here.session(token))


def test_uses_of_a_session_are_noted_once_a_minute_and_forgotten_in_days(floor: Floor) -> None:
    first = floor.sessions.sign_in(floor.mia_card, MIA_PIN, "terminal-1")
    noted = floor.book.session_uses
    floor.clock.wait(2 * MINUTE)
    floor.sessions.session(first)
    at = noted.last(digest_of(first))
    assert at == floor.clock.now
    floor.clock.wait(MINUTE / 2)
    floor.sessions.session(first)
    assert noted.last(digest_of(first)) == at
    noted.note(digest_of(first), at - MINUTE)
    assert noted.last(digest_of(first)) == at
    floor.clock.wait(3 * 24 * 60 * MINUTE)
    second = floor.sessions.sign_in(floor.mia_card, MIA_PIN, "terminal-1")
    floor.clock.wait(MINUTE)
    floor.sessions.session(second)
    assert noted.last(digest_of(first)) is None


@pytest.mark.parametrize("change", ["pin", "role", "withdraw", "renew", "revoke", "revoke_own"])
def test_a_change_of_the_person_ends_all_their_sessions_and_no_others(floor: Floor, change: str) -> None:
    tokens = [floor.sessions.sign_in(floor.mia_card, MIA_PIN, f"terminal-{number}") for number in (1, 2)]
    boss = floor.sessions.sign_in(floor.boss_card, BOSS_PIN, "web")
    people = floor.people
    changes: dict[str, Callable[[], object]] = {
        "pin": lambda: people.change_pin("x", floor.mia_card, MIA_PIN, NEW_PIN),
        "role": lambda: people.set_role("x", "boss", "mia", Role.SUPERVISOR),
        "withdraw": lambda: people.withdraw("x", "boss", "mia"),
        "renew": lambda: people.renew_card("x", "boss", "mia", NEW_PIN),
        "revoke": lambda: floor.sessions.revoke_all("x", "boss", "mia"),
        "revoke_own": lambda: floor.sessions.revoke_all("x", "mia", "mia"),
    }
    changes[change]()
    for token in tokens:
        refused("session_ended", lambda token=token: floor.sessions.session(token))  # type: ignore[misc]
    assert floor.sessions.session(boss).id == "boss"


def test_a_session_may_be_held_to_its_device(floor: Floor) -> None:
    token = floor.sessions.sign_in(floor.mia_card, MIA_PIN, "terminal-1")
    assert floor.sessions.session(token, device="terminal-1").id == "mia"
    refused("wrong_device", lambda: floor.sessions.session(token, device="terminal-2"))
    assert floor.denials()[-1]["why"] == "signed in elsewhere"


def test_wrong_pins_at_sign_in_lock_the_card_too(floor: Floor) -> None:
    for _ in range(MOST_FAILURES):
        refused("not_recognized", lambda: floor.sessions.sign_in(floor.mia_card, WRONG_PIN, "web"))
    refused("locked_out", lambda: floor.sessions.sign_in(floor.mia_card, MIA_PIN, "web"))


def test_a_card_token_is_no_session_and_a_session_no_card(floor: Floor) -> None:
    token = floor.sessions.sign_in(floor.mia_card, MIA_PIN, "web")
    refused("not_recognized", lambda: floor.people.present(token, MIA_PIN))
    refused("not_signed_in", lambda: floor.sessions.session(floor.mia_card))
    refused("unknown_device", lambda: floor.devices.device(token))


# Devices


def test_a_sign_only_reads_the_meters_of_its_jackpots(floor: Floor) -> None:
    floor.add("tech", Role.TECHNICIAN)
    sign = floor.devices.device(floor.devices.register_device("d", "tech", "sign-1", "sign", jackpots=("push",)))
    floor.devices.require(sign, DeviceUse.READ_METER, "push")
    refused("not_allowed", lambda: floor.devices.require(sign, DeviceUse.READ_METER, "dragon"))
    refused("not_allowed", lambda: floor.devices.require(sign, DeviceUse.READ_TABLE, "push"))
    refused("not_allowed", lambda: floor.devices.require(sign, DeviceUse.RUN_TABLE, "push"))
    assert [body["who"] for body in floor.denials()] == ["device:sign-1"] * 3


@pytest.mark.parametrize("use", DeviceUse)
@pytest.mark.parametrize("kind", list(USES))
def test_each_kind_of_device_has_exactly_its_uses(kind: str, use: DeviceUse) -> None:
    expected = {
        "sign": {"read_meter"},
        "system": {"read_meter", "read_table", "read_metrics"},
        "terminal": {"read_meter", "read_table", "run_table"},
    }[kind]
    device = Device(id="d", kind=kind, tables=("one",), jackpots=("one",))  # type: ignore[arg-type]
    assert device.may(use, "one") == (use in expected)
    assert not device.may(use, "two")


def test_devices_are_registered_renewed_and_withdrawn_by_technicians(floor: Floor) -> None:
    floor.add("tech", Role.TECHNICIAN)
    devices = floor.devices
    refused("not_allowed", lambda: devices.register_device("d", "boss", "t-1", "terminal", tables=("one",)))
    refused("bad_device", lambda: devices.register_device("d", "tech", "s-1", "sign", tables=("one",)))
    refused("bad_device", lambda: devices.register_device("d", "tech", "t-1", "terminal"))
    refused("bad_device", lambda: devices.register_device("d", "tech", "t-1", "robot", tables=("one",)))  # type: ignore[arg-type]
    refused("bad_name", lambda: devices.register_device("d", "tech", "t 1", "terminal", tables=("one",)))
    first = devices.register_device("d", "tech", "t-1", "terminal", tables=("one",))
    refused("shown_once", lambda: devices.register_device("d", "tech", "t-1", "terminal", tables=("one",)))
    refused("id_reused", lambda: devices.register_device("d", "tech", "t-1", "terminal", tables=("two",)))
    refused("device_exists", lambda: devices.register_device("e", "tech", "t-1", "terminal", tables=("one",)))
    second = devices.renew("r", "tech", "t-1")
    refused("shown_once", lambda: devices.renew("r", "tech", "t-1"))
    refused("unknown_device", lambda: devices.device(first))
    assert Devices(floor.restarted()).device(second).tables == ("one",)
    assert [device.id for device in devices.devices()] == ["t-1"]
    devices.withdraw("w", "tech", "t-1")
    devices.withdraw("w", "tech", "t-1")
    refused("unknown_device", lambda: devices.device(second))
    refused("unknown_device", lambda: devices.withdraw("w2", "tech", "t-2"))
    assert devices.devices() == ()
    assert devices.device(devices.renew("r2", "tech", "t-1")).id == "t-1"
