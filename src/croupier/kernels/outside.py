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
LARGEST_INTEGER = 2**63 - 1
TOO_LARGE = "a number does not fit into 63 bits"
GROWING = (ast.Add, ast.Sub, ast.Mult)
"""Operators, besides <<, that make numbers longer."""
FITS, SHIFTED = "croupier__fits", "croupier__shifted"
"""Names in a file's code for the functions below, which are not those of any variable in it."""
FAILURES = (ArithmeticError, NameError, TypeError, ValueError)
"""What can go wrong in such code: a division by zero, a variable that has no value yet."""


def fits(number: int) -> int:
    """A result in a classifier. Numbers of Python would grow until the machine is full; compiled ones always fit, so
    that a compiler leaves the question out."""
    if number > LARGEST_INTEGER or number < -LARGEST_INTEGER - 1:
        raise OverflowError(TOO_LARGE)
    return number


def shifted(number: int, places: int) -> int:
    """`number << places` in a classifier."""
    return fits(number << (places if places < 64 else 64))


def make_bet(name: str, text: str) -> Bet:
    """The `BET` of a text, made once in each process. `name` must be one that no other text has."""
    known = find_bet(name)
    if known is not None:
        return known
    tree = ast.parse(text)
    _Apart(_defined(tree)).visit(tree)
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            ast.fix_missing_locations(_Bounded().visit(node))
    file = file_of(name)
    WRITTEN[file] = text.encode()
    # Compiled code that is read from disk asks for a module that exists.
    space: dict[str, Any] = {"__name__": __name__, FITS: fits, SHIFTED: shifted}
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


class _Bounded(ast.NodeTransformer):
    """Passes each result that may be long through `fits`."""

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        self.generic_visit(node)
        return self._bounded(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.Assign:
        self.generic_visit(node)
        assert isinstance(node.target, ast.Name)
        now = ast.copy_location(ast.Name(node.target.id, ast.Load()), node)
        result = self._bounded(ast.copy_location(ast.BinOp(now, node.op, node.value), node))
        return ast.copy_location(ast.Assign([node.target], result), node)

    def _bounded(self, node: ast.BinOp) -> ast.expr:
        if isinstance(node.op, ast.LShift):
            call = _call(SHIFTED, node.left, node.right)
        elif isinstance(node.op, GROWING):
            call = _call(FITS, node)
        else:
            return node
        return ast.copy_location(call, node)


def _call(name: str, *values: ast.expr) -> ast.Call:
    return ast.Call(ast.Name(name, ast.Load()), list(values), [])


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
