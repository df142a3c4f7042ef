"""Operators of Ascend exports: every cell of the vendor's TensorBoard plugin (tables and charts, by name and by name and
shapes) against the program's. A cell that differs is changed by a named fault of the oracle (tests/oracle/ascend_operators.py),
or by

  phases_are_operators  data loading and optimizer ranges are operators
"""
import functools
import pathlib
import sys

import pytest

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "oracle")]
import ascend_operators as oracle  # noqa: E402
import ascend_samples as samples  # noqa: E402
import program_report  # noqa: E402
from tally import Tally  # noqa: E402

FAULTS = ("counts_nested_twins", "lone_semicolon_is_one", "vector_is_matrix")
PHASES = ("enumerate(", "Optimizer.", "DistributedDataParallel.forward")
WORKERS = [(sample, worker) for sample in ("msinsight_text_level1", "derived_newformat_7x") for worker in ("ubuntu_rank0", "ubuntu_rank1")]
TIMES = {"host_self_duration": "host_self", "host_total_duration": "host_total", "device_self_duration": "device_self",
         "device_total_duration": "device_total"}

pytestmark = [pytest.mark.skipif(not samples.here(), reason="the shared samples are not here"),
              pytest.mark.skipif(not program_report.PROGRAM.exists(), reason=f"no program at {program_report.PROGRAM}")]


@functools.cache
def oracle_groups(folder, by_shape, faults):
    groups = {}
    for (name, shapes), sums in oracle.operators(folder, faults).items():
        group = groups.setdefault((name, shapes) if by_shape else (name,), dict.fromkeys(oracle.NAMES, 0))
        for figure, value in sums.items():
            group[figure] += value
    return groups


def of_oracle(folder, by_shape, key, figure, faults):
    """A figure in the plugin's unit: calls, us, percent or yes; None if there is no such operator."""
    sums = oracle_groups(folder, by_shape, faults).get(key)
    if sums is None or figure == "calls":
        return sums and sums["calls"]
    if figure == "eligible":
        return bool(sums["matrix_self"] or sums["matrix_total"])
    if figure.startswith("matrix"):
        whole = sums[figure.replace("matrix", "device")]
        return float(100 * sums[figure] / whole) if whole else 0.0
    return float(sums[figure] / 1000)


def blamed(folder, by_shape, key, figure):
    """The faults that change this figure of the oracle, each switched on alone."""
    without = of_oracle(folder, by_shape, key, figure, ())
    return [fault for fault in FAULTS if of_oracle(folder, by_shape, key, figure, (fault,)) != without]


def about(a, b, tolerance):
    return a == b or None not in (a, b) and abs(a - b) <= tolerance


def ours_of(folder, by_shape):
    rows = program_report.rows(program_report.report(folder, "operators", group_by="shape" if by_shape else "name"), "operators")
    spelled = [(row, row.input_shape if by_shape else None) for row in rows]
    return {(row.name, "[[]]" if shape in (None, "[]") else shape.replace(" ", "")) if by_shape else (row.name,): row for row, shape in spelled}


@pytest.mark.parametrize("by_shape", (False, True), ids=("name", "shape"))
@pytest.mark.parametrize("sample, worker", WORKERS)
def test_plugin_and_program(sample, worker, by_shape):
    tally, folder = Tally(), samples.workers(sample)[worker]
    ours = ours_of(folder, by_shape)
    grouping = "OperationAndInputShape" if by_shape else "Operation"
    charts = samples.answer(sample, f"{worker}.1.operation_pie.{grouping}")
    pies = {theirs: [value for _, value in charts[theirs.replace("_duration", "_time")]["rows"]] for theirs in TIMES}
    table = samples.answer(sample, f"{worker}.1.operation_table.{grouping}")["data"]
    for place, told in enumerate(table):
        key = (told["name"], told["input_shape"].replace(" ", "")) if by_shape else (told["name"],)
        known = (told["name"], told["input_shape"]) if by_shape else key  # as the oracle spells it
        if key not in ours and told["name"].startswith(PHASES):
            tally.excuse("phases_are_operators", 8 + len(TIMES))
            continue
        row, rounding = ours.get(key), 0.0051 * told["calls"]  # the plugin rounds to 0.01 us at every addition

        def check(what, figure, value, theirs, tolerance=0.0):
            """A cell is excused if the oracle gives the plugin's value with the faults, and the program's value without them."""
            faults = [] if about(value, theirs, tolerance) else blamed(folder, by_shape, known, figure)
            both = [(value, ()), (theirs, FAULTS)]
            if faults and all(about(said, of_oracle(folder, by_shape, known, figure, on), tolerance) for said, on in both):
                tally.excuse(" and ".join(faults))
            else:
                tally.compare((key, what), value, theirs, tolerance)

        check("calls", "calls", row and row.calls, told["calls"])
        for theirs, figure in TIMES.items():
            value = row and (getattr(row, figure) or 0) / 1000
            for what, cell in (("table", told[theirs]), ("chart", pies[theirs][place])):
                check((what, theirs), figure, value, cell, rounding + 0.001 * told["calls"])
        for part in ("self", "total"):
            whole = told[f"device_{part}_duration"]
            share = row and 100 * (getattr(row, f"tc_{part}_share") or 0)
            check(f"matrix {part}", f"matrix_{part}", share, told[f"tc_{part}_ratio"], 0.0051 + (200 * rounding / whole if whole else 0))
        check("eligible", "eligible", row and bool(row.tc_self_share or row.tc_total_share), told["tc_eligible"] == "Yes")
    theirs = {(told["name"], told["input_shape"].replace(" ", "")) if by_shape else (told["name"],) for told in table}
    for key in ours.keys() - theirs:  # shapes that the plugin spells otherwise
        tally.compare((key, "calls"), ours[key].calls, of_oracle(folder, by_shape, (key[0], key[1].replace("],[", "], [")) if by_shape else key, "calls", ()))
    tally.finish(f"plugin and program: operators by {'name and shapes' if by_shape else 'name'}: {sample}, {worker}")
