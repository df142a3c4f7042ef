"""A slow, plain, independent computation of the Overview, Operators and Kernels numbers of a Kineto trace.

`analyse(trace, faults)` with the faults OURS gives our numbers, in integer nanoseconds; with ALL faults the original plugin's, in its
double microseconds, so that the original's output checks this implementation of its rules. One function per stage, and no shared
code with the program: if both agree, the value is very likely right. It is meant for tests; a large trace takes seconds.

    python3 tests/oracle/kineto_oracle.py TRACE [--original]     prints the overview
"""
import sys
from collections import defaultdict

import steps as step_stage
import tree as tree_stage
from attribution import attribute, link_launches
from backward import move_backward_operators
from faults import ALL, OURS
from launch_fill import fill_launches
from memory import analyse_memory
from tensor_cores import kernel_uses_tensor_cores
from kineto_trace import classify, is_communication_kernel, read_trace


class Figures:
    """All results: `steps` and `rows` (breakdown) in step order, `average`, `devices`, `operators`, `kernels`, `launches`, `memory`."""

    def memory_shift(self, first):
        """Its times are the trace's own."""
        return 0


def analyse(trace, faults=OURS):
    built = Built(trace, faults)
    figures = Figures()
    for part in PARTS:
        figures.__dict__.update(part(trace, built, faults))
    return figures


class Built:
    """What all parts of the results are computed from: classified events, runtime calls with their device events, and the forest."""

    def __init__(self, trace, faults):
        clock = "us" if "double_microseconds" in faults else "ns"
        every = trace.events(clock)
        for event in every:
            event.kind = classify(event, faults)
        self.kinds = [(event, event.kind) for event in every]
        self.events = [event for event in every if event.kind]
        self.runtimes, self.unlaunched = link_launches(self.events, faults)
        fill_launches(self.events, self.runtimes, trace.devices(), faults)
        self.forest = tree_stage.build_forest(self.events, faults)
        attribute(self.forest, self.runtimes, self.unlaunched, faults)
        tree_stage.merge_duplicates(self.forest, faults)
        self.forest.settle()
        tree_stage.fill_call_times(self.forest, self.runtimes, faults)
        tree_stage.fill_times(self.forest, faults)
        if "backward_modules_lose_operators" in faults:
            move_backward_operators(self.forest, trace.forward_backward_pairs(clock))
            self.forest.settle()

    def restore(self, trace, faults):
        """Sets what is stored in the trace's events, which all share, as it was; `faults` are those it was built with."""
        for event, kind in self.kinds:
            event.kind = kind
        fill_launches(self.events, self.runtimes, trace.devices(), faults)


# ---- parts: figures by name ----

def _overview(trace, built, faults):
    steps = step_stage.find_steps(built.events, built.runtimes, built.unlaunched, faults)
    roles = step_stage.role_intervals(built.events, faults)
    rows = step_stage.breakdown(steps, roles, faults)
    return {"steps": steps, "rows": rows, "has": {role: bool(intervals) for role, intervals in roles.items()},
            "average": step_stage.average(steps, rows, faults), "devices": _devices(steps, trace, built, faults)}


def _operators(trace, built, faults):
    forest = built.forest
    return {"forest": forest, "overlapping": forest.overlapping, "operators": {
        "name": operator_groups(forest, lambda node: (node.name,), faults),
        "shape": operator_groups(forest, lambda node: (node.name, input_shape(node)), faults)}}


def _kernels(trace, built, faults):
    kernels = _kernels_of(built)
    total = sum(kernel.written for kernel in kernels)
    return {"any_blocks_per_sm": any((kernel.blocks or 0) > 0 for kernel in kernels),
            "any_occupancy": any(kernel.occupancy is not None and kernel.occupancy >= 0 for kernel in kernels),
            "kernels": kernel_groups(kernels, faults),
            "tensor_core_share": sum(kernel.written for kernel in kernels if _matrix(kernel, faults)) / total if total else None,
            "tensor_core_unknown": sum(kernel.written for kernel in kernels if _matrix(kernel, faults) is None) / total if total else None}


