"""Answers: their entries as attributes, their tables as arrays, their report, figure and conversions."""

from __future__ import annotations

import json
import math
import os
import tempfile
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

import numpy as np

from . import _saltation
from .errors import Interrupted, NotFound, SaltationError, VersionError, in_python, refusal
from .fields import asked_by
from .figure import Figure
from .progress import watcher
from .record import entry

if TYPE_CHECKING:
    from collections.abc import Mapping

    import pandas
    import polars
    import xarray
    from matplotlib.axes import Axes
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
    "Lyapunov",
    "Modes",
    "Orbit",
    "Simulation",
    "Stepping",
    "Sweep",
]

#: Columns by their names: arrays of numbers, lists of words.
Table = dict[str, Any]


class Source(Protocol):
    """Where an answer comes from: the library, or what was pickled."""

    @property
    def question(self) -> str: ...
    @property
    def wall_time(self) -> float: ...
    def json(self) -> str: ...
    def request(self) -> str: ...
    def report(self) -> list[str]: ...
    def warnings(self) -> list[str]: ...
    def ending(self) -> tuple[bool, list[str]]: ...
    def tables(self) -> list[tuple[str, Table]]: ...


class Stored:
    """What was pickled of an answer."""

    def __init__(self, parts: dict[str, Any]) -> None:
        self.parts = parts
        self.question: str = parts["question"]
        self.wall_time: float = parts["wall_time"]

    def json(self) -> str:
        return str(self.parts["json"])

    def request(self) -> str:
        return str(self.parts["request"])

    def report(self) -> list[str]:
        return list(self.parts["report"])

    def warnings(self) -> list[str]:
        return list(self.parts["warnings"])

    def ending(self) -> tuple[bool, list[str]]:
        complete, lines = self.parts["ending"]
        return complete, list(lines)

    def tables(self) -> list[tuple[str, Table]]:
        return [(name, dict(columns)) for name, columns in self.parts["tables"]]


def _overlay(one: Any, position: int, folder: str) -> str:
    """The file of what is laid over a figure: its path, or that of an answer written to the folder."""
    if not isinstance(one, Answer):
        return str(os.fspath(one))
    path = os.path.join(folder, f"{position}.json")
    with open(path, "w", encoding="utf-8") as file:
        file.write(one.to_json())
    return path


