"""Lakes with profile files of their ranks: a timeline opens without the trace, as it would from the trace."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import urllib.parse

import pyarrow
import pyarrow.ipc
import pyarrow.parquet
import pytest

from program import ROOT, Server, needs_program, sightline
from roles_job import written

pytestmark = needs_program
RANKS = 3
TABLES = ("slices", "lanes", "kernels", "collectives", "steps", "launches", "problems")
FELL_BACK = "the lake has a profile file of this rank that cannot be used, so its trace was read"


def done(*arguments, code=0):
    finished = sightline(*arguments)
    assert finished.returncode == code, (finished.returncode, finished.stdout, finished.stderr)
    return finished.stdout + finished.stderr


def mapped(runs, lake, *more):
    done("map", runs, "-o", lake, "--capture", "job", *more)
    assert done("fleet", "commit", lake, "--capture", "job").startswith("committed: ")
    return lake


@pytest.fixture
def job(tmp_path):
    folder = tmp_path / "job"
    make = [sys.executable, ROOT / "bench" / "make_ranks.py", str(RANKS), folder, "--steps", "2", "--layers", "2", "--kernels", "3"]
    subprocess.run(make, check=True, capture_output=True)
    return folder


@pytest.fixture
def lake(job, tmp_path):
    return mapped(job, tmp_path / "lake", "--with-profiles")


def profile_files(lake):
    return sorted(lake.glob("profiles/capture=job/rank=*/*.arrow"))


def shown(server, source):
    """What the page opens for a rank, its rows and its lanes."""
    server.loaded_state()
    status, opened = server.json("/api/open", "POST", json.dumps({"path": str(source)}), Content_Type="application/json")
    if status != 200:
        return opened["error"]["message"]
    server.loaded_state()
    (place,) = opened["profiles"]
    query = lambda table: server.json("/api/query?" + urllib.parse.urlencode({**place, "sql": f"SELECT * FROM {table}"}))
    rows = {table: query(table) for table in TABLES}
    assert {status for status, _ in rows.values()} == {200}, rows
    status, timeline = server.json("/api/timeline?" + urllib.parse.urlencode(place))
    assert status == 200
    return place, {table: report["tables"] for table, (_, report) in rows.items()}, timeline["groups"]


def opened_in(lake, source, cache, *more):
    """The same by a server of its own, and what that says at its end."""
    with Server(lake, "--port", "0", *more, SIGHTLINE_CACHE_DIR=str(cache)) as server:
        return shown(server, source), server.end()[1]


def source_of(lake, rank=1):
    return pathlib.Path(done("query", lake, f"SELECT source FROM ranks WHERE id = {rank}", "--format", "csv").splitlines()[1])


def test_a_rank_opens_without_its_trace_and_with_equal_rows(job, lake, tmp_path):
    assert len(profile_files(lake)) == RANKS
    source = source_of(lake)
    plain = mapped(job, tmp_path / "plain")
    from_trace, _ = opened_in(plain, source, tmp_path / "one")
    shutil.move(job, tmp_path / "away")
    from_lake, said = opened_in(lake, source, tmp_path / "two")
    assert from_lake == from_trace and said == ""
    again, _ = opened_in(lake, source, tmp_path / "two")  # from the cache
    assert again == from_trace
    assert "no such file" in opened_in(plain, source, tmp_path / "three")[0]


def test_without_the_option_no_profile_is_written(job, tmp_path):
    plain = mapped(job, tmp_path / "plain")
    assert not (plain / "profiles").exists()
    assert done("query", plain, "SELECT count(profile) AS n FROM ranks", "--format", "csv").splitlines()[1] == "0"
    assert "profiles" not in json.loads((plain / "manifests" / "capture=job" / "COMMITTED.json").read_text())


def damaged(file):
    data = bytearray(file.read_bytes())
    for at in range(len(data) // 4, len(data), len(data) // 16):
        data[at] ^= 0x55
    file.write_bytes(data)


def foreign(file):
    """The columns, as another program might write them."""
    table = pyarrow.ipc.open_file(file.read_bytes()).read_all().replace_schema_metadata(None)
    with pyarrow.ipc.new_file(file, table.schema) as out:
        out.write(table)


@pytest.mark.parametrize("spoil", [damaged, foreign, lambda file: file.write_bytes(b""), lambda file: os.truncate(file, 5000)],
                         ids=["damaged", "foreign", "empty", "cut"])
def test_a_file_that_cannot_be_used_falls_back_to_the_trace(lake, tmp_path, spoil):
    source = source_of(lake)
    right, _ = opened_in(lake, source, tmp_path / "one")
    spoil(profile_files(lake)[1])
    fallen, said = opened_in(lake, source, tmp_path / "two")
    assert fallen == right and FELL_BACK in said
    source.unlink()
    message = opened_in(lake, source, tmp_path / "three")[0]
    assert "no such file" in message and "its profile file in the lake cannot be used" in message


def test_a_file_that_is_gone_is_not_needed(lake, tmp_path):
    right, _ = opened_in(lake, source_of(lake), tmp_path / "one")
    shutil.rmtree(lake / "profiles")
    assert opened_in(lake, source_of(lake), tmp_path / "two") == (right, "")


def test_without_a_cache_the_trace_is_read(lake, tmp_path):
    right, _ = opened_in(lake, source_of(lake), tmp_path / "one")
    assert opened_in(lake, source_of(lake), tmp_path / "two", "--no-cache") == (right, "")


def test_the_cache_does_not_take_a_lakes_file_for_the_trace(lake, tmp_path):
    """Whoever can write into a lake does not decide what a trace is shown as elsewhere."""
    source, cache = source_of(lake), tmp_path / "cache"
    statement = (source, "SELECT sum(start), count(*) FROM slices", "--format", "csv")
    right = done("query", *statement, "--no-cache")
    files = profile_files(lake)
    shutil.copy(files[0], files[1])
    assert opened_in(lake, source, cache)[0] != opened_in(lake, source, tmp_path / "none", "--no-cache")[0]
    assert sightline("query", *statement, SIGHTLINE_CACHE_DIR=str(cache)).stdout == right
    assert done("query", next(source.parent.glob("*_4000.*")), *statement[1:], "--no-cache") != right


def test_paths_that_lead_out_of_the_lake_are_refused(lake, tmp_path):
    source = source_of(lake)
    right, _ = opened_in(lake, source, tmp_path / "one")
    outside = tmp_path / "outside.arrow"
    shutil.copy(profile_files(lake)[0], outside)  # of another rank
    file = next(lake.glob("data/ranks/capture=job/reduced/*.parquet"))
    table = pyarrow.parquet.ParquetFile(file).read()
    at = table.column_names.index("profile")
    for path in (str(outside), "../outside.arrow", "profiles/../../outside.arrow", f"profiles/file://{outside}", "s3://bucket/x.arrow"):
        pyarrow.parquet.write_table(table.set_column(at, "profile", pyarrow.array([path] * RANKS)), file)
        fallen, said = opened_in(lake, source, tmp_path / "two")
        assert fallen == right and "does not lead into the lake" in said, path


def test_old_captures_lose_their_profiles(lake, tmp_path):
    source = source_of(lake)
    files = profile_files(lake)
    done("map", source.parent, "-o", lake, "--capture", "job", "--with-profiles")  # an attempt that does not count
    others = set(profile_files(lake)) - set(files)
    assert len(others) == RANKS
    assert "removed: " in done("fleet", "clean", lake, "--older-than", "0s")
    assert profile_files(lake) == files
    listed = done("fleet", "clean", lake, "--older-than", "0s", "--drop", "profiles", "--dry-run").splitlines()
    assert profile_files(lake) == files
    removed = done("fleet", "clean", lake, "--older-than", "0s", "--drop", "profiles").splitlines()
    assert removed[:-1] == listed[:-1] == [str(file.relative_to(lake)) for file in files]
    assert profile_files(lake) == []
    assert len(opened_in(lake, source, tmp_path / "cache")[0]) == 3


def test_equal_traces_give_equal_files(job, lake, tmp_path):
    again = mapped(job, tmp_path / "again", "--with-profiles")
    assert [file.read_bytes() for file in profile_files(again)] == [file.read_bytes() for file in profile_files(lake)]
    manifest = json.loads(next(again.glob("manifests/capture=job/0*.json")).read_text())
    assert [(file["path"], file["bytes"]) for file in manifest["profiles"]] == [
        (str(file.relative_to(again)), file.stat().st_size) for file in profile_files(again)]


def test_the_rank_of_a_role_keeps_its_names(tmp_path):
    lake = mapped(written(tmp_path / "training"), tmp_path / "lake", "--with-profiles")
    where = done("query", lake, "SELECT source FROM ranks WHERE worker = 'rollout rank0'", "--format", "csv").splitlines()[1]
    os.unlink(where)
    (place, _, _), _ = opened_in(lake, where, tmp_path / "cache")
    assert (place["run"], place["worker"]) == ("training", "rollout rank0")
