"""Modules and the call tree, for the oracle: calls merged by path, and the backward pass by module.

`modules_of(trace, faults)` gives the content of the Modules view, per place in the hierarchy (a tuple of (name, instance) from
the outermost module down); `paths_of` gives calls and host time per path of a thread's tree. The faults are those of faults.py
that change trees, and MODULE_FAULTS.
"""
from collections import defaultdict

import steps as step_stage
import tree as tree_stage
from attribution import attribute, link_launches
from backward import BACKWARD, move_backward_operators
from faults import ORDER
from kineto_trace import classify, nanoseconds

MODULE_FAULTS = {
    "module_sums_by_name": (
        "shows at each place of a module the sum of all its calls at all places",
        "shows the sum of the calls at that place"),
    "modules_in_backward_lost": (
        "leaves out module calls inside backward operators, such as those that a checkpoint recomputes",
        "counts the calls of all threads"),
    "module_self_includes_modules": (
        "counts device time of a module inside an operator as self time of the module around the operator",
        "counts it for the inner module only"),
}
NAMES = ("double_microseconds", "overlap_dropped", "gpu_annotation_as_host", "driver_launches_ignored", "own_correlation_as_external_id",
         "zero_external_id_to_root", "no_external_id_to_first_node", "unmatched_external_id_orphaned", "annotation_launches_orphaned",
         "collective_annotations_as_nodes", "merge_drops_launches", "nested_calls_counted_twice", "launch_time_by_owner", "stale_kernels",
         "missing_correlation_matched", "threads_by_tid_only", "backward_modules_lose_operators")
CHAIN = tuple(name for name in ORDER if name in NAMES) + tuple(MODULE_FAULTS)
EVERY = frozenset(ORDER) | frozenset(MODULE_FAULTS)
ACCUMULATION = BACKWARD + "torch::autograd::AccumulateGrad"


def forest_of(trace, faults):
    clock = "us" if "double_microseconds" in faults else "ns"
    events = trace.events(clock)
    for event in events:
        event.kind = classify(event, faults)
    events = [event for event in events if event.kind]
    runtimes, unlaunched = link_launches(events, faults)
    forest = tree_stage.build_forest(events, faults)
    attribute(forest, runtimes, unlaunched, faults)
    tree_stage.merge_duplicates(forest, faults)
    tree_stage.fill_call_times(forest, runtimes, faults)
    tree_stage.fill_times(forest, faults)
    if "backward_modules_lose_operators" in faults:
        move_backward_operators(forest, trace.forward_backward_pairs(clock))
    return forest


class Module:
    def __init__(self):
        self.calls = self.operators = self.host_total = self.host_own = self.host_self = 0
        self.device_total = self.device_self = self.device_busy = 0
        self.backward_host = self.backward_device = 0
        self.covered = []

    def add(self, other):
        for part in ("calls", "operators", "host_total", "host_own", "host_self", "device_total", "device_self"):
            setattr(self, part, getattr(self, part) + getattr(other, part))


def modules_of(trace, faults):
    """Place -> Module, in order of each place's first call on its thread, threads in order."""
    forest = forest_of(trace, faults)
    found, place_of = {}, {}
    for root in forest.threads.values():
        _visit(root, (), found, place_of)
    for key in list(found):
        found[key] = Module()
    lost = _inside_backward(forest, trace) if "modules_in_backward_lost" in faults else set()
    for node in forest.walk():
        if node.kind == "module" and id(node) not in lost:
            _count(found[place_of[id(node)]], node, faults)
    for module in found.values():
        module.device_busy = step_stage.length(step_stage.merge(module.covered))
    _add_backward(found, forest, trace, place_of)
    return _by_name(found) if "module_sums_by_name" in faults else found


def key_of(node):
    name = node.name
    return (name[len("nn.Module: "):] if name.startswith("nn.Module: ") else name, node.event.args["Python module id"])


def _visit(node, place, found, place_of):
    stack = [(node, place)]
    while stack:
        node, place = stack.pop()
        if node.kind == "module":
            place = (*place, key_of(node))
            found.setdefault(place)
            place_of[id(node)] = place
        stack.extend((child, place) for child in reversed(node.children))


def _inside_backward(forest, trace):
    """The original moves backward operators under separate nodes, whose modules it does not visit."""
    if not trace.forward_backward_pairs("ns"):
        return set()
    lost = set()
    for node in forest.walk():
        if node.kind == "operator" and node.name.startswith(BACKWARD):
            lost.update(id(inner) for inner in tree_stage.post_order(node))
    return lost


