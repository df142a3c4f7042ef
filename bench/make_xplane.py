#!/usr/bin/env python3
"""bench/make_xplane.py [MEGABYTES [FILE [TEXT]]]: writes build/bench/xplane_1GB.xplane.pb, a profile of eight GPUs as XLA writes them: four
streams each, whose kernels 32 threads launch, every launch inside the range of its operator. Prints how many events there are.

TEXT bytes of unused text are in each kernel (200 by default), as in real profiles: this makes a file long with fewer events.

Names, programs and devices are those of tests/support/xplane_export.py. numpy makes the events, as records of one size: their
numbers are varints of the length that each value needs.
"""
import pathlib
import sys

import numpy

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "support"))
from xplane_export import Plane, Ref, Unsigned, instruction, message, program, shape, varint  # noqa: E402

GPUS, STREAMS, NAMES, OPERATORS = 8, 4, 100, 40
GAP_PS, OFFSET_PS = 5_000_000, 5 * 10**12  # a kernel each 5 us, from 5 s on: so that all offsets are varints of 7 bytes
PROGRAM = 17


def fixed(values, width):
    """Varints of `width` bytes, a row each: values must lie in [2^(7 (width - 1)), 2^(7 width))."""
    values = numpy.asarray(values, numpy.uint64)
    assert (values >> numpy.uint64(7 * (width - 1))).min() > 0 and (values >> numpy.uint64(7 * width)).max() == 0
    out = numpy.empty((len(values), width), numpy.uint8)
    for at in range(width):
        out[:, at] = ((values >> numpy.uint64(7 * at)) & numpy.uint64(127)) | numpy.uint64(0 if at == width - 1 else 128)
    return out


def records(count, *parts):
    """Events of a line: parts are bytes that all have, or an array with a row each."""
    rows = [numpy.broadcast_to(numpy.frombuffer(part, numpy.uint8), (count, len(part))) if isinstance(part, bytes) else part for part in parts]
    body = numpy.concatenate(rows, axis=1)
    head = numpy.frombuffer(bytes([4 << 3 | 2]) + varint(body.shape[1]), numpy.uint8)
    return numpy.concatenate([numpy.broadcast_to(head, (count, len(head))), body], axis=1)


def stat(number, kind, values):
    """An XStat with a number of two bytes or more: field 4 of the event."""
    inner = 2 + 1 + values.shape[1]
    head = numpy.frombuffer(bytes([4 << 3 | 2, inner, 1 << 3, number, kind << 3]), numpy.uint8)
    return numpy.concatenate([numpy.broadcast_to(head, (len(values), len(head))), values], axis=1)


class Names(Plane):
    """A plane whose ids are known before its events are."""

    def __init__(self, name, events, stats, referred=()):
        super().__init__(name)
        self.first = [self.event_id(event) for event in events][0]
        self.keys = {name: self.stat_id(name) for name in stats}
        while len(self.stat_ids) < 128:  # what is referred to has ids of two bytes
            self.stat_id("unused %d" % len(self.stat_ids))
        self.refs = [self.stat_id(name) for name in referred]


def starts(count, stream, lead_ps):
    return OFFSET_PS + numpy.arange(count, dtype=numpy.uint64) * GAP_PS + stream * 1000 - lead_ps


def correlation(count, gpu, stream):
    return fixed((1 << 28) + (gpu * STREAMS + stream) * (1 << 26) + numpy.arange(count, dtype=numpy.uint64), 5)


def kernels(plane, count, gpu, stream, text=0):
    which = numpy.arange(count) % OPERATORS
    refs = numpy.array(plane.refs)
    return records(count, b"\x08", fixed_small(plane.first + numpy.arange(count) % NAMES), b"\x10", fixed(starts(count, stream, 0), 7),
                   b"\x18", fixed(2_200_000 + which * 10_000, 4), stat(plane.keys["correlation_id"], 3, correlation(count, gpu, stream)),
                   stat(plane.keys["hlo_op"], 7, fixed(refs[which], 2)), stat(plane.keys["hlo_module"], 7, fixed(refs[[OPERATORS] * count], 2)),
                   stat(plane.keys["kernel_details"], 7, fixed(refs[[OPERATORS + 1] * count], 2)),
                   message((4, message((1, plane.keys["program_id"]), (4, PROGRAM)))),
                   message((4, message((1, plane.keys["text"]), (5, "x" * text)))) if text else b"")


