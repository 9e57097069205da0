"""Charts as people read them: rows of hands, a column for each up card, a letter in each cell.

S stand, H hit, D double or else hit, Ds double or else stand, P split, R surrender or else hit, Rs surrender or else
stand; Z throw the hand away for two new cards, K keep it. Rating tables have numbers instead: what a hand is worth.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from croupier.exact.strategy.account import chance_in_order, chance_of_dealer_blackjack
from croupier.exact.strategy.barrel import BarrelGame, BarrelUpCard
from croupier.exact.strategy.base import BaseGame, row_of_start
from croupier.exact.strategy.graph import NATURAL_START, START_CARDS, hand_graph
from croupier.exact.strategy.legal import against_blackjack, declared_round
from croupier.exact.strategy.madness import FIRST_CELL, MadnessGame
from croupier.exact.strategy.position import IMPOSSIBLE
from croupier.exact.strategy.program import SOFT_CELL
from croupier.exact.strategy.solve import AnyGame, Solution, up_cards
from croupier.exact.strategy.switch import SwitchGame, SwitchUpCard
from croupier.exact.strategy.total import Chart, cells_of_hands
from croupier.exact.strategy.view import graph_arrays
from croupier.kernels.blackjack import BEFORE_PLAY, EXCHANGE
from croupier.kernels.effects import DOUBLE, HIT, KEEP, SPLIT, STAND, SURRENDER
from croupier.kernels.strategy import CLASSES, DOUBLE_BIT, SPECIAL_AT

Array = NDArray[Any]
Grid = dict[str, dict[str, str]]
"""Row to up card to letter."""
Ratings = dict[str, dict[str, float]]

CARD_NAMES = ("A", *(str(number) for number in range(2, 11)))
UP_CARDS = (*range(1, CLASSES), 0)
"""Up cards in the order of a chart: 2 to 10, ace."""


def hand_name(cards: tuple[int, ...]) -> str:
    """`10,6`: the largest card first, aces before all."""
    ordered = sorted(cards, key=lambda card: (card != 0, -card))
    return ",".join(CARD_NAMES[card] for card in ordered)


def name_of_hand(hand: int) -> str:
    """The name of a hand of the graph."""
    counts = hand_graph().counts[hand]
    return hand_name(tuple(card for card in range(CLASSES) for _ in range(int(counts[card]))))


def letter(hit: bool, double: bool, special: int) -> str:
    if special == SPLIT:
        return "P"
    if special == SURRENDER:
        return "R" if hit else "Rs"
    if double:
        return "D" if hit else "Ds"
    return "H" if hit else "S"


def charts_of(solution: Solution) -> dict[str, Grid]:
    """The total-dependent chart, part by part."""
    shown = [up for up in UP_CARDS if solution.game.shoe.cards[up] > 0]
    if isinstance(solution.game, MadnessGame):
        return _madness_charts(solution, shown)
    charts = {up: Chart.from_cells(solution.cells[up]) for up in shown}
    most = solution.game.rules.max_hands

    def by_total(first: int, last: int, offset: int, letter_of: Callable[[Chart, int], str] = _total_letter) -> Grid:
        return {
            str(total): {CARD_NAMES[up]: letter_of(chart, total + offset) for up, chart in charts.items()}
            for total in range(first, last + 1)
        }

    parts = _exchange_chart(solution, shown) | {"hard": by_total(5, 20, 0), "soft": by_total(13, 20, SOFT_CELL)}
    if most > 1:
        parts["pair"] = {
            hand_name((card, card)): {CARD_NAMES[up]: _pair_letter(chart, card) for up, chart in charts.items()}
            for card in (0, *range(CLASSES - 1, 0, -1))
        }
    if isinstance(solution.game, BaseGame):
        graph = graph_arrays(solution.game.rules, solution.game.round_)
        if most > 1 and graph.others.any():
            parts["house_hard"] = by_total(5, 20, 0, _house_letter)
            parts["house_soft"] = by_total(13, 20, SOFT_CELL, _house_letter)
        if graph.rescue:
            parts["doubled_hard"] = by_total(6, 20, 0, _doubled_letter)
            parts["doubled_soft"] = by_total(13, 20, SOFT_CELL, _doubled_letter)
    return parts


EXCHANGE_LETTERS = {KEEP: "K", EXCHANGE: "Z"}


def exchange_part(game: AnyGame) -> str:
    """The part of a chart about hands that may be thrown away is called as the question is; empty where none may be."""
    if not isinstance(game, BaseGame) or not game.exchangeable:
        return ""
    return declared_round(game.round_).questions[BEFORE_PLAY].id


def exchange_rows(game: AnyGame) -> dict[str, list[int]]:
    """The starting hands that may be thrown away, by the row of the chart that says whether they are: totals, then
    pairs."""
    rows: dict[str, list[int]] = {}
    for start in game.exchangeable if isinstance(game, BaseGame) else ():
        rows.setdefault(row_of_start(start), []).append(start)
    return dict(sorted(rows.items(), key=lambda row: ("," in row[0], int(row[0].partition(",")[0]))))


def _exchange_chart(solution: Solution, shown: list[int]) -> dict[str, Grid]:
    decided = solution.by_total.decisions
    grid = {
        row: {CARD_NAMES[up]: EXCHANGE_LETTERS[int(decided[up, starts[0]])] for up in shown}
        for row, starts in exchange_rows(solution.game).items()
    }
    return {exchange_part(solution.game): grid} if grid else {}


def _total_letter(chart: Chart, cell: int) -> str:
    return letter(bool(chart.hit[cell]), bool(chart.double[cell]), SURRENDER * int(chart.surrender[cell]))


def _house_letter(chart: Chart, cell: int) -> str:
    return letter(bool(chart.house_hit[cell]), bool(chart.house_double[cell]), 0)


def _doubled_letter(chart: Chart, cell: int) -> str:
    return letter(False, False, SURRENDER * int(chart.rescue[cell]))


def _pair_letter(chart: Chart, card: int) -> str:
    cell = int(cells_of_hands()[hand_graph().of(card, card)])
    return letter(bool(chart.hit[cell]), bool(chart.double[cell]), int(chart.pair[card]))


def _madness_charts(solution: Solution, shown: list[int]) -> dict[str, Grid]:
    letters = {STAND: "S", HIT: "H", DOUBLE: "D"}

    def rows(names: dict[str, int]) -> Grid:
        return {
            name: {CARD_NAMES[up]: letters[int(solution.cells[up, cell])] for up in shown}
            for name, cell in names.items()
        }

    stands = 21 + solution.game.rules.asks_on_21
    return {
        "first_card": rows({CARD_NAMES[card]: FIRST_CELL + card for card in UP_CARDS}),
        "hard": rows({str(total): total for total in range(4, stands)}),
        "soft": rows({str(total): SOFT_CELL + total for total in range(13, stands)}),
    }


def ratings_of(solution: Solution) -> dict[str, Ratings]:
    """What hands are worth before the decision between two of them, the dealer having no blackjack.

    Switch the cards if the two hands that makes are worth more together than the two that were dealt. Place the flex
    card so that the hand it makes and the single card that waits for the next card are worth the most together.
    """
    game = solution.game
    if not isinstance(game, SwitchGame | BarrelGame):
        return {}
    shown = [up for up in UP_CARDS if game.shoe.cards[up] > 0]
    two: Ratings = {
        hand_name(cards): {CARD_NAMES[up]: float(solution.ratings[up, start]) for up in shown}
        for start, cards in enumerate(START_CARDS)
    }
    natural = hand_name(START_CARDS[NATURAL_START])
    if isinstance(game, SwitchGame):
        if game.rules.switched_blackjack == 1:
            two[natural] = dict.fromkeys(two[natural], game.blackjack_pays)
        return {"switch": two}
    paid = two | {natural: dict.fromkeys(two[natural], game.blackjack_pays)}
    by_next = paid if game.rules.next_card_blackjack == 1 else two
    one_card: Ratings = {
        CARD_NAMES[card]: {CARD_NAMES[up]: _one_card_rating(game, up, card, by_next) for up in shown}
        for card in UP_CARDS
    }
    return {"flex_two_cards": paid, "flex_one_card": one_card}


def _one_card_rating(game: BarrelGame, up: int, card: int, two: Ratings) -> float:
    """What a hand of one card is worth that gets the next card of the shoe."""
    left = game.shoe.cards.copy()
    if not game.shoe.endless:
        left[up] -= 1
        left[card] -= 1
    chances = np.maximum(left, 0) / np.maximum(left, 0).sum()
    return float(
        sum(chances[following] * two[hand_name((card, following))][CARD_NAMES[up]] for following in range(CLASSES))
    )


@dataclass(frozen=True)
class Departure:
    """A hand whose cards call for another play than the chart has."""

    hand: str
    up_card: str
    chart: str
    best: str
    gain: float
    """What that is worth, for one unit wagered, once the hand is held and the dealer has no blackjack."""
    cards: int
    chance: float
    """How often the hand comes up under optimal play, against this up card, splits apart."""


def exceptions_of(solution: Solution) -> list[Departure]:
    """Where optimal play leaves the chart, the costliest first.

    Of games with two hands the starting hands, on average over the other hand. Where hands are thrown away, starting
    hands are those that are played, kept or new, and longer ones those that have been kept.
    """
    shown = [up for up in UP_CARDS if solution.game.shoe.cards[up] > 0]
    if isinstance(solution.game, MadnessGame):
        exceptions = [exception for up in shown for exception in _madness_exceptions(solution, up)]
    else:
        exceptions = [exception for up in shown for exception in _start_exceptions(solution, up)]
        exceptions += [exception for up in shown for exception in _exchange_exceptions(solution, up)]
        if solution.margins.shape[1]:
            exceptions += [exception for up in shown for exception in _longer_exceptions(solution, up)]
    return sorted(exceptions, key=lambda one: -one.gain * one.chance)


_LETTERS = {STAND: "S", HIT: "H", DOUBLE: "D", SPLIT: "P", SURRENDER: "R"}
_LEAST_GAIN = 1e-9


def _madness_exceptions(solution: Solution, up: int) -> Iterator[Departure]:
    graph = hand_graph()
    chart, best = solution.by_total.codes[up, 0], solution.best.codes[up, 0]
    chances = chances_met(solution, up, best)
    is_asked = (graph.total < 21 + solution.game.rules.asks_on_21) & (graph.size > 0)
    for hand in np.flatnonzero((chart != best) & is_asked):
        actions = [DOUBLE if code & DOUBLE_BIT else code & 3 for code in (int(chart[hand]), int(best[hand]))]
        gain = solution.values[up, hand, actions[1]] - solution.values[up, hand, actions[0]]
        if solution.values[up, hand].any() and gain > _LEAST_GAIN:
            yield _exception(int(hand), up, actions[0], actions[1], gain, chances[hand])


def _exception(
    hand: int,
    up: int,
    chart: int,
    best: int,
    gain: float,
    chance: float,
    letters_of: Mapping[int, str] = _LETTERS,
) -> Departure:
    size = int(hand_graph().size[hand])
    name, letters = name_of_hand(hand), (letters_of[chart], letters_of[best])
    return Departure(name, CARD_NAMES[up], *letters, float(gain), size, float(chance))


def _start_exceptions(solution: Solution, up: int) -> Iterator[Departure]:
    """Starting hands: every action's value is known."""
    values = average_values(solution, up)
    codes = solution.by_total.codes[up, 0]
    chances = met_weights(solution, up)[0].sum(0)
    for start, hand in enumerate(hand_graph().starts):
        here = values[start]
        if here[STAND] <= IMPOSSIBLE / 2 or hand_graph().total[hand] == 21:
            continue
        charted = _charted_action(int(codes[hand]), here)
        best = int(np.argmax(here))
        if here[best] - here[charted] > _LEAST_GAIN:
            yield _exception(int(hand), up, charted, best, here[best] - here[charted], chances[start])


