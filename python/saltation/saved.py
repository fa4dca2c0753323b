"""Answers as files: one JSON object with the answer, its question with all fields of the request, the text of its model, and the version.

The keys are those of the ``run.json`` that the command writes, so that a saved orbit or branch is also read by ``--guess``, ``--from`` and
``--overlay``. The texts of answer and request are kept as they are, digit by digit.
"""

from __future__ import annotations

import json
import math
import os
import re
import tempfile
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _saltation
from .answer import CLASSES, Answer, Stored, Table
from .errors import ModelError, SaltationError
from .system import System

if TYPE_CHECKING:
    from .values import Path

__all__ = ["document", "load", "write"]

#: The keys without which no answer can be made, with the types of their values.
NEEDED: dict[str, type] = {
    "version": str, "question": str, "model": dict, "request": dict, "answer": dict, "complete": bool, "ending": list, "notes": list,
    "report": list, "tables": list, "wall_time": float,
}  # fmt: skip
#: The same of the model.
OF_MODEL: dict[str, type] = {"name": str, "file": str, "fingerprint": str, "text": str, "files": list, "set": list, "start": list}
#: Answers begin at answers, which begin at others: a curve at a branch, which begins at an orbit.
DEEPEST = 8
WORDS: dict[type, str] = {dict: "an object", list: "a list", str: "a text", bool: "true or false", float: "a number"}


# Writing.


def write(answer: Answer, path: Path) -> None:
    """Writes an answer to a file: all of it, or nothing where it cannot be written."""
    path = os.fspath(path)
    text = document(answer) + "\n"
    # A file of this name is replaced once the new one is complete.
    handle, part = tempfile.mkstemp(dir=os.path.dirname(path) or ".", prefix=f".{os.path.basename(path)}.", suffix=".part")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(part, 0o666 & ~mask)
        os.replace(part, path)
    except BaseException:
        os.unlink(part)
        raise


def document(answer: Answer) -> str:
    """The text of the file of an answer.

    >>> import saltation as st
    >>> sorted(json.loads(document(st.gallery("bouncing-ball").simulate(until=1.0))))[:4]
    ['answer', 'beside', 'complete', 'ending']
    """
    source, system = answer._source, answer._system
    text, file, set_, start, files = system._native.parts()
    model = {
        "name": system.name, "file": file, "fingerprint": system.fingerprint, "text": text, "files": files,
        "folder": os.path.dirname(os.path.abspath(file)) if files else None, "set": set_, "start": start,
    }  # fmt: skip
    complete, ending = source.ending()
    # Answer and request stay the texts that they are.
    texts = {
        "version": _text(getattr(source, "version", _saltation.__version__)),
        "question": _text(answer._asked),
        "model": _text(model),
        "parameters": _text(system.parameters),
        "start": _text(system.start_state),
        "request": source.request(),
        "beside": _text(answer._extra),
        "wall_time": _text(float(source.wall_time)),
        "complete": _text(complete),
        "ending": _text(ending),
        "notes": _text(source.warnings()),
        "report": _text(source.report()),
        "tables": _text([{"name": name, "columns": [_column(*one) for one in table.items()]} for name, table in source.tables()]),
        "from": "null" if answer._from is None else document(answer._from),
        "answer": source.json(),
    }
    return "{\n" + ",\n".join(f'"{name}": {one}' for name, one in texts.items()) + "\n}"


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False, default=_plain)


def _plain(value: Any) -> Any:
    """What a field was given as, as plain data: arrays as lists, paths and formulas as texts."""
    if hasattr(value, "tolist"):
        return value.tolist()
    formula = getattr(value, "formula", None)
    return formula if isinstance(formula, str) else os.fspath(value)


def _column(name: str, values: Any) -> dict[str, Any]:
    """A column: numbers, of which gaps are null and infinities texts, counts, flags or words.

    >>> _column("x", np.array([0.5, np.nan, -np.inf]))
    {'name': 'x', 'kind': 'numbers', 'values': [0.5, None, '-inf']}
    """
    if isinstance(values, list):
        return {"name": name, "kind": "words", "values": values}
    kinds = {"f": "numbers", "i": "counts", "b": "flags"}
    kind, plain = kinds[values.dtype.kind], values.tolist()
    if kind == "numbers":
        plain = [x if math.isfinite(x) else None if math.isnan(x) else str(x) for x in plain]
    return {"name": name, "kind": kind, "values": plain}


# Reading.


