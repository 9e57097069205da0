"""The cards that prove a winning hand: read as typed or tapped, and named by the classifier that the odds use."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, cast, get_args

from croupier.cards import cards_text, parse_card, parse_cards
from croupier.errors import IllegalActionError, NotationError, unknown
from croupier.floor.setup import JackpotSetup, TableSetup, jackpot_choice
from croupier.kernels.baccarat import as_wagered, baccarat_hands
from croupier.kernels.bets import LOSE
from croupier.kernels.effects import DEALER, PLAYER_HAND
from croupier.kernels.hands import EMPTY, add_point, total_of
from croupier.kernels.link import Kernel, link, plain
from croupier.kernels.rows import cards_in_row
from croupier.kernels.scenes import SIDES, Scene
from croupier.kernels.sets import EMPTY_SET, cards_of, set_of
from croupier.pay.tables import Row
from croupier.rules.choice import COUNTS_SWITCH, Choice
from croupier.rules.trial import classified
from croupier.table.replay import RoundState, check_cards
from croupier.table.setup import rows_by_outcome

Side = Literal["", "player", "banker"]
"""Baccarat: the side that the winning seat wagered on; empty where nobody has said, or it does not matter."""
EXAMPLE = "As Ks Qs Js Ts 9s 8s"
MOST_PROOF_CARDS = 14
"""Of a dealer's hand; no drawing rule makes a longer one."""

_CARD = re.compile(r"(?:10|[a-z0-9])[cdhs♣♦♥♠]", re.IGNORECASE)
_LABEL = re.compile(r"\b(player|banker|dealer)\b:?", re.IGNORECASE)
_SIDE = re.compile(r"[,;]?\s*wagered on (player|banker)\s*$", re.IGNORECASE)
_BETWEEN = re.compile(r"[;/|]")


@dataclass(frozen=True)
class Proof:
    """What the cards say."""

    text: str
    """The cards in one notation, with the side where it counts."""
    row: Row | None
    """The row of the pay table that they give; None for a hand that loses."""
    label: str
    """The row in the words of the table."""


@dataclass(frozen=True)
class ProofForm:
    """What a dealer enters to prove a hand of a jackpot."""

    hands: tuple[str, ...]
    """Whose cards, in the order they are written."""
    example: str
    needs_side: bool = False
    labels: tuple[str, ...] = ()
    """What the fields for them are called."""


def asked_of(jackpot: JackpotSetup, table: TableSetup | None) -> ProofForm | None:
    """Which cards a wager looks at; None where the round itself decides it."""
    choice = jackpot_choice(jackpot, table)
    if choice.bet is None:
        return None
    scene = choice.bet.scene
    if scene.completes_dealer:
        return ProofForm(("Dealer",), "4s 5s 6s 7s", labels=("Dealer's cards",))
    if scene.has_sides:
        needs_side, labels = _follows_seat(choice), ("Player's cards", "Banker's cards")
        return ProofForm(("Player", "Banker"), "Kd Qd Td, 2d Jd 7d", needs_side, labels)
    if scene.is_set:
        example = cards_text(parse_cards(EXAMPLE)[: scene.own_cards])
        return ProofForm((f"all {scene.own_cards}",), example, labels=(f"All {scene.own_cards} cards that count",))
    if scene.follows_play:
        return ProofForm(("Seat", "Drawn"), "7s 7d, 7h", labels=("Seat's first cards", "Card drawn next, if any"))
    if scene.dealer_cards:
        return ProofForm(("Seat", "Dealer"), "As Ks, 7d", labels=("Seat's first cards", "Dealer's first cards"))
    return ProofForm(("Seat",), "As Ks", labels=("Seat's first cards",))


def is_one_result(jackpot: JackpotSetup, table: TableSetup | None) -> bool:
    """Whether all seats of a round look at the same cards, so that they can win with one row only."""
    bet = jackpot_choice(jackpot, table).bet
    return bet is not None and (bet.scene.completes_dealer or bet.scene.has_sides)


def is_same_hand(table: TableSetup, jackpot: JackpotSetup, seat: int, other: JackpotSetup, other_seat: int) -> bool:
    """Whether two wagers of a round look at the same cards: those of everybody, or the same ones of one seat, as two
    sensors of a seat may."""
    if is_one_result(jackpot, table) and is_one_result(other, table):
        return True
    if seat != other_seat or jackpot.id == other.id:
        return False
    mine, theirs = jackpot_choice(jackpot, table).bet, jackpot_choice(other, table).bet
    return mine is not None and theirs is not None and mine.scene == theirs.scene


def can_be_one_hand(table: TableSetup, jackpot: JackpotSetup, row: str, other: JackpotSetup, other_row: str) -> bool:
    """Whether the same cards can give both rows; of wagers with different classifiers only the cards tell."""
    mine, theirs = jackpot_choice(jackpot, table), jackpot_choice(other, table)
    if jackpot.id == other.id:
        return row == other_row
    if mine.bet is None or mine.bet != theirs.bet or mine.bet.pack(mine.switches) != mine.bet.pack(theirs.switches):
        return True
    return bool(_outcomes(mine, row) & _outcomes(theirs, other_row))


