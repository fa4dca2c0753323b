"""The fields of all questions, for type checkers, for help, and for completion in notebooks."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Mapping, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypedDict, TypeVar

from . import _saltation

if TYPE_CHECKING:
    from .answers import Orbit
    from .expressions import Expression

__all__ = ["asked_by"]

#: A number, or a formula of parameters such as ``"20*pi"``.
Number: TypeAlias = "float | int | str | Expression"
Flow: TypeAlias = Literal["auto", "exact", "taylor"]
Policy: TypeAlias = Literal["persist", "lift_off", "impact"]
#: ``None`` shows a bar in terminals and notebooks after two seconds; a callable receives the share (or ``None``) and words.
Progress: TypeAlias = "bool | Callable[[float | None, str], object] | None"
Path: TypeAlias = "str | PathLike[str]"
#: ``(low, high, points)``, ``(low, high, points, "log")``, or values.
Values: TypeAlias = "tuple[Number, Number, int] | tuple[Number, Number, int, Literal['log']] | Sequence[float] | Any"


class CheckFields(TypedDict, total=False):
    """Fields of ``check``."""

    tol: Number


class SimulateFields(TypedDict, total=False):
    """Fields of ``simulate``."""

    until: Number | None
    returns: int | None
    section: str | None
    every: Number | None
    max_step: Number | None
    flow: Flow
    tol: Number
    policy: Policy
    all_events: bool
    path: bool
    show: str | Sequence[str]
    passages: tuple[str, str] | None
    settle: int
    method: Literal["events", "moreau"]
    step: Number | None
    progress: Progress


class OrbitFields(TypedDict, total=False):
    """Fields of ``orbit``."""

    settle: int
    period: int | None
    section: str | None
    flow: Flow
    tol: Number
    policy: Policy
    guess: Orbit | Mapping[str, Any] | Path | None
    progress: Progress


class StepFields(TypedDict, total=False):
    """Fields of the steps along branches and curves."""

    points: int
    step: Number
    at_least: int | None
    flow: Flow
    tol: Number
    progress: Progress


class BranchFields(StepFields, total=False):
    """Fields of ``continue_`` of an orbit."""

    range: tuple[Number, Number]
    method: Literal["signature", "vivid"]
    switch: bool


class RestFields(StepFields, total=False):
    """Fields of ``continue_`` of an equilibrium."""

    range: tuple[Number, Number]
    at: int
    switch: bool


class CurveFields(StepFields, total=False):
    """Fields of ``curve``."""

    along: str | tuple[str, str]
    range: tuple[Number, Number]
    range1: tuple[Number, Number] | None


class EquilibriumFields(TypedDict, total=False):
    """Fields of ``equilibrium``."""

    mode: str | None
    tol: Number


class LyapunovFields(TypedDict, total=False):
    """Fields of ``lyapunov``."""

    settle: int
    returns: int
    section: str | None
    flow: Flow
    tol: Number
    policy: Policy
    progress: Progress


class ModesFields(TypedDict, total=False):
    """Fields of ``modes``."""

    ipp: int
    periods: tuple[Number, Number] | None
    near: Number | None
    search: int
    seed: int
    family: bool
    points: int | None
    contact: str | None
    stability: bool
    progress: Progress


class ContactFields(TypedDict, total=False):
    """Fields of ``contact``."""

    map: Sequence[tuple[str, Number, Number, int]] | Mapping[str, tuple[Number, Number, int]] | None
    critical: tuple[str, Number, Number] | Mapping[str, tuple[Number, Number]] | None
    tol: Number
    progress: Progress


class RecordFields(TypedDict, total=False):
    """Fields that ``sweep`` and ``basin`` share."""

    settle: int
    record: int
    section: str | None
    exponents: Literal["none", "largest", "all"]
    extremes: str | Sequence[str]
    flow: Flow
    tol: Number
    policy: Policy
    threads: int | None
    folder: Path | None
    resume: bool
    part: tuple[int, int] | str | None
    format: Literal["parquet", "csv"] | None
    records: bool | None
    progress: Progress


class SweepFields(RecordFields, total=False):
    """Fields of ``sweep``."""

    along: Mapping[str, Values]
    carry: Literal["none", "up", "down"]


class BasinFields(RecordFields, total=False):
    """Fields of ``basin``."""

    grid: Mapping[str, Values]
    random: Mapping[str, tuple[Number, Number]]
    count: int
    seed: int
    starts: Any
    along: Mapping[str, Values] | None


#: The names and defaults of the fields of every question.
QUESTIONS: dict[str, dict[str, Any]] = {}
for _name, _fields, _defaults in _saltation.questions():
    _values: dict[str, Any] = json.loads(_defaults)
    QUESTIONS[_name] = {field: _values.get(field) for field in _fields}

_F = TypeVar("_F", bound=Callable[..., Any])


def asked_by(fields: type[Any], question: str, **defaults: object) -> Callable[[_F], _F]:
    """Gives a method that takes any names the signature of its fields, with their defaults, for help and completion."""
    known = {**QUESTIONS.get(question, {}), **defaults}
    names = list(fields.__annotations__)
    kind = inspect.Parameter.KEYWORD_ONLY

    def change(method: _F) -> _F:
        own = inspect.signature(method).parameters.values()
        first = [one for one in own if one.kind is not inspect.Parameter.VAR_KEYWORD]
        taken = {one.name for one in first}
        more = [
            inspect.Parameter(name, kind, default=known.get(name))
            for name in dict.fromkeys(names)
            if name not in taken
        ]
        setattr(method, "__signature__", inspect.Signature([*first, *more]))  # noqa: B010
        return method

    return change
