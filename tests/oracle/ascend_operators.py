"""Operators and kernels of an Ascend text export, computed slowly from trace_view.json and kernel_details.csv alone.

`operators(folder, faults)` gives, by (name, shapes), the cost of each operator. `faults` names the differences of the writer of
the vendor's own tables, each switched on by its name:

  counts_nested_twins    an operator whose only child has the same name counts twice (the writer knows no twins)
  lone_semicolon_is_one  shapes that are a semicolon and a line break are one operand (they are two without dimensions)
  vector_is_matrix       kernels of the vector core count as the matrix core's (the trace calls both AI_CORE)

Times are ns as exact fractions; the caller rounds.
"""
import csv
import json
from collections import defaultdict
from fractions import Fraction

NAMES = ("calls", "host_self", "host_total", "device_self", "device_total", "matrix_self", "matrix_total")
OPERATOR_CATEGORIES = ("cpu_op",)


def ns(text):
    return Fraction(str(text).strip()) * 1000


class Span:
    def __init__(self, name, start, end, shapes=""):
        self.name, self.start, self.end, self.shapes = name, start, end, shapes
        self.parent, self.children = None, []
        self.device = self.matrix = Fraction(0)


def load(folder):
    output = folder / "ASCEND_PROFILER_OUTPUT"
    return json.loads((output / "trace_view.json").read_text()), list(
        csv.DictReader((output / "kernel_details.csv").open(newline="", encoding="utf-8-sig")))


def operators(folder, faults=()):
    """{(name, shapes): {figure: value}} over all operators but steps; shapes are "[[32,3], [64]]"."""
    events, kernels = load(folder)
    spans = _forest(events)
    _give_device_time(events, kernels, spans, "vector_is_matrix" in faults)
    if "counts_nested_twins" not in faults:
        spans = _without_twins(spans)
    groups = defaultdict(lambda: dict.fromkeys(NAMES, Fraction(0)))
    for span in spans:
        if span.name.startswith("ProfilerStep#"):
            continue
        sums = groups[span.name, shape_text(span.shapes, "lone_semicolon_is_one" in faults)]
        device, matrix = _total(span)
        sums["calls"] += 1
        sums["host_total"] += span.end - span.start
        sums["host_self"] += span.end - span.start - sum(child.end - child.start for child in span.children)
        sums["device_self"] += span.device
        sums["device_total"] += device
        sums["matrix_self"] += span.matrix
        sums["matrix_total"] += matrix
    return dict(groups)


def shape_text(cell, lone_semicolon_is_one=False):
    """The cell "32,3;CRLF64" as "[[32,3], [64]]"; nothing as "[[]]"."""
    if lone_semicolon_is_one and cell.strip() == ";":
        return "[[]]"
    parts = cell.replace("\r", "").split("\n") if ";" in cell else [cell]
    return "[" + ", ".join(f"[{part.replace(';', '').strip()}]" for part in parts) + "]"


def kernels(folder):
    """{name: durations in ns}, of kernels and collectives; and {core: ns}."""
    by_name, by_core = defaultdict(list), defaultdict(Fraction)
    for row in load(folder)[1]:
        by_name[row["Name"]].append(ns(row["Duration(us)"]))
        by_core[row["Accelerator Core"]] += ns(row["Duration(us)"])
    return dict(by_name), dict(by_core)


def _forest(events):
    threads = defaultdict(list)
    for event in events:
        if event["ph"] == "X" and event.get("cat") in OPERATOR_CATEGORIES:
            start = ns(event["ts"])
            threads[event["pid"], event["tid"]].append(
                Span(event["name"], start, start + ns(event["dur"]), event["args"].get("Input Dims", "")))
    spans = []
    for key in threads:
        stack = []
        for span in sorted(threads[key], key=lambda s: (s.start, -s.end)):
            while stack and stack[-1].end <= span.start:
                stack.pop()
            if stack:
                span.parent = stack[-1]
                stack[-1].children.append(span)
            stack.append(span)
            span.thread = key
            spans.append(span)
    return spans


def _give_device_time(events, kernels, spans, vector_is_matrix):
    names = {e["pid"]: e["args"]["name"] for e in events if e["ph"] == "M" and e["name"] == "process_name"}
    matrix = {(k["Name"], ns(k["Start Time(us)"])) for k in kernels
              if k["Accelerator Core"] == "AI_CORE" or vector_is_matrix and k["Accelerator Core"] == "AI_VECTOR_CORE"}
    owners = {(span.thread, span.start): span for span in spans}  # the innermost that starts there
    tasks = {(e["pid"], e["tid"], ns(e["ts"])): e for e in events
             if e["ph"] == "X" and names.get(e["pid"]) in ("Ascend Hardware", "HCCL")}
    flows = [e for e in events if e.get("cat") == "async_npu"]
    starts = {e["id"]: e for e in flows if e["ph"] == "s"}
    for end in (e for e in flows if e["ph"] == "f"):
        start = starts[end["id"]]
        owner = owners[(start["pid"], start["tid"]), ns(start["ts"])]
        task = tasks[end["pid"], end["tid"], ns(end["ts"])]
        owner.device += ns(task["dur"])
        if (task["name"], ns(task["ts"])) in matrix:
            owner.matrix += ns(task["dur"])


def _without_twins(spans):
    kept = []
    for span in spans:  # parents come first
        parent = span.parent
        if parent is not None and len(parent.children) == 1 and parent.name == span.name:
            parent.children = span.children
            parent.device += span.device
            parent.matrix += span.matrix
            for child in span.children:
                child.parent = parent
        else:
            kept.append(span)
    return kept


def _total(span):
    device, matrix = span.device, span.matrix
    for child in span.children:
        inner = _total(child)
        device, matrix = device + inner[0], matrix + inner[1]
    return device, matrix
