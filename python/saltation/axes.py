"""Values of parameters and states as requests name them: ranges with a number of points, logarithmic ranges, lists."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from .errors import RequestError, refusal

__all__ = ["axes", "columns", "contact_axis", "ranges"]

_FORM = 'give (low, high, points), (low, high, points, "log"), or a list of values'


def _pairs(field: str, given: Any) -> list[tuple[str, Any]]:
    """Names with their values, from a mapping or from a list of tuples that begin with the name."""
    if isinstance(given, Mapping):
        return [(str(name), value) for name, value in given.items()]
    if isinstance(given, (list, tuple)):
        if given and isinstance(given[0], str):
            given = [given]
        if all(isinstance(one, (list, tuple)) and len(one) >= 2 and isinstance(one[0], str) for one in given):
            return [(one[0], one[1] if len(one) == 2 else tuple(one[1:])) for one in given]
    raise refusal(field, "names with their values are needed", 'give for example {"A": (0.3, 0.4, 200)}')


def axes(field: str, given: Any) -> list[dict[str, Any]]:
    """Axes with their values.

    >>> axes("along", {"A": (0.3, 0.4, 5)})
    [{'name': 'A', 'range': [0.3, 0.4], 'points': 5}]
    >>> axes("along", {"A": (0.1, 10, 3, "log"), "omega": [0.7, 0.8]})
    [{'name': 'A', 'range': [0.1, 10], 'points': 3, 'logarithmic': True}, {'name': 'omega', 'values': [0.7, 0.8]}]
    """
    return [_axis(field, name, value) for name, value in _pairs(field, given)]


def _axis(field: str, name: str, value: Any) -> dict[str, Any]:
    if isinstance(value, tuple):
        if len(value) == 4 and value[3] == "log":
            low, high, points, _ = value
            return {"name": name, "range": [low, high], "points": points, "logarithmic": True}
        if len(value) == 3:
            low, high, points = value
            return {"name": name, "range": [low, high], "points": points}
        raise refusal(field, f"the values of {name} are a tuple of {len(value)}", _FORM)
    if isinstance(value, Mapping):
        return {"name": name, **value}
    return {"name": name, "values": _list(field, name, value)}


def _list(field: str, name: str, value: Any) -> list[Any]:
    shape = getattr(value, "shape", None)
    if shape is not None and len(shape) != 1:
        raise refusal(field, f"the values of {name} have the shape {tuple(shape)}, not one dimension", _FORM)
    if isinstance(value, (str, bytes)) or not isinstance(value, Iterable):
        raise refusal(field, f"the values of {name} are {value!r}", _FORM)
    return list(value)


def ranges(field: str, given: Any) -> list[list[Any]]:
    """Ranges of states.

    >>> ranges("random", {"x": (-2, 0)})
    [['x', -2, 0]]
    """
    found = []
    for name, value in _pairs(field, given):
        found.append([name, *_pair(field, name, value)])
    return found


def _pair(field: str, name: str, value: Any) -> list[Any]:
    values = value if isinstance(value, tuple) else _list(field, name, value)
    if len(values) != 2:
        raise refusal(field, f"the range of {name} has {len(values)} numbers, not 2", "give (low, high)")
    return list(values)


def contact_axis(field: str, given: Any, counted: bool) -> list[dict[str, Any]]:
    """Axes of a map of contact problems.

    >>> contact_axis("map", [("angle", 0.1, 1.5, 300)], True)
    [{'name': 'angle', 'low': 0.1, 'high': 1.5, 'count': 300}]
    """
    wanted = 3 if counted else 2
    form = "give (name, low, high, points)" if counted else "give (name, low, high)"
    found = []
    for name, value in _pairs(field, given):
        values = list(value) if isinstance(value, (list, tuple)) else [value]
        if len(values) != wanted:
            raise refusal(field, f"{name} has {len(values)} values, not {wanted}", form)
        found.append(dict(zip(("name", "low", "high", "count"), [name, *values], strict=False)))
    return found


def columns(field: str, given: Any) -> tuple[list[str], list[list[float]]]:
    """States with their values, from a mapping of columns, a data frame, or a list of mappings: names and rows.

    >>> columns("starts", {"x": [0.0, -0.5], "y": [1.0, 2.0]})
    (['x', 'y'], [[0.0, 1.0], [-0.5, 2.0]])
    >>> columns("starts", [{"x": 0.0}, {"x": -0.5}])
    (['x'], [[0.0], [-0.5]])
    """
    try:
        if isinstance(given, (list, tuple)):
            names = list(given[0]) if given else []
            if any(list(row) != names for row in given):
                raise refusal(field, "the starts do not all have the same states", "give every start the same states")
            return names, [[float(row[name]) for name in names] for row in given]
        names = [str(name) for name in (given.columns if hasattr(given, "columns") else given)]
        lists = [[float(x) for x in given[name]] for name in names]
    except RequestError:
        raise
    except (TypeError, ValueError, KeyError, IndexError, AttributeError) as error:
        help_ = 'give for example {"x": [0.0, -0.5], "y": [1.0, 2.0]}'
        raise refusal(field, f"these are no columns of numbers: {error}", help_) from None
    lengths = {len(one) for one in lists}
    if len(lengths) > 1:
        sizes = ", ".join(f"{name} has {len(one)}" for name, one in zip(names, lists, strict=True))
        raise refusal(field, f"the columns have different lengths: {sizes}", "give every start a value of every state")
    return names, [list(row) for row in zip(*lists, strict=True)]
