"""The view across ranks, for the oracle: the parts of each worker's steps, which collectives belong together, which rank waits.

`worker_of(trace, faults)` reads one worker; `cells_of(workers, faults)` gives what the view shows, in microseconds, as cells by
("overlap" | "waittime", step or "all", worker, legend) and ("commops", worker, operation, column). With EVERY fault this is the
original plugin. The faults are those of faults.py that change collectives, steps or computing, and DISTRIBUTED_FAULTS.
"""
from collections import defaultdict

import steps as step_stage
import tree as tree_stage
from attribution import attribute, link_launches
from faults import ORDER
from kineto_trace import COLLECTIVE_PREFIXES, DEVICE, classify, is_communication_kernel
from steps import intersect, length, merge, subtract

DISTRIBUTED_FAULTS = {
    "host_ranges_as_collectives": (
        "takes the time of collectives from their host ranges",
        "takes it from the device, and from host ranges only for process groups without device work"),
    "collectives_matched_by_position": (
        "matches the collectives of workers by their position in the recording",
        "matches them by process group, kind and sequence number; without a number, by their order among those of the same kind and size in a step"),
    "alone_as_never_waiting": (
        "treats a collective that no other worker has as one without waiting",
        "shows waiting and transfer as unknown"),
    "collectives_by_whole_step": (
        "counts a collective only for a step that contains it entirely",
        "clips it to the steps"),
    "latency_as_union": (
        "uses the union of an operation's intervals as its latency",
        "uses the sum of its calls"),
    "few_element_sizes": (
        "knows the size of six element types, and uses 0 for others",
        "knows all element types of the framework, and shows unknown for others"),
    "means_cut_off": (
        "truncates means to whole microseconds, and counts collectives outside of steps as one more step",
        "does not round"),
}
NAMES = ("double_microseconds", "gpu_annotation_as_host", "device_categories_ignored", "scope_metrics_as_kernels", "mtia_rows_as_kernels",
         "collectives_unrecognised", "collective_kernels_by_library_only", "driver_launches_ignored", "own_correlation_as_external_id",
         "zero_external_id_to_root", "no_external_id_to_first_node", "unmatched_external_id_orphaned", "annotation_launches_orphaned",
         "collective_annotations_as_nodes", "zero_length_steps")
CHAIN = tuple(name for name in ORDER if name in NAMES) + tuple(DISTRIBUTED_FAULTS)
EVERY = frozenset(CHAIN)
OVERLAP = ("Computation", "Overlapping", "Communication", "Other")
WAITING = ("Data Transfer Time", "Synchronizing Time")
SIZES_OF_THE_ORIGINAL = {"long int": 8, "float": 4, "int": 4, "c10::Half": 2, "c10::BFloat16": 2, "unsigned char": 1}
SIZES = {**SIZES_OF_THE_ORIGINAL, "long": 8, "double": 8, "half": 2, "bfloat16": 2, "short": 2, "short int": 2, "char": 1, "signed char": 1,
         "byte": 1, "bool": 1, "c10::Float8_e4m3fn": 1}
KINDS = (("reducescatter", "reduce_scatter"), ("allreduce", "all_reduce"), ("crossdevicereduce", "all_reduce"), ("allgather", "all_gather"),
         ("alltoall", "all_to_all"), ("broadcast", "broadcast"), ("barrier", "barrier"), ("sendrecv", "send_receive"), ("gather", "gather"),
         ("scatter", "scatter"), ("send", "send"), ("recv", "receive"), ("reduce", "reduce"))
SAME_SIZE = ("all_reduce", "all_gather", "reduce_scatter", "broadcast", "reduce")


class Collective:
    """One call on one worker. `step` is the number of its step or None; `transfer` its shortest time on any rank, None if
    unknown."""

    def __init__(self, intervals, step, facts):
        self.intervals, self.step, self.transfer = intervals, step, None
        self.start, self.end = intervals[0][0], intervals[-1][1]
        self.name, self.kind, self.bytes = facts["name"], facts["kind"], facts["bytes"]
        self.group, self.sequence, self.group_size = facts["group"], facts["sequence"], facts["group_size"]


