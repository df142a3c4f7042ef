"""`sightline mcp` by hand: the protocol's methods, versions, errors and cancellation, as lines on stdin and stdout; and POST /mcp."""
import json
import subprocess

import pytest

from program import PATIENCE_SECONDS, PROGRAM, ROOT, Server, environment, needs_program

pytestmark = needs_program
SAMPLE = str(ROOT / "samples" / "gpt_cuda")
META = {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}


def exchange(*messages, arguments=()):
    """What the program answers to these lines (bytes, or values that are sent as JSON), until it ends."""
    lines = [message if isinstance(message, bytes) else json.dumps(message).encode() for message in messages]
    done = subprocess.run([PROGRAM, "mcp", "--no-cache", *arguments], input=b"\n".join(lines) + b"\n", capture_output=True, timeout=PATIENCE_SECONDS, env=environment())
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def request(method, number=1, **params):
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": params}


def modern(method, **params):
    return request(method, **params, _meta=META)


@pytest.mark.parametrize("wanted, given", [("2025-06-18", "2025-06-18"), ("2024-11-05", "2024-11-05"), ("2025-11-25", "2025-11-25"), ("1999-01-01", "2025-11-25"), ("2026-07-28", "2025-11-25")])
def test_initialize_agrees_on_a_version(wanted, given):
    (answer,) = exchange(request("initialize", protocolVersion=wanted, capabilities={}, clientInfo={"name": "t", "version": "1"}))
    result = answer["result"]
    assert result["protocolVersion"] == given and result["capabilities"] == {"tools": {}} and result["serverInfo"]["name"] == "sightline"


def test_discover_names_the_versions():
    (answer,) = exchange(modern("server/discover"))
    result = answer["result"]
    assert result["supportedVersions"][0] == "2026-07-28" and result["resultType"] == "complete" and result["ttlMs"] >= 0
    assert result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"] == "sightline"


@pytest.mark.parametrize(
    "meta, code",
    [
        ({"io.modelcontextprotocol/protocolVersion": "2030-01-01", "io.modelcontextprotocol/clientCapabilities": {}}, -32022),
        ({"io.modelcontextprotocol/protocolVersion": "2026-07-28"}, -32602),
        ({"io.modelcontextprotocol/protocolVersion": 7, "io.modelcontextprotocol/clientCapabilities": {}}, -32602),
    ],
)
def test_a_request_of_another_revision_is_refused(meta, code):
    (answer,) = exchange(request("tools/list", _meta=meta))
    assert answer["error"]["code"] == code
    assert code != -32022 or answer["error"]["data"] == {"supported": ["2026-07-28"], "requested": "2030-01-01"}


def test_ping_belongs_to_the_older_revisions():
    old, new = exchange(request("ping", number="a"), modern("ping"))
    assert old == {"jsonrpc": "2.0", "id": "a", "result": {}} and new["error"]["code"] == -32601


def test_the_tools_have_schemas():
    (answer,) = exchange(modern("tools/list"))
    tools = {tool["name"]: tool for tool in answer["result"]["tools"]}
    assert list(tools)[:4] == ["open", "diagnose", "view", "query"] and len(tools) <= 8 and "capture" not in tools
    assert all(tool["inputSchema"]["additionalProperties"] is False and tool["annotations"]["readOnlyHint"] for tool in tools.values())
    assert tools["view"]["inputSchema"]["properties"]["rows"]["maximum"] == 50
    assert all(tool["annotations"]["openWorldHint"] for tool in tools.values()), "a path may be in a cloud"


def test_a_call_answers_text_and_the_same_as_structure():
    (answer,) = exchange(modern("tools/call", name="diagnose", arguments={}), arguments=[SAMPLE])
    result = answer["result"]
    assert json.loads(result["content"][0]["text"]) == result["structuredContent"] and result["isError"] is False
    assert result["structuredContent"]["findings"][0]["rule"] == "launch_bound"


