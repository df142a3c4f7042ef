"""One run written as text and as databases: the two oracles give the same figures, and the figures of the run."""
import pathlib
import sys
from fractions import Fraction

import pytest

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "support")]
import ascend_database as database  # noqa: E402
import ascend_operators as operators  # noqa: E402
import ascend_tables as tables  # noqa: E402
from ascend_export import Block, Held, Operator, Run, Task  # noqa: E402

# forward holds linear; all_reduce overlaps nothing. linear causes MatMul and a copy, forward Cast.
RUN = Run(step=(3, 0, 400_000),
          operators=[Operator("forward", 10_000, 90_001, [1]), Operator("linear", 20_000, 50_000, [0, 2], "2,3"),
                     Operator("all_reduce", 120_000, 9_000, [3])],
          tasks=[Task("MatMul", "AI_CORE", 140_003, 7_500), Task("Cast", "AI_VECTOR_CORE", 150_000, 2_001),
                 Task("MEMCPY_ASYNC", "MEMCPY", 155_000, 1_000), Task("hcom_allReduce__5_0_1", "HCCL", 160_000, 40_000)],
          blocks=[Block("linear", 2048, 21_000, 300_000), Block("forward", 512, 30_000)],
          held=[Held("PTA", 21_000, 4 << 20, 8 << 20), Held("APP", 5_000, None, 9 << 20), Held("WORKSPACE", 1_000, 0, 1 << 20)],
          sums={"Computing": 9_501, "Communication": 40_000, "Overlapped": 0, "Free": 350_499})


@pytest.fixture
def pair(tmp_path):
    RUN.write_text(tmp_path / "text")
    RUN.write_database(tmp_path / "database")
    return tmp_path / "text", tmp_path / "database"


def test_operators(pair):
    text, data = pair
    found = {name: sums for (name, _), sums in operators.operators(text).items()}
    assert found == database.operators(data)
    assert found["forward"]["host_self"] == 40_001
    assert found["forward"]["device_total"] == 7_500 + 2_001 + 1_000
    assert found["forward"]["matrix_total"] == found["linear"]["matrix_self"] == 7_500
    assert found["all_reduce"]["device_self"] == 40_000


def test_kernels(pair):
    text, data = pair
    assert operators.kernels(text) == database.kernels(data)
    assert database.kernels(data)[1] == {"AI_CORE": 7_500, "AI_VECTOR_CORE": 2_001, "HCCL": 40_000}


def test_memory(pair):
    text, data = pair
    assert list(tables.blocks(text)) == list(database.blocks(data))
    assert list(database.blocks(data))[1] == ("forward", 512, RUN.begin + 30_000, None, None, "NPU:0")
    assert tables.curves(text) == database.curves(data)
    assert database.curves(data)["NPU:0", "APP"] == [(RUN.begin + 5_000, None, 9 << 20)]


def test_steps(pair):
    text, data = pair
    assert tables.steps(text) == database.steps(data) == {"3": {key: Fraction(value) for key, value in RUN.sums.items()}}
