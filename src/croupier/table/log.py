"""A round's log as text, one thing a line, both ways.

    croupier round 2
    game double_down_madness
    rules 2025-02-11
    day 2026-11-16
    decks 6
    set jackpot_suit=hearts
    pay-table push_22=2
    meter push_22_progressive=12345.67
    seat main=10.00 push_22=5.00
    card 6h
    answer double

There is a `set` line for every switch of the game and a `pay-table` line for every wager with one, so that a log means
the same when defaults change; `meter` lines are there for what was set at the table. `card` and `answer` lines stand in
the order in which things happened, cards in the order they left the shoe. A log of version 1 has lines only for what
was set away from the defaults, which are those of 2026-11-17.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date

from croupier.cards import card_text, parse_card
from croupier.errors import NotationError
from croupier.money import dollars, parse_dollars
from croupier.rules import find_game
from croupier.rules.choice import parse_decks, parse_settings
from croupier.rules.former import former_pay_tables, former_settings, with_younger
from croupier.rules.spec import Game
from croupier.table.replay import Dealing, Deciding, RoundState, replay
from croupier.table.setup import Stakes, TableRules, make_rules, parse_stakes

HEAD = "croupier round 2"
FORMER_HEAD = "croupier round 1"


@dataclass
class RoundLog:
    """All that determines a round."""

    rules: TableRules
    stakes: list[Stakes]
    steps: list[int | str] = field(default_factory=list)
    """Cards as numbers and answers as words, in the order they came."""

    @property
    def cards(self) -> list[int]:
        return [step for step in self.steps if isinstance(step, int)]

    @property
    def answers(self) -> list[str]:
        return [step for step in self.steps if isinstance(step, str)]

    def state(self) -> RoundState:
        return replay(self.rules, self.stakes, self.cards, self.answers)

    def go_on(self, deal: Dealing, decide: Deciding | None = None) -> RoundState:
        """Plays on as far as cards and answers are given, and keeps them. The wagers have been checked before."""
        state = replay(self.rules, self.stakes, self.cards, self.answers, deal=deal, decide=decide, trusted=True)
        self.steps += state.added
        return state


def log_text(log: RoundLog) -> str:
    """The opposite of `parse_log`."""
    rules = log.rules
    lines = [
        HEAD,
        f"game {rules.game.id}",
        f"rules {rules.game.version}",
        f"day {rules.day.isoformat()}",
        f"decks {rules.decks}",
    ]
    lines += [f"set {name}={value}" for name, value in rules.every_switch.items()]
    lines += [f"pay-table {name}={value}" for name, value in rules.every_pay_table.items()]
    lines += [f"meter {name}={dollars(amount)}" for name, amount in rules.meters.items()]
    for stakes in log.stakes:
        lines.append("seat " + " ".join(f"{name}={dollars(amount)}" for name, amount in stakes.items()))
    lines += [f"card {card_text(step)}" if isinstance(step, int) else f"answer {step}" for step in log.steps]
    return "\n".join(lines) + "\n"


ONCE = ("game", "rules", "day", "decks")
PAIRS = ("set", "pay-table", "meter")


def parse_log(text: str, game: Game | None = None) -> RoundLog:
    """A log from its text, or an error with the number of the line that does not read.

    `game` is needed only for a game that is not registered, such as one loaded from a file of your own.
    """
    lines = [(number, line.strip()) for number, line in enumerate(text.splitlines(), 1)]
    lines = [(number, line) for number, line in lines if line and not line.startswith("#")]
    if not lines or lines[0][1] not in (HEAD, FORMER_HEAD):
        raise NotationError(f'This is not a round log: its first line must be "{HEAD}".', code="bad_log")
    words: dict[str, list[str]] = {}
    steps: list[int | str] = []
    for number, line in lines[1:]:
        word, _, rest = line.partition(" ")
        known = word in (*ONCE, *PAIRS, "seat", "card", "answer")
        if not known or not rest.strip() or (word in PAIRS and "=" not in rest) or (word in ONCE and word in words):
            raise NotationError(f'Line {number} of the log, "{line}", cannot be read.', code="bad_log")
        if word == "card":
            steps.append(parse_card(rest))
        elif word == "answer":
            steps.append(rest.strip())
        else:
            words.setdefault(word, []).append(rest.strip())
    log = _build(words, steps, game, is_former=lines[0][1] == FORMER_HEAD)
    state = log.state()
    if (state.cards_used, state.answers_used) != (len(log.cards), len(log.answers)):
        raise NotationError("The log has cards or answers after the end of its round.", code="bad_log")
    return log


def _build(words: dict[str, list[str]], steps: list[int | str], game: Game | None, *, is_former: bool) -> RoundLog:
    missing = [word for word in ("game", "day", "decks", "seat") if word not in words]
    if missing:
        raise NotationError(f"The log has no line beginning with {missing[0]}.", code="bad_log")
    if game is None or game.id != words["game"][0]:
        game = find_game(words["game"][0])
    version = words.get("rules", [game.version])[0]
    if version != game.version:
        raise NotationError(
            f"The log was made under rules {version} of {game.id}; this program has {game.version}.", code="other_rules"
        )
    try:
        day = date.fromisoformat(words["day"][0])
    except ValueError:
        raise NotationError("The log's day cannot be read: write it as 2026-11-16.", code="bad_log") from None
    decks = parse_decks(words["decks"][0])
    settings, pay_tables = parse_settings(words.get("set", [])), parse_settings(words.get("pay-table", []))
    if is_former:
        pay_tables = former_pay_tables(game, decks or game.default_decks, pay_tables)
        settings = former_settings(game, settings, pay_tables)
    rules = make_rules(
        game,
        decks=decks,
        settings=with_younger(game, settings),
        pay_tables=pay_tables,
        day=day,
        meters={name: parse_dollars(amount) for name, amount in parse_settings(words.get("meter", [])).items()},
    )
    return RoundLog(rules, [parse_stakes(seat, game) for seat in words["seat"]], steps)
