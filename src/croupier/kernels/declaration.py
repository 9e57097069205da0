"""What a round says about itself, as data beside its rules.

Everything above the kernels - tables, pages, terminals, simulation, exact odds - reads a round's declaration and never
asks which game it is. A file `rounds/<name>.py` holds `ROUND`, and a game file names it by `round = "<name>"`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

from croupier.kernels.bets import Bet
from croupier.kernels.effects import DEALER, EVERY_HAND, HANDS_PER_SEAT, MOST_SEATS, SEAT_PLACES
from croupier.kernels.link import Kernel
from croupier.kernels.scenes import Scene
from croupier.kernels.sets import JOKER_CARD, set_of
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
    printed: Mapping[int, str] = field(default_factory=dict)
    """What a table's felt says of it, by the number of the field; nothing where none of its values is printed."""


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
    is_community: bool = False
    """Whether these cards count with the hand of every seat."""
    is_burned: bool = False
    """Cards that nobody sees and no rule looks at."""
    is_out: bool = False
    """Cards that were in a hand and are out of play."""

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
    is_paid: bool = False
    """Whether it costs money, unless the house puts that up."""
    opens_hand: bool = False
    """Whether the seat comes to have one more hand by it."""
    only_under: str = ""
    """The field of the rules without which (0) it never comes up."""


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

    def gives_up(self, answer: str) -> bool:
        """Whether an answer gives the hand up: it is a fold wherever there is one."""
        return answer == "fold"

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
    label: str = ""
    """As people read of one that is paid on another's pay table, where the row alone does not say it."""
    table_of: str = ""
    """The wager by whose pay table this one is paid, on its own stake."""
    equals: str = ""
    """The wager beside which the round puts this one before the first card, in the same amount."""
    least_times: int = 1
    """Of an asked wager that a seat needs to go on: how many first wagers it is at least. The limit for a single wager
    holds for it too, and so limits the first one."""
    is_apart: bool = False
    """Whether its account is its own, and not part of what the first wager costs."""
    decided_by: str = ""
    """Of one that is placed beside the first: the side bet, by name, that it is decided like, for its odds. The round
    settles it by the same function. `stakes` hold it after the first wager, MOST_SEATS further on."""
    by_dealer: Kernel | None = None
    """Of one that is apart and made once the dealer has looked for blackjack: `by_dealer(total, up)` is how it ends, by
    the dealer's final total and the value of the up card. A blackjack found later is a total of 21."""
    only_under: Mapping[str, str] = field(default_factory=dict)
    """Outcomes that come up only while a field of the rules is not 0, with that field."""
    never: tuple[str, ...] = ()
    """Outcomes that other rounds of the family come to, and this one never."""

    @property
    def is_placed(self) -> bool:
        """Whether a seat makes it before the first card."""
        return not self.is_asked and not self.pays_on and not self.equals

    @property
    def paid_by(self) -> str:
        """The wager whose pay table it has: its own, or another's."""
        return self.pays_on or self.table_of or self.id


@dataclass(frozen=True, kw_only=True)
class Showdown:
    """How a round ends that compares each seat's hand with one that the dealer hides, for the recipe that counts it so.

    Such a round deals a seat's cards to its hand, what the dealer shows to DEALER, what he hides to DEALER_DOWN and
    shared cards to BOARD, each with `deal` or `draw`. What it settles depends on the seat's answers and cards, and on
    the dealer's cards only by whether they qualify and whether they are lower than the seat's, equal or higher.
    """

    strength: Kernel
    """`strength(cards)`: the worth of a seat's cards with the board, as a set; the higher wins. It is all that a
    settlement depends on beside the dealer's hand."""
    dealer_strength: Kernel | None = None
    """The same of all the dealer's cards with the board, where he has more than the seat."""
    qualifies: int = 0
    """The least strength with which the dealer qualifies; 0 where every hand does."""
    own: int
    """Cards of a seat."""
    hidden: int
    """Cards of the dealer that nobody sees until all have answered."""
    up: int = 0
    """Cards that the dealer shows before."""
    board: int = 0
    """Cards that all share, some of which may come after questions."""
    words: Callable[[int], str] = str
    """A strength in words that tell it from any other, where that can be: `pair of nines, A-7-2`."""
    by_suit: bool = False
    """Whether the strength of a hand is the highest that the cards of one suit have by themselves."""

    @property
    def is_by_hands(self) -> bool:
        """Whether whole hands meet: without a board, and not suit by suit."""
        return self.board == 0 and not self.by_suit


@dataclass(frozen=True, kw_only=True)
class RuleOfThumb:
    """A way to play that people know, to be held against the best."""

    id: str
    text: str
    """The rule in words, or where it is known from."""
    answer: Callable[[int, int], int]
    """`answer(question, sight)`: the choice by its number; one that is not legal stands for the highest
    below it. Where hands are too many to list it is compiled, and written as rounds are."""


