"""The cache through the command line and HTTP: reopening, the catalogue, and kills at random moments."""
import json
import os
import pathlib
import random
import shutil
import subprocess
import threading
import time

import pytest

from program import PROGRAM, Server, environment, needs_program, sightline, trace, write_trace

pytestmark = needs_program
ROOT = pathlib.Path(__file__).resolve().parents[2]
KILLS = int(os.environ.get("KILLS", 60))  # `make deep` kills more often


@pytest.fixture
def folder(tmp_path):
    return str(tmp_path / "cache")


@pytest.fixture
def file(tmp_path):
    file = write_trace(tmp_path / "job" / "rank0.pt.trace.json", trace(5))
    time.sleep(0.06)  # the identity of a file that was just written is not trusted
    return file


def ingest(folder, *paths):
    done = sightline("ingest", *paths, "--json", SIGHTLINE_CACHE_DIR=folder)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def report(path, *more, view="operators", **changes):
    done = sightline("report", path, "--view", view, "--format", "json", *more, **changes)
    assert done.returncode == 0, done.stderr
    return done.stdout


def columns(folder):
    return sorted(pathlib.Path(folder).glob("profiles/*.arrow"))


def test_ingest_list_remove(file, folder, tmp_path):
    (entry,) = ingest(folder, file)
    assert entry["path"] == str(file) and entry["run"] == "job" and entry["worker"] == "rank0" and entry["source"] == "there"
    assert entry["events"] == 6 and entry["cache_bytes"] == columns(folder)[0].stat().st_size
    assert ingest(folder, file)[0]["read_at"] == entry["read_at"], "it is not read again"
    listed = sightline("list", SIGHTLINE_CACHE_DIR=folder, COLUMNS="1000")
    assert entry["key"][:12] in listed.stdout and str(file) in listed.stdout
    file.unlink()
    assert json.loads(sightline("list", "--json", SIGHTLINE_CACHE_DIR=folder).stdout)[0]["source"] == "gone"
    assert sightline("remove", SIGHTLINE_CACHE_DIR=folder).returncode == 2
    assert sightline("remove", "absent", SIGHTLINE_CACHE_DIR=folder).returncode == 1
    assert sightline("remove", entry["key"][:8], SIGHTLINE_CACHE_DIR=folder).stdout == "removed 1 profile\n"
    assert sightline("list", SIGHTLINE_CACHE_DIR=folder).stdout == "" and columns(folder) == []


def test_remove_by_path_and_all(folder, tmp_path):
    for rank in range(3):
        write_trace(tmp_path / "job" / f"rank{rank}.pt.trace.json", trace(rank + 1))
    assert len(ingest(folder, tmp_path / "job")) == 3
    assert sightline("remove", tmp_path / "job" / "rank1.pt.trace.json", SIGHTLINE_CACHE_DIR=folder).stdout == "removed 1 profile\n"
    assert sightline("remove", tmp_path / "job", SIGHTLINE_CACHE_DIR=folder).stdout == "removed 2 profiles\n"
    ingest(folder, tmp_path / "job")
    assert sightline("remove", "--all", SIGHTLINE_CACHE_DIR=folder).stdout == "removed 3 profiles\n"


def test_ingest_fails_where_something_is_wrong(file, folder, tmp_path):
    broken = tmp_path / "broken.pt.trace.json"
    broken.write_text('{"traceEvents": [')
    done = sightline("ingest", file, broken, "--json", SIGHTLINE_CACHE_DIR=folder)
    assert done.returncode == 1 and "broken" in done.stderr and len(json.loads(done.stdout)) == 1
    assert sightline("ingest", tmp_path / "absent", SIGHTLINE_CACHE_DIR=folder).returncode == 1


SAMPLES = sorted(p for p in (ROOT / "samples").iterdir() if p.is_dir() and p.name != "programs")


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.name)
def test_reports_are_the_same_from_the_cache(sample, folder):
    """The derived data in the cache (first reports, the timeline) equal those computed from the columns."""
    ingest(folder, sample)
    views = [line for line in sightline("views").stdout.splitlines() if line and not line.startswith(" ")]
    answered = 0
    for view in views:
        if view == "metadata":  # it shows how much memory the tables take, which differs
            continue
        fresh = sightline("report", sample, "--view", view, "--format", "json", "--no-cache")
        cached = sightline("report", sample, "--view", view, "--format", "json", SIGHTLINE_CACHE_DIR=folder)
        assert (cached.returncode, cached.stdout) == (fresh.returncode, fresh.stdout), view
        answered += fresh.returncode == 0
    assert answered > 3


