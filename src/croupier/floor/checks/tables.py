"""Rules about single tables: wager limits, games on a hand, sensors, approved systems, aggregate limits."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from fractions import Fraction

from croupier.floor.checks.findings import Finding, found
from croupier.floor.law import SINGLE_WAGER, LawRow, law_on, rows_of
from croupier.floor.names import SYSTEMS
from croupier.floor.setup import Floor, JackpotSetup, TableSetup, WagerSetup, has_wager_of, jackpot_choice, pay_table_of
from croupier.house_time import date_text
from croupier.money import MICROS_PER_DOLLAR, dollars_for_people
from croupier.pay import COVER_ALL
from croupier.rules.choice import choose, notes_at_table
from croupier.rules.registry import find_game, titles_in

Findings = Iterator[Finding]
NOT_CONFIRMED = "pay_tables_not_confirmed"


def limit_micros(row: LawRow | None) -> int | None:
    return None if row is None or row.dollars is None else row.dollars * MICROS_PER_DOLLAR


def legal_most(floor: Floor, day: date) -> int | None:
    """The law's limit for a single wager, in micros; None where there is none or it is not known here."""
    return None if floor.establishment == "tribal" else limit_micros(law_on(SINGLE_WAGER, day))


def most_of(wager: WagerSetup, floor: Floor, day: date) -> int | None:
    """The greatest wager that can be made: the house's limit, or else the law's."""
    return wager.most_micros if wager.most_micros is not None else legal_most(floor, day)


def number_of_tables(floor: Floor, day: date) -> Findings:
    """The bound is the law's for commercial card rooms; a Tribal casino has its compact's."""
    row = law_on("fifteen_tables", day) if floor.establishment == "card_room" else None
    if row is not None and row.count is not None and len(floor.tables) > row.count:
        sentence = f"The floor has {len(floor.tables)} tables; a commercial card room has {row.count} at most."
        yield found(row, "too_many_tables", "tables", sentence, effect={"tables": len(floor.tables)})


def single_wager(floor: Floor, day: date) -> Findings:
    """No wager of a table or sensor is above the limit of that day."""
    if floor.establishment == "tribal":
        row = rows_of("tribal_limits")[0]
        sentence = (
            "A Tribal casino's wager limits are those of its compact, which is not known here: check them by hand."
        )
        yield found(row, "compact_limits", "establishment", sentence, severity="note")
        return
    row_of_day = law_on(SINGLE_WAGER, day)
    limit = limit_micros(row_of_day)
    if row_of_day is None or limit is None:
        return
    raised, left = _raised_tables(floor, day)
    for table in floor.tables:
        over = list(_amounts_over(floor, table, limit))
        if over and left > 0 and max(amount for _, _, amount in over) <= raised:
            left -= 1
            continue
        for where, name, amount in over:
            sentence = (
                f'The greatest wager on "{name}" at table "{table.id}" is {dollars_for_people(amount)}; on {day} a '
                f"single wager is {dollars_for_people(limit)} at most. Set it to {dollars_for_people(limit)} or less."
            )
            effect = {"limit_micros": limit, "set_micros": amount}
            yield found(row_of_day, "over_single_wager_limit", where, sentence, effect=effect)


def _raised_tables(floor: Floor, day: date) -> tuple[int, int]:
    """A higher limit of that day, and at how many tables of a room of this size it is allowed."""
    row = law_on("high_limit_tables", day)
    raised = limit_micros(row)
    if row is None or raised is None:
        return 0, 0
    allowed = [tables for size, tables in row.tables_by_size if len(floor.tables) >= size]
    return raised, max(allowed, default=0)


def _amounts_over(floor: Floor, table: TableSetup, limit: int) -> Iterator[tuple[str, str, int]]:
    for wager in table.wagers:
        if wager.most_micros is not None and wager.most_micros > limit:
            yield f"tables.{table.id}.wagers.{wager.wager}.most", wager.wager, wager.most_micros
    for jackpot in floor.jackpots_at(table):
        if jackpot.wager_micros > limit:
            yield f"jackpots.{jackpot.id}.wager_amount", jackpot.wager, jackpot.wager_micros


