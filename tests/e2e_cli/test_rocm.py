"""Profiles of ROCm, through the command line: one recording as a rocpd database in both of its schemas, as the JSON of rocprofv3
and as an .rpd database. All give the same rows; the figures follow by hand from tests/fixtures/rocm."""
import csv
import gzip
import io
import json

import pytest
from program import needs_program, sightline
from sql_fixture import FIXTURES, database

pytestmark = needs_program
FORMATS = ("rocpd", "rocpd_tracks", "json", "rpd")
HANDLE = 18446744073709551600  # of an agent: beyond a signed number


def tool_json():
    """The recording of rocpd.sql as rocprofv3 writes it."""
    def api(kind, operation, start, end, call):
        return {"size": 96, "kind": kind, "operation": operation, "thread_id": 4243, "correlation_id": {"internal": call, "external": 0},
                "start_timestamp": start, "end_timestamp": end}

    def kernel(start, end, call, kernel, dispatch, blocks, shared):
        return {"kind": 2, "operation": 0, "thread_id": 4243, "correlation_id": {"internal": call, "external": 0},
                "start_timestamp": start, "end_timestamp": end, "stream_id": {"handle": 1},
                "dispatch_info": {"agent_id": {"handle": HANDLE}, "queue_id": {"handle": 3}, "kernel_id": kernel,
                                  "dispatch_id": dispatch, "group_segment_size": shared, "workgroup_size": {"x": 256, "y": 1, "z": 1},
                                  "grid_size": {"x": 256 * blocks, "y": 1, "z": 1}}}

    gpu = {"size": 312, "id": {"handle": HANDLE}, "type": 2, "node_id": 1, "logical_node_type_id": 0, "name": "gfx942",
           "product_name": "AMD Instinct MI300X", "cu_count": 304, "wave_front_size": 64, "max_waves_per_cu": 32, "lds_size_in_kb": 64,
           "max_engine_clk_fcompute": 2100, "gfx_target_version": 90402, "mem_banks": [{"size_in_bytes": 206141652992}]}
    copy = {"kind": 3, "operation": 1, "thread_id": 4243, "correlation_id": {"internal": 12}, "start_timestamp": 2700,
            "end_timestamp": 2900, "dst_agent_id": {"handle": HANDLE}, "src_agent_id": {"handle": 1}, "bytes": 4096,
            "stream_id": {"handle": 1}}

    def allocation(operation, start, end, size):
        return {"kind": 4, "operation": operation, "thread_id": 4243, "start_timestamp": start, "end_timestamp": end,
                "agent_id": {"handle": HANDLE}, "address": 4096, "allocation_size": size}

    counted = {"thread_id": 4243, "dispatch_data": {key: value for key, value in kernel(1500, 2000, 11, 5, 1, 2, 2048).items()},
               "records": [{"counter_id": {"handle": 9}, "value": 8.0}, {"counter_id": {"handle": 9}, "value": 8.0}]}
    return {"rocprofiler-sdk-tool": [{
        "metadata": {"pid": 4242, "init_time": 900, "fini_time": 6000, "command": ["python", "train.py"], "node": {"hostname": "node7"}},
        "agents": [{"id": {"handle": 1}, "type": 1, "node_id": 0, "logical_node_type_id": 0, "name": "EPYC"}, gpu],
        "counters": [{"id": {"handle": 9}, "name": "SQ_WAVES"}],
        "strings": {
            "buffer_records": [{"kind": "NONE", "operations": []},
                               {"kind": "HIP_RUNTIME_API", "operations": ["hipLaunchKernel", "hipMemcpyAsync"]},
                               {"kind": "KERNEL_DISPATCH", "operations": ["KERNEL_DISPATCH_COMPLETE"]},
                               {"kind": "MEMORY_COPY", "operations": ["MEMORY_COPY_NONE", "MEMORY_COPY_HOST_TO_DEVICE"]},
                               {"kind": "MEMORY_ALLOCATION", "operations": ["MEMORY_ALLOCATION_ALLOCATE", "MEMORY_ALLOCATION_FREE"]},
                               {"kind": "MARKER_CORE_RANGE_API", "operations": ["roctxThreadRangeA", "roctxProcessRangeA"]}],
            "marker_api": [{"key": 1, "value": "step 1"}, {"key": 2, "value": "step 2"}, {"key": 3, "value": "mlp"},
                           {"key": 4, "value": "whole run"}]},
        "code_objects": [],
        "kernel_symbols": [{"kernel_id": 5, "kernel_name": "Cijk.kd", "arch_vgpr_count": 64,
                            "formatted_kernel_name": "Cijk_Ailk_Bljk_HHS_BH_MT128x128"},
                           {"kernel_id": 6, "formatted_kernel_name": "ncclDevKernel_Generic", "arch_vgpr_count": 96}],
        "callback_records": {"counter_collection": [counted]},
        "buffer_records": {
            "kernel_dispatch": [kernel(1500, 2000, 11, 5, 1, 2, 2048), kernel(3200, 3700, 13, 6, 2, 1, 0)],
            "hip_api": [api(1, 0, 1200, 1300, 11), api(1, 1, 2600, 2700, 12), api(1, 0, 3100, 3150, 13)],
            "hsa_api": [],
            "marker_api": [api(5, 0, 1000, 3000, 1), api(5, 0, 3000, 5000, 2), api(5, 0, 1100, 2500, 3), api(5, 1, 1000, 5000, 4)],
            "memory_copy": [copy],
            "memory_allocation": [allocation(0, 1040, 1050, 1048576), allocation(1, 4900, 4950, 0)]}}]}


