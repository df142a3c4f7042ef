"""Cells: the original's answers, and the oracle's figures in the same form, as {view: {key: value}}.

A key identifies its row by content (never by position), so that the two sides can be compared cell by cell and a missing row is a
missing key. `of_goldens` reads the original's JSON bodies; `of_figures` rounds as the original does (Python's round, ties to even).
"""
import gzip
import json
import os
import re
from collections import defaultdict

import memory_cells

ROLE_TITLES = {"kernel": "Kernel", "memcpy": "Memcpy", "memset": "Memset", "communication": "Communication", "runtime": "Runtime",
               "dataloader": "DataLoader", "host": "CPU Exec", "other": "Other"}
OPERATOR_FILES = {"name": "Operation", "shape": "OperationAndInputShape"}
PIES = {"device_total_time": "device_total", "device_self_time": "device_self", "host_total_time": "host_total",
        "host_self_time": "host_self"}
OPERATOR_COLUMNS = ("calls", "device_self_duration", "device_total_duration", "host_self_duration", "host_total_duration",
                    "tc_eligible", "tc_self_ratio", "tc_total_ratio", "has_call_stack")
VIEWS = ("overview", "operation__Operation", "operation__OperationAndInputShape", "operation_table__Operation",
         "operation_table__OperationAndInputShape", "kernel", "kernel_table__Kernel", "kernel_table__KernelNameAndOpName",
         "kernel_tc_pie", *memory_cells.VIEWS)


def of_goldens(folder):
    """The cells of every view the folder has; a view the original did not offer is absent."""
    cells = {}
    for view in VIEWS:
        path = os.path.join(folder, view + ".json.gz")
        if os.path.exists(path):
            body = json.loads(gzip.open(path, "rb").read())
            cells[view] = _READERS[view.split("__")[0]](body)
    return cells


class _Numbered:
    """Distinguishes repeated rows: the n-th of a name."""

    def __init__(self):
        self.seen = defaultdict(int)

    def __call__(self, name):
        self.seen[name] += 1
        return self.seen[name]


def _overview_cells(body):
    cells, numbered = {}, _Numbered()
    titles = [column["name"] for column in body["steps"]["columns"]]
    for row in body["steps"]["rows"]:
        label = row[0]
        repeat = numbered(label)
        for title, value in zip(titles[1:], row[1:]):
            cells["step", label, repeat, title] = value
    mean = body["performance"][0]
    cells["average", "Total", "time"] = mean["value"]
    for child in mean["children"]:
        cells["average", child["name"], "time"] = child["value"]
        cells["average", child["name"], "percent"] = child["extra"]
    cells["environment", "Device Type"] = next(row["value"] for row in body["environments"] if row["title"] == "Device Type")
    device = None
    for row in body.get("gpu_metrics", {}).get("data", []):
        heading = re.search(r"GPU (\d+):", row["title"])
        if heading:
            device = int(heading.group(1))
        elif device is not None and row["value"] != "":
            cells["device", device, row["title"]] = row["value"]
    cells["advice", "percentages"] = tuple(tuple(figures) for figures in body["recommendation_percentages"])
    return cells


def _pie_cells(body):
    cells = {}
    for title in PIES:
        numbered = _Numbered()
        for name, value in (body[title] or {}).get("rows", []):
            cells[title, name, numbered(name)] = value
    return cells


def _operator_cells(body):
    cells = {}
    for row in body["data"]:
        key = (row["name"], row.get("input_shape"))
        for column in OPERATOR_COLUMNS:
            if column in row:
                cells[(*key, column)] = row[column]
    return cells


def _kernel_pie_cells(body):
    return {(name, "Total Duration (us)"): value for name, value in body["total"]["rows"]}


def _kernel_cells(body):
    cells = {}
    titles = [column["name"] for column in body["data"]["columns"]]
    width = 6 if "Operator" in titles else 1
    for row in body["data"]["rows"]:
        for title, value in zip(titles[width:], row[width:]):
            assert (*row[:width], title) not in cells
            cells[(*row[:width], title)] = value
    return cells


_READERS = {"overview": _overview_cells, "operation": _pie_cells, "operation_table": _operator_cells, "kernel": _kernel_pie_cells,
            "kernel_table": _kernel_cells, "kernel_tc_pie": _kernel_pie_cells, **memory_cells.READERS}


