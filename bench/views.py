#!/usr/bin/env python3
"""Times the views of a large profile over HTTP: this program and, if given, another build of it, by turns.

usage: bench/views.py [FILE] [--cached] [--other PROGRAM] [--runs 7] [--program build/release/sightline] [--least 10]

With --cached: the first answer of each view, with its default values, of a server that finds the profile in the cache. A run starts
a server and requests each view once. The cache was written by a server that had time to finish.

Without: each view is requested with its default values, and once for each parameter with another value: the first other choice,
or a letter to search for. A run requests all of them in turn, which is more than a server keeps, so it computes each report again.
What it derives once for a profile is there before the first run.

The result is the median time of each until the whole answer has arrived; those below LEAST ms are not listed.

FILE: build/bench/modern_1GB.json by default, which `bench/make_input.py modern` makes.
"""
import argparse
import contextlib
import json
import pathlib
import statistics
import tempfile
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


def default_questions(programs):
    """Id and path of each view that has an answer with its default values."""
    views = json.loads(programs[0].get("/api/state"))["views"]
    paths = {view["id"]: path_of(view["id"]) for view in views if view["scope"] == "profile"}
    return {view: path for view, path in paths.items() if answers(programs, path)}


def all_questions(programs):
    """Title and path of each that has an answer."""
    questions = {}
    for view, path in default_questions(programs).items():
        questions[view] = path
        for parameter in json.loads(programs[0].get(path))["parameters"]:
            value = other_value(parameter)
            changed = path_of(view, **{parameter["key"]: value})
            if value is not None and answers(programs, changed):
                questions[f"{view} {parameter['key']}={value}"] = changed
    assert len(questions) > MOST_KEPT, "a server would keep all of these reports"
    return questions


def measure(programs, questions, runs):
    """Median ms of each question by program."""
    taken = {title: [] for title in questions}
    for _ in range(runs):
        for title, path in questions.items():
            taken[title].append([program.seconds(path) for program in programs])
    return {title: [1000 * statistics.median(column) for column in zip(*times)] for title, times in taken.items()}


def measure_cached(names, file, runs):
    """Median ms of the first answer of each view, by program."""
    with tempfile.TemporaryDirectory() as folder:
        caches = [pathlib.Path(folder) / str(i) for i in range(len(names))]
        with contextlib.ExitStack() as stack:
            programs = [stack.enter_context(Served(*each)) for each in zip(names, [file] * len(names), caches)]
            questions = default_questions(programs)
            for program in programs:
                program.wait_until_idle()
        taken = {title: [[] for _ in names] for title in questions}
        for _ in range(runs):
            for i, (name, cache) in enumerate(zip(names, caches)):
                with Served(name, file, cache) as program:
                    for title, path in questions.items():
                        taken[title][i].append(program.seconds(path))
    return {title: [1000 * statistics.median(times) for times in each] for title, each in taken.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("file", nargs="?", type=pathlib.Path, default=ROOT / "build" / "bench" / "modern_1GB.json")
    parser.add_argument("--program", default=str(ROOT / "build" / "release" / "sightline"))
    parser.add_argument("--cached", action="store_true")
    parser.add_argument("--other")
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--least", type=float, default=10)
    arguments = parser.parse_args()
    names = [name for name in (arguments.program, arguments.other) if name]
    if arguments.cached:
        medians = measure_cached(names, arguments.file, arguments.runs)
    else:
        with contextlib.ExitStack() as stack:
            programs = [stack.enter_context(Served(name, arguments.file)) for name in names]
            medians = measure(programs, all_questions(programs), arguments.runs)
    print(f"{'':50}{'ms':>8}" + (f"{'other ms':>10}{'ratio':>8}" if arguments.other else ""))
    for title, each in sorted(medians.items(), key=lambda of: -of[1][0]):
        if max(each) >= arguments.least:
            print(f"{title:50}{each[0]:8.1f}" + (f"{each[1]:10.1f}{each[1] / each[0]:8.2f}" if arguments.other else ""))
    print(f"{len(medians)} questions; {sum(each[0] < 20 for each in medians.values())} take less than 20 ms")


if __name__ == "__main__":
    main()
