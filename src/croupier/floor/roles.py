"""Who may do what on the floor: one table of rights by role, and who must approve an award of a given size."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from msgspec import Meta, Struct, field

from croupier.errors import IllegalActionError
from croupier.floor.amounts import Micros


class Role(StrEnum):
    """What a card (token and PIN) stands for."""

    DEALER = "dealer"
    SUPERVISOR = "supervisor"
    EXECUTIVE = "executive"
    ACCOUNTING = "accounting"
    TECHNICIAN = "technician"
    AUDITOR = "auditor"


SOFTWARE = "software"
"""Who runs the rounds of tables that the software deals."""
DEMO_APPROVER = "demo"
"""Who approves awards where a demonstration does so by itself."""


class Right(StrEnum):
    """Something that one must be allowed to do."""

    RUN_ROUNDS = "run_rounds"
    HIT_JACKPOT = "hit_jackpot"
    VOID_ROUND = "void_round"
    PAY_FIXED = "pay_fixed"
    APPROVE_AWARD = "approve_award"
    APPROVE_LARGE_AWARD = "approve_large_award"
    REJECT_CLAIM = "reject_claim"
    ADJUST_METER = "adjust_meter"
    COUNTERSIGN_ADJUSTMENT = "countersign_adjustment"
    RECORD_DEPOSIT = "record_deposit"
    CHANGE_SETUP = "change_setup"
    CHANGE_MONEY = "change_money"
    APPROVE_CHANGE = "approve_change"
    STOP_TABLE = "stop_table"
    OPEN_TABLE = "open_table"
    MANAGE_DEVICES = "manage_devices"
    MANAGE_PEOPLE = "manage_people"
    BACK_UP = "back_up"
    SEE_TABLE = "see_table"
    SEE_CLAIMS = "see_claims"
    SEE_REPORTS = "see_reports"
    SEE_AUDIT = "see_audit"


MEANING: dict[Right, str] = {
    Right.RUN_ROUNDS: "start a round, which locks its wagers, count chips, end the round",
    Right.HIT_JACKPOT: "pick winning hands, take them off again, propose the hit",
    Right.VOID_ROUND: "void a locked round after a misdeal, which gives the wagers back",
    Right.PAY_FIXED: "pay small fixed pays without a card, where the floor allows that",
    Right.APPROVE_AWARD: "approve and pay an award up to the supervisor's amount",
    Right.APPROVE_LARGE_AWARD: "approve and pay an award above it",
    Right.REJECT_CLAIM: "reject a proposed hit",
    Right.ADJUST_METER: "propose a manual adjustment for a lawful reason, a back-out, or the right award in its place",
    Right.COUNTERSIGN_ADJUSTMENT: "sign an adjustment, a back-out or an award by hand that somebody else proposed",
    Right.RECORD_DEPOSIT: "record deposits and the balance of the jackpot account",
    Right.CHANGE_SETUP: "change what is no money parameter: names, seats, sensors' hardware, notices",
    Right.CHANGE_MONEY: "propose a change of money parameters",
    Right.APPROVE_CHANGE: "approve a change of money parameters that somebody else proposed",
    Right.STOP_TABLE: "take a table out of service",
    Right.OPEN_TABLE: "put a table back into service",
    Right.MANAGE_DEVICES: "register terminals and signs, renew their tokens",
    Right.MANAGE_PEOPLE: "give and withdraw cards and roles",
    Right.BACK_UP: "back up, restore into an empty store, verify",
    Right.SEE_TABLE: "see tables, meters and rounds",
    Right.SEE_CLAIMS: "see claims with their evidence",
    Right.SEE_REPORTS: "see reports and reconciliations",
    Right.SEE_AUDIT: "see the log of people, changes and refused attempts",
}

_DEALER, _SUPERVISOR, _EXECUTIVE = Role.DEALER, Role.SUPERVISOR, Role.EXECUTIVE
_ACCOUNTING, _TECHNICIAN, _AUDITOR = Role.ACCOUNTING, Role.TECHNICIAN, Role.AUDITOR

# An auditor changes nothing and a technician moves no money. Who runs rounds at a table does not approve its awards
# too, unless a supervisor deals, which small rooms need.
RIGHTS: dict[Right, frozenset[Role]] = {
    Right.RUN_ROUNDS: frozenset({_DEALER, _SUPERVISOR}),
    Right.HIT_JACKPOT: frozenset({_DEALER, _SUPERVISOR}),
    Right.VOID_ROUND: frozenset({_SUPERVISOR, _EXECUTIVE}),
    Right.PAY_FIXED: frozenset({_DEALER, _SUPERVISOR, _EXECUTIVE}),
    Right.APPROVE_AWARD: frozenset({_SUPERVISOR, _EXECUTIVE}),
    Right.APPROVE_LARGE_AWARD: frozenset({_EXECUTIVE}),
    Right.REJECT_CLAIM: frozenset({_SUPERVISOR, _EXECUTIVE}),
    Right.ADJUST_METER: frozenset({_EXECUTIVE, _ACCOUNTING}),
    Right.COUNTERSIGN_ADJUSTMENT: frozenset({_EXECUTIVE, _ACCOUNTING}),
    Right.RECORD_DEPOSIT: frozenset({_ACCOUNTING}),
    Right.CHANGE_SETUP: frozenset({_SUPERVISOR, _EXECUTIVE, _TECHNICIAN}),
    Right.CHANGE_MONEY: frozenset({_EXECUTIVE, _ACCOUNTING}),
    Right.APPROVE_CHANGE: frozenset({_EXECUTIVE}),
    Right.STOP_TABLE: frozenset({_SUPERVISOR, _EXECUTIVE, _ACCOUNTING, _TECHNICIAN}),
    Right.OPEN_TABLE: frozenset({_SUPERVISOR, _EXECUTIVE}),
    Right.MANAGE_DEVICES: frozenset({_TECHNICIAN}),
    Right.MANAGE_PEOPLE: frozenset({_EXECUTIVE}),
    Right.BACK_UP: frozenset({_TECHNICIAN, _EXECUTIVE}),
    Right.SEE_TABLE: frozenset(Role),
    Right.SEE_CLAIMS: frozenset({_SUPERVISOR, _EXECUTIVE, _ACCOUNTING, _AUDITOR}),
    Right.SEE_REPORTS: frozenset({_SUPERVISOR, _EXECUTIVE, _ACCOUNTING, _AUDITOR}),
    Right.SEE_AUDIT: frozenset({_EXECUTIVE, _AUDITOR}),
}


class ApprovalLevels(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Whose card an award needs, by its amount. The letters leave the amounts to the house."""

    supervisor_up_to_micros: Annotated[
        Micros,
        Meta(
            description="A supervisor's card is enough up to and with this amount; above it an executive's is needed."
        ),
    ] = field(name="supervisor_up_to")
    two_persons_over_micros: Annotated[
        Micros | None, Meta(description="Above this amount a second person with the same right signs too.")
    ] = field(name="two_persons_over", default=None)
    fixed_by_dealer_up_to_micros: Annotated[
        Micros,
        Meta(
            description="A fixed pay, never a share of a meter, up to and with this amount is paid by the dealer "
            "without a card."
        ),
    ] = field(name="fixed_by_dealer_up_to", default=Micros(0))


