"""Modules and call tree of one sample: the original's module.json and tree.json, the oracle and our program, as cells.

Cells of modules: (place, column) with the place a tuple of (name, id); those of the tree: (path, "calls" | "host").
"""
import gzip
import json

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
            continue  # the original lists what it counted
        for theirs, ours in COLUMNS.items():
            value = getattr(module, ours)
            cells[place, theirs] = value * unit if theirs.endswith("duration") else value
        time = module.device_total or module.host_total
        cells[place, "avg_duration"] = time * unit / module.calls
    return cells


def program_modules(file):
    """Place -> row; None when the program says that there are none."""
    try:
        body = program_report.report(file, "modules")
    except AssertionError as refusal:
        assert "recorded without module calls" in str(refusal), refusal
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
    """Thread and (path -> [calls, host time]) of the original's tree, merged by path; None when it has none."""
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


def tree_cells(sums, unit=1):
    return {(path, part): value if part == "calls" else value * unit
            for path, entry in sums.items() for part, value in zip(("calls", "host"), entry)}


def moved_cells(cells_at):
    """Cell -> names of the faults that move it, in the order of modules.CHAIN; `cells_at(faults)` gives cells in microseconds."""
    moved, known, chain = {}, {}, modules.CHAIN

    def at(stage):
        if stage not in known:
            known[stage] = cells_at(modules.EVERY - set(chain[:stage]))
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
