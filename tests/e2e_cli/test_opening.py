"""Opening profiles from the page: files that a client sends, paths of the server's machine, profiles of the cache."""
import gzip
import json
import os
import pathlib
import signal
import socket

import pytest

from on_terminal import PATIENCE_SECONDS
from program import Server, needs_program, sightline, trace, write_trace

pytestmark = needs_program

JSON = {"Content_Type": "application/json"}
BYTES = {"Content_Type": "application/octet-stream"}
TRACE = json.dumps(trace(3)).encode()


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "cache"


@pytest.fixture
def server(folder):
    with Server("--port", 0, SIGHTLINE_CACHE_DIR=folder) as started:
        yield started


def announce(server, files, **headers):
    """Announces files by path and size; returns (status, response)."""
    body = json.dumps({"files": [{"path": path, "size": size} for path, size in files]})
    return server.json("/api/uploads", "POST", body, **{**JSON, **headers})


def put(server, upload, number, content, **headers):
    return server.json(f"/api/uploads/{upload['id']}/{number}", "PUT", content, **{**BYTES, **headers})


def send(server, files):
    """Sends files ({path: content}) together; returns the last (status, response)."""
    status, upload = announce(server, [(path, len(content)) for path, content in files.items()])
    assert status == 200, upload
    for number, content in enumerate(files.values()):
        status, answer = put(server, upload, number, content)
    return status, answer


def close(server, upload):
    return server.json(f"/api/uploads/{upload['id']}", "DELETE", "{}", **JSON)


def opening(server):
    status, state = server.json("/api/open")
    assert status == 200
    return state


def runs(server):
    return {run["name"]: [worker["name"] for worker in run["workers"]] for run in server.loaded_state()["runs"]}


def stored(folder):
    """The files that are kept for pages."""
    return sorted(path.name for path in (folder / "uploads").rglob("*") if path.is_file() and path.suffix != ".lock")


def test_a_file_is_opened_under_its_own_name(server, folder):
    status, upload = send(server, {"resnet50.pt.trace.json.gz": gzip.compress(TRACE)})
    assert status == 200 and upload["open"] and upload["left_out"] == []
    assert upload["profiles"] == [{"run": "resnet50", "worker": "resnet50", "span": "default"}]
    assert runs(server) == {"resnet50": ["resnet50"]}
    state = server.loaded_state()
    assert str(folder) not in json.dumps(state) and state["watching"] == []
    for view in ("overview", "metadata", "problems"):
        status, _, body = server.get(f"/api/report?view={view}&run=resnet50")
        assert status == 200 and str(folder).encode() not in body
    # The text of an event is read again from the stored file.
    status, _, body = server.get("/api/slice?run=resnet50&slice=1")
    assert status == 200 and b"aten::mm" in body


def test_a_folder_is_searched_like_one_on_the_command_line(server, folder):
    files = {f"logs/ddp/worker{i}.pt.trace.json": TRACE for i in range(2)}
    status, upload = send(server, {**files, "logs/readme.txt": b"", "logs/other/a.json": TRACE})
    assert status == 200 and upload["name"] == "logs" and upload["left_out"] == []
    assert runs(server) == {"logs/ddp": ["worker0", "worker1"], "logs/other": ["a"]}
    assert opening(server)["uploads"] == [upload]


def test_loose_files_are_one_run_and_each_that_is_no_profile_says_why(server):
    files = {"r0.pt.trace.json": TRACE, "r1.pt.trace.json": TRACE, "odd_name": TRACE, "notes.txt": b"hello", "empty.json": b""}
    status, upload = send(server, files)
    assert status == 200 and upload["name"] == "r0 +4"
    assert runs(server) == {"r0 +4": ["odd_name", "r0", "r1"]}
    assert [error["where"] for error in upload["left_out"]] == ["notes.txt:0", "empty.json:0"]
    assert "not a profile in a supported format" in upload["left_out"][0]["message"]
    assert upload["left_out"][1]["message"] == "the file is empty"


def test_the_same_name_twice_makes_two_runs(server):
    for _ in range(2):
        send(server, {"a.pt.trace.json": TRACE})
    assert list(runs(server)) == ["a", "a (2)"]


