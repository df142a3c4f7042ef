"""The server through the front door: routes, refusals, ports, and its end."""
import gzip
import http.client
import json
import os
import signal
import socket
import time

import pytest

from program import Server, needs_program, trace, write_trace

pytestmark = needs_program


@pytest.fixture
def run(tmp_path):
    write_trace(tmp_path / "job" / "rank2.pt.trace.json", trace(3))
    write_trace(tmp_path / "job" / "rank10.pt.trace.json.gz", trace(4))
    return tmp_path / "job"


@pytest.fixture
def server(run):
    with Server(run, "--port", 0) as started:
        yield started


def test_state(server):
    state = server.loaded_state()
    (job,) = state["runs"]
    assert job["name"] == "job" and [w["name"] for w in job["workers"]] == ["rank2", "rank10"]
    (span,) = job["workers"][0]["spans"]
    assert (span["name"], span["status"], span["events"], span["error"]) == ("default", "ready", 4, None)
    assert span["bytes_done"] == span["bytes_total"] > 0
    assert {"label": "events", "text": "4"} in span["facts"]
    ids = [view["id"] for view in state["views"]]
    assert ids[:2] == ["overview", "operators"] and set(span["views"]) == set(ids)
    assert span["views"]["overview"] is None
    assert all(view["group"] and view["title"] for view in state["views"])


def test_report(server):
    server.loaded_state()
    status, report = server.json("/api/report?run=job&worker=rank10&view=operators&search=mm")
    assert status == 200 and report["view"] == "operators"
    table = report["tables"]["operators"]
    columns = {c["key"]: c["values"] for c in table["columns"]}
    assert columns["name"] == ["aten::mm"] and columns["calls"] == [4]
    assert all(len(values) == table["rows"] for values in columns.values())


@pytest.mark.parametrize("format, kind", [("csv", "text/csv"), ("markdown", "text/markdown"), ("text", "text/plain")])
def test_other_formats(server, format, kind):
    server.loaded_state()
    status, headers, body = server.get(f"/api/report?view=operators&format={format}&table=operators")
    assert status == 200 and headers["Content-Type"].startswith(kind)
    assert b"aten::mm" in body
    if format == "csv":
        assert 'filename="operators-operators.csv"' in headers["Content-Disposition"]


@pytest.mark.parametrize(
    "path, status, message",
    [
        ("/api/report?view=operators&run=x", 404, "no run 'x'"),
        ("/api/report?view=operators&worker=x", 404, "no worker 'x'"),
        ("/api/report?view=operators&span=x", 404, "no span 'x'"),
        ("/api/report?view=x", 404, "no view 'x'"),
        ("/api/report", 400, "no view was named"),
        ("/api/report?view=operators&nonsense=1", 400, "no parameter 'nonsense'"),
        ("/api/report?view=operators&top=x", 400, "'top' must be a whole number"),
        ("/api/report?view=operators&format=xml", 400, "no format 'xml'"),
        ("/api/report?view=operators&table=x", 404, "no table 'x'"),
        ("/api/nonsense", 404, "no such route"),
        ("/nonsense.js", 404, "no such file"),
        ("/assets/../../../etc/passwd", 404, "no such file"),
    ],
)
def test_errors(server, path, status, message):
    server.loaded_state()
    answered, body = server.json(path)
    assert answered == status
    assert message in body["error"]["message"] and set(body["error"]) == {"code", "message", "where"}


def test_the_page_is_at_the_top(server):
    status, headers, page = server.get("/")
    assert status == 200 and headers["Content-Type"].startswith("text/html") and b"<" in page
    assert server.get("/kernels")[2] == page
    for path, location in (("/job/rank2/kernels?view=x&a=%20", "../../?view=x&a=%20"), ("/job/", "../"), ("/a/b.c", "../")):
        status, redirect, _ = server.get(path)
        assert (status, redirect["Location"]) == (302, location)
    assert server.get("/assets/none.js")[0] == 404 and server.get("/none.js")[0] == 404
    tag = headers["ETag"]
    status, _, body = server.get("/", If_None_Match=tag)
    assert (status, body) == (304, b"")


def test_security_headers(server):
    for path in ("/", "/api/state", "/api/report?view=x"):
        headers = server.get(path)[1]
        policy = headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy and "script-src 'self'" in policy and "frame-ancestors 'self'" in policy
        assert headers["X-Content-Type-Options"] == "nosniff" and headers["Referrer-Policy"] == "no-referrer"
        assert headers["Cross-Origin-Resource-Policy"] == "same-origin"


def test_gzip_when_accepted(server):
    server.loaded_state()
    for path in ("/", "/api/state", "/api/report?view=operators"):
        _, plain_headers, plain = server.get(path)
        assert plain_headers.get("Content-Encoding") is None
        _, headers, packed = server.get(path, Accept_Encoding="br, gzip")
        assert headers["Content-Encoding"] == "gzip" and "Accept-Encoding" in headers["Vary"]
        if path != "/api/state":  # the time of day is in no answer, but rates may be
            assert gzip.decompress(packed) == plain


def test_head_and_other_methods(server):
    status, headers, body = server.get("/", method="HEAD")
    assert (status, body) == (200, b"") and int(headers["Content-Length"]) > 0
    status, headers, _ = server.get("/api/state", method="POST", Content_Length="0")
    assert status == 405 and headers["Allow"] == "GET, HEAD"


