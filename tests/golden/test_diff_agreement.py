"""Comparing two runs: original, oracle and program agree, except for named faults of the original (tests/oracle/diff.py)."""
import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import agreement  # noqa: E402
import diff_agreement as sides  # noqa: E402
from test_modules import assert_none, differences  # noqa: E402
from test_pytorch_agreement import needs_program, needs_samples  # noqa: E402

SMALL = ("resnet50_num_workers_4", "hta_amd_mi250", "h100_bert_small", "hta_cpu_gloo")
each_pair = pytest.mark.parametrize("pair", sides.pairs(), ids=repr)


def flat(cells):
    return {(cell[:-2], cell[-2:]): value for cell, value in cells.items()}


@needs_samples
@needs_program
@each_pair
def test_diff(pair):
    if None in pair.files:
        pytest.skip("a trace of this pair is not beside the checkout")
    golden = sides.golden_cells(pair.golden)
    original, ours, moved = sides.moved_cells(pair.files)
    assert_none(differences(flat(golden), flat(original), agreement.about_same), len(golden), "original / oracle with its faults")
    with sides.program_of(pair.files) as ask:
        program = sides.program_cells(ask)
    exact = sides.oracle_cells(pair.files, frozenset())
    exact = {cell: value if cell[-1] == "calls" else round(value * 1e3) for cell, value in exact.items()}
    assert_none(differences(flat(exact), flat(program), lambda left, right: left == right), len(exact), "oracle / program")
    shown = {cell: value if cell[-1] == "calls" else value * 1e-3 for cell, value in program.items()}
    wrong = [each for each in differences(golden, shown, agreement.about_same) if each[0] not in moved]
    assert_none([((each[0][:-2], each[0][-2:]), *each[1:]) for each in wrong], len(golden), "original / program, no fault known")


@needs_samples
@needs_program
@pytest.mark.parametrize("case", [case for case in agreement.cases() if case.name in SMALL], ids=repr)
def test_a_sample_compared_with_itself_has_no_difference(case):
    with sides.program_of([case.file, case.file]) as ask:
        for node in ("", "0", "0-0"):
            try:
                tables = ask(node)
            except AssertionError as refusal:
                assert "leads nowhere" in str(refusal)
                continue
            for rows in tables.values():
                for row in rows:
                    changes = {key: value for key, value in row.items() if key.startswith("change_")}
                    assert changes and not any(changes.values()), row
