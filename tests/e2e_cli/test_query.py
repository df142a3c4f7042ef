"""SQL as users run it: answers equal the views', hostile text is stopped, and errors name their place."""
import concurrent.futures
import csv
import io
import json
import pathlib
import socket
import subprocess
import sys
import threading
import time
import urllib.parse

import pytest

from program import ROOT, Server, needs_program, sightline, trace, write_trace

pytestmark = needs_program
SAMPLES = sorted((ROOT / "samples").rglob("*.json.gz"))


@pytest.fixture(scope="module")
def two_gpus(tmp_path_factory):
    file = tmp_path_factory.mktemp("query") / "two_gpus.pt.trace.json"
    subprocess.run([sys.executable, ROOT / "tools" / "gen_trace", ROOT / "tests" / "fixtures" / "two_gpus.trace", file], check=True)
    return file


def query(file, sql, *more):
    done = sightline("query", file, sql, "--format", "csv", *more)
    assert done.returncode == 0, done.stderr
    return list(csv.DictReader(io.StringIO(done.stdout)))


def refused(file, sql, *more):
    done = sightline("query", file, sql, *more)
    assert done.returncode == 2 and done.stdout == "" and done.stderr.count("\n") == 1, (done.returncode, done.stderr)
    return done.stderr


def test_kernels_sum_to_what_the_view_says(two_gpus):
    for sample in (two_gpus, *SAMPLES[:2]):
        ours = query(sample, "SELECT name, count(*) AS calls, sum(duration) AS total FROM kernels GROUP BY name")
        report = sightline("report", sample, "--view", "kernels", "--format", "csv", "--table", "kernels").stdout
        theirs = {r["name"]: (r["calls"], r["total (ns)"]) for r in csv.DictReader(io.StringIO(report))}
        assert {r["name"]: (r["calls"], r["total"]) for r in ours} == theirs


def test_every_example_and_view_works(two_gpus):
    with Server(two_gpus) as server:
        server.loaded_state()
        status, schema = server.json("/api/query")
        assert status == 200
        for example in schema["examples"]:
            status, report = server.json("/api/query?" + urllib.parse.urlencode({"sql": example["sql"]}))
            assert status == 200, (example, report)
            assert report["tables"]["result"]["columns"]
        for table in schema["tables"]:
            status, report = server.json("/api/query?" + urllib.parse.urlencode({"sql": f"SELECT * FROM {table['name']}"}))
            columns = report["tables"]["result"]["columns"]
            assert [c["key"] for c in columns] == [c["name"] for c in table["columns"]]
            if not table["view"]:
                assert report["tables"]["result"]["rows"] == table["rows"]
        assert {"kernels", "ops", "slices", "device_work"} <= {t["name"] for t in schema["tables"]}


def test_a_column_that_is_a_row_of_a_table_joins_with_it(two_gpus):
    with Server(two_gpus) as server:
        server.loaded_state()
        schema = server.json("/api/query")[1]["tables"]
        row_of = {(t["name"], c["name"]): c["row_of"] for t in schema for c in t["columns"] if c["row_of"]}
        assert row_of["packets", "transfer"] == "transfers" and row_of["kernels", "launched_by"] == "slices" and len(row_of) > 30
        joined = 0
        for (name, column), to in row_of.items():
            if (name, column) in (("lanes", "first"), ("lanes", "last")):
                continue  # bounds: one past the last row may be none
            sql = f'SELECT count(t."{column}") AS had, count(r.id) AS found FROM {name} t LEFT JOIN {to} r ON t."{column}" = r.id'
            status, report = server.json("/api/query?" + urllib.parse.urlencode({"sql": sql}))
            had, found = (c["values"][0] for c in report["tables"]["result"]["columns"])
            assert status == 200 and had == found, (name, column, to)
            joined += had
        assert joined > 0
    assert "transfer -> transfers" in sightline("query", "--schema").stdout


def test_columns_keep_their_unit_and_meaning(two_gpus):
    with Server(two_gpus) as server:
        server.loaded_state()
        sql = "SELECT k.duration, name AS n, sum(duration) AS total_ns, count(*) AS calls FROM kernels k GROUP BY ALL"
        _, report = server.json("/api/query?" + urllib.parse.urlencode({"sql": sql}))
        duration, name, total, count = report["tables"]["result"]["columns"]
        assert duration["unit"] == "ns" and duration["doc"].startswith("Length")
        assert name["type"] == "text" and total["unit"] == "ns" and count["unit"] == "none"
        status, headers, body = server.get("/api/query?format=csv&" + urllib.parse.urlencode({"sql": sql}))
        assert status == 200 and headers["Content-Disposition"] and body.startswith(b"duration (ns),n,total_ns (ns),calls")


