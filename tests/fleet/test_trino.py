"""`fleet commit --engine trino:...` on a real cluster, whose workers and coordinator are killed: the answer of DuckDB or none."""
import json
import shutil
import subprocess
import threading
import time

import pytest

from conftest import assert_equal_lakes, done
from program import PROGRAM, environment
from trino import Trino


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    folder = tmp_path_factory.mktemp("trino")
    (folder / "root").mkdir()
    made = Trino(folder / "nodes", folder / "root", workers=2)
    yield made
    made.stop()


def mapped(cluster, job, name, shards=4):
    """A lake below the cluster's folder that is mapped and not committed, and the options for its commit."""
    lake = cluster.root / name
    for shard in range(shards):
        done("map", job, "--shard", f"{shard}/{shards}", "-o", lake, "--capture", "job")
    done("map", job, "--shard", f"{shards - 1}/{shards}", "-o", lake, "--capture", "job")  # a second attempt, which must not count twice
    return lake, ("fleet", "commit", lake, "--capture", "job", "--engine", f"trino:{cluster.address}", "--engine-lake", f"local:///{name}")


def schemas(cluster):
    return [name for (name,) in cluster.query("SHOW SCHEMAS") if name.startswith("sightline")]


def test_every_cell_equals_that_of_duckdb(cluster, job, reduced_here):
    lake, commit = mapped(cluster, job, "equal")
    assert done(*commit, "--parts", 3) == "committed: capture job, round 1, 64 ranks of 4 shards\n"
    assert_equal_lakes(lake, reduced_here)
    committed = json.loads((lake / "manifests" / "capture=job" / "COMMITTED.json").read_text())
    counts = {table: sum(file["rows"] for file in files) for table, files in committed["tables"].items()}
    here = json.loads((reduced_here / "manifests" / "capture=job" / "COMMITTED.json").read_text())
    assert counts == {table: sum(file["rows"] for file in files) for table, files in here["tables"].items()}
    assert schemas(cluster) == []
    assert done(*commit).startswith("committed already: ")


def test_a_folder_that_the_cluster_sees_differently_is_an_error(cluster, job):
    lake, commit = mapped(cluster, job, "elsewhere", 1)
    (cluster.root / "empty" / "data").mkdir(parents=True)
    for table in lake.joinpath("data").iterdir():
        (cluster.root / "empty" / "data" / table.name / "capture=job").mkdir(parents=True)
    said = done(*commit[:-1], "local:///empty", code=65)
    assert "name the lake's address on the cluster with --engine-lake" in said
    assert not (lake / "manifests" / "capture=job" / "COMMITTED.json").exists() and schemas(cluster) == []


def test_a_wrong_engine_is_named(job, cluster):
    lake, commit = mapped(cluster, job, "wrong", 1)
    assert "not an engine such as trino:" in done(*commit[:6], "spark://host", code=65)
    assert "lake's address on the cluster" in done(*commit[:7], code=65)
    assert "no_such_catalog" in done(*commit[:6], f"trino:{cluster.address[:-4]}no_such_catalog", *commit[7:], code=65)


def running(cluster):
    return cluster.query("SELECT count(*) FROM system.runtime.tasks WHERE state = 'RUNNING'")[0][0]


def test_a_worker_that_is_killed_changes_nothing(cluster, job, reduced_here):
    lake, commit = mapped(cluster, job, "killed")
    process = subprocess.Popen([str(PROGRAM), *map(str, commit)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment())
    while not list((cluster.root / "metastore").glob("sightline_*/sums")):  # in the middle of the reduction
        assert process.poll() is None, process.communicate()[0]
        time.sleep(0.05)
    assert process.poll() is None
    cluster.nodes[2].kill()
    said, _ = process.communicate(timeout=600)
    assert process.returncode == 0, said
    assert_equal_lakes(lake, reduced_here)
    cluster.nodes[2].start()
    cluster.wait(2)


def test_a_cluster_that_dies_is_a_clean_error_and_another_attempt_succeeds(cluster, job, reduced_here):
    lake, commit = mapped(cluster, job, "dies")
    process = subprocess.Popen([str(PROGRAM), *map(str, commit)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment())
    while not list((cluster.root / "metastore").glob("sightline_*/sums")):
        assert process.poll() is None, process.communicate()[0]
        time.sleep(0.05)
    cluster.nodes[0].kill()
    said, _ = process.communicate(timeout=120)
    assert process.returncode == 75 and "the engine does not answer" in said, said
    assert not (lake / "manifests" / "capture=job" / "COMMITTED.json").exists()
    cluster.nodes[0].start()
    cluster.wait(2)
    assert done(*commit).startswith("committed: ")
    assert_equal_lakes(lake, reduced_here)
