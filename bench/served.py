"""A program that serves one file, for the benchmarks of its answers: `with Served(program, file) as served`."""
import http.client
import json
import os
import pathlib
import re
import subprocess
import time


class Served:
    def __init__(self, program, file, cache=None):
        """`cache`: the folder of the program's cache; without one, it keeps nothing."""
        command = [program, "view", str(file), "--port", "0", *([] if cache else ["--no-cache"])]
        environment = {**os.environ, **({"SIGHTLINE_CACHE_DIR": str(cache)} if cache else {})}
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
        found = re.search(r"http://\S+?:(\d+)/(?:\S*token=([^&\s]+))?", self.process.stdout.readline())
        self.port, token = int(found[1]), found[2]
        self.headers = {"Authorization": f"Bearer {token}"} if token else {}
        while json.loads(self.get("/api/state"))["loading"]:
            time.sleep(0.2)

    def get(self, path):
        connection = http.client.HTTPConnection("127.0.0.1", self.port)
        connection.request("GET", path, headers=self.headers)
        response = connection.getresponse()
        body = response.read()
        connection.close()
        if response.status != 200:
            raise RuntimeError(body.decode())
        return body

    def seconds(self, path):
        """Until the whole answer has arrived."""
        begun = time.perf_counter()
        self.get(path)
        return time.perf_counter() - begun

    def processor_seconds(self):
        """The processor time so far, with the child processes that have ended."""
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")

    def wait_until_idle(self):
        """Until it has used no processor time for two seconds: it has written the cache."""
        before = -1
        while before != self.processor_seconds():
            before = self.processor_seconds()
            time.sleep(2)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
