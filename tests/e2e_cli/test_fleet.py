"""Lakes: ranks are mapped in shards, committed once, and answer as the profiles themselves do."""
import concurrent.futures
import csv
import io
import json
import os
import subprocess
import sys
import time

import pyarrow
import pyarrow.parquet
import pytest
import xxhash

from program import PROGRAM, ROOT, environment, needs_program, sightline

pytestmark = needs_program
RANKS = 24


def done(*arguments, code=0):
    finished = sightline(*arguments)
    assert finished.returncode == code, (finished.returncode, finished.stdout, finished.stderr)
    return finished.stdout + finished.stderr


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("fleet") / "job"
    make = [sys.executable, ROOT / "bench" / "make_ranks.py", str(RANKS), folder, "--steps", "3", "--layers", "2", "--kernels", "3"]
    subprocess.run(make, check=True, capture_output=True)
    return folder


def map_all(runs, lake, shards, *more):
    for shard in range(shards):
        done("map", runs, "--shard", f"{shard}/{shards}", "-o", lake, "--capture", "job", *more)


@pytest.fixture(scope="module")
def lake(runs, tmp_path_factory):
    made = tmp_path_factory.mktemp("lake")
    map_all(runs, made, 4)
    assert done("fleet", "commit", made, "--capture", "job") == f"committed: capture job, round 1, {RANKS} ranks of 4 shards\n"
    return made


def rows(path, view, *more):
    return list(csv.DictReader(io.StringIO(sightline("report", path, "--view", view, "--format", "csv", *more).stdout)))


def named(row):
    """Without the units in the titles of columns."""
    return {key.split(" (")[0]: value for key, value in row.items()}


def same(ours, theirs, keys):
    assert len(ours) == len(theirs) > 0
    for one, other in zip(ours, theirs):
        a, b = named(one), named(other)
        assert {key: a[key] for key in keys} == {key: b[key] for key in keys}


TIMES = ("computation", "overlap", "communication", "other", "total", "transfer", "waiting", "unmatched", "caused", "delay", "last", "outlying")


@pytest.mark.parametrize("step", ["", "1"])
def test_every_cell_equals_the_view_of_the_profiles(runs, lake, step):
    ours, theirs = ("--param", f"number={step}"), ("--param", f"step={step}")
    distributed = lambda table: rows(runs, "distributed", "--table", table, *theirs)
    same(rows(lake, "fleet_ranks", *ours), distributed("workers"), ("worker", "rank", *TIMES, "steps"))
    waits = ("kind", "group", "sequence", "step", "worker", "waited", "longest", "delay", "transfer", "ranks")
    same(rows(lake, "fleet_waits", *ours), distributed("waits"), waits)
    sums = ("kind", "group", "ranks", "size", "collectives", "transfer_mean", "waited_mean", "algorithm_bandwidth", "bus_bandwidth",
            "best_bus_bandwidth")
    in_order = lambda table: sorted(table, key=lambda row: (row["kind"], named(row)["size"]))
    same(in_order(rows(lake, "fleet_bandwidth", *ours)), in_order(distributed("bandwidth")), sums)


def test_the_steps_of_each_rank_equal_too(runs, lake):
    sql = ("SELECT r.worker, s.number AS step, s.* EXCLUDE (rank_id, step, number) FROM rank_steps s JOIN ranks r ON r.id = s.rank_id "
           "ORDER BY r.rank, s.step")
    ours = list(csv.DictReader(io.StringIO(done("query", lake, sql, "--format", "csv"))))
    theirs = rows(runs, "distributed", "--table", "worker_steps")
    as_numbers = lambda row: {key: float(row[key]) for key in TIMES}
    assert [as_numbers(row) for row in ours] == [as_numbers(named(row)) for row in theirs]


def test_the_same_input_gives_the_same_bytes(runs, lake, tmp_path):
    map_all(runs, tmp_path, 4)
    content = lambda folder: {str(f.parent.relative_to(folder)): f.read_bytes() for f in folder.glob("data/*/*/shard=*/*.parquet")}
    assert content(tmp_path) == content(lake) and len(content(lake)) > 20


