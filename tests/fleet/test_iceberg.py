"""`python -m sightline.fleet register` adds the files of a lake to Iceberg tables once, also when several callers register at the same time."""
import concurrent.futures
import json
import subprocess

import pytest

from conftest import PYTHON, done, fleet


@pytest.fixture
def catalog(tmp_path):
    return ("--catalog", "test", "--property", "type=sql", "--property", f"uri=sqlite:///{tmp_path}/catalog.db", "--property", f"warehouse=file://{tmp_path}/warehouse")


def read(tmp_path, code):
    """What pyiceberg says about the tables, as JSON."""
    opened = f"""
import json
from pyiceberg.catalog import load_catalog
catalog = load_catalog("test", type="sql", uri="sqlite:///{tmp_path}/catalog.db", warehouse="file://{tmp_path}/warehouse")
print(json.dumps({code}))
"""
    ended = subprocess.run([str(PYTHON), "-c", opened], capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr
    return json.loads(ended.stdout)


def counted(tmp_path, table):
    return read(tmp_path, f"(lambda t: [len(t.metadata.snapshots), t.scan().to_arrow().num_rows])(catalog.load_table('sightline.{table}'))")


def test_eight_that_register_at_once_give_one_snapshot(reduced_here, catalog, tmp_path):
    arguments = ("register", reduced_here, "--capture", "job", *catalog)
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: fleet(*arguments), range(8)))
    assert {answer.returncode for answer in answers} == {0}, [answer.stderr for answer in answers]
    for table in ("collectives", "rank_steps", "captures"):
        said = [line for answer in answers for line in answer.stdout.splitlines() if line.startswith(f"{table}: ")]
        assert sum("already" not in line for line in said) == 1 and len(said) == 8
    committed = json.loads((reduced_here / "manifests" / "capture=job" / "COMMITTED.json").read_text())
    for table in ("collectives", "rank_steps", "captures"):
        assert counted(tmp_path, table) == [1, sum(file["rows"] for file in committed["tables"][table])]


def test_values_and_the_capture_are_those_of_the_lake(reduced_here, catalog, tmp_path):
    assert fleet("register", reduced_here, "--capture", "job", *catalog).returncode == 0
    rows = read(tmp_path, "(lambda r: [len(r), sum(x['waiting'] for x in r), sorted({x['capture_id'] for x in r})])"
                          "(catalog.load_table('sightline.rank_steps').scan(row_filter=\"capture_id == 'job'\").to_arrow().to_pylist())")
    ours = done("query", reduced_here, "SELECT count(*) AS n, sum(waiting) AS s FROM rank_steps", "--format", "csv").split()[-1].split(",")
    assert rows == [int(ours[0]), int(float(ours[1])), ["job"]]


def test_late_ranks_replace_what_was_registered(job, catalog, tmp_path):
    lake = tmp_path / "lake"
    done("map", job, "--shard", "0/2", "-o", lake, "--capture", "job")
    done("fleet", "commit", lake, "--capture", "job", "--partial")
    assert fleet("register", lake, "--capture", "job", *catalog).returncode == 0
    assert counted(tmp_path, "ranks")[1] == 32
    done("map", job, "--shard", "1/2", "-o", lake, "--capture", "job")
    done("fleet", "commit", lake, "--capture", "job")
    ended = fleet("register", lake, "--capture", "job", *catalog)
    assert ended.returncode == 0, ended.stderr
    assert counted(tmp_path, "ranks")[1] == 64 and counted(tmp_path, "captures")[1] == 1


def test_a_capture_that_is_not_committed_is_named(job, catalog, tmp_path):
    ended = fleet("register", tmp_path, "--capture", "none", *catalog)
    assert ended.returncode != 0 and "the capture is not committed" in ended.stderr
