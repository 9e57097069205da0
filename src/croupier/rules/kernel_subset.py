"""The part of Python that an outside classifier may be written in, checked before any of it runs.

It is what Numba compiles for CPU and GPU and what always comes to an end: whole numbers, choices, loops of known
length, calls of functions above. It also is too little to do anything else on the machine.
"""

from __future__ import annotations

import ast
from importlib import import_module
from types import FunctionType
from typing import Any, NoReturn

from croupier.errors import SpecError
from croupier.kernels.bets import bet_names

IMPORTABLE: dict[str, tuple[str, ...]] = {
    "croupier.kernels.bets": ("LOSE", "Bet", "option"),
    "croupier.kernels.scenes": ("BaccaratResult", "DealerHand", "Opening"),
    "croupier.kernels.effects": ("LOSE",),
    "croupier.kernels.baccarat": ("is_natural",),
}
"""Besides the numbers and functions of `croupier.kernels.hands` and of our own bets."""
BET_FIELDS = ("classify", "outcomes", "scene", "suits", "faces", "options")
CALLABLE = {"min": None, "max": None, "abs": 1, "int": 1, "bool": 1}
"""Functions of Python, with the number of values they take where it is fixed."""
CLASSIFIER_TAKES = 3
MOST_OUTCOMES = 30
"""A sampler has room for so many outcomes of a bet."""
MOST_OPTIONS = 15
MOST_VALUES = 16
"""Switches are packed into one number, four bits each."""
OPERATORS = (
    *(ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Mod, ast.LShift, ast.RShift),
    *(ast.BitAnd, ast.BitOr, ast.BitXor, ast.Not, ast.USub, ast.UAdd, ast.Invert),
)
WORDS: dict[type[ast.AST], str] = {
    ast.AsyncFunctionDef: "an async function",
    ast.Attribute: "an attribute, as in a.b,",
    ast.ClassDef: "a class",
    ast.Dict: "a dict",
    ast.DictComp: "a comprehension",
    ast.Div: "the division /",
    ast.GeneratorExp: "a generator",
    ast.Import: '"import ..."',
    ast.JoinedStr: "text",
    ast.List: "a list",
    ast.ListComp: "a comprehension",
    ast.NamedExpr: "the operator :=",
    ast.Pow: "the operator **",
    ast.Set: "a set",
    ast.SetComp: "a comprehension",
    ast.Starred: "a star",
    ast.Subscript: "an index, as in a[b],",
    ast.While: '"while"',
    ast.AnnAssign: "an assignment with a type",
}
STATEMENTS = "assignments to a name, if, for ... in range(...), break, continue, pass and return"
EXPRESSIONS = (
    "whole numbers, True, False, names, + - * // % << >> & | ^ ~, comparisons, and, or, not, a if b else c, and calls "
    "of functions above, imported ones, min, max, abs, int and bool"
)
TOP_LEVEL = (
    'a docstring, "from croupier.kernels... import ...", constants (NAME = whole numbers), functions, '
    "and BET = Bet(...)"
)
BET_FORM = 'BET = Bet(classify=FUNCTION, outcomes=("best", ...), scene=Opening(own_cards=3))'


def check_text(text: str, file: str) -> None:
    """Refuses a text that is not in the subset, with file, line, reason and what is accepted."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        line = getattr(error, "lineno", None) or 1
        reason = getattr(error, "msg", None) or str(error)
        raise bad_classifier(file, line, f"this is not Python: {reason}") from None
    try:
        _Check(file).module(tree)
    except RecursionError:
        raise bad_classifier(file, 1, "an expression is nested too deeply") from None


def bad_classifier(file: str, line: int, reason: str, accepted: str = "") -> SpecError:
    """The refusal of a classifier's file."""
    ending = f" Accepted: {accepted}." if accepted else ""
    return SpecError(f"{file}:{line}: {reason}.{ending}", code="bad_classifier")


