"""Whether a game's pay tables say what its round can come to: play must never meet an outcome without a row."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from math import prod

from croupier.kernels.declaration import RoundWager
from croupier.pay import PayTable
from croupier.rules.spec import Game

MOST_CASES = 20_000
"""Combinations of switches that are tried for one row; more would let a file keep the loader busy."""


def round_wager_problems(game: Game) -> Iterator[tuple[str, str]]:
    """What is wrong with the wagers that the round settles. The game must be sound otherwise."""
    for settled in game.declared.wagers:
        wager = game.wager_of_round(settled.paid_by)
        possible = [name for name in settled.outcomes if name not in settled.never]
        if wager is None:
            if any(_case(game, settled, outcome) is not None for outcome in possible):
                settles = f'the round "{game.round}" settles a wager "{settled.paid_by}"'
                yield "$.wagers", f"{settles}, which the game does not have: add one with that id, or that role"
            continue
        place = f"$.wagers[{game.wagers.index(wager)}].pay_tables"
        if not wager.pay_tables:
            yield place, f'"{wager.id}" is settled by the round and needs a pay table'
        for i, table in enumerate(wager.pay_tables):
            yield from _strange_rows(f"{place}[{i}].rows", game, settled, table)
            for outcome in possible:
                yield from _gap(f"{place}[{i}].rows", game, settled, outcome, table)


def _gap(place: str, game: Game, settled: RoundWager, outcome: str, table: PayTable) -> Iterator[tuple[str, str]]:
    try:
        case = _case(game, settled, outcome, table)
    except OverflowError:
        yield place, f'rows "{outcome}" depend on too many switches together; no more than {MOST_CASES:,} combinations'
        return
    if case is not None:
        under = f" with {' and '.join(case)}" if case else ""
        row = f'{{ row = "{outcome}", label = "...", pays = "1 to 1" }}'
        yield place, f'no row pays "{outcome}", which the round can come to{under}: add {row} with its pay'


def _case(game: Game, settled: RoundWager, outcome: str, table: PayTable | None = None) -> tuple[str, ...] | None:
    """Switches and decks under which the outcome comes up and no row of the table pays it; None where there are none.

    Without a table, those under which it comes up at all.
    """
    rows = [row for row in table.rows if row.row == outcome] if table else []
    if any(not row.when and row.min_decks <= min(game.decks) for row in rows):
        return None
    field = settled.only_under.get(outcome, "")
    rule = game.declared.filled[field].switch if field else ""
    deciding = {name for row in rows for name in row.when}
    deciding |= {
        switch.id
        for switch in game.switches
        if rule in (switch.id, *(name for v in switch.sets.values() for name in v))
    }
    switches = [switch for switch in game.switches if switch.id in deciding]
    if prod(len(switch.values) for switch in switches) > MOST_CASES:
        raise OverflowError
    usual = {switch.id: switch.default for switch in game.switches}
    for values in product(*(switch.values for switch in switches)):
        chosen = dict(zip((switch.id for switch in switches), values, strict=True))
        if field and not getattr(game.rules_under(usual | chosen), field):
            continue
        for decks in game.decks:
            paid = table.rows_in_force(usual | chosen, decks) if table else ()
            if not any(row.row == outcome for row in paid):
                few = any(row.min_decks > decks for row in rows)
                return (*(f"{name} = {value}" for name, value in chosen.items()), *((f"decks = {decks}",) * few))
    return None


def _strange_rows(place: str, game: Game, settled: RoundWager, table: PayTable) -> Iterator[tuple[str, str]]:
    """Rows that no outcome comes to would promise a pay that nobody gets."""
    by = [wager for wager in game.declared.wagers if wager.paid_by == settled.paid_by]
    known = [name for wager in by for name in wager.outcomes if name not in wager.never]
    for i, row in enumerate(table.rows):
        if row.row not in known:
            yield f"{place}[{i}].row", f'the round never comes to "{row.row}"; outcomes: {", ".join(known)}'
        if row.outcomes:
            yield f"{place}[{i}].outcomes", "a row of a wager that the round settles is one outcome: leave this out"
