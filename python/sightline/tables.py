"""The tables of a profile for Python. The program writes them as Arrow files, which are mapped here and then unlinked: nothing is
copied, and the disk space is free again once the last table is gone. docs/formats/tables.md lists the tables and columns."""
import collections.abc
import json
import pathlib
import tempfile

from . import program

# Column types of a report (docs/http.md), as Arrow's types.
ARROW_TYPES = {"integer": "int64", "real": "float64", "text": "string", "flag": "bool"}


def find(path):
    """The profiles below a path, without reading them: a list of dictionaries with `run`, `worker`, `span` and `file`."""
    state = json.loads(program.run("info", "--no-read", "--format", "json", "--", path))
    return [
        {"run": run["name"], "worker": worker["name"], "span": span["name"], "file": span["file"]}
        for run in state["runs"]
        for worker in run["workers"]
        for span in worker["spans"]
    ]


def open(path, *, run="", worker="", span="", tables=()):
    """Reads a profile: the first below `path`, or the one that run, worker and span select (see find). `tables` lists the
    tables to read; default: all. Raises Error if the file cannot be read; warns if only a part could be read."""
    names = ["--tables=" + ",".join(tables)] if tables else []
    chosen = [f"--{key}={name}" for key, name in (("run", run), ("worker", worker), ("span", span)) if name]
    with tempfile.TemporaryDirectory(prefix="sightline-") as folder:
        program.run("export", *chosen, *names, "--format=arrow", f"--output={folder}", "--", path)
        mapped = {file.stem: _mapped(file) for file in sorted(pathlib.Path(folder).glob("*.arrow"))}
    return Profile(mapped, path, chosen)


class Profile(collections.abc.Mapping):
    """Name of a table -> pyarrow.Table. The unit and meaning of a column are in its field's metadata."""

    def __init__(self, tables, path, chosen):
        self._tables = tables
        self._path = path
        self._chosen = chosen  # arguments that select the profile below the path

    def __getitem__(self, name):
        return self._tables[name]

    def __iter__(self):
        return iter(self._tables)

    def __len__(self):
        return len(self._tables)

    def __repr__(self):
        sizes = ", ".join(f"{name} {table.num_rows:,}" for name, table in self.items() if table.num_rows)
        return f"<sightline.Profile of {self._path}: {sizes}>"

    def report(self, view, **parameters):
        """A view's tables by their keys, as the page shows them (`sightline views` lists views and parameters). Reads the file
        again, or the cache's copy of it."""
        given = [f"--param={key}={_parameter_text(value)}" for key, value in parameters.items()]
        answer = json.loads(program.run("report", *self._chosen, f"--view={view}", *given, "--format=json", "--", self._path))
        return {key: _table(table) for key, table in answer["tables"].items()}

    def query(self, sql):
        """The answer to one SELECT over the profile's tables as a pyarrow.Table; DuckDB's dialect, of any length."""
        answer = json.loads(program.run("query", *self._chosen, "--format=json", "--limit=0", "--", self._path, sql))
        return _table(answer)


def _parameter_text(value):
    return str(value).lower() if isinstance(value, bool) else str(value)


def _mapped(file):
    import pyarrow

    with pyarrow.memory_map(str(file)) as source:
        return pyarrow.ipc.open_file(source).read_all()


def _table(table):
    """A table of a report. Types are explicit, because all values of a column may be unknown."""
    import pyarrow

    fields, columns = [], []
    for column in table["columns"]:
        kind = pyarrow.type_for_alias(ARROW_TYPES[column["type"]])
        about = {key: column[key] for key in ("title", "unit", "doc") if column.get(key)}
        fields.append(pyarrow.field(column["key"], kind, metadata=about))
        columns.append(pyarrow.array(column["values"], kind))
    return pyarrow.table(columns, schema=pyarrow.schema(fields))