class _Check:
    """What is known on the way down a file."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.constants: set[str] = set()
        self.functions: dict[str, int | None] = dict(CALLABLE)
        """With the number of values they take."""
        self.imported: dict[str, Any] = {}
        self.has_bet = False

    def refuse(self, node: ast.AST, reason: str, accepted: str = "") -> NoReturn:
        raise bad_classifier(self.file, getattr(node, "lineno", 1), reason, accepted)

    def refuse_kind(self, node: ast.AST, place: ast.AST, accepted: str) -> NoReturn:
        """A part of Python that is not in the subset; operators have no line of their own."""
        name = type(node).__name__.lower()
        words = WORDS.get(type(node)) or f'"{name}"'
        self.refuse(place, f"{words} is not in the kernel subset", accepted)

    def module(self, tree: ast.Module) -> None:
        for node in tree.body:
            if isinstance(node, ast.ImportFrom):
                self._import(node)
            elif isinstance(node, ast.FunctionDef):
                self._function(node)
            elif isinstance(node, ast.Assign):
                self._assignment(node)
            elif not _is_docstring(node):
                self.refuse_kind(node, node, TOP_LEVEL)
        if not self.has_bet:
            self.refuse(tree, "the file has no BET", BET_FORM)

    def _import(self, node: ast.ImportFrom) -> None:
        module = node.module or ""
        ours = {f"croupier.kernels.bets.{name}" for name in bet_names()}
        names = IMPORTABLE.get(module)
        if node.level or (names is None and module != "croupier.kernels.hands" and module not in ours):
            accepted = ", ".join(["croupier.kernels.hands", *IMPORTABLE, "croupier.kernels.bets.<one of our bets>"])
            self.refuse(node, f'"{"." * node.level}{module}" may not be imported', accepted)
        space = vars(import_module(module))
        plain = (name for name, value in space.items() if isinstance(value, int | FunctionType) and name[0] != "_")
        offered = names or tuple(plain)
        for alias in node.names:
            if alias.asname:
                self.refuse(node, f'"{alias.name}" may not get another name', "imports without as")
            if alias.name not in offered:
                self.refuse(node, f'"{alias.name}" cannot be imported from {module}', ", ".join(sorted(offered)))
            self._name(node, alias.name)
            self.imported[alias.name] = space[alias.name]
            if isinstance(space[alias.name], FunctionType):
                self.functions[alias.name] = space[alias.name].__code__.co_argcount
            elif isinstance(space[alias.name], int):
                self.constants.add(alias.name)

    def _name(self, node: ast.AST, name: str) -> None:
        """A name is given once: what it stands for never changes."""
        if name in self.functions or name in self.constants or name in self.imported or name.startswith("__"):
            self.refuse(node, f'the name "{name}" is taken', "a name that nothing else in the file has")

    def _assignment(self, node: ast.Assign) -> None:
        target = node.targets[0]
        if len(node.targets) != 1 or not isinstance(target, ast.Name):
            self.refuse(node, "only a single name can be assigned to here", TOP_LEVEL)
        if target.id == "BET":
            if self.has_bet:
                self.refuse(node, "BET is there twice", "one BET")
            self._bet(node)
            return
        self._name(node, target.id)
        if any(isinstance(part, ast.Call) for part in ast.walk(node.value)):
            self.refuse(node, "a constant is not computed by a call", "whole numbers, names of constants and operators")
        self._expression(node.value, self.constants)
        self.constants.add(target.id)

    def _bet(self, node: ast.Assign) -> None:
        call = node.value
        if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "Bet"):
            self.refuse(node, "BET is not a Bet", BET_FORM)
        if "Bet" not in self.imported or call.args:
            self.refuse(node, "BET needs the import of Bet, and its fields by name", BET_FORM)
        fields = {field.arg: field.value for field in call.keywords}
        for name, value in fields.items():
            if name not in BET_FIELDS:
                self.refuse(value, f'a Bet has no field "{name}"', ", ".join(BET_FIELDS))
            self._field(name, value)
        missing = [name for name in ("classify", "outcomes", "scene") if name not in fields]
        if missing:
            self.refuse(node, f'BET says nothing of "{missing[0]}"', BET_FORM)
        self.has_bet = True

    def _field(self, name: str, value: ast.expr) -> None:
        if name == "classify":
            known = isinstance(value, ast.Name) and self.functions.get(value.id) == CLASSIFIER_TAKES
            if not known or not isinstance(value, ast.Name) or value.id in self.imported:
                self.refuse(
                    value, "classify is not a function above", "a function of (own, other, options) in this file"
                )
            return
        if name == "scene":
            self._scene(value)
            return
        try:
            said = ast.literal_eval(value)
        except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
            said = None
        good = {
            "outcomes": _is_texts(said, MOST_OUTCOMES) and len(said) == len(set(said)),
            "suits": said in ("none", "own", "all"),
            "faces": isinstance(said, bool),
            "options": isinstance(said, dict)
            and len(said) <= MOST_OPTIONS
            and all(isinstance(key, str) and _is_texts(said[key], MOST_VALUES) for key in said),
        }[name]
        accepted = {
            "outcomes": f'the names of the outcomes, best first, each once, at most {MOST_OUTCOMES}: ("best", "other")',
            "suits": '"none", "own" or "all"',
            "faces": "True or False",
            "options": 'switches with their values: {"switch": ("value", "other")}',
        }[name]
        if not good:
            self.refuse(value, f'the field "{name}" of the Bet does not read', accepted)

    def _scene(self, value: ast.expr) -> None:
        accepted = "Opening(own_cards=..., dealer_cards=...), DealerHand() or BaccaratResult(), imported from scenes"
        if not (isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and not value.args):
            self.refuse(value, "this is no scene", accepted)
        fields = ("own_cards", "dealer_cards") if value.func.id == "Opening" else ()
        numbers = all(
            isinstance(field.value, ast.Constant) and type(field.value.value) is int for field in value.keywords
        )
        named = [field.arg for field in value.keywords]
        wanted = {"own_cards"} if fields else set()
        if (
            value.func.id not in IMPORTABLE["croupier.kernels.scenes"]
            or value.func.id not in self.imported
            or not numbers
            or not wanted <= set(named) <= set(fields)
        ):
            self.refuse(value, "this is no scene", accepted)

    def _function(self, node: ast.FunctionDef) -> None:
        self._name(node, node.name)
        arguments = node.args
        others = (arguments.vararg, arguments.kwarg, *arguments.kwonlyargs, *arguments.defaults, *arguments.posonlyargs)
        if node.decorator_list or any(others):
            self.refuse(
                node, f'"{node.name}" has a decorator, a default, a star or a slash', "def name(a: int, b: int) -> int:"
            )
        for annotation in (*(one.annotation for one in arguments.args), node.returns):
            if annotation is not None and not (isinstance(annotation, ast.Name) and annotation.id in ("int", "bool")):
                self.refuse(annotation, "only the types int and bool are in the kernel subset", "int, bool, or no type")
        body = node.body[1:] if _is_docstring(node.body[0]) else node.body
        local = {one.arg for one in arguments.args} | _assigned(body)
        for name in local:
            if name in self.functions or name in self.imported:
                self.refuse(
                    node, f'"{name}" is a function or an import, and a variable in "{node.name}"', "another name"
                )
        self._statements(body, local)
        if not _always_returns(body):
            self.refuse(node, f'"{node.name}" may end without a return', "a return at the end, as in: return LOSE")
        self.functions[node.name] = len(arguments.args)

    def _statements(self, body: list[ast.stmt], local: set[str]) -> None:
        for node in body:
            self._statement(node, local)

    def _statement(self, node: ast.stmt, local: set[str]) -> None:
        known = local | self.constants
        if isinstance(node, ast.Return) and node.value is not None:
            self._expression(node.value, known)
        elif isinstance(node, ast.Assign | ast.AugAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            for target in targets:
                names = target.elts if isinstance(target, ast.Tuple) else [target]
                for name in names:
                    if not isinstance(name, ast.Name):
                        self.refuse_kind(name, node, STATEMENTS)
            if isinstance(node, ast.AugAssign) and not isinstance(node.op, OPERATORS):
                self.refuse_kind(node.op, node, EXPRESSIONS)
            self._expression(node.value, known)
        elif isinstance(node, ast.If):
            self._expression(node.test, known)
            self._statements(node.body, local)
            self._statements(node.orelse, local)
        elif isinstance(node, ast.For):
            self._loop(node, known)
            self._statements(node.body, local)
        elif not isinstance(node, ast.Break | ast.Continue | ast.Pass):
            self.refuse_kind(node, node, STATEMENTS)

    def _loop(self, node: ast.For, known: set[str]) -> None:
        over = node.iter
        ranged = isinstance(over, ast.Call) and isinstance(over.func, ast.Name) and over.func.id == "range"
        if not ranged or not isinstance(over, ast.Call) or not isinstance(node.target, ast.Name) or node.orelse:
            self.refuse(node, "this loop is not in the kernel subset", "for name in range(...), without else")
        if over.keywords or not 1 <= len(over.args) <= 3:
            self.refuse(node, "range takes one to three numbers", "range(13)")
        for bound in over.args:
            self._expression(bound, known)

    def _expression(self, node: ast.expr, known: set[str]) -> None:
        if isinstance(node, ast.Constant):
            if not isinstance(node.value, int):
                kind = {str: "text", float: "a number with a fraction"}.get(type(node.value), f"{node.value!r}")
                self.refuse(node, f"{kind} is not in the kernel subset", EXPRESSIONS)
        elif isinstance(node, ast.Name):
            if node.id not in known:
                self.refuse(node, f'"{node.id}" is not known here', "variables, constants and functions from above")
        elif isinstance(node, ast.Call):
            self._call(node, known)
        elif isinstance(node, ast.BinOp | ast.UnaryOp):
            if not isinstance(node.op, OPERATORS):
                self.refuse_kind(node.op, node, EXPRESSIONS)
            self._parts(node, known)
        elif isinstance(node, ast.Compare):
            for operator in node.ops:
                if isinstance(operator, ast.Is | ast.IsNot):
                    self.refuse(
                        node, '"is" is not in the kernel subset', "==, !=, <, <=, >, >=, in (1, 2), not in (1, 2)"
                    )
            self._parts(node, known)
        elif isinstance(node, ast.BoolOp | ast.IfExp | ast.Tuple):
            self._parts(node, known)
        else:
            self.refuse_kind(node, node, EXPRESSIONS)

    def _parts(self, node: ast.expr, known: set[str]) -> None:
        for part in ast.iter_child_nodes(node):
            if isinstance(part, ast.expr):
                self._expression(part, known)

    def _call(self, node: ast.Call, known: set[str]) -> None:
        if not isinstance(node.func, ast.Name):
            self.refuse_kind(node.func, node, EXPRESSIONS)
        name = node.func.id
        if name not in self.functions:
            self.refuse(node, f'there is no function "{name}" above', EXPRESSIONS)
        takes = self.functions[name]
        if node.keywords or (takes is not None and len(node.args) != takes) or not node.args:
            what = f"{takes} value{'' if takes == 1 else 's'}" if takes is not None else "values"
            self.refuse(node, f'"{name}" is not called as it is written', f"{what}, without names")
        for argument in node.args:
            self._expression(argument, known)


def _is_texts(value: Any, most: int) -> bool:
    return isinstance(value, tuple) and 0 < len(value) <= most and all(isinstance(one, str) and one for one in value)


def _is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def _assigned(body: list[ast.stmt]) -> set[str]:
    """Names that get a value somewhere in a function."""
    whole = ast.Module(body=body, type_ignores=[])
    return {node.id for node in ast.walk(whole) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}


def _always_returns(body: list[ast.stmt]) -> bool:
    last = body[-1] if body else None
    if isinstance(last, ast.If):
        return _always_returns(last.body) and _always_returns(last.orelse)
    return isinstance(last, ast.Return)
