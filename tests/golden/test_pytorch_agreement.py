"""Our program, the oracle and the original plugin agree, except for named faults of the original.

For each sample: the oracle with all faults on gives the original's answer in every cell; the program gives the oracle's answer
with our rules, to the nanosecond; and a named fault changes every cell in which the program differs from the original.
`python3 tests/golden/write_metrics_agreement.py` writes the result into docs/metrics-agreement.md.
"""
import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import agreement  # noqa: E402
import program_report  # noqa: E402
from exact_cells import exact_cells  # noqa: E402

CASES = agreement.cases_without_engine_steps()
needs_samples = pytest.mark.skipif(not CASES, reason="no ../shared with samples and goldens beside the checkout")
needs_program = pytest.mark.skipif(not program_report.PROGRAM.exists(),
                                   reason=f"no program at {program_report.PROGRAM}: build it, or set SIGHTLINE")
each_case = pytest.mark.parametrize("case", CASES, ids=repr)


def listed(differences, total):
    lines = [f"{len(differences)} of {total} cells differ"]
    lines += [f"  {' | '.join(str(part)[:60] for part in cell)}: {left} / {right}" for cell, left, right in differences[:20]]
    return "\n".join(lines)


@needs_samples
@each_case
def test_oracle_with_all_faults_gives_every_golden_cell(case):
    goldens, original = agreement.golden_cells_of(case), agreement.chain(case).original
    assert goldens
    wrong = [(cell, goldens.get(cell, agreement.ABSENT), original.get(cell, agreement.ABSENT))
             for cell in goldens.keys() | original.keys()
             if not agreement.same(goldens.get(cell, agreement.ABSENT), original.get(cell, agreement.ABSENT))]
    assert not wrong, listed(wrong, len(goldens))


@needs_samples
@needs_program
@each_case
def test_program_gives_the_oracles_numbers_exactly(case):
    trace = agreement.read_trace(case.file)
    oracle = exact_cells(agreement.kineto_oracle.analyse(trace))
    program = exact_cells(program_report.figures(case.file))
    wrong = [(cell, oracle.get(cell, agreement.ABSENT), program.get(cell, agreement.ABSENT))
             for cell in sorted(oracle.keys() | program.keys(), key=str)
             if not agreement.same(oracle.get(cell, agreement.ABSENT), program.get(cell, agreement.ABSENT), relative=_relative(cell))]
    assert not wrong, "oracle / program: " + listed(wrong, len(oracle))


def _relative(cell):
    """The program stores the writer's values of a kernel in single precision; times are exact."""
    return 1e-6 if cell[-1] in ("blocks_per_sm", "occupancy", "sm_efficiency") else 1e-12


@needs_samples
@needs_program
@each_case
def test_every_difference_from_the_original_has_a_name(case, capsys):
    tally = tally_of(case)
    with capsys.disabled():
        print(f"\n{case.name}:")
        for view, compared in sorted(tally.compared.items()):
            print(f"  {view:40} {compared:6} cells, {tally.equal[view]:6} equal, {excused_words(tally, view)}")
    assert not tally.unexplained, "original / ours: " + listed(tally.unexplained, sum(tally.compared.values()))


def tally_of(case):
    trace = agreement.read_trace(case.file)
    ours = agreement.golden_cells.of_figures(program_report.figures(case.file), trace, agreement.fault_list.OURS)
    return agreement.compare(agreement.golden_cells_of(case), agreement.flat(ours), agreement.chain(case).moved)


def excused_words(tally, view):
    counts = {}
    for cell, (_, _, faults) in tally.excused.items():
        if cell[0] == view:
            for fault in faults:
                counts[fault] = counts.get(fault, 0) + 1
    excused = sum(cell[0] == view for cell in tally.excused)
    return f"{excused} excused " + ", ".join(f"{fault} {count}" for fault, count in counts.items())
