"""Bad input: every mistake is an exception with its place and a help."""

# Wrong types are what is tested.
# mypy: disable-error-code="arg-type,call-arg,dict-item,list-item,misc,no-untyped-call"

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import saltation as st

BALL = st.gallery("bouncing-ball")
OSCILLATOR = st.gallery("impact-oscillator")
WALLS = st.gallery("two-wall-oscillator")


def field(ask: Callable[[], object]) -> tuple[str, str, str]:
    with pytest.raises(st.RequestError) as caught:
        ask()
    error = caught.value
    assert isinstance(error, ValueError) and isinstance(error, st.SaltationError)
    assert str(error) and error.refusals[0]["field"] == error.field
    return error.field, error.message, error.help


@pytest.mark.parametrize(
    ("ask", "name"),
    [
        (lambda x: BALL.simulate(until=x), "until"),
        (lambda x: BALL.simulate(tol=x), "tol"),
        (lambda x: BALL.simulate(every=x), "every"),
        (lambda x: BALL.simulate(until=1, method="moreau", step=x), "step"),
        (lambda x: BALL.check(tol=x), "tol"),
        (lambda x: OSCILLATOR.orbit(tol=x), "tol"),
        (lambda x: OSCILLATOR.lyapunov(tol=x), "tol"),
        (lambda x: BALL.equilibrium(tol=x), "tol"),
        (lambda x: st.gallery("chain").modes(near=x), "near"),
        (lambda x: st.gallery("chain").modes(periods=(0, x)), "periods"),
        (lambda x: OSCILLATOR.sweep(along={"A": (0.3, x, 3)}), "along"),
        (lambda x: OSCILLATOR.sweep(along={"A": [0.3, x]}), "along"),
        (lambda x: WALLS.basin(grid={"y": (x, 1, 3)}), "starts"),
        (lambda x: WALLS.basin(random={"y": (x, 1)}), "random"),
    ],
)
def test_nan(ask: Callable[[Any], object], name: str) -> None:
    for nan in (float("nan"), np.float64("nan"), np.float32("nan")):
        assert field(lambda nan=nan: ask(nan))[0].split(".")[0] == name


def test_nan_among_numbers_of_a_system() -> None:
    for value in (float("nan"), float("inf"), np.nan, "nan", "1/0"):
        with pytest.raises(st.ModelError) as caught:
            OSCILLATOR.with_(A=value).simulate(until=1)
        assert caught.value.mistakes
        with pytest.raises(st.ModelError):
            OSCILLATOR.start(x=value).simulate(until=1)


@pytest.mark.parametrize(
    ("ask", "name", "near"),
    [
        (lambda: BALL.simulate(untill=2), "untill", "until"),
        (lambda: OSCILLATOR.orbit(peroid=2), "peroid", "period"),
        (lambda: OSCILLATOR.sweep(along={"A": (0.3, 0.4, 3)}, setle=3), "setle", "settle"),
        (lambda: OSCILLATOR.sweep(along={"A": (0.3, 0.4, 3)}, resum=True), "resum", "resume"),
        (lambda: WALLS.basin(grid={"y": (0, 1, 3)}, rekord=3), "rekord", "record"),
        (lambda: st.gallery("chain").modes(period=(0, 8)), "period", "periods"),
        (lambda: OSCILLATOR.orbit(settle=400, period=2).continue_("A", 0.34, 0.36, swich=True), "swich", "switch"),
        (lambda: OSCILLATOR.orbit(settle=400, period=2).continue_("a", 0.34, 0.36), "along", "A"),
        (lambda: OSCILLATOR.sweep(along={"a": (0.3, 0.4, 3)}), "along", "A"),
        (lambda: WALLS.basin(grid={"yy": (0, 1, 3)}), "grid", "y"),
        (lambda: st.gallery("chain").modes(contact="wal"), "contact", "wall"),
        (lambda: OSCILLATOR.simulate(returns=2, section="ph"), "section", "phi"),
        (lambda: BALL.simulate(until=1).figure(plan=("x", "v")), "plan", "plane"),
    ],
)
def test_unknown_names_have_the_nearest_one(ask: Callable[[], object], name: str, near: str) -> None:
    found, _, help_ = field(ask)
    assert found == name and f"`{near}`" in help_


