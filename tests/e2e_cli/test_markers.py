"""Markers over HTTP: stored by content, changed only by PUT and DELETE, and never by a page of another site."""
import json

import pytest

from program import Server, needs_program, trace, write_trace

pytestmark = needs_program
JSON = {"Content_Type": "application/json"}


def put(server, markers, query="", **headers):
    return server.json(f"/api/markers{query}", "PUT", json.dumps({"markers": markers}), **{**JSON, **headers})


@pytest.fixture
def file(tmp_path):
    return write_trace(tmp_path / "rank0.pt.trace.json")


@pytest.fixture
def folder(tmp_path):
    return str(tmp_path / "remembered")


def test_markers_outlive_the_program_and_follow_the_content(file, folder, tmp_path):
    with Server(file, "--port", 0, SIGHTLINE_CACHE_DIR=folder) as server:
        server.loaded_state()
        empty = {"sets": [], "set": "default", "saved": True, "markers": []}
        assert server.json("/api/markers") == (200, empty)
        status, answer = put(server, [{"time": 9, "name": "é"}, {"time": -1, "name": ""}], "?set=before%20fusion")
        assert (status, answer["sets"]) == (200, ["before fusion"])
        assert answer["markers"] == [{"time": -1, "name": ""}, {"time": 9, "name": "é"}]
    copy = tmp_path / "copy.json"
    copy.write_bytes(file.read_bytes())
    with Server(copy, "--port", 0, SIGHTLINE_CACHE_DIR=folder) as server:
        server.loaded_state()
        assert server.json("/api/markers?set=before%20fusion")[1]["markers"] == answer["markers"]
        assert server.json("/api/markers?set=before%20fusion", "DELETE", **JSON)[1]["sets"] == []
    other = write_trace(tmp_path / "other.json", trace(7))
    with Server(other, "--port", 0, SIGHTLINE_CACHE_DIR=folder) as server:
        server.loaded_state()
        assert server.json("/api/markers")[1] == empty


def test_without_a_cache_they_last_as_long_as_the_program(file, folder, tmp_path):
    with Server(file, "--port", 0, "--no-cache", SIGHTLINE_CACHE_DIR=folder) as server:
        server.loaded_state()
        assert put(server, [{"time": 1, "name": "x"}])[1]["saved"] is False
        assert server.json("/api/markers")[1]["markers"] == [{"time": 1, "name": "x"}]
    assert not (tmp_path / "remembered").exists()


def test_refused_requests(file, folder):
    with Server(file, "--port", 0, SIGHTLINE_CACHE_DIR=folder) as server:
        server.loaded_state()
        body = json.dumps({"markers": []})
        assert server.json("/api/markers", "PUT", body)[0] == 400
        assert server.json("/api/markers", "PUT", body, Content_Type="text/plain")[0] == 400
        assert server.json("/api/markers", "DELETE")[0] == 400
        assert put(server, [], Origin="http://elsewhere.example")[0] == 403
        assert put(server, [], Host="elsewhere.example")[0] == 403
        assert put(server, [], "?run=absent")[0] == 404
        for markers in ([{"time": "1", "name": ""}], [{"time": 1}], [{"time": 1, "name": "x" * 201}], [{"time": 1, "name": ""}] * 1001, 5):
            assert put(server, markers)[0] == 400, markers
        assert server.json("/api/markers", "PUT", "{", **JSON)[0] == 400
        assert server.get("/api/markers", "PUT", b"x" * 2_100_000, **JSON)[0] == 413
        assert server.json("/api/markers")[1]["sets"] == []
        for path, allowed in (("/api/state", "GET, HEAD"), ("/", "GET, HEAD")):
            status, headers, _ = server.get(path, "PUT", "{}", **JSON)
            assert (status, headers["Allow"]) == (405, allowed)
    with Server(file, "--port", 0, "--token", "secret", SIGHTLINE_CACHE_DIR=folder) as server:
        assert put(server, [], Authorization=None)[0] == 403
        assert put(server, [], Authorization="Bearer secret")[0] in (200, 409)  # 409: still loading


def test_a_file_that_changed_before_its_content_was_known_has_no_markers(file, folder):
    with Server(file, "--port", 0, "--no-cache", SIGHTLINE_CACHE_DIR=folder) as server:
        server.loaded_state()
        write_trace(file, trace(5))
        status, answer = put(server, [])
        assert (status, answer["error"]["code"]) == (409, "unavailable")
