#!/usr/bin/env python3
"""Maps a job of many small traces through Ray, undisturbed and with a part of the attempts killed, and measures both.

usage: bench/fleet/ray_map.py RANKS FOLDER [--shards N] [--killed 0.2] [--cpus 1] [options of make_ranks.py]

Kills `sightline map` processes and Ray's workers at random moments until so large a part of the shards was killed once. Prints times,
attempts, the largest memory of a map process, and whether the committed capture has every rank exactly once. Needs `make fleet`.
"""
import argparse
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests" / "fleet"), str(ROOT / "tests" / "e2e_cli"), str(ROOT / "tests" / "support")]
from test_ray import descendants, kill, start  # noqa: E402

from program import PROGRAM  # noqa: E402


def peak_of(pid):
    """The largest resident set of a process so far, in KB."""
    try:
        status = pathlib.Path(f"/proc/{pid}/status").read_text()
        return int(status.split("VmHWM:")[1].split()[0]) if "VmHWM:" in status else 0
    except OSError:
        return 0


def mapped(chosen, lake, share):
    shutil.rmtree(lake, ignore_errors=True)
    chance, killed, peak, load = random.Random(3), 0, 0, os.getloadavg()[0]
    begin = time.monotonic()
    process = start("map", chosen.folder / "job", "-o", lake, "--capture", "job", "--shards", chosen.shards, "--cpus", chosen.cpus, "--retries", "20")
    wanted = int(share * chosen.shards)
    while process.poll() is None:
        time.sleep(0.05)
        running = descendants(process.pid)
        programs = [pid for pid, line in running.items() if f"{PROGRAM} map" in line]
        workers = [pid for pid, line in running.items() if line.startswith("ray::shard")]
        peak = max([peak, *map(peak_of, programs)])
        if killed < wanted and programs and chance.random() < 0.5:
            killed += kill(chance.choice(programs if chance.random() < 0.8 or not workers else workers))
    said = process.communicate()[0]
    if process.returncode:
        sys.exit(said)
    seconds = time.monotonic() - begin
    committed = json.loads((lake / "manifests" / "capture=job" / "COMMITTED.json").read_text())
    rows = sum(file["rows"] for file in committed["tables"]["ranks"])
    once = rows == committed["ranks"] == chosen.ranks and len(committed["manifests"]) == chosen.shards
    print(f"{killed} of {chosen.shards} attempts killed: {seconds:.0f} s with the commit, largest map process {peak >> 10} MB, "
          f"every rank once: {once}, load {load:.0f} to {os.getloadavg()[0]:.0f}", flush=True)
    return seconds, once


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ranks", type=int)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--shards", type=int)
    parser.add_argument("--killed", type=float, default=0.2)
    parser.add_argument("--cpus", default="1")
    chosen, make = parser.parse_known_args()
    chosen.shards = chosen.shards or (chosen.ranks + 15) // 16
    job = chosen.folder / "job"
    if not job.exists():
        subprocess.run([sys.executable, ROOT / "bench" / "make_ranks.py", str(chosen.ranks), job, *make], check=True)
    undisturbed, once = mapped(chosen, chosen.folder / "undisturbed", 0)
    disturbed, still = mapped(chosen, chosen.folder / "disturbed", chosen.killed)
    print(f"killed: {disturbed / undisturbed:.2f} times undisturbed")
    return 0 if once and still else 1


if __name__ == "__main__":
    sys.exit(main())
