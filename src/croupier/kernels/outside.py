"""A bet made of the text of a file that is not ours. `rules/outside.py` checks such a text before it comes here."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import Any

from croupier.kernels.bets import Bet, add_outside, find_bet
from croupier.kernels.link import WRITTEN

BET = "BET"
FILE = "<outside "
"""How the name begins that stands for such a file in code, and so in tracebacks and messages of compilers."""


def make_bet(name: str, text: str) -> Bet:
    """The `BET` of a text, made once in each process. `name` must be one that no other text has."""
    known = find_bet(name)
    if known is not None:
        return known
    tree = ast.parse(text)
    _Apart(_defined(tree)).visit(tree)
    file = file_of(name)
    WRITTEN[file] = text.encode()
    space: dict[str, Any] = {"__name__": __name__}  # compiled code that is read from disk asks for a module that exists
    exec(compile(tree, file, "exec"), space)
    bet = replace(space[BET], outside=(name, text))
    assert isinstance(bet, Bet)
    add_outside(name, bet)
    return bet


def file_of(name: str) -> str:
    return f"{FILE}{name}>"


def _defined(tree: ast.Module) -> set[str]:
    """Names that the text gives to its own functions and constants."""
    names = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    for node in tree.body:
        if isinstance(node, ast.Assign):
            names |= {target.id for target in node.targets if isinstance(target, ast.Name)}
    return names - {BET}


class _Apart(ast.NodeTransformer):
    """Gives those names an ending of their own: linking replaces names, and a helper may be called `draw`."""

    def __init__(self, names: set[str]) -> None:
        self.names = names

    def _apart(self, name: str) -> str:
        return f"{name}__outside" if name in self.names else name

    def visit_Name(self, node: ast.Name) -> ast.Name:
        node.id = self._apart(node.id)
        return node

    def visit_arg(self, node: ast.arg) -> ast.arg:
        node.arg = self._apart(node.arg)
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        node.name = self._apart(node.name)
        self.generic_visit(node)
        return node
