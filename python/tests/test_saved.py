"""Answers that are saved and loaded are the ones that were saved, and files that hold no answer are refused with what is wrong."""

from __future__ import annotations

import json
import os
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt  # noqa: E402
import numpy as np  # noqa: E402
import pytest  # noqa: E402
from test_copies import ANSWERS  # noqa: E402

import saltation as st  # noqa: E402

ORBIT = st.gallery("ball-on-table").orbit()


def same(a: Any, b: Any) -> None:
    """Equal in type, shape and every digit."""
    assert type(a) is type(b)
    if isinstance(a, np.ndarray):
        assert a.dtype == b.dtype
        np.testing.assert_array_equal(a, b)
    elif isinstance(a, dict):
        assert list(a) == list(b)
        for name in a:
            same(a[name], b[name])
    elif isinstance(a, (list, tuple)):
        assert len(a) == len(b)
        for one, other in zip(a, b, strict=True):
            same(one, other)
    else:
        assert a == b


def attributes(answer: st.Answer) -> dict[str, Any]:
    names = [name for name in dir(answer) if not name.startswith("_")]
    return {name: value for name in names if not callable(value := getattr(answer, name))}


def drawn(answer: st.Answer) -> list[Any] | None:
    """What matplotlib draws of an answer."""
    try:
        ax = answer.plot()
    except st.SaltationError as error:
        assert "picture" in str(error) or "draw" in str(error)
        return None
    lines = [(np.asarray(line.get_xdata()), np.asarray(line.get_ydata()), line.get_linestyle(), line.get_color()) for line in ax.get_lines()]
    cells = [np.asarray(one.get_array()) for one in ax.collections]
    texts = [ax.get_title(), ax.get_xlabel(), ax.get_ylabel()]
    plt.close("all")
    return [lines, cells, texts]


@pytest.mark.parametrize("name", ANSWERS)
def test_a_loaded_answer_is_the_one_that_was_saved(name: str, tmp_path: Path) -> None:
    answer = ANSWERS[name]()
    answer.save(tmp_path / "answer.json")
    assert os.listdir(tmp_path) == ["answer.json"]
    again = st.load(tmp_path / "answer.json")
    assert again == answer and type(again) is type(answer)
    same(attributes(again), attributes(answer))
    assert repr(again) == repr(answer) and again.report() == answer.report()
    assert again.to_json() == answer.to_json() and again.to_dict() == answer.to_dict()
    same(drawn(again), drawn(answer))
    try:
        figure = answer.figure().svg
    except st.SaltationError:
        with pytest.raises(st.SaltationError):
            again.figure()
    else:
        assert again.figure().svg == figure
    assert again._repr_html_() == answer._repr_html_()
    # Saved and pickled again it stays what it is.
    again.save(tmp_path / "again.json")
    assert (tmp_path / "again.json").read_bytes() == (tmp_path / "answer.json").read_bytes()
    assert pickle.loads(pickle.dumps(again)) == answer


def test_what_was_asked_is_in_the_file(tmp_path: Path) -> None:
    system = st.gallery("impact-oscillator").with_(A="0.7/2").start(x=-0.1)
    orbit = system.orbit(settle=400, period=2, guess={"state": {"x": -0.2, "y": 0.1, "phi": 0.0}})
    orbit.save(tmp_path / "orbit.json")
    document = json.loads((tmp_path / "orbit.json").read_text())
    assert document["version"] == st.__version__ and document["question"] == "orbit"
    assert document["request"] == orbit.request and document["answer"] == orbit.to_dict()
    assert document["model"]["text"] == system.source and document["parameters"] == system.parameters
    again = st.load(tmp_path / "orbit.json")
    # Numbers that are formulas stay so.
    assert again.system.with_(omega=0.8) == orbit.system.with_(omega=0.8)


def test_loaded_answers_go_on(tmp_path: Path) -> None:
    def through(answer: Any) -> Any:
        answer.save(tmp_path / "kept")
        return st.load(tmp_path / "kept")

    branch = ORBIT.continue_("K", 0.1, 1.2)
    again = through(ORBIT).continue_("K", 0.1, 1.2)
    assert [one.kind for one in again.special] == [one.kind for one in branch.special]
    for one, other in zip(again.special, branch.special, strict=True):
        assert abs(one.parameters.K - other.parameters.K) < 1e-9
    curve = through(branch).curve("fold", along="e", range=(0.7, 0.9))
    assert curve.to_dict() == branch.curve(0, along="e", range=(0.7, 0.9)).to_dict()
    assert through(curve).figure().svg == curve.figure().svg
    rest = st.gallery("relief-valve").equilibrium(mode="flight")
    assert through(rest).continue_("q", 5, 9, step=0.2).to_dict() == rest.continue_("q", 5, 9, step=0.2).to_dict()


