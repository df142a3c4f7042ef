"""The diff of two samples: the original's /diff, the oracle and our program, as the cells of tests/oracle/diff.py."""
import contextlib
import functools
import gzip
import json
import sys
import urllib.parse
from collections import Counter

import agreement
import diff as oracle
import module_agreement

sys.path[:0] = [str(agreement.ROOT / "tests" / folder) for folder in ("e2e_cli", "support")]
from program import Server  # noqa: E402

FOLDER = agreement.GOLDENS / "_http" / "_diff"
PATHS = {"samples_w0": "resnet50_num_workers_0", "samples_w4": "resnet50_num_workers_4", "resnet_act": "mi300_resnet_act_checkpoint"}
FIGURES = {"calls": "calls", "host_duration": "host_total", "self_host_duration": "host_self", "device_duration": "device_total",
           "self_device_duration": "device_self"}
ANCHOR_KINDS = ("module", "data loading", "optimizer")


class Pair:
    """One recorded answer: its name, and the two trace files; None for a file that is missing beside the checkout."""

    def __init__(self, name):
        self.name = name
        self.files = [_file_of(side) for side in name.split("__vs__")]
        self.golden = json.loads(gzip.open(FOLDER / name / "diff.json.gz").read())

    def __repr__(self):
        return self.name


def _file_of(side):
    run, _, span = side.rsplit("_", 2)
    files = sorted((agreement.SAMPLES / PATHS[run]).glob("*.json.gz"))
    position = 0 if span == "default" else int(span) - 1
    return files[position] if position < len(files) else None


@functools.cache
def pairs():
    return [Pair(folder.name) for folder in sorted(FOLDER.glob("*"))]


def _is_anchor(name):
    return name.startswith(("nn.Module: ", "enumerate(DataLoader)", "enumerate(DataPipe)", "Optimizer.step"))


def golden_cells(body):
    """In microseconds, like the original."""
    cells = {}
    _add_golden(cells, (), body)
    for which, side in enumerate(("left", "right")):
        for row in body[side]["aggs"]:
            for theirs, ours in FIGURES.items():
                cells["operators", row["name"], which, ours] = row[theirs]
    return cells


def _add_golden(cells, place, node):
    seen, between = Counter(), [[0, 0], [0, 0]]
    for child in node["children"]:
        names = child["left"]["name"], child["right"]["name"]
        if names[0] == names[1] and _is_anchor(names[0]):
            inner = (*place, (names[0], seen[names[0]]))
            seen[names[0]] += 1
            for which, side in enumerate(("left", "right")):
                cells[inner, "part", which, "host"] = child[side]["duration"]
                cells[inner, "part", which, "device"] = child[side]["device_duration"]
            if child["children"]:
                _add_golden(cells, inner, child)
            continue
        for which, side in enumerate(("left", "right")):
            between[which][0] += child[side]["duration"]
            between[which][1] += child[side]["device_duration"]
    for which in range(2):
        cells[place, "between", which, "host"], cells[place, "between", which, "device"] = between[which]


def oracle_cells(files, faults):
    unit = module_agreement.unit_of(faults)
    traces = [agreement.read_trace(file) for file in files]
    return {cell: value if cell[-1] == "calls" else value * unit for cell, value in oracle.cells_of(*traces, faults).items()}


@contextlib.contextmanager
def program_of(files):
    """A function that requests the diff of two files from the program: ask(node) gives the tables' rows."""
    with Server("--no-cache", "--port", "0", "--no-watch", *dict.fromkeys(map(str, files))) as server:
        state = server.loaded_state()
        spans = [(run["name"], worker["name"], span["name"], span["file"])
                 for run in state["runs"] for worker in run["workers"] for span in worker["spans"]]
        places = [next(place for place in spans if str(file).endswith(place[3])) for file in files]
        query = {"view": "diff"}
        for prefix, place in zip(("", "other_"), places):
            query.update({prefix + key: value for key, value in zip(("run", "worker", "span"), place)})

        def ask(node=""):
            status, body = server.json("/api/report?" + urllib.parse.urlencode({**query, "node": node}))
            assert status == 200, body
            return {key: _rows(table) for key, table in body["tables"].items()}

        yield ask


