"""The cards of a hit: they give the rows that are picked, and they are those that the round has shown before."""

from __future__ import annotations

from croupier.floor.proof import asked_of, is_one_result, is_same_cards, is_same_hand, prove
from croupier.floor.setup import Floor, JackpotSetup, TableSetup, hand_label
from croupier.floor.terminal import (
    EVERYONE,
    Entered,
    Pick,
    Terminal,
    Won,
    by_same_cards,
    jackpot_of,
    name_of,
    refuse,
    row_of,
)
from croupier.jackpot.awards import way_past
from croupier.pay.tables import Row


def needs_cards(jackpot: JackpotSetup, row: Row) -> bool:
    """Whether a hand is claimed with its cards only: no money leaves the meter without them."""
    return row.pays.is_share or jackpot.fixed_pays == "meter"


def prove_picks(terminal: Terminal, setup: TableSetup, floor: Floor, evidence: str, side: str, entered: Entered) -> str:
    """The cards in one notation, once they give the very rows that are picked, and are those of the round.

    What comes off the meter is never claimed without its cards; a pay from the tray may be, and is checked when they
    are given.
    """
    shown = ""
    for pick in terminal.picks:
        jackpot = jackpot_of(setup, floor, pick.sensor)
        row = row_of(jackpot, pick.row)
        if asked_of(jackpot, setup) is None:
            continue
        before = by_same_cards(setup, floor, jackpot, pick.seat, entered)
        if not evidence.strip():
            _require_cards_where_needed(terminal, setup, floor, pick, before)
            if (known := _cards_on_record(before)) is not None:
                _require_row(jackpot, setup, row, known.evidence, side)
            continue
        _require_one_hand(terminal, setup, floor, jackpot)
        shown = _require_row(jackpot, setup, row, evidence, side)
        _require_same_cards(terminal, setup, shown, side, before)
    return shown


def _require_one_hand(terminal: Terminal, setup: TableSetup, floor: Floor, jackpot: JackpotSetup) -> None:
    """The cards that are given are those of all that is picked."""
    if is_one_result(jackpot, setup):
        return
    if len({pick.seat for pick in terminal.picks} - {EVERYONE}) > 1:
        raise refuse("one_seat_at_a_time", "Each seat wins by its own cards: hit one seat at a time.")
    if len({asked_of(jackpot_of(setup, floor, pick.sensor), setup) for pick in terminal.picks}) > 1:
        raise refuse("one_sensor_at_a_time", "The sensors look at different cards here: hit one sensor at a time.")


def _require_cards_where_needed(
    terminal: Terminal, setup: TableSetup, floor: Floor, pick: Pick, before: list[tuple[JackpotSetup, Won]]
) -> None:
    """A pay off the meter needs its cards, and so do two rows that the same cards are said to give."""
    jackpot = jackpot_of(setup, floor, pick.sensor)
    row, proof = row_of(jackpot, pick.row), asked_of(jackpot, setup)
    assert proof is not None
    why = ""
    if needs_cards(jackpot, row):
        why = "pays a share of the meter" if row.pays.is_share else "pays from the meter"
    elif _cards_on_record(before) is None:
        beside = [(other, won.row) for other, won in before]
        for also in terminal.picks:
            other = jackpot_of(setup, floor, also.sensor)
            if also != pick and is_same_hand(setup, jackpot, pick.seat, other, also.seat):
                beside.append((other, also.row))
        for other, its_row in beside:
            if its_row != pick.row:
                label = hand_label(other, row_of(other, its_row), setup)
                why = f'and "{label}" for "{name_of(other)}" are said to be the same cards'
    if why:
        label, whose = hand_label(jackpot, row, setup), " and ".join(name.lower() for name in proof.hands)
        raise refuse("cards_needed", f'"{label}" {why}: enter the cards that make it ({whose}), as {proof.example}.')


def _require_row(jackpot: JackpotSetup, setup: TableSetup, row: Row, evidence: str, side: str) -> str:
    proof = prove(jackpot, setup, evidence, side)
    if proof.row is None or proof.row.row != row.row:
        given = f'"{proof.label}"' if proof.row is not None else "no winning hand"
        label = hand_label(jackpot, row, setup)
        raise refuse("cards_give_another", f'The cards {proof.text} give {given}, not "{label}".')
    return proof.text


def _cards_on_record(before: list[tuple[JackpotSetup, Won]]) -> Won | None:
    """An award by the same cards that was claimed with them."""
    return next((won for _, won in before if won.evidence), None)


def _require_same_cards(
    terminal: Terminal, setup: TableSetup, cards: str, side: str, before: list[tuple[JackpotSetup, Won]]
) -> None:
    """A hand has one set of cards in a round, and they give what was claimed without cards before them."""
    known = _cards_on_record(before)
    if known is not None and not is_same_cards(cards, known.evidence):
        raise refuse(
            "other_cards",
            f'Award "{known.award}" of round {terminal.round} was claimed with the cards {known.evidence}, and now '
            f"they are {cards}: a round has one set of cards, whatever the seat and sensor. {way_past(known.status)}",
        )
    for jackpot, won in before:
        given = prove(jackpot, setup, cards, side).row
        if given is None or given.row != won.row:
            label = hand_label(jackpot, row_of(jackpot, won.row), setup)
            raise refuse(
                "other_cards",
                f'Award "{won.award}" of round {terminal.round} is for "{label}", which the cards {cards} do not '
                f"give: a round has one set of cards, whatever the seat and sensor. {way_past(won.status)}",
            )
