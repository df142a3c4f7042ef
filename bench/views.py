#!/usr/bin/env python3
"""Times the views of a large profile over HTTP: this program and, if given, another build of it, by turns.

usage: bench/views.py [FILE] [--other PROGRAM] [--runs 7] [--program build/release/sightline] [--least 10]

Each view is requested with its default values, and once for each parameter with another value: the first other choice, or a letter
to search for. A run requests all of them in turn, which is more than a server keeps, so it computes each report again. What it
derives once for a profile is there before the first run. The result is the median time of each until the whole answer has
arrived; those below LEAST ms are not listed.

FILE: build/bench/modern_1GB.json by default, which `bench/make_input.py modern` makes.
"""
import argparse
import contextlib
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


def answers(programs, path):
    """Whether all of them do: a profile lacks some views, and a view some values."""
    try:
        for program in programs:
            program.get(path)
    except RuntimeError:
        return False
    return True


def questions_of(programs):
    """Title and path of each that has an answer."""
    questions = {}
    for view in json.loads(programs[0].get("/api/state"))["views"]:
        path = path_of(view["id"])
        if view["scope"] != "profile" or not answers(programs, path):
            continue
        questions[view["id"]] = path
        for parameter in json.loads(programs[0].get(path))["parameters"]:
            value = other_value(parameter)
            changed = path_of(view["id"], **{parameter["key"]: value})
            if value is not None and answers(programs, changed):
                questions[f"{view['id']} {parameter['key']}={value}"] = changed
    assert len(questions) > MOST_KEPT, "a server would keep all of these reports"
    return questions


def measure(programs, questions, runs):
    """Median ms of each question by program."""
    taken = {title: [] for title in questions}
    for _ in range(runs):
        for title, path in questions.items():
            taken[title].append([program.seconds(path) for program in programs])
    return {title: [1000 * statistics.median(column) for column in zip(*times)] for title, times in taken.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("file", nargs="?", type=pathlib.Path, default=ROOT / "build" / "bench" / "modern_1GB.json")
    parser.add_argument("--program", default=str(ROOT / "build" / "release" / "sightline"))
    parser.add_argument("--other")
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--least", type=float, default=10)
    arguments = parser.parse_args()
    with contextlib.ExitStack() as stack:
        names = filter(None, (arguments.program, arguments.other))
        programs = [stack.enter_context(Served(name, arguments.file)) for name in names]
        questions = questions_of(programs)
        medians = measure(programs, questions, arguments.runs)
    print(f"{'':50}{'ms':>8}" + (f"{'other ms':>10}{'ratio':>8}" if arguments.other else ""))
    for title, each in sorted(medians.items(), key=lambda of: -of[1][0]):
        if max(each) >= arguments.least:
            print(f"{title:50}{each[0]:8.1f}" + (f"{each[1]:10.1f}{each[1] / each[0]:8.2f}" if arguments.other else ""))
    print(f"{len(questions)} questions; {sum(each[0] < 20 for each in medians.values())} take less than 20 ms")


if __name__ == "__main__":
    main()