def test_answers_that_ended_early_are_saved(tmp_path: Path) -> None:
    with pytest.raises(st.NotFound) as caught:
        st.gallery("impact-oscillator").with_(A=0.36).orbit(settle=400, period=3)
    answer = caught.value.answer
    assert answer is not None and not answer.complete
    answer.save(tmp_path / "none.json")
    again = st.load(tmp_path / "none.json")
    assert again == answer and again.ending == answer.ending and repr(again) == repr(answer)


def test_a_saved_answer_is_a_guess_and_an_overlay(tmp_path: Path) -> None:
    system = st.gallery("impact-oscillator")
    orbit = system.orbit(settle=400, period=2)
    orbit.save(tmp_path / "orbit.json")
    assert system.orbit(guess=tmp_path / "orbit.json").returns == 2
    branch = orbit.continue_("A", 0.34, 0.36)
    branch.save(tmp_path / "branch.json")
    sweep = system.sweep({"A": (0.345, 0.355, 9)}, settle=50, record=9)
    assert sweep.figure(overlays=[tmp_path / "branch.json"]).svg == sweep.figure(overlays=[branch]).svg


def changed(path: Path, change: Callable[[dict[str, Any]], object]) -> Path:
    """A saved orbit with a change."""
    ORBIT.save(path)
    document = json.loads(path.read_text())
    change(document)
    path.write_text(json.dumps(document, indent=2))
    return path


def set_(document: dict[str, Any], *names: str, to: object) -> None:
    for name in names[:-1]:
        document = document[name]
    document[names[-1]] = to


def test_other_versions_are_read_as_long_as_they_have_what_is_needed(tmp_path: Path) -> None:
    path = changed(tmp_path / "old.json", lambda one: one.update(version="0.0.9", more=1))
    again = st.load(path)
    assert again.to_dict() == ORBIT.to_dict() and again == ORBIT and again.system == ORBIT.system
    with pytest.warns(UserWarning, match="computed by version 0.0.9"):
        assert again.figure().svg == ORBIT.figure().svg
    again.save(tmp_path / "new.json")
    assert json.loads((tmp_path / "new.json").read_text())["version"] == "0.0.9"
    for names in (["request"], ["tables"], ["model", "text"], ["answer", "multipliers"]):
        path = changed(tmp_path / "old.json", lambda one, names=names: _delete(one, names, version="9.1.0"))  # type: ignore[misc]
        with pytest.raises(st.SaltationError, match=rf"saved by version 9\.1\.0, lacks what version .* needs: {'.'.join(names)}"):
            st.load(path)


def _delete(document: dict[str, Any], names: list[str], version: str) -> None:
    document["version"] = version
    for name in names[:-1]:
        document = document[name]
    del document[names[-1]]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda one: set_(one, "question", to="orbits"), r"question 'orbits'.* knows check, simulate"),
        (lambda one: set_(one, "request", to=[]), "`request` is not an object"),
        (lambda one: set_(one, "model", "set", to=3), "`model.set` is not a list"),
        (lambda one: set_(one, "tables", to=[{"name": 3}]), "cannot be read"),
        (lambda one: set_(one, "version", to=None), "which version"),
        (lambda one: set_(one, "model", "text", to=st.gallery("bouncing-ball").source), "of another model than ball-on-table"),
        (lambda one: set_(one, "model", "text", to="format = 1\nname = "), "does not read"),
        (lambda one: set_(one, "answer", "model", to="rattle"), "answer of another model: it is of rattle"),
        (lambda one: set_(one, "answer", "fingerprint", to="0" * 64), "answer of another model"),
        (lambda one: one.clear(), "it has no question and no answer"),
        (lambda one: (one.clear(), one.update(ORBIT.to_dict())), "answer alone, as to_json"),
        (lambda one: (one.clear(), one.update(command=[], answer={})), "run.json"),
    ],
)
def test_files_with_mistakes(change: Callable[[dict[str, Any]], object], message: str, tmp_path: Path) -> None:
    path = changed(tmp_path / "bad.json", change)
    with pytest.raises(st.SaltationError, match=message) as caught:
        st.load(path)
    assert str(path) in str(caught.value)


