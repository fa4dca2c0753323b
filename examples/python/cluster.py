"""A bifurcation diagram on a cluster of two processes of this machine; on a real cluster only the line of the cluster differs.

    python examples/python/cluster.py FOLDER

A second call finishes what an interrupted first one has left in the folder.
"""

from __future__ import annotations

import sys
from pathlib import Path

from distributed import Client, LocalCluster

import saltation as st


def main(folder: str, points: int = 2000) -> None:
    system = st.gallery("impact-oscillator")
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
        sweep = st.distributed.sweep(
            system,
            client=client,
            folder=folder,
            resume=Path(folder).exists(),
            along={"A": (0.34, 0.37, points)},
            settle=400,
            record=50,
        )
    print(f"{sweep.done} motions, periods {dict(sweep.periods)}")


if __name__ == "__main__":
    main(sys.argv[1])
