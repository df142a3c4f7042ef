"""Recording over HTTP, as the page does it: access, and refused requests."""
import json
import pathlib
import socket
import time

from program import Server, needs_program, short_folder, write_trace

pytestmark = needs_program
JSON = {"Content_Type": "application/json"}


def put(server, **body):
    return server.json("/api/capture", "PUT", json.dumps(body), **JSON)


def settled(server):
    while True:
        status, state = server.json("/api/capture")
        assert status == 200
        if not state["running"]:
            return state
        time.sleep(0.05)


def test_a_failed_capture_gives_the_reason(tmp_path):
    write_trace(tmp_path / "a.pt.trace.json")
    with Server(tmp_path, "--port", 0) as server:
        _, state = server.json("/api/capture")
        assert state["folder"] == f"{tmp_path}/captures" and not state["running"] and state["processes"] is None
        status, state = put(server, way="torch", pid=999_999_999)
        assert status == 200
        assert settled(server)["error"] == "process 999999999: there is no such process"
        assert put(server, way="http", address="http://127.0.0.1:1")[0] == 200
        assert "no server answers there" in settled(server)["error"]
        assert not (tmp_path / "captures").exists() or not any((tmp_path / "captures").iterdir())


def test_one_at_a_time_and_stopped_with_the_server(tmp_path):
    write_trace(tmp_path / "a.pt.trace.json")
    sockets = pathlib.Path(short_folder())
    with Server(tmp_path, "--port", 0, KINETO_IPC_SOCKET_DIR=str(sockets)) as server:
        assert put(server, way="processes")[1]["running"] is True
        status, answer = put(server, way="processes")
        assert status == 409 and "only one can run at a time" in answer["error"]["message"]
        assert server.json("/api/capture", "DELETE", "{}", **JSON)[0] == 200
        assert settled(server)["processes"] == []
        with socket.create_server(("127.0.0.1", 0)) as silent:  # waits ten minutes for the process after a request
            put(server, way="http", address=f"http://127.0.0.1:{silent.getsockname()[1]}")
            connection, _ = silent.accept()
            begin = time.monotonic()
            code, _ = server.end()
            assert code == 0 and time.monotonic() - begin < 60
            connection.close()
        assert not (sockets / "dynolog").exists()
    sockets.rmdir()


def test_refusals(tmp_path):
    write_trace(tmp_path / "a.pt.trace.json")
    with Server(tmp_path, "--port", 0) as server:
        for body in ({"way": "command"}, {"way": "xla", "address": ""}, {"way": "torch", "duration_ms": 0}, {"way": "torch", "duration_ms": 10**9}):
            assert put(server, **body)[0] == 400, body
        assert server.json("/api/capture", "PUT", "no json", **JSON)[0] == 400
        assert server.get("/api/capture", "PUT", '{"way": "processes"}', Content_Type="text/plain")[0] == 400, "a form of another site"
        assert server.get("/api/capture", "PUT", "{}", Origin="http://evil.example", **JSON)[0] == 403
        assert server.get("/api/capture", "POST", "{}", **JSON)[0] == 405


def test_nothing_without_the_token_or_where_it_is_switched_off(tmp_path):
    write_trace(tmp_path / "a.pt.trace.json")
    with Server(tmp_path, "--port", 0) as server:
        assert server.get("/api/capture", "PUT", '{"way": "processes"}', Authorization=None, **JSON)[0] == 403
        assert server.json("/api/capture")[1]["running"] is False
    with Server(tmp_path, "--port", 0, "--no-capture") as server:
        assert server.json("/api/capture")[1]["folder"] is None
        assert put(server, way="processes")[0] == 404