def _exchange_exceptions(solution: Solution, up: int) -> Iterator[Departure]:
    """Starting hands that are thrown away although others of their total are kept, or the other way round."""
    values, chances = exchange_values(solution, up), weights_of(solution, up)[0].sum(0)
    for start, worth in values.items():
        charted, best = (int(plan.decisions[up, start]) for plan in (solution.by_total, solution.best))
        gain = worth[best] - worth[charted]
        if gain > _LEAST_GAIN:
            hand = int(hand_graph().starts[start])
            yield _exception(hand, up, charted, best, gain, chances[start], EXCHANGE_LETTERS)


def exchange_values(solution: Solution, up: int) -> dict[int, dict[int, float]]:
    """What keeping and throwing away is worth, by the starting hands that may be thrown away; the dealer having no
    blackjack where that is known by then."""
    game = solution.game
    if not isinstance(game, BaseGame) or not game.exchangeable:
        return {}
    deals = game.up_card(up)
    keep, exchange = deals.options(solution.values[up].max(2))
    lost = deals.dealer_blackjack[0] if deals.has_looked else np.zeros(len(keep))
    return {
        start: {KEEP: _known(keep[start], lost[start]), EXCHANGE: _known(worth, lost[start])}
        for start, worth in zip(game.exchangeable, exchange, strict=True)
        if deals.chances[0, start] > 0
    }


