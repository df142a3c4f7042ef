"""Lakes: ranks are mapped in shards, committed once, and answer as the profiles themselves do."""
import concurrent.futures
import csv
import io
import json
import subprocess
import sys
import time

import pytest

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


def test_one_of_many_committers_publishes_and_the_others_agree(runs, tmp_path):
    map_all(runs, tmp_path, 2)
    done("map", runs, "--shard", "1/2", "-o", tmp_path, "--capture", "job")  # a second attempt at a shard
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda _: done("fleet", "commit", tmp_path, "--capture", "job"), range(4)))
    assert sum(answer.startswith("committed: ") for answer in answers) == 1
    assert sum(answer.startswith("committed already: ") for answer in answers) == 3
    assert rows(tmp_path, "fleet_ranks")[RANKS - 1]["worker"] == rows(runs, "distributed", "--table", "workers")[RANKS - 1]["worker"]
    committed = json.loads((tmp_path / "manifests" / "capture=job" / "COMMITTED.json").read_text())
    named_files = {file["path"] for files in committed["tables"].values() for file in files}
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
    for view in ("fleet", "fleet_members", "fleet_groups"):
        assert rows(lake, view)
    for shown in ("rank", "host", "tp", "dp"):
        assert rows(lake, "fleet", "--param", f"rows={shown}", "--param", "show=waiting")
    assert rows(lake, "fleet_capture") == []


def test_the_tables_are_documented(lake):
    assert done("fleet", "tables") == (ROOT / "docs" / "formats" / "lake.md").read_text()
