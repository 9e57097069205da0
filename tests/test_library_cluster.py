"""One simulation on a Dask cluster whose workers come and go gives the counts of one thread."""

from __future__ import annotations

import os
import signal
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import croupier

GAME = croupier.game("mini_baccarat")
ROUNDS, WAGERS = 4e7, ["tie"]


@pytest.fixture
def cluster() -> Iterator[Any]:
    """A cluster without workers yet."""
    from distributed import LocalCluster

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # distributed's own
        with LocalCluster(n_workers=0, threads_per_worker=1, dashboard_address=None, silence_logs=50) as made:
            yield made


@pytest.mark.slow
def test_workers_that_join_and_die_change_no_count(cluster: Any) -> None:
    from distributed import Client

    cluster.adapt(minimum=0, maximum=1)
    seen: list[float] = []
    killed: list[int] = []

    def change(run: croupier.Simulation) -> None:
        seen.append(run.share_done)
        if len(seen) == 1:
            cluster.adapt(minimum=2, maximum=2)
        elif not killed:
            killed.append(next(iter(client.run(os.getpid).values())))
            os.kill(killed[0], signal.SIGKILL)

    with Client(cluster) as client:
        run = GAME.simulate(rounds=ROUNDS, seed=3, wagers=WAGERS, cluster=client, progress=change)
    with pytest.raises(croupier.CroupierError, match="closed"):
        GAME.simulate(rounds=1, cluster=client)
    assert killed
    assert seen == sorted(set(seen))
    assert seen[-1] == 1
    alone = GAME.simulate(rounds=ROUNDS, seed=3, wagers=WAGERS, threads=2)
    assert np.array_equal(run.progress.counts, alone.progress.counts)
    assert run.to_dict()["wagers"] == alone.to_dict()["wagers"]
