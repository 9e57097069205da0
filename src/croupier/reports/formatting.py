"""Numbers as people read them. Rounding happens here and nowhere else."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from fractions import Fraction
from math import floor, log10
from typing import Any, Literal

from croupier.exact.check import MOST_SIGMAS, CheckedFigure, parse_printed
from croupier.exact.strategy.result import AskedWager
from croupier.house_time import date_text, time_text
from croupier.money import MICROS_PER_CENT, MICROS_PER_DOLLAR, dollars_and_cents, dollars_for_people, parse_dollars

SHARE_DIGITS = 4
Value = Fraction | float | int | str | date | None
Kind = Literal[
    "text", "marked", "letter", "count", "number", "signed", "scientific", "percent", "change", "share", "odds",
    "money", "cents", "dollars", "date", "time",
]  # fmt: skip
"""What the values of a column are. `change` is a signed percent, `share` a percent with so many digits that count;
`money` is micros to the last millionth, `cents` micros floored, `dollars` an estimate in dollars."""
Form = Literal["number", "share", "dollars"]
"""How a value of a plot reads: a plain number, a fraction of one shown in percent, or an amount in dollars."""


def text_of(value: Value, kind: Kind, digits: int = 0) -> str:
    """A value of a column as people read it; blank where there is none.

    >>> text_of(0.0585, "percent", 2), text_of(-0.0585, "change", 2), text_of(1234, "count")
    ('5.85%', '-5.85%', '1,234')
    >>> text_of(1_234_500_000, "money"), text_of(date(2026, 11, 18), "date")
    ('$1,234.50', 'Nov 18, 2026')
    """
    if value is None or value == "":
        return ""
    return str(value) if isinstance(value, str) else _WRITTEN[kind](value, digits)


def signed(value: Fraction | float, decimals: int) -> str:
    return _with_sign(rounded(value, decimals))


def _with_sign(text: str) -> str:
    return text if text.startswith("-") else f"+{text}"


def capitalized(text: str) -> str:
    return text[:1].upper() + text[1:]


def list_text(words: Sequence[object], joint: str = "and") -> str:
    """
    >>> list_text([1]), list_text([1, 2]), list_text(["a", "b", "c"], "or")
    ('1', '1 and 2', 'a, b or c')
    """
    *first, last = map(str, words)
    return f"{', '.join(first)} {joint} {last}" if first else last


def exact_dollars(micros: int) -> str:
    """Decimal text in dollars with two to six decimals: the lines of a report must add up.

    >>> exact_dollars(10_000_250_000), exact_dollars(-1_234_567), micros_of("-1.234567")
    ('10000.25', '-1.234567', -1234567)
    """
    whole, part = divmod(abs(micros), MICROS_PER_DOLLAR)
    decimals = f"{part:06d}".rstrip("0").ljust(2, "0")
    return f"{'-' if micros < 0 else ''}{whole}.{decimals}"


def exact_for_people(micros: int) -> str:
    """The same as people write it: `$10,000.25`, `-$1.234567`."""
    whole, _, part = exact_dollars(abs(micros)).partition(".")
    return f"{'-' if micros < 0 else ''}${int(whole):,}.{part}"


def micros_of(text: str) -> int:
    """The amount that `exact_dollars` wrote."""
    return -parse_dollars(text[1:]) if text.startswith("-") else parse_dollars(text)


def rounded(value: Fraction | float, decimals: int) -> str:
    """Decimal text, rounded half away from zero, exactly."""
    value, scale = Fraction(value), 10**decimals
    units = (2 * abs(value) * scale + 1) // 2
    whole, part = divmod(int(units), scale)
    sign = "-" if value < 0 and units else ""
    return f"{sign}{whole:,}.{part:0{decimals}d}" if decimals else f"{sign}{whole:,}"


def percent(value: Fraction | float, decimals: int = 4) -> str:
    return f"{rounded(Fraction(value) * 100, decimals)}%"


def change(value: Fraction | float, decimals: int = 4) -> str:
    return _with_sign(percent(value, decimals))


def share_text(share: float | None) -> str:
    """A rate or an edge for reading, with four digits that count; blank for none.

    >>> share_text(0.0812), share_text(0.0000016732), share_text(-0.5)
    ('8.12%', '0.0001673%', '-50%')
    """
    if share is None:
        return ""
    value = 100 * share
    decimals = max(0, SHARE_DIGITS - 1 - int(f"{value:e}".partition("e")[2]))
    text = f"{value:,.{decimals}f}"
    return f"{text.rstrip('0').rstrip('.') if '.' in text else text}%"


def one_in(probability: Fraction) -> str:
    """The odds against, as `1 in 13.6`."""
    if probability == 0:
        return "never"
    odds = 1 / probability
    return f"1 in {rounded(odds, 0 if odds >= 1000 else 1)}"


def value_text(value: float, form: Form) -> str:
    """A value as people read it: about six digits of a number or a share, amounts to the cent below $100."""
    if form == "share":
        return f"{_digits(100 * value)}%"
    if form == "dollars":
        size = abs(value)
        text = f"${size:,.2f}" if size < 100 and round(size, 2) % 1 else f"${size:,.0f}"
        return f"-{text}" if value < 0 and text != "$0" else text
    return _digits(value)


def _digits(value: float) -> str:
    """Six digits, or four behind the zeros of a small number."""
    if value == 0 or not 1e-7 <= abs(value) < 1e15:
        return f"{value:.3g}"
    whole = len(f"{abs(value):.0f}")
    text = f"{value:,.{max(0, 6 - whole, 3 - floor(log10(abs(value))))}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def nearest_cent(amount: Fraction) -> int:
    """A computed amount in dollars as micros, to the nearest cent. What is paid is floored instead, by the books."""
    return int((200 * amount + 1) // 2) * MICROS_PER_CENT


def money(amount: Fraction) -> str:
    return dollars_for_people(nearest_cent(amount))


_WRITTEN: dict[Kind, Any] = {
    "text": lambda value, _: str(value),
    "count": lambda value, _: f"{value:,}",
    "number": rounded,
    "signed": signed,
    "scientific": lambda value, digits: f"{value:.{digits}e}",
    "percent": percent,
    "change": change,
    "share": lambda value, _: share_text(value),
    "odds": lambda value, _: one_in(value),
    "money": lambda value, _: exact_for_people(value),
    "cents": lambda value, _: dollars_and_cents(value),
    "dollars": lambda value, _: value_text(value, "dollars"),
    "date": lambda value, _: date_text(value),
    "time": lambda value, _: time_text(value),
}


def figure_text(figure: str, value: Fraction) -> str:
    """A computed figure with a few more digits than letters print."""
    if figure == "top_odds":
        return rounded(value, 0)
    if figure == "top_average":
        return money(value)
    if figure in ("mean_final_wager", "standard_deviation"):
        return rounded(value, 4)
    return percent(value, 4)


FIGURES = {
    "edge": "house edge",
    "hit_frequency": "hit frequency",
    "top_odds": "top award, 1 in",
    "top_average": "average top award",
    "element_of_risk": "element of risk",
    "mean_final_wager": "mean final wager",
    "standard_deviation": "standard deviation",
}

PARTS = {
    "first_card": "First card",
    "hard": "Hard totals",
    "soft": "Soft totals",
    "pair": "Pairs",
    "house_hard": "Hard totals on the house's money",
    "house_soft": "Soft totals on the house's money",
    "doubled_hard": "Hard totals, doubled",
    "doubled_soft": "Soft totals, doubled",
    "zap": "Zap or keep: hard totals, and pairs",
    "switch": "What a hand is worth: switch if the two hands that makes are worth more together",
    "flex_two_cards": "What a hand with the flex card is worth",
    "flex_one_card": "What a single card is worth that gets the next card: place the flex card so that both are worth "
    "the most together",
}

SHUFFLES = {"fresh": "every round", "cut_card": "at the cut card", "continuous": "by a continuous shuffler"}

OUTCOMES = {
    "blackjack": "as a blackjack that is paid",
    "suited_blackjack": "as a suited blackjack",
    "unsuited_blackjack": "as an unsuited blackjack",
    "double_barrel_blackjack": "as a double barrel blackjack",
    "diamond_blackjack": "as a blackjack in diamonds",
    "five_card_21": "as 21 with five or more cards",
    "six_cards": "as six cards of 20 or less",
    "free_bet_lost": "as a loss, which costs nothing",
    "win": "as a win",
    "push": "as a push",
    "surrender": "given up",
    "lose": "as a loss",
}


def part_words(part: str) -> str:
    """The heading of a part of a chart; a question of any other game by its id."""
    return PARTS.get(part, part.replace("_", " ").capitalize())


def outcome_words(name: str) -> str:
    """How a hand ended, in words; an outcome of a wager beside the first is `play.win`."""
    wager, dot, outcome = name.rpartition(".")
    said = OUTCOMES.get(outcome, outcome.replace("_", " "))
    return f"{wager.replace('_', ' ')}: {said}" if dot else said


ACTIONS = {
    "S": "stand",
    "H": "hit",
    "D": "double, else hit",
    "Ds": "double, else stand",
    "P": "split",
    "R": "surrender, else hit",
    "Rs": "surrender, else stand",
    "B": "bet",
    "N": "no bet",
    "M": "move it onto the main wager",
    "C": "collect",
    "Z": "zap: throw the hand away for two new cards",
    "K": "keep the hand",
}
"""The letters of strategy charts."""

VERDICTS = {
    "equal": "equal",
    "within_simulation_error": "within simulation error",
    "differs": "differs",
    "not_computed": "not computed",
}
"""Of one figure. Of several, a verb has another form."""


def verdict_count(verdict: str, count: int) -> str:
    """How many figures got a verdict: "8 differ"."""
    return f"{count} {'differ' if verdict == 'differs' and count != 1 else VERDICTS[verdict]}"


def verdict_text(checked: CheckedFigure) -> str:
    """The verdict; for a simulated figure with z and the number of rounds assumed."""
    text = VERDICTS[checked.verdict]
    if checked.z is None:
        return text
    if checked.fact.simulated_rounds is None:
        return f"{text} (z {checked.z + 0.0:+.1f})"
    return f"{text} (z {checked.z + 0.0:+.1f} at {float(checked.fact.simulated_rounds):.0e} rounds)".replace("e+0", "e")


Z_TEXT = (
    "z: how many standard errors of a simulation the printed figure lies from the exact one, after half of its last "
    f"printed digit, which rounding may have taken, is given back; up to {MOST_SIGMAS} is within its error."
)
_DEVIATIONS = {
    "edge": "is the deviation of the fixed pays alone, in wagers: the meter's part is taken to be added by formula, so "
    "it is not that of the whole wager",
    "hit_frequency": "is the root of p (1 - p), p being the hit frequency",
    "top_odds": "is the figure over the root of the chance of a 100% award",
    "top_average": "is the figure over the root of the chance of a 100% award",
}


def z_text(checked: CheckedFigure) -> str:
    """How a figure's z comes about, to be computed again; empty for a figure without one."""
    if checked.z is None or checked.standard_error is None or checked.computed is None:
        return ""
    printed, _ = parse_printed(checked.fact.printed)
    half = "less" if checked.computed < printed else "plus"
    name = f"{FIGURES[checked.fact.figure]} {checked.fact.printed}, {checked.fact.wager} {checked.fact.pay_table}"
    shares = checked.fact.figure in ("edge", "hit_frequency")
    error = f"{100 * checked.standard_error:.5f}%" if shares else f"{checked.standard_error:,.2f}"
    computed = figure_text(checked.fact.figure, checked.computed)
    text = f"{name}: z = (printed {half} half of its last digit - computed {computed}) / {error} = {checked.z:+.2f}"
    if checked.deviation is None or checked.fact.simulated_rounds is None:
        return f"{text}; {error} is the standard error of the simulation that is kept."
    rounds = f"{checked.fact.simulated_rounds:,}"
    deviation = f"{checked.deviation:,.5f}" if shares else f"{checked.deviation:,.0f}"
    return f"{text}; {error} = {deviation} / root of {rounds} rounds; {deviation} {_DEVIATIONS[checked.fact.figure]}."


