"""What `pip install .` shows: how far the compiler is where there is a terminal, and one sentence where there is no Rust for it. maturin, cargo and rustc are stand-ins."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from shared import ROOT

pytest.importorskip("termios")

#: A build that says what cargo says, and the line that pip reads the name of the wheel from.
MAKES = """
import os, subprocess
def _build(*arguments):
    bars = "    Building [=>    ] 12/34: faer, syn \\r" if os.environ.get("CARGO_TERM_PROGRESS_WHEN") else ""
    subprocess.run(["sh", "-c", 'printf "%s" "$1" >&2', "sh", "   Compiling faer v0.24.4\\n" + bars + "    Finished in time\\n"], check=True)
    return repr(arguments)
build_wheel = build_editable = build_sdist = prepare_metadata_for_build_wheel = _build
"""

#: One hook, in a session of its own: the terminal that it opens first is the one from which it was started.
ASKS = """
import os, sys
if sys.argv[1]:
    os.close(os.open(sys.argv[1], os.O_RDWR))
before = dict(os.environ)
import backend
print(getattr(backend, sys.argv[2])(*sys.argv[3:]))
assert before == dict(os.environ)
"""


def ask(folder: Path, hook: str, *arguments: str, rust: str | None = "1.88.0", terminal: str = "") -> subprocess.CompletedProcess[str]:
    """Runs a hook beside a Rust of this version."""
    programs, modules = folder / "programs", folder / "modules"
    programs.mkdir()
    modules.mkdir()
    (modules / "maturin.py").write_text(MAKES)
    for tool in ("sh", "printf") if rust is None else ("sh", "printf", "cargo", "rustc"):
        own = programs / tool
        if tool in ("cargo", "rustc"):
            own.write_text(f"#!/bin/sh\necho {tool} {rust}\n")
            own.chmod(0o755)
        else:
            own.symlink_to(f"/bin/{tool}" if Path(f"/bin/{tool}").exists() else f"/usr/bin/{tool}")
    environment = {"PATH": str(programs), "PYTHONPATH": f"{modules}{os.pathsep}{ROOT / 'python' / 'build'}", "TERM": "xterm", "PYTHONDONTWRITEBYTECODE": "1"}
    words = [sys.executable, "-c", ASKS, terminal, hook, *arguments]
    return subprocess.run(words, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60, check=False, start_new_session=True)


@pytest.mark.parametrize("hook", ["build_wheel", "build_editable"])
def test_a_terminal_is_told_how_far_the_compiler_is(tmp_path: Path, hook: str) -> None:
    main, side = os.openpty()
    shown: list[bytes] = []

    def read() -> None:
        while data := os.read(main, 4096):
            shown.append(data)
            if b"\0" in data:
                return

    reader = threading.Thread(target=read)
    reader.start()
    done = ask(tmp_path, hook, "wheels", terminal=os.ttyname(side))
    os.write(side, b"\0")
    reader.join()
    os.close(side)
    os.close(main)
    assert (done.returncode, done.stdout) == (0, "('wheels', None, None)\n"), done.stderr
    assert done.stderr == "   Compiling faer v0.24.4\n    Finished in time\n"
    text = b"".join(shown).decode()
    assert "compiling saltation: about " in text and "; 12 of 34 parts, 0:0" in text
    # The line is gone in the end.
    assert text.endswith("\x1b[K\x1b8\0")


def test_without_a_terminal_nothing_is_said(tmp_path: Path) -> None:
    done = ask(tmp_path, "build_wheel", "wheels")
    assert (done.returncode, done.stdout) == (0, "('wheels', None, None)\n")
    assert done.stderr == "   Compiling faer v0.24.4\n    Finished in time\n"


@pytest.mark.parametrize("hook", ["get_requires_for_build_wheel", "get_requires_for_build_editable", "get_requires_for_build_sdist"])
def test_nothing_else_is_required(tmp_path: Path, hook: str) -> None:
    done = ask(tmp_path, hook)
    assert (done.returncode, done.stdout, done.stderr) == (0, "[]\n", "")


@pytest.mark.parametrize("hook", ["get_requires_for_build_wheel", "build_wheel", "build_editable", "build_sdist", "prepare_metadata_for_build_wheel"])
@pytest.mark.parametrize(("rust", "said"), [(None, "there is none on PATH"), ("1.75.0", "this is 1.75"), ("unheard-of", "`rustc --version` fails")])
def test_one_sentence_where_rust_is_missing_or_old(tmp_path: Path, hook: str, rust: str | None, said: str) -> None:
    done = ask(tmp_path, hook, *([] if hook.startswith("get") else ["place"]), rust=rust)
    assert done.returncode == 1 and done.stdout == ""
    assert done.stderr.count("\n") == 1 and "Rust 1.88 or newer" in done.stderr and said in done.stderr
    assert rust == "unheard-of" or "https://rustup.rs" in done.stderr
