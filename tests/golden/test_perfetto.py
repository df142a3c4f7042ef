"""An exported Perfetto trace has the same content as the exported Chrome trace; the test has a separate decoder."""
import collections
import json
import pathlib
import subprocess
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import program_report  # noqa: E402
from perfetto_trace import Trace  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = program_report.PROGRAM
pytestmark = pytest.mark.skipif(not PROGRAM.exists(), reason="no program: build it, or set SIGHTLINE")
FIXTURES = ("two_gpus", "stream_overlap", "modules", "odd_names", "counters", "nccl", "same_edges", "hip_memory", "graph_launch")
SAMPLES = sorted((ROOT / "samples").rglob("*.json.gz"))[:1]


def export(file, to, *more):
    done = subprocess.run([PROGRAM, "export", file, "-o", to, *more], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr


@pytest.fixture(params=[*FIXTURES, *SAMPLES], ids=lambda p: getattr(p, "name", p))
def both(request, tmp_path):
    file = request.param
    if file in FIXTURES:
        file = tmp_path / "made.pt.trace.json"
        subprocess.run([sys.executable, ROOT / "tools" / "gen_trace", ROOT / "tests" / "fixtures" / f"{request.param}.trace", file], check=True)
    export(file, tmp_path / "out.json")
    export(file, tmp_path / "out.pftrace", "--format", "perfetto")
    return json.loads((tmp_path / "out.json").read_text()), Trace((tmp_path / "out.pftrace").read_bytes())


def ns(us):
    return round(us * 1000)


def test_slices_nest_as_they_do_in_the_chrome_trace(both):
    chrome, perfetto = both
    events = [e for e in chrome["traceEvents"] if e["ph"] == "X"]
    assert events and len(events) == len(perfetto.slices)
    shift = min(s["start"] for s in perfetto.slices) - min(ns(e["ts"]) for e in events)
    theirs = collections.Counter((e["name"], e["cat"], ns(e["ts"]) + shift, ns(e["dur"])) for e in events)
    assert theirs == collections.Counter((s["name"], s["category"], s["start"], s["duration"]) for s in perfetto.slices)
    threads = collections.Counter((e["pid"], e["tid"]) for e in events)
    assert sorted(threads.values()) == sorted(collections.Counter(s["track"] for s in perfetto.slices).values())


def test_annotations_are_the_args(both):
    chrome, perfetto = both

    def plain(value):
        return json.dumps(value) if isinstance(value, (list, dict)) else value

    def texts(args):
        made = {}
        for key, value in args.items():
            try:
                value = json.loads(value) if isinstance(value, str) else value
            except json.JSONDecodeError:
                pass
            made[key] = round(float(value), 3) if isinstance(value, (int, float)) else plain(value)
        return json.dumps(made, sort_keys=True)

    def args(of):  # a pair of operators is known by its flow, whose name only a Chrome trace has
        return {key: value for key, value in of["args"].items() if key != "fwdbwd"}

    theirs = collections.Counter(texts(e.get("args", {})) for e in chrome["traceEvents"] if e["ph"] == "X")
    assert theirs == collections.Counter(texts(args(s)) for s in perfetto.slices)


def test_flows_lead_from_slice_to_slice(both):
    chrome, perfetto = both
    begins = {i: s for s in perfetto.slices for i in s["flows"]}
    ends = {i: s for s in perfetto.slices for i in s["ends"]}
    assert begins.keys() == ends.keys() and len(begins) == sum(len(s["flows"]) for s in perfetto.slices)
    assert len(begins) == sum(e["ph"] == "s" for e in chrome["traceEvents"])


def test_counters_have_their_points(both):
    chrome, perfetto = both
    theirs = collections.Counter(round(v, 6) for e in chrome["traceEvents"] if e["ph"] == "C" for v in e["args"].values())
    assert theirs == collections.Counter(round(value, 6) for _, _, value in perfetto.counters)
    assert all(perfetto.tracks[uuid]["counter"] for uuid, _, _ in perfetto.counters)


def test_processes_and_threads_are_named(both):
    chrome, perfetto = both
    names = {e["args"]["name"] for e in chrome["traceEvents"] if e["ph"] == "M" and e["name"] == "process_name"}
    assert all(any(name in t["name"] for t in perfetto.tracks.values()) for name in names)
    for track in perfetto.tracks.values():
        assert track["parent"] is None or track["parent"] in perfetto.tracks
    if "baseTimeNanoseconds" in chrome:
        assert perfetto.realtime_at is not None