@pytest.mark.parametrize(
    "files, why",
    [
        ({"notes.txt": b"hello"}, "not a profile in a supported format"),
        ({"docs/notes.txt": b"hello", "docs/b": b""}, "no profile found in 2 files"),
        ({"a.json": b""}, "the file is empty"),
    ],
)
def test_what_cannot_be_opened_says_why_and_leaves_nothing(server, folder, files, why):
    status, answer = send(server, files)
    assert status == 404 and why in answer["error"]["message"] and str(folder) not in json.dumps(answer)
    assert stored(folder) == [] and opening(server)["uploads"] == [] and runs(server) == {}


def test_a_damaged_file_fails_as_a_profile_that_names_the_file(server, folder):
    status, upload = send(server, {"torn.pt.trace.json.gz": gzip.compress(TRACE)[:60]})
    assert status == 200
    span = server.loaded_state()["runs"][0]["workers"][0]["spans"][0]
    assert span["status"] == "failed" and span["error"]["where"].startswith("torn.pt.trace.json.gz")
    assert str(folder) not in json.dumps(span)


@pytest.mark.parametrize(
    "path",
    ["../a.json", "/etc/passwd", "a/../../b.json", "..", ".", "", "a//b", "a/", ".hidden/a.json", "a\0b", "a\nb", "x" * 201, "C:\\a", "a/" * 32 + "b"],
    ids=lambda path: repr(path)[:40],
)
def test_paths_that_leave_the_upload_are_refused(server, folder, path):
    status, answer = announce(server, [("fine.json", 1), (path, 1)])
    assert status == 400 and "is not accepted" in answer["error"]["message"]
    assert stored(folder) == []


@pytest.mark.parametrize(
    "body",
    [b"", b"[]", b"{}", b'{"files": 1}', b'{"files": []}', b'{"files": [1]}', b'{"files": [{"path": "a"}]}',
     b'{"files": [{"path": "a", "size": -1}]}', b'{"files": [{"path": "a", "size": 1e300}]}',
     b'{"files": [{"path": "a", "size": 9223372036854775807}, {"path": "b", "size": 9223372036854775807}]}',
     b'{"files": [{"path": "a", "size": 1}, {"path": "a", "size": 1}]}', b'{"files": [{"path": "a", "size": 1}, {"path": "a/b", "size": 1}]}',
     json.dumps({"files": [{"path": str(i), "size": 0} for i in range(10_001)]}).encode()],
    ids=lambda body: body[:60].decode(),
)
def test_announcements_that_make_no_sense_are_refused(server, body):
    assert server.json("/api/uploads", "POST", body, **JSON)[0] == 400
    assert opening(server)["uploads"] == []


def test_a_body_of_another_size_is_refused_and_can_be_sent_again(server):
    _, upload = announce(server, [("a.pt.trace.json", len(TRACE))])
    for content in (TRACE[:-1], TRACE + b" ", b""):
        status, answer = put(server, upload, 0, content)
        assert status == 400 and "bytes" in answer["error"]["message"], answer
    assert opening(server)["uploads"][0]["arrived"] == 0
    assert put(server, upload, 1, TRACE)[0] == 404
    assert put(server, upload, "x", TRACE)[0] == 400
    assert put(server, upload, 0, TRACE)[1]["open"]
    assert put(server, upload, 0, TRACE)[0] == 409


def connect(server):
    return socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE_SECONDS)


def begin_sending(server, upload, number, content, size):
    """A connection on which part of a file has been sent; returns once the server has stored it."""
    connection = connect(server)
    head = f"PUT /api/uploads/{upload['id']}/{number} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/octet-stream\r\n"
    connection.sendall(f"{head}{server.header_lines()}Content-Length: {size}\r\n\r\n".encode() + content)
    while next(each for each in opening(server)["uploads"] if each["id"] == upload["id"])["arrived"] < len(content):
        pass  # each request waits for its response
    return connection


def test_a_client_that_stops_sending_is_told_so_and_its_part_is_removed(server, folder):
    _, upload = announce(server, [("a.pt.trace.json", 1000)])
    with begin_sending(server, upload, 0, b"x" * 500, 1000) as connection:
        assert stored(folder) == ["a.pt.trace.json"]
        answer = connection.recv(65536)  # nothing more is sent
        assert answer.startswith(b"HTTP/1.1 408") and b"the request took too long to arrive" in answer
    while stored(folder):
        opening(server)  # the thread that stores the file ends by itself
    assert put(server, upload, 0, TRACE.ljust(1000))[0] == 200  # the client may begin again


