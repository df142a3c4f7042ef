"""The memory view of Ascend exports against the vendor's TensorBoard plugin (its answers are in ../shared/golden/ascend):
curves and peaks of components, blocks, blocks of a range. Each difference has a named reason:

  rounded_times      a table was saved by a spreadsheet: its times are equal to some 100 s. The plugin draws them; here
                     they are unknown
  outside_operators  the plugin names a block after the row; here it is named after the operator open on its thread, if there
  was one
"""
import functools
import gzip
import json
import pathlib
import sys

import pytest

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "oracle")]
import ascend_samples as samples  # noqa: E402
import ascend_tables as oracle  # noqa: E402
import program_report  # noqa: E402
from program_report import query  # noqa: E402
from tally import Tally  # noqa: E402

SHARED = HERE.parents[1].parent / "shared"
GOLDEN = {"level1": "msinsight_text_level1", "derived": "derived_newformat_7x", "gpt3": "msinsight_gpt3_notrace"}
WORKERS = [("level1", "ubuntu_rank0"), ("level1", "ubuntu_rank1"), ("derived", "ubuntu_rank0"), ("derived", "ubuntu_rank1"),
           ("gpt3", "localhost_rank0"), ("gpt3", "localhost_rank1")]
TIME = 0.001  # ms: the plugin computes in doubles of epoch microseconds
MEGABYTE = 2**20

pytestmark = [pytest.mark.skipif(not (SHARED / "golden" / "ascend").is_dir(), reason="the shared samples are not here"),
              pytest.mark.skipif(not program_report.PROGRAM.exists(), reason=f"no program at {program_report.PROGRAM}")]


def golden(run, name):
    path = SHARED / "golden" / "ascend" / GOLDEN[run] / f"{run}.{name}.json.gz"
    return json.loads(gzip.decompress(path.read_bytes()))


@pytest.fixture(params=WORKERS, ids=lambda param: "-".join(param))
def worker(request):
    run, name = request.param
    return run, name, samples.workers(GOLDEN[run])[name]


def report(folder, **parameters):
    return program_report.report(folder, "memory", **parameters)


def devices(body):
    return [choice["value"] for parameter in body["parameters"] if parameter["key"] == "device" for choice in parameter["choices"]]


def label(device):
    return device.replace(":", "")


@functools.lru_cache
def first_time(folder):
    """The plugin's time 0, in ns since 1970."""
    return int(oracle.first_time(folder))


@functools.lru_cache
def origin(folder):
    """The program's time 0, in ns since 1970: from the first end of any block, which both have."""
    ends = [end for _, _, *ends, _, _ in oracle.blocks(folder) for end in ends if end is not None]
    bodies = [report(folder, device=device) for device in devices(report(folder))]
    times = [time for body in bodies if "events" in body["tables"] for row in program_report.rows(body, "events")
             for time in (row.allocated_at, row.released_at) if time is not None]
    return int(min(ends)) - min(times)


def was_rounded(folder):
    return "E+" in (oracle.output(folder) / "memory_record.csv").read_text()


def changes(body, table, component):
    """{time: values that the curve takes then}."""
    columns = {column["key"]: column["values"] for column in body["tables"].get(table, {"columns": []})["columns"]}
    found = {}
    for time, value in zip(columns.get("time", ()), columns.get(f"by {component}", ())):
        found.setdefault(time, []).append(value)
    return found


def is_within(told, values):
    """Whether the given values (MB, to three decimals) occur in that order among all values (bytes)."""
    rest = iter(values)
    return all(any(value is not None and abs(value / MEGABYTE - one) <= 0.00051 for value in rest) for one in told)


def test_curves_and_peaks(worker):
    run, name, folder = worker
    if was_rounded(folder):  # rounded_times
        assert all("components_reserved" not in report(folder, device=device)["tables"] for device in devices(report(folder)))
        return
    tally, begin, told, recorded = Tally(), origin(folder), golden(run, f"{name}.1.memory_curve"), oracle.curves(folder)
    for device in told["devices"]:
        body = report(folder, device=label(device))
        curves = {("components_allocated", "PTA+GE"): told["total"]["rows"][device]["Allocated"],
                  ("components_reserved", "PTA+GE"): told["total"]["rows"][device]["Reserved"]}
        for component, points in told["ptaGe"]["rows"][device].items():
            curves["components_reserved", component] = [(time, reserved) for time, _, reserved in points]
            if component != "APP":  # has no such value
                curves["components_allocated", component] = [(time, allocated) for time, allocated, _ in points]
        for (table, component), points in curves.items():
            ours, at_once = changes(body, table, component), {}
            for (time, held), record in zip(points, recorded[device, component], strict=True):
                tally.compare((component, "time"), float(record[0] - first_time(folder)) / 10**6, time, TIME)
                at_once.setdefault(int(record[0]) - begin, []).append(held)
            for time, held in at_once.items():
                tally.compare((table, component, time, held), is_within(held, ours.get(time, ())), True)
        peaks = {row.component: row for row in program_report.rows(body, "components")}
        allocated = peaks["PTA+GE"].peak_allocated / MEGABYTE
        reserved = "".join(f" {component}-{peaks[component].peak_reserved / MEGABYTE:.1f}MB |" for component in told["ptaGe"]["rows"][device])
        tally.compare("peak", f"Peak Memory Usage: {allocated:.1f}MB", told["total"]["metadata"]["peaks"][device])
        tally.compare("peaks", f"Reserved Peak Memory Usage:{reserved}", told["ptaGe"]["metadata"]["peaks"][device])
    tally.finish(f"plugin and program: memory curves: {GOLDEN[run]}, {name}")


