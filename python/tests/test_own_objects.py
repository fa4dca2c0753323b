"""Orbits, points of branches, special points and ends of motions where a guess, a start, an overlay or a position is wanted; copies that say so."""

# Wrong types are what is tested.
# mypy: disable-error-code="arg-type"

from __future__ import annotations

import builtins
import copy
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt  # noqa: E402
import numpy as np  # noqa: E402
import pytest  # noqa: E402

import saltation as st  # noqa: E402

OSCILLATOR = st.gallery("impact-oscillator")
BALL = st.gallery("bouncing-ball")
ORBIT = OSCILLATOR.orbit(settle=400, period=2)
BRANCH = ORBIT.continue_("A", 0.34, 0.36, switch=True)


def at(point: Any) -> st.System:
    return OSCILLATOR.with_(**point.parameters)


def passes(orbit: st.Orbit, state: Any) -> bool:
    """Whether an orbit passes a state at one of its returns."""
    return any(close(state, point, 1e-6) for point in [orbit.state, *orbit.points])


def close(a: Any, b: Any, by: float = 1e-7) -> bool:
    return all(abs(a[name] - b[name]) < by for name in a)


def test_points_of_branches_are_guesses() -> None:
    for point in BRANCH.points[::9]:
        if point.admissible:
            found = at(point).orbit(guess=point)
            assert found.returns == 2 and passes(found, point.state) and abs(found.period - point.period) < 1e-9
    # On the branch of doubled period four returns are a period.
    doubled = next(branch for branch in BRANCH.branches if branch.parent == {"branch": 0, "special": 1})
    point = next(point for point in doubled.points[1:] if point.admissible)
    found = at(point).orbit(guess=point)
    assert found.returns == 4 and abs(found.period - point.period) < 1e-9 and passes(found, point.state)
    assert OSCILLATOR.orbit(guess=ORBIT).to_dict()["returns"] == 2


def test_special_points_are_guesses() -> None:
    doubling = next(one for one in BRANCH.special if one.kind == "period_doubling")
    found = at(doubling).orbit(guess=doubling)
    assert found.returns == 2 and passes(found, doubling.state)
    assert np.min(np.abs(found.multipliers + 1)) < 1e-5


def test_the_end_of_a_motion_is_a_guess_and_a_start() -> None:
    run = OSCILLATOR.simulate(returns=400)
    assert passes(OSCILLATOR.orbit(guess=run, period=2), ORBIT.state)
    for place in (run, run.end, run.end.state, {"x": run.end.state.x, "y": run.end.state.y, "phi": run.end.state.phi}):
        assert OSCILLATOR.with_start(place).start_state == run.end.state
    whole = BALL.simulate(2.0)
    half = BALL.simulate(1.0)
    rest = BALL.with_start(half).simulate(1.0)
    assert close(rest.end.state, whole.end.state, 1e-9)


def test_orbits_and_points_are_starts() -> None:
    again = OSCILLATOR.with_start(ORBIT).simulate(ORBIT.period)
    assert close(again.end.state, {**ORBIT.state, "phi": again.end.state.phi}, 1e-9)
    point = next(point for point in BRANCH.points if point.admissible)
    assert OSCILLATOR.with_start(point).start_state == point.state
    rest = BALL.equilibrium(mode="stick:ground").equilibria[0]
    assert BALL.with_start(rest).start_state == rest.state
    found = OSCILLATOR.basin(starts=[ORBIT, point, {"x": -0.1, "y": 0.0, "phi": 0.0}], settle=100, record=10)
    assert found.starts[0].start.x == ORBIT.state.x and len(found.starts) == 3


