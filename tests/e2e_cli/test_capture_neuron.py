"""sightline capture neuron on a simulated runtime (tests/support/simulated_libnrt.cc), which notes every call. No device was ever tried."""
import struct

import pytest
from ntff_export import Run, notify, slot
from program import PROGRAM, needs_program, sightline

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
        run = Run()
        run.code("sp", [notify(2), slot(0xA4, {12: 3})])
        run.instruction("sp", 1, start=500, length=20)
        (folder / "device.ntff").write_bytes(run.file())

    def capture(self, *arguments, library=LIBRARY, **settings):
        given = ["capture", "neuron", "-n", self.model, "-s", self.folder / "profile.ntff", "--library", library, *arguments]
        settings = {"SIMULATED_NTFF": str(self.folder / "device.ntff"), "SIMULATED_NRT_LOG": str(self.log), **settings}
        return sightline(*given, **settings)

    def calls(self, *names):
        lines = self.log.read_text().splitlines()
        return [line for line in lines if not names or line.split()[0] in names]


@pytest.fixture
def device(tmp_path):
    return Device(tmp_path)


def test_an_execution(device, tmp_path):
    x = npy(tmp_path / "x.npy", "<f4", (2, 3), struct.pack("<6f", *range(6)))
    done = device.capture("x", x)
    assert done.returncode == 0, done.stderr
    assert done.stdout == f"{tmp_path}/profile_simulated.ntff\n", "its name says that it is simulated, and so does every view"
    assert "the runtime is simulated" in done.stderr and "the input y is all zeros" in done.stderr
    assert sightline("info", tmp_path / "profile_simulated.ntff").returncode == 0
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
    names = [line.rsplit("/", 1)[1] for line in done.stdout.splitlines()]
    assert names == [f"profile_simulated_rank_{rank}_exec_{n}.ntff" for rank in (0, 1) for n in (2, 4)]
    assert device.calls("nrt_load_collectives") == ["nrt_load_collectives 0 0/2", "nrt_load_collectives 2 1/2"]
    assert len(device.calls("nrt_execute")) == 8 and len(device.calls("nrt_profile_start")) == 4


def test_inputs_that_do_not_fit(device, tmp_path):
    cases = {
        "has the shape [2, 3], not [3, 2]": npy(tmp_path / "shape.npy", "<f4", (3, 2), bytes(24)),
        "is of type f4, not i4": npy(tmp_path / "type.npy", "<i4", (2, 3), bytes(24)),
        "another number of bytes than its shape says": npy(tmp_path / "short.npy", "<f4", (2, 3), bytes(20)),
        "rows first": npy(tmp_path / "columns.npy", "<f4", (2, 3), bytes(24), fortran=True),
        "no .npy file": device.model,
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
        device.log.unlink(missing_ok=True)
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
