"""The host side for the oracle: the tree of each thread, and the times of its nodes.

`build_forest` nests the host slices of each thread, `merge_duplicates` merges an operator with an only child of the same name,
`fill_call_times` and `fill_times` sum bottom-up. attribution.py assigns launches in between. Plain loops and sums
on purpose: the fast implementation is compared with this.
"""
from collections import defaultdict

from tensor_cores import ELIGIBLE_OPERATORS, kernel_uses_tensor_cores
from kineto_trace import HOST, is_collective_node, is_dataloader

WRAPPERS = ("DataParallel.forward", "DistributedDataParallel.forward")


class Node:
    """One host slice in its thread's tree. `kind` is operator, dataloader, optimizer, module, step, annotation, backward or root."""
    __slots__ = ("event", "kind", "operator_class", "name", "start", "end", "thread", "external", "runtimes", "direct", "children",
                 "parent", "host_total", "host_self", "device_total", "device_self", "tc_total", "tc_self", "tc_unknown_self", "tc_unknown_total", "kernel_self", "eligible",
                 "eligible_by_name", "eligible_inside", "absorbed", "call_time")

    def __init__(self, kind, name, start, end, thread, event=None):
        self.kind, self.name, self.start, self.end, self.thread, self.event = kind, name, start, end, thread, event
        self.operator_class = event is not None and event.kind == "operator"
        self.external = None
        self.runtimes, self.direct, self.children, self.absorbed = [], [], [], []
        self.parent = None

    def is_operator(self):
        """Only these appear in operator tables."""
        return (self.kind == "operator" and self.operator_class and self.name not in WRAPPERS
                and not self.name.startswith("Optimizer."))

    def own_devices(self):
        for runtime in self.runtimes:
            yield from runtime.devices
        yield from self.direct


class Forest:
    """`threads` maps a thread key to its root, in order of the thread's first host slice; `overlapping` counts true overlaps."""

    def __init__(self):
        self.threads = {}
        self.nodes_in_time = []
        self.overlapping = 0
        self.settled = None

    def walk(self):
        """Every node but the roots' own, children before parents, threads in order."""
        return self.settled or self._in_order()

    def settle(self):
        """To be called when nodes have moved: from now on they keep their places, so the order is found once."""
        self.settled = self._in_order()

    def _in_order(self):
        return [node for root in self.threads.values() for node in post_order(root)]


def post_order(root):
    order, stack = [], [root]
    while stack:  # parents before children, the last child first
        node = stack.pop()
        order.append(node)
        stack.extend(node.children)
    return reversed(order)


def _node_kind(event, faults):
    if event.kind in ("step", "module"):
        return event.kind
    if is_dataloader(event.name):
        return "dataloader"
    if event.name.startswith("Optimizer.step"):
        return "optimizer"
    if event.kind == "annotation" and not is_collective_node(event.name, faults):
        return "annotation"
    return "operator"


def build_forest(events, faults):
    forest = Forest()
    slices = defaultdict(list)
    for event in events:
        if event.kind not in HOST:
            continue
        kind = _node_kind(event, faults)
        if kind == "annotation" and "annotation_launches_orphaned" in faults:
            continue
        thread = thread_key(event, faults)
        node = Node(kind, event.name, event.start, event.end, thread, event)
        node.external = None if kind == "module" else event.external
        slices[thread].append(node)
    for thread, nodes in slices.items():
        forest.nodes_in_time.extend(nodes)
        forest.threads[thread] = _nest(thread, nodes, forest, faults)
    return forest


def _nest(thread, nodes, forest, faults):
    """A node is a child of the most recently opened node that contains it completely; it may overlap others."""
    root = Node("root", "CallTreeRoot", float("-inf"), float("inf"), thread)
    open_nodes = [root]
    for node in sorted(nodes, key=lambda node: (node.start, -node.end)):
        while node.start >= open_nodes[-1].end:
            open_nodes.pop()
        if node.end > open_nodes[-1].end:
            forest.overlapping += 1
            if "overlap_dropped" in faults:
                continue
        node.parent = next(candidate for candidate in reversed(open_nodes) if node.end <= candidate.end)
        node.parent.children.append(node)
        open_nodes.append(node)
    return root


def visible_children(node):
    """The nearest descendants that count for host time: annotations are transparent."""
    for child in node.children:
        if child.kind == "annotation":
            yield from visible_children(child)
        else:
            yield child


def merge_duplicates(forest, faults):
    """An operator whose only child is an operator of the same name absorbs it, repeatedly, from the top down."""
    stack = list(forest.threads.values())
    while stack:
        node = stack.pop()
        if node.operator_class:
            while True:
                children = list(visible_children(node))
                if len(children) != 1 or not children[0].operator_class or children[0].name != node.name:
                    break
                _absorb(node, children[0], faults)
        stack.extend(node.children)


