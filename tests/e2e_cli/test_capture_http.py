"""sightline capture http, against a small server with the routes of vLLM and SGLang."""
import gzip
import http.server
import json
import pathlib
import signal
import socket
import subprocess
import threading
import time

import pytest
from program import PROGRAM, environment, needs_program, sightline, trace

pytestmark = needs_program


class Engine:
    """Writes a trace to the folder it was told at its start (vLLM), or to the one in the request (SGLang)."""

    def __init__(self, own_folder=None, routes=True, status=200, delay=0, writes=True):
        self.calls = []
        engine = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                engine.calls.append((self.path, json.loads(body), self.headers.get("Authorization")))
                code = status if routes else 404
                if code == 200 and writes and (self.path.endswith("/stop_profile") or "num_steps" in engine.calls[-1][1]):
                    time.sleep(delay)
                    engine.write()
                self.send_response(code)
                self.end_headers()
                self.wfile.write(b"some reason" if code >= 400 else b"")

            def log_message(self, *_):
                pass

        self.own_folder = own_folder
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def write(self):
        folder = pathlib.Path(self.own_folder or self.calls[0][1]["output_dir"])
        (folder / "1700000000.5-TP-0.trace.json.gz").write_bytes(gzip.compress(json.dumps(trace()).encode()))

    def paths(self):
        return [path for path, _, _ in self.calls]


@pytest.fixture
def engine():
    made = []

    def make(**arguments):
        made.append(Engine(**arguments))
        return made[-1]

    yield make
    for one in made:
        one.server.shutdown()


def capture(url, out, *arguments):
    return sightline("capture", "http", url, "--out", out, "--duration", "300ms", *arguments)


def test_an_engine_that_is_told_where_to_write(engine, tmp_path):
    server = engine()
    done = capture(server.url, tmp_path / "out", "--shapes", "--api-key", "secret")
    assert done.returncode == 0, done.stderr
    assert server.paths() == ["/start_profile", "/stop_profile"]
    _, wishes, authorization = server.calls[0]
    assert wishes["record_shapes"] is True and wishes["with_stack"] is False and authorization == "Bearer secret"
    (name,) = done.stdout.splitlines()
    assert len(json.loads(gzip.open(name).read())["traceEvents"]) == 4
    assert sightline("report", name, "--view", "operators").returncode == 0


def test_an_engine_with_a_folder_of_its_own(engine, tmp_path):
    (tmp_path / "server").mkdir()
    (tmp_path / "server" / "old.trace.json").write_text(json.dumps(trace()))
    server = engine(own_folder=tmp_path / "server")
    done = capture(server.url + "/base/", tmp_path / "out", "--traces", tmp_path / "server")
    assert done.returncode == 0, done.stderr
    assert server.paths() == ["/base/start_profile", "/base/stop_profile"]
    assert done.stdout == f"{tmp_path}/out/1700000000.5-TP-0.trace.json.gz\n"


def test_steps(engine, tmp_path):
    server = engine()
    done = capture(server.url, tmp_path / "out", "--iterations", 3)
    assert done.returncode == 0, done.stderr
    assert server.paths() == ["/start_profile"] and server.calls[0][1]["num_steps"] == 3


def test_an_engine_whose_disk_is_not_ours(engine, tmp_path):
    done = capture(engine(writes=False).url, tmp_path / "out")
    assert done.returncode == 1
    assert "the engine has written its traces on its own disk" in done.stderr
    assert not (tmp_path / "out").exists()


def test_no_such_route(engine, tmp_path):
    done = capture(engine(routes=False).url, tmp_path / "out")
    assert done.returncode == 1
    assert "/start_profile: there is no such route: vLLM has it when" in done.stderr
    assert not (tmp_path / "out").exists()


def test_an_engine_that_refuses(engine, tmp_path):
    done = capture(engine(status=500).url, tmp_path / "out")
    assert done.returncode == 1 and "it answered 500 some reason" in done.stderr


def test_an_engine_that_writes_for_too_long(engine, tmp_path):
    begin = time.monotonic()
    done = capture(engine(delay=8).url, tmp_path / "out", "--timeout", "1s")
    assert "no answer in time" in done.stderr and "it may still be recording" in done.stderr
    assert time.monotonic() - begin < 30


def test_nobody_listens(tmp_path):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    done = capture(f"http://127.0.0.1:{port}", tmp_path / "out")
    assert done.returncode == 1 and "nobody answers there" in done.stderr


def test_another_protocol(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as server:

        def talk():
            connection, _ = server.accept()
            connection.sendall(b"SSH-2.0-OpenSSH_9.2\r\n")
            connection.close()

        threading.Thread(target=talk, daemon=True).start()
        done = capture(f"http://127.0.0.1:{server.getsockname()[1]}", tmp_path / "out")
    assert done.returncode == 1 and "or none that is HTTP" in done.stderr


def test_ctrl_c_stops_the_engine_and_keeps_what_it_recorded(engine, tmp_path):
    server = engine()
    command = [str(PROGRAM), "capture", "http", server.url, "--out", str(tmp_path / "out"), "--duration", "1m"]
    process = subprocess.Popen(command, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while "/start_profile" not in server.paths():
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    names, errors = process.communicate(timeout=20)
    assert process.returncode == 0, errors
    assert server.paths()[-1] == "/stop_profile" and len(names.splitlines()) == 1


def test_usage(tmp_path):
    for arguments in (["localhost:8000"], ["http://x", "--at", "2001-01-01T00:00:00"]):
        done = capture(arguments[0], tmp_path / "out", *arguments[1:])
        assert done.returncode == 2, done.stderr
    assert capture("http://127.0.0.1:1", tmp_path / "out", "--traces", tmp_path / "none").returncode == 1
