#!/usr/bin/env python3
"""bench/make_nsys.py [MEGABYTES [FILE]]: writes build/bench/report_1GB.sqlite, a long export of Nsight Systems. Prints how many slices it has.

Its tables are those of tests/fixtures/nsys/two_processes.sql, and its rows that many operators more: each is a range that
launches a kernel on one of two devices.
"""
import pathlib
import sqlite3
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "support"))
from sql_fixture import database  # noqa: E402

AT_ONCE, PERIOD, BEGIN = 100_000, 10_000, 1_000_000
# n: the number of the operator. Two processes, whose calls and kernels have the same correlation.
OPERATORS = """
INSERT INTO NVTX_EVENTS (start, end, eventType, textId, globalTid)
SELECT {begin} + n * {period}, {begin} + n * {period} + 8000, 59, 20, {thread} FROM numbers;
INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME (start, end, eventClass, globalTid, correlationId, nameId, returnValue)
SELECT {begin} + n * {period} + 1000, {begin} + n * {period} + 3000, 0, {thread}, 1000 + n, 1, 0 FROM numbers;
INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL (start, end, deviceId, contextId, streamId, correlationId, globalPid, demangledName, shortName,
  gridX, gridY, gridZ, blockX, blockY, blockZ, registersPerThread, staticSharedMemory, dynamicSharedMemory)
SELECT {begin} + n * {period} + 4000, {begin} + n * {period} + 9000, 0, 1, 7, 1000 + n, {process}, 10 + n % 3, 13, 64, 1, 1, 128, 1, 1, 32, 1024, 0
FROM numbers;
"""


def main():
    megabytes = float(sys.argv[1]) if len(sys.argv) > 1 else 1000
    path = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else ROOT / "build" / "bench" / "report_1GB.sqlite"
    path.unlink(missing_ok=True)
    database(path, "nsys/two_processes.sql")
    with sqlite3.connect(path, isolation_level=None) as file:
        file.executescript("pragma synchronous = off; pragma journal_mode = off; create temp table numbers (n integer)")
        first = 0
        while path.stat().st_size < megabytes * 1e6:
            file.execute("delete from numbers")
            file.execute("insert into numbers with recursive r(n) as (select ? union all select n + 1 from r where n < ?) select n from r", (first, first + AT_ONCE - 1))
            pid = 100 + 100 * (first // AT_ONCE % 2)
            process = (1 << 48) + (pid << 24)
            file.executescript(f"begin; {OPERATORS.format(begin=BEGIN, period=PERIOD, thread=process + pid, process=process)} commit;")
            first += AT_ONCE
    file.close()
    print(f"{path}: {path.stat().st_size / 1e6:.0f} MB, {first * 3} slices and those of the fixture")


if __name__ == "__main__":
    main()
