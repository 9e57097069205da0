"""Folders of outside bets, written for a test."""

from __future__ import annotations

from pathlib import Path

from tests.helpers import ROOT

EXAMPLES = ROOT / "examples"
BUSTER, TWENTY_ONE, TWO_CARDS, MATCH = (
    EXAMPLES / name for name in ("buster", "twenty_one_plus_three", "two_cards", "match_the_dealer")
)

HEAD = """extends = "blackjack"
id = "{id}"
name = "Blackjack with a pair"
version = "1"
summary = "A test."

[source]
letter = "rack card"
title = "A pair"
agency = "nobody"
date = 2026-01-01

"""
WAGER = """[[wagers]]
id = "my_bet"
name = "My bet"
kind = "side"
classifier = "{classifier}"
text = "It wins sometimes."

[[wagers.pay_tables]]
id = "1"
rows = [{{ row = "{row}", label = "Best", pays = "5 to 1" }}]
"""
PAIR = '''"""A pair among three cards."""

from croupier.kernels.bets import LOSE, Bet
from croupier.kernels.hands import count_of
from croupier.kernels.scenes import Opening


def my_bet(three: int, dealer: int, options: int) -> int:
    for rank in range(13):
        if count_of(three, rank) == 2:
            return 0
    return LOSE


BET = Bet(classify=my_bet, outcomes=("best",), scene=Opening(own_cards=3), faces=True)
'''
DEALER_21 = '''"""The dealer has 21."""

from croupier.kernels.bets import LOSE, Bet
from croupier.kernels.hands import ACE, is_soft, ranks_in, size_of, suits_in, total_of
from croupier.kernels.scenes import DealerHand


def my_bet(dealer: int, player: int, options: int) -> int:
    return 0 if total_of(dealer) == 21 else LOSE


BET = Bet(classify=my_bet, outcomes=("best",), scene=DealerHand())
'''


def write_bet(
    folder: Path, source: str = PAIR, *, id: str = "mine", classifier: str = "my_bet", row: str = "best"
) -> Path:
    """A folder with a game file that extends blackjack and one classifier."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "game.toml").write_text(
        HEAD.format(id=id) + WAGER.format(classifier=classifier, row=row), encoding="utf-8"
    )
    (folder / f"{classifier}.py").write_text(source, encoding="utf-8")
    return folder
