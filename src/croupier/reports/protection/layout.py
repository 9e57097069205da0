"""A wager's return laid out as the program reads it that watches shoes."""

from __future__ import annotations

import numpy as np

from croupier.cards import DECK_SIZE
from croupier.exact.protection.terms import FREE, Terms
from croupier.simulate.counted_shoes import Return


def lay_out(terms: Terms) -> Return:
    """The tree of products: terms in order, so that those which begin alike lie together."""
    class_of_card = np.full(DECK_SIZE, -1, np.int64)
    for number, members in enumerate(terms.classes):
        class_of_card[list(members)] = number
    factors: dict[tuple[int, int], int] = {}
    paths = [
        tuple(factors.setdefault((number, int(code)), len(factors)) for number, code in enumerate(line) if code)
        for line in terms.kinds.tolist()
    ]
    order = sorted(range(len(paths)), key=lambda term: paths[term])
    depths: list[int] = []
    used: list[int] = []
    sizes: list[int] = []
    columns: list[list[float]] = []
    before: tuple[int, ...] = ()
    scaled = terms.coefficients / terms.scale
    for term in order:
        path = paths[term]
        shared = next((at for at, (one, other) in enumerate(zip(path, before, strict=False)) if one != other), None)
        start = min(len(path), len(before)) if shared is None else shared
        for depth in range(start, len(path)):
            ends = depth == len(path) - 1
            depths.append(depth)
            used.append(path[depth])
            sizes.append(int(terms.sizes[term]) if ends else 0)
            columns.append(scaled[:, term].tolist() if ends else [0.0] * len(scaled))
        before = path
    return Return(
        class_of_card=class_of_card,
        suit_sets=np.array(terms.suit_sets, np.int64),
        factor_class=np.array([number for number, _ in factors], np.int64),
        factor_painted=np.array([code // FREE for _, code in factors], np.int64),
        factor_free=np.array([code % FREE for _, code in factors], np.int64),
        depths=np.array(depths, np.int64),
        factors=np.array(used, np.int64),
        nexts=np.array(_nexts(depths), np.int64),
        sizes=np.array(sizes, np.int64),
        coefficients=np.ascontiguousarray(np.array(columns).T.reshape(len(scaled), len(depths))),
    )


def _nexts(depths: list[int]) -> list[int]:
    """For each node the first one behind it that is no deeper."""
    result = [len(depths)] * len(depths)
    open_nodes: list[int] = []
    for node, depth in enumerate(depths):
        while open_nodes and depths[open_nodes[-1]] >= depth:
            result[open_nodes.pop()] = node
        open_nodes.append(node)
    return result
