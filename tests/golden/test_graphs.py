"""Graphs of device work: the operators of a capture own the device work of each launch, and what does not fit is refused.

Traces are texts (tools/gen_trace). A capture lists the calls between StreamBeginCapture and StreamEndCapture; the k-th call is
the k-th piece of device work of a launch.
"""
import json
import pathlib
import shutil
import subprocess
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import program_report  # noqa: E402

pytestmark = pytest.mark.skipif(not program_report.PROGRAM.exists(), reason="the program is not built")

INFERENCE = program_report.ROOT.parent / "shared" / "samples" / "tracelens" / "inference"
WORK = """SELECT s.name, o.name, w.rule FROM device_work w JOIN slices s ON s.id = w.slice
          LEFT JOIN slices o ON o.id = w.owner ORDER BY s.start"""
LAUNCHES = "SELECT g.works, g.match, c.name, c.part FROM graph_launches g LEFT JOIN captured_graphs c ON c.id = g.captured ORDER BY g.id"


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, str(program_report.ROOT / "tools" / "gen_trace"), "-", str(path)]
    subprocess.run(command, input=text, text=True, check=True)
    return path


def recording(folder, text, **captures):
    """The path of a trace; a capture goes into the file of its name in the folder capture_traces beside it."""
    for name, capture in captures.items():
        write(folder / "capture_traces" / f"{name}.pt.trace.json", capture)
    return write(folder / "run.pt.trace.json", text)


def work(path):
    return program_report.query(path, WORK)


def launches(path):
    return program_report.query(path, LAUNCHES)


def problems(path):
    rows = program_report.query(path, "SELECT code, count, message FROM problems ORDER BY id")
    return [row for row in rows if row[0].startswith(("graph_", "capture_", "annotations_"))]


# The calls name their kernels.
CAPTURE = """
thread 1:
  0-100 capture_4_FULL (user_annotation)
  5-6 hipStreamBeginCapture [corr=1]
  8-30 "nn.Module: Block_0" (python_function) ["Python module id"=0]
  10-20 aten::linear [ext=1 shapes=[[4,8],[8,8]]]
  11-19 aten::mm [ext=2 shapes=[[4,8],[8,8]]], 12-13 hipLaunchKernel [ext=2 corr=2 kernel=gemm]
  20-30 aten::add [ext=3 shapes=[[4,8],[4,8]]], 22-23 hipLaunchKernel [ext=3 corr=3 kernel=add]
  31-32 hipMemcpyAsync [corr=4]
  40-41 hipStreamEndCapture [corr=5]
"""

# A step of three tokens that launches the graph, then a kernel of an operator outside of it.
RUN = """
thread 1:
  0-100 "execute_3_context_0(sq0)_generation_3(sq3)" (user_annotation)
  10-12 hipGraphLaunch [corr=9]
  20-25 aten::argmax [ext=7], 21-22 hipLaunchKernel [ext=7 corr=10 kernel=argmax]
stream 7:
  20-30 gemm [corr=9], 32-40 add [corr=9], 41-45 "Memcpy DtoD (Device -> Device)" [corr=9]
  50-60 argmax [corr=10]
"""

OWNED = [("gemm", "aten::mm", "captured"), ("add", "aten::add", "captured"),
         ("Memcpy DtoD (Device -> Device)", "execute_3_context_0(sq0)_generation_3(sq3)", "containment"),
         ("argmax", "aten::argmax", "linked_id")]


