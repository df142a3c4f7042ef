"""Writes a small profile as XLA does (*.xplane.pb), and keeps what was written for comparison.

    space = Space()
    host = space.plane("/host:CPU")
    thread = host.line("python", id=7, timestamp_ns=1000)
    thread.event("f", start_ps=2_000_000, duration_ps=5_000, stats={"hlo_op": Ref("dot.1"), "run_id": 3})
    path.write_bytes(space.file())

A value of a stat is an int (int64), Unsigned, a float, a str, Ref (a text that is written once, as a stat's name) or bytes. All
bytes are made here: nothing is copied from a device.
"""
import struct
from dataclasses import dataclass, field


class Ref(str):
    """A text that is written once and referred to."""


class Unsigned(int):
    """A uint64."""


def varint(value):
    value &= (1 << 64) - 1
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def message(*fields):
    """(number, integer, float, text or bytes)..., in the order given; None is left out."""
    out = b""
    for number, value in fields:
        if value is None:
            continue
        if isinstance(value, int):
            out += varint(number << 3) + varint(value)
        elif isinstance(value, float):
            out += varint(number << 3 | 1) + struct.pack("<d", value)
        else:
            value = value.encode() if isinstance(value, str) else bytes(value)
            out += varint(number << 3 | 2) + varint(len(value)) + value
    return out


@dataclass
class Line:
    plane: "Plane"
    name: str
    id: int = 0
    timestamp_ns: int = 0
    display_name: str | None = None
    events: list = field(default_factory=list)

    def event(self, name, start_ps=0, duration_ps=0, stats=(), occurrences=None):
        stats = [self.plane.stat(key, value) for key, value in dict(stats).items()]
        time = (5, occurrences) if occurrences is not None else (2, start_ps)
        self.events.append(message((1, self.plane.event_id(name)), time, (3, duration_ps), *((4, stat) for stat in stats)))

    def bytes(self):
        return message((1, self.id), (2, self.name), (3, self.timestamp_ns), *((4, event) for event in self.events),
                       (11, self.display_name))


@dataclass
class Plane:
    name: str
    id: int = 0
    lines: list = field(default_factory=list)
    event_ids: dict = field(default_factory=dict)
    stat_ids: dict = field(default_factory=dict)
    metadata: dict = field(default_factory=dict)  # event name -> (display name, stats)
    stats: list = field(default_factory=list)

    def line(self, name, **options):
        self.lines.append(Line(self, name, **options))
        return self.lines[-1]

    def event_id(self, name):
        return self.event_ids.setdefault(name, len(self.event_ids) + 1)

    def stat_id(self, name):
        return self.stat_ids.setdefault(name, len(self.stat_ids) + 1)

    def stat(self, name, value):
        if isinstance(value, Ref):
            number, value = 7, self.stat_id(value)
        elif isinstance(value, Unsigned):
            number = 3
        else:
            number = {int: 4, float: 2, str: 5, bytes: 6}[type(value)]
        return message((1, self.stat_id(name)), (number, value))

    def describe(self, event, display_name=None, stats=()):
        """Data of all events of a name."""
        self.event_id(event)
        self.metadata[event] = (display_name, [self.stat(key, value) for key, value in dict(stats).items()])

    def say(self, **stats):
        self.stats += [self.stat(key, value) for key, value in stats.items()]

    def bytes(self, maps_first=False):
        names = []
        for name, number in self.event_ids.items():
            display_name, stats = self.metadata.get(name, (None, []))
            value = message((1, number), (2, name), (4, display_name), *((5, stat) for stat in stats))
            names.append((4, message((1, number), (2, value))))
        for name, number in self.stat_ids.items():
            names.append((5, message((1, number), (2, message((1, number), (2, name))))))
        lines = [(3, line.bytes()) for line in self.lines]
        parts = names + lines if maps_first else lines + names
        return message((1, self.id), (2, self.name), *parts, *((6, stat) for stat in self.stats))


@dataclass
class Space:
    planes: list = field(default_factory=list)
    errors: list = field(default_factory=list)
    warnings: list = field(default_factory=list)
    hostnames: list = field(default_factory=lambda: ["host0"])

    def plane(self, name, **options):
        self.planes.append(Plane(name, **options))
        return self.planes[-1]

    def file(self, maps_first=False):
        return message(*((1, plane.bytes(maps_first)) for plane in self.planes), *((2, text) for text in self.errors),
                       *((3, text) for text in self.warnings), *((4, text) for text in self.hostnames))


F32 = 11


def shape(*sizes, type=F32):
    return message((2, type), *((3, size) for size in sizes))


def instruction(id, name, opcode, result, operands=(), operator="", file="", line=0, contract=None, calls=(), kind=None):
    """One of a compiled program; `contract`: dimension of the left side that a dot sums over."""
    metadata = message((2, operator), (3, file), (4, line))
    dimensions = None if contract is None else message((1, contract))
    return message((1, name), (2, opcode), (3, result), (7, metadata), (11, kind), (30, dimensions), (35, id), *((36, at) for at in operands),
                   *((38, called) for called in calls))


def program(name, computations, values=()):
    """A serialized xla.HloProto. `computations`: (id, instructions), the entry first; `values`: (id, instruction, bytes) of temporaries."""
    order = [(1, message((1, computation), (2, message(*((1, number) for number in range(1, len(instructions) + 1))))))
             for computation, instructions in computations[:1]]
    module = message((1, name), *((3, message(*((2, one) for one in instructions), (5, computation))) for computation, instructions in computations),
                     (6, computations[0][0]), (7, message(*order)))
    buffers = [(1, message((1, value), (2, size), (3, message((4, made_by))))) for value, made_by, size in values]
    assigned = [(9, message((1, value), (3, size))) for value, _, size in values]
    return message((1, module), (3, message(*buffers, (3, message((1, 1), *assigned)))))


