"""Device time of operators by shape is that of TraceLens' reports, or differs by what a named reason explains.

The reports lie beside the project, with their traces (../shared/samples); without them, the test is skipped. A report's column is
the time of the work that calls launched themselves, as is device self time here. TraceLens sums floats of microseconds.
"""
import ast
import collections
import csv
import gzip
import json
import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from program_report import PROGRAM, ROOT, report, rows  # noqa: E402

SAMPLES = ROOT.parent / "shared" / "samples"
LENS, TORCH = SAMPLES / "tracelens", SAMPLES / "pytorch"
QWEN, BERT = "Qwen_Qwen1.5-0.5B-Chat__1016005", "gaunernst_bert-small-uncased__1016001"

# Trace, report, how many kinds of calls differ for a reason.
PAIRS = {
    "h100_qwen": (TORCH / "h100_qwen" / f"h100_{QWEN}.json.gz", LENS / "h100" / f"{QWEN}_perf_report_csvs", 0),
    "h100_bert": (TORCH / "h100_bert_small" / f"h100_{BERT}.json.gz", LENS / "h100" / f"{BERT}_perf_report_csvs", 0),
    "mi300_qwen": (LENS / "mi300" / f"{QWEN}.json.gz", LENS / "mi300" / f"{QWEN}_perf_report_csvs", 0),
    "mi300_resnet": (TORCH / "mi300_resnet_act_checkpoint" / "mi300_resnet_act_checkpoint.json.gz",
                     LENS / "mi300" / "resnet_act_checkpoint_recompute_perf_report_csvs", 12),
    "normalization": (LENS / "perf_model" / "normalization" / "normalization_layer_test.json.gz",
                      LENS / "perf_model" / "normalization" / "normalization_layer_test_perf_report_csvs", 3),
    "vllm_decode": (LENS / "inference" / "vllm_decode_full" / "graph_execution.json.gz",
                    LENS / "inference" / "vllm_decode_full" / "perf_csvs", 0),
    "vllm_piecewise": (LENS / "inference" / "vllm_prefilldecode_piecewise" / "graph_execution.json.gz",
                       LENS / "inference" / "vllm_prefilldecode_piecewise" / "perf_csvs", 0),
}

pytestmark = pytest.mark.skipif(not PROGRAM.exists() or not LENS.exists(),
                                reason="needs ../shared/samples, which is not part of the project")


def plain(dims):
    return tuple(plain(d) for d in dims) if isinstance(dims, (list, tuple)) else dims


def theirs_of(folder):
    csv.field_size_limit(10**9)
    times = collections.Counter()
    for row in csv.DictReader(open(folder / "ops_unique_args.csv")):
        if time := float(row["total_direct_kernel_time_sum"] or 0) * 1000:
            times[row["name"], plain(ast.literal_eval(row["Input Dims"] or "()"))] += time
    return times


def ours_of(trace):
    times = collections.Counter()
    for row in rows(report(str(trace), "operators", group_by="shape"), "operators"):
        if row.device_self:
            times[row.name, plain(json.loads(row.input_shape)) if row.input_shape else ()] += row.device_self
    return times


def left_out(trace):
    """Device time in ns, by operator and shapes, that TraceLens leaves out: (collectives, fills that no arrow leads to).

    TraceLens follows the arrows (ac2g) alone. The calls of HIP that fill end an arrow instead of beginning one; the fill and its
    operator state one External id.
    """
    events = json.loads(gzip.open(trace).read())["traceEvents"]
    begun = {event["id"] for event in events if event.get("ph") == "s" and event.get("cat") == "ac2g"}
    operators = {event["args"]["External id"]: (event["name"], plain(event["args"].get("Input Dims", ())))
                 for event in events if event.get("cat") == "cpu_op" and "External id" in event.get("args", {})}
    collectives, fills = collections.Counter(), collections.Counter()
    for event in events:
        arguments = event.get("args", {})
        operator = operators.get(arguments.get("External id"))
        if operator and event.get("cat") == "gpu_memset" and arguments.get("correlation") not in begun:
            fills[operator] += round(event["dur"] * 1000)
        elif operator and event.get("cat") == "kernel" and operator[0] == "record_param_comms":
            collectives[operator] += round(event["dur"] * 1000)
    return collectives, fills


@pytest.mark.parametrize("name", PAIRS)
def test_device_time_by_shape(name):
    trace, folder, expected = PAIRS[name]
    if not trace.exists() or not folder.exists():
        pytest.skip(f"needs {trace}")
    theirs, ours = theirs_of(folder), ours_of(trace)
    different = {key for key in theirs.keys() | ours.keys() if abs(theirs[key] - ours[key]) > 1000}
    collectives, fills = left_out(trace) if different else ({}, {})
    wrong = {key: (theirs[key], ours[key]) for key in different
             if abs(theirs[key] + collectives.get(key, 0) + fills.get(key, 0) - ours[key]) > 1000}
    assert not wrong
    assert len(different) == expected
