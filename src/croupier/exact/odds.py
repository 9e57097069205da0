"""The model of an odds sheet: one wager, one choice of rules, every figure exact."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import TYPE_CHECKING

from croupier.errors import NotationError, NotComputedError, RangeError
from croupier.exact.after_fold import distribution_after_folds, is_played_out, note_of_fold
from croupier.exact.apart import apart_distribution, apart_text, outcomes_of_apart
from croupier.exact.jackpot import JackpotOdds, MeterSettings, jackpot_odds
from croupier.exact.outcomes import Distribution, exact_distribution
from croupier.exact.shoe import Shoe
from croupier.kernels.bets import LOSE, Bet
from croupier.money import MICROS_PER_CENT, MICROS_PER_DOLLAR, parse_dollars
from croupier.pay import Row, parse_rate
from croupier.rules.choice import Choice

if TYPE_CHECKING:
    from croupier.exact.capped import CappedRow

FIXED_PAYS = "fixed_pays"
RATES = ("contribution", "reserve")


@dataclass(frozen=True, kw_only=True)
class OddsRow:
    """A row of the sheet; `row` is None for the losing row."""

    row: Row | None
    label: str
    """With the words that the switches settle: which suit is named, whether a natural counts."""
    combinations: int
    probability: Fraction
    net: Fraction
    """Profit for each unit wagered; a share of the meter is valued at the meter the sheet is made for."""

    @property
    def id(self) -> str:
        return self.row.row if self.row else "lose"

    @property
    def pays(self) -> str:
        return self.row.pays.text if self.row else "lose"

    @property
    def returned(self) -> Fraction:
        """Contribution to the expected profit; the column adds up to minus the edge at that meter."""
        return self.probability * self.net


@dataclass(frozen=True, kw_only=True)
class OddsSheet:
    """Exact odds of one wager."""

    choice: Choice
    rows: tuple[OddsRow, ...]
    denominator: int
    edge: Fraction
    """Expected loss for each unit wagered; of a progressive, over the life of the jackpot."""
    hit_frequency: Fraction
    standard_deviation: float
    """Of the profit for each unit wagered; of a progressive, at the meter given, else at the average top award,
    else empty where it runs dry."""
    method: str
    notes: tuple[str, ...]
    meter: MeterSettings | None = None
    jackpot: JackpotOdds | None = None
    valued_at: Fraction | None = None
    """Meter, in dollars, at which shares of it are valued in `rows` and `standard_deviation`."""


@dataclass(frozen=True, kw_only=True)
class MeterWish:
    """Meter settings a user asks for; None takes the pay table's. Amounts in micros for the table's own stake."""

    seed: int | None = None
    contribution: Fraction | None = None
    reserve: Fraction | None = None
    now: int | None = None

    @property
    def says_anything(self) -> bool:
        return any(value is not None for value in (self.seed, self.contribution, self.reserve, self.now))


def parse_meter_wish(texts: Mapping[str, str | None]) -> MeterWish:
    """Settings as typed, by the names `seed`, `contribution`, `reserve` and `meter`."""
    rates = {name: parse_rate(text) if (text := texts[name]) is not None else None for name in RATES}
    return MeterWish(seed=_whole_cents(texts["seed"]), now=_whole_cents(texts["meter"]), **rates)


def _whole_cents(text: str | None) -> int | None:
    if text is None:
        return None
    amount = parse_dollars(text)
    if amount % MICROS_PER_CENT:
        raise NotationError(f'"{text}" is not a whole number of cents.', code="bad_amount")
    return amount


def bet_of(choice: Choice) -> Bet:
    """The classifier that decides the wager, or an error that says why there is none."""
    if choice.bet is None:
        raise NotComputedError(
            f'The odds of "{choice.wager.id}" of {choice.game.id} depend on how it is played: '
            f'they are in those of "{choice.game.first_wager.id}". Ask for that wager.'
        )
    return choice.bet


def outcomes_of(choice: Choice) -> tuple[str, ...]:
    """How the wager can win, by the numbers of its distribution."""
    return outcomes_of_apart(choice) if choice.game.is_apart(choice.wager) else bet_of(choice).outcomes


def distribution(choice: Choice) -> Distribution:
    """Exact outcomes of the wager under this choice."""
    if choice.game.is_apart(choice.wager):
        return apart_distribution(choice)
    bet = bet_of(choice)
    if choice.pay_table.cover_all:
        from croupier.exact.cover import best_of_two  # which other wagers do not need

        return best_of_two(choice)
    after_folds = distribution_after_folds(choice)
    if after_folds is not None:
        return after_folds
    if bet.scene.follows_play:
        from croupier.exact.played_bets import played_distribution  # with a solver behind it, which others do not need

        return played_distribution(choice)
    return exact_distribution(
        bet,
        choice.bet_name,
        Shoe(choice.decks),
        options=bet.pack(choice.switches),
        value=choice.switches[bet.scene.switch] if bet.scene.switch else "",
        side=choice.side or "player",
    )


def _capped_rows(choice: Choice) -> Mapping[str, CappedRow]:
    """What rows come to whose winnings may be moved onto the first wager; empty for other wagers."""
    if not choice.game.is_beside(choice.wager):
        return {}
    from croupier.exact.capped import capped_rows  # with a solver behind it, which others do not need

    return capped_rows(choice)


def _note_of_capping(rows: Sequence[OddsRow], capped: Mapping[str, CappedRow]) -> str:
    alone = -sum((row.probability * _net(row.row, Fraction(0)) for row in rows), Fraction(0))
    moved = sum(row.probability * Fraction(capped[row.id].moved) for row in rows if row.row)
    return (
        "returns and edge count what best play moves onto the main wager, "
        f"{float(100 * moved):.2f}% of the times; without moving anything the edge is {float(100 * alone):.4f}%"
    )


def _not_offered(choice: Choice) -> list[str]:
    """A note if the round never comes to any outcome of the wager under these rules."""
    settled = choice.game.settled_by_round(choice.wager)
    if settled is None or not set(settled.outcomes) <= settled.only_under.keys():
        return []
    rules = choice.game.rules_under(choice.switches)
    fields = {settled.only_under[outcome] for outcome in settled.outcomes}
    if any(getattr(rules, field) for field in fields):
        return []
    names = [choice.game.declared.filled[field].switch for field in sorted(fields)]
    switches = ", ".join(f"{name} = {choice.game.filling(choice.switches)[name]}" for name in names)
    return [f"{choice.wager.name} is not offered under these rules: {switches}"]


def compute_odds(choice: Choice, wish: MeterWish | None = None) -> OddsSheet:
    """The odds sheet of a wager."""
    wish = wish or MeterWish()
    if wish.says_anything and choice.pay_table.jackpot is None:
        raise RangeError(
            f'"{choice.wager.id}" is not a progressive: it has no seed, contribution, reserve or meter.',
            code="not_progressive",
        )
    outcomes = distribution(choice)
    combinations = ways_by_row(choice.rows, outcomes_of(choice), outcomes)
    with_chances = [(row, Fraction(ways, outcomes.denominator)) for row, ways in combinations[:-1] if row]
    notes = list(choice.notes)
    notes += _not_offered(choice)
    notes += filter(None, [note_of_fold(choice)])
    meter = jackpot = None
    if choice.pay_table.jackpot is not None:
        meter = _meter(choice, wish)
        jackpot = jackpot_odds(with_chances, meter, fixed_from=choice.switches.get(FIXED_PAYS, ""))
        notes += _meter_notes(choice, meter, jackpot, with_chances)
    at_meter = _meter_value(meter, jackpot)
    capped = _capped_rows(choice)
    rows = tuple(
        OddsRow(
            row=row,
            label=choice.label(row) if row else "Everything else",
            combinations=ways,
            probability=Fraction(ways, outcomes.denominator),
            net=Fraction(capped[row.row].profit) if row and capped else _net(row, at_meter),
        )
        for row, ways in combinations
    )
    mean = sum((row.returned for row in rows), Fraction(0))
    square = sum((row.probability * row.net**2 for row in rows), Fraction(0))
    if capped:
        square += sum(row.probability * (Fraction(capped[row.id].square) - row.net**2) for row in rows if row.row)
        notes.append(_note_of_capping(rows, capped))
    if choice.pay_table.cover_all:
        notes.append("the best hand on the table decides: rows and figures are of two hands dealt, one the dealer's")
    edge = jackpot.edge if jackpot else -mean
    if edge < 0:
        notes.append("the player has the edge here: the wager pays out more than it takes in")
    return OddsSheet(
        choice=choice,
        rows=rows,
        denominator=outcomes.denominator,
        edge=edge,
        hit_frequency=sum((row.probability for row in rows if row.row and row.row.pays.is_hit), Fraction(0)),
        standard_deviation=sqrt(square - mean * mean),
        method=_method(choice),
        notes=tuple(notes),
        meter=meter,
        jackpot=jackpot,
        valued_at=at_meter * meter.stake / MICROS_PER_DOLLAR if meter else None,
    )


def ways_by_row(
    rows: tuple[Row, ...], outcomes: tuple[str, ...], counted: Distribution
) -> list[tuple[Row | None, int]]:
    """Ways of each row, first match wins, and of the losing row at the end."""
    left = {outcomes[outcome]: ways for outcome, ways in counted.ways.items() if outcome != LOSE}
    result: list[tuple[Row | None, int]] = []
    for row in rows:
        result.append((row, sum(left.pop(outcome, 0) for outcome in row.paid_outcomes)))
    losing = counted.denominator - sum(ways for _, ways in result)
    return [*result, (None, losing)]


def _meter(choice: Choice, wish: MeterWish) -> MeterSettings:
    table = choice.pay_table
    assert table.jackpot is not None
    stake = table.stake * MICROS_PER_DOLLAR
    contribution = wish.contribution if wish.contribution is not None else table.jackpot.contribution
    reserve = wish.reserve if wish.reserve is not None else table.jackpot.reserve
    if contribution + reserve > 1:
        raise RangeError(
            f"Contribution {float(contribution):g} and reserve {float(reserve):g} together exceed the wager: "
            "they may be 1 at most.",
            code="bad_rate",
        )
    seed = wish.seed if wish.seed is not None else table.jackpot.seed * MICROS_PER_DOLLAR
    return MeterSettings(stake=stake, seed=seed, contribution=contribution, reserve=reserve, now=wish.now)


def _meter_notes(
    choice: Choice, meter: MeterSettings, odds: JackpotOdds, rows: list[tuple[Row, Fraction]]
) -> list[str]:
    """The letters' recommendations on meters, as warnings, and where the settings come from."""
    table = choice.pay_table
    assert table.jackpot is not None
    notes = []
    standard = (table.jackpot.seed * MICROS_PER_DOLLAR, table.jackpot.contribution, table.jackpot.reserve)
    if (meter.seed, meter.contribution, meter.reserve) == standard and table.jackpot.unprinted:
        notes.append(table.jackpot.unprinted)
    largest = max((row.pays.returned for row, _ in rows if not row.pays.is_share), default=Fraction(0))
    if meter.seed == 0:
        notes.append("the letter advises against a seed of $0")
    elif Fraction(meter.seed, meter.stake) < largest:
        notes.append("the letter advises a seed at least as large as the largest fixed pay")
    preset = table.jackpot.contribution if table.jackpot.basis != "house" else Fraction(1)
    if meter.contribution > preset and choice.switches.get(FIXED_PAYS) != "meter":
        notes.append("the letter advises against a contribution above the pre-set one: it lowers the edge")
    if odds.runs_dry:
        notes.append("fixed pays take more from the meter than flows in: it runs dry, and the house pays them itself")
        notes.append(dry_edge_text(odds))
    return notes


