#!/usr/bin/env python3
"""Times the views of a large profile over HTTP: this program and, if given, another build of it, by turns.

usage: bench/views.py [FILE] [--other PROGRAM] [--runs 7] [--program build/release/sightline] [--least 10]

Each view is requested with its default values, and once for each parameter with another value: the first other choice, a letter
to search for. A run requests all of them in turn, which is more than a server keeps, so it computes each report again. What it
derives once for a profile is there after the first run, which does not count. The result is the median time of each until the
whole answer has arrived, and lists those of at least LEAST ms.

FILE: build/bench/modern_1GB.json by default, which `bench/make_input.py modern` makes.
"""
import argparse
import json
import pathlib
import statistics
import urllib.parse

from served import Served

ROOT = pathlib.Path(__file__).resolve().parent.parent
MOST_KEPT = 32  # reports by a server: kMostKept in src/engine/kept_report.cc


def other_value(parameter):
    """Not the default; None where none is known."""
    others = [choice["value"] for choice in parameter.get("choices", []) if choice["value"] not in ("", parameter["value"])]
    if others:
        return others[0]
    if parameter["type"] == "integer" and parameter["value"]:
        return str(int(parameter["value"]) + 1)
    return "a" if parameter["key"] == "search" else None


def path_of(view, **values):
    return "/api/report?" + urllib.parse.urlencode({"view": view, **values})


def questions_of(program):
    """Title and path of each."""
    questions = {}
    for view in json.loads(program.get("/api/state"))["views"]:
        if view["scope"] != "profile":
            continue
        try:
            report = json.loads(program.get(path_of(view["id"])))
        except RuntimeError:
            continue  # not a view of this profile
        questions[view["id"]] = path_of(view["id"])
        for parameter in report["parameters"]:
            if (value := other_value(parameter)) is not None:
                questions[f"{view['id']} {parameter['key']}={value}"] = path_of(view["id"], **{parameter["key"]: value})
    assert len(questions) > MOST_KEPT, "a server would keep all of these reports"
    return questions


def seconds(program, path):
    try:
        return program.seconds(path)
    except RuntimeError:  # the value is not one of this view
        return float("nan")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("file", nargs="?", type=pathlib.Path, default=ROOT / "build" / "bench" / "modern_1GB.json")
    parser.add_argument("--program", default=str(ROOT / "build" / "release" / "sightline"))
    parser.add_argument("--other")
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--least", type=float, default=10)
    arguments = parser.parse_args()
    programs = [Served(program, arguments.file, "--no-cache") for program in filter(None, (arguments.program, arguments.other))]
    questions = questions_of(programs[0])
    taken = {title: [] for title in questions}
    for run in range(arguments.runs + 1):
        for title, path in questions.items():
            times = [seconds(program, path) for program in programs]
            if run > 0:
                taken[title].append(times)
    medians = {title: [1000 * statistics.median(column) for column in zip(*times)] for title, times in taken.items()}
    print(f"{'':50}{'ms':>8}" + (f"{'other ms':>10}{'ratio':>8}" if arguments.other else ""))
    for title, each in sorted(medians.items(), key=lambda of: -of[1][0]):
        if max(each) >= arguments.least:
            print(f"{title:50}{each[0]:8.1f}" + (f"{each[1]:10.1f}{each[1] / each[0]:8.2f}" if arguments.other else ""))
    print(f"{len(questions)} questions; {sum(each[0] < 20 for each in medians.values())} take less than 20 ms")
    for program in programs:
        program.end()


if __name__ == "__main__":
    main()
