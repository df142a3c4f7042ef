"""The host side for the oracle: who launched what, the tree of each thread, and the times of its nodes.

Three steps. `link_launches` ties device events to runtime calls by correlation. `build_forest` nests the host slices of each
thread. `attribute` gives every runtime call (and every device event without one) to a node. `fill_times` sums bottom-up.
Plain loops and sums on purpose: this is what the fast implementation is checked against.
"""
from collections import defaultdict

from tensor_cores import ELIGIBLE_OPERATORS, uses_tensor_cores
from kineto_trace import DEVICE, HOST, is_collective, is_dataloader

WRAPPERS = ("DataParallel.forward", "DistributedDataParallel.forward")


class Runtime:
    """A host call that may launch; `devices` are the device events it launched, `owner` the node it belongs to."""
    __slots__ = ("event", "devices", "owner")

    def __init__(self, event):
        self.event = event
        self.devices = []
        self.owner = None


class Node:
    """One host slice in its thread's tree. `kind` is operator, dataloader, optimizer, module, step, annotation, backward or root."""
    __slots__ = ("event", "kind", "operator_class", "name", "start", "end", "thread", "external", "runtimes", "direct", "children",
                 "parent", "host_total", "host_self", "device_total", "device_self", "tc_total", "tc_self", "kernel_self", "eligible",
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

    def walk(self):
        """Every node but the roots' own, children before parents, threads in order."""
        for root in self.threads.values():
            yield from post_order(root)


def post_order(root):
    stack = [(root, False)]
    while stack:
        node, seen = stack.pop()
        if seen:
            yield node
        else:
            stack.append((node, True))
            stack.extend((child, False) for child in reversed(node.children))


def link_launches(events, faults):
    """Runtime calls in time order, and the device events that no call claims."""
    latest, parked, runtimes = {}, defaultdict(list), []
    for event in events:
        key = event.correlation
        linkable = bool(key) or "missing_correlation_matched" in faults
        if event.kind == "runtime":
            runtime = Runtime(event)
            runtimes.append(runtime)
            if linkable:
                runtime.devices = parked.pop(key, [])
                latest[key] = runtime
        elif event.kind in DEVICE:
            if linkable and key in latest:
                latest[key].devices.append(event)
            else:
                parked[key].append(event)
    return runtimes, [event for waiting in parked.values() for event in waiting]


def _node_kind(event, faults):
    if event.kind in ("step", "module"):
        return event.kind
    if is_dataloader(event.name):
        return "dataloader"
    if event.name.startswith("Optimizer.step"):
        return "optimizer"
    if event.kind == "annotation" and not is_collective(event.name, faults):
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
        thread = _thread_key(event, faults)
        node = Node(kind, event.name, event.start, event.end, thread, event)
        node.external = None if kind == "module" else event.external
        slices[thread].append(node)
    for thread, nodes in slices.items():
        forest.nodes_in_time.extend(nodes)
        forest.threads[thread] = _nest(thread, nodes, forest, faults)
    return forest


def _nest(thread, nodes, forest, faults):
    """A node is a child of the most recently opened node that contains it whole; others it may overlap."""
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


def attribute(forest, runtimes, unlaunched, faults):
    """Sets the owner of every runtime call, and gives device events without a call to a node by their own External id."""
    owners = _Owners(forest, runtimes, faults)
    for runtime in runtimes:
        for node in owners.of_call(runtime):
            runtime.owner = node
            node.runtimes.append(runtime)
    if "stale_kernels" in faults:
        _stale_to_root(forest, unlaunched)
        return
    for event in unlaunched:
        node = owners.by_id.get(event.external) if event.external else None
        if node is not None and not (event.external == event.correlation):
            node.direct.append(event)


class _Owners:
    def __init__(self, forest, runtimes, faults):
        self.forest, self.faults = forest, faults
        self.innermost = _innermost_of_calls(forest, runtimes, faults)
        self.by_id, self.first_without_id = {}, None
        if "no_external_id_to_first_node" in faults:
            nodes = forest.nodes_in_time
        else:
            nodes = sorted(forest.nodes_in_time, key=lambda node: (node.start, -node.end, node.event.order))
        for node in nodes:
            if node.external is None:
                self.first_without_id = self.first_without_id or node
            elif node.external != 0 or "zero_external_id_to_root" in faults:
                self.by_id.setdefault(node.external, node)

    def of_call(self, runtime):
        """The nodes a call is given to: none or one, and for the original's External id 0 the root as well."""
        event, faults = runtime.event, self.faults
        external = event.external
        if external == 0:
            if "zero_external_id_to_root" in faults:
                root = self.forest.threads.get(_thread_key(event, faults))
                return [node for node in (self.by_id.get(0), root) if node is not None]
            external = None
        if external is None:
            if "no_external_id_to_first_node" in faults:
                return [self.first_without_id] if self.first_without_id else []
            return self._enclosing(event)
        node = self.by_id.get(external)
        if external == event.correlation and "own_correlation_as_external_id" not in faults:
            if node is None or not self._encloses(node, event):
                return self._enclosing(event)
        if node is not None:
            return [node]
        if "unmatched_external_id_orphaned" in faults:
            own = external == event.correlation and "own_correlation_as_external_id" not in faults
            return self._enclosing(event) if own else []
        return self._enclosing(event)

    def _encloses(self, node, event):
        return (node.event.pid, node.event.tid) == (event.pid, event.tid) and node.start <= event.start < node.end

    def _enclosing(self, event):
        node = self.innermost.get(event.order)
        return [node] if node else []


def _thread_key(event, faults):
    return int(event.tid) if "threads_by_tid_only" in faults else (str(event.pid), str(event.tid))


def _innermost_of_calls(forest, runtimes, faults):
    """Per call (by file order) the node of its thread that is open at its start and was opened last."""
    calls, found = defaultdict(list), {}
    for runtime in runtimes:
        calls[_thread_key(runtime.event, faults)].append(runtime.event)
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


def _stale_to_root(forest, unlaunched):
    """The original's: kernels (not copies) without a call go to the root of each thread that has steps, so twice to two."""
    for root in forest.threads.values():
        if any(node.kind == "step" for node in post_order(root)):
            root.direct.extend(event for event in unlaunched if event.kind == "kernel")


BACKWARD = "autograd::engine::evaluate_function: "


def lose_backward_operators(forest, pairs):
    """The original moves backward operators under modules, by the fwdbwd flows, and loses those that find no place there.

    A backward operator stands directly under a root or a step; an AccumulateGrad goes with the one before it. Such a group is moved
    when a flow leads to one of its operators from an operator below an outermost module, and when all that this module receives
    lies within the tree of the main thread: the last one with steps, which can be a stream.
    """
    parents = _through_steps(forest)
    modules = [child for parent in parents for child in parent.children if child.kind == "module"]
    backward = [child for parent in parents for child in parent.children if child.kind == "operator" and child.name.startswith(BACKWARD)]
    if not pairs or not modules or not backward:
        return
    groups = []
    for node in backward:
        if node.name.endswith("torch::autograd::AccumulateGrad") and groups:
            groups[-1].append(node)
        else:
            groups.append([node])
    group_at = {inner.start: group for group in groups for node in group for inner in post_order(node)}
    main = _main_root(forest, backward[0].thread)
    kept = set()
    for module in modules:
        targets = [pairs.get(node.start) for node in post_order(module) if node.kind == "operator"]
        received = [node for target in targets if target in group_at for node in group_at[target]]
        if received and min(node.start for node in received) >= main.children[0].start and max(
                node.end for node in received) <= main.children[-1].end:
            kept.update(id(node) for node in received)
    lost = {id(node) for node in backward} - kept
    for parent in parents:
        parent.children = [child for child in parent.children if id(child) not in lost]


def _main_root(forest, backward_thread):
    roots = list(forest.threads.values())
    with_steps = [root for root in roots if any(child.kind == "step" for child in root.children)]
    others = [root for root in roots if root.thread != backward_thread] or roots
    return with_steps[-1] if with_steps else max(others, key=lambda root: root.children[-1].end - root.children[0].start)


def _through_steps(forest):
    found, stack = [], list(reversed(forest.threads.values()))
    while stack:
        node = stack.pop()
        found.append(node)
        stack.extend(child for child in reversed(node.children) if child.kind == "step")
    return found


def fill_times(forest, faults):
    for node in forest.walk():
        children = list(visible_children(node))
        own = list(node.own_devices())
        kernels = [event for event in own if event.kind == "kernel"]
        matrix = [event for event in kernels if uses_tensor_cores(event.name, faults)]
        node.host_total = node.end - node.start
        node.host_self = node.host_total - sum(child.host_total for child in children) - node.call_time
        node.device_self = sum(event.duration for event in own)
        node.device_total = sum(child.device_total for child in node.children) + node.device_self
        node.kernel_self = sum(event.duration for event in kernels)
        node.tc_self = sum(event.duration for event in matrix)
        node.tc_total = sum(child.tc_total for child in node.children) + node.tc_self
        node.eligible_by_name = node.name in ELIGIBLE_OPERATORS
        inside = any(child.eligible for child in children)
        if "eligibility_stops_at_modules" not in faults:
            inside = any(child.eligible_inside for child in children)
        node.eligible = node.eligible_by_name or bool(matrix) or (node.operator_class and inside)
        node.eligible_inside = node.eligible or inside


def fill_call_times(forest, runtimes, faults):
    """What runtime calls take from the self time of each node, see the faults named here."""
    nested = set() if "nested_calls_counted_twice" in faults else _calls_inside_calls(runtimes)
    counted = [runtime for runtime in runtimes if runtime.event.order not in nested]
    for node in forest.walk():
        node.call_time = 0
    if "launch_time_by_owner" in faults:
        alive = {id(runtime) for runtime in counted}
        for node in forest.walk():
            node.call_time = sum(runtime.event.duration for runtime in node.runtimes if id(runtime) in alive)
        return
    innermost = _innermost_of_calls(forest, counted, faults)
    for runtime in counted:
        node = innermost.get(runtime.event.order)
        while node is not None and node.kind == "annotation":
            node = node.parent
        if node is not None:
            node.call_time += runtime.event.duration


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