def _launches(trace, built, faults):
    return {"launches": launch_groups(_kernels_of(built), built.forest, faults)}


def _memory(trace, built, faults):
    return {"memory": analyse_memory(trace, built.forest, faults)}


PARTS = (_overview, _operators, _kernels, _launches, _memory)


def _kernels_of(built):
    return [event for event in built.events if event.kind == "kernel"]


def _matrix(kernel, faults):
    return kernel_uses_tensor_cores(kernel, faults)


def _devices(steps, trace, built, faults):
    kernels = defaultdict(list)
    for event in built.events:
        device = step_stage.device_of(event, faults) if event.kind == "kernel" else None
        if device is not None:
            kernels[device].append(event)
    launched = defaultdict(list)
    any_launched = False
    for node in built.forest.walk():
        if node.is_operator():
            for event in node.own_devices():
                if event.kind == "kernel":
                    any_launched = True
                    launched[step_stage.device_of(event, faults)].append(event)
    window = (steps[0].start, steps[-1].end)
    measures = []
    for device in sorted(kernels):
        counted = launched[device] if "device_share_of_operators" in faults else kernels[device]

        def tensor_core(kernel):
            used = _matrix(kernel, faults)
            return False if used is None and is_communication_kernel(kernel, faults) else used
        one = step_stage.device_measures(device, kernels[device], window, counted, tensor_core,
                                         _properties(trace.devices(), device, faults))
        if "zero_denominator_as_zero" in faults and any_launched and one.tensor_core_share is None:
            one.tensor_core_share = 0.0
        measures.append(one)
    return measures


def _properties(devices, device, faults):
    if "device_by_position" in faults:
        return devices[device] if device < len(devices) else None
    listed = next((entry for entry in devices if entry.get("id") == device), None)
    if listed is not None or not devices:
        return listed
    # Some tracers number devices otherwise than the list does: if all listed ones are alike, so is this one.
    words = ("name", "numSms", "computeMajor", "computeMinor")
    kinds = {tuple(entry.get(word) for word in words) for entry in devices}
    return devices[0] if len(kinds) == 1 else None


def input_shape(node):
    """As the original shows lists: Python's notation."""
    args = node.event.args
    return str(args.get("Input Dims", args.get("Input dims", [])))


class OperatorGroup:
    __slots__ = ("calls", "device_self", "device_total", "device_busy", "host_self", "host_total", "tc_self", "tc_total", "tc_unknown_self",
                 "tc_unknown_total", "eligible", "has_stack")

    def tc_share(self, part, faults):
        used, whole = (self.tc_self, self.device_self) if part == "self" else (self.tc_total, self.device_total)
        if (self.tc_unknown_self if part == "self" else self.tc_unknown_total) > 0:
            return None
        if whole == 0:
            return 0.0 if "zero_denominator_as_zero" in faults else None
        return used / whole


def operator_groups(forest, key_of, faults):
    """Key -> sums over its calls, in order of the first call seen (threads in order, children before parents)."""
    groups, covered = {}, defaultdict(list)
    for node in forest.walk():
        if not node.is_operator():
            continue
        key = key_of(node)
        group = groups.get(key)
        if group is None:
            group = groups[key] = OperatorGroup()
            group.calls = group.device_self = group.device_total = group.host_self = group.host_total = 0
            group.tc_self = group.tc_total = group.tc_unknown_self = group.tc_unknown_total = 0
            group.eligible, group.has_stack = node.eligible, False
        group.calls += 1
        group.device_self += node.device_self
        group.device_total += node.device_total
        group.host_self += node.host_self
        group.host_total += node.host_total
        group.tc_self += node.tc_self
        group.tc_total += node.tc_total
        group.tc_unknown_self += node.tc_unknown_self
        group.tc_unknown_total += node.tc_unknown_total
        if "eligibility_of_first_call" not in faults:
            group.eligible = group.eligible or node.eligible
        group.has_stack = group.has_stack or bool(node.event.args.get("Call stack"))
        if node.device_total:
            covered[key] += [(event.start, event.end) for event in tree_stage.device_events_under(node)]
    for key, group in groups.items():
        if not group.eligible and group.tc_unknown_total > 0:
            group.eligible = None
        group.device_busy = step_stage.length(step_stage.merge(covered[key]))
    return groups


