"""Two own cards and a board against a hidden hand: every board up to exchange of suits, every own hand.

Questions on the full board are answered board by board. Those before are answered by sums over all boards that begin
so, the last street first. A second pass over the boards, with the answers known, counts how often everything ends as
it does.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from itertools import combinations, pairwise, permutations
from math import comb
from queue import SimpleQueue
from typing import Any

import numpy as np
from numpy.typing import NDArray

from croupier.errors import NotComputedError
from croupier.exact.decide import TREE_WAGER, OneSeatGame, Progress
from croupier.exact.keep import is_kept, kept
from croupier.exact.showdown import compare, settlement
from croupier.exact.showdown.answers import follow_rule, packed
from croupier.exact.showdown.nodes import NOBODY_ASKS, Node, QuestionTree, plan_of, tree_of
from croupier.exact.showdown.paths import declared_showdown
from croupier.exact.showdown.result import Counted
from croupier.exact.showdown.strengths import (
    Cards,
    Changes,
    Examples,
    ShowdownResults,
    boards_of,
    compiled,
    compiled_alone,
    examples_of,
    settle,
)
from croupier.exact.showdown.threads import in_parts, new_ranked, part_of, unheard, workers
from croupier.exact.strategy.charts import Grid
from croupier.exact.strategy.result import Followed
from croupier.kernels.declaration import RuleOfThumb
from croupier.kernels.holdem import (
    CARD_BITS,
    HISTORY_AT,
    PAIRS,
    ROW_BYTES,
    BoardTables,
    board_cards,
    own_cards,
    pair_index,
    table_of,
)
from croupier.kernels.poker_words import LETTERS

Array = NDArray[Any]
LEAST_WIDE = 1 << 31


@cache
def exchanges() -> tuple[Array, Array]:
    """All exchanges of suits, and by each the pair that every pair becomes."""
    codes = [sum(to << 2 * suit for suit, to in enumerate(order)) for order in permutations(range(4))]
    moved = np.zeros((256, PAIRS), np.int16)
    for code in codes:
        places = [13 * (code >> 2 * (place // 13) & 3) + place % 13 for place in range(52)]
        for second in range(52):
            for first in range(second):
                to = sorted((places[first], places[second]))
                moved[code, pair_index(first, second)] = pair_index(to[0], to[1])
    return np.array(codes, np.int64), moved


@dataclass(frozen=True)
class BoardInputs:
    """All that the passes read."""

    game: OneSeatGame
    tree: QuestionTree
    cards: Cards
    boards: Array
    ways: Array
    dealers: int
    """Hands that the dealer may have."""
    examples: Examples
    settled: ShowdownResults
    streets: compare.Streets
    forms: list[Array]
    """The boards of each street."""
    changes: Changes = ()
    """What the passes are linked with besides."""

    @property
    def hands_on(self) -> int:
        """Own hands on a full board."""
        return comb(self.cards.total - self.tree.board, 2)

    @property
    def total(self) -> int:
        """Orders of the board, own hands, dealer's hands."""
        return int(self.ways.sum()) * self.tree.orders(0) * self.hands_on * self.dealers

    @cached_property
    def is_wide(self) -> list[bool]:
        """By street, whether its sums may need more than 32 bits: a hand and a board stand for at most 24."""
        worth = max(1, int(np.abs(self.settled.profit).max()))
        left = [comb(self.cards.total - 2 - street, self.tree.board - street) for street in self.tree.streets]
        ways = zip(self.tree.streets, left, strict=True)
        return [24 * count * self.tree.orders(street) * self.dealers * worth >= LEAST_WIDE for street, count in ways]

    @cached_property
    def plan(self) -> compare.SumPlan:
        return plan_of(self.tree, [len(forms) for forms in self.forms], self.is_wide)


def board_of(game: OneSeatGame, progress: Progress = unheard, known: int = 0) -> BoardInputs:
    """The boards of a game, and what every showdown on them comes to; the seat may know one card of the board."""
    showdown = declared_showdown(game)
    cards, tree = Cards.of(game), tree_of(game, known)
    if showdown.own != 2 or showdown.hidden != 2 or showdown.up or showdown.dealer_strength or tree.board > 5:
        raise NotComputedError(f"{game.name} has another board than this recipe counts.", code="too_many_deals")
    boards, ways = boards_of(cards, tree.board)
    examples = examples_of(game, cards, boards, progress)
    forms = [boards_of(cards, street)[0] if street else np.zeros(1, np.int64) for street in tree.streets]
    streets = streets_of(tree, forms)
    dealers = comb(cards.total - tree.board - 2, 2)
    settled = settle(game, examples, tree.paths)
    return BoardInputs(game, tree, cards, boards, ways, dealers, examples, settled, streets, forms)


