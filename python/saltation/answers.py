"""The answers of all questions: what each has, and what can be asked from it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _saltation
from .answer import Answer, ask
from .errors import refusal
from .fields import asked_by
from .record import BranchPoint, Record, Special
from .special import Parts, position

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from typing_extensions import Unpack

    from .keywords import BranchFields, CurveFields, RestFields
    from .system import System

__all__ = [
    "Answer",
    "Basin",
    "Branch",
    "Check",
    "Contact",
    "Curve",
    "Equilibria",
    "EquilibriumBranch",
    "Fit",
    "Lyapunov",
    "Modes",
    "Orbit",
    "Simulation",
    "Stepping",
    "Sweep",
]


class Check(Answer, asked="check"):
    """What a model contains: states, parameters, contacts, derived formulas, warnings.

    >>> import saltation as st
    >>> st.gallery("bouncing-ball").check().contacts
    ['ground']
    """

    __slots__ = ()

    name: str
    body: str
    states: list[str]
    parameters: Record
    contacts: list[str]
    linear: bool
    warnings: list[str]
    start: Record
    sections: list[str]

    def _summary(self) -> str:
        plain = self._plain()
        return f"{len(plain['states'])} states, {len(plain['contacts'])} contacts"


class Simulation(Answer, asked="simulate"):
    """A trajectory: ``end``, ``events``, ``counts``, and ``samples`` if they were asked for.

    >>> import saltation as st
    >>> run = st.gallery("bouncing-ball").simulate(until=2.0)
    >>> run.events[0].kind
    'impact'
    """

    __slots__ = ()
    _main = "samples"

    end: Record
    counts: Record
    ended: str
    events: list[Record]
    message: str
    model: str
    parameters: Record

    def jacobian(self) -> NDArray[np.float64]:
        """The derivatives of the samples, an array of shape (samples, states, parameters), in the order of the states of the model and of ``derivatives``.

        >>> import saltation as st
        >>> run = st.gallery("bouncing-ball").simulate(1.0, every=0.5, derivatives=["e", "h"])
        >>> run.jacobian().shape
        (3, 2, 2)

        ValueError if the samples have no derivatives.
        """
        names = self.request.get("derivatives") or []
        if not names or self.request.get("every") is None:
            raise ValueError("the samples have no derivatives: ask with every= and derivatives=, e.g. simulate(every=0.1, derivatives=['e'])")
        samples, states = self.samples, list(self.end.state)
        columns = [[samples[f"d {state} / d {name}"] for name in names] for state in states]
        return np.moveaxis(np.asarray(columns, dtype=float), 2, 0)

    def _keeps_path(self) -> bool:
        request = self.request
        return bool(request.get("path") or request.get("passages"))

    def _is_drawn_at_once(self) -> bool:
        return super()._is_drawn_at_once() and self._keeps_path()

    def _answer_for_figure(self) -> Answer:
        kept = self._keeps_path()
        if kept and isinstance(self._source, _saltation.Answer):
            return self
        # The path is kept only where it is drawn.
        return self._kept("drawn", lambda: self._again() if kept else self._again(path=True))  # type: ignore[no-any-return]


class Stepping(Simulation, asked="stepping"):
    """A trajectory by time stepping.

    >>> import saltation as st
    >>> st.gallery("bouncing-ball").simulate(until=1.0, method="moreau", step=1e-3).solver.steps
    1000
    """

    __slots__ = ()

    method: str
    step: float
    theta: float
    solver: Record
    contacts: list[Record]


class Orbit(Answer, asked="orbit"):
    """A periodic orbit: ``period``, ``state``, ``signature``, ``multipliers``, ``stable``, ``events``.

    >>> import saltation as st
    >>> orbit = st.gallery("two-wall-oscillator").with_(nu=1.2).orbit(settle=300)
    >>> orbit.signature, orbit.stable
    (['impact:upper', 'impact:lower'], True)
    """

    __slots__ = ()
    _main = "path"

    period: float
    state: Record
    parameters: Record
    signature: list[str]
    events: list[Record]
    multipliers: NDArray[np.complex128]
    stable: bool
    admissible: bool
    residual: float
    returns: int
    neutral: bool
    mode: str
    turns: Record
    half_multipliers: NDArray[np.complex128] | None
    points: list[Record]
    section: str
    ended: str
    message: str
    newton: list[Record]
    model: str
    fingerprint: str

    @asked_by("continue")
    def continue_(self, along: str, low: Any = None, high: Any = None, **fields: Unpack[BranchFields]) -> Branch:
        """The branch of this orbit along a parameter, through grazes, with its bifurcations.

        :param along: the name of the parameter.
        :param low: the least value of the parameter, in its unit; or give ``range=(low, high)``.
        :param high: its largest value.
        :raises RequestError: for mistakes in these fields.
        :raises NotFound: if there is no branch.

        >>> import saltation as st
        >>> orbit = st.gallery("impact-oscillator").orbit(settle=400, period=2)
        >>> branch = orbit.continue_("A", 0.34, 0.36)
        >>> branch.special[0].kind, round(branch.special[0].parameters.A, 9)
        ('graze', 0.345422886)
        """
        return ask("continue", self._system, _ranged(along, low, high, dict(fields)), begins=self)  # type: ignore[return-value]


def _ranged(along: str, low: Any, high: Any, fields: dict[str, Any]) -> dict[str, Any]:
    """The fields of a branch: the range by two values or by itself."""
    if low is not None or high is not None:
        if isinstance(low, (tuple, list)) and high is None:
            low, high = low if len(low) == 2 else (low, high)
        if "range" in fields:
            raise refusal("range", "the range is given twice", "give low and high, or range=(low, high)")
        if low is None or high is None:
            raise refusal("range", "one end of the range is missing", "give low and high, or range=(low, high)")
        fields["range"] = (low, high)
    return {"along": along, **fields}


class Branching(Answer, has=("points", "special", "branches")):
    """A branch and those that bifurcate from it."""

    __slots__ = ()
    _main = "branch"

    ended: str
    message: str
    ends: list[Record]
    along: str
    range: NDArray[np.float64]
    model: str
    fingerprint: str
    parameters: Record

    def _parts(self) -> Parts:
        return self._kept("parts", lambda: Parts(self._plain()))  # type: ignore[no-any-return]

    @property
    def points(self) -> list[BranchPoint]:
        """The points in the order of the branch, special ones among them.

        >>> import saltation as st
        >>> branch = st.gallery("ball-on-table").orbit().continue_("K", 0.1, 1.2)
        >>> any(point.stable for point in branch.points), all(point.stable for point in branch.points)
        (True, False)
        """
        return self._parts().points

    @property
    def branches(self) -> list[Record]:
        """The branches that bifurcate, each with ``points``, ``special`` and its ``parent``.

        >>> import saltation as st
        >>> branch = st.gallery("ball-on-table").orbit().continue_("K", 0.1, 1.2, switch=True)
        >>> [one.parent.special for one in branch.branches]
        [1, 0]
        """
        return self._parts().branches

    @property
    def special(self) -> list[Special]:
        """The special points of the branch and then of all ``branches``: bifurcations and ends. Each has a ``position``, its branch and its index there.

        >>> import saltation as st
        >>> branch = st.gallery("ball-on-table").orbit().continue_("K", 0.1, 1.2)
        >>> branch.special[0]
        <fold at K = 0.1653469818>
        """
        return self._parts().special


class Branch(Branching, asked="continue"):
    """A branch of orbits: ``points``, ``special`` (bifurcations), ``branches`` (those that bifurcate).

    >>> import saltation as st
    >>> orbit = st.gallery("ball-on-table").orbit()
    >>> branch = orbit.continue_("K", 0.1, 1.2)
    >>> [special.kind for special in branch.special][:2]
    ['fold', 'period_doubling']
    """

    __slots__ = ()

    method: str
    section: str

    @asked_by("curve", at="index")
    def curve(self, index: int | tuple[int, int] | str | Special = 0, **fields: Unpack[CurveFields]) -> Curve:
        """The curve of a bifurcation in the plane of two parameters.

        :param index: the bifurcation: an entry of ``special`` or its position there; ``(branch, index)`` for one of ``branches``, from 1; or its kind
            where there is one of this kind, such as ``"fold"``.
        :raises RequestError: for mistakes in these fields, or if there is no such bifurcation.
        :raises NotFound: if there is no curve.

        >>> import saltation as st
        >>> branch = st.gallery("ball-on-table").orbit().continue_("K", 0.1, 1.2)
        >>> curve = branch.curve(0, along="e", range=(0.7, 0.9))
        >>> curve.kind
        'fold'
        """
        given: dict[str, Any] = {"at": position(self.special, index), **fields}
        along = given.get("along")
        if isinstance(along, str):
            given["along"] = tuple(along.split(",")) if "," in along else (self._plain()["along"], along)
        return ask("curve", self._system, given, begins=self)  # type: ignore[return-value]


class EquilibriumBranch(Branching, asked="continue_equilibrium"):
    """A branch of equilibria: ``points``, ``special``, and ``branches`` of limit cycles and equilibria.

    >>> import saltation as st
    >>> rest = st.gallery("relief-valve").equilibrium(mode="flight")
    >>> branch = rest.continue_("q", 5.0, 9.0, step=0.2)
    >>> branch.special[0].kind
    'hopf'
    """

    __slots__ = ()

    kind: str


class Curve(Answer, asked="curve"):
    """A curve of bifurcations in the plane of two parameters: ``points``, ``special``.

    >>> import saltation as st
    >>> branch = st.gallery("ball-on-table").orbit().continue_("K", 0.1, 1.2)
    >>> curve = branch.curve(0, along="e", range=(0.7, 0.9))
    >>> curve.along, curve.kind
    (['K', 'e'], 'fold')
    """

    __slots__ = ()
    _main = "curve"

    kind: str
    points: list[Record]
    special: list[Record]
    ended: str
    message: str
    along: list[str]
    range: NDArray[np.float64]
    model: str
    fingerprint: str
    parameters: Record


class Equilibria(Answer, asked="equilibrium"):
    """Equilibria in flight and in contact: ``equilibria``, each with ``state``, ``mode``, ``eigenvalues``, ``stable``.

    >>> import saltation as st
    >>> st.gallery("bouncing-ball").equilibrium(mode="stick:ground").equilibria[0].contact_force.ground
    9.8
    """

    __slots__ = ()

    equilibria: list[Record]
    ended: str
    message: str
    model: str
    fingerprint: str
    parameters: Record

    @asked_by("continue_equilibrium")
    def continue_(
        self, along: str, low: Any = None, high: Any = None, **fields: Unpack[RestFields]
    ) -> EquilibriumBranch:
        """The branch of an equilibrium along a parameter, with its bifurcations.

        :param along: the name of the parameter.
        :param low: the least value of the parameter, in its unit; or give ``range=(low, high)``.
        :param high: its largest value.
        :raises RequestError: for mistakes in these fields.
        :raises NotFound: if there is no branch.

        >>> import saltation as st
        >>> rest = st.gallery("relief-valve").equilibrium(mode="flight")
        >>> branch = rest.continue_("q", 5.0, 9.0, step=0.2)
        >>> round(branch.special[0].parameters.q, 9)
        8.491117635
        """
        return ask("continue_equilibrium", self._system, _ranged(along, low, high, dict(fields)), begins=self)  # type: ignore[return-value]

    def _summary(self) -> str:
        return f"{len(self._plain()['equilibria'])} equilibria"


class Lyapunov(Answer, asked="lyapunov", has=("exponents", "sum")):
    """Lyapunov exponents per unit of time: ``exponents``, ``standard_errors``, both of length n for n states but the phase.

    Directions that vanish in persistent contact have the exponent minus infinity, which JSON has no number for: there it is ``null``.

    >>> import saltation as st
    >>> st.gallery("impact-oscillator").lyapunov(settle=50, returns=100).standard_errors.shape
    (2,)
    """

    __slots__ = ()
    _main = "exponents"

    standard_errors: NDArray[np.float64]
    time: float
    returns: int
    impacts: int
    section: str
    settled: int
    state: Record | None
    ended: str
    message: str
    model: str
    parameters: Record

    @property
    def exponents(self) -> NDArray[np.float64]:
        """The exponents per unit of time, the largest first: an array of length n.

        >>> import saltation as st
        >>> st.gallery("impact-oscillator").lyapunov(settle=50, returns=100).exponents.shape
        (2,)
        """
        return self._kept("exponents", lambda: np.array([_down(x) for x in self._plain()["exponents"]], dtype=float))  # type: ignore[no-any-return]

    @property
    def sum(self) -> float:
        """The sum of all exponents: the rate at which volumes grow."""
        return _down(self._plain()["sum"])

    def _summary(self) -> str:
        return f"exponents {self._plain()['exponents']}"


def _down(exponent: float | None) -> float:
    """An exponent from JSON, in which minus infinity is ``null``."""
    return -math.inf if exponent is None else exponent


class Fit(Answer, asked="fit"):
    """Parameters and start values from measurements: ``estimates`` with their standard errors, ``correlations``, residuals by ``columns``.

    >>> import saltation as st
    >>> ball = st.gallery("bouncing-ball")
    >>> fit = ball.fit({"impact:ground": [0.4518, 1.1747, 1.7530, 2.2157, 2.5858]}, {"e": (0.5, 0.9)})
    >>> round(fit.values["e"], 3), fit.ended
    (0.8, 'converged')
    """

    __slots__ = ()
    _main = "estimates"

    estimates: list[Record]
    undetermined: list[Record]
    columns: list[Record]
    residuals: Record
    chi_squared: float
    degrees_of_freedom: int
    starts: list[Record]
    best: int | None
    until: float
    steps: int
    trajectories: int
    ended: str
    message: str
    model: str
    parameters: Record
    start: Record
    fitted: str | None

    @property
    def values(self) -> dict[str, float]:
        """The estimates by their names.

        >>> import saltation as st
        >>> list(st.gallery("bouncing-ball").fit({"impact:ground": [0.4518, 1.1747, 1.7530]}, ["e"]).values)
        ['e']
        """
        return {one["name"]: _no_number(one["value"]) for one in self._plain()["estimates"]}

    @property
    def standard_errors(self) -> dict[str, float]:
        """Their standard errors; NaN where the data do not determine an estimate, or it lies at a bound.

        >>> import saltation as st
        >>> fit = st.gallery("bouncing-ball").fit({"impact:ground": [0.4518, 1.1747, 1.7530]}, ["e"], sigma={"impact:ground": 1e-4})
        >>> 0 < fit.standard_errors["e"] < 1e-3
        True
        """
        return {one["name"]: _no_number(one["standard_error"]) for one in self._plain()["estimates"]}

    @property
    def correlations(self) -> NDArray[np.float64]:
        """The correlations of the estimates, in their order: an array of shape (n, n), NaN where there is none.

        >>> import saltation as st
        >>> st.gallery("bouncing-ball").fit({"impact:ground": [0.4518, 1.1747, 1.7530, 2.2157]}, ["e", "g"]).correlations.shape
        (2, 2)
        """
        return np.array(self._plain()["correlations"], dtype=float)

    @property
    def covariance(self) -> NDArray[np.float64]:
        """The covariance of the estimates, in their order: an array of shape (n, n).

        >>> import saltation as st
        >>> st.gallery("bouncing-ball").fit({"impact:ground": [0.4518, 1.1747, 1.7530, 2.2157]}, ["e", "g"]).covariance.shape
        (2, 2)
        """
        errors = np.array(list(self.standard_errors.values()))
        return self.correlations * np.outer(errors, errors)

    def fitted_system(self) -> System:
        """The system with the estimates as its numbers.

        >>> import saltation as st
        >>> fit = st.gallery("bouncing-ball").fit({"impact:ground": [0.4518, 1.1747, 1.7530, 2.2157]}, ["e"])
        >>> fit.fitted_system().parameters["e"] == fit.values["e"]
        True
        """
        system = self._system
        for name, value in self.values.items():
            state = name.removeprefix("start.")
            system = system.with_(**{name: value}) if state == name else system.with_start({state: value})
        return system

    def _summary(self) -> str:
        errors = self.standard_errors
        return ", ".join(f"{name} = {value:.6g} ± {errors[name]:.2g}" for name, value in self.values.items())


def _no_number(value: float | None) -> float:
    """A number from JSON, in which what is none is ``null``."""
    return math.nan if value is None else value


class Modes(Answer, asked="modes"):
    """Nonsmooth modes of a structure: ``frequencies``, ``modes``, ``intervals``, ``families``.

    Frequencies are in radians per unit of time, states are those after the first impact.

    >>> import saltation as st
    >>> modes = st.gallery("chain").modes(near=3.8)
    >>> modes.modes[0].ipp
    1
    """

    __slots__ = ()
    _main = "motions"

    frequencies: NDArray[np.float64]
    modes: list[Record]
    intervals: list[Record]
    ended: str
    ipp: int
    families: list[Record]
    contact: str
    model: str
    fingerprint: str
    parameters: Record


class Contact(Answer, asked="contact"):
    """A contact problem: ``status``, ``solutions``, and ``map`` or ``critical`` if they were asked for.

    >>> import saltation as st
    >>> st.gallery("painleve-rod").with_(slip=1).contact().status
    'unique'
    """

    __slots__ = ()
    _main = "contact_map"

    solutions: list[Record]
    status: str
    state: Record
    contacts: list[Record]
    impacts: list[Record]
    critical: Record | None
    map: Record | None
    model: str
    parameters: Record

    def _summary(self) -> str:
        return str(self._plain()["status"])


class Sweep(Answer, asked="sweep"):
    """A sweep: ``values``, ``records``, ``tasks``, ``attractors``, ``periods``.

    ``values`` is an array of the n values of the parameter; ``tasks`` has an entry per trajectory, ``records`` one per recorded return.

    >>> import saltation as st
    >>> sweep = st.gallery("impact-oscillator").sweep(along={"A": (0.346, 0.350, 3)}, settle=300, record=10)
    >>> len(sweep.tasks), len(sweep.records), sweep.tasks[2].period
    (3, 30, 2)
    """

    __slots__ = ()
    _main = "tasks"

    parameter: str
    values: NDArray[np.float64]
    second: str | None
    second_values: NDArray[np.float64]
    records: list[Record]
    tasks: list[Record]
    attractors: list[Record]
    done: int
    periods: Record
    section: str
    settled: int
    recorded: int
    ended: str
    message: str
    model: str
    parameters: Record


class Basin(Answer, asked="basin"):
    """Attractors and their basins: ``attractors``, ``fractions``, ``grid``.

    ``fractions`` is an array with the share of the starts that lead to each attractor, ``standard_errors`` its error.

    >>> import saltation as st
    >>> walls = st.gallery("two-wall-oscillator").with_(nu=0.9)
    >>> found = walls.basin(grid={"y": (-0.9, 0.9, 6), "w": (-1.5, 1.5, 6)}, settle=100, record=20)
    >>> len(found.fractions) == len(found.attractors)
    True
    """

    __slots__ = ()
    _main = "starts"

    attractors: list[Record]
    fractions: NDArray[np.float64]
    standard_errors: NDArray[np.float64]
    grid: Record | None
    starts: list[Record]
    parameter: str | None
    slices: list[Record]
    done: int
    section: str
    settled: int
    recorded: int
    ended: str
    message: str
    model: str
    parameters: Record
