"""SQL through the front door: answers equal the views', hostile text is stopped, and errors name their place."""
import csv
import io
import json
import os
import pathlib
import socket
import subprocess
import sys
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


def test_columns_keep_their_unit_and_meaning(two_gpus):
    with Server(two_gpus) as server:
        server.loaded_state()
        sql = "SELECT k.duration, name AS n, sum(duration) AS total_ns, count(*) FROM kernels k"
        _, report = server.json("/api/query?" + urllib.parse.urlencode({"sql": sql}))
        duration, name, total, count = report["tables"]["result"]["columns"]
        assert duration["unit"] == "ns" and duration["doc"].startswith("Length")
        assert name["type"] == "text" and total["unit"] == "ns" and count["unit"] == "none"
        status, headers, body = server.get("/api/query?format=csv&" + urllib.parse.urlencode({"sql": sql}))
        assert status == 200 and headers["Content-Disposition"] and body.startswith(b"duration (ns),n,total_ns (ns),count(*)")


def test_a_join_on_row_numbers_is_a_look_up(tmp_path):
    file = write_trace(tmp_path / "a.pt.trace.json", trace(60_000))
    begun = time.monotonic()
    rows = query(file, "SELECT count(*) AS n FROM operators o JOIN slices s ON s.id = o.slice JOIN slices p ON p.id = s.parent")
    assert rows == [{"n": "60000"}] and time.monotonic() - begun < 20


@pytest.mark.parametrize("bounds, rows", [
    ("id = 3", 1), ("id > 3 AND id <= 5", 2), ("id < 2", 2), ("id = 'x'", 0), ("id = NULL", 0), ("id > 1.5 AND id < 4", 2), ("id = -1", 0),
    ("lane = 0 AND start >= 25000 AND start < 65000", 2), ("lane = 0 AND start = 5000", 1), ("lane = 7", 0),
    ("id >= 9223372036854775807", 0), ("rowid = 2", 1)])
def test_bounds_answer_what_a_scan_answers(tmp_path, bounds, rows):
    file = write_trace(tmp_path / "a.pt.trace.json", trace(20))
    assert len(query(file, f"SELECT id FROM slices WHERE {bounds}")) == rows
    scan = bounds.replace("id ", "+id ").replace("row+id", "+rowid").replace("lane ", "+lane ").replace("start ", "+start ")
    assert query(file, f"SELECT id FROM slices WHERE {scan}") == query(file, f"SELECT id FROM slices WHERE {bounds}")


def test_errors_name_their_place(two_gpus):
    assert refused(two_gpus, "SELECT *\nFORM slices") == 'sightline: line 2, column 1: near "FORM": syntax error\n'
    assert "no such table: none" in refused(two_gpus, "SELECT * FROM none")
    assert "line 1, column 10: one statement at a time" in refused(two_gpus, "SELECT 1; SELECT 2")
    assert "write a SELECT" in refused(two_gpus, "/* nothing */")
    assert query(two_gpus, "SELECT 1 AS one; -- and a remark") == [{"one": "1"}]


@pytest.mark.parametrize("sql", [
    "ATTACH '/etc/passwd' AS x", "PRAGMA journal_mode = WAL", "CREATE TABLE t(a)", "DELETE FROM slices", "INSERT INTO slices(id) VALUES (1)",
    "SELECT load_extension('x')", "VACUUM INTO '/tmp/sightline-should-not-be'", "DROP VIEW kernels", "UPDATE slices SET id = 1",
    "CREATE TEMP TABLE t(a)", "SELECT * FROM pragma_database_list", "BEGIN", "SELECT writefile('x', 'y')", "EXPLAIN DELETE FROM slices"])
def test_nothing_but_reading_is_allowed(two_gpus, sql):
    refused(two_gpus, sql)


ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"


