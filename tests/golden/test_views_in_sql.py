"""Views in SQL give the same answers as the program's own views that are a GROUP BY, on every sample and some damaged files.

The files in sql_views/ are an oracle for those views, and examples of what a view in SQL can do. The program's own views stay
in C++, because they must work without DuckDB's library.
"""
import csv
import io
import math
import os
import pathlib
import shutil
import subprocess
import sys

import pytest

import ascend_samples

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = pathlib.Path(os.environ.get("SIGHTLINE", ROOT / "build" / "release" / "sightline"))
VIEWS = pathlib.Path(__file__).with_name("sql_views")
SAMPLES = sorted(ROOT.glob("samples/**/*.json.gz"))[:8]

pytestmark = pytest.mark.skipif(not PROGRAM.exists(), reason=f"{PROGRAM} is not built: make build")


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Samples, a trace with launches of two GPUs, and a truncated one."""
    folder = tmp_path_factory.mktemp("sql_views")
    made = folder / "two_gpus.pt.trace.json"
    subprocess.run([sys.executable, ROOT / "tools" / "gen_trace", ROOT / "tests" / "fixtures" / "two_gpus.trace", made], check=True)
    cut = folder / "cut.pt.trace.json"
    cut.write_bytes(made.read_bytes()[: made.stat().st_size * 2 // 3])
    return [made, cut, *SAMPLES]


def rows(file, view, table=None):
    """The table's header and rows; None if the profile cannot have the view."""
    choice = ["--table", table] if table else []
    done = subprocess.run(
        [PROGRAM, "report", file, "--views", VIEWS, "--view", view, "--format", "csv", *choice], capture_output=True, text=True
    )
    if done.returncode != 0:
        assert "in this profile" in done.stderr or "this profile has no" in done.stderr, done.stderr
        return []
    return list(csv.reader(io.StringIO(done.stdout)))


def compare(file, ours, theirs, table):
    """The number of rows that both have; fails if they differ."""
    expected, found = rows(file, theirs, table), rows(file, ours)
    if not expected:
        assert len(found) <= 1, (file, found[:3])
        return 0
    assert found[0] == expected[0], file
    assert len(found) == len(expected), file
    for mine, other in zip(found[1:], expected[1:]):
        assert all(map(same, mine, other)), (file, mine, other)
    return len(found) - 1


def same(ours, theirs):
    """Reals may differ in the last digit, because their parts are summed in another order."""
    try:
        return ours == theirs or math.isclose(float(ours), float(theirs), rel_tol=1e-12)
    except ValueError:
        return False


@pytest.mark.parametrize(
    "ours, theirs, table",
    [
        ("problems_again", "problems", None),
        ("lanes_again", "metadata", "lanes"),
        ("runtime_calls_again", "runtime_calls", "calls"),
    ],
)
def test_equals_the_view_of_the_program(files, ours, theirs, table):
    assert sum(compare(file, ours, theirs, table) for file in files) > 0


@pytest.mark.skipif(not ascend_samples.here(), reason="needs ../shared/samples/ascend")
def test_equals_the_sums_that_a_file_states(tmp_path):
    """Without its timeline, an export has only sums of its calls."""
    source = next(iter(ascend_samples.workers("msinsight_text_level1").values()))
    export = tmp_path / source.name
    shutil.copytree(source, export, ignore=shutil.ignore_patterns("trace_view.json"))
    assert compare(export, "reported_calls_again", "runtime_calls", "calls") > 0