def streets_of(tree: QuestionTree, forms: list[Array]) -> compare.Streets:
    """The boards of all streets as the passes read them."""
    return compare.Streets(
        keys=np.concatenate(forms),
        starts=np.cumsum([0, *map(len, forms)]),
        sizes=np.array(tree.streets, np.int64),
        moved=exchanges()[1],
    )


# The first pass: the best answers before the board is full.


@dataclass
class EarlyAnswers:
    """The answers to every question before the board is full."""

    best: dict[int, Array]
    """By node, board and hand."""
    worth: Array
    """Of the first question's answers, in the order of its children: sums by pair, over all exchanges of suits."""
    ties: int


def answer_streets(board: BoardInputs, progress: Progress) -> EarlyAnswers:
    """Sums over all boards, then the streets from the last to the first."""
    tree = board.tree
    sums = _sum_boards(board, progress)
    moved = exchanges()[1]
    codes = np.array(board.cards.exchanges(exchanges()[0]), np.int64)
    decide, fold = compiled_alone(compare.decide_street), compiled_alone(compare.fold_street, board.changes)
    best: dict[int, Array] = {}
    worth: dict[int, Array] = {}
    ties = 0
    for index in reversed(range(len(tree.streets))):
        street, forms = tree.streets[index], board.forms[index]
        later = tree.later(street)
        cells = sums.pop(index)
        if later:
            cells = np.concatenate([cells, np.zeros((len(forms), len(later), PAIRS), np.int64)], axis=1)
        for number, child in enumerate(later, len(tree.direct(street))):
            size = tree.nodes[child].street
            orders = tree.orders(street, size)
            fold(board.forms[tree.streets.index(size)], size, orders, worth[child], board.streets, index, number, cells)
        for number, node in tree.at(street):
            best[number] = np.zeros((len(forms), PAIRS), np.uint8)
            worth[number] = np.zeros((len(forms), PAIRS), np.int64)
            places = np.array([tree.place(street, child) for child in node.children], np.int64)
            answers = np.array([child.answer for child in node.children], np.int64)
            given = (places, answers, best[number], worth[number])
            alike = decide(forms, board.cards.deck, codes, moved, cells, *given)
            ties += alike if node.question != NOBODY_ASKS else 0
        for child in later:
            del worth[child]
    first = cells[0, [tree.place(0, child) for child in tree.nodes[0].children]].astype(np.int64)
    return EarlyAnswers(best, np.sum([first[:, moved[code]] for code in codes], axis=0), ties)


def _sum_boards(board: BoardInputs, progress: Progress) -> dict[int, Array]:
    """By street: the sums by board, item and pair."""
    plan, tree = board.plan, board.tree
    items = [len(tree.direct(street)) for street in tree.streets]
    sizes = [len(forms) * count * PAIRS for forms, count in zip(board.forms, items, strict=True)]
    wide = sum(size for size, is_wide in zip(sizes, board.is_wide, strict=True) if is_wide)
    narrow = sum(sizes) - wide
    threads = workers(8 * wide + 4 * narrow)
    free: SimpleQueue[tuple[compare.Ranked, Array, Array]] = SimpleQueue()
    made = []
    for _ in range(threads):
        scratch = new_ranked(board.examples.strengths.size, len(tree.items))
        made.append((scratch, np.zeros(max(wide, 1), np.int64), np.zeros(max(narrow, 1), np.int32)))
        free.put(made[-1])
    run = compiled(board.game, compare.sum_boards, board.changes)
    numbers = np.arange(len(board.boards))

    def sum_part(part: Array) -> None:
        mine = free.get()
        ranked, *sums = mine
        given = (board.cards.deck, board.dealers, tree.board, board.examples.strengths, ranked, board.streets, plan)
        run(board.boards[part], board.ways[part], *given, board.settled.profit, *sums)
        free.put(mine)

    in_parts(sum_part, numbers, progress, threads)
    _, all_wide, all_narrow = made.pop()
    while made:
        _, more_wide, more_narrow = made.pop()
        all_wide += more_wide
        all_narrow += more_narrow
    found = {}
    for index, forms in enumerate(board.forms):
        base = int(plan.base[index])
        flat = all_wide if board.is_wide[index] else all_narrow
        found[index] = flat[base : base + sizes[index]].reshape(len(forms), items[index], PAIRS)
    return found


# The second pass: how often everything ends as it does.


