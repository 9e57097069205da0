"""Rounds of a player held against expectation: by wager, and round by round as a curve."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from math import sqrt

from croupier.hall.practice import Edge, request_of
from croupier.house_time import clock_text
from croupier.money import MICROS_PER_DOLLAR, dollars
from croupier.reports.plots.model import Line, Plot
from croupier.reports.rounds.text import plain_face
from croupier.rules.choice import OddsRequest
from croupier.store.play import FinishedRound
from croupier.table.log import parse_log
from croupier.table.replay import RoundState
from croupier.table.setup import wagered_on

BAND = 2
"""Standard deviations to each side."""
SESSION_GAP_MICROS = 2 * 3600 * 1_000_000
"""After so long without a round a new session begins."""
MOST_POINTS = 400
"""Of a curve."""
Edges = Mapping[OddsRequest, Edge | None]
"""None for a wager whose odds are not known, or not yet."""


@dataclass(frozen=True, kw_only=True)
class WagerSum:
    """One wager of a player in a round, all hands and seats of theirs together."""

    wager: str
    request: OddsRequest
    first: int
    """First wagers, micros."""
    squares: float
    """The sum of the squares of each, in dollars."""
    count: int
    """How many there were."""
    net: int


@dataclass(frozen=True, kw_only=True)
class RoundSums:
    """A round as it was to a player."""

    wagers: tuple[WagerSum, ...]
    cards: str
    """`8♣ 8♥ against 10♦ 7♠`."""
    answers: int
    """That the player gave."""


@dataclass(frozen=True, kw_only=True)
class PlayedRound:
    """A round with what it was to a player."""

    number: int
    at_micros: int
    sums: RoundSums

    @property
    def net(self) -> int:
        return sum(wager.net for wager in self.sums.wagers)

    @property
    def wagered(self) -> int:
        return sum(wager.first for wager in self.sums.wagers)

    @property
    def time(self) -> str:
        """By the clock of the house."""
        return clock_text(datetime.fromtimestamp(self.at_micros / 1_000_000, UTC))


@dataclass(frozen=True, kw_only=True)
class WagerResult:
    """What one wager was to a player, over many rounds. Amounts in micros."""

    wager: str
    rounds: int
    count: int
    wagered: int
    net: int
    expected: float | None
    """None where the wager's odds are not known."""
    deviation: float | None

    @property
    def luck(self) -> float | None:
        """How many standard deviations the result is above expectation."""
        return luck_of(self.net, self.expected, self.deviation)


@dataclass(frozen=True, kw_only=True)
class Account:
    """Many rounds together."""

    rounds: int
    net: int
    wagers: tuple[WagerResult, ...]
    known_net: int
    """Of the wagers whose odds are known."""
    expected: float
    deviation: float
    is_whole: bool
    """Whether the odds of all wagers are known."""

    @property
    def low(self) -> int:
        return round(self.expected - BAND * self.deviation)

    @property
    def high(self) -> int:
        return round(self.expected + BAND * self.deviation)

    @property
    def luck(self) -> float | None:
        return luck_of(self.known_net, self.expected, self.deviation)


def luck_of(net: int, expected: float | None, deviation: float | None) -> float | None:
    return (net - expected) / deviation if expected is not None and deviation else None


def played_rounds(rounds: Sequence[FinishedRound], player: str) -> list[PlayedRound]:
    """Those in which the player had a seat, the oldest first."""
    played = []
    for finished in rounds:
        mine = seats_of(finished, player)
        if mine:
            sums = round_sums(finished.log, mine)
            played.append(PlayedRound(number=finished.round, at_micros=finished.at_micros, sums=sums))
    return sorted(played, key=lambda one: one.number)


def seats_of(finished: FinishedRound, player: str) -> tuple[int, ...]:
    """A player's seats in a finished round, from 1."""
    sitters = json.loads(finished.seats)
    return tuple(seat for seat, sitter in enumerate(sitters, 1) if sitter["player"] == player)


def session_of(rounds: Sequence[PlayedRound]) -> list[PlayedRound]:
    """The rounds since the player came to the table last."""
    session: list[PlayedRound] = []
    for played in reversed(rounds):
        if session and session[-1].at_micros - played.at_micros > SESSION_GAP_MICROS:
            break
        session.append(played)
    return session[::-1]


@lru_cache(maxsize=4_096)
def round_sums(text: str, mine: tuple[int, ...]) -> RoundSums:
    """A finished round from its log, for the seats of one player."""
    log = parse_log(text)
    state, rules = log.state(), log.rules
    nets: dict[str, int] = {}
    firsts: dict[str, list[int]] = {}
    for event in state.settled:
        if event.seat in mine and event.wager == wagered_on(event.wager):
            account = rules.account_of(event.wager)
            nets[account] = nets.get(account, 0) + event.returned - event.staked
    for seat in mine:
        for wager, first in state.first_wagers(seat).items():
            if wager == wagered_on(wager):
                firsts.setdefault(wager, []).append(first)
    return RoundSums(
        wagers=tuple(
            WagerSum(
                wager=wager,
                request=request_of(rules, wager),
                first=sum(firsts.get(wager, ())),
                squares=sum((first / MICROS_PER_DOLLAR) ** 2 for first in firsts.get(wager, ())),
                count=len(firsts.get(wager, ())),
                net=nets.get(wager, 0),
            )
            for wager in dict.fromkeys([*firsts, *nets])
        ),
        cards=_cards_text(state, mine),
        answers=sum(getattr(event, "answer", None) is not None and event.seat in mine for event in state.events),  # type: ignore[attr-defined]
    )


