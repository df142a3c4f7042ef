"""Exports of Nsight Systems, through the command line: tests/fixtures/nsys/two_processes.sql, whose figures follow by hand, and a
real export, whose counts SQL states."""
import csv
import io
import json
import sqlite3

import pytest
from program import ROOT, needs_program, sightline
from sql_fixture import database, parquet_folder

pytestmark = needs_program
SAMPLE = ROOT.parent / "shared" / "samples" / "nsys" / "h100_2gpu_1s.sqlite"
FIXTURE = "nsys/two_processes.sql"


@pytest.fixture(scope="module")
def exported(tmp_path_factory):
    return database(tmp_path_factory.mktemp("nsys") / "report.sqlite", FIXTURE)


def rows(path, sql):
    done = sightline("query", path, sql, "--format", "csv", "--no-cache")
    assert done.returncode == 0, done.stderr
    return [tuple(row) for row in csv.reader(io.StringIO(done.stdout))][1:]


def report(path, view):
    done = sightline("report", path, "--view", view, "--format", "json", "--no-cache")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def table(path, view, key):
    return {column["key"]: column["values"] for column in report(path, view)["tables"][key]["columns"]}


def problems(path):
    found = table(path, "problems", "problems")
    return dict(zip(found["code"], found["count"]))


WORK = """SELECT s.name, w.device, s.start + 500, s.duration, w.bytes, o.name AS owner, l.name AS call
FROM device_work w JOIN slices s ON s.id = w.slice LEFT JOIN slices o ON o.id = w.owner
LEFT JOIN launches c ON c.id = w.launch LEFT JOIN slices l ON l.id = c.slice ORDER BY s.start, w.device"""


def test_device_work_belongs_to_its_call_and_range(exported):
    gemm, elementwise = "sm90_xmma_gemm_bf16", "void elementwise_kernel<float>(float*)"
    assert rows(exported, WORK) == [
        (gemm, "1", "2000", "600", "", "aten::mm", "cudaLaunchKernel"),
        (elementwise, "0", "2500", "200", "", "", "cudaLaunchKernel"),
        (gemm, "1", "3600", "400", "", "autograd::engine::evaluate_function: MmBackward0", "cudaLaunchKernel"),
        ("ncclDevKernel_AllReduce_Sum_bf16_RING_LL", "1", "4400", "500", "", "ncclAllReduce", "cudaLaunchKernel"),
        (gemm, "1", "5500", "100", "", "step 2", "cudaGraphLaunch"),
        (elementwise, "1", "5600", "300", "", "step 2", "cudaGraphLaunch"),
        ("Memcpy HtoD (Pageable -> Device)", "1", "6000", "100", "1024", "step 2", "cudaMemcpyAsync"),
        ("Memset (Device)", "1", "6200", "50", "512", "step 2", "cudaMemsetAsync"),
    ]


def test_ranges_are_steps_modules_and_operators(exported):
    assert rows(exported, "SELECT number, start + 500, duration FROM steps") == [
        ("1", "1000", "4000"), ("2", "5000", "4000"), ("3", "9000", "500")]
    modules = rows(exported, "SELECT s.name, s.start + 500, s.duration FROM modules m JOIN slices s ON s.id = m.slice ORDER BY 2")
    assert modules == [("load", "600", "300"), ("forward", "1100", "1900"), ("layers.0.mlp", "1200", "1300"),
                       ("backward", "3000", "1800")]
    operators = rows(exported, "SELECT s.name, o.input_shapes FROM operators o JOIN slices s ON s.id = o.slice ORDER BY s.start")
    assert operators == [("aten::mm", "[[2, 3], [3, 4]]"), ("autograd::engine::evaluate_function: MmBackward0", "")]
    assert rows(exported, "SELECT a.name, b.name FROM flows f JOIN slices a ON a.id = f.\"from\" JOIN slices b ON b.id = f.\"to\"") == [
        ("aten::mm", "autograd::engine::evaluate_function: MmBackward0")]
    facts = rows(exported, """SELECT s.name, f.name, coalesce(f.text, cast(f.number AS INTEGER)::text) FROM work_facts f
                              JOIN slices s ON s.id = f.slice WHERE s.name = 'load' ORDER BY 2""")
    assert facts == [("load", "Category", "io"), ("load", "Domain", "loader"), ("load", "Payload", "42")]
    others = rows(exported, "SELECT name, start + 500, duration FROM slices WHERE kind = 'annotation' ORDER BY 2")
    assert others == [("whole run", "500", "9000"), ("ncclAllReduce", "4000", "300"), ("checkpoint", "8000", "0")]


