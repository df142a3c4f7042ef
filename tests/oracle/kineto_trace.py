"""Reading a Kineto trace for the oracle: one document, parsed once, as plain events in one of two clocks.

Clock "ns" is ours: the decimal microseconds of the text, converted exactly to integer nanoseconds (a fourth decimal and beyond
rounds half away from zero). Clock "us" is the original's: integers stay integers, decimals become doubles, an end is ts + dur.
`classify` gives each event the one kind that the later stages use. Only phase X matters here, except for memory peaks.
"""
import gzip
import json
import re
from decimal import ROUND_HALF_UP, Decimal

ORIGINAL_RUNTIMES = {"runtime", "cuda_runtime", "mtia_runtime", "glow_runtime", "xpu_runtime", "privateuse1_runtime"}
COLLECTIVES_OF_THE_ORIGINAL = {
    f"{library}:{kind}" for library in ("nccl", "gloo")
    for kind in ("broadcast", "reduce", "all_reduce", "all_gather", "reduce_scatter")}
COLLECTIVE_PREFIXES = ("nccl:", "gloo:", "hccl:", "xccl:", "rccl:", "mpi:", "ucc:")
COLLECTIVE_LIBRARIES = ("nccl", "rccl", "hccl", "xccl", "oneccl", "msccl")
COLLECTIVE_WORDS = ("all_reduce", "allreduce", "all_gather", "allgather", "reduce_scatter", "reducescatter", "all_to_all", "alltoall",
                    "cross_device_reduce")
DEVICE = ("kernel", "memcpy", "memset")
HOST = ("operator", "python", "annotation", "step", "module")

_STEP = re.compile(r"ProfilerStep#(\d+)$")
_DATALOADER = re.compile(r"enumerate\(DataLoader\)#.*__next__$|enumerate\(DataPipe\)#")


class Event:
    """One X event: `start`, `end`, `duration` in the clock of its capture; `order` is its place in the file.

    `written` is the dur of the file; `duration` is end - start, which in doubles is not exactly the same.
    """
    __slots__ = ("order", "category", "name", "pid", "tid", "start", "end", "duration", "written", "external", "correlation", "args", "kind",
                 "blocks", "warps", "occupancy")


class Trace:
    """The parsed document. `events(clock)` makes fresh-enough events once per clock, sorted by start, file order kept on ties."""

    def __init__(self, document):
        self.document = document
        self._events = {}
        self.memory_instants = [(order, raw) for order, raw in enumerate(document["traceEvents"])
                                if raw.get("ph") == "i" and raw.get("name") == "[memory]" and raw.get("ts") is not None]

    def events(self, clock):
        if clock not in self._events:
            self._events[clock] = _events_of(self.document["traceEvents"], clock)
        return self._events[clock]

    def devices(self):
        return self.document.get("deviceProperties") or []

    def forward_backward_pairs(self, clock):
        """Start time of a forward operator -> time inside its backward operator, from the fwdbwd flows."""
        convert = nanoseconds if clock == "ns" else microseconds
        starts, pairs = {}, {}
        flows = [raw for raw in self.document["traceEvents"] if raw.get("cat") == "fwdbwd"]
        for raw in flows:
            if raw["ph"] == "s":
                starts[raw["id"]] = convert(raw["ts"])
        for raw in flows:
            if raw["ph"] == "f" and raw["id"] in starts:
                pairs[starts[raw["id"]]] = convert(raw["ts"])
        return pairs

    def memory_peaks(self):
        """The largest `Total Allocated` per (device type, device id) of the allocator's events."""
        peaks = {}
        for raw in self.document["traceEvents"]:
            if raw.get("ph") == "i" and raw.get("name") == "[memory]":
                args = raw.get("args", {})
                key = (args.get("Device Type"), args.get("Device Id"))
                if args.get("Total Allocated") is not None:
                    peaks[key] = max(peaks.get(key, 0), args["Total Allocated"])
        return peaks


def read_trace(path):
    data = open(path, "rb").read()
    if data[:2] == b"\x1f\x8b":
        data = gzip.decompress(data)
    return Trace(json.loads(data, strict=False, parse_float=Decimal))


