"""Lakes in clouds: traces are read from one, and the tables written to it, by the same commands as on a disk."""
import concurrent.futures
import csv
import io
import json
import subprocess
import sys
import urllib.parse
import urllib.request

import pytest

from fault_proxy import FaultProxy
from program import ROOT, Server, needs_program, sightline

pytestmark = needs_program

RANKS = 8
BUCKET = "lakes"


def done(server, *arguments, code=0, **changes):
    ended = sightline(*arguments, **{**server.environment(), **changes})
    assert ended.returncode == code, (ended.returncode, ended.stdout, ended.stderr)
    return ended.stdout + ended.stderr


def repeated(server, *arguments, **changes):
    """Repeats a command that ends with 75, as a scheduler does. Arrow's Azure ends the program when a lease cannot be released."""
    for _ in range(10):
        ended = sightline(*arguments, **{**server.environment(), **changes})
        assert ended.returncode in (0, 75), (ended.returncode, ended.stdout, ended.stderr)
        if ended.returncode == 0:
            break
        assert server.address("", BUCKET) in ended.stderr, ended.stderr  # which address, and why
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


def rows(server, path, view):
    """Without the paths of the traces."""
    table = csv.DictReader(io.StringIO(done(server, "report", path, "--view", view, "--format", "csv")))
    return [{key: value for key, value in row.items() if key != "source"} for row in table]


@pytest.fixture(scope="session")
def job(tmp_path_factory):
    folder = tmp_path_factory.mktemp("job") / "job"
    make = [sys.executable, ROOT / "bench" / "make_ranks.py", str(RANKS), folder, "--steps", "2", "--layers", "2", "--kernels", "3"]
    subprocess.run(make, check=True, capture_output=True)
    return folder


@pytest.fixture(scope="session")
def on_disk(job, tmp_path_factory):
    lake = tmp_path_factory.mktemp("on-disk")
    for arguments in (("map", job, "-o", lake, "--capture", "job"), ("fleet", "commit", lake, "--capture", "job")):
        assert sightline(*arguments).returncode == 0
    return lake


def test_a_lake_in_a_cloud_is_that_on_a_disk(cloud, job, on_disk):
    cloud.put_folder(job, "runs/job", BUCKET)
    runs, lake = cloud.address("runs/job", BUCKET), cloud.address("lake", BUCKET)
    plan = done(cloud, "fleet", "plan", runs, "-o", lake, "--capture", "job", "--shards", "2").splitlines()[-1]
    assert plan == cloud.address("lake/manifests/capture=job/PLAN.json", BUCKET)
    for shard in range(2):
        done(cloud, "map", plan, "--shard", f"{shard}/2", "-o", lake)
    assert "not committed" in done(cloud, "fleet", "list", lake)
    done(cloud, "map", plan, "--shard", "1/2", "-o", lake)  # a second attempt
    assert done(cloud, "fleet", "commit", lake, "--capture", "job") == f"committed: capture job, round 1, {RANKS} ranks of 2 shards\n"
    for view in ("fleet_ranks", "fleet_waits", "fleet_bandwidth", "fleet_groups", "fleet_members"):
        there = rows(cloud, lake, view)
        assert there and there == rows(cloud, on_disk, view), view
    would_go = done(cloud, "fleet", "clean", lake, "--older-than", "0s", "--dry-run").splitlines()
    assert would_go[-1].startswith("would be removed: ") and len(would_go) > 5
    assert repeated(cloud, "fleet", "clean", lake, "--older-than", "0s").splitlines()[-1].startswith("removed: ")
    assert done(cloud, "fleet", "clean", lake, "--older-than", "0s") == "removed: 0 files, 0 bytes\n"
    assert rows(cloud, lake, "fleet_ranks") == rows(cloud, on_disk, "fleet_ranks")


def test_eight_committers_at_once_give_one_capture(s3, job, tmp_path):
    lake = s3.address("rivals", BUCKET)
    s3.make_bucket(BUCKET)
    done(s3, "map", job, "-o", lake, "--capture", "job")
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: done(s3, "fleet", "commit", lake, "--capture", "job", TMPDIR=str(tmp_path)), range(8)))
    assert not list(tmp_path.iterdir()), "copies of objects are left"
    assert all(answer.endswith(f"capture job, round 1, {RANKS} ranks of 1 shards\n") for answer in answers)
    assert len(rows(s3, lake, "fleet_ranks")) == RANKS
    with urllib.request.urlopen(f"http://{s3.authority}/{BUCKET}/rivals/manifests/capture%3Djob/COMMITTED.json") as answer:
        files = json.load(answer)["tables"]
    assert {len(files[table]) for table in files} == {1}


def test_a_cloud_that_does_not_answer_is_tried_again(s3, job):
    lake = s3.address("absent", BUCKET)
    with FaultProxy(s3.authority) as proxy:
        proxy.refuse()
        away = {"S3_ENDPOINT": f"http://{proxy.authority}", "SIGHTLINE_CLOUD_TIMEOUT": "10"}
        assert lake in done(s3, "map", job, "-o", lake, "--capture", "job", code=75, **away)
        assert lake in done(s3, "fleet", "commit", lake, "--capture", "job", code=75, **away)


