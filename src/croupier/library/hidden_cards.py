"""What cards that a seat should not know are worth to it, as a result."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from croupier.exact.played import main_account
from croupier.exact.protection.exposed import Exposed
from croupier.exact.protection.known import known, usual_knowledge
from croupier.exact.protection.sight import Knowledge
from croupier.library.frame import Frame
from croupier.library.html import table_html, title_html
from croupier.library.result import Result, shown_percent
from croupier.reports.protection.hidden_cards import Leak, edge_text, hidden_cards_data, hidden_cards_report, plays_text
from croupier.reports.report import Report
from croupier.reports.simulation.length import require_seed
from croupier.rules.choice import Choice


@dataclass(frozen=True, kw_only=True, repr=False)
class HiddenCards(Result):
    """Optimal play by a seat that knows more cards than the rules show: `croupier protect` of a poker game's ante.

    >>> import croupier
    >>> seen = croupier.game("three_card_poker").hidden_cards()
    >>> round(-float(seen.edge_known), 6), seen.plays_from["Q"]
    (0.034829, 'Q-9-2')
    """

    leak: Leak = field(compare=False)
    """As the engine has it. It is not part of the stable interface."""

    @property
    def game(self) -> str:
        return self.leak.choice.game.id

    @property
    def wager(self) -> str:
        return self.leak.choice.wager.id

    @property
    def known(self) -> str:
        """What the seat knows, as the keyword `known` has it."""
        return self.leak.knows.text

    @property
    def edge(self) -> float:
        """Of a seat that sees what the rules show."""
        return self.leak.edge

    @property
    def edge_known(self) -> Fraction | float:
        """Of the seat that knows: a fraction where every deal was looked at."""
        return self.leak.found.edge

    @property
    def standard_error(self) -> float:
        """Of that edge, where it is a mean over deals that were drawn; else 0."""
        return self.leak.error

    @property
    def exposed(self) -> Exposed:
        """As the engine has one card of the dealer. It is not part of the stable interface."""
        assert isinstance(self.leak.found, Exposed)
        return self.leak.found

    @property
    def plays_from(self) -> dict[str, str | None]:
        """By the rank of one dealer's card that was seen: the lowest hand that plays; None where each does."""
        found = self.leak.found
        return {rank.rank: rank.plays_from for rank in found.ranks} if isinstance(found, Exposed) else {}

    @property
    def report(self) -> Report:
        """As every form shows it. It is not part of the stable interface."""
        return hidden_cards_report(self.leak)

    def to_dict(self) -> dict[str, Any]:
        """What `croupier protect --json` prints."""
        return hidden_cards_data(self.leak)

    @property
    def frame(self) -> Frame:
        """A row for each rank, or other thing, that may be seen."""
        found = self.leak.found
        if isinstance(found, Exposed):
            return Frame.of_rows(
                {"seen": rank.rank, "share": rank.share, "edge": rank.edge, "plays_from": rank.plays_from}
                for rank in found.ranks
            )
        return Frame.of_rows({"seen": case.name, "share": case.share, "edge": case.edge} for case in found.cases)

    @property
    def line(self) -> dict[str, Any]:
        return {
            "game": self.game,
            "wager": self.wager,
            "pay_table": self.leak.choice.pay_table.id,
            "known": self.known,
            "edge": self.edge,
            "edge_known": self.edge_known,
        }

    def __repr__(self) -> str:
        return f"<HiddenCards: {self.game} {self.wager}, {self.known}, house edge {edge_text(self.leak)}>"

    def _repr_html_(self) -> str:
        leak = self.leak
        below = f"house edge {shown_percent(self.edge)} by the rules, {edge_text(leak)} knowing {leak.knows.words}"
        title = title_html(f"{leak.choice.game.name}: {leak.choice.wager.name}", below)
        if isinstance(leak.found, Exposed):
            ranks = leak.found.ranks
            lines = [[one.rank, shown_percent(one.edge), plays_text(one.plays_from, one.always)] for one in ranks]
            return title + table_html(["dealer's card", "house edge then", "the seat plays"], lines)
        return title + table_html(
            ["seen", "house edge then"], [[case.name, shown_percent(case.edge)] for case in leak.cases]
        )


def hidden_cards(
    choice: Choice, wanted: str | None, seed: int, progress: Callable[[float], None] | None
) -> HiddenCards:
    """With that known besides what the rules show; with what leaks most often, if nothing is said."""
    require_seed(seed)
    knows = usual_knowledge(choice.game) if wanted is None else Knowledge.read(wanted)
    found = known(choice, knows, seed, progress)
    edge = -float(main_account(choice).value)
    return HiddenCards(leak=Leak(choice=choice, knows=knows, edge=edge, found=found, seed=seed))