def _outcomes(choice: Choice, row: str) -> set[str]:
    return {outcome for outcome, ending in rows_by_outcome(choice).items() if ending.row == row}


def is_same_cards(text: str, other: str) -> bool:
    """Whether two proofs that were accepted show the same hands, in whatever order each was entered, and of baccarat
    the same winning side, where both name one."""
    (hands, side), (others, other_side) = map(_hands_and_side, (text, other))
    return hands == others and (not side or not other_side or side == other_side)


def _hands_and_side(text: str) -> tuple[list[list[int]], str]:
    said = _SIDE.search(text)
    hands = [sorted(_cards(part)) for part in _parts(text[: said.start()] if said else text)]
    return hands, said[1].lower() if said else ""


def is_won_by_all(jackpot: JackpotSetup, table: TableSetup | None) -> bool:
    """Whether a hand that wins for one participant wins for each of them."""
    choice = jackpot_choice(jackpot, table)
    return is_one_result(jackpot, table) and not _follows_seat(choice)


def _follows_seat(choice: Choice) -> bool:
    return choice.wager.hand == "seat" and choice.switches.get(COUNTS_SWITCH) != "either_side"


def prove(jackpot: JackpotSetup, table: TableSetup, text: str, side: str = "") -> Proof:
    """What the cards give at this table, by its own decks and switches."""
    choice = jackpot_choice(jackpot, table)
    bet = choice.bet
    if bet is None:
        raise IllegalActionError(f'The cards do not decide "{jackpot.id}": leave them out.', code="no_cards")
    scene = bet.scene
    if scene.completes_dealer:
        own, other, shown = _dealer_hand(text, scene, table)
    elif scene.has_sides:
        own, other, shown = _both_sides(text, side, scene, choice, table)
    elif scene.is_set:
        own, other, shown = _set(text, scene, table)
    else:
        own, other, shown = _opening(text, scene, table)
    outcome = classified(bet, own, other, bet.pack(choice.switches))
    row = rows_by_outcome(choice).get(bet.outcomes[outcome]) if outcome != LOSE else None
    return Proof(shown, row, choice.label(row) if row is not None else "")


def is_proved(jackpot: JackpotSetup, table: TableSetup, row: str, text: str, side: str) -> bool:
    """Whether cards that were dealt here give this row."""
    proved = prove(jackpot, table, text, side).row if text else None
    return proved is not None and proved.row == row


def _dealer_hand(text: str, scene: Scene, table: TableSetup) -> tuple[int, int, str]:
    cards = _cards(_LABEL.sub(" ", text))
    if not 2 <= len(cards) <= MOST_PROOF_CARDS:
        raise NotationError(
            f'"{text[:60]}" is not a dealer\'s final hand: enter all its cards, as 4s 5s 6s 7s.', code="bad_hand"
        )
    check_cards(cards, table.decks, scene.deck_size)
    return scene.hand_of(cards), EMPTY, cards_text(cards)


def _set(text: str, scene: Scene, table: TableSetup) -> tuple[int, int, str]:
    """A set has no order, and which of its cards lay where does not matter."""
    cards = _cards(_LABEL.sub(" ", text))
    if len(cards) != scene.own_cards:
        example = cards_text(parse_cards(EXAMPLE)[: scene.own_cards])
        raise NotationError(
            f'"{text[:60]}" is not what the wager looks at: enter {scene.own_cards} cards, as {example}.',
            code="bad_hand",
        )
    check_cards(cards, table.decks, scene.deck_size)
    return set_of(cards), EMPTY_SET, cards_text(cards)


def _opening(text: str, scene: Scene, table: TableSetup) -> tuple[int, int, str]:
    hands = [_cards(part) for part in _parts(text)]
    if scene.follows_play and [len(hand) for hand in hands] in ([2], [2, 1]):
        check_cards([card for hand in hands for card in hand], table.decks, scene.deck_size)
        rows = [scene.hand_of(hand) for hand in hands]
        return rows[0], rows[1] if rows[1:] else EMPTY, ", ".join(map(cards_text, hands))
    sizes = [size for size in (scene.own_cards or 2, scene.dealer_cards) if size]
    if [len(hand) for hand in hands] != sizes:
        listing = " and ".join(f"{size} of the {who}" for size, who in zip(sizes, ("seat", "dealer"), strict=False))
        raise NotationError(
            f'"{text[:60]}" is not what the wager looks at: enter the first cards, {listing}, with a comma between the '
            "hands.",
            code="bad_hand",
        )
    check_cards([card for hand in hands for card in hand], table.decks, scene.deck_size)
    other = scene.hand_of(hands[1]) if scene.dealer_cards else EMPTY
    return scene.hand_of(hands[0]), other, ", ".join(map(cards_text, hands))


