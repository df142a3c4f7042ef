"""One run that we made, written twice: as text export and as database export. Every table of the two readings and every view's
report must be equal, except for what one of the exports cannot contain, which is listed here.
"""
import json
import pathlib
import subprocess
import sys

import pytest

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "support")]
import program_report  # noqa: E402
from ascend_export import Block, Call, Collective, Frame, Held, Operator, Run, Task  # noqa: E402

PROGRAM = program_report.PROGRAM
pytestmark = pytest.mark.skipif(not PROGRAM.exists(), reason=f"no program at {PROGRAM}")

COUNTERS = {"aic_mac_ratio": 0.5, "aiv_vec_ratio": 0.25, "Input Shapes": "2,3;3,4", "Input Data Types": "FLOAT;FLOAT", "OP State": "dynamic"}
RUN = Run(
    step=(3, 0, 400_000),
    operators=[
        Operator("forward", 10_000, 90_001, [1]),
        Operator("linear", 20_000, 50_000, [0, 2], "2,3;\r\n3,4", "float;\r\nfloat", ["model.py(7): forward", "train.py(3): step"]),
        Operator("all_reduce", 120_000, 9_000, [3]),
    ],
    frames=[Frame("train.py(3): step", 5_000, 200_000), Frame("nn.Module: Linear_0", 15_000, 80_000)],
    calls=[
        Call("AscendCL", "aclnnMatmul", 25_000, 9_000, 0),
        Call("Node", "launch", 75_000, 3_000, 1),
        Call("Runtime", "MemcpyAsync", 40_000, 2_000, 2),
        Call("HCCL", "hcom_allReduce_", 121_000, 4_000, 3),
        Call("AscendCL", "aclrtSynchronizeStream", 130_000, 80_000),
    ],
    tasks=[
        Task("MatMul", "AI_CORE", 140_003, 7_500, type="MatMulV2", facts=COUNTERS),
        Task("Cast", "AI_VECTOR_CORE", 150_000, 2_001, stream=5, blocks=4, type="Cast", facts={"aiv_vec_ratio": 0.75}),
        Task("MEMCPY_ASYNC", "MEMCPY", 155_000, 1_000),
        Task(
            "hcom_allReduce__5_0_1",
            "HCCL",
            160_000,
            40_000,
            collective=Collective(
                elements=1024,
                waited=0.016,
                moved=0.02,
                links={"HCCS": (2.5, 0.02), "SDMA": (2.5, 0.02), "RDMA": (0, 0)},
                ranks={(0, 1): ("HCCS", 2.5, 0.02), (0, 0): ("LOCAL", 0.5, 0.001)},
                parts=[("Memcpy", 0, 161_000, 9_000), ("Reduce_Inline", 1, 171_000, 8_000)],
            ),
        ),
    ],
    blocks=[Block("linear", 2048, 21_000, 300_000), Block("forward", 512, 80_000)],
    held=[Held("PTA", 21_000, 4 << 20, 8 << 20), Held("APP", 5_000, None, 9 << 20)],
    modules=[("HCCL", 6_000, 3 << 20), ("RUNTIME", 7_000, 1 << 20), ("HCCL", 90_000, 5 << 20)],
    frequency=[(1_000, 1800), (200_000, 800)],
    sums={"Computing": 9_501, "Overlapped": 0, "Communication": 40_000, "Free": 350_499},
    rank=5,
)

# table -> columns that are not compared, and why.
EXCUSED = {
    "slices": {"source": "a row of a database has no place in a text"},
    "device_work": {"core": "databases call the engine of copies and of collectives by the type of the task"},
    "problems": {"": "a text export says which of its files are missing"},
    "metadata": {"": "databases keep what is in none of the texts"},
    "devices": {"": "text exports do not name the product"},
}


@pytest.fixture(scope="module")
def pair(tmp_path_factory):
    folders = []
    for kind, write in (("text", RUN.write_text), ("database", RUN.write_database)):
        folders.append(tmp_path_factory.mktemp(kind) / "run" / "host_rank5_20260101_ascend_pt")
        write(folders[-1])
    return folders


def run(*arguments):
    done = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def rows(folder, table):
    code, out, error = run("query", folder, f"SELECT * FROM {table}", "--format", "json")
    assert code == 0, error
    columns = {column["key"]: column["values"] for column in json.loads(out)["columns"]}
    for key in EXCUSED.get(table, {}):
        columns.pop(key, None)
    return columns


TABLES = ["processes", "lanes", "slices", "operators", "modules", "launches", "device_work", "work_facts", "collectives", "steps",
          "memory_events", "memory_usage", "reported_steps", "reported_operators", "communications", "transfers", "flows", "counters"]


