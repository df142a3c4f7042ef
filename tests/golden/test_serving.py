"""Serving: the steps of real engines, and that parts of a step sum to it.

TraceLens' own reports lie beside the recordings: device time and work of the step, sums that the engine states.
"""
import csv
import gzip
import json
import pathlib
import subprocess
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import program_report  # noqa: E402

pytestmark = pytest.mark.skipif(not program_report.PROGRAM.exists(), reason="the program is not built")

INFERENCE = program_report.ROOT.parent / "shared" / "samples" / "tracelens" / "inference"
CASES = ["vllm_decode_full", "vllm_prefilldecode_piecewise"]
PARTS = ["attention", "products", "norms", "sampling", "other", "communication", "copies", "host"]


def sample(case):
    file = INFERENCE / case / "graph_execution.json.gz"
    if not file.exists():
        pytest.skip("the shared samples are absent")
    return file


def served(file):
    (row,) = program_report.rows(program_report.report(file, "serving"), "served")
    return row


@pytest.mark.parametrize("case, expected", [
    (CASES[0], dict(phase="Decode", requests=32, tokens=32, work=434, graph_launches=1, decode_sk=55086, decode_sqsk=55086)),
    (CASES[1], dict(phase="Mixed", requests=46, tokens=8192, work=423, graph_launches=25, prefill_requests=9, decode_requests=37,
                    prefill_tokens=8155, prefill_sk=8430, prefill_sqsq=7475785, prefill_sqsk=7671310)),
])
def test_the_step_of_a_recording(case, expected):
    row = served(sample(case))
    assert {key: getattr(row, key) for key in expected} == expected


@pytest.mark.parametrize("case", CASES)
def test_the_device_time_is_that_of_the_reference(case):
    row = served(sample(case))
    with open(INFERENCE / case / "perf_csvs" / "gpu_timeline.csv", encoding="utf-8") as lines:
        busy = {line["type"]: float(line["time ms"]) for line in csv.DictReader(lines)}["busy_time"]
    assert row.time - row.host == pytest.approx(busy * 1e6, abs=500)


@pytest.mark.parametrize("case", CASES)
def test_the_parts_sum_to_the_step(case):
    row = served(sample(case))
    assert sum(getattr(row, part) or 0 for part in PARTS) == row.time


@pytest.mark.parametrize("case", CASES)
def test_attention_is_costed_by_the_sums_that_the_engine_states(case):
    file = sample(case)
    with open(INFERENCE / case / "perf_csvs" / "InferenceAttention_fwd.csv", encoding="utf-8") as lines:
        reference = next(csv.DictReader(lines))
    ((flops, moved),) = program_report.query(
        file, "SELECT flops, bytes_read + bytes_written FROM operator_costs WHERE name = 'vllm::unified_attention_with_output'")
    assert flops == pytest.approx(float(reference["GFLOPS_first"]) * 1e9)
    assert moved == pytest.approx(float(reference["Data Moved (MB)_first"]) * 2**20)


