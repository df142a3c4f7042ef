"""Modules and call tree: original, oracle and program agree, except for named faults of the original (tests/oracle/modules.py).

The oracle with all faults gives every cell of module.json and tree.json. The program gives the oracle's figures to the
nanosecond, including the backward pass. A named fault changes each cell that differs from the original.
"""
import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import agreement  # noqa: E402
import module_agreement as sides  # noqa: E402
import modules  # noqa: E402
import program_report  # noqa: E402
from test_pytorch_agreement import listed, needs_program, needs_samples  # noqa: E402

CASES = [case for case in agreement.cases_without_engine_steps() if not case.name.startswith("hta_two_ranks")]
WITH_MODULES = [case for case in CASES if sides.body_of(case, "module")]
each_case = pytest.mark.parametrize("case", CASES, ids=repr)
each_case_with_modules = pytest.mark.parametrize("case", WITH_MODULES, ids=repr)


def differences(left, right, is_same):
    return [(cell, left.get(cell, agreement.ABSENT), right.get(cell, agreement.ABSENT))
            for cell in sorted(left.keys() | right.keys(), key=str)
            if not is_same(left.get(cell, agreement.ABSENT), right.get(cell, agreement.ABSENT))]


def flat_cell(difference):
    (place, column), left, right = difference
    return (" > ".join(str(part) for part in place[-3:]), column), left, right


def assert_none(found, total, what):
    assert not found, f"{what}: " + listed([flat_cell(each) for each in found], total)


@needs_samples
@needs_program
@each_case_with_modules
def test_modules(case):
    trace = agreement.read_trace(case.file)
    golden = sides.golden_modules(case)
    original, _, moved = sides.moved_cells(lambda faults: sides.as_golden(modules.modules_of(trace, faults), sides.unit_of(faults)))
    assert_none(differences(golden, original, agreement.about_same), len(golden), "original / oracle with its faults")
    ours = modules.modules_of(trace, frozenset())
    program = sides.program_modules(case.file)
    has_links = any(raw.get("cat") == "fwdbwd" for raw in trace.document["traceEvents"])
    columns = sides.EXACT + (("backward_host", "backward_device") if has_links else ())
    exact = [{(place, column): getattr(module, column) for place, module in found.items() for column in columns}
             for found in (ours, program)]
    assert_none(differences(*exact, lambda left, right: left == right), len(exact[0]), "oracle / program")
    shown = sides.as_golden(program, 1e-3)
    wrong = [each for each in differences(golden, shown, agreement.about_same) if each[0] not in moved]
    assert_none(wrong, len(golden), "original / program, no fault known")
    assert has_links or all(row.backward_host is None for row in program.values())


@needs_samples
@needs_program
@each_case
def test_no_modules_if_the_original_has_none(case):
    assert (sides.program_modules(case.file) is None) == (case not in WITH_MODULES)


@needs_samples
@needs_program
@each_case
def test_tree(case):
    golden = sides.golden_tree(case)
    if golden is None:
        pytest.skip("the original has no tree here")
    thread, theirs = golden
    trace = agreement.read_trace(case.file)
    golden_cells = sides.tree_cells(theirs)
    original, ours, moved = sides.moved_cells(
        lambda faults: sides.tree_cells(modules.paths_of(trace, faults, thread), sides.unit_of(faults)))
    assert_none(differences(golden_cells, original, agreement.about_same), len(golden_cells), "original / oracle with its faults")
    program = sides.tree_cells(sides.program_tree(case.file, thread), 1e-3)
    assert_none(differences(ours, program, agreement.same), len(ours), "oracle / program")
    wrong = [each for each in differences(golden_cells, program, agreement.about_same) if each[0] not in moved]
    assert_none(wrong, len(golden_cells), "original / program, no fault known")
