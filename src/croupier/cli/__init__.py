"""The command line: one module for each verb, loaded only when it is called."""

from __future__ import annotations

import errno
import sys
from contextlib import suppress
from io import TextIOWrapper
from typing import NoReturn

from croupier.errors import CroupierError

NOT_WRITTEN = (errno.ENOSPC, errno.EDQUOT, errno.EIO)
"""What a full or broken disk says to a result that is sent into a file."""


def main() -> None:
    """Entry point of the `croupier` command."""
    from typer.exceptions import TyperException

    from croupier.cli.app import app

    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal without these letters gets question marks, not an error
    if len(sys.argv) == 1:
        sys.argv.append("--help")
    try:
        status = app(standalone_mode=False) or 0
        sys.stdout.flush()  # here, where it can be said that the answer was not written
        sys.exit(status)
    except CroupierError as error:
        _complain(error.code, str(error))
    except TyperException as error:  # unknown verbs and options, missing arguments
        place = getattr(getattr(error, "ctx", None), "command_path", "croupier")
        message = error.format_message().rstrip(".")
        end = "" if message.endswith("?") else "."
        _complain("usage", f"{message}{end} See {place} --help.")
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(141)
    except OSError as error:
        if error.errno not in NOT_WRITTEN:
            raise
        with suppress(OSError):
            sys.stdout.close()  # else it is tried again at the very end
        _complain(
            "answer_not_written",
            f"The answer could not be written: {error.strerror}. What was asked may have been done: look before asking "
            "again.",
        )


def _complain(code: str, sentence: str) -> NoReturn:
    """One sentence on stderr, nothing on stdout: a script sees no half-written result."""
    printable = "".join(letter if letter.isprintable() else "?" for letter in sentence)
    sys.stderr.write(f"croupier: {code}: {printable}\n")
    sys.exit(2)