def test_component_peaks(worker):
    run, name, folder = worker
    tally, begin = Tally(), first_time(folder)
    for device, rows in golden(run, f"{name}.1.memory_events")["component"]["rows"].items():
        ours = {row.component: row for row in program_report.rows(report(folder, device=label(device)), "components")}
        assert len(rows) == sum(component.endswith(" (driver)") for component in ours)
        for component, held, time in rows:
            row = ours[f"{component} (driver)"]
            if float(held) < 0:  # the recording has only its releases
                tally.compare((component, "peak"), row.peak_reserved, None)
                continue
            tally.compare((component, "peak"), row.peak_reserved / MEGABYTE, float(held), 1e-6)
            tally.compare((component, "at"), (row.peak_at + origin(folder) - begin) / 10**6, time, TIME)
    tally.finish(f"plugin and program: peaks of components: {GOLDEN[run]}, {name}")


def blocks(folder, **parameters):
    """(operator, size, allocated, released, lifetime) of the framework's and the graph engine's blocks."""
    return [(row.operator, row.size, row.allocated_at, row.released_at, row.duration)
            for device in devices(report(folder)) for body in [report(folder, device=device, **parameters)] if "events" in body["tables"]
            for row in program_report.rows(body, "events")]


def compare_blocks(tally, ours, told, shift):
    """In order of their allocation. Times of the plugin are ms; `shift`: of the program's origin, in ns."""
    assert len(ours) == len(told)
    for one, row in zip(sorted(ours, key=lambda block: (block[2], block[1])), sorted(told, key=lambda row: (row[2], row[1]))):
        name, size, *times = row
        tally.compare((name, "size"), one[1] / 1024, size, 1e-9)
        for ours_at, theirs, moved in zip(one[2:], times, (shift, shift, 0)):
            tally.compare((name, "time"), None if ours_at is None else (ours_at + moved) / 10**6, theirs, TIME)
        if one[0] is None or name.startswith("cann::"):
            tally.excuse("outside_operators")
        else:
            tally.compare("name", (name in one[0], one[0]), (True, one[0]))


def test_blocks(worker):
    run, name, folder = worker
    tally, shift = Tally(), origin(folder) - first_time(folder)
    told = [row for rows in golden(run, f"{name}.1.memory_events")["operator"]["rows"].values() for row in rows]
    compare_blocks(tally, blocks(folder), told, shift)
    tally.finish(f"plugin and program: memory events: {GOLDEN[run]}, {name}")


def test_blocks_of_a_range(worker):
    run, name, folder = worker
    path = SHARED / "golden" / "ascend" / GOLDEN[run] / "_index.json.gz"
    asked = json.loads(gzip.decompress(path.read_bytes()))[f"{run}.{name}.1.memory_events.range"]["query"]
    tally, shift = Tally(), origin(folder) - first_time(folder)
    start, end = (float(asked[key]) * 10**6 - shift for key in ("start_ts", "end_ts"))
    told = [row for rows in golden(run, f"{name}.1.memory_events.range")["operator"]["rows"].values() for row in rows]
    # The plugin's range is closed and selects by allocation; ours is half-open, and also contains blocks released in it.
    around = blocks(folder, start=int(start) - 1000, end=int(end) + 1000)
    compare_blocks(tally, [block for block in around if block[2] is not None and start - 1000 <= block[2] <= end + 1000], told, shift)
    tally.finish(f"plugin and program: memory events of a range: {GOLDEN[run]}, {name}")


@pytest.mark.parametrize("folder", sorted((SHARED / "samples" / "ascend").glob("*/*/*_ascend_pt")), ids=lambda folder: folder.name)
def test_events_and_records_of_an_allocator_agree(folder):
    """Two allocators share a device; the totals at a block's ends are those of its allocator's records at that time."""
    tally = Tally()
    for allocator, component in (("NPU_", "PTA"), ("NPU_ (graph engine)", "GE")):
        records = {}
        for time, allocated in query(folder, f"SELECT time, allocated FROM memory_usage WHERE component = '{component}'"):
            records.setdefault(time, []).append(allocated)
        events = query(folder, f"SELECT time, total_allocated FROM memory_events WHERE device_name LIKE '{allocator}'")
        for time, total in events:
            if time in records and total is not None:
                tally.compare((component, time), total in records[time], True)
    tally.finish(f"totals of allocators of {folder.name}")
    assert tally.equal > 300 or "gpt3" in str(folder)
