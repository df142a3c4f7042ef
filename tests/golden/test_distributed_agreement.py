"""The view across ranks: original, oracle and program agree, except for named faults of the original
(tests/oracle/distributed.py).

For the two ranks of one job we have the original's answers over HTTP. Every sample with communication has, beside its goldens,
the parts of its steps and the list of its communication nodes; for the program it is one worker.
"""
import gzip
import json
import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import agreement  # noqa: E402
import distributed  # noqa: E402
import distributed_agreement as sides  # noqa: E402
from test_modules import assert_none, differences  # noqa: E402
from test_pytorch_agreement import needs_program, needs_samples  # noqa: E402


def meta_of(case):
    path = case.goldens / "_meta.json.gz"
    return json.loads(gzip.open(path).read()) if path.exists() else {}


COMMUNICATING = [case for case in agreement.cases() if meta_of(case).get("comm_nodes")]
each_case = pytest.mark.parametrize("case", COMMUNICATING, ids=repr)


@needs_samples
def test_oracle_gives_every_cell_of_the_original():
    golden, oracle = sides.golden_cells(), sides.named_alike(sides.oracle_cells(sides.two_ranks(), distributed.EVERY))
    assert len(golden) == 50
    assert_none(differences(golden, oracle, agreement.same), len(golden), "original / oracle with its faults")


@needs_samples
@needs_program
def test_program_gives_the_oracles_numbers_and_every_difference_has_a_name():
    traces = sides.two_ranks()
    golden, program = sides.golden_cells(), sides.program_cells(sides.TWO_RANKS)
    _, ours, moved = sides.moved_cells(traces)
    assert_none(differences(ours, program, exactly), len(ours), "oracle / program")
    wrong = [each for each in differences(golden, program, agreement.about_same) if each[0] not in moved]
    assert_none(wrong, len(golden), "original / program, no fault known")


def exactly(left, right):
    """Nanoseconds as microseconds: equal except for the last bit. A value that looks like an integer was rounded in the same
    way."""
    return agreement.same(left, right, relative=1e-12)


@needs_samples
@each_case
def test_oracle_gives_the_parts_of_steps_and_the_nodes_of_the_original(case):
    meta, worker = meta_of(case), distributed.worker_of(agreement.read_trace(case.file), distributed.EVERY)
    theirs = [[step[part] for part in ("computation", "overlap", "communication", "other")] for step in meta["comm_overlap"]]
    golden = {(row, part): value for row, step in enumerate(theirs) for part, value in enumerate(step)}
    golden = {cell: value if cell[1] in (1, 3) else value - golden[cell[0], 1] for cell, value in golden.items()}
    oracle = {(row, part): value for row, (_, _, parts) in enumerate(worker.rows) for part, value in enumerate(parts)}
    assert_none(differences(golden, oracle, agreement.about_same), len(golden), "parts")
    nodes = [(node["name"], node["start"], node["end"], node["step"]) for node in meta["comm_nodes"]]
    shown = [(one.name, one.start, one.end, one.step) for one in worker.collectives]
    assert nodes == shown[:2000]  # only so many were recorded


@needs_samples
@needs_program
@each_case
def test_program_gives_the_oracles_numbers_of_one_worker(case):
    ours = sides.oracle_cells({"w": agreement.read_trace(case.file)}, sides.OURS)
    assert_none(differences(ours, sides.program_cells(case.file), exactly), len(ours), "oracle / program")


@needs_program
def test_a_collective_has_one_name_in_all_tables():
    """The ranks' file has allreduce, all_reduce and _allgather_base."""
    body = sides.program_report.report(pathlib.Path(__file__).parents[2] / "samples" / "ddp_cuda", "distributed")
    operations = list(sides.program_report.rows(body, "operations"))
    assert {row.name for row in operations} == {row.kind for row in sides.program_report.rows(body, "bandwidth")}
    assert {"allreduce", "all_reduce", "_allgather_base"} <= {row.recorded for row in operations}
