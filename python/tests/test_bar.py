"""The bar of long computations: in a terminal after two seconds, and not before."""

from __future__ import annotations

import fcntl
import os
import pty
import struct
import subprocess
import sys
import termios
import time

import pytest
from shared import interruptible

PROGRAM = """
import saltation as st, sys
if {plain}:
    sys.modules["tqdm"] = sys.modules["tqdm.auto"] = None
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


@pytest.mark.parametrize("plain", [False, True])
def test_a_bar_after_two_seconds(plain: bool) -> None:
    shown = seen(PROGRAM.format(plain=plain, progress=None), 4.5)
    assert "%" in shown and "return" in shown, shown


def test_no_bar_before_and_where_it_is_not_wanted() -> None:
    assert "%" not in seen(PROGRAM.format(plain=False, progress=None), 1.0)
    assert "%" not in seen(PROGRAM.format(plain=False, progress=False), 3.5)
