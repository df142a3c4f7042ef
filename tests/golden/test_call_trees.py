"""Call trees: what sampling profilers and Proton write, through the program. Each figure is worked by hand."""
import gzip
import json
import pathlib
import subprocess
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import program_report  # noqa: E402
from program_report import query  # noqa: E402

pytestmark = pytest.mark.skipif(not program_report.PROGRAM.exists(), reason="no program: build it, or set SIGHTLINE")
SLICES = "select s.name, s.start, s.duration, s.depth, l.name from slices s join lanes l on s.lane = l.id order by s.start, s.depth"
PROBLEMS = "select code, count from problems order by code"
WEIGHTS = """select w.thread, w.counts, s.name, c.name, w.weight from weighted_stacks w join stacks s on s.id = w.stack left join stacks c on c.id = s.caller
             order by w.id"""
# main 2, main > step 3, main > step > matmul 10, main > step > step > matmul 5: 20 in all.
COLLAPSED = "main (job.py:3) 2\nmain (job.py:3);step (job.py:9) 3\nmain (job.py:3);step (job.py:9);matmul 10\r\n\n# a comment\nmain (job.py:3);step (job.py:9);step (job.py:9);matmul 5\n"

FRAMES = [{"name": "main", "file": "a.py", "line": 1}, {"name": "load", "file": "a.py", "line": 9}, {"name": "train"}]
# main 0.5 s, main > load 1 s, main > load 0.5 s, main > train 2 s
SAMPLED = {"shared": {"frames": FRAMES}, "profiles": [{"type": "sampled", "name": "MainThread", "unit": "seconds", "startValue": 0, "endValue": 4,
                                                        "samples": [[0], [0, 1], [0, 1], [0, 2]], "weights": [0.5, 1, 0.5, 2]}]}
EVENTED = {"shared": {"frames": FRAMES}, "profiles": [{"type": "evented", "name": "t", "unit": "microseconds", "startValue": 10, "endValue": 30, "events": [
    {"type": "O", "frame": 0, "at": 10}, {"type": "O", "frame": 1, "at": 12}, {"type": "C", "frame": 1, "at": 15}, {"type": "O", "frame": 1, "at": 15},
    {"type": "C", "frame": 1, "at": 16}, {"type": "C", "frame": 2, "at": 17}, {"type": "C", "frame": 0, "at": 20}]}]}
CPU = {"nodes": [{"id": 1, "callFrame": {"functionName": "(root)", "url": "", "lineNumber": -1}, "hitCount": 0, "children": [2]},
                 {"id": 2, "callFrame": {"functionName": "main", "url": "app.js", "lineNumber": 4}, "hitCount": 1, "children": [3]},
                 {"id": 3, "callFrame": {"functionName": "", "url": "app.js", "lineNumber": 8}, "hitCount": 2}],
       "startTime": 1000, "endTime": 1100, "samples": [2, 3, 3, 2], "timeDeltas": [10, 20, 30, 5]}
HATCHET = [{"frame": {"name": "ROOT", "type": "function"}, "metrics": {"count": 0, "time (ns)": 0}, "children": [
    {"frame": {"name": "forward", "type": "function"}, "metrics": {"time (ns)": 0, "count": 0}, "children": [
        {"frame": {"name": "matmul", "type": "function"}, "metrics": {"time (ns)": 200, "count": 4, "flops16": 1e6, "device_id": "0"}, "children": []},
        {"frame": {"name": "softmax", "type": "function"}, "metrics": {"time (ns)": 50, "count": 1}, "children": []}]}]},
    {"CUDA": {"0": {"arch": "90", "num_sms": 132}}}]


@pytest.fixture
def read(tmp_path):
    made = []

    def run(content, ending, sql):
        file = tmp_path / f"made{len(made)}{ending}"
        made.append(file)
        data = (content if isinstance(content, str) else json.dumps(content)).encode()
        file.write_bytes(gzip.compress(data) if ending.endswith(".gz") else data)
        return query(file, sql)

    return run