def test_a_range_is_answered_as_one(server):
    page = server.get("/")[2]
    status, headers, body = server.get("/", Range="bytes=2-9")
    assert (status, body) == (206, page[2:10])


@pytest.mark.parametrize("line, status", [("garbage", 400), (f"GET /{'a' * 9000} HTTP/1.1", 414)], ids=["garbage", "long"])
def test_what_is_no_request_is_refused_and_the_server_lives(server, line, status):
    with socket.create_connection(("127.0.0.1", server.port), timeout=20) as connection:
        connection.sendall(line.encode() + b"\r\nHost: localhost\r\n\r\n")
        answer = http.client.HTTPResponse(connection)
        answer.begin()
        assert answer.status == status and json.loads(answer.read())["error"]["message"]
    assert server.get("/api/state")[0] == 200


@pytest.mark.parametrize("host", ["localhost:1", "localhost", "127.0.0.1:8080", "[::1]:3001"])
def test_our_own_names_are_answered(server, host):
    assert server.get("/api/state", Host=host)[0] == 200


@pytest.mark.parametrize("host", ["evil.example", "evil.example:3001", "localhost.evil.example", "10.1.2.3:3001"])
def test_a_rebound_name_is_refused(server, host):
    status, body = server.json("/api/state", Host=host)
    assert status == 403 and body["error"]["code"] == "refused"
    assert server.get("/", Host=host)[0] == 403


def test_another_sites_page_is_refused(server):
    own = f"http://localhost:{server.port}"
    assert server.get("/api/state", Host=f"localhost:{server.port}", Origin=own)[0] == 200
    for origin in ("http://evil.example", "null", "http://localhost:1"):
        assert server.get("/api/state", Host=f"localhost:{server.port}", Origin=origin)[0] == 403


def test_token(run):
    with Server(run, "--port", 0, "--token", "s3cret") as server:
        assert server.query == "?token=s3cret"
        assert server.get("/api/state")[0] == 403
        assert server.get("/")[0] == 403
        assert server.get("/api/state", Authorization="Bearer s3cret")[0] == 200
        assert server.get("/api/state", Authorization="Bearer other")[0] == 403
        status, headers, _ = server.get("/?token=s3cret")
        cookie = headers["Set-Cookie"]
        assert status == 200 and "HttpOnly" in cookie and "SameSite" in cookie
        assert server.get("/api/state", Cookie=cookie.split(";")[0])[0] == 200
        status, headers, body = server.get("/?token=wrong")
        assert status == 403 and headers["Content-Type"].startswith("text/plain") and b"this is not the token of this server" in body
        assert b"a token is required: open the address" in server.get("/")[2]


def test_beyond_loopback_a_token_is_made_up(run):
    with Server(run, "--port", 0, "--host", "0.0.0.0") as server:
        assert len(server.query) == len("?token=") + 32
        assert server.get("/api/state")[0] == 403
        assert server.get("/api/state" + server.query, Host="any-name-of-this-machine:1")[0] == 200


def test_a_taken_port_moves_to_the_next_free_one(run):
    with Server(run, "--port", 0) as first, Server(run, "--port", first.port) as second:
        assert second.port > first.port
        assert second.get("/api/state")[0] == 200 and first.get("/api/state")[0] == 200
        _, errors = second.end()
        assert f"port {first.port} is taken; using {second.port}" in errors


def test_answers_while_files_load(run):
    os.mkfifo(run / "slow")  # not a file: must not be opened, nor hold anything up
    with Server(run, "--port", 0) as server:
        state = server.loaded_state()
        assert len(state["runs"][0]["workers"]) == 2


def test_a_failed_file_is_in_the_state(run):
    (run / "rank3.pt.trace.json").write_text("no trace")
    with Server(run, "--port", 0) as server:
        state = server.loaded_state()
        span = state["runs"][0]["workers"][1]["spans"][0]
        assert span["status"] == "failed" and span["error"]["message"]
        assert "rank3.pt.trace.json" in span["error"]["where"]
        status, body = server.json("/api/report?view=overview&worker=rank3")
        assert status == 500 and body["error"] == span["error"]


@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM])
def test_ends_at_once_and_cleanly(run, sign):
    def seconds_to_end():
        server = Server(run, "--port", 0)
        kept_open = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
        kept_open.request("GET", "/api/state")
        kept_open.getresponse().read()
        began = time.monotonic()
        assert server.end(sign) == (0, "")
        spent = time.monotonic() - began
        kept_open.close()
        with pytest.raises(OSError):
            socket.create_connection(("127.0.0.1", server.port), timeout=5)
        return spent

    # A busy machine may be slow once; who waits for the connection, which is given up after 5 s, does so each time.
    assert any(seconds_to_end() < 4 for _ in range(4)), "it waited for the connection"


def test_many_clients_with_open_connections(server):
    server.loaded_state()
    clients = [http.client.HTTPConnection("127.0.0.1", server.port, timeout=20) for _ in range(24)]
    bodies = set()
    for _ in range(2):
        for client in clients:
            client.request("GET", "/api/report?view=operators")
        for client in clients:
            bodies.add(client.getresponse().read())
    assert len(bodies) == 1 and json.loads(bodies.pop())["view"] == "operators"
    for client in clients:
        client.close()
