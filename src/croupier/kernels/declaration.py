"""What a round says about itself, as data beside its rules.

Everything above the kernels - tables, pages, terminals, simulation, exact odds - reads a round's declaration and never
asks which game it is. A file `rounds/<name>.py` holds `ROUND`, and a game file names it by `round = "<name>"`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

from croupier.kernels.bets import Bet
from croupier.kernels.effects import DEALER, EVERY_HAND, HANDS_PER_SEAT, SEAT_PLACES
from croupier.kernels.link import Kernel
from croupier.kernels.scenes import Scene
from croupier.kernels.sights import answer_by_sight

LEFT_OPEN = -1
"""The number of a switch's value that leaves a rule as another switch, or the round, has it."""


@dataclass(frozen=True)
class FilledBy:
    """Stands at a field of a round's rules, in `Annotated`: the switch that fills it, with a number for each value."""

    switch: str
    numbers: Mapping[str, int]
    felt_by: Literal["all", "side wagers", "nobody"] = "all"
    """Which wagers are worth more or less by it; people may see a difference all the same."""


YES_NO: Mapping[str, int] = {"yes": 1, "no": 0}


@dataclass(frozen=True, kw_only=True)
class Place:
    """Where cards lie. A hand of a seat is `seat * HANDS_PER_SEAT + hand`; others have a number of their own."""

    id: str
    """"seat" for the hands of the seats; else any word, the same for places whose cards lie in one row."""
    label: str
    number: int = EVERY_HAND
    """EVERY_HAND for the hands of the seats; from SEAT_PLACES on, a place that each seat has: `number + seat`."""
    face: Literal["up", "down", "owner"] = "up"
    """Who sees a card dealt here: everybody, nobody until it is turned, or the seat that it belongs to."""
    row: int | None = None
    """The place in whose row these cards lie, where that is another."""
    is_burnt: bool = False
    """Cards that nobody sees and no rule looks at."""

    def holds(self, place: int) -> bool:
        """Whether a round's number is this place, of whatever seat or hand."""
        if self.number == EVERY_HAND:
            return place < FIRST_TABLE_PLACE
        if self.number >= SEAT_PLACES:
            return self.number <= place < self.number + HANDS_PER_SEAT
        return place == self.number

    def seat_and_hand(self, place: int) -> tuple[int, int]:
        """Seat and hand of a place, counted from 1; 0 where it is nobody's."""
        if self.number == EVERY_HAND:
            return place // HANDS_PER_SEAT + 1, place % HANDS_PER_SEAT + 1
        return (place - self.number + 1, 0) if self.number >= SEAT_PLACES else (0, 0)


FIRST_TABLE_PLACE = 1000


@dataclass(frozen=True, kw_only=True)
class AnswerChoice:
    """One answer to a question."""

    word: str
    """As logs, addresses and the command line write it."""
    label: str
    """On a button."""
    key: str
    """The key that gives it."""
    adds: str = ""
    """The wager that money goes onto by it, where that is another than the first."""
    takes_amount: bool = False
    """Whether the seat may say how much it adds, up to the most that is allowed."""


@dataclass(frozen=True, kw_only=True)
class Question:
    """What a seat is asked."""

    id: str
    text: str
    """The question in words, as it is put to a player."""
    deciding: str
    """What somebody is doing who is asked, as others at the table read it: "decides about insurance"."""
    choices: tuple[AnswerChoice, ...]
    """In the order of the numbers that the round calls them by."""
    default: str
    """The word that stands for a seat that does not answer; where it is not legal, the first that is."""
    is_of_seat: bool = False
    """Whether it is about all that the seat has, and not about the hand that is asked."""
    buttons: tuple[str, ...] = ()
    """The words in the order in which a page shows them, where that is another."""

    @property
    def words(self) -> tuple[str, ...]:
        return tuple(choice.word for choice in self.choices)

    def default_of(self, legal: tuple[str, ...]) -> str:
        """The answer of a seat that gives none."""
        return self.default if self.default in legal else legal[0]

    def choice(self, word: str) -> AnswerChoice:
        return self.choices[self.words.index(word)]

    @property
    def shown(self) -> tuple[AnswerChoice, ...]:
        """The choices as a page shows them."""
        return tuple(self.choice(word) for word in self.buttons or self.words)


