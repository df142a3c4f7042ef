"""The reader of Perfetto traces through the program: traces written as text, and our own exports read back."""
import json
import pathlib
import subprocess
import sys

import pytest

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "support"), str(HERE.parent / "e2e_cli")]
import perfetto_text  # noqa: E402
import program_report  # noqa: E402
from program import Server  # noqa: E402
from program_report import query  # noqa: E402
from test_perfetto import FIXTURES, ROOT, export  # noqa: E402

pytestmark = pytest.mark.skipif(not program_report.PROGRAM.exists(), reason="no program: build it, or set SIGHTLINE")
SLICES = """select s.name, s.kind, s.start, s.duration, s.depth, l.name, l.track, p.pid
            from slices s join lanes l on s.lane = l.id join processes p on l.process = p.id order by s.start, s.duration desc, s.depth"""
PROBLEMS = "select code, count from problems order by code"


@pytest.fixture
def read(tmp_path):
    """A function from text to the rows of a query."""
    made = []

    def run(text, sql=SLICES, ending=".pftrace"):
        file = tmp_path / f"made{len(made)}{ending}"
        made.append(file)
        file.write_bytes(text if isinstance(text, bytes) else perfetto_text.trace(text))
        return query(file, sql)

    return run


TORCH = """
style {style}
process 1 pid=100 name="python"
thread 2 parent=1 pid=100 tid=100 name="main"
begin 2 @1700000000000000000 "ProfilerStep#3" {{"External id": 1, "Ev Idx": 0}}
begin 2 @1700000000000010000 "aten::mm" {{"External id": 2, "Ev Idx": 1, "Input Dims": [[2, 3], [3, 4]], "Input type": ["float", "float"]}}
begin 2 @1700000000000020000 "cudaLaunchKernel" {{"cbid": 211, "correlation": 7}} gpu=70
end 2 @1700000000000030000
end 2 @1700000000000040000
end 2 @1700000000000100000
names 24 1="Kernel" 2="Memcpy" 4="Annotation" 100="stream 007"
names 1000 1="gemm<float>"
stage 0 @1700000000000050000+20000 queue=100 stage=1 id=70 kernel=1 grid=2,1,1 block=64,1,1 args={{"registers_per_thread":32,"shared_mem_dynamic":1024}} {{"correlation": "7", "device id": "0", "stream id": "7", "graph id": "5"}}
stage 0 @1700000000000072000+1000 queue=100 stage=2 id=71 waits=70 {{"correlation": "8", "bytes": "4096", "device id": "0", "stream id": "7"}}
gpu 0 @1700000000000050000 3="Power (W)":250.5
"""


@pytest.mark.parametrize("style", ("inline", "interned"))
def test_a_trace_of_pytorch_has_operators_kernels_launches_and_steps(read, style):
    text = TORCH.format(style=style)
    assert read(text) == [
        ("ProfilerStep#3", "step", 0, 100000, 0, "main", "100", "100"),
        ("aten::mm", "op", 10000, 30000, 1, "main", "100", "100"),
        ("cudaLaunchKernel", "runtime", 20000, 10000, 2, "main", "100", "100"),
        ("gemm<float>", "kernel", 50000, 20000, 0, "stream 7", "7", "0"),
        ("Memcpy", "memcpy", 72000, 1000, 0, "stream 7", "7", "0"),
    ]
    assert read(text, "select input_shapes, input_types from operators") == [("[[2, 3], [3, 4]]", '["float", "float"]')]
    work = "select correlation, grid, block, registers, shared_bytes, bytes, launch is not null, device from device_work order by slice"
    assert read(text, work) == [(7, "[2, 1, 1]", "[64, 1, 1]", 32, 1024, None, True, 0), (8, None, None, None, None, 4096, False, 0)]
    assert read(text, "select number, start, duration from steps") == [(3, 0, 100000)]
    assert read(text, "select f.kind, a.name, b.name from flows f join slices a on f.\"from\" = a.id join slices b on f.\"to\" = b.id") == [("other", "gemm<float>", "Memcpy")]
    assert read(text, "select l.name, c.time, c.value from counters c join lanes l on c.lane = l.id") == [("Power (W)", 50000, 250.5)]
    assert read(text, "select name, number from work_facts") == [("graph id", 5.0)]
    assert read(text, PROBLEMS) == [("no_category", 3)]


def test_groups_of_begins_before_their_ends_are_paired_by_time(read):
    # One writer writes all beginnings of a kind, then all ends.
    rows = read("""track 1 name="t"
        begin 1 @0 "parent" (cpu_op)
        begin 1 @2 "child" (cpu_op)
        begin 1 @20 "next" (cpu_op)
        end 1 @10
        end 1 @5
        end 1 @30""")
    assert [row[:4] for row in rows] == [("parent", "op", 0, 10), ("child", "op", 2, 3), ("next", "op", 20, 10)]


