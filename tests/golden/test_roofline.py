"""The roofline of PyTorch: figures worked by hand from a trace that anyone can read, and coverage and recomputation of
real traces beside TraceLens' reports (../shared/samples; without them these tests are skipped)."""
import csv
import json
import pathlib
import subprocess
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from program_report import PROGRAM, ROOT, query, report, rows  # noqa: E402

SAMPLES = ROOT.parent / "shared" / "samples"
pytestmark = pytest.mark.skipif(not PROGRAM.exists(), reason=f"no program at {PROGRAM}")

# ---- by hand ----

H100 = {"id": 0, "name": "NVIDIA H100 80GB HBM3", "totalGlobalMem": 85e9, "numSms": 132}
BF16 = "c10::BFloat16"


def slices(device=H100):
    """A product of 4096 x 4096 x 4096 in bf16 inside a linear layer, which its module calls; an addition; and a sort."""
    def host(name, start, length, **args):
        return {"ph": "X", "cat": "cpu_op", "name": name, "pid": 1, "tid": 1, "ts": start, "dur": length, "args": args}

    def launched(name, number, at, start, length):
        return [{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": at, "dur": 2,
                 "args": {"correlation": number}},
                {"ph": "X", "cat": "kernel", "name": name, "pid": 0, "tid": 7, "ts": start, "dur": length,
                 "args": {"correlation": number, "device": 0, "stream": 7}}]

    square = {"Input Dims": [[4096, 4096], [4096, 4096]], "Input type": [BF16, BF16], "Input Strides": [[4096, 1], [1, 4096]],
              "Concrete Inputs": ["", ""]}
    added = {"Input Dims": [[1024, 1024], [1024, 1024], []], "Input type": ["float", "float", "Scalar"],
             "Input Strides": [[1024, 1], [1024, 1], []], "Concrete Inputs": ["", "", "1"]}
    events = [host("aten::linear", 0, 50), host("aten::mm", 10, 30, **square), *launched("gemm", 1, 15, 100, 200),
              *launched("splitk_reduce", 2, 25, 300, 50), host("aten::add", 60, 20, **added), *launched("add", 3, 65, 400, 10),
              host("my::sort", 90, 10), *launched("radix_sort", 4, 92, 500, 40)]
    return {"deviceProperties": [device], "traceEvents": events}


@pytest.fixture
def trace(tmp_path):
    def write(**changes):
        path = tmp_path / "trace.json"
        path.write_text(json.dumps(slices(**changes)))
        return path
    return write


