"""Ascend profiles as people have them: half of the files, damaged ones, both exports, names of all kinds. Through the command line."""
import csv
import gzip
import json
import pathlib
import shutil
import sqlite3

import pytest

from ascend_export import SMALL_RUN as RUN
from program import needs_program, sightline

pytestmark = needs_program

VIEWS = ("overview", "operators", "kernels", "memory", "problems")


@pytest.fixture
def text(tmp_path):
    folder = tmp_path / "host_rank0_20260101_ascend_pt"
    RUN.write_text(folder)
    return folder / "ASCEND_PROFILER_OUTPUT"


@pytest.fixture
def database(tmp_path):
    folder = tmp_path / "host_rank0_20260101_ascend_pt"
    RUN.write_database(folder)
    return folder / "ASCEND_PROFILER_OUTPUT" / "ascend_pytorch_profiler_0.db"


def report(path, view):
    done = sightline("report", path, "--view", view, "--format", "json", "--no-cache")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def problems(path):
    table = report(path, "problems")["tables"]["problems"]
    columns = {column["key"]: column["values"] for column in table["columns"]}
    return [(code, message) for code, message in zip(columns["code"], columns["message"]) if code != "missing_file"]


def operators(path):
    columns = {column["key"]: column["values"] for column in report(path, "operators")["tables"]["operators"]["columns"]}
    return dict(zip(columns["name"], columns["calls"]))


@pytest.mark.parametrize("spelling", ("mark", "returns", "mark and returns", "tabs", "quotes"))
def test_spellings_of_tables(text, spelling):
    expected = [report(text, view) for view in VIEWS]
    for file in text.glob("*.csv"):
        plain = file.read_text()
        if spelling == "quotes":
            with open(file, "w", newline="") as out:
                csv.writer(out, quoting=csv.QUOTE_ALL).writerows(csv.reader(plain.splitlines()))
            continue
        if "returns" in spelling:
            plain = plain.replace("\n", "\r\n")
        if spelling == "tabs":
            plain = plain.replace(",", "\t,")
        file.write_bytes((b"\xef\xbb\xbf" if "mark" in spelling else b"") + plain.encode())
    if "mark" in spelling:
        trace = text / "trace_view.json"
        trace.write_bytes(b"\xef\xbb\xbf" + trace.read_bytes())
    assert [report(text, view) for view in VIEWS] == expected


def test_compressed_files_are_read_as_they_are(text):
    expected = [report(text, view) for view in VIEWS]
    for name in ("trace_view.json", "kernel_details.csv", "operator_memory.csv"):
        (text / f"{name}.gz").write_bytes(gzip.compress((text / name).read_bytes()))
        (text / name).unlink()
    assert [report(text, view) for view in VIEWS] == expected


@pytest.mark.parametrize("name", ("trace_view.json", "kernel_details.csv", "operator_memory.csv", "memory_record.csv", "step_trace_time.csv"))
def test_an_empty_file_is_named(text, name):
    (text / name).write_bytes(b"")
    ((code, message),) = problems(text)
    assert code == "unreadable_file" and f"{name}:0: the file " in message


def test_tables_without_their_columns_say_which(text):
    for name in ("kernel_details.csv", "operator_memory.csv", "memory_record.csv"):
        (text / name).write_text("Name,Color\nlinear,green\n")
    found = [message for code, message in problems(text) if code == "missing_column"]
    assert sorted(found) == [
        "kernel_details.csv: there is no column 'Start Time(us)' or 'Task Start Time(us)' or 'Start Time'; its rows say nothing",
        "memory_record.csv: there is no column 'Timestamp(us)'; its rows say nothing",
        "operator_memory.csv: there is no column 'Size(KB)' or 'Size(MB)'; its rows say nothing",
    ]


def test_tables_of_a_header_only_are_tables_without_rows(text):
    for file in text.glob("*.csv"):
        file.write_text(file.read_text().split("\n")[0] + "\n")
    assert problems(text) == [] and operators(text) == {"forward": 1, "linear": 1}


def test_times_that_a_spreadsheet_has_rounded(text):
    table = text / "kernel_details.csv"
    table.write_text(table.read_text().replace("1736408883700140.003", "1.73641E+15"))
    assert [code for code, _ in problems(text)] == ["rounded_time", "unusable_row"]


