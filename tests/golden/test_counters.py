"""The timeline's counters against the counters that the original inserts into a trace, and against Holistic Trace Analysis.

As for the other figures: the oracle with the original's faults gives the original's points, and the program gives the oracle's with our
rules. The original's times are double microseconds; ours are compared relative to the profiler's window, in ns.
"""
import gzip
import json
import pathlib
import struct
import sys
import urllib.parse

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "e2e_cli"))
import agreement  # noqa: E402
import program_report  # noqa: E402

import counters  # noqa: E402  (of the oracle, which agreement put on the path)
import faults as fault_list  # noqa: E402
from kineto_trace import classify  # noqa: E402
from program import Server  # noqa: E402

CASES = [case for case in agreement.cases() if (case.goldens / "trace_counters.json.gz").exists()]
HTA = agreement.SHARED / "golden" / "hta" / "hta_refs.json.gz"
HTA_SAMPLES = {"nccl_data": "hta_nccl", "control": "hta_trace_diff_control"}
needs_samples = pytest.mark.skipif(not CASES, reason="no ../shared with samples and goldens beside the checkout")
needs_program = pytest.mark.skipif(not program_report.PROGRAM.exists(), reason="no program: build it, or set SIGHTLINE")
each_case = pytest.mark.parametrize("case", CASES, ids=repr)
ORIGINAL = fault_list.ALL | set(counters.FAULTS)


def charts(file):
    """{(counter's title, process's title, series): [(time, value)]} of the program, exact points; and the window's start."""
    with Server(file, "--port", 0) as server:
        server.loaded_state()
        timeline = server.json("/api/timeline")[1]
        found, titles = {}, {}
        for group in timeline["groups"]:
            for counter in group["counters"]:
                titles[counter["counter"]] = (counter["title"], group["title"], [series["title"] for series in counter["series"]])
        query = urllib.parse.urlencode({"counters": ",".join(map(str, titles)), "start": timeline["start"] - 10, "end": timeline["end"] + 10,
                                        "pixel": 1}, safe=",")
        status, _, body = server.get(f"/api/counters?{query}")
        assert status == 200
    length = struct.unpack_from("<I", body)[0]
    header, columns = json.loads(body[4:4 + length]), body[4 + length:]
    entries = sum(row["count"] for row in header["rows"])
    of = {c["name"]: struct.unpack_from(f"<{entries}d", columns, c["offset"]) for c in header["columns"]}
    for row in header["rows"]:
        title, process, series = titles[row["counter"]]
        span = slice(row["first"], row["first"] + row["count"])
        assert of["least"][span] == of["most"][span] == of["last"][span]  # one point in every pixel of 1 ns
        found[title, process, series[row["series"]]] = list(zip(of["time"][span], of["last"][span]))
    return found


def changes(points):
    """The points at which a step function changes: of equal times the last, of equal values the first."""
    kept = []
    for time, value in points:
        if kept and kept[-1][0] == time:
            kept.pop()
        if not kept or kept[-1][1] != value:
            kept.append((time, value))
    return kept


def assert_same(left, right, relative=1e-9, absolute=0.0):
    assert len(left) == len(right)
    for (time, value), (other_time, other) in zip(left, right):
        assert time == other_time and value == pytest.approx(other, rel=relative, abs=absolute)


@needs_samples
@each_case
def test_oracle_with_all_faults_gives_the_originals_counters(case):
    golden = json.loads(gzip.open(case.goldens / "trace_counters.json.gz").read())
    trace = agreement.read_trace(case.file)
    window, compared = counters.window_of(trace, ORIGINAL, "us"), 0
    for device, kernels in counters.kernels_by_device(trace, ORIGINAL, "us").items():
        # The first two of each fix the axis: a 1 and a 0.
        shown = [(e["ts"], e["args"]["GPU Utilization"]) for e in golden if e["name"] == f"GPU {device} Utilization"]
        assert [value for _, value in shown[:2]] == [1, 0]
        assert_same(shown[2:], counters.utilization(kernels, window, 1))
        shown = [(e["ts"], e["args"]["Est. SM Efficiency"]) for e in golden if e["name"] == f"GPU {device} Est. SM Efficiency"][2:]
        parts = [(start[0], end[0], start[1]) for start, end in zip(shown[::2], shown[1::2])]
        parts = [part for part in parts if part[2] > counters.RESIDUE]  # fault efficiency_residue
        expected = counters.efficiency(kernels)
        assert len(parts) == len(expected)
        for left, right in zip(parts, expected):
            assert left == pytest.approx(right, rel=1e-9)
        compared += 1
    assert compared