class Worker:
    """`rows` are (step number, window, [computation, overlap, communication, other])."""


def worker_of(trace, faults):
    clock = "us" if "double_microseconds" in faults else "ns"
    events = trace.events(clock)
    for event in events:
        event.kind = classify(event, faults)
    events = [event for event in events if event.kind]
    runtimes, unlaunched = link_launches(events, faults)
    worker = Worker()
    steps = step_stage.find_steps(events, runtimes, unlaunched, faults)
    recorded = [event for event in events if event.kind == "step"]
    if "host_ranges_as_collectives" in faults:
        worker.collectives = _nodes_of_the_original(events, steps, faults)
        roles = step_stage.role_intervals(events, faults)
        communicating = roles["communication"]
    else:
        worker.collectives = _collectives(events, runtimes, unlaunched, steps, recorded, faults)
        roles = step_stage.role_intervals(events, faults)
        communicating = merge(interval for one in worker.collectives for interval in one.intervals)
    computing = roles["kernel"] if roles["kernel"] else roles["host"]
    both = intersect(computing, communicating)
    worker.rows = []
    for step in steps:
        window = [(step.start, step.end)]
        inside = [length(intersect(part, window)) for part in (computing, both, communicating)]
        parts = [inside[0] - inside[1], inside[1], inside[2] - inside[1]]
        worker.rows.append((step.label, (step.start, step.end), parts + [step.end - step.start - sum(parts)]))
    return worker


# ---- the original's rules: annotations of ten names, by External id ----

def _nodes_of_the_original(events, steps, faults):
    nodes = step_stage.communication_nodes(events, faults)
    ranges = defaultdict(list)
    for event in events:
        if event.kind == "kernel" and event.external in nodes:
            ranges[event.external].append((event.start, event.end))
    nodes = sorted(nodes.items(), key=lambda item: (item[1].start, -item[1].end))
    found, at = [], 0
    for external, event in nodes:
        while at < len(steps) and event.start >= steps[at].end:
            at += 1
        inside = at < len(steps) and steps[at].start <= event.start and event.end <= steps[at].end
        facts = {"name": event.name, "kind": event.name, "bytes": _input_bytes(event, faults), "group": None, "sequence": None, "group_size": None}
        found.append(Collective(sorted(ranges.get(external) or [(event.start, event.end)]), steps[at].label if inside else None, facts))
    return found


def _input_bytes(event, faults):
    original = "few_element_sizes" in faults
    sizes = SIZES_OF_THE_ORIGINAL if original else SIZES
    total, known = 0, False
    for shape, kind in zip(event.args.get("Input Dims") or [], event.args.get("Input type") or []):
        if kind not in sizes or any(isinstance(size, list) for size in shape):
            continue
        elements = 1
        for size in shape:
            elements *= size
        total, known = total + elements * sizes[kind], True
    return total if known or original else None


# ---- ours: device events, and the ranges around their launch ----

def _collectives(events, runtimes, unlaunched, steps, recorded, faults):
    forest = tree_stage.build_forest(events, faults)
    attribute(forest, runtimes, unlaunched, faults)
    launched = {device.order: runtime for runtime in runtimes for device in runtime.devices}
    owners = {device.order: runtime.owner for runtime in runtimes for device in runtime.devices}
    for node in forest.walk():
        for device in node.direct:
            owners[device.order] = node
    found, groups, unnamed = [], set(), False
    for event in events:
        if event.kind == "kernel" and is_communication_kernel(event, faults):
            facts = _facts([event, *_around(owners.get(event.order))], faults)
            groups.add(facts["name_of_group"])
            unnamed = unnamed or facts["name_of_group"] is None
            runtime = launched.get(event.order)
            found.append(((event.start, event.end), _step_of_work(event, runtime, steps, recorded), facts))
    any_on_device = bool(found)
    for node in forest.walk():
        if not _is_range(node) or any(_is_range(other) for other in _nodes_around(node)):
            continue
        facts = _facts([node.event, *_around(node)], faults)
        group = facts["name_of_group"]
        if any_on_device and (group is None or unnamed or group in groups):
            continue
        found.append(((node.start, node.end), _step_of_range(node.event, steps, recorded), facts))
    found.sort(key=lambda one: one[0][0])
    return [Collective([interval], step, facts) for interval, step, facts in found]


