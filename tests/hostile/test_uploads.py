"""Clients that send files as no page would: in any order, of any size, broken off, cancelled from elsewhere. The server answers every
other client, stores nothing outside its folder, and keeps nothing that was not opened."""
import contextlib
import http.client
import json
import os
import random
import socket
import threading

import pytest

from program import Server, needs_program, trace

pytestmark = needs_program

CLIENTS = 6
STEPS = 400 if os.environ.get("HOSTILE") == "all" else 40
TRACE = json.dumps(trace(20)).encode()
PARTS = ["a", "run", "worker0.pt.trace.json", "..", ".", "", "/", "a/b", ".x", "\\", "\0", "ü", "x" * 250, "trace_view.json"]


def content(chance):
    """A trace, a damaged one, or noise."""
    kind = chance.randrange(4)
    if kind == 0:
        return TRACE
    if kind == 1:
        return TRACE[:chance.randrange(len(TRACE))]
    return bytes(chance.randrange(256) for _ in range(chance.randrange(2000))) if kind == 2 else b""


def request(server, method, path, body, kind):
    status, _, answer = server.get(path, method, body, Content_Type=kind)
    return status, json.loads(answer)


def announce(server, chance):
    files = []
    for _ in range(chance.randrange(4)):
        path = "/".join(chance.choice(PARTS) for _ in range(1 + chance.randrange(3)))
        if chance.random() < 0.7:
            path = f"job{chance.randrange(3)}/worker{chance.randrange(3)}.pt.trace.json"
        files.append({"path": path, "size": chance.choice([0, len(TRACE), 100, 1 << 60, -1])})
    return request(server, "POST", "/api/uploads", json.dumps({"files": files}), "application/json")


def break_off(server, chance, path):
    """Sends a part of a body, in the way that the head did not announce, and leaves."""
    head = f"PUT {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/octet-stream\r\n{server.header_lines()}"
    head += chance.choice([f"Content-Length: {len(TRACE)}\r\n\r\n", f"Content-Length: {1 << 62}\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n20\r\n"])
    with socket.create_connection(("127.0.0.1", server.port)) as connection, contextlib.suppress(ConnectionError):
        connection.sendall(head.encode() + content(chance))


def abuse(server, chance, known, failures):
    for _ in range(STEPS):
        uploads = list(known)
        step = chance.randrange(5)
        try:
            if step == 0 or not uploads:
                status, answer = announce(server, chance)
                if status == 200:
                    known.append(answer["id"])
                    continue
            else:
                upload = chance.choice(uploads)
                path = f"/api/uploads/{upload}/{chance.choice([0, 1, 2, 99, -1, 'x', '../0'])}"
                if step == 1:
                    break_off(server, chance, path)
                    continue
                if step == 2:
                    status, answer = request(server, "DELETE", f"/api/uploads/{upload}", "{}", "application/json")
                else:
                    status, answer = request(server, "PUT", path, content(chance), "application/octet-stream")
            if status not in (200, 400, 404, 405, 409):
                failures.append((step, status, answer))
        except (ConnectionError, http.client.HTTPException):  # the server refuses a body before all of it was sent
            if server.process.poll() is not None:
                return


@pytest.mark.parametrize("seed", range(2))
def test_nothing_is_left_and_the_server_answers(tmp_path, seed):
    folder = tmp_path / "cache"
    with Server("--port", 0, SIGHTLINE_CACHE_DIR=folder) as server:
        known, failures = [], []
        threads = [threading.Thread(target=abuse, args=(server, random.Random(seed * CLIENTS + i), known, failures)) for i in range(CLIENTS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert server.process.poll() is None and not failures[:3]
        server.loaded_state()
        _, state = server.json("/api/open")
        roots = {path.name for path in folder.glob("uploads/*/*")}
        assert roots == {upload["id"] for upload in state["uploads"]}
        assert {path.name for path in tmp_path.iterdir()} == {"cache"}
        assert not [path for path in folder.glob("uploads/**/*") if path.is_symlink() or path.stat().st_mode & 0o077]
        for upload in set(known):
            server.get(f"/api/uploads/{upload}", "DELETE", "{}", Content_Type="application/json")
        assert server.json("/api/open")[1]["uploads"] == [] and server.loaded_state()["runs"] == []
        assert list(folder.glob("uploads/*/*")) == []
