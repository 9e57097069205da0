"""An outside bet tried on many hands, before anybody relies on it.

The exact walk takes a bet's word for what it looks at: it paints suits and tells faces apart only where the bet says
so. Here hands are dealt as they come, and the answer must be the one for the hand as the walk would show it.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from itertools import combinations_with_replacement, islice, product
from traceback import extract_tb
from typing import Any

from croupier.cards import RANKS, SUIT_WORDS, cards_text
from croupier.errors import SpecError
from croupier.kernels.baccarat import as_wagered
from croupier.kernels.bets import LOSE, Bet
from croupier.kernels.hands import (
    ALL_SUITS,
    COUNTS_AT,
    EMPTY,
    JACK,
    KING,
    TEN,
    add_card,
    count_of,
    size_of,
    suits_in,
    total_of,
    with_suits,
)
from croupier.kernels.link import cpu, link, plain
from croupier.kernels.outside import BET, FAILURES, FILE, file_of
from croupier.kernels.rows import cards_in_row
from croupier.kernels.scenes import SIDES, Scene
from croupier.kernels.sets import card_of, set_of
from croupier.rules.kernel_subset import bad_classifier

SAMPLES = 5000
MOST_OWN_CARDS = 4
MOST_OPTIONS = 16
FEW_OPTIONS = 4
MOST_OF_PLAYER = 26
"""No player's hand is higher: the last hit is on 16 or less, or on a soft hand."""
MOST_HAND_CARDS = 12
CLUBS_ONLY = 1
Classify = Callable[[int, int, int], Any]


def try_bet(bet: Bet, file: str) -> None:
    """Refuses a bet that Numba cannot compile, that fails on a hand, or that looks at more than it says."""
    compiled = _compiled(bet, file)
    chance = random.Random(1)
    settings = [
        sum(value << 4 * at for at, value in enumerate(values))
        for values in islice(product(*(range(len(values)) for values in bet.options.values())), MOST_OPTIONS)
    ]
    few = len(settings) <= FEW_OPTIONS
    for own, other in _hands_to_try(bet, chance):
        for options in settings if few else [chance.choice(settings)]:
            _try_hands(bet, compiled, own, other, options, file)


def _try_hands(bet: Bet, compiled: Classify, own: int, other: int, options: int, file: str) -> None:
    """One pair of hands, as dealt and as the walk shows it."""
    outcome = classified(bet, own, other, options, file)
    if int(compiled(own, other, options)) != outcome:
        reason = "Python and the compiled code answer differently, as where a number does not fit into 63 bits"
        raise _refused(bet, file, own, other, reason)
    for seen, reason in _as_the_walk_shows(bet, own, other):
        if classified(bet, *seen, options, file) != outcome:
            raise _refused(bet, file, own, other, reason)


def classified(bet: Bet, own: int, other: int, options: int, file: str = "") -> int:
    """The outcome of two hands, checked: a bet that is not ours may fail, or return what it did not declare."""
    try:
        outcome = bet.classify(own, other, options)
    except FAILURES as error:
        if bet.outside is None:
            raise
        line = max(
            (frame.lineno or 1 for frame in extract_tb(error.__traceback__) if _is_outside(frame.filename)), default=1
        )
        raise bad_classifier(file or _name(bet), line, f"{error}, with {hands_text(bet.scene, own, other)}") from None
    if isinstance(outcome, int) and not isinstance(outcome, bool) and LOSE <= outcome < len(bet.outcomes):
        return int(outcome)
    raise undeclared(bet, own, other, outcome, file)


def undeclared(bet: Bet, own: int, other: int, outcome: object, file: str = "") -> SpecError:
    """The refusal of an outcome that the bet did not declare."""
    last = len(bet.outcomes) - 1
    listing = ", ".join(f"{index} {name}" for index, name in enumerate(bet.outcomes))
    return SpecError(
        f"{file or _name(bet)}: the classifier returned {outcome} for {hands_text(bet.scene, own, other)}, which is no "
        f"row that it declares. Accepted: LOSE, or 0 to {last} ({listing}).",
        code="undeclared_row",
    )


