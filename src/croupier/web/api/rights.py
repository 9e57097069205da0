"""Who may call what: one row for each endpoint. A route without a row does not answer."""

from __future__ import annotations

from dataclasses import dataclass

from croupier.floor.devices import DeviceUse
from croupier.floor.roles import Right

PREFIX = "/api/v1"


@dataclass(frozen=True, kw_only=True)
class Access:
    """What a caller needs."""

    rights: tuple[Right, ...] = ()
    """A signed-in person has one of these; for none, being signed in is enough."""
    use: DeviceUse | None = None
    """What a device may do here without a person; None: it may not call this by itself."""
    is_open: bool = False
    """Whether anybody may call it."""
    is_command: bool = True
    """Whether a call that is no GET changes something, and so needs an Idempotency-Key."""


OPEN = Access(is_open=True)
SIGNED_IN = Access()


def having(*rights: Right, use: DeviceUse | None = None, is_command: bool = True) -> Access:
    return Access(rights=rights, use=use, is_command=is_command)


ENDPOINTS: dict[str, Access] = {
    "GET /health": OPEN,
    "GET /ready": OPEN,
    "GET /openapi.json": OPEN,
    "GET /metrics": having(Right.SEE_REPORTS, Right.BACK_UP, use=DeviceUse.READ_METRICS),
    "GET /software": having(Right.SEE_AUDIT, Right.BACK_UP),
    # Signing in twice makes two sessions, signing out twice ends one: neither needs an id.
    "POST /session": Access(is_open=True, is_command=False),
    "GET /session": SIGNED_IN,
    "DELETE /session": Access(is_command=False),
    "GET /floor": having(Right.SEE_TABLE),
    "POST /floor/check": having(Right.CHANGE_SETUP, Right.CHANGE_MONEY, is_command=False),
    "POST /floor": having(Right.APPROVE_CHANGE),
    "PUT /floor": having(Right.CHANGE_SETUP, Right.CHANGE_MONEY),
    "GET /tables": having(Right.SEE_TABLE, use=DeviceUse.READ_TABLE),
    "GET /tables/{table}": having(Right.SEE_TABLE, use=DeviceUse.READ_TABLE),
    # Chips move no money before START GAME: the terminal's sensors report them without a person.
    "POST /tables/{table}/sense": having(Right.RUN_ROUNDS, use=DeviceUse.RUN_TABLE),
    "POST /tables/{table}/start": having(Right.RUN_ROUNDS),
    "POST /tables/{table}/pick": having(Right.HIT_JACKPOT),
    "POST /tables/{table}/hit": having(Right.HIT_JACKPOT),
    "POST /tables/{table}/award-by-hand": having(Right.ADJUST_METER),
    "POST /tables/{table}/key": having(Right.APPROVE_AWARD),
    "POST /tables/{table}/end": having(Right.RUN_ROUNDS),
    "POST /tables/{table}/void": having(Right.VOID_ROUND),
    "POST /tables/{table}/clear": having(Right.VOID_ROUND),
    "POST /tables/{table}/stop": having(Right.STOP_TABLE),
    "POST /tables/{table}/reopen": having(Right.OPEN_TABLE),
    "GET /claims": having(Right.SEE_CLAIMS),
    "GET /claims/{award:path}": having(Right.SEE_CLAIMS),
    # A terminal may ask for these when cards with PINs come with the request; the cards decide then.
    "POST /claims/{award:path}/pay": having(Right.PAY_FIXED, use=DeviceUse.RUN_TABLE),
    "POST /claims/{award:path}/reject": having(Right.REJECT_CLAIM, use=DeviceUse.RUN_TABLE),
    "POST /claims/{award:path}/back-out": having(Right.ADJUST_METER),
    "GET /hits": having(Right.SEE_REPORTS),
    "GET /meters": having(Right.SEE_TABLE, use=DeviceUse.READ_METER),
    "GET /stream/meters": having(Right.SEE_TABLE, use=DeviceUse.READ_METER),
    "POST /meters/{jackpot}/adjust": having(Right.ADJUST_METER),
    "POST /jackpots/{jackpot}/close": having(Right.ADJUST_METER),
    "GET /account": having(Right.SEE_REPORTS),
    "POST /account": having(Right.RECORD_DEPOSIT),
    # A backup has what entries are shown without: the hashes of PINs and tokens.
    "GET /backup": having(Right.BACK_UP),
    "GET /entries": having(Right.SEE_AUDIT),
    "GET /verify": having(Right.BACK_UP, Right.SEE_AUDIT),
    "GET /reports/accrual": having(Right.SEE_REPORTS),
    "GET /reports/reconciliation": having(Right.SEE_REPORTS),
    "GET /reports/achieved": having(Right.SEE_REPORTS),
    "GET /reports/deposit": having(Right.SEE_REPORTS),
    "GET /reports/audit": having(Right.SEE_AUDIT),
    "GET /reports/access": having(Right.SEE_AUDIT, Right.MANAGE_PEOPLE),
    "GET /reports/win-code/{code}": having(Right.SEE_REPORTS),
    "GET /reports/win-page/{award:path}": having(Right.SEE_REPORTS),
    "GET /people": having(Right.MANAGE_PEOPLE, Right.SEE_AUDIT),
    "POST /people": having(Right.MANAGE_PEOPLE),
    "POST /people/{person}/role": having(Right.MANAGE_PEOPLE),
    "POST /people/{person}/withdraw": having(Right.MANAGE_PEOPLE),
    "POST /people/{person}/renew": having(Right.MANAGE_PEOPLE),
    "POST /people/{person}/unlock": having(Right.MANAGE_PEOPLE),
    "POST /people/{person}/sign-out": having(Right.MANAGE_PEOPLE),
    "POST /pin": SIGNED_IN,
    "GET /devices": having(Right.MANAGE_DEVICES, Right.SEE_AUDIT),
    "POST /devices": having(Right.MANAGE_DEVICES),
    "POST /devices/{device}/withdraw": having(Right.MANAGE_DEVICES),
    "POST /devices/{device}/renew": having(Right.MANAGE_DEVICES),
}