def test_the_work_of_a_launch_gets_the_operators_of_the_capture_beside_the_file(tmp_path):
    path = recording(tmp_path, RUN, graph_capture_rank_0=CAPTURE)
    assert work(path) == OWNED
    assert launches(path) == [(3, "by_name", "capture_4_FULL", 0)]
    assert problems(path) == []
    # The operators are inside the launching call, inside the module of the capture; no host code ran.
    chain = program_report.query(path, """SELECT s.name, p.name, s.start, s.duration, o.input_shapes FROM replayed_ranges r
        JOIN slices s ON s.id = r.slice JOIN slices p ON p.id = s.parent LEFT JOIN operators o ON o.slice = s.id ORDER BY s.id""")
    assert [row[:2] + row[3:] for row in chain] == [
        ("nn.Module: Block_0", "hipGraphLaunch", 0, None),
        ("aten::linear", "nn.Module: Block_0", 0, "[[4, 8], [8, 8]]"),
        ("aten::mm", "aten::linear", 0, "[[4, 8], [8, 8]]"),
        ("aten::add", "nn.Module: Block_0", 0, "[[4, 8], [4, 8]]")]
    assert {row[2] for row in chain} == {10_000}


def test_ranges_of_a_capture_that_overlap_are_inside_what_encloses_them(tmp_path):
    """The annotation overlaps a Python function without nesting, so it and its operators are on another lane of the thread."""
    ranges = '  9-15 "a.py(1): f"\n  10-29 compiled (user_annotation)\n  10-20 aten::linear'
    capture = CAPTURE.replace("  10-20 aten::linear", ranges)
    path = recording(tmp_path, RUN, graph_capture_rank_0=capture)
    module, = program_report.rows(program_report.report(path, "modules"), "modules")
    assert module.device_total == 18_000
    chain = program_report.query(path, """SELECT p.name FROM replayed_ranges r JOIN slices s ON s.id = r.slice
        JOIN slices p ON p.id = s.parent WHERE s.name = 'compiled'""")
    assert chain == [("nn.Module: Block_0",)]


def test_a_capture_within_the_recording_owns_the_launches_of_its_graph(tmp_path):
    capture = CAPTURE.replace("capture_4_FULL", "warm-up")
    both = capture + "".join(f"  {200 + 100 * i}-{202 + 100 * i} hipGraphLaunch [corr={9 + i}]\n" for i in range(2))
    both += "stream 7:\n" + "".join(
        f'  {210 + at}-{220 + at} gemm [corr={corr}], {222 + at}-{230 + at} add [corr={corr}], '
        f'{231 + at}-{235 + at} "Memcpy DtoD (Device -> Device)" [corr={corr}]\n' for at, corr in ((0, 9), (100, 10)))
    path = recording(tmp_path, both)
    assert [row[1] for row in work(path)] == ["aten::mm", "aten::add", None] * 2
    assert launches(path) == [(3, "by_name", "warm-up", 0)] * 2


def test_views_count_each_launch_and_know_no_host_time_of_it(tmp_path):
    path = recording(tmp_path, RUN, graph_capture_rank_0=CAPTURE)
    table = {row.name: row for row in program_report.rows(program_report.report(path, "operators"), "operators")}
    assert (table["aten::mm"].calls, table["aten::mm"].device_self) == (1, 10_000)
    assert (table["aten::linear"].device_self, table["aten::linear"].device_total) == (0, 10_000)
    assert table["aten::mm"].host_self is None and table["aten::mm"].host_total is None
    assert table["aten::argmax"].host_total == 5_000
    modules = list(program_report.rows(program_report.report(path, "modules"), "modules"))
    assert [(row.name, row.device_total, row.host_total) for row in modules] == [("Block_0", 18_000, None)]
    calls = {row.name: row.device_total for row in program_report.rows(program_report.report(path, "call_tree"), "calls")}
    assert calls["aten::mm"] == 10_000


def test_kernels_name_the_capture_in_which_all_their_calls_ran(tmp_path):
    """The second argmax runs in the graph, the first outside of it."""
    capture = CAPTURE.replace("  31-32 hipMemcpyAsync", "  31-32 hipLaunchKernel").replace("corr=4]", "corr=4 kernel=argmax]")
    run = RUN.replace('"Memcpy DtoD (Device -> Device)"', "argmax")
    path = recording(tmp_path, run, graph_capture_rank_0=capture)
    table = {row.name: row for row in program_report.rows(program_report.report(path, "kernels"), "kernels")}
    assert table["gemm"].captured_by == table["add"].captured_by == "capture_4_FULL"
    assert (table["argmax"].calls, table["argmax"].captured_by) == (2, None)
    without = recording(tmp_path / "without", RUN)
    assert "captured_by" not in [column["key"] for column in program_report.report(without, "kernels")["tables"]["kernels"]["columns"]]