@pytest.fixture(scope="module")
def recordings(tmp_path_factory):
    folder = tmp_path_factory.mktemp("rocm")
    written = folder / "4242_results.json"
    written.write_text(json.dumps(tool_json()))
    return {"rocpd": database(folder / "4242_results.db", "rocm/rocpd.sql"),
            "rocpd_tracks": database(folder / "tracks" / "4242_results.db", "rocm/rocpd.sql",
                                     (FIXTURES / "rocm" / "rocpd_tracks.sql").read_text()),
            "json": written, "rpd": database(folder / "trace.rpd", "rocm/rpd.sql")}


def rows(path, sql):
    done = sightline("query", path, sql, "--format", "csv", "--no-cache")
    assert done.returncode == 0, done.stderr
    return [tuple(row) for row in csv.reader(io.StringIO(done.stdout))][1:]


def problems(path):
    done = sightline("report", path, "--view", "problems", "--format", "json", "--no-cache")
    assert done.returncode == 0, done.stderr
    found = {column["key"]: column["values"] for column in json.loads(done.stdout)["tables"]["problems"]["columns"]}
    return dict(zip(found["code"], found["count"]))


WORK = """SELECT s.name, s.kind, w.device, s.start + 1000, s.duration, w.bytes, w.grid, w.block, w.shared_bytes, o.name, l.name
FROM device_work w JOIN slices s ON s.id = w.slice LEFT JOIN slices o ON o.id = w.owner
LEFT JOIN launches c ON c.id = w.launch LEFT JOIN slices l ON l.id = c.slice ORDER BY s.start"""


@pytest.mark.parametrize("format", FORMATS)
def test_work_belongs_to_its_call_and_marker(recordings, format):
    assert rows(recordings[format], WORK) == [
        ("Cijk_Ailk_Bljk_HHS_BH_MT128x128", "kernel", "0", "1500", "500", "", "[2, 1, 1]", "[256, 1, 1]", "2048", "mlp",
         "hipLaunchKernel"),
        ("Memcpy HtoD (Host -> Device)", "memcpy", "0", "2700", "200", "4096", "", "", "", "step 1", "hipMemcpyAsync"),
        ("ncclDevKernel_Generic", "collective", "0", "3200", "500", "", "[1, 1, 1]", "[256, 1, 1]", "0", "step 2", "hipLaunchKernel")]


@pytest.mark.parametrize("format", FORMATS)
def test_markers_are_steps_and_modules(recordings, format):
    file = recordings[format]
    assert rows(file, "SELECT number, start + 1000, duration FROM steps") == [("1", "1000", "2000"), ("2", "3000", "2000")]
    assert rows(file, "SELECT s.name, s.duration FROM modules m JOIN slices s ON s.id = m.slice") == [("mlp", "1400")]
    beside = rows(file, "SELECT name, duration FROM slices WHERE kind = 'annotation'")
    assert beside == ([] if format == "rpd" else [("whole run", "4000")])
    assert rows(file, "SELECT f.name, f.number FROM work_facts f") == [("SQ_WAVES", "16")]
    assert problems(file) == {}


