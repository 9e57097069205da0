"""A run: what is played, in chunks that any machine can play and add up."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, partial
from math import lcm, sqrt
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from croupier.errors import RangeError
from croupier.kernels.bets import Bet
from croupier.kernels.declaration import Round
from croupier.kernels.effects import MOST_SEATS
from croupier.kernels.link import WRITTEN, Kernel, compile_cpu, fingerprint, link, plain
from croupier.kernels.outside import FAILURES
from croupier.kernels.rounds import find_round
from croupier.kernels.scenes import SIDES
from croupier.simulate import atoms, generator, play, shuffle
from croupier.simulate.atoms import BY_TABLE
from croupier.simulate.generator import seed_key

Array = NDArray[Any]
ShuffleKind = Literal["fresh", "cut-card", "continuous"]
Backend = Literal["cpu", "python"]

STYLES: dict[str, tuple[Kernel, Kernel]] = {
    "fresh": (play.play_fresh, play.draw_fresh),
    "cut-card": (play.play_shoes, play.draw),
    "continuous": (play.play_continuous, play.draw_continuous),
}
CHUNK_ROUNDS = 4096
"""Rounds of one chunk; with a cut card a chunk is so many shoes instead."""
CHUNK_SHOES = 64
MOST_CARDS_OF_SEAT = 24
"""More than any seat draws in a round that anybody will ever see."""
CARDS_BEHIND_CUT = 9
"""For each seat and the dealer: three times what they draw on average."""


def program_stamp() -> str:
    """A stamp of the sources that play rounds and of the libraries below them: only the same program may go on with a
    run that another process began."""
    return fingerprint([sys.modules[__name__], atoms, generator, play, shuffle])


@dataclass(frozen=True, kw_only=True)
class CountedBet:
    """A side wager that is counted."""

    name: str
    bet: Bet
    bet_name: str
    options: int = 0
    side: str = ""


@dataclass(frozen=True, kw_only=True)
class Spec:
    """Everything that the counts of a run depend on, but seed and chunks."""

    round: str
    decks: int
    rules: Any = None
    """With the number of seats, and the seats that have a wager on the dealer's hand; the round's own if left out."""
    pays: tuple[tuple[str, Fraction], ...] = ()
    """Profit of the outcomes of the round's wagers, those not named apart losing: `win` for the first wager, `play.win`
    for another."""
    tables: Any = None
    """The strategy, as the round's `answer` reads it; None for a round that asks nothing."""
    is_usual: bool = False
    """Whether it is the game as it comes: worth a sampler for these rules alone, which is a tenth faster."""
    bets: tuple[CountedBet, ...] = ()
    beside: bool = False
    """Whether seats make, in the amount of the first wager, those that the round itself settles beside it."""
    shuffle: ShuffleKind = "fresh"
    cut: int = 0
    """Cards dealt before the cut card comes; of a continuous shuffler the cards in its chute."""
    control: int = 0
    """With a cut card: the first rounds of each shoe, of which the mean is known (`with_control`); 0 for none."""

    def __post_init__(self) -> None:
        if self.rules is None:
            object.__setattr__(self, "rules", self.declared.rules)
        most = self.cards - CARDS_BEHIND_CUT * (self.rules.seats + 1)
        if self.shuffle == "cut-card" and not 1 <= self.cut <= max(most, 1):
            raise RangeError(
                f"A cut card {self.cut} deep cannot be used with {self.decks} decks and {self.rules.seats} seats: "
                f"1 to {max(most, 1)}, so that enough cards are left for the last round.",
                code="bad_cut",
            )
        if self.shuffle == "continuous" and not 0 <= self.cut < self.cards // 2:
            raise RangeError(
                f"A chute of {self.cut} cards is not possible with {self.decks} decks: 0 to {self.cards // 2 - 1}.",
                code="bad_chute",
            )

    @property
    def declared(self) -> Round:
        """What the round says about itself."""
        round = find_round(self.round)
        assert round is not None
        return round

    @property
    def cards(self) -> int:
        """Cards of the whole shoe."""
        return self.decks * self.declared.deck_size

    @property
    def unit(self) -> int:
        """How many of the smallest unit make one first wager."""
        return play.FIRST_WAGER * self._scale

    @property
    def _scale(self) -> int:
        return lcm(2, *(pay.denominator for _, pay in self.pays))

    @property
    def stakes(self) -> tuple[int, ...]:
        """What every seat puts on the wagers that the round knows of."""
        return tuple(self.declared.stakes(play.FIRST_WAGER, play.FIRST_WAGER if self.beside else 0))

    @property
    def chunk_size(self) -> int:
        return CHUNK_SHOES if self.shuffle == "cut-card" else CHUNK_ROUNDS

    @property
    def hash(self) -> str:
        """A short stamp of everything above."""
        digest = hashlib.sha256()
        bets = [(bet.name, bet.bet_name, bet.options, bet.side) for bet in self.bets]
        plain_parts = (self.round, self.decks, tuple(self.rules), self.pays, bets, self.shuffle, self.cut, self.control)
        digest.update(repr((plain_parts, self.chunk_size)).encode())
        if self.beside:
            digest.update(b"beside")
        if self.shuffle == "fresh":
            digest.update(b"stream 2")  # cards by their slots; the first stream shuffled
        for part in self.tables if self.tables is not None else ():
            digest.update(np.asarray(part).tobytes())
        return digest.hexdigest()[:16]

    def setting(self) -> play.Setting:
        pays = np.full(play.MOST_ROUND_WAGERS * play.MOST_ROUND_OUTCOMES, -self._scale, np.int64)
        by_name = dict(self.pays)
        for number, wager in enumerate(self.declared.wagers):
            for outcome, name in enumerate(wager.outcomes, 1):
                profit = by_name.get(name if number == 0 else f"{wager.id}.{name}", Fraction(-1))
                pays[number * play.MOST_ROUND_OUTCOMES + outcome] = profit * self._scale
        return play.Setting(
            rules=self.rules,
            stakes=np.array(self.stakes, np.int64),
            pays=pays,
            tables=self.tables if self.tables is not None else (0,),
            cards=self.cards,
            cut=self.cut,
            control=self.control,
        )

    def scratch(self) -> play.Scratch:
        cards = self.cards
        ordered = _apart(cards, np.uint8)
        ordered[:] = np.arange(cards) % self.declared.deck_size
        return play.Scratch(
            shoe=_apart(cards, np.uint8),
            ordered=ordered,
            numbers=_apart(play.NUMBERS, np.uint64),
            slots=_apart(play.NUMBERS + play.SURE, np.uint64),
            unsure=_apart(play.NUMBERS, np.uint64),
            drawn=_apart(cards + 1, np.int64),
            memory=_apart(self.declared.memory, np.int64),
            net=_apart(2 * MOST_SEATS, np.int64),
            counts=_apart(play.COUNT_CELLS, np.int64),
            past=_apart(play.COUNT_CELLS, np.int64),
        )

    def effects(self) -> dict[str, Any]:
        """What the sampler is linked with for this game and way of shuffling."""
        style, draw = STYLES[self.shuffle]
        effects: dict[str, Any] = {
            "play": self.declared.play,
            "answer": self.declared.answer,
            "for_one_seat": one_seat(self.rules.__class__),
            "shuffle_style": style,
            "draw": draw,
            "ask": play.ask,
            "stake": play.stake,
            "pay": play.pay,
            "settle": play.settle,
            "tell": play.tell,
            "returned": play.returned,
            "ONE_SEAT": int(self.rules.seats == 1),
            "APART": sum(1 << n for n, wager in enumerate(self.declared.wagers) if wager.is_apart),
            "DECK_CARDS": self.declared.deck_size,
            "UNSTAKED": sum(1 << n for n, wager in enumerate(self.declared.wagers) if wager.pays_on),
        }
        if self.is_usual:
            effects |= self.constants()
        for slot, bet in enumerate(self.bets):
            effects[f"bet_{slot}"] = bet.bet.classify
            effects[f"MOMENT_{slot}"] = bet.bet.scene.moment
            effects[f"OPTIONS_{slot}"] = bet.options
            effects[f"SIDE_{slot}"] = SIDES[bet.side]
            effects[f"ROWS_{slot}"] = len(bet.bet.outcomes) if bet.bet.outside is not None else 0
        return effects

    def constants(self) -> dict[str, Any]:
        """What makes a sampler one for these rules alone."""
        return {
            "known": play.known_all,
            "KNOWN_RULES": self.rules,
            "KNOWN_CARDS": self.cards,
            "KNOWN_STAKES": self.stakes,
            **self.declared.known_of_tables(self.tables),
        }

    @property
    def _numbers_of_tables(self) -> dict[str, int]:
        known = self.declared.known_of_tables(self.tables)
        return {name: value for name, value in known.items() if isinstance(value, int)}

    @property
    def program(self) -> str:
        """The name under which the compiled sampler is kept."""
        bets = "-".join(f"{bet.bet_name}-{bet.options}-{bet.side}" for bet in self.bets)
        seats = "one" if self.rules.seats == 1 else "many"
        if self.is_usual:
            parts = (self.rules, self.decks, self._numbers_of_tables, *([True] if self.beside else []))
            known = hashlib.sha256(repr(parts).encode()).hexdigest()[:8]
            seats = f"usual-{known}"
        return f"simulate-{self.round}-{self.shuffle}-{seats}-{hashlib.sha256(bets.encode()).hexdigest()[:8]}"


