"""The diff by structure of one model on an H100 and on an MI300X, against TraceLens' reports of the two recordings, which lie beside the
project; without them, the test is skipped.

TraceLens compares two such reports by joining calls of equal names and arguments. Its rows that both devices have are rows here, with
the same device times.
"""
import ast
import collections
import csv
import functools
import json
import pathlib
import subprocess
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from program_report import PROGRAM, ROOT, rows  # noqa: E402

SAMPLES = ROOT.parent / "shared" / "samples"
MODEL = "Qwen_Qwen1.5-0.5B-Chat__1016005"
H100 = SAMPLES / "pytorch" / "h100_qwen" / f"h100_{MODEL}.json.gz"
MI300 = SAMPLES / "tracelens" / "mi300" / f"{MODEL}.json.gz"
REPORTS = [SAMPLES / "tracelens" / device / f"{MODEL}_perf_report_csvs" / "ops_unique_args.csv" for device in ("h100", "mi300")]

pytestmark = pytest.mark.skipif(not all(path.exists() for path in (PROGRAM, H100, MI300, *REPORTS)),
                                reason="needs ../shared/samples, which is not part of the project")


def plain(dims):
    """Shapes as lists, without what is no tensor."""
    if not isinstance(dims, (list, tuple)):
        return dims
    return tuple(plain(d) for d in dims)


def tracelens(path):
    """Device time in ns that calls of a name and shapes launched themselves."""
    csv.field_size_limit(10**9)
    times = collections.Counter()
    for row in csv.DictReader(open(path)):
        time = round(float(row["total_direct_kernel_time_sum"] or 0) * 1000)
        if time:
            times[row["name"], plain(ast.literal_eval(row["Input Dims"] or "()"))] += time
    return times


@functools.lru_cache
def difference():
    done = subprocess.run([PROGRAM, "diff", H100, MI300, "--format", "json", "--no-cache"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_calls_that_both_devices_have_are_compared_with_each_other():
    reports = [tracelens(path) for path in REPORTS]
    ours = collections.Counter(), collections.Counter()
    for pair in rows(difference(), "structure"):
        if pair.baseline_operators != pair.compared_operators or pair.shapes is None or " / " in pair.shapes:
            continue
        key = pair.baseline_operators, plain(json.loads(pair.shapes))
        ours[0][key] += pair.baseline_device
        ours[1][key] += pair.compared_device
    both = reports[0].keys() & reports[1].keys()
    assert len(both) == 33
    different = {key: (reports[0][key], reports[1][key], ours[0][key], ours[1][key]) for key in both
                 if any(abs(report[key] - mine[key]) > 1000 for report, mine in zip(reports, ours))}
    assert not different


def test_rows_add_up_to_all_device_time():
    pairs = list(rows(difference(), "structure"))
    (total,) = [row for row in rows(difference(), "sums") if row.metric == "device_time"]
    assert sum(pair.baseline_device for pair in pairs) == total.baseline_time
    assert sum(pair.compared_device for pair in pairs) == total.compared_time
