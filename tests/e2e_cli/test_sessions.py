"""`view` as users of the retired tool know it: a recording with its program, served or written in one of its formats."""
import json
import re
import shutil
import subprocess
import time

import pytest

from device_run import device_run
from neff_export import neff
from program import Server, needs_program, sightline

pytestmark = needs_program
READY = re.compile(r'^Profile "(n_[0-9a-f]{40})" is ready to view$', re.M)


@pytest.fixture
def session(tmp_path):
    """A program and two recordings of it, each in a separate folder."""
    for name, seed in (("profile_rank_0", 0), ("profile_rank_1", 5)):
        (tmp_path / name).mkdir()
        (tmp_path / name / f"{name}.ntff").write_bytes(device_run(seed).file())
    (tmp_path / "model.neff").write_bytes(neff(name="the model"))
    (tmp_path / "notes.txt").write_text("no profile")
    return tmp_path


def recording(session, rank=0):
    return session / f"profile_rank_{rank}" / f"profile_rank_{rank}.ntff"


def cache(session):
    return {"SIGHTLINE_CACHE_DIR": str(session / "cache")}


def pair(session, *ranks):
    return ["-n", session / "model.neff", *(part for rank in ranks or (0,) for part in ("-s", recording(session, rank)))]


def places(state):
    return [(run["name"], worker["name"]) for run in state["runs"] for worker in run["workers"]]


def links(server, count):
    return [server.process.stdout.readline().split()[-1] for _ in range(count)]


def test_one_recording_is_served_and_linked(session):
    with Server(*pair(session), "--port", 0, **cache(session)) as server:
        (link,) = links(server, 1)
        place, token = link.split("&token=")
        assert place == f"http://127.0.0.1:{server.port}/?run=model&worker=profile_rank_0&span=default"
        assert server.headers == {"Authorization": f"Bearer {token}"}
        assert places(server.loaded_state()) == [("model", "profile_rank_0")]
        assert json.loads(sightline("servers", "--json", **cache(session)).stdout)[0]["shows"] == str(recording(session))
        status, overview = server.json("/api/report" + place[place.index("?"):] + "&view=kernels")
        assert status == 200 and overview["view"] == "kernels"


def test_without_a_cache_nothing_is_left_behind(session):
    (session / "tmp").mkdir()
    with Server(*pair(session), "--no-cache", "--port", 0, TMPDIR=str(session / "tmp"), **cache(session)) as server:
        server.loaded_state()
        assert "the model" in json.dumps(server.json("/api/report?view=metadata")[1]), "the program is read"
        assert server.end()[0] == 0
    assert not list((session / "tmp").iterdir()) and not (session / "cache").exists()


def test_recordings_are_the_workers_of_one_run(session):
    with Server(*pair(session, 0, 1), "--port", 0, "--display-name", "two cores", **cache(session)) as server:
        assert [link.split("?")[1].split("&token=")[0] for link in links(server, 2)] == [
            f"run=two%20cores&worker=profile_rank_{rank}&span=default" for rank in (0, 1)
        ]
        assert places(server.loaded_state()) == [("two cores", "profile_rank_0"), ("two cores", "profile_rank_1")]


def test_a_secret_is_part_of_the_link(session):
    with Server(*pair(session), "--port", 0, "--token", "abc", **cache(session)) as server:
        (link,) = links(server, 1)
        assert link.endswith("&span=default&token=abc")
        status, headers, _ = server.get(link[link.index("/?"):], Authorization=None)
        assert status == 302 and sorted(re.split("[?&]", headers["Location"])) == ["./", "run=model", "span=default", "worker=profile_rank_0"]
        cookie = headers["Set-Cookie"].split(";")[0]
        assert server.get("/", Authorization=None, Cookie=cookie)[0] == 200
        assert server.get("/api/state", Authorization=None)[0] == 403


def test_ingested_profiles_have_names_and_are_found_by_them(session):
    done = sightline("view", *pair(session, 0, 1), "--ingest-only", **cache(session))
    assert done.returncode == 0, done.stderr
    names = READY.findall(done.stdout)
    assert len(set(names)) == 2 and len(done.stdout.splitlines()) == 2
    with Server("--port", 0, **cache(session)) as server:
        server.loaded_state()
        for rank, name in enumerate(names):
            status, headers, _ = server.get(f"/profile/{name}")
            assert status == 302 and headers["Location"] == f"../?run=model&worker=profile_rank_{rank}&span=default"
        assert server.get("/profile/n_" + 40 * "0")[0] == 404


