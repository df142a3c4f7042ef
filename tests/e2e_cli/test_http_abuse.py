"""Abusive clients: none of them may cost the server its memory, its threads, or another client's response."""
import contextlib
import http.client
import json
import os
import re
import resource
import signal
import socket

import pytest

from on_terminal import PATIENCE_SECONDS
from program import Server, needs_program, trace, write_trace

pytestmark = needs_program

GET = b"GET /api/state HTTP/1.1\r\nHost: localhost\r\n"
PUT = b"PUT /api/markers HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
FORM = b"POST /api/losses HTTP/1.1\r\nHost: localhost\r\nContent-Type: multipart/form-data; boundary=b\r\n"
MEGABYTE = 1 << 20


@pytest.fixture
def run(tmp_path):
    write_trace(tmp_path / "job" / "a.pt.trace.json", trace(3))
    return tmp_path / "job"


@pytest.fixture
def server(run):
    with Server(run, "--port", 0, "--no-token") as started:
        started.loaded_state()
        yield started


def connect(server):
    return socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE_SECONDS)


def received(connection):
    """Everything until the server closes."""
    parts = []
    with contextlib.suppress(ConnectionError):
        while part := connection.recv(65536):
            parts.append(part)
    return b"".join(parts)


def exchange(server, *parts):
    """Sends as much of `parts` as the server reads; returns everything that it answers until it closes."""
    with connect(server) as connection:
        with contextlib.suppress(ConnectionError):
            for part in parts:
                connection.sendall(part)
        return received(connection)


def statuses(answer):
    return [int(status) for status in re.findall(rb"HTTP/1\.1 (\d+) ", answer)]


def peak_megabytes(server):
    for line in open(f"/proc/{server.process.pid}/status"):
        if line.startswith("VmHWM"):
            return int(line.split()[1]) / 1024


def answers(server):
    """Whether another client gets a response."""
    return server.get("/api/state")[0] == 200


@pytest.mark.parametrize(
    "request_and_more",
    [
        GET + b"Content-Length: 44\r\n\r\nGET /api/timeline HTTP/1.1\r\nHost: localhost\r\n\r\n",
        GET + b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /api/state HTTP/1.1\r\nHost: localhost\r\n\r\n",
        PUT + b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + GET + b"\r\n",
        PUT + b"Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n" + GET + b"\r\n",
        PUT + b"Content-Length: 3\r\nContent-Length: 60\r\n\r\n{}a" + GET + b"\r\n",
        PUT + b"Transfer-Encoding: xchunked\r\n\r\n" + GET + b"\r\n",
        PUT + b"Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n" + GET + b"\r\n",
        GET + b"X: a\r\n Content-Length: 10\r\n\r\n" + GET + b"\r\n",
        GET.replace(b"\r\n", b"\n") + b"\n" + GET + b"\r\n",
        GET + b"Host: evil.example\r\n\r\n" + GET + b"\r\n",
        b"GET /api/state HTTP/1.1\r\nHost: evil.example\r\nHost: localhost\r\n\r\n" + GET + b"\r\n",
        GET + b"Origin: http://localhost\r\nOrigin: http://evil.example\r\n\r\n",
    ],
    ids=["length", "chunked", "both", "both turned", "two lengths", "coding", "blank", "folded", "LF", "hosts", "hosts turned", "origins"],
)
def test_ambiguous_requests_are_refused_and_nothing_after_them_is_answered(server, request_and_more):
    answer = exchange(server, request_and_more)
    assert statuses(answer) == [400] and b"Connection: close\r\n" in answer
    assert json.loads(answer.split(b"\r\n\r\n")[1])["error"]["code"] == "request"


@pytest.mark.parametrize("head", [PUT.replace(b"localhost", b"evil.example"), b"OPTIONS /api/markers HTTP/1.1\r\nHost: localhost\r\n"])
def test_the_body_of_a_refused_request_is_not_waited_for_nor_read_as_a_request(server, head):
    body = GET + b"\r\n"
    assert statuses(exchange(server, head + b"Content-Length: %d\r\n\r\n" % len(body) + body)) in ([403], [405])
    assert statuses(exchange(server, head + b"Content-Length: 1000000\r\n\r\n")) in ([403], [405])


