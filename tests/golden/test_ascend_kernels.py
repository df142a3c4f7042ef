"""Every cell of the vendor's TensorBoard plugin about kernels against the program: all
kernels with all columns, statistics by name, both charts; and operators of an export without a trace, where the program shows the
file's sums. Intended differences:

  durations   are the trace's, rounded to 1 ns, if there is one; the plugin's are those of the table, which cuts them
  additions   the plugin rounds to 0.01 us at every addition
  no value    4294967295 as an id and 0 blocks mean that there is no value: unknown here
"""
import pathlib
import re
import sys

import pytest

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "oracle")]
import ascend_samples as samples  # noqa: E402
import program_report  # noqa: E402
from ascend_operators import shape_text  # noqa: E402
from tally import Tally  # noqa: E402

WORKERS = [(sample, worker) for sample in samples.RUNS
           for worker in (("localhost_rank0", "localhost_rank1") if "gpt3" in sample else ("ubuntu_rank0", "ubuntu_rank1"))]
NONE = ("", "N/A", "4294967295")
SCALE = {"(us)": 1000, "(KB)": 1024, "(GB/s)": 10**9}

pytestmark = [pytest.mark.skipif(not samples.here(), reason="the shared samples are not here"),
              pytest.mark.skipif(not program_report.PROGRAM.exists(), reason=f"no program at {program_report.PROGRAM}")]


def key_of(title):
    """The program's column for a title, and by how much the program's unit is smaller."""
    for unit, scale in SCALE.items():
        if title.endswith(unit):
            title = title.removesuffix(unit)
            break
    else:
        scale = 1
    return "fact_" + re.sub(r"[^a-z0-9]+", "_", title.replace("%", "percent").lower().replace("(percent)", "")).strip("_"), scale


NAMED = {"Name": "name", "Type": "type", "Accelerator Core": "core", "Block Dim": "grid", "Block Num": "grid", "Device_id": "device"}


@pytest.mark.parametrize("sample, worker", WORKERS)
def test_every_cell_of_every_kernel(sample, worker):
    tally = Tally()
    at = samples.workers(sample)[worker]
    body = program_report.report(at, "kernels", group_by="call")
    ours = {}
    for row in program_report.rows(body, "kernels"):
        ours.setdefault(row.name, []).append(row)
    for same in ours.values():
        same.sort(key=lambda row: -row.start)  # to be taken from the end
    table = samples.answer(sample, f"{worker}.1.kernel_table.Kernel")["data"]
    titles = [column["name"] for column in table["columns"]]
    told = sorted((dict(zip(titles, row)) for row in table["rows"]), key=lambda row: float(row["Start Time(us)"]))
    assert len(told) == sum(map(len, ours.values()))
    first = None
    for theirs in told:
        row = ours[theirs["Name"]].pop()
        start = int(theirs["Start Time(us)"].strip().replace(".", "").ljust(19, "0"))
        first = start - row.start if first is None else first
        tally.compare("start", row.start, start - first, 1)
        tally.compare("duration", row.duration, float(theirs["Duration(us)"]) * 1000, 1.01)
        for title, cell in theirs.items():
            cell = str(cell).strip().strip('"')
            if title in ("Start Time(us)", "Duration(us)"):
                continue
            key, scale = (NAMED[title], 1) if title in NAMED else key_of(title)
            value = getattr(row, key, None)
            if cell in NONE or key == "grid" and cell == "0":
                tally.compare((row.name, title), value, None)
            elif re.fullmatch(r"-?[0-9.]+", cell) and not isinstance(value, str):
                tally.compare((row.name, title), value, float(cell) * scale, 0.51 if scale == 1000 else 1e-9 * abs(float(cell) * scale) + 1e-9)
            else:
                tally.compare((row.name, title), value, cell)
    tally.finish(f"plugin and program: every kernel: {sample}, {worker}")


