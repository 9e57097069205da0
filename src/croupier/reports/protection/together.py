"""Several wagers of one shoe, attacked at once: by one seat that follows a count for each, or by a team."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np

from croupier.reports.protection.study import LINEAR, PERFECT, Study
from croupier.rules.counts import published_counts
from croupier.simulate.counted_shoes import CHUNK_SHOES

OWN = "own_counts"


@dataclass(frozen=True, kw_only=True)
class Together:
    """What bets on all of them come to, a unit a bet."""

    wagers: tuple[str, ...]
    per_shoe: dict[str, tuple[float, float]]
    """By kind of counter: units a shoe, and their standard error. `own_counts`: the published count of each wager, or
    else its best one."""


def together(studies: tuple[Study, ...]) -> Together:
    """The same seed has dealt the same shoes for each, so that what bets come to is added up shoe by shoe."""
    kinds = {OWN: [_own_count(one) for one in studies]}
    kinds |= {count.id: [count.id] * len(studies) for count in (LINEAR, PERFECT)}
    per_shoe = {}
    for kind, ids in kinds.items():
        gains = np.sum([one.gains[id] for one, id in zip(studies, ids, strict=True) if id], axis=0) / CHUNK_SHOES
        error = float(gains.std(ddof=1)) / sqrt(len(gains)) if len(gains) > 1 else 0.0
        per_shoe[kind] = (float(gains.mean()), error)
    wagers = tuple(one.protection.choice.wager.id for one in studies)
    return Together(wagers=wagers, per_shoe=per_shoe)


def _own_count(study: Study) -> str:
    wager = study.protection.choice.wager.id
    made_for_it = [count.id for count in published_counts(wager) if count.wagers and count.trigger is not None]
    return next(iter([*made_for_it, *(id for id in study.gains if id == "best")]), "")