class Answer:
    """An answer of a question: every entry of its JSON is an attribute.

    Objects are :class:`Record` (dictionaries whose keys are attributes), lists of numbers are NumPy arrays of one dimension,
    multipliers and eigenvalues are complex arrays. Answers are immutable, pickle, and compare equal if their system, request
    and numbers do.

    >>> import saltation as st
    >>> run = st.gallery("bouncing-ball").simulate(until=1.0)
    >>> run.end.time, run.complete
    (1.0, True)
    >>> sorted(run.tables)
    ['events']
    """

    __slots__ = ("_cache", "_extra", "_from", "_source", "_system")
    _source: Source
    _system: System
    _from: Answer | None
    _extra: dict[str, Any]
    _cache: dict[str, Any]

    #: The question, as the command names it.
    question: ClassVar[str] = ""
    #: The table that data frames hold if none is named.
    _main: ClassVar[str] = ""

    def __init__(
        self, source: Source, system: System, begins: Answer | None = None, extra: dict[str, Any] | None = None
    ) -> None:
        put = object.__setattr__
        put(self, "_source", source)
        put(self, "_system", system)
        put(self, "_from", begins)
        put(self, "_extra", extra or {})
        put(self, "_cache", {})

    # Entries.

    def _kept(self, name: str, make: Any) -> Any:
        """A part that is made once."""
        cache = self._cache
        if name not in cache:
            # Threads may both make it: the first one is kept, and all of them are equal.
            cache.setdefault(name, make())
        return cache[name]

    def _plain(self) -> dict[str, Any]:
        return self._kept("plain", lambda: json.loads(self._source.json()))  # type: ignore[no-any-return]

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        plain = self._plain()
        if name not in plain:
            from difflib import get_close_matches

            near = get_close_matches(name, [*plain, *dir(type(self))], 1)
            help_ = f"did you mean `{near[0]}`?" if near else f"the entries are {', '.join(plain)}"
            raise AttributeError(f"{type(self).__name__} has no `{name}`: {help_}")
        return self._kept(f"entry {name}", lambda: entry(plain[name], name))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"answers are immutable: `{name}` cannot be set")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"answers are immutable: `{name}` cannot be deleted")

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *(key for key in self._plain() if key.isidentifier())]

    def to_dict(self) -> dict[str, Any]:
        """A copy of the answer as plain objects of Python: exactly the JSON that ``saltation --json`` prints.

        >>> import saltation as st
        >>> st.gallery("bouncing-ball").simulate(until=1.0).to_dict()["end"]["time"]
        1.0
        """
        return json.loads(self._source.json())  # type: ignore[no-any-return]

    def to_json(self) -> str:
        """The answer as JSON on one line: what ``saltation --json`` prints, with all digits.

        >>> import saltation as st
        >>> st.gallery("bouncing-ball").simulate(until=1.0).to_json()[:15]
        '{"end":{"time":'
        """
        return self._source.json()

    def report(self) -> str:
        """The report that the command prints.

        >>> import saltation as st
        >>> print(st.gallery("bouncing-ball").simulate(until=1.0).report().splitlines()[0])
        bouncing-ball: A ball bouncing to rest on the ground
        """
        return "\n".join(self._source.report())

    @property
    def request(self) -> dict[str, Any]:
        """All fields of the request, with their defaults.

        >>> import saltation as st
        >>> st.gallery("bouncing-ball").simulate(until=1.0).request["tol"]
        1e-12
        """
        return json.loads(self._source.request())  # type: ignore[no-any-return]

    @property
    def system(self) -> System:
        """The system of the question.

        >>> import saltation as st
        >>> st.gallery("bouncing-ball").simulate(until=1.0).system.name
        'bouncing-ball'
        """
        return self._system

    @property
    def wall_time(self) -> float:
        """The wall time of the computation, in seconds."""
        return self._source.wall_time

    @property
    def complete(self) -> bool:
        """Whether the computation is complete: neither interrupted nor ended early."""
        return self._ended()[0]

    @property
    def ending(self) -> list[str]:
        """Why the computation is not complete, and what can be done, in lines; empty if it is.

        >>> import saltation as st
        >>> st.gallery("bouncing-ball").simulate(until=1.0).ending
        []
        """
        return [in_python(line) for line in self._ended()[1]]

    def _ended(self) -> tuple[bool, list[str]]:
        return self._kept("ending", self._source.ending)  # type: ignore[no-any-return]

    @property
    def notes(self) -> list[str]:
        """What the command warns of, in sentences.

        >>> import saltation as st
        >>> st.gallery("bouncing-ball").simulate(until=1.0).notes
        []
        """
        return list(self._source.warnings())

    @property
    def tables(self) -> dict[str, Table]:
        """The tables by name: each a dictionary of columns of one length.

        Columns of numbers are NumPy arrays whose memory comes from the library without a copy; gaps among them are NaN.
        Columns of words are lists, with ``None`` for gaps.

        >>> import saltation as st
        >>> run = st.gallery("bouncing-ball").simulate(until=1.0, every=0.5)
        >>> run.tables["samples"]["time"]
        array([0. , 0.5, 1. ])
        """
        return self._kept("tables", lambda: dict(self._source.tables()))  # type: ignore[no-any-return]

    # Pictures and data frames.

    def _answer_for_figure(self) -> Answer:
        """An answer of this process that a figure can be drawn from."""
        return self if isinstance(self._source, _saltation.Answer) else self._again()

    def _is_drawn_at_once(self) -> bool:
        """Whether a figure needs no computation."""
        return isinstance(self._source, _saltation.Answer)

    def _again(self, **more: object) -> Answer:
        """The same question again, which has the same answer."""
        fields = {**self.request, **self._extra, **more}
        if fields.get("folder") is not None:
            fields["resume"] = True
        begins = self._from
        return ask(_QUESTION_OF[type(self)], self._asked_system(), fields, begins=begins, progress=False, quiet=True)

    def _asked_system(self) -> System:
        return self._from.system if self._from is not None else self._system

    def figure(self, **shown: Any) -> Figure:
        """The figure of the library, as the command draws it with ``--plot``.

        Branches take ``ordinate`` (``"impact_speed"``, ``"period"``, ``"multiplier"`` or a state), sweeps ``ordinate`` and
        ``overlays`` (branches and curves, or paths of their files), simulations ``plane`` (two states or contacts), modes ``coordinates`` (three names).

        :raises SaltationError: if there is nothing to draw.
        :raises RequestError: if a name is unknown.

        >>> import saltation as st
        >>> figure = st.gallery("bouncing-ball").simulate(until=1.0).figure()
        >>> figure.svg[:4]
        '<svg'
        """
        source = self._answer_for_figure()._source
        with tempfile.TemporaryDirectory() as folder:
            if isinstance(shown.get("overlays"), (list, tuple)):
                shown["overlays"] = [_overlay(one, k, folder) for k, one in enumerate(shown["overlays"])]
            drawn = source.figure(shown) if isinstance(source, _saltation.Answer) else None
        if drawn is None:
            raise SaltationError(f"there is no figure of this answer: {self._no_figure()}")
        return Figure(drawn)

    def _no_figure(self) -> str:
        return "\n".join(self.ending) or "it has nothing to draw"

    def plot(self, ax: Axes | None = None, **shown: Any) -> Axes:
        """Draws with matplotlib: stable solutions solid and blue, unstable ones dashed and red, virtual ones dotted and pale, bifurcations with labels.

        :param ax: the axes to draw in; without it new ones.
        :raises ImportError: if matplotlib is missing.

        >>> import saltation as st
        >>> ax = st.gallery("bouncing-ball").simulate(until=1.0).plot()  # doctest: +SKIP
        """
        from .plot import draw

        return draw(self, ax, **shown)

    def to_pandas(self, table: str | None = None) -> pandas.DataFrame:
        """A table as a data frame of pandas: the main one, or the one of this name.

        :raises ImportError: if pandas is missing.
        :raises RequestError: if there is no such table.

        >>> import saltation as st
        >>> frame = st.gallery("bouncing-ball").simulate(until=1.0, every=0.5).to_pandas()  # doctest: +SKIP
        """
        from .frames import to_pandas

        return to_pandas(self, table)

    def to_polars(self, table: str | None = None) -> polars.DataFrame:
        """A table as a data frame of polars: the main one, or the one of this name.

        :raises ImportError: if polars is missing.
        :raises RequestError: if there is no such table.

        >>> import saltation as st
        >>> frame = st.gallery("bouncing-ball").simulate(until=1.0, every=0.5).to_polars()  # doctest: +SKIP
        """
        from .frames import to_polars

        return to_polars(self, table)

    def to_xarray(self, table: str | None = None) -> xarray.Dataset:
        """A table as a data set of xarray, with the parameters as attributes; maps and grids have two dimensions.

        :raises ImportError: if xarray is missing.
        :raises RequestError: if there is no such table.

        >>> import saltation as st
        >>> data = st.gallery("bouncing-ball").simulate(until=1.0, every=0.5).to_xarray()  # doctest: +SKIP
        """
        from .frames import to_xarray

        return to_xarray(self, table)

    def _repr_html_(self) -> str:
        from .page import html

        return html(self)

    def __repr__(self) -> str:
        ended = self._plain().get("ended")
        end = f", {ended}" if isinstance(ended, str) else ""
        return f"<{type(self).__name__} of {self._system.name}{end}: {self._summary()}>"

    def _summary(self) -> str:
        rows = {name: len(next(iter(table.values()), [])) for name, table in self.tables.items()}
        return ", ".join(f"{count} {name}" for name, count in rows.items()) or "no tables"

    # Copies.

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Answer):
            return NotImplemented
        same = type(self) is type(other) and self.to_json() == other.to_json()
        return same and self._source.request() == other._source.request() and self._system == other._system

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Any, ...]:
        source = self._source
        parts = {
            "version": _saltation.__version__,
            "question": _QUESTION_OF[type(self)],
            "json": source.json(),
            "request": source.request(),
            "report": source.report(),
            "warnings": source.warnings(),
            "ending": source.ending(),
            "tables": source.tables(),
            "wall_time": source.wall_time,
            "system": self._system,
            "from": self._from,
            "extra": self._extra,
        }
        return (_restore, (parts,))


