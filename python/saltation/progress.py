"""The bar of a long computation: one that is drawn anew in a terminal or a notebook, and plain lines where there is neither."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Callable
from html import escape
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .values import Progress

__all__ = ["Bar", "watcher"]

#: Computations that are shorter than this show no bar, in seconds.
DELAY = 2.0
#: The length of the bar, in characters.
LENGTH = 24
#: Where nothing can be drawn anew there is a line for every such part, or after so many seconds where the share is not known.
PART, SECONDS = 0.1, 30.0


def watcher(progress: Progress) -> tuple[Callable[[float | None, str], object] | None, float, Bar | None]:
    """What watches a computation, after which delay in seconds, and the bar to be closed.

    >>> watcher(False)
    (None, 0.0, None)
    """
    if progress is False:
        return None, 0.0, None
    if progress is None or progress is True:
        if progress is None and not (_in_notebook() or _in_terminal()):
            return None, 0.0, None
        bar = Bar()
        return bar, DELAY if progress is None else 0.0, bar
    if not callable(progress):
        from .errors import refusal

        raise refusal("progress", f"progress is {progress!r}", "give True, False, or a function of the share and of words")
    return progress, 0.0, None


def _in_notebook() -> bool:
    """Whether output is that of the cell of a notebook."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return hasattr(shell, "kernel")


def _in_terminal() -> bool:
    try:
        return sys.stderr is not None and sys.stderr.isatty()
    except (AttributeError, ValueError):
        return False


def clock(seconds: float) -> str:
    """A time in minutes and seconds, or in hours, too.

    >>> clock(61.5), clock(3723)
    ('1:01', '1:02:03')
    """
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


class Bar:
    """A bar of progress.

    >>> bar = Bar()
    >>> bar(None, "")
    >>> bar.close()
    """

    def __init__(self) -> None:
        self._began = time.monotonic()
        self._notebook = _in_notebook()
        self._terminal = not self._notebook and _in_terminal()
        #: What is drawn in a notebook, the width in a terminal, and the share and the time of the last line.
        self._cell: Any = None
        self._width = 0
        self._last: tuple[float, float] | None = None

    def __call__(self, share: float | None, words: str) -> None:
        """Shows the share of the work, from 0 to 1 if it is known, and words."""
        share = None if share is None else min(max(share, 0.0), 1.0)
        if share is None and not words.strip():
            return
        if self._notebook:
            self._draw(share, words)
        elif self._terminal:
            self._line(self._text(share, words))
        else:
            self._new_line(share, words)

    def _text(self, share: float | None, words: str) -> str:
        """Share, bar, times and words."""
        spent = time.monotonic() - self._began
        if share is None:
            return f"{clock(spent)}  {words}"
        left = f" < {clock(spent * (1 - share) / share)}" if share > 0 else ""
        full = round(share * LENGTH)
        return f"{100 * share:3.0f} % [{'#' * full}{'.' * (LENGTH - full)}] {clock(spent)}{left}  {words}"

    def _draw(self, share: float | None, words: str) -> None:
        from IPython.display import HTML, display

        value = "" if share is None else f' value="{share:.4f}"'
        spent = clock(time.monotonic() - self._began)
        percent = "" if share is None else f"{100 * share:.0f} % "
        shown = HTML(f'<progress max="1"{value}></progress> {percent}{spent} {escape(words)}')
        if self._cell is None:
            self._cell = display(shown, display_id=True)
        else:
            self._cell.update(shown)

    def _line(self, text: str) -> None:
        """Draws the line of a terminal anew."""
        text = text[: max(shutil.get_terminal_size().columns - 1, 1)]
        sys.stderr.write("\r" + text.ljust(self._width))
        sys.stderr.flush()
        self._width = len(text)

    def _new_line(self, share: float | None, words: str) -> None:
        """A line of its own where nothing can be drawn anew, now and then."""
        now = time.monotonic()
        if self._last is not None:
            before, then = self._last
            if (now - then < SECONDS) if share is None else (share - before < PART):
                return
        self._last = (share or 0.0, now)
        if sys.stderr is not None:
            part = "" if share is None else f"{100 * share:3.0f} %  "
            sys.stderr.write(f"{part}{words}\n")
            sys.stderr.flush()

    def close(self) -> None:
        """Removes it."""
        if self._cell is not None:
            from IPython.display import HTML

            self._cell.update(HTML(""))
        elif self._width and sys.stderr is not None:
            sys.stderr.write("\r" + " " * self._width + "\r")
            sys.stderr.flush()
        self._cell, self._width = None, 0
