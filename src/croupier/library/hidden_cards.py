"""What hidden cards of the dealer are worth, as a result."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from croupier.exact.played import main_account
from croupier.exact.protection.exposed import Exposed, check_exposed, exposed
from croupier.library.frame import Frame
from croupier.library.html import table_html, title_html
from croupier.library.result import Result, shown_percent
from croupier.reports.protection.hidden_cards import hidden_cards_data, hidden_cards_report, plays_text
from croupier.reports.report import Report
from croupier.rules.choice import Choice


@dataclass(frozen=True, kw_only=True, repr=False)
class HiddenCards(Result):
    """Optimal play by a seat that has seen one hidden card of the dealer: `croupier protect` of a poker game's ante.

    >>> import croupier
    >>> seen = croupier.game("three_card_poker").hidden_cards()
    >>> round(-float(seen.edge_known), 6), seen.plays_from["Q"]
    (0.034829, 'Q-9-2')
    """

    choice: Choice = field(compare=False)
    """As the engine has it. It is not part of the stable interface, and so is the next one."""
    exposed: Exposed
    edge: float
    """Of a seat that sees what the rules show."""

    @property
    def game(self) -> str:
        return self.choice.game.id

    @property
    def wager(self) -> str:
        return self.choice.wager.id

    @property
    def edge_known(self) -> Fraction:
        """Of the seat that knows."""
        return self.exposed.edge

    @property
    def plays_from(self) -> dict[str, str | None]:
        """By the rank that was seen: the lowest hand that plays; None where each does."""
        return {rank.rank: rank.plays_from for rank in self.exposed.ranks}

    @property
    def report(self) -> Report:
        """As every form shows it. It is not part of the stable interface."""
        return hidden_cards_report(self.choice, self.edge, self.exposed)

    def to_dict(self) -> dict[str, Any]:
        """What `croupier protect --json` prints."""
        return hidden_cards_data(self.choice, self.edge, self.exposed)

    @property
    def frame(self) -> Frame:
        """A row for each rank that may be seen."""
        return Frame.of_rows(
            {"rank": rank.rank, "share": rank.share, "edge": rank.edge, "plays_from": rank.plays_from}
            for rank in self.exposed.ranks
        )

    @property
    def line(self) -> dict[str, Any]:
        return {
            "game": self.game,
            "wager": self.wager,
            "pay_table": self.choice.pay_table.id,
            "dealer_cards_known": self.exposed.known,
            "edge": self.edge,
            "edge_known": self.edge_known,
        }

    def __repr__(self) -> str:
        known = self.exposed.known
        return f"<HiddenCards: {self.game} {self.wager}, {known} known, house edge {shown_percent(self.edge_known)}>"

    def _repr_html_(self) -> str:
        lines = [
            [rank.rank, shown_percent(rank.edge), plays_text(rank.plays_from, rank.always)]
            for rank in self.exposed.ranks
        ]
        number = self.exposed.known
        known = f"{number} card{'' if number == 1 else 's'} of the dealer known"
        below = f"house edge {shown_percent(self.edge)} by the rules, {shown_percent(self.edge_known)} with {known}"
        return title_html(f"{self.choice.game.name}: {self.choice.wager.name}", below) + table_html(
            ["dealer's card", "house edge then", "the seat plays"], lines
        )


def hidden_cards(choice: Choice, progress: Callable[[float], None] | None) -> HiddenCards:
    """With one card more known than the rules show."""
    shown = check_exposed(choice)
    edge = -float(main_account(choice).value)
    return HiddenCards(choice=choice, exposed=exposed(choice, shown + 1, progress), edge=edge)