def fixed_small(values):
    assert values.max() < 128
    return values.astype(numpy.uint8).reshape(-1, 1)


def calls(plane, count, gpu, stream):
    """A range of the operator, and in it the call that launches."""
    ranges = records(count, b"\x08", fixed_small(plane.first + 1 + numpy.arange(count) % OPERATORS), b"\x10", fixed(starts(count, stream, 3_000_000), 7),
                     b"\x18", fixed(numpy.full(count, 2_500_000), 4))
    launches = records(count, bytes([8, plane.first, 16]), fixed(starts(count, stream, 2_500_000), 7), b"\x18",
                       fixed(numpy.full(count, 1_500_000), 3), stat(plane.keys["correlation_id"], 3, correlation(count, gpu, stream)))
    return numpy.concatenate([ranges, launches], axis=1)


def write_plane(file, plane, lines):
    """`lines`: (id, name, bytes of the events, what makes them)."""
    names = plane.bytes()
    heads = [message((1, number), (2, name), (3, 1000)) for number, name, _, _ in lines]
    inner = [len(head) + size for head, (_, _, size, _) in zip(heads, lines)]
    outer = len(names) + sum(1 + len(varint(size)) + size for size in inner)
    file.write(bytes([1 << 3 | 2]) + varint(outer) + names)
    for head, size, (_, _, _, make) in zip(heads, inner, lines):
        file.write(bytes([3 << 3 | 2]) + varint(size) + head)
        make().tofile(file)


def main():
    megabytes = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    path = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else ROOT / "build" / "bench" / "xplane_1GB.xplane.pb"
    text = int(sys.argv[3]) if len(sys.argv) > 3 else 200
    path.parent.mkdir(parents=True, exist_ok=True)
    operators = ["fusion.%d" % at for at in range(OPERATORS)]
    details = "regs:32 static_shared:16 dynamic_shared:1024 grid:4,2,1 block:256,1,1 occ_pct:50"
    device = lambda gpu: Names("/device:GPU:%d" % gpu, ["kernel_%d" % at for at in range(NAMES)],
                               ["correlation_id", "hlo_op", "hlo_module", "program_id", "kernel_details", "text"], [*operators, "jit_f", details])
    host = Names("/host:CPU", ["cuLaunchKernel", *operators], ["correlation_id"])
    kernel, call = kernels(device(0), 1, 0, 0, text).shape[1], calls(host, 1, 0, 0).shape[1]
    lines = GPUS * STREAMS
    count = megabytes * 1_000_000 // (lines * (kernel + call))
    with path.open("wb") as file:
        compiled = Plane("/host:metadata")
        instructions = [instruction(at + 1, name, "fusion", shape(8, 16), operator="jit(f)/layer_%d/mul" % (at // 4), file="f.py", line=at + 1)
                        for at, name in enumerate(operators)]
        compiled.describe("jit_f(%d)" % PROGRAM, stats={"Hlo Proto": program("jit_f", [(1, instructions)], [(1, 1, 512)])})
        write_plane(file, compiled, [])
        for gpu in range(GPUS):
            plane = device(gpu)
            plane.say(device_vendor="Nvidia", clock_rate=1_980_000, core_count=132, memory_bandwidth=Unsigned(3_352_320_000_000),
                      compute_cap_major=9, compute_cap_minor=0)
            write_plane(file, plane, [(stream + 1, "Stream #%d(Kernel)" % (stream + 1), count * kernel,
                                       lambda plane=plane, gpu=gpu, stream=stream: kernels(plane, count, gpu, stream, text)) for stream in range(STREAMS)])
        write_plane(file, host, [(100 + at, "worker %d" % at, count * call,
                                  lambda at=at: calls(host, count, at // STREAMS, at % STREAMS)) for at in range(lines)])
    print("%s: %d bytes, %d events: %d kernels, %d calls, %d ranges" % (path, path.stat().st_size, 3 * count * lines, *[count * lines] * 3))


if __name__ == "__main__":
    main()
