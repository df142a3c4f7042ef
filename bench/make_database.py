#!/usr/bin/env python3
"""bench/make_database.py nsys|rocpd [MEGABYTES [FILE]]: writes build/bench/report_1GB.sqlite, a long export of Nsight Systems, or
build/bench/trace_1GB_results.db, a long rocpd database of rocprofv3. Prints how many slices it has.

Its tables are those of a fixture in tests/fixtures, and its rows that many operators more: each is a range whose call launches a kernel.
The export has two processes and two devices.
"""
import pathlib
import sqlite3
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "support"))
from sql_fixture import database  # noqa: E402

AT_ONCE, PERIOD, BEGIN, FIRST = 100_000, 10_000, 1_000_000, 1000
# In the statements, n is the number of the operator.

# Two processes, whose calls and kernels have the same correlation.
NSYS = """
INSERT INTO NVTX_EVENTS (start, end, eventType, textId, globalTid)
SELECT {begin} + n * {period}, {begin} + n * {period} + 8000, 59, 20, {thread} FROM numbers;
INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME (start, end, eventClass, globalTid, correlationId, nameId, returnValue)
SELECT {begin} + n * {period} + 1000, {begin} + n * {period} + 3000, 0, {thread}, 1000 + n, 1, 0 FROM numbers;
INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL (start, end, deviceId, contextId, streamId, correlationId, globalPid, demangledName, shortName,
  gridX, gridY, gridZ, blockX, blockY, blockZ, registersPerThread, staticSharedMemory, dynamicSharedMemory)
SELECT {begin} + n * {period} + 4000, {begin} + n * {period} + 9000, 0, 1, 7, 1000 + n, {process}, 10 + n % 3, 13, 64, 1, 1, 128, 1, 1, 32, 1024, 0
FROM numbers;
"""

# An operator has three events: its range, its call and its kernel. The last two have one stack.
ROCPD = """
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



def nsys(first):
    pid = 100 + 100 * (first // AT_ONCE % 2)
    process = (1 << 48) + (pid << 24)
    return NSYS.format(begin=BEGIN, period=PERIOD, thread=process + pid, process=process)


def rocpd(first):
    return ROCPD.format(begin=BEGIN, period=PERIOD, first=FIRST)


KINDS = {"nsys": (nsys, "nsys/two_processes.sql", "report_1GB.sqlite"), "rocpd": (rocpd, "rocm/rocpd.sql", "trace_1GB_results.db")}


def main():
    statements, fixture, name = KINDS[sys.argv[1]]
    megabytes = float(sys.argv[2]) if len(sys.argv) > 2 else 1000
    path = pathlib.Path(sys.argv[3]) if len(sys.argv) > 3 else ROOT / "build" / "bench" / name
    path.unlink(missing_ok=True)
    database(path, fixture)
    with sqlite3.connect(path, isolation_level=None) as file:
        file.executescript("pragma synchronous = off; pragma journal_mode = off; create temp table numbers (n integer)")
        first = 0
        while path.stat().st_size < megabytes * 1e6:
            file.execute("delete from numbers")
            file.execute("insert into numbers with recursive r(n) as (select ? union all select n + 1 from r where n < ?) select n from r", (first, first + AT_ONCE - 1))
            file.executescript(f"begin; {statements(first)} commit;")
            first += AT_ONCE
    file.close()
    print(f"{path}: {path.stat().st_size / 1e6:.0f} MB, {first * 3} slices and those of the fixture")


if __name__ == "__main__":
    main()
