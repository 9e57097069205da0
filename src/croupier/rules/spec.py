"""What a game file may say. Every field is documented here; unknown fields are errors."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct, structs

from croupier.errors import unknown
from croupier.kernels.declaration import LEFT_OPEN, Round, RoundWager
from croupier.kernels.rounds import find_round, round_names
from croupier.pay.tables import Decks, Id, PayTable, PayTableId

Mark = Literal["S", "S-part", "letter", "memory"]
"""How sure a rule of the law is: its text was seen, only the beginning of the page was, a letter says it, or it is
general knowledge."""
Figure = Literal["edge", "hit_frequency", "top_odds", "top_average"]


class Source(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The letter a game comes from, or what a draft was made from."""

    kind: Literal["", "public"] = ""
    """"public" for a description that anybody can read, instead of what was approved."""
    not_at_hand: str = ""
    """Of a public description: what is missing, which is said beside it everywhere."""
    letter: str = ""
    """Our number of the letter, or "rack card", or "public description"; a draft has none."""
    title: str = ""
    """What the letter approves."""
    agency: str = ""
    """Who approved it."""
    date: date
    """Date of the letter; of a draft, of the letter that it leaves."""
    submission: str = ""
    """The agency's submission number, where there is one."""
    draft_of: str = ""
    """Of a draft, which nobody has approved: what it was made from. It then has no letter, title and agency."""
    departs: dict[str, str] = {}
    """Switches whose value here is not the one that the letter states, with the letter's."""

    @property
    def named(self) -> str:
        """In a few words: `letter 003`, `rack card` or `not approved`."""
        if self.draft_of:
            return "not approved"
        return f"letter {self.letter}" if self.is_letter else self.letter

    @property
    def is_letter(self) -> bool:
        """Whether it is an agency's letter, which has a number, and not a rack card or a draft."""
        return self.letter[:1].isdigit()

    @property
    def allower(self) -> str:
        """What says how the game may be dealt."""
        if self.draft_of:
            return "the game that it was made from"
        return "the description" if self.kind == "public" else "the letter"

    @property
    def as_it_is(self) -> str:
        """How the game is called where a draft is held against it."""
        return "as described" if self.kind == "public" else "as approved"

    @property
    def draft_text(self) -> str:
        """That it is a draft, or made from a public description, in words; empty for anything else."""
        if self.kind == "public":
            return f"from public descriptions: {self.not_at_hand}"
        return f"not approved: a draft made from {self.draft_of}" if self.draft_of else ""


