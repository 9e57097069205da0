"""The conformance suite: what must hold in every round of every game, ours or yours.

    from croupier.testing import check_game
    check_game("path/to/folder", rounds=1000)

Rounds are played with random cards, random wagers on everything the game offers and random legal answers. A broken
promise raises `AssertionError` with the log of the round, which `croupier replay` shows.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from datetime import date

from croupier.money import MICROS_PER_CENT, MICROS_PER_DOLLAR
from croupier.rules import Game, find_game
from croupier.table.events import (
    Asked,
    CardDealt,
    CardMoved,
    CardsTurned,
    RoundEnded,
    WagerAdded,
    WagerPlaced,
    WagerTakenBack,
)
from croupier.table.log import RoundLog, log_text, parse_log
from croupier.table.replay import NeedsAnswer, RoundState
from croupier.table.setup import TAKE, Stakes, TableRules, make_rules

DAY = date(2026, 1, 1)
MOST_STAKED = 400 * MICROS_PER_DOLLAR
"""On a main wager where no law says."""


def check_game(game: Game | str, *, rounds: int = 200, seed: int = 1) -> int:
    """Plays random rounds of a game, or of that at a path, and checks each; returns how many were played."""
    game = find_game(game) if isinstance(game, str) else game
    played = 0
    for log, state in random_rounds(game, rounds=rounds, seed=seed):
        try:
            check_round(log, state)
        except AssertionError as broken:
            raise AssertionError(f"{broken}\n{log_text(log)}") from None
        played += 1
    return played


def random_rounds(game: Game, *, rounds: int, seed: int) -> Iterator[tuple[RoundLog, RoundState]]:
    """Complete rounds under random switches, seats, wagers, cards and answers."""
    chance = random.Random(seed)
    for _ in range(rounds):
        rules = random_rules(game, chance)
        seats = [random_stakes(rules, chance) for _ in range(chance.randint(1, game.most_seats))]
        level_sensors(rules, seats)
        yield play_out(RoundLog(rules, seats), chance)


def random_rules(game: Game, chance: random.Random) -> TableRules:
    settings = {switch.id: chance.choice(switch.values) for switch in game.switches if chance.random() < 0.5}
    decks = chance.choice([number for number in game.decks if number > 1] or list(game.decks))
    meters = {
        wager.id: chance.randint(1, 10**8) * MICROS_PER_CENT
        for wager in game.wagers
        if wager.kind == "progressive" and chance.random() < 0.5
    }
    return make_rules(game, decks=decks, settings=settings, day=DAY, meters=meters)


def random_stakes(rules: TableRules, chance: random.Random) -> Stakes:
    """The first wager or a main one always, others now and then, sensors at their own amounts."""
    stakes: dict[str, int] = {}
    mandatory = rules.switches.get("jackpot_wager") == "mandatory"
    for name in rules.made_first:
        wager = rules.game.wager(name)
        is_first = name == rules.first_wager and rules.game.declared.needs_first_wager
        if wager.kind == "main" and (is_first or not stakes or chance.random() < 0.3):
            most = rules.most_by_law(name) or MOST_STAKED
            stakes[wager.id] = chance.randint(1, 2 * most // MICROS_PER_DOLLAR) * MICROS_PER_DOLLAR // 2
        elif wager.kind == "side" and chance.random() < 0.6:
            stakes[wager.id] = chance.randint(1, 100) * MICROS_PER_DOLLAR // 4
            if wager.take_bets and chance.random() < 0.3:
                stakes[TAKE + wager.id] = MICROS_PER_DOLLAR
        elif wager.kind == "progressive" and (mandatory or chance.random() < 0.6):
            table = rules.placed[wager.id].pay_table
            stakes[wager.id] = chance.choice((table.stake, *table.scales_to)) * MICROS_PER_DOLLAR
    return stakes


def level_sensors(rules: TableRules, seats: list[Stakes]) -> None:
    """Sensors of one jackpot take one amount at a table."""
    for wager in rules.game.wagers:
        if wager.kind == "progressive":
            amount = next((stakes[wager.id] for stakes in seats if wager.id in stakes), 0)
            for number, stakes in enumerate(seats):
                if wager.id in stakes:
                    seats[number] = {**stakes, wager.id: amount}


def play_out(log: RoundLog, chance: random.Random) -> tuple[RoundLog, RoundState]:
    """Goes on with a round until it is complete."""
    shoe = list(range(log.rules.game.declared.deck_size)) * log.rules.decks
    chance.shuffle(shoe)
    state = log.go_on(lambda need, state: shoe.pop(), lambda need, state: _random_answer(need, chance))
    assert state.is_complete
    return log, state


def _random_answer(need: NeedsAnswer, chance: random.Random) -> str:
    word = chance.choice(need.legal)
    if word == need.takes_amount and need.most >= MICROS_PER_DOLLAR and chance.random() < 0.3:
        return f"{word}:{chance.randint(1, need.most // MICROS_PER_DOLLAR)}"
    return word


def check_round(log: RoundLog, state: RoundState) -> None:
    """Every promise about one complete round."""
    _check_money(state)
    _check_wagers(state)
    _check_cards(log, state)
    _check_hidden(log)
    again = parse_log(log_text(log), log.rules.game)
    assert again.steps == log.steps, "the log does not survive its text form"
    assert again.state().events == state.events, "replaying the log gives other events"


def _check_money(state: RoundState) -> None:
    ended = [event for event in state.events if isinstance(event, RoundEnded)]
    assert len(ended) == 1, "a round ends once"
    seats = sum(event.returned - event.staked for event in state.settled)
    assert seats + ended[0].house_net == 0, "seats and house together win or lose nothing"
    unstaked = {
        name
        for name, wager in zip(state.rules.round_wagers, state.rules.game.declared.wagers, strict=True)
        if wager.pays_on
    }
    for settled_wager in state.settled:
        assert settled_wager.returned >= 0 and (
            settled_wager.staked > 0 or settled_wager.wager in unstaked or settled_wager.envy_of > 0
        ), "amounts are not negative"
    put_down: Counter[tuple[int, str]] = Counter()
    for event in state.events:
        if isinstance(event, WagerPlaced):
            put_down[event.seat, event.wager] += event.amount * state.rules.hands_staked(event.wager)
        elif isinstance(event, WagerAdded):
            put_down[event.seat, event.wager] += event.amount
        elif isinstance(event, WagerTakenBack):
            put_down[event.seat, event.wager] -= event.amount
    taken_up: Counter[tuple[int, str]] = Counter()
    for settled_wager in state.settled:
        taken_up[settled_wager.seat, settled_wager.wager] += settled_wager.staked
    for (seat, wager), amount in (put_down | taken_up).items():
        settled = taken_up[seat, wager]
        assert settled == put_down[seat, wager], f"seat {seat}: of {amount} on {wager}, {settled} was settled"
    for seat, staked in enumerate(state.staked, 1):
        assert staked == sum(amount for (whose, _), amount in put_down.items() if whose == seat), "money went astray"
    cap = state.rules.cap
    if cap is not None:
        assert all(event.amount <= cap for event in state.events if isinstance(event, WagerAdded)), "over the limit"


def _check_wagers(state: RoundState) -> None:
    """Every wager is settled once: the first wager on every hand, every other wager once (or once a hand)."""
    counts = Counter((event.seat, event.wager) for event in state.settled if not event.envy_of)
    for seat, stakes in enumerate(state.stakes, 1):
        for name in stakes:
            hands = state.rules.hands_staked(name)
            if name == state.rules.first_wager:  # not on hands that are played for the house's money alone
                hands = sum(amount > 0 for amount in state.on_hands[seat - 1])
            assert counts[seat, name] == hands, (
                f"seat {seat}: {name} was settled {counts[seat, name]} times, not {hands}"
            )
    rows = {name: {row.row for row in choice.rows} | {"lose"} for name, choice in state.rules.placed.items()}
    for event in state.settled:
        assert event.row in rows[state.rules.paid_by(event.wager)], f"{event.row} is not a row of {event.wager}"


def _check_cards(log: RoundLog, state: RoundState) -> None:
    assert max(Counter(log.cards).values()) <= log.rules.decks, "a card came more often than the decks hold it"
    assert state.cards_used == len(log.cards), "a card was drawn that nobody took"
    dealt = sum(isinstance(event, CardDealt) for event in state.events)
    copied = sum(isinstance(event, CardMoved) and event.stays for event in state.events)
    assert sum(map(len, state.cards.values())) == dealt + copied, "cards got lost on the table"
    declared = log.rules.game.declared
    questions = {event.question for event in state.events if isinstance(event, Asked)}
    assert questions <= {question.id for question in declared.asked}, f"a seat was asked {questions}"
    is_bust = declared.is_bust
    for hands in state.seats:
        assert len(hands) <= declared.most_hands, f"a seat has {len(hands)} hands"
        for cards in hands:
            assert not any(is_bust(cards[:size]) for size in range(1, len(cards))), "a bust hand was given another card"


def _check_hidden(log: RoundLog) -> None:
    """Step by step: a card that is face down, or another seat's own, is in nobody's history and in nobody's sight."""
    if all(place.face == "up" for place in log.rules.game.declared.places):
        return
    for length in range(len(log.steps)):
        state = RoundLog(log.rules, log.stakes, log.steps[:length]).state()
        for seat in range(len(log.stakes) + 1):  # from 1, and 0 for anybody
            _check_sight(state, seat)


def _check_sight(state: RoundState, seat: int) -> None:
    hidden: Counter[tuple[str, int, int]] = Counter()
    for event in state.seen_events(seat):
        if isinstance(event, CardDealt | CardMoved):
            may_see = not event.face_down and (not event.is_private or event.seat == seat)
            assert may_see == (event.card is not None), f"seat {seat} was told of a card that it may not see"
        if isinstance(event, CardDealt):
            hidden[event.to, event.seat, event.hand] += event.card is None
        elif isinstance(event, CardsTurned):
            hidden[event.to, event.seat, event.hand] = 0
    rows = [state.seen_row(place, seat - 1 if seat else None) for place in state.cards]
    unseen = sum(card is None for row in rows for card in row)
    assert unseen == hidden.total(), f"seat {seat} sees {unseen} cards face down, {hidden.total()} were not turned"


__all__ = ["check_game", "check_round", "level_sensors", "play_out", "random_rounds", "random_rules", "random_stakes"]
