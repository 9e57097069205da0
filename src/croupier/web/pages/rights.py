"""Who may open which page and send which form: one row each. A page without a row does not answer."""

from __future__ import annotations

from croupier.floor.roles import Right
from croupier.web.api.rights import ENDPOINTS, SIGNED_IN, Access, having

OPEN = Access(is_open=True)

SEE_MANAGER = having(Right.SEE_REPORTS, Right.CHANGE_SETUP)
"""Everybody but dealers, whose place is the terminal."""
SET_UP_PARTS = ("table", "jackpot", "link", "house")

SUBJECTS: dict[str, Access] = {
    "meters": having(Right.SEE_TABLE),
    "claims": having(Right.SEE_TABLE),
    "back_outs": having(Right.SEE_TABLE),
    "floor": having(Right.SEE_TABLE),
    "table": having(Right.SEE_TABLE),
    "ledger": SEE_MANAGER,
    "play": OPEN,
    "run": OPEN,
    "runs": OPEN,
}
"""Who may hear of what at `GET /events`: who may open the pages that show it. In demo mode everybody may."""
NAMED_SUBJECTS = ("table", "play", "run")
"""Subjects of one thing, whose name follows a colon."""

PAGES: dict[str, Access] = {
    "GET /sign-in": OPEN,
    "POST /sign-in": OPEN,
    "POST /sign-out": OPEN,
    # Each subject has its own row in SUBJECTS.
    "GET /events": OPEN,
    "GET /": OPEN,
    "GET /lobby/edges/{game}": OPEN,
    "GET /lobby/tables": OPEN,
    # In demo mode for everybody; elsewhere it asks for a sign's token, or somebody who is signed in.
    "GET /sign/{jackpot}": OPEN,
    "GET /sign/{jackpot}/state": OPEN,
    "GET /sign/{jackpot}/events": OPEN,
    "GET /rules": OPEN,
    "GET /rules/{game}": OPEN,
    "GET /check": OPEN,
    "GET /sheet/{game}": OPEN,
    "GET /sheet/{game}/booklet/{form}": OPEN,
    "GET /sheet/{game}/{wager}": OPEN,
    "GET /sheet/{game}/{wager}/{form}": OPEN,
    "GET /plots/{game}/{wager}": OPEN,
    "GET /lab/meter": OPEN,
    "GET /lab/meter/years": OPEN,
    "GET /odds/{game}": OPEN,
    "GET /odds/{game}/{wager}": OPEN,
    "GET /strategy/{game}": OPEN,
    "GET /about": OPEN,
    "GET /lab": OPEN,
    "POST /lab": OPEN,
    "POST /lab/file": OPEN,
    "POST /lab/load": OPEN,
    # Whoever asked for a simulation may end it, keep it and remove it; and so may the staff.
    "GET /simulations": OPEN,
    "GET /simulations/new/{game}": OPEN,
    "POST /simulations/new/{game}": OPEN,
    "GET /simulations/{run}": OPEN,
    "GET /simulations/{run}/json": OPEN,
    "POST /simulations/{run}/stop": OPEN,
    "POST /simulations/{run}/keep": OPEN,
    "POST /simulations/{run}/remove": OPEN,
    "GET /play/{game}": OPEN,
    "POST /play/{game}": OPEN,
    "GET /play/{game}/{table}": OPEN,
    "POST /play/{game}/{table}": OPEN,
    "GET /play/round/{table}/{number}": OPEN,
    "GET /practice/advice/{table}": OPEN,
    "GET /practice/edge/{table}/{wager}": OPEN,
    "GET /practice/results/{table}": OPEN,
    "GET /practice/roads/{table}": OPEN,
    # The dealer's terminal. Cards decide what is approved there, whoever stands at it.
    "GET /dealer": having(Right.SEE_TABLE),
    "GET /dealer/training": having(Right.SEE_TABLE),
    "GET /dealer/training/{lesson}": having(Right.SEE_TABLE),
    "GET /dealer/training/{lesson}/card/{step}": having(Right.SEE_TABLE),
    "POST /dealer/training/{lesson}/again": having(Right.SEE_TABLE),
    "POST /dealer/training/{lesson}/card/{step}": having(Right.SEE_TABLE),
    "POST /dealer/training/{lesson}/{step}": having(Right.SEE_TABLE),
    "GET /dealer/{table}": having(Right.SEE_TABLE),
    "GET /dealer/{table}/now": having(Right.SEE_TABLE),
    "GET /dealer/{table}/cards": having(Right.SEE_TABLE),
    "GET /dealer/training/{lesson}/cards": having(Right.SEE_TABLE),
    "GET /dealer/{table}/slip/{award:path}": having(Right.RUN_ROUNDS, Right.SEE_CLAIMS),
    "GET /dealer/{table}/slip/{award:path}/pdf": having(Right.RUN_ROUNDS, Right.SEE_CLAIMS),
    "POST /dealer/{table}/sense": having(Right.RUN_ROUNDS),
    "POST /dealer/{table}/start": having(Right.RUN_ROUNDS),
    "POST /dealer/{table}/pick": having(Right.HIT_JACKPOT),
    "POST /dealer/{table}/hit": having(Right.HIT_JACKPOT),
    "POST /dealer/{table}/end": having(Right.RUN_ROUNDS),
    "GET /dealer/{table}/card/{step}": having(Right.RUN_ROUNDS, Right.APPROVE_AWARD),
    "POST /dealer/{table}/card/{step}": having(Right.RUN_ROUNDS, Right.APPROVE_AWARD),
    # The game manager: the rights are those of the API's own commands.
    "GET /manager": SEE_MANAGER,
    "GET /manager/tables/{table}": SEE_MANAGER,
    "POST /manager/tables/{table}/stop": ENDPOINTS["POST /tables/{table}/stop"],
    "POST /manager/tables/{table}/reopen": ENDPOINTS["POST /tables/{table}/reopen"],
    "POST /manager/tables/{table}/void": ENDPOINTS["POST /tables/{table}/void"],
    "POST /manager/tables/{table}/clear": ENDPOINTS["POST /tables/{table}/clear"],
    "POST /manager/tables/{table}/key": ENDPOINTS["POST /tables/{table}/key"],
    "GET /manager/claims": ENDPOINTS["GET /claims"],
    "GET /manager/claims/{award:path}": ENDPOINTS["GET /claims/{award:path}"],
    "GET /manager/claims/{award:path}/pdf": ENDPOINTS["GET /claims/{award:path}"],
    "GET /manager/win-code": ENDPOINTS["GET /reports/win-code/{code}"],
    # A dealer pays at the terminal, where small fixed pays need no card.
    "POST /manager/claims/{award:path}/pay": having(Right.APPROVE_AWARD),
    "POST /manager/claims/{award:path}/reject": ENDPOINTS["POST /claims/{award:path}/reject"],
    "POST /manager/claims/{award:path}/back-out": ENDPOINTS["POST /claims/{award:path}/back-out"],
    "POST /manager/tables/{table}/award-by-hand": ENDPOINTS["POST /tables/{table}/award-by-hand"],
    "GET /manager/meters": having(Right.SEE_REPORTS),
    "GET /manager/meters/{jackpot}": having(Right.SEE_REPORTS),
    "POST /manager/meters/{jackpot}/adjust": ENDPOINTS["POST /meters/{jackpot}/adjust"],
    "POST /manager/jackpots/{jackpot}/close": ENDPOINTS["POST /jackpots/{jackpot}/close"],
    "GET /manager/account": ENDPOINTS["GET /account"],
    "POST /manager/account": ENDPOINTS["POST /account"],
    "GET /manager/reports": having(Right.SEE_REPORTS),
    "GET /manager/reports/hits": ENDPOINTS["GET /hits"],
    "GET /manager/reports/accrual": ENDPOINTS["GET /reports/accrual"],
    "GET /manager/reports/reconciliation": ENDPOINTS["GET /reports/reconciliation"],
    "GET /manager/reports/achieved": ENDPOINTS["GET /reports/achieved"],
    "GET /manager/reports/deposit": ENDPOINTS["GET /reports/deposit"],
    "GET /manager/reports/access": ENDPOINTS["GET /reports/access"],
    "GET /manager/ledger/software": ENDPOINTS["GET /software"],
    "GET /manager/reports/hits/pdf": ENDPOINTS["GET /hits"],
    **{
        f"GET /manager/reports/{name}/pdf": ENDPOINTS[f"GET /reports/{name}"]
        for name in ("accrual", "reconciliation", "achieved", "deposit", "access")
    },
    "GET /manager/setup": SEE_MANAGER,
    "GET /manager/setup/file/{form}": SEE_MANAGER,
    **dict.fromkeys((f"GET /manager/setup/{part}" for part in SET_UP_PARTS), ENDPOINTS["PUT /floor"]),
    **dict.fromkeys((f"POST /manager/setup/{part}" for part in SET_UP_PARTS), ENDPOINTS["POST /floor/check"]),
    "POST /manager/setup/upload": ENDPOINTS["POST /floor/check"],
    "POST /manager/setup/change": ENDPOINTS["PUT /floor"],
    "POST /manager/setup/open": ENDPOINTS["POST /floor"],
    "GET /manager/people": ENDPOINTS["GET /people"],
    "POST /manager/people": ENDPOINTS["POST /people"],
    **{
        f"POST /manager/people/{{person}}/{act}": ENDPOINTS[f"POST /people/{{person}}/{act}"]
        for act in ("role", "withdraw", "renew", "unlock", "sign-out")
    },
    "GET /manager/pin": SIGNED_IN,
    "POST /manager/pin": ENDPOINTS["POST /pin"],
    "GET /manager/devices": ENDPOINTS["GET /devices"],
    "POST /manager/devices": ENDPOINTS["POST /devices"],
    "POST /manager/devices/{device}/renew": ENDPOINTS["POST /devices/{device}/renew"],
    "POST /manager/devices/{device}/withdraw": ENDPOINTS["POST /devices/{device}/withdraw"],
    "GET /manager/audit": ENDPOINTS["GET /reports/audit"],
    "GET /manager/audit/entries": ENDPOINTS["GET /entries"],
    "GET /manager/ledger": ENDPOINTS["GET /verify"],
    "GET /manager/ledger/verify": ENDPOINTS["GET /verify"],
}
