"""sightline capture xla without a profiler server. tests/live records real JAX."""
import http.server
import socket
import threading
import time

import pytest
from program import PATIENCE_SECONDS, PROGRAM, OnTerminal, needs_program, sightline

pytestmark = [
    needs_program,
    pytest.mark.skipif(not (PROGRAM.parent / "sightline_grpc.so").exists(), reason="built without libgrpc++"),
]


def capture(out, *arguments):
    return sightline("capture", "xla", "--out", out, "--duration", "300ms", *arguments)


def listening(talk):
    """A port whose connections are each passed to `talk`."""
    server = socket.create_server(("127.0.0.1", 0))

    def serve():
        while True:
            try:
                connection, _ = server.accept()
            except OSError:
                return
            threading.Thread(target=talk, args=(connection,), daemon=True).start()

    threading.Thread(target=serve, daemon=True).start()
    return server


def test_no_server_listens(tmp_path):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))  # bound but not listening, so no other program listens there
        port = free.getsockname()[1]
        done = capture(tmp_path / "out", f"127.0.0.1:{port}")
    assert done.returncode == 1
    assert f"127.0.0.1:{port}: no gRPC server answers there" in done.stderr
    assert not (tmp_path / "out").exists()


def test_an_http_server_on_the_port(tmp_path):
    server = http.server.HTTPServer(("127.0.0.1", 0), http.server.SimpleHTTPRequestHandler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    done = capture(tmp_path / "out", f"127.0.0.1:{server.server_port}")
    server.shutdown()
    assert done.returncode == 1 and "no gRPC server answers there" in done.stderr


def test_a_server_that_never_answers(tmp_path):
    with listening(lambda connection: time.sleep(60)) as server:
        begin = time.monotonic()
        done = capture(tmp_path / "out", f"127.0.0.1:{server.getsockname()[1]}", "--timeout", "1s")
    assert done.returncode == 1
    assert time.monotonic() - begin < 45


def test_usage(tmp_path):
    for address in ("localhost", ":9999", "localhost:0", "localhost:99999", "localhost:port"):
        done = capture(tmp_path / "out", address)
        assert done.returncode == 2 and "an address is HOST:PORT" in done.stderr, done.stderr


def test_results_that_cannot_be_written(tmp_path):
    (tmp_path / "file").write_text("")
    done = capture(tmp_path / "file" / "below", "127.0.0.1:1")
    assert done.returncode == 1 and "cannot create the folder" in done.stderr


def test_ctrl_c_while_no_server_answers(tmp_path):
    connected = threading.Event()

    def talk(connection):
        connected.set()
        time.sleep(60)

    with listening(talk) as server:
        going = OnTerminal("capture", "xla", f"127.0.0.1:{server.getsockname()[1]}", "--out", tmp_path / "out")
        assert connected.wait(PATIENCE_SECONDS)
        code, _, errors = going.ctrl_c()
    assert code == 1 and "the call was cancelled" in errors and "nothing was recorded" in errors, errors
    assert not (tmp_path / "out").exists()


def test_options_of_other_captures_are_refused(tmp_path):
    for option, why in {"--iterations=3": "--duration", "--shapes": "contain their shapes", "--job=3": "give the servers"}.items():
        done = capture(tmp_path / "out", "127.0.0.1:1", option)
        assert done.returncode == 2 and why in done.stderr, done.stderr
