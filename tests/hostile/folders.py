"""Hostile folders of tables: Ascend's CSV, JSON and databases, Neuron's JSON, and the log of Neuron's TensorBoard plugin."""
import csv
import io
import json
import os
import pathlib
import sqlite3
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))

import ascend_export
import neuron_log
from cases import Case, damaged, file_case
from traces import VALUES

FOLDER = "host_1_20250109_ascend_pt"
CELLS = {"nothing": "", "text": "abc", "NaN": "nan", "infinity": "inf", "negative": "-5", "1e308": "1e308", "2^63": "9223372036854775808",
         "many digits": "1" * 10_000, "a comma": "1,5", "a quote": '"', "a NUL": "\0", "a line end": "1\n2", "not UTF-8": "\udcff", "N/A": "N/A"}


def ascend_case(name, change, tells="any", database=False, **more):
    """The export of a small run after `change(its output folder)`."""
    sound = sound_database if database else sound_text

    def write(folder):
        change(sound(folder) / FOLDER / "ASCEND_PROFILER_OUTPUT")
        return folder

    return Case(name, write, tells, sound=sound, **more)


def sound_text(folder):
    ascend_export.SMALL_RUN.write_text(made(folder / FOLDER))
    return folder


def sound_database(folder):
    ascend_export.SMALL_RUN.write_database(made(folder / FOLDER))
    return folder


def made(folder):
    folder.mkdir()
    return folder


def rewritten(name, change):
    """Changes the bytes of one file of the folder."""

    def apply(folder):
        path = folder / name
        path.write_bytes(change(path.read_bytes()))

    return apply


def with_cell(row, column, value):
    def change(data):
        rows = list(csv.reader(io.StringIO(data.decode())))
        rows[row][column] = value
        out = io.StringIO()
        csv.writer(out, lineterminator="\n").writerows(rows)
        return out.getvalue().encode("utf8", "surrogateescape")

    return change


def csv_cases():
    for table, columns in (("kernel_details", 6), ("operator_memory", 6), ("memory_record", 5), ("step_trace_time", 5)):
        for column in range(columns):
            for what, value in CELLS.items():
                name = f"Ascend {table}, column {column}: {what}"
                yield ascend_case(name, rewritten(f"{table}.csv", with_cell(1, column, value)))
                if what in ("nothing", "text", "a NUL", "not UTF-8"):
                    yield ascend_case(f"{name}, in the head", rewritten(f"{table}.csv", with_cell(0, column, value)))
        for name, data in damaged(f"Ascend {table}", b"x" * 100):
            def cut(whole, name=name):
                return dict(damaged(name.partition(":")[0], whole))[name]
            yield ascend_case(name, rewritten(f"{table}.csv", cut))
        for what, data in (("one line of 10 MB", b"a," * 5_000_000), ("a million lines", b"Name\n" * 1_000_000), ("a million columns", b"," * 1_000_000 + b"\n")):
            yield ascend_case(f"Ascend {table}: {what}", rewritten(f"{table}.csv", lambda whole, data=data: data))


def json_cases():
    for table in ("trace_view.json", "communication.json", "../profiler_info_0.json"):
        for what, value in VALUES.items():
            data = f'[{{"ph":"X","name":"a","pid":1,"tid":1,"ts":{value},"dur":1}}]' if table == "trace_view.json" else f'{{"step3":{value},"rank_id":{value}}}'
            yield ascend_case(f"Ascend {table}: {what}", lambda folder, table=table, data=data: (folder / table).write_text(data))
        for what, data in (("nothing", ""), ("nested deep", "[" * 100_000), ("an open brace", "{"), ("an array", "[]"), ("null", "null")):
            yield ascend_case(f"Ascend {table} is {what}", lambda folder, table=table, data=data: (folder / table).write_text(data))


