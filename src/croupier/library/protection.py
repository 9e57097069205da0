"""What a counter can take from a wager, as a result."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

from croupier.errors import RangeError
from croupier.exact.protection.counts import given_count
from croupier.exact.protection.known import can_be_known
from croupier.exact.protection.main_game import is_main_game
from croupier.library.frame import Frame
from croupier.library.html import table_html, title_html
from croupier.library.result import Result, shown_percent
from croupier.reports.protection.advice import Advice, advice
from croupier.reports.protection.data import protection_data
from croupier.reports.protection.report import protection_report
from croupier.reports.protection.study import Protection as Exact
from croupier.reports.protection.study import Study, cut_of, dealing_of, protection_of, study
from croupier.reports.protection.together import Together, together
from croupier.reports.report import Report
from croupier.reports.simulation.length import parse_count, require_seed
from croupier.rules.choice import Choice
from croupier.rules.spec import Game as Spec

if TYPE_CHECKING:
    from croupier.library.counting import Counting
    from croupier.library.game import Game
    from croupier.library.hidden_cards import HiddenCards

USUAL_SHOES = "1e4"
MOST_LIMIT = 1000
MOST_SHOES = 10**8

Tell = Callable[[float], None]


@dataclass(frozen=True, kw_only=True)
class Ask:
    """How shoes are dealt, and what is asked of them."""

    cut: int | None = None
    dealing: str | None = None
    shoes: str | None = None
    count: str | None = None
    """A count besides those that are known, by name or tags."""
    limit: float | None = None
    """Units a shoe for which the house asks advice."""
    seed: int = 1
    threads: int | None = None


@dataclass(frozen=True, kw_only=True, repr=False)
class Protection(Result):
    """Effects of removal, counts, and what they yield on real shoes: `croupier protect`.

    >>> import croupier
    >>> protection = croupier.game("mini_baccarat").protect("tie", shoes=0)
    >>> protection.best_tags["8"], sum(protection.effects_by_card.values())
    (2.0, Fraction(0, 1))
    """

    exact: Exact = field(compare=False)
    """As the engine has it. It is not part of the stable interface, and so is the next one."""
    study: Study | None = field(compare=False)
    advice: Advice | None = None
    """What keeps it below a limit, if one was given: cut, decks, pay."""
    beside: Together | None = None
    """This wager and others together, if others were given."""

    @property
    def choice(self) -> Choice:
        """It is not part of the stable interface."""
        return self.exact.choice

    @property
    def game(self) -> str:
        return self.exact.choice.game.id

    @property
    def wager(self) -> str:
        return self.exact.choice.wager.id

    @property
    def edge(self) -> Fraction:
        """From the fresh shoe."""
        return -self.exact.removal.value

    @property
    def effects(self) -> dict[str, Fraction]:
        """Change of the expected profit when a card of that rank is taken out, ace to king; the mean over suits."""
        return dict(self.exact.removal.named)

    @property
    def effects_by_card(self) -> dict[str, Fraction]:
        from croupier.cards import card_text

        by_card = self.exact.removal.by_card
        return {card_text(card) if card < 52 else "Jk": effect for card, effect in enumerate(by_card)}

    @property
    def best_tags(self) -> dict[str, float]:
        """Of the best simple count; empty where no rank matters by itself."""
        best = next((count for count in self.exact.counts if count.id == "best"), None)
        return dict(zip(self.effects, best.tags, strict=True)) if best else {}

    @cached_property
    def yields(self) -> dict[str, dict[str, Any]]:
        """What each counter takes: `best`, `linear`, `perfect`, `hi_lo`, `ten_count`; empty without shoes. Each has
        `win_per_shoe` and `win_per_100` rounds with their standard errors, in units bet, and `bet_frequency`."""
        data = self.to_dict()["yields"]
        return dict(data["counters"]) if data else {}

    @property
    def report(self) -> Report:
        """As every form shows it. It is not part of the stable interface."""
        return protection_report(self.exact, self.study, self.advice, self.beside)

    def to_dict(self) -> dict[str, Any]:
        """What `croupier protect --json` prints."""
        return protection_data(self.exact, self.study, self.advice, self.beside)

    @property
    def frame(self) -> Frame:
        """A row for each rank."""
        return Frame.of_rows({"rank": rank, "effect_of_removal": effect} for rank, effect in self.effects.items())

    @property
    def line(self) -> dict[str, Any]:
        perfect = self.yields.get("perfect", {})
        choice = self.exact.choice
        return {
            "game": self.game,
            "wager": self.wager,
            "pay_table": choice.pay_table.id,
            "decks": choice.decks,
            "edge": self.edge,
            "perfect_per_shoe": perfect.get("win_per_shoe"),
            "perfect_per_100": perfect.get("win_per_100"),
        }

    def __repr__(self) -> str:
        most = f", {self.yields['perfect']['win_per_shoe']:.3f} units a shoe at most" if self.study else ""
        return f"<Protection: {self.game} {self.wager}, house edge {shown_percent(self.edge)}{most}>"

    def _repr_html_(self) -> str:
        effects = [[rank, shown_percent(effect)] for rank, effect in self.effects.items()]
        counters = [
            [
                entry["name"],
                f"{entry['trigger']:+g}" if entry["trigger"] is not None else "-",
                shown_percent(entry["bet_frequency"], 2),
                shown_percent(entry["average_edge"], 3),
                f"{entry['win_per_shoe']:.4f} ± {2 * entry['win_per_shoe_standard_error']:.4f}",
            ]
            for entry in self.yields.values()
        ]
        return (
            title_html(
                f"{self.exact.choice.game.name}: {self.exact.choice.wager.name}",
                f"house edge {shown_percent(self.edge)} from the fresh shoe",
            )
            + table_html(["card taken out", "change of profit"], effects)
            + (table_html(["counter", "from", "of rounds", "edge then", "units a shoe"], counters) if counters else "")
        )


def hides_cards(game: Spec, wager: str) -> bool:
    """Whether a seat decides about the wager while cards are hidden that it could have seen."""
    return bool(game.wagers) and wager == game.first_wager.id and can_be_known(game)


def vulnerability(
    game: Game, wager: str, options: Mapping[str, Any], progress: Tell | None
) -> Protection | HiddenCards | Counting:
    """What `croupier protect` and its page show of a wager: of one that is decided while cards are hidden, what these
    are worth; of a main game of blackjack, its worth by true count; else what a counter can
    take. `options` are keywords of `Game.protect`, and `known` for hidden cards."""

    def given(*names: str) -> dict[str, Any]:
        return {name: options[name] for name in names if options.get(name) is not None}

    if hides_cards(game.spec, wager):
        _refuse(wager, given("count", "limit", "beside"), "cards that are hidden are looked at there")
        return game.hidden_cards(**given("known", "pay_table", "seed", "rules"), progress=progress)
    if is_main_game(game.spec, wager):
        _refuse(wager, given("known", "limit", "beside"), "one count is followed there")
        names = ("count", "pay_table", "decks", "cut", "dealing", "shoes", "seed", "threads", "rules")
        return game.counting(**given(*names), progress=progress)
    _refuse(wager, given("known"), "it is for the first wager of poker games")
    return game.protect(wager, **given(*options), progress=progress)


def _refuse(wager: str, wanted: Mapping[str, Any], why: str) -> None:
    """Says what does not go with a wager; `beside` is called --with on a command line."""
    if wanted:
        names = " and ".join(name.replace("beside", "with") for name in wanted)
        raise RangeError(f'"{wager}" goes without {names}: {why}.', code="not_for_wager")


def protect(
    choice: Choice,
    settings: Mapping[str, str],
    ask: Ask,
    others: Sequence[Choice] = (),
    progress: Tell | None = None,
) -> Protection:
    """The exact part, and the yields on so many shoes: of the wager, of others beside it, and under other rules."""
    require_seed(ask.seed)
    if ask.threads is not None and ask.threads < 1:
        raise RangeError(f"{ask.threads} threads: 1 or more.", code="bad_threads")
    if ask.limit is not None and not 0 < ask.limit < MOST_LIMIT:
        raise RangeError(f"{ask.limit:g} units a shoe: more than 0, less than {MOST_LIMIT}.", code="bad_limit")
    number = 0 if ask.shoes == "0" else parse_count(ask.shoes or USUAL_SHOES, "shoes", most=MOST_SHOES)
    how = dealing_of(choice, ask.dealing)
    if ask.cut is not None:
        cut_of(choice, ask.cut, how)
    exact = protection_of(choice, given_count(ask.count) if ask.count is not None else None)
    if number == 0 or not exact.is_dealt_from_a_shoe:
        return Protection(exact=exact, study=None)
    threads = ask.threads or os.cpu_count() or 1
    parts = 1 + len(others) + (1 if ask.limit is not None else 0)

    def studied(of: Exact, part: int) -> Study:
        return study(
            of,
            settings=settings,
            cut=ask.cut,
            dealing=how,
            shoes=number,
            seed=ask.seed,
            threads=threads,
            progress=_part(progress, part, parts),
        )

    found = studied(exact, 0)
    besides = tuple(studied(protection_of(other), part) for part, other in enumerate(others, 1))
    return Protection(
        exact=exact,
        study=found,
        advice=advice(found, settings, ask.limit, threads, _part(progress, parts - 1, parts)) if ask.limit else None,
        beside=together((found, *besides)) if besides else None,
    )


def _part(progress: Tell | None, part: int, parts: int) -> Tell | None:
    return (lambda share: progress((part + share) / parts)) if progress is not None else None
