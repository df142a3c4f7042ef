"""Figures that a job logged beside a trace: TensorBoard's event files and MLflow's file store."""
import math
import pathlib
import struct
import subprocess
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import event_file  # noqa: E402
import program_report  # noqa: E402
from program_report import query  # noqa: E402
from sql_fixture import database  # noqa: E402

pytestmark = pytest.mark.skipif(not program_report.PROGRAM.exists(), reason="no program: build it, or set SIGHTLINE")
BEGIN = 1_700_000_000
# Steps 5 to 7 of 1 s each, from BEGIN on; times are us.
TRACE = "trace: base=1700000000000000000\nthread 1:\n  0-1000000 ProfilerStep#5, 1000000-2000000 ProfilerStep#6, 2000000-3000000 ProfilerStep#7\n"
METRICS = "select t.number, m.number, m.name, m.value, cast(round(m.time / 1e6) as integer) from step_metrics m left join steps t on t.id = m.step order by m.name, m.number"
COUNTERS = """select l.name, cast(round(c.time / 1e6) as integer), c.value from counters c join lanes l on c.lane = l.id order by 1, 2"""
PROBLEMS = "select code, message, count from problems order by code"


def trace(folder, text=TRACE):
    file = folder / "run.pt.trace.json"
    subprocess.run([sys.executable, str(program_report.ROOT / "tools" / "gen_trace"), "-", str(file)], input=text, text=True, check=True)
    return file


def write_events(folder, values):
    """(seconds after BEGIN, step, tag, value) each."""
    return event_file.write(folder / "events.out.tfevents.1700000000.host", [(BEGIN + seconds, *rest) for seconds, *rest in values])


def test_scalars_of_tensorboard_belong_to_steps(tmp_path):
    file = trace(tmp_path)
    # In step 5; a moment after step 6, so in the time of step 7, but it states 6; of a step by its time alone; before the recording.
    write_events(tmp_path, [(0.5, 5, "loss", 2.0), (2.25, 6, "loss", 1.5), (2.5, 1007, "accuracy", event_file.tensor(1, values=event_file.single(5, 0.75))), (-100.0, 4, "loss", 4.0)])
    assert query(file, METRICS) == [(7, 1007, "accuracy", 0.75, 2500), (None, 4, "loss", 4, -100_000), (5, 5, "loss", 2, 500), (6, 6, "loss", 1.5, 2250)]
    assert query(file, COUNTERS) == [("accuracy", 2500, 0.75), ("loss", 0, 4), ("loss", 500, 2), ("loss", 2250, 1.5)]
    assert query(file, PROBLEMS) == [("step_metrics_joined", "3 of 4 logged values of step metrics belong to recorded steps, by the step's number and the time", 1)]


def test_the_view_shows_the_recorded_steps(tmp_path):
    file = trace(tmp_path)
    write_events(tmp_path, [(0.5, 5, "loss", 2.0), (-100.0, 4, "loss", 4.0)])
    rows = [(row.number, row.name, row.value, row.recorded) for row in program_report.rows(program_report.report(file, "step_metrics"), "step_metrics")]
    assert rows == [(5, "loss", 2, 5)]
    everything = program_report.report(file, "step_metrics", all="true")
    assert [row.number for row in program_report.rows(everything, "step_metrics")] == [4, 5]
    # One point of loss in the recorded steps is no curve; with that before them, there are two.
    assert [panel["id"] for panel in program_report.report(file, "step_metrics")["panels"]] == ["step_metrics"]
    assert [(panel["id"], panel["title"]) for panel in everything["panels"]] == [("lines_each_1", "loss"), ("step_metrics", "Step metrics")]
    assert [(row.number, row.value) for row in program_report.rows(everything, "lines_each_1")] == [(4, 4), (5, 2)]


def test_a_figure_of_two_logs_has_two_curves(tmp_path):
    file = trace(tmp_path)
    for name, value in (("a", 2.0), ("b", 3.0)):
        event_file.write(tmp_path / f"events.out.tfevents.1700000000.{name}", [(BEGIN + 0.5, 5, "loss", value), (BEGIN + 1.5, 6, "loss", value / 2)])
    report = program_report.report(file, "step_metrics")
    assert [(panel["id"], panel["title"]) for panel in report["panels"][:2]] == [
        ("lines_each_1", "loss, events.out.tfevents.1700000000.a"), ("lines_each_2", "loss, events.out.tfevents.1700000000.b")]
    assert [[row.value for row in program_report.rows(report, curve)] for curve in ("lines_each_1", "lines_each_2")] == [[2, 1], [3, 1.5]]


def test_tensors_with_one_number_are_scalars(tmp_path):
    file, tensor = trace(tmp_path), event_file.tensor
    write_events(tmp_path, [(0.1, 5, "float", tensor(1, struct.pack("<f", 0.5))), (0.1, 5, "double", tensor(2, values=event_file.real(6, 0.25))),
                            (0.1, 5, "int", tensor(3, values=event_file.number(7, (1 << 64) - 7))), (0.1, 5, "long", tensor(9, struct.pack("<q", -9))),
                            (0.1, 5, "packed", tensor(1, values=event_file.data(5, struct.pack("<f", 2)))), (0.1, 5, "many", tensor(1, struct.pack("<ff", 1, 2), size=2)),
                            (0.1, 5, "text", tensor(7, values=event_file.data(8, b"x"))), (0.1, 5, "not", math.nan)])
    assert [row[2:4] for row in query(file, METRICS)] == [("double", 0.25), ("float", 0.5), ("int", -7), ("long", -9), ("not", None), ("packed", 2)]