class Units:
    """Microseconds out of a capture's clock; a time stays an int or double there, and is exact thousandths of ns here."""

    def __init__(self, double):
        self.double = double

    def __call__(self, time):
        if time is None or self.double:
            return time
        return time // 1000 if isinstance(time, int) and time % 1000 == 0 else time / 1000


def of_figures(figures, trace, faults):
    """What the original would print with these figures. Without a forest (our program's figures) there is no advice."""
    us = Units("double_microseconds" in faults)
    cells = {"overview": _overview_of(figures, trace, us, faults)}
    on_device = figures.has["kernel"] or figures.has["memcpy"] or figures.has["memset"] or bool(figures.kernels)
    for grouping, file in OPERATOR_FILES.items():
        cells["operation__" + file] = _pies_of(figures.operators[grouping], us)
        cells["operation_table__" + file] = _operators_of(figures.operators[grouping], on_device, us, faults)
    if figures.kernels:
        cells["kernel"] = {(name, "Total Duration (us)"): us(group.total) for name, group in figures.kernels.items()}
        cells["kernel_table__Kernel"] = _kernels_of(figures, us)
        cells["kernel_table__KernelNameAndOpName"] = _launches_of(figures, us)
        share = figures.tensor_core_share
        unknown = 0 if figures.tensor_core_unknown is None else figures.tensor_core_unknown
        cells["kernel_tc_pie"] = {("Using Tensor Cores", "Total Duration (us)"): share,
                                  ("Not Using Tensor Cores", "Total Duration (us)"): 1 - share - unknown}
    cells.update(memory_cells.of_memory(figures, trace, faults))
    return cells


def _overview_of(figures, trace, us, faults):
    cells, numbered = {}, _Numbered()
    has = figures.has
    on_device = has["runtime"] or has["kernel"] or has["memcpy"] or has["memset"]
    shown = {role: on_device for role in ("kernel", "memcpy", "memset", "runtime")}
    shown["communication"] = has["communication"]
    parts = [part for part in ROLE_TITLES if shown.get(part, True)]
    for step, row in zip(figures.steps, figures.rows):
        repeat = numbered(step.label)
        for part in parts:
            cells["step", step.label, repeat, ROLE_TITLES[part]] = us(row[part])
    mean = figures.average
    if mean:
        cells["average", "Total", "time"] = round(us(mean["total"]))
        for part in parts:
            cells["average", ROLE_TITLES[part], "time"] = round(us(mean[part]))
            cells["average", ROLE_TITLES[part], "percent"] = round(100 * mean[part] / mean["total"], 2)
    cells["environment", "Device Type"] = "GPU" if on_device else "CPU"
    for device in figures.devices:
        for title, text in _device_texts(device):
            if text is not None:
                cells["device", device.device, title] = text
    if figures.forest:
        cells["advice", "percentages"] = tuple(_advice(figures, trace, faults)) or ((),)
    return cells


def _device_texts(device):
    def percent(share, scale):
        return None if share is None else f"{round(float(share * scale), 2)} %"
    yield "Name", device.name or None
    yield "Memory", None if device.memory is None else f"{round(device.memory / 2 ** 30, 2)} GB"
    yield "Compute Capability", device.compute_capability
    yield "GPU Utilization", percent(device.utilization, 100)
    yield "Est. SM Efficiency", percent(device.sm_efficiency, 100)
    yield "Est. Achieved Occupancy", percent(device.occupancy, 1)
    yield "Kernel Time using Tensor Cores", percent(device.tensor_core_share, 100)


def _advice(figures, trace, faults):
    """The percentages in each advice that the original would give, in its order. Data parallel advice (2, 3) does not occur
    here."""
    mean = figures.average
    if mean and mean["dataloader"] > 0.05 * mean["total"]:
        yield (f"{round(100 * mean['dataloader'] / mean['total'], 1)}%",)
    if mean and mean["communication"] > 0.1 * mean["total"]:
        yield (f"{round(100 * mean['communication'] / mean['total'], 1)}%",)
    if any(device.utilization is not None and device.utilization < 0.5 for device in figures.devices):
        yield ()
    devices = trace.devices()
    if devices and devices[0].get("computeMajor", 0) >= 7 and figures.tensor_core_share == 0 and figures.kernels:
        eligible = eligible_kernel_share(figures.forest)
        if eligible > 0:
            yield (f"{round(100 * eligible)}%",)
    for (kind, device), peak in trace.memory_peaks().items():
        total = _memory_of(devices, kind, device, faults)
        if total and peak > 0.9 * total:
            yield (f"{round(100 * peak / total, 1)}%",)
            break


