"""Rounds whose sights tell all, question by question: each sight is looked at once, whatever led to it.

The questions that a seat is asked one after another are the stages of a round. From one way to reach a sight, a run
goes on as in the tree, and stops where the next question is asked: what comes then is known by its sight alone. So
each stage is worth what its cards and the next stage come to, and a round takes as many runs as there are sights and
cards, not as there are deals. Counting begins anew at each sight, and is multiplied by what led there. A run also
stops when all money on the table is paid: cards that come after a fold decide nothing.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from croupier.exact.tree import (
    ANSWER,
    DEPTH,
    ENDED,
    IS_ANSWER,
    LOW_WORD,
    NO_KEY,
    NOTHING_SEEN,
    PLAIN_SUMS,
    REFUSED,
    UNLIKE,
    WORD,
    Tree,
    add_leaf,
    advance,
    lowest,
    play,
    slot_of,
    take_card,
)
from croupier.exact.tree import pay as pay_in_tree
from croupier.kernels.sights import key_of, place_in

NEXT, NEXT_LEGAL, REACHED, UNIT, MONEY, DONE = range(7, 13)
"""More cells of `flags`: the next question, its legal answers, in how many ways it was reached; what a way counts from
the stage's own question on; the money on the table, and the weight of a run that is done as there is none left."""
STAGE_FLAGS = 13
NO_QUESTION = -1
"""The stage before the first question."""
UNANSWERED = -1
"""Stands in a path for the first answer; others are below it."""
NO_STEP = 1 << 20
"""Stands in a path behind its last step."""
FIND, DECIDE, ACCOUNT = range(3)
"""What runs are made for: the questions that come next; the worth of each answer; how rounds end, and how often each
question comes, under the answers that the paths have."""


class StageSums(NamedTuple):
    """What the runs of a stage fill. Sums are two words, as in the tree."""

    keys: Any
    """Questions that come next: of FIND by open addressing, else in rising order."""
    legals: Any
    found: Any
    """FIND: a path to each of them."""
    lengths: Any
    known: Any
    """DECIDE: the plain sums of each one's best answer, for one way to come there."""
    sums: Any
    """DECIDE: the plain sums by path and answer."""
    ways: Any
    """ACCOUNT: in how many ways each path comes."""
    reached: Any
    """ACCOUNT: in how many ways the next questions come."""
    total: Any
    """ACCOUNT: the sums of all rounds that end here."""


def ask(world: Any, tree: Tree, seat: int, hand: int, question: int, legal: int, sight: int) -> tuple[int, Any]:
    """`ask`: earlier questions as on the path, this stage's every answer in turn; at the next the run stops."""
    step, cards_out, questions, weight, profit, staked, seen = world
    if weight == 0:
        return lowest(legal), world
    if questions > tree.level:
        tree.flags[NEXT] = key_of(sight, question)
        tree.flags[NEXT_LEGAL] = legal
        tree.flags[REACHED] = weight
        return lowest(legal), (step, cards_out, questions, 0, profit, staked, seen)
    if step == tree.flags[DEPTH]:
        tree.path[step] = lowest(legal)
        tree.kinds[step] = IS_ANSWER
        tree.legal[step] = legal
        tree.flags[DEPTH] = step + 1
    answer = int(tree.path[step])
    if questions == tree.level:
        tree.flags[ANSWER] = answer
        weight = tree.flags[UNIT]
    return answer, (step + 1, cards_out, questions + 1, weight, profit, staked, seen)


def stake(world: Any, tree: Tree, seat: int, hand: int, wager: int, amount: int) -> Any:
    """`stake`: money on the table, or off it."""
    tree.flags[MONEY] += amount
    return world


def pay(world: Any, tree: Tree, seat: int, hand: int, wager: int, outcome: int, staked: int) -> Any:
    """`pay`: as in the tree; with the last money on the table the run is done."""
    step, cards_out, questions, weight, profit, put, seen = pay_in_tree(world, tree, seat, hand, wager, outcome, staked)
    if tree.stakeless[wager] != 1:
        tree.flags[MONEY] -= staked
    if tree.flags[MONEY] == 0 and weight > 0:
        tree.flags[DONE] = weight
        weight = 0
    return (step, cards_out, questions, weight, profit, put, seen)