@pytest.mark.parametrize("parts", [2, 7])
def test_the_number_of_parts_changes_no_value(runs, lake, tmp_path, parts):
    map_all(runs, tmp_path, 4)
    done("fleet", "commit", tmp_path, "--capture", "job", "--parts", parts)
    tables = [folder.name for folder in lake.glob("data/*") if list(folder.glob("*/reduced/*.parquet"))]
    assert {"matches", "members", "rank_steps", "captures"} <= set(tables)
    for table in tables:
        content = lambda made: done("query", made, f"SELECT * FROM {table} ORDER BY ALL", "--format", "csv")
        assert content(tmp_path) == content(lake), table


def test_one_of_many_committers_publishes_and_the_others_agree(runs, tmp_path):
    map_all(runs, tmp_path, 2)
    done("map", runs, "--shard", "1/2", "-o", tmp_path, "--capture", "job")  # a second attempt at a shard
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda _: done("fleet", "commit", tmp_path, "--capture", "job"), range(4)))
    assert sum(answer.startswith("committed: ") for answer in answers) == 1
    assert sum(answer.startswith("committed already: ") for answer in answers) == 3
    assert rows(tmp_path, "fleet_ranks")[RANKS - 1]["worker"] == rows(runs, "distributed", "--table", "workers")[RANKS - 1]["worker"]
    committed = json.loads((tmp_path / "manifests" / "capture=job" / "COMMITTED.json").read_text())
    assert [file["rows"] for file in committed["tables"]["ranks"]] == [RANKS]  # one file, from those of the shards
    assert sum(file["rows"] for file in committed["gathered"]) == RANKS
    named_files = {file["path"] for files in [committed["gathered"], *committed["tables"].values()] for file in files}
    removed = done("fleet", "clean", tmp_path, "--older-than", "0s").splitlines()[:-1]
    assert removed and not named_files & set(removed)
    there = {str(file.relative_to(tmp_path)) for file in tmp_path.glob("data/**/*.parquet")}
    assert there == named_files
    assert len(rows(tmp_path, "fleet_ranks")) == RANKS


def test_a_partial_capture_says_so_until_the_rest_has_come(runs, tmp_path):
    done("map", runs, "--shard", "0/2", "-o", tmp_path, "--capture", "job")
    assert "1 of 2 shards are missing: 1" in done("fleet", "commit", tmp_path, "--capture", "job", code=75)
    assert "partial: 12 ranks and 1 shards are missing" in done("fleet", "commit", tmp_path, "--capture", "job", "--partial")
    assert "partial, 12 ranks missing" in done("fleet", "list", tmp_path)
    assert "12 ranks of the job are not in this capture" in done("report", tmp_path, "--view", "problems")
    assert [row["state"] for row in map(named, rows(tmp_path, "fleet_capture"))] == ["missing"] * 12
    done("fleet", "clean", tmp_path, "--older-than", "0s")
    done("map", runs, "--shard", "1/2", "-o", tmp_path, "--capture", "job")
    assert "committed: capture job, round 2, 24 ranks of 2 shards\n" == done("fleet", "commit", tmp_path, "--capture", "job")
    assert len(rows(tmp_path, "fleet_ranks")) == RANKS


