"""Envy: a fixed sum for each premium hand of another player.

The seats' hands are exchangeable: each other player has a premium hand as often as the bettor has, whoever was dealt
first. So the mean is linear in the number of other players, exactly, though their hands depend on each other. How the
sum of a round is spread is not computed here.
"""

from __future__ import annotations

from fractions import Fraction

from croupier.exact.odds import OddsSheet


def envy_of_one(sheet: OddsSheet) -> Fraction:
    """What one other player's hand is worth on the mean, for each unit wagered of a wager of the pay table's stake."""
    stake = sheet.choice.pay_table.stake
    return sum((row.probability * row.row.envy / stake for row in sheet.rows if row.row), Fraction(0))


def edge_beside(sheet: OddsSheet, others: int) -> Fraction:
    """The house edge with so many other players at the table."""
    return sheet.edge - others * envy_of_one(sheet)


def nets_beside(sheet: OddsSheet, others: int) -> dict[str, Fraction]:
    """The profit that each outcome of a hand brings to its own wager and, as envy, to those of the others together:
    added up over all seats of a round it is what the table wins."""
    stake = sheet.choice.pay_table.stake
    return {
        outcome: row.net + Fraction(others * row.row.envy, stake)
        for row in sheet.rows
        if row.row
        for outcome in row.row.paid_outcomes
    }