def _leaving(board: BoardInputs, best: Mapping[int, Array]) -> Array:
    """By board of any street and hand: how many orders lead from there to each item, packed."""
    tree = board.tree
    spread = compiled_alone(compare.spread_street)
    leaving = np.zeros((len(board.streets.keys), PAIRS), np.int64)
    reached: dict[int, Array] = {0: np.ones((1, PAIRS), np.int64)}
    for index, street in enumerate(tree.streets):
        rows = leaving[int(board.streets.starts[index]) : int(board.streets.starts[index + 1])]
        for number, node in tree.at(street):
            for child in node.children:
                if child.item >= 0:
                    orders = reached[number] * tree.orders(street)
                    rows += (orders * (best[number] == child.answer)) << child.item * compare.COUNT_BITS
                else:
                    size = tree.nodes[child.node].street
                    forms = board.forms[tree.streets.index(size)]
                    reached[child.node] = np.zeros((len(forms), PAIRS), np.int64)
                    given = (reached[number], board.streets, index, best[number], child.answer)
                    spread(forms, size, tree.orders(street, size), *given, reached[child.node])
            del reached[number]
    return leaving


def count_showdowns(
    board: BoardInputs, best: Mapping[int, Array], progress: Progress, given_rows: Array | None = None
) -> tuple[Array, Array, int]:
    """How often every path ends by strength and class, the answers on the full board, and ties there.

    `best` has the answers before the board is full, by node; those on the full board are looked for unless given.
    """
    tree, profit = board.tree, board.settled.profit
    leaving = _leaving(board, best)
    run = compiled(board.game, compare.count_ends)
    empty = (len(board.boards), max(1, len(tree.item_nodes)), ROW_BYTES)
    rows = np.zeros(empty, np.uint8) if given_rows is None else given_rows
    answers = np.zeros(len(tree.paths), np.int64)
    for number in tree.item_nodes.values():
        for child in tree.nodes[number].children:
            answers[child.end] = child.answer

    def count_part(part: Array) -> tuple[Array, int]:
        counts = np.zeros(profit.shape, np.int64)
        mine = rows[part]
        ranked = new_ranked(board.examples.strengths.size, len(tree.items))
        given = (board.cards.deck, board.dealers, tree.board, board.examples.strengths, ranked, board.streets)
        more = (board.plan, profit, exchanges()[0], leaving, answers, tree.first_question_item)
        follows = given_rows is not None
        ties = run(board.boards[part], board.ways[part], *given, *more, follows, counts, mine)
        rows[part] = mine
        return counts, ties

    parts = in_parts(count_part, np.arange(len(board.boards)), progress)
    return sum((counts for counts, _ in parts), np.zeros(profit.shape, np.int64)), rows, sum(ties for _, ties in parts)


# The result.


def tables_of(board: BoardInputs, answered: EarlyAnswers, rows: Array) -> BoardTables:
    """The answers to all questions."""
    tree = board.tree
    tables = [(np.zeros(0, np.int64), np.zeros((0, ROW_BYTES), np.uint8))] * (2 * len(board.game.declared.questions))
    for number, node in enumerate(tree.nodes):
        if node.question != NOBODY_ASKS:
            if node.street == tree.board:
                item = next(item for item, of in tree.item_nodes.items() if of == number)
                forms, answers = board.boards, rows[:, item - tree.first_question_item]
            else:
                forms, answers = board.forms[tree.streets.index(node.street)], packed(answered.best[number])
            keys = _pack_all(forms)
            order = np.argsort(keys)
            tables[table_of(node.question, node.history)] = keys[order], answers[order]
    return BoardTables(
        keys=np.concatenate([keys for keys, _ in tables]),
        starts=np.cumsum([0, *(len(keys) for keys, _ in tables)]),
        answers=np.concatenate([answers for _, answers in tables]),
    )


def _pack_all(boards: Array) -> Array:
    """`pack_cards` of many sets."""
    left, packed = boards.copy(), np.zeros(len(boards), np.int64)
    while left.any():
        lowest = left & -left
        packed = np.where(left > 0, packed << CARD_BITS | np.log2(np.maximum(lowest, 1)).astype(np.int64) + 1, packed)
        left ^= lowest
    return packed


