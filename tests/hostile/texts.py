"""Hostile texts: call trees and samples, and what lies beside a trace."""
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))

import event_file
from cases import Case, altered, damaged, file_case

FRAMES = [{"name": "main", "file": "a.py", "line": 1}, {"name": "load"}]
SAMPLED = {"shared": {"frames": FRAMES}, "profiles": [{"type": "sampled", "name": "t", "unit": "seconds", "startValue": 0, "endValue": 2, "samples": [[0], [0, 1]], "weights": [1, 1]}]}
CPU = {"nodes": [{"id": 1, "callFrame": {"functionName": "main"}, "hitCount": 1, "children": [2]}, {"id": 2, "callFrame": {"functionName": "f"}, "hitCount": 2}],
       "startTime": 0, "endTime": 9, "samples": [1, 2], "timeDeltas": [1, 2]}
HATCHET = [{"frame": {"name": "ROOT"}, "metrics": {}, "children": [{"frame": {"name": "f"}, "metrics": {"time (ns)": 5, "count": 1}, "children": []}]}, {"CUDA": {"0": {"arch": "90"}}}]
FILES = ((".speedscope.json", SAMPLED), (".cpuprofile", CPU), (".hatchet", HATCHET))


def json_cases():
    for ending, content in FILES:
        data = json.dumps(content).encode()
        for name, bytes_ in damaged(ending, data):
            yield file_case(name, ending, bytes_, "told" if "ones" in name or "zeros" in name else "any")
        for name, bytes_ in altered(ending, data, 24):
            yield file_case(name, ending, bytes_, "any")
        for name, bytes_ in (("nested deep", b"[" * 100_000), ("a long number", b"9" * 1000), ("null", b"null"), ("a long text", b'"' + b"a" * 1_000_000 + b'"')):
            yield file_case(f"{ending}: {name}", ending, bytes_)
    for number in (-1, 1e300, 1 << 62, -(1 << 62), None, "x", [], 1.5):
        for key, content in (("weights", [number, 1]), ("samples", [[number], [0, 1]]), ("startValue", number), ("unit", number)):
            profile = {**SAMPLED["profiles"][0], key: content}
            yield file_case(f"speedscope {key}: {number}", ".speedscope.json", json.dumps({**SAMPLED, "profiles": [profile]}).encode(), "any")
        for key in ("startTime", "endTime", "samples", "timeDeltas", "nodes"):
            yield file_case(f"cpuprofile {key}: {number}", ".cpuprofile", json.dumps({**CPU, key: [number, 2] if isinstance(CPU[key], list) else number}).encode(), "any")
        node = {**HATCHET[0]["children"][0], "metrics": {"time (ns)": number, "count": number}}
        yield file_case(f"hatchet metric: {number}", ".hatchet", json.dumps([{**HATCHET[0], "children": [node]}]).encode(), "any")
    loop = {**CPU, "nodes": [{"id": 1, "children": [2]}, {"id": 2, "children": [1, 2]}]}
    yield file_case("cpuprofile: nodes that are children of each other", ".cpuprofile", json.dumps(loop).encode())
    yield file_case("cpuprofile: a chain of 100,000 nodes", ".cpuprofile", json.dumps({"nodes": [{"id": at, "hitCount": 1, "children": [at + 1]} for at in range(100_000)]}).encode(), "any")
    open_only = {"type": "evented", "name": "t", "unit": "seconds", "startValue": 0, "endValue": 2, "events": [{"type": "O", "frame": 0, "at": at} for at in range(50_000)]}
    yield file_case("speedscope: 50,000 frames that are not closed", ".speedscope.json", json.dumps({**SAMPLED, "profiles": [open_only]}).encode())


