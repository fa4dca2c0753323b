"""Python and the command give the same text for the same question, for the whole gallery and all questions."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import saltation as st

Command = Callable[..., "subprocess.CompletedProcess[str]"]

#: A question for every model: the flags, and the same in Python. Short, because all models are asked.
EVERY: dict[str, tuple[list[str], Callable[[st.System], st.Answer]]] = {
    "check": (["check"], lambda sys: sys.check()),
    "simulate": (["simulate", "--until", "5", "--every", "0.5"], lambda sys: sys.simulate(until=5, every=0.5)),
    "moreau": (
        ["simulate", "--until", "1", "--method", "moreau", "--step", "1e-2"],
        lambda sys: sys.simulate(until=1, method="moreau", step=1e-2),
    ),
    "orbit": (["orbit", "--settle", "20"], lambda sys: sys.orbit(settle=20)),
    "equilibrium": (["equilibrium"], lambda sys: sys.equilibrium()),
    "lyapunov": (["lyapunov", "--settle", "5", "--returns", "10"], lambda sys: sys.lyapunov(settle=5, returns=10)),
    "modes": (["modes", "--periods", "0:8"], lambda sys: sys.modes(periods=(0, 8))),
    "contact": (["contact"], lambda sys: sys.contact()),
}


def asked(ask: Callable[[], st.Answer]) -> st.Answer | None:
    """The answer, also that of a search without a result; nothing where the question is refused."""
    try:
        return ask()
    except st.NotFound as error:
        return error.answer
    except (st.ModelError, st.RequestError):
        return None


def same(found: st.Answer | None, printed: subprocess.CompletedProcess[str]) -> None:
    """Both have refused the question, or both have the same text."""
    if found is None or printed.returncode == 2:
        assert found is None and printed.returncode == 2, (found, printed.stderr)
        return
    assert found.to_json() == printed.stdout.rstrip("\n")
    assert found.to_dict() == json.loads(printed.stdout)
    assert found.complete == (printed.returncode == 0)


@pytest.mark.parametrize("question", EVERY)
@pytest.mark.parametrize("name", st.gallery())
def test_every_model_and_question(name: str, question: str, command: Command) -> None:
    flags, ask = EVERY[question]
    printed = command(flags[0], name, *flags[1:], "--json")
    same(asked(lambda: ask(st.gallery(name))), printed)


def around(system: st.System) -> tuple[str, float, float]:
    """The first parameter, with a range about its value."""
    name, value = next(iter(system.parameters.items()))
    return name, value - 0.01 * abs(value), value + 0.01 * abs(value) + 0.01 * (value == 0)


@pytest.mark.parametrize("name", [name for name in st.gallery() if st.gallery(name).parameters])
def test_every_model_along_a_parameter(name: str, command: Command) -> None:
    system = st.gallery(name)
    parameter, low, high = around(system)
    state, start = next(iter(system.start_state.items()))
    few = ["--settle", "2", "--record", "2", "--json"]
    printed = command("sweep", name, "--along", f"{parameter}={low!r}:{high!r}:3", *few)
    same(asked(lambda: system.sweep(along={parameter: (low, high, 3)}, settle=2, record=2)), printed)
    printed = command("basin", name, "--grid", f"{state}={start!r}:{start + 0.01!r}:2", *few)
    same(asked(lambda: system.basin(grid={state: (start, start + 0.01, 2)}, settle=2, record=2)), printed)
    flags = ["--along", parameter, "--range", f"{low!r}:{high!r}", "--points", "6", "--json"]
    orbit, rest = asked(lambda: system.orbit(settle=20)), asked(lambda: system.equilibrium())
    if isinstance(orbit, st.Orbit) and orbit.to_dict().get("state"):
        found = asked(lambda: orbit.continue_(parameter, low, high, points=6))
        printed = command("continue", name, "--settle", "20", *flags)
        # An orbit that was not found has no branch.
        assert orbit.complete or printed.returncode != 0
        if orbit.complete:
            same(found, printed)
    if isinstance(rest, st.Equilibria) and len(rest.equilibria) > 0:
        printed = command("continue", name, "--equilibrium", *flags)
        same(asked(lambda: rest.continue_(parameter, low, high, points=6)), printed)


SPECIAL: dict[str, tuple[str, Callable[[], st.Answer]]] = {
    "settings": (
        "simulate impact-oscillator --set A=0.36 --set omega=0.8*1.01 --start x=-0.1 --returns 7 --section phi --tol 1e-10",
        lambda: (
            st.gallery("impact-oscillator")
            .with_(A=0.36, omega="0.8*1.01")
            .start(x=-0.1)
            .simulate(returns=7, section="phi", tol=1e-10)
        ),
    ),
    "show": (
        "simulate bouncing-disc --until 2 --every 0.1 --show force:floor,energy --policy lift_off",
        lambda: st.gallery("bouncing-disc").simulate(until=2, every=0.1, show="force:floor,energy", policy="lift_off"),
    ),
    "formula": ("simulate bouncing-ball --until sqrt(2)", lambda: st.gallery("bouncing-ball").simulate(until="sqrt(2)")),
    "flow": (
        "orbit impact-oscillator --settle 400 --period 2 --flow taylor",
        lambda: st.gallery("impact-oscillator").orbit(settle=400, period=2, flow="taylor"),
    ),
    "branch": (
        "continue impact-oscillator --set A=0.35 --settle 400 --period 2 --along A --range 0.34:0.36 --switch",
        lambda: st.gallery("impact-oscillator").with_(A=0.35).orbit(settle=400, period=2).continue_("A", 0.34, 0.36, switch=True),
    ),
    "steps": (
        "continue ball-on-table --along K --range 0.1:1.2:40 --step 0.1 --points 500",
        lambda: st.gallery("ball-on-table").orbit().continue_("K", range=(0.1, 1.2), at_least=40, step=0.1, points=500),
    ),
    "chosen": (
        "continue ball-on-table --along K --range 0.1:1.2 --switch-at 1 --switch-at 1:0",
        lambda: st.gallery("ball-on-table").orbit().continue_("K", 0.1, 1.2, switch_at=[1, "1:0"]),
    ),
    "vivid": (
        "continue impact-oscillator --settle 400 --period 2 --along A --range 0.345:0.355 --method vivid",
        lambda: st.gallery("impact-oscillator").orbit(settle=400, period=2).continue_("A", 0.345, 0.355, method="vivid"),
    ),
    "equilibria": (
        "continue relief-valve --equilibrium --mode flight --along q --range 5:9 --step 0.2 --switch",
        lambda: st.gallery("relief-valve").equilibrium(mode="flight").continue_("q", 5, 9, step=0.2, switch=True),
    ),
    "modes": (
        "modes chain --ipp 2 --periods 2.7:2.95 --search 60 --seed 3 --family --points 40 --stability",
        lambda: st.gallery("chain").modes(ipp=2, periods=(2.7, 2.95), search=60, seed=3, family=True, points=40, stability=True),
    ),
    "near": ("modes chain --near 3.8", lambda: st.gallery("chain").modes(near=3.8)),
    "map": (
        "contact painleve-rod --set slip=1 --map angle=0.1:1.5:30 --map spin=0:6:30 --critical angle=0.1:1.5",
        lambda: (
            st.gallery("painleve-rod")
            .with_(slip=1)
            .contact(map=[("angle", 0.1, 1.5, 30), ("spin", 0, 6, 30)], critical=("angle", 0.1, 1.5))
        ),
    ),
    "paradox": (
        "contact painleve-rod --set angle=pi/3 --set slip=1",
        lambda: st.gallery("painleve-rod").with_(angle="pi/3", slip=1).contact(),
    ),
    "sweep": (
        "sweep impact-oscillator --along A=0.34:0.37:7 --settle 50 --record 5 --extremes x,wall --exponents all --carry up",
        lambda: st.gallery("impact-oscillator").sweep(
            along={"A": (0.34, 0.37, 7)}, settle=50, record=5, extremes="x,wall", exponents="all", carry="up"
        ),
    ),
    "sweep of two": (
        "sweep impact-oscillator --along A=0.34:0.37:4 --along omega=0.7:0.9:3:log --settle 20 --record 3 --threads 2",
        lambda: st.gallery("impact-oscillator").sweep(
            along={"A": (0.34, 0.37, 4), "omega": (0.7, 0.9, 3, "log")}, settle=20, record=3, threads=2
        ),
    ),
    "list": (
        "sweep impact-oscillator --along A=0.34,0.36,0.35 --settle 20 --record 3",
        lambda: st.gallery("impact-oscillator").sweep(along={"A": [0.34, 0.36, 0.35]}, settle=20, record=3),
    ),
    "grid": (
        "basin two-wall-oscillator --set nu=0.9 --grid y=-0.9:0.9:5 --grid w=-1:1:4 --settle 60 --record 10",
        lambda: (
            st.gallery("two-wall-oscillator")
            .with_(nu=0.9)
            .basin(grid={"y": (-0.9, 0.9, 5), "w": (-1, 1, 4)}, settle=60, record=10)
        ),
    ),
    "random": (
        "basin two-wall-oscillator --set nu=0.9 --random y=-0.9:0.9 --random w=-1:1 --count 12 --seed 7 --settle 60 --record 10",
        lambda: (
            st.gallery("two-wall-oscillator")
            .with_(nu=0.9)
            .basin(random={"y": (-0.9, 0.9), "w": (-1, 1)}, count=12, seed=7, settle=60, record=10)
        ),
    ),
    "along": (
        "basin impact-oscillator --random x=-2:0 --count 5 --along A=0.33:0.37:3 --settle 60 --record 10",
        lambda: st.gallery("impact-oscillator").basin(
            random={"x": (-2, 0)}, count=5, along={"A": (0.33, 0.37, 3)}, settle=60, record=10
        ),
    ),
}


@pytest.mark.parametrize("case", SPECIAL)
def test_fields_and_flags(case: str, command: Command) -> None:
    words, ask = SPECIAL[case]
    found = asked(ask)
    assert found is not None
    same(found, command(*words.split(), "--json"))


def test_a_guess(command: Command, tmp_path: Path) -> None:
    path = tmp_path / "orbit.json"
    known = st.gallery("two-wall-oscillator").with_(nu=1.2).orbit(settle=300)
    path.write_text(known.to_json())
    printed = command("orbit", "two-wall-oscillator", "--set", "nu=1.11", "--guess", str(path), "--json")
    there = st.gallery("two-wall-oscillator").with_(nu=1.11)
    for guess in (known, known.to_dict(), path, str(path)):
        same(there.orbit(guess=guess), printed)


def test_a_curve(command: Command, tmp_path: Path) -> None:
    path = tmp_path / "branch.json"
    branch = st.gallery("ball-on-table").orbit().continue_("K", 0.1, 1.2)
    path.write_text(branch.to_json())
    flags = ["--from", str(path), "--at", "0", "--along", "K,e", "--range", "0.7:0.9:40", "--json"]
    printed = json.loads(command("curve", "ball-on-table", *flags).stdout)
    found = branch.curve(0, along=("K", "e"), range=(0.7, 0.9), at_least=40).to_dict()
    # Where the branch comes from is part of the answer.
    without: Callable[[dict[str, Any]], dict[str, Any]] = lambda answer: {k: v for k, v in answer.items() if k != "from"}
    assert without(found) == without(printed)
    assert found == branch.curve(0, along="e", range=(0.7, 0.9), at_least=40).to_dict()


def test_tables_and_reports(command: Command, tmp_path: Path) -> None:
    import csv

    run = st.gallery("bouncing-ball").simulate(until=2, every=0.25)
    folder = tmp_path / "out"
    printed = command("simulate", "bouncing-ball", "--until", "2", "--every", "0.25", "--out", str(folder))
    assert printed.returncode == 0
    for name, table in run.tables.items():
        with open(folder / f"{name}.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        for column, values in table.items():
            texts = [row[column] for row in rows]
            if values is not None and hasattr(values, "dtype") and values.dtype.kind == "f":
                assert [float(text) if text else None for text in texts] == [None if x != x else x for x in values.tolist()]
    orbit = st.gallery("ball-on-table").orbit()
    # All but the time of computing.
    printed = command("orbit", "ball-on-table")
    assert printed.stdout.rstrip("\n").rsplit("(", 1)[0] == orbit.report().rsplit("(", 1)[0]


def test_figures(command: Command, tmp_path: Path) -> None:
    cases: list[tuple[list[str], st.Figure]] = [
        (["simulate", "bouncing-ball", "--until", "2"], st.gallery("bouncing-ball").simulate(until=2).figure()),
        (
            ["simulate", "bouncing-ball", "--until", "2", "--plane", "x,v"],
            st.gallery("bouncing-ball").simulate(until=2).figure(plane=("x", "v")),
        ),
        (["orbit", "ball-on-table"], st.gallery("ball-on-table").orbit().figure()),
        (
            ["continue", "ball-on-table", "--along", "K", "--range", "0.1:1.2", "--ordinate", "period"],
            st.gallery("ball-on-table").orbit().continue_("K", 0.1, 1.2).figure(ordinate="period"),
        ),
        (
            ["sweep", "impact-oscillator", "--along", "A=0.34:0.37:5", "--settle", "5", "--record", "3", "--ordinate", "y"],
            st.gallery("impact-oscillator").sweep(along={"A": (0.34, 0.37, 5)}, settle=5, record=3).figure(ordinate="y"),
        ),
        (["modes", "chain", "--periods", "0:8"], st.gallery("chain").modes(periods=(0, 8)).figure()),
    ]
    for words, figure in cases:
        path = tmp_path / "figure.svg"
        assert command(*words, "--plot", str(path)).returncode == 0
        assert path.read_text() == figure.svg
