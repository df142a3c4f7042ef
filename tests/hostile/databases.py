"""Hostile databases of Nsight Systems and of ROCm's profilers: those of tests/fixtures, changed."""
import functools
import pathlib
import sqlite3
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))

from cases import Case, damaged
from sql_fixture import FIXTURES as ROOT
from sql_fixture import database, parquet_folder

FIXTURES = {"nsys": ("report.sqlite", "nsys/two_processes.sql"), "rocpd": ("trace_results.db", "rocm/rocpd.sql"),
            "rocpd of tracks": ("trace_results.db", "rocm/rocpd.sql", "rocm/rocpd_tracks.sql"), "rpd": ("trace.rpd", "rocm/rpd.sql")}
VALUES = {"null": "null", "a text": "'abc'", "bytes": "zeroblob(100)", "real": "1e308", "the largest": "9223372036854775807", "the least": "-9223372036854775808", "negative": "-1",
          "not UTF-8": "cast(x'61003c62ff' as text)"}
# What refers to other rows, or to itself.
LOOPS = {
    "nsys": {"calls of each other": ("update CUPTI_ACTIVITY_KIND_RUNTIME set correlationId = 1",), "ranges that end before they begin": ("update NVTX_EVENTS set end = start - 1",),
             "one thread in all processes": ("update NVTX_EVENTS set globalTid = 281474976710656",), "all work in one graph": ("update CUPTI_ACTIVITY_KIND_KERNEL set graphId = 1, graphNodeId = 1",),
             "rows 1,000 times": tuple(["insert into CUPTI_ACTIVITY_KIND_KERNEL select * from CUPTI_ACTIVITY_KIND_KERNEL"] * 10)},
    "rocpd": {"events that are their own parents": ("update rocpd_event_7 set parent_stack_id = stack_id",), "one stack": ("update rocpd_event_7 set stack_id = 1, parent_stack_id = 1",),
              "a process that is a thread": ("update rocpd_info_thread_7 set pid = id, tid = id",)},
    "rocpd of tracks": {"events that are their own parents": ("update rocpd_event_7 set parent_stack_id = stack_id",)},
    "rpd": {"calls of each other": ("update rocpd_api set id = id + 10000", "update rocpd_api set apiName_id = args_id"), "texts of texts": ("update rocpd_string set string = id",)},
}


@functools.cache
def bytes_of(kind):
    name, fixture, *changes = FIXTURES[kind]
    with tempfile.TemporaryDirectory() as folder:
        return database(pathlib.Path(folder) / name, fixture, *((ROOT / change).read_text() for change in changes)).read_bytes()


def sound(kind):
    def write(folder):
        (folder / FIXTURES[kind][0]).write_bytes(bytes_of(kind))
        return folder / FIXTURES[kind][0]

    return write


@functools.cache
def columns_of(kind):
    with tempfile.TemporaryDirectory() as folder:
        with sqlite3.connect(sound(kind)(pathlib.Path(folder))) as file:
            tables = [row[0] for row in file.execute("select name from sqlite_master where type = 'table'")]
            found = {table: [row[1] for row in file.execute(f'pragma table_info("{table}")')] for table in tables}
        file.close()
    return found


def changed(kind, name, *statements, tells="any", **more):
    def write(folder):
        path = sound(kind)(folder)
        with sqlite3.connect(path, isolation_level=None) as file:
            for statement in ("pragma synchronous = off", "pragma journal_mode = memory", *statements):
                try:
                    file.execute(statement)
                except sqlite3.IntegrityError:  # a primary key takes numbers only
                    assert "update or ignore" in statement
        file.close()
        return path

    return Case(f"{kind}: {name}", write, tells, sound=sound(kind), **more)


def with_bytes(kind, name, change, tells="any"):
    def write(folder):
        path = sound(kind)(folder)
        path.write_bytes(change(path.read_bytes()))
        return path

    return Case(f"{kind}: {name}", write, tells, sound=sound(kind))


def cases_of(kind):
    for table, columns in columns_of(kind).items():
        yield changed(kind, f"{table} dropped", f'drop table "{table}"')
        yield changed(kind, f"{table} empty", f'delete from "{table}"')
        yield changed(kind, f"{table} is a view of itself", f'alter table "{table}" rename to kept', f'create view "{table}" as select * from "{table}"')
        yield changed(kind, f"{table} is a view", f'alter table "{table}" rename to kept', f'create view "{table}" as select * from kept', tells="any")
        yield changed(kind, f"{table} without its columns", f'drop table "{table}"', f'create table "{table}" (other)', f'insert into "{table}" values (1)')
        for what, value in VALUES.items():
            yield changed(kind, f"all of {table} is {what}", *(f'update or ignore "{table}" set "{column}" = {value}' for column in columns))
    largest = max(columns_of(kind), key=lambda table: len(columns_of(kind)[table]))
    for column in columns_of(kind)[largest]:
        yield changed(kind, f"no {largest}.{column}", f'alter table "{largest}" rename column "{column}" to "other_{column}"')
    texts = "StringIds" if kind == "nsys" else "rocpd_string" if kind == "rpd" else "rocpd_string_7"
    column = "value" if kind == "nsys" else "string"
    yield changed(kind, "a text of 1 MB", f"update {texts} set {column} = hex(zeroblob(500000))", size=20 << 20)
    yield changed(kind, "a text of 100 MB", f"update {texts} set {column} = hex(zeroblob(50000000)) where rowid = 2", size=100 << 20, large=True)
    for name, steps in LOOPS[kind].items():
        yield changed(kind, name, *steps)
    for what, page in (("another table", 3), ("nothing", 99999), ("the first page", 1)):
        yield changed(kind, f"tables at the page of {what}", "pragma writable_schema = on", f"update sqlite_master set rootpage = {page} where type = 'table'")
    for name, _ in damaged(kind, b"x" * 100):
        yield with_bytes(kind, name.partition(": ")[2], lambda whole, name=name: dict(damaged(kind, whole))[name], "told")
    for place in range(0, 100, 5):
        def flip(whole, place=place):
            at = len(whole) * place // 100
            return whole[:at] + bytes(byte ^ 0xFF for byte in whole[at:at + 16]) + whole[at + 16:]
        yield with_bytes(kind, f"16 bytes changed at {place} %", flip)


def parquet_cases():
    def folder_case(name, change):
        def write(folder):
            with tempfile.TemporaryDirectory() as source:
                path = parquet_folder(folder / "report_pqtdir", sound("nsys")(pathlib.Path(source)))
            change(path)
            return path

        return Case(f"nsys, Parquet: {name}", write, "any")

    for table in ("StringIds", "CUPTI_ACTIVITY_KIND_KERNEL", "NVTX_EVENTS"):
        for name, _ in damaged("x", b"x" * 100):
            def damage(path, table=table, name=name):
                file = path / f"{table}.parquet"
                file.write_bytes(dict(damaged("x", file.read_bytes()))[name])
            yield folder_case(f"{table}{name[1:]}", damage)


def all_cases():
    for kind in FIXTURES:
        yield from cases_of(kind)
    yield from parquet_cases()
