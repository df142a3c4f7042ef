"""The program on Ascend exports that we made: one run as text and as databases (tests/support/ascend_export.py). Both have the
run's content, in the views and in the tables, and the program writes nothing into either folder.
"""
import json
import pathlib
import sqlite3
import subprocess
import sys

import pytest

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "support")]
import program_report  # noqa: E402
from program_report import query  # noqa: E402
from ascend_export import Block, Held, Operator, Run, Task, write_tables  # noqa: E402

pytestmark = pytest.mark.skipif(not program_report.PROGRAM.exists(), reason=f"no program at {program_report.PROGRAM}")

# forward holds linear; linear causes MatMul and a copy, forward Cast, all_reduce a collective.
RUN = Run(step=(3, 0, 400_000),
          operators=[Operator("forward", 10_000, 90_001, [1]), Operator("linear", 20_000, 50_000, [0, 2], "2,3"),
                     Operator("all_reduce", 120_000, 9_000, [3])],
          tasks=[Task("MatMul", "AI_CORE", 140_003, 7_500), Task("Cast", "AI_VECTOR_CORE", 150_000, 2_001),
                 Task("MEMCPY_ASYNC", "MEMCPY", 155_000, 1_000), Task("hcom_allReduce__5_0_1", "HCCL", 160_000, 40_000)],
          blocks=[Block("linear", 2048, 21_000, 300_000), Block("forward", 512, 80_000)],
          held=[Held("PTA", 21_000, 4 << 20, 8 << 20), Held("APP", 5_000, None, 9 << 20)],
          sums={"Computing": 9_501, "Communication": 40_000, "Overlapped": 0, "Free": 350_499}, rank=5)


def contents(folder):
    return {file: (file.stat().st_mtime_ns, file.read_bytes() if file.is_file() else None) for file in sorted(folder.rglob("*"))}


@pytest.fixture(params=("text", "database"))
def worker(request, tmp_path):
    folder = tmp_path / "run" / "host_rank5_20260101_ascend_pt"
    (RUN.write_text if request.param == "text" else RUN.write_database)(folder)
    before = contents(folder)
    yield folder
    assert contents(folder) == before


def test_names(worker):
    told = subprocess.run([program_report.PROGRAM, "info", worker.parent, "--format", "json"], capture_output=True, text=True)
    (run,) = json.loads(told.stdout)["runs"]
    (found,) = run["workers"]
    assert (run["name"], found["name"], [span["status"] for span in found["spans"]]) == ("run", "host_rank5", ["ready"])


def test_operators(worker):
    rows = {row.name: row for row in program_report.rows(program_report.report(worker, "operators"), "operators")}
    assert {name: row.device_self for name, row in rows.items()} == {"forward": 2_001, "linear": 8_500, "all_reduce": 40_000}
    assert rows["forward"].device_total == 10_501
    assert rows["forward"].host_self == 40_001
    assert rows["linear"].tc_self_share == pytest.approx(7_500 / 8_500)


def test_kernels(worker):
    rows = {row.name: row for row in program_report.rows(program_report.report(worker, "kernels", group_by="launch"), "kernels")}
    assert {name: (row.total, row.operator) for name, row in rows.items()} == {
        "MatMul": (7_500, "linear"), "Cast": (2_001, "forward"), "hcom_allReduce__5_0_1": (40_000, "all_reduce")}
    assert rows["MatMul"].grid == 8
    assert (rows["MatMul"].tensor_cores, rows["Cast"].tensor_cores) == (True, False)


def test_memory(worker):
    blocks = {row.size: row for row in program_report.rows(program_report.report(worker, "memory"), "events")}
    assert {size: (row.operator, row.allocated_at, row.released_at) for size, row in blocks.items()} == {
        2048: ("linear", 21_000, 300_000), 512: ("forward", 80_000, None)}
    assert query(worker, "SELECT component, time, allocated, reserved FROM memory_usage ORDER BY component") == [
        ("APP", 5_000, None, 9 << 20), ("PTA", 21_000, 4 << 20, 8 << 20)]


def test_blocks_of_the_graph_engine_are_those_without_a_stream(tmp_path):
    """If a database has streams at all: the totals of two allocators must not be on one curve."""
    RUN.write_database(tmp_path)
    names = "SELECT DISTINCT abs(bytes), device_name FROM memory_events ORDER BY 1"
    assert query(tmp_path, names) == [(512, "NPU0"), (2048, "NPU0")]
    (file,) = (tmp_path / "ASCEND_PROFILER_OUTPUT").glob("ascend_pytorch_profiler*.db")
    database = sqlite3.connect(file)
    with database:
        database.execute("ALTER TABLE OP_MEMORY ADD COLUMN streamPtr")
        database.execute("UPDATE OP_MEMORY SET streamPtr = 187651 WHERE size = 2048")
    database.close()
    assert query(tmp_path, names) == [(512, "NPU0 (graph engine)"), (2048, "NPU0")]


