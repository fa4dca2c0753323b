"""Tables as arrays, data frames and data sets: every table of every kind of answer, with the numbers of the answer."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import saltation as st

OSCILLATOR = st.gallery("impact-oscillator")
WALLS = st.gallery("two-wall-oscillator").with_(nu=0.9)

ANSWERS: dict[str, Callable[[], st.Answer]] = {
    "check": lambda: st.gallery("bouncing-ball").check(),
    "simulate": lambda: st.gallery("bouncing-ball").simulate(until=2, every=0.5),
    "orbit": lambda: st.gallery("ball-on-table").orbit(),
    "branch": lambda: st.gallery("ball-on-table").orbit().continue_("K", 0.1, 1.2),
    "curve": lambda: st.gallery("ball-on-table").orbit().continue_("K", 0.1, 1.2).curve(0, along="e", range=(0.7, 0.9)),
    "equilibrium": lambda: st.gallery("relief-valve").equilibrium(),
    "equilibria": lambda: st.gallery("relief-valve").equilibrium(mode="flight").continue_("q", 5, 9, step=0.2),
    "lyapunov": lambda: OSCILLATOR.lyapunov(settle=5, returns=10),
    "modes": lambda: st.gallery("chain").modes(periods=(0, 8)),
    "contact": lambda: st.gallery("painleve-rod").with_(slip=1).contact(),
    "sweep": lambda: OSCILLATOR.sweep(along={"A": (0.34, 0.37, 4)}, settle=5, record=3, extremes="x"),
    "basin": lambda: WALLS.basin(grid={"y": (0, 0.9, 3)}, settle=9, record=5),
}


@pytest.mark.parametrize("name", ANSWERS)
def test_every_answer_is_a_data_frame(name: str) -> None:
    answer = ANSWERS[name]()
    pandas, polars, xarray = answer.to_pandas(), answer.to_polars(), answer.to_xarray()
    assert len(pandas) == len(polars) > 0 and list(pandas.columns) == polars.columns
    assert pandas.attrs["model"] == answer.system.name and xarray.attrs["question"] == answer.question
    for table, columns in answer.tables.items():
        frame, other = answer.to_pandas(table), answer.to_polars(table)
        assert list(frame.columns) == list(columns) == other.columns
        for column, values in columns.items():
            if isinstance(values, np.ndarray):
                np.testing.assert_array_equal(frame[column].to_numpy(), values)
                np.testing.assert_array_equal(other[column].to_numpy(), values)
    with pytest.raises(st.RequestError) as caught:
        answer.to_pandas("nothing")
    assert caught.value.field == "table" and caught.value.help


def test_arrays_are_not_copied() -> None:
    run = st.gallery("bouncing-ball").simulate(until=10, every=1e-4)
    x = run.tables["samples"]["x"]
    assert x.dtype == np.float64 and len(x) == 100_001 and x.flags.c_contiguous and x.flags.writeable
    # The same memory each time, and in a data frame of one type.
    assert run.tables["samples"]["x"] is x
    assert np.shares_memory(run.to_xarray()["x"].to_numpy(), x)
    # It outlives the answer.
    last = float(x[-1])
    del run
    assert x[-1] == last


def test_grids_have_two_dimensions() -> None:
    found = OSCILLATOR.sweep(along={"A": (0.34, 0.37, 4), "omega": (0.78, 0.84, 3)}, settle=5, record=9, exponents="largest", extremes="x")
    data = found.to_xarray()
    assert data.period.dims == ("omega", "A") and data.period.shape == (3, 4)
    task = found.tasks[5]
    there = data.sel(A=task.parameters.A, omega=task.parameters.omega)
    assert float(there.max_x) == task.extremes["x"][1] and float(there.exponent_0) == task.exponents[0]
    basin = WALLS.basin(grid={"y": (-0.9, 0.9, 4), "w": (-1.5, 1.5, 3)}, settle=30, record=10)
    cells = basin.to_xarray().attractor
    assert cells.dims == ("w", "y") and cells.shape == (3, 4)


def test_starts_are_data_frames(tmp_path: Path) -> None:
    import pandas
    import polars

    columns = {"y": [0.0, 0.5, -0.5], "w": [0.1, 0.2, 0.3]}
    found = WALLS.basin(starts=columns, settle=9, record=5)
    assert WALLS.basin(starts=pandas.DataFrame(columns), settle=9, record=5) == found
    assert WALLS.basin(starts=polars.DataFrame(columns), settle=9, record=5) == found
    assert WALLS.basin(starts=[{"y": y, "w": w} for y, w in zip(*columns.values(), strict=True)], settle=9, record=5) == found


def test_minus_infinity_is_a_number() -> None:
    text = """
format = 1
name = "table"
parameters = { g = 9.8, a = 0.1, omega = 12 }
[phase.phi]
period = "2*pi"
rate = "omega"
[flow]
x = "v"
v = "-g"
[contacts.table]
gap = "x - a*sin(phi)"
jump = { v = "a*omega*cos(phi) - 0.5*(v - a*omega*cos(phi))" }
[start]
x = 0.2
v = 0
phi = 0
"""
    measured = st.model(text).lyapunov(settle=50, returns=100)
    assert (measured.exponents == -np.inf).all() and measured.sum == -np.inf
    assert measured.to_dict()["exponents"] == [None, None]


def test_pages(tmp_path: Path) -> None:
    OSCILLATOR.sweep(along={"A": (0.34, 0.36, 9)}, settle=50, record=9, folder=tmp_path / "a")
    page = st.report(tmp_path / "a", tmp_path / "page.html")
    text = (tmp_path / "page.html").read_text()
    assert page.complete and page.figures == 1 and "impact-oscillator" in text and "</html>" in text
    with pytest.raises(st.SaltationError):
        st.report(tmp_path / "nothing")
    with pytest.raises(OSError):
        st.report(tmp_path / "a", tmp_path / "no" / "folder.html")


def test_answers_in_folders_draw_again_after_a_pickle(tmp_path: Path) -> None:
    import pickle

    found = OSCILLATOR.sweep(along={"A": (0.34, 0.36, 9)}, settle=50, record=9, folder=tmp_path / "a")
    assert pickle.loads(pickle.dumps(found)).figure().svg == found.figure().svg
