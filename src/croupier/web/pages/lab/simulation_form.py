"""What the form of a simulation asks for, read field by field, and what it shows when it is opened."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from starlette.datastructures import FormData

from croupier.errors import CroupierError
from croupier.lab.runs import MOST_ROUNDS, Run, check_run
from croupier.reports.simulation.compare import countable
from croupier.reports.simulation.length import Effort, Target, parse_count, read_effort
from croupier.rules.choice import choose, parse_decks, switch_value
from croupier.rules.spec import Game, Wager
from croupier.web.pages.problems import FieldError

SEEDS = 2**32
"""Seeds that the server draws are short enough to be written down."""
LONGEST_NUMBER = 20
UNTIL = {"rounds": "rounds", "seconds": "seconds of play", "error": "this standard error, as 0.0001"}
FIELDS = {
    "bad_seats": "seats",
    "bad_cut": "cut",
    "bad_chute": "cut",
    "unknown_shuffle": "shuffle",
    "bad_seed": "seed",
    "bad_rounds": "amount",
    "bad_goal": "amount",
    "bad_decks": "decks",
    "unknown_wager": "wager",
    "too_many_wagers": "wager",
    "unknown_strategy": "strategy",
}
"""The field that a refusal is about, by its code."""


@dataclass(frozen=True, kw_only=True)
class Filled:
    """The fields of the form when it is opened."""

    wagers: frozenset[str]
    pay_tables: dict[str, str]
    switches: dict[str, str]
    is_otherwise: bool
    """Whether a switch is not as the game comes."""
    decks: int
    seats: int
    shuffle: str
    cut: str
    strategy: str
    until: str
    amount: str
    seed: str


def wagers_of(game: Game) -> list[Wager]:
    """Those that are simulated by themselves; insurance is made where the strategy takes it."""
    return [wager for wager in game.wagers if not game.is_asked(wager)]


def usual(game: Game) -> Run:
    """The game as it comes, with as many wagers as can be counted at once."""
    every = wagers_of(game)
    counted = countable({wager.id: choose(game, wager.id) for wager in every if wager.classifiers})
    wagers = tuple(wager.id for wager in every if not wager.classifiers or wager.id in counted)
    return Run(game=game.id, decks=game.default_decks, wagers=wagers if len(wagers) < len(every) else ())


def filled(game: Game, run: Run, *, seed: str) -> Filled:
    target = run.target
    until, amount = "rounds", _count_text(target.rounds)
    if target.seconds is not None:
        until, amount = "seconds", f"{target.seconds:g}"
    elif target.standard_error is not None:
        until, amount = "error", f"{target.standard_error:g}"
    every = wagers_of(game)
    return Filled(
        wagers=frozenset(run.wagers or (wager.id for wager in every)),
        pay_tables={wager.id: run.pay_tables.get(wager.id) or _usual_table(game, wager, run.decks) for wager in every},
        switches={switch.id: run.settings.get(switch.id, switch.default) for switch in game.switches},
        is_otherwise=bool(run.settings),
        decks=run.decks,
        seats=run.seats,
        shuffle=run.shuffle,
        cut="" if run.cut is None else str(run.cut),
        strategy=run.strategy,
        until=until,
        amount=amount,
        seed=seed,
    )


def _count_text(count: int | None) -> str:
    return (
        f"{count:.0e}".replace("e+0", "e").replace("e+", "e")
        if count and count == float(f"{count:.0e}")
        else str(count)
    )


def run_of(game: Game, form: FormData) -> Run:
    """The run that a form asks for, checked, or the refusal with its field."""
    with _at_its_field():
        every = [wager.id for wager in wagers_of(game)]
        wagers = [str(name) for name in form.getlist("wager")]
        if not wagers:
            raise FieldError("Choose at least one wager.", field="wager", code="no_wager")
        for name in wagers:
            game.wager(name)
        decks = _decks(_text(form, "decks", str(game.default_decks)))
        run = Run(
            game=game.id,
            decks=decks,
            wagers=() if set(wagers) >= set(every) else tuple(name for name in every if name in wagers),
            pay_tables=_pay_tables(game, form, wagers, decks),
            settings=_settings(game, form),
            seats=_whole(form, "seats", "1"),
            shuffle=_text(form, "shuffle", "fresh"),
            cut=_whole(form, "cut", "") if _text(form, "cut") else None,
            strategy=_text(form, "strategy", "optimal"),
            seed=_whole(form, "seed", "") if _text(form, "seed") else secrets.randbelow(SEEDS),
            target=_target(form),
        )
        check_run(run)
    return run


@contextmanager
def _at_its_field() -> Iterator[None]:
    """Refusals of the code below say their field, where they are about one."""
    try:
        yield
    except FieldError:
        raise
    except CroupierError as error:
        if error.code not in FIELDS:
            raise
        raise FieldError(str(error), field=FIELDS[error.code], code=error.code) from error


def _text(form: FormData, name: str, default: str = "") -> str:
    value = form.get(name)
    return value.strip() if isinstance(value, str) and value.strip() else default


def _whole(form: FormData, name: str, default: str) -> int:
    text = _text(form, name, default).replace("_", "").replace(",", "")
    if not (text.isascii() and text.isdecimal()) or len(text) > LONGEST_NUMBER:
        words = f'{name.capitalize()}: "{text[:40]}" is not a whole number; write digits only.'
        raise FieldError(words, field=name, code=f"bad_{name}")
    return int(text)


def _decks(text: str) -> int:
    decks = parse_decks(text)
    if decks is None:
        raise FieldError("Simulation deals from real decks: 1 to 8, not inf.", field="decks", code="bad_decks")
    return decks


def _pay_tables(game: Game, form: FormData, wagers: list[str], decks: int) -> dict[str, str]:
    """Those not taken anyway, of the wagers that are played and of the main one, which decides how hands are played."""
    tables = {}
    for wager in wagers_of(game):
        name = f"pay.{wager.id}"
        wanted = _text(form, name)
        if wanted and (wager.id in wagers or wager.is_main) and wanted != _usual_table(game, wager, decks):
            try:
                tables[wager.id] = wager.pay_table(wanted).id
            except CroupierError as error:
                raise FieldError(str(error), field=name, code=error.code) from error
    return tables


def _usual_table(game: Game, wager: Wager, decks: int) -> str:
    return choose(game, wager.id, decks=str(decks)).pay_table.id


def _settings(game: Game, form: FormData) -> dict[str, str]:
    """Switches that are not as they come."""
    settings = {}
    for switch in game.switches:
        name = f"set.{switch.id}"
        try:
            value = switch_value(switch, _text(form, name, switch.default))
        except CroupierError as error:
            raise FieldError(str(error), field=name, code=error.code) from error
        if value != switch.default:
            settings[switch.id] = value
    return settings


def _target(form: FormData) -> Target:
    until, amount = _text(form, "until", "rounds"), _text(form, "amount")
    if until not in UNTIL:
        raise FieldError(f"Play until one of: {', '.join(UNTIL)}.", field="until", code="bad_goal")
    if not amount:
        raise FieldError("Say how long to play: a number of rounds, such as 1e7.", field="amount", code="bad_goal")
    if until == "rounds":
        return Target(rounds=parse_count(amount, "rounds", most=MOST_ROUNDS))
    return read_effort(Effort(seconds=amount) if until == "seconds" else Effort(until_se=amount))