def who_may(role: Role, right: Right) -> bool:
    """Whether people of that role have that right."""
    return role in RIGHTS[right]


def no_right(right: Right, who: str) -> IllegalActionError:
    """The one sentence for whoever lacks a right; `who` says who that is and why: `"ann" has the role dealer`."""
    holders = ", ".join(sorted(RIGHTS[right]))
    return IllegalActionError(
        f'This needs the right "{right}" ({MEANING[right]}); {who}. Roles that have it: {holders}.', code="not_allowed"
    )


def one_of(role: Role) -> str:
    """A role with its article."""
    if role is Role.ACCOUNTING:
        return "somebody of accounting"
    return f"an {role}" if role[0] in "aeiou" else f"a {role}"


def with_role(id: str, role: Role) -> str:
    """Who somebody is, for `no_right`."""
    return f'"{id}" has the role {role}'


def approval_needed(amount_micros: int, levels: ApprovalLevels, *, is_fixed_pay: bool = False) -> Role:
    """The lowest role that may approve an award of this amount; an executive may approve whatever a supervisor may."""
    if is_fixed_pay and amount_micros <= levels.fixed_by_dealer_up_to_micros:
        return Role.DEALER
    return Role.SUPERVISOR if amount_micros <= levels.supervisor_up_to_micros else Role.EXECUTIVE


def may_approve(role: Role, amount_micros: int, levels: ApprovalLevels, *, is_fixed_pay: bool = False) -> bool:
    """Whether a card of that role is enough for an award of this amount."""
    needed = approval_needed(amount_micros, levels, is_fixed_pay=is_fixed_pay)
    right = {Role.DEALER: Right.PAY_FIXED, Role.SUPERVISOR: Right.APPROVE_AWARD}.get(needed, Right.APPROVE_LARGE_AWARD)
    return who_may(role, right)


def persons_needed(amount_micros: int, levels: ApprovalLevels) -> int:
    """How many people sign an award of this amount."""
    over = levels.two_persons_over_micros
    return 2 if over is not None and amount_micros > over else 1
