"""What a card room has set up: tables, seats, sensors, jackpots, links, approval levels. A change is a new version.

Only what cannot be at all is an error here (a pay table that does not exist, rates above the whole wager). What can be
but may not be is for `floor.check`, which names the rule.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from datetime import datetime
from fractions import Fraction
from typing import Annotated, Literal

from msgspec import Meta, Struct, field

from croupier.errors import CroupierError, SpecError, unknown
from croupier.floor.amounts import RATE_STEPS, Micros
from croupier.floor.law import rows_of
from croupier.floor.roles import ApprovalLevels
from croupier.floor.sign_look import SignLook, look_problems
from croupier.money import MICROS_PER_CENT, dollars_for_people
from croupier.pay.tables import Decks, Id, PayTable, PayTableId, Row
from croupier.rules.choice import Choice, choose, switch_value
from croupier.rules.loader import find_jurisdiction
from croupier.rules.registry import find_game, game_ids, is_offered
from croupier.rules.spec import Game, Wager

MOST_SEATS = 7
MOST_SENSORS = 8
"""More than any law allows; how many may be is for `floor.check`."""
Protocol = Literal["nexus_command", "game_manager_2", "gm_atlas", "aquarius"]
Dealing = Literal["hand", "software"]
JackpotKind = Literal["progressive", "house"]
Text = Annotated[str, Meta(max_length=200)]
Signature = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_.-]*\Z", max_length=64)]
"""The id of somebody with a card, as `floor.people` knows them; empty for nobody."""


class Version(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which state of the configuration this is, and who answers for it."""

    number: Annotated[int, Meta(ge=1, description="Counts up by one with each change.")]
    effective_from: Annotated[
        datetime,
        Meta(
            description="From when it holds, with its time zone. At each table it begins with the first round "
            "started after that."
        ),
    ]
    made_by: Annotated[
        Signature,
        Meta(
            min_length=1,
            description="Who proposed it: a user's id, no name. A change is recorded with the owner of the card "
            "that was shown.",
        ),
    ]
    approved_by: Annotated[
        Signature, Meta(description="The second person, where money parameters changed; likewise.")
    ] = ""
    reason: Annotated[str, Meta(min_length=1, max_length=500, description="Why it was made.")]


