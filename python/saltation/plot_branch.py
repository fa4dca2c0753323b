"""Branches and curves drawn with matplotlib: stability by the style of lines, one marker per kind of bifurcation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .errors import refusal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from matplotlib.axes import Axes

    from .answers import Answer

__all__ = ["COLORS", "branch", "curve", "equilibria", "labelled", "legend"]

COLORS = ("#1f5fa8", "#c4532a", "#2f8f5b", "#7a4fa3", "#8c6d1f", "#3b8ea5")
#: The style of solutions, the word for it, and their share of colour.
STYLES: dict[str, tuple[Any, str, float]] = {"stable": ("-", "stable", 1.0), "unstable": ("--", "unstable", 1.0), "virtual": (":", "not admissible", 0.5)}
#: The markers of the kinds of bifurcations, in the order in which they are met.
MARKERS = "os^DvP*X<>hp"
#: The share of the range that is left free above and below.
MARGIN = 0.06


def labelled(answer: Answer, name: str, words: str | None = None) -> str:
    """The label of an axis: a name or words, and the unit where the model has one.

    >>> import saltation as st
    >>> labelled(st.gallery("bouncing-ball").simulate(until=1.0), "g")
    'g in m/s^2'
    """
    unit = answer.system.units.get(name)
    return (words or name) + (f" in {unit}" if unit else "")


def legend(ax: Axes, **more: Any) -> None:
    """The legend: beside the axes if they have the figure for themselves, otherwise where there is room."""
    figure = ax.get_figure()
    if figure is not None and len(figure.axes) == 1:
        ax.legend(loc="upper left", bbox_to_anchor=(1.01, 1.0), borderaxespad=0.0, fontsize=8, frameon=False, **more)
    else:
        ax.legend(fontsize=8, **more)


def kind_of(point: dict[str, Any]) -> str:
    if not point["admissible"]:
        return "virtual"
    return "stable" if point["stable"] else "unstable"


def stretches(points: list[dict[str, Any]]) -> Iterable[tuple[str, int, int]]:
    """Points in a row of one kind: kind, first and last; each reaches to the next stretch."""
    begin = 0
    for i in range(1, len(points) + 1):
        if i == len(points) or kind_of(points[i]) != kind_of(points[begin]):
            yield kind_of(points[begin]), begin, min(i + 1, len(points))
            begin = i


class Picture:
    """Lines and marks of branches, from which the range of the axes and the legend follow."""

    def __init__(self, ax: Axes, along: str, values: Any) -> None:
        self.ax = ax
        self.along = along
        self.values = values
        self.kinds: dict[str, None] = {}
        self.marks: dict[str, str] = {}
        self.colors: dict[str, str] = {}
        # What sets the range of the ordinate: all that is admissible, or else everything.
        self.real: list[float] = []
        self.all: list[float] = []

    def line(self, points: list[dict[str, Any]], color: str, label: str) -> None:
        for kind, begin, end in stretches(points):
            part = points[begin:end]
            style, _, alpha = STYLES[kind]
            found = [self.values(point) for point in part]
            self.kinds[kind] = None
            self.colors.setdefault(label, color)
            for k in range(max(map(len, found), default=0)):
                pairs = [(point["parameters"][self.along], list_[k]) for point, list_ in zip(part, found, strict=True) if len(list_) > k]
                x, y = zip(*pairs, strict=True)
                self.ax.plot(x, y, style, color=color, alpha=alpha, linewidth=1.5)
                self.all.extend(y)
                # The last point of a stretch may be the first one of the next.
                self.real.extend([] if kind == "virtual" else y)

    def special(self, special: list[dict[str, Any]], color: str) -> None:
        for one in special:
            found = self.values(one)
            if one["kind"] == "end" or not found:
                continue
            words = one["kind"].replace("_", " ")
            marker = self.marks.setdefault(words, MARKERS[len(self.marks) % len(MARKERS)])
            self.ax.plot([one["parameters"][self.along]], found[:1], marker, color=color, markersize=5, markeredgecolor="white", zorder=3)
            self.real.extend(found[:1] if one.get("admissible", True) else [])

    def finish(self) -> None:
        from matplotlib.lines import Line2D

        seen = np.array(self.real or self.all, dtype=float)
        seen = seen[np.isfinite(seen)]
        if len(seen) > 0 and seen.max() > seen.min():
            room = MARGIN * float(seen.max() - seen.min())
            self.ax.set_ylim(float(seen.min()) - room, float(seen.max()) + room)
        handles = [Line2D([], [], color=color, label=label) for label, color in self.colors.items()] if len(self.colors) > 1 else []
        grey = "0.35"
        handles += [Line2D([], [], color=grey, linestyle=STYLES[kind][0], label=STYLES[kind][1]) for kind in STYLES if kind in self.kinds]
        handles += [Line2D([], [], color=grey, linestyle="", marker=marker, label=words) for words, marker in self.marks.items()]
        legend(self.ax, handles=handles)


def _ordinate(answer: Answer, name: str | None, points: list[dict[str, Any]]) -> tuple[str, Callable[[Any], list[float]]]:
    """The quantity drawn: its label, and its values at a point (one per impact for impact speeds)."""
    states = answer.system.states
    if name is None:
        name = "impact_speed" if any(point.get("impact_speeds") for point in points) else states[0]
    words = ["impact_speed", "period", "multiplier", *states]
    if name not in words:
        raise refusal("ordinate", f"there is no `{name}` along a branch", f"the names are {', '.join(words)}")
    if name == "impact_speed":
        # Positive, as in the figures of the library.
        return "impact speed", lambda point: [-speed for speed in point.get("impact_speeds") or []]
    if name == "period":
        return labelled(answer, "", "period"), lambda point: [] if point.get("period") is None else [point["period"]]
    if name == "multiplier":
        return "modulus of the leading multiplier", lambda point: [float(np.hypot(*pair)) for pair in point["multipliers"][:1]]
    return labelled(answer, name), lambda point: [point["state"][name]]


def branch(answer: Answer, ax: Axes, ordinate: str | None = None) -> str:
    """A branch of orbits, and those that bifurcate from it; the words of the title."""
    plain = answer.to_dict()
    along = plain["along"]
    label, values = _ordinate(answer, ordinate, plain["points"])
    picture = Picture(ax, along, values)
    for k, one in enumerate([plain, *plain["branches"]]):
        color = COLORS[k % len(COLORS)]
        picture.line(one["points"], color, f"branch {k}")
        picture.special(one["special"], color)
    ax.set_xlabel(labelled(answer, along))
    ax.set_ylabel(label)
    picture.finish()
    return f"periodic orbits along {along}"


def equilibria(answer: Answer, ax: Axes, ordinate: str | None = None) -> str:
    """A branch of equilibria, and what bifurcates from it; the words of the title."""
    states = answer.system.states
    name = ordinate or states[0]
    if name not in states:
        raise refusal("ordinate", f"there is no state `{name}`", f"the states are {', '.join(states)}")
    plain = answer.to_dict()
    along = plain["along"]
    picture = Picture(ax, along, lambda point: [point["state"][name]])
    for k, one in enumerate([plain, *plain["branches"]]):
        color = COLORS[k % len(COLORS)]
        what = "limit cycles" if one.get("kind") == "orbit" else "equilibria"
        picture.line(one["points"], color, what if what not in picture.colors else f"{what} {k}")
        picture.special(one["special"], color)
    ax.set_xlabel(labelled(answer, along))
    ax.set_ylabel(labelled(answer, name))
    picture.finish()
    return f"equilibria along {along}"


def curve(answer: Answer, ax: Axes) -> str:
    """A curve of bifurcations in the plane of two parameters; the words of the title."""
    plain = answer.to_dict()
    first, second = plain["along"]

    def place(one: dict[str, Any]) -> tuple[float, float]:
        return one["parameters"][first], one["parameters"][second]

    x, y = zip(*map(place, plain["points"]), strict=True)
    words = plain["kind"].replace("_", " ")
    ax.plot(x, y, color=COLORS[0], label=words)
    marks: dict[str, str] = {}
    for one in plain["special"]:
        name = one["kind"].replace("_", " ")
        known = name in marks
        marker = marks.setdefault(name, MARKERS[len(marks) % len(MARKERS)])
        a, b = place(one)
        ax.plot([a], [b], marker, color=COLORS[1], markersize=5, label=None if known else name)
    ax.set_xlabel(labelled(answer, first))
    ax.set_ylabel(labelled(answer, second))
    if marks:
        legend(ax)
    return f"{words} in the plane of {first} and {second}"
