"""The original's memory answers and the oracle's figures as cells; see golden_cells.py.

A curve is compared as the original shows it: with a point before each change, thinned to 10,240 points by largest triangles. The
same is done here to both curves, so the exact ones must agree.
"""
import math
from collections import defaultdict

from memory import STATISTICS, profiler_start, time_of_first_record

VIEWS = ("memory", "memory_curve", "memory_curve__us_B_nostep", "memory_events")
TITLES = ("Calls", "Size Increase (KB)", "Self Size Increase (KB)", "Allocation Count", "Self Allocation Count",
          "Allocation Size (KB)", "Self Allocation Size (KB)")
MOST_POINTS = 10240


def read_statistics(body):
    cells = {("metadata", "default_device"): body["metadata"]["default_device"]}
    assert tuple(column["name"] for column in body["columns"][1:]) == TITLES
    for device, rows in body["rows"].items():
        for row in rows:
            for title, value in zip(TITLES, row[1:]):
                cells[device, row[0], title] = value
    return cells


def read_curve(body):
    cells = {("metadata", "first_ts"): body["metadata"]["first_ts"], ("metadata", "totals"): tuple(body["metadata"]["totals"].items())}
    for device, peak in body["metadata"]["peaks"].items():
        cells["peak", device] = peak
    for device, rows in body["rows"].items():
        for number, point in enumerate(rows):
            for title, value in zip(("time", "allocated", "reserved"), point):
                cells[device, number, title] = value
    return cells


def read_events(body):
    cells = {}
    for device, rows in body["rows"].items():
        numbered = defaultdict(int)
        for operator, size, *times in rows:
            numbered[operator, size] += 1
            for title, value in zip(("Allocation Time", "Release Time", "Duration"), times):
                cells[device, operator, size, numbered[operator, size], title] = value
    return cells


def of_memory(figures, trace, faults):
    """Cells of the four answers. Times of `figures.memory` lie `figures.memory_shift(trace)` before those of the trace."""
    devices = figures.memory
    if not devices:
        return {}
    first = profiler_start(trace, faults)
    shift = figures.memory_shift(time_of_first_record(trace, faults))
    double = "double_microseconds" in faults

    def us(time):
        since = time + shift - first
        return since if double else since / 1000
    statistics = {("metadata", "default_device"): _default_device(device for device, memory in devices.items() if memory.operators)}
    events = {}
    for device, memory in devices.items():
        for name, row in memory.operators.items():
            for title, statistic, value in zip(TITLES, STATISTICS, row):
                is_size = statistic.endswith(("increase", "size"))
                statistics[device, name, title] = shown(value / 1024) if is_size else value
        numbered = defaultdict(int)
        for operator, size, allocated, released in memory.blocks:
            key = (operator or "<unknown>", shown(size / 1024))
            numbered[key] += 1
            times = (allocated, released, None if None in (allocated, released) else released - allocated)
            for title, value in zip(("Allocation Time", "Release Time"), times):
                events[device, *key, numbered[key], title] = None if value is None else shown(us(value) * 0.001)
            length = times[2] if times[2] is None or double else times[2] / 1000
            events[device, *key, numbered[key], "Duration"] = None if length is None else shown(length * 0.001)
    return {"memory": statistics, "memory_curve": _curve(devices, trace, faults, us, 0.001, 1 / 2 ** 20, "MB", True),
            "memory_curve__us_B_nostep": _curve(devices, trace, faults, us, 1.0, 1.0, "B", False), "memory_events": events}


def _default_device(names):
    return min((name for name in names if name.startswith("GPU")), default="CPU")


def _curve(devices, trace, faults, us, time_factor, size_factor, unit, steps):
    start = profiler_start(trace, faults)
    cells = {("metadata", "first_ts"): start if "double_microseconds" in faults else start / 1000,
             ("metadata", "totals"): tuple((device, memory.total) for device, memory in devices.items() if memory.total is not None)}
    for device, memory in devices.items():
        if not memory.curve:
            continue
        cells["peak", device] = f"Peak Memory Usage: {memory.peak() * size_factor:.1f}{unit}"
        points = [(us(time) * time_factor, allocated * size_factor, reserved * size_factor) for time, allocated, reserved in memory.curve]
        for number, point in enumerate(largest_triangles(with_steps(points) if steps else points, MOST_POINTS)):
            for title, value in zip(("time", "allocated", "reserved"), point):
                cells[device, number, title] = value
    return cells


def with_steps(points):
    """Before each point but the first, one with its time and the values so far."""
    result = points[:1]
    for before, point in zip(points, points[1:]):
        result += [(point[0], *before[1:]), point]
    return result


def largest_triangles(points, most):
    """Largest-Triangle-Three-Buckets by time and allocated bytes: first and last stay, of each chunk between them one."""
    if len(points) <= most:
        return points
    middle, chunks = points[1:-1], most - 2
    size, longer = divmod(len(middle), chunks)
    borders = [number * size + min(number, longer) for number in range(chunks + 1)]
    kept = [points[0]]
    for number in range(chunks):
        chunk = middle[borders[number]:borders[number + 1]]
        after = middle[borders[number + 1]:borders[number + 2]] if number + 1 < chunks else points[-1:]
        mean = (sum(point[0] for point in after) / len(after), sum(point[1] for point in after) / len(after))
        kept.append(max(chunk, key=lambda point: _area(kept[-1], point, mean)))
    return kept + points[-1:]


def _area(left, point, right):
    return abs((left[0] - right[0]) * (point[1] - left[1]) - (left[0] - point[0]) * (right[1] - left[1])) / 2


def shown(value):
    """Two digits; below 0.01 one significant digit."""
    if value == 0 or abs(value) >= 0.01:
        return round(value, 2)
    return round(value, -math.floor(math.log10(abs(value))))


READERS = {"memory": read_statistics, "memory_curve": read_curve, "memory_events": read_events}
