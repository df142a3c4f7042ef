"""The vendor's TensorBoard plugin (its answers are in ../shared/golden/ascend) and the oracle of the tables: memory, steps and
collectives, kernels and operators of exports without a trace. Each difference of the plugin is a named fault
(tests/oracle/ascend_tables.py, ascend_operators.py). Each test prints how many cells were equal.
"""
import gzip
import json
import pathlib
import subprocess
import sys

import pytest

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "oracle")]
import ascend_tables as oracle  # noqa: E402
import program_report  # noqa: E402
from ascend_operators import shape_text  # noqa: E402
from tally import Tally  # noqa: E402

SHARED = HERE.parents[1].parent / "shared"
SAMPLES = {"level1": ("msinsight_text_level1", ("ubuntu_rank0", "ubuntu_rank1")),
           "gpt3": ("msinsight_gpt3_notrace", ("localhost_rank0", "localhost_rank1"))}
WORKERS = [(run, worker) for run, (_, workers) in SAMPLES.items() for worker in workers]
FAULTS = ("transfers_doubled", "megabytes_are_binary", "components_chosen")
TIME = 0.001  # ms: the plugin computes in doubles of epoch microseconds
MEGABYTE = 2**20

pytestmark = pytest.mark.skipif(not (SHARED / "golden" / "ascend").is_dir(), reason="the shared samples are not here")


def folder(run, worker):
    return next((SHARED / "samples" / "ascend" / SAMPLES[run][0] / run).glob(f"{worker}_*_ascend_pt"))


def golden(run, name):
    path = SHARED / "golden" / "ascend" / SAMPLES[run][0] / f"{run}.{name}.json.gz"
    return json.loads(gzip.decompress(path.read_bytes()))


@pytest.mark.parametrize("run, worker", WORKERS)
def test_memory(run, worker):
    tally, at = Tally(), folder(run, worker)
    begin = oracle.first_time(at)

    def ms(time):
        return None if time is None else (time - begin) / 10**6

    curves = oracle.curves(at, FAULTS)
    answer = golden(run, f"{worker}.1.memory_curve")
    drawn = {(device, "PTA+GE") for device in answer["total"]["rows"]}
    for device, lines in answer["total"]["rows"].items():
        points = curves[device, "PTA+GE"]
        for index, line in enumerate(("Allocated", "Reserved")):
            assert len(lines[line]) == len(points)
            for (time, value), point in zip(lines[line], points):
                tally.compare((device, line, "time"), ms(point[0]), time, TIME)
                tally.compare((device, line), point[1 + index] / MEGABYTE, value, 0.00051)
    for device, components in answer["ptaGe"]["rows"].items():
        for component, lines in components.items():
            drawn.add((device, component))
            assert len(lines) == len(curves[device, component])
            for (time, *values), point in zip(lines, curves[device, component]):
                tally.compare((component, "time"), ms(point[0]), time, TIME)
                for value, ours in zip(values, point[1:]):
                    if component == "APP" and value is None:
                        continue  # the plugin never reads what APP allocated
                    tally.compare((component, "value"), None if ours is None else ours / MEGABYTE, value, 0.00051)
    assert drawn == set(curves)
    events = golden(run, f"{worker}.1.memory_events")
    theirs = [(device, row) for device, rows in events["operator"]["rows"].items() for row in rows]
    ours = sorted(oracle.blocks(at), key=lambda block: list(events["operator"]["rows"]).index(block[5]))
    assert len(ours) == len(theirs)
    for (name, size, allocated, released, held, device), (of, row) in zip(ours, theirs):
        tally.compare("name", (name, device), (row[0], of))
        tally.compare((name, "size"), size / 1024, row[1], 1e-9)
        for figure, value, told in (("allocated", ms(allocated), row[2]), ("released", ms(released), row[3]),
                                    ("held", None if held is None else held / 10**6, row[4])):
            tally.compare((name, figure), value, told, TIME)
    peaks = oracle.component_peaks(at)
    told = {(device, row[0]): row for device, rows in events["component"]["rows"].items() for row in rows}
    assert set(peaks) == set(told)
    for key, (held, time) in peaks.items():
        tally.compare((key, "peak"), held / MEGABYTE, float(told[key][1]), 1e-9)
        tally.compare((key, "time"), ms(time), told[key][2], TIME)
    tally.finish(f"memory of {worker}")


