"""The page about agents is run as printed."""

from __future__ import annotations

import doctest
import re

from tests.helpers import ROOT

PAGE = ROOT / "docs" / "agents.md"


def test_the_page_gives_what_it_says() -> None:
    text = re.sub(r"^```.*$", "", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    page = doctest.DocTestParser().get_doctest(text, {}, PAGE.name, str(PAGE), 0)
    assert len(page.examples) > 20
    report: list[str] = []
    result = doctest.DocTestRunner(verbose=False).run(page, out=report.append)
    assert result.failed == 0, "".join(report)
