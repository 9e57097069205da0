"""The interactive table: lines in, lines out, so that it works over ssh, without color and in a narrow window."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache

from rich.console import Console
from rich.markup import escape

from croupier.cli.screen import console, progress_console
from croupier.errors import CroupierError
from croupier.exact.check import is_played
from croupier.exact.odds import compute_odds
from croupier.exact.played import is_kept, main_account
from croupier.library.table import Table as OpenTable
from croupier.money import MICROS_PER_CENT, MICROS_PER_DOLLAR, dollars_for_people
from croupier.reports.formatting import percent, shoe_text
from croupier.reports.render.terminal import simple_table
from croupier.reports.rounds.advice import advice_lines
from croupier.reports.rounds.text import card_face, hand_face, row_label
from croupier.reports.rounds.why import dealer_words, hand_words, why
from croupier.table.replay import NeedsAnswer, RoundState
from croupier.table.setup import Stakes, wagered_on

HELP = """[bold]Wagers[/bold]  WAGER=DOLLARS, several if you like; a bare amount is on {first}
         Enter repeats, 0 sits out; {names}
[bold]Answers[/bold] the letter or the whole word{less}
[bold]Always[/bold]  a advice   t pay tables   o exact odds   r rules   ? this help   q leave"""


class Leaving(Exception):  # noqa: N818 - not an error: somebody gets up from the table
    """The player leaves."""


@dataclass
class VisitResults:
    """Running results of one visit."""

    rounds: int = 0
    net: int = 0
    wagered: dict[str, int] = field(default_factory=dict)
    """First wagers: what an answer adds later is in their edge."""
    won: dict[str, int] = field(default_factory=dict)

    def add(self, state: RoundState) -> None:
        self.rounds += 1
        for seat in range(1, len(state.stakes) + 1):
            for name, first in state.first_wagers(seat).items():
                self.wagered[name] = self.wagered.get(name, 0) + first
        for event in state.settled:
            name = state.rules.account_of(event.wager)
            self.net += event.returned - event.staked
            self.won[name] = self.won.get(name, 0) + event.returned - event.staked


class PlayTerminal:
    """A person at one or more spots of a table of their own."""

    def __init__(self, opened: OpenTable) -> None:
        self.opened = opened
        self.rules = opened.rules
        self.table = opened.played
        self.spots = list(range(1, opened.seats + 1))
        self.last: dict[int, Stakes] = {}
        self.session = VisitResults()
        self.out: Console = console()

    def run(self) -> None:
        """Round after round until the player leaves."""
        how = {"cut_card": "", "fresh": ", shuffled for every round", "continuous": ", continuous shuffler"}
        shoe = f"{shoe_text(self.rules.decks)}{how[self.table.shoe.kind]}"
        self.out.print(f"[bold]{escape(self.rules.game.name)}[/bold], {shoe}, play money")
        for note in self.rules.notes:
            self.out.print(f"[yellow]note:[/yellow] {escape(note)}")
        self.out.print(escape(self.rules.game.summary))
        self._show_seal()
        self._help()
        try:
            while True:
                self._play_round()
        except (Leaving, EOFError, KeyboardInterrupt):
            self._farewell()

    def _play_round(self) -> None:
        for spot in self.spots:
            self._bet(spot)
        if not any(spot.wagers for spot in self.table.spots):
            self.out.print("[dim]Nobody plays this round.[/dim]")
            return
        shuffles = self.table.shoe.wants_shuffle and self.table.shoe.kind == "cut_card"
        try:
            self.opened.deal()
        except CroupierError as error:
            self.out.print(f"[red]{escape(str(error))}[/red]")
            return
        if shuffles:
            self.out.print("[dim]The shoe is shuffled.[/dim]")
            self._show_seal()
        while True:
            state = self.table.state
            assert state is not None
            if state.is_complete:
                break
            assert isinstance(state.need, NeedsAnswer)
            self._show_cards(state)
            self._answer(state.need)
        self._show_cards(state)
        self._show_results(state)

    def _show_seal(self) -> None:
        """Of a sealed shoe: the seed of the one that is done, the commitment of the one in use."""
        for commitment, seed in self.table.shoe.revealed[-1:]:
            self.out.print(f"[dim]the sealed shoe {commitment} had the seed {seed}[/dim]")
        if self.table.shoe.commitment:
            self.out.print(f"[dim]sealed shoe {self.table.shoe.commitment}[/dim]")

    def _read(self, prompt: str, keys: Collection[str] = ()) -> str:
        """A line; the commands that work everywhere are handled here, but for keys that mean something else now."""
        while True:
            self.out.print(prompt, end=" ")
            line = input().strip()
            if line.lower() in keys:
                return line
            if line.lower() in ("q", "quit", "exit"):
                raise Leaving
            shown = {"?": self._help, "t": self._pay_tables, "o": self._odds, "r": self._rules, "a": self._advice}.get(
                line.lower()
            )
            if shown is None:
                return line
            shown()

    def _bet(self, spot: int) -> None:
        first = self.rules.game.first_wager.id
        while True:
            last = self.last.get(spot)
            placed = [f"{name}={amount / MICROS_PER_DOLLAR:g}" for name, amount in (last or {}).items()]
            again = " ".join(placed) or f"{first}=10"
            where = f"spot {spot} " if len(self.spots) > 1 else ""
            line = self._read(f"\n{where}wagers [dim]({escape(again)})[/dim]>")
            if line.replace("$", "").replace(".", "").isdecimal():
                line = f"{first}={line}"
            try:
                sits_out = line == f"{first}=0"
                self.opened.wager(spot, {} if sits_out else line or again)
            except CroupierError as error:
                self.out.print(f"[red]{escape(str(error))}[/red]")
                continue
            self.last[spot] = self.table.spots[spot - 1].wagers or self.last.get(spot, {})
            return

    def _answer(self, need: NeedsAnswer) -> None:
        question = self.rules.game.declared.question(need.question)
        words = {choice.key: choice.word for choice in question.choices if choice.word in need.legal}
        choices = "  ".join(self._choice(key, word, need) for key, word in words.items())
        spot = self.table.playing[need.seat - 1]
        where = f"spot {spot} " if len(self.spots) > 1 else ""
        state = self.table.state
        many = state is not None and state.hands[need.seat - 1] > 1
        hand = f"hand {need.hand}: " if many and not question.is_of_seat else ""
        while True:
            line = self._read(f"{where}{hand}{question.text} {choices} >", words)
            word, colon, amount = line.lower().partition(":")
            try:
                self.opened.answer(words.get(word, word) + colon + amount)
            except CroupierError as error:
                self.out.print(f"[red]{escape(str(error))}[/red]")
                continue
            return

    def _choice(self, key: str, word: str, need: NeedsAnswer) -> str:
        """`d double $10`: the key, the word, and what it would add or give back."""
        cost = need.cost_of(word)
        adds = f" {'returns ' if cost < 0 else ''}{dollars_for_people(abs(cost))}" if cost else ""
        return f"[bold]{key}[/bold] {word}{adds}"

    def _show_cards(self, state: RoundState) -> None:
        declared = self.rules.game.declared
        for place, row in state.table_rows:
            total = dealer_words(state, row) if place.number == declared.dealer and not place.is_community else None
            self.out.print(f"  {place.label.lower()}  {hand_face(row, declared, total)}")
        for seat, hands in enumerate(state.hands):
            where = f"spot {self.table.playing[seat]} " if len(self.spots) > 1 else ""
            for hand in range(hands):
                chips = dollars_for_people(state.stake_on(seat, hand))
                if declared.has_hands:
                    cards = state.seen_hand(seat, hand, seat)
                    chips = f"{hand_face(cards, declared, hand_words(state, cards))}  [dim]{chips}[/dim]"
                name = f"hand {hand + 1}" if hands > 1 else declared.seat_label.lower()
                self.out.print(f"  {where}{name}  {chips}")
            for place, row in state.beside(seat, seat):
                self.out.print(f"  {where}{place.label.lower()}  {hand_face(row, declared)}")

    def _show_results(self, state: RoundState) -> None:
        for event, hand in zip(state.settled, state.hand_now, strict=True):
            color = "green" if event.returned > event.staked else "dim" if event.returned == 0 else "yellow"
            where = f"spot {self.table.playing[event.seat - 1]} " if len(self.spots) > 1 else ""
            on = f" on hand {hand}" if len(state.seats[event.seat - 1]) > 1 else ""
            label = row_label(state, event)
            reason = why(state, event, card_face)
            self.out.print(
                f"  {where}{event.wager}{on}: [{color}]{escape(label)}[/{color}], "
                f"{dollars_for_people(event.staked)} staked, {dollars_for_people(event.returned)} back"
                f"{f' ({reason})' if reason else ''}"
            )
        self.session.add(state)
        net = sum(event.returned - event.staked for event in state.settled)
        self.out.print(f"  this round {_signed(net)}, so far {_signed(self.session.net)}{self._expectation()}")

    def _expectation(self) -> str:
        """What the wagers with known odds should have brought so far."""
        edges = {name: self._edge(name) for name in self.session.wagered}
        known = {name: edge for name, edge in edges.items() if edge is not None}
        if not known:
            return ""
        expected = sum((-edge * self.session.wagered[name] for name, edge in known.items()), Fraction(0))
        won = sum(self.session.won[name] for name in known)
        return f" ({', '.join(known)}: {_signed(won)}, expected {_signed(_to_cent(expected))})"

    @cache  # noqa: B019 - one terminal a process
    def _edge(self, name: str) -> Fraction | None:
        """Expected loss for each unit of a wager as first made; None while the main game has not been solved yet."""
        proved = {wager.id for wager in self.rules.game.proved_wagers}
        choice = self.rules.placed[wagered_on(name) if wagered_on(name) in proved else self.rules.first_wager]
        if not is_played(choice):
            return compute_odds(choice).edge
        if not is_kept(choice):
            return None
        return -Fraction(main_account(choice).value)

    def _advice(self) -> None:
        """The exact value of every answer to the question on the table."""
        state = self.table.state
        if self.table.log is None or state is None or not isinstance(state.need, NeedsAnswer):
            self.out.print("[dim]Advice is given when you are asked.[/dim]")
            return
        with progress_console().status("computing"):
            advised = self.opened.round.advice() if self.opened.round else ()
        for line in advice_lines(list(advised)):
            self.out.print(f"  {line}")

    def _help(self) -> None:
        game = self.rules.game
        choices = [choice for question in game.declared.questions for choice in question.choices]
        less = " and ".join(f"{choice.word}:5" for choice in choices if choice.takes_amount)
        self.out.print(
            HELP.format(
                first=game.first_wager.id,
                names=", ".join(self.rules.made_first),
                less=f"; {less} for less" if less else "",
            )
        )

    def _rules(self) -> None:
        for number, step in enumerate(self.rules.game.rules, 1):
            self.out.print(f"{number}. {escape(step)}")

    def _pay_tables(self) -> None:
        for wager_id, choice in self.rules.placed.items():
            self.out.print(f"[bold]{wager_id}[/bold] (pay table {choice.pay_table.id})")
            table = simple_table("  row", "pays")
            for row in choice.rows:
                envy = f", envy ${row.envy:,}" if row.envy else ""
                table.add_row(f"  {escape(choice.label(row))}", f"{row.pays.text}{row.more_pays}{envy}")
            self.out.print(table)

    def _odds(self) -> None:
        for name in (wager.id for wager in self.rules.game.proved_wagers):
            choice = self.rules.placed[name]
            with progress_console().status("solving the main game"):
                edge = -Fraction(main_account(choice).value) if is_played(choice) else compute_odds(choice).edge
            self.out.print(f"  {name}: house edge {percent(edge, 3)}")

    def _farewell(self) -> None:
        session = self.session
        rounds = "1 round" if session.rounds == 1 else f"{session.rounds} rounds"
        self.out.print(f"\n{rounds}, {_signed(session.net)}")
        if self.table.shoe.sealed:
            self.table.shoe.shuffle()  # nothing more is dealt from it, so its seed can be shown
            commitment, seed = self.table.shoe.revealed[-1]
            self.out.print(f"[dim]the sealed shoe {commitment} had the seed {seed}[/dim]")
        if not session.rounds:
            return
        table = simple_table(
            "wager", "first wagers", "result", "expected", numbers=("first wagers", "result", "expected")
        )
        for name, wagered in session.wagered.items():
            edge = self._edge(name)
            expected = _signed(_to_cent(-edge * wagered)) if edge is not None else "-"
            table.add_row(name, dollars_for_people(wagered), _signed(session.won[name]), expected)
        self.out.print(table)


def _to_cent(micros: Fraction) -> int:
    """Rounded to the nearest cent."""
    return round(micros / MICROS_PER_CENT) * MICROS_PER_CENT


def _signed(micros: int) -> str:
    return ("+" if micros >= 0 else "-") + dollars_for_people(abs(micros))
