"""Sweeps and basins on a cluster of processes of this machine, some of which are killed, equal those of one process byte for byte."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from shared import files, interruptible

import saltation as st

pytest.importorskip("distributed")
from distributed import Client, LocalCluster  # noqa: E402

OSCILLATOR = st.gallery("impact-oscillator")
MANY: dict[str, Any] = {"along": {"A": (0.33, 0.37, 2000)}, "settle": 100, "record": 20}


@pytest.fixture(scope="module")
def cluster() -> Iterator[LocalCluster]:
    with LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster:
        yield cluster


@pytest.fixture
def client(cluster: LocalCluster) -> Iterator[Client]:
    with Client(cluster) as client:
        client.wait_for_workers(2, timeout=60)
        yield client


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> tuple[st.Sweep, Path]:
    folder = tmp_path_factory.mktemp("alone") / "sweep"
    return OSCILLATOR.sweep(**MANY, folder=folder, records=True), folder


def test_a_worker_is_killed(client: Client, alone: tuple[st.Sweep, Path], tmp_path: Path) -> None:
    seen: list[str] = []

    def kill(share: float | None, words: str) -> None:
        seen.append(words)
        if share is not None and share > 0.2 and killed == []:
            killed.append(next(iter(client.run(os.getpid).values())))
            os.kill(killed[0], signal.SIGKILL)

    killed: list[int] = []
    found = st.distributed.sweep(OSCILLATOR, client=client, **MANY, folder=tmp_path / "many", records=True, progress=kill)
    answer, folder = alone
    assert killed and seen[-1] == "2000 of 2000 tasks"
    assert found.complete and found.done == 2000
    assert found.to_json() == answer.to_json() and found == answer
    assert files(tmp_path / "many") == files(folder)


def test_an_interrupted_program_is_resumed(alone: tuple[st.Sweep, Path], tmp_path: Path) -> None:
    program = f"""
import saltation as st, sys
from distributed import Client
if __name__ == "__main__":
    with Client(n_workers=2, threads_per_worker=1, dashboard_address=None) as client:
        def see(share, words):
            print(words, flush=True)
        try:
            st.distributed.sweep(st.gallery("impact-oscillator"), client=client, **{MANY!r}, folder=sys.argv[1], progress=see)
        except KeyboardInterrupt as error:
            print("caught", type(error).__name__, error.answer.ended, error.answer.done, flush=True)
"""
    (tmp_path / "program.py").write_text(program)
    answer, whole = alone
    for kind in ("SIGINT", "SIGKILL"):
        folder = tmp_path / kind
        # A group of its own, so that workers of a killed program end with it.
        child = subprocess.Popen(
            [sys.executable, str(tmp_path / "program.py"), str(folder)],
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
            preexec_fn=interruptible,
        )
        try:
            assert child.stdout is not None
            for line in child.stdout:
                if int(line.split()[0]) >= 400:
                    break
            began = time.perf_counter()
            if kind == "SIGINT":
                child.send_signal(signal.SIGINT)
                line = next(line for line in child.stdout if line.startswith("caught"))
                assert time.perf_counter() - began < 2.0
                assert line.split()[1:3] == ["Interrupted", "interrupted"] and 400 <= int(line.split()[3]) < 2000
                child.wait(60)
            else:
                os.killpg(child.pid, signal.SIGKILL)
                child.wait(60)
        finally:
            if child.poll() is None:
                os.killpg(child.pid, signal.SIGKILL)
        done = len(files(folder))
        assert 0 < done < len(files(whole))
        # A new process, on one machine.
        again = OSCILLATOR.sweep(**MANY, folder=folder, resume=True, records=True)
        assert again == answer and files(folder) == files(whole)


def test_what_one_machine_began_is_finished(client: Client, tmp_path: Path) -> None:
    fields: dict[str, Any] = {"along": {"A": (0.34, 0.36, 60), "omega": (0.8, 0.81, 3)}, "settle": 20, "record": 3, "carry": "up", "format": "csv"}
    OSCILLATOR.sweep(**fields, folder=tmp_path / "alone")
    seen = 0

    def few(share: float | None, words: str) -> bool:
        nonlocal seen
        seen += 1
        return seen < 9

    begun = st.distributed.sweep(OSCILLATOR, client=client, **fields, folder=tmp_path / "many", progress=few)
    assert not begun.complete and begun.ended == "interrupted"
    found = st.distributed.sweep(OSCILLATOR, client=client, **fields, folder=tmp_path / "many", resume=True)
    assert found.complete and files(tmp_path / "many") == files(tmp_path / "alone")
    # Nothing is left to do, which is no mistake.
    assert st.distributed.sweep(OSCILLATOR, client=client, **fields, folder=tmp_path / "many", resume=True) == found


def test_basins_and_parts(client: Client, tmp_path: Path) -> None:
    walls = st.gallery("two-wall-oscillator").with_(nu=0.9)
    fields: dict[str, Any] = {"random": {"y": (-0.9, 0.9), "w": (-1.5, 1.5)}, "count": 150, "settle": 20, "record": 10}
    answer = walls.basin(**fields, folder=tmp_path / "alone")
    found = st.distributed.basin(walls, client=client, **fields, folder=tmp_path / "many")
    assert found == answer and files(tmp_path / "many") == files(tmp_path / "alone")
    for part in (1, 2):
        st.distributed.basin(walls, **fields, folder=tmp_path / str(part), part=(part, 2))
    st.merge([tmp_path / "1", tmp_path / "2"], tmp_path / "merged")
    assert walls.basin(**fields, folder=tmp_path / "merged", resume=True) == answer


def test_mistakes(client: Client, tmp_path: Path) -> None:
    sweep = st.distributed.sweep
    small: dict[str, Any] = {"along": {"A": (0.34, 0.36, 4)}, "settle": 2, "record": 1}
    sweep(OSCILLATOR, client=client, **small, folder=tmp_path / "a")
    cases: list[tuple[str, dict[str, Any]]] = [
        ("folder", {}),
        ("folder", {"folder": tmp_path / "a"}),
        ("folder", {"folder": tmp_path / "a", "resume": True, "settle": 3}),
        ("threads", {"folder": tmp_path / "b", "threads": 2}),
        ("client", {"folder": tmp_path / "b", "client": "localhost"}),
        ("setle", {"folder": tmp_path / "b", "setle": 2}),
        ("along", {"folder": tmp_path / "b", "along": {"a": (0, 1, 2)}}),
    ]
    for field, given in cases:
        with pytest.raises(st.RequestError) as caught:
            sweep(OSCILLATOR, **{"client": client, **small, **given})
        assert caught.value.field == field and caught.value.help, (field, str(caught.value))
    assert not (tmp_path / "b").exists()


def test_without_a_client(tmp_path: Path) -> None:
    with pytest.raises(st.RequestError, match="there is no client"):
        st.distributed.sweep(OSCILLATOR, along={"A": (0.34, 0.36, 4)}, folder=tmp_path / "a")
