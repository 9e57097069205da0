"""Whose cards an award needs, and whether those shown are enough."""

from __future__ import annotations

from collections.abc import Mapping

from croupier.errors import IllegalActionError
from croupier.floor.roles import Role, approval_needed, may_approve, one_of, persons_needed
from croupier.floor.setup import Floor
from croupier.floor.terminal import row_of
from croupier.jackpot import Award
from croupier.jackpot.events import Prize


def _is_fixed(award: Prize, floor: Floor) -> bool:
    return not row_of(floor.jackpot(award.jackpot), award.row).pays.is_share


def approval_for(award: Prize, floor: Floor) -> Role:
    """Whose card an award needs at least, or would need."""
    return approval_needed(award.amount_micros, floor.approvals, is_fixed_pay=_is_fixed(award, floor))


def require_approved(award: Award, floor: Floor, signers: Mapping[str, Role]) -> None:
    """Refuses cards that are too low or too few for the amount."""
    is_fixed = _is_fixed(award, floor)
    for role in signers.values():
        if not may_approve(role, award.amount_micros, floor.approvals, is_fixed_pay=is_fixed):
            needed = approval_for(award, floor)
            or_higher = "" if needed is Role.EXECUTIVE else " or higher"
            raise IllegalActionError(
                f"Award {award.id} needs the card of {one_of(needed)}{or_higher}, not of {one_of(role)}.",
                code="low_card",
            )
    if len(signers) < persons_needed(award.amount_micros, floor.approvals):
        raise IllegalActionError(
            f"Award {award.id} is so large that two people approve it: a second card is needed.",
            code="second_card_needed",
        )