def test_devices_are_those_of_the_machine(exported):
    assert rows(exported, "SELECT ordinal, name, cores, threads_per_core, peak_bandwidth / 1e9 FROM devices ORDER BY 1") == [
        ("0", "NVIDIA H100 80GB HBM3", "132", "2048", "3352.32"), ("1", "NVIDIA H100 80GB HBM3", "132", "2048", "3352.32")]
    assert rows(exported, "SELECT DISTINCT device, track FROM lanes WHERE kind = 'device_stream' ORDER BY 1, 2") == [
        ("0", "7"), ("1", "7"), ("1", "all streams")]
    facts = {fact["label"]: fact["value"] for panel in report(exported, "device_summary")["panels"] for fact in panel.get("facts", [])}
    assert facts["Device"] == "NVIDIA H100 80GB HBM3"
    # 264 blocks of 8 warps on 132 cores, each of which holds 64 warps.
    filled = rows(exported, "SELECT DISTINCT w.blocks_per_core, w.warps_per_core, w.occupancy FROM device_work w JOIN slices s "
                            "ON s.id = w.slice WHERE s.kind = 'kernel'")
    assert [tuple(map(float, row)) for row in filled] == [(2, 16, 25)]


def test_collectives_graphs_memory_counters_and_samples(exported):
    assert rows(exported, "SELECT kind, \"group\", in_bytes FROM collectives") == [("all_reduce", "77", "4096")]
    assert rows(exported, "SELECT graph, works, match FROM graph_launches") == [("9", "2", "no_capture")]
    assert rows(exported, "SELECT device_name, time + 500, bytes FROM memory_events") == [
        ("GPU1", "700", "1048576"), ("GPU1", "9000", "-1048576")]
    held = rows(exported, "SELECT c.time + 500, c.value FROM counters c JOIN lanes l ON l.id = c.lane WHERE l.track = 'Device memory'")
    assert held == [("700", "1048576"), ("9000", "0")], "allocated since the recording began"
    assert rows(exported, "SELECT l.track, c.time + 500, c.value FROM counters c JOIN lanes l ON l.id = c.lane WHERE l.track LIKE 'SM%' ORDER BY 2") == [
        ("SMs Active [Throughput %]", "1000", "10"), ("SMs Active [Throughput %]", "2000", "90"),
        ("SMs Active [Throughput %]", "3000", "30")]
    samples = rows(exported, "SELECT s.name, s.start + 500, s.duration, s.depth FROM slices s JOIN lanes l ON l.id = s.lane "
                             "WHERE l.name LIKE 'Samples%' ORDER BY s.start, s.depth")
    # Samples are 1000 apart: the last one lasts as long.
    assert samples == [("main", "1000", "3000", "0"), ("train", "1000", "2000", "1"), ("save", "3000", "1000", "1")]
    assert rows(exported, "SELECT pid, name FROM processes WHERE label = 'CPU' ORDER BY pid") == [
        ("100", "python"), ("200", "python"), ("300", "nvcc")]
    assert rows(exported, "SELECT name FROM lanes WHERE track = '100'") == [("Thread 100 (main_thread)",)]
    assert ("EXPORT_SCHEMA_VERSION", "3.20.0") in rows(exported, "SELECT key, value FROM metadata")
    assert "secret" not in str(rows(exported, "SELECT key, value FROM metadata"))


def test_what_is_missing_is_reported(exported):
    assert problems(exported) == {"profiler_diagnostic": 1, "unfinished_range": 1, "unmatched_end": 1, "unread_tables": 1}
    told = table(exported, "problems", "problems")["message"]
    assert any("Not all CUDA events were collected." in text for text in told)
    assert any("VULKAN_API" in text and "DX12" not in text for text in told)


def test_a_folder_of_parquet_files_reads_alike(exported, tmp_path):
    folder = parquet_folder(tmp_path / "report_pqtdir", exported)
    for sql in (WORK, "SELECT number, start, duration FROM steps", "SELECT name, start, duration, kind FROM slices",
                "SELECT kind, in_bytes FROM collectives", "SELECT time, value FROM counters", "SELECT ordinal, cores FROM devices",
                "SELECT time, bytes FROM memory_events"):
        assert rows(folder, sql) == rows(exported, sql)
    (folder / "CUPTI_ACTIVITY_KIND_KERNEL.parquet").write_bytes(b"PAR1 is not enough")
    assert problems(folder)["damaged_table"] == 1


@pytest.mark.parametrize("change, told", (
    ("ALTER TABLE CUPTI_ACTIVITY_KIND_KERNEL DROP COLUMN demangledName; ALTER TABLE CUPTI_ACTIVITY_KIND_KERNEL DROP COLUMN graphId;"
     "ALTER TABLE NVTX_EVENTS DROP COLUMN jsonText; ALTER TABLE NVTX_EVENTS DROP COLUMN domainId", None),
    ("DROP TABLE TARGET_INFO_GPU", "undescribed_device"),
    ("DROP TABLE TARGET_INFO_CUDA_DEVICE", "device_numbers"),
    ("DELETE FROM StringIds WHERE id = 10", "missing_rows"),
    ("UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET end = start - 1", "negative_duration"),
    ("UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET start = NULL", "missing_time"),
))
def test_columns_and_rows_may_be_missing(tmp_path, change, told):
    file = database(tmp_path / "report.sqlite", FIXTURE, change)
    found = problems(file)
    assert told is None or found[told] > 0
    assert len(rows(file, "SELECT slice FROM launches")) == 9
    if told is None:
        assert ("gemm",) in rows(file, "SELECT s.name FROM device_work w JOIN slices s ON s.id = w.slice")


