"""sightline capture ascend, with processes that watch the file as torch_npu does (tests/support/fake_dynamic_profile.py)."""
import json
import pathlib
import signal
import subprocess
import sys
import time

import pytest
from program import PATIENCE_SECONDS, PROGRAM, environment, needs_program, sightline

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
    assert config["start_step"] == 0, "a process that reads the file later records nothing"


def test_a_given_step(watcher, tmp_path):
    watcher("--every", 0.1)
    done = capture(tmp_path, "--step", 60)
    assert "recording from step 60" in done.stderr


def test_no_process_watches(tmp_path):
    done = capture(tmp_path, "--timeout", "500ms")
    assert done.returncode == 1 and "Does a process watch this folder" in done.stderr
    assert not (tmp_path / "out").exists()


def test_a_step_that_has_passed(watcher, tmp_path):
    watcher("--first", 100)
    done = capture(tmp_path, "--step", 2, "--timeout", "3s")
    assert done.returncode == 1 and "had it not yet passed step 2?" in done.stderr


def test_ctrl_c_withdraws_the_request(watcher, tmp_path):
    command = [str(PROGRAM), "capture", "ascend", str(tmp_path), "--step", "1000000", "--out", str(tmp_path / "out")]
    watcher()
    process = subprocess.Popen(command, env=environment(), stderr=subprocess.PIPE, text=True)
    while not (tmp_path / "profiler_config.json").exists():
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=PATIENCE_SECONDS)
    assert process.returncode == 1
    assert json.loads((tmp_path / "profiler_config.json").read_text())["start_step"] == 0


def begin(folder, *arguments):
    command = [str(PROGRAM), "capture", "ascend", str(folder), "--out", str(folder / "out"), *map(str, arguments)]
    return subprocess.Popen(command, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def until_there(path):
    while not path.exists():
        time.sleep(0.01)


def test_two_captures_at_once(tmp_path):
    first = begin(tmp_path, "--step", 1_000_000)
    until_there(tmp_path / "profiler_config.json")
    done = capture(tmp_path)
    assert done.returncode == 1 and f"{tmp_path}: another capture uses this folder" in done.stderr
    assert json.loads((tmp_path / "profiler_config.json").read_text())["start_step"] == 1_000_000, "the first request stays in the file"
    first.send_signal(signal.SIGINT)
    assert first.wait(timeout=PATIENCE_SECONDS) == 1


def test_a_process_that_dies_while_it_is_recorded(watcher, tmp_path):
    process = watcher("--every", 0.2)
    going = begin(tmp_path, "--iterations", 1000, "--timeout", "8s")
    while "Start" not in "".join(log.read_text() for log in (tmp_path / "log").glob("*.log")):
        assert going.poll() is None, "it gave up before the process began"
        time.sleep(0.05)
    process.kill()
    names, errors = going.communicate(timeout=PATIENCE_SECONDS)
    assert going.returncode == 1 and not names and "nothing was recorded" in errors, errors
    assert json.loads((tmp_path / "profiler_config.json").read_text())["start_step"] == 0 and not (tmp_path / "out").exists()


def test_places_that_cannot_be_written(tmp_path):
    (tmp_path / "file").write_text("")
    done = sightline("capture", "ascend", tmp_path, "--out", tmp_path / "file" / "below")
    assert done.returncode == 1 and "cannot create the folder" in done.stderr
    (tmp_path / "profiler_config.json").mkdir()
    done = capture(tmp_path)
    assert done.returncode == 1 and "profiler_config.json" in done.stderr, done.stderr
    assert not (tmp_path / "out").exists()


def test_options_of_other_captures_are_refused(tmp_path):
    for option, why in {"--duration=1s": "--iterations", "--at=+5s": "--step", "--all": "all processes that watch the folder"}.items():
        done = capture(tmp_path, option)
        assert done.returncode == 2 and why in done.stderr, done.stderr


def test_no_such_folder(tmp_path):
    done = capture(tmp_path / "none")
    assert done.returncode == 1 and f"{tmp_path}/none: no such folder" in done.stderr
