"""`python -m croupier.manual WHAT ...` makes pages of the documentation: `pages`, `bill`, `notebooks`,
`strategies` (minutes), and what comes with the package: `shipped` (minutes; of games whose rules have changed)."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from pathlib import Path

from croupier.errors import CroupierError, unknown

DOCS = Path("docs")


def _write(pages: dict[str, str]) -> Iterable[Path]:
    for name, text in pages.items():
        path = DOCS / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        yield path


def _pages() -> Iterable[Path]:
    from croupier.manual.made import made_pages  # loads the whole program, which the site alone does not need

    return _write(made_pages())


def _bill() -> Iterable[Path]:
    from croupier.manual.materials import bill_of_materials

    return _write({"sbom.cdx.json": bill_of_materials(Path("constraints.txt").read_text(encoding="utf-8"))})


def _strategies() -> Iterable[Path]:
    from croupier.manual.made import strategy_pages

    return _write(strategy_pages())


def _shipped() -> Iterable[Path]:
    from croupier.manual.shipped import shipped_files

    return shipped_files([])


def _notebooks() -> Iterable[Path]:
    from croupier.manual.notebooks import notebook_pages

    return _write(notebook_pages())


STEPS: dict[str, Callable[[], Iterable[Path]]] = {
    "shipped": _shipped,
    "pages": _pages,
    "bill": _bill,
    "notebooks": _notebooks,
    "strategies": _strategies,
}


def main(wanted: list[str]) -> int:
    try:
        for name in wanted or list(STEPS):
            if name not in STEPS:
                raise unknown("step", name, STEPS)
            for path in STEPS[name]():
                sys.stdout.write(f"{path}\n")
    except CroupierError as error:
        sys.stderr.write(f"croupier.manual: {error.code}: {error}\n")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
