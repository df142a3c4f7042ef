"""The original's backward modules, as far as they change the tables: the fault backward_modules_lose_operators.

The original rebuilds a backward pass as modules, from the fwdbwd flows. Only which operators get lost on the way matters here.
"""
from tree import post_order

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
