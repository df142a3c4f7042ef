"""Hostile binary profiles: device traces (NTFF), compiled models (NEFF), XLA's planes, Parquet tables, memory snapshots, and Perfetto traces."""
import io
import json
import pathlib
import pickle
import struct
import sys
import tarfile
import zlib

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))

import pyarrow

import explorer_export
import flight_records
import memory_snapshot
import neff_export
import perfetto_text
import xplane_export
from cases import Case, altered, damaged, file_case
from device_run import device_run
from ntff_export import message, varint


def ntff_cases():
    data = device_run().file()
    for name, bytes_ in damaged("NTFF", data):
        yield file_case(name, ".ntff", bytes_)
    for name, bytes_ in altered("NTFF", data, 40):
        yield file_case(name, ".ntff", bytes_, "any")
    for at in range(0, 128, 4):
        for how, word in (("ones", 0xFFFFFFFF), ("the largest", 0x7FFFFFFF), ("one", 1)):
            yield file_case(f"NTFF head: {how} at byte {at}", ".ntff", data[:at] + struct.pack("<I", word) + data[at + 4:], "any")
    for version in (0, 1, 4, 6, 255):
        yield file_case(f"NTFF of version {version}", ".ntff", bytes([version]) + data[1:])
    for size in (0, 1, 1 << 32, 1 << 63, (1 << 64) - 1):
        yield file_case(f"NTFF with a message of {size} bytes", ".ntff", data[:1] + struct.pack("<Q", size) + data[9:])
    yield file_case("NTFF twice", ".ntff", data + data, "any")


def neff_cases():
    data = neff_export.neff()
    for name, bytes_ in damaged("NEFF", data):
        yield file_case(name, ".neff", bytes_)
    for name, bytes_ in altered("NEFF", data):
        yield file_case(name, ".neff", bytes_, "any")
    for size in (0, 1, 1 << 31, 1 << 63, (1 << 64) - 1):
        yield file_case(f"NEFF with an archive of {size} bytes", ".neff", data[:16] + struct.pack("<Q", size) + data[24:])
    outside = {"../../outside_neff": b"x", "/tmp/outside_neff": b"x", "neff.json": b"{}"}
    yield file_case("NEFF with paths that lead out", ".neff", neff_export.neff(members=outside), "any")
    yield file_case("NEFF with a link", ".neff", neff_export.neff(payload=link_archive(), package=1), "any")
    for document in ("hlo_stats.json", "info.json", "neff.json", "sg00/def.json"):
        for what, text in (("nothing", b""), ("an open brace", b"{"), ("nested deep", b"[" * 100_000), ("not UTF-8", b'{"a":"\xff"}'), ("null", b"null"),
                           ("a long number", b'{"HloMacCount":' + b"9" * 1000 + b"}")):
            yield file_case(f"NEFF {document}: {what}", ".neff", neff_export.neff(members={document: text}), "any")
    bomb = neff_export.neff(members={"info.json": b" " * 100_000_000})
    yield file_case("NEFF with a member of 100 MB of blanks", ".neff", bomb, "any", size=100_000_000, large=True)


def link_archive():
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as tar:
        entry = tarfile.TarInfo("info.json")
        entry.type, entry.linkname = tarfile.SYMTYPE, "/etc/passwd"
        tar.addfile(entry)
    return out.getvalue()


def nested(depth):
    data = b""
    for _ in range(depth):
        data = b"\x0a" + varint(len(data)) + data
    return data


def xplane_cases():
    data = xplane_export.gpu_training().file()
    ending = ".xplane.pb"
    for name, bytes_ in damaged("XPlane", data):
        # A cut between two planes is not detectable: the format has neither a length nor an end.
        yield file_case(name, ending, bytes_, "any" if "cut" in name else "told")
    for name, bytes_ in altered("XPlane", data, 60):
        yield file_case(name, ending, bytes_, "any")
    for name, bytes_ in (
            ("a length of 2^63", b"\x0a" + b"\xff" * 9 + b"\x7f" + data), ("a length of 2^31", b"\x0a\xff\xff\xff\xff\x07" + data),
            ("a number that does not end", b"\x80" * 100_000), ("groups", b"\x0b" * 100_000),
            ("an unknown wire type", b"\x0f" + data)):
        yield file_case(f"XPlane: {name}", ending, bytes_)
    yield file_case("XPlane: field 0", ending, b"\x02\x01a" + data, "any")
    yield file_case("XPlane: messages nested deep", ending, nested(3000), "any")
    yield file_case("XPlane: doubled", ending, data * 2, "any")
    yield file_case("XPlane: forty times", ending, data * 40, "any")
    yield from xplane_values()


