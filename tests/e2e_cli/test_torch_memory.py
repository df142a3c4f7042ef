"""Memory snapshots of PyTorch, through the command line, beside a slow replay in Python."""
import gzip
import json
import pathlib
import pickle
import pickletools

import pytest
from program import ROOT, needs_program, sightline

import memory_snapshot as snapshots

pytestmark = needs_program
SAMPLE = ROOT.parent / "shared" / "samples" / "torch_memory_snapshot" / "output.pickle"


def written(folder, data, name="rank0.pickle"):
    file = pathlib.Path(folder) / name
    file.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    return file


def report(path, view, *more):
    done = sightline("report", path, "--view", view, "--format", "json", "--no-cache", *more)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def table(path, view, key, *more):
    return {column["key"]: column["values"] for column in report(path, view, *more)["tables"][key]["columns"]}


def facts(path):
    panel = next(panel for panel in report(path, "memory")["panels"] if panel["id"] == "summary")
    return {fact["label"]: fact["value"] for fact in panel["facts"]}


def problems(path):
    rows = table(path, "problems", "problems")
    return dict(zip(rows["code"], rows["count"]))


@pytest.mark.parametrize("protocol", [2, 3, 4, 5])
@pytest.mark.parametrize("name", ["rank0.pickle", "rank0.pkl.gz"])
def test_totals_count_what_was_there_before(tmp_path, protocol, name):
    path = written(tmp_path, pickle.dumps(snapshots.small(), protocol), name)
    known = facts(path)
    # Before: 100 released in the history + 400 kept. Then +1000 -100 +300 -1000. Reserved: segments of 2000 and 1000, 2000 of them new.
    assert known["Allocated before recording"] == 500
    assert known["Peak allocated"] == 500 + 1000 - 100 + 300
    assert known["Allocated at the end"] == 700
    assert known["Peak reserved"] == 3000
    assert known["Peak at"] == 30_000
    assert problems(path) == {"history_incomplete": 1}


def test_blocks_steps_failures_and_settings(tmp_path):
    path = written(tmp_path, pickle.dumps(snapshots.small()))
    blocks = table(path, "memory", "events")
    assert sorted(zip(blocks["size"], [value for value in blocks["allocated_at"]], blocks["released_at"]), key=str) == sorted(
        [(1000, 10_000, 50_000), (300, 30_000, None), (100, None, 20_000)], key=str)
    done = sightline("query", path, "SELECT name, start FROM slices ORDER BY start", "--format", "json", "--no-cache")
    assert done.returncode == 0 and [name in done.stdout for name in ("ProfilerStep#4", "segment_alloc", "oom")] == [True] * 3, done.stderr
    assert "expandable_segments" in table(path, "metadata", "metadata")["key"]


@pytest.mark.parametrize("seed", range(4))
def test_totals_equal_a_slow_replay(tmp_path, seed):
    snapshot = snapshots.random_trace(seed)
    path = written(tmp_path, pickle.dumps(snapshot))
    before, after, peak = snapshots.replay(snapshot, 0)
    done = sightline("query", path, "SELECT total_allocated FROM memory_events ORDER BY id", "--format", "csv", "--no-cache")
    assert done.returncode == 0, done.stderr
    assert [int(line) for line in done.stdout.splitlines()[1:]] == after
    known = facts(path)
    assert known["Peak allocated"] == peak and known["Allocated before recording"] == before
    assert "totals_differ" not in problems(path)


@pytest.mark.skipif(not SAMPLE.exists(), reason="the shared samples are not here")
def test_the_peak_of_the_sample():
    known = facts(SAMPLE)
    assert known["Peak allocated"] == 2_255_398_132
    assert known["Peak reserved"] is None  # the segments hold 262,144,000 bytes, less than the peak
    told = problems(SAMPLE)
    assert told["reserved_unknown"] == 1
    assert told["totals_differ"] == 1 and told["blocks_incomplete"] == 5


def lines_of(path):
    rows = table(path, "memory_stacks", "live_stacks")
    names = {"no stack recorded": None, "allocated before recording": "before"}
    return {names.get(name, name): size for name, size in zip(rows["line"], rows["size"])}


@pytest.mark.parametrize("seed", range(4))
def test_live_memory_by_line_equals_a_slow_replay(tmp_path, seed):
    snapshot = snapshots.random_trace(seed)
    path = written(tmp_path, pickle.dumps(snapshot))
    assert lines_of(path) == snapshots.live_by_line(snapshot, 0)


