"""Losses in training logs: the command, and the route to which the page sends logs."""
import gzip
import json
import re
import socket
import uuid

import pytest
from program import Server, needs_program, sightline, write_trace

pytestmark = needs_program

# By hand: common iterations 1 and 2; compared - base is 1 and -0.5, so the mean is 0.25 and the mean absolute error 0.75.
BASE = b"starting\n iteration 1/3 | lm loss: 2.0E+00 |\n iteration 2/3 | lm loss: 1.5 |\n"
COMPARED = b" iteration 1/3 | lm loss: 3 |\r\n iteration 2/3 | lm loss: 1.0 |\r\n iteration 3/3 | lm loss: nan |\r\n"


@pytest.fixture
def logs(tmp_path):
    (tmp_path / "base.log").write_bytes(BASE)
    (tmp_path / "compared.log.gz").write_bytes(gzip.compress(COMPARED))
    return tmp_path / "base.log", tmp_path / "compared.log.gz"


def columns(report, table):
    return {column["key"]: column["values"] for column in report["tables"][table]["columns"]}


def facts(report):
    return {fact["label"]: fact["value"] for fact in report["panels"][0]["facts"]}


def check(report):
    found = columns(report, "differences")
    assert found["iteration"] == [1, 2] and found["difference"] == [1, -0.5] and found["relative"] == [0.5, 0.5 / 1.5]
    assert columns(report, "losses")["log_2"] == [3, 1, None]
    assert facts(report)["Mean difference"] == 0.25 and facts(report)["Mean absolute error"] == 0.75


def test_the_command(logs):
    answer = sightline("losses", *logs, "--format", "json")
    assert answer.returncode == 0, answer.stderr
    check(json.loads(answer.stdout))


def test_one_table_as_csv(logs):
    answer = sightline("losses", *logs, "--table", "differences", "--format", "csv")
    assert answer.returncode == 0 and answer.stdout.splitlines()[1].startswith("1,2")


def test_missing_tags_are_reported(logs):
    answer = sightline("losses", logs[0], "--loss-tag", "accuracy")
    assert answer.returncode == 0 and "base.log: none of 3 lines has both tags" in answer.stdout


@pytest.mark.parametrize(
    "arguments, code, says", [(["missing.log"], 1, "missing.log"), (["{0}", "{1}", "--compared", "3"], 2, "numbered 1 to 2")]
)
def test_impossible_comparisons_are_refused_with_a_reason(logs, arguments, code, says):
    answer = sightline("losses", *(a.format(*logs) for a in arguments))
    assert answer.returncode == code and says in answer.stderr


def form(*parts):
    """(body, content type) of a form; a part is (name, value) or (name, file name, bytes)."""
    border = uuid.uuid4().hex
    body = b""
    for name, *rest in parts:
        file = f'; filename="{rest[0]}"' if len(rest) == 2 else ""
        value = rest[-1] if isinstance(rest[-1], bytes) else rest[-1].encode()
        body += f'--{border}\r\nContent-Disposition: form-data; name="{name}"{file}\r\n\r\n'.encode() + value + b"\r\n"
    return body + f"--{border}--\r\n".encode(), f"multipart/form-data; boundary={border}"


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with Server(write_trace(tmp_path_factory.mktemp("losses") / "a.pt.trace.json"), "--port", "0") as running:
        yield running


def test_logs_are_sent_as_a_form(server):
    body, kind = form(("log", "base.log", BASE), ("log", "compared.log", COMPARED))
    status, report = server.json("/api/losses", "POST", body, Content_Type=kind)
    assert status == 200
    check(report)


def test_tags_apply_to_the_logs_after_them(server):
    other = b"step 1 train: 4\nstep 2 train: 2\n"
    body, kind = form(("base", "2"), ("compared", "1"), ("log", "a", BASE), ("loss_tag", "train:"), ("iteration_tag", "step"), ("log", "b", other))
    status, report = server.json("/api/losses", "POST", body, Content_Type=kind)
    assert status == 200 and columns(report, "differences")["difference"] == [-2, -0.5]


def test_a_large_log_is_read_as_it_comes(server):
    lines = b"".join(b"filler %d\n iteration %d loss: 0.5\n" % (i, i) for i in range(300_000))
    body, kind = form(("log", "a", lines))
    assert len(body) > 8_000_000
    status, report = server.json("/api/losses", "POST", body, Content_Type=kind)
    assert status == 200 and columns(report, "logs")["points"] == [300_000]


def test_a_form_has_limits(server):
    body, kind = form(*[("log", str(i), BASE) for i in range(2000)])
    status, answer = server.json("/api/losses", "POST", body, Content_Type=kind)
    assert status == 400 and "at most 6 logs are compared" in answer["error"]["message"]
    half = b"iteration 1 loss:1\n" * 800_000
    body, kind = form(("log", "a", half), ("log", "b", half))
    status, answer = server.json("/api/losses", "POST", body, Content_Type=kind)
    assert status == 400 and "more than 1500000 points" in answer["error"]["message"].replace(",", "")


def answers(server, *requests):
    """The response to bytes on one connection, until the server closes it or stops sending. A response can be lost if the server
    closes the connection before it has read everything."""
    text = b""
    with socket.create_connection(("127.0.0.1", server.port), timeout=20) as connection:
        try:
            for request in requests:
                connection.sendall(request)
            while piece := connection.recv(65536):
                text += piece
                connection.settimeout(2)
        except (TimeoutError, ConnectionResetError, BrokenPipeError):
            pass
    return [int(status) for status in re.findall(rb"HTTP/1\.1 (\d+)", text)]


@pytest.mark.parametrize("length", ["whole", "torn"])
@pytest.mark.parametrize("path, status", [("/api/losses", 403), ("/api/state", 403), ("/api/markers", 403)])
def test_a_refused_form_smuggles_no_request(server, path, status, length):
    """Another site may send forms: their content must never be taken for a separate request, which would have no Origin."""
    token = server.header_lines()
    smuggled = f'PUT /api/markers?set=smuggled HTTP/1.1\r\nHost: localhost\r\n{token}Content-Type: application/json\r\nContent-Length: 14\r\n\r\n{{"markers":[]}}'.encode()
    body, kind = form(("log", "a", b"x" * 5000 + b"\r\n" + smuggled))
    if length == "torn":  # the form ends for its parser long before the body ends
        body, kind = b"x" * 4096 + smuggled + b"\r\n" * 50, "multipart/form-data; boundary=y"
    head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\n{token}Origin: http://elsewhere.example\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n\r\n"
    assert answers(server, head.encode() + body) in ([status], [])
    assert "smuggled" not in server.json("/api/markers")[1]["sets"]


def test_other_forms_are_refused(server):
    assert server.get("/api/losses")[0] == 405
    assert server.get("/api/losses", "POST", b"{}", Content_Type="application/json")[0] == 400
    body, kind = form(("base", "1"))
    assert server.json("/api/losses", "POST", body, Content_Type=kind)[0] == 400
    body, kind = form(("base", "none"), ("log", "a", BASE))
    status, said = server.json("/api/losses", "POST", body, Content_Type=kind)
    assert status == 400 and "base must be the number of a log" in said["error"]["message"]
    body, kind = form(("log", "a", BASE))
    assert server.get("/api/losses", "POST", body[:-30], Content_Type=kind)[0] == 400
    status, _, _ = server.get("/api/losses", "POST", body, Content_Type=kind, Origin="http://elsewhere.example")
    assert status == 403
