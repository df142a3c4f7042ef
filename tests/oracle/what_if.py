"""The replay of docs/what-if.md, slowly: every node is an object that holds what it waited for.

`Recording(trace)` builds the graph of a Kineto trace, `recording.step(...)` gives the mean step in ns with changes. It knows the changes
of host, kernels by name, no-sync and one-graph; which operator or module launched a kernel is for other oracles.
"""
from collections import defaultdict

import faults
from attribution import link_launches
from kineto_trace import DEVICE, classify, is_dataloader
from steps import find_steps, intersect, length, merge

LONGEST_TAIL, SHORTEST_WAIT, SHORTEST_COPY_WAIT, LOOK_BACK = 20_000, 2_000, 30_000, 64
LONGEST_TAIL_SHARE = 0.05  # of a wait for all work of a stream or a device


class Node:
    """`kind` is call, wait, mark or work; `time` is the start of work, and `length` its duration; of others, the time since the node
    before it on their thread. `waited_for` has (node, kind of dependency), the binding one first."""

    def __init__(self, kind, event, time, length):
        self.kind, self.event, self.time, self.length = kind, event, time, length
        self.waited_for, self.launches, self.thread = [], False, None

    def end(self):
        return self.time + self.length if self.kind == "work" else self.time


def met(node, how):
    """When a dependency on `node` was met in the recording."""
    return node.time if how == "order" else node.end()


class Step:
    def __init__(self, window, event):
        self.window, self.event = window, event
        self.begin = self.end = None
        self.works, self.chained, self.before, self.after = [], False, 0, 0