def database_cases():
    def changed(*statements):
        def apply(folder):
            with sqlite3.connect(folder / "ascend_pytorch_profiler_0.db", isolation_level=None) as file:
                for statement in statements:
                    file.execute(statement)
            file.close()

        return apply

    view = "alter table {0} rename to {0}_kept"
    statements = {
        "a view without end": (view.format("TASK"), "create view TASK as with recursive r(x) as (select 1 union all select x + 1 from r) "
                               "select TASK_kept.* from r, TASK_kept"),
        "a view of many joins": (view.format("STRING_IDS"), "create view STRING_IDS as select a.* from STRING_IDS_kept a, STRING_IDS_kept b, "
                                 "STRING_IDS_kept c, STRING_IDS_kept d, STRING_IDS_kept e, STRING_IDS_kept f"),
        "a view of large texts": (view.format("STRING_IDS"), "create view STRING_IDS as select id, replace(hex(zeroblob(100000000)), '0', 'ab') as value "
                                  "from STRING_IDS_kept"),
        "a view of itself": ("drop table TASK", "create view TASK as select * from TASK"),
        "a trigger": ("create trigger t after insert on TASK begin delete from TASK; end",),
        "a virtual column that fails": ("alter table TASK add column z generated always as (1 / 0)",),
        "a page of another table": ("pragma writable_schema = on", "update sqlite_master set rootpage = 3 where name in ('TASK', 'STRING_IDS')"),
        "a page that is not there": ("pragma writable_schema = on", "update sqlite_master set rootpage = 99999 where name = 'TASK'"),
        "the first page as a table": ("pragma writable_schema = on", "update sqlite_master set rootpage = 1 where name = 'TASK'"),
        "a schema that is not SQL": ("pragma writable_schema = on", "update sqlite_master set sql = 'create table TASK(a' where name = 'TASK'"),
        "texts that are not UTF-8": ("update STRING_IDS set value = cast(x'61003c62ff' as text)",),
        "a text of 100 MB": ("update STRING_IDS set value = hex(zeroblob(50000000)) where rowid = 1",),
        "a log beside it": ("pragma journal_mode = wal",),
        "no texts": ("delete from STRING_IDS",),
        "texts twice": ("insert into STRING_IDS select * from STRING_IDS",),
    }
    for name, steps in statements.items():
        large = name in ("a view without end", "a view of many joins", "a view of large texts", "a text of 100 MB")
        yield ascend_case(f"Ascend database: {name}", changed(*steps), database=True, large=large, size=100 << 20 if "100" in name else None)
    for table, columns in columns_of(ascend_export.SMALL_RUN).items():
        yield ascend_case(f"Ascend database: {table} dropped", changed(f"drop table {table}"), database=True)
        yield ascend_case(f"Ascend database: {table} empty", changed(f"delete from {table}"), database=True)
        yield ascend_case(f"Ascend database: rows of {table} twice", changed(f"insert into {table} select * from {table}"), database=True)
        for column in columns:
            for what, value in (("null", "null"), ("text", "'abc'"), ("bytes", "zeroblob(100)"), ("real", "1e308"), ("largest", "9223372036854775807"),
                                ("least", "-9223372036854775808"), ("negative", "-1")):
                yield ascend_case(f"Ascend database: {table}.{column} is {what}", changed(f"update {table} set {column} = {value}"), database=True)
            yield ascend_case(f"Ascend database: no {table}.{column}", changed(f"alter table {table} rename column {column} to other_{column}"), database=True)
    for name, _ in damaged("Ascend database", b"x" * 100):
        def cut(whole, name=name):
            return dict(damaged("Ascend database", whole))[name]
        yield ascend_case(name, rewritten("ascend_pytorch_profiler_0.db", cut), "told", database=True)
    for place in range(0, 100, 2):
        def flip(whole, place=place):
            at = len(whole) * place // 100
            return whole[:at] + bytes(byte ^ 0xFF for byte in whole[at:at + 16]) + whole[at + 16:]
        yield ascend_case(f"Ascend database: 16 bytes changed at {place} %", rewritten("ascend_pytorch_profiler_0.db", flip), database=True)


def columns_of(run):
    import tempfile
    with tempfile.TemporaryDirectory() as folder:
        run.write_database(pathlib.Path(folder))
        with sqlite3.connect(pathlib.Path(folder) / "ASCEND_PROFILER_OUTPUT" / "ascend_pytorch_profiler_0.db") as file:
            tables = [row[0] for row in file.execute("select name from sqlite_master where type = 'table'")]
            found = {table: [row[1] for row in file.execute(f"pragma table_info({table})")] for table in tables}
        file.close()
    return found