@pytest.mark.parametrize(
    ("ask", "name"),
    [
        (lambda: BALL.simulate(until=[1, 2]), "until"),
        (lambda: BALL.simulate(until=True), "until"),
        (lambda: BALL.simulate(until="2*"), "until"),
        (lambda: BALL.simulate(until="2*nothing"), "until"),
        (lambda: BALL.simulate(until=object()), "until"),
        (lambda: BALL.simulate(until={1: 2}), "until"),
        (lambda: BALL.simulate(section=3, returns=2), "section"),
        (lambda: BALL.simulate(path=1), "path"),
        (lambda: BALL.simulate(flow="exakt"), "flow"),
        (lambda: BALL.simulate(policy="stay"), "policy"),
        (lambda: BALL.simulate(method="euler"), "method"),
        (lambda: BALL.simulate(step=1e-3), "step"),
        (lambda: BALL.simulate(method="moreau"), "step"),
        (lambda: BALL.simulate(method="moreau", step=1e-3, returns=3), "returns"),
        (lambda: BALL.simulate(progress="yes"), "progress"),
        (lambda: OSCILLATOR.orbit(period=2.0), "period"),
        (lambda: OSCILLATOR.orbit(settle=-1), "settle"),
        (lambda: OSCILLATOR.orbit(settle=10**40), "settle"),
        (lambda: OSCILLATOR.orbit(guess=3), "guess"),
        (lambda: OSCILLATOR.orbit(guess={"state": {"q": 1}}), "guess"),
        (lambda: OSCILLATOR.orbit(guess="no such file"), "guess"),
        (lambda: st.gallery("chain").modes(periods=(1, 2, 3)), "periods"),
        (lambda: st.gallery("chain").modes(family="yes"), "family"),
        (lambda: st.gallery("painleve-rod").contact(map=[("angle", 0.1, 1.5, 300)]), "map"),
        (lambda: st.gallery("painleve-rod").contact(map=[("angle", 0.1, 1.5), ("spin", 0, 6)]), "map"),
        (lambda: st.gallery("painleve-rod").contact(critical=("angle", 0.1)), "critical"),
        (lambda: OSCILLATOR.sweep(), "along"),
        (lambda: OSCILLATOR.sweep(along="A"), "along"),
        (lambda: OSCILLATOR.sweep(along={"A": (0.3, 0.4)}), "along"),
        (lambda: OSCILLATOR.sweep(along={"A": (0.3, 0.4, 2.5)}), "along.points"),
        (lambda: OSCILLATOR.sweep(along={"A": (0.3, 0.4, 0)}), "along"),
        (lambda: OSCILLATOR.sweep(along={"A": []}), "along"),
        (lambda: OSCILLATOR.sweep(along={"A": np.zeros((2, 2))}), "along"),
        (lambda: OSCILLATOR.sweep(along={"A": 0.3}), "along"),
        (lambda: OSCILLATOR.sweep(along={"A": (0.3, 0.4, 3)}, carry="sideways"), "carry"),
        (lambda: OSCILLATOR.sweep(along={"A": (0.3, 0.4, 3)}, threads=0), "threads"),
        (lambda: OSCILLATOR.sweep(along={"A": (0.3, 0.4, 3)}, resume=True), "resume"),
        (lambda: OSCILLATOR.sweep(along={"A": (0.3, 0.4, 3)}, folder="x", part=(5, 4)), "part"),
        (lambda: OSCILLATOR.sweep(along={"A": (0.3, 0.4, 3)}, extremes="q"), "extremes"),
        (lambda: WALLS.basin(), "grid"),
        (lambda: WALLS.basin(grid={"y": (0, 1, 3)}, random={"y": (0, 1)}), "random"),
        (lambda: WALLS.basin(grid={"y": (0, 1, 3)}, count=3), "count"),
        (lambda: WALLS.basin(random={"y": (0, 1, 2)}), "random"),
        (lambda: WALLS.basin(starts={"y": [0, 1], "w": [0]}), "starts"),
        (lambda: WALLS.basin(starts=[{"y": 0}, {"w": 0}]), "starts"),
        (lambda: WALLS.basin(starts={"y": ["a"]}), "starts"),
        (lambda: WALLS.basin(starts=3), "starts"),
    ],
)
def test_wrong_types_and_shapes(ask: Callable[[], object], name: str) -> None:
    found, message, _ = field(ask)
    assert found == name and message


def test_numbers_of_numpy_are_numbers() -> None:
    expected = BALL.simulate(until=2).to_json()
    for until in (np.float64(2), np.float32(2), np.int64(2), np.array(2.0), 2, "4/2"):
        assert BALL.simulate(until=until).to_json() == expected
    a = OSCILLATOR.sweep(along={"A": np.linspace(0.34, 0.36, 3)}, settle=5, record=np.int32(2))
    assert a.values.tolist() == np.linspace(0.34, 0.36, 3).tolist()
    assert OSCILLATOR.with_(A=np.float64(0.36)) == OSCILLATOR.with_(A=0.36)


