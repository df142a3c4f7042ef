"""`python -m sightline.fleet map` on real Ray processes that are killed while they work."""
import json
import os
import pathlib
import random
import signal
import subprocess
import time

import pytest

from conftest import PYTHON, assert_equal_lakes, done, fleet, make_ranks, module_environment, rows
from program import PROGRAM

SHARDS = 32


def descendants(pid):
    """Processes below one, with their command lines."""
    parents = {}
    for folder in pathlib.Path("/proc").iterdir():
        try:
            if folder.name.isdigit():
                parents[int(folder.name)] = int(folder.joinpath("stat").read_text().rsplit(")", 1)[1].split()[1])
        except OSError:
            pass
    found, waiting = {}, [pid]
    while waiting:
        below = waiting.pop()
        for child in [c for c, parent in parents.items() if parent == below and c not in found]:
            try:
                found[child] = pathlib.Path(f"/proc/{child}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            except OSError:
                continue
            waiting.append(child)
    return found


def kill(pid):
    try:
        os.kill(pid, signal.SIGKILL)
        return True
    except ProcessLookupError:
        return False


def manifests(lake):
    folder = lake / "manifests" / "capture=job"
    return [json.loads(file.read_text()) for file in folder.glob("*.json") if file.name[0].isdigit()]


def assert_every_rank_once(lake, ranks):
    committed = json.loads((lake / "manifests" / "capture=job" / "COMMITTED.json").read_text())
    assert committed["ranks"] == ranks and not committed["partial"] and len(committed["manifests"]) == SHARDS
    assert sum(file["rows"] for file in committed["tables"]["ranks"]) == ranks
    assert [int(row["rank"]) for row in rows(lake, "fleet_ranks")] == list(range(ranks))


def start(*arguments):
    command = [str(PYTHON), "-m", "sightline.fleet", *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=module_environment())


def test_workers_and_programs_that_are_killed_are_repeated(job, reduced_here, tmp_path):
    process = start("map", job, "-o", tmp_path, "--capture", "job", "--shards", SHARDS, "--cpus", "1", "--retries", "20")
    chance, killed = random.Random(7), {"worker": 0, "program": 0}
    while process.poll() is None and len(manifests(tmp_path)) < SHARDS:
        time.sleep(0.02)
        running = descendants(process.pid)
        workers = [pid for pid, line in running.items() if line.startswith("ray::shard")]
        programs = [pid for pid, line in running.items() if f"{PROGRAM} map" in line]
        if workers and killed["worker"] < 5 and (not killed["worker"] or chance.random() < 0.1):
            killed["worker"] += kill(chance.choice(workers))
        if programs and killed["program"] < 8 and (not killed["program"] or chance.random() < 0.2):
            killed["program"] += kill(chance.choice(programs))
    said, _ = process.communicate(timeout=600)
    assert process.returncode == 0, said
    assert killed["worker"] and killed["program"], "too quick: nothing was killed"
    assert_every_rank_once(tmp_path, 64)
    assert_equal_lakes(tmp_path, reduced_here)


def test_a_node_that_dies_loses_no_rank(job, tmp_path):
    """Two nodes; the raylet of one is killed, with all that runs there."""
    script = f"""
import json, subprocess, sys, time
from ray.cluster_utils import Cluster
cluster = Cluster(initialize_head=True, head_node_args={{"num_cpus": 0, "include_dashboard": False}})
nodes = [cluster.add_node(num_cpus=1) for _ in range(2)]
job = subprocess.Popen([sys.executable, "-m", "sightline.fleet", "map", {str(job)!r}, "-o", {str(tmp_path)!r}, "--capture", "job", "--shards",
                        "{SHARDS}", "--cpus", "1", "--retries", "20", "--address", cluster.address])
import pathlib
while job.poll() is None and len(list(pathlib.Path({str(tmp_path)!r}).glob("manifests/*/0*.json"))) < 6:
    time.sleep(0.05)
assert job.poll() is None, "too quick"
cluster.remove_node(nodes[1], allow_graceful=False)
print("a node was killed", flush=True)
code = job.wait()
cluster.shutdown()
sys.exit(code)
"""
    ended = subprocess.run([str(PYTHON), "-c", script], capture_output=True, text=True, timeout=900, env=module_environment())
    assert ended.returncode == 0 and "a node was killed" in ended.stdout, ended.stdout + ended.stderr
    assert_every_rank_once(tmp_path, 64)


@pytest.fixture
def counted(tmp_path):
    """A script that notes its arguments and becomes the program."""
    log, script = tmp_path / "attempts", tmp_path / "counted"
    script.write_text(f'#!/bin/sh\necho "$@" >> {log}\nexec {PROGRAM} "$@"\n')
    script.chmod(0o755)
    return script, lambda shard: sum(f"--shard {shard}/" in line for line in log.read_text().splitlines())


def test_what_no_attempt_completes_is_not_repeated(job, counted, tmp_path):
    program, attempts = counted
    ended = fleet("map", job, "-o", tmp_path / "lake", "--capture", "job", "--shards", "2", "--cpus", "1", "--topology", "/nowhere.csv", "--program", program)
    assert ended.returncode == 65, ended.stdout + ended.stderr
    assert "/nowhere.csv: No such file or directory" in ended.stderr and "mapped: 0 of 2 shards" in ended.stdout
    assert attempts(0) == attempts(1) == 1


def test_what_another_attempt_may_complete_is_repeated(counted, job, tmp_path):
    program, attempts = counted
    lake = tmp_path / "lake"
    done("fleet", "plan", job, "-o", lake, "--capture", "job", "--shards", "2")
    (lake / "data").write_text("a file where a folder must be")
    plan = lake / "manifests" / "capture=job" / "PLAN.json"
    arguments = ("map", plan, "-o", lake, "--capture", "job", "--cpus", "1", "--retries", "3", "--program", program)
    ended = fleet(*arguments, "--shards", "2")
    assert ended.returncode == 75, ended.stdout + ended.stderr
    assert attempts(0) == attempts(1) == 4
    (lake / "data").unlink()
    ended = fleet(*arguments, "--shards", "2")
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert "committed: capture job, round 1, 64 ranks of 2 shards" in ended.stdout
