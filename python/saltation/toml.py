"""Writes dictionaries as TOML: the tables of a model file, with formulas as texts, numbers or expressions."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any

from .errors import refusal

__all__ = ["write"]

_BARE = re.compile(r"^[A-Za-z0-9_-]+$")
_ESCAPED = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r"}


def write(tables: Mapping[str, Any]) -> str:
    """A dictionary as TOML: values first, then tables in their order; the key ``format`` is added if it is missing.

    >>> print(write({"name": "ball", "parameters": {"g": 9.8}}))
    format = 1
    name = "ball"
    <BLANKLINE>
    [parameters]
    g = 9.8
    <BLANKLINE>
    """
    if not isinstance(tables, Mapping):
        raise refusal("model", f"a model is a text or a dictionary, not {type(tables).__name__}")
    whole = dict(tables) if "format" in tables else {"format": 1, **tables}
    lines: list[str] = []
    _table([], whole, lines)
    return "\n".join(lines) + "\n"


#: The tables whose members are tables of their own; those of all others are written within a line.
_OF_TABLES = frozenset({"phase", "contacts", "switches", "events", "sections", "discrete"})


def _table(path: list[str], table: Mapping[str, Any], lines: list[str]) -> None:
    opens = len(path) == 0 or (len(path) == 1 and path[0] in _OF_TABLES)
    inner = {name: one for name, one in table.items() if opens and isinstance(one, Mapping)}
    plain = {name: one for name, one in table.items() if name not in inner}
    if path and (plain or not inner):
        lines.extend(["", f"[{'.'.join(map(_key, path))}]"])
    lines.extend(f"{_key(name)} = {_value([*path, str(name)], one)}" for name, one in plain.items())
    for name, one in inner.items():
        _table([*path, str(name)], one, lines)


def _key(name: object) -> str:
    text = str(name)
    return text if _BARE.match(text) else _text(text)


def _text(text: str) -> str:
    def escaped(letter: str) -> str:
        if letter in _ESCAPED:
            return _ESCAPED[letter]
        return f"\\u{ord(letter):04x}" if ord(letter) < 32 or ord(letter) == 127 else letter

    return '"' + "".join(map(escaped, text)) + '"'


def _value(path: list[str], value: Any) -> str:
    """A value within a line."""
    formula = getattr(value, "formula", None)
    if isinstance(formula, str):
        return _text(formula)
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        if not math.isfinite(value):
            raise refusal(".".join(path), f"{value} is not a finite number", "give a number")
        return repr(value)
    if isinstance(value, Mapping):
        members = (f"{_key(name)} = {_value([*path, str(name)], one)}" for name, one in value.items())
        return "{ " + ", ".join(members) + " }"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_value(path, one) for one in value) + "]"
    raise refusal(".".join(path), f"a model holds no {type(value).__name__}", "give a number, a text, an expression, or a list of these")
