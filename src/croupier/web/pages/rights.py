"""Who may open which page and send which form: one row each. A page without a row does not answer."""

from __future__ import annotations

from croupier.web.api.rights import Access

OPEN = Access(is_open=True)

PAGES: dict[str, Access] = {
    "GET /sign-in": OPEN,
    "POST /sign-in": OPEN,
    "POST /sign-out": OPEN,
    "GET /events": OPEN,
}
