"""Answers drawn with matplotlib: stability by the style of lines, bifurcations with markers and labels."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .errors import SaltationError, refusal
from .frames import missing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from matplotlib.axes import Axes

    from .answers import Answer

__all__ = ["draw"]

#: The style of stable, unstable and virtual solutions.
STYLES = {"stable": "-", "unstable": "--", "virtual": ":"}
COLORS = ("#1f5fa8", "#c4532a", "#2f8f5b", "#7a4fa3", "#8c6d1f", "#3b8ea5")
#: Virtual solutions have less colour.
ALPHA = {"stable": 1.0, "unstable": 1.0, "virtual": 0.5}


def draw(answer: Answer, ax: Axes | None = None, **shown: Any) -> Axes:
    """Draws an answer; ``shown`` are the names of what is drawn, which depend on the question.

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
        ax = missing("matplotlib.pyplot", "plot").subplots(layout="constrained")[1]
    painter(answer, ax, **shown)
    return ax


def _states(answer: Answer) -> list[str]:
    return answer.system.states


def _kind(point: dict[str, Any]) -> str:
    if not point["admissible"]:
        return "virtual"
    return "stable" if point["stable"] else "unstable"


def _stretches(points: list[dict[str, Any]]) -> Iterable[tuple[str, int, int]]:
    """Points in a row of one kind: kind, first and last; each reaches to the next stretch."""
    begin = 0
    for i in range(1, len(points) + 1):
        if i == len(points) or _kind(points[i]) != _kind(points[begin]):
            yield _kind(points[begin]), begin, min(i + 1, len(points))
            begin = i


def _parameter(answer: Answer, name: str) -> str:
    return name


def _ordinate(answer: Answer, name: str | None, points: list[dict[str, Any]]) -> tuple[str, Callable[[Any], list[float]]]:
    """The quantity drawn: its label, and its values at a point (one per impact for impact speeds)."""
    states = _states(answer)
    if name is None:
        name = "impact_speed" if any(point.get("impact_speeds") for point in points) else states[0]
    words = ["impact_speed", "period", "multiplier", *states]
    if name not in words:
        raise refusal("ordinate", f"there is no `{name}` along a branch", f"the names are {', '.join(words)}")
    if name == "impact_speed":
        return "impact speed", lambda point: list(point.get("impact_speeds") or [])
    if name == "period":
        return "period", lambda point: [] if point.get("period") is None else [point["period"]]
    if name == "multiplier":
        return "modulus of the leading multiplier", lambda point: [float(np.hypot(*pair)) for pair in point["multipliers"][:1]]
    return name, lambda point: [point["state"][name]]


def _lines(ax: Axes, along: str, points: list[dict[str, Any]], values: Any, color: str, label: str) -> None:
    first = True
    for kind, begin, end in _stretches(points):
        part = points[begin:end]
        count = max((len(values(point)) for point in part), default=0)
        for k in range(count):
            pairs = [(point["parameters"][along], values(point)[k]) for point in part if len(values(point)) > k]
            x, y = zip(*pairs, strict=True)
            name = label if first else None
            ax.plot(x, y, STYLES[kind], color=color, alpha=ALPHA[kind], linewidth=1.5, label=name)
            first = False


def _special(ax: Axes, along: str, special: list[dict[str, Any]], values: Any, color: str) -> None:
    for one in special:
        if one["kind"] == "end":
            continue
        at = values(one)
        if at:
            x, y = one["parameters"][along], at[0]
            ax.plot([x], [y], "o", color=color, markersize=4, markeredgecolor="white")
            ax.annotate(one["kind"].replace("_", " "), (x, y), xytext=(4, 4), textcoords="offset points", fontsize=8)


def _branch(answer: Answer, ax: Axes, ordinate: str | None = None) -> None:
    plain = answer.to_dict()
    along = plain["along"]
    label, values = _ordinate(answer, ordinate, plain["points"])
    for k, branch in enumerate([plain, *plain["branches"]]):
        color = COLORS[k % len(COLORS)]
        _lines(ax, along, branch["points"], values, color, f"branch {k}")
        _special(ax, along, branch["special"], values, color)
    ax.set_xlabel(_parameter(answer, along))
    ax.set_ylabel(label)
    if len(plain["branches"]) > 0:
        ax.legend(fontsize=8)


def _equilibria(answer: Answer, ax: Axes, ordinate: str | None = None) -> None:
    name = ordinate or _states(answer)[0]
    if name not in _states(answer):
        raise refusal("ordinate", f"there is no state `{name}`", f"the states are {', '.join(_states(answer))}")
    plain = answer.to_dict()
    along = plain["along"]
    for k, branch in enumerate([plain, *plain["branches"]]):
        color = COLORS[k % len(COLORS)]
        kind = "limit cycles" if branch.get("kind") == "orbit" else "equilibria"
        _lines(ax, along, branch["points"], lambda point: [point["state"][name]], color, kind)
        _special(ax, along, branch["special"], lambda point: [point["state"][name]], color)
    ax.set_xlabel(along)
    ax.set_ylabel(name)
    if len(plain["branches"]) > 0:
        ax.legend(fontsize=8)


