"""Our operators against torch's own sums of the same recording, to the nanosecond, on the samples recorded on a GPU.

torch sums its events before it writes them (`profiler.key_averages()`, stored beside the trace by tools/record_sample.py); we
read the trace that it wrote. Calls, host self and total and device self and total of every operator are compared: each cell is
equal, or differs by exactly the amount that one of two named differences explains.

- unlinked call: torch treats a runtime call without an operator's id as a separate event, and subtracts its time from the
  operator that runs at that time, even if the call is on another thread (the watchdog of a process group queries events
  all the time).
- annotation: torch subtracts a range that the program annotated from the operator around it; we subtract the operators inside it.
"""
import gzip
import json
import pathlib

import pytest

from program_report import report, rows

SAMPLES = pathlib.Path(__file__).resolve().parents[2] / "samples"
TRACES = sorted(SAMPLES.glob("*_cuda/*.pt.trace.json.gz"))
CELLS = [("calls", "count"), ("host_self", "self_cpu_time_total"), ("host_total", "cpu_time_total"),
         ("device_self", "self_device_time_total"), ("device_total", "device_time_total")]


def torch_sums(trace):
    """{operator: row}; if two rows have the same name, the first is the operator's, the second its kernel's."""
    rank = trace.name.split(".")[0].rsplit("rank", 1)[1]
    sums = {}
    for row in json.loads((trace.parent / f"torch_sums.rank{rank}.json").read_text()):
        if row["key"] not in sums or row["cpu_time_total"] > sums[row["key"]]["cpu_time_total"]:
            sums[row["key"]] = row
    return sums


def explanations(trace):
    """({operator: most ns that unlinked calls can have taken from it}, {operators with an annotation inside})."""
    events = [e for e in json.loads(gzip.decompress(trace.read_bytes()))["traceEvents"] if e.get("ph") == "X"]
    operators = [e for e in events if e["cat"] == "cpu_op"]

    def during(event):
        return {o["name"] for o in operators if event["ts"] < o["ts"] + o["dur"] and o["ts"] < event["ts"] + event["dur"]}

    unlinked, annotated = {}, set()
    for event in events:
        if event["cat"] in ("cuda_runtime", "cuda_driver") and "External id" not in event["args"]:
            for name in during(event):
                unlinked[name] = unlinked.get(name, 0) + round(event["dur"] * 1000)
        if event["cat"] == "user_annotation":
            annotated |= during(event)
    return unlinked, annotated


@pytest.mark.parametrize("trace", TRACES, ids=lambda trace: trace.name.split(".")[0])
def test_operators_are_those_of_torch(trace, record_property):
    theirs = torch_sums(trace)
    unlinked, annotated = explanations(trace)
    compared = excused = 0
    for row in rows(report(trace, "operators"), "operators"):
        for ours, key in CELLS:
            compared += 1
            value = getattr(row, ours) or 0
            wanted = theirs[row.name][key] if ours == "calls" else round(theirs[row.name][key] * 1000)
            if value == wanted:
                continue
            excused += 1
            assert ours == "host_self", (row.name, ours, value, wanted)
            assert 0 < value - wanted <= unlinked.get(row.name, 0) or row.name in annotated, (row.name, value, wanted)
    record_property("cells", f"{compared} compared, {excused} excused")
    assert compared > 100 and excused < compared * 0.03, (compared, excused)


def test_the_samples_exist():
    assert [trace.name.split(".")[0] for trace in TRACES] == ["ddp_cuda_rank0", "ddp_cuda_rank1", "gpt_cuda_rank0", "graph_cuda_rank0"]
