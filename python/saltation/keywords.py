"""The types of the keywords of all questions, for type checkers; `scripts/fields` writes this file from the table of the library."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypedDict

from .values import Axes, Counted, Guess, Number, Path, Progress


class CheckFields(TypedDict, total=False):
    """Keywords of ``check``."""

    tol: Number | None
    progress: Progress


class SimulateFields(TypedDict, total=False):
    """Keywords of ``simulate``."""

    returns: int | None
    section: str | None
    every: Number | None
    derivatives: str | Sequence[str] | None
    max_step: Number | None
    flow: Literal["exact", "taylor", "automatic"]
    method: Literal["events", "moreau"]
    show: str | Sequence[str] | None
    settle: int | None
    all_events: bool
    path: bool
    passages: tuple[str, str] | None
    tol: Number | None
    policy: Literal["persist", "lift_off", "impact", "slide", "positive", "negative"]
    step: Number | None
    theta: Number | None
    progress: Progress


class OrbitFields(TypedDict, total=False):
    """Keywords of ``orbit``."""

    settle: int | None
    period: int | None
    guess: Guess | None
    derivatives: str | Sequence[str] | None
    flow: Literal["exact", "taylor", "automatic"]
    tol: Number | None
    policy: Literal["persist", "lift_off", "impact", "slide", "positive", "negative"]
    progress: Progress


class BranchFields(TypedDict, total=False):
    """Keywords of ``continue``."""

    flow: Literal["exact", "taylor", "automatic"]
    range: tuple[Number, Number] | None
    switch: bool
    switch_at: int | str | Sequence[int | str | tuple[int, int]] | None
    method: Literal["signature", "vivid"]
    points: int | None
    step: Number | None
    at_least: int | None
    tol: Number | None
    progress: Progress


class RestFields(TypedDict, total=False):
    """Keywords of ``continue_equilibrium``."""

    at: int | None
    flow: Literal["exact", "taylor", "automatic"]
    range: tuple[Number, Number] | None
    switch: bool
    points: int | None
    step: Number | None
    at_least: int | None
    tol: Number | None
    progress: Progress


class CurveFields(TypedDict, total=False):
    """Keywords of ``curve``."""

    along: str | tuple[str, str] | None
    range: tuple[Number, Number] | None
    range1: tuple[Number, Number] | None
    points: int | None
    step: Number | None
    at_least: int | None
    flow: Literal["exact", "taylor", "automatic"]
    tol: Number | None
    progress: Progress


class EquilibriumFields(TypedDict, total=False):
    """Keywords of ``equilibrium``."""

    tol: Number | None
    progress: Progress


class LyapunovFields(TypedDict, total=False):
    """Keywords of ``lyapunov``."""

    settle: int | None
    returns: int | None
    flow: Literal["exact", "taylor", "automatic"]
    tol: Number | None
    policy: Literal["persist", "lift_off", "impact", "slide", "positive", "negative"]
    progress: Progress


class FitFields(TypedDict, total=False):
    """Keywords of ``fit``."""

    column: str | Sequence[str] | Mapping[str, Any] | None
    sigma: str | Sequence[str] | Mapping[str, Any] | None
    clock: str | None
    starts: int | None
    flow: Literal["exact", "taylor", "automatic"]
    tol: Number | None
    policy: Literal["persist", "lift_off", "impact", "slide", "positive", "negative"]
    progress: Progress


class ModesFields(TypedDict, total=False):
    """Keywords of ``modes``."""

    ipp: int | None
    near: Number | None
    search: int | None
    seed: int | None
    family: bool
    points: int | None
    contact: str | None
    stability: bool
    progress: Progress


class ContactFields(TypedDict, total=False):
    """Keywords of ``contact``."""

    critical: tuple[str, Number, Number] | Mapping[str, tuple[Number, Number]] | None
    tol: Number | None
    progress: Progress


class SweepFields(TypedDict, total=False):
    """Keywords of ``sweep``."""

    carry: Literal["none", "up", "down"]
    settle: int | None
    record: int | None
    section: str | None
    exponents: Literal["none", "largest", "all"]
    extremes: str | Sequence[str] | None
    flow: Literal["exact", "taylor", "automatic"]
    resume: bool
    part: tuple[int, int] | str | None
    format: Literal["parquet", "csv"]
    folder: Path | None
    records: bool
    tol: Number | None
    policy: Literal["persist", "lift_off", "impact", "slide", "positive", "negative"]
    threads: int | None
    progress: Progress


class BasinFields(TypedDict, total=False):
    """Keywords of ``basin``."""

    random: Mapping[str, tuple[Number, Number]] | None
    count: int | None
    seed: int | None
    starts: Any
    along: Axes | None
    settle: int | None
    record: int | None
    section: str | None
    exponents: Literal["none", "largest", "all"]
    extremes: str | Sequence[str] | None
    flow: Literal["exact", "taylor", "automatic"]
    resume: bool
    part: tuple[int, int] | str | None
    format: Literal["parquet", "csv"]
    folder: Path | None
    records: bool
    tol: Number | None
    policy: Literal["persist", "lift_off", "impact", "slide", "positive", "negative"]
    threads: int | None
    progress: Progress
