"""The timeline as points: with the influxd of this machine (version 1), and with a server in this file that follows the
protocol of version 2, which Debian does not package.
"""
import gzip
import http.server
import json
import os
import pathlib
import re
import shutil
import socket
import subprocess
import threading
import time
import urllib.parse
import urllib.request

import pytest

from device_run import device_run
from program import needs_program, sightline, trace, write_trace

pytestmark = needs_program
INFLUXD = shutil.which("influxd")
BASE = 1_700_000_000_000_000_000


def free_port():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


def odd_trace():
    """Names that the protocol must escape, and slices that begin at the same time on one lane."""
    def event(name, ts, dur, tid=1):
        return {"ph": "X", "cat": "cpu_op", "name": name, "pid": 1, "tid": tid, "ts": ts, "dur": dur}

    events = [event('a, b=c "d" \\e', 0, 30), event("a", 0, 20), event("a", 0, 10), event("ünïcode\nline", 40, 5),
              event("back\\", 50, 5, tid=2)]
    threads = {1: "thread one, of=two \\", 2: "plain"}
    events += [{"ph": "M", "name": "thread_name", "pid": 1, "tid": tid, "args": {"name": name}} for tid, name in threads.items()]
    return {"schemaVersion": 1, "baseTimeNanoseconds": BASE, "traceEvents": events}


def expected(path):
    """For each slice the expected content of its point, by the program's own SQL."""
    done = sightline("query", path, "select s.id, s.name, s.start, s.duration, s.depth, s.kind from slices s", "--format", "json")
    return sorted(zip(*(column["values"] for column in json.loads(done.stdout)["columns"])))


# ---- version 1: a real server ----


@pytest.fixture(scope="module")
def influxd(tmp_path_factory):
    if INFLUXD is None:
        pytest.skip("no influxd on this machine: tools/install test")
    for _ in range(3):  # another program may have taken the free port by now
        server, endpoint = started_influxd(tmp_path_factory.mktemp("influxd"))
        if endpoint:
            break
    assert endpoint, "influxd does not start"
    yield endpoint
    server.kill()
    server.wait()


def started_influxd(folder):
    """The process, and its address once it answers; None: it has ended."""
    port = free_port()
    settings = {"INFLUXDB_REPORTING_DISABLED": "true", "INFLUXDB_HTTP_BIND_ADDRESS": f"127.0.0.1:{port}",
                "INFLUXDB_BIND_ADDRESS": f"127.0.0.1:{free_port()}", "INFLUXDB_META_DIR": f"{folder}/meta",
                "INFLUXDB_DATA_DIR": f"{folder}/data", "INFLUXDB_DATA_WAL_DIR": f"{folder}/wal"}
    with open(folder / "log", "w") as log:
        server = subprocess.Popen([INFLUXD, "-config", os.devnull], stdout=log, stderr=log, env={**os.environ, **settings})
    end = time.monotonic() + 60
    while server.poll() is None:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/ping", timeout=1) as answer:
                if "X-Influxdb-Version" in answer.headers:  # not another program that took the free port
                    return server, f"http://127.0.0.1:{port}"
        except OSError:
            assert time.monotonic() < end, (folder / "log").read_text()
            time.sleep(0.05)
    return server, None


def ask(endpoint, database, query, method="GET"):
    parameters = urllib.parse.urlencode({"db": database, "q": query, "epoch": "ns"})
    request = urllib.request.Request(f"{endpoint}/query?{parameters}", method=method)
    with urllib.request.urlopen(request, timeout=20) as answer:
        (result,) = json.load(answer)["results"]
    assert "error" not in result, result
    return [dict(zip(series["columns"], row)) for series in result.get("series", []) for row in series["values"]]


def alone(**changes):
    """Hides the user's own settings."""
    return {"INFLUX_TOKEN": "", "INFLUX_HOST": "", "INFLUX_ORG": "", "INFLUX_CONFIGS_PATH": "/nonexistent", **changes}


def test_every_slice_is_a_point(influxd, tmp_path):
    file = write_trace(tmp_path / "odd.pt.trace.json", odd_trace())
    done = sightline("export", file, "--format", "influxdb", "--db-endpoint", influxd, "--db-bucket", 'odd "name"', **alone())
    assert done.returncode == 0, done.stderr
    slices = expected(file)
    assert done.stdout == f'{len(slices)} points in bucket "odd "name"" of {influxd}\n'
    points = ask(influxd, 'odd "name"', "SELECT * FROM slice")
    told = sorted((p["row"], p["name"], p["time"] - BASE, p["duration"], p["depth"], p["kind"]) for p in points)
    assert told == slices and len(slices) == 5
    assert {p["lane"] for p in points} == {"thread one, of=two \\ ", "plain"}  # a backslash at the end needs a blank after it
    assert {p["worker"] for p in points} == {"odd"} and {p["run"] for p in points} == {tmp_path.name}


