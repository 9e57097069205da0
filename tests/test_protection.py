"""What a counter can take from a wager: effects of removal, counts and yields, each by a second way."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations, permutations
from pathlib import Path

import numpy as np
import pytest

import croupier as library
from croupier.errors import CroupierError
from croupier.exact.protection.counts import best_counts, correlation, given_count, linear_count, named_counts
from croupier.exact.protection.removal import expected_profit
from croupier.exact.protection.terms import Terms
from croupier.reports.protection.layout import lay_out
from croupier.reports.protection.study import Protection, protection_of
from croupier.rules.choice import choose
from croupier.rules.registry import find_game, game_ids
from croupier.rules.spec import Game, Wager
from croupier.simulate.counted_shoes import Room, worth
from tests.conftest import Croupier


def is_from_a_shoe(game: Game, wager: Wager) -> bool:
    """Whether the cards of a shoe alone decide it."""
    bet = None if game.is_asked(wager) else choose(game, wager.id).bet
    return bet is not None and not bet.scene.is_set and not bet.scene.follows_play


PLAYED = [("blazing_7s_players_cards", "blazing_7s")]
"""Decided by a card that a seat draws, hands being played as from the fresh shoe."""
SHOE_WAGERS = [
    (game.id, wager.id) for game in map(find_game, game_ids()) for wager in game.wagers if is_from_a_shoe(game, wager)
]


def exact_part(game: str, wager: str, decks: int | None = None) -> Protection:
    return protection_of(choose(find_game(game), wager, decks=str(decks) if decks else None))


@pytest.mark.parametrize(("game", "wager"), [*SHOE_WAGERS, *PLAYED])
def test_effects_of_removal_add_up_to_zero_and_the_fresh_shoe_has_the_edge_of_the_sheet(game: str, wager: str) -> None:
    """`protection_of` refuses either; this says for which wagers it was asked."""
    protection = exact_part(game, wager)
    assert sum(protection.removal.by_card) == 0
    assert protection.removal.value == sum(row.returned for row in protection.odds.rows)


def test_effects_are_the_difference_between_a_deck_with_and_without_the_card() -> None:
    """Lucky Lucky on one deck, every three cards dealt by hand and classified by the bet itself."""
    protection = exact_part("blackjack", "lucky_lucky", 1)
    choice = protection.choice
    assert choice.bet is not None
    returns = {outcome: row.pays.net + 1 for row in choice.rows for outcome in row.paid_outcomes}
    options = choice.bet.pack(choice.switches)
    returned = [Fraction(0)] * 52
    whole = Fraction(0)
    for cards in combinations(range(52), 3):
        outcome = choice.bet.classify(choice.bet.scene.hand_of(cards), 0, options)
        if outcome >= 0:
            worth_of_deal = returns[choice.bet.outcomes[outcome]]
            whole += worth_of_deal
            for card in cards:
                returned[card] += worth_of_deal
    value = whole / 22100 - 1
    for card in range(52):
        assert protection.removal.by_card[card] == (whole - returned[card]) / 20825 - 1 - value


def test_a_named_suit_has_effects_of_its_own() -> None:
    """King's Bounty pays most for two kings of spades."""
    removal = exact_part("blackjack_switch", "kings_bounty").removal
    king = removal.by_card[48:52]
    assert removal.differs_by_suit
    assert king[0] == king[1] == king[2] != king[3]


def test_any_shoe_is_worth_what_dealing_all_of_it_gives() -> None:
    """A tie in baccarat from ten cards, every order of six of them."""
    protection = exact_part("mini_baccarat", "tie", 8)
    assert protection.terms is not None
    cards = [0, 1, 5, 9, 17, 22, 26, 30, 33, 39]
    shoe = [cards.count(card) for card in range(52)]
    deals = [is_tie(deal) for deal in permutations(cards, 6)]
    ties, total = sum(deals), len(deals)
    assert expected_profit(protection.terms, shoe) == Fraction(9 * ties, total) - 1