HEAD_OF_JSON = (16 << 20) + (64 << 10)


@pytest.mark.parametrize("name, size", [("film.mp4", 1 << 30), ("words.txt", 1 << 20), ("words.json", 1 << 30)])
def test_the_head_shows_what_cannot_be_opened(server, folder, name, size):
    _, upload = announce(server, [(name, size)])
    assert 0 < upload["head"] <= HEAD_OF_JSON
    head = (b'{"words": ["' if name.endswith("json") else b"").ljust(upload["head"], b"x")
    status, answer = server.json(f"/api/uploads/{upload['id']}/0?part=head", "PUT", head, **BYTES)
    assert status == 404 and "not a profile in a supported format" in answer["error"]["message"]
    assert answer["error"]["where"] == f"{name}:0"
    assert stored(folder) == [] and opening(server)["uploads"] == []


def test_the_head_of_a_profile_is_accepted_and_not_kept(server, folder):
    content = TRACE.ljust(1 << 26)
    _, upload = announce(server, [("odd_name", len(content))])
    path = f"/api/uploads/{upload['id']}/0"
    assert upload["head"] > 0 and server.json(f"{path}?part=head", "PUT", content[: upload["head"]], **BYTES)[0] == 200
    assert stored(folder) == []
    assert server.json(f"{path}?part=head", "PUT", b"x", **BYTES)[1]["error"]["message"] == f"1 of {upload['head']} bytes arrived"


def test_the_head_of_an_open_upload_is_refused(server, folder):
    content = TRACE.ljust(1 << 26)
    _, upload = announce(server, [("odd_name", len(content))])
    assert put(server, upload, 0, content)[1]["open"]
    for head in (b"x", b"x" * upload["head"]):
        assert server.json(f"/api/uploads/{upload['id']}/0?part=head", "PUT", head, **BYTES)[0] == 400
    assert stored(folder) == ["odd_name"] and [one["id"] for one in opening(server)["uploads"]] == [upload["id"]]
    assert close(server, upload) == (200, {"closed": True}) and stored(folder) == []


def test_files_that_are_sent_together_have_no_head(server):
    for files in ([("a.mp4", 1 << 30), ("b.mp4", 1 << 30)], [("folder/a.mp4", 1 << 30)], [("small.txt", 100)]):
        _, upload = announce(server, files)
        assert upload["head"] == 0


def test_a_cancelled_upload_leaves_nothing(server, folder):
    _, upload = announce(server, [("a/one.json", 1000), ("a/two.json", 1000)])
    with begin_sending(server, upload, 0, b"x" * 500, 1000) as connection:
        assert stored(folder) == ["one.json"]
        assert close(server, upload) == (200, {"closed": True})
        assert stored(folder) == [] and opening(server)["uploads"] == []
        connection.sendall(b"x" * 100)
        assert b"the upload was cancelled" in connection.recv(65536)
    assert close(server, upload)[0] == 404


def test_a_client_that_leaves_half_way_can_send_the_file_again(server, folder):
    _, upload = announce(server, [("a.pt.trace.json", len(TRACE))])
    begin_sending(server, upload, 0, TRACE[:50], len(TRACE)).close()
    while opening(server)["uploads"][0]["arrived"] > 0:
        pass
    assert stored(folder) == []
    assert put(server, upload, 0, TRACE)[1]["open"]


def test_two_uploads_at_once_do_not_wait_for_one_another(server):
    _, slow = announce(server, [("slow.pt.trace.json", len(TRACE))])
    with begin_sending(server, slow, 0, TRACE[:50], len(TRACE)) as connection:
        status, fast = send(server, {"fast.pt.trace.json": TRACE})
        assert status == 200 and runs(server) == {"fast": ["fast"]}
        connection.sendall(TRACE[50:])
        assert b"200 OK" in connection.recv(65536)
    assert runs(server) == {"fast": ["fast"], "slow": ["slow"]}