def _rows(table):
    keys = [column["key"] for column in table["columns"]]
    return [dict(zip(keys, values)) for values in zip(*(column["values"] for column in table["columns"]))]


def program_cells(ask):
    """In nanoseconds. The program's "outside of steps" is not a place, but its operators count."""
    cells = {}
    whole = ask()
    parts = whole["parts"]
    groups = [ask(row["node"]).get("parts", []) for row in parts if row["kind"] == "step"] or [parts]
    _add_program(cells, (), groups, ask, whole)
    for row in whole["operators"]:
        for which, side in enumerate(("baseline", "compared")):
            for figure in FIGURES.values():
                if row[f"{side}_calls"]:
                    cells["operators", row["name"], which, figure] = row[f"{side}_{figure}"] or 0
    return cells


def _add_program(cells, place, groups, ask, whole):
    seen, between = Counter(), [[0, 0], [0, 0]]
    for rows in groups:
        for row in rows:
            if row["kind"] in ANCHOR_KINDS and row["only_in"] is None:
                name = _recorded_name(row)
                inner = (*place, (name, seen[name]))
                seen[name] += 1
                for which, side in enumerate(("baseline", "compared")):
                    cells[inner, "part", which, "host"] = row[f"{side}_time"]
                    cells[inner, "part", which, "device"] = row[f"{side}_device"] or 0
                below = ask(row["node"]).get("parts", []) if row["has_parts"] else []
                if any(child["kind"] in ANCHOR_KINDS for child in below):
                    _add_program(cells, inner, [below], ask, whole)
                continue
            for which, side in enumerate(("baseline", "compared")):
                between[which][0] += row[f"{side}_time"]
                between[which][1] += row[f"{side}_device"] or 0
    for which in range(2):
        cells[place, "between", which, "host"], cells[place, "between", which, "device"] = between[which]


def _recorded_name(row):
    """The name in the baseline's recording."""
    name = row["name"].split(" / ")[0]
    prefix = {"module": "nn.Module: ", "data loading": "enumerate(DataLoader)#", "optimizer": "Optimizer.step#"}[row["kind"]]
    return name if name.startswith(prefix) else prefix + name


def moved_cells(files):
    return module_agreement.moved_cells(lambda faults: oracle_cells(files, faults), oracle.CHAIN, oracle.EVERY)


@functools.cache
def compare(pair):
    """Tally of golden against program, and the program's cells."""
    golden = golden_cells(pair.golden)
    _, _, moved = moved_cells(pair.files)
    with program_of(pair.files) as ask:
        program = program_cells(ask)
    shown = {cell: value if cell[-1] == "calls" else value * 1e-3 for cell, value in program.items()}
    return agreement.compare({("diff", *cell): value for cell, value in golden.items()},
                             {("diff", *cell): value for cell, value in shown.items()},
                             {("diff", *cell): faults for cell, faults in moved.items()}), program


def section():
    """The part of docs/metrics-agreement.md about comparing two runs."""
    lines, seen = ["| pair | compared | equal | differ | changed by |", "|---|---:|---:|---:|---|"], Counter()
    for pair in pairs():
        if None in pair.files:
            continue
        tally, _ = compare(pair)
        faults = Counter(fault for _, _, causes in tally.excused.values() for fault in causes)
        seen.update(faults)
        compared, equal = tally.compared["diff"], tally.equal["diff"]
        causes = ", ".join(f"`{fault}` {count:,}" for fault, count in faults.most_common())
        lines.append(f"| {pair.name.replace('__vs__', ' / ')} | {compared:,} | {equal:,} | {compared - equal:,} | {causes} |")
    rules = [f"- `{fault}`: the original {texts[0]}; Sightline {texts[1]}." for fault, texts in oracle.DIFF_FAULTS.items()]
    return ["## Comparing two runs",
            "A cell is a figure of one operator, or the host or device time, in one of the two runs, of a range that both have (module, data "
            "loading, optimizer) or of the work between such ranges. The original's composite nodes are summed by the range that contains them. The oracle is "
            "`tests/oracle/diff.py`; it also has these rules:",
            "\n".join(rules), "\n".join(lines)]
