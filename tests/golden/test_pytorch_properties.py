"""Conditions that our program's answers must meet on every sample: parts sum to wholes, shares are between 0 and 1.

The only outside figure is the sum of all kernel durations, taken from the trace's text.
"""
import pathlib
import sys
from collections import defaultdict

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import agreement  # noqa: E402
import program_report  # noqa: E402
from program_report import report, rows  # noqa: E402

CASES = agreement.cases()
pytestmark = [
    pytest.mark.skipif(not CASES, reason="no ../shared with samples and goldens beside the checkout"),
    pytest.mark.skipif(not program_report.PROGRAM.exists(), reason=f"no program at {program_report.PROGRAM}: build it, or set SIGHTLINE")]
each_case = pytest.mark.parametrize("case", CASES, ids=repr)


@each_case
def test_each_step_is_the_sum_of_its_parts(case):
    steps = list(rows(report(case.file, "overview"), "steps"))
    assert steps
    for step in steps:
        parts = [getattr(step, role) or 0 for role in program_report.ROLES]
        assert sum(parts) == step.total and min(parts) >= 0, step.step
    for earlier, later in zip(steps, steps[1:]):
        assert earlier.start + earlier.total <= later.start


@each_case
def test_average_is_the_mean_of_the_steps(case):
    steps = [step for step in rows(report(case.file, "overview"), "steps") if step.total > 0]
    average = list(rows(report(case.file, "overview"), "average"))
    assert abs(sum(row.share for row in average) - 1) < 1e-9
    for row in average:
        mean = sum(getattr(step, row.category) for step in steps) / len(steps)
        assert row.time == pytest.approx(mean, rel=1e-12)


@each_case
def test_shares_are_shares(case):
    for device in rows(report(case.file, "overview"), "devices"):
        for share in (device.utilization, device.sm_efficiency, device.tensor_core_share):
            assert share is None or 0 <= share <= 1
        assert device.occupancy is None or 0 <= device.occupancy <= 100
    for row in rows(report(case.file, "operators"), "operators"):
        for share in (row.tc_self_share, row.tc_total_share):
            assert share is None or 0 <= share <= 1


@each_case
def test_operators_by_shape_sum_to_operators_by_name(case):
    summed = defaultdict(lambda: defaultdict(int))
    columns = ("calls", "device_self", "device_total", "host_self", "host_total")
    for row in rows(report(case.file, "operators", group_by="shape"), "operators"):
        for column in columns:
            summed[row.name][column] += getattr(row, column) or 0
    by_name = {row.name: {column: getattr(row, column) or 0 for column in columns} for row in rows(report(case.file, "operators"), "operators")}
    assert by_name == {name: dict(sums) for name, sums in summed.items()}


@each_case
def test_self_is_within_total(case):
    """Device self times of all operators together cannot exceed the device's work; a union cannot exceed a sum."""
    table = list(rows(report(case.file, "operators"), "operators"))
    for row in table:
        assert row.calls > 0 and 0 <= row.host_self <= row.host_total, row.name
        if row.device_total is not None:
            assert 0 <= row.device_self <= row.device_total, row.name
            assert 0 <= row.device_busy <= row.device_total, row.name
            assert (row.device_busy == 0) == (row.device_total == 0), row.name
    work = sum(event.duration for event in _events(case, ("kernel", "memcpy", "memset")))
    assert sum(row.device_self or 0 for row in table) <= work


@each_case
def test_kernels_sum_to_all_kernel_events(case):
    kernels = _events(case, ("kernel",))
    figures = program_report.figures(case.file)
    assert sum(group.calls for group in figures.kernels.values()) == len(kernels)
    assert sum(group.total for group in figures.kernels.values()) == sum(event.duration for event in kernels)


@each_case
def test_launches_sum_to_kernels(case):
    figures = program_report.figures(case.file)
    summed = defaultdict(lambda: [0, 0])
    for key, group in figures.launches.items():
        summed[key[0]][0] += group.calls
        summed[key[0]][1] += group.total
    assert {name: [group.calls, group.total] for name, group in figures.kernels.items()} == dict(summed)
    for group in [*figures.kernels.values(), *figures.launches.values()]:
        assert group.min <= group.mean <= group.max and group.mean == pytest.approx(group.total / group.calls)


def _events(case, kinds):
    trace = agreement.read_trace(case.file)
    from kineto_trace import classify
    return [event for event in trace.events("ns") if classify(event, agreement.fault_list.OURS) in kinds]


@each_case
def test_live_memory_sums_to_the_peak_and_the_thinned_curve_keeps_it(case):
    """For the first device, if the trace has the allocator's totals."""
    try:
        body = report(case.file, "memory")
    except AssertionError as refusal:
        assert "neither allocations nor plans" in str(refusal)
        return
    facts = {fact["label"]: fact["value"] for panel in body["panels"] for fact in panel.get("facts", ())}
    blocks = list(rows(body, "events"))
    assert sum(block.size for block in blocks if block.allocated_at is not None) == facts["Bytes allocated"]
    assert sum((block.allocated_at is not None) + (block.released_at is not None) for block in blocks) == facts["Events"]
    if facts["Peak allocated"] is None:
        return
    assert sum(group.size for group in rows(body, "live")) == facts["Peak allocated"]
    assert sum(category.live for category in rows(body, "categories")) == facts["Peak allocated"]
    curve = list(rows(body, "curve"))
    assert max(point.allocated for point in curve) == facts["Peak allocated"]
    assert next(point.time for point in curve if point.allocated == facts["Peak allocated"]) == facts["Peak at"]
