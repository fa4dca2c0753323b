"""The bar of a long computation: that of tqdm if it is installed, in a terminal or a notebook, or else a plain line."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .values import Progress

__all__ = ["Bar", "watcher"]

#: Computations that are shorter than this show no bar, in seconds.
DELAY = 2.0


def watcher(progress: Progress) -> tuple[Callable[[float | None, str], object] | None, float, Bar | None]:
    """What watches a computation, after which delay in seconds, and the bar to be closed.

    >>> watcher(False)
    (None, 0.0, None)
    """
    if progress is False:
        return None, 0.0, None
    if progress is None or progress is True:
        if progress is None and not _is_seen():
            return None, 0.0, None
        bar = Bar()
        return bar, DELAY if progress is None else 0.0, bar
    if not callable(progress):
        from .errors import refusal

        raise refusal("progress", f"progress is {progress!r}", "give True, False, or a function of the share and of words")
    return progress, 0.0, None


def _is_seen() -> bool:
    """Whether somebody sees a bar: a terminal, or a notebook."""
    if "ipykernel" in sys.modules:
        return True
    try:
        return sys.stderr is not None and sys.stderr.isatty()
    except (AttributeError, ValueError):
        return False


class Bar:
    """A bar of progress.

    >>> bar = Bar(plain=True)
    >>> bar(None, "")
    >>> bar.close()
    """

    def __init__(self, plain: bool = False) -> None:
        self._bar: Any = None
        self._plain = plain
        self._width = 0

    def __call__(self, share: float | None, words: str) -> None:
        """Shows the share of the work, from 0 to 1 if it is known, and words."""
        if self._bar is None and not self._plain:
            try:
                from tqdm.auto import tqdm

                form = "{l_bar}{bar}| {elapsed}<{remaining}{postfix}" if share is not None else "{elapsed} {postfix}"
                self._bar = tqdm(total=1.0, leave=False, bar_format=form)
            except ImportError:
                self._plain = True
        if self._bar is not None:
            if share is not None:
                self._bar.n = min(share, 1.0)
            self._bar.set_postfix_str(words)
            return
        part = "" if share is None else f"{100 * share:3.0f} %  "
        line = f"{part}{words}"
        if line.strip() and sys.stderr is not None:
            sys.stderr.write("\r" + line.ljust(self._width))
            sys.stderr.flush()
            self._width = len(line)

    def close(self) -> None:
        """Removes it."""
        if self._bar is not None:
            self._bar.close()
        elif self._width and sys.stderr is not None:
            sys.stderr.write("\r" + " " * self._width + "\r")
            sys.stderr.flush()
        self._bar, self._width = None, 0
