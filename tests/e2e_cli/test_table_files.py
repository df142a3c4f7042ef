"""Tables as files: pyarrow, pandas, polars and DuckDB read the profile's content, and a file is either complete or absent."""
import csv
import json
import os
import pathlib
import re
import resource
import subprocess
import sys

import pytest

from program import PROGRAM, ROOT, environment, needs_program, sightline, trace, write_trace

duckdb = pytest.importorskip("duckdb")
pandas = pytest.importorskip("pandas")
polars = pytest.importorskip("polars")
pa = pytest.importorskip("pyarrow")
import pyarrow.ipc  # noqa: E402
import pyarrow.parquet  # noqa: E402

pytestmark = needs_program
SAMPLES = sorted((ROOT / "samples").rglob("*.json.gz"))
FIXTURES = ("two_gpus", "nccl", "odd_names", "hip_memory", "modules", "counters", "no_owner", "big_ids")
DOCUMENT = (ROOT / "docs" / "formats" / "tables.md").read_text()


def documented():
    """{table: [(column, type, unit, row of, meaning)]} from docs/formats/tables.md."""
    tables = {}
    for part in DOCUMENT.split("\n## ")[1:]:
        rows = re.findall(r"^\| `(\w+)` \| (\w+) \| (\w+) \| (\w*) \| (.*) \|$", part, re.M)
        tables[part.split("\n")[0]] = rows
    return tables


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """DIR/NAME/FORMAT/*: the fixtures and one sample, exported in every format."""
    top = tmp_path_factory.mktemp("tables")
    files = {"sample": SAMPLES[0]} if SAMPLES else {}
    for name in FIXTURES:
        files[name] = top / f"{name}.pt.trace.json"
        made = subprocess.run([sys.executable, ROOT / "tools" / "gen_trace", ROOT / "tests" / "fixtures" / f"{name}.trace", files[name]])
        assert made.returncode == 0
    for name, file in files.items():
        (top / name).mkdir()
        for kind in ("arrow", "parquet", "csv"):
            done = sightline("export", file, "--format", kind, "--output", top / name / kind)
            assert done.returncode == 0 and done.stderr == "" and done.stdout == "", done.stderr
    return top


@pytest.fixture(params=("sample", *FIXTURES))
def profile(request, folder):
    if not (folder / request.param).exists():
        pytest.skip("no samples folder")
    return folder / request.param


def opened(path):
    return pa.ipc.open_file(pa.memory_map(str(path)))


def arrow_type(name):
    return {"float32": pa.float32(), "float64": pa.float64(), "bool": pa.bool_()}.get(name) or getattr(pa, name)()


def csv_rows(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def as_csv(value):
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)


def test_the_document_is_what_the_program_prints():
    assert sightline("tables").stdout == DOCUMENT, "docs/formats/tables.md is old: build/release/sightline tables > docs/formats/tables.md"


def test_schema_is_the_documented_one(profile):
    tables = documented()
    for kind in ("arrow", "parquet", "csv"):
        assert sorted(f.stem for f in (profile / kind).iterdir()) == sorted(tables)
    for name, columns in tables.items():
        schema = opened(profile / "arrow" / f"{name}.arrow").schema
        assert schema.names == [column for column, *_ in columns]
        assert schema.metadata[b"table"] == name.encode() and schema.metadata[b"doc"] and schema.metadata[b"format"]
        for column, kind, unit, row_of, meaning in columns:
            field = schema.field(column)
            found = field.type.value_type if pa.types.is_dictionary(field.type) else field.type
            assert found == (pa.utf8() if kind == "text" else arrow_type(kind)), (name, column)
            about = {"unit": unit, "doc": meaning, **({"row_of": row_of} if row_of else {})}
            assert field.metadata == {key.encode(): value.encode() for key, value in about.items()}
        again = pyarrow.parquet.read_schema(profile / "parquet" / f"{name}.parquet")
        assert again.equals(schema) and again.metadata == schema.metadata
        assert all(again.field(n).metadata.items() >= schema.field(n).metadata.items() for n in schema.names)