def test_graphs_are_listed_with_gaps_delay_and_coverage(tmp_path):
    path = recording(tmp_path, RUN, graph_capture_rank_0=CAPTURE)
    graph, = program_report.rows(program_report.report(path, "graphs"), "graphs")
    assert (graph.name, graph.launches, graph.works, graph.batch) == ("capture_4_FULL", 1, 3, 4)
    assert graph.device == 22_000 and graph.gaps == 3_000 and graph.delay == 10_000
    assert graph.coverage == pytest.approx(18 / 22)
    assert graph.path is None and graph.parallelism is None


def test_the_longest_path_follows_the_dependencies_of_nodes(tmp_path):
    """a (10) is before b (20) and c (5): the longest of all chains is 30 of 35."""
    node = 1 << 40
    text = f"""
thread 1: 0-5 cudaGraphLaunch [corr=9]
stream 7: 10-20 a [corr=9], 20-40 b [corr=9]
stream 8: 20-25 c [corr=9]
raw: {{"ph": "s", "cat": "ac2g", "id": {node + 1}, "pid": 0, "tid": 7, "ts": 20, "name": "ac2g"}}
raw: {{"ph": "f", "cat": "ac2g", "id": {node + 1}, "pid": 0, "tid": 7, "ts": 20, "name": "ac2g", "bp": "e"}}
raw: {{"ph": "s", "cat": "ac2g", "id": {node + 2}, "pid": 0, "tid": 7, "ts": 20, "name": "ac2g"}}
raw: {{"ph": "f", "cat": "ac2g", "id": {node + 2}, "pid": 0, "tid": 8, "ts": 20, "name": "ac2g", "bp": "e"}}
"""
    graph, = program_report.rows(program_report.report(recording(tmp_path, text), "graphs"), "graphs")
    assert graph.path == 30_000 and graph.parallelism == pytest.approx(35 / 30)


def test_parts_of_one_capture_are_matched_in_their_order(tmp_path):
    """Two captures of equal kernels in one range, and two launches in one step: the first is the first."""
    def capture(at, operator, corr):
        return (f"  {at}-{at + 1} hipStreamBeginCapture [corr={corr}]\n"
                f"  {at + 2}-{at + 6} {operator} [ext={corr}], {at + 3}-{at + 4} hipLaunchKernel [ext={corr} corr={corr + 1} kernel=gemm]\n"
                f"  {at + 8}-{at + 9} hipStreamEndCapture [corr={corr + 2}]\n")
    captures = "thread 1:\n  0-100 capture_8_PIECEWISE (user_annotation)\n" + capture(10, "first::op", 1) + capture(40, "second::op", 11)
    text = """
thread 1:
  0-100 "execute_5_context_1(sq5)_generation_0(sq0)" (user_annotation)
  10-12 hipGraphLaunch [corr=1], 20-22 hipGraphLaunch [corr=2]
stream 7: 30-40 gemm [corr=1], 50-60 gemm [corr=2]
"""
    path = recording(tmp_path, text, graph_capture_rank_0=captures)
    assert [row[1] for row in work(path)] == ["first::op", "second::op"]
    assert launches(path) == [(1, "by_name", "capture_8_PIECEWISE", 0), (1, "by_name", "capture_8_PIECEWISE", 1)]
    # One launch alone may be either.
    alone = recording(tmp_path / "alone", text.replace(", 20-22 hipGraphLaunch [corr=2]", "").replace(", 50-60 gemm [corr=2]", ""),
                      graph_capture_rank_0=captures)
    assert launches(alone) == [(1, "several_fit", None, None)]
    assert problems(alone)[0][:2] == ("graph_not_matched", 1)


