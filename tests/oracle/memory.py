"""Memory for the oracle: the allocator's events with their operators, as blocks, as a curve, and summed by operator.

Plain loops over the trace's own `[memory]` events. `analyse_memory` gives {device name: DeviceMemory}; times are those of the
capture's clock, sizes bytes.
"""
import functools
from collections import defaultdict

from kineto_trace import classify, microseconds, nanoseconds
from tree import post_order, thread_key

TYPES = {0: "CPU", 1: "GPU", 6: "GPU", 9: "XLA", 12: "XPU", 13: "MPS", 15: "HPU", 19: "MTIA", 20: "PrivateUse"}
STATISTICS = ("calls", "size_increase", "self_size_increase", "allocations", "self_allocations", "allocation_size",
              "self_allocation_size")


class Record:
    """One event of the allocator. `operator` and `parent` are where it was allocated, None outside of all operators."""
    __slots__ = ("time", "device", "address", "bytes", "allocated", "reserved", "pid", "tid", "order", "start", "node", "operator", "parent")


class DeviceMemory:
    """`operators`: name -> the seven STATISTICS; `curve`: (time, allocated, reserved) in order of time; `blocks`: (operator text or
    None, bytes, allocation time or None, release time or None), paired ones in order of release, then the others;
    `total`: bytes of the device, None when the trace does not say."""

    def __init__(self):
        self.operators, self.curve, self.blocks, self.total = {}, [], [], None

    def peak(self):
        return max((point[1] for point in self.curve), default=None)


def analyse_memory(trace, forest, faults):
    records = read_records(trace, faults)
    _find_nodes(records, forest, faults)
    devices = {name: DeviceMemory() for name in sorted({record.device for record in records if record.device})}
    for name, memory in devices.items():
        of_device = [record for record in records if record.device == name]
        memory.curve = [(record.time, record.allocated, record.reserved) for record in of_device
                        if record.address is not None and record.allocated is not None]
        memory.total = None if "memory_totals_empty" in faults else _device_total(trace, name)
    for name, block in _blocks(records, faults):
        devices[name].blocks.append(block)
    for name, operators in _operators(records, forest, faults).items():
        devices[name].operators = operators
    return devices


def read_records(trace, faults):
    convert = microseconds if "double_microseconds" in faults else nanoseconds
    records = []
    for order, raw in trace.memory_instants:
        args, record = raw.get("args") or {}, Record()
        record.time, record.order, record.pid, record.tid = convert(raw["ts"]), order, raw.get("pid"), raw.get("tid")
        record.device = device_name(args.get("Device Type"), args.get("Device Id"), faults)
        record.address, record.bytes = args.get("Addr"), args.get("Bytes") or 0
        record.allocated, record.reserved = args.get("Total Allocated"), args.get("Total Reserved")
        record.start, record.node, record.operator, record.parent = record.time, None, None, None
        records.append(record)
    records.sort(key=lambda record: record.time)
    return records


def time_of_first_record(trace, faults):
    convert = microseconds if "double_microseconds" in faults else nanoseconds
    return min(convert(raw["ts"]) for _, raw in trace.memory_instants)


def device_name(kind, ordinal, faults):
    """CPU, GPU0, XPU1; None for a device that the original does not know."""
    if "memory_devices_unknown" in faults and kind not in (0, 1):
        return None
    if kind not in TYPES:
        return None if kind is None else f"device type {kind}," + ("" if ordinal is None or ordinal < 0 else f" {ordinal}")
    return TYPES[kind] if ordinal is None or ordinal < 0 else f"{TYPES[kind]}{ordinal}"


def _device_total(trace, name):
    if not name[-1].isdigit():
        return None
    ordinal = int(name.lstrip("".join(set(name) - set("0123456789"))))
    return next((entry.get("totalGlobalMem") for entry in trace.devices() if entry.get("id") == ordinal), None)


def _find_nodes(records, forest, faults):
    """The node of each record's thread that is open then and was opened last; annotations are transparent."""
    nodes_of, records_of = defaultdict(list), defaultdict(list)
    for node in forest.walk():
        if node.kind not in ("root", "annotation"):
            nodes_of[node.thread].append(node)
    for record in records:
        records_of[thread_key(record, faults)].append(record)
    for thread, events in records_of.items():
        nodes = sorted(nodes_of[thread], key=lambda node: (node.start, -node.end, node.event.order if node.event else -1), reverse=True)
        open_nodes = []
        for record in events:
            while nodes and nodes[-1].start <= record.time:
                open_nodes.append(nodes.pop())
            while open_nodes and open_nodes[-1].end <= record.time:
                open_nodes.pop()
            if open_nodes:
                record.node = open_nodes[-1]