def start_at(tree: Tree, path: Any) -> int:
    """Puts a path on the tree: classes of cards, and answers as numbers below 0; its length."""
    for card in range(len(tree.left)):
        tree.left[card] = tree.counts[card]
    length = 0
    for step in range(len(path)):
        if path[step] == NO_STEP:
            break
        length = step + 1
        if path[step] >= 0:
            take_card(tree, step, path[step])
        else:
            tree.path[step] = -1 - path[step]
            tree.kinds[step] = IS_ANSWER
            tree.flags[DEPTH] = step + 1
    return length


def add_times(row: Any, cell: int, words: Any, times: int) -> None:
    """Adds a sum of two words, so many times, to another."""
    low = row[cell, 1] + words[1] * times
    row[cell, 0] += words[0] * times + (low >> WORD)
    row[cell, 1] = low & LOW_WORD


def explore_stage(tree: Tree, task: int, work: StageSums, paths: Any) -> bool:
    """All runs from these paths on; False if there is no room for what is found."""
    for number in range(len(paths)):
        fixed = start_at(tree, paths[number])
        start, going = 1, True
        tree.flags[UNIT] = 1
        if task == ACCOUNT:
            tree.flags[UNIT] = work.ways[number]
            start = work.ways[number] if tree.level == NO_QUESTION else 1
            going = work.ways[number] > 0
        while going:
            tree.flags[ENDED] = 0
            tree.flags[ANSWER] = 0
            tree.flags[NEXT] = NO_KEY
            tree.flags[MONEY] = 0
            tree.flags[DONE] = 0
            world = play((0, 0, 0, start, 0, 0, NOTHING_SEEN), tree, tree.memory, tree.stakes, tree.rules)
            world = with_weight(world, tree.flags[DONE])
            if task == FIND:
                if tree.flags[NEXT] != NO_KEY and not note_next(tree, work):
                    return False
            elif task == DECIDE:
                add_decided(tree, world, work, work.sums[number, tree.flags[ANSWER]])
            elif tree.flags[NEXT] != NO_KEY:
                work.reached[place_in(work.keys, tree.flags[NEXT])] += tree.flags[REACHED]
            elif world[3] != 0:
                add_leaf(tree, world, work.total)
            going = advance(tree, fixed)
    return True


def with_weight(world: Any, weight: int) -> Any:
    """The end of a run with the weight that it had when it was done."""
    step, cards_out, questions, _none, profit, put, seen = world
    return (step, cards_out, questions, weight, profit, put, seen)


def note_next(tree: Tree, work: StageSums) -> bool:
    """The question that comes next, with the path that leads there; False if there is no room for it."""
    slot = slot_of(work.keys, tree.flags[NEXT])
    if slot >= 0 and work.keys[slot] == NO_KEY:
        work.keys[slot] = tree.flags[NEXT]
        work.legals[slot] = tree.flags[NEXT_LEGAL]
        for step in range(tree.flags[DEPTH]):
            is_answer = tree.kinds[step] == IS_ANSWER
            work.found[slot, step] = UNANSWERED - tree.path[step] if is_answer else tree.path[step]
        work.lengths[slot] = tree.flags[DEPTH]
    elif slot >= 0 and work.legals[slot] != tree.flags[NEXT_LEGAL]:
        tree.flags[REFUSED] = UNLIKE
    return slot >= 0


def add_decided(tree: Tree, world: Any, work: StageSums, row: Any) -> None:
    """What a run comes to under this stage's answer, by what is known of the next."""
    if tree.flags[NEXT] != NO_KEY:
        at = place_in(work.keys, tree.flags[NEXT])
        for cell in range(PLAIN_SUMS):
            add_times(row, cell, work.known[at, cell], tree.flags[REACHED])
    elif world[3] != 0:
        tree.flags[ENDED] = 0  # how wagers end is counted when all is decided
        add_leaf(tree, world, row)
