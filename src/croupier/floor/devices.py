"""Terminals, signs and other systems: each has a token of its own that is good for its tables and jackpots only."""

from __future__ import annotations

import hmac
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from croupier.errors import IllegalActionError, RangeError, UnknownNameError
from croupier.floor.credentials import digest_of, new_token
from croupier.floor.people import People
from croupier.floor.roles import Right
from croupier.floor.security_log import NOBODY, id_reused, is_plain, require_plain, shown_once
from croupier.floor.stored import as_stored
from croupier.jackpot import RecordFact
from croupier.jackpot.pools import require_name

DeviceKind = Literal["terminal", "sign", "system"]


class DeviceUse(StrEnum):
    """What a device may do by itself. Whatever moves money needs a person's right besides."""

    READ_METER = "read_meter"
    READ_TABLE = "read_table"
    RUN_TABLE = "run_table"
    READ_METRICS = "read_metrics"


USES: dict[DeviceKind, frozenset[DeviceUse]] = {
    "sign": frozenset({DeviceUse.READ_METER}),
    "system": frozenset({DeviceUse.READ_METER, DeviceUse.READ_TABLE, DeviceUse.READ_METRICS}),
    "terminal": frozenset({DeviceUse.READ_METER, DeviceUse.READ_TABLE, DeviceUse.RUN_TABLE}),
}


class Device(Struct, frozen=True, kw_only=True):
    """A machine with a token."""

    id: Annotated[str, Meta(description="Its id.")]
    kind: Annotated[DeviceKind, Meta(description="Of which kind it is.")]
    tables: Annotated[tuple[str, ...], Meta(description="The tables.")] = ()
    jackpots: Annotated[tuple[str, ...], Meta(description="The jackpots whose meters it may read.")] = ()

    def may(self, use: DeviceUse, name: str) -> bool:
        """Whether it may use that jackpot (`read_meter`) or that table (all else)."""
        names = self.jackpots if use is DeviceUse.READ_METER else self.tables
        return use in USES[self.kind] and name in names


@dataclass(frozen=True, kw_only=True)
class _Record:
    """What the ledger keeps of a device."""

    device: Device
    token_sha256: str = field(repr=False)
    is_withdrawn: bool = False


