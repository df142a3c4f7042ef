"""A slow, plain reader of XLA profiles (*.xplane.pb), independent of the program's: the whole file in memory, every field by its
number from docs/formats/xplane.md.

    for plane in load(path).planes:
        for line in plane.lines:
            for event in line.events: event.name, event.start_ns, event.duration_ns, event.stats
"""
import gzip
import struct
from dataclasses import dataclass, field


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return value & (1 << 64) - 1, at


def fields(data):
    """(number, value) of every field; bytes of 8 or 4 stay bytes."""
    at = 0
    while at < len(data):
        tag, at = varint(data, at)
        wire = tag & 7
        if wire == 0:
            value, at = varint(data, at)
        else:
            size = {1: 8, 5: 4}.get(wire)
            if wire == 2:
                size, at = varint(data, at)
            value, at = data[at:at + size], at + size
        yield tag >> 3, value


def signed(value):
    return value - (1 << 64) if value >> 63 else value


def packed(value):
    """Numbers of a repeated field, written one by one or packed."""
    if isinstance(value, int):
        return [signed(value)]
    out, at = [], 0
    while at < len(value):
        number, at = varint(value, at)
        out.append(signed(number))
    return out


@dataclass
class Event:
    name: str
    start_ns: int
    duration_ns: int
    stats: dict
    occurrences: int | None = None


@dataclass
class Line:
    id: int = 0
    name: str = ""
    display_name: str = ""
    timestamp_ns: int = 0
    events: list = field(default_factory=list)


@dataclass
class Plane:
    name: str = ""
    lines: list = field(default_factory=list)
    stats: dict = field(default_factory=dict)
    metadata: dict = field(default_factory=dict)  # id -> {"name", "display_name", "stats"}


@dataclass
class Space:
    planes: list = field(default_factory=list)
    hostnames: list = field(default_factory=list)
    errors: list = field(default_factory=list)
    warnings: list = field(default_factory=list)

    def plane(self, name):
        return next((plane for plane in self.planes if plane.name == name), None)


def load(path):
    data = path.read_bytes()
    if data[:2] == b"\x1f\x8b":
        data = gzip.decompress(data)
    space = Space()
    for number, value in fields(data):
        if number == 1:
            space.planes.append(_plane(value))
        else:
            {2: space.errors, 3: space.warnings, 4: space.hostnames}[number].append(value.decode())
    return space


def _stats(messages, names):
    out = {}
    for message in messages:
        key, value = 0, None
        for number, said in fields(message):
            if number == 1:
                key = signed(said)
            elif number == 2:
                value = struct.unpack("<d", said)[0]
            elif number == 3:
                value = said
            elif number == 4:
                value = signed(said)
            elif number == 5:
                value = said.decode("utf-8", "replace")
            elif number == 6:
                value = said
            elif number == 7:
                value = names.get(said, "")
        out[names.get(key, "")] = value
    return out


def _plane(data):
    plane, lines, metadata, names, stats = Plane(), [], {}, {}, []
    for number, value in fields(data):
        if number == 2:
            plane.name = value.decode()
        elif number == 3:
            lines.append(value)
        elif number in (4, 5):
            entry = dict(fields(value))
            of = {"name": "", "display_name": "", "stats": []}
            for inner, said in fields(entry.get(2, b"")):
                if inner == 2:
                    of["name"] = said.decode("utf-8", "replace")
                elif inner == 4 and number == 4:
                    of["display_name"] = said.decode()
                elif inner == 5 and number == 4:
                    of["stats"].append(said)
            (metadata if number == 4 else names)[signed(entry.get(1, 0))] = of
        elif number == 6:
            stats.append(value)
    names = {key: of["name"] for key, of in names.items()}
    plane.stats = _stats(stats, names)
    plane.metadata = {key: {**of, "stats": _stats(of["stats"], names)} for key, of in metadata.items()}
    plane.lines = [_line(line, plane, names) for line in lines]
    return plane