def test_of_captures_with_equal_kernels_the_smallest_that_is_enough_for_the_step_is_used(tmp_path):
    sizes = {f"graph_capture_{size}": CAPTURE.replace("capture_4", f"capture_{size}").replace("[4,8]", f"[{size},8]")
             for size in (1, 4, 16)}
    path = recording(tmp_path, RUN, **sizes)
    assert launches(path) == [(3, "by_name", "capture_4_FULL", 0)]
    # Without a step, the operators are known and their shapes are not.
    path = recording(tmp_path / "no_step", RUN.replace("execute_3_context_0(sq0)_generation_3(sq3)", "a step"), **sizes)
    assert [row[1] for row in work(path)] == ["aten::mm", "aten::add", "a step", "aten::argmax"]
    assert launches(path)[0][1] == "without_shapes"
    shapes = program_report.query(path, "SELECT DISTINCT input_shapes FROM operators o JOIN replayed_ranges r ON r.slice = o.slice")
    assert shapes == [(None,)]


def test_a_file_beside_the_captures_states_for_how_many_tokens_they_are(tmp_path):
    sizes = {f"graph_{size}": CAPTURE.replace("capture_4_FULL", "a capture").replace("[4,8]", f"[{size},8]") for size in (1, 4, 16)}
    path = recording(tmp_path, RUN, **sizes)
    details = [{"file": f"graph_{size}.pt.trace.json", "batch_size": size, "mode": "FULL"} for size in (1, 4, 16)]
    (tmp_path / "capture_traces" / "execution_details.json").write_text(json.dumps(details))
    assert program_report.query(path, "SELECT c.batch FROM graph_launches g JOIN captured_graphs c ON c.id = g.captured") == [(4,)]
    assert launches(path)[0][1] == "by_name"


def unnamed(text):
    """As on devices where calls do not name their kernels."""
    for kernel in ("gemm", "add", "argmax"):
        text = text.replace(f" kernel={kernel}", "")
    return text.replace("hip", "cuda")


def test_without_names_of_kernels_the_order_decides_and_the_match_says_so(tmp_path):
    path = recording(tmp_path, unnamed(RUN), graph_capture_rank_0=unnamed(CAPTURE))
    assert work(path) == OWNED
    assert launches(path)[0][1] == "by_order"


EAGER = """  200-220 aten::mm [ext=20 shapes=[[4,8],[8,8]]], 202-203 cudaLaunchKernel [ext=20 corr=20]
  220-230 aten::add [ext=21 shapes=[[4,8],[4,8]]], 222-223 cudaLaunchKernel [ext=21 corr=21]
stream 7: 210-220 KERNEL [corr=20], 230-240 add [corr=21]
"""


def test_without_names_of_kernels_those_of_the_same_operators_outside_the_capture_must_agree(tmp_path):
    path = recording(tmp_path, unnamed(RUN), graph_capture_rank_0=unnamed(CAPTURE) + EAGER.replace("KERNEL", "gemm"))
    assert launches(path)[0][1] == "by_name"
    path = recording(tmp_path / "other", unnamed(RUN), graph_capture_rank_0=unnamed(CAPTURE) + EAGER.replace("KERNEL", "other_gemm"))
    assert launches(path)[0][1] == "names_differ"


