"""Long tables over HTTP: the first rows with the report, the others by page, sorted and filtered; CSV and the command line have all."""
import csv
import io
import json

import pytest

from program import Server, needs_program, sightline, write_trace

pytestmark = needs_program
BLOCKS = 12_000


def memory_event(time, size, address):
    args = {"Device Type": 1, "Device Id": 0, "Addr": address, "Bytes": size, "Total Allocated": 0, "Total Reserved": 0}
    return {"ph": "i", "cat": "cpu_instant_event", "s": "t", "name": "[memory]", "pid": 1, "tid": 1, "ts": time, "args": args}


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    """Block i has (i * 7919 % BLOCKS) + 1 bytes and lives from 10 i for 5 us; one of every hundred is never released. aten::conv
    allocates the first half, aten::mul the rest."""
    half = 10 * (BLOCKS // 2)
    events = [{"ph": "X", "cat": "cpu_op", "name": name, "pid": 1, "tid": 1, "ts": start, "dur": half}
              for name, start in (("aten::conv", 0), ("aten::mul", half))]
    for i in range(BLOCKS):
        events.append(memory_event(10 * i, size_of(i), i))
        if i % 100:
            events.append(memory_event(10 * i + 5, -size_of(i), i))
    return write_trace(tmp_path_factory.mktemp("long") / "job" / "rank0.pt.trace.json", {"schemaVersion": 1, "traceEvents": events})


def size_of(block):
    return block * 7919 % BLOCKS + 1


@pytest.fixture(scope="module")
def server(file):
    with Server(file.parent, "--port", 0) as started:
        started.loaded_state()
        yield started


def rows(server, query=""):
    status, page = server.json(f"/api/table?view=memory&table=events&{query}")
    assert status == 200, page
    return page, {column["key"]: column["values"] for column in page["columns"]}


def test_the_report_has_the_first_rows_in_the_tables_order(server):
    status, report = server.json("/api/report?view=memory")
    table = report["tables"]["events"]
    columns = {column["key"]: column["values"] for column in table["columns"]}
    assert status == 200 and table["paged"] is True and table["rows"] == BLOCKS
    assert columns["size"] == list(range(BLOCKS, BLOCKS - 1000, -1))
    assert "paged" not in report["tables"]["operators"]


def test_pages_continue_where_the_report_ends(server):
    page, columns = rows(server, "offset=1000&limit=500")
    assert (page["rows"], page["of"], page["offset"]) == (BLOCKS, BLOCKS, 1000)
    assert columns["size"] == list(range(BLOCKS - 1000, BLOCKS - 1500, -1))
    assert rows(server, f"offset={BLOCKS - 3}&limit=500")[1]["size"] == [3, 2, 1]
    assert rows(server, f"offset={BLOCKS + 5}&limit=500")[1]["size"] == []


def test_sorted_by_any_column_unknown_last_either_way(server):
    unknown = BLOCKS // 100
    for descending, first in ((0, 15_000), (1, 10_000 * (BLOCKS - 1) + 5_000)):
        _, columns = rows(server, f"sort=released_at&descending={descending}&offset=0&limit=1")
        assert columns["released_at"] == [first]
        assert rows(server, f"sort=released_at&descending={descending}&offset={BLOCKS - unknown - 1}&limit=3")[1]["released_at"][1:] == [None, None]
    assert rows(server, "sort=operator&descending=0&limit=1")[1]["operator"] == ["aten::conv"]
    assert rows(server, "sort=operator&descending=1&limit=1")[1]["operator"] == ["aten::mul"]


def test_search_and_bounds_keep_what_matches(server):
    page, columns = rows(server, "contains=CONV&limit=10000")
    assert page["rows"] == BLOCKS // 2 and set(columns["operator"]) == {"aten::conv"}
    page, columns = rows(server, "contains=conv&least.size=10&most.size=1000&limit=10000")
    wanted = sorted((size_of(i) for i in range(BLOCKS // 2) if 10 <= size_of(i) <= 1000), reverse=True)
    assert columns["size"] == wanted and page["rows"] == len(wanted)
    assert rows(server, "least.released_at=0")[0]["rows"] == BLOCKS - BLOCKS // 100


def test_columns_have_their_least_and_most(server):
    page, _ = rows(server, "contains=nothing+has+this")
    size = next(column for column in page["columns"] if column["key"] == "size")
    assert page["rows"] == 0 and (size["least"], size["most"], size["values"]) == (1, BLOCKS, [])
    assert "least" not in next(column for column in page["columns"] if column["key"] == "operator")


@pytest.mark.parametrize("query, status, words", [
    ("view=memory&table=nothing", 404, "available: curve"), ("view=memory&table=events&sort=colour", 400, "no column 'colour'"),
    ("view=memory&table=events&least.colour=1", 400, "no column 'colour'"), ("view=memory&table=events&limit=ten", 400, "takes a number"),
    ("view=memory&table=events&limit=1000000", 400, "at most"), ("view=memory&table=events&least.size=x", 400, "takes a number"),
    ("view=memory&table=events&device=GPU9", 400, "GPU9"), ("view=nothing&table=events", 404, "no view")])
def test_wrong_requests_are_refused_with_a_reason(server, query, status, words):
    answered, body = server.json(f"/api/table?{query}")
    assert answered == status and words in body["error"]["message"]


def test_groups_sum_the_matching_rows(server, file):
    half = BLOCKS // 2
    sums = {"aten::conv": sum(map(size_of, range(half))), "aten::mul": sum(map(size_of, range(half, BLOCKS)))}
    status, report = server.json("/api/report?view=memory&table=events&group_rows=operator")
    columns = {column["key"]: column for column in report["tables"]["events"]["columns"]}
    assert status == 200 and list(report["tables"]) == ["events"] and list(columns)[:2] == ["operator", "group_rows"]
    found = {name: (rows, size) for name, rows, size in zip(*(columns[key]["values"] for key in ("operator", "group_rows", "size")))}
    assert found == {name: (half, size) for name, size in sums.items()}
    assert columns["allocated_at"]["values"] == [None, None]
    page, values = rows(server, "group_rows=operator&sort=size&descending=1&limit=1&least.size=100&contains=conv")
    large = [size_of(i) for i in range(half) if size_of(i) >= 100]
    assert page["rows"] == 1 and (values["size"], values["group_rows"]) == ([sum(large)], [len(large)])
    done = sightline("report", file, "--view", "memory", "--table", "events", "--group-by", "operator", "--format", "csv")
    lines = list(csv.DictReader(io.StringIO(done.stdout)))
    assert {line["operator"]: int(line["size (bytes)"]) for line in lines} == sums and {line["allocated_at (ns)"] for line in lines} == {""}


@pytest.mark.parametrize("column", ["nothing", "size"])
def test_only_columns_of_texts_make_groups(server, file, column):
    status, body = server.json(f"/api/report?view=memory&table=events&group_rows={column}")
    assert status == 400 and f"no column '{column}' of texts to group by; available: operator" in body["error"]["message"]
    done = sightline("report", file, "--view", "memory", "--group-by", column, "--table", "events")
    assert done.returncode != 0 and "available: operator" in done.stderr


def test_csv_and_the_command_line_have_all_rows(server, file):
    _, _, body = server.get("/api/report?view=memory&format=csv&table=events")
    assert len(list(csv.reader(io.StringIO(body.decode())))) == BLOCKS + 1
    done = sightline("report", file, "--view", "memory", "--format", "json")
    table = json.loads(done.stdout)["tables"]["events"]
    assert "paged" not in table and len(table["columns"][0]["values"]) == BLOCKS == table["rows"]
