"""Figures of the library: SVG, PNG and PDF."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from os import PathLike

    from . import _saltation

__all__ = ["Figure"]


class Figure:
    """A figure: the same answer always gives the same bytes. Notebooks show it.

    >>> import saltation as st
    >>> figure = st.gallery("bouncing-ball").simulate(until=1.0).figure()
    >>> figure.png[:4]
    b'\\x89PNG'
    """

    __slots__ = ("_native",)

    def __init__(self, native: _saltation.Figure) -> None:
        self._native = native

    @property
    def svg(self) -> str:
        """The figure as an SVG document."""
        return self._native.svg()

    @property
    def png(self) -> bytes:
        """The figure as a PNG file with 2 pixels per point."""
        return self._native.png(2.0)

    @property
    def pdf(self) -> bytes:
        """The figure as a PDF document of one page."""
        return self._native.pdf()

    def save(self, path: str | PathLike[str]) -> None:
        """Writes the figure to a file whose name ends in ``.svg``, ``.png`` or ``.pdf``.

        :raises ValueError: for any other ending.
        :raises OSError: if the file cannot be written.

        >>> import saltation as st, tempfile, pathlib
        >>> path = pathlib.Path(tempfile.mkdtemp()) / "ball.svg"
        >>> st.gallery("bouncing-ball").simulate(until=1.0).figure().save(path)
        >>> path.read_text()[:4]
        '<svg'
        """
        self._native.save(path)

    def _repr_svg_(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        return f"<Figure, {len(self.svg)} bytes of SVG>"
