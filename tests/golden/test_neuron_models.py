"""Compiled models (NEFF) that we made, alone and beside a profile: found by UUID, by number and by name, checked byte by byte."""
import json
import pathlib
import shutil
import struct
import subprocess
import sys

import pytest

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "support")]
import program_report  # noqa: E402
from program_report import query  # noqa: E402
from neff_export import neff  # noqa: E402
from ntff_export import Run, notify, slot  # noqa: E402

pytestmark = pytest.mark.skipif(not program_report.PROGRAM.exists(), reason=f"no program at {program_report.PROGRAM}")
UUID = bytes(range(16))
OTHER = bytes(range(50, 66))


def profile(uuid=UUID):
    run = Run(uuid=uuid)
    run.code("sp", [notify(2), slot(0xA4)])
    run.instruction("sp", 0, 100, 10)
    run.instruction("sp", 1, 120, 10)
    return run.file()


def about(file):
    return {key: value for key, value in query(file, "select key, value from metadata") if key.startswith("neff.")}


def problems(file):
    return {code: message for code, message in query(file, "select code, message from problems")}


def write(folder, files):
    for name, data in files.items():
        (folder / name).write_bytes(data)


def test_beside_a_profile(tmp_path):
    members = {"info.json": b'{"tool_version": "2.16.1", "list": []}', "sg00/def.json": b"{}" * 400, "x" * 150 + "/pe.bin": bytes(640),
               "hlo_metrics.json": b'{"HloMacCount": 12345}'}
    write(tmp_path, {"a.neff": neff(uuid=OTHER, name="wrong"), "b.neff": neff(members=members, name="right", cores=2), "run.ntff": profile()})
    told = about(tmp_path / "run.ntff")
    assert told["neff.network_name"] == "right" and told["neff.uuid"] == UUID.hex()
    assert told["neff.info.json.tool_version"] == "2.16.1" and told["neff.hlo_metrics.json.HloMacCount"] == "12345"
    assert told["neff.number_of_logical_neuroncores"] == "2" and told["neff.members"] == f"4 files, {38 + 800 + 640 + 22} bytes unpacked"
    assert told["neff.member." + "x" * 150 + "/pe.bin"] == "640 bytes"
    assert not any(code in problems(tmp_path / "run.ntff") for code in ("wrong_hash", "damaged_archive", "truncated", "other_program"))
    runs = json.loads(subprocess.run([program_report.PROGRAM, "info", tmp_path, "--format", "json"], capture_output=True, text=True).stdout)["runs"]
    assert [worker["name"] for run in runs for worker in run["workers"]] == ["run"], "a model is not a worker"


def words_turned(hash_):
    return b"".join(hash_[at:at + 4][::-1] for at in range(0, len(hash_), 4))


@pytest.mark.parametrize("package", (1, 2))
def test_the_hash_that_compilers_write(tmp_path, package):
    """In words of 32 bits, each with its last byte first, as in every real model that we have."""
    whole = neff(package=package)
    hash_ = words_turned(whole[0xAC:0xBC] if package == 2 else whole[0xAC:0xCC])
    (tmp_path / "m.neff").write_bytes(neff(package=package, hash_=hash_))
    assert about(tmp_path / "m.neff")["neff.hash"] == hash_.hex() and set(problems(tmp_path / "m.neff")) == {"no_profile"}


@pytest.mark.parametrize("name", ("hlo_stats.json", "hlo_metrics.json"))
def test_operations_of_the_model(tmp_path, name):
    """A product of 8 x 8 x 8: 512 multiply-accumulates, 1,024 FLOP."""
    write(tmp_path, {"run.neff": neff(members={name: b'{"HloMacCount": 512, "Traffic": 384, "ArithmeticIntensity": 2.5}'}), "run.ntff": profile()})
    told = about(tmp_path / "run.ntff")
    assert (told[f"neff.{name}.HloMacCount"], told[f"neff.{name}.Traffic"], told[f"neff.{name}.ArithmeticIntensity"]) == ("512", "384", "2.5")
    rows = {row.key: row for row in program_report.rows(program_report.report(tmp_path / "run.ntff", "device_summary"), "metrics")}
    assert (rows["model_flops"].value, rows["model_flops"].source) == (1024, "stated")


MODELS = sorted((HERE.parents[1].parent / "shared" / "samples" / "neuron_models").glob("*.neff"))