def test_a_device_with_its_counters(influxd, tmp_path):
    file = tmp_path / "device.ntff"
    file.write_bytes(device_run().file())
    for _ in range(2):  # writing again replaces each point by the same point
        done = sightline("view", "-s", file, "--output-format", "db", "--db-endpoint", influxd + "/", **alone())
        assert done.returncode == 0, done.stderr
        assert "begin in 1970" in done.stderr, "the file does not say when it was recorded"
    count, bucket = re.fullmatch(r'(\d+) points in bucket "(n_[0-9a-f]{40})" of .*\n', done.stdout).groups()
    points = ask(influxd, bucket, "SELECT * FROM slice")
    assert sorted(p["row"] for p in points) == [row for row, *_ in expected(file)]
    assert sum(p["bytes"] or 0 for p in points) == 512 * 21
    counters = ask(influxd, bucket, "SELECT lane, value FROM counter")
    asked = sightline("query", file, "select l.name, c.time, c.value from counters c join lanes l on l.id = c.lane", "--format", "json")
    samples = list(zip(*(column["values"] for column in json.loads(asked.stdout)["columns"])))
    assert sorted((c["lane"], c["time"], c["value"]) for c in counters) == sorted(samples)
    assert int(count) == len(points) + len(counters)


def test_the_servers_error_is_shown(influxd, tmp_path):
    file = tmp_path / "device.ntff"
    file.write_bytes(device_run(1).file())
    ask(influxd, "", "CREATE DATABASE typed", method="POST")
    assert ["typed"] in [list(row.values()) for row in ask(influxd, "", "SHOW DATABASES")]
    urllib.request.urlopen(f"{influxd}/write?db=typed", b"slice duration=1.5 10\n", 20).close()  # a real; ours are integers
    done = sightline("export", file, "--format", "influxdb", "--db-endpoint", influxd, "--db-bucket", "typed", **alone())
    assert done.returncode == 1 and done.stdout == ""
    assert "answered 400" in done.stderr and "field type conflict" in done.stderr and '"duration"' in done.stderr


# ---- version 2: what its documentation requires of clients ----


def unescape(text, marks):
    return re.sub(r"\\([" + re.escape(marks) + "])", r"\1", text)


def parse_line(line):
    """(measurement, tags, fields, time), by the protocol's grammar."""
    head, fields, stamp = re.fullmatch(r'((?:\\.|[^ \\]|\\)+?) ((?:[^" ]|"(?:\\.|[^"\\])*")+) (-?\d+)', line, re.S).groups()
    parts = re.split(r"(?<!\\),", head)
    tags = dict(re.split(r"(?<!\\)=", part, maxsplit=1) for part in parts[1:])
    values = dict(re.findall(r'(\w+)=("(?:\\.|[^"\\])*"|[^,]+)', fields))
    plain = {key: unescape(value[1:-1], '"\\') if value[0] == '"' else value for key, value in values.items()}
    return parts[0], {key: unescape(value, ", =") for key, value in tags.items()}, plain, int(stamp)


