"""What `make soak` found, as a page: `python -m bench.soak REPORT.xml` reads the report and writes results/soak.md."""

import os
import platform
import sys
from pathlib import Path
from xml.etree import ElementTree

PAGE = Path(__file__).parent / "results" / "soak.md"


def soak_page(report: str) -> str:
    """Markdown of a report in JUnit's XML: every test with its result, the longest first."""
    suite = next(iter(ElementTree.fromstring(report).iter("testsuite")))
    lines = []
    for case in suite.iter("testcase"):
        kinds = [child.tag for child in case if child.tag in ("failure", "error", "skipped")]
        seconds = float(case.get("time", 0))
        result = kinds[0] if kinds else "passed"
        name = case.get("name", "").replace("|", "\\|")
        lines.append((seconds, f"| {case.get('classname')} | {name} | {result} | {seconds:.1f} |"))
    passed = sum("| passed |" in line for _, line in lines)
    return "\n".join(
        [
            "# The soak",
            "",
            f"{os.cpu_count()} cores, Python {platform.python_version()}, {platform.machine()}. Made by `make soak` on "
            f"{suite.get('timestamp', '')[:10]}: {passed} of {len(lines)} tests passed, in "
            f"{float(suite.get('time', 0)) / 60:.0f} minutes.",
            "",
            "| file | test | result | s |",
            "|---|---|---|---|",
            *(line for _, line in sorted(lines, reverse=True)),
            "",
        ]
    )


if __name__ == "__main__":
    PAGE.write_text(soak_page(Path(sys.argv[1]).read_text()))
    print(f"Written: {PAGE}")
