"""sightline capture torch, with processes that poll as PyTorch does (tests/support/fake_torch.py). tests/live does it with
torch itself."""
import gzip
import json
import os
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import sys
import time

import pytest
from program import PATIENCE_SECONDS, PROGRAM, OnTerminal, environment, needs_program, short_folder, sightline

pytestmark = needs_program
FAKE = pathlib.Path(__file__).resolve().parents[1] / "support" / "fake_torch.py"


class Place:
    """A folder for the sockets and one for the results; the processes in it end with the test."""

    def __init__(self, folder):
        self.sockets = short_folder()
        self.traces = short_folder()  # the folder of a command also holds the socket
        self.settings = {"KINETO_IPC_SOCKET_DIR": self.sockets, "KINETO_ONDEMAND_TRACE_DIR": self.traces}
        self.out = folder / "out"
        self.processes = []

    def start(self, *arguments, program=(sys.executable, str(FAKE)), **changes):
        settings = environment(**self.settings, **changes)
        command = [*program, *map(str, arguments)]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=settings, cwd=FAKE.parent)
        self.processes.append(process)
        return process

    def capture(self, *arguments, out=None, **changes):
        given = ["capture", "torch", "--duration", "200ms", "--out", out or self.out, *arguments]
        return sightline(*given, **self.settings, **changes)

    def close(self):
        for process in self.processes:
            process.kill()
            process.communicate()
        left = os.listdir(self.traces)
        shutil.rmtree(self.sockets)
        shutil.rmtree(self.traces)
        assert not left, "what processes wrote is left behind"


@pytest.fixture
def place(tmp_path):
    made = Place(tmp_path)
    yield made
    made.close()


def trace_of(done):
    """The one trace whose name a capture printed."""
    (name,) = done.stdout.splitlines()
    return json.loads(gzip.open(name).read())


def request_of(process):
    return json.loads(process.stdout.readline().removeprefix("request "))


def test_one_process(place, tmp_path):
    process = place.start()
    cache = {"SIGHTLINE_CACHE_DIR": str(tmp_path / "cache")}  # a profile is cached by its content, under its first name
    done = place.capture("--pid", process.pid, "--shapes", "--memory", **cache)
    assert done.returncode == 0, done.stderr
    assert len(trace_of(done)["traceEvents"]) == 51
    config = request_of(process)
    assert config["ACTIVITIES_DURATION_MSECS"] == "200"
    wanted = {"PROFILE_REPORT_INPUT_SHAPES": "true", "PROFILE_PROFILE_MEMORY": "true", "PROFILE_WITH_STACK": "false"}
    assert {key: config[key] for key in wanted} == wanted
    assert f"sightline view {place.out}" in done.stderr
    assert "recorded no allocations" in done.stderr, "allocations were requested, and none were recorded"
    assert process.poll() is None, "the process goes on"
    assert str(place.out) in sightline("list", "--json", **cache).stdout


def test_an_only_process_need_not_be_named(place):
    place.start()
    done = place.capture()
    assert done.returncode == 0, done.stderr
    assert len(trace_of(done)["traceEvents"]) == 51


def test_one_of_several_must_be_selected(place):
    pids = [place.start().pid, place.start().pid]
    done = place.capture()
    assert done.returncode == 2
    assert "2 processes can be recorded" in done.stderr and all(str(pid) in done.stderr for pid in pids)
    assert not place.out.exists()


def test_all_ranks_start_at_once(place):
    ranks = [place.start("--rank", rank, SLURM_JOB_ID="77") for rank in range(2)]
    other = place.start()
    done = place.capture("--job", 77)
    assert done.returncode == 0, done.stderr
    names = sorted(pathlib.Path(name).name.split(".")[0] for name in done.stdout.splitlines())
    assert names == ["rank0", "rank1"]
    starts = {request_of(rank)["PROFILE_START_TIME"] for rank in ranks}
    assert len(starts) == 1 and 0 < int(starts.pop()) - 1000 * time.time() + 60_000 < 120_000
    other.kill()
    assert other.stdout.read() == "", "the process of another job is left alone"


def test_the_children_of_a_process(place):
    parent = subprocess.Popen(
        [sys.executable, "-c", "import subprocess, sys; subprocess.run(sys.argv[1:])", sys.executable, str(FAKE), "--lasts", "20"],
        env=environment(**place.settings),
        stdout=subprocess.DEVNULL,
    )
    place.processes.append(parent)
    done = place.capture("--pid", parent.pid)
    assert done.returncode == 0, done.stderr
    assert len(trace_of(done)["traceEvents"]) == 51


