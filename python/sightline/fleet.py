"""Large jobs on a cluster: `sightline map` for every shard as Ray tasks, and the lake's tables in an Iceberg catalog.

    python -m sightline.fleet map s3://bucket/run -o s3://bucket/lake --capture job42 --shards 625
    python -m sightline.fleet register s3://bucket/lake --capture job42 --catalog lake --namespace fleet

`map` needs the package ray, and runs on the cluster that RAY_ADDRESS or --address names, else on this machine. A task that ends with
75 (try again), or whose worker or node dies, is repeated; one that ends with 65 (never) is not. It commits when all have ended.
`register` needs pyiceberg and pyarrow: it adds the files of a committed capture to tables of the catalog, in one snapshot for each
table, with the property sightline.capture; the table `captures` comes last. Registering again does nothing.
"""
import argparse
import json
import os
import random
import subprocess
import sys
import time

from .program import path as program_path

TRY_AGAIN = 75
PATIENCE = 40  # attempts, where others write to the same table
NAMES = "schema.name-mapping.default"  # finds the columns of files that were not written for Iceberg


class TryAgain(RuntimeError):
    """A task that another attempt may complete."""


class Never(RuntimeError):
    """A task that no attempt completes."""


def attempt(arguments):
    """Runs the program to its end. Its processes end with it, however this one ends."""
    done = subprocess.run(arguments, stdin=subprocess.DEVNULL, capture_output=True, text=True, preexec_fn=end_with_parent)
    if done.returncode == 0:
        return done.stdout
    message = done.stderr.strip() or f"the program ended with {done.returncode}"
    # A negative code: something killed it, for lack of memory for example.
    raise (TryAgain if done.returncode == TRY_AGAIN or done.returncode < 0 else Never)(message)


def end_with_parent():
    """A killed worker of Ray must not leave a program behind that takes memory and time of the next attempt."""
    import ctypes
    import signal

    ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG


