"""From what a user asks for to a complete choice of rules: game, wager, pay table, decks, switches, side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from croupier.cards import MOST_DECKS
from croupier.errors import NotationError, RangeError, unknown
from croupier.kernels.bets import Bet, find_bet
from croupier.pay import PayTable, Row
from croupier.rules.registry import find_game
from croupier.rules.spec import Game, Source, Switch, Wager

SOFT17 = "soft17"
COUNTS_SWITCH = "counts"
SEAT_SIDES = ("player", "banker")
_LONGEST_NUMBER = 6
_YES = {"yes": "yes", "true": "yes", "on": "yes", "1": "yes", "no": "no", "false": "no", "off": "no", "0": "no"}


@dataclass(frozen=True, kw_only=True)
class Choice:
    """Everything that determines the odds of one wager, resolved and checked."""

    game: Game
    wager: Wager
    pay_table: PayTable
    decks: int | None
    """None for infinite decks."""
    switches: dict[str, str]
    """Every switch of the game with the value in force."""
    side: str
    """Baccarat: "player", "banker", or "winner" where either side's win pays; empty elsewhere."""
    notes: tuple[str, ...]
    """Where the choice leaves the letter."""

    @property
    def source(self) -> Source:
        """The letter the wager comes from, or what a draft of it was made from."""
        return self.game.source_of(self.wager)

    @property
    def rows(self) -> tuple[Row, ...]:
        return self.pay_table.rows_in_force(self.switches, self.decks)

    def label(self, row: Row) -> str:
        """A row as a table with these switches shows it: with the suit that wins the meter, not "the named suit"."""
        words = {switch.id: switch.words.get(value := self.switches[switch.id], value) for switch in self.game.switches}
        return row.label_at_table.format_map(words) or row.label

    @property
    def bet_name(self) -> str:
        """The classifier that decides the wager under this pay table, or by which the round itself does; else empty."""
        return self.pay_table.classifier or self.wager.classifier or self._decided_by

    @property
    def _decided_by(self) -> str:
        settled = self.game.settled_by_round(self.wager)
        return settled.decided_by if settled is not None else ""

    @property
    def bet(self) -> Bet | None:
        return find_bet(self.bet_name) if self.bet_name else None


@dataclass(frozen=True, kw_only=True)
class OddsRequest:
    """What somebody asks for, as typed: on the command line, in an address or in a form. Plain values, so that it can
    travel to another process; None leaves a thing to the game."""

    game: str
    """Id, or the path of a game file or folder."""
    wager: str | None = None
    pay_table: str | None = None
    decks: str | None = None
    side: str | None = None
    settings: tuple[tuple[str, str], ...] = ()
    """Switches that were set, by name."""

    def choice(self, game: Game | None = None) -> Choice:
        """Resolves it, or says in a sentence what is wrong with it; `game` where that is at hand."""
        return choose(
            game or find_game(self.game),
            self.wager or "",
            pay_table=self.pay_table,
            decks=self.decks,
            side=self.side,
            settings=dict(self.settings),
        )


def choose(
    game: Game,
    wager_id: str,
    *,
    pay_table: str | None = None,
    decks: str | None = None,
    side: str | None = None,
    settings: Mapping[str, str] | None = None,
) -> Choice:
    """Resolves a request, or says in a sentence what is wrong with it. Texts are taken as typed."""
    wager = game.wager(wager_id)
    count = parse_decks(decks) if decks is not None else 0
    table = _pay_table(game, wager, pay_table, count)
    source = game.source_of(wager)
    notes = [source.draft_text] if source.draft_text else []
    allowed = table.decks or game.decks
    if count == 0:
        count = game.default_decks if game.default_decks in allowed else allowed[0]
    if count is not None and count not in allowed and gives_decks(game, table):
        listing = " or ".join(str(number) for number in allowed)
        notes.append(
            f"{count} deck{'' if count == 1 else 's'}: not in the letter, which gives {listing} for this pay table"
        )
    if count is None and "continuous" not in game.shuffles:
        notes.append("infinite decks: not in the letter, which has no continuous shuffler for this game")
    switches = {switch.id: switch.default for switch in game.switches} | table.settings
    for name, value in (settings or {}).items():
        switch = game.switch(name)
        before = switches[name]
        switches[name] = switch_value(switch, value)
        if switches[name] != before and switch.basis == "letter":
            notes.append(f"rule {name} = {switches[name]}: not in the letter, which has {before}")
        elif switches[name] != before and name in game.by_figures(wager.id, table.id):
            notes.append(f"rule {name} = {switches[name]}: by the letter's figures; by its text it is {before}")
    for name, stated in source.departs.items():
        if switches[name] != stated:
            notes.append(f"rule {name} = {switches[name]}: not in the letter, which has {stated}")
    chosen_side = _side(wager, switches, side, notes)
    return Choice(
        game=game,
        wager=wager,
        pay_table=table,
        decks=count,
        switches=switches,
        side=chosen_side,
        notes=tuple(notes),
    )


