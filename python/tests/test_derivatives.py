"""Derivatives as answers: shapes, closed forms, and a fit by Gauss and Newton from impact times with noise."""

import numpy as np
import pytest
import saltation as st

BALL = st.gallery("bouncing-ball")


def test_the_jacobian_of_samples_is_that_of_differences() -> None:
    run = BALL.simulate(3.0, every=0.5, derivatives=["e", "h", "start.v"])
    jacobian = run.jacobian()
    assert jacobian.shape == (7, 2, 3)
    step = 1e-6
    for k, name in enumerate(["e", "h"]):
        up, down = (BALL.with_(**{name: run.parameters[name] + by}).simulate(3.0, every=0.5) for by in (step, -step))
        for i, state in enumerate(["x", "v"]):
            slope = (up.samples[state] - down.samples[state]) / (2 * step)
            assert np.allclose(jacobian[:, i, k], slope, rtol=1e-6, atol=1e-7)


def test_samples_without_derivatives_have_no_jacobian() -> None:
    for request in ({"every": 0.5}, {"derivatives": ["e"]}, {}):
        with pytest.raises(ValueError, match="no derivatives: ask with every= and derivatives="):
            BALL.simulate(1.0, **request).jacobian()


def test_mistakes_in_names_are_refused() -> None:
    with pytest.raises(ValueError, match="no parameter or state `ee`"):
        BALL.simulate(1.0, derivatives=["ee"])


def impacts(e: float, g: float) -> tuple[np.ndarray, np.ndarray]:
    """The first twenty impact times of a ball, and their derivatives by e and g."""
    run = BALL.with_(e=e, g=g).simulate(10.0, derivatives=["e", "g"])
    first = [event for event in run.events if event.kind == "impact"][:20]
    times = np.array([event.time for event in first])
    slopes = np.array([[event.derivatives.time[name] for name in ("e", "g")] for event in first])
    return times, slopes


def fit(measured: np.ndarray, sigma: float) -> tuple[np.ndarray, np.ndarray]:
    """Least squares by Gauss and Newton: e and g with their standard errors."""
    found = np.array([0.75, 9.0])
    for _ in range(8):
        times, slopes = impacts(*found)
        found = found + np.linalg.lstsq(slopes, measured - times, rcond=None)[0]
    covariance = sigma**2 * np.linalg.inv(slopes.T @ slopes)
    return found, np.sqrt(np.diag(covariance))


def test_restitution_and_gravity_from_noisy_impact_times() -> None:
    sigma, random = 1e-3, np.random.default_rng(1)
    exact, _ = impacts(0.8, 9.8)
    assert len(exact) == 20
    found, _ = fit(exact, sigma)
    assert np.allclose(found, [0.8, 9.8], rtol=1e-10)
    draws = [fit(exact + sigma * random.standard_normal(20), sigma) for _ in range(100)]
    estimates, errors = (np.array(list(part)) for part in zip(*draws))
    within = np.abs(estimates - [0.8, 9.8]) <= 3 * errors
    assert within.all(axis=1).sum() >= 95
    # The spread of a hundred draws is known to 7 percent.
    assert np.all(np.abs(errors.mean(axis=0) / estimates.std(axis=0) - 1) < 0.25)
