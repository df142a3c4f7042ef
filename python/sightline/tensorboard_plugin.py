"""The TensorBoard plugin: a tab that shows the program's page. The program runs as a child (engine.py) and every request is
forwarded to it. The plugin computes nothing, knows no format, and reads nothing through TensorBoard's data layer."""
import http.client
import json
import os
import subprocess
import threading
import time
import urllib.parse

from tensorboard.plugins import base_plugin

from . import program
from .engine import Engine

NAME = "sightline"
ROUTE = f"/data/plugin/{NAME}"
# The tab's frame becomes the page itself, whose addresses are all relative.
ENTRY = b'export function render() { document.location.replace("index.html"); }\n'

HANDED_ON = ("ACCEPT", "ACCEPT_ENCODING", "RANGE", "IF_RANGE", "IF_NONE_MATCH", "IF_MODIFIED_SINCE")
# Sent with every response: no page of another origin may embed it, and no browser guesses its type.
GUARDED = [("Cross-Origin-Resource-Policy", "same-origin"), ("X-Content-Type-Options", "nosniff")]
KEPT_BACK = {"connection", "keep-alive", "transfer-encoding", "server", "date", "set-cookie"} | {name.lower() for name, _ in GUARDED}
CHUNK_BYTES = 64 << 10
ANSWER_SECONDS = 120
SCAN_SECONDS = 60
SCAN_PAUSE_SECONDS = 3


class Plugin(base_plugin.TBPlugin):
    plugin_name = NAME

    def __init__(self, context):
        super().__init__(context)
        self._folders = log_folders(context)
        self._writable = not beyond_loopback(context.flags)
        self._engine = Engine(self._folders)
        self._scan = Scan(self._folders)

    def is_active(self):
        return self._scan.found()

    def frontend_metadata(self):
        return base_plugin.FrontendMetadata(es_module_path="/index.js", tab_name="Sightline", disable_reload=True)

    def get_plugin_apps(self):
        return {"/index.js": serve_entry, "/*": self._hand_on}

    def _hand_on(self, environ, start_response):
        """A WSGI application: forwards the request to the program, and streams its response."""
        if not self._folders:
            return refuse(environ, start_response, "404 Not Found", "TensorBoard was started without --logdir")
        if reason := self._refusal(environ):
            return refuse(environ, start_response, "403 Forbidden", reason)
        try:
            connection, answer = self._ask(environ)
        except (program.Error, OSError, http.client.HTTPException) as error:
            return refuse(environ, start_response, "502 Bad Gateway", str(error) or type(error).__name__)
        headers = GUARDED + [(name, value) for name, value in answer.getheaders() if name.lower() not in KEPT_BACK]
        if answer.getheader("Content-Type") is None:  # TensorBoard requires one even if there is no body
            headers.append(("Content-Type", "text/plain"))
        start_response(f"{answer.status} {answer.reason}", headers)
        return chunks(connection, answer)

    def _refusal(self, environ):
        """Why a request is not forwarded, or None. The program refuses requests from other sites by headers of their browser,
        which it does not see here."""
        if from_elsewhere(environ):
            return "the request comes from a page of another site"
        if environ["REQUEST_METHOD"] in ("PUT", "DELETE") and not self._writable:
            return "nothing can be saved while TensorBoard serves other machines: start it without --bind_all and --host"
        return None

    def _ask(self, environ):
        port, token = self._engine.ready()
        headers = {"Authorization": f"Bearer {token}"}
        for name in HANDED_ON:
            if value := environ.get(f"HTTP_{name}"):
                headers[name.replace("_", "-").title()] = value
        length = int(environ.get("CONTENT_LENGTH") or 0)
        body = None
        if length:
            headers.update({"Content-Type": environ.get("CONTENT_TYPE", ""), "Content-Length": str(length)})
            body = parts(environ["wsgi.input"], length)
        # The server's own name as Host: the program does not know TensorBoard's public name.
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=ANSWER_SECONDS)
        try:
            connection.request(environ["REQUEST_METHOD"], path_of(environ), body, headers)
        except (BrokenPipeError, ConnectionResetError):
            pass  # refused before all of the body was sent: the response has the reason
        return connection, connection.getresponse()


