#!/usr/bin/env python3
"""bench/make_rocpd.py [MEGABYTES [FILE]]: writes build/bench/trace_1GB_results.db, a long rocpd database of rocprofv3. Prints how many slices it has.

Its tables are those of tests/fixtures/rocm/rocpd.sql, and its rows that many operators more: each is a roctx range with a call
that launches a kernel.
"""
import pathlib
import sqlite3
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "support"))
from sql_fixture import database  # noqa: E402

AT_ONCE, PERIOD, BEGIN, FIRST = 100_000, 10_000, 1_000_000, 1000
# n: the number of the operator, which has three events: its range, its call and its kernel. The last two have one stack.
OPERATORS = """
INSERT INTO rocpd_event_7 (id, category_id, stack_id, parent_stack_id, correlation_id, extdata)
SELECT {first} + 3 * n, 2, {first} + 3 * n, 0, 0, '{{"message": "operator ' || n % 100 || '"}}' FROM numbers
UNION ALL SELECT {first} + 3 * n + 1, 1, {first} + 3 * n + 1, 0, 0, '{{}}' FROM numbers
UNION ALL SELECT {first} + 3 * n + 2, 3, {first} + 3 * n + 1, 0, 0, '{{}}' FROM numbers;
INSERT INTO rocpd_region_7 (nid, pid, tid, start, end, name_id, event_id)
SELECT 1, 1, 1, {begin} + n * {period}, {begin} + n * {period} + 8000, 12, {first} + 3 * n FROM numbers
UNION ALL SELECT 1, 1, 1, {begin} + n * {period} + 1000, {begin} + n * {period} + 3000, 10, {first} + 3 * n + 1 FROM numbers;
INSERT INTO rocpd_kernel_dispatch_7 (nid, pid, tid, agent_id, kernel_id, dispatch_id, queue_id, stream_id, start, end, group_segment_size,
  workgroup_size_x, workgroup_size_y, workgroup_size_z, grid_size_x, grid_size_y, grid_size_z, event_id)
SELECT 1, 1, 1, 2, 5 + n % 2, {first} + n, 3, 1, {begin} + n * {period} + 4000, {begin} + n * {period} + 9000, 2048, 256, 1, 1, 512, 1, 1,
  {first} + 3 * n + 2 FROM numbers;
"""


def main():
    megabytes = float(sys.argv[1]) if len(sys.argv) > 1 else 1000
    path = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else ROOT / "build" / "bench" / "trace_1GB_results.db"
    path.unlink(missing_ok=True)
    database(path, "rocm/rocpd.sql")
    with sqlite3.connect(path, isolation_level=None) as file:
        file.executescript("pragma synchronous = off; pragma journal_mode = off; create temp table numbers (n integer)")
        done = 0
        while path.stat().st_size < megabytes * 1e6:
            file.execute("delete from numbers")
            file.execute("insert into numbers with recursive r(n) as (select ? union all select n + 1 from r where n < ?) select n from r", (done, done + AT_ONCE - 1))
            file.executescript(f"begin; {OPERATORS.format(begin=BEGIN, period=PERIOD, first=FIRST)} commit;")
            done += AT_ONCE
    file.close()
    print(f"{path}: {path.stat().st_size / 1e6:.0f} MB, {done * 3} slices and those of the fixture")


if __name__ == "__main__":
    main()
