"""Small files that name a long text, a page or a list many times: the program keeps and reads it no more often than its limits allow."""
import gzip
import json
import sqlite3
import struct

import pyarrow
import pyarrow.parquet
import pytest

import kinds
import outcome
import perfetto_text
import sql_fixture
from cases import Case, file_case

pytestmark = pytest.mark.skipif(not outcome.PROGRAM.exists(), reason=f"{outcome.PROGRAM} is not built: make build")

LONG = 1 << 20
PAGE = 4096


def nsys_table_of_one_page(folder):
    """Pages above the rows of a table have 400 references to one page, at three levels."""
    path = sql_fixture.database(folder / "report.sqlite", "nsys/two_processes.sql", f"PRAGMA page_size = {PAGE}", "VACUUM")
    with sqlite3.connect(path) as file:
        root, = file.execute("SELECT rootpage FROM sqlite_master WHERE name = 'CUPTI_ACTIVITY_KIND_RUNTIME'").fetchone()
    file.close()
    data = bytearray(path.read_bytes())
    pages = len(data) // PAGE
    leaf = data[(root - 1) * PAGE:root * PAGE]

    def above(child):
        cells, keys = [], b""
        for at in range(400):
            cells.append(struct.pack(">I", child) + bytes([0x81 + (at >> 7), at & 0x7F]))
        for cell in cells:
            keys = cell + keys
        starts = [PAGE - 6 * (at + 1) for at in range(400)]
        page = bytearray(PAGE)
        page[:12] = struct.pack(">BHHHBI", 5, 0, 400, PAGE - 2400, 0, child)
        page[12:812] = struct.pack(">400H", *starts)
        page[PAGE - 2400:] = keys
        return page

    data[(root - 1) * PAGE:root * PAGE] = above(pages + 1)
    data += above(pages + 2) + above(pages + 3) + leaf
    data[28:32] = struct.pack(">I", pages + 3)
    path.write_bytes(data)
    return path