def test_joins_on_row_numbers(tmp_path):
    file = write_trace(tmp_path / "a.pt.trace.json", trace(60_000))
    rows = query(file, "SELECT count(*) AS n FROM operators o JOIN slices s ON s.id = o.slice JOIN slices p ON p.id = s.parent")
    assert rows == [{"n": "60000"}]


@pytest.mark.parametrize("condition, rows", [
    ("id = 3", 1), ("id > 3 AND id <= 5", 2), ("id < 2", 2), ("id = NULL", 0), ("id > 1.5 AND id < 4", 2), ("id = -1", 0),
    ("lane = 0 AND start >= 25000 AND start < 65000", 2), ("lane = 0 AND start = 5000", 1), ("lane = 7", 0),
    ("parent IS NULL", 1), ("kind IN ('op', 'none')", 20), ("name LIKE 'aten::%'", 20), ("id >= 9223372036854775807", 0)])
def test_conditions(tmp_path, condition, rows):
    file = write_trace(tmp_path / "a.pt.trace.json", trace(20))
    assert len(query(file, f"SELECT id FROM slices WHERE {condition}")) == rows


def test_errors_name_their_place(two_gpus):
    assert refused(two_gpus, "SELECT *\nFORM slices") == 'sightline: line 2, column 6: syntax error at or near "slices"\n'
    assert refused(two_gpus, "SELECT 1 FROM none").startswith("sightline: line 1, column 15: Table with name none does not exist")
    assert refused(two_gpus, "SELECT start,\n  wrong FROM slices").startswith('sightline: line 2, column 3: Referenced column "wrong" not found')
    assert "line 1, column 11: only one statement is allowed" in refused(two_gpus, "SELECT 1; SELECT 2")
    assert "write a SELECT" in refused(two_gpus, "/* nothing */")
    assert query(two_gpus, "SELECT 1 AS one; -- and a remark") == [{"one": "1"}]


@pytest.mark.parametrize("sql", [
    "ATTACH '/etc/passwd' AS x", "PRAGMA database_list; SELECT 1", "CREATE TABLE t(a INTEGER)", "DELETE FROM slices",
    "INSERT INTO slices(id) VALUES (1)", "LOAD httpfs", "INSTALL httpfs", "DROP VIEW kernels", "UPDATE slices SET id = 1", "BEGIN",
    "COPY (SELECT 1) TO '/tmp/sightline-should-not-be'", "EXPORT DATABASE '/tmp/sightline-should-not-be'", "SET threads = 8",
    "SET enable_external_access = true", "RESET lock_configuration", "CALL pragma_version()", "EXPLAIN ANALYZE SELECT 1", "CHECKPOINT",
    "SELECT * FROM read_csv('/etc/passwd')", "SELECT * FROM read_text('/etc/passwd')", "SELECT * FROM read_blob('/proc/self/environ')",
    "SELECT * FROM read_parquet('https://localhost/x.parquet')", "SELECT * FROM '/etc/passwd'", "SELECT * FROM glob('/etc/*')",
    "SELECT * FROM sniff_csv('/etc/passwd')", "SELECT * FROM read_json('/etc/passwd')", "SELECT getenv('HOME')",
    "SELECT * FROM query('COPY (SELECT 1) TO ''/tmp/sightline-should-not-be''')", "SELECT 1 WHERE 1 = ?"])
def test_nothing_but_reading_the_tables_is_allowed(two_gpus, sql):
    refused(two_gpus, sql)
    assert not pathlib.Path("/tmp/sightline-should-not-be").exists()


def test_a_query_without_its_library_is_refused(two_gpus):
    done = sightline("query", two_gpus, "SELECT 1", SIGHTLINE_DUCKDB="/nowhere/libduckdb.so")
    assert done.returncode == 1 and done.stdout == "" and "SQL needs the library DuckDB" in done.stderr and "/nowhere/libduckdb.so" in done.stderr
    assert "kernels (view)" in sightline("query", "--schema", SIGHTLINE_DUCKDB="/nowhere/libduckdb.so").stdout


ENDLESS = "SELECT count(*) FROM range(100000000) a, range(100000000) b WHERE a.range % 3 = b.range % 5"
# One call of a function on one vector: 2,000 times 25,000,000 steps, without a check of the time in between.
DEAF = "SELECT sum(levenshtein(repeat('a', (5000 + i % 2)::INTEGER), repeat('b', 5000))) FROM range(2000) t(i)"


def children(pid):
    """The running child processes of this process."""
    found = []
    for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            state, parent = stat.read_text().rpartition(")")[2].split()[:2]
        except OSError:
            continue  # it ended in the meantime
        if int(parent) == pid and state != "Z":
            found.append(int(stat.parent.name))
    return found