def _both_sides(text: str, side: str, scene: Scene, choice: Choice, table: TableSetup) -> tuple[int, int, str]:
    if (said := _SIDE.search(text)) is not None:
        side, text = side or said[1].lower(), text[: said.start()]
    if side not in get_args(Side):
        raise unknown("side", side, get_args(Side)[1:])
    hands = [_cards(part) for part in _parts(text)]
    if len(hands) != 2 or not all(2 <= len(hand) <= 3 for hand in hands):
        raise NotationError(
            f'"{text[:60]}" is not a round of baccarat: enter both hands, the player\'s first, with a comma between '
            "them, as Kd Qd Td, 2d Jd 7d.",
            code="bad_hand",
        )
    player, banker = hands
    check_cards(player + banker, table.decks, scene.deck_size)
    _require_drawn(player, banker)
    shown = f"Player {cards_text(player)}, Banker {cards_text(banker)}"
    which: str = "winner" if choice.wager.hand == "seat" else choice.wager.hand
    if _follows_seat(choice):
        if not side:
            raise IllegalActionError(
                "At this table the progressive pays the side that the seat wagered on: say player or banker, of a "
                "prize that all share the side of one of them.",
                code="side_needed",
            )
        which, shown = side, f"{shown}, wagered on {side}"
    looked_at = slice(scene.own_cards or None)  # all cards, or the first ones
    hands_seen = scene.hand_of(player[looked_at]), scene.hand_of(banker[looked_at])
    own, other = as_wagered(scene.moment, *hands_seen, SIDES[which])
    return own, other, shown


def evidence_of(state: RoundState, wager: str, seat: int) -> tuple[str, Side]:
    """The cards of a round that was dealt here, and the side that won it where there are sides, for `prove`.

    A wager on a set, or on first cards, is proved by those that this seat (from 0) had.
    """
    scene = state.rules.side_bets[wager].bet.scene
    if scene.is_set:
        return cards_text(cards_of(state.sets[seat, scene.moment])), ""
    if scene.is_row and not scene.has_sides:
        return ", ".join(cards_text(cards_in_row(row)) for row in state.rows[seat, scene.moment] if row), ""
    if not state.rules.game.declared.has_sides:
        return cards_text(state.dealer), ""
    player, banker = state.row(PLAYER_HAND), state.row(DEALER)
    side: Side = "banker" if total_of(_points(banker)) > total_of(_points(player)) else "player"
    return f"Player {cards_text(player)}, Banker {cards_text(banker)}", side


def _points(cards: list[int]) -> int:
    hand = EMPTY
    for card in cards:
        hand = add_point(hand, card)
    return hand


class _OutOfCardsError(Exception):
    """The drawing rules ask for a card that is not there."""


def _draw(world: Any, table: Any, place: int) -> tuple[int, Any]:
    """The next card of a hand, for the round that is linked: `table` has both hands."""
    whose = "player" if place == PLAYER_HAND else "banker"
    if not table[whose]:
        raise _OutOfCardsError(whose)
    return table[whose].pop(0), world


def _settle(world: Any, table: Any, *_: Any) -> Any:
    return world


@cache
def _round() -> Kernel:
    linked: Kernel = link(baccarat_hands, plain, {"draw": _draw, "settle": _settle})
    return linked


def _require_drawn(player: list[int], banker: list[int]) -> None:
    """Both hands as the drawing rules make them, in the order of the deal: else a card was misread."""
    left = {"player": list(player), "banker": list(banker)}
    try:
        _round()(None, left)
    except _OutOfCardsError as missing:
        raise _not_drawn(f"the {missing} draws a third card") from None
    for whose, cards in left.items():
        if cards:
            raise _not_drawn(f"the {whose} draws no third card")


def _not_drawn(what: str) -> IllegalActionError:
    return IllegalActionError(
        f"These hands cannot lie there: by the drawing rules {what}. Enter each hand in the order it was dealt.",
        code="impossible_hand",
    )


def _parts(text: str) -> list[str]:
    """The hands of a text: by their names, else by `/`, `;` or `|` between them, else by a comma."""
    parts = _LABEL.split(text)
    if len(parts) > 1:
        named = cast(Iterator[tuple[str, str]], zip(parts[1::2], parts[2::2], strict=True))
        order = {"player": 0, "banker": 1, "dealer": 1}
        return [part for _, part in sorted(named, key=lambda one: order[one[0].lower()])]
    if _BETWEEN.search(text):
        return _BETWEEN.split(text)
    return text.split(",")


def _cards(text: str) -> list[int]:
    """Cards with or without blanks between them; commas are blanks here."""
    cards = []
    for word in _BETWEEN.sub(" ", text).replace(",", " ").split():
        names = _CARD.findall(word)
        cards += [parse_card(name) for name in (names if "".join(names) == word else [word])]
    return cards
