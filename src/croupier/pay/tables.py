"""Pay tables: ordered rows, each naming the outcomes it pays. They are read straight from the game files."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Annotated, Literal

from msgspec import Meta, Struct, field

from croupier.cards import MOST_DECKS
from croupier.pay.words import Pay

Id = Annotated[str, Meta(pattern=r"^[a-z0-9_.-]+$", max_length=60)]
PayTableId = Annotated[str, Meta(pattern=r"^[a-z0-9_.:%-]+$", max_length=60)]
"""Also pays one after the other, as people call such tables: `500-50-10-3-3:2-1`, `100%-10%-500-100-50`."""
HandsDealt = Annotated[str, Meta(pattern=r"^([3-9]|1[0-9])$")]
"""From how many hands on, the dealer's among them; `pays` is what fewer pay."""
Decks = Annotated[int, Meta(ge=1, le=MOST_DECKS)]


COVER_ALL = "Cover All"


class Row(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One row. The best matching row alone is paid."""

    row: Annotated[Id, Meta(description="Id of the row.")]
    label: Annotated[str, Meta(description="The row in the letter's words, or close to them.")]
    label_at_table: Annotated[
        str,
        Meta(
            description='The row as a table shows it, where a switch settles a word: "{switch}" stands for the '
            "value in force."
        ),
    ] = ""
    pays: Annotated[Pay, Meta(description='The pay: "50 to 1", "5 for 1", "push", "10%".')]
    outcomes: Annotated[
        tuple[str, ...], Meta(description="Outcomes of the classifier that this row pays; its own id when left out.")
    ] = ()
    funded: Annotated[
        Literal["tray", "meter"],
        Meta(description="Where a fixed pay comes from. A share of the meter always comes from the meter."),
    ] = "tray"
    paid: Annotated[
        Literal["each", "shared"],
        Meta(
            description="Whether each winner is paid in full, or all participants at the table share the amount evenly."
        ),
    ] = "each"
    min_decks: Annotated[Decks, Meta(description="The row is on the pay table only from this many decks on.")] = 1
    envy: Annotated[
        int,
        Meta(
            ge=0,
            le=1_000_000,
            description="Dollars that every other participant gets for such a hand of another player, one for each "
            "hand. A wager takes part from the pay table's `stake` on.",
        ),
    ] = 0
    by_hands: Annotated[
        dict[HandsDealt, Pay],
        Meta(description="Of a table with `cover_all`: the pay from so many hands dealt on, where that is another."),
    ] = {}
    when: Annotated[
        dict[str, str], Meta(description="The row is on the pay table only while these switches have these values.")
    ] = {}

    @property
    def paid_outcomes(self) -> tuple[str, ...]:
        return self.outcomes or (self.row,)

    @property
    def more_pays(self) -> str:
        """What it pays among more hands, in words behind its pay; empty where that is the same."""
        return "".join(f", from {hands} hands on {pay.text}" for hands, pay in self.by_hands.items())

    def pays_among(self, hands: int) -> Pay:
        """What it pays where so many hands have been dealt."""
        reached = [number for number in self.by_hands if int(number) <= hands]
        return self.by_hands[max(reached, key=int)] if reached else self.pays


class Product(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Rows made of a base pay and a multiplier, as Lucky Break has them; the outcome is "<base>_<times>"."""

    base: Annotated[
        dict[str, Annotated[int, Meta(ge=0, le=1000)]], Meta(description="Base pay to 1 of each base outcome.")
    ]
    times: Annotated[
        dict[str, Annotated[int, Meta(ge=1, le=10000)]], Meta(description="Multiplier of each refinement.")
    ]
    once: Annotated[str, Meta(description="The refinement that pays the base once and no multiplier.")]
    switch: Annotated[
        str, Meta(description='Switch that says whether the multiplied amount "adds" to the base or "replaces" it.')
    ]
    labels: Annotated[dict[str, str], Meta(description="Display text of each key of `base` and `times`.")]

    def rows(self, how: str) -> tuple[Row, ...]:
        """The rows, under the switch's value `how`."""
        rows = []
        for base_id, base in self.base.items():
            for times_id, times in self.times.items():
                extra = 0 if times_id == self.once else base * times
                amount = base + extra if how == "adds" or times_id == self.once else extra
                label = f"{self.labels[base_id]}, {self.labels[times_id]}"
                rows.append(Row(row=f"{base_id}_{times_id}", label=label, pays=Pay("to", amount)))
        return tuple(rows)


class JackpotTerms(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a progressive pay table assumes about its meter."""

    seed: Annotated[
        int,
        Meta(
            ge=0, le=1_000_000_000, description="Dollars the house puts up after a 100% award, for a wager of `stake`."
        ),
    ]
    contribution: Annotated[Fraction, Meta(description='Share of each wager that the meter grows by, as "20%".')]
    reserve: Annotated[Fraction, Meta(description="Share of each wager kept for the next seed.")] = field(
        default_factory=Fraction
    )
    basis: Annotated[
        Literal["letter", "inferred", "house"],
        Meta(
            description="Whether the letter prints these values, they were found by matching its figures, or nobody "
            "has published any and they only stand in for those that the house will set."
        ),
    ]
    note: Annotated[
        str, Meta(description="How inferred values were found, or what is known of those that stand in.")
    ] = ""

    @property
    def unprinted(self) -> str:
        """Where values that nobody prints come from, in words; empty for those of the letter."""
        if self.basis == "inferred":
            return f"meter settings that the letter does not print are inferred: {self.note}"
        return f"the house sets seed and contribution, these stand in: {self.note}" if self.basis == "house" else ""


class PayTable(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A pay table as approved."""

    id: Annotated[PayTableId, Meta(description="The letter's number, or its pays joined by dashes.")]
    label: Annotated[str, Meta(description="Display name where the number alone says too little.")] = ""
    decks: Annotated[
        tuple[Decks, ...],
        Meta(description="Deck counts the letter gives for this table; all of the game's when left out."),
    ] = ()
    no_deck_count: Annotated[
        bool, Meta(description="Whether the letter gives no deck count for this table, so that any count keeps to it.")
    ] = False
    stake: Annotated[int, Meta(ge=1, le=1000, description="Dollars the rows and the jackpot are stated for.")] = 1
    scales_to: Annotated[
        tuple[int, ...], Meta(description="Other wagers, in dollars, that the letter allows with all pays scaled.")
    ] = ()
    classifier: Annotated[str, Meta(description="Classifier of this table where it is not the wager's.")] = ""
    settings: Annotated[
        dict[str, str],
        Meta(description="Switch values this table is read with, where they are not the game's defaults."),
    ] = {}
    rows: Annotated[tuple[Row, ...], Meta(description="Rows, best first.")] = ()
    product: Annotated[Product | None, Meta(description="Rows given as base and multiplier instead.")] = None
    cover_all: Annotated[
        bool,
        Meta(
            description="Whether the best hand on the table decides: the bettor's, that of another seat or the "
            "dealer's. Rows may pay by the number of hands dealt, the dealer's among them (`by_hands`)."
        ),
    ] = False
    jackpot: Annotated[JackpotTerms | None, Meta(description="Meter settings of a progressive.")] = None

    @property
    def has_envy(self) -> bool:
        """Whether it pays for hands of other players."""
        return any(row.envy for row in self.rows)

    @property
    def pays_for_others(self) -> str:
        """How hands of others at the table are paid for, in a word; empty where they are not."""
        return COVER_ALL if self.cover_all else "envy" if self.has_envy else ""

    def rows_in_force(self, switches: Mapping[str, str], decks: int | None) -> tuple[Row, ...]:
        """The rows as they stand on the layout under these switches and this many decks (None: infinitely many)."""
        rows = self.product.rows(switches[self.product.switch]) if self.product else self.rows
        return tuple(
            row
            for row in rows
            if (decks is None or decks >= row.min_decks)
            and all(switches.get(switch) == value for switch, value in row.when.items())
        )
