"""Play in plain Python: replaying one round, and whole rounds through the table's commands."""

from __future__ import annotations

import statistics
import time
from datetime import date

from croupier.cards import parse_cards
from croupier.money import MICROS_PER_DOLLAR
from croupier.rules import find_game, game_ids
from croupier.table.replay import NeedsAnswer, RoundState, replay
from croupier.table.setup import Stakes, make_rules, parse_stakes
from croupier.table.shoe import LiveShoe, shuffle_for
from croupier.table.table import Automations, MakeWagers, Sit, StartRound, Table

DAY = date(2026, 1, 1)
REPLAYS = 2000
SELF_PLAY = 20_000

# One seat, one side bet, some decisions: wagers, cards, answers.
ROUNDS = {
    "blackjack": ("main=10 lucky_lucky=5", "8h 6s 8d Tc 3d Td 9h 2c 9s", "split double stand"),
    "double_down_madness": ("main=10 push_22=5", "6h 5s Kd 6c 9h 8d", "double hit stand"),
    "double_barrel": ("main=10 bonus=5", "5s 9h 6d 6h 9c 8c 7h Ts Th", "first double stand"),
    "blackjack_switch": ("main=10 first_four=5", "9s 5h 6d 2s 6h Tc Ts 7d", "switch double stand"),
    "mini_baccarat": ("player=10 dragon_bonus_player=5", "2h 3s 3d Kc 4d 9s", ""),
}


def replays() -> list[tuple[str, float]]:
    """Median microseconds of running a logged round from its first card."""
    rows = []
    for name, (wagers, cards, answers) in ROUNDS.items():
        game = find_game(name)
        rules = make_rules(game, day=DAY)
        stakes: list[Stakes] = [parse_stakes(wagers, game)]
        log, said = parse_cards(cards), answers.split()
        times = []
        for _ in range(REPLAYS):
            start = time.perf_counter()
            state = replay(rules, stakes, log, said)
            times.append(time.perf_counter() - start)
        assert state.is_complete, (name, state.need)
        rows.append((name, 1e6 * statistics.median(times)))
    return rows


def stand_or_first(need: NeedsAnswer, state: RoundState) -> str:
    """The plainest player: stands wherever that is possible."""
    return "stand" if "stand" in need.legal else need.legal[0]


def self_play(rounds: int = SELF_PLAY) -> list[tuple[str, float]]:
    """Rounds per second of one seat through the table's commands, events, ids and revisions included."""
    rows = []
    for name in game_ids():
        game = find_game(name)
        rules = make_rules(game, day=DAY)
        shoe = LiveShoe(rules.decks, shuffle_for(game.shuffles), deck_size=game.declared.deck_size)
        table = Table(rules, shoe, Automations(rebet=True, player=stand_or_first))
        stakes = {next(wager.id for wager in game.wagers if wager.is_main): 10 * MICROS_PER_DOLLAR}
        table.do(Sit(spot=1, player="bench"), revision=0)
        table.do(MakeWagers(spot=1, wagers=stakes), revision=1)
        start = time.perf_counter()
        for _ in range(rounds):
            table.do(StartRound(), revision=table.revision)
        rows.append((name, rounds / (time.perf_counter() - start)))
    return rows