@pytest.mark.parametrize("run", SAMPLES)
def test_distributed(run):
    tally = Tally()
    overlap = golden(run, "All.1.distributed_overlap")["data"]
    waits = golden(run, "All.1.distributed_waittime")["data"]
    operations = golden(run, "All.1.distributed_commops")["data"]
    for worker in SAMPLES[run][1]:
        at = folder(run, worker)
        for step, sums in oracle.steps(at).items():
            computing, overlapped = sums["Computing"], sums["Overlapped"]
            ours = (computing - overlapped, overlapped, sums["Communication(Not Overlapped)"], sums["Free"])
            for value, told in zip(ours, overlap[step][worker]):
                tally.compare((worker, step), value / 1000, told, 0.00051)
        moved = waited = 0
        path = oracle.output(at) / "communication.json"
        for kinds in json.loads(path.read_text()).values():
            for entries in kinds.values():
                times = entries.get("Total Op Info", {}).get("Communication Time Info", {})
                moved += times.get("Transit Time(ms)", 0) * 1000
                waited += times.get("Synchronization Time(ms)", 0) * 1000
        for value, told in zip((moved, waited), waits["all"][worker]):
            tally.compare((worker, "waiting"), value, told, 0.00051)
        table = oracle.operation_table(at, FAULTS)
        assert set(table) == {row[0] for row in operations[worker]["rows"]}
        for name, calls, size, mean_size, elapsed, mean_elapsed, transit, mean_transit in operations[worker]["rows"]:
            sums = table[name]
            tally.compare((name, "calls"), sums["calls"], calls)
            tally.compare((name, "bytes"), sums["bytes"], size, 0.00051)
            tally.compare((name, "mean bytes"), sums["bytes"] / calls, mean_size, 0.501)
            for figure, told, mean in (("elapsed", elapsed, mean_elapsed), ("transit", transit, mean_transit)):
                tally.compare((name, figure), sums[figure] / 1000, told, 0.00051)
                tally.compare((name, figure, "mean"), sums[figure] / 1000 / calls, mean, 0.501)
    tally.finish(f"distributed of {run}")


def test_bytes_moved_without_the_faults():
    table = oracle.operation_table(folder("level1", "ubuntu_rank0"))
    assert round(table["hcom_allReduce__"]["bytes"]) == 427_596_096


@pytest.mark.parametrize("run, worker", WORKERS)
def test_operators_and_kernels_of_the_tables(run, worker):
    tally, at = Tally(), folder(run, worker)
    durations = {"host_self_duration": "Host Self Duration(us)", "host_total_duration": "Host Total Duration(us)",
                 "device_self_duration": "Device Self Duration(us)", "device_total_duration": "Device Total Duration(us)"}
    groups = {}
    with (oracle.output(at) / "operator_details.csv").open(newline="", encoding="utf-8-sig") as file:
        for row in oracle.csv.DictReader(file):
            groups.setdefault((row["Name"], shape_text(row["Input Shapes"], True)), []).append(row)
    told = golden(run, f"{worker}.1.operation_table.OperationAndInputShape")["data"]
    assert {(row["name"], row["input_shape"]) for row in told} == set(groups)
    for row in told:
        group = groups[row["name"], row["input_shape"]]
        tally.compare("calls", len(group), row["calls"])
        for key, title in durations.items():
            tally.compare((row["name"], key), sum(oracle.number(r[title]) for r in group), row[key], 0.0051 * len(group))
        tally.compare("stack", any(r["Call Stack"] for r in group), row["has_call_stack"])
    kernels = {}
    for row in oracle.rows(at, "kernel_details.csv"):
        kernels.setdefault(row["Name"], []).append(oracle.number(row["Duration(us)"]))
    for name, calls, total, least, mean, most in golden(run, f"{worker}.1.kernel_table.KernelNameAndOpName")["data"]["rows"]:
        spent = kernels[name]
        for value, of, tolerance in ((len(spent), calls, 0), (sum(spent), total, 0.0051 * calls), (min(spent), least, 1e-9),
                                     (sum(spent) / calls, mean, 0.0102), (max(spent), most, 1e-9)):
            tally.compare(name, value, of, tolerance)
    tally.finish(f"operators and kernels of {worker}")


@pytest.mark.parametrize("run, worker", WORKERS)
def test_call_stacks_charts_and_all_kernels(run, worker):
    tally, at = Tally(), folder(run, worker)
    titles = {"host_self_duration": "Host Self Duration(us)", "host_total_duration": "Host Total Duration(us)",
              "device_self_duration": "Device Self Duration(us)", "device_total_duration": "Device Total Duration(us)"}
    by_name, by_shape = {}, {}
    with (oracle.output(at) / "operator_details.csv").open(newline="", encoding="utf-8-sig") as file:
        for row in oracle.csv.DictReader(file):
            by_name.setdefault(row["Name"], []).append(row)
            by_shape.setdefault(row["Name"] + "###" + shape_text(row["Input Shapes"], True), []).append(row)
    for groups, grouping in ((by_name, "Operation"), (by_shape, "OperationAndInputShape")):
        for key, answer in golden(run, f"{worker}.1.operation_stack.{grouping}").items():
            stacks = {}
            for row in groups[key]:
                stacks.setdefault(row["Call Stack"].replace("\r\n", "\n"), []).append(row)
            assert {row["call_stack"] for row in answer["data"]} == set(stacks), key
            for row in answer["data"]:
                calls = stacks[row["call_stack"]]
                tally.compare((key, "calls"), len(calls), row["calls"])
                for figure, title in titles.items():
                    tally.compare((key, figure), sum(oracle.number(call[title]) for call in calls), row[figure], 0.0051 * len(calls))
        for chart, answer in golden(run, f"{worker}.1.operation_pie.{grouping}").items():
            title = titles[chart.replace("_time", "_duration")]
            for (key, calls), (name, value) in zip(groups.items(), answer["rows"], strict=True):
                tally.compare("name", key.split("###")[0], name)
                tally.compare((key, chart), sum(oracle.number(call[title]) for call in calls), value, 0.0051 * len(calls))
    table = golden(run, f"{worker}.1.kernel_table.Kernel")["data"]
    kernels = oracle.rows(at, "kernel_details.csv")
    assert len(kernels) == len(table["rows"])
    for row, told in zip(kernels, table["rows"]):
        for column, cell in zip(table["columns"], told):
            tally.compare(column["name"], row[column["name"].strip()], str(cell).strip())
    tally.finish(f"call stacks, charts and kernels of {worker}")


