"""Fields that many commands, events and reports have, with what they mean."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from croupier.jackpot.accounts import Posting

JackpotId = Annotated[str, Meta(description="The jackpot's id.")]
LevelId = Annotated[str, Meta(description="The meter's level.")]
TableId = Annotated[str, Meta(description="The table's id.")]
RoundNumber = Annotated[int, Meta(description="The number of the round at its table.")]
AwardId = Annotated[str, Meta(description="The award's id.")]
RowId = Annotated[str, Meta(description="The row of the pay table.")]
PayTableName = Annotated[str, Meta(description="The pay table it was won by.")]
SeatNumber = Annotated[int, Meta(description="The seat, from 1.")]
Seats = Annotated[tuple[int, ...], Meta(description="The seats that won.")]
SensorNumber = Annotated[int, Meta(description="Which of the seat's sensors.")]
Actor = Annotated[str, Meta(description="Who did it: a person's or a device's id.")]
SecondPerson = Annotated[str, Meta(description="The second person who signed.")]
Approvers = Annotated[tuple[str, ...], Meta(description="Whose cards approved it.")]
Postings = Annotated[
    tuple[Posting, ...],
    Meta(description="The money that it moved: jackpot, level, account, millionths of a dollar. They sum to zero."),
]
Note = Annotated[str, Meta(description="Why, as somebody wrote it.")]
