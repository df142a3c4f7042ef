"""Ascend profiles as users have them: incomplete, damaged, with both exports, with names of all kinds. Through the command
line."""
import csv
import dataclasses
import gzip
import json
import pathlib
import shutil
import sqlite3

import pytest

from ascend_export import GROUP, Collective, Task
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


def test_compressed_files_are_read(text):
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
        "kernel_details.csv: there is no column 'Start Time(us)' or 'Task Start Time(us)' or 'Start Time'; its rows cannot be used",
        "memory_record.csv: there is no column 'Timestamp(us)'; its rows cannot be used",
        "operator_memory.csv: there is no column 'Size(KB)' or 'Size(MB)'; its rows cannot be used",
    ]


def test_tables_of_a_header_only_are_tables_without_rows(text):
    for file in text.glob("*.csv"):
        file.write_text(file.read_text().split("\n")[0] + "\n")
    assert problems(text) == [] and operators(text) == {"forward": 1, "linear": 1}


def test_times_that_a_spreadsheet_has_rounded(text):
    table = text / "kernel_details.csv"
    table.write_text(table.read_text().replace("1736408883700140.003", "1.73641E+15"))
    assert [code for code, _ in problems(text)] == ["rounded_time", "unusable_row"]


def test_a_truncated_trace(text):
    trace = text / "trace_view.json"
    events = json.loads(trace.read_text())
    kept = [event for event in events if event["ph"] == "M" or event.get("cat") == "cpu_op"]
    rest = [event for event in events if event not in kept]
    whole = json.dumps(kept + rest)
    trace.write_text(whole[: len(json.dumps(kept)) + 20])
    codes = dict(problems(text))
    assert "everything before it was read" in codes["truncated"] and "is not in the trace" in codes["unmatched_kernel"]
    assert operators(text) == {"forward": 1, "linear": 1}


