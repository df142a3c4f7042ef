#!/usr/bin/env python3
"""Compares Sightline with the tools that people would use instead: the same file, the same work, one run.

Installs the tools into build/peers (bench/peers-requirements.txt) and starts each task as a separate process, one after the
other. A task reads the file from disk and computes; nothing is drawn. Prints seconds and the peak of memory, as markdown.
A tool that fails or takes longer than --limit is in the table with the reason. trace_processor_shell (Perfetto) joins if it
is on PATH. Run it on a machine that does nothing else.

    bench/peers.py                   # a PyTorch trace of 100 MB and our JAX recording
    bench/peers.py --bytes 1e9 --limit 1200
"""
import argparse
import datetime
import os
import pathlib
import platform
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
HOME = ROOT / "build" / "peers"
PYTHON = HOME / "bin" / "python"
SIGHTLINE = ROOT / "build" / "release" / "sightline"

# As the plugin's own loader does for one worker: read, then make every view.
PLUGIN = """
import sys, tempfile
import torch_tb_profiler.plugin
from torch_tb_profiler.profiler.data import DistributedRunProfileData, RunProfileData
from torch_tb_profiler.profiler.run_generator import RunGenerator
data = RunProfileData.parse("worker", None, sys.argv[1], tempfile.mkdtemp())
profile = RunGenerator("worker", None, data).generate_run_profile()
DistributedRunProfileData(data)
assert profile.overview and profile.operation_table_by_name
"""

HTA = """
import sys
from hta.trace_analysis import TraceAnalysis
analysis = TraceAnalysis(trace_files={0: sys.argv[1]}, trace_dir="/")
times = analysis.get_temporal_breakdown(visualize=False)
kinds, kernels = analysis.get_gpu_kernel_breakdown(visualize=False)
assert len(times) and len(kernels)
"""

XPROF = """
import sys
from xprof.convert import raw_to_tool_data
for tool in sys.argv[2:]:
    data, _ = raw_to_tool_data.xspace_to_tool_data([sys.argv[1]], tool, {})
    assert data, tool
"""


def install():
    if not PYTHON.exists():
        subprocess.run([sys.executable, "-m", "venv", HOME], check=True)
    wanted = ROOT / "bench" / "peers-requirements.txt"
    subprocess.run([HOME / "bin" / "pip", "install", "--quiet", "--requirement", wanted], check=True)


def sightline(path, *views):
    """A process for each view. The cache starts empty: the first process reads the file, the others use what it cached."""
    return [[SIGHTLINE, "report", path, "--view", view, "--format", "json"] for view in views]


def measure(commands, limit):
    """Seconds of the commands one after the other and their highest peak of memory in bytes; or the reason why not."""
    with tempfile.TemporaryDirectory() as cache:
        return measure_with(dict(os.environ, SIGHTLINE_CACHE_DIR=cache), commands, limit)


def measure_with(environment, commands, limit):
    peak = 0
    begin = time.monotonic()
    for command in commands:
        with tempfile.TemporaryFile() as errors:
            process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=errors)
            status, used = wait(process.pid, begin + limit)
            if status is None:
                process.kill()
                process.wait()
                return f"more than {limit:.0f} s"
            if status != 0:
                errors.seek(0)
                last = errors.read().decode(errors="replace").strip().split("\n")[-1]
                return f"failed: {last[:100]}"
            peak = max(peak, used)
    return time.monotonic() - begin, peak


def wait(pid, end):
    while time.monotonic() < end:
        done, status, usage = os.wait4(pid, os.WNOHANG)
        if done:
            return status, usage.ru_maxrss * 1024
        time.sleep(0.01)
    return None, None


def row(tool, work, result):
    if isinstance(result, str):
        return f"| {tool} | {work} | {result} | |"
    seconds, peak = result
    return f"| {tool} | {work} | {seconds:.2f} s | {peak / 1e6:,.0f} MB |"


def versions():
    wanted = (ROOT / "bench" / "peers-requirements.txt").read_text()
    return dict(line.split("==") for line in wanted.split("\n") if "==" in line)


def machine():
    model = next((l.split(":")[1].strip() for l in open("/proc/cpuinfo") if l.startswith("model name")), platform.processor())
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return f"{os.cpu_count()} processors ({model}), {memory / 2**30:.0f} GB"


def compare(path, tasks, limit):
    size = pathlib.Path(path).stat().st_size
    print(f"\n{pathlib.Path(path).name}, {size / 1e6:,.1f} MB\n\n| tool | work | time | peak memory |\n|---|---|---:|---:|")
    for tool, work, commands in tasks:
        print(row(tool, work, measure(commands, limit)), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bytes", type=float, default=1e8, help="size of the PyTorch trace (default 1e8)")
    parser.add_argument("--limit", type=float, default=600, help="most seconds a tool may take (default 600)")
    parser.add_argument("--xplane", default=next(iter(sorted(map(str, ROOT.glob("samples/jax*/**/*.xplane.pb")))), None))
    options = parser.parse_args()
    install()
    made = [sys.executable, ROOT / "bench" / "make_input.py", "--no-gzip", "--bytes", str(int(options.bytes)), "modern"]
    trace = subprocess.run(made, stdout=subprocess.PIPE, text=True, check=True).stdout.strip()
    known = versions()
    print(f"{datetime.date.today()}, {machine()}")
    tasks = [
        ("Sightline", "read, Overview, Operators, Kernels", sightline(trace, "overview", "operators", "kernels")),
        (f"torch-tb-profiler {known['torch-tb-profiler']}", "read, all views", [[PYTHON, "-c", PLUGIN, trace]]),
        (f"HTA {known['HolisticTraceAnalysis']}", "read, times, kernels", [[PYTHON, "-c", HTA, trace]]),
    ]
    if shell := shutil.which("trace_processor_shell"):
        query = HOME / "count.sql"
        query.write_text("select name, count(*), sum(dur) from slice group by name;\n")
        tasks.append(("Perfetto's trace_processor", "read, slices by name", [[shell, "-q", query, trace]]))
    compare(trace, tasks, options.limit)
    if options.xplane:
        tools = ["overview_page", "hlo_stats", "kernel_stats"]
        compare(options.xplane, [
            ("Sightline", "read, Overview, Operators, Kernels", sightline(options.xplane, "overview", "program_operators", "kernels")),
            (f"XProf {known['xprof']}", ", ".join(tools), [[PYTHON, "-c", XPROF, options.xplane, *tools]]),
        ], options.limit)


if __name__ == "__main__":
    main()
