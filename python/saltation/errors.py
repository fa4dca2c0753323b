"""The exceptions of the package: each with its text, its place and its help."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, TypedDict

if TYPE_CHECKING:
    from .answer import Answer

__all__ = ["InternalError", "Interrupted", "ModelError", "NotFound", "RequestError", "SaltationError", "VersionError"]


class Mistake(TypedDict):
    """One mistake of a text: ``line`` and ``column`` count from 1 and are ``None`` where there is no place."""

    message: str
    help: str | None
    file: str
    line: int | None
    column: int | None
    part: str | None


class Refusal(TypedDict):
    """One mistake of a request."""

    field: str
    message: str
    help: str


#: Flags of the command whose names differ in Python.
_FLAGS = {
    "resume": "resume=True",
    "out DIR": "folder",
    "out": "folder",
    "set": "with_()",
    "start NAME=VALUE": "start(NAME=VALUE)",
    "start": "start()",
    "method moreau": 'method="moreau"',
    "json": "to_dict()",
}
_FLAG = re.compile(r"--(out DIR|start NAME=VALUE|method moreau|[a-z][a-z0-9_-]*)")


def in_python(text: str) -> str:
    """A message of the library with the words of Python in the place of flags; commands are left as they are.

    >>> in_python("finish it with --resume, or choose another folder")
    'finish it with resume=True, or choose another folder'
    >>> in_python("try a longer --settle than 5, or another start with --start or --guess")
    'try a longer settle than 5, or another start with start() or guess'
    """
    if "--" not in text or re.search(r"saltation [a-z]+ (?:[A-Z]+ )?--", text):
        return text
    return _FLAG.sub(lambda flag: _FLAGS.get(flag[1], flag[1].replace("-", "_")), text)


class SaltationError(Exception):
    """The base of all exceptions of this package but :class:`Interrupted`.

    >>> import saltation as st
    >>> issubclass(st.ModelError, st.SaltationError)
    True
    """

    def __init__(self, message: str = "") -> None:
        super().__init__(message)


class ModelError(SaltationError, ValueError):
    """Mistakes in a model, in its numbers, or in a formula.

    Attributes: ``mistakes`` (a list of dictionaries with ``message``, ``help``, ``file``, ``line``, ``column``, ``part``),
    ``text`` (the text with the mistakes), and of the first mistake ``file``, ``line``, ``column`` and ``help``.

    >>> import saltation as st
    >>> try:
    ...     st.gallery("impact-oscillator").with_(B=1)
    ... except st.ModelError as error:
    ...     print(error.mistakes[0]["message"])
    the model has no parameter `B`
    """

    def __init__(
        self, shown: str = "", mistakes: list[Mistake] | None = None, text: str | None = None, file: str | None = None
    ) -> None:
        # The text of the model itself is shown as it is.
        self.shown = "\n".join(in_python(line) if line.lstrip(" =").startswith("help:") else line for line in shown.split("\n"))
        super().__init__(self.shown.rstrip())
        self.mistakes: list[Mistake] = [_said(one) for one in mistakes or []]
        self.text = text or ""
        self.file = file
        first = self.mistakes[0] if self.mistakes else None
        self.line = first["line"] if first else None
        self.column = first["column"] if first else None
        self.help = first["help"] if first else None

    def __reduce__(self) -> tuple[Any, ...]:
        return (ModelError, (self.shown, self.mistakes, self.text, self.file))


class RequestError(SaltationError, ValueError):
    """Mistakes in a request: a wrong type, an unknown name, a value out of its bounds.

    Attributes: ``refusals`` (a list of dictionaries with ``field``, ``message``, ``help``), and of the first one ``field``,
    ``message`` and ``help``.

    >>> import saltation as st
    >>> try:
    ...     st.gallery("bouncing-ball").simulate(untill=2)
    ... except st.RequestError as error:
    ...     print(error.field, "-", error.help)
    untill - did you mean `until`?
    """

    def __init__(self, refusals: list[Refusal] | None = None) -> None:
        self.refusals: list[Refusal] = [_refused(one) for one in refusals or []]
        super().__init__("\n".join(_line(one) for one in self.refusals))
        first = self.refusals[0] if self.refusals else None
        self.field = first["field"] if first else ""
        self.message = first["message"] if first else ""
        self.help = first["help"] if first else ""

    def __reduce__(self) -> tuple[Any, ...]:
        return (RequestError, (self.refusals,))


def _said(mistake: Mistake) -> Mistake:
    """A mistake with a help in words of Python."""
    help_ = mistake["help"]
    return {**mistake, "help": None if help_ is None else in_python(help_)}


def _refused(one: Refusal) -> Refusal:
    """A refusal in words of Python."""
    field = "folder" if one["field"] == "out" else one["field"]
    return {"field": field, "message": in_python(one["message"]), "help": in_python(one["help"])}


def _line(refusal: Refusal) -> str:
    field = f"{refusal['field']}: " if refusal["field"] else ""
    help_ = f" ({refusal['help']})" if refusal["help"] else ""
    return f"{field}{refusal['message']}{help_}"


def refusal(field: str, message: str, help: str = "") -> RequestError:
    """A mistake of one field."""
    return RequestError([{"field": field, "message": message, "help": help}])


class NotFound(SaltationError):
    """A search without a result: ``word`` says how it ended, ``lines`` why, ``answer`` is what was found on the way.

    >>> import saltation as st
    >>> try:
    ...     st.gallery("bouncing-ball").equilibrium(mode="flight")
    ... except st.NotFound as error:
    ...     print(error.word)
    none_found
    """

    def __init__(self, word: str = "", lines: list[str] | None = None, answer: Answer | None = None) -> None:
        self.word = word
        self.lines = [in_python(line) for line in lines or []]
        self.answer = answer
        super().__init__("\n".join(self.lines) or word)

    def __reduce__(self) -> tuple[Any, ...]:
        return (NotFound, (self.word, self.lines, self.answer))


class Interrupted(KeyboardInterrupt):
    """Ctrl-C ended a computation: ``answer`` is what was done until then.

    It is a ``KeyboardInterrupt``, so that programs and notebooks end as usual.

    >>> import saltation as st
    >>> issubclass(st.Interrupted, KeyboardInterrupt)
    True
    """

    def __init__(self, answer: Answer | None = None) -> None:
        super().__init__("the computation was interrupted; what is done is in the attribute `answer`")
        self.answer = answer

    def __reduce__(self) -> tuple[Any, ...]:
        return (Interrupted, (self.answer,))


class VersionError(SaltationError):
    """A pickle of another version of this package.

    >>> import saltation as st
    >>> issubclass(st.VersionError, st.SaltationError)
    True
    """


class InternalError(SaltationError):
    """A mistake of the library: please report it with the model and the call.

    >>> import saltation as st
    >>> issubclass(st.InternalError, st.SaltationError)
    True
    """

    def __init__(self, message: str = "") -> None:
        super().__init__(f"this is a mistake of the library, please report it: {message}")
        self.message = message

    def __reduce__(self) -> tuple[Any, ...]:
        return (InternalError, (self.message,))
