"""Modules and call tree of one sample: the original's module.json and tree.json, the oracle and our program, as cells.

Cells of modules: (place, column) with the place a tuple of (name, id); those of the tree: (path, "calls" | "host").
"""
import gzip
import json
import re

import agreement
import modules
import program_report

COLUMNS = {"occurences": "calls", "operators": "operators", "host_duration": "host_total", "self_host_duration": "host_self",
           "device_duration": "device_total", "self_device_duration": "device_self"}
EXACT = ("calls", "operators", "host_total", "host_own", "host_self", "device_total", "device_self", "device_busy")


def body_of(case, view):
    path = case.goldens / f"{view}.json.gz"
    return json.loads(gzip.open(path).read()) if path.exists() else None


def golden_modules(case):
    cells = {}
    body = body_of(case, "module")
    stack = [((), row) for row in (body or {}).get("data", ())]
    while stack:
        above, row = stack.pop()
        place = (*above, (row["name"], row["id"]))
        for theirs in COLUMNS:
            assert cells.get((place, theirs), row[theirs]) == row[theirs]
            cells[place, theirs] = row[theirs]
        cells[place, "avg_duration"] = row["avg_duration"]
        stack += [(place, child) for child in row["children"]]
    return cells


def as_golden(found, unit):
    """Module figures as the original shows them; `unit` of its times in microseconds."""
    cells = {}
    for place, module in found.items():
        if module.calls == 0:
            continue  # the original lists only modules with counts
        for theirs, ours in COLUMNS.items():
            value = getattr(module, ours)
            cells[place, theirs] = value * unit if theirs.endswith("duration") else value
        time = module.device_total or module.host_total
        cells[place, "avg_duration"] = time * unit / module.calls
    return cells


def program_modules(file):
    """Place -> row; None when the program says that there are no modules."""
    try:
        body = program_report.report(file, "modules")
    except AssertionError as refusal:
        assert "recorded without calls of modules" in str(refusal), refusal
        return None
    places, found = [], {}
    for row in program_report.rows(body, "modules"):
        place = (*(places[row.parent] if row.parent is not None else ()), (row.name, row.instance))
        places.append(place)
        assert place not in found
        for column in ("device_total", "device_self", "device_busy"):
            setattr(row, column, getattr(row, column) or 0)
        found[place] = row
    return found


def golden_tree(case):
    """Thread and (path -> [calls, host time]) of the original's tree, merged by path; None when it has no tree."""
    body = body_of(case, "tree")
    if not body or not body.get("children"):
        return None
    sums = {}
    stack = [((), child) for child in body["children"]]
    while stack:
        above, node = stack.pop()
        path = (*above, node["name"])
        entry = sums.setdefault(path, [0, 0])
        entry[0] += 1
        entry[1] += node["end_time"] - node["start_time"]
        stack += [(path, child) for child in node["children"]]
    return str(body["tid"]), sums


def program_tree(file, thread):
    """Path -> [calls, host time in ns] of the thread with this tid."""
    first = program_report.report(file, "call_tree", rows=1)
    choices = next(parameter["choices"] for parameter in first["parameters"] if parameter["key"] == "thread")
    lanes = [choice["value"] for choice in choices[1:] if thread in choice["title"].replace("(", " ").replace(")", " ").split()]
    assert len(lanes) == 1, (thread, choices)
    body = program_report.report(file, "call_tree", thread=lanes[0], rows=10**9)
    paths, sums = [], {}
    for row in program_report.rows(body, "calls"):
        path = (*(paths[row.parent] if row.parent is not None else ()), row.name)
        paths.append(path)
        sums[path] = [row.calls, row.host_total]
    return sums


STEP = re.compile(r"(ProfilerStep)[# ]*\d+$")


def tree_cells(sums, unit=1):
    """The program has one row for all steps; so have these."""
    merged = {}
    for path, entry in sums.items():
        path = tuple(STEP.sub(r"\1", name) for name in path)
        merged[path] = [one + other for one, other in zip(entry, merged.get(path, (0, 0)))]
    return {(path, part): value if part == "calls" else value * unit
            for path, entry in merged.items() for part, value in zip(("calls", "host"), entry)}


def moved_cells(cells_at, chain=modules.CHAIN, every=modules.EVERY):
    """Cell -> names of the faults that change it, in the order of the chain; `cells_at(faults)` gives cells in microseconds."""
    moved, known = {}, {}

    def at(stage):
        if stage not in known:
            known[stage] = cells_at(every - set(chain[:stage]))
        return known[stage]

    def look_between(first, last):
        before, after = at(first), at(last)
        if before == after:
            return
        if last - first > 1:
            look_between(first, (first + last) // 2)
            look_between((first + last) // 2, last)
            return
        for cell in before.keys() | after.keys():
            if not agreement.about_same(before.get(cell, agreement.ABSENT), after.get(cell, agreement.ABSENT)):
                moved.setdefault(cell, []).append(chain[last - 1])

    look_between(0, len(chain))
    return at(0), at(len(chain)), moved


def unit_of(faults):
    return 1 if "double_microseconds" in faults else 1e-3


class Compared:
    """The cells of one answer of the original, how many of ours are equal, and which faults changed the others."""

    def __init__(self, golden, shown, moved):
        self.cells, self.equal, self.faults = len(golden.keys() | shown.keys()), 0, {}
        for cell in golden.keys() | shown.keys():
            if agreement.about_same(golden.get(cell, agreement.ABSENT), shown.get(cell, agreement.ABSENT)):
                self.equal += 1
                continue
            for fault in moved.get(cell, ("unexplained",)):
                self.faults[fault] = self.faults.get(fault, 0) + 1


def compared(case):
    """(answer, Compared) of each of the two answers that the original has for the sample."""
    trace = agreement.read_trace(case.file)
    golden = golden_modules(case)
    if golden:
        _, _, moved = moved_cells(lambda faults: as_golden(modules.modules_of(trace, faults), unit_of(faults)))
        yield "module", Compared(golden, as_golden(program_modules(case.file), 1e-3), moved)
    tree = golden_tree(case)
    if tree:
        thread, sums = tree
        _, _, moved = moved_cells(lambda faults: tree_cells(modules.paths_of(trace, faults, thread), unit_of(faults)))
        yield "tree", Compared(tree_cells(sums), tree_cells(program_tree(case.file, thread), 1e-3), moved)


def section():
    """The part of docs/metrics-agreement.md about modules and the call tree."""
    lines, seen = ["| sample | answer | compared | equal | differ | changed by |", "|---|---|---:|---:|---:|---|"], set()
    for case in agreement.cases():
        if case.name.startswith("hta_two_ranks"):
            continue
        for answer, result in compared(case):
            seen.update(result.faults)
            causes = ", ".join(f"`{fault}` {count:,}" for fault, count in sorted(result.faults.items(), key=lambda item: -item[1]))
            lines.append(f"| {case.name} | `{answer}` | {result.cells:,} | {result.equal:,} | {result.cells - result.equal:,} | {causes} |")
    rules = [f"- `{fault}`: the original {texts[0]}; Sightline {texts[1]}." for fault, texts in modules.MODULE_FAULTS.items()]
    return ["## Modules and call tree",
            "The original's `module` lists a module at each place where it is called, with the sums of all its calls; a cell is a figure of one such "
            "place. Its `tree` has the calls of one thread one by one. Calls are merged by path before they are compared. The oracle is "
            "`tests/oracle/modules.py`; it also has these rules:",
            "\n".join(rules), "\n".join(lines)]