def dry_edge_text(odds: JackpotOdds) -> str:
    """Why the edge of a meter that runs dry is not exact, and by how much about."""
    text = (
        "the edge is approximate: it takes the meter for empty at all times, but after each 100% award the house puts "
        "up the seed, and until fixed pays have drained it, shares of the meter pay something"
    )
    if odds.seed_worth is None:
        return text
    return f"{text}; by that the edge is lower by about {100 * float(odds.seed_worth):.3f} percentage points"


def _meter_value(meter: MeterSettings | None, jackpot: JackpotOdds | None) -> Fraction:
    """The meter, in wagers, at which shares of it are valued."""
    if meter is None or jackpot is None:
        return Fraction(0)
    if meter.now is not None:
        return Fraction(meter.now, meter.stake)
    if jackpot.runs_dry:
        return Fraction(0)
    average = jackpot.average_top if jackpot.average_top is not None else Fraction(meter.seed, MICROS_PER_DOLLAR)
    return max(average, Fraction(0)) * MICROS_PER_DOLLAR / meter.stake


def _net(row: Row | None, meter_in_wagers: Fraction) -> Fraction:
    if row is None:
        return Fraction(-1)
    if row.pays.is_share:
        return row.pays.share * meter_in_wagers - 1
    return row.pays.net


def _method(choice: Choice) -> str:
    plural = "" if choice.decks == 1 else "s"
    shoe = "infinite decks" if choice.decks is None else f"a fresh shoe of {choice.decks} deck{plural}"
    if choice.game.is_apart(choice.wager):
        return f"exact: {apart_text(choice)} from {shoe}, nothing else known, in integers"
    if is_played_out(choice):
        return f"exact: every deal from {shoe} with the folds of best play, in integers"
    if choice.game.is_beside(choice.wager):
        return f"exact: {bet_of(choice).scene.text} from {shoe}, and the best play of the main wager behind it"
    beside = ", with every other hand beside it," if choice.pay_table.cover_all else ""
    return f"exact: {bet_of(choice).scene.text}{beside} from {shoe}, in integers"
