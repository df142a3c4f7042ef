"""sightline.open: pandas, polars and DuckDB get the profile's content without a copy, and errors have a clear message."""
import gc
import json
import subprocess
import warnings

import pytest

duckdb = pytest.importorskip("duckdb")
pandas = pytest.importorskip("pandas")
polars = pytest.importorskip("polars")
pa = pytest.importorskip("pyarrow")


def mapped_from_exported():
    """Lines of this process's memory map that are exported tables, whose files are unlinked."""
    with open("/proc/self/maps") as maps:
        return [line for line in maps if ".arrow" in line]


def test_tables_are_those_of_the_program(sightline, trace, tmp_path):
    file = trace("two_gpus", "run/worker0.1")
    done = subprocess.run([sightline.program.path(), "export", file, "--format", "arrow", "--output", tmp_path], capture_output=True)
    assert done.returncode == 0
    profile = sightline.open(file)
    assert set(profile) == {written.stem for written in tmp_path.glob("*.arrow")} and len(profile) == len(set(profile)) > 10
    for name, table in profile.items():
        with pa.memory_map(str(tmp_path / f"{name}.arrow")) as source:
            written = pa.ipc.open_file(source).read_all()
        assert table.equals(written, check_metadata=True), name
    assert profile["slices"].num_rows > 0 and profile["slices"].schema.field("duration").metadata[b"unit"] == b"ns"


def test_tables_are_mapped_and_not_copied(sightline, trace):
    gc.collect()
    before = pa.total_allocated_bytes(), len(mapped_from_exported())
    profile = sightline.open(trace("two_gpus", "run/worker0.1"))
    slices = profile["slices"]
    assert pa.total_allocated_bytes() == before[0]
    assert any("slices.arrow (deleted)" in line for line in mapped_from_exported())
    start = slices["start"].chunk(0)
    as_polars = polars.from_arrow(slices["start"])
    assert start.to_numpy(zero_copy_only=True).ctypes.data == start.buffers()[1].address
    assert as_polars.to_numpy().ctypes.data == start.buffers()[1].address
    del profile, slices, start, as_polars
    gc.collect()
    assert len(mapped_from_exported()) == before[1]


def test_pandas_polars_and_duckdb_count_the_same(sightline, trace):
    profile = sightline.open(trace("two_gpus", "run/worker0.1"))
    slices = profile["slices"]
    [(counted, total)] = (row.values() for row in profile.query("SELECT count(*), sum(duration) FROM slices").to_pylist())
    as_pandas = slices.to_pandas()
    as_polars = polars.from_arrow(slices)
    by_duckdb = duckdb.sql("SELECT count(*), sum(duration) FROM slices").fetchall()[0]
    assert len(as_pandas) == len(as_polars) == by_duckdb[0] == counted
    assert as_pandas["duration"].sum() == as_polars["duration"].sum() == by_duckdb[1] == total


def test_only_the_requested_tables(sightline, trace):
    assert set(sightline.open(trace("classic", "run/worker0.1"), tables=["steps", "lanes"])) == {"steps", "lanes"}


def test_find_and_choose_among_several(sightline, trace, tmp_path):
    trace("classic", "a/worker0.1")
    trace("two_gpus", "b/rank0.7")
    trace("nccl", "b/rank1.7")
    found = sightline.find(tmp_path / "logs")
    assert [(one["run"], one["worker"], one["span"]) for one in found] == [("a", "worker0", "1"), ("b", "rank0", "1"), ("b", "rank1", "1")]
    one = found[2]
    chosen = sightline.open(tmp_path / "logs", **{key: one[key] for key in ("run", "worker", "span")})
    alone = sightline.open(tmp_path / "logs" / one["file"])
    assert chosen["slices"].equals(alone["slices"]) and chosen["collectives"].num_rows > 0
    with pytest.warns(UserWarning, match="of 3 profiles"):
        sightline.open(tmp_path / "logs")


def test_a_report_is_the_programs_with_every_row(sightline, tmp_path):
    """A table that the page gets in parts (more than 10,000 rows) is complete here."""
    rows = 12_000
    events = [{"ph": "X", "cat": "cpu_op", "name": f"op{i}", "pid": 1, "tid": 1, "ts": 20 * i, "dur": 10} for i in range(rows)]
    file = tmp_path / "w.pt.trace.json"
    file.write_text(json.dumps({"schemaVersion": 1, "traceEvents": events}))
    profile = sightline.open(file)
    table = profile.report("operators", group_by="name")["operators"]
    assert table.num_rows == rows and table["host_total"].type == pa.int64()
    assert table.schema.field("host_total").metadata[b"unit"] == b"ns"
    assert sum(table["host_total"].to_pylist()) == rows * 10_000  # each op lasts 10 us
    assert profile.query("SELECT * FROM slices").num_rows == rows


def test_unknown_is_null(sightline, trace):
    profile = sightline.open(trace("cpu_only", "run/worker0.1"))
    answer = profile.query("SELECT NULL AS unknown, 1.5 AS number_ns")
    assert answer["unknown"].to_pylist() == [None] and answer["number_ns"].to_pylist() == [1.5]


def test_a_partial_answer_says_so(sightline, trace):
    whole = trace("two_gpus", "run/worker0.1")
    torn = whole.with_name("torn.1.pt.trace.json")
    torn.write_bytes(whole.read_bytes()[:-300])
    with pytest.warns(UserWarning, match="torn.1.pt.trace.json: 1 problem"):
        assert 0 < sightline.open(torn)["slices"].num_rows


def test_errors_are_the_programs(sightline, trace, tmp_path):
    with pytest.raises(sightline.Error, match="missing"):
        sightline.open(tmp_path / "missing")
    torn = tmp_path / "torn.pt.trace.json"
    torn.write_text("{")
    with pytest.raises(sightline.Error, match="torn.pt.trace.json"):
        sightline.open(torn)
    profile = sightline.open(trace("classic", "run/worker0.1"))
    with pytest.raises(sightline.Error, match="line 1, column"):
        profile.query("SELECT nothing_of_this_name FROM slices")
    with pytest.raises(sightline.Error, match="no_such_view"):
        profile.report("no_such_view")


def test_a_name_that_begins_with_a_dash_is_not_an_option(sightline, trace, tmp_path, monkeypatch):
    (tmp_path / "-x.pt.trace.json").write_bytes(trace("classic", "run/worker0.1").read_bytes())
    monkeypatch.chdir(tmp_path)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert sightline.open("-x.pt.trace.json")["slices"].num_rows > 0
