"""The fields of all questions from the table of the library: signatures and docstrings, for help and for completion in notebooks."""

from __future__ import annotations

import inspect
import json
import re
import textwrap
from collections.abc import Callable
from typing import Any, TypeVar

from . import _saltation
from .errors import in_python

__all__ = ["asked_by"]

#: The names and defaults of the fields of every question.
QUESTIONS: dict[str, dict[str, Any]] = {}
#: Its keywords, each with ``name``, ``kind``, ``help`` and what is ``usual``.
FORMS: dict[str, list[dict[str, Any]]] = {}
for _name, _fields, _form, _defaults in _saltation.questions():
    _values: dict[str, Any] = json.loads(_defaults)
    QUESTIONS[_name] = {field: _values.get(field) for field in _fields}
    FORMS[_name] = json.loads(_form)

#: How a value of a kind is written, where that is not plain; of a name its meaning is part of the key.
WRITTEN = {
    "axis": '``{NAME: (low, high, points)}``, with ``"log"`` as fourth entry for equal ratios, or with an array',
    "axis either": "``[(NAME, low, high, points), ...]``, two of them",
    "ends": "``{NAME: (low, high)}``",
    "ends either": "``(NAME, low, high)``",
    "range": "``(low, high)``",
    "answer": "an answer, its dictionary, or the path of its file",
    "starts": "columns by the names of states, or a data frame",
    "data": "columns by name, a data frame, or the path of a CSV file",
    "texts": "a mapping such as ``{NAME: WHAT}``, or texts ``\"NAME=WHAT\"``",
    "part": '``(1, 4)`` or ``"1/4"``',
    "position": "its index, or ``(branch, index)`` for one of ``branches``, from 1",
}
PROGRESS = "progress", "``True``, ``False``, or a function of the share and of words"
WIDTH = 130

_F = TypeVar("_F", bound=Callable[..., Any])


def keywords(*questions: str) -> dict[str, dict[str, Any]]:
    """The keywords of questions by their names.

    >>> list(keywords("check"))
    ['tol']
    """
    return {field["name"]: field for question in questions for field in FORMS[question]}


def described(field: dict[str, Any]) -> str:
    """What a keyword means, how it is written, and what holds without it.

    >>> described({"name": "settle", "kind": "whole", "help": "Number of `returns` before --max-step", "usual": "200"})
    'number of ``returns`` before ``max_step``; by default 200'
    """
    # What it means in this question says also what holds without it.
    help_, usual = (field["here"], None) if field.get("here") else (field["help"], field["usual"])
    help_ = help_.replace("the folder of --out", "the folder")
    # The first word is no name of its own if only its first letter is a capital.
    help_ = help_[0].lower() + help_[1:] if help_[1:2].islower() or help_[1:2] == " " else help_
    kind = field["kind"] + (" either" if field.get("of") == "either" else "")
    parts = [help_, *([WRITTEN[kind]] if kind in WRITTEN else [])]
    text = ": ".join(parts) + (f"; by default {usual}" if usual else "")
    text = re.sub(r"(?<!`)`([^`]+)`(?!`)", r"``\1``", text)
    return re.sub(r"--[a-z][a-z-]*(?: moreau)?", lambda flag: f"``{in_python(flag[0])}``", text)


def _documented(text: str, fields: dict[str, dict[str, Any]]) -> str:
    """A docstring with a line for every keyword that it does not describe by itself, before what is raised."""
    text = inspect.cleandoc(text)
    own = set(re.findall(r"^:param (\w+):", text, re.M))
    said = [(name, described(field)) for name, field in fields.items() if name not in own]
    said += [PROGRESS] if PROGRESS[0] not in own else []
    lines = [textwrap.fill(f":param {name}: {what}.", WIDTH, subsequent_indent="    ", break_long_words=False) for name, what in said]
    before, mark, after = text.partition(":raises ")
    return before + "\n".join(lines) + "\n" + mark + after


def asked_by(*questions: str, **positions: str) -> Callable[[_F], _F]:
    """Gives a method that takes any names the signature of the keywords of questions, with their defaults, and their part of its docstring.

    ``positions`` are keywords that are arguments of the method under another name.
    """
    fields = {name: field for name, field in keywords(*questions).items() if name not in positions}
    kind = inspect.Parameter.KEYWORD_ONLY

    def default(name: str) -> Any:
        known = [QUESTIONS[question][name] for question in questions if name in QUESTIONS[question]]
        return known[0] if known else _value(fields[name])

    def change(method: _F) -> _F:
        own = inspect.signature(method).parameters.values()
        first = [one for one in own if one.kind is not inspect.Parameter.VAR_KEYWORD]
        taken = {one.name for one in first}
        more = [inspect.Parameter(name, kind, default=default(name)) for name in fields if name not in taken]
        more.append(inspect.Parameter(PROGRESS[0], kind, default=None))
        setattr(method, "__signature__", inspect.Signature([*first, *more]))  # noqa: B010
        if method.__doc__ is not None:
            method.__doc__ = _documented(method.__doc__, fields)
        return method

    return change


def _value(field: dict[str, Any]) -> Any:
    """The default of a keyword that is no field of a request, from the table."""
    usual = field["usual"]
    return int(usual) if field["kind"] == "whole" and usual is not None else usual
