"""Launches, for the oracle: device events to runtime calls, runtime calls to nodes of the host trees.

`link_launches` links device events to calls by correlation. `attribute` assigns every call to a node, by External id if the id is
valid, else by thread and time; and every device event without a call to a node by its External id.
"""
from collections import defaultdict

from kineto_trace import DEVICE
from tree import innermost_of_calls, post_order, thread_key


class Runtime:
    """A host call that may launch; `devices` are the device events it launched, `owner` the node it belongs to."""
    __slots__ = ("event", "devices", "owner")

    def __init__(self, event):
        self.event = event
        self.devices = []
        self.owner = None


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


def attribute(forest, runtimes, unlaunched, faults):
    """Sets the owner of every runtime call, and assigns device events without a call to a node by their External id."""
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
        self.innermost = innermost_of_calls(forest, runtimes, faults)
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
        """The nodes that get a call: none or one, and for the original's External id 0 the root as well."""
        event, faults = runtime.event, self.faults
        external = event.external
        if external == 0:
            if "zero_external_id_to_root" in faults:
                root = self.forest.threads.get(thread_key(event, faults))
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


def _stale_to_root(forest, unlaunched):
    """The original's rule: kernels (not copies) without a call go to the root of each thread that has steps, so twice if there
    are two."""
    for root in forest.threads.values():
        if any(node.kind == "step" for node in post_order(root)):
            root.direct.extend(event for event in unlaunched if event.kind == "kernel")