def _restore(parts: dict[str, Any]) -> Answer:
    """An answer from its pickle."""
    version = parts.get("version")
    if version != _saltation.__version__:
        raise VersionError(
            f"this answer was pickled by version {version} of saltation, and this is {_saltation.__version__}: "
            "compute it again, or exchange it as JSON (to_json)"
        )
    return CLASSES[parts["question"]](Stored(parts), parts["system"], parts["from"], parts["extra"])


class Check(Answer):
    """What a model contains: states, parameters, contacts, derived formulas, warnings.

    >>> import saltation as st
    >>> st.gallery("bouncing-ball").check().contacts
    ['ground']
    """

    __slots__ = ()
    question = "check"

    def _summary(self) -> str:
        plain = self._plain()
        return f"{len(plain['states'])} states, {len(plain['contacts'])} contacts"


class Simulation(Answer):
    """A motion: ``end``, ``events``, ``counts``, and ``samples`` if they were asked for.

    >>> import saltation as st
    >>> run = st.gallery("bouncing-ball").simulate(until=2.0)
    >>> run.events[0].kind
    'impact'
    """

    __slots__ = ()
    question = "simulate"
    _main = "samples"

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


class Stepping(Simulation):
    """A motion by time stepping.

    >>> import saltation as st
    >>> st.gallery("bouncing-ball").simulate(until=1.0, method="moreau", step=1e-3).solver.steps
    1000
    """

    __slots__ = ()


