"""What a sign shows that is computed: the odds of each hand, in the process for sheets."""

from __future__ import annotations

from croupier.exact.odds import compute_odds
from croupier.reports.formatting import one_in
from croupier.rules.choice import OddsRequest


def row_odds(request: OddsRequest) -> dict[str, str]:
    """The odds against each hand of a jackpot, by the row of its pay table."""
    return {row.id: one_in(row.probability) for row in compute_odds(request.choice()).rows if row.row is not None}
