"""Operators of compiled programs in real profiles of a device: the view's sums equal those of SQL over the slices that do not
wait, and its shares and the hierarchy add up to them. Skipped if the samples are missing."""
import json
import pathlib
import sys

import pytest

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE)]
import program_report  # noqa: E402
from program_report import query  # noqa: E402

SAMPLES = sorted((HERE.parents[2] / "shared" / "samples" / "neuron").glob("*/*.json.gz"))
pytestmark = [pytest.mark.skipif(not SAMPLES, reason="no samples beside the checkout"),
              pytest.mark.skipif(not program_report.PROGRAM.exists(), reason=f"no program at {program_report.PROGRAM}")]


@pytest.mark.parametrize("file", SAMPLES, ids=lambda file: file.name)
def test_sums(file):
    rows = list(program_report.rows(program_report.report(file, "program_operators"), "program_operators"))
    told = sorted((row.name, row.core or "", row.calls, row.total) for row in rows)
    wanted = query(file, """select o.name, coalesce(d.core, ''), count(*), sum(s.duration) from program_work w join slices s on s.id = w.slice
                            join program_operators o on o.id = w.program_operator left join device_work d on d.slice = w.slice
                            where s.kind <> 'sync' group by o.id, o.name, 2 order by 1, 2""")
    assert told == sorted(wanted) and told
    assert sum(row.share for row in rows) == pytest.approx(1)
    time = sum(row.time for row in rows)
    hierarchy = program_report.rows(program_report.report(file, "operator_hierarchy"), "hierarchy")
    assert sum(row.time for row in hierarchy if row.parent is None) == time
    frameworks = program_report.rows(program_report.report(file, "framework_operators"), "framework_operators")
    assert sum(row.time for row in frameworks) == time
    flops = query(file, "select sum(c.flops) from work_costs c join program_work w on w.slice = c.slice")[0][0]
    assert sum(row.flops or 0 for row in rows) == pytest.approx(flops)
