"""The page of the last soak says which tests passed, failed and were left out."""

from bench.soak import soak_page

REPORT = """<testsuites><testsuite timestamp="2026-11-18T10:00:00" time="120">
<testcase classname="tests.test_poker" name="test_short" time="1.5"/>
<testcase classname="tests.test_poker" name="test_long[a|b]" time="60"><failure message="no"/></testcase>
<testcase classname="tests.test_poker" name="test_left_out" time="0"><skipped/></testcase>
</testsuite></testsuites>"""


def test_every_test_stands_on_the_page_with_its_result() -> None:
    page = soak_page(REPORT)
    assert "on 2026-11-18: 1 of 3 tests passed, in 2 minutes." in page
    assert page.splitlines()[6:] == [
        "| tests.test_poker | test_long[a\\|b] | failure | 60.0 |",
        "| tests.test_poker | test_short | passed | 1.5 |",
        "| tests.test_poker | test_left_out | skipped | 0.0 |",
    ]