def test_list(place):
    process = place.start(program=("python3", FAKE.name), SLURM_JOB_ID="9")  # short: a long command is shown in part
    done = sightline("capture", "torch", "--list", KINETO_IPC_SOCKET_DIR=place.sockets, COLUMNS="400")
    assert done.returncode == 0, done.stderr
    row = next(line for line in done.stdout.splitlines() if str(process.pid) in line)
    assert "ready" in row and "CPU" in row and " 9 " in row and f"python3 {FAKE.name}" in row


def test_a_release_that_can_crash(place, tmp_path):
    library = tmp_path / "torch" / "lib" / "libtorch_cpu.so"
    library.parent.mkdir(parents=True)
    library.write_bytes(b"of no use")
    (tmp_path / "torch" / "version.py").write_text("__version__ = '2.8.0+cpu'\n")
    process = place.start("--library", library)
    warning = f"process {process.pid}: torch 2.8.0+cpu can crash when it starts with KINETO_USE_DAEMON set"
    listed = sightline("capture", "torch", "--list", KINETO_IPC_SOCKET_DIR=place.sockets)
    assert "2.8.0+cpu" in listed.stdout and warning in listed.stderr, listed.stderr
    assert warning in place.capture("--pid", process.pid).stderr


def test_a_release_that_writes_in_place(place):
    done = place.capture("--pid", place.start("--behaviour", "in_place").pid)
    assert done.returncode == 0, done.stderr
    assert len(trace_of(done)["traceEvents"]) == 51


def test_a_process_that_dies(place):
    done = place.capture("--pid", place.start("--behaviour", "dies").pid)
    assert done.returncode == 1
    assert "it ended before its recording was complete" in done.stderr
    assert not place.out.exists()


def test_a_process_that_dies_while_it_writes(place):
    done = place.capture("--pid", place.start("--behaviour", "torn").pid)
    assert done.returncode == 1
    assert "what it had written is kept" in done.stderr
    (name,) = done.stdout.splitlines()
    assert gzip.open(name).read().startswith(b'{"schemaVersion"')
    assert "1 problem" in done.stderr, "the torn trace is read as far as it goes"


def test_a_refused_request(place):
    done = place.capture("--pid", place.start("--behaviour", "refuses").pid)
    assert done.returncode == 1
    assert done.stderr.count("did not start") == 2 and done.stderr.count("trying again") == 1


def test_a_request_that_is_lost_is_made_again(place):
    done = place.capture("--pid", place.start("--behaviour", "loses").pid)
    assert done.returncode == 0, done.stderr
    assert "did not start: its own log has the reason; trying again" in done.stderr
    assert len(trace_of(done)["traceEvents"]) == 51


def test_a_process_that_records_itself(place):
    process = place.start("--behaviour", "busy")
    done = place.capture("--pid", process.pid, "--timeout", "1s")
    assert done.returncode == 1
    assert "it is being recorded already, by torch.profiler in it" in done.stderr and "it was busy with another recording; gave up" in done.stderr
    process.kill()
    assert process.stdout.read() == "", "it got no request"


def test_a_process_in_which_nothing_runs(place):
    done = place.capture("--pid", place.start("--behaviour", "always_idle").pid)
    assert done.returncode == 1
    assert done.stderr.count("no operator ran while it was recorded") == 2 and done.stderr.count("recording again") == 1
    assert not place.out.exists()


def test_a_process_that_still_starts_is_recorded_again(place):
    done = place.capture("--pid", place.start("--behaviour", "idle").pid)
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("no operator ran while it was recorded; recording again") == 1
    assert len(trace_of(done)["traceEvents"]) == 51


def test_a_process_that_never_ends_its_recording(place):
    begin = time.monotonic()
    done = place.capture("--pid", place.start("--behaviour", "hangs").pid, "--timeout", "2s")
    assert done.returncode == 1
    assert "no result in time" in done.stderr
    assert time.monotonic() - begin < 40, "by itself it waits for more than a minute"


def test_a_process_that_never_polls(place):
    process = subprocess.Popen(["sleep", "60"])
    place.processes.append(process)
    done = place.capture("--pid", process.pid, "--wait", "500ms")
    assert done.returncode == 1
    assert f"process {process.pid}: it did not check for a request within 0.5 s: it was started without KINETO_USE_DAEMON=1" in done.stderr