def _cards_text(state: RoundState, mine: tuple[int, ...]) -> str:
    """The player's hands, and what lies on the table."""
    own = [" ".join(map(plain_face, hand)) for seat in mine for hand in state.seats[seat - 1] if hand]
    rows = [" ".join(plain_face(card) for card in row if card is not None) for _, row in state.table_rows]
    table = "; ".join(row for row in rows if row)
    return " against ".join(part for part in ("; ".join(own), table) if part)


def requests_of(rounds: Sequence[PlayedRound]) -> list[OddsRequest]:
    """The odds that are needed to say what was to be expected."""
    return list(dict.fromkeys(wager.request for played in rounds for wager in played.sums.wagers))


def account_of(rounds: Sequence[PlayedRound], edges: Edges) -> Account:
    """All rounds together. Wagers of one round are counted as if they were independent."""
    by_wager: dict[str, list[WagerSum]] = {}
    for played in rounds:
        for wager in played.sums.wagers:
            by_wager.setdefault(wager.wager, []).append(wager)
    results = [_result(wager, sums, edges) for wager, sums in by_wager.items()]
    known = [result for result in results if result.expected is not None and result.deviation is not None]
    return Account(
        rounds=len(rounds),
        net=sum(played.net for played in rounds),
        wagers=tuple(results),
        known_net=sum(result.net for result in known),
        expected=sum(result.expected or 0.0 for result in known),
        deviation=sqrt(sum((result.deviation or 0.0) ** 2 for result in known)),
        is_whole=len(known) == len(results),
    )


def _result(wager: str, sums: Sequence[WagerSum], edges: Edges) -> WagerResult:
    known = [(one, edge) for one in sums if (edge := edges.get(one.request)) is not None]
    is_known = len(known) == len(sums)
    variance = sum(edge.deviation**2 * one.squares for one, edge in known)
    return WagerResult(
        wager=wager,
        rounds=sum(one.count > 0 for one in sums),
        count=sum(one.count for one in sums),
        wagered=sum(one.first for one in sums),
        net=sum(one.net for one in sums),
        expected=-sum(float(edge.edge) * one.first for one, edge in known) if is_known else None,
        deviation=sqrt(variance) * MICROS_PER_DOLLAR if is_known else None,
    )


def curve(rounds: Sequence[PlayedRound], edges: Edges) -> Plot:
    """The bankroll round by round, against expectation and its band."""
    net, expected, variance = 0.0, 0.0, 0.0
    points = [(0.0, 0.0, 0.0, 0.0)]
    for number, played in enumerate(rounds, 1):
        for wager in played.sums.wagers:
            edge = edges.get(wager.request)
            net += wager.net / MICROS_PER_DOLLAR
            if edge is not None:
                expected -= float(edge.edge) * wager.first / MICROS_PER_DOLLAR
                variance += edge.deviation**2 * wager.squares
        points.append((float(number), net, expected, BAND * sqrt(variance)))
    step = max(1, len(points) // MOST_POINTS)
    shown = [point for number, point in enumerate(points) if number % step == 0 or number == len(points) - 1]
    x = tuple(point[0] for point in shown)
    return Plot(
        id="bankroll",
        title="Result against expectation",
        x_label="Rounds",
        y_label="Dollars",
        lines=(
            Line("You", x, tuple(point[1] for point in shown)),
            Line(
                "Expected, with two standard deviations",
                x,
                tuple(point[2] for point in shown),
                tuple(point[2] - point[3] for point in shown),
                tuple(point[2] + point[3] for point in shown),
                kind="exact",
            ),
        ),
        note="About 95 of 100 players of the best strategy end inside the band. Wagers of one round are counted as "
        "independent.",
    )


def rounds_csv(rounds: Sequence[PlayedRound], edges: Edges) -> str:
    """Every round and wager of it: one line each."""
    file = io.StringIO()
    lines = csv.writer(file)
    lines.writerow(["round", "time", "cards", "wager", "wagered", "net", "expected", "deviation"])
    for played in rounds:
        at = datetime.fromtimestamp(played.at_micros / 1_000_000, UTC).isoformat(timespec="seconds")
        for wager in played.sums.wagers:
            edge = edges.get(wager.request)
            expected = "" if edge is None else f"{-float(edge.edge) * wager.first / MICROS_PER_DOLLAR:.6f}"
            deviation = "" if edge is None else f"{edge.deviation * sqrt(wager.squares):.6f}"
            sums = (dollars(wager.first), dollars(wager.net), expected, deviation)
            lines.writerow([played.number, at, played.sums.cards, wager.wager, *sums])
    return file.getvalue()


def seen_before(finished: FinishedRound, earlier: Sequence[FinishedRound]) -> tuple[int, ...]:
    """The cards of the shoe that were gone when a round began: those of the rounds before it, as far as they are kept.

    `earlier` are the table's rounds before it, the latest first.
    """
    missing, cards = finished.shoe_start or 0, list[int]()
    number = finished.round
    for before in earlier:
        number -= 1
        if missing <= 0 or before.round != number:
            break
        dealt = parse_log(before.log).cards
        cards = [*dealt, *cards]
        missing -= len(dealt)
    return tuple(cards) if missing == 0 else ()
