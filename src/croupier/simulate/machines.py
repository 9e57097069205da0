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
LOOK_SECONDS = 5
"""How often it is looked for them."""


class MachineError(CroupierError):
    """A machine that is not there."""

    code = "no_machine"


def find_machine(backend: str, *, threads: int | None = None, cluster: Any = None) -> Machine:
    """The machine of that name, ready to be warmed up. `cluster` is an address, or a Dask client or cluster."""
    if backend not in BACKENDS:
        raise unknown("backend", backend, BACKENDS)
    if cluster is not None and backend != "dask":
        raise NotationError("A cluster goes with the backend dask.", code="bad_cluster")
    if threads is not None and not 1 <= threads <= MOST_THREADS:
        raise RangeError(f"{threads} threads: 1 to {MOST_THREADS}.", code="bad_threads")
    if backend == "cuda":
        from croupier.simulate.gpu import GpuMachine

        return GpuMachine()
    if backend == "dask":
        return DaskMachine(cluster if cluster is not None else f"local:{threads or os.cpu_count() or 1}")
    if backend == "python":
        return LocalMachine("python", 1)
    return LocalMachine("cpu", threads or os.cpu_count() or 1)


class DaskMachine:
    """Workers of a Dask scheduler, who may join and leave while it plays. A lost worker's chunks are played again by
    another; each part is counted once."""

    name = "dask"
    grain = 16
    step_seconds = 2.0
    """Longer than elsewhere: at the end of each step workers wait for the slowest."""

    def __init__(self, cluster: Any) -> None:
        """`cluster` is a scheduler's address, `local:N` for N workers of this computer, or a Dask client or cluster."""
        try:
            from distributed import Client
        except ImportError:
            raise MachineError(
                "The dask backend needs the package distributed: pip install 'croupier[cluster]'."
            ) from None
        self.own: list[Any] = []
        """What was opened here, and is closed again."""
        self.patience: float | None = None
        """How long it may be without workers before it counts as gone; a queue may take hours to start some."""
        if isinstance(cluster, Client):
            if cluster.status != "running" or cluster.asynchronous:
                raise MachineError("The Dask client is closed or asynchronous: make another.", code="no_cluster")
            self.client: Any = cluster
            return
        if isinstance(cluster, str):
            self.patience = WORKERS_SECONDS
        place = self._local(cluster) if isinstance(cluster, str) and cluster.startswith("local:") else cluster
        try:
            self.client = Client(place, timeout="10s")
        except (OSError, ValueError, TypeError, RuntimeError):  # a closed cluster is a RuntimeError
            raise MachineError(f"No Dask scheduler answers at {place}.", code="no_cluster") from None
        self.own.append(self.client)

    def _local(self, text: str) -> Any:
        from distributed import LocalCluster

        count = text.removeprefix("local:")
        if not count.isdecimal() or not 1 <= int(count) <= MOST_THREADS:
            raise NotationError(f'"{text}": write local:N with N workers.', code="bad_cluster")
        cluster = LocalCluster(n_workers=int(count), threads_per_worker=1, dashboard_address=None, silence_logs=50)
        self.own.append(cluster)
        return cluster.scheduler_address

    @property
    def width(self) -> int:
        """Twice the workers' threads, so that none waits for the slowest. Where there are no workers yet, two ranges
        wait for them: an adaptive cluster starts workers only for work."""
        return 2 * max(1, int(sum(self.client.nthreads().values())))

    def warm_up(self, spec: Spec) -> None:
        self.client.run(_warm, spec, on_error="ignore")  # a worker that is lost meanwhile is none of ours

    def play(self, spec: Spec, seed: int, parts: list[tuple[int, int]]) -> Iterator[tuple[int, Array]]:
        # Each range carries the spec: one laid out at the workers beforehand would need all of them to be alive then.
        futures = [self.client.submit(run_chunks, spec, seed, first, last, pure=False) for first, last in parts]
        try:
            for (first, last), future in zip(parts, futures, strict=True):
                yield last - first, self._result(future)
        finally:
            self.client.cancel(futures)

    def _result(self, future: Any) -> Array:
        from distributed import KilledWorker
        from distributed import TimeoutError as NotYetError

        alone = 0.0
        while True:
            try:
                counts: Array = future.result(timeout=LOOK_SECONDS)
                return counts
            except NotYetError:
                alone = 0.0 if self.client.nthreads() else alone + LOOK_SECONDS
                if self.patience is not None and alone >= self.patience:
                    raise MachineError("The Dask cluster has no workers.", code="no_cluster") from None
            except KilledWorker:
                raise MachineError(
                    "Workers of the cluster died over the same rounds again and again: look whether they have memory "
                    "enough.",
                    code="no_cluster",
                ) from None

    def close(self) -> None:
        for part in self.own[::-1]:
            part.close()


def _warm(spec: Spec) -> None:
    run_chunks(spec, 0, 0, 0)
