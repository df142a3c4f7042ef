"""sightline capture neuron on a simulated runtime (tests/support/simulated_libnrt.cc), which logs every call. Never tried on a
device."""
import json
import os
import resource
import signal
import struct
import subprocess
import time

import pytest
from ntff_export import Run, notify, slot
from program import PATIENCE_SECONDS, PROGRAM, Server, environment, needs_program, sightline

LIBRARY = PROGRAM.parent / "libsimulated_libnrt.so"
pytestmark = [needs_program, pytest.mark.skipif(not LIBRARY.exists(), reason=f"{LIBRARY} is not built: make build")]


def npy(path, descr, shape, data, fortran=False):
    header = repr({"descr": descr, "fortran_order": fortran, "shape": shape}).encode()
    header += b" " * (-(len(header) + 11) % 64) + b"\n"
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + data)
    return path


class Device:
    def __init__(self, folder):
        self.folder, self.model, self.log = folder, folder / "model.neff", folder / "calls.log"
        self.model.write_text("input x 10 2 3\ninput y 8 4\noutput z 10 2\n")  # float32 [2, 3], int32 [4], float32 [2]
        run = Run(revision="simulated")
        run.code("sp", [notify(2), slot(0xA4, {12: 3})])
        run.instruction("sp", 1, start=500, length=20)
        (folder / "device.ntff").write_bytes(run.file())

    def command(self, *arguments, library=LIBRARY):
        named = [] if "-s" in arguments else ["-s", self.folder / "profile.ntff"]
        given = ["capture", "neuron", "-n", self.model, "--library", library, *named, *arguments]
        return list(map(str, given))

    def settings(self, **changes):
        return {"SIMULATED_NTFF": str(self.folder / "device.ntff"), "SIMULATED_NRT_LOG": str(self.log), **changes}

    def capture(self, *arguments, library=LIBRARY, **changes):
        self.log.unlink(missing_ok=True)
        return sightline(*self.command(*arguments, library=library), **self.settings(**changes))

    def begin(self, *arguments, **changes):
        return subprocess.Popen([str(PROGRAM), *self.command(*arguments)], env=environment(**self.settings(**changes)),
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def until_called(self, name):
        end = time.monotonic() + PATIENCE_SECONDS
        while not self.log.exists() or name not in self.log.read_text():
            assert time.monotonic() < end, name
            time.sleep(0.01)

    def results(self):
        return sorted(path.name for path in self.folder.glob("profile*"))

    def calls(self, *names):
        lines = self.log.read_text().splitlines()
        return [line for line in lines if not names or line.split()[0] in names]


@pytest.fixture
def device(tmp_path):
    return Device(tmp_path)


def names(done):
    """The files that a capture printed."""
    return [os.path.basename(line) for line in done.stdout.splitlines()]


def test_an_execution(device, tmp_path):
    x = npy(tmp_path / "x.npy", "<f4", (2, 3), struct.pack("<6f", *range(6)))
    cache = {"SIGHTLINE_CACHE_DIR": str(tmp_path / "cache")}  # a profile is cached by its content, under its first name
    done = device.capture("x", x, **cache)
    assert done.returncode == 0, done.stderr
    assert done.stdout == f"{tmp_path}/profile_simulated.ntff\n", "its name says that it is simulated, and so does every view"
    assert "the runtime is simulated" in done.stderr and "the input y is all zeros" in done.stderr
    assert f"open it with: sightline view {tmp_path}/profile_simulated.ntff" in done.stderr
    assert f"{tmp_path}/profile_simulated.ntff" in sightline("list", "--json", **cache).stdout, "it is kept"
    total = sum(struct.pack("<6f", *range(6)))
    assert device.calls("nrt_tensor_write") == [f"nrt_tensor_write 24 bytes, sum {total}", "nrt_tensor_write 16 bytes, sum 0"]
    order = [line.split()[0] for line in device.calls()]
    steps = ["nrt_get_version", "nrt_init", "nrt_load", "nrt_get_model_tensor_info", "nrt_profile_start", "nrt_execute",
             "nrt_profile_stop", "nrt_unload", "nrt_close"]
    assert [name for name in order if name in steps] == steps
    assert order.count("nrt_tensor_allocate") == order.count("nrt_tensor_free") == 3
    assert order.count("nrt_allocate_tensor_set") == order.count("nrt_destroy_tensor_set") == 2


def test_several_cores_and_executions(device):
    done = device.capture("--cores", "0,2", "--executions", 4, "--nth-exec", 2)
    assert done.returncode == 0, done.stderr
    assert names(done) == [f"profile_simulated_rank_{rank}_exec_{n}.ntff" for rank in (0, 1) for n in (2, 4)]
    assert device.calls("nrt_load_collectives") == ["nrt_load_collectives 0 0/2", "nrt_load_collectives 2 1/2"]
    assert len(device.calls("nrt_execute")) == 8 and len(device.calls("nrt_profile_start")) == 4


def test_inputs_that_do_not_fit(device, tmp_path):
    cases = {
        "has the shape [2, 3], not [3, 2]": npy(tmp_path / "shape.npy", "<f4", (3, 2), bytes(24)),
        "is of type f4, not i4": npy(tmp_path / "type.npy", "<i4", (2, 3), bytes(24)),
        "its number of bytes does not match its shape": npy(tmp_path / "short.npy", "<f4", (2, 3), bytes(20)),
        "rows first": npy(tmp_path / "columns.npy", "<f4", (2, 3), bytes(24), fortran=True),
        "has 24 bytes, not 41; a file that is not .npy is read as raw bytes": device.model,
    }
    for message, file in cases.items():
        done = device.capture("x", file)
        assert done.returncode in (1, 2) and message in done.stderr and str(file) in done.stderr, done.stderr
    done = device.capture("w", npy(tmp_path / "w.npy", "<f4", (1,), bytes(4)))
    assert "the model has no input w; it has x, y" in done.stderr


def test_errors_of_the_execution(device, tmp_path):
    done = device.capture(SIMULATED_NRT_FAILS="nrt_execute=1003")
    assert done.returncode == 1 and "NaN in the results" in done.stderr and "--ignore-exec-errors" in done.stderr
    assert not list(tmp_path.glob("profile*.ntff")), "it is not kept"
    done = device.capture("--ignore-exec-errors", SIMULATED_NRT_FAILS="nrt_execute=1003")
    assert done.returncode == 0 and "ignored" in done.stderr and len(done.stdout.splitlines()) == 1
    done = device.capture("--ignore-exec-errors", SIMULATED_NRT_FAILS="nrt_execute=1201")
    assert done.returncode == 1 and "uncorrectable memory error" in done.stderr


def test_every_call_may_fail(device):
    for function in ("nrt_init", "nrt_load", "nrt_get_model_tensor_info", "nrt_tensor_allocate", "nrt_tensor_write", "nrt_profile_start"):
        done = device.capture(SIMULATED_NRT_FAILS=f"{function}=9")
        assert done.returncode == 1 and "not enough cores (status 9)" in done.stderr, (function, done.stderr)
        calls = [line.split()[0] for line in device.calls()]
        assert calls.count("nrt_close") == (function != "nrt_init")
        made = calls.count("nrt_tensor_allocate") - (function == "nrt_tensor_allocate")
        assert made == calls.count("nrt_tensor_free")


def test_no_runtime(device):
    done = device.capture(library="libnrt.so.1")
    assert done.returncode == 1 and "a Neuron device and its runtime are needed here" in done.stderr
    done = device.capture(library="libc.so.6")
    assert "libc.so.6: it has no function nrt_get_version" in done.stderr


def test_usage(device, tmp_path):
    assert device.capture("x").returncode == 2
    device.model = tmp_path / "none.neff"
    done = device.capture()
    assert done.returncode == 1 and f"{tmp_path}/none.neff: no such file" in done.stderr


def test_raw_inputs_and_those_of_each_core(device, tmp_path):
    (tmp_path / "x.bin").write_bytes(bytes([1] * 24))
    npy(tmp_path / "x.npy", "<f4", (2, 3), bytes([2] * 24))
    (tmp_path / "inputs").write_text(f"x {tmp_path}/x.bin\nx {tmp_path}/x.npy\n")
    done = device.capture("-m", tmp_path / "inputs", "-r", 2)
    assert done.returncode == 0, done.stderr
    written = device.calls("nrt_tensor_write")
    assert "nrt_tensor_write 24 bytes, sum 24" in written and "nrt_tensor_write 24 bytes, sum 48" in written
    done = device.capture("-m", tmp_path / "inputs")
    assert done.returncode == 2 and "inputs of 2 cores are given, but the number of cores is 1" in done.stderr
    (tmp_path / "inputs").write_text("x\n")
    done = device.capture("-m", tmp_path / "inputs")
    assert done.returncode == 2 and f"{tmp_path}/inputs:1: inputs must be pairs" in done.stderr


def test_one_buffer_for_all(device, tmp_path):
    done = device.capture("--single-io", "--single-io-threshold", 16)
    assert done.returncode == 0 and "more than 16 bytes share one buffer" in done.stderr, done.stderr
    assert [line.split()[1:3] for line in device.calls("nrt_tensor_allocate")] == [["shared", "24"], ["y", "16"], ["z", "8"]]
    assert device.calls("nrt_tensor_allocate_slice") == ["nrt_tensor_allocate_slice x 24"]
    assert len(device.calls("nrt_tensor_free")) == 4
    assert device.capture("--single-io-threshold", 16).returncode == 2


def test_outputs_are_saved(device, tmp_path):
    done = device.capture("--save-output-npy", "--executions", 3)
    assert names(done) == ["profile_simulated.ntff", "profile_simulated_output_z.npy"], done.stderr
    numpy = pytest.importorskip("numpy")
    z = numpy.load(tmp_path / "profile_simulated_output_z.npy")
    assert z.dtype == "<f4" and z.shape == (2,) and z.tobytes() == bytes([3] * 8), "what the last execution gave"
    done = device.capture("--save-output", "--cores", "0,1")
    assert names(done)[2:] == [f"profile_simulated_rank_{rank}_output_z.bin" for rank in (0, 1)]
    assert (tmp_path / "profile_simulated_rank_1_output_z.bin").read_bytes() == bytes([1] * 8)


def test_outputs_that_differ(device):
    done = device.capture("--check-output-determinism", "--executions", 2)
    assert done.returncode == 1 and "core 0: execution 2 gave different outputs than the first" in done.stderr
    assert not device.results()
    assert device.capture("--check-output-determinism", "--executions", 2, SIMULATED_NRT_SAME="1").returncode == 0


def test_ranks_of_several_hosts(device):
    done = device.capture("-r", 2, "--collectives-worker-count", 4, "--collectives-worker-start-id", 2, "-i", 3)
    assert done.returncode == 0, done.stderr
    assert device.calls("nrt_load_collectives") == ["nrt_load_collectives 0 2/4", "nrt_load_collectives 1 3/4"]
    assert names(done) == ["profile_simulated_rank_3.ntff"] and len(device.calls("nrt_execute")) == 2
    done = device.capture("-r", 2, "--collectives-worker-count", 2, "--collectives-worker-start-id", 2)
    assert done.returncode == 2 and "the ranks go from 2 to 3, but the number of ranks is 2" in done.stderr
    assert "rank 7 is not on these cores" in device.capture("-i", 7).stderr


def test_a_runtime_that_never_returns(device):
    for function in ("nrt_init", "nrt_load", "nrt_execute", "nrt_profile_stop"):
        begin = time.monotonic()
        done = device.capture("--timeout", "1s", SIMULATED_NRT_HANGS=function)
        assert done.returncode == 1 and "the runtime did not return for 1 s; gave up" in done.stderr, (function, done.stderr)
        assert time.monotonic() - begin < 60 and not device.results()


def test_ctrl_c_ends_it_after_the_execution_under_way(device):
    capture = device.begin("--executions", 1_000_000, "--nth-exec", 1)
    device.until_called("nrt_profile_stop")
    capture.send_signal(signal.SIGINT)
    printed, errors = capture.communicate(timeout=PATIENCE_SECONDS)
    assert capture.returncode == 1 and printed.splitlines() == [str(device.folder / name) for name in device.results()], errors
    assert len(device.calls("nrt_close")) == 1 and len(device.calls("nrt_tensor_free")) == 3


def test_ctrl_c_before_anything_ran(device):
    capture = device.begin("--at", "+60s")
    device.until_called("nrt_add_tensor_to_tensor_set z")
    capture.send_signal(signal.SIGINT)
    _, errors = capture.communicate(timeout=PATIENCE_SECONDS)
    assert capture.returncode == 1 and "stopped; nothing was recorded" in errors
    assert not device.calls("nrt_execute") and len(device.calls("nrt_close")) == 1


def test_a_common_start(device):
    begin = time.monotonic()
    assert device.capture("--at", "+2s").returncode == 0
    assert time.monotonic() - begin >= 2
    assert "is in the past" in device.capture("--at", "1000000000").stderr


def test_places_that_cannot_be_written(device, tmp_path):
    (tmp_path / "file").write_text("")
    assert device.capture("--out", tmp_path).returncode == 2, "the profile's name is a full path"
    done = device.capture("-s", "run.ntff", "--out", tmp_path / "file")
    assert done.returncode == 1 and "cannot create the folder" in done.stderr and not device.log.exists(), "before the device is taken"

    def limit():  # as a full disk: a write fails half way
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))

    (tmp_path / "device.ntff").write_bytes(bytes(10_000))
    done = subprocess.run([str(PROGRAM), *device.command()], env=environment(**device.settings()), capture_output=True, text=True,
                          preexec_fn=limit, timeout=PATIENCE_SECONDS)
    assert done.returncode == 1 and "the profile was not written" in done.stderr, done.stderr
    assert not device.results()