class WagerSetup(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A wager on a table's layout. Those on sensors are not here: their jackpots say everything."""

    wager: Annotated[Id, Meta(description="The wager's id in the game file.")]
    pay_table: Annotated[PayTableId, Meta(description="Pay table it is offered with.")] = "1"
    least_micros: Annotated[Micros, Meta(description="The house's least wager.")] = field(
        name="least", default=Micros(MICROS_PER_CENT)
    )
    most_micros: Annotated[
        Micros | None, Meta(description="The house's greatest wager; None means the law's limit.")
    ] = field(name="most", default=None)
    aggregate_limit_micros: Annotated[
        Micros | None,
        Meta(
            description="The most paid on this wager to all players from a single deal; None where there is no "
            "such limit."
        ),
    ] = field(name="aggregate_limit", default=None)


class Sensor(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A jackpot sensor that every seat of the table has. It senses that a chip lies there, not its value."""

    number: Annotated[
        int, Meta(ge=1, le=MOST_SENSORS, description="Which of a seat's sensors it is, counted from the left.")
    ]
    jackpot: Annotated[Id, Meta(description="The one jackpot that is wagered on it.")]


class TableSetup(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One table."""

    id: Annotated[Id, Meta(description="Unique on the floor; the table's name in the ledger.")]
    name: Annotated[Text, Meta(description="Display name.")] = ""
    game: Annotated[Id, Meta(description="Game id.")]
    decks: Annotated[Decks, Meta(description="Decks in the shoe.")]
    shuffle: Annotated[
        Literal["fresh", "cut_card", "continuous"] | None,
        Meta(
            description="How cards are shuffled at a table that the software deals: every round, at the cut "
            "card, or by a continuous shuffler, into which the cards of every round go back. None "
            "for a cut card."
        ),
    ] = None
    seats: Annotated[int, Meta(ge=1, le=MOST_SEATS, description="Seats, each with all sensors of the table.")] = (
        MOST_SEATS
    )
    wagers: Annotated[
        tuple[WagerSetup, ...], Meta(min_length=1, description="The wagers offered, those on sensors apart.")
    ]
    sensors: Annotated[
        tuple[Sensor, ...],
        Meta(max_length=MOST_SENSORS, description="Jackpot sensors of each seat; each is a game of its own."),
    ] = ()
    protocol: Annotated[
        Protocol,
        Meta(
            description="The jackpot system whose steps the dealer follows: `aquarius` is the Game Manager with "
            "the Aquarius Controller, `nexus_command` the Nexus Command Game Manager, "
            "`game_manager_2` its successor, the Nexus Command Game Manager 2, and `gm_atlas` GM "
            "Atlas / Nexus Command II. The last three have the same steps."
        ),
    ] = "gm_atlas"
    dealing: Annotated[
        Dealing,
        Meta(
            description="Whether a dealer deals real cards and the software runs the jackpots only, or the "
            "software deals."
        ),
    ] = "hand"
    settings: Annotated[
        dict[Id, str],
        Meta(
            description="Switches of the game, `fixed_pays` apart, which the jackpot sets. What is left out is "
            "at its default when the floor is set up; the ledger keeps every value."
        ),
    ] = {}
    posted: Annotated[
        tuple[Id, ...], Meta(description="Notices that hang at the table; `required_notices` says which must.")
    ] = ()

    def wager(self, wanted: str) -> WagerSetup | None:
        return next((wager for wager in self.wagers if wager.wager == wanted), None)


class JackpotSetup(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A jackpot: one amount on display, and how it grows and pays."""

    id: Annotated[Id, Meta(description="Unique on the floor; the jackpot's name in the ledger.")]
    level: Annotated[
        Id, Meta(description="The meter's level in the ledger. The five letters know one level for each sensor.")
    ] = "main"
    name: Annotated[Text, Meta(description="Display name.")] = ""
    kind: Annotated[
        JackpotKind,
        Meta(
            description="A progressive grows with each wager and holds players' money; a house jackpot (the "
            "letters' bonus jackpot) is a fixed amount that the house pays."
        ),
    ]
    game: Annotated[Id, Meta(description="The game in whose file the wager stands.")]
    wager: Annotated[Id, Meta(description="The wager on the sensor.")]
    pay_table: Annotated[PayTableId, Meta(description="Its pay table, the same at every table of the jackpot.")]
    wager_micros: Annotated[Micros, Meta(description="What one sensor takes; pays scale with it.")] = field(
        name="wager_amount"
    )
    seed_micros: Annotated[
        Micros,
        Meta(description="Progressive: what the house puts up after a 100% award. House jackpot: the fixed prize."),
    ] = field(name="seed")
    contribution: Annotated[Fraction, Meta(description="Share of each wager by which the meter grows.")] = field(
        default_factory=Fraction
    )
    reserve: Annotated[Fraction, Meta(description="Share of each wager kept out of sight for the next seed.")] = field(
        default_factory=Fraction
    )
    cap_micros: Annotated[
        Micros | None,
        Meta(description="The most the meter shows; what comes above it goes to the overflow. None for no maximum."),
    ] = field(name="cap", default=None)
    fixed_pays: Annotated[Literal["tray", "meter"], Meta(description="Where fixed pays come from.")] = "tray"
    track_fixed_pays: Annotated[
        bool,
        Meta(
            description="Whether fixed pays from the tray are entered at the terminal too. Those off the meter "
            "always are."
        ),
    ] = False
    settings: Annotated[
        dict[Id, str],
        Meta(
            description="How the wager is read where the letter's figures contradict its text (`counts` and "
            "`naturals_count` of Dragon Bonus Progressive). A real floor says it; a demonstration "
            "follows the text."
        ),
    ] = {}
    confirmed: Annotated[
        Text,
        Meta(
            description="Where the regulator confirmed that reading: date and reference. A real floor needs it there."
        ),
    ] = ""
    odd_cents: Annotated[
        Literal["stay_in_meter"],
        Meta(
            description="What becomes of a split that does not divide: each share is floored to the cent, the "
            "rest stays in the meter."
        ),
    ] = "stay_in_meter"
    alarm_micros: Annotated[
        Micros | None,
        Meta(
            description="More than this, added to meter and reserve by one round of one table, is not believed: "
            "the round is refused and the table stopped until somebody looks. None takes what a "
            "table with seven seats can add."
        ),
    ] = field(name="unreasonable_contribution", default=None)

    def __hash__(self) -> int:
        """Settings have none."""
        return hash(self.id)

    @property
    def contribution_ppm(self) -> int:
        return int(self.contribution * RATE_STEPS)

    @property
    def reserve_ppm(self) -> int:
        return int(self.reserve * RATE_STEPS)


class Link(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Tables that play for one common amount."""

    id: Annotated[Id, Meta(description="Unique on the floor.")]
    jackpots: Annotated[
        tuple[Id, ...],
        Meta(
            min_length=1,
            description="The jackpots that are one amount; more than one only where different games share it.",
        ),
    ]
    tables: Annotated[tuple[Id, ...], Meta(min_length=2, description="Every table with a sensor of one of them.")]


class RuleSheet(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The approved rule sheet of a title whose game file was made from public descriptions."""

    game: Annotated[Id, Meta(description="The title's game id.")]
    approved: Annotated[
        Text,
        Meta(min_length=1, description="Which sheet it is: number and date of the approval, and where it is kept."),
    ]
    pay_tables: Annotated[
        dict[Id, PayTableId], Meta(description="The pay table of each wager that was compared with the sheet.")
    ]
    confirmed_by: Annotated[
        tuple[Signature, ...],
        Meta(description="Who compared them, two persons: those whose cards were shown when the sheet was recorded."),
    ] = ()

    def __hash__(self) -> int:
        """Pay tables have none."""
        return hash(self.game)


class Floor(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A card room as set up."""

    id: Annotated[Id, Meta(description="The room's id.")]
    name: Annotated[Text, Meta(description="Display name.")] = ""
    jurisdiction: Annotated[Id, Meta(description="Whose law holds.")] = "washington"
    establishment: Annotated[
        Literal["card_room", "tribal"],
        Meta(description="A Tribal casino's limits are those of its compact, not of the state's single-wager rule."),
    ] = "card_room"
    demo: Annotated[
        bool,
        Meta(description="A floor with play money, where awards may be approved without a card. Always shown as such."),
    ] = False
    version: Annotated[Version, Meta(description="Which state of the setup this is, and who signed it.")]
    approvals: Annotated[ApprovalLevels, Meta(description="Whose card an award needs.")]
    sign: Annotated[SignLook, Meta(description="How its jackpot signs look.")] = SignLook()
    tables: Annotated[tuple[TableSetup, ...], Meta(description="The tables of the room.")] = ()
    jackpots: Annotated[tuple[JackpotSetup, ...], Meta(description="The jackpots that sensors play for.")] = ()
    links: Annotated[
        tuple[Link, ...], Meta(description="Which tables share one amount; a jackpot at several tables needs one.")
    ] = ()
    rule_sheets: Annotated[
        tuple[RuleSheet, ...],
        Meta(
            description="The approved rule sheets of titles that are known from public descriptions alone; a real "
            "floor needs them."
        ),
    ] = ()

    def rule_sheet(self, game: str) -> RuleSheet | None:
        return next((sheet for sheet in self.rule_sheets if sheet.game == game), None)

    def table(self, wanted: str) -> TableSetup:
        for table in self.tables:
            if table.id == wanted:
                return table
        raise unknown("table", wanted, [table.id for table in self.tables])

    def jackpot(self, wanted: str) -> JackpotSetup:
        for jackpot in self.jackpots:
            if jackpot.id == wanted:
                return jackpot
        raise unknown("jackpot", wanted, [jackpot.id for jackpot in self.jackpots])

    def tables_of(self, jackpot_id: str) -> tuple[TableSetup, ...]:
        """The tables with a sensor of that jackpot."""
        return tuple(table for table in self.tables if jackpot_id in [sensor.jackpot for sensor in table.sensors])

    def jackpots_at(self, table: TableSetup) -> tuple[JackpotSetup, ...]:
        """The jackpots of a table, in the order of its sensors."""
        return tuple(self.jackpot(sensor.jackpot) for sensor in table.sensors)


def has_own_pay_table(game: Game, wager: str) -> bool:
    """Whether a pay table is chosen for a wager, and not for another by whose it is paid."""
    return bool(game.wager(wager).pay_tables) and game.paying(game.wager(wager)).id == wager


def pay_table_of(jackpot: JackpotSetup) -> PayTable:
    return find_game(jackpot.game).wager(jackpot.wager).pay_table(jackpot.pay_table)


def has_wager_of(game: Game, jackpot: JackpotSetup) -> bool:
    """Whether a game has the wager of a jackpot: its own, or the same one as another title, with the same pays."""
    if game.id == jackpot.game:
        return True
    wager = next((wager for wager in game.wagers if wager.id == jackpot.wager), None)
    theirs = find_game(jackpot.game).wager(jackpot.wager)
    if wager is None or (wager.kind, wager.classifier) != (theirs.kind, theirs.classifier):
        return False
    return theirs.pay_table(jackpot.pay_table) in wager.pay_tables


def jackpot_choice(jackpot: JackpotSetup, table: TableSetup | None = None) -> Choice:
    """The jackpot's wager as the odds know it, at a table's game, decks and switches or else at the letter's."""
    is_at_table = table is not None and has_wager_of(find_game(table.game), jackpot)
    game = find_game(table.game if table is not None and is_at_table else jackpot.game)
    settings = dict(jackpot.settings)
    if table is not None and is_at_table:
        settings |= table.settings
    if game.has_switch("fixed_pays"):
        settings["fixed_pays"] = jackpot.fixed_pays
    decks = str(table.decks) if table is not None and is_at_table else None
    return choose(game, jackpot.wager, pay_table=jackpot.pay_table, decks=decks, settings=settings)


def hand_label(jackpot: JackpotSetup, row: Row, table: TableSetup | None) -> str:
    """A hand of the pay table in the words of the table it is won at."""
    return jackpot_choice(jackpot, table).label(row)


def each_micros(jackpot: JackpotSetup, row: Row) -> int | None:
    """What a fixed pay is in money, beside the wager itself; None for a share of the meter."""
    return None if row.pays.is_share else int(row.pays.paid * jackpot.wager_micros)


def check_shape(floor: Floor) -> None:
    """Raises `SpecError` with the field, the reason and the accepted values on what cannot be."""
    for place, problem in _problems(floor):
        code = problem.code if isinstance(problem, CroupierError) else "bad_floor"
        raise SpecError(f"{problem} - at {place}", code=code)


Problems = Iterator[tuple[str, str | CroupierError]]


def _problems(floor: Floor) -> Problems:
    if find_jurisdiction(floor.jurisdiction) is None:
        yield "$.jurisdiction", f'There is no jurisdiction "{floor.jurisdiction}". Accepted: washington.'
    if floor.version.effective_from.tzinfo is None:
        yield "$.version.effective_from", "The time has no zone. Write it as 2025-03-01T06:00:00-08:00."
    for kind, ids in (
        ("tables", [table.id for table in floor.tables]),
        ("jackpots", [jackpot.id for jackpot in floor.jackpots]),
        ("links", [link.id for link in floor.links]),
    ):
        yield from _twice(f"$.{kind}", ids)
    for name, problem in look_problems(floor.sign):
        yield f"$.sign.{name}", problem
    for i, jackpot in enumerate(floor.jackpots):
        yield from _jackpot_problems(f"$.jackpots[{i}]", jackpot)
    for i, table in enumerate(floor.tables):
        yield from _table_problems(f"$.tables[{i}]", floor, table)
    for i, link in enumerate(floor.links):
        yield from _link_problems(f"$.links[{i}]", floor, link)
    yield from _unlinked(floor)


def _jackpot_problems(place: str, jackpot: JackpotSetup) -> Problems:
    wager = yield from _known_wager(place, jackpot.game, jackpot.wager, jackpot.pay_table)
    if wager is None:
        return
    if wager.kind != "progressive":
        accepted = [other.id for other in find_game(jackpot.game).wagers if other.kind == "progressive"]
        yield f"{place}.wager", unknown("jackpot wager", jackpot.wager, accepted, f" of {jackpot.game}")
    game, readings = find_game(jackpot.game), find_game(jackpot.game).reading_switches(jackpot.wager)
    for name, value in jackpot.settings.items():
        if name not in readings:
            yield f"{place}.settings.{name}", unknown("reading", name, readings, f" of {jackpot.wager}")
            continue
        try:
            switch_value(game.switch(name), value)
        except CroupierError as error:
            yield f"{place}.settings.{name}", error
    for name, rate in (("contribution", jackpot.contribution), ("reserve", jackpot.reserve)):
        if not 0 <= rate <= 1 or (rate * RATE_STEPS).denominator != 1:
            yield f"{place}.{name}", "A rate is 0% to 100%, with at most four decimals of a percent."
    if jackpot.contribution + jackpot.reserve > 1:
        yield (
            f"{place}.reserve",
            "Contribution and reserve together exceed the wager. Accepted: together 100% at most.",
        )
    if jackpot.wager_micros <= 0 or jackpot.wager_micros % MICROS_PER_CENT:
        yield f"{place}.wager_amount", "A wager is a whole number of cents, above zero."
    for name, amount_micros in (("seed", jackpot.seed_micros), ("cap", jackpot.cap_micros)):
        if amount_micros is not None and (amount_micros < 0 or amount_micros % MICROS_PER_CENT):
            yield f"{place}.{name}", "A posted amount is a whole number of cents, zero or more."


def _known_wager(
    place: str, game_id: str, wager_id: str, pay_table: str
) -> Generator[tuple[str, str | CroupierError], None, Wager | None]:
    """Yields what does not exist; returns the wager where all does."""
    if not is_offered(game_id):
        yield f"{place}.game", unknown("game", game_id, game_ids())
        return None
    game = find_game(game_id)
    try:
        wager = game.wager(wager_id)
    except CroupierError as error:
        yield f"{place}.wager", error
        return None
    try:
        wager.pay_table(pay_table)
    except CroupierError as error:
        yield f"{place}.pay_table", error
        return None
    return wager


def _table_problems(place: str, floor: Floor, table: TableSetup) -> Problems:
    # By the list and not by `find_game` alone, which would also look for a file of that name.
    if not is_offered(table.game):
        yield f"{place}.game", unknown("game", table.game, game_ids())
        return
    game = find_game(table.game)
    yield from _twice(f"{place}.wagers", [wager.wager for wager in table.wagers])
    yield from _twice(f"{place}.sensors", [str(sensor.number) for sensor in table.sensors])
    for i, wager in enumerate(table.wagers):
        yield from _table_wager_problems(f"{place}.wagers[{i}]", game, wager)
    yield from _other_pay_tables(place, game, table)
    if not any(game.wager(wager.wager).is_main for wager in table.wagers):
        mains = ", ".join(wager.id for wager in game.wagers if wager.is_main)
        yield f"{place}.wagers", f"A table offers a main wager. Accepted: {mains}."
    for i, sensor in enumerate(table.sensors):
        if sensor.jackpot not in [jackpot.id for jackpot in floor.jackpots]:
            known = [jackpot.id for jackpot in floor.jackpots]
            yield f"{place}.sensors[{i}].jackpot", unknown("jackpot", sensor.jackpot, known)
    if table.shuffle is not None and table.shuffle not in game.shuffles:
        yield f"{place}.shuffle", unknown("shuffle", table.shuffle, game.shuffles, f" of {game.id}")
    notices = list(dict.fromkeys(row.item for row in rows_of("notice")))
    for i, notice in enumerate(table.posted):
        if notice not in notices:
            yield f"{place}.posted[{i}]", unknown("notice", notice, notices)
    for name, value in table.settings.items():
        if name == "fixed_pays":
            yield f"{place}.settings.{name}", "Where fixed pays come from is set with the jackpot: fixed_pays."
        try:
            switch_value(game.switch(name), value)
        except CroupierError as error:
            yield f"{place}.settings.{name}", error


def _table_wager_problems(place: str, game: Game, setup: WagerSetup) -> Problems:
    wager = yield from _known_wager(place, game.id, setup.wager, setup.pay_table)
    if wager is None:
        return
    if wager.kind == "progressive":
        yield f"{place}.wager", f'"{wager.id}" is wagered on a sensor: set it up as a jackpot and name it in `sensors`.'
    if setup.least_micros <= 0 or setup.least_micros % MICROS_PER_CENT:
        yield f"{place}.least", "The least wager is a whole number of cents, above zero."
    if setup.most_micros is not None and setup.most_micros < setup.least_micros:
        least = dollars_for_people(setup.least_micros)
        yield f"{place}.most", f"The greatest wager is below the least one, {least}."


def _other_pay_tables(place: str, game: Game, table: TableSetup) -> Problems:
    """A wager that is paid by another's pay table has the one that this has at the table."""
    offered = {wager.wager: wager.pay_table for wager in table.wagers}
    for i, setup in enumerate(table.wagers):
        if not any(wager.id == setup.wager for wager in game.wagers):
            continue
        paying = game.paying(game.wager(setup.wager)).id
        if offered.get(paying, setup.pay_table) != setup.pay_table:
            sentence = f'"{setup.wager}" is paid by the pay table of "{paying}". Accepted: {offered[paying]}.'
            yield f"{place}.wagers[{i}].pay_table", sentence


def _link_problems(place: str, floor: Floor, link: Link) -> Problems:
    yield from _twice(f"{place}.jackpots", list(link.jackpots))
    yield from _twice(f"{place}.tables", list(link.tables))
    for kind, names, known in (
        ("jackpot", link.jackpots, [jackpot.id for jackpot in floor.jackpots]),
        ("table", link.tables, [table.id for table in floor.tables]),
    ):
        for i, name in enumerate(names):
            if name not in known:
                yield f"{place}.{kind}s[{i}]", unknown(kind, name, known)
                return
    for i, name in enumerate(link.tables):
        if not {sensor.jackpot for sensor in floor.table(name).sensors} & set(link.jackpots):
            listing = ", ".join(link.jackpots)
            yield f"{place}.tables[{i}]", f'The table "{name}" has no sensor of {listing}.'


def _unlinked(floor: Floor) -> Problems:
    """A jackpot at several tables is one amount, and a link says so; no jackpot is in two links."""
    for i, jackpot in enumerate(floor.jackpots):
        tables = {table.id for table in floor.tables_of(jackpot.id)}
        links = [link for link in floor.links if jackpot.id in link.jackpots]
        if len(links) > 1:
            yield f"$.jackpots[{i}]", f'"{jackpot.id}" is in more than one link. Accepted: one link.'
        elif len(tables) > 1 and not links:
            listing = ", ".join(sorted(tables))
            yield "$.links", f'"{jackpot.id}" is at the tables {listing}, so it needs a link that names them.'
        elif links and not tables <= set(links[0].tables):
            missing = ", ".join(sorted(tables - set(links[0].tables)))
            yield "$.links", f'The link "{links[0].id}" leaves out {missing}, where "{jackpot.id}" is played.'


def _twice(place: str, ids: list[str]) -> Problems:
    for index, name in enumerate(ids):
        if name in ids[:index]:
            yield f"{place}[{index}]", f'"{name}" is there twice. Accepted: each once.'
