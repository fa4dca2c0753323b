"""Tables of answers as data frames of pandas and polars, and as data sets of xarray; all three are optional."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

import numpy as np

from .errors import refusal

if TYPE_CHECKING:
    import pandas
    import polars
    import xarray

    from .answer import Answer, Table

__all__ = ["missing", "to_pandas", "to_polars", "to_xarray"]


def missing(module: str, extra: str) -> Any:
    """An optional module.

    :raises ImportError: if it is not installed, with the command that installs it.

    >>> missing("json", "plot").dumps(1)
    '1'
    """
    try:
        return importlib.import_module(module)
    except ImportError as error:
        top = module.split(".")[0]
        if error.name is not None and error.name.split(".")[0] != top:
            raise
        raise ImportError(f'{top} is not installed: pip install "saltation[{extra}]"', name=top) from None


def own_table(answer: Answer) -> tuple[str, Table] | None:
    """The table of an answer that has no tables of the library: equilibria, exponents, attractors, contacts."""
    plain = answer.to_dict()
    if answer.question == "equilibrium":
        rows = [
            {
                **rest["state"],
                **{f"force_{name}": force for name, force in rest["contact_force"].items()},
                "mode": rest["mode"],
                "leading_real_part": rest["eigenvalues"][0][0] if rest["eigenvalues"] else None,
                "stable": rest["stable"],
                "admissible": rest["admissible"],
            }
            for rest in plain["equilibria"]
        ]
        return "equilibria", from_rows(rows)
    if answer.question == "lyapunov":
        return "exponents", {"exponent": answer.exponents, "standard_error": np.array(plain["standard_errors"], dtype=float)}
    if answer.question == "check":
        parameters = plain["parameters"]
        return "parameters", {"name": list(parameters), "value": np.array(list(parameters.values()), dtype=float)}
    if answer.question == "contact":
        rows = [{name: one for name, one in each.items() if not isinstance(one, (dict, list))} for each in plain["solutions"]]
        for row, each in zip(rows, plain["solutions"], strict=True):
            for name in ("normal_force", "tangential_force", "accelerations"):
                row.update({f"{name}_{key}": value for key, value in each.get(name, {}).items()})
        return "solutions", from_rows(rows)
    return None


def from_rows(rows: list[dict[str, Any]]) -> Table:
    """Columns from rows; gaps among numbers are NaN.

    >>> from_rows([{"x": 1.0}, {"x": None, "mode": "flight"}])
    {'x': array([ 1., nan]), 'mode': [None, 'flight']}
    """
    names = list(dict.fromkeys(name for row in rows for name in row))
    columns: Table = {}
    for name in names:
        values = [row.get(name) for row in rows]
        if all(isinstance(value, bool) for value in values):
            columns[name] = np.array(values)
        elif all(value is None or isinstance(value, (int, float)) for value in values):
            columns[name] = np.array([np.nan if value is None else value for value in values], dtype=float)
        else:
            columns[name] = values
    return columns


def find(answer: Answer, name: str | None) -> tuple[str, Table]:
    """The table of this name, or the main one.

    >>> import saltation as st
    >>> find(st.gallery("bouncing-ball").simulate(until=1.0), None)[0]
    'events'
    """
    tables = dict(answer.tables)
    own = own_table(answer) if name is None or name not in tables else None
    if own is not None:
        tables.setdefault(*own)
    if name is None:
        main = answer._main if answer._main in tables else next(iter(tables), None)
        if main is None:
            raise refusal("table", "this answer has no tables", "its entries are in to_dict()")
        return main, tables[main]
    if name not in tables:
        known = ", ".join(tables) or "none"
        raise refusal("table", f"there is no table `{name}`", f"the tables are {known}")
    return name, tables[name]


def _attributes(answer: Answer) -> dict[str, Any]:
    return {"model": answer.system.name, "question": answer.question, **answer.system.parameters}


def to_pandas(answer: Answer, table: str | None = None) -> pandas.DataFrame:
    """A table as a data frame of pandas, with model and parameters in its ``attrs``."""
    module = missing("pandas", "pandas")
    frame = module.DataFrame(find(answer, table)[1])
    frame.attrs.update(_attributes(answer))
    return frame  # type: ignore[no-any-return]


def to_polars(answer: Answer, table: str | None = None) -> polars.DataFrame:
    """A table as a data frame of polars."""
    module = missing("polars", "polars")
    return module.DataFrame(find(answer, table)[1], strict=False)  # type: ignore[no-any-return]


def to_xarray(answer: Answer, table: str | None = None) -> xarray.Dataset:
    """A table as a data set: one dimension of rows; maps and grids of the answer have two, with their values as coordinates."""
    module = missing("xarray", "xarray")
    grid = _grid(answer) if table is None else None
    if grid is not None:
        variables, coordinates = grid
        return module.Dataset(variables, coords=coordinates, attrs=_attributes(answer))  # type: ignore[no-any-return]
    name, columns = find(answer, table)
    first = next(iter(columns), "row")
    # Samples are over time, points of a branch in their order.
    if first == "time" and name == "samples":
        variables = {key: ("time", np.asarray(value)) for key, value in columns.items() if key != "time"}
        return module.Dataset(variables, coords={"time": columns["time"]}, attrs=_attributes(answer))  # type: ignore[no-any-return]
    variables = {key: ("row", np.asarray(value)) for key, value in columns.items()}
    return module.Dataset(variables, attrs=_attributes(answer))  # type: ignore[no-any-return]


def _grid(answer: Answer) -> tuple[dict[str, Any], dict[str, Any]] | None:
    """The variables and coordinates of a map of two parameters, or of a grid of starts."""
    plain = answer.to_dict()
    if answer.question == "sweep" and plain["second"] and plain["tasks"]:
        first, second = plain["values"], plain["second_values"]
        if len(plain["tasks"]) != len(first) * len(second):
            return None
        dims, shape = (plain["second"], plain["parameter"]), (len(second), len(first))
        numbers = ("period", "attractor", "duration")
        arrays: dict[str, Any] = {
            name: (dims, np.array([np.nan if task[name] is None else task[name] for task in plain["tasks"]], float).reshape(shape))
            for name in numbers
        }
        for key in ("impacts", "extremes"):
            for name in plain["tasks"][0][key]:
                values = np.array([task[key].get(name) for task in plain["tasks"]], dtype=float)
                if values.ndim == 1:
                    arrays[f"{key}_{name}"] = (dims, values.reshape(shape))
                else:
                    arrays[f"min_{name}"] = (dims, values[:, 0].reshape(shape))
                    arrays[f"max_{name}"] = (dims, values[:, 1].reshape(shape))
        for k in range(len(plain["tasks"][0]["exponents"])):
            values = np.array([(task["exponents"] + [None] * (k + 1))[k] for task in plain["tasks"]], dtype=float)
            arrays[f"exponent_{k}"] = (dims, values.reshape(shape))
        return arrays, {plain["parameter"]: first, plain["second"]: second}
    grid = plain.get("grid") if answer.question == "basin" else None
    if grid and grid.get("attractors"):
        names, values = grid["states"], grid["values"]
        cells = np.array([np.nan if one is None else one for one in grid["attractors"]], dtype=float)
        cells = cells.reshape([len(one) for one in reversed(values)])
        return {"attractor": (tuple(reversed(names)), cells)}, dict(zip(names, values, strict=True))
    return None
