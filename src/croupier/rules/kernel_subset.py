"""The part of Python that an outside classifier may be written in, checked before any of it runs.

It is what Numba compiles for CPU and GPU and what always comes to an end: whole numbers, choices, loops of known
length, calls of functions above. It also is too little to do anything else on the machine.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from importlib import import_module
from types import FunctionType
from typing import Any, NoReturn, get_type_hints

from croupier.errors import SpecError
from croupier.kernels.bets import bet_names
from croupier.kernels.outside import LARGEST_INTEGER, TOO_LARGE
from croupier.kernels.rows import MOST_IN_ROW

IMPORTABLE: dict[str, tuple[str, ...]] = {
    "croupier.kernels.bets": ("LOSE", "Bet", "option"),
    "croupier.kernels.scenes": ("BaccaratDeal", "BaccaratResult", "DealerHand", "Opening"),
    "croupier.kernels.rows": (
        "MOST_IN_ROW",
        "add_to_row",
        "card_at",
        "count_of_card",
        "hand_of_row",
        "points_of_row",
        "rank_at",
        "row_size",
        "suit_at",
    ),
    "croupier.kernels.effects": ("LOSE",),
    "croupier.kernels.baccarat": ("is_natural",),
}
"""Besides the numbers and functions of `croupier.kernels.hands` and of our own bets."""
BET_FIELDS = ("classify", "outcomes", "scene", "suits", "faces", "options")
SCENE_FIELDS: dict[str, dict[str | None, type]] = {
    "BaccaratDeal": {},
    "BaccaratResult": {"cards": bool},
    "DealerHand": {},
    "Opening": {"own_cards": int, "dealer_cards": int, "cards": bool},
}
SCENES = (
    "Opening(own_cards=..., dealer_cards=..., cards=True or False), DealerHand(), BaccaratResult(cards=True or False) "
    "or BaccaratDeal(), imported from scenes"
)
CALLABLE = {"min": None, "max": None, "abs": 1, "int": 1, "bool": 1}
"""Functions of Python, with the number of values they take where it is fixed."""
CLASSIFIER_TAKES = 3
MOST_OUTCOMES = 30
"""A sampler has room for so many outcomes of a bet."""
MOST_OPTIONS = 15
MOST_VALUES = 16
"""Switches are packed into one number, four bits each."""
LONGEST_LOOP = 64
MOST_TURNS = 2000
"""Turns of loops and calls that one answer may take: the trial and the table run them in plain Python."""
MOST_SHIFTED = 63
MOST_NODES = 4000
"""Names, numbers, operators and statements of a file, as Python counts them; our longest bet has 264. The time of a
compiler grows faster than they do."""
DEEPEST = 120
"""Levels of statements and expressions within each other; each `elif` is one."""
OPERATORS: dict[type[ast.AST], Callable[..., int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
    ast.BitXor: operator.xor,
    ast.Not: operator.not_,
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
    ast.Invert: operator.invert,
}
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
STATEMENTS = "assignments to a name, if, for ... in range(13), break, continue, pass and return"
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
    _require_bounds(tree, file)
    _Check(file).module(tree)


def _require_bounds(tree: ast.Module, file: str) -> None:
    """Refuses what is long or deep before anything goes down it, step by step as deep as it is."""
    count = 0
    level: list[tuple[ast.AST, int]] = [(tree, 1)]
    for _ in range(DEEPEST):
        count += len(level)
        if count > MOST_NODES:
            raise bad_classifier(
                file,
                max(line for _, line in level),
                f"the file has more than {MOST_NODES:,} names, numbers, operators and statements",
                "a shorter file, as with a loop or a function in place of what repeats",
            )
        level = [(part, getattr(part, "lineno", line)) for node, line in level for part in ast.iter_child_nodes(node)]
        if not level:
            return
    raise bad_classifier(file, level[0][1], "this is nested too deeply", f"at most {DEEPEST} levels")


def bad_classifier(file: str, line: int, reason: str, accepted: str = "") -> SpecError:
    """The refusal of a classifier's file."""
    ending = f" Accepted: {accepted}." if accepted else ""
    return SpecError(f"{file}:{line}: {reason}.{ending}", code="bad_classifier")