class Devices:
    """The devices of a floor. Safe to use from many threads."""

    def __init__(self, people: People) -> None:
        self._people = people
        self._log = people.log

    def register_device(
        self,
        request_id: str,
        actor: str,
        id: str,
        kind: DeviceKind,
        *,
        tables: tuple[str, ...] = (),
        jackpots: tuple[str, ...] = (),
    ) -> str:
        """A new device; returns its token, which is not kept and cannot be shown again."""
        require_plain("device", id)
        device = Device(id=id, kind=kind, tables=tables, jackpots=jackpots)

        def again(before: Mapping[str, Any]) -> str:
            raise shown_once(request_id) if _record_of(before).device == device else id_reused(request_id)

        def register() -> str:
            self._people.require_by_id(actor, Right.MANAGE_DEVICES, f"register device {id}")
            _require_sound(device)
            if self._log.fact(f"device:{id}") is not None:
                raise IllegalActionError(f'There is already a device "{id}". Renew its token.', code="device_exists")
            token = new_token("device")
            self._put(request_id, actor, "device_registered", _Record(device=device, token_sha256=digest_of(token)), 0)
            return token

        return self._log.once((request_id, actor, f"device:{id}", "device_registered"), again, register)

    def device(self, token: str, *, before_denial: Callable[[], None] = lambda: None) -> Device:
        """The device with this token, or the refusal, which is recorded.

        `before_denial` is called before anything is recorded, and may refuse in its own words instead.
        """
        who, device = self._look_up(token)
        if device is not None:
            return device
        before_denial()
        why = "unknown token" if who == NOBODY else "old token"
        self._log.deny(who=who, what="use a device token", where="", why=why)
        raise IllegalActionError("Device token not recognized. Renew the token.", code="unknown_device")

    def find(self, token: str) -> Device | None:
        """The device with this token, if there is one; to ask records nothing."""
        return self._look_up(token)[1]

    def devices(self) -> tuple[Device, ...]:
        """All devices with a valid token, by name."""
        records = (_record_of(fact.body) for fact in self._log.facts("device:"))
        return tuple(record.device for record in records if not record.is_withdrawn)

    def require(self, device: Device, use: DeviceUse, name: str) -> None:
        """Refuses, and records, what this device may not do to that jackpot or table."""
        if device.may(use, name):
            return
        self._log.deny(who=f"device:{device.id}", what=f"{use} {name}", where=device.id, why=f"no right {use}")
        kinds = ", ".join(sorted(kind for kind, uses in USES.items() if use in uses))
        raise IllegalActionError(
            f'The {device.kind} "{device.id}" may not {use} "{name}". That is for devices ({kinds}) registered for it.',
            code="not_allowed",
        )

    def renew(self, request_id: str, actor: str, id: str) -> str:
        """A new token, also after a withdrawal; the old one is worthless."""

        def again(_: Mapping[str, Any]) -> str:
            raise shown_once(request_id)

        def renew() -> str:
            record, version = self._managed(actor, id, f"renew device {id}")
            token = new_token("device")
            after = replace(record, token_sha256=digest_of(token), is_withdrawn=False)
            self._put(request_id, actor, "device_renewed", after, version)
            return token

        return self._log.once((request_id, actor, f"device:{id}", "device_renewed"), again, renew)

    def withdraw(self, request_id: str, actor: str, id: str) -> None:
        """Makes a device's token worthless at once."""

        def withdraw() -> None:
            record, version = self._managed(actor, id, f"withdraw device {id}")
            self._put(request_id, actor, "device_withdrawn", replace(record, is_withdrawn=True), version)

        self._log.once((request_id, actor, f"device:{id}", "device_withdrawn"), lambda _: None, withdraw)

    def _look_up(self, token: str) -> tuple[str, Device | None]:
        """Whose token this is or was, and the device while it is good."""
        key = digest_of(token)
        named = self._log.fact(f"device_token:{key}")
        if named is None:
            return NOBODY, None
        with as_stored("the record of a device's token"):
            who = f"device:{named.body['device']}"
        fact = self._log.fact(who)
        if fact is None:
            return who, None
        record = _record_of(fact.body)
        is_good = hmac.compare_digest(record.token_sha256, key) and not record.is_withdrawn
        return who, record.device if is_good else None

    def _managed(self, actor: str, id: str, what: str) -> tuple[_Record, int]:
        self._people.require_by_id(actor, Right.MANAGE_DEVICES, what)
        fact = self._log.fact(f"device:{id}") if is_plain(id) else None
        if fact is None:
            raise UnknownNameError(f'There is no device "{id}". Register it first.', code="unknown_device")
        return _record_of(fact.body), fact.version

    def _put(self, request_id: str, actor: str, kind: str, record: _Record, version: int) -> None:
        device = record.device.id
        commands = [
            RecordFact(subject=f"device:{device}", kind=kind, body=msgspec.to_builtins(record), based_on=version)
        ]
        if not record.is_withdrawn:
            subject = f"device_token:{record.token_sha256}"
            commands.append(RecordFact(subject=subject, kind="token_given", body={"device": device}, based_on=0))
        self._log.put(request_id, actor, *commands)


def _require_sound(device: Device) -> None:
    if device.kind not in USES:
        raise RangeError(f"A device is one of {', '.join(USES)}.", code="bad_device")
    if device.kind == "sign" and device.tables:
        raise RangeError("A sign only shows meters: give it jackpots and no tables.", code="bad_device")
    if not device.tables and not device.jackpots:
        raise RangeError("Name the tables or jackpots that the device is for.", code="bad_device")
    for name in device.tables:
        require_name("table", name)
    for name in device.jackpots:
        require_name("jackpot", name)


def _record_of(body: Mapping[str, Any]) -> _Record:
    with as_stored("the record of a device"):
        return msgspec.convert(body, _Record)