def test_pipelined_requests_are_answered_in_order(server):
    paths = [b"/api/report?view=operators", b"/none.js", b"/api/state"]
    requests = [b"GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n" % paths[i % 3] for i in range(199)]
    answer = exchange(server, b"".join(requests) + GET + b"Connection: close\r\n\r\n")
    assert statuses(answer) == ([200, 404, 200] * 67)[:199] + [200]


def test_a_request_sent_byte_by_byte_is_answered(server):
    with connect(server) as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for byte in GET + b"Connection: close\r\n\r\n":
            connection.sendall(bytes([byte]))
        assert statuses(received(connection)) == [200]


@pytest.mark.parametrize(
    "parts, status",
    [
        ([GET, *[b"".join(b"X%d: aaaaaaaaaaaaaaaaaaaaaaaaaaaa\r\n" % i for i in range(10000))] * 100], 431),
        ([GET + b"X: ", *[b"a" * MEGABYTE] * 100], 431),
        ([b"GET /", *[b"a" * MEGABYTE] * 100, b" HTTP/1.1\r\n\r\n"], 414),
        ([PUT + b"Content-Length: 209715200\r\n\r\n", *[b"a" * MEGABYTE] * 200], 413),
        ([PUT + b"Content-Length: 5368709120\r\n\r\n", *[b"a" * MEGABYTE] * 2], 413),
        ([PUT + b"Transfer-Encoding: chunked\r\n\r\n", *[b"100000\r\n" + b"a" * MEGABYTE + b"\r\n"] * 100], 413),
        ([PUT + b"Transfer-Encoding: chunked\r\n\r\n", *[b"1" * MEGABYTE] * 50], 400),
        ([PUT + b"Transfer-Encoding: chunked\r\n\r\n7fffffffffffffff\r\nabc"], 400),
        ([PUT + b"Content-Length: -1\r\n\r\nabc"], 400),
        ([PUT + b"Content-Length: 999999999999999999999999999\r\n\r\nabc"], 400),
        ([PUT + b"Content-Encoding: gzip\r\nContent-Length: 3\r\n\r\nabc"], 415),
        ([FORM + b"Content-Length: 1073741825\r\n\r\n"], 413),
    ],
    ids=["headers", "header", "url", "body", "5 GB", "chunks", "chunk head", "chunk", "negative", "huge", "packed", "form"],
)
def test_too_long_requests_are_refused_and_not_stored(server, parts, status):
    before = peak_megabytes(server)
    # A client that continues to send may lose the response: its last data resets the connection.
    assert statuses(exchange(server, *parts)) in ([status], [])
    assert answers(server) and peak_megabytes(server) < before + 20
    assert statuses(exchange(server, b"".join(parts)[:3_000_000])) == [status]


def test_a_long_query_is_answered(server):
    sql = "select count(*) as n from slices where name not in (" + ",".join(f"'{i}'" for i in range(3100)) + ")"
    assert len(sql) > 20_000
    status, report = server.json("/api/query?sql=" + sql.replace(" ", "+"))
    assert status == 200 and report["tables"]["result"]["columns"][0]["values"] == [4]


def drip(server, count, head):
    """Connections that have begun a request and do not finish it."""
    connections = [connect(server) for _ in range(count)]
    for connection in connections:
        connection.sendall(head)
    return connections


@pytest.mark.parametrize(
    "head",
    [b"", b"GET /api/state HTTP/1.1\r\nHost: localhost\r\nX: ", PUT + b"Content-Length: 1000\r\n\r\n{", FORM + b"Content-Length: 100000\r\n\r\n--b"],
    ids=["idle", "head", "body", "form"],
)
def test_slow_requests_block_no_other_client(server, head):
    connections = drip(server, 200, head)
    for _ in range(3):
        for connection in connections[:100] if head else []:
            connection.sendall(b"a")
        assert answers(server)
        assert server.get("/api/report?view=operators")[0] == 200
        assert server.get("/api/query?sql=select+1")[0] == 200
    for connection in connections:
        connection.close()


def test_a_head_that_does_not_end_times_out(server):
    (connection,) = drip(server, 1, GET + b"X: ")
    with connection:
        answer = received(connection)  # nothing more is sent: it is the server that ends this
    assert statuses(answer) == [408] and b"took too long" in answer


