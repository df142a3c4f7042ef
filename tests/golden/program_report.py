"""Our program's answers on one trace, through its command line, in the shape of the oracle's figures.

`report(file, view)` runs the program once per request and caches the result. `figures(file)` converts the tables of the three
views to `kineto_oracle.Figures`, times in ns, so that the same code renders both as the original would print them.
"""
import functools
import json
import os
import pathlib
import subprocess

import memory_report

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = pathlib.Path(os.environ.get("SIGHTLINE", ROOT / "build" / "release" / "sightline"))
ROLES = ("kernel", "memcpy", "memset", "communication", "runtime", "dataloader", "host", "other")


class Row:
    """A table row as attributes; a column that the program does not send is an AttributeError."""

    def __init__(self, /, **values):  # a column may be called self
        self.__dict__.update(values)


@functools.lru_cache(maxsize=16)
def report(file, view, **parameters):
    command = [str(PROGRAM), "report", str(file), "--view", view, "--format", "json"]
    for key, value in parameters.items():
        command += ["--param", f"{key}={value}"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(command)}\n{done.stderr}")
    return json.loads(done.stdout)


def query(file, sql, *options):
    """The rows of an SQL answer, as tuples."""
    command = [str(PROGRAM), "query", str(file), sql, "--format", "json", "--limit", "0", *options]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return list(zip(*(column["values"] for column in json.loads(done.stdout)["columns"])))


def rows(body, table):
    columns = body["tables"][table]["columns"]
    for values in zip(*(column["values"] for column in columns)):
        yield Row(**dict(zip((column["key"] for column in columns), values)))


class ProgramFigures:
    """See kineto_oracle.Figures. `forest` is None: the program does not show its tree here."""
    forest = None

    def memory_shift(self, first):
        """Its times count from a separate origin; `first` is the time of the first memory event in the trace."""
        return first - memory_report.first_time(self.memory)


def figures(file):
    result = ProgramFigures()
    _overview(result, report(file, "overview"))
    result.operators = {"name": _operators(file, "name"), "shape": _operators(file, "shape")}
    kernels = _kernel_views(file)
    result.kernels = _kernels(kernels["name"])
    result.launches = _launches(kernels["launch"])
    named = [group for group in result.kernels.values()]
    total = sum(group.total for group in named)
    result.tensor_core_share = sum(group.total for group in named if group.tensor_cores) / total if total else None
    result.tensor_core_unknown = sum(group.total for group in named if group.tensor_cores is None) / total if total else None
    result.memory = memory_report.devices(file)
    result.any_blocks_per_sm = any((group.blocks_per_sm or 0) > 0 for group in named)
    result.any_occupancy = any(group.occupancy is not None for group in named)
    return result


def _overview(result, body):
    result.steps, result.rows = [], []
    for row in rows(body, "steps"):
        step = Row(label=str(row.step), start=row.start, end=row.start + row.total)
        result.steps.append(step)
        result.rows.append({**{role: getattr(row, role) or 0 for role in ROLES}, "total": row.total})
    hidden = {column["key"] for column in body["tables"]["steps"]["columns"] if column.get("hidden")}
    result.has = {role: role not in hidden for role in ROLES}
    means = {row.category: row.time for row in rows(body, "average")}
    result.average = {**{role: means.get(role, 0) for role in ROLES}, "total": _average_total(body)} if means else None
    result.devices = list(rows(body, "devices"))


def _average_total(body):
    panel = next(panel for panel in body["panels"] if panel["id"] == "configuration")
    stated = [fact["value"] for fact in panel["facts"] if fact["label"] == "Average step"]
    return stated[0] if stated else next(rows(body, "steps")).total  # no steps were recorded: the recording is the only one


def _operators(file, grouping):
    groups = {}
    try:
        body = report(file, "operators", group_by=grouping)
    except AssertionError as failure:
        if "no operators in this profile" not in str(failure):
            raise
        return groups
    for row in rows(body, "operators"):
        key = (row.name,) if grouping == "name" else (row.name, row.input_shape or "[]")
        assert key not in groups, key
        for column in ("device_self", "device_total", "device_busy"):
            setattr(row, column, getattr(row, column) or 0)  # null if the trace has no device work
        row.eligible = row.tc_eligible
        row.tc_share = lambda part, faults, row=row: row.tc_self_share if part == "self" else row.tc_total_share
        groups[key] = row
    return groups


def _kernel_views(file):
    """The two groupings; a trace without kernels has no kernels view, and the program says so."""
    try:
        return {grouping: list(rows(report(file, "kernels", group_by=grouping), "kernels")) for grouping in ("name", "launch")}
    except AssertionError as refusal:
        if "no kernels in this profile" in str(refusal):
            return {"name": [], "launch": []}
        raise


def _with_fill(row):
    row.blocks_per_sm = getattr(row, "blocks_per_sm", None)
    row.occupancy = getattr(row, "occupancy", None)
    return row


def _kernels(table):
    return {row.name: _with_fill(row) for row in table}


def _launches(table):
    groups = {}
    for row in table:
        launch = (getattr(row, key, None) for key in ("grid", "block", "registers", "shared_memory"))  # absent if all are unknown
        key = (row.name, row.operator, *launch)
        assert key not in groups, key
        row.operator_eligible = row.op_tc_eligible
        groups[key] = _with_fill(row)
    return groups