@pytest.mark.parametrize(
    ("ask", "field", "words"),
    [
        (lambda: OSCILLATOR.with_start(BRANCH), "place", "points[0]"),
        (lambda: OSCILLATOR.orbit(guess=BRANCH), "guess", "points[0]"),
        (lambda: BALL.with_start(BALL.equilibrium(mode="stick:ground")), "place", "equilibria[0]"),
        (lambda: OSCILLATOR.with_start(3), "place", "special[0]"),
        (lambda: OSCILLATOR.orbit(guess=3), "guess", "special[0]"),
        (lambda: OSCILLATOR.with_start({"period": None}), "place", "give an orbit"),
        (lambda: BRANCH.curve("hopf"), "index", "graze"),
        (lambda: BRANCH.curve("graze"), "index", "special[0] <graze at A = 0.3454"),
        (lambda: BRANCH.curve(99, along="omega"), "index", "from 0"),
        (lambda: BRANCH.curve(object(), along="omega"), "index", "special"),
        (lambda: BRANCH.curve(st.gallery("ball-on-table").orbit().continue_("K", 0.1, 1.2).special[0]), "index", "graze"),
        (lambda: BRANCH.plot(overlays=[3]), "overlays", "branches"),
        (lambda: BRANCH.figure(overlays=[BRANCH]), "overlays", "plot(overlays=...)"),
        (lambda: OSCILLATOR.sweep({"omega": (0.8, 0.82, 2)}, settle=2, record=2).plot(overlays=[BRANCH]), "overlays", "along"),
    ],
)
def test_what_does_not_fit(ask: Callable[[], object], field: str, words: str) -> None:
    with pytest.raises(st.RequestError) as caught:
        ask()
    assert caught.value.field == field and words in caught.value.help, (caught.value.field, str(caught.value))


def test_a_state_of_another_model() -> None:
    with pytest.raises(st.ModelError, match="no state"):
        BALL.with_start(ORBIT)


def test_special_points_of_all_branches() -> None:
    plain = BRANCH.to_dict()
    own, further = len(plain["special"]), sum(len(branch["special"]) for branch in plain["branches"])
    assert len(BRANCH.special) == own + further > own > 0
    assert repr(BRANCH.special[0]) == "<graze at A = 0.3454228858>" and " on branch 2>" in repr(BRANCH.special[own])
    for special in BRANCH.special:
        branch, index = special.position
        one = [plain, *plain["branches"]][branch]["special"][index]
        assert special.kind == one["kind"] and special.parameters.A == one["parameters"]["A"]
    assert all(" at A = " in repr(one) and len(repr(one)) < 80 for one in BRANCH.special)
    for again in (pickle.loads(pickle.dumps(BRANCH.special)), copy.deepcopy(BRANCH.special)):
        assert [repr(one) for one in again] == [repr(one) for one in BRANCH.special]
        assert [one.position for one in again] == [one.position for one in BRANCH.special]


def test_curves_by_name_by_point_and_by_position() -> None:
    branch = st.gallery("ball-on-table").orbit().continue_("K", 0.1, 1.2)
    fields: dict[str, Any] = {"along": "e", "range": (0.7, 0.9)}
    wanted = branch.curve(0, **fields).to_dict()
    for index in ("fold", branch.special[0], pickle.loads(pickle.dumps(branch.special[0])), (0, 0), "0"):
        assert branch.curve(index, **fields).to_dict() == wanted
    assert branch.curve("period doubling", **fields).kind == "period_doubling"
    # Of a branch that bifurcates, by the point itself or its position in the list.
    k = next(k for k, one in enumerate(BRANCH.special) if one.position[0] > 0 and one.kind == "period_doubling")
    curve = BRANCH.curve(BRANCH.special[k], along="omega", range=(0.805, 0.815))
    assert curve.kind == "period_doubling" and curve.to_dict() == BRANCH.curve(k, along="omega", range=(0.805, 0.815)).to_dict()
    assert any(close(point.parameters, BRANCH.special[k].parameters, 1e-9) for point in curve.points)