def test_two_hundred_clients_keep_their_connections(server):
    clients = [http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE_SECONDS) for _ in range(200)]
    for _ in range(3):
        for client in clients:
            client.request("GET", "/api/report?view=operators")
        assert len({client.getresponse().read() for client in clients}) == 1
    for client in clients:
        client.close()


def test_a_client_that_only_stops_sending_is_answered(server):
    with connect(server) as connection:
        connection.sendall(GET + b"\r\n")
        connection.shutdown(socket.SHUT_WR)
        assert statuses(received(connection)) == [200]


def test_old_clients_are_answered_and_the_connection_closed(server):
    assert statuses(exchange(server, b"GET /api/state HTTP/1.0\r\nHost: localhost\r\n\r\n")) == [200]
    assert statuses(exchange(server, b"GET /\r\n\r\n")) == [400]


def test_a_head_is_answered_without_a_body_and_the_connection_stays_open(server):
    answer = exchange(server, GET.replace(b"GET", b"HEAD") + b"\r\n" + GET + b"Connection: close\r\n\r\n")
    first, second, body = answer.split(b"\r\n\r\n")
    assert statuses(first) == statuses(second) == [200]
    assert b"Content-Length: %d\r\n" % len(body) in second + b"\r\n" and json.loads(body)["runs"]


def test_expect_100_continue(server):
    body = b'{"markers": []}'
    head = PUT + b"Expect: 100-continue\r\nConnection: close\r\nContent-Length: "
    with connect(server) as connection:
        connection.sendall(head + b"%d\r\n\r\n" % len(body))
        said = connection.recv(1000)
        assert said == b"HTTP/1.1 100 Continue\r\n\r\n"
        connection.sendall(body)
        assert statuses(received(connection)) in ([200], [409])  # stored, or the file's content is not yet known
    assert statuses(exchange(server, head + b"100000000\r\n\r\n")) == [413]


def test_clients_that_leave_early(server):
    for _ in range(50):
        with connect(server) as connection:
            connection.sendall(GET + b"\r\n")
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")  # a reset, not an end
        with connect(server) as connection:
            connection.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
    assert answers(server)


def test_more_connections_than_open_files_allowed(run):
    with Server(run, "--port", 0, "--no-token", under=["prlimit", "--nofile=200:200"]) as server:
        server.loaded_state()
        connections = [connect(server) for _ in range(400)]
        assert answers(server)
        assert received(connections[0]) == b""  # the one that has been idle for longest was closed
        connections[-1].sendall(GET + b"Connection: close\r\n\r\n")
        assert statuses(received(connections[-1])) == [200]
        for connection in connections:
            connection.close()


def test_no_file_descriptor_is_left_for_a_connection(server):
    connections = [connect(server) for _ in range(30)]
    assert answers(server)
    highest = max(int(name) for name in os.listdir(f"/proc/{server.process.pid}/fd"))
    _, most = resource.prlimit(server.process.pid, resource.RLIMIT_NOFILE)
    resource.prlimit(server.process.pid, resource.RLIMIT_NOFILE, (highest - 10, most))  # fewer than are open now
    connections += [connect(server) for _ in range(5)]
    assert answers(server)  # others were closed for it
    assert received(connections[0]) == b""
    for connection in connections:
        connection.close()


def test_a_slow_reader_blocks_no_other_client(server):
    readers = []
    for _ in range(50):
        reader = socket.socket()
        reader.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        reader.connect(("127.0.0.1", server.port))
        reader.sendall(b"GET /single/index.html HTTP/1.1\r\nHost: localhost\r\n\r\n" * 20)
        readers.append(reader)
    for _ in range(3):
        assert answers(server)
    for reader in readers:
        reader.close()


def test_it_ends_with_slow_clients(run):
    server = Server(run, "--port", 0, "--no-token")
    connections = drip(server, 20, GET) + drip(server, 5, FORM + b"Content-Length: 100000\r\n\r\n--b") + drip(server, 5, b"")
    assert answers(server)
    assert server.end(signal.SIGTERM)[0] == 0
    for connection in connections:
        with connection:
            assert received(connection) == b""
