"""Operators and kernels of real Ascend exports: the vendor's TensorBoard plugin (its answers are in ../shared/golden/ascend)
and the oracle that computes figures slowly from trace_view.json.

With all faults on, the oracle must give the plugin's result. So each difference without them has a named reason.
"""
import gzip
import json
import pathlib
import sys

import pytest

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "oracle")]
import ascend_operators as oracle  # noqa: E402
import program_report  # noqa: E402
from tally import Tally  # noqa: E402

SHARED = HERE.parents[1].parent / "shared"
GOLDEN = SHARED / "golden" / "ascend" / "msinsight_text_level1"
SAMPLE = SHARED / "samples" / "ascend" / "msinsight_text_level1" / "level1"
WORKERS = ("ubuntu_rank0", "ubuntu_rank1")
FAULTS = ("counts_nested_twins", "lone_semicolon_is_one", "vector_is_matrix")

pytestmark = pytest.mark.skipif(not GOLDEN.is_dir(), reason="the shared samples are not here")
program = pytest.mark.skipif(not program_report.PROGRAM.exists(), reason=f"no program at {program_report.PROGRAM}")


def folder(worker):
    return next(SAMPLE.glob(f"{worker}_*_ascend_pt"))


def golden(name):
    return json.loads(gzip.decompress((GOLDEN / f"level1.{name}.json.gz").read_bytes()))


def share(part, whole):
    return 100 * part / whole if whole else 0


@pytest.mark.parametrize("worker", WORKERS)
def test_plugin_and_oracle_with_faults(worker):
    tally = Tally()
    groups = oracle.operators(folder(worker), FAULTS)
    rows = golden(f"{worker}.1.operation_table.OperationAndInputShape")["data"]
    assert {(row["name"], row["input_shape"]) for row in rows} == set(groups)
    for row in rows:
        sums = groups[row["name"], row["input_shape"]]
        rounding = 0.0051 * row["calls"]  # the plugin rounds to 0.01 us at every addition
        tally.compare("calls", sums["calls"], row["calls"])
        for ours, theirs in (("host_self", "host_self_duration"), ("host_total", "host_total_duration"),
                             ("device_self", "device_self_duration"), ("device_total", "device_total_duration")):
            tally.compare((row["name"], ours), sums[ours] / 1000, row[theirs], rounding)
        for part in ("self", "total"):
            ours = share(sums[f"matrix_{part}"], sums[f"device_{part}"])
            whole = float(sums[f"device_{part}"]) / 1000
            tally.compare((row["name"], f"matrix {part}"), ours, row[f"tc_{part}_ratio"], 0.0051 + (200 * rounding / whole if whole else 0))
        eligible = "Yes" if sums["matrix_self"] or sums["matrix_total"] else "No"
        tally.compare((row["name"], "eligible"), eligible == "Yes", row["tc_eligible"] == "Yes")
    by_name, by_core = oracle.kernels(folder(worker))
    for name, calls, total, least, mean, most in golden(f"{worker}.1.kernel_table.KernelNameAndOpName")["data"]["rows"]:
        durations = by_name[name]
        tally.compare((name, "calls"), len(durations), calls)
        tally.compare((name, "total"), sum(durations) / 1000, total, 0.0051 * calls)
        tally.compare((name, "min"), min(durations) / 1000, least, 1e-9)
        tally.compare((name, "mean"), sum(durations) / 1000 / calls, mean, 0.0102)
        tally.compare((name, "max"), max(durations) / 1000, most, 1e-9)
    for label, value in golden(f"{worker}.1.kernel_tc_pie")["total"]["rows"]:
        tally.compare(label, by_core[label.removeprefix("Using ").replace(" ", "_")] / 1000, value, 1e-6)
    tally.finish(f"plugin and oracle, {worker}")


PHASES = ("enumerate(", "Optimizer.", "DistributedDataParallel.forward")  # shown, but not operators


def spelled(shapes):
    return "[[]]" if shapes in (None, "[]") else shapes.replace(" ", "")


@program
@pytest.mark.parametrize("worker", WORKERS)
def test_program_and_oracle(worker):
    """The program gives the oracle's result without the plugin's faults; it rounds the trace's durations to 1 ns."""
    tally, at = Tally(), folder(worker)
    groups = {(name, shapes.replace(" ", "")): sums for (name, shapes), sums in oracle.operators(at).items()}
    ours = {(row.name, spelled(row.input_shape)): row for row in program_report.rows(
        program_report.report(at, "operators", group_by="shape"), "operators")}
    assert set(ours) <= set(groups)
    assert all(name.startswith(PHASES) for name, _ in set(groups) - set(ours))
    for key, row in ours.items():
        sums = groups[key]
        tally.compare((key, "calls"), row.calls, sums["calls"])
        for figure in ("host_self", "host_total", "device_self", "device_total"):
            tally.compare((key, figure), getattr(row, figure) or 0, sums[figure], 0.51 * max(1, row.calls * 8))
        for part in ("self", "total"):
            whole = sums[f"device_{part}"]
            tally.compare((key, "matrix", part), getattr(row, f"tc_{part}_share"),
                          float(sums[f"matrix_{part}"] / whole) if whole else None, 1e-4)
    by_name, by_core = oracle.kernels(at)
    kernels = {row.name: row for row in program_report.rows(program_report.report(at, "kernels"), "kernels")}
    assert set(kernels) == set(by_name)
    for name, durations in by_name.items():
        row = kernels[name]
        tally.compare((name, "calls"), row.calls, len(durations))
        for figure, told in (("total", sum(durations)), ("min", min(durations)), ("max", max(durations))):
            tally.compare((name, figure), getattr(row, figure), told, 1.01 * len(durations))
    cores = {row.core: row.time for row in program_report.rows(program_report.report(at, "kernels"), "cores")}
    assert set(cores) == set(by_core)
    for core, told in by_core.items():
        tally.compare(core, cores[core], told, 1.01 * sum(map(len, by_name.values())))
    tally.finish(f"program and oracle, {worker}")
