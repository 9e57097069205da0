"""What one player sees of a table of the hall, as plain data for pages; `view.py` fills it."""

from __future__ import annotations

from dataclasses import dataclass, field

from croupier.table.setup import TableRules


@dataclass(frozen=True, kw_only=True)
class CardView:
    """A card that lies face up."""

    text: str
    rank: str
    suit: str
    name: str


Shown = CardView | None
"""A card as somebody sees it: None for one that lies face down before them."""


@dataclass(frozen=True, kw_only=True)
class CardsView:
    """Cards that lie together."""

    cards: list[Shown]
    total: str
    """What the cards in sight come to; empty without any."""
    moves: list[tuple[int, int]] = field(default_factory=list)
    """Of each card, which of the round it is and after how many it was turned before this player."""

    @property
    def names(self) -> str:
        """The cards in sight, to be read out."""
        return ", ".join(card.name for card in self.cards if card is not None)


@dataclass(frozen=True, kw_only=True)
class RowView(CardsView):
    """Cards of the table, or beside the hands of a seat."""

    id: str
    label: str
    is_out: bool = False
    """Whether they are out of play."""


@dataclass(frozen=True, kw_only=True)
class ResultView:
    """How one wager ended."""

    wager: str
    hand: int
    label: str
    """The row in the letter's words."""
    sum: str
    """The arithmetic: "3 to 2 on $10 = $15"."""
    staked: int
    returned: int
    for_dealer: bool
    is_of_hand: bool
    """Whether it lies on one hand, and not on all that the seat has."""
    is_main: bool
    """Whether the round itself settles it, on the hand's own account."""
    row: str
    why: str = ""
    """The hands that decided it; empty where the row says all."""

    @property
    def net(self) -> int:
        """To the player; what a take bet wins is the dealer's."""
        return (0 if self.for_dealer else self.returned) - self.staked

    @property
    def ending(self) -> str:
        """ "won", "even" or "lost"."""
        return "won" if self.returned > self.staked else "lost" if self.returned < self.staked else "even"


@dataclass(frozen=True, kw_only=True)
class HandView(CardsView):
    """One hand on the felt."""

    number: int
    stake: int
    active: bool = False
    is_over: bool = False
    """Whether it has lost by itself."""
    result: ResultView | None = None
    """Of the first wager on it."""
    words: str = ""
    """How it ended, as people say it: "Dealer busts", "Push"."""
    ending: str = ""
    """ "won", "even" or "lost", all wagers on it together."""


@dataclass(frozen=True, kw_only=True)
class ChipsView:
    """What happens to chips at a place of the layout."""

    lies: int = 0
    """What is on it now."""
    staked: int = 0
    """What was settled of it in the round on the table."""
    returned: int = 0
    """What came back of that."""

    @property
    def is_settled(self) -> bool:
        return bool(self.staked or self.returned)

    @property
    def net(self) -> int:
        return self.returned - self.staked


@dataclass(frozen=True, kw_only=True)
class WagerView:
    """A place for chips."""

    id: str
    name: str
    kind: str
    laid: int
    """What is laid out before a round, or was for the one that is on."""
    chips: ChipsView
    least: int
    most: int | None
    sensor: list[int] = field(default_factory=list)
    """Amounts that a jackpot's sensor takes; empty for other wagers."""
    meter: int = 0
    each_hand: bool = False


@dataclass(frozen=True, kw_only=True)
class RoundWagerView:
    """A place for chips that the round itself puts there and takes away: a blind, a raise, a wager that may be taken
    back."""

    id: str
    name: str
    amount: int
    """What lies there now, or what will come with the wager that is laid."""
    chips: ChipsView
    pays: str = ""
    """What it pays, where that is one thing for every way to win it."""


@dataclass(frozen=True, kw_only=True)
class SpotView:
    """A place at the table."""

    number: int
    name: str
    mine: bool
    taken: bool
    can_sit: bool
    """Nobody sits here, or somebody who has done nothing for long."""
    ready: bool
    away: bool
    """Its player has missed a turn."""
    waited: bool
    """The next round is not dealt before its player is ready, or the clock runs out."""
    sits_out: bool
    """The table has waited for its player often enough."""
    wagers: list[WagerView]
    round_wagers: list[RoundWagerView]
    """In the order of the round, those of mine."""
    laid: int
    """Chips on the layout, in all."""
    wagered: int
    """Chips on the table in a round that is on."""
    hands: list[HandView]
    beside: list[RowView]
    """What lies beside the hands."""
    results: list[ResultView]
    asked: bool

    @property
    def net(self) -> int:
        return sum(result.net for result in self.results)


