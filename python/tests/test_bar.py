"""The bar of long computations: in a terminal after two seconds, and not before."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
import time
import types

import pytest
from shared import interruptible

from saltation.progress import watcher

PROGRAM = """
import saltation as st
st.gallery("impact-oscillator").lyapunov(settle=0, returns=10_000_000, progress={progress})
"""


def seen(program: str, seconds: float) -> str:
    """What a terminal shows of a program that is interrupted after a time."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 100, 0, 0))
    child = subprocess.Popen([sys.executable, "-c", program], stdout=slave, stderr=slave, stdin=slave, close_fds=True, preexec_fn=interruptible)
    os.close(slave)
    try:
        time.sleep(seconds)
        child.send_signal(2)
        shown = b""
        while True:
            try:
                part = os.read(master, 4096)
            except OSError:
                break
            if not part:
                break
            shown += part
        child.wait(20)
    finally:
        child.kill()
        os.close(master)
    return shown.decode(errors="replace").split("Traceback")[0]


def test_a_bar_after_two_seconds() -> None:
    shown = seen(PROGRAM.format(progress=None), 4.5)
    assert "% [" in shown and "return" in shown, shown
    # One line that is drawn anew, within the width of the terminal.
    assert "\n" not in shown.split("%", 1)[1].split("^C")[0].rsplit("%", 1)[0]
    assert all(len(line) < 100 for line in shown.split("\r"))


def test_lines_without_escapes_where_there_is_no_terminal() -> None:
    program = "import saltation as st; st.gallery('impact-oscillator').lyapunov(settle=0, returns=200_000, progress=True)"
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=100)
    lines = found.stderr.splitlines()
    assert found.returncode == 0 and found.stdout == "" and lines and len(lines) <= 12, found.stderr
    assert all(re.fullmatch(r" *\d+ %  .*return.*", line) for line in lines) and not set("\r\x1b\b") & set(found.stderr)
    silent = subprocess.run([sys.executable, "-c", program.replace("progress=True", "progress=None")], capture_output=True, text=True, timeout=100)
    assert silent.stderr == ""


def test_a_notebook_has_one_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    """As the kernel of a notebook sees it: one cell that changes, and is empty at the end."""
    cells: list[list[str]] = []

    class Cell:
        def __init__(self, shown: str) -> None:
            self.texts = [shown]
            cells.append(self.texts)

        def update(self, shown: str) -> None:
            self.texts.append(shown)

    notebook, output = types.ModuleType("IPython"), types.ModuleType("IPython.display")
    vars(notebook).update(get_ipython=lambda: types.SimpleNamespace(kernel=object()), display=output)
    vars(output).update(HTML=str, display=lambda shown, display_id: Cell(shown))
    monkeypatch.setitem(sys.modules, "IPython", notebook)
    monkeypatch.setitem(sys.modules, "IPython.display", output)
    _, delay, bar = watcher(None)
    assert bar is not None and delay > 0
    for share in (None, 0.0, 0.5, 1.0):
        bar(share, "one <b> of two")
    bar.close()
    assert len(cells) == 1 and len(cells[0]) == 5 and cells[0][-1] == ""
    assert 'value="0.5000"' in cells[0][2] and "50 %" in cells[0][2] and "&lt;b&gt;" in cells[0][2] and "value=" not in cells[0][0]


def test_no_bar_before_and_where_it_is_not_wanted() -> None:
    assert "%" not in seen(PROGRAM.format(progress=None), 1.0)
    assert "%" not in seen(PROGRAM.format(progress=False), 3.5)
