"""Pickles, threads, and interruption."""

from __future__ import annotations

import copy
import pickle
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from shared import files, interruptible

import saltation as st

ANSWERS: dict[str, Callable[[], st.Answer]] = {
    "check": lambda: st.gallery("bouncing-ball").check(),
    "simulate": lambda: st.gallery("bouncing-ball").with_(e="0.9*1").start(x=2).simulate(until=2, every=0.5),
    "moreau": lambda: st.gallery("bouncing-ball").simulate(until=1, method="moreau", step=1e-2, every=0.5),
    "orbit": lambda: st.gallery("ball-on-table").orbit(),
    "branch": lambda: st.gallery("ball-on-table").orbit().continue_("K", 0.1, 1.2),
    "curve": lambda: st.gallery("ball-on-table").orbit().continue_("K", 0.1, 1.2).curve(0, along="e", range=(0.7, 0.9)),
    "equilibrium": lambda: st.gallery("relief-valve").equilibrium(mode="flight"),
    "equilibria": lambda: st.gallery("relief-valve").equilibrium(mode="flight").continue_("q", 5, 9, step=0.2),
    "lyapunov": lambda: st.gallery("impact-oscillator").lyapunov(settle=5, returns=10),
    "modes": lambda: st.gallery("chain").modes(periods=(0, 8)),
    "contact": lambda: st.gallery("painleve-rod").with_(slip=1).contact(),
    "sweep": lambda: st.gallery("impact-oscillator").sweep(along={"A": (0.34, 0.37, 4)}, settle=5, record=3),
    "basin": lambda: st.gallery("two-wall-oscillator").with_(nu=0.9).basin(grid={"y": (0, 0.9, 3)}, settle=9, record=5),
}


@pytest.mark.parametrize("name", ANSWERS)
def test_answers_pickle(name: str) -> None:
    answer = ANSWERS[name]()
    again = pickle.loads(pickle.dumps(answer))
    assert again == answer and type(again) is type(answer)
    assert again.to_dict() == answer.to_dict() and again.request == answer.request
    assert again.report() == answer.report() and again.ending == answer.ending and again.notes == answer.notes
    assert again.system == answer.system and again.wall_time == answer.wall_time
    assert list(again.tables) == list(answer.tables)
    for table, columns in answer.tables.items():
        for column, values in columns.items():
            np.testing.assert_array_equal(again.tables[table][column], values)
    assert copy.deepcopy(answer) == answer
    assert answer._repr_html_() == again._repr_html_()
    assert repr(again) == repr(answer)


def test_pickled_answers_go_on() -> None:
    orbit = st.gallery("ball-on-table").orbit()
    branch = orbit.continue_("K", 0.1, 1.2)
    found = pickle.loads(pickle.dumps(orbit)).continue_("K", 0.1, 1.2)
    assert [one.kind for one in found.special] == [one.kind for one in branch.special]
    curve = branch.curve(0, along="e", range=(0.7, 0.9))
    assert pickle.loads(pickle.dumps(branch)).curve(0, along="e", range=(0.7, 0.9)).to_dict() == curve.to_dict()
    rest = st.gallery("relief-valve").equilibrium(mode="flight")
    followed = rest.continue_("q", 5, 9, step=0.2)
    assert pickle.loads(pickle.dumps(rest)).continue_("q", 5, 9, step=0.2).to_dict() == followed.to_dict()
    for answer in (orbit, branch, curve, followed):
        assert pickle.loads(pickle.dumps(answer)).figure().svg == answer.figure().svg


def test_systems_pickle(tmp_path: Path) -> None:
    system = st.gallery("impact-oscillator").with_(A="0.7/2", zeta=0.03).start(x=-0.1)
    again = pickle.loads(pickle.dumps(system))
    assert again == system and hash(again) == hash(system)
    assert again.parameters == system.parameters and again.start_state == system.start_state
    assert again.simulate(until=3).to_json() == system.simulate(until=3).to_json()
    # A parameter that is a formula of another one still follows it.
    follows = st.gallery("impact-oscillator").with_(A="omega/2")
    assert pickle.loads(pickle.dumps(follows)).with_(omega=0.5).parameters["A"] == 0.25


def test_systems_with_matrices_pickle_by_their_path(tmp_path: Path) -> None:
    for name in ("M", "K"):
        body = "%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 1 1\n2 2 4\n"
        (tmp_path / f"{name}.mtx").write_text(body)
    text = 'format = 1\nname = "two"\n[matrices]\nM = "M.mtx"\nK = "K.mtx"\n'
    text += '[contacts.wall]\ngap = { constant = 1, normal = { 2 = -1 } }\nrestitution = 1\n[start]\n'
    path = tmp_path / "two.toml"
    path.write_text(text)
    system = st.read(path)
    assert pickle.loads(pickle.dumps(system)) == system
    kept = pickle.dumps(system)
    (tmp_path / "K.mtx").write_text(body.replace("4\n", "9\n"))
    with pytest.raises(st.SaltationError, match="has changed"):
        pickle.loads(kept)
    with pytest.raises(st.SaltationError, match="beside its file"):
        system.save(tmp_path / "other.toml")


def test_pickles_of_another_version_are_refused() -> None:
    for one in (st.gallery("bouncing-ball"), st.gallery("bouncing-ball").simulate(until=1)):
        data = pickle.dumps(one, protocol=0)
        version = st.__version__.encode()
        assert version in data
        with pytest.raises(st.VersionError, match=r"99.9.9 of saltation"):
            pickle.loads(data.replace(version, b"99.9.9"))