def _line(data, plane, names):
    line, events = Line(), []
    for number, value in fields(data):
        if number == 1:
            line.id = signed(value)
        elif number == 2:
            line.name = value.decode()
        elif number == 3:
            line.timestamp_ns = signed(value)
        elif number == 4:
            events.append(value)
        elif number == 11:
            line.display_name = value.decode()
    line.events = [_event(event, line, plane, names) for event in events]
    return line


def _event(data, line, plane, names):
    key, offset, duration, occurrences, stats = 0, 0, 0, None, []
    for number, value in fields(data):
        if number == 1:
            key = signed(value)
        elif number == 2:
            offset = signed(value)
        elif number == 3:
            duration = signed(value)
        elif number == 4:
            stats.append(value)
        elif number == 5:
            occurrences = signed(value)
    of = plane.metadata.get(key, {"name": "", "display_name": "", "stats": {}})
    start = line.timestamp_ns + offset // 1000
    end = line.timestamp_ns + (offset + duration) // 1000
    return Event(of["display_name"] or of["name"], start, end - start, {**of["stats"], **_stats(stats, names)}, occurrences)


# ---- compiled programs ----

TYPES = {1: "pred", 2: "s8", 3: "s16", 4: "s32", 5: "s64", 6: "u8", 7: "u16", 8: "u32", 9: "u64", 10: "f16", 11: "f32", 12: "f64", 15: "c64",
         16: "bf16", 18: "c128"}


def grouped(data):
    out = {}
    for number, value in fields(data):
        out.setdefault(number, []).append(value)
    return out


def one(of, number, default=b""):
    return of.get(number, [default])[-1]


def numbers(of, number):
    return [at for value in of.get(number, []) for at in packed(value)]


def shape(data):
    """(text, dimensions of the first array in it)"""
    of = grouped(data)
    if one(of, 2, 0) == 13:
        parts = [shape(part) for part in of.get(4, [])]
        return "(" + ", ".join(text for text, _ in parts) + ")", parts[0][1] if parts else []
    sizes = numbers(of, 3)
    if one(of, 2, 0) == 17:
        return "token", []
    return f"{TYPES.get(one(of, 2, 0), '?')}[{','.join(map(str, sizes))}]", sizes


def product(sizes):
    result = 1
    for size in sizes:
        result *= size
    return result


def programs(space):
    """Program id as text -> (module's name, {instruction's name: its data})."""
    plane, out = space.plane("/host:metadata"), {}
    for metadata in plane.metadata.values() if plane else ():
        if "Hlo Proto" not in metadata["stats"]:
            continue
        module = grouped(one(grouped(metadata["stats"]["Hlo Proto"]), 1))
        frames = grouped(one(module, 17))
        instructions, by_id = {}, {}
        for computation in module.get(3, []):
            computation = grouped(computation)
            for data in computation.get(2, []):
                of = grouped(data)
                about = grouped(one(of, 7))
                text, sizes = shape(one(of, 3))
                said = {"opcode": one(of, 2).decode(), "shape": text, "sizes": sizes, "operator": one(about, 2).decode(),
                        "source": _source(about, frames), "computation": one(computation, 5, 0), "operands": numbers(of, 36),
                        "called": numbers(of, 38), "contracted": numbers(grouped(one(of, 30)), 1) if 30 in of else None}
                instructions[one(of, 1).decode()] = by_id[one(of, 35, 0)] = said
        for said in instructions.values():
            if said["opcode"] == "dot":
                left = by_id[said["operands"][0]]["sizes"]
                said["flops"] = 2.0 * product(said["sizes"]) * product(left[at] for at in said["contracted"])
        out[metadata["name"].rpartition("(")[2].rstrip(")")] = one(module, 1).decode(), instructions
    return out


def _source(about, frames):
    if one(about, 3):
        return f"{one(about, 3).decode()}:{one(about, 4, 0)}"
    frame = one(about, 15, 0)
    if not frame:
        return ""
    location = grouped(frames[3][one(grouped(frames[4][frame - 1]), 1, 0) - 1])
    return f"{frames[1][one(location, 1, 0) - 1].decode()}:{one(location, 3, 0)}"