def test_a_failed_call_is_a_result_that_says_what_is_valid():
    bad_path, bad_argument = exchange(
        modern("tools/call", name="open", arguments={"path": "/nowhere"}), modern("tools/call", name="open", arguments={"file": 1})
    )
    (address,) = exchange(modern("tools/call", name="open", arguments={"path": "s3://bucket/run"}))
    for answer, text in ((bad_path, "no such file"), (bad_argument, "valid: path"), (address, "addresses are off")):
        assert answer["result"]["isError"] is True and "structuredContent" not in answer["result"]
        assert text in answer["result"]["content"][0]["text"]


@pytest.mark.parametrize(
    "line, number, code",
    [
        (b"{", None, -32700),
        (b"\xff\xfe{}", None, -32700),
        (b'{"jsonrpc":"2.0","id":1,"method":"ping\xff"}', None, -32700),
        (b"[" * 5000, None, -32700),
        (b'{"a":' * 2000 + b"1" + b"}" * 2000, None, -32700),
        (b'{"jsonrpc":"2.0","id":123456789012345678901234567890,"method":"ping"}', None, -32700),
        (b'"' + b"x" * (2 << 20) + b'"', None, -32700),
        (b"[]", None, -32600),
        (b'[{"jsonrpc":"2.0","id":1,"method":"ping"}]', None, -32600),
        (b"7", None, -32600),
        (b'{"id":1,"method":"ping"}', 1, -32600),
        (b'{"jsonrpc":"1.0","id":1,"method":"ping"}', 1, -32600),
        (b'{"jsonrpc":"2.0","id":1}', 1, -32600),
        (b'{"jsonrpc":"2.0","id":1,"method":5}', 1, -32600),
        (b'{"jsonrpc":"2.0","id":null,"method":"ping"}', None, -32600),
        (b'{"jsonrpc":"2.0","id":1.5,"method":"ping"}', None, -32600),
        (b'{"jsonrpc":"2.0","id":{},"method":"ping"}', None, -32600),
        (b'{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}', 1, -32600),
        (b'{"jsonrpc":"2.0","id":1,"method":"resources/list"}', 1, -32601),
        (b'{"jsonrpc":"2.0","id":1,"method":"tools/call"}', 1, -32602),
        (b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":7}}', 1, -32602),
        (b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"rm"}}', 1, -32602),
    ],
    ids=lambda value: str(value)[:60],
)
def test_a_wrong_message_gets_the_error_of_the_specification(line, number, code):
    after, wrong = sorted(exchange(line, request("ping", number=2)), key=lambda answer: "error" in answer)
    assert wrong["id"] == number and wrong["error"]["code"] == code and wrong["error"]["message"]
    assert after == {"jsonrpc": "2.0", "id": 2, "result": {}}, "the session goes on"


def test_notifications_and_responses_get_no_answer():
    quiet = [
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "method": "notifications/nothing"},
        {"jsonrpc": "2.0", "method": "tools/call", "params": {"name": "open"}},
        {"jsonrpc": "2.0", "id": 4, "result": {}},
        {"jsonrpc": "2.0", "id": 4, "error": {"code": 1, "message": "x"}},
        b"",
        b"   ",
    ]
    assert exchange(*quiet, request("ping")) == [{"jsonrpc": "2.0", "id": 1, "result": {}}]


def test_a_cancelled_call_gets_no_answer_and_a_ping_does_meanwhile():
    """The query runs until its time limit of half a minute, unless it is cancelled."""
    endless = "SELECT count(*) FROM range(1000000) a, range(1000000) b, range(1000000) c WHERE (a.range * b.range + c.range) % 7 = 3"
    slow = modern("tools/call", name="query", arguments={"sql": endless, "path": SAMPLE})
    with subprocess.Popen([PROGRAM, "mcp", "--no-cache"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment()) as process:
        def send(message):
            process.stdin.write(json.dumps(message).encode() + b"\n")
            process.stdin.flush()

        send(slow)
        send(request("ping", number="meanwhile"))
        assert json.loads(process.stdout.readline())["id"] == "meanwhile"
        send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}})
        send({**modern("tools/call", name="query", arguments={"sql": "SELECT 5 AS five", "path": SAMPLE}), "id": 2})
        answer = json.loads(process.stdout.readline())
        assert answer["result"]["structuredContent"]["rows"] == [[5]], "the first answer is that of the second call"
        process.stdin.close()


