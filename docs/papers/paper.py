"""What the notebooks of this folder share: tables of agreement that fail when a number is off, and branches drawn by stability."""

from __future__ import annotations

import html
import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from IPython.display import HTML
from scipy.linalg import expm

STABLE, UNSTABLE, GRAZE, REFERENCE = "#1f5f99", "#b23a3a", "#3b8a4f", "#c98a1b"

plt.rcParams.update({
    "figure.figsize": (6.4, 4.0), "figure.dpi": 110, "savefig.bbox": "tight", "axes.grid": True, "grid.alpha": 0.25, "font.size": 9.5,
    "axes.spines.top": False, "axes.spines.right": False, "legend.frameon": False, "lines.linewidth": 1.5,
})


def digits(found: float, reference: float) -> float:
    """The number of decimal digits in which two numbers agree, relative to the reference; 16 if all.

    >>> round(digits(1.001, 1.0), 6), digits(0.5, 0.5)
    (3.0, 16.0)
    """
    error = abs(found - reference) / (abs(reference) or 1.0)
    return 16.0 if error == 0.0 else min(16.0, -math.log10(error))


def compare(rows: Iterable[tuple[str, str | float, float, float]], reference: str = "reference") -> HTML:
    """A table of (quantity, reference, found here, digits that must agree). A row that agrees to fewer digits raises `AssertionError`.

    >>> compare([("root", "1.41421356", 1.41421356, 9)]).data.count("all digits")
    1
    >>> compare([("root", "1.41421356", 1.4143, 6)])
    Traceback (most recent call last):
    AssertionError: root: 1.4143 agrees with 1.41421356 to 4.2 digits only, not 6
    """
    body = []
    for name, expected, found, least in rows:
        agreed = digits(found, float(expected))
        assert agreed >= least, f"{name}: {found!r} agrees with {expected} to {agreed:.1f} digits only, not {least}"
        shown = expected if isinstance(expected, str) else repr(expected)
        words = "all digits" if agreed >= 15 else f"{math.floor(agreed)} digits"
        cells = (html.escape(name), f"<code>{html.escape(shown)}</code>", f"<code>{found!r}</code>", words)
        body.append("<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>")
    head = "".join(f"<th>{word}</th>" for word in ("quantity", reference, "here", "agree to"))
    return HTML(f'<table class="table"><thead><tr>{head}</tr></thead><tbody>{"".join(body)}</tbody></table>')


def strands(ax: Any, points: Sequence[dict[str, Any]], x: Callable[[dict[str, Any]], float], y: Callable[[dict[str, Any]], float],
            **style: Any) -> None:
    """A branch: blue where its orbits are stable, red where they are not, dashed where they are no motions of the system."""
    def kind(point: dict[str, Any]) -> tuple[str, str]:
        return (STABLE if point.get("stable") else UNSTABLE, "-" if point["admissible"] else "--")

    begin = 0
    for end in range(1, len(points) + 1):
        if end == len(points) or kind(points[end]) != kind(points[begin]):
            part = points[begin:min(end + 1, len(points))]
            color, dash = kind(points[begin])
            ax.plot([x(p) for p in part], [y(p) for p in part], color=color, linestyle=dash, **style)
            begin = end


def find(branch: Any, kind: str, nth: int = 0, admissible: bool | None = True) -> dict[str, Any]:
    """The nth special point of a kind on a branch; by default of those that are motions of the system.

    >>> points = [{"kind": "fold", "admissible": admissible, "index": k} for k, admissible in enumerate([True, False, True])]
    >>> find({"special": points}, "fold", 1)["index"], find({"special": points}, "fold", 1, admissible=None)["index"]
    (2, 1)
    """
    data = branch if isinstance(branch, dict) else branch.to_dict()
    found = [s for s in data["special"] if s["kind"] == kind and admissible in (None, s["admissible"])]
    return found[nth]


def one_impact(speed: float, omega: float, *, damping: float = 0.0, stop: float = 1.0, restitution: float = 0.8, periods: int = 1) -> tuple[float, float, float]:
    """Closed form of the orbit of x'' + damping x' + x = A cos(omega t), x <= stop, with one impact of this speed in so many periods of the forcing.

    Returns the amplitude A, and position and speed of the motion that the forcing alone would have at the instant of the impact.

    Without damping, and without loss (restitution 1), the free part is -v cos(t - T/2)/sin(T/2) between two impacts.

    >>> import math
    >>> amplitude, position, speed = one_impact(0.4, 2.6, restitution=1.0)
    >>> bool(abs(position - (1 + 0.4 / math.tan(math.pi / 2.6))) < 1e-14), bool(abs(speed) < 1e-14)
    (True, True)
    """
    period = periods * 2 * math.pi / omega
    flow = expm(period * np.array([[0.0, 1.0], [-1.0, -damping]]))
    s, a = np.linalg.solve(flow - np.eye(2), flow @ [0.0, (1 + restitution) * speed])
    x, v = stop - s, speed - a
    return math.hypot(x, v / omega) * math.hypot(1 - omega**2, damping * omega), x, v