@pytest.mark.parametrize("table", TABLES)
def test_tables_are_equal(pair, table):
    text, data = (rows(folder, table) for folder in pair)
    assert set(text) == set(data)
    if table == "work_facts":  # in the order of a text's columns, or of a database's tables
        text, data = (sorted(zip(columns["slice"], columns["name"], columns["number"], columns["text"]), key=str) for columns in (text, data))
        assert text == data and len(text) == 6
        return
    for column in text:
        assert text[column] == data[column], column
    if table not in ("reported_operators", "flows"):
        assert any(len(values) for values in text.values()), "nothing was compared"


def test_reports_are_equal(pair):
    """All views; a view with nothing to show gives the same reason for both."""
    _, listed, _ = run("views")
    views = [line for line in listed.splitlines() if line and not line.startswith(" ")]
    assert {"overview", "operators", "kernels", "memory"} <= set(views)
    different, shown = [], set()
    for view in views:
        answers = []
        for folder in pair:
            code, out, error = run("report", folder, "--view", view, "--format", "json", "--no-cache")
            shown |= {view} if code == 0 else set()
            answers.append(reduced(json.loads(out.replace(str(folder), ""))) if code == 0 else error.replace(str(folder), ""))
        if answers[0] != answers[1]:
            different.append((view, difference(*answers)))
    assert not different, different
    assert {"overview", "operators", "kernels", "memory", "modules", "call_tree"} <= shown


def reduced(report):
    """Without the file's number of events and its path, and without the number of interned texts."""
    for panel in report.get("panels", ()):
        panel["facts"] = [fact for fact in panel.get("facts", ()) if fact.get("label") not in ("Events", "File")]
    if report["view"] == "metadata":
        columns = {column["key"]: column["values"] for column in report["tables"]["columns"]["columns"]}
        columns["rows"][columns["table"].index("strings")] = None
    return report


def difference(a, b, path=""):
    """The first difference of two reports."""
    if isinstance(a, dict) and isinstance(b, dict):
        for key in sorted(set(a) | set(b)):
            if a.get(key) != b.get(key):
                return difference(a.get(key), b.get(key), f"{path}/{key}")
    if isinstance(a, list) and isinstance(b, list) and len(a) == len(b):
        for i, (x, y) in enumerate(zip(a, b)):
            if x != y:
                return difference(x, y, f"{path}/{i}")
    return f"{path}: {a} and {b}"


SAMPLES = HERE.parents[2] / "shared" / "samples" / "ascend"
OF_ONE_KIND = ("msinsight_text_level1/level1/*rank0*", "msinsight_db_level2/level2/*rank0*")


@pytest.mark.skipif(not SAMPLES.exists(), reason=f"no samples at {SAMPLES}")
def test_real_exports_of_one_kind_of_run_have_the_same_structure():
    """Two recordings of one program, one as text and one as a database: the same panels with the same columns, and the same lanes
    except counters, of which a database has others, in other units. Only the text has files of sums (op_statistic.csv)."""
    folders = [next(SAMPLES.glob(pattern)) for pattern in OF_ONE_KIND]
    _, listed, _ = run("views")
    shown = 0
    for view in [line for line in listed.splitlines() if line and not line.startswith(" ")]:
        answers = []
        for folder in folders:
            code, out, error = run("report", folder, "--view", view, "--format", "json", "--no-cache")
            answers.append(structure(json.loads(out)) if code == 0 else error.replace(str(folder), ""))
            shown += code == 0
        if view == "reported_sums":
            assert answers[1] == "sightline: Reported sums: the file reports no totals of calls\n" != answers[0]
        else:
            assert answers[0] == answers[1], view
    assert shown > 10
    question = (
        "SELECT DISTINCT p.name, CASE WHEN l.name LIKE 'Thread %' OR l.name LIKE 'Stream %' THEN substr(l.name, 1, 6) ELSE l.name END "
        "FROM lanes l JOIN processes p ON p.id = l.process WHERE l.kind <> 'counter' AND p.name <> 'Overlap Analysis' ORDER BY 1, 2"
    )
    lanes = [run("query", folder, question, "--format", "csv") for folder in folders]
    assert lanes[0] == lanes[1] and lanes[0][0] == 0 and "Plane 7" in lanes[0][1]


def structure(report):
    panels = [(panel["id"], panel["kind"]) for panel in report["panels"]]
    columns = {key: [column["key"] for column in table["columns"]] for key, table in report["tables"].items()}
    if "kernels" in columns:  # the profiler's kernel counters have a column for each of their names
        columns["kernels"] = [key for key in columns["kernels"] if not key.startswith(("mean_", "fact_"))]
    if report["view"] == "critical_path":  # modules are listed where one is on the path, which differs between two runs
        panels = [panel for panel in panels if panel[0] != "modules"]
        columns.pop("modules", None)
    return panels, columns