def test_exceptions_pickle() -> None:
    def caught(ask: Callable[[], object]) -> BaseException:
        try:
            ask()
        except st.SaltationError as error:
            return error
        raise AssertionError

    ball = st.gallery("bouncing-ball")
    for ask in (
        lambda: ball.with_(B=1),
        lambda: ball.simulate(until=-1),
        lambda: ball.equilibrium(mode="flight"),
        lambda: st.model("[[["),
    ):
        error = caught(ask)
        again = pickle.loads(pickle.dumps(error))
        assert type(again) is type(error) and str(again) == str(error) and vars(again) == vars(error)


def test_a_system_is_shared_between_threads() -> None:
    system = st.gallery("impact-oscillator")
    values = [0.34 + 1e-3 * k for k in range(32)]
    alone = [system.with_(A=value).simulate(until=40).to_json() for value in values]
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(lambda value: system.with_(A=value).simulate(until=40).to_json(), values))
        run = system.simulate(until=40)
        entries = list(pool.map(lambda _: run.events[0].time, range(64)))
    assert together == alone and len(set(entries)) == 1


def test_other_threads_run_meanwhile() -> None:
    import threading

    counted = 0
    done = threading.Event()

    def count() -> None:
        nonlocal counted
        while not done.is_set():
            counted += 1
            time.sleep(1e-3)

    thread = threading.Thread(target=count)
    thread.start()
    began = time.perf_counter()
    st.gallery("impact-oscillator").lyapunov(settle=10, returns=20_000)
    spent = time.perf_counter() - began
    done.set()
    thread.join()
    assert counted > 20 * spent


def test_progress_is_seen_and_can_end_a_computation() -> None:
    seen: list[tuple[float | None, str]] = []

    def see(share: float | None, words: str) -> bool:
        seen.append((share, words))
        return len(seen) < 3

    measured = st.gallery("impact-oscillator").lyapunov(settle=0, returns=10_000_000, progress=see)
    assert len(seen) == 3 and measured.ended == "interrupted" and not measured.complete
    shares = [share for share, _ in seen if share is not None]
    assert shares == sorted(shares) and all(words for _, words in seen)

    def fail(share: float | None, words: str) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        st.gallery("impact-oscillator").lyapunov(settle=0, returns=10_000_000, progress=fail)


LONG = {
    "simulate": "simulate(until=1e12)",
    "lyapunov": "lyapunov(settle=0, returns=10_000_000)",
    "sweep": "sweep(along={'A': (0.3, 0.4, 100_000)}, settle=1000, record=1)",
    "orbit": "orbit(settle=10**11)",
}


@pytest.mark.parametrize("question", LONG)
def test_interrupts_within_a_second_and_keeps_what_is_done(question: str) -> None:
    program = f"""
import saltation as st, sys
system = st.gallery("impact-oscillator")
print("ready", flush=True)
try:
    system.{LONG[question]}
except KeyboardInterrupt as error:
    print("caught", flush=True)
    print(type(error).__name__, error.answer.ended, error.answer.complete, flush=True)
"""
    child = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True, preexec_fn=interruptible)
    try:
        assert child.stdout is not None and child.stdout.readline() == "ready\n"
        time.sleep(1.0)
        began = time.perf_counter()
        child.send_signal(signal.SIGINT)
        assert child.stdout.readline() == "caught\n"
        spent = time.perf_counter() - began
        line = child.stdout.readline().split()
        assert child.wait(20) == 0
    finally:
        child.kill()
    assert line == ["Interrupted", "interrupted", "False"]
    assert spent < 1.0


def test_an_interrupted_sweep_resumes(tmp_path: Path) -> None:
    system = st.gallery("impact-oscillator")
    fields = {"along": {"A": (0.34, 0.37, 9)}, "settle": 5, "record": 3}
    whole = system.sweep(**fields)  # type: ignore[arg-type]
    for part in ((1, 2), (2, 2)):
        system.sweep(**fields, folder=tmp_path / str(part[0]), part=part)  # type: ignore[arg-type]
    st.merge([tmp_path / "1", tmp_path / "2"], tmp_path / "whole")
    again = system.sweep(**fields, folder=tmp_path / "whole", resume=True, records=True)  # type: ignore[arg-type]
    assert again.to_dict() == whole.to_dict()
    with pytest.raises(st.RequestError, match="resume=True"):
        system.sweep(**fields, folder=tmp_path / "whole")  # type: ignore[arg-type]


def test_a_process_that_was_killed_is_resumed(tmp_path: Path) -> None:
    """As a notebook whose kernel is restarted in the middle of a sweep."""
    fields: dict[str, Any] = {"along": {"A": (0.34, 0.37, 400)}, "settle": 2000, "record": 20}
    folder = tmp_path / "sweep"
    program = f"import saltation as st; st.gallery('impact-oscillator').sweep(**{fields!r}, folder={str(folder)!r})"
    child = subprocess.Popen([sys.executable, "-c", program])
    try:
        until = time.monotonic() + 60
        while len(files(folder)) < 20 and child.poll() is None and time.monotonic() < until:
            time.sleep(0.01)
    finally:
        child.kill()
        child.wait(20)
    system = st.gallery("impact-oscillator")
    whole = system.sweep(**fields, folder=tmp_path / "alone", records=True)
    begun = len(files(folder))
    assert 20 <= begun < len(files(tmp_path / "alone"))
    with pytest.raises(st.RequestError, match="resume=True"):
        system.sweep(**fields, folder=folder)
    assert system.sweep(**fields, folder=folder, resume=True, records=True) == whole
    assert files(folder) == files(tmp_path / "alone")