def _modules_inside(node):
    """The nearest modules below."""
    stack = list(node.children)
    while stack:
        inner = stack.pop()
        if inner.kind == "module":
            yield inner
        else:
            stack.extend(inner.children)


def _count(module, node, faults):
    children = list(tree_stage.visible_children(node))
    inside = list(_modules_inside(node))
    module.calls += 1
    module.operators += sum(child.is_operator() for child in children)
    module.host_total += node.host_total
    module.host_own += node.host_total - sum(inner.host_total for inner in inside)
    module.host_self += node.host_self
    module.device_total += node.device_total
    if "module_self_includes_modules" in faults:
        module.device_self += node.device_self + sum(child.device_total for child in node.children if child.kind == "operator")
    else:
        module.device_self += node.device_total - sum(inner.device_total for inner in inside)
    module.covered += [(event.start, event.end) for event in tree_stage.device_events_under(node)]


def _by_name(found):
    sums = defaultdict(Module)
    for place, module in found.items():
        sums[place[-1]].add(module)
    return {place: sums[place[-1]] for place in found}


def _add_backward(found, forest, trace, place_of):
    """Each linked evaluation, and the accumulation right after it, belongs to the module around the forward operator."""
    by_start = defaultdict(list)
    around, parents = {}, {}
    for root in forest.threads.values():
        stack = [(root, None, None)]
        while stack:
            node, place, parent = stack.pop()
            place = place_of.get(id(node), place)
            around[id(node)], parents[id(node)] = place, parent
            if node.kind not in ("root", "module", "annotation", "backward"):
                for event in [node.event, *(child.event for child in node.absorbed)]:
                    by_start[str(event.pid), str(event.tid), event.start].append((event.end, event.order, node))
            stack.extend((child, place, node) for child in node.children)
    owner = {}
    for forward, backward in _links(trace):
        starts, ends = by_start.get(forward), by_start.get(backward)
        if not starts or not ends:
            continue
        place = around[id(min(starts, key=lambda entry: entry[:2])[2])]
        if place is None:
            continue
        node = target = min(ends, key=lambda entry: entry[:2])[2]
        while node is not None and not node.name.startswith(BACKWARD):
            node = parents[id(node)]
        owner[id(node or target)] = place
    for root in forest.threads.values():
        _accumulate(root, owner)
    for root in forest.threads.values():
        for host, device, place in _owned(root, owner, None):
            for length in range(1, len(place) + 1):
                found[place[:length]].backward_host += host
                found[place[:length]].backward_device += device


def _links(trace):
    """(pid, tid, time) of the forward and of the backward operator."""
    starts = {}
    flows = [raw for raw in trace.document["traceEvents"] if raw.get("cat") == "fwdbwd"]

    def end_of(raw):
        return str(raw["pid"]), str(raw["tid"]), nanoseconds(raw["ts"])
    for raw in flows:
        if raw["ph"] == "s":
            starts[raw["id"]] = end_of(raw)
    for raw in flows:
        if raw["ph"] == "f" and raw["id"] in starts:
            yield starts[raw["id"]], end_of(raw)


def _accumulate(root, owner):
    stack = [root]
    while stack:
        node = stack.pop()
        before = None
        for child in tree_stage.visible_children(node):
            if child.kind == "operator" and child.name.startswith(BACKWARD):
                if child.name == ACCUMULATION and id(child) not in owner and before is not None:
                    owner[id(child)] = before
                before = owner.get(id(child))
            stack.append(child)


def _owned(root, owner, place):
    """Host and device time of the tree below, each piece with the innermost owner around it."""
    stack = [(root, None)]
    while stack:
        node, outside = stack.pop()
        place = owner.get(id(node), outside)
        if id(node) in owner:
            yield node.host_total, 0, place
            if outside is not None:
                yield -node.host_total, 0, outside
        if place is not None:
            yield 0, node.device_self, place
        stack.extend((child, place) for child in node.children)


def paths_of(trace, faults, thread):
    """Path of names below the root of one thread -> [calls, host time]. `thread` is its tid as text; annotations are
    transparent."""
    sums = defaultdict(lambda: [0, 0])
    for key, root in forest_of(trace, faults).threads.items():
        if str(key[1] if isinstance(key, tuple) else key) != thread:
            continue
        stack = [(root, ())]
        while stack:
            node, path = stack.pop()
            if node.kind not in ("root", "annotation"):
                path = (*path, node.name)
                sums[path][0] += 1
                sums[path][1] += node.host_total
            stack.extend((child, path) for child in node.children)
    return dict(sums)
