"""The fields of a fit as the library has them: columns of data, what is free, what columns measure and how exact they are."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from .errors import refusal

__all__ = ["fit_fields"]


def fit_fields(fields: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a fit as the library has them.

    >>> fit_fields({"data": {"time": [0, 1], "x": [0.5, None]}, "free": {"e": (0.5, 0.9), "start.x": None}, "sigma": {"x": 0.01}})
    {'data': {'time': [0.0, 1.0], 'x': [0.5, nan]}, 'free': ['e=0.5:0.9', 'start.x'], 'sigma': ['x=0.01']}
    >>> fit_fields({"data": "impacts.csv", "free": "e=0.5:0.9, g"})
    {'data': 'impacts.csv', 'free': ['e=0.5:0.9', 'g']}
    """
    given = {name: value for name, value in fields.items() if value is not None}
    if "data" in given:
        given["data"] = _data(given["data"])
    if "free" in given:
        given["free"] = _free(given["free"])
    for name, form in (("column", '{"y": "x + offset"}'), ("sigma", '{"x": 0.01}')):
        if name in given:
            given[name] = _assigned(name, given[name], form)
    return given


def _data(data: Any) -> Any:
    """Columns by name, from a mapping or a data frame; a path stays one."""
    if isinstance(data, (str, os.PathLike)):
        return os.fspath(data)
    try:
        names = list(data.columns) if hasattr(data, "columns") else list(data)
        return {str(name): [_number(value) for value in data[name]] for name in names}
    except (TypeError, ValueError, KeyError, IndexError) as error:
        help_ = 'give a mapping such as {"time": t, "x": x}, a data frame, or the path of a CSV file'
        raise refusal("data", f"these are no columns of numbers: {error}", help_) from None


def _number(value: Any) -> float:
    return float("nan") if value is None else float(value)


def _free(free: Any) -> list[str]:
    """What is free as texts: ``e=0.5:0.9``."""
    if isinstance(free, str):
        return [one.strip() for one in free.split(",")]
    if not isinstance(free, Mapping):
        return [str(one) for one in free]
    found = []
    for name, bounds in free.items():
        if bounds is None:
            found.append(str(name))
            continue
        try:
            low, high = bounds
        except (TypeError, ValueError):
            raise refusal("free", f"the bounds of {name} are {bounds!r}", 'give for example {"e": (0.5, 0.9), "g": None}') from None
        found.append(f"{name}={low}:{high}")
    return found


def _assigned(field: str, given: Any, form: str) -> list[str]:
    if isinstance(given, Mapping):
        return [f"{name}={value}" for name, value in given.items()]
    if isinstance(given, str):
        return [given]
    try:
        return [str(one) for one in given]
    except TypeError:
        raise refusal(field, f"{given!r} names no columns", f"give for example {form}") from None
