#!/usr/bin/env python3
"""Times what the page requests when a user clicks through a committed lake: the map, its rows and colours, a step, a group, the longest
waits, the ranks of a collective, links and kernels.

usage: .venv/bin/python bench/fleet/clicks.py LAKE [--rounds 5] [--worst 10]

Each click is another request, so that no answer is one that the server keeps: a click that was made before is left out. Prints the median,
the 95th percentile and the slowest clicks, with the load of the machine.
"""
import argparse
import json
import os
import pathlib
import random
import statistics
import sys
import time
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests" / folder) for folder in ("e2e_cli", "support")]
from program import Server  # noqa: E402

SHOWN = ("caused", "waiting", "total", "computation", "communication", "overlap", "other")
ROWS = ("rank", "host", "tp", "dp")


class Clicks:
    def __init__(self, server, run):
        self.server, self.run, self.times, self.made = server, run, [], set()

    def click(self, view, **parameters):
        query = urllib.parse.urlencode({"run": self.run, "view": view, **parameters})
        if query in self.made:
            return None
        self.made.add(query)
        begin = time.perf_counter()
        status, _, body = self.server.get(f"/api/report?{query}")
        self.times.append((time.perf_counter() - begin, f"{view} {parameters}", len(body)))
        if status != 200:
            sys.exit(f"{view} {parameters}: {body.decode()[:500]}")
        return body


def through(clicks, rounds, chance):
    keys = keys_of(clicks)
    for number in range(rounds):
        for shown, rows in zip(chance.sample(SHOWN, 3), chance.sample(ROWS, 3)):
            clicks.click("fleet", show=shown, rows=rows)
        step = chance.randrange(10)
        clicks.click("fleet_ranks", number=step, search=f"node{number}")
        clicks.click("fleet_ranks", search=chance.choice(("1", "2", "3")) + str(number))
        clicks.click("fleet_waits", number=step)
        clicks.click("fleet_waits", search=chance.choice(("tp", "dp")), number=step)
        clicks.click("fleet_groups", search=f"{number}")
        clicks.click("fleet_bandwidth", number=step)
        clicks.click("fleet_links", search=f"{number}")
        clicks.click("fleet_kernels", search=chance.choice("abcdefghijklm"))
        for key in chance.sample(keys, min(3, len(keys))):
            clicks.click("fleet_members", key=key)


def keys_of(clicks):
    """The keys of the collectives that were waited in longest."""
    report = json.loads(clicks.click("fleet_waits"))
    (keys,) = [column["values"] for column in report["tables"]["fleet_waits"]["columns"] if column["key"] == "match_key"]
    return keys


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("lake", type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--worst", type=int, default=10)
    chosen = parser.parse_args()
    load = os.getloadavg()[0]
    with Server("--port", 0, chosen.lake) as server:
        (run,) = server.loaded_state()["runs"]
        clicks = Clicks(server, run["name"])
        through(clicks, chosen.rounds, random.Random(5))
    seconds = sorted(time for time, _, _ in clicks.times)
    print(f"{len(seconds)} clicks: median {1e3 * statistics.median(seconds):.0f} ms, 95th percentile "
          f"{1e3 * seconds[int(0.95 * (len(seconds) - 1))]:.0f} ms, load {load:.0f} to {os.getloadavg()[0]:.0f}")
    for time_, what, size in sorted(clicks.times, reverse=True)[:chosen.worst]:
        print(f"  {1e3 * time_:6.0f} ms {size >> 10:6} KB  {what}")


if __name__ == "__main__":
    main()
