"""Places and folders that several tests look at."""

from __future__ import annotations

import signal
from pathlib import Path

#: The repository.
ROOT = Path(__file__).parents[2]


def files(folder: Path) -> dict[str, bytes]:
    """All complete files below a folder with their bytes; `.NAME.part` is what a killed process had begun to write."""
    found = (path for path in sorted(folder.rglob("*")) if path.is_file() and not (path.name.startswith(".") and path.suffix == ".part"))
    return {str(path.relative_to(folder)): path.read_bytes() for path in found}


def interruptible() -> None:
    """In a child process: an interrupt has its effect, also where this process ignores it, as a shell's jobs in the background do."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