@dataclass(frozen=True, kw_only=True)
class Asking:
    """A question as it lies on the table, for a drill to be sorted by: cards that the seat sees, and nothing else."""

    question: str
    legal: tuple[str, ...]
    sight: int
    hands: tuple[tuple[int, ...], ...]
    """Cards of each hand of the seat."""
    hand: int
    """The hand that is asked, from 0."""
    beside: tuple[int, ...] = ()
    """What lies beside the hands."""
    dealer: tuple[int, ...] = ()
    """The dealer's open cards."""


def starting_hand(cards: Sequence[int]) -> str:
    """`A-Q suited`, `9-4`: cards that come to nothing in words."""
    strengths = sorted((((card >> 2) + 12) % 13 for card in cards), reverse=True)
    names = "-".join("23456789TJQKA"[strength].replace("T", "10") for strength in strengths)
    return f"{names} suited" if len({card & 3 for card in cards}) == 1 else names


@dataclass(frozen=True)
class DrillKind:
    """A kind of question that a player may practice by itself."""

    id: str
    label: str


@dataclass(frozen=True, kw_only=True)
class DrillSorting:
    """How questions are told apart for practice, where that is more than which question it is."""

    kinds: tuple[DrillKind, ...]
    cell: Callable[[Asking], tuple[str, str]]
    """The kind of a question, and the cell of it that is learned as one: that of a chart where there is one, as
    `("hard", "16:10")`, row and column of the chart."""


