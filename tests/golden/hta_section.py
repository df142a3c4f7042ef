"""The part of docs/metrics-agreement.md about Holistic Trace Analysis: the waits of streams, ours beside its own answers."""
import gzip
import json

import program_report

SAMPLES = program_report.ROOT.parent / "shared" / "samples" / "pytorch"
REFERENCE = program_report.ROOT.parent / "shared" / "golden" / "hta" / "hta_refs.json.gz"
TRACES = {"hta_df_index_resolver": ("df_index_resolver", "whole microseconds"), "hta_nccl": ("nccl_data", "nanoseconds"),
          "hta_amd_mi250": ("amd", "nanoseconds")}
INTRODUCTION = """The view Waits by stream has the categories of Holistic Trace Analysis (`idle_time_breakdown`). On a trace in whole microseconds, all counts and sums are equal. On a trace in nanoseconds, the
original rounds each start and each duration down to microseconds, so a gap differs by up to 2 µs, and a gap of about 30 ns or of no length may be in another category or in none. A test
fails at any larger difference."""
NOT_COMPARED = """Not compared: the original's critical path. Its published figures are of traces that are not among the samples here (`simple_add`, `alexnet`), and its graph has other
nodes: begins and ends of operators, where ours has calls, waits and device work. Ours is checked by its own rules: the pieces of the path sum exactly to the step on all samples."""


def section():
    if not REFERENCE.exists():
        return []
    references = json.loads(gzip.decompress(REFERENCE.read_bytes()))
    lines = ["| trace | times | stream | waits for | gaps, original | gaps, Sightline | µs, original | µs, Sightline |", "|---|---|---:|---|---:|---:|---:|---:|"]
    for sample, (name, unit) in TRACES.items():
        ours = {(int(row.stream), row.waited_for): row
                for row in program_report.rows(program_report.report(SAMPLES / sample, "stream_waits"), "stream_waits")}
        for times, counts in zip(*references[name]["idle_time_breakdown"]):
            if not counts["count"]:
                continue
            category = times["idle_category"].removesuffix("_wait")
            row = ours[times["stream"], category]
            lines.append(f"| {sample} | {unit} | {times['stream']} | {category} | {int(counts['count']):,} | {row.gaps:,} | "
                         f"{times['idle_time']:,.0f} | {row.time_ns / 1000:,.3f} |")
    return ["## Holistic Trace Analysis", INTRODUCTION, "\n".join(lines), NOT_COMPARED]