def nanoseconds(microseconds):
    """Exact: 12.3456 us -> 12346 ns."""
    if isinstance(microseconds, int):
        return microseconds * 1000
    return int((Decimal(microseconds) * 1000).quantize(Decimal(1), rounding=ROUND_HALF_UP))


def microseconds(value):
    return value if isinstance(value, int) else float(value)


def number(value):
    """A numeric argument as float, None when it is absent or not a finite number."""
    if value is None or isinstance(value, (bool, str)):
        return None
    return float(value)


def _events_of(raw_events, clock):
    convert = nanoseconds if clock == "ns" else microseconds
    events = []
    for order, raw in enumerate(raw_events):
        if raw.get("ph") != "X" or raw.get("cat") is None or raw.get("ts") is None or raw.get("dur") is None:
            continue
        event = Event()
        event.order = order
        event.category = raw["cat"].lower()
        event.name = raw.get("name", "")
        event.pid = raw.get("pid")
        event.tid = raw.get("tid")
        event.start = convert(raw["ts"])
        event.written = convert(raw["dur"])
        event.end = event.start + event.written
        event.duration = event.end - event.start
        event.args = raw.get("args") or {}
        event.external = event.args.get("external id", event.args.get("External id"))
        event.correlation = event.args.get("correlation")
        event.kind = None
        events.append(event)
    events.sort(key=lambda event: event.start)
    return events


def step_number(event):
    match = _STEP.match(event.name)
    return match.group(1) if match else None


def is_dataloader(name):
    return _DATALOADER.match(name) is not None


def is_collective(name, faults):
    """Whether a host operator or annotation is communication."""
    if "collectives_unrecognised" in faults:
        return name in COLLECTIVES_OF_THE_ORIGINAL
    return name.startswith(COLLECTIVE_PREFIXES)


def is_collective_node(name, faults):
    """Whether an annotation of this name is a node of the tree like an operator: see collective_annotations_as_nodes."""
    return "collective_annotations_as_nodes" in faults and name in COLLECTIVES_OF_THE_ORIGINAL


def is_communication_kernel(event, faults):
    """By the kernel itself, never by its launch. For our rules only: the original has none."""
    if event.category == "collective_comm" or "Collective name" in event.args:
        return True
    name = event.name.lower()
    if any(pattern in name for pattern in COLLECTIVE_LIBRARIES):
        return True
    return "collective_kernels_by_library_only" not in faults and any(pattern in name for pattern in COLLECTIVE_WORDS)


def classify(event, faults):
    """One of HOST, DEVICE, "runtime", "python_function", or None for an event without a role."""
    category = event.category
    if category in ("cpu_op", "operator"):
        return "step" if step_number(event) else "operator"
    if category == "user_annotation" or (category == "gpu_user_annotation" and "gpu_annotation_as_host" in faults):
        return "step" if step_number(event) else "annotation"
    if category == "python":
        return "python"
    if category == "python_function":
        return "module" if "Python module id" in event.args else "python_function"
    if category == "kernel":
        scope_metric = event.name.startswith("metrics: ") and "scope_metrics_as_kernels" not in faults
        return None if scope_metric else "kernel"
    if category in ("gpu_memcpy", "memcpy"):
        return "memcpy"
    if category in ("gpu_memset", "memset"):
        return "memset"
    if category in ("mtia_ccp_events", "hpu_op", "collective_comm") and "device_categories_ignored" not in faults:
        return _kind_of_device_row(category, event.name.lower(), faults)
    if category in ORIGINAL_RUNTIMES:
        return "runtime"
    if category.endswith(("_runtime", "_driver")) and "driver_launches_ignored" not in faults:
        return "runtime"
    return None


def _kind_of_device_row(category, name, faults):
    """MTIA's command processor also reports its waits: those are not work. DMA requests are copies."""
    if category == "mtia_ccp_events":
        if name.startswith("event_") and "mtia_rows_as_kernels" not in faults:
            return None
        if "memcpy" in name or ("dma" in name and "mtia_rows_as_kernels" not in faults):
            return "memcpy"
    return "kernel"
