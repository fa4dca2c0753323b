"""The README's program, the examples, and the documentation of every public name: it has an example, which `pytest` runs."""

from __future__ import annotations

import inspect
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from shared import ROOT

import saltation as st

#: Parts whose example is that of the whole.
WITHOUT = {"wall_time", "complete", "svg", "png", "pdf", "name", "title", "states", "contacts", "parameters", "start_state", "source", "fingerprint", "sum"}


def test_the_readme_runs(tmp_path: Path) -> None:
    blocks = re.findall(r"^```python\n(.*?)^```$", (ROOT / "README.md").read_text(), re.DOTALL | re.MULTILINE)
    assert blocks
    for block in blocks:
        ran = subprocess.run([sys.executable, "-c", block], cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False)
        assert ran.returncode == 0 and not ran.stderr, ran.stderr


def test_the_pictures_of_the_readme_are_what_its_commands_draw() -> None:
    command = Path(sys.executable).with_name("saltation")
    ran = subprocess.run([sys.executable, str(ROOT / "scripts" / "pictures"), str(command)], capture_output=True, text=True, timeout=1200, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr


@pytest.mark.parametrize("name", sorted(path.name for path in (ROOT / "examples" / "python").glob("*.py")))
def test_examples_run(name: str, tmp_path: Path) -> None:
    words = {"branch.py": ["figure.svg"], "expressions.py": ["model.toml"], "cluster.py": ["diagram"]}[name]
    for _ in range(2):
        ran = subprocess.run(
            [sys.executable, str(ROOT / "examples" / "python" / name), *words],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=200,
            check=False,
        )
        assert ran.returncode == 0 and ran.stdout, ran.stderr
    assert (tmp_path / words[0]).exists()


def test_every_public_name_has_an_example() -> None:
    bare = []
    for name in st.__all__:
        one = getattr(st, name)
        if name in ("__version__", "pi") or inspect.ismodule(one):
            continue
        members = [(name, one)]
        if inspect.isclass(one):
            own = [(f"{name}.{key}", getattr(one, key)) for key in vars(one) if not key.startswith("_") and key not in WITHOUT]
            members += [(key, member) for key, member in own if callable(member) or isinstance(member, property)]
        for key, member in members:
            text = inspect.getdoc(member) or ""
            if not text.strip() or ">>>" not in text:
                bare.append(key)
    assert not bare


def test_keywords_are_listed_for_help_and_completion() -> None:
    methods: list[tuple[Callable[..., object], list[str]]] = [
        (st.System.simulate, ["until", "returns", "tol", "progress"]),
        (st.System.sweep, ["along", "settle", "folder", "resume", "part"]),
        (st.Orbit.continue_, ["along", "low", "high", "switch"]),
        (st.distributed.sweep, ["client", "along", "folder"]),
    ]
    for method, names in methods:
        known = inspect.signature(method).parameters
        assert set(names) <= set(known)
        text = inspect.getdoc(method) or ""
        if method is not st.distributed.sweep:
            assert all(f":param {name}:" in text for name in names if name != "self"), method


def test_every_keyword_is_documented_and_has_a_type() -> None:
    """Signatures and docstrings have the keywords of the table, and the file of their types is what the table gives."""
    methods: dict[str, Callable[..., object]] = {
        "check": st.System.check,
        "simulate": st.System.simulate,
        "stepping": st.System.simulate,
        "orbit": st.System.orbit,
        "continue": st.Orbit.continue_,
        "curve": st.Branch.curve,
        "equilibrium": st.System.equilibrium,
        "continue_equilibrium": st.Equilibria.continue_,
        "fit": st.System.fit,
        "lyapunov": st.System.lyapunov,
        "modes": st.System.modes,
        "contact": st.System.contact,
        "sweep": st.System.sweep,
        "basin": st.System.basin,
    }
    from saltation.fields import QUESTIONS, keywords

    assert set(methods) == set(QUESTIONS)
    # An argument of another name.
    arguments = {"curve": {"at"}}
    for question, method in methods.items():
        names = set(keywords(question)) - arguments.get(question, set())
        assert set(QUESTIONS[question]) - arguments.get(question, set()) <= names, question
        assert names <= set(inspect.signature(method).parameters), question
        text = inspect.getdoc(method) or ""
        assert all(text.count(f":param {name}:") == 1 for name in [*names, "progress"]), question
    script = ROOT / "scripts" / "fields"
    checked = subprocess.run([sys.executable, str(script), "--check"], capture_output=True, text=True)
    assert checked.returncode == 0, checked.stderr

