"""The oracle of Ascend exports on a worker small enough to compute by hand."""
import json
import pathlib
import sys
from fractions import Fraction

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import ascend_operators  # noqa: E402
import ascend_tables  # noqa: E402

AT = 1736408883700000  # us


def host(name, begin, length, shapes=""):
    return {"ph": "X", "cat": "cpu_op", "name": name, "pid": 1, "tid": 1, "ts": f"{AT + begin}.000", "dur": length,
            "args": {"Input Dims": shapes}}


def flow(phase, ident, begin, pid, tid):
    return {"ph": phase, "cat": "async_npu", "name": "torch_to_npu", "id": ident, "pid": pid, "tid": tid, "ts": f"{AT + begin}.000"}


# mm(10..60) contains an mm(20..50), which starts MatMul (7.5 us, matrix core) and Cast (2 us, vector core).
EVENTS = [
    {"ph": "M", "name": "process_name", "pid": 9, "tid": 0, "args": {"name": "Ascend Hardware"}},
    host("ProfilerStep#3", 0, 100), host("mm", 10, 50, "2,3;\r\n4"), host("mm", 20, 30, "2,3;\r\n4"), host("add", 70, 5, ";\r\n"),
    {"ph": "X", "name": "MatMul", "pid": 9, "tid": 2, "ts": f"{AT + 40}.000", "dur": 7.5, "args": {"Task Type": "AI_CORE"}},
    {"ph": "X", "name": "Cast", "pid": 9, "tid": 2, "ts": f"{AT + 50}.000", "dur": 2, "args": {"Task Type": "AI_CORE"}},
    flow("s", 1, 20, 1, 1), flow("f", 1, 40, 9, 2), flow("s", 2, 20, 1, 1), flow("f", 2, 50, 9, 2),
]
KERNELS = (f"Name,Accelerator Core,Start Time(us),Duration(us)\nMatMul,AI_CORE,{AT + 40}.000\t,7.5\n"
           f"Cast,AI_VECTOR_CORE,\"{AT + 50}.000\t\",2\n")


@pytest.fixture
def worker(tmp_path):
    output = tmp_path / "ASCEND_PROFILER_OUTPUT"
    output.mkdir()
    (output / "trace_view.json").write_text(json.dumps(EVENTS))
    (output / "kernel_details.csv").write_text(KERNELS)
    (output / "memory_record.csv").write_text(
        f"Component,Timestamp(us),Total Allocated(MB),Total Reserved(MB),Device Type\nWORKSPACE,{AT}.5\t,,0.5,NPU:0\n")
    links = {"HCCS": {"Transit Size(MB)": 3, "Transit Time(ms)": 1}, "SDMA": {"Transit Size(MB)": 3, "Transit Time(ms)": 1}}
    entry = {"Communication Time Info": {"Elapse Time(ms)": 2, "Transit Time(ms)": 1}, "Communication Bandwidth Info": links}
    (output / "communication.json").write_text(json.dumps(
        {"step3": {"p2p": {}, "collective": {"hcom_allReduce__5_0_1@7": entry, "Total Op Info": entry}}}))
    return tmp_path


def us(value):
    return Fraction(value) * 1000


def test_operators(worker):
    groups = ascend_operators.operators(worker)
    assert set(groups) == {("mm", "[[2,3], [4]]"), ("add", "[[], []]")}
    assert groups["mm", "[[2,3], [4]]"] == {
        "calls": 1, "host_self": us(50), "host_total": us(50), "device_self": us("9.5"), "device_total": us("9.5"),
        "matrix_self": us("7.5"), "matrix_total": us("7.5")}


def test_operators_as_the_plugin_has_them(worker):
    groups = ascend_operators.operators(worker, ("counts_nested_twins", "lone_semicolon_is_one", "vector_is_matrix"))
    assert groups["mm", "[[2,3], [4]]"] == {
        "calls": 2, "host_self": us(50), "host_total": us(80), "device_self": us("9.5"), "device_total": us(19),
        "matrix_self": us("9.5"), "matrix_total": us(19)}
    assert groups["add", "[[]]"]["host_self"] == us(5)


def test_tables(worker):
    assert ascend_operators.kernels(worker) == ({"MatMul": [us("7.5")], "Cast": [us(2)]},
                                                {"AI_CORE": us("7.5"), "AI_VECTOR_CORE": us(2)})
    assert ascend_tables.first_time(worker) == us(AT)
    assert ascend_tables.curves(worker) == {("NPU:0", "WORKSPACE"): [(us(AT) + 500, None, 2**19)]}
    assert ascend_tables.curves(worker, ("components_chosen",)) == {}
    assert ascend_tables.operation_table(worker) == {
        "hcom_allReduce__": {"calls": 1, "bytes": 3 * 10**6, "elapsed": 2 * 10**6, "transit": 10**6}}
    doubled = ascend_tables.operation_table(worker, ("transfers_doubled", "megabytes_are_binary"))
    assert doubled["hcom_allReduce__"]["bytes"] == 6 * 2**20
