"""What it is worth to a seat to know more than the rules show it, by whatever recipe proves the game."""

from __future__ import annotations

from collections.abc import Callable

from croupier.errors import NotComputedError
from croupier.exact.decide import OneSeatGame
from croupier.exact.protection.boards import dealer_known, on_board_known
from croupier.exact.protection.community import backs_known, card_known, has_community
from croupier.exact.protection.exposed import Exposed, exposed
from croupier.exact.protection.shared import weighed
from croupier.exact.protection.sight import Knowledge, Known, over_cases
from croupier.exact.tree_sheet import game_of
from croupier.rules.choice import Choice
from croupier.rules.spec import Game

Tell = Callable[[float], None]


def can_be_known(game: Game) -> bool:
    """Whether a seat of this game decides against cards that it could have seen."""
    return game.declared.showdown is not None or has_community(game.declared)


def usual_knowledge(game: Game) -> Knowledge:
    """What leaks most often: a card of the dealer, or else the first community card. Where a board meets the dealer's
    hand, the former takes minutes."""
    showdown = game.declared.showdown
    return Knowledge(community=1) if showdown is None or showdown.board else Knowledge(dealer=1)


def known(choice: Choice, knows: Knowledge, seed: int, progress: Tell | None = None) -> Known | Exposed:
    """Optimal play of the first wager by a seat that knows that."""
    if not can_be_known(choice.game):
        raise NotComputedError(
            f"What hidden cards are worth is computed for poker games in which a seat decides, and not for "
            f"{choice.game.name}.",
            code="no_hidden_hand",
        )
    game, showdown = game_of(choice), choice.game.declared.showdown
    if showdown is None:
        return _with_community(game, choice.game.name, knows, progress)
    if showdown.board:
        return _with_board(game, choice.game.name, knows, progress)
    if knows.community:
        raise _not_known(choice.game.name, "it has no community cards")
    if showdown.is_by_hands and knows == Knowledge(dealer=1):
        return exposed(choice, showdown.up + 1, progress)
    return weighed(game, knows, seed, progress)


def _with_community(game: OneSeatGame, name: str, knows: Knowledge, progress: Tell | None) -> Known:
    if knows.dealer or knows.others or knows.backs_seen:
        raise _not_known(name, "community=1 and backs=J are what can be known of it")
    if knows.community and knows.backs:
        raise _not_known(name, "a community card or backs, one at a time")
    cases = backs_known(game, knows.backs, progress) if knows.backs else card_known(game, knows.community, progress)
    return over_cases(knows, cases)


def _with_board(game: OneSeatGame, name: str, knows: Knowledge, progress: Tell | None) -> Known:
    if knows.others or knows.backs or knows.dealer > 1:
        raise _not_known(name, "dealer=1, community=1 and both together are what can be known of it")
    if knows.dealer:
        return over_cases(knows, dealer_known(game, knows.community, progress))
    return over_cases(knows, on_board_known(game, knows.community, progress))


def _not_known(name: str, why: str) -> NotComputedError:
    return NotComputedError(f"That is not computed for {name}: {why}.", code="too_many_known")
