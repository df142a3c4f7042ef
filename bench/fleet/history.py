#!/usr/bin/env python3
"""Asks a lake of thousands of captures which host was slowest in the last 90 days, and measures it.

usage: .venv/bin/python bench/fleet/history.py LAKE FOLDER [--captures 5000] [--days 365]

Repeats the small tables of LAKE's first committed capture (its rows are real, the repetition is simulated) as captures of successive
days, then runs the statement of docs/fleet.md with DuckDB, twice: with nothing in memory but what the system keeps, and again.
"""
import argparse
import json
import os
import pathlib
import shutil
import sys
import time

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

STATEMENT = """
SELECT r.host, count(DISTINCT s.capture) AS captures, sum(s.caused) AS caused, sum(s.caused) / sum(s.total) AS share
FROM read_parquet('{lake}/data/rank_steps/*/reduced/*.parquet', hive_partitioning = true) s
JOIN read_parquet('{lake}/data/ranks/*/reduced/*.parquet', hive_partitioning = true) r ON r.capture = s.capture AND r.id = s.rank_id
WHERE r.origin > {since}
GROUP BY r.host ORDER BY caused DESC LIMIT 10
"""
DAY = 86_400 * 10**9


def repeat(lake, folder, captures, days):
    (committed, *_) = sorted(lake.glob("manifests/*/COMMITTED.json"))
    tables = json.loads(committed.read_text())["tables"]
    read = lambda name: pa.concat_tables([pq.ParquetFile(lake / file["path"]).read() for file in tables[name]])
    ranks, steps = read("ranks"), folder / "rank_steps.parquet"
    pq.write_table(read("rank_steps"), steps, compression="zstd")
    now = time.time_ns()
    for number in range(captures):
        origin = pa.array([now - number * days * DAY // captures] * ranks.num_rows)
        dated = ranks.set_column(ranks.schema.get_field_index("origin"), "origin", origin)
        for name in ("ranks", "rank_steps"):
            (folder / f"data/{name}/capture=job{number:05}/reduced").mkdir(parents=True)
        pq.write_table(dated, folder / f"data/ranks/capture=job{number:05}/reduced/a.parquet", compression="zstd")
        os.link(steps, folder / f"data/rank_steps/capture=job{number:05}/reduced/a.parquet")
    return steps.stat().st_size * captures + ranks.num_rows


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("lake", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--captures", type=int, default=5000)
    parser.add_argument("--days", type=int, default=365)
    chosen = parser.parse_args()
    shutil.rmtree(chosen.folder, ignore_errors=True)
    chosen.folder.mkdir(parents=True)
    size = repeat(chosen.lake, chosen.folder, chosen.captures, chosen.days)
    print(f"{chosen.captures} captures in {chosen.days} days, {size / 1e9:.2f} GB of rank_steps", flush=True)
    database = duckdb.connect()
    database.execute("SET memory_limit = '4GB'")
    for _ in range(2):
        begin, load = time.monotonic(), os.getloadavg()[0]
        answer = database.execute(STATEMENT.format(lake=chosen.folder, since=time.time_ns() - 90 * DAY)).fetchall()
        print(f"{time.monotonic() - begin:.1f} s at load {load:.0f}; first: {answer[0]}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
