"""Community cards of which a seat knows something before they are dealt: the compiled part.

For each community card in turn a set says which cards it may be: a single one that was seen, or those whose backs look
alike. The round is the same, and is explored stage by stage as for its own strategy; only the cards that can come are
fewer.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from croupier.exact.stages import DONE
from croupier.exact.stages import pay as pay_in_stage
from croupier.exact.tree import DEPTH, IS_CARD, Tree, next_answer, take_card
from croupier.kernels.sets import JOKER, RANK_COUNT, SUIT, join_suits, split_suits

EVERY_CARD = -1
"""The set of all cards."""


class Foreseen(NamedTuple):
    """What is known, in the place of a strategy's tables."""

    place: int
    """Where community cards go."""
    allowed: Any
    """By the number of the card: the classes that it may be of, one bit each. Two such sets are equal or share nothing."""


def dealt_before(tree: Tree, step: int) -> int:
    """Community cards on the path before a step."""
    dealt = 0
    for earlier in range(step):
        if tree.kinds[earlier] == IS_CARD and tree.places[earlier] == tree.tables.place:
            dealt += 1
    return dealt


def allowed_at(tree: Tree, step: int, place: int) -> int:
    """The classes that a card at this step may be of."""
    if place != tree.tables.place:
        return EVERY_CARD
    return int(tree.tables.allowed[dealt_before(tree, step)])


def next_among(tree: Tree, below: int, allowed: int) -> int:
    """The highest of these classes below one that has cards left; -1 if there is none."""
    card = below - 1
    while card >= 0 and (tree.left[card] == 0 or allowed >> card & 1 == 0):
        card -= 1
    return card


def choose_card(tree: Tree, step: int, below: int, place: int) -> int:
    """`choose_card` of the tree, among those that the card may be."""
    if step == tree.flags[DEPTH]:
        card = next_among(tree, below, allowed_at(tree, step, place))
        take_card(tree, step, max(card, 0))
        if card < 0:
            tree.ways[step] = 0
    tree.places[step] = place
    return int(tree.path[step])


def advance(tree: Tree, fixed: int) -> bool:
    """`advance` of the tree, among those that a card may be."""
    step = tree.flags[DEPTH] - 1
    while step >= fixed:
        before = tree.path[step]
        if tree.kinds[step] == IS_CARD:
            tree.left[before] += 1
            following = next_among(tree, before, allowed_at(tree, step, tree.places[step]))
            if following >= 0:
                take_card(tree, step, following)
                return True
        else:
            following = next_answer(tree.legal[step], before)
            if following >= 0:
                tree.path[step] = following
                tree.flags[DEPTH] = step + 1
                return True
        step -= 1
    return False


def pay(world: Any, tree: Tree, seat: int, hand: int, wager: int, outcome: int, staked: int) -> Any:
    """`pay`: a round that is done early counts for all community cards that could still come."""
    weight = world[3]
    world = pay_in_stage(world, tree, seat, hand, wager, outcome, staked)
    if weight > 0 and world[3] == 0:
        tree.flags[DONE] *= ways_to_go_on(tree, world[0])
    return world


def ways_to_go_on(tree: Tree, step: int) -> int:
    """In how many ways the community cards after a step can come."""
    ways = 1
    dealt = dealt_before(tree, step)
    for number in range(dealt, len(tree.tables.allowed)):
        allowed = tree.tables.allowed[number]
        free = 0
        for card in range(len(tree.left)):
            if allowed >> card & 1:
                free += tree.left[card]
        for earlier in range(dealt, number):
            if tree.tables.allowed[earlier] == allowed:
                free -= 1
        ways *= max(free, 0)
    return ways


def canonical_but_clubs(hand: int, other: int) -> tuple[int, int]:
    """`canonical_with` where a club was seen: the other three suits may be exchanged."""
    mine, a, b, c = split_suits(hand)
    theirs, e, f, g = split_suits(other)
    a, b, c = a << RANK_COUNT | e, b << RANK_COUNT | f, c << RANK_COUNT | g
    a, b = max(a, b), min(a, b)
    b, c = max(b, c), min(b, c)
    a, b = max(a, b), min(a, b)
    first = join_suits(mine, a >> RANK_COUNT, b >> RANK_COUNT, c >> RANK_COUNT)
    second = join_suits(theirs, a & SUIT, b & SUIT, c & SUIT)
    return first | hand & JOKER, second | other & JOKER
