"""The Lightning view of the fixture lightning.trace, computed by hand there, in the form of current and of older writers."""
import pathlib
import subprocess
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import program_report  # noqa: E402

ROOT = program_report.ROOT
TEXT = ROOT / "tests" / "fixtures" / "lightning.trace"
pytestmark = pytest.mark.skipif(not program_report.PROGRAM.exists(), reason=f"no program at {program_report.PROGRAM}: build it, or set SIGHTLINE")


@pytest.fixture(scope="module", params=["user_annotation", "cpu_op"])
def trace(request, tmp_path_factory):
    file = tmp_path_factory.mktemp("lightning") / "lightning.pt.trace.json"
    text = TEXT.read_text().replace("(user_annotation)", f"({request.param})")
    subprocess.run([sys.executable, ROOT / "tools" / "gen_trace", "-", file], input=text, text=True, check=True)
    return file


def table(file, view, key, *columns):
    return [tuple(getattr(row, column) for column in columns) for row in program_report.rows(program_report.report(file, view), key)]


def test_modules(trace):
    assert table(trace, "lightning", "modules", "name", "type", "calls", "operators", "host_total", "device_total", "device_self") == [
        ("net", "Net", 1, 1, 50_000, 30_000, 0),
        ("net.layers", None, 0, 0, 36_000, 30_000, 0),
        ("net.layers.0", "Linear", 1, 1, 18_000, 20_000, 20_000),
        ("net.layers.1", "Linear", 1, 1, 18_000, 10_000, 10_000)]


def test_hooks(trace):
    assert table(trace, "lightning", "hooks", "name", "parent", "calls", "host_total", "host_own") == [
        ("run_training_batch", None, 1, 100_000, 25_000),
        ("[Strategy]Single.training_step", 0, 1, 65_000, 65_000),
        ("[LightningModule]Net.optimizer_step", 0, 1, 10_000, 10_000)]


def test_its_ranges_are_not_operators(trace):
    assert sorted(table(trace, "operators", "operators", "name", "calls")) == [("aten::add", 1), ("aten::linear", 2)]