def test_overlays_of_answers() -> None:
    sweep = OSCILLATOR.sweep({"A": (0.345, 0.355, 9)}, settle=50, record=9)
    assert BRANCH.figure(overlays=sweep).svg == sweep.figure(overlays=[BRANCH]).svg
    plt.close("all")
    alone = len(sweep.plot(ordinate="y").get_lines())
    ax = sweep.plot(ordinate="y", overlays=[BRANCH])
    assert len(ax.get_lines()) > alone and ax.get_ylabel() == "y"
    for name in ("x", "y"):
        lines = len(BRANCH.plot(ordinate=name).get_lines())
        over = BRANCH.plot(ordinate=name, overlays=sweep).get_lines()[lines:]
        wanted = [record.state[name] for record in sweep.records]
        assert any(sorted(np.asarray(line.get_ydata(), dtype=float)) == sorted(wanted) for line in over)
    for below, above, name in ((sweep, BRANCH, "duration"), (BRANCH, sweep, "period")):
        with pytest.raises(st.RequestError, match=f"shows {name}"):
            below.plot(ordinate=name, overlays=[above])
    assert len(BRANCH.plot(ordinate="period", overlays=[BRANCH]).get_lines()) > 0


def test_a_curve_lies_over_a_map_of_either_order() -> None:
    branch = st.gallery("ball-on-table").orbit().continue_("K", 0.1, 1.2)
    curve = branch.curve(0, along="e", range=(0.7, 0.9))
    ball = st.gallery("ball-on-table")
    for names in (("K", "e"), ("e", "K")):
        ranges = {"K": (0.1, 0.4, 2), "e": (0.7, 0.9, 2)}
        ax = ball.sweep({name: ranges[name] for name in names}, settle=2, record=2).plot(overlays=[curve])
        x = [point.parameters[names[0]] for point in curve.points]
        drawn = np.concatenate([np.asarray(line.get_xdata(), dtype=float) for line in ax.get_lines()])
        assert set(x) <= set(drawn.tolist()) and ax.get_xlabel().startswith(names[0])


def test_the_obvious_argument_needs_no_name() -> None:
    assert BALL.simulate(1.5) == BALL.simulate(until=1.5)
    assert OSCILLATOR.orbit("phi", settle=400, period=2) == OSCILLATOR.orbit(section="phi", settle=400, period=2)
    assert BALL.equilibrium("stick:ground") == BALL.equilibrium(mode="stick:ground")
    assert OSCILLATOR.lyapunov("phi", settle=5, returns=9) == OSCILLATOR.lyapunov(section="phi", settle=5, returns=9)
    assert st.gallery("chain").modes((0, 8)) == st.gallery("chain").modes(periods=(0, 8))
    axes = {"A": (0.34, 0.36, 3)}
    assert OSCILLATOR.sweep(axes, settle=2, record=2) == OSCILLATOR.sweep(along=axes, settle=2, record=2)
    grid = {"y": (0, 0.5, 2)}
    walls = st.gallery("two-wall-oscillator")
    assert walls.basin(grid, settle=2, record=2) == walls.basin(grid=grid, settle=2, record=2)
    rod = st.gallery("painleve-rod").with_(slip=1)
    map_ = [("angle", 0.1, 1.5, 3), ("spin", 0, 6, 2)]
    assert rod.contact(map_) == rod.contact(map=map_)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda: OSCILLATOR.parameters.__setitem__("A", 0.3), r"`A` cannot be changed.*with_\(NAME=\.\.\.\)"),
        (lambda: OSCILLATOR.parameters.update({"A": 0.3}), r"`A` cannot be changed.*with_"),
        (lambda: OSCILLATOR.parameters.pop("A"), r"with_"),
        (lambda: OSCILLATOR.start_state.__setitem__("x", 0.3), r"start\(NAME=\.\.\.\)"),
        (lambda: ORBIT.request.__setitem__("tol", 1), "ask the question again"),
        (lambda: ORBIT.state.__setitem__("x", 1), "immutable"),
        (lambda: ORBIT.state.__delitem__("x"), "immutable"),
        (lambda: ORBIT.tables.clear(), "immutable"),
        (lambda: ORBIT.tables["path"].setdefault("z", 1), "immutable"),
        (lambda: BRANCH.special[0].__setitem__("kind", "fold"), "immutable"),
    ],
)
def test_copies_say_how_to_change_what_they_are_copies_of(change: Callable[[], object], words: str) -> None:
    with pytest.raises(TypeError, match=words):
        change()
    assert OSCILLATOR.parameters["A"] == 0.35 and ORBIT.request["tol"] == 1e-12