def _above(node):
    """The node around it that is shown: annotations are transparent. None at the top."""
    node = node.parent
    while node is not None and node.kind == "annotation":
        node = node.parent
    return None if node is None or node.kind == "root" else node


def operator_text(record):
    node = record.node
    if node is None or not node.is_operator():
        return None
    above = _above(node)
    return f"{above.name} ({node.name})" if node.name.startswith("aten::empty") and above is not None else node.name


def _blocks(records, faults):
    """(device, block): the content of the table of memory events."""
    across = "memory_addresses_across_devices" in faults
    lost = "memory_repeated_address_lost" in faults
    pending, unmatched, paired, replaced = {}, {}, [], []
    for number, record in enumerate(records):
        if record.device is None:
            continue
        address = record.address
        if address is None:
            if "memory_events_need_addresses" in faults:
                continue
            address = ("event", number)
        place = address if across else (record.device, address)
        if record.bytes > 0:
            if place in pending and not lost:
                replaced.append((pending[place], None))
            pending[place] = record
        elif place in pending:
            paired.append((pending.pop(place), record))
        else:
            unmatched.setdefault(place, []).append(record)
    for place in unmatched if lost else ():
        unmatched[place] = unmatched[place][-1:]
    unpaired = replaced + [(record, None) for record in pending.values()]
    halves = [(None, record) for released in unmatched.values() for record in released]
    for allocation, release in [*paired, *unpaired, *halves]:
        known = allocation or release
        yield known.device, (operator_text(allocation) if allocation else None, abs(known.bytes),
                             allocation.time if allocation else None, release.time if release else None)


def _operators(records, forest, faults):
    """{device: {operator: [statistics]}}, without operators that did not touch that device's memory."""
    of_node, touched = defaultdict(list), set()
    for record in records:
        if record.node is not None:
            touched.add(id(record.node))  # by an event of any device, known or not
        if record.node is not None and record.device is not None:
            of_node[id(record.node)].append(record)
    own, inside = {}, {}  # by node: device -> [increase, allocations, allocation size]
    sums = defaultdict(lambda: defaultdict(lambda: [0] * len(STATISTICS)))
    calls = defaultdict(int)
    for root in forest.threads.values():
        _sum_up(root, of_node, own, inside, faults)
        _count_calls(root, touched, calls, faults)
    for node in forest.walk():
        if not node.is_operator():
            continue
        for device, (increase, count, size) in inside.get(id(node), {}).items():
            row = sums[device][node.name]
            row[1] += increase
            row[3] += count
            row[5] += size
        for device, (increase, count, size) in own.get(id(node), {}).items():
            row = sums[device][node.name]
            row[2] += increase
            row[4] += count
            row[6] += size
    for operators in sums.values():
        for name, row in list(operators.items()):
            if any(row):
                row[0] = calls[name]
            else:
                del operators[name]
    return sums


def _sum_up(root, of_node, own, inside, faults):
    """Children before parents. We count the own allocations of a range that is not an operator for the operators around it."""
    for node in post_order(root):
        if id(node) not in of_node and not any(id(child) in inside for child in node.children):
            continue
        mine, all_in = defaultdict(lambda: [0, 0, 0]), defaultdict(lambda: [0, 0, 0])
        for record in of_node.get(id(node), ()):
            for value in (mine[record.device], all_in[record.device]):
                value[0] += record.bytes
                value[1] += record.bytes > 0
                value[2] += max(record.bytes, 0)
        if not node.is_operator():
            mine.clear()
            if "memory_outside_operators_lost" in faults:
                all_in.clear()
        for child in node.children:
            for device, values in inside.get(id(child), {}).items():
                for at, value in enumerate(values):
                    all_in[device][at] += value
        own[id(node)], inside[id(node)] = mine, all_in


def _count_calls(root, touched, calls, faults):
    """The original does not go into nodes without any record in or below them."""
    busy = set()
    for node in post_order(root):
        if id(node) in touched or any(id(child) in busy for child in node.children):
            busy.add(id(node))
    stack = [root]
    while stack:
        node = stack.pop()
        calls[node.name] += node.is_operator()
        if id(node) in busy or "memory_calls_undercounted" not in faults:
            stack.extend(node.children)


@functools.lru_cache(maxsize=2)  # several cells are relative to it
def profiler_start(trace, faults):
    """The smallest time of all events with a role, memory included."""
    clock = "us" if "double_microseconds" in faults else "ns"
    times = [event.start for event in trace.events(clock)
             if event.category == "trace" or event.category == "python_function" or classify(event, faults)]
    return min(times + [time_of_first_record(trace, faults)] if trace.memory_instants else times)
