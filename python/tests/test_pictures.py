"""Pictures by matplotlib and what notebooks show: styles, labels and legends are there and do not touch each other."""

from __future__ import annotations

import builtins
import sys
from collections.abc import Callable
from itertools import combinations
from typing import Any

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt  # noqa: E402
import numpy as np  # noqa: E402
import pytest  # noqa: E402
from matplotlib.axes import Axes  # noqa: E402

import saltation as st  # noqa: E402

OSCILLATOR = st.gallery("impact-oscillator")
WALLS = st.gallery("two-wall-oscillator")

PICTURES: dict[str, Callable[[], Axes]] = {
    "branch": lambda: OSCILLATOR.orbit(settle=400, period=2).continue_("A", 0.34, 0.36, switch=True).plot(),
    "multiplier": lambda: st.gallery("ball-on-table").orbit().continue_("K", 0.1, 1.2).plot(ordinate="multiplier"),
    "equilibria": lambda: st.gallery("relief-valve").equilibrium(mode="flight").continue_("q", 5, 9, step=0.2, switch=True).plot(),
    "curve": lambda: st.gallery("ball-on-table").orbit().continue_("K", 0.1, 1.2).curve(0, along="e", range=(0.7, 0.9)).plot(),
    "motion": lambda: st.gallery("double-pendulum").simulate(until=20).plot(show=["q1", "q2"]),
    "plane": lambda: st.gallery("bouncing-ball").simulate(until=3).plot(plane=("x", "v")),
    "stepping": lambda: st.gallery("bouncing-ball").simulate(until=1, method="moreau", step=1e-3).plot(),
    "orbit": lambda: OSCILLATOR.orbit(settle=400, period=2).plot(),
    "lyapunov": lambda: OSCILLATOR.lyapunov(settle=5, returns=50).plot(),
    "rests": lambda: st.gallery("relief-valve").equilibrium().plot(),
    "sweep": lambda: OSCILLATOR.sweep(along={"A": (0.34, 0.37, 30)}, settle=20, record=9).plot(ordinate="impact_speed"),
    "map": lambda: OSCILLATOR.sweep(along={"A": (0.34, 0.37, 9), "omega": (0.78, 0.84, 8)}, settle=50, record=20).plot(),
    "exponents": lambda: OSCILLATOR.sweep(
        along={"A": (0.34, 0.37, 5), "omega": (0.78, 0.84, 4)}, settle=9, record=9, exponents="largest"
    ).plot(ordinate="exponent"),
    "basin": lambda: WALLS.with_(nu=0.9).basin(grid={"y": (-0.9, 0.9, 9), "w": (-1.5, 1.5, 9)}, settle=60, record=10).plot(),
    "fractions": lambda: WALLS.with_(nu=0.9).basin(random={"y": (-0.9, 0.9), "w": (-1.5, 1.5)}, count=40, settle=60, record=10).plot(),
    "slices": lambda: WALLS.basin(random={"y": (-0.9, 0.9)}, count=9, along={"nu": (0.88, 0.92, 3)}, settle=60, record=10).plot(),
    "contact": lambda: st.gallery("painleve-rod").with_(slip=1).contact(map=[("angle", 0.1, 1.5, 30), ("spin", 0, 6, 30)]).plot(),
    "modes": lambda: st.gallery("chain").modes(periods=(0, 8)).plot(),
}


@pytest.mark.parametrize("name", PICTURES)
def test_texts_are_there_and_do_not_touch(name: str) -> None:
    plt.close("all")
    ax = PICTURES[name]()
    figure = ax.figure
    figure.canvas.draw()
    assert ax.get_xlabel() and ax.get_ylabel() and ": " in ax.get_title()
    renderer = figure.canvas.get_renderer()  # type: ignore[attr-defined]
    texts = [*ax.get_xticklabels(), *ax.get_yticklabels(), ax.xaxis.label, ax.yaxis.label, ax.title]
    low, high = ax.get_xlim()
    texts = [text for text in texts if text.get_text() and text.get_visible()]
    texts = [text for text in texts if text not in ax.get_xticklabels() or low <= text.get_position()[0] <= high]
    low, high = ax.get_ylim()
    texts = [text for text in texts if text not in ax.get_yticklabels() or low <= text.get_position()[1] <= high]
    boxes = [(text.get_text(), text.get_window_extent(renderer)) for text in texts]
    legend = ax.get_legend()
    if legend is not None:
        assert not legend.get_window_extent(renderer).overlaps(ax.get_window_extent(renderer))
        boxes.extend((text.get_text(), text.get_window_extent(renderer)) for text in legend.get_texts())
    for (one, a), (other, b) in combinations(boxes, 2):
        assert not a.shrunk(0.98, 0.98).overlaps(b.shrunk(0.98, 0.98)), (one, other)
    for text, box in boxes:
        assert figure.bbox.padded(1).containsx(box.x0) and figure.bbox.padded(1).containsx(box.x1), text


def test_stability_is_the_style_of_lines() -> None:
    branch = st.gallery("ball-on-table").orbit().continue_("K", 0.1, 1.2)
    ax = branch.plot(ordinate="period")
    kinds = {("-" if point.stable else "--") if point.admissible else ":" for point in branch.points}
    assert {line.get_linestyle() for line in ax.get_lines()} - {"None"} == kinds
    legend = ax.get_legend()
    assert legend is not None
    words = {text.get_text() for text in legend.get_texts()}
    assert {one.kind.replace("_", " ") for one in branch.special if one.kind != "end"} <= words
    other = plt.subplots()[1]
    assert branch.plot(other) is other


