"""Models from Python expressions: the same formulas, term by term, and the same digits as the model file."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

import saltation as st


def test_a_model_of_expressions_has_the_digits_of_its_file(tmp_path: Path) -> None:
    x, y, phi, omega, zeta, a, r = st.symbols("x y phi omega zeta a r")
    tables = {
        "name": "oscillator",
        "parameters": {"zeta": 0.02, "a": 0.35, "omega": 0.81, "r": 0.9},
        "phase": {"phi": {"rate": omega, "period": 2 * st.pi}},
        "flow": {"x": y, "y": -x - 2 * zeta * y + a * st.cos(phi) - 1},
        "contacts": {"wall": {"gap": -x, "jump": {"y": -r * y}}},
        "start": {"x": -0.1, "y": 0, "phi": 0},
    }
    system = st.model(tables)
    system.save(tmp_path / "oscillator.toml")
    again = st.read(tmp_path / "oscillator.toml")
    assert again == system and again.source.rstrip() == system.source.rstrip()
    assert again.simulate(until=40).to_json() == system.simulate(until=40).to_json()
    written = st.model(system.source.replace("-x - 2*zeta*y + a*cos(phi) - 1", "-x-2*zeta*y+a*cos(phi)-1"))
    assert written.source != system.source
    assert written.simulate(until=40).to_dict()["end"] == system.simulate(until=40).to_dict()["end"]


CASES = [
    ("x + y*2", lambda x, y: x + y * 2),
    ("(x + y)*2", lambda x, y: (x + y) * 2),
    ("x - (y - 1)", lambda x, y: x - (y - 1)),
    ("x/(y/3)", lambda x, y: x / (y / 3)),
    ("-x^2", lambda x, y: -(x**2)),
    ("(-x)^2", lambda x, y: (-x) ** 2),
    ("x^(y + 1)", lambda x, y: x ** (y + 1)),
    ("2^x", lambda x, y: 2**x),
    ("abs(x - y)", lambda x, y: abs(x - y)),
    ("min(x, y, 0.25)", lambda x, y: st.min(x, y, 0.25)),
    ("if(x < y, x, -y)", lambda x, y: st.if_(x < y, x, -y)),
    ("if((x < y) and (not (y > 1)), 1, 2)", lambda x, y: st.if_((x < y) & ~(y > 1), 1, 2)),
    ("sqrt(x^2 + y^2)*sin(pi*x)", lambda x, y: st.sqrt(x**2 + y**2) * st.sin(st.pi * x)),
    ("1e-300 + x", lambda x, y: 1e-300 + x),
    ("0.1*x", lambda x, y: 0.1 * x),
]


@pytest.mark.parametrize(("text", "make"), CASES)
def test_operators_write_what_they_mean(text: str, make: object) -> None:
    x, y = st.symbols("x y")
    formula = make(x, y)  # type: ignore[operator]
    model = 'format = 1\nname = "m"\nparameters = {{ x = 0.7, y = 1.3 }}\n[flow]\nq = "{}"\n[start]\nq = 0\n'
    written, read = st.model(model.format(formula.formula)), st.model(model.format(text))
    assert written.evaluate(formula) == read.evaluate(text)
    try:
        known = make(0.7, 1.3)  # type: ignore[operator]
    except TypeError:
        return
    if not isinstance(known, st.Expression):
        assert math.isclose(written.evaluate(formula), known, rel_tol=1e-15)


def test_mistakes() -> None:
    x, y = st.symbols("x y")
    with pytest.raises(TypeError, match="if_"):
        bool(x < y)
    for value in (float("nan"), float("inf")):
        with pytest.raises((st.RequestError, ValueError)):
            _ = x + value
    with pytest.raises(st.RequestError) as caught:
        st.model({"name": "m", "flow": {"x": object()}})
    assert caught.value.field == "flow.x" and caught.value.help
    for names in ("2x", "sin", "x-y"):
        with pytest.raises(st.RequestError):
            st.symbols(names)