def test_a_name_depends_on_the_content(session):
    def name_of(path):
        done = sightline("view", "-s", path, "--ingest-only", **cache(session))
        assert done.returncode == 0, done.stderr
        return READY.search(done.stdout)[1]

    (session / "elsewhere").mkdir()
    copy = shutil.copy(recording(session), session / "elsewhere" / "other.ntff")
    assert name_of(copy) == name_of(recording(session)) != name_of(recording(session, 1))


def test_the_program_is_read_with_its_recording(session):
    def ingested(*arguments):
        done = sightline("view", *arguments, "--ingest-only", **cache(session))
        assert done.returncode == 0, done.stderr
        return READY.search(done.stdout)[1], done.stderr

    alone, _ = ingested("-s", recording(session))
    paired, said = ingested(*pair(session))
    assert paired != alone and said == "", "the program is part of the content"
    with Server("--port", 0, **cache(session)) as server:
        server.loaded_state()
        place = server.get(f"/profile/{paired}")[1]["Location"].removeprefix("..")
        about = server.json("/api/report" + place.lstrip("/") + "&view=metadata")[1]
        assert "the model" in json.dumps(about)
    (session / "folder").mkdir()
    shutil.copy(recording(session), session / "folder" / "a.ntff")
    shutil.copy(session / "model.neff", session / "folder" / "b.neff")
    assert ingested("-d", session / "folder")[0] == paired, "whatever they are called, and wherever they lie"


def test_the_program_of_another_recording_is_reported(session):
    (session / "model.neff").write_bytes(neff(uuid=bytes(range(50, 66))))
    done = sightline("view", *pair(session), "--ingest-only", **cache(session))
    assert done.returncode == 0 and "1 problem" in done.stderr
    done = sightline("query", session / "cache" / "sessions", "SELECT code, message FROM problems", **cache(session))
    assert "other_program" in done.stdout


def test_swapped_program_and_recording_are_recognized(session):
    program, recorded = session / "model.neff", recording(session)
    for arguments, said in (
        (["-s", program], f"{program}: this is a compiled program (NEFF), not a recording: use --neff-path"),
        (["-n", recorded, "-s", recorded], f"{recorded}: this is a recording (NTFF), not a compiled program: use --session-file"),
    ):
        done = sightline("view", *arguments, "--ingest-only", **cache(session))
        assert done.returncode == 2 and said in done.stderr, done.stderr


def test_an_open_page_shows_profiles_ingested_later(session):
    with Server("--wait", "--watch", 0.1, "--port", 0, **cache(session)) as server:
        state = server.loaded_state()
        assert places(state) == [] and state["watching"] == []
        for name in ("first", "second"):
            rank = 0 if name == "first" else 1
            done = sightline("view", *pair(session, rank), "--ingest-only", "--display-name", name, **cache(session))
            assert done.returncode == 0, done.stderr
            end = time.monotonic() + 60
            while (name, f"profile_rank_{rank}") not in places(server.loaded_state()):  # each request waits for its response
                assert time.monotonic() < end
        assert len(places(server.loaded_state())) == 2


def test_a_new_name_is_stored_and_force_reads_again(session):
    def listed(*more):
        done = sightline("view", *pair(session), "--ingest-only", *more, **cache(session))
        assert done.returncode == 0, done.stderr
        (entry,) = json.loads(sightline("list", "--json", **cache(session)).stdout)
        (file,) = (session / "cache" / "profiles").glob("*.arrow")
        return entry["run"], file.stat().st_ino

    name, first = listed()
    assert name == "model"
    assert listed() == ("model", first), "it is there"
    name, second = listed("--display-name", "after the fix")
    assert name == "after the fix" and second != first
    name, third = listed("--display-name", "after the fix", "--force")
    assert name == "after the fix" and third != second


