"""Compares the critical path of a step with that of Holistic Trace Analysis (HTA). Prints a Markdown table; docs/what-if.md explains the
differences. Run it in an environment with bench/peers-requirements.txt and pandas below 2.2, which HTA 0.5.0 needs for this analysis:

    python bench/critical_path_hta.py TRACE.json.gz [INSTANCE [STEP]]

INSTANCE counts the recorded steps from 0, and STEP is the number of the same step; without them, the whole recording is compared.
"""
import collections
import os
import pathlib
import sys

os.environ.setdefault("HTA_DISABLE_NS_ROUNDING", "1")  # else it rounds each time to whole microseconds
from hta.trace_analysis import TraceAnalysis  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[1]
OURS = {"kernel": ("Kernels", "Collectives", "Copies and fills"), "between device work": ("Between device work",),
        "launch": ("Launch latency",), "host": ("Runtime calls", "Operators on the host", "Data loading", "Other host code", "Host, nothing recorded"),
        "waits": ("Synchronization",)}


def theirs(path, instance):
    analysis = TraceAnalysis(trace_files={0: str(path)}, trace_dir=str(path.parent))
    graph, found = analysis.critical_path_analysis(0, "" if instance is None else "ProfilerStep", instance or 0)
    if not found:
        sys.exit("Holistic Trace Analysis found no path")
    breakdown = graph.get_critical_path_breakdown()
    by_bound = breakdown.groupby("bound_by").duration.sum()
    of = {"kernel": sum(by_bound.get(key, 0) for key in ("gpu_compute_bound", "gpu_communication_bound")),
          "between device work": by_bound.get("gpu_kernel_kernel_overhead", 0), "launch": by_bound.get("gpu_kernel_launch_overhead", 0),
          "host": by_bound.get("cpu_bound", 0)}
    left_out = collections.Counter()
    nodes = [graph.node_list[node] for node in graph.critical_path_nodes]
    for before, after in zip(nodes, nodes[1:]):
        edge = graph.edges[before.idx, after.idx]["object"]
        if edge.weight < after.ts - before.ts:
            kind = "between outermost operators" if edge.type.name == "DEPENDENCY" else "in calls that may block"
            left_out[kind] += after.ts - before.ts - edge.weight
    return of, nodes[-1].ts - nodes[0].ts, left_out


def ours(path, step):
    sys.path.insert(0, str(ROOT / "tests" / "golden"))
    from program_report import report, rows
    body = report(path, "critical_path", **({} if step is None else {"step": step}))
    times = {row.kind: row.time * 1e-3 for row in rows(body, "classes")}
    return {name: sum(times.get(kind, 0) for kind in kinds) for name, kinds in OURS.items()}


def main(trace, instance=None, step=None):
    path = pathlib.Path(trace)
    of_hta, span, left_out = theirs(path, None if instance is None else int(instance))
    of_us = ours(path, step)
    print("| part, us | HTA | sightline |\n|---|---|---|")
    for name in OURS:
        print(f"| {name} | {of_hta.get(name, 0):,.3f} | {of_us[name]:,.3f} |")
    print(f"| sum | {sum(of_hta.values()):,.3f} | {sum(of_us.values()):,.3f} |")
    print(f"| from the first node to the last | {span:,.3f} | |")
    for kind, time in left_out.items():
        print(f"| without weight: {kind} | {time:,.3f} | |")


if __name__ == "__main__":
    main(*sys.argv[1:])