@dataclass(frozen=True, kw_only=True)
class ChoiceView:
    """One answer, as its button shows it."""

    word: str
    label: str
    key: str
    is_legal: bool
    cost: int
    """What it puts on the table."""
    is_free: bool
    """Whether the house puts up what it would cost."""
    takes_amount: bool
    """Whether it may be given for less."""


@dataclass(frozen=True, kw_only=True)
class QuestionView:
    """What somebody is asked."""

    spot: int
    hand: int
    """The hand it is about; 0 where it is about all that the seat has."""
    hands: int
    id: str
    text: str
    pays: str
    """What the wager pays that an answer adds, if that has one pay."""
    deciding: str
    """What its player does now, for the others."""
    choices: list[ChoiceView]
    """All answers that these rules ever allow, also those that are not legal now, so that each keeps its place; none
    for the others."""
    mine: bool
    name: str
    revision: int

    default: str
    """The answer of a seat that gives none."""

    @property
    def legal(self) -> list[str]:
        return [choice.word for choice in self.choices if choice.is_legal]

    @property
    def for_less(self) -> ChoiceView | None:
        """The answer that may name an amount."""
        return next((choice for choice in self.choices if choice.cost > 0 and choice.takes_amount), None)


@dataclass(frozen=True, kw_only=True)
class HallTableView:
    """All that a page shows of a table."""

    id: str
    revision: int
    rules: TableRules
    shared: bool
    seats: int
    round: int
    """The number of the round that lies on the table; 0 before the first."""
    is_on: bool
    waits: str
    rows: list[RowView]
    """The cards that are nobody's own."""
    spots: list[SpotView]
    question: QuestionView | None
    seconds_left: int | None
    can_undo: bool
    can_rebet: bool
    can_double: bool
    at_risk: int
    """Chips of this player, laid out or wagered."""
    purse: int
    headline: str
    """Who won, where two sides play against each other: "Banker wins, 7 to 3"."""
    net: int | None
    """What the round was to this player; None while it is on, or was not theirs."""
    shoe_used: int | None
    """Hundredths of the shoe that are gone, up to the cut card; None where cards are shuffled after every round."""

    @property
    def has_hands(self) -> bool:
        """Whether seats have cards of their own."""
        return self.rules.game.declared.has_hands

    @property
    def has_questions(self) -> bool:
        """Whether players decide anything, so that there is advice and a strategy."""
        return bool(self.rules.game.declared.questions)

    @property
    def has_roads(self) -> bool:
        """Whether one of two sides wins a round, so that people keep a record of it."""
        return self.rules.game.declared.worth_of_side is not None

    @property
    def mine(self) -> list[SpotView]:
        return [spot for spot in self.spots if spot.mine]

    @property
    def laid(self) -> int:
        return sum(spot.laid for spot in self.mine)

    @property
    def left_in_purse(self) -> int:
        """Of the purse, what is not laid out."""
        return self.purse if self.is_on else self.purse - self.at_risk

    @property
    def am_ready(self) -> bool:
        """Whether all wagers that this player has laid out are made."""
        return (
            not self.is_on
            and any(spot.ready for spot in self.mine)
            and all(spot.ready or not spot.laid for spot in self.mine)
        )

    @property
    def is_over(self) -> bool:
        """Whether a round that is over still lies on the table."""
        return bool(self.round) and not self.is_on

    @property
    def has_company(self) -> bool:
        """Whether others at the table are asked for wagers too."""
        return any(spot.waited or spot.ready for spot in self.spots if not spot.mine)

    @property
    def is_gathering(self) -> bool:
        """Somebody is ready and waits for others to be."""
        return not self.is_on and any(spot.ready for spot in self.spots)

    @property
    def others_waited(self) -> list[str]:
        """Who else has to be ready before a deal, by name."""
        return list(dict.fromkeys(spot.name for spot in self.spots if spot.waited and not spot.mine))

    @property
    def am_waited(self) -> bool:
        """Whether the others wait for this player's wagers."""
        return self.is_gathering and any(spot.waited for spot in self.mine)
