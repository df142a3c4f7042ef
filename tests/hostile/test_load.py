"""The server under load for minutes: mixed requests while files load and change, and many clients with heavy queries.

SOAK_MINUTES and QUERY_MINUTES set how long; `make deep` sets them. The server's memory is printed every ten seconds (pytest -s).
"""
import collections
import os
import random
import shutil
import threading
import time
import urllib.parse

import pytest

from program import Server, needs_program, trace, write_trace
from outcome import memory_now

pytestmark = needs_program

SOAK_MINUTES = float(os.environ.get("SOAK_MINUTES", 0))
QUERY_MINUTES = float(os.environ.get("QUERY_MINUTES", 0))
EVERY_SECONDS = 10
QUERIES = [
    "select count(*) from slices a, slices b, slices c",
    "select a.name, count(*) from slices a join slices b on a.name < b.name group by 1 order by 2 desc",
    "select repeat('x', 1000000) || id as s from slices",
    "select list(a.start) from slices a, slices b group by b.id % 10",
    "select * from slices order by duration, name, start desc",
]


@pytest.fixture
def job(tmp_path):
    for rank in range(4):
        write_trace(tmp_path / "job" / f"rank{rank}.pt.trace.json", trace(2_000 * (rank + 1)))
    return tmp_path / "job"


def question(chance, views, selector):
    """A request of the kinds that the page and scripts send."""
    def asked(path, **parameters):
        return path + "?" + urllib.parse.urlencode({**selector, **parameters})

    return chance.choice([
        lambda: "/api/state",
        lambda: "/",
        lambda: asked("/api/report", view=chance.choice(views)),
        lambda: asked("/api/report", view="operators", search=f"m{chance.randrange(100)}"),
        lambda: asked("/api/timeline"),
        lambda: asked("/api/slice", slice=chance.randrange(4_000)),
        lambda: asked("/api/tiles", lanes="0", start=0, end=10**9, pixel=10 ** chance.randrange(3, 7)),
        lambda: asked("/api/counters", counters="0", start=0, end=10**9, pixel=10**6),
        lambda: asked("/api/search", text=f"mm{chance.randrange(10)}"),
        lambda: asked("/api/query", sql=f"select name, count(*) from slices where id % 7 = {chance.randrange(7)} group by 1"),
        lambda: asked("/api/report", view=f"none{chance.randrange(1000)}"),
    ])()


class Clients:
    """Threads that send requests until they are stopped; `failures` are forbidden results."""

    def __init__(self, server, count, next_question):
        self.server, self.next_question = server, next_question
        self.ended, self.failures, self.answers = threading.Event(), [], collections.Counter()
        self.threads = [threading.Thread(target=self._ask, args=(random.Random(i),)) for i in range(count)]

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self.ended.set()
        for thread in self.threads:
            thread.join()

    def _ask(self, chance):
        while not self.ended.is_set():
            path = self.next_question(chance)
            try:
                status, _, _ = self.server.get(path)
                self.answers[status] += 1
                if status == 500:
                    self.failures.append((path, status))
            except OSError as error:
                self.failures.append((path, repr(error)))
                time.sleep(0.1)


def sampled(server, minutes, between=lambda: None):
    """The server's memory every ten seconds, in MiB."""
    samples, end = [], time.monotonic() + 60 * minutes
    while time.monotonic() < end and server.process.poll() is None:
        time.sleep(EVERY_SECONDS)
        between()
        samples.append(memory_now(server.process.pid) >> 20)
        print(f"{len(samples) * EVERY_SECONDS:6} s {samples[-1]:6} MiB", flush=True)
    return samples


def grows(samples):
    """Whether the last third needs more than the second, by more than a tenth and 32 MiB."""
    third = max(1, len(samples) // 3)
    return max(samples[-third:]) > 1.1 * max(samples[third:2 * third] or samples) + 32


def test_growth_is_seen():
    assert not grows([50, 100, 100, 101, 99, 100])
    assert grows([50, 100, 200, 300, 400, 500])


@pytest.mark.skipif(not SOAK_MINUTES, reason="takes minutes: make deep")
def test_memory_is_flat_after_hours_of_requests(job):
    rewritten = iter(range(1_000_000))

    def rewrite():  # a file of the job changes, so that it is read again
        shutil.copy(write_trace(job.parent / "next.json", trace(2_000 + next(rewritten) % 100)), job / "rank0.pt.trace.json")

    with Server(job) as server:
        state = server.loaded_state()
        views = [view["id"] for view in state["views"]]
        run = state["runs"][0]
        selector = {"run": run["name"], "worker": run["workers"][-1]["name"], "span": run["workers"][-1]["spans"][0]["name"]}
        with Clients(server, 8, lambda chance: question(chance, views, selector)) as clients:
            samples = sampled(server, SOAK_MINUTES, rewrite)
        assert server.process.poll() is None, "the server ended"
        assert server.get("/api/state")[0] == 200
    print(dict(clients.answers))
    assert clients.answers[200] > 100 and not clients.failures[:5]
    assert not grows(samples), samples


@pytest.mark.skipif(not QUERY_MINUTES, reason="takes minutes: make deep")
def test_twenty_clients_with_heavy_queries_end_nothing(job):
    def heavy(chance):
        return "/api/query?" + urllib.parse.urlencode({"run": "job", "worker": "rank3", "span": "default", "sql": chance.choice(QUERIES)})

    with Server(job, patience=600) as server:  # four run at once, each for up to 30 seconds of a calm machine
        server.loaded_state()
        with Clients(server, 20, heavy) as clients:
            samples = sampled(server, QUERY_MINUTES, lambda: server.get("/api/state"))
        assert server.process.poll() is None, "the server ended"
        assert server.get("/api/state")[0] == 200
    print(dict(clients.answers))
    assert clients.answers.total() > 0 and not clients.failures[:5]
    assert not grows(samples), samples
