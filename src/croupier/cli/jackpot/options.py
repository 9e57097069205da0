"""What all verbs of `croupier jackpot` share: their options, and how a function becomes a verb with them."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints
from uuid import uuid4

import typer

if TYPE_CHECKING:
    from croupier.cli.jackpot.session import FloorSession

DEFAULT_STORE = "floor.db"

Store = Annotated[
    str | None, typer.Option(metavar="FILE|URL", help="The ledger; $CROUPIER_STORE, or floor.db in this folder.")
]
Card = Annotated[str | None, typer.Option(metavar="TOKEN", help="Your card; $CROUPIER_CARD.")]
PinFile = Annotated[
    str | None, typer.Option(metavar="FILE", help="Its PIN, if not in $CROUPIER_PIN and not to be asked for.")
]
RequestId = Annotated[
    str | None, typer.Option("--id", metavar="ID", help="Id of the command: give that of a lost answer to ask again.")
]
Revision = Annotated[int | None, typer.Option(metavar="N", help="Refuse unless the table is still at this revision.")]
Second = Annotated[
    str | None, typer.Option("--second", metavar="CARD", help="Card of a second person, where two are needed.")
]
SecondPinFile = Annotated[
    str | None, typer.Option(metavar="FILE", help="Its PIN, if not in $CROUPIER_SECOND_PIN and not to be asked for.")
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")]


@dataclass(frozen=True, kw_only=True)
class Call:
    """The shared options of one call."""

    store: Store = None
    card: Card = None
    pin_file: PinFile = None
    id: RequestId = None
    revision: Revision = None
    second: Second = None
    second_pin_file: SecondPinFile = None
    json: Json = False
    new_id: str = field(default_factory=lambda: str(uuid4()))

    @property
    def address(self) -> str:
        return self.store or os.environ.get("CROUPIER_STORE") or DEFAULT_STORE

    @property
    def request_id(self) -> str:
        """The client-made id: the one given, or a new one."""
        from croupier.floor.clearing import require_own_id

        if self.id is None:
            return self.new_id
        require_own_id("id", self.id)
        return self.id

    def open(self) -> AbstractContextManager[FloorSession]:
        """The floor at the store's address."""
        from croupier.cli.jackpot.session import open_session

        return open_session(self)


READS = ("store", "json")
"""Options of a verb that anybody with the store may run."""
SEES = ("store", "card", "pin_file", "json")
"""Options of a verb that shows what not everybody may see."""
SIGNS = ("store", "card", "pin_file", "id", "json")
"""Options of a verb that changes something."""
STEPS = ("store", "card", "pin_file", "id", "revision", "json")
"""Options of a step at a table."""
TWO = ("second", "second_pin_file")
"""More options, of a verb that may take two people."""

Function = Callable[..., None]


def verb(group: typer.Typer, name: str, options: tuple[str, ...]) -> Callable[[Function], Function]:
    """Adds a function as a verb. Its first parameter is the `Call` made of these shared options, which come last."""

    def add(function: Function) -> Function:
        own = list(inspect.signature(function).parameters.values())[1:]
        hints = get_type_hints(function, include_extras=True)
        shared_hints = get_type_hints(Call, include_extras=True)
        defaults = {option.name: option.default for option in fields(Call)}

        def run(**given: Any) -> None:
            call = Call(**{option: given.pop(option) for option in options})
            function(call, **given)

        keyword = inspect.Parameter.KEYWORD_ONLY
        parameters = [parameter.replace(kind=keyword, annotation=hints[parameter.name]) for parameter in own]
        parameters += [
            inspect.Parameter(option, keyword, default=defaults[option], annotation=shared_hints[option])
            for option in options
        ]
        run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
        run.__doc__ = function.__doc__
        # So that "-0.01" is an amount; a misspelled option is refused as an argument too many.
        group.command(name, context_settings={"ignore_unknown_options": True})(run)
        return function

    return add
