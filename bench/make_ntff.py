#!/usr/bin/env python3
"""bench/make_ntff.py [MEGABYTES]: writes build/bench/ntff_1GB.ntff, a long run of a device: instructions of five engines with their
waits, semaphores, DMA packets and throttling, in about the shares of recordings of a matrix product.

The header is that of tests/support/ntff_export.py; records are made by numpy, a thousand of a kind at a time.
"""
import pathlib
import struct
import sys

import numpy

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "support"))
from ntff_export import BASE, CLOCK_ORDER, ENGINES, KINDS, Run, message, notify, slot  # noqa: E402

RECORD = numpy.dtype([("first", "<u4"), ("second", "<u4"), ("ticks", "<u8")])
SLOTS = 20_000
DMA_ENGINES, QUEUES = 16, 2


def records(count):
    return numpy.zeros(count, RECORD)


def instructions(pairs, dice):
    """Five engines in turn; an instruction ends before the next of its engine begins."""
    out = records(2 * pairs)
    engine = numpy.arange(pairs) % len(ENGINES)
    place = (numpy.arange(pairs) // len(ENGINES)) % SLOTS + BASE + 1
    start = 20_000 + numpy.arange(pairs, dtype=numpy.uint64) * 40
    length = dice.integers(1, 150, pairs).astype(numpy.uint64)
    for half, when in ((0, start), (1, start + length)):
        out["first"][half::2] = (4 + 4 * engine + half) << 24 | place
        out["ticks"][half::2] = when
    out["second"] = dice.integers(0, 1 << 32, 2 * pairs, dtype=numpy.uint64)
    return out[numpy.argsort(out["ticks"], kind="stable")]


def packets(count, dice):
    out = records(3 * count)
    engine = dice.integers(0, DMA_ENGINES, count)
    queue = dice.integers(0, QUEUES, count)
    start = 20_000 + numpy.arange(count, dtype=numpy.uint64) * 30
    length = dice.integers(40, 400, count).astype(numpy.uint64)
    for part, step in enumerate((1, 5, 6)):
        out["first"][part::3] = engine << 24 | (2048 if part else 0)
        out["second"][part::3] = queue << 4 | step | (dice.integers(0, 1 << 16, count) << 16 if part else 0)
        out["ticks"][part::3] = start + (length if part else 0)
    return out[numpy.argsort(out["ticks"], kind="stable")]


def semaphores(count, dice):
    out = records(count)
    out["first"] = 0x1B130100 | dice.integers(0, 64, count)
    out["second"] = dice.integers(0, 1 << 10, count)
    out["ticks"] = 20_000 + numpy.arange(count, dtype=numpy.uint64) * 25
    return out


def main():
    total = int(float(sys.argv[1]) * 1e6 if len(sys.argv) > 1 else 1e9) // RECORD.itemsize
    path = ROOT / "build" / "bench" / "ntff_1GB.ntff"
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.exists() and abs(path.stat().st_size - total * RECORD.itemsize) < 1e7:
        return
    dice = numpy.random.default_rng(7)
    run = Run(clocks={unit: (0, 1024, 1_024_000) for unit in CLOCK_ORDER}, dma_clocks=[(0, 1024, 1_024_000)] * DMA_ENGINES,
              queues=[(engine, queue, 2, "qSPSpillReload") for engine in range(DMA_ENGINES) for queue in range(QUEUES)])
    opcodes = (0x02, 0x01, 0xA2, 0x21, 0xA4)
    for engine in ENGINES:
        kinds = [slot(opcode, {38: 128, 39: 64, 26: 4, 28: 1, 30: 1}) for opcode in (opcodes if engine == "pe" else opcodes[2:])]
        run.code(engine, [notify(2), *(kinds[at % len(kinds)] for at in range(SLOTS))])
    begin = records(2 * len(ENGINES))
    for number in range(len(ENGINES)):
        begin["first"][2 * number:2 * number + 2] = ((4 + 4 * number) << 24 | BASE, (5 + 4 * number) << 24 | BASE)
        begin["ticks"][2 * number:2 * number + 2] = (10_000, 10_010)
    blobs = {"instruction": numpy.concatenate([begin, instructions(total // 4, dice)]), "event": semaphores(total // 4, dice),
             "error": records(0), "dma": packets(total // 12, dice), "throttle": records(0)}
    traces, offset = [], 0
    for kind, (trace_type, block) in KINDS.items():
        size = blobs[kind].nbytes
        traces.append((6, message((1, trace_type), (3, block), (5, offset), (6, size))))
        offset += size
    header = run.header(traces)
    with open(path, "wb") as file:
        file.write(struct.pack("<BQ", 5, len(header)).ljust(128, b"\0") + header)
        for kind in KINDS:
            blobs[kind].tofile(file)


main()
