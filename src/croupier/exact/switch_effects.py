"""What each switch does to the edge of a wager that is decided without playing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from croupier.exact.apart import rule_of_dealer
from croupier.exact.odds import FIXED_PAYS, MeterWish, OddsSheet, compute_odds
from croupier.exact.strategy.result import Effect
from croupier.rules.choice import Choice, choose, first_choice


def odds_effects(sheet: OddsSheet, wish: MeterWish | None = None) -> Iterator[Effect]:
    """The edge under every other value of every switch, one change at a time, where it is another one."""
    choice = sheet.choice
    for switch in choice.game.switches:
        for value in switch.values:
            other = replace(choice, switches=choice.switches | {switch.id: value})
            if choice.wager.hand == "seat":
                other = replace(other, side=_side_under(other))
            if value == choice.switches[switch.id] or _looked_at(other) == _looked_at(choice):
                continue
            edge = compute_odds(other, wish).edge
            if edge != sheet.edge:
                yield Effect(switch, value, float(edge), float(edge - sheet.edge))


def _side_under(choice: Choice) -> str:
    """A switch may make either side's win pay."""
    resolved = choose(choice.game, choice.wager.id, pay_table=choice.pay_table.id, settings=choice.switches).side
    return choice.side if resolved != "winner" and choice.side != "winner" else resolved


def _looked_at(choice: Choice) -> tuple[object, ...]:
    """All that the odds of this wager depend on besides the shoe."""
    bet = choice.bet
    options = bet.pack(choice.switches) if bet is not None else 0
    of_scene = choice.switches[bet.scene.switch] if bet is not None and bet.scene.switch else ""
    funded = choice.switches.get(FIXED_PAYS) if choice.pay_table.jackpot is not None else ""
    decisive: Any = ()
    if rule_of_dealer(choice) is not None:
        rules = choice.game.rules_under(choice.switches)
        decisive = (rules.soft17, rules.peek)
    elif choice.game.is_beside(choice.wager):
        from croupier.exact.played import rules_compared  # with a solver behind it, which others do not need

        decisive = rules_compared(first_choice(choice))
    return choice.rows, options, of_scene, funded, choice.side, decisive
