"""Orbits, points of branches and ends of trajectories where a guess or a start is wanted."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from .answer import Answer
from .errors import refusal
from .record import BranchPoint

__all__ = ["guess", "state_of"]

#: What the library reads of an orbit; multipliers and events of a point are not part of a guess.
OF_ORBIT = ("state", "returns", "parameters", "section", "model", "ended")


def guess(given: Any) -> Any:
    """A guess as the library has it: the path of a file as it is, of an orbit, a point or a trajectory what it is read for.

    >>> guess({"state": {"x": 0.5}, "multipliers": [1j]})
    {'state': {'x': 0.5}}
    """
    if isinstance(given, (str, os.PathLike)):
        return given
    found = _place("guess", given)
    read = {name: found[name] for name in OF_ORBIT if name in found}
    if isinstance(given, BranchPoint) and given._returns is not None:
        read.setdefault("returns", given._returns)
    return read


def state_of(field: str, given: Any) -> dict[str, float]:
    """The state at a place, by the names of the states.

    >>> state_of("place", {"kind": "fold", "state": {"x": 0.5}})
    {'x': 0.5}
    >>> state_of("place", {"x": 0.5})
    {'x': 0.5}
    """
    return dict(_place(field, given)["state"])


def _place(field: str, given: Any) -> Mapping[str, Any]:
    """An object with a ``state``."""
    if isinstance(given, Answer):
        plain = given._plain()
        if isinstance(plain.get("state"), dict):
            return plain
        if isinstance(plain.get("end"), dict):
            # The end of a motion is a state with no period.
            return {"state": plain["end"]["state"]}
        words, help_ = _not_one(given, plain)
        raise refusal(field, words, help_)
    if isinstance(given, Mapping):
        if isinstance(given.get("state"), Mapping):
            return given
        if "state" not in given and given and all(isinstance(name, str) and _is_number(value) for name, value in given.items()):
            return {"state": given}
        raise refusal(field, "this has no `state`", "give an orbit, a point of a branch, the end of a trajectory, or values by the names of states")
    help_ = "give an orbit, a point of a branch such as branch.points[0] or branch.special[0], the end of a trajectory, or values by the names of states"
    raise refusal(field, f"a place is needed, not {type(given).__name__}", help_)


def _not_one(answer: Answer, plain: dict[str, Any]) -> tuple[str, str]:
    """Why an answer is no place, and what is one."""
    name = type(answer).__name__
    for entry, item in (("points", "points[0]"), ("equilibria", "equilibria[0]"), ("records", "records[0]"), ("modes", "modes[0]")):
        if plain.get(entry):
            return f"this is a {name} with many of them", f"give one, such as .{item}"
    ended = plain.get("ended")
    return f"this {name} has no state" + (f": it ended with `{ended}`" if isinstance(ended, str) else ""), "give an orbit or a point of a branch"


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) or (hasattr(value, "__float__") and not hasattr(value, "__len__"))