@dataclass(frozen=True, kw_only=True)
class RoundWager:
    """A wager that the round itself settles."""

    id: str
    outcomes: tuple[str, ...]
    """How it can end besides losing, by the numbers that the round calls them by."""
    is_asked: bool = False
    """Whether it is made during the round, when a seat is asked, and never before the first card."""
    pays_on: str = ""
    """The wager by whose amount and pay table this one is paid; it has no stake of its own."""
    is_apart: bool = False
    """Whether its account is its own, and not part of what the first wager costs."""
    only_under: Mapping[str, str] = field(default_factory=dict)
    """Outcomes that come up only while a field of the rules is not 0, with that field."""
    never: tuple[str, ...] = ()
    """Outcomes that other rounds of the family come to, and this one never."""

    @property
    def is_placed(self) -> bool:
        """Whether a seat makes it before the first card."""
        return not self.is_asked and not self.pays_on


@dataclass(frozen=True, kw_only=True)
class Round:
    """A round and all that others need to know of it."""

    play: Kernel
    """`play(world, table, memory, stakes, rules)`; `stakes` has the first wager of each seat, 0 where it makes none."""
    family: str
    """Rounds of one family share switches (see `rules/data/families.toml`)."""
    rules: Any
    """A named tuple of integers with the round's own defaults. A field that a switch fills says so by its type."""
    memory: int = 1
    """Integers that a round keeps while it runs."""
    places: tuple[Place, ...]
    """In the order in which a page shows them."""
    questions: tuple[Question, ...] = ()
    wagers: tuple[RoundWager, ...] = ()
    """The first is the one that `stakes` holds."""
    scenes: tuple[Scene, ...] = ()
    """What the round shows to side bets."""
    bets: Mapping[str, Bet] = field(default_factory=dict)
    """Side bets that come with this round alone, by name; others have a file of their own in `bets`."""
    hands: int = 1
    """Hands that each seat starts with, and wagers that it makes on them."""
    needs_first_wager: bool = True
    """Whether a seat takes part only with the first wager."""
    exact: Literal["walk", "tree", "blackjack"] = "walk"
    """The recipe that proves it: no questions; every deal and answer; the program of the blackjack family."""
    program: Literal["", "hands", "switch", "flex", "doubles"] = ""
    """Of the blackjack recipe: hands played one by one, after a switch or a flex card, or doubled again and again."""
    describe: Callable[[Sequence[int]], str]
    """A hand in words, from its cards: "soft 17", "pair of nines"."""
    is_bust: Callable[[Sequence[int]], bool] = field(default=lambda cards: False)
    """Whether a hand has lost by itself."""
    counted: Callable[[Sequence[int]], Mapping[str, Any]] = field(default=lambda cards: {})
    """What a hand comes to, as data: `{"total": 17, "soft": True}`."""
    scenes_on_each_hand: Callable[[Any, Scene], bool] = field(default=lambda rules, scene: False)
    """Whether wagers on that scene are made on each of a seat's hands under these rules."""
    suits_matter: bool = True
    """Whether the round looks at suits anywhere but in side bets: if not, exact recipes deal by rank."""
    dealer: int = DEALER
    """The place where the dealer's hand lies."""
    hands_per_deck: int = 0
    """How many hands of seats one deck is enough for; 0 where it is enough for a full table."""
    answer: Kernel = answer_by_sight
    """How a strategy's tables answer: `answer(tables, memory, stakes, rules, sight, seat, hand, question, legal)`."""
    known_of_tables: Callable[[Any], Mapping[str, Any]] = field(default=lambda tables: {})
    """What a program that is compiled for one strategy's shape is linked with besides."""
    most_asked: int = 1
    """The most questions that a round asks one seat, where a recipe decides them one after another; 0 where nobody can
    say."""
    describe_sight: Callable[[int, int], str] = field(default=lambda question, sight: str(sight))
    """What a seat sees when it is asked, in words: by question and sight. Sights rise with the worth of a hand."""
    most_cards: int = 0
    """The most cards that a round of one seat takes; 0 where nobody can say."""
    most_burnt: int = 0
    """Those of them that are burnt."""

    def place(self, number: int) -> Place:
        """The place that a round's number means."""
        return next(place for place in self.places if place.holds(number))

    def question(self, id: str) -> Question:
        return next(question for question in self.questions if question.id == id)

    def wager(self, id: str) -> RoundWager | None:
        return next((wager for wager in self.wagers if wager.id == id), None)

    def row_called(self, id: str) -> Place:
        """The place in whose row the cards of a place lie, by that place's id."""
        place = next(place for place in self.places if place.id == id)
        return place if place.row is None else self.place(place.row)

    @property
    def has_hands(self) -> bool:
        """Whether seats have cards of their own."""
        return any(place.number == EVERY_HAND for place in self.places)

    @property
    def seat_label(self) -> str:
        """What a seat has before it, as a page calls it: its hand, or its chips alone."""
        return next((place.label for place in self.places if place.number == EVERY_HAND), "Your chips")

    @property
    def has_sides(self) -> bool:
        """Whether two sides play against each other, and seats wager on either."""
        return any(scene.has_sides for scene in self.scenes)

    @property
    def table_places(self) -> tuple[Place, ...]:
        """The rows of cards that are nobody's own, in the order in which they are shown."""
        table = (one for one in self.places if EVERY_HAND < one.number < SEAT_PLACES)
        return tuple(one for one in table if one.row is None and not one.is_burnt)

    @property
    def seat_places(self) -> tuple[Place, ...]:
        """The rows, besides its hands, that each seat has."""
        return tuple(one for one in self.places if one.number >= SEAT_PLACES)

    @property
    def plays_dealer_out(self) -> bool:
        """Whether the dealer draws cards to a hand, one of which is up while players decide."""
        return any(scene.completes_dealer for scene in self.scenes)

    @property
    def first_wager(self) -> str:
        """The wager that `stakes` holds; empty where side bets are all there is."""
        return self.wagers[0].id if self.wagers else ""

    @property
    def filled(self) -> dict[str, FilledBy]:
        """The fields of the rules that switches fill."""
        return _filled(type(self.rules))

    def numbers_of(self, switch: str) -> Mapping[str, int] | None:
        """The values that the round understands of a switch; None if it does not read it."""
        return next((filled.numbers for filled in self.filled.values() if filled.switch == switch), None)

    def decisive(self, rules: Any, *, side_wagers: bool = True) -> Any:
        """The rules without those that no wager feels; without `side_wagers`, none of the round's own."""
        unfelt = ("nobody",) if side_wagers else ("nobody", "side wagers")
        usual = {name: getattr(self.rules, name) for name, filled in self.filled.items() if filled.felt_by in unfelt}
        return rules._replace(**usual)

    def rules_by(self, switches: Mapping[str, str], **more: int) -> Any:
        """The rules under these switches; `more` are fields that a table fills, those that the round has."""
        known = {name: number for name, number in more.items() if name in self.rules._fields}
        for name, filled in self.filled.items():
            number = filled.numbers[switches[filled.switch]] if filled.switch in switches else LEFT_OPEN
            if number != LEFT_OPEN:
                known[name] = number
        return self.rules._replace(**known)


def _filled(rules: type) -> dict[str, FilledBy]:
    filled = {}
    for name, hint in get_type_hints(rules, include_extras=True).items():
        if get_origin(hint) is Annotated:
            filled[name] = next(one for one in get_args(hint) if isinstance(one, FilledBy))
    return filled