def difference_text(checked: CheckedFigure) -> str:
    """Printed less computed, in the figure's own unit; empty where nothing was computed."""
    if checked.computed is None:
        return ""
    gap = parse_printed(checked.fact.printed)[0] - checked.computed
    is_money = checked.fact.figure == "top_average" and gap < 0
    text = f"-{money(-gap)}" if is_money else figure_text(checked.fact.figure, gap)
    return text if gap < 0 else f"+{text}"


def when_made(asked: AskedWager) -> str:
    """When best play makes a wager that it is asked about, in words."""
    if asked.edge_taken is None:
        return "never"
    return f"as the chart says, {percent(asked.taken, 2)} of the times; then the edge is {percent(asked.edge_taken, 2)}"


def shoe_text(decks: int | None) -> str:
    if decks is None:
        return "infinite decks"
    return "1 deck" if decks == 1 else f"{decks} decks"


def decks_text(checked: CheckedFigure) -> str:
    """Decks a figure is for, with side and shuffle where the letter names them."""
    parts = ["inf" if checked.decks is None else str(checked.decks)]
    if checked.fact.decks_inferred:
        parts = [f"{parts[0]} (not printed)"]
    if checked.fact.side:
        parts.append(checked.fact.side)
    if checked.fact.up_card:
        parts.append(f"{checked.fact.up_card} up")
    if checked.fact.shuffle != "fresh":
        parts.append(checked.fact.shuffle.replace("_", " "))
    return ", ".join(parts)
