"""Branches and curves drawn with matplotlib, as the library draws them: stability by colour and line, one marker per kind of bifurcation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal
from weakref import WeakKeyDictionary

import numpy as np

from .errors import refusal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from matplotlib.axes import Axes

    from .answer import Answer

__all__ = ["COLORS", "ORDINATES", "branch", "curve", "equilibria", "labelled", "legend"]

#: The palette of the library: hues that readers with any kind of colour vision distinguish (Okabe & Ito, 2008).
BLUE, VERMILLION, GREEN, PURPLE, ORANGE, SKY = "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"
COLORS = (BLUE, VERMILLION, GREEN, PURPLE, ORANGE, SKY)
#: The kinds of solutions, those in front last: style of the line, colour, word and share of colour. Stability is told by colour and line, what is not
#: admissible by dots and a pale colour.
STYLES: dict[tuple[bool, bool], tuple[Literal["-", "--", ":"], str, str, float]] = {
    (False, False): (":", VERMILLION, "unstable, not admissible", 0.6),
    (True, False): (":", BLUE, "stable, not admissible", 0.6),
    (False, True): ("--", VERMILLION, "unstable", 1.0),
    (True, True): ("-", BLUE, "stable", 1.0),
}
#: The same for limit cycles beside equilibria.
CYCLES = {True: GREEN, False: ORANGE}
#: The marker and the colour of every kind of bifurcation.
MARKERS: dict[str, tuple[str, str]] = {
    "fold": ("s", "black"),
    "period_doubling": ("o", GREEN),
    "neimark_sacker": ("^", GREEN),
    "symmetry_breaking": ("s", PURPLE),
    "branch_point": ("o", "black"),
    "graze": ("o", ORANGE),
    "stick_loss": ("^", ORANGE),
    "chatter_loss": ("^", PURPLE),
    "boundary": ("x", "black"),
    "homoclinic": ("o", PURPLE),
    "hopf": ("^", "black"),
    "end": ("x", "0.43"),
}
#: The size of a marker, and by how much it is wider for each other kind that lies in front of it at the same place.
MARK, WIDER = 6.0, 3.5
#: What the ordinate of axes shows, for what is laid over it.
ORDINATES: WeakKeyDictionary[Axes, str] = WeakKeyDictionary()
#: What a multiplier is called.
MODULUS = "modulus of the leading multiplier"
#: What changes by less than this part of its size does not change on a picture.
CONSTANT = 1e-6
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


def stretches(points: list[dict[str, Any]], special: list[dict[str, Any]], begins: bool) -> Iterable[tuple[tuple[bool, bool], int, int]]:
    """Points in a row of one kind: whether stable and admissible, first and last. At a bifurcation itself both are rounding: there stretches end.

    >>> plain = {"stable": True, "admissible": True}
    >>> list(stretches([plain, {**plain, "stable": False}, {**plain, "stable": False}], [{"index": 1}], False))
    [((True, True), 0, 1), ((False, True), 1, 2)]
    """
    marked = {one["index"] for one in special} | ({0} if begins else set())
    found: list[tuple[tuple[bool, bool], int, int]] = []
    for i in range(len(points) - 1):
        pair = [(bool(point["stable"]), bool(point["admissible"])) for point in points[i : i + 2]]
        if (i in marked) != (i + 1 in marked):
            kind = pair[0] if i + 1 in marked else pair[1]
        else:
            kind = (pair[0][0] and pair[1][0], pair[0][1] and pair[1][1])
        if found and found[-1][0] == kind:
            found[-1] = (kind, found[-1][1], i + 1)
        else:
            found.append((kind, i, i + 1))
    return found


class Picture:
    """Lines and marks of branches, from which the range of the axes and the legend follow."""

    def __init__(self, ax: Axes, along: str, values: Any, jumps: bool = False) -> None:
        self.ax = ax
        # A state on a section jumps where an impact passes it.
        self.jumps = jumps
        self.along = along
        self.values = values
        self.lines: dict[str, tuple[Literal["-", "--", ":"], str, float]] = {}
        self.marks: dict[str, list[tuple[float, float]]] = {}
        # What sets the range of the ordinate: all that is admissible, or else everything.
        self.real: list[float] = []
        self.all: list[float] = []

    def line(self, one: dict[str, Any], cycles: bool = False) -> None:
        """A branch: its points, each stretch in its style."""
        points = one["points"]
        found = [self.values(point) for point in points]
        for kind, begin, end in stretches(points, one["special"], one.get("parent") is not None):
            style, color, words, alpha = STYLES[kind]
            if cycles:
                color, words = CYCLES[kind[0]], f"limit cycle, {words}"
            self.lines[words] = (style, color, alpha)
            for k in range(max(map(len, found[begin : end + 1]), default=0)):
                pairs = [(points[i]["parameters"][self.along], found[i][k]) for i in range(begin, end + 1) if len(found[i]) > k]
                x, y = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
                if self.jumps:
                    x, y = without_jumps(x, y)
                self.ax.plot(x, y, style, color=color, alpha=alpha, linewidth=1.6, zorder=2 + 0.1 * list(STYLES).index(kind))
                self.all.extend(y)
                self.real.extend(y if kind[1] else [])
        for special in one["special"]:
            if special["kind"] != "end":
                # At every impact, as the line.
                self.marks.setdefault(special["kind"], []).extend((special["parameters"][self.along], y) for y in self.values(special))
                self.real.extend(self.values(special) if special.get("admissible", True) else [])

    def finish(self) -> None:
        from matplotlib.lines import Line2D

        seen = np.array(self.real or self.all, dtype=float)
        seen = seen[np.isfinite(seen)]
        if len(seen) > 0 and seen.max() > seen.min():
            room = MARGIN * float(seen.max() - seen.min())
            self.ax.set_ylim(float(seen.min()) - room, float(seen.max()) + room)
        draw_marks(self.ax, self.marks)
        order = [words for *_, words, _ in reversed(STYLES.values())]
        lines = sorted(self.lines.items(), key=lambda line: order.index(line[0].removeprefix("limit cycle, ")))
        handles = [Line2D([], [], color=color, linestyle=style, alpha=alpha, label=words) for words, (style, color, alpha) in lines]
        legend(self.ax, handles=handles + mark_handles(self.marks))


def without_jumps(x: list[float], y: list[float]) -> tuple[list[float], list[float]]:
    """A line with a break at every jump: a step of a twentieth of the extent at least, and of six times the median of those around it.

    >>> without_jumps([0, 1, 2, 3, 4, 5], [0, 0.01, 0.02, 1, 1.01, 1.02])[1]
    [0, 0.01, 0.02, nan, 1, 1.01, 1.02]
    """
    x, y = x.copy(), y.copy()
    steps = np.abs(np.diff(np.array(y, dtype=float)))
    finite = np.array(y, dtype=float)
    finite = finite[np.isfinite(finite)]
    large = 0.05 * float(finite.max() - finite.min()) if len(finite) else 0.0
    for i in reversed(range(len(steps))):
        others = np.delete(steps[max(i - 4, 0) : i + 5], min(i, 4))
        others = np.sort(others[np.isfinite(others)])
        if len(others) and steps[i] > large and steps[i] > 6 * others[len(others) // 2]:
            x.insert(i + 1, x[i])
            y.insert(i + 1, float("nan"))
    return x, y


def draw_marks(ax: Axes, marks: dict[str, list[tuple[float, float]]]) -> None:
    """Marks of one size; where several kinds lie at one place those behind are wider, so that all are seen."""
    kinds = [kind for kind in MARKERS if kind in marks]
    for k, kind in enumerate(kinds):
        marker, color = MARKERS[kind]
        for x, y in marks[kind]:
            above = sum(any(np.allclose((x, y), place, rtol=1e-6, atol=0.0) for place in marks[other]) for other in kinds[k + 1 :])
            ax.plot([x], [y], marker, color=color, markersize=MARK + WIDER * above, zorder=3 + 0.01 * k)


def mark_handles(marks: dict[str, Any]) -> list[Any]:
    """The entries of a legend for kinds of bifurcations."""
    from matplotlib.lines import Line2D

    words = {"hopf": "Hopf", "neimark_sacker": "Neimark\u2013Sacker"}
    kinds = [kind for kind in MARKERS if kind in marks]
    return [
        Line2D([], [], color=MARKERS[kind][1], linestyle="", marker=MARKERS[kind][0], markersize=MARK, label=words.get(kind, kind.replace("_", " ")))
        for kind in kinds
    ]


def is_changing(values: Iterable[list[float]]) -> bool:
    """Whether one of the values of points in a row changes.

    >>> is_changing([[1.0, 2.0], [1.0, 2.5]]), is_changing([[1.0], [1.0 + 1e-9]])
    (True, False)
    """
    for column in zip(*values, strict=False):
        seen = np.array(column, dtype=float)
        seen = seen[np.isfinite(seen)]
        if len(seen) > 0 and seen.max() - seen.min() > CONSTANT * np.abs(seen).max():
            return True
    return False


def _ordinate(answer: Answer, name: str | None, branches: list[dict[str, Any]]) -> tuple[str, str, Callable[[Any], list[float]]]:
    """The quantity drawn: its name, its label, and its values at a point (one per impact for impact speeds). By default the first that changes."""
    states = answer.system.states
    words = ["impact_speed", "period", "multiplier", *states]

    def of_state(state: str) -> Callable[[Any], list[float]]:
        return lambda point: [point["state"][state]]

    quantities: dict[str, Callable[[Any], list[float]]] = {
        # Positive, as in the figures of the library.
        "impact_speed": lambda point: [-speed for speed in point.get("impact_speeds") or []],
        "period": lambda point: [] if point.get("period") is None else [point["period"]],
        "multiplier": lambda point: [float(np.hypot(*pair)) for pair in point["multipliers"][:1]],
        **{state: of_state(state) for state in states},
    }
    if name is None:
        order = ["impact_speed", *states, "period", "multiplier"]
        changes = (one for one in order if any(is_changing(map(quantities[one], branch["points"])) for branch in branches))
        name = next(changes, states[0])
    if name not in words:
        raise refusal("ordinate", f"there is no `{name}` along a branch", f"the names are {', '.join(words)}")
    labels = {"impact_speed": "impact speed", "period": labelled(answer, "", "period"), "multiplier": MODULUS}
    return name, labels.get(name) or labelled(answer, name), quantities[name]


def branch(answer: Answer, ax: Axes, ordinate: str | None = None) -> str:
    """A branch of orbits, and those that bifurcate from it; the words of the title."""
    plain = answer.to_dict()
    along = plain["along"]
    branches = [plain, *plain["branches"]]
    name, label, values = _ordinate(answer, ordinate, branches)
    ORDINATES[ax] = name
    picture = Picture(ax, along, values, jumps=label not in ("impact speed", MODULUS) and not label.startswith("period"))
    for one in branches:
        picture.line(one)
    ax.set_xlabel(labelled(answer, along))
    ax.set_ylabel(label)
    picture.finish()
    return f"periodic orbits along {along}"


def equilibria(answer: Answer, ax: Axes, ordinate: str | None = None) -> str:
    """A branch of equilibria, and what bifurcates from it; the words of the title."""
    states = answer.system.states
    plain = answer.to_dict()
    branches = [plain, *plain["branches"]]
    changes = (state for state in states if any(is_changing([point["state"][state]] for point in one["points"]) for one in branches))
    name = ordinate or next(changes, states[0])
    if name not in states:
        raise refusal("ordinate", f"there is no state `{name}`", f"the states are {', '.join(states)}")
    ORDINATES[ax] = name
    along = plain["along"]
    picture = Picture(ax, along, lambda point: [point["state"][name]])
    for one in branches:
        picture.line(one, cycles=one.get("kind") == "orbit")
    ax.set_xlabel(labelled(answer, along))
    ax.set_ylabel(labelled(answer, name))
    picture.finish()
    return f"equilibria along {along}"


def curve(answer: Answer, ax: Axes, horizontal: str | None = None) -> str:
    """A curve of bifurcations in the plane of two parameters, the first or the one named horizontally; the words of the title."""
    from matplotlib.lines import Line2D

    plain = answer.to_dict()
    first, second = reversed(plain["along"]) if horizontal == plain["along"][1] else plain["along"]
    words = plain["kind"].replace("_", " ")
    points = [{**point, "stable": True} for point in plain["points"]]
    handles: dict[str, Any] = {}
    for (_, admissible), begin, end in stretches(points, plain["special"], False):
        x, y = zip(*((one["parameters"][first], one["parameters"][second]) for one in points[begin : end + 1]), strict=True)
        style, color, _, alpha = STYLES[True, admissible]
        label = words if admissible else f"{words}, not admissible"
        ax.plot(x, y, style, color=color, alpha=alpha, linewidth=1.6)
        handles[label] = Line2D([], [], color=color, linestyle=style, alpha=alpha, label=label)
    marks: dict[str, list[tuple[float, float]]] = {}
    for one in plain["special"]:
        marks.setdefault(one["kind"], []).append((one["parameters"][first], one["parameters"][second]))
    draw_marks(ax, marks)
    ax.set_xlabel(labelled(answer, first))
    ax.set_ylabel(labelled(answer, second))
    legend(ax, handles=[*handles.values(), *mark_handles(marks)])
    return f"{words} in the plane of {first} and {second}"
