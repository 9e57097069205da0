"""What others made: pinned to the files that were tried, listed with version and license."""

from __future__ import annotations

import json
import re
from hashlib import sha256

from croupier.manual.materials import bill_of_materials, vendored_files
from tests.helpers import ROOT

VENDOR = ROOT / "src" / "croupier" / "web" / "static" / "vendor"
CONSTRAINTS = (ROOT / "constraints.txt").read_text(encoding="utf-8")


def test_every_pinned_package_has_hashes() -> None:
    blocks = re.split(r"\n(?=\S)", CONSTRAINTS.strip())
    assert len(blocks) > 90
    assert [block for block in blocks if not re.match(r"[\w.-]+==\S+", block) or "--hash=sha256:" not in block] == []


def test_every_vendored_file_is_listed_and_is_the_file_of_its_package() -> None:
    listed = {entry["file"]: entry for entry in vendored_files()}
    assert set(listed) == {path.name for path in VENDOR.iterdir() if path.suffix in (".js", ".css", ".woff2", ".svg")}
    digests = {name: sha256((VENDOR / name).read_bytes()).hexdigest() for name in listed}
    assert digests == {name: entry["sha256"] for name, entry in listed.items()}


def test_the_bill_of_materials_lists_every_package_and_vendored_file() -> None:
    kept = json.loads((ROOT / "docs" / "sbom.cdx.json").read_text(encoding="utf-8"))
    now = json.loads(bill_of_materials(CONSTRAINTS))
    purls = [component["purl"] for component in now["components"]]
    assert [component["purl"] for component in kept["components"]] == purls
    pinned = re.findall(r"^([\w.-]+)==([^\s;]+)", CONSTRAINTS, re.MULTILINE)
    assert len(purls) == len(pinned) + len(vendored_files())
    required = [component for component in kept["components"] if component["scope"] == "required"]
    assert "numba" in {component["name"] for component in required}
    assert "pytest" not in {component["name"] for component in required}
    assert [component["name"] for component in required if not component.get("licenses")] == []