def _known(worth: float, lost: float) -> float:
    """What is worth so much while a blackjack that loses all of it has this chance, once there is known to be none."""
    return float((worth + lost) / (1 - lost))


def _charted_action(code: int, values: Array) -> int:
    special = code >> SPECIAL_AT & 7
    if special:
        return special
    if code & DOUBLE_BIT and values[DOUBLE] > IMPOSSIBLE / 2:
        return DOUBLE
    return code & 3


def _longer_exceptions(solution: Solution, up: int) -> Iterator[Departure]:
    """Hands of three cards and more: hit or stand."""
    graph = hand_graph()
    margins, codes = solution.margins[up], solution.by_total.codes[up, 0]
    differs = ((margins > 0) != (codes & 3 == HIT)) & (np.abs(margins) > _LEAST_GAIN) & (graph.size > 2)
    differs &= (codes >> 2 == 0) & (solution.best.codes[up, 0] >> 2 == 0)  # nor doubled or given up
    chances = chances_met(solution, up, solution.best.codes[up, 0])
    for hand in np.flatnonzero(differs & (chances > 0)):
        chart, best = (STAND, HIT) if margins[hand] > 0 else (HIT, STAND)
        yield _exception(int(hand), up, chart, best, abs(margins[hand]), chances[hand])