def test_attributes_of_records_are_not_set() -> None:
    with pytest.raises(AttributeError, match="`x` cannot be set"):
        ORBIT.state.x = 3.0
    free = dict(OSCILLATOR.parameters)
    free["A"] = 0.3
    assert type(free) is dict and pickle.loads(pickle.dumps(ORBIT.state)) == ORBIT.state == copy.deepcopy(ORBIT.state)
    assert isinstance(pickle.loads(pickle.dumps(ORBIT.state)), st.Record)


def test_a_star_hides_no_builtin() -> None:
    names: dict[str, Any] = {}
    exec("from saltation import *", names)
    hidden = {name for name in names if hasattr(builtins, name) and names[name] is not getattr(builtins, name)} - {"__builtins__"}
    hidden -= {name for name in hidden if name.startswith("__")}
    assert not hidden and "load" in names and "gallery" in names
    # They are reached by the name of the package, and all of its expressions by that of their module.
    assert st.abs is st.expressions.abs and st.max is st.expressions.max and st.min is st.expressions.min


def test_types_are_known_to_type_checkers(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        "import saltation as st\n"
        "orbit = st.gallery('ball-on-table').orbit()\n"
        "reveal_type(orbit.multipliers)\nreveal_type(orbit.period)\nreveal_type(orbit.signature)\n"
        "branch = orbit.continue_('K', 0.1, 1.2)\nreveal_type(branch.special)\nreveal_type(branch.points)\n"
        "sweep = st.gallery('impact-oscillator').sweep({'A': (0.34, 0.36, 3)})\nreveal_type(sweep.values)\nreveal_type(sweep.tasks)\n"
    )
    root = Path(__file__).parents[2]
    found = subprocess.run([sys.executable, "-m", "mypy", "--strict", str(program)], capture_output=True, text=True, cwd=root)
    kinds = [line.split('"')[1] for line in found.stdout.splitlines() if "Revealed type" in line]
    assert found.returncode == 0 and len(kinds) == 7, found.stdout + found.stderr
    words = ["complex", "float", "list[", "Special", "BranchPoint", "float64", "Record"]
    assert all(word in kind and kind != "Any" for word, kind in zip(words, kinds, strict=True)), kinds


def test_arrays_are_what_their_types_say() -> None:
    assert ORBIT.multipliers.dtype == complex and ORBIT.multipliers.shape == (2,)
    tank = BALL.equilibrium(mode="stick:ground")
    assert isinstance(tank.equilibria, list)
    empty = OSCILLATOR.sweep({"A": (0.34, 0.36, 2)}, settle=2, record=2)
    assert isinstance(empty.second_values, np.ndarray) and empty.second_values.shape == (0,)
    from saltation.record import BranchPoint, Special

    types = {"list": list, "str": str, "float": float, "int": int, "bool": bool, "Record": st.Record, "NDArray": np.ndarray, "None": type(None)}
    for answer in (ORBIT, BRANCH, empty, tank, BALL.simulate(1.0), BALL.check(), OSCILLATOR.lyapunov(settle=2, returns=3)):
        for name, written in type(answer)._entries.items():
            value = getattr(answer, name)
            if written:
                allowed = tuple(types[one.split("[")[0].strip()] for one in written.split(" | "))
                assert isinstance(value, allowed), (type(answer), name, written, type(value))
    assert all(type(point) is BranchPoint for point in BRANCH.points) and all(type(one) is Special for one in BRANCH.special)
