"""The questions of a round with a board, street by street, and what each of their answers leads to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from math import factorial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from croupier.errors import NotComputedError
from croupier.exact.decide import OneSeatGame
from croupier.exact.showdown.compare import SumPlan
from croupier.exact.showdown.paths import Path, PathStep, declared_showdown, paths_of
from croupier.kernels.holdem import HISTORY_AT, PAIRS
from croupier.kernels.sets import set_of

Array = NDArray[Any]
NOBODY_ASKS = -1
MOST_ITEMS = 8
FULL = -1


@dataclass(frozen=True)
class Child:
    """What an answer leads to."""

    answer: int
    staked: int
    """Money on the table then."""
    item: int
    """Of what is weighed on the full board; -1 where another question comes before that."""
    node: int
    """That question; -1 where there is none."""
    end: int
    """The path that ends here; -1 where there is a question."""


@dataclass(frozen=True)
class Node:
    """A question, after certain answers."""

    street: int
    """How many cards of the board lie there."""
    question: int
    """NOBODY_ASKS where the round goes on by itself."""
    history: int
    """What a sight says of the answers before it."""
    children: tuple[Child, ...]
    """In rising order of money."""


@dataclass(frozen=True)
class QuestionTree:
    """All questions of a round; the first node is that of the empty board."""

    nodes: list[Node]
    paths: list[Path]
    board: int
    """Cards of the full board."""
    known: int = 0
    """The card of the board, counted from 1, that the seat knows from the first; 0 where it knows none."""
    items: list[tuple[int, ...]] = field(default_factory=list)
    """What is weighed on the full board: a path that nothing is asked on any more, or the ends of a question there, in
    rising order of money."""
    item_nodes: dict[int, int] = field(default_factory=dict)
    """The items that are questions, with their nodes."""

    def seen_at(self, step: PathStep) -> int:
        """Cards of the board that a seat knows when it is asked."""
        return step.board_seen + (self.known > step.board_seen)

    @cached_property
    def streets(self) -> list[int]:
        """Cards of the board where something is asked before the board is full, and none."""
        return sorted({0, *(node.street for node in self.nodes if node.street < self.board)})

    def at(self, street: int) -> Iterator[tuple[int, Node]]:
        """The questions of a street."""
        return ((number, node) for number, node in enumerate(self.nodes) if node.street == street)

    def direct(self, street: int) -> list[int]:
        """The items that questions of a street lead to at once."""
        return sorted({child.item for _, node in self.at(street) for child in node.children if child.item >= 0})

    def later(self, street: int) -> list[int]:
        """The questions of later streets, before the board is full, that they lead to."""
        children = (child for _, node in self.at(street) for child in node.children)
        return sorted({child.node for child in children if child.item < 0})

    def place(self, street: int, child: Child) -> int:
        """Where the worth of an answer stands among those of its street: items first, then questions."""
        items = self.direct(street)
        if child.item >= 0:
            return items.index(child.item)
        return len(items) + self.later(street).index(child.node)

    def orders(self, street: int, later: int = FULL) -> int:
        """In how many orders the cards after a street can come, up to a later one or to the full board."""
        return factorial((self.board if later == FULL else later) - street)

    @property
    def first_question_item(self) -> int:
        """Items from here on are questions on the full board."""
        return len(self.items) - len(self.item_nodes)


def tree_of(game: OneSeatGame, known: int = 0) -> QuestionTree:
    """The questions as the round asks them; a board's questions are the same for all cards. A seat may know one card
    of the board before it lies there: it is asked as on a later street."""
    showdown = declared_showdown(game)
    cards = list(game.deck.cards)
    own, hidden, board = cards[: showdown.own], cards[showdown.own :][: showdown.hidden], showdown.board
    places = [int(set_of([card])).bit_length() - 1 for card in cards[showdown.own + showdown.hidden :][:board]]
    paths = paths_of(game, (set_of(own), 0, set_of(hidden)), places)
    tree = QuestionTree([], paths, board, known)
    _add_node(game, tree, list(range(len(paths))), 0)
    for node in tree.nodes:
        if node.street < board:
            for child in node.children:
                if child.node >= 0 and tree.nodes[child.node].street == node.street:
                    raise _refuse(game, "it asks twice on one street")
    asked = [(node.question, node.history) for node in tree.nodes]
    if len(set(asked)) < len(asked) or any(node.history > 1 for node in tree.nodes):
        raise _refuse(game, "a sight does not say which question is asked")
    return _with_items(game, tree)


def _refuse(game: OneSeatGame, why: str) -> NotComputedError:
    return NotComputedError(f"{game.name} cannot be counted: {why}.", code="too_many_deals")


def _add_node(game: OneSeatGame, tree: QuestionTree, within: Sequence[int], depth: int) -> int:
    """A node for the paths that share their answers up to a depth; its children follow it."""
    paths = tree.paths
    asked = paths[within[0]].asked[depth] if len(paths[within[0]].asked) > depth else None
    number = len(tree.nodes)
    if number == 0 and (asked is None or tree.seen_at(asked) > 0):  # nothing is asked before the first cards
        tree.nodes.append(Node(0, NOBODY_ASKS, 0, ()))
        child = _child(game, tree, within, depth, 0)
        tree.nodes[number] = Node(0, NOBODY_ASKS, 0, (child,))
        return number
    assert asked is not None
    tree.nodes.append(Node(tree.seen_at(asked), asked.question, asked.sight >> HISTORY_AT, ()))
    answers = sorted({paths[one].asked[depth].answer for one in within})
    children = []
    for answer in answers:
        after = [one for one in within if paths[one].asked[depth].answer == answer]
        children.append(_child(game, tree, after, depth + 1, answer))
    ordered = tuple(sorted(children, key=lambda child: child.staked))
    tree.nodes[number] = Node(tree.seen_at(asked), asked.question, asked.sight >> HISTORY_AT, ordered)
    return number


def _child(game: OneSeatGame, tree: QuestionTree, within: Sequence[int], depth: int, answer: int) -> Child:
    path = tree.paths[within[0]]
    if len(path.asked) == depth:
        return Child(answer, path.staked, -1, -1, within[0])
    return Child(answer, path.asked[depth].staked_before, -1, _add_node(game, tree, within, depth), -1)


def _with_items(game: OneSeatGame, tree: QuestionTree) -> QuestionTree:
    """The same with what is weighed on the full board."""
    before = [child for node in tree.nodes if node.street < tree.board for child in node.children]
    ends = [child.end for child in before if child.end >= 0]
    last = [number for number, node in enumerate(tree.nodes) if node.street == tree.board]
    items = [(end,) for end in ends] + [tuple(child.end for child in tree.nodes[number].children) for number in last]
    if len(items) > MOST_ITEMS:
        raise _refuse(game, "it has too many ends")
    item_of_end = {end: item for item, end in enumerate(ends)}
    item_of_node = {number: len(ends) + item for item, number in enumerate(last)}

    def with_item(child: Child) -> Child:
        item = item_of_end.get(child.end, -1) if child.end >= 0 else item_of_node.get(child.node, -1)
        return Child(child.answer, child.staked, item, child.node, child.end)

    nodes = [
        Node(node.street, node.question, node.history, tuple(map(with_item, node.children))) for node in tree.nodes
    ]
    nodes_of_items = {item: number for number, item in item_of_node.items()}
    return QuestionTree(nodes, tree.paths, tree.board, tree.known, items, nodes_of_items)


def plan_of(tree: QuestionTree, boards: Sequence[int], is_wide: Sequence[bool]) -> SumPlan:
    """The same as arrays; `boards` is how many boards each street has."""
    direct = [tree.direct(street) for street in tree.streets]
    base, ends = {True: 0, False: 0}, []
    for count, items, wide in zip(boards, direct, is_wide, strict=True):
        ends.append(base[wide])
        base[wide] += count * len(items) * PAIRS

    def numbers(values: Any) -> Array:
        return np.array(list(values), np.int64)

    return SumPlan(
        first_end=np.cumsum([0, *map(len, tree.items)]),
        ends=numbers(end for item in tree.items for end in item),
        of_street=np.cumsum([0, *map(len, direct)]),
        items=numbers(item for items in direct for item in items),
        base=numbers(ends),
        factor=numbers(map(tree.orders, tree.streets)),
        is_wide=np.array(list(is_wide), np.bool_),
    )


def gaps(starts: Array) -> list[slice]:
    """The pieces between starts."""
    return [slice(int(begin), int(end)) for begin, end in pairwise(starts)]
