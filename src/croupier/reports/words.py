"""Numbers as people read them. Rounding happens here and nowhere else."""

from __future__ import annotations

from fractions import Fraction

from croupier.exact.check import Checked, parse_printed
from croupier.money import dollars_for_people, floor_to_micros

SHARE_DIGITS = 4


def rounded(value: Fraction, decimals: int) -> str:
    """Decimal text, rounded half away from zero, exactly."""
    scale = 10**decimals
    units = (2 * abs(value) * scale + 1) // 2
    whole, part = divmod(int(units), scale)
    sign = "-" if value < 0 and units else ""
    return f"{sign}{whole:,}.{part:0{decimals}d}" if decimals else f"{sign}{whole:,}"


def percent(value: Fraction, decimals: int = 4) -> str:
    return f"{rounded(value * 100, decimals)} %"


def share_text(share: float | None) -> str:
    """A rate or an edge for reading, with four digits that count; blank for none.

    >>> share_text(0.0812), share_text(0.0000016732), share_text(-0.5)
    ('8.12 %', '0.0001673 %', '-50 %')
    """
    if share is None:
        return ""
    value = 100 * share
    decimals = max(0, SHARE_DIGITS - 1 - int(f"{value:e}".partition("e")[2]))
    text = f"{value:,.{decimals}f}"
    return f"{text.rstrip('0').rstrip('.') if '.' in text else text} %"


def one_in(probability: Fraction) -> str:
    """The odds against, as `1 in 13.6`."""
    if probability == 0:
        return "never"
    odds = 1 / probability
    return f"1 in {rounded(odds, 0 if odds >= 1000 else 1)}"


def money(amount: Fraction) -> str:
    return dollars_for_people(floor_to_micros(amount))


def figure_text(figure: str, value: Fraction) -> str:
    """A computed figure with a few more digits than letters print."""
    if figure == "top_odds":
        return rounded(value, 0)
    if figure == "top_average":
        return money(value)
    return percent(value, 4)


FIGURES = {
    "edge": "house edge",
    "hit_frequency": "hit frequency",
    "top_odds": "top award, 1 in",
    "top_average": "average top award",
}

PARTS = {
    "first_card": "First card",
    "hard": "Hard totals",
    "soft": "Soft totals",
    "pair": "Pairs",
    "switch": "What a hand is worth: switch if the two hands that makes are worth more together",
    "flex_two_cards": "What a hand with the flex card is worth",
    "flex_one_card": "What a single card is worth that gets the next card: place the flex card so that both are worth "
    "the most together",
}

OUTCOMES = {
    "blackjack": "as a blackjack that is paid",
    "suited_blackjack": "as a suited blackjack",
    "unsuited_blackjack": "as an unsuited blackjack",
    "double_barrel_blackjack": "as a double barrel blackjack",
    "win": "as a win",
    "push": "as a push",
    "surrender": "given up",
    "lose": "as a loss",
}

ACTIONS = {
    "S": "stand",
    "H": "hit",
    "D": "double, else hit",
    "Ds": "double, else stand",
    "P": "split",
    "R": "surrender, else hit",
    "Rs": "surrender, else stand",
}
"""The letters of strategy charts."""

VERDICTS = {
    "equal": "equal",
    "within_simulation_error": "within simulation error",
    "differs": "differs",
    "not_computed": "not computed",
}


def verdict_text(checked: Checked) -> str:
    """The verdict; for a simulated figure with z and the number of rounds assumed."""
    text = VERDICTS[checked.verdict]
    if checked.z is None:
        return text
    if checked.fact.simulated_rounds is None:
        return f"{text} (z {checked.z + 0.0:+.1f})"
    return f"{text} (z {checked.z + 0.0:+.1f} at {float(checked.fact.simulated_rounds):.0e} rounds)".replace("e+0", "e")


def difference_text(checked: Checked) -> str:
    """Printed less computed, in the figure's own unit; empty where nothing was computed."""
    if checked.computed is None:
        return ""
    gap = parse_printed(checked.fact.printed)[0] - checked.computed
    if checked.fact.figure == "top_odds":
        text = rounded(gap, 0)
    elif checked.fact.figure == "top_average":
        text = f"-{money(-gap)}" if gap < 0 else money(gap)
    else:
        text = percent(gap, 4)
    return text if gap < 0 else f"+{text}"


def shoe_text(decks: int | None) -> str:
    if decks is None:
        return "endless shoe"
    return "1 deck" if decks == 1 else f"{decks} decks"


def decks_text(checked: Checked) -> str:
    """Decks a figure is for, with side and shuffle where the letter names them."""
    parts = ["inf" if checked.decks is None else str(checked.decks)]
    if checked.fact.side:
        parts.append(checked.fact.side)
    if checked.fact.shuffle != "fresh":
        parts.append(checked.fact.shuffle.replace("_", " "))
    return ", ".join(parts)