def wait_until(holds, what):
    begun = time.monotonic()
    while not holds():
        assert time.monotonic() - begun < 60, what
        time.sleep(0.02)


def ask_and_stay(server, sql):
    """A connection that has sent a query, and has read nothing."""
    client = socket.create_connection(("127.0.0.1", server.port))
    path = "/api/query?" + urllib.parse.urlencode({"sql": sql})
    client.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n{server.header_lines()}\r\n".encode())
    return client


@pytest.mark.parametrize("sql", [ENDLESS, DEAF])
def test_a_query_ends_when_its_client_leaves(two_gpus, sql):
    """Otherwise it would keep the cores busy for the 30 s that a query may take."""
    with Server(two_gpus) as server:
        server.loaded_state()
        client = ask_and_stay(server, sql)
        wait_until(lambda: children(server.process.pid), "the query does not run")
        client.close()
        left = time.monotonic()
        wait_until(lambda: not children(server.process.pid), "the query goes on without a client")
        assert time.monotonic() - left < 20  # of the 30 that it may take


def test_waiting_queries_end_when_their_clients_leave(two_gpus):
    with Server(two_gpus) as server:
        server.loaded_state()
        clients = [ask_and_stay(server, ENDLESS + " " * i) for i in range(8)]  # the same text would be answered once
        wait_until(lambda: len(children(server.process.pid)) == 4, "four do not run")
        for client in clients:
            client.close()
        status, report = server.json("/api/query?" + urllib.parse.urlencode({"sql": "SELECT 1 AS one"}))
        assert status == 200 and report["tables"]["result"]["rows"] == 1
        wait_until(lambda: not children(server.process.pid), "queries go on without a client")


HEAVY = [
    "SELECT sum(length(repeat('x', (8000000 + i % 1000)::INTEGER))) FROM range(100000) t(i)",
    "SELECT repeat('x', (7990000 + id % 1000)::INTEGER) AS s FROM slices",
    "SELECT count(DISTINCT a.range * 7919 + b.range) FROM range(100000) a, range(10000) b",
    "SELECT list(a.range) FROM range(100000000) a, range(10) b",
    "SELECT * FROM range(100000000) a, range(100) b ORDER BY hash(a.range * b.range)",
    ENDLESS, DEAF]


def memory_of(pid):
    """Bytes of memory that a process holds besides files; shared memory counts by its share. 0: it ended."""
    try:
        text = pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text()
    except OSError:
        return 0
    return sum(int(line.split()[1]) << 10 for line in text.splitlines() if line.startswith("Pss_Anon:"))


def test_the_server_survives_many_clients_with_heavy_queries(two_gpus):
    """Twenty clients send queries that take gigabytes or never end. The server lives, and stays within the memory limit for
    queries."""
    with Server(two_gpus, "--memory", "2G") as server:
        server.loaded_state()
        most, ended = 0, threading.Event()

        def ask(number):
            with ask_and_stay(server, HEAVY[number % len(HEAVY)]) as client:
                client.settimeout(4)
                try:
                    return client.recv(100)[:12]
                except TimeoutError:
                    return b""  # this one would have continued

        def watch():
            nonlocal most
            while not ended.wait(0.1):
                pids = [server.process.pid, *children(server.process.pid)]
                assert len(pids) <= 5
                most = max(most, sum(memory_of(pid) for pid in pids))

        with concurrent.futures.ThreadPoolExecutor(21) as threads:
            watching = threads.submit(watch)
            answers = [threads.submit(ask, number) for number in range(20)]
            assert all(answer.result() in (b"", b"HTTP/1.1 200", b"HTTP/1.1 400") for answer in answers)
            ended.set()
            watching.result()
        assert server.process.poll() is None
        assert most < 900 << 20, most  # a quarter of 2 GiB for queries, and the server's own memory
        status, report = server.json("/api/query?" + urllib.parse.urlencode({"sql": "SELECT count(*) AS n FROM slices"}))
        assert status == 200, report


def test_a_query_without_end_is_stopped(two_gpus):
    assert "stopped after the 0.5 seconds" in refused(two_gpus, ENDLESS, "--seconds", "0.5")


@pytest.mark.parametrize("sql", ["SELECT repeat('x', 1000000000)", "SELECT replace(repeat('0', 8000000), '0', '0123456789')",
                                 "SELECT 'x' || repeat('y', 16777216)", "SELECT " + "1 + " * 30_000 + "1"],
                         ids=["repeat", "replace", "concatenation", "depth"])  # an argument has at most 128 KiB
def test_a_value_or_text_too_large_is_refused(two_gpus, sql):
    refused(two_gpus, sql)


