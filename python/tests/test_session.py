"""What a session calls the same question in Python gives the same answer, digit by digit."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import saltation as st

Command = Callable[..., "subprocess.CompletedProcess[str]"]


def axis(name: str, low: float, high: float, points: int) -> dict[str, Any]:
    return {"name": name, "range": [low, high], "points": points}


SESSIONS: dict[str, list[dict[str, Any]]] = {
    "impact-oscillator": [
        {"id": "check", "question": "check"},
        {
            "id": "motion", "question": "simulate", "set": {"A": 0.36, "r": "0.5 + 0.4"}, "start": {"x": -0.3},
            "fields": {"until": "20*pi", "path": True, "tol": 1e-10},
        },
        {"id": "orbit", "question": "orbit", "fields": {"settle": 400, "period": 2}},
        {
            "id": "branch", "question": "continue", "from": "orbit",
            "fields": {"along": "A", "range": [0.34, 0.36], "at_least": 20, "switch": True},
        },
        {
            "id": "curve", "question": "curve", "from": "branch",
            "fields": {"at": 0, "along": ["A", "omega"], "range": [0.8, 0.82]},
        },
        {
            "id": "sweep", "question": "sweep",
            "fields": {"along": [axis("A", 0.34, 0.36, 9)], "settle": 100, "record": 20, "carry": "up"},
        },
        {
            "id": "basin", "question": "basin",
            "fields": {"starts": {"grid": [axis("x", -1, -0.1, 4), axis("y", -0.5, 0.5, 3)]}, "settle": 200, "record": 20},
        },
        {"id": "exponents", "question": "lyapunov", "fields": {"settle": 50, "returns": 50}},
    ],
    "relief-valve": [
        {"id": "rest", "question": "equilibrium", "set": {"q": 8}},
        {
            "id": "rests", "question": "continue_equilibrium", "from": "rest",
            "fields": {"along": "q", "range": [1, 10]},
        },
    ],
    "painleve-rod": [
        {"id": "forces", "question": "contact"},
        {
            "id": "map", "question": "contact", "set": {"slip": 1},
            "fields": {"map": [
                {"name": "angle", "low": 0.1, "high": 1.5, "count": 4}, {"name": "spin", "low": 0, "high": 6, "count": 3},
            ]},
        },
        {"id": "stepping", "question": "stepping", "fields": {"step": 1e-3, "until": 0.1}},
    ],
    "chain": [{"id": "modes", "question": "modes", "fields": {"periods": [3.7, 4.5]}}],
}


@pytest.mark.parametrize("model", SESSIONS)
def test_programs_of_a_session_give_its_answers(model: str, command: Command, tmp_path: Path) -> None:
    session = {"format": 1, "model": {"name": model}, "requests": SESSIONS[model]}
    file = tmp_path / "session.json"
    file.write_text(json.dumps(session))
    lines = [json.loads(line) for line in command("explore", "--run", str(file)).stdout.splitlines()]
    assert [line["id"] for line in lines] == [request["id"] for request in SESSIONS[model]]
    for line in lines:
        names: dict[str, Any] = {}
        exec(line["python"], names)  # The program that the session shows.
        answers = [value for value in names.values() if isinstance(value, st.Answer)]
        given, wanted = answers[-1].to_dict(), line["answer"]
        # What a curve begins at is named otherwise where there is no file.
        given.pop("from", None), wanted.pop("from", None)
        assert given == wanted, line["id"]