def _absorb(node, child, faults):
    if "merge_drops_launches" in faults:
        for runtime in node.runtimes:
            runtime.owner = None
        node.runtimes, node.direct = [], []
    for runtime in child.runtimes:
        runtime.owner = node
    node.runtimes = node.runtimes + child.runtimes
    node.direct = node.direct + child.direct
    at = child.parent.children.index(child)
    child.parent.children[at:at + 1] = child.children
    for grandchild in child.children:
        grandchild.parent = child.parent
    node.absorbed.append(child)


def thread_key(event, faults):
    return int(event.tid) if "threads_by_tid_only" in faults else (str(event.pid), str(event.tid))


def innermost_of_calls(forest, runtimes, faults):
    """Per call (by file order) the node of its thread that is open at its start and was opened last."""
    calls, found = defaultdict(list), {}
    for runtime in runtimes:
        calls[thread_key(runtime.event, faults)].append(runtime.event)
    kept = defaultdict(list)
    for node in forest.walk():
        kept[node.thread].append(node)
    for thread, events in calls.items():
        nodes = sorted((node for node in kept[thread] if node.kind != "root"),
                       key=lambda node: (node.start, -node.end, node.event.order), reverse=True)
        open_nodes = []
        for event in events:
            while nodes and nodes[-1].start <= event.start:
                node = nodes.pop()
                while open_nodes and open_nodes[-1].end <= node.start:
                    open_nodes.pop()
                open_nodes.append(node)
            while open_nodes and open_nodes[-1].end <= event.start:
                open_nodes.pop()
            if open_nodes:
                found[event.order] = open_nodes[-1]
    return found


def fill_times(forest, faults):
    for node in forest.walk():
        children = list(visible_children(node))
        own = list(node.own_devices())
        kernels = [event for event in own if event.kind == "kernel"]
        uses = [kernel_uses_tensor_cores(event, faults) for event in kernels]
        matrix = [event for event, used in zip(kernels, uses) if used]
        node.host_total = node.end - node.start
        node.host_self = node.host_total - sum(child.host_total for child in children) - node.call_time
        node.device_self = sum(event.duration for event in own)
        node.device_total = sum(child.device_total for child in node.children) + node.device_self
        node.kernel_self = sum(event.duration for event in kernels)
        node.tc_self = sum(event.duration for event in matrix)
        node.tc_total = sum(child.tc_total for child in node.children) + node.tc_self
        node.tc_unknown_self = sum(event.duration for event, used in zip(kernels, uses) if used is None)
        node.tc_unknown_total = sum(child.tc_unknown_total for child in node.children) + node.tc_unknown_self
        node.eligible_by_name = node.name in ELIGIBLE_OPERATORS
        inside = any(child.eligible for child in children)
        if "eligibility_stops_at_modules" not in faults:
            inside = any(child.eligible_inside for child in children)
        node.eligible = node.eligible_by_name or bool(matrix) or (node.operator_class and inside)
        node.eligible_inside = node.eligible or inside


def fill_call_times(forest, runtimes, faults):
    """The time of runtime calls that is subtracted from the self time of each node, see the faults named here."""
    nested = set() if "nested_calls_counted_twice" in faults else _calls_inside_calls(runtimes)
    counted = [runtime for runtime in runtimes if runtime.event.order not in nested]
    for node in forest.walk():
        node.call_time = 0
    if "launch_time_by_owner" in faults:
        alive = {id(runtime) for runtime in counted}
        for node in forest.walk():
            node.call_time = sum(runtime.event.duration for runtime in node.runtimes if id(runtime) in alive)
        return
    for node, call in _calls_in_nodes(forest, counted, faults):
        node.call_time += call.duration


def _calls_in_nodes(forest, runtimes, faults):
    """Each call with the most recently opened node of its thread that contains it completely; annotations are transparent."""
    threads = defaultdict(list)
    for runtime in runtimes:
        threads[thread_key(runtime.event, faults)].append((runtime.event, None))
    for node in forest.walk():
        if node.kind not in ("root", "annotation") and node.thread in threads:
            threads[node.thread].append((node.event, node))
    for entries in threads.values():
        open_nodes = []
        for event, node in sorted(entries, key=lambda entry: (entry[0].start, -entry[0].end, entry[0].order)):
            open_nodes = [other for other in open_nodes if other.end > event.start]
            if node is not None:
                open_nodes.append(node)
                continue
            around = next((other for other in reversed(open_nodes) if other.end >= event.end), None)
            if around is not None:
                yield around, event


def _calls_inside_calls(runtimes):
    """File orders of the calls that lie within another call of their thread."""
    open_until, nested = {}, set()
    for runtime in sorted(runtimes, key=lambda runtime: (runtime.event.start, -runtime.event.end, runtime.event.order)):
        event = runtime.event
        thread = (str(event.pid), str(event.tid))
        if event.end <= open_until.get(thread, float("-inf")):
            nested.add(event.order)
        else:
            open_until[thread] = event.end
    return nested


def device_events_under(node):
    """All device events that count in the node's device total."""
    return [event for inner in post_order(node) for event in inner.own_devices()]