def busy_seconds(pid):
    """Processor time that the process has taken so far."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def test_a_query_ends_when_its_client_leaves(two_gpus):
    """Else it would keep a core busy for the 30 s that a query may take."""
    with Server(two_gpus) as server:
        server.loaded_state()
        endless = urllib.parse.urlencode({"sql": ENDLESS})
        pid = server.process.pid
        before = busy_seconds(pid)
        client = socket.create_connection(("127.0.0.1", server.port))
        client.sendall(f"GET /api/query?{endless} HTTP/1.1\r\nHost: localhost\r\n{server.header_lines()}\r\n".encode())
        started = time.monotonic()
        while busy_seconds(pid) < before + 0.3:
            assert time.monotonic() - started < 60, "the query does not run"
            time.sleep(0.05)
        client.close()
        left = time.monotonic()
        spent = -1
        while spent != (spent := busy_seconds(pid)):  # until it rests
            assert time.monotonic() - left < 25, "the query goes on for nobody"
            time.sleep(0.5)


def test_a_query_without_end_is_stopped(two_gpus):
    assert "stopped after the 0.5 seconds" in refused(two_gpus, ENDLESS, "--seconds", "0.5")


@pytest.mark.parametrize("sql", ["SELECT zeroblob(1000000000)", "SELECT replace(hex(zeroblob(8000000)), '0', '0123456789')",
                                 "SELECT " + "(" * 5000 + "1" + ")" * 5000])
def test_a_value_or_text_too_large_is_refused(two_gpus, sql):
    refused(two_gpus, sql)


def test_rows_are_limited_and_it_is_said(tmp_path):
    file = write_trace(tmp_path / "a.pt.trace.json", trace(30))
    done = sightline("query", file, "SELECT id FROM slices", "--format", "csv", "--limit", "10")
    assert done.stdout.count("\n") == 11 and done.stderr == "sightline: The first 10 rows: there are more. See --limit.\n"
    assert len(query(file, "SELECT id FROM slices", "--limit", "0")) == 31
    done = sightline("query", file, "SELECT id FROM slices", "--format", "csv", "--limit", "31")
    assert done.stderr == ""


def test_formats_types_and_unknown(tmp_path):
    file = write_trace(tmp_path / "a.pt.trace.json")
    sql = "SELECT 1 AS a, 1.5 AS b, 'x' AS c, NULL AS d, 9007199254740993 AS e, x'0102' AS f, 'y' AS a"
    assert query(file, sql) == [{"a": "1", "b": "1.5", "c": "x", "d": "", "e": "9007199254740993", "f": "2 bytes", "a_2": "y"}]
    assert "│" not in sightline("query", file, sql, "--format", "markdown").stdout
    report = json.loads(sightline("query", file, sql, "--format", "json").stdout)
    assert [c["type"] for c in report["columns"]] == ["integer", "real", "text", "text", "text", "text", "text"]


def test_the_console_is_no_report(two_gpus):
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


def test_all_profiles_are_asked_one_by_one(tmp_path):
    for rank, count in ((0, 3), (1, 5), (10, 2)):
        write_trace(tmp_path / "job" / f"rank{rank}.pt.trace.json", trace(count))
    sql = "SELECT count(*) AS calls, sum(duration) AS total_ns, max(name) AS name FROM slices WHERE kind = 'op'"
    rows = query(tmp_path, sql, "--all")
    assert [(row["run"], row["worker"], row["span"], row["calls"]) for row in rows] == [
        ("job", "rank0", "default", "3"), ("job", "rank1", "default", "5"), ("job", "rank10", "default", "2")
    ]
    for row in rows:  # each as when it is asked alone
        (alone,) = query(tmp_path, sql, "--worker", row["worker"])
        assert {key: row[key] for key in alone} == alone
    assert [row["worker"] for row in query(tmp_path, sql, "--all", "--worker", "rank1")] == ["rank1"]


def test_all_profiles_share_the_limits(tmp_path):
    for rank in range(3):
        write_trace(tmp_path / f"rank{rank}.pt.trace.json", trace(4))
    done = sightline("query", tmp_path, "SELECT name, start FROM slices", "--all", "--limit", "7", "--format", "csv")
    assert done.returncode == 0 and len(done.stdout.splitlines()) == 8 and "there are more" in done.stderr
    assert done.stdout.splitlines()[0] == "run,worker,span,name,start (ns)", "a column of a table keeps its unit"
    assert "no such table" in refused(tmp_path, "SELECT 1 FROM nowhere", "--all")


def test_a_profile_that_cannot_be_read_is_left_out_and_said(tmp_path):
    write_trace(tmp_path / "rank0.pt.trace.json", trace(1))
    (tmp_path / "rank1.pt.trace.json").write_text("no JSON")
    done = sightline("query", tmp_path, "SELECT count(*) AS n FROM slices", "--all", "--format", "csv")
    assert done.returncode == 0 and len(done.stdout.splitlines()) == 2
    assert "rank1.pt.trace.json" in done.stderr and "left out" in done.stderr