def test_bytes_are_limited_and_a_note_says_so(two_gpus):
    with Server(two_gpus) as server:
        server.loaded_state()
        sql = "SELECT repeat('x', 1000000) AS x FROM range(100)"
        status, report = server.json("/api/query?" + urllib.parse.urlencode({"sql": sql}))
        assert status == 200 and report["tables"]["result"]["rows"] == 16
        assert [note["text"] for note in report["notes"]] == ["The first 16 rows: the answer is larger than the limit."]


def test_rows_are_limited_and_a_note_says_so(tmp_path):
    file = write_trace(tmp_path / "a.pt.trace.json", trace(30))
    done = sightline("query", file, "SELECT id FROM slices", "--format", "csv", "--limit", "10")
    assert done.stdout.count("\n") == 11 and done.stderr == "sightline: The first 10 rows: there are more. See --limit.\n"
    assert len(query(file, "SELECT id FROM slices", "--limit", "0")) == 31
    done = sightline("query", file, "SELECT id FROM slices", "--format", "csv", "--limit", "31")
    assert done.stderr == ""


def test_formats_types_and_unknown(tmp_path):
    file = write_trace(tmp_path / "a.pt.trace.json")
    sql = "SELECT 1 AS a, 1.5 AS b, 'x' AS c, NULL::TEXT AS d, 9007199254740993 AS e, '\\x01'::BLOB AS f, 'y' AS a, DATE '2026-01-02' AS g"
    assert query(file, sql) == [{"a": "1", "b": "1.5", "c": "x", "d": "", "e": "9007199254740993", "f": "1 bytes", "a_2": "y", "g": "2026-01-02"}]
    assert "│" not in sightline("query", file, sql, "--format", "markdown").stdout
    report = json.loads(sightline("query", file, sql, "--format", "json").stdout)
    assert [c["type"] for c in report["columns"]] == ["integer", "real", "text", "text", "text", "text", "text", "text"]


def test_the_console_is_not_a_report(two_gpus):
    done = sightline("report", two_gpus, "--view", "query", "--param", "sql=SELECT 1")
    assert done.returncode == 2 and done.stdout == "" and "use sightline query PATH" in done.stderr, done


def test_names_are_the_traces_own(tmp_path):
    name = "a\"b',;\n<script>\N{SNOWMAN}"
    file = write_trace(tmp_path / "a.pt.trace.json", trace(1, name))
    assert query(file, "SELECT name FROM ops") == [{"name": name}]


def test_usage(two_gpus):
    done = sightline("query", two_gpus)
    assert done.returncode == 2 and "--schema lists" in done.stderr
    listed = sightline("query", "--schema").stdout
    assert "kernels (view)" in listed and "-- Kernels by total time" in listed


def test_all_profiles_are_queried_one_by_one(tmp_path):
    for rank, count in ((0, 3), (1, 5), (10, 2)):
        write_trace(tmp_path / "job" / f"rank{rank}.pt.trace.json", trace(count))
    sql = "SELECT count(*) AS calls, sum(duration) AS total_ns, max(name) AS name FROM slices WHERE kind = 'op'"
    rows = query(tmp_path, sql, "--all")
    assert [(row["run"], row["worker"], row["span"], row["calls"]) for row in rows] == [
        ("job", "rank0", "default", "3"), ("job", "rank1", "default", "5"), ("job", "rank10", "default", "2")
    ]
    for row in rows:  # each as when it is queried alone
        (alone,) = query(tmp_path, sql, "--worker", row["worker"])
        assert {key: row[key] for key in alone} == alone
    assert [row["worker"] for row in query(tmp_path, sql, "--all", "--worker", "rank1")] == ["rank1"]


def test_all_profiles_share_the_limits(tmp_path):
    for rank in range(3):
        write_trace(tmp_path / f"rank{rank}.pt.trace.json", trace(4))
    done = sightline("query", tmp_path, "SELECT name, start FROM slices", "--all", "--limit", "7", "--format", "csv")
    assert done.returncode == 0 and len(done.stdout.splitlines()) == 8 and "there are more" in done.stderr
    assert done.stdout.splitlines()[0] == "run,worker,span,name,start (ns)", "a column of a table keeps its unit"
    assert "nowhere does not exist" in refused(tmp_path, "SELECT 1 FROM nowhere", "--all")


def test_a_profile_that_cannot_be_read_is_left_out_and_reported(tmp_path):
    write_trace(tmp_path / "rank0.pt.trace.json", trace(1))
    (tmp_path / "rank1.pt.trace.json").write_text("no JSON")
    done = sightline("query", tmp_path, "SELECT count(*) AS n FROM slices", "--all", "--format", "csv")
    assert done.returncode == 0 and len(done.stdout.splitlines()) == 2
    assert "rank1.pt.trace.json" in done.stderr and "left out" in done.stderr