@pytest.mark.parametrize("format", FORMATS[:3])
def test_agents_are_devices(recordings, format):
    file = recordings[format]
    assert rows(file, "SELECT ordinal, name, cores, threads_per_core, warp_size, memory, clock / 1e9, compute_major, compute_minor "
                      "FROM devices") == [("0", "AMD Instinct MI300X", "304", "2048", "64", "206141652992", "2.1", "9", "4")]
    assert rows(file, "SELECT device_name, time + 1000, bytes FROM memory_events") == [
        ("GPU0", "1050", "1048576"), ("GPU0", "4950", "-1048576")]
    assert rows(file, "SELECT pid, name FROM processes WHERE label = 'CPU'") == [("4242", "python train.py")]


def test_monitors_are_counters(recordings):
    assert rows(recordings["rpd"], "SELECT l.track, c.time + 1000, c.value FROM counters c JOIN lanes l ON l.id = c.lane ORDER BY 2") == [
        ("sclk", "1000", "2100"), ("sclk", "2000", "1900")]


def test_two_processes_of_one_file_stay_apart(tmp_path):
    second = (FIXTURES / "rocm" / "rocpd.sql").read_text().replace("_7 ", "_8 ").replace("_7;", "_8;")
    second = second.replace("CREATE VIEW rocpd_string ", "CREATE VIEW strings_of_8 ").replace("4242", "5252")
    file = database(tmp_path / "0_results.db", "rocm/rocpd.sql", second)
    assert rows(file, "SELECT count(*), count(DISTINCT launch) FROM device_work") == [("6", "6")]
    assert rows(file, "SELECT pid FROM processes WHERE label = 'CPU' ORDER BY 1") == [("4242",), ("5252",)]


@pytest.mark.parametrize("change, told", (
    ("DELETE FROM rocpd_info_kernel_symbol_7", "missing_rows"),
    ("UPDATE rocpd_kernel_dispatch_7 SET start = NULL", "missing_time"),
    ("UPDATE rocpd_region_7 SET end = start - 5", "negative_duration"),
))
def test_broken_rows_are_reported(tmp_path, change, told):
    assert problems(database(tmp_path / "1_results.db", "rocm/rocpd.sql", change))[told] > 0


@pytest.mark.parametrize("name, fixture, change, process", (
    ("1_results.db", "rocm/rocpd.sql", "UPDATE rocpd_region_7 SET tid = NULL", "4242"),
    ("2_results.db", "rocm/rocpd.sql", "UPDATE rocpd_region_7 SET pid = NULL, tid = NULL", "-1"),
    ("trace.rpd", "rocm/rpd.sql", "UPDATE rocpd_api SET tid = NULL", "4242"),
))
def test_an_unknown_thread_has_no_number(tmp_path, name, fixture, change, process):
    file = database(tmp_path / name, fixture, change)
    threads = "SELECT DISTINCT p.pid, l.name FROM lanes l JOIN processes p ON p.id = l.process WHERE l.kind = 'host_thread'"
    found = rows(file, threads)
    assert (process, "Unknown thread") in found and not [row for row in found if row[0] == "0" or row[1] == "Thread 0"]


def test_json_is_read_to_its_damage(tmp_path):
    text = json.dumps(tool_json())
    whole = tmp_path / "1_results.json.gz"
    whole.write_bytes(gzip.compress(text.encode()))
    assert len(rows(whole, WORK)) == 3
    cut = tmp_path / "2_results.json"
    cut.write_text(text[:text.index('"hsa_api"')])
    assert problems(cut)["truncated"] == 1 and len(rows(cut, WORK)) == 2
    broken = tmp_path / "3_results.json"
    broken.write_text(text.replace('"hsa_api": []', '"hsa_api": [{"kind": nonsense}]'))
    assert problems(broken)["malformed_record"] == 1 and len(rows(broken, WORK)) == 3


def test_counters_alone_show_their_kernels(tmp_path):
    content = tool_json()
    content["rocprofiler-sdk-tool"][0]["buffer_records"]["kernel_dispatch"] = []
    file = tmp_path / "1_results.json"
    file.write_text(json.dumps(content))
    assert rows(file, "SELECT s.name FROM device_work w JOIN slices s ON s.id = w.slice WHERE s.kind = 'kernel'") == [
        ("Cijk_Ailk_Bljk_HHS_BH_MT128x128",)]


def test_sections_without_a_name_end_the_reading_not_the_program(tmp_path):
    file = tmp_path / "1_results.json"
    file.write_text('{"a": "rocprofiler-sdk-tool", ' + '"": {' * 200_000)
    done = sightline("info", file, "--no-cache")
    assert done.returncode == 1, done.stderr
