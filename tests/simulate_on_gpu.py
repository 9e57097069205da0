"""Run in a process of its own with NUMBA_ENABLE_CUDASIM=1: counts of chunks from the CUDA kernel, as JSON."""

from __future__ import annotations

import json
import pickle
import sys
import warnings
from pathlib import Path

from croupier.simulate.gpu import GpuMachine


def main() -> None:
    warnings.simplefilter("ignore")  # the simulator's threads do not share NumPy's leave to wrap 64-bit numbers
    specs = pickle.loads(Path(sys.argv[1]).read_bytes())
    machine = GpuMachine()
    counts = []
    for spec in specs:
        [(_, found)] = machine.play(spec, int(sys.argv[2]), [(0, 1)])
        counts.append(found.tolist())
    sys.stdout.write(json.dumps(counts))


if __name__ == "__main__":
    main()