def test_a_process_that_polls_late(place):
    process = place.start("--every", "1.5")
    done = place.capture("--pid", process.pid)
    assert done.returncode == 0, done.stderr


def test_no_such_process(place):
    done = place.capture("--pid", 999_999_999)
    assert done.returncode == 1
    assert "process 999999999: there is no such process" in done.stderr


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can start a process of another user")
def test_the_process_of_another_user(place):
    process = subprocess.Popen(["sleep", "60"], user=65534)
    place.processes.append(process)
    done = place.capture("--pid", process.pid)
    assert done.returncode == 1
    assert "belongs to the user nobody" in done.stderr


def test_two_captures_at_once(place):
    first = OnTerminal("capture", "torch", "--wait", "5m", "--out", place.out, **place.settings)
    first.until("listening for")
    done = place.capture("--wait", "1s")
    assert done.returncode == 1
    assert f"is in use by process {first.process.pid} (sightline)" in done.stderr
    code, _, errors = first.ctrl_c()
    assert code == 1 and "nothing was recorded" in errors
    assert not os.path.exists(os.path.join(place.sockets, "dynolog")) and not place.out.exists()


def test_ctrl_c_keeps_what_arrived(place):
    done, slow = place.start("--rank", 0), place.start("--behaviour", "hangs", "--rank", 1)
    capture = OnTerminal("capture", "torch", "--all", "--duration", "200ms", "--out", place.out, **place.settings)
    capture.until("1 recording, 1 done")
    code, names, errors = capture.ctrl_c()
    assert code == 1
    assert [pathlib.Path(name).name.split(".")[0] for name in names] == ["rank0"]
    assert f"process {slow.pid}: stopped" in errors


def test_results_that_cannot_be_written(place, tmp_path):
    (tmp_path / "file").write_text("")
    process = place.start()
    done = place.capture("--pid", process.pid, out=tmp_path / "file" / "below")
    assert done.returncode == 1
    assert f"{tmp_path}/file/below: cannot create the folder" in done.stderr
    process.kill()
    assert process.stdout.read() == "", "before anything is recorded"


def test_a_full_disk(place):
    def limit():  # as a full disk: a write fails half way
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))

    process = place.start()
    command = [str(PROGRAM), "capture", "torch", "--pid", str(process.pid), "--duration", "200ms", "--out", str(place.out)]
    done = subprocess.run(command, env=environment(**place.settings), capture_output=True, text=True, preexec_fn=limit, timeout=PATIENCE_SECONDS)
    assert done.returncode == 1
    found = re.search(r"could not be written completely: .*; the recording of process \d+ stays in (\S+)", done.stderr)
    assert found, done.stderr
    assert len(json.loads(pathlib.Path(found[1]).read_text())["traceEvents"]) == 51, "it is not lost"
    assert not place.out.exists()
    shutil.rmtree(pathlib.Path(found[1]).parent)


def test_usage(place):
    for arguments in (["--pid", "1", "--all"], ["--duration", "soon"], ["--at", "2001-01-01T00:00:00"], ["--duration", "0"]):
        done = place.capture(*arguments)
        assert done.returncode == 2, (arguments, done.stderr)


def test_a_command(place):
    begin = time.monotonic()
    done = place.capture("--delay", "200ms", "--end", "--", sys.executable, FAKE)
    assert done.returncode == 0, done.stderr
    names = [line for line in done.stdout.splitlines() if line.endswith(".gz")]
    assert len(names) == 1 and len(json.loads(gzip.open(names[0]).read())["traceEvents"]) == 51
    assert time.monotonic() - begin < 50, "it was ended"


def test_a_command_is_recorded_again_while_nothing_runs(place):
    done = place.capture("--delay", "100ms", "--end", "--", sys.executable, FAKE, "--behaviour", "idle")
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("no operator ran while it was recorded; recording again") == 1


def test_a_command_runs_to_its_end(place):
    done = place.capture("--delay", "100ms", "--", sys.executable, FAKE, "--behaviour", "leaves")
    assert done.returncode == 0, done.stderr
    assert "continues" in done.stderr


def test_a_command_that_ends_too_soon(place):
    done = place.capture("--", sys.executable, "-c", "raise SystemExit(7)")
    assert done.returncode == 1
    assert "it ended (exit code 7) before anything was recorded" in done.stderr


def test_a_missing_command(place):
    done = place.capture("--", "/no/such/program")
    assert done.returncode == 1
    assert "/no/such/program: cannot be run: No such file or directory" in done.stderr
