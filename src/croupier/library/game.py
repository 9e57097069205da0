"""A game as a program sees it: everything that the command line does, as methods."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from croupier.errors import NotationError
from croupier.library.html import notes_html, table_html, title_html
from croupier.library.pay_tables import PayTable, PayTables, by_wager, with_others_first, with_tables
from croupier.library.values import (
    Amount,
    Decks,
    Number,
    Rules,
    decks_text,
    number_text,
    optional_text,
    require_whole,
    switch_texts,
    takes_switches,
    words_of,
)
from croupier.rules import find_game
from croupier.rules.choice import Choice, OddsRequest
from croupier.rules.spec import Game as Spec

if TYPE_CHECKING:
    from croupier.exact.strategy.solve import Progress as Tell
    from croupier.library.checking import Check
    from croupier.library.counting import Counting
    from croupier.library.hidden_cards import HiddenCards
    from croupier.library.odds import Odds
    from croupier.library.protection import Protection
    from croupier.library.sheets import Sheet
    from croupier.library.simulation import Plan, Simulation
    from croupier.library.strategy import Strategy
    from croupier.library.table import Round, Table, Wagers


@dataclass(frozen=True, kw_only=True)
class Wager:
    """Something one can bet on.

    >>> import croupier
    >>> croupier.game("blackjack").wagers["lucky_lucky"].kind
    'side'
    """

    id: str
    name: str
    kind: str
    """main, insurance, asked, side or progressive."""
    text: str
    """When it wins."""
    pay_tables: tuple[str, ...]
    """Ids of its pay tables, the default one first."""


@dataclass(frozen=True, kw_only=True)
class Switch:
    """A house rule that may differ; a keyword of the methods of a game.

    >>> import croupier
    >>> croupier.game("blackjack").switches["soft17"].values
    ('hit', 'stand')
    """

    id: str
    text: str
    """What it decides."""
    values: tuple[str, ...]
    default: str
    basis: str
    """letter, reading or house: who says so."""


@dataclass(frozen=True, repr=False)
class Game:
    """A game: its wagers and rules, and what can be computed of it.

    >>> import croupier
    >>> game = croupier.game("blackjack")
    >>> game.name, game.default_decks, list(game.wagers)[:3]
    ('Blackjack with Lucky Lucky® and Lucky Break®', 6, ['main', 'insurance', 'lucky_lucky'])
    >>> game.odds("lucky_lucky", decks=2)
    <Odds: blackjack lucky_lucky, pay table 1, 2 decks: house edge 5.3903%>

    Switches are keywords: `soft17="stand"`, `surrender=False`. A name or value that does not exist raises a
    `CroupierError` whose sentence lists those that do.
    """

    spec: Spec
    """What the game file says. It is not part of the stable interface."""
    place: str = field(compare=False)
    """The id or path by which it was found."""

    @property
    def id(self) -> str:
        return self.spec.id

    @property
    def name(self) -> str:
        return self.spec.name

    @property
    def summary(self) -> str:
        """The game in a sentence or two."""
        return self.spec.summary

    @property
    def version(self) -> str:
        """Of its rules, apart from the program's."""
        return self.spec.version

    @property
    def decks(self) -> tuple[int, ...]:
        """Deck counts that the letter allows; any may be asked for."""
        return self.spec.decks

    @property
    def default_decks(self) -> int:
        return self.spec.default_decks

    @cached_property
    def wagers(self) -> Mapping[str, Wager]:
        """Everything one can bet on, by id."""
        return {
            wager.id: Wager(
                id=wager.id,
                name=wager.name,
                kind=wager.kind,
                text=wager.text,
                pay_tables=tuple(table.id for table in wager.pay_tables),
            )
            for wager in self.spec.wagers
        }

    @cached_property
    def switches(self) -> Mapping[str, Switch]:
        """House rules that may differ, by id."""
        return {
            switch.id: Switch(
                id=switch.id, text=switch.text, values=switch.values, default=switch.default, basis=switch.basis
            )
            for switch in self.spec.switches
        }

    def to_dict(self) -> dict[str, Any]:
        """What `croupier games --json` prints of it."""
        from croupier.reports.json_data import game_data

        return game_data(self.spec)

    @takes_switches
    def pays(
        self,
        wager: str,
        pay_table: str | int | None = None,
        *,
        decks: Decks = None,
        rules: Rules | None = None,
        **switches: object,
    ) -> dict[str, str]:
        """The pays of a pay table by row, to be changed and passed back as `pay_table`.

        >>> import croupier
        >>> game = croupier.game("blackjack")
        >>> pays = game.pays("lucky_lucky")
        >>> pays["suited_777"]
        '200 to 1'
        >>> float(game.odds("lucky_lucky", pay_table=pays | {"suited_777": 300}).edge)
        0.0514...
        """
        choice = self._choice(wager, pay_table, decks, None, rules, switches)
        return {row.row: row.pays.text for row in choice.rows}

    @takes_switches
    def odds(
        self,
        wager: str,
        *,
        pay_table: PayTable = None,
        pay_tables: PayTables | None = None,
        decks: Decks = None,
        side: str | None = None,
        seed: Amount | None = None,
        contribution: Amount | None = None,
        reserve: Amount | None = None,
        meter: Amount | None = None,
        rules: Rules | None = None,
        progress: Tell | None = None,
        **switches: object,
    ) -> Odds:
        """Exact odds of a wager.

        >>> import croupier
        >>> game = croupier.game("blackjack")
        >>> game.odds("lucky_lucky", decks=2).edge
        Fraction(1227, 22763)
        >>> game.odds("lucky_lucky", pay_table={"suited_678": 100, "678": "30 to 1"}).pay_table
        'own'

        `pay_tables` are those of other wagers of the round, as the raise of Caribbean Stud, by which it is played.
        `side` is for baccarat: player or banker. `seed`, `contribution`, `reserve` and `meter` are for progressives:
        `meter` adds the edge of the next wager at that meter, `edge_at_meter`, and leaves all else as it is.
        `rules` takes switches as a mapping. `progress` is called with the share that is done where it takes long.
        """
        from croupier.exact.odds import parse_meter_wish
        from croupier.library.odds import odds_of

        choice = self._choice(wager, pay_table, decks, side, rules, switches, pay_tables)
        texts = {"seed": seed, "contribution": contribution, "reserve": reserve, "meter": meter}
        wish = parse_meter_wish({name: optional_text(value) for name, value in texts.items()})
        return odds_of(choice, wish, progress)

    @takes_switches
    def strategy(
        self,
        *,
        pay_table: PayTable = None,
        pay_tables: PayTables | None = None,
        decks: Decks = None,
        total_dependent: bool = False,
        effects: bool = False,
        wager: Amount | None = None,
        limit: Amount | None = None,
        rules: Rules | None = None,
        progress: Tell | None = None,
        **switches: object,
    ) -> Strategy:
        """Optimal play of the main wager: exact edge, charts, exceptions, and what each rule costs.

        >>> import croupier
        >>> sixteen = croupier.game("blackjack").strategy(soft17="stand").charts["hard"].get("16")
        >>> sixteen["10"]
        'H'

        `total_dependent` gives the figures of the best chart by totals; `effects` the edge under each other rule.
        `pay_tables` are those of other wagers of the round.
        `wager` is the first wager in dollars where the limit for a single one matters; `limit` is that of the law.
        """
        from croupier.exact.played import check_is_played, compute_strategy, switch_effects
        from croupier.library.limits import units_of_limit
        from croupier.library.strategy import strategy_of

        check_is_played(self.spec)
        choice = self._choice(self.spec.first_wager.id, pay_table, decks, None, rules, switches, pay_tables)
        cap = units_of_limit(choice, optional_text(wager), optional_text(limit))
        tell = progress or (lambda share: None)
        part = 0.5 if effects else 1.0
        sheet = compute_strategy(
            choice, cap=cap, total_dependent=total_dependent, progress=lambda share: tell(part * share)
        )
        changed = None
        if effects:
            from croupier.exact.played import other_rules

            number, changed = len(other_rules(choice)), []
            for effect in switch_effects(choice, sheet.best_edge, cap):
                changed.append(effect)
                tell(part + part * len(changed) / number)
        return strategy_of(sheet, changed)

    @takes_switches
    def simulate(
        self,
        rounds: Number | str | None = None,
        *,
        until_se: Number | str | None = None,
        seconds: Number | str | None = None,
        seed: int = 1,
        seats: int = 1,
        decks: Decks = None,
        shuffle: str = "fresh",
        cut: int | None = None,
        strategy: str | Path = "optimal",
        wagers: str | Sequence[str] = (),
        pay_tables: PayTables | None = None,
        backend: str | None = None,
        threads: int | None = None,
        cluster: Any = None,
        checkpoint: str | Path | None = None,
        rules: Rules | None = None,
        progress: Callable[[Simulation], None] | None = None,
        **switches: object,
    ) -> Simulation:
        """Plays rounds at random: every wager's edge with its standard error, beside the exact one.

        >>> import croupier
        >>> run = croupier.game("mini_baccarat").simulate(rounds=1e6, seed=1, wagers=["player", "tie"])
        >>> {name: abs(one.z) < 4 for name, one in run.wagers.items()}
        {'player': True, 'tie': True}

        It ends after `rounds` (ten million if nothing else is said), after `seconds`, or when the standard error of the
        main edge is `until_se`. The same seed gives the same counts on any machine. `backend` is cpu, cuda, python or
        dask; `cluster` a Dask client or cluster, or a scheduler's address. A `checkpoint` file is taken up again.
        `progress` is called with the result so far. Ctrl-C returns what was played until then.
        """
        from croupier.library.simulation import simulate, wish_of
        from croupier.reports.simulation.length import Effort

        require_whole(seats=seats, cut=cut, threads=threads)
        spec, tables = self._with_own_tables(pay_tables, decks, rules, switches)
        settings = switch_texts(rules, switches)
        wish = wish_of(decks, settings, tables, seats, shuffle, cut, strategy, wagers)
        effort = Effort(rounds=optional_text(rounds), until_se=optional_text(until_se), seconds=optional_text(seconds))
        return simulate(
            spec,
            wish,
            effort,
            seed=seed,
            backend=backend or ("cpu" if cluster is None else "dask"),
            threads=threads,
            cluster=cluster,
            checkpoint=checkpoint,
            watcher=progress,
        )

    @takes_switches
    def plan(
        self,
        rounds: Number | str = 1e12,
        *,
        seconds: float = 2.0,
        seats: int = 1,
        decks: Decks = None,
        shuffle: str = "fresh",
        cut: int | None = None,
        strategy: str | Path = "optimal",
        wagers: str | Sequence[str] = (),
        pay_tables: PayTables | None = None,
        rules: Rules | None = None,
        **switches: object,
    ) -> Plan:
        """How long a simulation takes and how exact it is, from `seconds` of play on one core of this computer.

        >>> import croupier
        >>> plan = croupier.game("mini_baccarat").plan(rounds=1e12, wagers=["tie"], seconds=0.2)
        >>> plan.standard_errors["tie"] < 1e-5
        True
        """
        from croupier.library.simulation import plan, wish_of

        require_whole(seats=seats, cut=cut)
        spec, tables = self._with_own_tables(pay_tables, decks, rules, switches)
        settings = switch_texts(rules, switches)
        wish = wish_of(decks, settings, tables, seats, shuffle, cut, strategy, wagers)
        return plan(spec, wish, number_text(rounds), seconds=number_text(seconds))

    @takes_switches
    def protect(
        self,
        wager: str,
        *,
        pay_table: PayTable = None,
        decks: Decks = None,
        side: str | None = None,
        cut: int | None = None,
        dealing: str | None = None,
        shoes: Number | str | None = None,
        count: str | None = None,
        beside: Sequence[str] = (),
        limit: float | None = None,
        seed: int = 1,
        threads: int | None = None,
        rules: Rules | None = None,
        progress: Tell | None = None,
        **switches: object,
    ) -> Protection:
        """What a counter can take from a wager: exact effects of removal, counts, and their yield on real shoes.

        >>> import croupier
        >>> croupier.game("mini_baccarat").protect("tie", shoes=0).effects["8"] > 0
        True

        `cut` cards are dealt before the cut card comes. `dealing` is strict, one_more or burn: which rounds are still
        dealt then. `shoes` are dealt for the yields, 10,000 if nothing is said; 0 leaves them out. `count` is one more
        to look at: its name, or ten tags as `"-1,1,1,1,1,1,0,0,0,-1@2"`. `beside` are wagers that are attacked in the
        same shoes. With a `limit` of units a shoe the cut, the decks and the pay are looked for that keep it below.
        """
        from croupier.library.protection import Ask, protect

        require_whole(cut=cut, seed=seed, threads=threads)
        choice = self._choice(wager, pay_table, decks, side, rules, switches)
        others = [self._choice(other, None, decks, None, rules, switches) for other in beside]
        ask = Ask(
            cut=cut,
            dealing=dealing,
            shoes=optional_text(shoes),
            count=count,
            limit=limit,
            seed=seed,
            threads=threads,
        )
        return protect(choice, switch_texts(rules, switches), ask, others, progress)

    @takes_switches
    def counting(
        self,
        *,
        count: str = "hi_lo",
        pay_table: PayTable = None,
        decks: Decks = None,
        cut: int | None = None,
        dealing: str | None = None,
        shoes: Number | str | None = None,
        seed: int = 1,
        threads: int | None = None,
        rules: Rules | None = None,
        progress: Tell | None = None,
        **switches: object,
    ) -> Counting:
        """What a counter can take from a main game of blackjack: its worth by true count, index plays, and spreads.

        >>> import croupier
        >>> croupier.game("blackjack").counting(shoes=2000).insurance_index > 3
        True

        `count` is a balanced count: hi_lo, hi_opt_1, hi_opt_2, omega_2, zen or ten_count. `shoes` are dealt to see how
        often each true count comes, 100,000 if nothing is said.
        """
        from croupier.library.counting import counting

        require_whole(cut=cut, seed=seed, threads=threads)
        choice = self._choice(self.spec.first_wager.id, pay_table, decks, None, rules, switches)
        settings = switch_texts(rules, switches)
        return counting(choice, settings, count, cut, dealing, optional_text(shoes), seed, threads, progress)

    @takes_switches
    def hidden_cards(
        self,
        *,
        known: str | None = None,
        pay_table: PayTable = None,
        seed: int = 1,
        rules: Rules | None = None,
        progress: Tell | None = None,
        **switches: object,
    ) -> HiddenCards:
        """What cards that a seat should not know are worth to it, in poker games.

        >>> import croupier
        >>> croupier.game("three_card_poker").hidden_cards()
        <HiddenCards: three_card_poker ante, dealer=1, house edge -3.4829%>
        >>> croupier.game("mississippi_stud").hidden_cards(known="community=3").edge_known < -1
        True

        `known` is `dealer=1`: so many hidden cards of the dealer; `community=1`: that card before it is dealt;
        `backs=QKA`: backs that tell these ranks from the rest; `seats=5`: the hands of so many other seats; or several
        of these, joined by commas. Where there are too many deals to look at all, some are drawn from the seed.
        """
        from croupier.library.hidden_cards import hidden_cards

        require_whole(seed=seed)
        choice = self._choice(self.spec.first_wager.id, pay_table, None, None, rules, switches)
        return hidden_cards(choice, known, seed, progress)

    def check(self, *, progress: Tell | None = None) -> Check:
        """Every published figure of the game, recomputed.

        >>> import croupier
        >>> croupier.game("casino_war").check()
        <Check: casino_war, 4 published figures, 4 equal>
        """
        from croupier.exact.check import check_game
        from croupier.library.checking import Check

        figures = []
        for figure in check_game(self.spec):
            figures.append(figure)
            if progress is not None:
                progress(len(figures) / len(self.spec.published))
        return Check(self.id, tuple(figures))

    @takes_switches
    def sheet(
        self,
        wager: str | None = None,
        *,
        pay_table: PayTable = None,
        pay_tables: PayTables | None = None,
        decks: Decks = None,
        side: str | None = None,
        seed: Amount | None = None,
        contribution: Amount | None = None,
        reserve: Amount | None = None,
        meter: Amount | None = None,
        effects: bool = True,
        rules: Rules | None = None,
        progress: Tell | None = None,
        **switches: object,
    ) -> Sheet:
        """The odds sheet (PAR sheet) of a wager, or of all wagers: for a reviewer, on paper or as data.

        >>> import croupier
        >>> croupier.game("blackjack").sheet("lucky_lucky", effects=False).to_dict()["figures"].get("edge")
        0.0530...

        Without `effects` it does not say what other rules would do, which may take minutes. `pay_table` is that of
        the wager, `pay_tables` those of other wagers, or of the sheets of a whole game.
        """
        from croupier.exact.odds import parse_meter_wish
        from croupier.library.sheets import Sheet
        from croupier.reports.sheet.fill import make_booklet, make_sheet

        texts = {"seed": seed, "contribution": contribution, "reserve": reserve, "meter": meter}
        wish = parse_meter_wish({name: optional_text(value) for name, value in texts.items()})
        if wager is not None:
            choice = self._choice(wager, pay_table, decks, side, rules, switches, pay_tables)
            return Sheet(make_sheet(choice, wish, effects=effects, progress=progress))
        if wish.says_anything or pay_table is not None:
            raise NotationError(
                "A pay table, seed, contribution, reserve or meter is of one wager: name the wager after the game.",
                code="which_wager",
            )
        request = self._request(None, None, decks, side, rules, switches)
        spec, ids = self._with_own_tables(pay_tables, decks, rules, switches)
        return Sheet(make_booklet(spec, request, pay_tables=ids, effects=effects, progress=progress))

    @takes_switches
    def table(
        self,
        seats: int = 1,
        *,
        seed: int | None = None,
        sealed: bool = False,
        decks: Decks = None,
        shuffle: str | None = None,
        pay_tables: PayTables | None = None,
        rules: Rules | None = None,
        **switches: object,
    ) -> Table:
        """A table to play at, step by step.

        >>> import croupier
        >>> table = croupier.game("blackjack").table(seats=2, seed=5)
        >>> round = table.deal({"main": 10}, {"main": 10, "lucky_lucky": 5})
        >>> while round.question:
        ...     round = table.answer("stand" if "stand" in round.legal else round.legal[0])
        >>> round.is_complete, len(round.net)
        (True, 2)

        `seed` deals the same cards each time, for study; without it they come from the system's secure generator.
        """
        from croupier.library.table import Table

        require_whole(seats=seats, seed=seed)
        table_rules, shuffled = self._table(decks, shuffle, pay_tables, rules, switches)
        return Table(table_rules, seats=seats, seed=seed, sealed=sealed, shuffle=shuffled)

    @takes_switches
    def round(
        self,
        *seats: Wagers,
        cards: str | Sequence[str] = "",
        answers: str | Sequence[str] = "",
        decks: Decks = None,
        shuffle: str | None = None,
        pay_tables: PayTables | None = None,
        rules: Rules | None = None,
        **switches: object,
    ) -> Round:
        """One round by script: exactly these cards, in the order they leave the shoe, with these answers.

        >>> import croupier
        >>> game = croupier.game("blackjack")
        >>> game.round({"main": 10}, cards="Ts 6h Ah 9d").net
        (Fraction(15, 1),)
        >>> game.round({"main": 10}, cards="Ts 6h 5h 9d").legal
        ('stand', 'hit', 'double')
        """
        from croupier.library.table import play_script

        table_rules, _ = self._table(decks, shuffle, pay_tables, rules, switches)
        return play_script(table_rules, seats, words_of(cards, "cards"), words_of(answers, "answers"))

    def _request(
        self,
        wager: str | None,
        pay_table: str | None,
        decks: Decks,
        side: str | None,
        rules: Rules | None,
        switches: Rules,
    ) -> OddsRequest:
        return OddsRequest(
            game=self.place,
            wager=wager,
            pay_table=pay_table,
            decks=decks_text(decks),
            side=side,
            settings=tuple(switch_texts(rules, switches).items()),
        )

    def _choice(
        self,
        wager: str,
        pay_table: PayTable,
        decks: Decks,
        side: str | None,
        rules: Rules | None,
        switches: Rules,
        pay_tables: PayTables | None = None,
    ) -> Choice:
        """Everything resolved; pays given as values first become a pay table of the game."""
        spec, ids = self._with_own_tables(by_wager(pay_tables, wager, pay_table), decks, rules, switches)
        spec = with_others_first(spec, wager, ids)
        return self._request(wager, ids.get(wager), decks, side, rules, switches).choice(spec)

    def _with_own_tables(
        self, pay_tables: PayTables | None, decks: Decks, rules: Rules | None, switches: Rules
    ) -> tuple[Spec, dict[str, str]]:
        """The game with the pay tables that were given as values, and all of them by their ids."""
        return with_tables(self.spec, by_wager(pay_tables), decks, switch_texts(rules, switches))

    def _table(
        self,
        decks: Decks,
        shuffle: str | None,
        pay_tables: PayTables | None,
        rules: Rules | None,
        switches: Rules,
    ) -> tuple[Any, Any]:
        from croupier.library.table import table_rules

        spec, tables = self._with_own_tables(pay_tables, decks, rules, switches)
        return table_rules(spec, decks_text(decks), switch_texts(rules, switches), tables, shuffle)

    def __hash__(self) -> int:
        return hash((self.id, self.version))

    def __repr__(self) -> str:
        return f"<Game: {self.id}, {len(self.wagers)} wagers, {len(self.switches)} switches>"

    def _repr_html_(self) -> str:
        wagers = [[wager.id, wager.kind, ", ".join(wager.pay_tables), wager.text] for wager in self.wagers.values()]
        switches = [
            [
                switch.id,
                " | ".join([switch.default, *(value for value in switch.values if value != switch.default)]),
                switch.text,
            ]
            for switch in self.switches.values()
        ]
        source = self.spec.source.draft_text
        return (
            title_html(self.name, self.summary)
            + table_html(["wager", "kind", "pay tables", "wins when"], wagers)
            + table_html(["switch", "values, default first", "decides"], switches)
            + notes_html([source] if source else [])
        )


def game(id_or_path: str | Path | Game) -> Game:
    """The game of that id, or of the folder or file at that path; a game is given back as it is.

    >>> import croupier
    >>> croupier.game("blackjak")
    Traceback (most recent call last):
    ...
    croupier.errors.UnknownNameError: There is no game "blackjak". Did you mean "blackjack"? Accepted: ...
    """
    if isinstance(id_or_path, Game):
        return id_or_path
    place = str(id_or_path)
    return Game(find_game(place), place)
