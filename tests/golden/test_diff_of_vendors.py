"""One model on a GPU and on an NPU, compared in the ordinary Diff view: names that differ between vendors (kernels, cores)
are listed side by side, names of the framework (steps, operators) correspond.
"""
import json
import pathlib
import subprocess
import sys

import pytest

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "support")]
import program_report  # noqa: E402
from ascend_export import Operator, Run, Task  # noqa: E402

pytestmark = pytest.mark.skipif(not program_report.PROGRAM.exists(), reason=f"no program at {program_report.PROGRAM}")

# ns: operator -> (start, length) in the step, and the kernel it launches on either device.
STEP = 300_000
OPERATORS = {"aten::linear": (10_000, 60_000), "aten::relu": (90_000, 20_000)}
GPU = {"aten::linear": ("sgemm_128x64_tn", 20_000, 40_000), "aten::relu": ("vectorized_elementwise_kernel", 95_000, 5_000)}
NPU = {"aten::linear": ("MatMulV2", "AI_CORE", 30_000, 25_000), "aten::relu": ("Relu", "AI_VECTOR_CORE", 96_000, 8_000)}


def write_gpu(path):
    at = {"pid": 1, "tid": 1, "ph": "X"}
    events = [{**at, "cat": "user_annotation", "name": "ProfilerStep#7", "ts": 0, "dur": STEP / 1000}]
    for number, (name, (start, length)) in enumerate(OPERATORS.items(), 1):
        kernel, begin, duration = GPU[name]
        events += [
            {**at, "cat": "cpu_op", "name": name, "ts": start / 1000, "dur": length / 1000, "args": {"External id": number}},
            {**at, "cat": "cuda_runtime", "name": "cudaLaunchKernel", "ts": start / 1000 + 1, "dur": 2,
             "args": {"correlation": number, "External id": number}},
            {"ph": "X", "cat": "kernel", "name": kernel, "pid": 0, "tid": 7, "ts": begin / 1000, "dur": duration / 1000,
             "args": {"correlation": number, "External id": number, "device": 0, "stream": 7}},
        ]
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps({"schemaVersion": 1, "deviceProperties": [{"id": 0, "name": "A GPU"}], "traceEvents": events}))


def write_npu(folder, write):
    operators = [Operator(name, *OPERATORS[name], [index]) for index, name in enumerate(OPERATORS)]
    run = Run(step=(7, 0, STEP), operators=operators, tasks=[Task(*NPU[name]) for name in OPERATORS])
    getattr(run, write)(folder)


@pytest.mark.parametrize("write", ("write_text", "write_database"))
def test_gpu_and_npu(tmp_path, write):
    gpu, npu = tmp_path / "gpu" / "worker0.pt.trace.json", tmp_path / "npu" / "rank0_ascend_pt"
    write_gpu(gpu)
    write_npu(npu, write)
    done = subprocess.run([program_report.PROGRAM, "diff", gpu, npu, "--format", "json"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    operators = {row.name: row for row in program_report.rows(report, "operators")}
    assert operators.keys() == OPERATORS.keys()
    for name, row in operators.items():
        assert (row.baseline_calls, row.compared_calls) == (1, 1)
        assert (row.baseline_device_total, row.compared_device_total) == (GPU[name][2], NPU[name][3])
        assert row.baseline_host_total == row.compared_host_total == OPERATORS[name][1]
    assert operators["aten::linear"].change_device_total == 25_000 - 40_000
    steps = [row for row in program_report.rows(report, "parts") if row.kind == "step"]
    assert [(row.baseline_time, row.compared_time, row.only_in) for row in steps] == [(STEP, STEP, None)]
    kernels = {(row.name, row.baseline_total, row.compared_total) for row in program_report.rows(report, "kernels")}
    assert kernels == {(GPU[name][0], GPU[name][2], 0) for name in OPERATORS} | {(NPU[name][0], 0, NPU[name][3]) for name in OPERATORS}
