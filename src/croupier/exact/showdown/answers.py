"""A board's answers in rows, and those of a rule of thumb in the place of the best ones."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from croupier.exact.showdown.nodes import NOBODY_ASKS, Node, QuestionTree
from croupier.exact.showdown.threads import in_parts, unheard
from croupier.kernels.declaration import RuleOfThumb
from croupier.kernels.holdem import ANSWER_BITS, PAIRS, ROW_BYTES, board_sight, pair_index
from croupier.kernels.link import compile_cpu

Array = NDArray[Any]


def packed(best: Array) -> Array:
    """Answers by pair, `ANSWER_BITS` each."""
    each = 8 // ANSWER_BITS
    padded = np.zeros((len(best), ROW_BYTES * each), np.uint8)
    padded[:, :PAIRS] = best
    rows: Array = np.bitwise_or.reduce(
        [padded[:, place::each] << np.uint8(ANSWER_BITS * place) for place in range(each)]
    ).astype(np.uint8)
    return rows


def answer_by_rule(question: int, sight: int) -> int:
    """What a rule of thumb answers, put in when linked."""
    raise NotImplementedError("linked with a rule before use")


def follow_street(boards: Any, cards: Any, question: int, history: int, legal: int, best: Any) -> None:
    """What the rule answers to a question, for every board and every two other cards."""
    for at in range(len(boards)):
        for i in range(len(cards)):
            for j in range(i):
                own = 1 << cards[i] | 1 << cards[j]
                if own & boards[at] == 0:
                    answer = answer_by_rule(question, board_sight(own, boards[at], history))
                    while legal >> answer & 1 == 0:  # a rule may want more than a limit allows
                        answer -= 1
                    best[at, pair_index(cards[j], cards[i])] = answer


def follow_rule(
    rule: RuleOfThumb, tree: QuestionTree, cards: Array, boards: Array, forms: list[Array]
) -> tuple[dict[int, Array], Array]:
    """What a rule answers to every question: by node before the board is full, and in rows on the full board."""
    run = compile_cpu(follow_street, f"showdown-rule-{rule.id}", {"answer_by_rule": rule.answer})

    def answers_on(some: Array, node: Node) -> Array:
        best = np.zeros((len(some), PAIRS), np.uint8)
        if node.question != NOBODY_ASKS:
            legal = sum(1 << child.answer for child in node.children)
            run(some, cards, node.question, node.history, legal, best)
        return best

    best = {
        number: answers_on(forms[index], node)
        for index, street in enumerate(tree.streets)
        for number, node in tree.at(street)
    }
    rows = np.zeros((len(boards), max(1, len(tree.item_nodes)), ROW_BYTES), np.uint8)

    def fill(part: Array) -> None:
        for item, number in tree.item_nodes.items():
            rows[part, item - tree.first_question_item] = packed(answers_on(boards[part], tree.nodes[number]))

    in_parts(fill, np.arange(len(boards)), unheard)
    return best, rows