def hands_text(scene: Scene, own: int, other: int) -> str:
    """Two hands in words, as a bet on that scene sees them."""
    beside = f" beside {_hand_text(scene, other)}" if other != EMPTY else ""
    return f"the hand {_hand_text(scene, own)}{beside}"


def _hand_text(scene: Scene, hand: int) -> str:
    if scene.is_row:
        return cards_text(cards_in_row(hand))
    if scene.is_set:
        return cards_text([card_of(bit) for bit in range(scene.deck_size) if hand >> bit & 1])
    cards = [name for rank, name in enumerate(RANKS) for _ in range(count_of(hand, rank))]
    suits = [name for suit, name in enumerate(SUIT_WORDS) if suits_in(hand) >> suit & 1]
    return f"{'-'.join(cards) or 'without cards'} ({', '.join(suits) or 'no suits'})"


def _hands_to_try(bet: Bet, chance: random.Random) -> Iterator[tuple[int, int]]:
    """Every hand of an opening of one hand; samples where there are too many."""
    scene = bet.scene
    if scene.is_set:
        for _ in range(SAMPLES):
            yield set_of(chance.sample(range(scene.deck_size), scene.own_cards)), EMPTY
        return
    if scene.is_row or not scene.is_opening or scene.dealer_cards > 0 or scene.own_cards > MOST_OWN_CARDS:
        yield from _sampled_hands(bet, chance)
        return
    for ranks in combinations_with_replacement(range(13), scene.own_cards):
        hand = EMPTY
        for rank in ranks:
            hand = add_card(hand, rank * 4)
        for suits in range(1, ALL_SUITS + 1):
            if suits.bit_count() <= scene.own_cards:
                yield with_suits(hand, suits), EMPTY


def _sampled_hands(bet: Bet, chance: random.Random) -> Iterator[tuple[int, int]]:
    """Pairs of hands as a round shows them to the bet, each dealt from a few ranks and suits: rare hands come too."""
    ends: list[tuple[int, int]] = []
    scene = bet.scene
    variants = [scene.parameters({scene.switch: value}) for value in scene.numbers] or [scene.parameters({})]
    linked = link(scene.play, plain, {"draw": _draw, "settle": _settle})
    for number in range(SAMPLES):
        cards = _few_cards(chance)
        linked(None, (cards, chance, ends), *variants[number % len(variants)])
        own, other = ends.pop()
        if scene.has_sides:
            sides = ("player", "banker", "winner") if scene.is_finished else ("player", "banker")
            yield as_wagered(scene.moment, own, other, SIDES[chance.choice(sides)])
        elif scene.completes_dealer:
            yield own, _players_hand(cards, chance)
        else:
            yield own, other


def _few_cards(chance: random.Random) -> list[int]:
    """One to thirteen ranks, tens and faces more often than others, in one to four suits."""
    weighted = [*range(13), TEN, JACK, KING]
    ranks = {chance.choice(weighted) for _ in range(chance.choice((1, 2, 3, 4, 8, 30)))}
    suits = chance.sample(range(4), chance.randint(1, 4))
    return [rank * 4 + suit for rank in sorted(ranks) for suit in suits]


def _players_hand(cards: list[int], chance: random.Random) -> int:
    hand = EMPTY
    least = chance.choice((12, 15, 17, 19, 21, 22))
    while total_of(hand) < least and size_of(hand) < MOST_HAND_CARDS:
        more = add_card(hand, chance.choice(cards))
        if total_of(more) > MOST_OF_PLAYER:
            return hand
        hand = more
    return hand


def _draw(world: Any, table: Any, place: int) -> tuple[int, Any]:
    return table[1].choice(table[0]), world


def _settle(world: Any, table: Any, seat: int, hand: int, moment: int, own: int, other: int) -> Any:
    table[2].append((own, other))
    return world


