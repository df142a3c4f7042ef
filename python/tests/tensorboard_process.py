"""A real TensorBoard of one of the environments, until the end of a with statement."""
import http.client
import json
import os
import pathlib
import re
import signal
import socket
import subprocess
import time
import urllib.parse

PYTHON = pathlib.Path(__file__).resolve().parents[2] / "build" / "python"
PATIENCE_SECONDS = 120
PLUGIN = "/data/plugin/sightline"


def until(condition, what):
    """Repeats `condition` until it is true; returns its result."""
    end = time.monotonic() + PATIENCE_SECONDS
    while not (answer := condition()):
        assert time.monotonic() < end, f"after {PATIENCE_SECONDS} s: {what}"
        time.sleep(0.05)
    return answer


def running(pid):
    """Whether the process runs: a process that has ended but was not waited for does not."""
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def listening(pid):
    """[(host, port)] that the process listens on, by IPv4 or IPv6."""
    sockets = {os.readlink(entry) for entry in pathlib.Path(f"/proc/{pid}/fd").iterdir()}
    found = []
    for family, table in ((socket.AF_INET, "tcp"), (socket.AF_INET6, "tcp6")):
        for row in pathlib.Path(f"/proc/{pid}/net/{table}").read_text().splitlines()[1:]:
            _, local, _, state, *_, inode = row.split()[:10]
            if state == "0A" and f"socket:[{inode}]" in sockets:
                host, port = local.split(":")
                words = b"".join(bytes.fromhex(host[i : i + 8])[::-1] for i in range(0, len(host), 8))  # each word is little-endian
                found.append((socket.inet_ntop(family, words), int(port, 16)))
    return found


class TensorBoard:
    def __init__(self, name, folder, log, *arguments):
        self.log = pathlib.Path(log)
        command = [PYTHON / name / "bin" / "tensorboard", "--logdir", folder, "--port", "0", *arguments]
        environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
        with open(log, "wb") as out:
            self.process = subprocess.Popen(command, stdout=out, stderr=out, start_new_session=True, env=environment)

    def __enter__(self):
        address = until(self.address, "TensorBoard says where it is")
        parts = urllib.parse.urlsplit(address)
        self.port, self.prefix = parts.port, parts.path.rstrip("/")
        return self

    def __exit__(self, *_):
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.wait()

    def address(self):
        """None until the address is printed."""
        assert self.process.poll() is None, self.said()
        found = re.search(r"at (http://\S+)", self.said())
        return found and found[1]

    def said(self):
        return self.log.read_text()

    def get(self, path, method="GET", body=None, **headers):
        """(status, headers, body); header names with _ for -."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE_SECONDS)
        try:
            connection.request(method, self.prefix + path, body, {key.replace("_", "-"): value for key, value in headers.items()})
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read()
        finally:
            connection.close()

    def json(self, path, **more):
        status, _, body = self.get(path, **more)
        assert status == 200, (path, status, body)
        return json.loads(body)

    def active(self):
        return self.json("/data/plugins_listing")["sightline"]["enabled"]

    def spans(self):
        """[(run, worker, span, status)] of the spans known so far."""
        runs = self.json(f"{PLUGIN}/api/state")["runs"]
        return [(r["name"], w["name"], s["name"], s["status"]) for r in runs for w in r["workers"] for s in w["spans"]]

    def engine(self):
        """The process id of the program, a child of TensorBoard; None if there is no such child."""
        for entry in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                parent = (entry / "stat").read_text().rsplit(")", 1)[1].split()[1]
                if int(parent) == self.process.pid and b"--die-with-stdin" in (entry / "cmdline").read_bytes():
                    return int(entry.name)
            except (FileNotFoundError, ProcessLookupError):
                pass
        return None
