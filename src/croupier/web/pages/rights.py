"""Who may open which page and send which form: one row each. A page without a row does not answer."""

from __future__ import annotations

from croupier.web.api.rights import Access

OPEN = Access(is_open=True)

PAGES: dict[str, Access] = {
    "GET /sign-in": OPEN,
    "POST /sign-in": OPEN,
    "POST /sign-out": OPEN,
    "GET /events": OPEN,
    "GET /": OPEN,
    "GET /lobby/edges/{game}": OPEN,
    "GET /lobby/tables": OPEN,
    # In demo mode for everybody; elsewhere it asks for a sign's token, or somebody who is signed in.
    "GET /sign/{jackpot}": OPEN,
    "GET /sign/{jackpot}/state": OPEN,
    "GET /rules": OPEN,
    "GET /rules/{game}": OPEN,
    "GET /check": OPEN,
    "GET /odds/{game}": OPEN,
    "GET /odds/{game}/{wager}": OPEN,
    "GET /strategy/{game}": OPEN,
    "GET /about": OPEN,
}
