"""An exported profile equals the profile: written as a trace and read again, every view of slices, launches and owners is the
same."""
import json
import pathlib
import subprocess
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import agreement  # noqa: E402
import program_report  # noqa: E402

NAMES = ("resnet50_num_workers_0", "hta_nccl", "hta_amd_mi250", "h100_bert_small", "hta_mtia_inference")
CASES = [case for case in agreement.cases() if case.name in NAMES]
needs_program = pytest.mark.skipif(not program_report.PROGRAM.exists(), reason="no program: build it, or set SIGHTLINE")
pytestmark = [needs_program, pytest.mark.skipif(not CASES, reason="no ../shared with samples beside the checkout")]


def run(*arguments):
    done = subprocess.run([program_report.PROGRAM, *map(str, arguments)], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return done.stdout


def columns(file, view, table, *parameters):
    given = [word for parameter in parameters for word in ("--param", parameter)]
    report = json.loads(run("report", file, "--view", view, "--format", "json", *given))
    return {column["key"]: column["values"] for column in report["tables"][table]["columns"] if column["key"] != "longest_slice"}


def rows(of):
    return sorted(zip(*of.values()), key=repr)


@pytest.mark.parametrize("case", CASES, ids=repr)
def test_views_of_an_export_are_those_of_the_file(case, tmp_path):
    again = tmp_path / "again.pt.trace.json"
    run("export", case.file, "-o", again)
    for view, table, parameters in (("range", "names", ()), ("range", "categories", ()), ("kernels", "kernels", ("group_by=launch",)),
                                    ("operators", "operators", ("group_by=shape",))):
        before, after = columns(case.file, view, table, *parameters), columns(again, view, table, *parameters)
        assert before.keys() == after.keys() and rows(before) == rows(after), (view, table)
