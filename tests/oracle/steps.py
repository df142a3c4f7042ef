"""Intervals, steps, the breakdown of a step by activity at each instant, and the measures of a device.

All intervals are (start, end) in the clock of the events, half-open; a merged list is sorted and disjoint. `find_steps` makes the
step windows, `breakdown` counts each instant of them once by priority, `device_measures` uses one device's kernels.
"""
from kineto_trace import DEVICE, is_collective, is_communication_kernel, is_dataloader

ROLES = ("kernel", "memcpy", "memset", "communication", "runtime", "dataloader", "host")


def merge(intervals):
    merged = []
    for start, end in sorted(intervals):
        if merged and start <= merged[-1][1]:
            if end > merged[-1][1]:
                merged[-1] = (merged[-1][0], end)
        else:
            merged.append((start, end))
    return merged


def intersect(left, right):
    result, i, j = [], 0, 0
    while i < len(left) and j < len(right):
        start, end = max(left[i][0], right[j][0]), min(left[i][1], right[j][1])
        if start < end:
            result.append((start, end))
        if left[i][1] < right[j][1]:
            i += 1
        else:
            j += 1
    return result


def subtract(left, right):
    result, j = [], 0
    for start, end in left:
        while j < len(right) and right[j][1] <= start:
            j += 1
        k = j
        while k < len(right) and right[k][0] < end:
            if right[k][0] > start:
                result.append((start, right[k][0]))
            start = max(start, right[k][1])
            k += 1
        if start < end:
            result.append((start, end))
    return result


def length(intervals):
    return sum(end - start for start, end in intervals)


class Step:
    __slots__ = ("label", "start", "end", "device_start", "device_end", "device_events")

    def __init__(self, label, start, end):
        self.label, self.start, self.end = label, start, end
        self.device_start = self.device_end = None
        self.device_events = 0


def find_steps(events, runtimes, unlaunched, faults):
    """The kept steps with their device-aware windows."""
    marked = [event for event in events if event.kind == "step"]
    steps = [Step(str(int(event.name.split("#")[1])), event.start, event.end) for event in marked]
    if not steps:
        step = _whole_trace(events, runtimes, faults)
        if "implicit_step_of_operators" not in faults:
            return [step]
        steps = [step]
    matched = _device_windows(steps, runtimes)
    if any(step.device_events for step in steps):
        _extend_over_devices(steps, matched, runtimes, unlaunched)
        _cut_tail(steps)
    return steps


def _whole_trace(events, runtimes, faults):
    covered = [event for event in events if event.kind in ("operator", "python")]
    if not covered and "gpu_only_trace" in faults:
        return Step("0", 2 ** 63 - 1, -2 ** 63)
    work = [event for event in events if event.kind in DEVICE]
    if covered and "implicit_step_of_operators" not in faults:
        covered += work + [runtime.event for runtime in runtimes if runtime.devices]
    covered = covered or work
    if not covered:
        return Step("0", 0, 0)
    return Step("0", min(event.start for event in covered), max(event.end for event in covered))


def _device_windows(steps, runtimes):
    """A call belongs to the first step that contains it completely; a step's device window spans the work that its calls
    launched.

    Returns the file orders of the device events that belong to a step.
    """
    matched = set()
    for runtime in runtimes:
        event = runtime.event
        step = next((step for step in steps if step.start <= event.start and event.end <= step.end), None)
        for device in runtime.devices if step else ():
            step.device_start = device.start if step.device_events == 0 else min(step.device_start, device.start)
            step.device_end = device.end if step.device_events == 0 else max(step.device_end, device.end)
            step.device_events += 1
            matched.add(device.order)
    return matched


def _extend_over_devices(steps, matched, runtimes, unlaunched):
    """Each step lasts until its device work is done; the next one starts no earlier."""
    previous = steps[0].start
    if steps[0].device_events:
        everything = [device for runtime in runtimes for device in runtime.devices] + list(unlaunched)
        before = [device.end for device in everything if device.order not in matched and device.end < steps[0].device_start]
        previous = max([previous] + before)
    for step in steps:
        step.start = max(previous, step.start)
        step.end = max(step.end, step.device_end if step.device_events else step.start, step.start)
        previous = step.end


def _cut_tail(steps):
    """Last steps whose device work is missing in the trace, completely or in part."""
    if len(steps) < 2:
        return
    while steps and not steps[-1].device_events:
        steps.pop()
    if len(steps) >= 2 and steps[-1].device_events < 0.8 * steps[-2].device_events:
        steps.pop()


def communication_nodes(events, faults):
    """The original's communication operators by External id; a later one of the same id replaces the earlier."""
    return {event.external: event for event in events
            if event.kind in ("operator", "annotation") and is_collective(event.name, faults)}