def parquet_of_one_text(folder):
    """20,000 rows that all refer to one text of 256 kB in the file's dictionary."""
    rows = 20_000
    operands = pyarrow.DictionaryArray.from_arrays(pyarrow.array([0] * rows, pyarrow.int32()), pyarrow.array(["x" * (LONG // 4)]))
    starts = pyarrow.array(range(0, 10 * rows, 10))
    table = pyarrow.table({"start_ts": starts, "end_ts": pyarrow.array(range(9, 10 * rows + 9, 10)), "engine": ["Tensor"] * rows, "opcode": ["MATMUL"] * rows,
                           "id": pyarrow.array(range(rows)), "operands": operands})
    pyarrow.parquet.write_table(table, folder / "Instruction.parquet", row_group_size=rows, store_schema=False)
    pyarrow.parquet.write_table(pyarrow.table({"profile_schema_version": ["7.4.0"]}), folder / "Metadata.parquet")
    return folder


def text(value):
    return b"X" + struct.pack("<I", len(value)) + value


def put(number):
    return b"q" + bytes([number])


def get(number):
    return b"h" + bytes([number])


NUMBER = struct.Struct("<I").pack


def dump_pickle(lists, long):
    """A flight recorder's file of lists. Names in the memo: 0 filename, 1 name, 2 line, 3 a long text."""
    names = b"".join(text(name) + put(at) + b"0" for at, name in enumerate((b"filename", b"name", b"line", b"a" * long)))
    return b"\x80\x02" + names + b"}(" + text(b"pg_config") + b"}" + text(b"entries") + b"](" + lists + b"eu."


def frame(line):
    return b"}(" + get(0) + get(3) + get(1) + get(3) + get(2) + b"J" + NUMBER(line) + b"u"


FRAMES = b"".join(frame(line) for line in range(20_000))
# Lists of 15 of 100 frames, each list with a frame of another line.
STACKS = b"](" + b"".join(frame(line) + put(10 + line) for line in range(100)) + b"e" + b"".join(
    b"](" + b"".join(get(10 + (at + step * (at // 100 + 1)) % 100) for step in range(15)) + b"e" for at in range(20_000))
SNAPSHOT = (b"\x80\x04" + text(b"value") + put(0) + b"0" + text(b"a" * (LONG // 4)) + put(1) + b"0}(" + text(b"device_traces") + b"]" + text(b"segments") + b"]("
            + (b"}(" + (get(0) + get(1)) * 500 + b"u") * 200 + b"eu.")


def perfetto_event(annotation):
    return perfetto_text.data(1, perfetto_text.number(8, 5) + perfetto_text.number(10, 1) + perfetto_text.number(13, 2)
                              + perfetto_text.data(11, perfetto_text.number(9, 3) + perfetto_text.data(23, "x") + perfetto_text.data(4, annotation)))


def perfetto_list_of_one_text():
    known = perfetto_text.data(12, perfetto_text.data(29, perfetto_text.number(1, 1) + perfetto_text.data(2, "a" * LONG)))
    first = perfetto_text.data(1, known + perfetto_text.number(10, 1) + perfetto_text.number(13, 3))
    return first + perfetto_event(perfetto_text.data(10, "Input Dims") + perfetto_text.data(12, perfetto_text.number(17, 1)) * 2000)


def perfetto_tracks(first):
    """500 tracks on one that has a long name."""
    events = "".join(f'track {at} parent=2 name="t{at}"\nbegin {at} @{at} "x" (cpu_op)\nend {at} @{at + 9}\n' for at in range(10, 510))
    return perfetto_text.trace(first.replace("LONG", "a" * LONG) + events)


def hatchet_below_a_long_name():
    node = {"frame": {"name": "ROOT"}, "metrics": {}, "children": [{"frame": {"name": "a" * LONG}, "metrics": {}, "children": [
        {"frame": {"name": f"f{at}"}, "metrics": {}, "children": [{"frame": {"name": "g"}, "metrics": {"time (ns)": 5, "count": 1}, "children": []}]} for at in range(1500)]}]}
    return json.dumps([node]).encode()


def speedscope_of_nested_frames(depth):
    events = [{"type": "O", "frame": 0, "at": at} for at in range(depth)] + [{"type": "C", "frame": 0, "at": depth + at} for at in range(depth)]
    profile = {"type": "evented", "name": "t", "unit": "nanoseconds", "startValue": 0, "endValue": 2 * depth, "events": events}
    return json.dumps({"shared": {"frames": [{"name": "f"}]}, "profiles": [profile]}).encode()


def measured_kernels(folder):
    """60,000 kernels of one name, and as many measured ones of other launch sizes."""
    events = ",".join('{"ph":"X","cat":"kernel","name":"a","pid":0,"tid":7,"ts":%d,"dur":1,"args":{"device":0,"stream":7,"grid":[10000,1,1],"block":[1,1,1]}}' % (2 * at) for at in range(60_000))
    (folder / "1.pt.trace.json").write_text('{"traceEvents": [' + events + "]}")
    (folder / "ncu.csv").write_text('"ID","Kernel Name","Block Size","Grid Size","x"\n' + "".join(f'"{at}","a","(1, 1, 1)","({at + 10_001}, 1, 1)","5"\n' for at in range(60_000)))
    return folder / "1.pt.trace.json"


def snapshot_of(segments, steps):
    """A snapshot with a segment for each of many devices, and steps of different numbers."""
    keys = (b"device", b"address", b"total_size", b"blocks", b"stage", b"name", b"time_us", b"START", b"END")
    names = b"".join(text(name) + put(at) + b"0" for at, name in enumerate(keys))

    def number(value):
        return b"J" + NUMBER(value)

    blocks = b"".join(b"}(" + get(0) + number(at) + get(1) + number(4096 * at) + get(2) + number(0) + get(3) + b"]u" for at in range(segments))
    ranges = b"".join(b"}(" + get(4) + get(7 + end) + get(5) + text(b"ProfilerStep#%d" % at) + get(0) + number(0) + get(6) + number(10 * at + 5 * end) + b"u"
                      for at in range(steps) for end in range(2))
    return b"\x80\x02" + names + b"}(" + text(b"device_traces") + b"]" + text(b"segments") + b"](" + blocks + b"e" + text(b"external_annotations") + b"](" + ranges + b"eu."


CASES = [
    Case("a table of Nsight Systems whose pages refer to one page 400 times, at three levels", nsys_table_of_one_page),
    Case("Parquet: 20,000 rows refer to one text", parquet_of_one_text, "valid"),
    file_case("flight recorder: 20,000 frames with one long text", "_rank_0", dump_pickle(FRAMES, LONG // 4)),
    file_case("flight recorder: 20,000 stacks of 100 frames", "_rank_0", dump_pickle(STACKS, 4000)),
    file_case("snapshot: 200 dicts of 500 references to one text", ".pickle", SNAPSHOT, "any"),
    file_case("Perfetto: a list of 2,000 references to one text", ".pftrace", perfetto_list_of_one_text()),
    file_case("Perfetto: 500 tracks on one with a long name", ".pftrace", perfetto_tracks('process 1 pid=7 name="p"\ntrack 2 parent=1 name="LONG"\n')),
    file_case("Perfetto: 500 tracks of a group with a long name", ".pftrace", perfetto_tracks('track 2 name="LONG"\n'), "any"),
    file_case("hatchet: 1,500 paths that begin with a long name", ".hatchet", hatchet_below_a_long_name()),
    file_case("speedscope: 120,000 frames in each other", ".speedscope.json", lambda: [speedscope_of_nested_frames(120_000)], "valid"),
    Case("60,000 measured kernels of as many launch sizes", measured_kernels, "any"),
    file_case("snapshot: segments of 250,000 devices", ".pickle", lambda: [snapshot_of(250_000, 0)], "any"),
    file_case("snapshot: 400,000 steps", ".pickle", lambda: [snapshot_of(0, 400_000)], "any"),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name.replace(" ", "_"))
def test_small_files(case):
    assert not kinds.faults_of(case)


def cpuprofile(folder):
    """1,000 samples in turn at the ends of two chains of 5,000 functions."""
    nodes = [{"id": 0, "callFrame": {"functionName": "(root)"}, "children": [1, 5001]}]
    nodes += [{"id": at, "callFrame": {"functionName": "f" if at <= 5000 else "g"}, "children": [at + 1] if at % 5000 else []} for at in range(1, 10_001)]
    path = folder / "deep.cpuprofile"
    path.write_text(json.dumps({"nodes": nodes, "startTime": 0, "endTime": 2000, "samples": [5000, 10_000] * 500, "timeDeltas": [1] * 1000}))
    return path


TRACE = b'{"baseTimeNanoseconds": 1700000000000000000, "traceEvents": [{"ph": "X", "cat": "kernel", "name": "a", "pid": 0, "tid": 7, "ts": 0, "dur": 5000000, "args": {"device": 0, "stream": 7}}]}'


def device_log(folder):
    """A million lines of 8 figures."""
    path = folder / "1.pt.trace.json"
    path.write_bytes(TRACE)
    with gzip.open(folder / "power.csv.gz", "wb", 1) as file:
        file.write(b"timestamp,gpu," + b",".join(b"power%d" % at for at in range(8)) + b"\n" + b"1700000001,0,1,2,3,4,5,6,7,8\n" * 1_000_000)
    return path


def kernel_table(folder):
    """50,000 lines of 40 metrics with different values."""
    path = folder / "1.pt.trace.json"
    path.write_bytes(TRACE)
    line = '"%d","a","(1, 1, 1)","(1, 1, 1)"' + ',"%d value of a metric"' * 40 + "\n"
    with gzip.open(folder / "ncu.csv.gz", "wt", 1) as file:
        file.write('"ID","Kernel Name","Block Size","Grid Size",' + ",".join(f'"metric number {at} of a kernel"' for at in range(40)) + "\n")
        for at in range(50_000):
            file.write(line % (at, *range(40 * at, 40 * at + 40)))
    return path


@pytest.mark.parametrize("write", [cpuprofile, device_log, kernel_table], ids=lambda write: write.__name__)
def test_reading_stays_within_the_memory_that_is_allowed(tmp_path, monkeypatch, write):
    monkeypatch.setenv("COLUMNS", "400")
    idle = outcome.run(["views"]).memory
    ran = outcome.run(["info", "--no-cache", "--memory", "40M", write(tmp_path)])
    assert ran.status in (0, 1) and ran.memory < idle + (100 << 20), (ran.memory >> 20, ran.out, ran.err)
    assert "--memory allows" in ran.out
