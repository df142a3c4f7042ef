"""The timeline's routes over HTTP: one small trace with results computed by hand."""
import json
import struct

import ascend_export
import pytest

from program import Server, needs_program, sightline, write_trace

pytestmark = needs_program

US = 1000


def ranged(cat, name, start, end, tid=1, pid=1, **args):
    return {"ph": "X", "cat": cat, "name": name, "pid": pid, "tid": tid, "ts": start, "dur": end - start, "args": args}


def little_trace():
    """us:    0                        100
    thread 1  |step 0-90               | with the frame of profiler.step() from -5 to 5, truly overlapping its start
                 mm 10-30, launch 15-20;   mm 40-60, launch 45-50
    stream 7                 gemm 25-35,             gemm 55-75, copy 80-84 (of the second launch's thread, corr 3)
    """
    python = {"Python id": 1, "Python thread": 0}
    return {
        "schemaVersion": 1,
        "deviceProperties": [{"id": 0, "name": "Big GPU", "numSms": 80}],
        "traceEvents": [
            {"ph": "M", "name": "process_name", "pid": 1, "tid": 0, "args": {"name": "python"}},
            {"ph": "M", "name": "process_labels", "pid": 0, "tid": 0, "args": {"labels": "GPU 0"}},
            ranged("python_function", "profiler.py(1): step", -5, 5, **python),
            ranged("user_annotation", "ProfilerStep#3", 0, 90),
            ranged("cpu_op", "aten::mm", 10, 30, **{"External id": 1, "Input Dims": [[2, 3], [3, 4]], "Sequence number": 7}),
            ranged("cuda_runtime", "cudaLaunchKernel", 15, 20, correlation=1, **{"External id": 1}),
            ranged("cpu_op", "aten::mm", 40, 60, **{"External id": 2, "Input Dims": [[2, 3], [3, 4]]}),
            ranged("cuda_runtime", "cudaLaunchKernel", 45, 50, correlation=2, **{"External id": 2}),
            ranged("cuda_runtime", "cudaMemcpyAsync", 70, 72, correlation=3, **{"External id": 0}),
            ranged("kernel", "gemm", 25, 35, tid=7, pid=0, device=0, stream=7, correlation=1, **{"External id": 1}),
            ranged("kernel", "gemm", 55, 75, tid=7, pid=0, device=0, stream=7, correlation=2, **{"External id": 2}),
            ranged("gpu_memcpy", "Memcpy HtoD (Pageable -> Device)", 80, 84, tid=7, pid=0, device=0, stream=7, correlation=3, bytes=4096),
            {"ph": "s", "id": 9, "cat": "fwdbwd", "name": "fwdbwd", "pid": 1, "tid": 1, "ts": 10},
            {"ph": "f", "id": 9, "cat": "fwdbwd", "name": "fwdbwd", "pid": 1, "tid": 1, "ts": 40, "bp": "e"},
        ],
    }


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    run = tmp_path_factory.mktemp("job")
    write_trace(run / "rank0.pt.trace.json", little_trace())
    with Server(run, "--port", 0) as started:
        started.loaded_state()
        yield started


def lanes(server):
    """{(kind, part): lane}"""
    status, timeline = server.json("/api/timeline")
    assert status == 200
    return {(lane["kind"], lane["part"]): lane for group in timeline["groups"] for lane in group["lanes"]}


def trace_of_places():
    """A GPU without a name, a span of the profiler, a thread of three slices, and a process with enough."""
    busy = [ranged("cpu_op", "aten::mm", 10 * i, 10 * i + 5) for i in range(6)]
    return {
        "schemaVersion": 1,
        "deviceProperties": [{"id": 0, "name": "NVIDIA Big", "numSms": 80}],
        "traceEvents": [
            {"ph": "M", "name": "process_name", "pid": 1, "tid": 0, "args": {"name": "python"}},
            *busy,
            *[ranged("cpu_op", "aten::add", 10 * i, 10 * i + 5, tid=2) for i in range(3)],
            ranged("Trace", "PyTorch Profiler (0)", 0, 90, tid="PyTorch Profiler", pid="Spans"),
            ranged("cuda_runtime", "cudaLaunchKernel", 12, 13, correlation=1),
            ranged("kernel", "gemm", 25, 35, tid=7, pid=0, device=0, stream=7, correlation=1),
        ],
    }


