"""What a call from Python costs besides the library's own time, for calls of about 1 ms; and a sweep from Python beside the same by the command.

    scripts/wheels --wheel && python -m venv /tmp/fresh && /tmp/fresh/bin/pip install target/wheels/*.whl
    cargo build --release && /tmp/fresh/bin/python benches/python_overhead.py target/release/saltation

The library measures its own time (`wall_time`); what remains of the time of a call is the overhead: arguments, request, lock of the interpreter, the object
of the answer. Printed are medians with quartiles. Sweeps alternate between Python and the command, as the load of a machine changes.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from collections.abc import Sequence

import saltation as st

REPEATS = 2000
ROUNDS = 7


def spread(values: Sequence[float], scale: float = 1.0) -> str:
    """The median with the quartiles."""
    low, middle, high = statistics.quantiles(values, n=4)
    return f"{scale * middle:.2f} [{scale * low:.2f}, {scale * high:.2f}]"


def timed(system: st.System, until: float, repeats: int) -> tuple[list[float], list[float]]:
    """The library's own time of calls, and what they take besides, in seconds."""
    own, besides = [], []
    for _ in range(repeats):
        began = time.perf_counter()
        run = system.simulate(until=until, tol=1e-12)
        spent = time.perf_counter() - began
        own.append(run.wall_time)
        besides.append(spent - run.wall_time)
        # The library frees its memory here, outside what is measured, as it does for programs in Rust.
        del run
    return own, besides


def calls() -> None:
    system = st.gallery("double-pendulum")
    until = 1.0
    # A motion of about one millisecond.
    for _ in range(20):
        own = statistics.median(timed(system, until, 50)[0])
        if 0.9e-3 < own < 1.1e-3:
            break
        until *= 1e-3 / own
    own_times, besides = timed(system, until, REPEATS)
    share = [100 * more / own for own, more in zip(own_times, besides, strict=True)]
    print(f"simulate: library {spread(own_times, 1e6)} us, besides {spread(besides, 1e6)} us = {spread(share)} %")
    runs = [system.simulate(until=until) for _ in range(200)]
    began = time.perf_counter()
    for run in runs:
        run.end  # noqa: B018
    print(f"first entry of an answer: {1e6 * (time.perf_counter() - began) / len(runs):.1f} us")
    began = time.perf_counter()
    for k in range(1000):
        system.with_(e=0.5 + 1e-5 * k)
    print(f"with_: {1e6 * (time.perf_counter() - began) / 1000:.1f} us")


def sweeps(program: str) -> None:
    points = 4000
    oscillator = st.gallery("impact-oscillator")
    words = ["sweep", "impact-oscillator", "--along", f"A=0.34:0.37:{points}", "--settle", "400", "--record", "50", "--quiet"]
    python, command = [], []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        oscillator.sweep(along={"A": (0.34, 0.37, points)}, settle=400, record=50)
        python.append(time.perf_counter() - began)
        began = time.perf_counter()
        subprocess.run([program, *words], check=True, capture_output=True)
        command.append(time.perf_counter() - began)
    print(f"sweep of {points} values: Python {spread(python)} s, command {spread(command)} s, ratio {spread([a / b for a, b in zip(python, command, strict=True)])}")


if __name__ == "__main__":
    calls()
    if len(sys.argv) > 1:
        sweeps(sys.argv[1])
