"""The interactive table: lines in, lines out, so that it works over ssh, without colour and in a narrow window."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from rich.console import Console
from rich.markup import escape

from croupier.cli.screen import console, simple_table
from croupier.errors import CroupierError, NotComputedError
from croupier.exact.odds import compute_odds
from croupier.money import MICROS_PER_DOLLAR, dollars_for_people
from croupier.reports.round_text import card_face, hand_face
from croupier.reports.words import percent
from croupier.rules.choice import choose
from croupier.table.events import WagerSettled
from croupier.table.replay import NeedsAnswer, RoundState
from croupier.table.setup import Stakes, TableRules, parse_stakes
from croupier.table.shoe import LiveShoe, Shuffle
from croupier.table.table import Answer, MakeWagers, Sit, StartRound, Table

KEYS = {
    "s": "stand",
    "h": "hit",
    "d": "double",
    "p": "split",
    "u": "surrender",
    "i": "insure",
    "n": "decline",
    "1": "first",
    "2": "second",
    "b": "both",
    "w": "switch",
    "k": "keep",
}
LETTERS = {word: key for key, word in KEYS.items()}

HELP = """[bold]Wagers[/bold]  main=10 push_22=5   amounts in dollars; Enter repeats the last ones
[bold]Answers[/bold] the letter in brackets, or the whole word; double:5 and insure:3 for less
[bold]Always[/bold]  t pay tables   o odds of the side bets   r rules   ? this help   q leave"""


class Leaving(Exception):  # noqa: N818 - not an error: somebody gets up from the table
    """The player leaves."""


@dataclass
class Session:
    """Running results of one visit."""

    rounds: int = 0
    net: int = 0
    wagered: dict[str, int] = field(default_factory=dict)
    won: dict[str, int] = field(default_factory=dict)

    def add(self, settled: list[WagerSettled]) -> None:
        self.rounds += 1
        for event in settled:
            self.net += event.returned - event.staked
            self.wagered[event.wager] = self.wagered.get(event.wager, 0) + event.staked
            self.won[event.wager] = self.won.get(event.wager, 0) + event.returned - event.staked


class Terminal:
    """A person at one or more spots of a table of their own."""

    def __init__(self, rules: TableRules, *, spots: int = 1, sealed: bool = False) -> None:
        kind: Shuffle = "cut_card" if "cut_card" in rules.game.shuffles else rules.game.shuffles[0]
        self.rules = rules
        self.table = Table(rules, LiveShoe(rules.decks, kind, sealed=sealed))
        self.spots = list(range(1, spots + 1))
        self.last: dict[int, Stakes] = {}
        self.session = Session()
        self.out: Console = console()
        self.commands = 0
        for spot in self.spots:
            self._do(Sit(spot=spot, player="you"))

    def _do(self, command: Sit | MakeWagers | StartRound | Answer) -> None:
        self.commands += 1
        self.table.do(command, id=str(self.commands), revision=self.table.revision)

    def run(self) -> None:
        """Round after round until the player leaves."""
        self.out.print(f"[bold]{escape(self.rules.game.name)}[/bold], {self.rules.decks} decks, play money")
        self.out.print(escape(self.rules.game.summary))
        if self.table.shoe.commitment:
            self.out.print(f"[dim]sealed shoe {self.table.shoe.commitment}[/dim]")
        self.out.print(HELP)
        try:
            while True:
                self._play_round()
        except (Leaving, EOFError, KeyboardInterrupt):
            self._farewell()

    def _play_round(self) -> None:
        for spot in self.spots:
            self._bet(spot)
        shoe = self.table.shoe
        if shoe.wants_shuffle:
            self.out.print("[dim]The shoe is shuffled.[/dim]")
        self._do(StartRound())
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
        for commitment, seed in shoe.revealed[-1:]:
            if self.session.rounds and shoe.used == 0:
                self.out.print(f"[dim]the sealed shoe {commitment[:16]}... had seed {seed}[/dim]")

    def _read(self, prompt: str) -> str:
        """A line; the commands that work everywhere are handled here."""
        while True:
            self.out.print(prompt, end=" ")
            line = input().strip()
            if line in ("q", "quit", "exit"):
                raise Leaving
            shown = {"?": self._help, "t": self._pay_tables, "o": self._odds, "r": self._rules}.get(line)
            if shown is None:
                return line
            shown()

    def _bet(self, spot: int) -> None:
        example = "main=10" if self.rules.game.family == "blackjack" else "player=10"
        while True:
            last = self.last.get(spot)
            again = (
                " ".join(f"{name}={amount / MICROS_PER_DOLLAR:g}" for name, amount in (last or {}).items()) or example
            )
            where = f"spot {spot} " if len(self.spots) > 1 else ""
            line = self._read(f"\n{where}wagers [dim]({escape(again)})[/dim]>")
            try:
                stakes = parse_stakes(line or again, self.rules.game)
                self._do(MakeWagers(spot=spot, wagers=stakes))
            except CroupierError as error:
                self.out.print(f"[red]{escape(str(error))}[/red]")
                continue
            self.last[spot] = stakes
            return

    def _answer(self, need: NeedsAnswer) -> None:
        choices = "  ".join(f"[bold]{LETTERS[word]}[/bold]\\[{word}]" for word in need.legal)
        spot = self.table.playing[need.seat - 1]
        where = f"spot {spot} " if len(self.spots) > 1 else ""
        while True:
            line = self._read(f"{where}hand {need.hand}, {need.question}: {choices} >")
            word, colon, amount = line.lower().partition(":")
            try:
                self._do(Answer(spot=spot, answer=KEYS.get(word, word) + colon + amount))
            except CroupierError as error:
                self.out.print(f"[red]{escape(str(error))}[/red]")
                continue
            return

    def _show_cards(self, state: RoundState) -> None:
        baccarat = self.rules.game.family == "baccarat"
        hidden = " [dim]▒▒[/dim]" if len(state.dealer) > len(state.shown_dealer) else ""
        if baccarat:
            self.out.print(f"  player  {hand_face(state.player, baccarat=True)}")
        name = "banker" if baccarat else "dealer"
        self.out.print(f"  {name}  {hand_face(state.shown_dealer, baccarat=baccarat)}{hidden}")
        if baccarat:
            return
        for seat, hands in enumerate(state.seats):
            where = f"spot {self.table.playing[seat]} " if len(self.spots) > 1 else ""
            for number, cards in enumerate(hands, 1):
                self.out.print(f"  {where}hand {number}  {hand_face(cards)}")
            flex = state.flex[seat]
            if flex is not None:
                self.out.print(f"  {where}flex    {card_face(flex)}")

    def _show_results(self, state: RoundState) -> None:
        table = simple_table("  wager", "hand", "ends on", "staked", "back", numbers=("staked", "back"))
        for event in state.settled:
            colour = "green" if event.returned > event.staked else "dim" if event.returned == 0 else "yellow"
            table.add_row(
                f"  {event.wager}",
                str(event.hand),
                f"[{colour}]{event.row}[/{colour}]",
                dollars_for_people(event.staked),
                dollars_for_people(event.returned),
            )
        self.out.print(table)
        self.session.add(state.settled)
        net = sum(event.returned - event.staked for event in state.settled)
        self.out.print(f"  this round {_signed(net)}, so far {_signed(self.session.net)}")

    def _edges(self) -> dict[str, Fraction]:
        """Exact edges of the wagers that have one."""
        edges = {}
        for wager in self.rules.game.wagers:
            choice = choose(
                self.rules.game,
                wager.id,
                pay_table=self.rules.pay_tables.get(wager.id),
                decks=str(self.rules.decks),
                settings=self.rules.settings,
            )
            try:
                edges[wager.id] = compute_odds(choice).edge
            except NotComputedError:
                continue
        return edges

    def _help(self) -> None:
        self.out.print(HELP)

    def _rules(self) -> None:
        for number, step in enumerate(self.rules.game.rules, 1):
            self.out.print(f"{number}. {escape(step)}")

    def _pay_tables(self) -> None:
        for wager_id, choice in self.rules.placed.items():
            self.out.print(f"[bold]{wager_id}[/bold] (pay table {choice.pay_table.id})")
            table = simple_table("  row", "pays")
            for row in choice.rows:
                table.add_row(f"  {escape(row.label)}", row.pays.text)
            self.out.print(table)

    def _odds(self) -> None:
        for name, edge in self._edges().items():
            self.out.print(f"  {name}: house edge {percent(edge, 3)}")

    def _farewell(self) -> None:
        session = self.session
        self.out.print(f"\n{session.rounds} rounds, {_signed(session.net)}")
        if not session.rounds:
            return
        edges = self._edges()
        table = simple_table("wager", "wagered", "result", "expected", numbers=("wagered", "result", "expected"))
        for name, wagered in session.wagered.items():
            expected = _signed(-int(edges[name] * wagered)) if name in edges else "not computed"
            table.add_row(name, dollars_for_people(wagered), _signed(session.won[name]), expected)
        self.out.print(table)


def _signed(micros: int) -> str:
    return ("+" if micros >= 0 else "-") + dollars_for_people(abs(micros))
