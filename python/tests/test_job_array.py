"""A job array of Slurm, played on this machine: parts in folders of their own, one job killed and submitted again, joined to what one process writes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from shared import ROOT, files

import saltation as st


def test_parts_of_jobs_are_joined(tmp_path: Path) -> None:
    environment = {**os.environ, "POINTS": "240", "SETTLE": "20000", "KILL_AFTER": "0.5"}
    # The command of the package is that of the jobs.
    environment["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{environment['PATH']}"

    def array(*words: str) -> subprocess.CompletedProcess[str]:
        script = [str(ROOT / "scripts" / "job_array"), str(ROOT / "examples" / "cluster" / "sweep.sbatch"), *words]
        return subprocess.run(script, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=200, check=False)

    killed = array("--kill", "3")
    assert (killed.returncode, killed.stdout) == (1, "3\n"), killed
    parts = [tmp_path / "diagram" / f"part-{k}" for k in range(1, 9)]
    before = {part: files(part) for part in parts if part.exists()}
    # Submitted again: the part that was killed is finished, and nothing of the others is computed again.
    again = array()
    assert (again.returncode, again.stdout) == (0, ""), again
    assert all(files(part) == before[part] for part in parts if part.name != "part-3")
    assert set(files(parts[2])) > set(before.get(parts[2], {}))
    st.merge(parts, tmp_path / "whole")
    asked: dict[str, object] = {"along": {"A": (0.34, 0.37, 240)}, "settle": 20000, "record": 50}
    whole = st.gallery("impact-oscillator").sweep(**asked, folder=tmp_path / "alone", records=True)  # type: ignore[arg-type]
    assert files(tmp_path / "whole") == files(tmp_path / "alone")
    joined = st.gallery("impact-oscillator").sweep(**asked, folder=tmp_path / "whole", resume=True, records=True)  # type: ignore[arg-type]
    assert joined == whole
