"""The routes of ranks on one axis: two ranks whose collectives and clocks are known by hand, and a second run of one."""
import json
import struct
import urllib.parse

import pytest
from program import Server, needs_program, write_trace

pytestmark = needs_program

ENDS = (100, 200, 300, 400, 500, 600)  # us, on the clock of rank 0
AHEAD = 5_000  # us by which the clock of rank 1 is ahead


def rank_trace(rank, host, shift, of=2):
    """In each step of 100 us: a kernel for 40 us, idle for 20, then an all-reduce that ends with the step. Rank 0 waits in it for 40 us,
    rank 1 arrives 10 us before its end."""
    events = []
    for number, end in enumerate(ENDS):
        start = end - 100 + shift
        events.append({"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#%d" % number, "pid": 1, "tid": 1, "ts": start, "dur": 100})
        for correlation, name, begins, length, stream, more in (
                (2 * number, "gemm", 0, 40, 7, {}),
                (2 * number + 1, "ncclDevKernel_AllReduce_Sum_f32_RING_LL", 60 if rank == 0 else 90, 40 if rank == 0 else 10, 13,
                 {"Collective name": "allreduce", "Group size": of, "Process Group Name": "0", "Process Group Description": "default_pg",
                  "Process Group Ranks": "[0, 1]", "Seq": number, "In msg nelems": 1000, "Out msg nelems": 1000, "dtype": "Float"})):
            events.append({"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": start + 1 + correlation % 2,
                           "dur": 0.5, "args": {"correlation": correlation}})
            events.append({"ph": "X", "cat": "kernel", "name": name, "pid": 0, "tid": stream, "ts": start + begins, "dur": length,
                           "args": {"correlation": correlation, "device": 0, "stream": stream, **more}})
    return {"schemaVersion": 1, "host_name": host, "distributedInfo": {"backend": "nccl", "rank": rank, "world_size": of},
            "deviceProperties": [{"id": 0, "name": "Big GPU", "numSms": 80}], "traceEvents": events}


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    root = tmp_path_factory.mktemp("jobs")
    for rank in (0, 1):
        write_trace(root / "first" / ("node%d_1.1.pt.trace.json" % rank), rank_trace(rank, "node%d" % rank, AHEAD * rank))
    write_trace(root / "second" / "node0_1.1.pt.trace.json", rank_trace(0, "node0", 0, of=1))
    with Server(root, "--port", "0", "--no-cache") as running:
        running.loaded_state()
        yield running


def ask(server, route, **more):
    named = {"run": "first", "worker": "node0_1", "span": "", **more}
    state = server.loaded_state()
    run = next(one for one in state["runs"] if one["name"] == named["run"])
    worker = next(one for one in run["workers"] if one["name"] == named["worker"])
    named["span"] = worker["spans"][0]["name"]
    return server.get("/api/%s?%s" % (route, urllib.parse.urlencode(named)))


def axis(server, **more):
    status, _, body = ask(server, "ranks", **more)
    assert status == 200, body
    return json.loads(body)


def columns(body):
    (length,) = struct.unpack_from("<I", body)
    header = json.loads(body[4:4 + length])
    sizes = {"u32": ("I", 4), "u8": ("B", 1)}
    return header, {column["name"]: struct.unpack_from("<%d%s" % (header["runs"], sizes[column["type"]][0]), body, 4 + length + column["offset"])
                    for column in header["columns"]}


def test_the_clock_of_the_other_host_follows_from_ends(server):
    ranks = axis(server)["ranks"]
    assert [(rank["rank"], rank["host"], rank["clock"]["rule"]) for rank in ranks] == [(0, "node0", "reference"), (1, "node1", "collective_ends")]
    clock = ranks[1]["clock"]
    assert clock["known"] and clock["ends"] == 6 and clock["spread"] == 0
    # The end of its first step is put under that of rank 0.
    assert ranks[1]["steps"][0]["end"] + clock["shift"] == ranks[0]["steps"][0]["end"]
    # Rank 1 arrives last each time: rank 0 waits 40 - 10 us a step.
    assert (ranks[0]["caused"], ranks[1]["caused"]) == (0, 30_000)


