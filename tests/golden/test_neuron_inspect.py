"""Folders that the runtime writes while it inspects a program, and system profiles as JSON: files that we made."""
import json
import pathlib
import subprocess
import sys

import pytest

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "support")]
import program_report  # noqa: E402
from program_report import query  # noqa: E402
from neff_export import neff  # noqa: E402
from ntff_export import Run, notify, slot  # noqa: E402

pytestmark = pytest.mark.skipif(not program_report.PROGRAM.exists(), reason=f"no program at {program_report.PROGRAM}")
FRAMEWORK = {"traceEvents": [{"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, "tid": 2, "ts": 5, "dur": 7}]}


def profile():
    run = Run()
    run.code("sp", [notify(2), slot(0xA4)])
    run.instruction("sp", 0, 100, 10)
    run.instruction("sp", 1, 120, 10)
    return run.file()


def workers(folder):
    told = subprocess.run([program_report.PROGRAM, "info", folder, "--format", "json"], capture_output=True, text=True)
    return {worker["name"]: worker["spans"][0] for run in json.loads(told.stdout)["runs"] for worker in run["workers"]}


def test_an_inspect_folder(tmp_path):
    folder = tmp_path / "i-0123_pid_77"
    (folder / "plugins" / "host").mkdir(parents=True)
    for name, data in {"987654321_vnc_0.ntff": profile(), "987654321_vnc_1.ntff": profile(), "neff_987654321_vnc_0.neff": neff(name="the model"),
                       "neuron_framework_trace_rank_3.json": json.dumps(FRAMEWORK).encode(), "ntrace.pb": b"\x08\x01", "trace_info.pb": b"",
                       "plugins/host/trace.json": json.dumps(FRAMEWORK).encode()}.items():
        (folder / name).write_bytes(data)
    found = workers(tmp_path)
    assert set(found) == {"987654321_vnc_0", "987654321_vnc_1", "neuron_framework_trace_rank_3", "trace"}
    assert {span["status"] for span in found.values()} == {"ready"}
    file = folder / "987654321_vnc_1.ntff"
    assert query(file, "select value from metadata where key = 'neff.network_name'") == [("the model",)]
    (message,), = query(file, "select message from problems where code = 'host_traces'")
    assert "(ntrace.pb, trace_info.pb)" in message and "neuron-explorer view -d FOLDER" in message


def test_files_that_cannot_be_read_are_listed(tmp_path):
    folder = tmp_path / "i-0123_pid_77"
    folder.mkdir()
    (folder / "ntrace.pb").write_bytes(b"\x08\x01")
    (folder / "cpu_util.pb").write_bytes(b"")
    done = subprocess.run([program_report.PROGRAM, "report", folder, "--view", "overview"], capture_output=True, text=True)
    assert done.returncode != 0 and "(cpu_util.pb, ntrace.pb) has no public layout" in done.stderr, done.stderr


BEGIN = 1_790_000_000_000_000_000


def slices(file):
    return query(file, """select p.name, l.name, s.name, s.kind, s.start, s.duration from slices s join lanes l on l.id = s.lane
                          join processes p on p.id = l.process order by s.id""")


def test_system_profile(tmp_path):
    file = tmp_path / "system_profile.json"
    file.write_text(json.dumps({
        "trace_events": [
            {"name": "nrt_execute", "start_ts": BEGIN + 10, "duration_ns": 70, "trace_event_source": "neuron_rt", "instance_id": "i-1",
             "process_id": 5, "thread_id": 6, "flow_id": ["7"], "model": "m"},
            {"name": "nc_exec_running", "timestamp": BEGIN + 20, "duration": 40, "trace_event_source": "neuron_hw", "instance_id": "i-1",
             "process_id": 5, "nc_idx": 2, "flow_id": ["7"]},
            {"name": "without a time"}],
        "mem_usage": [{"timestamp": BEGIN, "usage": 1024, "percent_usage": 1.5, "duration": 1, "instance_id": "i-1"}],
        "cpu_util": [{"cpu_id": "average", "util": 12.5, "timestamp": BEGIN + 3, "instance_id": "i-1"}]}))
    assert slices(tmp_path) == [("Process 5 of i-1", "thread 6", "nrt_execute", "runtime", 10, 70),
                                ("Process 5 of i-1", "NeuronCore 2", "nc_exec_running", "kernel", 20, 40)]
    assert query(file, """select a.name, b.name from flows f join slices a on a.id = f."from" join slices b on b.id = f."to" """) == [
        ("nrt_execute", "nc_exec_running")]
    assert query(file, "select l.name, c.time, c.value from counters c join lanes l on l.id = c.lane order by c.id") == [
        ("CPU average in use (%), i-1", 3, 12.5), ("Host memory in use (bytes), i-1", 0, 1024)]
    assert query(file, "select f.name, f.text from work_facts f") == [("model", "m")]
    assert query(file, "select code, count from problems") == [("missing_time", 1)]


def test_events_of_the_runtime(tmp_path):
    file = tmp_path / "events.json"

    def event(kind, phase, time, **more):
        return {"event_type": kind, "phase": phase, "id": time, "nc_idx": 0, "thread_id": 9, "timestamp_ns": BEGIN + time, "data": {"n": time}, **more}

    file.write_text(json.dumps({"data_version": 2, "events": [
        event("nrt_execute", "start", 0), event("nrt_execute", "start", 5), event("nrt_execute", "stop", 8), event("nrt_execute", "stop", 20),
        event("tensor_read", "stop", 30), event("hw_notify", "instant", 40), event("tensor_write", "start", 50)]}))
    assert [row[2:] for row in slices(file) if row[3] == "runtime"] == [("nrt_execute", "runtime", 0, 20), ("nrt_execute", "runtime", 5, 3)]
    assert [row[2:] for row in slices(file) if row[2] == "hw_notify"] == [("hw_notify", "other", 40, 0)]
    assert dict(query(file, "select code, count from problems")) == {"unmatched_end": 1, "unfinished_slice": 1}