def load(path: Path, system: System | None = None) -> Answer:
    """An answer that :meth:`Answer.save` wrote: it has the attributes, tables, report and pictures of the one that was saved, and can be continued.

    Its system is made from the text of the model in the file. Files of other versions are read as long as they have all that this version needs.
    Figures of the library are drawn from the same question asked again, with a warning where another version computed the answer.

    :param path: the file.
    :param system: a system of the same model. A model that names files beside it is read from its folder; where that is gone, this system
        has them.
    :raises SaltationError: if the file is truncated, holds no answer or an unknown one, lacks what this version needs, or is of another model;
        the message says which.
    :raises OSError: if it cannot be read.

    >>> import saltation as st, tempfile
    >>> path = tempfile.mkdtemp() + "/orbit.json"
    >>> orbit = st.gallery("ball-on-table").orbit()
    >>> orbit.save(path)
    >>> st.load(path) == orbit
    True
    """
    path = os.fspath(path)
    with open(path, "rb") as file:
        content = file.read()
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise SaltationError(f"{path} is no text in UTF-8, and holds no saved answer") from None
    try:
        return _answer(path, text, system, DEEPEST)
    except json.JSONDecodeError as error:
        raise SaltationError(f"{path} {_broken(error)}") from None
    except RecursionError:
        raise SaltationError(f"{path} holds no saved answer: its lists are nested too deeply") from None


def _broken(error: json.JSONDecodeError) -> str:
    """Why a text is not JSON."""
    text = error.doc
    # Strings that do not close are reported where they begin.
    if not text[error.pos :].strip() or error.msg.startswith("Unterminated string"):
        return "is truncated: the JSON in it does not end; save the answer again"
    return f"is not JSON at line {error.lineno}, column {error.colno}: {error.msg}; give a file that save() wrote"


_SPACE = re.compile(r"[ \t\n\r]*")
_DECODER = json.JSONDecoder()


def members(text: str) -> dict[str, tuple[Any, str]]:
    """The members of a JSON object: each as plain objects of Python, and as the text that it is.

    >>> members('{"a": 1e-3, "b": [1]}')
    {'a': (0.001, '1e-3'), 'b': ([1], '[1]')}
    """
    found: dict[str, tuple[Any, str]] = {}
    at = _begin(text, 0, "{")
    while _SPACE.match(text, at).end() < len(text) and text[(at := _SPACE.match(text, at).end())] != "}":  # type: ignore[union-attr]
        if found:
            at = _begin(text, at, ",")
        name, at = _DECODER.raw_decode(text, at)
        begin = _begin(text, at, ":")
        value, at = _DECODER.raw_decode(text, begin)
        if isinstance(name, str):
            found[name] = value, text[begin:at]
    at = _begin(text, at, "}")
    if at < len(text):
        raise json.JSONDecodeError("there is more behind the object", text, at)
    return found


def _begin(text: str, at: int, mark: str) -> int:
    """The place of what follows a mark."""
    at = _SPACE.match(text, at).end()  # type: ignore[union-attr]
    if not text.startswith(mark, at):
        raise json.JSONDecodeError(f"`{mark}` is missing", text, at)
    return _SPACE.match(text, at + 1).end()  # type: ignore[union-attr]


def _answer(path: str, text: str, system: System | None, deepest: int) -> Answer:
    """The answer in a text, and that at which it begins."""
    if not text.strip():
        raise SaltationError(f"{path} is empty; save the answer again")
    if not text.lstrip().startswith("{"):
        json.loads(text)
        raise SaltationError(f"{path} holds no saved answer: it is no object of JSON; give a file that save() wrote")
    found = members(text)
    plain = {name: value for name, (value, _) in found.items()}
    class_ = _checked(path, plain)
    version, model = plain["version"], plain["model"]
    try:
        tables = [_table(one) for one in plain["tables"]]
        settings = [[(str(name), str(value)) for name, value in model[key]] for key in ("set", "start")]
        lines = [[str(line) for line in plain[key]] for key in ("ending", "notes", "report")]
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
        raise SaltationError(f"{path} holds no saved answer: a table or a setting cannot be read ({error})") from None
    own = _system(path, version, model, settings, system)
    _same_model(path, plain["answer"], own)
    begins = None
    if plain.get("from") is not None:
        if deepest == 0:
            raise SaltationError(f"{path} holds no saved answer: answers begin at answers too often")
        begins = _answer(path, found["from"][1], system, deepest - 1)
    beside = plain.get("beside")
    parts = {
        "version": version, "question": plain["question"], "json": _line(found["answer"]), "request": _line(found["request"]), "wall_time": float(plain["wall_time"]),
        "ending": (plain["complete"], lines[0]), "warnings": lines[1], "report": lines[2], "tables": tables,
    }  # fmt: skip
    return class_(Stored(parts), own, begins, beside if isinstance(beside, dict) else {})


def _checked(path: str, plain: dict[str, Any]) -> type[Answer]:
    """The class of a saved answer that has all that is needed."""
    if "answer" not in plain or "question" not in plain:
        raise SaltationError(f"{path} holds no saved answer: {_instead(plain)}")
    asked, version = plain["question"], plain.get("version")
    if not isinstance(version, str):
        raise SaltationError(f"{path} holds no saved answer: it does not say which version of saltation wrote it")
    class_ = CLASSES.get(asked) if isinstance(asked, str) else None
    if class_ is None:
        raise SaltationError(f"{path} holds an answer of the question {asked!r}{_by(version)}; {_now()} knows {', '.join(CLASSES)}")
    missing = [name for name in NEEDED if name not in plain]
    if isinstance(plain.get("model"), dict):
        missing += [f"model.{name}" for name in OF_MODEL if name not in plain["model"]]
    # A search that found nothing has no more than how it ended.
    if isinstance(plain["answer"], dict) and plain.get("complete", True):
        missing += [f"answer.{name}" for name in class_._entries if name not in plain["answer"]]
    if missing:
        raise SaltationError(f"{path}{_by(version)} lacks what {_now()} needs: {', '.join(missing)}; ask the question again and save the answer")
    _typed(path, plain, NEEDED, "")
    _typed(path, plain["model"], OF_MODEL, "model.")
    return class_


