"""The host ranges of an Ascend text export as trees, and two exports compared, slowly, from trace_view.json.

Differences of the vendor's TensorBoard plugin are switched on by name: from diff.py `diff_first_thread`, `diff_steps_only`,
`diff_same_name`, `diff_greedy` and `diff_cut_steps`, and

  double_microseconds  ends are doubles of microseconds since 1970, in steps of 0.25 us
  phases_are_operators data loading counts as an operator
  no_device_time       kernels and launches are not recognised: every device time is 0
"""
import json
import math
from fractions import Fraction

import ascend_operators
import diff
import tree

DIFF_FAULTS = {
    "no_device_time": ("recognises no kernel of an NPU, so that every device time is 0", "links kernels to operators by the flows of the trace"),
    "phases_are_operators": ("counts data loading as an operator", "shows it as a separate range"),
    "double_microseconds": ("takes ends of ranges as doubles of microseconds since 1970, whose step is 0.25 us", "keeps int64 nanoseconds"),
}
CHAIN = (*DIFF_FAULTS, *diff.DIFF_FAULTS)
FAULTS = frozenset(CHAIN)


def _kind(event):
    """None for an event without a role."""
    category, name = event.get("cat"), event["name"]
    if category == "python_function":
        return "module" if "Python module id" in event["args"] else None
    if category not in ("cpu_op", "operator", "user_annotation"):
        return None
    if name.startswith("ProfilerStep#"):
        return "step"
    if category == "user_annotation":
        return None
    if tree.is_dataloader(name):
        return "dataloader"
    return "optimizer" if name.startswith("Optimizer.step") else "operator"


def _node(event, double):
    start, length = ascend_operators.ns(event["ts"]), ascend_operators.ns(event["dur"])
    end = start + length
    if double:
        start, end = (1000 * Fraction(at) for at in (float(event["ts"]), float(event["ts"]) + float(event["dur"])))
    kind = _kind(event)
    node = tree.Node(kind, event["name"], start, end, (event["pid"], event["tid"]))
    node.operator_class = kind == "operator"
    node.device_self = 0
    return node


def forest(folder, faults):
    """The root of each thread's tree, in the order in which the threads begin; nodes have their times (host and device, ns)."""
    events, kernels = ascend_operators.load(folder)
    taken = [event for event in events if event["ph"] == "X" and _kind(event)]
    nodes = [_node(event, "double_microseconds" in faults) for event in taken]
    roots = {}
    for node in sorted(nodes, key=lambda each: (each.start, -each.end)):
        if node.thread not in roots:
            root = tree.Node("root", "CallTreeRoot", -math.inf, math.inf, node.thread)
            root.device_self = 0
            roots[node.thread] = [root]
        stack = roots[node.thread]
        while node.start >= stack[-1].end:
            stack.pop()
        node.parent = stack[-1]  # it may end after its parent: the plugin allows it, and some writers overrun by 1 us
        node.parent.children.append(node)
        stack.append(node)
    if "no_device_time" not in faults:
        _give_device_time(events, [(ascend_operators.ns(event["ts"]), node) for event, node in zip(taken, nodes)])
    roots = [stack[0] for stack in roots.values()]
    for root in roots:
        _join_twins(root)
        for node in tree.post_order(root):
            node.host_total = node.end - node.start
            node.host_self = node.host_total - sum(child.host_total for child in node.children)
            node.device_total = node.device_self + sum(child.device_total for child in node.children)
    return roots


def _give_device_time(events, nodes):
    by_start = {}
    for start, node in sorted(nodes, key=lambda each: -each[1].end):  # the innermost of those that start together is kept
        by_start[node.thread, start] = node
    tasks = {(e["pid"], e["tid"], ascend_operators.ns(e["ts"])): e for e in events if e["ph"] == "X"}
    flows = [e for e in events if e.get("cat") == "async_npu"]
    starts = {e["id"]: e for e in flows if e["ph"] == "s"}
    for flow in (e for e in flows if e["ph"] == "f"):
        start = starts[flow["id"]]
        owner = by_start[(start["pid"], start["tid"]), ascend_operators.ns(start["ts"])]
        owner.device_self += _whole(tasks[flow["pid"], flow["tid"], ascend_operators.ns(flow["ts"])]["dur"])


def _whole(duration):
    """Whole ns, a half away from 0: durations of kernels have more decimals than their starts."""
    return math.floor(ascend_operators.ns(duration) + Fraction(1, 2))


def _join_twins(root):
    stack = [root]
    while stack:
        node = stack.pop()
        while node.operator_class and len(node.children) == 1 and node.children[0].operator_class and node.children[0].name == node.name:
            (twin,) = node.children
            node.device_self += twin.device_self
            node.children = twin.children
            for child in node.children:
                child.parent = node
        stack.extend(node.children)


def cells(folders, faults=frozenset()):
    """The cells of diff.py for two exports; times in ns."""
    sides = []
    for folder in folders:
        roots = forest(folder, faults)
        steps = sum(node.kind == "step" for root in roots for node in root.children)
        sides.append(diff.Side(roots, steps, faults))
    found = diff.cells_between(sides, faults)
    if "phases_are_operators" in faults:
        for which, side in enumerate(sides):
            reached = [node for nodes in [*side.steps, side.outside] for top in nodes for node in tree.post_order(top)]
            diff.add_figures(found, which, [node for node in reached if node.kind == "dataloader"])
    return found
