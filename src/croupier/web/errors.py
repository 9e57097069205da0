"""Every error in one form, `{"error": {"code", "message"}}`, with its status; never a traceback or a secret."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

import msgspec
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response

from croupier.errors import (
    CroupierError,
    IllegalActionError,
    LedgerError,
    NotationError,
    RangeError,
    SpecError,
    StaleRevisionError,
    UnknownNameError,
)
from croupier.floor.service import FloorRefusedError
from croupier.store.base import PLAY_FAILED

NOT_RECOGNISED = frozenset({"not_recognized", "not_signed_in", "session_ended", "wrong_device", "bad_token"})
FORBIDDEN = frozenset(
    {
        "csrf_failed",
        "default_secret",
        "low_card",
        "no_right",
        "not_allowed",
        "not_demo",
        "own_lock",
        "person_needed",
        "same_person",
        "same_person_twice",
        "second_card_needed",
        "second_person_missing",
    }
)
MISSING = frozenset(
    {
        "no_floor",
        "only_named",
        "unknown_award",
        "unknown_code",
        "unknown_device",
        "unknown_game",
        "unknown_jackpot",
        "unknown_person",
        "unknown_round",
        "unknown_simulation",
        "unknown_table",
        "unknown_wager",
    }
)
TOO_MANY = frozenset({"locked_out", "too_busy", "too_many_requests", "too_many_streams"})
FAILED = frozenset({"work_failed", "work_stopped"})
CONFLICTS = frozenset(
    {
        "account_short",
        "deposit_overdue",
        "jackpot_in_play",
        "round_in_progress",
        "stale_version",
        "version_goes_back",
    }
)
UNKNOWN_OUTCOME = (
    "The ledger could not be read or written. Unknown is not success: ask again with the same Idempotency-Key."
)
PLAY_UNKNOWN = (
    "Tables of play money and simulations could not be read or written; the jackpots' ledger is not meant. Whether it "
    "was done is not known: look again in a moment, and tell the staff if this stays."
)
WITH_DRIVERS_WORDS = frozenset({"storage_failed", "cannot_open"})
"""Their sentences repeat what the database's driver said, which is for the log and not for the client."""
PASSES = frozenset({"storage_failed", "cannot_open", "ledger_busy", PLAY_FAILED})
"""What may be over in a moment. A stopped jackpot or a damaged log waits for somebody who looks."""
HTTP_CODES = {404: "no_such_page", 405: "method_not_allowed", 413: "body_too_large"}

PAGE_WORDS = {"no_such_page": "There is no page at this address. The lobby links to all of them."}
BROKEN = "The server failed. Whether it was done is not known: ask again with the same id."
AsPage = Callable[[Request, int, str, str], Response]

log = logging.getLogger("croupier.web")


class WebError(CroupierError):
    """A request that HTTP itself, not the floor, refuses."""

    code = "bad_request"


def status_of(error: CroupierError) -> int:
    """The HTTP status of a refusal. Codes say more than kinds, except for mistakes in data, which are always 422."""
    if isinstance(error, LedgerError):
        return 422 if error.code == "bad_link" else 503
    if isinstance(error, (SpecError, NotationError, RangeError)):
        return 422
    by_code = (NOT_RECOGNISED, 401), (FORBIDDEN, 403), (MISSING, 404), (CONFLICTS, 409), (TOO_MANY, 429), (FAILED, 503)
    for codes, status in by_code:
        if error.code in codes:
            return status
    if isinstance(error, (FloorRefusedError, UnknownNameError)):
        return 422
    return 409 if isinstance(error, (StaleRevisionError, IllegalActionError)) else 400


def error_body(code: str, message: str, **more: Any) -> dict[str, Any]:
    return {"error": {"code": code, "message": message, **more}}


def is_data(path: str) -> bool:
    """Whether an address is the API's, whose answers are data, and not a page's."""
    return path == "/api" or path.startswith("/api/")


def in_words(error: CroupierError) -> str:
    """What a client is told: the driver's own words are for the log."""
    if isinstance(error, LedgerError) and error.code in WITH_DRIVERS_WORDS:
        return UNKNOWN_OUTCOME
    if isinstance(error, LedgerError) and error.code == PLAY_FAILED:
        return PLAY_UNKNOWN
    return str(error)


def refusal(error: CroupierError) -> Response:
    """The answer to a refused request."""
    status = status_of(error)
    message, more = in_words(error), {}
    if isinstance(error, FloorRefusedError):
        more["findings"] = msgspec.to_builtins(error.findings)
    headers = {401: {"WWW-Authenticate": "Bearer"}, 429: {"Retry-After": "60"}}.get(status, {})
    if isinstance(error, LedgerError) and status == 503:
        log.error("%s: %s", error.code, error)
        if error.code in PASSES:
            headers = {"Retry-After": "1"}
    return JSONResponse(error_body(error.code, message, **more), status, headers=headers)


def install(app: FastAPI, headers_of: Callable[[str, int], dict[str, str]], as_page: AsPage) -> None:
    """Gives all errors of an app the one form; `headers_of` is for a failure that no middleware sees any more.

    Outside the API an error is a page, which `as_page` makes.
    """

    @app.exception_handler(CroupierError)
    def refused(request: Request, error: CroupierError) -> Response:
        return refusal(error)

    @app.exception_handler(RequestValidationError)
    def malformed(request: Request, error: RequestValidationError) -> Response:
        # What was sent is not repeated: it may be a PIN.
        fields = [
            {"where": ".".join(str(part) for part in problem["loc"]), "problem": str(problem["msg"])}
            for problem in error.errors()
        ]
        message = "; ".join(f"{field['where']}: {field['problem']}" for field in fields)
        return JSONResponse(error_body("bad_request", f"The request cannot be read: {message}.", fields=fields), 422)

    @app.exception_handler(HTTPException)
    def http(request: Request, error: HTTPException) -> Response:
        code = HTTP_CODES.get(error.status_code, "bad_request")
        if not is_data(request.url.path):
            return as_page(request, error.status_code, code, PAGE_WORDS.get(code, str(error.detail)))
        body = error_body(code, f"{error.detail}.".replace("..", "."))
        return JSONResponse(body, error.status_code, headers=error.headers)

    @app.exception_handler(Exception)
    def broken(request: Request, error: Exception) -> Response:
        if not is_data(request.url.path):
            answer = as_page(request, 500, "internal", BROKEN)
            answer.headers.update(headers_of(request.url.path, 500))
            return answer
        return JSONResponse(error_body("internal", BROKEN), 500, headers=headers_of(request.url.path, 500))