def _is_range(node):
    return node.event is not None and node.kind != "root" and node.name.startswith(COLLECTIVE_PREFIXES)


def _nodes_around(node):
    node = node.parent
    while node is not None and node.kind != "root":
        yield node
        node = node.parent


def _around(owner):
    if owner is None or owner.kind == "root":
        return
    yield owner.event
    for node in _nodes_around(owner):
        yield node.event


def _facts(events, faults):
    """The value of the first event that has one. An operator without a collective's arguments has none."""
    facts = {"name": None, "kind": None, "bytes": None, "group": (None, None), "sequence": None, "group_size": None, "name_of_group": None}
    ranks = None
    for index, event in enumerate(events):
        args = event.args
        is_range = event.kind not in DEVICE and event.name.startswith(COLLECTIVE_PREFIXES)
        if index > 0 and not is_range and "Collective name" not in args:
            continue
        name = args.get("Collective name") or (event.name.split(":", 1)[1].lstrip(":") if is_range else None)
        size = None
        if "In msg nelems" in args and "dtype" in args:
            element = _element_bytes(args["dtype"])
            size = None if element is None else args["In msg nelems"] * element
        if size is None and is_range:
            size = _input_bytes(event, faults)
        said = {"name": name, "kind": _kind(name), "bytes": size, "sequence": args.get("Seq"), "group_size": args.get("Group size"),
                "name_of_group": args.get("Process Group Name")}
        ranks = ranks or args.get("Process Group Ranks")
        for key, value in said.items():
            if facts[key] is None:
                facts[key] = value
    facts["kind"] = facts["kind"] or _kind(events[0].name)
    facts["name"] = facts["name"] or facts["kind"] or "other"
    facts["group"] = (facts["name_of_group"], ranks)
    return facts


def _kind(name):
    text = "".join(letter for letter in (name or "").lower() if letter.isalnum())
    return next((kind for part, kind in KINDS if part in text), None)


def _element_bytes(dtype):
    names = {"Float": 4, "Long": 8, "Int": 4, "Half": 2, "BFloat16": 2, "Byte": 1, "Char": 1, "Double": 8, "Bool": 1, "Short": 2}
    return names.get(dtype)


def _step_of_work(event, runtime, steps, recorded):
    """Launched inside the step on the host; without a launch, started inside its window."""
    for step in steps:
        if runtime is None:
            inside = step.start <= event.start < step.end
        else:
            start, end = _host_range(step, recorded)
            inside = start <= runtime.event.start and runtime.event.end <= end
        if inside:
            return step.label
    return None


def _step_of_range(event, steps, recorded):
    for step in steps:
        start, end = _host_range(step, recorded)
        if start <= event.start < end:
            return step.label
    return None


def _host_range(step, recorded):
    for event in recorded:
        if event.name == f"ProfilerStep#{step.label}":
            return event.start, event.end
    return step.start, step.end


# ---- across workers ----

def match(workers, faults):
    """Fills `transfer` of the collectives of {name: Worker}."""
    for worker in workers.values():
        for one in worker.collectives:
            one.transfer = None
    if "collectives_matched_by_position" in faults:
        counts = {len(worker.collectives) for worker in workers.values()}
        if len(counts) == 1:
            for together in zip(*(worker.collectives for worker in workers.values())):
                _share(together)
        return
    together = defaultdict(lambda: defaultdict(list))  # key -> worker -> its collectives in time order
    for name, worker in workers.items():
        for one in worker.collectives:
            if one.kind in ("send", "receive", "send_receive") and one.group_size != 2:
                continue
            kind = "pair" if one.kind in ("send", "receive", "send_receive") else one.kind
            by_order = (one.step, one.bytes if one.kind in SAME_SIZE else None)
            together[one.group, kind, one.sequence if one.sequence is not None else by_order][name].append(one)
    for (_, _, number), of_worker in together.items():
        counts = {len(found) for found in of_worker.values()}
        if isinstance(number, tuple) and len(counts) > 1:
            continue
        for position in range(max(counts)):
            members = [found[position] for found in of_worker.values() if position < len(found)]
            if len(members) > 1 or "alone_as_never_waiting" in faults:
                _share(members)
    if "alone_as_never_waiting" in faults:
        for worker in workers.values():
            for one in worker.collectives:
                if one.transfer is None:
                    _share([one])