def points(file, *options):
    done = subprocess.run([str(PROGRAM), "report", str(file), "--view", "roofline", "--format", "json", "--no-cache", *options],
                          capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def test_by_hand(trace):
    body = points(trace())
    product, addition = sorted(rows(body, "points"), key=lambda row: row.name)[::-1]
    # 2 x 4096^3 operations take 138.91 us at 989.4 TFLOP/s; 3 x 4096^2 x 2 bytes take 30.05 us at 3350 GB/s. Its two kernels take
    # 250 us.
    assert (product.name, product.precision, product.calls, product.time) == ("aten::mm", "bf16", 1, 250_000)
    assert product.flops == 2 * 4096**3 and product.bytes == 3 * 4096**2 * 2
    attainable = 2 * 4096**3 / 989.4e12 * 1e9
    assert product.of_attainable == pytest.approx(attainable / 250_000)
    assert product.to_win == pytest.approx(250_000 - attainable)
    assert product.flops_rate == pytest.approx(2 * 4096**3 / 250e-6)
    assert product.limit == "computing"
    # 3 x 4 MiB take 3.76 us at 3350 GB/s.
    assert (addition.name, addition.time, addition.limit) == ("aten::add", 10_000, "memory")
    assert addition.bytes == 3 * 2**22
    assert addition.to_win == pytest.approx(10_000 - 3 * 2**22 / 3350e9 * 1e9)
    [unknown] = rows(body, "without_cost")
    assert (unknown.kernel, unknown.operator, unknown.time) == ("radix_sort", "my::sort", 40_000)
    coverage = next(fact for panel in body["panels"] if panel["id"] == "costs" for fact in panel["facts"])
    assert coverage["value"] == pytest.approx(260 / 300)


def test_peaks_of_the_user_replace_those_of_the_data_sheet(trace):
    product = next(row for row in rows(points(trace(), "--peak", "bf16=708T"), "points") if row.name == "aten::mm")
    assert product.of_attainable == pytest.approx(2 * 4096**3 / 708e12 * 1e9 / 250_000)
    unknown = {**H100, "name": "Some other GPU"}
    product = next(row for row in rows(points(trace(device=unknown)), "points") if row.name == "aten::mm")
    assert product.of_attainable is None and product.to_win is None
    product = next(row for row in rows(points(trace(device=unknown), "--peak", "bf16=100T", "--peak", "bandwidth=1T"), "points")
                   if row.name == "aten::mm")
    assert product.of_attainable == pytest.approx(2 * 4096**3 / 100e12 * 1e9 / 250_000), "over the peak, and not clipped"
    wrong = subprocess.run([str(PROGRAM), "report", str(trace()), "--view", "roofline", "--peak", "bf16"], capture_output=True, text=True)
    assert wrong.returncode != 0 and "bf16=708T" in wrong.stderr


def test_formulas_of_the_user_come_first(trace, tmp_path):
    """1,024 x 1,024 elements: 3 operations each; 8 bytes read and 4 written."""
    formulas = tmp_path / "my.costs"
    formulas.write_text("aten::add | mine | vector | 0 | 3 * numel(0) | bytes(0) + bytes(1) | bytes(0)\n")
    addition = next(row for row in rows(points(trace(), "--costs", str(formulas)), "points") if row.name == "aten::add")
    assert (addition.flops, addition.bytes) == (3 * 2**20, 12 * 2**20)
    formulas.write_text("aten::add | mine\n")
    wrong = subprocess.run([str(PROGRAM), "report", str(trace()), "--view", "roofline", "--costs", str(formulas)],
                           capture_output=True, text=True)
    assert wrong.returncode != 0 and "my.costs, line 1" in wrong.stderr


def test_a_rate_over_the_peak_is_a_problem(trace):
    def problems(*options):
        done = subprocess.run([str(PROGRAM), "report", str(trace()), "--view", "problems", "--format", "json", "--no-cache", *options],
                              capture_output=True, text=True, check=True)
        return [(row.code, row.count) for row in rows(json.loads(done.stdout), "problems")]
    assert ("impossible_rate", 1) in problems("--peak", "bf16=100T")
    assert "impossible_rate" not in dict(problems())


def test_tables_of_costs_in_sql(trace):
    found = query(trace(), "select o.name, n.device_time, o.unit from costed_calls n join operator_costs o on o.id = n.cost order by 1")
    assert found == [("aten::add", 10_000, "vector"), ("aten::mm", 250_000, "matrix")]
    assert query(trace(), "select flops from device_peaks where precision = 'bf16'") == [(989.4e12,)]


# ---- beside TraceLens ----

QWEN = "Qwen_Qwen1.5-0.5B-Chat__1016005"
REAL = {
    "qwen on an H100": (SAMPLES / "pytorch/h100_qwen" / f"h100_{QWEN}.json.gz", SAMPLES / f"tracelens/h100/{QWEN}_perf_report_csvs", 0.935),
    "qwen on an MI300X": (SAMPLES / f"tracelens/mi300/{QWEN}.json.gz", SAMPLES / f"tracelens/mi300/{QWEN}_perf_report_csvs", 0.935),
    "resnet on MI300X": (SAMPLES / "pytorch/mi300_resnet_act_checkpoint/mi300_resnet_act_checkpoint.json.gz",
                         SAMPLES / "tracelens/mi300/resnet_act_checkpoint_recompute_perf_report_csvs", 0.976),
    "vLLM's decoding in a graph": (SAMPLES / "tracelens/inference/vllm_decode_full/graph_execution.json.gz",
                                   SAMPLES / "tracelens/inference/vllm_decode_full/perf_csvs", 0.913),
}
needs_samples = pytest.mark.skipif(not (SAMPLES / "tracelens").exists(), reason="no samples beside the checkout")


@needs_samples
@pytest.mark.parametrize("name", REAL)
def test_coverage(name):
    trace, _, least = REAL[name]
    coverage = next(fact for panel in report(trace, "roofline")["panels"] if panel["id"] == "costs" for fact in panel["facts"])
    assert coverage["value"] >= least


@needs_samples
def test_recomputation():
    """Of activation checkpoints: the same device time as what TraceLens marks as recomputed."""
    trace, folder, _ = REAL["resnet on MI300X"]
    theirs = sum(float(row["total_direct_kernel_time_ms"]) for row in csv.DictReader((folder / "ops_summary.csv").open())
                 if row["is_recompute"] == "True")
    body = report(trace, "overview")
    [again] = [row for row in rows(body, "passes") if vars(row)["pass"] == "Recomputation"]
    steps = len(list(rows(body, "steps")))
    fills = 87_735  # ns, of 24 fills inside recomputed convolutions, which TraceLens leaves out
    assert again.time * steps == pytest.approx(theirs * 1e6 + fills, rel=1e-5)
