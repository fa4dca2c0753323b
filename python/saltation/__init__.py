"""Nonsmooth dynamical systems: trajectories, periodic orbits and bifurcations with impacts, friction and switching.

>>> import saltation as st
>>> sys = st.gallery("impact-oscillator")
>>> orbit = sys.with_(A=0.35).orbit(settle=400, period=2)
>>> branch = orbit.continue_("A", 0.34, 0.36)
>>> branch.special[0].kind
'graze'
"""

from . import distributed, errors, expressions
from ._saltation import __version__
from .answers import (
    Answer,
    Basin,
    Branch,
    Check,
    Contact,
    Curve,
    Equilibria,
    EquilibriumBranch,
    Fit,
    Lyapunov,
    Modes,
    Orbit,
    Simulation,
    Stepping,
    Sweep,
)
from .errors import InternalError, Interrupted, ModelError, NotFound, RequestError, SaltationError, VersionError
from .expressions import (
    Condition,
    Expression,
    acos,
    asin,
    atan,
    atan2,
    clip,
    cos,
    cosh,
    exp,
    if_,
    log,
    pi,
    side,
    sign,
    sin,
    sinh,
    sqrt,
    step,
    symbols,
    tan,
    tanh,
)
from .expressions import abs as abs
from .expressions import max as max
from .expressions import min as min
from .figure import Figure
from .function import Function
from .record import BranchPoint, Record, Special
from .saved import load
from .system import System, gallery, merge, model, portable, read, report

# Without `abs`, `max` and `min`, which are those of formulas and would hide those of Python after `from saltation import *`.
__all__ = [
    "Answer",
    "Basin",
    "Branch",
    "BranchPoint",
    "Check",
    "Condition",
    "Contact",
    "Curve",
    "Equilibria",
    "EquilibriumBranch",
    "Expression",
    "Figure",
    "Fit",
    "Function",
    "InternalError",
    "Interrupted",
    "Lyapunov",
    "ModelError",
    "Modes",
    "NotFound",
    "Orbit",
    "Record",
    "RequestError",
    "SaltationError",
    "Simulation",
    "Special",
    "Stepping",
    "Sweep",
    "System",
    "VersionError",
    "__version__",
    "acos",
    "asin",
    "atan",
    "atan2",
    "clip",
    "cos",
    "cosh",
    "distributed",
    "errors",
    "exp",
    "expressions",
    "gallery",
    "if_",
    "load",
    "log",
    "merge",
    "model",
    "pi",
    "portable",
    "read",
    "report",
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
