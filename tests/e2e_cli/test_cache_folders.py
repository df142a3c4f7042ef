"""Captures that are folders in the cache: identified by the files that were read, and read again when one of them changes."""
import dataclasses
import json
import os
import pathlib
import shutil
import sqlite3
import time

import pytest

from ascend_export import Block, Operator, Run, Task
from program import Server, needs_program, sightline

pytestmark = needs_program

RUN = Run(
    step=(3, 0, 400_000),
    operators=[Operator("linear", 20_000, 50_000, [0])],
    tasks=[Task("MatMul", "AI_CORE", 140_003, 7_500)],
    blocks=[Block("linear", 2048, 21_000, 300_000)],
)
OUTPUT = "ASCEND_PROFILER_OUTPUT"


@pytest.fixture
def cache(tmp_path):
    return str(tmp_path / "cache")


@pytest.fixture(params=("text", "database"))
def worker(request, tmp_path):
    folder = tmp_path / "run" / "host_rank0_20260101_ascend_pt"
    (RUN.write_text if request.param == "text" else RUN.write_database)(folder)
    (folder / "PROF_1").mkdir()
    (folder / "PROF_1" / "raw").write_text("not looked at")
    time.sleep(0.06)  # the identities of files that were just written are not trusted
    return folder


def ingest(cache, *paths):
    done = sightline("ingest", *paths, "--json", SIGHTLINE_CACHE_DIR=cache)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def report(path, cache, *more, view="operators"):
    done = sightline("report", path, "--view", view, "--format", "json", *more, SIGHTLINE_CACHE_DIR=cache)
    assert done.returncode == 0, done.stderr
    return done.stdout


def state_of_source(cache):
    (entry,) = json.loads(sightline("list", "--json", SIGHTLINE_CACHE_DIR=cache).stdout)
    return entry["source"]


def replaced(file, text):
    """Other content with the same size and the same time of change."""
    looks = file.stat()
    assert len(text) == looks.st_size
    file.write_text(text)
    os.utime(file, ns=(looks.st_atime_ns, looks.st_mtime_ns))


def test_a_folder_is_read_once(worker, cache):
    (entry,) = ingest(cache, worker)
    files = [file for file in worker.rglob("*") if file.is_file() and file.name != "raw"]
    assert entry["path"] == str(worker) and entry["worker"] == "host_rank0" and entry["source"] == "there"
    assert entry["bytes"] == sum(file.stat().st_size for file in files)
    assert ingest(cache, worker.parent)[0]["read_at"] == entry["read_at"], "it is not read again"
    for view in ("overview", "operators", "kernels", "memory", "problems"):
        assert report(worker, cache, view=view) == report(worker, cache, "--no-cache", view=view), view
    (worker / "PROF_1" / "raw").write_text("still not looked at")
    assert ingest(cache, worker)[0]["read_at"] == entry["read_at"], "no reader looks at raw data"
    assert sightline("remove", worker, SIGHTLINE_CACHE_DIR=cache).stdout == "removed 1 profile\n"


def test_a_copy_is_known_and_another_folder_is_not(worker, cache, tmp_path):
    (first,) = ingest(cache, worker)
    copy = shutil.copytree(worker, tmp_path / "elsewhere" / worker.name)
    (second,) = ingest(cache, copy)
    assert second["key"] == first["key"] and second["read_at"] == first["read_at"]
    other = tmp_path / "other" / "host_rank1_20260101_ascend_pt"
    dataclasses.replace(RUN, rank=1).write_text(other)
    assert ingest(cache, other)[0]["key"] != first["key"]


def test_a_file_that_changes_comes_or_goes_is_noticed(worker, cache):
    before = report(worker, cache)
    ingest(cache, worker)
    info = worker / "profiler_info_0.json"
    replaced(info, info.read_text().replace("0", "7"))
    assert state_of_source(cache) == "changed"
    (changed,) = ingest(cache, worker)
    assert json.loads(sightline("query", worker, "SELECT 1", "--format", "json", SIGHTLINE_CACHE_DIR=cache).stdout)
    assert report(worker, cache, view="operators") == report(worker, cache, "--no-cache") == before
    added = worker / OUTPUT / "npu_module_mem.csv"
    added.write_text("Component,Timestamp(us),Total Reserved(KB),Device\nSLOG,1736408883700005.000\t,4,NPU:0\n")
    (more,) = ingest(cache, worker)
    added.unlink()
    (less,) = ingest(cache, worker)
    assert len({changed["key"], more["key"]}) == 2 and less["key"] == changed["key"]
    shutil.rmtree(worker)
    assert "gone" in {entry["source"] for entry in json.loads(sightline("list", "--json", SIGHTLINE_CACHE_DIR=cache).stdout)}


def test_a_database_that_is_named_directly_is_read_with_its_log(tmp_path, cache):
    RUN.write_database(tmp_path / "w_1_ascend_pt")
    database = tmp_path / "w_1_ascend_pt" / OUTPUT / "ascend_pytorch_profiler_0.db"
    (alone,) = ingest(cache, database)
    writer = sqlite3.connect(database)
    writer.execute("PRAGMA journal_mode = WAL")
    writer.execute("PRAGMA wal_autocheckpoint = 0")

    def rename(old, new):
        writer.execute("UPDATE STRING_IDS SET value = ? WHERE value = ?", (new, old))
        writer.commit()
        (entry,) = ingest(cache, database)
        assert f'"{new}"' in report(database, cache) and report(database, cache) == report(database, cache, "--no-cache")
        return entry["key"]

    assert len({alone["key"], rename("linear", "second"), rename("second", "third")}) == 3
    writer.close()
    pathlib.Path(f"{database}-journal").write_bytes(b"unfinished")
    assert "unfinished_database" in report(database, cache, view="problems")


def test_the_catalogue_serves_a_removed_folder(worker, cache):
    ingest(cache, worker)
    expected = report(worker, cache, "--no-cache")
    shutil.rmtree(worker)
    with Server("--port", 0, SIGHTLINE_CACHE_DIR=cache) as server:
        server.loaded_state()
        assert server.get("/api/report?run=run&view=operators")[2].decode() == expected.strip()
