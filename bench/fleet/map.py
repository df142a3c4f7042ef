#!/usr/bin/env python3
"""Compares `sightline map` of a run with `sightline info` of it: what the tables of a lake take beyond the reading of the traces.

usage: bench/fleet/map.py RUN [--rounds 5]

RUN is a folder with the traces of a job. The two run in turn, without the cache. Prints the ratios of elapsed and of processor time.
"""
import argparse
import os
import pathlib
import statistics
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("SIGHTLINE", ROOT / "build" / "release" / "sightline")


def timed(*words):
    """Elapsed and processor time, in seconds."""
    begin, before = time.perf_counter(), os.times()
    subprocess.run([PROGRAM, *map(str, words)], check=True, stdout=subprocess.DEVNULL)
    after = os.times()
    used = after.children_user + after.children_system - before.children_user - before.children_system
    return time.perf_counter() - begin, used


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run", type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=5)
    chosen = parser.parse_args()
    rounds = []
    for _ in range(chosen.rounds):
        info = timed("info", "--no-cache", chosen.run)
        with tempfile.TemporaryDirectory() as lake:
            rounds.append((info, timed("map", chosen.run, "-o", lake, "--capture", "bench")))
    for place, title in enumerate(("elapsed", "processor")):
        info, mapped = (statistics.median(each[side][place] for each in rounds) for side in (0, 1))
        ratio = statistics.median(each[1][place] / each[0][place] for each in rounds)
        print(f"{title} time: info {info:.2f} s, map {mapped:.2f} s; ratio {ratio:.2f}, load {os.getloadavg()[0]:.0f}")


if __name__ == "__main__":
    main()