CACHE_LINE = 128
"""Bytes that two cores had better not share: a cache line, and the one that is fetched with it."""


def _apart(cells: int, kind: type[np.generic]) -> Array:
    """Zeros with a cache line to spare on both sides, so that threads do not slow each other down."""
    spare = CACHE_LINE // np.dtype(kind).itemsize
    return np.zeros(cells + 2 * spare, kind)[spare : spare + cells]


PILOT_CHUNKS = 4
SAFE_SIGMAS = 6


def with_control(spec: Spec) -> Spec:
    """With about as many controlled rounds as a shoe has before its cut card, found by a few shoes.

    Fewer if the cut card lies so deep that they might not all fit.
    """
    pilot = run_chunks(spec, 0, 0, PILOT_CHUNKS)
    shoes = int(pilot[play.SHOES])
    rounds = int(pilot[play.ROUNDS]) / shoes
    spread = sqrt(int(pilot[play.SHOE_ROUNDS_SQUARE]) / shoes - rounds**2)
    spare = (spec.cards - CARDS_BEHIND_CUT * (spec.rules.seats + 1) - spec.cut) * rounds / spec.cut
    return replace(spec, control=max(0, round(rounds - max(0.0, SAFE_SIGMAS * spread - spare))))


@cache
def one_seat(rules: Any) -> Kernel:
    """A function from rules of this kind to the same with the number of seats written out as one, so that a compiler
    can leave loops over seats out."""
    fields = ", ".join("1" if name == "seats" else f"rules.{name}" for name in rules._fields)
    text = f"def for_one_seat(rules):\n    return Rules({fields})\n"
    file = f"<one seat of {rules.__module__}.{rules.__qualname__}>"
    WRITTEN[file] = text.encode()
    space: dict[str, Any] = {"Rules": rules, "__name__": __name__}
    exec(compile(text, file, "exec"), space)
    kernel: Kernel = space["for_one_seat"]
    return kernel


