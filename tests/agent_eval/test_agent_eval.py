"""The evaluation of the tools for agents, a test for each task."""
import os
import pathlib
import sys

import pytest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from client import Client  # noqa: E402
from evaluate import ROOT, solve, write  # noqa: E402
from grade import grade  # noqa: E402
from tasks import TASKS  # noqa: E402

PROGRAM = pathlib.Path(os.environ.get("SIGHTLINE", ROOT / "build" / "release" / "sightline"))
pytestmark = pytest.mark.skipif(not PROGRAM.exists(), reason=f"{PROGRAM} is not built: make build")


@pytest.fixture(scope="module")
def client():
    with Client(PROGRAM, "--no-cache") as one:
        yield one


@pytest.mark.parametrize("task", TASKS, ids=[task.name for task in TASKS])
def test_the_tools_answer_the_task(task, client, tmp_path):
    write(task, tmp_path / "task")
    wrong, calls, _ = solve(task, tmp_path / "task", client)
    assert wrong == [] and calls <= 4


def test_a_wrong_answer_is_graded_as_wrong():
    finding = {"rule": "launch_bound", "gain": {"share_of_step": 0.5}}
    diagnosis = {"findings": [finding], "step": {"time_ns": 10}, "breakdown": [{"ns": 6}, {"ns": 3}]}
    wrong = grade({"cause": "data_loading", "gain": 0.5}, {"diagnosis": diagnosis, "findings": [finding]})
    assert len(wrong) == 3, "another cause, no gain of it, and parts that do not sum to the step"
    assert grade({"nothing": True}, {"diagnosis": diagnosis, "findings": [finding]})[0].startswith("findings in a healthy run")