def test_the_limit_counts_all_uploads(folder):
    with Server("--port", 0, "--upload-limit", len(TRACE) + 10, SIGHTLINE_CACHE_DIR=folder) as server:
        assert opening(server)["room"] == len(TRACE) + 10
        status, upload = send(server, {"a.pt.trace.json": TRACE})
        assert status == 200 and opening(server)["room"] == 10
        status, answer = announce(server, [("b.json", 11)])
        assert status == 409 and "--upload-limit" in answer["error"]["message"]
        assert close(server, upload)[0] == 200 and opening(server)["room"] == len(TRACE) + 10
        status, answer = announce(server, [("b.json", 1 << 47)])
        assert status == 409 and "the disk of the server is too full" in answer["error"]["message"]


def test_too_many_unfinished_uploads_are_refused(server):
    statuses = [announce(server, [("a.json", 1)])[0] for _ in range(17)]
    assert statuses == [200] * 16 + [409]


def test_closing_an_upload_removes_its_profile_and_its_files(server, folder):
    _, upload = send(server, {"a.pt.trace.json": TRACE})
    assert runs(server) == {"a": ["a"]}
    assert close(server, upload) == (200, {"closed": True})
    assert runs(server) == {} and stored(folder) == []
    assert json.loads(sightline("list", "--json", SIGHTLINE_CACHE_DIR=folder).stdout) == []


def test_files_go_with_their_server_and_the_profile_stays_in_the_cache(server, folder):
    send(server, {"a.pt.trace.json": TRACE})
    server.loaded_state()
    while not opening(server)["recent"]:
        pass  # it is being written
    assert stored(folder) == ["a.pt.trace.json"]
    server.end()
    assert list((folder / "uploads").iterdir()) == []
    with Server("--port", 0, SIGHTLINE_CACHE_DIR=folder) as next_server:
        state = next_server.loaded_state()
        assert [run["name"] for run in state["runs"]] == ["a"]
        assert state["runs"][0]["workers"][0]["spans"][0]["file"] == "a.pt.trace.json"
        status, _, body = next_server.get("/api/slice?run=a&slice=1")
        assert str(folder).encode() not in body


def test_the_next_server_removes_what_a_killed_one_left(folder):
    with Server("--port", 0, SIGHTLINE_CACHE_DIR=folder) as running:
        send(running, {"kept.pt.trace.json": TRACE})
        with Server("--port", 0, SIGHTLINE_CACHE_DIR=folder) as killed:
            _, upload = announce(killed, [("half.json", 1000)])
            connection = begin_sending(killed, upload, 0, b"x" * 500, 1000)
            killed.end(signal.SIGKILL)
            connection.close()
        assert stored(folder) == ["half.json", "kept.pt.trace.json"]
        with Server("--port", 0, SIGHTLINE_CACHE_DIR=folder) as after:
            assert stored(folder) == ["kept.pt.trace.json"] and after.json("/api/open")[0] == 200
        assert running.get("/api/slice?run=kept&slice=1")[0] == 200


def test_files_are_for_the_user_alone(server, folder):
    send(server, {"logs/a.pt.trace.json": TRACE})
    for path in (folder / "uploads").rglob("*"):
        assert path.stat().st_mode & 0o077 == 0, path


def test_without_a_cache_files_are_temporary(tmp_path):
    with Server("--port", 0, "--wait", "--no-cache", TMPDIR=tmp_path) as server:
        assert send(server, {"a.pt.trace.json": TRACE})[0] == 200
        assert runs(server) == {"a": ["a"]} and len(list(tmp_path.rglob("a.pt.trace.json"))) == 1
        server.end()
    assert list(tmp_path.rglob("a.pt.trace.json")) == []


# ---- who may ----


def test_other_sites_and_clients_without_the_token_are_refused(server, folder):
    body = json.dumps({"files": [{"path": "a.json", "size": 1}]})
    path = json.dumps({"path": str(folder)})
    for route, content in (("/api/uploads", body), ("/api/open", path)):
        for headers in ({"Origin": "http://evil.example"}, {"Sec_Fetch_Site": "cross-site"}, {"Host": "evil.example"}, {"Authorization": None}):
            assert server.get(route, "POST", content, **JSON, **headers)[0] == 403, headers
        for kind in ("text/plain", "multipart/form-data", "application/x-www-form-urlencoded"):
            assert server.get(route, "POST", content, Content_Type=kind)[0] == 400
    _, upload = announce(server, [("a.json", 1)])
    assert put(server, upload, 0, b"x", Authorization=None)[0] == 403
    assert put(server, upload, 0, b"x", Content_Type="text/plain")[0] == 400
    assert server.get(f"/api/uploads/{upload['id']}", "DELETE", "{}", Authorization=None, **JSON)[0] == 403
    assert server.get(f"/api/uploads/{upload['id']}", "POST", "{}", **JSON)[0] == 405
    assert stored(folder) == []