def test_csv_arrow_and_parquet_hold_the_same(profile):
    for name in documented():
        table = opened(profile / "arrow" / f"{name}.arrow").read_all()
        table.validate(full=True)
        assert pyarrow.parquet.read_table(profile / "parquet" / f"{name}.parquet").equals(table)
        rows = csv_rows(profile / "csv" / f"{name}.csv")
        columns = {column: table[column].to_pylist() for column in table.column_names}
        assert len(rows) == table.num_rows
        for column, values in columns.items():
            texts = [row[column] for row in rows]
            if pa.types.is_floating(table.schema.field(column).type):
                kind = table.schema.field(column).type
                assert pa.array([float(t) if t else None for t in texts], pa.float64()).cast(kind).to_pylist() == values
            else:
                assert texts == [as_csv(value) for value in values], (name, column)


def test_pandas_polars_and_duckdb_read_them(profile):
    for name in documented():
        arrow, parquet = profile / "arrow" / f"{name}.arrow", profile / "parquet" / f"{name}.parquet"
        table = held = opened(arrow).read_all()
        for frame in (pandas.read_feather(arrow), pandas.read_parquet(parquet)):
            assert list(frame.columns) == table.column_names and len(frame) == table.num_rows
        for frame in (polars.read_ipc(arrow), polars.read_parquet(parquet)):
            assert frame.columns == table.column_names and frame.height == table.num_rows
        count = duckdb.sql(f"SELECT count(*) FROM '{parquet}'").fetchall()[0][0]
        assert count == duckdb.sql("SELECT count(*) FROM held").fetchall()[0][0] == held.num_rows


def test_duckdb_and_the_kernels_view_have_the_same_sums(folder):
    parquet = folder / "two_gpus" / "parquet"
    ours = duckdb.sql(f"""
        SELECT s.name::VARCHAR, count(*), sum(s.duration)::BIGINT FROM '{parquet}/device_work.parquet' w
        JOIN '{parquet}/slices.parquet' s ON s.id = w.slice WHERE s.kind IN ('kernel', 'collective') GROUP BY 1""").fetchall()
    report = sightline("report", folder / "two_gpus.pt.trace.json", "--view", "kernels", "--format", "csv", "--table", "kernels").stdout
    theirs = [(row["name"], int(row["calls"]), int(row["total (ns)"])) for row in csv.DictReader(report.splitlines())]
    assert ours and sorted(ours) == sorted(theirs)


def test_reading_a_mapped_file_copies_nothing(folder):
    path = folder / "two_gpus" / "arrow" / "slices.arrow"
    before = pa.total_allocated_bytes()
    table = opened(path).read_all()
    assert pa.total_allocated_bytes() == before and table.num_rows > 0


def test_facts_and_unknown_values(tmp_path):
    file = write_trace(tmp_path / "a.pt.trace.json")
    assert sightline("export", file, "--format", "arrow", "--output", tmp_path / "out", "--tables", "slices,device_work,slices").returncode == 0
    assert sorted(p.name for p in (tmp_path / "out").iterdir()) == ["device_work.arrow", "slices.arrow"]
    slices = opened(tmp_path / "out" / "slices.arrow").read_all()
    assert slices.schema.metadata[b"file"] == str(file).encode()
    assert slices.schema.metadata[b"has_python_stacks"] == b"false" and b"rank" not in slices.schema.metadata
    first = slices.slice(0, 2).to_pylist()
    assert first[0]["parent"] is None and first[1]["parent"] == 0 and first[1]["name"] == "aten::mm" and first[1]["kind"] == "op"
    assert first[1]["start"] == 5000 and first[1]["duration"] == 10000


