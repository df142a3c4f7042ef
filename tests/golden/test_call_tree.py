"""The merged call trees of the samples: bottom up, callers and callees are recomputed by walking every path of the top-down tree."""
import collections
import json
import pathlib

import pytest

import program_report

SAMPLES = pathlib.Path(__file__).resolve().parents[2] / "samples"
TIMES = ("calls", "host_self", "host_total", "device_self", "device_total")
TRACES = sorted([*SAMPLES.glob("gpt_cuda/*.gz"), *SAMPLES.glob("conv/*.gz"), *SAMPLES.glob("jax_cuda/**/*.pb*")])[:3]

pytestmark = pytest.mark.skipif(not program_report.PROGRAM.exists(), reason="the program is not built: make build")


def add(sums, key, row):
    for at, time in enumerate(TIMES):
        sums[key][at] += getattr(row, time) or 0


def new_sums():
    return collections.defaultdict(lambda: [0] * len(TIMES))


class Paths:
    """The top-down tree, whole: its rows, and the names on the way from the outermost call to each (threads and frames of recorded
    stacks are rows that are no calls)."""

    def __init__(self, file, **choice):
        self.rows = list(program_report.rows(program_report.report(file, "call_tree", rows=10_000_000, **choice), "calls"))
        self.ways = []
        for row in self.rows:
            above = () if row.parent is None else self.ways[row.parent]
            is_thread = row.parent is None and not row.is_call
            self.ways.append(() if is_thread else (*above, row.name))

    def bottom_up(self):
        sums = new_sums()
        for row, way in zip(self.rows, self.ways):
            if not row.is_call:
                continue
            for length in range(1, len(way) + 1):
                add(sums, way[::-1][:length], row)
        return sums

    def around(self, function):
        up, down = new_sums(), new_sums()
        for row, way in zip(self.rows, self.ways):
            if function not in way:
                continue
            outermost = way.index(function)
            add(down, way[outermost:], row)
            if outermost == len(way) - 1:
                for length in range(1, len(way) + 1):
                    add(up, way[::-1][:length], row)
        return up, down


def shown(body, table):
    """Of each row: the names from the top of its tree on, and its sums."""
    ways, found = [], {}
    for row in program_report.rows(body, table):
        ways.append(((*ways[row.parent], row.name) if row.parent is not None else (row.name,)))
        assert ways[-1] not in found
        found[ways[-1]] = [getattr(row, time) or 0 for time in TIMES]
    return found


@pytest.mark.parametrize("tree", ["ranges", "python"])
@pytest.mark.parametrize("file", TRACES, ids=lambda path: path.name[:24])
def test_merged_trees_are_sums_of_paths(file, tree):
    info = program_report.report(file, "call_tree")
    kinds = next(parameter for parameter in info["parameters"] if parameter["key"] == "tree")["choices"]
    if tree not in json.dumps(kinds):
        pytest.skip("recorded without Python functions")
    paths = Paths(file, tree=tree)
    bottom_up = program_report.report(file, "call_tree", tree=tree, show="callers", rows=10_000_000)
    assert shown(bottom_up, "functions") == dict(paths.bottom_up())

    names = collections.Counter(way[-1] for row, way in zip(paths.rows, paths.ways) if row.is_call)
    recursive = [way[-1] for way in paths.ways if way and way[-1] in way[:-1]]
    for function in [name for name, _ in names.most_common(3)] + recursive[:3]:
        up, down = paths.around(function)
        body = program_report.report(file, "call_tree", tree=tree, function=function, rows=10_000_000)
        assert shown(body, "callers") == dict(up), function
        assert shown(body, "callees") == dict(down), function


def test_the_samples_are_there():
    assert len(TRACES) == 3


def test_steps_are_one_row():
    (file,) = SAMPLES.glob("gpt_cuda/*.gz")
    steps = [row for row in Paths(file).rows if "Step" in row.name]
    assert [(row.name, row.calls) for row in steps] == [("ProfilerStep", 2)]