def _typed(path: str, given: dict[str, Any], needed: dict[str, type], within: str) -> None:
    """Whether values are of the types that are needed."""
    for name, type_ in needed.items():
        value = given[name]
        if not (isinstance(value, type_) or (type_ is float and type(value) is int)):
            raise SaltationError(f"{path} holds no saved answer: `{within}{name}` is not {WORDS[type_]}")


def _line(member: tuple[Any, str]) -> str:
    """A member on one line: as it is, or written anew where a program has broken it into several."""
    value, text = member
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")) if "\n" in text else text


def _by(version: str) -> str:
    """Which other version wrote a file."""
    return "" if version == _saltation.__version__ else f", saved by version {version},"


def _now() -> str:
    return f"version {_saltation.__version__}"


def _instead(plain: dict[str, Any]) -> str:
    """What an object is instead of a saved answer."""
    if "command" in plain:
        return "it is the run.json of a folder that the command wrote; saltation.report shows such a folder, and guess= takes its orbit"
    if "ended" in plain or "newton" in plain or "status" in plain:
        return "it is an answer alone, as to_json() and --json write it, without question and model; save() writes them, too"
    missing = [name for name in ("question", "answer") if name not in plain]
    return f"it has no {' and no '.join(missing)}; give a file that save() wrote"


def _table(one: dict[str, Any]) -> tuple[str, Table]:
    """A table from its columns.

    >>> _table({"name": "t", "columns": [{"name": "x", "kind": "numbers", "values": [0.5, None, "-inf"]}]})
    ('t', {'x': array([ 0.5,  nan, -inf])})
    """
    types = {"numbers": np.float64, "counts": np.int64, "flags": np.bool_}
    columns: Table = {}
    for column in one["columns"]:
        values, kind = column["values"], column["kind"]
        if kind == "words":
            columns[column["name"]] = list(values)
            continue
        if kind == "numbers":
            values = [math.nan if x is None else float(x) for x in values]
        columns[column["name"]] = np.array(values, dtype=types[kind])
    return one["name"], columns


def _system(path: str, version: str, model: dict[str, Any], settings: list[list[tuple[str, str]]], given: System | None) -> System:
    """The system of an answer: from the text of its model, or from the folder where that has files beside it."""
    name, files = model["name"], model["files"]
    if given is not None and given.fingerprint != model["fingerprint"]:
        raise SaltationError(f"{path} is of another model: {name} with the fingerprint {model['fingerprint'][:12]}, and the system is "
                             f"{given.name} with {given.fingerprint[:12]}; leave system out to take the model of the file")  # fmt: skip
    place = _place(path, model, given) if files else None
    try:
        own = System(_saltation.System.restore(model["text"], model["file"], place, *settings))
    except ModelError as error:
        raise SaltationError(f"{path}{_by(version)} holds a model that {_now()} does not read:\n{error}") from error
    if own.fingerprint != model["fingerprint"]:
        where = f"{place} or a file beside it has changed since" if place else "the text in it was changed, or is that of another model"
        raise SaltationError(f"{path} is of another model than {name} as it was when the answer was saved: {where}")
    return own


def _place(path: str, model: dict[str, Any], given: System | None) -> str:
    """Where a model stands that has files beside it: that of the system, the folder where it was, or that of the answer."""
    if given is not None:
        return os.path.abspath(given._native.file)
    file = os.path.basename(model["file"])
    folders = [folder for folder in (model.get("folder"), os.path.dirname(os.path.abspath(path))) if isinstance(folder, str)]
    for folder in folders:
        if all(os.path.isfile(os.path.join(folder, str(one))) for one in [file, *model["files"]]):
            return os.path.join(folder, file)
    names = ", ".join([file, *map(str, model["files"])])
    raise SaltationError(f"the model of {path} names files beside it, and {names} are not together in {' or '.join(folders)}; "
                         "put them beside the answer, or give system=, a system of this model")  # fmt: skip


def _same_model(path: str, answer: dict[str, Any], system: System) -> None:
    """An answer that names its model is one of it."""
    fingerprint, name = answer.get("fingerprint"), answer.get("model")
    other = isinstance(fingerprint, str) and fingerprint != system.fingerprint
    if other or (isinstance(name, str) and name != system.name):
        raise SaltationError(f"{path} holds an answer of another model: it is of {name}, and the model in it is {system.name}")