def query(folder, sql):
    done = subprocess.run([program_report.PROGRAM, "query", folder, sql, "--format", "json", "--limit", "0"], capture_output=True,
                          text=True)
    assert done.returncode == 0, done.stderr
    def exact(value):  # integers beyond 2^53 come as text
        return int(value) if isinstance(value, str) and value.lstrip("-").isdigit() else value
    columns = json.loads(done.stdout)["columns"]
    return list(zip(*([exact(value) for value in column["values"]] for column in columns)))


@pytest.mark.skipif(not program_report.PROGRAM.exists(), reason=f"no program at {program_report.PROGRAM}")
@pytest.mark.parametrize("run, worker", WORKERS)
def test_program_and_oracle(run, worker):
    """The tables that the program reads equal the files, without the plugin's faults: exactly, to the ns and the byte."""
    tally, at = Tally(), folder(run, worker)
    found = {}
    for device, component, time, allocated, reserved in query(
            at, "SELECT device_name, component, time, allocated, reserved FROM memory_usage ORDER BY device_name, component, time"):
        found.setdefault((device, component), []).append((time, allocated, reserved))
    curves = {(device.replace(":", ""), component): points for (device, component), points in oracle.curves(at).items()}
    if "E+" in (oracle.output(at) / "memory_record.csv").read_text():
        assert not found, "times that a spreadsheet has rounded are none"
        curves = {}
    blocks = list(oracle.blocks(at))
    begin, = query(at, "SELECT min(time) FROM memory_events")[0]
    unix = min(end for _, _, *ends, _, _ in blocks for end in ends if end is not None) - begin  # the origin
    found = {key: [(time + unix, *held) for time, *held in points] for key, points in found.items()}
    for key, points in curves.items():
        for ours, told in zip(found[key], sorted(points, key=lambda point: point[0]), strict=True):
            tally.compare((key, "time"), ours[0], told[0])
            tally.compare((key, "allocated"), ours[1], told[1], 0.51)
            tally.compare((key, "reserved"), ours[2], told[2], 0.51)
    for (device, component), (held, time) in oracle.component_peaks(at).items():
        driver = found[device.replace(":", ""), f"{component} (driver)"]
        points = [(reserved, -time_) for time_, _, reserved in driver if reserved is not None]
        tally.compare((component, "peak"), max(points)[0] if points else None, held if held >= 0 else None, 0.51)
        if held >= 0:
            tally.compare((component, "peak at"), -max(points)[1], time)
    ours = sorted(query(at, "SELECT abs(bytes), time FROM memory_events"))
    told = sorted((size, end - unix) for _, size, *ends, _, _ in blocks for end in ends if end is not None)
    for one, other in zip(ours, told, strict=True):
        tally.compare("block", one[0], other[0], 0.51)
        tally.compare("block's end", one[1], other[1])
    for step, sums in oracle.steps(at).items():
        stated = dict(query(at, f"SELECT name, duration FROM reported_steps WHERE step = '{step}'"))
        for name, duration in sums.items():
            tally.compare((step, name), stated.get(name), None if duration is None else duration, 0.51)
    moved = dict(query(at, "SELECT c.name, sum(t.bytes) FROM transfers t JOIN communications c ON t.communication = c.id GROUP BY c.name"))
    for _, key, times, links in oracle.collectives(at):
        name = key.split("@")[0]
        (row,) = query(at, f"SELECT elapsed, transit, wait, synchronization FROM communications WHERE name = '{name}'")
        for ours, title in zip(row, ("Elapse", "Transit", "Wait", "Synchronization")):
            tally.compare((name, title), ours, times[f"{title} Time(ms)"] * 1e6, 0.51)
        sent = sum(links[link][0] for link in ("RDMA", "SDMA") if link in links) * 10**6
        tally.compare((name, "bytes"), moved.get(name, 0), sent, 3)
    stated = query(at, "SELECT count(*), sum(host_self), sum(host_total), sum(device_self), sum(device_total) FROM reported_operators")[0]
    details = oracle.rows(at, "operator_details.csv")
    tally.compare("operators", stated[0], len(details))
    for ours, title in zip(stated[1:], ("Host Self", "Host Total", "Device Self", "Device Total")):
        told = sum(oracle.ns(row[f"{title} Duration(us)"]) for row in details)
        tally.compare(title, ours, told, len(details))
    tally.finish(f"program on the tables of {worker} of {run}")