def test_devices_come_first_and_what_holds_next_to_nothing_last(tmp_path):
    write_trace(tmp_path / "rank0.pt.trace.json", trace_of_places())
    with Server(tmp_path, "--port", 0) as started:
        started.loaded_state()
        groups = started.json("/api/timeline")[1]["groups"]
    assert [(group["title"], group["minor"]) for group in groups] == [
        ("device 0 · NVIDIA Big", False),
        ("python (1)", False),
        ("Spans", True),
    ]
    assert [(lane["title"], lane["minor"]) for group in groups for lane in group["lanes"]] == [
        ("stream 7", False),
        ("thread 1", False),
        ("thread 2", True),
        ("PyTorch Profiler", False),
    ]


def named(server, text):
    status, found = server.json(f"/api/search?text={text}")
    assert status == 200
    return found["hits"]


def test_a_frame_that_overlaps_the_step_is_drawn_separately(server):
    drawn = lanes(server)
    ranges, python = drawn["host_thread", "ranges"], drawn["host_thread", "python"]
    assert (ranges["rows"], ranges["slices"]) == (3, 6) and (python["rows"], python["slices"]) == (1, 1)
    assert ranges["lane"] != python["lane"] and ranges["title"] == python["title"]
    places = [(hit["lane"], hit["row"]) for text in ("ProfilerStep", "mm", "Launch", "step") for hit in named(server, text)[:1]]
    assert places == [(ranges["lane"], 0), (ranges["lane"], 1), (ranges["lane"], 2), (python["lane"], 0)]
    gemm = named(server, "gemm")[0]
    status, slice_ = server.json(f"/api/slice?slice={gemm['slice']}")
    assert status == 200 and (slice_["lane"], slice_["row"]) == (drawn["device_stream", "ranges"]["lane"], 0)
    assert all(other["lane"] in [lane["lane"] for lane in drawn.values()] and other["row"] >= 0 for other in slice_["related"])


def test_flows_lead_from_start_to_start(server):
    drawn = lanes(server)
    host, device = drawn["host_thread", "ranges"]["lane"], drawn["device_stream", "ranges"]["lane"]
    origin = named(server, "ProfilerStep")[0]["start"]
    window = f"start={origin}&end={origin + 100 * US}&pixel=1"
    status, all_ = server.json(f"/api/flows?lanes={host},{device}&{window}")
    assert status == 200 and (all_["count"], all_["shown"], all_["lanes"]) == (4, 4, [host, device])
    flows = all_["flows"]
    assert sorted(flows["kind"]) == ["forward_backward", "launch", "launch", "launch"]
    of = {kind: i for i, kind in reversed(list(enumerate(flows["kind"])))}  # the first of each
    launch, pair = of["launch"], of["forward_backward"]
    assert (flows["from_time"][launch], flows["to_time"][launch]) == (origin + 15 * US, origin + 25 * US)
    assert (flows["from_lane"][launch], flows["to_lane"][launch]) == (host, device)
    assert (flows["from_row"][launch], flows["to_row"][launch]) == (2, 0)
    assert (flows["from_time"][pair], flows["to_time"][pair]) == (origin + 10 * US, origin + 40 * US)
    # Between the host's rows only the pair remains; one kind alone; and a flow with both ends outside the window is left out.
    assert server.json(f"/api/flows?lanes={host}&{window}")[1]["flows"]["kind"] == ["forward_backward"]
    assert server.json(f"/api/flows?lanes={host},{device}&{window}&kinds=launch")[1]["count"] == 3
    assert server.json(f"/api/flows?lanes={host},{device}&start={origin + 76 * US}&end={origin + 90 * US}&pixel=1")[1]["count"] == 1
    # A pixel of 2^17 ns holds everything: the launches between the two lanes are one flow.
    shown = server.json(f"/api/flows?lanes={host},{device}&start={origin}&end={origin + 100 * US}&pixel=131072")[1]
    assert (shown["count"], shown["shown"]) == (4, 2)