def test_ranges() -> None:
    orbit = OSCILLATOR.orbit(settle=400, period=2)
    one = orbit.continue_("A", 0.345, 0.352, points=3)
    assert one == orbit.continue_("A", range=(0.345, 0.352), points=3) == orbit.continue_("A", (0.345, 0.352), points=3)
    for ask in (
        lambda: orbit.continue_("A"),
        lambda: orbit.continue_("A", 0.345),
        lambda: orbit.continue_("A", 0.345, 0.352, range=(0, 1)),
        lambda: orbit.continue_("A", 0.36, 0.34),
        lambda: orbit.continue_("A", 0.36, 0.37),
        lambda: orbit.continue_("A", float("nan"), 0.37),
    ):
        assert field(ask)[0] == "range"


def test_special_points_of_curves() -> None:
    branch = st.gallery("ball-on-table").orbit().continue_("K", 0.1, 1.2)
    for index in (99, -1, "x", (1, 0), (1, 2, 3), 0.5, None):
        assert field(lambda index=index: branch.curve(index, along="e", range=(0.7, 0.9)))[0] in ("at", "index")
    assert field(lambda: branch.curve(0))[0] == "along"
    assert field(lambda: branch.curve(0, along="e"))[0] == "range"
    assert field(lambda: branch.curve(0, along=("e", "K"), range=(0.7, 0.9)))[0] == "along"


def test_mistakes_of_models_have_their_place(tmp_path: Path) -> None:
    text = BALL.source.replace('"x"', '"xx"')
    with pytest.raises(st.ModelError) as caught:
        st.model(text, "ball.toml")
    error = caught.value
    assert error.file == "ball.toml" and error.text == text and error.line and error.column and error.help
    assert f"ball.toml:{error.line}:{error.column}" in str(error)
    path = tmp_path / "ball.toml"
    path.write_text(text)
    with pytest.raises(st.ModelError):
        st.read(path)
    for ask in (lambda: st.read(tmp_path / "none.toml"), lambda: st.read(tmp_path), lambda: st.model("[[[")):
        with pytest.raises(st.ModelError) as caught:
            ask()
        assert caught.value.mistakes[0]["message"]
    with pytest.raises(st.ModelError) as caught:
        st.gallery("impact-oscilator")
    assert "`impact-oscillator`" in (caught.value.help or "")


def test_names_of_systems() -> None:
    with pytest.raises(st.ModelError) as caught:
        OSCILLATOR.with_(omga=1)
    assert "`omega`" in (caught.value.help or "")
    with pytest.raises(st.ModelError):
        OSCILLATOR.start(z=1)
    for value in ([1], None, True, object()):
        with pytest.raises((st.RequestError, TypeError)):
            OSCILLATOR.with_(A=value)


def test_nothing_is_set() -> None:
    run = BALL.simulate(until=1)
    for change in (
        lambda: setattr(run, "end", 1),
        lambda: delattr(run, "end"),
        lambda: setattr(BALL, "name", "x"),
        lambda: getattr(run, "evnts"),  # noqa: B009
    ):
        with pytest.raises(AttributeError):
            change()
    with pytest.raises(AttributeError, match="did you mean `events`"):
        _ = run.evnts
    with pytest.raises(TypeError):
        st.System(None)


def test_searches_without_a_result() -> None:
    with pytest.raises(st.NotFound) as caught:
        BALL.equilibrium(mode="flight")
    assert caught.value.word == "none_found" and caught.value.lines and caught.value.answer is not None
    with pytest.raises(st.NotFound) as caught:
        OSCILLATOR.with_(A=0.35).orbit(settle=100, period=1)
    assert isinstance(caught.value.answer, st.Orbit) and not caught.value.answer.complete


def test_no_panic_crosses() -> None:
    from saltation import _saltation

    with pytest.raises(st.InternalError, match="a test of panics"):
        _saltation._panic()


def test_there_is_no_figure_of_numbers() -> None:
    with pytest.raises(st.SaltationError):
        BALL.check().figure()


def test_merging_what_is_not_there(tmp_path: Path) -> None:
    assert field(lambda: st.merge([tmp_path / "a"], tmp_path / "b"))[0] == "folders"
    assert field(lambda: st.merge([], tmp_path / "b"))[0] == "folders"


@pytest.mark.parametrize("path", ["ball.toml", Path("folder") / "ball.toml"])
def test_the_path_of_a_model_is_no_text(path: str | Path) -> None:
    name, message, help_ = field(lambda: st.model(path))
    assert name == "model" and str(path) in message and "st.read(" in help_