def test_without_a_cache_nothing_is_written(file, folder):
    report(file, "--no-cache", SIGHTLINE_CACHE_DIR=folder)
    with Server(file, "--port", 0, "--no-cache", SIGHTLINE_CACHE_DIR=folder) as server:
        server.loaded_state()
    assert not os.path.exists(folder)


def test_a_folder_that_cannot_be_written_is_reported_once(file, tmp_path):
    blocked = tmp_path / "blocked"
    blocked.write_text("no folder")
    write_trace(file.parent / "rank1.pt.trace.json", trace(2))
    done = sightline("ingest", file.parent, SIGHTLINE_CACHE_DIR=str(blocked))
    assert done.returncode == 1 and done.stderr.count("not kept in the cache, so it will be read again") == 1
    report(file, SIGHTLINE_CACHE_DIR=str(blocked))


ONE = ("--threads", 1)  # numbers of strings depend on which thread saw them first


def test_truncating_or_removing_a_cache_file_in_use_changes_no_answer(folder, tmp_path):
    """A program that truncates a file which a server has mapped waits until the server has a copy (store/mapped_file.cc)."""
    shutil.copytree(ROOT / "samples" / "conv", tmp_path / "conv")
    time.sleep(0.06)
    views = ("overview", "operators", "modules", "memory", "call_tree")
    expected = {view: report(tmp_path / "conv", "--no-cache", *ONE, view=view).strip() for view in views}

    def ask_all(server):
        for view in views:
            status, _, body = server.get("/api/report?view=" + view)
            assert status == 200 and body.decode() == expected[view], view

    def overwrite(path):
        with open(path, "r+b") as opened:
            opened.write(b"\0" * 100_000)

    damages = [
        lambda path: os.truncate(path, 0),
        lambda path: os.truncate(path, path.stat().st_size // 2),
        pathlib.Path.unlink,
        overwrite,
        lambda path: (os.truncate(path, 4096), path.unlink()),
    ]
    for damage in damages * 2:
        ingest(folder, tmp_path / "conv", *ONE)
        (file,) = columns(folder)
        with Server(tmp_path / "conv", "--port", 0, *ONE, SIGHTLINE_CACHE_DIR=folder) as server:
            server.loaded_state()
            damage(file)
            ask_all(server)
            assert server.json("/api/timeline")[0] == 200
            assert server.end()[0] == 0
        with Server(tmp_path / "conv", "--port", 0, *ONE, SIGHTLINE_CACHE_DIR=folder) as server:
            server.loaded_state()
            ask_all(server)  # read again


def test_truncating_the_cache_file_repeatedly_while_requests_run(folder, tmp_path):
    shutil.copytree(ROOT / "samples" / "conv", tmp_path / "conv")
    time.sleep(0.06)
    expected = report(tmp_path / "conv", "--no-cache", *ONE).strip()
    ingest(folder, tmp_path / "conv", *ONE)
    (file,) = columns(folder)
    whole = file.read_bytes()
    # Each request opens the profile again, because the limit allows no other open profile.
    shutil.copytree(tmp_path / "conv", tmp_path / "other" / "conv2")
    with Server(tmp_path / "conv", tmp_path / "other", "--port", 0, *ONE, "--memory", "1", SIGHTLINE_CACHE_DIR=folder) as server:
        server.loaded_state()
        ended = threading.Event()

        def damage():
            while not ended.is_set():
                file.write_bytes(whole)
                file.chmod(0o600)
                os.truncate(file, random.randrange(len(whole)))

        vandal = threading.Thread(target=damage)
        vandal.start()
        try:
            for i in range(60):
                run = ("conv", "conv2")[i % 2]
                status, _, body = server.get(f"/api/report?view=operators&run={run}")
                assert status == 200 and body.decode() == expected, (i, status, body[:300])
        finally:
            ended.set()
            vandal.join()
        assert server.process.poll() is None


def test_view_without_a_path_shows_the_catalogue(file, folder):
    done = sightline("view", "--output-format", "summary-text", SIGHTLINE_CACHE_DIR=folder)
    assert done.returncode == 1 and "the cache has no profile" in done.stderr
    with Server("--port", 0, SIGHTLINE_CACHE_DIR=folder) as server:
        assert server.loaded_state()["runs"] == []
    ingest(folder, file, ROOT / "samples" / "ddp")
    expected = report(file, "--no-cache")
    with Server("--port", 0, SIGHTLINE_CACHE_DIR=folder) as server:
        state = server.loaded_state()
        assert [run["name"] for run in state["runs"]] == ["ddp", "job"]
        assert all(span["status"] == "ready" for run in state["runs"] for worker in run["workers"] for span in worker["spans"])
        assert server.get("/api/report?run=job&view=operators")[2].decode() == expected.strip()
        assert server.json("/api/timeline?run=job")[1]["groups"]
        assert "aten::mm" in server.json("/api/slice?run=job&slice=1")[1]["event"]
        file.unlink()
        shown = server.json("/api/slice?run=job&slice=1")[1]
        assert shown["event"] is None and shown["name"] == "aten::mm", "what the columns know is shown"
    with Server("--port", 0, SIGHTLINE_CACHE_DIR=folder) as server:
        server.loaded_state()
        assert server.get("/api/report?run=job&view=operators")[2].decode() == expected.strip()


def test_the_least_recently_used_is_removed(folder, tmp_path):
    paths = [write_trace(tmp_path / f"rank{i}.pt.trace.json", trace(300 + i)) for i in range(3)]
    for path in paths[:2]:
        ingest(folder, path)
    size = max(entry["cache_bytes"] for entry in json.loads(sightline("list", "--json", SIGHTLINE_CACHE_DIR=folder).stdout))
    done = sightline("ingest", paths[2], "--json", "--cache-size", str(size * 5 // 2), SIGHTLINE_CACHE_DIR=folder)
    assert done.returncode == 0, done.stderr
    left = {entry["path"] for entry in json.loads(sightline("list", "--json", SIGHTLINE_CACHE_DIR=folder).stdout)}
    assert left == {str(paths[1]), str(paths[2])}


def test_two_programs_ingest_the_same(folder):
    samples = ROOT / "samples"
    command = [str(PROGRAM), "ingest", str(samples), "--json"]
    both = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment(SIGHTLINE_CACHE_DIR=folder)) for _ in range(2)]
    answers = [json.loads(process.communicate(timeout=60)[0]) for process in both]
    assert [process.returncode for process in both] == [0, 0]
    assert {e["key"] for e in answers[0]} == {e["key"] for e in answers[1]} and len(columns(folder)) == len(answers[0])
    conv = samples / "conv"
    assert report(conv, SIGHTLINE_CACHE_DIR=folder) == report(conv, "--no-cache", SIGHTLINE_CACHE_DIR=folder)


def test_killed_at_any_moment_it_is_never_trusted_wrongly(folder, tmp_path):
    file = write_trace(tmp_path / "rank0.pt.trace.json", trace(20_000))
    time.sleep(0.06)
    expected = report(file, "--no-cache")
    begun = time.monotonic()
    ingest(folder, file)
    whole = time.monotonic() - begun
    chance = random.Random(1)
    found = 0
    for _ in range(KILLS):
        if chance.random() < 0.7:
            shutil.rmtree(folder, ignore_errors=True)
        process = subprocess.Popen([str(PROGRAM), "ingest", str(file)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                   env=environment(SIGHTLINE_CACHE_DIR=folder))
        time.sleep(chance.uniform(0, 2 * whole))  # half of them live, on a machine whose load does not change
        process.kill()
        process.wait()
        found += len(columns(folder))
        assert report(file, SIGHTLINE_CACHE_DIR=folder) == expected
    assert found > 0, "some lived long enough"
    ingest(folder, write_trace(tmp_path / "rank1.pt.trace.json", trace(10)))
    assert not list(pathlib.Path(folder).glob("profiles/*.unfinished")), "what the killed ones left is cleared away by the next that writes"