def test_metrics_of_mlflow(tmp_path):
    file = trace(tmp_path)
    metrics = tmp_path / "mlruns" / "0" / "abc" / "metrics"
    (metrics / "eval").mkdir(parents=True)
    (metrics / "loss").write_text("1700000000500 2.5 5\n1700000001500 nan 6\nbroken\n")
    (metrics / "eval" / "accuracy").write_text("1700000002500 0.5 7 set digest run\n")
    assert query(file, METRICS) == [(7, 7, "eval/accuracy", 0.5, 2500), (5, 5, "loss", 2.5, 500), (6, 6, "loss", None, 1500)]
    assert [row[0] for row in query(file, PROBLEMS)] == ["step_metrics_damaged", "step_metrics_joined"]
    assert query(file, "select distinct log from step_metrics") == [("0/abc",)]


def test_without_a_date_steps_are_joined_by_number(tmp_path):
    file = trace(tmp_path, TRACE.replace("base=1700000000000000000", "base=omit"))
    write_events(tmp_path, [(0.5, 6, "loss", 2.0), (0.5, 60, "loss", 3.0)])
    assert query(file, METRICS) == [(6, 6, "loss", 2, None), (None, 60, "loss", 3, None)]
    assert "the profile has no date" in query(file, PROBLEMS)[0][1]


def test_logs_of_other_runs_are_not_shown(tmp_path):
    file = trace(tmp_path)
    write_events(tmp_path, [(-86_400.0, 5, "loss", 2.0)])
    assert query(file, METRICS) == [] and [row[0] for row in query(file, PROBLEMS)] == ["step_metrics_of_other_runs"]


@pytest.mark.parametrize("damage, rows, code", (
    (lambda data: data[:-3], 1, "step_metrics_cut"),
    (lambda data: data + b"\x05\x00", 2, "step_metrics_cut"),
    (lambda data: data[:-6] + bytes([data[-6] ^ 1]) + data[-5:], 1, "step_metrics_damaged"),  # inside the last event
    (lambda data: data + b"\xff" * 64, 2, "step_metrics_damaged")))
def test_damage_of_an_event_file_is_told(tmp_path, damage, rows, code):
    file = trace(tmp_path)
    events = write_events(tmp_path, [(0.5, 5, "loss", 2.0), (1.5, 6, "loss", 1.0)])
    events.write_bytes(damage(events.read_bytes()))
    assert len(query(file, METRICS)) == rows
    assert code in [row[0] for row in query(file, PROBLEMS)]


def test_a_change_of_the_log_is_a_change_of_the_profile(tmp_path):
    file = trace(tmp_path)
    write_events(tmp_path, [(0.5, 5, "loss", 2.0)])
    assert len(query(file, METRICS)) == 1
    write_events(tmp_path, [(0.5, 5, "loss", 2.0), (1.5, 6, "loss", 1.0)])
    assert len(query(file, METRICS)) == 2


def test_our_event_files_are_those_of_tensorboard(tmp_path):
    """Only where TensorBoard is installed."""
    pytest.importorskip("tensorboard")
    from tensorboard.compat.proto.event_pb2 import Event
    from tensorboard.compat.proto.summary_pb2 import Summary
    from tensorboard.summary.writer.record_writer import RecordWriter

    ours = write_events(tmp_path, [(0.5, 5, "loss", 2.0)])
    with open(tmp_path / "theirs", "wb") as file:
        writer = RecordWriter(file)
        writer.write(Event(wall_time=BEGIN + 0.5, file_version="brain.Event:2").SerializeToString())
        writer.write(Event(wall_time=BEGIN + 0.5, step=5, summary=Summary(value=[Summary.Value(tag="loss", simple_value=2.0)])).SerializeToString())
        writer.flush()
    assert ours.read_bytes() == (tmp_path / "theirs").read_bytes()


@pytest.mark.parametrize("name, fixture", [("report.sqlite", "nsys/two_processes.sql"), ("4242_results.db", "rocm/rocpd.sql")])
def test_logs_beside_databases(tmp_path, name, fixture):
    """Steps 1 and 2 of the databases last some us. That of Nsight Systems states its date, BEGIN; that of ROCm has none here."""
    file = database(tmp_path / name, fixture)
    write_events(tmp_path, [(3e-6, 1, "loss", 2.0), (4e-6, 2, "loss", 1.5)] if name.endswith("db") else [(3e-6, 1, "loss", 2.0), (7e-6, 2, "loss", 1.5)])
    assert [row[:4] for row in query(file, METRICS)] == [(1, 1, "loss", 2), (2, 2, "loss", 1.5)]
    before = query(file, "select count(*) from step_metrics")
    # A change of the log is a change of the profile: nothing old comes from the cache.
    write_events(tmp_path, [(3e-6, 1, "loss", 2.0)])
    assert (before, query(file, "select count(*) from step_metrics")) == ([(2,)], [(1,)])
