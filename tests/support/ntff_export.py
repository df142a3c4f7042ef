"""Writes one small run of a device as an NTFF file, version 5, and keeps what was written for comparison.

    run = Run()
    run.code("sp", [notify(2), slot(0xA4, {12: 3})])
    run.instruction("sp", 1, start=500, length=20)
    run.packet(engine=0, queue=1, start=700, length=40, size=512)
    path.write_bytes(run.file())

Times are ns since the clocks began. Each unit has a separate clock; `run.told(unit, time)` is the ps that a file can express
for a time. Lists of the written data (`instructions`, `packets`, ...) have those ps. All bytes are made here: nothing is copied
from a device.
"""
import struct
from dataclasses import dataclass, field

ENGINES = ("pe", "act", "pool", "dve", "sp")
CLOCK_ORDER = ("pe", "act", "dve", "pool", "sp", "events", "throttle")
KINDS = {"instruction": (0, 0), "event": (1, 0), "error": (2, 0), "dma": (4, 1), "throttle": (5, 0)}
BASE = 0x200  # program counter of every engine's first instruction


def varint(value):
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def message(*fields):
    """(number, integer, text or bytes)..."""
    out = b""
    for number, value in fields:
        if isinstance(value, int):
            out += varint(number << 3) + varint(value)
        else:
            value = value.encode() if isinstance(value, str) else value
            out += varint(number << 3 | 2) + varint(len(value)) + value
    return out


def slot(opcode, values=()):
    """64 bytes of an instruction: {offset: byte}."""
    out = bytearray(64)
    out[0], out[1] = opcode, 0x10
    for at, value in dict(values).items():
        out[at] = value
    return bytes(out)


def notify(hint):
    return slot(0xA6, {36: hint, 39: 1})


@dataclass
class Run:
    name: str = "model.neff"
    uuid: bytes = bytes(range(16))
    version: int = 5
    revision: str = ""  # of the runtime that wrote it: "simulated" if no device did
    clocks: dict = field(default_factory=lambda: {
        "pe": (1000, 731428, 731408), "act": (70_000, 731428, 731408), "pool": (3, 1024, 731428), "dve": (9, 914286, 914260),
        "sp": (5, 731428, 731408), "events": (11, 731428, 731408), "throttle": (2 ** 47, 1024, 731408)})
    dma_clocks: list = field(default_factory=lambda: [(10 ** 6 + engine, 1024, 1204672) for engine in range(16)])
    queues: list = field(default_factory=list)  # (DMA engine, queue, type, name)
    memory: dict = field(default_factory=dict)
    duration: int = 0  # ps
    slots: dict = field(default_factory=dict)
    records: dict = field(default_factory=lambda: {kind: [] for kind in KINDS})  # (ticks, bytes), in order of time when written
    instructions: list = field(default_factory=list)  # (engine, at, start, end, waited, crc_in, crc_out)
    packets: list = field(default_factory=list)  # (engine, queue, start, end, size, crc)
    semaphores: list = field(default_factory=list)  # (id, time, value)

    def clock(self, unit):
        return self.dma_clocks[unit] if isinstance(unit, int) else self.clocks[unit]

    def ticks(self, unit, time):
        first, actual, expected = self.clock(unit)
        return first + time * 1000 * actual // expected

    def told(self, unit, time):
        first, actual, expected = self.clock(unit)
        return (self.ticks(unit, time) - first) * expected // actual  # whole ps

    def record(self, kind, unit, time, first, second):
        ticks = self.ticks(unit, time)
        self.records[kind].append((time, struct.pack("<IIQ", first, second, ticks)))
        return self.told(unit, time)

    def code(self, engine, slots):
        self.slots[engine] = list(slots)

    def instruction(self, engine, at, start, length, waited=0, crc_in=0, crc_out=0):
        type_ = 4 + 4 * ENGINES.index(engine)
        begun = self.record("instruction", engine, start, type_ << 24 | BASE + at, waited << 16)
        ended = self.record("instruction", engine, start + length, type_ + 1 << 24 | BASE + at, crc_out << 16 | crc_in)
        self.instructions.append((engine, at, begun, ended, waited, crc_in, crc_out))

    def packet(self, engine, queue, start, length, size, crc=0):
        begun = self.record("dma", engine, start, engine << 24, queue << 4 | 1)
        ended = self.record("dma", engine, start + length, engine << 24 | size, crc << 16 | queue << 4 | 5)
        self.record("dma", engine, start + length, engine << 24 | size, crc << 16 | queue << 4 | 6)
        self.packets.append((engine, queue, begun, ended, size, crc))

    def semaphore(self, number, time, value):
        self.semaphores.append((number, self.record("event", "events", time, 0x1B130100 | number, value), value))

    def throttle(self, time, limit=None, of=None):
        known = limit is not None
        self.record("throttle", "throttle", time, 0x1E000000 | (of << 16 if known else 0), limit if known else 0x80)

    def header(self, traces):
        """The message before the records, which `traces` (fields of a graph) name."""
        code = [(4, message((1, number), (2, (3 << 32) + BASE * 64), (3, b"".join(self.slots.get(engine, ())))))
                for number, engine in enumerate(ENGINES)]
        clocks = [(number + 1, message(*enumerate(self.clocks[unit], 1))) for number, unit in enumerate(CLOCK_ORDER)]
        clocks += [(8, message(*enumerate(clock, 1))) for clock in self.dma_clocks]
        queues = [(7, message((1, engine), (2, queue), (3, kind), (4, name))) for engine, queue, kind, name in self.queues]
        memory = [(11, message((2, size), (3, holder))) for holder, size in self.memory.items()]
        graph = message((1, "sg00"), *code, *traces, *queues, (10, message(*clocks)), *memory, (14, self.duration))
        runtime = message((1, 2), (2, 31), (3, 0), (5, self.revision))
        return message((1, self.name), (2, self.uuid), (4, message((4, message((1, graph))))), (5, 1), (8, runtime), (9, "test.xlarge"))

    def file(self):
        traces, blob = [], b""
        for kind, (trace_type, block) in KINDS.items():
            data = b"".join(bytes_ for _, bytes_ in sorted(self.records[kind], key=lambda entry: entry[0]))
            traces.append((6, message((1, trace_type), (3, block), (5, len(blob)), (6, len(data)))))
            blob += data
        header = self.header(traces)
        return struct.pack("<BQ", self.version, len(header)).ljust(128, b"\0") + header + blob
