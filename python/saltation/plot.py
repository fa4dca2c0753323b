"""Answers drawn with matplotlib, in the style of the library: stability by colour and line, one palette for periods."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import numpy as np

from .errors import SaltationError, refusal
from .frames import missing
from .overlays import listed
from .plot_branch import COLORS, ORDINATES, branch, curve, equilibria, is_changing, labelled, legend

if TYPE_CHECKING:
    from collections.abc import Callable

    from matplotlib.axes import Axes

    from .answer import Answer

__all__ = ["draw", "draw_all"]

#: The colours of categories and of periods, which are those of the library: after six hues those between them, and their dark and light relatives.
CATEGORIES = (
    "#0072b2", "#e69f00", "#009e73", "#d55e00", "#56b4e9", "#cc79a7", "#f0e442", "#332288",
    "#999933", "#882255", "#99ddcc", "#663300", "#ffbbbb", "#115533", "#bea06e", "#3c3c3c",
)  # fmt: skip
#: The most categories that have a colour of their own.
MOST_COLORS = len(CATEGORIES) - 1
#: Periods up to this one have a colour of their own.
MOST_PERIODS = 12
#: The most intervals between numbers along the abscissa, so that they do not touch.
MOST_TICKS = 6


#: What is drawn on axes, and along which parameters, for what is laid over it.
_BELOW: WeakKeyDictionary[Axes, tuple[str, tuple[str, ...]]] = WeakKeyDictionary()
_WITH_ORDINATE = ("Branch", "EquilibriumBranch", "Sweep")


def draw(answer: Answer, ax: Axes | None = None, **shown: Any) -> Axes:
    """Draws an answer; ``shown`` are the names of what is drawn, which depend on the question. On axes that show something already, as a sweep, it is laid over
    that: the ranges stay.

    >>> import matplotlib; matplotlib.use("Agg")
    >>> import saltation as st
    >>> branch = st.gallery("ball-on-table").orbit().continue_("K", 0.1, 1.2)
    >>> draw(branch, ordinate="period").get_xlabel()
    'K'
    """
    painter = _PAINTERS.get(type(answer).__name__)
    if painter is None:
        raise SaltationError(f"there is no picture of the question {answer.question}")
    if ax is None:
        ax = missing("matplotlib.pyplot", "plot").subplots(layout="constrained", figsize=(7.6, 4.8))[1]
    along = _along(answer)
    if ax.has_data():
        # Laid over what is there, which keeps its axes; what is not said is what is drawn below.
        kind, (below, varied) = type(answer).__name__, _BELOW.get(ax, ("", ()))
        if along and varied and sorted(along) != sorted(varied):
            message = f"the {kind} varies {' and '.join(along)}, and what is drawn {' and '.join(varied)}"
            raise refusal("overlays", message, "lay branches over diagrams along their parameter, and curves over maps of both")
        name = ORDINATES.get(ax) if len(along) == 1 else None
        if name is not None and "ordinate" not in shown and kind in _WITH_ORDINATE:
            # Periods are times along branches and counts in sweeps.
            if kind != below and name not in ("impact_speed", *_states(answer)):
                raise refusal("overlays", f"what is drawn shows {name}, which a {kind} has not", "draw a state, or impact_speed")
            shown["ordinate"] = name
        if kind == "Curve" and varied:
            shown["horizontal"] = varied[0]
        kept = ax.get_xlim(), ax.get_ylim(), ax.get_xlabel(), ax.get_ylabel()
        painter(answer, ax, **shown)
        ax.set(xlim=kept[0], ylim=kept[1], xlabel=kept[2], ylabel=kept[3])
        return ax
    words = painter(answer, ax, **shown)
    _BELOW[ax] = (type(answer).__name__, along)
    if len(ax.get_xticks()) > MOST_TICKS:
        ax.locator_params(axis="x", nbins=MOST_TICKS)
    if not ax.get_title():
        ax.set_title(f"{answer.system.name}: {words}", fontsize=10)
    return ax


def draw_all(answer: Answer, ax: Axes | None, overlays: Any, **shown: Any) -> Axes:
    """Draws an answer, and others over it: answers, or paths of files that ``save`` wrote."""
    from .saved import load

    ax = draw(answer, ax, **shown)
    for one in listed(overlays):
        draw(load(one) if isinstance(one, (str, os.PathLike)) else one, ax)
    return ax


def _along(answer: Answer) -> tuple[str, ...]:
    """The parameters that vary in an answer."""
    plain = answer._plain()
    if type(answer).__name__ == "Sweep":
        return (plain["parameter"], plain["second"]) if plain["second"] else (plain["parameter"],)
    along = plain.get("along", ())
    return (along,) if isinstance(along, str) else tuple(along)


def _states(answer: Answer) -> list[str]:
    return answer.system.states


def _motion(answer: Answer, ax: Axes, show: Any = None, plane: tuple[str, str] | None = None) -> str:
    """Over time, or two quantities over each other: from samples, or else from the trajectory followed again."""
    tables = answer.tables
    columns = tables.get("samples") or tables.get("path")
    if columns is None:
        end, count = answer.to_dict()["end"]["time"], 2000
        if end <= 0:
            raise SaltationError("the trajectory has no duration")
        columns = answer._kept("sampled", lambda: answer._again(every=end / count)).tables["samples"]
    known = [name for name in columns if name != "time"]
    states = [name for name in _states(answer) if name in columns]
    if plane is not None:
        x, y = plane
        for name in (x, y):
            if name not in known:
                raise refusal("plane", f"there is no `{name}`", f"the names are {', '.join(known)}")
        ax.plot(columns[x], columns[y], color=COLORS[0], linewidth=1)
        ax.set_xlabel(labelled(answer, x))
        ax.set_ylabel(labelled(answer, y))
        return f"{y} over {x}"
    names = [show] if isinstance(show, str) else list(show) if show is not None else states[:1]
    for k, name in enumerate(names):
        if name not in known:
            raise refusal("show", f"there is no `{name}`", f"the names are {', '.join(known)}")
        ax.plot(columns["time"], columns[name], color=COLORS[k % len(COLORS)], linewidth=1, label=labelled(answer, name))
    ax.set_xlabel(labelled(answer, "", "time"))
    ax.set_ylabel(labelled(answer, names[0]) if len(names) == 1 else ", ".join(names))
    if len(names) > 1:
        legend(ax)
    return "a trajectory"


def _orbit(answer: Answer, ax: Axes, plane: tuple[str, str] | None = None, show: Any = None) -> str:
    states = _states(answer)
    if plane is None and show is None and len(states) >= 2:
        plane = (states[0], states[1])
    _motion(answer, ax, show=show, plane=plane)
    return f"a {'stable' if answer.stable else 'unstable'} orbit of period {answer.period:.6g}"


def _lyapunov(answer: Answer, ax: Axes) -> str:
    exponents, errors = answer.exponents, np.atleast_1d(answer.standard_errors)
    numbers = np.arange(1, len(exponents) + 1)
    # Minus infinity has no place.
    seen = np.isfinite(exponents)
    errors = np.where(np.isfinite(errors), errors, 0.0)
    ax.errorbar(numbers[seen], exponents[seen], yerr=errors[seen], fmt="o", color=COLORS[0], capsize=3)
    ax.axhline(0, color="0.7", linewidth=0.8)
    ax.set_xlim(0.5, len(exponents) + 0.5)
    ax.set_xticks(numbers)
    ax.set_xlabel("number of the exponent")
    time = answer.system.units.get("")
    ax.set_ylabel("Lyapunov exponent" + (f" in 1/{time}" if time else " per unit of time"))
    left_out = f", {int((~seen).sum())} of them minus infinity" if not seen.all() else ""
    return f"Lyapunov exponents with standard errors{left_out}"


def _fit(answer: Answer, ax: Axes) -> str:
    """The residuals of all columns over time, in their standard deviations."""
    plain = answer.to_dict()
    residuals = plain["residuals"]
    names = np.array(residuals["column"], dtype=object)
    missed = (np.array(residuals["measured"], dtype=float) - np.array(residuals["model"], dtype=float)) / np.array(residuals["sigma"], dtype=float)
    time = np.array(residuals["time"], dtype=float)
    for k, column in enumerate(plain["columns"]):
        own = names == column["name"]
        ax.plot(time[own], missed[own], "o", markersize=3.5, color=COLORS[k % len(COLORS)], label=column["name"])
    ax.axhline(0, color="0.3", linewidth=0.8)
    for level in (-2, 2):
        ax.axhline(level, color="0.7", linewidth=0.8, linestyle="--")
    ax.set_xlabel("time" + (f" in {answer.system.units['']}" if answer.system.units.get("") else ""))
    ax.set_ylabel("measured less model, in standard deviations")
    legend(ax)
    return "residuals of a fit"


def _rests(answer: Answer, ax: Axes) -> str:
    """The eigenvalues of all equilibria in the complex plane."""
    for k, rest in enumerate(answer.to_dict()["equilibria"]):
        values = np.array(rest["eigenvalues"], dtype=float).reshape(-1, 2)
        kind = "stable" if rest["stable"] else "unstable"
        label = f"{rest['mode']}, {kind if rest['admissible'] else 'not admissible'}"
        ax.plot(values[:, 0], values[:, 1], "o", color=COLORS[k % len(COLORS)], label=label)
    ax.axvline(0, color="0.7", linewidth=0.8)
    ax.set_xlabel("real part of the eigenvalues")
    ax.set_ylabel("imaginary part")
    legend(ax)
    return "equilibria"


def _sweep(answer: Answer, ax: Axes, ordinate: str | None = None) -> str:
    plain = answer.to_dict()
    if plain["second"]:
        return _map(answer, plain, ax, ordinate)
    states = _states(answer)
    along = plain["parameter"]
    # The first state that changes.
    changes = (state for state in states if is_changing([record["state"][state]] for record in plain["records"]))
    name = ordinate or next(changes, states[0])
    if name == "impact_speed":
        pairs = [(record["value"], -speed) for record in plain["records"] for speed in record["impact_speeds"]]
    elif name in states:
        pairs = [(record["value"], record["state"][name]) for record in plain["records"]]
    elif name in ("period", "duration"):
        pairs = [(task["parameters"][along], task[name]) for task in plain["tasks"] if task[name] is not None]
    elif name == "exponent":
        pairs = [(task["parameters"][along], task["exponents"][0]) for task in plain["tasks"] if task["exponents"]]
        pairs = [(x, y) for x, y in pairs if y is not None]
    else:
        names = ["impact_speed", "period", "duration", "exponent", *states]
        raise refusal("ordinate", f"there is no `{name}` in a sweep", f"the names are {', '.join(names)}")
    if not pairs:
        raise SaltationError(f"no trajectory has a value of {name}; records that are in a folder are read with records=True")
    x, y = zip(*pairs, strict=True)
    ax.plot(x, y, ".", color="black", markersize=2.2, markeredgewidth=0)
    ax.set_xlabel(labelled(answer, along))
    ax.set_ylabel(labelled(answer, name, name.replace("_", " ")))
    ORDINATES[ax] = name
    return f"returns along {along} after {plain['settled']} returns"


def _cells(ax: Axes, x: Any, y: Any, cells: Any, names: dict[float, str], rest: str, alpha: float = 1.0, colors_of: dict[float, str] | None = None) -> None:
    """Cells of categories with a legend; what has no name is one colour, what is not a number is white."""
    from matplotlib.colors import ListedColormap
    from matplotlib.patches import Patch

    shown = list(names)[:MOST_COLORS]
    index = np.full(cells.shape, np.nan)
    for k, value in enumerate(shown):
        index[cells == value] = k
    others = np.isfinite(cells) & np.isnan(index)
    index[others] = len(shown)
    palette = [(colors_of or {}).get(value, CATEGORIES[k]) for k, value in enumerate(shown)] + ["#b9b9b9"]
    colors = ListedColormap(palette)
    ax.pcolormesh(x, y, index, shading="nearest", cmap=colors, vmin=-0.5, vmax=len(shown) + 0.5, alpha=alpha)
    handles = [Patch(color=palette[k], label=names[value], alpha=alpha) for k, value in enumerate(shown)]
    if others.any():
        handles.append(Patch(color=palette[-1], label="others"))
    if np.isnan(cells).any() and rest:
        handles.append(Patch(facecolor="white", edgecolor="0.6", label=rest))
    legend(ax, handles=handles)


def _map(answer: Answer, plain: dict[str, Any], ax: Axes, ordinate: str | None) -> str:
    name = ordinate or "period"
    if name not in ("period", "exponent", "attractor", "duration"):
        raise refusal("ordinate", f"there is no `{name}` in a map", "the names are period, exponent, attractor, duration")

    def value(task: dict[str, Any]) -> float:
        found = (task["exponents"] or [None])[0] if name == "exponent" else task[name]
        return float("nan") if found is None else found

    if not plain["tasks"]:
        raise SaltationError("no trajectory is part of the answer; tasks that are in a folder are read with records=True")
    cells = np.array([value(task) for task in plain["tasks"]], dtype=float)
    cells = cells.reshape(len(plain["second_values"]), len(plain["values"]))
    x, y = plain["values"], plain["second_values"]
    if name in ("period", "attractor"):
        found = np.unique(cells[np.isfinite(cells)]).tolist()
        # Attractors are counted from 1 in what is shown.
        shown = {one: f"{name} {int(one) + (name == 'attractor')}" for one in found}
        colors = None
        if name == "period":
            # A period has its colour in all pictures; long ones share one, and none has black.
            longer = float(MOST_PERIODS + 1)
            cells = np.where(cells > MOST_PERIODS, longer, cells)
            shown = {one: words for one, words in shown.items() if one <= MOST_PERIODS}
            colors = {one: CATEGORIES[int(one) - 1] for one in shown if one > 0}
            if (cells == longer).any():
                shown[longer], colors[longer] = "longer", CATEGORIES[MOST_PERIODS]
            complete = np.array([task["ended"] == "complete" for task in plain["tasks"]]).reshape(cells.shape)
            none = complete & (np.isnan(cells) | (cells == 0))
            cells = np.where(none, 0.0, cells)
            if none.any():
                shown[0.0], colors[0.0] = "no period", "black"
        _cells(ax, x, y, cells, shown, "ended early" if name == "period" else "none", colors_of=colors)
    else:
        drawn = ax.pcolormesh(x, y, cells, shading="nearest")
        figure = ax.get_figure()
        if figure is not None:
            figure.colorbar(drawn, ax=ax, label="largest exponent" if name == "exponent" else labelled(answer, "", "duration"))
    ax.set_xlabel(labelled(answer, plain["parameter"]))
    ax.set_ylabel(labelled(answer, plain["second"]))
    return f"{name} over {plain['parameter']} and {plain['second']}"


def _attractor(k: int, one: dict[str, Any]) -> str:
    """What an attractor is, in a few words."""
    kind = "equilibrium" if one["kind"] == "rest" else one["kind"]
    return f"{k + 1}: period {one['period']}" if one.get("period") else f"{k + 1}: {kind}"


def _basin(answer: Answer, ax: Axes) -> str:
    plain = answer.to_dict()
    grid = plain["grid"]
    shares = plain["fractions"] if len(plain["fractions"]) == len(plain["attractors"]) and not plain["slices"] else None
    percent = [f" ({100 * share:.3g} %)" for share in shares] if shares else [""] * len(plain["attractors"])
    names = {float(k): _attractor(k, one) + percent[k] for k, one in enumerate(plain["attractors"])}
    if grid and len(grid["states"]) == 2 and grid["attractors"]:
        x, y = grid["values"]
        cells = np.array([np.nan if one is None else one for one in grid["attractors"]], dtype=float)
        _cells(ax, x, y, cells.reshape(len(y), len(x)), names, "undecided")
        ax.set_xlabel(labelled(answer, grid["states"][0]))
        ax.set_ylabel(labelled(answer, grid["states"][1]))
        return "basins of attraction"
    if plain["slices"]:
        x = [one["value"] for one in plain["slices"]]
        parts = np.array([one["fractions"] for one in plain["slices"]]).T
        ax.stackplot(x, parts, colors=CATEGORIES, labels=list(names.values()))
        ax.set_xlabel(labelled(answer, plain["parameter"]))
        legend(ax)
    else:
        places = range(1, len(names) + 1)
        ax.barh(places, plain["fractions"], xerr=plain["standard_errors"], color=COLORS[0], capsize=3)
        ax.set_yticks(places, list(names.values()))
        ax.invert_yaxis()
        ax.set_ylabel("attractor")
        ax.set_xlabel("fraction of the starts")
        return "fractions of basins"
    ax.set_ylabel("fraction of the starts")
    return "fractions of basins"


def _contact(answer: Answer, ax: Axes) -> str:
    """The map: regions in colours, with the curves on which quantities vanish."""
    plain = answer.to_dict()["map"]
    if plain is None:
        raise SaltationError("there is no map to draw: ask for one with map=[...]")
    words = sorted({word for row in plain["status"] for word in row if word})
    cells = np.array([[words.index(word) if word else np.nan for word in row] for row in plain["status"]], dtype=float)
    x, y = plain["values"]
    for curve_ in plain["curves"]:
        points = np.array(curve_["points"], dtype=float)
        ax.plot(points[:, 0], points[:, 1], color="black", linewidth=0.8)
    _cells(ax, x, y, cells, {float(k): word for k, word in enumerate(words)}, "", alpha=0.65)
    ax.set_xlabel(labelled(answer, plain["names"][0]))
    ax.set_ylabel(labelled(answer, plain["names"][1]))
    return "solutions of the contact problem"


def _modes(answer: Answer, ax: Axes) -> str:
    """Energy against frequency: admissible solutions filled, others open."""
    plain = answer.to_dict()
    for admissible, fill, label in ((True, COLORS[0], "admissible"), (False, "none", "not admissible")):
        modes = [mode for mode in plain["modes"] if mode["admissible"] is admissible and mode["energy"] is not None]
        x, y = [mode["frequency"] for mode in modes], [mode["energy"] for mode in modes]
        if modes:
            ax.plot(x, y, "o", color=COLORS[0], markerfacecolor=fill, markersize=4, label=label)
    ax.set_xlabel("frequency in radians per " + (answer.system.units.get("") or "unit of time"))
    ax.set_ylabel("energy")
    ax.set_yscale("log")
    legend(ax)
    return "nonsmooth modes"


_PAINTERS: dict[str, Callable[..., str]] = {
    "Branch": branch,
    "EquilibriumBranch": equilibria,
    "Curve": curve,
    "Simulation": _motion,
    "Stepping": _motion,
    "Orbit": _orbit,
    "Lyapunov": _lyapunov,
    "Fit": _fit,
    "Equilibria": _rests,
    "Sweep": _sweep,
    "Basin": _basin,
    "Contact": _contact,
    "Modes": _modes,
}
