"""The bill of materials (SBOM): every package and file of others, with version and license, as CycloneDX."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from importlib import resources
from importlib.metadata import PackageNotFoundError, files, metadata, requires
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from croupier import __version__

FLOOR = "floor"
"""The extra of those who run a floor."""
_PINNED = re.compile(r"^(?P<name>[A-Za-z0-9_.-]+)==(?P<version>[^\s;\\]+)", re.MULTILINE)


def bill_of_materials(constraints: str) -> str:
    """All of it as CycloneDX 1.6 JSON, from the text of `constraints.txt` and the list of vendored files.

    Hashes of packages are in `constraints.txt`, which has those of every system. The bill has no date and no serial
    number, so that the same program has the same bill.
    """
    needed = _needed_at_run_time()
    packages = [_package(match, needed) for match in _PINNED.finditer(constraints)]
    bill = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application",
                "name": "croupier",
                "version": __version__,
                "licenses": [{"license": {"id": "MIT"}}],
            }
        },
        "components": [*packages, *_vendored_components()],
    }
    return json.dumps(bill, indent=1) + "\n"


def vendored_files() -> list[dict[str, str]]:
    """What `vendored.toml` says of each file of others that pages load."""
    folder = resources.files("croupier.web") / "static" / "vendor"
    listed: list[dict[str, str]] = tomllib.loads((folder / "vendored.toml").read_text(encoding="utf-8"))["files"]
    return listed


def _package(match: re.Match[str], needed: frozenset[str]) -> dict[str, Any]:
    name, version = canonicalize_name(match["name"]), match["version"]
    component: dict[str, Any] = {
        "type": "library",
        "name": name,
        "version": version,
        "purl": f"pkg:pypi/{name}@{version}",
        "scope": "required" if name in needed else "excluded",
    }
    license_name = _license_of(name)
    if license_name:
        component["licenses"] = [{"license": {"name": license_name}}]
    return component


def _license_of(name: str) -> str:
    """What the installed package says of its license, in one line; nothing where it is not installed here."""
    try:
        facts = metadata(name)
    except PackageNotFoundError:
        return ""
    classifiers = [line.rpartition(" :: ")[2] for line in facts.get_all("Classifier") or () if "License ::" in line]
    expressions, texts = (facts.get_all(key) or [""] for key in ("License-Expression", "License"))
    said = expressions[0] or ", ".join(classifiers) or texts[0] or _title_of_license(name)
    return said.strip().partition("\n")[0]


def _title_of_license(name: str) -> str:
    """How its license file begins, where a package's description says nothing."""
    paths = [path for path in files(name) or () if "licenses" in path.parts]
    return paths[0].read_text().strip() if paths else ""


def _needed_at_run_time() -> frozenset[str]:
    """The packages that `pip install 'croupier[floor]'` brings: a floor is what is inspected."""
    needed: set[str] = set()
    waiting = ["croupier"]
    while waiting:
        owner = waiting.pop()
        extra = FLOOR if owner == "croupier" else ""
        for text in _requirements_of(owner):
            requirement = Requirement(text)
            name = canonicalize_name(requirement.name)
            if name not in needed and (requirement.marker is None or requirement.marker.evaluate({"extra": extra})):
                needed.add(name)
                waiting.append(name)
    return frozenset(needed)


def _requirements_of(name: str) -> list[str]:
    try:
        return requires(name) or []
    except PackageNotFoundError:  # for another system, or another Python
        return []


def _vendored_components() -> Iterator[dict[str, Any]]:
    for entry in vendored_files():
        yield {
            "type": "file",
            "name": entry["file"],
            "version": entry["version"],
            "purl": f"pkg:npm/{entry['package'].replace('@', '%40')}@{entry['version']}",
            "scope": "required",
            "hashes": [{"alg": "SHA-256", "content": entry["sha256"]}],
            "licenses": [{"license": {"id": entry["license"]}}],
        }
