"""The floor: what a card room has set up, who may do what, and the law that it lives under."""

from croupier.floor.amounts import Micros, usd
from croupier.floor.change import Change, FieldChange, plan_change, requires_two_persons, take_effect_blockers
from croupier.floor.checks.findings import Finding, refusals
from croupier.floor.checks.floor import check_floor
from croupier.floor.checks.meters import alarm_of, most_believable
from croupier.floor.checks.notices import checklist, required_notices
from croupier.floor.files import (
    demo_floor,
    floor_data,
    floor_from_data,
    floor_from_json,
    floor_from_toml,
    floor_to_json,
    floor_to_toml,
    load_floor,
)
from croupier.floor.funding import (
    DepositDue,
    FundingGate,
    Standing,
    deposit_due,
    funding_gate,
    odds_based_prizes,
    odds_based_reserve,
)
from croupier.floor.law import law_on, law_rows, order_of_enforcement
from croupier.floor.reasons import Reason, check_reduction, reduction_reasons
from croupier.floor.roles import (
    RIGHTS,
    ApprovalLevels,
    Right,
    Role,
    approval_needed,
    may_approve,
    persons_needed,
    who_may,
)
from croupier.floor.setup import Floor, JackpotSetup, Link, Sensor, TableSetup, Version, WagerSetup

__all__ = [
    "RIGHTS",
    "ApprovalLevels",
    "Change",
    "DepositDue",
    "FieldChange",
    "Finding",
    "Floor",
    "FundingGate",
    "JackpotSetup",
    "Link",
    "Micros",
    "Reason",
    "Right",
    "Role",
    "Sensor",
    "Standing",
    "TableSetup",
    "Version",
    "WagerSetup",
    "alarm_of",
    "approval_needed",
    "check_floor",
    "check_reduction",
    "checklist",
    "demo_floor",
    "deposit_due",
    "floor_data",
    "floor_from_data",
    "floor_from_json",
    "floor_from_toml",
    "floor_to_json",
    "floor_to_toml",
    "funding_gate",
    "law_on",
    "law_rows",
    "load_floor",
    "may_approve",
    "most_believable",
    "odds_based_prizes",
    "odds_based_reserve",
    "order_of_enforcement",
    "persons_needed",
    "plan_change",
    "reduction_reasons",
    "refusals",
    "required_notices",
    "requires_two_persons",
    "take_effect_blockers",
    "usd",
    "who_may",
]