def facts_of(slice_):
    return {fact["label"]: fact.get("text", fact.get("value")) for fact in slice_["facts"]}


def test_a_slice_has_its_facts(server):
    gemm, mm = named(server, "gemm")[0]["slice"], named(server, "mm")[0]["slice"]
    kernel = server.json(f"/api/slice?slice={gemm}")[1]
    facts = facts_of(kernel)
    assert (facts["Self time"], facts["Launch delay"], facts["Since the launch began"]) == (10 * US, 5 * US, 10 * US)
    assert (facts["Operator's input shapes"], facts["Device"], facts["Correlation id"]) == ("[[2, 3], [3, 4]]", 0, 1)
    assert (facts["Step"], facts["Since the step's start"]) == ("3", 25 * US)
    related = {}
    for other in kernel["related"]:
        related.setdefault(other["relation"], []).append(other["name"])
    assert related == {"next": ["gemm"], "launch": ["cudaLaunchKernel"], "owner": ["aten::mm"], "step": ["ProfilerStep#3"]}
    links = {link["title"]: (link["view"], link["parameters"], link.get("find")) for link in kernel["links"]}
    assert links["Kernels"] == ("kernels", {}, "gemm")
    assert links["Operator that launched it"] == ("operators", {}, "aten::mm")
    operator = server.json(f"/api/slice?slice={mm}")[1]
    facts = facts_of(operator)
    # 20 us minus the launch's 5; one child; the step's other children are mm and the copy's call.
    assert (facts["Self time"], facts["Children"], facts["Siblings"]) == (15 * US, 1, 2)
    relations = [other["relation"] for other in operator["related"]]
    assert relations == ["parent", "child", "next", "owned", "backward", "step"]
    copy = facts_of(server.json(f"/api/slice?slice={named(server, 'Memcpy%20HtoD')[0]['slice']}")[1])
    assert copy["Bandwidth"] == pytest.approx(4096 / 4e-6)


def test_links_lead_to_views_and_back(server):
    for view, name in (("operators", "aten::mm"), ("kernels", "gemm")):
        table = server.json(f"/api/report?view={view}")[1]["tables"][view]
        links = {link["title"]: link for link in table["row_links"]}
        assert links["Longest on the timeline"]["parameters"] == {"slice": "$longest_slice"}
        assert links["Search on the timeline"]["parameters"] == {"search": "$name"}
        columns = {column["key"]: column for column in table["columns"]}
        assert columns["longest_slice"]["hidden"]
        row = columns["name"]["values"].index(name)
        longest = columns["longest_slice"]["values"][row]
        slice_ = server.json(f"/api/slice?slice={longest}")[1]
        assert slice_["name"] == name and slice_["duration"] == 20 * US
        assert any(link["view"] == view and link.get("find") == name for link in slice_["links"])
        assert server.json(f"/api/report?view=timeline&slice={longest}&search=mm")[0] == 200
    status, body = server.json("/api/report?view=timeline&slice=99")
    assert status == 400 and body["error"]["message"] == "no slice 99"