@pytest.mark.parametrize("sample, worker", WORKERS)
def test_statistics_and_charts_of_kernels(sample, worker):
    tally = Tally()
    body = program_report.report(samples.workers(sample)[worker], "kernels")
    kernels = {row.name: row for row in program_report.rows(body, "kernels")}
    statistics = samples.answer(sample, f"{worker}.1.kernel_table.KernelNameAndOpName")["data"]["rows"]
    assert set(kernels) == {row[0] for row in statistics}
    for name, calls, total, least, mean, most in statistics:
        row = kernels[name]
        tally.compare((name, "calls"), row.calls, calls)
        tally.compare((name, "total"), row.total / 1000, total, 0.0061 * calls)
        tally.compare((name, "mean"), row.mean / 1000, mean, 0.0112)
        tally.compare((name, "min"), row.min / 1000, least, 0.0011)
        tally.compare((name, "max"), row.max / 1000, most, 0.0011)
    for name, total in samples.answer(sample, f"{worker}.1.kernel_pie")["total"]["rows"]:
        tally.compare((name, "chart"), kernels[name].total / 1000, total, 0.0061 * kernels[name].calls)
    cores = {"Using " + row.core.replace("_", " "): row for row in program_report.rows(body, "cores")}
    chart = samples.answer(sample, f"{worker}.1.kernel_tc_pie")["total"]["rows"]
    assert set(cores) == {label for label, _ in chart}
    whole = sum(time for _, time in chart)
    for label, time in chart:
        tally.compare(label, cores[label].time / 1000, time, 0.0011 * cores[label].calls)
        tally.compare((label, "share"), cores[label].share, time / whole, 1e-5)
    tally.finish(f"plugin and program: statistics and charts of kernels: {sample}, {worker}")


FIGURES = {"host_self_duration": "host_self", "host_total_duration": "host_total", "device_self_duration": "device_self",
           "device_total_duration": "device_total"}
REPORTED = [(sample, worker) for sample, worker in WORKERS if sample == "msinsight_gpt3_notrace"]


def spelled(shapes):
    return "[[]]" if shapes in (None, "[]") else shapes.replace(" ", "")


def compare_operator(tally, row, told):
    rounding = 0.0051 * told["calls"]
    tally.compare((row.name, "calls"), row.calls, told["calls"])
    for theirs, ours in FIGURES.items():
        tally.compare((row.name, ours), getattr(row, ours) / 1000, told[theirs], rounding)
    for part in ("self", "total"):
        ours = getattr(row, f"tc_{part}_share")
        tally.compare((row.name, part), 0 if ours is None else 100 * ours, told[f"tc_{part}_ratio"], 0.0051 + 200 * rounding / max(1, told["calls"]))
    tally.compare((row.name, "eligible"), row.tc_eligible, told["tc_eligible"] == "Yes")


@pytest.mark.parametrize("sample, worker", REPORTED)
def test_operators_from_sums_in_the_file(sample, worker):
    tally, at = Tally(), samples.workers(sample)[worker]
    by_name = {row.name: row for row in program_report.rows(program_report.report(at, "operators"), "operators")}
    by_shape = {(row.name, spelled(row.input_shape)): row
                for row in program_report.rows(program_report.report(at, "operators", group_by="shape"), "operators")}
    told = {grouping: samples.answer(sample, f"{worker}.1.operation_table.{grouping}")["data"] for grouping in ("Operation", "OperationAndInputShape")}
    assert set(by_name) == {row["name"] for row in told["Operation"]}
    for row in told["Operation"]:
        compare_operator(tally, by_name[row["name"]], row)
        tally.compare((row["name"], "stack"), by_name[row["name"]].has_stack, row["has_call_stack"])
    shapes = {}  # the plugin counts a lone semicolon as one operand; it separates two without dimensions
    for row in told["OperationAndInputShape"]:
        shapes[row["name"], row["input_shape"].replace(" ", "")] = row
    for key, row in by_shape.items():
        theirs = shapes.get(key) or shapes[key[0], "[[]]"]
        compare_operator(tally, row, theirs)
    assert len(by_shape) == len(shapes)
    for chart, answer in samples.answer(sample, f"{worker}.1.operation_pie.Operation").items():
        for name, value in answer["rows"]:
            tally.compare((name, chart), getattr(by_name[name], chart.removesuffix("_time")) / 1000, value, 0.0051 * by_name[name].calls)
    for name, answer in samples.answer(sample, f"{worker}.1.operation_stack.Operation").items():
        stacks = {row.stack: row for row in program_report.rows(program_report.report(at, "operator_stacks", name=name), "stacks")}
        for row in answer["data"]:
            if row["call_stack"]:
                compare_operator(tally, program_report.Row(name=name, **{k: v for k, v in vars(stacks[row["call_stack"].replace("\n", "")]).items()}), row)
    tally.finish(f"plugin and program: operators that the file only sums: {sample}, {worker}")


def test_sums_of_calls_agree_with_the_timeline():
    """api_statistic.csv and op_statistic.csv agree with the slices: there is no note among the problems."""
    for sample, worker in WORKERS[:2]:
        problems = [row.code for row in program_report.rows(program_report.report(samples.workers(sample)[worker], "problems"), "problems")]
        assert "sums_differ" not in problems


def test_shapes_of_the_table_have_one_spelling():
    assert spelled("[[32,3], [64]]") == shape_text('"32,3;\n64"'.strip('"')).replace(" ", "")