class _Check:
    """What is known on the way down a file."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.constants: dict[str, int | tuple[int, ...]] = {}
        """With their values."""
        self.functions: dict[str, int | None] = dict(CALLABLE)
        """With the number of values they take."""
        self.imported: dict[str, Any] = {}
        self.local: set[str] = set()
        """Variables of the function that is looked at."""
        self.lengths: dict[ast.For, int] = {}
        self.turns: dict[str, int] = {}
        """Turns of loops and calls that each function of the file may take."""
        self.truths: dict[str, ast.AST] = {"bool": ast.Pass()}
        """Functions that answer yes or no, with the place where they do."""
        self.option_calls: list[ast.Call] = []
        self.has_bet = False

    def refuse(self, node: ast.AST, reason: str, accepted: str = "") -> NoReturn:
        raise bad_classifier(self.file, getattr(node, "lineno", 1), reason, accepted)

    def refuse_kind(self, node: ast.AST, place: ast.AST, accepted: str) -> NoReturn:
        """A part of Python that is not in the subset; operators have no line of their own."""
        name = type(node).__name__.lower()
        words = WORDS.get(type(node)) or f'"{name}"'
        if isinstance(node, ast.Expr):
            words = f"a {'call' if isinstance(node.value, ast.Call) else 'value'} as a statement of its own"
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
        our_bets = {f"croupier.kernels.bets.{name}" for name in bet_names()}
        names = IMPORTABLE.get(module)
        if node.level or (names is None and module != "croupier.kernels.hands" and module not in our_bets):
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
                if get_type_hints(space[alias.name]).get("return") is bool:
                    self.truths[alias.name] = node
            elif isinstance(space[alias.name], int):
                self.constants[alias.name] = space[alias.name]

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
        self.local = set()
        self._expression(node.value, set(self.constants))
        value = self._value(node.value)
        if value is None:
            self.refuse(node, "this is not a constant", "NAME = whole numbers, names of constants and operators")
        self.constants[target.id] = value

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
        declared = ast.literal_eval(fields["options"]) if "options" in fields else {}
        for option_call in self.option_calls:
            position = self._value(option_call.args[1])
            if not isinstance(position, int) or not 0 <= position < len(declared):
                self.refuse(
                    option_call,
                    "option asks for a switch that BET does not declare",
                    'option(options, 0) for the first of options={"switch": ("value", "other")} in BET, and so on',
                )
        self.has_bet = True

    def _field(self, name: str, value: ast.expr) -> None:
        if name == "classify":
            known = isinstance(value, ast.Name) and self.functions.get(value.id) == CLASSIFIER_TAKES
            if not known or not isinstance(value, ast.Name) or value.id in self.imported:
                self.refuse(
                    value, "classify is not a function above", "a function of (own, other, options) in this file"
                )
            if value.id in self.truths:
                self.refuse(
                    self.truths[value.id],
                    "the classifier answers yes or no, and not with a row",
                    "the index of an outcome, or LOSE: return 0 if ... else LOSE",
                )
            return
        if name == "scene":
            self._scene(value)
            return
        try:
            literal = ast.literal_eval(value)
        except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
            literal = None
        good = {
            "outcomes": _is_texts(literal, MOST_OUTCOMES) and len(literal) == len(set(literal)),
            "suits": literal in ("none", "own", "all"),
            "faces": isinstance(literal, bool),
            "options": isinstance(literal, dict)
            and len(literal) <= MOST_OPTIONS
            and all(isinstance(key, str) and _is_texts(literal[key], MOST_VALUES) for key in literal),
        }[name]
        accepted = {
            "outcomes": f'the names of the outcomes, best first, each once, at most {MOST_OUTCOMES}: ("best", "other")',
            "suits": '"none", "own" or "all"',
            "faces": "True or False",
            "options": 'switches with their values: {"switch": ("value", "other")}',
        }[name]
        if not good:
            self.refuse(value, f'the field "{name}" of the Bet cannot be read', accepted)

    def _scene(self, value: ast.expr) -> None:
        call = value if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and not value.args else None
        name = call.func.id if call is not None and isinstance(call.func, ast.Name) else ""
        fields = SCENE_FIELDS.get(name)
        if call is None or fields is None or name not in self.imported:
            self.refuse(value, "this is not a scene", SCENES)
        for field in call.keywords:
            shown = field.value.value if isinstance(field.value, ast.Constant) else None
            if field.arg not in fields or type(shown) is not fields[field.arg]:
                self.refuse(value, "this is not a scene", SCENES)
            if type(shown) is int and not 0 <= shown <= MOST_IN_ROW:
                self.refuse(value, f"no scene shows {shown} cards of a hand", f"0 to {MOST_IN_ROW}")
        if name == "Opening" and "own_cards" not in [field.arg for field in call.keywords]:
            self.refuse(value, "this is not a scene", SCENES)

    def _function(self, node: ast.FunctionDef) -> None:
        self._name(node, node.name)
        arguments = node.args
        others = (arguments.vararg, arguments.kwarg, *arguments.kwonlyargs, *arguments.defaults, *arguments.posonlyargs)
        if node.decorator_list or any(others):
            self.refuse(
                node, f'"{node.name}" has a decorator, a default, a star or a slash', "def name(a: int, b: int) -> int:"
            )
        for annotation in (*(argument.annotation for argument in arguments.args), node.returns):
            if annotation is not None and not (isinstance(annotation, ast.Name) and annotation.id in ("int", "bool")):
                self.refuse(annotation, "only the types int and bool are in the kernel subset", "int, bool, or no type")
        body = node.body[1:] if _is_docstring(node.body[0]) else node.body
        local = {argument.arg for argument in arguments.args} | _assigned(body)
        for name in local:
            if name in self.functions or name in self.imported:
                self.refuse(
                    node, f'"{name}" is a function or an import, and a variable in "{node.name}"', "another name"
                )
        self.local = local
        self._statements(body, local)
        if not _always_returns(body):
            self.refuse(node, f'"{node.name}" may end without a return', "a return at the end, as in: return LOSE")
        self.functions[node.name] = len(arguments.args)
        self.turns[node.name] = sum(self._turns_of(line) for line in body)
        if self.turns[node.name] > MOST_TURNS:
            self.refuse(
                node,
                f'"{node.name}" may take more than {MOST_TURNS:,} turns of loops and calls',
                "fewer or shorter loops within loops",
            )
        for part in ast.walk(node):
            if isinstance(part, ast.Return) and part.value is not None and self._is_truth(part.value):
                self.truths[node.name] = part

    def _turns_of(self, node: ast.AST) -> int:
        """How many turns of loops and calls a part of a function can take."""
        if isinstance(node, ast.For):
            return self.lengths[node] * (1 + sum(self._turns_of(statement) for statement in node.body))
        turns = sum(self._turns_of(part) for part in ast.iter_child_nodes(node))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            turns += 1 + self.turns.get(node.func.id, 0)
        return turns

    def _is_truth(self, node: ast.expr) -> bool:
        """Whether an expression may be True or False, which is no row."""
        if isinstance(node, ast.IfExp):
            return self._is_truth(node.body) or self._is_truth(node.orelse)
        if isinstance(node, ast.BoolOp):
            return any(self._is_truth(value) for value in node.values)
        if isinstance(node, ast.Call):
            return isinstance(node.func, ast.Name) and node.func.id in self.truths
        if isinstance(node, ast.Constant):
            return isinstance(node.value, bool)
        return isinstance(node, ast.Compare) or (isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not))

    def _statements(self, body: list[ast.stmt], local: set[str]) -> None:
        for node in body:
            self._statement(node, local)

    def _statement(self, node: ast.stmt, local: set[str]) -> None:
        known = local | set(self.constants)
        if isinstance(node, ast.Return) and node.value is not None:
            self._expression(node.value, known)
        elif isinstance(node, ast.Assign | ast.AugAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            for target in targets:
                names = target.elts if isinstance(target, ast.Tuple) else [target]
                for name in names:
                    if not isinstance(name, ast.Name):
                        self.refuse_kind(name, node, STATEMENTS)
            if isinstance(node, ast.AugAssign) and type(node.op) not in OPERATORS:
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
            self.refuse(node, "this loop is not in the kernel subset", "for name in range(13), without else")
        if over.keywords or not 1 <= len(over.args) <= 3:
            self.refuse(node, "range takes one to three numbers", "range(13)")
        bounds: list[int] = []
        for bound in over.args:
            self._expression(bound, known)
            value = self._value(bound)
            if not isinstance(value, int) or abs(value) > LONGEST_LOOP:
                self.refuse(
                    bound,
                    f"the bounds of a range are not all whole numbers or constants up to {LONGEST_LOOP}",
                    "range(13), and an if with break inside it where a loop ends earlier",
                )
            bounds.append(value)
        if bounds[2:] == [0]:
            self.refuse(node, "a range cannot go in steps of 0", "range(0, 13, 2)")
        self.lengths[node] = len(range(*bounds))

    def _value(self, node: ast.expr) -> int | tuple[int, ...] | None:
        """The value of an expression of numbers and constants; None if it has none before the file is run.

        Nothing is computed that could become large.
        """
        if isinstance(node, ast.Constant):
            return node.value if isinstance(node.value, int) else None
        if isinstance(node, ast.Name):
            return self.constants.get(node.id) if node.id not in self.local else None
        if isinstance(node, ast.Tuple):
            values = [self._value(element) for element in node.elts]
            numbers = tuple(value for value in values if isinstance(value, int))
            return numbers if len(numbers) == len(values) else None
        if not isinstance(node, ast.BinOp | ast.UnaryOp):
            return None
        parts = [node.operand] if isinstance(node, ast.UnaryOp) else [node.left, node.right]
        known = [value for value in map(self._value, parts) if isinstance(value, int)]
        if isinstance(node.op, ast.LShift | ast.RShift):
            by = self._value(parts[1])
            if isinstance(by, int) and not 0 <= by <= MOST_SHIFTED:
                self.refuse(node, "a shift by that many bits is not in the kernel subset", f"0 to {MOST_SHIFTED} bits")
        if isinstance(node.op, ast.FloorDiv | ast.Mod) and self._value(parts[1]) == 0:
            self.refuse(node, "this divides by zero", "a divisor that is not 0")
        if len(known) < len(parts):
            return None
        value = OPERATORS[type(node.op)](*known)
        if abs(value) > LARGEST_INTEGER:
            self.refuse(node, TOO_LARGE, "smaller numbers")
        return value

    def _expression(self, node: ast.expr, known: set[str]) -> None:
        if isinstance(node, ast.Constant):
            if not isinstance(node.value, int):
                kind = {str: "text", float: "a number with a fraction"}.get(type(node.value), f"{node.value!r}")
                self.refuse(node, f"{kind} is not in the kernel subset", EXPRESSIONS)
            if node.value > LARGEST_INTEGER:
                self.refuse(node, TOO_LARGE, "smaller numbers")
        elif isinstance(node, ast.Name):
            if node.id not in known:
                self.refuse(node, f'"{node.id}" is not known here', "variables, constants and functions from above")
        elif isinstance(node, ast.Call):
            self._call(node, known)
        elif isinstance(node, ast.BinOp | ast.UnaryOp):
            if type(node.op) not in OPERATORS:
                self.refuse_kind(node.op, node, EXPRESSIONS)
            self._parts(node, known)
            self._value(node)
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
        if name == "option" and name in self.imported:
            self.option_calls.append(node)


def _is_texts(value: Any, most: int) -> bool:
    return isinstance(value, tuple) and 0 < len(value) <= most and all(isinstance(text, str) and text for text in value)


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
