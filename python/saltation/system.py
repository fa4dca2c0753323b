"""Systems: models with numbers, and the questions that they answer."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path as File
from typing import TYPE_CHECKING, Any, overload

from . import _saltation, toml
from .answer import Answer, ask
from .answers import (
    Basin,
    Check,
    Contact,
    Equilibria,
    Fit,
    Lyapunov,
    Modes,
    Orbit,
    Simulation,
    Stepping,
    Sweep,
)
from .axes import axes, columns, contact_axis, ranges
from .errors import SaltationError, VersionError, refusal
from .fields import asked_by
from .function import Function
from .measured import fit_fields
from .places import guess, state_of
from .record import Fixed, Record

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .keywords import (
        BasinFields,
        CheckFields,
        ContactFields,
        EquilibriumFields,
        FitFields,
        LyapunovFields,
        ModesFields,
        OrbitFields,
        SimulateFields,
        SweepFields,
    )
    from .values import Axes, Counted, Number, Path, Place

__all__ = ["System", "gallery", "merge", "model", "read", "report"]


@overload
def gallery() -> list[str]: ...
@overload
def gallery(name: str) -> System: ...
def gallery(name: str | None = None) -> System | list[str]:
    """A model that comes with the library, by its name; without a name all names.

    :raises ModelError: if there is none of this name; its help has similar names.

    >>> import saltation as st
    >>> st.gallery("impact-oscillator").states
    ['x', 'y', 'phi']
    >>> "bouncing-ball" in st.gallery()
    True
    """
    if name is None:
        return _saltation.gallery_names()
    return System(_saltation.System.gallery(name))


def read(path: Path) -> System:
    """A model file in TOML; matrices that it names stand beside it.

    :raises ModelError: for all mistakes of the first layer that has any, each with its line and column.

    >>> import saltation as st, tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "ball.toml"
    >>> st.gallery("bouncing-ball").save(path)
    >>> st.read(path).name
    'bouncing-ball'
    """
    return System(_saltation.System.read(os.fspath(path)))


def model(source: str | Mapping[str, Any], file: str = "model") -> System:
    """A model from a text in TOML, or from a dictionary of its tables, in which formulas are texts, numbers or expressions.

    :param file: its name in messages.
    :raises ModelError: as :func:`read`.
    :raises RequestError: if the dictionary holds what no model file can hold.

    >>> import saltation as st
    >>> x, v, g = st.symbols("x v g")
    >>> ball = st.model({
    ...     "format": 1, "name": "ball", "parameters": {"g": 9.8},
    ...     "flow": {"x": v, "v": -g},
    ...     "contacts": {"ground": {"gap": x, "jump": {"v": -0.9 * v}}},
    ...     "start": {"x": 1, "v": 0},
    ... })
    >>> ball.simulate(until=1.0).events[0].kind
    'impact'
    """
    if isinstance(source, (str, os.PathLike)) and File(source).suffix == ".toml":
        raise refusal("model", f"{source} is the path of a file, and a model is a text or a dictionary", f"st.read({os.fspath(source)!r}) reads the file")
    text = source if isinstance(source, str) else toml.write(source)
    return System(_saltation.System.parse(text, file))


def portable(on: bool = True) -> None:
    """Computes the same bits on every processor from here on, as the command does with ``--portable``; to be called before models are read.

    Without it sines, exponentials, sums of products and eigenvalues are those of the processor and its system, which differ in the last digit
    and are faster. A process that has computed keeps its arithmetic.

    :raises RequestError: if something was computed by the other arithmetic before.

    >>> import subprocess, sys
    >>> program = "import saltation as st; st.portable(); print(st.gallery('bouncing-ball').simulate(until=1).complete)"
    >>> print(subprocess.run([sys.executable, "-c", program], capture_output=True, text=True).stdout)
    True
    <BLANKLINE>
    """
    _saltation.portable(on)


def merge(folders: Any, into: Path) -> int:
    """Joins the parts of a sweep or a basin that ``part=`` computed into a new folder; the number of blocks joined.

    The same question with ``folder=into, resume=True`` then has the whole answer.

    :raises RequestError: if the folders are not all parts of one computation.

    >>> import saltation as st, tempfile
    >>> folder = tempfile.mkdtemp()
    >>> sys = st.gallery("impact-oscillator")
    >>> asked = dict(along={"A": (0.34, 0.35, 4)}, settle=5, record=2)
    >>> for part in (1, 2):
    ...     _ = sys.sweep(**asked, folder=f"{folder}/{part}", part=(part, 2))
    >>> st.merge([f"{folder}/1", f"{folder}/2"], f"{folder}/whole")
    4
    """
    if isinstance(folders, (str, os.PathLike)):
        folders = [folders]
    return _saltation.merge([os.fspath(one) for one in folders], os.fspath(into))


def report(folder: Path, out: Path | None = None, *, stored: bool = False) -> Record:
    """Writes one self-contained HTML page of the folder of a run: figures, tables, parameters, and how to repeat it.

    The folder is that of ``folder=`` of a sweep or a basin, or of ``--out`` of the command.

    :param out: the file; by default ``report.html`` in the folder.
    :param stored: draws only what is stored; otherwise a trajectory whose path is not stored is computed again, if that took two seconds at most.
    :return: ``file``, ``kind`` (the question), ``figures``, ``tables``, ``complete``, ``bytes``, and ``notes`` on what cannot be shown.
    :raises ModelError: if there is no such folder, or it holds no run; its message has the place.
    :raises OSError: if the file cannot be written.

    >>> import saltation as st, tempfile
    >>> folder = tempfile.mkdtemp() + "/diagram"
    >>> _ = st.gallery("impact-oscillator").sweep(along={"A": (0.34, 0.36, 9)}, settle=50, record=9, folder=folder)
    >>> page = st.report(folder)
    >>> page.kind, page.complete, page.file.endswith("report.html")
    ('sweep', True, True)
    """
    made = _saltation.report(os.fspath(folder), None if out is None else os.fspath(out), stored)
    return Record(json.loads(made))


class System:
    """A model with numbers: the subject of all questions. Immutable, cheap to give other numbers, and safe between threads.

    >>> import saltation as st
    >>> sys = st.gallery("impact-oscillator")
    >>> sys.with_(A=0.36).parameters["A"], sys.parameters["A"]
    (0.36, 0.35)
    """

    __slots__ = ("_native",)
    _native: _saltation.System

    def __init__(self, native: _saltation.System) -> None:
        if not isinstance(native, _saltation.System):
            raise TypeError("a system is made by gallery, read or model")
        object.__setattr__(self, "_native", native)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"systems are immutable: use with_({name}=...) or start({name}=...)")

    @property
    def name(self) -> str:
        """The name of the model."""
        return self._native.name

    @property
    def title(self) -> str | None:
        """The title of the model."""
        return self._native.title

    @property
    def states(self) -> list[str]:
        """The names of the states: coordinates, velocities and the phase."""
        return self._native.states

    @property
    def contacts(self) -> list[str]:
        """The names of the contacts."""
        return self._native.contacts

    @property
    def parameters(self) -> dict[str, float]:
        """Names and values of the parameters, in the units of the model."""
        return Fixed(self._native.parameters, "this is a copy; with_(NAME=...) makes a system with another value")

    @property
    def start_state(self) -> dict[str, float]:
        """The start: every state, the phase on its circle."""
        return Fixed(self._native.start_state, "this is a copy; start(NAME=...) makes a system with another start")

    @property
    def units(self) -> dict[str, str]:
        """The units that the model file gives: those of states and parameters by their names, that of time under the empty name.

        >>> import saltation as st
        >>> st.gallery("bouncing-ball").units["g"]
        'm/s^2'
        """
        return Fixed(self._native.units, "units are those of the model file")

    @property
    def source(self) -> str:
        """The text of the model, in TOML."""
        return self._native.source

    @property
    def fingerprint(self) -> str:
        """A hash of the model: text and matrices."""
        return self._native.fingerprint

    def with_(self, **parameters: Number) -> System:
        """The same system with other values of parameters: numbers, or formulas of other parameters, which it then depends on.

        :raises ModelError: if there is no such parameter, or it may not have this value.

        >>> import saltation as st
        >>> st.gallery("impact-oscillator").with_(A="0.7/2", omega=0.8).parameters["A"]
        0.35
        """
        return System(self._native.with_(parameters))

    def start(self, **states: Number) -> System:
        """The same system with other start values: numbers, or formulas of parameters.

        :raises ModelError: if there is no such state, or the value is not finite.

        >>> import saltation as st
        >>> st.gallery("impact-oscillator").start(x=-0.1).start_state["x"]
        -0.1
        """
        return System(self._native.start(states))

    def with_start(self, place: Place) -> System:
        """The same system that starts at the state of an orbit, of a point of a branch, of an equilibrium, or of the end of a trajectory.

        Its parameters stay; ``with_(**point.parameters)`` takes those of a point, too.

        :param place: an :class:`Orbit`, a :class:`Simulation` or its ``end``, an entry of ``points``, ``special`` or ``equilibria``, or values by the names
            of states.
        :raises RequestError: if it has no state, or many.
        :raises ModelError: if it has a state that the model has not.

        >>> import saltation as st
        >>> sys = st.gallery("impact-oscillator")
        >>> orbit = sys.orbit(settle=400, period=2)
        >>> sys.with_start(orbit).start_state == orbit.state
        True
        """
        return System(self._native.start(state_of("place", place)))

    def evaluate(self, formula: Any) -> float:
        """The value of a formula of parameters.

        :raises RequestError: for mistakes of the formula.

        >>> import saltation as st
        >>> st.gallery("impact-oscillator").evaluate("10*A")
        3.5
        """
        return self._native.evaluate(str(formula))

    def save(self, path: Path) -> None:
        """Writes the text of the model to a file; numbers that were set are not part of it.

        :raises OSError: if it cannot be written.
        :raises SaltationError: if the model names matrices beside its own file.

        >>> import saltation as st, tempfile, pathlib
        >>> path = pathlib.Path(tempfile.mkdtemp()) / "ball.toml"
        >>> st.gallery("bouncing-ball").save(path)
        >>> path.read_text()[:10]
        'format = 1'
        """
        files = self._native.parts()[4]
        if files:
            raise SaltationError(f"the model names {', '.join(files)} beside its file: copy these files together")
        text = self.source
        File(path).write_text(text if text.endswith("\n") else text + "\n", encoding="utf-8")

    @asked_by("check")
    def check(self, **fields: Unpack[CheckFields]) -> Check:
        """Checks the model with its numbers, at the start and at nearby states.

        :raises ModelError: for mistakes of the model at these numbers.

        >>> import saltation as st
        >>> st.gallery("impact-oscillator").check().linear
        True
        """
        return ask("check", self, fields)  # type: ignore[return-value]

    @asked_by("simulate", "stepping")
    def simulate(self, until: Number | None = None, **fields: Unpack[SimulateFields]) -> Simulation:
        """The trajectory from the initial condition through impacts, chattering, persistent contact and release.

        :raises RequestError: for mistakes in these fields.
        :raises ModelError: if no trajectory begins at the initial condition.

        >>> import saltation as st
        >>> run = st.gallery("bouncing-ball").simulate(until=2.0, every=0.5)
        >>> run.samples.time
        array([0. , 0.5, 1. , 1.5, 2. ])
        """
        given: dict[str, Any] = {"until": until, **fields}
        if isinstance(given.get("show"), str):
            given["show"] = given["show"].split(",")
        method = given.pop("method", None)
        if method == "moreau":
            return self._stepping(given)
        if method not in (None, "events"):
            raise refusal("method", f"method is `events` or `moreau`, not {method!r}", "leave it out for event-driven simulation")
        if given.pop("step", None) is not None:
            help_ = 'add method="moreau" for time stepping, or bound the steps between events by max_step'
            raise refusal("step", "event-driven simulation chooses its steps itself", help_)
        if given.pop("theta", None) is not None:
            raise refusal("theta", "theta is of time stepping", 'add method="moreau" and step, or leave theta out')
        return ask("simulate", self, given)  # type: ignore[return-value]

    def _stepping(self, given: dict[str, Any]) -> Stepping:
        if given.get("step") is None:
            help_ = "give step, a time that is short compared with all times of the trajectory, such as 1e-3"
            raise refusal("step", "time stepping needs the length of its steps", help_)
        for name in ("returns", "section", "show", "settle", "max_step", "flow", "policy", "passages"):
            if given.pop(name, None) is not None:
                raise refusal(name, f"time stepping has no {name}", 'leave it or method="moreau" out')
        given.pop("all_events", None)
        return ask("stepping", self, given)  # type: ignore[return-value]

    @asked_by("orbit")
    def orbit(self, section: str | None = None, **fields: Unpack[OrbitFields]) -> Orbit:
        """A periodic orbit by multiple shooting, with its Floquet multipliers.

        :raises RequestError: for mistakes in these fields.
        :raises NotFound: if no orbit is found; its ``answer`` has how the search went.

        >>> import saltation as st
        >>> orbit = st.gallery("impact-oscillator").with_(A=0.35).orbit(settle=400, period=2)
        >>> orbit.signature
        ['impact:wall']
        """
        given: dict[str, Any] = {"section": section, **fields}
        if given.get("guess") is not None:
            given["guess"] = guess(given["guess"])
        return ask("orbit", self, given)  # type: ignore[return-value]

    @asked_by("equilibrium")
    def equilibrium(self, mode: str | None = None, **fields: Unpack[EquilibriumFields]) -> Equilibria:
        """Equilibria in flight and in contact, from the start, and their stability.

        :raises RequestError: for mistakes in these fields.
        :raises NotFound: if there is none.

        >>> import saltation as st
        >>> st.gallery("bouncing-ball").equilibrium(mode="stick:ground").equilibria[0].stable
        True
        """
        return ask("equilibrium", self, {"mode": mode, **fields})  # type: ignore[return-value]

    @asked_by("lyapunov")
    def lyapunov(self, section: str | None = None, **fields: Unpack[LyapunovFields]) -> Lyapunov:
        """All Lyapunov exponents of a trajectory per unit of time, with standard errors.

        :raises RequestError: for mistakes in these fields.

        >>> import saltation as st
        >>> measured = st.gallery("impact-oscillator").lyapunov(settle=50, returns=100)
        >>> measured.exponents.shape
        (2,)
        """
        return ask("lyapunov", self, {"section": section, **fields})  # type: ignore[return-value]

    @asked_by("fit")
    def fit(self, data: Any, free: Any, **fields: Unpack[FitFields]) -> Fit:
        """Parameters and start values from measurements, by least squares with the exact derivatives of trajectories.

        ``data`` are columns by name (a mapping, a data frame, or the path of a CSV file), named by what they measure: ``time`` with states, ``gap:CONTACT``,
        ``force:CONTACT``, ``rate:STATE`` or formulas, and times of events such as ``impact:CONTACT``. ``free`` is ``{"e": (0.5, 0.9), "start.x": None}``.

        :raises RequestError: for mistakes in these fields.

        >>> import saltation as st
        >>> fit = st.gallery("bouncing-ball").fit({"impact:ground": [0.4518, 1.1747, 1.7530, 2.2157]}, {"e": (0.5, 0.9), "g": None})
        >>> fit.correlations.shape
        (2, 2)
        """
        return ask("fit", self, fit_fields({"data": data, "free": free, **fields}))  # type: ignore[return-value]

    def function(
        self,
        inputs: str | Sequence[str],
        outputs: str | Sequence[str],
        until: Number | None = None,
        *,
        tol: float | None = None,
        threads: int | None = None,
    ) -> Function:
        """Outputs of the trajectory as a plain function of an array of inputs, with its exact Jacobian: for optimisation and other tools.

        :param inputs: parameters, and start values such as ``start.x``.
        :param outputs: quantities or formulas at a time (``"x @ 10"``, ``"x^2 + v^2 @ 2*pi"``), times and closing speeds of events by their number from 0
            (``"impact:wall[3]"``, ``"speed:wall[3]"``).
        :param until: where the trajectory ends; by default at the last time of the outputs, with events after 10 periods of the forcing, else 40.
        :param tol: the local error of one step; by default 1e-12.
        :param threads: the number of threads for many points; by default as many as the machine has.
        :raises RequestError: for mistakes in these fields.

        >>> import saltation as st
        >>> f = st.gallery("bouncing-ball").function(["e"], ["impact:ground[2]"])
        >>> f([[0.7], [0.8]]).shape
        (2, 1)
        """
        return Function(self, inputs, outputs, until, tol, threads)

    @asked_by("modes")
    def modes(self, periods: tuple[Number, Number] | None = None, **fields: Unpack[ModesFields]) -> Modes:
        """Nonsmooth modes of a structure: periodic solutions with ``ipp`` elastic impacts per period, and their families.

        :raises RequestError: for mistakes in these fields.
        :raises ModelError: if the model is no linear structure with a contact.

        >>> import saltation as st
        >>> st.gallery("chain").modes(near=3.8).modes[0].admissible
        True
        """
        return ask("modes", self, {"periods": periods, **fields})  # type: ignore[return-value]

    @asked_by("contact")
    def contact(self, map: Counted | None = None, **fields: Unpack[ContactFields]) -> Contact:
        """The contact problem of the start: all forces of closed contacts with friction, one solution, several or none.

        :raises RequestError: for mistakes in these fields.
        :raises ModelError: if no contact is closed at the start.

        >>> import saltation as st
        >>> rod = st.gallery("painleve-rod").with_(angle="pi/3", slip=1)
        >>> rod.contact().status
        'inconsistent'
        """
        given: dict[str, Any] = {"map": map, **fields}
        if given.get("map") is not None:
            given["map"] = contact_axis("map", given["map"], True)
        if given.get("critical") is not None:
            found = contact_axis("critical", given["critical"], False)
            if len(found) != 1:
                raise refusal("critical", f"{len(found)} names are given, not one", "give (name, low, high)")
            given["critical"] = found[0]
        return ask("contact", self, given)  # type: ignore[return-value]

    @asked_by("sweep")
    def sweep(self, along: Axes | None = None, **fields: Unpack[SweepFields]) -> Sweep:
        """Motions at many values of one or two parameters, recorded after their transients, on all cores.

        :raises RequestError: for mistakes in these fields or in the folder.

        >>> import saltation as st
        >>> sweep = st.gallery("impact-oscillator").sweep(along={"A": (0.346, 0.350, 3)}, settle=50, record=10)
        >>> sweep.values
        array([0.346, 0.348, 0.35 ])
        """
        return ask("sweep", self, sweep_fields({"along": along, **fields}))  # type: ignore[return-value]

    @asked_by("basin")
    def basin(self, grid: Axes | None = None, **fields: Unpack[BasinFields]) -> Basin:
        """Attractors and their basins: where trajectories from many initial conditions lead.

        :raises RequestError: for mistakes in these fields or in the folder.

        >>> import saltation as st
        >>> sys = st.gallery("two-wall-oscillator").with_(nu=0.9)
        >>> found = sys.basin(random={"y": (-0.9, 0.9), "w": (-1.5, 1.5)}, count=10, settle=100, record=10)
        >>> found.done
        10
        """
        return ask("basin", self, basin_fields({"grid": grid, **fields}, self.start_state))  # type: ignore[return-value]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, System):
            return NotImplemented
        return self._native.same(other._native)

    def __hash__(self) -> int:
        return hash((self.fingerprint, tuple(self.parameters.values()), tuple(self.start_state.values())))

    def __repr__(self) -> str:
        return f"<System {self.name}: states {', '.join(self.states[:8])}{', ...' if len(self.states) > 8 else ''}>"

    def _repr_html_(self) -> str:
        from .page import system_html

        return system_html(self)

    def __reduce__(self) -> tuple[Any, ...]:
        text, file, set_, start, files = self._native.parts()
        path = os.path.abspath(file) if files else None
        return (_restore, (_saltation.__version__, text, file, path, self.fingerprint, set_, start))


def _recorded(fields: Mapping[str, Any]) -> dict[str, Any]:
    """The fields that sweeps and basins share, as the library has them."""
    given = dict(fields)
    if isinstance(given.get("extremes"), str):
        given["extremes"] = [name.strip() for name in given["extremes"].split(",")]
    return given


def sweep_fields(fields: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a sweep as the library has them.

    >>> sweep_fields({"along": {"A": (0.3, 0.4, 5)}, "extremes": "x, y"})
    {'along': [{'name': 'A', 'range': [0.3, 0.4], 'points': 5}], 'extremes': ['x', 'y']}
    """
    given = _recorded(fields)
    if given.get("along") is not None:
        given["along"] = axes("along", given["along"])
    return given


