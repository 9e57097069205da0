"""Refusals of a floor in the words of the command line: with its options, and with names that it accepts."""

from __future__ import annotations

from croupier.errors import IllegalActionError
from croupier.floor.desk import FloorRefusedError

IN_OTHER_WORDS = {
    "second_person_missing": (
        "A change of money parameters takes a second person, who approves it: name their card with --second, and them "
        "as approved_by in the file."
    ),
}
"""By code: what is said instead, where the floor's own sentence names what is no option here."""


def in_one_sentence(error: FloorRefusedError) -> IllegalActionError:
    """What may not be, with the rules that say so."""
    said = " ".join(
        f"{IN_OTHER_WORDS.get(one.code, one.sentence)} [{one.rule}: {one.citation}]" for one in error.findings
    )
    return IllegalActionError(said, code=error.code)
