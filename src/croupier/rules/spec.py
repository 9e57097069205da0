"""What a game file may say. Every field is documented here; unknown fields are errors."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct, structs

from croupier.errors import unknown
from croupier.house_time import date_text
from croupier.kernels.declaration import LEFT_OPEN, Round, RoundWager
from croupier.kernels.effects import MOST_SEATS
from croupier.kernels.rounds import find_round, round_names
from croupier.pay.tables import Decks, Id, PayTable, PayTableId

Mark = Literal["S", "S-part", "letter", "memory"]
"""How sure a rule of the law is: its text was seen, only the beginning of the page was, a letter says it, or it is
general knowledge."""
Figure = Literal[
    "edge", "hit_frequency", "top_odds", "top_average", "element_of_risk", "mean_final_wager", "standard_deviation"
]
MARKS = dict.fromkeys(map(ord, "®™"))
OF_PLAY: tuple[Figure, ...] = ("element_of_risk", "mean_final_wager", "standard_deviation")
"""Figures of a main game that players decide."""


class Source(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The letter a game comes from, or what a draft was made from."""

    kind: Annotated[
        Literal["", "public"],
        Meta(description='"public" for a description that anybody can read, instead of what was approved.'),
    ] = ""
    not_at_hand: Annotated[
        str, Meta(description="Of a public description: what is missing, which is said beside it everywhere.")
    ] = ""
    letter: Annotated[
        str, Meta(description='Our number of the letter, or "rack card", or "public description"; a draft has none.')
    ] = ""
    title: Annotated[str, Meta(description="What the letter approves.")] = ""
    agency: Annotated[str, Meta(description="Who approved it.")] = ""
    date: Annotated[date, Meta(description="Date of the letter; of a draft, of the letter that it leaves.")]
    submission: Annotated[str, Meta(description="The agency's submission number, where there is one.")] = ""
    draft_of: Annotated[
        str,
        Meta(
            description="Of a draft, which nobody has approved: what it was made from. It then has no letter, "
            "title and agency."
        ),
    ] = ""
    departs: Annotated[
        dict[str, str],
        Meta(description="Switches whose value here is not the one that the letter states, with the letter's."),
    ] = {}

    @property
    def named(self) -> str:
        """In a few words: `letter 003`, `rack card` or `not approved`."""
        if self.draft_of:
            return "not approved"
        return f"letter {self.letter}" if self.is_letter else self.letter

    @property
    def dated(self) -> str:
        """The same with its day: `letter 003 of Feb 11, 2025`; of a draft, that it is one."""
        return self.draft_text or f"{self.named} of {date_text(self.date)}"

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
    """A house rule that may differ."""

    id: Annotated[Id, Meta(description="Name used with --set.")]
    text: Annotated[str, Meta(description="What it decides, in one sentence.")]
    values: Annotated[tuple[str, ...], Meta(description="Accepted values.")]
    default: Annotated[str, Meta(description="The value our reading of the letter takes.")]
    basis: Annotated[
        Literal["letter", "reading", "house"],
        Meta(
            description="Whether the letter says it, it is our reading of a doubt, or the letter leaves it to "
            "the house."
        ),
    ]
    before: Annotated[
        str,
        Meta(
            description="The value by which the game went before it had this switch, where that is not the "
            "default: records that are older than the switch are read with it."
        ),
    ] = ""
    words: Annotated[dict[str, str], Meta(description="How a row's label at a table says each value.")] = {}
    sets: Annotated[
        dict[str, dict[str, str]],
        Meta(
            description="Rules of the round that a value fixes, by the names and values of the switches that "
            "would: a version of a game is one switch that sets several. A switch of the game itself "
            "goes before."
        ),
    ] = {}

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

    id: Annotated[Id, Meta(description="Name used on the command line.")]
    name: Annotated[str, Meta(description="Display name, with its mark where it is a trade name.")]
    kind: Annotated[
        Literal["main", "insurance", "asked", "side", "progressive"],
        Meta(
            description='Progressive wagers have pay tables with a `jackpot`; "asked" ones and insurance are '
            "made by the round."
        ),
    ]
    text: Annotated[str, Meta(description="When it wins, in one or two sentences.")]
    role: Annotated[str, Meta(description="The wager of the round that this is, where that has another id.")] = ""
    needs: Annotated[
        tuple[Id, ...],
        Meta(
            description="Wagers of which a seat must make one to make this; for a progressive, if left out, all "
            "main ones."
        ),
    ] = ()
    needs_when: Annotated[
        dict[str, str], Meta(description="Switches and values under which it needs them; always, if left out.")
    ] = {}
    classifier: Annotated[
        str,
        Meta(
            description="The bet in `kernels/bets`, or the file beside this one, that decides it. Left out for "
            "wagers that need a playing strategy."
        ),
    ] = ""
    hand: Annotated[
        Literal["", "player", "banker", "seat"],
        Meta(description='Baccarat: the hand the wager is on; "seat" when it follows the main wager of the seat.'),
    ] = ""
    takes_side: Annotated[
        bool,
        Meta(
            description="Baccarat: whether a seat that makes it is on the side of `hand`, which wagers with the "
            'hand "seat" follow.'
        ),
    ] = False
    pay_tables: Annotated[tuple[PayTable, ...], Meta(description="Approved pay tables, the default first.")] = ()
    take_bets: Annotated[
        bool, Meta(description="Whether players may make this wager for the dealer, as a take bet.")
    ] = False
    pay_tables_of: Annotated[
        str, Meta(description="A wager earlier in the file whose pay tables this one has too.")
    ] = ""
    source: Annotated[
        Source | None, Meta(description="The letter or rack card it comes from, where that is not the game's.")
    ] = None

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

    wager: Annotated[Id, Meta(description="Wager it speaks of.")]
    pay_table: Annotated[PayTableId, Meta(description="Pay table it stands under.")]
    figure: Annotated[
        Figure,
        Meta(
            description="Edge, hit frequency, odds against the top award (one in ...), average top award; of a main "
            "game that is played also element of risk, mean final wager and standard deviation, both in first wagers."
        ),
    ]
    printed: Annotated[
        str,
        Meta(
            pattern=r"^\$?\d[\d,]*(\.\d+)?%?$",
            description='The figure exactly as printed: "5.85%", "569,182", "$98,101".',
        ),
    ]
    where: Annotated[str, Meta(description="Table of the letter it stands in.")]
    decks: Annotated[
        Decks | None,
        Meta(description="Deck count it is printed for, or which reproduces it; None for the game's usual one."),
    ] = None
    decks_inferred: Annotated[
        bool,
        Meta(
            description="Whether the letter prints no deck count for it and this one was found by matching its figures."
        ),
    ] = False
    printed_for: Annotated[
        dict[str, str], Meta(description="Switches that it is printed for, where they are not the usual ones.")
    ] = {}
    under: Annotated[
        dict[str, str],
        Meta(
            description="Switches under which it reproduces, where they are not those of the letter's text. Such "
            "a figure contradicts the text, and a real floor says which of the two the regulator has "
            "confirmed."
        ),
    ] = {}
    side: Annotated[Literal["", "player", "banker"], Meta(description="Baccarat: the side it is printed for.")] = ""
    up_card: Annotated[
        Literal["", "A", "2", "3", "4", "5", "6", "7", "8", "9", "10"],
        Meta(
            description="Of a wager on the dealer's hand that is made once the up card is seen: the one that the "
            "figure is printed for, where it is not all of them."
        ),
    ] = ""
    rule: Annotated[
        str,
        Meta(description="Rule of thumb of the round that it is printed for, by id; without one, best play."),
    ] = ""
    shuffle: Annotated[
        Literal["fresh", "cut_card", "continuous"],
        Meta(description="How the cards are shuffled between rounds, where the letter says it."),
    ] = "fresh"
    simulated_rounds: Annotated[
        Annotated[int, Meta(ge=1000)] | None,
        Meta(
            description="Set where the figure looks simulated: the number of rounds that we take the simulation "
            "to have had."
        ),
    ] = None
    finding: Annotated[
        str,
        Meta(
            description="Why the figure does not reproduce, in words. A figure that differs without a finding "
            "fails the check."
        ),
    ] = ""


