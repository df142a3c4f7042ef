"""The plugin in real TensorBoards, the oldest and the newest: responses are the program's, new recordings
appear, and the program starts and ends with TensorBoard. tests/e2e does the same with a browser."""
import contextlib
import gzip
import http.client
import json
import os
import pathlib
import re
import signal
import subprocess
import sys

import pytest
from tensorboard_process import PLUGIN, TensorBoard, listening, running, until
from wheel_environments import PYTHON, ROOT, environment

sys.path.insert(0, str(ROOT / "tests" / "support"))
import neuron_log  # noqa: E402
import ntff_export  # noqa: E402

SAMPLES = ROOT / "samples"
STARTS = {
    "newest": [],
    "oldest": ["--path_prefix=/behind/a/prefix", "--load_fast=false", "--bind_all"],
}


@pytest.fixture(scope="module", params=STARTS)
def tensorboard(request, tmp_path_factory):
    """TensorBoard on the samples, once they are read."""
    environment(request.param)
    log = tmp_path_factory.mktemp(request.param) / "log"
    with TensorBoard(request.param, SAMPLES, log, *STARTS[request.param]) as started:
        started.name = request.param
        until(lambda: [one for one in started.spans() if one[3] == "ready"], "a profile is read")
        until(lambda: not started.json(f"{PLUGIN}/api/state")["loading"], "all are read")
        yield started


@pytest.fixture(scope="module")
def direct():
    """ask(path, ...) sends a request to the program directly, on the same folder."""
    with contextlib.ExitStack() as stack:
        command = [ROOT / "build" / "release" / "sightline", "view", SAMPLES, "--port", "0"]
        process = stack.enter_context(subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True))
        stack.callback(process.terminate)
        port, token = re.search(r":(\d+)/\?token=(\w+)", process.stdout.readline()).groups()

        def ask(path, method="GET", body=None, **headers):
            connection = http.client.HTTPConnection("127.0.0.1", port)
            named = {key.replace("_", "-"): value for key, value in headers.items()}
            connection.request(method, path, body, {"Authorization": f"Bearer {token}", **named})
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read()

        until(lambda: not json.loads(ask("/api/state")[2])["loading"], "all are read")
        yield ask


def test_the_tab_is_there(tensorboard):
    assert until(tensorboard.active, "the tab is active")
    about = tensorboard.json("/data/plugins_listing")["sightline"]
    assert about["tab_name"] == "Sightline" and about["loading_mechanism"]["module_path"] == f"{tensorboard.prefix}{PLUGIN}/index.js"
    status, headers, body = tensorboard.get(f"{PLUGIN}/index.js")
    assert status == 200 and headers["Content-Type"] == "text/javascript" and b"export function render" in body


@pytest.mark.parametrize("path", ["/index.html", "/api/report?view=operators", "/api/report?view=operators&format=csv&table=operators", "/api/timeline"])
def test_answers_are_those_of_the_program(tensorboard, direct, path):
    for wanted in ({}, {"Accept_Encoding": "gzip"}):
        status, headers, body = tensorboard.get(PLUGIN + path, **wanted)
        own_status, own_headers, own_body = direct(path, **wanted)
        assert (status, body) == (own_status, own_body) and status == 200 and body
        for name in ("Content-Type", "Content-Encoding", "Content-Length", "ETag", "Vary", "Cache-Control", "Content-Disposition",
                     "Content-Security-Policy", "X-Content-Type-Options"):  # fmt: skip
            assert headers[name] == own_headers[name], name
        if wanted and len(body) > 1400:  # shorter responses are not worth compressing
            assert headers["Content-Encoding"] == "gzip" and gzip.decompress(body)