def _share(members):
    shortest = min(one.end - one.start for one in members)
    for one in members:
        one.transfer = shortest


def waits(worker, window=None):
    """(transfer, waiting, unmatched) inside the window."""
    matched = [one for one in worker.collectives if one.transfer is not None]
    everything = merge((one.start, one.end) for one in worker.collectives)
    covered = merge((one.start, one.end) for one in matched)
    moving = merge((one.end - one.transfer, one.end) for one in matched)
    parts = (moving, subtract(covered, moving), subtract(everything, covered))
    return tuple(length(intersect(part, [window])) if window else length(part) for part in parts)


def cells_of(workers, faults):
    match(workers, faults)
    unit = 1 if "double_microseconds" in faults else 1e-3
    cells = {}
    for name, worker in workers.items():
        _overlap_cells(cells, name, worker, unit, faults)
        _waiting_cells(cells, name, worker, unit, faults)
        _operation_cells(cells, name, worker, unit, faults)
    return cells


def _mean(values, cut):
    mean = sum(values) / len(values)
    return int(mean) if cut else mean


def _overlap_cells(cells, name, worker, unit, faults):
    cut = "means_cut_off" in faults
    rows = [row for row in worker.rows if "zero_length_steps" in faults or row[1][1] > row[1][0]]
    for label, _, parts in worker.rows:
        cells.update({("overlap", label, name, legend): part * unit for legend, part in zip(OVERLAP, parts)})
    for index, legend in enumerate(OVERLAP):
        if rows:
            cells["overlap", "all", name, legend] = _mean([row[2][index] * unit for row in rows], cut)


def _waiting_cells(cells, name, worker, unit, faults):
    labels = [row[0] for row in worker.rows]
    by_step = {}
    if "collectives_by_whole_step" in faults:
        for label in dict.fromkeys(one.step for one in worker.collectives):
            part = Worker()
            part.collectives = [one for one in worker.collectives if one.step == label]
            if label is not None or "means_cut_off" in faults:
                by_step["null" if label is None else label] = waits(part)
    else:
        by_step = {label: waits(worker, window) for label, window, _ in worker.rows if window[1] > window[0]}
    for label, (transfer, waiting, unmatched) in by_step.items():
        known = transfer + waiting > 0 or unmatched == 0
        for legend, part in zip(WAITING, (transfer, waiting)):
            cells["waittime", label, name, legend] = part * unit if known else None
    if by_step:
        assert labels
        known = sum(part[0] + part[1] for part in by_step.values()) > 0 or sum(part[2] for part in by_step.values()) == 0
        for index, legend in enumerate(WAITING):
            mean = _mean([part[index] * unit for part in by_step.values()], "means_cut_off" in faults)
            cells["waittime", "all", name, legend] = mean if known else None


def _operation_cells(cells, name, worker, unit, faults):
    union = "latency_as_union" in faults
    operations = defaultdict(list)
    for one in worker.collectives:
        operations[one.name].append(one)
    for operation, calls in operations.items():
        matched = [one for one in calls if one.transfer is not None]
        sized = [one.bytes for one in calls if one.bytes is not None]
        latency = length(merge((one.start, one.end) for one in calls)) if union else sum(one.end - one.start for one in calls)
        transfer = None
        if matched:
            transfer = length(merge((one.end - one.transfer, one.end) for one in matched)) if union else sum(one.transfer for one in matched)
        row = {"Calls": len(calls), "Total Size (bytes)": sum(sized) if sized else None,
               "Avg Size (bytes)": round(sum(sized) / len(sized)) if sized else None,
               "Total Latency (us)": latency * unit, "Avg Latency (us)": round(latency * unit / len(calls)),
               "Data Transfer Time (us)": None if transfer is None else transfer * unit,
               "Avg Data Transfer Time (us)": None if transfer is None else round(transfer * unit / len(matched))}
        cells.update({("commops", name, operation, column): value for column, value in row.items()})