@dataclass(frozen=True, kw_only=True)
class BoardCounted(Counted):
    """A game with a board, decided."""

    answers: BoardTables
    first_worth: Array
    """Of the first question's answers, by pair, summed over everything and over all exchanges of suits."""

    @property
    def tables(self) -> BoardTables:
        return self.answers

    @cached_property
    def board(self) -> BoardInputs:
        return board_of(self.game)

    @cached_property
    def first(self) -> tuple[Node, int]:
        """The question of the empty board, and of how many deals the worth of each pair is a sum."""
        tree = tree_of(self.game)
        total = self.game.deck.total
        deals = comb(total - 2, tree.board) * tree.orders(0) * comb(total - 2 - tree.board, 2)
        return tree.nodes[0], deals * len(Cards.of(self.game).exchanges(exchanges()[0]))

    @property
    def charts(self) -> dict[str, Grid]:
        """A grid of holdings: suited above the diagonal, of two suits below it."""
        node, _ = self.first
        if node.question == NOBODY_ASKS:
            return {}
        question = self.game.declared.questions[node.question]
        ranks = sorted({(card // 4 + 12) % 13 for card in self.game.deck.cards}, reverse=True)
        grid: Grid = {}
        for row in ranks:
            cells = {}
            for column in ranks:
                suited = column < row
                low, high = sorted((row, column + (0 if suited else 13)))
                cells[LETTERS[column]] = question.words[self._first_answer(low, high)] if low != high else ""
            grid[LETTERS[row]] = cells
        return {question.id: grid}

    def _first_answer(self, low: int, high: int) -> int:
        values = self.first_values(pair_index(low, high))
        node, _ = self.first
        best = max(values.values())
        return next(child.answer for child in reversed(node.children) if values[child.answer] == best)

    def first_values(self, pair: int) -> dict[int, Fraction]:
        node, deals = self.first
        unit = deals * TREE_WAGER * self.game.scale
        return {
            child.answer: Fraction(int(self.first_worth[number, pair]), unit)
            for number, child in enumerate(node.children)
        }

    @cached_property
    def followed(self) -> tuple[Followed, ...]:
        """The rules that people know."""
        edges = [(rule, self._edge_by(rule)) for rule in self.game.declared.rules_of_thumb]
        return tuple(Followed(rule.id, rule.text, float(edge), float(edge - self.edge)) for rule, edge in edges)

    def _edge_by(self, rule: RuleOfThumb) -> Fraction:
        def make() -> tuple[Array, ...]:
            board = self.board
            best, rows = follow_rule(rule, board.tree, board.cards.places, board.boards, board.forms)
            counts, _, _ = count_showdowns(board, best, unheard, rows)
            return _sums(self.game, _checked(board, counts), board.settled)

        profit, _, _ = kept(
            f"{_kept_name(self.game)}-{rule.id}", [*_sources(self.game), follow_rule, rule.answer], make, ships=True
        )
        return -_mean(profit, TREE_WAGER * self.game.scale)

    def values_at(self, question: int, sight: int) -> Mapping[int, Fraction]:
        own, board = own_cards(sight), board_cards(sight)
        if board == 0 and self.first[0].question == question:
            return self.first_values(pair_index((own & -own).bit_length() - 1, own.bit_length() - 1))
        tree = self.board.tree
        asked = (question, sight >> HISTORY_AT)
        node = next(node for node in tree.nodes if (node.question, node.history) == asked)
        deals = comb(self.game.deck.total - 2 - node.street, tree.board - node.street) * tree.orders(node.street)
        unit = deals * self.board.dealers * TREE_WAGER * self.game.scale
        worth = self._weigh(own, board, node)
        return {answer: Fraction(value, unit) for answer, value in worth.items()}

    def _weigh(self, own: int, board: int, node: Node) -> dict[int, int]:
        """What each answer at a sight is worth, summed over all orders of the cards after it."""
        tree, orders = self.board.tree, self.board.tree.orders(node.street)
        worth = dict.fromkeys((child.answer for child in node.children), 0)
        direct = [child for child in node.children if child.item >= 0 or node.street == tree.board]
        if direct:
            items, ends = self._weigh_alone(own, board, tree.board - node.street)
            for child in direct:
                worth[child.answer] = orders * int(ends[child.end] if child.end >= 0 else items[child.item])
        for child in node.children:
            if child.item < 0 and child.node >= 0:
                later = tree.nodes[child.node]
                left = [place for place in self.board.cards.places.tolist() if not (board | own) >> place & 1]
                size = later.street - node.street
                each = tree.orders(node.street, later.street)
                for more in combinations(left, size):
                    after = self._weigh(own, board | sum(1 << place for place in more), later)
                    worth[child.answer] += each * max(after.values())
        return worth

    def _weigh_alone(self, own: int, board: int, missing: int) -> tuple[Array, Array]:
        tree = self.board.tree
        items, ends = np.zeros(len(tree.items), np.int64), np.zeros(len(tree.paths), np.int64)
        scratch = [np.zeros(compare.DECK_PLACES, np.int64) for _ in range(2)]
        run = compiled(self.game, compare.weigh_sight)
        given = (self.board.cards.deck, self.board.examples.strengths, self.board.plan, self.board.settled.profit)
        run(own, board, missing, *given, *scratch, np.zeros(compare.CLASSES, np.int64), items, ends)
        return items, ends


def deals_of(game: OneSeatGame) -> int:
    """In how many ways the cards of a round can lie, where the order of those that come at once does not matter."""
    showdown, left, deals = declared_showdown(game), game.deck.total, 1
    streets = pairwise([*tree_of(game).streets, showdown.board])
    for count in (showdown.own, showdown.hidden, *(later - earlier for earlier, later in streets)):
        deals *= comb(left, count)
        left -= count
    return deals


def _kept_name(game: OneSeatGame) -> str:
    identity = (game.rules, game.deck, sorted(game.pays.items()))
    return f"board-{game.name}-{hashlib.sha256(repr(identity).encode()).hexdigest()[:16]}"


def _sources(game: OneSeatGame) -> list[Any]:
    return [compare, settlement, game.declared.play, board_of]


def is_counted_already(game: OneSeatGame) -> bool:
    """Whether `count` would find it on disk."""
    return is_kept(_kept_name(game), _sources(game))


def count(game: OneSeatGame, progress: Progress | None = None, *, keep: bool = True) -> Counted:
    """The best answers, and what they come to."""
    tell = progress or unheard

    def make() -> tuple[Array, ...]:
        board = board_of(game, part_of(tell, 0, 0.1))
        answered = answer_streets(board, part_of(tell, 0.1, 0.6))
        counts, rows, ties = count_showdowns(board, answered.best, part_of(tell, 0.6, 1))
        tables = tables_of(board, answered, rows)
        sums = _sums(game, _checked(board, counts), board.settled)
        return (*sums, np.array([ties + answered.ties]), answered.worth, *tables)

    arrays = kept(_kept_name(game), _sources(game), make, ships=True) if keep else make()
    tell(1.0)
    return _result(game, arrays)


def _checked(board: BoardInputs, counts: Array) -> Array:
    """The counts of all showdowns, if none is missing."""
    if int(counts.sum()) != board.total:
        raise NotComputedError(
            f"The showdowns of {board.game.name} add up to {int(counts.sum())}, not to the {board.total} there are.",
            code="ways_mismatch",
        )
    return counts


def _sums(game: OneSeatGame, counts: Array, settled: ShowdownResults) -> tuple[Array, ...]:
    """Distinct profits, with how often each; the same of money staked; and of each cell by money."""

    def by_value(values: Array) -> Array:
        found, where = np.unique(values, return_inverse=True)
        often = np.zeros(len(found), np.int64)
        np.add.at(often, where.ravel(), counts.ravel())
        return np.stack([found, often])

    cells = [np.insert(by_value(settled.money[..., cell]), 0, cell, axis=0) for cell in range(settled.money.shape[-1])]
    return by_value(settled.profit), by_value(settled.staked), np.concatenate(cells, axis=1)


def _mean(rows: Array, unit: int, power: int = 1) -> Fraction:
    """The mean of values, or of their powers, in a unit; `rows` has each value and how often it is."""
    total = sum(rows[1].tolist())
    return Fraction(sum(value**power * often for value, often in rows.T.tolist()), total * unit**power)


def _result(game: OneSeatGame, arrays: tuple[Array, ...]) -> BoardCounted:
    profit, staked, cells, ties, first_worth, *tables = arrays
    total = sum(profit[1].tolist())
    endings = {}
    for cell, (wager, outcome) in enumerate(game.endings):
        rows = [(money, often) for at, money, often in cells.T.tolist() if at == cell and money >= 0 and often]
        if rows:
            put = Fraction(sum(money * often for money, often in rows), total * TREE_WAGER)
            won = put * game.pays.get((wager.id, outcome), Fraction(-1))
            often = Fraction(sum(often for _, often in rows), total)
            endings[wager.id, outcome] = (often, put * (not wager.pays_on), won)

    return BoardCounted(
        game=game,
        edge=-_mean(profit, TREE_WAGER * game.scale),
        square=_mean(profit, TREE_WAGER * game.scale, power=2),
        staked=_mean(staked, TREE_WAGER),
        endings=endings,
        deals=deals_of(game),
        ties=int(ties[0]),
        answers=BoardTables(*tables),
        first_worth=first_worth,
    )
