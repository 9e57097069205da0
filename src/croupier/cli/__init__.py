"""The command line: one module for each verb, loaded only when it is called."""

from __future__ import annotations

import sys

from croupier.errors import CroupierError


def main() -> None:
    """Entry point of the `croupier` command."""
    from croupier.cli.app import app

    try:
        app()
    except CroupierError as error:
        # One sentence on stderr, nothing on stdout: a script sees no half-written result.
        sys.stderr.write(f"croupier: {error.code}: {error}\n")
        sys.exit(2)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(141)