def test_a_profile_is_removed_by_its_name(session):
    name = READY.search(sightline("view", *pair(session), "--ingest-only", **cache(session)).stdout)[1]
    assert [entry["name"] for entry in json.loads(sightline("list", "--json", **cache(session)).stdout)] == [name]
    assert sightline("remove", name, **cache(session)).stdout == "removed 1 profile\n"
    assert json.loads(sightline("list", "--json", **cache(session)).stdout) == []


@pytest.mark.parametrize("arguments, code, said", [
    (["-n", "model.neff"], 2, "--neff-path needs --session-file"),
    (["-n", "no.neff", "-s", "profile_rank_0/profile_rank_0.ntff"], 1, "no.neff"),
    (["-n", "model.neff", "-s", "no.ntff"], 1, "no.ntff"),
    (["-s", "notes.txt"], 1, "notes.txt:0: not a profile"),
    (["-n", "model.neff", "-s", "notes.txt"], 1, "notes.txt:0: not a profile"),
    (["-d", "nowhere"], 1, "nowhere: no such file or directory"),
    (["-s", "profile_rank_0/profile_rank_0.ntff", "--output-file", "x"], 2, "--output-file needs an --output-format"),
    (["-s", "profile_rank_0/profile_rank_0.ntff", "--output-format", "xml"], 2, "xml"),
    (["-s", "profile_rank_0/profile_rank_0.ntff", "--ingest-only", "--no-cache"], 2, "without a cache"),
])
def test_wrong_usage(session, arguments, code, said):
    paths = [session / part if part.endswith(("neff", "ntff", "txt", "nowhere")) else part for part in arguments]
    done = sightline("view", *paths, **cache(session))
    assert done.returncode == code and said in done.stderr and done.stdout == "", (done.returncode, done.stderr)
    assert len(done.stderr.splitlines()) == 1


def test_terminology_is_that_of_the_metrics():
    assert sightline("view", "--terminology").stdout == sightline("metrics").stdout != ""


# ---- formats ----


