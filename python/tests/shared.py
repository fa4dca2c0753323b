"""Places and folders that several tests look at."""

from __future__ import annotations

from pathlib import Path

#: The repository.
ROOT = Path(__file__).parents[2]


def files(folder: Path) -> dict[str, bytes]:
    """All files below a folder with their bytes."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}
