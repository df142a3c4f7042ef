#!/usr/bin/env python3
"""Times SQL over large profiles: this program and, if given, another build of it, as ratios of one run.

usage: bench/query.py FILE... [--other PROGRAM] [--runs 5] [--program build/release/sightline]

Each program serves the profile, and they answer the queries below by turns. The result is the least time of each until the
whole answer has arrived. It also prints the processor time of all runs, by run, which other work on the machine disturbs less.
bench/make_input.py makes files: `classic --bytes 2.35e8`, `modern --bytes 1e9`.
"""
import argparse
import contextlib
import pathlib
import sys
import urllib.parse

from served import Served

ROOT = pathlib.Path(__file__).resolve().parent.parent
QUESTIONS = {
    "first answer": "SELECT 1",
    "ten rows": "SELECT * FROM slices LIMIT 10",
    "one row by its number": "SELECT name, duration FROM slices WHERE id = 100000",
    "count and sum": "SELECT count(*) AS n, sum(duration) AS total_ns FROM slices",
    "group by name": "SELECT name, count(*) AS calls, sum(duration) AS total_ns FROM slices GROUP BY name ORDER BY total_ns DESC LIMIT 50",
    "kernels by name": "SELECT name, count(*) AS calls, sum(duration) AS total_ns FROM kernels GROUP BY name ORDER BY total_ns DESC LIMIT 50",
    "kernels by operator": "SELECT operator, count(*) AS n, sum(duration) AS total_ns FROM kernels GROUP BY operator ORDER BY total_ns DESC LIMIT 50",
    "kernels with their operators":
        "SELECT o.name, count(*) AS kernels, sum(s.duration) AS total_ns FROM device_work w JOIN slices s ON s.id = w.slice "
        "JOIN slices o ON o.id = w.owner GROUP BY o.name ORDER BY total_ns DESC LIMIT 50",
    "operators with their parents":
        "SELECT p.name, count(*) AS n FROM operators o JOIN slices s ON s.id = o.slice JOIN slices p ON p.id = s.parent "
        "GROUP BY p.name ORDER BY n DESC LIMIT 50",
    "window function":
        "SELECT max(gap) AS most_ns FROM (SELECT start - lag(start + duration) OVER (PARTITION BY lane ORDER BY start) AS gap FROM slices)",
    "longest slices": "SELECT name, duration FROM slices ORDER BY duration DESC LIMIT 100",
    "text search": "SELECT count(*) AS n FROM slices WHERE name LIKE '%mm%'",
}


def seconds(program, sql):
    try:
        return program.seconds("/api/query?format=csv&" + urllib.parse.urlencode({"sql": sql}))
    except RuntimeError as failed:
        print(failed, file=sys.stderr)
        return float("nan")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("files", nargs="+", type=pathlib.Path)
    parser.add_argument("--program", default=str(ROOT / "build" / "release" / "sightline"))
    parser.add_argument("--other")
    parser.add_argument("--runs", type=int, default=5)
    arguments = parser.parse_args()
    for file in arguments.files:
        measure(file, arguments)


def measure(file, arguments):
    with contextlib.ExitStack() as stack:
        programs = [stack.enter_context(Served(program, file)) for program in filter(None, (arguments.program, arguments.other))]
        print(f"{file.name}\n{'':30}{'ms':>10}{'cpu ms':>10}" + (f"{'other ms':>10}{'cpu ms':>10}{'ratio':>8}" if arguments.other else ""))
        for title, sql in QUESTIONS.items():
            before = [program.processor_seconds() for program in programs]
            times = [[seconds(program, sql) for program in programs] for _ in range(arguments.runs)]
            taken = [program.processor_seconds() - begun for program, begun in zip(programs, before)]
            least = [min(column) * 1000 for column in zip(*times)]
            line = "".join(f"{wall:10.1f}{1000 * cpu / arguments.runs:10.1f}" for wall, cpu in zip(least, taken))
            print(f"{title:30}{line}" + (f"{least[1] / least[0]:8.1f}" if arguments.other else ""), flush=True)


if __name__ == "__main__":
    main()
