"""Builds the package: the hooks of maturin, after a look at Rust, with a line on the terminal that says how far the compiler is, as pip shows nothing of a build."""

from __future__ import annotations

import os
import re
import select
import shutil
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, cast

import maturin

#: What a build takes on all cores together: see `benches/README.md`, Building.
PROCESSOR_MINUTES = 5
#: How far cargo is, in a line that ends with a return.
BAR = re.compile(rb"\] (\d+)/(\d+)[^\n]*\r$")
#: Draws a line below the cursor, which stays where it is: there pip turns its wheel, or shows with `-v` what cargo says.
BELOW = "\x1bD\x1b[A\x1b7\x1b[B\r\x1b[K{}\x1b8"


def require_rust() -> None:
    """Ends with one sentence, where there is no Rust that compiles the package."""
    needed = re.search(r'^rust-version = "(\d+)\.(\d+)', Path("Cargo.toml").read_text(encoding="utf-8"), re.MULTILINE)
    assert needed is not None
    least = f"{needed[1]}.{needed[2]}"
    where = "rustup, from https://rustup.rs, installs it (it needs a C linker too, such as gcc)"
    compiler = os.environ.get("RUSTC", "rustc")
    if shutil.which("cargo") is None or shutil.which(compiler) is None:
        raise SystemExit(f"saltation is compiled, which needs Rust {least} or newer, and there is none on PATH: {where}.")
    asked = subprocess.run([compiler, "--version"], capture_output=True, text=True, check=False)
    found = re.match(r"rustc (\d+)\.(\d+)", asked.stdout)
    if found is None:
        raise SystemExit(f"saltation is compiled, which needs Rust {least} or newer, and `{compiler} --version` fails: {asked.stderr.strip()}")
    if (int(found[1]), int(found[2])) < (int(needed[1]), int(needed[2])):
        raise SystemExit(f"saltation needs Rust {least} or newer, and this is {found[1]}.{found[2]}: `rustup update` brings a newer one, or {where}.")


def _cores() -> int:
    """How many of them may work."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _terminal() -> int | None:
    """The terminal from which all this was started, if there is one that can move its cursor."""
    with suppress(OSError):
        if os.environ.get("TERM", "dumb") != "dumb":
            return os.open("/dev/tty", os.O_WRONLY | os.O_NOCTTY)
    return None


def _show(terminal: int, text: str) -> None:
    """Draws a line on the terminal, unless something else has it now."""
    with suppress(OSError):
        if os.tcgetpgrp(terminal) == os.getpgrp():
            width = os.get_terminal_size(terminal).columns or 80
            os.write(terminal, BELOW.format(text[: width - 1]).encode())


def _follow(source: int, onward: int, terminal: int) -> None:
    """Passes on what cargo writes but its bars, and shows those as one line, every second and after all that is passed on."""
    cores, began = _cores(), time.monotonic()
    minutes = max(2, round(PROCESSOR_MINUTES / cores + 0.5))
    words = f"  compiling saltation: about {minutes} minutes on {'one core' if cores == 1 else f'{cores} cores'}"
    far, rest = "", b""
    try:
        while True:
            taken = int(time.monotonic() - began)
            _show(terminal, f"{words}{far}, {taken // 60}:{taken % 60:02}")
            if not select.select([source], [], [], 1.0)[0]:
                continue
            read = os.read(source, 1 << 16)
            *lines, rest = re.split(rb"(?<=[\r\n])", rest + read)
            bars = [bar for bar in map(BAR.search, lines) if bar]
            far = f"; {int(bars[-1][1])} of {int(bars[-1][2])} parts" if bars else far
            said = b"".join(line for line in lines if not line.endswith(b"\r")) + (b"" if read else rest)
            if said:
                _show(terminal, "")
                os.write(onward, said)
                # It may come to the terminal by way of pip.
                time.sleep(0.05)
            if not read:
                return
    finally:
        _show(terminal, "")
        os.close(source)


@contextmanager
def _shown() -> Iterator[None]:
    """Meanwhile the terminal, if there is one, says how far cargo is. What it writes goes where it went."""
    terminal = _terminal()
    if terminal is None:
        yield
        return
    source, sink = os.pipe()
    onward = os.dup(2)
    os.dup2(sink, 2)
    os.close(sink)
    settings = {"CARGO_TERM_PROGRESS_WHEN": "always", "CARGO_TERM_PROGRESS_WIDTH": "80"}
    before = dict(os.environ)
    os.environ.update(settings)
    follower = threading.Thread(target=_follow, args=(source, onward, terminal))
    follower.start()
    try:
        yield
    finally:
        os.dup2(onward, 2)
        follower.join()
        os.environ.clear()
        os.environ.update(before)
        os.close(onward)
        os.close(terminal)


def _compiled(build: Callable[..., str], *arguments: Any) -> str:
    require_rust()
    with _shown():
        return build(*arguments)


def build_wheel(wheel_directory: str, config_settings: dict[str, Any] | None = None, metadata_directory: str | None = None) -> str:
    """Compiles the package: the name of the wheel."""
    return _compiled(maturin.build_wheel, wheel_directory, config_settings, metadata_directory)


def build_editable(wheel_directory: str, config_settings: dict[str, Any] | None = None, metadata_directory: str | None = None) -> str:
    """Compiles the package as it lies here: the name of the wheel."""
    return _compiled(maturin.build_editable, wheel_directory, config_settings, metadata_directory)


def build_sdist(sdist_directory: str, config_settings: dict[str, Any] | None = None) -> str:
    """The source archive: its name."""
    require_rust()
    return cast(str, maturin.build_sdist(sdist_directory, config_settings))


def prepare_metadata_for_build_wheel(metadata_directory: str, config_settings: dict[str, Any] | None = None) -> str:
    """What the package is, without compiling it: the name of the folder."""
    require_rust()
    return cast(str, maturin.prepare_metadata_for_build_wheel(metadata_directory, config_settings))


def get_requires_for_build_wheel(config_settings: dict[str, Any] | None = None) -> list[str]:
    """Nothing but maturin, and Rust, which is looked for first of all."""
    require_rust()
    return []


prepare_metadata_for_build_editable = prepare_metadata_for_build_wheel
get_requires_for_build_editable = get_requires_for_build_wheel
get_requires_for_build_sdist = get_requires_for_build_wheel