@pytest.mark.skipif(not SAMPLE.exists(), reason="the shared samples are not here")
def test_live_memory_of_the_sample():
    expected = snapshots.live_by_line(pickle.loads(SAMPLE.read_bytes()), 0)
    assert lines_of(SAMPLE) == expected
    assert sum(expected.values()) == 2_255_398_132
    panel = next(panel for panel in report(SAMPLE, "memory_segments")["panels"] if panel["id"] == "summary")
    known = {fact["label"]: fact["value"] for fact in panel["facts"]}
    assert known["Reserved"] == 262_144_000 and known["Active, as stated"] == 174_716_640
    assert known["Allocated"] == 17 * 512  # the sample lists only some blocks of each segment
    assert any("do not add up" in note["text"] for note in panel["notes"])


@pytest.mark.parametrize("seed", range(3))
def test_segments_and_fits_equal_plain_loops(tmp_path, seed):
    snapshot = snapshots.random_segments(seed)
    path = written(tmp_path, pickle.dumps(snapshot))
    pools = snapshots.pools(snapshot, 0)
    rows = table(path, "memory_segments", "pools")
    found = {key: list(values) for *key, values in zip(rows["kind"], rows["stream"], rows["pool"],
                                                       zip(rows["reserved"], rows["allocated"], rows["awaiting"], rows["free"]))
             for key in [tuple(key)]}
    assert found == {key: sums[:4] for key, sums in pools.items()}
    for size in (1, 70_000, 1 << 20, (1 << 20) + 1, 3 << 20, 25 << 20):
        rounded = -(-size // 512) * 512
        kind = "small" if rounded <= 1 << 20 else "large"
        rows = table(path, "memory_segments", "fits", "--param", f"fit={size}")
        best = {key[1:]: min((free for free in sums[4] if free >= rounded), default=None) for key, sums in pools.items() if key[0] == kind}
        assert {(stream, pool): block for stream, pool, block in zip(rows["stream"], rows["pool"], rows["block"])} == best


def test_a_failure_states_what_was_requested_and_held(tmp_path):
    path = written(tmp_path, pickle.dumps(snapshots.small()))
    rows = table(path, "memory_segments", "failures")
    assert (rows["requested"], rows["device_free"], rows["time"], rows["line"]) == ([99999], [50], [40_000], ["forward (model.py:7)"])
    held = table(path, "memory_segments", "live_stacks")
    assert sum(held["size"]) == 500 + 1000 - 100 + 300
    done = sightline("report", path, "--view", "memory_segments", "--param", "failure=2", "--no-cache")
    assert done.returncode != 0 and "there are 1" in done.stderr + done.stdout


def test_two_snapshots_are_compared_by_line(tmp_path):
    for name, seed in (("a.pickle", 1), ("b.pickle", 2)):
        written(tmp_path, pickle.dumps(snapshots.random_trace(seed)), name)
    done = sightline("diff", tmp_path / "a.pickle", tmp_path / "b.pickle", "--view", "memory_diff", "--format", "json", "--no-cache")
    assert done.returncode == 0, done.stderr
    rows = {column["key"]: column["values"] for column in json.loads(done.stdout)["tables"]["lines"]["columns"]}
    sides = [snapshots.live_by_line(snapshots.random_trace(seed), 0) for seed in (1, 2)]
    words = {None: "no stack recorded", "before": "allocated before recording"}
    for side, column in zip(sides, ("baseline_size", "compared_size")):
        assert {name: size for name, size in zip(rows["name"], rows[column]) if size} == {words.get(name, name): size for name, size in side.items()}


class Runs:
    def __reduce__(self):
        return print, ("this must not run",)


@pytest.mark.parametrize("protocol, opcode", [(2, "GLOBAL"), (4, "STACK_GLOBAL")])
def test_a_pickle_that_runs_code_is_refused(tmp_path, protocol, opcode):
    data = pickle.dumps({**snapshots.small(), "more": Runs()}, protocol)
    path = written(tmp_path, data)
    done = sightline("report", path, "--view", "memory", "--no-cache")
    at = next(place for op, _, place in pickletools.genops(data) if op.name == opcode)
    assert done.returncode != 0
    assert f"{path}:{at}" in done.stderr + done.stdout and opcode in done.stderr + done.stdout
    assert "this must not run" not in done.stdout


def test_a_torn_file_keeps_what_was_read(tmp_path):
    data = pickle.dumps(snapshots.random_trace(1))
    path = written(tmp_path, data[:len(data) * 9 // 10])
    assert "damaged_pickle" in problems(path)
    assert facts(path)["Events"] > 1000


def test_another_pickle_is_not_a_snapshot(tmp_path):
    done = sightline("info", written(tmp_path, pickle.dumps({"weights": [1, 2]})), "--no-cache")
    assert done.returncode != 0
