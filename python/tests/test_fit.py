"""Fits to measurements and trajectories as functions: values, derivatives, and what is refused."""

from __future__ import annotations

import pathlib
from typing import Any

import numpy as np
import pytest

import saltation as st

BALL = st.gallery("bouncing-ball")


def bounces(e: float, g: float, count: int, h: float = 1.0) -> Any:
    """Impact times of a ball in closed form."""
    fall = np.sqrt(2 * h / g)
    return fall + 2 * fall * np.cumsum(np.concatenate([[0.0], e ** np.arange(1, count)]))


def test_a_fit_has_estimates_errors_and_a_system(tmp_path: pathlib.Path) -> None:
    rng = np.random.default_rng(2)
    times = bounces(0.8, 9.8, 20) + 1e-3 * rng.normal(size=20)
    fit = BALL.fit({"impact:ground": times}, {"e": (0.5, 0.9), "g": None}, sigma={"impact:ground": 1e-3})
    errors = fit.standard_errors
    assert all(abs(fit.values[name] - true) < 4 * errors[name] for name, true in (("e", 0.8), ("g", 9.8)))
    assert fit.covariance.shape == (2, 2) and np.isclose(fit.covariance[0, 0], errors["e"] ** 2)
    again = fit.fitted_system()
    assert again.parameters["g"] == fit.values["g"]
    file = tmp_path / "fitted.toml"
    file.write_text(fit.fitted or "")
    assert st.read(file).parameters["e"] == fit.values["e"]
    assert "±" in repr(fit)
    fit.plot()
    assert fit.figure().svg.startswith("<svg")
    fit.save(tmp_path / "fit.json")
    assert st.load(tmp_path / "fit.json").values == fit.values


def test_data_frames_files_and_columns_of_other_names(tmp_path: pathlib.Path) -> None:
    pandas = pytest.importorskip("pandas")
    run = st.gallery("impact-oscillator").simulate(until=10.0, every=0.1)
    frame = pandas.DataFrame({"t_s": run.samples["time"], "mm": 1000 * run.samples["x"] + 3.0})
    frame.loc[5, "mm"] = np.nan
    system = st.gallery("impact-oscillator")
    fit = system.fit(frame, ["A"], column={"t_s": "time", "mm": "1000*x + 3"})
    assert abs(fit.values["A"] - system.parameters["A"]) < 1e-9 and fit.columns[0].count == len(frame) - 1
    file = tmp_path / "data.csv"
    frame.to_csv(file, index=False)
    assert system.fit(file, ["A"], column={"t_s": "time", "mm": "1000*x + 3"}).values == fit.values


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"data": {"impact:ground": ["a"]}}, "data"),
        ({"data": 3}, "data"),
        ({"data": "missing.csv"}, "data"),
        ({"free": {"e": 3}}, "free"),
        ({"free": ["nothing"]}, "free"),
        ({"free": {"e": (0.9, 0.5)}}, "free"),
        ({"sigma": {"impact:ground": -1}}, "sigma"),
        ({"sigma": {"x": 1}}, "sigma"),
        ({"column": {"impact:ground": "impact:wall"}}, "column"),
        ({"clock": "tick"}, "clock"),
        ({"starts": 0}, "starts"),
    ],
)
def test_wrong_fields_are_named(change: dict[str, Any], field: str) -> None:
    fields: dict[str, Any] = {"data": {"impact:ground": [0.4, 1.1]}, "free": ["e"], **change}
    with pytest.raises(st.RequestError) as caught:
        BALL.fit(**fields)
    assert field in str(caught.value)


def test_a_function_is_what_its_closed_form_says() -> None:
    f = BALL.function(["e", "g"], ["impact:ground[0]", "impact:ground[3]", "speed:ground[1]", "x @ 0.2", "x + v @ 0.2"])
    values, slopes = f.with_jacobian([0.8, 9.8])
    fall = np.sqrt(2 / 9.8)
    assert np.allclose(values, [fall, bounces(0.8, 9.8, 4)[3], 0.8 * np.sqrt(2 * 9.8), 1 - 4.9 * 0.04, 1 - 4.9 * 0.04 - 9.8 * 0.2], rtol=1e-12)
    assert np.isclose(slopes[1, 0], 2 * fall * (1 + 2 * 0.8 + 3 * 0.64)) and np.isclose(slopes[3, 1], -0.02)
    many = f(np.array([[0.7, 9.8], [0.8, 9.8]]))
    assert many.shape == (2, 5) and np.array_equal(many[1], values)
    assert np.isnan(BALL.function("e", "impact:ground[0]", until=0.1)([0.8])[0])
    optimize = pytest.importorskip("scipy.optimize")
    target = bounces(0.7, 9.8, 4)[3]
    g = BALL.function("e", "impact:ground[3]")
    found = optimize.least_squares(lambda p: g(p) - target, [0.8], jac=g.jacobian)
    assert abs(found.x[0] - 0.7) < 1e-9


@pytest.mark.parametrize(("inputs", "outputs", "field"), [("q", "x @ 1", "q"), ("e", "x", "x"), ("e", "impact:wall[0]", "wall"), ("e", "x @ now", "now"), ("e", [], "outputs")])
def test_what_is_no_function_is_told(inputs: str, outputs: Any, field: str) -> None:
    with pytest.raises(st.RequestError) as caught:
        BALL.function(inputs, outputs)
    assert field in str(caught.value)
    with pytest.raises(st.RequestError):
        BALL.function("e", "x @ 1")([0.8, 1.0])
    with pytest.raises((st.RequestError, st.ModelError)):
        BALL.function("e", "x @ 1")([2.0])


def test_jax_differentiates_in_both_modes() -> None:
    jax = pytest.importorskip("jax")
    jax.config.update("jax_enable_x64", True)
    check_grads: Any = pytest.importorskip("jax.test_util").check_grads

    f = BALL.function(["e", "g"], ["impact:ground[2]", "x @ 0.7"]).jax()
    point = jax.numpy.array([0.8, 9.8])
    check_grads(f, (point,), order=1, modes=("fwd", "rev"), eps=1e-5)
    assert jax.vmap(f)(jax.numpy.stack([point, point])).shape == (2, 2)
    assert jax.jit(jax.jacrev(f))(point).shape == (2, 2)


def test_torch_differentiates_in_both_modes() -> None:
    torch = pytest.importorskip("torch")
    f = BALL.function(["e", "g"], ["impact:ground[2]", "x @ 0.7"]).torch()
    point = torch.tensor([0.8, 9.8], dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(f, (point,), check_forward_ad=True)
    many = torch.stack([point, point]).detach().requires_grad_()
    assert torch.autograd.gradcheck(f, (many,))
