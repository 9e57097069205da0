"""A process that books rounds at several tables until it is killed: `python -m tests.ledger_worker URL NAME TABLES`.

It prints the id of each entry after it was told that the entry is booked, and asks again when it was told nothing.
"""

from __future__ import annotations

import os
import sys
import threading
import time

from croupier.errors import CroupierError
from croupier.store import Book, open_store
from tests.ledger import Desk, community, locked


def play(book: Book, table: str) -> None:
    desk = Desk(book)
    last = book.round(table)
    number = last.round if last else 0
    while True:
        number += 1
        commands = [(f"{table}-{number}-start", locked(number, 1, 2, 3, table=table))]
        if number % 5 == 0:
            commands.append((f"{table}-{number}-hit", community(number, 10_000, table=table)))  # type: ignore[arg-type]
        for id, command in commands:
            request = desk.request(command, id=id)
            while True:
                try:
                    book.post(request)
                    break
                except CroupierError as error:
                    if error.code != "storage_failed":
                        raise
                    time.sleep(0.05)
            os.write(1, f"{id}\n".encode())  # one write a line: a kill does not cut it in two


if __name__ == "__main__":
    ledger = open_store(sys.argv[1])
    for number in range(int(sys.argv[3])):
        threading.Thread(target=play, args=(ledger, f"{sys.argv[2]}-{number}")).start()
