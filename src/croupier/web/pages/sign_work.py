"""What a sign shows that is computed: the odds of each hand, in the process for sheets."""

from __future__ import annotations

from fractions import Fraction

from croupier.library.game import game
from croupier.reports.formatting import one_in
from croupier.rules.choice import OddsRequest


def row_odds(request: OddsRequest) -> dict[str, str]:
    """The odds against each hand of a jackpot, by the row of its pay table."""
    assert request.wager is not None
    odds = game(request.game).odds(
        request.wager, pay_table=request.pay_table, decks=request.decks, rules=dict(request.settings)
    )
    return {row.id: one_in(Fraction(row.probability)) for row in odds.rows if row.id != "lose"}