def first_choice(choice: Choice) -> Choice:
    """The first wager of the game, under the same rules."""
    decks = "inf" if choice.decks is None else str(choice.decks)
    return choose(choice.game, choice.game.first_wager.id, decks=decks, settings=choice.switches)


def notes_at_table(choices: Sequence[Choice]) -> dict[str, list[Choice]]:
    """Where the wagers of one table leave the letter, each note once with those it is about. A note that is not about
    all of them names them, as their pay tables may be of different mind."""
    about: dict[str, list[Choice]] = {}
    for choice in choices:
        for note in choice.notes:
            about.setdefault(note, []).append(choice)
    return {
        note if len(of) == len(choices) else f"{note} ({'; '.join(map(_named, of))})": of for note, of in about.items()
    }


def _named(choice: Choice) -> str:
    of = f", pay table {choice.pay_table.id}" if choice.wager.pay_tables else ""
    return f"{choice.wager.name}{of}"


def gives_decks(game: Game, table: PayTable) -> bool:
    """Whether the letter gives deck counts for a pay table, its own or the game's."""
    return not table.no_deck_count and (bool(table.decks) or not game.no_deck_count)


def parse_decks(text: str) -> int | None:
    """`6`, or None for `inf`."""
    if text.strip().lower() in ("inf", "infinite", "∞"):
        return None
    if not (text.isascii() and text.strip().isdecimal()) or len(text.strip()) > _LONGEST_NUMBER:
        raise NotationError(f'"{text}" is not a number of decks: write 1 to {MOST_DECKS}, or inf.', code="bad_decks")
    if not 1 <= int(text) <= MOST_DECKS:
        raise RangeError(f"{text} decks are not offered: 1 to {MOST_DECKS}, or inf.", code="bad_decks")
    return int(text)


def parse_settings(pairs: list[str]) -> dict[str, str]:
    """`["soft17=stand"]` as a mapping."""
    settings: dict[str, str] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals or not name.strip() or not value.strip():
            raise NotationError(
                f'"{pair}" is not a setting: write SWITCH=VALUE, as in soft17=stand.', code="bad_setting"
            )
        if settings.setdefault(name.strip(), value.strip()) != value.strip():
            raise NotationError(f'"{name.strip()}" is set twice, to different values.', code="bad_setting")
    return settings


def switch_value(switch: Switch, value: str) -> str:
    """The accepted spelling of a value, or an error that lists the accepted ones."""
    if switch.is_yes_no and value.lower() in _YES:
        return _YES[value.lower()]
    if value not in switch.values:
        raise unknown("value", value, switch.values, f" of the switch {switch.id}")
    return value


def _pay_table(game: Game, wager: Wager, table_id: str | None, decks: int | None) -> PayTable:
    """The table asked for; else the first, or the first that the letter gives for this many decks."""
    if table_id is not None:
        return wager.pay_table(table_id)
    wished = game.default_decks if decks == 0 else decks
    fitting = [table for table in wager.pay_tables if wished in (table.decks or game.decks)]
    tables = fitting or wager.pay_tables
    return tables[0] if tables else PayTable(id="none")


def _side(wager: Wager, switches: Mapping[str, str], side: str | None, notes: list[str]) -> str:
    if side is not None and side not in SEAT_SIDES:
        raise unknown("side", side, SEAT_SIDES)
    if wager.hand != "seat":
        if side is not None and side != wager.hand:
            raise RangeError(
                f'"{wager.id}" is not a wager whose side can be chosen'
                + (f": it is on the {wager.hand} hand." if wager.hand else ": it has no sides."),
                code="no_side",
            )
        return wager.hand
    if switches.get(COUNTS_SWITCH) == "either_side":
        if side is not None:
            notes.append("either side's win pays under this pay table, so the side makes no difference")
        return "winner"
    return side or "player"
