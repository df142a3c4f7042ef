"""A recording of four cores of a TPU v6 Lite (../shared/samples/xplane/tpu_inference_2.xplane.pb, from openxla/xprof): 100 runs
of one program that keeps its values in the host's memory. The figures of operators and of memory are XProf's (its tools
hlo_stats and memory_profile, release 2.24.2; tests/live/test_xprof.py runs them again), the others follow from the file by
tests/oracle/xplane.py.
"""
import collections
import pathlib
import sys

import pytest

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "oracle")]
import program_report  # noqa: E402
from program_report import query  # noqa: E402
import xplane  # noqa: E402

FILE = HERE.parents[1].parent / "shared" / "samples" / "xplane" / "tpu_inference_2.xplane.pb"
GIB = 2**30

# name: occurrences, self time in us, bytes of one execution
OPERATORS = {
    "copy-done.4": (400, 77773215.731, 5 * GIB),
    "copy-done.2": (400, 77642772.819, 5 * GIB),
    "copy-done": (400, 75671038.514, 5 * GIB),
    "copy-done.5": (400, 72946182.662, 5 * GIB),
    "broadcast_add_fusion.1": (400, 3262107.414, 10 * GIB),
    "broadcast_add_fusion": (400, 3190582.365, 10 * GIB),
    "broadcast_add_fusion.2": (400, 3167203.859, 10 * GIB),
    "all-reduce": (12, 1460345.259, 10 * GIB),
    "broadcast.2": (1, 4443.766, 5 * GIB),
    "copy-start.4": (400, 2.400, 5 * GIB),
    "copy-start.2": (400, 2.297, 5 * GIB),
    "copy-start": (400, 2.169, 5 * GIB),
    "copy-done.1": (400, 1.189, 5 * GIB),
    "copy-done.3": (400, 1.147, 5 * GIB),
    "copy-start.3": (400, 0.725, 5 * GIB),
    "copy-start.5": (400, 0.709, 5 * GIB),
    "copy-start.1": (400, 0.681, 5 * GIB),
}
# XProf's peak in use: allocated memory plus memory reserved for stacks at the same time.
PEAKS = {"TPU0": 21_492_569_216, "TPU1": 21_492_671_104, "TPU2": 21_492_671_104, "TPU3": 21_492_569_216}

pytestmark = [pytest.mark.skipif(not FILE.exists(), reason="the shared samples are not here"),
              pytest.mark.skipif(not program_report.PROGRAM.exists(), reason=f"no program at {program_report.PROGRAM}")]


def test_operators():
    rows = query(FILE, """SELECT o.name, count(*), sum(s.duration), o.bytes FROM program_work w JOIN slices s ON w.slice = s.id
                          JOIN program_operators o ON w.program_operator = o.id GROUP BY o.id, o.name, o.bytes""")
    ours = {name: (count, total, moved) for name, count, total, moved in rows}
    assert set(ours) == set(OPERATORS)
    for name, (count, us, moved) in OPERATORS.items():
        assert ours[name][0] == count and ours[name][2] == moved, name
        # Both ends of an execution are rounded to ns.
        assert abs(ours[name][1] - us * 1000) <= 1 + count, (name, ours[name][1], us)


def device_clock():
    """By device: name, start and length in ps by its clock, of each operator."""
    for plane in xplane.load(FILE).planes:
        for line in plane.lines:
            if line.name == "XLA Ops":
                yield int(plane.name.rpartition(":")[2]), [
                    (event.name, event.stats["device_offset_ps"], event.stats["device_duration_ps"]) for event in line.events]


def test_every_operator_is_work_at_its_time_on_the_device():
    """In the device's order, with its lengths and its distances, except for the clocks' drift."""
    ours = collections.defaultdict(list)
    for device, name, start, duration in query(FILE, """SELECT w.device, s.name, s.start, s.duration FROM device_work w
                                                        JOIN slices s ON w.slice = s.id ORDER BY w.device, s.start, s.duration"""):
        ours[device].append((name, start, duration))
    for device, events in device_clock():
        events.sort(key=lambda event: event[1])
        assert [name for name, *_ in ours[device]] == [name for name, *_ in events]
        for (_, start, duration), (_, offset, length) in zip(ours[device], events):
            assert abs(duration - length / 1000) <= 1
        apart = [start - offset / 1000 for (_, start, _), (_, offset, _) in zip(ours[device], events)]
        assert max(apart) - min(apart) < 2e6  # ns in 93 s: 15 in a million
        assert all(then[1] >= now[1] + now[2] for now, then in zip(ours[device], ours[device][1:]))


def test_steps_are_the_runs_of_the_program():
    """From the first operator of a run to the end of the last, with the program's work before and after them and the
    clocks' drift in 0.8 s (together less than 0.1 ms)."""
    operators = next(events for device, events in device_clock() if device == 0)
    of_runs = sorted((start, start + length) for name, start, length in operators
                     if name not in ("broadcast.2", "all-reduce"))
    runs = [(of_runs[at][0], of_runs[at + 14][1]) for at in range(0, 1500, 15)]
    ours = query(FILE, "SELECT number, duration FROM steps ORDER BY number")
    assert [number for number, _ in ours] == list(range(100))
    for (_, duration), (start, end) in zip(ours, runs):
        assert 0 <= duration - (end - start) / 1000 < 100_000
    assert sum(duration for _, duration in ours) / 100 == pytest.approx(784.14e6, abs=0.02e6)


def test_work_belongs_to_the_calls_that_requested_it():
    rows = dict(query(FILE, """SELECT o.name, count(*) FROM device_work w JOIN slices o ON w.owner = o.id GROUP BY 1"""))
    assert rows == {"PjitFunction(f)": 6000, "PjitFunction(_psum)": 12, "PjitFunction(broadcast_in_dim)": 1}
    # A call requests one run on each of four devices, of 15 operators.
    calls = query(FILE, """SELECT w.owner, count(*) FROM device_work w JOIN slices o ON w.owner = o.id
                           WHERE o.name = 'PjitFunction(f)' GROUP BY 1""")
    assert len(calls) == 100 and {count for _, count in calls} == {60}


def test_memory():
    peaks = dict(query(FILE, "SELECT device_name, max(total_allocated) FROM memory_events GROUP BY 1"))
    assert peaks == PEAKS
    flows = query(FILE, "SELECT device_name, sum(bytes > 0), sum(bytes < 0), sum(bytes) FROM memory_events GROUP BY 1 ORDER BY 1")
    # Every block is released in the end; the stacks stay, and grew twice: one release and two allocations more.
    assert [(name, more, less) for name, more, less, _ in flows] == [("TPU0", 119, 118), ("TPU1", 114, 113), ("TPU2", 114, 113), ("TPU3", 114, 113)]
    assert {left for *_, left in flows} == {21_491_712_000}
    assert query(FILE, "SELECT DISTINCT memory FROM devices") == [(33_550_237_696,)]  # XProf's capacity


def test_the_missing_marks_are_the_only_problem():
    assert query(FILE, "SELECT code, message FROM problems") == [
        ("no_step_marks", "the program marked no steps: each run of jit_f on TPU 0 counts as a step")]