class Recorded(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A long simulation whose result is kept: `croupier simulate` with the same words gives the same counts."""

    wager: Annotated[Id, Meta(description="Wager it is of.")]
    pay_table: Annotated[PayTableId, Meta(description="Pay table it was played with.")]
    decks: Annotated[Decks, Meta(description="Decks in the shoe.")]
    shuffle: Annotated[
        Literal["cut_card", "continuous"], Meta(description="How the cards were shuffled between rounds.")
    ]
    cut: Annotated[int, Meta(ge=0, description="Cards dealt before the cut card comes; cards in the chute.")]
    seats: Annotated[int, Meta(ge=1, le=7, description="Seats that played.")]
    seed: Annotated[int, Meta(ge=0, description="The run's seed.")]
    chunks: Annotated[
        int, Meta(ge=1, description="Chunks that were played; with the seed they give the same counts on any machine.")
    ]
    rounds: Annotated[int, Meta(ge=1000, description="Rounds in these chunks.")]
    edge: Annotated[str, Meta(pattern=r"^-?0\.\d+$", description="A fraction of one.")]
    standard_error: Annotated[str, Meta(pattern=r"^0\.\d+$", description="Of the edge, likewise.")]


class Reading(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A doubt the letter leaves, and how it is settled."""

    doubt: Annotated[str, Meta(description="What the letter leaves open.")]
    decision: Annotated[str, Meta(description="How it is read here.")]
    why: Annotated[str, Meta(description="What settles it.")]
    switch: Annotated[str, Meta(description="Switch that gives the other reading, where there is one.")] = ""


class Limit(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A limit of the law, in force for a time."""

    since: Annotated[date, Meta(description="First day it is in force.")]
    until: Annotated[date | None, Meta(description="First day it is no longer in force.")] = None
    dollars: Annotated[int, Meta(ge=1, description="The amount.")]
    source: Annotated[str, Meta(description="Where it was read.")]
    address: Annotated[str, Meta(description="Its address.")] = ""
    mark: Annotated[Mark, Meta(description="How much of the source was seen.")]


class Jurisdiction(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the letters of one agency ask of every operator."""

    id: Id
    name: str
    agency: str
    card_room: Annotated[tuple[str, ...], Meta(description="Before a commercial card room offers a game.")]
    tribal: Annotated[tuple[str, ...], Meta(description="Before a Tribal casino offers a game.")]
    everywhere: Annotated[tuple[str, ...], Meta(description="At every table.")]
    by_letter: Annotated[tuple[str, ...], Meta(description="At tables of games whose rules came with a letter.")] = ()
    single_wager: Annotated[
        tuple[Limit, ...], Meta(description="The most that a single wager, or a single double, may be.")
    ] = ()

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

    id: Annotated[Id, Meta(description="Name used on the command line.")]
    name: Annotated[str, Meta(description="Display name.")]
    short: Annotated[
        str, Meta(description="The name as players say it, where that is shorter and law is not the subject.")
    ] = ""
    family: Annotated[str, Meta(description="Games of one family share switches (see `rules/data/families.toml`).")]
    round: Annotated[str, Meta(description="The round of `kernels/rounds` that plays it.")]
    version: Annotated[str, Meta(description="Version of these rules, apart from the program's.")]
    summary: Annotated[str, Meta(description="The game in a sentence or two.")]
    jurisdiction: Annotated[Id, Meta(description="Whose law the letter leans on; see `rules/data`.")]
    source: Annotated[Source, Meta(description="The letter, or what a draft was made from.")]
    decks: Annotated[
        tuple[Decks, ...], Meta(description="Deck counts the letter allows; where it gives none, those offered here.")
    ]
    no_deck_count: Annotated[
        bool, Meta(description="Whether the letter gives no deck count for the game, so that any count keeps to it.")
    ] = False
    default_decks: Annotated[Decks, Meta(description="Deck count used unless another is asked for.")]
    shuffles: Annotated[
        tuple[Literal["fresh", "cut_card", "continuous"], ...], Meta(description="How the cards may be shuffled.")
    ]
    rules: Annotated[tuple[str, ...], Meta(description="The procedure, step by step, in our words.")]
    conditions: Annotated[
        tuple[str, ...],
        Meta(description="What an operator of this game needs beyond what the jurisdiction asks of every game."),
    ]
    inherits: Annotated[
        dict[str, str],
        Meta(
            description="Switches shared with the family (see `rules/data/families.toml`), with the value this "
            "game has them at."
        ),
    ] = {}
    fixed: Annotated[
        dict[str, str],
        Meta(
            description="Rules of the round that are no choice here, by the names and values of the switches "
            "that would fill them."
        ),
    ] = {}
    letter_fixes: Annotated[
        tuple[str, ...],
        Meta(description="Those of them whose value the letter states; elsewhere it is the house's choice."),
    ] = ()
    switches: Annotated[
        tuple[Switch, ...],
        Meta(description="House rules of its own that may differ; the inherited ones join them when the file is read."),
    ] = ()
    wagers: Annotated[tuple[Wager, ...], Meta(description="Everything one can bet on.")]
    readings: Annotated[tuple[Reading, ...], Meta(description="Doubts and decisions.")] = ()
    published: Annotated[tuple[Published, ...], Meta(description="Figures printed in the letter.")] = ()
    recorded: Annotated[
        tuple[Recorded, ...], Meta(description="Long simulations of what cannot be computed exactly.")
    ] = ()
    history: Annotated[tuple[str, ...], Meta(description="Changes of these rules, newest first.")] = ()

    @property
    def short_name(self) -> str:
        """What players call it, without marks of trade names."""
        return self.short or self.name.translate(MARKS)

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

    def paying(self, wager: Wager) -> Wager:
        """The wager whose pay table pays a wager: itself, or another of the round's."""
        settled = self.settled_by_round(wager)
        return (self.wager_of_round(settled.paid_by) if settled is not None else None) or wager

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
        """Whether it is made during the round, or with another wager, and never by itself before the first card."""
        settled = self.settled_by_round(wager)
        return settled is not None and not settled.is_placed

    def is_apart(self, wager: Wager) -> bool:
        """Whether it is made during the round and has odds of its own, however the hand is played."""
        settled = self.settled_by_round(wager)
        return settled is not None and settled.is_apart

    def is_beside(self, wager: Wager) -> bool:
        """Whether it is made beside the first wager and settled by the round, which lets what it wins be moved."""
        settled = self.settled_by_round(wager)
        return settled is not None and bool(settled.decided_by)

    @property
    def proved_wagers(self) -> tuple[Wager, ...]:
        """The wagers that have odds of their own; one that an answer adds is part of the first wager's."""
        return tuple(
            wager
            for wager in self.wagers
            if wager.classifiers or self.is_first(wager) or self.is_apart(wager) or self.is_beside(wager)
        )

    @property
    def has_endless_shoe(self) -> bool:
        """Whether odds can be had for cards without end, too."""
        return not self.is_of_sets and self.declared.exact not in ("tree", "showdown")

    @property
    def is_of_sets(self) -> bool:
        """Whether it is dealt from one deck, of which sets of cards are looked at."""
        return any(scene.is_set for scene in self.declared.scenes)

    @property
    def most_seats(self) -> int:
        """Seats that one round can have: where sets come from one deck, no more than that is enough for."""
        enough = self.declared.hands_per_deck
        return min(MOST_SEATS, enough) if self.is_of_sets and enough else MOST_SEATS

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
