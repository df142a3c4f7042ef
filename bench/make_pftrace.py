#!/usr/bin/env python3
"""bench/make_pftrace.py [MEGABYTES [FILE [STYLE]]]: writes build/bench/trace_1GB.pftrace, operators that launch a kernel each, as PyTorch's writer
of Perfetto traces writes them (STYLE inline: keys with each event), or as one with interned keys does (interned, the default). Prints how many slices there are.

The packets of one operator are a text of tests/support/perfetto_text.py; numpy repeats their bytes with other times and ids, which
are varints of one length.
"""
import pathlib
import sys

import numpy

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "support"))
from perfetto_text import TraceText, varint  # noqa: E402

TIME, ID, NAMES, AT_ONCE = 1 << 60, 1 << 23, 40, 100_000
HEAD = """style {style}
process 1 pid=100 name="python"
thread 2 parent=1 pid=100 tid=100 name="main"
process 3 pid=0 name="GPU 0"
thread 4 parent=3 pid=0 tid=7 name="stream 7"
"""
OPERATOR = """begin 2 @{t0} "aten::operator_{name}" (cpu_op) {{"External id": {id}, "Input Dims": [[64, 128], [128, 256]], "Input type": ["float", "float"]}}
begin 2 @{t1} "cudaLaunchKernel" (cuda_runtime) {{"External id": {id}, "cbid": 211, "correlation": {id}}}
end 2 @{t2}
end 2 @{t3}
begin 4 @{t4} "void kernel_{name}<float, 128>(float const*, float*)" (kernel) {{"External id": {id}, "device": 0, "stream": 7, "correlation": {id}, "grid": [64, 1, 1], "block": [128, 1, 1], "registers per thread": 32, "shared memory": 1024}}
end 4 @{t5}
"""


def operator(name):
    return OPERATOR.format(name=name, id=ID, **{f"t{at}": TIME + at for at in range(6)})


def places(data, value):
    code, at = varint(value), -1
    while (at := data.find(code, at + 1)) >= 0:
        yield at, len(code)


def put(rows, place, values):
    at, width = place
    for byte in range(width):
        rows[:, at + byte] = ((values >> numpy.uint64(7 * byte)) & numpy.uint64(127)) | numpy.uint64(0 if byte == width - 1 else 128)


def main():
    megabytes = float(sys.argv[1]) if len(sys.argv) > 1 else 1000
    file = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else ROOT / "build" / "bench" / "trace_1GB.pftrace"
    style = sys.argv[3] if len(sys.argv) > 3 else "interned"
    file.parent.mkdir(parents=True, exist_ok=True)
    trace = TraceText(HEAD.format(style=style) + "".join(operator(name) for name in range(NAMES)))
    begin = len(trace.packets)
    trace.take("".join(operator(name) for name in range(NAMES)))  # the names are known now
    head, body = b"".join(trace.packets[:begin]), b"".join(trace.packets[begin:])
    times = [list(places(body, TIME + at)) for at in range(6)]
    ids = list(places(body, ID))
    written, blocks = len(head), 0
    with open(file, "wb") as out:
        out.write(head)
        while written < megabytes * 1e6:
            count = max(1, AT_ONCE // NAMES)
            rows = numpy.tile(numpy.frombuffer(body, numpy.uint8), (count, 1))
            first = (numpy.arange(count, dtype=numpy.uint64) + numpy.uint64(blocks + 1)) * numpy.uint64(NAMES)
            for at, found in enumerate(times):
                for number, place in enumerate(found):
                    put(rows, place, numpy.uint64(TIME) + (first + numpy.uint64(number)) * numpy.uint64(10_000) + numpy.uint64(at * 1000))
            per = len(ids) // NAMES
            for number, place in enumerate(ids):
                put(rows, place, numpy.uint64(ID) + first + numpy.uint64(number // per))
            out.write(rows.tobytes())
            written += rows.nbytes
            blocks += count
    print(f"{file}: {written / 1e6:.0f} MB, {(blocks + 1) * NAMES * 3} slices")


if __name__ == "__main__":
    main()
