"""Where rounds are played: this computer's cores, plain Python, GPUs, a Dask cluster. All give the same counts."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

from croupier.errors import CroupierError, NotationError, RangeError, unknown
from croupier.simulate.driver import Array, LocalMachine, Machine
from croupier.simulate.run import Spec, run_chunks

BACKENDS = ("cpu", "cuda", "python", "dask")
MOST_THREADS = 1024
WORKERS_SECONDS = 15
"""How long a cluster may be without workers before it counts as gone."""


class MachineError(CroupierError):
    """A machine that is not there."""

    code = "no_machine"


def find_machine(backend: str, *, threads: int | None = None, cluster: str | None = None) -> Machine:
    """The machine of that name, ready to be warmed up."""
    if backend not in BACKENDS:
        raise unknown("backend", backend, BACKENDS)
    if cluster is not None and backend != "dask":
        raise NotationError("--cluster goes with --backend dask.", code="bad_cluster")
    if threads is not None and not 1 <= threads <= MOST_THREADS:
        raise RangeError(f"{threads} threads: 1 to {MOST_THREADS}.", code="bad_threads")
    if backend == "cuda":
        from croupier.simulate.gpu import GpuMachine

        return GpuMachine()
    if backend == "dask":
        return DaskMachine(cluster or f"local:{threads or os.cpu_count() or 1}")
    if backend == "python":
        return LocalMachine("python", 1)
    return LocalMachine("cpu", threads or os.cpu_count() or 1)


class DaskMachine:
    """Workers of a Dask scheduler. A lost worker's chunks are played again by another; each part is counted once."""

    name = "dask"
    grain = 16

    def __init__(self, address: str) -> None:
        try:
            from distributed import Client, LocalCluster
        except ImportError:
            raise MachineError(
                "The dask backend needs the package distributed: pip install 'croupier[cluster]'."
            ) from None
        self.cluster: Any = None
        if address.startswith("local:"):
            count = address.removeprefix("local:")
            if not count.isdecimal() or not 1 <= int(count) <= MOST_THREADS:
                raise NotationError(f'"{address}": write local:N with N workers.', code="bad_cluster")
            self.cluster = LocalCluster(
                n_workers=int(count), threads_per_worker=1, dashboard_address=None, silence_logs=50
            )
            address = self.cluster.scheduler_address
        try:
            self.client: Any = Client(address, timeout="10s")
        except (OSError, ValueError, TypeError):
            raise MachineError(f"No Dask scheduler answers at {address}.", code="no_cluster") from None

    @property
    def width(self) -> int:
        """Twice the workers' threads, so that none waits for the slowest."""
        try:
            self.client.wait_for_workers(1, timeout=WORKERS_SECONDS)  # a lost one is being started again
        except TimeoutError:
            raise MachineError("The Dask cluster has no workers.", code="no_cluster") from None
        return 2 * max(1, int(sum(self.client.nthreads().values())))

    def warm_up(self, spec: Spec) -> None:
        self.client.run(_warm, spec)

    def play(self, spec: Spec, seed: int, parts: list[tuple[int, int]]) -> Iterator[tuple[int, Array]]:
        # Each range carries the spec: one laid out at the workers beforehand would need all of them to be alive then.
        futures = [self.client.submit(run_chunks, spec, seed, first, last, pure=False) for first, last in parts]
        for (first, last), future in zip(parts, futures, strict=True):
            yield last - first, future.result()

    def close(self) -> None:
        self.client.close()
        if self.cluster is not None:
            self.cluster.close()


def _warm(spec: Spec) -> None:
    run_chunks(spec, 0, 0, 0)