def _curve(answer: Answer, ax: Axes) -> None:
    plain = answer.to_dict()
    first, second = plain["along"]
    x = [point["parameters"][first] for point in plain["points"]]
    y = [point["parameters"][second] for point in plain["points"]]
    ax.plot(x, y, color=COLORS[0], label=plain["kind"].replace("_", " "))
    for one in plain["special"]:
        at = one["parameters"][first], one["parameters"][second]
        ax.plot(*[[value] for value in at], "o", color=COLORS[1], markersize=4)
        ax.annotate(one["kind"].replace("_", " "), at, xytext=(4, 4), textcoords="offset points", fontsize=8)
    ax.set_xlabel(first)
    ax.set_ylabel(second)
    ax.legend(fontsize=8)


def _motion(answer: Answer, ax: Axes, show: Any = None, plane: tuple[str, str] | None = None) -> None:
    """Over time, or two states over each other: from samples, or else from the states at events."""
    tables = answer.tables
    columns = tables.get("samples") or tables.get("path")
    if columns is None:
        end, count = answer.to_dict()["end"]["time"], 2000
        if end <= 0:
            raise SaltationError("the motion has no duration")
        columns = answer._kept("sampled", lambda: answer._again(every=end / count)).tables["samples"]
    known = [name for name in columns if name != "time"]
    states = [name for name in _states(answer) if name in columns]
    if plane is not None:
        x, y = plane
        for name in (x, y):
            if name not in known:
                raise refusal("plane", f"there is no `{name}`", f"the names are {', '.join(known)}")
        ax.plot(columns[x], columns[y], color=COLORS[0], linewidth=1)
        ax.set_xlabel(x)
        ax.set_ylabel(y)
        return
    names = [show] if isinstance(show, str) else list(show) if show is not None else states[:1]
    for k, name in enumerate(names):
        if name not in known:
            raise refusal("show", f"there is no `{name}`", f"the names are {', '.join(known)}")
        ax.plot(columns["time"], columns[name], color=COLORS[k % len(COLORS)], linewidth=1, label=name)
    ax.set_xlabel("time")
    if len(names) == 1:
        ax.set_ylabel(names[0])
    else:
        ax.legend(fontsize=8)


def _orbit(answer: Answer, ax: Axes, plane: tuple[str, str] | None = None, show: Any = None) -> None:
    states = _states(answer)
    if plane is None and show is None and len(states) >= 2:
        plane = (states[0], states[1])
    _motion(answer, ax, show=show, plane=plane)
    ax.plot([], [], " ", label="stable" if answer.stable else "unstable")
    ax.legend(fontsize=8, handlelength=0)


def _lyapunov(answer: Answer, ax: Axes) -> None:
    exponents = np.atleast_1d(answer.exponents)
    errors = np.atleast_1d(answer.standard_errors)
    ax.errorbar(range(1, len(exponents) + 1), exponents, yerr=errors, fmt="o", color=COLORS[0], capsize=3)
    ax.axhline(0, color="0.7", linewidth=0.8)
    ax.set_xlabel("number of the exponent")
    ax.set_ylabel("Lyapunov exponent per unit of time")
    ax.set_xticks(range(1, len(exponents) + 1))


def _rests(answer: Answer, ax: Axes) -> None:
    """The eigenvalues of all equilibria in the complex plane."""
    for k, rest in enumerate(answer.to_dict()["equilibria"]):
        values = np.array(rest["eigenvalues"], dtype=float).reshape(-1, 2)
        ax.plot(values[:, 0], values[:, 1], "o", color=COLORS[k % len(COLORS)], label=rest["mode"])
    ax.axvline(0, color="0.7", linewidth=0.8)
    ax.set_xlabel("real part of the eigenvalues")
    ax.set_ylabel("imaginary part")
    ax.legend(fontsize=8)


def _sweep(answer: Answer, ax: Axes, ordinate: str | None = None) -> None:
    plain = answer.to_dict()
    if plain["second"]:
        _map(plain, ax, ordinate)
        return
    states = _states(answer)
    name = ordinate or states[0]
    if name == "impact_speed":
        pairs = [(record["value"], abs(speed)) for record in plain["records"] for speed in record["impact_speeds"]]
    elif name in states:
        pairs = [(record["value"], record["state"][name]) for record in plain["records"]]
    elif name in ("period", "duration"):
        pairs = [(task["parameters"][plain["parameter"]], task[name]) for task in plain["tasks"] if task[name] is not None]
    elif name == "exponent":
        pairs = [(task["parameters"][plain["parameter"]], task["exponents"][0]) for task in plain["tasks"] if task["exponents"]]
    else:
        raise refusal("ordinate", f"there is no `{name}` in a sweep", f"the names are impact_speed, period, exponent, {', '.join(states)}")
    if not pairs:
        raise SaltationError(f"no motion has a value of {name}; records that are in a folder are read with records=True")
    x, y = zip(*pairs, strict=True)
    ax.plot(x, y, ",", color=COLORS[0])
    ax.set_xlabel(plain["parameter"])
    ax.set_ylabel(name.replace("_", " "))