def run(arguments):
    """As attempt, for this process: ends it with the program's message and code."""
    done = subprocess.run(arguments, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit(done.returncode)
    return done.stdout


# ---- map ----


def map_with_ray(chosen):
    """Maps all shards; returns the exit code."""
    import ray

    program = program_path()
    plan = [program, "fleet", "plan", *chosen.runs, "-o", chosen.output]
    plan += ["--capture", chosen.capture] if chosen.capture else []
    plan += ["--shards", str(chosen.shards)] if chosen.shards else []
    said = run(plan).splitlines()
    path, shards = said[-1], int(said[0].split(" ranks in ")[1].split()[0])
    capture = said[0].rsplit(" ", 1)[1]
    ray.init(address=chosen.address or "local", include_dashboard=False, log_to_driver=False, logging_level="ERROR")

    @ray.remote(num_cpus=chosen.cpus, max_retries=chosen.retries, retry_exceptions=[TryAgain], scheduling_strategy="SPREAD")
    def shard(number):
        threads = ["--threads", str(max(1, round(chosen.cpus)))]
        return attempt([chosen.program or program, "map", path, "--shard", f"{number}/{shards}", "-o", chosen.output, "--capture", capture, *threads, *more])

    more = [*(["--memory", chosen.memory] if chosen.memory else []), *(["--topology", chosen.topology] if chosen.topology else []),
            *(["--with-profiles"] if chosen.with_profiles else [])]
    waiting = {shard.remote(number): number for number in range(shards)}
    failed, again = {}, False
    while waiting:
        (ready,), _ = ray.wait(list(waiting), num_returns=1)
        number = waiting.pop(ready)
        try:
            ray.get(ready)
        except Exception as error:  # Ray wraps those of tasks, and has its own for workers and nodes that died
            cause = getattr(error, "cause", None) or error
            failed[number] = str(cause).strip().splitlines()[-1] if str(cause).strip() else type(cause).__name__
            again = again or not isinstance(cause, Never)
    ray.shutdown()
    for number in sorted(failed):
        print(f"sightline: shard {number}: {failed[number]}", file=sys.stderr)
    print(f"mapped: {shards - len(failed)} of {shards} shards, capture {capture}", flush=True)
    if failed:
        return TRY_AGAIN if again else 65
    if chosen.commit:
        print(run([program, "fleet", "commit", chosen.output, "--capture", capture]), end="")
    return 0


# ---- register ----


def register(chosen):
    """Adds the files of a committed capture to tables of an Iceberg catalog; returns the exit code."""
    from pyiceberg.catalog import load_catalog

    properties = dict(each.split("=", 1) for each in chosen.property)
    for _ in range(PATIENCE):
        try:
            catalog = load_catalog(chosen.catalog, **properties)
            break
        except rivalry():  # a SQL catalog makes its tables
            time.sleep(random.uniform(0.05, 0.5))
    make_namespace(catalog, chosen.namespace)
    committed = committed_list(chosen.lake, chosen.capture, catalog)
    tables = sorted(committed["tables"], key=lambda name: (name == "captures", name))
    for name in tables:
        files = [each for each in committed["tables"][name] if each["rows"] > 0]
        if files:
            added = add_once(catalog, f"{chosen.namespace}.{name}", chosen, committed, files)
            print(f"{name}: {'registered' if added else 'registered already'}, {len(files)} files")
    return 0


def make_namespace(catalog, name):
    for _ in range(PATIENCE):
        try:
            return catalog.create_namespace_if_not_exists(name)
        except rivalry():
            time.sleep(random.uniform(0.05, 0.5))
    sys.exit(f"sightline: {name}: the catalog cannot make this namespace; try again")


def address(lake, path=""):
    """Iceberg's libraries want addresses, for files on a disk too."""
    whole = f"{lake.rstrip('/')}/{path}".rstrip("/")
    return whole if "://" in whole else "file://" + os.path.abspath(whole)


def committed_list(lake, capture, catalog):
    from pyiceberg.io import load_file_io

    path = address(lake, f"manifests/capture={capture}/COMMITTED.json")
    try:
        with load_file_io(catalog.properties, path).new_input(path).open() as file:
            return json.loads(file.read())
    except FileNotFoundError:
        sys.exit(f"sightline: {path}: the capture is not committed")


def add_once(catalog, identifier, chosen, committed, files):
    """True: one snapshot was added. Others may register at the same time: the loser of a race looks again."""
    for _ in range(PATIENCE):
        try:
            table = table_of(catalog, identifier, chosen, files[0])
            known = of_capture(table, chosen.capture)
            if known == committed["choice"]:
                return False
            append(table, chosen, committed, files, replaces=known is not None)
            return True
        except rivalry():
            time.sleep(random.uniform(0.05, 0.5))
    sys.exit(f"sightline: {identifier}: too many others commit to this table; try again")


def rivalry():
    """What a catalog raises when another writer was quicker. SQL catalogs pass on what their database says."""
    from pyiceberg.exceptions import CommitFailedException, CommitStateUnknownException, NamespaceAlreadyExistsError, TableAlreadyExistsError

    found = (CommitFailedException, CommitStateUnknownException, NamespaceAlreadyExistsError, TableAlreadyExistsError)
    try:
        from sqlalchemy.exc import IntegrityError, OperationalError
    except ImportError:
        return found
    return (*found, IntegrityError, OperationalError)


def of_capture(table, capture):
    """Which choice of shards the newest snapshot of this capture has; None: it has none."""
    found = None
    for snapshot in table.metadata.snapshots:
        if snapshot.summary and snapshot.summary.additional_properties.get("sightline.capture") == capture:
            found = snapshot.summary.additional_properties.get("sightline.choice")
    return found


def table_of(catalog, identifier, chosen, file):
    """The table, with the columns of this file; columns that it lacks are added. The capture is a partition: files need not have it."""
    from pyiceberg.exceptions import NoSuchTableError
    from pyiceberg.partitioning import PartitionField, PartitionSpec
    from pyiceberg.schema import Schema
    from pyiceberg.transforms import IdentityTransform
    from pyiceberg.types import NestedField, StringType

    columns = [("capture_id", StringType()), *((field.name, iceberg_type(field.type)) for field in schema_of(catalog, chosen, file))]
    try:
        table = catalog.load_table(identifier)
    except NoSuchTableError:
        schema = Schema(*(NestedField(i, name, kind, required=False) for i, (name, kind) in enumerate(columns, 1)))
        by_capture = PartitionSpec(PartitionField(source_id=1, field_id=1000, transform=IdentityTransform(), name="capture_id"))
        # An append that is repeated without a look at the table would add the files twice.
        properties = {NAMES: schema.name_mapping.model_dump_json(), "commit.retry.num-retries": "0"}
        table = catalog.create_table(identifier, schema, partition_spec=by_capture, properties=properties)
    known = {column.name for column in table.schema().fields}
    if added := [(name, kind) for name, kind in columns if name not in known]:
        with table.transaction() as change:
            with change.update_schema() as schema:
                for name, kind in added:
                    schema.add_column(name, kind)
            change.set_properties(**{NAMES: change.table_metadata.schema().name_mapping.model_dump_json()})
        table = catalog.load_table(identifier)
    return table


def iceberg_type(kind):
    import pyarrow as pa
    from pyiceberg.types import BooleanType, LongType, StringType

    return BooleanType() if pa.types.is_boolean(kind) else LongType() if pa.types.is_integer(kind) else StringType()


def schema_of(catalog, chosen, file):
    import pyarrow.parquet
    from pyiceberg.io import load_file_io

    path = address(chosen.lake, file["path"])
    with load_file_io(catalog.properties, path).new_input(path).open() as opened:
        return pyarrow.parquet.read_schema(opened)


def append(table, chosen, committed, files, replaces):
    """One snapshot with all files. When more ranks have come since the last one, it replaces the files of the capture."""
    from pyiceberg.expressions import EqualTo

    properties = {"sightline.capture": chosen.capture, "sightline.choice": committed["choice"], "sightline.round": str(committed["round"])}
    with table.transaction() as change:
        if replaces:
            change.delete(EqualTo("capture_id", chosen.capture))
        with change.update_snapshot(snapshot_properties=properties).fast_append() as snapshot:
            for file in files:
                snapshot.append_data_file(data_file(table, chosen, file))


def data_file(table, chosen, file):
    """What a manifest of Iceberg says about a Parquet file: size, rows, and the statistics of its columns."""
    import pyarrow.parquet
    from pyiceberg.io.pyarrow import compute_statistics_plan, data_file_statistics_from_parquet_metadata, parquet_path_to_id_mapping
    from pyiceberg.manifest import DataFile, DataFileContent, FileFormat
    from pyiceberg.typedef import Record

    path = address(chosen.lake, file["path"])
    with table.io.new_input(path).open() as opened:
        footer = pyarrow.parquet.read_metadata(opened)
    named = {column: field for column, field in parquet_path_to_id_mapping(table.schema()).items() if column in footer.schema.names}
    plan = compute_statistics_plan(table.schema(), table.metadata.properties)
    statistics = data_file_statistics_from_parquet_metadata(footer, {field: plan[field] for field in named.values()}, named)
    return DataFile.from_args(
        content=DataFileContent.DATA, file_path=path, file_format=FileFormat.PARQUET, partition=Record(chosen.capture), file_size_in_bytes=file["bytes"],
        sort_order_id=None, spec_id=table.metadata.default_spec_id, equality_ids=None, key_metadata=None, **statistics.to_serialized_dict(),
    )


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="python -m sightline.fleet", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    mapping = commands.add_parser("map", help="map all shards as Ray tasks, and commit")
    mapping.add_argument("runs", nargs="+", help="folders or addresses with the traces of a job, or a plan")
    mapping.add_argument("-o", "--output", required=True, help="the lake")
    mapping.add_argument("--capture", help="name of the capture (default: the run)")
    mapping.add_argument("--shards", type=int, help="tasks (default: one for 16 ranks)")
    mapping.add_argument("--cpus", type=float, default=2, help="cores of a task (default: 2)")
    mapping.add_argument("--retries", type=int, default=5, help="further attempts at a shard (default: 5)")
    mapping.add_argument("--memory", help="memory of a task, such as 4G")
    mapping.add_argument("--topology", help="CSV file with the columns host, rack and switch")
    mapping.add_argument("--with-profiles", action="store_true", help="also write all columns of each rank, for its timeline")
    mapping.add_argument("--address", default=os.environ.get("RAY_ADDRESS"), help="of the cluster (default: $RAY_ADDRESS, else this machine)")
    mapping.add_argument("--program", help="path of the program on the nodes (default: that of this package)")
    mapping.add_argument("--no-commit", dest="commit", action="store_false", help="only map")
    mapping.set_defaults(run=map_with_ray)
    registering = commands.add_parser("register", help="add a committed capture to an Iceberg catalog")
    registering.add_argument("lake")
    registering.add_argument("--capture", required=True)
    registering.add_argument("--catalog", default="default", help="its name in pyiceberg's settings")
    registering.add_argument("--property", action="append", default=[], metavar="NAME=VALUE", help="of the catalog, such as uri=https://...")
    registering.add_argument("--namespace", default="sightline")
    registering.set_defaults(run=register)
    chosen = parser.parse_args(arguments)
    return chosen.run(chosen)


if __name__ == "__main__":
    sys.exit(main())
