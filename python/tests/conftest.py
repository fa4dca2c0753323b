"""What the tests share: the command, as a program of the same version."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def program() -> Path | None:
    """The command: that of `SALTATION`, or what `cargo build` has made."""
    named = os.environ.get("SALTATION")
    places = [Path(named)] if named else [ROOT / "target" / kind / "saltation" for kind in ("debug", "release")]
    return next((place for place in places if place.exists()), None)


@pytest.fixture(scope="session")
def command() -> Callable[..., subprocess.CompletedProcess[str]]:
    """Runs the command with these words."""
    found = program()
    if found is None:
        pytest.fail("there is no command: cargo build makes it, or SALTATION names it")

    def run(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([str(found), *words], capture_output=True, text=True, timeout=300, check=False)

    return run
