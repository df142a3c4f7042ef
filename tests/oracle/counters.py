"""The counters of the trace view, slowly: GPU utilization in buckets and estimated SM efficiency, as the original inserts them into a
trace; and, as Holistic Trace Analysis defines them, launch queues and memory bandwidth. Times are those of the trace's clock."""
from collections import defaultdict

import steps as step_stage
from kineto_trace import classify, number

MOST_BUCKETS = 100
RESIDUE = 1e-9

# Faults of the original in these numbers alone, as in faults.py: the original's rule, our rule.
FAULTS = {
    "window_of_known_events": (
        "takes the window, where the file names none, from the events that it knows",
        "takes it from all events that have a time"),
    "efficiency_residue": (
        "shows the floating residue of its sums, such as 5.6e-17, as stretches of efficiency above 0",
        "is 0 where no kernel runs"),
}


def kernels_by_device(trace, faults, clock):
    found = defaultdict(list)
    for event in trace.events(clock):
        if classify(event, faults) == "kernel" and step_stage.device_of(event, faults) is not None:
            found[step_stage.device_of(event, faults)].append(event)
    return found


def window_of(trace, faults, clock):
    """The profiler's own span, else from the first to the last event of any kind that is known."""
    spans = [event for event in trace.events(clock) if event.category == "trace" and event.name == "PyTorch Profiler (0)"]
    if spans:
        return spans[-1].start, spans[-1].end
    known = [event for event in trace.events(clock) if classify(event, faults) or "window_of_known_events" not in faults]  # see FAULTS
    return min(event.start for event in known), max(event.end for event in known)


def bucket_size(length, unit):
    """The least power of ten `unit`s of which at most 100 make up the length."""
    size = unit
    while length > MOST_BUCKETS * size:
        size *= 10
    return size


def utilization(kernels, window, unit):
    """[(start of a bucket, busy share)], and a 0 at the window's end."""
    start, end = window
    size = bucket_size(end - start, unit)
    count = max(1, int((end - start) // size))
    busy = step_stage.merge([(kernel.start, kernel.end) for kernel in kernels])
    points = []
    for i in range(count):
        bucket = (start + i * size, end if i + 1 == count else start + (i + 1) * size)
        points.append((bucket[0], step_stage.length(step_stage.intersect(busy, [bucket])) / (bucket[1] - bucket[0])))
    return points + [(end, 0)]


def efficiency(kernels):
    """[(start, end, min(1, sum of blocks per SM of the kernels that run))] of the elementary intervals where any runs."""
    edges = defaultdict(list)
    for kernel in kernels:
        blocks = number(kernel.args.get("blocks per SM"))
        if blocks is not None and blocks > 0 and kernel.start < kernel.end:
            edges[kernel.start].append((1, blocks))
            edges[kernel.end].append((-1, blocks))
    times, running, parts = sorted(edges), [], []
    for time, following in zip(times, times[1:] + [None]):
        for sign, blocks in edges[time]:
            if sign > 0:
                running.append(blocks)
            else:
                running.remove(blocks)
        if running:
            parts.append((time, following, min(1.0, sum(running))))
    return parts


def launch_queues(events):
    """(device, stream) -> [(time, how many are enqueued and not started)], after each call's start and each start of work."""
    calls = {event.correlation: event for event in events
             if event.category.endswith(("_runtime", "_driver")) and event.correlation is not None and event.correlation != 0}
    changes = defaultdict(list)
    for event in events:
        if event.kind in ("kernel", "memcpy", "memset") and event.correlation in calls and "stream" in event.args:
            key = event.args.get("device"), event.args["stream"]
            changes[key] += [(min(event.start, calls[event.correlation].start), 1), (event.start, -1)]
    return {key: _running(sorted(of, key=lambda change: change[0])) for key, of in changes.items()}


def bandwidths(events, written=False):
    """{"HtoD" and so on: [(time, bytes per unit of the clock)]}, after each start and end of a copy. `written`: the writer's GB/s
    of the copy, whose duration it had in ns even if the file has whole microseconds."""
    changes = defaultdict(list)
    for event in events:
        size = number(event.args.get("bytes"))
        if event.kind in ("memcpy", "memset") and size and event.end > event.start:
            key = "Memset" if event.kind == "memset" else event.name.split()[1]
            rate = number(event.args["memory bandwidth (GB/s)"]) if written else size / (event.end - event.start)
            changes[key] += [(event.start, rate), (event.end, -rate)]
    return {key: _running(sorted(of)) for key, of in changes.items()}  # ends before begins


def _running(changes):
    level, points = 0, []
    for time, change in changes:
        level += change
        points.append((time, level))
    return points
