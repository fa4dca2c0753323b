"""Says how long the notebooks of the manual took when they were executed last.

    python scripts/manual_times.py CACHE"""
import json
import pathlib
import sqlite3
import sys


def main(folder: pathlib.Path) -> None:
    with sqlite3.connect(folder / "global.db") as cache:
        rows = cache.execute("select uri, data from nbcache").fetchall()
    times: dict[str, float] = {}
    for uri, data in rows:
        seconds = (json.loads(data) if isinstance(data, str) else data or {}).get("execution_seconds")
        if seconds is not None:
            times[pathlib.Path(uri).stem] = max(seconds, times.get(pathlib.Path(uri).stem, 0.0))
    listed = ", ".join(f"{name} {seconds:.1f}" for name, seconds in sorted(times.items(), key=lambda item: -item[1]))
    print(f"{len(times)} notebooks, executed in {sum(times.values()):.0f} s in all: {listed}")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
