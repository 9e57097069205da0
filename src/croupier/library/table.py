"""A table to play at, step by step."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any

from croupier.cards import parse_card
from croupier.errors import IllegalActionError, NotationError, RangeError, unknown
from croupier.house_time import house_clock
from croupier.kernels.effects import MOST_SEATS
from croupier.library.frame import Frame
from croupier.library.html import table_html, title_html
from croupier.library.result import Result
from croupier.library.values import Amount, Number, number_text, require_whole
from croupier.money import MICROS_PER_DOLLAR, parse_dollars
from croupier.reports.rounds.advice import Advised, advise
from croupier.reports.rounds.data import round_data
from croupier.reports.rounds.text import event_text, need_text, plain_face
from croupier.rules.choice import parse_decks
from croupier.rules.spec import Game
from croupier.table.events import WagerSettled
from croupier.table.replay import NeedsAnswer, RoundState, replay
from croupier.table.setup import Stakes, TableRules, make_rules, parse_stakes
from croupier.table.shoe import LiveShoe, Shuffle, seed_blocks, shuffle_for
from croupier.table.table import Answer, Command, MakeWagers, Sit, StartRound
from croupier.table.table import Table as Played

SHUFFLES: dict[str, Shuffle] = {"fresh": "fresh", "cut-card": "cut_card", "continuous": "continuous"}
"""As `croupier simulate` calls them."""
Wagers = Mapping[str, Amount] | Amount
"""What a seat wagers: `{"main": 10, "lucky_lucky": 5}`, or `"main=10 lucky_lucky=5"`; a number is the first wager."""


def table_rules(
    game: Game, decks: str | None, settings: Mapping[str, str], pay_tables: Mapping[str, str], shuffle: str | None
) -> tuple[TableRules, Shuffle | None]:
    """The rules of a table, under today's law, and how its cards are shuffled, if the letter has that."""
    count = parse_decks(decks) if decks is not None else 0
    if count is None:
        raise NotationError("A table is dealt from real decks: 1 to 8, not inf.", code="bad_decks")
    rules = make_rules(game, decks=count or None, settings=settings, pay_tables=pay_tables, day=house_clock().date())
    if shuffle is None:
        return rules, None
    if shuffle not in SHUFFLES:
        raise unknown("shuffle", shuffle, SHUFFLES)
    return rules, shuffle_for(game.shuffles, SHUFFLES[shuffle])


def stakes_of(wagers: Wagers, game: Game) -> Stakes:
    """A seat's wagers in micros."""
    if isinstance(wagers, str):
        return parse_stakes(wagers, game)
    if isinstance(wagers, Number):
        wagers = {game.first_wager.id: wagers}
    if not isinstance(wagers, Mapping) or not all(
        isinstance(name, str) and isinstance(amount, Number | str) for name, amount in wagers.items()
    ):
        raise NotationError(f"{wagers!r} is not a wager: write {{'{game.first_wager.id}': 10}}.", code="bad_wager")
    return {name: parse_dollars(number_text(amount)) for name, amount in wagers.items()}


def play_script(rules: TableRules, seats: Sequence[Wagers], cards: Sequence[str], answers: Sequence[str]) -> Round:
    """Deals exactly these cards with these answers."""
    stakes = [stakes_of(seat, rules.game) for seat in seats]
    dealt = [parse_card(card) for card in cards]
    state = replay(rules, stakes, dealt, list(answers))
    unused = (len(dealt) - state.cards_used, len(answers) - state.answers_used)
    return Round(state=state, unused_cards=unused[0], unused_answers=unused[1])


@dataclass(frozen=True, kw_only=True, repr=False)
class Round(Result):
    """A round, complete or not.

    >>> import croupier
    >>> round = croupier.game("blackjack").round({"main": 10}, cards="Ts 6h 5h 9d")
    >>> round.is_complete, round.question
    (False, 'action')
    """

    state: RoundState = field(compare=False)
    """The round as the engine has it. It is not part of the stable interface."""
    earlier: tuple[int, ...] = field(default=(), compare=False)
    unused_cards: int = 0
    """Of a script: cards that were not dealt."""
    unused_answers: int = 0

    @property
    def is_complete(self) -> bool:
        return self.state.is_complete

    @property
    def question(self) -> str | None:
        """What a seat is asked: the question's id, such as `action`; None where nobody is asked."""
        return self.state.need.question if isinstance(self.state.need, NeedsAnswer) else None

    @property
    def legal(self) -> tuple[str, ...]:
        """The answers that may be given now."""
        return self.state.need.legal if isinstance(self.state.need, NeedsAnswer) else ()

    @property
    def seat(self) -> int | None:
        """The seat that is asked."""
        return self.state.need.seat if isinstance(self.state.need, NeedsAnswer) else None

    @property
    def hand(self) -> int | None:
        """Which of its hands is asked about."""
        return self.state.need.hand if isinstance(self.state.need, NeedsAnswer) else None

    @cached_property
    def settled(self) -> tuple[WagerSettled, ...]:
        """Every wager that was settled: seat, hand, wager, row, staked and returned, in micros of a dollar."""
        return tuple(self.state.settled)

    @property
    def net(self) -> tuple[Fraction, ...]:
        """What each seat has won so far, in dollars."""
        won = [0] * len(self.state.stakes)
        for event in self.settled:
            won[event.seat - 1] += event.returned - event.staked
        return tuple(Fraction(micros, MICROS_PER_DOLLAR) for micros in won)

    @property
    def lines(self) -> tuple[str, ...]:
        """What happened, step by step, in words."""
        said = [event_text(event, self.state, plain_face) for event in self.state.events]
        needs = [need_text(self.state)] if self.state.need is not None else []
        return tuple(line for line in (*said, *needs) if line)

    def advice(self) -> tuple[Advised, ...]:
        """What every answer to the question is worth, best first; none where nobody is asked."""
        return tuple(advise(self.state, self.earlier)) if self.question is not None else ()

    def to_dict(self) -> dict[str, Any]:
        """What `croupier play --json` prints."""
        return round_data(self.state)

    @property
    def frame(self) -> Frame:
        """A row for each wager that was settled, amounts in dollars."""
        return Frame.of_rows(
            {
                "seat": event.seat,
                "hand": event.hand,
                "wager": event.wager,
                "row": event.row,
                "staked": event.staked / MICROS_PER_DOLLAR,
                "returned": event.returned / MICROS_PER_DOLLAR,
            }
            for event in self.settled
        )

    @property
    def line(self) -> dict[str, Any]:
        return {"game": self.state.rules.game.id, "complete": self.is_complete, "net": sum(self.net)}

    def __repr__(self) -> str:
        where = "complete" if self.is_complete else self.lines[-1]
        return f"<Round: {self.state.rules.game.id}, {where}>"

    def _repr_html_(self) -> str:
        rows = [[str(number), line] for number, line in enumerate(self.lines, 1)]
        return title_html(f"{self.state.rules.game.name}: a round") + table_html(["step", "what happened"], rows)