def test_a_damaged_rank_is_a_row_of_problems(runs, tmp_path):
    broken = tmp_path / "job"
    broken.mkdir()
    for index, file in enumerate(sorted(runs.iterdir())[:8]):
        data = file.read_bytes()
        (broken / file.name).write_bytes(b"no trace" if index == 2 else data[: len(data) // 2] if index == 5 else data)
    made = tmp_path / "lake"
    assert "8 of 8 ranks, 1 failed" in done("map", broken, "-o", made, "--capture", "job")
    done("fleet", "commit", made, "--capture", "job")
    states = [named(row)["state"] for row in rows(made, "fleet_capture")]
    assert states.count("failed") == 1 and states.count("partial") == 1 and states.count("missing") == RANKS - 7


def test_bytes_that_are_not_those_of_the_manifest_do_not_count(runs, lake, tmp_path):
    map_all(runs, tmp_path, 2)
    file = next(tmp_path.glob("data/collectives/capture=job/shard=00001/*.parquet"))
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 1
    file.write_bytes(data)
    said = done("fleet", "commit", tmp_path, "--capture", "job", code=75)
    assert "1 of 2 shards are missing: 1" in said and f"damaged: {file.relative_to(tmp_path)}" in said
    done("map", runs, "--shard", "1/2", "-o", tmp_path, "--capture", "job")
    done("fleet", "commit", tmp_path, "--capture", "job")
    assert rows(tmp_path, "fleet_waits") == rows(lake, "fleet_waits")


def written_again(lake, change):
    """The files of a lake as another version of the program would have written them: `change` gives the columns of a table."""
    for path in lake.glob("manifests/capture=job/0*.json"):
        manifest = json.loads(path.read_text())
        for table, files in manifest["tables"].items():
            for file in files:
                data = change(table, pyarrow.parquet.ParquetFile(lake / file["path"]).read())
                pyarrow.parquet.write_table(data, lake / file["path"])
                data = (lake / file["path"]).read_bytes()
                file |= {"bytes": len(data), "xxh3": xxhash.xxh3_64_hexdigest(data)}
        path.write_text(json.dumps(manifest | {"schema": "another"}))


def test_lakes_of_older_and_newer_versions_can_be_read(runs, lake, tmp_path):
    map_all(runs, tmp_path, 2)
    without = {"ranks": ["rack", "switch", "profile", "role"]}  # added to the first version's columns
    more = lambda table: table.append_column("of_the_future", pyarrow.array([1] * table.num_rows))
    written_again(tmp_path, lambda name, table: more(table.drop_columns(without.get(name, []))))
    done("fleet", "commit", tmp_path, "--capture", "job")
    for view in ("fleet_ranks", "fleet_waits", "fleet_bandwidth", "fleet_links", "fleet_kernels"):
        assert rows(tmp_path, view) == rows(lake, view)
    assert {row["name"] for row in map(named, rows(tmp_path, "fleet", "--param", "rows=rack"))} == {"unknown"}


def test_a_column_that_the_reduction_needs_is_named(runs, tmp_path):
    map_all(runs, tmp_path, 2)
    written_again(tmp_path, lambda name, table: table.drop_columns(["apart"]) if name == "collectives" else table)
    assert "the table collectives has no column apart" in done("fleet", "commit", tmp_path, "--capture", "job", code=65)


def test_shards_of_two_versions_are_not_mixed(runs, tmp_path):
    map_all(runs, tmp_path, 3)
    for path in tmp_path.glob("manifests/capture=job/00002.*.json"):
        path.write_text(json.dumps(json.loads(path.read_text()) | {"schema": "another"}))
    assert "1 of 3 shards are missing: 2" in done("fleet", "commit", tmp_path, "--capture", "job", code=75)


def test_racks_and_switches_come_from_the_sites_list(runs, tmp_path):
    places = tmp_path / "hosts.csv"
    places.write_text('host, switch, rack, remark\nnode000,s1,r1,\n"node001",s1,r2,new\nnode002,s2,,\n')
    done("map", runs, "-o", tmp_path, "--capture", "job", "--topology", places)
    done("fleet", "commit", tmp_path, "--capture", "job")
    places_of = lambda kind: {row["name"]: row["ranks"] for row in map(named, rows(tmp_path, "fleet", "--param", f"rows={kind}"))}
    assert places_of("rack") == {"r1": "8", "r2": "8", "unknown": "8"}
    assert places_of("switch") == {"s1": "16", "s2": "8"}
    places.write_text("host,rack\nnode000\n")
    assert "hosts.csv: line 2 has another number of cells" in done("map", runs, "-o", tmp_path, "--topology", places, code=65)
    places.write_text("name,rack\nnode000,r1\n")
    assert "no column `host`" in done("map", runs, "-o", tmp_path, "--topology", places, code=65)


def test_old_captures_lose_their_large_tables_or_all(runs, lake, tmp_path):
    for capture in ("old", "new"):
        done("map", runs, "-o", tmp_path, "--capture", capture)
        done("fleet", "commit", tmp_path, "--capture", capture)
    age = time.time() - 100 * 86_400
    for file in tmp_path.rglob("capture=old/**/*"):
        os.utime(file, (age, age))
    assert "cannot be removed: name collectives" in done("fleet", "clean", tmp_path, "--drop", "ranks", code=2)
    listed = done("fleet", "clean", tmp_path, "--older-than", "90d", "--drop", "members,collectives", "--dry-run").splitlines()
    removed = done("fleet", "clean", tmp_path, "--older-than", "90d", "--drop", "members,collectives").splitlines()
    assert removed[:-1] == listed[:-1] and {line.split("/")[1] for line in removed[:-1]} == {"members", "collectives"}
    assert all("capture=old" in line for line in removed[:-1])
    assert rows(tmp_path, "fleet_waits", "--run", "old") == rows(lake, "fleet_waits")
    assert "tables of this capture were removed" in done("report", tmp_path, "--run", "old", "--view", "problems")
    assert rows(tmp_path, "fleet_members", "--run", "new") and sightline("report", tmp_path, "--run", "old", "--view", "fleet_members").returncode != 0
    os.utime(tmp_path / "manifests" / "capture=old" / "COMMITTED.json", (age, age))
    listed = done("fleet", "clean", tmp_path, "--older-than", "90d", "--drop", "captures", "--dry-run").splitlines()
    removed = done("fleet", "clean", tmp_path, "--older-than", "90d", "--drop", "captures").splitlines()
    assert sorted(removed[:-1]) == sorted(listed[:-1]) and "manifests/capture=old/COMMITTED.json" in removed
    assert not [file for file in tmp_path.rglob("capture=old/**/*") if file.is_file()]
    assert len(rows(tmp_path, "fleet_ranks")) == RANKS


def committed_by_hand(lake, capture, name):
    """The list of an old capture whose content says that it is `name`."""
    folder = lake / "manifests" / f"capture={capture}"
    folder.mkdir(parents=True)
    counts = {key: 1 for key in ("format", "round", "ranks", "ranks_missing", "ranks_damaged", "world_size", "shards")}
    texts = {"capture": name, "choice": "", "plan": "", "program": ""}
    lists = {"missing_shards": [], "manifests": [], "removed_tables": []}
    tables = {"collectives": [{"path": "data/x.parquet", "rows": 1, "bytes": 1, "xxh3": ""}]}
    file = folder / "COMMITTED.json"
    file.write_text(json.dumps({**counts, **texts, **lists, "tables": tables}))
    os.utime(file, (1e9, 1e9))
    return file


@pytest.mark.parametrize("drop", ["captures", "collectives"])
def test_a_list_that_names_another_capture_is_refused(tmp_path, drop):
    other = committed_by_hand(tmp_path / "other", "prod", "prod")
    lake = tmp_path / "lake"
    committed_by_hand(lake, "prod", "x/../../../other/manifests/capture=prod")
    (lake / "manifests" / "capture=x").mkdir()
    before = other.read_bytes()
    done_ = sightline("fleet", "clean", lake, "--older-than", "1d", "--drop", drop)
    assert done_.returncode != 0 and "names another capture than its folder" in done_.stderr
    assert other.read_bytes() == before


def test_a_list_leads_only_into_its_lake(tmp_path):
    folder = tmp_path.resolve() / "lake" / "manifests" / "capture=job"
    folder.mkdir(parents=True)
    paths = ("http://127.0.0.1:9/account/x", "s3://other/x", "S3A://other/x", "/etc/x", "../x", "data/x.parquet")
    tables = {"collectives": [{"path": path, "rows": 1, "bytes": 1} for path in paths]}
    (folder / "COMMITTED.json").write_text(json.dumps({"capture": "job", "tables": tables}))
    query = [PROGRAM, "query", "COMMITTED.json", "SELECT path FROM lake_files", "--format", "csv", "--no-cache"]
    answer = subprocess.run(query, cwd=folder, capture_output=True, text=True, env=environment())
    assert answer.stdout.splitlines() == ["path", f"{tmp_path.resolve()}/lake/data/x.parquet"], answer.stderr


def test_a_number_of_shards_that_no_job_has_is_refused(runs, tmp_path):
    map_all(runs, tmp_path, 1)
    for path in tmp_path.glob("manifests/capture=job/0*.json"):
        path.write_text(json.dumps(json.loads(path.read_text()) | {"shards": 2**63 - 1}))
    assert "not a manifest of a lake" in done("fleet", "commit", tmp_path, "--capture", "job", "--partial", code=65)


def test_slow_links_and_kernels_are_found(lake):
    kernels = [named(row) for row in rows(lake, "fleet_kernels")]
    slow = [row for row in kernels if row["name"].startswith("gemm")]
    assert slow and {row["host"] for row in slow} == {"node000"}  # 30% slower in one of the three steps
    assert all(1.05 < float(row["times"]) < 1.2 and int(row["ranks"]) == RANKS for row in slow)
    sql = "SELECT l.host_a, l.host_b, l.bytes, l.transfer / l.collectives AS mean FROM links l ORDER BY l.host_a, l.host_b"
    means = {(row["host_a"], row["host_b"]): float(row["mean"]) for row in csv.DictReader(io.StringIO(done("query", lake, sql, "--format", "csv")))}
    links = [named(row) for row in rows(lake, "fleet_links")]
    assert {(row["host_a"], row["host_b"]): float(row["transfer_mean"]) for row in links} == means and len(means) == RANKS // 8 - 1
    assert all(row["times"] == "" for row in links), "two pairs have no median"


def test_a_plan_lists_the_ranks_once(runs, lake, tmp_path):
    plan = done("fleet", "plan", runs, "-o", tmp_path, "--capture", "job", "--shards", "3").splitlines()[-1]
    for shard in range(3):
        done("map", plan, "--shard", f"{shard}/3", "-o", tmp_path)
    done("fleet", "commit", tmp_path, "--capture", "job")
    assert rows(tmp_path, "fleet_ranks") == rows(lake, "fleet_ranks")


def test_a_killed_map_leaves_nothing_that_counts(runs, lake, tmp_path):
    killed = 0
    for delay in (0.0, 0.05, 0.1, 0.2):
        attempt = subprocess.Popen([PROGRAM, "map", runs, "-o", tmp_path, "--capture", "job"], env=environment(), stdout=subprocess.DEVNULL)
        time.sleep(delay)  # any moment will do
        attempt.kill()
        killed += attempt.wait() != 0
    assert killed
    map_all(runs, tmp_path, 1)
    done("fleet", "commit", tmp_path, "--capture", "job")
    assert rows(tmp_path, "fleet_ranks") == rows(lake, "fleet_ranks")


@pytest.mark.parametrize("arguments, code, words", [
    (("map", "RUNS", "-o", "LAKE", "--shard", "4/4"), 2, "'4/4' is not a shard"),
    (("map", "/nowhere", "-o", "LAKE"), 65, "no such file or directory"),
    (("map", "RUNS", "-o", "LAKE", "--capture", "a/b"), 65, "cannot name a capture"),
    (("map", "RUNS", "-o", "/proc/lake"), 75, "/proc/lake"),
    (("fleet", "commit", "LAKE", "--capture", "none"), 65, "no shard of a capture 'none' was mapped"),
    (("fleet", "clean", "LAKE", "--older-than", "old"), 2, "not an age"),
])
def test_errors_have_the_codes_that_schedulers_know(runs, tmp_path, arguments, code, words):
    places = {"RUNS": runs, "LAKE": tmp_path / "lake"}
    assert words in done(*(places.get(argument, argument) for argument in arguments), code=code)


def test_all_views_of_the_fleet_answer(lake):
    for view in ("fleet", "fleet_members", "fleet_groups", "fleet_links", "fleet_kernels"):
        assert rows(lake, view)
    for shown in ("rank", "host", "tp", "dp"):
        assert rows(lake, "fleet", "--param", f"rows={shown}", "--param", "show=waiting")
    assert rows(lake, "fleet_capture") == []


def test_the_tables_are_documented(lake):
    assert done("fleet", "tables") == (ROOT / "docs" / "formats" / "lake.md").read_text()
