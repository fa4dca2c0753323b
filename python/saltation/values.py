"""What the values of fields may be, for type checkers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

if TYPE_CHECKING:
    import numpy as np

    from .answers import Orbit, Simulation
    from .expressions import Expression

#: A number, or a formula of parameters such as ``"20*pi"``.
Number: TypeAlias = "float | int | str | np.floating[Any] | np.integer[Any] | Expression"
#: ``None`` shows a bar in terminals and notebooks after two seconds; a callable receives the share (or ``None``) and words.
Progress: TypeAlias = "bool | Callable[[float | None, str], object] | None"
Path: TypeAlias = "str | PathLike[str]"
#: ``(low, high, points)``, ``(low, high, points, "log")``, or values.
Values: TypeAlias = "tuple[Number, Number, int] | tuple[Number, Number, int, Literal['log']] | Sequence[float] | Any"
#: Parameters or states, each with its values.
Axes: TypeAlias = "Mapping[str, Values]"
#: Both axes of a map: names with their lower and upper ends and numbers of values.
Counted: TypeAlias = "Sequence[tuple[str, Number, Number, int]] | Mapping[str, tuple[Number, Number, int]]"
#: A state: an orbit, a trajectory (its end), or a point of a branch, an equilibrium, or values by the names of states.
Place: TypeAlias = "Orbit | Simulation | Mapping[str, Any]"
#: An orbit or another place, or the path of the file of an orbit.
Guess: TypeAlias = "Place | Path"