def test_the_page_opens_nothing_with_no_add(folder):
    with Server("--port", 0, "--no-add", SIGHTLINE_CACHE_DIR=folder) as server:
        assert opening(server) == {"files": False, "paths": False, "room": 0, "uploads": [], "recent": []}
        assert announce(server, [("a.json", 1)])[0] == 404
        assert server.get("/api/open", "POST", json.dumps({"path": "/"}), **JSON)[0] == 404


def test_without_a_token_no_further_files_of_the_machine_are_opened(tmp_path, folder):
    write_trace(tmp_path / "secret" / "a.pt.trace.json", trace(3))
    assert sightline("ingest", tmp_path / "secret", SIGHTLINE_CACHE_DIR=folder).returncode == 0
    write_trace(tmp_path / "shown" / "b.pt.trace.json", trace(2))
    with Server(tmp_path / "shown", "--port", 0, "--no-token", SIGHTLINE_CACHE_DIR=folder) as server:
        state = opening(server)
        assert state["files"] and not state["paths"] and state["recent"] == []
        key = json.loads(sightline("list", "--json", SIGHTLINE_CACHE_DIR=folder).stdout)[0]["key"]
        for body in ({"path": str(tmp_path / "secret")}, {"key": key}):
            status, answer = server.json("/api/open", "POST", json.dumps(body), **JSON)
            assert status == 400 and "--no-token" in answer["error"]["message"]
        assert runs(server) == {"shown": ["b"]}


# ---- paths and the cache ----


def open_there(server, **what):
    return server.json("/api/open", "POST", json.dumps(what), **JSON)


def test_a_path_on_the_server_is_opened_and_watched(server, tmp_path):
    write_trace(tmp_path / "job" / "a.pt.trace.json", trace(3))
    expected = {"profiles": [{"run": "job", "worker": "a", "span": "default"}]}
    for _ in range(2):
        assert open_there(server, path=str(tmp_path / "job")) == (200, expected)
    state = server.loaded_state()
    assert state["watching"] == [str(tmp_path / "job")] and [run["name"] for run in state["runs"]] == ["job"]


def test_a_path_below_the_home_folder(tmp_path, folder):
    write_trace(tmp_path / "home" / "job" / "a.pt.trace.json", trace(3))
    with Server("--port", 0, SIGHTLINE_CACHE_DIR=folder, HOME=tmp_path / "home") as server:
        assert open_there(server, path="~/job")[0] == 200


def test_a_path_that_cannot_be_opened_says_why(server, tmp_path):
    (tmp_path / "notes.txt").write_text("hello")
    missing = str(tmp_path / "missing")
    status, answer = open_there(server, path=missing)
    assert status == 404 and answer["error"]["where"] == missing and answer["error"]["message"] == "no such file or directory"
    status, answer = open_there(server, path=str(tmp_path / "notes.txt"))
    assert status == 404 and answer["error"]["where"] == f"{tmp_path}/notes.txt:0"
    for body in ({}, {"path": ""}, {"path": "a\0b"}, {"path": 1}, {"path": "a", "key": "b"}):
        assert open_there(server, **body)[0] == 400
    assert open_there(server, key="nothing")[0] == 404
    assert server.loaded_state()["watching"] == [] and runs(server) == {}


def test_a_recent_profile_is_opened_from_the_cache(tmp_path, folder):
    file = write_trace(tmp_path / "job" / "a.pt.trace.json", trace(3))
    assert sightline("ingest", file, SIGHTLINE_CACHE_DIR=folder).returncode == 0
    file.unlink()
    (tmp_path / "empty").mkdir()
    with Server(tmp_path / "empty", "--wait", "--port", 0, SIGHTLINE_CACHE_DIR=folder) as server:
        (recent,) = opening(server)["recent"]
        assert recent["run"] == "job" and recent["file"] == str(file) and recent["last_used"] > 1.6e12
        assert runs(server) == {}
        for _ in range(2):
            assert open_there(server, key=recent["key"]) == (200, {"profiles": [{"run": "job", "worker": "a", "span": "default"}]})
        assert runs(server) == {"job": ["a"]}