def test_names_that_are_not_utf8_are_replaced(tmp_path):
    text = json.dumps(trace(2, "bad:\\u00")).replace("bad:\\\\u00", "bad:\xff").encode("latin-1")
    file = tmp_path / "a.pt.trace.json"
    file.write_bytes(text)
    for kind in ("arrow", "csv"):
        assert sightline("export", file, "--format", kind, "--output", tmp_path / kind).returncode == 0
    names = opened(tmp_path / "arrow" / "slices.arrow").read_all()["name"].to_pylist()
    assert "bad:\N{REPLACEMENT CHARACTER}" in names
    assert names == [row["name"] for row in csv_rows(tmp_path / "csv" / "slices.csv")]


@pytest.mark.parametrize("arguments, said", [
    (("--format", "arrow"), "--format arrow needs --output FOLDER"),
    (("--format", "arrow", "--output", "x", "--tables", "slices,none"), "no table 'none'; available: processes, devices, device_memories, lanes, slices"),
    (("--format", "csv", "--output", "x", "--start", "5"), "--start, --end and --lanes are for"),
    (("--tables", "slices"), "--tables is for"),
])
def test_wrong_usage(tmp_path, arguments, said):
    done = sightline("export", write_trace(tmp_path / "a.pt.trace.json"), *arguments)
    assert done.returncode == 2 and said in done.stderr and done.stdout == "" and done.stderr.count("\n") == 1


def test_a_place_that_cannot_be_written_is_named(tmp_path):
    file = write_trace(tmp_path / "a.pt.trace.json")
    done = sightline("export", file, "--format", "arrow", "--output", tmp_path / "no" / "such")
    assert done.returncode == 1 and f"{tmp_path}/no/such: cannot create the folder: No such file" in done.stderr
    done = sightline("export", file, "-o", tmp_path / "no" / "such")
    assert done.returncode == 1 and f"{tmp_path}/no/such: cannot be written: No such file" in done.stderr
    done = sightline("export", file, "-o", file)
    assert done.returncode == 2 and "is the profile itself" in done.stderr


@pytest.mark.parametrize("arguments", [("--format", "arrow"), ("--format", "parquet"), ("--format", "csv"), ()])
def test_a_full_disk_leaves_the_old_file(tmp_path, arguments):
    file = write_trace(tmp_path / "a.pt.trace.json", trace(3000))
    target = tmp_path / "out" / "slices.csv" if arguments else tmp_path / "out"
    given = [str(PROGRAM), "export", str(file), "--no-cache", *arguments, "-o", str(tmp_path / "out")]
    if arguments:
        target = tmp_path / "out" / f"slices.{arguments[1]}"
        target.parent.mkdir()
    target.write_text("what was there")

    def little_room():
        resource.setrlimit(resource.RLIMIT_FSIZE, (20000, 20000))

    import signal
    done = subprocess.run(given, capture_output=True, text=True, env=environment(), timeout=60,
                          preexec_fn=lambda: (signal.signal(signal.SIGXFSZ, signal.SIG_IGN), little_room()))
    assert done.returncode == 1 and "could not be written completely: File too large" in done.stderr
    assert target.read_text() == "what was there"
    left = [p for p in tmp_path.rglob("*") if p.is_file() and p not in (file, target)]
    assert left == []


def test_a_file_is_replaced_and_others_are_left_alone(tmp_path):
    file = write_trace(tmp_path / "a.pt.trace.json")
    out = tmp_path / "out"
    out.mkdir()
    (out / "notes.txt").write_text("mine")
    (out / "steps.csv").write_text("old")
    assert sightline("export", file, "--format", "csv", "--output", out).returncode == 0
    assert (out / "notes.txt").read_text() == "mine" and (out / "steps.csv").read_text().startswith("id,number,start")
    assert not [p for p in out.iterdir() if "unfinished" in p.name]


def test_a_device_file_is_written_directly(tmp_path):
    file = write_trace(tmp_path / "a.pt.trace.json")
    assert sightline("export", file, "-o", "/dev/null").returncode == 0
    assert os.path.exists("/dev/null") and not pathlib.Path("/dev/null").is_file()