@dataclass(frozen=True, kw_only=True)
class Round:
    """A round and all that others need to know of it."""

    play: Kernel
    """`play(world, table, memory, stakes, rules)`; `stakes` has the first wager of each seat, 0 where it makes none."""
    family: str
    """Rounds of one family share switches (see `rules/data/families.toml`)."""
    instead: Mapping[str, Kernel] = field(default_factory=dict)
    """Rules of its family that the round has its own of, by the names of those in whose place they are linked."""
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
    most_hands: int = 1
    """The most hands that a seat can come to have."""
    asks: tuple[str, ...] = ()
    """Ids of the questions that it asks, where its family has others; empty for all."""
    needs_first_wager: bool = True
    """Whether a seat takes part only with the first wager."""
    exact: Literal["walk", "tree", "showdown", "blackjack"] = "walk"
    """The recipe that proves it: no questions; every deal and answer; a hand against a hidden one, by counts; the
    program of the blackjack family."""
    showdown: Showdown | None = None
    """What is compared with what: for the recipe `showdown`, and for what a hidden card is worth to who has seen it."""
    program: Literal["", "hands", "switch", "flex", "doubles"] = ""
    """Of the blackjack recipe: hands played one by one, after a switch or a flex card, or doubled again and again."""
    describe: Callable[[Sequence[int]], str]
    """A hand in words, from its cards: "soft 17", "pair of nines"."""
    describe_exactly: Callable[[Sequence[int]], str] = field(default=lambda cards: "")
    """A hand in words that tell it from any other, where `describe` says the same of two: "pair of nines, A-7-2"."""
    is_bust: Callable[[Sequence[int]], bool] = field(default=lambda cards: False)
    """Whether a hand has lost by itself."""
    worth_of_side: Callable[[Sequence[int]], int] | None = None
    """Where a player hand is held against the dealer's or the banker's for everybody: the worth of a side's cards, of
    which the higher wins."""
    counted: Callable[[Sequence[int]], Mapping[str, Any]] = field(default=lambda cards: {})
    """What a hand comes to, as data: `{"total": 17, "soft": True}`."""
    scenes_on_each_hand: Callable[[Any, Scene], bool] = field(default=lambda rules, scene: False)
    """Whether wagers on that scene are made on each of a seat's hands under these rules."""
    has_joker: bool = False
    """Whether each deck has a joker besides its 52 cards."""
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
    sight_tells_all: bool = False
    """Whether all that comes after a question depends on its sight and on cards that nobody has seen, and on nothing
    else: a recipe then looks at each sight once, whatever led to it. Money that is on the table must be in it, too."""
    limit_binds_later: bool = False
    """Whether a limit for single wagers that takes an answer away takes others from later questions too, so that what
    is left is worth less."""
    most_asked: int = 1
    """The most questions that a round asks one seat, where a recipe decides them one after another; 0 where nobody can
    say."""
    describe_sight: Callable[[int, int], str] = field(default=lambda question, sight: str(sight))
    """What a seat sees when it is asked, in words: by question and sight. Sights rise with the worth of a hand."""
    kind_of_sight: Callable[[int, int], tuple[str, ...]] | None = None
    """By question and sight: of what kind it is, in words that say more and more, such as `("suited", "one gap")`. The
    chart then has as few lines by kinds as tell the answers apart, instead of rows of sights."""
    rules_of_thumb: tuple[RuleOfThumb, ...] = ()
    """What people know as good play."""
    drills: DrillSorting | None = None
    """How questions are sorted for practice; None where each question is a kind of its own."""
    most_cards: int = 0
    """The most cards that a round of one seat takes; 0 where nobody can say."""
    burns_by_first_card: bool = False
    """Whether the first card of a shoe is shown, and as many as it counts are burned."""
    most_burned: int = 0
    """Those of them that are burned."""
    printed: tuple[str, ...] = ()
    """What a table's felt says of it besides pays and rules that a switch fills: when the dealer qualifies."""

    @property
    def deck_size(self) -> int:
        """Cards of one deck."""
        return JOKER_CARD + 1 if self.has_joker else JOKER_CARD

    def place(self, number: int) -> Place:
        """The place that a round's number means."""
        return next(place for place in self.places if place.holds(number))

    @property
    def asked(self) -> tuple[Question, ...]:
        """The questions that it asks."""
        return tuple(question for question in self.questions if not self.asks or question.id in self.asks)

    @property
    def drill_kinds(self) -> tuple[DrillKind, ...]:
        """What a player may practice by itself."""
        if self.drills is not None:
            return self.drills.kinds
        return tuple(DrillKind(question.id, question.id.replace("_", " ").capitalize()) for question in self.asked)

    def drill_cell(self, asking: Asking) -> tuple[str, str]:
        """The kind of a question, and the cell of it that is learned as one."""
        if self.drills is not None:
            return self.drills.cell(asking)
        if self.kind_of_sight is not None:
            number = self.questions.index(self.question(asking.question))
            return asking.question, ", ".join(self.kind_of_sight(number, asking.sight)[:2])
        own = asking.hands[asking.hand]
        return asking.question, self.describe(own) or starting_hand(own)

    def may_come_to(self, choice: AnswerChoice, rules: Any) -> bool:
        """Whether an answer can be legal at some time under these rules."""
        if choice.only_under and not getattr(rules, choice.only_under):
            return False
        return not choice.opens_hand or self.most_hands > self.hands

    def printed_under(self, rules: Any) -> tuple[str, ...]:
        """What a table's felt says of these rules."""
        by_switch = (filled.printed.get(getattr(rules, name), "") for name, filled in self.filled.items())
        return (*filter(None, by_switch), *self.printed)

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

    def dealer_qualifies(self, cards: Sequence[int]) -> bool | None:
        """Whether the dealer qualifies with these cards, his own and those of the community; None where any hand
        does."""
        if self.showdown is None or not self.showdown.qualifies:
            return None
        strength = self.showdown.dealer_strength or self.showdown.strength
        return bool(strength(set_of(cards)) >= self.showdown.qualifies)

    @property
    def table_places(self) -> tuple[Place, ...]:
        """The rows of cards that are nobody's own, in the order in which they are shown."""
        table = (place for place in self.places if EVERY_HAND < place.number < SEAT_PLACES)
        return tuple(place for place in table if place.row is None and not place.is_burned)

    @property
    def seat_places(self) -> tuple[Place, ...]:
        """The rows, besides its hands, that each seat has."""
        return tuple(place for place in self.places if place.number >= SEAT_PLACES)

    @property
    def plays_dealer_out(self) -> bool:
        """Whether the dealer draws cards to a hand, one of which is up while players decide."""
        return any(scene.completes_dealer for scene in self.scenes)

    @property
    def staked_wagers(self) -> tuple[str, ...]:
        """The wagers that `stakes` holds, in their order: the first, and those that are placed beside it."""
        return tuple(wager.id for number, wager in enumerate(self.wagers) if number == 0 or wager.decided_by)

    def stakes(self, first: int, beside: int = 0) -> list[int]:
        """What `stakes` holds where every seat has put so much on the first wager, and so much on each beside it."""
        return [first] * MOST_SEATS + [beside] * (MOST_SEATS * (len(self.staked_wagers) - 1))

    @property
    def first_wager(self) -> str:
        """The first wager that `stakes` holds; empty where side bets are all there is."""
        return self.wagers[0].id if self.wagers else ""

    def equal_wagers(self, id: str) -> int:
        """How many wagers of the same amount lie on the table once that one is made, itself among them."""
        return 1 + sum(wager.equals == id for wager in self.wagers)

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
            filled[name] = next(mark for mark in get_args(hint) if isinstance(mark, FilledBy))
    return filled
