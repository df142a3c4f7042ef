"""A job that trains by reinforcement learning: its roles are folders, and each numbers its ranks from 0."""
import csv
import io
import json
import urllib.parse

import pytest

from program import Server, needs_program, sightline
from roles_job import written

pytestmark = needs_program


def rows(path, view, *more):
    ended = sightline("report", path, "--view", view, "--format", "csv", *more)
    assert ended.returncode == 0, ended.stderr
    return [{key.split(" (")[0]: value for key, value in row.items()} for row in csv.DictReader(io.StringIO(ended.stdout))]


def numbers(row, *keys):
    return [float(row[key]) if row[key] else None for key in keys]


def test_collectives_are_matched_inside_a_role(tmp_path):
    workers = rows(written(tmp_path / "job"), "distributed", "--table", "workers")
    assert [(row["worker"], row["role"], row["rank"]) for row in workers] == [
        ("actor_update rank0", "actor_update", "0"), ("actor_update rank1", "actor_update", "1"),
        ("rollout rank0", "rollout", "0"), ("rollout rank1", "rollout", "1")]
    # Actors are in the all-reduce for 20 and 10 us: data moves for 10, and rank 0 waits for rank 1 for 10. Rollouts: 4 and 6 us.
    # Matched over roles, data would have moved for 4 us on all four.
    assert [numbers(row, "transfer", "waiting", "caused") for row in workers] == [
        [10e3, 10e3, 0], [10e3, 0, 10e3], [4e3, 0, 2e3], [4e3, 2e3, 0]]


def test_what_each_role_did_and_when(tmp_path):
    path = written(tmp_path / "job")
    # Actors work from 410 to 460 us, rollouts from 900 to 954: 544 us together. Means over two ranks: computing (20 + 30) / 2,
    # communication (20 + 10) / 2, waiting (10 + 0) / 2, and the rest of a step of 400 us.
    keys = ("ranks", "start", "end", "absent", "computing", "communication", "waiting", "other")
    assert [numbers(row, *keys) for row in rows(path, "distributed", "--table", "roles")] == [
        [2, 0, 50e3, 494e3, 25e3, 15e3, 5e3, 360e3], [2, 490e3, 544e3, 490e3, 40e3, 5e3, 1e3, 355e3]]
    # Slow ranks are compared inside a role: 30 us against 20 of computing.
    slow = [row for row in rows(path, "distributed", "--table", "slow_ranks") if row["part"] == "Computing"]
    assert [(row["role"], *numbers(row, "most", "least")) for row in slow] == [("actor_update", 30e3, 20e3), ("rollout", 40e3, 40e3)]


def test_times_without_a_common_clock_are_unknown(tmp_path):
    roles = rows(written(tmp_path / "job", unix=False), "distributed", "--table", "roles")
    assert [numbers(row, "start", "end", "absent", "waiting") for row in roles] == [[None] * 3 + [5e3], [None] * 3 + [1e3]]


def test_one_role_alone_is_a_job_without_roles(tmp_path):
    path = written(tmp_path / "job", roles=("rollout",))
    workers = rows(path, "distributed", "--table", "workers")
    assert [row["worker"] for row in workers] == ["rank0", "rank1"] and "role" not in workers[0]
    assert rows(path, "distributed", "--table", "roles") == []


def axis_of(server):
    assert [run["name"] for run in server.loaded_state()["runs"]] == ["job"]
    query = urllib.parse.urlencode({"run": "job", "worker": "rollout rank0", "span": ""})
    status, _, body = server.get("/api/ranks?" + query)
    assert status == 200, body
    return [(rank["role"], rank["rank"]) for rank in json.loads(body)["ranks"]]


def test_the_axis_and_the_cache_name_the_roles(tmp_path):
    path, cache = written(tmp_path / "job"), tmp_path / "cache"
    by_role = [("actor_update", 0), ("actor_update", 1), ("rollout", 0), ("rollout", 1)]
    with Server(path, "--port", "0", "--no-cache") as server:
        assert axis_of(server) == by_role
    assert sightline("ingest", path, SIGHTLINE_CACHE_DIR=str(cache)).returncode == 0
    with Server("--port", "0", SIGHTLINE_CACHE_DIR=str(cache)) as server:  # the profiles of the cache
        assert axis_of(server) == by_role


@pytest.mark.parametrize("planned", [False, True], ids=["from the folder", "from a plan"])
def test_a_lake_matches_inside_a_role(tmp_path, planned):
    path, lake = written(tmp_path / "job"), tmp_path / "lake"
    lake.mkdir()

    def done(*arguments):
        ended = sightline(*arguments)
        assert ended.returncode == 0, ended.stderr
        return ended.stdout

    source = done("fleet", "plan", path, "-o", lake, "--capture", "job").splitlines()[-1] if planned else path
    for shard in range(2):
        done("map", source, "--shard", f"{shard}/2", "-o", lake, *([] if planned else ["--capture", "job"]))
    done("fleet", "commit", lake, "--capture", "job")
    keys = ("worker", "role", "rank", "transfer", "waiting", "caused", "computation", "other")
    of = lambda table: [[row[key] for key in keys] for row in table]
    assert of(rows(lake, "fleet_ranks")) == of(rows(path, "distributed", "--table", "workers"))
    assert [row["state"] for row in rows(lake, "fleet_capture")] in ([], [""])  # no rank is missing
