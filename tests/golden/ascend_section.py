"""The part of docs/metrics-agreement.md about Ascend exports: the counts of the tests that compare the vendor's plugin with the
program."""
import contextlib
import io
import pathlib
from collections import Counter, defaultdict

import pytest
import tally

HERE = pathlib.Path(__file__).resolve().parent
TITLE = "plugin and program: "  # then the comparison and the sample
FAULTS = {
    "phases_are_operators": ("counts data loading, optimizer and DistributedDataParallel ranges as operators", "shows them as separate ranges"),
    "counts_nested_twins": ("counts an operator twice when it only calls an operator of the same name", "merges such calls"),
    "lone_semicolon_is_one": ("reads shapes of two operands without dimensions as the shape of one", "keeps both"),
    "vector_is_matrix": ("counts kernels on vector cores as time on AI cores", "counts only the matrix unit's kernels, following the vendor's definition"),
    "no_device_time": ("recognises no kernel in a comparison, so every device time is 0", "links kernels to operators by the flows of the trace"),
    "diff_first_thread": ("compares the ranges of the first thread only", "adds ranges of other threads to the step in which they begin"),
    "double_microseconds": ("stores ends of ranges as doubles of microseconds since 1970, whose step is 0.25 us", "keeps int64 nanoseconds"),
    "rounded_times": ("draws times that a spreadsheet has rounded to some 100 s", "shows them as unknown, and says so"),
    "outside_operators": ("names a block after its row", "names it after the operator that was open on its thread, if there was one"),
    "cuts_means": ("truncates means over steps to whole microseconds", "keeps nanoseconds"),
    "transfers_doubled": ("adds SDMA, which is the sum of some links, to these links, so traffic doubles", "counts each link once"),
    "megabytes_are_binary": ("uses 2^20 bytes for a MB of traffic", "uses 10^6, as the writer does"),
    "device_as_step": ("reads the device's number as the step, because newer releases put that column first", "finds columns by their titles"),
}


def section():
    tally.finished.clear()
    with contextlib.redirect_stdout(io.StringIO()) as said:
        status = pytest.main(["-q", "-p", "no:cacheprovider", *map(str, sorted(HERE.glob("test_ascend_*.py")))])
    assert status == 0, said.getvalue()[-3000:]
    views, samples = defaultdict(Counter), set()
    for title, counted in tally.finished:
        if not title.startswith(TITLE):
            continue
        what, sample = title.removeprefix(TITLE).split(": ")
        views[what]["equal"] += counted.equal
        for faults, cells in counted.excused.items():
            views[what]["moved"] += cells
            for fault in faults.split(" and "):
                views[what, "faults"][fault] += cells
        samples.add(sample)
    lines, sums, seen = ["| what | compared | equal | differ | changed by |", "|---|---:|---:|---:|---|"], Counter(), Counter()
    for what in [key for key in views if isinstance(key, str)]:
        equal, moved, faults = views[what]["equal"], views[what]["moved"], views[what, "faults"]
        causes = ", ".join(f"`{fault}` {cells:,}" for fault, cells in faults.most_common())
        lines.append(f"| {what} | {equal + moved:,} | {equal:,} | {moved:,} | {causes} |")
        sums.update(equal=equal, moved=moved)
        seen.update(faults)
    lines.append(f"| all | {sums['equal'] + sums['moved']:,} | {sums['equal']:,} | {sums['moved']:,} | |")
    rules = [f"- `{fault}`: the plugin {FAULTS[fault][0]}; Sightline {FAULTS[fault][1]}." for fault in FAULTS if fault in seen]
    print(f"Ascend: {sums['equal'] + sums['moved']:,} compared, {sums['equal']:,} equal, {sums['moved']:,} differ")
    return ["## Ascend exports",
            "The comparison is with the vendor's TensorBoard plugin for Ascend profiles, on three runs of two workers: one with a trace, the same with the titles that newer "
            "releases write, and one of 2023 without a trace. A cell counts as equal within the rounding errors of the plugin: 0.001 ms for times since 1970, "
            "and half a unit of the last decimal for each addition that it rounds. Oracles in Python (`tests/oracle/ascend_*.py`) with the faults below reproduce the plugin.",
            "\n".join(rules), "\n".join(lines)]