def log_cases():
    def sound(folder):
        return neuron_log.network().write(folder / "logs")

    def log_case(name, change, tells="any"):
        def write(folder):
            change(sound(folder))
            return folder / "logs"

        return Case(name, write, tells, sound=sound)

    for file in ("neuron_hlo_op.json", "neuron_framework_op.json", "neuron_op_timeline_split.json"):
        for what, value in VALUES.items():
            data = f'{{"ops":[{{"name":{value},"occurrences":{value},"time_ns":{value},"neuron_core":{value}}}],"total_time":{value},' \
                   f'"neuronStartTimestampNs":{value},"traceEvents":[{{"ph":"X","name":"a","pid":1,"tid":1,"ts":{value},"dur":{value}}}]}}'
            yield log_case(f"Neuron log {file}: {what}", lambda folder, file=file, data=data: (folder / file).write_text(data))
        for name, _ in damaged(f"Neuron log {file}", b"x" * 100):
            def cut(folder, file=file, name=name):
                whole = (folder / file).read_bytes()
                (folder / file).write_bytes(dict(damaged(f"Neuron log {file}", whole))[name])
            yield log_case(name, cut)


NEURON_TABLES = {"instruction": {"timestamp": "1", "duration": "1", "label": '"Tensor"', "opcode": '"MATMUL"', "id": "1", "elements": "4"},
                 "dma": {"timestamp": "1", "duration": "1", "transfer_size": "64", "dma_queue": '"1"', "dma_engine": '"0"', "id": "1", "aggregated": '"no"'},
                 "nc_mem_usage": {"usage_type": '"weights"', "amount_bytes": "64"}}


def neuron_json_cases():
    for table, row in NEURON_TABLES.items():
        for key in row:
            for what, value in VALUES.items():
                members = ",".join(f'"{name}":{text}' for name, text in {**row, key: value}.items())
                yield file_case(f"Neuron JSON {table}.{key}: {what}", ".json", f'{{"neff_header":[{{}}],"{table}":[{{{members}}}]}}'.encode(), "any")
    for what, data in (("nothing", ""), ("nested deep", "[" * 100_000), ("an open brace", "{"), ("null", "null")):
        yield file_case(f"Neuron JSON instruction is {what}", ".json", f'{{"neff_header":[{{}}],"instruction":{data}'.encode(), "told")


def special_cases():
    """Things that are not ordinary files."""

    def case(name, write, tells="told"):
        return Case(f"special: {name}", write, tells)

    def folder_named(folder):
        (folder / "x.pt.trace.json").mkdir()
        return folder

    def link(target):
        def write(folder):
            (folder / "x.pt.trace.json").symlink_to(target)
            return folder

        return write

    def pipe(folder):
        os.mkfifo(folder / "x.pt.trace.json")
        return folder

    def loop(folder):
        (folder / "a").symlink_to(folder)
        return folder

    def deep(folder):
        (folder / "/".join(["d"] * 300)).mkdir(parents=True)
        return folder

    yield case("a folder that is named as a file", folder_named)
    yield case("a link to itself", link("x.pt.trace.json"))
    yield case("a link to nothing", link("nowhere"))
    yield case("a link to zeros without end", link("/dev/zero"))
    yield case("a link to random bytes without end", link("/dev/urandom"))
    yield case("a link to a process's memory", link("/proc/self/mem"))
    yield case("a pipe", pipe)
    yield case("a loop of folders", loop)
    yield case("folders nested deep", deep)
    yield case("nothing there", lambda folder: folder / "nowhere")
    yield case("zeros without end, by name", lambda folder: "/dev/zero")
    yield case("random bytes without end, by name", lambda folder: "/dev/urandom")
    yield case("a pipe, by name", lambda folder: pipe(folder) / "x.pt.trace.json")


def all_cases():
    yield from csv_cases()
    yield from json_cases()
    yield from database_cases()
    yield from log_cases()
    yield from neuron_json_cases()
    yield from special_cases()
