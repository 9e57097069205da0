"""Every page of the server."""

from __future__ import annotations

from fastapi import FastAPI
from starlette.staticfiles import StaticFiles

from croupier.web.pages import events, sign, sign_in
from croupier.web.pages.base import STATIC
from croupier.web.pages.dealer import card_steps as dealer_cards
from croupier.web.pages.dealer import terminal as dealer
from croupier.web.pages.dealer import training as dealer_training
from croupier.web.pages.lab import meter as lab_meter
from croupier.web.pages.lab import pay_table as lab
from croupier.web.pages.lab import simulations
from croupier.web.pages.manager import routes as manager
from croupier.web.pages.play import lobby
from croupier.web.pages.play import practice as play_practice
from croupier.web.pages.play import roads as play_roads
from croupier.web.pages.play import table as play
from croupier.web.pages.reading import plots, sheet, strategy
from croupier.web.pages.reading import rules as reading

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
