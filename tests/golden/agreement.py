"""The comparison of three results on one sample: the original's goldens, the oracle and our program.

The oracle runs along the chain of faults, from the original's rules to ours, and each cell remembers which faults changed it.
These faults explain a cell where we differ from the original. Running the chain takes minutes for all samples, so its result is
cached in .cache/oracle, keyed by the oracle's source and the sample.
"""
import functools
import hashlib
import os
import pathlib
import pickle
import re
import sys
from collections import Counter

ROOT = pathlib.Path(__file__).resolve().parents[2]
SHARED = ROOT.parent / "shared"
ORACLE = ROOT / "tests" / "oracle"
sys.path.insert(0, str(ORACLE))

import faults as fault_list  # noqa: E402
import golden_cells  # noqa: E402
import kineto_oracle  # noqa: E402
import kineto_trace  # noqa: E402
import many_faults  # noqa: E402

SAMPLES, GOLDENS, CACHE = SHARED / "samples" / "pytorch", SHARED / "golden" / "pytorch", ROOT / ".cache" / "oracle"
ABSENT = "(no such row)"


class Case:
    """One sample: its trace file and the folder of its goldens."""

    def __init__(self, name, file, goldens):
        self.name, self.file, self.goldens = name, file, goldens

    def __repr__(self):
        return self.name


# The original takes this recording as one step. Ours measures the step of the engine (docs/serving.md); test_serving.py tests it.
SERVED = ("vllm_piecewise_graph_execution",)


def cases_without_engine_steps():
    return [case for case in cases() if case.name not in SERVED]


def cases():
    found = []
    for file in sorted(SAMPLES.glob("*/*.json.gz")):
        folder = file.parent.name
        if folder == "hta_two_ranks":
            rank = file.name.split("-")[-1][0]
            found.append(Case(f"hta_two_ranks_{rank}", file, GOLDENS / "_http" / "filter_2ranks" / f"hostA_{rank}_default"))
        elif (GOLDENS / folder).is_dir():
            found.append(Case(folder, file, GOLDENS / folder))
    return found


@functools.lru_cache(maxsize=2)  # a comparison has two
def read_trace(file):
    return kineto_trace.read_trace(file)


class Chain:
    """`original` and `ours`: cells by (view, *key) at both ends; `moved`: cell -> faults that changed it visibly, in order."""

    def __init__(self, original, ours, moved):
        self.original, self.ours, self.moved = original, ours, moved


def chain(case):
    CACHE.mkdir(parents=True, exist_ok=True)
    kept = CACHE / f"{case.name}-{_fingerprint(case)}.pickle"
    if not kept.exists():
        for old in CACHE.glob(f"{case.name}-*.pickle"):
            old.unlink()
        part = kept.with_suffix(f".{os.getpid()}")
        part.write_bytes(pickle.dumps(_run_chain(case)))
        part.rename(kept)
    original, ours, moved = pickle.loads(kept.read_bytes())
    return Chain(original, ours, moved)


def _fingerprint(case):
    digest = hashlib.sha256(case.file.read_bytes())
    for source in [*sorted(_sources_of("many_faults") | _sources_of("golden_cells")), pathlib.Path(__file__)]:
        digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


@functools.cache
def _sources_of(module):
    """The files of a module of the oracle and of its imports."""
    source = ORACLE / f"{module}.py"
    if not source.exists():
        return frozenset()
    imports = re.findall(r"^\s*(?:import|from) (\w+)", source.read_text(), flags=re.M)
    return frozenset({source}).union(*(_sources_of(name) for name in imports))


def _run_chain(case):
    """Runs the two ends, and bisects between them as long as the ends differ: most faults change nothing in most samples."""
    trace, chain_of_faults, moved, known = read_trace(case.file), list(fault_list.stages()), {}, {}
    oracle = many_faults.ManyFaults(trace)

    def cells_at(stage):
        if stage not in known:
            on = chain_of_faults[stage][1]
            known[stage] = flat(golden_cells.of_figures(oracle.analyse(on), trace, on))
        return known[stage]

    def look_between(first, last):
        before, after = cells_at(first), cells_at(last)
        if before == after:
            return
        if last - first > 1:
            middle = (first + last) // 2
            look_between(first, middle)
            look_between(middle, last)
            return
        for cell in before.keys() | after.keys():
            if not about_same(before.get(cell, ABSENT), after.get(cell, ABSENT)):
                moved.setdefault(cell, []).append(chain_of_faults[last][0])

    end = len(chain_of_faults) - 1
    look_between(0, end)
    return cells_at(0), cells_at(end), moved


def flat(views):
    return {(view, *key): value for view, cells in views.items() for key, value in cells.items()}


def same(left, right, relative=1e-9, absolute=0.0):
    if left == right:
        return True
    numbers = all(isinstance(value, (int, float)) and not isinstance(value, bool) for value in (left, right))
    return numbers and abs(left - right) <= max(absolute, relative * max(abs(left), abs(right)))


def about_same(left, right):
    """Equal within the error of double microseconds: see the specification of the original, 0.1. Rounded cells must be equal."""
    if isinstance(left, float) or isinstance(right, float):
        return same(left, right, relative=1e-5, absolute=2e-3)
    return left == right


def golden_cells_of(case):
    return flat(golden_cells.of_goldens(case.goldens))


class Tally:
    """The results for the cells of one sample, per view."""

    def __init__(self):
        self.compared, self.equal = Counter(), Counter()
        self.excused = {}   # cell -> (golden, ours, faults)
        self.unexplained = []


def compare(goldens, program, moved):
    """Ours against the original's, cell by cell. A cell that only one side has is compared with ABSENT."""
    tally = Tally()
    views = {cell[0] for cell in goldens}
    for cell in sorted(goldens.keys() | {cell for cell in program if cell[0] in views}, key=str):
        if cell[1] == "advice":
            continue  # we have another list
        theirs, ours = goldens.get(cell, ABSENT), program.get(cell, ABSENT)
        tally.compared[cell[0]] += 1
        if about_same(theirs, ours) or {theirs, ours} == {ABSENT, 0} and cell[0] == "overview":
            tally.equal[cell[0]] += 1
        elif cell in moved:
            tally.excused[cell] = (theirs, ours, tuple(moved[cell]))
        else:
            tally.unexplained.append((cell, theirs, ours))
    return tally
