"""The points of branches: special ones of all branches in one list, and which one is meant by a name or a position."""

from __future__ import annotations

import operator
import re
from typing import Any

from .errors import refusal
from .record import BranchPoint, Record, Special, entry

__all__ = ["Parts", "position"]

#: Periods are multiples of each other to this part.
WHOLE = 1e-3


class Parts:
    """The branches of an answer, each with its points and special points as records that know where they are.

    >>> one = {"kind": "fold", "parameters": {"K": 0.5}}
    >>> parts = Parts({"along": "K", "points": [], "special": [one], "branches": [{"points": [], "special": [one]}]})
    >>> parts.special
    [<fold at K = 0.5>, <fold at K = 0.5 on branch 1>]
    """

    points: list[BranchPoint]
    #: Those of all branches.
    special: list[Special]
    branches: list[Record]

    def __init__(self, plain: dict[str, Any]) -> None:
        all_ = [plain, *plain["branches"]]
        returns = _returns(all_)
        points = [[BranchPoint(entry(one), returns[k]) for one in branch["points"]] for k, branch in enumerate(all_)]
        special = [
            [Special(entry(one), (k, i), plain["along"], returns[k]) for i, one in enumerate(branch["special"])] for k, branch in enumerate(all_)
        ]
        self.points, self.special = points[0], [one for each in special for one in each]
        self.branches = []
        for k, branch in enumerate(plain["branches"], 1):
            rest = {name: one for name, one in branch.items() if name not in ("points", "special")}
            own = {**entry(rest), "points": points[k], "special": special[k]}
            self.branches.append(Record({name: own[name] for name in branch}))


def _returns(branches: list[dict[str, Any]]) -> list[int | None]:
    """The periods in returns of the orbits of all branches: that of the first, and those of others by their periods where they begin.

    >>> first = {"returns": 2, "special": [{"period": 3.0}]}
    >>> _returns([first, {"parent": {"branch": 0, "special": 0}, "points": [{"period": 6.0}], "special": []}])
    [2, 4]
    """
    found: list[int | None] = [branches[0].get("returns")]
    for branch in branches[1:]:
        parent = branch.get("parent")
        count = None
        # Branches come after those on which they begin.
        if parent and parent["branch"] < len(found) and found[parent["branch"]] and branch["points"]:
            at = branches[parent["branch"]]["special"][parent["special"]]
            if at.get("period") and branch["points"][0].get("period"):
                share = found[parent["branch"]] * branch["points"][0]["period"] / at["period"]
                count = round(share) if round(share) > 0 and abs(share - round(share)) < WHOLE else None
        found.append(count)
    return found


def position(special: list[Special], asked: Any) -> Any:
    """The position of a special point as the library has it: by itself, by its number in the list, or by its kind.

    >>> points = Parts({"along": "K", "points": [], "special": [{"kind": "fold"}, {"kind": "graze"}], "branches": []}).special
    >>> position(points, "graze"), position(points, points[0]), position(points, 1)
    ((0, 1), (0, 0), (0, 1))
    >>> sliding = {"kind": "boundary", "sliding": "crossing_sliding"}
    >>> position(Parts({"along": "K", "points": [], "special": [sliding], "branches": []}).special, "crossing sliding")
    (0, 0)
    """
    if isinstance(asked, Special):
        # A point of another branch has a position, too, which is that of another point here.
        same = next((one for one in special if one is asked or (one.position == asked.position and _is_same(one, asked))), None)
        if same is None:
            raise refusal("index", f"{asked!r} is no special point of this branch", _known(special))
        return same.position
    if isinstance(asked, str) and not re.fullmatch(r"\d+(:\d+)?", asked):
        kind = asked.strip().lower().replace(" ", "_").replace("-", "_")
        found = [(k, one) for k, one in enumerate(special) if kind in (one["kind"], one.get("sliding"))]
        if len(found) > 1:
            help_ = "give one: " + ", ".join(f"special[{k}] {one!r}" for k, one in found[:5]) + (", ..." if len(found) > 5 else "")
            raise refusal("index", f"there are {len(found)} special points of the kind `{kind}`", help_)
        if not found:
            raise refusal("index", f"there is no special point of the kind `{kind}`", _known(special))
        return found[0][1].position
    if isinstance(asked, (str, tuple, list)):
        return asked
    try:
        index = operator.index(asked)
    except TypeError:
        help_ = "give an entry of special, its position, or its kind"
        raise refusal("index", f"a special point is needed, not {type(asked).__name__}", help_) from None
    if not 0 <= index < len(special):
        raise refusal("index", f"there is no special point {index}", f"special has {len(special)} entries, from 0; {_known(special)}")
    return special[index].position


def _is_same(one: Special, other: Special) -> bool:
    """Whether both are the same point: of the same kind at the same parameters."""
    return all(one.get(name) == other.get(name) for name in ("kind", "parameters", "index"))


def _known(special: list[Special]) -> str:
    kinds = list(dict.fromkeys(str(one.get("sliding") or one["kind"]) for one in special))
    return f"its special points are {', '.join(kinds)}" if kinds else "it has none"