class Scan:
    """Whether any profile is below the folders. The program searches in the background until it finds one."""

    def __init__(self, folders):
        self._folders = folders
        self._found = False
        self._next = 0.0
        self._thread = None
        self.found()

    def found(self):
        """Waits a moment, not longer, for a running scan."""
        if self._found or not self._folders:
            return self._found
        if (self._thread is None or not self._thread.is_alive()) and time.monotonic() >= self._next:
            self._thread = threading.Thread(target=self._look, daemon=True)
            self._thread.start()
        elif self._thread is not None:
            self._thread.join(0.3)
        return self._found

    def _look(self):
        start = time.monotonic()
        try:
            command = [program.path(), "info", "--no-read", "--", *self._folders]
            quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
            self._found = subprocess.run(command, timeout=SCAN_SECONDS, **quiet).returncode == 0
        except (program.Error, OSError, subprocess.TimeoutExpired):
            pass  # the tab shows the error when it is opened
        end = time.monotonic()
        self._next = end + max(SCAN_PAUSE_SECONDS, 10 * (end - start))


def log_folders(context):
    """The folders of --logdir and --logdir_spec (NAME:FOLDER,...), absolute except for addresses such as s3://bucket."""
    flags = context.flags
    folders = [getattr(flags, "logdir", "") or context.logdir or ""]
    for part in (getattr(flags, "logdir_spec", "") or "").split(","):
        name, colon, rest = part.partition(":")
        named = bool(colon) and "/" not in name and not rest.startswith("//")
        folders.append(rest if named else part)
    return [folder if "://" in folder else os.path.abspath(os.path.expanduser(folder)) for folder in folders if folder]


def beyond_loopback(flags):
    return bool(getattr(flags, "bind_all", False)) or (getattr(flags, "host", "") or "localhost") not in ("localhost", "127.0.0.1", "::1")


def from_elsewhere(environ):
    """Whether a page of another origin makes the request. Its links may open the page, but nothing below api/."""
    if environ.get("HTTP_SEC_FETCH_SITE", "none") in ("none", "same-origin"):
        return False
    opens_page = environ.get("HTTP_SEC_FETCH_MODE") == "navigate" and environ["REQUEST_METHOD"] in ("GET", "HEAD")
    return not opens_page or path_of(environ).startswith("/api/")


def path_of(environ):
    """The path below the plugin's route, with its query, as the program knows it. WSGI's paths are decoded, as Latin-1."""
    path = environ["PATH_INFO"].split(ROUTE, 1)[-1] or "/"
    query = environ.get("QUERY_STRING", "")
    return urllib.parse.quote(path.encode("latin-1")) + (f"?{query}" if query else "")


def parts(stream, length):
    """A body of this many bytes, as it arrives."""
    while length > 0 and (part := stream.read(min(length, CHUNK_BYTES))):
        length -= len(part)
        yield part


def chunks(connection, answer):
    try:
        while chunk := answer.read1(CHUNK_BYTES):
            yield chunk
    finally:
        connection.close()


def serve_entry(environ, start_response):
    headers = [("Content-Type", "text/javascript"), ("Content-Length", str(len(ENTRY))), ("Cache-Control", "no-cache")]
    start_response("200 OK", GUARDED + headers)
    return [ENTRY]


def refuse(environ, start_response, status, what):
    """An error in the program's form (docs/http.md): JSON for the page, plain text for a person who opens the tab."""
    if "/api/" in environ["PATH_INFO"]:
        kind, body = "application/json", json.dumps({"error": {"code": "tensorboard", "message": what, "where": ""}})
    else:
        kind, body = "text/plain; charset=utf-8", f"Sightline: {what}\n"
    start_response(status, [*GUARDED, ("Content-Type", kind), ("Cache-Control", "no-store")])
    return [body.encode()]