@pytest.mark.parametrize("ending", (".speedscope.json", ".speedscope.json.gz"))
def test_samples_of_speedscope_are_slices(read, ending):
    s = 1_000_000_000
    assert read(SAMPLED, ending, SLICES) == [("main", 0, 4 * s, 0, "MainThread"), ("load", s // 2, 3 * s // 2, 1, "MainThread"), ("train", 2 * s, 2 * s, 1, "MainThread")]
    assert read(SAMPLED, ending, PROBLEMS) == [("samples", 1)]


def test_samples_without_a_unit_of_time_have_no_times(read):
    mixed = json.loads(json.dumps(SAMPLED))
    mixed["profiles"].append({**SAMPLED["profiles"][0], "name": "counts", "unit": "none"})
    assert read(mixed, ".speedscope.json", "select distinct l.name from slices s join lanes l on s.lane = l.id") == [("MainThread",)]
    assert read(mixed, ".speedscope.json", PROBLEMS) == [("samples", 1)]
    assert read(mixed, ".speedscope.json", WEIGHTS) == [("counts", None, "main", None, 0.5), ("counts", None, "load", "main", 1), ("counts", None, "load", "main", 0.5),
                                                         ("counts", None, "train", "main", 2)]


def test_events_without_times_are_not_shown(read):
    mixed = {**EVENTED, "profiles": [EVENTED["profiles"][0], {**EVENTED["profiles"][0], "unit": "bytes"}]}
    assert read(mixed, ".speedscope.json", PROBLEMS) == [("malformed_event", 1), ("no_times", 1)]


def test_events_of_speedscope_are_exact(read):
    # The end of frame 2, which is not open, is left out.
    assert [row[:4] for row in read(EVENTED, ".speedscope.json", SLICES)] == [("main", 10000, 10000, 0), ("load", 12000, 3000, 1), ("load", 15000, 1000, 1)]
    assert read(EVENTED, ".speedscope.json", PROBLEMS) == [("malformed_event", 1)]


def test_a_cpu_profile_of_v8(read):
    # Samples at 1010, 1030, 1060 and 1065 us: main, anonymous twice, main until 1100.
    assert [row[:4] for row in read(CPU, ".cpuprofile", SLICES)] == [("main", 1010000, 90000, 0), ("(anonymous)", 1030000, 35000, 1)]
    assert read(CPU, ".cpuprofile", PROBLEMS) == [("samples", 1)]


def test_a_profile_of_proton(read):
    assert read(HATCHET, ".hatchet", "select kind, device, name, part, calls, total from reported_calls order by name") == [
        ("kernel", 0, "matmul", "forward", 4, 200), ("kernel", None, "softmax", "forward", 1, 50)]
    assert read(HATCHET, ".hatchet", "select key, value from metadata order by key") == [("CUDA 0 arch", "90"), ("CUDA 0 num_sms", "132")]


@pytest.mark.parametrize("content, ending, cause", (
    ("{", ".speedscope.json", "not JSON"), ("[]", ".speedscope.json", "not JSON"), ("{}", ".speedscope.json", "shared.frames"), ("{}", ".cpuprofile", "nodes"),
    ('{"nodes": []}', ".cpuprofile", "no samples"), ("no stacks\n", ".folded", "not a stack"), ("a b\n", ".txt", "not a profile"), ("{}", ".hatchet", "not JSON"), ("[]", ".hatchet", "holds no events")))
def test_files_of_other_content_are_refused(tmp_path, content, ending, cause):
    file = tmp_path / f"made{ending}"
    file.write_text(content)
    done = subprocess.run([program_report.PROGRAM, "query", file, "select 1"], capture_output=True, text=True)
    assert done.returncode == 1 and cause in done.stderr, done.stderr


def test_time_passes_during_a_sample_that_is_left_out(read):
    # The second sample names no node: 20 us later, at 1060 us, is the third.
    rows = read({**CPU, "samples": [2, 99, 3]}, ".cpuprofile", SLICES)
    assert [(row[0], row[1], row[2]) for row in rows if "main" not in row[0]] == [(rows[-1][0], 1_060_000, 40_000)]
    assert read({**CPU, "samples": [2, 99, 3]}, ".cpuprofile", PROBLEMS) == [("malformed_sample", 1), ("samples", 1)]


def test_a_weight_that_no_time_can_hold_is_a_problem(read):
    profile = {**SAMPLED["profiles"][0], "weights": [0.5, 1, 0.5, 1e300]}
    rows = read({**SAMPLED, "profiles": [profile]}, ".speedscope.json", SLICES)
    assert max(start + length for _, start, length, *_ in rows) == 2_000_000_000
    assert ("impossible_weight", 1) in read({**SAMPLED, "profiles": [profile]}, ".speedscope.json", PROBLEMS)


@pytest.mark.parametrize("ending", (".collapsed", ".folded", ".collapsed.gz", ".txt"))
def test_collapsed_stacks_have_their_weights(read, ending):
    assert read(COLLAPSED, ending, WEIGHTS) == [(None, None, "main", None, 2), (None, None, "step", "main", 3), (None, None, "matmul", "step", 10), (None, None, "matmul", "step", 5)]
    assert read(COLLAPSED, ending, "select distinct name, file, line from stacks order by name") == [("main", "job.py", 3), ("matmul", None, None), ("step", "job.py", 9)]
    assert read(COLLAPSED, ending, PROBLEMS) == []


def cells(body, table, *keys):
    columns = {column["key"]: column["values"] for column in body["tables"][table]["columns"]}
    return list(zip(*(columns[key] for key in keys)))


def test_weighted_stacks_are_a_flame_graph_and_functions(tmp_path):
    file = tmp_path / "made.collapsed"
    file.write_text(COLLAPSED)
    body = program_report.report(file, "weighted_stacks")
    assert cells(body, "paths", "name", "parent", "weight", "self") == [("main (job.py:3)", None, 20, 2), ("step (job.py:9)", 0, 18, 3), ("matmul", 1, 10, 10), ("step (job.py:9)", 1, 5, 0), ("matmul", 3, 5, 5)]
    # The recursive call counts once.
    assert cells(body, "functions", "name", "weight", "self", "share") == [
        ("matmul", 15, 15, 0.75), ("step (job.py)", 18, 3, 0.9), ("main (job.py)", 20, 2, 1)]


def test_the_view_of_weighted_stacks_chooses_what_counts_and_the_thread(tmp_path):
    profile = SAMPLED["profiles"][0]
    file = tmp_path / "made.speedscope.json"
    file.write_text(json.dumps({**SAMPLED, "profiles": [{**profile, "unit": "none"}, {**profile, "unit": "none", "name": "other"}, {**profile, "unit": "bytes"}]}))
    totals = {of: cells(program_report.report(file, "weighted_stacks", **dict(of)), "paths", "weight")[0][0]
              for of in ((), (("counts", "bytes"),), (("thread", "other"),))}
    assert totals == {(): 8, (("counts", "bytes"),): 4, (("thread", "other"),): 4}
    done = subprocess.run([program_report.PROGRAM, "report", file, "--view", "weighted_stacks", "--param", "counts=time"], capture_output=True, text=True)
    assert done.returncode != 0 and "no weights of time" in done.stderr


def test_lines_that_are_no_stacks_are_problems(read):
    assert read("a;b 1\nbroken\nc;d x\ne -1\nf 1e999\n;; 2\n", ".folded", PROBLEMS) == [("malformed_line", 4)]


def test_samples_without_a_stack_count(read):
    """py-spy writes them as a line that begins with a blank."""
    assert read("a;b 1\n 2\n", ".txt", WEIGHTS) == [(None, None, "b", "a", 1), (None, None, "(no stack)", None, 2)]


def test_a_speedscope_file_may_have_any_name(read):
    marked = {"$schema": "https://www.speedscope.app/file-format-schema.json", **SAMPLED}
    assert read(marked, ".json", "select count(*) from slices") == [(3,)]