@pytest.mark.parametrize("file", MODELS, ids=lambda file: file.stem)
def test_real_models(file):
    told = about(file)
    assert set(problems(file)) <= {"no_profile", "unknown_header_bytes"}
    sizes = {"matmul_small": (128 * 128 * 256, 262144), "matmul_large": (4096 ** 3 * 4, 4320133120)}[file.stem]
    assert (int(told["neff.hlo_stats.json.HloMacCount"]), int(told["neff.hlo_stats.json.Traffic"])) == sizes


def test_by_number_and_by_name(tmp_path):
    write(tmp_path, {"neff_123456789_vnc_0.neff": neff(name="by number"), "neff_5550001_vnc_0.neff": neff(name="another"),
                     "123456789_instid_0_vnc_0.ntff": profile()})
    assert about(tmp_path / "123456789_instid_0_vnc_0.ntff")["neff.network_name"] == "by number"
    write(tmp_path, {"x.neff": neff(uuid=OTHER), "x.ntff": profile(bytes(range(100, 116)))})
    assert about(tmp_path / "x.ntff") == {}
    assert "x.neff is beside this profile and has its name, but is another program" in problems(tmp_path / "x.ntff")["other_program"]


def test_a_model_that_comes_later_is_noticed(tmp_path):
    file = tmp_path / "run.ntff"
    file.write_bytes(profile())
    assert about(file) == {}
    (tmp_path / "run.neff").write_bytes(neff())
    assert about(file)["neff.package_version"] == "2"
    (tmp_path / "run.neff").unlink()
    assert about(file) == {}


def test_alone(tmp_path):
    file = tmp_path / "m.neff"
    file.write_bytes(neff(package=1, members={"info.json": b"{}", "kelf-a.json": b"{}"}))
    assert about(file)["neff.members"] == "2 files, 4 bytes unpacked"
    assert "Record it" in problems(file)["no_profile"]
    assert set(problems(file)) == {"no_profile"}, "its SHA-256 is right"
    done = subprocess.run([program_report.PROGRAM, "report", file, "--view", "metadata"], capture_output=True, text=True)
    assert done.returncode == 0 and "neff.package_version" in done.stdout, done.stderr


@pytest.mark.parametrize("data, code, message", [
    (neff(hash_=bytes(16)), "wrong_hash", "the file was changed"),
    (neff()[:1100], "truncated", "and has 76"),
    (neff(payload=b"\x1f\x8b\x08" + bytes(200)), "damaged_archive", "is damaged before byte"),
    (neff(package=1, payload=b"x" * 1024), "damaged_archive", "checksum is wrong"),
    (neff()[:0x300] + b"?" + neff()[0x301:], "unknown_header_bytes", "undocumented bytes"),
])
def test_survived(data, code, message, tmp_path):
    (tmp_path / "m.neff").write_bytes(data)
    assert message in problems(tmp_path / "m.neff")[code]


def patched(at, form, *values):
    data = bytearray(neff())
    struct.pack_into(form, data, at, *values)
    return bytes(data)


@pytest.mark.parametrize("data, message", [
    (patched(0, "<Q", 3), "m.neff:0: package version 3"),
    (patched(8, "<Q", 99), "m.neff:8: a header of 99 bytes"),
    (patched(0x18, "<Q", 3), "m.neff:24: version 3.0"),
    (patched(0x28, "<B", 7), "m.neff:40: a text in the header"),
    (patched(0xA8, "<I", 0), "m.neff:168: the header calls the archive plain"),
    (patched(0x220, "<Q", 1 << 27), "m.neff:544: made by a newer compiler"),
    (neff()[:500], "m.neff:500: the file ends inside the header"),
])
def test_refused(data, message, tmp_path):
    (tmp_path / "m.neff").write_bytes(data)
    done = subprocess.run([program_report.PROGRAM, "report", tmp_path / "m.neff", "--view", "overview"], capture_output=True, text=True)
    assert done.returncode != 0 and message in done.stderr, done.stderr
    shutil.copy(tmp_path / "m.neff", tmp_path / "run.neff")
    (tmp_path / "run.ntff").write_bytes(profile())
    assert "the data of the compiled model is missing" in problems(tmp_path / "run.ntff").get("unreadable_file", ""), "the profile stays"
