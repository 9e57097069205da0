"""A report of the floor as a PDF, to be signed and filed. The same report gives the same bytes."""

from __future__ import annotations

from dataclasses import asdict

from croupier import __version__
from croupier.reports.paper.model import Paper
from croupier.reports.paper.typeset import typeset

CODE_NOTE = (
    "This code finds the award again and shows a page that was altered: croupier jackpot verify --code, or Reports, "
    "Find a win page, in the game manager."
)


def paper_pdf(paper: Paper) -> bytes:
    """The report with head, totals, the end of the ledger it was made from on every page, and lines to sign on."""
    made_of = f"croupier {__version__}, ledger to entry {paper.last_entry}"
    texts = asdict(paper) | {"made_of": made_of, "anchor": paper.last_hash, "code_note": CODE_NOTE}
    return typeset("paper.typ", texts)
