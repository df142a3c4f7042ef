"""sightline capture http, with a small server with the routes of vLLM and SGLang."""
import gzip
import http.server
import json
import pathlib
import resource
import signal
import socket
import ssl
import subprocess
import threading
import time

import pytest
from program import PATIENCE_SECONDS, PROGRAM, OnTerminal, environment, needs_program, sightline, trace

pytestmark = needs_program


class Engine:
    """Writes a trace to the folder that was set when it started (vLLM), or to the one in the request (SGLang)."""

    def __init__(self, own_folder=None, routes=True, status=200, delay=0, writes=True, certificate=None):
        self.calls, self.refuses = [], False
        engine = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                engine.calls.append((self.path, json.loads(body), self.headers.get("Authorization")))
                code = 400 if engine.refuses else status if routes else 404
                if code == 200 and writes and (self.path.endswith("/stop_profile") or "num_steps" in engine.calls[-1][1]):
                    time.sleep(delay)
                    engine.write()
                self.send_response(code)
                self.end_headers()
                self.wfile.write(b"recording already" if engine.refuses else b"some reason" if code >= 400 else b"")

            def log_message(self, *_):
                pass

        self.own_folder = own_folder
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate)
            self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
            self.url = f"https://localhost:{self.server.server_port}"
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


def test_an_engine_behind_tls_needs_a_trusted_certificate(engine, tmp_path):
    certificate = tmp_path / "certificate.pem"
    made = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", certificate, "-out", tmp_path / "public.pem"]
    made += ["-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]
    subprocess.run(made, check=True, capture_output=True)
    certificate.write_bytes(certificate.read_bytes() + (tmp_path / "public.pem").read_bytes())
    server = engine(certificate=certificate)
    arguments = ["capture", "http", server.url, "--out", tmp_path / "out", "--duration", "100ms"]
    refused = sightline(*arguments)
    assert refused.returncode == 1 and "certificate verify failed" in refused.stderr and not server.calls
    known = sightline(*arguments, SSL_CERT_FILE=str(tmp_path / "public.pem"))
    assert known.returncode == 0, known.stderr
    assert server.paths() == ["/start_profile", "/stop_profile"]
    other = sightline(*arguments[:2], server.url.replace("localhost", "127.0.0.1"), *arguments[3:], SSL_CERT_FILE=str(tmp_path / "public.pem"))
    assert other.returncode == 1 and len(server.calls) == 2  # the certificate has another name


def test_an_engine_that_writes_where_the_request_says(engine, tmp_path):
    server = engine()
    done = capture(server.url, tmp_path / "out", "--shapes", "--api-key", "secret")
    assert done.returncode == 0, done.stderr
    assert server.paths() == ["/start_profile", "/stop_profile"]
    _, wishes, authorization = server.calls[0]
    assert wishes["record_shapes"] is True and wishes["with_stack"] is False and authorization == "Bearer secret"
    (name,) = done.stdout.splitlines()
    assert len(json.loads(gzip.open(name).read())["traceEvents"]) == 4
    assert sightline("report", name, "--view", "operators").returncode == 0


def test_an_engine_with_a_fixed_folder(engine, tmp_path):
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


def test_an_engine_on_another_disk(engine, tmp_path):
    done = capture(engine(writes=False).url, tmp_path / "out")
    assert done.returncode == 1
    assert "the engine has written its traces on its own disk" in done.stderr
    assert not (tmp_path / "out").exists()


def test_no_such_route(engine, tmp_path):
    done = capture(engine(routes=False).url, tmp_path / "out")
    assert done.returncode == 1
    assert "/start_profile: no such route: vLLM has it if" in done.stderr
    assert not (tmp_path / "out").exists()


def test_an_engine_that_refuses(engine, tmp_path):
    done = capture(engine(status=500).url, tmp_path / "out")
    assert done.returncode == 1 and "it answered 500 some reason" in done.stderr


def test_an_engine_that_writes_for_too_long(engine, tmp_path):
    begin = time.monotonic()
    done = capture(engine(delay=60).url, tmp_path / "out", "--timeout", "1s")
    assert "no HTTP answer in time" in done.stderr and "it may still be recording" in done.stderr
    assert time.monotonic() - begin < 50, "the engine writes for 60 s"


def test_no_server_listens(tmp_path):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))  # bound but not listening, so no other program listens there
        done = capture(f"http://127.0.0.1:{free.getsockname()[1]}", tmp_path / "out")
    assert done.returncode == 1 and "no server answers there" in done.stderr