def games_on_a_hand(floor: Floor, day: date) -> Findings:
    """The main game, each side bet and each sensor are a game each; so many of them may be on one hand."""
    row = law_on("games_per_hand", day)
    if row is None or row.count is None:
        return
    for table in floor.tables:
        games = hand_games(floor, table, day)
        where = f"tables.{table.id}"
        listing = ", ".join(games)
        if len(games) > row.count:
            sentence = (
                f'The table "{table.id}" has {len(games)} games on one hand ({listing}); on {day} it may have '
                f"{row.count}. Take {len(games) - row.count} off the layout."
            )
            yield found(row, "too_many_games", where, sentence, effect={"games": len(games), "limit": row.count})
        yield from _large_games(table, games, day)
        sheet = law_on("four_games_sheet", day)
        if sheet is not None and sheet.count is not None and sheet.count < len(games) <= row.count:
            sentence = (
                f'The table "{table.id}" has {len(games)} games on one hand ({listing}). The rule is known in its '
                f"wording of 2009 only, and a later approved sheet allows {sheet.count}: ask before opening the table."
            )
            yield found(sheet, "more_than_four_games", where, sentence, severity="warning")


def _large_games(table: TableSetup, games: dict[str, int | None], day: date) -> Findings:
    row = law_on("small_games", day)
    small = limit_micros(row)
    if row is None or small is None or row.count is None:
        return
    large = [name for name, most in games.items() if most is None or most > small]
    if len(large) > row.count:
        sentence = (
            f'The table "{table.id}" has {len(large)} games that take more than {dollars_for_people(small)} '
            f"({', '.join(large)}); {row.count} may. Limit {len(large) - row.count} of them to "
            f"{dollars_for_people(small)} or less."
        )
        effect = {"games": len(large), "limit": row.count, "small_micros": small}
        yield found(row, "too_many_large_games", f"tables.{table.id}", sentence, effect=effect)


def hand_games(floor: Floor, table: TableSetup, day: date) -> dict[str, int | None]:
    """The games on one hand, each with its greatest wager.

    Main wagers and insurance are one game; so is a side bet that can be made on either hand of baccarat.
    """
    game = find_game(table.game)
    games: dict[str, int | None] = {}
    for setup in table.wagers:
        wager = game.wager(setup.wager)
        is_main = wager.is_main or game.is_asked(wager)
        name = game.first_wager.id if is_main else wager.pay_tables_of or wager.id
        most = most_of(setup, floor, day)
        known = games.get(name, 0)
        games[name] = None if most is None or known is None else max(most, known)
    for sensor in table.sensors:
        games[f"sensor {sensor.number}"] = floor.jackpot(sensor.jackpot).wager_micros
    return games


def sensors(floor: Floor, day: date) -> Findings:
    """At most two, each with a jackpot of its own."""
    most, own = law_on("two_sensors", day), law_on("one_jackpot_per_sensor", day)
    for table in floor.tables:
        where = f"tables.{table.id}.sensors"
        if most is not None and most.count is not None and len(table.sensors) > most.count:
            sentence = (
                f'The table "{table.id}" has {len(table.sensors)} sensors at each seat; {most.count} are allowed. '
                f"Remove {len(table.sensors) - most.count}."
            )
            yield found(most, "too_many_sensors", where, sentence, effect={"sensors": len(table.sensors)})
        names = [sensor.jackpot for sensor in table.sensors]
        for name in dict.fromkeys(name for name in names if names.count(name) > 1):
            sentence = (
                f'Two sensors of table "{table.id}" have the same jackpot "{name}"; each shows an amount of its own. '
                "Give one of them another jackpot, or remove it."
            )
            if own is not None:
                yield found(own, "sensors_share_jackpot", where, sentence)


def one_kind(floor: Floor, day: date) -> Findings:
    row = law_on("one_kind_per_table", day)
    for table in floor.tables:
        kinds = {jackpot.kind for jackpot in floor.jackpots_at(table)}
        if row is not None and len(kinds) > 1:
            sentence = (
                f'The table "{table.id}" has a progressive and a house jackpot. All jackpots of a table are of one '
                "kind: make both progressive or both house jackpots, or move one to another table."
            )
            yield found(row, "mixed_jackpot_kinds", f"tables.{table.id}.sensors", sentence)


def _placed(floor: Floor) -> Iterator[tuple[TableSetup, JackpotSetup]]:
    """Each jackpot at each of its tables."""
    for table in floor.tables:
        for jackpot in dict.fromkeys(floor.jackpots_at(table)):
            yield table, jackpot


