"""The program on logs of the Neuron TensorBoard plugin that we made (tests/support/neuron_log.py): found below a logdir, named by
stamp, and shown as in the plugin's tools."""
import json
import pathlib
import subprocess
import sys

import pytest

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "support")]
import program_report  # noqa: E402
from program_report import query  # noqa: E402
from neuron_log import Log, network  # noqa: E402

pytestmark = pytest.mark.skipif(not program_report.PROGRAM.exists(), reason=f"no program at {program_report.PROGRAM}")


def told(folder, view, table, columns, **parameters):
    body = program_report.report(folder, view, **parameters)
    return [tuple(getattr(row, column) for column in columns) for row in program_report.rows(body, table)]


def written(log, kind):
    return sorted((row["name"], row["calls"], row["device"], str(row["core"]), row["time"]) for row in log.operators[kind])


def test_operators_are_those_of_the_files(tmp_path):
    log = network()
    folder = log.write(tmp_path / "logs")
    columns = ("name", "calls", "device", "core", "time")
    assert sorted(told(folder, "framework_operators", "framework_operators", columns)) == written(log, "framework")
    assert sorted(told(folder, "program_operators", "program_operators", columns)) == written(log, "hlo")
    shares = told(folder, "program_operators", "program_operators", ("share",))
    assert sum(share for share, in shares) == pytest.approx(1)
    # By device: 840 ns on core 0, 900 on core 1.
    places = told(folder, "program_operators", "places", ("place", "time"))
    assert places == [("NeuronDevice 0 NeuronCore 0", 840), ("NeuronDevice 0 NeuronCore 1", 900)]
    assert program_report.report(folder, "problems")["tables"]["problems"]["columns"][0]["values"] == []


def test_fused_operators_open(tmp_path):
    folder = network().write(tmp_path / "logs")
    rows = told(folder, "program_operators", "program_operators", ("name", "fused", "row"))
    (row, fused), = {(row, fused) for name, fused, row in rows if name == "fused_3"}
    assert fused == 2
    members = told(folder, "fused_operators", "fused_operators", ("name", "elsewhere"), operator=row)
    assert members == [("input.1", 180), ("maximum.9", None)]  # 90 ns on each core outside of the fusion


def test_the_hierarchy_goes_from_the_model_to_the_operator(tmp_path):
    folder = network().write(tmp_path / "logs")
    rows = told(folder, "operator_hierarchy", "hierarchy", ("name", "level", "time", "parent"))
    assert rows[:3] == [("NN[model]", "module", 1220, None), ("Linear[layer1]", "module", 1040, 0),
                        ("aten__addmm_dot", "framework operator", 820, 1)]
    assert ("fused_3", "framework operator", 520, None) in rows  # made of two: has no module


def test_the_timeline_equals_the_trace(tmp_path):
    log = network()
    folder = log.write(tmp_path / "logs")
    sql = """select p.name, l.name, s.name, s.start, s.duration from slices s join lanes l on l.id = s.lane
             join processes p on p.id = l.process"""
    assert sorted(query(folder, sql)) == sorted(each[:5] for each in log.slices)
    kinds = dict(query(folder, "select p.name, max(l.kind) from lanes l join processes p on p.id = l.process group by 1"))
    assert kinds["Process Execution"] == "engine" and kinds["Process Data Transfer"] == "queue"
    # An operator of the file is found on the timeline, in two of its sections, so times can be computed as well.
    computed = told(folder, "program_operators", "program_operators", ("name", "time"), times="computed")
    assert sorted(computed)[0][0] == "add.7" and ("dot.5", 800) in computed


def test_a_logdir_is_a_run_of_workers_and_spans(tmp_path):
    logdir = tmp_path / "logs"
    network().write(logdir)
    network().write(logdir, stamp="2023_04_28_01_00_00", trace="neuron_trace.json")
    network().write(logdir, stamp="2023_04_28_02_00_00_c1a992f0ea378f7a_1")
    (logdir / "plugins" / "neuron" / "empty").mkdir()
    for given, run in ((logdir, "logs"), (tmp_path, "logs"), (logdir / "plugins" / "neuron", "logs")):
        command = [program_report.PROGRAM, "info", given, "--no-read", "--format", "json"]
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        found = json.loads(done.stdout)["runs"]
        assert [each["name"] for each in found] == [run]
        spans = {(worker["name"], span["name"]): span["file"].rsplit("/")[-1] for worker in found[0]["workers"] for span in worker["spans"]}
        assert spans == {("c1a992f0ea378f7a_1", "1"): "2023_04_28_00_54_04_c1a992f0ea378f7a_1",
                         ("c1a992f0ea378f7a_1", "2"): "2023_04_28_02_00_00_c1a992f0ea378f7a_1", ("neuron", "1"): "2023_04_28_01_00_00"}


def test_other_names_of_members(tmp_path):
    log = Log(members={"name": "Op Name", "calls": "Occurrences", "device": "Neuron Device", "core": "NeuronCore", "time": "Time (ns)",
                       "fused": "Fused"})
    log.operator("hlo", "dot", 3, 70, device=1)
    folder = log.write(tmp_path / "logs")
    assert told(folder, "program_operators", "program_operators", ("name", "calls", "device", "core", "time")) == [("dot", 3, 1, "0", 70)]
