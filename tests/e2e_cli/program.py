"""The built program, and small traces for it. Tests use arguments, stdout, exit codes and HTTP, like a user."""
import gzip
import http.client
import json
import os
import pathlib
import re
import signal
import subprocess
import tempfile

import on_terminal
import pytest
from on_terminal import PATIENCE_SECONDS

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = pathlib.Path(os.environ.get("SIGHTLINE", ROOT / "build" / "release" / "sightline"))

needs_program = pytest.mark.skipif(not PROGRAM.exists(), reason=f"{PROGRAM} is not built: make build")


def environment(**changes):
    base = {k: v for k, v in os.environ.items() if k not in ("COLUMNS", "NO_COLOR", "SIGHTLINE_TOKEN")}
    return {**base, "SIGHTLINE_PROGRESS_AFTER": "1000000", **changes}  # however busy the machine is


def short_folder():
    """A new folder for sockets: their paths have at most 107 bytes, and TMPDIR or pytest's folder of a test may be too long."""
    return tempfile.mkdtemp(prefix="sightline-", dir="/tmp")


def sightline(*arguments, **changes):
    """Runs the program to its end; returns the completed process with text output."""
    command = [str(PROGRAM), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_SECONDS, env=environment(**changes))


class OnTerminal(on_terminal.OnTerminal):
    """Returns a function that runs the program with these arguments and changes of the environment."""

    def __init__(self, *arguments, **changes):
        super().__init__([PROGRAM, *arguments], environment(**changes))


def trace(operators=3, name="aten::mm"):
    """A trace with one step that holds `operators` operators of 10 us, one every 20 us."""
    step = {"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#1", "pid": 1, "tid": 1, "ts": 0, "dur": 20 * operators}
    events = [step]
    for i in range(operators):
        events.append({"ph": "X", "cat": "cpu_op", "name": name, "pid": 1, "tid": 1, "ts": 20 * i + 5, "dur": 10})
    return {"schemaVersion": 1, "traceEvents": events}


def write_trace(path, content=None):
    path.parent.mkdir(parents=True, exist_ok=True)
    data = json.dumps(trace() if content is None else content).encode()
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
    return path


class Server:
    """`sightline view` on a free port, until the end of a with statement. Requests carry the token of the printed address.
    `under`: a command that starts it. `patience`: how many seconds a request may take."""

    def __init__(self, *arguments, under=(), patience=PATIENCE_SECONDS, **changes):
        self.patience = patience
        command = [*under, str(PROGRAM), "view", *map(str, arguments)]
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment(**changes)
        )
        self.line = self.process.stdout.readline()  # printed when the server answers
        found = re.search(r"http://(\S+?):(\d+)/(\S*)", self.line)
        assert found, (self.line, self.process.stderr.read() if self.process.poll() is not None else "")
        self.port = int(found[2])
        self.query = found[3]
        token = re.search(r"[?&]token=([^&\s]+)", self.query)
        self.headers = {"Authorization": f"Bearer {token[1]}"} if token else {}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()

    def end(self, sign=signal.SIGINT):
        """Ends it; returns (exit code, stderr)."""
        if self.process.poll() is None:
            self.process.send_signal(sign)
        _, errors = self.process.communicate(timeout=PATIENCE_SECONDS)
        return self.process.returncode, errors

    def header_lines(self):
        """The token, for requests written by hand."""
        return "".join(f"{name}: {value}\r\n" for name, value in self.headers.items())

    def get(self, path, method="GET", body=None, **headers):
        """(status, headers, body); header names with _ for -, None for one that is not sent."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=self.patience)
        try:
            named = {**self.headers, **{k.replace("_", "-"): v for k, v in headers.items()}}
            named = {k: v for k, v in named.items() if v is not None}
            connection.request(method, path, body, headers=named)
            response = connection.getresponse()
            body = response.read()
            return response.status, response.headers, body
        finally:
            connection.close()

    def json(self, path, method="GET", body=None, **headers):
        status, _, body = self.get(path, method, body, **headers)
        return status, json.loads(body)

    def loaded_state(self):
        """The state once nothing is loading. Each request waits for its response, so this is not a busy loop."""
        while True:
            status, state = self.json("/api/state")
            if status != 200:  # for instance too little memory for an answer
                raise http.client.HTTPException(f"/api/state: {status} {state}")
            if not state["loading"]:
                return state
