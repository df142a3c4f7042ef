#!/usr/bin/env python3
"""evaluate.py [PROGRAM]: runs every task against the tools of a program, and prints how it did (make eval).

Each task is a small recording with a planted fault (tasks.py). A fixed program asks the tools (solve.py), and another one grades
its answer (grade.py): no language model takes part, so the same program always gets the same result. Exit status 1: a wrong answer.
"""
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(HERE))

from client import Client  # noqa: E402
from grade import grade  # noqa: E402
from solve import SOLVERS  # noqa: E402
from tasks import TASKS  # noqa: E402


def write(task, folder):
    """The task's recordings, in a new folder."""
    folder.mkdir(parents=True)
    for number, (name, text) in enumerate(task.recordings.items()):
        damage = ["--damage", task.damage] if task.damage and number == 0 else []
        subprocess.run([ROOT / "tools/gen_trace", "-", folder / name, *damage], input=text, text=True, check=True)


def solve(task, folder, client):
    """(what is wrong, calls, bytes) of one task."""
    client.calls = client.bytes = 0
    answer = SOLVERS[task.question](client, str(folder / task.path), str(folder / task.other))
    return grade(task.expected, answer), client.calls, client.bytes


def main(program):
    wrong_answers = calls = size = 0
    with tempfile.TemporaryDirectory() as folder, Client(program, "--no-cache") as client:
        for task in TASKS:
            place = pathlib.Path(folder) / task.name
            write(task, place)
            wrong, task_calls, task_bytes = solve(task, place, client)
            wrong_answers += bool(wrong)
            calls += task_calls
            size += task_bytes
            print(f"{'WRONG' if wrong else 'right'}  {task.name:24} {task_calls} calls {task_bytes:6} bytes  {'; '.join(wrong)}")
    print(f"{len(TASKS) - wrong_answers} of {len(TASKS)} right, {calls / len(TASKS):.1f} calls and {size / len(TASKS) / 1024:.1f} kB a task")
    return 1 if wrong_answers else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else ROOT / "build/release/sightline"))
