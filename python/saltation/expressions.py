"""Formulas from Python expressions: symbols and operators write the text that the library reads, term by term."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from typing import Any, SupportsFloat, SupportsIndex, TypeAlias

from .errors import refusal

__all__ = [
    "Condition",
    "Expression",
    "abs",
    "acos",
    "asin",
    "atan",
    "atan2",
    "clip",
    "cos",
    "cosh",
    "exp",
    "if_",
    "log",
    "max",
    "min",
    "pi",
    "side",
    "sign",
    "sin",
    "sinh",
    "sqrt",
    "step",
    "symbols",
    "tan",
    "tanh",
]

_NAME = re.compile(r"^[^\W\d]\w*$")
#: Words of the language of formulas, which name nothing else.
_WORDS = frozenset(
    "sin cos tan asin acos atan atan2 sinh cosh tanh exp log sqrt abs sign min max clip step if side and or not pi".split()
)
# How tightly a text holds together: sums, products, powers, names and numbers.
_SUM, _PRODUCT, _SIGN, _POWER, _ATOM = range(5)


class Condition:
    """A comparison of expressions, for :func:`if_`; ``&``, ``|`` and ``~`` are and, or and not.

    >>> x, y = symbols("x y")
    >>> ((x < y) & ~(y > 1)).formula
    '(x < y) and (not (y > 1))'
    """

    __slots__ = ("formula",)

    def __init__(self, formula: str) -> None:
        self.formula = formula

    def _joined(self, word: str, other: Condition) -> Condition:
        if not isinstance(other, Condition):
            return NotImplemented
        return Condition(f"({self.formula}) {word} ({other.formula})")

    def __and__(self, other: Condition) -> Condition:
        return self._joined("and", other)

    def __or__(self, other: Condition) -> Condition:
        return self._joined("or", other)

    def __invert__(self) -> Condition:
        return Condition(f"not ({self.formula})")

    def __bool__(self) -> bool:
        raise TypeError(
            f"whether {self.formula} holds is known along a trajectory only: use if_(condition, value, other), and & | ~ "
            "instead of and, or, not"
        )

    def __repr__(self) -> str:
        return self.formula


class Expression:
    """A formula: its text is read back term by term, in the order in which it was written.

    >>> x, y = symbols("x y")
    >>> (2 * x + (y + 1) / 3 - x**2).formula
    '2*x + (y + 1)/3 - x^2'
    """

    __slots__ = ("_binds", "formula")
    # Numbers of NumPy leave operators to this class.
    __array_ufunc__ = None

    def __init__(self, formula: str, binds: int = _SUM) -> None:
        self.formula = formula
        self._binds = binds

    def _within(self, least: int) -> str:
        """The text where at least this binding is needed."""
        return self.formula if self._binds >= least else f"({self.formula})"

    def __add__(self, other: Formula) -> Expression:
        return _binary(self, " + ", other, _SUM)

    def __radd__(self, other: Formula) -> Expression:
        return _binary(other, " + ", self, _SUM)

    def __sub__(self, other: Formula) -> Expression:
        return _binary(self, " - ", other, _SUM)

    def __rsub__(self, other: Formula) -> Expression:
        return _binary(other, " - ", self, _SUM)

    def __mul__(self, other: Formula) -> Expression:
        return _binary(self, "*", other, _PRODUCT)

    def __rmul__(self, other: Formula) -> Expression:
        return _binary(other, "*", self, _PRODUCT)

    def __truediv__(self, other: Formula) -> Expression:
        return _binary(self, "/", other, _PRODUCT)

    def __rtruediv__(self, other: Formula) -> Expression:
        return _binary(other, "/", self, _PRODUCT)

    def __pow__(self, other: Formula) -> Expression:
        return _power(self, other)

    def __rpow__(self, other: Formula) -> Expression:
        return _power(other, self)

    def __neg__(self) -> Expression:
        return Expression(f"-{self._within(_POWER)}", _SIGN)

    def __pos__(self) -> Expression:
        return self

    def __abs__(self) -> Expression:
        return abs(self)

    def __lt__(self, other: Formula) -> Condition:
        return Condition(f"{self.formula} < {_of(other).formula}")

    def __gt__(self, other: Formula) -> Condition:
        return Condition(f"{self.formula} > {_of(other).formula}")

    # The side at the border itself does not matter: formulas have one comparison.
    __le__ = __lt__
    __ge__ = __gt__

    def __eq__(self, other: object) -> bool:
        """Whether the texts are the same."""
        return isinstance(other, Expression) and self.formula == other.formula

    def __hash__(self) -> int:
        return hash(self.formula)

    def __bool__(self) -> bool:
        raise TypeError(f"the formula {self.formula} has no value here: use if_(condition, value, other)")

    def __float__(self) -> float:
        raise TypeError(f"the formula {self.formula} has no value here: system.evaluate(formula) gives one")

    def __str__(self) -> str:
        return self.formula

    def __repr__(self) -> str:
        return self.formula


Formula: TypeAlias = "Expression | SupportsFloat | SupportsIndex"

#: The ratio of a circle's circumference to its diameter.
pi = Expression("pi", _ATOM)


def symbols(names: str | Iterable[str]) -> Any:
    """The symbols of these names: one, or a tuple of several.

    :raises RequestError: if something is no name, or is a word of the language of formulas.

    >>> x, v = symbols("x v")
    >>> -x - v
    -x - v
    """
    listed = names.replace(",", " ").split() if isinstance(names, str) else list(names)
    for name in listed:
        if not isinstance(name, str) or not _NAME.match(name):
            raise refusal("names", f"{name!r} is no name", "a name consists of letters, digits and _, and begins with a letter or _")
        if name in _WORDS:
            raise refusal("names", f"`{name}` is a word of the language of formulas", "choose another name")
    found = tuple(Expression(name, _ATOM) for name in listed)
    return found[0] if len(found) == 1 else found


def _of(value: Formula) -> Expression:
    """An expression, or a number as one."""
    if isinstance(value, Expression):
        return value
    if isinstance(value, (bool, str)) or value is None:
        raise TypeError(f"a formula is made of symbols and numbers, not of {value!r}")
    if hasattr(value, "__index__"):
        number: float | int = value.__index__()
        text = str(number)
    else:
        number = float(value)
        if not math.isfinite(number):
            raise refusal("formula", f"{number} is not a finite number", "formulas are made of finite numbers")
        text = repr(number)
    return Expression(text, _SIGN if text.startswith("-") else _ATOM)


def _binary(left: Formula, sign: str, right: Formula, binds: int) -> Expression:
    """Operators are read from the left: what stands to the right is in brackets unless it binds more tightly."""
    try:
        a, b = _of(left), _of(right)
    except TypeError:
        return NotImplemented  # type: ignore[no-any-return]
    # A sign at the beginning belongs to the first term alone.
    first = a._within(_PRODUCT + 2 if a._binds == _SIGN and binds == _PRODUCT else binds)
    return Expression(f"{first}{sign}{b._within(_POWER if binds == _PRODUCT or b._binds == _SIGN else _PRODUCT)}", binds)


def _power(base: Formula, exponent: Formula) -> Expression:
    try:
        a, b = _of(base), _of(exponent)
    except TypeError:
        return NotImplemented  # type: ignore[no-any-return]
    return Expression(f"{a._within(_ATOM)}^{b._within(_ATOM)}", _POWER)


def _call(name: str, *arguments: Formula) -> Expression:
    return Expression(f"{name}({', '.join(_of(one).formula for one in arguments)})", _ATOM)


def sin(x: Formula) -> Expression:
    """The sine of an angle in radians.

    >>> sin(symbols("x"))
    sin(x)
    """
    return _call("sin", x)


def cos(x: Formula) -> Expression:
    """The cosine of an angle in radians.

    >>> cos(symbols("x"))
    cos(x)
    """
    return _call("cos", x)


def tan(x: Formula) -> Expression:
    """The tangent of an angle in radians.

    >>> tan(symbols("x"))
    tan(x)
    """
    return _call("tan", x)


def asin(x: Formula) -> Expression:
    """The angle, in radians, whose sine is x.

    >>> asin(symbols("x"))
    asin(x)
    """
    return _call("asin", x)


def acos(x: Formula) -> Expression:
    """The angle, in radians, whose cosine is x.

    >>> acos(symbols("x"))
    acos(x)
    """
    return _call("acos", x)


def atan(x: Formula) -> Expression:
    """The angle, in radians, whose tangent is x.

    >>> atan(symbols("x"))
    atan(x)
    """
    return _call("atan", x)


def atan2(y: Formula, x: Formula) -> Expression:
    """The angle, in radians, of the point (x, y).

    >>> atan2(symbols("y"), 1)
    atan2(y, 1)
    """
    return _call("atan2", y, x)


def sinh(x: Formula) -> Expression:
    """The hyperbolic sine.

    >>> sinh(symbols("x"))
    sinh(x)
    """
    return _call("sinh", x)


def cosh(x: Formula) -> Expression:
    """The hyperbolic cosine.

    >>> cosh(symbols("x"))
    cosh(x)
    """
    return _call("cosh", x)


def tanh(x: Formula) -> Expression:
    """The hyperbolic tangent.

    >>> tanh(symbols("x"))
    tanh(x)
    """
    return _call("tanh", x)


def exp(x: Formula) -> Expression:
    """The exponential function.

    >>> exp(-symbols("x"))
    exp(-x)
    """
    return _call("exp", x)


def log(x: Formula) -> Expression:
    """The natural logarithm.

    >>> log(symbols("x"))
    log(x)
    """
    return _call("log", x)


def sqrt(x: Formula) -> Expression:
    """The square root.

    >>> sqrt(symbols("x") + 1)
    sqrt(x + 1)
    """
    return _call("sqrt", x)


def abs(x: Formula) -> Expression:
    """The modulus, with a corner at zero.

    >>> abs(symbols("x"))
    abs(x)
    """
    return _call("abs", x)


def sign(x: Formula) -> Expression:
    """1 above zero and -1 below.

    >>> sign(symbols("x"))
    sign(x)
    """
    return _call("sign", x)


def step(x: Formula) -> Expression:
    """1 above zero and 0 below.

    >>> step(symbols("x"))
    step(x)
    """
    return _call("step", x)


def min(first: Formula, second: Formula, *more: Formula) -> Expression:
    """The least of several values.

    >>> min(symbols("x"), 0)
    min(x, 0)
    """
    return _call("min", first, second, *more)


def max(first: Formula, second: Formula, *more: Formula) -> Expression:
    """The largest of several values.

    >>> max(symbols("x"), 0)
    max(x, 0)
    """
    return _call("max", first, second, *more)


def clip(x: Formula, low: Formula, high: Formula) -> Expression:
    """The value, but no less than ``low`` and no more than ``high``.

    >>> clip(symbols("x"), -1, 1)
    clip(x, -1, 1)
    """
    return _call("clip", x, low, high)


def if_(condition: Condition, value: Formula, other: Formula) -> Expression:
    """One value where the condition holds, and another where it does not.

    >>> x = symbols("x")
    >>> if_(x < 0, -x, 2 * x)
    if(x < 0, -x, 2*x)
    """
    if not isinstance(condition, Condition):
        raise TypeError("the condition of if_ is a comparison of expressions, such as x < 0")
    return Expression(f"if({condition.formula}, {_of(value).formula}, {_of(other).formula})", _ATOM)


def side(switch: str) -> Expression:
    """The side of a switch of the model: 1 where its formula is positive, and -1 where it is negative.

    >>> side("relay")
    side(relay)
    """
    return Expression(f"side({switch})", _ATOM)
