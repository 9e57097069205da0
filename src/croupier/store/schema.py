"""The tables. `entries` is the truth; all others are made from it, in the same transaction, to be looked up quickly."""

from __future__ import annotations

from sqlalchemy import BigInteger, Boolean, Column, Index, Integer, MetaData, Table, Text

metadata = MetaData()

# In SQLite only INTEGER can be the row's own number.
Count = BigInteger().with_variant(Integer, "sqlite")

entries = Table(
    "entries",
    metadata,
    Column("seq", Count, primary_key=True, autoincrement=False),
    Column("id", Text, nullable=False, unique=True),
    Column("kind", Text, nullable=False),
    Column("reason", Text, nullable=False),
    Column("at_micros", BigInteger, nullable=False),
    Column("actor", Text, nullable=False),
    Column("table_id", Text, nullable=False),
    Column("round", BigInteger, nullable=False),
    Column("text", Text, nullable=False),
    Column("hash", Text, nullable=False),
    Index("entries_by_time", "at_micros"),
)

postings = Table(
    "postings",
    metadata,
    Column("seq", Count, primary_key=True, autoincrement=False),
    Column("jackpot", Text, primary_key=True),
    Column("level", Text, primary_key=True),
    Column("account", Text, primary_key=True),
    Column("micros", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)

balances = Table(
    "balances",
    metadata,
    Column("jackpot", Text, primary_key=True),
    Column("level", Text, primary_key=True),
    Column("account", Text, primary_key=True),
    Column("micros", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)

jackpots = Table(
    "jackpots",
    metadata,
    Column("id", Text, primary_key=True),
    Column("closed", Boolean, nullable=False),
    Column("body", Text, nullable=False),
)

rounds = Table(
    "rounds",
    metadata,
    Column("table_id", Text, primary_key=True),
    Column("round", BigInteger, nullable=False),
    Column("body", Text, nullable=False),
)

awards = Table(
    "awards",
    metadata,
    Column("id", Text, primary_key=True),
    Column("hit_seq", BigInteger, nullable=False),
    Column("jackpot", Text, nullable=False),
    Column("table_id", Text, nullable=False),
    Column("status", Text, nullable=False),
    Column("amount_micros", BigInteger, nullable=False),
    Column("body", Text, nullable=False),
    Index("awards_by_hit", "hit_seq"),
    Index("awards_by_status", "status", "hit_seq"),
)

facts = Table(
    "facts",
    metadata,
    Column("subject", Text, primary_key=True),
    Column("version", BigInteger, nullable=False),
    Column("kind", Text, nullable=False),
    Column("body", Text, nullable=False),
)

# One row: the end of the chain. Whoever locks it writes next, so several servers have one order.
head = Table(
    "head",
    metadata,
    Column("one", Integer, primary_key=True, autoincrement=False),
    Column("seq", BigInteger, nullable=False),
    Column("hash", Text, nullable=False),
)

# Sums for reports, made from the log behind the writers' backs; how far they go stands in `report_position`.
report_sums = Table(
    "report_sums",
    metadata,
    Column("span", Text, primary_key=True),
    Column("start_micros", BigInteger, primary_key=True, autoincrement=False),
    Column("body", Text, nullable=False),
)

report_marks = Table(
    "report_marks",
    metadata,
    Column("seq", Count, primary_key=True, autoincrement=False),
    Column("at_micros", BigInteger, nullable=False),
    Column("kind", Text, nullable=False),
    Column("is_play", Boolean, nullable=False),
    Column("before_micros", BigInteger),
)

report_position = Table(
    "report_position",
    metadata,
    Column("one", Integer, primary_key=True, autoincrement=False),
    Column("seq", BigInteger, nullable=False),
)

# Refused attempts, a chain of their own.
refusals = Table(
    "refusals",
    metadata,
    Column("seq", Count, primary_key=True, autoincrement=False),
    Column("id", Text, nullable=False, unique=True),
    Column("at_micros", BigInteger, nullable=False),
    Column("text", Text, nullable=False),
    Column("hash", Text, nullable=False),
    Index("refusals_by_time", "at_micros"),
)

# When a session was last used, about: outside the log, which would grow by it, for all servers that share the ledger.
session_uses = Table(
    "session_uses",
    metadata,
    Column("session", Text, primary_key=True),
    Column("used_micros", BigInteger, nullable=False),
)
