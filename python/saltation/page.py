"""What notebooks show of an answer: a small table and the figure of the library."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .answer import Answer
    from .system import System

__all__ = ["html", "system_html"]

#: Longer texts are cut in a table.
LONGEST = 80
#: What took longer is not computed again for a figure, in seconds.
LONGEST_AGAIN = 5.0
#: Larger figures are not shown, in characters.
LARGEST = 2_000_000
_CELL = 'style="text-align:left"'


def _rows(rows: list[tuple[str, str]]) -> str:
    cells = "".join(f"<tr><th {_CELL}>{escape(name)}</th><td {_CELL}>{escape(text)}</td></tr>" for name, text in rows)
    return f"<table>{cells}</table>"


def shown(value: Any) -> str | None:
    """An entry in a few words; nothing for what is long.

    >>> shown(0.25), shown(True), shown(["impact:wall"]), shown({"x": 1.0})
    ('0.25', 'yes', 'impact:wall', 'x = 1')
    """
    if value is None or value == []:
        return None
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.10g}"
    if isinstance(value, (int, str)):
        return str(value) if len(str(value)) <= LONGEST else None
    if isinstance(value, dict):
        parts = [(name, shown(one)) for name, one in value.items()]
        text = ", ".join(f"{name} = {one}" for name, one in parts if one is not None)
        return text if 0 < len(text) <= LONGEST else None
    if isinstance(value, list) and all(not isinstance(one, (dict, list)) for one in value):
        text = ", ".join(shown(one) or "" for one in value[:20])
        return text if len(value) <= 20 and len(text) <= LONGEST else None
    return f"{len(value)} entries" if isinstance(value, list) else None


#: The entries that are shown first.
_FIRST = ("ended", "status", "period", "signature", "stable", "admissible", "end", "counts", "exponents", "standard_errors")


def html(answer: Answer) -> str:
    """An answer as a small table and its figure.

    >>> import saltation as st
    >>> "<svg" in html(st.gallery("bouncing-ball").simulate(until=1.0))
    True
    """
    plain = answer.to_dict()
    names = [name for name in _FIRST if name in plain] + [name for name in plain if name not in _FIRST]
    entries = [(name, shown(plain[name])) for name in names]
    rows = [(name, text) for name, text in entries if text is not None][:12]
    title = f"<p><b>{escape(type(answer).__name__)}</b> of {escape(answer.system.name)}</p>"
    ending = "".join(f"<p>{escape(line)}</p>" for line in answer.ending)
    return f"<div>{title}{_rows(rows)}{ending}{_figure(answer)}</div>"


def _figure(answer: Answer) -> str:
    from .errors import SaltationError

    # What takes long is not computed again for a picture that nobody asked for.
    if answer.wall_time > LONGEST_AGAIN and not answer._is_drawn_at_once():
        return ""
    try:
        svg = answer.figure().svg
    except SaltationError:
        return ""
    return svg if len(svg) <= LARGEST else ""


def system_html(system: System) -> str:
    """A system as a small table.

    >>> import saltation as st
    >>> system_html(st.gallery("bouncing-ball"))[:8]
    '<div><p>'
    """
    title = f": {escape(system.title)}" if system.title else ""
    rows = [
        ("states", ", ".join(system.states[:20])),
        ("contacts", ", ".join(system.contacts[:20])),
        ("parameters", ", ".join(f"{name} = {value:.10g}" for name, value in list(system.parameters.items())[:20])),
        ("start", ", ".join(f"{name} = {value:.10g}" for name, value in list(system.start_state.items())[:20])),
    ]
    return f"<div><p><b>{escape(system.name)}</b>{title}</p>{_rows([row for row in rows if row[1]])}</div>"
