"""Exports that tools write as databases, made from the SQL texts of tests/fixtures: a SQLite file, or one Parquet file a table."""
import pathlib
import sqlite3

FIXTURES = pathlib.Path(__file__).resolve().parents[1] / "fixtures"


def database(path, fixture, *changes):
    """Writes the database `path`; `changes` are SQL statements that are run at the end."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with sqlite3.connect(path) as file:
        file.executescript((FIXTURES / fixture).read_text())
        for change in changes:
            file.executescript(change)
    file.close()
    return path


def parquet_folder(path, source):
    """Writes the tables of the database `source` as files of the folder `path`."""
    import pyarrow
    import pyarrow.parquet

    path.mkdir(parents=True, exist_ok=True)
    with sqlite3.connect(source) as file:
        for table, in file.execute("select name from sqlite_master where type = 'table'").fetchall():
            rows = file.execute(f'select * from "{table}"')
            names = [column[0] for column in rows.description]
            columns = list(zip(*rows.fetchall())) or [()] * len(names)
            pyarrow.parquet.write_table(pyarrow.table({name: list(column) for name, column in zip(names, columns)}),
                                        path / f"{table}.parquet")
    file.close()
    return path