def test_an_unknown_thread_has_no_number(tmp_path):
    file = database(tmp_path / "report.sqlite", FIXTURE, "UPDATE CUPTI_ACTIVITY_KIND_RUNTIME SET globalTid = NULL;"
                                                         "UPDATE NVTX_EVENTS SET globalTid = NULL")
    threads = "SELECT DISTINCT p.pid, l.name FROM lanes l JOIN processes p ON p.id = l.process WHERE l.kind = 'host_thread' ORDER BY 2"
    found = rows(file, threads)
    assert ("-1", "Unknown thread") in found
    assert not [row for row in found if row[0] == "0" or row[1] == "Thread 0"]


def test_a_report_in_the_closed_format_names_the_command(tmp_path):
    file = tmp_path / "report.nsys-rep"
    file.write_bytes(b"\x00\x01 closed")
    for path in (file, tmp_path):
        done = sightline("info", path)
        assert done.returncode != 0 and "nsys export --type sqlite" in done.stderr


def test_other_databases_are_refused(tmp_path):
    file = tmp_path / "other.sqlite"
    with sqlite3.connect(file) as other:
        other.executescript("CREATE TABLE t (a); INSERT INTO t VALUES (1)")
    done = sightline("report", file, "--view", "kernels")
    assert done.returncode != 0 and "none of the tables" in done.stderr


@pytest.mark.skipif(not SAMPLE.is_file(), reason="the shared samples are not here")
def test_counts_of_a_real_export():
    with sqlite3.connect(f"file:{SAMPLE}?mode=ro", uri=True) as file:
        def count(name):
            return file.execute(f"SELECT count(*) FROM {name}").fetchone()[0]
        wanted = {
            "kernel": count("CUPTI_ACTIVITY_KIND_KERNEL"), "runtime": count("CUPTI_ACTIVITY_KIND_RUNTIME"),
            "memcpy": count("CUPTI_ACTIVITY_KIND_MEMCPY"), "memset": count("CUPTI_ACTIVITY_KIND_MEMSET"),
            "sync": count("CUPTI_ACTIVITY_KIND_SYNCHRONIZATION"), "overhead": count("CUPTI_ACTIVITY_KIND_OVERHEAD")}
        ranges, processes = count("NVTX_EVENTS"), count("PROCESSES")
        launched = file.execute("SELECT count(*) FROM CUPTI_ACTIVITY_KIND_KERNEL k WHERE EXISTS (SELECT 1 FROM "
                                "CUPTI_ACTIVITY_KIND_RUNTIME r WHERE r.correlationId = k.correlationId AND r.globalTid / 16777216 "
                                "= k.globalPid / 16777216)").fetchone()[0]
        busy = file.execute("SELECT sum(end - start) FROM CUPTI_ACTIVITY_KIND_KERNEL").fetchone()[0]
    assert wanted == {"kernel": 3442, "runtime": 5796, "memcpy": 904, "memset": 22, "sync": 244, "overhead": 198}
    assert (ranges, processes) == (16782, 159)
    found = {kind: int(number) for kind, number in rows(SAMPLE, "SELECT kind, count(*) FROM slices GROUP BY kind")}
    found["kernel"] += found.pop("collective", 0)
    assert sum(found.pop(kind, 0) for kind in ("op", "annotation", "module", "step", "host_communication")) == ranges
    assert found == wanted
    assert len(rows(SAMPLE, "SELECT pid FROM processes WHERE label = 'CPU'")) == processes
    assert "device_numbers" not in problems(SAMPLE), "each process has a GPU of its own"
    kernels = "FROM device_work w JOIN slices s ON s.id = w.slice WHERE s.kind IN ('kernel', 'collective')"
    assert rows(SAMPLE, f"SELECT count(*), sum(s.duration), count(w.launch) {kernels}") == [("3442", str(busy), str(launched))]


def test_names_of_tables_are_not_run(tmp_path):
    file = database(tmp_path / "1.sqlite", FIXTURE)
    with sqlite3.connect(file) as one:
        one.executescript("""CREATE TABLE t (start); INSERT INTO t VALUES (1); CREATE TABLE "a""b" (start); INSERT INTO "a""b" VALUES (1);
            CREATE TABLE "t"", (WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT count(*) FROM c) --" (start)""")
    # The fixture has one such table.
    assert problems(file).get("unread_tables") == 3 and "damaged_database" not in problems(file)
