"""The tool `capture`: off unless it is allowed; with it, an agent records a process and opens the result."""
import json
import subprocess

from program import PATIENCE_SECONDS, PROGRAM, environment, needs_program, sightline
from test_capture_torch import place  # noqa: F401 - the fixture
from test_mcp import exchange, modern

pytestmark = needs_program


def test_capture_is_off_unless_it_is_allowed():
    hidden, refused = exchange(modern("tools/list"), modern("tools/call", name="capture", arguments={"pid": 1}))
    assert "capture" not in [tool["name"] for tool in hidden["result"]["tools"]] and refused["error"]["code"] == -32602
    (shown,) = exchange(modern("tools/list"), arguments=["--allow-capture"])
    tool = next(tool for tool in shown["result"]["tools"] if tool["name"] == "capture")
    assert tool["annotations"]["readOnlyHint"] is False and len(shown["result"]["tools"]) <= 8
    done = sightline("agent", "capture", "pid=1")
    assert done.returncode == 2 and "--allow-capture" in done.stderr


def test_it_lists_and_records_processes(place, tmp_path):  # noqa: F811
    process = place.start()

    def capture(*arguments):
        command = [PROGRAM, "agent", "capture", "--allow-capture", *arguments]
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_SECONDS, cwd=tmp_path, env=environment(**place.settings))
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    listed = capture()
    assert process.pid in [each["pid"] for each in listed["processes"]] and listed["untrusted"] == "command"
    recorded = capture(f"pid={process.pid}", "duration_ms=200", "shapes=true")
    assert len(recorded["files"]) == 1 and (tmp_path / recorded["files"][0]).exists()
    assert recorded["next"]["tool"] == "diagnose"
    folder = tmp_path / recorded["next"]["arguments"]["path"]
    assert json.loads(sightline("agent", "open", folder, "--no-cache").stdout)["profiles"][0]["state"] == "ready"