def xplane_values():
    """An invalid field of a plane, a line, an event or a stat."""
    numbers = (0, 1, (1 << 31) - 1, 1 << 32, (1 << 63) - 1, 1 << 63, (1 << 64) - 1)
    for number in numbers:
        event = message((1, 1), (2, number), (3, 1000))
        for what, fields in (("offset", event), ("duration", message((1, 1), (2, 0), (3, number))), ("name", message((1, number), (2, 0), (3, 1000))),
                             ("stat", message((1, 1), (2, 0), (3, 1000), (4, message((1, number), (3, 7))))),
                             ("value by reference", message((1, 1), (2, 0), (3, 1000), (4, message((1, 1), (7, number)))))):
            yield file_case(f"XPlane event {what}: {number}", ".xplane.pb", plane(message((1, 3), (2, "Stream #1"), (3, 1000), (4, fields))), "any")
        for what, fields in (("id", ((1, number), (3, 1000))), ("time", ((1, 3), (3, number))), ("duration", ((1, 3), (9, number)))):
            yield file_case(f"XPlane line {what}: {number}", ".xplane.pb", plane(message(*fields, (2, "Stream #1"), (4, event))), "any")


def plane(line):
    metadata = message((1, 1), (2, message((1, 1), (2, "kernel"))))
    return message((1, message((1, 1), (2, "/device:GPU:0"), (3, line), (4, metadata), (5, message((1, 1), (2, message((1, 1), (2, "hlo_op"))))))))


ROWS = {"Instruction": [{"start_ts": 5, "end_ts": 9, "engine": "Tensor", "opcode": "MATMUL", "id": 1}] * 4,
        "DmaPacket": [{"start_ts": 5, "end_ts": 9, "transfer_bytes": 512, "queue_name": "q", "engine_idx": 0, "id": 2}] * 4}


def explorer_case(name, change, tells="any"):
    """The folder of tables after `change(folder)`."""

    def write(folder):
        change(sound_explorer(folder))
        return folder / "tables"

    return Case(name, write, tells, sound=sound_explorer)


def sound_explorer(folder):
    explorer_export.write(folder / "tables", ROWS)
    return folder / "tables"