def test_pairs_in_any_order_keep_their_ends_though_they_overlap(read):
    rows = read("""track 1 name="t"
        begin 1 @10 "b" (cpu_op)
        end 1 @20
        begin 1 @5 "a" (cpu_op)
        end 1 @15""")
    assert [row[:4] for row in rows] == [("a", "op", 0, 10), ("b", "op", 5, 10)]


def test_ends_and_begins_at_one_time_are_neighbours(read):
    rows = read("""track 1 name="t"
        begin 1 @0 "a" (cpu_op)
        begin 1 @10 "b" (cpu_op)
        begin 1 @25 "nothing" (cpu_op)
        end 1 @10
        end 1 @20
        end 1 @25""")
    assert [row[:4] for row in rows] == [("a", "op", 0, 10), ("b", "op", 10, 10), ("nothing", "op", 25, 0)]


def test_sequences_have_their_own_names_defaults_and_clocks(read):
    text = """style interned
        track 5 name="first"
        defaults track=5 clock=64
        clocks 6=1000 1=1700000000000001000 64=0/incremental/1000
        begin @3 "one" (cpu_op)
        end @4
        sequence 2
        track 6 name="second"
        defaults track=6
        begin @2000 "two" (cpu_op)
        end @2500"""
    # Clock 64 counts microseconds from 1000 ns on, each time from the last: 4000 and 8000.
    assert [row[:4] + row[5:6] for row in read(text)] == [("two", "op", 0, 500, "second"), ("one", "op", 2000, 4000, "first")]
    file_time = read(text, "select value from metadata where key = 'baseTimeNanoseconds'")
    assert file_time == [("1700000000000000000",)]


def test_lost_packets_and_state_are_problems(read):
    assert read("""style interned
        track 1 name="t"
        begin 1 @0 "kept" (cpu_op)
        end 1 @5
        dropped
        begin 1 @10 "gone" (cpu_op)
        end 1 @15
        clear
        begin 1 @20 "again" (cpu_op)
        end 1 @25
        sequence 9
        unstarted
        begin 1 @30 "never" (cpu_op)""", "select name from slices order by start") == [("kept",), ("again",)]
    assert read("""style interned
        track 1 name="t"
        begin 1 @0 "kept" (cpu_op)
        dropped
        begin 1 @10 "gone" (cpu_op)
        clear
        end 1 @25""", PROBLEMS) == [("lost_packets", 1), ("packets_without_state", 1)]


def test_what_is_not_read_is_counted(read):
    text = """track 1 name="t"
        clocks 6=0 3=100
        begin 1 @0 "a" (cpu_op)
        raw 1 "ftrace"
        raw 1 "ftrace"
        raw 66 "sample"
        end 1 @109~3
        end 1 @10
        begin 1 @20 "open" (cpu_op)
        begin 1 @30~77 "elsewhere" (cpu_op)
        instant 1 @40 "mark" (cpu_op)"""
    assert [row[:4] for row in read(text)] == [("a", "op", 0, 9), ("open", "op", 20, 20), ("mark", "op", 40, 0)]
    assert read(text, "select code, count, message from problems where code = 'data_not_read'") == [
        ("data_not_read", 3, "data of other kinds than tracks and devices was not read: ftrace_events (2), perf_sample (1)")]
    assert read(text, "select code, count from problems where code != 'data_not_read' order by code") == [
        ("unfinished_slice", 1), ("unknown_clock", 1), ("unmatched_end", 1)]


def test_packed_packets_and_gzip_give_the_same_rows(read, tmp_path):
    import gzip
    plain = TORCH.format(style="interned")
    packed = plain + "packed 6\n"
    assert read(packed) == read(plain)
    assert read(plain + "packed 6 zstd\n") == read(plain)
    assert read(gzip.compress(perfetto_text.trace(plain)), ending=".pftrace.gz") == read(plain)
    file = tmp_path / "text.pftrace"
    file.write_bytes(perfetto_text.trace(packed))
    assert "gemm" in str(query(file, "select name from slices where kind = 'kernel'"))


def test_counters_are_scaled_summed_and_beside_events(read):
    sql = "select l.name, c.time, c.value from counters c join lanes l on c.lane = l.id order by 1, 2"
    assert read("""process 1 pid=7 name="p"
        thread 2 parent=1 pid=7 tid=8 name="t"
        counter 3 parent=1 name="kilobytes" multiplier=1024
        counter 4 parent=1 name="sum" incremental=1
        count 3 @0 = 2
        begin 2 @0 "a" (cpu_op) +4=1.5
        end 2 @10 +4=2.0
        count 3 @20 = 0.5""", sql) == [("kilobytes", 0, 2048.0), ("kilobytes", 20, 512.0), ("sum", 0, 1.5), ("sum", 10, 3.5)]