TRACE = b'{"baseTimeNanoseconds": 1700000000000000000, "traceEvents": [{"ph": "X", "cat": "kernel", "name": "a", "pid": 0, "tid": 7, "ts": 0, "dur": 5000000, "args": {"device": 0, "stream": 7}}]}'
LOG = b"timestamp,gpu,power\n1700000001,0,100 W\n1700000002,0,200 W\n"
DMON = b"1700000001.5 #Entity GPUTL POWER\n1700000001.5 ID W\n1700000001.6 GPU 0 5 100\n1700000002.6 GPU 1 6 N/A\n"
NCU = b'"ID","Kernel Name","Block Size","Grid Size","dram__bytes.sum"\n"","","","","byte"\n"0","a","(1, 1, 1)","(1, 1, 1)","5"\n'


def collapsed_cases():
    data = b"main (a.py:1);load 5\nmain (a.py:1);train;matmul 7\n"
    for name, bytes_ in (*damaged("collapsed", data), *altered("collapsed", data, 24)):
        yield file_case(name, ".collapsed", bytes_, "any")
    for name, bytes_ in (("a line of 2 MB", b"a;" * 1_000_000 + b" 1\n"), ("a stack of 400,000 frames", b"a;" * 400_000 + b"b 1\n"),
                         ("200,000 stacks", b"".join(b"a;%x 1\n" % at for at in range(200_000))), ("only separators", b";" * 100_000 + b" 1\n"), ("a weight of 1e308 twice", b"a 1e308\nb 1e308\n"),
                         ("places nested deep", b"a" + b" (" * 100_000 + b")" * 100_000 + b" 1\n")):
        yield file_case(f"collapsed: {name}", ".collapsed", bytes_, "any")
    for weight in (b"-1", b"nan", b"inf", b"1e999", b"0x5", b"", b"9" * 1000):
        yield file_case(f"collapsed: a weight {weight[:9].decode()}", ".collapsed", b"a;b " + weight + b"\n", "told")


def step_metric_cases():
    first = event_file.real(1, 1_700_000_000)
    data = b"".join(map(event_file.record, (first, event_file.event(1_700_000_000, 1, "loss", 2.0), event_file.event(1_700_000_001, 2, "loss", event_file.tensor(1, b"0000")))))
    packed = event_file.record(event_file.data(5, event_file.data(1, event_file.data(8, event_file.data(5, b"\0" * 4_000_000)))))
    deep = event_file.number(1, 1)
    for _ in range(2000):
        deep = event_file.data(8, deep)
    lines = b"1700000000500 2.5 5\n1700000001500 nan 6\n"
    for what, good, place in (("event file", data, "events.out.tfevents.1.host"), ("MLflow metric", lines, "mlruns/0/a/metrics/loss")):
        more = [("a length of 2^63", b"\0" * 7 + b"\x80" + event_file.masked_crc(b"\0" * 7 + b"\x80").to_bytes(4, "little")), ("a tensor of a million numbers", packed),
                ("nested deep", event_file.record(event_file.data(5, event_file.data(1, deep)))), ("a line of 2 MB", b"5" * 2_000_000)]
        for name, bytes_ in (*damaged(what, good), *altered(what, good, 24), *((f"{what}: {name}", good + bytes_) for name, bytes_ in more)):

            def write(folder, bytes_=bytes_, place=place):
                (folder / "1.pt.trace.json").write_bytes(TRACE)
                (folder / place).parent.mkdir(parents=True, exist_ok=True)
                (folder / place).write_bytes(bytes_)
                return folder / "1.pt.trace.json"

            yield Case(name, write, "any")


def beside_cases():
    for what, data in (("device log", LOG), ("log of dmon", DMON), ("Nsight Compute", NCU)):
        for name, bytes_ in (*damaged(what, data), *altered(what, data, 24), (f"{what}: a line of 2 MB", data + b"5" * 2_000_000), (f"{what}: 10,000 columns", data + b"1700000001" + b",1" * 10_000)):

            def write(folder, bytes_=bytes_):
                (folder / "1.pt.trace.json").write_bytes(TRACE)
                (folder / "dmon.csv").write_bytes(bytes_)
                return folder / "1.pt.trace.json"

            yield Case(name, write, "any")


def all_cases():
    yield from json_cases()
    yield from collapsed_cases()
    yield from step_metric_cases()
    yield from beside_cases()
