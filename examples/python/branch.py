"""A branch of periodic orbits of an impact oscillator through its grazing bifurcation: the table of its bifurcations, and a figure.

    python examples/python/branch.py [FIGURE.svg]
"""

from __future__ import annotations

import sys

import saltation as st


def main(path: str | None = None) -> None:
    system = st.gallery("impact-oscillator")
    orbit = system.with_(A=0.35).orbit(settle=400, period=2)
    branch = orbit.continue_("A", 0.34, 0.36, switch=True)
    for special in branch.special:
        print(f"{special.kind:16} A = {special.parameters.A:.12f}")
    if path is not None:
        branch.figure().save(path)


if __name__ == "__main__":
    main(*sys.argv[1:2])