def _map(plain: dict[str, Any], ax: Axes, ordinate: str | None) -> None:
    name = ordinate or "period"
    if name not in ("period", "exponent", "attractor", "duration"):
        raise refusal("ordinate", f"there is no `{name}` in a map", "the names are period, exponent, attractor, duration")

    def value(task: dict[str, Any]) -> float:
        found = (task["exponents"] or [None])[0] if name == "exponent" else task[name]
        return float("nan") if found is None else found

    cells = np.array([value(task) for task in plain["tasks"]], dtype=float)
    cells = cells.reshape(len(plain["second_values"]), len(plain["values"]))
    drawn = ax.pcolormesh(plain["values"], plain["second_values"], cells, shading="nearest")
    if ax.figure is not None:
        ax.figure.colorbar(drawn, ax=ax, label=name)
    ax.set_xlabel(plain["parameter"])
    ax.set_ylabel(plain["second"])


def _basin(answer: Answer, ax: Axes) -> None:
    plain = answer.to_dict()
    grid = plain["grid"]
    if grid and len(grid["states"]) == 2 and grid["attractors"]:
        from matplotlib.colors import ListedColormap

        x, y = grid["values"]
        cells = np.array([np.nan if one is None else one for one in grid["attractors"]], dtype=float)
        count = max(len(plain["attractors"]), 1)
        colors = ListedColormap([COLORS[k % len(COLORS)] for k in range(count)])
        ax.pcolormesh(x, y, cells.reshape(len(y), len(x)), shading="nearest", cmap=colors, vmin=-0.5, vmax=count - 0.5)
        ax.set_xlabel(grid["states"][0])
        ax.set_ylabel(grid["states"][1])
        return
    if plain["slices"]:
        x = [one["value"] for one in plain["slices"]]
        ax.stackplot(x, np.array([one["fractions"] for one in plain["slices"]]).T, colors=COLORS)
        ax.set_xlabel(plain["parameter"])
    else:
        ax.bar(range(len(plain["fractions"])), plain["fractions"], yerr=plain["standard_errors"], color=COLORS[0])
        ax.set_xlabel("attractor")
    ax.set_ylabel("fraction of the starts")


def _contact(answer: Answer, ax: Axes) -> None:
    """The map: regions in colours, with the curves on which quantities vanish."""
    plain = answer.to_dict()["map"]
    if plain is None:
        raise SaltationError("there is no map to draw: ask for one with map=[...]")
    words = sorted({word for row in plain["status"] for word in row if word})
    cells = np.array([[words.index(word) if word else np.nan for word in row] for row in plain["status"]], dtype=float)
    x, y = plain["values"]
    from matplotlib.colors import ListedColormap
    from matplotlib.patches import Patch

    colors = [COLORS[k % len(COLORS)] for k in range(len(words))]
    ax.pcolormesh(x, y, cells, shading="nearest", cmap=ListedColormap(colors), vmin=-0.5, vmax=len(words) - 0.5, alpha=0.6)
    for curve in plain["curves"]:
        points = np.array(curve["points"], dtype=float)
        ax.plot(points[:, 0], points[:, 1], color="black", linewidth=0.8)
    ax.legend(handles=[Patch(color=color, label=word) for word, color in zip(words, colors, strict=True)], fontsize=8)
    ax.set_xlabel(plain["names"][0])
    ax.set_ylabel(plain["names"][1])


def _modes(answer: Answer, ax: Axes) -> None:
    """Energy against frequency: admissible motions filled, others open."""
    plain = answer.to_dict()
    for admissible, fill in ((True, COLORS[0]), (False, "none")):
        modes = [mode for mode in plain["modes"] if mode["admissible"] is admissible and mode["energy"] is not None]
        x, y = [mode["frequency"] for mode in modes], [mode["energy"] for mode in modes]
        ax.plot(x, y, "o", color=COLORS[0], markerfacecolor=fill, markersize=4, label="admissible" if admissible else "not admissible")
    ax.set_xlabel("frequency in radians per unit of time")
    ax.set_ylabel("energy")
    ax.set_yscale("log")
    ax.legend(fontsize=8)


_PAINTERS: dict[str, Callable[..., None]] = {
    "Branch": _branch,
    "EquilibriumBranch": _equilibria,
    "Curve": _curve,
    "Simulation": _motion,
    "Stepping": _motion,
    "Orbit": _orbit,
    "Lyapunov": _lyapunov,
    "Equilibria": _rests,
    "Sweep": _sweep,
    "Basin": _basin,
    "Contact": _contact,
    "Modes": _modes,
}