def role_of(event, communication_ids, faults):
    """The role of an event in a step, None if it has no role."""
    if event.kind == "kernel":
        if "collectives_unrecognised" in faults:
            return "communication" if event.external in communication_ids else "kernel"
        return "communication" if is_communication_kernel(event, faults) else "kernel"
    if event.kind in ("memcpy", "memset", "runtime"):
        return event.kind
    if event.kind in ("operator", "annotation") and is_dataloader(event.name):
        return "dataloader"
    if event.kind in ("operator", "annotation", "python"):
        return "communication" if is_collective(event.name, faults) else "host"
    return None


def role_intervals(events, faults):
    """Per role the merged intervals over all threads, streams and devices."""
    communication_ids = communication_nodes(events, faults)
    found = {role: [] for role in ROLES}
    for event in events:
        role = role_of(event, communication_ids, faults)
        if role:
            found[role].append((event.start, event.end))
    return {role: merge(intervals) for role, intervals in found.items()}


def breakdown(steps, roles, faults):
    """Per step {role: time}, with "other" and "total". Each instant counts once, for the first role of ROLES that covers it."""
    whole = merge([(step.start, step.end) for step in steps])
    free, taken = whole, {}
    for role in ROLES:
        if not free and "full_step_overcount" in faults:
            taken[role] = roles[role]
            free = subtract(whole, taken[role])
        else:
            taken[role] = intersect(roles[role], free)
            free = subtract(free, taken[role])
    taken["other"] = free
    rows = []
    for step in steps:
        row = {role: length(intersect(intervals, [(step.start, step.end)])) for role, intervals in taken.items()}
        row["total"] = step.end - step.start
        rows.append(row)
    return rows


def average(steps, rows, faults):
    """The arithmetic mean of each part over the steps; None when there is no step to average."""
    counted = [row for row in rows if row["total"] > 0 or "zero_length_steps" in faults]
    if not counted:
        return None
    return {part: sum(row[part] for row in counted) / len(counted) for part in rows[0]}


def device_of(event, faults):
    device = event.args.get("device")
    if device is None and "device_argument_only" not in faults and isinstance(event.pid, int):
        device = event.pid
    return device


class DeviceMeasures:
    """None in a field: it cannot be computed. Times are shares of the window from the first kept step to the last."""
    __slots__ = ("device", "name", "memory", "compute_capability", "utilization", "sm_efficiency", "occupancy", "tensor_core_share")


def device_measures(device, kernels, window, counted, tensor_core, properties):
    """`kernels` of this device; `counted` those of them in the share of tensor cores; `tensor_core(kernel)` decides, None:
    unknown."""
    measures = DeviceMeasures()
    measures.device = device
    measures.name = measures.memory = measures.compute_capability = None
    if properties:
        measures.name, measures.memory = properties.get("name"), properties.get("totalGlobalMem")
        if "computeMajor" in properties:
            measures.compute_capability = f"{properties['computeMajor']}.{properties['computeMinor']}"
    span = window[1] - window[0]
    busy = length(intersect(merge([(kernel.start, kernel.end) for kernel in kernels]), [window]))
    measures.utilization = busy / span if span > 0 else None
    measures.sm_efficiency = _sm_efficiency(kernels, window)
    measures.occupancy = _occupancy(kernels, window)
    total = sum(kernel.duration for kernel in counted)
    used = sum(kernel.duration for kernel in counted if tensor_core(kernel))
    unknown = any(tensor_core(kernel) is None for kernel in counted)
    measures.tensor_core_share = used / total if total > 0 and not unknown else None
    return measures


def _sm_efficiency(kernels, window):
    """Mean over the window of min(1, blocks per SM of the kernels that run)."""
    edges = []
    for kernel in kernels:
        blocks = kernel.blocks
        start, end = max(kernel.start, window[0]), min(kernel.end, window[1])
        if blocks is not None and blocks > 0 and start < end:
            edges += [(start, blocks), (end, -blocks)]
    if not edges:
        return None
    edges.sort()
    covered, running, previous = 0.0, 0.0, edges[0][0]
    for time, change in edges:
        if running > 1e-9:
            covered += min(1.0, running) * (time - previous)
        running, previous = running + change, time
    return covered / (window[1] - window[0])


def _occupancy(kernels, window):
    """Duration-weighted mean of the kernels' estimated occupancy, in percent."""
    weight = total = 0
    for kernel in kernels:
        occupancy = kernel.occupancy
        inside = min(kernel.end, window[1]) - max(kernel.start, window[0])
        if occupancy is not None and occupancy >= 0 and inside > 0:
            weight += inside
            total += occupancy * inside
    return total / weight if weight > 0 else None
