"""What is laid over figures of the library: sweeps lie below, branches and curves over them, whichever was asked for the figure."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from .answer import Answer
from .errors import refusal

__all__ = ["arranged", "files", "listed"]


def listed(overlays: Any) -> list[Any]:
    """What is laid over a picture: one answer or path, or several.

    >>> listed("branch.json")
    ['branch.json']
    """
    if overlays is None:
        return []
    found = list(overlays) if isinstance(overlays, (list, tuple)) else [overlays]
    for one in found:
        if not isinstance(one, (str, os.PathLike, Answer)):
            raise refusal("overlays", f"{type(one).__name__} cannot be laid over a picture", "give branches, curves, sweeps, or paths of their files")
    return found


def arranged(asked: Answer, overlays: Any) -> tuple[Answer, list[Any]]:
    """The answer that lies below, and what lies over it.

    >>> import saltation as st
    >>> run = st.gallery("bouncing-ball").simulate(until=1.0)
    >>> arranged(run, None) == (run, [])
    True
    """
    over = listed(overlays)
    if not over:
        return asked, over
    sweeps = [one for one in [asked, *over] if isinstance(one, Answer) and one.question == "sweep"]
    if len(sweeps) != 1:
        what = f"{len(sweeps)} sweeps are" if sweeps else "no sweep is"
        raise refusal("overlays", f"{what} among what is drawn, and a figure of the library has one", "plot(overlays=...) lays any of them over each other")
    below = sweeps[0]
    return below, [one for one in [asked, *over] if one is not below]


@contextmanager
def files(overlays: list[Any]) -> Iterator[list[str]]:
    """The files of what is laid over a figure: answers are written to a folder for as long as they are read."""
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for k, one in enumerate(overlays):
            path = os.path.join(folder, f"{k}.json") if isinstance(one, Answer) else os.fspath(one)
            if isinstance(one, Answer):
                with open(path, "w", encoding="utf-8") as file:
                    file.write(one.to_json())
            paths.append(path)
        yield paths