def test_without_a_trace_the_table_of_kernels_is_read_once(text):
    (text / "trace_view.json").unlink()
    table = text / "kernel_details.csv"
    table.write_text(table.read_text() + "NoTime,Cast,AI_CORE,N/A,1,8\nNoLength,Cast,AI_CORE,1736408883700150.500\t,N/A,8\n")
    found = dict(problems(text))
    assert "has no duration" in found["unmatched_kernel"] and "a row without a time" in found["unusable_row"]
    table.write_bytes(b"")
    assert [message for code, message in problems(text) if code == "unreadable_file"] == [
        f"{table}:0: the file has no header; its data about kernels is missing"
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
    assert code == "unfinished_database" and "its writer was interrupted" in message


def test_a_truncated_database_is_read_as_far_as_possible(database):
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
def test_a_missing_device_is_the_only_one_or_unknown(database, others, expected):
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


def test_a_view_in_place_of_a_table_is_not_run(database):
    with sqlite3.connect(database) as file:
        file.execute("ALTER TABLE STRING_IDS RENAME TO HELD")
        endless = "WITH RECURSIVE t(id, value) AS (SELECT 1, 'a' UNION ALL SELECT id + 1, 'a' FROM t) SELECT id, value FROM t"
        file.execute(f"CREATE VIEW STRING_IDS AS {endless}")
    file.close()
    ((code, message),) = problems(database.parent)
    assert code == "damaged_database" and "STRING_IDS is a view" in message


@pytest.mark.parametrize("content", (b"", b"no database at all" * 100))
def test_a_file_that_is_not_a_database(database, content):
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
        assert done.returncode == 1 and "not analysed yet" in done.stderr and "analyse(" in done.stderr


def test_an_empty_folder(tmp_path):
    folder = tmp_path / "w_1_ascend_pt"
    (folder / "ASCEND_PROFILER_OUTPUT").mkdir(parents=True)
    done = sightline("report", folder, "--view", "overview", "--no-cache")
    assert done.returncode == 1 and done.stderr == f"sightline: {folder}: it contains no file of an Ascend profile\n"


def info(path):
    done = sightline("info", path, "--format", "json", "--no-cache")
    assert done.returncode == 0, done.stderr
    return {(worker["name"], span["name"]) for run in json.loads(done.stdout)["runs"] for worker in run["workers"]
            for span in worker["spans"]}


@pytest.fixture
def four_ranks(tmp_path):
    """Four ranks in two groups of two, in folders whose names have the rank; no file lists the groups' members."""
    job = tmp_path / "job"
    for rank in range(4):
        collective = Collective(8, 0.01, 0.02, {"HCCS": (1.0, 0.02)}, {(rank // 2, 1 - rank // 2): ("HCCS", 1.0 + rank, 0.02)})
        run = dataclasses.replace(RUN, rank=rank, tasks=[*RUN.tasks, Task("hcom_allReduce__1_0_1", "HCCL", 200_000, 30_000,
                                                                          collective=collective)])
        folder = job / f"rank_{rank}_ascend_pt"
        run.write_text(folder)
        (folder / "profiler_metadata.json").write_text(json.dumps({"world_size": 4}))
        for file in (folder / "ASCEND_PROFILER_OUTPUT").glob("communication*.json"):
            file.write_text(file.read_text().replace(f"@{GROUP}", f"@group{rank % 2}"))
    return job


def test_the_rank_in_a_folder_is_a_worker(four_ranks):
    assert info(four_ranks) == {(f"rank_{rank}", "default") for rank in range(4)}
    seen = report(four_ranks, "distributed")
    assert not [note for note in seen["notes"] if "one worker" in note["text"]]
    facts = {fact["label"]: fact["value"] for panel in seen["panels"] for fact in panel.get("facts", [])}
    assert facts["Workers"] == "4 of 4"


def test_ranks_with_the_same_worker_name_are_separate_workers(tmp_path):
    for rank in (0, 1):
        for start in (1, 2):
            dataclasses.replace(RUN, rank=rank).write_text(tmp_path / "job" / f"w_2026010108000{start}00{rank}_ascend_pt")
    assert info(tmp_path / "job") == {(f"w rank {rank}", span) for rank in (0, 1) for span in ("1", "2")}


def test_links_name_ranks_of_the_job(four_ranks):
    columns = {column["key"]: column["values"] for column in report(four_ranks, "distributed")["tables"]["routes"]["columns"]}
    assert sorted(zip(columns["group"], columns["from"], columns["to"], columns["bytes"])) == [
        ("the job", 0, 2, 1_000_000), ("the job", 1, 3, 2_000_000), ("the job", 2, 0, 3_000_000), ("the job", 3, 1, 4_000_000)]


@pytest.mark.parametrize("metadata", ({"world_size": 8}, {"world_size": "8"}, {"distributed_args": {"world_size": 8}}))
def test_the_size_of_the_job(text, metadata):
    (text.parent / "profiler_metadata.json").write_text(json.dumps(metadata))
    facts = {fact["label"]: fact["value"] for panel in report(text, "overview")["panels"] for fact in panel.get("facts", [])}
    assert facts["World size"] == 8


@pytest.mark.parametrize("with_trace", (True, False))
def test_steps_from_the_table_of_kernels(text, with_trace):
    table, trace = text / "kernel_details.csv", text / "trace_view.json"
    title, *rows = table.read_text().splitlines()
    table.write_text("\n".join([f"Step Id,{title}", *(f"13,{row}" for row in rows)]))
    trace.write_text(json.dumps([event for event in json.loads(trace.read_text()) if "ProfilerStep" not in event["name"]]))
    if not with_trace:
        trace.unlink()
    seen = report(text, "overview")
    assert "step 13" in seen["scope"]
    columns = {column["key"]: column["values"] for column in seen["tables"]["steps"]["columns"]}
    # From the first kernel's start to the last one's end.
    assert columns["step"] == [13] and columns["total"] == [150_000 + 2_001 - 140_003]
    assert [code for code, _ in problems(text)] == ["no_step_marks"]


def test_steps_from_a_table_of_a_database(database):
    with sqlite3.connect(database) as file:
        (begin,), = file.execute("SELECT MIN(CAST(startNs AS INTEGER)) FROM PYTORCH_API")
        file.execute("DELETE FROM PYTORCH_API WHERE name = (SELECT id FROM STRING_IDS WHERE value = 'ProfilerStep#3')")
        file.execute("CREATE TABLE STEP_TIME (id, startNs, endNs)")
        file.execute("INSERT INTO STEP_TIME VALUES (9, ?, ?)", (begin, begin + 350_000))
    file.close()
    assert "step 9" in report(database, "overview")["scope"]


def change(database, *statements):
    with sqlite3.connect(database) as file:
        for statement in statements:
            file.execute(statement)
    file.close()


def kernels(path):
    columns = {column["key"]: column["values"] for column in report(path, "kernels")["tables"]["kernels"]["columns"]}
    return dict(zip(columns["name"], columns["calls"]))


def test_a_database_without_its_texts_is_reported(database):
    change(database, "DROP TABLE STRING_IDS")
    ((code, message),) = problems(database)
    assert code == "missing_rows" and message.startswith("STRING_IDS is not in the database: ")
    named = kernels(database)
    assert len(named) == 2 and all(name.startswith("name ") and calls == 1 for name, calls in named.items())


def test_a_database_without_a_text_is_reported(database):
    change(database, "DELETE FROM STRING_IDS WHERE value = 'MatMul'")
    ((code, message),) = problems(database)
    assert code == "missing_rows" and message.startswith("STRING_IDS lacks rows: ")
    assert sorted(kernels(database).values()) == [1, 1]


@pytest.mark.parametrize("statement, words", (("DROP TABLE TASK", "TASK is not in the database"), (
    "DELETE FROM TASK WHERE globalTaskId = 0", "TASK lacks rows")))
def test_a_database_without_its_tasks_is_reported(database, statement, words):
    change(database, statement)
    ((code, message),) = problems(database)
    assert code == "missing_rows" and message.startswith(f"{words}: when kernels of COMPUTE_TASK_INFO ran is not known")


def test_a_database_without_its_kernels_is_reported(database):
    change(database, "DROP TABLE COMPUTE_TASK_INFO")
    ((code, message),) = problems(database)
    assert code == "missing_rows" and message.startswith("COMPUTE_TASK_INFO is not in the database: ")


def test_duplicate_rows_count_once(database):
    whole = [report(database, view) for view in VIEWS[:-1]]
    change(database, *["INSERT INTO TASK SELECT * FROM TASK"] * 2)
    ((code, message),) = problems(database)
    assert code == "repeated_rows" and "it is counted once" in message
    assert [report(database, view) for view in VIEWS[:-1]] == whole


@pytest.mark.parametrize("name", ("x.db", "copy", "a.b.sqlite3"))
def test_a_database_is_read_whatever_its_name(database, tmp_path, name):
    renamed = shutil.copy(database, tmp_path / name)
    assert operators(renamed) == {"forward": 1, "linear": 1}
    sums = shutil.copy(database.parent / "analysis.db", tmp_path / f"sums of {name}")
    columns = {column["key"]: column["values"] for column in report(sums, "overview")["tables"]["step_sums"]["columns"]}
    assert "3 (stated)" in columns["step"]


def test_a_database_of_something_else_is_refused(tmp_path):
    change(tmp_path / "x.db", "CREATE TABLE t (a)")
    done = sightline("report", tmp_path / "x.db", "--view", "overview", "--no-cache")
    assert "a database without any table of an Ascend profile" in done.stdout + done.stderr