def test_range_sums(server):
    origin = named(server, "ProfilerStep")[0]["start"]
    device = lanes(server)["device_stream", "ranges"]["lane"]
    query = f"/api/report?view=range&start={origin + 30 * US}&end={origin + 82 * US}"
    tables = server.json(query)[1]["tables"]
    names = {c["key"]: c["values"] for c in tables["names"]["columns"]}
    of = {name: (names["count"][i], names["total"][i], names["self"][i]) for i, name in enumerate(names["name"])}
    assert of["gemm"] == (2, 25 * US, 25 * US)  # 30-35 and 55-75
    assert of["aten::mm"] == (1, 20 * US, 15 * US) and of["ProfilerStep#3"] == (1, 52 * US, 30 * US)
    alone = server.json(f"{query}&lanes={device}")[1]["tables"]["categories"]
    rows = {c["key"]: c["values"] for c in alone["columns"]}
    assert rows["category"] == ["kernel", "memcpy"] and rows["wall"] == [25 * US, 2 * US]
    status, body = server.json(f"{query}&lanes=77")
    assert status == 400 and "no lane '77'" in body["error"]["message"]
    status, body = server.json("/api/report?view=range&start=x")
    assert status == 400 and "'start' must be a time in ns" in body["error"]["message"]


@pytest.mark.parametrize("over", [lambda most: most + 1, lambda most: -most - 1, lambda most: 2**63 - 1, lambda most: -(2**63), lambda most: 2**64])
@pytest.mark.parametrize(
    "path, bits, parameters",
    [
        ("report?view=range", 61, ("start", "end")),
        ("report?view=memory", 61, ("start", "end", "at")),
        ("tiles?lanes=0", 53, ("start", "end", "pixel")),
        ("counters?counters=0", 53, ("start", "end", "pixel")),
        ("flows?lanes=0", 53, ("start", "end", "pixel")),
        ("export?lanes=0", 53, ("start", "end")),
    ],
)
def test_a_time_too_far_away_is_refused(server, path, bits, parameters, over):
    """Otherwise lengths and shares would overflow: a range of -1 ns. The timeline's numbers are the page's, exact to 2^53."""
    fitting = {"start": 0, "end": 100 * US, "pixel": US}
    for wrong in parameters:
        given = {key: fitting[key] for key in parameters if key in fitting} | {wrong: over(2**bits)}
        status, body = server.json(f"/api/{path}&" + "&".join(f"{key}={value}" for key, value in given.items()))
        assert status == 400 and wrong in body["error"]["message"] and f"2^{bits}" in body["error"]["message"], (wrong, body)


def test_the_farthest_times_are_answered(server):
    status, report = server.json(f"/api/report?view=range&start={-(2**61)}&end={2**61}")
    facts = {fact["label"]: fact.get("value", fact.get("text")) for fact in report["panels"][0]["facts"]}
    assert status == 200 and facts["Length"] == 2**62 and 0 < facts["Busy"] < 1e-9
    start, end = -(2**53), 2**53
    for route in ("tiles?lanes=0", "counters?counters=0", "flows?lanes=0"):
        for pixel in (1, 2**53):
            assert server.get(f"/api/{route}&start={start}&end={end}&pixel={pixel}")[0] == 200, (route, pixel)
    assert server.get(f"/api/export?start={start}&end={end}")[0] == 200
    for limit in (2**63 - 1, 0):
        assert server.get(f"/api/search?text=mm&limit={limit}")[0] == 200
    for row in (2**63 - 1, 2**32):
        assert server.get(f"/api/slice?slice={row}")[0] == 404