def test_another_protocol(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as server:

        def talk():
            connection, _ = server.accept()
            connection.sendall(b"SSH-2.0-OpenSSH_9.2\r\n")
            connection.close()

        threading.Thread(target=talk, daemon=True).start()
        done = capture(f"http://127.0.0.1:{server.getsockname()[1]}", tmp_path / "out")
    assert done.returncode == 1 and "no HTTP answer in time" in done.stderr


def test_ctrl_c_stops_the_engine_and_keeps_what_it_recorded(engine, tmp_path):
    server = engine()
    capture = begin(server.url, tmp_path / "out", "--duration", "1m")
    capture.until("recording for")
    code, names, errors = capture.ctrl_c()
    assert code == 0, errors
    assert server.paths()[-1] == "/stop_profile" and len(names) == 1


def begin(url, out, *arguments):
    return OnTerminal("capture", "http", url, "--out", out, *arguments)


def until_asked(server, path):
    end = time.monotonic() + PATIENCE_SECONDS
    while path not in server.paths():
        assert time.monotonic() < end
        time.sleep(0.01)


def test_ctrl_c_while_it_waits_for_its_start(engine, tmp_path):
    server = engine()
    capture = begin(server.url, tmp_path / "out", "--at", "+60s")
    capture.until("starting in")
    code, names, errors = capture.ctrl_c()
    assert code == 1 and not names and "stopped; nothing was recorded" in errors
    assert not server.calls and not (tmp_path / "out").exists()


def test_ctrl_c_while_the_engine_writes(engine, tmp_path):
    server = engine(delay=60)
    capture = begin(server.url, tmp_path / "out", "--duration", "100ms")
    until_asked(server, "/stop_profile")
    begun = time.monotonic()
    code, names, errors = capture.ctrl_c()
    assert code == 1 and not names and "/stop_profile: stopped before its answer arrived" in errors, errors
    assert time.monotonic() - begun < 40, "the engine writes for 60 s"


def test_an_engine_that_ends_in_the_middle(tmp_path):
    made = []

    class Dies(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            made.append(self.path)
            if self.path == "/start_profile":
                self.send_response(200)
                self.end_headers()
                threading.Thread(target=self.server.shutdown).start()

        def log_message(self, *_):
            pass

    with http.server.HTTPServer(("127.0.0.1", 0), Dies) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        capture = begin(f"http://127.0.0.1:{server.server_port}", tmp_path / "out", "--duration", "500ms", "--timeout", "2s")
        thread.join()
        server.socket.close()
        code, names, errors = capture.ended()
    assert code == 1 and not names and "/stop_profile: no server answers there" in errors, errors


def test_two_captures_of_one_engine(engine, tmp_path):
    server = engine()
    first = begin(server.url, tmp_path / "first", "--duration", "1m")
    first.until("recording for")
    server.refuses = True  # as engines do while they record
    second = capture(server.url, tmp_path / "second")
    server.refuses = False
    assert second.returncode == 1 and "it answered 400 recording already" in second.stderr
    assert "/stop_profile" not in server.paths(), "the first goes on"
    assert first.ctrl_c()[0] == 0


def test_results_that_cannot_be_written(engine, tmp_path):
    (tmp_path / "file").write_text("")
    server = engine()
    done = capture(server.url, tmp_path / "file" / "below")
    assert done.returncode == 1 and "cannot create the folder" in done.stderr and not server.calls

    def limit():  # as a full disk: a write fails half way
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (20, 20))

    (tmp_path / "server").mkdir()
    server = engine(own_folder=tmp_path / "server")
    command = [str(PROGRAM), "capture", "http", server.url, "--out", tmp_path / "out", "--traces", tmp_path / "server", "--duration", "100ms"]
    done = subprocess.run(command, env=environment(), capture_output=True, text=True, preexec_fn=limit, timeout=PATIENCE_SECONDS)
    assert done.returncode == 1 and "could not be written completely" in done.stderr, done.stderr
    assert len(list((tmp_path / "server").iterdir())) == 1, "what the engine wrote is still there"
    assert not (tmp_path / "out").exists()


def test_options_of_other_captures_are_refused(tmp_path):
    for option in ("--memory", "--flops", "--pid=1", "--all", "--job=3"):
        done = capture("http://127.0.0.1:1", tmp_path / "out", option)
        assert done.returncode == 2 and "not supported here: the engine records" in done.stderr, done.stderr


def test_usage(tmp_path):
    for arguments in (["localhost:8000"], ["http://x", "--at", "2001-01-01T00:00:00"]):
        done = capture(arguments[0], tmp_path / "out", *arguments[1:])
        assert done.returncode == 2, done.stderr
    assert capture("http://127.0.0.1:1", tmp_path / "out", "--traces", tmp_path / "none").returncode == 1