def beside_its_game(floor: Floor, day: date) -> Findings:
    """A jackpot wager stands only beside the games that its letter names."""
    for table, jackpot in _placed(floor):
        row = law_on("only_beside", day, wager=jackpot.wager)
        allowed = row.games if row is not None else (jackpot.game,)
        is_allowed = table.game in allowed if row is not None else has_wager_of(find_game(table.game), jackpot)
        if not is_allowed:
            titles = " or ".join(find_game(name).name for name in allowed)
            wager = find_game(jackpot.game).wager(jackpot.wager)
            sentence = (
                f'{wager.name} is approved beside {titles} only; the table "{table.id}" plays '
                f"{find_game(table.game).name}. Take the sensor off this table."
            )
            yield found(
                row or rows_of("as_approved")[0], "wrong_base_game", f"tables.{table.id}.sensors.{jackpot.id}", sentence
            )


def rule_sheets(floor: Floor, day: date) -> Findings:
    """A real floor offers a title that is known from public descriptions by its approved rule sheet, which it has
    recorded, and with pay tables that two persons have compared with it."""
    row = law_on("rule_sheet", day)
    if row is None or floor.demo:
        return
    for table in floor.tables:
        for title in titles_in(table.game):
            if find_game(title).source.kind == "public":
                yield from _rule_sheet(row, floor, table, title)


def _rule_sheet(row: LawRow, floor: Floor, table: TableSetup, title: str) -> Findings:
    """The same of one title at a table, which may have several beside each other."""
    where, name = f"tables.{table.id}.game", find_game(title).name
    sheet = floor.rule_sheet(title)
    if sheet is None:
        sentence = (
            f'The table "{table.id}" plays {name}, which is known here from public descriptions alone. Record the '
            f'approved rule sheet: a block rule_sheets with game = "{title}", approved and pay_tables.'
        )
        yield found(row, "rule_sheet_not_recorded", where, sentence)
        return
    if len(set(sheet.confirmed_by) - {""}) < 2:
        sentence = f"Two persons compare the pay tables of {name} with the approved rule sheet, and sign for it."
        yield found(row, NOT_CONFIRMED, f"rule_sheets.{title}.confirmed_by", sentence)
    offered = {wager.wager: wager.pay_table for wager in table.wagers}
    offered |= {jackpot.wager: jackpot.pay_table for jackpot in floor.jackpots_at(table)}
    own = {wager.id for wager in find_game(title).wagers if wager.pay_tables}
    for wager, pay_table in offered.items():
        if wager in own and sheet.pay_tables.get(wager) != pay_table:
            sentence = (
                f'Pay table {pay_table} of "{wager}" at the table "{table.id}" is not among those of {name} that '
                "were compared with the approved rule sheet. Compare it, and name it in pay_tables."
            )
            yield found(row, NOT_CONFIRMED, f"tables.{table.id}.wagers.{wager}.pay_table", sentence)


def envy(floor: Floor, day: date) -> Findings:
    """A real floor pays for hands of others, as envy or Cover All, by a rule sheet alone that names the pay table."""
    row = law_on("shared_features", day)
    if row is None or floor.demo:
        return
    for table in floor.tables:
        game = find_game(table.game)
        for setup in table.wagers:
            wager = game.wager(setup.wager)
            how = wager.pay_table(setup.pay_table).pays_for_others if wager.pay_tables else ""
            if how and not _is_on_sheet(floor, table, setup):
                sentence = (
                    f'Pay table {setup.pay_table} of "{setup.wager}" at the table "{table.id}" pays {how}, and whether '
                    "the law allows that is not known here. Record the approved rule sheet that says so: a block "
                    "rule_sheets with game, approved and pay_tables, which two persons sign."
                )
                code = "cover_all_not_approved" if how == COVER_ALL else "envy_not_approved"
                yield found(row, code, f"tables.{table.id}.wagers.{setup.wager}.pay_table", sentence)


def _is_on_sheet(floor: Floor, table: TableSetup, setup: WagerSetup) -> bool:
    sheets = filter(None, map(floor.rule_sheet, titles_in(table.game)))
    return any(
        sheet.pay_tables.get(setup.wager) == setup.pay_table and len(set(sheet.confirmed_by) - {""}) > 1
        for sheet in sheets
    )


def approved_system(floor: Floor, day: date) -> Findings:
    for table, jackpot in _placed(floor):
        row = law_on("approved_system", day, wager=jackpot.wager)
        if row is not None and table.protocol not in row.protocols:
            accepted = ", ".join(f"{name} ({SYSTEMS[name]})" for name in row.protocols)
            sentence = (
                f'The table "{table.id}" runs "{table.protocol}" ({SYSTEMS[table.protocol]}), which is not approved '
                f'for "{jackpot.wager}". Accepted: {accepted}.'
            )
            yield found(row, "system_not_approved", f"tables.{table.id}.protocol", sentence)


