"""Kernels whose family uses tensor cores but which multiply in fp32 on ordinary cores: the plugin's column counts them, the advice does not."""
import pathlib
import subprocess
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import program_report  # noqa: E402

pytestmark = pytest.mark.skipif(not program_report.PROGRAM.exists(), reason="no program: build it, or set SIGHTLINE")
TRACE = """device 0: computeMajor=8 computeMinor=0
thread 1: 0-100 ProfilerStep#1, 10-40 aten::mm [ext=1], 20-21 cudaLaunchKernel [ext=1 corr=1]
stream 7: 30-95 {} [corr=1]
"""


@pytest.mark.parametrize("kernel, advised", (
    ("sm80_xmma_gemm_f32f32_f32f32_f32_tn_n_tilesize128x128x8_stage3_warpsize2x2x1_ffma_aligna4_alignc4_execute_kernel__5x_cublas", True),
    ("sm80_xmma_implicit_gemm_f32f32_f32f32_f32_nchwkcrs_nchw", True),
    ("sm80_xmma_gemm_f32f32_tf32f32_f32_tn_n_tilesize128x128x16", False),
    ("sm80_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize32x32x64", False)))
def test_the_advice_knows_kernels_on_ordinary_cores(tmp_path, kernel, advised):
    file = tmp_path / "run.pt.trace.json"
    subprocess.run([sys.executable, str(program_report.ROOT / "tools" / "gen_trace"), "-", str(file)], input=TRACE.format(kernel), text=True, check=True)
    panels = {panel["id"]: panel for panel in program_report.report(file, "overview")["panels"]}
    assert ("mixed_precision" in [item["id"] for item in panels["advice"]["items"]]) == advised
    (row,) = program_report.rows(program_report.report(file, "kernels"), "kernels")
    assert row.tensor_cores  # as the plugin counts
