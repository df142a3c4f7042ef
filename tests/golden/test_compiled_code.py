"""Compiled code: regions and their graphs, kernels that the compiler wrote, and compiling. The trace is a text (tools/gen_trace)."""
import pathlib
import subprocess
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import program_report  # noqa: E402

pytestmark = pytest.mark.skipif(not program_report.PROGRAM.exists(), reason="the program is not built")

# The frame 0 is compiled twice. Its first region calls the graph abc; that launches a kernel of a file and one of a library.
TEXT = """
thread 1:
  0-40 "_compile.compile_inner (dynamo_timed)" (user_annotation)
  5-30 "backend_compile (dynamo_timed)" (user_annotation)
  100-140 "Torch-Compiled Region: 0/0" [ext=1]
  105-135 "## Call CompiledFxGraph abc ##" (user_annotation)
  110-115 triton_poi_fused_0 [ext=2 kernel_file=/tmp/a.py kernel_hash=h kernel_kwargs="XBLOCK=16"], 111-112 cudaLaunchKernel [ext=2 corr=1]
  120-130 aten::mm [ext=3], 121-122 cudaLaunchKernel [ext=3 corr=2]
  200-210 "Torch-Compiled Region: 0/1" [ext=4]
stream 7: 120-130 triton_poi_fused_0 [corr=1], 130-160 gemm [corr=2]
"""


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    path = tmp_path_factory.mktemp("compiled") / "run.pt.trace.json"
    command = [sys.executable, str(program_report.ROOT / "tools" / "gen_trace"), "-", str(path)]
    subprocess.run(command, input=TEXT, text=True, check=True)
    return program_report.report(path, "compiled_code")


def test_regions_have_their_graph_and_their_device_time(report):
    first, again = program_report.rows(report, "regions")
    assert (first.name, first.recompilation, first.calls, first.host) == ("Torch-Compiled Region: 0/0", 0, 1, 40_000)
    assert (first.device, first.kernels, first.written, first.graph) == (40_000, 2, 1, "abc")
    assert (again.name, again.recompilation, again.device, again.graph) == ("Torch-Compiled Region: 0/1", 1, 0, None)


def test_a_kernel_that_the_compiler_wrote_leads_to_its_source(report):
    kernel, = program_report.rows(report, "written")
    assert (kernel.name, kernel.file, kernel.hash, kernel.arguments) == ("triton_poi_fused_0", "/tmp/a.py", "h", "XBLOCK=16")
    assert (kernel.calls, kernel.device) == (1, 10_000)


def test_the_time_of_compiling_counts_nested_phases_once(report):
    outer, inner = program_report.rows(report, "phases")
    assert (outer.name, outer.total, inner.total) == ("_compile.compile_inner (dynamo_timed)", 40_000, 25_000)
    facts = {fact["label"]: fact["value"] for fact in report["panels"][0]["facts"]}
    assert facts["Compiling"] == 40_000 and facts["Recompilations"] == 1 and facts["Device time in written kernels"] == 0.25