def _memory_of(devices, kind, device, faults):
    """The memory that a peak is compared with; see memory_peak_of_wrong_device."""
    if "memory_peak_of_wrong_device" in faults:
        return devices[int(device) if kind == 1 else -1]["totalGlobalMem"] if kind in (0, 1) and devices else None
    return next((entry.get("totalGlobalMem") for entry in devices if kind != 0 and entry.get("id") == device), None)


def eligible_kernel_share(forest):
    """Time of the kernels that the lowest eligible operators launch themselves, over that of all operators."""
    total = eligible = 0
    has_eligible = {}
    for node in forest.walk():
        below = any(has_eligible[id(child)] for child in node.children)
        here = node.is_operator() and node.eligible
        has_eligible[id(node)] = here or below
        if node.is_operator():
            total += node.kernel_self
            eligible += node.kernel_self if here and not below else 0
    return eligible / total if total else 0


def _pies_of(groups, us):
    cells = {}
    for title, part in PIES.items():
        numbered = _Numbered()
        for key, group in sorted(groups.items(), key=lambda item: getattr(item[1], part), reverse=True):
            value = getattr(group, part)
            if value > 0:
                cells[title, key[0], numbered(key[0])] = us(value)
    return cells


def _flag(value):
    return "Unknown" if value is None else "Yes" if value else "No"


def _percent(share):
    return None if share is None else round(100 * share, 2)


def _operators_of(groups, on_device, us, faults):
    cells = {}
    for key, group in groups.items():
        name, shape = key[0], key[1] if len(key) > 1 else None
        row = {"calls": group.calls, "host_self_duration": round(us(group.host_self)),
               "host_total_duration": round(us(group.host_total)), "tc_eligible": _flag(group.eligible),
               "tc_self_ratio": _percent(group.tc_share("self", faults)), "tc_total_ratio": _percent(group.tc_share("total", faults)),
               "has_call_stack": group.has_stack}
        if on_device:
            row["device_self_duration"] = round(us(group.device_self))
            row["device_total_duration"] = round(us(group.device_total))
        for column, value in row.items():
            cells[name, shape, column] = value
    return cells


def _means(cells, key, group, shown):
    if shown["blocks_per_sm"]:
        cells[(*key, "Mean Blocks Per SM")] = None if group.blocks_per_sm is None else round(group.blocks_per_sm, 2)
    if shown["occupancy"]:
        cells[(*key, "Mean Est. Achieved Occupancy (%)")] = None if group.occupancy is None else round(group.occupancy, 2)


def _shown_means(figures):
    return {"blocks_per_sm": figures.any_blocks_per_sm, "occupancy": figures.any_occupancy}


def _kernels_of(figures, us):
    cells = {}
    for name, group in figures.kernels.items():
        cells[name, "Tensor Cores Used"] = _flag(group.tensor_cores)
        cells[name, "Calls"] = group.calls
        for title, part in (("Total", "total"), ("Mean", "mean"), ("Max", "max"), ("Min", "min")):
            cells[name, f"{title} Duration (us)"] = round(us(getattr(group, part)))
        _means(cells, (name,), group, _shown_means(figures))
    return cells


def _launches_of(figures, us):
    cells = {}
    for key, group in figures.launches.items():
        name, operator, grid, block, registers, shared = key
        key = (name, operator, str(grid), str(block), str(registers or 0), str(shared or 0))
        cells[(*key, "Kernel Uses Tensor Cores")] = _flag(group.tensor_cores)
        cells[(*key, "Op is Tensor Cores eligible")] = "Yes" if group.operator_eligible else "No"
        cells[(*key, "Calls")] = group.calls
        for title, part in (("Total", "total"), ("Max", "max"), ("Min", "min")):
            cells[(*key, f"{title} Duration (us)")] = us(getattr(group, part))
        cells[(*key, "Mean Duration (us)")] = round(us(group.mean))
        _means(cells, key, group, _shown_means(figures))
    return cells
