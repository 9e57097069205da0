"""What every operation may answer, and what the server says of itself.

A later version may add fields, and whoever reads must not mind fields that it does not know. Every test of the API
holds its answers against these shapes, undeclared fields included.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from croupier.floor.checks.findings import Finding


class Problem(Struct, frozen=True):
    """Where in a request something is wrong."""

    where: Annotated[str, Meta(description="The place.")]
    problem: Annotated[str, Meta(description="What is wrong.")]


class Error(Struct, frozen=True, kw_only=True):
    """What was refused, and why."""

    code: Annotated[str, Meta(description="Stable.")]
    message: Annotated[str, Meta(description="For people.")]
    fields: Annotated[
        tuple[Problem, ...] | UnsetType, Meta(description="The fields that cannot be read, each with its place.")
    ] = UNSET
    findings: Annotated[
        tuple[Finding, ...] | UnsetType, Meta(description="What the law and the letters have to say.")
    ] = UNSET


class Refusal(Struct, frozen=True):
    """The one form of all errors."""

    error: Annotated[Error, Meta(description="What was refused, and why.")]


class Health(Struct, frozen=True, kw_only=True):
    status: Annotated[Literal["ok"], Meta(description="Where it stands.")] = "ok"
    version: Annotated[str, Meta(description="The program's version.")]
    demo: Annotated[bool, Meta(description="Whether it is play money.")]
