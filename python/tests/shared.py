"""Places and folders that several tests look at."""

from __future__ import annotations

import signal
from pathlib import Path

#: The repository.
ROOT = Path(__file__).parents[2]


def files(folder: Path) -> dict[str, bytes]:
    """All files below a folder with their bytes."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def interruptible() -> None:
    """In a child process: an interrupt has its effect, also where this process ignores it, as a shell's jobs in the background do."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