def test_a_library_that_ends_the_program_says_where_and_why(azure, job):
    """Arrow leases a file on Azure before it removes it, and throws in a destructor if the lease cannot be released."""
    azure.make_bucket(BUCKET)
    lake = azure.address("ended", BUCKET)
    for _ in range(2):
        done(azure, "map", job, "-o", lake, "--capture", "job")
    done(azure, "fleet", "commit", lake, "--capture", "job")
    clean = ("fleet", "clean", lake, "--older-than", "0s")
    with FaultProxy(azure.authority) as proxy:
        proxy.cut_on = b"x-ms-lease-action: release"
        ended = sightline(*clean, **azure.environment(proxy.authority))
    assert ended.returncode == 75, (ended.returncode, ended.stderr)
    assert ended.stderr.startswith(f"sightline: {lake}/") and ": the library for this cloud failed: " in ended.stderr
    assert repeated(azure, *clean).splitlines()[-1].startswith("removed: ")


def test_connections_that_break_lose_and_double_nothing(s3, job, on_disk):
    s3.put_folder(job, "broken/job", BUCKET)
    with FaultProxy(s3.authority) as proxy:
        proxy.cut_after, proxy.cuts = 2000, 20
        there = {"S3_ENDPOINT": f"http://{proxy.authority}"}
        runs, lake = s3.address("broken/job", BUCKET), s3.address("broken/lake", BUCKET)
        steps = [("map", runs, "--shard", f"{shard}/2", "-o", lake, "--capture", "job") for shard in range(2)]
        for arguments in [*steps, ("fleet", "commit", lake, "--capture", "job")]:
            repeated(s3, *arguments, **there)
        assert proxy.cuts < 20, "no connection was cut"
    assert len(rows(s3, lake, "fleet_ranks")) == RANKS
    assert rows(s3, lake, "fleet_waits") == rows(s3, on_disk, "fleet_waits")


def test_the_timeline_of_a_rank_needs_its_trace_and_no_other(s3, job):
    s3.put_folder(job, "timeline/job", BUCKET)
    runs, lake = s3.address("timeline/job", BUCKET), s3.address("timeline/lake", BUCKET)
    done(s3, "map", runs, "-o", lake, "--capture", "job")
    done(s3, "fleet", "commit", lake, "--capture", "job")
    source = done(s3, "query", lake, "SELECT source FROM ranks WHERE rank = 5", "--format", "csv").splitlines()[1]
    with Server(lake, "--port", "0", **s3.environment()) as server:
        server.loaded_state()
        body = json.dumps({"path": source})
        status, opened = server.json("/api/open", "POST", body, Content_Type="application/json")
        assert status == 200, opened
        state = server.loaded_state()
        assert sum(len(run["workers"]) for run in state["runs"]) == 2  # all ranks, and this one
        profile = urllib.parse.urlencode(opened["profiles"][0])
        status, timeline = server.json(f"/api/timeline?{profile}")
        assert status == 200 and {lane["kind"] for group in timeline["groups"] for lane in group["lanes"]} >= {"host_thread", "device_stream"}


def test_the_timeline_of_a_rank_opens_from_its_columns_alone(s3, job, tmp_path):
    """The lake has them, and the trace is gone."""
    s3.put_folder(job, "columns/job", BUCKET)
    runs, lake = s3.address("columns/job", BUCKET), s3.address("columns/lake", BUCKET)
    done(s3, "map", runs, "-o", lake, "--capture", "job", "--with-profiles")
    done(s3, "fleet", "commit", lake, "--capture", "job")
    source = done(s3, "query", lake, "SELECT source FROM ranks WHERE rank = 5", "--format", "csv").splitlines()[1]
    columns = done(s3, "query", lake, "SELECT profile FROM ranks WHERE rank = 5", "--format", "csv").splitlines()[1]

    def opened(cache, *more):
        with Server(lake, "--port", "0", *more, SIGHTLINE_CACHE_DIR=str(tmp_path / cache), **s3.environment()) as server:
            server.loaded_state()
            status, answer = server.json("/api/open", "POST", json.dumps({"path": source}), Content_Type="application/json")
            if status != 200:
                return answer["error"]["message"]
            server.loaded_state()
            query = urllib.parse.urlencode({**answer["profiles"][0], "sql": "SELECT * FROM slices"})
            status, report = server.json(f"/api/query?{query}")
            assert status == 200, report
            return report["tables"]

    right = opened("none", "--no-cache")  # from the trace
    s3.send("DELETE", f"{BUCKET}/{source.split(BUCKET + '/')[1]}")
    assert opened("first") == right
    assert opened("first") == right  # from the cache
    s3.put(f"columns/lake/{columns}", b"ARROW1", BUCKET)
    message = opened("second")
    assert "its profile file in the lake cannot be used" in message, message
    s3.put_folder(job, "columns/job", BUCKET)
    assert opened("third") == right