def repeated(names):
    """A slow search: first, length and repeats of the run that covers most; of those that cover nearly as much, the shortest."""
    runs = []
    for length in range(2, len(names) // 3 + 1):
        best = (0, 0)
        for first in range(len(names) - length):
            count = 1
            while names[first + count * length:first + (count + 1) * length] == names[first:first + length]:
                count += 1
            best = max(best, (count, -first))
        if best[0] >= 3:
            runs.append((length * best[0], length, best[0]))
    most = max(run[0] for run in runs)
    return next(run[1:] for run in runs if run[0] * 20 >= most * 19)


@pytest.mark.parametrize("case, expected", [(CASES[0], (35, 11)), (CASES[1], (17, 23))])
def test_the_layers_are_what_repeats(case, expected):
    file = sample(case)
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        events = [event for event in json.load(lines)["traceEvents"] if event.get("cat") in ("kernel", "gpu_memcpy", "gpu_memset")]
    assert repeated([event["name"] for event in sorted(events, key=lambda event: event["ts"])]) == expected
    rows = list(program_report.rows(program_report.report(file, "serving"), "layers"))
    inside = [row for row in rows if row.place is not None]
    assert (len(inside), {row.count for row in inside}) == (expected[0], {expected[1]})
    assert sum(row.time for row in rows) == pytest.approx(1000 * sum(event["dur"] for event in events), abs=len(events))


def test_ranges_become_steps_that_every_view_knows(tmp_path):
    """Two steps of decode and one of another engine's grammar, which states no sums and is left out."""
    text = """
thread 1:
  0-10 "step[DECODE bs=2 g_sq=2 g_sk=9 g_sqsq=2 g_sqsk=9]" (user_annotation)
  2-3 cudaLaunchKernel [corr=1]
  20-30 "step[DECODE bs=2 g_sq=2 g_sk=11 g_sqsq=2 g_sqsk=11]" (user_annotation)
  22-23 cudaLaunchKernel [corr=2]
  40-50 "step[DECODE bs=2]" (user_annotation)
stream 7:
  12-18 attn (kernel) [corr=1]
  24-32 attn (kernel) [corr=2]
"""
    path = tmp_path / "run.pt.trace.json"
    command = [sys.executable, str(program_report.ROOT / "tools" / "gen_trace"), "-", str(path)]
    subprocess.run(command, input=text, text=True, check=True)
    rows = program_report.rows(program_report.report(path, "serving"), "served")
    assert [(row.tokens, row.time, row.attention, row.bubble) for row in rows] == [(2, 18000, 6000, None), (2, 12000, 8000, 6000)]
    assert program_report.query(path, "SELECT number, duration FROM steps ORDER BY id") == [(0, 10000), (1, 10000)]


def test_a_batch_of_fewer_requests_than_it_fills_has_unknown_requests_of_decode(tmp_path):
    path = tmp_path / "run.pt.trace.json"
    command = [sys.executable, str(program_report.ROOT / "tools" / "gen_trace"), "-", str(path)]
    subprocess.run(command, input='thread 1:\n  0-10 "decode[bs=2/8 tok=9 p=5]" (user_annotation)\n  20-30 "decode[bs=7/8 tok=9 p=5]" (user_annotation)\n', text=True, check=True)
    assert program_report.query(path, "SELECT prefill_requests, decode_requests FROM serving_steps ORDER BY id") == [(5, None), (5, 2)]


def served_trace(folder):
    """A warm-up step of one request, a pause of 10 s, then eight steps of 8 requests, each of 0.9 ms with 0.1 ms before it."""
    events = []
    for i in range(9):
        start, requests = (0, 1) if i == 0 else (10_000_000 + 1000 * i, 8)
        events += [{"ph": "X", "cat": "user_annotation", "name": f"execute_context_0(0)_generation_{requests}({requests})", "pid": 1, "tid": 1, "ts": start, "dur": 900},
                   {"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": start + 10, "dur": 10, "args": {"correlation": i + 1}},
                   {"ph": "X", "cat": "kernel", "name": "gemm", "pid": 0, "tid": 7, "ts": start + 100, "dur": 700, "args": {"correlation": i + 1, "device": 0, "stream": 7}}]
    file = folder / "serving.pt.trace.json"
    file.write_text(json.dumps({"schemaVersion": 1, "traceEvents": events}))
    return file


def test_the_pause_before_the_steps_in_scope_does_not_count(tmp_path):
    body = program_report.report(served_trace(tmp_path), "serving")
    assert body["scope"] == "steady state: 8 of 9 steps"
    facts = {fact["label"]: fact["value"] for fact in body["panels"][0]["facts"]}
    # 7 bubbles of 0.3 ms in 7.9 ms; a token each 1 ms.
    assert facts["Bubbles between steps"] == pytest.approx(2.1 / 7.9)
    assert facts["Time per output token, p50"] == facts["Time per output token, p99"] == 1e6