class Switch(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A rule that can be had in more than one way."""

    id: Id
    """Name used with --set."""
    text: str
    """What it decides, in one sentence."""
    values: tuple[str, ...]
    """Accepted values."""
    default: str
    """The value our reading of the letter takes."""
    basis: Literal["letter", "reading", "house"]
    """Whether the letter says it, it is our reading of a doubt, or the letter leaves it to the house."""
    before: str = ""
    """The value by which the game went before it had this switch, where that is not the default: records that are
    older than the switch are read with it."""
    words: dict[str, str] = {}
    """How a row's label at a table says each value."""
    sets: dict[str, dict[str, str]] = {}
    """Rules of the round that a value fixes, by the names and values of the switches that would: a version of a game
    is one switch that sets several. A switch of the game itself goes before."""

    @property
    def is_yes_no(self) -> bool:
        return set(self.values) == {"yes", "no"}

    def at(self, value: str) -> Switch:
        """The switch with another default, which the letter then no longer states."""
        if value == self.default:
            return self
        return structs.replace(self, default=value, basis="house" if self.basis == "letter" else self.basis)


class Wager(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Something one can bet on."""

    id: Id
    """Name used on the command line."""
    name: str
    """Display name, with its mark where it is a trade name."""
    kind: Literal["main", "insurance", "asked", "side", "progressive"]
    """Progressive wagers have pay tables with a `jackpot`; "asked" ones and insurance are made in the round."""
    text: str
    """When it wins, in one or two sentences."""
    role: str = ""
    """The wager of the round that this is, where that has another id."""
    needs: tuple[Id, ...] = ()
    """Wagers of which a seat must make one to make this; for a progressive, if left out, all main ones."""
    needs_when: dict[str, str] = {}
    """Switches and values under which it needs them; always, if left out."""
    classifier: str = ""
    """The bet in `kernels/bets`, or the file beside this one, that decides it. Left out for wagers that need a playing
    strategy."""
    hand: Literal["", "player", "banker", "seat"] = ""
    """Baccarat: the hand the wager is on; "seat" when it follows the main wager of the seat."""
    takes_side: bool = False
    """Baccarat: whether a seat that makes it is on the side of `hand`, which wagers with the hand "seat" follow."""
    pay_tables: tuple[PayTable, ...] = ()
    """Approved pay tables, the default first."""
    take_bets: bool = False
    """Whether players may make this wager for the dealer, as a take bet."""
    pay_tables_of: str = ""
    """A wager earlier in the file whose pay tables this one has too."""
    source: Source | None = None
    """The letter or rack card it comes from, where that is not the game's."""

    def pay_table(self, table_id: str) -> PayTable:
        for table in self.pay_tables:
            if table.id == table_id:
                return table
        raise unknown("pay table", table_id, [table.id for table in self.pay_tables])

    @property
    def is_main(self) -> bool:
        """Whether a round is played for it, alone or among others."""
        return self.kind == "main"

    @property
    def round_wager(self) -> str:
        """The id by which the round would settle it."""
        return self.role or self.id

    @property
    def classifiers(self) -> set[str]:
        return {name for name in (self.classifier, *(table.classifier for table in self.pay_tables)) if name}


class Published(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A figure printed in the letter, to be recomputed."""

    wager: Id
    """Wager it speaks of."""
    pay_table: PayTableId
    """Pay table it stands under."""
    figure: Figure
    """Edge, hit frequency, odds against the top award (one in ...), or average top award."""
    printed: Annotated[str, Meta(pattern=r"^\$?\d[\d,]*(\.\d+)?%?$")]
    """The figure exactly as printed: "5.85%", "569,182", "$98,101"."""
    where: str
    """Table of the letter it stands in."""
    decks: Decks | None = None
    """Deck count it is printed for, or which reproduces it; None for the game's usual one."""
    decks_inferred: bool = False
    """Whether the letter prints no deck count for it and this one was found by matching its figures."""
    printed_for: dict[str, str] = {}
    """Switches that it is printed for, where they are not the usual ones."""
    under: dict[str, str] = {}
    """Switches under which it reproduces, where they are not those of the letter's text. Such a figure contradicts the
    text, and a real floor says which of the two the regulator has confirmed."""
    side: Literal["", "player", "banker"] = ""
    """Baccarat: the side it is printed for."""
    shuffle: Literal["fresh", "cut_card", "continuous"] = "fresh"
    """How the cards are shuffled between rounds, where the letter says it."""
    simulated_rounds: Annotated[int, Meta(ge=1000)] | None = None
    """Set where the figure looks simulated: the number of rounds that we take the simulation to have had."""
    finding: str = ""
    """Why the figure does not reproduce, in words. A figure that differs without a finding fails the check."""


class Recorded(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A long simulation whose result is kept: `croupier simulate` with the same words gives the same counts."""

    wager: Id
    """Wager it is of."""
    pay_table: PayTableId
    """Pay table it was played with."""
    decks: Decks
    """Decks in the shoe."""
    shuffle: Literal["cut_card", "continuous"]
    """How the cards were shuffled between rounds."""
    cut: Annotated[int, Meta(ge=0)]
    """Cards dealt before the cut card comes; cards in the chute."""
    seats: Annotated[int, Meta(ge=1, le=7)]
    """Seats that played."""
    seed: Annotated[int, Meta(ge=0)]
    """The run's seed."""
    chunks: Annotated[int, Meta(ge=1)]
    """Chunks that were played; with the seed they give the same counts on any machine."""
    rounds: Annotated[int, Meta(ge=1000)]
    """Rounds in these chunks."""
    edge: Annotated[str, Meta(pattern=r"^-?0\.\d+$")]
    """A fraction of one."""
    standard_error: Annotated[str, Meta(pattern=r"^0\.\d+$")]
    """Of the edge, likewise."""


class Reading(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A doubt the letter leaves, and how it is settled."""

    doubt: str
    """What the letter leaves open."""
    decision: str
    """How it is read here."""
    why: str
    """What settles it."""
    switch: str = ""
    """Switch that gives the other reading, where there is one."""


class Limit(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A limit of the law, in force for a time."""

    since: date
    """First day it is in force."""
    until: date | None = None
    """First day it is no longer in force."""
    dollars: Annotated[int, Meta(ge=1)]
    """The amount."""
    source: str
    """Where it was read."""
    address: str = ""
    """Its address."""
    mark: Mark
    """How much of the source was seen."""


class Jurisdiction(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the letters of one agency ask of every operator."""

    id: Id
    name: str
    agency: str
    card_room: tuple[str, ...]
    """Before a commercial card room offers a game."""
    tribal: tuple[str, ...]
    """Before a Tribal casino offers a game."""
    everywhere: tuple[str, ...]
    """At every table."""
    by_letter: tuple[str, ...] = ()
    """At tables of games whose rules came with a letter."""
    single_wager: tuple[Limit, ...] = ()
    """The most that a single wager, or a single double, may be."""

    def at_tables(self, source: Source) -> tuple[str, ...]:
        """What is asked at every table of a game from that source."""
        return (*(() if source.kind == "public" else self.by_letter), *self.everywhere)

    def single_wager_limit(self, day: date) -> Limit | None:
        """The limit in force on that day."""
        for limit in self.single_wager:
            if limit.since <= day and (limit.until is None or day < limit.until):
                return limit
        return None


class Game(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One approved game."""

    id: Id
    """Name used on the command line."""
    name: str
    """Display name."""
    family: str
    """Games of one family share switches (see `rules/data/families.toml`)."""
    round: str
    """The round of `kernels/rounds` that plays it."""
    version: str
    """Version of these rules, apart from the program's."""
    summary: str
    """The game in a sentence or two."""
    jurisdiction: Id
    """Whose law the letter leans on; see `rules/data`."""
    source: Source
    """The letter, or what a draft was made from."""
    decks: tuple[Decks, ...]
    """Deck counts the letter allows; where it gives none, those offered here."""
    no_deck_count: bool = False
    """Whether the letter gives no deck count for the game, so that any count keeps to it."""
    default_decks: Decks
    """Deck count used unless another is asked for."""
    shuffles: tuple[Literal["fresh", "cut_card", "continuous"], ...]
    """How the cards may be shuffled."""
    rules: tuple[str, ...]
    """The procedure, step by step, in our words."""
    conditions: tuple[str, ...]
    """What an operator of this game needs beyond what the jurisdiction asks of every game."""
    inherits: dict[str, str] = {}
    """Switches shared with the family (see `rules/data/families.toml`), with the value this game has them at."""
    fixed: dict[str, str] = {}
    """Rules of the round that are no choice here, by the names and values of the switches that would fill them."""
    letter_fixes: tuple[str, ...] = ()
    """Those of them whose value the letter states; elsewhere it is the house's choice."""
    switches: tuple[Switch, ...] = ()
    """Rules of its own that can be had in more than one way; the inherited ones join them when the file is read."""
    wagers: tuple[Wager, ...]
    """Everything one can bet on."""
    readings: tuple[Reading, ...] = ()
    """Doubts and decisions."""
    published: tuple[Published, ...] = ()
    """Figures printed in the letter."""
    recorded: tuple[Recorded, ...] = ()
    """Long simulations of what cannot be computed exactly."""
    history: tuple[str, ...] = ()
    """Changes of these rules, newest first."""

    @property
    def declared(self) -> Round:
        """What its round says about itself."""
        round = find_round(self.round)
        if round is None:
            raise unknown("round", self.round, round_names())
        return round

    def settled_by_round(self, wager: Wager) -> RoundWager | None:
        """The wager of the round that a wager is; None for one that a classifier decides."""
        return None if wager.classifiers else self.declared.wager(wager.round_wager)

    def wager_of_round(self, id: str) -> Wager | None:
        """The game's wager that is this one of the round."""
        return next((wager for wager in self.wagers if wager.round_wager == id and not wager.classifiers), None)

    @property
    def first_wager(self) -> Wager:
        """The wager that a round is played for: the one of the round's own, else the first of the file."""
        return self.wager_of_round(self.declared.first_wager) or self.wagers[0]

    @property
    def is_decided(self) -> bool:
        """Whether its round asks players anything, so that there is a strategy."""
        return bool(self.declared.questions)

    def is_first(self, wager: Wager) -> bool:
        """Whether the round is played for this wager: its worth depends on how hands are played."""
        return not wager.classifiers and wager.round_wager == self.declared.first_wager

    def is_asked(self, wager: Wager) -> bool:
        """Whether it is made during the round."""
        settled = self.settled_by_round(wager)
        return settled is not None and settled.is_asked

    def is_apart(self, wager: Wager) -> bool:
        """Whether it is made during the round and has odds of its own, however the hand is played."""
        settled = self.settled_by_round(wager)
        return settled is not None and settled.is_apart

    @property
    def proved_wagers(self) -> tuple[Wager, ...]:
        """The wagers that have odds of their own; one that an answer adds is part of the first wager's."""
        return tuple(
            wager for wager in self.wagers if wager.classifiers or self.is_first(wager) or self.is_apart(wager)
        )

    @property
    def has_endless_shoe(self) -> bool:
        """Whether odds can be had for cards without end, too."""
        return not self.is_of_sets and self.declared.exact != "tree"

    @property
    def is_of_sets(self) -> bool:
        """Whether it is dealt from one deck, of which sets of cards are looked at."""
        return any(scene.is_set for scene in self.declared.scenes)

    def rules_under(self, switches: Mapping[str, str], **more: int) -> Any:
        """The rules as the round reads them; `switches` has the switches in force, `more` is what a table fills in."""
        return self.declared.rules_by(self.filling(switches), **more)

    def filling(self, switches: Mapping[str, str]) -> dict[str, str]:
        """The switches that fill the round's rules: what is fixed, what other switches set, the game's own."""
        values = dict(self.fixed)
        for switch in self.switches:
            values |= switch.sets.get(switches.get(switch.id, switch.default), {})
        for name, value in switches.items():
            numbers = self.declared.numbers_of(name)
            if numbers is not None and numbers[value] != LEFT_OPEN:
                values[name] = value
        return values

    def wager(self, wager_id: str) -> Wager:
        for wager in self.wagers:
            if wager.id == wager_id:
                return wager
        raise unknown("wager", wager_id, [wager.id for wager in self.wagers])

    def source_of(self, wager: Wager) -> Source:
        """What a wager comes from: of a game that extends another, not all come from one letter."""
        return wager.source or self.source

    def switch(self, switch_id: str) -> Switch:
        for switch in self.switches:
            if switch.id == switch_id:
                return switch
        raise unknown("switch", switch_id, [switch.id for switch in self.switches])

    def has_switch(self, switch_id: str) -> bool:
        return any(switch.id == switch_id for switch in self.switches)

    def facts(self, wager: str, pay_table: str) -> Iterator[Published]:
        """The published figures of one pay table."""
        return (fact for fact in self.published if (fact.wager, fact.pay_table) == (wager, pay_table))

    def by_figures(self, wager: str, pay_table: str) -> dict[str, str]:
        """The switches by which a pay table's figures contradict its text, with the values of the figures."""
        return {name: value for fact in self.facts(wager, pay_table) for name, value in fact.under.items()}

    def reading_switches(self, wager: str) -> tuple[str, ...]:
        """The switches by which figures of a wager contradict its text, under whatever pay table."""
        named = {name for fact in self.published if fact.wager == wager for name in fact.under}
        return tuple(switch.id for switch in self.switches if switch.id in named)
