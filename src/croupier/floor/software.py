"""The program itself, for an inspector: a fingerprint of the installed files, against what the wheel's RECORD says."""

from __future__ import annotations

import base64
from functools import cache
from hashlib import sha256
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from typing import Annotated

from msgspec import Meta, Struct

from croupier import __version__

NAME = "croupier"
LONG = 20
"""Files named at most, of each kind of difference."""


class Software(Struct, frozen=True, kw_only=True):
    """What is installed here."""

    version: Annotated[str, Meta(description="The program's version.")]
    fingerprint: Annotated[
        str,
        Meta(
            description="SHA-256 over the name and SHA-256 of every file of the package; the same wherever the "
            "same wheel is installed."
        ),
    ]
    files: Annotated[int, Meta(description="How many files the program has.")]
    is_compared: Annotated[
        bool,
        Meta(description="Whether there is a wheel's RECORD to compare with; a working copy of the source has none."),
    ]
    changed: Annotated[tuple[str, ...], Meta(description="Files that are not as the RECORD has them.")] = ()
    missing: Annotated[tuple[str, ...], Meta(description="Files of the RECORD that are not there.")] = ()
    added: Annotated[tuple[str, ...], Meta(description="Files that the RECORD does not have.")] = ()

    @property
    def is_as_installed(self) -> bool:
        return self.is_compared and not (self.changed or self.missing or self.added)

    @property
    def sentence(self) -> str:
        if not self.is_compared:
            return "This is a working copy of the source: there is no wheel's record to compare its files with."
        if self.is_as_installed:
            return f"All {self.files} files are as the wheel's record has them."
        parts = [("changed", self.changed), ("missing", self.missing), ("added", self.added)]
        named = "; ".join(f"{what}: {', '.join(names)}" for what, names in parts if names)
        return f"The installed files are not those of the wheel: {named}. Install it again from a wheel you trust."


@cache
def installed_software() -> Software:
    """Of the running program, read once: files that change later are seen at the next start."""
    try:
        package: Distribution | None = distribution(NAME)
    except PackageNotFoundError:
        package = None
    return software_in(Path(__file__).parent.parent, package)


def software_in(package: Path, wheel: Distribution | None) -> Software:
    """The files of a package folder, compared with the record of the wheel that it came from."""
    digests = {
        f"{NAME}/{path.relative_to(package).as_posix()}": sha256(path.read_bytes()).hexdigest()
        for path in sorted(package.rglob("*"))
        if path.is_file() and "__pycache__" not in path.parts
    }
    lines = "".join(f"{name} {digest}\n" for name, digest in sorted(digests.items()))
    fingerprint = sha256(lines.encode()).hexdigest()
    recorded = _recorded(wheel)
    if not recorded:
        return Software(version=__version__, fingerprint=fingerprint, files=len(digests), is_compared=False)
    changed = [name for name in recorded.keys() & digests.keys() if recorded[name] != digests[name]]
    return Software(
        version=__version__,
        fingerprint=fingerprint,
        files=len(digests),
        is_compared=True,
        changed=tuple(sorted(changed)[:LONG]),
        missing=tuple(sorted(recorded.keys() - digests.keys())[:LONG]),
        added=tuple(sorted(digests.keys() - recorded.keys())[:LONG]),
    )


def _recorded(wheel: Distribution | None) -> dict[str, str]:
    """SHA-256 of the package's files by the RECORD, which writes them in URL-safe base64 without padding."""
    recorded = {}
    for path in (wheel.files or []) if wheel is not None else []:
        name = path.as_posix()
        if name.startswith(f"{NAME}/") and "__pycache__" not in name and path.hash is not None:
            padded = path.hash.value + "=" * (-len(path.hash.value) % 4)
            recorded[name] = base64.urlsafe_b64decode(padded).hex()
    return recorded
