"""Whose a stream is: those with a token or a session are counted by themselves, others by their address."""

from __future__ import annotations

from croupier.floor.credentials import digest_of
from croupier.web.hub import StreamReader
from croupier.web.services import Services


def reader_of(room: Services, address: str, *, token: str = "", session: str = "") -> StreamReader:
    """For a token and a session that were good a moment ago; empty for none."""
    if not token and not session:
        return StreamReader(name=f"address:{address}")

    def may_still() -> bool:
        """To look is no use of a session: a page that is only left open does not prolong it."""
        if token:
            room.devices.device(token)
        return not session or room.sessions.is_open(session)

    return StreamReader(name=digest_of(f"{token} {session}"), is_known=True, may_still=may_still)
