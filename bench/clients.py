"""clients.py PROGRAM [--clients 200] [--seconds 20] [--idle 2000] [--dripping 500]: how the server answers many clients at once.

Serves a trace that it makes, and prints three results: the time of requests from CLIENTS with open connections that send a
request now and then, while other traces are read; the time that one client waits beside IDLE connections and DRIPPING ones,
whose requests never end; and the memory of an idle connection. The clients run in this one process, on the same machine: their
time is part of the result.
"""
import argparse
import asyncio
import json
import pathlib
import random
import re
import resource
import subprocess
import sys
import tempfile
import time
import urllib.parse

PATHS = [
    "/",
    "/api/state",
    "/api/report?view=overview",
    "/api/report?view=operators",
    "/api/timeline",
    "/api/tiles?lanes=0,1&start=0&end=100000000&pixel=100000",
    "/api/query?sql=" + urllib.parse.quote_plus("select name, count(*) from slices group by name order by 2 desc limit 20"),
]


def write_trace(path, slices):
    events = [
        {"ph": "X", "cat": "cpu_op", "name": f"op{i % 97}", "pid": 1, "tid": i % 8, "ts": 10 * (i // 8), "dur": 7, "args": {}}
        for i in range(slices)
    ]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"schemaVersion": 1, "traceEvents": events}))


async def answer(reader):
    """Status and body of one response."""
    head = await reader.readuntil(b"\r\n\r\n")
    length = re.search(rb"\r\nContent-Length: (\d+)", head)
    return int(head.split()[1]), await reader.readexactly(int(length[1]) if length else 0)


async def ask(port, path, connection=None):
    """Seconds until the whole response has arrived, and the connection; makes a new connection if none is given."""
    began = time.perf_counter()
    reader, writer = connection or await asyncio.open_connection("127.0.0.1", port)
    writer.write(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\n\r\n".encode())
    status, body = await answer(reader)
    assert status == 200, (status, path, body[:200])
    return time.perf_counter() - began, (reader, writer)


def shown(seconds):
    seconds = sorted(seconds)
    at = lambda share: 1000 * seconds[min(len(seconds) - 1, int(share * len(seconds)))]  # noqa: E731
    return f"{len(seconds)} answers, median {at(0.5):.1f} ms, 99 % within {at(0.99):.1f} ms, longest {at(1):.1f} ms"


async def many_clients(port, count, seconds, think, traces, folder):
    ends = time.perf_counter() + seconds
    taken = []

    async def client():
        connection = None
        while time.perf_counter() < ends:
            await asyncio.sleep(random.uniform(0, 2 * think))
            spent, connection = await ask(port, random.choice(PATHS), connection)
            taken.append(spent)
        connection[1].close()

    async def loads():
        for trace in traces:
            if time.perf_counter() > ends:
                break
            trace.rename(folder / trace.name)
            await asyncio.sleep(1)

    await asyncio.gather(loads(), *[client() for _ in range(count)])
    print(f"{count} clients that keep their connections, one request each in {think:g} s, traces being read: {shown(taken)}")


def resident(pid):
    return int(re.search(r"VmRSS:\s+(\d+)", pathlib.Path(f"/proc/{pid}/status").read_text())[1]) * 1024


async def beside_held_connections(port, pid, idle, dripping):
    await ask(port, "/api/state")
    before = resident(pid)
    held = [await asyncio.open_connection("127.0.0.1", port) for _ in range(idle)]
    for _ in range(10):
        await ask(port, "/api/state")
    print(f"an idle connection: {(resident(pid) - before) / max(1, idle):.0f} bytes of the server's memory ({idle} open)")
    drips = [await asyncio.open_connection("127.0.0.1", port) for _ in range(dripping)]
    for _, writer in drips:
        writer.write(b"GET /api/state HTTP/1.1\r\nHost: localhost\r\nX-Drip: ")
    taken = []
    for _ in range(60):
        for _, writer in drips:
            writer.write(b"a")
        await asyncio.sleep(0.1)
        spent, (_, writer) = await ask(port, "/api/state")  # a separate connection each time
        taken.append(spent)
        writer.close()
    print(f"one client beside {idle} idle and {dripping} dripping connections: {shown(taken)}")
    for _, writer in held + drips:
        writer.close()


async def measure(options, folder, process, port):
    while json.loads(await plain(port, "/api/state"))["loading"]:
        pass
    await beside_held_connections(port, process.pid, options.idle, options.dripping)
    traces = sorted((folder / "later").iterdir())
    await many_clients(port, options.clients, options.seconds, options.think, traces, folder / "shown")


async def plain(port, path):
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
    _, body = await answer(reader)
    writer.close()
    return body


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--clients", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--think", type=float, default=1, help="mean seconds between two requests of a client")
    parser.add_argument("--slices", type=int, default=20_000, help="of each trace")
    parser.add_argument("--idle", type=int, default=2000)
    parser.add_argument("--dripping", type=int, default=500)
    options = parser.parse_args()
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(most, 65536) if most != resource.RLIM_INFINITY else 65536, most))
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        write_trace(folder / "shown" / "rank0.pt.trace.json", options.slices)
        for number in range(int(options.seconds)):  # one is to be read each second
            write_trace(folder / "later" / f"rank{number + 1}.pt.trace.json", options.slices + number)
        command = [options.program, "view", str(folder / "shown"), "--port", "0", "--no-token", "--no-cache", "--watch", "1"]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        try:
            port = int(re.search(r":(\d+)/", process.stdout.readline())[1])
            asyncio.run(measure(options, folder, process, port))
        finally:
            process.terminate()
            process.wait()
    return 0


if __name__ == "__main__":
    sys.exit(main())