def basin_fields(fields: Mapping[str, Any], start: Mapping[str, float] | None = None) -> dict[str, Any]:
    """The fields of a basin as the library has them; ``start`` is the start of the system.

    >>> basin_fields({"random": {"x": (-2, 0)}, "count": 5})
    {'starts': {'random': {'ranges': [['x', -2, 0]], 'count': 5, 'seed': 1}}}
    """
    given = _recorded(fields)
    if given.get("along") is not None:
        along = axes("along", given["along"])
        if len(along) != 1:
            raise refusal("along", f"{len(along)} parameters are given, not one", 'give for example {"A": (0.3, 0.4, 20)}')
        given["along"] = along[0]
    given["starts"] = _starts(given, start or {})
    return given


def _starts(given: dict[str, Any], start: Mapping[str, float]) -> Any:
    """The starts of a basin as the library has them."""
    grid, random, starts = given.pop("grid", None), given.pop("random", None), given.pop("starts", None)
    count, seed = given.pop("count", None), given.pop("seed", None)
    names = [name for name, one in (("grid", grid), ("random", random), ("starts", starts)) if one is not None]
    if len(names) > 1:
        raise refusal(names[1], f"{' and '.join(names)} are given, and starts are of one kind", f"leave {names[1]} out")
    if isinstance(starts, (Mapping, str)) and not (isinstance(starts, Mapping) and _is_columns(starts)):
        return starts
    for name, value in (("count", count), ("seed", seed)):
        if value is not None and random is None:
            raise refusal(name, f"{name} is that of random starts, and there are none", "give random, or leave it out")
    if grid is not None:
        return {"grid": axes("grid", grid)}
    if random is not None:
        return {"random": {"ranges": ranges("random", random), "count": 1000 if count is None else count, "seed": 1 if seed is None else seed}}
    if starts is not None:
        if isinstance(starts, (list, tuple)) and starts and any(isinstance(one, Answer) or (isinstance(one, Mapping) and "state" in one) for one in starts):
            starts = [state_of("starts", one) for one in starts]
            # What all have as the system, such as the phase, is no coordinate of the starts.
            varied = {name for one in starts for name, value in one.items() if start.get(name) != value}
            starts = [{name: value for name, value in one.items() if name in varied or not varied} for one in starts]
        states, rows = columns("starts", starts)
        return {"list": {"states": states, "rows": rows}}
    return None


def _is_columns(starts: Mapping[str, Any]) -> bool:
    """Whether these are columns, and not starts as a request has them."""
    return not (len(starts) == 1 and next(iter(starts)) in ("grid", "random", "list"))


def _restore(
    version: str,
    text: str,
    file: str,
    path: str | None,
    fingerprint: str,
    set_: list[tuple[str, str]],
    start: list[tuple[str, str]],
) -> System:
    """A system from its pickle."""
    if version != _saltation.__version__:
        raise VersionError(
            f"this system was pickled by version {version} of saltation, and this is {_saltation.__version__}: "
            "make it again from its model file"
        )
    system = System(_saltation.System.restore(text, file, path, set_, start))
    if system.fingerprint != fingerprint:
        raise SaltationError(f"the model {system.name} has changed since it was pickled: its matrices are in {path}")
    return system