def test_every_truncated_file_is_refused(tmp_path: Path) -> None:
    ORBIT.save(tmp_path / "whole.json")
    whole = (tmp_path / "whole.json").read_bytes()
    path = tmp_path / "part.json"
    for length in [0, 1, 2, *range(5, len(whole) - 2, len(whole) // 150)]:
        path.write_bytes(whole[:length])
        with pytest.raises(st.SaltationError, match="truncated|is empty") as caught:
            st.load(path)
        assert str(path) in str(caught.value)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"\xff\xfe\x00", "no text in UTF-8"),
        (b"[1, 2]", "no object of JSON"),
        (b"orbit", "not JSON at line 1, column 1"),
        (b'{"a": 1} x', "not JSON at line 1, column 10"),
        (b'{"a" 1}', "not JSON"),
        (b'{"a": ' + b"[" * 100_000, "nested too deeply"),
    ],
)
def test_files_that_are_something_else(content: bytes, message: str, tmp_path: Path) -> None:
    (tmp_path / "other").write_bytes(content)
    with pytest.raises(st.SaltationError, match=message):
        st.load(tmp_path / "other")
    with pytest.raises(FileNotFoundError):
        st.load(tmp_path / "missing")


def test_a_file_that_cannot_be_written_leaves_what_was_there(tmp_path: Path) -> None:
    with pytest.raises(OSError):
        ORBIT.save(tmp_path / "no folder" / "orbit.json")
    (tmp_path / "folder").mkdir()
    with pytest.raises(OSError):
        ORBIT.save(tmp_path / "folder")
    assert os.listdir(tmp_path) == ["folder"]


def test_a_model_with_files_beside_it(tmp_path: Path) -> None:
    body = "%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 1 1\n2 2 4\n"
    text = 'format = 1\nname = "two"\n[matrices]\nM = "M.mtx"\nK = "K.mtx"\n'
    text += '[contacts.wall]\ngap = { constant = 1, normal = { 2 = -1 } }\nrestitution = 1\n[start]\n'
    first = tmp_path / "first"
    first.mkdir()
    for name, content in (("M.mtx", body), ("K.mtx", body), ("two.toml", text)):
        (first / name).write_text(content)
    system = st.read(first / "two.toml")
    checked = system.check()
    checked.save(tmp_path / "checked.json")
    assert st.load(tmp_path / "checked.json") == checked
    first.rename(tmp_path / "second")
    with pytest.raises(st.SaltationError, match=r"M\.mtx, K\.mtx are not together"):
        st.load(tmp_path / "checked.json")
    again = st.load(tmp_path / "checked.json", st.read(tmp_path / "second" / "two.toml"))
    assert again.to_dict() == checked.to_dict()
    with pytest.raises(st.SaltationError, match="is of another model"):
        st.load(tmp_path / "checked.json", st.gallery("chain"))
    (tmp_path / "second").rename(first)
    (first / "K.mtx").write_text(body.replace("4\n", "9\n"))
    with pytest.raises(st.SaltationError, match="has changed since"):
        st.load(tmp_path / "checked.json")


def test_gaps_and_infinities_of_tables_are_kept(tmp_path: Path) -> None:
    from saltation.saved import _column, _table

    for values in (np.array([0.1, np.nan, np.inf, -np.inf, -0.0]), np.array([1, 2]), np.array([True, False]), ["a", None], np.zeros(0)):
        name, columns = _table(json.loads(json.dumps({"name": "t", "columns": [_column("c", values)]}, allow_nan=False)))
        same(columns["c"], values)
        if isinstance(values, np.ndarray) and values.dtype == float:
            np.testing.assert_array_equal(np.signbit(columns["c"]), np.signbit(values))


def test_changed_bytes_are_refused_or_harmless(tmp_path: Path) -> None:
    """Whatever is changed in a file, it is read as another answer or refused; no other exception leaves."""
    ORBIT.save(tmp_path / "whole.json")
    whole = (tmp_path / "whole.json").read_bytes()
    random = np.random.default_rng(5)
    path, refused = tmp_path / "part.json", 0
    for _ in range(300):
        content = bytearray(whole)
        for place in random.integers(0, len(whole), 2):
            content[place] = int(random.choice(list(b'{}[]":,0xn\x00\xff')))
        path.write_bytes(content)
        try:
            st.load(path)
        except st.SaltationError as error:
            assert str(path) in str(error)
            refused += 1
    assert refused > 30