def test_a_trace_of_rocprofv3_has_devices_by_the_names_of_tracks(read):
    text = """track 1 name="THREAD 1 (77)"
        track 2 name="COMPUTE AGENT [4] STREAM [1] (GPU)"
        track 3 name="COPY to AGENT [4] STREAM [1] (GPU)"
        begin 1 @100 "hipLaunchKernel" (hip_api) flow=9 {"corr_id": 9}
        end 1 @200
        begin 1 @90 "my range" (marker_api)
        end 1 @220
        begin 2 @300 "gemm(float*)" (kernel_dispatch) flow=9 {"corr_id": 9, "group_segment_size": 512, "workgroup_size": 64}
        end 2 @400
        begin 3 @250 "MEMORY_COPY_HOST_TO_DEVICE" (memory_copy) flow=8 {"corr_id": 8, "copy_bytes": 4096}
        end 3 @290"""
    assert [row[:4] + row[6:] for row in read(text)] == [
        ("my range", "annotation", 0, 130, "THREAD 1 (77)", "tracks"), ("hipLaunchKernel", "runtime", 10, 100, "THREAD 1 (77)", "tracks"),
        ("MEMORY_COPY_HOST_TO_DEVICE", "memcpy", 160, 40, "copies 1", "4"), ("gemm(float*)", "kernel", 210, 100, "1", "4")]
    assert read(text, "select correlation, shared_bytes, bytes, launch is not null, device from device_work order by correlation desc") == [
        (9, 512, None, True, 4), (8, None, 4096, False, 4)]
    assert read(text, "select count(*) from flows") == [(0,)]


def test_damage_ends_the_trace_and_is_a_problem(read):
    whole = perfetto_text.trace(TORCH.format(style="inline"))
    rows = read(whole[:-5])
    assert len(rows) == 5
    assert ("truncated", 1) in read(whole[:-5], PROBLEMS)


TABLES = {
    "slices": "select s.name, s.kind, s.start, s.duration, s.depth, l.name, l.track, l.kind, l.device, p.pid, p.name, p.label "
              "from slices s join lanes l on s.lane = l.id left join processes p on l.process = p.id",
    "operators": "select o.* exclude (slice), s.name, s.start from operators o join slices s on o.slice = s.id",
    "launches": "select l.correlation, s.name, s.start, o.name from launches l join slices s on l.slice = s.id left join slices o on l.owner = o.id",
    "device_work": "select w.* exclude (slice, launch, owner, blocks_per_core, warps_per_core, occupancy, fill_source), s.name, s.start, o.name, o.start from device_work w join slices s on w.slice = s.id left join slices o on w.owner = o.id",
    "modules": "select m.instance, s.name, s.start from modules m join slices s on m.slice = s.id",
    "steps": "select number, start, duration from steps",
    "flows": "select f.kind, a.name, a.start, b.name, b.start from flows f join slices a on f.\"from\" = a.id join slices b on f.\"to\" = b.id",
    "collectives": "select c.* exclude (slice), s.name, s.start from collectives c join slices s on c.slice = s.id",
    "devices": "select * from devices",
}


@pytest.mark.parametrize("fixture", FIXTURES)
def test_our_export_read_back_has_the_rows_of_the_file(fixture, tmp_path):
    file = tmp_path / "made.pt.trace.json"
    subprocess.run([sys.executable, ROOT / "tools" / "gen_trace", ROOT / "tests" / "fixtures" / f"{fixture}.trace", file], check=True)
    export(file, tmp_path / "out.pt.trace.json")
    export(file, tmp_path / "out.pftrace")
    for table, sql in TABLES.items():
        ours, theirs = (sorted(map(repr, query(of, sql))) for of in (tmp_path / "out.pftrace", file))
        assert ours == theirs, table
    counters = "select time, value from counters"  # an export has those that views compute, too
    assert sorted(query(tmp_path / "out.pftrace", counters)) == sorted(query(tmp_path / "out.pt.trace.json", counters))
    assert [code for code, _ in query(tmp_path / "out.pftrace", PROBLEMS)] == []


def test_names_may_be_numbered_from_any_number(read):
    # So many that the reader holds far numbers and near ones.
    text = "style interned 1000\ntrack 1 name=t\n" + "".join(f'begin 1 @{i} "n{i}" (cpu_op)\nend 1 @{i + 1}\n' for i in range(1500))
    assert read(text, "select count(distinct name) from slices") == [(1500,)]
    names = "select name from slices order by start"
    assert read(text, names) == [(f"n{i}",) for i in range(1500)]


def test_the_event_of_a_stage_is_shown(tmp_path):
    # A long name: a short one would be kept inside its string.
    kernel = "gemm<" + "float, " * 20 + "float>"
    (tmp_path / "job").mkdir()
    (tmp_path / "job" / "a.pftrace").write_bytes(perfetto_text.trace(f"""
        names 24 1="Kernel" 100="stream 007"
        names 1000 1="{kernel}"
        stage 0 @100+20 queue=100 stage=1 id=70 kernel=1 {{"correlation": "7", "weight": "1"}}"""))
    with Server("--port", 0, tmp_path / "job") as server:
        server.loaded_state()
        event = json.loads(server.json("/api/slice?run=job&slice=0")[1]["event"])
    assert event == {"name": kernel, "cat": "kernel", "timestamp": 100, "args": {"correlation": "7", "weight": "1"}}
