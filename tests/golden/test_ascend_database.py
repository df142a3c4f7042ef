"""The oracle of database exports on a real one, against the result of the vendor's msprof-analyze and against itself: the
sums of analysis.db follow from the events of the other file. Prints how many figures were equal.
"""
import pathlib
import sys

import pytest

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "oracle")]
import ascend_database as oracle  # noqa: E402
import program_report  # noqa: E402
from tally import Tally  # noqa: E402

SAMPLE = HERE.parents[1].parent / "shared" / "samples" / "ascend" / "msinsight_db_level2" / "level2"
# msprof-analyze, cluster_time_summary: computation, not overlapped, overlapped, free (us).
SUMMARY = {"ubuntu_rank0": (8900.456, 90080.699, 4026.822)}

pytestmark = pytest.mark.skipif(not SAMPLE.is_dir(), reason="the shared samples are not here")


@pytest.mark.parametrize("worker", ("ubuntu_rank0", "ubuntu_rank1"))
def test_sums_follow_from_events(worker):
    at, tally = next(SAMPLE.glob(f"{worker}_*_ascend_pt")), Tally()
    before = {file: (file.stat().st_size, file.stat().st_mtime_ns) for file in oracle.output(at).iterdir()}
    (step, sums), = oracle.steps(at).items()
    by_name, by_core = oracle.kernels(at)
    tally.compare("step", step, "50")
    tally.compare("computing", sum(length for core, length in by_core.items() if core != "HCCL"), sums["Computing"])
    tally.compare("communication", by_core["HCCL"], sums["Communication"], 1)
    tally.compare("overlapped", sums["Communication"] - sums["Communication(Not Overlapped)"], sums["Overlapped"])
    for figure, told in zip(("Computing", "Communication(Not Overlapped)", "Overlapped"), SUMMARY.get(worker, ())):
        tally.compare(figure, sums[figure] / 1000, told, 1e-9)
    tally.compare("kernels", sum(map(len, by_name.values())), 191)
    operators = oracle.operators(at)
    device = sum(sums["device_self"] for sums in operators.values())
    assert sum(by_core.values()) <= device, "copies come on top of kernels"
    tally.compare("blocks", len(list(oracle.blocks(at))), 184)
    tally.compare("curves", {component for _, component in oracle.curves(at)}, {"PTA", "GE", "PTA+GE", "APP"})
    assert {file: (file.stat().st_size, file.stat().st_mtime_ns) for file in oracle.output(at).iterdir()} == before
    tally.finish(f"database of {worker}")


@pytest.mark.skipif(not program_report.PROGRAM.exists(), reason=f"no program at {program_report.PROGRAM}")
@pytest.mark.parametrize("worker", ("ubuntu_rank0", "ubuntu_rank1"))
def test_program_and_oracle(worker):
    at, tally = next(SAMPLE.glob(f"{worker}_*_ascend_pt")), Tally()
    before = {file: (file.stat().st_size, file.stat().st_mtime_ns) for file in oracle.output(at).iterdir()}
    operators = oracle.operators(at)
    ours = {row.name: row for row in program_report.rows(program_report.report(at, "operators"), "operators")}
    phases = ("enumerate(", "Optimizer.", "DistributedDataParallel.forward")  # shown, but not operators
    assert set(operators) - set(ours) == {name for name in operators if name.startswith(phases)}
    for name, row in ours.items():
        for figure in ("calls", "host_self", "host_total", "device_self", "device_total"):
            tally.compare((name, figure), getattr(row, figure) or 0, operators[name][figure])
        whole = operators[name]["device_self"]
        tally.compare((name, "matrix"), row.tc_self_share, float(operators[name]["matrix_self"] / whole) if whole else None, 1e-9)
    by_name, _ = oracle.kernels(at)
    kernels = {row.name: row for row in program_report.rows(program_report.report(at, "kernels"), "kernels")}
    assert set(kernels) == set(by_name)
    for name, lengths in by_name.items():
        row = kernels[name]
        for ours_, told in ((row.calls, len(lengths)), (row.total, sum(lengths)), (row.min, min(lengths)), (row.max, max(lengths))):
            tally.compare(name, ours_, told)
    assert {file: (file.stat().st_size, file.stat().st_mtime_ns) for file in oracle.output(at).iterdir()} == before
    tally.finish(f"program on the database of {worker}")


@pytest.mark.skipif(not program_report.PROGRAM.exists(), reason=f"no program at {program_report.PROGRAM}")
def test_what_a_database_does_not_say_of_a_device_is_unknown():
    """It has the name alone. A peak of 0 would make every rate impossible."""
    at = next(SAMPLE.glob("ubuntu_rank0_*_ascend_pt"))
    assert program_report.query(at, "SELECT name, clock, peak_flops, peak_bandwidth FROM devices") == [("Ascend910B", None, None, None)]
    notes = [note["text"] for note in program_report.report(at, "roofline")["notes"]]
    assert any(note.startswith("The peaks of this device are not known") for note in notes)
    assert not any("wrong" in note for note in notes)