class Orbit(Answer):
    """A periodic orbit: ``period``, ``state``, ``signature``, ``multipliers``, ``stable``, ``events``.

    >>> import saltation as st
    >>> orbit = st.gallery("two-wall-oscillator").with_(nu=1.2).orbit(settle=300)
    >>> orbit.signature, orbit.stable
    (['impact:upper', 'impact:lower'], True)
    """

    __slots__ = ()
    question = "orbit"
    _main = "path"

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


class Branch(Answer):
    """A branch of orbits: ``points``, ``special`` (bifurcations), ``branches`` (those that bifurcate).

    >>> import saltation as st
    >>> orbit = st.gallery("ball-on-table").orbit()
    >>> branch = orbit.continue_("K", 0.1, 1.2)
    >>> [special.kind for special in branch.special][:2]
    ['fold', 'period_doubling']
    """

    __slots__ = ()
    question = "continue"
    _main = "branch"

    @asked_by("curve", at="index")
    def curve(self, index: int | tuple[int, int] | str = 0, **fields: Unpack[CurveFields]) -> Curve:
        """The curve of a bifurcation in the plane of two parameters.

        :param index: the position of the bifurcation in ``special``; ``(branch, index)`` for one of ``branches``, from 1.
        :raises RequestError: for mistakes in these fields, or if there is no such bifurcation.
        :raises NotFound: if there is no curve.

        >>> import saltation as st
        >>> branch = st.gallery("ball-on-table").orbit().continue_("K", 0.1, 1.2)
        >>> curve = branch.curve(0, along="e", range=(0.7, 0.9))
        >>> curve.kind
        'fold'
        """
        given: dict[str, Any] = {"at": index, **fields}
        along = given.get("along")
        if isinstance(along, str):
            given["along"] = tuple(along.split(",")) if "," in along else (self._plain()["along"], along)
        return ask("curve", self._system, given, begins=self)  # type: ignore[return-value]


class EquilibriumBranch(Answer):
    """A branch of equilibria: ``points``, ``special``, and ``branches`` of limit cycles and equilibria.

    >>> import saltation as st
    >>> rest = st.gallery("relief-valve").equilibrium(mode="flight")
    >>> branch = rest.continue_("q", 5.0, 9.0, step=0.2)
    >>> branch.special[0].kind
    'hopf'
    """

    __slots__ = ()
    question = "continue"
    _main = "branch"


class Curve(Answer):
    """A curve of bifurcations in the plane of two parameters: ``points``, ``special``.

    >>> import saltation as st
    >>> branch = st.gallery("ball-on-table").orbit().continue_("K", 0.1, 1.2)
    >>> curve = branch.curve(0, along="e", range=(0.7, 0.9))
    >>> curve.along, curve.kind
    (['K', 'e'], 'fold')
    """

    __slots__ = ()
    question = "curve"
    _main = "curve"


class Equilibria(Answer):
    """Equilibria in flight and in contact: ``equilibria``, each with ``state``, ``mode``, ``eigenvalues``, ``stable``.

    >>> import saltation as st
    >>> st.gallery("bouncing-ball").equilibrium(mode="stick:ground").equilibria[0].contact_force.ground
    9.8
    """

    __slots__ = ()
    question = "equilibrium"

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


class Lyapunov(Answer):
    """Lyapunov exponents per unit of time: ``exponents``, ``standard_errors``, both of length n for n states but the phase.

    Directions that vanish in lasting contact have the exponent minus infinity, which JSON has no number for: there it is ``null``.

    >>> import saltation as st
    >>> st.gallery("impact-oscillator").lyapunov(settle=50, returns=100).standard_errors.shape
    (2,)
    """

    __slots__ = ()
    question = "lyapunov"
    _main = "exponents"

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