def test_a_trace_that_was_cut_short(text):
    trace = text / "trace_view.json"
    events = json.loads(trace.read_text())
    kept = [event for event in events if event["ph"] == "M" or event.get("cat") == "cpu_op"]
    rest = [event for event in events if event not in kept]
    whole = json.dumps(kept + rest)
    trace.write_text(whole[: len(json.dumps(kept)) + 20])
    codes = dict(problems(text))
    assert "everything before it was read" in codes["truncated"] and "the trace does not hold" in codes["unmatched_kernel"]
    assert operators(text) == {"forward": 1, "linear": 1}


def test_without_a_trace_the_table_of_kernels_is_read_once(text):
    (text / "trace_view.json").unlink()
    table = text / "kernel_details.csv"
    table.write_text(table.read_text() + "NoTime,Cast,AI_CORE,N/A,1,8\nNoLength,Cast,AI_CORE,1736408883700150.500\t,N/A,8\n")
    found = dict(problems(text))
    assert "says not how long it ran" in found["unmatched_kernel"] and "lacks what places it" in found["unusable_row"]
    table.write_bytes(b"")
    assert [message for code, message in problems(text) if code == "unreadable_file"] == [
        f"{table}:0: the file has no header; what it says of kernels is missing"
    ]


def test_both_exports_in_one_folder(text):
    before = operators(text)
    RUN.write_database(text.parent)
    (note,) = problems(text)
    assert note[0] == "two_exports" and "the text was read" in note[1] and operators(text) == before


def test_a_log_beside_a_database_is_read_and_left_alone(database):
    writer = sqlite3.connect(database)
    writer.execute("PRAGMA journal_mode = WAL")
    writer.execute("PRAGMA wal_autocheckpoint = 0")
    writer.execute("UPDATE STRING_IDS SET value = 'renamed' WHERE value = 'linear'")
    writer.commit()
    files = {file: file.read_bytes() for file in database.parent.iterdir()}
    assert any(file.name.endswith("-wal") and content for file, content in files.items())
    assert operators(database.parent) == {"forward": 1, "renamed": 1}
    assert {file: file.read_bytes() for file in database.parent.iterdir()} == files
    copy = shutil.copytree(database.parent, database.parents[1] / "copy" / "ASCEND_PROFILER_OUTPUT")
    next(copy.glob("*-shm")).unlink()
    assert operators(copy) == {"forward": 1, "renamed": 1} and not list(copy.glob("*-shm"))
    writer.close()


def test_a_journal_beside_a_database(database):
    pathlib.Path(f"{database}-journal").write_bytes(b"unfinished")
    ((code, message),) = problems(database.parent)
    assert code == "unfinished_database" and "its writer was cut off" in message