def test_tiles_have_what_each_rank_does(server):
    known = axis(server)
    shift = known["ranks"][1]["clock"]["shift"]
    first = known["ranks"][0]["start"]
    status, _, body = ask(server, "rank_tiles", of=2, ranks="0,1", shifts="0,%d" % shift, start=first, end=first + 100_000, pixel=1024)
    assert status == 200, body
    header, values = columns(body)
    assert [row["rank"] for row in header["rows"]] == [0, 1]
    done = []
    for row in header["rows"]:
        doing, at = {}, row["start"]
        for i in range(row["first"], row["first"] + row["count"]):
            name = known["activities"][values["code"][i] % 8]
            doing[name] = doing.get(name, 0) + (values["end"][i] - at) * values["share"][i] / 255
            at = values["end"][i]
        done.append(doing)
    pixels = 100_000 / 1024
    # In the first step: 40 us of computing on both; 40 and 10 us of communicating. The window is widened to whole pixels.
    for doing, communicating in zip(done, (0.4, 0.1)):
        assert abs(sum(part for name, part in doing.items() if name not in ("idle", "communicating", "copying")) - 0.4 * pixels) < 3, doing
        assert abs(doing["communicating"] - communicating * pixels) < 3, doing


def test_a_collective_has_its_ranks(server):
    first = axis(server)["ranks"][0]["start"]
    _, _, body = ask(server, "rank_collective", of=2, rank=0, time=first + 80_000, reach=0)
    collective = json.loads(body)["collective"]
    assert collective["kind"] == "all_reduce"
    assert [rank["end"] - rank["start"] for rank in collective["ranks"]] == [40_000, 10_000]
    assert (collective["last"], collective["transfer"], collective["waited"], collective["sequence"]) == (1, 10_000, 30_000, 0)
    _, _, body = ask(server, "rank_collective", of=2, rank=0, time=first + 20_000, reach=0)
    assert json.loads(body)["collective"] is None
    _, _, body = ask(server, "rank_collective", of=2, rank=0, time=first + 50_000, reach=15_000)
    assert json.loads(body)["collective"]["sequence"] == 0


def test_another_run_is_a_second_job(server):
    state = server.loaded_state()
    second = next(run for run in state["runs"] if run["name"] == "second")
    span = second["workers"][0]["spans"][0]["name"]
    ranks = axis(server, other_run="second", other_span=span, other_worker="node0_1")["ranks"]
    assert [(rank["run"], rank["job"]) for rank in ranks] == [("first", 0), ("first", 0), ("second", 1)]
    assert ranks[2]["clock"]["rule"] == "reference"  # of its own job


@pytest.mark.parametrize("route, more, status", [
    ("rank_tiles", {"of": 3, "ranks": "0", "shifts": "0", "start": 0, "end": 10, "pixel": 1}, 409),
    ("rank_tiles", {"of": 2, "ranks": "0,1", "shifts": "0", "start": 0, "end": 10, "pixel": 1}, 400),
    ("rank_tiles", {"of": 2, "ranks": "2", "shifts": "0", "start": 0, "end": 10, "pixel": 1}, 400),
    ("rank_tiles", {"of": 2, "ranks": "0", "shifts": "0", "start": 0, "end": 100_000, "pixel": 1}, 400),
    ("rank_collective", {"of": 2, "rank": "0,1", "time": 0}, 400),
    ("rank_collective", {"of": 2, "rank": 0, "time": "noon"}, 400),
])
def test_bad_requests_say_why(server, route, more, status):
    answered, _, body = ask(server, route, **more)
    assert answered == status and json.loads(body)["error"]["message"], body