def test_counters_of_a_window(server):
    status, timeline = server.json("/api/timeline")
    titles = ["Module", "Operator", "Layer"]
    assert timeline["colours"] == [{"group": title.lower(), "title": title, "available": False} for title in titles]
    counters = {counter["title"]: counter for group in timeline["groups"] for counter in group["counters"]}
    assert list(counters) == ["GPU utilization", "Launch queue", "Memory bandwidth"]
    queue = counters["Launch queue"]
    assert (queue["unit"], queue["series"], queue["most"], queue["points"]) == ("count", [{"title": "stream 7", "most": 1}], 1, 6)
    assert "Formula: " in queue["doc"] and "Source: " in queue["doc"]
    origin = named(server, "ProfilerStep")[0]["start"]

    def entries(window):
        status, headers, body = server.get(f"/api/counters?counters={queue['counter']}&{window}")
        assert status == 200 and headers["Content-Type"] == "application/octet-stream"
        length = struct.unpack_from("<I", body)[0]
        header, columns = json.loads(body[4 : 4 + length]), body[4 + length :]
        assert (4 + length) % 8 == 0 and [c["name"] for c in header["columns"]] == ["time", "least", "most", "last"]
        (row,) = header["rows"]
        return header, list(zip(*(struct.unpack_from(f"<{row['count']}d", columns, c["offset"]) for c in header["columns"])))

    # Calls begin at 15, 45 and 70, their work starts at 25, 55 and 80.
    exact = entries(f"start={origin + 20 * US}&end={origin + 100 * US}&pixel=1")[1]
    assert [(time - origin, last) for time, _, _, last in exact] == [
        (15 * US, 1), (25 * US, 0), (45 * US, 1), (55 * US, 0), (70 * US, 1), (80 * US, 0)]
    header, (one,) = entries(f"start={origin}&end={origin + 100 * US}&pixel=200000")
    assert header["pixel"] == 131072 and one == (origin + 15 * US, 0, 1, 0)


def shapes_of(server):
    """The content of a trace independent of row numbers: slices, launches, and what depends on both."""
    hits = server.json("/api/search?text=e&limit=10000")[1]["hits"] + server.json("/api/search?text=mm&limit=10000")[1]["hits"]
    origin = min(hit["start"] for hit in hits)
    slices = sorted({(hit["start"] - origin, hit["duration"], hit["name"], hit["slice"]) for hit in hits})
    launches = []
    for _, _, name, row in slices:
        slice_ = server.json(f"/api/slice?slice={row}")[1]
        facts = facts_of(slice_)
        related = [(r["relation"], r["name"], r["start"] - origin) for r in slice_["related"] if r["relation"] != "parent"]
        launches.append((name, slice_["kind"], facts.get("Correlation id"), facts.get("Launch delay"), facts.get("Input shapes"),
                         facts.get("Bytes"), sorted(related)))
    return [(start, duration, name) for start, duration, name, _ in slices], launches


def test_an_export_reads_back_as_it_was(server, tmp_path):
    status, headers, body = server.get("/api/export")
    assert status == 200 and headers["Content-Disposition"] == 'attachment; filename="window.pt.trace.json"'
    events = json.loads(body)["traceEvents"]
    assert {event["ph"] for event in events} == {"M", "X", "s", "f", "C"}
    assert all({"name", "pid", "ts"} <= event.keys() or event["ph"] == "M" for event in events)
    threads = {}
    for event in events:
        if event["ph"] == "X":
            threads.setdefault((event["pid"], event["tid"]), []).append((event["ts"], -event["dur"]))
    for spans in threads.values():  # slices of a thread nest, as viewers require
        open_ = []
        for start, duration in sorted(spans):
            end = round((start - duration) * 1000)
            while open_ and open_[-1] <= round(start * 1000):
                open_.pop()
            assert not open_ or end <= open_[-1]
            open_.append(end)
    starts = {(event["id"], event["cat"]) for event in events if event["ph"] == "s"}
    assert len(starts) == 4 and starts == {(event["id"], event["cat"]) for event in events if event["ph"] == "f"}
    write_trace(tmp_path / "again.pt.trace.json", json.loads(body))
    with Server(tmp_path / "again.pt.trace.json", "--port", 0) as again:
        again.loaded_state()
        assert shapes_of(again) == shapes_of(server)
        table = "/api/report?view=operators"
        values = [{c["key"]: c["values"] for c in s.json(table)[1]["tables"]["operators"]["columns"] if c["key"] != "longest_slice"}
                  for s in (again, server)]
        assert values[0] == values[1]


