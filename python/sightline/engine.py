"""The program as a server of this process: `sightline view` on a separate port. It is started at the first use, restarted
if it has ended, and ended with this process, however that ends: the pipe to its stdin is then closed."""
import collections
import logging
import os
import re
import secrets
import subprocess
import threading
import time

from . import program

logger = logging.getLogger("tensorboard")
START_SECONDS = 60  # the first response comes after a search of the folder, which takes long for a large folder on a slow disk
AGAIN_SECONDS = 5  # least time between two starts of a program that keeps ending


class Engine:
    def __init__(self, folders):
        self._folders = folders
        self._lock = threading.Lock()
        self._process = None
        self._started = None

    def ready(self):
        """(port, token) of the running program; raises program.Error if it does not start."""
        with self._lock:
            if self._process is None or self._process.poll() is not None:
                self._start()
            process, said = self._process, self._said
            listening = self._listening
        if not listening.wait(START_SECONDS):
            raise program.Error(f"still searching {', '.join(self._folders)}: try again in a moment")
        if process.poll() is not None:
            raise program.Error(" ".join(said) or f"the program ended with {process.returncode}")
        return self._port, self._token

    def _start(self):
        if self._started is not None and time.monotonic() - self._started < AGAIN_SECONDS:
            raise program.Error(" ".join(self._said) or f"the program ended with {self._process.returncode}")
        self._token = secrets.token_hex(16)  # other users of this machine can reach the port, but cannot see the token
        command = [program.path(), "view", "--port=0", "--wait", "--no-capture", "--no-add", "--die-with-stdin", "--", *self._folders]
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env={**os.environ, "SIGHTLINE_TOKEN": self._token},
            text=True,
            errors="replace",
        )
        self._started = time.monotonic()
        self._listening = threading.Event()
        self._said = collections.deque(maxlen=5)
        threading.Thread(target=self._listen, args=(self._process, self._listening, self._said), daemon=True).start()

    def _listen(self, process, listening, said):
        """Reads the port from the line with the address, which contains the token and is not logged; logs the other lines."""
        for line in process.stdout:
            if found := re.match(r"Sightline is at http://127\.0\.0\.1:(\d+)/", line):
                self._port = int(found[1])
                listening.set()
            else:
                said.append(line.strip())
                logger.warning("%s", line.strip())
        process.wait()
        listening.set()