def explorer_cases():
    def written(table, data):
        return lambda folder: (folder / f"{table}.parquet").write_bytes(data)

    def changed(table, change):
        return lambda folder: (folder / f"{table}.parquet").write_bytes(change((folder / f"{table}.parquet").read_bytes()))

    for table in ("Instruction", "DmaPacket", "Metadata"):
        for name, data in (("nothing", b""), ("a bad footer", b"PAR1" + bytes(100) + struct.pack("<I", 50) + b"PAR1"), ("only its marks", b"PAR1PAR1"),
                           ("a huge footer", b"PAR1" + bytes(100) + struct.pack("<I", 0x7FFFFFFF) + b"PAR1"), ("text", b"a,b\n1,2\n"),
                           ("a negative footer", b"PAR1" + struct.pack("<I", 0xFFFFFFFF) + b"PAR1")):
            yield explorer_case(f"Parquet {table}: {name}", written(table, data), "told")
        for part in range(0, 100, 7):
            yield explorer_case(f"Parquet {table}: cut to {part} %", changed(table, lambda data, part=part: data[:len(data) * part // 100]), "told")
        for place in range(0, 100, 4):
            def flip(data, place=place):
                at = len(data) * place // 100
                return data[:at] + bytes([data[at] ^ 0x55]) + data[at + 1:]
            yield explorer_case(f"Parquet {table}: a byte changed at {place} %", changed(table, flip))
    for column in ("start_ts", "end_ts", "engine", "id"):
        for what, value in (("text", "abc"), ("a real", 1e300), ("negative", -(1 << 62)), ("large", (1 << 63) - 1), ("absent", None), ("a list", [1, 2])):
            row = {**ROWS["Instruction"][0], column: value}
            yield explorer_case(f"Parquet {column}: {what}", lambda folder, row=row: explorer_export.write(folder, {"Instruction": [row] * 4}))


def flight_recorder_cases():
    dump = flight_records.job()[0]
    for form, data in (("pickle", pickle.dumps(dump, 2)), ("JSON", json.dumps(dump).encode())):
        for name, bytes_ in damaged(f"flight recorder, {form}", data):
            yield file_case(name, "_rank_0", bytes_)
        for name, bytes_ in altered(f"flight recorder, {form}", data, 40):
            yield file_case(name, "_rank_0", bytes_, "any")
    yield file_case("flight recorder, JSON nested deep", "_rank_0", b'{"entries":' + b"[" * 100_000)
    repeated = []
    for _ in range(40):  # each list holds the one before twice
        repeated = [repeated, repeated]
    grown = {**dump, "entries": [flight_records.call(0, 1, input_sizes=repeated)]}
    yield file_case("flight recorder with a list that doubles 40 times", "_rank_0", pickle.dumps(grown, 4), "any")


def snapshot_cases():
    data = pickle.dumps(memory_snapshot.small(), 4)
    for name, bytes_ in damaged("snapshot", data):
        yield file_case(name, ".pickle", bytes_)
    for name, bytes_ in altered("snapshot", data, 40):
        yield file_case(name, ".pickle", bytes_, "any")
    begin = b"\x80\x04\x8c\x08segments"
    for name, code in (("GLOBAL", b"cos\nsystem\n"), ("STACK_GLOBAL", b"\x8c\x02os\x8c\x06system\x93"), ("REDUCE", b"NNR"), ("BUILD", b"NNb"), ("INST", b"(ios\nsystem\n"),
                       ("OBJ", b"(No"), ("NEWOBJ", b"NN\x81"), ("NEWOBJ_EX", b"NNN\x92"), ("EXT1", b"\x82\x01"), ("EXT2", b"\x83\x01\x00"), ("EXT4", b"\x84\x01\x00\x00\x00"),
                       ("BINPERSID", b"NQ"), ("PERSID", b"P1\n")):
        yield file_case(f"snapshot with {name}", ".pickle", begin + code + b".")
    for name, many in (("lists in lists", b"]"), ("marks", b"("), ("named lists", b"]\x94"), ("names of one value", b"\x94"), ("dicts in lists", b"](}"), ("empty tuples", b")"), ("pops", b"0"),
                       ("copies", b"2"), ("ends of lists", b"e"), ("reals", b"G" + bytes(8))):
        yield file_case(f"snapshot of 1 MB of {name}", ".pickle", begin + many * (1_000_000 // len(many)) + b".")
    for name, code in (("a text of 4 GB", b"X\xff\xff\xff\xff"), ("a text of 16 EB", b"\x8d" + b"\xff" * 8), ("bytes of 16 EB", b"\x8e" + b"\xff" * 8),
                       ("a name of place 4 billion", b"]r\xff\xff\xff\xff"), ("a value that is not there", b"j\xff\xff\xff\xff"), ("a number of 2 GB", b"\x8b\xff\xff\xff\x7f")):
        yield file_case(f"snapshot with {name}", ".pickle", begin + code)
    loop = begin + b"}q\x00(X\x0d\x00\x00\x00device_tracesh\x00X\x08\x00\x00\x00segmentsh\x00u."
    yield file_case("snapshot that contains itself", ".pickle", loop, "any")
    for field, value in (("addr", -1), ("addr", 1 << 64), ("addr", "x"), ("size", -5), ("size", (1 << 63) - 1), ("size", None), ("time_us", -(1 << 62)), ("time_us", (1 << 63) - 1),
                         ("time_us", None), ("action", 7), ("action", "new"), ("frames", None)):
        snapshot = memory_snapshot.small()
        for entry in snapshot["device_traces"][1]:
            entry[field] = value
        yield file_case(f"snapshot with {field} {value}", ".pickle", pickle.dumps(snapshot), "any")


PERFETTO = """style interned
process 1 pid=100 name="python"
thread 2 parent=1 pid=100 tid=100 name="main"
counter 3 parent=1 name="bytes" incremental=1
clocks 6=1000 1=1700000000000001000 64=0/incremental/1000
begin 2 @1000 "aten::mm" (cpu_op) {"External id": 1, "Input Dims": [[2, 3]]} flow=7
begin 2 @1010 "cudaLaunchKernel" (cuda_runtime) {"correlation": 9} gpu=9
end 2 @1020 +3=2.5
end 2 @1030
names 24 1="Kernel" 100="stream 7"
stage 0 @1040+5 queue=100 stage=1 id=9 name="gemm" grid=2,1,1 block=64,1,1 {"correlation": "9"}
gpu 0 @1041 3="Power (W)":250.5
"""


def perfetto_cases():
    data, ending = perfetto_text.trace(PERFETTO), ".pftrace"
    for name, bytes_ in damaged("Perfetto", data):
        # A cut between two packets is not detectable: a trace has neither a length nor an end.
        yield file_case(name, ending, bytes_, "any" if "cut" in name else "told")
    for name, bytes_ in altered("Perfetto", data, 60):
        yield file_case(name, ending, bytes_, "any")
    for name, bytes_ in (("a length of 2^63", b"\x0a" + b"\xff" * 9 + b"\x7f" + data), ("a length of 2^31", b"\x0a\xff\xff\xff\xff\x07" + data),
                         ("groups", b"\x0b" * 100_000), ("an unknown wire type", b"\x0f" + data)):
        yield file_case(f"Perfetto: {name}", ending, bytes_)
    yield file_case("Perfetto: messages nested deep", ending, nested(3000), "any")
    yield file_case("Perfetto: forty times", ending, data * 40, "any")
    numbers = (0, 1, (1 << 31) - 1, 1 << 32, (1 << 62), (1 << 63) - 1, 1 << 63, (1 << 64) - 1)
    for number in numbers:
        for what, text in (("time", f'begin 2 @{number} "x" (cpu_op)'), ("end", f'begin 2 @5 "x" (cpu_op)\nend 2 @{number}'), ("track", f'begin {number} @5 "x" (cpu_op)'),
                           ("clock", f'begin 2 @5~{number} "x" (cpu_op)'), ("snapshot", f'clocks 6={number} 64={number}/incremental\nbegin 2 @{number}~64 "x" (cpu_op)'),
                           ("unit", f'clocks 6=5 65=5/{number}\nbegin 2 @7~65 "x" (cpu_op)'), ("stage", f'stage 0 @5+{number} queue=100 stage=1 id={number}'),
                           ("name", f'names 2 {number}="x"\nnames 24 {number}="x"\ninstant 2 @5 "y"'), ("flow", f'begin 2 @5 "x" (cpu_op) flow={number}\nbegin 2 @6 "y" (cpu_op) ends={number}'),
                           ("value", f'count 3 @5 = {number}'), ("parent", f'track {number} parent={number} name="loop"\nbegin {number} @5 "x" (cpu_op)')):
            yield file_case(f"Perfetto {what}: {number}", ending, data + perfetto_text.trace(text), "any")
    loop = perfetto_text.trace('track 8 parent=9 name="a"\ntrack 9 parent=8 name="b"\nbegin 8 @5 "x" (cpu_op)\nend 8 @9')
    yield file_case("Perfetto: tracks that are parents of each other", ending, loop, "any")
    pack = perfetto_text.data(1, perfetto_text.data(50, zlib.compress(data)))
    yield file_case("Perfetto: packets packed twice", ending, data + perfetto_text.data(1, perfetto_text.data(50, zlib.compress(pack))))
    yield file_case("Perfetto: a pack that is cut", ending, data + perfetto_text.data(1, perfetto_text.data(50, zlib.compress(data)[:-9])))
    yield file_case("Perfetto: a pack by zstd that is cut", ending, data + perfetto_text.data(1, perfetto_text.data(133, b"(\xb5/\xfd")))
    zstd = pyarrow.Codec("zstd")
    for name, bytes_ in altered("Perfetto, by zstd", zstd.compress(data, asbytes=True), 24):
        yield file_case(name, ending, data + perfetto_text.data(1, perfetto_text.data(133, bytes_)), "any")
    yield file_case("Perfetto: a pack by zstd of 100 MB of zeros", ending, data + perfetto_text.data(1, perfetto_text.data(133, zstd.compress(bytes(100_000_000), asbytes=True))), size=100_000_000, large=True)
    bomb = perfetto_text.data(1, perfetto_text.data(50, zlib.compress(bytes(100_000_000))))
    yield file_case("Perfetto: a pack of 100 MB of zeros", ending, data + bomb, size=100_000_000, large=True)
    deep = perfetto_text.number(4, 1)
    for _ in range(2000):
        deep = perfetto_text.data(12, deep)
    event = perfetto_text.number(9, 1) + perfetto_text.data(4, perfetto_text.data(10, "Input Dims") + deep)
    yield file_case("Perfetto: annotations nested deep", ending, data + perfetto_text.data(1, perfetto_text.number(8, 5) + perfetto_text.data(11, event)), "any")
    begins = "".join(f'begin 2 @{at} "x" (cpu_op)\n' for at in range(20_000, 0, -1))
    yield file_case("Perfetto: 20,000 slices that do not end, in reverse", ending, perfetto_text.trace(begins))


def all_cases():
    yield from perfetto_cases()
    yield from snapshot_cases()
    yield from flight_recorder_cases()
    yield from ntff_cases()
    yield from neff_cases()
    yield from xplane_cases()
    yield from explorer_cases()
