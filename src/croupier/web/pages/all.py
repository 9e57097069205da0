"""Every page of the server."""

from __future__ import annotations

from fastapi import FastAPI
from starlette.staticfiles import StaticFiles

from croupier.web.pages import (
    dealer,
    dealer_cards,
    dealer_training,
    events,
    lab,
    lab_meter,
    lobby,
    manager,
    play,
    play_practice,
    play_roads,
    plots,
    reading,
    sheet,
    sign,
    sign_in,
    simulations,
    strategy,
)
from croupier.web.pages.frame import STATIC

TOPICS = (
    sign_in,
    events,
    lobby,
    sign,
    reading,
    strategy,
    sheet,
    lab,
    lab_meter,
    plots,
    simulations,
    dealer_training,
    dealer,
    dealer_cards,
    play,
    play_practice,
    play_roads,
    manager,
)


def add_pages(app: FastAPI) -> None:
    for topic in TOPICS:
        app.router.routes.extend(topic.router.routes)
    app.mount("/static", StaticFiles(directory=STATIC), name="static")
