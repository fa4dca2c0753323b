"""Entries of answers: dictionaries whose keys are attributes, with numbers as NumPy arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["Record", "entry"]

#: The entries that are complex numbers, written as pairs of real and imaginary part.
COMPLEX = frozenset({"multipliers", "half_multipliers", "eigenvalues"})


class Record(dict[str, Any]):
    """A dictionary whose keys are attributes, too.

    >>> end = Record(time=1.0, state=Record(x=0.5))
    >>> end.state["x"] == end["state"].x
    True
    """

    # Entries come before the methods of dictionaries: an entry `values` is reached as an attribute, too.
    def __getattribute__(self, name: str) -> Any:
        if dict.__contains__(self, name):
            return dict.__getitem__(self, name)
        return super().__getattribute__(name)

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"there is no `{name}`, only {', '.join(self)}")

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *(key for key in self if key.isidentifier())]


def entry(value: Any, name: str = "") -> Any:
    """The entry of an answer: objects become records, lists of numbers become arrays (``null`` is NaN).

    Multipliers and eigenvalues become arrays of complex numbers.

    >>> entry({"multipliers": [[0.5, 0.25]], "times": [1, 2.5, None]})
    {'multipliers': array([0.5+0.25j]), 'times': array([1. , 2.5, nan])}
    """
    if isinstance(value, dict):
        return Record({key: entry(one, key) for key, one in value.items()})
    if not isinstance(value, list) or not value:
        return value
    if name in COMPLEX:
        pairs = np.array([[np.nan if x is None else x for x in pair] for pair in value], dtype=float)
        return pairs[:, 0] + 1j * pairs[:, 1]
    if all(type(x) is int for x in value):
        return np.array(value)
    if all(x is None or type(x) in (int, float) for x in value):
        return np.array([np.nan if x is None else x for x in value], dtype=float)
    return [entry(one, name) for one in value]