def written(session, format, *more, ranks=(0,), cwd=None):
    done = subprocess.run(
        [sightline_program(), "view", *map(str, pair(session, *ranks)), "--output-format", format, *map(str, more)],
        capture_output=True, text=True, timeout=60, cwd=cwd or session, env=sightline_environment(session),
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def sightline_program():
    from program import PROGRAM

    return str(PROGRAM)


def sightline_environment(session):
    from program import environment

    return environment(**cache(session))


def rows(path, sql):
    done = sightline("query", path, sql, "--format", "json", "--limit", 0)
    assert done.returncode == 0, done.stderr
    return list(zip(*(column["values"] for column in json.loads(done.stdout)["columns"])))


SLICES = """select l.name, l.kind, p.name, s.start, s.duration, s.name, s.kind, s.depth, w.bytes, w.core, w.core_type, w.type from slices s
            join lanes l on l.id = s.lane join processes p on p.id = l.process left join device_work w on w.slice = s.id"""
COUNTERS = "select l.name, p.name, c.time, c.value from counters c join lanes l on l.id = c.lane join processes p on p.id = l.process"
FLOWS = """select f.name, f.start, t.name, t.start from flows join slices f on f.id = flows."from" join slices t on t.id = flows."to" """
COSTS = "select s.start, s.name, c.flops, c.bytes, c.bytes_read, c.bytes_written from work_costs c join slices s on s.id = c.slice"
FACTS = "select s.start, s.name, f.name, f.number, f.text from work_facts f join slices s on s.id = f.slice where f.number is not null or f.text <> ''"


def test_json_is_read_back_as_it_was(session):
    assert written(session, "json") == "written: ntff.json\n"
    again = session / "ntff.json"
    for sql in (SLICES, COUNTERS, FLOWS, COSTS, "select component, allocated from memory_usage"):
        before = sorted(rows(recording(session), sql), key=repr)
        assert before and sorted(rows(again, sql), key=repr) == before, sql
    assert set(rows(recording(session), FACTS)) <= set(rows(again, FACTS)), "an empty text is not a fact"
    sections = json.loads(again.read_text())
    first = min(sections["instruction"], key=lambda row: (row["timestamp"], row["id"]))
    assert first["opcode"] and first["label"] and first["duration"] >= 0 and "operands" in first
    assert {row["subgroup"] for row in sections["dma"]} == {"qSPSpillReload0-Q1-E0", "q in, out=1-Q2-E1"}
    assert all(row["transfer_size"] for row in sections["dma"])
    assert [row for row in sections["ham"] if row.get("type") != 99][0]["k"] == 3


def test_json_needs_a_device_with_engines(tmp_path):
    from program import write_trace

    trace = write_trace(tmp_path / "host.pt.trace.json")
    done = sightline("export", trace, "--format", "json", "--output", tmp_path / "out.json")
    assert done.returncode == 1 and "has no engines" in done.stderr and "--format chrome" in done.stderr
    assert not (tmp_path / "out.json").exists()


def test_each_recording_has_a_separate_file(session):
    said = written(session, "json", ranks=(0, 1))
    assert said == "written: ntff-profile_rank_0.json\nwritten: ntff-profile_rank_1.json\n"
    assert written(session, "perfetto", "--output-file", session / "one.pftrace") == f"written: {session / 'one.pftrace'}\n"
    assert (session / "one.pftrace").stat().st_size > 1000


def test_parquet_is_a_folder_named_like_the_profile(session):
    name = written(session, "parquet").removeprefix("written: ").strip()
    assert re.fullmatch("n_[0-9a-f]{40}", name)
    assert (session / name / "slices.parquet").exists() and (session / name / "work_facts.parquet").exists()


# ---- summaries ----


def metrics_of(path, session):
    done = sightline("report", path, "--view", "device_summary", "--format", "json", **cache(session))
    assert done.returncode == 0, done.stderr
    columns = {column["key"]: column["values"] for column in json.loads(done.stdout)["tables"]["metrics"]["columns"]}
    return dict(zip(columns["key"], columns["value"]))


def test_summaries_are_the_metrics_of_the_view(session):
    told = json.loads(written(session, "summary-json", ranks=(0, 1)))
    assert len(told) == 2 and all(re.fullmatch("n_[0-9a-f]{40}", name) for name in told)
    for rank, metrics in enumerate(told.values()):
        assert metrics["instance_type"] == "test.xlarge" and metrics["nc_idx"] == 0
        of_view = metrics_of(recording(session, rank), session)
        assert {key: metrics[key] for key in of_view} == of_view
    first = next(iter(told.values()))
    assert first["dma_packet_count"] == 6 and first["dma_packet_bytes"] == 512 * (1 + 2 + 3 + 4 + 5 + 6)
    assert None in first.values(), "unknown is null"


def test_a_summary_as_text_has_two_columns(session):
    lines = written(session, "summary-text").splitlines()
    told = next(iter(json.loads(written(session, "summary-json")).values()))
    assert [line.split()[0] for line in lines] == list(told)
    assert len({len(line) - len(line.split(maxsplit=1)[1]) for line in lines}) == 1, "the values begin in one column"
    for line, value in zip(lines, told.values()):
        text = line.split(maxsplit=1)[1]
        assert text == ("–" if value is None else value if isinstance(value, str) else text) and text
        assert not isinstance(value, (int, float)) or float(text) == value
    names = written(session, "summary-text", ranks=(0, 1)).splitlines()
    assert sum(bool(re.fullmatch("n_[0-9a-f]{40}", line)) for line in names) == 2


def test_a_summary_goes_into_a_file_too(session):
    assert written(session, "summary-json", "--output-file", "summary.json") == ""
    assert json.loads((session / "summary.json").read_text()) == json.loads(written(session, "summary-json"))


def test_removing_a_profile_removes_its_links(session):
    links = session / "cache" / "sessions"
    there = lambda: sorted(folder.name for folder in links.glob("*/*"))  # noqa: E731
    names = [READY.search(sightline("view", *pair(session, rank), "--ingest-only", **cache(session)).stdout)[1] for rank in (0, 1)]
    assert there() == ["profile_rank_0", "profile_rank_1"]
    done = sightline("remove", names[0], **cache(session))
    assert done.returncode == 0 and there() == ["profile_rank_1"] and recording(session, 0).exists(), done.stderr
    done = sightline("remove", "--all", **cache(session))
    assert done.returncode == 0 and not links.exists() and recording(session, 1).exists()
