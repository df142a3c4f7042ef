"""sightline capture ascend, against processes that watch the file as torch_npu does (tests/support/fake_dynamic_profile.py)."""
import json
import pathlib
import signal
import subprocess
import sys
import time

import pytest
from program import PROGRAM, environment, needs_program, sightline

pytestmark = needs_program
FAKE = pathlib.Path(__file__).resolve().parents[1] / "support" / "fake_dynamic_profile.py"


@pytest.fixture
def watcher(tmp_path):
    processes = []

    def start(*arguments):
        command = [sys.executable, str(FAKE), str(tmp_path), *map(str, arguments)]
        processes.append(subprocess.Popen(command, stdout=subprocess.PIPE, text=True))
        assert processes[-1].stdout.readline() == "watching\n"
        return processes[-1]

    yield start
    for process in processes:
        process.kill()
        process.communicate()


def capture(folder, *arguments):
    return sightline("capture", "ascend", folder, "--out", folder / "out", *arguments)


def test_the_next_steps_of_two_ranks(watcher, tmp_path):
    pids = [watcher("--rank", rank).pid for rank in range(2)]
    done = capture(tmp_path, "--iterations", 3, "--shapes")
    assert [name.split("_")[-4] for name in done.stdout.splitlines()] == sorted(map(str, pids)), done.stderr
    for rank, pid in enumerate(pids):
        assert f"dp_host_{pid}_rank_{rank}.log: recording from step " in done.stderr
    config = json.loads((tmp_path / "profiler_config.json").read_text())
    assert config["active"] == 3 and config["record_shapes"] is True and config["prof_dir"] == str(tmp_path / "out")
    assert config["start_step"] == 0, "whoever looks at the file later records nothing"


def test_a_step_that_is_named(watcher, tmp_path):
    watcher("--every", 0.1)
    done = capture(tmp_path, "--step", 60)
    assert "recording from step 60" in done.stderr


def test_nobody_watches(tmp_path):
    done = capture(tmp_path, "--timeout", "500ms")
    assert done.returncode == 1 and "does a process watch this folder" in done.stderr
    assert not (tmp_path / "out").exists()


def test_a_step_that_has_passed(watcher, tmp_path):
    watcher("--first", 100)
    done = capture(tmp_path, "--step", 2, "--timeout", "3s")
    assert done.returncode == 1 and "had it not passed step 2?" in done.stderr


def test_ctrl_c_takes_the_request_back(watcher, tmp_path):
    command = [str(PROGRAM), "capture", "ascend", str(tmp_path), "--step", "1000000", "--out", str(tmp_path / "out")]
    watcher()
    process = subprocess.Popen(command, env=environment(), stderr=subprocess.PIPE, text=True)
    while not (tmp_path / "profiler_config.json").exists():
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=20)
    assert process.returncode == 1
    assert json.loads((tmp_path / "profiler_config.json").read_text())["start_step"] == 0


def test_no_such_folder(tmp_path):
    done = capture(tmp_path / "none")
    assert done.returncode == 1 and f"{tmp_path}/none: no such folder" in done.stderr
