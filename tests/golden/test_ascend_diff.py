"""Host trees, call stacks and the comparison of two Ascend exports: the vendor's TensorBoard plugin (its answers are in
../shared/golden/ascend), the oracle of tests/oracle/ascend_diff.py and the program.

With all faults on, the oracle gives the plugin's result; without any it gives the program's, to the nanosecond.
"""
import functools
import pathlib
import re
import sys
import urllib.parse
from collections import Counter

import pytest

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "oracle"), str(HERE.parent / "e2e_cli")]
import agreement  # noqa: E402
import ascend_samples as samples  # noqa: E402
import ascend_diff as oracle  # noqa: E402
import diff_agreement as sides  # noqa: E402
import module_agreement  # noqa: E402
import program_report  # noqa: E402
import tree  # noqa: E402
from program import Server  # noqa: E402
from tally import Tally  # noqa: E402

SAMPLES = ("msinsight_text_level1", "derived_newformat_7x")
PHASES = ("enumerate(", "Optimizer.", "DistributedDataParallel.forward")
WORKERS = ("ubuntu_rank0", "ubuntu_rank1")

pytestmark = pytest.mark.skipif(not samples.here(), reason="the shared samples are not here")
program = pytest.mark.skipif(not program_report.PROGRAM.exists(), reason=f"no program at {program_report.PROGRAM}")
each_sample = pytest.mark.parametrize("sample", SAMPLES)


def folders(sample):
    return [samples.workers(sample)[worker] for worker in WORKERS]


def golden_diff(sample):
    return samples.answer(sample, f"diff.{WORKERS[0]}_vs_{WORKERS[1]}")


def microseconds(cells):
    return {cell: value if cell[-1] == "calls" else float(value) / 1000 for cell, value in cells.items()}


@functools.cache
def program_cells(sample):
    with sides.program_of(folders(sample)) as ask:
        return sides.program_cells(ask)


@functools.cache
def tally_of(sample):
    """Golden against program, with the faults that change each cell."""
    _, _, moved = module_agreement.moved_cells(lambda faults: microseconds(oracle.cells(folders(sample), faults)), oracle.CHAIN, oracle.FAULTS)
    view = {"golden": sides.golden_cells(golden_diff(sample)), "ours": microseconds(program_cells(sample)), "moved": moved}
    return agreement.compare(*({("diff", *cell): value for cell, value in cells.items()} for cells in view.values()))


@each_sample
def test_plugin_and_oracle(sample):
    theirs, ours = sides.golden_cells(golden_diff(sample)), microseconds(oracle.cells(folders(sample), oracle.FAULTS))
    assert theirs.keys() == ours.keys()
    tally = Tally()
    for cell, value in theirs.items():
        tally.compare(cell, ours[cell], value, 0.00051)  # the plugin rounds to 0.001 us
    tally.finish(f"plugin and oracle, diff of {sample}")


@each_sample
def test_nodes_requested_one_by_one(sample):
    """/diffnode is a part of /diff, with the place of each part."""
    whole = golden_diff(sample)
    for path, node in (("0", whole), ("0-0", whole["children"][0])):
        part = samples.answer(sample, f"diffnode.{WORKERS[0]}_vs_{WORKERS[1]}.{path}")
        for side in ("left", "right"):
            assert part[side] == node[side]
        assert [{side: child[side] for side in ("left", "right")} for child in part["children"]] == [
            {side: child[side] for side in ("left", "right")} for child in node["children"]]


@program
@each_sample
def test_program_and_oracle(sample):
    theirs, ours = oracle.cells(folders(sample)), program_cells(sample)
    assert theirs.keys() == ours.keys()
    tally = Tally()
    for cell, value in theirs.items():
        tally.compare(cell, ours[cell], value)
    tally.finish(f"program and oracle, diff of {sample}")


@program
@each_sample
def test_plugin_and_program(sample):
    compared, tally = tally_of(sample), Tally()
    tally.equal = compared.equal["diff"]
    for *_, faults in compared.excused.values():
        tally.excuse(" and ".join(faults))
    tally.different = compared.unexplained
    tally.finish(f"plugin and program: two workers compared: {sample}")


# ---- trees ----


def tree_nodes(node, depth=0):
    """(name, start, end, depth) of all below a node of the plugin's tree."""
    for child in node["children"]:
        yield child["name"], child["start_time"], child["end_time"], depth
        yield from tree_nodes(child, depth + 1)


def oracle_nodes(node, depth=0):
    for child in node.children:
        yield child.name, float(child.start), float(child.end), depth
        yield from oracle_nodes(child, depth + 1)


@pytest.mark.parametrize("worker", WORKERS)
@each_sample
def test_plugin_and_oracle_trees(sample, worker):
    roots = oracle.forest(folders(sample)[WORKERS.index(worker)], oracle.FAULTS)
    theirs = [(name, start * 1000, end * 1000, depth) for name, start, end, depth in tree_nodes(samples.answer(sample, f"{worker}.1.tree"))]
    assert theirs == list(oracle_nodes(roots[0]))


@program
@pytest.mark.parametrize("which", range(2))
def test_program_and_oracle_paths(which):
    """The call tree merges calls by path; the oracle's trees, merged in the same way, give the same calls and times."""
    folder = folders(SAMPLES[0])[which]
    rows, paths, found = list(program_report.rows(program_report.report(folder, "call_tree", rows=10**9), "calls")), [], {}
    for row in rows:
        path = (*(paths[row.parent] if row.parent is not None else ()), row.name)
        paths.append(path)
        if row.is_call:
            found[path[1:]] = (found.get(path[1:], (0, 0))[0] + row.calls, found.get(path[1:], (0, 0))[1] + row.host_total)
    expected = {}
    for root in oracle.forest(folder, frozenset()):
        for node in tree.post_order(root):
            if node.kind == "root":
                continue
            path, at = (), node
            while at.kind != "root":
                path, at = (re.sub(r"^(ProfilerStep)#\d+$", r"\1", at.name), *path), at.parent
            calls, total = expected.get(path, (0, 0))
            expected[path] = (calls + 1, total + node.host_total)
    assert found == expected


# ---- call stacks ----


def frames(stack):
    return tuple(frame.strip() for frame in stack.split(";") if frame.strip())


@program
@pytest.mark.parametrize("which", range(2))
def test_call_stacks(which):
    """Every operator's stacks are the plugin's, with as many calls; ranges such as data loading are not operators."""
    worker, tally = WORKERS[which], Tally()
    with Server("--no-cache", "--port", "0", "--no-watch", folders(SAMPLES[0])[which]) as server:
        server.loaded_state()
        for name, table in samples.answer(SAMPLES[0], f"{worker}.1.operation_stack.Operation").items():
            theirs = Counter()
            for row in table["data"]:
                if frames(row["call_stack"]):
                    theirs[frames(row["call_stack"])] += row["calls"]
            status, body = server.json("/api/report?" + urllib.parse.urlencode({"view": "operator_stacks", "name": name}))
            assert status == 200, body
            columns = {column["key"]: column["values"] for column in body["tables"]["stacks"]["columns"]}
            ours = Counter()
            for stack, calls in zip(columns["stack"], columns["calls"]):
                ours[frames(stack)] += calls
            if name.startswith(PHASES):
                tally.excuse("phases_are_operators", sum(theirs.values()))
                continue
            for stack in ours.keys() | theirs.keys():
                tally.compare((name, stack), ours[stack], theirs[stack])
    tally.finish(f"plugin and program: call stacks: {SAMPLES[0]}, {worker}")
