"""Every page of the server."""

from __future__ import annotations

from fastapi import FastAPI
from starlette.staticfiles import StaticFiles

from croupier.web.pages import events, lobby, reading, reading_odds, sign, sign_in
from croupier.web.pages.frame import STATIC

TOPICS = (sign_in, events, lobby, sign, reading, reading_odds)


def add_pages(app: FastAPI) -> None:
    for topic in TOPICS:
        app.router.routes.extend(topic.router.routes)
    app.mount("/static", StaticFiles(directory=STATIC), name="static")