def test_ids_come_back_as_they_were():
    ids = [0, -5, 9223372036854775807, 18446744073709551615, "", "a\u0000\"\\/é", "x" * 10000]
    answers = exchange(*(request("ping", number=each) for each in ids))
    assert [answer["id"] for answer in answers] == ids


# ---- over HTTP ----


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with Server(SAMPLE, "--no-cache", "--port", "0") as running:
        running.loaded_state()
        yield running


def post(server, message, **headers):
    body = message if isinstance(message, bytes) else json.dumps(message).encode()
    named = {"Content_Type": "application/json", **headers}
    status, _, answer = server.get("/mcp", "POST", body, **named)
    return status, json.loads(answer) if answer else None


def headers_of(method, name=None):
    return {"MCP_Protocol_Version": "2026-07-28", "Mcp_Method": method, "Mcp_Name": name}


def test_http_answers_what_stdin_answers(server):
    call = modern("tools/call", name="diagnose", arguments={})
    status, answer = post(server, call, **headers_of("tools/call", "diagnose"))
    assert status == 200 and [answer] == exchange(call, arguments=[SAMPLE])
    status, answer = post(server, request("initialize", protocolVersion="2025-11-25", capabilities={}, clientInfo={"name": "t", "version": "1"}))
    assert status == 200 and answer["result"]["protocolVersion"] == "2025-11-25"
    assert post(server, request("ping"), MCP_Protocol_Version="2025-06-18") == (200, {"jsonrpc": "2.0", "id": 1, "result": {}})
    assert post(server, {"jsonrpc": "2.0", "method": "notifications/initialized"}) == (202, None)


def test_http_refuses_what_its_access_refuses(server):
    call = request("tools/list")
    assert post(server, call, Authorization=None)[0] == 403, "without the token"
    assert post(server, call, Authorization="Bearer wrong")[0] == 403
    assert post(server, call, Origin="http://evil.example")[0] == 403, "a page of another site"
    assert post(server, call, Host="evil.example")[0] == 403, "a rebound name"
    assert post(server, call, Content_Type="text/plain")[0] == 415, "what a form of another site can send"
    for method in ("GET", "DELETE", "PUT"):
        assert server.get("/mcp", method)[0] == 405


@pytest.mark.parametrize(
    "message, headers, status, code",
    [
        (modern("tools/list"), {}, 400, -32020),
        (modern("tools/list"), headers_of("tools/call"), 400, -32020),
        (modern("tools/call", name="open"), headers_of("tools/call", "view"), 400, -32020),
        (request("tools/list"), headers_of("tools/list"), 400, -32020),
        (request("tools/list"), {"MCP_Protocol_Version": "1999-01-01"}, 400, -32600),
        (modern("resources/list"), headers_of("resources/list"), 404, -32601),
        (modern("tools/call", name="rm"), headers_of("tools/call", "rm"), 400, -32602),
        (b"{", {}, 400, -32700),
        (b"[]", {}, 400, -32600),
    ],
    ids=lambda value: str(value)[:60],
)
def test_http_gives_an_error_its_status(server, message, headers, status, code):
    given, answer = post(server, message, **headers)
    assert given == status and answer["error"]["code"] == code


def test_http_opens_paths_only_where_the_page_may():
    call = modern("tools/call", name="open", arguments={"path": str(ROOT / "samples" / "conv")})
    for arguments, opens in (([], True), (["--no-add"], False)):
        with Server(SAMPLE, "--no-cache", "--port", "0", *arguments) as running:
            result = post(running, call, **headers_of("tools/call", "open"))[1]["result"]
            assert result["isError"] is not opens, result
