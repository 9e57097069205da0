"""What the house can do about a wager: the cut, the number of decks or the pay behind which nobody takes more than the
house will bear. Each is looked for by dealing shoes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import msgspec

from croupier.exact.odds import compute_odds
from croupier.pay import Row, parse_pay
from croupier.reports.protection.study import Study, deepest_cut, protection_of, study
from croupier.rules.choice import Choice
from croupier.rules.spec import Game

USUAL_LIMIT = 0.05
"""Units a shoe that are not worth anybody's time."""
MOST_DECKS = 8
PAYS_TRIED = 12

Tell = Callable[[float], None]


@dataclass(frozen=True, kw_only=True)
class Advice:
    """Each measure by itself, the others as they are."""

    limit: float
    """Units a shoe that the most which can be taken stays below."""
    cut: int | None
    """The deepest cut of those looked at; None where none is shallow enough."""
    decks: int | None
    """The nearest number of decks, cut as deep for its size; None where none does or none other is offered."""
    decks_tried: dict[int, float]
    """By decks: units a shoe."""
    row: str
    """The row whose pay is lowered: the one that returns most."""
    pay_now: int | None
    """To 1; None where it is no whole number."""
    pay: int | None
    """The highest whole pay of that row that does; None where none does."""
    house_edge: float | None
    """Under that pay."""


def safe_cut(study: Study, limit: float) -> int | None:
    """The deepest of the cuts looked at behind which nobody takes more than `limit` units a shoe."""
    safe = None
    for depth in study.depths:
        if depth.per_shoe[-1] > limit:
            break
        safe = depth.cut
    return safe


def advice(found: Study, settings: Mapping[str, str], limit: float, threads: int, progress: Tell | None = None) -> Advice:
    """From as many shoes for each measure as were dealt for the study."""
    choice, tell = found.protection.choice, progress or (lambda share: None)
    others = [number for number in _decks_of(choice.game) if number != choice.decks]
    tries = len(others) + PAYS_TRIED
    done = 0

    def taken(tried: Choice) -> float:
        nonlocal done
        cards = (choice.decks or 1) * choice.game.declared.deck_size
        deep = found.cut * (tried.decks or 1) * tried.game.declared.deck_size // cards
        dealt = study(
            protection_of(tried),
            settings=settings,
            cut=min(deep, deepest_cut(tried, found.dealing)),
            dealing=found.dealing,
            shoes=found.shoes,
            seed=found.seed,
            threads=threads,
        )
        done += 1
        tell(min(done / tries, 1.0))
        return dealt.perfect.result.per_shoe

    by_decks = {number: taken(replace(choice, decks=number)) for number in others}
    safe = [number for number, won in by_decks.items() if won <= limit]
    nearest = min(safe, key=lambda number: abs(number - (choice.decks or 1)), default=None)
    row, now, pay = _pay(choice, found.perfect.result.per_shoe, limit, taken)
    return Advice(
        limit=limit,
        cut=safe_cut(found, limit),
        decks=nearest,
        decks_tried=by_decks,
        row=row.label,
        pay_now=now,
        pay=pay,
        house_edge=float(compute_odds(paying(choice, row, pay)).edge) if pay is not None else None,
    )


def _decks_of(game: Game) -> list[int]:
    offered = sorted({number for number in game.decks if isinstance(number, int)})
    return [number for number in offered if number <= MOST_DECKS]


def _pay(
    choice: Choice, won: float, limit: float, taken: Callable[[Choice], float]
) -> tuple[Row, int | None, int | None]:
    """The row that returns most, its pay, and the highest whole pay that does, by halving."""
    returned = {line.row.row: line.returned + line.probability for line in compute_odds(choice).rows if line.row}
    row = max(choice.rows, key=lambda one: returned.get(one.row, 0))
    net = row.pays.net
    if net.denominator != 1 or net < 1:
        return row, None, None
    now = int(net)
    if won <= limit:
        return row, now, now
    low, high = 0, now
    while high - low > 1:
        middle = (low + high) // 2
        if taken(paying(choice, row, middle)) <= limit:
            low = middle
        else:
            high = middle
    return row, now, low if low else None


def paying(choice: Choice, row: Row, pay: int) -> Choice:
    """The same with another pay for a row."""
    rows = tuple(
        msgspec.structs.replace(one, pays=parse_pay(f"{pay} to 1")) if one.row == row.row else one
        for one in choice.pay_table.rows
    )
    return replace(choice, pay_table=msgspec.structs.replace(choice.pay_table, rows=rows))
