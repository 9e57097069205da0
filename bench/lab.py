"""The lab's recompute, warm: a request and its answer over HTTP, and in a browser from the key to the new edge on the
page. The aim is 100 milliseconds.

Every request is for another pay, so that nothing is answered from what was computed before.
"""

from __future__ import annotations

import re
import time
from statistics import median, quantiles

import httpx2
from tests.browser import open_browser

from bench.web import serving

REPEATS = 200
KEYS = 30
DRAFTS = [
    ("side bet", "game=blackjack&wager=lucky_lucky", "pays.0", "{} to 1"),
    ("side bet on the dealer's hand", "game=blackjack&wager=lucky_break", "pays.0", "{} to 1"),
    ("baccarat bet", "game=mini_baccarat&wager=dragon_bonus_player", "pays.0", "{} to 1"),
    ("progressive", "game=double_down_madness&wager=push_22_progressive", "pays.4", "{} for 100"),
]
FIELD = re.compile(r'<input[^>]*name="([^"]+)"[^>]*value="([^"]*)"')


KEY_TO_FIGURE = """async ([id, pay]) => {
  const edge = () => document.querySelector("#figure-edge dd").textContent;
  const before = edge(), field = document.getElementById(id), start = performance.now();
  field.focus();
  field.value = pay;
  field.dispatchEvent(new Event("input", {bubbles: true}));
  while (edge() === before) await new Promise((done) => setTimeout(done, 1));
  return performance.now() - start;
}"""


def measure() -> list[tuple[str, float, float, float, float]]:
    """For each draft: kilobytes of the answer, milliseconds of a request, median and 99 of 100, and of a key."""
    rows = []
    with serving() as port, httpx2.Client(base_url=f"http://127.0.0.1:{port}", timeout=60) as client:
        for name, query, field, pay in DRAFTS:
            rows.append((name, *_timed(client, query, field, pay), _from_key(port, query, field, pay)))
    return rows


def _from_key(port: int, query: str, field: str, pay: str) -> float:
    with open_browser() as browser:
        page = browser.new_context(base_url=f"http://127.0.0.1:{port}").new_page()
        page.goto(f"/lab?{query}")
        page.locator("#figure-edge").wait_for()
        times: list[float] = [
            page.evaluate(KEY_TO_FIGURE, [field.replace(".", "-"), pay.format(2000 + 10 * number)])
            for number in range(KEYS)
        ]
    return median(times)


def _timed(client: httpx2.Client, query: str, field: str, pay: str) -> tuple[float, float, float]:
    while "Computing" in (page := client.get(f"/lab?{query}").text):
        pass  # the process starts, and walks what it has not walked before
    csrf = dict(FIELD.findall(page))["csrf"]
    fields = dict(part.split("=") for part in query.split("&")) | {"csrf": csrf, "solve_row": "3", "solve_edge": "5%"}
    times, size = [], 0
    for number in range(REPEATS + 1):
        start = time.perf_counter()
        body = fields | {field: pay.format(1000 + number)}
        answer = client.post("/lab", data=body, headers={"HX-Request": "true", "HX-Source": "input#pays"})
        times.append(1e3 * (time.perf_counter() - start))
        answer.raise_for_status()
        size = len(answer.content)
    warm = times[1:]
    return size / 1024, median(warm), quantiles(warm, n=100)[98]


def lines() -> list[str]:
    table = [
        f"| {name} | {size:.0f} | {middle:.1f} | {last:.1f} | {key:.0f} |"
        for name, size, middle, last, key in measure()
    ]
    head = "| draft, with comparison, effects and a solved pay | kB | median, ms | 99%, ms | key to figure, ms |"
    return [head, "|---|---|---|---|---|", *table]


if __name__ == "__main__":
    print("\n".join(lines()))
