"""Who asks the floor for something, whether they may, and how it says no."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from croupier.errors import IllegalActionError
from croupier.floor.checks.findings import Finding
from croupier.floor.roles import Right, Role, no_right, who_may, with_role


class Signer(Protocol):
    """Who acts: somebody who was recognized by card and PIN."""

    @property
    def id(self) -> str: ...

    @property
    def role(self) -> Role: ...


@dataclass(frozen=True)
class Ask:
    """Who asks for what at a table, under which id, and for which revision of it (None: as it is now)."""

    id: str
    by: Signer
    revision: int | None = None


class FloorRefusedError(IllegalActionError):
    """A floor or a change that the law or the house's rules do not allow; `findings` say which."""

    code = "floor_refused"

    def __init__(self, findings: Sequence[Finding]) -> None:
        super().__init__(" ".join(finding.sentence for finding in findings), code=findings[0].code)
        self.findings = tuple(findings)


def require(by: Signer, right: Right) -> None:
    """Refuses those who may not."""
    if not who_may(by.role, right):
        raise no_right(right, with_role(by.id, by.role))