def chances_met(solution: Solution, up: int, codes: Array) -> Array:
    """How often each hand comes up when these codes are played, splits apart, whatever the hole card is. Hands that are
    new ones for those thrown away are left out."""
    graph, shoe = hand_graph(), solution.game.shoe
    left = shoe.cards.astype(float)
    if not shoe.endless:
        left[up] -= 1
    chances = np.zeros(len(codes))
    madness, is_base = isinstance(solution.game, MadnessGame), isinstance(solution.game, BaseGame)
    if madness:
        chances[[graph.of(card) for card in range(CLASSES)]] = np.maximum(left, 0) / left.sum()
    else:
        chances[graph.starts] = (met_weights(solution, up)[0][:1] if is_base else weights_of(solution, up)[0]).sum(0)
    for hand in range(1, len(codes)):
        goes_on = codes[hand] & 3 == HIT if madness else codes[hand] == HIT
        if chances[hand] > 0 and goes_on and graph.total[hand] < 21 + solution.game.rules.asks_on_21:
            following = graph.after[hand]
            now = left if shoe.endless else left - graph.counts[hand]
            alive = (following >= 0) & (now > 0)
            chances[following[alive]] += chances[hand] * now[alive] / now.sum()
    return chances


def average_values(solution: Solution, up: int) -> Array:
    """Values of every action of every starting hand, the dealer having no blackjack, on average over the other hand or
    the one that was thrown away."""
    values = solution.values[up]
    weights, lost = met_weights(solution, up)
    safe = 1 - lost if solution.game.rules.peek == 1 else np.ones_like(lost)
    if isinstance(solution.game, SwitchGame | BarrelGame):  # hands as they lie once the first decision is made
        _, weights = _deals(solution, up).weights(values.max(2))
    possible = values > IMPOSSIBLE / 2
    weighted = np.where(possible, values, 0) * weights[:, :, None]
    counted = (weights * safe)[:, :, None] * possible
    total = counted.sum(0)
    return np.asarray(np.divide(weighted.sum(0), total, out=np.full(total.shape, IMPOSSIBLE), where=total > 0))


