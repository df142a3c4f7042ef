"""Two runs compared, for the oracle: which ranges correspond, their cost, and the operators of both.

`cells_of(baseline, compared, faults)` gives, for both sides, the host and device time of every module, data loading and optimizer range by
its place (names and occurrence from the outermost in, all steps together), those of the work between them, and the figures of
every operator. Plain recursion on purpose: the program aligns level by level and on demand. The faults are those of faults.py that
change trees, and DIFF_FAULTS.
"""
import functools
from collections import Counter

import modules
import steps as step_stage
import tree as tree_stage
from attribution import link_launches
from kineto_trace import classify

DIFF_FAULTS = {
    "diff_first_thread": (
        "compares the ranges of the first thread only, so the backward pass is missing if it has a separate thread",
        "adds ranges of other threads to the step in which they begin"),
    "diff_steps_only": (
        "leaves out work outside of steps",
        "counts it as a separate part, outside of steps"),
    "diff_same_name": (
        "finds no data loading and no optimizer in the other run if its name differs",
        "matches them by what they do"),
    "diff_greedy": (
        "matches a part with the next one of its name, however much lies between",
        "matches as much as possible: a longest common subsequence"),
    "diff_cut_steps": (
        "compares a last step that the recording cut off",
        "leaves it outside of steps, as the overview does"),
}
CHAIN = modules.CHAIN + tuple(DIFF_FAULTS)
EVERY = modules.EVERY | frozenset(DIFF_FAULTS)
ANCHORS = ("module", "dataloader", "optimizer", "step")
FIGURES = ("calls", "host_total", "host_self", "device_total", "device_self")


class Side:
    """One run: `steps` are lists of nodes in logical order, `outside` the nodes outside of steps. `roots`: the tree of each
    thread."""

    def __init__(self, roots, kept_steps, faults):
        if "diff_first_thread" in faults:
            roots = roots[:1]
        top = [node for root in roots for node in tree_stage.visible_children(root)]
        marked = sorted((node for node in top if node.kind == "step"), key=lambda node: node.start)
        kept = len(marked) if "diff_cut_steps" in faults else min(len(marked), kept_steps)
        self.steps = [list(tree_stage.visible_children(node)) for node in marked[:kept]]
        self.outside = list(marked[kept:])
        for node in top:
            if node.kind == "step":
                continue
            around = [i for i, step in enumerate(marked[:kept]) if step.start <= node.start < step.end]
            if around and "diff_first_thread" not in faults:
                self.steps[around[-1]].append(node)
            else:
                self.outside.append(node)
        self.steps = [sorted(nodes, key=lambda node: node.start) for nodes in self.steps]
        if not self.steps:
            self.steps, self.outside = [sorted(self.outside, key=lambda node: node.start)], []
        if "diff_steps_only" in faults:
            self.outside = []


@functools.lru_cache(maxsize=4)
def _forest_of(trace, faults):
    return modules.forest_of(trace, faults)


def _kept_steps(trace, faults):
    events = trace.events("us" if "double_microseconds" in faults else "ns")
    for event in events:
        event.kind = classify(event, faults)
    events = [event for event in events if event.kind]
    runtimes, unlaunched = link_launches(events, faults)
    return len(step_stage.find_steps(events, runtimes, unlaunched, faults))


def cells_of(baseline, compared, faults):
    return cells_between([_side_of(trace, faults) for trace in (baseline, compared)], faults)


def _side_of(trace, faults):
    roots = list(_forest_of(trace, faults & modules.EVERY).threads.values())
    return Side(roots, 0 if "diff_cut_steps" in faults else _kept_steps(trace, faults), faults)


def cells_between(sides, faults):
    cells = {}
    if "diff_cut_steps" in faults:  # the original runs all steps together
        groups = [([node for step in sides[0].steps for node in step], [node for step in sides[1].steps for node in step])]
    else:
        most = max(len(side.steps) for side in sides)
        groups = [tuple(side.steps[i] if i < len(side.steps) else [] for side in sides) for i in range(most)]
    _compare(cells, (), groups, faults)
    for which, side in enumerate(sides):
        reached = [node for nodes in [*side.steps, side.outside] for node in nodes]
        _add_operators(cells, which, reached)
    return cells


def _compare(cells, place, groups, faults):
    """`groups`: pairs of lists that correspond; their nodes have the place `place`."""
    seen, inner = Counter(), []
    between = [[0, 0], [0, 0]]
    for lists in groups:
        matched = _match(lists, faults)
        anchors = [{i for i, _ in matched}, {j for _, j in matched}]
        for which, nodes in enumerate(lists):
            for i, node in enumerate(nodes):
                if i not in anchors[which]:
                    between[which][0] += node.end - node.start
                    between[which][1] += node.device_total
        for i, j in matched:
            pair = (lists[0][i], lists[1][j])
            name = pair[0].name
            inner.append(((*place, (name, seen[name])), pair))
            seen[name] += 1
    for which in range(2):
        cells[place, "between", which, "host"], cells[place, "between", which, "device"] = between[which]
    for name, pair in inner:
        for which, node in enumerate(pair):
            cells[name, "part", which, "host"] = node.end - node.start
            cells[name, "part", which, "device"] = node.device_total
        lists = tuple(list(tree_stage.visible_children(node)) for node in pair)
        if any(node.kind in ANCHORS for nodes in lists for node in nodes):
            _compare(cells, name, [lists], faults)


def _key(node, faults):
    return (node.kind, node.name if node.kind == "module" or "diff_same_name" in faults else "")


def _match(lists, faults):
    """Positions of anchors that correspond, in both lists."""
    left, right = ([(i, _key(node, faults)) for i, node in enumerate(nodes) if node.kind in ANCHORS] for nodes in lists)
    if "diff_greedy" in faults:
        pairs, passed = [], 0
        for i, key in left:
            found = next((at for at in range(passed, len(right)) if right[at][1] == key), None)
            if found is not None:
                pairs.append((i, right[found][0]))
                passed = found + 1
        return pairs
    longest = [[0] * (len(right) + 1) for _ in range(len(left) + 1)]
    for i in reversed(range(len(left))):
        for j in reversed(range(len(right))):
            longest[i][j] = (longest[i + 1][j + 1] + 1 if left[i][1] == right[j][1] else max(longest[i + 1][j], longest[i][j + 1]))
    pairs, i, j = [], 0, 0
    while i < len(left) and j < len(right):
        if left[i][1] == right[j][1]:
            pairs.append((left[i][0], right[j][0]))
            i, j = i + 1, j + 1
        elif longest[i + 1][j] >= longest[i][j + 1]:
            i += 1
        else:
            j += 1
    return pairs


def _add_operators(cells, which, nodes):
    add_figures(cells, which, [node for top in nodes for node in tree_stage.post_order(top) if node.is_operator()])


def add_figures(cells, which, nodes):
    for node in nodes:
        for figure in FIGURES:
            cell = ("operators", node.name, which, figure)
            cells[cell] = cells.get(cell, 0) + (1 if figure == "calls" else getattr(node, figure))
