"""Bets of a folder that is not ours: a file `<name>.py` beside the game file, named by `classifier = "<name>"`.

Such a file is checked as text, then run, then tried on many hands. It is run only here, and only for a folder that
the user has named.
"""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

from croupier.errors import SpecError
from croupier.kernels.bets import Bet, bet_names
from croupier.kernels.link import cache_folder, cache_is_writable, fingerprint, forget_older, note_use
from croupier.kernels.outside import make_bet
from croupier.rules.kernel_subset import bad_classifier, check_text
from croupier.rules.parse import read_text
from croupier.rules.trial import try_bet

DIGEST_LENGTH = 16
MOST_BYTES = 200_000
_NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")


def outside_name(classifier: str, folder: Path, *, run_code: bool) -> str:
    """The name of the bet that a game file in `folder` calls `classifier`.

    Ours keep their names. A bet of the folder gets the digest of its file behind it, so that it cannot be taken for one
    of ours or of another folder, wherever bets are kept by name; with `run_code` it can be used from now on. A game
    file that the program wrote has the whole name.
    """
    stem, _, digest = classifier.partition("-")
    path = folder / f"{stem}.py"
    if not _NAME.fullmatch(stem) or not path.is_file():
        return classifier
    if stem in bet_names():
        raise SpecError(
            f'{path}: "{stem}" is the name of one of our bets. Give the file, and `classifier`, another name.',
            code="bad_classifier",
        )
    text = read_text(path, MOST_BYTES)
    name = f"{stem}-{hashlib.sha256(text.encode()).hexdigest()[:DIGEST_LENGTH]}"
    if digest and name != classifier:
        raise SpecError(
            f'{path} has changed since "{classifier}" was written. Say classifier = "{stem}" to take it as it is now.',
            code="bad_classifier",
        )
    if run_code:
        load_bet(name, text, str(path))
    return name


def is_outside(name: str) -> bool:
    return "-" in name


def load_bet(name: str, text: str, file: str) -> Bet:
    """The bet of a text: checked, made, and tried once for each version of the text and of our own rules."""
    check_text(text, file)
    try:
        bet = make_bet(name, text)
    except (ArithmeticError, ValueError, TypeError, MemoryError) as error:
        raise bad_classifier(file, 1, f"this cannot be used: {error}") from None
    stamp = fingerprint([bet.classify, try_bet])
    cache_name = f"tried-{name}"
    mark = cache_folder() / f"{cache_name}-{stamp}"
    if mark.is_file():
        note_use(mark)
    else:
        try_bet(bet, file)
        if cache_is_writable():
            forget_older(cache_name, stamp)
            mark.touch()
    return bet
