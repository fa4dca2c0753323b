"""A model written with expressions: a ball above a table that vibrates, saved as a model file, and its Lyapunov exponents.

    python examples/python/expressions.py [MODEL.toml]
"""

from __future__ import annotations

import sys

import saltation as st


def model() -> st.System:
    """A ball of height x above a table at a*sin(phi)."""
    x, v, phi, g, a, omega, e = st.symbols("x v phi g a omega e")
    table = a * st.sin(phi)
    speed = a * omega * st.cos(phi)
    return st.model(
        {
            "name": "ball-above-table",
            "parameters": {"g": 9.8, "a": 0.1, "omega": 12, "e": 0.5},
            "phase": {"phi": {"period": 2 * st.pi, "rate": omega}},
            "flow": {"x": v, "v": -g},
            "contacts": {"table": {"gap": x - table, "jump": {"v": speed - e * (v - speed)}}},
            "start": {"x": 0.2, "v": 0, "phi": 0},
        }
    )


def main(path: str | None = None) -> None:
    system = model()
    if path is not None:
        system.save(path)
    run = system.simulate(until=5.0)
    print(f"{run.counts.impact} impacts until t = {run.end.time}")
    measured = system.lyapunov(settle=100, returns=500)
    print(f"Lyapunov exponents {measured.exponents} with standard errors {measured.standard_errors}")


if __name__ == "__main__":
    main(*sys.argv[1:2])
