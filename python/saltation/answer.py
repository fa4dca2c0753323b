"""What all answers have: entries as attributes, tables as arrays, report, figure, conversions, copies; and how a question is asked."""

from __future__ import annotations

import inspect
import json
import warnings
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

import numpy as np

from . import _saltation
from .errors import Interrupted, NotFound, SaltationError, VersionError, in_python
from .figure import Figure
from .progress import watcher
from .record import Fixed, entry

if TYPE_CHECKING:
    from collections.abc import Mapping

    import pandas
    import polars
    import xarray
    from matplotlib.axes import Axes

    from .system import System
    from .values import Path

__all__ = ["CLASSES", "Answer", "Stored", "ask"]

#: The class of the answer of every question, by the name under which it is asked.
CLASSES: dict[str, type[Answer]] = {}
#: The commands of questions that have another name.
_COMMANDS = {"stepping": "simulate", "continue_equilibrium": "continue"}

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
        #: The version that computed it.
        self.version: str = parts["version"]

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


def _fixed(tables: list[tuple[str, Table]]) -> dict[str, Table]:
    """Tables that are part of an immutable answer."""
    instead = "answers are immutable, and dict(...) or to_pandas() is a copy that can be changed"
    return Fixed({name: Fixed(columns, instead) for name, columns in tables}, instead)


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
    #: The question, as the library names it.
    _asked: ClassVar[str] = ""
    #: The entries that answers of the question have, with their types.
    _entries: ClassVar[dict[str, str]] = {}
    #: The table that data frames hold if none is named.
    _main: ClassVar[str] = ""

    def __init_subclass__(cls, asked: str = "", has: tuple[str, ...] = (), **more: Any) -> None:
        super().__init_subclass__(**more)
        cls._entries = {**cls._entries, **dict.fromkeys(has, ""), **inspect.get_annotations(cls)}
        if asked:
            cls._asked, cls.question = asked, _COMMANDS.get(asked, asked)
            CLASSES[asked] = cls

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
        if plain[name] == [] and "NDArray" in self._entries.get(name, ""):
            return self._kept(f"entry {name}", lambda: np.zeros(0, complex if "complex" in self._entries[name] else float))
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

    def save(self, path: Path) -> None:
        """Writes the answer to a file that :func:`saltation.load` reads, in JSON: the answer with its question, the text of its model, and the version.

        :raises OSError: if it cannot be written.

        >>> import saltation as st, tempfile
        >>> path = tempfile.mkdtemp() + "/run.json"
        >>> st.gallery("bouncing-ball").simulate(until=1.0).save(path)
        >>> st.load(path).end.time
        1.0
        """
        from .saved import write

        write(self, path)

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
        return Fixed(json.loads(self._source.request()), "this is a copy; ask the question again with other fields")

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
        return self._kept("tables", lambda: _fixed(self._source.tables()))  # type: ignore[no-any-return]

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
        then = getattr(self._source, "version", _saltation.__version__)
        if then != _saltation.__version__:
            words = f"the figure is of the same question asked again by version {_saltation.__version__}, and the answer was computed by version {then}"
            warnings.warn(words, stacklevel=3)
        return ask(self._asked, self._asked_system(), fields, begins=begins, progress=False, quiet=True)

    def _asked_system(self) -> System:
        return self._from.system if self._from is not None else self._system

    def figure(self, **shown: Any) -> Figure:
        """The figure of the library, as the command draws it with ``--plot``.

        Branches take ``ordinate`` (``"impact_speed"``, ``"period"``, ``"multiplier"`` or a state), sweeps ``ordinate`` and
        ``overlays`` (branches and curves, or paths of their files; a branch or a curve may be laid over a sweep from its side, too), simulations ``plane`` (two states or contacts), modes ``coordinates`` (three names).

        :raises SaltationError: if there is nothing to draw.
        :raises RequestError: if a name is unknown.

        >>> import saltation as st
        >>> figure = st.gallery("bouncing-ball").simulate(until=1.0).figure()
        >>> figure.svg[:4]
        '<svg'
        """
        from .overlays import arranged, files

        below, over = arranged(self, shown.pop("overlays", None))
        if below is not self:
            return below.figure(overlays=over, **shown)
        source = self._answer_for_figure()._source
        with files(over) as paths:
            named = {**shown, "overlays": paths} if paths else shown
            drawn = source.figure(named) if isinstance(source, _saltation.Answer) else None
        if drawn is None:
            raise SaltationError(f"there is no figure of this answer: {self._no_figure()}")
        return Figure(drawn)

    def _no_figure(self) -> str:
        return "\n".join(self.ending) or "it has nothing to draw"

    def plot(self, ax: Axes | None = None, *, overlays: Any = None, **shown: Any) -> Axes:
        """Draws with matplotlib: stable solutions solid and blue, unstable ones dashed and red, virtual ones dotted and pale, bifurcations with labels.

        :param ax: the axes to draw in; without it new ones.
        :param overlays: branches, curves and sweeps that are drawn over it, or the paths of their files.
        :raises ImportError: if matplotlib is missing.

        >>> import saltation as st
        >>> ax = st.gallery("bouncing-ball").simulate(until=1.0).plot()  # doctest: +SKIP
        """
        from .plot import draw_all

        return draw_all(self, ax, overlays, **shown)

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
        same = type(self) is type(other) and self._plain() == other._plain()
        return same and self.request == other.request and self._system == other._system

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Any, ...]:
        source = self._source
        parts = {
            "version": _saltation.__version__,
            "question": self._asked,
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