def test_a_database_that_was_cut_short_is_read_as_far_as_it_goes(database):
    with sqlite3.connect(database) as file:
        file.execute("CREATE TABLE TASK_PMU_INFO (globalTaskId, name, value)")
        file.executemany("INSERT INTO TASK_PMU_INFO VALUES (?, ?, ?)", [(1000 + i, 0, i / 7) for i in range(20_000)])
    file.close()
    whole = database.read_bytes()
    database.write_bytes(whole[: len(whole) * 3 // 4])
    assert [code for code, _ in problems(database.parent)] == ["damaged_database"]
    assert operators(database.parent) == {"forward": 1, "linear": 1}


@pytest.mark.parametrize("exported", ("text", "database"))
def test_all_tables_are_the_same_with_one_thread_and_with_several(exported, request, tmp_path):
    path = request.getfixturevalue(exported)
    if exported == "text":
        table = path / "kernel_details.csv"
        title, *rows = table.read_text().splitlines()
        table.write_text("\n".join([title + ",ratio,kind", *(f"{row},0.{i},k{i % 2}" for i, row in enumerate(rows))]))
    else:
        with sqlite3.connect(path) as file:
            file.execute("CREATE TABLE TASK_PMU_INFO AS SELECT globalTaskId, 'ratio' AS name, globalTaskId / 7.0 AS value FROM TASK")
        file.close()

    def tables(threads):
        folder = tmp_path / f"by {threads}"
        done = sightline("export", path, "--format", "csv", "-o", folder, "--threads", str(threads), "--no-cache")
        assert done.returncode == 0, done.stderr
        return {file.name: file.read_text() for file in folder.iterdir()}

    alone = tables(1)
    assert len(alone["work_facts.csv"].splitlines()) > 1 and len(alone["operators.csv"].splitlines()) > 2
    assert tables(2) == alone == tables(3)


@pytest.mark.parametrize("others, expected", (([], "5"), ([6], "")))
def test_a_device_that_is_not_stated_is_the_only_one_or_unknown(database, others, expected):
    with sqlite3.connect(database) as file:
        file.execute("DROP TABLE IF EXISTS RANK_DEVICE_MAP")
        file.execute("UPDATE TASK SET deviceId = 5")
        for other in others:
            file.execute("UPDATE TASK SET deviceId = ? WHERE globalTaskId = (SELECT MAX(globalTaskId) FROM TASK)", [other])
        file.execute("UPDATE TASK SET deviceId = NULL WHERE globalTaskId = (SELECT MIN(globalTaskId) FROM TASK)")
    file.close()
    done = sightline("query", database, "SELECT name, device FROM kernels ORDER BY name", "--format", "csv", "--no-cache")
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["name,device", "Cast,5", f"MatMul,{expected}"]


def test_a_view_in_a_tables_place_is_not_run(database):
    with sqlite3.connect(database) as file:
        file.execute("ALTER TABLE STRING_IDS RENAME TO HELD")
        endless = "WITH RECURSIVE t(id, value) AS (SELECT 1, 'a' UNION ALL SELECT id + 1, 'a' FROM t) SELECT id, value FROM t"
        file.execute(f"CREATE VIEW STRING_IDS AS {endless}")
    file.close()
    ((code, message),) = problems(database.parent)
    assert code == "damaged_database" and "STRING_IDS is a view" in message


@pytest.mark.parametrize("content", (b"", b"no database at all" * 100))
def test_what_is_no_database(database, content):
    database.write_bytes(content)
    ((code, message),) = problems(database.parent)
    assert code == "unreadable_file" and message.startswith(f"{database}:0: ")


def test_names_of_folders(text, tmp_path):
    job = tmp_path / "job"
    for name in ("rank0_ascend_pt", "w_123_ascend_ms", "bare"):
        shutil.copytree(text, job / name / "ASCEND_PROFILER_OUTPUT")
    tool = shutil.copytree(text, job / "PROF_000001_ABC" / "mindstudio_profiler_output")
    (tool / "trace_view.json").rename(tool / "msprof_20260101.json")
    (tool / "kernel_details.csv").rename(tool / "op_summary_20260101.csv")
    done = sightline("info", job, "--format", "json", "--no-cache")
    (run,) = json.loads(done.stdout)["runs"]
    found = {worker["name"]: worker["spans"][0] for worker in run["workers"]}
    assert set(found) == {"rank0", "w", "bare", "PROF_000001_ABC"}
    assert {span["status"] for span in found.values()} == {"ready"} and len({span["events"] for span in found.values()}) == 1
    done = sightline("info", job / "bare" / "ASCEND_PROFILER_OUTPUT", "--format", "json", "--no-cache")
    assert json.loads(done.stdout)["runs"][0]["workers"][0]["name"] == "bare"


@pytest.mark.parametrize("name", ("host_rank0_20260101_ascend_pt", "PROF_000001_ABC"))
def test_raw_data_says_what_to_do(tmp_path, name):
    folder = tmp_path / "job" / name
    (folder / "device_0" / "data").mkdir(parents=True)
    (folder / "profiler_info_0.json").write_text("{}")
    for path in (folder, folder.parent):
        done = sightline("report", path, "--view", "overview", "--no-cache")
        assert done.returncode == 1 and "no analysis of it yet" in done.stderr and "analyse(" in done.stderr


def test_an_empty_folder(tmp_path):
    folder = tmp_path / "w_1_ascend_pt"
    (folder / "ASCEND_PROFILER_OUTPUT").mkdir(parents=True)
    done = sightline("report", folder, "--view", "overview", "--no-cache")
    assert done.returncode == 1 and done.stderr == f"sightline: {folder}: there is no file of an Ascend profile in it\n"
