"""What a call from Python costs besides the library's own time: calls of about 1 ms, with keyword arguments, without a table or a text.

    target/venv/bin/python benches/python_overhead.py

The library measures its own time (`wall_time`); what remains of the time of a call is the overhead: arguments, request, lock of the
interpreter, the object of the answer. The medians of many calls are compared. Reading an entry of the answer is measured besides, and a
sweep against the command on the same machine, if there is one.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from pathlib import Path

import saltation as st

REPEATS = 2000


def timed(system: st.System, until: float) -> tuple[float, float]:
    """Medians of the time of a call and of the library's own time, in seconds."""
    calls, own = [], []
    for _ in range(REPEATS):
        began = time.perf_counter()
        run = system.simulate(until=until, tol=1e-12)
        calls.append(time.perf_counter() - began)
        own.append(run.wall_time)
    return statistics.median(calls), statistics.median(own)


def main() -> None:
    system = st.gallery("double-pendulum")
    until = 1.0
    # A motion of about one millisecond.
    for _ in range(20):
        _, own = timed(system, until)
        if 0.8e-3 < own < 1.25e-3:
            break
        until *= 1e-3 / own
    call, own = timed(system, until)
    print(f"simulate: call {1e6 * call:.1f} us, library {1e6 * own:.1f} us, overhead {1e6 * (call - own):.1f} us = {100 * (call - own) / own:.2f} %")

    runs = [system.simulate(until=until) for _ in range(200)]
    began = time.perf_counter()
    for run in runs:
        run.end  # noqa: B018
    print(f"first entry of an answer: {1e6 * (time.perf_counter() - began) / len(runs):.1f} us")
    began = time.perf_counter()
    for k in range(1000):
        system.with_(e=0.5 + 1e-5 * k)
    print(f"with_: {1e6 * (time.perf_counter() - began) / 1000:.1f} us")

    oscillator = st.gallery("impact-oscillator")
    points = 4000
    began = time.perf_counter()
    sweep = oscillator.sweep(along={"A": (0.34, 0.37, points)}, settle=200, record=50)
    spent = time.perf_counter() - began
    print(f"sweep of {points} values: {spent:.3f} s in Python ({sweep.wall_time:.3f} s of the library)")
    program = Path(sys.argv[1]) if len(sys.argv) > 1 else Path("target/release/saltation")
    if program.exists():
        words = ["sweep", "impact-oscillator", "--along", f"A=0.34:0.37:{points}", "--settle", "200", "--record", "50"]
        began = time.perf_counter()
        subprocess.run([str(program), *words], check=True, capture_output=True)
        print(f"the same by {program}: {time.perf_counter() - began:.3f} s")


if __name__ == "__main__":
    main()
