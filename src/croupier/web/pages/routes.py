"""Every page of the server."""

from __future__ import annotations

from pathlib import Path

from fastapi import FastAPI
from starlette.middleware.gzip import GZipMiddleware
from starlette.staticfiles import StaticFiles

from croupier.web.handbook import HANDBOOK, handbook_folder
from croupier.web.pages import events, sign, sign_in
from croupier.web.pages.base import STATIC
from croupier.web.pages.dealer import card_steps as dealer_cards
from croupier.web.pages.dealer import terminal as dealer
from croupier.web.pages.dealer import training as dealer_training
from croupier.web.pages.lab import meter as lab_meter
from croupier.web.pages.lab import pay_table as lab
from croupier.web.pages.lab import simulations
from croupier.web.pages.manager import routes as manager
from croupier.web.pages.play import counting as play_counting
from croupier.web.pages.play import lobby
from croupier.web.pages.play import practice as play_practice
from croupier.web.pages.play import replay as play_replay
from croupier.web.pages.play import results as play_results
from croupier.web.pages.play import roads as play_roads
from croupier.web.pages.play import table as play
from croupier.web.pages.play import train as play_train
from croupier.web.pages.reading import plots, protection, sheet, strategy
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
    protection,
    simulations,
    dealer_training,
    dealer,
    dealer_cards,
    play_replay,
    play_results,
    play,
    play_practice,
    play_roads,
    play_counting,
    play_train,
    manager,
)


def add_pages(app: FastAPI) -> None:
    for topic in TOPICS:
        app.router.routes.extend(topic.router.routes)
    app.mount("/static", _files(STATIC), name="static")
    folder = handbook_folder()
    if folder is not None:
        app.mount(HANDBOOK, _files(folder), name="handbook")


def _files(folder: Path) -> GZipMiddleware:
    """Files for everybody, compressed on the way. Pages are not: their length would tell what secrets stand in them."""
    return GZipMiddleware(StaticFiles(directory=folder, html=True), minimum_size=1000)
