"""What the tests share: the command, as a program of the same version."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from shared import ROOT


def program() -> Path | None:
    """The command: that of `SALTATION`, or what `cargo build` has made."""
    named = os.environ.get("SALTATION")
    built = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "debug" / "saltation"
    # Without a program of its own, that of the package is another process at least.
    places = [Path(named)] if named else [built, Path(sys.executable).parent / "saltation"]
    return next((place for place in places if place.exists()), None)


@pytest.fixture(scope="session")
def command() -> Callable[..., subprocess.CompletedProcess[str]]:
    """Runs the command with these words."""
    found = program()
    if found is None:
        pytest.fail("there is no command: scripts/python makes it, or SALTATION names it")

    def run(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([str(found), *words], capture_output=True, text=True, timeout=300, check=False)

    return run
