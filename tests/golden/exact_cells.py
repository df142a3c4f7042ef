"""Figures of the three views as flat cells in our own units (ns, shares), for an exact comparison of program and oracle.

Keys identify rows by content, so the order of rows does not matter. An unknown value is None on both sides.
"""
from collections import Counter

import memory_report

ROLES = ("kernel", "memcpy", "memset", "communication", "runtime", "dataloader", "host", "other", "total")
DEVICE = ("name", "memory", "compute_capability", "utilization", "sm_efficiency", "occupancy", "tensor_core_share")
OPERATOR = ("calls", "device_self", "device_total", "device_busy", "host_self", "host_total", "eligible", "has_stack")
KERNEL = ("calls", "total", "mean", "max", "min", "blocks_per_sm", "occupancy", "tensor_cores")


def exact_cells(figures):
    cells = {}
    _overview(cells, figures)
    for grouping, groups in figures.operators.items():
        for key, group in groups.items():
            for column in OPERATOR:
                cells[("operators by " + grouping, *key, column)] = getattr(group, column)
            for part in ("self", "total"):
                cells[("operators by " + grouping, *key, "tc_" + part)] = group.tc_share(part, frozenset())
    for name, group in figures.kernels.items():
        for column in KERNEL:
            cells["kernels by name", name, column] = getattr(group, column)
    for key, group in figures.launches.items():
        for column in KERNEL:
            cells[("kernels by launch", *key, column)] = getattr(group, column)
        cells[("kernels by launch", *key, "operator_eligible")] = group.operator_eligible
    for device, memory in figures.memory.items():
        _memory(cells, device, memory, memory_report.first_time(figures.memory))
    return cells


def _memory(cells, device, memory, first):
    """Times since the first memory event of the trace."""
    for name, row in memory.operators.items():
        for statistic, value in zip(memory_report.STATISTICS, row):
            cells["memory by operator", device, name, statistic] = value
    for number, (time, allocated, reserved) in enumerate(memory.curve):
        cells["memory curve", device, number] = (time - first, allocated, reserved)
    times = [(operator, size, *(None if time is None else time - first for time in ends)) for operator, size, *ends in memory.blocks]
    for block, count in Counter(times).items():
        cells[("memory block", device, *block)] = count
    cells["memory", device, "total"] = memory.total


def _overview(cells, figures):
    for number, (step, row) in enumerate(zip(figures.steps, figures.rows)):
        cells["step", number, "label"] = step.label
        cells["step", number, "start"] = step.start - figures.steps[0].start
        for role in ROLES:
            cells["step", number, role] = row[role]
    for role in ROLES if figures.average else ():
        cells["average", role] = figures.average[role]
    for device in figures.devices:
        for column in DEVICE:
            value = getattr(device, column)
            cells["device", device.device, column] = None if value == "" else value