def test_steps(worker):
    steps = list(program_report.rows(program_report.report(worker, "overview"), "steps"))
    assert [(str(row.step), row.total) for row in steps] == [("3", 400_000)]
    assert dict(query(worker, "SELECT name, duration FROM reported_steps WHERE step = '3'")) == RUN.sums


def test_missing_files_are_reported(tmp_path):
    RUN.write_text(tmp_path)
    for name in ("trace_view.json", "kernel_details.csv"):
        (tmp_path / "ASCEND_PROFILER_OUTPUT" / name).unlink()
    refused = subprocess.run([program_report.PROGRAM, "report", tmp_path, "--view", "operators"], capture_output=True, text=True)
    assert refused.returncode != 0 and "no operators in this profile" in refused.stderr
    assert dict(query(tmp_path, "SELECT name, duration FROM reported_steps")) == RUN.sums
    missing = [row.message for row in program_report.rows(program_report.report(tmp_path, "problems"), "problems")]
    assert [text.split(" is missing")[0] for text in missing] == ["trace_view.json", "kernel_details.csv", "communication.json"]


def test_sums_in_two_files_count_once(tmp_path):
    """analysis.db beside texts adds only what these lack; in it, two groups may have collectives with the same name."""
    made = tmp_path / "ASCEND_PROFILER_OUTPUT"
    RUN.write_text(tmp_path)
    (made / "step_trace_time.csv").unlink()
    name = "hcom_send__1_0_1"
    write_tables(made / "analysis.db", {
        "StepTraceTime": ("step TEXT, computing NUMERIC", [("3", 9.501)]),
        "CommAnalyzerTime": ("hccl_op_name, group_name, step, start_timestamp, elapse_time, transit_time, wait_time, synchronization_time",
                             [(name, group, "step3", 0, elapsed, 0.5, 0, 0) for group, elapsed in (("one", 1.0), ("two", 2.0))]),
        "CommAnalyzerBandwidth": ("hccl_op_name, group_name, step, transport_type, transit_size, transit_time",
                                  [(name, group, "step3", "RDMA", size, 0.5) for group, size in (("one", 3.0), ("two", 4.0))]),
    })
    collectives = 'SELECT c."group", c.elapsed, t.bytes FROM communications c JOIN transfers t ON t.communication = c.id ORDER BY 1'
    assert query(tmp_path, "SELECT name, duration FROM reported_steps") == [("Computing", 9_501)]
    assert query(tmp_path, collectives) == [("one", 1_000_000, 3_000_000), ("two", 2_000_000, 4_000_000)]
    missing = [row.message.split(" is missing")[0] for row in program_report.rows(program_report.report(tmp_path, "problems"), "problems")]
    assert "step_trace_time.csv" not in missing and "communication.json" not in missing

    stated = {"Start Timestamp(us)": 0, "Elapse Time(ms)": 7.0, "Transit Time(ms)": 0.5, "Wait Time(ms)": 0, "Synchronization Time(ms)": 0}
    links = {"RDMA": {"Transit Size(MB)": 9.0, "Transit Time(ms)": 0.5}}
    entry = {"Communication Time Info": stated, "Communication Bandwidth Info": links}
    (made / "communication.json").write_text(json.dumps({"step3": {"p2p": {f"{name}@one": entry}}}))
    assert query(tmp_path, collectives) == [("one", 7_000_000, 9_000_000)]
    assert query(tmp_path, "SELECT name, duration FROM reported_steps") == [("Computing", 9_501)]


def test_shapes_and_types_in_swapped_columns(tmp_path):
    """Some writers of databases put each into the other's column."""
    RUN.write_database(tmp_path)
    (database,) = tmp_path.rglob("ascend_pytorch*.db")
    shapes = "SELECT s.name, o.input_shapes, o.input_types FROM operators o JOIN slices s ON s.id = o.slice ORDER BY 1, 2"
    before = query(tmp_path, shapes)
    assert ("linear", "[[2, 3]]") in {row[:2] for row in before}
    with sqlite3.connect(database) as connection:
        connection.execute("UPDATE PYTORCH_API SET inputShapes = inputDtypes, inputDtypes = inputShapes")
    connection.close()
    assert query(tmp_path, shapes) == before
