#!/usr/bin/env python3
"""Compares a lake with the view of the profiles, in every cell, and measures both.

usage: bench/fleet/compare.py RANKS FOLDER [--shards N] [--program build/release/sightline] [--engine trino:http://... --engine-lake ADDRESS]
           [options of make_ranks.py]

Makes the traces of RANKS ranks in FOLDER (unless they are there), maps them in shards, commits them, and compares the tables workers,
worker_steps, waits and bandwidth of the view `distributed` with the views of the lake. Times are processor seconds of the program
and its children; memory is the largest resident set.
"""
import argparse
import csv
import io
import pathlib
import resource
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
TIMES = ["computation", "overlap", "communication", "other", "total", "transfer", "waiting", "unmatched", "caused", "delay", "last",
         "outlying"]
WAITS = ["kind", "group", "sequence", "step", "worker", "waited", "longest", "delay", "transfer", "ranks"]
SUMS = ["kind", "group", "ranks", "size", "collectives", "transfer_mean", "waited_mean", "algorithm_bandwidth", "bus_bandwidth",
        "best_bus_bandwidth"]
STEPS = ("SELECT r.worker, s.number AS step, s.* EXCLUDE (rank_id, step, number) FROM rank_steps s JOIN ranks r ON r.id = s.rank_id "
         "ORDER BY r.rank NULLS LAST, r.id, s.step")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ranks", type=int)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--shards", type=int, default=4)
    parser.add_argument("--program", default=ROOT / "build" / "release" / "sightline")
    parser.add_argument("--engine")
    parser.add_argument("--engine-lake")
    chosen, make = parser.parse_known_args()
    job, lake = chosen.folder / "job", chosen.folder / "lake"

    def run(what, *arguments):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run([chosen.program, *map(str, arguments)], capture_output=True, text=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if done.returncode != 0:
            sys.exit(f"{what}: {done.stderr}")
        seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        if what:
            print(f"{what:32s} {seconds:8.2f} s of processor time, largest process so far {after.ru_maxrss >> 10} MB", flush=True)
        return done.stdout

    def rows(what, *arguments):
        table = csv.DictReader(io.StringIO(run(what, *arguments, "--format", "csv")))
        return [{key.split(" (")[0]: value for key, value in row.items()} for row in table]

    if not job.exists():
        subprocess.run([sys.executable, ROOT / "bench" / "make_ranks.py", str(chosen.ranks), job, *make], check=True)
    shutil.rmtree(lake, ignore_errors=True)
    run("info (reads all)", "info", job, "--no-cache")
    for shard in range(chosen.shards):
        run(f"map {shard}/{chosen.shards}", "map", job, "--shard", f"{shard}/{chosen.shards}", "-o", lake, "--capture", "job")
    engine = ["--engine", chosen.engine, "--engine-lake", chosen.engine_lake] if chosen.engine else []
    run("commit", "fleet", "commit", lake, "--capture", "job", *engine)
    size = sum(file.stat().st_size for file in lake.glob("data/collectives/**/*.parquet"))
    count = int(rows("", "query", lake, "SELECT collectives FROM captures")[0]["collectives"])
    print(f"{count} collectives, {size / count:.1f} bytes each")

    wrong = 0

    def compare(what, ours, theirs, keys):
        nonlocal wrong
        pairs = [(float(a[k]) if a[k] else None, float(b[k]) if b[k] else None) if k not in ("kind", "group", "worker")
                 else (a[k], b[k]) for a, b in zip(ours, theirs) for k in keys]
        differ = sum(a != b for a, b in pairs) + abs(len(ours) - len(theirs)) * len(keys)
        wrong += differ
        print(f"{what}: {len(pairs)} cells, {differ} differ")

    distributed = lambda table: rows("" if table != "workers" else "distributed (reads all)", "report", job, "--view", "distributed",
                                     "--table", table)
    ordered = lambda table: sorted(table, key=lambda row: (row["kind"], row["group"], int(row["ranks"]), int(row["size"] or 0)))
    compare("workers", rows("fleet_ranks", "report", lake, "--view", "fleet_ranks"), distributed("workers"), ["worker", "rank", *TIMES, "steps"])
    compare("worker_steps", rows("", "query", lake, STEPS, "--limit", "0"), distributed("worker_steps"), ["worker", "step", *TIMES])
    compare("waits", rows("fleet_waits", "report", lake, "--view", "fleet_waits"), distributed("waits"), WAITS)
    compare("bandwidth", ordered(rows("", "report", lake, "--view", "fleet_bandwidth")), ordered(distributed("bandwidth")), SUMS)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