class Modes(Answer):
    """Nonsmooth modes of a structure: ``frequencies``, ``modes``, ``intervals``, ``families``.

    Frequencies are in radians per unit of time, states are those after the first impact.

    >>> import saltation as st
    >>> modes = st.gallery("chain").modes(near=3.8)
    >>> modes.modes[0].ipp
    1
    """

    __slots__ = ()
    question = "modes"
    _main = "motions"


class Contact(Answer):
    """A contact problem: ``status``, ``solutions``, and ``map`` or ``critical`` if they were asked for.

    >>> import saltation as st
    >>> st.gallery("painleve-rod").with_(slip=1).contact().status
    'unique'
    """

    __slots__ = ()
    question = "contact"
    _main = "contact_map"

    def _summary(self) -> str:
        return str(self._plain()["status"])


class Sweep(Answer):
    """A sweep: ``values``, ``records``, ``tasks``, ``attractors``, ``periods``.

    ``values`` is an array of the n values of the parameter; ``tasks`` has an entry per motion, ``records`` one per recorded return.

    >>> import saltation as st
    >>> sweep = st.gallery("impact-oscillator").sweep(along={"A": (0.346, 0.350, 3)}, settle=300, record=10)
    >>> len(sweep.tasks), len(sweep.records), sweep.tasks[2].period
    (3, 30, 2)
    """

    __slots__ = ()
    question = "sweep"
    _main = "tasks"


class Basin(Answer):
    """Attractors and their basins: ``attractors``, ``fractions``, ``grid``.

    ``fractions`` is an array with the share of the starts that lead to each attractor, ``standard_errors`` its error.

    >>> import saltation as st
    >>> walls = st.gallery("two-wall-oscillator").with_(nu=0.9)
    >>> found = walls.basin(grid={"y": (-0.9, 0.9, 6), "w": (-1.5, 1.5, 6)}, settle=100, record=20)
    >>> len(found.fractions) == len(found.attractors)
    True
    """

    __slots__ = ()
    question = "basin"
    _main = "starts"


#: The class of the answer of every question.
CLASSES: dict[str, type[Answer]] = {
    "check": Check,
    "simulate": Simulation,
    "stepping": Stepping,
    "orbit": Orbit,
    "continue": Branch,
    "curve": Curve,
    "equilibrium": Equilibria,
    "continue_equilibrium": EquilibriumBranch,
    "lyapunov": Lyapunov,
    "modes": Modes,
    "contact": Contact,
    "sweep": Sweep,
    "basin": Basin,
}
_QUESTION_OF = {class_: name for name, class_ in CLASSES.items()}
#: The questions whose answers may be missing.
_SEARCHES = frozenset({"orbit", "continue", "curve", "equilibrium", "continue_equilibrium"})
#: The fields of requests that say where results go, which the request of an answer does not have.
_BESIDE = ("guess", "at", "folder", "resume", "part", "format", "records", "threads")


def ask(
    question: str,
    system: System,
    fields: Mapping[str, Any],
    *,
    begins: Answer | None = None,
    progress: Any = None,
    quiet: bool = False,
) -> Answer:
    """Asks a question: the one way of all of them.

    :raises RequestError: for mistakes in the request.
    :raises ModelError: for mistakes in the model at these numbers.
    :raises NotFound: for a search without a result, unless ``quiet``.
    :raises Interrupted: if Ctrl-C ends the computation; its ``answer`` is what was done.
    """
    given = dict(fields)
    progress = given.pop("progress", progress)
    callable_, delay, bar = watcher(progress)
    try:
        native, stopped = _saltation.ask(question, system._native, given, _origin(begins), callable_, delay)
    finally:
        if bar is not None:
            bar.close()
    extra = {name: given[name] for name in _BESIDE if given.get(name) is not None}
    found = CLASSES[question](native, type(system)(native.system), begins, extra)
    if stopped is not None:
        if isinstance(stopped, KeyboardInterrupt):
            raise Interrupted(found) from None
        raise stopped
    if not quiet and question in _SEARCHES:
        missing = native.missing()
        if missing is not None:
            raise NotFound(*missing, found)
    return found


def _origin(begins: Answer | None) -> _saltation.Answer | tuple[str, str, str] | None:
    if begins is None:
        return None
    source = begins._source
    if isinstance(source, _saltation.Answer):
        return source
    return source.question, source.json(), source.request()
