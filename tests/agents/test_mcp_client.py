"""`sightline mcp` driven by the protocol's own client (requirements.txt), in both of its ways to agree on a version."""
import json
import os
import pathlib
import re
import subprocess

import pytest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
PROGRAM = pathlib.Path(os.environ.get("SIGHTLINE", ROOT / "build" / "release" / "sightline"))
PYTHON = HERE / ".venv" / "bin" / "python"
SAMPLE = ROOT / "samples" / "gpt_cuda"
pytestmark = [
    pytest.mark.skipif(not PROGRAM.exists(), reason=f"{PROGRAM} is not built: make build"),
    pytest.mark.skipif(not PYTHON.exists(), reason=f"{PYTHON} is missing: tools/install test"),
]


def drive(mode, program=PROGRAM, *token):
    done = subprocess.run([PYTHON, HERE / "drive.py", program, mode, SAMPLE, *token], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)


@pytest.mark.parametrize("mode, version", [("auto", "2026-07-28"), ("2026-07-28", "2026-07-28"), ("legacy", "2025-11-25")])
def test_the_client_finds_and_calls_the_tools(mode, version):
    check(drive(mode), version)


@pytest.mark.parametrize("mode, version", [("auto", "2026-07-28"), ("legacy", "2025-11-25")])
def test_the_client_does_so_over_http(mode, version):
    command = [PROGRAM, "view", SAMPLE, "--port", "0", "--no-cache", "--die-with-stdin"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
        address, token = re.search(r"(http://\S+?/)\?token=(\w+)", server.stdout.readline()).groups()
        check(drive(mode, address + "mcp", token), version)
        server.stdin.close()


def check(got, version):
    assert got["version"] == version
    names = [tool["name"] for tool in got["tools"]]
    assert names[:4] == ["open", "diagnose", "view", "query"] and len(names) <= 8
    assert all(tool["inputSchema"]["type"] == "object" and tool["outputSchema"]["type"] == "object" for tool in got["tools"])
    opened, diagnosis, table, row, query, window, no_view, no_argument = got["answers"]
    for answer in (opened, diagnosis, table, row, query, window):
        assert not answer["error"] and json.loads(answer["text"]) == answer["structured"], answer
        assert len(answer["text"].encode()) <= 8192
    assert len(diagnosis["text"].encode()) <= 2048
    assert query["structured"]["rows"][0][0] > 7000
    for answer, valid in ((no_view, "overview"), (no_argument, "path, run, worker, span")):
        assert answer["error"] and answer["structured"] is None and valid in answer["text"], answer
    assert "open, diagnose" in got["errors"][0]


def test_the_schemas_of_all_tools_are_short():
    tools = drive("2026-07-28")["tools"]
    assert len(json.dumps(tools, separators=(",", ":"))) <= 9000, "about 2,000 tokens, which every conversation pays"


def test_the_session_in_the_documents_is_what_the_program_answers():
    done = subprocess.run([PYTHON, HERE / "transcript.py", PROGRAM], capture_output=True, text=True, timeout=300, cwd=ROOT)
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.rstrip() == (ROOT / "docs" / "agents-session.md").read_text().rstrip()