def gpu_training(steps=3):
    """A host that launches two kernels, a copy and a fill a step, marks its steps, and reports one allocation."""
    space = Space()
    number = 17
    compiled = space.plane("/host:metadata")
    compiled.say(jax_version="0.0")
    product = instruction(3, "dot.1", "dot", shape(8, 16), (1, 2), "jit(f)/layer/dot_general", "f.py", 3, contract=1)
    compiled.describe(f"jit_f({number})", stats={"Hlo Proto": program("jit_f", [(1, [
        instruction(1, "x", "parameter", shape(8, 32)), instruction(2, "w", "parameter", shape(32, 16)), product])], [(1, 3, 512)])})
    gpu = space.plane("/device:GPU:0")
    gpu.say(device_vendor="Nvidia", clock_rate=1_000_000, core_count=10, memory_bandwidth=Unsigned(2_000_000_000_000),
            memory_size=Unsigned(1 << 34), compute_cap_major=9, compute_cap_minor=0)
    stream = gpu.line("Stream #13(Compute,MemcpyD2D)", id=13, timestamp_ns=1000)
    host = space.plane("/host:CPU")
    main = host.line("python", id=-5, timestamp_ns=1000)
    calls = host.line("Host Threads/99", id=99, timestamp_ns=1000, display_name="Host Threads/99")
    us = 1_000_000
    for step in range(steps):
        at = step * 100 * us
        of = {"hlo_op": Ref("dot.1"), "hlo_module": Ref("jit_f"), "program_id": number}
        main.event("train", at, 90 * us, {"_r": 1, "step_num": step})
        main.event("PjitFunction(f)", at + 5 * us, 40 * us)
        main.event("dot.1", at + 10 * us, 10 * us)
        main.event("$f.py:3 step", at + 50 * us, 10 * us)
        calls.event("cuLaunchKernel", at + 11 * us, 3 * us, {"correlation_id": Unsigned(10 * step + 1), **of})
        calls.event("cuMemcpyDtoDAsync", at + 60 * us, 2 * us, {"correlation_id": Unsigned(10 * step + 2)})
        stream.event("gemm", at + 20 * us, 30 * us + 500, {
            "correlation_id": Unsigned(10 * step + 1), **of,
            "kernel_details": Ref("regs:32 static_shared:16 dynamic_shared:1024 grid:4,2,1 block:256,1,1 occ_pct:50")})
        stream.event("MemcpyD2D", at + 70 * us, 10 * us, {
            "correlation_id": Unsigned(10 * step + 2), "memcpy_details": Ref("kind_src:device size:4096 dest:0 async:1")})
    main.event("MemoryAllocation", 12 * us, 0, {
        "allocator_name": Ref("GPU_0_bfc"), "bytes_allocated": 4096, "allocation_bytes": 1024, "addr": 140_000_000_000_000})
    task = space.plane("Task Environment")
    task.say(profile_start_time=Unsigned(1_700_000_000_000_000_000), profile_stop_time=Unsigned(1_700_000_000_001_000_000))
    return space


def tpu_inference(runs=3):
    """A host that requests runs of one program ahead of time, and a TPU whose clock is 1 us behind and seems to lag in the
    second."""
    space, us, number = Space(), 1_000_000, 3
    tpu = space.plane("/device:TPU:0")
    tpu.say(device_type_string="TPU v6", peak_teraflops_per_second=900.0)
    modules, ops, beside, counters = (tpu.line(name, id=at) for at, name in enumerate(("XLA Modules", "XLA Ops", "Async XLA Ops", "_counters_")))
    host = space.plane("/host:CPU")
    main, pool = host.line("main", id=7), host.line("pool", id=8)
    for run in range(runs):
        at, late = (100 + 20 * run) * us, 3 * us if run == 1 else 0
        main.event("PjitFunction(f)", run * 10 * us, 5 * us)
        main.event("Execute", run * 10 * us + us, us, {"_pt": 5, "_p": run + 1})
        pool.event("Do", run * 10 * us + 6 * us, 3 * us, {"_ct": 5, "_c": run + 1})
        pool.event("DoEnqueueProgram", run * 10 * us + 7 * us, us, {"_pt": 12, "_p": 70 + run})
        modules.event(f"jit_f({number})", at, 16 * us + late, {"_ct": 12, "_c": 70 + run, "run_id": run})
        for name, start, length in ("while.1", 0, 8), ("fusion.2", 1, 3), ("copy-done.3", 8, 8):
            stretched = late if name == "copy-done.3" else 0
            ops.event(name, at + start * us, length * us + stretched, {
                "hlo_category": Ref(name.partition(".")[0]), "program_id": number, "bytes_accessed": 64,
                "device_offset_ps": Unsigned(at + (start - 1) * us), "device_duration_ps": Unsigned(length * us)})
        beside.event("async-copy", at + us, 15 * us, {"hlo_op": Ref("copy-done.3"), "_a": 1})
        counters.event("Vector Fills", at, 0, {"Vector Fills": Unsigned(run)})
        report = {"index_on_host": 0, "bytes_reserved": 500 * run, "bytes_available": 1000, "addr": 4096 * (run + 1)}
        main.event("MemoryAllocation", run * 10 * us, 0, {**report, "bytes_allocated": 64, "allocation_bytes": 64})
        main.event("MemoryDeallocation", run * 10 * us + 8 * us, 0, {**report, "bytes_allocated": 0})
    return space


if __name__ == "__main__":
    import pathlib
    import sys
    made = {"gpu": gpu_training, "tpu": tpu_inference}[sys.argv[2] if len(sys.argv) > 2 else "gpu"]
    pathlib.Path(sys.argv[1]).write_bytes(made().file())