def test_tiles_ranges_and_known_files(tensorboard, direct):
    tiles = "/api/tiles?lanes=0,1&start=0&end=1000000000&pixel=1000000"
    _, _, whole = direct(tiles)
    assert tensorboard.get(PLUGIN + tiles)[2] == whole
    status, headers, part = tensorboard.get(PLUGIN + tiles, Range="bytes=8-15")
    assert status == 206 and part == whole[8:16] and headers["Content-Range"] == f"bytes 8-15/{len(whole)}"
    _, headers, _ = tensorboard.get(f"{PLUGIN}/index.html")
    status, again, body = tensorboard.get(f"{PLUGIN}/index.html", If_None_Match=headers["ETag"])
    assert (status, body) == (304, b"")
    status, head, body = tensorboard.get(f"{PLUGIN}/index.html", method="HEAD")
    assert status == 200 and body == b"" and head["ETag"] == headers["ETag"]


def test_errors_are_those_of_the_program(tensorboard):
    status, _, body = tensorboard.get(f"{PLUGIN}/api/report?view=no_such_view")
    assert status == 404 and "no_such_view" in json.loads(body)["error"]["message"]
    assert tensorboard.get(f"{PLUGIN}/api/report?view=operators", method="POST", body=b"x" * 100)[0] in (403, 405)
    assert tensorboard.get(f"{PLUGIN}/assets/nothing.js")[0] == 404


def test_markers_can_be_saved_if_only_this_machine_is_served(tensorboard):
    [place] = [one for one in tensorboard.spans() if one[0] == "conv"]
    path = f"{PLUGIN}/api/markers?run={place[0]}&worker={place[1]}&span={place[2]}&set=mine"
    body = json.dumps({"markers": [{"name": "a", "time": 1000}]})
    status, _, said = tensorboard.get(path, method="PUT", body=body, Content_Type="application/json")
    if "--bind_all" in STARTS[tensorboard.name]:
        assert status == 403 and "--bind_all" in json.loads(said)["error"]["message"]
    else:
        assert status == 200, said
        assert '"a"' in tensorboard.get(path)[2].decode()