def _deals(solution: Solution, up: int) -> SwitchUpCard | BarrelUpCard:
    assert isinstance(solution.game, SwitchGame | BarrelGame)
    return solution.game.up_card(up)


def weights_of(solution: Solution, up: int) -> tuple[Array, Array]:
    """For every other hand and starting hand as dealt: the chance of their cards, and that of a dealer's blackjack
    then."""
    shoe = solution.game.shoe
    left = shoe.cards.astype(float)
    if not shoe.endless:
        left[up] -= 1
    first, second = (np.array(cards) for cards in zip(*START_CARDS, strict=True))
    orders = np.where(first == second, 1.0, 2.0)
    if isinstance(solution.game, BaseGame):
        cards = [first[None], second[None]]
        orders = orders[None]
    else:
        cards = list(np.broadcast_arrays(first[None], second[None], first[:, None], second[:, None]))
        orders = orders[None] * orders[:, None]
    chance = chance_in_order(left, shoe.endless, cards) * orders
    return chance, chance_of_dealer_blackjack(left, shoe.endless, up, tuple(cards))


def met_weights(solution: Solution, up: int) -> tuple[Array, Array]:
    """The same, where hands are thrown away for those that are played on, by position."""
    game = solution.game
    if not isinstance(game, BaseGame) or not game.exchangeable:
        return weights_of(solution, up)
    deals = game.up_card(up)
    return deals.played(solution.best.decisions[up]), deals.dealer_blackjack


def edges_by_start(solution: Solution) -> dict[str, float]:
    """The edge once a hand is held, over all up cards; of games with two hands, of that hand alone."""
    game = solution.game
    won, chances = np.zeros(len(START_CARDS)), np.zeros(len(START_CARDS))
    if isinstance(game, MadnessGame):
        return _edges_by_first_card(solution, game)
    _, profit = against_blackjack(game.rules, game.blackjack_pays)
    for up, share in up_cards(game.shoe):
        weights, lost = weights_of(solution, up)
        if isinstance(game, BaseGame):
            value = game.up_card(up).worth(solution.values[up].max(2))[None]
        else:
            value = solution.values[up].max(2) - (lost if game.rules.peek == 1 else 0.0)
        met = lost[:, NATURAL_START]
        value[:, NATURAL_START] = game.blackjack_pays * (1 - met) + profit * met
        won += share * np.where(weights > 0, weights * value, 0).sum(0)
        chances += share * weights.sum(0)
    return {hand_name(cards): -won[i] / chances[i] for i, cards in enumerate(START_CARDS) if chances[i] > 0}


def _edges_by_first_card(solution: Solution, game: MadnessGame) -> dict[str, float]:
    won, chances = np.zeros(CLASSES), np.zeros(CLASSES)
    firsts = [hand_graph().of(card) for card in range(CLASSES)]
    for up, share in up_cards(game.shoe):
        left = game.shoe.cards.astype(float)
        if not game.shoe.endless:
            left[up] -= 1
        chance = np.maximum(left, 0) / left.sum()
        lost = chance_of_dealer_blackjack(left, game.shoe.endless, up, (np.arange(CLASSES),))
        won += share * chance * (solution.values[up, firsts].max(1) - lost)
        chances += share * chance
    return {CARD_NAMES[card]: -won[card] / chances[card] for card in UP_CARDS if chances[card] > 0}