def test_the_order_of_nodes_or_the_names_order_the_work_of_several_streams(tmp_path):
    """The copy begins first, on another stream."""
    text = RUN.replace('41-45 "Memcpy DtoD (Device -> Device)" [corr=9]', "").replace("add [corr=9], ", "add [corr=9]")
    text += 'stream 8: 15-19 "Memcpy DtoD (Device -> Device)" [corr=9]\n'
    path = recording(tmp_path / "names", text, graph_capture_rank_0=CAPTURE)
    assert launches(path)[0][1] == "by_name" and work(path)[1][1] == "aten::mm"
    path = recording(tmp_path / "neither", unnamed(text), graph_capture_rank_0=unnamed(CAPTURE))
    assert launches(path)[0][1] == "several_streams" and work(path)[1][2] == "containment"
    nodes = text.replace("gemm [corr=9]", 'gemm [corr=9 "graph node id"=1]').replace("add [corr=9]", 'add [corr=9 "graph node id"=2]')
    nodes = nodes.replace('-> Device)" [corr=9]', '-> Device)" [corr=9 "graph node id"=3]')
    path = recording(tmp_path / "nodes", unnamed(nodes), graph_capture_rank_0=unnamed(CAPTURE))
    assert launches(path)[0][1] == "by_order" and work(path)[1][1] == "aten::mm"


@pytest.mark.parametrize("change, match", [
    (lambda run, capture: (run.replace("32-40 add [corr=9], ", ""), capture), "counts_differ"),
    (lambda run, capture: (run.replace("add [corr=9]", "sub [corr=9]"), capture), "names_differ"),
    (lambda run, capture: (run.replace("Memcpy DtoD (Device -> Device)", "copy_kernel"), capture), "names_differ"),
    (lambda run, capture: (run.replace("stream 7:\n  20-30 gemm [corr=9], 32-40 add [corr=9], "
                                       '41-45 "Memcpy DtoD (Device -> Device)" [corr=9]\n', "stream 7:\n"), capture), "not_recorded"),
    (lambda run, capture: (run, capture.replace("hipStreamEndCapture", "hipStreamSynchronize")), "no_capture"),
    (lambda run, capture: (run, capture.replace("31-32 hipMemcpyAsync", "31-32 hipMemcpyAsync [corr=4], 33-34 hipGraphLaunch")), "no_capture"),
], ids=["count", "name", "kind", "not recorded", "unfinished", "nested"])
def test_what_does_not_fit_is_refused(tmp_path, change, match):
    run, capture = change(RUN, CAPTURE)
    path = recording(tmp_path, run, graph_capture_rank_0=capture)
    assert launches(path)[0][1:] == (match, None, None)
    assert all(row[2] != "captured" for row in work(path))
    assert [row[0] for row in problems(path)] == [
        {"no_capture": "capture_refused", "not_recorded": "graph_not_recorded"}.get(match, "graph_not_matched")]


def test_work_that_the_recording_cuts_off_fits_if_only_one_capture_ends_so(tmp_path):
    cut = RUN.replace("20-30 gemm [corr=9], ", "")
    path = recording(tmp_path, cut, graph_capture_rank_0=CAPTURE)
    assert launches(path) == [(2, "part_by_name", "capture_4_FULL", 0)]
    assert work(path)[0][1] == "aten::add"
    other = CAPTURE.replace("capture_4_FULL", "capture_8_FULL").replace("kernel=gemm", "kernel=another")
    path = recording(tmp_path / "two", cut, graph_capture_rank_0=CAPTURE, other=other)
    assert launches(path)[0][1] == "several_fit"


def test_captures_of_another_rank_are_not_used(tmp_path):
    path = write(tmp_path / "rank_1.pt.trace.json", RUN)
    write(tmp_path / "capture_traces" / "graph_capture_rank_0.pt.trace.json", CAPTURE)
    assert launches(path)[0][1] == "no_capture"


def test_a_capture_that_cannot_be_read_is_a_problem(tmp_path):
    path = recording(tmp_path, RUN)
    (tmp_path / "capture_traces").mkdir()
    (tmp_path / "capture_traces" / "graph_capture_rank_0.json").write_text("no trace")
    assert launches(path)[0][1] == "no_capture"
    code, count, message = problems(path)[0]
    assert (code, count) == ("capture_unreadable", 1) and "graph_capture_rank_0.json" in message


