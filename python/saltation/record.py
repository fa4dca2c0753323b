"""Entries of answers: dictionaries whose keys are attributes, with numbers as NumPy arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["BranchPoint", "Fixed", "Record", "Special", "entry"]

#: The entries that are complex numbers, written as pairs of real and imaginary part.
COMPLEX = frozenset({"multipliers", "half_multipliers", "eigenvalues"})
#: Those that are real numbers, also where there are none.
REAL = frozenset({"impact_speeds"})


class Fixed(dict[str, Any]):
    """A dictionary that is not changed: where its entries are copies, a change would have no effect on what they are copies of.

    >>> Fixed({"A": 0.35}, "use with_(A=...)")["A"] = 0.36
    Traceback (most recent call last):
        ...
    TypeError: `A` cannot be changed: use with_(A=...)
    """

    #: What to do instead.
    _instead: str = "dict(...) makes a dictionary that can be changed"

    def __init__(self, entries: Any = (), instead: str | None = None) -> None:
        super().__init__(entries)
        if instead is not None:
            object.__setattr__(self, "_instead", instead)

    def _refuse(self, *given: Any, **named: Any) -> Any:
        names = given[:1] if given and isinstance(given[0], str) else tuple(given[0]) if given and isinstance(given[0], dict) else tuple(named)
        what = ", ".join(f"`{name}`" for name in names) or "it"
        raise TypeError(f"{what} cannot be changed: {self._instead}")

    __setitem__ = __delitem__ = __ior__ = _refuse
    update = pop = popitem = setdefault = clear = _refuse

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self), (dict(self), object.__getattribute__(self, "_instead")))

    def __deepcopy__(self, memory: Any) -> Fixed:
        return self


class Record(Fixed):
    """A dictionary whose keys are attributes, too.

    >>> end = Record({"time": 1.0, "state": Record({"x": 0.5})})
    >>> end.state["x"] == end["state"].x
    True
    """

    _instead = "answers are immutable, and dict(...) is a copy that can be changed"

    # Entries come before the methods of dictionaries: an entry `values` is reached as an attribute, too.
    def __getattribute__(self, name: str) -> Any:
        if dict.__contains__(self, name):
            return dict.__getitem__(self, name)
        return super().__getattribute__(name)

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"there is no `{name}`, only {', '.join(self)}")

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"`{name}` cannot be set: {object.__getattribute__(self, '_instead')}")

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *(key for key in self if key.isidentifier())]


class BranchPoint(Record):
    """A point of a branch. ``_returns`` is the period of its orbit in returns, which no entry says, or nothing where there is none.

    >>> BranchPoint({"period": 6.5}, 2)._returns
    2
    """

    _returns: int | None

    def __init__(self, entries: Any, returns: int | None = None) -> None:
        super().__init__(entries)
        object.__setattr__(self, "_returns", returns)

    def __reduce__(self) -> tuple[Any, ...]:
        return (BranchPoint, (dict(self), object.__getattribute__(self, "_returns")))


class Special(BranchPoint):
    """A special point of a branch: a bifurcation, or an end. ``position`` is where it is among them: branch and index, as ``curve`` takes them.

    >>> Special({"kind": "fold", "parameters": {"K": 0.25}}, (0, 1), "K")
    <fold at K = 0.25>
    >>> Special({"kind": "boundary", "sliding": "adding_sliding", "parameters": {"K": 0.5}}, (2, 0), "K")
    <adding_sliding at K = 0.5 on branch 2>
    """

    #: Its branch, 0 for the first and others from 1, and its index there.
    position: tuple[int, int]

    def __init__(self, entries: Any, position: tuple[int, int], along: str, returns: int | None = None) -> None:
        super().__init__(entries, returns)
        object.__setattr__(self, "position", position)
        object.__setattr__(self, "_along", along)

    def __repr__(self) -> str:
        branch, _ = object.__getattribute__(self, "position")
        along = object.__getattribute__(self, "_along")
        value = dict.get(self, "parameters", {}).get(along)
        at = f" at {along} = {value:.10g}" if value is not None else ""
        return f"<{dict.get(self, 'sliding') or dict.get(self, 'kind')}{at}{f' on branch {branch}' if branch else ''}>"

    def __reduce__(self) -> tuple[Any, ...]:
        own = object.__getattribute__
        return (Special, (dict(self), own(self, "position"), own(self, "_along"), own(self, "_returns")))


def entry(value: Any, name: str = "") -> Any:
    """The entry of an answer: objects become records, lists of numbers become arrays (``null`` is NaN).

    Multipliers and eigenvalues become arrays of complex numbers.

    >>> entry({"multipliers": [[0.5, 0.25]], "times": [1, 2.5, None]})
    {'multipliers': array([0.5+0.25j]), 'times': array([1. , 2.5, nan])}
    """
    if isinstance(value, dict):
        return Record({key: entry(one, key) for key, one in value.items()})
    if not isinstance(value, list):
        return value
    if not value:
        return np.zeros(0, complex) if name in COMPLEX else np.zeros(0) if name in REAL else value
    if name in COMPLEX:
        pairs = np.array([[np.nan if x is None else x for x in pair] for pair in value], dtype=float)
        return pairs[:, 0] + 1j * pairs[:, 1]
    if all(type(x) is int for x in value):
        return np.array(value)
    if all(x is None or type(x) in (int, float) for x in value):
        return np.array([np.nan if x is None else x for x in value], dtype=float)
    return [entry(one, name) for one in value]