def test_what_is_laid_over_axes_keeps_them() -> None:
    orbit = OSCILLATOR.orbit(settle=400, period=2)
    ax = OSCILLATOR.sweep(along={"A": (0.345, 0.355, 20)}, settle=50, record=9).plot(ordinate="y")
    kept = ax.get_xlim(), ax.get_ylim(), ax.get_xlabel(), ax.get_ylabel(), ax.get_title()
    lines = len(ax.get_lines())
    branch = orbit.continue_("A", 0.34, 0.36)
    assert branch.plot(ax) is ax
    assert kept == (ax.get_xlim(), ax.get_ylim(), ax.get_xlabel(), ax.get_ylabel(), ax.get_title())
    # What the sweep shows.
    drawn = np.asarray(ax.get_lines()[lines].get_ydata(), dtype=float)
    assert any(abs(point.state.y - drawn[0]) < 1e-12 for point in branch.points)
    # The figure of the library takes the branch itself.
    sweep = OSCILLATOR.sweep(along={"A": (0.345, 0.355, 20)}, settle=50, record=9)
    assert "branch, stable" in sweep.figure(overlays=[branch]).svg


def test_a_default_that_tells_nothing_is_replaced() -> None:
    ax = st.gallery("ball-on-table").orbit().continue_("K", 0.1, 1.2).plot()
    drawn = np.concatenate([np.asarray(line.get_ydata(), dtype=float) for line in ax.get_lines()])
    assert np.ptp(drawn) > 1e-3 * np.max(np.abs(drawn))


def test_units_are_part_of_labels() -> None:
    assert st.gallery("bouncing-ball").units["g"] == "m/s^2"
    assert st.gallery("bouncing-ball").simulate(until=1).plot().get_ylabel() == "x in m"


@pytest.mark.parametrize(
    ("ask", "field"),
    [
        (lambda: st.gallery("bouncing-ball").simulate(until=1).plot(show="y"), "show"),
        (lambda: st.gallery("bouncing-ball").simulate(until=1).plot(plane=("x", "y")), "plane"),
        (lambda: st.gallery("ball-on-table").orbit().continue_("K", 0.1, 1.2).plot(ordinate="speed"), "ordinate"),
        (lambda: OSCILLATOR.sweep(along={"A": (0.34, 0.37, 3)}, settle=2, record=2).plot(ordinate="speed"), "ordinate"),
    ],
)
def test_unknown_quantities(ask: Callable[[], object], field: str) -> None:
    with pytest.raises(st.RequestError) as caught:
        ask()
    assert caught.value.field == field and caught.value.help
    with pytest.raises(st.SaltationError, match="no picture"):
        st.gallery("bouncing-ball").check().plot()


def test_notebooks_show_a_table_and_a_figure() -> None:
    ball = st.gallery("bouncing-ball")
    run = ball.simulate(until=2)
    page = run._repr_html_()
    assert page.count("<table>") == 1 and page.count("<svg") >= 1 and "impact" in page
    assert "<table>" in ball._repr_html_() and "&" not in ball.name
    # Nothing of a model can run in a notebook.
    text = ball.source.replace('title  = "', 'title  = "<script>alert(1)</script>', 1)
    evil = st.model(text)
    assert "<script>" in (evil.title or "")
    assert "<script>" not in evil._repr_html_() + evil.simulate(until=1)._repr_html_()
    # Without a figure there is still a table.
    assert "<svg" not in ball.check()._repr_html_()


@pytest.mark.parametrize(
    ("module", "extra", "ask"),
    [
        ("matplotlib", "plot", lambda run: run.plot()),
        ("pandas", "pandas", lambda run: run.to_pandas()),
        ("polars", "polars", lambda run: run.to_polars()),
        ("xarray", "xarray", lambda run: run.to_xarray()),
        ("distributed", "distributed", lambda run: st.distributed.sweep(run.system, along={"e": (0.5, 0.6, 2)}, folder="nowhere")),
    ],
)
def test_a_missing_package_is_named(module: str, extra: str, ask: Callable[[st.Answer], object], monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__
    for name in [name for name in sys.modules if name == module or name.startswith(f"{module}.")]:
        monkeypatch.delitem(sys.modules, name)

    def absent(name: str, *more: Any, **others: Any) -> Any:
        if name.split(".")[0] == module:
            raise ModuleNotFoundError(f"No module named {module!r}", name=module)
        return real(name, *more, **others)

    import importlib

    real_module = importlib.import_module

    def no_module(name: str, package: str | None = None) -> Any:
        if name.split(".")[0] == module:
            raise ModuleNotFoundError(f"No module named {module!r}", name=module)
        return real_module(name, package)

    monkeypatch.setattr(builtins, "__import__", absent)
    monkeypatch.setattr(importlib, "import_module", no_module)
    run = st.gallery("bouncing-ball").simulate(until=1)
    with pytest.raises(ImportError, match=rf'{module} is not installed: pip install "saltation\[{extra}\]"'):
        ask(run)