class Recording:
    def __init__(self, trace):
        events = trace.events("ns")
        for event in events:
            event.kind = classify(event, faults.OURS)
        self.runtimes, self.unlaunched = link_launches(events, faults.OURS)
        self.launched_by = {id(device): runtime.event for runtime in self.runtimes for device in runtime.devices}
        self.works = [event for event in events if event.kind in DEVICE]
        self.threads = _joined_threads(trace, events)
        loading = defaultdict(list)
        for event in events:
            if event.kind in ("operator", "annotation") and is_dataloader(event.name):
                loading[self.thread(event)].append((event.start, event.end))
        self.loading = {thread: merge(ranges) for thread, ranges in loading.items()}
        marked = [event for event in events if event.kind == "step"]
        kept = find_steps(events, self.runtimes, self.unlaunched, faults.OURS)
        assert marked, "steps that nothing marks are not in this oracle"
        self.steps = [Step((window.start, window.end), event) for window, event in zip(kept, marked)]
        self.nodes, self.node_of = [], {}
        self._connect(_event_waits(events, self.works, self.launched_by))
        self._find_usual_lags()
        self._find_steps()

    def thread(self, event):
        key = (event.pid, event.tid)
        return self.threads.get(key, key)

    # ---- the graph ----

    def _entries(self):
        """(time, kind, event): steps begin, calls, steps end, device work; at equal times in this order."""
        entries = [(step.event.start, "mark", step) for step in self.steps]
        by_thread = defaultdict(list)
        for runtime in self.runtimes:
            if runtime.devices or "ynchroniz" in runtime.event.name:
                by_thread[runtime.event.pid, runtime.event.tid].append(runtime)
        for runtimes in by_thread.values():
            for runtime in sorted(runtimes, key=lambda call: (call.event.start, -call.event.end)):
                entries.append((runtime.event.start, "call", runtime))
                if self._waits(runtime):
                    entries.append((runtime.event.end, "wait", runtime))
        entries += [(step.event.end, "mark", step) for step in self.steps]
        for work in self.works:
            call = self.launched_by.get(id(work))
            entries.append((max(work.start, call.start) if call else work.start, "work", work))
        return sorted(entries, key=lambda entry: entry[0])

    def _own_copy(self, runtime):
        call = runtime.event
        for work in reversed(runtime.devices):
            if work.kind == "memcpy" and call.end - call.start > SHORTEST_COPY_WAIT and 0 <= call.end - work.end <= LONGEST_TAIL:
                return work
        return None

    def _waits(self, runtime):
        return "ynchroniz" in runtime.event.name or self._own_copy(runtime) is not None

    def _connect(self, event_waits):
        last_of, streams = {}, defaultdict(list)
        for time, kind, what in self._entries():
            if kind == "work":
                self._add_work(what, streams, event_waits.get(id(what), ()))
                continue
            event = what.event
            node = Node(kind, event, time, 0)
            node.thread = self.thread(event)
            if node.thread in last_of:
                before = last_of[node.thread]
                node.length = time - before.time
                node.waited_for.append((before, "thread"))
            last_of[node.thread] = node
            self.nodes.append(node)
            if kind == "mark":
                if what.begin is None:
                    what.begin = node
                else:
                    what.end = node
            elif kind == "call":
                self.node_of[id(event)] = node
            else:
                self._add_wait(node, what, streams)
            _binding_first(node)

    def _add_wait(self, node, runtime, streams):
        call, copy = runtime.event, self._own_copy(runtime)
        if copy is None:
            ended = [found for found in (_last_ended(stream, call.end) for stream in streams.values()) if found]
            work = max(ended, key=Node.end, default=None)
        else:
            work = self.node_of[id(copy)]
        if work is None:
            return
        inside = call.start < work.end() <= call.end
        for_all = "ynchroniz" in call.name and "Event" not in call.name
        tail = max(LONGEST_TAIL, int(LONGEST_TAIL_SHARE * (call.end - call.start))) if for_all else LONGEST_TAIL
        if inside and call.end - work.end() <= tail:
            node.waited_for.append((work, "finished"))
        elif not inside and for_all:
            node.waited_for.append((work, "finished"))

    def _add_work(self, event, streams, event_waits):
        stream = streams[event.pid, event.tid]
        node = Node("work", event, event.start, event.end - event.start)
        call = self.node_of.get(id(self.launched_by.get(id(event))))
        if call:
            node.waited_for.append((call, "launch"))
            call.launches = True
        if stream:
            previous = stream[-1]
            if previous.end() - node.time <= previous.length // 2:
                node.waited_for.append((previous, "stream"))
            else:
                node.waited_for.append((previous, "order"))
                ended = _last_ended(stream, node.time)
                if ended:
                    node.waited_for.append((ended, "stream"))
        node.waited_for += [(self.node_of[id(other)], "event") for other in event_waits if id(other) in self.node_of]
        if call:
            self._add_unstated_wait(node, streams)
        stream.append(node)
        self.node_of[id(event)] = node
        self.nodes.append(node)
        _binding_first(node)

    def _add_unstated_wait(self, node, streams):
        """It was launched and its stream was free for 20 us, and it began right after work of another stream of its device ended."""
        launched = self.launched_by[id(node.event)].end
        known = max([launched] + [met(other, how) for other, how in node.waited_for if how != "launch"])
        others = [_last_ended(stream, node.time) for (pid, tid), stream in streams.items() if pid == node.event.pid and tid != node.event.tid]
        last = max((other for other in others if other), key=Node.end, default=None)
        if last and last.end() > known and node.time - known > LONGEST_TAIL and node.time - last.end() <= LONGEST_TAIL:
            node.waited_for.append((last, "event"))

    def _find_usual_lags(self):
        """The median over binding dependencies of a kind; what others need at most."""
        lags = defaultdict(list)
        for node in self.nodes:
            for other, how in node.waited_for[:1]:
                lags[how].append(node.time - met(other, how))
        self.usual = {how: max(0, sorted(found)[len(found) // 2]) for how, found in lags.items()}

    def _find_steps(self):
        for event in self.works:
            call = self.launched_by.get(id(event))
            for step in self.steps:
                if call:
                    inside = step.event.start <= call.start and call.end <= step.event.end
                else:
                    inside = step.window[0] <= event.start < step.window[1]
                if inside:
                    step.works.append(self.node_of[id(event)])
                    break
        recorded = {node: node.time for node in self.nodes}
        lengths = {node: node.length for node in self.nodes}
        for before, step in zip([None] + self.steps, self.steps):
            step.chained = before is not None and step.window[0] >= before.window[1]
            start, end = _bare(step, recorded, lengths)
            if step.chained:
                start = max(start, before.window[1])
            step.before, step.after = step.window[0] - start, step.window[1] - end

    # ---- the replay ----

    def step(self, kernels=None, host=1, no_sync=False, one_graph=False):
        """The mean step in ns. `kernels`: factors by name; `host`: the factor of the host's code."""
        lengths = {node: node.length for node in self.nodes}
        for node in self.nodes:
            if node.kind == "work" and node.event.name in (kernels or {}):
                lengths[node] = _rounded(node.length * kernels[node.event.name])
            elif node.kind == "wait" and no_sync:
                lengths[node] = min(node.length, SHORTEST_WAIT)
            elif node.kind in ("call", "mark") and host != 1:
                lengths[node] = self._on_host(node, host)
        for step in self.steps if one_graph else ():
            inside = self.nodes[self.nodes.index(step.begin):self.nodes.index(step.end)]
            launching = [at for at, node in enumerate(inside) if node.launches]
            for node in inside[launching[0] + 1:launching[-1] + 1] if launching else ():
                if node.kind in ("call", "mark"):
                    lengths[node] = self._on_host(node, 0)
        times = {}
        for node in self.nodes:
            allowed = [self._allowed(node, number, times, lengths, one_graph)
                       for number, (_, how) in enumerate(node.waited_for) if not (no_sync and how == "finished")]
            times[node] = max(allowed, default=node.time)
        total, end = 0, None
        for step in self.steps:
            start, new_end = _bare(step, times, lengths)
            if step.chained:
                start = max(start, end)
            start += step.before
            end = max(start, new_end + step.after)
            total += end - start
        return total / len(self.steps)

    def _on_host(self, node, factor):
        """The time before a node with the host's code multiplied; loading data is no code."""
        if not node.waited_for or node.length == 0:
            return node.length
        loading = length(intersect([(node.time - node.length, node.time)], self.loading.get(node.thread, [])))
        return _rounded(loading + (node.length - loading) * factor)

    def _allowed(self, node, number, times, lengths, one_graph):
        """The earliest time that a dependency allows: the recorded latency after it is met, or the usual one where it did not bind."""
        other, how = node.waited_for[number]
        binds = number == 0
        if how == "thread":
            return times[other] + (lengths[node] if binds else min(lengths[node], SHORTEST_WAIT))
        by_start = how in ("launch", "order")
        latency = node.time - met(other, how)
        if not binds:
            latency = min(latency, self.usual.get(how, 0))
        if how == "launch" and one_graph:
            latency = min(latency, 0)
        time = times[other] + (0 if by_start else lengths[other]) + latency
        if latency < 0 and not by_start and other.time <= node.time:
            time = max(time, times[other])
        return time


def _rounded(value):
    """Half away from zero."""
    return int(value + 0.5)


def _bare(step, times, lengths):
    return times[step.begin], max([times[step.end]] + [times[work] + lengths[work] for work in step.works])


def _last_ended(stream, time):
    return next((work for work in stream[:-LOOK_BACK - 1:-1] if work.end() <= time), None)


def _binding_first(node):
    """The one that was met last; of equal ones, the last."""
    if node.waited_for:
        best = max(range(len(node.waited_for)), key=lambda number: (met(*node.waited_for[number]), number))
        node.waited_for.insert(0, node.waited_for.pop(best))


def _joined_threads(trace, events):
    """Thread -> the thread that stands for its chain. The forward and the backward pass are one, because one waits for the other."""
    above = {}

    def first(thread):
        while thread in above:
            thread = above[thread]
        return thread

    def join(one, other):
        if first(one) != first(other):
            above[first(other)] = first(one)

    flows = [raw for raw in trace.document["traceEvents"] if raw.get("cat") == "fwdbwd"]
    starts = {raw["id"]: (raw["pid"], raw["tid"]) for raw in flows if raw["ph"] == "s"}
    for raw in flows:
        if raw["ph"] == "f" and raw["id"] in starts:
            join(starts[raw["id"]], (raw["pid"], raw["tid"]))
    marks = [(event.pid, event.tid) for event in events if event.kind == "step"]
    if not flows and marks:
        for event in events:
            if event.kind == "operator" and (event.name.startswith(("autograd::engine::", "torch::autograd::")) or "Backward" in event.name):
                join(marks[0], (event.pid, event.tid))
    return {thread: first(thread) for thread in list(above)}


def _event_waits(events, works, launched_by):
    """Work -> the work of other streams that an event held it back for."""
    waits = defaultdict(list)
    calls = {event.correlation: event for event in events if event.kind == "runtime" and event.correlation}
    launched = [work for work in works if id(work) in launched_by]
    for event in events:
        record = calls.get(event.args.get("wait_on_cuda_event_record_corr_id"))
        stream = event.args.get("wait_on_stream")
        if event.category != "cuda_sync" or record is None or stream is None or stream == event.tid:
            continue
        before = [work for work in launched if work.pid == event.pid and work.tid == stream and launched_by[id(work)].start <= record.start]
        after = [work for work in launched if work.pid == event.pid and work.tid == event.tid and work.start >= event.start]
        if before and after:
            waits[id(after[0])].append(before[-1])
    return waits