@needs_samples
@needs_program
@each_case
def test_program_gives_the_oracles_counters(case):
    trace = agreement.read_trace(case.file)
    found = charts(case.file)
    window = counters.window_of(trace, frozenset(), "ns")
    busy = sorted(points for (title, _, _), points in found.items() if title.endswith(" utilization"))
    expected = sorted([(time - window[0], 100 * value) for time, value in changes(counters.utilization(kernels, window, 1000))]
                      for _, kernels in sorted(counters.kernels_by_device(trace, frozenset(), "ns").items()))
    assert len(busy) == len(expected)
    origin = busy[0][0][0]  # the window's start on the program's clock
    for left, right in zip(busy, expected):
        assert_same([(time - origin, value) for time, value in left], right, absolute=1e-9)
    for device, kernels in counters.kernels_by_device(trace, frozenset(), "ns").items():
        if any("blocks per SM" not in kernel.args for kernel in kernels):
            continue  # computed if the file has none: test_launch_fill.py
        steps = []
        for start, end, value in counters.efficiency(kernels):
            steps += [(start - window[0], 100 * value), (end - window[0], 0)]
        steps = changes([step for i, step in enumerate(steps) if i + 1 == len(steps) or steps[i + 1][0] != step[0]])
        ours = [points for (title, _, _), points in found.items() if title.startswith("Est. ")]
        shifted = [[(time - origin, value) for time, value in points] for points in ours]
        assert not steps and not ours or any(_close(points, steps) for points in shifted)


def _close(left, right):
    """Blocks per SM are stored in single precision, in which neighbouring sums may be equal or not."""
    def at(points, time):
        value = 0
        for start, level in points:
            if start > time:
                break
            value = level
        return value
    times = sorted({time for time, _ in left} | {time for time, _ in right})
    return all(abs(at(left, time) - at(right, time)) < 1e-3 for time in times[:: max(1, len(times) // 300)])


@needs_samples
@pytest.mark.skipif(not HTA.exists(), reason="no answers of Holistic Trace Analysis beside the checkout")
@pytest.mark.parametrize("name, folder", HTA_SAMPLES.items())
def test_queues_and_bandwidth_are_holistic_trace_analysis(name, folder):
    """It counts a launch from the start of its call, as we do. Its clock is whole microseconds, in which simultaneous events
    have no order, so its means differ in the third figure. Its statistics are over the points, not over time. It takes a copy's
    bandwidth from the writer; we divide bytes by duration, which is coarser if the file has whole microseconds."""
    reference = json.loads(gzip.open(HTA).read())[name]
    case = next(case for case in CASES if case.name == folder)
    trace = agreement.read_trace(case.file)
    events = trace.events("ns")
    for event in events:
        event.kind = classify(event, frozenset())
    queues = {stream: [level for _, level in points] for (_, stream), points in counters.launch_queues(events).items()}
    for row in reference["queue_length_summary"]:
        levels = queues[row["('stream', '')"]]
        assert (len(levels), max(levels), min(levels)) == tuple(row[f"('queue_length', '{key}')"] for key in ("count", "max", "min"))
        assert sum(levels) / len(levels) == pytest.approx(row["('queue_length', 'mean')"], rel=0.02)
    rates = counters.bandwidths(events, written=True)
    for row in reference["memory_bw_summary"]:
        levels = [level for _, level in rates[row["('name', '')"].removeprefix("Memcpy ")] if level > counters.RESIDUE]
        assert len(levels) == row["('memory_bw_gbps', 'count')"]
        for key, value in (("max", max(levels)), ("mean", sum(levels) / len(levels))):
            assert value == pytest.approx(row[f"('memory_bw_gbps', '{key}')"], rel=1e-6)


@needs_samples
@needs_program
@pytest.mark.parametrize("folder", HTA_SAMPLES.values())
def test_program_gives_the_oracles_queues_and_bandwidth(folder):
    case = next(case for case in CASES if case.name == folder)
    trace = agreement.read_trace(case.file)
    events = trace.events("ns")
    for event in events:
        event.kind = classify(event, frozenset())
    window = counters.window_of(trace, frozenset(), "ns")
    found = charts(case.file)
    origin = next(int(points[0][0]) for (title, _, _), points in found.items() if title.endswith(" utilization")) - window[0]
    queues = sorted(changes(points) for points in counters.launch_queues(events).values())
    ours = sorted([(int(time) - origin, value) for time, value in points]
                  for (title, _, _), points in found.items() if title == "Launch queue")
    assert len(ours) == len(queues)
    for left, right in zip(ours, queues):
        assert_same(left, right)
    rates = counters.bandwidths(events)
    for (title, _, series), points in found.items():
        if title == "Memory bandwidth":
            left = [(int(time) - origin, value * 1e-9) for time, value in points]
            right = [(time, 0 if value < counters.RESIDUE else value) for time, value in rates[series]]
            assert_same(left, changes(right), relative=1e-6)