def test_options_of_other_captures_are_refused(device):
    for option, why in {"--duration=2s": "a model runs to its end", "--iterations=3": "--executions", "--shapes": "declares",
                        "--all": "the command runs the model itself"}.items():
        done = device.capture(option)
        assert done.returncode == 2 and f"{option.split('=')[0]}" in done.stderr and why in done.stderr, done.stderr


# ---- every view of a simulated profile says so ----


@pytest.fixture
def simulated(device, tmp_path):
    """A capture of a simulated runtime, under a name without `simulated`."""
    done = device.capture()
    assert done.returncode == 0, done.stderr
    file = tmp_path / "job" / "run.ntff"
    file.parent.mkdir()
    os.rename(tmp_path / "profile_simulated.ntff", file)
    return file


def test_every_view_says_that_it_is_simulated(simulated):
    with Server(simulated.parent, "--port", 0) as server:
        (run,) = server.loaded_state()["runs"]
        span = run["workers"][0]["spans"][0]
        assert span["caution"].startswith("simulated: no device ran") and span["problems"] > 0
        views = [view for view, missing in span["views"].items() if missing is None]
        assert {"overview", "timeline", "device_summary", "problems"} <= set(views)
        for view in set(views) - {"timeline", "query"}:
            status, report = server.json(f"/api/report?view={view}")
            if status != 400:  # it compares, and there is no other profile
                assert any("simulated" in note["text"] for note in report["notes"]), view
        assert "simulated" in json.dumps(server.json("/api/timeline")[1])
        status, answer = server.json("/api/query?sql=select+1")
        assert any("simulated" in note["text"] for note in answer["notes"]), answer
    for view in set(views) - {"timeline", "query", "losses"}:
        for form in ("text", "markdown", "json"):
            done = sightline("report", simulated, "--view", view, "--format", form)
            assert done.returncode != 0 or "simulated" in done.stdout, (view, form)
        done = sightline("report", simulated, "--view", view, "--format", "csv")
        assert done.returncode != 0 or "simulated" in done.stdout + done.stderr, "figures alone have no place for it"
    assert "simulated" in sightline("info", simulated).stdout
    assert "simulated" in sightline("diff", simulated, simulated).stdout


@pytest.mark.parametrize("form", ["chrome", "perfetto", "html", "json", "summary-text", "summary-json", "arrow", "parquet", "csv"])
def test_every_export_says_that_it_is_simulated(simulated, tmp_path, form):
    out = tmp_path / "export"
    done = sightline("export", simulated, "--format", form, "--output", out)
    assert done.returncode == 0, done.stderr
    files = [out] if out.is_file() else [path for path in out.iterdir() if path.name.startswith("problems")]
    assert files and all(b"simulated" in path.read_bytes() for path in files)