class Table:
    """A table to play at: `Game.table` opens one.

    >>> import croupier
    >>> table = croupier.game("casino_war").table(seed=3)
    >>> round = table.deal({"main": 10})
    >>> while round.question:
    ...     round = table.answer(round.advice()[0].answer)
    >>> round.is_complete, table.rounds
    (True, 1)
    """

    def __init__(
        self,
        rules: TableRules,
        *,
        seats: int = 1,
        seed: int | None = None,
        sealed: bool = False,
        shuffle: Shuffle | None = None,
    ) -> None:
        if not 1 <= seats <= MOST_SEATS:
            raise RangeError(f"{seats} seats: a table has 1 to {MOST_SEATS}.", code="bad_seats")
        blocks: Iterator[bytes] | None = None
        if seed is not None:
            if sealed:
                raise NotationError("A sealed shoe draws its own seed: leave one of the two out.", code="bad_seed")
            blocks = seed_blocks(f"croupier table {seed}".encode())
        shoe = LiveShoe(
            rules.decks,
            shuffle_for(rules.game.shuffles, shuffle),
            sealed=sealed,
            deck_size=rules.game.declared.deck_size,
            blocks=blocks,
        )
        self.played = Played(rules, shoe)
        """The table as the engine has it. It is not part of the stable interface."""
        self.seats = seats
        for spot in range(1, seats + 1):
            self._do(Sit(spot=spot, player=f"seat {spot}"))

    @property
    def rules(self) -> TableRules:
        """As the engine has them. They are not part of the stable interface."""
        return self.played.rules

    @property
    def rounds(self) -> int:
        """Rounds finished."""
        return self.played.rounds

    @property
    def round(self) -> Round | None:
        """The round on the table, or the last one; None before the first."""
        shoe, state = self.played.shoe, self.played.state
        if state is None:
            return None
        earlier = tuple(shoe.order[: shoe.round_start]) if shoe.kind == "cut_card" else ()
        return Round(state=state, earlier=earlier)

    def wager(self, seat: int, wagers: Wagers) -> None:
        """A seat's wagers for the next round; none takes them back."""
        require_whole(seat=seat)
        self._do(MakeWagers(spot=seat, wagers=dict(stakes_of(wagers, self.rules.game))))

    def deal(self, *wagers: Wagers) -> Round:
        """Starts a round; with `wagers`, those of the seats in order, `{}` for a seat that sits out."""
        if len(wagers) > self.seats:
            raise IllegalActionError(f"{len(wagers)} seats wager, the table has {self.seats}.", code="bad_seats")
        for seat, own in enumerate(wagers, 1):
            self.wager(seat, own)
        self._do(StartRound())
        return self._now()

    def answer(self, answer: str) -> Round:
        """Answers for the seat that is asked: one of the round's `legal`."""
        state = self.played.state
        if state is None or not isinstance(state.need, NeedsAnswer):
            raise IllegalActionError("Nobody is asked anything now.", code="nothing_asked")
        self._do(Answer(spot=self.played.playing[state.need.seat - 1], answer=str(answer)))
        return self._now()

    def _now(self) -> Round:
        now = self.round
        assert now is not None
        return now

    def _do(self, command: Command) -> None:
        self.played.do(command, revision=self.played.revision)

    def __repr__(self) -> str:
        seats = f"{self.seats} seat{'' if self.seats == 1 else 's'}"
        rounds = f"{self.rounds} round{'' if self.rounds == 1 else 's'}"
        return f"<Table: {self.rules.game.id}, {seats}, {rounds} played>"

    def _repr_html_(self) -> str:
        now = self.round
        below = f"{self.seats} seats, {self.rules.decks} decks, {self.rounds} rounds played"
        return title_html(f"{self.rules.game.name}: a table", below) + (now._repr_html_() if now is not None else "")
