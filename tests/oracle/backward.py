"""The original's modules of the backward pass: the fault backward_modules_lose_operators.

The original rebuilds a backward pass as nodes `<module>.backward` in the tree of the main thread, from the fwdbwd flows.
Operators for which it finds a place there are moved, and all others are lost.
"""
from tree import Node, post_order

BACKWARD = "autograd::engine::evaluate_function: "


def move_backward_operators(forest, pairs):
    """A backward operator is directly under a root or a step; an AccumulateGrad goes with the one before it. Such a group is
    moved if a flow leads to one of its operators from an operator below an outermost module: to the node of the innermost
    module around that operator. The nodes of outermost modules are put among the children of the main thread's nodes, by time;
    a node before or after the whole tree of that thread is lost. The main thread is the last one with steps, which can be a
    stream.
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
    extent = (main.children[0].start, main.children[-1].end)
    taken = {id(node) for node in backward}
    for parent in parents:
        parent.children = [child for child in parent.children if id(child) not in taken]
    rebuilt = [node for node in (_rebuilt(module, pairs, group_at, set(), main.thread) for module in modules) if node.children]
    _insert(main, extent, sorted(rebuilt, key=lambda node: (node.start, -node.end)))
    forest.threads = {thread: root for thread, root in forest.threads.items() if root.children}


def _rebuilt(module, pairs, group_at, seen, thread):
    """The node of a module's backward pass, with those of the modules inside it; without children if it has no operators."""
    node = Node("backward", module.name + ".backward", None, None, thread)
    stack = list(reversed(module.children))
    while stack:
        inner = stack.pop()
        if inner.kind == "module":
            below = _rebuilt(inner, pairs, group_at, seen, thread)
            node.children += [below] if below.children else []
            continue
        group = group_at.get(pairs.get(inner.start)) if inner.kind == "operator" else None
        if group and id(group) not in seen:
            seen.add(id(group))
            node.children += group
        stack.extend(reversed(inner.children))
    node.children.sort(key=lambda child: (child.start, -child.end))
    if node.children:
        node.start, node.end = node.children[0].start, node.children[-1].end
    for child in node.children:
        child.parent = node
        for moved in post_order(child):
            moved.thread = thread
    _fill(node)
    return node


def _fill(node):
    node.host_total = (node.end - node.start) if node.children else 0
    node.host_self = node.host_total - sum(child.host_total for child in node.children)
    node.device_self = node.kernel_self = node.tc_self = node.tc_unknown_self = node.call_time = 0
    for part in ("device_total", "tc_total", "tc_unknown_total"):
        setattr(node, part, sum(getattr(child, part) for child in node.children))
    node.eligible = node.eligible_inside = any(child.eligible for child in node.children)
    node.eligible_by_name = False


def _insert(root, extent, nodes):
    """Walks the tree once, from place to place, as the nodes come by time."""
    current, at, above = root, 0, []
    for node in nodes:
        while current is not None:
            start, end = extent if current is root else (current.start, current.end)
            if node.end < start:
                break
            if node.start > end:
                current, at = above.pop() if above else (None, 0)
                at += 1
                continue
            current, at = _place(current, at, node, above)
            current.children.insert(at, node)
            node.parent, at = current, at + 1
            break


def _place(current, at, node, above):
    """The innermost node around (or across) `node`, and where among its children it belongs; `above` remembers the way there."""
    while at < len(current.children):
        child = current.children[at]
        if node.end < child.start:
            break
        if node.start >= child.end:
            at += 1
        else:
            above.append((current, at))
            current, at = child, 0
    return current, at


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
