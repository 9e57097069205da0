"""What people call the parts of a floor, where data has ids."""

from __future__ import annotations

from dataclasses import dataclass

from croupier.floor.setup import Floor, hand_label, pay_table_of

SYSTEMS = {
    "gm_atlas": "GM Atlas / Nexus Command II",
    "game_manager_2": "Nexus Command Game Manager 2",
    "nexus_command": "Nexus Command Game Manager",
    "aquarius": "Aquarius",
}
"""The jackpot systems, by the ids of their protocols."""
SEEN = {"S": "", "S-part": ", read in part", "letter": ", by the letter", "memory": ", its text not read"}
"""How much of a rule was read, by its mark, for those who do not know the marks."""


@dataclass(frozen=True)
class Names:
    """Names by id; the id itself where the floor has no name for it, or no longer has the part."""

    floor: Floor | None

    def table(self, id: str) -> str:
        tables = self.floor.tables if self.floor is not None else ()
        return next((table.name for table in tables if table.id == id), "") or id

    def jackpot(self, id: str) -> str:
        jackpots = self.floor.jackpots if self.floor is not None else ()
        return next((jackpot.name for jackpot in jackpots if jackpot.id == id), "") or id

    def hand(self, jackpot: str, row: str, table: str = "") -> str:
        """A winning hand as the pay table calls it, in the words of the table it is won at."""
        if self.floor is None:
            return row
        setup = next((setup for setup in self.floor.jackpots if setup.id == jackpot), None)
        at = next((known for known in self.floor.tables if known.id == table), None)
        for pay_row in pay_table_of(setup).rows if setup is not None else ():
            if setup is not None and pay_row.row == row:
                return hand_label(setup, pay_row, at)
        return row


def cited(citation: str) -> str:
    """A citation without its mark, which is said in words where the text was not read in full.

    >>> cited("WAC 230-15-695 [S]"), cited("WAC 230-15-680 [S-part]"), cited("chapter 230-15 WAC")
    ('WAC 230-15-695', 'WAC 230-15-680, read in part', 'chapter 230-15 WAC')
    """
    section, _, mark = citation.removesuffix("]").rpartition(" [")
    return f"{section}{SEEN[mark]}" if mark in SEEN else citation