def test_annotations_of_nodes_are_facts_of_their_kernels(tmp_path):
    text = RUN.replace("gemm [corr=9]", 'gemm [corr=9 "graph node id"=17]').replace("add [corr=9]", 'add [corr=9 "graph node id"=18]')
    path = write(tmp_path / "step_1" / "000002.1.pt.trace.json", text)
    (tmp_path / "kernel_annotations_rank2_1.json").write_text(json.dumps({"17": [{"name": "attention", "layer": 3}, "inner"]}))
    (tmp_path / "kernel_annotations_rank3_1.json").write_text(json.dumps({"18": [{"name": "of another rank"}]}))
    facts = """SELECT s.name, f.name, f.text FROM work_facts f JOIN slices s ON s.id = f.slice WHERE f.text IS NOT NULL ORDER BY 2"""
    assert program_report.query(path, facts) == [("gemm", "layer", "3"), ("gemm", "name", "inner")]
    (tmp_path / "kernel_annotations_rank2_1.json").write_text("[")
    assert problems(path)[0][0] == "annotations_unreadable"


def test_time_of_a_graph_without_recorded_work_is_not_idle(tmp_path):
    """The device works for 10 of 100 ms; the rest is idle, unless a graph whose work was not recorded ran then."""
    text = """
trace: unit=ns
thread 1:
  0-100000000 ProfilerStep#1
  0-100 aten::a [ext=1], 10-20 hipLaunchKernel [ext=1 corr=1], 300-400 CALL [corr=2]
stream 7: 1000-10000000 kernel [corr=1]
"""
    idle = recording(tmp_path / "idle", text.replace("CALL", "hipStreamSynchronize"))
    graph = recording(tmp_path / "graph", text.replace("CALL", "hipGraphLaunch"))
    def found(path):
        report = program_report.report(path, "overview")
        advice = next(panel for panel in report["panels"] if panel["kind"] == "advice")
        notes = [note["text"] for note in report["notes"] if "launch of a graph" in note["text"]]
        return {item["id"] for item in advice["items"]} & {"unexplained_idle", "idle_device", "low_utilization"}, len(notes)
    assert found(idle) == ({"unexplained_idle"}, 0)
    assert found(graph) == (set(), 1)


# ---- the shared samples ----

@pytest.mark.skipif(not INFERENCE.exists(), reason="the shared samples are not here")
@pytest.mark.parametrize("sample, graphs, kernels", [("vllm_decode_full", 1, 421), ("vllm_prefilldecode_piecewise", 25, 361)])
def test_all_kernels_of_the_samples_graphs_are_matched(sample, graphs, kernels):
    path = INFERENCE / sample / "graph_execution.json.gz"
    found = launches(path)
    assert len(found) == graphs and {row[1] for row in found} == {"by_name"} and sum(row[0] for row in found) == kernels
    assert [row[3] for row in found] == list(range(graphs))
    owned = program_report.query(path, "SELECT count(*) FROM device_work WHERE rule = 'captured'")
    assert owned == [(kernels,)]


@pytest.mark.skipif(not INFERENCE.exists(), reason="the shared samples are not here")
@pytest.mark.parametrize("run, captured", [("vllm_decode_full", "vllm_prefilldecode_piecewise"),
                                           ("vllm_prefilldecode_piecewise", "vllm_decode_full")])
def test_nothing_is_matched_between_strangers(tmp_path, run, captured):
    shutil.copytree(INFERENCE / captured / "capture_traces", tmp_path / "capture_traces")
    path = tmp_path / "graph_execution.json.gz"
    shutil.copy(INFERENCE / run / "graph_execution.json.gz", path)
    assert not {row[1] for row in launches(path)} & {"by_name", "by_order", "without_shapes", "part_by_name"}
    assert program_report.query(path, "SELECT count(*) FROM device_work WHERE rule = 'captured'") == [(0,)]
