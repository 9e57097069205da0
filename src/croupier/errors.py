"""The errors a user may see. Each has a stable `code` and a sentence that says what to do."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


class CroupierError(Exception):
    """Root of all errors that are the user's to mend. `code` is stable and may be scripted against."""

    code = "error"

    def __init__(self, message: str, *, code: str | None = None) -> None:
        super().__init__(message)
        self.code = code or type(self).code


class SpecError(CroupierError):
    """A mistake in data: a game file, a pay table, a published figure."""

    code = "bad_spec"


class NotationError(CroupierError):
    """Text that does not read as what it should be: a card, an amount, a pay."""

    code = "bad_notation"


class UnknownNameError(CroupierError):
    """A game, wager, pay table or switch that does not exist."""

    code = "unknown_name"


class RangeError(CroupierError):
    """A value that reads well but cannot be: no decks, a negative seed, a rate above one."""

    code = "out_of_range"


class IllegalActionError(CroupierError):
    """Something the rules of the game or of the house do not allow."""

    code = "illegal_action"


class StaleRevisionError(CroupierError):
    """A command made for a state of the table that is gone."""

    code = "stale_revision"


class LedgerError(CroupierError):
    """The jackpot ledger does not add up or cannot be kept: it stops rather than write a wrong number."""

    code = "ledger_error"


class NotComputedError(CroupierError):
    """A figure this version cannot compute yet; the sentence says what is missing."""

    code = "not_computed"


def unknown(kind: str, given: str, accepted: Iterable[str], of: str = "") -> UnknownNameError:
    """The error for a name that is not among `accepted`, with the nearest match. `kind` is singular: "pay table".

    `of` may say of what: " of the switch soft17".
    """
    names = list(accepted)
    near = get_close_matches(str(given), names, n=1, cutoff=0.5)
    hint = f' Did you mean "{near[0]}"?' if near else ""
    listing = ", ".join(names) if names else "none"
    message = f'There is no {kind} "{given}"{of}.{hint} Accepted: {listing}.'
    return UnknownNameError(message, code=f"unknown_{kind.replace(' ', '_')}")