_samplers: dict[tuple[str, str], Any] = {}


def sampler(spec: Spec, backend: Backend) -> Callable[..., None]:
    """The sampler of a spec: compiled, or in plain Python."""
    key = (spec.program, backend)
    if key not in _samplers:
        if backend == "python":
            _samplers[key] = link(play.play_chunks, plain, spec.effects())
        else:
            _samplers[key] = compile_cpu(play.play_chunks, spec.program, spec.effects() | BY_TABLE)
    return _samplers[key]  # type: ignore[no-any-return]


def run_chunks(spec: Spec, seed: int, first: int, last: int, *, backend: Backend = "cpu") -> Array:
    """The counts of chunks `first` to `last`, the last one not."""
    scratch = spec.scratch()
    try:
        with np.errstate(over="ignore"):  # 64-bit numbers wrap on purpose
            sampler(spec, backend)(seed_key(seed), first, last, spec.chunk_size, spec.setting(), scratch)
    except FAILURES:
        _play_checked(spec, seed, first, last)
        raise
    require_declared(spec, seed, first, last, scratch.counts)
    return np.asarray(scratch.counts)


def require_declared(spec: Spec, seed: int, first: int, last: int, counts: Array) -> None:
    """Refuses counts in which somebody else's bet returned what it did not declare, with the hand that it did so for:
    the chunk that has it is played once more, in plain Python."""
    cells = [play.BETS_AT + slot * play.OUTCOME_CELLS + 1 + play.UNDECLARED_CELL for slot in range(len(spec.bets))]
    if not any(counts[cell] for cell in cells):
        return
    for chunk in range(first, last if last > first + 1 else first):
        run_chunks(spec, seed, chunk, chunk + 1)
    _play_checked(spec, seed, first, last)


def _play_checked(spec: Spec, seed: int, first: int, last: int) -> None:
    """Plays in plain Python, which refuses a bet with the first hand that it goes wrong for."""
    from croupier.rules.trial import classified  # reads game files, which a machine that only plays does without

    checked = {f"bet_{slot}": partial(classified, bet.bet) for slot, bet in enumerate(spec.bets)}
    again = link(play.play_chunks, plain, spec.effects() | checked)
    with np.errstate(over="ignore"):
        again(seed_key(seed), first, last, spec.chunk_size, spec.setting(), spec.scratch())


def run(spec: Spec, seed: int, chunks: int, *, threads: int = 1) -> Array:
    """The counts of so many chunks. The number of threads changes nothing."""
    parts = [(chunks * part // threads, chunks * (part + 1) // threads) for part in range(threads)]
    sampler(spec, "cpu")
    with ThreadPoolExecutor(threads) as pool:
        counted = list(pool.map(lambda part: run_chunks(spec, seed, *part), parts))
    return np.asarray(np.sum(counted, axis=0))