def _as_the_walk_shows(bet: Bet, own: int, other: int) -> Iterator[tuple[tuple[int, int], str]]:
    """The same hands with what the bet says it does not look at made plain, and what a different answer means."""
    if bet.scene.is_set or bet.scene.is_row:
        return
    if bet.scene.completes_dealer:
        yield (own, EMPTY), "the answer depends on the player's hand, which the odds of a dealer's hand do not know"
        other = EMPTY
    if not bet.faces:
        yield (_without_faces(own), _without_faces(other)), "it tells tens and faces apart: say faces=True"
    if bet.suits == "none":
        yield (_in(own, CLUBS_ONLY), _in(other, CLUBS_ONLY)), 'it looks at suits: say suits="own" or suits="all"'
    elif bet.suits == "own":
        yield (own, _in(other, CLUBS_ONLY)), 'it looks at the suits of the other hand: say suits="all"'
    else:
        both = suits_in(own) | suits_in(other)
        reason = f"it tells the suits of one hand from those of the other: {_say_cards(bet.scene)}"
        yield (_in(own, both), _in(other, both)), reason


def _say_cards(scene: Scene) -> str:
    """How the same cards are seen one by one, each with its suit."""
    if scene.has_sides:
        return "say scene=BaccaratResult(cards=True), and read its rows with croupier.kernels.rows"
    numbers = f"own_cards={scene.own_cards}, dealer_cards={scene.dealer_cards}"
    return f"say scene=Opening({numbers}, cards=True), and read its rows with croupier.kernels.rows"


def _in(hand: int, suits: int) -> int:
    return with_suits(hand, suits) if hand != EMPTY else EMPTY


def _without_faces(hand: int) -> int:
    """Jacks, queens and kings as tens, which is all that the walk shows without `faces`."""
    faces = sum(count_of(hand, rank) for rank in range(JACK, KING + 1))
    below_jack = hand & (1 << COUNTS_AT + 4 * JACK) - 1
    return below_jack + (faces << COUNTS_AT + 4 * TEN)


def _refused(bet: Bet, file: str, own: int, other: int, reason: str) -> SpecError:
    return bad_classifier(file, _line_of_bet(bet), f"{reason}. Seen with {hands_text(bet.scene, own, other)}")


def _line_of_bet(bet: Bet) -> int:
    """Where the bet says what it looks at."""
    lines = bet.outside[1].splitlines() if bet.outside is not None else []
    return next((number for number, line in enumerate(lines, 1) if line.startswith(BET)), 1)


def _name(bet: Bet) -> str:
    """Its file. Where the folder is, a process that got the bet as text does not know."""
    return f"{bet.outside[0].partition('-')[0]}.py" if bet.outside is not None else "The bet"


def _is_outside(file: str) -> bool:
    return file.startswith(FILE)


def _compiled(bet: Bet, file: str) -> Classify:
    import numba
    from numba.core.errors import NumbaError

    fast: Any = numba.njit(link(bet.classify, cpu))
    try:
        fast.compile((numba.int64, numba.int64, numba.int64))
    except NumbaError as error:
        assert bet.outside is not None
        line, reason = _words_of_numba(str(error), file_of(bet.outside[0]))
        accepted = "whole numbers in arithmetic, comparisons and variables; a tuple only behind in"
        raise bad_classifier(file, line, f"Numba cannot compile this: {reason}", accepted) from None
    return fast  # type: ignore[no-any-return]


def _words_of_numba(message: str, file: str) -> tuple[int, str]:
    """The last line of the file that the message names, and its first sentence."""
    places = message.split(f'File "{file}", line ')[1:]
    digits = "".join(letter for letter in places[-1][:6] if letter.isdecimal()) if places else ""
    lines = [line.strip() for line in message.replace("__outside", "").splitlines()]
    sentences = [line for line in lines if line and not line.startswith(("Failed in", "File", "During"))]
    return int(digits or 1), sentences[0].rstrip(".: ") if sentences else "no reason is given"