def is_tie(deal: tuple[int, ...]) -> bool:
    """Baccarat as rule books print it, not by our kernels."""
    points = [min(card // 4 + 1, 10) % 10 for card in deal]
    player, banker = (points[0] + points[2]) % 10, (points[1] + points[3]) % 10
    if player < 8 and banker < 8:
        third = None
        if player <= 5:
            third = points[4]
            player = (player + third) % 10
        after = {3: set(range(10)) - {8}, 4: set(range(2, 8)), 5: set(range(4, 8)), 6: {6, 7}}
        draws = banker <= 5 if third is None else banker <= 2 or third in after.get(banker, set())
        if draws:
            banker = (banker + points[5 if third is not None else 4]) % 10
    return player == banker


@pytest.mark.parametrize(
    ("game", "wager"), [("mini_baccarat", "dragon_bonus_player"), ("blackjack_switch", "kings_bounty")]
)
def test_the_fast_worth_of_a_shoe_is_the_exact_one(game: str, wager: str) -> None:
    protection = exact_part(game, wager)
    assert protection.terms is not None
    laid_out = lay_out(protection.terms)
    random = np.random.default_rng(5)
    for _ in range(4):
        shoe = random.integers(0, 5, 52)
        classes = len(protection.terms.classes)
        room = Room(
            left=shoe,
            within=np.zeros(classes, np.int64),
            every=np.zeros(classes, np.int64),
            table=np.zeros(len(laid_out.factor_class)),
            values=np.ones(40),
            by_size=np.zeros(int(laid_out.sizes.max()) + 1),
            running=np.zeros(1),
            shoe_gain=np.zeros(2),
        )
        exact = expected_profit(protection.terms, shoe.tolist())
        assert worth(laid_out, room, int(shoe.sum())) == pytest.approx(float(exact), abs=1e-12)


def test_the_best_count_of_small_tags_is_the_best_of_all_that_there_are() -> None:
    """Every count with tags -1, 0 and 1, ten-values alike."""
    removal = exact_part("mini_baccarat", "dragon_bonus_player").removal
    best = next(count for count in best_counts(removal) if count.id == "level_1")
    tags = np.array(np.meshgrid(*[[-1, 0, 1]] * 10, indexing="ij")).reshape(10, -1).T
    wide = np.concatenate([tags[:, :9], np.repeat(tags[:, 9:], 4, axis=1)], axis=1)
    wide = wide[(wide.sum(axis=1) == 0) & wide.any(axis=1)]
    effects = np.array([float(effect) for effect in removal.by_rank])
    reached = wide @ effects / np.sqrt((wide**2).sum(axis=1) * (effects**2).sum())
    assert correlation(best.tags, removal) == pytest.approx(reached.max(), abs=1e-12)


def test_the_effects_themselves_correlate_perfectly() -> None:
    removal = exact_part("double_down_madness", "push_22").removal
    assert correlation(linear_count(removal).tags, removal) == pytest.approx(1)
    assert abs(correlation(named_counts("push_22")[0].tags, removal)) < 1


def test_a_wager_on_pairs_alone_has_no_count() -> None:
    assert exact_part("casino_war", "tie").counts[-1].id != "best"


def test_two_cards_that_are_gone_do_more_than_each_alone() -> None:
    """A tie in Casino War, where one card does nothing: by the chances of a pair among the cards that are left."""
    effects = exact_part("casino_war", "tie").second_order
    assert effects is not None
    left = 6 * 52 - 2
    fresh = Fraction(23, 311)
    alike = Fraction(12 * 24 * 23 + 22 * 21, left * (left - 1))
    unlike = Fraction(11 * 24 * 23 + 2 * 23 * 22, left * (left - 1))
    assert effects.same_card == effects.same_rank == 11 * (alike - fresh)
    assert effects.same_suit == effects.neither == 11 * (unlike - fresh)


def test_insurance_is_followed_by_the_count_of_tens() -> None:
    """Its hole card is one of the cards beside the ace that is up: over these the effects add up to zero."""
    protection = exact_part("blackjack", "insurance", 6)
    by_card = protection.removal.by_card
    assert 6 * sum(by_card) == by_card[0]
    assert by_card[0] == 3 * (Fraction(96, 310) - Fraction(96, 311))
    best = next(count for count in protection.counts if count.id == "best")
    assert correlation(best.tags, protection.removal) > 0.93
    assert len(set(best.tags[9:])) == 1


@pytest.mark.parametrize(
    ("text", "tags", "trigger"),
    [
        ("omega_2", (0, 1, 1, 2, 2, 2, 1, 0, -1, -2, -2, -2, -2), None),
        ("-1,1,1,1,1,1,0,0,0,-1@2.5", (-1, 1, 1, 1, 1, 1, 0, 0, 0, -1, -1, -1, -1), 2.5),
        ("1,0,0,0,0,0,0,0,0,0", (12 / 13, *(-1 / 13,) * 12), None),
    ],
)
def test_a_count_may_be_given_by_name_or_tags(text: str, tags: tuple[float, ...], trigger: float | None) -> None:
    """An unbalanced one drifts by as much for every card, which is taken off."""
    count = given_count(text)
    assert count.tags == pytest.approx(tags)
    assert count.trigger == trigger


def test_shoes_are_what_every_way_to_deal_them_comes_to() -> None:
    """Who plays perfectly, on a shoe of eight cards: every way in which four of them can go, by hand and by our worth.
    A pair among two cards pays 4 to 1."""
    shoe = [0, 4, 4, 8, 12, 12, 16, 16]
    terms = terms_of_pairs()
    taken = Counter(tuple(sorted(cards)) for cards in permutations(shoe, 4))
    by_hand = by_terms = Fraction(0)
    for gone, often in taken.items():
        left = list(shoe)
        for one in gone:
            left.remove(one)
        pairs = sum(a == b for a, b in permutations(left, 2))
        by_hand += often * max(Fraction(5 * pairs, 12) - 1, Fraction(0))
        by_terms += often * max(expected_profit(terms, [left.count(card) for card in range(52)]), Fraction(0))
    assert by_terms == by_hand > 0


def terms_of_pairs() -> Terms:
    """A pair of one rank pays 4 to 1: one term for each rank."""
    return Terms(
        classes=tuple(tuple(range(4 * rank, 4 * rank + 4)) for rank in range(13)),
        kinds=2 * np.eye(13, dtype=np.int64),
        sizes=np.full(13, 2),
        suit_sets=(15,),
        coefficients=np.full((1, 13), 5),
        scale=1,
    )


@pytest.mark.slow
def test_bets_on_several_wagers_add_up_shoe_by_shoe() -> None:
    game = library.game("ez_baccarat")
    both = game.protect("dragon_7", beside=["panda_8"], shoes=320, limit=0.3).to_dict()
    panda = game.protect("panda_8", shoes=320).yields
    dragon = both["yields"]["counters"]
    together = both["together"]["counters"]
    for kind, ids in {"own_counts": ("dragon_7", "panda_8"), "perfect": ("perfect", "perfect")}.items():
        parts = dragon[ids[0]]["win_per_shoe"] + panda[ids[1]]["win_per_shoe"]
        assert together[kind]["win_per_shoe"] == pytest.approx(parts)
    advice = both["advice"]
    assert advice["cut"] < both["yields"]["cut"]
    assert 30 < advice["pay"] < advice["pay_now"] == 40
    assert advice["house_edge"] > both["edge"]


@pytest.mark.slow
def test_yields_repeat_from_their_seed_on_any_number_of_threads() -> None:
    game = library.game("mini_baccarat")
    first, second = (game.protect("dragon_bonus_player", shoes=64, seed=3, threads=threads) for threads in (1, 2))
    assert first.to_dict() == second.to_dict()
    perfect = first.yields["perfect"]
    assert all(perfect["win_per_shoe"] >= entry["win_per_shoe"] for entry in first.yields.values())
    assert first.to_dict()["yields"]["rounds_per_shoe"] == pytest.approx(81.3, abs=1)


def test_sets_of_a_deck_have_effects_and_no_yield() -> None:
    protection = library.game("three_card_poker").protect("pair_plus")
    assert protection.study is None
    assert sum(protection.effects_by_card.values()) == 0


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("let_it_ride", "bet_1"), "depends_on_play"),
        (("mini_baccarat", "tie", "--decks", "inf"), "nothing_to_count"),
        (("mini_baccarat", "tie", "--cut", "410"), "bad_cut"),
        (("mini_baccarat", "tie", "--dealing", "x"), "unknown_dealing"),
        (("mini_baccarat", "tie", "--shoes", "1.5"), "bad_shoes"),
        (("mini_baccarat", "tie", "--seed", "-1"), "bad_seed"),
        (("mini_baccarat", "tie", "--limit", "0"), "bad_limit"),
        (("mini_baccarat", "tie", "--count", "1,2"), "bad_count"),
        (("mini_baccarat", "tie", "--known", "dealer=1"), "not_for_wager"),
        (("mississippi_stud", "ante", "--limit", "1"), "not_for_wager"),
        (("mississippi_stud", "ante", "--known", "river"), "bad_known"),
        (("mississippi_stud", "ante", "--known", "community=4"), "too_many_known"),
        (("mississippi_stud", "ante", "--known", "seats=5"), "too_many_known"),
        (("ultimate_texas_holdem", "ante", "--known", "seats=5"), "too_many_known"),
        (("caribbean_stud", "ante", "--known", "community=1"), "too_many_known"),
        (("caribbean_stud", "ante", "--known", "dealer=5"), "too_many_known"),
        (("i_luv_suits", "ante", "--known", "seats=1"), "too_many_deals"),
    ],
)
def test_what_cannot_be_studied_is_refused(croupier: Croupier, words: tuple[str, ...], code: str) -> None:
    said = croupier("protect", *words)
    assert (said.status, f"{code}:" in said.err) == (2, True)


def test_a_page_for_the_file_is_a_pdf(croupier: Croupier, tmp_path: Path) -> None:
    file = tmp_path / "tie.pdf"
    said = croupier("protect", "mini_baccarat", "tie", "--shoes", "0", "--pdf", str(file))
    assert (said.status, file.read_bytes()[:5]) == (0, b"%PDF-")


def test_the_library_refuses_what_the_command_line_does() -> None:
    with pytest.raises(CroupierError, match="1 or more"):
        library.game("mini_baccarat").protect("tie", threads=0)


def test_a_dealers_card_that_is_seen_at_three_card_poker_is_worth_what_analysts_say() -> None:
    """+3.4829% for the player, who plays everything against a jack or lower, and from Q-9-2, K-9-2 and A-9-2."""
    seen = library.game("three_card_poker").hidden_cards()
    assert f"{-float(seen.edge_known):.4%}" == "3.4829%"
    played = {rank: hand for rank, hand in seen.plays_from.items() if hand}
    assert played == {"Q": "Q-9-2", "K": "K-9-2", "A": "A-9-2"}
    assert all(line.always for line in seen.exposed.ranks if line.rank not in played)
    assert sum(line.share * line.edge for line in seen.exposed.ranks) == seen.edge_known