class KernelGroup:
    """`blocks_per_sm` and `occupancy` are means weighted by duration, None when no call has the value (with time to weigh it).

    `operator_eligible` is by the operator's name, None when no operator launched them.
    """
    __slots__ = ("calls", "total", "mean", "max", "min", "blocks_per_sm", "occupancy", "tensor_cores", "operator_eligible")

    def __init__(self, kernels, tensor_cores, faults, written=False):
        durations = [kernel.written if written else kernel.duration for kernel in kernels]
        self.calls, self.total, self.max, self.min = len(kernels), sum(durations), max(durations), min(durations)
        self.mean = self.total / self.calls
        self.blocks_per_sm = _weighted([(kernel.blocks, weight) for kernel, weight in zip(kernels, durations)], faults)
        self.occupancy = _weighted([(kernel.occupancy, weight) for kernel, weight in zip(kernels, durations)], faults)
        self.tensor_cores = tensor_cores
        self.operator_eligible = None


def _weighted(values, faults):
    if "missing_occupancy_as_zero" in faults:
        values = [(value or 0.0, weight) for value, weight in values]
    values = [(value, weight) for value, weight in values if value is not None]
    total = sum(weight for _, weight in values)
    if total == 0:
        return 0.0 if "missing_occupancy_as_zero" in faults else None
    return sum(value * weight for value, weight in values) / total


def kernel_groups(kernels, faults):
    """By name, over every kernel of the trace."""
    by_name = defaultdict(list)
    for kernel in kernels:
        by_name[kernel.name].append(kernel)
    return {name: KernelGroup(group, _matrix(group[0], faults), faults, written=True) for name, group in by_name.items()}


def launch_groups(kernels, forest, faults):
    """By name, launching node and launch shape. Kernels without a launch are listed without operator; the original loses them."""
    groups, listed, eligible = defaultdict(list), set(), {}
    # A call of External id 0 that the original gives to an operator as well as to the root is listed twice, both times for the root.
    last = {event.order: node for node in forest.walk() for event in node.own_devices()}
    for node in forest.walk():
        for event in node.own_devices():
            if event.kind == "kernel":
                owner = last[event.order] if "zero_external_id_to_root" in faults else node
                key = launch_key(event, owner.name)
                groups[key].append(event)
                if owner.is_operator():
                    eligible[key] = eligible.get(key, False) or owner.eligible_by_name
                listed.add(event.order)
    if "stale_kernels" not in faults:
        for event in kernels:
            if event.order not in listed:
                groups[launch_key(event, None)].append(event)
    result = {}
    for key, group in groups.items():
        result[key] = KernelGroup(group, _matrix(group[0], faults), faults)
        result[key].operator_eligible = eligible.get(key)
    return result


def launch_key(kernel, operator):
    """(name, operator, grid, block, registers, shared memory), shapes as text, None where the trace has no value."""
    args = kernel.args
    shape = [str(args[key]) if args.get(key) is not None else None for key in ("grid", "block")]
    return (kernel.name, operator, *shape, args.get("registers per thread"), args.get("shared memory"))


def main(arguments):
    faults = ALL if "--original" in arguments else OURS
    figures = analyse(read_trace(arguments[0]), faults)
    for step, row in zip(figures.steps, figures.rows):
        print("step", step.label, row)
    print("average", figures.average)
    for device in figures.devices:
        print("device", {key: getattr(device, key) for key in device.__slots__})
    print("operators", len(figures.operators["name"]), "kernels", len(figures.kernels), "launch shapes", len(figures.launches))


if __name__ == "__main__":
    main(sys.argv[1:])