def sensor_wager(floor: Floor, day: date) -> Findings:
    row = law_on("sensor_wager", day)
    for jackpot in floor.jackpots:
        table = pay_table_of(jackpot)
        accepted = [amount * MICROS_PER_DOLLAR for amount in (table.stake, *table.scales_to)]
        if row is not None and jackpot.wager_micros not in accepted:
            listing = ", ".join(dollars_for_people(amount) for amount in accepted)
            sentence = (
                f'The sensors of "{jackpot.id}" take {dollars_for_people(jackpot.wager_micros)}, which pay table '
                f"{jackpot.pay_table} is not approved for. Accepted: {listing}."
            )
            yield found(row, "bad_sensor_wager", f"jackpots.{jackpot.id}.wager_amount", sentence)


def as_approved(floor: Floor, day: date) -> Findings:
    """Where a table leaves its letter, or is older than it."""
    row = rows_of("as_approved")[0]
    for table in floor.tables:
        game = find_game(table.game)
        if day < game.source.date:
            sentence = (
                f"The letter that approves {game.name} is of {date_text(game.source.date)}; whether an earlier one "
                f"approved it is not known here. Check the approval that was in force on {date_text(day)}."
            )
            yield found(row, "before_letter", f"tables.{table.id}.game", sentence, severity="warning")
        recorded = {find_game(title).source.draft_text for title in titles_in(table.game) if floor.rule_sheet(title)}
        for note, where in _leavings(floor, table).items():
            if note in recorded:
                continue  # its approved rule sheet is at hand here
            sentence = f'The table "{table.id}" leaves its letter: {note}. It may affect the approval.'
            yield found(row, "away_from_letter", where, sentence, severity="warning")


def _leavings(floor: Floor, table: TableSetup) -> dict[str, str]:
    """What is not in the letter, each once, with its place."""
    game = find_game(table.game)
    chosen, places = [], {}
    for setup in table.wagers:
        settings = dict(table.settings)
        chosen.append(choose(game, setup.wager, pay_table=setup.pay_table, decks=str(table.decks), settings=settings))
        places[id(chosen[-1])] = f"tables.{table.id}.wagers.{setup.wager}"
    for jackpot in floor.jackpots_at(table):
        chosen.append(jackpot_choice(jackpot, table))
        places[id(chosen[-1])] = f"jackpots.{jackpot.id}"
    return {note: places[id(of[0])] for note, of in notes_at_table(chosen).items()}


def highest_odds(table: TableSetup, setup: WagerSetup) -> Fraction:
    """The highest profit for each unit wagered that the wager's pay table has, shares of meters apart."""
    chosen = choose(
        find_game(table.game),
        setup.wager,
        pay_table=setup.pay_table,
        decks=str(table.decks),
        settings=dict(table.settings),
    )
    return max((row.pays.net for row in chosen.rows if not row.pays.is_share), default=Fraction(0))


def aggregate_limits(floor: Floor, day: date) -> Findings:
    """An aggregate payout limit exists only from 50 to 1 on, and is not below the greatest wager times 50."""
    row = law_on("aggregate_limit", day)
    if row is None or row.count is None:
        return
    for table in floor.tables:
        for setup in table.wagers:
            limit = setup.aggregate_limit_micros
            if limit is None:
                continue
            where = f"tables.{table.id}.wagers.{setup.wager}.aggregate_limit"
            odds = highest_odds(table, setup)
            if odds < row.count:
                sentence = (
                    f'"{setup.wager}" at table "{table.id}" pays {float(odds):g} to 1 at most; an aggregate payout '
                    f"limit is allowed only from {row.count} to 1 on. Remove it."
                )
                yield found(row, "aggregate_limit_not_allowed", where, sentence, effect={"highest_odds": int(odds)})
                continue
            most = most_of(setup, floor, day)
            least = None if most is None else most * row.count
            if least is not None and limit < least:
                sentence = (
                    f'The aggregate payout limit on "{setup.wager}" at table "{table.id}" is '
                    f"{dollars_for_people(limit)}; with wagers up to {dollars_for_people(most or 0)} it is "
                    f"{dollars_for_people(least)} at least ({dollars_for_people(most or 0)} x {row.count})."
                )
                effect = {"least_micros": least, "set_micros": limit, "highest_odds": int(odds)}
                yield found(row, "aggregate_limit_too_low", where, sentence, effect=effect)