def test_an_export_of_a_window_holds_the_slices_that_touch_it(server):
    origin = named(server, "ProfilerStep")[0]["start"]
    device = lanes(server)["device_stream", "ranges"]["lane"]
    body = server.get(f"/api/export?lanes={device}&start={origin + 30 * US}&end={origin + 56 * US}")[2]
    slices = [event for event in json.loads(body)["traceEvents"] if event["ph"] == "X"]
    assert [(event["name"], event["dur"], event["cat"]) for event in slices] == [("gemm", 10, "kernel"), ("gemm", 20, "kernel")]
    assert slices[0]["args"] == {"device": 0, "stream": 7, "correlation": 1, "External id": slices[0]["args"]["External id"]}


def test_export_on_the_command_line(tmp_path):
    trace = write_trace(tmp_path / "rank0.pt.trace.json", little_trace())
    done = sightline("export", trace, "-o", tmp_path / "out.json", "--lanes", "0")
    assert (done.returncode, done.stdout) == (0, "")
    assert sum(event["ph"] == "X" for event in json.loads((tmp_path / "out.json").read_text())["traceEvents"]) == 6
    assert json.loads(sightline("export", trace).stdout)["traceEvents"]
    refused = sightline("export", trace, "--lanes", "7")
    assert refused.returncode == 2 and "no lane 7" in refused.stderr
    assert sightline("export", trace, "-o", tmp_path / "no" / "such").returncode == 1


@pytest.mark.parametrize(
    "path, status, message",
    [
        ("/api/flows?lanes=0&start=0&end=10&pixel=0", 400, "a window needs start < end and pixel >= 1"),
        ("/api/flows?lanes=0&start=10&end=10&pixel=1", 400, "a window needs start < end and pixel >= 1"),
        ("/api/flows?lanes=0&start=&end=10&pixel=1", 400, "start takes an integer of ns, at most 2^53, not ''"),
        ("/api/flows?lanes=0&start=0&end=9007199254740993&pixel=1", 400, "end takes an integer of ns, at most 2^53"),
        ("/api/flows?lanes=0,9&start=0&end=10&pixel=1", 400, "no lane 9"),
        ("/api/flows?lanes=-1&start=0&end=10&pixel=1", 400, "no lane -1"),
        ("/api/flows?lanes=a&start=0&end=10&pixel=1", 400, "lanes takes numbers separated by commas, not 'a'"),
        ("/api/flows?lanes=0&start=0&end=10&pixel=1&kinds=x", 400, "kinds are launch, forward_backward and other, not 'x'"),
        ("/api/counters?counters=9&start=0&end=10&pixel=1", 400, "no counter 9"),
        ("/api/counters?counters=0&start=0&end=10&pixel=x", 400, "pixel takes an integer of ns, at most 2^53, not 'x'"),
        ("/api/export?start=10&end=10", 400, "a window needs start < end"),
        ("/api/export?lanes=9", 400, "no lane 9"),
        ("/api/export?end=x", 400, "end takes an integer of ns, at most 2^53, not 'x'"),
        ("/api/tiles?lanes=9&start=0&end=10&pixel=1", 400, "no lane 9"),
        ("/api/slice?slice=99", 404, "no slice 99"),
        ("/api/slice?slice=x", 400, "slice takes a number, not 'x'"),
        ("/api/search?text=a&limit=x", 400, "limit takes a number, not 'x'"),
    ],
)
def test_errors(server, path, status, message):
    answered, body = server.json(path)
    assert answered == status and message in body["error"]["message"]


def test_a_step_from_tables_has_no_slice(tmp_path):
    task = ascend_export.Task("MatMul", "AI_CORE", 140_000, 7_500, facts={"Step Id": "13"})
    ascend_export.Run(operators=[], tasks=[task]).write_text(tmp_path / "host_1_20250109_ascend_pt")
    with Server(tmp_path) as server:
        server.loaded_state()
        _, timeline = server.json("/api/timeline")
    assert [(step["title"], step["slice"]) for step in timeline["steps"]] == [("13", None)]
