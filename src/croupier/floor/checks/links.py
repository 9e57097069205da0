"""Rules about links: which jackpots and tables may play for one common amount."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from itertools import pairwise

from croupier.exact.odds import compute_odds
from croupier.floor.checks.findings import Finding, Severity, found
from croupier.floor.law import has_rule, law_on
from croupier.floor.setup import Floor, JackpotSetup, Link, TableSetup, has_wager_of, jackpot_choice
from croupier.rules.choice import Choice
from croupier.rules.registry import find_game

Findings = Iterator[Finding]


def members(floor: Floor, link: Link) -> list[tuple[TableSetup, JackpotSetup]]:
    """Each table of a link with its jackpot in it."""
    return [
        (table, jackpot)
        for table in map(floor.table, link.tables)
        for jackpot in dict.fromkeys(floor.jackpots_at(table))
        if jackpot.id in link.jackpots
    ]


def mixed_kinds(floor: Floor, day: date) -> Findings:
    row = law_on("no_mixed_link", day)
    for link in floor.links:
        kinds = {floor.jackpot(name).kind for name in link.jackpots}
        if row is not None and len(kinds) > 1:
            sentence = (
                f'The link "{link.id}" joins a progressive with a house jackpot. Link progressives with progressives '
                "only, or take one of them out."
            )
            yield found(row, "mixed_link", f"links.{link.id}.jackpots", sentence)


def nothing_else(floor: Floor, day: date) -> Findings:
    """A wager whose letter forbids it is linked neither to another jackpot nor over another base game."""
    for link in floor.links:
        jackpots = [floor.jackpot(name) for name in link.jackpots]
        games = {floor.table(name).game for name in link.tables}
        for jackpot in jackpots:
            row = law_on("linked_to_nothing_else", day, wager=jackpot.wager)
            if row is not None and (len(jackpots) > 1 or len(games) > 1):
                name = find_game(jackpot.game).wager(jackpot.wager).name
                sentence = (
                    f'The link "{link.id}" joins {name} with another jackpot or base game, which its letter forbids. '
                    "Give it a meter of its own."
                )
                yield found(row, "link_not_allowed", f"links.{link.id}", sentence)


def _families(floor: Floor, link: Link) -> list[str]:
    """Families of games at a link for which the law has a rule of its own."""
    families = {find_game(table.game).family for table, _ in members(floor, link)}
    return sorted(family for family in families if has_rule(f"linked_{family}"))


def blackjack(floor: Floor, day: date) -> Findings:
    """Linked tables share pay table and decks, where the law of their family of games says so."""
    for link, family in [(each, family) for each in floor.links for family in _families(floor, each)]:
        row = law_on(f"linked_{family}", day)
        if row is None:
            continue
        linked = [(t, j) for t, j in members(floor, link) if find_game(t.game).family == family]
        decks = sorted({table.decks for table, _ in linked})
        tables = sorted({(jackpot.wager, jackpot.pay_table, jackpot.wager_micros) for _, jackpot in linked})
        if len(decks) > 1:
            listing = " and ".join(str(number) for number in decks)
            sentence = (
                f'The tables of the link "{link.id}" use {listing} decks. Linked blackjack tables have the same number '
                "of decks: set them alike."
            )
            yield found(row, "linked_decks_differ", f"links.{link.id}.tables", sentence, effect=_tops(linked))
        if len(tables) > 1:
            listing = " and ".join(f"{wager} {pay_table}" for wager, pay_table, _ in tables)
            sentence = (
                f'The link "{link.id}" has different pay tables or wagers ({listing}). Linked blackjack tables have '
                "the same pay table: set them alike."
            )
            yield found(row, "linked_pay_tables_differ", f"links.{link.id}.jackpots", sentence)


def _tops(linked: list[tuple[TableSetup, JackpotSetup]]) -> dict[str, int]:
    """One in how many rounds the whole meter is won, at each table."""
    odds = {table.id: _rounds_between(jackpot_choice(jackpot, table)) for table, jackpot in linked}
    return {f"{table}_top_one_in": rounds for table, rounds in odds.items()}


def _rounds_between(choice: Choice) -> int:
    jackpot = compute_odds(choice).jackpot
    return round(jackpot.rounds_between) if jackpot is not None and jackpot.rounds_between is not None else 0


def same_chances(floor: Floor, day: date) -> Findings:
    """Linked tables win the whole meter with one hand. Different games do so with the same probability too; tables of
    one game may be linked as they are, so there it is a warning: players of one amount should have one chance."""
    row = law_on("link_probability", day)
    if row is None:
        return
    for link in floor.links:
        linked = [
            (table, jackpot) for table, jackpot in members(floor, link) if has_wager_of(find_game(table.game), jackpot)
        ]
        for (first, jackpot), (second, next_jackpot) in pairwise(linked):
            a, b = jackpot_choice(jackpot, first), jackpot_choice(next_jackpot, second)
            where = f"links.{link.id}"
            severity: Severity = "refusal" if first.game != second.game else "warning"
            pair = f'"{first.id}" and "{second.id}" of the link "{link.id}"'
            if _winning_hand(a) != _winning_hand(b):
                sentence = (
                    f"The tables {pair} do not win the whole meter with the same hand. Give both the same wager, pay "
                    "table and named suit."
                )
                suit = law_on("linked_named_suit", day, wager=jackpot.wager) if first.game == second.game else None
                yield found(suit or row, "link_hands_differ", where, sentence)
            elif (a.decks, a.switches) != (b.decks, b.switches) and _top_chance(a) != _top_chance(b):
                odds = _tops([(first, jackpot), (second, next_jackpot)])
                listing = " and ".join(f"1 in {rounds:,}" for rounds in odds.values())
                sentence = (
                    f"The tables {pair} win the whole meter with different chances ({listing}). Linked tables have the "
                    "same probability: set decks and rules alike."
                )
                yield found(row, "link_chances_differ", where, sentence, severity=severity, effect=odds)


def _winning_hand(choice: Choice) -> tuple[object, ...]:
    """What decides the 100% award: the bet, its rows, and the switches that it looks at."""
    options = choice.bet.options if choice.bet is not None else {}
    tops = tuple(row.paid_outcomes for row in choice.rows if row.pays.is_share and row.pays.share == 1)
    return (choice.bet_name, tops, tuple(choice.switches[name] for name in sorted(options)))


def _top_chance(choice: Choice) -> object:
    jackpot = compute_odds(choice).jackpot
    return None if jackpot is None else jackpot.top_probability


def one_progressive(floor: Floor, day: date) -> Findings:
    row = law_on("one_progressive_per_link", day)
    for link in floor.links:
        names = [name for name in link.jackpots if floor.jackpot(name).kind == "progressive"]
        if row is not None and len(names) > 1:
            sentence = (
                f'The link "{link.id}" joins {len(names)} progressives ({", ".join(names)}). One progressive is linked '
                "over tables; whether a proposal of 2023 to allow more was adopted is not known here. Keep one."
            )
            yield found(row, "several_progressives_linked", f"links.{link.id}.jackpots", sentence)


def same_system(floor: Floor, day: date) -> Findings:
    """Two jackpot systems on one link are a matter of testing, not of setup: a warning."""
    row = law_on("link_interoperability", day)
    for link in floor.links:
        # Nexus Command and GM Atlas are versions of one system.
        systems = {"aquarius" if floor.table(name).protocol == "aquarius" else "nexus" for name in link.tables}
        if row is not None and len(systems) > 1:
            sentence = (
                f'The link "{link.id}" joins tables with Aquarius and with Nexus Command. Systems are linked only '
                "after interoperability testing: have it on file, or use one system."
            )
            yield found(row, "link_of_systems", f"links.{link.id}.tables", sentence, severity="warning")
