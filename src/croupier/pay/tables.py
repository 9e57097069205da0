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
Decks = Annotated[int, Meta(ge=1, le=MOST_DECKS)]


class Row(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One row. The best matching row alone is paid."""

    row: Id
    """Id of the row."""
    label: str
    """The row in the letter's words, or close to them."""
    label_at_table: str = ""
    """The row as a table shows it, where a switch settles a word: "{switch}" stands for the value in force."""
    pays: Pay
    """The pay: "50 to 1", "5 for 1", "push", "10%"."""
    outcomes: tuple[str, ...] = ()
    """Outcomes of the classifier that this row pays; its own id when left out."""
    funded: Literal["tray", "meter"] = "tray"
    """Where a fixed pay comes from. A share of the meter always comes from the meter."""
    paid: Literal["each", "shared"] = "each"
    """Whether each winner is paid in full, or all participants at the table share the amount evenly."""
    min_decks: Decks = 1
    """The row is on the pay table only from this many decks on."""
    when: dict[str, str] = {}
    """The row is on the pay table only while these switches have these values."""

    @property
    def paid_outcomes(self) -> tuple[str, ...]:
        return self.outcomes or (self.row,)


class Product(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Rows made of a base pay and a multiplier, as Lucky Break has them; the outcome is "<base>_<times>"."""

    base: dict[str, Annotated[int, Meta(ge=0, le=1000)]]
    """Base pay to 1 of each base outcome."""
    times: dict[str, Annotated[int, Meta(ge=1, le=10000)]]
    """Multiplier of each refinement."""
    once: str
    """The refinement that pays the base once and no multiplier."""
    switch: str
    """Switch that says whether the multiplied amount "adds" to the base or "replaces" it."""
    labels: dict[str, str]
    """Display text of each key of `base` and `times`."""

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


class Jackpot(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a progressive pay table assumes about its meter."""

    seed: Annotated[int, Meta(ge=0, le=1_000_000_000)]
    """Dollars the house puts up after a 100% award, for a wager of `stake`."""
    contribution: Fraction
    """Share of each wager that the meter grows by, as "20%"."""
    reserve: Fraction = field(default_factory=Fraction)
    """Share of each wager kept for the next seed."""
    basis: Literal["letter", "inferred"]
    """Whether the letter prints these values or they were found by matching its figures."""
    note: str = ""
    """How inferred values were found."""


class PayTable(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A pay table as approved."""

    id: PayTableId
    """The letter's number, or its pays joined by dashes."""
    label: str = ""
    """Display name where the number alone says too little."""
    decks: tuple[Decks, ...] = ()
    """Deck counts the letter gives for this table; all of the game's when left out."""
    no_deck_count: bool = False
    """Whether the letter gives no deck count for this table, so that any count keeps to it."""
    stake: Annotated[int, Meta(ge=1, le=1000)] = 1
    """Dollars the rows and the jackpot are stated for."""
    scales_to: tuple[int, ...] = ()
    """Other wagers, in dollars, that the letter allows with all pays scaled."""
    classifier: str = ""
    """Classifier of this table where it is not the wager's."""
    settings: dict[str, str] = {}
    """Switch values this table is read with, where they are not the game's defaults."""
    rows: tuple[Row, ...] = ()
    """Rows, best first."""
    product: Product | None = None
    """Rows given as base and multiplier instead."""
    jackpot: Jackpot | None = None
    """Meter settings of a progressive."""

    def rows_in_force(self, switches: Mapping[str, str], decks: int | None) -> tuple[Row, ...]:
        """The rows as they stand on the layout under these switches and this many decks (None: endless shoe)."""
        rows = self.product.rows(switches[self.product.switch]) if self.product else self.rows
        return tuple(
            row
            for row in rows
            if (decks is None or decks >= row.min_decks)
            and all(switches.get(switch) == value for switch, value in row.when.items())
        )
