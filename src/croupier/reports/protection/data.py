"""A study of a wager's vulnerability as JSON has it."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from croupier.cards import card_text
from croupier.exact.protection.counts import Count
from croupier.exact.protection.removal import RANK_NAMES, Removal
from croupier.reports.protection.advice import Advice
from croupier.reports.protection.study import DEALINGS, CounterYield, Protection, Study, count_figures
from croupier.reports.protection.together import Together
from croupier.rules.counts import published_counts

DECK = 52


def protection_data(
    protection: Protection, study: Study | None, advice: Advice | None = None, beside: Together | None = None
) -> dict[str, Any]:
    choice, removal = protection.choice, protection.removal
    data: dict[str, Any] = {
        "game": choice.game.id,
        "wager": choice.wager.id,
        "pay_table": choice.pay_table.id,
        "decks": choice.decks,
        "side": choice.side or None,
        "edge": -float(removal.value),
        "standard_deviation": protection.odds.standard_deviation,
        "effects_of_removal": {name: float(effect) for name, effect in removal.named.items()},
        "effects_of_removal_by_card": by_card_data(removal) if removal.differs_by_suit else None,
        "sum_of_effects": float(removal.total),
        "second_order_effects": {name: float(effect) for name, effect in protection.second_order.named.items()}
        if protection.second_order
        else None,
        "counts": [_count_data(count, choice.wager.id, removal) for count in protection.counts],
        "yields": None,
        "together": together_data(beside) if beside else None,
        "advice": asdict(advice) if advice else None,
        "notes": list(choice.notes),
    }
    if study is not None:
        data["yields"] = yields_data(study)
    return data


def together_data(beside: Together) -> dict[str, Any]:
    return {
        "wagers": list(beside.wagers),
        "counters": {
            kind: {"win_per_shoe": won, "win_per_shoe_standard_error": error}
            for kind, (won, error) in beside.per_shoe.items()
        },
    }


def by_card_data(removal: Removal) -> dict[str, float]:
    return {card_text(card) if card < DECK else "Jk": float(effect) for card, effect in enumerate(removal.by_card)}


def _published(count: Count, wager: str, decks: int) -> dict[str, Any] | None:
    """What its author says it takes from such a shoe."""
    known = next((known for known in published_counts(wager) if known.id == count.id), None)
    if known is None or known.published is None or known.published.decks != decks:
        return None
    return {"win_per_shoe": float(known.published.win_per_shoe), "cut": known.published.cut}


def _count_data(count: Count, wager: str, removal: Removal) -> dict[str, Any]:
    figures = count_figures(count, removal)
    even = figures["break_even_true_count"]
    return {
        "id": count.id,
        "name": count.name,
        "tags": dict(zip(RANK_NAMES, count.tags, strict=True)),
        "betting_correlation": figures["betting_correlation"],
        "gain_per_true_count": figures["gain_per_true_count"],
        "break_even_true_count": even if even < float("inf") else None,
        "source": count.source or None,
        "published": _published(count, wager, removal.decks),
    }


def yields_data(study: Study) -> dict[str, Any]:
    choice = study.protection.choice
    cards = (choice.decks or 0) * choice.game.declared.deck_size
    return {
        "dealing": study.dealing,
        "dealing_text": DEALINGS[study.dealing],
        "cut": study.cut,
        "cards_behind_cut": cards - study.cut,
        "shoes": study.shoes,
        "seed": study.seed,
        "rounds_per_shoe": study.perfect.result.rounds,
        "shoes_that_ran_out": study.ran_out,
        "counters": {counter.count.id: _yield_data(counter) for counter in study.counters},
        "by_cut": [
            {
                "cut": depth.cut,
                "rounds_per_shoe": depth.rounds,
                "win_per_shoe": {
                    counter.count.id: won for counter, won in zip(study.counters, depth.per_shoe, strict=True)
                },
            }
            for depth in study.depths
        ],
    }


def _yield_data(counter: CounterYield) -> dict[str, Any]:
    result = counter.result
    return {
        "name": counter.count.name,
        "trigger": None if counter.never_bets else counter.trigger,
        "bet_frequency": result.frequency,
        "average_edge": result.average_edge,
        "win_per_100": result.per_100,
        "win_per_100_standard_error": result.per_100_error,
        "win_per_shoe": result.per_shoe,
        "win_per_shoe_standard_error": result.per_shoe_error,
        "desirability_index": counter.desirability,
    }