def test_large_bodies_are_handed_on_as_they_come(tensorboard, direct):
    """Training logs are sent, answered, and not stored, so this is allowed on every address of TensorBoard."""
    line = b"iteration 1/2 | loss: 0.5 |\n"
    log = b"".join(b"iteration %d | loss: %d.5 |\n" % (i, i % 97) for i in range(20)) + line.replace(b"1/2", b"30") * (24_000_000 // len(line))
    body = b'--x\r\nContent-Disposition: form-data; name="log"; filename="a.log"\r\n\r\n' + log + b"\r\n--x--\r\n"
    named = {"method": "POST", "body": body, "Content_Type": "multipart/form-data; boundary=x"}
    status, _, answer = tensorboard.get(f"{PLUGIN}/api/losses", **named)
    assert (status, answer) == direct("/api/losses", **named)[::2] and status == 200, answer
    # A small one: a server that refuses a body does not read it, so with a large one the connection may be closed early.
    status, _, answer = tensorboard.get(f"{PLUGIN}/api/losses", **{**named, "body": body[:1000]}, Sec_Fetch_Site="cross-site")
    assert status == 403 and "another site" in json.loads(answer)["error"]["message"]


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_requests_of_other_pages_are_not_forwarded(tensorboard, site):
    """Its requests carry no Origin with a GET, but the browser sends the site they come from. A link may lead to the page."""
    for path in ("/api/state", "/api/query?sql=select+1", "/api/../api/state"):
        for mode in ("no-cors", "navigate"):
            status, headers, body = tensorboard.get(PLUGIN + path, Sec_Fetch_Site=site, Sec_Fetch_Mode=mode)
            assert status == 403 and "another site" in json.loads(body)["error"]["message"]
            assert headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert tensorboard.get(f"{PLUGIN}/index.html", Sec_Fetch_Site=site, Sec_Fetch_Mode="no-cors")[0] == 403
    assert tensorboard.get(f"{PLUGIN}/index.html", Sec_Fetch_Site=site, Sec_Fetch_Mode="navigate")[0] == 200
    assert tensorboard.get(f"{PLUGIN}/api/state", Sec_Fetch_Site="same-origin", Sec_Fetch_Mode="cors")[0] == 200


def test_no_page_of_another_origin_may_embed_an_answer(tensorboard):
    for path in ("/index.js", "/index.html", "/api/state", "/api/nonsense", "/assets/nothing.js"):
        _, headers, _ = tensorboard.get(PLUGIN + path)
        assert headers.get_all("Cross-Origin-Resource-Policy") == ["same-origin"], path
        assert headers.get_all("X-Content-Type-Options") == ["nosniff"], path


def test_tensorboards_public_name_does_not_matter(tensorboard):
    """A proxy passes on its own name and origin."""
    status, _, _ = tensorboard.get(f"{PLUGIN}/api/state", Host="train.example.org", Origin="https://train.example.org", Cookie="a=b")
    assert status == 200


def test_other_users_of_the_machine_need_the_token(tensorboard):
    engine = tensorboard.engine()
    command = pathlib.Path(f"/proc/{engine}/cmdline").read_text()
    assert "TOKEN" not in command.upper()
    addresses = listening(engine)
    assert len(addresses) == 1
    for host, port in addresses:
        assert host == "127.0.0.1"
        connection = http.client.HTTPConnection(host, port)
        connection.request("GET", "/api/state")
        assert connection.getresponse().status == 403


def test_nothing_is_written_that_tensorboard_warns_of(tensorboard):
    """TensorBoard warns of responses without a type, without nosniff, and of loose policies. It is last, so it sees all
    requests above."""
    assert "In 3.0" not in tensorboard.said() and "Traceback" not in tensorboard.said()


def test_a_folder_that_is_being_written_to(trace, tmp_path):
    """New runs and spans appear without a restart, half a file is read again when it is complete; the program ends with
    TensorBoard."""
    environment("newest")
    logs = tmp_path / "watched"
    whole = trace("two_gpus", "ready/worker0.1").read_bytes()
    with TensorBoard("newest", logs, tmp_path / "log") as board:  # the folder does not exist yet
        assert not board.active() and board.spans() == []
        first = logs / "run1" / "worker0.1.pt.trace.json"
        first.parent.mkdir(parents=True)
        first.write_bytes(whole[: len(whole) // 2])
        until(lambda: [one for one in board.spans() if one[3] == "ready"], "half a file is read as far as it goes")
        until(board.active, "the tab becomes active")
        problems = board.json(f"{PLUGIN}/api/state")["runs"][0]["workers"][0]["spans"][0]["problems"]
        assert problems > 0
        first.write_bytes(whole)
        until(lambda: board.json(f"{PLUGIN}/api/state")["runs"][0]["workers"][0]["spans"][0]["problems"] == 0, "the whole file is read")
        for place in ("run1/worker0.2", "run2/worker0.1"):
            file = logs / f"{place}.pt.trace.json"
            file.parent.mkdir(exist_ok=True)
            file.write_bytes(whole)
        wanted = [("run1", "worker0", "1", "ready"), ("run1", "worker0", "2", "ready"), ("run2", "worker0", "1", "ready")]
        until(lambda: sorted(board.spans()) == wanted, "a new span and a new run appear")

        engine = board.engine()
        os.kill(engine, signal.SIGKILL)
        until(lambda: not running(engine), "the program is gone")
        until(lambda: board.get(f"{PLUGIN}/api/state")[0] == 200, "it is started again")
        again = board.engine()
        assert again not in (None, engine)
        os.kill(board.process.pid, signal.SIGKILL)
        until(lambda: not running(again), "the program ends with TensorBoard, even if that is killed")


def test_a_log_folder_of_another_profilers_plugin(tmp_path):
    """The tab is active for a log of Neuron's plugin, and for a device's own recording beside it; both are shown."""
    environment("newest")
    logs = tmp_path / "logs"
    neuron_log.network().write(logs)
    run = ntff_export.Run()
    run.code("sp", [ntff_export.notify(2), ntff_export.slot(0xA4)])
    run.instruction("sp", 0, start=500, length=20)
    run.instruction("sp", 1, start=600, length=20)
    (logs / "device").mkdir()
    (logs / "device" / "core0.ntff").write_bytes(run.file())
    with TensorBoard("newest", logs, tmp_path / "log") as board:
        until(board.active, "the tab becomes active")
        until(lambda: [one[3] for one in board.spans()] == ["ready", "ready"], "both are read")
        assert sorted(board.spans()) == [("device", "core0", "default", "ready"), ("logs", "c1a992f0ea378f7a_1", "1", "ready")]
        operators = board.json(f"{PLUGIN}/api/report?run=logs&view=framework_operators")["tables"]["framework_operators"]
        assert len(operators["columns"][0]["values"]) == 8
        kernels = board.json(f"{PLUGIN}/api/report?run=device&view=kernels")["tables"]["kernels"]
        assert len(kernels["columns"][0]["values"]) == 1


def alone(code, *arguments, **changes):
    """Runs code with the newest TensorBoard's packages, but no TensorBoard; its stdout."""
    environment("newest")
    kept = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    done = subprocess.run([PYTHON / "newest" / "bin" / "python", "-c", code, *arguments], capture_output=True, text=True, env={**kept, **changes})
    assert done.returncode == 0, done.stderr
    return done.stdout


ASK = """
import sys
from types import SimpleNamespace
from sightline.tensorboard_plugin import Plugin
flags = SimpleNamespace(logdir=sys.argv[1], logdir_spec="", bind_all=False, host=None)
plugin = Plugin(SimpleNamespace(flags=flags, logdir=sys.argv[1]))
def start(status, headers): print(status, dict(headers)["Content-Type"])
environ = {"REQUEST_METHOD": "GET", "PATH_INFO": "/data/plugin/sightline" + sys.argv[2], "QUERY_STRING": ""}
for _ in range(2):  # a reloaded page gets the same error
    print(b"".join(plugin.get_plugin_apps()["/*"](environ, start)).decode())
"""


def test_a_program_that_does_not_start_is_reported(tmp_path):
    program = tmp_path / "broken"
    program.write_text("#!/bin/sh\necho 'sightline: no such instruction' >&2\nexit 3\n")
    program.chmod(0o755)
    said = alone(ASK, str(tmp_path), "/index.html", SIGHTLINE_PROGRAM=str(program))
    assert said.count("502") == 2 and said.count("no such instruction") == 2
    said = alone(ASK, str(tmp_path), "/api/state", SIGHTLINE_PROGRAM=str(tmp_path / "nowhere"))
    assert said.count("502") == 2 and "application/json" in said and said.count("nowhere is not a program") == 2


def test_addresses_in_clouds_go_to_the_program_as_they_are(tmp_path):
    program = tmp_path / "echo"
    program.write_text("#!/bin/sh\necho \"asked for $*\"\nexit 3\n")
    program.chmod(0o755)
    said = alone(ASK, "s3://bucket/logs", "/index.html", SIGHTLINE_PROGRAM=str(program))
    assert "502" in said and "asked for view" in said and said.rstrip().endswith("-- s3://bucket/logs")


def test_without_a_folder_it_reports_that():
    assert "without --logdir" in alone(ASK, "", "/index.html")


def test_every_spelling_of_log_folders(tmp_path):
    code = """
import json, sys
from types import SimpleNamespace
from sightline.tensorboard_plugin import log_folders
for logdir, spec in json.loads(sys.argv[1]):
    print(json.dumps(log_folders(SimpleNamespace(logdir=logdir, flags=SimpleNamespace(logdir=logdir, logdir_spec=spec)))))
"""
    asked = [["/a/b", ""], ["", "one:/a,two:/b"], ["", "/a,/b:c"], ["s3://x/y", ""], ["", "one:gs://x,/b"], ["", ""]]
    answers = [json.loads(line) for line in alone(code, json.dumps(asked)).splitlines()]
    assert answers == [["/a/b"], ["/a", "/b"], ["/a", "/b:c"], ["s3://x/y"], ["gs://x", "/b"], []]


def test_the_plugin_stays_small():
    """It only forwards requests: a plugin that grows beyond this does something that belongs into the program."""
    files = [ROOT / "python" / "sightline" / name for name in ("tensorboard_loader.py", "tensorboard_plugin.py", "engine.py")]
    assert sum(len(file.read_text().splitlines()) for file in files) < 300