class Second(http.server.BaseHTTPRequestHandler):
    """InfluxDB 2: a token on every request, an organisation with buckets that must be created before they are written."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def reply(self, status, body=None, **headers):
        data = b"" if body is None else json.dumps(body).encode()
        self.send_response(status)
        for name, value in {"X-Influxdb-Version": "v2.7.6", "Content-Length": str(len(data)), **headers}.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(data)

    def refuse(self, status, code, message, **more):
        self.reply(status, {"code": code, "message": message, **more})

    def handle_any(self):
        store, parts = self.server.store, urllib.parse.urlsplit(self.path)
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        query = dict(urllib.parse.parse_qsl(parts.query))
        store["requests"].append((self.command, parts.path))
        if parts.path == "/influx/ping":
            return self.reply(204)
        if self.headers.get("Authorization") != "Token secret-token":
            return self.refuse(401, "unauthorized", "unauthorized access")
        if query.get("org", "my org") != "my org":
            return self.refuse(404, "not found", f'organization name "{query["org"]}" not found')
        if (self.command, parts.path) == ("GET", "/influx/api/v2/orgs"):
            return self.reply(200, {"orgs": [{"id": "0a1b", "name": "my org"}]})
        if (self.command, parts.path) == ("POST", "/influx/api/v2/buckets"):
            asked = json.loads(body)
            assert asked["orgID"] == "0a1b"
            store["buckets"][asked["name"]] = []
            return self.reply(201, {"id": "1", "name": asked["name"]})
        if (self.command, parts.path) != ("POST", "/influx/api/v2/write"):
            return self.refuse(404, "not found", "path not found")
        assert query["precision"] == "ns" and self.headers["Content-Encoding"] == "gzip"
        if query["bucket"] not in store["buckets"]:
            return self.refuse(404, "not found", f'bucket "{query["bucket"]}" not found')
        if store["busy"]:
            store["busy"] -= 1
            return self.reply(429, None, Retry_After="0")
        text = gzip.decompress(body).decode()
        lines = re.findall(r'(?:[^"\n]|"(?:\\.|[^"\\])*")+', text)  # a text may have several lines
        assert text == "".join(line + "\n" for line in lines)
        if store["refuse"]:
            return self.refuse(400, "invalid", "unable to parse 'x': missing fields", line=store["refuse"])
        store["sizes"].append(len(lines))
        store["buckets"][query["bucket"]] += lines
        return self.reply(204)

    do_GET = do_POST = handle_any


@pytest.fixture
def second():
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Second) as server:
        server.store = {"requests": [], "buckets": {}, "busy": 0, "refuse": 0, "sizes": []}
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


def endpoint(server):
    return f"http://127.0.0.1:{server.server_address[1]}/influx"


def to_second(server, file, *more, **changes):
    given = alone(INFLUX_TOKEN="secret-token", **changes)
    return sightline("export", file, "--format", "influxdb", "--db-endpoint", endpoint(server), *more, **given)


def test_version_2(second, tmp_path):
    long = odd_trace()
    long["traceEvents"] += [{"ph": "X", "cat": "cpu_op", "name": f"op{i}", "pid": 1, "tid": 3, "ts": 2 * i, "dur": 1} for i in range(12000)]
    file = write_trace(tmp_path / "odd.pt.trace.json", long)
    second.store["busy"] = 2
    done = to_second(second, file, "--db-org", "my org")
    assert done.returncode == 0, done.stderr
    ((bucket, lines),) = second.store["buckets"].items()
    assert re.fullmatch("n_[0-9a-f]{40}", bucket)
    assert sum(second.store["sizes"]) == 12005 and max(second.store["sizes"]) == 5000
    done = sightline("query", file, "select s.id, s.name, s.start, s.duration, s.depth, s.kind from slices s", "--format", "json",
                     "--limit", 0)
    slices = sorted(zip(*(column["values"] for column in json.loads(done.stdout)["columns"])))
    points = [parse_line(line) for line in lines if line.startswith("slice,")]
    told = sorted((int(fields["row"][:-1]), fields["name"], stamp - BASE, int(fields["duration"][:-1]), int(fields["depth"][:-1]), tags["kind"])
                  for _, tags, fields, stamp in points)
    assert told == slices
    assert len({(name, tuple(sorted(tags.items())), stamp) for name, tags, _, stamp in points}) == len(points), "none replaces another"


def test_settings_of_the_influx_program(second, tmp_path):
    file = write_trace(tmp_path / "a.pt.trace.json", trace(2))
    settings = tmp_path / "configs"
    settings.write_text(f"""[other]
  url = "http://localhost:1"
  token = "wrong"
  org = "none"
[mine]
  url = "{endpoint(second)}"
  token = "secret-token"
  org = "my org"
  active = true
""")
    changes = alone(INFLUX_CONFIGS_PATH=str(settings))
    done = sightline("export", file, "--format", "influxdb", "--db-bucket", "b", **changes)
    assert done.returncode == 0, done.stderr
    assert len(second.store["buckets"]["b"]) == 3
    done = sightline("export", file, "--format", "influxdb", "--db-bucket", "b", **changes | {"INFLUX_ACTIVE_CONFIG": "other"})
    assert done.returncode == 1 and "http://localhost:1: no server answers there" in done.stderr


@pytest.mark.parametrize("arguments, changes, code, said", [
    (["--db-org", "my org"], {"INFLUX_TOKEN": ""}, 2, "needs a token: set INFLUX_TOKEN"),
    ([], {}, 2, "needs an organisation: --db-org"),
    (["--db-org", "my org"], {"INFLUX_TOKEN": "guessed"}, 1, "answered 401: unauthorized access"),
    (["--db-org", "theirs"], {}, 1, 'answered 404: organization name "theirs" not found'),
])
def test_requirements_of_version_2(second, tmp_path, arguments, changes, code, said):
    file = write_trace(tmp_path / "a.pt.trace.json", trace(2))
    given = alone(INFLUX_TOKEN="secret-token") | changes
    more = ["--db-endpoint", endpoint(second), "--db-bucket", "b", *arguments]
    done = sightline("export", file, "--format", "influxdb", *more, **given)
    assert done.returncode == code and said in done.stderr, done.stderr
    assert "secret-token" not in done.stderr and "guessed" not in done.stderr


def test_the_line_that_was_refused_is_shown(second, tmp_path):
    file = write_trace(tmp_path / "a.pt.trace.json", trace(2))
    second.store["refuse"] = 2
    done = to_second(second, file, "--db-org", "my org")
    assert done.returncode == 1 and "answered 400: unable to parse 'x': missing fields; line 2: slice," in done.stderr


def test_no_server_answers(tmp_path):
    file = write_trace(tmp_path / "a.pt.trace.json", trace(2))
    done = sightline("export", file, "--format", "influxdb", "--db-endpoint", f"http://127.0.0.1:{free_port()}", **alone())
    assert done.returncode == 1 and "no server answers there" in done.stderr
    done = sightline("export", file, "--format", "influxdb", "--db-endpoint", "localhost:8086", **alone())
    assert done.returncode == 2 and "http://HOST:PORT" in done.stderr
    done = sightline("export", file, "--db-endpoint", "http://localhost:8086", **alone())
    assert done.returncode == 2 and "are for --format influxdb" in done.stderr
