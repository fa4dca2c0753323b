"""The command ``saltation``, as ``python -m saltation`` and as the program that the package installs."""

from __future__ import annotations

import sys

from . import _saltation

__all__ = ["main"]


def main(arguments: list[str] | None = None) -> int:
    """Runs the command with these arguments, or those of the program; its exit code.

    0 is done, 1 a computation that ended early, 2 wrong input.
    """
    return _saltation._command(sys.argv[1:] if arguments is None else arguments)


if __name__ == "__main__":
    sys.exit(main())
